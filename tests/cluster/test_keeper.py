"""The proposed keeper: the best by facts in their order, and the criterion that decided."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.cluster.keeper import KeeperReason, claims, degrees, preference, provisional_names, reason, richness_of
from dupfinder.text.document import MediaType
from tests.cluster.making import graphs, pairs_of


def test_every_format_has_its_rank() -> None:
    missing = [kind.value for kind in MediaType if kind and not richness_of(kind.value)]
    assert not missing, f"no row in _RICHNESS of cluster/keeper.py: {missing}"


REASONS = [KeeperReason.PROTECTED, KeeperReason.CENTRAL, *list(KeeperReason)[2:]]


@pytest.mark.parametrize(
    "name",
    [
        "Copy of letter.txt", "letter - Copy.docx", "letter (1).pdf", "letter (12).pdf", "letter_copy.txt",
        "letter.bak.txt", "letter old.txt", "letter 副本.docx", "letter - copia.doc", "letter – Kopie.odt",
        "letter копия.txt", "letter backup 2.txt", "copy.txt", "LETTER (COPY).TXT", "letter draft 2.docx",
        "合同（草稿）.docx", "Entwurf Brief.odt", "download.pdf", "论文_初稿.docx", "办法（征求意见稿）.doc",
        "通知（1）.pdf", "合同 - 复制.docx", "報告備份.odt", "계약서 사본.docx", "合同_旧版.doc",
    ],
)  # fmt: skip
def test_names_that_say_copy_or_draft_are_seen(name: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", name)) == 1


@pytest.mark.parametrize(
    "folder",
    ["Downloads", "Download", "Descargas", "Téléchargements", "Te\u0301le\u0301chargements", "下载", "ダウンロード",
     "Backup of 2019", "Contracts (1)", "old", "tmp", "Drafts", "Загрузки"],
)  # fmt: skip
def test_folders_for_copies_drafts_and_downloads_are_seen(folder: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", folder, "2024", "letter.txt")) == 1
    assert provisional_names(os.path.join(os.sep, "docs", folder, "letter (1).txt")) == 2


@pytest.mark.parametrize(
    "name",
    ["letter.txt", "copyright.txt", "Copyhold law.pdf", "golden age.txt", "letter (2024).pdf", "report (final).docx",
     "bakery.txt", "folder.md", "scope.txt", "photocopying.txt", "template.docx", "Templates", "overdraft.txt",
     "contemporary.md", "Archive", "Desktop"],
)  # fmt: skip
def test_names_that_only_sound_like_it_are_not(name: str) -> None:
    assert provisional_names(os.path.join(os.sep, "docs", name)) == 0
    assert provisional_names(os.path.join(os.sep, "docs", name, "letter.txt")) == 0


def test_of_identical_files_the_one_outside_the_downloads_stays() -> None:
    paths = ["/home/ann/Downloads/lease.pdf", "/home/ann/Property/Harbour Road/lease.pdf"]
    zeros = np.zeros(2, np.int64)
    newer_download = np.array([9, 1], np.int64)
    columns = claims(zeros.astype(np.bool_), paths, zeros, zeros, zeros.astype(np.int32), newer_download)
    assert preference(columns).argmax() == 1


def test_each_name_is_seen_among_many() -> None:
    names = ["letter.txt", "letter (1).pdf", "copyright.txt", "Copy of letter.txt", "", "letter 副本.docx",
             "\u212aopie.odt", "论文初稿.docx", "复制.txt", "合同 - 复制.txt",
             "backup", "scope.txt", "letter(x).txt", "old", "a\nold", "(3)", "bold.txt", "KOPIE.TXT",
             "\u0130 copy.txt"] * 3  # fmt: skip
    count = len(names)
    paths = [f"/letters/{name}" for name in names]
    zeros = np.zeros(count, np.int64)
    columns = claims(zeros.astype(np.bool_), paths, zeros, zeros, zeros.astype(np.int32), zeros)
    assert columns[:, 1].tolist() == [-provisional_names(path) for path in paths]
    assert columns[:, 6].tolist() == [-len(path) for path in paths]


def facts_of(rows: list[list[int]]) -> NDArray[np.int64]:
    return np.array(rows, np.int64).reshape(len(rows), 7)


@st.composite
def groups(draw: st.DrawFn) -> tuple[list[int], list[list[int]], list[int]]:
    """Draw the rows of a group, the facts of all documents, and the degree of each. Values are few, for many ties."""
    count = draw(st.integers(2, 9))
    members = draw(st.lists(st.integers(0, count - 1), min_size=2, unique=True))
    facts = [[draw(st.integers(0, 1)) for _ in range(7)] for _ in range(count)]
    return sorted(members), facts, [draw(st.integers(0, 1)) for _ in range(count)]


@given(groups())
def test_the_best_by_the_facts_in_their_order_is_told_by_the_first_that_sets_it_apart(
    group: tuple[list[int], list[list[int]], list[int]],
) -> None:
    members, facts, central = group
    claimed = facts_of(facts)
    ranks = {row: (facts[row][0], central[row], *facts[row][1:], -row) for row in members}
    best, second = sorted(members, key=lambda row: ranks[row], reverse=True)[:2]
    preferred = preference(claimed)
    assert best == max(members, key=lambda row: (facts[row][0], central[row], preferred[row]))
    why = reason(best, np.array(members, np.int32), np.array([central[row] for row in members], np.int64), claimed)
    first_lead = next(place for place in range(9) if ranks[best][place] != ranks[second][place])
    assert why is REASONS[first_lead]


def test_what_a_document_brings_is_read_off_its_columns() -> None:
    columns = claims(
        np.array([True, False]),
        ["/docs/a (1).txt", "/docs/deep/b.docx"],
        np.array([richness_of("txt"), richness_of("docx")]),
        np.array([-1, 1_700_000_000]),
        np.array([10, 20], np.int32),
        np.array([5, 6], np.int64),
    )
    assert columns[:, 0].tolist() == [1, 0]  # protected
    assert columns[:, 1].tolist() == [-1, 0]  # a plain name
    assert columns[1, 2] > columns[0, 2]  # the richer format
    assert columns[:, 3:].tolist() == [[-1, 10, 5, -15], [1_700_000_000, 20, 6, -17]]


@given(graphs(10, 30))
def test_a_document_is_as_central_as_it_has_pairs(graph: tuple[int, list[tuple[int, int, int]]]) -> None:
    count, rows = graph
    pairs = pairs_of(rows)
    counts = degrees(count, pairs.left, pairs.right)
    assert counts.tolist() == [sum(row in pair[:2] for pair in rows) for row in range(count)]
