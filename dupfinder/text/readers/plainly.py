"""Plain readers for files that other readers failed on: all visible text, part by part, without structure.

Parts of a package are found by their local headers, so that a package without directory, with an extra folder or with a
damaged part still yields the text of the others. If something is cut off or damaged, the text is partial.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    FREE_BYTES,
    MAX_PACKAGE_BYTES,
    MAX_PART_BYTES,
    MAX_RATIO,
    Extracted,
    MediaType,
    TextBuffer,
    Unreadable,
    all_unknown,
)
from dupfinder.text.lines import with_replaced
from dupfinder.text.normalise import unescape
from dupfinder.text.readers.books import KindleBook
from dupfinder.text.readers.html import decode_page
from dupfinder.text.readers.plain import decode

READER = "plainly"

_HEADER = b"PK\x03\x04"
_HEADER_BYTES = 30
_LOCKED, _SIZES_BEHIND = 0x1, 0x8
_STORED, _DEFLATED = 0, 8
_PARTS = {
    MediaType.DOCX: re.compile(r"(?:^|/)word/(?:document|footnotes|endnotes)\d{0,3}\.xml$", re.I),
    MediaType.PPTX: re.compile(r"(?:^|/)ppt/slides/slide\d{1,6}\.xml$", re.I),
    MediaType.XLSX: re.compile(r"(?:^|/)xl/(?:sharedStrings|worksheets/sheet\d{1,6})\.xml$", re.I),
    **dict.fromkeys((MediaType.ODT, MediaType.ODS, MediaType.ODP), re.compile(r"(?:^|/)content\.xml$", re.I)),
    MediaType.OFD: re.compile(r"(?:^|/)(?:Pages|Tpls|Temps)/[^/]{1,99}/Content\.xml$", re.I),
    MediaType.VSDX: re.compile(r"(?:^|/)visio/pages/page\d{1,6}\.xml$", re.I),
    MediaType.HWPX: re.compile(r"(?:^|/)Contents/section\d{1,6}\.xml$", re.I),
    MediaType.XPS: re.compile(r"\.fpage(?:/\[\d{1,9}\](?:\.last)?\.piece)?$", re.I),
    MediaType.EPUB: re.compile(r"\.x?html?$", re.I),
}
_BOOK_CONTENTS = re.compile(r"(?:^|/)(?:nav|toc)[^/]{0,40}$", re.I)
_OFFICE = frozenset({MediaType.HWPX, MediaType.DOCX, MediaType.PPTX, MediaType.XLSX, MediaType.OFD})
_DELETED = re.compile(r"<(w:del|w:moveFrom|mc:Fallback)(?=[\s>])[^<>]{0,2000}(?<!/)>")
_OFFICE_PIECE = re.compile(
    r"<(?:\w{1,20}:)?(?:t|TextCode)(?:\s[^<>]*)?(?<!/)>([^<]*)<"
    r"|<(/(?:\w{1,20}:)?(?:p|si|is|TextObject)|\w{1,20}:(?:br|cr|tab)\s?/)>"
)
# Of XPS: where the line of a run of glyphs is, and its text.
_GLYPHS = re.compile(r'\b(?:OriginY="([^"]*)"|UnicodeString="(?:\{\})?([^"]*)")')
_UNSEEN = re.compile(
    r"<(script|style|template|noscript|title|text:tracked-changes)(?=[\s>])[^<>]{0,2000}(?<!/)>|<!--", re.I
)
_TO_THE_END = ("script", "style")
_BLOCK_END = re.compile(
    r"</?(?:p|div|li|tr|td|th|h[1-6]|dd|dt|pre|blockquote|section|article|table|text:p|text:h|text:line-break)\b[^<>]*>"
    r"|<(?:br|hr)\b[^<>]*>",
    re.I,
)
_SPACE = re.compile(r"<text:(?:s|tab)\b[^<>]*>")
_TAG = re.compile(r"<[A-Za-z/!?][^<>]*>")
_BLANK_LINES = re.compile(r"\n\s*\n")
_DIGITS = re.compile(r"(\d+)")
_PACKED_LINE = re.compile(r"^[A-Za-z0-9+/=]{60,}\s*$", re.M)
# Runs of characters in files of Word and Outlook: of one byte each, or of two bytes of which one is 0.
_RUNS = re.compile(rb"(?:[\x20-\x7e\xa0-\xff\r\n\t]\x00){24,}|[\x20-\x7e\x91-\x97\xc0-\xff\r\n\t]{24,}")
_PROPERTY = (b"\x1e\0\0\0", b"\x1f\0\0\0")  # before the length of a property's text, such as the program's name
_SENTENCE = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+ [^\W\d_]")


@dataclass(frozen=True, slots=True)
class _Part:
    """One part of a package. is_complete: all of its bytes were unpacked."""

    name: str
    content: bytes
    is_complete: bool


def read_package_plainly(data: bytes, kind: MediaType) -> Extracted:
    """Return the text of all parts of a package of this kind, each part read by itself."""
    parts = sorted(_parts(data, _PARTS[kind]), key=lambda part: _natural(part.name))
    parts = [part for part in parts if kind is not MediaType.EPUB or not _BOOK_CONTENTS.search(part.name)] or parts
    if not parts:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_TEXT_PART)
    collected = TextBuffer()
    for part in parts:
        collected.add(_words_of(part.content, kind) + "\n")
    return _plain(collected.text().strip(), kind, partial=collected.full or not all(part.is_complete for part in parts))


def read_page_plainly(data: bytes) -> Extracted:
    """Return the characters of a web page outside its tags."""
    page = decode_page(data)
    return _plain(_between_tags(page.text), MediaType.HTML, partial=page.is_cut)


def read_text_plainly(data: bytes, kind: MediaType) -> Extracted:
    """Return the characters of a text file, with its marks."""
    decoded = decode(data)
    return _plain(decoded.text, kind, partial=decoded.is_cut)


def read_kindle_plainly(data: bytes) -> Extracted:
    """Return the characters of a book of the Kindle outside its tags."""
    book = KindleBook(data)
    return _plain(_between_tags(book.page()), MediaType.MOBI, partial=book.damaged)


def read_mail_plainly(data: bytes, kind: MediaType) -> Extracted:
    """Return the readable lines of a mail after its header."""
    text = decode(data).text
    body = _PACKED_LINE.sub("", text.partition("\n\n")[2] or text)
    return _plain(_between_tags(body) if "</" in body else body.strip(), kind, partial=True)


def read_compound_plainly(data: bytes, kind: MediaType) -> Extracted:
    """Return the runs of characters in a compound file that look like sentences."""
    collected = TextBuffer()
    for run in _RUNS.finditer(data):
        wide = b"\0" in run.group()
        text = run.group().decode("utf-16-le" if wide else "cp1252", "replace").replace("\r", "\n")
        if _SENTENCE.search(text) and data[max(0, run.start() - 8) : max(0, run.start() - 4)] not in _PROPERTY:
            collected.add(text.strip() + "\n")
    return _plain(collected.text().strip(), kind, partial=True)


def _plain(text: str, kind: MediaType, *, partial: bool = False) -> Extracted:
    """Return the document with this text."""
    return Extracted(text, kind, READER, notes=details(Clause.READ_PLAINLY), partial=partial, other=all_unknown(kind))


def _natural(name: str) -> list[str | int]:
    """Return a sort key that puts "slide2" before "slide10", and the main part before its notes."""
    pieces = _DIGITS.split(name.lower().replace("document", "0"))
    return [int(piece[:9]) if index % 2 else piece for index, piece in enumerate(pieces)]


def _words_of(content: bytes, kind: MediaType) -> str:
    """Return the words of one part."""
    if kind is MediaType.XPS:
        return _words_of_glyphs(decode(content).text)
    if kind not in _OFFICE:
        return _between_tags(decode_page(content).text)
    source = _without(_DELETED, decode(content).text)
    pieces = (
        unescape(piece.group(1)) if piece.group(1) is not None else "\t" if "tab" in piece.group(2) else "\n"
        for piece in _OFFICE_PIECE.finditer(source)
    )
    return "".join(pieces).strip()


def _words_of_glyphs(source: str) -> str:
    """Return the words of a page of XPS. Runs at one height are a line; they have spaces, or each is a word."""
    runs, height = [""], ""
    for run in _GLYPHS.finditer(source):
        if run[2] is not None:
            runs[-1] += unescape(run[2])
        elif run[1] != height:
            height = run[1]
            runs.append("")
    return "\n".join(runs).strip()


def _between_tags(source: str) -> str:
    """Return the characters outside tags; blocks end lines."""
    text = _TAG.sub("", _SPACE.sub(" ", _BLOCK_END.sub("\n", _without(_UNSEEN, source))))
    return _BLANK_LINES.sub("\n", unescape(text)).strip()


def _without(starts: re.Pattern[str], source: str) -> str:
    """Return a source without the elements that begin so. An unclosed element stays, and is searched once.

    An unclosed script or style sheet reaches to the end of a page that is cut off within it.
    """
    cuts: list[tuple[int, int, str]] = []
    end = 0
    unclosed: set[str | None] = set()
    for start in starts.finditer(source):
        name = start.group(1)
        if start.start() < end or name in unclosed:
            continue
        closing = re.compile(f"</{name}\\s{{0,9}}>" if name else "-->", re.I).search(source, start.end())
        if closing is None and (name or "").lower() not in _TO_THE_END:
            unclosed.add(name)
            continue
        end = len(source) if closing is None else closing.end()
        cuts.append((start.start(), end, ""))
    return with_replaced(source, cuts)


def _parts(data: bytes, names: re.Pattern[str]) -> Iterator[_Part]:
    """Yield the parts of a package whose names match, found by their local headers. Raises Unreadable."""
    room = MAX_PACKAGE_BYTES
    position = data.find(_HEADER)
    while position >= 0 and position + _HEADER_BYTES <= len(data):
        flags, method, packed, name_length, extra_length = struct.unpack_from("<2xHH8xL4xHH", data, position + 4)
        start = position + _HEADER_BYTES + name_length + extra_length
        name = data[position + _HEADER_BYTES : start - extra_length].decode("utf-8", "replace").replace("\\", "/")
        end = start + packed if not flags & _SIZES_BEHIND else start
        if names.search(name):
            if flags & _LOCKED:
                raise Unreadable(ProblemKind.ENCRYPTED)
            part, end = _part(data, name, method, start, end, room)
            room -= len(part.content)
            yield part
        position = data.find(_HEADER, max(end, position + 4))


def _part(data: bytes, name: str, method: int, start: int, end: int, room: int) -> tuple[_Part, int]:
    """Return (part, where its bytes end). end: equal to `start` if the header does not declare it."""
    if method == _STORED:
        stored = data[start : min(end, start + MAX_PART_BYTES)]
        return _Part(name, stored, is_complete=len(stored) == end - start > 0), end
    if method != _DEFLATED:
        return _Part(name, b"", is_complete=False), end
    packed = memoryview(data)[start : end if end > start else None]
    limit = min(MAX_PART_BYTES, room, max(FREE_BYTES, len(packed) * MAX_RATIO))
    unpacker = zlib.decompressobj(-15)
    content = bytearray()
    try:
        for position in range(0, len(packed), 1 << 16):
            piece = packed[position : position + (1 << 16)]
            content += unpacker.decompress(piece, limit - len(content) + 1)
            if len(content) > limit:
                part, megabytes = name[:80], limit >> 20
                raise Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part=part, megabytes=megabytes)
            if unpacker.eof:
                end = start + position + len(piece) - len(unpacker.unused_data)
                return _Part(name, bytes(content), is_complete=True), end
    except zlib.error:
        pass  # the content before the damage is returned
    return _Part(name, bytes(content), is_complete=False), max(end, start)
