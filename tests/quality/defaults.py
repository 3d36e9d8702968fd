"""`python -m tests.quality.defaults SUITE ...`: what each choice of the scheme and of the limits would score.

Every document is read once. Each alternative then differs from the defaults in one thing alone: prints are made anew,
matched, grouped and scored at the recommended radius. What is learned of boilerplate is left out.
"""

from __future__ import annotations

import argparse
import itertools
import math
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dupfinder.base.progress import Silent
from dupfinder.base.settings import (
    DEFAULT_MIN_CONTAINMENT,
    DEFAULT_MIN_SIMILARITY,
    DEFAULT_RADIUS,
    MATCH_PAIRS,
    MATCH_SECONDS,
    Settings,
)
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.learn import FrequencyCounter, learned_scheme
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.library import Library
from dupfinder.library.rows import DocumentRow, ScanResult
from dupfinder.review.grouping import Grouping
from dupfinder.scan.matching import Budget, match
from dupfinder.scan.reading import ReadTask, read_one, read_text
from dupfinder.text.normalise import normalise
from dupfinder.text.sandbox import Limits, Sandbox
from tests.library.making import REVISION, summary
from tests.quality.labels import SubSuite, load
from tests.quality.scoring import Counts, Score, mean, score

_LIMITS = Limits(seconds=600.0, memory_bytes=1 << 30)
SIMILARITIES = (0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9)
CONTAINMENTS = (0.7, 0.75, 0.8, 0.85, 0.9, 0.95)


@dataclass(frozen=True, slots=True)
class Told:
    """A file as it was read, and its normal text ("" where there is none)."""

    row: DocumentRow
    text: str


def read(task: ReadTask) -> Told | None:
    """One file, in a reading process; None for an archive."""
    row = read_one(task)
    if not isinstance(row, DocumentRow):
        return None
    extracted = read_text(task.stamp.path).extracted if row.text_print is not None else None
    return Told(row, normalise(extracted.text) if extracted else "")


def read_all(root: Path) -> list[Told]:
    """All files below a folder."""
    paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    tasks = [ReadTask(FileStamp.of(path, os.lstat(path)), Scheme()) for path in paths]
    with Sandbox(read, workers=2, limits=_LIMITS) as sandbox:
        found = list(sandbox.run(tasks, lambda: None))
    for lost in (done for done in found if done.failure is not None):
        print(f"not read: {lost.task.stamp.path}: {lost.detail}", file=sys.stderr)
    told = [done.value for done in found if done.value is not None]
    return sorted(told, key=lambda one: os.fsencode(one.row.stamp.path))


def alternatives(documents: Sequence[Told], folder: Path) -> Iterator[tuple[str, Scheme]]:
    """The defaults, and each scheme that differs from them in one choice."""
    usual = Scheme()
    yield "the defaults", usual
    for width in (3, 4, 6, 7, 8, 10):
        yield f"w = {width}", replace(usual, shingle=width)
    for size in (256, 512, 1024, 2048, 8192):
        yield f"s = {size:,}", replace(usual, sketch=size)
    for modulus in (10, 50, 100):
        yield f"m = {modulus}", replace(usual, modulus=modulus)
    yield "weights tf", replace(usual, weights="tf")
    counter = FrequencyCounter()
    terms = Fingerprinter(usual)
    for document in documents:
        if document.text:
            counter.add(terms.terms_of(document.text).features)
    yield "weights learned here", learned_scheme(usual, counter.table(), folder / "learned.npz")
    for top in (50, 200):
        yield f"the {top} heaviest words", replace(usual, top=top)


def result_of(documents: Sequence[Told], scheme: Scheme, path: Path) -> ScanResult:
    """What a scan with this scheme finds."""
    maker, settings = Fingerprinter(scheme), Settings()
    rows = []
    for document in documents:
        row = document.row
        if document.text:
            row = replace(row, text_print=maker.print_of(document.text))
        rows.append((row, False))
    begun = summary(Path("/suite"))
    with Library.open(path, write=True) as library:
        scan = library.begin_scan(begun, REVISION)
        library.add(scan, REVISION, rows)
        budget = Budget(settings.number(MATCH_SECONDS), settings.integer(MATCH_PAIRS))
        matched = match(library, library.documents(scan), budget, Silent())
        done = replace(begun, id=scan, widest_radius=matched.widest)
        library.finish_scan(done, matched.pairs, matched.likeness, matched.strangers)
        return library.result(scan)


def scores(suites: Sequence[SubSuite], root: Path, grouping: Grouping) -> list[Score]:
    """Of every sub-suite at the recommended radius."""
    names = [Path(path).relative_to(root).as_posix() for path in grouping.result.documents.paths]
    found = grouping.clusters(min(DEFAULT_RADIUS, grouping.widest))
    places = [place for place in range(len(found)) if found.ids[place] >= 0]
    clusters = [[names[row] for row in found.rows(place)] for place in places]
    same: dict[int, list[str]] = {}
    for name, stands in zip(names, grouping.copies.tolist(), strict=True):
        same.setdefault(stands, []).append(name)
    inside = {
        pair
        for container, part, _ in zip(*(column.tolist() for column in grouping.contained), strict=True)
        for pair in itertools.product(same[container], same[part])
    }
    return [score(suite, clusters, inside) for suite in suites]


def line(name: str, found: Sequence[Score]) -> str:
    """A row of the table: means over the sub-suites with something to find, and hard negatives joined."""
    near = [one.pairs for one in found if one.pairs.right + one.pairs.missed]
    held = [one.containment for one in found if one.containment.right + one.containment.missed]

    def means(counts: Sequence[Counts]) -> list[float]:
        return [mean(one.precision for one in counts), mean(one.recall for one in counts)]

    numbers = [*means(near), mean(one.f1 for one in near), *means(held)]
    told = ["-" if math.isnan(number) else f"{number:.3f}" for number in numbers]
    return f"| {name} | {' | '.join(told[:3])} | {sum(one.hard for one in found)} | {' / '.join(told[3:])} |"


def table(root: Path) -> Iterator[str]:
    """The rows of one suite."""
    suites = load(root)
    documents = read_all(root)
    yield "| choice | precision | recall | F1 | hard negatives joined | containment P / R |"
    yield "|---|---|---|---|---|---|"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, (choice, scheme) in enumerate(alternatives(documents, folder)):
            result = result_of(documents, scheme, folder / f"{number}.db")
            grouping = Grouping(result, DEFAULT_MIN_SIMILARITY, DEFAULT_MIN_CONTAINMENT)
            yield line(choice, scores(suites, root, grouping))
            if scheme == Scheme():
                yield from _limits(result, suites, root)


def _limits(result: ScanResult, suites: Sequence[SubSuite], root: Path) -> Iterator[str]:
    for least in SIMILARITIES:
        if least != DEFAULT_MIN_SIMILARITY:
            grouping = Grouping(result, least, DEFAULT_MIN_CONTAINMENT)
            yield line(f"resemblance {least}", scores(suites, root, grouping))
    for least in CONTAINMENTS:
        if least != DEFAULT_MIN_CONTAINMENT:
            grouping = Grouping(result, DEFAULT_MIN_SIMILARITY, least)
            yield line(f"containment {least}", scores(suites, root, grouping))


def main() -> int:
    """A table for each suite."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="+", type=Path)
    for root in parser.parse_args().suites:
        print(f"\n{root.name}\n", flush=True)
        for row in table(root.resolve()):
            print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
