"""What stands on a PDF page beside its content: values that were filled into forms, words typed over it, comments."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

MOST_ON_A_PAGE = 5000  # maps and drawings may carry tens of thousands; forms do not


@dataclass
class Annotations:
    """filled: form values and typed words, in page order, part of the document. comments: what readers remarked."""

    filled: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


def gather(page: Any, form: Any, raw: Any, found: Annotations) -> None:
    """Add a page's annotations. `form` is the document's form environment (None: it has no forms)."""
    for index in range(min(MOST_ON_A_PAGE, raw.FPDFPage_GetAnnotCount(page))):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            kind = raw.FPDFAnnot_GetSubtype(annotation)
            if kind == raw.FPDF_ANNOT_WIDGET and form is not None:
                found.filled.extend(_filled(form, annotation, raw))
            elif kind == raw.FPDF_ANNOT_FREETEXT:
                found.filled.extend(_contents(annotation, raw))
            elif kind not in (raw.FPDF_ANNOT_LINK, raw.FPDF_ANNOT_WIDGET, raw.FPDF_ANNOT_POPUP):
                found.comments.extend(_contents(annotation, raw))
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


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
