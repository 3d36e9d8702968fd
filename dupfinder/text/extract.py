"""Bytes to text, the entry to this package: chooses the reader, tries a second one, turns errors into problems."""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from dupfinder.base.details import Clause, Problem, ProblemKind, details
from dupfinder.text.archives.packed import unpack
from dupfinder.text.contents import without_pages_of_contents
from dupfinder.text.document import (
    LABEL_END,
    MAX_CHARACTERS,
    NOT_KNOWN,
    OCR_SECONDS,
    Attempt,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    ReadResult,
    Unreadable,
    all_unknown,
    as_label,
    labels_as_text,
    without_labels,
)
from dupfinder.text.lines import cells_of_words, without_cells
from dupfinder.text.normalise import marks_of, with_decimal_points, with_powers, with_usual_characters
from dupfinder.text.pdf.ocr import read_scanned_pdf
from dupfinder.text.pdf.reader import read_pdf, read_pdf_slowly
from dupfinder.text.readers.books import read_epub, read_kindle
from dupfinder.text.readers.chats import without_times
from dupfinder.text.readers.fixed_pages import read_ofd, read_xps
from dupfinder.text.readers.hangul import read_hwp, read_hwp_plainly, read_hwpx
from dupfinder.text.readers.html import read_html
from dupfinder.text.readers.list_numbers import with_labels, without_list_numbers
from dupfinder.text.readers.mail import read_eml, read_mhtml, read_msg, without_mail_head
from dupfinder.text.readers.markup import (
    decoded_escapes,
    with_persian_letters,
    without_chords,
    without_points,
    without_printed_links,
    without_ticks,
)
from dupfinder.text.readers.opendocument import read_opendocument
from dupfinder.text.readers.package import opened
from dupfinder.text.readers.page_source import LISTS_ARE_NUMBERED
from dupfinder.text.readers.plain import read_markdown, read_plain
from dupfinder.text.readers.plainly import READER as PLAIN_READER
from dupfinder.text.readers.plainly import (
    read_compound_plainly,
    read_kindle_plainly,
    read_mail_plainly,
    read_package_plainly,
    read_page_plainly,
    read_text_plainly,
)
from dupfinder.text.readers.rtf import read_rtf, read_rtf_otherwise
from dupfinder.text.readers.sheets import read_xls, read_xlsx, read_xlsx_slowly
from dupfinder.text.readers.slides import read_ppt, read_pptx, read_vsdx
from dupfinder.text.readers.word import read_docx
from dupfinder.text.readers.word97 import read_doc
from dupfinder.text.sniff import FAMILIES, sniff, unread_kind

Reader = Callable[[bytes], Extracted]

_PREVIEW = "QuickLook/Preview.pdf"


def read_iwork(data: bytes) -> Extracted:
    """Return the text of the PDF preview in a document of Pages, Numbers or Keynote.

    Apple has not published the formats of the documents themselves. Raises Unreadable if the preview is missing or a
    picture.
    """
    with opened(data) as package:
        if not package.has(_PREVIEW):
            raise Unreadable(ProblemKind.UNSUPPORTED, Clause.NO_PREVIEW, final=True)
        preview = read_pdf(package.read(_PREVIEW))
    return replace(preview, media_type=MediaType.IWORK, other=all_unknown(MediaType.IWORK))


# In the order in which they are tried; the last is the plainest.
READERS: Final[Mapping[MediaType, tuple[Reader, ...]]] = {
    MediaType.PDF: (read_pdf, read_pdf_slowly),
    MediaType.OFD: (read_ofd, partial(read_package_plainly, kind=MediaType.OFD)),
    MediaType.XPS: (read_xps, partial(read_package_plainly, kind=MediaType.XPS)),
    MediaType.DOCX: (read_docx, partial(read_package_plainly, kind=MediaType.DOCX)),
    MediaType.HWPX: (read_hwpx, partial(read_package_plainly, kind=MediaType.HWPX)),
    MediaType.HWP: (read_hwp, read_hwp_plainly),
    MediaType.HTML: (read_html, read_page_plainly),
    MediaType.TEXT: (read_plain, partial(read_text_plainly, kind=MediaType.TEXT)),
    MediaType.MARKDOWN: (read_markdown, partial(read_text_plainly, kind=MediaType.MARKDOWN)),
    MediaType.MHTML: (read_mhtml, partial(read_mail_plainly, kind=MediaType.MHTML)),
    MediaType.DOC: (read_doc, partial(read_compound_plainly, kind=MediaType.DOC)),
    **{
        kind: (partial(read_opendocument, kind=kind), partial(read_package_plainly, kind=kind))
        for kind in (MediaType.ODT, MediaType.ODS, MediaType.ODP)
    },
    MediaType.RTF: (read_rtf, read_rtf_otherwise),
    MediaType.EPUB: (read_epub, partial(read_package_plainly, kind=MediaType.EPUB)),
    MediaType.MOBI: (read_kindle, read_kindle_plainly),
    MediaType.PPTX: (read_pptx, partial(read_package_plainly, kind=MediaType.PPTX)),
    MediaType.PPT: (read_ppt, partial(read_compound_plainly, kind=MediaType.PPT)),
    MediaType.VSDX: (read_vsdx, partial(read_package_plainly, kind=MediaType.VSDX)),
    MediaType.XLSX: (read_xlsx, read_xlsx_slowly, partial(read_package_plainly, kind=MediaType.XLSX)),
    MediaType.XLS: (read_xls,),
    MediaType.EML: (read_eml, partial(read_mail_plainly, kind=MediaType.EML)),
    MediaType.MSG: (read_msg, partial(read_compound_plainly, kind=MediaType.MSG)),
    MediaType.IWORK: (read_iwork,),
}

_NO_ROOM = ("cannot allocate memory", "failed to map")  # in messages of the dynamic loader when memory runs out

_SIGNS = (OtherContent.SIGNS, OtherContent.LETTERING)
# Of a running head; each East Asian character alone, because not all formats write spaces between words. A page number
# has at most three figures, a year or the number of a contract has more.
_HEAD_WORD = re.compile(r"[\u2e80-\ud7ff]|[^\W\d_\u2e80-\ud7ff]{2,}|\d{4,}")
_ROMAN = re.compile("[ivxlc]+")
# The tabs before an amount, which tell its column, and the documents that have such columns.
_TABS_BEFORE = re.compile(r"\S(\t{1,20})(?=[-−+$€£¥(]{0,2}\d)")
_TABBED = frozenset((MediaType.DOCX, MediaType.DOC, MediaType.ODT, MediaType.RTF))
# Formats whose readers write labels.
_LABELLED = _TABBED | {MediaType.ODS, MediaType.ODP, MediaType.MSG, MediaType.MARKDOWN}
_log = logging.getLogger(__name__)


def extract(
    data: bytes,
    path: Path,
    *,
    formats: frozenset[MediaType] | None = None,
    attempt: Attempt = Attempt.FIRST,
    ocr: str = "",
) -> ReadResult:
    """Return the text of a document. `path` is used for its suffix; no file is opened.

    formats: the kinds to read; a document of another kind is SKIPPED (None: all).
    attempt: which readers are tried. With PLAINEST, the first note of a text is READ_PLAINLY_TOO_SLOW.
    ocr:     languages in which scanned PDF pages are recognised, as tesseract names them; "": no recognition.
    A bad file raises nothing. MemoryError is passed on, because the sandbox counts it, and so is ImportError: a missing
    module is a fault of the installation, and no file may be reported as damaged because of it.
    """
    kind = MediaType.UNKNOWN
    try:
        unpacked = unpack(data, path)
        kind = sniff(unpacked, path)
        readers = READERS.get(kind, ())
        if not readers:
            raise Unreadable(ProblemKind.UNSUPPORTED, unread_kind(path))
        if formats is not None and kind not in formats:
            raise Unreadable(ProblemKind.SKIPPED, Clause.OTHER_KINDS, kind=kind)
        if not unpacked:
            raise Unreadable(ProblemKind.NO_TEXT, Clause.EMPTY_FILE)
        try:
            extraction = _read(readers, unpacked, attempt)
        except Unreadable as trouble:
            if not ocr or kind is not MediaType.PDF or trouble.kind is not ProblemKind.NO_TEXT:
                raise
            scanned = _tried(partial(read_scanned_pdf, languages=ocr, seconds=OCR_SECONDS), unpacked)
            extraction = _with_partial_problem(scanned)
    except Unreadable as trouble:
        extraction = ReadResult(None, Problem(trouble.kind, trouble.details))
    return replace(extraction, media=kind)


def extract_to_show(data: bytes, path: Path, attempt: Attempt = Attempt.FIRST) -> ReadResult:
    """Do what `extract` does, with the numbers of ordered lists in pages, books and mails for `shown_texts`."""
    context = copy_context()
    context.run(LISTS_ARE_NUMBERED.set, True)
    return context.run(extract, data, path, attempt=attempt)


def _plainly(readers: tuple[Reader, ...], data: bytes) -> ReadResult:
    """Return what the plainest reader finds in a file that took another one too long. Raises Unreadable."""
    if len(readers) == 1:
        raise Unreadable(ProblemKind.TOO_SLOW, Clause.NO_PLAINER_READER)
    try:
        extracted = _read_by(readers[-1], data)
        if extracted.media_type not in FAMILIES["text"]:  # for these, the search for marks took too long
            extracted = _with_words_alone(extracted)
    except Unreadable as trouble:
        raise Unreadable(ProblemKind.TOO_SLOW, Clause.NO_PLAIN_TEXT) from trouble
    notes = details(Clause.READ_PLAINLY_TOO_SLOW) + extracted.notes
    return _with_partial_problem(replace(extracted, notes=notes))


def _read(readers: tuple[Reader, ...], data: bytes, attempt: Attempt) -> ReadResult:
    """Return the text of the first reader that finds some. Raises the first reader's Unreadable if none does."""
    if attempt is Attempt.PLAINEST:
        return _plainly(readers, data)
    troubles: list[Unreadable] = []
    for reader in readers[attempt is Attempt.SECOND :] or readers:
        try:
            extracted = _tried(reader, data)
        except Unreadable as trouble:
            troubles.append(trouble)
            if trouble.final:
                break
            continue
        if troubles and troubles[0].kind is ProblemKind.DAMAGED:
            notes = extracted.notes + details(Clause.SECOND_READER) + troubles[0].details
            extracted = replace(extracted, notes=notes)
        return _with_partial_problem(extracted)
    raise troubles[0]


def _tried(reader: Reader, data: bytes) -> Extracted:
    """Return the words that a reader finds, without marks. Raises as `_read_by`."""
    return _with_words_alone(_read_by(reader, data))


def _read_by(reader: Reader, data: bytes) -> Extracted:
    """Return what a reader finds. Raises MemoryError, ImportError, and Unreadable for all other failures."""
    try:
        extracted = reader(data)
    except (Unreadable, MemoryError):
        raise
    except ImportError as error:
        if any(sign in str(error) for sign in _NO_ROOM):
            raise MemoryError from error
        raise
    except Exception as error:  # third-party parsers raise all kinds of exceptions on damaged input
        _log.debug("%s failed with %s", reader, type(error).__name__)
        raise Unreadable(ProblemKind.DAMAGED, Clause.PARSER_FAILED, error=type(error).__name__) from error
    if not any(map(str.isalnum, extracted.text)):
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_LETTERS)
    return extracted


def _with_words_alone(extracted: Extracted) -> Extracted:
    """Move points, chords, addresses, times, list numbers, ticks and empty cells to other content; decode escapes.

    Most formats compute list numbers and few store them; most copies of a text have no points and no times.
    """
    labelled = extracted.text
    if extracted.media_type in _LABELLED or LABEL_END in labelled:
        extracted = replace(extracted, text=without_labels(labelled))
    text, cells = without_cells(extracted.text)
    as_read = text if extracted.text == labelled else without_cells(labelled.replace(LABEL_END, " "))[0]
    text, pages = _decoded(text)
    text, points = without_points(text)
    text, chords, song = without_chords(text)
    text, links = without_printed_links(text)
    text, head = _without_mail_head(extracted, text)
    timed = without_times(text)
    text, numbers = without_list_numbers(timed.words)
    text, ticks, ticked = without_ticks(text)
    if not any(map(str.isalnum, text)):
        return extracted
    # Of a document that computes other numbers, those that it stores are not all that a PDF of it stores.
    computes_some = extracted.media_type in _LABELLED and extracted.text != labelled
    heads = (pages, points, song, head, timed.times, cells_of_words(extracted.text), _tabs(extracted))
    other = OtherHashes()
    for kind, marks in (
        (OtherContent.HEADERS, "".join(heads)),
        (OtherContent.LIST_STARTS if computes_some else OtherContent.NUMBERS, numbers),
        (OtherContent.LINKS, links),
        (OtherContent.HEAD_WORDS, _head_words(extracted.streams)),
        (OtherContent.FORM_FIELDS, ticks + cells + timed.moments + chords),
    ):
        earlier_hash = extracted.other.get(kind, "none")  # hashed in place of content that the reader did not find
        if marks and earlier_hash != NOT_KNOWN:
            other.add(kind, earlier_hash, marks)
    _add_signs(text, other, ticked)
    hashes = {kind: content_hash for kind, content_hash in extracted.other.items() if kind not in _SIGNS}
    streams = {name: without_cells(stream)[0] for name, stream in extracted.streams.items()}
    streams |= {} if as_read == text else {"as_read": as_read}
    return replace(extracted, text=text, streams=streams, other=hashes | dict(other.hashes(extracted.media_type)))


def _decoded(text: str) -> tuple[str, str]:
    """Return (a text whose characters are decoded, the page numbers of its contents, which are taken out)."""
    text, pages = without_pages_of_contents(text)
    return with_persian_letters(with_powers(with_usual_characters(decoded_escapes(text)))), pages


def _without_mail_head(extracted: Extracted, text: str) -> tuple[str, str]:
    """Return `without_mail_head` of a text; a mail keeps it, which is that of a mail that it forwards."""
    return (text, "") if extracted.media_type in FAMILIES["mail"] else without_mail_head(text)


def shown_texts(left: Extracted, right: Extracted, *, everything: bool) -> tuple[str, str]:
    """Return two texts as people compare them: with ☑, ☐ or ☒ for each tick, and the writers of a chat.

    List numbers are labels, which are shown and not compared; see `as_label`. everything: they are compared, and so are
    vowel points, chords and times.
    """
    if everything:
        return _as_read(left), _as_read(right)
    if any(note.code is Clause.READ_PLAINLY_TOO_SLOW for note in left.notes + right.notes):
        return left.text, right.text
    of_left, of_right = _with_numbers(left), _with_numbers(right)
    return without_ticks(with_labels(of_left, of_right))[2], without_ticks(with_labels(of_right, of_left))[2]


def _as_read(extracted: Extracted) -> str:
    """Return the text of a document with all that was taken out."""
    as_read = extracted.streams.get("as_read")
    return extracted.text if as_read is None else labels_as_text(_decoded(as_read)[0])


def _with_numbers(extracted: Extracted) -> str:
    """Return the text of a document with its ticks, list numbers, and the writers of a chat."""
    as_read = extracted.streams.get("as_read")
    if as_read is None:
        return extracted.text
    text = without_chords(without_points(_decoded(as_read)[0])[0])[0]
    text = _without_mail_head(extracted, without_printed_links(text, lambda address: f" {as_label(address)}")[0])[0]
    timed = without_times(text)
    return timed.shown or timed.words


def _tabs(extracted: Extracted) -> str:
    """Return how many tabs are before each amount of a document; "" if none has more than one."""
    is_tabbed = extracted.media_type in _TABBED and "\t\t" in extracted.text
    tabs = [str(len(run)) for run in _TABS_BEFORE.findall(extracted.text)] if is_tabbed else []
    return " ".join(tabs) if {*tabs} - {"1"} else ""


def _head_words(streams: Mapping[str, str]) -> str:
    """Return the words of the running heads and feet, without single letters and page numbers.

    Each is listed once, in alphabetical order, since formats repeat and order them in different ways.
    """
    heads = f"{streams.get('headers', '')}\n{streams.get('footers', '')}"
    words = set(_HEAD_WORD.findall(unicodedata.normalize("NFKC", heads).casefold())) if heads.strip() else set()
    return " ".join(sorted(word for word in words if not _ROMAN.fullmatch(word)))


def _add_signs(text: str, other: OtherHashes, ticked: str) -> None:
    """Add the signs of a text from which ticks and list numbers were removed, and the lettering with the ticks."""
    pointed = with_decimal_points(text)
    marks_of_text = marks_of(pointed, pointed if ticked == text else with_decimal_points(ticked))
    for kind, marks in zip(_SIGNS, marks_of_text, strict=True):
        if marks:
            other.add(kind, marks)


def of_text(text: str) -> Extracted:
    """Return the document of a text that is not in a file: its words and its signs."""
    text, other = with_usual_characters(text), OtherHashes()
    _add_signs(text, other, text)
    return Extracted(text, MediaType.TEXT, "", other=other.hashes(MediaType.TEXT))


def _with_partial_problem(extracted: Extracted) -> ReadResult:
    """Return the text with the problem that made it partial: damage, time (PDF only) or length."""
    if not extracted.partial:
        return ReadResult(extracted)
    is_cut = len(extracted.text) >= MAX_CHARACTERS
    if extracted.reader == PLAIN_READER and not is_cut:
        return ReadResult(extracted, Problem(ProblemKind.DAMAGED, details(Clause.READ_IN_PART)))
    pages = tuple(note for note in extracted.notes if note.code is Clause.PAGES_READ)
    kind = ProblemKind.TOO_SLOW if extracted.media_type is MediaType.PDF and not is_cut else ProblemKind.TOO_LARGE
    read_in_part = pages or details(Clause.CHARACTERS_READ, characters=len(extracted.text))
    return ReadResult(extracted, Problem(kind, read_in_part))
