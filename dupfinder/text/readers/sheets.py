"""Read Excel spreadsheets, XLSX and XLS: the cells, row by row."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from io import BytesIO
from typing import Any

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import Collected, Unreadable
from dupfinder.text.document import Beside, Extracted, MediaType, OtherContent, all_unknown
from dupfinder.text.readers.compound import compound_facts, opened_compound, refuse_loops, stream_of
from dupfinder.text.readers.package import COMPOUND, Package, core_facts, elements, opened
from dupfinder.text.readers.sheetbeside import add_workbook, cell_notes

MAX_CELLS = 30_000_000  # of one sheet, empty cells included, 32 bytes each; larger sheets are read cell by cell
_COMMENTS = re.compile(r"xl/(?:comments/?|threadedComments/\w{0,20})\w{0,20}\.xml")


def read_xlsx(data: bytes) -> Extracted:
    """Return the cells of all sheets. Raises Unreadable for packages that unpack out of proportion."""
    with opened(data) as package:
        package.check_sizes()
        facts = core_facts(package)
        streams = _comments(package)
        beside = Beside()
        add_workbook(package, beside)
    collected, sheets = _cells(data)
    return Extracted(
        collected.text().strip("\n"),
        MediaType.XLSX,
        "calamine",
        streams=streams,
        pages=sheets,
        partial=collected.full,
        other=beside.hashes(MediaType.XLSX),
        **facts,
    )


def read_xls(data: bytes) -> Extracted:
    """Return the cells of all sheets of an Excel 97-2003 workbook."""
    facts = _summary(data)
    collected, sheets = _cells(data)
    return Extracted(
        collected.text().strip("\n"),
        MediaType.XLS,
        "calamine",
        pages=sheets,
        partial=collected.full,
        **facts,
    )


def _summary(data: bytes) -> dict[str, Any]:
    """Return properties, comments (as streams) and other content of an Excel 97-2003 workbook.

    Workbooks of older versions have none.
    Raises Unreadable for compound files with oversized or endless tables, for which calamine would allocate memory.
    """
    if not data.startswith(COMPOUND):
        return {"other": all_unknown(MediaType.XLS)}
    with opened_compound(data) as store:
        refuse_loops(store)
        beside = Beside()
        notes = cell_notes(stream_of(store, "Workbook"), beside)
        beside.unknown(*_hidden_in(store))
        streams = {"comments": notes} if notes else {}
        return {**compound_facts(store), "streams": streams, "other": beside.hashes(MediaType.XLS)}


def _hidden_in(store: Any) -> Iterable[OtherContent]:
    """Return the kinds of other content that a workbook holds, or may hold, and that are not read."""
    names = {path[0] for path in store.listdir()}
    if "Workbook" not in names:  # written by an older Excel
        return OtherContent
    objects = any(name.startswith("MBD") for name in names) or "_VBA_PROJECT_CUR" in names
    changes = "Revision Log" in names
    return [OtherContent.ATTACHMENTS] * objects + [OtherContent.TRACKED_CHANGES] * changes


def read_xlsx_slowly(data: bytes) -> Extracted:
    """Return the cells by parsing the sheets: for workbooks with distant cells, whose tables would not fit into memory.

    Numbers are returned as stored; only `read_xlsx` knows which of them are dates.
    """
    collected = Collected()
    with opened(data) as package:
        shared = _shared_texts(package)
        sheets = sorted(name for name in package.names if name.startswith("xl/worksheets/sheet"))
        for name in sheets:
            for row in _rows(package.read(name), shared):
                collected.add("\t".join(row) + "\n")
        facts = core_facts(package)
        streams = _comments(package)
        beside = Beside()
        add_workbook(package, beside)
    return Extracted(
        collected.text().strip("\n"),
        MediaType.XLSX,
        "xlsx-walk",
        streams=streams,
        pages=len(sheets),
        partial=collected.full,
        other=beside.hashes(MediaType.XLSX),
        **facts,
    )


def _comments(package: Package) -> dict[str, str]:
    """Return the comments on cells as a stream, old and threaded ones; {} if there are none."""
    collected = Collected()
    for name in sorted(name for name in package.names if _COMMENTS.fullmatch(name)):
        for element in elements(package.read(name), ("text",)):
            pieces = [element.text or "", *(piece.text or "" for piece in element.iter("{*}t"))]
            collected.add("".join(pieces).strip() + "\n")
            element.clear()
    text = collected.text().strip()
    return {"comments": text} if text else {}


def _shared_texts(package: Package) -> list[str]:
    """Return the texts that cells refer to by number, without phonetic hints."""
    name = "xl/sharedStrings.xml"
    if not package.has(name):
        return []
    texts: list[str] = []
    for element in elements(package.read(name), ("si", "rPh")):
        if element.tag.endswith("}si"):
            texts.append("".join(piece.text or "" for piece in element.iter("{*}t")))
        element.clear()
    return texts


def _rows(content: bytes, shared: list[str]) -> Iterator[list[str]]:
    """Yield the cells with content of each row that has some."""
    for row in elements(content, ("row",)):
        cells = [text for cell in row if (text := _stored(cell, shared))]
        row.clear()
        if cells:
            yield cells


def _stored(cell: Any, shared: list[str]) -> str:
    """Return a cell's value as stored."""
    kind = cell.get("t", "n")
    text = "".join(piece.text or "" for piece in cell.iter("{*}t" if kind == "inlineStr" else "{*}v")).strip()
    if kind == "s":
        return shared[int(text)] if text.isdecimal() and int(text) < len(shared) else ""
    if kind == "b":
        return "TRUE" if text == "1" else "FALSE"
    return text


def _cells(data: bytes) -> tuple[Collected, int]:
    """Return the cells of all sheets as text, and the number of sheets. Raises Unreadable."""
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError  # loaded only for spreadsheets

    collected = Collected()
    try:
        book = CalamineWorkbook.from_filelike(BytesIO(data))
        names = book.sheet_names
        for name in names:
            sheet = book.get_sheet_by_name(name)
            if sheet.height * sheet.width > MAX_CELLS:
                raise Unreadable(ProblemKind.DAMAGED, details(Clause.CELLS_APART))
            for row in sheet.iter_rows():
                if line := _line(row):
                    collected.add(line + "\n")
                if collected.full:
                    return collected, len(names)
    except PasswordError as error:
        raise Unreadable(ProblemKind.ENCRYPTED) from error
    except CalamineError as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.READER_REFUSED, reader="calamine")) from error
    except BaseException as error:  # a Rust panic is not an Exception, and its type cannot be imported
        if type(error).__name__ != "PanicException":
            raise
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.READER_REFUSED, reader="calamine")) from error
    return collected, len(names)


def _line(row: Iterable[object]) -> str:
    """Return the cells of a row that have content, separated by tabs."""
    filled = [cell for cell in row if cell != ""]  # most cells are empty: skip them first
    return "\t".join(text for cell in filled if (text := _shown(cell))) if filled else ""


def _shown(cell: object) -> str:
    """Return a cell's value as people read it: integers without a point, dates in ISO format."""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else f"{cell:.12g}"
    if isinstance(cell, datetime):
        return cell.date().isoformat() if cell.time() == time(0) else cell.isoformat(" ")
    if isinstance(cell, date | time):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return str(cell).strip() if cell is not None else ""
