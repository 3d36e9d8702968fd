"""Read electronic books: the chapters of EPUB in the order of the spine, and books of the Kindle without protection.

A book of the Kindle (MOBI, AZW, AZW3) is a database of Palm OS with one long web page in packed records. Amazon has not
published the format; https://wiki.mobileread.com/wiki/MOBI describes it.
"""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from typing import Any, Final
from urllib.parse import unquote

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import (
    MAX_CHARACTERS,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    digest,
    language_tag,
    without_labels,
)
from dupfinder.text.readers.html import add_styled, decode_page
from dupfinder.text.readers.package import Package, opened, parse_time, parse_xml
from dupfinder.text.readers.page_source import PageSource, cells_of, prepared, unmarked, without_navigation
from dupfinder.text.readers.site_chrome import visible_text

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_STORED, _PALMDOC = 1, 2  # kinds of compression; the third is used with protection
_LIST, _LIST_ENTRY = 78, 8  # of records: where it begins, bytes of each entry
_UTF8: Final = 65001  # Windows' number of an encoding
_HEADER = 16  # where the header of the book begins in its first record
_FIRST_PICTURE = 0x6C  # where the header says which record is the first picture
_VERSION, _STYLED = 0x24, 8  # offset of the version in the header; the first with style sheets after the page
_FLOWS = 0xC0  # offset of the number of the record that says where the page ends and style sheets begin
_TAILS = 0xF2  # offset of the flags of what follows the text in each record; short headers end before it
_AUTHOR, _PUBLISHED, _TITLE, _LANGUAGE = 100, 106, 503, 524  # numbers of properties
# One step of PalmDOC: characters as they are, so many bytes as they are, a repetition, or a space and a character.
_STEP = re.compile(rb"[\0\t-\x7f]+|[\x01-\x08]|[\x80-\xbf].|[\xc0-\xff]", re.S)
# In tags: addresses of places in the book, and of pictures by their numbers.
_PLACE = re.compile(r"(<[a-z][^<>]*?\s)(?:filepos\s*=\s*[\"']?\d+|href\s*=\s*[\"']?kindle:pos:[\w:]+)[\"']?", re.I)
_NUMBERED = re.compile(r"(<img\b[^<>]*?\s)recindex(?=\s*=)", re.I)
# A rule of a style sheet by which words may be struck out, highlighted, invisible, or apart from those before.
_RULE = re.compile(rb"(?<![^{}])[^{}]++\{[^{}]*\b(?:line-through|background|display)\b[^{}]*\}")
# The title of the book, which newer books repeat before each part.
_TITLE_ELEMENT = re.compile(r"<title>[^<]*</title>")
_PICTURE = re.compile(r"(?:embed-(?P<new>[0-9A-V]{1,6})\b|(?P<old>\d{1,6})$)")


def read_epub(data: bytes) -> Extracted:
    """Return the text of the chapters. Raises Unreadable (ENCRYPTED) if DRM protects a chapter."""
    with opened(data) as package:
        book = _book_part(package)
        root = parse_xml(package.read(book))
        chapters = _spine(root, posixpath.dirname(book))
        locked = _locked(package)
        collected, other = TextBuffer(), OtherHashes()
        sheets = b"".join(package.content_within(name) or b"" for name in package.names if name.endswith(".css"))
        rules = b"".join(_RULE.findall(sheets)).decode("utf-8", "replace")
        style = f"<style>{rules}</style></head>" if rules else "</head>"
        is_cut = False
        for name in dict.fromkeys(chapters):
            if name in locked:
                raise Unreadable(ProblemKind.ENCRYPTED, Clause.RIGHTS_SCHEME)
            if package.has(name):
                decoded = decode_page(package.read(name))
                is_cut = is_cut or decoded.is_cut
                picture = partial(_picture, package, posixpath.dirname(name))
                collected.add(_chapter(decoded.text.replace("</head>", style, 1), other, picture) + "\n")
    return Extracted(
        collected.text().strip("\n"),
        MediaType.EPUB,
        "epub-walk",
        title=_fact(root, "title"),
        author=_fact(root, "creator"),
        created=parse_time(_fact(root, "date")),
        modified=parse_time(_modified(root)),
        language=language_tag(_fact(root, "language")),
        partial=collected.full or is_cut,
        other=other.hashes(MediaType.EPUB),
    )


def _chapter(source: str, other: OtherHashes, picture: Callable[[str], bytes | None]) -> str:
    """Return the text of a chapter's page. picture: returns the hash of a picture by its address."""
    from resiliparse.parse.html import HTMLTree  # loads the parser's C library

    page = PageSource(source)
    tree = HTMLTree.parse_from_bytes(prepared(page, other, picture), "utf-8")
    add_styled(tree, page, other)
    visible = visible_text(tree, page)
    text = without_navigation(visible)
    if text.encode("utf-8", "surrogatepass") != visible:
        whole = unmarked(visible)
        other.add(OtherContent.HEADERS, without_labels(whole) if page.has_labels else whole)
    return text + cells_of(page)


def _picture(package: Package, folder: str, address: str) -> bytes | None:
    """Return a hash of a picture by its address in a chapter, which is in `folder`."""
    return package.digest(posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0]))))


def _book_part(package: Package) -> str:
    """Return the name of the part that lists the chapters, as declared in the container or by its suffix."""
    try:
        roots = parse_xml(package.read(_CONTAINER)).iter("{*}rootfile")
    except Unreadable:  # missing, or damaged
        roots = ()
    declared = [str(root.get("full-path", "")) for root in roots]
    existing = [name for name in declared if package.has(name)] or [
        name for name in package.names if name.endswith(".opf")
    ]
    if not existing:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_BOOK)
    return existing[0]


def _spine(root: Any, folder: str) -> list[str]:
    """Return the part names of the chapters in reading order, or of all pages if the spine lists none.

    The page with the table of contents, which programs make of the headings, is left out.
    """
    items = list(root.iter("{*}item"))
    targets = {item.get("id"): _part(folder, item) for item in items}
    contents = {_part(folder, item) for item in items if "nav" in item.get("properties", "").split()}
    listed = [targets[ref.get("idref")] for ref in root.iter("{*}itemref") if ref.get("idref") in targets]
    pages = listed or [_part(folder, item) for item in items if item.get("media-type") == "application/xhtml+xml"]
    return [page for page in pages if page not in contents] or listed


def _part(folder: str, item: Any) -> str:
    """Return the part name of an item of the manifest."""
    return posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))


def _locked(package: Package) -> frozenset[str]:
    """Return the names of encrypted parts. Encrypted fonts do not matter."""
    if not package.has(_ENCRYPTION):
        return frozenset()
    references = parse_xml(package.read(_ENCRYPTION)).iter("{*}CipherReference")
    return frozenset(unquote(reference.get("URI", "")) for reference in references)


def _modified(root: Any) -> str:
    """Return the date of modification that the book declares; "" if it declares none."""
    elements = (meta for meta in root.iter("{*}meta") if meta.get("property") == "dcterms:modified")
    return next((meta.text or "" for meta in elements), "")


def _fact(root: Any, name: str) -> str:
    """Return a Dublin Core element of the book as one line, "" if it is missing."""
    element = next(root.iter("{http://purl.org/dc/elements/1.1/}" + name), None)
    return " ".join((element.text or "").split())[:500] if element is not None else ""


def read_kindle(data: bytes) -> Extracted:
    """Return the text of a book of the Kindle; of a damaged one what comes before the damage.

    Raises Unreadable (ENCRYPTED) if DRM protects it.
    """
    book = KindleBook(data)
    other, page = OtherHashes(), book.page()
    source = _TITLE_ELEMENT.sub("", _PLACE.sub(r'\1href="#"', _NUMBERED.sub(r"\1src", page)))
    source = source.replace("kindle:embed:", "embed-").replace("kindle:flow:", "flow-")  # not another site's
    text = _chapter(source, other, book.picture)
    author, published, title, language = map(book.metadata, (_AUTHOR, _PUBLISHED, _TITLE, _LANGUAGE))
    return Extracted(
        text.strip("\n"),
        MediaType.MOBI,
        "kindle-records",
        title=title,
        author=author,
        created=parse_time(published),
        language=language_tag(language),
        partial=book.damaged or len(page) >= MAX_CHARACTERS,
        other=other.hashes(MediaType.MOBI),
    )


class KindleBook:
    """The first book of a file: newer programs store it twice, for old and for new devices.

    damaged: not all of its text could be unpacked; known once `page` was called.
    """

    def __init__(self, data: bytes) -> None:
        """Read the header. Raises Unreadable for a file without one, and for a protected book."""
        try:
            (count,) = struct.unpack_from(">H", data, _LIST - 2)
            offsets = [struct.unpack_from(">I", data, _LIST + _LIST_ENTRY * number)[0] for number in range(count)]
            if offsets != sorted(offsets):  # records that overlap could be many times as large as the file
                raise IndexError
            self._records = [data[start:end] for start, end in pairwise([*offsets, len(data)])]
            self._head = self._records[0]
            self._packing, self._size, self._parts, locked = struct.unpack_from(">H2xIH2xH", self._head)
            self._length, encoding = struct.unpack_from(">I4xI", self._head, _HEADER + 4)
        except (struct.error, IndexError) as error:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_BOOK) from error
        if locked:
            raise Unreadable(ProblemKind.ENCRYPTED, Clause.RIGHTS_SCHEME)
        if self._packing not in (_STORED, _PALMDOC):
            raise Unreadable(ProblemKind.UNSUPPORTED, Clause.UNREAD_KIND, kind="kindle")
        has_tails = self._length >= _TAILS + 2 - _HEADER and len(self._head) >= _TAILS + 2
        self._tails: int = struct.unpack_from(">H", self._head, _TAILS)[0] if has_tails else 0
        self._encoding_name = "utf-8" if encoding == _UTF8 else "cp1252"
        self._hashes: dict[int, bytes] = {}
        self.damaged = False

    def page(self) -> str:
        """Return the source of the page, at most MAX_CHARACTERS, without the style sheets and drawings behind it."""
        unpacked = bytearray()
        parts = self._records[1 : 1 + self._parts]
        for part in parts:
            content = self._without_tails(part)
            try:
                unpacked += _unpacked(content) if self._packing == _PALMDOC else content
            except ValueError:
                self.damaged = True
                break
            if len(unpacked) > 4 * MAX_CHARACTERS:  # UTF-8 has four bytes at most for a character
                break
        self.damaged = self.damaged or len(unpacked) < min(self._size, 4 * MAX_CHARACTERS)
        return unpacked[: self._end_of_page()].decode(self._encoding_name, "replace")[:MAX_CHARACTERS]

    def _end_of_page(self) -> int | None:
        """Return how many bytes of the text are the page; None if all are, or if their list is damaged."""
        try:
            if struct.unpack_from(">I", self._head, _VERSION)[0] < _STYLED:
                return None
            number, flows = struct.unpack_from(">II", self._head, _FLOWS)
            signature, end, start = struct.unpack_from(">4s12xII", self._records[number])
        except (struct.error, IndexError):
            return None
        return int(end) if flows > 1 and signature == b"FDST" and start == end else None

    def _without_tails(self, part: bytes) -> bytes:
        """Return a record without the entries behind its text; each of them ends with its size."""
        for _ in range((self._tails >> 1).bit_count()):
            size = 0
            for shift, byte in enumerate(reversed(part[-4:])):
                size |= (byte & 0x7F) << 7 * shift
                if byte & 0x80:
                    break
            part = part[: max(0, len(part) - size)]
        return part[: max(0, len(part) - (part[-1] & 3) - 1)] if part and self._tails & 1 else part

    def picture(self, address: str) -> bytes | None:
        """Return a hash of a picture by its address in the page, None if it is not in the book."""
        match = _PICTURE.match(address)
        if match is None or len(self._head) < _FIRST_PICTURE + 4:
            return None
        record = int(match["new"], 32) if match["new"] else int(match["old"])
        record += struct.unpack_from(">I", self._head, _FIRST_PICTURE)[0] - 1
        if not 0 <= record < len(self._records):
            return None
        if record not in self._hashes:
            self._hashes[record] = digest(self._records[record])
        return self._hashes[record]

    def metadata(self, code: int) -> str:
        """Return a property of the book by its number as one line, "" if it is missing."""
        return next((" ".join(text.split())[:500] for number, text in self._properties() if number == code), "")

    def _properties(self) -> Iterator[tuple[int, str]]:
        """Yield the number and the text of each property in the second header, as far as it is whole."""
        start = _HEADER + self._length
        if self._head[start : start + 4] != b"EXTH" or len(self._head) < start + 12:
            return
        position = start + 12
        for _ in range(struct.unpack_from(">I", self._head, start + 8)[0]):
            if position + 8 > len(self._head):
                return
            number, size = struct.unpack_from(">II", self._head, position)
            yield number, self._head[position + 8 : position + size].decode(self._encoding_name, "replace")
            position += max(8, size)


def _unpacked(part: bytes) -> bytes:
    """Return what is packed in a record by PalmDOC, a kind of LZ77. Raises ValueError for a repetition of nothing."""
    unpacked = bytearray()
    position = 0
    while step := _STEP.match(part, position):
        code, position = part[position], step.end()
        if code == 0 or 8 < code < 0x80:
            unpacked += step.group()
        elif code <= 8:
            unpacked += part[position : position + code]
            position += code
        elif code >= 0xC0:
            unpacked += bytes((0x20, code ^ 0x80))
        else:
            distance, length = (code << 8 | part[position - 1]) >> 3 & 0x7FF, (part[position - 1] & 7) + 3
            if not 0 < distance <= len(unpacked):
                raise ValueError(distance)
            repeated = unpacked[-distance:]
            unpacked += (repeated * (length // distance + 1))[:length]
    return bytes(unpacked)
