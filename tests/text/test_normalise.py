"""One form for characters that look or mean the same."""

from __future__ import annotations

import re
import string
import sys
import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text import document
from dupfinder.text import normalise as module
from dupfinder.text.extract import of_text
from dupfinder.text.lines import undo_hyphens
from dupfinder.text.normalise import marks_of, normalise, unescape, with_decimal_points, with_powers
from dupfinder.text.readers.markup import without_ticks


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("  Hello\t\r\n World ", "hello world"),
        ("ﬁne ﬂow", "fine flow"),
        ("ＡＢＣ　１２３", "abc 123"),
        ("STRASSE straße", "strasse strasse"),
        ("exam\ufffeple", "example"),
        ("soft\u00adhyphen zero\u200bwidth b\u202eidi", "softhyphen zerowidth bidi"),
        ("bell\x07 nul\x00s", "bell nuls"),
        ("line\u2028separator\u00a0no-break\u3000wide\x1cfile", "line separator no-break wide file"),
        ("e\u0301te\u0301", "été"),
        ("漢字　文書", "漢字 文書"),
    ],
)
def test_text_is_brought_to_one_form(text: str, expected: str) -> None:
    assert normalise(text) == expected


def signs_of(text: str) -> str:
    """The signs of a text, without their places."""
    return module.signs_of(text)[0]


def punctuation_of(text: str) -> bytes:
    """The signs and the punctuation of a text, with their places."""
    return marks_of(text)[0]


def lettering_of(text: str) -> bytes:
    """The capitals of a text and the signs that formats write in different ways, with their places."""
    return marks_of(text)[1]


def slow_normalise(text: str) -> str:
    """The same by the definition, character by character."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    forms = module._one_form()
    kept = [
        character
        for character in "".join(forms.get(letter, letter) for letter in folded).replace("i\u0307", "i")
        if character.isspace() or (unicodedata.category(character) not in ("Cc", "Cf") and character != "\ufffe")
    ]
    return module._with_plain_numbers(" ".join("".join(kept).split()))


@given(st.text())
def test_the_fast_way_gives_what_the_definition_says(text: str) -> None:
    among_plain_words = text + " plain Words" * len(text)
    assert normalise(text) == slow_normalise(text)
    assert normalise(among_plain_words) == slow_normalise(among_plain_words)


def test_every_character_among_plain_words_gives_what_the_definition_says() -> None:
    for first in range(0x80, 0x1FC00, 64):
        characters = [chr(code) for code in range(first, first + 64) if not 0xD800 <= code < 0xE000]
        text = " ".join(f"Plain {character}words{character * 2}" for character in characters)
        assert normalise(text) == slow_normalise(text), hex(first)


@given(st.text("aBÉ-\nΣ1é\u0301ㄱ가ｱ\u200b\ud800\x00\u2028İ■□☑＋−€½", max_size=60), st.integers(1, 8))
def test_a_text_in_pieces_is_the_same_as_in_one(text: str, length: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(document, "_PIECE", length)
        in_pieces = normalise(text), marks_of(text), without_ticks(text), undo_hyphens(text)
    assert in_pieces == (slow_normalise(text), marks_of(text), without_ticks(text), undo_hyphens(text))


@given(st.text(alphabet=st.characters(max_codepoint=0x7F)))
def test_ascii_takes_a_shorter_way_to_the_same_end(text: str) -> None:
    assert normalise(text) == slow_normalise(text)


@pytest.mark.parametrize(
    ("shown", "plain"),
    [
        ("1,110.76 and 12,345,678", "1110.76 and 12345678"),
        ("1.110,76 and 12.345.678", "1110,76 and 12345678"),
        ("CHF 1'110.76, 1’110.76 (1,234)", "chf 1110.76, 1110.76 (1234)"),
        ("1,234元", "1234元"),
        ("2023-05-01T00:00:00.000Z 2023-05-01 00:00 2023-05-01 00:00:00.", "2023-05-01 2023-05-01 2023-05-01."),
        ("2023-05-01T15:52:55.000 2023-05-01T15:52", "2023-05-01 15:52:55 2023-05-01 15:52"),
    ],
)
def test_numbers_and_times_of_spreadsheets_have_the_form_of_files_for_programs(shown: str, plain: str) -> None:
    assert normalise(shown) == plain
    assert of_text(shown).other != of_text(plain).other


@pytest.mark.parametrize(
    "text",
    ["0.125 1,5 12,34 1,2345 1234,567", "v1.234 a1,234", "15:52:55.123 2023-05-01 00:00:01", "2023-05-01 00:00:00.5"],
)
def test_decimals_names_and_other_times_are_left_as_they_are(text: str) -> None:
    assert normalise(text) == text


@given(st.text("0012.,':-t zT", max_size=40), st.sampled_from(["", "2023-05-01T00:00:00", "2023-05-01 15:52:55.000"]))
def test_what_has_one_form_keeps_it(text: str, instant: str) -> None:
    normalised = normalise(f"{instant}{text}")
    assert normalise(normalised) == normalised


def test_no_control_or_format_character_of_any_plane_is_kept() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cf") and not character.isspace():
            assert normalise(f"é{character}a") == "éa", hex(code)


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("100 €", "€"), ("＄100 or US$ 5", "$$"), ("amounts ($)", "$"), ("5 ％ more", "%"), ("-5 (−5) –5 =-5", "---=-"),
        ("x < y, x <= y and x ≤ y", "<<=≤"), ("test: +\nor: -", "+"), ("2 + 2 = 4", "+="), ("fine 👍 ★★☆ ♀", "👍★★☆♀"),
        ("p, but ¬q ⬆ 5", "¬⬆"),
        ("well-known -- 2024-01-02, $HOME, $x$", ""), ("+ item\n  = item\n> quoted\n✓ item", ""),
        ("Title\n=====\n+---+---+\n| a | b |", ""), ("a -> b <p class=\"x\">word</p>", ""),
        ("3-5 or 3–5 or 3.5", "--"), ("1/2 and/or a/1 of 10² m² in 11½", "/2/"), ("x<y, a>b, if c<5", "<><"),
        ("List<String> <br/>x</b> <a@b.org>", ""), ("♦ item ● item ☐ ☒", ""), ("<民法典> <Müller>", ""),
        ("▲ 5 and ▼ 6, A → B\n  → item", "▲▼→"), ("A → B\n→ item, ５＋３＝８, C＃", "→+=#"),
        ("C# in C, F# minor, #5 but not # Title or #hashtag", "###"), ("50° and 50 °C, 5 ℃", "°°°"),
        ("na\ufffdve", "\ufffd"),
        ("graded B- or C-, A- to D-\n", "BCAD"), ("co- and re-use, A-\nlevel, x--, B-2", ""),
        ("✅ Sales\n❌ Costs", "✅❌"), ("6' 2\" wide, 5′ or 5″, '1990'", "'\"'\""), ("§ 5, ½ or 1⁄2 or 1/2", "§///"),
        ("↓ Sales\n  ↑ Costs", "↓↑"), ("✅ Sales\n✅ Costs", ""),
    ],
)  # fmt: skip
def test_signs_of_money_shares_arithmetic_and_feelings_are_told_from_hyphens_list_marks_and_frames(
    text: str, signs: str
) -> None:
    assert signs_of(text) == signs


def slow_signs_of(text: str) -> str:
    """Try each place at which a sign may begin, tags and lines of dashes too."""
    conditions = {
        "-": r"(?<!--)(?=[^\sA-Za-z]|(?<=\S-)\s*\d)",
        "<": r"(?<!<<)(?![/!?])",
        ">": r"(?<![\"'/\-]>)",
        "+": r"(?<!\+\+)",
    }
    beginnings = [re.compile(re.escape(sign) + condition) for sign, condition in conditions.items()]
    beginnings += [beginning for sign, beginning in module._BEGINNINGS.items() if sign not in conditions]
    typed = text.replace("−", "-").replace("–", "-")
    minuses = [at for at in range(1, len(text)) if typed[at] == "-"]
    signs = {at: "-" for at in minuses if is_behind_amount(typed, at)}
    signs |= {at: text[at - 1] for at in minuses if is_grade(typed, at)}
    end = 0
    for start in sorted(match.start() for beginning in beginnings for match in beginning.finditer(text)):
        if start >= end and (sign := module._SIGN.match(text, start)) is not None:
            if not module._begins_item(sign) and (form := module._plain_form(sign)):
                signs[start] = form
            end = sign.end()
    return "".join(signs[place] for place in sorted(signs))


def is_grade(text: str, at: int) -> bool:
    """A minus behind a letter that stands alone."""
    before = text[max(0, at - 2) : at - 1]
    return text[at - 1].isalpha() and not before.isalnum() and before not in set("_'’-") and ends_word(text, at)


def is_behind_amount(text: str, at: int) -> bool:
    """A minus behind a number with a part of two or three digits, or behind a space at the end of a line or a cell."""
    spaced = text[at - 1] == " " and (text[at + 1 :].lstrip(" ") or "\n")[0] in "\t\n;|\"')"
    number = text[: at - 1 if spaced else at]
    decimals = len(number) - len(number.rstrip("0123456789"))
    return (
        decimals in ((2,) if spaced else (2, 3))
        and number[-decimals - 1 : -decimals] in (*".,",)
        and ends_word(text, at)
    )


def ends_word(text: str, at: int) -> bool:
    """A sign before a space, a bracket or a quote, unless the rest of a divided word is on the next line."""
    rest = text[at + 1 :]
    gap = rest[: len(rest) - len(rest.lstrip())]
    follows = not rest or bool(gap) or rest[0] in ")],.;:?!\"'|"
    return follows and not ("\n" in gap and "a" <= rest.lstrip()[:1] <= "z")


@given(st.text("<>=-+/!?\"'ab1 2\n%$.)[](−–", max_size=60), st.integers(100, 250))
def test_signs_are_the_same_when_every_place_is_tried(text: str, length: int) -> None:
    for tried in (text, text.replace("a", "<" + "a" * length)):
        assert signs_of(tried) == slow_signs_of(tried)


@given(st.text("，。、.… \tbPé中\n！\ud800😀?\x80\x81", max_size=20))
def test_punctuation_beyond_ascii_counts_as_what_replaces_it(text: str) -> None:
    typed = text.replace("😀", "")
    for sign, plain in (*module.ASCII_OF.items(), ("…", "...")):
        typed = typed.replace(sign, plain)
    unsmiling = marks_of(text.replace("😀", ""))[0]
    assert unsmiling == punctuation_of("".join("b" if sign in "é中" else sign for sign in typed).replace("\ud800", "b"))


_LETTERS = st.characters(max_codepoint=0xFFFF, categories=["Lu", "Ll", "Lo", "M", "Nd"])
_WRITTEN = st.text(_LETTERS | st.sampled_from(".,!? \n-"))


@given(_WRITTEN, st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_a_sign_has_the_same_place_whatever_the_accents_ligatures_capitals_and_line_ends_are(
    text: str, form: Literal["NFC", "NFD", "NFKC", "NFKD"]
) -> None:
    written = unicodedata.normalize(form, text)
    assert marks_of(f"5 {text}, m.")[0] == marks_of(f"5 {written}, m.")[0]
    assert punctuation_of(text.replace(" ", "\n")) == punctuation_of(text.replace(" ", " \u00ad"))


def test_punctuation_is_compared_and_quotes_dashes_width_and_leaders_are_not() -> None:
    kept = "“Well,” she said – 'go (home)!' Contents ..... 5"
    assert punctuation_of(kept) == punctuation_of('"Well，" she said-"go （home)！"Contents\n5') != b""
    assert punctuation_of("no sign") == b""
    assert punctuation_of("Buy me (…).") == punctuation_of("Buy me (...).")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("You won!", "You won?"), ("1,500", "1.500"), ("10:30", "10.30"), ("a loss of (500)", "a loss of 500"),
        ("Let's eat, Grandma, now", "Let's eat Grandma, now,"), ("您好，吗？", "您好，吗！"), ("R&D at 5", "R D @ 5"),
        ("We eat, Bob and Pam", "We eat Bob, and Pam"), ("3.50 20", "3 50.20"), ("10:30 15", "10 30:15"),
        ("Execute, not release", "Execute not, release"), ("Казнить, нельзя", "Казнить нельзя,"),
        ("不同意。付款", "不。同意付款"), ("甲方不得，转让", "甲方不得转让，"), ("-5 6", "5 -6"),
        ("♠ A ♥ 4", "♥ A ♠ 4"), ("5 € or 6 $", "5 or 6 € $"), ("⠁⠃", "⠃⠁"), ("a\n↑ 3", "a\n↓ 3"), ("♥ yes", "♡ yes"),
        ("◀", "▶"), ("ma˥ ma˧", "ma˧ ma˥"), ("䷀", "䷁"), ("f' = 3", "f = 3"),
    ],
)  # fmt: skip
def test_punctuation_that_changes_what_words_mean_is_told(left: str, right: str) -> None:
    assert punctuation_of(left) != punctuation_of(right)


def test_decimal_commas_are_the_signs_of_decimal_points() -> None:
    assert with_decimal_points("1.234,50 € or 7,5; 16.01.2026, 1,2,3") == "1,234.50 € or 7.5; 16.01.2026, 1,2,3"
    for text in ("1,234.50 € or 7.5", "1.500 pieces", "at 10.30 for 2,50", "1,2,3 and 16.01.26"):
        assert with_decimal_points(text) == text
    assert of_text("2.500 for 7,50").other == of_text("2,500 for 7.50").other != of_text("2.500 for 7.50").other


QUOTED = [
    ('He is a "friend" to us', "He is a friend to us"), ("He isn't a 'friend' at all", "He isn't a friend at all"),
    ("所谓的“加班”不付钱", "所谓的加班不付钱"), ("Si chiama «l'amico», pare", "Si chiama l'amico, pare"),
]  # fmt: skip


@pytest.mark.parametrize(("quoted", "plain"), QUOTED)
def test_quotation_marks_are_told_and_their_kinds_are_not(quoted: str, plain: str) -> None:
    assert punctuation_of(quoted) != punctuation_of(plain)
    words = re.split("[\"“”«»]|(?<!n)'(?!a)", quoted)
    for opening, closing in (
        '""',
        "“”",
        "„“",
        "»«",
        "「」",
        "『』",
        ("``", "''"),
        "״״",
        "''" if quoted.isascii() else "«»",
    ):
        assert punctuation_of(f"{words[0]}{opening}{words[1]}{closing}{words[2]}") == punctuation_of(quoted)


def test_apostrophes_are_no_quotation_marks() -> None:
    assert (
        punctuation_of("a `word' in 'it'") == punctuation_of('a "word" in "it"') != punctuation_of("a `word` in it's")
    )
    for text in (
        "the tenants’ house and the dogs' bowl",
        "’Tis the season of the '90s",
        "l' ami d’ ici, dell’ arte",
    ):
        assert punctuation_of(text) == punctuation_of(re.sub("['’]", "", text))


@pytest.mark.parametrize("before", [*",.%)]}\"'”’", "(3, ", 'a="', "('a',", "$(1,", "M10,2 L5,", "[51.5,"])
def test_a_minus_is_told_behind_any_sign(before: str) -> None:
    assert signs_of(f"see a{before}-5 here") != signs_of(f"see a{before}5 here")
    assert signs_of(f"see a{before}-5 here") == signs_of(f"see a{before}−5 here") == signs_of(f"see a{before}–5 here")


@pytest.mark.parametrize("before", ["净利润为", "約", "값", "マイナス", "ﾏｲﾅｽ", "ไป", "𠮷"])
def test_a_minus_is_told_behind_a_letter_of_a_script_without_spaces(before: str) -> None:
    for minus in "-－−–":
        assert signs_of(f"{before}{minus}5") == signs_of(f"{before}\n{minus}5") == "-"
    assert signs_of("A-5, Б-5 and Ω-5") == ""


def test_a_hyphen_behind_a_syllable_of_an_indic_word_is_no_minus() -> None:
    assert signs_of("विश्व-\nशान्ति") == signs_of("विश्व-शान्ति") == ""


def test_a_minus_behind_an_amount_is_told_and_the_dash_of_a_price_or_a_sentence_is_not() -> None:
    assert signs_of("500,00-") == signs_of("500.00 -\n12 May") == signs_of("1.500−; 3") == signs_of("(5,00-)") == "-"
    assert signs_of("5.- or 5,- or 5.50 - and more, 2.50 -\nas it was, 1.25-litre, 2- and 3-fold") == ""


def test_bars_in_place_of_words_are_told_and_the_marks_of_a_list_are_not() -> None:
    assert signs_of("Mr █████ of ████ said") == "█████████"
    assert signs_of("记者■■■报道") == signs_of("记者██报道") != signs_of("记者报道")
    assert signs_of("■ first\n■ second, ■ third") == ""


def test_a_range_is_told_alike_with_each_kind_of_dash() -> None:
    for left, right in (("10%", "20%"), ("Nr. 5.", "7."), ("(a)", "1"), ("10 %", "20 %"), ("3.5", "4"), ("A4", "5")):
        typed, source = signs_of(f"{left}-{right}"), signs_of(f"{left}--{right}")
        assert signs_of(f"{left}–{right}") == typed == source != signs_of(f"{left} {right}")
        assert signs_of(f"{left}–\n{right}") == signs_of(f"{left}-\n{right}") == signs_of(f"{left}- {right}") == typed


def test_an_elided_vowel_and_a_quoted_letter_are_no_signs() -> None:
    assert signs_of("l' eau, d'\nun, 'a' and “a’, g's") == ""


def test_minutes_seconds_feet_and_inches_are_told_behind_a_letter_of_a_script_without_spaces() -> None:
    for prime, sign in {"′": "'", "″": '"', "'": "'", '"': '"'}.items():
        assert signs_of(f"角度12{prime}") == signs_of(f"屏幕 1.5{prime}的") == signs_of(f"폭12{prime}") == sign
    assert signs_of('管径3"和4"，宽5\'') == '""\''
    for quoted in ("“版本12”的", '"版本12"', "‘版本12’", '他说"版本12"和"版本 13"的'):
        assert signs_of(quoted) == ""


def test_pictures_that_a_pdf_has_at_another_place_of_their_line_are_told_by_their_order() -> None:
    assert punctuation_of("We ❤ it.\nFine 👍") == punctuation_of("We it. ❤\n👍 Fine") != punctuation_of("We 👍 it. ❤")


def test_two_hyphens_between_numbers_are_the_dash_of_a_range() -> None:
    assert signs_of("10:00--16:00") == signs_of("10:00–16:00") != signs_of("10:00, 16:00")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("5 mW", "5 MW"), ("NO gas", "No gas"), ("a[1]", "a(1)"), ("x²", "x₂"), ("a ** b", "a * b"), ("/~bob", "/bob"),
        ("a|b", "a b"), ("{a} b", "a {b}"), ("a_b", "a-b"), ("《书》", "书"), ("5 МВт", "5 мВт"), ("5 ΜΩ", "5 μΩ"),
        ("in Maßen", "in Massen"), ("《书》本", "书《本》"), ("всё все", "все всё"),
    ],
)  # fmt: skip
def test_capitals_and_marks_that_a_reader_sees_are_told(left: str, right: str) -> None:
    for around in ("a bump {} and a pump", "é {}"):
        assert lettering_of(around.format(left)) != lettering_of(around.format(right))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("5 mW", "5 MW"), ("5 мВт", "5 МВт"), ("5 mΩ", "5 MΩ"), ("3 µA", "3 ΜA"), ("5 ｍＷ", "5 ＭＷ"),
        ("5 ㎽", "5 ㎿"),
    ],
)  # fmt: skip
def test_thousandths_of_a_unit_are_not_millions_of_it_in_any_format(left: str, right: str) -> None:
    assert signs_of(left) == signs_of(right) == ""
    assert punctuation_of(f"at {left}, a pump") != punctuation_of(f"at {right}, a pump")
    assert punctuation_of("5 mW") == punctuation_of("5 ｍＷ") == punctuation_of("5 ㎽")
    assert punctuation_of("A Heading of iOS") == punctuation_of("A HEADING OF IOS")


@pytest.mark.parametrize("sign", string.punctuation)
def test_a_sign_of_full_width_is_the_same_sign(sign: str) -> None:
    for around in ("a{}5", "中{}5中", "中 {} {} 中"):
        assert marks_of(around.replace("{}", sign)) == marks_of(around.replace("{}", chr(ord(sign) + 0xFEE0)))
    assert lettering_of("3〜5") == lettering_of("3～5") == lettering_of("3~5")


def test_white_space_quotes_dashes_and_rules_are_no_letters() -> None:
    assert lettering_of("“a–b”\n=====\nC") == lettering_of('"a-b"  C\n=======')


@pytest.mark.parametrize(
    ("text", "raised_text"),
    [("10^5 or x^-2", "10⁵ or x⁻²"), ("x^y and [^1] and 2^^3", "x^y and [^1] and 2^^3"), ("1½ or ½", "1 ½ or ½")],
)
def test_typed_powers_and_mixed_fractions_are_those_of_other_formats(text: str, raised_text: str) -> None:
    assert with_powers(text) == raised_text


def test_more_marks_on_a_letter_than_any_language_has_are_left_out() -> None:
    assert normalise("a" + "\u0316" * 30) == normalise("a" + "\u0316" * 90) == "a" + "\u0316" * 30
    frame = "─" * 90
    assert normalise(f"a {frame} b") == f"a {frame} b"


def test_a_reference_beyond_all_characters_does_not_end_the_reading() -> None:
    assert unescape(f"caf&eacute; &#{'9' * 5000}; &#x{'f' * 5000} &#233; &#xe9;") == "café \ufffd \ufffd é é"


def test_russian_is_the_same_words_with_and_without_the_dots_of_yo_which_are_told() -> None:
    assert normalise("Ещё ёлка растёт") == normalise("Еще елка растет") == "еще елка растет"
    assert lettering_of("Всё о Неё") != lettering_of("Все о Нее")


@pytest.mark.parametrize(
    ("text", "same_words", "is_visible"),
    [
        ("در سال ۱۴۰۲", "در سال 1402", True),
        ("مادة ١٢", "مادة 12", True),
        ("\u0671لكتاب", "الكتاب", True),  # an alef that is not spoken
        ("मार्च २०२४", "मार्च 2024", True),
        ("İSTANBUL IRMAK", "istanbul ırmak", True),
        ("ΟΔΗΓΟΣ ΧΡΗΣΗΣ", "Οδηγός χρήσης", True),
        ("şi ţară", "și țară", True),
        ("пʼять", "п’ять", False),
        ("пʼять", "п'ять", False),
    ],
)
def test_letters_that_people_write_in_two_ways_make_the_same_words(
    text: str, same_words: str, is_visible: bool
) -> None:
    assert joined(normalise(text)) == joined(normalise(same_words))
    assert punctuation_of(text) == punctuation_of(same_words)
    assert (lettering_of(text) != lettering_of(same_words)) == is_visible


def joined(text: str) -> list[str]:
    """The words of a text."""
    return re.findall(r"\w+", text)


def test_a_minus_with_a_space_before_the_amount_of_a_line_is_told_and_the_marks_of_a_list_are_not() -> None:
    owed = "Balance in March\n{} 1200 euros\nReserve\n400 euros"
    assert signs_of(owed.format("-")) != signs_of(owed.format(""))
    assert signs_of("Buy\n- 3 eggs\n- 2 cups of milk\n") == signs_of("Buy\n3 eggs\n2 cups of milk\n")


@given(st.text("→∗§½⅟℃■±×a1 -\n<>", max_size=60))
def test_seldom_signs_are_the_same_whether_each_is_sought_or_all_at_once(text: str) -> None:
    many = text + "".join(map(chr, range(0x2190, 0x2190 + 2 * module._FEW_SIGNS)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_FEW_SIGNS", 0)
        at_once = [module.signs_of(tried) for tried in (text, many)]
    assert [module.signs_of(tried) for tried in (text, many)] == at_once
