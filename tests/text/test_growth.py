"""Reading takes time in proportion to the document: twice the links, rows, pages or parts, twice the time."""

from __future__ import annotations

import gc
import json
import time
from collections.abc import Callable
from email.message import EmailMessage
from itertools import islice, product
from pathlib import Path

import pytest

from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from tests import making, making_compound, making_packages
from tests.text.other_content import repacked

MOST_GROWTH = 2.3  # times the processor's seconds for each doubling
DOUBLINGS = 3  # so far apart that a square (64 times) is told from a line (8 times) on a busy machine too
ROUNDS = 12  # of measuring, the shortest time of each size counts: caches and neighbours only ever add to it
_SYLLABLES = ("ba", "co", "di", "fu", "ge", "hy", "ka", "lo", "mi", "nu")


def sentences(count: int) -> list[str]:
    """Different sentences of eight different words."""
    words = islice(map("".join, product(_SYLLABLES, repeat=5)), count)
    return [f"The {word} went to {word}da and to {word}la for all." for word in words]


def page(body: str) -> bytes:
    return f"<!DOCTYPE html><html><head><title>T</title></head><body>{body}</body></html>".encode()


def linked(count: int) -> bytes:
    return page("".join(f"<p>{line} <a href='#{n}'>{n}</a> and</p>" for n, line in enumerate(sentences(count))))


def menu(count: int) -> bytes:
    links = "".join(f"<li><a href='/{n}'>{line}</a></li>" for n, line in enumerate(sentences(count)))
    return page(f"<ul>{links}</ul><p>{' '.join(making.PARAGRAPHS)}</p>")


def table(count: int) -> bytes:
    return page("<table>" + "".join(f"<tr><td>{line}<td>{n}</tr>" for n, line in enumerate(sentences(count))))


def articles(count: int) -> bytes:
    return page("".join(f"<article><h2>{n}</h2><p>{line}</p></article>" for n, line in enumerate(sentences(count))))


def chat(count: int) -> bytes:
    return "\n".join(
        f"14:{n % 60:02}\n{('Ann', 'Ben')[n % 2]}\n{line}" for n, line in enumerate(sentences(count))
    ).encode()


def nested_lists(count: int) -> bytes:
    lists = ("<ul>" + "".join(f"<li>{line}<ul>" for line in lines) + "</ul>" * 21 for lines in _tens(count, 20))
    return page("".join(lists))


def _tens(count: int, size: int) -> list[list[str]]:
    lines = sentences(count)
    return [lines[start : start + size] for start in range(0, count, size)]


def word_table(count: int) -> bytes:
    rows = "".join(
        f"<w:tr><w:tc>{making.word_paragraph(line)}</w:tc><w:tc>{making.word_paragraph('x')}</w:tc></w:tr>"
        for line in sentences(count)
    )
    return making.docx([], body=f"<w:tbl>{rows}</w:tbl>")


def sheet_rows(count: int) -> bytes:
    rows = "".join(
        f"<table:table-row><table:table-cell><text:p>{line}</text:p></table:table-cell></table:table-row>"
        for line in sentences(count)
    )
    return making.opendocument("spreadsheet", f"<table:table>{rows}</table:table>")


def mail_parts(count: int) -> bytes:
    message = EmailMessage()
    message["Subject"] = "Many parts"
    message["From"] = "ann@example.org"
    message["MIME-Version"] = "1.0"
    message.make_mixed()
    for lines in _tens(count * 40, 40):
        part = EmailMessage()
        part.set_content("\n".join(lines))
        message.attach(part)
    return message.as_bytes()


def printed(count: int) -> bytes:
    pages = ["\n".join([*lines, "", f"A. Writer      [Page {n}]"]) for n, lines in enumerate(_tens(count, 50), 1)]
    return "\n\f\n".join(pages).encode()


def one_line(count: int) -> bytes:
    """Pieces of text, all of one line of one page."""
    start, end = '<ofd:TextObject Boundary="0 9 9 9" Size="4"><ofd:TextCode>', "</ofd:TextCode></ofd:TextObject>"
    return making.ofd([["first"]], pieces="".join(f"{start}{line}{end}" for line in sentences(count)))


def nested_controls(count: int) -> bytes:
    """Tables in tables, as deep as records can be, again and again."""
    levels = (
        making_packages.hwp_control("tbl ", n % 1000, making_packages.hwp_list(n % 1000 + 1)) for n in range(count)
    )
    return making_packages.hwp(["first"], body=b"".join(levels))


def one_outline(count: int) -> bytes:
    """Shapes that all refer to one text of the outline, with a field in each."""
    reference, field = (making_compound.ppt_record(kind, content=bytes(4)) for kind in (0x0F9E, 0x0FD8))
    slide = making_compound.ppt_slide(*[making_compound.ppt_shape(reference, field)] * count)
    return making_compound.ppt([slide], outlines={1: making_compound.ppt_text(" ".join(sentences(count)))})


def one_picture(count: int) -> bytes:
    """A book that shows one large picture again and again."""
    body = "".join(f"<p>{line}<img recindex='1'></p>" for line in sentences(count))
    return making.kindle(body, packed=False, pictures=[bytes(100 * count)])


GROWING: dict[str, tuple[int, Callable[[int], bytes]]] = {
    "links.html": (2000, linked),
    "menu.html": (2000, menu),
    "rows.html": (4000, table),
    "articles.html": (2000, articles),
    "lists.html": (2000, nested_lists),
    "chat.txt": (3000, chat),
    "formulas.md": (3000, lambda count: b"$x_1 \\(y \\[z $$\n" * count),
    "paragraphs.docx": (3000, lambda count: making.docx(sentences(count))),
    "rows.docx": (2000, word_table),
    "paragraphs.odt": (3000, lambda count: making.odt(sentences(count))),
    "rows.ods": (2000, sheet_rows),
    "paragraphs.rtf": (2000, lambda count: making.rtf(sentences(count))),
    "pages.ofd": (50, lambda count: making.ofd(_tens(20 * count, 20))),
    "pages.xps": (50, lambda count: making_packages.xps(_tens(20 * count, 20), by="word")),
    "line.xps": (2000, lambda count: making_packages.xps([[" ".join(sentences(count))]], by="word")),
    "paragraphs.hwpx": (3000, lambda count: making_packages.hwpx(sentences(count))),
    "paragraphs.hwp": (3000, lambda count: making_packages.hwp(sentences(count))),
    "controls.hwp": (3000, nested_controls),
    "shapes.vsdx": (3000, lambda count: making_packages.vsdx([sentences(count)])),
    "run.xps": (2000, lambda count: making_packages.xps([["".join(sentences(count))]])),
    "pages.mobi": (
        500,
        lambda count: making.kindle("".join(f"<p>{line}</p>" for line in sentences(count)), packed=False),
    ),
    "line.ofd": (5000, one_line),
    "outline.ppt": (500, one_outline),
    "picture.mobi": (1000, one_picture),
    "slides.pptx": (100, lambda count: making.pptx(_tens(10 * count, 10))),
    "slides.ppt": (100, lambda count: making_compound.ppt(_tens(10 * count, 10))),
    "rows.xlsx": (4000, lambda count: making.xlsx({"A": [[line, 1.5] for line in sentences(count)]})),
    "chapters.epub": (50, lambda count: making.epub(_tens(20 * count, 20))),
    "parts.eml": (100, mail_parts),
    "pages.pdf": (20, lambda count: making.pdf(_tens(30 * count, 30), header="Report {page}")),
    "mappings.yaml": (4000, lambda count: b"- a: 1\n" + b" " * count + b"\n  b: 2\n- a: 3\n  b: 4" + b" " * count),
    "lines.txt": (8000, lambda count: "\n".join(sentences(count)).encode()),
    "notes.txt": (8000, lambda count: b"[8] A\n[9] B\n" + b" ".join(b"word [%d]" % (n % 999) for n in range(count))),
    "pages.txt": (8000, printed),
    "clauses.txt": (
        8000,
        lambda count: "\n".join(f"{n // 90 + 1}.{n % 90 + 1} {s}" for n, s in enumerate(sentences(count))).encode(),
    ),
    "drawn.txt": (2000, lambda count: "\n+--+--+\n".join(["", *(f"|{s}|a|" for s in sentences(count)), ""]).encode()),
    "chapters.pdf": (
        20,
        lambda count: making.pdf([[f"Using the program {n}", *p] for n, p in enumerate(_tens(30 * count, 30))]),
    ),
    "comments.xsl": (2000, lambda count: "\n".join(f"<!-- {line} -->" for line in sentences(count)).encode() + b"<a/>"),
    "manual.1": (
        4000,
        lambda count: (".TH A 1\n" + "\n".join(f".B {s} \\fB\\*(lq" for s in sentences(count))).encode(),
    ),
    "roles.rst": (2000, lambda count: "\n".join(f".. note:: :a:`{line}` `|" for line in sentences(count)).encode()),
    "wiki.txt": (2000, lambda count: ("== A ==\n" + "\n".join(f"{{{{[[{s}]] <br>" for s in sentences(count))).encode()),
    "source.tex": (2000, lambda count: "\n".join(f"\\def\\a{{{s}}}\\item" for s in sentences(count)).encode()),
    "open.html": (1000, lambda count: page("".join(f"<ul><li>{line}" for line in sentences(count)))),
    "apart.html": (
        4000,
        lambda count: page("<div style='display:flex'>" + "".join(f"<b>{line}</b><i>" for line in sentences(count))),
    ),
    "struck.html": (1000, lambda count: page("".join(f"<p><del>{line}" for line in sentences(count)))),
    "buttons.html": (1000, lambda count: page("".join(f"<p><button aria-expanded=1>{s}" for s in sentences(count)))),
    "cards.html": (
        1000,
        lambda count: page(
            "".join(f"<a href='/{n}'><div><h3>{n}</h3>{s}</div></a>" for n, s in enumerate(sentences(count)))
        ),
    ),
    "style.epub": (
        20_000,
        lambda count: repacked(making.epub([["A sentence."]]), {"style.css": "a{display:none}" + "/* map " * count}),
    ),
    "column.txt": (8000, lambda count: "\n".join(str(n * 7919 % 97 + 1) for n in range(count)).encode() + b" words"),
    "accents.txt": (4000, lambda count: ("word a" + "\u0301\u0316" * count).encode()),
    "stream.pdf": (8000, lambda count: making.pdf() + b"%/Subtype/Image stream " * count),
    "chords.docx": (2000, lambda count: making.docx([line for s in sentences(count) for line in ("Am  G/C ", s)])),
    "alto.xml": (
        4000,
        lambda count: (
            "<?xml version='1.0'?><a><TextLine>"
            + "<String CONTENT='a" * count
            + "<String A="
            + " CONTENT=" * count
            + "</a>"
        ).encode(),
    ),
    "outline.opml": (
        4000,
        lambda count: (
            "<?xml version='1.0'?><a>" + "<outline text='a" * count + "<outline a" + " text=" * count + "</a>"
        ).encode(),
    ),
    "captions.json": (
        2000,
        lambda count: json.dumps({"events": [{"segs": [{"utf8": s}]} for s in sentences(count)]}).encode(),
    ),
    "voices.vtt": (
        2000,
        lambda count: (
            "WEBVTT\n" + "\n".join(f"00:01.1 --> 00:02.2\n<v A{n % 2}><v {s}" for n, s in enumerate(sentences(count)))
        ).encode(),
    ),
    "links.md": (8000, lambda count: "\n".join(f"* [{line}](#{line[4:9]})" for line in sentences(count)).encode()),
}


@pytest.mark.parametrize("name", GROWING)
def test_eight_times_the_document_takes_about_eight_times_the_time(name: str) -> None:
    count, make = GROWING[name]
    small, large = make(count), make(count * 2**DOUBLINGS)
    shortest = [float("inf")] * 2
    for _ in range(ROUNDS):
        shortest = [min(pair) for pair in zip(shortest, (_seconds(small, name), _seconds(large, name)), strict=True)]
        if shortest[1] <= MOST_GROWTH**DOUBLINGS * shortest[0]:
            return
    pytest.fail(f"{name}: {shortest[1] / shortest[0]:.1f} times for {2**DOUBLINGS} times the document")


def _seconds(data: bytes, name: str) -> float:
    """The processor's seconds that reading takes, without the collector's, which depends on what else is in memory."""
    gc.disable()
    try:
        began = time.process_time()
        extraction = extract(data, Path(name))
        if extraction.extracted is not None:
            normalise(extraction.extracted.text)
        spent = time.process_time() - began
    finally:
        gc.enable()
    assert extraction.problem is None and extraction.extracted is not None
    return spent
