"""Ask pdfium for the text of pages, for the positions of characters and objects, and for a picture of a page.

Runs in a reading process, like all code that parses files.
"""

from __future__ import annotations

import ctypes
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from dupfinder.processes.descriptors import open_handed

REMOVED_SIGN = "\ufdd0"  # a noncharacter in place of what was taken out, so that all other signs keep their indexes
DOTLESS = {"ı": "i", "ȷ": "j"}  # letters as they are drawn below accents
MOST_ON_A_PAGE = 5000  # forms have fewer; maps and drawings may have tens of thousands


def bounds_of(shown: Any) -> list[float]:
    """Return the left, lower, right and upper bound of an object of a page, in points."""
    left, bottom, right, top = ctypes.c_float(), ctypes.c_float(), ctypes.c_float(), ctypes.c_float()
    raw.FPDFPageObj_GetBounds(shown, left, bottom, right, top)
    return [left.value, bottom.value, right.value, top.value]


def wide_string(call: Any, *arguments: Any) -> str:
    """Return a UTF-16 string of pdfium's. call: a function that returns its length in bytes for a NULL buffer."""
    length = call(*arguments, None, 0)
    if length <= 2:
        return ""
    buffer = ctypes.create_string_buffer(length)
    call(*arguments, ctypes.cast(buffer, ctypes.POINTER(ctypes.c_ushort)), length)
    return buffer.raw[: length - 2].decode("utf-16-le", "replace").strip()


def text_of(textpage: Any) -> str:
    """Return the text of a page; a sign beyond U+FFFF, such as an emoji, is two surrogates, as pdfium counts it."""
    text: str = textpage.get_text_range()
    units = memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")
    return text if len(units) == len(text) else "".join(map(chr, units))


def whole_signs(text: str) -> str:
    """Return a text with one sign in place of two surrogates, and without REMOVED_SIGN."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").replace(REMOVED_SIGN, "")


def has_characters(textpage: Any, text: str) -> bool:
    """Tell whether a page has the characters of `text` at the same indexes; else their positions cannot be used.

    A hyphen that ends a line is U+0002 as a character, and U+FFFE in a text. Letters may have accents in the text that
    are characters of their own on the page.
    """
    count = raw.FPDFText_CountChars(textpage)
    characters = "".join([chr(raw.FPDFText_GetUnicode(textpage, index)) for index in range(count)])
    if characters == text or characters.replace("\x02", "\ufffe") == text:
        return True
    return len(characters) == len(text) and all(map(_may_stand_for, characters, text))


def _may_stand_for(character: str, sign: str) -> bool:
    """Tell whether a sign of a text is a character of the page, or the letter that it forms with an accent."""
    if character == sign or sign in (REMOVED_SIGN, "\ufffe"):
        return True
    return character in DOTLESS or unicodedata.normalize("NFD", sign)[0] == character


class Box(NamedTuple):
    """The edges of what is seen on a page, such as a character, in points."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def middle(self) -> tuple[float, float]:
        """How far right, and how high, its middle is."""
        return (self.left + self.right) / 2, (self.bottom + self.top) / 2


def box_of(textpage: Any, index: int) -> Box:
    """Return where a character is seen."""
    left, right, bottom, top = ctypes.c_double(), ctypes.c_double(), ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetCharBox(textpage, index, left, right, bottom, top)
    return Box(left.value, right.value, bottom.value, top.value)


def edges_of(textpage: Any, index: int) -> tuple[float, float]:
    """Return the left and the right edge of a character's box, in points."""
    return box_of(textpage, index)[:2]


def room_of(textpage: Any, index: int) -> tuple[float, float]:
    """Return the left and the right edge of the room that a font gives a character, also beside thin strokes."""
    box = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(textpage, index, box)
    return box.left, box.right


def size_and_height(textpage: Any, index: int) -> tuple[float, float]:
    """Return the size of a character and the height of its line on the page, in points; 0, 0 if it is not upright."""
    matrix, x, y = raw.FS_MATRIX(), ctypes.c_double(), ctypes.c_double()
    raw.FPDFText_GetMatrix(textpage, index, matrix)
    raw.FPDFText_GetCharOrigin(textpage, index, x, y)
    size: float = raw.FPDFText_GetFontSize(textpage, index) * matrix.d
    return (size, y.value) if abs(matrix.b) < abs(matrix.d) else (0, 0)


def middle_of(textpage: Any, index: int) -> tuple[float, float]:
    """Return the middle of a character's box, in points."""
    return box_of(textpage, index).middle


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
