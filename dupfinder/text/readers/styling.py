"""What a page's own style sheet makes of inline elements: blocks, which part words, or nothing that is seen."""

from __future__ import annotations

import re

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
_DISPLAYED = (
    rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bstyle\s{{0,9}}=\s{{0,9}}[\"'][^\"'<>]{{0,500}}?\bdisplay\s{{0,9}}:\s{{0,9}}"
)
_STYLED = re.compile(_DISPLAYED + r"(?:block|list-item|flex|grid|flow-root|table))", re.I)
_UNSHOWN = re.compile(_DISPLAYED + r"none\b)", re.I)
_UNSEEN = "data-dupfinder-unseen"
UNSEEN = f"[{_UNSEEN}]"  # the selector of inline elements that `styled` marked as not seen


def styled(page: str) -> str:
    """A page's source as its style shows it: a space before each inline element that is a block or a table's cell, and
    a mark on each that is not seen, for `UNSEEN`.

    Hidden blocks are left alone: scripts show them when a reader asks for them.
    """
    if "display" not in page:
        return page
    if _STYLE_ATTRIBUTE.search(page):
        page = _UNSHOWN.sub(rf"\g<0> {_UNSEEN}", _STYLED.sub(r" \g<0>", page))
    blocks, unseen = _classes(page)
    if blocks:
        page = _of_classes(blocks).sub(r" \g<0>", page)
    return _of_classes(unseen).sub(rf"\g<0> {_UNSEEN}", page) if unseen else page


def _of_classes(names: list[str]) -> re.Pattern[str]:
    """The beginnings of inline elements that are of one of these classes."""
    either = "|".join(re.escape(name) for name in names)
    return re.compile(
        rf"<{_INLINE}(?=\s[^<>]{{0,1000}}?\bclass\s{{0,9}}=\s{{0,9}}"
        rf"(?:[\"'](?:[^\"'<>]{{0,500}}?\s)?(?:{either})[\s\"']|(?:{either})[\s>]))",
        re.I,
    )


def _classes(page: str) -> tuple[list[str], list[str]]:
    """(names of classes shown as blocks, of classes not shown) by the rules that hold for every medium."""
    shown: dict[str, str] = {}
    for sheet in _SHEET.findall(page[:1_000_000]):
        rules = _MEDIA.sub("", _COMMENT.sub("", sheet))
        for selectors, declarations in _RULE.findall(rules):
            displays = _DISPLAY.findall(declarations)
            for name in _CLASS.findall(selectors.strip()) if displays else ():
                shown[name] = displays[-1].lower()
    blocks = [name for name, value in shown.items() if value in _BLOCKS or value.startswith("table")]
    return blocks[:MOST_CLASSES], [name for name, value in shown.items() if value == "none"][:MOST_CLASSES]
