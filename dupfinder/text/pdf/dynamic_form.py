"""Read dynamic forms (XFA), whose labels and values a PDF stores as XML: its pages only ask for another viewer."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from dupfinder.base.details import Clause
from dupfinder.base.problems import ProblemKind
from dupfinder.text.document import MAX_PART_BYTES, Unreadable
from dupfinder.text.readers.package import parse_xml

_LONGEST_NAME = 64  # bytes
_PACKETS = ("template", "datasets", "")  # the last holds all of them
# Choices, hints, scripts and their messages.
_UNSHOWN = frozenset(("items", "assist", "event", "validate", "calculate", "variables", "desc", "config"))


def lines_of_form(document: Any, raw: Any) -> list[str]:
    """Return the labels of a form and the values that are filled in. Raises Unreadable. raw: pypdfium2.raw."""
    lines: list[str] = []
    for index in range(raw.FPDF_GetXFAPacketCount(document.raw)):
        name = ctypes.create_string_buffer(_LONGEST_NAME)
        length = raw.FPDF_GetXFAPacketName(document.raw, index, name, _LONGEST_NAME)
        if length <= _LONGEST_NAME and name.value.decode("ascii", "replace") in _PACKETS:
            try:
                lines += filter(None, _lines(parse_xml(_content(document, index, raw))))
            except Unreadable as trouble:  # no other reader may take what the pages say for the text
                raise Unreadable(trouble.kind, trouble.details, final=True) from trouble
    return lines


def _content(document: Any, index: int, raw: Any) -> bytes:
    """Return the bytes of a packet."""
    length = ctypes.c_ulong()
    raw.FPDF_GetXFAPacketContent(document.raw, index, None, 0, length)
    if length.value > MAX_PART_BYTES:
        raise Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part="XFA", megabytes=MAX_PART_BYTES >> 20)
    content = ctypes.create_string_buffer(length.value)
    raw.FPDF_GetXFAPacketContent(document.raw, index, content, length.value, length)
    return content.raw


def _lines(element: Any, is_data: bool = False) -> Iterator[str]:
    """Yield the texts of an element and of those below it that are shown. is_data: it is a value."""
    name = element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "event"
    if is_data or name == "data":
        yield " ".join((element.text or "").split())
    elif name in ("text", "p"):
        yield " ".join("".join(element.itertext()).split())
        return
    elif name in _UNSHOWN:
        return
    for child in element:
        yield from _lines(child, is_data or name == "data")
