"""The common text of a form is shown once, and what each document has at each place in a row."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as some

from dupfinder.review.fillings import FillKind, FormReader, lay_out

RECEIPT = "Received from {name} the sum of {sum} on {day} for the premises at Harbour Road."
PEOPLE = (
    {"name": "Fernhill Bakery", "sum": "€ 3,600.00", "day": "29 Jan 2024"},
    {"name": "Quay Street Press", "sum": "€ 2,850.00", "day": "12 Feb 2024"},
    {"name": "Oldmill", "sum": "€ 950.00", "day": "26 Feb 2024"},
)


def test_a_form_is_its_common_text_and_a_column_for_each_place() -> None:
    layout = lay_out([RECEIPT.format(**person) for person in PEOPLE])
    assert layout.common[0] == "Received from"
    assert layout.common[-1].endswith("for the premises at Harbour Road.")
    names = [row[0] for row in layout.fills]
    assert names == [person["name"] for person in PEOPLE]
    assert layout.kinds == (FillKind.TEXT, FillKind.NUMBER, FillKind.DATE)


def test_a_column_is_of_dates_amounts_or_numbers_if_most_of_its_fillings_are() -> None:
    form = "The flat of {} costs {} from {} on; its number is {} in the register of the town, {} by the road."
    layout = lay_out(
        [
            form.format("Anna", "$900", "1 March 2024", "12", "7"),
            form.format("Bert", "€1,050", "2024-04-01", "7", "left"),
            form.format("Cleo", "875 EUR", "15.05.2024", "31", "8"),
            form.format("Dora", "nothing", "", "3 b", "right"),
        ]
    )
    assert layout.kinds == (FillKind.TEXT, FillKind.AMOUNT, FillKind.DATE, FillKind.NUMBER, FillKind.TEXT)


def test_sums_with_a_point_are_numbers_not_dates() -> None:
    form = "Your order has a total of {} and leaves on {} by the usual carrier."
    layout = lay_out([form.format("365.87", "3.4.24"), form.format("33.36", "12.4."), form.format("8.50", "15.5.24")])
    assert layout.kinds == (FillKind.NUMBER, FillKind.DATE)


def test_a_place_that_was_left_empty_is_empty() -> None:
    texts = [RECEIPT.format(**person) for person in PEOPLE] + [RECEIPT.format(name="", sum="€ 1.00", day="1 May 2024")]
    assert lay_out(texts).fills[-1][0] == ""


def test_equal_texts_have_no_place() -> None:
    layout = lay_out(["One and the same text."] * 3)
    assert layout.kinds == () and layout.common == ("One and the same text.",)
    assert layout.fills == ((), (), ())


WORD = some.sampled_from(["alpha", "beta", "gamma", "delta", "one", "two", "three"])
WORDS = some.lists(WORD, min_size=1, max_size=12)


@given(some.lists(WORDS, min_size=2, max_size=5))
def test_common_text_and_fills_give_each_text_again(lists: list[list[str]]) -> None:
    texts = [" ".join(words) for words in lists]
    layout = lay_out(texts)
    assert len(layout.common) == len(layout.kinds) + 1
    for text, fills in zip(texts, layout.fills, strict=True):
        pieces = [layout.common[0]]
        for fill, piece in zip(fills, layout.common[1:], strict=True):
            pieces += [fill, piece]
        assert " ".join(" ".join(pieces).split()) == text


def test_files_are_read_in_a_process_and_those_that_are_gone_are_left_out(tmp_path: Path) -> None:
    paths = [tmp_path / f"{place}.txt" for place in range(4)]
    for path, person in zip(paths, PEOPLE, strict=False):
        path.write_text(RECEIPT.format(**person), encoding="utf-8")
    reader = FormReader()
    view = reader.read(paths)
    reader.close()
    assert view.read == (0, 1, 2)
    assert view.layout is not None and len(view.layout.fills) == 3
