"""Comments on the cells of workbooks of Excel 97-2003: records of the book's stream ([MS-XLS] 2.4)."""

from __future__ import annotations

import struct
from collections.abc import Iterator

_OBJECT, _TEXT, _CONTINUED = 0x005D, 0x01B6, 0x003C
_NOTE = 0x19  # type of an object that is a comment on a cell
MOST_CHARACTERS = 1_000_000  # of all comments of a book


def cell_notes(book: bytes) -> str:
    """The comments, a line each. A stream that is cut off gives those before the cut."""
    found: list[str] = []
    room = MOST_CHARACTERS
    is_note, wanted = False, 0  # whether the object at hand is a comment, and how much of its text is still to come
    for kind, content in _records(book):
        if kind == _OBJECT and len(content) >= 6:
            is_note, wanted = int.from_bytes(content[4:6], "little") == _NOTE, 0
        elif kind == _TEXT and len(content) >= 12 and is_note and room > 0:
            wanted = int.from_bytes(content[10:12], "little")
            found.append("")
        elif kind == _CONTINUED and wanted > 0 and content:
            piece = content[1:].decode("utf-16-le" if content[0] & 1 else "latin-1", "replace")[:wanted]
            found[-1] += piece
            wanted -= len(piece)
            room -= len(piece)
    return "\n".join(" ".join(note.split()) for note in found if note.strip())


def _records(book: bytes) -> Iterator[tuple[int, bytes]]:
    """(kind, content) of each record."""
    place = 0
    while place + 4 <= len(book):
        kind, length = struct.unpack_from("<HH", book, place)
        yield kind, book[place + 4 : place + 4 + length]
        place += 4 + length
