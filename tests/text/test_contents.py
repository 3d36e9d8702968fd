"""Page numbers in tables of contents and indexes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.contents import without_leaders, without_page_numbers, without_pages_of_contents
from dupfinder.text.pdf.reader import read_pdf
from tests.making import pdf

TERMS = {"A": ("anchor", "apple"), "B": ("barn", "bell"), "C": ("cat", "crow"), "D": ("dog", "door"), "E": ("elm",)}
INDEX = [line for letter, terms in TERMS.items() for line in (letter, *terms)]


def printed(lines: list[str]) -> str:
    """The lines with page numbers behind those that are no headings."""
    numbered = (
        line if len(line) == 1 else f"{line}, {place}, {place + 2}-{place + 4}" for place, line in enumerate(lines)
    )
    return "\n".join(numbered)


def test_leaders_go_with_the_pages_they_lead_to() -> None:
    contents = "One ..... 7\nTwo . . . . . xii\nThree .... 13\nwait.... what\nend..."
    assert without_leaders(contents, 13) == "One\nTwo\nThree\nwait.... what\nend..."
    index = "Binary files . . . . . . . . 24, 29\nExcel ....... 31-33, 35\nFiles ...... 40"
    assert without_leaders(index, 40) == "Binary files\nExcel\nFiles"


@pytest.mark.parametrize(
    "amounts",
    [
        "Amount due ......... 815",  # one line
        "Rent ..... 500\nPower ..... 800\nAll ..... 1300",  # beyond the last page
        "Soup ..... 4\nStew ..... 9\nInvoice ..... 2024-0815",
        "One ..... 9-4\nTwo ..... 9-5\nThree ..... 9-6",  # no ranges
    ],
)
def test_other_numbers_behind_leaders_stay(amounts: str) -> None:
    assert without_leaders(amounts, 40) == amounts
    pages = [f"{amounts}\n{'A line of the invoice.' * 3}".split("\n")]
    other = amounts.replace("9", "3").replace("8", "6")
    assert read_pdf(pdf(pages)).text != read_pdf(pdf([other.split("\n")])).text


def test_a_name_before_dots_without_a_number_keeps_neither() -> None:
    assert without_leaders("Name ............\nDate ............") == "Name\nDate"


def test_amounts_behind_leaders_stay_unlike_the_rising_pages_of_a_table_of_contents() -> None:
    amounts = "Rent ..... 1200\nWages ..... 340\nEnergy ..... 90\nInsurance ..... 455\nTravel ..... 78"
    contents = "One ..... 1\nTwo ..... 2\nThree ..... 9\nFigures ..... 3\nFour ..... 9"
    text = "\n".join([amounts, *7 * ["A line of text."], contents])
    assert without_leaders(text, 9).startswith(amounts)
    assert without_leaders(text, 9).endswith("One\nTwo\nThree\nFigures\nFour")
    assert without_leaders(contents + 200 * "\nA line of text.").startswith("One\nTwo\nThree\nFigures\nFour\n")


def test_an_index_keeps_its_terms_without_their_pages() -> None:
    index = [*INDEX, *(f"elk {name}" for name in ("one", "two", "three"))]
    assert without_page_numbers(printed(index)) == "\n".join(index)


def test_numbers_in_a_table_that_has_no_headings_of_one_letter_stay() -> None:
    table = "\n".join(f"{country}, {number}" for number, country in enumerate(("Austria", "Belgium", "Chad") * 5))
    assert without_page_numbers(table) == table


def test_numbers_in_a_list_whose_letters_are_in_no_order_stay() -> None:
    lines = printed([line for letter in "DBAC" for line in (letter, *TERMS[letter], *TERMS["E"], *TERMS["B"])])
    assert without_page_numbers(lines) == lines


def test_text_behind_an_index_stays_as_it_is() -> None:
    behind = [
        "The author lives in Rome.",
        *(f"Nobody knew of line {name}" for name in "abcdefgh"),
        "He was born in 1940",
    ]
    index = [*INDEX, "elk one", "elk two"]
    assert without_page_numbers("\n".join([printed(index), *behind])) == "\n".join([*index, *behind])


@given(st.lists(st.sampled_from(["", "A", "B", "C", "D", "E", "term, 3", "term 4, 5", "words", "9"]), max_size=60))
def test_only_page_numbers_are_ever_taken_from_lines(lines: list[str]) -> None:
    after = without_page_numbers("\n".join(lines)).split("\n")
    assert len(after) == max(1, len(lines))
    assert all(before.startswith(line) for before, line in zip(lines, after, strict=False))


BODY = "The clerks of the harbour write down every ship that enters and the hour at which it leaves again. " * 9


@pytest.mark.parametrize("between", ["\t", " ", "\t\t"])
def test_pages_behind_titles_that_are_headings_elsewhere_are_left_out(between: str) -> None:
    titles = ("Opening of the office", "Ships that enter", "Dues and fees", "Closing")
    contents = "\n".join(f"{number}. {title}{between}{number + 1}" for number, title in enumerate(titles, 1))
    body = "\n".join(f"{title}\n{BODY}" for title in titles)
    bare, pages = without_pages_of_contents(f"Contents\n{contents}\n{body}")
    assert pages == "2\n3\n4\n5"
    assert bare == "\n".join(["Contents", *(f"{n}. {title}" for n, title in enumerate(titles, 1)), body])


@pytest.mark.parametrize(
    "table",
    [
        "Rent 700\nPower 45\nFood 300",  # they fall
        "Rent 45\nFood 300\nPower 700",  # beyond the last page
        "Rent 2\nPower 3",  # too few
        "Rent 2\nRent 3\nRent 4",
        "Boats 2\nShips 3\nCarts 4",  # no headings
    ],
)
def test_amounts_behind_headings_stay(table: str) -> None:
    text = "\n".join([table, "Rent", BODY, "Power", BODY, "Food", BODY])
    assert without_pages_of_contents(text) == (text, "")


def test_references_to_pages_of_a_manual_are_the_titles_that_other_formats_link_to() -> None:
    sentences = (
        "Ebb is told in Section 4.1 [Tides of\nthe sea], page 12, and so on.",
        "See Appendix A [Words], page 20. See [Top], page 1.",
        "Siehe Kapitel 3 [Ebbe], Seite 9.",
    )
    headings = "3 Ebbe\n4.1 Tides of the sea\nWords"
    assert without_page_numbers("\n".join([*sentences, headings]), 20) == (
        f"Ebb is told in Tides of\nthe sea, and so on.\nSee Words. See Top.\nSiehe Ebbe.\n{headings}"
    )


def test_references_to_pages_of_exhibits_stay() -> None:
    text = "\n".join(f"As Exhibit {letter} [Lease of {letter}], page 3, says, the rent is due." for letter in "ABCD")
    assert without_page_numbers(text, 9) == text


@pytest.mark.parametrize("times", [1, 9])
def test_citations_of_pages_in_other_books_stay(times: int) -> None:
    cited = times * "As in [Knuth 1997], page 30, and [12], page 9. Chapter 2 [Sic], page 800.\n"
    assert without_page_numbers(cited, 40) == cited
