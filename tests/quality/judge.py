"""The judge: every way that says what two documents are to each other must say the same of every pair.

`python -m tests.quality.judge FOLDER` scans a folder into a library of its own, and asks scan, report, session, query,
explain and the check before a removal about every pair that a scan keeps, every two copies, and as many other pairs.
"""

from __future__ import annotations

import itertools
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dupfinder.actions.judge import ReadTask, TextFacts, judge_facts, read_facts
from dupfinder.base.progress import Silent
from dupfinder.cluster.relation import Demand, Relation, name_of, reversed_of
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.library import Library
from dupfinder.library.rows import READ
from dupfinder.report.rows import Report
from dupfinder.review.comparison import PairTask, compare_pair, with_bytes
from dupfinder.review.lookup import Hit, Lookup, digest_of
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.reading import read_text
from dupfinder.scan.request import Root, ScanRequest

Said = tuple[Relation, float]
_WITHOUT_A_THIRD = (
    Relation.VERSION,
    Relation.NONE,
    Relation.PART,
    Relation.WHOLE,
)  # what two fillings are by themselves


@dataclass
class Verdicts:
    """What was asked and how often. disagreements: sentences."""

    pairs: int = 0
    disagreements: list[str] = field(default_factory=list)


class Judge:
    """Asks every way about the pairs of one scanned folder."""

    def __init__(self, library: Library, demand: Demand) -> None:
        self._result = library.result()
        self._session = ReviewSession(self._result)
        self._session.set_demand(demand)
        self._demand = self._session.demand
        self._documents = self._result.documents
        self._lookup = Lookup(library)
        self._report = report_of(self._session)
        self._facts: dict[int, TextFacts | None] = {}
        self._hits: dict[int, dict[Path, Hit]] = {}
        self._told = _told_pairs(self._report)

    def rows(self) -> list[int]:
        """The documents that were read, members of archives left out."""
        documents = self._documents
        return [row for row in range(len(documents)) if documents.status[row] == READ and not documents.inside[row]]

    def pairs(self, others: int) -> Iterator[tuple[int, int]]:
        """All pairs that the scan keeps, copies of them included, and some others by chance."""
        rows = self.rows()
        copies = self._session.grouping.copies
        stacks: dict[int, list[int]] = {}
        for row in rows:
            stacks.setdefault(int(copies[row]), []).append(row)
        for stack in stacks.values():
            yield from itertools.islice(itertools.combinations(stack, 2), 20)
        for left, right in zip(self._result.pairs.left.tolist(), self._result.pairs.right.tolist(), strict=True):
            yield left, right
        generator = random.Random(1)
        for _ in range(others if len(rows) > 1 else 0):
            left, right = sorted(generator.sample(rows, 2))
            yield left, right

    def ask(self, left: int, right: int) -> list[str]:
        """The ways that disagree with the scan about a pair, a sentence each."""
        said = self._session.grouping.tie_of(left, right, self._demand)
        names = f"{self._documents.paths[left]} | {self._documents.paths[right]}"
        ways = {
            "report": self._of_report(left, right),
            "query": self._of_query(left, right),
            "explain": self._of_explain(left, right),
            "check": self._of_check(left, right),
        }
        return [
            f"{way} says {name_of(other[0])} {other[1]:.4f}, the scan {name_of(said[0])} {said[1]:.4f}: {names}"
            for way, other in ways.items()
            if other is not None and not _agree(said, other, way)
        ]

    def _of_report(self, left: int, right: int) -> Said | None:
        copies = self._session.grouping.copies
        if copies[left] == copies[right]:
            return None
        stands = int(copies[left]), int(copies[right])
        told = self._told.get((self._documents.path(stands[0]), self._documents.path(stands[1])))
        return told or (Relation.NONE, 0.0)

    def _of_query(self, left: int, right: int) -> Said | None:
        path = self._documents.path(left)
        if not self._documents.comparable[left]:
            return None
        if left not in self._hits:
            extracted = read_text(path).extracted
            assert extracted is not None
            hits = self._lookup.find(extracted, self._demand, path, digest_of(path))
            self._hits[left] = {hit.path: hit for hit in hits}
        hit = self._hits[left].get(self._documents.path(right))
        return (Relation.NONE, 0.0) if hit is None else (hit.relation, hit.similarity)

    def _of_explain(self, left: int, right: int) -> Said:
        view = with_bytes(compare_pair(PairTask(self._documents.path(left), self._documents.path(right))))
        return view.relation(self._demand), view.similarity

    def _of_check(self, left: int, right: int) -> Said | None:
        facts = [self._facts_of(row) for row in (left, right)]
        if facts[0] is None or facts[1] is None:
            return None
        judged = judge_facts(facts[0], facts[1], self._demand, Scheme().shingle)
        return judged.relation, judged.similarity

    def _facts_of(self, row: int) -> TextFacts | None:
        if row not in self._facts:
            path = self._documents.path(row)
            self._facts[row] = read_facts(ReadTask(path, path.stat().st_size, Scheme()))
        return self._facts[row]


def _told_pairs(report: Report) -> dict[tuple[Path, Path], Said]:
    told: dict[tuple[Path, Path], Said] = {}
    for pair in report.pairs:
        relation = next(each for each in Relation if name_of(each) == pair.relation)
        told[pair.left, pair.right] = relation, pair.similarity
        told[pair.right, pair.left] = reversed_of(relation), pair.similarity
    return told


def _agree(said: Said, other: Said, way: str) -> bool:
    """Whether another way says what the scan does: two texts alone do not show a form, nor equal bytes to the check."""
    if said[0] is Relation.SAME_FORM and way in ("explain", "check"):
        return other[0] in _WITHOUT_A_THIRD
    if said[0] is Relation.IDENTICAL and way == "check":
        return other[0] >= Relation.SAME_WORDS
    return said[0] is other[0] and (said[0] is Relation.NONE or bool(np.isclose(said[1], other[1], atol=1e-4)))


def judge(folder: Path, library: Path, demand: Demand, others: int) -> Verdicts:
    """Scan a folder and ask every way about its pairs."""
    run_scan(ScanRequest((Root(folder),)), library, Silent())
    verdicts = Verdicts()
    with Library.open(library) as opened:
        asked = Judge(opened, demand)
        for left, right in asked.pairs(others):
            verdicts.pairs += 1
            verdicts.disagreements += asked.ask(left, right)
    return verdicts


def main() -> int:
    """Judge the folder that the command line names; 1 when any way disagrees."""
    if len(sys.argv) != 2:
        print("usage: python -m tests.quality.judge FOLDER", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as home:
        verdicts = judge(Path(sys.argv[1]).absolute(), Path(home) / "library.db", Demand(0.7, 0.85, 8), 2000)
    for sentence in verdicts.disagreements[:40]:
        print(sentence)
    print(f"{verdicts.pairs:,} pairs asked, {len(verdicts.disagreements):,} disagreements.")
    return 1 if verdicts.disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
