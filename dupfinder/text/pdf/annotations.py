"""What is beside the words of pages: remarks, filled fields, links, attachments and pictures."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from dupfinder.text.document import OtherContent, OtherHashes, digest
from dupfinder.text.pdf.forms import filled_value
from dupfinder.text.pdf.pdfium import MOST_ON_A_PAGE, wide_string

USUAL_ADDRESS = 512  # bytes of a link, for which there is room at once
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
    printed: list[list[PrintedLine]] = field(default_factory=list)
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
                filled = filled_value(form, annotation, raw)
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


def _contents(annotation: Any, raw: Any) -> list[str]:
    """Return the text of an annotation, if it has one."""
    text = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    return [text] if text else []


class Tagged(NamedTuple):
    """Where words are in a web page.

    block: the number of the paragraph, heading, item or cell that has their lines; 0: none. is_label: they number it.
    article: the number of the article on the page; 0: outside.
    """

    block: int = 0
    is_label: bool = False
    is_chrome: bool = False
    article: int = 0


class PrintedLine(NamedTuple):
    """A line of a printed web page. unlinked: as of `outside_links`. tagged: None for a line that is in no element."""

    text: bytes
    unlinked: bytes
    tagged: Tagged | None
