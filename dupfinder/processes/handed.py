"""Files that a task brings along: opened by the program, read by a process that may open none by name.

A reading process that a hostile document has taken over can then read what it was handed, and nothing else of a
person's. On Linux descriptors cross with the task; elsewhere the reading process opens files itself.
"""

from __future__ import annotations

import errno
import os
import pickle
import socket
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from multiprocessing.connection import Connection
from typing import Any

HANDS_OVER = sys.platform == "linux"
# O_NONBLOCK: should a pipe have taken the file's place, opening it does not wait for a writer.
READ_ONLY = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_AT_ONCE = 100  # descriptors in one message; the kernel takes 253
_TOO_MANY = (errno.EMFILE, errno.ENFILE)
_TRIES, _PAUSE_SECONDS = 100, 0.05  # while others hold all descriptors

# Path -> descriptor, or the number of the error that opening it gave.
_HANDED: ContextVar[Mapping[str, tuple[int, int]]] = ContextVar("_HANDED")


def open_handed(path: os.PathLike[str] | str) -> int:
    """A descriptor to read a file from its beginning: the one that came with the task, or by its name where none did.

    Raises OSError as opening it did. Two descriptors of one handed file share their position.
    """
    handed = _HANDED.get({}).get(os.fspath(path))
    if handed is None:
        return os.open(path, READ_ONLY)
    descriptor, error = handed
    if error:
        raise OSError(error, os.strerror(error), os.fspath(path))
    copy = os.dup(descriptor)
    os.lseek(copy, 0, os.SEEK_SET)
    return copy


def hand_over(pipe: Connection, tasks: bytes, paths: Sequence[str]) -> None:
    """Send pickled tasks with the files that they need, opened here. Raises OSError when nobody listens."""
    opened = [_opened(path) for path in paths]
    descriptors = [descriptor for descriptor, _ in opened if descriptor >= 0]
    try:
        errors = [error for _, error in opened]
        pipe.send_bytes(pickle.dumps((tasks, list(paths), errors)))
        if descriptors:
            with socket.socket(fileno=os.dup(pipe.fileno())) as channel:
                for start in range(0, len(descriptors), _AT_ONCE):
                    socket.send_fds(channel, [b"."], descriptors[start : start + _AT_ONCE])
    finally:
        for descriptor in descriptors:
            os.close(descriptor)


def _opened(path: str) -> tuple[int, int]:
    """(descriptor, 0), or (-1, the number of the error)."""
    for _ in range(_TRIES):
        try:
            return os.open(path, READ_ONLY), 0
        except OSError as error:
            number = error.errno or errno.EIO
            if number not in _TOO_MANY:
                break
        except ValueError:  # a NUL in the name
            return -1, errno.EINVAL
        time.sleep(_PAUSE_SECONDS)
    return -1, number


class Receiver:
    """The end of a pipe at which a reading process takes tasks and their files. Make it before the cell is shut: some
    of what that asks of the system is refused afterwards."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._channel = socket.socket(fileno=os.dup(pipe.fileno())) if HANDS_OVER else None

    def fileno(self) -> int:
        """The descriptor of the channel that files come by, -1 for none."""
        return self._channel.fileno() if self._channel is not None else -1

    @contextmanager
    def tasks(self) -> Iterator[Any]:
        """The next tasks; within the context `open_handed` gives their files. Raises EOFError, OSError at the end."""
        message, paths, errors = pickle.loads(self._pipe.recv_bytes())
        descriptors = self._descriptors(errors.count(0))
        waiting = iter(descriptors)
        handed = {path: (-1 if error else next(waiting), error) for path, error in zip(paths, errors, strict=True)}
        token = _HANDED.set(handed)
        try:
            yield pickle.loads(message)
        finally:
            _HANDED.reset(token)
            for descriptor in descriptors:
                os.close(descriptor)

    def _descriptors(self, count: int) -> list[int]:
        received: list[int] = []
        while self._channel is not None and len(received) < count:
            _, descriptors, flags, _ = socket.recv_fds(self._channel, 1, min(_AT_ONCE, count - len(received)))
            received += descriptors
            if not descriptors or flags & socket.MSG_CTRUNC:
                raise OSError(errno.EMFILE, os.strerror(errno.EMFILE))
        return received
