"""Subtitles and timed lyrics are compared by their words; their times are other content."""

from __future__ import annotations

import base64
import json
import textwrap
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import OtherContent, labels_as_text, without_labels
from dupfinder.text.extract import shown_texts
from dupfinder.text.normalise import normalise
from dupfinder.text.readers.chats import Timed, without_times
from dupfinder.text.readers.markup import (
    decoded_escapes,
    without_chords,
    without_marks,
    without_points,
    without_printed_links,
    without_ticks,
)
from dupfinder.text.readers.plain import read_plain, with_cell_ends
from tests import making
from tests.making import PARAGRAPHS
from tests.text.other_content import read, unlike

LINES = [line for paragraph in PARAGRAPHS for line in paragraph.split(", ")]


def _srt(late: int) -> str:
    cues = (f"{number}\n00:{number:02}:{late:02},500 --> 00:{number:02}:{late + 3:02},000" for number in range(1, 60))
    return "\n\n".join(f"{cue}\n<i>{line}</i>" for cue, line in zip(cues, LINES, strict=False)) + "\n"


WAYS = {
    "subrip": _srt(1),
    "webvtt": "WEBVTT\n\n"
    + "\n\n".join(f"00:{n:02}.500 --> 00:{n:02}.900 align:start\n{line}" for n, line in enumerate(LINES)),
    "webvtt with names of cues": "WEBVTT\n\n"
    + "\n\n".join(f"9f1c-4c43/{n}-0 (Ann)\n00:{n:02}.500 --> 00:{n:02}.900\n{line}" for n, line in enumerate(LINES)),
    "microdvd": "\n".join(f"{{{n * 80}}}{{{n * 80 + 60}}}{{y:i}}{line}" for n, line in enumerate(LINES)),
    "ssa": "\n".join(
        f"Dialogue: 0,0:{n:02}:01.00,0:{n:02}:03.50,Default,,0,0,0,,{{\\i1}}{line}" for n, line in enumerate(LINES)
    ),
    "webvtt with remarks": "WEBVTT\nKind: captions\nLanguage: en\n\nSTYLE\n::cue { color: white }\n\nNOTE by hand\n\n"
    + "\n\n".join(f"00:{n:02}.500 --> 00:{n:02}.900\n<v Ann>{line}</v>" for n, line in enumerate(LINES)),
    "ssa with settings": "[Script Info]\nTitle: x\n\n[V4+ Styles]\nStyle: Default,Arial,20\n\n[Events]\nFormat: Start\n"
    + "\n".join(f"Dialogue: 0,0:{n:02}:01.00,0:{n:02}:03.50,Default,,0,0,0,,{line}" for n, line in enumerate(LINES)),
    "rolling": "WEBVTT\n\n"
    + "\n\n".join(
        f"00:{n:02}.500 --> 00:{n:02}.900\n{before or ' '}\n{line.replace(' ', f'<00:00:{n:02}.600><c> ', 1)}</c>"
        f"\n\n00:{n:02}.900 --> 00:{n:02}.910\n{line}\n "
        for n, (before, line) in enumerate(pairwise(["", *LINES]))
    ),
    "lrc": "\n".join(f"[00:{n:02}.10][01:{n:02}.10] {line}" for n, line in enumerate(LINES)),
}


@pytest.mark.parametrize("way", WAYS)
def test_of_subtitles_only_the_words_stay(way: str) -> None:
    words, cues = without_marks(WAYS[way])
    assert " ".join(words.split()) == " ".join(LINES)
    assert cues.count("\n") >= len(LINES) - 1


def test_subtitles_of_two_recordings_differ_in_other_content_alone() -> None:
    early, late = read_plain(_srt(1).encode()), read_plain(_srt(9).encode())
    assert early.text == late.text
    assert early.other[OtherContent.HEADERS] != late.other[OtherContent.HEADERS]


def test_who_speaks_in_subtitles_and_words_that_are_said_twice_are_told() -> None:
    by_ann = "WEBVTT\n\n" + "\n\n".join(f"00:{n:02}.5 --> 00:{n:02}.9\n<v Ann>{line}" for n, line in enumerate(LINES))
    assert unlike(by_ann.encode(), by_ann.replace("Ann", "Ben").encode(), "a.vtt") == {OtherContent.HEADERS}
    twice = by_ann.replace(LINES[1], f"{LINES[0]}\n{LINES[1]}")
    assert without_marks(twice)[0].count(LINES[0]) == 2


def test_the_names_of_several_speakers_are_words_each_where_another_begins() -> None:
    said = "".join(
        f"\n\n00:{n:02}.5 --> 00:{n:02}.9\n<v{('.loud', '')[n % 2]} {('Ann Lee', 'Bo')[n // 2 % 2]}>{line}</v>"
        for n, line in enumerate(LINES)
    )
    words = without_marks(f"WEBVTT{said}")[0].split()
    shown = (f"{('', ('Ann Lee: ', 'Bo: ')[n // 2 % 2])[n % 2 == 0]}{line}" for n, line in enumerate(LINES))
    assert words == " ".join(shown).split()


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
    terms = "".join(f"<entry xml:lang='en'><term>{word}</term></entry>\n" for word in PARAGRAPHS[0].split())
    assert without_marks(f"<?xml version='1.0'?>{terms}")[0].split() == PARAGRAPHS[0].split()
    feed = f"<?xml version='1.0'?><item>&lt;p&gt;{PARAGRAPHS[0]}&lt;/p&gt;<![CDATA[<p>{PARAGRAPHS[1]}</p>]]></item>"
    assert without_marks(feed)[0].split() == [*PARAGRAPHS[0].split(), *PARAGRAPHS[1].split()]
    styled = "".join(f"<Range Style='CharacterStyle/Regular'>{word}</Range>\n" for word in PARAGRAPHS[0].split())
    assert without_marks(f"<?xml version='1.0'?><Story>{styled}</Story>")[0].split() == PARAGRAPHS[0].split()
    data = "<?xml version='1.0'?>\n" + "".join(f"<entry name='alpha{n}' value='beta'>x</entry>\n" for n in range(9))
    assert without_marks(data) == (data, "")


def test_styles_in_the_attributes_of_xml_are_no_words_however_many_there_are() -> None:
    """As AbiWord and drawings have them: more letters of styles than of text."""
    styles = "".join(f'<s props="font-weight:bold; margin-top:{n}pt; line-height:1.{n}"/>\n' for n in range(99))
    source = f"<?xml version='1.0'?>\n<abiword>{styles}<section><p>{PARAGRAPHS[0]}</p></section></abiword>"
    assert without_marks(source)[0].split() == PARAGRAPHS[0].split()
    without_signs = source.replace(";", " and")
    assert without_marks(without_signs)[0] == without_signs


def test_names_of_xml_may_be_in_any_script() -> None:
    """As in UOF, whose paragraphs are 字:段落 with their properties in as many tags."""
    styled = '<字:段落 字:式样="P1"><字:句><字:文本串>{}</字:文本串></字:句></字:段落>'
    source = f"<?xml version='1.0'?><uof:文档>{''.join(map(styled.format, PARAGRAPHS))}</uof:文档>"
    assert without_marks(source)[0].split() == " ".join(PARAGRAPHS).split()
    without_declaration = f"<записка><абзац>{PARAGRAPHS[0]}</абзац></записка>"
    assert without_marks(without_declaration)[0].split() == PARAGRAPHS[0].split()
    below = "".join(f"<p>{line} &lt; 5 or <字>1</字></p>" for line in LINES)
    assert without_marks(f"<?xml version='1.0'?><a>{below}</a>")[0].count("< 5 or") == len(LINES)


def test_paragraphs_and_rows_of_xml_without_line_ends_begin_lines() -> None:
    book = f"<title>1. Tides</title><p>{PARAGRAPHS[0]}</p><title>2. Wells</title><tr><td>a</td><td>b</td></tr>"
    lines = without_marks(f"<?xml version='1.0'?><book>{book}</book>")[0].split("\n")
    assert [" ".join(line.split()) for line in lines] == ["", "1. Tides", PARAGRAPHS[0], "2. Wells", "a b"]


@pytest.mark.parametrize(
    ("source", "words"),
    [
        (
            "<p>Where H<sub>2</sub>O is <i>p</i>-type, the 5<sup>th</sup></p><p>one</p>",
            "Where H2O is p-type, the 5th one",
        ),
        ("<p>One<lb/>two<note>three</note> four<br></br>five</p>", "One two three four five"),
        ("<s><title>Boats</title>The pier<name>Ann</name></s>", "Boats The pier Ann"),
        ("<p>The <code>&lt;b&gt;</code> or <code>&lt;/i&gt;</code> tag</p>", "The <b> or </i> tag"),
        ("<p>&lt;p&gt;One&lt;/p&gt;<![CDATA[<li>two<li>th<b>ree</b>]]></p>", "One two three"),
    ],
)
def test_tags_within_words_of_xml_do_not_part_them(source: str, words: str) -> None:
    assert " ".join(without_marks(f"<?xml version='1.0'?><a>{source}</a>")[0].split()) == words


def test_footnotes_of_docbook_follow_the_text() -> None:
    page = "<article><para>The tide<footnote><para>Of all seas.</para></footnote> rises twice a day.</para></article>"
    assert " ".join(without_marks(page)[0].split()) == "The tide rises twice a day. Of all seas."


def test_xml_about_one_tag_is_not_that_about_another() -> None:
    marks = {without_marks(f"<?xml version='1.0'?><a>Type &lt;{tag}&gt;x&lt;/{tag}&gt; there.</a>")[1] for tag in "bi"}
    assert len(marks) == 2


def test_names_that_an_xml_document_declares_are_their_strings() -> None:
    declared = "<!DOCTYPE book PUBLIC 'a' 'b' [\n<!ENTITY boat \"the sloop\">\n<!ENTITY % c SYSTEM 'd'> %c;\n]>\n"
    words, marks = without_marks(
        f"<?xml version='1.0'?>\n{declared}<book><p>Moor &boat; &amp; &pier; there.</p></book>"
    )
    assert words.split() == ["Moor", "the", "sloop", "&", "&pier;", "there."]
    assert "ENTITY boat" in marks


def test_xml_in_chinese_is_a_document_with_half_as_many_letters() -> None:
    page = "<?xml version='1.0'?>\n<page id='print-select' type='topic'><p>只打印选定的页或页面范围。</p></page>"
    assert without_marks(page)[0].split() == ["只打印选定的页或页面范围。"]
    assert without_marks(page.replace("选定的页或页面范围", "")) == (page.replace("选定的页或页面范围", ""), "")


def test_pictures_in_xml_and_what_a_fiction_book_says_of_itself_are_no_words() -> None:
    picture = base64.encodebytes(bytes(range(256)) * 4).decode()
    described = "<description><title-info><genre>antique</genre></title-info></description>"
    book = f"<body><p>{PARAGRAPHS[0]}</p></body><binary id='a.png'>\n{picture}</binary>"
    source = f"<?xml version='1.0'?>\n<FictionBook xmlns='a'>\n{described}{book}</FictionBook>"
    words, marks = without_marks(source)
    assert words.split() == PARAGRAPHS[0].split()
    assert marks != without_marks(source.replace(picture[:40], picture[40:80]))[1]


def test_a_fiction_book_whose_description_has_no_end_is_looked_through_once() -> None:
    source = "<?xml version='1.0'?>\n" + "<FictionBook ><description>" * 20_000 + PARAGRAPHS[0] + "</FictionBook>"
    before = time.process_time()
    assert without_marks(source)[0].split() == PARAGRAPHS[0].split()
    assert time.process_time() - before < 5  # the square of it takes half a minute


def test_what_abiword_says_of_a_document_is_no_text_of_it() -> None:
    facts = '<m key="dc.format">application/x-abiword</m>\n<m key="dc.creator">A &amp; B</m>\n'
    body = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS)
    source = f"<?xml version='1.0'?>\n<abiword>\n<metadata>\n{facts}</metadata>\n<section>{body}</section></abiword>"
    words, marks = without_marks(source)
    assert normalise(words) == normalise("\n".join(PARAGRAPHS)) and "x-abiword" in marks
    kept = source.replace("<m key", "<fact key").replace("</m>", "</fact>")  # words of another format
    assert "application/x-abiword" in without_marks(kept)[0]


def test_a_formula_that_an_article_has_in_two_forms_is_read_once() -> None:
    tex = "<tex-math>\\documentclass{minimal} \\begin{document}$$x_1$$\\end{document}</tex-math>"
    mathml = "<mml:math><mml:msub><mml:mi>x</mml:mi><mml:mn>1</mml:mn></mml:msub></mml:math>"
    begin, end = "<?xml version='1.0'?><article><p>The width is <alternatives>", "</alternatives> in all.</p></article>"
    words, marks = without_marks(begin + tex + mathml + end)
    assert words.split() == ["The", "width", "is", "x1", "in", "all."] and "documentclass" in marks
    assert "x_1" in without_marks(begin + tex + "<graphic/>" + end)[0]
    half = "<mml:mfrac><mml:mrow><mml:mn>1</mml:mn><mml:mi>y</mml:mi></mml:mrow><mml:mn>2</mml:mn></mml:mfrac>"
    fraction = mathml.replace("</mml:msub>", f"</mml:msub>{half}<mml:mi>z</mml:mi>")
    assert without_marks(begin + fraction + end)[0].split() == [
        "The",
        "width",
        "is",
        "x1",
        "1y",
        "2",
        "z",
        "in",
        "all.",
    ]
    start = time.process_time()
    without_marks(begin + mathml + "<alternatives><tex-math><math>" * 20_000)
    assert time.process_time() - start < 5


def test_a_document_that_word_saved_as_one_xml_file_is_its_paragraphs() -> None:
    run = "<w:r><w:t>Ti</w:t></w:r><w:r><w:t xml:space='preserve'>des &amp;</w:t><w:tab/></w:r>"
    body = f"<w:p w:x='1'><w:pPr/>{run}</w:p>"
    heads = "<w:sectPr><w:hdr><w:p><w:r><w:t>Head</w:t></w:r></w:p></w:hdr></w:sectPr>"
    document = (
        f"<?xml version='1.0'?>\n<w:wordDocument><w:styles/><w:body>{body}{heads}{body}</w:body></w:wordDocument>"
    )
    words, marks = without_marks(document)
    assert words.split() == ["Tides", "&"] * 2 and "Head" in marks


def test_words_that_word_stores_twice_in_one_xml_file_are_read_once() -> None:
    def paragraph(words: str) -> str:
        return f"<w:p><w:r><w:t>{words}</w:t></w:r></w:p>"

    box = f"<mc:Choice>{paragraph('Boxed')}</mc:Choice><mc:Fallback><w:pict>{paragraph('Boxed')}</w:pict></mc:Fallback>"
    moved = f"<w:moveFromRangeStart/><w:moveFrom w:id='1'>{paragraph('Moved')}</w:moveFrom>{paragraph('words')}"
    body = f"{box}{moved}<w:moveTo>{paragraph('Moved')}</w:moveTo>"
    document = f"<?xml version='1.0'?>\n<pkg:package><w:body>{body}</w:body></pkg:package>"
    assert without_marks(document)[0].split() == ["Boxed", "words", "Moved"]


def test_a_workbook_that_excel_saved_as_xml_is_its_cells() -> None:
    cells = "".join(f"<Row><Cell><Data ss:Type='String'>{text}</Data></Cell></Row>\n" for text in PARAGRAPHS)
    about = "<DocumentProperties xmlns='urn:o'><Author>Ann</Author></DocumentProperties>"
    options = "<x:WorksheetOptions><x:ProtectObjects>False</x:ProtectObjects></x:WorksheetOptions>"
    sheet = f"<Worksheet ss:Name='Sheet1'><Table>\n{cells}</Table>{options}</Worksheet>"
    words, marks = without_marks(f"<?xml version='1.0'?>\n<Workbook xmlns='urn:s'>{about}{sheet}</Workbook>")
    assert words.split() == " ".join(PARAGRAPHS).split() and "Ann" in marks


@pytest.mark.parametrize("kind", ["footnote", "endnote"])
def test_notes_of_a_document_that_word_saved_as_xml_are_behind_its_paragraphs(kind: str) -> None:
    def paragraph(words: str, note: str = "") -> str:
        return f"<w:p><w:r><w:t>{words}</w:t></w:r>{note}</w:p>"

    note = f"<w:{kind}>{paragraph('A note.')}</w:{kind}>"
    within = f"<w:wordDocument><w:body>{paragraph('Tides', note)}{paragraph('rise.')}</w:body></w:wordDocument>"
    apart = f"<pkg:package><w:body>{paragraph('Tides')}{paragraph('rise.')}</w:body>{note}</pkg:package>"
    for document in (within, apart):
        assert without_marks(f"<?xml version='1.0'?>\n{document}")[0].split() == ["Tides", "rise.", "A", "note."]


def test_numbers_of_lines_are_removed_and_those_of_rows_stay() -> None:
    lines = [line for paragraph in PARAGRAPHS * 2 for line in textwrap.wrap(paragraph, 30)]
    numbered = "\n".join(f"{number:4}  {line}" for number, line in enumerate(lines, 1))
    assert [line.strip() for line in without_marks(numbered)[0].split("\n")] == lines
    rows = "\n".join(f"{number} {line.capitalize()}" for number, line in enumerate(lines, 1))
    assert without_marks(rows) == (rows, "")
    articles = "\n".join(f"{number} {line}" for number, line in enumerate(lines, 1000))
    assert without_marks(articles) == (articles, "")


SONG = [f"We sing the {number} line of our song" for number in ("first", "second", "third", "last")]


def test_chords_within_the_lines_of_a_song_and_the_names_of_its_parts_are_no_words() -> None:
    song = (
        "{title: The well}\n{capo: 2}\n[Verse 1]\n[Am]The well is [F#m7/C]deep\nand so is [C]the [G]sea\n"
        "[Chorus]\nThe sea\n"
    )
    words, chords, parts = without_chords(song)
    assert " ".join(words.split()) == "The well The well is deep and so is the sea The sea"
    assert chords == "Am F#m7/C C G"
    assert parts == "\n{title: The well}\n{capo: 2}\n[Verse 1]\n[Chorus]"
    above = "[Verse 1]\nAm   F#m7\nThe well is deep\nC      G\nand so is\nDm\nthe sea\nEm\nfor all\n[Outro]\nof us\n"
    assert " ".join(without_chords(above)[0].split()) == "The well is deep and so is the sea for all of us"
    for cited in (
        "wells [A1], roofs [B7], doors [C2] and arches [A2]\n[A1]\nOn wells",
        song.replace("m]", "]").replace("m7", "7"),
    ):
        assert without_chords(cited) == (cited, "", "")


@pytest.mark.parametrize("chords", [["   Am     F#m7", "C/G", " G", "Dm  Bb"], ["Em", "G   C", "D", "Hsus4 "]])
def test_chords_above_the_lines_of_a_song_are_no_words(chords: list[str]) -> None:
    sung = "\n".join(SONG) + "\n"
    with_chords = "".join(f"{above}\n{line}\n" for above, line in zip(chords, SONG, strict=True))
    assert without_chords(with_chords) == (sung, " ".join(" ".join(chords).split()), "")
    key = "".join(f"{line}\n{answer}\n" for line, answer in zip(SONG, "ABCD", strict=True))
    names = "\n".join(["A", "Ann", "B", "Bo", "Am", "C", "Cy", "D", "Di", "E", "Ed"])
    lone = "Am\n\nC\n\nEm\n\nG\n\n" + sung
    prelude = "".join(f"{above}\n" for above in chords) + sung
    levels = "".join(
        f"{line}\n{level}\n" for line, level in zip([*SONG, "so"], ("B2", "C2", "A2", "B2", "A4"), strict=True)
    )
    for text in (key, names, lone, prelude, levels, with_chords[: with_chords.rindex(chords[-1])]):
        assert without_chords(text) == (text, "", "")


def test_a_song_has_the_same_words_with_and_without_chords_in_every_format_and_other_chords_are_told() -> None:
    lines = [line for chord, sung in zip(("Am", "G", "C7", "Dm"), SONG, strict=True) for line in (chord, sung)]
    with_chords = [(making.docx(lines), "a.docx"), ("\n".join(lines).encode(), "a.txt"), (making.odt(lines), "a.odt")]
    for data, name in with_chords:
        assert read(data, name).text.split() == " ".join(SONG).split()
    assert len({read(*song).other[OtherContent.FORM_FIELDS] for song in with_chords}) == 1
    higher = ["Bm" if line == "Am" else line for line in lines]
    assert OtherContent.FORM_FIELDS in unlike(making.docx(lines), making.docx(higher), "a.docx")


CALENDAR = (
    "BEGIN:VCALENDAR\r\nPRODID:{0}\r\nBEGIN:VEVENT\r\nUID:{0}@example.org\r\nDTSTAMP:2024{0}T080000Z\r\n"
    "SUMMARY;LANGUAGE=en:Meeting of the{1} society\\, with guests\r\nDESCRIPTION:Bring the list\\nand the keys\r\n"
    "X-ALT:{0}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


def test_two_exports_of_a_calendar_or_of_contacts_have_the_same_words() -> None:
    first, again = (read_plain(CALENDAR.format(*facts).encode()) for facts in (("0101", ""), ("0605", "\r\n ")))
    assert first.text == again.text == "Meeting of the society, with guests\nBring the list\nand the keys"
    assert first.other != again.other
    old = (
        "BEGIN:VCARD\r\nVERSION:2.1\r\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=\r\n=C3=A9\r\nREV:1\r\nEND:VCARD"
    )
    new = "BEGIN:VCARD\nVERSION:4.0\nFN:José\nREV:2\nEND:VCARD"
    assert read_plain(old.encode()).text == read_plain(new.encode()).text == "José"


def test_programs_that_write_the_fields_of_an_entry_in_other_orders_export_the_same_words() -> None:
    fields = ("N:Ruiz;José;;;", "FN:José Ruiz", "ORG:Mill", "TEL;TYPE=cell:12", "TEL:34", "EMAIL:a@b", "NOTE:Friend")
    card, other = "BEGIN:VCARD\n{}\nEND:VCARD\n".format, "BEGIN:VCARD\nFN:Ann\nTEL:56\nEND:VCARD\n"
    first, again = (
        read_plain((card("\n".join(order)) + other).encode()).text
        for order in (fields, [fields[i] for i in (1, 6, 0, 5, 3, 4, 2)])
    )
    assert first == again
    assert first.endswith("Friend\nAnn\n56")  # entries stay where they are
    swapped = read_plain((card("\n".join(fields[i] for i in (0, 1, 2, 4, 3, 5, 6))) + other).encode()).text
    assert swapped != first  # two numbers may have been put in order by a person


def test_a_number_of_telephone_is_the_same_words_as_its_address() -> None:
    cards = (
        "BEGIN:VCARD\nTEL;TYPE=cell;VALUE=uri:tel:+49-30-12\nEND:VCARD",
        "BEGIN:VCARD\nTEL;CELL:+49-30-12\nEND:VCARD",
    )
    assert len({normalise(without_marks(card)[0]) for card in cards}) == 1


def test_an_alarm_within_an_event_keeps_its_own_words_together() -> None:
    alarm = "BEGIN:VALARM\nDESCRIPTION:Leave\nEND:VALARM"
    event = "BEGIN:VCALENDAR\nBEGIN:VEVENT\n{}\nEND:VEVENT\nEND:VCALENDAR".format
    orders = (("DTSTART:2024", alarm, "SUMMARY:Trip"), ("SUMMARY:Trip", "DTSTART:2024", alarm))
    assert {without_marks(event("\n".join(order)))[0] for order in orders} == {"Leave\nTrip\n2024"}


@pytest.mark.parametrize(
    ("field", "others"),
    [
        ("DTSTART;TZID=Europe/Berlin:2024", ["DTSTART;TZID=America/New_York:2024", "DTSTART:2024"]),
        ("ATTENDEE;PARTSTAT=ACCEPTED:a@b", ["ATTENDEE;PARTSTAT=DECLINED:a@b", "ATTENDEE:a@b"]),
        ('ATTENDEE;CN="Ann: B";RSVP=TRUE:a@b', ['ATTENDEE;CN="Ann: C":a@b', "ATTENDEE;RSVP=TRUE:a@b"]),
        ("TEL;TYPE=HOME:12", ["TEL;TYPE=WORK:12", "TEL;WORK:12", "TEL:12"]),
    ],
)
def test_what_is_shown_beside_a_field_is_read(field: str, others: list[str]) -> None:
    entry = "BEGIN:VCARD\nFN:José\n{0}\nEND:VCARD".format
    shown = normalise(without_marks(entry(field))[0])
    assert all(normalise(without_marks(entry(other))[0]) != shown for other in others)


def test_parameters_of_a_field_that_programs_write_differently_are_not_read() -> None:
    fields = (
        ("TEL;HOME;VOICE:12", 'TEL;TYPE="home,voice";VALUE=text:12', "TEL;TYPE=HOME;TYPE=PREF:12"),
        ("EMAIL:a@b", "EMAIL;INTERNET:a@b", "EMAIL;TYPE=internet,pref:a@b"),
        ("ATTENDEE:a@b", "ATTENDEE;ROLE=REQ-PARTICIPANT;PARTSTAT=NEEDS-ACTION;CUTYPE=INDIVIDUAL:a@b"),
    )
    for same in fields:
        assert len({normalise(without_marks(f"BEGIN:VCARD\n{field}\nEND:VCARD")[0]) for field in same}) == 1


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r'{"a": "caf\u00e9\nbar", "b": "\ud83d\ude00 \"so\""}', '{"a": "café\nbar", "b": "😀 "so""}'),
        (r"a=\u00e9\u00e8, b=\u4e2d, c=\u6587, d=\u00fc", "a=éè, b=中, c=文, d=ü"),
        ("&eacute;t&eacute; &agrave; &#233; &amp;", "été à é &"),
        (r"a \u00e9 in a text on \usepackage", r"a \u00e9 in a text on \usepackage"),
        (r"\u00e9, \u00e8, \u00ea and \u00eb are letters", r"\u00e9, \u00e8, \u00ea and \u00eb are letters"),
        ("&eacute;, &egrave;, &ecirc; and &euml;", "&eacute;, &egrave;, &ecirc; and &euml;"),
        ("R&D; AT&T; &lt;b&gt; &amp; &eacute;", "R&D; AT&T; &lt;b&gt; &amp; &eacute;"),
        (r"[1] a path C:\new\table", r"[1] a path C:\new\table"),
    ],
)
def test_escaped_characters_are_read_as_they_are_shown(escaped: str, text: str) -> None:
    assert decoded_escapes(escaped) == text


def test_ticks_in_boxes_are_no_words() -> None:
    for boxes in ("[x] [ ] [ ]", "( ) (X) ( )", "☐ ☒ ☐", "□ √ □", "□ ■ □", "○ ● ○", "◯ ◉ ◯", "( ) (*) ( )"):
        text = "Smoker? " + " ".join(f"{box} {word}" for box, word in zip(boxes.split(" ", 2), "abc", strict=False))
        assert without_ticks(text.replace("[ ]", "[_]").replace("( )", "(_)"))[1].count("x") == 1
        assert not set(without_ticks(text)[0]) & set("xX☐☒□√■○●")
    assert without_ticks("● first ● second □")[1] == ""
    for boxes in ("⬛ ⬜", "◼ ◻", "⚫ ⚪", "⊠ ☐", "🗹 ☐"):
        yes, no = boxes.split()
        assert without_ticks(f"{yes} a {no} b") == ("  a   b", "x_", "☑ a ☐ b") != without_ticks(f"{no} a {yes} b")
    assert without_ticks("✓ doors ✗ windows")[1] != without_ticks("✗ doors ✓ windows")[1]
    assert without_ticks("- [x] bread\n- [x] milk") == ("-   bread\n-   milk", "xx", "- ☑ bread\n- ☑ milk")
    for prose in (
        "f(x) = g[x], see [1] and (a)",
        "a price (*) and a share [*]",
        "run (x)emacs",
        "Sex: unknown (X) or [x], see page 7",
    ):
        assert without_ticks(prose) == (prose, "", prose)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("是（√）　否（　）", "是（　）　否（√）"), ("是[√]否[ ]", "是[ ]否[√]"), ("是√否", "是否√"),
        ("Yes √ No", "Yes No √"), ("√\t×\t√", "×\t√\t√"), ("√×√√×", "×√√√×"), ("是（✓）否（　）", "是（　）否（✓）"),
        ("評価：◎", "評価：○"), ("合格○", "合格"), ("是（○）否（　）", "是（　）否（○）"), ("○\t×", "×\t○"),
        ("合格●", "合格○"),
    ],
)  # fmt: skip
def test_ticks_and_circles_are_told_at_their_places_in_texts_of_one_format(left: str, right: str) -> None:
    first, second = (read(f"验收记录：{text}。双方签字".encode(), "a.txt").other for text in (left, right))
    assert first.get(OtherContent.LETTERING) != second.get(OtherContent.LETTERING)


TIMED = {
    "transcript": "\n".join(f"[00:{minute:02}:07] {line}" for minute, line in enumerate(LINES)),
    "lines": "\n".join(f"{minute}:07\n{line}" for minute, line in enumerate(LINES)),
    "recogniser": "\n".join(f"[00:{m:02}:07.000 --> 00:{m:02}:30.500]  {line}" for m, line in enumerate(LINES)),
    "captions": "\n\n".join(f"0:{m:02}:07.000,0:{m:02}:30.500\n{line}" for m, line in enumerate(LINES)),
    "chat": "\n".join(f"12.03.24, 14:{m:02} - Ann B.: {line}" for m, line in enumerate(LINES)),
    "chat with seconds": "\n".join(f"\u200e[3/12/24, 2:{m:02}:11 PM] Ann B.: {line}" for m, line in enumerate(LINES)),
    "channel": "\n".join(f"[23:{m:02}] <ann> {line}" for m, line in enumerate(LINES)),
    "behind names": "\n".join(f"Ann B.  {m}:07\n{line}" for m, line in enumerate(LINES)),
}


@pytest.mark.parametrize("way", TIMED)
def test_times_of_transcripts_and_chats_are_no_words(way: str) -> None:
    words, times, *_ = without_times(TIMED[way])
    said = words.replace("Ann B.", "") if way == "behind names" else words
    assert said.split()[: len(" ".join(LINES).split())] == " ".join(LINES).split()
    assert times.count("\n") == len(LINES) - 1


NAMES = ("Ann Baker", "Ben", "Ann Baker", "Ann Baker")
SAID = [*LINES, *(" ".join(reversed(line.split())) for line in LINES)]
TURNS = [(NAMES[number % 4], number, line) for number, line in enumerate(SAID)]
CHATS = {
    "behind the time": "\n".join(f"12.03.24, 14:{m:02} - {name}: {line}" for name, m, line in TURNS),
    "with seconds": "\n".join(f"\u200e[3/12/24, 2:{m:02}:11\u202fPM] {name}: {line}" for name, m, line in TURNS),
    "in China": "\n".join(f"2024/3/12 下午2:{m:02} - {name}: {line}" for name, m, line in TURNS),
    "in Chinese characters": "\n".join(f"{name} 2024年3月12日 14:{m:02}\n{line}" for name, m, line in TURNS),
    "in Korea": "\n".join(f"2024년 3월 12일 오후 2:{m:02}, {name} : {line}" for name, m, line in TURNS),
    "KakaoTalk": "----- 2024년 3월 12일 화요일 -----\n"
    + "\n".join(f"[{name}] [오후 2:{m:02}] {line}" for name, m, line in TURNS),
    "QQ": "\n\n".join(
        f"2024-03-12 14:{m:02}:07 {name}{'(10021)' if name == 'Ben' else '<ann@example.org>'}\n{line}"
        for name, m, line in TURNS
    ),
    "QQ between two": "\n\n".join(f"2024-03-12 14:{m:02}:07 {name}\n{line}" for name, m, line in TURNS),
    "date behind": "\n".join(f"[14:{m:02}, 12.3.2024] {name}: {line}" for name, m, line in TURNS),
    "in brackets": "\n".join(f"[2024-03-12 14:{m:02}] {name}: {line}" for name, m, line in TURNS),
    "name before": "\n\n".join(f"{name}, [12.03.2024 14:{m:02}]\n{line}" for name, m, line in TURNS),
    "name behind": "\n\n".join(f"[12.03.2024 14:{m:02}] {name}\n{line}" for name, m, line in TURNS),
    "dash": "\n".join(f"{name} — 12/03/2024 14:{m:02}\n{line}" for name, m, line in TURNS),
    "name above": "\n".join(f"{name}\n  12/03/24 2:{m:02} PM\n{line}" for name, m, line in TURNS),
    "name below": "\n".join(f"{name[0]}\n14:{m:02}, 12/03/24\n{name}\n{line}" for name, m, line in TURNS),
    "without times": "\n".join(f"{name}: {line}" for name, _, line in TURNS),
    "once for several": "\n".join(
        f"12/03/24 14:{m:02}\n" + (f"{name}\n" if TURNS[m - 1][0] != name else "") + line for name, m, line in TURNS
    ),
}  # fmt: skip
STORED = [
    {"type": "message", "date": f"2024-03-12T14:{m:02}:07", "from": name, "text": ["", {"text": line}]}
    for name, m, line in TURNS
]


@pytest.mark.parametrize("way", CHATS)
def test_a_chat_has_the_same_words_however_its_names_and_times_are_written(way: str) -> None:
    words, _, _, shown = without_times(CHATS[way])
    assert words.split() == without_times(CHATS["behind the time"])[0].split()
    assert words.split()[:-4] == " ".join(SAID).split() and words.split()[-4:-1] == ["Ann", "Baker", "Ben"]
    assert "Ben: " + LINES[1] in " ".join(shown.split())


def test_a_chat_of_line_has_the_words_of_others_below_its_first_line_and_a_timetable_stays() -> None:
    rows = "\n".join(f"14:{minute:02}\t{name}\t{line}" for name, minute, line in TURNS)
    words = without_times(f"[LINE] Ben\n\n2024/03/12(火)\n{rows}").words.split()
    assert words[:2] == ["[LINE]", "Ben"] and words[2:-1] == without_times(CHATS["behind the time"]).words.split()[:-1]
    assert without_times(rows).words == rows


def test_a_chat_stored_as_json_has_its_words_and_one_word_for_all_else() -> None:
    in_seconds = [
        message | {"date": None, "ts": str(1710252007 + 60 * m), "from": {"name": message["from"]}}
        for m, message in enumerate(STORED)
    ]
    in_seconds = [{key: value for key, value in message.items() if value} for message in in_seconds]
    chats = json.dumps({"id": 1, "messages": STORED}), json.dumps(STORED), json.dumps(in_seconds)
    texts = [without_times(without_marks(chat)[0])[0].split() for chat in chats]
    said = without_times(CHATS["behind the time"])[0].split()
    assert all([*text[:-5], *text[-4:]] == said for text in texts)
    assert len({text[-5] for text in texts}) == 3 and without_marks(chats[0])[1] == chats[0]


def test_other_turns_of_a_chat_are_other_words_and_other_times_other_content() -> None:
    chat = CHATS["name before"]
    swapped = chat.replace("Ben", "-").replace("Ann Baker", "Ben").replace("-", "Ann Baker")
    words, other_words = without_times(chat).words.split(), without_times(swapped).words.split()
    assert words[:-1] == other_words[:-1] and words[-1] != other_words[-1]
    others = (
        chat.replace("14:05", "14:04"),
        chat.replace("12.03.2024 14:05", "11.03.2024 14:05"),
        f"21 May 2023\n{chat}",
    )
    texts = [without_times(text) for text in (chat, *others)]
    assert len({" ".join(text.words.split()) for text in texts}) == 1 and len({text.moments for text in texts}) == 4
    assert len({without_times(CHATS[way]).moments for way in ("behind the time", "with seconds", "in China")}) == 1


@pytest.mark.parametrize("heads", [("{time} {name}",), ("12.3.2024 {time} {name}",), ("{time} {name}", "")])
def test_the_times_of_programmes_and_visits_stay_since_no_bracket_is_around_them(heads: tuple[str, ...]) -> None:
    lines = [
        line
        for number, said in enumerate(LINES[:14])
        for line in (*(head.format(time=f"{8 + number}:15", name=("News", "Film")[number % 2]) for head in heads), said)
    ]
    text = "\n".join(lines)
    assert without_times(text) == Timed(text)


def test_day_lines_and_messages_of_one_line_without_a_name_are_no_names() -> None:
    chat = "\n".join(
        f"{day} May 2023\nA\n14:{m:02}\nAnn\n{line}\n14:{m:02}\nfine" for day, (_, m, line) in enumerate(TURNS, 1)
    )
    words = without_times(chat)[0].split()
    assert words[:-2] == " fine ".join([*SAID, ""]).split() and words[-2] == "Ann"


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(f"14:{m:02}:07 {line}" for m, line in enumerate(LINES)),
        "\n".join(f"[14:{m:02}:07] ann: {line}" for m, line in enumerate(LINES)),
        "\n".join(f"2024-03-12 14:{m:02}:07 INFO: {line}" for m, line in enumerate(LINES)),
        "\n".join(f"12.03.24, 14:{m:02} {line}" for m, line in enumerate(LINES)),
        "\n".join(f"0:{30 - m:02} {line}" for m, line in enumerate(LINES)),
        "\n".join([*LINES * 10, "0:01 opening", "0:30 coffee"]),
        "\n".join(f"[2024-03-12 14:{m:02}:07] INFO: {line}" for m, line in enumerate(LINES)),
        "\n".join(f"14:{m:02} {('Bonn', 'Cologne')[m % 2]}" for m in range(20)),
        "\n".join(f"14:{m:02} {('Ann', 'Ben')[m % 2]}\nWard {m % 3}" for m in range(20)),
        "\n".join(f"{('Ann', 'Ben')[m % 2]}: {line}" for m, line in enumerate(LINES)),
        "\n".join(f"{('Name', 'Town', 'Phone')[m % 3]}: {line}" for m, line in enumerate(LINES)),
        "\n".join(f"{('Ann', 'Ben')[m % 3 // 2]}: {3 * line}" for m, line in enumerate(LINES)),
        "\n".join(f"Beginning: 14:{m:02}\n{line}" for m, line in enumerate(LINES)),
        "\n".join(f"14:{m:02} Talk {m}\n{line}" for m, line in enumerate(LINES)),
        "\n\n".join(f"2024-03-12 14:{m:02}:07 {('Ann', 'Ben')[m % 2]}\n{line}" for m, line in enumerate(LINES)),
        "\n".join(f"2024-03-12 14:{m:02}:07 {name}\n{line}" for name, m, line in TURNS),
        "\n\n".join(f"2024-03-12 14:{m:02} {name}\n{line}" for name, m, line in TURNS),
    ],
)
def test_times_of_programs_logs_lists_and_rosters_stay(text: str) -> None:
    assert without_times(text) == (text, "", "", "")


def test_json_that_is_no_chat_stays() -> None:
    for stored in (
        [{"text": line, "date": "2024-03-12T14:05"} for line in LINES],
        [{"text": line, "from": "Ann", "date": "later"} for line in LINES],
        [{"text": line, "from": "Ann"} for line in LINES],
        [{"text": line, "from": f"writer {m}", "date": "2024-03-12T14:05"} for m, line in enumerate(LINES)],
        {"text": "text", "message": 5},
    ):
        text = json.dumps(stored)
        assert without_marks(text) == (text, "")
    assert without_marks("[" * 5000 + '"text":' * 5) == ("[" * 5000 + '"text":' * 5, "")


SEGMENTS = [{"id": m, "start": 4.0 * m, "end": 4.0 * m + 3, "text": f" {line}"} for m, line in enumerate(LINES)]


def test_what_is_said_in_a_recording_has_the_same_words_as_text_json_and_table() -> None:
    spoken = " ".join(LINES).split()
    words = [{"word": word, "start": 0.5} for word in spoken]
    whole = {"text": " ".join(LINES), "segments": [part | {"words": words} for part in SEGMENTS], "language": "en"}
    table = "start\tend\ttext\n" + "\n".join(f"{4000 * m}\t{4000 * m + 3000}\t{line}" for m, line in enumerate(LINES))
    clocks = "Start\tEnd\tText\n" + "\n".join(
        f"00:{4 * m // 60:02}:{4 * m % 60:02}.5\t01:59:59\t{line}" for m, line in enumerate(LINES)
    )
    for text in (json.dumps(whole), json.dumps(SEGMENTS), with_cell_ends(table), with_cell_ends(clocks)):
        said, rest = without_marks(text)
        assert said.split() == spoken and rest == text


def test_who_speaks_in_a_recording_is_named_as_in_a_transcript() -> None:
    names = ["Ann" if number % 2 else "Bo" for number in range(len(SEGMENTS))]
    said, _ = without_marks(json.dumps([part | {"speaker": name} for part, name in zip(SEGMENTS, names, strict=True)]))
    assert said.split("\n") == [f"{name}: {line}" for name, line in zip(names, LINES, strict=True)]
    said, _ = without_marks(json.dumps([part | {"speaker": "Ann"} for part in SEGMENTS]))
    assert said.split("\n") == [f"Ann: {LINES[0]}", *LINES[1:]]


def _captions(*more: object) -> dict[str, object]:
    said = [
        {"tStartMs": 9 * n, "segs": [{"utf8": f"{word} "} for word in line.split()]} for n, line in enumerate(LINES)
    ]
    return {
        "wireMagic": "pb3",
        "events": [{"tStartMs": 0, "id": 1}, *said, {"aAppend": 1, "segs": [{"utf8": "\n"}]}, *more],
    }


def test_captions_that_a_video_site_stores_word_by_word_are_their_words() -> None:
    text = json.dumps(_captions())
    said, rest = without_marks(text)
    assert said.split() == " ".join(LINES).split() and rest == text


@pytest.mark.parametrize(
    "stored",
    [
        _captions() | {"title": "Of the sea"},
        _captions({"note": "and other words"}),
        _captions({"segs": [{"utf8": "a", "note": "and other words"}]}),
        _captions({"segs": "and other words"}),
        _captions({"segs": ["and other words"]}),
        _captions("and other words"),
        [_captions()],
    ],
)
def test_captions_beside_other_words_stay(stored: object) -> None:
    text = json.dumps(stored)
    assert without_marks(text) == (text, "")


def test_recognised_pages_stored_as_alto_have_the_words_of_their_lines() -> None:
    whole = (
        "<TextLine><String ID='a' {0}=\"harbour\"/><SP WIDTH='9'/><String {0}='mas&quot;'/><String {0}='-'/></TextLine>"
    )
    broken = "<a:TextLine ID='2'><a:String HPOS='1' {0}='recog'/><HYP {0}='-'/></a:TextLine>"
    lines = f"{whole}{broken}<TextLine><String {{0}}='nised'/></TextLine>".replace("{0}", "CONTENT")
    text = f"<?xml version='1.0'?><alto><Page>{lines}</Page></alto>"
    words, tags = without_marks(text)
    assert [row.split() for row in words.split("\n")] == [
        ["harbour", 'mas"', "-"],
        ["recog-"],
        ["nised"],
    ] and tags == text


def test_a_chat_that_is_stored_as_a_table_has_the_words_of_other_copies_and_one_for_all_else() -> None:
    rows = "".join(f'\n7,{name},2024-03-12T14:{m:02}:07,"{line}",' for name, m, line in TURNS)
    table = without_marks(with_cell_ends(f"AuthorID,Author,Date,Content,Attachments{rows}"))[0]
    said = without_times(CHATS["behind the time"])[0].split()
    text = without_times(table)[0].split()
    assert [*text[:-5], *text[-4:]] == said


def test_a_chat_of_wechat_has_the_words_of_other_copies_as_text_table_and_json() -> None:
    said = without_times(CHATS["behind the time"])[0].split()
    quoted = "\n".join(f"2024-03-12 14:{minute:02}:07 '{name}'\n{line}\n" for name, minute, line in TURNS)
    assert without_times(quoted)[0].split() == said
    rows = "".join(
        f'\n7,0,1710252007,"{line}",2024-03-12 14:{minute:02}:07,{name},wxid_7' for name, minute, line in TURNS
    )
    table = with_cell_ends(f"localId,Type,CreateTime,StrContent,StrTime,NickName,Sender{rows}")
    stored = json.dumps(
        [{"talker": name, "msg": line, "CreateTime": f"2024-03-12 14:{minute:02}:07"} for name, minute, line in TURNS]
    )
    in_chinese = "".join(f'\n2024-03-12 14:{minute:02}:07,{name},文本,"{line}"' for name, minute, line in TURNS)
    for source in (table, stored, with_cell_ends(f"时间,昵称,类型,内容{in_chinese}")):
        text = without_times(without_marks(source)[0])[0].split()
        assert [*text[:-5], *text[-4:]] == said


@pytest.mark.parametrize(
    "stored",
    [
        {"segments": SEGMENTS, "text": "something else is said"},
        {"segments": SEGMENTS, "title": "The Title of It"},
        [part | {"label": "positive"} for part in SEGMENTS],
        [part | {"translation": "and other words"} for part in SEGMENTS],
        SEGMENTS[::-1],
        SEGMENTS[:3],
        [part | {"start": "later"} for part in SEGMENTS],
        [part | {"start": None} for part in SEGMENTS],
        [part | {"start": ":".join("1" * 300)} for part in SEGMENTS],
    ],
)
def test_records_with_other_words_than_those_of_a_recording_stay(stored: object) -> None:
    text = json.dumps(stored)
    assert without_marks(text) == (text, "")


@pytest.mark.parametrize("tag", ["<outline text='{}' created='2024'>", '<node ID="n1" TEXT="{}">'])
def test_outlines_and_maps_of_thoughts_have_the_words_of_their_entries(tag: str) -> None:
    entries = [paragraph.replace("'", "&#39;") for paragraph in PARAGRAPHS]
    end = f"</{tag[1:].split()[0]}>"
    text = (
        f"<?xml version='1.0'?><list><title>Plans</title>{''.join(map(tag.format, entries))}{end * len(entries)}</list>"
    )
    assert without_marks(text) == ("\n".join(PARAGRAPHS), text)
    data = "".join(text.replace("text=", "value=").replace("TEXT=", "value=").split(" ID=")).replace(" created=", "")
    assert without_marks(data) == (data, "")


def test_a_note_below_an_entry_of_an_outline_is_read() -> None:
    entries = "".join(f"<outline text='{paragraph[:9]}' _note='{paragraph}'/>" for paragraph in PARAGRAPHS[:2])
    text = f"<?xml version='1.0'?><opml><body>{entries.replace('&', '&amp;')}</body></opml>"
    assert without_marks(text)[0].split("\n") == [PARAGRAPHS[0][:9], PARAGRAPHS[0], PARAGRAPHS[1][:9], PARAGRAPHS[1]]


def test_numbers_of_links_and_their_addresses_below_a_page_are_no_words() -> None:
    body = " ".join(PARAGRAPHS)
    words = body.split()
    linked = " ".join(f"[{number}]{word}" if number < 5 else word for number, word in enumerate(words, 1))
    links = "".join(f"{number:4}. https://a.example/{number}\n" for number in range(1, 4))
    page = f"   {linked} [80]\n\nReferences\n\n{links}\n   Hidden links:\n   4. file://b.example\n"
    assert without_marks(page)[0].split() == [*words, "[80]"]
    assert "a.example/2" in without_marks(page)[1]
    without_list = f"{linked}\n\n{links}and so on\nand on\nand on\n"
    assert without_marks(without_list) == (without_list, "")


@given(st.text("абеа\u0301\u0591\u064b א", max_size=20))
def test_vowel_points_are_those_found_character_by_character(text: str) -> None:
    text = "\u0627" + text  # a letter of a pointed script
    is_point = [
        before in "аеиоу" if sign == "\u0301" else sign in "\u0591\u064b" for before, sign in pairwise("\u0627" + text)
    ]
    letters = "".join(sign for sign, pointed in zip(text, is_point, strict=True) if not pointed)
    places = [place for place, pointed in enumerate(is_point) if pointed]
    points = "".join(text[place - (not is_point[place - 1]) : place + 1] for place in places)
    assert without_points(text) == (letters, points)


def test_vowel_points_are_returned_with_their_letters() -> None:
    castle, lock = "за́мок", "замо́к"
    assert without_points(castle)[0] == without_points(lock)[0]
    assert without_points(castle)[1] != without_points(lock)[1]


@pytest.mark.parametrize("form", ["{} ({})", "{}({})", "{}（{}）", "{}\n({})"])
def test_addresses_printed_behind_words_are_links_and_no_words(form: str) -> None:
    def printed(address: str) -> bytes:
        return f"{form.format('Read the yearly report', address)} of the harbour first.".encode()

    report, wrapped = printed("https://a.org/docs/2024"), printed("https://a.org/\n    docs/2024")
    assert not unlike(report, wrapped, "a.txt")
    assert unlike(report, printed("https://a.org/docs/2025"), "a.txt") == {OtherContent.LINKS}
    extracted = read(report, "a.txt")
    assert extracted.text.split() == ["Read", "the", "yearly", "report", "of", "the", "harbour", "first."]
    shown = shown_texts(extracted, extracted, everything=False)[0]
    assert without_labels(shown).split() == extracted.text.split()
    assert "".join(labels_as_text(shown).split()) == "".join(report.decode().split())


@pytest.mark.parametrize("text", ["(https://a.org is ours)", "Read (see https://a.org)", "(https://a.org) is ours"])
def test_addresses_within_sentences_are_words(text: str) -> None:
    assert without_printed_links(text) == (text, "")
