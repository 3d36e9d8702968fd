"""Remove the temporary folder of a program that was killed.

The server process that reading processes are forked from imports this module. It listens at a socket in a temporary
folder of the program. A killed program leaves that folder behind; the server process outlives it by a moment, and
removes the folder. A program that ends in order removes the folder itself.
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
_SECONDS = 1.0  # within which a program ends after it has closed its end of the pipe


def _folders() -> Iterator[str]:
    """Yield the temporary folders of the sockets at which this process listens."""
    if sys.platform != "linux":
        return
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
    """Remove the folders once the process with id `program` has ended; keep them if it does not end soon."""
    until = time.monotonic() + _SECONDS
    while os.getppid() == program:
        if time.monotonic() > until:
            return  # the program goes on, and may start another server process
        time.sleep(0.01)
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


if sys.platform == "linux" and (_listens := list(_folders())):
    os.setpgid(0, 0)  # so that killing the program's process group does not kill this process
    atexit.register(_remove, _listens, os.getppid())
