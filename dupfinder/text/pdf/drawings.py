"""Drawings on pages, and words that filled boxes hide."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, repeat
from typing import Any

from dupfinder.text.document import OtherContent, OtherHashes
from dupfinder.text.pdf.pdfium import bounds_of, middle_of

MOST_PAINTED = 20_000  # objects of a page that are looked at; each letter may be one
MOST_BOXES, MOST_HIDDEN = 500, 1000  # of a page that may hide words, and characters of each; they bound the time
LINE, WIDEST_LINE = 2, 4  # segments, the start with it; points
RECTANGLE = 5  # segments, with the start and the end


def add_drawings(page: Any, textpage: Any, raw: Any, other: OtherHashes) -> None:
    """Add the drawings on a page: paths other than level or upright lines, frames and bars, and words that paths hide.

    raw: pypdfium2.raw.
    """
    paths = _paths(page, raw)
    shapes = [
        repr([segments, *map(round, bounds_of(path, raw))]).encode()
        for _, path in paths
        if (segments := _segments(path, raw))
    ]
    other.add_each(OtherContent.PICTURES, shapes)
    other.add_text(OtherContent.PICTURES, "\n".join(_hidden_words(page, textpage, paths, raw)))


def _paths(page: Any, raw: Any) -> list[tuple[int, Any]]:
    """Return the paths on a page and their places among its objects."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    kinds = _kinds_of_objects(ctypes.cast(page.raw, ctypes.c_void_p).value, count, raw)
    places = [place for place, kind in enumerate(kinds) if kind == raw.FPDF_PAGEOBJ_PATH]
    return [(place, raw.FPDFPage_GetObject(page.raw, place)) for place in places]


def _kinds_of_objects(page: int | None, count: int, raw: Any) -> Iterable[int]:
    """Return the kinds of the objects of a page by its address.

    Visiting objects by their addresses is three times as fast.
    """
    address = ctypes.c_void_p
    shown = ctypes.CFUNCTYPE(address, address, ctypes.c_int)(ctypes.cast(raw.FPDFPage_GetObject, address).value or 0)
    kind = ctypes.CFUNCTYPE(ctypes.c_int, address)(ctypes.cast(raw.FPDFPageObj_GetType, address).value or 0)
    return map(kind, map(shown, repeat(page), range(count)))


def _hidden_words(page: Any, textpage: Any, paths: Sequence[tuple[int, Any]], raw: Any) -> Iterator[str]:
    """Yield the words that a filled box hides: it is painted over them, or directly below them in their colour.

    paths: as of `_paths`.
    """
    boxes = list(
        islice(((place, path, bounds_of(path, raw)) for place, path in paths if _may_hide(path, raw)), MOST_BOXES)
    )
    places: dict[int, int] = {}
    for place, box, (left, bottom, right, top) in boxes:
        middle, reach = ((left + right) / 2, (bottom + top) / 2), ((right - left) / 2, (top - bottom) / 2)
        letter = raw.FPDFText_GetCharIndexAtPos(textpage, *middle, *reach)
        words = raw.FPDFText_GetTextObject(textpage, letter) if letter >= 0 else None
        if not words:
            continue
        places = places or _places_of_objects(page, raw)
        painted = places.get(ctypes.addressof(words.contents), place)
        if painted > place and _colour(words, raw) == _colour(box, raw):
            x, y = middle_of(textpage, letter, raw)
            between = [sides for other, _, sides in boxes if place < other < painted]
            on_other = any(sides[0] <= x <= sides[2] and sides[1] <= y <= sides[3] for sides in between)
            painted = painted if on_other else -1
        if painted < place:
            buffer = (ctypes.c_ushort * MOST_HIDDEN)()
            raw.FPDFText_GetBoundedText(textpage, left, top, right, bottom, buffer, MOST_HIDDEN)
            yield bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")


def _places_of_objects(page: Any, raw: Any) -> dict[int, int]:
    """Return the places of the objects of a page, in the order in which they are painted, by their addresses."""
    count = min(raw.FPDFPage_CountObjects(page.raw), MOST_PAINTED)
    return {ctypes.addressof(raw.FPDFPage_GetObject(page.raw, place).contents): place for place in range(count)}


def _may_hide(path: Any, raw: Any) -> bool:
    """Tell whether a path is wider than a line, and filled so that nothing shows through, unlike by a marker pen."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.FPDFPath_GetDrawMode(path, fill, stroke)
    if not fill.value:
        return False
    left, bottom, right, top = bounds_of(path, raw)
    return min(right - left, top - bottom) > WIDEST_LINE and not raw.FPDFPageObj_HasTransparency(path)


def _colour(shown: Any, raw: Any) -> list[int]:
    """Return the colour that fills an object of a page."""
    parts = [ctypes.c_uint() for _ in range(4)]
    raw.FPDFPageObj_GetFillColor(shown, *parts)
    return [part.value for part in parts]


def _segments(path: Any, raw: Any) -> int:
    """Return the number of segments of a path, 0 if it is no shape: a curve, or one of many lines.

    A slanting line is one too: two of them are the cross in a box.
    """
    segments: int = raw.FPDFPath_CountSegments(path)
    second = raw.FPDFPath_GetPathSegment(path, 1)
    is_shape = segments > RECTANGLE or raw.FPDFPathSegment_GetType(second) == raw.FPDF_SEGMENT_BEZIERTO
    if segments == LINE:
        left, bottom, right, top = bounds_of(path, raw)
        is_shape = is_shape or min(right - left, top - bottom) > WIDEST_LINE
    return segments if is_shape else 0
