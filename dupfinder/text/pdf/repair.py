"""A new table of objects for a PDF whose own ending was cut off, left open or overwritten."""

from __future__ import annotations

import re

MOST_OBJECTS = 1_000_000
_OBJECT = re.compile(rb"(?<![0-9])([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}obj\b")
_CATALOG = re.compile(rb"/Type[ \t\r\n]{0,4}/Catalog\b")
_ROOT = re.compile(rb"/Root[ \t\r\n]{1,4}([0-9]{1,8})[ \t\r\n]{1,4}([0-9]{1,5})[ \t\r\n]{1,4}R\b")


def with_new_trailer(data: bytes) -> bytes | None:
    """The file with a table of its objects put behind it (ISO 32000-1 sections 7.5.4 and 7.5.5); None for a file that
    holds no catalog in the open.

    A catalog that lies in a packed stream of objects is not looked for.
    """
    places: dict[int, tuple[int, int]] = {}
    for found in _OBJECT.finditer(data):
        places[int(found.group(1))] = (found.start(), int(found.group(2)))  # the last of a number counts
        if len(places) > MOST_OBJECTS:
            return None
    root = _root(data, places)
    if root is None:
        return None
    rows = b"".join(b"%d 1\n%010d %05d n \n" % (number, *places[number]) for number in sorted(places))
    trailer = b"trailer\n<< /Size %d /Root %d %d R >>\n" % (max(places) + 1, root, places[root][1])
    return b"%s\nxref\n0 1\n0000000000 65535 f \n%s%sstartxref\n%d\n%%%%EOF\n" % (data, rows, trailer, len(data) + 1)


def _root(data: bytes, places: dict[int, tuple[int, int]]) -> int | None:
    """The number of the catalog: as a trailer names it, else of the last object that says it is one."""
    named = [int(found.group(1)) for found in _ROOT.finditer(data)]
    known = [number for number in named if number in places]
    if known:
        return known[-1]
    catalogs = [found.start() for found in _CATALOG.finditer(data)]
    before = [(place, number) for number, (place, _) in places.items() if catalogs and place < catalogs[-1]]
    return max(before)[1] if before else None
