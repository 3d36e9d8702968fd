"""What a reading process would try that a hostile document has taken over; and what an honest one has to be able to."""

from __future__ import annotations

import ctypes
import errno
import json
import mmap
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from dupfinder.processes import cell, descriptors, linux
from dupfinder.processes.descriptors import open_handed


def escape(task: tuple[str, Path]) -> str:
    """Try one act on the document in hand, or beside it: "done", or the name of the error by which it was refused."""
    act, document = task
    try:
        return ACTS[act](document) or "done"
    except OSError as error:
        return errno.errorcode.get(error.errno or 0, "unknown")


def file_of(task: tuple[str, Path]) -> tuple[Path]:
    """The document in hand."""
    return (task[1],)


def main(arguments: list[str]) -> None:
    """Print as JSON what came of all acts in a process that shuts itself in, on a kernel that seems to lack something.

    arguments: the document, and "landlock", "seccomp" or "nothing".
    """
    document, missing = Path(arguments[0]), arguments[1]
    if missing == "landlock":
        linux.landlock_version = lambda: 0
    elif missing == "seccomp":
        linux._machine = lambda: None
    descriptors._HANDED.set({str(document): (os.open(document, os.O_RDONLY), 0)})
    cell.enter([*cell.own_files("tests.processes.escapes"), "/proc"])
    print(json.dumps({act: escape((act, document)) for act in ("status", "work", *sorted(ACTS.keys() - PERMITTED))}))


def _call(name: str, *arguments: int) -> str:
    """A function of the C library by its name."""
    library = ctypes.CDLL(None, use_errno=True)
    if getattr(library, name)(*(ctypes.c_long(argument) for argument in arguments)) < 0:
        raise OSError(ctypes.get_errno(), name)
    return "done"


def _write(document: Path) -> str:
    with open(document.with_name("new.txt"), "w") as stream:
        return str(stream.write("x"))


def _change(flags: int) -> Callable[[Path], str]:
    return lambda document: f"opened as {os.open(document, flags)}"


def _read_other(document: Path) -> str:
    return document.with_name("secret.txt").read_text()


def _read_by_name(document: Path) -> str:
    return document.read_text()


def _on_handed(act: Callable[[int], object]) -> Callable[[Path], str]:
    def attempt(document: Path) -> str:
        act(open_handed(document))
        return "done"

    return attempt


def _quietly(act: Callable[[Path], object]) -> Callable[[Path], str]:
    def attempt(document: Path) -> str:
        act(document)
        return "done"

    return attempt


def _program(_: Path) -> str:
    os.execve(shutil.which("true") or "/bin/true", ["true"], {})


def _pair(_: Path) -> str:
    for end in socket.socketpair():
        end.close()
    return "done"


def _fork(_: Path) -> str:
    if os.fork() == 0:
        os._exit(0)
    return "done"


def _work_on(document: Path) -> str:
    """What reading needs: the file in hand, memory, threads, pipes, the clock, modules, signals to itself."""
    with open(open_handed(document), "rb") as stream:
        read = stream.read().decode()
    with mmap.mmap(-1, 1 << 20) as memory:
        memory[:4] = b"data"
    heard: list[str] = []
    reading, writing = os.pipe()
    thread = threading.Thread(target=lambda: heard.append(os.read(reading, 4).decode()))
    thread.start()
    os.write(writing, b"pipe")
    thread.join()
    signal.signal(signal.SIGUSR1, lambda *_: heard.append("signal"))
    os.kill(os.getpid(), signal.SIGUSR1)
    import wave  # a module that nothing here has loaded

    return " ".join([read, *heard, wave.__name__, str(time.localtime().tm_year > 2000)])


def _product(_: Path) -> str:
    import numpy as np

    square = np.ones((300, 300))
    return str(float((square @ square)[0, 0]))


def _status(_: Path) -> str:
    lines = Path("/proc/self/status").read_text().splitlines()
    return "; ".join(line for line in lines if line.startswith(("NoNewPrivs", "Seccomp:")))


ACTS: dict[str, Callable[[Path], str]] = {
    "write a file": _write,
    "open for writing": _change(os.O_WRONLY),
    "open for appending": _change(os.O_RDONLY | os.O_APPEND),
    "open for both": _change(os.O_RDWR),
    "open to cut": _change(os.O_RDONLY | os.O_TRUNC),
    "open to create": _change(os.O_RDONLY | os.O_CREAT),
    "read another document": _read_other,
    "read the document by name": _read_by_name,
    "list a folder": lambda document: str(os.listdir(document.parent)),
    "read what is told of other processes": lambda _: Path(f"/proc/{os.getppid()}/environ").read_text(),
    "remove": _quietly(os.unlink),
    "rename": _quietly(lambda document: os.rename(document, document.with_suffix(".bak"))),
    "link": _quietly(lambda document: os.link(document, document.with_suffix(".bak"))),
    "symbolic link": _quietly(lambda document: os.symlink(document, document.with_suffix(".bak"))),
    "make a folder": _quietly(lambda document: os.mkdir(document.with_suffix(".dir"))),
    "change the mode": _quietly(lambda document: os.chmod(document, 0o777)),
    "change the times": _quietly(lambda document: os.utime(document, (0, 0))),
    "cut": _quietly(lambda document: os.truncate(document, 0)),
    "cut what was handed": _on_handed(lambda descriptor: os.ftruncate(descriptor, 0)),
    "change the mode of what was handed": _on_handed(lambda descriptor: os.fchmod(descriptor, 0o777)),
    "change the times of what was handed": _on_handed(lambda descriptor: os.utime(descriptor, (0, 0))),
    "own attributes for what was handed": _on_handed(lambda descriptor: os.setxattr(descriptor, "user.x", b"y")),
    "write to what was handed": _on_handed(lambda descriptor: os.write(descriptor, b"x")),
    "socket": _quietly(lambda _: socket.socket().close()),
    "local socket": _quietly(lambda _: socket.socket(socket.AF_UNIX).close()),
    "pair of sockets": _pair,
    "another program": _program,
    "another program, as a child": lambda _: str(subprocess.run(["true"], check=False)),
    "another process": _fork,
    "look into the parent": lambda _: _call("ptrace", 16, os.getppid(), 0, 0),
    "signal to the parent": _quietly(lambda _: os.kill(os.getppid(), 0)),
    "signal to all": _quietly(lambda _: os.kill(-1, 0)),
    "file in memory": lambda _: str(os.memfd_create("x")),
    "calls by a ring": lambda _: _call("syscall", 425, 1, 0),
    "new namespace": lambda _: _call("unshare", 0x10000000),
    "group of its own": _quietly(lambda _: os.setsid()),
    "limits of the parent": lambda _: _call("prlimit", os.getppid(), 7, 0, 0),
    "work": _work_on,
    "product": _product,
    "status": _status,
    "tesseract": lambda _: subprocess.run(["tesseract", "--version"], capture_output=True, check=True).stdout.decode(),
    "python": lambda _: str(subprocess.run([sys.executable, "-c", ""], check=True)),
}
PERMITTED = frozenset({"work", "product", "status", "tesseract", "python"})

if __name__ == "__main__":
    main(sys.argv[1:])
