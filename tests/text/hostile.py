"""Files that were made, or happen, to stop a program that reads them. Small on disk, large in what they ask for."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from zipfile import ZipFile

from tests import making

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def _document(inner: str) -> bytes:
    return making.zipped({"word/document.xml": f'<w:document xmlns:w="{_W}"><w:body>{inner}</w:body></w:document>'})


def docx_bomb() -> bytes:
    """60 MB of spaces in a body part."""
    return _document(" " * 60_000_000)


def docx_liar() -> bytes:
    """A part that inflates to 20 MB while the directory and its own header say one kilobyte."""
    whole = bytearray(_document(" " * 20_000_000))
    for mark, place in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = whole.find(mark)
        whole[at + place : at + place + 4] = (1024).to_bytes(4, "little")
    return bytes(whole)


def docx_entities() -> bytes:
    """Entities that expand to a billion words."""
    entities = "".join(f'<!ENTITY e{level + 1} "{f"&e{level};" * 10}">' for level in range(9))
    body = '<w:document xmlns:w="urn:w"><w:body><w:p><w:r><w:t>&e9;</w:t></w:r></w:p></w:body></w:document>'
    return making.zipped({"word/document.xml": f'<!DOCTYPE d [<!ENTITY e0 "lol ">{entities}]>{body}'})


def docx_deep() -> bytes:
    """100,000 content controls, one in the other."""
    return _document(
        "<w:sdt><w:sdtContent>" * 50_000 + making.word_paragraph("deep") + "</w:sdtContent></w:sdt>" * 50_000
    )


def odt_deep() -> bytes:
    """100,000 sections, one in the other."""
    return making.opendocument(
        "text", "<text:section>" * 100_000 + "<text:p>deep</text:p>" + "</text:section>" * 100_000
    )


def html_deep() -> bytes:
    """100,000 elements, one in the other."""
    return b"<html><body>" + b"<div>" * 100_000 + b"Deep down some words" + b"</div>" * 100_000


def html_attributes() -> bytes:
    """A tag of 200,000 attributes."""
    attributes = " ".join(f"a{number}='{number}'" for number in range(200_000))
    return f"<html><body><p {attributes}>A few words</p></body></html>".encode()


def html_ends() -> bytes:
    """300,000 ends of nothing."""
    return b"<html><body><p>A few words</p>" + b"</" * 300_000


def html_unclosed() -> bytes:
    """50,000 formatting elements that are never closed, which browsers open again in every paragraph."""
    return b"<html><body>" + b"<b><i><p>word " * 50_000


def pdf_scattered() -> bytes:
    """15,000 letters, each at a place of its own."""
    places = ((number * 7919 % 590, number * 104729 % 840) for number in range(15_000))
    shows = b"".join(b"BT /F1 4 Tf %d %d Td (%c) Tj ET\n" % (x, y, 97 + (x + y) % 26) for x, y in places)
    return making.raw_pdf(shows)


def pdf_bomb() -> bytes:
    """A content stream that inflates to 2 GB, packed twice."""
    packer = zlib.compressobj(9)
    start = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    # After a full flush the packer remembers nothing: what one megabyte packs to can be repeated as it is.
    again = packer.compress(b" " * (1 << 20)) + packer.flush(zlib.Z_FULL_FLUSH)
    twice = zlib.compress(start + again * 2000, 9)
    page = making.raw_pdf(twice)
    return page.replace(b"<< /Length", b"<< /Filter [/FlateDecode /FlateDecode] /Length", 1)


def pdf_loop() -> bytes:
    """A tree of pages that contains itself."""
    return making.raw_pdf(b"BT /F1 12 Tf 50 700 Td (Some words) Tj ET").replace(b"/Kids [3 0 R]", b"/Kids [2 0 R]")


def pdf_pages() -> bytes:
    """A page count of two billion."""
    return making.raw_pdf(b"BT /F1 12 Tf 50 700 Td (Some words) Tj ET").replace(b"/Count 1", b"/Count 2000000000")


def rtf_deep() -> bytes:
    """100,000 groups, one in the other."""
    return b"{\\rtf1 " + b"{\\b " * 100_000 + b"deep" + b"}" * 100_000 + b"}"


def rtf_words() -> bytes:
    """A million control words."""
    return b"{\\rtf1 Some words " + b"\\b0\\i1" * 500_000 + b"}"


def eml_deep() -> bytes:
    """5,000 mails, one in the other."""
    return b"MIME-Version: 1.0\r\nContent-Type: message/rfc822\r\n\r\n" * 5000 + b"From: a@example.org\r\n\r\nwords"


def eml_parts() -> bytes:
    """100,000 parts."""
    head = b'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n'
    return head + b"--b\r\nContent-Type: text/plain\r\n\r\nword\r\n" * 100_000 + b"--b--\r\n"


def xlsx_wide() -> bytes:
    """Cells at the far corner of a sheet, with nothing between."""
    book = making.xlsx({"Sheet": [["first"]]})
    with ZipFile(BytesIO(book)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    far = b'<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>far</t></is></c></row></sheetData>'
    parts["xl/worksheets/sheet1.xml"] = parts["xl/worksheets/sheet1.xml"].replace(b"</sheetData>", far)
    return making.zipped(parts)


def text_line() -> bytes:
    """20 MB without a line end."""
    return b"words without an end " * 1_000_000


def text_numbers() -> bytes:
    """A million lines that all look like page numbers, words broken at each."""
    return b"".join(b"Page %d of 9 bro-\nken word\n" % (number % 977) for number in range(200_000))


def text_controls() -> bytes:
    """Characters that mark, turn and combine, and no word."""
    return ("\u202e\u0301\u200b\ufeff" * 500_000).encode()


def markdown_signs() -> bytes:
    """Signs that open comments and links, none of which ends."""
    return b"some words\n" + b"<!--" * 300_000 + b"[a](" * 300_000 + b"[" * 300_000


def pdf_dots() -> bytes:
    """A page of one line of dots that leads to no number."""
    return making.raw_pdf(b"BT /F1 1 Tf 5 700 Td (some words " + b". " * 200_000 + b"x) Tj ET")


HOSTILE: Mapping[str, Callable[[], bytes]] = {
    "bomb.docx": docx_bomb,
    "liar.docx": docx_liar,
    "entities.docx": docx_entities,
    "deep.docx": docx_deep,
    "deep.odt": odt_deep,
    "deep.html": html_deep,
    "attributes.html": html_attributes,
    "ends.html": html_ends,
    "unclosed.html": html_unclosed,
    "scattered.pdf": pdf_scattered,
    "bomb.pdf": pdf_bomb,
    "loop.pdf": pdf_loop,
    "pages.pdf": pdf_pages,
    "deep.rtf": rtf_deep,
    "words.rtf": rtf_words,
    "deep.eml": eml_deep,
    "parts.eml": eml_parts,
    "wide.xlsx": xlsx_wide,
    "signs.md": markdown_signs,
    "dots.pdf": pdf_dots,
    "line.txt": text_line,
    "numbers.txt": text_numbers,
    "controls.txt": text_controls,
}
