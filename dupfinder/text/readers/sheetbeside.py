"""What stands beside the cells' words of workbooks: comments, formulas, headers, links and pictures."""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator

from dupfinder.text.bounds import Unreadable
from dupfinder.text.document import Beside, OtherContent
from dupfinder.text.readers.office import add_drawing, add_programs
from dupfinder.text.readers.package import Package, all_relationships, elements

_MAIN = "xl/workbook.xml"
# Formulas, heads and feet stand in the sheets' sources as they are: by their tags they are told in one pass.
_SHEET_FACT = re.compile(
    rb"<(?:[\w.-]{1,20}:)?(?:(f)|(?:odd|even|first)(?:Header|Footer))(?:\s[^<>]{0,1000})?>([^<]*)<"
)
_BY_KIND = {
    "drawing": OtherContent.PICTURES,
    "hyperlink": OtherContent.LINKS,
    "comments": OtherContent.COMMENTS,
    "threadedComment": OtherContent.COMMENTS,
    **dict.fromkeys(("oleObject", "package"), OtherContent.ATTACHMENTS),
    **dict.fromkeys(("ctrlProp", "control"), OtherContent.FORM_FIELDS),
}

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


def add_workbook(package: Package, beside: Beside) -> None:
    """Add what the sheets hold. Parts that cannot be read make their kind unknown."""
    for sheet in sorted(name for name in package.names if posixpath.dirname(name) == "xl/worksheets"):
        _add_sheet(package, sheet, beside)
    for name in sorted(name for name in package.names if name.startswith("xl/revisions/revisionLog")):
        beside.add(OtherContent.TRACKED_CHANGES, package.digest(name))
    add_programs(package, _MAIN, beside)


def _add_sheet(package: Package, sheet: str, beside: Beside) -> None:
    content = package.content_within(sheet)
    if content is None:
        beside.unknown(OtherContent.FORMULAS, OtherContent.HEADERS)
    for found in _SHEET_FACT.finditer(content or b""):
        text = found.group(2).decode("utf-8", "replace")
        beside.add_text(OtherContent.FORMULAS if found.group(1) else OtherContent.HEADERS, text)
    try:
        related = sorted(all_relationships(package, sheet))  # their own order says nothing
    except Unreadable:
        beside.unknown(*_BY_KIND.values())
        return
    for kind, _, target, is_outer in related:
        known = _BY_KIND.get(kind)
        if known is None or is_outer != (known is OtherContent.LINKS):
            continue
        try:
            _add_part(package, known, target, beside)
        except Unreadable:
            beside.unknown(known)


def _add_part(package: Package, kind: OtherContent, target: str, beside: Beside) -> None:
    """Add what a relationship of a sheet leads to."""
    if kind is OtherContent.PICTURES:
        add_drawing(package, target, beside)
    elif kind is OtherContent.LINKS:
        beside.add(kind, target)
    elif kind is OtherContent.COMMENTS:
        for author, text in _comments(package, target):
            beside.add(kind, author, text)
    else:
        beside.add(kind, package.digest(target))


def _comments(package: Package, name: str) -> Iterator[tuple[str, str]]:
    """(author, text) of each comment of a part. The author of one that can be answered is a number, and persons' names
    are in another part."""
    authors: list[str] = []
    persons = _persons(package) if "threadedComments/" in name else {}
    for element in elements(package.read(name), ("author", "comment", "threadedComment")):
        if element.tag.endswith("}author"):
            authors.append(element.text or "")
            continue
        number = element.get("authorId", "")
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        texts = (text.text or "" for text in element.iter("{*}t", "{*}text"))
        yield author or persons.get(element.get("personId", ""), ""), "".join(texts)


def _persons(package: Package) -> dict[str, str]:
    """The names of those who wrote comments that can be answered, by their numbers."""
    parts = (package.read(name) for name in package.names if name.startswith("xl/persons/"))
    found = (person for part in parts for person in elements(part, ("person",)))
    return {person.get("id", ""): person.get("displayName", "") for person in found}


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
