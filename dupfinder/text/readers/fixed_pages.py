"""Read pages of fixed layout: OFD, and XPS with OpenXPS.

OFD (GB/T 33190-2016) is China's standard for them, in which invoices and official papers are issued. XPS (ECMA-388) is
what Windows prints to. A page lists pieces of text with their places, in XPS lines, words or single letters, as the
program drew them; they are joined to lines in the order of the file.
"""

from __future__ import annotations

import posixpath
import re
import struct
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import pairwise
from math import hypot
from operator import attrgetter
from statistics import median
from typing import Any, Final

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import Extracted, MediaType, OtherContent, OtherHashes, TextBuffer, Unreadable
from dupfinder.text.layout import text_of_pages
from dupfinder.text.readers.package import (
    Package,
    core_properties,
    elements,
    events,
    opened,
    parse_time,
    parse_xml,
    relationships,
)

_SAME_LINE: Final = 0.4  # difference of height, as a part of the size of letters
_WHITE: Final = (" ", "\u3000")
_STEP: Final = re.compile(r"[A-Za-z]|[-+.\d]+")  # of a path: a command or a number
_FRAME: Final = 16  # steps of a path around a rectangle
_MAIN: Final = "OFD.xml"
_NO_PICTURES: Final = (".xml", ".ttf", ".otf", ".ttc", ".pfb", ".cff")  # other parts and fonts
_OFD_GAP: Final = 0.25  # from piece to piece: a space, as a part of the size of letters
_OFD_CURVES: Final = "BQA"  # steps of a path that are no lines (section 9.1)
_OFD_TAGS: Final = ("TextObject", "Template", "URI", "CompositeObject", "AbbreviatedData")
# How the names of parts or of their folders begin.
_BEGINNINGS: Final = (
    ("/attach", OtherContent.ATTACHMENTS),
    ("/annot", OtherContent.COMMENTS),
    ("/sign", OtherContent.FORM_FIELDS),  # signatures with the pictures of seals
)
_XPS_GAP: Final = 0.15  # between words, as a part of the size of letters; the widths of letters are known
_XPS_TAGS: Final = tuple(f"{{*}}{name}" for name in ("Canvas", "MatrixTransform", "Glyphs", "Path", "ImageBrush"))
_LINK: Final = re.compile(r"[A-Za-z][\w+.-]+:.")  # to an address, not to a page of the document
_SOURCE: Final = re.compile(r"\{ColorConvertedBitmap\s+(\S+)\s")
_CLUSTER: Final = re.compile(r"\((\d{1,4}):(\d{1,4})\)")  # how many characters and glyphs an index stands for
_KEY: Final = re.compile("[0-9A-Fa-f]{32}")
_XPS_CURVES: Final = "CQSAcqsa"  # commands of a path that draw no lines (11.2.3)
_IDENTITY: Final = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
_NARROW, _WIDE = 50.0, 100.0  # usual widths of letters, and those of East Asian ones, in hundredths of their size


@dataclass(frozen=True, slots=True)
class _TextRun:
    """A piece of text on a page.

    left, right, base, size: where it is and how high its letters are. direction: of its line, as sine and cosine; the
    places are along it and across it. is_leftward: the text runs from right to left.
    """

    text: str
    left: float
    right: float
    base: float
    size: float
    direction: tuple[float, float] = (1.0, 0.0)
    is_leftward: bool = False


def _lines_of(pieces: Sequence[_TextRun], gap: float) -> list[str]:
    """Return the lines of a page. gap: the least gap between words, as a part of the size of letters.

    Pieces of one line that follow each other are read from left to right, since programs draw them font by font. A line
    with words from right to left is read in the order of the file.
    """
    lines: list[list[_TextRun]] = []
    for piece in pieces:
        if lines and _are_one_line(lines[-1][-1], piece):
            lines[-1].append(piece)
        else:
            lines.append([piece])
    return [_line_text(line, gap) for line in lines]


def _are_one_line(before: _TextRun, piece: _TextRun) -> bool:
    """Tell whether a piece is in the line of the piece before it."""
    height = _SAME_LINE * max(before.size, piece.size)  # of the larger letters, beside raised ones
    return abs(piece.base - before.base) <= height and piece.direction == before.direction


def _line_text(line: list[_TextRun], gap: float) -> str:
    """Return the text of a line, with a space where there is a gap."""
    if not any(piece.is_leftward for piece in line):
        line.sort(key=attrgetter("left"))
    joined = [line[0].text]
    for before, piece in pairwise(line):
        distance = max(piece.left - before.right, before.left - piece.right)  # whichever is at the left
        if distance > gap * piece.size and not before.text.endswith(_WHITE) and not piece.text.startswith(_WHITE):
            joined.append(" ")
        joined.append(piece.text)
    return "".join(joined).strip()


def _is_drawing(path: str, curves: str) -> bool:
    """Tell whether a path is a curve or one of many lines, not a line, frame or bar. curves: their commands."""
    steps = _STEP.findall(path)
    return len(steps) > _FRAME or any(step in curves for step in steps)


def _joined(part: str, name: str) -> str:
    """Return the name of a part that another part names; absolute ones begin with a slash."""
    return posixpath.normpath(posixpath.join("/", posixpath.dirname(part), name)).lstrip("/")


def read_ofd(data: bytes) -> Extracted:
    """Return the text of the pages in their order, each after the page below it that several pages share."""
    with opened(data) as package:
        root = parse_xml(package.read(_MAIN))
        collected, other, count = TextBuffer(), OtherHashes(), 0
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
    """Yield the text of each element of this name."""
    for element in root.iter("{*}" + name):
        yield " ".join((element.text or "").split())


def _names(package: Package, document: str) -> tuple[list[str], dict[str, str]]:
    """Return (the names of a document's pages, those of the pages below them by their numbers)."""
    root = parse_xml(package.read(document))
    shared = {page.get("ID", ""): _joined(document, page.get("BaseLoc", "")) for page in root.iter("{*}TemplatePage")}
    return [_joined(document, page.get("BaseLoc", "")) for page in root.iter("{*}Page")], shared


def _page(package: Package, other: OtherHashes, name: str) -> tuple[tuple[str, ...], list[str]]:
    """Return (the numbers of the pages below a page, its lines); add its links and drawings.

    Raises Unreadable for a page that is missing or damaged: the plain reader then reads the others.
    """
    below: list[str] = []
    pieces: list[_TextRun] = []
    for element in elements(package.read(name), _OFD_TAGS):
        kind = element.tag.rpartition("}")[2]
        if kind == "TextObject":
            pieces += _pieces(element)
        elif kind == "Template":
            below.append(element.get("TemplateID", ""))
        elif kind == "URI":
            other.add(OtherContent.LINKS, element.get("URI", ""))
        elif kind == "CompositeObject":  # its drawing, which may have letters, is not read
            other.unknown(OtherContent.PICTURES)
        elif _is_drawing(path := element.text or "", _OFD_CURVES):
            other.add(OtherContent.PICTURES, " ".join(path.split()))
    return tuple(below), _lines_of(pieces, _OFD_GAP)


def _pieces(element: Any) -> Iterator[_TextRun]:
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
        yield _TextRun(code.text, start, end, top + slant * x + down * y + lower, size)


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


def _add_parts(package: Package, other: OtherHashes) -> None:
    """Add pictures, attached files, annotations and seals, in the order of their names."""
    for name in sorted(package.names):
        path = "/" + name.lower()
        kinds = (kind for beginning, kind in _BEGINNINGS if beginning in path)
        kind = next(kinds, None if path.endswith(_NO_PICTURES) else OtherContent.PICTURES)
        if kind is not None and not path.endswith("/"):
            of_name = [posixpath.basename(name)] if kind is OtherContent.ATTACHMENTS else []
            other.add(kind, *of_name, package.digest(name))


Matrix = tuple[float, float, float, float, float, float]


def read_xps(data: bytes) -> Extracted:
    """Return the text of the pages in their order."""
    with opened(data) as package:
        reader = _Pages(package)
        collected, names = TextBuffer(), _page_names(package)
        for name in names:
            collected.add("\n".join(reader.lines(name)) + "\f")
            if collected.full:
                break
        lines_of_pages = [page.split("\n") for page in collected.text().removesuffix("\f").split("\f")]
        reader.refuse_wordless(len(names))
        text, heads = text_of_pages(lines_of_pages, reader.other)
        for name in sorted(package.names):
            if name.lower().endswith(".psdsxs"):  # a signature
                reader.other.add(OtherContent.FORM_FIELDS, package.digest(name))
        properties = core_properties(package)
    return Extracted(
        text,
        MediaType.XPS,
        "xps-pages",
        streams={"headers": "\n".join(heads)} if heads else {},
        pages=len(names),
        partial=collected.full,
        other=reader.other.hashes(MediaType.XPS),
        **properties,
    )


def _page_names(package: Package) -> list[str]:
    """Return the names of all pages: a sequence lists documents, and each of these its pages. Raises Unreadable."""
    names = [target for kind, _, target in relationships(package, "") if kind == "fixedrepresentation"]
    for element in ("DocumentReference", "PageContent"):
        names = [
            _joined(name, part.get("Source", "")) for name in names for part in elements(package.read(name), [element])
        ]
    if not names:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_TEXT_PART)
    return list(dict.fromkeys(names))


class _Pages:
    """Reads pages, and collects what they hold beside words."""

    def __init__(self, package: Package) -> None:
        self.other = OtherHashes()
        self._package = package
        self._named = self._nameless = 0  # runs of glyphs with and without their characters
        self._widths = cache(partial(_widths, package))

    def refuse_wordless(self, pages: int) -> None:
        """Raise Unreadable if the pages are pictures, or if most of their glyphs have no characters."""
        if self._nameless > self._named:
            raise Unreadable(ProblemKind.NO_TEXT, Clause.NAMELESS_CHARACTERS, final=True)
        if not self._named:
            raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_TEXT_LAYER, pages=pages, final=True)

    def lines(self, page: str) -> list[str]:
        """Return the lines of a page. Raises Unreadable for a page that is missing or damaged."""
        pieces: list[_TextRun] = []
        links: dict[str, None] = {}
        matrices = [_IDENTITY]
        for event, element in events(self._package.read(page), _XPS_TAGS):
            kind = element.tag.rpartition("}")[2]
            if kind == "Canvas" and event == "end":
                matrices.pop()
            elif kind == "Canvas":
                matrices.append(_times(_matrix(element.get("RenderTransform", "")), matrices[-1]))
            elif event == "start":
                continue
            elif kind == "MatrixTransform" and element.getparent().tag.endswith("}Canvas.RenderTransform"):
                matrices[-1] = _times(_matrix(element.get("Matrix", "")), matrices[-1])
            elif kind == "Glyphs":
                pieces += self._pieces(page, element, matrices[-1])
            elif kind == "ImageBrush":
                source = element.get("ImageSource", "")
                name = match[1] if (match := _SOURCE.match(source)) else source
                self.other.add(OtherContent.PICTURES, self._package.digest(_joined(page, name)))
            elif kind == "Path" and _is_drawing(element.get("Data", ""), _XPS_CURVES):
                self.other.add(OtherContent.PICTURES, element.get("Data", ""))
            if _LINK.match(address := element.get("FixedPage.NavigateUri", "")):
                links[address] = None
        for address in links:  # each word of a link may name it
            self.other.add(OtherContent.LINKS, address)
        return _lines_of(pieces, _XPS_GAP)

    def _pieces(self, page: str, glyphs: Any, matrix: Matrix) -> Iterator[_TextRun]:
        """Yield the piece of text of a run of glyphs; none for a run whose characters are not named."""
        text, indices = glyphs.get("UnicodeString", "").removeprefix("{}"), glyphs.get("Indices", "")
        self._named += bool(text)
        self._nameless += bool(indices and not text)
        if not text:
            return
        size, x, y = (_number(glyphs.get(name)) for name in ("FontRenderingEmSize", "OriginX", "OriginY"))
        across, slant, skew, down, right, lower = _times(_matrix(glyphs.get("RenderTransform", "")), matrix)
        scale = hypot(across, slant) or 1.0
        cosine, sine = across / scale, slant / scale
        x, y = across * x + skew * y + right, slant * x + down * y + lower
        left, base = cosine * x + sine * y, cosine * y - sine * x
        size *= scale
        is_leftward = glyphs.get("BidiLevel", "0")[-1:] in "13579"
        steps = _steps(text, indices, self._widths(_joined(page, glyphs.get("FontUri", ""))))
        for words, start, end in _parts(text, steps):
            edges = (start, end) if not is_leftward else (-end, -start)  # such runs begin at the right
            first, last = (left + size / 100 * edge for edge in edges)
            direction = round(cosine, 2), round(sine, 2)
            yield _TextRun(words.replace("\n", " "), first, last, base, size, direction, is_leftward)


def _number(text: str | None) -> float:
    """Return the number in an attribute; 0 for something else."""
    try:
        return float(text or 0)
    except ValueError:
        return 0.0


@lru_cache(maxsize=256)
def _matrix(text: str) -> Matrix:
    """Return the six numbers of a transformation; for any other text those that change nothing."""
    numbers = [_number(number) for number in text.split(",")]
    if len(numbers) != len(_IDENTITY):
        return _IDENTITY
    a, b, c, d, e, f = numbers
    return a, b, c, d, e, f


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the transformation that makes the inner one and then the outer one."""
    a, b, c, d, e, f = outer
    across, slant, skew, down, right, lower = inner
    first, second = (a * across + c * slant, b * across + d * slant), (a * skew + c * down, b * skew + d * down)
    return (*first, *second, a * right + c * lower + e, b * right + d * lower + f)


def _steps(text: str, indices: str, widths: Sequence[float]) -> Iterator[tuple[int, float, float]]:
    """Yield (where its characters end, how far the next glyph is, how much of that is white) of the glyphs of a run.

    Lengths are in hundredths of the size of letters. indices: "glyph,width;glyph,width;...", each of both may be
    missing: the width is then the one of the font, and where it is not known, a usual one. "(2:1)" before the first of
    some glyphs says how many characters and glyphs belong together. widths: of the glyphs of the font.
    """
    end = together = 0
    for entry in indices.split(";") if indices else ():
        cluster = _CLUSTER.match(entry)
        characters, glyphs = map(int, cluster.groups()) if cluster else (int(not together), max(1, together))
        end, together = end + characters, glyphs - 1
        glyph, _, rest = entry[cluster.end() if cluster else 0 :].partition(",")
        known = widths[min(int(glyph[:9]), len(widths) - 1)] if glyph.isdecimal() and widths else None
        usual = known if known is not None else _usual_width(text[end - characters : end])
        advance = _number(advance) if (advance := rest.partition(",")[0]) else usual
        yield end, advance, advance - known if known is not None else 0.0
    for position, character in enumerate(text[end:], end + 1):
        yield position, _usual_width(character), 0.0


def _usual_width(text: str) -> float:
    """Return the width of characters in most fonts."""
    return sum(_WIDE if _is_wide(character) else _NARROW for character in text if not unicodedata.combining(character))


def _is_wide(character: str) -> bool:
    """Tell whether a character is as wide as high, as East Asian ones are."""
    return unicodedata.east_asian_width(character) in ("W", "F")


def _parts(text: str, steps: Iterable[tuple[int, float, float]]) -> Iterator[tuple[str, float, float]]:
    """Yield (words, start, end) of a run: it is divided where glyphs are set apart, as words without spaces are.

    Where most glyphs are, a word is. start, end: in the unit of `steps`.
    """
    placed = list(steps)
    least = 100 * _XPS_GAP + 2 * max(0, median([white for *_, white in placed[:-1]] or [0]))
    first, start, position = 0, 0.0, 0.0
    for end, advance, white in placed:
        position += advance
        if white > least and first < end < len(text) and not _is_wide(text[end - 1]) and not _is_wide(text[end]):
            yield text[first:end], start, position - white
            first, start = end, position
    yield text[first:], start, position


def _widths(package: Package, name: str) -> Sequence[float]:
    """Return the widths of the glyphs of a font, in hundredths of its size; () if they are not known.

    The first bytes of a font are usually combined with the number that is its name (ECMA-388, 9.1.7.3).
    """
    content = package.content_within(name) or b""
    stem, suffix = posixpath.splitext(posixpath.basename(name))
    key = _KEY.fullmatch(re.sub("[-{}]", "", stem))
    if suffix.lower() == ".odttf" and key:
        veil = bytes.fromhex(key[0])[::-1] * 2
        content = bytes(byte ^ veiled for byte, veiled in zip(content, veil, strict=False)) + content[len(veil) :]
    try:
        tables = {
            content[at : at + 4]: struct.unpack_from(">L", content, at + 8)[0]
            for at in range(12, 12 + 16 * struct.unpack_from(">H", content, 4)[0], 16)
        }
        (units,) = struct.unpack_from(">H", content, tables[b"head"] + 18)
        (count,) = struct.unpack_from(">H", content, tables[b"hhea"] + 34)
        numbers = struct.unpack_from(f">{2 * count}H", content, tables[b"hmtx"])
    except (KeyError, struct.error):
        return ()
    return [100 * advance / (units or 1) for advance in numbers[::2]]
