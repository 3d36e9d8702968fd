"""Real small documents in packages of Windows' printers, of Visio and of Korean offices, as `tests/making.py` has."""

from __future__ import annotations

import re
import struct
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from tests.making import PARAGRAPHS, zipped

_XML: Final = '<?xml version="1.0" encoding="UTF-8"?>\n'
_TYPES: Final = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'
_RELATIONSHIPS: Final = "http://schemas.openxmlformats.org/package/2006/relationships"
_PAGES: Final = "http://schemas.microsoft.com/xps/2005/06"
FONT: Final = "00112233-4455-6677-8899-AABBCCDDEEFF"
_SIZE: Final = 16.0  # of letters, each of them half as wide
_PIECES: Final = {"line": ".+", "word": r"\S+", "letter": r"\S"}


def glyphs(text: str, left: float, base: float, *, more: str = "", indices: str | None = None) -> str:
    """A run of glyphs of XPS; its letters are half as wide as high unless `indices` tells otherwise."""
    indices = ";".join("1" for _ in text) if indices is None else indices
    escaped = escape("{}" + text if text.startswith("{") else text)
    return (
        f'<Glyphs OriginX="{left}" OriginY="{base}" FontRenderingEmSize="{_SIZE}" Fill="#FF000000"'
        f' FontUri="/Resources/{FONT}.odttf" UnicodeString="{escaped}" Indices="{indices}" {more}/>'
    )


def font(widths: Sequence[int] = (100, 50)) -> bytes:
    """A font with these widths of its glyphs, in hundredths of their size, veiled by its name (ECMA-388, 9.1.7.3)."""
    tables = {
        b"head": struct.pack(">18xH34x", 100),
        b"hhea": struct.pack(">34xH", len(widths)),
        b"hmtx": b"".join(struct.pack(">Hh", width, 0) for width in widths),
    }
    head, body = b"\0\1\0\0" + struct.pack(">H6x", len(tables)), b""
    start = len(head) + 16 * len(tables)
    for name, content in tables.items():
        head += name + struct.pack(">4xLL", start + len(body), len(content))
        body += content
    plain, veil = head + body, bytes.fromhex(FONT.replace("-", ""))[::-1] * 2
    return bytes(byte ^ veiled for byte, veiled in zip(plain, veil, strict=False)) + plain[len(veil) :]


def xps(
    pages: Sequence[Sequence[str]] = (PARAGRAPHS,),
    *,
    by: str = "line",
    more: str = "",
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """Pages to which Windows prints: the lines of each, by line, word or letter, and further elements of all pages."""

    def page(lines: Sequence[str]) -> str:
        runs = (
            glyphs(piece[0], 50 + piece.start() * _SIZE / 2, 100 + 20 * number)
            for number, line in enumerate(lines)
            for piece in re.finditer(_PIECES[by], line)
        )
        return f'{_XML}<FixedPage xmlns="{_PAGES}" Width="816" Height="1056">{"".join(runs)}{more}</FixedPage>'

    listed = "".join(f'<PageContent Source="Pages/{number}.fpage"/>' for number in range(1, len(pages) + 1))
    return zipped(
        {
            "[Content_Types].xml": _TYPES,
            "_rels/.rels": f'<Relationships xmlns="{_RELATIONSHIPS}"><Relationship Id="R1" Type='
            f'"{_PAGES}/fixedrepresentation" Target="/FixedDocumentSequence.fdseq"/></Relationships>',
            "FixedDocumentSequence.fdseq": f'<FixedDocumentSequence xmlns="{_PAGES}"><DocumentReference '
            'Source="/Documents/1/FixedDocument.fdoc"/></FixedDocumentSequence>',
            "Documents/1/FixedDocument.fdoc": f'<FixedDocument xmlns="{_PAGES}">{listed}</FixedDocument>',
            **{f"Documents/1/Pages/{number}.fpage": page(lines) for number, lines in enumerate(pages, 1)},
            f"Resources/{FONT}.odttf": font(),
            **(parts or {}),
        }
    )
