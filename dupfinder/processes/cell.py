"""The cell: the rights that a reading process keeps while it reads documents, as far as a system can restrict it.

Linux:   No new privileges. Landlock: the process may read the program's own files and the system's libraries, may open
         no document by name (documents come as open descriptors), and may write nothing. Seccomp: no network, no other
         program, no access to other processes, no opening for writing. Each of these only if the kernel has it.
Windows: A job object: the process ends with the program, starts no other, and its memory is limited. It can still read
         and write whatever the person can.
macOS:   A profile of the system's sandbox: no network, no writing, no other program. It can still read.
Other Unix systems: only the limits of time and memory.

Pages without a text layer are recognised by tesseract, another program. Only processes that need it may start programs:
with Landlock, tesseract alone, and in the same cell; on macOS any program, since these processes have no profile.
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

from dupfinder.processes import linux

# Where Linux keeps programs, libraries, their data and the time zone: libraries load these when first needed.
_PROGRAMS: Final = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store", "/snap", "/app",
    "/home/linuxbrew/.linuxbrew",
)  # fmt: skip
_SYSTEM: Final = (
    "/etc/ld.so.cache", "/etc/localtime", "/etc/timezone", "/etc/fonts",
    "/dev/null", "/dev/zero", "/dev/urandom", "/sys/devices/system/cpu", "/proc/cpuinfo", "/proc/meminfo",
)  # fmt: skip
_LOADER: Final = re.compile(rb"/[!-~]{1,200}/ld[!-~]{0,40}\.so[.0-9]*(?=\0)")  # in ELF files
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
class Restrictions:
    """How this system can restrict reading processes. landlock: its version, 0 if not available."""

    landlock: int = 0
    seccomp: bool = False
    profile: bool = False
    job: bool = False


def available_restrictions() -> Restrictions:
    if sys.platform == "linux":
        restrictions = Restrictions(linux.landlock_version(), linux.can_filter_calls())
    else:
        restrictions = Restrictions(profile=sys.platform == "darwin", job=sys.platform == "win32")
    return restrictions


def enter(readable: Sequence[str], programs: Sequence[str] = ()) -> None:
    """Restrict this process for the rest of its life, as far as the system can.

    readable: files and folders that it may read besides the system's. programs: names of programs that it may start.
    Does nothing on Windows, where a job restricts the process instead, nor on macOS if it may start programs.
    """
    if sys.platform == "linux":
        linux.give_up_privileges()
        started = [_to_start(name) for name in programs]
        executable = [path for paths, _ in started for path in paths]
        read = [*_PROGRAMS, *_SYSTEM, *readable, *(path for _, paths in started for path in paths)]
        linux.restrict_files(read, executable)
        linux.restrict_calls(programs=bool(programs))
    elif sys.platform == "darwin" and not programs:
        trouble = ctypes.c_char_p()
        with suppress(OSError, AttributeError):  # this system has no such sandbox
            ctypes.CDLL("/usr/lib/libSystem.B.dylib").sandbox_init(_PROFILE, ctypes.c_uint64(0), ctypes.byref(trouble))


def own_files(module: str) -> list[str]:
    """Return the files and folders that a process running `module` may load: Python, packages, the module's own."""
    folders = [*sysconfig.get_paths().values(), site.getusersitepackages(), os.path.dirname(os.__file__)]
    folders += [path for path in sys.path if path.endswith((".zip", "-packages"))]
    for name in {"dupfinder", module.partition(".")[0]}:
        package = sys.modules.get(name)
        folders += getattr(package, "__path__", [getattr(package, "__file__", None)])
    folders += [getattr(sys, "_MEIPASS", None) or "", sys.executable]
    checkout = Path(__file__).resolve().parents[2] / "resources"
    return sorted({os.path.abspath(path) for path in [*folders, str(checkout)] if path})


def _to_start(name: str) -> tuple[list[str], list[str]]:
    """Return the files that must be executable so that a program starts, and the files that it reads.

    Executable: the program and its loader. Read: also its libraries and data. Both are empty if it is not installed.
    """
    located = shutil.which(name)
    if located is None:
        return [], []
    program = os.path.realpath(located)
    try:
        with open(program, "rb") as stream:
            head = stream.read(4096)
    except OSError:
        return [], []
    prefix = os.path.dirname(os.path.dirname(program))
    read = [os.path.join(prefix, part) for part in ("lib", "lib64", "share/tessdata", "share/tesseract-ocr")]
    if head.startswith(b"#!"):  # a script, which may start any installed program
        folders = [*_PROGRAMS, sys.prefix, sys.base_prefix, os.path.dirname(program)]
        return [program, *folders], [*read, *folders]
    loaders = [os.path.realpath(os.fsdecode(path)) for path in _LOADER.findall(head)]
    return [program, *loaders], [program, *read]
