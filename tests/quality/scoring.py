"""Scores: precision, recall and F1 of pairs, adjusted Rand index of clusters, containment."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tests.quality.labels import Pair, SubSuite, pair_of


@dataclass(frozen=True, slots=True)
class Counts:
    """Pairs found rightly, found wrongly, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """NaN when nothing was found."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else math.nan

    @property
    def recall(self) -> float:
        """NaN when there was nothing to find."""
        return self.right / (self.right + self.missed) if self.right + self.missed else math.nan

    @property
    def f1(self) -> float:
        """NaN when there was nothing to find and nothing was found."""
        whole = 2 * self.right + self.wrong + self.missed
        return 2 * self.right / whole if whole else math.nan


@dataclass(frozen=True, slots=True)
class Score:
    """One sub-suite. hard: hard negatives that were joined. rand: adjusted Rand index (Hubert and Arabie 1985)."""

    pairs: Counts
    rand: float
    hard: int
    containment: Counts


def pairs_within(clusters: Iterable[Collection[str]], files: Collection[str]) -> set[Pair]:
    """Every pair of documents of these files that stand in one cluster."""
    return {
        pair_of(one, other)
        for cluster in clusters
        for one, other in itertools.combinations(sorted(set(cluster) & set(files)), 2)
    }


def count_pairs(found: set[Pair], suite: SubSuite, among: set[Pair] | None = None) -> Counts:
    """What is right and wrong of the found pairs; only those `among` some, if given."""
    positives = set(suite.positives) if among is None else suite.positives & among
    judged = found - suite.ignored if among is None else (found - suite.ignored) & among
    return Counts(len(judged & positives), len(judged - positives), len(positives - found))


def score(suite: SubSuite, clusters: Collection[Collection[str]], contains: Collection[Pair]) -> Score:
    """The score of a sub-suite."""
    found = pairs_within(clusters, suite.files)
    inside = {pair for pair in contains if pair[0] in suite.files and pair[1] in suite.files}
    wrong = {p for p in inside - suite.contains if pair_of(*p) not in suite.positives | suite.ignored}
    containment = Counts(len(inside & suite.contains), len(wrong), len(suite.contains - inside))
    truth, told = components(suite.files, suite.positives), components(suite.files, found)
    rand = adjusted_rand(truth, told) if suite.positives else math.nan
    return Score(count_pairs(found, suite), rand, len(found & suite.hard_negatives), containment)


def components(files: Collection[str], pairs: Iterable[Pair]) -> dict[str, str]:
    """File -> a name shared by all that the pairs connect."""
    above = {file: file for file in files}

    def top(file: str) -> str:
        while above[file] != file:
            above[file] = above[above[file]]
            file = above[file]
        return file

    for one, other in pairs:
        if one in above and other in above:
            above[top(one)] = top(other)
    return {file: top(file) for file in above}


def adjusted_rand(truth: Mapping[str, str], told: Mapping[str, str]) -> float:
    """Agreement of two partitions, 1 when equal and about 0 by chance."""

    def twos(counts: Iterable[int]) -> float:
        return sum(count * (count - 1) / 2 for count in counts)

    both = twos(Counter((truth[file], told[file]) for file in truth).values())
    first, second = twos(Counter(truth.values()).values()), twos(Counter(told.values()).values())
    chance = first * second / twos([len(truth)]) if len(truth) > 1 else 0.0
    most = (first + second) / 2
    return 1.0 if most == chance else (both - chance) / (most - chance)


def mean(values: Iterable[float]) -> float:
    """The mean of the numbers that are numbers."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def by_band(
    suites: Collection[SubSuite], clusters: Collection[Collection[str]], band: Mapping[str, str]
) -> dict[str, Counts]:
    """Counts of the pairs whose two documents are in the same band (a language), or in two ("docx-pdf")."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for suite in suites:
        found = pairs_within(clusters, suite.files) - suite.ignored
        for kind, pairs in (
            (0, found & suite.positives),
            (1, found - suite.positives),
            (2, suite.positives - found),
        ):
            for one, other in pairs:
                names = sorted({band.get(one, "?"), band.get(other, "?")})
                totals["-".join(names)][kind] += 1
    return {name: Counts(*counts) for name, counts in sorted(totals.items())}
