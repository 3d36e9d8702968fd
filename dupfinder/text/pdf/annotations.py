"""Content of a PDF page outside its text: form fields and their values, typed text, comments, links; and content of the
file outside its pages: pictures and attachments.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dupfinder.text.document import OtherContent, OtherHashes, digest

MOST_ON_A_PAGE = 5000  # forms have fewer; maps and drawings may have tens of thousands
MOST_ATTACHED = 64 << 20  # bytes of an attached file
MOST_IN_A_DICTIONARY = 4096  # bytes between a stream's /Subtype and its start


@dataclass
class Annotations:
    """filled: form values and typed text in page order, part of the document's text. comments: remarks of readers."""

    filled: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    other: OtherHashes = field(default_factory=OtherHashes)


def gather(page: Any, document: Any, raw: Any, annotations: Annotations) -> None:
    """Add the annotations of a page to `annotations`.

    raw: pypdfium2.raw. Fields need the document's form environment, which may be None.
    """
    form = document.formenv
    count = raw.FPDFPage_GetAnnotCount(page)
    if count > MOST_ON_A_PAGE:
        annotations.other.unknown(OtherContent.COMMENTS, OtherContent.FORM_FIELDS, OtherContent.LINKS)
    for index in range(min(MOST_ON_A_PAGE, count)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_LINK:
                _add_link(document, annotation, raw, annotations.other)
            elif kind == raw.FPDF_ANNOT_WIDGET and form is not None:
                filled = list(_filled(form, annotation, raw))
                annotations.filled.extend(filled)
                name = wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
                annotations.other.add(OtherContent.FORM_FIELDS, name, *filled)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                annotations.filled.extend(_contents(annotation, raw))
            elif kind not in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_POPUP):
                remarks = list(_contents(annotation, raw))
                annotations.comments.extend(remarks)
                author = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"T")
                annotations.other.add(OtherContent.COMMENTS, str(kind), author, *remarks)
                if kind == raw.FPDF_ANNOT_FILEATTACHMENT:  # pdfium cannot read its file
                    annotations.other.unknown(OtherContent.ATTACHMENTS)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def add_files(document: Any, data: bytes, raw: Any, other: OtherHashes) -> None:
    """Add the attachments of a document and the pictures stored in its file.

    Pictures are compared by their stored bytes, wherever they are shown. Drawings made of lines are ignored, because
    visiting all objects of the pages takes a tenth of the time for their text.
    """
    for index in range(raw.FPDFDoc_GetAttachmentCount(document)):
        attachment = raw.FPDFDoc_GetAttachment(document, index)
        other.add(OtherContent.ATTACHMENTS, wide_string(raw.FPDFAttachment_GetName, attachment), _file(attachment, raw))
    pictures = sorted(set(map(digest, stored_pictures(data))))
    if pictures:
        # Encryption makes the bytes differ from file to file.
        other.add(OtherContent.PICTURES, *(pictures if b"/Encrypt" not in data else [None]))


def _file(attachment: Any, raw: Any) -> bytes | None:
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
        end = data.find(b"endstream", start) if start >= 0 else -1
        if end >= 0:
            yield data[start + len(b"stream") : end].strip(b"\r\n")
            position = end


def _add_link(document: Any, annotation: Any, raw: Any, other: OtherHashes) -> None:
    """Add the address of a link; links within the document are ignored."""
    action = raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
    if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
        length = raw.FPDFAction_GetURIPath(document, action, None, 0)
        buffer = ctypes.create_string_buffer(max(1, length))
        raw.FPDFAction_GetURIPath(document, action, buffer, length)
        other.add(OtherContent.LINKS, buffer.raw[: max(0, length - 1)])


def _filled(form: Any, annotation: Any, raw: Any) -> Iterator[str]:
    """Yield the value of a field: its text, or the name of a ticked box."""
    kind = raw.FPDFAnnot_GetFormFieldType(form, annotation)
    if kind in (raw.FPDF_FORMFIELD_TEXTFIELD, raw.FPDF_FORMFIELD_COMBOBOX, raw.FPDF_FORMFIELD_LISTBOX):
        value = wide_string(raw.FPDFAnnot_GetFormFieldValue, form, annotation)
        if value:
            yield value
    elif kind in (raw.FPDF_FORMFIELD_CHECKBOX, raw.FPDF_FORMFIELD_RADIOBUTTON) and raw.FPDFAnnot_IsChecked(
        form, annotation
    ):
        yield wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)


def _contents(annotation: Any, raw: Any) -> Iterator[str]:
    """Yield the text of an annotation, if any."""
    text = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if text:
        yield text


def wide_string(call: Any, *arguments: Any) -> str:
    """Return a UTF-16 string of pdfium's. call: a function that returns its length in bytes for a NULL buffer."""
    length = call(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip()
