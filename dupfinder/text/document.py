"""What reading a file takes and gives: attempts, media types, Extracted, and content that is not words.

This module imports no reader: code that has files read by another process needs no more than it.
"""

from __future__ import annotations

import hashlib
import re
import string
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Final

from dupfinder.base.details import Clause, Detail, Details, Problem, ProblemKind

READER_REVISION: Final = 66  # raise it when a change makes the text of some file differ
OCR_SECONDS = 120.0  # for one document; with OCR, callers must give the sandbox a longer deadline
OTHER_HASH_BYTES = 8
MAX_CHARACTERS = 50_000_000  # of one document: some 10,000 pages; a longer text is cut and marked as partial
MAX_PART_BYTES = 256 << 20  # of one inflated part of a package
MAX_PACKAGE_BYTES = 512 << 20  # of all parts that are read of one package
MAX_RATIO = 400  # inflated to packed size; real documents stay below 100
FREE_BYTES = 8 << 20  # smaller parts may have any ratio: small XML with repeated tags compresses well


class Unreadable(Exception):
    """A reader has no text for a file. Facts: `kind`, `details`, `final` (True: no other reader is tried).

    why: a code, with its facts as keyword arguments; or complete details.
    """

    def __init__(
        self, kind: ProblemKind, why: Clause | Details = (), /, *, final: bool = False, **facts: int | str
    ) -> None:
        super().__init__(kind, why, facts)
        self.kind = kind
        self.details = (Detail(why, facts),) if isinstance(why, Clause) else why
        self.final = final or kind in (ProblemKind.ENCRYPTED, ProblemKind.TOO_LARGE)


class Attempt(StrEnum):
    """Which readers of a format are tried.

    FIRST:    all, in their order.
    SECOND:   all but the first, which crashed its process; the first again if it is the only one.
    PLAINEST: only the last, because another took too long.
    """

    FIRST = "first"
    SECOND = "second"
    PLAINEST = "plainest"


@dataclass
class TextBuffer:
    """Text gathered in pieces, at most MAX_CHARACTERS. full: some text was left out."""

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    full: bool = False

    def add(self, piece: str) -> None:
        """Append a piece, or as much of it as there is room for."""
        room = MAX_CHARACTERS - self.length
        if len(piece) > room:
            piece, self.full = piece[:room], True
        self.pieces.append(piece)
        self.length += len(piece)

    def text(self) -> str:
        """Return the text so far."""
        return "".join(self.pieces)


class MediaType(StrEnum):
    """The kinds of document that have a reader; UNKNOWN has none. Values are the labels that people see."""

    PDF = "pdf"
    OFD = "ofd"
    XPS = "xps"
    DOCX = "docx"
    DOC = "doc"
    HWP = "hwp"
    HWPX = "hwpx"
    HTML = "html"
    MHTML = "mhtml"
    TEXT = "txt"
    MARKDOWN = "md"
    ODT = "odt"
    ODS = "ods"
    ODP = "odp"
    RTF = "rtf"
    EPUB = "epub"
    MOBI = "mobi"
    PPTX = "pptx"
    PPT = "ppt"
    VSDX = "vsdx"
    XLSX = "xlsx"
    XLS = "xls"
    EML = "eml"
    MSG = "msg"
    IWORK = "iwork"
    UNKNOWN = ""


# The formats in which a line may end within a paragraph, at the width of a page or an editor. In others it ends one.
WRAPPED: Final = frozenset(
    (
        *(MediaType.PDF, MediaType.OFD, MediaType.XPS, MediaType.IWORK),
        *(MediaType.TEXT, MediaType.MARKDOWN, MediaType.EML, MediaType.MSG),
    )
)


_NO_TEXT_PLANE: Final = 0xB0000  # of Unicode, which has no characters
LABEL_END: Final = chr(_NO_TEXT_PLANE + ord(" "))
LABEL: Final = "\U000b0000-\U000bd7ff\U000be000-\U000bffff"  # for a class of a regular expression; no surrogates
_LABEL = re.compile(f"[{LABEL}]+")
_LABEL_AND_SPACE = re.compile(f"[{LABEL}]+[ \t]*")


def as_label(number: str) -> str:
    """Return the number of a list item or a clause as a label: in characters that no text has, of the same length.

    Labels are shown, but not compared. Spaces stay as they are.
    """
    return "".join(sign if sign.isspace() else chr(_NO_TEXT_PLANE + (ord(sign) & 0xFFFF)) for sign in number)


def labels_as_text(text: str) -> str:
    """Return a text with its labels as they are read."""
    return _LABEL.sub(lambda label: "".join(chr(ord(sign) - _NO_TEXT_PLANE) for sign in label[0]), text)


def without_labels(text: str) -> str:
    """Return a text without its labels, and the spaces behind them."""
    return _LABEL_AND_SPACE.sub("", text)


class OtherContent(StrEnum):
    """Kinds of content that are not words of a document, and that would be lost with it.

    pictures:        pictures, drawings, charts, sound and film that are stored in the file; pictures of a font.
    comments:        remarks and their authors; in written documents and pages, highlighted words, and hidden ones.
    tracked_changes: text marked as deleted or inserted, and the authors; words struck out.
    attachments:     files and objects of other programs, with their names; macros.
    form_fields:     names and values of fields to fill in, ticks in boxes, empty cells before filled ones; in texts and
                     PDFs, the columns of ticks and amounts; in chats, when messages were sent; chords of songs.
    formulas:        mathematical formulas, and those that compute cells.
    headers:         text around the document: running heads and feet, the site chrome of a web page, a mail's header,
                     its importance, the marks of subtitles, the times of transcripts and chats, parts of songs;
                     where the cells of a table end; the names of a workbook's sheets; which rows, columns, sheets and
                     slides are hidden; colours of cells; numbers of cells, whose formats may hide digits, and tabs
                     before amounts; readings above words (pinyin, furigana).
    notes:           a speaker's notes.
    links:           addresses that are linked to, or printed behind words.
    signs:           signs with a meaning of their own: punctuation, currencies, percentages, arithmetic, emoji.
    lettering:       capitals, ß, and signs that formats write in different ways: brackets, raised digits, ticks.
    numbers:         the numbers of list items, clauses, notes and verses, which some formats compute.
    head_words:      the words of running heads and feet, which two formats of one document share.
    list_starts:     the numbers with which computed lists begin, and in pages how lists are counted; the stored numbers
                     of items, if a document computes others.
    The library stores them in this order: append new kinds at the end.
    """

    PICTURES = "pictures"
    COMMENTS = "comments"
    TRACKED_CHANGES = "tracked_changes"
    ATTACHMENTS = "attachments"
    FORM_FIELDS = "form_fields"
    FORMULAS = "formulas"
    HEADERS = "headers"
    NOTES = "notes"
    LINKS = "links"
    SIGNS = "signs"
    LETTERING = "lettering"
    NUMBERS = "numbers"
    HEAD_WORDS = "head_words"
    LIST_STARTS = "list_starts"


_OFFICE = frozenset(OtherContent) - {OtherContent.NOTES}
_PAGE = _OFFICE - {OtherContent.ATTACHMENTS}
_PRINTED = _OFFICE - {OtherContent.TRACKED_CHANGES, OtherContent.FORMULAS}
_OF_TEXT = frozenset(
    (
        OtherContent.FORM_FIELDS,
        OtherContent.HEADERS,
        OtherContent.LINKS,
        OtherContent.SIGNS,
        OtherContent.LETTERING,
        OtherContent.NUMBERS,
        OtherContent.HEAD_WORDS,
    )
)

# The other content that documents of each format may hold. They hold no other kinds.
MAY_HOLD: Final[Mapping[MediaType, frozenset[OtherContent]]] = {
    **dict.fromkeys((MediaType.DOCX, MediaType.DOC, MediaType.ODT, MediaType.RTF), _OFFICE),
    **dict.fromkeys((MediaType.HWP, MediaType.HWPX), _OFFICE),
    **dict.fromkeys((MediaType.XLSX, MediaType.XLS, MediaType.ODS), _OFFICE),
    **dict.fromkeys((MediaType.PPTX, MediaType.PPT, MediaType.ODP), frozenset(OtherContent)),
    MediaType.VSDX: _OFFICE,
    MediaType.IWORK: frozenset(OtherContent),
    **dict.fromkeys((MediaType.PDF, MediaType.OFD, MediaType.XPS), _PRINTED),
    **dict.fromkeys((MediaType.HTML, MediaType.EPUB, MediaType.MOBI), _PAGE),
    **dict.fromkeys((MediaType.MHTML, MediaType.EML, MediaType.MSG), _OFFICE),
    MediaType.MARKDOWN: _PAGE - {OtherContent.PICTURES},
    MediaType.TEXT: _OF_TEXT,
    MediaType.UNKNOWN: frozenset(),
}
_IN_ORDER = tuple(OtherContent)  # an enumeration itself takes many times as long to go through
NOT_KNOWN = ""  # instead of a hash: the document may hold this kind, but its reader does not look for it


def all_unknown(media: MediaType) -> Mapping[OtherContent, str]:
    """Return NOT_KNOWN for each kind that the format may hold: the result of readers that look for words only."""
    return {kind: NOT_KNOWN for kind in OtherContent if kind in MAY_HOLD[media]}


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text and the properties of one document.

    text:      the content that is compared: body in document order, foot- and endnotes; paragraphs end in a newline.
    streams:   text that is kept out of the fingerprint: "comments", "headers", "footers", "full" (a web page with its
               site chrome), "as_read" (the text with its ticks, list numbers, vowel points and times, from which
               `shown_texts` makes what people read; missing if `text` has all).
    pages:     None if the format has no pages.
    created, modified: dates stored in the file, in UTC.
    language:  as declared in the file, as a tag such as "en-GB"; "" if not declared. Fingerprints ignore it: they
               detect the language from the text, which works for every format.
    reader:    the engine that read it ("pdfium", "pdfminer", "docx-walk", "resiliparse", ...).
    partial:   the text is incomplete. Partial texts never count as equal.
    notes:     remarks on the reading: how it was done and what was left out, as codes with facts (DELETIONS_LEFT_OUT).
    other:     for each kind of other content a hash of all of it in document order, 16 hexadecimal digits; NOT_KNOWN if
               the document may hold some that the reader cannot see. Kinds that are missing here are not in the
               document.
    """

    text: str
    media_type: MediaType
    reader: str
    streams: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None
    pages: int | None = None
    title: str = ""
    author: str = ""
    created: datetime | None = None
    modified: datetime | None = None
    language: str = ""
    notes: Details = ()
    partial: bool = False
    other: Mapping[OtherContent, str] = field(default_factory=lambda: dict.fromkeys(OtherContent, NOT_KNOWN))


_TAG = re.compile(r"([A-Za-z]{2,3})((?:[-_][A-Za-z0-9]{2,8}){0,4})(?:[.@].*)?")
_NO_LANGUAGES = frozenset({"und", "zxx", "mis", "mul"})


def language_tag(declared: str) -> str:
    """Return a declared language as a BCP 47 tag ("en_gb.UTF-8": "en-GB"); "" if it is not a language."""
    match = _TAG.fullmatch(declared.strip())
    if not match or match.group(1).lower() in _NO_LANGUAGES:
        return ""
    declared_subtags = match.group(2).replace("_", "-").split("-")[1:]
    subtags = [
        part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part for part in declared_subtags
    ]
    return "-".join([match.group(1).lower(), *subtags])


@dataclass(frozen=True, slots=True)
class ReadResult:
    """The result of reading one file: what could be read (None: nothing), its problem (None: none), and its kind."""

    extracted: Extracted | None
    problem: Problem | None = None
    media: MediaType = MediaType.UNKNOWN


def digest(content: bytes) -> bytes:
    """Return a hash of `content`, OTHER_HASH_BYTES long."""
    return hashlib.blake2b(content, digest_size=OTHER_HASH_BYTES).digest()


_PIECE: Final = 1 << 16  # characters
_ASCII: Final = bytes(range(128))
_ASCII_LETTERS: Final = string.ascii_letters.encode()
_FIRST_EAST_ASIAN: Final = "\u2e80"


def pieces_of(text: str) -> Iterator[str]:
    """Yield a text in pieces, each but the first beginning with a line end.

    Most pieces of most long texts are plain ASCII, which Python stores and searches as bytes.
    """
    start = 0
    while (end := text.find("\n", start + _PIECE)) >= 0:
        yield text[start:end]
        start = end
    yield text[start:]


def beyond_ascii(text: str) -> str:
    """Return the characters of a text beyond ASCII: most texts have few, which are quickly searched."""
    others = (piece.encode("utf-8", "surrogatepass") for piece in pieces_of(text) if not piece.isascii())
    return b"".join(others).translate(None, _ASCII).decode("utf-8", "surrogatepass")


def letter_count(text: str) -> int:
    """Return the number of letters in a text; an East Asian one counts twice, as it says as much as two.

    Those of ASCII are counted as bytes, a hundred times as fast.
    """
    data = text.encode("ascii", "ignore")
    others = list(filter(str.isalpha, beyond_ascii(text)))
    east_asian = sum(letter >= _FIRST_EAST_ASIAN for letter in others)
    return len(data) - len(data.translate(None, _ASCII_LETTERS)) + len(others) + east_asian


def replaced(text: str, non_ascii: str, forms: Mapping[str, str]) -> str:
    """Replace each sign by its form; far faster than str.translate. No sign may hold a line end.

    non_ascii: the characters of the text beyond ASCII, in which all signs are.
    """
    used = [sign for sign in forms if sign in non_ascii] if non_ascii else []
    if not used:
        return text
    pieces = list(pieces_of(text))
    for number, piece in enumerate(pieces):
        if not piece.isascii():
            for sign in used:
                piece = piece.replace(sign, forms[sign])
            pieces[number] = piece
    return "".join(pieces)


_ONE_VALUE = (1).to_bytes(4, "little")  # begins a piece with one value: the number of its values
_WHITE = b" \t\n\r\v\f"
# Kinds of quotes and dashes, and the typed one that stands for each: no two texts differ in these alone.
TYPED_SIGNS: Final = {
    **dict.fromkeys("“”„‟«»＂〝〞〟「」『』״", '"'), **dict.fromkeys("‘’‚‛‹›＇׳", "'"), **dict.fromkeys("‐‑‒–—−", "-"),
}  # fmt: skip
_UNHASHED: Final = TYPED_SIGNS | {"\u00a0": ""}


def _hashable(value: str | bytes) -> bytes:
    """Return the length of a value and its bytes: those of a text without white space, with typed quotes and dashes."""
    if isinstance(value, bytes):
        return len(value).to_bytes(4, "little") + value
    # In one long text, replacing takes three times as long.
    pieces = (value[start : start + _PIECE] for start in range(0, len(value), _PIECE))
    typed = (replaced(piece, beyond_ascii(piece), _UNHASHED) for piece in pieces)
    content = b"".join([piece.encode("utf-8", "replace").translate(None, _WHITE) for piece in typed])
    return len(content).to_bytes(4, "little") + content


class OtherHashes:
    """Collects hashes of a document's other content: each piece is added with its kind, in document order.

    Texts are hashed without white space and with typed quotes and dashes, so that saving in another version of a
    program, or its typographic quotes, change nothing.
    """

    def __init__(self) -> None:
        self._hashes = defaultdict[OtherContent, hashlib.blake2b](
            partial(hashlib.blake2b, digest_size=OTHER_HASH_BYTES)
        )
        self._unknown: set[OtherContent] = set()

    def add(self, kind: OtherContent, *values: str | bytes | None) -> None:
        """Add one piece as its values: author and text, or name and bytes. None: a value that cannot be read."""
        content_hash = self._hashes[kind]
        content_hash.update(len(values).to_bytes(4, "little"))
        for value in values:
            if value is None:
                self._unknown.add(kind)
                return
            content_hash.update(_hashable(value))

    def add_each(self, kind: OtherContent, values: Sequence[bytes]) -> None:
        """Add a piece for each of these values. The hash is the same as by `add`, which is several times slower."""
        if values:
            pieces = [_ONE_VALUE + len(value).to_bytes(4, "little") + value for value in values]
            self._hashes[kind].update(b"".join(pieces))

    def add_text(self, kind: OtherContent, text: str) -> None:
        """Add a text, unless it is blank."""
        if text and not text.isspace():
            self.add(kind, text)

    def include(self, other: Mapping[OtherContent, str]) -> None:
        """Add the other content of a document that is inside this one."""
        for kind, content_hash in other.items():
            self.add(kind, content_hash if content_hash != NOT_KNOWN else None)

    def unknown(self, *kinds: OtherContent) -> None:
        """Record that the document may hold more of these kinds than was added."""
        self._unknown.update(kinds)

    def hashes(self, media: MediaType, not_sought: Iterable[OtherContent] = ()) -> Mapping[OtherContent, str]:
        """Return the hash of each kind, NOT_KNOWN for unknown kinds. Kinds without any piece are left out.

        not_sought: kinds that the reader does not look for.
        """
        unknown = self._unknown | set(not_sought)
        return {
            kind: NOT_KNOWN if kind in unknown else self._hashes[kind].hexdigest()
            for kind in _IN_ORDER
            if (kind in self._hashes or kind in unknown) and kind in MAY_HOLD[media]
        }
