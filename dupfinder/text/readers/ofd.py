"""Read OFD, China's standard for pages of fixed layout, in which invoices and official papers are issued.

GB/T 33190-2016. A page lists pieces of text with their positions; those of a line are joined in the order of the file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Final

from dupfinder.text.document import (
    Collected,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
)
from dupfinder.text.layout import text_of_pages
from dupfinder.text.readers.package import Package, elements, opened, parse_time, parse_xml

_MAIN: Final = "OFD.xml"
_NO_PICTURES: Final = (".xml", ".ttf", ".otf", ".ttc", ".pfb", ".cff")  # other parts and fonts
_SAME_LINE: Final = 0.4  # most difference of height within a line, as a share of the size of letters
_GAP: Final = 0.25  # least gap between two pieces that is a space, as a share of the size of letters
_WHITE: Final = (" ", "\u3000", "\n")
_OF_PAGE: Final = ("TextObject", "Template", "URI", "CompositeObject", "AbbreviatedData")
# How the names of parts or of their folders begin.
_BEGINNINGS: Final = (
    ("/attach", OtherContent.ATTACHMENTS),
    ("/annot", OtherContent.COMMENTS),
    ("/sign", OtherContent.FORM_FIELDS),  # signatures with the pictures of seals
)
_CURVES: Final = frozenset("BQA")  # steps of a path that are no lines (section 9.1)
_FRAME: Final = 16  # words of a path around a rectangle


@dataclass(frozen=True, slots=True)
class _Piece:
    """A piece of text on a page. left, right, base, size: where it is and how high its letters are, in millimetres."""

    text: str
    left: float
    right: float
    base: float
    size: float


def read_ofd(data: bytes) -> Extracted:
    """Return the text of the pages in their order, each after the page below it that several pages share."""
    with opened(data) as package:
        root = parse_xml(package.read(_MAIN))
        collected, other, count = Collected(), OtherHashes(), 0
        page_of = cache(partial(_page, package, other))  # a page below others is read once
        for name in _texts(root, "DocRoot"):
            pages, shared = _names(package, _joined("", name))
            for page in pages:
                below, lines = page_of(page)
                for number in below:
                    collected.add("\n".join([*page_of(shared.get(number, number))[1], ""]))
                collected.add("\n".join(lines) + "\f")
                count += 1
                if collected.full:
                    break
        lines_of_pages = [page.split("\n") for page in collected.text().removesuffix("\f").split("\f")]
        text, heads = text_of_pages(lines_of_pages, other)
        _add_parts(package, other)
    created, modified = (next(_texts(root, name), "") for name in ("CreationDate", "ModDate"))
    return Extracted(
        text,
        MediaType.OFD,
        "ofd-pages",
        streams={"headers": "\n".join(heads)} if heads else {},
        pages=count,
        title=next(_texts(root, "Title"), "")[:500],
        author=next(_texts(root, "Author"), "")[:500],
        created=parse_time(created),
        modified=parse_time(modified),
        partial=collected.full,
        other=other.hashes(MediaType.OFD),
    )


def _texts(root: Any, name: str) -> Iterator[str]:
    for element in root.iter("{*}" + name):
        yield " ".join((element.text or "").split())


def _joined(folder: str, name: str) -> str:
    """Return the name of a part that another part in `folder` names; absolute ones begin with a slash."""
    return posixpath.normpath(posixpath.join("/" + folder, name)).lstrip("/")


def _names(package: Package, document: str) -> tuple[list[str], dict[str, str]]:
    """Return (the names of a document's pages, those of the pages below them by their numbers)."""
    folder = posixpath.dirname(document)
    root = parse_xml(package.read(document))
    shared = {page.get("ID", ""): _joined(folder, page.get("BaseLoc", "")) for page in root.iter("{*}TemplatePage")}
    return [_joined(folder, page.get("BaseLoc", "")) for page in root.iter("{*}Page")], shared


def _page(package: Package, other: OtherHashes, name: str) -> tuple[tuple[str, ...], list[str]]:
    """Return (the numbers of the pages below a page, its lines); add its links and drawings.

    Raises Unreadable for a page that is missing or damaged: the plain reader then reads the others.
    """
    below: list[str] = []
    pieces: list[_Piece] = []
    for element in elements(package.read(name), _OF_PAGE):
        kind = element.tag.rpartition("}")[2]
        if kind == "TextObject":
            pieces += _pieces(element)
        elif kind == "Template":
            below.append(element.get("TemplateID", ""))
        elif kind == "URI":
            other.add(OtherContent.LINKS, element.get("URI", ""))
        elif kind == "CompositeObject":  # its drawing, which may have letters, is not read
            other.unknown(OtherContent.PICTURES)
        elif _is_drawing(steps := (element.text or "").split()):
            other.add(OtherContent.PICTURES, " ".join(steps))
    return tuple(below), _lines(pieces)


def _is_drawing(steps: Sequence[str]) -> bool:
    """Tell whether a path is a curve or one of many lines, not a line, frame or bar."""
    return len(steps) > _FRAME or not _CURVES.isdisjoint(steps)


def _pieces(element: Any) -> Iterator[_Piece]:
    """Yield the pieces of text of an object of a page."""
    left, top = _numbers(element.get("Boundary"), 0.0, 0.0)
    across, slant, skew, down, right, lower = _numbers(element.get("CTM"), 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    size = abs(_numbers(element.get("Size"), 1.0)[0] * (down or 1.0))
    for code in element.iterchildren("{*}TextCode"):
        if not code.text:
            continue
        (x,), (y,) = _numbers(code.get("X"), 0.0), _numbers(code.get("Y"), 0.0)
        start = left + across * x + skew * y + right
        end = start + abs(across or 1.0) * _width(code.get("DeltaX", "")) + size
        yield _Piece(code.text, start, end, top + slant * x + down * y + lower, size)


def _numbers(text: str | None, *default: float) -> tuple[float, ...]:
    """Return as many numbers of an attribute as there are in `default`; these if it has fewer, or something else."""
    try:
        numbers = tuple(map(float, (text or "").split()[: len(default)]))
    except ValueError:
        return default
    return numbers if len(numbers) == len(default) else default


def _width(deltas: str) -> float:
    """Return how far the last character is from the first.

    deltas: the steps between characters; "g 3 1.5" stands for three steps of 1.5 (section 11.3).
    """
    words, position, width = deltas.split(), 0, 0.0
    while position < len(words):
        is_group = words[position] == "g"
        step = " ".join(words[position + 1 : position + 3]) if is_group else f"1 {words[position]}"
        count, length = _numbers(step, 0.0, 0.0)
        width += count * length
        position += 3 if is_group else 1
    return width


def _lines(pieces: Sequence[_Piece]) -> list[str]:
    """Return the lines of a page."""
    joined: list[str] = []  # pieces, and the ends of lines and the spaces between them
    before: _Piece | None = None
    for piece in pieces:
        if before is None or abs(piece.base - before.base) > _SAME_LINE * before.size or piece.left < before.left:
            joined.append("\n")
        elif piece.left - before.right > _GAP * piece.size:
            is_white = joined[-1].endswith(_WHITE) or piece.text.startswith(_WHITE)
            joined.append("" if is_white else " ")
        joined.append(piece.text)
        before = piece
    return [line.strip() for line in "".join(joined[1:]).split("\n")] if joined else []


def _add_parts(package: Package, other: OtherHashes) -> None:
    """Add pictures, attached files, annotations and seals, in the order of their names."""
    for name in sorted(package.names):
        path = "/" + name.lower()
        kinds = (kind for beginning, kind in _BEGINNINGS if beginning in path)
        kind = next(kinds, None if path.endswith(_NO_PICTURES) else OtherContent.PICTURES)
        if kind is not None and not path.endswith("/"):
            of_name = [posixpath.basename(name)] if kind is OtherContent.ATTACHMENTS else []
            other.add(kind, *of_name, package.digest(name))
