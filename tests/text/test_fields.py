"""Fields of Word documents that have no result: what they show all the same."""

from __future__ import annotations

import pytest

from dupfinder.text.readers.office import shown_field


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (r' EQ \* jc2 \* "Font:MS Mincho" \* hps10 \o\ad(\s\up 9(かんじ),漢字)', "漢字"),
        (r' EQ \* jc0 \* "Font:Noto Serif CJK SC" \* hps12 \o(\s\up 10(かんじ),漢字)', "漢字"),
        (r"EQ \o(a,b)", "ab"),
        (r"EQ \o(\s\up 9(f(x), y);(z))", "(z)"),
        (r"EQ \f(1,2)", ""),
        ("PAGE", ""),
        ("", ""),
        (r"EQ \o(" + "(" * 600, ""),
        (r"EQ \o(" + r"\z " * 100 + ",b)", r"\z " * 100 + "b"),
    ],
)
def test_a_word_with_its_reading_above_it_is_the_word(code: str, expected: str) -> None:
    assert shown_field(code) == expected
