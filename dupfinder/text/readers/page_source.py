"""Prepare the source of a web page for parsing: apply its style, and gather what it holds beside its text.

The style is applied as far as it decides which words are apart and which are invisible. Parsers of web pages return
text without saying which words are links. So links are marked in the source with characters that Unicode reserves for
internal use, and the marked text is judged line by line: lines of navigation are removed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextvars import ContextVar
from functools import cached_property, lru_cache
from itertools import accumulate, chain
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dupfinder.text.contents import with_index_terms
from dupfinder.text.document import LABEL_END, OtherContent, OtherHashes, as_label
from dupfinder.text.lines import CELL_END, FILLED, ROW_END, split_at_lines, with_replaced
from dupfinder.text.normalise import raised, unescape
from dupfinder.text.readers.labels import written_number

MOST_CLASSES = 200  # of one page
_SHEET = re.compile(rb"<style\b[^>]{0,500}>((?>(?:[^<]++|<(?!/style)){0,2000}))</style", re.I)
_COMMENT = re.compile(r"/\*.{0,5000}?\*/|<!--|-->", re.S)
_MEDIA = re.compile(r"@[a-z-]{1,40}[^{}]{0,500}\{(?:[^{}]{0,2000}\{[^{}]{0,5000}\}){0,500}[^{}]{0,2000}\}", re.I)
_RULE = re.compile(r"(?<![^{}])([^{}]++)\{([^{}]++)\}")  # begins behind a brace: a rule with a font in it is long
LONGEST_SELECTORS = 2000  # characters before the declarations of a rule; of more the last ones count
_DISPLAY = re.compile(r"(?:^|[;\s])display\s{0,9}:\s{0,9}([a-z-]{1,30})", re.I)
_CLASS = re.compile(
    r"(?:^|,)\s{0,99}(?:span|a|b|i|em|strong|small|label|p|div|font|u)?\.([A-Za-z_][\w-]{0,60})\s{0,99}(?=,|$)", re.I
)
_BLOCK = re.compile("(?:block|list-item|flex|grid|flow-root)$|table")
_INLINE_NAMES = ("span", "a", "b", "i", "em", "strong", "small", "label", "code", "tt", "cite")
_INLINE_BYTES = frozenset(name.encode() for name in _INLINE_NAMES)
_APART = frozenset({"classifier"})  # classes of elements before which the style of docutils and Sphinx puts a colon
_ROW = re.compile("(?:inline-)?(?:flex|grid)$")  # what it holds is shown apart
_ELEMENT = re.compile(rb"(</?([A-Za-z][\w:-]{0,40})(?=[\s/>])[^<>]*>)")
_REST_OF_TAG = re.compile(rb"\s{0,9}:(?!\s{0,9}none)[^<>{}]*>")  # behind "display"; in a sheet, a brace is nearer
_STYLE = re.compile(r"""\sstyle\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_CLASS_NAMES = re.compile(r"\sclass\s{0,9}=\s{0,9}[\"']?([^\"'<>]*)", re.I)
_WITHOUT_END = frozenset(b"area base br col embed hr img input link meta source wbr".split())
_DEEP = 50  # open elements among which the one that ends is looked for
UNSEEN = "data-dupfinder-unseen"  # the attribute by which invisible inline elements are marked
INLINE_SELECTOR = f":is({', '.join(_INLINE_NAMES)})"
_STYLE_VALUES = [  # a pattern that begins with fixed letters is found in a tenth of the time
    re.compile(name + rb"""(?<!\w%s)\s{0,9}=\s{0,9}(?:"([^"<>]{1,500})"|'([^'<>]{1,500})')""" % name)
    for name in (b"style", b"STYLE", b"Style")
]
_ESCAPED_IN_SELECTORS = re.compile(r"['\\\0-\x1f]")  # of what stands between apostrophes
_CLASS_VALUES = [re.compile(name + rb"\s*=\s*[\"']?([^\"'<>]*)") for name in (b"class", b"CLASS", b"Class")]
_IDS = re.compile(rb"id=[\"']?([^\"'<>\s]{1,100})")
_NAME_BYTES = 8  # of the beginnings of tags, by which they are told apart
_SMALL_LETTERS = np.uint64(0x2020202020202020)


class PageSource:
    """The source of a page in UTF-8, and which elements and classes it may have.

    targets: the addresses of the links that lead out of the page, which `prepared` finds.
    has_unseen: whether inline elements of the parsed page were marked as invisible. has_labels: whether `prepared` put
    numbers before the items of lists. is_mail: a mail holds the page.
    """

    def __init__(self, source: str, is_mail: bool = False) -> None:
        self.is_mail = is_mail
        self.source = without_link_marks(source.encode("utf-8", "surrogatepass"))
        if b"srcdoc" in self.source or b"SRCDOC" in self.source:  # pages that frames hold in an attribute
            self.source = _FRAME.sub(_framed, self.source)
        self.targets: list[bytes] = []
        self.has_unseen = self.has_labels = False

    @cached_property
    def lower(self) -> bytes:
        """Return the source with small letters in place of ASCII's capitals."""
        return self.source.lower()

    @cached_property
    def class_names(self) -> frozenset[str]:
        """Return the names that may be classes of elements; much else may be among them."""
        values = {value for pattern in _CLASS_VALUES for value in pattern.findall(self.source)}
        return frozenset(b" ".join(values).decode("utf-8", "replace").split())

    @cached_property
    def classes(self) -> frozenset[str]:
        """Return the lower names that may be classes of elements."""
        return frozenset(map(str.lower, self.class_names))

    @cached_property
    def ids(self) -> frozenset[str]:
        """Return the names that may be ids of elements."""
        return frozenset(value.decode("utf-8", "replace") for value in _IDS.findall(self.source))

    @cached_property
    def sheets(self) -> list[bytes]:
        """Return the style sheets within the page."""
        return _SHEET.findall(self.source, 0, 1_000_000) if self.may_have("style") else []

    @cached_property
    def styles(self) -> list[str]:
        """Return the values of style attributes, each once, as a parsed page has them."""
        values = dict.fromkeys(chain.from_iterable(pattern.findall(self.source) for pattern in _STYLE_VALUES))
        return [unescape(_text(quoted or single)).replace("\r\n", "\n") for quoted, single in values]

    @cached_property
    def is_of_neighbours(self) -> bool:
        """Tell whether most links of a page are relative, as in a manual; links of sites begin at their root."""
        relative = sum(address[:1] != b"/" and not _ELSEWHERE.match(address) for address in self.targets)
        return 2 * relative > len(self.targets)

    def is_elsewhere(self, address: bytes) -> bool:
        """Tell whether an address is on another site than the page. In a manual, all links count as such.

        Lists of links in a manual are part of its text, as are those to other sites.
        """
        return self.is_of_neighbours or domain_of(address) not in self._domains

    @cached_property
    def _domains(self) -> frozenset[bytes]:
        """Return the domain that the page declares, the one to whose start it links, and "" of links without any."""
        canonical = _CANONICAL.search(self.source)
        declared = domain_of(_address(canonical[0])) if canonical else b""
        return frozenset((b"", declared or domain_of_start(self.targets)))

    @cached_property
    def _tags(self) -> NDArray[np.uint64]:
        """Return each sign "<" with the next seven characters, in small letters, as a number; in ascending order."""
        data = self.source + bytes(_NAME_BYTES)
        starts = np.flatnonzero(np.frombuffer(data, np.uint8) == ord("<"))
        words = np.ndarray(len(data) - _NAME_BYTES + 1, np.dtype("<u8"), data, strides=(1,))
        return np.sort(words[starts] | _SMALL_LETTERS)

    @cached_property
    def _beginnings(self) -> str:
        """Return the characters of `_tags`, each of these once."""
        return str(self._tags[np.append(self._tags[1:] != self._tags[:-1], self._tags[:1] > 0)].data, "latin-1")

    def may_have(self, *names: str) -> bool:
        """Tell whether there may be elements whose names begin with one of these words, of at most seven letters."""
        return any(map(self._beginnings.__contains__, map("<{}".format, names)))

    def count(self, name: str) -> int:
        """Return the number of start tags whose names begin with a word of at most seven letters."""
        bits = np.uint64((1 << 8 * (1 + len(name))) - 1)
        return int(np.count_nonzero(self._tags & bits == int.from_bytes(f"<{name}".encode(), "little")))


# The page in a frame, of which there is no file.
_FRAME = re.compile(rb"<iframe\b[^<>]{0,1000}?\ssrcdoc\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)')", re.I)

_TITLE = re.compile("<title>[^<]*</title>", re.I)


def _framed(frame: re.Match[bytes]) -> bytes:
    """Return the page in a frame as a block before the frame, and the beginning of the frame's tag."""
    framed = _TITLE.sub("", unescape(_text(frame[1] or frame[2] or b"")))
    return b"<div>%s</div><iframe" % framed.encode("utf-8", "surrogatepass")


def _spaced_by_style(source: bytes, page: PageSource) -> bytes:
    """Return a page's source with spaces around inline elements that its style shows apart from the words beside them.

    These are blocks, table cells, and what a row or a grid holds. The source is changed, and not the parsed page,
    because a new node of text there takes ten times as long.
    """
    by_class = dict.fromkeys(_APART & page.class_names, "block")
    if b"display" in page.lower:
        by_class |= _values_by_class(page, _DISPLAY)
    if not any(map(_is_apart, by_class.values())) and not _styles_elements(page.lower):
        return source
    pieces = _ELEMENT.split(source)  # every third one is a tag, and the next one its name
    shown: dict[bytes, tuple[bool, bool]] = {}  # by start tags, which are often equal
    parents: list[tuple[bytes, bool, bool]] = []  # open elements: (name, whether it is a row, whether it is apart)
    for number in range(1, len(pieces), 3):
        tag, name = pieces[number], pieces[number + 1].lower()
        pieces[number + 1] = b""
        if tag[1] == _SLASH:
            nearest = range(len(parents) - 1, max(len(parents) - _DEEP, 0) - 1, -1)
            opened = next((position for position in nearest if parents[position][0] == name), None)
            if opened is not None:
                pieces[number] += b" " * parents[opened][2]
                del parents[opened:]
        elif name not in _WITHOUT_END and not tag.endswith(b"/>"):
            if tag not in shown:
                shown[tag] = _shown(_text(tag), by_class)
            is_apart, is_row = shown[tag]
            is_apart = name in _INLINE_BYTES and (is_apart or (bool(parents) and parents[-1][1]))
            pieces[number] = b" " * is_apart + tag
            parents.append((name, is_row, is_apart))
    return b"".join(pieces)


def _styles_elements(source: bytes) -> bool:
    """Tell whether style attributes may show elements apart. source: of a page, in small letters."""
    return any(map(_REST_OF_TAG.match, source.split(b"display")[1:]))


def _is_apart(display: str) -> bool:
    return bool(_BLOCK.match(display) or _ROW.match(display))


def _shown(tag: str, by_class: Mapping[str, str]) -> tuple[bool, bool]:
    """Tell whether an element is shown apart from words beside it, and whether it is a row or grid of what it holds.

    A style attribute overrules the classes. tag: the start tag. by_class: how elements are shown.
    """
    styles = (unescape(style) for values in _STYLE.findall(tag) for style in values)
    displays = [display.lower() for style in styles for display in _DISPLAY.findall(style)][-1:]
    if not displays:
        classes = " ".join(_CLASS_NAMES.findall(tag)).split()
        displays = [by_class[name] for name in classes if name in by_class]
    return any(map(_is_apart, displays)), any(map(_ROW.match, displays))


def _styled(page: PageSource, word: bytes, declared: re.Pattern[str], meant: re.Pattern[str]) -> list[str]:
    """Return selectors of the elements to which a page gives a style, `declared`, with a value that is `meant`.

    word: is in each declaration.
    """
    if word not in page.source:
        return []
    values = ((value, declared.findall(value)) for value in page.styles)
    selectors = [
        f"[style='{_ESCAPED_IN_SELECTORS.sub(_escaped, value)}']"
        for value, set_to in values
        if set_to and meant.match(set_to[-1].lower())
    ]
    by_class = _values_by_class(page, declared)
    return [*selectors, *(f".{name}" for name, value in by_class.items() if meant.match(value))][:MOST_CLASSES]


def _escaped(character: re.Match[str]) -> str:
    """Return a character as an escape of style sheets (CSS Syntax Module Level 3, 4.3.7)."""
    return f"\\{ord(character[0]):x} "


def _values_by_class(page: PageSource, declared: re.Pattern[str]) -> dict[str, str]:
    """Return the values of a style, `declared`, that the sheets of a page give to classes in it."""
    values: dict[str, str] = {}
    for sheet in page.sheets:
        values.update(_styles(sheet, declared))
    return {name: value for name, value in values.items() if name.lower() in page.classes}


@lru_cache(maxsize=16)  # pages of one site share their sheets
def _styles(sheet: bytes, style: re.Pattern[str]) -> Mapping[str, str]:
    """Return the value of a style for the elements of classes, by a style sheet."""
    values: dict[str, str] = {}
    rules = _MEDIA.sub("", _COMMENT.sub("", _text(sheet)))
    for selectors, declarations in _RULE.findall(rules):
        declared = style.findall(declarations)
        for name in _CLASS.findall(selectors[-LONGEST_SELECTORS:].strip()) if declared else ():
            values[name] = declared[-1].lower()
    return values


class _HidingStyle(NamedTuple):
    """A style by which words mean something else, or nothing.

    names: of elements that have it by themselves. word: is in each declaration. declared: matches a declaration; its
    group is the value. meant: matches values that count. elements: selector of those to which it may apply.
    """

    names: tuple[str, ...]
    word: bytes
    declared: re.Pattern[str]
    meant: re.Pattern[str]
    elements: str = ""


# Backgrounds that highlight nothing: the page's own, and grey, on which code and boxes are set. Black hides words.
_NO_HIGHLIGHT: Final = (
    r"none|inherit|initial|unset|transparent|white|url|var|\w{0,9}gr[ae]y|"
    r"#(?!0+\b)(?=[^;]{3,6}$)(\w\w?)\1\1|rgba?\((?!0\D+0\D+0\b)(\d+)\D+\2\D+\2\b"
)
_STYLES: Final = {
    OtherContent.TRACKED_CHANGES: _HidingStyle(
        ("del", "s", "strike"),
        b"line-through",
        re.compile(r"(?:^|[;\s])text-decoration(?:-line)?\s{0,9}:([^;]{0,100})", re.I),
        re.compile(".*line-through"),
    ),
    OtherContent.COMMENTS: _HidingStyle(
        ("mark",),
        b"background",
        re.compile(r"(?:^|[;\s])background(?:-color)?\s{0,9}:\s{0,9}([^;]{1,100})", re.I),
        re.compile(rf"(?!{_NO_HIGHLIGHT})"),
        ":is(span, font, b, i, u, em, strong)",
    ),
    OtherContent.HEADERS: _HidingStyle((), b"display", _DISPLAY, re.compile("none")),
}


def selectors_by_style(page: PageSource) -> Iterator[tuple[OtherContent, str]]:
    """Yield selectors of the elements of a page that are struck out, highlighted or invisible, each with its kind."""
    for kind, style in _STYLES.items():
        selectors = [name for name in style.names if page.may_have(f"{name}>", f"{name} ")]
        selectors += ["[hidden]"] if kind is OtherContent.HEADERS and b" hidden" in page.source else []
        styled = _styled(page, style.word, style.declared, style.meant)
        selectors += [f"{style.elements}{selector}" for selector in styled]
        if selectors:
            yield kind, ", ".join(selectors[:MOST_CLASSES])


# Links, their ends, and what holds other content than words.
MOST_LISTS = 200  # within each other
_LIST_TAG = re.compile(rb"<(/?)[uo]l\b", re.I)
_TAG = re.compile(
    rb"(<(?:/?a(?=[\s>])[^<>]*>?"
    rb"|(?=[aeiostv])(?:im(?:g|age)|input|select|option|textarea|audio|video|source|embed|object)(?=[\s>])[^<>]*>?))",
    re.I,
)
_SLASH = ord("/")
_AFTER_NAME = b" \t\n\r\f\v>"  # of an element
_ATTRIBUTE = re.compile(r"""([A-Za-z:-]{1,20})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_ADDRESS = re.compile(rb"""(?<![\w:-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.I)
_SOURCES = ("src", "data", "href", "xlink:href")
_FIELDS = frozenset({"input", "select", "option", "textarea"})
# What the site sets at each visit, and what holds no answer.
_UNSEEN_FIELDS = frozenset({"hidden", "submit", "button", "search", "image"})
# Numbers at which lists begin or go on, unless they begin at 1, lists that count down, or in letters or Roman numbers.
_LIST_ATTRIBUTES = re.compile(rb"<(?:ol|li)(\s[^<>]{1,500})", re.I)
_COUNTED = re.compile(
    rb"\s(?:(?i:start|value)\s*=\s*[\"']?(?!1\b)-?\d{1,9}|(?i:reversed)|(?i:type)\s*=\s*[\"']?[aAiI])\b"
)
# Whether ordered lists get their numbers, which only people who compare texts look at: that takes a tenth longer.
LISTS_ARE_NUMBERED: ContextVar[bool] = ContextVar("lists_are_numbered", default=False)
# A tag of a list, or the start of an item and of what it begins with; numbers and ways of counting in attributes.
_LIST_PART = re.compile(rb"<(/?)([ou]l|(?<!/)li)\b([^<>]*)>(?>(?:\s|<(?:p|div|span|b|strong|em|i)\b[^<>]*>)*)", re.I)
_START, _VALUE = (re.compile(rb"\s%s\s*=\s*[\"']?(-?\d{1,9})\b" % name, re.I) for name in (b"start", b"value"))
_COUNTING = re.compile(
    rb"\s(?i:type)\s*=\s*[\"']?(\w)\b|list-style(?:-type)?\s*:\s*([a-z-]+)"
    rb"|\b((?:lower|upper)(?:alpha|roman))\b"  # classes of docutils
)
_COUNTINGS = {
    **dict.fromkeys((b"a", b"lower-alpha", b"lower-latin", b"loweralpha"), "lowerLetter"),
    **dict.fromkeys((b"A", b"upper-alpha", b"upper-latin", b"upperalpha"), "upperLetter"),
    **dict.fromkeys((b"i", b"lower-roman", b"lowerroman"), "lowerRoman"),
    **dict.fromkeys((b"I", b"upper-roman", b"upperroman"), "upperRoman"),
    **dict.fromkeys((b"none", b"disc", b"circle", b"square"), "none"),
    b"cjk-ideographic": "chineseCounting",
    b"decimal-leading-zero": "decimalZero",
}
_FIELD_ATTRIBUTES = ("name", "type", "value", "checked", "selected")


# In a link: an element that is a block, and a text that is seen.
_BLOCK_TAG = re.compile(rb"<(?:div|h[1-6]|p|section|article|header|figure|[uo]l|li)[\s>]", re.I)
_LINK_TEXT = re.compile(
    rb"(?s:<(svg|style|script)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z))|<[^<>]*>?|(?P<text>[^<\s](?:[^<]*[^<\s])?)",
    re.I,
)

HUGE = 8192  # bytes of a tag: embedded images, attributes without an end
_HUGE_TAG = re.compile(rb"<([A-Za-z][\w:-]{0,40})[^<>]{%d,}>" % HUGE)
LONGEST_LINK = 2000  # bytes of a tag whose text is marked
_CELL_TAG = re.compile(rb"<(/?t(?:[dhr]|able))\b[^<>]*>", re.I)
_ROWS = re.compile(rb"\srowspan\s*=\s*[\"']?0*(?!1\b)(\d{1,5})", re.I)  # of a cell that is high
_BLANK_CELL = re.compile(  # also one with a dash alone
    rb"(?>(?:\s|<[^<>]*>|&(?:nbsp|#160|#xa0|e[mn]sp|thinsp|[mn]dash|minus|#821[12]|#8722);?|\xc2\xa0|-"
    rb"|\xe2(?:\x80[\x90-\x94]|\x88\x92))*)",
    re.I,
)
_ANY_TAG = re.compile(rb"<[^<>]*>")
_RAISED = re.compile(  # also with the style of its digits inside, as office programs write it
    rb"(<su([bp])(?:\s[^<>]{0,200})?>(?>(?:<(?:span|font|small|[bi])(?:\s[^<>]{0,200})?>){0,3}))([^<>]{1,12})"
    rb"(?=(?>(?:</(?:span|font|small|[bi])>){0,3})</su[bp]>)",
    re.I,
)

# A button in a heading, or one that unfolds a part of the page and is its heading; others have one word or two.
_UNFOLDING = re.compile(
    rb"(?:(<h[1-6](?:\s[^<>]*)?>\s*)<button(?:\s[^<>]*)?|<button(?=\s[^<>]*\b(?:aria-expanded|accordion|collaps))[^<>]*)>"
    rb"((?>(?:[^<]++|<(?!/button)){0,40}))</button>",
    re.I,
)
_LEAST_OF_HEADING = 3  # words outside a heading

_QUOTE = re.compile(rb"<q(?:\s[^<>]*)?>|(?=</q>)", re.I)  # where browsers show a quotation mark


def prepared(page: PageSource, other: OtherHashes, inside: Callable[[str], bytes | None] | None = None) -> bytes:
    """Return a page's source for parsing: huge tags shortened, links and invisible parts marked, blocks separated.

    The other content of the page is added to `other`. inside: returns the bytes of a picture in the same file, by its
    address. Of a picture elsewhere only the file name counts, because browsers that save a page put its pictures into a
    folder with any name.
    """
    pieces = _TAG.split(page.source)  # every second one is a tag
    links = _mark_links(pieces, page, lambda tag: _add_holder(_text(tag), other, inside))
    other.add_each(OtherContent.LINKS, [link for link in links if link])
    _add_drawn(page, other)
    source = b"".join(pieces).replace(b"</code><code", b"</code>\n<code")  # two listings in one frame, not one line
    if page.may_have("sup", "sub"):
        source = _RAISED.sub(_with_raised, source)
    if page.may_have("button"):
        source = _UNFOLDING.sub(_as_heading, source)
    if page.may_have("q>", "q "):
        source = _QUOTE.sub(rb'\g<0>"', source)
    if LISTS_ARE_NUMBERED.get() and page.may_have("ol>", "ol "):
        source, page.has_labels = _with_list_numbers(source), True
    source = without_huge_tags(source)
    may_be_deep = page.count("ul") + page.count("ol") > MOST_LISTS
    return _spaced_by_style(_without_deep_lists(source) if may_be_deep else source, page)


def _mark_links(pieces: list[bytes], page: PageSource, held: Callable[[bytes], Iterable[bytes]]) -> list[bytes]:
    """Mark the links of a page, and return the addresses in it in their order.

    pieces: every second one is a tag, of a link or of what holds other content. held: returns the addresses in the
    latter.
    """
    links: list[bytes] = []
    away: list[tuple[int, bytes]] = []  # links to other pages: number and address
    start, end = 0, b""  # the open link: its number and its closing mark
    for number in range(1, len(pieces), 2):
        tag = pieces[number]
        if tag[1] == _SLASH:
            if end and not _close_at_text(pieces, start, number, end):
                pieces[number] = end + tag
            end = b""
        elif tag[2] in _AFTER_NAME:
            opening, target = _link(tag)
            if target:
                page.targets.append(target)
                links.append(target)
            if opening and not end:
                pieces[number], start, end = tag + opening, number, END_OF[opening]
                if opening == _AWAY_BYTES:
                    away.append((number, target))
        else:
            links += held(tag)
    for number, target in away:
        if page.is_elsewhere(target) and pieces[number].endswith(_AWAY_BYTES):
            pieces[number] = pieces[number][: -len(_AWAY_BYTES)] + ELSEWHERE_MARK
    return links


def _with_list_numbers(source: bytes) -> bytes:
    """Return a source with the numbers of ordered lists before the texts of their items, as labels."""
    parts = list(_LIST_PART.finditer(source))
    labels: dict[int, bytes] = {}  # by the end of a start tag
    lists: list[list[re.Match[bytes]]] = []  # that are open: the start tags of each and of its items
    for part in parts:
        if part[2] in b"liLI":
            if lists:
                lists[-1].append(part)
        elif not part[1]:
            lists.append([part])
        elif lists:
            labels |= _labels_of(*lists.pop())
    for rest in lists:
        labels |= _labels_of(*rest)
    return with_replaced(source, ((position, position, labels[position]) for position in sorted(labels)))


def _labels_of(start: re.Match[bytes], *items: re.Match[bytes]) -> dict[int, bytes]:
    """Return the label of each item of a list by the position before its text; none of a list without numbers.

    LABEL_END is in place of the space behind a label, so that a page has as many words as without it.
    """
    if start[2] in b"ulUL":
        return {}
    declared, is_reversed = _COUNTING.search(start[3]), b" reversed" in start[3]
    kind = _COUNTINGS.get(b"".join(declared.groups(b"")), "decimal") if declared else "decimal"
    number, labels = _number(_START, start, len(items) if is_reversed else 1), {}
    for item in items:
        number = _number(_VALUE, item, number)
        if label := written_number(number, kind):
            labels[item.end()] = (as_label(f"{label}.") + LABEL_END).encode()
        number += -1 if is_reversed else 1
    return labels


def _number(attribute: re.Pattern[bytes], tag: re.Match[bytes], default: int) -> int:
    """Return the number in an attribute of a tag, or the default."""
    number = attribute.search(tag[3])
    return int(number[1]) if number else default


def _close_at_text(pieces: list[bytes], start: int, last: int, end: bytes) -> bool:
    """Close a link with blocks inside: put its marks around its text. Return False for any other link.

    The parser leaves out text between blocks, and so marks. start, last: numbers of the link's tags in `pieces`.
    """
    if last == start + 2 and b"<" not in pieces[start + 1]:  # nearly all links
        return False
    content = b"".join(pieces[start + 1 : last])
    if not any(map(_BLOCK_TAG.search, pieces[start + 1 : last : 2])):
        return False
    texts = [match.span() for match in _LINK_TEXT.finditer(content) if match["text"]]
    if not texts or any(tag[2] in _AFTER_NAME for tag in pieces[start + 2 : last : 2]):  # the link before is not closed
        return False
    first, stop = texts[0][0], texts[-1][1]
    tag, opening = pieces[start][: -len(end)], pieces[start][-len(end) :]
    opening = _CARD_BYTES if opening in (_AWAY_BYTES, ELSEWHERE_MARK) else opening
    marked = b"".join([content[:first], opening, content[first:stop], end, content[stop:]])
    pieces[start:last] = [tag, *[b""] * (last - start - 2), marked]
    return True


def _without_deep_lists(source: bytes) -> bytes:
    """Return a source with blocks for lists if these are deeper within each other than any page has them.

    The parser indents each line by its depth, and the end tags of lists may be missing.
    """
    steps = [-1 if end else 1 for end in _LIST_TAG.findall(source)]
    return _LIST_TAG.sub(rb"<\1div", source) if max(accumulate(steps), default=0) > MOST_LISTS else source


def _as_heading(button: re.Match[bytes]) -> bytes:
    """Return a button as a block if it is the heading of what it unfolds: the parser leaves out buttons."""
    is_heading = button[1] is not None or len(_words(button[2]).split()) >= _LEAST_OF_HEADING
    return b"%s<div>%s</div>" % (button[1] or b"", button[2]) if is_heading else button[0]


def _with_raised(element: re.Match[bytes]) -> bytes:
    """Return the start tags and the content of a raised or sunk element, a number as raised or sunk digits."""
    return element[1] + raised(_text(element[3]), "0", sunk=element[2] in b"bB").encode("utf-8", "surrogatepass")


def cells_of(page: PageSource) -> str:
    """Return the cells of a page's tables without their words; "" if none is empty. End tags may be missing."""
    if not page.may_have("td"):
        return ""
    pieces = _CELL_TAG.split(page.source)
    cells, has_empty, is_first = ["\n"], False, False  # the first cell of a table is taken as filled
    for tag, content in zip(pieces[1::2], pieces[2::2], strict=True):
        if tag.lower() in (b"td", b"th"):
            is_empty = not is_first and _BLANK_CELL.fullmatch(content) is not None
            cells.append(CELL_END if is_empty else FILLED + CELL_END)
            has_empty, is_first = has_empty or is_empty, False
        elif tag[-1:] not in b"dDhH":
            cells.append(ROW_END)
            is_first = is_first or tag.lower() == b"table"
    return "".join(cells) if has_empty else ""


def _text(data: bytes) -> str:
    """Return a part of a page's source as text."""
    return data.decode("utf-8", "surrogatepass")


def _link(tag: bytes) -> tuple[bytes, bytes]:
    """Return (mark after the start tag of a link, empty if it is long, and its address as in `_target`)."""
    return _short_link(tag) if len(tag) <= LONGEST_LINK else (b"", _target(_address(tag)))


@lru_cache(maxsize=4096)  # pages of one site share most links
def _short_link(tag: bytes) -> tuple[bytes, bytes]:
    """Return (mark after the start tag of a link, address as in `_target`)."""
    address = _address(tag)
    return opening_mark(tag, address) if tag.endswith(b">") else b"", _target(address)


def _address(tag: bytes) -> bytes:
    """Return the address in the start tag of a link, as it is written there; empty without one."""
    start, quote, rest = tag.partition(b' href="')  # as nearly all are written
    if quote and start.count(b'"') % 2 == 0 and b"'" not in start:
        return rest.partition(b'"')[0]
    address = _ADDRESS.search(tag)
    return b"".join(address.groups(b"")) if address else b""


def _target(address: bytes) -> bytes:
    """Return an address without white space and escapes; empty for a place within the page."""
    target = address.strip()
    if b"&" in target or not target.isascii():
        target = unescape(_text(target)).strip().encode("utf-8", "replace")
    return b"" if target.startswith((b"#", b"javascript:")) else b"".join(target.split())


def _add_holder(tag: str, other: OtherHashes, inside: Callable[[str], bytes | None] | None) -> tuple[bytes, ...]:
    """Add the field or picture of a tag; return the name of a file that it links to, and its description, or empty."""
    name, *rest = tag[1:].rstrip(">").split(maxsplit=1)
    name = name.lower()
    matches = reversed(_ATTRIBUTE.findall("".join(rest)))  # the first of each name counts
    attributes = {key.lower(): unescape("".join(values)) for key, *values in matches}
    if name in _FIELDS:
        if attributes.get("type", "").lower() not in _UNSEEN_FIELDS:
            values = [f"{key}={attributes[key]}" for key in _FIELD_ATTRIBUTES if key in attributes]
            other.add(OtherContent.FORM_FIELDS, name, *values)
    elif source := next((attributes[key] for key in _SOURCES if attributes.get(key)), ""):
        return _add_picture(source, other, inside), attributes.get("alt", "").encode("utf-8", "replace")
    return ()


def _add_drawn(page: PageSource, other: OtherHashes) -> None:
    """Add the formulas and drawings in a page's source, and what is typed into areas of text."""
    for name, kind in (("math", OtherContent.FORMULAS), ("svg", OtherContent.PICTURES)):
        for drawn in _between(page.source, f"<{name}".encode(), f"</{name}>".encode()) if page.may_have(name) else ():
            other.add(kind, _text(drawn))
    if page.may_have("ol ", "li "):
        for attributes in _LIST_ATTRIBUTES.findall(page.source):
            other.add_each(OtherContent.LIST_STARTS, _COUNTED.findall(attributes))
    if b"rowspan" in page.source or b"ROWSPAN" in page.source:
        for number, tag in enumerate(_CELL_TAG.finditer(page.source)):
            if rows := _ROWS.search(tag.group()):
                other.add(OtherContent.HEADERS, str(number), rows[1])
    if page.may_have("textare"):
        for area in _between(page.source, b"<textarea", b"</textarea>"):
            other.add_text(OtherContent.FORM_FIELDS, _words(area))


def _words(source: bytes) -> str:
    """Return the words in a part of a page's source."""
    return unescape(_text(_ANY_TAG.sub(b"", source)))


def _add_picture(source: str, other: OtherHashes, inside: Callable[[str], bytes | None] | None) -> bytes:
    """Add a picture by its bytes, or return its file name."""
    if source.startswith("data:"):
        other.add(OtherContent.PICTURES, source)
    elif inside is not None and not re.match(r"[a-z]+:|//", source, re.I):
        other.add(OtherContent.PICTURES, inside(source))
    else:
        name = re.split(r"[?#]", source, maxsplit=1)[0].rpartition("/")[2]
        return "".join(name.split()).encode("utf-8", "replace")
    return b""


def _between(text: bytes, opening: bytes, closing: bytes) -> Iterator[bytes]:
    """Yield the stretches of a text from each opening mark to the next closing mark."""
    position = 0
    while (start := text.find(opening, position)) >= 0 and (end := text.find(closing, start)) >= 0:
        position = end + len(closing)
        yield text[start:position]


def without_huge_tags(source: bytes) -> bytes:
    """Return a page's source with huge tags reduced to their names."""
    step = HUGE // 2  # a huge tag spans a stretch of this length
    may_hold = any(source.find(b"<", start, start + step) < 0 for start in range(0, len(source) - step, step))
    return _HUGE_TAG.sub(rb"<\1>", source) if may_hold else source


# Noncharacters of Unicode: the start of a link within the document, of one to a neighbouring page, and the end of both;
# the start and the end of any other link; the start of such a link with blocks inside, and of one to another site.
_OPEN, _NEIGHBOUR, _CLOSE = "\ufdd0", "\ufdd2", "\ufdd1"
_AWAY, _AWAY_END, _CARD = "\ufdd3", "\ufdd4", "\ufddd"
_OPEN_BYTES, _NEIGHBOUR_BYTES, _AWAY_BYTES = _OPEN.encode(), _NEIGHBOUR.encode(), _AWAY.encode()
_CARD_BYTES, ELSEWHERE_MARK = _CARD.encode(), "\ufde0".encode()
END_OF = {_OPEN_BYTES: _CLOSE.encode(), _NEIGHBOUR_BYTES: _CLOSE.encode()} | dict.fromkeys(
    (_AWAY_BYTES, _CARD_BYTES, ELSEWHERE_MARK), _AWAY_END.encode()
)
LINK, AWAY, CARD, ELSEWHERE = b"\x1c", b"\x1d", b"\x1e", b"\x1f"  # see `outside_links`
_SIGNS = {_AWAY_BYTES: AWAY, _CARD_BYTES: AWAY + CARD, ELSEWHERE_MARK: AWAY + ELSEWHERE}
MARK_BYTES = b"\xef\xb7"  # in UTF-8, the first two bytes of each mark
_MARK = re.compile(MARK_BYTES + rb"[\x90-\xa0]")  # Arabic letters begin with the same bytes
# From what begins a link to what ends one: \x91 and \x94 are the third bytes of these.
_LINK = re.compile(rb"(\xef\xb7(?![\x91\x94])[\x90-\xa0])((?>(?:[^\xef]++|\xef(?!\xb7[\x91\x94]))*))\xef\xb7.")
_ELSEWHERE = re.compile(rb"[a-z][a-z0-9+.-]{0,20}:|//", re.I)
_CANONICAL = re.compile(rb"<link\b[^<>]{0,500}\bcanonical\b[^<>]{0,500}>", re.I)  # HTML Living Standard 4.6.7
# The registered part of the name of a host, such as sina.com.cn of news.sina.com.cn.
_DOMAIN = re.compile(
    rb"(?:https?:)?//(?:[^/?#]{0,200}?\.)??([\w-]+\.(?:(?:com?|org|net|gov|gob|edu|ac|ne|or)\.)?[a-z]{2,20})(?=[:/?#]|\Z)",
    re.I,
)
_SITE_START = re.compile(rb"(?:https?:)?//[^/?#]{1,200}/?", re.I)
# Links to other pages of a series: HTML 4.01 section 6.12, HTML Living Standard 4.6.7.
_TO_NEIGHBOURS = re.compile(
    rb"\brel\s{0,9}=\s{0,9}[\"']?(?:next|prev|previous|up|start|contents|index|home|first|last)\b"
    rb"|\baccesskey\s{0,9}=\s{0,9}[\"']?[npu]\b",
    re.I,
)
_MARKED = re.compile(f"[{_OPEN}{_NEIGHBOUR}]([^{_OPEN}{_NEIGHBOUR}{_CLOSE}]*){_CLOSE}")
_WORD = re.compile(r"\w+")
LEAST_LETTERS = 5  # links of one character each in a line
_LEAST_SAID = 3  # words of an index entry beside its links; "see also" is two
_NAVIGATION = tuple(map(re.compile, (_NEIGHBOUR, rf"{_CLOSE}(?:[^\n{_CLOSE}]*+{_CLOSE}){{{LEAST_LETTERS - 1}}}")))
_SPACES = re.compile(r"[ \t]{2,}")


def opening_mark(tag: bytes, address: bytes) -> bytes:
    """Return the mark that belongs after the start tag of a link, in UTF-8; empty if it links to nothing."""
    lower = tag.lower()
    if not address and b"href" not in lower:
        return b""
    if (b"rel" in lower or b"accesskey" in lower) and _TO_NEIGHBOURS.search(tag):
        return _NEIGHBOUR_BYTES
    return _OPEN_BYTES if b"#" in address.rstrip(b"#") and not _ELSEWHERE.match(address) else _AWAY_BYTES


@lru_cache(maxsize=4096)
def domain_of(address: bytes) -> bytes:
    """Return the domain of a link, in small letters; empty for one within a site."""
    domain = _DOMAIN.match(address)
    return domain[1].lower() if domain else b""


def domain_of_start(addresses: Iterable[bytes]) -> bytes:
    """Return the domain of the first link to the start of a site, as pages have one to theirs; empty without such."""
    return next((domain_of(address) for address in addresses if _SITE_START.fullmatch(address)), b"")


def without_link_marks(data: bytes) -> bytes:
    """Return a marked text in UTF-8 without the marks."""
    return _MARK.sub(b"", data) if MARK_BYTES in data else data


def outside_links(data: bytes) -> bytes:
    """Return the same lines of a marked text in UTF-8 with AWAY for each link to another page, LINK for each other one.

    CARD follows AWAY if the link has blocks inside; or else ELSEWHERE if it is on another site. All count as white
    space. A link over several lines is in each of them.
    """
    end = max(map(data.rfind, END_OF.values())) + len(_OPEN_BYTES)  # no link ends beyond it
    pieces = _LINK.split(data[:end])  # by turns a text, the mark before a link, and the link
    pieces[1::3] = signs = [_SIGNS.get(mark, LINK) for mark in pieces[1::3]]
    pieces[2::3] = [(b"\n" + sign) * link.count(b"\n") for sign, link in zip(signs, pieces[2::3], strict=True)]
    return b"".join(pieces) + data[end:]


def unmarked(data: bytes) -> str:
    """Return a marked text in UTF-8 as a string without the marks."""
    return without_link_marks(data).decode("utf-8", "surrogatepass")


def without_navigation(data: bytes) -> str:
    """Return a marked text in UTF-8 without lines of navigation, marks, and the links after terms of an index."""
    if _NEIGHBOUR_BYTES not in data and data.count(END_OF[_NEIGHBOUR_BYTES]) < LEAST_LETTERS:
        return unmarked(data)
    for begin_or_end in (*_SIGNS, END_OF[_AWAY_BYTES]):
        data = data.replace(begin_or_end, b"")
    text = data.decode("utf-8", "surrogatepass")
    pieces: list[str] = []
    is_navigation = False
    for piece, has_links in split_at_lines(text + "\n", _NAVIGATION):
        rest = piece[1:] if is_navigation else piece  # without the line end of a removed line
        is_navigation = has_links and _is_navigation(piece)
        pieces.append("" if is_navigation else rest)
    text = with_index_terms("".join(pieces)[:-1], _index_term)
    for mark in (_OPEN, _NEIGHBOUR, _CLOSE):
        text = text.replace(mark, "")
    return text


def _is_navigation(line: str) -> bool:
    """Tell whether a line has little more than links to neighbouring pages, or to the letters of an index."""
    if _CLOSE not in line:
        return False
    links = _MARKED.findall(line)
    unlinked = len(_WORD.findall(_MARKED.sub(" ", line)))
    if _NEIGHBOUR in line:
        return unlinked <= len(links) + 1
    single = sum(len(link.strip()) == 1 for link in links)
    return single >= LEAST_LETTERS and unlinked + len(links) - single <= 2


def _index_term(line: str) -> str | None:
    """Return the term of an index entry: its first link, or the text before the links; None without links.

    What the entry says of the term belongs to it.
    """
    if _CLOSE not in line:
        return None
    entry = _SPACES.sub(" ", line).strip()
    first = _MARKED.match(entry)
    beside = _MARKED.sub("", entry).rstrip(" ,;:\u00a0")
    if first is None:
        return beside
    return f"{first.group(1)} {beside}" if len(_WORD.findall(beside)) >= _LEAST_SAID else first.group(1)
