"""What a web page holds beside its words: pictures written into it, addresses, fields and formulas, by its tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape

from dupfinder.text.beside import Beside
from dupfinder.text.document import OtherContent

# Between the brackets of one tag alone, so that each character of a page is looked at once.
_TAG = re.compile(r"<(a|img|image|input|select|option|textarea|audio|video|source|embed|object)\s([^<>]*)", re.I)
_ATTRIBUTE = re.compile(r"""([A-Za-z:-]{1,20})(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?""")
_ADDRESS = re.compile(r"""(?<![\w:-])href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+))""", re.I)
_SOURCES = ("src", "data", "href", "xlink:href")
_FIELDS = frozenset({"input", "select", "option", "textarea"})
_UNSEEN = frozenset(
    {"hidden", "submit", "button", "search", "image"}
)  # made by the site anew for each visit, or no field
_FIELD_FACTS = ("name", "type", "value", "checked", "selected")


def add_page(page: str, beside: Beside, inside: Callable[[str], bytes | None] | None = None) -> None:
    """Add what the source of a page shows. inside: the bytes of a picture that lies in the same file, by its address.

    A picture that lies elsewhere is an address; of that only the file's name counts, because browsers that save a page
    put its pictures into a folder that is called as the person likes.
    """
    for tag in _TAG.finditer(page):
        name = tag.group(1).lower()
        if name == "a":
            address = _ADDRESS.search(tag.group(2))
            target = unescape("".join(address.groups(""))).strip() if address else ""
            if target and not target.startswith(("#", "javascript:")):
                beside.add(OtherContent.LINKS, target)
            continue
        said = _attributes(tag.group(2))
        if name in _FIELDS:
            if said.get("type", "").lower() not in _UNSEEN:
                beside.add(
                    OtherContent.FORM_FIELDS, name, *(f"{key}={said[key]}" for key in _FIELD_FACTS if key in said)
                )
        elif source := next((said[key] for key in _SOURCES if said.get(key)), ""):
            _add_picture(source, beside, inside)
    for formula in between(page, "<math", "</math>"):
        beside.add(OtherContent.FORMULAS, formula)
    for drawing in between(page, "<svg", "</svg>"):
        beside.add(OtherContent.PICTURES, drawing)


def _attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag; the first of each name counts."""
    found: dict[str, str] = {}
    for name, *values in _ATTRIBUTE.findall(tag):
        found.setdefault(name.lower(), unescape("".join(values)))
    return found


def _add_picture(source: str, beside: Beside, inside: Callable[[str], bytes | None] | None) -> None:
    if source.startswith("data:"):
        beside.add(OtherContent.PICTURES, source)
    elif inside is not None and not re.match(r"[a-z]+:|//", source, re.I):
        beside.add(OtherContent.PICTURES, inside(source))
    else:
        beside.add(OtherContent.LINKS, re.split(r"[?#]", source, maxsplit=1)[0].rpartition("/")[2])


def between(text: str, opening: str, closing: str) -> Iterator[str]:
    """Each stretch of a text from an opening mark to the closing one behind it."""
    place = 0
    while (start := text.find(opening, place)) >= 0 and (end := text.find(closing, start)) >= 0:
        place = end + len(closing)
        yield text[start:place]
