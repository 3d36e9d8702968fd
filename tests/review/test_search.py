"""Names ready to be searched say of every document what the plain reading of the search says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path, PurePath

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import Documents
from dupfinder.review import listing
from dupfinder.review.listing import SearchNames, SearchQuery
from dupfinder.review.members import title_of
from dupfinder.text.normalise import normalise
from tests.library.making import row, stored
from tests.review.making import Made, made

TYPED = st.sampled_from(
    ["letter", "ARCHIVE", "folder:deep", "folder:e", "type:pdf", "type:txt", "lang:zh", "size>1k", "size<1MB",
     "date>2023", "date<2024-02", '"0 letter"', "nowhere", ".", "/", "\ud800"]
)  # fmt: skip


def meets(query: SearchQuery, documents: Documents, row: int) -> bool:
    """Tell whether a document meets every condition of a search, in the slow way."""
    path = documents.paths[row].casefold()
    holds = [word in path for word in query.words]
    for field_name, sign, value in query.conditions:
        if field_name == "folder":
            holds.append(value in str(PurePath(documents.paths[row]).parent).casefold())
        elif field_name == "type":
            holds.append(documents.media[row] == value or path.endswith("." + value))
        elif field_name == "lang":
            holds.append(documents.language[row] == value)
        else:
            numbers, limit = SearchQuery.numbers(documents, field_name, value)
            holds.append(bool(numbers[row] > limit if sign == ">" else numbers[row] < limit))
    return all(holds)


@given(made(), st.lists(TYPED, max_size=3).map(" ".join))
def test_a_search_finds_what_reading_each_document_finds(given_made: Made, text: str) -> None:
    documents, query = given_made.result().documents, SearchQuery.parse(text)
    expected = [meets(query, documents, row) for row in range(len(documents))]
    assert SearchNames(documents).matches(text).tolist() == expected


@given(made())
def test_ranks_sort_as_titles_and_paths_do_however_short_the_runs(given_made: Made) -> None:
    documents = given_made.result().documents
    before, listing._RUN = listing._RUN, 2
    try:
        names = SearchNames(documents)
        names.prepare()
    finally:
        listing._RUN = before
    titles = [title_of(documents, row).casefold() for row in range(len(documents))]
    assert names.name_ranks.tolist() == [sorted(set(titles)).index(title) for title in titles]
    paths = [path.casefold() for path in documents.paths]
    assert names.path_ranks.tolist() == [sorted(set(paths)).index(path) for path in paths]


TEXTS = {
    "a lease.txt": "The Tenant pays the rent on the first Monday, by transfer to account 20240815.",
    "b copy.txt": "The Tenant pays the rent on the first Monday, by transfer to account 20240815.",
    "c other.txt": "Rent: the tenant never pays on a Monday",
    "d next.txt": "on the first; see page 44",
    "e 合同.txt": "双方在北京签订合同。人民法院有管辖权。",
}


@pytest.fixture
def names(tmp_path: Path) -> SearchNames:
    """Return the names of documents with TEXTS, and a picture, in a library of their own."""
    prints = fingerprinter(Scheme()).prints_of([normalise(text) for text in TEXTS.values()])
    rows = [
        replace(row(Path("/docs", name), seed), text_print=text_print)
        for seed, (name, text_print) in enumerate(zip(TEXTS, prints, strict=True))
    ]
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        stored(library, *rows, row(Path("/docs/f.png"), 9, status=ProblemKind.NO_TEXT))
        result = library.result()
    return SearchNames(result.documents, result.library)


@pytest.mark.parametrize(
    ("text", "documents"),
    [
        ("tenant pays", "ab"),
        ("TENANT,  pays", "ab"),
        ('"tenant pays" rent', ""),  # no text has these three words in a row
        ("monday on", ""),  # the end of one text and the beginning of the next are no words in a row
        ("tenant", ""),  # a single word is searched for in names alone
        ("lease", "a"),
        ("the first", "abd"),
        ("20240815", "ab"),
        ("44", ""),  # a short number is in too many texts
        ("法院", "e"),
        ("合同", "e"),  # in a name
        ("the first size>1003", ""),
        ("the first size<1001", "a"),
    ],
)
def test_two_words_in_a_row_and_long_numbers_are_searched_for_in_texts_too(
    names: SearchNames, text: str, documents: str
) -> None:
    assert "".join("abcdef"[row] for row in np.flatnonzero(names.matches(text))) == documents


def test_without_its_library_a_search_is_in_names_alone_and_the_log_says_so(
    names: SearchNames, caplog: pytest.LogCaptureFixture
) -> None:
    assert names._library is not None
    names._library.unlink()
    assert not names.matches("tenant pays").any() and names.matches("lease").any()
    assert "the texts cannot be searched" in caplog.text
