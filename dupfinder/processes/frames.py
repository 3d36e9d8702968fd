"""Messages through a pipe. The receiver never waits for the rest of one: half a message holds nobody up."""

from __future__ import annotations

import os
import struct
import sys
from multiprocessing.connection import Connection
from typing import Final

_LENGTH: Final = struct.Struct("<Q")
_PIECE: Final = 1 << 20


def send(pipe: Connection, message: bytes) -> None:
    """Send a message; waits until there is room for it. Raises OSError when nobody listens."""
    if sys.platform == "win32":
        pipe.send_bytes(message)
        return
    for piece in (_LENGTH.pack(len(message)), message):
        rest = memoryview(piece)
        while rest:
            rest = rest[os.write(pipe.fileno(), rest) :]


class Inbox:
    """The receiving end of a pipe. most: bytes of the largest message that is taken."""

    def __init__(self, pipe: Connection, most: int) -> None:
        self._pipe = pipe
        self._most = most
        self._held = bytearray()
        self.closed = False
        if sys.platform != "win32":
            os.set_blocking(pipe.fileno(), False)

    def messages(self) -> list[bytes]:
        """The messages that are whole by now. `closed` says that no further will come.

        Raises ValueError for a message that is too large.
        """
        if sys.platform == "win32":
            return self._whole_messages()
        try:
            while piece := os.read(self._pipe.fileno(), _PIECE):
                self._held += piece
                if len(self._held) >= _PIECE:
                    break
            else:
                self.closed = True
        except BlockingIOError:
            pass
        except OSError:
            self.closed = True
        return self._cut()

    def _cut(self) -> list[bytes]:
        found: list[bytes] = []
        at = 0
        while len(self._held) - at >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._held, at)
            if length > self._most:
                raise ValueError(f"a message of {length} bytes, over the limit of {self._most}")
            stop = at + _LENGTH.size + length
            if len(self._held) < stop:
                break
            found.append(bytes(self._held[at + _LENGTH.size : stop]))
            at = stop
        del self._held[:at]
        return found

    def _whole_messages(self) -> list[bytes]:
        """On Windows a pipe carries messages and not bytes: those that are there come whole."""
        found: list[bytes] = []
        try:
            while self._pipe.poll():
                found.append(self._pipe.recv_bytes(self._most))
        except (EOFError, OSError):
            self.closed = True
        return found
