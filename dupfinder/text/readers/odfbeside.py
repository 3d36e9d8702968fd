"""Other content of OpenDocument files: pictures, remarks, changes, objects, fields, formulas, links."""

from __future__ import annotations

import posixpath
from typing import Any

from dupfinder.text.bounds import Unreadable
from dupfinder.text.document import Beside, OtherContent
from dupfinder.text.readers.package import Package, elements

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
_FIELD_NAMES = """
text textarea password formatted-text number date time combobox listbox option checkbox radio value-range file
text-input drop-down label content-control"""
_FIELDS = frozenset(_FIELD_NAMES.split())
_IN_FORMS = (":form:1.0}", "}text-input", "}drop-down", "}content-control")
_FIELD_FACT_NAMES = """
name label title value current-value current-state current-selected selected state checked description alias
tag"""
_FIELD_FACTS = frozenset(_FIELD_FACT_NAMES.split())
# Local names of the elements that `OdfBeside.start` wants.
NOTED = frozenset({*_PICTURES, *_CAPTURED, *_FIELDS, "frame", "object", "object-ole", "binary-data", "a", "table-cell"})


class OdfBeside:
    """Collects other content from the events of a parser. package: None for a document of one XML file."""

    def __init__(self) -> None:
        self.beside = Beside()
        self.package: Package | None = None
        self.capturing = 0  # depth inside the captured element, 1 at that element itself
        self._kind = OtherContent.COMMENTS
        self._pieces: list[str] = []
        self._silent = 0  # depth of the element that is left out, 0: none
        self._shows_object = False  # the current frame has an object, which is followed by its picture
        self._inner = OtherContent.PICTURES  # kind of the next binary data in a document of one XML file

    def start(self, tag: str, name: str, attributes: Any) -> None:
        """Handle the start of an element. tag: full name; name: local name."""
        if self.capturing:
            self.capturing += 1
            is_formula = self._kind is OtherContent.FORMULAS
            if (name in _LEFT_OUT or (is_formula and name == "annotation")) and not self._silent:
                self._silent = self.capturing
            if is_formula or name in _KINDS_OF_CHANGE:
                self.data(f" {name} ")
        elif name in _CAPTURED or (name == "binary-data" and self.package is None):
            self._capture(_CAPTURED.get(name, self._inner))
        elif name == "frame":
            self._shows_object = False
        elif name == "table-cell":
            self.beside.add_text(OtherContent.FORMULAS, attributes.get(_FORMULA, ""))
        elif name in _FIELDS and any(part in tag for part in _IN_FORMS):
            by_name = {key.rpartition("}")[2]: value for key, value in attributes.items()}
            self.beside.add(
                OtherContent.FORM_FIELDS,
                name,
                *(f"{key}={by_name[key]}" for key in sorted(_FIELD_FACTS & by_name.keys())),
            )
        else:
            self._add_target(name, next((value for key, value in attributes.items() if key.endswith("xlink}href")), ""))

    def _capture(self, kind: OtherContent) -> None:
        """Start to capture an element's text."""
        self.capturing, self._kind, self._pieces, self._silent = 1, kind, [], 0

    def end(self, _name: str) -> None:
        """Handle the end of an element inside the captured one."""
        if self._silent == self.capturing:
            self._silent = 0
        self.capturing -= 1
        if not self.capturing:
            self.beside.add_text(self._kind, "".join(self._pieces))

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
                self.beside.add(OtherContent.PICTURES, self.package.digest(posixpath.normpath(target)))
        elif name == "a" and target and not target.startswith("#"):
            self.beside.add(OtherContent.LINKS, target)

    def _add_object(self, package: Package, name: str) -> None:
        """Add an object: a formula, a chart, another document, or the file of another program."""
        part = posixpath.join(name, "content.xml")
        content = package.content_within(part if package.has(part) else name)
        if content is None:
            self.beside.unknown(OtherContent.ATTACHMENTS, OtherContent.PICTURES, OtherContent.FORMULAS)
        elif not package.has(part):
            self.beside.add(OtherContent.ATTACHMENTS, package.digest(name))
        else:
            self.beside.add(_kind_of(content), *_texts(content))

    def add_programs(self) -> None:
        """Add the macros of a package."""
        assert self.package is not None
        for name in sorted(self.package.names):
            if name.startswith(("Basic/", "Scripts/")) and not name.endswith(("-lc.xml", "-lb.xml", "/")):
                self.beside.add(OtherContent.ATTACHMENTS, name, self.package.digest(name))


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
