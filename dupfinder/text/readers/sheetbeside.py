"""What a workbook (XLSX) holds beside its cells' words: formulas, pictures, comments, fields, objects, links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator

from dupfinder.text.beside import Beside
from dupfinder.text.bounds import Unreadable
from dupfinder.text.document import OtherContent
from dupfinder.text.readers.office import add_drawing, add_programs
from dupfinder.text.readers.package import Package, all_relationships, elements

_MAIN = "xl/workbook.xml"
# Formulas, heads and feet stand in the sheets' sources as they are: by their tags they are told in one pass.
_SHEET_FACT = re.compile(
    rb"<(?:[\w.-]{1,20}:)?(?:(f)|(?:odd|even|first)(?:Header|Footer))(?:\s[^<>]{0,1000})?>([^<]*)<"
)
_BY_KIND = {
    "drawing": OtherContent.PICTURES,
    "hyperlink": OtherContent.LINKS,
    "comments": OtherContent.COMMENTS,
    "threadedComment": OtherContent.COMMENTS,
    **dict.fromkeys(("oleObject", "package"), OtherContent.ATTACHMENTS),
    **dict.fromkeys(("ctrlProp", "control"), OtherContent.FORM_FIELDS),
}


def add_workbook(package: Package, beside: Beside) -> None:
    """Add what the sheets hold. Parts that cannot be read make their kind unknown."""
    for sheet in sorted(name for name in package.names if posixpath.dirname(name) == "xl/worksheets"):
        _add_sheet(package, sheet, beside)
    for name in sorted(name for name in package.names if name.startswith("xl/revisions/revisionLog")):
        beside.add(OtherContent.TRACKED_CHANGES, package.digest(name))
    add_programs(package, _MAIN, beside)


def _add_sheet(package: Package, sheet: str, beside: Beside) -> None:
    content = package.content_within(sheet)
    if content is None:
        beside.unknown(OtherContent.FORMULAS, OtherContent.HEADERS)
    for found in _SHEET_FACT.finditer(content or b""):
        text = found.group(2).decode("utf-8", "replace")
        beside.add_text(OtherContent.FORMULAS if found.group(1) else OtherContent.HEADERS, text)
    try:
        related = sorted(all_relationships(package, sheet))  # their own order says nothing
    except Unreadable:
        beside.unknown(*_BY_KIND.values())
        return
    for kind, _, target, is_outer in related:
        known = _BY_KIND.get(kind)
        if known is None or is_outer != (known is OtherContent.LINKS):
            continue
        try:
            _add_part(package, known, target, beside)
        except Unreadable:
            beside.unknown(known)


def _add_part(package: Package, kind: OtherContent, target: str, beside: Beside) -> None:
    """Add what a relationship of a sheet leads to."""
    if kind is OtherContent.PICTURES:
        add_drawing(package, target, beside)
    elif kind is OtherContent.LINKS:
        beside.add(kind, target)
    elif kind is OtherContent.COMMENTS:
        for author, text in _comments(package, target):
            beside.add(kind, author, text)
    else:
        beside.add(kind, package.digest(target))


def _comments(package: Package, name: str) -> Iterator[tuple[str, str]]:
    """(author, text) of each comment of a part. The author of one that can be answered is a number, and persons' names
    are in another part."""
    authors: list[str] = []
    persons = _persons(package) if "threadedComments/" in name else {}
    for element in elements(package.read(name), ("author", "comment", "threadedComment")):
        if element.tag.endswith("}author"):
            authors.append(element.text or "")
            continue
        number = element.get("authorId", "")
        author = authors[int(number)] if number.isdecimal() and int(number) < len(authors) else ""
        texts = (text.text or "" for text in element.iter("{*}t", "{*}text"))
        yield author or persons.get(element.get("personId", ""), ""), "".join(texts)


def _persons(package: Package) -> dict[str, str]:
    """The names of those who wrote comments that can be answered, by their numbers."""
    parts = (package.read(name) for name in package.names if name.startswith("xl/persons/"))
    found = (person for part in parts for person in elements(part, ("person",)))
    return {person.get("id", ""): person.get("displayName", "") for person in found}
