"""ZIP packages read part by part, within bounds, never unpacked to disk."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import FREE_BYTES, MAX_PACKAGE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable

CHUNK = 1 << 20


class Package:
    """The parts of one package. Raises Unreadable for parts that are missing, damaged, locked or too large."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._spent = 0
        self.names = tuple(archive.namelist())

    def has(self, name: str) -> bool:
        """Whether there is a part of this name."""
        return name in self._archive.NameToInfo

    def read(self, name: str) -> bytes:
        """The bytes of a part, at most MAX_PART_BYTES, all parts together at most MAX_PACKAGE_BYTES."""
        info = self._archive.NameToInfo.get(name)
        if info is None:
            raise Unreadable(ProblemKind.DAMAGED, f"the part {name} is missing")
        if info.flag_bits & 1:
            raise Unreadable(ProblemKind.ENCRYPTED, "needs a password")
        room = self._room(info)
        try:
            return self._inflate(info, room)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            raise Unreadable(ProblemKind.DAMAGED, f"the part {name} is damaged") from error

    def _room(self, info: ZipInfo) -> int:
        """Bytes that a part may inflate to. Its directory entry is looked at first, and not believed after."""
        packed_room = max(FREE_BYTES, info.compress_size * MAX_RATIO)
        room = min(MAX_PART_BYTES, MAX_PACKAGE_BYTES - self._spent, packed_room)
        if info.file_size > room:
            raise too_large(info)
        return room

    def _inflate(self, info: ZipInfo, room: int) -> bytes:
        pieces = bytearray()
        with self._archive.open(info) as part:
            while chunk := part.read(CHUNK):
                pieces += chunk
                if len(pieces) > room:
                    raise too_large(info)
        self._spent += len(pieces)
        return bytes(pieces)


def too_large(info: ZipInfo) -> Unreadable:
    """The refusal of a part that inflates out of proportion."""
    return Unreadable(
        ProblemKind.TOO_LARGE, f"the part {info.filename[:80]} inflates to {info.file_size >> 20} MB or more"
    )


@contextmanager
def opened(data: bytes) -> Iterator[Package]:
    """The package in `data`."""
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable(ProblemKind.DAMAGED, "the package has no directory: it may be cut off") from error
    with archive:
        yield Package(archive)


def parse_xml(content: bytes) -> Any:
    """The root element of a small part. A document type is refused: no honest package has one, bombs do."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(ProblemKind.DAMAGED, "a part is no well-formed XML") from error


def refuse_doctype(content: bytes) -> None:
    """Raise Unreadable when XML declares a document type or entities, in one- or two-byte characters."""
    head = content[:65536].replace(b"\0", b"") if b"\0" in content[:64] else content
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise Unreadable(ProblemKind.DAMAGED, "a part declares a document type")
