"""How much each source of candidates finds of what is labelled, alone and together, and how many pairs it proposes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np

from dupfinder.base.progress import Silent
from dupfinder.base.settings import DEFAULT_RADIUS, MATCH_PAIRS, MATCH_SECONDS, Settings
from dupfinder.cluster.candidates import SketchPairs
from dupfinder.cluster.linkage import representatives
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import Library
from dupfinder.library.rows import ScanResult
from dupfinder.scan.matching import Budget, copy_hashes, propose
from tests.quality.labels import Pair, SubSuite, pair_of
from tests.quality.scoring import mean


@dataclass(frozen=True, slots=True)
class Source:
    """One source of candidates: how many it proposes, and what of the labelled pairs is among them or are copies, as
    the mean over sub-suites (NaN where nothing is labelled)."""

    name: str
    pairs: int
    recall: float
    containment: float


def sources(suites: Collection[SubSuite], library: Library, result: ScanResult, names: list[str]) -> list[Source]:
    """All sources of a scan. names: n, by row, as the labels have them."""
    settings, documents = Settings(), result.documents
    budget = Budget(settings.number(MATCH_SECONDS), settings.integer(MATCH_PAIRS))
    found = propose(library, documents, budget, Silent())
    stands = representatives(copy_hashes(documents))
    stand_of = {name: names[stand] for name, stand in zip(names, stands.tolist(), strict=True)}
    chosen = [names[row] for row in found.chosen.tolist()]
    usual = min(DEFAULT_RADIUS, found.widest)
    both = found.near.within(usual)
    proposals: list[tuple[str, list[Pairs | SketchPairs]]] = [
        ("copies alone", []),
        (f"fingerprints within {usual} bits", [both]),
        (f"fingerprints within {found.widest} bits", [found.near]),
        ("sketches", [found.sketched]),
        (f"within {usual} bits, and sketches", [both, found.sketched]),
        (f"within {found.widest} bits, and sketches", [found.near, found.sketched]),
    ]
    return [source(name, _pairs(columns, chosen), suites, stand_of) for name, columns in proposals]


def source(name: str, proposed: set[Pair], suites: Collection[SubSuite], stand_of: dict[str, str]) -> Source:
    """One source from its pairs. stand_of: the document that stands for each copy, itself for others."""

    def among(one: str, other: str) -> bool:
        first, second = stand_of.get(one, one), stand_of.get(other, other)
        return first == second or pair_of(first, second) in proposed

    return Source(
        name,
        len(proposed),
        mean(float(np.mean([among(*pair) for pair in suite.positives])) for suite in suites if suite.positives),
        mean(float(np.mean([among(*pair) for pair in suite.contains])) for suite in suites if suite.contains),
    )


def _pairs(columns: list[Pairs | SketchPairs], names: list[str]) -> set[Pair]:
    return {
        pair_of(names[one], names[other])
        for pairs in columns
        for one, other in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    }
