"""Read presentations of PowerPoint (PPTX, and PPT 97-2003 with those of WPS), and drawings of Visio (VSDX).

Slides and pages come in their order; speaker's notes and comments are streams.

In PPT, the stream "PowerPoint Document" consists of records ([MS-PPT] 2.1.2). It grows with each save; directories of
persistent objects say which version of a slide is the current one. A text is in the slide itself, or among the outlines
of all slides in the document's record.
"""

from __future__ import annotations

import posixpath
import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import Extracted, MediaType, OtherContent, OtherHashes, TextBuffer, Unreadable
from dupfinder.text.layout import without_heads_of_slides
from dupfinder.text.lines import CELL_END, ROW_END
from dupfinder.text.normalise import raised
from dupfinder.text.readers.compound import compound_properties, opened_compound, refuse_wordless, stream_of
from dupfinder.text.readers.office import FRACTION_PARTS, SLIDE_TAGS, OfficePart, add_programs
from dupfinder.text.readers.package import Package, core_properties, elements, events, opened, parse_xml, relationships

_MAIN = "ppt/presentation.xml"
_ENDS_OF = {
    **dict.fromkeys(("p", "br", "text"), "\n"),
    **dict.fromkeys(FRACTION_PARTS, " "),
    "tc": CELL_END,
    "tr": ROW_END,
}
_TAGS = tuple("{*}" + name for name in (*_ENDS_OF, "t", "tab", "sp", "cNvPr", "ph", *SLIDE_TAGS))
_AUTHORS = ("ppt/commentAuthors.xml", "ppt/authors.xml")  # of older and of threaded comments
_HIDDEN = re.compile(rb'<(?:\w{1,20}:)?sld\s[^<>]{0,2000}?\bshow="(?:0|false)"')
_ABOVE = "123456789"  # first characters of "baseline" for a raised run; a lowered one begins with "-"
_PLACEHOLDERS = {"hdr": "headers", "ftr": "footers", "dt": "footers", "sldNum": "footers"}  # ISO 29500-1 19.7.10


def read_pptx(data: bytes) -> Extracted:
    """Return the text of the slides in the order of the presentation."""
    with opened(data) as package:
        slides = _slides(package)
        body, notes, comments = TextBuffer(), TextBuffer(), TextBuffer()
        heads = {"headers": TextBuffer(), "footers": TextBuffer()}
        other = OtherHashes()
        names = _authors(package)
        stream_of = {"diagramData": body, "notesSlide": notes, "comments": comments}  # by kind of relationship
        for number, slide in enumerate(slides):
            body.add("\f")
            _walk_slide(package, slide, body, heads, other)
            if _HIDDEN.search(package.read(slide)):
                other.add(OtherContent.HEADERS, str(number))
            for kind, _, target in relationships(package, slide):
                if kind in stream_of and package.has(target):
                    _walk_slide(package, target, stream_of[kind], heads, other)
                if kind == "comments" and package.has(target):
                    _add_comments(package.read(target), names, other)
        add_programs(package, _MAIN, other)
        other.add_text(OtherContent.NOTES, notes.text())
        text, repeated = without_heads_of_slides(body.text())
        heads["footers"].add(repeated)
        other.add_text(OtherContent.HEADERS, "\n".join(stream.text() for stream in heads.values()))
        properties = core_properties(package)
    streams = {name: stream.text().strip() for name, stream in {"notes": notes, "comments": comments, **heads}.items()}
    return Extracted(
        text.strip("\n"),
        MediaType.PPTX,
        "pptx-walk",
        streams={name: text for name, text in streams.items() if text},
        pages=len(slides),
        partial=body.full,
        other=other.hashes(MediaType.PPTX),
        **properties,
    )


def _slides(package: Package) -> list[str]:
    """Return the part names of the slides, in the order of the presentation. Raises Unreadable if there is no list."""
    if not package.has(_MAIN):
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)
    targets = {identity: target for _, identity, target in relationships(package, _MAIN)}
    listed = [
        targets.get(value, "")
        for element in parse_xml(package.read(_MAIN)).iter("{*}sldId")
        for name, value in element.attrib.items()
        if str(name).endswith("}id")
    ]
    existing = [name for name in listed if package.has(name)]
    return existing or sorted(name for name in package.names if posixpath.dirname(name) == "ppt/slides")


def _authors(package: Package) -> dict[str, str]:
    """Return the authors of comments, by number."""
    try:
        parts = [parse_xml(package.read(name)) for name in _AUTHORS if package.has(name)]
    except Unreadable:
        return {}
    return {author.get("id", ""): author.get("name", "") for part in parts for author in part}


def _add_comments(content: bytes, names: dict[str, str], other: OtherHashes) -> None:
    """Add the comments on a slide with their authors."""
    for remark in elements(content, ("cm", "reply")):
        texts = (text.text or "" for text in remark.iter("{*}text", "{*}t"))
        other.add(OtherContent.COMMENTS, names.get(remark.get("authorId", ""), ""), "".join(texts))


def _walk_slide(
    package: Package, part: str, collected: TextBuffer, heads: dict[str, TextBuffer], other: OtherHashes
) -> None:
    """Add the paragraphs of one slide; those in placeholders of running heads to `heads`."""
    content, office = package.read(part), OfficePart(package, part, other)
    skipping = 0
    stream, unseen, struck = collected, TextBuffer(), list[str]()
    for event, element in events(content, _TAGS):
        name = element.tag.rpartition("}")[2]
        if name in SLIDE_TAGS:
            office.meet(event, name, element)
        if name == "Fallback":
            skipping += 1 if event == "start" else -1
        elif name == "sp":
            stream = collected
        elif name == "cNvPr":  # before the kind of a placeholder
            stream = unseen if element.get("hidden", "0") not in ("0", "false") else collected
        elif name == "ph" and stream is not unseen:
            stream = heads.get(_PLACEHOLDERS.get(element.get("type", ""), ""), collected)
        elif event == "end" and not skipping:
            text = element.text or "" if name in ("t", "text") else "\t" if name == "tab" else ""
            style = _style_of(element) if name == "t" else {}
            if style.get("strike", "noStrike") != "noStrike":
                struck.append(text)
            if style.get("baseline", "0")[0] in _ABOVE:
                text = raised(text, "".join(stream.pieces[-1:]))
            stream.add(text + _ENDS_OF.get(name, ""))
    other.add_text(OtherContent.TRACKED_CHANGES, "".join(struck))
    other.add_text(OtherContent.COMMENTS, unseen.text())


def _style_of(text: Any) -> Mapping[str, str]:
    style = text.getparent().find("{*}rPr")
    return dict(style.attrib) if style is not None else {}


_STREAM: Final = "PowerPoint Document"
_BESIDE_95: Final = "PP97_DUALSTORAGE/"  # where this is in a file that PowerPoint 95 can read too
_ENCRYPTED: Final = 0xF3D1C4DF  # token of the "Current User" stream ([MS-PPT] 2.3.2)
_HEADER: Final = struct.Struct("<HHI")  # version and instance, type, length ([MS-PPT] 2.3.1)
_CONTAINER: Final = 0xF  # version of records that consist of records
_DEEPEST: Final = 32  # levels of records in records; groups of groups of shapes reach some 20
# Types of records ([MS-PPT] 2.13.24, [MS-ODRAW] 2.2).
_EDIT, _DIRECTORY, _DOCUMENT, _LIST, _IN_LIST = 0x0FF5, 0x1772, 0x03E8, 0x0FF0, 0x03F3
_SHAPE, _TEXT_BOX, _CLIENT, _PLACEHOLDER, _PROPERTIES = 0xF004, 0xF00D, 0xF011, 0x0BC3, 0xF00B
_HEADING, _WIDE, _NARROW, _OUTLINE, _STRING = 0x0F9F, 0x0FA0, 0x0FA8, 0x0F9E, 0x0FBA
_RUNNING_HEADS, _LINK, _REMARK, _MACROS, _BINARY_TAG = 0x0FD9, 0x0FD7, 0x2EE0, 0x0400, 0x138B
_OBJECTS: Final = frozenset({0x0FCC, 0x0FCE, 0x0FEE})  # embedded, linked, controls
_MEDIA: Final = range(0x1004, 0x1010)
_SOUND: Final = 0x07E7  # stored in the document, for effects
_FIELDS: Final = frozenset({0x0FD8, 0x0FF7, 0x0FF8, 0x0FF9, 0x0FFA, 0x1015})  # a number, date or foot in place of "*"
_SLIDES, _NOTES = 0, 2  # instances of lists
_OF_ADDRESS: Final = (1, 3)  # instances of strings of a link: its target, a place in it ([MS-PPT] 2.10.16)
_OF_HEADS: Final = frozenset({7, 8, 9, 10})  # placeholders of dates, numbers, feet and heads ([MS-PPT] 2.13.23)
_WORD_ART: Final = 0x00C0  # property: the text of a shape that is drawn from letters ([MS-ODRAW] 2.3.22.1)
_ENDS: Final = {0x0B: "\n", 0x0D: "\n"}


@dataclass(frozen=True, slots=True)
class _Record:
    """One record. content: without its header. inner: it consists of records."""

    kind: int
    instance: int
    content: memoryview
    inner: bool

    def records(self) -> Iterator[_Record]:
        """Yield the records of this one; one that is cut off ends where its parent does."""
        return _records(self.content) if self.inner else iter(())

    def all_records(self, depth: int = _DEEPEST) -> Iterator[_Record]:
        """Yield the records in this one, each followed by those in it."""
        for record in self.records():
            yield record
            if depth and record.inner:
                yield from record.all_records(depth - 1)

    def number(self, position: int = 0) -> int:
        """Return four bytes as a number. Raises struct.error."""
        return int(struct.unpack_from("<I", self.content, position)[0])

    def text(self) -> str:
        """Return the text of a record of characters."""
        encoding = "cp1252" if self.kind == _NARROW else "utf-16-le"
        return bytes(self.content).decode(encoding, "replace").translate(_ENDS)


def read_ppt(data: bytes) -> Extracted:
    """Return the text of the slides in their order; speaker's notes and running heads are streams."""
    with opened_compound(data) as store:
        within = _BESIDE_95 if store.exists(_BESIDE_95 + _STREAM) else ""
        if not store.exists(within + _STREAM):
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)
        try:
            presentation = _Presentation(stream_of(store, within + _STREAM), stream_of(store, f"{within}Current User"))
            return _extracted(presentation, stream_of(store, f"{within}Pictures"), compound_properties(store))
        except struct.error as error:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION) from error


def _extracted(presentation: _Presentation, pictures: bytes, properties: Mapping[str, Any]) -> Extracted:
    """Return the text of a presentation."""
    body, notes, heads, other = TextBuffer(), TextBuffer(), TextBuffer(), OtherHashes()
    slides = presentation.listed(_SLIDES)
    for slide, outline in slides:
        body.add("\f")
        _walk(slide, outline, body, heads, other)
    for page, outline in presentation.listed(_NOTES):
        _walk(page, outline, notes, heads, other)
    refuse_wordless(body.text())
    _add_of_document(presentation.document, heads, other)
    text, repeated = without_heads_of_slides(body.text())
    heads.add(repeated)
    if pictures:
        other.add(OtherContent.PICTURES, pictures)
    other.add_text(OtherContent.NOTES, notes.text())
    if _NOTES in presentation.cut:
        other.unknown(OtherContent.NOTES)
    other.add_text(OtherContent.HEADERS, heads.text())
    streams = {"notes": notes.text().strip(), "footers": heads.text().strip()}
    return Extracted(
        text.strip("\n"),
        MediaType.PPT,
        "ppt-records",
        streams={name: text for name, text in streams.items() if text},
        pages=len(slides),
        partial=body.full or _SLIDES in presentation.cut,
        other=other.hashes(MediaType.PPT),
        **properties,
    )


class _Presentation:
    """The current version of all objects of a presentation.

    document: its main record. cut: the lists of which slides or pages of notes are missing.
    """

    def __init__(self, main: bytes, user: bytes) -> None:
        """Find the objects. Raises Unreadable, struct.error."""
        self._main = memoryview(main)
        self._room = 2 * len(main)  # bytes of objects; they do not overlap, and the newest save is looked at twice
        self.cut: set[int] = set()
        token, newest = struct.unpack_from("<II", user, _HEADER.size + 4)
        if token == _ENCRYPTED:
            raise Unreadable(ProblemKind.ENCRYPTED)
        self._places: dict[int, int] = {}
        self.document = self._at(self._followed(newest))
        if self.document.kind != _DOCUMENT:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)

    def _followed(self, edit: int) -> int:
        """Learn where all objects are from the newest save to the first; return the offset of the document.

        Raises struct.error.
        """
        newest = self._at(edit)
        followed: set[int] = set()
        while edit and edit not in followed:
            followed.add(edit)
            save = self._at(edit)
            if save.kind != _EDIT:
                break
            self._learn(self._at(save.number(12)))
            edit = save.number(8)
        return self._places.get(newest.number(16), -1)

    def _learn(self, directory: _Record) -> None:
        """Add the offsets of a directory, unless a later save moved the object ([MS-PPT] 2.3.5). Raises Unreadable."""
        if directory.kind != _DIRECTORY:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)
        numbers = directory.content[: len(directory.content) // 4 * 4].cast("I")
        position = 0
        while position < len(numbers):
            first, count = numbers[position] & 0xFFFFF, numbers[position] >> 20
            for identity, offset in enumerate(numbers[position + 1 : position + 1 + count], first):
                self._places.setdefault(identity, offset)
            position += 1 + count

    def _at(self, offset: int) -> _Record:
        """Return the record at an offset of the stream. Raises Unreadable, also if records overlap endlessly."""
        record = next(_records(self._main[offset:], most=1), None) if offset >= 0 else None
        self._room -= _HEADER.size + len(record.content) if record else 0
        if record is None or self._room < 0:
            raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)
        return record

    def listed(self, instance: int) -> list[tuple[_Record, list[str]]]:
        """Return the slides or pages of notes of a list, in its order, each once and with the texts of its outline."""
        listed: dict[int, tuple[_Record, list[str]]] = {}
        for entries in self.document.records():
            if entries.kind != _LIST or entries.instance != instance:
                continue
            outline: list[str] = []
            for entry in entries.records():
                if entry.kind == _IN_LIST:
                    outline = []
                    identity = entry.number()
                    if identity not in self._places:
                        self.cut.add(instance)
                    elif identity not in listed:
                        listed[identity] = self._at(self._places[identity]), outline
                elif entry.kind == _HEADING:
                    outline.append("")
                elif entry.kind in (_WIDE, _NARROW) and outline:
                    outline[-1] = entry.text()
        return list(listed.values())


def _records(content: memoryview, most: int = -1) -> Iterator[_Record]:
    """Yield the records that some bytes consist of. most: how many at most, -1 for all."""
    position = 0
    while position + _HEADER.size <= len(content) and most:
        version, kind, length = _HEADER.unpack_from(content, position)
        position += _HEADER.size
        inner = version & 0xF == _CONTAINER or kind == _BINARY_TAG
        yield _Record(kind, version >> 4, content[position : position + length], inner)
        position += length
        most -= 1


def _walk(slide: _Record, outline: list[str], text: TextBuffer, heads: TextBuffer, other: OtherHashes) -> None:
    """Add the texts of the shapes of a slide or of its notes, those of running heads to `heads`; add its remarks."""
    for record in slide.all_records():
        if record.kind == _SHAPE:
            into = heads if _is_of_heads(record) else text
            for part in record.records():
                if part.kind == _TEXT_BOX:
                    into.add(_text_of(part, outline) + "\n")
                elif part.kind == _PROPERTIES:
                    into.add(_word_art(part))
        elif record.kind == _REMARK:
            other.add(OtherContent.COMMENTS, *(part.text() for part in record.records() if part.kind == _STRING))
        elif record.kind == _RUNNING_HEADS:
            _add_strings(record, heads)


def _is_of_heads(shape: _Record) -> bool:
    """Tell whether a shape is a placeholder of a running head."""
    parts = (part for client in shape.records() if client.kind == _CLIENT for part in client.records())
    kinds = (part.content[4:5] for part in parts if part.kind == _PLACEHOLDER)
    return any(kind and kind[0] in _OF_HEADS for kind in kinds)


def _text_of(box: _Record, outline: list[str]) -> str:
    """Return the text of a shape's box, or take from the outline the one to which it refers; fields are left out."""
    text, fields = "", set[int]()
    for part in box.records():
        if part.kind in (_WIDE, _NARROW):
            text = part.text()
        elif part.kind == _OUTLINE and part.number() < len(outline):
            text, outline[part.number()] = outline[part.number()], ""
        elif part.kind in _FIELDS:
            fields.add(part.number())
    return "".join(character for position, character in enumerate(text) if position not in fields)


def _word_art(properties: _Record) -> str:
    """Return the text of a shape that is drawn from letters, as a line; "" for other shapes ([MS-ODRAW] 2.3.1)."""
    position = 6 * properties.instance
    for number, value in struct.iter_unpack(
        "<HI", properties.content[: min(position, len(properties.content) // 6 * 6)]
    ):
        if number & 0x3FFF == _WORD_ART and number & 0x8000:
            content = bytes(properties.content[position : position + value])
            return content.decode("utf-16-le", "replace").rstrip("\0").translate(_ENDS) + "\n"
        position += value if number & 0x8000 else 0
    return ""


def _add_of_document(document: _Record, heads: TextBuffer, other: OtherHashes) -> None:
    """Add running heads, links, objects, sounds and macros, which the document lists for all slides."""
    for record in document.all_records():
        if record.kind == _RUNNING_HEADS:
            _add_strings(record, heads)
        elif record.kind == _LINK:
            strings = {part.instance: part.text() for part in record.records() if part.kind == _STRING}
            other.add(OtherContent.LINKS, *(strings[part] for part in _OF_ADDRESS if part in strings))
        elif record.kind in _OBJECTS or (record.kind == _MACROS and record.number(4)):
            other.unknown(OtherContent.ATTACHMENTS, OtherContent.FORMULAS)
        elif record.kind == _SOUND:
            other.add(OtherContent.PICTURES, bytes(record.content))
        elif record.kind in _MEDIA:
            other.unknown(OtherContent.PICTURES)


def _add_strings(record: _Record, collected: TextBuffer) -> None:
    """Add the texts of a record, a line each."""
    for part in record.records():
        if part.kind == _STRING:
            collected.add(part.text() + "\n")


_DRAWING: Final = "visio/document.xml"


def read_vsdx(data: bytes) -> Extracted:
    """Return the text of the shapes, page by page, those of backgrounds among the pages.

    How shapes stand and are connected counts as a picture.
    """
    with opened(data) as package:
        body, comments, other = TextBuffer(), TextBuffer(), OtherHashes()
        targets = [target for _, target in _related(package, _DRAWING, "pages")]
        pages = [part for target in targets for part in _pages(package, target)]
        for page in pages:
            _add_page(package, page, body, other)
        for _, target in _related(package, _DRAWING, "comments"):
            for remark in elements(package.read(target), ("CommentEntry",)):
                comments.add("".join(remark.itertext()) + "\n")
        other.add_text(OtherContent.COMMENTS, comments.text())
        add_programs(package, _DRAWING, other)
        properties = core_properties(package)
    return Extracted(
        body.text().strip("\n"),
        MediaType.VSDX,
        "vsdx-walk",
        streams={"comments": comments.text().strip()} if comments.length else {},
        pages=len(pages),
        partial=body.full,
        other=other.hashes(MediaType.VSDX),
        **properties,
    )


def _related(package: Package, part: str, kind: str) -> Iterator[tuple[str, str]]:
    """Yield (id, part name) of the existing parts to which a part has relationships of a kind."""
    for of_kind, identity, target in relationships(package, part):
        if of_kind == kind and package.has(target):
            yield identity, target


def _pages(package: Package, listed: str) -> Iterator[str]:
    """Yield the part names of the pages in their order. listed: the part that lists them."""
    targets = dict(_related(package, listed, "page"))
    for page in elements(package.read(listed), ("Rel",)):
        identity = next((value for name, value in page.attrib.items() if str(name).endswith("}id")), "")
        if identity in targets:
            yield targets[identity]


def _add_page(package: Package, page: str, body: TextBuffer, other: OtherHashes) -> None:
    """Add the texts and links of the shapes of a page, and what it shows beside them."""
    content = package.read(page)
    for element in elements(content, ("Text", "Cell")):
        if element.tag.endswith("}Text"):
            body.add("".join(element.itertext()).strip("\n") + "\n")
        elif element.get("N") == "Address" and element.get("V"):
            other.add(OtherContent.LINKS, element.get("V"))
    other.add(OtherContent.PICTURES, content)
    for _, target in _related(package, page, "image"):
        other.add(OtherContent.PICTURES, package.digest(target))
