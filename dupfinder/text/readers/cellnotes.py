"""Comments on the cells of workbooks of Excel 97-2003, and what else stands beside the cells' words: records of the
book's stream ([MS-XLS] 2.4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

from dupfinder.text.beside import Beside
from dupfinder.text.document import OtherContent

_OBJECT, _TEXT, _CONTINUED = 0x005D, 0x01B6, 0x003C
_BEGINNING, _CHART = 0x0809, 0x0020  # of a sheet, and that it is a chart
_CONTROLS = frozenset({0x0B, 0x0C, 0x10, 0x11, 0x12})  # types of objects: boxes to tick, knobs, spinners, bars, lists
_OF_THE_PROGRAM = frozenset({0x14})  # the arrow at a column that is filtered
# Records that say what they hold by their bytes, from a place on: behind the results of formulas, which are words.
_TELLING = {
    0x0006: (OtherContent.FORMULAS, 20),
    0x04BC: (OtherContent.FORMULAS, 8),
    0x0221: (OtherContent.FORMULAS, 12),
    0x0014: (OtherContent.HEADERS, 0),
    0x0015: (OtherContent.HEADERS, 0),
    0x001C: (OtherContent.COMMENTS, 8),  # who made a comment
    0x01B8: (OtherContent.LINKS, 8),
}
_NOTE = 0x19  # type of an object that is a comment on a cell
MOST_CHARACTERS = 1_000_000  # of all comments of a book


def cell_notes(book: bytes, beside: Beside) -> str:
    """The comments, a line each; they and all else into `beside`. A stream that is cut off gives those before the
    cut."""
    found: list[str] = []
    room = MOST_CHARACTERS
    is_note, wanted = False, 0  # whether the object at hand is a comment, and how much of its text is still to come
    for kind, content in _records(book):
        if kind == _OBJECT and len(content) >= 6:
            drawn = int.from_bytes(content[4:6], "little")
            is_note, wanted = drawn == _NOTE, 0
            if not is_note and drawn not in _OF_THE_PROGRAM:
                beside.unknown(OtherContent.FORM_FIELDS if drawn in _CONTROLS else OtherContent.PICTURES)
        elif kind == _TEXT and len(content) >= 12 and is_note and room > 0:
            wanted = int.from_bytes(content[10:12], "little")
            found.append("")
        elif kind == _CONTINUED and wanted > 0 and content:
            piece = content[1:].decode("utf-16-le" if content[0] & 1 else "latin-1", "replace")[:wanted]
            found[-1] += piece
            wanted -= len(piece)
            room -= len(piece)
        elif kind in _TELLING:
            beside_kind, start = _TELLING[kind]
            if len(content) > start:
                beside.add(beside_kind, content[start:])
        elif kind == _BEGINNING and content[2:4] == _CHART.to_bytes(2, "little"):
            beside.unknown(OtherContent.PICTURES)
    if room <= 0:
        beside.unknown(OtherContent.COMMENTS)
    for note in found:
        beside.add_text(OtherContent.COMMENTS, note)
    return "\n".join(" ".join(note.split()) for note in found if note.strip())


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    """(kind, content) of each record."""
    place = 0
    while place + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, place)
        yield kind, book[place + 4 : place + 4 + length]
        place += 4 + length
