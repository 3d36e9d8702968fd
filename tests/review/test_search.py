"""Names ready to be searched say of every document what the plain reading of the search says."""

from __future__ import annotations

from pathlib import PurePath

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.library.rows import Documents
from dupfinder.review import listing
from dupfinder.review.listing import Names, Query
from dupfinder.review.members import title_of
from tests.review.making import Made, made

TYPED = st.sampled_from(
    ["letter", "ARCHIVE", "folder:deep", "folder:e", "type:pdf", "type:txt", "lang:zh", "size>1k", "size<1MB",
     "date>2023", "date<2024-02", '"0 letter"', "nowhere", ".", "/", "\ud800"]
)  # fmt: skip


def meets(query: Query, documents: Documents, row: int) -> bool:
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
            numbers, limit = Query.numbers(documents, field_name, value)
            holds.append(bool(numbers[row] > limit if sign == ">" else numbers[row] < limit))
    return all(holds)


@given(made(), st.lists(TYPED, max_size=3).map(" ".join))
def test_a_search_finds_what_reading_each_document_finds(given_made: Made, text: str) -> None:
    documents, query = given_made.result().documents, Query.parse(text)
    expected = [meets(query, documents, row) for row in range(len(documents))]
    assert Names(documents).matches(text).tolist() == expected


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
    assert names.name_ranks.tolist() == [sorted(set(titles)).index(title) for title in titles]
    paths = [path.casefold() for path in documents.paths]
    assert names.path_ranks.tolist() == [sorted(set(paths)).index(path) for path in paths]
