"""PowerPoint presentations (PPTX): slides in their order, speaker's notes and comments beside them."""

from __future__ import annotations

import posixpath
from io import BytesIO

from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import Collected, Unreadable
from dupfinder.text.document import Extracted, MediaType
from dupfinder.text.package import Package, core_facts, opened, parse_xml, refuse_doctype, relationships

_MAIN = "ppt/presentation.xml"
_TAGS = tuple("{*}" + name for name in ("t", "p", "br", "tab", "Fallback", "text", "sp", "ph"))
_PLACES = {"hdr": "headers", "ftr": "footers", "dt": "footers", "sldNum": "footers"}  # ISO 29500-1 19.7.10


def read_pptx(data: bytes) -> Extracted:
    """The text of the slides in the order they are shown."""
    with opened(data) as package:
        slides = _slides(package)
        body, notes, comments = Collected(), Collected(), Collected()
        furniture = {"headers": Collected(), "footers": Collected()}
        for slide in slides:
            _walk(package.read(slide), body, furniture)
            for kind, _, target in relationships(package, slide):
                if kind == "diagramData" and package.has(target):
                    _walk(package.read(target), body, furniture)
                elif kind == "notesSlide" and package.has(target):
                    _walk(package.read(target), notes, furniture)
                elif kind == "comments" and package.has(target):
                    _walk(package.read(target), comments, furniture)
        facts = core_facts(package)
    beside = {"notes": notes, "comments": comments, **furniture}
    streams = {name: stream.text().strip() for name, stream in beside.items()}
    return Extracted(
        body.text().strip("\n"),
        MediaType.PPTX,
        "pptx-walk",
        streams={name: text for name, text in streams.items() if text},
        pages=len(slides),
        partial=body.full,
        **facts,
    )


def _slides(package: Package) -> list[str]:
    """Part names of the slides, in the order of the presentation's list."""
    if not package.has(_MAIN):
        raise Unreadable(ProblemKind.DAMAGED, "the package holds no presentation")
    targets = {identity: target for _, identity, target in relationships(package, _MAIN)}
    listed = [
        targets.get(value, "")
        for element in parse_xml(package.read(_MAIN)).iter("{*}sldId")
        for name, value in element.attrib.items()
        if str(name).endswith("}id")
    ]
    found = [name for name in listed if package.has(name)]
    return found or sorted(name for name in package.names if posixpath.dirname(name) == "ppt/slides")


def _walk(content: bytes, collected: Collected, furniture: dict[str, Collected]) -> None:
    """Add the paragraphs of one slide; those of the places for heads, feet and numbers into `furniture`."""
    from lxml import etree  # packages alone need it

    refuse_doctype(content)
    skipping = 0
    stream = collected
    events = etree.iterparse(
        BytesIO(content), events=("start", "end"), tag=_TAGS, resolve_entities=False, no_network=True, load_dtd=False
    )
    try:
        for event, element in events:
            name = element.tag.rpartition("}")[2]
            if name == "Fallback":
                skipping += 1 if event == "start" else -1
            elif name == "sp":
                stream = collected
            elif name == "ph":
                stream = furniture.get(_PLACES.get(element.get("type", ""), ""), collected)
            elif event == "end" and not skipping:
                stream.add(element.text or "" if name in ("t", "text") else "\t" if name == "tab" else "")
                stream.add("\n" if name in ("p", "br", "text") else "")
    except etree.XMLSyntaxError as error:
        raise Unreadable(ProblemKind.DAMAGED, "damaged XML in a slide") from error
