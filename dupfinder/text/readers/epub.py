"""Read electronic books (EPUB): the chapters in the order of the spine."""

from __future__ import annotations

import posixpath
from functools import partial
from typing import Any
from urllib.parse import unquote

from dupfinder.base.details import Clause
from dupfinder.base.problems import ProblemKind
from dupfinder.text.document import Collected, Extracted, MediaType, OtherContent, OtherHashes, Unreadable, language_tag
from dupfinder.text.readers.html import add_styled, decode_page
from dupfinder.text.readers.link_marks import unmarked, without_navigation
from dupfinder.text.readers.package import Package, opened, parse_time, parse_xml
from dupfinder.text.readers.page_source import Markup, cells_of, prepared
from dupfinder.text.readers.site_chrome import visible_text

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"


def read_epub(data: bytes) -> Extracted:
    """Return the text of the chapters. Raises Unreadable (ENCRYPTED) if DRM protects a chapter."""
    from resiliparse.parse.html import HTMLTree  # loads the parser's C library

    with opened(data) as package:
        book = _book_part(package)
        root = parse_xml(package.read(book))
        chapters = _spine(root, posixpath.dirname(book))
        locked = _locked(package)
        collected, other = Collected(), OtherHashes()
        is_cut = False
        for name in dict.fromkeys(chapters):
            if name in locked:
                raise Unreadable(ProblemKind.ENCRYPTED, Clause.RIGHTS_SCHEME)
            if package.has(name):
                decoded = decode_page(package.read(name))
                is_cut = is_cut or decoded.is_cut
                markup = Markup(decoded.text)
                source = prepared(markup, other, partial(_picture, package, posixpath.dirname(name)))
                tree = HTMLTree.parse_from_bytes(source, "utf-8")
                add_styled(tree, markup, other)
                visible = visible_text(tree, markup)
                text = without_navigation(visible)
                if text.encode("utf-8", "surrogatepass") != visible:
                    other.add(OtherContent.HEADERS, unmarked(visible))
                collected.add(text + cells_of(markup) + "\n")
    return Extracted(
        collected.text().strip("\n"),
        MediaType.EPUB,
        "epub-walk",
        title=_fact(root, "title"),
        author=_fact(root, "creator"),
        created=parse_time(_fact(root, "date")),
        modified=parse_time(_modified(root)),
        language=language_tag(_fact(root, "language")),
        partial=collected.full or is_cut,
        other=other.hashes(MediaType.EPUB),
    )


def _picture(package: Package, folder: str, address: str) -> bytes | None:
    """Return a hash of a picture by its address in a chapter, which is in `folder`."""
    return package.digest(posixpath.normpath(posixpath.join(folder, unquote(address.partition("#")[0]))))


def _book_part(package: Package) -> str:
    """Return the name of the part that lists the chapters, as declared in the container or by its suffix."""
    try:
        roots = parse_xml(package.read(_CONTAINER)).iter("{*}rootfile")
    except Unreadable:  # missing, or damaged
        roots = ()
    declared = [str(root.get("full-path", "")) for root in roots]
    existing = [name for name in declared if package.has(name)] or [
        name for name in package.names if name.endswith(".opf")
    ]
    if not existing:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_BOOK)
    return existing[0]


def _spine(root: Any, folder: str) -> list[str]:
    """Return the part names of the chapters in reading order, or of all pages if the spine lists none.

    The page with the table of contents, which programs make of the headings, is left out.
    """
    items = list(root.iter("{*}item"))
    targets = {item.get("id"): _part(folder, item) for item in items}
    contents = {_part(folder, item) for item in items if "nav" in item.get("properties", "").split()}
    listed = [targets[ref.get("idref")] for ref in root.iter("{*}itemref") if ref.get("idref") in targets]
    pages = listed or [_part(folder, item) for item in items if item.get("media-type") == "application/xhtml+xml"]
    return [page for page in pages if page not in contents] or listed


def _part(folder: str, item: Any) -> str:
    """Return the part name of an item of the manifest."""
    return posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))


def _locked(package: Package) -> frozenset[str]:
    """Return the names of encrypted parts. Encrypted fonts do not matter."""
    if not package.has(_ENCRYPTION):
        return frozenset()
    references = parse_xml(package.read(_ENCRYPTION)).iter("{*}CipherReference")
    return frozenset(unquote(reference.get("URI", "")) for reference in references)


def _modified(root: Any) -> str:
    """Return the declared date of modification, "" if there is none."""
    elements = (meta for meta in root.iter("{*}meta") if meta.get("property") == "dcterms:modified")
    return next((meta.text or "" for meta in elements), "")


def _fact(root: Any, name: str) -> str:
    """Return a Dublin Core element of the book as one line, "" if it is missing."""
    element = next(root.iter("{http://purl.org/dc/elements/1.1/}" + name), None)
    return " ".join((element.text or "").split())[:500] if element is not None else ""
