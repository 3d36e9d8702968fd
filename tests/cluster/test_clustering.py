"""Clustering in columns, compared with loops over documents and pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.cluster.clustering import Clustering, Clusters, FileColumns, form_clusters, freed
from dupfinder.cluster.keeper import STATE
from dupfinder.cluster.relation import SURVIVING, Confidence, Demand, Measured, Relation, reversed_of, similarity
from dupfinder.library.rows import ScanResult
from tests.cluster.making import union_find
from tests.review.making import Made, made

SIMILARITIES = st.sampled_from([0.5, 0.7, 0.9])
ENDS = st.sampled_from(["", " v2", " v3", " draft", " signed"])
Family = tuple[int, list[int], int, list[Relation], list[float], list[int]]


class Plainly:
    """The families of a result under a demand, computed by loops."""

    def __init__(self, result: ScanResult, demand: Demand) -> None:
        self.files = result.documents.files()
        self.rows = range(len(self.files))
        self.copies = self.files.representative.tolist()
        pairs, evidence = result.pairs, result.evidence
        measured = Measured(evidence, pairs)
        relations, alike = measured.decide(demand), similarity(evidence)
        self.ties: dict[tuple[int, int], tuple[Relation, float, float, bool]] = {}
        for row, sure in enumerate(measured.confidence(demand, relations)):
            left, right = int(pairs.left[row]), int(pairs.right[row])
            relation, is_sure = Relation(int(relations[row])), sure != Confidence.BORDERLINE
            shares = evidence.left_in_right[row], evidence.right_in_left[row]
            self.ties[left, right] = relation, float(alike[row]), float(shares[0]), is_sure
            self.ties[right, left] = reversed_of(relation), float(alike[row]), float(shares[1]), is_sure

    def labels(self) -> list[int]:
        """Return the smallest row connected with each document by versions and copies."""
        versions = {pair: tie[3] for pair, tie in self.ties.items() if tie[0] is Relation.VERSION and pair[0] < pair[1]}
        joined = [pair for pair, sure in versions.items() if sure] + list(enumerate(self.copies))
        roots = union_find(len(self.rows), joined)
        bridges = Counter(
            tuple(sorted((roots[left], roots[right]))) for (left, right), sure in versions.items() if not sure
        )
        return union_find(
            len(self.rows), [*joined, *((low, high) for (low, high), times in bridges.items() if times > 1)]
        )

    def whole(self, row: int) -> int:
        """Return the document under which each document without versions is folded, -1 for none."""
        words = self.files.words
        wholes = [
            (tie[2], words[other], other)
            for (part, other), tie in self.ties.items()
            if part == row and tie[0] is Relation.PART and (words[other], other) > (words[row], row)
        ]
        return max(wholes)[2] if wholes else -1

    def families(self) -> list[Family]:
        """Return all families in the form of Clusters, one by one."""
        labels = self.labels()
        wholes = {row: self.whole(row) for row in self.rows if labels.count(labels[row]) == 1}
        members: dict[int, list[int]] = {}
        for row in self.rows:
            top = row
            while wholes.get(top, -1) >= 0:
                top = wholes[top]
            members.setdefault(labels[top], []).append(row)
        groups = [
            (name, rows, [wholes.get(row, -1) for row in rows]) for name, rows in members.items() if len(rows) > 1
        ]
        return sorted(self.family(name, rows, folded) for name, rows, folded in groups)

    def family(self, name: int, rows: list[int], wholes: list[int]) -> Family:
        """Return the columns of a family."""
        versions = Counter(row for (row, _), tie in self.ties.items() if tie[0] is Relation.VERSION)
        files, stands = self.files, {self.copies[row] for row in rows}
        candidates = [row for row, whole in zip(rows, wholes, strict=True) if whole < 0]
        lead = {row: (*files.claims[row, :2].tolist(), versions[self.copies[row]], files.claims[row, STATE])
                for row in candidates}  # fmt: skip
        candidates = [row for row in candidates if lead[row] == max(lead.values())]
        if len({self.copies[row] for row in candidates}) > 1:
            older = files.editions.older(np.array(candidates), np.zeros(len(candidates), np.int64))
            candidates = [row for row, is_older in zip(candidates, older, strict=True) if not is_older]
        keeper = max(candidates, key=lambda row: int(files.ranks[row]))
        towards, alike = [], []
        for row, whole in zip(rows, wholes, strict=True):
            if self.copies[row] == self.copies[keeper]:
                relation, near = Relation(int(files.same_words(np.array([row]), np.array([keeper]))[0])), 1.0
            else:
                inside = {right: tie for (left, right), tie in self.ties.items()
                          if left == self.copies[row] and right in stands and tie[0] >= Relation.WHOLE}  # fmt: skip
                relation, near, *_ = inside.get(self.copies[keeper], (Relation.NONE, -1.0))
                near = near if near >= 0 else max((tie[1] for tie in inside.values()), default=0.0)
            towards.append(Relation.PART if whole >= 0 and relation is Relation.NONE else relation)
            alike.append(near)
        return name, rows, keeper, towards, alike, wholes


def goes(files: FileColumns, family: Family) -> list[int]:
    """Return the rows removed with all documents that have a verified relation to the kept copy."""
    _, rows, keeper, towards, *_ = family
    tied = [row for row, relation in zip(rows, towards, strict=True) if relation in SURVIVING and row != keeper]
    return [] if files.inside[keeper] else [row for row in tied if not files.locked[row]]


@given(
    made(),
    st.builds(Demand, SIMILARITIES, st.sampled_from([0.5, 0.85]), st.integers(0, 16), st.booleans()),
    st.lists(st.tuples(st.integers(0, 2), st.integers(-1, 0), ENDS), min_size=9, max_size=9),
)
def test_families_are_those_of_the_plain_way(
    given_made: Made, demand: Demand, places: list[tuple[int, int, str]]
) -> None:
    docs = [  # some names of one file, some inside the first one
        replace(doc, inode=inode, archive=archive if row else -1, folder=f"{row}", name=f"Plan{end}.txt")
        for row, (doc, (inode, archive, end)) in enumerate(zip(given_made.docs, places, strict=False))
    ]
    result = replace(given_made, docs=docs).result()
    clusters = form_clusters(result.pairs, result.evidence, demand, result.documents.files())
    plainly = Plainly(result, demand)
    expected = plainly.families()
    assert clusters.ids.tolist() == [family[0] for family in expected]
    assert clusters.keepers.tolist() == [family[2] for family in expected]
    for place, (_, rows, _, towards, alike, wholes) in enumerate(expected):
        entries = np.flatnonzero(clusters.positions == place)
        assert clusters.rows(place).tolist() == clusters.members[entries].tolist() == rows
        assert clusters.relation[entries].tolist() == towards
        assert clusters.similarity[entries].tolist() == alike
        assert clusters.whole[entries].tolist() == wholes
    away = [row for family in expected for row in goes(plainly.files, family)]
    assert clusters.bytes_to_free.sum() == freed(plainly.files, np.array(away, np.int64))
    measured = Measured(result.evidence, result.pairs)
    relation = measured.decide(demand)
    of_all_pairs = Clustering(measured, plainly.files).under(demand, relation, measured.confidence(demand, relation))
    for column in fields(Clusters):
        assert np.array_equal(getattr(of_all_pairs, column.name), getattr(clusters, column.name)), column.name


def test_no_documents_and_no_pairs_make_no_families() -> None:
    result = Made([]).result()
    assert len(form_clusters(result.pairs, result.evidence, Demand(0.7, 0.85, 8), result.documents.files())) == 0
