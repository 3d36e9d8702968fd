"""What reading a file gives: Extracted, and the media types that are known."""

from __future__ import annotations

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
    notes: tuple[str, ...] = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Extraction:
    """The outcome of reading one file: what could be read (None: nothing), and what was wrong (None: nothing)."""

    extracted: Extracted | None
    problem: Problem | None = None
