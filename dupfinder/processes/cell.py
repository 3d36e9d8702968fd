"""The cell of a reading process: what it may still do once it reads documents, as far as the system holds it to that.

Linux:   no privileges gained; Landlock: reads the program's own files and the system's libraries, opens no document by
         name (those in hand come as open descriptors), writes nothing; seccomp: no network, no other program, no look
         into or signal to other processes, nothing opened for writing. Each as far as the kernel has it.
Windows: a job object: ends with the program, starts nothing, holds no more memory than allowed. It can still read and
         write what the person can.
macOS:   a profile of the system's sandbox: no network, no writing, no other program. It can still read.
Elsewhere on Unix nothing but limits holds.

Pages without a text layer are recognised by tesseract, another program: processes that do this, and no others, may
start programs. With Landlock it is that one alone, and it runs in the same cell.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import site
import sys
import sysconfig
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dupfinder.processes import landlock, seccomp

# Where Linux keeps programs, libraries, their data and the zone of its clock: what a library loads when first needed.
_PROGRAMS: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/snap", "/app",
    "/home/linuxbrew/.linuxbrew",
)  # fmt: skip
_SYSTEM: Final = (
    "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/fonts",
    "/dev/null", "/dev/zero", "/dev/urandom", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo",
)  # fmt: skip
_LOADER: Final = re.compile(rb"/[!-~]{1,200}/ld[!-~]{0,40}\.so[.0-9]*(?=\0)")  # of an ELF program's first segment
_PROFILE: Final = b"""(version 1)
(allow default)
(deny network*)
(deny file-write* (with no-log))
(allow file-write* (literal "/dev/null"))
(deny process-exec* process-fork)
(deny signal)
(allow signal (target self))
"""


@dataclass(frozen=True, slots=True)
class Given:
    """What this system holds reading processes to. landlock: its version, 0 for none."""

    landlock: int = 0
    seccomp: bool = False
    profile: bool = False
    job: bool = False


def given() -> Given:
    """What this system has for cells."""
    if sys.platform == "linux":
        found = Given(landlock.version(), seccomp.is_available())
    else:
        found = Given(profile=sys.platform == "darwin", job=sys.platform == "win32")
    return found


def enter(readable: Sequence[str], programs: Sequence[str] = ()) -> None:
    """Shut this process in, for good, as far as the system can.

    readable: files and folders that it may read besides the system's. programs: names of those that it may start.
    On Windows the program does this from outside: it puts its reading processes into a job.
    """
    if sys.platform == "linux":
        landlock.give_up_privileges()
        started = [_to_start(name) for name in programs]
        executable = [path for paths, _ in started for path in paths]
        read = [*_PROGRAMS, *_SYSTEM, *readable, *(path for _, paths in started for path in paths)]
        landlock.restrict(read, executable)
        seccomp.restrict(programs=bool(programs))
    elif sys.platform == "darwin" and not programs:
        _enter_profile()


def own_files(module: str) -> list[str]:
    """What a process that runs a function of this module loads by and by: Python, its packages, the module's own."""
    folders = [*sysconfig.get_paths().values(), site.getusersitepackages(), os.path.dirname(os.__file__)]
    folders += [path for path in sys.path if path.endswith((".zip", "-packages"))]
    for name in {"dupfinder", module.partition(".")[0]}:
        package = sys.modules.get(name)
        folders += getattr(package, "__path__", [getattr(package, "__file__", None)])
    folders += [getattr(sys, "_MEIPASS", None) or "", sys.executable]
    checkout = Path(__file__).resolve().parents[2] / "resources"
    return sorted({os.path.abspath(path) for path in [*folders, str(checkout)] if path})


def _to_start(name: str) -> tuple[list[str], list[str]]:
    """The files that have to be executable so that a program starts (itself, and what loads it), and those that it
    reads: its own libraries and data."""
    found = shutil.which(name)
    if found is None:
        return [], []
    program = os.path.realpath(found)
    try:
        with open(program, "rb") as stream:
            head = stream.read(4096)
    except OSError:
        return [], []
    prefix = os.path.dirname(os.path.dirname(program))
    read = [os.path.join(prefix, part) for part in ("lib", "lib64", "share/tessdata", "share/tesseract-ocr")]
    if head.startswith(b"#!"):  # a script, which may start whatever programs there are
        folders = [*_PROGRAMS, sys.prefix, sys.base_prefix, os.path.dirname(program)]
        return [program, *folders], [*read, *folders]
    loaders = [os.path.realpath(os.fsdecode(path)) for path in _LOADER.findall(head)]
    return [program, *loaders], [program, *read]


def _enter_profile() -> None:
    trouble = ctypes.c_char_p()
    with suppress(OSError, AttributeError):  # a system without it
        ctypes.CDLL("/usr/lib/libSystem.B.dylib").sandbox_init(_PROFILE, ctypes.c_uint64(0), ctypes.byref(trouble))
