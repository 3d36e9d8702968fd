"""Line ends that only the layout put there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text import lines as text_lines
from dupfinder.text.lines import (
    join_east_asian,
    taken_out,
    undo_hyphens,
    with_spaced_numbers,
    without_typed_marks,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the exami-\nnation of docu-\nments", "the examination of documents"),
        (
            "a well-\nknown fact, as well-known as docu-\nments and exami-\nnations",
            "a well-known fact, as well-known as documents and examinations",
        ),
        ("one hyphen at a line-\nend " + "\nplain" * 100, "one hyphen at a line-end " + "\nplain" * 100),
        (
            "the examina-\ntion\nof an examination" + "\nplain" * 100,
            "the examination\nof an examination" + "\nplain" * 100,
        ),
        (
            "a region-\nwide rule, for a wide and a small region: docu-\nments and exami-\nnations, documents",
            "a region-wide rule, for a wide and a small region: documents and examinations, documents",
        ),
        (  # the words that are known are joined, though few lines end so
            "the examina-\ntion, an examination, of docu-\nments" + "\nplain" * 200,
            "the examination, an examination, of documents" + "\nplain" * 200,
        ),
        (  # as many as there are by chance
            "no special-\nnodes, a low-down, mind-bending, steadily-\ndepressing car-wash," + " so-so nice" * 9,
            "no special-nodes, a low-down, mind-bending, steadily-depressing car-wash," + " so-so nice" * 9,
        ),
        ("Vor- und Nach-\nteile, Ein-\nund Ausgang", "Vor- und Nachteile, Ein-\nund Ausgang"),
        (
            "del proyec-\nto al proyecto, y re-\nto siem-\npre, siempre",
            "del proyecto al proyecto, y reto siempre, siempre",
        ),
        ("Eisenbahn-\nUnfallkasse", "Eisenbahn-\nUnfallkasse"),
        ("soft\u00ad\nened and hard\u2010\nened", "softened and hardened"),
        ("pages 12-\n14, x-\ny", "pages 12-\n14, x-\ny"),
        ("- a list\n- of things", "- a list\n- of things"),
    ],
)
def test_words_broken_at_line_ends_are_mended_by_what_the_text_shows(text: str, expected: str) -> None:
    assert undo_hyphens(text) == expected


@given(st.text(alphabet="ab-\n \u00ad", max_size=200))
def test_mending_takes_away_nothing_but_hyphens_and_white_space(text: str) -> None:
    def letters(string: str) -> str:
        return "".join(character for character in string if character.isalpha())

    assert letters(undo_hyphens(text)) == letters(text)


def test_east_asian_lines_are_joined_and_others_are_not() -> None:
    assert (
        join_east_asian("每一封信\n都保存，\n在档案馆\nand more\n里 面") == "每一封信都保存，在档案馆\nand more\n里 面"
    )
    assert join_east_asian("편지는\n보관소에") == "편지는\n보관소에"


def test_a_heading_above_an_east_asian_line_is_not_joined_to_it() -> None:
    text = "财务\n每一封信都保存在档案\n馆里。\n人事\n没有人离开这个地方"
    assert join_east_asian(text) == "财务\n每一封信都保存在档案馆里。\n人事\n没有人离开这个地方"


@pytest.mark.parametrize("text", ["抄送：王五\n主题：关于合同", "甲方：张三\n第三条 租金", "総則\n第３条（目的）"])
def test_an_east_asian_line_with_a_label_or_the_number_of_an_article_is_not_joined_to_the_one_above(text: str) -> None:
    assert join_east_asian(text) == text


def test_a_doubled_word_keeps_its_hyphen_at_a_line_end() -> None:
    text = "surga-\nsurga dan hutang-\nhutangmu, bersama-\nsama ter-\ntentu ma-\nma"
    assert undo_hyphens(text) == "surga-surga dan hutang-hutangmu, bersama-sama tertentu mama"


def test_an_abbreviation_in_capitals_keeps_its_hyphen_at_a_line_end() -> None:
    broken = (
        "De compu-\nter leest de SQL-\ncode en de opslag-\nruimte van iOS-\napparaten. De computer en de opslagruimte."
    )
    assert undo_hyphens(broken) == (
        "De computer leest de SQL-code en de opslagruimte van iOS-apparaten. De computer en de opslagruimte."
    )


def test_section_numbers_are_parted_from_their_titles() -> None:
    assert with_spaced_numbers("12.11List of tools\nversion 2.4beta\n3.5 Next\n1.2b") == (
        "12.11 List of tools\nversion 2.4beta\n3.5 Next\n1.2b"
    )


def test_the_letter_that_typewriters_put_for_a_bullet_is_no_word() -> None:
    lines = "Issues:\n\n   o  Realms and\n      scope\n\n   o  Strength\n"
    assert without_typed_marks(lines) == "Issues:\n\nRealms and\n      scope\n\nStrength\n"


def test_the_letter_stays_where_a_language_has_it_as_a_word() -> None:
    spanish = "Se hace con papel o cartón, blanco o negro,\no  con tela, según el uso o la costumbre\n"
    assert without_typed_marks(spanish) == spanish


@given(st.text("aB-é’.:\u03a3\u0391²1_ \n\t\u00a0", max_size=60))
def test_the_words_of_a_text_are_the_same_when_each_of_its_pieces_is_searched_once(text: str) -> None:
    words = set(text_lines._WORD.findall(text.lower()))
    others = {"z" * length for length in range(1, text_lines.MOST_SOUGHT + 2)}
    assert text_lines._known(text, words | others) == words


@given(st.text("ab-\n"), st.sampled_from(["a", "a*", "(a)b?", "^-", "\\b"]), st.sampled_from(["", "c", r"<\g<0>>"]))
def test_what_is_taken_out_of_a_text_is_all_that_a_pattern_matches(text: str, sought: str, instead: str) -> None:
    pattern = re.compile(sought, re.M)
    rest = pattern.sub(instead, text), [match[0] for match in pattern.finditer(text)]
    assert taken_out(pattern, text, instead) == rest
