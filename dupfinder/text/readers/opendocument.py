"""Read OpenDocument texts, spreadsheets and presentations, as packages or single XML files, and their other content."""

from __future__ import annotations

import posixpath
from contextlib import suppress
from functools import lru_cache
from itertools import islice
from typing import Any

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    language_tag,
    without_labels,
)
from dupfinder.text.layout import without_heads_of_slides
from dupfinder.text.lines import CELL_END, MOST_EMPTY, ROW_END
from dupfinder.text.normalise import raised
from dupfinder.text.readers.labels import LIST_TAGS, OdfLabels
from dupfinder.text.readers.office import SYMBOL_FONTS, is_grey, with_masked_numbers, with_symbols
from dupfinder.text.readers.package import Package, attr, elements, opened, parse_time, parse_xml
from dupfinder.text.sniff import SNIFFED_BYTES

_MATHML = "{http://www.w3.org/1998/Math/MathML}"
_PICTURES = frozenset({"image", "fill-image", "background-image", "plugin"})
# Elements whose text is captured until they end, and its kind.
_CAPTURED = {
    "annotation": OtherContent.COMMENTS,
    "tracked-changes": OtherContent.TRACKED_CHANGES,
    "math": OtherContent.FORMULAS,
}
# Dates, and elements that only newer programs write.
_LEFT_OUT = frozenset({"date", "date-string", "creator-initials", "sender-initials"})
_KINDS_OF_CHANGE = frozenset({"insertion", "deletion", "format-change", "cell-content-change", "movement", "rejection"})
_FORMULA = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}formula"
_VALUE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value"
_FIELD_NAMES = """
text textarea password formatted-text number date time combobox listbox option checkbox radio value-range file
text-input drop-down label content-control"""
_FIELDS = frozenset(_FIELD_NAMES.split())
_IN_FORMS = (":form:1.0}", "}text-input", "}drop-down", "}content-control")
_FIELD_ATTRIBUTE_NAMES = """
name label title value current-value current-state current-selected selected state checked description alias
tag"""
_FIELD_ATTRIBUTES = frozenset(_FIELD_ATTRIBUTE_NAMES.split())
_MOST_REPEATED = 10_000  # of a cell or a row with content: a column that is filled to its end says no more
# Fields of forms as older Word files have them, and whether they are ticked or what is chosen.
_FIELD_MARKS, _OF_WORD = frozenset({"fieldmark", "fieldmark-start", "param"}), "ooo-ms-interop:xmlns:field:"
_LINES = frozenset({"table-row", "table-column"})
_DRAWING = ":drawing:1.0}"
# Elements of drawings, and the attributes that tell their forms (OpenDocument 1.3, 10.3 and 10.6).
_SHAPES = {
    **dict.fromkeys(("line", "connector"), ("x1", "y1", "x2", "y2")),
    **dict.fromkeys(("polygon", "polyline", "path"), ("points", "d")),
    **dict.fromkeys(("circle", "ellipse"), ("kind",)),
    "enhanced-geometry": ("type", "mirror-horizontal", "mirror-vertical"),
}
_FRAMES = frozenset({"rectangle", "ooxml-rect", "mso-spt1", "mso-spt202"})
_REPEATED = {
    **dict.fromkeys(("table-cell", "table-column"), "number-columns-repeated"),
    "table-row": "number-rows-repeated",
}
# Local names of the elements that `OdfOtherContent.start` wants.
NOTED = _PICTURES | _CAPTURED.keys() | _FIELDS | _SHAPES.keys() | _LINES | _FIELD_MARKS
NOTED |= {"frame", "object", "object-ole", "binary-data", "a", "table-cell"}


class OdfOtherContent:
    """Collects other content from the events of a parser. package: None for a document of one XML file."""

    def __init__(self) -> None:
        self.hashes = OtherHashes()
        self.package: Package | None = None
        self.capture_depth = 0  # depth inside the captured element, 1 at that element itself
        self._kind = OtherContent.COMMENTS
        self._pieces: list[str] = []
        self.numbers: list[str] = []  # of cells
        self._lines = 0  # elements of rows and columns so far
        self._silent = 0  # depth of the element that is left out, 0: none
        self._shows_object = False  # the current frame has an object, which is followed by its picture
        self._inner = OtherContent.PICTURES  # kind of the next binary data in a document of one XML file

    def start(self, tag: str, name: str, attributes: Any) -> None:
        """Handle the start of an element. tag: full name; name: local name."""
        if self.capture_depth:
            self.capture_depth += 1
            is_formula = self._kind is OtherContent.FORMULAS
            if (name in _LEFT_OUT or (is_formula and name == "annotation")) and not self._silent:
                self._silent = self.capture_depth
            if is_formula or name in _KINDS_OF_CHANGE:
                self.data(f" {name} ")
        elif name in _CAPTURED or (name == "binary-data" and self.package is None):
            self.capture_depth, self._kind, self._pieces, self._silent = 1, _CAPTURED.get(name, self._inner), [], 0
        elif name == "frame":
            self._shows_object = False
        elif name == "table-cell":
            self.hashes.add_text(OtherContent.FORMULAS, attributes.get(_FORMULA, ""))
            with suppress(ValueError):  # a number of which the format of its cell may hide digits
                self.numbers.append(f"{float(attributes.get(_VALUE, '')):.12g}")
        elif name in _LINES:
            self._lines += 1
            if (shown := attr(attributes, "visibility")) in ("collapse", "filter"):
                self.hashes.add(OtherContent.HEADERS, shown, str(self._lines), attr(attributes, _REPEATED[name]))
        elif name in _FIELDS and any(part in tag for part in _IN_FORMS):
            by_name = {key.rpartition("}")[2]: value for key, value in attributes.items()}
            self.hashes.add(
                OtherContent.FORM_FIELDS,
                name,
                *(f"{key}={by_name[key]}" for key in sorted(_FIELD_ATTRIBUTES & by_name.keys())),
            )
        elif name in _FIELD_MARKS and _OF_WORD in tag:
            names = ("type",) if name.startswith("fieldmark") else ("name", "value")
            self.hashes.add(OtherContent.FORM_FIELDS, *(attr(attributes, key) for key in names))
        else:
            self._add_target(name, attr(attributes, "href"))
            if name in _SHAPES and _DRAWING in tag:
                self.hashes.add_text(OtherContent.PICTURES, _shape(name, attributes))

    def end(self) -> None:
        """Handle the end of an element inside the captured one."""
        if self._silent == self.capture_depth:
            self._silent = 0
        self.capture_depth -= 1
        if not self.capture_depth:
            self.hashes.add_text(self._kind, "".join(self._pieces))

    def data(self, text: str) -> None:
        """Append characters inside the captured element."""
        if not self._silent:
            self._pieces.append(text)

    def _add_target(self, name: str, target: str) -> None:
        """Add what an element refers to."""
        if name in ("object", "object-ole"):
            self._shows_object = True
            self._inner = OtherContent.ATTACHMENTS
            if target and self.package is not None:
                self._add_object(self.package, posixpath.normpath(target))
        elif name in _PICTURES:
            self._inner = OtherContent.PICTURES
            is_external = "://" in target
            if target and self.package is not None and not is_external and not self._shows_object:
                self.hashes.add(OtherContent.PICTURES, self.package.digest(posixpath.normpath(target)))
        elif name == "a" and target and not target.startswith("#"):
            self.hashes.add(OtherContent.LINKS, target)

    def _add_object(self, package: Package, name: str) -> None:
        """Add an object: a formula, a chart, another document, or the file of another program."""
        part = posixpath.join(name, "content.xml")
        content = package.content_within(part if package.has(part) else name)
        if content is None:
            self.hashes.unknown(OtherContent.ATTACHMENTS, OtherContent.PICTURES, OtherContent.FORMULAS)
        elif not package.has(part):
            self.hashes.add(OtherContent.ATTACHMENTS, package.digest(name))
        else:
            self.hashes.add(_kind_of(content), *_texts(content))

    def add_programs(self) -> None:
        """Add the macros of a package."""
        assert self.package is not None
        for name in sorted(self.package.names):
            if name.startswith(("Basic/", "Scripts/")) and not name.endswith(("-lc.xml", "-lb.xml", "/")):
                self.hashes.add(OtherContent.ATTACHMENTS, name, self.package.digest(name))


def _shape(name: str, attributes: Any) -> str:
    """Return the form of a drawing; "" for a frame, and for a level or an upright line."""
    values = [attr(attributes, key) for key in _SHAPES[name]]
    is_level = name in ("line", "connector") and (values[0] == values[2] or values[1] == values[3])
    return "" if is_level or values[0] in _FRAMES else " ".join((name, *values))


def _kind_of(content: bytes) -> OtherContent:
    """Return the kind of an object: a formula by its root, a chart by its content, else another document."""
    head = content[:4096]
    if _MATHML[1:-1].encode() in head and b"document-content" not in head:
        return OtherContent.FORMULAS
    return OtherContent.PICTURES if b"<chart:chart" in content else OtherContent.ATTACHMENTS


def _texts(content: bytes) -> list[str | None]:
    """Return the elements and texts of an object, without style; [None] if it cannot be read."""
    texts: list[str | None] = []
    try:
        for element in elements(content, ("*",)):
            name = element.tag.rpartition("}")[2]
            if name != "annotation" and (element.text or element.tag.startswith(_MATHML)):
                texts.append(f"{name} {element.text or ''}")
    except Unreadable:
        return [None]
    return texts


_PARAGRAPHS = frozenset({"p", "h"})
_STYLED = _PARAGRAPHS | {"span", "table-cell", "section"}
_DROPPED_NAMES = """
tracked-changes note-citation ruby-text desc script forms chart binary-data help-message error-message"""
_DROPPED = frozenset(_DROPPED_NAMES.split())
# Authors and dates of comments, the source code of formulas, and what is read out in place of pictures.
_ABOUT = (
    "/dc/elements/1.1/}", "}creator-initials", ":loext:1.0}sender-initials", "/Math/MathML}annotation",
    ":svg-compatible:1.0}title",
)  # fmt: skip
_SIGNS = tuple(f"{_MATHML}{name}" for name in ("mi", "mn", "mo", "mtext"))
_FRACTION = f"{_MATHML}mfrac"  # its parts are apart from each other and from what follows
_BOXES = frozenset({"text-box", "custom-shape"})
_STRUCK, _RAISED, _HIDDEN, _MARKED, _READING = "struck", "raised", "hidden", "marked", "reading"
_APART = {
    _STRUCK: OtherContent.TRACKED_CHANGES,
    **dict.fromkeys((_HIDDEN, _MARKED), OtherContent.COMMENTS),
    _READING: OtherContent.HEADERS,
}
_ENDS = {"table-cell": CELL_END, "table-row": ROW_END}
_ASIDES = {
    "annotation": "comments",
    "note": "notes",
    "notes": "speaker",
    **dict.fromkeys(("header", "header-first", "header-left"), "headers"),
    **dict.fromkeys(("footer", "footer-first", "footer-left"), "footers"),
}
_ENDNOTES = "endnotes"  # which follow all footnotes
_NOWHERE = "nowhere"  # the stream of placeholder text, which is left out
_PLACEHOLDERS = frozenset({"master-page", "handout-master", "notes"})  # in master styles
_PROPERTIES = {
    "language": "language",
    "title": "title",
    "initial-creator": "author",
    "creator": "editor",
    "creation-date": "created",
    "date": "modified",
}


def _feed_parts(data: bytes, target: _Target) -> tuple[bytes, dict[str, str]]:
    """Parse a package or a single XML file. Return the part that contains the styles, and the properties.

    Raises Unreadable, also for an encrypted package.
    """
    if not data.startswith(b"PK"):
        parse_xml(data, target)
        return data, _properties(data)
    with opened(data) as package:
        if package.has("META-INF/manifest.xml") and b"encryption-data" in package.read("META-INF/manifest.xml"):
            raise Unreadable(ProblemKind.ENCRYPTED)
        target.other.package = package
        styles = package.read("styles.xml") if package.has("styles.xml") else b""
        if styles:
            parse_xml(styles, target)
        parse_xml(package.read("content.xml"), target)
        target.other.add_programs()
        meta = package.content_within("meta.xml")
        return styles, _properties(meta) if meta else {}


def _properties(content: bytes) -> dict[str, str]:
    """Return the properties of a document, by the values of _PROPERTIES; of damaged ones those before the damage."""
    properties: dict[str, str] = {}
    with suppress(Unreadable):
        for meta in islice(elements(content, ("meta",)), 1):
            for child in meta.iterchildren("{*}*"):
                if field := _PROPERTIES.get(child.tag.rpartition("}")[2]):
                    properties[field] = properties.get(field, "") + (child.text or "")
    return properties


def read_opendocument(data: bytes, kind: MediaType) -> Extracted:
    """Return the text of a document of this kind, cells row by row; speaker's notes are in streams["notes"]."""
    target = _Target()
    styles, properties = _feed_parts(data, target)
    notes = "\n".join(filter(None, (target.streams.pop(name).text().strip() for name in ("notes", _ENDNOTES))))
    body = target.streams.pop("body")
    target.streams.pop(_NOWHERE)
    text, repeated = without_heads_of_slides(body.text()) if kind is MediaType.ODP else (body.text(), "")
    text = text.strip("\n")
    target.streams["footers"].add(repeated)
    streams = {name: without_labels(stream.text()).strip() for name, stream in target.streams.items()}
    streams["notes"] = streams.pop("speaker")
    hashes = target.other.hashes
    hashes.add_text(OtherContent.NOTES, streams["notes"])
    for mark, texts in target.apart.items():
        hashes.add_text(_APART[mark], "".join(texts))
    hashes.add_text(OtherContent.HEADERS, " ".join(target.other.numbers))
    target.lists.counter.add_to(hashes)
    hashes.add_text(OtherContent.HEADERS, with_masked_numbers(f"{streams['headers']}\n{streams['footers']}", styles))
    return Extracted(
        f"{text}\n{notes}" if notes else text,
        kind,
        "odf-walk",
        streams={name: stream for name, stream in streams.items() if stream},
        title=properties.get("title", "")[:500],
        author=(properties.get("author") or properties.get("editor", ""))[:500],
        created=parse_time(properties.get("created", "")),
        modified=parse_time(properties.get("modified", "")),
        language=language_tag(properties.get("language", "") or target.language),
        notes=details(Clause.DELETIONS_LEFT_OUT) if target.deleted else (),
        partial=body.full,
        other=hashes.hashes(kind),
    )


def _formula(package: Package, name: str) -> str:
    """Return the signs of a formula in a folder of the package; "" for other objects."""
    part = posixpath.join(posixpath.normpath(name), "content.xml")
    content = package.read(part) if package.has(part) else b""
    if _MATHML[1:-1].encode() not in content[:SNIFFED_BYTES]:
        return ""
    signs: list[str] = []
    with suppress(Unreadable):
        for element in parse_xml(content).iter():
            around = (element.getparent(), element.getprevious())
            signs += [" "] if any(near is not None and near.tag == _FRACTION for near in around) else []
            signs += [element.text or ""] if element.tag in _SIGNS else []
    return "".join(signs)


class _Target:
    """A parser target that collects paragraphs; notes, comments and the like each in their own stream."""

    def __init__(self) -> None:
        names = ("body", _NOWHERE, *dict.fromkeys(_ASIDES.values()), _ENDNOTES)
        self.streams = {name: TextBuffer() for name in names}
        self.deleted = False
        self.language = ""
        self.other = OdfOtherContent()
        self._stack = [self.streams["body"]]
        self._paragraphs = 0
        self._repeats: list[tuple[int, int]] = []  # of each open cell and row: how often, and at which piece it begins
        self._dropped = 0
        self._in_masters = False
        self._has_sheets = False  # whose names people see; those of tables in a text are made by programs
        self._default_style = ""
        self._style = ""  # the last that was defined
        self._marks: dict[str, frozenset[str]] = {}  # of styles: _STRUCK and so on, a font of symbols
        self._open: list[frozenset[str]] = []  # marks of each open cell, paragraph and span
        self.apart: dict[str, list[str]] = {mark: [] for mark in _APART}  # texts that are other content too
        self._is_reading = False  # above East Asian characters
        self.lists = OdfLabels()
        self._region = ""
        self._deletions: set[str] = set()

    def start(self, tag: str, attributes: Any) -> None:
        name = tag.rpartition("}")[2]
        if name in NOTED or self.other.capture_depth:
            self.other.start(tag, name, attributes)
        if _is_dropped(tag):
            self._dropped += 1
            self._is_reading = name == "ruby-text" and self._dropped == 1
        self._track(name, attributes)
        if name == "master-styles":
            self._in_masters = True
        elif name in _ENDS:
            repeated = attr(attributes, _REPEATED[name])
            self._repeats.append((int(repeated) if repeated.isdecimal() else 1, len(self._stack[-1].pieces)))
        if name in _STYLED:
            marks = self._marks.get(attr(attributes, "style-name"), frozenset())
            self._open.append(marks.union(*self._open[-1:], {_HIDDEN} if _is_hidden(name, attributes) else ()))
        elif self._open and _is_hidden(name, attributes):
            self._open[-1] |= {_HIDDEN}
        stream = self._aside(name, attributes)
        if stream:
            self._stack.append(self.streams[stream])
        elif name in _PARAGRAPHS:
            self._paragraphs += 1
            if not self._dropped:
                self._stack[-1].add(self.lists.of_next(name, attributes))
        elif name in _BOXES and self._paragraphs:
            self._stack[-1].add("\n")
        elif self._paragraphs and not self._dropped:
            self._space(name, attributes)

    def _aside(self, name: str, attributes: Any = ()) -> str:
        """Return the name of the stream for an element's text; "" for the stream of its parent."""
        if name == "note" and attr(attributes, "note-class") == "endnote":
            return _ENDNOTES
        return _NOWHERE if self._in_masters and name in _PLACEHOLDERS else _ASIDES.get(name, "")

    def _track(self, name: str, attributes: Any) -> None:
        """Record styles and languages, and skip tracked deletions in the body, which are between two marks."""
        if name in ("default-style", "text-properties"):
            self._note_language(name, attributes)
            self._note_marks(attributes)
        elif name == "style":
            self._style = attr(attributes, "name")
            self._marks[self._style] = self._marks.get(attr(attributes, "parent-style-name"), frozenset())
        elif name == "page":  # a slide
            self.streams["body"].add("\f")
        elif name in LIST_TAGS:
            self.lists.start(name, attributes)
        elif name == "spreadsheet":
            self._has_sheets = True
        elif name == "table-properties" and attr(attributes, "display") == "false":
            self._marks[self._style] = frozenset({_HIDDEN})
        elif name == "table" and self._has_sheets:
            is_hidden = _HIDDEN in self._marks.get(attr(attributes, "style-name"), frozenset())
            self.other.hashes.add(OtherContent.HEADERS, attr(attributes, "name"), *(["hidden"] if is_hidden else []))
        elif name == "changed-region":
            self._region = attr(attributes, "id")
        elif name == "deletion":
            self.deleted = True
            self._deletions.add(self._region)
        elif name == "change-start" and attr(attributes, "change-id") in self._deletions:
            self._dropped += 1
        elif name == "change-end" and attr(attributes, "change-id") in self._deletions:
            self._dropped = max(0, self._dropped - 1)

    def _note_marks(self, attributes: Any) -> None:
        """Store whether the current style strikes words out, raises, hides or highlights them; its font of symbols."""
        marks = self._marks.get(self._style, frozenset())
        if line := attr(attributes, "text-line-through-style"):
            marks = marks - {_STRUCK} if line == "none" else marks | {_STRUCK}
        if attr(attributes, "text-position").startswith("super"):
            marks |= {_RAISED}
        if display := attr(attributes, "display"):
            marks = marks | {_HIDDEN} if display == "none" else marks - {_HIDDEN}
        if ground := attr(attributes, "background-color"):
            marks = marks - {_MARKED} if is_grey(ground) else marks | {_MARKED}
        if font := attr(attributes, "font-name").lower():  # "Wingdings1" has the same signs in other widths
            marks = marks.difference(SYMBOL_FONTS) | SYMBOL_FONTS.keys() & {font, font[:-1]}
        self._marks[self._style] = marks

    def _note_language(self, name: str, attributes: Any) -> None:
        """Store the default language of paragraphs: fo:language and fo:country."""
        if name == "default-style":
            self._default_style = attr(attributes, "family")
        elif self._default_style == "paragraph":
            self._default_style = ""
            self.language = "-".join(filter(None, (attr(attributes, "language"), attr(attributes, "country"))))

    def _space(self, name: str, attributes: Any) -> None:
        """Append the white space or the formula that an element represents."""
        if name == "s":
            self._stack[-1].add(" ")
        elif name in ("tab", "line-break"):
            self._stack[-1].add("\t" if name == "tab" else "\n")
        elif name == "object" and self.other.package is not None:
            self._stack[-1].add(_formula(self.other.package, attr(attributes, "href")))

    def end(self, tag: str) -> None:
        name = tag.rpartition("}")[2]
        if self.other.capture_depth:
            self.other.end()
        if _is_dropped(tag):
            self._dropped -= 1
            self._is_reading = False
        if name in _STYLED:
            self._open.pop()
        if name in LIST_TAGS:
            self.lists.end(name)
        elif name == "master-styles":
            self._in_masters = False
        elif self._aside(name):
            self._stack.pop()
        elif name in _PARAGRAPHS:
            self._paragraphs -= 1
            if not self._dropped:
                self._stack[-1].add("\n")
        elif name in _ENDS:
            self._end_cells(_ENDS[name], *self._repeats.pop())

    def _end_cells(self, end: str, times: int, start: int) -> None:
        """End a cell or a row that is repeated `times` times. start: the piece at which its text begins."""
        stream = self._stack[-1]
        content = "".join(stream.pieces[start:]) + end if times > 1 else end
        times = min(times, _MOST_REPEATED)
        if content.isspace():
            times = min(times, MOST_EMPTY if end == CELL_END else 1)
        if not self._dropped:
            stream.add(end)
            while times > 1 and not stream.full:
                stream.add(content)
                times -= 1

    def data(self, text: str) -> None:
        """Append characters to the current stream."""
        if self.other.capture_depth:
            self.other.data(text)
        if self._is_reading:
            self.apart[_READING].append(text)
        if self._paragraphs and not self._dropped:
            marks = self._open[-1] if self._open else frozenset[str]()
            text = with_symbols(text, lambda: "".join(marks & SYMBOL_FONTS.keys()), self.other.hashes)
            for mark in marks & _APART.keys():
                self.apart[mark].append(text)
            if _HIDDEN in marks:
                return
            stream = self._stack[-1]
            stream.add(raised(text, "".join(stream.pieces[-1:])) if _RAISED in marks else text)

    def close(self) -> None:
        """Do nothing; required by the parser."""


@lru_cache(maxsize=1024)
def _is_dropped(tag: str) -> bool:
    """Tell whether an element's text does not belong to the document."""
    return tag.rpartition("}")[2] in _DROPPED or any(part in tag for part in _ABOUT)


def _is_hidden(name: str, attributes: Any) -> bool:
    """Tell whether an element hides a section, or the paragraph around it (OpenDocument 1.3, 5.4 and 7.7.11)."""
    if name not in ("section", "hidden-paragraph"):
        return False
    met = attr(attributes, "is-hidden") == "true"
    return (met and name != "section") or attr(attributes, "display") in ("none", "condition" if met else "none")
