"""What repeats at the edges of pages."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import OtherContent
from dupfinder.text.layout import (
    _counts_of,
    masked,
    split_running_heads,
    without_line_numbers,
    without_page_breaks,
)
from tests.making import opendocument, pptx
from tests.making_compound import ppt
from tests.text.other_content import read

LETTERS = "abcdefghij"


def page(number: int, lines: int = 12) -> list[str]:
    return [f"{LETTERS[number]} wrote line {LETTERS[line % 10]}{LETTERS[number]} of this" for line in range(lines)]


def test_heads_that_change_with_the_chapter_are_found() -> None:
    pages = [[f"CHAPTER {'ONE' if number < 5 else 'TWO'}", "", *page(number), "", str(number)] for number in range(10)]
    body, heads = split_running_heads(pages)
    assert [line for lines in body for line in lines if line] == [line for number in range(10) for line in page(number)]
    assert {"CHAPTER ONE", "CHAPTER TWO", "7"} <= set(heads)


def test_left_and_right_pages_may_differ() -> None:
    pages = [[f"{number}  The book" if number % 2 else f"The part  {number}", *page(number)] for number in range(10)]
    body, _ = split_running_heads(pages)
    assert body == [page(number) for number in range(10)]


def test_headings_with_numbers_that_happen_to_begin_or_end_pages_stay() -> None:
    articles = [[f"Article {3 * number + part}", *page(number, 8)] for number in range(8) for part in range(3)]
    lines = [line for article in articles for line in article]
    pages = [[*lines[start : start + 27], f"Page {start}"] for start in range(0, len(lines), 27)]
    body, heads = split_running_heads(pages)
    assert [line for lines in body for line in lines] == lines
    assert heads == [f"Page {start}" for start in range(0, len(lines), 27)]


def test_a_cell_that_happens_to_end_pages_stays() -> None:
    pages = [[line for text in page(number) for line in (text, "mandatory")] for number in range(8)]
    assert split_running_heads([[*lines, "The report"] for lines in pages]) == (pages, ["The report"])


def test_specks_on_scans_do_not_keep_running_heads_in_the_text() -> None:
    heads = ["12/03/97 14:22 LEE & CO P.01", "12/03/97°14:22 LEE & CO. -P.02", "‘12/03/97 14:22. LEE&CO P.03"]
    pages = [[head, *page(number)] for number, head in enumerate(heads)]
    assert split_running_heads(pages) == ([page(number) for number in range(3)], heads)


def test_what_both_of_two_pages_begin_and_end_with_are_running_heads() -> None:
    pages = [["Head", "of May 2021", *page(number), f"{number + 1}/2"] for number in range(2)]
    body, heads = split_running_heads(pages)
    assert body == [page(number) for number in range(2)]
    assert heads == ["Head", "of May 2021", "1/2", "2/2"]


@pytest.mark.parametrize("lines", [("Section 1", "Section 4"), ("2 of May", "9 of May"), ("One", "Two")])
def test_two_pages_that_begin_otherwise_have_no_running_heads(lines: tuple[str, str]) -> None:
    pages = [[line, "Head", *page(number)] for number, line in enumerate(lines)]
    assert split_running_heads(pages) == (pages, [])


def test_copies_of_one_form_keep_their_lines() -> None:
    form = [["Invoice", "Name:", "Sum:", "Thank you"] for _ in range(6)]
    assert split_running_heads(form) == (form, [])


@given(st.lists(st.lists(st.sampled_from(["", "a", "b 1", "b 2", "x", "12"]), max_size=12), max_size=8))
def test_every_line_is_either_body_or_running_head(pages: list[list[str]]) -> None:
    body, heads = split_running_heads(pages)
    assert len(body) == len(pages)
    for before, after in zip(pages, body, strict=True):
        assert set(before) == set(after) | {line for line in before if line in heads}


@given(st.lists(st.text("aiVx1٣ #-_İé", max_size=5), min_size=1, max_size=8), st.data())
def test_lines_like_those_sought_are_counted_as_when_every_line_is_masked(
    lines: list[str], data: st.DataObject
) -> None:
    every = Counter(map(masked, lines))
    keys = data.draw(st.sets(st.sampled_from(sorted(every)))) - {""}
    counts = _counts_of(keys, [lines[:3], lines[3:]])
    assert {key: counts[key] for key in keys} == {key: every[key] for key in keys}


def test_heads_that_count_a_few_pages_in_roman_numbers_are_found() -> None:
    front = [[*page(number), f"Guide to the archive {roman}"] for number, roman in enumerate(("iii", "iv", "v"))]
    names = [f"{first}{second}m" for first in LETTERS for second in LETTERS]
    rest = [[f"{name} has line {line}m" for line in names[:12]] for name in names[:60]]
    body, heads = split_running_heads([*front, *rest])
    assert body[:3] == [page(number) for number in range(3)]
    assert "Guide to the archive iv" in heads


def test_a_sign_for_numbers_is_no_number() -> None:
    pages = [["C #", *page(0)], [*page(1), "see # there"]]
    assert split_running_heads(pages) == (pages, [])


def test_a_turkish_letter_is_no_roman_number() -> None:
    pages = [["\u0131", *page(number)] for number in range(4)]
    assert split_running_heads(pages) == ([page(number) for number in range(4)], ["\u0131"])


NAMES = [f"{first}{second}m" for first in LETTERS for second in LETTERS]


def chaptered(heads: list[str]) -> list[list[str]]:
    """Return pages with these heads; each goes on with the heading of a section."""
    pages = [[f"{name} has line {line}m" for line in NAMES[:12]] for name in NAMES]
    return [
        [head, f"{name.capitalize()}{name} step", *page] for head, name, page in zip(heads, NAMES, pages, strict=False)
    ]


def test_a_head_that_names_the_chapter_and_its_section_is_said_once() -> None:
    heads = [
        f"CHAPTER {number // 4} {NAMES[number // 4].upper()}. {2 * NAMES[number].upper()} STEP" for number in range(40)
    ]
    pages = chaptered(heads)
    body, removed = split_running_heads(pages)
    assert removed == [head for number, head in enumerate(heads) if number % 4]
    assert body == [page[number % 4 > 0 :] for number, page in enumerate(pages)]


def test_the_section_may_stand_before_the_chapter_and_be_cut_off() -> None:
    pages = chaptered([f"{name}{name[:2]}… Using the program" for name in NAMES[:40]])
    body, removed = split_running_heads(pages)
    assert body == [pages[0], *(page[1:] for page in pages[1:])]
    assert removed == [page[0] for page in pages[1:]]


def test_a_head_continues_one_that_was_removed_from_an_earlier_page() -> None:
    heads = [f"{number} {2 * NAMES[number].upper()} The lights of the harbour" for number in (1, 1, 1, 2, 2, 3)]
    pages = [
        [head, *page(number), f"{head.split()[0]} {head.split()[1].capitalize()}", *page(number + 1)]
        for number, head in enumerate(heads)
    ]
    assert split_running_heads(pages) == ([lines[1:] for lines in pages], [heads[0], heads[3], heads[5]])


def test_what_names_no_section_stays() -> None:
    pages = chaptered([f"Total amount due: {name}{name} Euro" for name in NAMES[:40]])
    assert split_running_heads(pages) == (pages, [])


def test_lines_with_rising_numbers_on_two_pages_may_be_headings() -> None:
    pages = [
        page(0),
        ["Schedule of dues 1", *page(1)],
        ["Schedule of dues 2", *page(2)],
        *(page(n) for n in range(3, 9)),
    ]
    assert split_running_heads(pages) == (pages, [])


def test_numbered_lines_that_a_page_break_parts_stay() -> None:
    pages = [[*page(0), "Harbour dues 7"], ["Harbour dues 8", *page(1)], page(2)]
    assert split_running_heads(pages) == (pages, [])


def test_a_line_that_two_pages_of_many_begin_with_stays() -> None:
    pages = chaptered([f"{name} {name} {name} is how this begins" for name in (NAMES[0], *NAMES[:39])])
    assert split_running_heads(pages) == (pages, [])


def test_a_slide_that_is_shown_in_several_states_keeps_its_title() -> None:
    pages = [[f"The title of {name}", f"point {name}", *page(3, shown)] for name in NAMES[:9] for shown in range(1, 4)]
    assert split_running_heads(pages)[0] == pages


@pytest.mark.parametrize("count", [1, 2, 4])
def test_what_a_browser_prints_around_a_page_is_no_text(count: int) -> None:
    for top, bottom in (
        ("11/22/26, 6:24 PM The letters", "https://example.org/letters/index.html {}/{}"),
        ("The letters https://example.org/letters", "{} of {} 22.11.2026, 18:24"),
    ):
        pages = [[f"line {number} {place} of it" for place in "abcdefgh"] for number in range(count)]
        printed = [[top, *page, bottom.format(number, count)] for number, page in enumerate(pages, 1)]
        assert split_running_heads(printed)[0] == pages
        behind = [[*page, top, bottom.format(number, count)] for number, page in enumerate(pages, 1)]
        assert split_running_heads(behind)[0] == pages


@pytest.mark.parametrize("count", [1, 2, 4])
def test_what_a_browser_printed_around_pages_is_no_text_where_they_became_a_text_file(count: int) -> None:
    pages = [f"line {number} of it\nand more" for number in range(count)]
    printed = "".join(
        f"11/22/26, 6:24 PM The letters\n{page}\nhttps://a.example/ {number}/{count}\n\f"
        for number, page in enumerate(pages, 1)
    )
    assert without_page_breaks(printed)[0].split() == " ".join(pages).split()


def test_underlined_titles_that_count_as_pages_do_are_titles() -> None:
    lines = [f"result of part {number}\n" for number in range(24)]
    steps = [f"Step {step}\n------\n\n{''.join(lines)}" for step in range(1, 6)]
    assert without_page_breaks("".join(steps)) == ("".join(steps), [])
    printed = "".join(f"Page {page}\n{'-' * 60}\n{''.join(lines)}" for page in range(1, 6))
    assert "Page 3" in without_page_breaks(printed)[1]


def test_the_last_line_of_a_printed_page_stays_though_it_ends_in_an_address() -> None:
    page = ["Dear Ann,", "you may copy it, see http://licence.example"]
    printed = [*page, "11/22/26, 6:24 PM The letters", "https://example.org/letters/ 1/1"]
    assert split_running_heads([printed])[0] == [page]


def test_an_address_and_a_fraction_within_a_letter_stay() -> None:
    page = ["Dear Ann,", "see https://example.org/ for more.", "Yours, Bob", "3/7 of it is done"]
    assert split_running_heads([page])[0] == [page]


def test_lines_that_are_numbered_on_each_page_lose_their_numbers() -> None:
    words = [f"and word{number} goes on" for number in range(50)]
    numbered = [f"{number % 25 + 1} {line}" for number, line in enumerate(words)]
    assert without_line_numbers(numbered) == (words, [str(number % 25 + 1) for number in range(50)])
    assert without_line_numbers(words) == (words, [])


def test_numbers_of_lines_are_left_out_also_where_a_raised_sign_put_them_into_or_below_their_line() -> None:
    words = [f"and of the {row} words in it" for row in range(100, 140)]
    numbered = [f"{row + 1} {line}" for row, line in enumerate(words)]
    numbered[20:21] = ["and of the 120 words in 21 it 21"]
    numbered[6:8] = ["and of the 7 106 words in it", "and of the 107 words", "8 in it"]
    body, numbers = without_line_numbers(numbered)
    assert " ".join(body).split() == " ".join([*words[:20], "and of the 120 words in 21 it 21", *words[21:]]).split()
    assert sorted(map(int, numbers)) == [*range(1, 21), *range(22, 41)]


def test_chosen_numbers_before_goods_and_amounts_are_no_numbers_of_lines() -> None:
    stock = [f"{number} of the things in box" for number in (1, 2, 4, 5, 7, 8, 9, 12, 13, 15, 16, 18, 20, 21, 24)]
    assert without_line_numbers(stock) == (stock, [])


TALK = ("Aims of the year", "What the harbour costs", "Who pays for it", "When the work begins")
SLIDES = [(title, f"{title} is told here in a sentence", "Harbour Board", str(n)) for n, title in enumerate(TALK, 1)]
ODP = "".join(
    "<draw:page>" + "".join(f"<draw:frame><text:p>{line}</text:p></draw:frame>" for line in slide) + "</draw:page>"
    for slide in SLIDES
)


@pytest.mark.parametrize(
    ("data", "name"),
    [(pptx(SLIDES), "a.pptx"), (ppt(SLIDES), "a.ppt"), (opendocument("presentation", ODP), "a.odp")],
)
def test_heads_of_slides_in_boxes_of_their_own_are_left_out_as_in_a_pdf(data: bytes, name: str) -> None:
    extracted = read(data, name)
    assert extracted.text.split() == [word for slide in SLIDES for line in slide[:2] for word in line.split()]
    assert "Harbour Board" in extracted.streams["footers"]
    assert OtherContent.HEADERS in extracted.other
