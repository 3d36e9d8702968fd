"""Subtitles and timed lyrics are compared by their words; their times are other content."""

from __future__ import annotations

import textwrap

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.readers.marks import without_marks
from dupfinder.text.readers.plain import read_plain
from tests.making import PARAGRAPHS

LINES = [line for paragraph in PARAGRAPHS for line in paragraph.split(", ")]


def _srt(late: int) -> str:
    cues = (f"{number}\n00:{number:02}:{late:02},500 --> 00:{number:02}:{late + 3:02},000" for number in range(1, 60))
    return "\n\n".join(f"{cue}\n<i>{line}</i>" for cue, line in zip(cues, LINES, strict=False)) + "\n"


WAYS = {
    "subrip": _srt(1),
    "webvtt": "WEBVTT\n\n"
    + "\n\n".join(f"00:{n:02}.500 --> 00:{n:02}.900 align:start\n{line}" for n, line in enumerate(LINES)),
    "microdvd": "\n".join(f"{{{n * 80}}}{{{n * 80 + 60}}}{{y:i}}{line}" for n, line in enumerate(LINES)),
    "ssa": "\n".join(
        f"Dialogue: 0,0:{n:02}:01.00,0:{n:02}:03.50,Default,,0,0,0,,{{\\i1}}{line}" for n, line in enumerate(LINES)
    ),
    "lrc": "\n".join(f"[00:{n:02}.10][01:{n:02}.10] {line}" for n, line in enumerate(LINES)),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_words_of_subtitles_are_left(way: str) -> None:
    words, cues = without_marks(WAYS[way])
    assert " ".join(words.replace("WEBVTT", "").split()) == " ".join(LINES)
    assert cues.count("\n") >= len(LINES) - 1


def test_subtitles_of_two_recordings_differ_in_other_content_alone() -> None:
    early, late = read_plain(_srt(1).encode()), read_plain(_srt(9).encode())
    assert early.text == late.text
    assert early.other[OtherContent.HEADERS] != late.other[OtherContent.HEADERS]


@pytest.mark.parametrize(
    "text",
    [
        "\n".join([*LINES * 3, "1", "00:01:02,500 --> 00:01:05,000", "quoted"]),
        "\n".join(f"[12:{minute:02}:07] {line}" for minute, line in enumerate(LINES)),
        "\n".join(f"12:{minute:02} {line} -->" for minute, line in enumerate(LINES)),
        "1\n2\n3\n" * 20,
    ],
)
def test_other_texts_with_times_and_numbers_stay_as_they_are(text: str) -> None:
    assert without_marks(text) == (text, "")


def test_overprinted_and_coloured_characters_are_read_once() -> None:
    words = " ".join(PARAGRAPHS)
    bold = "".join(f"{letter}\b{letter}" if letter.isupper() else letter for letter in words)
    underlined = words.replace("letter", "".join(f"_\b{letter}" for letter in "letter"))
    coloured = words.replace("letter", "\x1b[1;31mletter\x1b[0m")
    for shown in (bold, underlined, coloured):
        assert shown != words and without_marks(shown)[0] == words and without_marks(shown)[1]


def test_an_xml_document_is_its_text_and_xml_data_stays() -> None:
    book = "".join(f"<p id='n{number}'>{text} &amp; more</p>\n" for number, text in enumerate(PARAGRAPHS))
    words, tags = without_marks(f"<?xml version='1.0'?>\n<book><!-- a note -->{book}<![CDATA[raw <b>]]></book>")
    assert words.split() == [*(" & more ".join(PARAGRAPHS)).split(), "&", "more", "raw", "<b>"]
    assert "<p id='n1'>" in tags and "a note" in tags
    without_declaration = f"<!-- of 2024 -->\n<book xmlns='http://a.example'>{book}</book>\n"
    assert without_marks(without_declaration)[0].split() == [*(" & more ".join(PARAGRAPHS)).split(), "&", "more"]
    assert without_marks(without_declaration.removesuffix("</book>\n"))[1] == ""
    data = "<?xml version='1.0'?>\n" + "".join(f"<entry name='alpha{n}' value='beta'>x</entry>\n" for n in range(9))
    assert without_marks(data) == (data, "")


def test_numbers_of_lines_are_removed_and_those_of_rows_stay() -> None:
    lines = [line for paragraph in PARAGRAPHS * 2 for line in textwrap.wrap(paragraph, 30)]
    numbered = "\n".join(f"{number:4}  {line}" for number, line in enumerate(lines, 1))
    assert [line.strip() for line in without_marks(numbered)[0].split("\n")] == lines
    rows = "\n".join(f"{number} {line.capitalize()}" for number, line in enumerate(lines, 1))
    assert without_marks(rows) == (rows, "")
