"""The documents of all groups one by one are those of the list, and in the order of a plain sort."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.cluster.relation import Relation
from dupfinder.review.listing import FILTERED_RELATIONS, FileOrder, GroupFilter
from dupfinder.review.members import Member, title_of
from dupfinder.review.session import ReviewSession
from tests.review.making import Made, made

FILTERS = st.builds(
    GroupFilter,
    relations=st.frozensets(st.sampled_from(FILTERED_RELATIONS), max_size=2),
    text=st.sampled_from(["", "letter", "type:txt"]),
    only=st.frozensets(st.sampled_from(["marked", "protected"]), max_size=1),
)


def meets(session: ReviewSession, member: Member, chosen: GroupFilter) -> bool:
    """Tell whether a document meets a filter itself, in the slow way."""
    relation = Relation.VERSION if member.relation in (Relation.NONE, Relation.WHOLE) else member.relation
    return (
        (not chosen.relations or (relation in chosen.relations and not member.is_keeper))
        and (not chosen.text or bool(session.names.matches(chosen.text)[member.document]))
        and ("marked" not in chosen.only or bool(session.acts.marked[member.document]))
        and ("protected" not in chosen.only or member.protected)
    )


def key_of(session: ReviewSession, member: Member, order: FileOrder) -> Any:
    """Return the value by which a document is sorted."""
    documents, row = session.result.documents, member.document
    keys: dict[FileOrder, Any] = {
        FileOrder.GROUP: 0,
        FileOrder.NAME: title_of(documents, row).casefold(),
        FileOrder.FOLDER: documents.paths[row].casefold(),
        FileOrder.CHANGED: int(documents.mtime_ns[row]),
        FileOrder.SIZE: member.size,
        FileOrder.DECISION: int(member.decision),
        FileOrder.RELATION: len(Relation) if member.is_keeper else int(member.relation),
    }
    return keys[order]


def reviewed(given_made: Made, marked: list[int], chosen: GroupFilter) -> ReviewSession:
    """Return a session in which some documents are marked as far as they may be, with a filter."""
    session = ReviewSession(given_made.result())
    rows = [
        row for row in marked if row < len(session.result.documents) and session.all_clusters().cluster_of(row) >= 0
    ]
    if rows:
        session.marks.mark_all(rows)
    session.set_filter(chosen)
    return session


@given(made(), st.lists(st.integers(0, 8), max_size=4), FILTERS, st.sampled_from(FileOrder), st.booleans())
def test_files_are_the_listed_documents_in_the_order_of_a_plain_sort(
    given_made: Made, marked: list[int], chosen: GroupFilter, order: FileOrder, downwards: bool
) -> None:
    session = reviewed(given_made, marked, chosen)
    members = {
        member.document: member
        for cluster in session.listed().ids.tolist()
        for member in session.members(cluster)
        if meets(session, member, chosen)
    }
    table = session.lister(order, downwards=downwards)()
    documents = table.documents().tolist()
    assert sorted(documents) == sorted(members)
    keys = [key_of(session, members[document], order) for document in documents]
    assert keys == sorted(keys, reverse=downwards)


@given(made(), FILTERS)
def test_by_group_each_group_of_the_list_stands_above_its_documents(given_made: Made, chosen: GroupFilter) -> None:
    session = reviewed(given_made, [0, 1, 2], chosen)
    table, clusters = session.lister(FileOrder.GROUP)(), session.all_clusters()
    groups: dict[int, list[int]] = {}
    group = -1
    for entry in table.entries.tolist():
        if entry < 0:
            group = int(clusters.ids[-1 - entry])
            assert group not in groups
            groups[group] = []
        else:
            groups[group].append(int(clusters.members[entry]))
    assert list(groups) == [cluster for cluster in session.listed().ids.tolist() if cluster in groups]
    for cluster, documents in groups.items():
        assert documents and {clusters.cluster_of(document) for document in documents} == {cluster}
        keeper = int(clusters.keepers[clusters.position_of(cluster)])
        assert keeper not in documents or documents[0] == keeper
        assert table.row_of(documents[0]) >= 0
