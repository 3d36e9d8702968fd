"""Other content of Office packages: pictures, objects, links, formulas, fields, changes.

Also the text of a field without a stored result, which is derived from its code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any, Final

from dupfinder.text.document import OtherContent, OtherHashes, Unreadable
from dupfinder.text.readers.package import Package, all_relationships, attr, elements, events, relationships

# Elements that refer to relationships (ISO 29500-1), and the kind of content of each relationship.
_USER_NAMES = """
blip imagedata chart relIds OLEObject oleObj oleObject control hyperlink hlinkClick videoFile audioFile wavAudioFile
media"""
_USERS = frozenset(_USER_NAMES.split())
_LEADS_TO = {
    **dict.fromkeys(("image", "chart", "chartEx", "audio", "video", "media"), OtherContent.PICTURES),
    "diagramData": OtherContent.PICTURES,
    **dict.fromkeys(("oleObject", "package", "vbaProject"), OtherContent.ATTACHMENTS),
    "control": OtherContent.FORM_FIELDS,
    "hyperlink": OtherContent.LINKS,
}
_DRAWN_BY_PROGRAMS = frozenset({"chart", "chartEx", "diagramData"})  # stored as XML, which may differ after each save
_CHANGES = frozenset({"ins", "del", "moveFrom", "moveTo"})
_CHANGED_TEXTS = frozenset({"t", "delText"})
_FIELDS = frozenset({"ffData", "sdtPr"})
_SDT_FIELDS = frozenset({"text", "checkbox", "dropDownList", "comboBox", "date", "picture"})
_FIELD_ATTRIBUTE_NAMES = """
name default checked result tag alias lastValue fullDate listEntry listItem text checkbox checkBox dropDownList comboBox
date ddList picture"""
_FIELD_ATTRIBUTES = frozenset(_FIELD_ATTRIBUTE_NAMES.split())
# Parts of a fraction (ISO 29500-1, 22.1.2.36) behind which its next part or what follows it is, apart from them.
FRACTION_PARTS: Final = ("fPr", "num", "den")
_FORMULA_SIGNS = frozenset({"chr", "begChr", "endChr", "sepChr", "type"})  # of sums, brackets, fractions
SHAPES = frozenset({"prstGeom", "custGeom"})  # ISO 29500-1, 20.1.9: of a known form, or drawn point by point
_LINES = frozenset({"line", "straightConnector1"})
_LINK = re.compile(r"""\bHYPERLINK\s+(?:"([^"]*)"|(\S+))""")
_COUNTS_PAGES = re.compile(rb"\b(?:NUM)?PAGES?\b|text:page-")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b", re.I)
# Runs that are struck out or highlighted by hand mean something else than the same words without it: a clause that no
# longer holds, the right answer to a question. Hidden ones ("vanish") are a remark to who edits the document.
_MARKED_AS = {
    **dict.fromkeys(("strike", "dstrike"), OtherContent.TRACKED_CHANGES),
    **dict.fromkeys(("highlight", "shd", "vanish"), OtherContent.COMMENTS),
}
_STYLES = "word/styles.xml"
_OFF = (["0"], ["false"], ["off"], ["none"])  # the values of a mark that is switched off
_GREY = re.compile(r"(?!000000)(\w\w)\1\1|auto|transparent|")  # black hides words
# Local names of the elements that `OfficePart.meet` wants, at their start and end.
_OTHER_TAGS = frozenset({"delText", "oMath", "instrText", "fldSimple", "textpath", "Fallback", "rStyle"})
WORD_TAGS = _USERS | _CHANGES | _MARKED_AS.keys() | _FIELDS | SHAPES | _OTHER_TAGS
WORD_STARTS = _USERS | _CHANGES | {"fldSimple", "textpath", "Fallback"}  # those that it wants at their start
SLIDE_TAGS = _USERS | SHAPES | {"oMath", "Fallback"}

# EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(reading),word): a word with its reading above it, ISO 29500-1
# 17.16.5.21. Longer codes are formulas, and so are others: EQ \f(1,2).
LONGEST_CODE = 500
_OVERSTRIKE = re.compile(r"\s*EQ\s(?:.*?\\\*[^\\()]*)?\\o(?:\\a[a-z])?\s*\((.*)\)\s*", re.I | re.S)
_EQUATION = re.compile(r"\s*EQ\s", re.I)
_FRACTION = re.compile(r"\\f\s*\(([^()\\,;]*)[,;]([^()\\,;]*)\)", re.I)
# The invisible parts of a formula: switches with their values, and separators.
_SWITCH = re.compile(r"\\\*\s*(?:\"[^\"]*\"|\S+)|\\[a-z]++(?:\s*\d++(?=\s*[(\\]))?|\\.|[(),;]", re.I | re.S)
# SYMBOL 254 \f "Wingdings" \s 12, ISO 29500-1 17.16.5.61
_SYMBOL_CODE = re.compile(r"\s*SYMBOL\s+(\d{1,3})\s[^\"]*?\\f\s+\"?([\w ]{1,40})", re.I)
_SWITCHED = re.compile(r"\A\s*+(?>(?:\\[a-z]++\s*+\d*+\s*+)+)\(", re.I)


# What the fonts of symbols show for the bytes from 0x20 on, without what is only a picture (Unicode has it since 7.0).
_SYMBOL_SIGNS: Final = (
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼ "
    f"{32 * ' '}€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ ⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)
_WINGDINGS_SIGNS: Final = (
    " ✏✂✁    ☎✆✉           ⌛⌨      ✇✍ ✌   ☜☞☝☟✋☺ ☹ ☠⚐ ✈☼ ❄ ✞ ✠✡☪☯ॐ☸♈♉♊♋♌♍♎♏♐♑♒♓&&●❍■"
    f"☐☐❑❒⬧⧫◆❖⬥⌧⍓⌘❀✿❝❞ ⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿{8 * ' '}·•▪○◯ ◉◎ ▪☐ ✦★✶✴✹✵ ⌖⟡⌑ ✪✰{30 * ' '}⌫⌦ ➢   ➲  "
    "←→↑↓↖↗↙↘←→↑↓↖↗↙↘⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂▭▫✗✓☒☑"
)
SYMBOL_FONTS: Final[Mapping[str, str]] = {
    "symbol": _SYMBOL_SIGNS,
    "wingdings": _WINGDINGS_SIGNS,
    "wingdings 2": f"{47 * ' '}✗✓☒☑☒☒{78 * ' '}☐",
}
# The code pages of Windows by the numbers that tables of fonts give them (RTF 1.9.1, \fcharset).
CODE_PAGES: Final[Mapping[int, str]] = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
SYMBOL = re.compile("[\uf021-\uf0ff]")  # where Office and OpenDocument have the bytes of such fonts


class OfficePart:
    """Collects other content of one part of a package from the elements that `meet` receives."""

    def __init__(self, package: Package, name: str, other: OtherHashes) -> None:
        self._package = package
        self._name = name
        self._other = other
        self._targets: dict[str, tuple[str, str, bool]] | None = None
        self._changes: list[tuple[str, str]] = []
        self._change: tuple[str, str] | None = None
        self._changed: list[str] = []
        self._marked_run: Any = None  # the last one that is marked, until its paragraph ends
        self._kinds: set[OtherContent] = set()  # of its marks
        self._marked: dict[OtherContent, list[str]] = {}
        self._hidden_run: Any = None
        self._fallback_depth = 0  # of what is stored once more, for older programs

    @property
    def changing(self) -> bool:
        """Whether the walk is inside a tracked change or behind a marked run, so that `meet` wants all elements."""
        return bool(self._changes) or self._marked_run is not None

    @property
    def is_in_fallback(self) -> bool:
        """Whether the walk is inside what is stored once more, for older programs."""
        return self._fallback_depth > 0

    def meet(self, event: str, name: str, element: Any) -> None:
        """Handle the start or the end of an element."""
        if name == "Fallback":
            self._fallback_depth += 1 if event == "start" else -1
        elif not self._fallback_depth:
            (self._start if event == "start" else self._end)(name, element)

    def _start(self, name: str, element: Any) -> None:
        if name in _USERS:
            for key, value in element.attrib.items():
                if "/relationships}" in key:
                    self.use(value)
        elif name in _CHANGES:
            self._changes.append((name, attr(element.attrib, "author")))
            self._put_changed("")
        elif name == "textpath":  # words that are drawn, as those across a draft
            self._other.add_text(OtherContent.PICTURES, element.get("string", ""))
        elif name == "fldSimple":
            add_link(attr(element.attrib, "instr"), self._other)

    def _end(self, name: str, element: Any) -> None:
        if name in _CHANGES:
            self._changes.pop()
        elif name in _CHANGED_TEXTS:
            self._add_text(element)
        elif name in _MARKED_AS:
            self._mark(element.getparent().getparent(), element)
        elif name == "rStyle":
            for mark in self._marks.get("".join(element.attrib.values()), ()):
                self._mark(element.getparent().getparent(), mark)
        elif name == "p":
            self._marked_run = None
        elif name == "oMath":
            self._other.add(OtherContent.FORMULAS, *_formula(element))
        elif name in _FIELDS:
            values = list(_field(element))
            if name == "ffData" or any(value in _SDT_FIELDS for value in values):
                self._other.add(OtherContent.FORM_FIELDS, *values)
        elif name == "instrText":
            add_link(element.text or "", self._other)
        elif name in SHAPES:
            self._other.add_text(OtherContent.PICTURES, " ".join(_shape(element)))

    def close(self) -> None:
        """Add the last tracked change and the marked text at the end of the part."""
        self._end_change()
        for kind, texts in self._marked.items():
            self._other.add(kind, "".join(texts))

    def _end_change(self) -> None:
        """Add the last tracked change."""
        if self._change is not None:
            self._other.add(OtherContent.TRACKED_CHANGES, *self._change, "".join(self._changed))

    def _add_text(self, element: Any) -> None:
        """Add text that may be changed or marked."""
        if self._changes:
            self._put_changed(element.text or "")
        if self._marked_run is not None and element.getparent() is self._marked_run:
            for kind in self._kinds:
                self._marked.setdefault(kind, []).append(element.text or "")

    @cached_property
    def _marks(self) -> dict[str, list[Any]]:
        """Return the properties of character styles that mark words, by style."""
        marks = self._package.once(_marks_of_styles)
        if marks is None:
            self._other.unknown(*_MARKED_AS.values())
        return marks or {}

    def _mark(self, run: Any, element: Any) -> None:
        """Add a kind of mark to those of a run. element: the property that says so."""
        if element.attrib.values() in _OFF:
            return
        is_shade = element.tag.endswith("}shd")
        if is_shade and (is_grey(attr(element.attrib, "fill")) or not element.getparent().tag.endswith("}rPr")):
            return
        if run is not self._marked_run:
            self._marked_run, self._kinds = run, set()
        self._kinds.add(_MARKED_AS[element.tag.rpartition("}")[2]])
        if element.tag.endswith("}vanish"):
            self._hidden_run = run

    def hides(self, element: Any) -> bool:
        """Tell whether an element is in a hidden run, which is neither shown nor printed."""
        return self._hidden_run is not None and element.getparent() is self._hidden_run

    @cached_property
    def _hiding_styles(self) -> frozenset[str]:
        """Return the styles that hide paragraphs."""
        return self._package.once(_styles_that_hide)

    def shown_of(self, paragraph: Any, pieces: list[str]) -> list[str]:
        """Return the pieces of a paragraph that are shown: only its end, if its style hides it. Adds what is hidden."""
        style = paragraph.find("{*}pPr/{*}pStyle") if self._hiding_styles else None
        if style is None or attr(style.attrib, "val") not in self._hiding_styles:
            return pieces
        self._other.add_text(OtherContent.COMMENTS, "".join(pieces))
        return ["\n"]

    def use(self, identity: str) -> None:
        """Add the content that a relationship leads to, if it is of a known kind."""
        if self._targets is None:
            self._targets = self._relationships()
        kind, target, is_external = self._targets.get(identity, ("", "", False))
        leads_to = _LEADS_TO.get(kind)
        if leads_to is None or is_external != (leads_to is OtherContent.LINKS):
            return
        if is_external:
            self._other.add(leads_to, target)
        elif kind in _DRAWN_BY_PROGRAMS:
            self._other.add(leads_to, *drawn(self._package, target))
        else:
            self._other.add(leads_to, self._package.digest(target))
            if leads_to is OtherContent.FORM_FIELDS:
                self._add_values(target)

    def _add_values(self, name: str) -> None:
        """Add what a control of a form holds: its part names another one."""
        try:
            for _, _, target in relationships(self._package, name):
                self._other.add(OtherContent.FORM_FIELDS, self._package.digest(target))
        except Unreadable:
            self._other.unknown(OtherContent.FORM_FIELDS)

    def _relationships(self) -> dict[str, tuple[str, str, bool]]:
        """Return (kind, target, whether it is external) by id. A damaged part makes all these kinds unknown."""
        try:
            rows = list(all_relationships(self._package, self._name))
        except Unreadable:
            self._other.unknown(*_LEADS_TO.values())
            return {}
        return {key: (kind, target, is_external) for kind, key, target, is_external in rows}

    def _put_changed(self, text: str) -> None:
        """Append text of a tracked change."""
        # Consecutive changes by one person count as one, because programs split and join them.
        if self._changes[-1] != self._change:
            self._end_change()
            self._change, self._changed = self._changes[-1], []
        self._changed.append(text)


def _marks_of_styles(package: Package) -> dict[str, list[Any]] | None:
    """Return the properties of character styles that mark words, by style; a shade is mere decoration there.

    None if the styles are damaged.
    """
    marks: dict[str, list[Any]] = {}
    try:
        for style in elements(package.content_within(_STYLES) or b"<none/>", ("style",)):
            properties = style.iterfind("{*}rPr/*") if "character" in style.attrib.values() else ()
            marks[attr(style.attrib, "styleId")] = [
                mark for mark in properties if mark.tag.rpartition("}")[2] in _MARKED_AS.keys() - {"shd"}
            ]
    except Unreadable:
        return None
    return marks


def _styles_that_hide(package: Package) -> frozenset[str]:
    """Return the styles that hide paragraphs, as Word gives them to the ends of a form on a page."""
    source, hiding = package.content_within(_STYLES) or b"", dict[str, bool]()
    with suppress(Unreadable):  # damaged
        for style in elements(source, ("style",)) if b"vanish" in source else ():
            mark, base = style.find("{*}rPr/{*}vanish"), style.find("{*}basedOn")
            by_base = base is not None and hiding.get(attr(base.attrib, "val"), False)
            is_hiding = by_base if mark is None else mark.attrib.values() not in _OFF
            hiding[attr(style.attrib, "styleId")] = is_hiding and attr(style.attrib, "type") == "paragraph"
    return frozenset(style for style, is_hiding in hiding.items() if is_hiding)


def is_grey(colour: str) -> bool:
    """Tell whether a background highlights no words, since it is missing, white, or grey as behind code."""
    return _GREY.fullmatch(colour.removeprefix("#")) is not None


def add_link(code: str, other: OtherHashes) -> None:
    """Add the address in the code of a hyperlink field."""
    if match := _LINK.search(code):
        other.add(OtherContent.LINKS, match.group(1) or match.group(2) or "")


def add_drawing(package: Package, name: str, other: OtherHashes) -> str:
    """Add the pictures, charts and links of a part that contains only drawings. Return the words in it, line by line.

    What is stored once more, for older programs, says that these cannot show it.
    """
    office = OfficePart(package, name, other)
    content = package.content_within(name)
    if content is None:
        other.unknown(OtherContent.PICTURES, OtherContent.LINKS)
        return ""
    words: list[str] = []
    for event, element in events(content, [f"{{*}}{tag}" for tag in (*_USERS, *SHAPES, "Fallback", "t", "br", "p")]):
        tag = element.tag.rpartition("}")[2]
        if tag in ("t", "br", "p"):
            is_shown = event == "end" and not office.is_in_fallback
            words += [element.text or "" if tag == "t" else "\n"] if is_shown else []
        else:
            office.meet(event, tag, element)
    return "\n".join(filter(None, map(str.strip, "".join(words).split("\n"))))


def add_programs(package: Package, main: str, other: OtherHashes) -> None:
    """Add the macros of a document."""
    for kind, _, target in relationships(package, main):
        if kind == "vbaProject":
            other.add(OtherContent.ATTACHMENTS, package.digest(target))


def with_masked_numbers(text: str, source: bytes) -> str:
    """Return the text of a running head. Numbers are masked if it shows page numbers, which change with each save.

    source: the part in which fields of page numbers are searched.
    """
    return _NUMBER.sub("#", text) if _COUNTS_PAGES.search(source) else text


def with_symbols(text: str, font: Callable[[], str], other: OtherHashes | None = None) -> str:
    """Return a text with the signs that a font of symbols shows; adds those that are pictures.

    font: returns the name of the text's font. It is asked only if there are symbols.
    """
    if text.isascii() or not SYMBOL.search(text):
        return text
    name = font().lower()
    signs = {chr(0xF020 + number): sign for number, sign in enumerate(SYMBOL_FONTS.get(name, ""))}
    if other is not None and (pictures := [sign for sign in SYMBOL.findall(text) if signs.get(sign, " ") == " "]):
        other.add(OtherContent.PICTURES, name, *pictures)
    return SYMBOL.sub(lambda symbol: signs.get(symbol[0], symbol[0]), text)


def drawn(package: Package, name: str) -> list[str | None]:
    """Return the texts and values of a chart or diagram; [None] if it cannot be read."""
    try:
        return [element.text or "" for element in elements(package.read(name), ("v", "t"))]
    except Unreadable:
        return [None]


def _formula(element: Any) -> Iterator[str]:
    """Yield the names of a formula's elements and its signs, without style."""
    for part in element.iter():
        name = str(part.tag).rpartition("}")[2]
        if not name.endswith("Pr"):
            yield f"{name} {part.text or ''}"
        if name in _FORMULA_SIGNS:
            yield from part.attrib.values()


def _shape(geometry: Any) -> list[str]:
    """Return the form of a drawing and how it is turned; [] for a frame, and for a level or an upright line."""
    turned = geometry.getparent().find("{*}xfrm")
    size = turned.find("{*}ext") if turned is not None else None
    form = geometry.get("prst") or " ".join(
        value for point in geometry.iter("{*}pt") for value in point.attrib.values()
    )
    is_level = size is not None and "0" in (size.get("cx"), size.get("cy"))
    if form == "rect" or (form in _LINES and is_level):
        return []
    return [form, *(f"{name}={turned.get(name)}" for name in sorted(turned.keys()))] if turned is not None else [form]


def _field(element: Any) -> Iterator[str]:
    """Yield the name, kind, choices and value of a field to fill in."""
    for part in element.iter():
        name = str(part.tag).rpartition("}")[2]
        if name in _FIELD_ATTRIBUTES:
            yield name
            yield from (value for key, value in part.attrib.items() if not key.endswith("}id"))


def shown_field(code: str, other: OtherHashes | None = None) -> str:
    """Return the text of a field without a stored result: a symbol, the word below a reading, or a formula's signs.

    Adds the reading or the formula.
    """
    if (symbol := _SYMBOL_CODE.match(code)) and int(symbol[1]) < 0x100:
        return with_symbols(chr(0xF000 + int(symbol[1])), symbol[2].strip)
    equation = _EQUATION.match(code)
    if not equation:
        return ""
    match = _OVERSTRIKE.fullmatch(code) if len(code) <= LONGEST_CODE else None
    if not match:
        if other is not None:
            other.add(OtherContent.FORMULAS, code)
        signs = _SWITCH.sub(" ", _FRACTION.sub(r" \1/\2 ", code[equation.end() :])).split()
        return f" {' '.join(signs)} " if signs else ""
    parts = [(part, _SWITCHED.sub("", part, 1)) for part in _arguments(match.group(1))]
    if other is not None:
        other.add_text(OtherContent.HEADERS, "".join(inner.removesuffix(")") for part, inner in parts if inner != part))
    return "".join(part for part, inner in parts if inner == part)


def _arguments(inner: str) -> list[str]:
    """Split a text at commas and semicolons outside parentheses."""
    parts, depth = [""], 0
    for character in inner:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character in ",;" and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts
