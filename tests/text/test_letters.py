"""Codes of TeX's bitmap fonts become letters, and other control characters are left alone."""

from __future__ import annotations

import re
from collections.abc import Sequence
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdfium2 import PdfDocument
from reportlab.pdfbase.cidfonts import UnicodeCIDFont
from reportlab.pdfbase.pdfmetrics import registerFont
from reportlab.pdfgen.canvas import Canvas

from dupfinder.text.document import OtherContent
from dupfinder.text.extract import of_text
from dupfinder.text.normalise import normalise
from dupfinder.text.pdf import letters
from dupfinder.text.pdf.letters import letters_for_codes
from dupfinder.text.pdf.reader import read_pdf
from tests.making import PARAGRAPHS, docx, raw_pdf
from tests.text.other_content import read


@pytest.mark.parametrize("name", ["a.txt", "a.docx", "a.html"])
def test_radicals_in_place_of_characters_are_these_in_all_formats(name: str) -> None:
    radicals, characters = "\u2ec5\u9762\u2ed3\u8c08", "\u89c1\u9762\u957f\u8c08"
    made = docx([radicals]) if name == "a.docx" else radicals.encode()
    assert read(made, name).text.strip() == of_text(radicals).text == characters


def test_characters_with_one_glyph_in_many_fonts_are_one_when_texts_are_compared() -> None:
    text = of_text("\u6236\u7c4d \u6238 \u2f3e").text
    assert text == "\u6236\u7c4d \u6238 \u6236", "as the document has it"
    assert normalise(text) == "\u6237\u7c4d \u6237 \u6237"  # as printed in Noto CJK
    assert letters_for_codes(["\ufe35\u2f00\ufe36\u6236"]) == ["(\u4e00)\u6236"]


def test_ligatures_whose_bytes_were_exchanged_are_letters_and_such_characters_alone_are_chinese() -> None:
    assert letters_for_codes(["signi\u6600\u6900cant e\u6600\u6600ect a\u6600\u6600\u6c00ict", "\u7eaa\u6600"]) == [
        "significant effect afflict",
        "\u7eaa\u6600",
    ]


def test_ligatures_of_three_letters_whose_last_two_were_added_are_letters() -> None:
    assert letters_for_codes(["o\u6600\ucf00ce mu\u6600\ud200er \ucf00"]) == ["office muffler \ucf00"]


def test_ligatures_of_either_encoding_are_letters() -> None:
    assert letters_for_codes(["e\x0ecient \x0crst \roor\r\nnext"]) == ["efficient first floor\r\nnext"]
    assert letters_for_codes(["e\x1ecient \x1crst \x1door\r\ngr\xf6\xffer"]) == ["efficient first floor\r\ngrößer"]


def test_the_encoding_is_told_by_the_whole_document() -> None:
    assert letters_for_codes(["\x1crst o\x1ece", "\x1door", "plain"]) == ["first office", "floor", "plain"]


def test_a_single_kind_of_code_may_be_a_line_break_of_another_program() -> None:
    pages = ["one\x0btwo", "three\x0bfour"]
    assert letters_for_codes(pages) == pages


def test_hyphens_that_a_font_draws_for_soft_ones_are_hyphens_and_others_divide_words() -> None:
    assert letters_for_codes(["since 2014\u00ad2017", "New\u00adMaintainer", "co\u00adoperate"]) == [
        "since 2014-2017", "New-Maintainer", "co-operate"
    ]  # fmt: skip
    assert letters_for_codes(["a di\u00advided word"]) == ["a di\u00advided word"]


@given(
    st.lists(st.text(st.characters(min_codepoint=32, exclude_characters=["\u00ad", *map(chr, range(0x2EA0, 0x2EF3))])))
)
def test_pages_without_codes_stay_as_they_are(pages: list[str]) -> None:
    assert letters_for_codes(pages) == pages


def test_angle_brackets_of_fonts_for_tex_are_no_letters() -> None:
    line = b"BT /F1 10 Tf 60 700 Td (Type ) Tj /F2 10 Tf (h) Tj /F1 10 Tf (the name) Tj /F2 10 Tf (i) Tj ET"
    fonts = "/Font << /F1 5 0 R /F2 6 0 R >>"
    page, plain = (
        raw_pdf(line, resources=fonts, extra=[b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name])
        for name in (b"ABCDEF+CMSY10", b"Helvetica")
    )
    assert read_pdf(page).text == "Type ⟨the name⟩"
    assert read_pdf(plain).text == "Type hthe namei"


def printed_line(line: bytes) -> bytes:
    """A page with one line of Helvetica that a TJ operator shows, and enough words for a text."""
    words = b"".join(b" 0 -20 Td (Some more words of this page, line %d) Tj" % number for number in range(9))
    page = raw_pdf(b"BT /F1 12 Tf 50 700 Td [%s] TJ%s ET" % (line, words))
    return page.replace(b"/Helvetica >>", b"/Helvetica /Encoding /WinAnsiEncoding >>")


@pytest.mark.parametrize(
    ("line", "seen"),
    [
        (rb"(caf) -110 (\264) 443 (e noir)", "café noir"),
        (rb"(la tr) -110 (`) 443 (es bonne)", "la très bonne"),
        (rb"(ma) -110 (\230) 443 (nana)", "mañana"),
        (rb"(Fu) 443 (\250) 110 (r die)", "Für die"),
        (rb"(fran) -80 (\270) 415 (cais)", "français"),
        (rb"(Hafen fur) 888 (\250) 500 ( )", "Hafen für"),
        (
            rb"(Ein Ubergang, und vieles mehr in dieser langen Zeile) 21592 (\250) ",
            "Ein Übergang, und vieles mehr in dieser langen Zeile",
        ),
        (rb"(Kapit) -350 (\250) 560 (alchen)", "Kapitälchen"),
        (rb"(ein) -300 (\250) 443 (alter Mann)", "ein älter Mann"),
    ],
)
def test_letters_below_accents_that_are_drawn_by_themselves_have_them(line: bytes, seen: str) -> None:
    assert read_pdf(printed_line(line)).text.splitlines()[0].rstrip() == seen


@pytest.mark.parametrize("text", ["it\264s", "don\264t ask", "/~admin", "use `even' here", "2^a"])
def test_such_signs_beside_letters_are_no_accents(text: str) -> None:
    extracted = read_pdf(printed_line(b"(%s \\344)" % text.replace("\264", "\\264").encode()))
    assert extracted.text.splitlines()[0] == f"{text} ä".replace("\264", "´")


def test_a_page_is_compared_with_its_text_only_if_an_accent_is_drawn_over_a_letter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[str] = []

    def has_characters(textpage: object, text: str) -> bool:
        compared.append(text)
        return True

    monkeypatch.setattr(letters, "has_characters", has_characters)
    assert "`even' here" in read_pdf(printed_line(b"(use `even' here, or 2^a)")).text and not compared
    assert "tr\xe8s" in read_pdf(printed_line(rb"(la tr) -110 (`) 443 (es bonne)")).text and compared


@given(st.text("aé ^`~´¨˛漢あ“…\u2014ừ\r\n", max_size=12))
def test_accents_and_letters_of_another_font_are_sought_as_by_plainer_patterns(text: str) -> None:
    others = "\u0100-\u0590\u0900-\u1fff\u2014\u2018-\u201f\u2026\u2070-\ufb1c\ufe00-\ufe6f\uff00-\U0010ffff"
    for pattern, plainer in (
        (letters._ACCENT, r"[`^~](?=[^\W\d_])|[´ˆ˜¯˘˙¨˚˝ˇ¸˛]"),
        (letters._STRAYS, rf"(?<=\S) [{others}]{{1,3}}(?!\S)|(?<=[\u3040-\u9fff])[\u2014\u2018-\u201f\u2026]"),
    ):
        assert [match.span() for match in pattern.finditer(text)] == [
            match.span() for match in re.finditer(plainer, text)
        ]


def test_letters_are_corrected_on_a_page_with_emoji_too() -> None:
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n1 beginbfchar <5A> <D83DDE07> endbfchar\n"
        b"endcmap end end"
    )
    shown = rb"BT /F1 12 Tf 50 700 Td [(Z in the caf) -110 (\264) 443 (e noir, with some more words)] TJ ET"
    page = raw_pdf(shown, extra=[b"<< /Length %d >>\nstream\n%s\nendstream" % (len(cmap), cmap)])
    page = page.replace(b"/Helvetica >>", b"/Helvetica /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>")
    assert read_pdf(page).text.strip() == "\U0001f607 in the café noir, with some more words"


def page_with_readings(
    lines: Sequence[Sequence[tuple[str, str]]], size: float, font: str, raised: float = 13, height: float = 760
) -> bytes:
    """A page of lines, each of pairs of characters and the reading above them, which has letters of `size` points.

    raised: by how many points a reading is above its characters. height: of the first line.
    """
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfgen.canvas import Canvas

    registerFont(UnicodeCIDFont(font))
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    for number, line in enumerate(lines):
        left, bottom = 60.0, height - 34 * number
        for characters, reading in line:
            canvas.setFont(font, size)
            canvas.drawString(left, bottom + raised, reading)
            canvas.setFont(font, 12)
            canvas.drawString(left, bottom, characters)
            left += 12 * len(characters)
    canvas.save()
    return buffer.getvalue()


FURIGANA = [
    [("毎朝", "まいあさ"), ("六時に", "ろくじ"), ("起きて、", "お")],
    [("公園を", "こうえん"), ("散歩します。", "さんぽ")],
]
PINYIN = [[("城市", "chéng shì"), ("的早晨", "dè zǎo"), ("开始。", "kāi shǐ")]]


BOPOMOFO = [[("專案", "ㄓㄨㄢˊㄢˋ"), ("開始了。", "ㄎㄞ˙")]]


@pytest.mark.parametrize(
    ("lines", "font"), [(FURIGANA, "HeiseiMin-W3"), (PINYIN, "STSong-Light"), (BOPOMOFO, "MSung-Light")]
)
def test_readings_above_characters_of_a_page_are_no_words(
    lines: Sequence[Sequence[tuple[str, str]]], font: str
) -> None:
    written = "".join(characters for line in lines for characters, _ in line)
    extracted = read_pdf(page_with_readings(lines, 6, font))
    without = read_pdf(page_with_readings([[(characters, "") for characters, _ in line] for line in lines], 6, font))
    assert "".join(extracted.text.split()) == "".join(without.text.split()) == written
    headers = OtherContent.HEADERS
    assert extracted.other.get(headers) != without.other.get(headers)


@pytest.mark.parametrize("height", range(12))
def test_readings_may_be_half_a_line_above_their_characters_wherever_these_are_on_the_page(height: int) -> None:
    extracted = read_pdf(page_with_readings(PINYIN, 5, "STSong-Light", raised=1.2 * 12, height=700 + height))
    assert "".join(extracted.text.split()) == "城市的早晨开始。"


def test_lines_from_top_to_bottom_are_read_from_right_to_left() -> None:
    font = "HeiseiMin-W3"
    registerFont(UnicodeCIDFont(font, isVertical=True))
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont(font, 12)
    lines = ["春の朝は早く起きて、", "庭の花に水をやる。", "夏の夜は窓を開けて、", "川の音を聞きながら眠る。"]
    for number, line in enumerate(lines):
        canvas.drawString(500 - 20 * number, 760, line)
    canvas.save()
    assert "".join(read_pdf(buffer.getvalue()).text.split()) == "".join(lines)


def test_the_lines_of_a_narrow_column_are_whole_and_end_where_they_end() -> None:
    buffer = BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Helvetica", 9)
    words = " ".join(5 * PARAGRAPHS).split()
    lines = [" ".join(words[first : first + 5]) for first in range(0, 350, 5)]
    for number, line in enumerate(lines):
        left = 30.0
        for piece in line if number < 10 else [line]:  # browsers place some letters by themselves
            canvas.drawString(left, 800 - 10 * number, piece)
            left += canvas.stringWidth(piece, "Helvetica", 9)
    canvas.drawString(480, 20, "The address of a page")
    canvas.save()
    page = PdfDocument(buffer.getvalue())[0].get_textpage()
    shown = letters.with_whole_lines(page.get_text_range(), page.raw).split("\r\n")
    assert [line.strip() for line in shown[:-1]] == lines


def test_text_in_the_size_of_the_characters_and_small_print_above_them_are_words() -> None:
    large = read_pdf(page_with_readings(FURIGANA, 11, "HeiseiMin-W3")).text
    assert "まいあさ" in large and "こうえん" in large
    small = [[("大会議室の", "本日は休館です"), ("ご案内です", "またどうぞ")]]
    assert "またどうぞ" in read_pdf(page_with_readings(small, 6, "HeiseiMin-W3")).text
