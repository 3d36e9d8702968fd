"""Kinds in which one text is stored in several ways that a program shows alike: subtitles, numbered lists, printed web
pages, old encodings, Markdown with tags, numbered lines, sources for TeX, notebooks, transcripts, chats, exports."""

from __future__ import annotations

import itertools
import json
import re
import textwrap
import unicodedata
from collections.abc import Iterator
from html import escape

from tests import making
from tests.quality.kinds.writing import Paragraphs, Writer
from tests.quality.making import Folder

_TEXTS = 5
_LANGUAGES = ("en", "es")
_ACCENTS = {"\u0301": "'", "\u0303": "~", "\u0308": '"'}


def _sentences(paragraphs: Paragraphs) -> list[str]:
    return [sentence for paragraph in paragraphs for sentence in re.split(r"(?<=[.;]) ", paragraph) if sentence]


def _all_alike(folder: Folder, texts: dict[str, dict[str, bytes]]) -> Folder:
    """Add the ways in which each text is stored: all of one text are versions, all others are not."""
    for number, ways in texts.items():
        files = {f"{number}-{way}": data for way, data in ways.items()}
        folder.files |= files
        folder.texts |= dict.fromkeys(files, ())
        folder.positives += itertools.combinations(files, 2)
    folder.none("another text")
    return folder


def _time(seconds: float, sign: str = ",") -> str:
    whole = int(seconds)
    return f"{whole // 3600:02}:{whole // 60 % 60:02}:{whole % 60:02}{sign}{round(seconds % 1 * 1000):03}"


def subtitles(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make subtitles in three formats and for two recordings, and their words."""
    texts = {}
    for number, language in itertools.product(range(_TEXTS), _LANGUAGES):
        lines = textwrap.wrap(" ".join(writer.text(language, 400)), 40)
        begins = [3.2 * place for place in range(len(lines))]

        def srt(late: float, speed: float, lines: list[str] = lines, begins: list[float] = begins) -> bytes:
            cues = ((_time(late + speed * begin), _time(late + speed * begin + 2.5)) for begin in begins)
            return "\n\n".join(
                f"{place}\n{start} --> {stop}\n{line}"
                for place, ((start, stop), line) in enumerate(zip(cues, lines, strict=True), 1)
            ).encode()

        vtt = (f"{_time(b, '.')} --> {_time(b + 2, '.')}\n{line}" for b, line in zip(begins, lines, strict=True))
        lyrics = (f"[{int(b) // 60:02}:{b % 60:05.2f}]{line}" for b, line in zip(begins, lines, strict=True))
        texts[f"{language}{number}"] = {
            "first.srt": srt(1.5, 1), "other.srt": srt(9.13, 1.0427),
            "captions.vtt": "\n\n".join(["WEBVTT", *vtt]).encode(),
            "sung.lrc": "\n".join(lyrics).encode(), "words.txt": " ".join(lines).encode(),
        }  # fmt: skip
    yield "subtitles", _all_alike(Folder(), texts)


def numbered(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make contracts whose clauses a page, a Word file and Markdown number by themselves, and texts that store the
    numbers; and texts with numbered lines."""
    clauses, lines = {}, {}
    for number, language in itertools.product(range(_TEXTS), _LANGUAGES):
        items = _sentences(writer.text(language, 500))
        listed = [f"{place}. {item}" for place, item in enumerate(items, 1)]
        lettered = [f"({chr(97 + place % 20)}) {item}" for place, item in enumerate(items)]
        broken = [line for item in listed for line in textwrap.wrap(item, 90)]
        page = "".join(f"<li>{escape(item)}</li>" for item in items)
        clauses[f"{language}{number}"] = {
            "page.html": f"<!doctype html><meta charset=utf-8><body><main><ol>{page}</ol></main>".encode(),
            "computed.docx": making.docx(items), "stored.txt": "\n".join(listed).encode(),
            "lettered.txt": "\n".join(lettered).encode(),
            "notes.md": "\n".join(f"1. {item}" for item in items).encode(),
            "printed.pdf": making.pdf([broken[start : start + 50] for start in range(0, len(broken), 50)]),
        }  # fmt: skip
        rows = textwrap.wrap(" ".join(items), 70)
        lines[f"{language}{number}"] = {
            "plain.txt": "\n".join(rows).encode(),
            "counted.txt": "\n".join(f"{place:4}  {row}" for place, row in enumerate(rows, 1)).encode(),
            "pleading.pdf": making.pdf(
                [
                    [f"{place} {row}" for place, row in enumerate(rows[start : start + 28], 1)]
                    for start in range(0, len(rows), 28)
                ]
            ),
        }
    yield "numbered-lists", _all_alike(Folder(), clauses)
    yield "numbered-lines", _all_alike(Folder(), lines)


def printed(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make web pages of one or two printed pages, with what browsers print around them; README files with tags."""
    pages, readmes = {}, {}
    for number, language in itertools.product(range(_TEXTS), _LANGUAGES):
        text = writer.text(language, 45 + 60 * number)
        title = " ".join(text[0].split()[:5])
        rows = textwrap.wrap(" ".join(text), 90)
        sheets = [rows[start : start + 4] for start in range(0, len(rows), 4)][:1] + [rows[4:]] * (len(rows) > 4)
        around = [
            [
                f"11/{9 + number}/26, 6:24 PM {title}",
                *sheet,
                f"https://example.org/{language}/{number} {place}/{len(sheets)}",
            ]
            for place, sheet in enumerate(sheets, 1)
        ]
        body = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in text)
        pages[f"{language}{number}"] = {
            "page.html": f"<!doctype html><meta charset=utf-8><body><main>{body}</main>".encode(),
            "printed.pdf": making.pdf(around), "copied.txt": making.txt(text),
        }  # fmt: skip
        words = [paragraph.split(" ") for paragraph in text]
        marked = "\n\n".join(" ".join([*w[:4], f"[{w[4]}][1]", f"<b>{w[5]}</b>", *w[6:]]) for w in words if len(w) > 6)
        badge = "[![](https://ci.example/state.svg)](https://ci.example/build)"
        readmes[f"{language}{number}"] = {
            "readme.md": f'<p align="center"><img src="logo.png"></p>\n\n{badge}\n\n{marked}\n\n[1]: https://m.example/\n'.encode(),
            "readme.html": pages[f"{language}{number}"]["page.html"],
            "readme.txt": making.txt([" ".join(w) for w in words if len(w) > 6]),
        }  # fmt: skip
    yield "printed-pages", _all_alike(Folder(), pages)
    yield "readmes", _all_alike(Folder(), readmes)


def encodings(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make Spanish texts in the encodings of DOS, Unix, Windows and the Macintosh, and in UTF-8 encoded twice."""
    texts = {}
    for number in range(_TEXTS):
        text = "\n\n".join(writer.text("es", 200))
        ways = {f"{name}.txt": text.encode(name) for name in ("utf-8", "utf-16", "cp1252", "cp850", "mac-roman")}
        texts[str(number)] = ways | {"twice.txt": text.encode().decode("latin-1").encode()}
    yield "encodings", _all_alike(Folder(), texts)


def sources(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make texts beside their sources for TeX, and notebooks before and after a run beside their words."""
    texts, notebooks = {}, {}
    for number, language in itertools.product(range(_TEXTS), _LANGUAGES):
        text = writer.text(language, 300)
        escaped = [re.sub(r"([%&$#_{}])", r"\\\1", paragraph) for paragraph in text]
        accents = (unicodedata.normalize("NFD", paragraph).replace("ı", "i") for paragraph in escaped)
        tex = [re.sub("(\\w)([\u0301\u0303\u0308])", _command, paragraph) for paragraph in accents]
        texts[f"{language}{number}"] = {
            "source.tex": "\n\n".join([
                r"\documentclass{article}", r"\usepackage[utf8]{inputenc}", r"\begin{document} % here",
                *(rf"\label{{p{place}}}{part}\cite{{k{place}}}" for place, part in enumerate(tex)), r"\end{document}",
            ]).encode(),
            "words.txt": making.txt(text), "word.docx": making.docx(text),
        }  # fmt: skip
        notebooks[f"{language}{number}"] = {
            "clean.ipynb": _notebook(text, 0), "run.ipynb": _notebook(text, 300), "again.ipynb": _notebook(text, 900),
            "words.txt": making.txt(text),
        }  # fmt: skip
    yield "sources-tex", _all_alike(Folder(), texts)
    yield "sources-notebooks", _all_alike(Folder(), notebooks)
    yield "sources-markup", _all_alike(Folder(), {str(number): _marked_up(writer) for number in range(_TEXTS)})


def _marked_up(writer: Writer) -> dict[str, bytes]:
    """Write an English text in the markup of manual pages, reStructuredText, wikis, Org, AsciiDoc and XML."""
    text = writer.text("en", 300)
    ways = {
        "page.1": (".TH PAGE 1", ".PP\n.BR {} \\c\n\n\\fI{}\\fP {}", ""),
        "roles.rst": ("", ".. _a:\n\n.. class:: b\n\n:c:`{}` {} {}", ""),
        "wiki.txt": ("= =", "[[a|{}]] '''{}''' {}<ref></ref>{{{{b}}}}", ""),
        "outline.org": ("* -\n#+title: ", "[[a][{}]] {} {}", ""),
        "page.adoc": ("= --", "[[b]]\nlink:a[{}] <<b,{}>> {}", ""),
        "book.xml": ("<book>", "<p a='b'><c>{}</c> {} {}</p>", "</book>"),
    }
    sources = {
        name: "\n\n".join([before, *(marks.format(*paragraph.split(maxsplit=2)) for paragraph in text), after]).encode()
        for name, (before, marks, after) in ways.items()
    }
    return sources | {"words.txt": making.txt(text)}


def _command(accented: re.Match[str]) -> str:
    """Write a letter with an accent as TeX does."""
    letter, accent = accented.groups()
    return f"\\{_ACCENTS[accent]}{{{letter}}}"


def _notebook(text: Paragraphs, results: int) -> bytes:
    """Write a notebook with as many lines of results."""
    outputs = [{"output_type": "stream", "name": "stdout", "text": [f"{line * 31} rows\n" for line in range(results)]}]
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [paragraph]} for paragraph in text] + [
        {"cell_type": "code", "execution_count": results, "metadata": {}, "outputs": outputs, "source": []}
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1).encode()


def timed(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make transcripts and exported chats with the times that programs put before what was said, and without."""
    talks, chats = {}, {}
    for number, language in itertools.product(range(_TEXTS), _LANGUAGES):
        lines = [line for text in _sentences(writer.text(language, 400)) for line in textwrap.wrap(text, 70)]
        begins = [5 * place for place in range(len(lines))]
        coded = [f"[{_time(begin)[:-4]}] {line}" for begin, line in zip(begins, lines, strict=True)]
        pairs = [f"{begin // 60}:{begin % 60:02}\n{line}" for begin, line in zip(begins, lines, strict=True)]
        spans = [
            f"[{_time(begin, '.')} --> {_time(begin + 4, '.')}]  {line}"
            for begin, line in zip(begins, lines, strict=True)
        ]
        talks[f"{language}{number}"] = {
            "edited.docx": making.docx(lines), "coded.docx": making.docx(coded), "page.html": making.html(coded),
            "video.txt": "\n".join(pairs).encode(), "recogniser.txt": "\n".join(spans).encode(),
        }  # fmt: skip
        said = [f"{('Ann', 'Ben K.')[place % 3 // 2]}: {line}" for place, line in enumerate(lines)]
        clock = [(place % 12 + 8, place * 7 % 60) for place in range(len(lines))]
        android = (f"12.03.24, {h:02}:{m:02} - {line}" for (h, m), line in zip(clock, said, strict=True))
        ios = (f"[3/12/24, {h % 12 + 1}:{m:02}:07 PM] {line}" for (h, m), line in zip(clock, said, strict=True))
        chats[f"{language}{number}"] = {
            "copied.docx": making.docx(said),
            "android.txt": "\n".join(android).encode(),
            "ios.txt": "\n".join(ios).encode(),
        }
    yield "transcripts", _all_alike(Folder(), talks)
    yield "chats", _all_alike(Folder(), chats)


def exported(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make exports of records with and without escapes, of calendars at two times, and of notes as pages and feeds."""
    records, calendars, notes = {}, {}, {}
    for number, language in itertools.product(range(_TEXTS), ("es", "zh")):
        text = writer.text(language, 300)
        rows = [{"number": place, "text": line} for place, line in enumerate(_sentences(text))]
        records[f"{language}{number}"] = {
            "plain.json": json.dumps(rows, ensure_ascii=False, indent=1).encode(),
            "escaped.json": json.dumps(rows).encode(),
            "lines.jsonl": "\n".join(json.dumps(row, ensure_ascii=False) for row in rows).encode(),
        }  # fmt: skip
        calendars[f"{language}{number}"] = {f"{way}.ics": _calendar(rows, way) for way in ("first", "again")}
        page = "".join(f"<p>{escape(paragraph)}</p>" for paragraph in text)
        feed = '<?xml version="1.0"?><feed><entry><content type="html">{}</content></entry></feed>'
        notes[f"{language}{number}"] = {
            "page.html": making.html(text), "feed.xml": feed.format(escape(page)).encode(),
            "note.xml": feed.format(f"<![CDATA[{page}]]>").encode(),
        }  # fmt: skip
    yield "records", _all_alike(Folder(), records)
    yield "calendars", _all_alike(Folder(), calendars)
    yield "feeds", _all_alike(Folder(), notes)


def _calendar(rows: list[dict[str, object]], way: str) -> bytes:
    """Write a calendar with the bookkeeping of an export and, the second time, broken lines."""
    lines = ["BEGIN:VCALENDAR", f"PRODID:{way}"]
    for row in rows:
        summary = str(row["text"]).replace(",", "\\,")
        if way == "again":
            summary = "\r\n ".join(textwrap.wrap(summary, 20, drop_whitespace=False))
        lines += ["BEGIN:VEVENT", f"UID:{way}{row['number']}", f"SUMMARY:{summary}", "END:VEVENT"]
    return "\r\n".join([*lines, "END:VCALENDAR", ""]).encode()
