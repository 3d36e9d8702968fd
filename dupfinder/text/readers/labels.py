"""Labels that office programs compute for numbered paragraphs, where PDFs and texts store them: "Article 2", "第三条".

The definitions of lists and styles say how they are counted and written. Only labels with words are compared: numbers
alone are not words of a document, and are removed from other formats too, so they are shown only. Numbers that do not
continue those before them are other content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from dupfinder.text.document import OtherContent, OtherHashes, as_label
from dupfinder.text.readers.package import attr, child_of

_LEVEL_SIGN = re.compile("%([1-9])")  # stands for the number of a level in a template
_DIGITS = re.compile(r"\d+")
_LONGEST: Final = 255  # characters of a label; longer ones could make a text far longer than its file
_DEPTHS: Final = 10  # of lists within each other: those of OpenDocument; Word has nine
_MOST_INHERITED: Final = 50  # styles, each based on the next one
_MOST_LETTERED: Final = 780  # letters are repeated: 27 is "AA"
_ROMAN: Final = tuple(zip(
    (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
    ("M", "CM", "D", "CD", "C", "XC", "L", "XL", "X", "IX", "V", "IV", "I"), strict=True,
))  # fmt: skip
_MOST_ROMAN: Final = 3999
_HAN: Final = "零一二三四五六七八九"
_HAN_UNITS: Final = ((1000, "千"), (100, "百"), (10, "十"), (1, ""))
_MOST_HAN: Final = 9999
_STEMS: Final = "甲乙丙丁戊己庚辛壬癸"  # the ten heavenly stems
_SIGNS = re.compile(r"[\W_]+")
_NUMBER = re.compile(rf"\d+|(?i:([a-z])\1*|[ivxlcdm]+)|[〇{_HAN}十百千{_STEMS}]+")
_HAN_KINDS: Final = ("chinese", "taiwanese", "japanese", "ideographDigital")
_NO_LABEL: Final = ("none", "bullet")
LIST_TAGS: Final = frozenset((
    "list-style", "outline-style", "list-level-style-number", "outline-level-style", "list", "list-item", "list-header",
))  # fmt: skip
_OUTLINE: Final = " outline"  # the style of headings; no name begins with a space
_ODF_LEVEL_SIGN = re.compile("%([1-9])%")
_ODF_KINDS: Final = {
    "": "none", "1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Level:
    """A level of a list (ISO 29500-1 17.9.6).

    start: the first number. kind: how numbers are written, as in ISO 29500-1 17.18.59. template: the label, with %1 for
    the number of the first level. restarts: numbers begin anew after a paragraph of a depth below this one, from 0.
    style: of the paragraphs at this level; "": of any. is_legal: the numbers of all levels are written in digits.
    """

    start: int
    kind: str
    template: str
    restarts: int
    style: str
    is_legal: bool

    @classmethod
    def of(cls, element: Any, depth: int) -> Level:
        """Read a level. depth: from 0."""
        return cls(
            _integer(_value(element, "start"), 0),
            _value(element, "numFmt") or "decimal",
            _value(element, "lvlText"),
            _integer(_value(element, "lvlRestart"), depth),
            _value(element, "pStyle"),
            child_of(element, "isLgl") is not None,
        )

    @property
    def is_numbered(self) -> bool:
        """Whether the label has a number or words."""
        is_short = self.kind not in _NO_LABEL and len(self.template) <= _LONGEST
        return is_short and (self.has_words or _LEVEL_SIGN.search(self.template) is not None)

    @property
    def has_words(self) -> bool:
        """Whether the label says more than a number."""
        return any(map(str.isalpha, _LEVEL_SIGN.sub("", self.template[:_LONGEST])))


Levels = dict[int, Level]  # by depth, from 0


@dataclass(slots=True)
class NumberedList:
    """A list of a document. definition: what lists with the same levels, and one count, share.

    levels: of its definition, some replaced by its own. anew: depth -> the number with which this list begins there.
    """

    definition: str
    levels: Levels
    anew: dict[int, int] = field(default_factory=dict)


class ListCounter:
    """Counts the paragraphs of a document's lists.

    starts: the numbers in labels without words that are not one more than the last number at the same depth.
    """

    def __init__(self) -> None:
        self.starts: list[int] = []
        self._counts: dict[str, dict[int, int]] = {}  # of each definition: depth -> number
        self._last: dict[tuple[int, str], int] = {}  # number at each depth, or of each kind of stored labels

    def begin_anew(self, definition: str) -> None:
        """Remove the numbers of the lists of a definition, so that they count from their starts again."""
        self._counts.pop(definition, None)

    def label(self, numbered: NumberedList, depth: int, number: int | None = None) -> str:
        """Count a paragraph. Return its label and a tab; a number alone as `as_label` writes it, and a space.

        number: of the paragraph, if it does not follow on. Levels below it begin anew.
        """
        if depth not in numbered.levels:
            return ""
        counts, number = self._counts.setdefault(numbered.definition, {}), numbered.anew.pop(depth, number)
        counts[depth] = counts.get(depth, numbered.levels[depth].start - 1) + 1 if number is None else number
        for deeper in [counted for counted in counts if counted > depth]:
            if deeper not in numbered.levels or depth < numbered.levels[deeper].restarts:
                del counts[deeper]
        if not numbered.levels[depth].is_numbered:
            return ""
        label = _written_label(numbered.levels, counts, depth)
        if numbered.levels[depth].has_words:
            return label
        self._note(depth, "", counts[depth])
        return as_label(label.replace("\t", " ")) if label.strip() else ""

    def note_stored(self, label: str) -> None:
        """Count a paragraph whose label is stored, if it is a number of one level: programs store others wrongly."""
        if len(numbers := _DIGITS.findall(label)) == 1:
            self._note(0, _DIGITS.sub("", label), int(numbers[0][-9:]))

    def _note(self, depth: int, kind: str, number: int) -> None:
        """Record a number, in `starts` if it does not follow the last one. kind: of a stored label of unknown depth."""
        if number != self._last.get((depth, kind), 0) + 1:
            self.starts.append(number)
        self._last = {key: last for key, last in self._last.items() if key[0] <= depth} | {(depth, kind): number}

    def add_to(self, other: OtherHashes) -> None:
        """Add the numbers that do not follow on."""
        other.add_text(OtherContent.LIST_STARTS, ",".join(map(str, self.starts)))


def _written_label(levels: Levels, counts: dict[int, int], depth: int) -> str:
    """Return the label of a paragraph. counts: the numbers at each depth."""

    def written(sign: re.Match[str]) -> str:
        """Return the number of a level as the label shows it."""
        level = levels.get(int(sign[1]) - 1)
        if level is None:
            return ""
        return written_number(counts.get(int(sign[1]) - 1, level.start), "" if levels[depth].is_legal else level.kind)

    return _LEVEL_SIGN.sub(written, levels[depth].template) + "\t"


class WordLabels:
    """The labels of the paragraphs of one Word document. are_numbered: whether any list has numbers or words."""

    def __init__(self, numbering: Any, styles: Any) -> None:
        """Take the definitions of lists and of styles, as elements."""
        definitions, linked = {}, {}
        for element in numbering.iter("{*}abstractNum"):
            identity = attr(element.attrib, "abstractNumId")
            definitions[identity] = dict(_levels_of(element))
            linked[identity] = _value(element, "numStyleLink")
        self._lists: dict[str, NumberedList] = {}  # by number
        for element in numbering.iter("{*}num"):
            definition = _value(element, "abstractNumId")
            self._lists[attr(element.attrib, "numId")] = _list_of(element, definition, definitions.get(definition, {}))
        self._styles = {attr(style.attrib, "styleId"): style for style in styles.iter("{*}style")}
        for numbered in self._lists.values():
            if (style := linked.get(numbered.definition)) and (other := self._lists.get(self._of_style(style)[0])):
                numbered.definition, numbered.levels = other.definition, other.levels | numbered.levels
        self.counter = ListCounter()
        self._known: dict[str, tuple[str, int]] = {}  # the list and the depth of each style
        self.are_numbered = any(
            level.is_numbered for numbered in self._lists.values() for level in numbered.levels.values()
        )

    def of_next(self, paragraph: Any) -> str:
        """Return the label of the next paragraph of the document, with a tab after it; "" for none."""
        number, depth = self._numbering_of(paragraph)
        numbered = self._lists.get(number)
        return "" if numbered is None else self.counter.label(numbered, depth)

    def _numbering_of(self, paragraph: Any) -> tuple[str, int]:
        """Return the list and the depth of a paragraph; ("", 0) for none."""
        properties = child_of(paragraph, "pPr")
        if properties is None:
            return "", 0
        style = _value(properties, "pStyle")
        if style not in self._known:
            self._known[style] = self._of_style(style)
        number, depth = self._known[style]
        numbering = child_of(properties, "numPr")
        if numbering is not None:
            number, depth = _value(numbering, "numId") or number, _integer(_value(numbering, "ilvl"), depth)
        return number, depth

    def _of_style(self, style: str) -> tuple[str, int]:
        """Return the list and the depth of paragraphs of a style; ("", 0) for none."""
        name, depth = style, -1
        for _ in range(_MOST_INHERITED):
            element = self._styles.get(name)
            if element is None:
                break
            numbering = element.find("{*}pPr/{*}numPr")
            if numbering is not None and depth < 0:
                depth = _integer(_value(numbering, "ilvl"), -1)
            if numbering is not None and (number := _value(numbering, "numId")):
                levels = self._lists[number].levels if number in self._lists else {}
                of_style = next((level_depth for level_depth, level in levels.items() if level.style == style), 0)
                return number, depth if depth >= 0 else of_style
            name = _value(element, "basedOn")
        return "", 0


class OdfLabels:
    """The labels of the paragraphs of an OpenDocument text, from the elements around them (OpenDocument 1.3, 3, 5.3).

    A paragraph is numbered if it is the first of an item of a list, or a heading.
    """

    def __init__(self) -> None:
        self._lists: dict[str, NumberedList] = {}  # by style
        self._defined = NumberedList("", {})  # the list whose levels are being read
        self._open: list[str] = []  # the style of each open list, outer ones first
        self.counter = ListCounter()
        self._is_due, self._number = False, ""  # of the first paragraph of an item

    def start(self, name: str, attributes: Any) -> None:
        """Handle the start of an element of LIST_TAGS."""
        by_name = {str(key).rpartition("}")[2]: str(value) for key, value in attributes.items()}
        if name in ("list-style", "outline-style"):
            self._defined = NumberedList(by_name.get("name", "") if name == "list-style" else _OUTLINE, {})
            self._lists[self._defined.definition] = self._defined
        elif name in ("list-level-style-number", "outline-level-style"):
            depth = _integer(by_name.get("level", ""), 1) - 1
            if depth < _DEPTHS:
                self._defined.levels[depth] = _level_of(by_name, depth)
        elif name == "list":
            style = by_name.get("style-name") or (self._open[-1] if self._open else "")
            if not self._open and by_name.get("continue-numbering") != "true" and "continue-list" not in by_name:
                self.counter.begin_anew(style)
            self._open.append(style)
        else:
            self._is_due, self._number = name == "list-item", by_name.get("start-value", "")

    def end(self, name: str) -> None:
        """Handle the end of an element of LIST_TAGS."""
        if name == "list" and self._open:
            self._open.pop()
        self._is_due = False

    def of_next(self, name: str, attributes: Any) -> str:
        """Return the label of the next paragraph or heading, with a tab after it; "" for none."""
        style, depth = (self._open[-1], len(self._open) - 1) if self._open else (_OUTLINE, -1)
        number = _integer(self._number, -1)
        if not self._open and name == "h":
            is_numbered = attr(attributes, "is-list-header") != "true"
            depth = _integer(attr(attributes, "outline-level"), 1) - 1 if is_numbered else -1
        numbered = self._lists.get(style)
        if numbered is None or (self._open and not self._is_due):
            return ""
        self._is_due, self._number = False, ""
        return self.counter.label(numbered, depth, number if number >= 0 else None)


def _level_of(by_name: dict[str, str], depth: int) -> Level:
    """Read a level of an OpenDocument list. by_name: its attributes, by their local names. depth: from 0."""
    template = _ODF_LEVEL_SIGN.sub(r"%\1", by_name.get("num-list-format", ""))
    if not template:
        first = depth + 2 - _integer(by_name.get("display-levels", ""), 1)
        numbers = ".".join(f"%{level}" for level in range(max(1, first), depth + 2))
        template = f"{by_name.get('num-prefix', '')}{numbers}{by_name.get('num-suffix', '')}"
    kind = _ODF_KINDS.get(by_name.get("num-format", ""), "chinese")
    return Level(_integer(by_name.get("start-value", ""), 1), kind, template, depth, "", False)


def _list_of(element: Any, definition: str, levels: Levels) -> NumberedList:
    """Read a list. levels: of its definition."""
    numbered = NumberedList(definition, dict(levels))
    for override in element.iter("{*}lvlOverride"):
        numbered.levels.update(_levels_of(override))
        if start := _value(override, "startOverride"):
            numbered.anew[_integer(attr(override.attrib, "ilvl"), 0)] = _integer(start, 1)
    return numbered


def _levels_of(element: Any) -> Iterator[tuple[int, Level]]:
    """Yield the depth and the level of each level in a definition."""
    for level in element.iter("{*}lvl"):
        depth = _integer(attr(level.attrib, "ilvl"), 0)
        yield depth, Level.of(level, depth)


def _value(element: Any, name: str) -> str:
    """Return the value of a child with this local name; "" if it is missing."""
    child = child_of(element, name)
    return "" if child is None else attr(child.attrib, "val")


def _integer(text: str, default: int) -> int:
    """Return the number that a text of at most nine digits holds; `default` for any other text."""
    return int(text) if text.isdecimal() and len(text) <= 9 else default


def has_words(label: str) -> bool:
    """Tell whether a label says more than numbers, in digits, letters, Roman numerals or Chinese characters."""
    return any(_NUMBER.fullmatch(part) is None for part in _SIGNS.split(label) if part)


def written_number(number: int, kind: str) -> str:
    """Write a number in a way of ISO 29500-1 17.18.59; in digits where the way is unknown or has no such number."""
    if kind in _NO_LABEL:
        return ""
    if kind in ("lowerLetter", "upperLetter") and 0 < number <= _MOST_LETTERED:
        times, letter = divmod(number - 1, 26)
        return chr(ord("a" if kind == "lowerLetter" else "A") + letter) * (times + 1)
    if kind in ("lowerRoman", "upperRoman") and 0 < number <= _MOST_ROMAN:
        roman = _roman(number)
        return roman.lower() if kind == "lowerRoman" else roman
    if kind.startswith(_HAN_KINDS) and 0 < number <= _MOST_HAN:
        return _han(number, kind)
    if kind == "ideographTraditional" and 0 < number <= len(_STEMS):
        return _STEMS[number - 1]
    return f"{number:02}" if kind == "decimalZero" else str(number)


def _roman(number: int) -> str:
    pieces: list[str] = []
    for value, letters in _ROMAN:
        times, number = divmod(number, value)
        pieces.append(letters * times)
    return "".join(pieces)


def _han(number: int, kind: str) -> str:
    """Write a number in Chinese characters: 一百零五, in Japanese 百五, digit by digit 一〇五."""
    if "igital" in kind:
        return "".join(_HAN[int(digit)] for digit in str(number)).replace("零", "〇")
    pieces: list[str] = []
    is_japanese = kind.startswith("japanese")
    for value, unit in _HAN_UNITS:
        digit, number = divmod(number, value)
        if digit:
            shown = digit == 1 and value > 1 and (is_japanese or (value == 10 and not pieces))
            pieces.append(("" if shown else _HAN[digit]) + unit)
        elif pieces and number and not is_japanese and pieces[-1] != _HAN[0]:
            pieces.append(_HAN[0])
    return "".join(pieces)
