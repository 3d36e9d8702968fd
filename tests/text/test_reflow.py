"""Line ends that only the layout put there."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.text.reflow import join_east_asian, part_numbers, undo_hyphens, without_leaders


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
        ("Vor- und Nach-\nteile, Ein-\nund Ausgang", "Vor- und Nachteile, Ein-\nund Ausgang"),
        ("Eisenbahn-\nUnfallkasse", "Eisenbahn-\nUnfallkasse"),
        ("soft\u00ad\nened and hard\u2010\nened", "softened and hardened"),
        ("pages 12-\n14, x-\ny", "pages 12-\n14, x-\ny"),
        ("- a list\n- of things", "- a list\n- of things"),
    ],
)
def test_words_broken_at_line_ends_are_mended_by_what_the_text_shows(text: str, expected: str) -> None:
    assert undo_hyphens(text) == expected


@settings(deadline=None, max_examples=200)
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


def test_leaders_go_only_from_line_ends() -> None:
    assert without_leaders("One ..... 7\nTwo . . . . . xii\nwait.... what\nend...") == "One\nTwo\nwait.... what\nend..."


def test_section_numbers_are_parted_from_their_titles() -> None:
    assert part_numbers("12.11List of tools\nversion 2.4beta\n3.5 Next\n1.2b") == (
        "12.11 List of tools\nversion 2.4beta\n3.5 Next\n1.2b"
    )
