"""Scores: precision, recall and F1 of pairs, families and containment, and what is called a filled-in form."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from tests.quality.found import Found
from tests.quality.labels import Pair, SubSuite, pair_of

FORM_FROM = 0.5  # similarity of two fillings from which they must be called same_form


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
class Share:
    """How many of some pairs were called something."""

    called: int
    of: int

    @property
    def value(self) -> float:
        """NaN of no pairs."""
        return self.called / self.of if self.of else math.nan


@dataclass(frozen=True, slots=True)
class Score:
    """One sub-suite.

    pairs:       of the report, near-duplicates and copies. hard: hard negatives among them.
    families:    pairs of documents in one family, against the connected parts of the labelled versions.
    containment: pairs of container and part.
    forms:       of the labelled pairs of fillings that are alike by FORM_FROM, those called same_form.
    misnamed:    of the labelled versions, those called same_form.
    """

    pairs: Counts
    hard: int
    families: Counts
    containment: Counts
    forms: Share
    misnamed: Share


def pairs_within(clusters: Iterable[Collection[str]], files: Collection[str]) -> set[Pair]:
    """Every pair of documents of these files that stand in one cluster."""
    return {
        pair_of(left, right)
        for cluster in clusters
        for left, right in itertools.combinations(sorted(set(cluster) & set(files)), 2)
    }


def count_pairs(pairs: set[Pair], suite: SubSuite, among: set[Pair] | None = None) -> Counts:
    """Count right, wrong and missed pairs, of those in `among` only, if given."""
    positives = set(suite.positives) if among is None else suite.positives & among
    judged = pairs - suite.ignored if among is None else (pairs - suite.ignored) & among
    return Counts(len(judged & positives), len(judged - positives), len(positives - pairs))


def score(suite: SubSuite, findings: Found) -> Score:
    """The score of a sub-suite."""
    versions, forms = within(suite, findings.versions), within(suite, findings.forms)
    inside = within(suite, findings.contains)
    wrong = {p for p in inside - suite.contains if pair_of(*p) not in suite.positives | suite.ignored}
    as_versions = {p for p in suite.contains if pair_of(*p) in suite.positives & versions}  # the stronger relation
    containment = Counts(len(inside & suite.contains), len(wrong), len(suite.contains - inside - as_versions))
    alike = {pair for pair in suite.forms if findings.alike.get(pair, 0.0) >= FORM_FROM}
    return Score(
        count_pairs(versions, suite),
        len(versions & suite.hard_negatives),
        _families(suite, findings),
        containment,
        Share(len(alike & forms), len(alike)),
        Share(len(forms & suite.positives), len(suite.positives)),
    )


def within(suite: SubSuite, pairs: Iterable[Pair]) -> set[Pair]:
    """The pairs of documents of a sub-suite."""
    return {pair for pair in pairs if pair[0] in suite.files and pair[1] in suite.files}


def _families(suite: SubSuite, findings: Found) -> Counts:
    """Compare families with the connected parts of the labelled versions; ignored pairs count neither way."""
    names = components(suite.files, suite.positives)
    parts: dict[str, list[str]] = defaultdict(list)
    for file, name in names.items():
        parts[name].append(file)
    truth, together = pairs_within(parts.values(), suite.files), pairs_within(findings.families, suite.files)
    return Counts(len(together & truth), len(together - truth - suite.ignored), len(truth - together))


def components(files: Collection[str], pairs: Iterable[Pair]) -> dict[str, str]:
    """File -> a name shared by all that the pairs connect."""
    above = {file: file for file in files}

    def top(file: str) -> str:
        while above[file] != file:
            above[file] = above[above[file]]
            file = above[file]
        return file

    for left, right in pairs:
        if left in above and right in above:
            above[top(left)] = top(right)
    return {file: top(file) for file in above}


def mean(values: Iterable[float]) -> float:
    """Return the mean of the values that are not NaN."""
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def by_band(suites: Collection[SubSuite], versions: set[Pair], band: Mapping[str, str]) -> dict[str, Counts]:
    """Counts of the pairs whose two documents are in the same band (a language), or in two ("docx-pdf")."""
    totals: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for suite in suites:
        called = within(suite, versions) - suite.ignored
        for kind, pairs in (
            (0, called & suite.positives),
            (1, called - suite.positives),
            (2, suite.positives - called),
        ):
            for left, right in pairs:
                names = sorted({band.get(left, "?"), band.get(right, "?")})
                totals["-".join(names)][kind] += 1
    return {name: Counts(*counts) for name, counts in sorted(totals.items())}
