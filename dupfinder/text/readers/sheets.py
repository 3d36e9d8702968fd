"""Read Excel spreadsheets, XLSX and XLS: the cells, row by row, then the words in drawings; and what is beside them."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from functools import lru_cache, reduce
from html import escape, unescape
from io import BytesIO
from itertools import islice
from types import MappingProxyType
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import Extracted, MediaType, OtherContent, OtherHashes, TextBuffer, Unreadable, all_unknown
from dupfinder.text.lines import CELL_END, MOST_EMPTY, ROW_END
from dupfinder.text.readers.compound import compound_properties, opened_compound, refuse_loops, stream_of
from dupfinder.text.readers.labels import written_number
from dupfinder.text.readers.office import add_drawing, add_programs
from dupfinder.text.readers.package import COMPOUND, Package, all_relationships, core_properties, elements, opened

_MAIN, _STRINGS = "xl/workbook.xml", "xl/sharedStrings.xml"
_STRUCK_MARK = b"strike"
# Formulas, headers and footers in a sheet's source, found by their tags in one pass.
_SHEET_FACT = re.compile(
    rb"<(?:[\w.-]{1,20}:)?(?:(f)|(?:odd|even|first)(?:Header|Footer))(?:\s[^<>]{0,1000})?>([^<]*)<"
)
_NAME = re.compile(rb'<(?:[\w.-]{1,20}:)?sheet\s(?:[^<>]{0,1000}?\s)?name="([^"]*)"')
# The tags of rows, columns and sheets that are not shown.
_HIDDEN = re.compile(
    rb"<(?:[\w.-]{1,20}:)?(?:row|col|sheet)\b"
    rb'(?=[^<>]{0,1000}?\s(?:hidden="(?:1|true)"|state="(?:very)?[hH]idden"))[^<>]{0,1000}'
)
_HIDDEN_FACT = re.compile(rb'\s(?:r|min|max|name)="([^"]*)"')  # the attributes that tell what is hidden
_CELL_STYLE = re.compile(
    rb'<(?:[\w.-]{1,20}:)?c\s(?:[^<>]{0,100}?\s)?r="(\w{1,12})"(?:\s[^<>]{0,100}?)?\ss="(\d{1,9})"'
)
_BY_KIND = {
    "drawing": OtherContent.PICTURES,
    "hyperlink": OtherContent.LINKS,
    "comments": OtherContent.COMMENTS,
    "threadedComment": OtherContent.COMMENTS,
    **dict.fromkeys(("oleObject", "package"), OtherContent.ATTACHMENTS),
    **dict.fromkeys(("ctrlProp", "control"), OtherContent.FORM_FIELDS),
}

# Types of the records of an XLS workbook ([MS-XLS] 2.3).
_OBJECT, _TEXT, _CONTINUED = 0x005D, 0x01B6, 0x003C
_FILE_PASS, _WITHIN = 0x002F, 8  # how a workbook is encrypted: one of its first records
_BEGINNING, _CHART = 0x0809, 0x0020  # BOF: begins a sheet; its type if it is a chart
_SHEET_NAME, _FORMAT, _STYLE_RECORD, _DATES_1904 = 0x0085, 0x041E, 0x00E0, 0x0022
_NUMBER_CELL, _FORMULA_CELL, _PACKED_CELL, _PACKED_CELLS = 0x0203, 0x0006, 0x027E, 0x00BD
# Types of objects.
_COMMENT, _FILTER_ARROW = 0x19, 0x14
_CONTROLS = frozenset({0x0B, 0x0C, 0x10, 0x11, 0x12})  # check boxes, radio buttons, spinners, bars, lists
# Records with other content, and where it begins: after the result of a formula, which is part of the text.
_CONTENT_RECORDS = {
    0x0006: (OtherContent.FORMULAS, 20),
    0x04BC: (OtherContent.FORMULAS, 8),
    0x0221: (OtherContent.FORMULAS, 12),
    0x0014: (OtherContent.HEADERS, 0),
    0x0015: (OtherContent.HEADERS, 0),
    0x001C: (OtherContent.COMMENTS, 8),  # the author of a comment
    0x01B8: (OtherContent.LINKS, 8),
}
# Records of rows, columns and sheets: the byte and the bits that hide them, and where their number or name is.
_HIDING = {0x0208: (12, 0x20, slice(2)), 0x007D: (8, 1, slice(4)), _SHEET_NAME: (4, 3, slice(5, 255))}
MOST_CHARACTERS = 1_000_000  # of all comments and drawings of a workbook


def _add_sheet(package: Package, sheet: str, content: bytes | None, other: OtherHashes) -> list[str]:
    """Add the other content of one sheet. Return the words in its drawings, such as boxes of text.

    content: its source; None: it is too large to be looked through.
    """
    if content is None:
        other.unknown(OtherContent.FORMULAS, OtherContent.HEADERS)
    _add_hidden(content or b"", other)
    for match in _SHEET_FACT.finditer(content or b""):
        text = match.group(2).decode("utf-8", "replace")
        other.add_text(OtherContent.FORMULAS if match.group(1) else OtherContent.HEADERS, text)
    try:
        related = sorted(all_relationships(package, sheet))  # their order has no meaning
    except Unreadable:
        other.unknown(*_BY_KIND.values())
        return []
    drawn: list[str] = []
    for kind, _, target, is_external in related:
        content_kind = _BY_KIND.get(kind)
        if content_kind is None or is_external != (content_kind is OtherContent.LINKS):  # all else is in the file
            continue
        try:
            drawn.append(_add_part(package, content_kind, target, other))
        except Unreadable:
            other.unknown(content_kind)
    return list(filter(None, drawn))


def _add_hidden(content: bytes, other: OtherHashes) -> None:
    """Add the names or numbers of what a part hides."""
    for hidden in _HIDDEN.finditer(content) if b"idden" in content else ():
        other.add(OtherContent.HEADERS, *sorted(_HIDDEN_FACT.findall(hidden.group())))


def _add_part(package: Package, kind: OtherContent, target: str, other: OtherHashes) -> str:
    """Add the content that a relationship of a sheet leads to. Return the words of a drawing."""
    if kind is OtherContent.PICTURES:
        return add_drawing(package, target, other)
    if kind is OtherContent.LINKS:
        other.add(kind, target)
    elif kind is OtherContent.COMMENTS:
        for author, text in _signed_comments(package, target):
            other.add(kind, author, text)
    else:
        other.add(kind, package.digest(target))
    return ""


def _signed_comments(package: Package, name: str) -> Iterator[tuple[str, str]]:
    """Yield (author, text) of each comment of a part.

    Threaded comments name their author by a number; the names are in another part.
    """
    authors: list[str] = []
    persons = _persons(package) if "threadedComments/" in name else {}
    for element in elements(package.read(name), ("author", "comment", "threadedComment")):
        if element.tag.endswith("}author"):
            authors.append(element.text or "")
            continue
        number = element.get("authorId", "")
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        texts = (text.text or "" for text in element.iter("{*}t", "{*}text"))
        yield author or persons.get(element.get("personId", ""), ""), "".join(texts)


def _persons(package: Package) -> dict[str, str]:
    """Return the names of the authors of threaded comments, by number."""
    parts = (package.read(name) for name in package.names if name.startswith("xl/persons/"))
    persons = (person for part in parts for person in elements(part, ("person",)))
    return {person.get("id", ""): person.get("displayName", "") for person in persons}


def add_records(book: bytes, other: OtherHashes) -> tuple[str, str]:
    """Add the other content of an XLS workbook, except what it hides. Return (its comments, the words in its drawings).

    Each is one line. book: the Workbook stream. If it is cut off, those before the cut are returned.
    """
    comments, drawn = list[str](), list[str]()
    texts = drawn  # that receive the words of the current object
    room = MOST_CHARACTERS
    missing = 0  # characters of its text that have not come yet
    for kind, content in _records(book):
        if kind == _OBJECT and len(content) >= 6:
            object_type = int.from_bytes(content[4:6], "little")
            texts, missing = comments if object_type == _COMMENT else drawn, 0
            if object_type not in (_COMMENT, _FILTER_ARROW):
                other.unknown(OtherContent.FORM_FIELDS if object_type in _CONTROLS else OtherContent.PICTURES)
        elif kind == _SHEET_NAME and len(content) > 7:
            other.add_text(OtherContent.HEADERS, _text_in(content[7:], content[6]))
        elif kind == _TEXT and len(content) >= 12 and room > 0:
            missing = int.from_bytes(content[10:12], "little")
            texts.append("")
        elif kind == _CONTINUED and missing > 0 and content:
            piece = _text_in(content, len(content))[:missing]
            texts[-1] += piece
            missing -= len(piece)
            room -= len(piece)
        elif kind in _CONTENT_RECORDS:
            content_kind, start = _CONTENT_RECORDS[kind]
            if len(content) > start:
                other.add(content_kind, content[start:])
        elif kind == _BEGINNING and content[2:4] == _CHART.to_bytes(2, "little"):
            other.unknown(OtherContent.PICTURES)
    if room <= 0:
        other.unknown(OtherContent.COMMENTS)
    for comment in comments:
        other.add_text(OtherContent.COMMENTS, comment)
    return _as_lines(comments), _as_lines(drawn)


def _as_lines(texts: list[str]) -> str:
    """Return texts as a line each."""
    return "\n".join(filter(None, (" ".join(text.split()) for text in texts)))


def add_hidden_records(book: bytes, other: OtherHashes) -> None:
    """Add the numbers or names of the rows, columns and sheets that an XLS workbook hides."""
    for kind, content in _records(book):
        if kind in _HIDING:
            flags, bits, name = _HIDING[kind]
            if len(content) > flags and content[flags] & bits:
                other.add(OtherContent.HEADERS, content[name])


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (kind, content) of each record."""
    position = 0
    while position + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, position)
        yield kind, book[position + 4 : position + 4 + length]
        position += 4 + length


MAX_CELLS = 30_000_000  # of all sheets, empty ones included, 32 bytes each; larger workbooks are read cell by cell
_MANY_EMPTY = re.compile(f"{CELL_END}{{{MOST_EMPTY + 2},}}")
_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml")
_COMMENTS = re.compile(r"xl/(?:comments/?|threadedComments/\w{0,20})\w{0,20}\.xml")


def read_xlsx(data: bytes) -> Extracted:
    """Return the cells of all sheets, then the words in drawings.

    Raises Unreadable for packages that unpack out of proportion.
    """
    with opened(data) as package:
        package.check_sizes()
        stored: list[str] = []
        shown = _workbook_with_shown_numbers(package, data, stored)
        properties, drawn = _properties(package, stored)
    collected, sheets = _cells(shown)
    collected.add(drawn)
    text = collected.text().strip("\n")
    return Extracted(text, MediaType.XLSX, "calamine", pages=sheets, partial=collected.full, **properties)


def _properties(package: Package, stored: Sequence[str] = ()) -> tuple[dict[str, Any], str]:
    """Return properties, comments (as streams) and other content of a workbook, and the words in its drawings.

    Parts that cannot be read make their kind of other content unknown. stored: numbers of which a format may hide
    digits.
    """
    streams, other = _comment_stream(package), OtherHashes()
    other.add_text(OtherContent.HEADERS, " ".join(stored))
    book = package.content_within(_MAIN) or b""
    for name in _NAME.findall(book):
        other.add_text(OtherContent.HEADERS, unescape(name.decode("utf-8", "replace")))
    _add_hidden(book, other)
    names = (name for name in package.names if posixpath.dirname(name) == "xl/worksheets")
    sheets = sorted(names, key=lambda name: (len(name), name))
    strikes = any(_STRUCK_MARK in package.read(name) for name in (_STYLES, _STRINGS) if package.has(name))
    colours: Mapping[int, str] = {}
    try:
        colours = _styles_with(package, b"fgColor", "fill", _colour_of)
    except (Unreadable, ValueError):  # damaged
        other.unknown(OtherContent.HEADERS)
    with_struck, drawn = [], list[str]()
    for sheet in sheets:
        content = package.content_within(sheet)
        other.add_text(OtherContent.HEADERS, "\n".join(_filled(content or b"", colours)))
        drawn += _add_sheet(package, sheet, content, other)
        if content and (strikes or _STRUCK_MARK in content):
            with_struck.append(content)
    try:
        other.add_text(OtherContent.TRACKED_CHANGES, "".join(_struck(package, with_struck) if with_struck else ()))
    except (Unreadable, ValueError):  # damaged
        other.unknown(OtherContent.TRACKED_CHANGES)
    for name in sorted(name for name in package.names if name.startswith("xl/revisions/revisionLog")):
        other.add(OtherContent.TRACKED_CHANGES, package.digest(name))
    add_programs(package, _MAIN, other)
    properties = {**core_properties(package), "streams": streams, "other": other.hashes(MediaType.XLSX)}
    return properties, "\n".join(drawn)


def _workbook_with_shown_numbers(package: Package, data: bytes, stored: list[str]) -> bytes:
    """Return a workbook with its formatted numbers as texts, without pictures and the like; unchanged without such.

    stored: receives these numbers.
    """
    formats = formats_of(package)
    sheets = {name: package.read(name) for name in package.names if _SHEET.fullmatch(name)} if formats else {}
    changed = {name: with_shown_numbers(sheets[name], formats, stored) for name in sorted(sheets)}
    if changed == sheets:
        return data
    result = BytesIO()
    with ZipFile(BytesIO(data)) as old, ZipFile(result, "w") as new:
        for entry in old.infolist():
            if entry.filename.endswith((".xml", ".rels")):
                new.writestr(entry.filename, changed[entry.filename] if entry.filename in changed else old.read(entry))
    return result.getvalue()


def read_xls(data: bytes) -> Extracted:
    """Return the cells of all sheets of an Excel 97-2003 workbook, then the words in drawings."""
    properties, formatted, drawn = _properties_of_xls(data)
    collected, sheets = _cells(data, formatted)
    collected.add(drawn)
    text = collected.text().strip("\n")
    return Extracted(text, MediaType.XLS, "calamine", pages=sheets, partial=collected.full, **properties)


def _properties_of_xls(data: bytes) -> tuple[dict[str, Any], Mapping[str, _Formatted], str]:
    """Return the properties of an Excel 97-2003 workbook, its formatted numbers, and the words in its drawings.

    Among the properties are comments (as streams) and other content. Workbooks of older versions have none of these.
    Raises Unreadable for compound files with oversized or endless tables, for which calamine would allocate memory.
    """
    if not data.startswith(COMPOUND):
        return {"other": all_unknown(MediaType.XLS)}, {}, ""
    with opened_compound(data) as store:
        refuse_loops(store)
        other = OtherHashes()
        book = stream_of(store, "Workbook")
        if any(kind == _FILE_PASS for kind, _ in islice(_records(book or stream_of(store, "Book")), _WITHIN)):
            raise Unreadable(ProblemKind.ENCRYPTED)
        comments, drawn = add_records(book, other)
        add_hidden_records(book, other)
        names = {path[0] for path in store.listdir()}
        if "Workbook" not in names:  # written by an older Excel
            other.unknown(*OtherContent)
        if "_VBA_PROJECT_CUR" in names or any(name.startswith("MBD") for name in names):
            other.unknown(OtherContent.ATTACHMENTS)
        if "Revision Log" in names:
            other.unknown(OtherContent.TRACKED_CHANGES)
        streams = {"comments": comments} if comments else {}
        stored: list[str] = []
        formatted = _formatted_numbers(book, stored)
        other.add_text(OtherContent.HEADERS, " ".join(stored))
        properties = {**compound_properties(store), "streams": streams, "other": other.hashes(MediaType.XLS)}
        return properties, formatted, drawn


def read_xlsx_slowly(data: bytes) -> Extracted:
    """Return the cells by parsing the sheets: for workbooks with distant cells, whose tables would not fit into memory.

    Numbers are returned as stored; only `read_xlsx` knows which of them are dates.
    """
    collected = TextBuffer()
    with opened(data) as package:
        shared = _shared_texts(package)
        names = (name for name in package.names if name.startswith("xl/worksheets/sheet"))
        sheets = sorted(names, key=lambda name: (len(name), name))  # the second before the tenth
        for name in sheets:
            for row in _rows(package.read(name), shared):
                collected.add(row + ROW_END)
        properties, drawn = _properties(package)
        collected.add(drawn)
    text = collected.text().strip("\n")
    return Extracted(text, MediaType.XLSX, "xlsx-walk", pages=len(sheets), partial=collected.full, **properties)


def _text_of(item: Any) -> str:
    """Return the text of an item of a table of texts, or of a part of it."""
    return "".join(piece.text or "" for piece in item.iter("{*}t"))


def _comment_stream(package: Package) -> dict[str, str]:
    """Return the comments on cells as a stream, old and threaded ones; {} if there are none."""
    names = sorted(name for name in package.names if _COMMENTS.fullmatch(name))
    text = "\n".join(text.strip() for name in names for _, text in _signed_comments(package, name)).strip()
    return {"comments": text} if text else {}


def _shared_texts(package: Package, text_of: Callable[[Any], str] = _text_of) -> list[str]:
    """Return the texts that cells refer to by number, without phonetic hints. text_of: what to return of each."""
    texts: list[str] = []
    for element in elements(package.read(_STRINGS), ("si", "rPh")) if package.has(_STRINGS) else ():
        if element.tag.endswith("}si"):
            texts.append(text_of(element))
        element.clear()
    return texts


def _struck(package: Package, sheets: Sequence[bytes]) -> Iterator[str]:
    """Yield the words that are struck out: of whole cells, and in cells. Raises Unreadable, ValueError.

    sheets: the sources of the sheets that may have such words.
    """
    styles, struck_texts = _struck_styles(package), _shared_texts(package, _struck_runs)
    texts = _shared_texts(package) if styles else []
    for sheet in sheets if styles or any(struck_texts) else (sheet for sheet in sheets if _STRUCK_MARK in sheet):
        for cell in elements(sheet, ("c",)):
            if int(cell.get("s", "0")) in styles:
                yield _stored(cell, texts)
            else:
                yield _stored(cell, struck_texts) if cell.get("t") == "s" else _struck_runs(cell)
            cell.clear()


def _struck_styles(package: Package) -> frozenset[int]:
    """Return the numbers of the styles that strike out a cell. Raises Unreadable, ValueError."""
    return frozenset(_styles_with(package, _STRUCK_MARK, "font", lambda font: "struck" if _is_struck(font) else ""))


def _styles_with(package: Package, mark: bytes, part: str, fact_of: Callable[[Any], str]) -> Mapping[int, str]:
    """Return a fact of the font or fill of each style of cells that has one, by the numbers of the styles.

    mark: is in each source with such facts. part: "font" or "fill". Raises Unreadable, ValueError.
    """
    source = package.read(_STYLES) if package.has(_STYLES) else b""
    facts: list[str] = []
    for element in elements(source, (f"{part}s", "cellXfs")) if mark in source else ():
        entries = list(element.iterchildren(f"{{*}}{part}", "{*}xf"))
        if element.tag.endswith("}cellXfs"):
            of_styles = (
                facts[number] if (number := int(xf.get(f"{part}Id", "0"))) < len(facts) else "" for xf in entries
            )
            return {style: fact for style, fact in enumerate(of_styles) if fact}
        facts = [fact_of(entry) for entry in entries]
    return {}


def _colour_of(fill: Any) -> str:
    """Return the colour of a fill as it is stored; "" for none."""
    colour = fill.find("{*}patternFill[@patternType]/{*}fgColor")
    return " ".join(colour.values()) if colour is not None else ""


def _filled(content: bytes, colours: Mapping[int, str]) -> Iterator[str]:
    """Yield the place and the colour of each cell of a sheet whose style has a colour."""
    for place, style in _CELL_STYLE.findall(content) if colours else ():
        if colour := colours.get(int(style)):
            yield f"{place.decode()} {colour}"


def _is_struck(font: Any) -> bool:
    """Tell whether a font strikes out. font: None for the default."""
    mark = font.find("{*}strike") if font is not None else None
    return mark is not None and mark.get("val", "1") not in ("0", "false")


def _struck_runs(item: Any) -> str:
    return "".join(_text_of(run) for run in item.iter("{*}r") if _is_struck(run.find("{*}rPr")))


def _rows(content: bytes, shared: list[str]) -> Iterator[str]:
    """Yield each row that has content, as `_line` returns it."""
    for row in elements(content, ("row",)):
        cells: list[str] = []
        column = 0
        for cell in row:
            before, column = column, _column(cell.get("r", "")) or column + 1
            cells += [""] * min(column - before - 1, MOST_EMPTY + 1)
            cells.append(_stored(cell, shared))
        row.clear()
        if line := _line(cells):
            yield line


def _column(reference: str) -> int:
    """Return the number of a cell's column, 1 for that of "A7"; 0 without a reference."""
    letters = "".join(filter(str.isalpha, reference)).upper()
    return reduce(lambda number, letter: 26 * number + ord(letter) - ord("A") + 1, letters[:4], 0)


def _stored(cell: Any, shared: list[str]) -> str:
    """Return a cell's value as stored."""
    kind = cell.get("t", "n")
    text = "".join(piece.text or "" for piece in cell.iter("{*}t" if kind == "inlineStr" else "{*}v")).strip()
    if kind == "s":
        return shared[int(text)] if text.isdecimal() and int(text) < len(shared) else ""
    if kind == "b":
        return "TRUE" if text == "1" else "FALSE"
    return text


def _cells(data: bytes, formatted: Mapping[str, _Formatted] = MappingProxyType({})) -> tuple[TextBuffer, int]:
    """Return the cells of all sheets as text, and the number of sheets. Raises Unreadable.

    formatted: the formatted numbers of each sheet, by its name.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError  # loaded only for spreadsheets

    collected = TextBuffer()
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        names, room = book.sheet_names, MAX_CELLS
        for name in names:
            sheet = book.get_sheet_by_name(name)
            room -= sheet.height * sheet.width
            if room < 0:
                raise Unreadable(ProblemKind.DAMAGED, Clause.CELLS_APART)
            numbers, first = formatted.get(name), (sheet.start or (0, 0))[1]
            for number, row in enumerate(sheet.iter_rows()):
                if numbers:
                    row = [numbers.get((number, column), cell) for column, cell in enumerate(row, first)]
                if line := _line(row):
                    collected.add(line + ROW_END)
                if collected.full:
                    return collected, len(names)
    except PasswordError as error:
        raise Unreadable(ProblemKind.ENCRYPTED) from error
    except BaseException as error:  # a Rust panic is not an Exception, and its type cannot be imported
        if not isinstance(error, CalamineError) and type(error).__name__ != "PanicException":
            raise
        raise Unreadable(ProblemKind.DAMAGED, Clause.READER_REFUSED, reader="calamine") from error
    return collected, len(names)


def _line(row: list[Any]) -> str:
    """Return the cells of a row up to the last that has content; "" if none has."""
    if row.count("") == len(row):  # as most rows before a stray cell
        return ""
    cells = [_cell_text(cell) if cell != "" else "" for cell in row]  # most cells are empty: skip them first
    while cells and not cells[-1]:
        cells.pop()
    return _MANY_EMPTY.sub(CELL_END * (MOST_EMPTY + 1), "".join(cell + CELL_END for cell in cells))


def _precise(number: float) -> str:
    """Return a number with the 15 digits that workbooks keep, without zeros at their end."""
    return f"{number:.15g}"


def _measured(number: float) -> str:
    """Return a number without its last digits, in which computations by other programs may differ."""
    return f"{number:.12g}"


def _cell_text(cell: object) -> str:
    """Return a cell's value as people read it: integers without a point, dates in ISO format."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else _precise(cell)
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time(0) else cell.isoformat(" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return str(cell).strip() if cell is not None else ""


_ROUNDING: Final = Context(prec=330, rounding=ROUND_HALF_UP, traps=[])  # digits enough for the largest number
# Formats that need no declaration.
_BUILT_IN: Final = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 15: "d-mmm-yy", 16: "d-mmm",
    17: "mmm-yy", 18: "h:mm AM/PM", 19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 39: "#,##0.00", 40: "#,##0.00",
}  # fmt: skip
_STYLES: Final = "xl/styles.xml"
_CELL = re.compile(
    rb"<c\s([^<>]{0,200})>((?:<f[^<>]{0,200}>[^<>]{0,8000}</f>|<f[^<>]{0,200}/>)?)<v>(-?[\d.]{1,30}(?:E[-+]?\d{1,3})?)</v></c>"
)
_STYLE = re.compile(rb'\bs="(\d{1,6})"')
_TYPE = re.compile(rb'\s?\bt="(\w{1,10})"')
_LITERAL = re.compile(
    r'"([^"]{0,40})"|\\(.)|\[\$([^\]\-]{0,10})[^\]]{0,20}\]|\[(?:Black|Red|Blue|Green)\]|_.|\*.', re.I
)
_NUMBER = re.compile(r"([#,0]*0?)(?:\.([0#]{1,15}))?(%?)")
_AROUND = re.compile(r"[\s()+\-$€£¥:/]{0,10}")  # what is before and after a number
_BETWEEN = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')  # between two sections, not within quotes
_PLACEHOLDER: Final = "\ue000"  # of a literal
_LOCAL = re.compile(r"\[\$-(?!(?:0{0,3}|F[48]00|[0-9A-F]{0,4}[0-9A-F]09)\])[^\]]*\].*mmm", re.I)  # not in English
_DATE_PART = re.compile(
    r"(?P<minute>(?<=h[:.\ue000])mm?(?!m)|(?<=h\][:.\ue000])mm?(?!m)|mm?(?=[:.\ue000]s))|\[h{1,2}\]|y{4}|yy|m{1,4}|d{1,4}|hh?|ss?|am/pm|上午/下午",
    re.I,
)
_NO_DATE = re.compile(r"[a-z0-9#?@%\[\]]", re.I)  # beside the parts of a date: eras, elapsed minutes, fractions
_IN_HAN: Final = "[DBNum1]"  # before a date whose numbers are in Chinese characters
_SHORT_YEAR = re.compile(r"(?<!y)yy(?!y)", re.I)
_FIGURE = re.compile("[0#]")
_DIGITS = re.compile("[0-9]+")
# Parts of a date, as Python formats them; those of twelve hours, and minutes, differ.
_AS_PYTHON: Final = {
    "yyyy": "{0:%Y}", "yy": "{0:%y}", "mmmm": "{0:%B}", "mmm": "{0:%b}", "mm": "{0:%m}", "m": "{0.month}",
    "dddd": "{0:%A}", "ddd": "{0:%a}", "dd": "{0:%d}", "d": "{0.day}", "hh": "{0:%H}", "h": "{0.hour}",
    "ss": "{0:%S}", "s": "{0.second}", "am/pm": "{0:%p}", "上午/下午": "{noon}", "[h]": "{hours}", "[hh]": "{hours:02}",
}  # fmt: skip
_FIRST_DAY: Final = datetime(1899, 12, 30)
_OTHER_DAY: Final = timedelta(397)  # after so many days, every part of a date differs
_RIGHT_DAYS: Final = range(61, 2_958_000)  # from March 1900, before which Excel counts a day too many, to the year 9999
_LONGEST: Final = 200  # characters of a format


_Formatted = dict[tuple[int, int], str]  # numbers as people see them, by row and column


def _formatted_numbers(book: bytes, stored: list[str]) -> Mapping[str, _Formatted]:
    """Return the formatted numbers of each sheet of an XLS workbook ([MS-XLS] 2.4).

    book: the Workbook stream. stored: receives these numbers as they are.
    """
    codes, styles, names = dict(_BUILT_IN), list[int](), dict[int, str]()
    sheets, position, dates = dict[str, _Formatted](), 0, True
    numbers: _Formatted = {}
    for kind, content in _records(book):
        with suppress(struct.error, IndexError):
            if kind == _BEGINNING:
                numbers = sheets.setdefault(names.get(position, ""), {})
            elif kind == _SHEET_NAME:
                names[struct.unpack_from("<I", content)[0]] = _text_in(content[7:], content[6])
            elif kind == _FORMAT:
                code_number, length = struct.unpack_from("<HH", content)
                codes[code_number] = _text_in(content[4:], length)
            elif kind == _STYLE_RECORD:
                styles.append(struct.unpack_from("<2xH", content)[0])
            elif kind == _DATES_1904:
                dates = content[:1] != b"\1"
            for row, column, style, number in _numbers_in(kind, content):
                if text := shown_number(number, codes.get(styles[style], ""), dates=dates):
                    numbers[row, column] = text
                    stored.append(_measured(number))
        position += 4 + len(content)
    return sheets


def _text_in(content: bytes, length: int) -> str:
    """Return a text of a record: a byte tells whether a character takes two bytes. Raises IndexError."""
    wide = content[0] & 1
    return content[1 : 1 + length * (1 + wide)].decode("utf-16-le" if wide else "latin-1", "replace")


def _numbers_in(kind: int, content: bytes) -> Iterator[tuple[int, int, int, float]]:
    """Yield (row, column, style, number) of each number in a record. Raises struct.error."""
    if kind == _NUMBER_CELL or (kind == _FORMULA_CELL and content[12:14] != b"\xff\xff"):  # whose result is a number
        yield struct.unpack_from("<HHHd", content)
    elif kind in (_PACKED_CELL, _PACKED_CELLS):
        row, column = struct.unpack_from("<HH", content)
        for start in range(4, len(content) - 5, 6):
            style, packed = struct.unpack_from("<Hi", content, start)
            # Two bits tell whether it is a whole number, and hundredths; else it is the first half of a float.
            bits = (packed & ~3) & 0xFFFFFFFF
            number = packed >> 2 if packed & 2 else struct.unpack("<d", struct.pack("<II", 0, bits))[0]
            yield row, column + (start - 4) // 6, style, number / 100 if packed & 1 else number


def formats_of(package: Package) -> Mapping[int, str]:
    """Return the number formats of cells that do not show numbers as they are stored, by the number of the style."""
    codes, styles = dict(_BUILT_IN), {}
    try:
        for element in elements(package.read(_STYLES), ("numFmt", "cellXfs")):
            if element.tag.endswith("}numFmt"):
                codes[int(element.get("numFmtId", "-1"))] = element.get("formatCode", "")
            else:
                numbers = [int(style.get("numFmtId", "0")) for style in element if isinstance(style.tag, str)]
                styles = {index: codes[number] for index, number in enumerate(numbers) if number in codes}
    except (Unreadable, ValueError):  # missing, or damaged
        return {}
    dates = not (package.has(_MAIN) and b'date1904="1"' in package.read(_MAIN))
    sample = _RIGHT_DAYS[0]
    return {style: code for style, code in styles.items() if shown_number(sample, code, dates=dates) is not None}


def with_shown_numbers(sheet: bytes, formats: Mapping[int, str], stored: list[str]) -> bytes:
    """Return the source of a sheet whose formatted numbers are texts. stored: receives the numbers."""

    def as_text(cell: re.Match[bytes]) -> bytes:
        style, kind = _STYLE.search(cell.group(1)), _TYPE.search(cell.group(1))
        code = formats.get(int(style.group(1))) if style else None
        if code is None or (kind is not None and kind.group(1) != b"n"):
            return cell.group()
        text = shown_number(float(cell.group(3)), code)
        attributes = _TYPE.sub(b"", cell.group(1))
        if not text:
            return cell.group()
        stored.append(_measured(float(cell.group(3))))
        return b'<c %s t="str">%s<v>%s</v></c>' % (attributes, cell.group(2), escape(text).encode())

    return _CELL.sub(as_text, sheet)


def shown_number(number: float, code: str, *, dates: bool = True) -> str | None:
    """Return a number or a date as a format shows it.

    None for fractions, conditions, names of months in other languages, and formats that change nothing.
    dates: False for a workbook that counts days from 1904, whose dates are left to calamine.
    """
    sections = _sections(code)
    if not sections or (isinstance(sections[0], str) and not dates):
        return None
    negative = number < 0 and len(sections) > 1
    section = sections[2 if number == 0 and len(sections) > 2 else int(negative)]
    if section is None:
        return None
    if isinstance(section, str):
        return _shown_date(number, section)
    value = (abs(number) if negative else number) * (100 if section.percent else 1)
    # Workbooks round a half up, away from 0.
    rounded = Decimal(_precise(value)).quantize(section.unit, context=_ROUNDING)
    digits = format(rounded or abs(rounded), section.digits)
    return f"{section.before}{digits.zfill(section.least)}{section.after}"


class _Section(NamedTuple):
    """One section of a format: what is before and after the number, its format in Python, and its least digits.

    unit: of the last digit that is shown, such as 0.01.
    """

    before: str
    digits: str
    unit: Decimal
    percent: bool
    least: int
    after: str


@lru_cache(maxsize=1000)
def _sections(code: str) -> tuple[_Section | str | None, ...]:
    """Return the sections of a format: of positive numbers or all, of negative ones, of 0. None: not understood.

    The section of a date is a pattern for `str.format`, which inserts a datetime and `hour`, from 1 to 12, `noon` and
    `hours` since the first day. So is a section without a number, such as the "-" of amounts that are 0.
    """
    sections = _BETWEEN.split(unescape(code)) if len(code) < _LONGEST else []
    if len(sections) > 2 and not _FIGURE.search(sections[2]):
        sections[2] = sections[2].replace("?", "")  # a space as wide as a figure, beside the "-" of 0
    return tuple(map(_section, sections))


def _section(section: str) -> _Section | str | None:
    """Return what a section of a format means."""
    literals: list[str] = []

    def put_aside(literal: re.Match[str]) -> str:
        literals.append(literal.group(1) or literal.group(2) or literal.group(3) or "")
        return _PLACEHOLDER

    written = section.replace(_IN_HAN, "")
    masked = _LITERAL.sub(put_aside, written)
    if _DATE_PART.search(masked):
        is_other = _LOCAL.search(section) or (written != section and _SHORT_YEAR.search(masked))
        pattern = None if is_other else _date_section(masked, iter(literals))
        return pattern and (_IN_HAN if written != section else "") + pattern
    if not masked.strip(f"- {_PLACEHOLDER}"):
        return _date_section(masked, iter(literals))
    number = None if written != section else next((match for match in _NUMBER.finditer(masked) if match.group(1)), None)
    if number is None or number.group(1).endswith(",") or "#" in (number.group(2) or ""):
        return None
    before, after = masked[: number.start()], masked[number.end() :]
    if not _AROUND.fullmatch((before + after).replace(_PLACEHOLDER, "")):
        return None
    whole, decimals, percent = number.groups()
    following = iter(literals)
    before, after = (re.sub(_PLACEHOLDER, lambda _: next(following), side) for side in (before, percent + after))
    grouped, places = "," if "," in whole else "", len(decimals or "")
    least = len(whole.replace("#", "")) if not grouped and not places else 0
    unit = Decimal(1).scaleb(-places)
    return _Section(before.lstrip(), f"{grouped}.{places}f", unit, bool(percent), least, after.rstrip())


def _date_section(masked: str, literals: Iterator[str]) -> str | None:
    """Return the section of a date as in `_sections`; None if it has other parts. literals: for each _PLACEHOLDER."""
    has_twelve_hours = any(noon in masked.lower() for noon in ("am/pm", "上午/下午"))

    def part(match: re.Match[str]) -> str:
        name = match.group().lower()
        if match["minute"]:
            return "{0:%M}" if len(name) == 2 else "{0.minute}"
        if has_twelve_hours and name[0] == "h":
            return "{0:%I}" if len(name) == 2 else "{hour}"
        return _AS_PYTHON[name]

    if _NO_DATE.search(_DATE_PART.sub("", masked)):
        return None
    pattern = _DATE_PART.sub(part, _escaped(masked))
    return re.sub(_PLACEHOLDER, lambda _: _escaped(next(literals)), pattern).strip()


def _escaped(text: str) -> str:
    """Return a text as it is written in a format in Python."""
    return text.replace("{", "{{").replace("}", "}}")


def _shown_date(number: float, pattern: str) -> str | None:
    """Return a date, or a time alone, as a result of `_date_section` shows it."""
    if "{" not in pattern.replace("{{", ""):  # no part of a date
        return pattern.format() or None
    days = int(number) if 0 <= number < _RIGHT_DAYS[-1] else -1
    is_elapsed = "{hours" in pattern
    if days not in _RIGHT_DAYS and days != 0 and not (is_elapsed and days > 0):
        return None
    moment = _FIRST_DAY + timedelta(seconds=round(number * 86_400))
    text, other_text = (_shown_moment(day, pattern) for day in (moment, moment + _OTHER_DAY))
    return text if days or is_elapsed or text == other_text else None


def _shown_moment(moment: datetime, pattern: str) -> str:
    """Return a moment as a result of `_section` shows it."""
    hours = (moment - _FIRST_DAY) // timedelta(hours=1)
    noon = "上午" if moment.hour < 12 else "下午"
    text = pattern.removeprefix(_IN_HAN).format(moment, hour=moment.hour % 12 or 12, noon=noon, hours=hours)
    return _DIGITS.sub(lambda digits: _in_han(digits.group()), text) if pattern.startswith(_IN_HAN) else text


def _in_han(digits: str) -> str:
    """Write a number in Chinese characters, a year digit by digit."""
    return written_number(int(digits), "ideographDigital" if len(digits) == len("2024") else "chineseCounting")
