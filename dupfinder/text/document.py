"""What reading a file gives: Extracted, the media types that are known, and what a document holds beside its words."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from dupfinder.base.details import Details
from dupfinder.base.problems import Problem

HASH_BYTES = 8


class MediaType(StrEnum):
    """The kinds of document that have a reader; UNKNOWN has none. Values are the badges people see, in lower case."""

    PDF = "pdf"
    DOCX = "docx"
    DOC = "doc"
    HTML = "html"
    MHTML = "mhtml"
    TEXT = "txt"
    MARKDOWN = "md"
    ODT = "odt"
    ODS = "ods"
    ODP = "odp"
    RTF = "rtf"
    EPUB = "epub"
    PPTX = "pptx"
    XLSX = "xlsx"
    XLS = "xls"
    EML = "eml"
    MSG = "msg"
    IWORK = "iwork"
    UNKNOWN = ""


class OtherContent(StrEnum):
    """The kinds of content that are no words of a document, and that its removal would lose all the same.

    pictures:        pictures, drawings, charts, sound and film, as far as they lie in the file.
    comments:        remarks and who made them.
    tracked_changes: texts that are marked as taken away or put in, and by whom.
    attachments:     files and objects of other programs, with their names; programs (macros).
    form_fields:     names and values of fields to fill in.
    formulas:        of mathematics, and those that cells are computed by.
    headers:         what stands around the text: running heads and feet, the frame of a web page, the head of a mail.
    notes:           of a speaker.
    links:           addresses that are linked to.
    A new kind goes to the end: the library stores them in this order.
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


_OFFICE = frozenset(OtherContent) - {OtherContent.NOTES}
_PAGE = frozenset(
    {
        OtherContent.PICTURES,
        OtherContent.COMMENTS,
        OtherContent.FORM_FIELDS,
        OtherContent.FORMULAS,
        OtherContent.HEADERS,
        OtherContent.LINKS,
    }
)
_MAIL = _PAGE | {OtherContent.ATTACHMENTS}

# What a format may hold beside words; it holds nothing of any other kind.
MAY_HOLD: Mapping[MediaType, frozenset[OtherContent]] = MappingProxyType(
    {
        **dict.fromkeys((MediaType.DOCX, MediaType.DOC, MediaType.ODT, MediaType.RTF), _OFFICE),
        **dict.fromkeys((MediaType.XLSX, MediaType.XLS, MediaType.ODS), _OFFICE),
        **dict.fromkeys((MediaType.PPTX, MediaType.ODP), frozenset(OtherContent)),
        MediaType.IWORK: frozenset(OtherContent),
        MediaType.PDF: _OFFICE - {OtherContent.TRACKED_CHANGES, OtherContent.FORMULAS},
        **dict.fromkeys((MediaType.HTML, MediaType.EPUB), _PAGE),
        **dict.fromkeys((MediaType.MHTML, MediaType.EML, MediaType.MSG), _MAIL),
        MediaType.MARKDOWN: frozenset({OtherContent.COMMENTS, OtherContent.LINKS}),
        MediaType.TEXT: frozenset({OtherContent.HEADERS}),
        MediaType.UNKNOWN: frozenset(),
    }
)
NOT_KNOWN = ""  # of a kind that may be in a document, and that its reader does not look at


def all_unknown(media: MediaType) -> Mapping[OtherContent, str]:
    """What a reader says that looks at nothing but words: no kind that the format may hold is known."""
    return {kind: NOT_KNOWN for kind in OtherContent if kind in MAY_HOLD[media]}


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of one document and what its file says of it.

    text:      the content that is compared: body in document order, foot- and endnotes; paragraphs end in a newline.
    streams:   what is kept apart and out of the fingerprint: "comments", "headers", "footers", "full" (a web page with
               its frame).
    pages:     None where the format has none.
    created, modified: dates inside the file, in UTC.
    language:  what the file says of its language, as a tag such as "en-GB"; "" where it says nothing. Fingerprints do
               not look at it: they tell the language from the text, whatever format that came in.
    reader:    the engine that read it ("pdfium", "pdfminer", "docx-walk", "python-docx", "resiliparse", ...).
    partial:   reading ended before the document did; partial text never makes two files equal.
    notes:     how it was read and what was left out, as codes with facts (DELETIONS_LEFT_OUT).
    other:     for each kind of content beside the words a hash of all of it in document order, 16 hexadecimal digits;
               NOT_KNOWN where the document may hold some and the reader cannot tell. A kind that is missing here is
               known not to be in it.
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
    """A declared language as a tag of BCP 47 ("en_gb.UTF-8": "en-GB"); "" when it is none."""
    found = _TAG.fullmatch(declared.strip())
    if not found or found.group(1).lower() in _NO_LANGUAGES:
        return ""
    rest = found.group(2).replace("_", "-").split("-")[1:]
    named = [part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part for part in rest]
    return "-".join([found.group(1).lower(), *named])


@dataclass(frozen=True, slots=True)
class Extraction:
    """The outcome of reading one file: what could be read (None: nothing), and what was wrong (None: nothing)."""

    extracted: Extracted | None
    problem: Problem | None = None


def digest(content: bytes) -> bytes:
    """A short hash of some bytes."""
    return hashlib.blake2b(content, digest_size=HASH_BYTES).digest()


class Beside:
    """Takes each piece of content with its kind, in document order.

    Texts count without their spacing, so that a save by another version of a program changes nothing.
    """

    def __init__(self) -> None:
        self._hashes: dict[OtherContent, hashlib.blake2b] = {}
        self._unknown: set[OtherContent] = set()

    def add(self, kind: OtherContent, *facts: str | bytes | None) -> None:
        """Add one piece by its facts: its author and its text, its name and its bytes. None: they cannot be told."""
        hashed = self._hashes.get(kind)
        if hashed is None:
            hashed = self._hashes[kind] = hashlib.blake2b(digest_size=HASH_BYTES)
        hashed.update(len(facts).to_bytes(4, "little"))
        for fact in facts:
            if fact is None:
                self._unknown.add(kind)
                return
            content = fact if isinstance(fact, bytes) else " ".join(fact.split()).encode("utf-8", "replace")
            hashed.update(len(content).to_bytes(4, "little") + content)

    def add_text(self, kind: OtherContent, text: str) -> None:
        """Add a text, unless nothing but spaces is in it."""
        if text and not text.isspace():
            self.add(kind, text)

    def include(self, other: Mapping[OtherContent, str]) -> None:
        """Add what a document inside this one holds."""
        for kind, said in other.items():
            self.add(kind, said if said != NOT_KNOWN else None)

    def unknown(self, *kinds: OtherContent) -> None:
        """Say that the document may hold more of these kinds than was added."""
        self._unknown.update(kinds)

    def said(self, media: MediaType, never: Iterable[OtherContent] = ()) -> Mapping[OtherContent, str]:
        """Each kind's hash, NOT_KNOWN for unknown ones; kinds that were never met are left out.

        never: kinds that the reader never looks for.
        """
        unknown = self._unknown | set(never)
        return {
            kind: NOT_KNOWN if kind in unknown else self._hashes[kind].hexdigest()
            for kind in OtherContent
            if kind in MAY_HOLD[media] and (kind in unknown or kind in self._hashes)
        }
