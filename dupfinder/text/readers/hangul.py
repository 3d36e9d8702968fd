"""Read documents of Hancom's Hangul, the word processor of Korean offices: HWPX (KS X 6101), and HWP 5 before it.

HWPX is a package of XML. HWP 5 is a compound file; its sections are packed records with a level each, of which the
deeper ones belong to the control (table, note, running head) before them.
"""

from __future__ import annotations

import re
import struct
import zlib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import takewhile
from typing import Any, Final

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    FREE_BYTES,
    MAX_PACKAGE_BYTES,
    MAX_PART_BYTES,
    MAX_RATIO,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    all_unknown,
    digest,
    language_tag,
)
from dupfinder.text.lines import CELL_END, ROW_END
from dupfinder.text.readers.compound import opened_compound, refuse_wordless, stream_of, utc
from dupfinder.text.readers.package import Package, events, opened, parse_time, parse_xml
from dupfinder.text.readers.plainly import READER as PLAIN_READER

_CONTENTS: Final = "Contents/content.hpf"
_SECTION: Final = re.compile(r"Contents/section(\d{1,6})\.xml", re.I)
# Elements whose text is a stream of its own, and those without words of the document.
_STREAMS: Final = {
    "header": "headers", "footer": "footers", "footNote": "notes", "endNote": "notes", "hiddenComment": "comments",
    "fieldBegin": "comments", "subText": "readings",
}  # fmt: skip
_SKIPPED: Final = frozenset(("secPr", "default", "parameters", "memogroup"))  # repetitions, and no words
_MARKS: Final = {"lineBreak": "\n", "tab": "\t", "nbSpace": "\u00a0", "fwSpace": "\u3000", "hyphen": "-"}
_ENDS: Final = {"p": "\n", "tc": CELL_END, "tr": ROW_END}
_FIELDS: Final = frozenset(("checkBtn", "radioBtn", "comboBox", "listBox", "edit"))
_OBJECTS: Final = ("img", "ole", "chart", "script")
_TAGS: Final = tuple(
    f"{{*}}{name}"
    for names in (_STREAMS, _SKIPPED, _ENDS, _FIELDS, ("t", "mainText", "tbl", "drawText", "stringParam"), _OBJECTS)
    for name in names
)
_COUNTED: Final = ("NUMBER", "OUTLINE")  # kinds of paragraphs with a number that is computed


class _Streams:
    """The text of a document and of what is beside it. `current` receives what is read; notes follow the text."""

    def __init__(self) -> None:
        self._texts = defaultdict[str, TextBuffer](TextBuffer)
        self.other = OtherHashes()
        self.current = "body"

    def add(self, text: str) -> None:
        """Add text to the current stream."""
        self._texts[self.current].add(text)

    def end_line(self) -> None:
        """End the line before a table or a box that is within a paragraph."""
        pieces = self._texts[self.current].pieces
        if pieces and not pieces[-1].endswith(("\n", ROW_END, CELL_END)):
            self.add("\n")

    def extracted(self, kind: MediaType, reader: str, properties: Mapping[str, Any]) -> Extracted:
        """Return the document."""
        texts = {name: collected.text().strip("\n") for name, collected in self._texts.items()}
        for name, content in (
            ("headers", OtherContent.HEADERS),
            ("footers", OtherContent.HEADERS),
            ("readings", OtherContent.HEADERS),
            ("comments", OtherContent.COMMENTS),
        ):
            self.other.add_text(content, texts.get(name, ""))
        text = "\n".join(filter(None, (texts.get("body"), texts.get("notes"))))
        return Extracted(
            text,
            kind,
            reader,
            streams={name: texts[name] for name in ("headers", "footers", "comments") if texts.get(name)},
            other=self.other.hashes(kind),
            partial=any(collected.full for collected in self._texts.values()),
            **properties,
        )


def read_hwpx(data: bytes) -> Extracted:
    """Return the text of the sections, then foot- and endnotes; running heads and comments are streams."""
    with opened(data) as package:
        if package.has("META-INF/manifest.xml") and b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise Unreadable(ProblemKind.ENCRYPTED)
        sections = sorted((int(match[1]), match[0]) for match in map(_SECTION.fullmatch, package.names) if match)
        if not sections:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_TEXT_PART)
        contents = parse_xml(package.read(_CONTENTS)) if package.has(_CONTENTS) else None
        files = {item.get("id", ""): item.get("href", "") for item in _all(contents, "item")}
        streams = _Streams()
        counted, struck = _styles(package)
        for _, name in sections:
            _walk(package, name, streams, files, counted, struck)
    return streams.extracted(MediaType.HWPX, "hwpx-walk", _properties(contents))


def _all(root: Any, name: str) -> Iterator[Any]:
    """Yield the elements of this name; none without a root."""
    yield from root.iter("{*}" + name) if root is not None else ()


def _properties(contents: Any) -> dict[str, Any]:
    """Return title, author, dates and language from the list of contents."""
    properties = {meta.get("name", ""): " ".join((meta.text or "").split()) for meta in _all(contents, "meta")}
    title, language = (next((node.text or "" for node in _all(contents, name)), "") for name in ("title", "language"))
    return {
        "title": " ".join(title.split())[:500],
        "author": properties.get("creator", "")[:500],
        "created": parse_time(properties.get("CreatedDate", "")),
        "modified": parse_time(properties.get("ModifiedDate", "")),
        "language": language_tag(language),
    }


def _styles(package: Package) -> tuple[frozenset[str], frozenset[str]]:
    """Return (the styles of paragraphs with computed numbers, those of struck characters), by their ids."""
    if not package.has("Contents/header.xml"):
        return frozenset(), frozenset()
    header = parse_xml(package.read("Contents/header.xml"))
    counted = (node.getparent().get("id", "") for node in _all(header, "heading") if node.get("type") in _COUNTED)
    # "3D" is what older versions write for characters that are not struck.
    strikes = (node for node in _all(header, "strikeout") if node.get("shape", "NONE") not in ("NONE", "3D"))
    return frozenset(counted), frozenset(node.getparent().get("id", "") for node in strikes)


def _walk(
    package: Package,
    part: str,
    streams: _Streams,
    files: Mapping[str, str],
    counted: frozenset[str],
    struck: frozenset[str],
) -> None:
    """Add the text of a section. files: the names of parts by their ids. counted, struck: as of `_styles`."""
    around: list[str] = []  # the streams around the current one
    skipping = 0
    for event, element in events(package.read(part), _TAGS):
        name = element.tag.rpartition("}")[2]
        is_start = event == "start"
        if name in _SKIPPED:
            skipping += 1 if is_start else -1
        if skipping:
            if name == "stringParam" and not is_start and element.get("name") == "Path":
                streams.other.add_text(OtherContent.LINKS, element.text or "")
        elif name in _STREAMS and is_start:
            around.append(streams.current)
            streams.current = _STREAMS[name]
        elif is_start:
            if name in ("tbl", "drawText"):
                streams.end_line()
            elif name == "p" and element.get("paraPrIDRef") in counted:
                streams.other.unknown(OtherContent.NUMBERS)
        else:
            _add(package, element, name, streams, files, struck)
            streams.current = around.pop() if name in _STREAMS else streams.current


def _add(
    package: Package, element: Any, name: str, streams: _Streams, files: Mapping[str, str], struck: frozenset[str]
) -> None:
    """Add what an element holds at its end."""
    if name == "t":
        text = _text(element, streams.other)
        streams.add(text)
        if element.getparent().get("charPrIDRef") in struck:
            streams.other.add_text(OtherContent.TRACKED_CHANGES, text)
    elif name in ("mainText", "subText"):
        streams.add(element.text or "")
    elif name in ("img", "ole"):
        kind = OtherContent.PICTURES if name == "img" else OtherContent.ATTACHMENTS
        target = files.get(element.get("binaryItemIDRef", ""), "")
        streams.other.add(kind, package.digest(target))
    elif name == "chart":
        streams.other.add(OtherContent.PICTURES, package.digest(element.get("chartIDRef", "")))
    elif name == "script":
        streams.other.add_text(OtherContent.FORMULAS, element.text or "")
    elif name in _FIELDS:
        values = (element.get(key, "") for key in ("name", "value", "selectedValue"))
        streams.other.add(OtherContent.FORM_FIELDS, name, *values, "".join(element.itertext()))
    streams.add(_ENDS.get(name, ""))


def _text(element: Any, other: OtherHashes) -> str:
    """Return the text of a run, without what tracked changes delete."""
    pieces = [element.text or ""]
    is_deleted = False
    for mark in element:
        name = str(mark.tag).rpartition("}")[2]
        is_deleted = name == "deleteBegin" or (is_deleted and name != "deleteEnd")
        if name in ("deleteBegin", "insertBegin"):
            other.unknown(OtherContent.TRACKED_CHANGES)
        elif name == "markpenBegin":
            other.unknown(OtherContent.COMMENTS)
        pieces.append("" if is_deleted else _MARKS.get(name, "") + (mark.tail or ""))
    return "".join(pieces)


# Of HWP 5, by its specification (Hancom, revision 1.3): flags of the file, kinds of records, and of controls.
_FILE: Final = b"HWP Document File"
_PACKED, _LOCKED, _CHANGED = 1, 0b1_0001_0110, 1 << 14  # locked: by password, for distribution, by certificate or DRM
_CHARACTER_STYLE, _PARAGRAPH_STYLE, _PARAGRAPH, _WORDS, _STYLES = 0x15, 0x19, 0x42, 0x43, 0x44
_CONTROL, _LIST, _FORMULA, _REMARKS = 0x47, 0x48, 0x58, 0x5D
_CONTROLS: Final = {
    b"daeh": "headers", b"toof": "footers", b"  nf": "notes", b"  ne": "notes", b"tmct": "comments", b"em%%": "comments"
}  # fmt: skip
_TABLE, _LINK, _FORM = b" lbt", b"klh%", b"mrof"
_FULL_SIZE: Final = 0xFFF
# A control among the characters: of eight units, or of one.
_CONTROL_CHARACTERS: Final = re.compile("[\x01-\x09\x0b\x0c\x0e-\x17].{0,7}|[\x00\x0d\x18-\x1f]", re.S)
_OF_CONTROLS: Final = {"\x09": "\t", "\x18": "-", "\x1e": "\u00a0", "\x1f": "\u3000"}
_WRITTEN_SECTION: Final = re.compile(r"Section(\d{1,6})")


def read_hwp(data: bytes) -> Extracted:
    """Return the text of the sections, then foot- and endnotes; running heads and comments are streams."""
    if data.startswith(_FILE):  # version 3 and older
        raise Unreadable(ProblemKind.UNSUPPORTED, details(Clause.UNREAD_KIND, kind="hangul"), final=True)
    with opened_compound(data) as store:
        header = stream_of(store, "FileHeader")
        flags = int.from_bytes(header[36:40], "little")
        if flags & _LOCKED:
            raise Unreadable(ProblemKind.ENCRYPTED)
        names = [path[1] for path in store.listdir() if len(path) == 2 and path[0] == "BodyText"]
        sections = sorted((int(match[1]), match[0]) for match in map(_WRITTEN_SECTION.fullmatch, names) if match)
        if not header.startswith(_FILE) or not sections:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_TEXT_PART)
        parts = _CompoundStreams(store, is_packed=bool(flags & _PACKED))
        streams = _Streams()
        counted, struck = _styles_of(parts.read("DocInfo"))
        for _, name in sections:
            _add_records(parts.read(f"BodyText/{name}"), streams, counted, struck)
        for path in sorted("/".join(path) for path in store.listdir() if path[0] == "BinData"):
            _add_file(path, parts, streams.other)
        if flags & _CHANGED:
            streams.other.unknown(OtherContent.TRACKED_CHANGES)
        properties = _summary(store)
    extracted = streams.extracted(MediaType.HWP, "hwp-records", properties)
    refuse_wordless(extracted.text)
    return extracted


def read_hwp_plainly(data: bytes) -> Extracted:
    """Return the beginning of the text, which such a document stores for previews."""
    with opened_compound(data) as store:
        text = stream_of(store, "PrvText").decode("utf-16-le", "replace").replace("\0", "")
    notes = details(Clause.READ_PLAINLY)
    unknown = all_unknown(MediaType.HWP)
    return Extracted(text.strip(), MediaType.HWP, PLAIN_READER, notes=notes, partial=True, other=unknown)


class _CompoundStreams:
    """The streams of a compound file, unpacked within limits."""

    def __init__(self, store: Any, *, is_packed: bool) -> None:
        self._store = store
        self._is_packed = is_packed
        self._room = MAX_PACKAGE_BYTES

    def read(self, name: str) -> bytes:
        """Return the bytes of a stream. Raises Unreadable if it is damaged or unpacks out of proportion."""
        stored = stream_of(self._store, name)
        if not self._is_packed:
            return stored
        room = min(MAX_PART_BYTES, self._room, max(FREE_BYTES, len(stored) * MAX_RATIO))
        unpacker = zlib.decompressobj(-15)
        try:
            content = unpacker.decompress(stored, room + 1)
        except zlib.error as error:
            raise Unreadable(ProblemKind.DAMAGED, Clause.PART_DAMAGED, part=name) from error
        if len(content) > room:
            raise Unreadable(ProblemKind.TOO_LARGE, Clause.PART_UNPACKS_TO, part=name[:80], megabytes=room >> 20)
        if stored and not unpacker.eof:
            raise Unreadable(ProblemKind.DAMAGED, Clause.PART_DAMAGED, part=name)
        self._room -= len(content)
        return content


def _add_file(path: str, parts: _CompoundStreams, other: OtherHashes) -> None:
    """Add a picture or an embedded object."""
    try:
        content = digest(parts.read(path))
    except Unreadable:
        content = None
    other.add(OtherContent.ATTACHMENTS if path.lower().endswith(".ole") else OtherContent.PICTURES, content)


def _records(section: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield (kind, level, content) of each record; the last one may be cut."""
    position = 0
    while position + 4 <= len(section):
        (header,) = struct.unpack_from("<I", section, position)
        kind, level, size, position = header & 0x3FF, header >> 10 & 0x3FF, header >> 20, position + 4
        if size == _FULL_SIZE and position + 4 <= len(section):
            (size,), position = struct.unpack_from("<I", section, position), position + 4
        yield kind, level, section[position : position + size]
        position += size


def _styles_of(information: bytes) -> tuple[frozenset[int], frozenset[int]]:
    """Return (the styles of paragraphs with computed numbers, those of struck characters), by their numbers."""
    paragraphs, characters = (
        [
            int.from_bytes(content[place : place + 4], "little")
            for kind, _, content in _records(information)
            if kind == of
        ]
        for of, place in ((_PARAGRAPH_STYLE, 0), (_CHARACTER_STYLE, 46))
    )
    counted = (number for number, flags in enumerate(paragraphs) if flags >> 23 & 3 in (1, 2))  # of the outline, or not
    return frozenset(counted), frozenset(number for number, flags in enumerate(characters) if flags >> 18 & 7)


def _add_records(section: bytes, streams: _Streams, counted: frozenset[int], struck: frozenset[int]) -> None:
    """Add the text of a section. counted, struck: as of `_styles_of`."""
    around: list[_Control] = []
    for kind, level, content in _records(section):
        while around and level <= around[-1].level:
            around.pop().leave(streams)
        if kind == _CONTROL:
            around.append(_Control(level, content[:4], streams))
            if content[:4] == _LINK:
                streams.other.add_text(OtherContent.LINKS, _command(content))
            elif content[:4] == _FORM:
                streams.other.unknown(OtherContent.FORM_FIELDS)
        elif kind == _LIST and around:
            around[-1].begin_list(int.from_bytes(content[10:12], "little"), streams)
        elif kind == _WORDS:
            words = _characters(content)
            streams.add(words + "\n" if words or len(content) <= 2 else "")  # a table ends its line by itself
        elif kind == _REMARKS:  # all are behind the text
            streams.current = "comments"
        else:
            _add_beside(kind, content, streams.other, counted, struck)
    while around:
        around.pop().leave(streams)
    streams.current = "body"


def _add_beside(kind: int, content: bytes, other: OtherHashes, counted: frozenset[int], struck: frozenset[int]) -> None:
    """Add what a record holds beside words. counted, struck: as of `_styles_of`."""
    if kind == _PARAGRAPH and int.from_bytes(content[8:10], "little") in counted:
        other.unknown(OtherContent.NUMBERS)
    elif kind == _STYLES:
        whole = content[: len(content) // 8 * 8]
        if not struck.isdisjoint(number for _, number in struct.iter_unpack("<II", whole)):
            other.unknown(OtherContent.TRACKED_CHANGES)
    elif kind == _FORMULA:
        length = int.from_bytes(content[4:6], "little")
        other.add_text(OtherContent.FORMULAS, content[6 : 6 + 2 * length].decode("utf-16-le", "replace"))


class _Control:
    """A control, to which the deeper records behind it belong."""

    def __init__(self, level: int, kind: bytes, streams: _Streams) -> None:
        self.level = level
        self._before = streams.current
        self._is_table = kind == _TABLE
        self._row: int | None = None  # of the cell that is read
        streams.current = _CONTROLS.get(kind, streams.current)

    def begin_list(self, row: int, streams: _Streams) -> None:
        """Begin a list of paragraphs, which is a cell of a table. row: its number."""
        if self._is_table and self._row is not None:
            streams.add(CELL_END if row == self._row else CELL_END + ROW_END)
        self._row = row

    def leave(self, streams: _Streams) -> None:
        """End the control, and go back to the text around it."""
        if self._is_table and self._row is not None:
            streams.add(CELL_END + ROW_END + "\n")
        streams.current = self._before


def _characters(content: bytes) -> str:
    """Return the characters of a paragraph without controls."""
    units = "".join(map(chr, struct.unpack_from(f"<{len(content) // 2}H", content)))
    words = _CONTROL_CHARACTERS.sub(lambda control: _OF_CONTROLS.get(control[0][0], ""), units)
    return words.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _command(control: bytes) -> str:
    """Return the address of a link: the first part of its command, in which signs are escaped."""
    length = int.from_bytes(control[9:11], "little")
    command = control[11 : 11 + 2 * length].decode("utf-16-le", "replace")
    return re.sub(r"\\(.)", r"\1", "".join(takewhile(lambda sign: sign != ";", command)))


def _summary(store: Any) -> dict[str, Any]:
    """Return title, author and dates."""
    try:
        properties = store.getproperties("\x05HwpSummaryInformation", convert_time=True)
    except (OSError, ValueError, LookupError, TypeError, struct.error):
        return {}
    title, author = (str(properties.get(number) or "").partition("\0")[0] for number in (2, 4))
    return {
        "title": " ".join(title.split())[:500],
        "author": " ".join(author.split())[:500],
        "created": utc(properties.get(12)),
        "modified": utc(properties.get(13)),
    }
