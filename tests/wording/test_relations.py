"""Lines about what documents are to each other."""

from __future__ import annotations

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.wording.relations import other_content_text, relative_line


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (relative_line("/docs/offer.txt", "version", 0.96, 3), "96 % version 3 bits /docs/offer.txt"),
        (relative_line("/docs/offer.txt", "version", 0.9999, 1), "99 % version 1 bit /docs/offer.txt"),
        (relative_line("/docs/book.txt", "part", 0.002, 30), "< 1 % part 30 bits /docs/book.txt"),
        (relative_line("/docs/copy.txt", "identical", 1.0), "100 % identical /docs/copy.txt"),
        (relative_line("/docs/kept.txt", "keeper", 1.0), "kept /docs/kept.txt"),
        (relative_line("/docs/two\nlines.txt", "part", None), "part /docs/two\\nlines.txt"),
    ],
)
def test_a_similar_document_is_a_line_of_how_similar_it_is_and_what_it_is(line: str, words: str) -> None:
    assert " ".join(line.split()) == words


def test_where_a_list_begins_is_told_as_numbers_of_items_once() -> None:
    assert other_content_text([OtherContent.NUMBERS, OtherContent.LIST_STARTS], []) == "other numbers of items"
