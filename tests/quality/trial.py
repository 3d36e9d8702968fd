"""A suite read once, then matched and judged in the same process as often as wanted, with numbers and rules changed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dupfinder.base.progress import SilentReporter
from dupfinder.base.settings import FILE_SECONDS, Settings
from dupfinder.cluster.relation import Demand, Evidence
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanResult
from dupfinder.scan.matching import MatchingBudget, match
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.quality.found import Found, in_scan
from tests.quality.labels import SubSuite, load
from tests.quality.scoring import Score, score


@dataclass(frozen=True, slots=True)
class Reading:
    """A suite whose documents are in a library, and what its scan found."""

    root: Path
    suites: tuple[SubSuite, ...]
    library: Path
    result: ScanResult
    demand: Demand

    def match(self) -> tuple[ScanResult, float]:
        """Match all documents anew; also return the seconds of processor time that took."""
        with LibraryFile(self.library) as library:
            started = time.process_time()
            matched = match(library, self.result.summary, self.result.documents, MatchingBudget(), SilentReporter())
            return matched, time.process_time() - started

    def judge(self, pairs: Pairs, evidence: Evidence, demand: Demand | None = None) -> Found:
        """Decide on measured pairs."""
        return in_scan(self.result.documents, pairs, evidence, demand or self.demand, self.root)

    def scores(self, findings: Found) -> dict[str, Score]:
        """Score every sub-suite."""
        return {suite.name: score(suite, findings) for suite in self.suites}


def read(root: Path, library: Path, workers: int = 2) -> Reading:
    """Scan a suite into a library, every file however long it takes."""
    settings = Settings(library.with_suffix(".json"))
    settings.set(FILE_SECONDS, 600.0)
    number = run_scan(ScanRequest((Root(root),), workers=workers), library, SilentReporter(), settings=settings)
    return opened(root, library, number)


def opened(root: Path, library: Path, number: int | None = None) -> Reading:
    """Take a suite from a library into which it was read before."""
    with LibraryFile(library) as held:
        return reading_of_scan(root, load(root), library, held.result(number))


def reading_of_scan(root: Path, suites: Sequence[SubSuite], library: Path, result: ScanResult) -> Reading:
    """Put a suite and the result of its scan together."""
    return Reading(root, tuple(suites), library, result, result.summary.demand)
