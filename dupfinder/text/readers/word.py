"""Read Word documents (DOCX) by a bounded walk over the parts of the package."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    all_unknown,
    language_tag,
)
from dupfinder.text.lines import CELL_END, ROW_END
from dupfinder.text.normalise import raised
from dupfinder.text.readers.labels import WordLabels
from dupfinder.text.readers.office import (
    FRACTION_PARTS,
    SYMBOL_FONTS,
    WORD_STARTS,
    WORD_TAGS,
    OfficePart,
    add_programs,
    shown_field,
    with_masked_numbers,
    with_symbols,
)
from dupfinder.text.readers.package import (
    Package,
    attr,
    core_properties,
    elements,
    events,
    opened,
    parse_xml,
    relationships,
)

# Tracked deletions, repetitions for older programs, and phonetic readings.
_SKIPPED = frozenset({"del", "moveFrom", "Fallback", "rt"})
_BREAKS = {
    **dict.fromkeys(("p", "txbxContent", "br", "cr"), "\n"),
    **dict.fromkeys(FRACTION_PARTS, " "),
    **{"tab": "\t", "ptab": "\t", "noBreakHyphen": "-", "tc": CELL_END, "tr": ROW_END},
}
_SHOWN = frozenset({"t", "sym"})
_OF_FIELDS = frozenset({"fldChar", "instrText"})
_CODE = re.compile("[0-9A-Fa-f]{2,4}")
_ENDING = frozenset({"p", "tc", "tr", "altChunk"})  # elements after which nothing belongs to the paragraph before
# Matched by local name, which is the same in Strict and Transitional documents.
_TAGS = tuple("{*}" + name for name in {*_SKIPPED, *_BREAKS, *WORD_TAGS, *_SHOWN, *_OF_FIELDS, *_ENDING})
_AT_START = _SKIPPED | WORD_STARTS | {"txbxContent"}  # all others matter at their end
_ANY_AT_START = re.compile(f"[<:](?:{'|'.join(sorted(_AT_START))})[\\s/>]".encode())
_NOTES = ("diagramData", "footnotes", "endnotes")
_ASIDES = {"header": "headers", "footer": "footers", "comments": "comments"}


def read_docx(data: bytes, is_chunk: bool = False) -> Extracted:
    """Return body in document order, then foot- and endnotes; headers, footers and comments are streams.

    is_chunk: another document holds this one, and documents within it are left out.
    """
    with opened(data) as package:
        main = _main_part(package)
        collected, other = TextBuffer(), OtherHashes()
        related = _related(package, main)
        body = _Body(
            _labels_of(package, related),
            None if is_chunk else _adder_of_chunks(package, main, collected, other),
        )
        has_deletions = _walk(package, main, collected, other, body)
        if body.labels is not None:
            body.labels.counter.add_to(other)
        for kind in _NOTES:
            for name in related.get(kind, ()):
                has_deletions |= _walk(package, name, collected, other)
        streams = _asides(package, related, other)
        add_programs(package, main, other)
        properties = core_properties(package)
        properties["language"] = properties.get("language") or _default_language(package, related)
    notes = details(Clause.DELETIONS_LEFT_OUT) if has_deletions else ()
    return Extracted(
        collected.text().strip("\n"),
        MediaType.DOCX,
        "docx-walk",
        streams=streams,
        notes=notes,
        partial=collected.full,
        other=other.hashes(MediaType.DOCX),
        **properties,
    )


def _main_part(package: Package) -> str:
    """Find the part that holds the text of a Word file, and return its name. Raises Unreadable without such a part."""
    if package.has("word/document.xml"):
        return "word/document.xml"
    for kind, _, target in relationships(package, ""):
        if kind == "officeDocument" and package.has(target):
            return target
    raise Unreadable(ProblemKind.DAMAGED, Clause.NO_WORD_DOCUMENT)


def _related(package: Package, main: str) -> dict[str, list[str]]:
    """Return, by kind, the names of the parts that the main part refers to. External targets are ignored."""
    names: dict[str, list[str]] = {}
    for kind, _, target in relationships(package, main):
        if package.has(target):
            names.setdefault(kind, []).append(target)
    return names


def _labels_of(package: Package, related: dict[str, list[str]]) -> WordLabels | None:
    """Return the labels of numbered paragraphs; None if there are none, or their definitions are damaged."""
    names = [name for kind in ("numbering", "styles") for name in related.get(kind, ())[:1]]
    if "numbering" not in related:
        return None
    try:
        parts = [parse_xml(package.read(name)) for name in names]
    except Unreadable:  # Word shows the text without them
        return None
    labels = WordLabels(parts[0], parts[-1])
    return labels if labels.are_numbered else None


def _default_language(package: Package, related: dict[str, list[str]]) -> str:
    """Return the default language of Western text in the styles, else of East Asian text."""
    for name in related.get("styles", ()):
        defaults = next(elements(package.read(name), ("docDefaults",)), None)
        for language in defaults.iter("{*}lang") if defaults is not None else ():
            languages = {str(key).rpartition("}")[2]: str(value) for key, value in language.attrib.items()}
            return language_tag(languages.get("val", "")) or language_tag(languages.get("eastAsia", ""))
    return ""


def _adder_of_chunks(package: Package, main: str, text: TextBuffer, other: OtherHashes) -> Callable[[str], None]:
    """Return a function that adds the text of a document which Word inserts when it opens the file (altChunk).

    The function takes the id of a relationship of the main part. A document that cannot be read makes the text partial.
    """
    names = {identity: target for kind, identity, target in relationships(package, main) if kind == "aFChunk"}

    @cache  # a short document may name one many times
    def chunk_of(name: str) -> Extracted | None:
        reader = _chunk_readers().get(posixpath.splitext(name)[1].lower())
        try:
            return reader(package.read(name)) if reader is not None and package.has(name) else None
        except Unreadable:
            text.full = True
            other.unknown(*all_unknown(MediaType.DOCX))
            return None

    def add(identity: str) -> None:
        if chunk := chunk_of(names.get(identity, "")):
            text.add("\n" + chunk.streams.get("full", chunk.text) + "\n")
            text.full = text.full or chunk.partial
            other.include(chunk.other)

    return add


def _chunk_readers() -> dict[str, Callable[[bytes], Extracted]]:
    """Return the readers of such parts by suffix."""
    from dupfinder.text.readers.html import read_html  # Word documents rarely need these
    from dupfinder.text.readers.mail import read_mhtml
    from dupfinder.text.readers.plain import read_plain
    from dupfinder.text.readers.rtf import read_rtf

    pages = dict.fromkeys((".html", ".htm", ".xhtml"), read_html)
    documents = dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), partial(read_docx, is_chunk=True))
    texts = {".txt": read_plain, ".rtf": read_rtf}
    return {**pages, **documents, **dict.fromkeys((".mht", ".mhtml"), read_mhtml), **texts}


def _asides(package: Package, related: dict[str, list[str]], other: OtherHashes) -> dict[str, str]:
    """Return headers, footers and comments as streams, and add them as other content."""
    streams: dict[str, str] = {}
    heads: set[str] = set()
    for kind, stream in _ASIDES.items():
        texts = []
        for name in sorted({*related.get(kind, ())}):
            collected = TextBuffer()
            _walk(package, name, collected, other)
            texts.append(collected.text())
            if stream == "comments":
                _add_comments(package.read(name), other)
            else:
                heads.add(with_masked_numbers(texts[-1], package.read(name)))
        if text := "".join(texts).strip():
            streams[stream] = text
    for text in sorted(heads):  # sorted, because programs renumber these parts
        other.add_text(OtherContent.HEADERS, text)
    return streams


def _add_comments(content: bytes, other: OtherHashes) -> None:
    """Add comments with their authors."""
    for comment in elements(content, ("comment",)):
        other.add(
            OtherContent.COMMENTS,
            attr(comment.attrib, "author"),
            "".join(text.text or "" for text in comment.iter("{*}t")),
        )
        comment.clear()


@dataclass
class _Field:
    """A field whose end was not met yet. start: of its result among the pieces of a paragraph; None: it has none."""

    code: str = ""
    start: int | None = None


@dataclass(frozen=True, slots=True)
class _Body:
    """What only the body of a document has.

    labels: of its numbered paragraphs; None: it has none. add_chunk: see `_adder_of_chunks`; None: none is added.
    """

    labels: WordLabels | None = None
    add_chunk: Callable[[str], None] | None = None


_NO_BODY = _Body()


def _walk(package: Package, part: str, text: TextBuffer, other: OtherHashes, body: _Body = _NO_BODY) -> bool:
    """Add the text of a part in document order, and its other content. Returns whether it has tracked deletions."""
    content, office = package.read(part), OfficePart(package, part, other)
    has_drop_caps = b"dropCap" in content
    skipping = 0
    has_deletions = False
    pieces: list[str] = []  # of a paragraph
    readings: list[str] = []
    fields: list[_Field] = []  # those around the present place
    for event, element in events(content, _TAGS, _kinds_of_events(content)):
        name = element.tag.rpartition("}")[2]
        if event == "start" and name not in _AT_START:
            continue
        if name in WORD_TAGS or office.changing:
            office.meet(event, name, element)
        if name in _SHOWN and not skipping and not office.hides(element):
            shown = _symbol(element) if name == "sym" else _shown(element, pieces)
            pieces.append(shown if shown.isascii() else with_symbols(shown, partial(_font, element), other))
        elif name in _SKIPPED:
            skipping += 1 if event == "start" else -1
            has_deletions = has_deletions or (name == "del" and len(element) > 0)
            readings += [child.text or "" for child in element.iter("{*}t")] if name == "rt" and not skipping else []
        elif name in _OF_FIELDS and not skipping:
            _handle_field(element, fields, pieces, other)
        elif name in _BREAKS and not skipping and (event == "end") is not (name == "txbxContent"):  # before a text box
            pieces.append("" if has_drop_caps and _is_drop_cap(element) else _BREAKS[name])
        if name in _ENDING:
            if not skipping:
                _end(name, element, pieces, text, office, body)
            element.clear()
    text.add("".join(pieces))
    other.add_text(OtherContent.HEADERS, "".join(readings))
    office.close()
    return has_deletions


def _end(name: str, element: Any, pieces: list[str], text: TextBuffer, office: OfficePart, body: _Body) -> None:
    """Add a paragraph, a cell, a row or an inserted document, which ends. pieces: its text, which is removed there."""
    if name == "p" and body.labels is not None:
        text.add(body.labels.of_next(element))
    text.add("".join(office.shown_of(element, pieces) if name == "p" else pieces))
    pieces.clear()
    if name == "altChunk" and body.add_chunk is not None:
        body.add_chunk(attr(element.attrib, "id"))


def _kinds_of_events(content: bytes) -> tuple[str, ...]:
    """Return which events of its elements matter in a part: only ends, where no element matters at its start."""
    is_utf8 = b"\0" not in content[:64]
    return ("end",) if is_utf8 and not _ANY_AT_START.search(content) else ("start", "end")


def _is_drop_cap(element: Any) -> bool:
    """Tell whether an element is a paragraph with the large first letter of the next one."""
    frame = element.find("{*}pPr/{*}framePr")
    return frame is not None and attr(frame.attrib, "dropCap") in ("drop", "margin")


def _handle_field(element: Any, fields: list[_Field], pieces: list[str], other: OtherHashes) -> None:
    """Handle a part of a field; append to `pieces` what it shows, if its result is computed and not stored."""
    kind = attr(element.attrib, "fldCharType")
    if kind == "begin":
        fields.append(_Field())
    elif fields and element.tag.endswith("}instrText"):
        fields[-1].code += element.text or ""
    elif fields and kind == "separate":
        fields[-1].start = len(pieces)
    elif fields and kind == "end":
        field = fields.pop()
        if field.start is None or not any(pieces[field.start :]):
            pieces.append(shown_field(field.code, other))


def _symbol(element: Any) -> str:
    """Return the character of a symbol, "" if it has none."""
    if not _CODE.fullmatch(char := attr(element.attrib, "char")):
        return ""
    return chr(int(char, 16) | (0xF000 if len(char.lstrip("0")) < 3 and _font(element).lower() in SYMBOL_FONTS else 0))


def _shown(element: Any, pieces: list[str]) -> str:
    """Return the text of an element. pieces: the text before it."""
    text = "\n".join(element.itertext()) if len(element) else element.text or ""  # some programs put breaks within
    if text[-1:].isdecimal() and (power := raised(text, pieces[-1] if pieces else "")) != text:
        properties = element.getparent().iter("{*}vertAlign")
        return power if any("superscript" in align.values() for align in properties) else text
    return text


def _font(element: Any) -> str:
    """Return the font of a symbol, or that of a text's run."""
    fonts = [element, *element.getparent().iter("{*}rFonts")]
    return next(
        filter(None, (attr(source.attrib, name) for source in fonts for name in ("font", "ascii", "hAnsi"))), ""
    )
