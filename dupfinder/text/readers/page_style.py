"""Apply the style of a web page to its source, as far as it decides which words are apart and which are invisible."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache

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
