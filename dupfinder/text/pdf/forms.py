"""What people fill in: fields, dynamic forms (XFA), and ticks and amounts in the columns of tables."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.cells import column_numbers, columns_in_rows
from dupfinder.text.document import MAX_PART_BYTES, Unreadable
from dupfinder.text.pdf.order import WORD_GAP
from dupfinder.text.pdf.pdfium import edges_of, wide_string
from dupfinder.text.readers.package import parse_xml


def filled_value(form: Any, annotation: Any, raw: Any) -> list[str]:
    """Return the value of a field, if it has one: its text, or the name of a ticked box."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        value = wide_string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        return [value] if value else []
    is_box = kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
    is_ticked = is_box and raw.FPDFAnnot_IsChecked(form, annotation)
    return [wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)] if is_ticked else []


# A tick or an amount behind other words of its line.
LEAST_ROWS = 2  # of a table
COLUMN = 4  # points; edges closer than about this are in one column
_SHORT_CELL = re.compile(r" (?<=\S )([xX✓✔✗✘√☒☑]|[-−+]?[$€£¥]?\d[\d.,]*[%€]?)(?=\s|\Z)")


def filled_columns(text: str, textpage: Any, raw: Any) -> str:
    """Return in which columns ticks and amounts are in the tables of a page; "" for none. raw: pypdfium2.raw.

    The same amount may be below "Debit" or below "Credit". Only tables with a row that leaves out a column count.
    """
    lines: dict[int, list[re.Match[str]]] = {}
    number = end = 0
    for short in _SHORT_CELL.finditer(text):
        number, end = number + text.count("\n", end, short.start()), short.start()
        lines.setdefault(number, []).append(short)
    in_rows = [line for line in lines if line - 1 in lines or line + 1 in lines]
    if not in_rows or raw.FPDFText_CountChars(textpage) != len(text):
        return ""
    tables: list[list[list[tuple[int, int]]]] = [[]]
    for before, line in pairwise([-1, *in_rows]):
        cells = [cell for short in lines[line] if (cell := _cell_edges(short, textpage, raw))]
        if line > before + 1 or not cells:
            tables.append([])
        if cells:
            tables[-1].append(cells)
    return " ".join(row for table in tables if len(table) >= LEAST_ROWS for row in _columns_of(table))


def _cell_edges(short: re.Match[str], textpage: Any, raw: Any) -> tuple[int, int] | None:
    """Return the left and the right edge of a short cell; None if it is no wide gap away from the word before it."""
    start, end = short.span(1)
    (left, right), (_, before) = edges_of(textpage, start, raw), edges_of(textpage, start - 2, raw)
    if left - before <= WORD_GAP * max(right - left, 1):
        return None
    return round(left / COLUMN), round(edges_of(textpage, end - 1, raw)[1] / COLUMN)


def _columns_of(table: list[list[tuple[int, int]]]) -> list[str]:
    """Return the numbers of the columns of the cells of each row, aligned left or right, as `columns_in_rows`."""
    by_side = [column_numbers({cell[side] for row in table for cell in row}) for side in (0, 1)]
    side = int(max(by_side[1].values()) < max(by_side[0].values()))
    return columns_in_rows([[by_side[side][cell[side]] for cell in row] for row in table])


_LONGEST_PACKET_NAME = 64  # bytes
_FORM_PACKETS = ("template", "datasets", "")  # the last holds all of them
# Choices, hints, scripts and their messages.
_NOT_SHOWN = frozenset(("items", "assist", "event", "validate", "calculate", "variables", "desc", "config"))


def lines_of_form(document: Any, raw: Any) -> list[str]:
    """Return the labels and values of a dynamic form (XFA), stored as XML: its pages only ask for another viewer.

    raw: pypdfium2.raw. Raises Unreadable.
    """
    lines: list[str] = []
    for index in range(raw.FPDF_GetXFAPacketCount(document.raw)):
        name = ctypes.create_string_buffer(_LONGEST_PACKET_NAME)
        length = raw.FPDF_GetXFAPacketName(document.raw, index, name, _LONGEST_PACKET_NAME)
        if length <= _LONGEST_PACKET_NAME and name.value.decode("ascii", "replace") in _FORM_PACKETS:
            try:
                lines += filter(None, _lines_of_element(parse_xml(_form_part(document, index, raw))))
            except Unreadable as trouble:  # no other reader may take what the pages say for the text
                raise Unreadable(trouble.kind, trouble.details, final=True) from trouble
    return lines


def _form_part(document: Any, index: int, raw: Any) -> bytes:
    """Return the bytes of a packet."""
    length = ctypes.c_ulong()
    raw.FPDF_GetXFAPacketContent(document.raw, index, None, 0, length)
    if length.value > MAX_PART_BYTES:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part="XFA", megabytes=MAX_PART_BYTES >> 20)
    content = ctypes.create_string_buffer(length.value)
    raw.FPDF_GetXFAPacketContent(document.raw, index, content, length.value, length)
    return content.raw


def _lines_of_element(element: Any, is_data: bool = False) -> Iterator[str]:
    """Yield the texts of an element and of those below it that are shown. is_data: it is a value."""
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "event"
    if is_data or name == "data":
        yield " ".join((element.text or "").split())
    elif name in ("text", "p"):
        yield " ".join("".join(element.itertext()).split())
        return
    elif name in _NOT_SHOWN:
        return
    for child in element:
        yield from _lines_of_element(child, is_data or name == "data")
