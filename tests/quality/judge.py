"""The judge: every way that says what two documents are to each other must say the same of every pair.

`python -m tests.quality.judge FOLDER` scans a folder into a library of its own, and asks scan, report, session, query,
explain, the plan and the check before a removal about every pair that a scan keeps, every two copies, and other pairs
by chance. Explaining, query and the check read the files themselves, each of them every file once, as for a person.
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

from dupfinder.actions.judge import JudgeTask, judge_facts, read_for_judgement
from dupfinder.actions.plan import Verb
from dupfinder.base.details import Problem
from dupfinder.base.progress import SilentReporter
from dupfinder.cluster.pair import ComparedText
from dupfinder.cluster.relation import SURVIVING, Demand, Relation, name_of, reversed_of
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ
from dupfinder.report.rows import Report
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.review.survivors import Survivors, make_plan
from dupfinder.scan.comparison import PairView, Side, measured, read_side, with_bytes
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.query import Lookup, RelatedDocument, digest_of
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

    def __init__(self, library: LibraryFile, demand: Demand) -> None:
        self._result = library.result()
        self._session = ReviewSession(self._result)
        self._session.set_demand(demand)
        self._demand = self._session.demand
        self._documents = self._result.documents
        self._lookup = Lookup(library)
        self._report = report_of(self._session)
        self._sides: dict[int, Side | Problem] = {}
        self._facts: dict[int, ComparedText | None] = {}
        self._hits: dict[int, dict[Path, RelatedDocument]] = {}
        self._reported = _reported_pairs(self._report)
        self._shown = _shown_pairs(self._session)

    def rows(self) -> list[int]:
        """The documents that were read, members of archives left out."""
        documents = self._documents
        return [row for row in range(len(documents)) if documents.status[row] == READ and not documents.inside[row]]

    def pairs(self, others: int) -> Iterator[tuple[int, int]]:
        """Yield the pairs of copies, those that the scan keeps, with every copy of either side, and random others."""
        rows = self.rows()
        copies = self._session.grouping.representative
        stacks: dict[int, list[int]] = {}
        for row in rows:
            stacks.setdefault(int(copies[row]), []).append(row)
        for stack in stacks.values():
            yield from itertools.combinations(stack, 2)
        for left, right in zip(self._result.pairs.left.tolist(), self._result.pairs.right.tolist(), strict=True):
            yield from itertools.product(stacks.get(left, ()), stacks.get(right, ()))
        generator = random.Random(1)
        for _ in range(others if len(rows) > 1 else 0):
            left, right = sorted(generator.sample(rows, 2))
            yield left, right

    def ask(self, left: int, right: int) -> list[str]:
        """The ways that disagree with the scan about a pair, a sentence each."""
        said = self._session.grouping.relation_of(left, right, self._demand)
        names = f"{self._documents.paths[left]} | {self._documents.paths[right]}"
        ways = {
            "report": self._of_report(left, right),
            "list": self._shown.get((left, right)),
            "list of the other": _turned(self._shown.get((right, left))),
            "query": self._of_query(left, right),
            "explain": self._of_explain(left, right),
            "plan": self._of_plan(left, right),
            "plan of the other": _turned(self._of_plan(right, left)),
            "check": self._of_check(left, right),
        }
        return [
            f"{way} says {name_of(other[0])} {other[1]:.4f}, the scan {name_of(said[0])} {said[1]:.4f}: {names}"
            for way, other in ways.items()
            if other is not None and not _agree(said, other, way)
        ]

    def _of_report(self, left: int, right: int) -> Said | None:
        copies = self._session.grouping.representative
        if copies[left] == copies[right]:
            return None
        stands = int(copies[left]), int(copies[right])
        pair = self._reported.get((self._documents.path(stands[0]), self._documents.path(stands[1])))
        return pair or (Relation.NONE, 0.0)

    def _of_query(self, left: int, right: int) -> Said | None:
        path = self._documents.path(left)
        if not self._documents.comparable[left]:
            return None
        if left not in self._hits:
            side = self._side_of(left)
            assert isinstance(side, Side)
            hits = self._lookup.find(side.extracted, self._demand, path, digest_of(path))
            self._hits[left] = {hit.path: hit for hit in hits}
        hit = self._hits[left].get(self._documents.path(right))
        return (Relation.NONE, 0.0) if hit is None else (hit.relation, hit.similarity)

    def _of_explain(self, left: int, right: int) -> Said:
        sides = self._side_of(left), self._side_of(right)
        assert isinstance(sides[0], Side) and isinstance(sides[1], Side), sides
        evidence = measured(sides[0], sides[1], Scheme())
        view = with_bytes(PairView(self._documents.path(left), self._documents.path(right), None, evidence))
        return view.evidence.relation(self._demand), view.evidence.similarity

    def _side_of(self, row: int) -> Side | Problem:
        """A document as comparing two files reads it."""
        if row not in self._sides:
            self._sides[row] = read_side(self._documents.path(row), Scheme())
        return self._sides[row]

    def _of_plan(self, left: int, right: int) -> Said | None:
        """Return what a plan says that removes the left document and keeps the right one; NONE where it has no step.

        A document that was read only in part goes for an identical one alone: no step of it says anything of others.
        """
        if self._documents.inside[left] or self._documents.inside[right]:
            return None
        nobody = np.zeros(len(self._documents), np.bool_)
        marked = ~nobody
        marked[right] = False
        survivors = Survivors(self._session.grouping, self._demand, marked, marked, nobody)
        rows = np.array([left], np.int64)
        plan = make_plan(self._result, rows, survivors.choose(rows, nobody), Verb.TRASH, None, self._demand)
        if plan.steps:
            return plan.steps[0].relation, plan.steps[0].similarity
        copies = self._session.grouping.representative
        may_go = not self._session.grouping.read_in_part[left] or copies[left] == copies[right]
        return (Relation.NONE, 0.0) if may_go else None

    def _of_check(self, left: int, right: int) -> Said | None:
        facts = [self._facts_of(row) for row in (left, right)]
        if facts[0] is None or facts[1] is None:
            return None
        copies = self._session.grouping.representative
        if facts[0].partial and facts[1].partial and copies[left] == copies[right]:
            return None  # it sees no equal bytes, and texts that were read in part are never equal
        judged = judge_facts(facts[0], facts[1], self._demand, Scheme().shingle)
        return judged.relation, judged.similarity

    def _facts_of(self, row: int) -> ComparedText | None:
        if row not in self._facts:
            path = self._documents.path(row)
            self._facts[row] = read_for_judgement(JudgeTask(path, path.stat().st_size, Scheme()))
        return self._facts[row]


def _turned(said: Said | None) -> Said | None:
    """Turn what was said of (right, left) into what holds of (left, right)."""
    return None if said is None else (reversed_of(said[0]), said[1])


def _shown_pairs(session: ReviewSession) -> dict[tuple[int, int], Said]:
    """Return what the list says of each member and its kept copy, where they are related, and its nearest document."""
    said: dict[tuple[int, int], Said] = {}
    for place in range(len(session.all_clusters())):
        members = session.members_at(place)
        keeper = members[0].document
        for member in members[1:]:
            if member.relation is not Relation.NONE and member.whole is None:
                said[member.document, keeper] = member.relation, member.similarity
            if member.nearest is not None:
                said[member.document, member.nearest.document] = member.nearest.relation, member.nearest.similarity
    return said


def _reported_pairs(report: Report) -> dict[tuple[Path, Path], Said]:
    said: dict[tuple[Path, Path], Said] = {}
    for pair in report.pairs:
        relation = next(each for each in Relation if name_of(each) == pair.relation)
        said[pair.left, pair.right] = relation, pair.similarity
        said[pair.right, pair.left] = reversed_of(relation), pair.similarity
    return said


def _agree(said: Said, other: Said, way: str) -> bool:
    """Tell whether another way agrees with the scan.

    Some cannot say all: two texts alone show no form, the check sees no equal bytes, and a plan has no step that would
    lose text.
    """
    if way.startswith("plan") and other[0] is Relation.NONE:
        goes = Relation.WHOLE if way == "plan of the other" else Relation.PART
        return said[0] not in SURVIVING and said[0] is not goes
    if said[0] is Relation.SAME_FORM and way in ("explain", "check"):
        return other[0] in _WITHOUT_A_THIRD
    if said[0] is Relation.IDENTICAL and way == "check":
        return other[0] >= Relation.SAME_WORDS
    return said[0] is other[0] and (said[0] is Relation.NONE or bool(np.isclose(said[1], other[1], atol=1e-4)))


def judge(folder: Path, library: Path, demand: Demand, others: int) -> Verdicts:
    """Scan a folder and ask every way about its pairs."""
    run_scan(ScanRequest((Root(folder),)), library, SilentReporter())
    verdicts = Verdicts()
    with LibraryFile(library) as opened:
        asked = Judge(opened, demand)
        for left, right in asked.pairs(others):
            verdicts.pairs += 1
            verdicts.disagreements += asked.ask(left, right)
            if verdicts.pairs % 1000 == 0:
                print(f"{verdicts.pairs:,} pairs", file=sys.stderr, flush=True)
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
