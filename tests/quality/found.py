"""What the program found among the documents of a suite, in the names that the labels use."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dupfinder.cluster.clustering import form_clusters
from dupfinder.cluster.relation import Demand, Evidence, Measured, Relation, similarity
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import Documents
from tests.quality.labels import Pair, pair_of

_COPIES = frozenset({"keeper", "identical", "same_text", "same_words"})
VERSIONS = frozenset({"identical", "same_text", "same_words", "version"})  # relations of near-duplicates and copies


@dataclass(frozen=True, slots=True)
class Found:
    """Relations between documents.

    relations: (a, b) in order -> the relation's word; part and whole are in `contains`.
    contains:  (container, part). families: the names in each, without parts folded under their whole.
    alike:     (a, b) in order -> similarity, where it is known.
    """

    relations: Mapping[Pair, str]
    contains: frozenset[Pair]
    families: tuple[frozenset[str], ...]
    alike: Mapping[Pair, float]

    @property
    def versions(self) -> set[Pair]:
        """The pairs that are near-duplicates or copies."""
        return {pair for pair, relation in self.relations.items() if relation in VERSIONS}

    @property
    def forms(self) -> set[Pair]:
        """The pairs that are two fillings of one form."""
        return {pair for pair, relation in self.relations.items() if relation == "same_form"}


def in_report(report: Mapping[str, Any], root: Path) -> Found:
    """Read a JSON report of schema 2 on the files below a folder."""

    def name(path: str) -> str:
        return path[len(str(root)) + 1 :]

    stack_of = {name(file["path"]): file["stack"] for file in report["files"] if file.get("stack") is not None}
    stacks: dict[int, list[str]] = defaultdict(list)
    for file, stack in stack_of.items():
        stacks[stack].append(file)

    def of(path: str) -> list[str]:
        return stacks[stack_of[name(path)]]

    rows = [(of(pair["left"]), of(pair["right"]), pair["relation"], pair["similarity"]) for pair in report["pairs"]]
    families, copies = [], list(stacks.values())
    for cluster in report["clusters"]:
        members = {name(member["path"]): member["relation"] for member in cluster["members"]}
        families.append(frozenset(file for file, relation in members.items() if relation != "part"))
        copies.append(sorted(file for file, relation in members.items() if relation in _COPIES))
    return _expanded(rows, copies, tuple(families))


def in_scan(documents: Documents, pairs: Pairs, evidence: Evidence, demand: Demand, root: Path) -> Found:
    """Decide on the measured pairs of a scan of the files below a folder."""
    names = [Path(path).relative_to(root).as_posix() for path in documents.paths]
    files = documents.files()
    stacks: dict[int, list[str]] = defaultdict(list)
    for name, copy in zip(names, files.representative.tolist(), strict=True):
        stacks[copy].append(name)
    relations, alike = Measured(evidence, pairs).decide(demand), similarity(evidence)
    rows = [
        (stacks[left], stacks[right], Relation(relation).name.lower(), share)
        for left, right, relation, share in zip(
            pairs.left.tolist(), pairs.right.tolist(), relations.tolist(), alike.tolist(), strict=True
        )
    ]
    clusters = form_clusters(pairs, evidence, demand, files)
    families: dict[int, set[str]] = defaultdict(set)
    for place, row, whole in zip(
        clusters.positions.tolist(), clusters.members.tolist(), clusters.whole.tolist(), strict=True
    ):
        if whole < 0:
            families[place].add(names[row])
    return _expanded(rows, list(stacks.values()), tuple(map(frozenset, families.values())))


def _expanded(
    rows: Sequence[tuple[list[str], list[str], str, float]],
    stacks: Sequence[list[str]],
    families: tuple[frozenset[str], ...],
) -> Found:
    """Give every copy the relations of its stack: a row says what the left stack is to the right one."""
    relations: dict[Pair, str] = {}
    alike: dict[Pair, float] = {}
    contains: set[Pair] = set()
    for left, right, relation, share in rows:
        for left_copy, right_copy in itertools.product(left, right):
            alike[pair_of(left_copy, right_copy)] = share
            if relation in ("part", "whole"):
                contains.add((right_copy, left_copy) if relation == "part" else (left_copy, right_copy))
            else:
                relations[pair_of(left_copy, right_copy)] = relation
    for stack in stacks:
        for left_copy, right_copy in itertools.combinations(stack, 2):
            relations[pair_of(left_copy, right_copy)] = "same_words"
    return Found(relations, frozenset(contains), families, alike)
