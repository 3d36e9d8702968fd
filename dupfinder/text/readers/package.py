"""Read ZIP packages part by part, within limits and without unpacking to disk."""

from __future__ import annotations

import lzma
import posixpath
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from itertools import groupby
from operator import itemgetter
from typing import Any, Final, TypeVar
from zipfile import BadZipFile, ZipFile, ZipInfo

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import (
    FREE_BYTES,
    MAX_PACKAGE_BYTES,
    MAX_PART_BYTES,
    MAX_RATIO,
    Unreadable,
    digest,
    language_tag,
)

T = TypeVar("T")
CHUNK = 1 << 20
# Raised by zipfile for a damaged part.
_DAMAGE = (BadZipFile, zlib.error, lzma.LZMAError, EOFError, NotImplementedError, OSError, ValueError)
MAX_LOOKED_AT = 64 << 20  # bytes of pictures and other files in one package: a third of a second
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ROOTS = ("[Content_Types].xml", "META-INF/container.xml", "META-INF/manifest.xml", "content.xml", "OFD.xml")
# A document type without internal declarations, as in older e-books; the parser loads nothing for it.
_HARMLESS = re.compile(rb"<!DOCTYPE\s[^<>\[\]]{0,500}>")
_PIECE = re.compile(r"(.{1,1000})/\[(\d{1,9})\](?:\.last)?\.piece", re.I)
_LOCKED = "EncryptedPackage".encode("utf-16-le")
_SAFELY: Final[dict[str, Any]] = {"resolve_entities": False, "no_network": True, "load_dtd": False}  # of the parser


class Package:
    """The parts of a package. Raises Unreadable for parts that are missing, damaged, encrypted or too large."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._bytes_read = 0
        self._to_look_at = MAX_LOOKED_AT
        self._parts = _named(archive.infolist())
        self._folded = {name.casefold(): entry for name, entry in reversed(self._parts.items())}
        self._pieces = _pieces(self._parts)
        self.names = (*self._parts, *self._pieces)
        self._made: dict[Callable[[Package], Any], Any] = {}

    def has(self, name: str) -> bool:
        return name in self._pieces or self._find(name) is not None

    def _find(self, name: str) -> ZipInfo | None:
        """Return the part with this name, in whatever case (ISO 29500-2, 6.2.2.3); None without such a part."""
        return self._parts.get(name) or self._folded.get(name.casefold())

    def read(self, name: str) -> bytes:
        """Return the bytes of a part, at most MAX_PART_BYTES, and of all parts at most MAX_PACKAGE_BYTES."""
        if name in self._pieces:
            return b"".join(map(self.read, self._pieces[name]))
        entry = self._find(name)
        if entry is None:
            raise Unreadable(ProblemKind.DAMAGED, Clause.PART_MISSING, part=name)
        if entry.flag_bits & 1:
            raise Unreadable(ProblemKind.ENCRYPTED)
        room = self._room(entry)
        try:
            return self._inflate(entry, room)
        except _DAMAGE as error:
            raise Unreadable(ProblemKind.DAMAGED, Clause.PART_DAMAGED, part=name) from error

    def digest(self, name: str) -> bytes | None:
        """Return a hash of a part's bytes; None where `content_within` returns None."""
        content = self.content_within(name)
        return None if content is None else digest(content)

    def content_within(self, name: str) -> bytes | None:
        """Return the bytes of a part that holds no words.

        None if it is missing or damaged, or if more than MAX_LOOKED_AT bytes of the package would be read this way.
        """
        entry = self._find(name)
        if entry is None or entry.flag_bits & 1 or entry.file_size > self._to_look_at:
            return None
        self._to_look_at -= entry.file_size
        try:
            return self._archive.read(entry)  # reads at most file_size bytes and verifies the checksum
        except _DAMAGE:
            return None

    def once(self, make: Callable[[Package], T]) -> T:
        """Return what a function makes of the package. It is called once, for all parts that need the result."""
        if make not in self._made:
            self._made[make] = make(self)
        made: T = self._made[make]
        return made

    def check_sizes(self) -> None:
        """Raise Unreadable for a package whose directory declares sizes out of proportion."""
        for entry in self._archive.infolist():
            if entry.filename.endswith((".xml", ".bin", ".rels")):
                self._room(entry)
        if sum(entry.file_size for entry in self._archive.infolist()) > MAX_PACKAGE_BYTES:
            raise Unreadable(ProblemKind.TOO_LARGE, Clause.PARTS_UNPACK_TO, megabytes=MAX_PACKAGE_BYTES >> 20)

    def _room(self, entry: ZipInfo) -> int:
        """Return the bytes that a part may unpack to. Raises Unreadable if the directory declares more.

        The declared size is not trusted: `_inflate` counts again.
        """
        packed_room = max(FREE_BYTES, entry.compress_size * MAX_RATIO)
        room = min(MAX_PART_BYTES, MAX_PACKAGE_BYTES - self._bytes_read, packed_room)
        if entry.file_size > room:
            raise too_large(entry)
        return room

    def _inflate(self, entry: ZipInfo, room: int) -> bytes:
        """Return the unpacked bytes of a part. Raises Unreadable if there are more than `room`."""
        pieces = bytearray()
        with self._archive.open(entry) as part:
            while chunk := part.read(CHUNK):
                pieces += chunk
                if len(pieces) > room:
                    raise too_large(entry)
        self._bytes_read += len(pieces)
        return bytes(pieces)


def _named(entries: Sequence[ZipInfo]) -> dict[str, ZipInfo]:
    """Return the parts by name.

    If the package was packed together with its folder, names are relative to that folder.
    """
    parts = {entry.filename.replace("\\", "/"): entry for entry in entries}
    if not parts.keys().isdisjoint(_ROOTS):
        return parts
    prefixes = [name.removesuffix(root) for name in parts for root in _ROOTS if name.endswith(f"/{root}")]
    folder = min(prefixes, key=len, default="")
    return {name.removeprefix(folder): entry for name, entry in parts.items() if name.startswith(folder)}


def _pieces(names: Iterable[str]) -> dict[str, list[str]]:
    """Return the names of the pieces of each part that is stored in pieces, in their order (ISO 29500-2, 6.2.4)."""
    matches = sorted((match[1], int(match[2]), match[0]) for match in map(_PIECE.fullmatch, names) if match)
    return {part: [name for _, _, name in of_part] for part, of_part in groupby(matches, itemgetter(0))}


def too_large(entry: ZipInfo) -> Unreadable:
    """Return the exception for a part that unpacks out of proportion."""
    part, megabytes = entry.filename[:80], entry.file_size >> 20
    return Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part=part, megabytes=megabytes)


@contextmanager
def opened(data: bytes) -> Iterator[Package]:
    """Open the package in `data`. An encrypted one is inside a compound file ([MS-OFFCRYPTO] 2.3.4): Unreadable."""
    if data.startswith(COMPOUND) and _LOCKED in data:
        raise Unreadable(ProblemKind.ENCRYPTED)
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_DIRECTORY) from error
    with archive:
        yield Package(archive)


def parse_xml(content: bytes, target: Any = None) -> Any:
    """Return the root element of a small part; or parse a part of any size with a parser target.

    Raises Unreadable for damaged XML, and for a document type with declarations, by which XML bombs are made.
    """
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    parser = etree.XMLParser(target=target, **_SAFELY)
    try:
        for start in range(0, len(content), CHUNK):
            parser.feed(content[start : start + CHUNK])
        return parser.close()
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_XML) from error


def refuse_doctype(content: bytes) -> None:
    """Raise Unreadable if XML declares a document type or entities, in one- or two-byte characters."""
    head = content[:65536].replace(b"\0", b"") if b"\0" in content[:64] else content
    if b"<!ENTITY" in head or (b"<!DOCTYPE" in head and b"<!DOCTYPE" in _HARMLESS.sub(b"", head, count=1)):
        raise Unreadable(ProblemKind.DAMAGED, Clause.DOCUMENT_TYPE, final=True)


def elements(content: bytes, names: Sequence[str]) -> Iterator[Any]:
    """Yield the elements with these local names at their ends, in document order; the caller may clear them."""
    for _, element in events(content, [f"{{*}}{name}" for name in names], ("end",)):
        yield element


def events(content: bytes, tags: Sequence[str], kinds: Sequence[str] = ("start", "end")) -> Iterator[tuple[str, Any]]:
    """Yield (kind, element) at the starts and ends of the elements with these tags. Raises Unreadable."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    try:
        yield from etree.iterparse(BytesIO(content), events=kinds, tag=tags, **_SAFELY)
    except etree.XMLSyntaxError as error:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_XML) from error


def attr(attributes: Any, name: str) -> str:
    """Return the value of an attribute by its local name; "" if it is missing."""
    for key in attributes:
        if key.rpartition("}")[2] == name:
            return str(attributes[key])
    return ""


def child_of(element: Any, name: str) -> Any:
    """Return the first child of an element with a local name; None if it is missing."""
    return next(element.iterchildren("{*}" + name), None)


def relationships(package: Package, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield (kind, id, part name) of each internal relationship of a part; part "": those of the package itself.

    The kind is the last segment of the relationship type's URI.
    """
    for kind, identity, target, is_external in all_relationships(package, part):
        if not is_external:
            yield kind, identity, target


def all_relationships(package: Package, part: str) -> Iterator[tuple[str, str, str, bool]]:
    """Yield (kind, id, part name or address, whether it is external) of each relationship of a part."""
    folder, name = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{name}.rels")
    if not package.has(rels):
        return
    for relationship in parse_xml(package.read(rels)):
        if not isinstance(relationship.tag, str):
            continue
        kind, target = relationship.get("Type", "").rpartition("/")[2], relationship.get("Target", "")
        is_external = relationship.get("TargetMode") == "External"
        if not is_external:
            target = (
                target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            )
        yield kind, relationship.get("Id", ""), target, is_external


def core_properties(package: Package) -> dict[str, Any]:
    """Return title, author, created, modified and language of an Office package, empty or None if unknown."""
    try:
        root = parse_xml(package.read("docProps/core.xml"))
    except Unreadable:  # missing, or damaged
        return {}
    properties = {
        child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root if isinstance(child.tag, str)
    }
    return {
        "title": properties.get("title", "")[:500],
        "author": properties.get("creator", "")[:500],
        "created": parse_time(properties.get("created", "")),
        "modified": parse_time(properties.get("modified", "")),
        "language": language_tag(properties.get("language", "")),
    }


def parse_time(text: str) -> datetime | None:
    """Return a time in ISO 8601 as UTC; None if it is invalid."""
    try:
        moment = datetime.fromisoformat(text.strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
