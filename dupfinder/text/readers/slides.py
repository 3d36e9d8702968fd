"""Read PowerPoint presentations (PPTX): slides in order; speaker's notes and comments as streams."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from typing import Any

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.document import Collected, Extracted, MediaType, OtherContent, OtherHashes, Unreadable
from dupfinder.text.lines import CELL_END, ROW_END
from dupfinder.text.normalise import raised
from dupfinder.text.readers.office import SLIDE_TAGS, OfficePart, add_programs
from dupfinder.text.readers.package import Package, core_facts, elements, events, opened, parse_xml, relationships

_MAIN = "ppt/presentation.xml"
_ENDS = {**dict.fromkeys(("p", "br", "text"), "\n"), "tc": CELL_END, "tr": ROW_END}
_TAGS = tuple("{*}" + name for name in (*_ENDS, "t", "tab", "sp", "ph", *SLIDE_TAGS))
_AUTHORS = ("ppt/commentAuthors.xml", "ppt/authors.xml")  # of older and of threaded comments
_HIDDEN = re.compile(rb'<(?:\w{1,20}:)?sld\s[^<>]{0,2000}?\bshow="(?:0|false)"')
_ABOVE = "123456789"  # first characters of "baseline" for a raised run; a lowered one begins with "-"
_PLACEHOLDERS = {"hdr": "headers", "ftr": "footers", "dt": "footers", "sldNum": "footers"}  # ISO 29500-1 19.7.10


def read_pptx(data: bytes) -> Extracted:
    """Return the text of the slides in the order of the presentation."""
    with opened(data) as package:
        slides = _slides(package)
        body, notes, comments = Collected(), Collected(), Collected()
        heads = {"headers": Collected(), "footers": Collected()}
        other = OtherHashes()
        names = _authors(package)
        stream_of = {"diagramData": body, "notesSlide": notes, "comments": comments}  # by kind of relationship
        for number, slide in enumerate(slides):
            _walk(package, slide, body, heads, other)
            if _HIDDEN.search(package.read(slide)):
                other.add(OtherContent.HEADERS, str(number))
            for kind, _, target in relationships(package, slide):
                if kind in stream_of and package.has(target):
                    _walk(package, target, stream_of[kind], heads, other)
                if kind == "comments" and package.has(target):
                    _add_comments(package.read(target), names, other)
        add_programs(package, _MAIN, other)
        other.add_text(OtherContent.NOTES, notes.text())
        other.add_text(OtherContent.HEADERS, "\n".join(stream.text() for stream in heads.values()))
        facts = core_facts(package)
    streams = {name: stream.text().strip() for name, stream in {"notes": notes, "comments": comments, **heads}.items()}
    return Extracted(
        body.text().strip("\n"),
        MediaType.PPTX,
        "pptx-walk",
        streams={name: text for name, text in streams.items() if text},
        pages=len(slides),
        partial=body.full,
        other=other.hashes(MediaType.PPTX),
        **facts,
    )


def _slides(package: Package) -> list[str]:
    """Return the part names of the slides, in the order of the presentation. Raises Unreadable if there is no list."""
    if not package.has(_MAIN):
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PRESENTATION)
    targets = {identity: target for _, identity, target in relationships(package, _MAIN)}
    listed = [
        targets.get(value, "")
        for element in parse_xml(package.read(_MAIN)).iter("{*}sldId")
        for name, value in element.attrib.items()
        if str(name).endswith("}id")
    ]
    existing = [name for name in listed if package.has(name)]
    return existing or sorted(name for name in package.names if posixpath.dirname(name) == "ppt/slides")


def _authors(package: Package) -> dict[str, str]:
    """Return the authors of comments, by number."""
    try:
        parts = [parse_xml(package.read(name)) for name in _AUTHORS if package.has(name)]
    except Unreadable:
        return {}
    return {author.get("id", ""): author.get("name", "") for part in parts for author in part}


def _add_comments(content: bytes, names: dict[str, str], other: OtherHashes) -> None:
    """Add the comments on a slide with their authors."""
    for remark in elements(content, ("cm", "reply")):
        texts = (text.text or "" for text in remark.iter("{*}text", "{*}t"))
        other.add(OtherContent.COMMENTS, names.get(remark.get("authorId", ""), ""), "".join(texts))


def _walk(package: Package, part: str, collected: Collected, heads: dict[str, Collected], other: OtherHashes) -> None:
    """Add the paragraphs of one slide; those in placeholders of running heads to `heads`."""
    content, office = package.read(part), OfficePart(package, part, other)
    skipping = 0
    stream, struck = collected, list[str]()
    for event, element in events(content, _TAGS):
        name = element.tag.rpartition("}")[2]
        if name in SLIDE_TAGS:
            office.meet(event, name, element)
        if name == "Fallback":
            skipping += 1 if event == "start" else -1
        elif name == "sp":
            stream = collected
        elif name == "ph":
            stream = heads.get(_PLACEHOLDERS.get(element.get("type", ""), ""), collected)
        elif event == "end" and not skipping:
            text = element.text or "" if name in ("t", "text") else "\t" if name == "tab" else ""
            style = _style_of(element) if name == "t" else {}
            if style.get("strike", "noStrike") != "noStrike":
                struck.append(text)
            if style.get("baseline", "0")[0] in _ABOVE:
                text = raised(text, "".join(stream.pieces[-1:]))
            stream.add(text + _ENDS.get(name, ""))
    other.add_text(OtherContent.TRACKED_CHANGES, "".join(struck))


def _style_of(text: Any) -> Mapping[str, str]:
    style = text.getparent().find("{*}rPr")
    return dict(style.attrib) if style is not None else {}
