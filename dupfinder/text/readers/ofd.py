"""Read OFD, China's standard for pages of fixed layout, in which invoices and official papers are issued.

GB/T 33190-2016. A page lists pieces of text with their places; pieces of one line are joined in the order of the file.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from dupfinder.text.document import (
    MAX_CHARACTERS,
    Collected,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
)
from dupfinder.text.layout import text_of_pages
from dupfinder.text.readers.package import Package, elements, opened, parse_time, parse_xml

MAIN: Final = "OFD.xml"
_PICTURES: Final = (".png", ".jpg", ".jpeg", ".bmp", ".gif", ".tif", ".tiff", ".jb2")
_SAME_LINE: Final = 0.4  # difference of height, as a part of the size of letters
_GAP: Final = 0.25  # from piece to piece: a space, as a part of the size of letters
_WHITE: Final = (" ", "\u3000", "\n")


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
        root = parse_xml(package.read(MAIN))
        collected, other, count = Collected(), OtherHashes(), 0
        for name in _texts(root, "DocRoot"):
            for page in _pages(package, _joined("", name)):
                lines = _lines(_pieces(package, page, other))
                collected.add("\n".join(lines) + "\f")
                count += 1
        pages = [page.split("\n") for page in collected.text().removesuffix("\f").split("\f")]
        text, heads = text_of_pages(pages, other)
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
        partial=collected.length >= MAX_CHARACTERS,
        other=other.hashes(MediaType.OFD),
    )


def _texts(root: Any, name: str) -> Iterator[str]:
    """Yield the text of each element of this name."""
    for element in root.iter("{*}" + name):
        yield " ".join((element.text or "").split())


def _joined(folder: str, name: str) -> str:
    """Return the name of a part that another part in `folder` names; absolute ones begin with a slash."""
    return posixpath.normpath(posixpath.join("/" + folder, name)).lstrip("/")


def _pages(package: Package, document: str) -> Iterator[tuple[str, ...]]:
    """Yield the parts of each page of a document: the page below it, if there is one, and its own."""
    folder = posixpath.dirname(document)
    root = parse_xml(package.read(document))
    shared = {page.get("ID", ""): _joined(folder, page.get("BaseLoc", "")) for page in root.iter("{*}TemplatePage")}
    for page in root.iter("{*}Page"):
        name = _joined(folder, page.get("BaseLoc", ""))
        if package.has(name):
            below = (part.get("TemplateID", "") for part in parse_xml(package.read(name)).iter("{*}Template"))
            yield *(shared[number] for number in below if package.has(shared.get(number, ""))), name


def _pieces(package: Package, parts: tuple[str, ...], other: OtherHashes) -> Iterator[_Piece]:
    """Yield the pieces of text of a page; add its links."""
    for part in parts:
        for element in elements(package.read(part), ("TextObject", "URI")):
            if element.tag.endswith("}URI"):
                other.add(OtherContent.LINKS, element.get("URI", ""))
                continue
            left, top = _numbers(element.get("Boundary"), 0.0, 0.0)
            across, slant, skew, down, right, lower = _numbers(element.get("CTM"), 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
            size = abs(_numbers(element.get("Size"), 1.0)[0] * (down or 1.0))
            for code in element.iter("{*}TextCode"):
                (x,), (y,) = _numbers(code.get("X"), 0.0), _numbers(code.get("Y"), 0.0)
                start = left + across * x + skew * y + right
                end = start + abs(across or 1.0) * _width(code.get("DeltaX", "")) + size
                yield _Piece(code.text or "", start, end, top + slant * x + down * y + lower, size)


def _numbers(text: str | None, *default: float) -> tuple[float, ...]:
    """Return as many numbers of an attribute as there are in `default`; these if it has fewer, or something else."""
    try:
        numbers = tuple(map(float, (text or "").split()[: len(default)]))
    except ValueError:
        return default
    return numbers if len(numbers) == len(default) else default


def _width(deltas: str) -> float:
    """Return the sum of steps from character to character; "g 3 1.5" stands for three of 1.5 (section 11.3)."""
    words, position, width = deltas.split(), 0, 0.0
    while position < len(words):
        is_group = words[position] == "g"
        step = " ".join(words[position + 1 : position + 3]) if is_group else f"1 {words[position]}"
        count, length = _numbers(step, 0.0, 0.0)
        width += count * length
        position += 3 if is_group else 1
    return width


def _lines(pieces: Iterator[_Piece]) -> list[str]:
    """Return the lines of a page."""
    lines: list[str] = []
    before: _Piece | None = None
    for piece in pieces:
        if before is None or abs(piece.base - before.base) > _SAME_LINE * before.size or piece.left < before.left:
            lines.append(piece.text)
        else:
            is_apart = piece.left - before.right > _GAP * piece.size
            space = " " if is_apart and not lines[-1].endswith(_WHITE) and not piece.text.startswith(_WHITE) else ""
            lines[-1] += space + piece.text
        before = piece
    return [line.strip() for text in lines for line in text.split("\n")]


def _add_parts(package: Package, other: OtherHashes) -> None:
    """Add pictures, attached files and annotations, in the order of their names."""
    for name in sorted(package.names):
        folders = name.lower().split("/")
        if name.lower().endswith(_PICTURES):
            other.add(OtherContent.PICTURES, package.digest(name))
        elif any(folder.startswith("attach") for folder in folders[:-1]):
            other.add(OtherContent.ATTACHMENTS, posixpath.basename(name), package.digest(name))
        elif any(folder.startswith("annot") for folder in folders[:-1]):
            other.add(OtherContent.COMMENTS, package.digest(name))
