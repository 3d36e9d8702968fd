"""How much each source of candidates finds of what is labelled, alone and together, and how many pairs it proposes."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from dupfinder.base.progress import SilentReporter
from dupfinder.cluster.candidates import union
from dupfinder.cluster.verify import SharedShingles
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.processes.crew import Crew
from dupfinder.scan.earlier import RemainingPairs, compared
from dupfinder.scan.matching import PAIRS_OVER, MatchingBudget, near_pairs, passages_of, prints_of
from tests.quality.labels import Pair, SubSuite, pair_of
from tests.quality.scoring import mean
from tests.quality.trial import Reading


@dataclass(frozen=True, slots=True)
class Source:
    """One source of candidates: how many it proposes, and what of the labelled pairs is among them or are copies, as
    the mean over sub-suites (NaN where nothing is labelled)."""

    name: str
    pairs: int
    recall: float
    containment: float


def sources(reading: Reading) -> list[Source]:
    """Count what each source proposes in a scan: fingerprints, sketches, and both."""
    documents = reading.result.documents
    chosen = compared(documents)
    with LibraryFile(reading.library) as library:
        prints = prints_of(library, documents, chosen)
        shingles = SharedShingles.of(prints.shingles, Crew())
        fingerprints = documents.fingerprint[chosen]
        most = PAIRS_OVER * MatchingBudget().pairs
        passages = passages_of(shingles, RemainingPairs.none(len(chosen)), most, SilentReporter())
        proposed = near_pairs(documents, chosen, MatchingBudget(), SilentReporter(), grouped=passages.grouped)
        every = union(proposed.pairs, passages.keys, fingerprints)
    near, widest = proposed.pairs, proposed.widest
    names = [Path(path).relative_to(reading.root).as_posix() for path in documents.paths]
    stand_of = {name: names[copy] for name, copy in zip(names, documents.files().representative.tolist(), strict=True)}
    compared_names = [names[row] for row in chosen.tolist()]
    proposals: list[tuple[str, Pairs | None]] = [
        ("copies alone", None),
        (f"fingerprints within {widest} bits", near),
        (f"within {widest} bits, and shared passages", every),
    ]
    return [source(name, _pairs(pairs, compared_names), reading.suites, stand_of) for name, pairs in proposals]


def source(name: str, proposed: set[Pair], suites: Collection[SubSuite], stand_of: dict[str, str]) -> Source:
    """One source from its pairs. stand_of: the document that stands for each copy, itself for others."""

    def among(left: str, right: str) -> bool:
        first, second = stand_of.get(left, left), stand_of.get(right, right)
        return first == second or pair_of(first, second) in proposed

    return Source(
        name,
        len(proposed),
        mean(float(np.mean([among(*pair) for pair in suite.positives])) for suite in suites if suite.positives),
        mean(float(np.mean([among(*pair) for pair in suite.contains])) for suite in suites if suite.contains),
    )


def _pairs(pairs: Pairs | None, names: list[str]) -> set[Pair]:
    if pairs is None:
        return set()
    columns = zip(pairs.left.tolist(), pairs.right.tolist(), strict=True)
    return {pair_of(names[left], names[right]) for left, right in columns}
