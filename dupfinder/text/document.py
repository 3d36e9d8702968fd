"""What reading a file gives: Extracted, and the media types that are known."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from dupfinder.base.problems import Problem


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
    UNKNOWN = ""


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
    notes:     clauses for the report ("tracked deletions left out").
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
    notes: tuple[str, ...] = ()
    partial: bool = False


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
