"""Render a page of a PDF as a picture to look at. Runs in a reading process, like all code that parses files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dupfinder.processes.handed import open_handed

LARGEST_SIDE: Final = 4_000  # pixels: a poster at full width would fill a process's memory


@dataclass(frozen=True, slots=True)
class PageTask:
    """Page `page` (from 0) of a PDF, `width` pixels wide."""

    path: Path
    page: int
    width: int


@dataclass(frozen=True, slots=True)
class PageImage:
    """Rows of RGB bytes; `stride` is the length of a row in bytes. pages: of the whole document."""

    pages: int
    width: int
    height: int
    stride: int
    pixels: bytes


def render_page(task: PageTask) -> PageImage | None:
    """Return the picture of a page; None if there is no such page or the file is not a readable PDF."""
    import pypdfium2 as pdfium  # loads the C library

    try:
        with open(open_handed(task.path), "rb") as stream, pdfium.PdfDocument(stream) as document:
            if not 0 <= task.page < len(document):
                return None
            page = document[task.page]
            width, height = page.get_size()
            scale = min(task.width / max(width, 1.0), LARGEST_SIDE / max(width, height, 1.0))
            bitmap = page.render(scale=scale, rev_byteorder=True, no_smoothtext=False)
            return PageImage(len(document), bitmap.width, bitmap.height, bitmap.stride, bytes(bitmap.buffer))
    except (pdfium.PdfiumError, OSError, ValueError):
        return None
