"""Books of the Kindle: the text of their page, packed or not, with facts and pictures; protected ones are told so."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import NOT_KNOWN, Attempt, Extracted, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.readers.books import KindleBook
from tests import making


def read(data: bytes, attempt: Attempt = Attempt.FIRST) -> Extracted:
    extraction = extract(data, Path("a.azw3"), attempt=attempt)
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


@given(st.text("ab \x00\x7fé漢", max_size=300), st.booleans(), st.booleans())
def test_every_page_is_unpacked_as_it_was(page: str, packed: bool, tails: bool) -> None:
    book = KindleBook(making.kindle(page, packed=packed, tails=tails))
    assert (book.page(), book.damaged) == (page, False)


def test_a_book_tells_its_title_author_date_and_language() -> None:
    facts = {503: "The  Book", 100: "A. Writer", 106: "2011-03-05T00:00:00+00:00", 524: "es"}
    extracted = read(making.kindle("<p>Palabras</p>", facts=facts))
    assert (extracted.title, extracted.author, extracted.language) == ("The Book", "A. Writer", "es")
    assert extracted.created is not None and extracted.created.year == 2011


def test_an_older_book_is_read_in_its_code_page() -> None:
    extracted = read(making.kindle("<p>Für “dich”</p>", encoding="cp1252", facts={503: "Für Elise", 100: "Käthe"}))
    assert (extracted.text, extracted.title, extracted.author) == ("Für “dich”", "Für Elise", "Käthe")


def test_the_style_sheets_behind_the_page_of_a_newer_book_are_no_words() -> None:
    for attempt in (Attempt.FIRST, Attempt.PLAINEST):
        extracted = read(making.kindle("<p>Words é</p>", styles="a:hover { color: red }"), attempt)
        assert (extracted.text, extracted.partial) == ("Words é", False)


def test_a_damaged_list_of_what_is_behind_the_page_takes_no_words_away() -> None:
    book = making.kindle("<p>one two three</p>", styles="a { color: red }")
    place = book.rindex(b"FDST") + 16
    assert read(book[:place] + bytes(4) + book[place + 4 :]).text.startswith("one two three")


def test_a_drawing_behind_the_page_of_a_newer_book_is_not_known() -> None:
    book = making.kindle("<p>Words<img src='kindle:flow:0001?mime=image/svg+xml'></p>", styles="<svg/>")
    assert read(book).other[OtherContent.PICTURES] == NOT_KNOWN


def test_a_book_whose_records_overlap_is_damaged() -> None:
    book = bytearray(making.kindle("<p>words</p>", pictures=[b"one", b"two"]))
    book[78 + 8 * 2 : 78 + 8 * 2 + 4] = bytes(4)
    problem = extract(bytes(book), Path("a.mobi")).problem
    assert problem is not None and problem.details == details(Clause.NO_BOOK)


def test_places_in_the_book_are_no_links_and_words_like_them_stay() -> None:
    places = "<a filepos=0000012>to</a> <a class='b' href='kindle:pos:fid:0001:off:000A'>fro</a>"
    extracted = read(making.kindle(f"<p>{places} filepos=123</p>"))
    assert (extracted.text, OtherContent.LINKS in extracted.other) == ("to fro filepos=123", False)


def test_titles_before_each_part_of_a_newer_book_are_no_words() -> None:
    part = "<html><head><title>The book</title></head><body><p>Part {}</p></body></html>"
    assert read(making.kindle(part.format(1) + part.format(2))).text.split() == ["Part", "1", "Part", "2"]


@pytest.mark.parametrize(
    "address", ["recindex='00001'", "alt='a'\nRECINDEX=1", "src='kindle:embed:0001?mime=image/png'"]
)
def test_books_with_other_pictures_are_told_apart(address: str) -> None:
    page = f"<p>words<img {address}></p>"
    pictures = [read(making.kindle(page, pictures=[picture])).other for picture in (b"one", b"two")]
    assert pictures[0][OtherContent.PICTURES] != pictures[1][OtherContent.PICTURES] != ""
    assert read(making.kindle(page)).other[OtherContent.PICTURES] == ""  # not there, so not known


def test_a_book_locked_by_a_rights_scheme_is_told() -> None:
    problem = extract(making.kindle("<p>words</p>", protection=2), Path("a.azw")).problem
    assert problem is not None
    assert (problem.kind, problem.details) == (ProblemKind.ENCRYPTED, details(Clause.RIGHTS_SCHEME))


def test_a_book_that_is_cut_off_gives_what_comes_before() -> None:
    whole = making.kindle("".join(f"<p>{words}</p>" for words in making.PARAGRAPHS * 40) + "<p>The end</p>")
    for attempt in (Attempt.FIRST, Attempt.PLAINEST):
        extraction = extract(whole[: len(whole) // 2], Path("a.mobi"), attempt=attempt)
        assert extraction.extracted is not None and extraction.extracted.partial
        assert extraction.extracted.text.startswith(making.PARAGRAPHS[0])
        assert "The end" not in extraction.extracted.text


def test_a_book_is_read_plainly_when_reading_it_takes_too_long() -> None:
    extracted = read(making.kindle("<p>One &amp; two</p><script>x</script>"), Attempt.PLAINEST)
    assert (extracted.reader, extracted.text) == ("plainly", "One & two")
