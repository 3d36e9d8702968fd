"""Read Word 97-2003 documents (DOC) by the piece table of the compound file ([MS-DOC] 2.4.1)."""

from __future__ import annotations

import re
import struct
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, chain, pairwise
from typing import Any, Final

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
from dupfinder.text.normalise import raised
from dupfinder.text.readers.compound import compound_properties, opened_compound, refuse_wordless, stream_of
from dupfinder.text.readers.labels import Level, Levels, ListCounter, NumberedList
from dupfinder.text.readers.office import (
    CODE_PAGES,
    SYMBOL_FONTS,
    add_link,
    shown_field,
    with_masked_numbers,
    with_symbols,
)
from dupfinder.text.readers.plain import detect

_READER = "piece-table"
_WORD97, _WORD95 = 0xA5EC, 0xA5DC
_IN_PIECES, _ENCRYPTED, _TABLE_ONE = 0x0004, 0x0100, 0x0200
# In documents of Word 6 and 95, whose tables are in the main stream.
_BOUNDS_95, _COUNTS_95, _FONTS_95, _CLX_95 = 0x18, 0x34, 0xD0, 0x160
_COUNTS = 0x4C  # of characters: body, footnotes, headers, (macros), comments, endnotes, text boxes, header text boxes
_CLX = 0x01A2  # offset and length of the piece table: fcClx, lcbClx
_RUNS = 0x00FA  # offset and length of the table of pages with character properties: fcPlcfBteChpx, lcbPlcfBteChpx
_HEADERS = 0x00F2  # offset and length of the bounds of headers and footers: fcPlcfHdd, lcbPlcfHdd
MOST_HEADERS = 10_000
_FIRST_HEADER, _HEADERS_OF_A_SECTION = 6, 6  # the first six are separators of notes
_FOOTERS = frozenset({2, 3, 5})  # types of footers, from 0: even header ([MS-DOC] 2.3.5)
_CODE = re.compile("\x13([^\x13\x14\x15]*)")
_PACKED = 0x40000000  # of the location of a piece: stored in cp1252, at half of it
_PARAGRAPH_END = re.compile(rb"[\x07\x0c\r]\0")  # also of a cell, and of a section
_ROW_END = re.compile("\x07{2}(?!\x07)")  # the end of its last cell, and its own
_PICTURES = re.compile("[\x01\x08]")  # inline and floating
_MARKED_INSERTION = b"\x01\x08\x01"  # sprmCFRMarkIns with the value 1
_PAGE = 512
_SPRM_DELETED, _SPRM_HIDDEN = 0x0800, 0x083C  # sprmCFRMarkDel: a tracked deletion; sprmCFVanish
_SPRM_RAISED = 0x2A48  # sprmCIss: 1 above the line, 2 below it
_SPRM_HIGHLIGHT = 0x2A0C  # sprmCHighlight: the number of a colour, 0 for none
_MARKING = (_SPRM_DELETED, _SPRM_HIDDEN, _SPRM_RAISED, _SPRM_HIGHLIGHT, 0x0837, 0x2A53)  # the last two: struck out
_SPRM_SYMBOL = 0x6A09  # sprmCSymbol: the font and the number of what is shown in place of a character
_SPRM_FONT = 0x4A4F  # sprmCRgFtc0: the font of characters in ASCII, and of symbols
_FONTS = 0x0112  # offset and length of the table of fonts: fcSttbfFfn, lcbSttbfFfn
_LAST_SIGNS = re.compile(rb"[\x07\x0c\r]\0?\Z")  # of a paragraph, a cell or a section
_OPERAND_SIZES = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # by the top three bits of a property's number
_FIELD = re.compile("\x13([^\x13\x14\x15]*)(?:\x14([^\x13\x14\x15]*))?\x15")  # code, and the result if there is one
_MARKS = {
    **dict.fromkeys((*range(0x07), 0x08, 0x14, 0x15, 0x1F, 0xAD)),  # not shown
    **{0x07: "\t", **dict.fromkeys((0x0B, 0x0C, 0x0D, 0x0E), "\n"), 0x1E: "-"},
}

# Offsets in the head of the main stream: of the styles, the properties of paragraphs, the lists, and their use.
_STYLES, _PARAGRAPHS, _LISTS, _USES = 0x00A2, 0x0102, 0x02E2, 0x02EA
_DEPTH, _USE = 0x260A, 0x460B  # sprmPIlvl, sprmPIlfo
_MOST_INHERITED: Final = 50  # styles, each based on the next one
_NO_STYLE: Final = 0xFFF
_DEPTHS: Final = 9
_IS_SIMPLE, _IS_LEGAL, _IS_RESTARTED_OTHERWISE, _STARTS_ANEW, _HAS_LEVEL = 1, 4, 8, 16, 32
# How numbers are written ([MS-OSHARED] 2.2.1.3), as in ISO 29500-1; all others in digits.
_KINDS: Final = {
    1: "upperRoman", 2: "lowerRoman", 3: "upperLetter", 4: "lowerLetter", 10: "ideographDigital",
    11: "japaneseCounting", 22: "decimalZero", 23: "bullet", 30: "ideographTraditional", 33: "taiwaneseCounting",
    35: "taiwaneseCountingThousand", 36: "taiwaneseDigital", 37: "chineseCounting", 39: "chineseCountingThousand",
    255: "none",
}  # fmt: skip


def read_doc(data: bytes) -> Extracted:
    """Return body, foot- and endnotes and text boxes; headers and comments are streams."""
    with opened_compound(data) as store:
        if not store.exists("WordDocument"):
            if store.exists("EncryptedPackage"):
                raise Unreadable(ProblemKind.ENCRYPTED)
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_WORD_DOCUMENT)
        main = stream_of(store, "WordDocument")
        try:
            return replace(_extracted(store, main), **compound_properties(store))
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
        return _of_word95(main, flags)
    if mark != _WORD97 or len(main) < _CLX + 8:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_WORD_DOCUMENT)
    table = "1Table" if flags & _TABLE_ONE else "0Table"
    if not store.exists(table):
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_WORD_TABLES)
    tables = stream_of(store, table)
    deleted, hidden, raised_runs, highlighted, *struck = _marked_runs(main, tables)
    pieces = list(_pieces(main, tables))
    shown = _blanked(main, [*deleted, *((start, _last_sign(main, start, end)) for start, end in hidden)])
    symbols = sorted([*_symbols(main, tables, other := OtherHashes()), *_powers(main, pieces, raised_runs)])
    text_bytes = b"".join(piece.text(shown, symbols) for piece in pieces)
    stories = _split(text_bytes[: 2 * MAX_CHARACTERS], struct.unpack_from("<8i", main, _COUNTS))
    stories["body"] = _with_labels(stories["body"], pieces, main, tables, other)
    text, streams = _texts_of(stories, _header_bounds(main, tables))
    refuse_wordless(text)
    _add_other(other, store, stories, streams)
    for kind, runs in ((OtherContent.TRACKED_CHANGES, chain(*struck)), (OtherContent.COMMENTS, highlighted)):
        disjoint = _disjoint(runs)
        texts = [piece.decoded(shown[slice(*run)]) for piece in pieces for run in piece.runs_within(disjoint)]
        other.add_text(kind, _readable("".join(texts)))
    if deleted or _MARKED_INSERTION in main:
        other.unknown(OtherContent.TRACKED_CHANGES)
    if hidden:
        other.unknown(OtherContent.COMMENTS)
    notes = details(Clause.DELETIONS_LEFT_OUT) if deleted else ()
    is_cut, hashes = len(text_bytes) > 2 * MAX_CHARACTERS, other.hashes(MediaType.DOC)
    return Extracted(text, MediaType.DOC, _READER, streams=streams, notes=notes, partial=is_cut, other=hashes)


def _of_word95(main: bytes, flags: int) -> Extracted:
    """Return the text of a document of Word 6 or 95, in the code page of its fonts. Raises Unreadable, struct.error."""
    start, end = struct.unpack_from("<II", main, _BOUNDS_95)
    text = main[start:end]
    if flags & _IN_PIECES:
        pieces = _pieces(main, main, _CLX_95)
        text = b"".join(main[piece.location : piece.location + piece.characters] for piece in pieces)
    code_page = _code_page(text, _table(main, main, _FONTS_95))
    in_bytes = _split(text[:MAX_CHARACTERS], struct.unpack_from("<8i", main, _COUNTS_95), width=1)
    stories = {name: story.decode(code_page, "replace").encode("utf-16-le") for name, story in in_bytes.items()}
    shown, streams = _texts_of(stories, ())
    refuse_wordless(shown)
    is_cut, other = len(text) > MAX_CHARACTERS, all_unknown(MediaType.DOC)
    return Extracted(shown, MediaType.DOC, _READER, streams=streams, partial=is_cut, other=other)


def _code_page(text: bytes, fonts: bytes) -> str:
    """Return the code page of a text: that of one of its fonts, if it fits the text, or else windows-1252.

    fonts: a table whose entries tell, after their length, the number of their code page as fourth byte.
    """
    pages, position = set(), 2
    while position + 4 < len(fonts):
        pages.add(CODE_PAGES.get(fonts[position + 4], ""))
        position += fonts[position] + 1
    shown = text.decode(detect(text), "replace") if pages - {""} else ""
    return next((page for page in sorted(pages) if page and text.decode(page, "replace") == shown), "cp1252")


def _add_other(other: OtherHashes, store: Any, stories: dict[str, bytes], streams: Mapping[str, str]) -> None:
    """Add the other content, as far as the text shows it.

    Of pictures, objects, form fields and comments the text shows only that there are some, so these kinds become
    unknown.
    """
    text = "".join(story.decode("utf-16-le", "replace") for name, story in stories.items() if name != "macros")
    for code in _CODE.findall(text):
        add_link(code, other)
        shown_field(code, other)
        if code.strip().startswith("FORM"):
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
    other.add_text(OtherContent.HEADERS, with_masked_numbers(heads, stories["headers"].replace(b"\0", b"")))


def _last_sign(main: bytes, start: int, end: int) -> int:
    """Return where a hidden run ends before the sign that ends its paragraph."""
    sign = _LAST_SIGNS.search(main, max(start, end - 2), end)
    return sign.start() if sign else end


def _marked_runs(main: bytes, tables: bytes) -> list[list[tuple[int, int]]]:
    """Return (start, end) of the runs of characters with each of the properties _MARKING."""
    marked: dict[int, list[tuple[int, int]]] = {sign: [] for sign in _MARKING}
    for start, end, sign, operand in _runs_with(main, tables, *_MARKING):
        if operand[0] == 1 or (sign == _SPRM_HIGHLIGHT and operand[0]):
            marked[sign].append((start, end))
    return list(marked.values())


def _powers(main: bytes, pieces: Sequence[_Piece], runs: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, sign) of each digit of raised runs in the main stream that is a power: 10⁸ is not 108."""
    disjoint_runs = _disjoint(runs)
    for piece in pieces:
        for start, end in piece.runs_within(disjoint_runs):
            text, before = piece.decoded(main[start:end]), main[max(piece.location, start - piece.width) : start]
            power = raised(text, piece.decoded(before))
            for number, sign in enumerate(power if power != text else ""):
                yield start + number * piece.width, start + (number + 1) * piece.width, sign


def _runs_with(main: bytes, tables: bytes, *signs: int) -> Iterator[tuple[int, int, int, bytes]]:
    """Yield (start, end, sign, operand) of each run of characters with one of these properties.

    start, end: bytes of the main stream.
    """
    offset, length = struct.unpack_from("<II", main, _RUNS)
    for start, end, page, position in _formatted(main, tables[offset : offset + length], 1):
        properties = page[position + 1 : position + 1 + page[position]] if position else b""
        yield from ((start, end, sign, operand) for sign, operand in _operands(properties) if sign in signs and operand)


def _formatted(main: bytes, table: bytes, size: int) -> Iterator[tuple[int, int, bytes, int]]:
    """Yield (start, end, page, position) of each run of characters or paragraphs with the same properties.

    page, position: where its properties are stored; position 0: nowhere. size: bytes that a page has for each run.
    """
    count = max(0, (len(table) - 4) // 8)
    numbers = struct.unpack_from(f"<{count}I", table, 4 * (count + 1)) if count else ()
    for number in dict.fromkeys(number & 0x3FFFFF for number in numbers):
        page = main[number * _PAGE : (number + 1) * _PAGE]
        runs = page[-1] if len(page) == _PAGE else 0
        if 4 * (runs + 1) + size * runs >= _PAGE:
            continue
        bounds = struct.unpack_from(f"<{runs + 1}I", page)
        for index in range(runs):
            yield bounds[index], bounds[index + 1], page, 2 * page[4 * (runs + 1) + size * index]


def _symbols(main: bytes, tables: bytes, other: OtherHashes) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, sign) of each run of a symbol in the main stream; adds those that are pictures to `other`."""
    names = [name.decode("utf-16-le", "replace") for name in _font_names(_table(main, tables, _FONTS))]
    for start, end, _, operand in _runs_with(main, tables, _SPRM_SYMBOL):
        text = operand[2:4].decode("utf-16-le", "replace")
        yield start, end, with_symbols(text, partial(_font_name, names, operand), other)
    for start, end, _, operand in _runs_with(main, tables, _SPRM_FONT):
        if _font_name(names, operand).lower() not in SYMBOL_FONTS:
            continue
        for offset in range(start, min(end, len(main) - 1), 2):
            text = main[offset : offset + 2].decode("utf-16-le", "replace")
            if (sign := with_symbols(text, partial(_font_name, names, operand), other)) != text:
                yield offset, offset + 2, sign


def _font_name(names: Sequence[str], operand: bytes) -> str:
    """Return the name of a font. operand: its number first."""
    number = int.from_bytes(operand[:2], "little")
    return names[number] if number < len(names) else ""


def _font_names(table: bytes) -> Iterator[bytes]:
    """Yield the name of each font in UTF-16 ([MS-DOC] 2.9.279, 2.9.87)."""
    position = 4
    while position < len(table):
        end = position + 1 + table[position]
        yield table[position + 40 : end].partition(b"\0\0\0")[0] + b"\0"
        position = end


def _operands(properties: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each property and what follows it, its operand first ([MS-DOC] 2.2.5.1)."""
    position = 0
    while position + 3 <= len(properties):
        number = int.from_bytes(properties[position : position + 2], "little")
        yield number, properties[position + 2 : position + 6]
        size = _OPERAND_SIZES.get(number >> 13)
        position += 2 + (size if size is not None else 1 + properties[position + 2])


def _blanked(main: bytes, ranges: Sequence[tuple[int, int]]) -> bytes:
    """Return the stream with some ranges replaced by NULs, so that counts of characters remain valid."""
    if not ranges:
        return main
    blank = bytearray(main)
    for start, end in _disjoint(ranges):
        blank[start:end] = bytes(len(blank[start:end]))
    return bytes(blank)


def _disjoint(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return ranges sorted, each without what is in one before it: those of damaged files may overlap."""
    disjoint: list[tuple[int, int]] = []
    done = 0
    for start, end in sorted(ranges):
        if max(start, done) < end:
            disjoint.append((max(start, done), end))
            done = end
    return disjoint


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of the text. location: of its first byte in the main stream. width: bytes of a character: 2, or 1."""

    location: int
    characters: int
    width: int

    def text(self, main: bytes, symbols: Sequence[tuple[int, int, str]]) -> bytes:
        """Return its text in UTF-16, stored so or in cp1252. symbols: what is in place of its characters, sorted."""
        stop = self.location + self.width * self.characters
        content = main[self.location : stop]
        text = content if self.width == 2 else self.decoded(content).encode("utf-16-le")
        first, last = (bisect_left(symbols, (offset,)) for offset in (self.location, stop))
        for start, end, sign in symbols[first:last]:
            offset, signs = 2 * ((start - self.location) // self.width), max(0, min(end, stop) - start) // self.width
            text = text[:offset] + signs * sign.encode("utf-16-le") + text[offset + 2 * signs :]
        return text

    def decoded(self, content: bytes) -> str:
        return content.decode("utf-16-le" if self.width == 2 else "cp1252", "replace")

    def runs_within(self, runs: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """Yield the parts of runs of the main stream, sorted and disjoint, that are in this piece."""
        stop = self.location + self.width * self.characters
        first, last = bisect_left(runs, (self.location,)), bisect_left(runs, (stop,))
        for start, end in runs[max(0, first - 1) : last]:
            if max(start, self.location) < min(end, stop):
                yield max(start, self.location), min(end, stop)


def _pieces(main: bytes, tables: bytes, offset: int = _CLX) -> Iterator[_Piece]:
    """Yield the pieces of text in document order. Raises Unreadable, struct.error.

    offset: in the head, of the offset and the length of their table.
    """
    clx = _table(main, tables, offset)
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
        is_packed = bool(location & _PACKED)
        yield _Piece((location & ~_PACKED) // 2 if is_packed else location, characters, 1 if is_packed else 2)


def _with_labels(body: bytes, pieces: Sequence[_Piece], main: bytes, tables: bytes, other: OtherHashes) -> bytes:
    """Return the body with the labels of its numbered paragraphs; adds the starts of lists to `other`. body: UTF-16."""
    try:
        numbered = _NumberedParagraphs(main, tables)
    except struct.error:  # the text is sound without them
        return body
    if not numbered.are_any:
        return body
    first_characters = [0, *accumulate(piece.characters for piece in pieces)]
    parts, start, room = [], 0, MAX_CHARACTERS  # for labels
    for end in _PARAGRAPH_END.finditer(body):
        if end.start() % 2:
            continue
        character = end.start() // 2
        number = bisect_right(first_characters, character) - 1
        if number < len(pieces):
            piece = pieces[number]
            offset = piece.location + piece.width * (character - first_characters[number])
            label = numbered.label_at(offset)
            room -= len(label)
            parts.append(label.encode("utf-16-le") if room >= 0 else b"")
        parts.append(body[start : end.end()])
        start = end.end()
    numbered.counter.add_to(other)
    return b"".join([*parts, body[start:]])


def _split(text: bytes, counts: tuple[int, ...], width: int = 2) -> dict[str, bytes]:
    """Split the text into its stories by their lengths in characters. width: bytes of a character."""
    names = ("body", "footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header_boxes")
    position = 0
    stories: dict[str, bytes] = {}
    for name, count in zip(names, counts, strict=False):
        stories[name] = text[width * position : width * (position + max(0, count))]
        position += max(0, count) if name != "macros" else 0
    return stories


def _texts_of(stories: dict[str, bytes], bounds: tuple[int, ...]) -> tuple[str, dict[str, str]]:
    """Return (compared text, streams). bounds: where each header or footer begins in its story, in characters."""
    texts = {name: _readable(story.decode("utf-16-le", "replace")) for name, story in stories.items()}
    text = "\n".join(texts[name] for name in ("body", "boxes", "footnotes", "endnotes") if texts[name])
    streams = {"headers": texts["headers"], "footers": "", "comments": texts["comments"]}
    if len(bounds) > _FIRST_HEADER + 1:
        streams.update(_heads_and_feet(stories["headers"], bounds[_FIRST_HEADER:]))
    streams["headers"] = f"{streams['headers']}\n{texts['header_boxes']}".strip()
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
    return _ROW_END.sub("\n", text).translate(_MARKS).strip()


@dataclass(frozen=True, slots=True)
class _Style:
    """What a style says of numbering. base: the style that it is based on. use, depth: None where it says nothing."""

    base: int
    use: int | None
    depth: int | None


class _NumberedParagraphs:
    """The labels of the paragraphs of a document. are_any: whether any list has numbers or words.

    Raises struct.error for damaged tables.
    """

    def __init__(self, main: bytes, tables: bytes) -> None:
        lists, uses = _table(main, tables, _LISTS), _table(main, tables, _USES)
        # The levels follow the table of lists, whose length does not count them.
        levels = tables[struct.unpack_from("<I", main, _LISTS)[0] + len(lists) :] if len(main) > _USES + 8 else b""
        self._lists = list(_uses_of(uses, dict(_lists_of(lists, levels)))) if lists and uses else []
        self.are_any = any(level.is_numbered for numbered in self._lists for level in numbered.levels.values())
        self.counter = ListCounter()
        self._styles: list[_Style] = []
        self._runs: list[tuple[int, bytes]] = []
        if self.are_any:
            self._styles = list(_styles_of(_table(main, tables, _STYLES)))
            self._runs = sorted(_runs_of(main, _table(main, tables, _PARAGRAPHS)))

    def label_at(self, offset: int) -> str:
        """Return the label of the next paragraph, with a tab after it; "" for none or a number.

        offset: in the main stream, of the character that ends the paragraph.
        """
        run = bisect_right(self._runs, (offset, b"\xff")) - 1
        if run < 0:
            return ""
        style, (use, depth) = _style_of(self._runs[run][1]), _numbering(self._runs[run][1][2:])
        for _ in range(_MOST_INHERITED):
            if style >= len(self._styles) or (use is not None and depth is not None):
                break
            use = self._styles[style].use if use is None else use
            depth = self._styles[style].depth if depth is None else depth
            style = self._styles[style].base
        return self.counter.label(self._lists[use - 1], depth or 0) if use and use <= len(self._lists) else ""


def _table(main: bytes, tables: bytes, offset: int) -> bytes:
    """Return a table. offset: in the head, of the offset and the length of the table."""
    if len(main) < offset + 8:
        return b""
    start, length = struct.unpack_from("<II", main, offset)
    return tables[start : start + length]


def _style_of(properties: bytes) -> int:
    """Return the number of the style of a paragraph."""
    return int.from_bytes(properties[:2], "little")


def _numbering(properties: bytes) -> tuple[int | None, int | None]:
    """Return the use of a list and the depth that properties name; None where they name none."""
    use = depth = None
    for number, operand in _operands(properties):
        if number == _DEPTH:
            depth = operand[0]
        elif number == _USE:
            use = int.from_bytes(operand[:2], "little")
    return use, depth


def _runs_of(main: bytes, table: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield where the paragraphs with the same properties begin in the main stream, and their style and properties."""
    for start, _, page, position in _formatted(main, table, 13):
        if not position:
            yield start, b""
            continue
        words = page[position]
        begin, length = (position + 1, 2 * words - 1) if words else (position + 2, 2 * page[position + 1])
        yield start, page[begin : begin + length]


def _styles_of(table: bytes) -> Iterator[_Style]:
    """Yield what each style says of numbering ([MS-DOC] 2.9.271)."""
    if len(table) < 6:
        return
    head, count, base_size = struct.unpack_from("<HHH", table)
    position = 2 + head
    for _ in range(count):
        if position + 2 > len(table):
            return
        size = int.from_bytes(table[position : position + 2], "little")
        style = table[position + 2 : position + 2 + size]
        position += 2 + size + size % 2
        yield _style(style, base_size)


def _style(style: bytes, base_size: int) -> _Style:
    """Read a style. base_size: of its head."""
    if len(style) < base_size + 2 or base_size < 10:
        return _Style(_NO_STYLE, None, None)
    kind_and_base = int.from_bytes(style[2:4], "little")
    base = kind_and_base >> 4
    name = int.from_bytes(style[base_size : base_size + 2], "little")
    position = base_size + 2 + 2 * name + 2
    if kind_and_base & 0xF != 1:  # no style of paragraphs
        return _Style(base, None, None)
    size = int.from_bytes(style[position : position + 2], "little")
    return _Style(base, *_numbering(style[position + 4 : position + 2 + size]))


def _lists_of(table: bytes, levels: bytes) -> Iterator[tuple[int, Levels]]:
    """Yield the number and the levels of each list that is defined ([MS-DOC] 2.9.149)."""
    position = 0
    for index in range(min(int.from_bytes(table[:2], "little"), (len(table) - 2) // 28)):
        entry = table[2 + 28 * index : 30 + 28 * index]
        of_list: Levels = {}
        for depth in range(1 if entry[26] & _IS_SIMPLE else _DEPTHS):
            of_list[depth], position = _level_at(levels, position, depth)
        yield int.from_bytes(entry[:4], "little"), of_list


def _level_at(levels: bytes, position: int, depth: int) -> tuple[Level, int]:
    """Read a level ([MS-DOC] 2.9.150). Return it, and where the next one begins. Raises struct.error."""
    start, kind, flags, of_characters, of_paragraphs, limit = struct.unpack_from("<iBB18xBBBx", levels, position)
    position += 28 + of_characters + of_paragraphs
    (length,) = struct.unpack_from("<H", levels, position)
    signs = levels[position + 2 : position + 2 + 2 * length].decode("utf-16-le", "replace")
    template = "".join(f"%{ord(sign) + 1}" if ord(sign) < _DEPTHS else sign for sign in signs)
    restarts = limit if flags & _IS_RESTARTED_OTHERWISE else depth
    level = Level(start, _KINDS.get(kind, "decimal"), template, restarts, "", bool(flags & _IS_LEGAL))
    return level, position + 2 + 2 * length


def _uses_of(table: bytes, lists: dict[int, Levels]) -> Iterator[NumberedList]:
    """Yield the uses of lists, with what each changes ([MS-DOC] 2.9.132). Raises struct.error."""
    count = min(int.from_bytes(table[:4], "little"), (len(table) - 4) // 16)
    position = 4 + 16 * count
    for index in range(count):
        number, changes = struct.unpack_from("<I8xB", table, 4 + 16 * index)
        numbered = NumberedList(str(number), dict(lists.get(number, {})))
        position += 4
        for _ in range(changes):
            start, flags = struct.unpack_from("<iI", table, position)
            position += 8
            if flags & _STARTS_ANEW:
                numbered.anew[flags & 15] = start
            if flags & _HAS_LEVEL:
                numbered.levels[flags & 15], position = _level_at(table, position, flags & 15)
        yield numbered
