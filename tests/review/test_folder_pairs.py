from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from dupfinder.cluster.relation import Relation
from dupfinder.library.decisions import Decision
from dupfinder.review.folder_pairs import DocumentsByFolder, FolderPair, FolderPairOrder, in_order_of, synced_name
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from tests.review.making import TOP, Doc, Made, made, path_of

FREE = (Relation.IDENTICAL, Relation.SAME_TEXT)


def session_of(*docs: Doc) -> ReviewSession:
    return ReviewSession(Made(docs).result())


def in_folder(folder: str, *texts: int, protected: bool = False) -> list[Doc]:
    return [Doc(text, folder=folder, name=f"{text}.txt", protected=protected) for text in texts]


def names_of(session: ReviewSession) -> list[tuple[str, str, int, int]]:
    return [
        (Path(pair.left).relative_to(TOP).as_posix(), Path(pair.right).relative_to(TOP).as_posix(), pair.shared,
         pair.documents)
        for pair in DocumentsByFolder(session).pairs
    ]  # fmt: skip


@pytest.mark.parametrize("name", [".thunderbird", "Cache"])
def test_a_folder_of_a_program_stands_at_the_left_though_it_holds_more(name: str) -> None:
    session = session_of(*in_folder("Letters", 1, 2, 3), *in_folder(name, 1, 2, 3, 4, 5, 6))
    assert names_of(session) == [(name, "Letters", 3, 6)]


def test_a_folder_that_another_holds_stands_at_the_left_with_its_share() -> None:
    session = session_of(*in_folder("Downloads", 1, 2, 3), *in_folder("Archive", 1, 2, 3, 4, 5), *in_folder("Desk", 5))
    assert names_of(session) == [("Downloads", "Archive", 3, 3)]  # one shared document makes no pair
    (pair,) = DocumentsByFolder(session).pairs
    assert pair.percent == 100


def test_subfolders_of_the_same_names_are_one_pair_with_the_folders_above_them() -> None:
    session = session_of(
        *in_folder("new/2021/letters", 1, 2), *in_folder("new/2021/bills", 3, 4, 9),
        *in_folder("old/2021/letters", 1, 2), *in_folder("old/2021/bills", 3, 4),
    )  # fmt: skip
    assert names_of(session) == [("old/2021", "new/2021", 4, 4)]


def test_subfolders_of_other_names_are_one_pair_with_the_folders_above_them() -> None:
    session = session_of(
        *in_folder("new/letters", 1, 2), *in_folder("new/bills/paid", 3, 4, 9),
        *in_folder("old/Post", 1, 2), *in_folder("old/Invoices/2021", 3, 4),
    )  # fmt: skip
    assert names_of(session) == [("old", "new", 4, 4)]


@pytest.mark.parametrize(("left", "right"), [("x/a/b/c", "y/d/e/f"), ("x/a/c", "y/c"), ("x/Ann/bills", "y/Ben/bills")])
def test_folders_that_hold_nothing_but_the_shared_one_do_not_stand_for_it(left: str, right: str) -> None:
    session = session_of(*in_folder(left, 1, 2, 3), *in_folder(right, 1, 2, 3))
    assert names_of(session) == [(left, right, 3, 3)]


def test_folders_between_shared_subfolders_and_the_pair_that_stands_for_these_are_passed_over() -> None:
    session = session_of(
        *in_folder("x/new/letters/all", 1, 2), *in_folder("x/new/bills/all", 3, 4, 9),
        *in_folder("y/old/Post/in", 1, 2), *in_folder("y/old/Invoices/paid", 3, 4),
    )  # fmt: skip
    assert names_of(session) == [("y/old", "x/new", 4, 4)]


def test_a_folder_that_is_a_copy_is_not_hidden_by_folders_above_that_share_less() -> None:
    session = session_of(
        *in_folder("all/old/backup", 1, 2), *in_folder("all/old/rest", 3), *in_folder("all/new/work", 1, 2),
        *in_folder("all/new/more", 4, 5), *in_folder("all", 1, 2),
    )  # fmt: skip
    assert ("all/old/backup", "all/new/work", 2, 2) in names_of(session)


def test_folders_that_share_one_small_subfolder_are_no_pair() -> None:
    session = session_of(
        *in_folder("new/letters", 1, 2), *in_folder("new/bills", 11, 12, 13), *in_folder("old/Post", 1, 2),
        *in_folder("old/plans", 21, 22, 23),
    )  # fmt: skip
    assert names_of(session) == [("old/Post", "new/letters", 2, 2)]


def test_below_half_of_a_folder_its_subfolders_are_listed_by_themselves() -> None:
    session = session_of(
        *in_folder("new/letters", 1, 2), *in_folder("new/bills", 11, 12, 13), *in_folder("old/letters", 1, 2),
        *in_folder("old/plans", 21, 22, 23),
    )  # fmt: skip
    assert names_of(session) == [("old/letters", "new/letters", 2, 2)]


def test_pairs_are_ordered_by_the_shares_that_they_show() -> None:
    session = session_of(
        *in_folder("Board", 1, 2), *in_folder("Downloads", 1, 2, 3, 4, 5), *in_folder("Old letters", 11, 12, 13),
        *in_folder("Letters", 11, 12, 14, 15),
    )  # fmt: skip
    assert names_of(session) == [("Old letters", "Letters", 2, 3), ("Downloads", "Board", 2, 5)]


def test_pairs_of_protected_folders_come_last() -> None:
    session = session_of(
        *in_folder("Board", 1, 2, 3), *in_folder("Minutes", 1, 2, 3), *in_folder("Downloads", 1, 2, 4, 5, 6)
    )
    session.result.documents.protected[:6] = True
    assert [pair[0] for pair in names_of(session)] == ["Downloads", "Downloads", "Board"]


def test_downloads_stand_at_the_left_though_more_of_the_other_folder_is_in_them() -> None:
    session = session_of(*in_folder("Board", 1, 2), *in_folder("Downloads", 1, 2, 3, 4, 5))
    assert names_of(session) == [("Downloads", "Board", 2, 5)]


def test_a_protected_folder_stands_at_the_right() -> None:
    session = session_of(*in_folder("", 1, 2, protected=True), *in_folder("letters", 1, 2, 3))
    assert names_of(session) == [("letters", "kept", 2, 3)]


def test_a_folder_in_the_other_counts_for_itself_alone() -> None:
    session = session_of(*in_folder("letters", 1, 2, 3), *in_folder("letters/old", 1, 2))
    assert names_of(session) == [("letters/old", "letters", 2, 2)]
    outer = DocumentsByFolder(session).contents(str(TOP / "letters"), str(TOP / "letters/old"))
    assert sorted(outer.rows.tolist()) == [0, 1, 2]
    inner = DocumentsByFolder(session).contents(str(TOP / "letters/old"), str(TOP / "letters"))
    assert inner.partner.tolist() == [0, 1]


def test_what_differs_stands_first_and_only_what_the_other_folder_has_may_go() -> None:
    docs = [*in_folder("Downloads", 1, 2), Doc(3, pictures=5, folder="Downloads"), *in_folder("Downloads", 4)]
    session = session_of(*docs, *in_folder("Archive", 1, 2), Doc(3, form=1, folder="Archive"))
    contents = DocumentsByFolder(session).contents(str(TOP / "Downloads"), str(TOP / "Archive"))
    assert contents.rows.tolist() == [2, 3, 0, 1]
    assert contents.relation.tolist() == [Relation.SAME_WORDS, Relation.NONE, Relation.IDENTICAL, Relation.IDENTICAL]
    assert contents.partner.tolist() == [6, -1, 4, 5]
    assert contents.can_go.tolist() == [False, False, True, True]


def test_marking_a_folder_is_one_step_and_spares_what_is_protected_decided_or_no_duplicate() -> None:
    docs = [*in_folder("Downloads", 1, 2, 3), *in_folder("", 4, protected=True), *in_folder("Archive", 1, 2, 3)]
    session = session_of(*docs, *in_folder("kept", 4))
    left, right = str(TOP / "Downloads"), str(TOP / "Archive")
    session.marks.decide([1], Decision.KEEP)
    session.not_duplicates(
        int(session.all_clusters().ids[session.all_clusters().positions[session.all_clusters().members == 2][0]])
    )
    assert DocumentsByFolder(session).mark(left, right) == 1
    assert np.flatnonzero(session.acts.marked).tolist() == [0]
    assert (
        DocumentsByFolder(session).mark(right, left) == 1
    )  # of 1, the copy in Downloads goes already; 2 is kept there
    assert np.flatnonzero(session.acts.marked).tolist() == [0, 5]
    session.acts.undo()
    session.acts.undo()
    assert not session.acts.marked.any()
    kept = DocumentsByFolder(session).contents(str(TOP / "kept"), left)
    assert not kept.can_go.any()


def test_a_file_that_is_gone_is_in_no_folder() -> None:
    session = session_of(*in_folder("Downloads", 1, 2), *in_folder("Archive", 1, 2))
    session.note_files([0], FileState.GONE)
    assert names_of(session) == []


@given(made())
def test_shares_are_those_of_counting_by_hand(given_made: Made) -> None:
    session = ReviewSession(given_made.result())
    docs = given_made.docs
    rows = [row for row, doc in enumerate(docs) if doc.archive < 0]
    for pair in DocumentsByFolder(session).pairs:
        left = [row for row in rows if path_of(docs, row).is_relative_to(pair.left)]
        right = [row for row in rows if path_of(docs, row).is_relative_to(pair.right)]
        if Path(pair.left).is_relative_to(pair.right):
            right = [row for row in right if row not in left]
        if Path(pair.right).is_relative_to(pair.left):
            left = [row for row in left if row not in right]
        shared = [row for row in left if any(session.relation_of(row, other)[0] in FREE for other in right)]
        assert (pair.documents, pair.shared) == (len(left), len(shared))
        marked = DocumentsByFolder(session).mark(pair.left, pair.right)
        gone = np.flatnonzero(session.acts.marked).tolist()
        assert len(gone) == marked <= pair.shared and set(gone) <= set(shared)
        for row in gone:
            assert any(session.relation_of(row, other)[0] in FREE and other not in gone for other in right)
        if gone:
            session.acts.undo()


def test_pairs_are_listed_in_the_chosen_order() -> None:
    pairs = [FolderPair("b", "x", 4, 4), FolderPair("c", "x", 10, 5), FolderPair("a", "x", 90, 9)]
    lefts = {order: [pair.left for pair in in_order_of(pairs, order)] for order in FolderPairOrder}
    assert lefts == {
        FolderPairOrder.SHARE: ["b", "c", "a"],
        FolderPairOrder.SHARED: ["a", "c", "b"],
        FolderPairOrder.FOLDER: ["a", "b", "c"],
    }


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("/home/a/OneDrive", "OneDrive"), ("/home/a/OneDrive - Müller & Co/x", "OneDrive - Müller & Co"),
        ("/home/a/Dropbox (Firm)/x/y", "Dropbox (Firm)"),
        ("/Users/a/Library/CloudStorage/GoogleDrive-a@b.c", "CloudStorage"), ("/data/我的坚果云", "我的坚果云"),
        ("/data/WPS云盘/合同", "WPS云盘"),
        ("/home/a/Dropboxes", ""), ("/home/a/Megan", ""), ("/home/a/Documents/clouds", ""), ("/", ""),
    ],
)  # fmt: skip
def test_folders_of_cloud_storage_are_known_by_their_usual_names(folder: str, name: str) -> None:
    assert synced_name(folder.replace("/", os.sep)) == name
