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
_STYLED = re.compile(
    rf"<{_INLINE}\s[^<>]{{0,1000}}?\bstyle\s{{0,9}}=\s{{0,9}}[\"'][^\"'<>]{{0,500}}?\bdisplay\s{{0,9}}:\s{{0,9}}"
    r"(?:block|list-item|flex|grid|flow-root|table)",
    re.I,
)


def part_blocks(page: str) -> str:
    """A page's source with a space before each inline element that its style shows as a block or as a table's cell."""
    if "display" not in page:
        return page
    page = _STYLED.sub(r" \g<0>", page)
    blocks = _classes(page)[0]
    if not blocks:
        return page
    names = "|".join(re.escape(name) for name in blocks)
    shown = re.compile(
        rf"<{_INLINE}\s[^<>]{{0,1000}}?\bclass\s{{0,9}}=\s{{0,9}}"
        rf"(?:[\"'](?:[^\"'<>]{{0,500}}?\s)?(?:{names})[\s\"']|(?:{names})[\s>])",
        re.I,
    )
    return shown.sub(r" \g<0>", page)


def hidden_inline(page: str) -> list[str]:
    """Selectors of inline elements that the page's style does not show at all."""
    return [f"span.{name}" for name in _classes(page)[1]] if "display" in page else []


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
