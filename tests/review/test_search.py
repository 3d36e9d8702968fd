"""Names ready to be searched say of every document what the plain reading of the search says."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.review import listing
from dupfinder.review.listing import Names, Query
from dupfinder.review.members import title_of
from tests.review.making import Made, made

TYPED = st.sampled_from(
    ["letter", "ARCHIVE", "folder:deep", "folder:e", "type:pdf", "type:txt", "lang:zh", "size>1k", "size<1MB",
     "date>2023", "date<2024-02", '"0 letter"', "nowhere", ".", "/", "\ud800"]
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(made(), st.lists(TYPED, max_size=3).map(" ".join))
def test_a_search_finds_what_reading_each_document_finds(given_made: Made, text: str) -> None:
    documents, query = given_made.result().documents, Query.parse(text)
    expected = [query.meets(documents, row) for row in range(len(documents))]
    assert Names(documents).matches(text).tolist() == expected


@settings(deadline=None, max_examples=100)
@given(made())
def test_ranks_sort_as_titles_and_paths_do_however_short_the_runs(given_made: Made) -> None:
    documents = given_made.result().documents
    before, listing._RUN = listing._RUN, 2
    try:
        names = Names(documents)
        names.prepare()
    finally:
        listing._RUN = before
    titles = [title_of(documents, row).casefold() for row in range(len(documents))]
    assert names.name_ranks().tolist() == [sorted(set(titles)).index(title) for title in titles]
    paths = [path.casefold() for path in documents.paths]
    assert names.path_ranks().tolist() == [sorted(set(paths)).index(path) for path in paths]
