"""Comparing what two made documents hold beside their words, and changing the parts of packages."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

from dupfinder.text.document import MAY_HOLD, NOT_KNOWN, Extracted, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from tests.making import zipped

RELATIONSHIPS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def read(data: bytes, name: str) -> Extracted:
    """A document that is read without trouble."""
    extraction = extract(data, Path(name))
    assert extraction.extracted is not None, extraction.problem
    kind = extraction.extracted.media_type
    assert kind in MAY_HOLD, f"{kind} has no row in MAY_HOLD of text/document.py"
    assert extraction.extracted.other.keys() <= MAY_HOLD[kind]
    return extraction.extracted


def held(data: bytes, name: str) -> dict[str, str]:
    """What a document holds beside its words, letters and signs, by kind: "known" or "not known"."""
    of_all = (OtherContent.SIGNS, OtherContent.LETTERING, OtherContent.HEAD_WORDS)
    other = {kind: said for kind, said in read(data, name).other.items() if kind not in of_all}
    return {kind.value: "not known" if said == NOT_KNOWN else "known" for kind, said in other.items()}


def unlike(first: bytes, second: bytes, name: str) -> set[OtherContent]:
    """The kinds in which two documents differ, or whose content is not known. Their words are the same."""
    left, right = read(first, name), read(second, name)
    assert normalise(left.text).split() == normalise(right.text).split()
    return {
        kind
        for kind in OtherContent
        if kind is not OtherContent.HEAD_WORDS  # of two formats
        and (
            left.other.get(kind) != right.other.get(kind) or NOT_KNOWN in (left.other.get(kind), right.other.get(kind))
        )
    }


def repacked(data: bytes, added: Mapping[str, str | bytes], *, stored_first: bool = False) -> bytes:
    """A package with some parts added or replaced."""
    with ZipFile(BytesIO(data)) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    return zipped({**parts, **added}, stored_first=stored_first)


def relations(*relationships: tuple[str, str, str]) -> str:
    """A part of relationships: (id, kind, target); a target with "://" in it is outside the package."""
    rows = "".join(
        f'<Relationship Id="{key}" Type="{RELATIONSHIPS}/{kind}" Target="{target}"'
        f"{' TargetMode=' + chr(34) + 'External' + chr(34) if '://' in target else ''}/>"
        for key, kind, target in relationships
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def png(shade: int) -> bytes:
    """A picture of one grey dot."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    pixels = zlib.compress(bytes((0, shade)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")
