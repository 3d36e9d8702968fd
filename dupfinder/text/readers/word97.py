"""Read Word 97-2003 documents (DOC) by the piece table of the compound file ([MS-DOC] 2.4.1)."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    MAX_CHARACTERS,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    Unreadable,
    all_unknown,
)
from dupfinder.text.readers.compound import compound_facts, opened_compound, refuse_wordless, stream_of
from dupfinder.text.readers.office import add_link, shown_field, without_page_numbers

_READER = "piece-table"
_WORD97, _WORD95 = 0xA5EC, 0xA5DC
_ENCRYPTED, _TABLE_ONE = 0x0100, 0x0200
_COUNTS = 0x4C  # of characters: body, footnotes, headers, (macros), comments, endnotes, text boxes, header text boxes
_CLX = 0x01A2  # offset and length of the piece table: fcClx, lcbClx
_RUNS = 0x00FA  # offset and length of the table of pages with character properties: fcPlcfBteChpx, lcbPlcfBteChpx
_HEADERS = 0x00F2  # offset and length of the bounds of headers and footers: fcPlcfHdd, lcbPlcfHdd
MOST_HEADERS = 10_000
_FIRST_HEADER, _HEADERS_OF_A_SECTION = 6, 6  # the first six are separators of notes
_FOOTERS = frozenset({2, 3, 5})  # types of footers, from 0: even header ([MS-DOC] 2.3.5)
_CODE = re.compile("\x13([^\x13\x14\x15]*)")
_PICTURES = re.compile("[\x01\x08]")  # inline and floating
_MARKED_INSERTION = b"\x01\x08\x01"  # sprmCFRMarkIns with the value 1
_PAGE = 512
_SPRM_DELETED = 0x0800  # sprmCFRMarkDel: a tracked deletion
_OPERAND_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # by the top three bits of a property's number
_FIELD = re.compile("\x13([^\x13\x14\x15]*)(?:\x14([^\x13\x14\x15]*))?\x15")  # code, and the result if there is one
_MARKS = {
    **dict.fromkeys((*range(0x07), 0x08, 0x14, 0x15, 0x1F, 0xAD)),  # not shown
    **{0x07: "\t", **dict.fromkeys((0x0B, 0x0C, 0x0D, 0x0E), "\n"), 0x1E: "-"},
}


def read_doc(data: bytes) -> Extracted:
    """Return body, foot- and endnotes and text boxes; headers and comments are streams."""
    with opened_compound(data) as store:
        if not store.exists("WordDocument"):
            if store.exists("EncryptedPackage"):
                raise Unreadable(ProblemKind.ENCRYPTED)
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_WORD_DOCUMENT)
        main = stream_of(store, "WordDocument")
        try:
            return replace(_extracted(store, main), **compound_facts(store))
        except struct.error as error:
            raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES) from error


def _extracted(store: Any, main: bytes) -> Extracted:
    """Return the text of a document without its properties. Raises Unreadable, struct.error."""
    if len(main) < 0x60:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
    mark, flags = struct.unpack_from("<H8xH", main)
    if flags & _ENCRYPTED:
        raise Unreadable(ProblemKind.ENCRYPTED)
    if mark == _WORD95:
        start, end = struct.unpack_from("<II", main, 0x18)
        text = _readable(main[start:end].decode("cp1252", "replace"))
        return Extracted(text, MediaType.DOC, _READER, other=all_unknown(MediaType.DOC))
    if mark != _WORD97 or len(main) < _CLX + 8:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_WORD_DOCUMENT)
    table = "1Table" if flags & _TABLE_ONE else "0Table"
    if not store.exists(table):
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
    tables = stream_of(store, table)
    deleted = sorted(_deleted(main, tables))
    text_bytes = b"".join(_pieces(_blanked(main, deleted), tables))
    stories = _split(text_bytes[: 2 * MAX_CHARACTERS], struct.unpack_from("<8i", main, _COUNTS))
    text, streams = _texts_of(stories, _header_bounds(main, tables))
    refuse_wordless(text)
    other = _other_content(store, stories, streams)
    if deleted or _MARKED_INSERTION in main:
        other.unknown(OtherContent.TRACKED_CHANGES)
    notes = details(Clause.DELETIONS_LEFT_OUT) if deleted else ()
    is_cut, hashes = len(text_bytes) > 2 * MAX_CHARACTERS, other.hashes(MediaType.DOC)
    return Extracted(text, MediaType.DOC, _READER, streams=streams, notes=notes, partial=is_cut, other=hashes)


def _other_content(store: Any, stories: dict[str, bytes], streams: Mapping[str, str]) -> OtherHashes:
    """Return the other content, as far as the text shows it.

    Of pictures, objects, form fields and comments the text shows only that there are some, so these kinds become
    unknown.
    """
    other = OtherHashes()
    text = "".join(story.decode("utf-16-le", "replace") for name, story in stories.items() if name != "macros")
    for code in _CODE.findall(text):
        add_link(code, other)
        if code.split()[:1] == ["EQ"]:
            other.add(OtherContent.FORMULAS, code)
        elif code.strip().startswith("FORM"):
            other.unknown(OtherContent.FORM_FIELDS)
    if _PICTURES.search(_CODE.sub("", text)):
        other.unknown(OtherContent.PICTURES)
    if store.exists("ObjectPool"):
        other.unknown(OtherContent.ATTACHMENTS, OtherContent.FORMULAS)
    if store.exists("Macros"):
        other.unknown(OtherContent.ATTACHMENTS)
    if streams.get("comments"):
        other.unknown(OtherContent.COMMENTS)
    # In this format a row ends with the same character as a cell, so that only documents of this format are comparable.
    cells = "".join("x" if cell.strip() else "_" for cell in text.split("\x07"))
    other.add_text(OtherContent.HEADERS, cells[1:])
    heads = "\n".join(streams.get(name, "") for name in ("headers", "footers"))
    other.add_text(OtherContent.HEADERS, without_page_numbers(heads, stories["headers"].replace(b"\0", b"")))
    return other


def _deleted(main: bytes, tables: bytes) -> Iterator[tuple[int, int]]:
    """Yield (start, end), in bytes of the main stream, of each run of characters marked as deleted."""
    start, length = struct.unpack_from("<II", main, _RUNS)
    plc = tables[start : start + length]
    count = max(0, (len(plc) - 4) // 8)
    numbers = struct.unpack_from(f"<{count}I", plc, 4 * (count + 1)) if count else ()
    for number in dict.fromkeys(number & 0x3FFFFF for number in numbers):
        page = main[number * _PAGE : (number + 1) * _PAGE]
        runs = page[-1] if len(page) == _PAGE else 0
        if 4 * (runs + 1) + runs >= _PAGE:
            continue
        bounds = struct.unpack_from(f"<{runs + 1}I", page)
        for index in range(runs):
            position = 2 * page[4 * (runs + 1) + index]
            if position and _is_deletion(page[position + 1 : position + 1 + page[position]]):
                yield bounds[index], bounds[index + 1]


def _is_deletion(properties: bytes) -> bool:
    """Tell whether a run's properties mark it as deleted."""
    position = 0
    while position + 3 <= len(properties):
        number = int.from_bytes(properties[position : position + 2], "little")
        if number == _SPRM_DELETED:
            return properties[position + 2] == 1
        size = _OPERAND_SIZES.get(number >> 13)
        position += 2 + (size if size is not None else 1 + properties[position + 2])
    return False


def _blanked(main: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """Return the stream with deleted ranges replaced by NULs, so that counts of characters remain valid."""
    if not ranges:
        return main
    blank = bytearray(main)
    done = 0
    for start, end in ranges:  # sorted; ranges of damaged files may overlap
        start, end = max(start, done), min(end, len(blank))
        if start < end:
            blank[start:end] = bytes(end - start)
            done = end
    return bytes(blank)


def _pieces(main: bytes, table: bytes) -> Iterator[bytes]:
    """Yield the pieces of text in document order as UTF-16. Stored as UTF-16 or cp1252."""
    start, length = struct.unpack_from("<II", main, _CLX)
    clx = table[start : start + length]
    position = 0
    while position < len(clx) and clx[position] == 1:  # property blocks come before the table
        position += 3 + struct.unpack_from("<H", clx, position + 1)[0]
    if position + 5 > len(clx) or clx[position] != 2:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
    size = struct.unpack_from("<I", clx, position + 1)[0]
    plc = clx[position + 5 : position + 5 + size]
    count = (len(plc) - 4) // 12
    if count < 1:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
    bounds = struct.unpack_from(f"<{count + 1}I", plc)
    room = 4 * len(main)  # characters; pieces overlap only in files that are made to unpack out of proportion
    for index in range(count):
        characters = min(max(0, bounds[index + 1] - bounds[index]), len(main))
        room -= characters
        if room < 0:
            raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
        location = struct.unpack_from("<I", plc, 4 * (count + 1) + 8 * index + 2)[0]
        if location & 0x40000000:
            first = (location & 0x3FFFFFFF) // 2
            yield main[first : first + characters].decode("cp1252", "replace").encode("utf-16-le")
        else:
            yield main[location : location + 2 * characters]


def _split(whole: bytes, counts: tuple[int, ...]) -> dict[str, bytes]:
    """Split the text into its stories by their lengths in characters."""
    names = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes")  # those of boxes are left out
    position = 0
    stories: dict[str, bytes] = {}
    for name, count in zip(names, counts, strict=False):
        stories[name] = whole[2 * position : 2 * (position + max(0, count))]
        position += max(0, count) if name != "macros" else 0
    return stories


def _texts_of(stories: dict[str, bytes], bounds: tuple[int, ...]) -> tuple[str, dict[str, str]]:
    """Return (compared text, streams). bounds: where each header or footer begins in its story, in characters."""
    texts = {name: _readable(story.decode("utf-16-le", "replace")) for name, story in stories.items()}
    text = "\n".join(texts[name] for name in ("body", "boxes", "footnotes", "endnotes") if texts[name])
    streams = {"headers": texts["headers"], "footers": "", "comments": texts["comments"]}
    if len(bounds) > _FIRST_HEADER + 1:
        streams.update(_heads_and_feet(stories["headers"], bounds[_FIRST_HEADER:]))
    return text, {name: stream for name, stream in streams.items() if stream}


def _heads_and_feet(story: bytes, bounds: tuple[int, ...]) -> dict[str, str]:
    """Return headers and footers, without repetitions."""
    texts_by_name: dict[str, dict[str, None]] = {"headers": {}, "footers": {}}
    for index, (start, end) in enumerate(pairwise(accumulate(bounds, max))):
        name = "footers" if index % _HEADERS_OF_A_SECTION in _FOOTERS else "headers"
        texts_by_name[name].setdefault(_readable(story[2 * start : 2 * end].decode("utf-16-le", "replace")))
    return {name: "\n".join(filter(None, texts)) for name, texts in texts_by_name.items()}


def _header_bounds(main: bytes, tables: bytes) -> tuple[int, ...]:
    """Return the bounds of the headers in their story, in characters; () if the table is missing."""
    start, length = struct.unpack_from("<II", main, _HEADERS)
    plc = tables[start : start + length]
    count = min(len(plc) // 4, MOST_HEADERS)
    return struct.unpack_from(f"<{count}I", plc)


def _readable(text: str) -> str:
    """Return a text without field codes, with results of fields, line ends and tabs."""
    for _ in range(20):  # each round resolves the innermost fields
        text, changed = _FIELD.subn(lambda field: field.group(2) or shown_field(field.group(1)), text)
        if not changed:
            break
    return text.translate(_MARKS).strip()
