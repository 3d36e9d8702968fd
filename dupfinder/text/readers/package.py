"""ZIP packages read part by part, within bounds, never unpacked to disk."""

from __future__ import annotations

import posixpath
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from io import BytesIO
from typing import Any
from zipfile import BadZipFile, ZipFile, ZipInfo

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import FREE_BYTES, MAX_PACKAGE_BYTES, MAX_PART_BYTES, MAX_RATIO, Unreadable
from dupfinder.text.document import digest, language_tag

CHUNK = 1 << 20
MAX_LOOKED_AT = 64 << 20  # bytes of the pictures and other files in one package: a third of a second
COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ROOTS = ("[Content_Types].xml", "META-INF/container.xml", "META-INF/manifest.xml", "content.xml")
# A document type without declarations of its own, as older e-books have: the parser loads nothing for it.
_HARMLESS = re.compile(rb"<!DOCTYPE\s[^<>\[\]]{0,500}>")
_LOCKED = "EncryptedPackage".encode("utf-16-le")


class Package:
    """The parts of one package. Raises Unreadable for parts that are missing, damaged, locked or too large."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._spent = 0
        self._to_look_at = MAX_LOOKED_AT
        self._parts = _named(archive.infolist())
        self._folded = {name.casefold(): info for name, info in reversed(self._parts.items())}
        self.names = tuple(self._parts)

    def has(self, name: str) -> bool:
        """Whether there is a part of this name."""
        return self._find(name) is not None

    def _find(self, name: str) -> ZipInfo | None:
        """The part of this name, which formats do not want to differ by case alone (ISO 29500-2 section 6.2.2.3)."""
        return self._parts.get(name) or self._folded.get(name.casefold())

    def read(self, name: str) -> bytes:
        """The bytes of a part, at most MAX_PART_BYTES, all parts together at most MAX_PACKAGE_BYTES."""
        info = self._find(name)
        if info is None:
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.PART_MISSING, part=name))
        if info.flag_bits & 1:
            raise Unreadable(ProblemKind.ENCRYPTED)
        room = self._room(info)
        try:
            return self._inflate(info, room)
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError) as error:
            raise Unreadable(ProblemKind.DAMAGED, details(Clause.PART_DAMAGED, part=name)) from error

    def digest(self, name: str) -> bytes | None:
        """A hash of a part's bytes; None where `content_within` has none."""
        content = self.content_within(name)
        return None if content is None else digest(content)

    def content_within(self, name: str) -> bytes | None:
        """The bytes of a part that holds no words; None for one that is missing or damaged, or where of one package
        over MAX_LOOKED_AT would be read so."""
        info = self._find(name)
        if info is None or info.flag_bits & 1 or info.file_size > self._to_look_at:
            return None
        self._to_look_at -= info.file_size
        try:
            return self._archive.read(info)  # no more than file_size, and compares its checksum
        except (BadZipFile, zlib.error, EOFError, NotImplementedError, OSError, ValueError):
            return None

    def check_sizes(self) -> None:
        """Refuse a package whose directory already says that it inflates out of proportion."""
        for info in self._archive.infolist():
            if info.filename.endswith((".xml", ".bin", ".rels")):
                self._room(info)
        if sum(info.file_size for info in self._archive.infolist()) > MAX_PACKAGE_BYTES:
            raise Unreadable(ProblemKind.TOO_LARGE, details(Clause.PARTS_UNPACK_TO, megabytes=MAX_PACKAGE_BYTES >> 20))

    def _room(self, info: ZipInfo) -> int:
        """Bytes that a part may inflate to. Its directory entry is looked at first, and not believed after."""
        packed_room = max(FREE_BYTES, info.compress_size * MAX_RATIO)
        room = min(MAX_PART_BYTES, MAX_PACKAGE_BYTES - self._spent, packed_room)
        if info.file_size > room:
            raise too_large(info)
        return room

    def _inflate(self, info: ZipInfo, room: int) -> bytes:
        pieces = bytearray()
        with self._archive.open(info) as part:
            while chunk := part.read(CHUNK):
                pieces += chunk
                if len(pieces) > room:
                    raise too_large(info)
        self._spent += len(pieces)
        return bytes(pieces)


def _named(infos: Sequence[ZipInfo]) -> dict[str, ZipInfo]:
    """The parts by name. Of a package that was packed with the folder it lay in, names begin inside that folder."""
    parts = {info.filename.replace("\\", "/"): info for info in infos}
    if not parts.keys().isdisjoint(_ROOTS):
        return parts
    above = [name.removesuffix(root) for name in parts for root in _ROOTS if name.endswith(f"/{root}")]
    folder = min(above, key=len, default="")
    return {name.removeprefix(folder): info for name, info in parts.items() if name.startswith(folder)}


def too_large(info: ZipInfo) -> Unreadable:
    """The refusal of a part that inflates out of proportion."""
    why = details(Clause.PART_UNPACKS_TO, part=info.filename[:80], megabytes=info.file_size >> 20)
    return Unreadable(ProblemKind.TOO_LARGE, why)


@contextmanager
def opened(data: bytes) -> Iterator[Package]:
    """The package in `data`. One that is locked stands inside a compound file ([MS-OFFCRYPTO] 2.3.4)."""
    if data.startswith(COMPOUND) and _LOCKED in data:
        raise Unreadable(ProblemKind.ENCRYPTED)
    try:
        archive = ZipFile(BytesIO(data))
    except (BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.NO_DIRECTORY)) from error
    with archive:
        yield Package(archive)


def parse_xml(content: bytes) -> Any:
    """The root element of a small part. A document type that declares anything is refused: bombs have one."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        return etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.BAD_XML)) from error


def refuse_doctype(content: bytes) -> None:
    """Raise Unreadable when XML declares a document type or entities, in one- or two-byte characters."""
    head = content[:65536].replace(b"\0", b"") if b"\0" in content[:64] else content
    if b"<!ENTITY" in head or b"<!DOCTYPE" in _HARMLESS.sub(b"", head, count=1):
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.DOCUMENT_TYPE), final=True)


def elements(content: bytes, names: Sequence[str]) -> Iterator[Any]:
    """The elements of these local names at their ends, in document order; the caller clears what it is done with."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    tags = [f"{{*}}{name}" for name in names]
    events = etree.iterparse(BytesIO(content), tag=tags, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for _, element in events:
            yield element
    except etree.XMLSyntaxError as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.BAD_XML)) from error


def feed(content: bytes, target: Any) -> None:
    """Hand the events of an XML part to a parser target; its first error makes the part DAMAGED."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    parser = etree.XMLParser(target=target, resolve_entities=False, no_network=True, load_dtd=False)
    try:
        for start in range(0, len(content), CHUNK):
            parser.feed(content[start : start + CHUNK])
        parser.close()
    except etree.XMLSyntaxError as error:
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.BAD_XML)) from error


def relationships(package: Package, part: str) -> Iterator[tuple[str, str, str]]:
    """(kind, id, part name) for each inner relationship of a part; "" asks for those of the package itself.

    The kind is the last step of the relationship type's address.
    """
    for kind, identity, target, is_outer in all_relationships(package, part):
        if not is_outer:
            yield kind, identity, target


def all_relationships(package: Package, part: str) -> Iterator[tuple[str, str, str, bool]]:
    """(kind, id, part name or address, whether it leads out of the package) for each relationship of a part."""
    folder, name = posixpath.split(part)
    rels = posixpath.join(folder, "_rels", f"{name}.rels")
    if not package.has(rels):
        return
    for relationship in parse_xml(package.read(rels)):
        if not isinstance(relationship.tag, str):
            continue
        kind, target = relationship.get("Type", "").rpartition("/")[2], relationship.get("Target", "")
        is_outer = relationship.get("TargetMode") == "External"
        if not is_outer:
            target = (
                target.lstrip("/") if target.startswith("/") else posixpath.normpath(posixpath.join(folder, target))
            )
        yield kind, relationship.get("Id", ""), target, is_outer


def core_facts(package: Package) -> dict[str, Any]:
    """title, author, created, modified, language of an Office package, as far as it tells them."""
    if not package.has("docProps/core.xml"):
        return {}
    try:
        root = parse_xml(package.read("docProps/core.xml"))
    except Unreadable:
        return {}
    found = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in root if isinstance(child.tag, str)}
    return {
        "title": found.get("title", "")[:500],
        "author": found.get("creator", "")[:500],
        "created": parse_time(found.get("created", "")),
        "modified": parse_time(found.get("modified", "")),
        "language": language_tag(found.get("language", "")),
    }


def parse_time(text: str) -> datetime | None:
    """A moment in ISO 8601 as UTC; None when it is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None
