"""Imported by the process that reading processes are copied from: it takes away what a killed program leaves behind.

That process listens at a socket in a temporary folder of the program's own. It outlives a program that was killed by a
moment, and an orderly end of the program removes the folder itself.
"""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

_NAMED = "pymp-"  # how multiprocessing begins the names of such folders
_SECONDS = 1.0  # that a program needs to be gone once it has closed its end


def _folders() -> Iterator[str]:
    """The temporary folders of the sockets at which this process listens."""
    for name in os.listdir("/proc/self/fd"):
        with suppress(OSError):
            descriptor = int(name)
            if not stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                continue
            with socket.socket(fileno=os.dup(descriptor)) as held:
                address = held.getsockname() if held.family == socket.AF_UNIX else ""
            folder = os.path.dirname(address) if isinstance(address, str) else ""
            if os.path.basename(folder).startswith(_NAMED) and not os.path.islink(folder):
                yield folder


def _remove(folders: list[str], program: int) -> None:
    until = time.monotonic() + _SECONDS
    while os.getppid() == program:
        if time.monotonic() > until:
            return  # it lives, and may start another process like this one
        time.sleep(0.01)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if sys.platform == "linux" and (_listens := list(_folders())):
    os.setpgid(0, 0)  # who kills the program's group does not kill who tidies up after it
    atexit.register(_remove, _listens, os.getppid())
