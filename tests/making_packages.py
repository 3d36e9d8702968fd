"""Real small documents of Windows' printers (XPS), of Visio and of Korean offices, as `tests/making.py` has."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from tests.making import PARAGRAPHS, zipped
from tests.making_compound import compound

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
        head = f'<FixedPage xmlns="{_PAGES}" Width="816" Height="1056" xml:lang="und">'
        return f"{_XML}{head}{''.join(runs)}{more}</FixedPage>"

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


_HANCOM: Final = "http://www.hancom.co.kr/hwpml/2011"


def hwpx_paragraph(text: str, style: str = "") -> str:
    """A paragraph of HWPX. style: attributes."""
    return f'<hp:p id="0" {style}><hp:run charPrIDRef="0"><hp:t>{escape(text)}</hp:t></hp:run></hp:p>'


def hwpx(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    body: str = "",
    styles: str = "",
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A document of Hangul (KS X 6101): paragraphs, then further elements of its section; further parts."""
    section = "".join(map(hwpx_paragraph, paragraphs)) + body
    spaces = f'xmlns:hp="{_HANCOM}/paragraph" xmlns:hs="{_HANCOM}/section" xmlns:hc="{_HANCOM}/core"'
    contents = (
        '<opf:package xmlns:opf="http://www.idpf.org/2007/opf/"><opf:metadata><opf:title>A report</opf:title>'
        '<opf:language>ko</opf:language><opf:meta name="creator" content="text">A. Writer</opf:meta>'
        '<opf:meta name="CreatedDate" content="text">2024-03-01T09:30:00Z</opf:meta></opf:metadata><opf:manifest>'
        '<opf:item id="image1" href="BinData/image1.png"/><opf:item id="ole1" href="BinData/ole1.ole"/>'
        "</opf:manifest></opf:package>"
    )
    files = dict.fromkeys(("BinData/image1.png", "BinData/ole1.ole", "Chart/chart1.xml"), b"content")
    return zipped(
        {
            "mimetype": "application/hwp+zip",
            "Contents/header.xml": f'{_XML}<hh:head xmlns:hh="{_HANCOM}/head">{styles}</hh:head>',
            "Contents/section0.xml": f"{_XML}<hs:sec {spaces}>{section}</hs:sec>",
            "Contents/content.hpf": _XML + contents,
            **files,
            **(parts or {}),
        },
        stored_first=True,
    )


def hwp_record(kind: int, level: int, content: bytes) -> bytes:
    """A record of HWP 5."""
    is_long = len(content) >= 0xFFF
    head = struct.pack("<I", kind | level << 10 | (0xFFF if is_long else len(content)) << 20)
    return head + (struct.pack("<I", len(content)) if is_long else b"") + content


def hwp_paragraph(text: str, level: int = 0, *controls: bytes, style: int = 0) -> bytes:
    """A paragraph of HWP 5: its head, its characters, and the controls in it."""
    head = struct.pack("<IIHBBHHHI", len(text) + 1, 0, style, 0, 0, 1, 0, 1, 0)
    characters = (text + "\r").encode("utf-16-le")
    return hwp_record(0x42, level, head) + hwp_record(0x43, level + 1, characters) + b"".join(controls)


def hwp_control(name: str, level: int, *paragraphs: bytes, more: bytes = b"") -> bytes:
    """A control of HWP 5 with the lists of paragraphs in it, each with its head."""
    return hwp_record(0x47, level, name.encode()[::-1] + more) + b"".join(paragraphs)


def hwp_list(level: int, row: int = 0) -> bytes:
    """The head of a list of paragraphs, which is a cell in this row if it is in a table."""
    return hwp_record(0x48, level, struct.pack("<HIHHH", 1, 0, 0, 0, row) + bytes(20))


def hwp(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    body: bytes = b"",
    flags: int = 1,
    styles: Sequence[int] = (0,),
    struck: bool = False,
    streams: Mapping[str, bytes] | None = None,
) -> bytes:
    """A document of Hangul before that (HWP 5): paragraphs, then further records of its section; further streams.

    flags: 1 for packed. styles: the kinds of numbers of the styles of paragraphs. struck: the style of characters.
    """

    def stored(content: bytes) -> bytes:
        packer = zlib.compressobj(wbits=-15)
        return packer.compress(content) + packer.flush() if flags & 1 else content

    section = b"".join(map(hwp_paragraph, paragraphs)) + body
    information = hwp_record(0x15, 1, bytes(46) + struct.pack("<I", struck << 18) + bytes(20))
    information += b"".join(hwp_record(0x19, 1, struct.pack("<I", style << 23) + bytes(50)) for style in styles)
    return compound(
        {
            "FileHeader": b"HWP Document File".ljust(32, b"\0") + struct.pack("<II", 0x05010001, flags),
            "DocInfo": stored(information),
            "BodyText/Section0": stored(section),
            "\x05HwpSummaryInformation": bytes(48),
            "PrvText": "\r\n".join(paragraphs).encode("utf-16-le"),
            **{name: stored(content) for name, content in (streams or {}).items()},
        }
    )


def vsdx(
    pages: Sequence[Sequence[str]] = (PARAGRAPHS[:2], PARAGRAPHS[2:]),
    *,
    more: str = "",
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A drawing of Visio: the texts of the shapes on its pages, and further elements of all pages; further parts."""
    space = "http://schemas.microsoft.com/office/visio/2012/main"
    linked = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    def page(texts: Sequence[str]) -> str:
        shapes = "".join(
            f"<Shape ID='{number}'><Cell N='PinX' V='1'/><Text><cp IX='0'/>{escape(text)}\n</Text></Shape>"
            for number, text in enumerate(texts)
        )
        return f"{_XML}<PageContents xmlns='{space}'><Shapes>{shapes}{more}</Shapes></PageContents>"

    def rows(*kinds_and_targets: tuple[str, str]) -> str:
        listed = "".join(
            f'<Relationship Id="rId{number}" Type="http://schemas.microsoft.com/visio/2010/relationships/{kind}"'
            f' Target="{target}"/>'
            for number, (kind, target) in enumerate(kinds_and_targets)
        )
        return f'{_XML}<Relationships xmlns="{_RELATIONSHIPS}">{listed}</Relationships>'

    listed = "".join(f"<Page ID='{number}'><Rel r:id='rId{number}'/></Page>" for number in range(len(pages)))
    return zipped(
        {
            "[Content_Types].xml": _TYPES,
            "visio/document.xml": f"{_XML}<VisioDocument xmlns='{space}'/>",
            "visio/_rels/document.xml.rels": rows(("pages", "pages/pages.xml"), ("comments", "comments.xml")),
            "visio/pages/pages.xml": f"{_XML}<Pages xmlns='{space}' xmlns:r='{linked}'>{listed}</Pages>",
            "visio/pages/_rels/pages.xml.rels": rows(*(("page", f"page{n}.xml") for n in range(len(pages)))),
            **{f"visio/pages/page{number}.xml": page(texts) for number, texts in enumerate(pages)},
            **(parts or {}),
        }
    )
