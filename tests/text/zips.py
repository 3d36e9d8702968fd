"""Hand-made ZIP archives: each byte of them can be told, as no honest program would."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field


def deflated(data: bytes) -> bytes:
    """Data as method 8 packs it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


@dataclass
class Part:
    """One member. What is None is told truthfully; `at` lays the member over bytes that are there already."""

    name: bytes
    data: bytes = b"words in a file"
    method: int = 8
    flags: int = 0
    system: int = 3
    mode: int = 0o100644
    size: int | None = None
    crc: int | None = None
    packed: int | None = None
    at: int | None = None
    extra: bytes = b""
    date: int = (44 << 9) | (3 << 5) | 5  # 5 March 2024
    time: int = 10 << 11


@dataclass
class Zip:
    """An archive of parts. before: bytes in front of it; comment: behind it."""

    parts: list[Part] = field(default_factory=list)
    before: bytes = b""
    comment: bytes = b""
    disk: int = 0
    count: int | None = None

    def data(self) -> bytes:
        """Its bytes."""
        body, directory = bytearray(), bytearray()
        for part in self.parts:
            packed = deflated(part.data) if part.method == 8 else part.data
            crc = zlib.crc32(part.data) if part.crc is None else part.crc
            size = len(part.data) if part.size is None else part.size
            at = len(body) if part.at is None else part.at
            stated = len(packed) if part.packed is None else part.packed
            sizes = struct.pack("<LLL", crc, stated, size)
            common = struct.pack("<HHHH", part.flags, part.method, part.time, part.date) + sizes
            if part.at is None:
                body += b"PK\3\4" + struct.pack("<H", 20) + common + struct.pack("<HH", len(part.name), 0)
                body += part.name + packed
            lengths = struct.pack("<HHHHH", len(part.name), len(part.extra), 0, 0, 0)
            directory += b"PK\1\2" + struct.pack("<BBH", 20, part.system, 20) + common + lengths
            directory += struct.pack("<LL", part.mode << 16, at) + part.name + part.extra
        count = len(self.parts) if self.count is None else self.count
        end = struct.pack("<HHHHLLH", self.disk, 0, count & 0xFFFF, count & 0xFFFF, len(directory), len(body),
                          len(self.comment))  # fmt: skip
        return self.before + bytes(body) + bytes(directory) + b"PK\5\6" + end + self.comment
