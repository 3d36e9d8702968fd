"""The words that differ inside two lines."""

from __future__ import annotations

from dupfinder.diff.align import line_marks
from dupfinder.diff.matching import WorkBudget
from dupfinder.diff.tokens import Options, tokens


def words(left: str, right: str) -> tuple[list[str], list[str]]:
    a, b = line_marks(left, right, Options())
    return [left[i:j] for i, j in a], [right[i:j] for i, j in b]


def test_neighbouring_changed_words_are_one_mark() -> None:
    assert words("delivered within ten days", "delivered after six long weeks") == (
        ["within ten days"],
        ["after six long weeks"],
    )


def test_an_added_word_is_marked_on_its_side_only() -> None:
    assert words("pay the sum", "pay the whole sum") == ([], ["whole"])


def test_a_number_with_its_separators_is_one_word() -> None:
    assert words("sum of 1,250.00 due", "sum of 1,350.00 due") == (["1,250.00"], ["1,350.00"])


def test_a_single_word_shared_by_chance_does_not_tear_a_rewrite_apart() -> None:
    left, right = words("alpha beta of gamma delta", "one two of three four")
    assert (left, right) == (["alpha beta of gamma delta"], ["one two of three four"])


def test_without_work_the_whole_lines_are_marked() -> None:
    assert line_marks("a b", "a c", Options(), WorkBudget(cells=0, deadline=0.0)) == (((0, 3),), ((0, 3),))


def test_tokens_stand_where_their_spans_say() -> None:
    text = "Don’t pay 合同 1,000.50 € — it's 2024-03-12."
    parts = tokens(text, Options())
    assert [text[a:b] for a, b in parts.spans] == [
        "Don’t",
        "pay",
        "合",
        "同",
        "1,000.50",
        "€",
        "—",
        "it's",
        "2024-03-12",
        ".",
    ]
    assert tokens("a  b", Options(ignore_spaces=False)).keys == ("a", "  ", "b")
    assert tokens("A, b!", Options(ignore_case=True, ignore_punctuation=True)).keys == ("a", "b")
