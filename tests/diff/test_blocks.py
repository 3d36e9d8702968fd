"""Verdicts of comparisons."""

from __future__ import annotations

import pytest

from dupfinder.diff.align import compare_texts
from dupfinder.diff.blocks import ChangeKind, Changes, changes_of, share_changed

LETTER = (
    "Dear shareholders, the year was good. Sales rose to 412 million euros. The board met eleven times. We thank you."
)


@pytest.mark.parametrize(
    ("left", "right", "change"),
    [
        (LETTER, LETTER, ChangeKind.IDENTICAL),
        (LETTER, LETTER.replace(". ", ".\n"), ChangeKind.FORMAT_ONLY),
        (LETTER, LETTER.replace("412", "398").replace("eleven", "nine"), ChangeKind.NUMBERS_ONLY),
        (LETTER, "• " + LETTER.replace("good", "*good*"), ChangeKind.EDITED),
        (LETTER, LETTER.replace("good", "bad").replace("412", "398"), ChangeKind.EDITED),
        (LETTER, LETTER + " A further word on dividends.", ChangeKind.ADDED_TAIL),
        (LETTER + " A further word on dividends.", LETTER, ChangeKind.ADDED_TAIL),
        (LETTER, "Preheat the oven. Mix flour with water and salt. Bake until brown.", ChangeKind.TOO_DIFFERENT),
        ("付款日期为三月五日，共计五百元。", "付款日期为四月六日，共计八百元。", ChangeKind.NUMBERS_ONLY),
        ("El pago vence el 3 de marzo de 2024.", "El pago vence el 9 de abril de 2025.", ChangeKind.NUMBERS_ONLY),
        (
            "Termin zapłaty faktury upływa 3 marca.",
            "Termin zapłaty faktury upływa 9 września.",
            ChangeKind.NUMBERS_ONLY,
        ),
        ("Η προθεσμία λήγει στις 3 Μαΐου.", "Η προθεσμία λήγει στις 9 Ιουλίου.", ChangeKind.NUMBERS_ONLY),
        ("", "", ChangeKind.IDENTICAL),
    ],
)
def test_each_kind_of_change_is_told(left: str, right: str, change: ChangeKind) -> None:
    assert compare_texts(left, right).change is change


def test_sentences_in_another_order_have_moved() -> None:
    first, second = "The first sentence is about the harbour.", "The second one is about lighthouses and fog."
    assert (
        compare_texts(
            f"{first} {second} Then the end comes for all.", f"{second} {first} Then the end comes for all."
        ).change
        is ChangeKind.MOVED
    )


def test_the_share_counts_changed_characters_of_both_sides() -> None:
    assert share_changed(compare_texts("abcd efgh.", "abcd wxyz.")) == pytest.approx(8 / 18)
    assert share_changed(compare_texts("One sentence stays here. Two.", "One sentence stays here.")) == pytest.approx(
        4 / 46
    )
    assert share_changed(compare_texts("Hello there.", "")) == 1.0


POLICY = "The rules are new. Answers come without delay. Copies cost 4 euros. Mail goes to the officer. We ask you."


@pytest.mark.parametrize(
    ("right", "changes"),
    [
        (POLICY, Changes(0, 0, 0, 0, 0, 0, 0, 0, False)),
        (POLICY.replace("4", "5"), Changes(0, 1, 0, 0, 0, 0, 1, 1, True)),
        (POLICY.replace("without delay", "soon"), Changes(1, 0, 0, 0, 0, 0, 2, 1, False)),
        (POLICY.replace("We ask you.", "We ask you!"), Changes(0, 0, 1, 0, 0, 0, 0, 0, False)),
        (POLICY.replace(" Copies cost 4 euros.", ""), Changes(0, 0, 0, 0, 1, 0, 4, 0, True)),
        (POLICY.replace("We ask", "All of it is kept. We ask"), Changes(0, 0, 0, 0, 0, 1, 0, 5, False)),
        (
            POLICY.replace("without delay", "soon").replace("4", "5").replace(" We ask you.", ""),
            Changes(1, 1, 0, 0, 1, 0, 6, 2, True),
        ),
    ],
)
def test_changes_are_counted_by_kind_with_the_words_of_each_side(right: str, changes: Changes) -> None:
    assert changes_of(compare_texts(POLICY, right)) == changes


def test_sentences_that_moved_and_chinese_words_are_counted() -> None:
    first, second = "The first sentence is about the harbour.", "The second one is about lighthouses and fog."
    moved = changes_of(compare_texts(f"{first} {second} Then it ends.", f"{second} {first} Then it ends."))
    assert moved == Changes(0, 0, 0, 1, 0, 0, 0, 0, False)
    chinese = changes_of(compare_texts("甲方应当立即书面答复乙方。", "甲方应当尽快书面答复乙方。"))
    assert (chinese.reworded, chinese.left_words, chinese.right_words) == (1, 2, 2)
