"""Spreadsheets of Excel, new (XLSX) and old (XLS): the cells, row by row."""

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

MAX_CELLS = 30_000_000  # of one sheet with the empty ones between, 32 bytes each; farther ones are read one by one
_COMMENTS = re.compile(r"xl/(?:comments/?|threadedComments/\w{0,20})\w{0,20}\.xml")


def read_xlsx(data: bytes) -> Extracted:
    """The cells of every sheet that is not hidden by its maker's intent, after the package was found bearable."""
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
    """The cells of every sheet of a workbook of Excel 97-2003."""
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
    """What a workbook of Excel 97-2003 says of itself, with its comments as streams, and what is beside its words.

    Older workbooks say nothing.

    Raises Unreadable for a compound file whose tables claim more than it holds, or never end: calamine would make room.
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
    """The kinds that a workbook of Excel 97-2003 holds, or may hold, where they are not looked at."""
    names = {path[0] for path in store.listdir()}
    if "Workbook" not in names:  # that of an older Excel
        return OtherContent
    objects = any(name.startswith("MBD") for name in names) or "_VBA_PROJECT_CUR" in names
    changes = "Revision Log" in names
    return [OtherContent.ATTACHMENTS] * objects + [OtherContent.TRACKED_CHANGES] * changes


def read_xlsx_slowly(data: bytes) -> Extracted:
    """The cells by a walk over the sheets: for workbooks whose far corners make a table too large for memory.

    Numbers come as they are stored; which of them are dates, only the first reader says.
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
    """What readers remarked on cells, if they did: old comments and those that can be answered."""
    collected = Collected()
    for name in sorted(name for name in package.names if _COMMENTS.fullmatch(name)):
        for element in elements(package.read(name), ("text",)):
            pieces = [element.text or "", *(piece.text or "" for piece in element.iter("{*}t"))]
            collected.add("".join(pieces).strip() + "\n")
            element.clear()
    text = collected.text().strip()
    return {"comments": text} if text else {}


def _shared_texts(package: Package) -> list[str]:
    """The texts that cells name by number; phonetic hints left out."""
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
    """The filled cells of each row that has some."""
    for row in elements(content, ("row",)):
        cells = [text for cell in row if (text := _stored(cell, shared))]
        row.clear()
        if cells:
            yield cells


def _stored(cell: Any, shared: list[str]) -> str:
    """A cell's value as the sheet stores it."""
    kind = cell.get("t", "n")
    text = "".join(piece.text or "" for piece in cell.iter("{*}t" if kind == "inlineStr" else "{*}v")).strip()
    if kind == "s":
        return shared[int(text)] if text.isdecimal() and int(text) < len(shared) else ""
    if kind == "b":
        return "TRUE" if text == "1" else "FALSE"
    return text


def _cells(data: bytes) -> tuple[Collected, int]:
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError  # spreadsheets alone need it

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
    except BaseException as error:  # a panic of a Rust library is no Exception, and its type has no module to import
        if type(error).__name__ != "PanicException":
            raise
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.READER_REFUSED, reader="calamine")) from error
    return collected, len(names)


def _line(row: Iterable[object]) -> str:
    """A row's cells that are filled, tabs between."""
    filled = [cell for cell in row if cell != ""]  # most cells are empty, and looked at fastest so
    return "\t".join(text for cell in filled if (text := _shown(cell))) if filled else ""


def _shown(cell: object) -> str:
    """A cell's value as a person reads it: whole numbers without a point, dates in ISO order."""
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
