"""Read a PDF page by page with pdfium, or with pdfminer: text, annotations, pictures, attachments; correct letters.

Two kinds of letters need most correction. Older programs wrote bitmap fonts (Type 3), which do not name characters, so
readers return the codes: those of ASCII for letters, of ASCII's control characters for ligatures, dashes and some
letters. And some programs, among them browsers, store the letters of Arabic and Hebrew words from left to right, and
many readers return them so. The positions of the letters show it: in reading order they go leftwards.
"""

from __future__ import annotations

import ctypes
import math
import re
import statistics
import time
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import BytesIO
from itertools import chain, groupby, islice, pairwise, repeat, starmap
from operator import itemgetter
from typing import Any, NamedTuple

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.processes.worker import TASK_SECONDS
from dupfinder.text.document import (
    MAX_CHARACTERS,
    MAX_PART_BYTES,
    MAY_HOLD,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    Unreadable,
    digest,
    language_tag,
)
from dupfinder.text.layout import EDGE_LINES, column_numbers, columns_in_rows, lines_by_browser, masked, text_of_pages
from dupfinder.text.readers.link_marks import AWAY, LINK
from dupfinder.text.readers.package import parse_xml
from dupfinder.text.readers.site_chrome import add_teasers, is_content, menus, teasers, word_count

MOST_ON_A_PAGE = 5000  # forms have fewer; maps and drawings may have tens of thousands
USUAL_ADDRESS = 512  # bytes of a link, for which there is room at once
MOST_PAINTED = 20_000  # objects of a page that are looked at; each letter may be one
MOST_BOXES, MOST_HIDDEN = 500, 1000  # of a page that may hide words, and characters of each; they bound the time
SPACE = 0.4  # of the usual width of a letter: a wider gap is a space
LINE, WIDEST_LINE = 2, 4  # segments, the start with it; points
RECTANGLE = 5  # segments, with the start and the end
MOST_ATTACHED = 64 << 20  # bytes of an attached file
MOST_IN_A_DICTIONARY = 4096  # bytes between a stream's /Subtype and its start


@dataclass
class Annotations:
    """Annotations of the pages. filled: form values and typed text, part of the text. comments: remarks of readers.

    footnotes: their lines, which are no annotations but follow the text too. printed: the lines of each page of a web
    page, before any correction. left_out: the lines of its frame.
    """

    filled: list[str] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    other: OtherHashes = field(default_factory=OtherHashes)
    printed: list[list[_PrintedLine]] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)


def add_annotations(page: Any, document: Any, raw: Any, annotations: Annotations) -> None:
    """Add the annotations of a page to `annotations`.

    raw: pypdfium2.raw. Fields need the document's form environment, which may be None.
    """
    form, raw_page = document.formenv, page.raw
    links: list[bytes] = []
    count = raw.FPDFPage_GetAnnotCount(raw_page)
    if count > MOST_ON_A_PAGE:
        annotations.other.unknown(OtherContent.COMMENTS, OtherContent.FORM_FIELDS, OtherContent.LINKS)
    for index in range(min(MOST_ON_A_PAGE, count)):
        annotation = raw.FPDFPage_GetAnnot(raw_page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_LINK:
                links += _target(document.raw, annotation, raw)
            elif kind == raw.FPDF_ANNOT_WIDGET and form is not None:
                filled = _filled(form, annotation, raw)
                annotations.filled.extend(filled)
                name = wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
                annotations.other.add(OtherContent.FORM_FIELDS, name, *filled)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                annotations.filled.extend(_contents(annotation, raw))
            elif kind not in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_POPUP):
                remarks = _contents(annotation, raw)
                annotations.comments.extend(remarks)
                author = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"T")
                annotations.other.add(OtherContent.COMMENTS, str(kind), author, *remarks)
                if kind == raw.FPDF_ANNOT_FILEATTACHMENT:  # pdfium cannot read its file
                    annotations.other.unknown(OtherContent.ATTACHMENTS)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)
    annotations.other.add_each(OtherContent.LINKS, links)


def add_files(document: Any, data: bytes, raw: Any, other: OtherHashes) -> None:
    """Add the attachments of a document and the pictures stored in its file.

    Pictures are compared by their stored bytes, wherever they are shown.
    """
    for index in range(raw.FPDFDoc_GetAttachmentCount(document)):
        attachment = raw.FPDFDoc_GetAttachment(document, index)
        name = wide_string(raw.FPDFAttachment_GetName, attachment)
        other.add(OtherContent.ATTACHMENTS, name, _file_digest(attachment, raw))
    pictures = sorted(set(map(digest, stored_pictures(data))))
    if pictures:
        # Encryption makes the bytes differ from file to file.
        other.add(OtherContent.PICTURES, *(pictures if b"/Encrypt" not in data else [None]))


def add_drawings(page: Any, textpage: Any, raw: Any, other: OtherHashes) -> None:
    """Add the drawings on a page: paths other than level or upright lines, frames and bars, and words that paths hide.

    raw: pypdfium2.raw.
    """
    paths = _paths(page, raw)
    shapes = [
        repr([segments, *map(round, _bounds(path, raw))]).encode()
        for _, path in paths
        if (segments := _segments(path, raw))
    ]
    other.add_each(OtherContent.PICTURES, shapes)
    other.add_text(OtherContent.PICTURES, "\n".join(_hidden_words(page, textpage, paths, raw)))


def _paths(page: Any, raw: Any) -> list[tuple[int, Any]]:
    """Return the paths on a page and their places among its objects."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    kinds = _kinds_of_objects(ctypes.cast(page.raw, ctypes.c_void_p).value, count, raw)
    places = [place for place, kind in enumerate(kinds) if kind == raw.FPDF_PAGEOBJ_PATH]
    return [(place, raw.FPDFPage_GetObject(page.raw, place)) for place in places]


def _kinds_of_objects(page: int | None, count: int, raw: Any) -> Iterable[int]:
    """Return the kinds of the objects of a page by its address.

    Visiting objects by their addresses is three times as fast.
    """
    address = ctypes.c_void_p
    shown = ctypes.CFUNCTYPE(address, address, ctypes.c_int)(ctypes.cast(raw.FPDFPage_GetObject, address).value or 0)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, address)(ctypes.cast(raw.FPDFPageObj_GetType, address).value or 0)
    return map(kind, map(shown, repeat(page), range(count)))


def _hidden_words(page: Any, textpage: Any, paths: Sequence[tuple[int, Any]], raw: Any) -> Iterator[str]:
    """Yield the words that a filled box hides: it is painted over them, or directly below them in their colour.

    paths: as of `_paths`.
    """
    boxes = list(
        islice(((place, path, _bounds(path, raw)) for place, path in paths if _may_hide(path, raw)), MOST_BOXES)
    )
    places: dict[int, int] = {}
    for place, box, (left, bottom, right, top) in boxes:
        middle, reach = ((left + right) / 2, (bottom + top) / 2), ((right - left) / 2, (top - bottom) / 2)
        letter = raw.FPDFText_GetCharIndexAtPos(textpage, *middle, *reach)
        words = raw.FPDFText_GetTextObject(textpage, letter) if letter >= 0 else None
        if not words:
            continue
        places = places or _places_of_objects(page, raw)
        painted = places.get(ctypes.addressof(words.contents), place)
        if painted > place and _colour(words, raw) == _colour(box, raw):
            x, y = _middle(textpage, letter, raw)
            between = [sides for other, _, sides in boxes if place < other < painted]
            on_other = any(sides[0] <= x <= sides[2] and sides[1] <= y <= sides[3] for sides in between)
            painted = painted if on_other else -1
        if painted < place:
            buffer = (ctypes.c_ushort * MOST_HIDDEN)()
            raw.FPDFText_GetBoundedText(textpage, left, top, right, bottom, buffer, MOST_HIDDEN)
            yield bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _places_of_objects(page: Any, raw: Any) -> dict[int, int]:
    """Return the places of the objects of a page, in the order in which they are painted, by their addresses."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    return {ctypes.addressof(raw.FPDFPage_GetObject(page.raw, place).contents): place for place in range(count)}


def _may_hide(path: Any, raw: Any) -> bool:
    """Tell whether a path is wider than a line, and filled so that nothing shows through, unlike by a marker pen."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value:
        return False
    left, bottom, right, top = _bounds(path, raw)
    return min(right - left, top - bottom) > WIDEST_LINE and not raw.FPDFPageObj_HasTransparency(path)


def _colour(shown: Any, raw: Any) -> list[int]:
    """Return the colour that fills an object of a page."""
    parts = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(shown, *parts)
    return [part.value for part in parts]


def _segments(path: Any, raw: Any) -> int:
    """Return the number of segments of a path, 0 if it is no shape: a curve, or one of many lines.

    A slanting line is one too: two of them are the cross in a box.
    """
    segments: int = raw.FPDFPath_CountSegments(path)
    second = raw.FPDFPath_GetPathSegment(path, 1)
    is_shape = segments > RECTANGLE or raw.FPDFPathSegment_GetType(second) == raw.FPDF_SEGMENT_BEZIERTO
    if segments == LINE:
        left, bottom, right, top = _bounds(path, raw)
        is_shape = is_shape or min(right - left, top - bottom) > WIDEST_LINE
    return segments if is_shape else 0


def _bounds(shown: Any, raw: Any) -> list[float]:
    """Return the left, lower, right and upper bound of an object of a page, in points."""
    sides = [ctypes.c_float() for _ in range(4)]
    raw.FPDFPageObj_GetBounds(shown, *sides)
    return [side.value for side in sides]


def _file_digest(attachment: Any, raw: Any) -> bytes | None:
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


def _target(document: Any, annotation: Any, raw: Any) -> list[bytes]:
    """Return the address of a link; nothing for one within the document."""
    action = raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
    if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
        return []
    buffer = ctypes.create_string_buffer(USUAL_ADDRESS)
    length = raw.FPDFAction_GetURIPath(document, action, buffer, USUAL_ADDRESS)
    if length > USUAL_ADDRESS:
        buffer = ctypes.create_string_buffer(length)
        raw.FPDFAction_GetURIPath(document, action, buffer, length)
    return [buffer.raw[: max(0, length - 1)]]


def _filled(form: Any, annotation: Any, raw: Any) -> list[str]:
    """Return the value of a field, if it has one: its text, or the name of a ticked box."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        value = wide_string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        return [value] if value else []
    is_box = kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON)
    is_ticked = is_box and raw.FPDFAnnot_IsChecked(form, annotation)
    return [wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)] if is_ticked else []


def _contents(annotation: Any, raw: Any) -> list[str]:
    """Return the text of an annotation, if it has one."""
    text = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    return [text] if text else []


def wide_string(call: Any, *arguments: Any) -> str:
    """Return a UTF-16 string of pdfium's. call: a function that returns its length in bytes for a NULL buffer."""
    length = call(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip()


MOST_PER_SPACE = 3  # characters for each space, on average, where letters are set apart; in other text six
LEAST_SPACES = 5  # of a line whose letters are set apart, on a page where those of most lines are not
WORD_GAP = 2  # times the median gap is the widest that may be between letters set apart; gaps between words are wider
_LINE = re.compile(r"[^\r\n]+")
_WHOLE_LINE = re.compile(r"(?<![^\n])[^\n]*")  # also an empty one
_PRINTED_WORD = re.compile(r"\S{1,40}")
_SET_APART = re.compile(r"\n\S \S{1,2} \S")  # the beginning of such a line
_BETWEEN_CHARACTERS = re.compile(r"(?<=\S) (?=\S)")
LEAST_CODES = 2  # different codes; if all are the same, it may be the line break of another program
_LIGATURES = ("ff", "fi", "fl", "ffi", "ffl")
# The first encoding of TeX, and the European one of Cork (LaTeX 2e font encoding guide, tables OT1 and T1).
_OT1 = {
    **{0x0B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "ı", 0x19: "ß", 0x1A: "æ", 0x1B: "œ", 0x1C: "ø", 0x1D: "Æ", 0x1E: "Œ", 0x1F: "Ø"},
}
_T1 = {
    **{0x1B + index: letters for index, letters in enumerate(_LIGATURES)},
    **{0x10: "“", 0x11: "”", 0x12: "„", 0x13: "«", 0x14: "»", 0x15: "–", 0x16: "—", 0x19: "ı", 0xFF: "ß"},
}
# A code beside a letter is part of a word.
_OT1_CODE = re.compile("[\x0b\x0c\x0e\x0f](?=[a-z])|(?<=[a-z])[\x0b\x0c\x0e\x0f]")
_T1_CODE = re.compile("[\x1b-\x1f](?=[a-z])|(?<=[a-z])[\x1b-\x1f]")
_DRAWN_HYPHEN = re.compile(r"\d\u00ad|\u00ad\d|[a-z]\u00ad[A-Z]")  # no word is divided there
_CODES = bytes({0x0B, 0x0C, *range(0x0E, 0x20)})

# Letters and marks of Hebrew, Arabic, Syriac and Thaana, without digits, which go from left to right.
_RTL_WORD = re.compile(
    "[\u0591-\u05f4\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06ed\u06fa-\u07b1\u08a0-\u08ff"
    "\ufb1d-\ufdff\ufe70-\ufefc]{2,200}"
)
# A phrase in Latin letters, up to its last letter or digit: in a right-to-left line it is read from left to right.
_PHRASE = re.compile(
    r"[A-Za-z\u00c0-\u024f](?<![0-9A-Za-z\u00c0-\u024f].)[!-\u024f]*(?: [!-\u024f]+)*(?<=[0-9A-Za-z\u00c0-\u024f])"
)
_MOST_TOKENS = 300  # of a line that may go on; bounds the time
_LINE_ENDS = frozenset(".:!?\u061b\u061f\u060c,;")
_LATIN_LETTER = re.compile("[A-Za-z\u00c0-\u024f]")
_TOKEN = re.compile(
    rf"(?P<right>{_RTL_WORD.pattern.removesuffix('{2,200}')}+)|(?P<latin>[A-Za-z\u00c0-\u024f]+)|(?P<digit>\d+)|\S"
)
# A sign before the first letter of such a line: it ends the line of a page whose lines go from left to right.
_RTL_END = re.compile("^([.,:;!?\u060c\u061b\u061f]++)(?=[\u05d0-\u08ff])([^\r\n]*+)", re.M)
# Letters of ligatures whose two bytes Ghostscript 9.56 to 10.01 exchanged: U+6600 U+6900 for "fi". Alone they are
# rare characters of names.
_EXCHANGED = re.compile("[\u6600\u6900\u6a00\u6c00\u7300\u7400]{2,3}")
_TURNED_LIGATURE = re.compile("[\u0622\u0623\u0625\u0627\u0671]\u0644")
# Letters and signs beyond Latin-1 by themselves, other than those from right to left.
_STRAYS = re.compile(r"(?<=\S) [\u0100-\u0590\u0900-\u1fff\u2070-\ufb1c\ufe00-\ufe6f\uff00-\U0010ffff]{1,3}(?!\S)")
# Scripts that set marks around letters: the Indic ones, Thai, Lao, Tibetan, Burmese, Khmer.
_MARKED_SCRIPTS = (*range(0x0900, 0x10A0), *range(0x1780, 0x1800))
_MARKED_LETTER = re.compile("[\u0900-\u109f\u1780-\u17ff]")
_MARKED_BYTES = bytes({0xE0, 0xE1})
_MARKS = "".join(mark for mark in map(chr, _MARKED_SCRIPTS) if unicodedata.category(mark) in ("Mn", "Mc"))
_WITH_MARKS = re.compile(rf"\s|[^\s][{_MARKS}]*")
_STRAY_BYTES = bytes(range(0xC4, 0xF5))  # first bytes of all characters beyond Latin-1 in UTF-8
_RTL_BYTES = bytes({*range(0xD6, 0xE1), 0xEF})  # first bytes of all these characters in UTF-8


def _has_bytes(text: str, signs: bytes) -> bool:
    """Tell whether a text in UTF-8 has some of these bytes; takes a tenth of the time of a search for characters."""
    data = text.encode("utf-8", "surrogatepass")
    return len(data.translate(None, signs)) < len(data)


def letters_for_codes(pages: Iterable[str]) -> list[str]:
    r"""Return the pages with letters for the codes of TeX's fonts, and hyphens for soft ones.

    Ligatures whose bytes Ghostscript exchanged become letters too. A soft hyphen where no word is divided was drawn:
    then all soft ones are hyphens of the text. Line ends are \r\n.
    """
    texts = [_EXCHANGED.sub(lambda pair: pair[0].encode("utf-16-le").decode("utf-16-be"), page) for page in pages]
    if any("\u00ad" in page and _DRAWN_HYPHEN.search(page) for page in texts):
        texts = [page.replace("\u00ad", "-") for page in texts]
    coded = [page for page in texts if _has_bytes(page, _CODES)]
    if not coded:
        return texts
    joined = "".join(coded)
    ot1, t1 = set(_OT1_CODE.findall(joined)), set(_T1_CODE.findall(joined))
    if max(len(ot1), len(t1)) < LEAST_CODES:
        return texts
    letters = _T1 if len(t1) >= len(ot1) else _OT1
    return ["\r\n".join(line.translate(letters) for line in page.split("\r\n")) for page in texts]


def without_spacing(text: str, textpage: Any, raw: Any) -> str:
    """Return the text of a page without the spaces that pdfium inserts where letters are set apart.

    In such a line most gaps are between letters, and those between words are much wider than the median. It is narrower
    than the widest letter, or each letter may be a column. raw: pypdfium2.raw.
    """
    least = 1 if _is_set_apart(text, LEAST_SPACES) else LEAST_SPACES
    lines = _LINE.finditer(text) if _SET_APART.search("\n" + text) else ()
    spans = [line.span() for line in lines if _is_set_apart(line.group(), least)]
    if not spans or not _has_characters(textpage, text, raw):
        return text
    inserted: set[int] = set()
    for start, end in spans:
        gaps, widths = {}, []
        for space in _BETWEEN_CHARACTERS.finditer(text, start, end):
            if raw.FPDFText_IsGenerated(textpage, space.start()) == 1:
                left, right = _edges(textpage, space.start() - 1, raw)
                gaps[space.start()] = _edges(textpage, space.start() + 1, raw)[0] - right
                widths.append(right - left)
        median = statistics.median(gaps.values()) if gaps else 0
        if gaps and median < max(widths):
            inserted.update(index for index, gap in gaps.items() if gap <= WORD_GAP * median)
    return "".join(sign for index, sign in enumerate(text) if index not in inserted)


def _is_set_apart(text: str, least: int) -> bool:
    """Tell whether a text has at least `least` spaces, one for every few characters; dot leaders do not count."""
    spaces = text.count(" ") - text.count(". ")
    return spaces >= least and MOST_PER_SPACE * spaces >= len(text)


def in_reading_order(text: str, textpage: Any, raw: Any) -> str:
    """Return the text of a page with right-to-left words and the ends of their lines in reading order.

    raw: pypdfium2.raw.
    """
    may_have_words = not text.isascii() and _has_bytes(text, _RTL_BYTES) and _RTL_WORD.search(text)
    if not may_have_words or not _has_characters(textpage, text, raw):
        return text
    words = _RTL_WORD.sub(lambda word: _first_letter_first(word.group(), word.start(), textpage, raw), text)
    if sum(map(len, _RTL_WORD.findall(text))) > len(_LATIN_LETTER.findall(text)):
        lines = _tokens_of_lines(words, textpage, raw)
        if _end_at_left(lines):
            return _from_right_to_left(words, lines, textpage, raw)
    return _RTL_END.sub(r"\2\1", _LINE.sub(lambda line: _with_phrases(line, textpage, raw), words))


class _Token(NamedTuple):
    """A word, number or sign, and where it is seen. kind: "right" (to left), "latin", "digit"; "" for a sign."""

    start: int
    text: str
    kind: str
    box: _Box


def _tokens_of_lines(text: str, textpage: Any, raw: Any) -> list[list[_Token]]:
    """Return the tokens of each line. Programs store its parts in any order, and pdfium breaks it between them."""
    lines: list[list[_Token]] = []
    for line in _LINE.finditer(text):
        tokens = [_token(token, textpage, raw) for token in _TOKEN.finditer(text, *line.span())]
        if lines and tokens and len(lines[-1]) < _MOST_TOKENS and _is_one_line(lines[-1], tokens[:_MOST_TOKENS]):
            lines[-1] += tokens
        elif tokens:
            lines.append(tokens)
    return lines


def _end_at_left(lines: Sequence[Sequence[_Token]]) -> bool:
    """Tell whether as many lines have a full stop or the like at their left as at their right, where others end."""
    lefts = [min(tokens, key=lambda token: token.box.left).text for tokens in lines]
    rights = [max(tokens, key=lambda token: token.box.right).text for tokens in lines]
    at_left, at_right = (sum(text in _LINE_ENDS for text in edge) for edge in (lefts, rights))
    return at_left >= at_right


def _from_right_to_left(text: str, lines: Sequence[Sequence[_Token]], textpage: Any, raw: Any) -> str:
    """Return the text of a page whose lines begin at the right, each line as it is seen."""
    pieces, end = list[str](), 0
    for tokens in lines:
        start, stop = tokens[0].start, tokens[-1].start + len(tokens[-1].text)
        ordered = _in_order(tokens)
        is_seen_so = ordered == tokens and not any(token.kind == "right" for token in tokens)
        pieces += [text[end:start], text[start:stop] if is_seen_so else _joined(ordered, text, textpage, raw)]
        end = stop
    return "".join([*pieces, text[end:]])


def _token(match: re.Match[str], textpage: Any, raw: Any) -> _Token:
    """Return a match of _TOKEN with its place."""
    boxes = [_box(textpage, index, raw) for index in range(*match.span())]
    return _Token(match.start(), match.group(), match.lastgroup or "", _around(boxes))


def _around(boxes: Sequence[_Box]) -> _Box:
    """Return the box around some others."""
    lefts, rights, bottoms, tops = zip(*boxes, strict=True)
    return _Box(min(lefts), max(rights), min(bottoms), max(tops))


def _is_one_line(before: Sequence[_Token], after: Sequence[_Token]) -> bool:
    """Tell whether the tokens of two lines are beside each other in one line, some closer than two letters are wide."""
    first, second = (_around([token.box for token in line]) for line in (before, after))
    overlap = min(first.top, second.top) - max(first.bottom, second.bottom)
    if 2 * overlap <= min(first.top - first.bottom, second.top - second.bottom):
        return False
    width = _letter_width([*before, *after])
    gap = min(
        max(left.box.left - right.box.right, right.box.left - left.box.right) for left in before for right in after
    )
    return -width < gap < WORD_GAP * width


def _letter_width(tokens: Sequence[_Token]) -> float:
    """Return the median width of a letter of some tokens."""
    return statistics.median((token.box.right - token.box.left) / len(token.text) for token in tokens)


def _in_order(tokens: Sequence[_Token]) -> list[_Token]:
    """Return the tokens of a line in the order in which its cells are stored, each cell as it is seen."""
    placed = sorted(tokens, key=lambda token: token.box.left + token.box.right)
    width = _letter_width(placed)
    cells = [placed[:1]]
    for before, after in pairwise(placed):
        if after.box.left - before.box.right > WORD_GAP * width:
            cells.append([])
        cells[-1].append(after)
    cells.sort(key=lambda cell: min(token.start for token in cell))
    return list(chain.from_iterable(_from_right(cell, width) for cell in cells))


def _from_right(placed: list[_Token], width: float) -> list[_Token]:
    """Return tokens that are sorted by place from right to left, but Latin words and numbers from left to right.

    A number at the right of Latin letters, behind a space, may belong to them or not, and is taken as read before them.
    width: that of a letter.
    """
    if not any(token.kind == "right" for token in placed):
        return placed
    units: list[list[_Token]] = []
    first = 0
    while first < len(placed):
        last, has_space = first, False
        for place in range(first + 1, len(placed) if placed[first].kind in ("latin", "digit") else 0):
            before, after = placed[place - 1], placed[place]
            is_next = before.start + len(before.text) == after.start
            has_space = has_space or (after.box.left - before.box.right > SPACE * width and not is_next)
            if after.kind == "right" or (has_space and placed[first].kind == "digit"):
                break
            if after.kind == "latin" or (after.kind == "digit" and not has_space):
                last, has_space = place, False
        units.append(placed[first : last + 1])
        first = last + 1
    return list(chain.from_iterable(reversed(units)))


def _joined(tokens: Sequence[_Token], text: str, textpage: Any, raw: Any) -> str:
    """Return tokens with a space where gaps are, or where one is stored; none beside marks on letters."""
    width = _letter_width(tokens)
    pieces, before = [tokens[0].text], tokens[0]
    for after in tokens[1:]:
        gap = max(after.box.left - before.box.right, before.box.left - after.box.right)
        end = before.start + len(before.text)
        has_space = end + 1 == after.start and text[end] == " "
        if has_space and "right" in (before.kind, after.kind):
            place = _box(textpage, end, raw).left
            is_between = after.box.left < place < before.box.right
            has_space = is_between and raw.FPDFText_IsGenerated(textpage, end) != 1
        is_joined = end == after.start or all(map(unicodedata.combining, after.text))
        pieces += [" " if not is_joined and (has_space or gap > SPACE * width) else "", after.text]
        before = before if all(map(unicodedata.combining, after.text)) else after
    return "".join(pieces)


def _with_phrases(line: re.Match[str], textpage: Any, raw: Any) -> str:
    """Return a line with right-to-left words with its Latin phrases from left to right; other lines unchanged.

    A number before a phrase may belong to it or not, and stays. Words that are further apart than two letters are in
    different cells.
    """
    if line.group().isascii() or not _RTL_WORD.search(line.group()):
        return line.group()
    pieces, end = [], line.start()
    for phrase in _PHRASE.finditer(line.string, *line.span()):
        if not phrase.group().isalnum():
            placed = _by_place(line.string, *phrase.span(), textpage, raw, widest=WORD_GAP)
            pieces += [line.string[end : phrase.start()], placed]
            end = phrase.end()
    return "".join([*pieces, line.string[end : line.end()]])


def without_repeated_marks(text: str, textpage: Any, raw: Any) -> str:
    """Return the text of a page on which letters with marks above or below are each read once. raw: pypdfium2.raw.

    Browsers tell of both the letter and its mark that they stand for the two together: they come once for the letter,
    and again behind the next one for the mark, and pdfium breaks the word or the line there.
    """
    has_some = not text.isascii() and _has_bytes(text, _MARKED_BYTES) and _MARKED_LETTER.search(text)
    if not has_some or not _has_characters(textpage, text, raw):
        return text
    pieces, seen = list[str](), list[tuple[str, _Box]]()  # the last letters with their marks
    is_behind = False  # a repeated one
    for match in _WITH_MARKS.finditer(text):
        letter, start = match.group(), match.start()
        if letter.isspace():
            if not (is_behind and letter == " " and raw.FPDFText_IsGenerated(textpage, start) == 1):
                pieces.append(letter)
            continue
        box = _box(textpage, start, raw)
        is_behind = len(letter) > 1 and any(
            other == letter and _is_of(box, place, seen[-1][1]) for other, place in seen
        )
        if not is_behind:
            pieces.append(letter)
            seen = [*seen[-1:], (letter, box)]
        while is_behind and pieces and pieces[-1].isspace():
            pieces.pop()
    return "".join(pieces)


def _is_of(mark: _Box, letter: _Box, last: _Box) -> bool:
    """Tell whether a mark is above or below a letter, and so goes back from the last one of the line."""
    width, height = letter.right - letter.left, letter.top - letter.bottom
    is_beside = mark.left < (last.left + last.right) / 2 and letter.left - width < mark.left < letter.right + 2 * width
    return is_beside and letter.bottom - height / 2 < mark.top and mark.bottom < letter.top + height / 2


def with_strays_in_place(text: str, textpage: Any, raw: Any) -> str:
    """Return the text of a page with letters of another font where they are seen. raw: pypdfium2.raw.

    Where a font lacks letters, as many do those of Vietnamese, programs draw them from another one after the line, or
    after the part of it that has one style: they come behind letters that are seen to their right.
    """
    may_have_some = not text.isascii() and _has_bytes(text, _STRAY_BYTES)
    strays = list(_STRAYS.finditer(text)) if may_have_some else []
    places = [stray.start() for stray in strays if _goes_back(textpage, stray.start(), raw)]
    if not places or not _has_characters(textpage, text, raw):
        return text
    apart = {index for stray in strays for index in range(*stray.span())}
    pieces, end = [], 0
    for line in _LINE.finditer(text):
        if bisect_left(places, line.start()) < bisect_left(places, line.end()):
            pieces += [text[end : line.start()], _by_place(text, *line.span(), textpage, raw, movable=apart)]
            end = line.end()
    return "".join([*pieces, text[end:]])


def _goes_back(textpage: Any, space: int, raw: Any) -> bool:
    """Tell whether the character behind a space is seen in the same line as the one before it, but left of it."""
    before, after = (_box(textpage, index, raw) for index in (space - 1, space + 1))
    return after.left < before.left and after.bottom <= before.top and before.bottom <= after.top


def _by_place(
    text: str, start: int, end: int, textpage: Any, raw: Any, widest: float = math.inf, movable: Set[int] = frozenset()
) -> str:
    """Return a line of a text from left to right, with spaces where there are gaps; unchanged if it is in order.

    widest:  the widest gap, in letters; a line with wider ones is unchanged too.
    movable: the indexes of characters that may be out of order; if there are none, all may. If others are, or there is
             no room for these, as in lines from top to bottom and in cells that overlap, the line is unchanged.
    """
    drawn = [index for index in range(start, end) if raw.FPDFText_IsGenerated(textpage, index) != 1]
    placed = [(*_edges(textpage, index, raw), index) for index in drawn]
    ordered = sorted(placed, key=itemgetter(0))
    if ordered == placed:
        return text[start:end]
    width = statistics.median(right - left for left, right, _ in placed)
    gaps = {(before, after): left - right for (_, right, before), (left, _, after) in pairwise(ordered)}
    others = [left for left, _, index in placed if movable and index not in movable]
    is_mixed_up = any(after < before - width for before, after in pairwise(others))
    if is_mixed_up or any(-2 * gap > width for pair, gap in gaps.items() if not movable.isdisjoint(pair)):
        return text[start:end]
    if max(gaps.values()) > widest * width:
        return text[start:end]
    following = dict(pairwise(drawn))
    pieces = [text[ordered[0][2]]]
    for (before, after), gap in gaps.items():
        is_new = following.get(before) != after
        pieces += [" " * (gap > SPACE * width) if is_new else text[before + 1 : after], text[after]]
    return "".join(pieces)


def _has_characters(textpage: Any, text: str, raw: Any) -> bool:
    """Tell whether a page has the characters of `text` at the same indexes: else positions belong to other letters."""
    count = raw.FPDFText_CountChars(textpage)
    return "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count)) == text


def _first_letter_first(word: str, start: int, textpage: Any, raw: Any) -> str:
    """Return a word in reading order. start: index of its first character on the page.

    Letters at the same position, as in a ligature, keep their order. But if pdfium has already reversed the word, it
    has also reversed the letters of a ligature of lam and alef, and these are put in order.
    """
    lefts = [_edges(textpage, start + index, raw)[0] for index in range(len(word))]
    steps = [after - before for before, after in pairwise(lefts)]
    if sum(step > 0 for step in steps) <= sum(step < 0 for step in steps):  # not all: marks above may be stored last
        return _TURNED_LIGATURE.sub(
            lambda pair: pair.group()[::-1] if lefts[pair.start()] == lefts[pair.start() + 1] else pair.group(), word
        )
    return "".join(letter for _, letter in sorted(zip(lefts, word, strict=True), key=lambda pair: -pair[0]))


class _Box(NamedTuple):
    """The edges of a character, in points."""

    left: float
    right: float
    bottom: float
    top: float


def _box(textpage: Any, index: int, raw: Any) -> _Box:
    """Return where a character is seen."""
    edges = [ctypes.c_double() for _ in range(4)]
    raw.FPDFText_GetCharBox(textpage, index, *edges)
    return _Box(*(edge.value for edge in edges))


def _edges(textpage: Any, index: int, raw: Any) -> tuple[float, float]:
    """Return the left and the right edge of a character's box, in points."""
    return _box(textpage, index, raw)[:2]


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
    (left, right), (_, before) = _edges(textpage, start, raw), _edges(textpage, start - 2, raw)
    if left - before <= WORD_GAP * max(right - left, 1):
        return None
    return round(left / COLUMN), round(_edges(textpage, end - 1, raw)[1] / COLUMN)


def _columns_of(table: list[list[tuple[int, int]]]) -> list[str]:
    """Return the numbers of the columns of the cells of each row, aligned left or right, as `columns_in_rows`."""
    by_side = [column_numbers({cell[side] for row in table for cell in row}) for side in (0, 1)]
    side = int(max(by_side[1].values()) < max(by_side[0].values()))
    return columns_in_rows([[by_side[side][cell[side]] for cell in row] for row in table])


# The mark of a footnote, at the beginning of a line and behind a word. Begins with one of few signs, for a fast search.
_RAISED_DIGITS = "¹²³⁰⁴⁵⁶⁷⁸⁹"
_FIRST_SIGN = f"[0-9*†‡§¶{_RAISED_DIGITS}]"
_SAME_SIGNS = rf"(?:(?<=\d)\d{{0,2}}|(?<=[*†‡§¶])[*†‡§¶]{{0,2}}|(?<=[{_RAISED_DIGITS}])[{_RAISED_DIGITS}]{{0,2}})"
_NOTE = re.compile(rf"\n[ \t]*({_FIRST_SIGN}{_SAME_SIGNS})[ \t.)]*(?=\S)")
_REFERENCE = re.compile(rf"({_FIRST_SIGN}(?:(?<=[^\s\d].)|(?<=\S[ \t].)){_SAME_SIGNS})(?![A-Za-z\d])")
_LETTER = re.compile(r"[^\W\d_]")
SMALLER = 0.98  # greatest size of the letters of a footnote, as a share of those of the text: 10 points of 10.5
RAISED_BY = 0.1  # least share of a letter's size by which the mark behind it is raised
SPACING = 2  # most times the size of its letters that a line of footnotes is below another
MARKED_WORDS = 20  # characters before the mark of a footnote, which tell its place


class _PageLine(NamedTuple):
    """A line of a page: where it is in the text, the size of its letters, and its height on the page, in points.

    mark: that it begins with, as a footnote does; "": none. is_raised: the mark is. words: where its text begins.
    """

    start: int
    end: int
    size: float
    height: float
    mark: str
    is_raised: bool
    words: int

    def continues(self, before: _PageLine) -> bool:
        """Tell whether this line is right below another one in the same type."""
        is_same_type = SMALLER * before.size <= self.size <= before.size / SMALLER
        return is_same_type and 0 < before.height - self.height <= SPACING * before.size


def without_footnotes(text: str, textpage: Any, raw: Any, annotations: Annotations) -> str:
    """Return the text of a page without its footnotes and the marks of these; adds the footnotes to `annotations`.

    Other formats store notes apart from the text. A footnote is near the foot of the page, in smaller type than the
    line above it that has its mark, raised; in the same type, if its own mark is raised too. raw: pypdfium2.raw.
    """
    begun = {note.start() + 1: note for note in _NOTE.finditer(text)}
    sought = {note[1] for note in begun.values()}
    marks = [mark for mark in _REFERENCE.finditer(text) if mark[1] in sought] if begun else []
    if not marks or raw.FPDFText_CountChars(textpage) != len(text):
        return text
    sizes = {mark: size for mark in marks if (size := _size_below(mark, textpage, raw))}
    if not sizes:
        return text
    lines = [_page_line(line, begun.get(line.start()), textpage, raw) for line in _LINE.finditer(text)]
    marks_of = _marks_of_notes(lines, sizes)
    is_smaller = {number: lines[number].size < SMALLER * sizes[mark] for number, mark in marks_of.items()}
    at_foot = _at_foot(lines, is_smaller, is_later=bool(annotations.footnotes))
    cuts = [mark.span(1) for number, mark in marks_of.items() if number in at_foot]
    for start, end in cuts:
        annotations.other.add(OtherContent.HEADERS, text[max(0, start - MARKED_WORDS) : end])
    for number in at_foot:
        line = lines[number]
        annotations.footnotes.append(text[line.words if number in marks_of else line.start : line.end])
        cuts.append((line.start, line.end))
    return "".join(text[end:start] for (_, end), (start, _) in pairwise([(0, 0), *sorted(cuts), (len(text), 0)]))


def _size_below(mark: re.Match[str], textpage: Any, raw: Any) -> float:
    """Return the size of the letter before a raised mark; 0 if it is not raised."""
    size, height = _size_and_height(textpage, mark.start() - 1, raw)
    if mark[1][0] in _RAISED_DIGITS:
        return size
    of_mark, top = _size_and_height(textpage, mark.start(), raw)
    return size if of_mark < SMALLER * size and top - height > RAISED_BY * size else 0


def _page_line(line: re.Match[str], note: re.Match[str] | None, textpage: Any, raw: Any) -> _PageLine:
    """Return a line of a page. note: its beginning, if it begins as a footnote does."""
    words = note.end() if note else line.start()
    letter = _LETTER.search(line.string, words, line.end())
    size, height = _size_and_height(textpage, letter.start() if letter else words, raw)
    mark, is_raised = note[1] if note else "", False
    if note:
        of_mark, top = _size_and_height(textpage, note.start(1), raw)
        is_raised = mark[0] in _RAISED_DIGITS or (of_mark < SMALLER * size and top - height > RAISED_BY * size)
    return _PageLine(*line.span(), size, height, mark, is_raised, words)


def _marks_of_notes(lines: Sequence[_PageLine], sizes: dict[re.Match[str], float]) -> dict[int, re.Match[str]]:
    """Return the marks of what may be footnotes, by the numbers of their first lines. sizes: of the text at each mark.

    Marks are in the order of their notes; other numbers, as of powers, may be raised too.
    """
    marks: dict[int, re.Match[str]] = {}
    by_sign: dict[str, list[re.Match[str]]] = {}  # the last first
    for mark in reversed(sizes):
        by_sign.setdefault(mark[1], []).append(mark)
    last = 0
    for number, line in enumerate(lines):
        same = by_sign.get(line.mark, [])
        while same and same[-1].start() < last:
            same.pop()
        most = 1 if line.is_raised else SMALLER
        if same and same[-1].end() < line.start and line.size <= most * sizes[same[-1]]:
            marks[number] = same.pop()
            last = marks[number].end()
    return marks


def _at_foot(lines: Sequence[_PageLine], begins: Mapping[int, bool], is_later: bool) -> dict[int, None]:
    """Return the numbers of the lines of footnotes: only a few lines of the page are below the last of them.

    begins: the numbers of the lines that may begin a footnote, and whether it is in smaller type than the text.
    is_later: the last footnote of a page before this one may go on above the first, if it is in smaller type.
    """
    runs: list[tuple[int, int]] = []  # the first line, and the one behind the last
    for number, line in enumerate(lines):
        if runs and runs[-1][1] == number and line.continues(lines[number - 1]):
            runs[-1] = runs[-1][0], number + 1
        elif number in begins:
            first = number
            while is_later and begins[number] and first and lines[first].continues(lines[first - 1]):
                first -= 1
            runs.append((first, number + 1))
    heights = sorted(line.height for line in lines)
    feet = (run for run in runs if bisect_left(heights, lines[run[1] - 1].height) <= EDGE_LINES)
    return dict.fromkeys(chain.from_iterable(starmap(range, feet)))


def _size_and_height(textpage: Any, index: int, raw: Any) -> tuple[float, float]:
    """Return the size of a character and the height of its line on the page, in points; 0, 0 if it is not upright."""
    matrix, x, y = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetMatrix(textpage, index, matrix)
    raw.FPDFText_GetCharOrigin(textpage, index, x, y)
    size: float = raw.FPDFText_GetFontSize(textpage, index) * matrix.d
    return (size, y.value) if abs(matrix.b) < abs(matrix.d) else (0, 0)


# What programs that print web pages say of themselves. If they tag their PDFs, the tags name the elements of the page.
_BROWSER = re.compile(r"Mozilla/|Chrom|Firefox|Safari|wkhtmltopdf")
_MOST_TAGS = 20_000  # of a page
_DEEPEST_TAG = 100
_BLOCK_TAGS = frozenset(("P", "H1", "H2", "H3", "H4", "H5", "H6", "LI", "TD", "TH", "Caption", "BlockQuote"))


class _Tagged(NamedTuple):
    """Where words are in a web page.

    block: the number of the paragraph, heading, item or cell that has their lines; 0: none. is_label: they number it.
    article: the number of the article on the page; 0: outside.
    """

    block: int = 0
    is_label: bool = False
    is_chrome: bool = False
    article: int = 0


class _PrintedLine(NamedTuple):
    """A line of a printed web page. unlinked: as of `outside_links`. tagged: None for a line that is in no element."""

    text: bytes
    unlinked: bytes
    tagged: _Tagged | None


def printed_lines(page: Any, textpage: Any, raw: Any) -> list[_PrintedLine]:
    """Return the lines of a page of a printed web page; nothing if it has no tags. raw: pypdfium2.raw."""
    tags = _tags(page, raw)
    if not tags:
        return []
    # Unlike `get_text_range`, which leaves out characters that the PDF does not name.
    count = raw.FPDFText_CountChars(textpage)
    text = "".join(chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count))
    links = _places_of_links(page, raw)
    lines = []
    for line in _WHOLE_LINE.finditer(text):
        words = list(_PRINTED_WORD.finditer(text, *line.span()))
        first = words[0].start() if words else line.start()
        shown = raw.FPDFText_GetTextObject(textpage, first)
        tagged = tags.get(raw.FPDFPageObj_GetMarkedContentID(shown) if shown else -1)
        unlinked = _unlinked(words[bool(tagged and tagged.is_label) :], links, textpage, raw)
        lines.append(_PrintedLine(_utf8(line.group()), unlinked, tagged))
    return lines


def _utf8(text: str) -> bytes:
    """Return a text in UTF-8."""
    return text.encode("utf-8", "surrogatepass")


def _unlinked(words: Sequence[re.Match[str]], links: Sequence[_Place], textpage: Any, raw: Any) -> bytes:
    """Return a line with a sign for each link, as `outside_links` does."""
    pieces: list[bytes] = []
    last: _Place | None = None
    height = _middle(textpage, words[0].start(), raw)[1] if words and links else 0
    beside = [link for link in links if link.bottom <= height <= link.top]
    for word in words:
        across = _middle(textpage, (word.start() + word.end()) // 2, raw)[0] if beside else 0
        link = next((link for link in beside if link.left <= across <= link.right), None)
        if link is None:
            pieces.append(_utf8(word.group()))
        elif link is not last:
            pieces.append(AWAY if link.is_away else LINK)
        last = link
    return b" ".join(pieces)


def _middle(textpage: Any, index: int, raw: Any) -> tuple[float, float]:
    """Return the middle of a character's box, in points."""
    box = _box(textpage, index, raw)
    return (box.left + box.right) / 2, (box.bottom + box.top) / 2


class _Place(NamedTuple):
    """Where a link is on a page, in points. is_away: it leads to another page."""

    left: float
    bottom: float
    right: float
    top: float
    is_away: bool


def _places_of_links(page: Any, raw: Any) -> list[_Place]:
    """Return the places of the links on a page."""
    places = []
    for index in range(min(MOST_ON_A_PAGE, raw.FPDFPage_GetAnnotCount(page.raw))):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if annotation and raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_LINK:
            sides, action = raw.FS_RECTF(), raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
            raw.FPDFAnnot_GetRect(annotation, sides)
            is_away = bool(action) and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI
            places.append(_Place(sides.left, sides.bottom, sides.right, sides.top, is_away))
        if annotation:
            raw.FPDFPage_CloseAnnot(annotation)
    return places


def _tags(page: Any, raw: Any) -> dict[int, _Tagged]:
    """Return where the pieces of a tagged page are, by their numbers (ISO 32000-1 section 14.7); {} without tags."""
    tags: dict[int, _Tagged] = {}
    tree = raw.FPDF_StructTree_GetForPage(page.raw)
    if not tree:
        return tags
    blocks = articles = 0
    roots = range(raw.FPDF_StructTree_CountChildren(tree))
    rest = [(raw.FPDF_StructTree_GetChildAtIndex(tree, index), _Tagged(), 0) for index in roots]
    while rest and blocks < _MOST_TAGS:
        element, outer, depth = rest.pop()
        kind = wide_string(raw.FPDF_StructElement_GetType, element) if element else ""
        blocks += 1
        articles += kind == "Art"
        inner = _Tagged(
            blocks if kind in _BLOCK_TAGS else outer.block,
            kind == "Lbl" or outer.is_label,
            kind in ("Aside", "Form") or outer.is_chrome,
            articles if kind == "Art" else outer.article,
        )
        for index in range(raw.FPDF_StructElement_GetMarkedContentIdCount(element)) if kind else ():
            tags[raw.FPDF_StructElement_GetMarkedContentIdAtIndex(element, index)] = inner
        count = raw.FPDF_StructElement_CountChildren(element) if kind and depth < _DEEPEST_TAG else 0
        rest += [(raw.FPDF_StructElement_GetChildAtIndex(element, index), inner, depth + 1) for index in range(count)]
    raw.FPDF_StructTree_Close(tree)
    return tags


def without_frame(pages: list[str], annotations: Annotations) -> list[str]:
    """Return the pages of a printed web page without its site chrome, as web pages are read; add that to `annotations`.

    Left out are elements that declare themselves as no content, what is outside the only article, and menus.
    """
    if not any(annotations.printed):
        return pages
    lines = [page.split("\r\n") for page in pages]
    printed: list[_PrintedLine] = []
    for page, known, beside in zip(lines, annotations.printed, lines_by_browser(lines), strict=True):
        same = known if len(known) == len(page) else [_PrintedLine(b"", b"", None)] * len(page)
        printed += (line._replace(tagged=None) if number in beside else line for number, line in enumerate(same))
    kept = _kept_lines(printed, annotations.other)
    numbers = iter(range(len(printed)))
    shown: list[str] = []
    for page in lines:
        marked = [(line, next(numbers) in kept) for line in page]
        shown.append("\r\n".join(line for line, is_kept in marked if is_kept))
        annotations.left_out.extend(line for line, is_kept in marked if not is_kept)
    return shown


def _kept_lines(printed: Sequence[_PrintedLine], other: OtherHashes) -> set[int]:
    """Return the numbers of the lines that are the content of a printed web page, or beside it.

    Teasers and remarks that are left out are added to `other`.
    """
    counts = [word_count(line.text) for line in printed]
    tagged = {number: line.tagged for number, line in enumerate(printed) if line.tagged}
    content = [number for number, tag in tagged.items() if not tag.is_chrome]
    is_one = all(tag.article <= 1 for tag in tagged.values())
    parts = [number for number in content if is_one and tagged[number].article], content, list(tagged)
    words = sum(counts[number] for number in tagged)
    kept = next((part for part in parts if is_content(sum(counts[number] for number in part), words)), parts[-1])
    rows = [list(row) for _, row in groupby(kept, lambda number: tagged[number].block or -number - 1)]
    texts = [b" ".join(printed[number].text for number in row) for row in rows]
    unlinked = [b" ".join(printed[number].unlinked for number in row) for row in rows]
    left_out = menus(texts, unlinked)
    of_others = teasers(texts, unlinked, left_out)
    add_teasers(b"\n".join(texts[index] for index in sorted(of_others)), other)
    left_out |= of_others
    beside = {number for number in range(len(printed)) if number not in tagged}
    return beside.union(*(row for index, row in enumerate(rows) if index not in left_out))


_LONGEST_PACKET_NAME = 64  # bytes
_FORM_PACKETS = ("template", "datasets", "")  # the last holds all of them
# Choices, hints, scripts and their messages.
_NOT_SHOWN = frozenset(("items", "assist", "event", "validate", "calculate", "variables", "desc", "config"))


def _lines_of_form(document: Any, raw: Any) -> list[str]:
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


RIGHT_ANGLE = math.pi / 2
SAMPLED_LETTERS = 16  # of a page, by which it is turned upright
LETTERS_PER_PAGE = 20  # pages with fewer that are covered by pictures are scans without a text layer
MARGIN = 0.07  # of a page's height; text of a page begins further inside, stamps of scanners and copiers do not
COVERED = 0.5  # least share of a page's area that a scan covers; illustrations leave room for text
FIRST_PAGES = 5
SOFT_SHARE = 0.8  # of a task's time; then the pages so far are returned, before the sandbox ends the task
_CID = re.compile(r"\(cid:(\d{1,9})\)|\0")
# The codes of ligatures in _OT1 and _T1, by their numbers as pdfminer writes them.
_LIGATURE_CODES = {str(code): chr(code) for code in (*range(0x0B, 0x10), *range(0x1B, 0x20))}
# Returned for fonts without a character map: such signs, or codes that the file gave to its letters from 1 on.
_NO_CHARACTER = re.compile("[\x01-\x08\x0b\x0c\x0e-\x1f\u25a0\u25a1\ufffd\ue000-\uf8ff]")
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?\s*([Zz+-])?(\d\d)?'?(\d\d)?")

MOST_OBJECTS = 1_000_000
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}obj\b")
_CATALOG = re.compile(rb"/Type[ \t\r\n]{0,4}/Catalog\b")
_ROOT = re.compile(rb"/Root[ \t\r\n]{1,4}([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}R\b")


def read_pdf(data: bytes) -> Extracted:
    """Return the text of a PDF, read by pdfium. Running heads and page numbers are in streams["headers"]."""
    import pypdfium2 as pdfium  # loads the C library, 30 ms
    import pypdfium2.raw as raw

    try:
        document = _opened(data)
    except pdfium.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD:
            return read_pdf_slowly(data)  # pdfminer opens some files with an empty password that pdfium refuses
        raise Unreadable(ProblemKind.DAMAGED, Clause.READER_REFUSED, reader="pdfium") from error
    annotations = Annotations()
    try:
        is_dynamic = document.get_formtype() == raw.FORMTYPE_XFA_FULL
        if document.get_formtype() != raw.FORMTYPE_NONE and not is_dynamic:
            document.init_forms()
        count = len(document)
        pages = list(_pdfium_pages(document, _deadline(), annotations))
        if is_dynamic and (lines := _lines_of_form(document, raw)):
            pages = ["\n".join(lines)]
        _refuse_scans(
            pages,
            annotations.filled,
            lambda numbers: _are_covered(document, raw, numbers),
            lambda: _inner_text(document),
            lambda: _has_text_objects(document, raw),
        )
        pages = without_frame(pages, annotations)
        add_files(document, data, raw, annotations.other)
        facts = {**document.get_metadata_dict(), "Lang": wide_string(raw.FPDFCatalog_GetLanguage, document.raw)}
    finally:
        document.close()
    return _finished(pages, count, "pdfium", facts, annotations)


def _opened(data: bytes) -> Any:
    """Open a document; if its cross-reference table is damaged, with a new one. Raises PdfiumError."""
    import pypdfium2 as pdfium

    try:
        return pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        import pypdfium2.raw as raw

        repaired = with_new_trailer(data) if getattr(error, "err_code", None) != raw.FPDF_ERR_PASSWORD else None
        if repaired is None:
            raise
        return pdfium.PdfDocument(repaired)


def read_pdf_slowly(data: bytes) -> Extracted:
    """Return the text by pdfminer, without its analysis of boxes, which takes minutes on scattered letters."""
    from pdfminer.high_level import extract_pages
    from pdfminer.layout import LAParams, LTFigure, LTImage, LTTextContainer  # 200 ms to import, for few files
    from pdfminer.pdfdocument import PDFPasswordIncorrect

    deadline = _deadline()
    pages: list[str] = []
    inner_text = ""
    covered = 0
    try:
        for page in extract_pages(BytesIO(data), laparams=LAParams(boxes_flow=None)):
            boxes = [box for box in page if isinstance(box, LTTextContainer)]
            pages.append("".join(box.get_text() for box in boxes))
            low, high = MARGIN * page.height, (1 - MARGIN) * page.height
            inside = (box for box in boxes if low <= (box.y0 + box.y1) / 2 <= high)
            inner_text = inner_text or "".join(box.get_text() for box in inside)
            least_area = COVERED * page.width * page.height
            covered += any(isinstance(box, LTFigure | LTImage) and box.width * box.height >= least_area for box in page)
            if time.process_time() > deadline or sum(map(len, pages)) > MAX_CHARACTERS:
                return _finished(pages, len(pages) + 1, "pdfminer", {})  # there may be more pages
    except PDFPasswordIncorrect as error:
        raise Unreadable(ProblemKind.ENCRYPTED) from error
    pages = [_CID.sub(lambda code: _LIGATURE_CODES.get(code[1], ""), page) for page in pages]
    _refuse_scans(pages, [], lambda _: 2 * covered >= len(pages), lambda: inner_text, lambda: True)
    return _finished(pages, len(pages), "pdfminer", {})


def _deadline() -> float:
    """Return the CPU time of this process after which reading stops."""
    # CPU time, since waiting for a CPU does not make a reader slow.
    return time.process_time() + SOFT_SHARE * TASK_SECONDS.get()


def _pdfium_pages(document: Any, deadline: float, annotations: Annotations) -> Iterator[str]:
    """Yield the text of each page within the limits of time and length; adds annotations to `annotations`."""
    import pypdfium2.raw as raw

    length = 0
    is_page = _BROWSER.search(document.get_metadata_value("Creator")) is not None
    for index in range(len(document)):
        page = document[index]
        try:
            textpage = _upright_text(page, raw)
            text, letters = textpage.get_text_range(), textpage.raw  # pdfium takes `raw` faster than its wrapper
            if is_page:
                annotations.printed.append(printed_lines(page, letters, raw))
            annotations.other.add_text(OtherContent.FORM_FIELDS, filled_columns(text, letters, raw))
            text = without_repeated_marks(text, letters, raw)
            text = with_strays_in_place(text, letters, raw)
            text = in_reading_order(without_spacing(text, letters, raw), letters, raw)
            text = without_footnotes(text, letters, raw, annotations)
            add_drawings(page, letters, raw, annotations.other)
            textpage.close()
            add_annotations(page, document, raw, annotations)
        finally:
            page.close()
        yield text
        length += len(text)
        if length > MAX_CHARACTERS or time.process_time() > deadline:
            return


def _upright_text(page: Any, raw: Any) -> Any:
    """Turn a page so that most of its letters are upright, and return its text page. raw: pypdfium2.raw.

    pdfium puts the lines of a page that is shown sideways or upside down into a wrong order.
    """
    textpage = page.get_textpage()
    count = textpage.count_chars()
    sample = range(0, count, 1 + count // SAMPLED_LETTERS)
    angles = (raw.FPDFText_GetCharAngle(textpage.raw, index) for index in sample)
    turns = Counter(round(angle / RIGHT_ANGLE) for angle in angles).most_common(1)
    if not turns or (rotation := -90 * turns[0][0] % 360) == page.get_rotation():
        return textpage
    textpage.close()
    page.set_rotation(rotation)
    return page.get_textpage()


def _are_covered(document: Any, raw: Any, pages: Sequence[int]) -> bool:
    """Tell whether pictures cover at least half of these pages, of the first few. Nested pictures count as covering."""
    covered = 0
    first = [index for index in pages[:FIRST_PAGES] if index < len(document)]
    for index in first:
        page = document[index]
        width, height = page.get_size()
        for picture in page.get_objects(filter=[raw.FPDF_PAGEOBJ_IMAGE], max_depth=3):
            left, bottom, right, top = picture.get_bounds()
            if picture.level or (right - left) * (top - bottom) >= COVERED * width * height:
                covered += 1
                break
    return 2 * covered >= len(first)


def _has_text_objects(document: Any, raw: Any) -> bool:
    """Tell whether the first pages contain objects of text."""
    pages = (document[index] for index in range(min(FIRST_PAGES, len(document))))
    return any(True for page in pages for _ in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], max_depth=3))


def _characters(pages: list[str]) -> tuple[int, int]:
    """Count the characters of pages: (letters and digits, signs in place of characters that the PDF does not name)."""
    return sum(sum(map(str.isalnum, page)) for page in pages), sum(len(_NO_CHARACTER.findall(page)) for page in pages)


def _inner_text(document: Any) -> str:
    """Return the text of the first page without its upper and lower margin."""
    page = document[0]
    _, height = page.get_size()
    text: str = page.get_textpage().get_text_bounded(bottom=MARGIN * height, top=(1 - MARGIN) * height)
    page.close()
    return text


def _pages_without_words(pages: list[str], inner_text: Callable[[], str]) -> list[int]:
    """Return the numbers of the pages with hardly any letters besides lines that half of the short pages share.

    These are running heads, or stamps on scans. The stamp on a single page is in its margin.
    """
    if len(pages) == 1 and pages[0].count("\n") < EDGE_LINES:
        pages = [inner_text()]
    short = [(number, page) for number, page in enumerate(pages) if page.count("\n") < 2 * EDGE_LINES]
    lines = [{masked(line) for line in _lines(page)} for _, page in short]
    counts = Counter(line for page in lines for line in page)
    shared = {line for line, count in counts.items() if count > 1 and 2 * count >= len(short)}
    letters = [sum(map(str.isalnum, "".join(page - shared))) for page in lines]
    return [number for (number, _), count in zip(short, letters, strict=True) if count < LETTERS_PER_PAGE]


def _refuse_scans(
    pages: list[str],
    filled: list[str],
    are_covered: Callable[[Sequence[int]], bool],
    inner_text: Callable[[], str],
    has_text: Callable[[], bool],
) -> None:
    """Raise Unreadable if the pages have no usable text, or all but a cover page are pictures without own words.

    filled: what is filled in. are_covered: tells whether pictures cover half of some pages. inner_text: returns the
    text of a single page within its margins.
    """
    letters, unnamed = _characters(pages[:FIRST_PAGES])
    wordless = [] if filled else _pages_without_words(pages, inner_text)
    are_most = 2 * len(wordless) > len(pages) and len(wordless) >= len(pages) - 1  # all, or all but a cover page
    if letters >= LETTERS_PER_PAGE * FIRST_PAGES and letters > unnamed and not are_most:
        return
    letters, unnamed = _characters([*pages, *filled])
    if unnamed > letters:
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NAMELESS_CHARACTERS, final=True)
    are_few = are_most or letters < LETTERS_PER_PAGE * (len(pages) + len(filled))
    if letters == 0 or (are_few and are_covered(wordless if are_most else range(len(pages)))):
        final = (are_most and letters > 0) or not has_text()
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_TEXT_LAYER, pages=len(pages), final=final)


def _finished(
    pages: list[str], count: int, reader: str, facts: dict[str, str], annotations: Annotations | None = None
) -> Extracted:
    """Return the document: running heads removed, hyphens at line ends undone, lines joined, form values appended.

    count: pages of the document, of which `pages` were read. annotations: None if the reader looks for words only.
    """
    not_sought = MAY_HOLD[MediaType.PDF] if annotations is None else ()
    annotations = annotations or Annotations()
    *body, footnotes = map(_lines, letters_for_codes([*pages, "\r\n".join(annotations.footnotes)]))
    text, heads = text_of_pages(body, annotations.other, footnotes)
    heads += annotations.left_out
    for line in annotations.left_out:
        annotations.other.add(OtherContent.HEADERS, line)
    streams = {"headers": "\n".join(heads), "comments": "\n".join(annotations.comments)}
    partial = len(pages) < count
    return Extracted(
        "\n".join([text, *annotations.filled]),
        MediaType.PDF,
        reader,
        streams={name: stream for name, stream in streams.items() if stream},
        pages=count,
        title=facts.get("Title", "").strip()[:500],
        author=facts.get("Author", "").strip()[:500],
        created=pdf_time(facts.get("CreationDate", "")),
        modified=pdf_time(facts.get("ModDate", "")),
        language=language_tag(facts.get("Lang", "")),
        notes=details(Clause.PAGES_READ, read=len(pages), pages=count) if partial else (),
        partial=partial,
        other=annotations.other.hashes(MediaType.PDF, not_sought=not_sought),
    )


def _lines(page: str) -> list[str]:
    """Return the lines of a page. U+FFFE is pdfium's sign for a hyphen at a line end."""
    text = re.sub("\ufffe\\s*", "-\n", page.replace("\r\n", "\n").replace("\r", "\n"))
    return [line.strip() for line in text.split("\n")]


def pdf_time(text: str) -> datetime | None:
    """Return a PDF date ("D:20240131120000+01'00'", ISO 32000-1 section 7.9.4) as UTC; None if it is not a date."""
    match = _DATE.match(text.strip())
    if not match:
        return None
    year, month, day, hour, minute, second = (int(match.group(i) or (1 if i in (2, 3) else 0)) for i in range(1, 7))
    sign = {"+": 1, "-": -1}.get(match.group(7) or "", 0)
    offset = timedelta(hours=int(match.group(8) or 0), minutes=int(match.group(9) or 0)) * sign
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC) - offset
    except (ValueError, OverflowError):
        return None


def with_new_trailer(data: bytes) -> bytes | None:
    """Append a new cross-reference table to a damaged file (ISO 32000-1 sections 7.5.4 and 7.5.5).

    Returns None for a file without a visible catalog; catalogs in compressed object streams are not found.
    """
    objects: dict[int, tuple[int, int]] = {}
    for match in _OBJECT.finditer(data):
        objects[int(match.group(1))] = (match.start(), int(match.group(2)))  # the last object with a number is valid
        if len(objects) > MOST_OBJECTS:
            return None
    root = _root(data, objects)
    if root is None:
        return None
    entries = b"".join(b"%d 1\n%010d %05d n \n" % (number, *objects[number]) for number in sorted(objects))
    trailer = b"trailer\n<< /Size %d /Root %d %d R >>\n" % (max(objects) + 1, root, objects[root][1])
    return b"%s\nxref\n0 1\n0000000000 65535 f \n%s%sstartxref\n%d\n%%%%EOF\n" % (data, entries, trailer, len(data) + 1)


def _root(data: bytes, objects: dict[int, tuple[int, int]]) -> int | None:
    """Return the number of the catalog: the one a trailer names, else that of the last object of type Catalog."""
    named = [int(match.group(1)) for match in _ROOT.finditer(data)]
    known = [number for number in named if number in objects]
    if known:
        return known[-1]
    catalogs = [match.start() for match in _CATALOG.finditer(data)]
    candidates = [(offset, number) for number, (offset, _) in objects.items() if catalogs and offset < catalogs[-1]]
    return max(candidates)[1] if candidates else None
