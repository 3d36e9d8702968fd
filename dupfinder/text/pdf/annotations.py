"""What stands on a PDF page beside its content: fields and their values, words typed over it, comments, links; and what
lies in the file beside its pages: pictures and attachments."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from dupfinder.text.document import Beside, OtherContent, digest

MOST_ON_A_PAGE = 5000  # maps and drawings may carry tens of thousands; forms do not
MOST_ATTACHED = 64 << 20  # bytes of a file in the file
MOST_IN_A_DICTIONARY = 4096  # bytes between the kind of a stream and the stream


@dataclass
class Annotations:
    """filled: form values and typed words, in page order, part of the document. comments: what readers remarked."""

    filled: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    beside: Beside = field(default_factory=Beside)


def gather(page: Any, document: Any, raw: Any, found: Annotations) -> None:
    """Add a page's annotations; fields are those of the document's form environment, which may be None."""
    form = document.formenv
    count = raw.FPDFPage_GetAnnotCount(page)
    if count > MOST_ON_A_PAGE:
        found.beside.unknown(OtherContent.COMMENTS, OtherContent.FORM_FIELDS, OtherContent.LINKS)
    for index in range(min(MOST_ON_A_PAGE, count)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_LINK:
                _add_link(document, annotation, raw, found.beside)
            elif kind == raw.FPDF_ANNOT_WIDGET and form is not None:
                filled = list(_filled(form, annotation, raw))
                found.filled.extend(filled)
                name = wide_string(raw.FPDFAnnot_GetFormFieldName, form, annotation)
                found.beside.add(OtherContent.FORM_FIELDS, name, *filled)
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                found.filled.extend(_contents(annotation, raw))
            elif kind not in (raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_POPUP):
                remarks = list(_contents(annotation, raw))
                found.comments.extend(remarks)
                author = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"T")
                found.beside.add(OtherContent.COMMENTS, str(kind), author, *remarks)
                if kind == raw.FPDF_ANNOT_FILEATTACHMENT:  # its file cannot be asked for
                    found.beside.unknown(OtherContent.ATTACHMENTS)
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def add_files(document: Any, data: bytes, raw: Any, beside: Beside) -> None:
    """Add the attachments of a document and the pictures that are stored in its file.

    Pictures are told by their bytes as stored, whatever page shows them; drawings made of lines are not looked at, as
    going through all objects of the pages takes a tenth of the time that their text takes.
    """
    for index in range(raw.FPDFDoc_GetAttachmentCount(document)):
        attachment = raw.FPDFDoc_GetAttachment(document, index)
        beside.add(
            OtherContent.ATTACHMENTS, wide_string(raw.FPDFAttachment_GetName, attachment), _file(attachment, raw)
        )
    pictures = sorted(set(map(digest, stored_pictures(data))))
    if pictures:
        # The key that a file is locked with makes the bytes others in each file.
        beside.add(OtherContent.PICTURES, *(pictures if b"/Encrypt" not in data else [None]))


def _file(attachment: Any, raw: Any) -> bytes | None:
    """A hash of an attached file; None where it cannot be read, or is larger than is looked at."""
    length = ctypes.c_ulong()
    if not raw.FPDFAttachment_GetFile(attachment, None, 0, length) or length.value > MOST_ATTACHED:
        return None
    buffer = ctypes.create_string_buffer(max(1, length.value))
    if not raw.FPDFAttachment_GetFile(attachment, buffer, length.value, length):
        return None
    return digest(buffer.raw[: length.value])


def stored_pictures(data: bytes) -> Iterator[bytes]:
    """The bytes of the picture streams in a PDF file, as they are stored; the newest ones and those they replaced."""
    place = 0
    while (place := data.find(b"/Image", place)) >= 0:
        place += len(b"/Image")
        if not data[max(0, place - 40) : place - len(b"/Image")].rstrip().endswith(b"/Subtype"):
            continue
        start = data.find(b"stream", place, place + MOST_IN_A_DICTIONARY)
        end = data.find(b"endstream", start) if start >= 0 else -1
        if end >= 0:
            yield data[start + len(b"stream") : end].strip(b"\r\n")
            place = end


def _add_link(document: Any, annotation: Any, raw: Any, beside: Beside) -> None:
    """Add the address that a link leads to; places in the document itself are none."""
    action = raw.FPDFLink_GetAction(raw.FPDFAnnot_GetLink(annotation))
    if action and raw.FPDFAction_GetType(action) == raw.PDFACTION_URI:
        length = raw.FPDFAction_GetURIPath(document, action, None, 0)
        buffer = ctypes.create_string_buffer(max(1, length))
        raw.FPDFAction_GetURIPath(document, action, buffer, length)
        beside.add(OtherContent.LINKS, buffer.raw[: max(0, length - 1)])


def _filled(form: Any, annotation: Any, raw: Any) -> Iterator[str]:
    """The value of a field: its text, or the name of a box that is ticked."""
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
    text = wide_string(raw.FPDFAnnot_GetStringValue, annotation, b"Contents")
    if text:
        yield text


def wide_string(call: Any, *arguments: Any) -> str:
    """A string of pdfium's: asked for its length in bytes first, then for itself in UTF-16."""
    length = call(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip()
