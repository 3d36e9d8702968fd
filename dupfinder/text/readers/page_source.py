"""Prepare the source of a web page for parsing: apply its style, and gather what it holds beside its text.

The style is applied as far as it decides which words are apart and which are invisible.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from html import unescape

from dupfinder.text.document import OtherContent, OtherHashes, one_fact
from dupfinder.text.readers.link_marks import END_OF, opening_mark, unmarked

MOST_CLASSES = 200  # of one page
_SHEET = re.compile(r"<style\b[^>]{0,500}>(.{0,200000}?)</style", re.I | re.S)
_COMMENT = re.compile(r"/\*.{0,5000}?\*/|<!--|-->", re.S)
_MEDIA = re.compile(r"@[a-z-]{1,40}[^{}]{0,500}\{(?:[^{}]{0,2000}\{[^{}]{0,5000}\}){0,500}[^{}]{0,2000}\}", re.I)
_RULE = re.compile(r"([^{}]{1,2000})\{([^{}]{1,5000})\}")
_DISPLAY = re.compile(r"(?:^|[;\s])display\s{0,9}:\s{0,9}([a-z-]{1,30})", re.I)
_CLASS = re.compile(
    r"(?:^|,)\s{0,99}(?:span|a|b|i|em|strong|small|label)?\.([A-Za-z_][\w-]{0,60})\s{0,99}(?=,|$)", re.I
)
_BLOCKS = ("block", "list-item", "flex", "grid", "flow-root")
_INLINE = r"(?:span|a|b|i|em|strong|small|label|code|tt|cite)"
_STYLE_ATTRIBUTE = re.compile(r"style\s{0,9}=\s{0,9}[\"'][^\"'<>]{0,500}?display", re.I)
LONGEST_STYLE = 600  # characters of a style attribute that are searched, with its name
_DISPLAYED = (
    rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bstyle\s{{0,9}}=\s{{0,9}}[\"'][^\"'<>]{{0,500}}?\bdisplay\s{{0,9}}:\s{{0,9}}"
)
_STYLED = re.compile(_DISPLAYED + r"(?:block|list-item|flex|grid|flow-root|table))", re.I)
_UNSHOWN = re.compile(_DISPLAYED + r"none\b)", re.I)
_UNSEEN = "data-dupfinder-unseen"
UNSEEN = f"[{_UNSEEN}]"  # selects inline elements that `styled` marked as invisible


def styled(page: str) -> str:
    """Return a page's source with its style applied to inline elements.

    Those shown as blocks or table cells get a space before them, and invisible ones the attribute of `UNSEEN`.
    Invisible blocks are not marked, because scripts show them on demand.
    """
    if "display" not in page:
        return page
    if any(_STYLE_ATTRIBUTE.search(tag) for tag in _tags_around(page, "display")):
        page = _UNSHOWN.sub(rf"\g<0> {_UNSEEN}", _STYLED.sub(r" \g<0>", page))
    blocks, unseen = _classes(page)
    if blocks:
        page = _of_classes(blocks).sub(r" \g<0>", page)
    return _of_classes(unseen).sub(rf"\g<0> {_UNSEEN}", page) if unseen else page


def _tags_around(page: str, word: str) -> Iterator[str]:
    """Yield the last characters up to each occurrence of a word, where it may be within a tag."""
    position = page.find(word)
    while position >= 0:
        end = position + len(word)
        before = page[max(0, position - LONGEST_STYLE) : end]
        if before.rfind(">") < max(0, before.rfind("<")):
            yield before
        position = page.find(word, end)


@lru_cache(maxsize=64)
def _of_classes(names: tuple[str, ...]) -> re.Pattern[str]:
    """Return a pattern of the start tags of inline elements with one of these classes."""
    either = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bclass\s{{0,9}}=\s{{0,9}}"
        rf"(?:[\"'](?:[^\"'<>]{{0,500}}?\s)?(?:{either})[\s\"']|(?:{either})[\s>]))",
        re.I,
    )


def _classes(page: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return (classes shown as blocks, invisible classes) by the style rules that apply to all media."""
    shown: dict[str, str] = {}
    for sheet in _SHEET.findall(page[:1_000_000]):
        shown.update(_displays(sheet))
    blocks = tuple(name for name, value in shown.items() if value in _BLOCKS or value.startswith("table"))
    unseen = tuple(name for name, value in shown.items() if value == "none")
    return blocks[:MOST_CLASSES], unseen[:MOST_CLASSES]


@lru_cache(maxsize=16)  # pages of one site share their sheets
def _displays(sheet: str) -> Mapping[str, str]:
    """Return how a style sheet shows the elements of classes."""
    shown: dict[str, str] = {}
    rules = _MEDIA.sub("", _COMMENT.sub("", sheet))
    for selectors, declarations in _RULE.findall(rules):
        displays = _DISPLAY.findall(declarations)
        for name in _CLASS.findall(selectors.strip()) if displays else ():
            shown[name] = displays[-1].lower()
    return shown


# Within the brackets of one tag, so that matching takes linear time.
_HOLDER = re.compile(
    r"(<(?=[aeiostv])(?:a|img|image|input|select|option|textarea|audio|video|source|embed|object)\s[^<>]*>?)", re.I
)
_ATTRIBUTE = re.compile(r"""([A-Za-z:-]{1,20})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_ADDRESS = re.compile(r"""(?<![\w:-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.I)
_SOURCES = ("src", "data", "href", "xlink:href")
_FIELDS = frozenset({"input", "select", "option", "textarea"})
# Set by the site at each visit, or no fields.
_UNSEEN_FIELDS = frozenset({"hidden", "submit", "button", "search", "image"})
_FIELD_FACTS = ("name", "type", "value", "checked", "selected")


HUGE = 8192  # characters of a tag: embedded images, attributes without an end
_HUGE_TAG = re.compile(rf"<([A-Za-z][\w:-]{{0,40}})[^<>]{{{HUGE},}}>")
_LINK_END = re.compile(r"</a\s{0,9}>", re.I)
LONGEST_LINK = 2000  # characters of a tag whose text is marked


def prepared(page: str, other: OtherHashes, inside: Callable[[str], bytes | None] | None = None) -> str:
    """Return a page's source for parsing: huge tags shortened, links and invisible parts marked, blocks separated.

    The other content of the page is added to `other`. inside: returns the bytes of a picture in the same file, by its
    address. Of a picture elsewhere only the file name counts, because browsers that save a page put its pictures into a
    folder with any name.
    """
    pieces = _HOLDER.split(unmarked(page))
    links: list[bytes] = []
    end = ""  # the closing mark of the open link
    for place in range(1, len(pieces), 2):
        tag = pieces[place]
        if not tag[2].isspace():
            links += map(one_fact, _add_holder(tag, other, inside))
        else:
            opening, target = _link(tag) if len(tag) <= LONGEST_LINK else ("", _target(_address(tag)))
            links += target
            if opening and not end:
                pieces[place] = tag + opening
                end = END_OF[opening]
        if end and (closing := _end_of_link(pieces[place + 1])):
            pieces[place + 1] = pieces[place + 1].replace(closing, end + closing, 1)
            end = ""
    other.add_pieces(OtherContent.LINKS, links)
    _add_drawn(page, other)
    return styled(without_huge_tags("".join(pieces)))


def _end_of_link(text: str) -> str:
    """Return the first end tag of a link as it is written; "" if there is none."""
    return "</a>" if "</a>" in text else next(iter(_LINK_END.findall(text)), "")


@lru_cache(maxsize=4096)  # pages of one site share most links
def _link(tag: str) -> tuple[str, tuple[bytes, ...]]:
    """Return (mark after the start tag of a link, address as in `_target`)."""
    address = _address(tag)
    return opening_mark(tag, address) if tag.endswith(">") else "", _target(address)


def _address(tag: str) -> str:
    """Return the address in the start tag of a link as it is written there, "" if there is none."""
    start, quote, rest = tag.partition(' href="')  # as nearly all are written
    if quote and start.count('"') % 2 == 0 and "'" not in start:
        return rest.partition('"')[0]
    address = _ADDRESS.search(tag)
    return "".join(address.groups("")) if address else ""


def _target(address: str) -> tuple[bytes, ...]:
    """Return the address of a link as a piece of other content; none for one within the page."""
    target = unescape(address).strip()
    return (one_fact(target),) if target and not target.startswith(("#", "javascript:")) else ()


def _add_holder(tag: str, other: OtherHashes, inside: Callable[[str], bytes | None] | None) -> tuple[str, ...]:
    """Add what another tag holds, and return the name of a file that it links to."""
    name, *rest = tag[1:].split(maxsplit=1)
    name = name.lower()
    attributes = _attributes("".join(rest))
    if name in _FIELDS:
        _add_field(name, attributes, other)
    elif source := next((attributes[key] for key in _SOURCES if attributes.get(key)), ""):
        return _add_picture(source, other, inside)
    return ()


def _add_drawn(page: str, other: OtherHashes) -> None:
    """Add the formulas and drawings in a page's source."""
    for formula in between(page, "<math", "</math>"):
        other.add(OtherContent.FORMULAS, formula)
    for drawing in between(page, "<svg", "</svg>"):
        other.add(OtherContent.PICTURES, drawing)


def _add_field(name: str, attributes: Mapping[str, str], other: OtherHashes) -> None:
    """Add a field that people fill in."""
    if attributes.get("type", "").lower() not in _UNSEEN_FIELDS:
        facts = [f"{key}={attributes[key]}" for key in _FIELD_FACTS if key in attributes]
        other.add(OtherContent.FORM_FIELDS, name, *facts)


def _attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a tag; the first of each name counts."""
    attributes: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag):
        attributes.setdefault(name.lower(), unescape("".join(values)))
    return attributes


def _add_picture(source: str, other: OtherHashes, inside: Callable[[str], bytes | None] | None) -> tuple[str, ...]:
    """Add a picture by its bytes, or return its file name."""
    if source.startswith("data:"):
        other.add(OtherContent.PICTURES, source)
    elif inside is not None and not re.match(r"[a-z]+:|//", source, re.I):
        other.add(OtherContent.PICTURES, inside(source))
    else:
        return (re.split(r"[?#]", source, maxsplit=1)[0].rpartition("/")[2],)
    return ()


def between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Yield the stretches of a text from each opening mark to the next closing mark."""
    position = 0
    while (start := text.find(opening, position)) >= 0 and (end := text.find(closing, start)) >= 0:
        position = end + len(closing)
        yield text[start:position]


def without_huge_tags(page: str) -> str:
    """Return a page's source with huge tags reduced to their names."""
    step = HUGE // 2  # a huge tag spans a stretch of this length
    may_hold = any(page.find("<", start, start + step) < 0 for start in range(0, len(page) - step, step))
    return _HUGE_TAG.sub(r"<\1>", page) if may_hold else page
