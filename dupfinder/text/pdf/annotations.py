"""What is beside the words of pages: remarks, links, attachments, pictures, drawings, and what people filled in."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, repeat
from typing import Any, NamedTuple

import pypdfium2.raw as raw

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import MAX_PART_BYTES, OtherContent, OtherHashes, Unreadable, digest
from dupfinder.text.lines import columns_in_rows
from dupfinder.text.pdf.letters import WORD_GAP
from dupfinder.text.pdf.pdfium import MOST_ON_A_PAGE, Box, bounds_of, edges_of, middle_of, wide_string
from dupfinder.text.readers.package import parse_xml

USUAL_ADDRESS = 512  # bytes of a link, for which there is room at once
MOST_ATTACHED = 64 << 20  # bytes of an attached file
MOST_IN_A_DICTIONARY = 4096  # bytes between a stream's /Subtype and its start


@dataclass
class Annotations:
    """What was found beside the words of the pages.

    filled:    form values and typed text, which are appended to the text.
    footnotes: the lines of footnotes, which follow the text too.
    comments:  remarks of readers.
    other:     hashes of all other content.
    printed:   of each page of a printed web page, the lines before any correction.
    left_out:  lines of site chrome, and running heads of printed sheets.
    rows:      the rows of each page of a printed workbook.
    steps:     how many pages are left out, since the next one has all of their lines.
    """

    filled: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    other: OtherHashes = field(default_factory=OtherHashes)
    printed: list[list[PrintedLine]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    rows: list[SheetRows] = field(default_factory=list)
    steps: int = 0


def add_annotations(page: Any, document: Any, links: Iterable[Link], annotations: Annotations) -> None:
    """Add the annotations of a page to `annotations`.

    links: of the page. Fields need the document's form environment, which may be None.
    """
    form, raw_page = document.formenv, page.raw
    count = raw.FPDFPage_GetAnnotCount(raw_page)
    if count > MOST_ON_A_PAGE:
        annotations.other.unknown(OtherContent.COMMENTS, OtherContent.FORM_FIELDS, OtherContent.LINKS)
    for index in range(min(MOST_ON_A_PAGE, count)):
        annotation = raw.FPDFPage_GetAnnot(raw_page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            is_shown = not raw.FPDFAnnot_GetFlags(annotation) & raw.FPDF_ANNOT_FLAG_HIDDEN
            if kind == raw.FPDF_ANNOT_WIDGET and form is not None:
                filled = filled_value(form, annotation)
                annotations.filled.extend(filled if is_shown else ())
                name = wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
                annotations.other.add(OtherContent.FORM_FIELDS, name, *filled)
            elif kind == raw.FPDF_ANNOT_FREETEXT and is_shown:
                annotations.filled.extend(_contents(annotation))
            elif kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_POPUP):
                remarks = _contents(annotation)
                annotations.comments.extend(remarks)
                author = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"T")
                annotations.other.add(OtherContent.COMMENTS, str(kind), author, *remarks)
                if kind == raw.FPDF_ANNOT_FILEATTACHMENT:  # pdfium cannot read its file
                    annotations.other.unknown(OtherContent.ATTACHMENTS)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    addresses = [link.address for link in links if link.address is not None]
    annotations.other.add_each(OtherContent.LINKS, addresses)


def add_files(document: Any, data: bytes, other: OtherHashes) -> None:
    """Add the attachments of a document and the pictures stored in its file.

    Pictures are compared by their stored bytes, wherever they are shown.
    """
    for index in range(raw.FPDFDoc_GetAttachmentCount(document)):
        attachment = raw.FPDFDoc_GetAttachment(document, index)
        name = wide_string(raw.FPDFAttachment_GetName, attachment)
        other.add(OtherContent.ATTACHMENTS, name, _file_digest(attachment))
    pictures = sorted(set(map(digest, stored_pictures(data))))
    if pictures:
        # Encryption makes the bytes differ from file to file.
        other.add(OtherContent.PICTURES, *(pictures if b"/Encrypt" not in data else [None]))


def _file_digest(attachment: Any) -> bytes | None:
    """Return a hash of an attached file; None if it cannot be read or is too large."""
    length = ctypes.c_ulong()
    if not raw.FPDFAttachment_GetFile(attachment, None, 0, length) or length.value > MOST_ATTACHED:
        return None
    buffer = ctypes.create_string_buffer(max(1, length.value))
    if not raw.FPDFAttachment_GetFile(attachment, buffer, length.value, length):
        return None
    return digest(buffer.raw[: length.value])


def stored_pictures(data: bytes) -> Iterator[bytes]:
    """Yield the stored bytes of the picture streams in a PDF file, replaced versions included."""
    position = 0
    while (position := data.find(b"/Image", position)) >= 0:
        position += len(b"/Image")
        if not data[max(0, position - 40) : position - len(b"/Image")].rstrip().endswith(b"/Subtype"):
            continue
        start = data.find(b"stream", position, position + MOST_IN_A_DICTIONARY)
        if start < 0:
            continue
        end = data.find(b"endstream", start)
        if end < 0:
            return
        yield data[start + len(b"stream") : end].strip(b"\r\n")
        position = end


def _target(document: Any, annotation: Any) -> bytes | None:
    """Return the address of a link; None for one within the document."""
    action = raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
    if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
        return None
    buffer = ctypes.create_string_buffer(USUAL_ADDRESS)
    length = raw.FPDFAction_GetURIPath(document, action, buffer, USUAL_ADDRESS)
    if length > USUAL_ADDRESS:
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(document, action, buffer, length)
    return buffer.raw[: max(0, length - 1)]


def _contents(annotation: Any) -> list[str]:
    text = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    return [text] if text else []


class Link(NamedTuple):
    """Where a link is on a page, and its address; None if it leads to a place in the document."""

    box: Box
    address: bytes | None


def links_of(page: Any) -> list[Link]:
    """Return the links of a page."""
    links = []
    for index in range(min(MOST_ON_A_PAGE, raw.FPDFPage_GetAnnotCount(page.raw))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if annotation and raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_LINK:
            sides = raw.FS_RECTF()
            raw.FPDFAnnot_GetRect(annotation, sides)
            box = Box(sides.left, sides.right, sides.bottom, sides.top)
            links.append(Link(box, _target(page.pdf.raw, annotation)))
        if annotation:
            raw.FPDFPage_CloseAnnot(annotation)
    return links


class Tagged(NamedTuple):
    """Where words are in a web page.

    block:     the number of the paragraph, heading, item or cell that contains them; 0: none.
    is_label:  whether they are the number of a list item.
    is_chrome: whether they are in an element that is no content.
    article:   the number of the article on the page; 0: outside articles.
    """

    block: int = 0
    is_label: bool = False
    is_chrome: bool = False
    article: int = 0


class PrintedLine(NamedTuple):
    """A line of a printed web page.

    unlinked:  with a sign for each link.
    tagged:    None for a line in no element.
    addresses: of the links.
    """

    text: bytes
    unlinked: bytes
    tagged: Tagged | None
    addresses: Sequence[bytes] = ()


class PrintedWord(NamedTuple):
    """A word of a printed sheet. height: of its row, in points. left, right: its edges, in widths of the page."""

    height: int
    left: float
    right: float
    text: str


SheetRows = dict[int, list[PrintedWord]]
"""The rows of a page of a printed sheet by their heights, from the top."""


def filled_value(form: Any, annotation: Any) -> list[str]:
    """Return the value of a field, if it has one: its text, or the name of a ticked box."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        value = wide_string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        return [value] if value else []
    is_box = kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
    is_ticked = is_box and raw.FPDFAnnot_IsChecked(form, annotation)
    return [wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)] if is_ticked else []


LEAST_ROWS = 2  # of a table
COLUMN = 4  # points; edges closer than about this are in one column
# A tick or an amount behind other words of its line.
_SHORT_CELL = re.compile(r" (?<=\S )([xX✓✔✗✘√☒☑]|[-−+]?[$€£¥]?\d[\d.,]*[%€]?)(?=\s|\Z)")


def filled_columns_of_page(text: str, textpage: Any) -> str:
    """Return the columns of the ticks and amounts in the tables of a page; "" for none.

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
        cells = [cell for short in lines[line] if (cell := _cell_edges(short, textpage))]
        if line > before + 1 or not cells:
            tables.append([])
        if cells:
            tables[-1].append(cells)
    return " ".join(row for table in tables if len(table) >= LEAST_ROWS for row in columns_in_rows(table))


def _cell_edges(short: re.Match[str], textpage: Any) -> tuple[int, int] | None:
    """Return the left and right edge of a short cell, in units of COLUMN; None if the gap before it is not wide."""
    start, end = short.span(1)
    (left, right), (_, before) = edges_of(textpage, start), edges_of(textpage, start - 2)
    if left - before <= WORD_GAP * max(right - left, 1):
        return None
    return round(left / COLUMN), round(edges_of(textpage, end - 1)[1] / COLUMN)


_LONGEST_PACKET_NAME = 64  # bytes
_FORM_PACKETS = ("template", "datasets", "")  # the last holds all of them
# Choices, hints, scripts and their messages.
_NOT_SHOWN = frozenset(("items", "assist", "event", "validate", "calculate", "variables", "desc", "config"))


def lines_of_form(document: Any) -> list[str]:
    """Return the labels and values of a dynamic form (XFA), which are stored as XML.

    The pages of such a file only ask for another viewer.
    Raises Unreadable.
    """
    lines: list[str] = []
    for index in range(raw.FPDF_GetXFAPacketCount(document.raw)):
        name = ctypes.create_string_buffer(_LONGEST_PACKET_NAME)
        length = raw.FPDF_GetXFAPacketName(document.raw, index, name, _LONGEST_PACKET_NAME)
        if length <= _LONGEST_PACKET_NAME and name.value.decode("ascii", "replace") in _FORM_PACKETS:
            try:
                lines += filter(None, _lines_of_element(parse_xml(_form_part(document, index))))
            except Unreadable as trouble:  # no other reader may take what the pages say for the text
                raise Unreadable(trouble.kind, trouble.details, final=True) from trouble
    return lines


def _form_part(document: Any, index: int) -> bytes:
    length = ctypes.c_ulong()
    raw.FPDF_GetXFAPacketContent(document.raw, index, None, 0, length)
    if length.value > MAX_PART_BYTES:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part="XFA", megabytes=MAX_PART_BYTES >> 20)
    content = ctypes.create_string_buffer(length.value)
    raw.FPDF_GetXFAPacketContent(document.raw, index, content, length.value, length)
    return content.raw


def _lines_of_element(element: Any, is_data: bool = False) -> Iterator[str]:
    """Yield the shown texts of an element and of the elements in it. is_data: whether it is a value."""
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


MOST_PAINTED = 20_000  # objects of a page that are looked at; each letter may be one
MOST_BOXES, MOST_HIDDEN = 500, 1000  # boxes of a page that may hide words, and characters below each: bound the time
LINE, WIDEST_LINE = 2, 4  # segments of a line, its start included; points
RECTANGLE = 5  # segments, start and end included
WHITE = 255  # each part of its colour


def add_drawings(page: Any, textpage: Any, other: OtherHashes) -> None:
    """Add the drawings on a page, but no lines, frames, and grounds of words, and words that paths hide."""
    paths = _paths(page)
    shapes = [
        repr([segments, *map(round, bounds_of(path))]).encode() for _, path in paths if (segments := _segments(path))
    ]
    other.add_each(OtherContent.PICTURES, shapes)
    other.add_text(OtherContent.PICTURES, "\n".join(_shown_by_boxes(page, textpage, paths)))


def _paths(page: Any) -> list[tuple[int, Any]]:
    """Return the paths on a page and their positions among its objects."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    kinds = _kinds_of_objects(ctypes.cast(page.raw, ctypes.c_void_p).value, count)
    positions = [position for position, kind in enumerate(kinds) if kind == raw.FPDF_PAGEOBJ_PATH]
    return [(position, raw.FPDFPage_GetObject(page.raw, position)) for position in positions]


def _kinds_of_objects(page: int | None, count: int) -> Iterable[int]:
    """Return the kinds of the first `count` objects of a page. page: its address.

    Visiting objects by their addresses is three times as fast as by pypdfium2.
    """
    address = ctypes.c_void_p
    shown = ctypes.CFUNCTYPE(address, address, ctypes.c_int)(ctypes.cast(raw.FPDFPage_GetObject, address).value or 0)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, address)(ctypes.cast(raw.FPDFPageObj_GetType, address).value or 0)
    return map(kind, map(shown, repeat(page), range(count)))


def _shown_by_boxes(page: Any, textpage: Any, paths: Sequence[tuple[int, Any]]) -> Iterator[str]:
    """Yield the words that a filled box hides: it is painted over them, or directly below them in their colour.

    Of a box without words that is not white, as those of a chart or a square code, yield its sides and its colour.
    paths: as of `_paths`.
    """
    boxes = list(islice(((position, path, bounds_of(path)) for position, path in paths if _may_hide(path)), MOST_BOXES))
    positions: dict[int, int] = {}
    for position, box, (left, bottom, right, top) in boxes:
        middle, reach = ((left + right) / 2, (bottom + top) / 2), ((right - left) / 2, (top - bottom) / 2)
        letter = raw.FPDFText_GetCharIndexAtPos(textpage, *middle, *reach)
        words = raw.FPDFText_GetTextObject(textpage, letter) if letter >= 0 else None
        if not words:
            if {*(colour := _colour(box))} != {WHITE}:
                yield repr([round(left), round(bottom), round(right), round(top), *colour])
            continue
        positions = positions or _positions_of_objects(page)
        painted = positions.get(ctypes.addressof(words.contents), position)
        if painted > position and _colour(words) == _colour(box):
            x, y = middle_of(textpage, letter)
            between = [sides for other, _, sides in boxes if position < other < painted]
            on_other = any(sides[0] <= x <= sides[2] and sides[1] <= y <= sides[3] for sides in between)
            painted = painted if on_other else -1
        if painted < position:
            buffer = (ctypes.c_ushort * MOST_HIDDEN)()
            raw.FPDFText_GetBoundedText(textpage, left, top, right, bottom, buffer, MOST_HIDDEN)
            yield bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _positions_of_objects(page: Any) -> dict[int, int]:
    """Return the positions of the objects of a page, in the order in which they are painted, by their addresses."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    return {
        ctypes.addressof(raw.FPDFPage_GetObject(page.raw, position).contents): position for position in range(count)
    }


def _may_hide(path: Any) -> bool:
    """Tell whether a path is wider than a line and filled with an opaque colour, unlike the stroke of a marker pen."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value:
        return False
    left, bottom, right, top = bounds_of(path)
    return min(right - left, top - bottom) > WIDEST_LINE and not raw.FPDFPageObj_HasTransparency(path)


def _colour(shown: Any) -> list[int]:
    """Return the colour that fills an object of a page."""
    parts = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(shown, *parts)
    return [part.value for part in parts]


def _segments(path: Any) -> int:
    """Return the number of segments of a path that is a shape; 0 for other paths.

    A shape begins with a curve, or has more segments than a rectangle. A slanting line is a shape too, since two of
    them may be the cross in a box.
    """
    segments: int = raw.FPDFPath_CountSegments(path)
    second = raw.FPDFPath_GetPathSegment(path, 1)
    is_shape = segments > RECTANGLE or raw.FPDFPathSegment_GetType(second) == raw.FPDF_SEGMENT_BEZIERTO
    if segments == LINE:
        left, bottom, right, top = bounds_of(path)
        is_shape = is_shape or min(right - left, top - bottom) > WIDEST_LINE
    return segments if is_shape else 0
