"""Hand-made archives: of ZIP archives each byte can be told, as no honest program would; also 7z and RAR."""

from __future__ import annotations

import binascii
import io
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.document import Unreadable
from dupfinder.text.source import contents_of, pieces_of


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


_RAR = b"Rar!\x1a\x07\x01\0"


def has_libarchive() -> bool:
    """Whether 7z and RAR archives can be unpacked here."""
    try:
        contents_of(io.BytesIO(stored_rar({})))
    except Unreadable as trouble:
        return trouble.details != details(Clause.NO_LIBARCHIVE)
    return True


def seven_zip(files: Mapping[str, bytes]) -> bytes:
    """An archive as libarchive packs it."""
    import libarchive

    packed = io.BytesIO()
    with libarchive.custom_writer(packed.write, "7zip") as archive:
        for name, content in files.items():
            archive.add_file_from_memory(name, len(content), content)
    return packed.getvalue()


def stored_rar(files: Mapping[str, bytes]) -> bytes:
    """An archive of unpacked files, by RAR's technical note on version 5.0 of its format."""
    blocks = [_rar_block(1, 0, _rar_number(0))]
    for name, content in files.items():
        raw = name.encode()
        fields = (0x04, len(content), 0o100644), (0, 1, len(raw))  # 0x04: with a checksum
        head = b"".join(map(_rar_number, fields[0])) + struct.pack("<L", binascii.crc32(content))
        blocks.append(_rar_block(2, 0x02, head + b"".join(map(_rar_number, fields[1])) + raw, len(content)) + content)
    return _RAR + b"".join(blocks) + _rar_block(5, 0x04, _rar_number(0))


def encrypted_rar() -> bytes:
    """An archive whose headers are encrypted."""
    return _RAR + _rar_block(4, 0, bytes(3) + bytes(range(16)))


def _rar_block(kind: int, flags: int, fields: bytes, size: int = 0) -> bytes:
    head = _rar_number(kind) + _rar_number(flags) + (_rar_number(size) if flags & 0x02 else b"") + fields
    head = _rar_number(len(head)) + head
    return struct.pack("<L", binascii.crc32(head)) + head


def _rar_number(value: int) -> bytes:
    """A number of variable length: seven bits a byte, the lowest first."""
    groups = [value >> shift & 0x7F for shift in range(0, max(1, value.bit_length()), 7)]
    return bytes(group | 0x80 for group in groups[:-1]) + bytes(groups[-1:])


def outcomes(data: bytes) -> dict[str, bytes | tuple[ProblemKind, Details]]:
    """The members of an archive by name: their bytes, or why they are not read."""
    listed = contents_of(io.BytesIO(data))
    assert listed is not None
    results: dict[str, bytes | tuple[ProblemKind, Details]] = {}
    for member in listed.members:
        try:
            results[member.name] = b"".join(pieces_of(io.BytesIO(data), member))
        except Unreadable as trouble:
            results[member.name] = (trouble.kind, trouble.details)
    return results
