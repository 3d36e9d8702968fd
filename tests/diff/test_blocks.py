"""Verdicts of comparisons."""

from __future__ import annotations

import pytest

from dupfinder.diff.align import Verdict, compare
from dupfinder.diff.blocks import share_changed

LETTER = (
    "Dear shareholders, the year was good. Sales rose to 412 million euros. The board met eleven times. We thank you."
)


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        (LETTER, LETTER, Verdict.IDENTICAL),
        (LETTER, LETTER.replace(". ", ".\n"), Verdict.FORMAT_ONLY),
        (LETTER, LETTER.replace("412", "398").replace("eleven", "nine"), Verdict.NUMBERS_ONLY),
        (LETTER, "• " + LETTER.replace("good", "*good*"), Verdict.EDITED),
        (LETTER, LETTER.replace("good", "bad").replace("412", "398"), Verdict.EDITED),
        (LETTER, LETTER + " A further word on dividends.", Verdict.ADDED_TAIL),
        (LETTER + " A further word on dividends.", LETTER, Verdict.ADDED_TAIL),
        (LETTER, "Preheat the oven. Mix flour with water and salt. Bake until brown.", Verdict.TOO_DIFFERENT),
        ("付款日期为三月五日，共计五百元。", "付款日期为四月六日，共计八百元。", Verdict.NUMBERS_ONLY),
        ("El pago vence el 3 de marzo de 2024.", "El pago vence el 9 de abril de 2025.", Verdict.NUMBERS_ONLY),
        ("", "", Verdict.IDENTICAL),
    ],
)
def test_each_kind_of_change_has_its_verdict(left: str, right: str, verdict: Verdict) -> None:
    assert compare(left, right).verdict is verdict


def test_sentences_in_another_order_have_moved() -> None:
    first, second = "The first sentence is about the harbour.", "The second one is about lighthouses and fog."
    assert (
        compare(
            f"{first} {second} Then the end comes for all.", f"{second} {first} Then the end comes for all."
        ).verdict
        is Verdict.MOVED
    )


def test_the_share_counts_changed_characters_of_both_sides() -> None:
    assert share_changed(compare("abcd efgh.", "abcd wxyz.")) == pytest.approx(8 / 18)
    assert share_changed(compare("One sentence stays here. Two.", "One sentence stays here.")) == pytest.approx(4 / 46)
    assert share_changed(compare("Hello there.", "")) == 1.0
