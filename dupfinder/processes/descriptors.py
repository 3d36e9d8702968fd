"""Hand files to a reading process as open descriptors, so that it need not open any file by name.

A hostile document that takes over a reading process can then read only the files handed to it. On Linux descriptors are
sent with the task; on other systems the reading process opens the files itself.
"""

from __future__ import annotations

import errno
import os
import pickle
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from multiprocessing.connection import Connection
from typing import Any

from dupfinder.base.files import READ_ONLY

HANDS_OVER = sys.platform == "linux"
_AT_ONCE = 100  # descriptors in one message; the kernel takes 253
_TOO_MANY = (errno.EMFILE, errno.ENFILE)
_WAIT_SECONDS, _PAUSE_SECONDS = 5.0, 0.05  # how long to try while no descriptor is free, and between two tries

# Path -> (descriptor, 0), or (-1, errno of opening it).
_HANDED: ContextVar[Mapping[str, tuple[int, int]]] = ContextVar("_HANDED")


def open_handed(path: os.PathLike[str] | str) -> int:
    """Return a descriptor to read a file from its beginning: a copy of the handed one, else opened by name.

    Raises OSError if opening it failed. Two descriptors of one handed file share their position.
    """
    handed = _HANDED.get({}).get(os.fspath(path))
    if handed is None:
        return os.open(path, READ_ONLY)
    descriptor, error = handed
    if error:
        raise OSError(error, os.strerror(error), os.fspath(path))
    copy = os.dup(descriptor)
    with suppress(OSError):  # a pipe has no position; the caller refuses it later, because it is no ordinary file
        os.lseek(copy, 0, os.SEEK_SET)
    return copy


def hand_over(pipe: Connection, tasks: bytes, paths: Sequence[str]) -> None:
    """Send pickled tasks with the files that they need, opened here. Raises OSError when nobody reads the pipe."""
    opened = [_opened(path) for path in paths]
    descriptors = [descriptor for descriptor, _ in opened if descriptor >= 0]
    try:
        errors = [error for _, error in opened]
        pipe.send_bytes(pickle.dumps((tasks, list(paths), errors)))
        if sys.platform != "win32" and descriptors:
            with socket.socket(fileno=os.dup(pipe.fileno())) as channel:
                for start in range(0, len(descriptors), _AT_ONCE):
                    socket.send_fds(channel, [b"."], descriptors[start : start + _AT_ONCE])
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _opened(path: str) -> tuple[int, int]:
    """Return (descriptor, 0), or (-1, errno). Waits a while when no descriptor is free."""
    deadline = time.monotonic() + _WAIT_SECONDS
    while True:
        try:
            return os.open(path, READ_ONLY), 0
        except OSError as error:
            if error.errno not in _TOO_MANY or time.monotonic() > deadline:
                return -1, error.errno or errno.EIO
        except ValueError:  # a NUL in the name
            return -1, errno.EINVAL
        time.sleep(_PAUSE_SECONDS)


class TaskReceiver:
    """The end of a pipe at which a reading process receives tasks and their files.

    Create it before the process enters its cell (see `cell`), which refuses some of the system calls needed for it.
    """

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._channel = socket.socket(fileno=os.dup(pipe.fileno())) if HANDS_OVER else None

    def fileno(self) -> int:
        """Return the descriptor of the socket through which files arrive, -1 without a socket."""
        return self._channel.fileno() if self._channel is not None else -1

    @contextmanager
    def tasks(self) -> Iterator[Any]:
        """Yield the next tasks; within the context `open_handed` opens their files. Raises EOFError, OSError."""
        tasks, paths, errors = pickle.loads(self._pipe.recv_bytes())
        descriptors = self._descriptors(errors.count(0))
        unused = iter(descriptors)
        handed = {path: (-1 if error else next(unused), error) for path, error in zip(paths, errors, strict=True)}
        token = _HANDED.set(handed)
        try:
            yield pickle.loads(tasks)
        finally:
            _HANDED.reset(token)
            for descriptor in descriptors:
                os.close(descriptor)

    def _descriptors(self, count: int) -> list[int]:
        """Receive `count` descriptors, none without a socket. Raises OSError when the process may open no more."""
        received: list[int] = []
        if sys.platform == "win32":
            return received
        while self._channel is not None and len(received) < count:
            _, descriptors, flags, _ = socket.recv_fds(self._channel, 1, min(_AT_ONCE, count - len(received)))
            received += descriptors
            if not descriptors or flags & socket.MSG_CTRUNC:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return received
