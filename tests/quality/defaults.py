"""`python -m tests.quality.defaults SUITE ...`: what each choice of the scheme would score.

Every document is read once. Each alternative then differs from the defaults in one thing alone: prints are made anew,
matched, judged and scored at the recommended radius.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dupfinder.base.progress import SilentReporter
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import FrequencyCounter, learned_scheme
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.sandbox import Sandbox
from dupfinder.processes.worker import Limits
from dupfinder.scan.matching import MatchingBudget, match
from dupfinder.scan.reading import ReadTask, read_one, read_text
from dupfinder.text.normalise import normalise
from tests.library.making import REVISION, summary
from tests.quality.labels import SubSuite, load
from tests.quality.sensitivity import HEAD, line
from tests.quality.trial import Reading, reading_of_scan

_LIMITS = Limits(seconds=600.0, memory_bytes=1 << 30)


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it was read, and its normal text ("" where there is none)."""

    row: DocumentRow
    text: str


def read(task: ReadTask) -> Document | None:
    """One file, in a reading process; None for an archive."""
    row = read_one(task)
    if not isinstance(row, DocumentRow):
        return None
    extracted = read_text(task.stamp.path).extracted if row.text_print is not None else None
    return Document(row, normalise(extracted.text) if extracted else "")


def read_all(root: Path) -> list[Document]:
    """All files below a folder."""
    paths = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    tasks = [ReadTask(FileStamp.of(path, os.lstat(path)), Scheme()) for path in paths]
    with Sandbox(read, workers=2, limits=_LIMITS) as sandbox:
        outcomes = list(sandbox.run(tasks, lambda: None))
    for lost in (done for done in outcomes if done.failure is not None):
        print(f"not read: {lost.task.stamp.path}: {lost.details}", file=sys.stderr)
    documents = [done.value for done in outcomes if done.value is not None]
    return sorted(documents, key=lambda document: os.fsencode(document.row.stamp.path))


def alternatives(documents: Sequence[Document], folder: Path) -> Iterator[tuple[str, Scheme]]:
    """The defaults, and each scheme that differs from them in one choice."""
    usual = Scheme()
    yield "the defaults", usual
    for width in (3, 4, 6, 7, 8, 10):
        yield f"w = {width}", replace(usual, shingle=width)
    for size in (256, 512, 1024, 2048, 8192):
        yield f"s = {size:,}", replace(usual, sketch=size)
    yield "weights tf", replace(usual, weights="tf")
    counter = FrequencyCounter()
    terms = Fingerprinter(usual)
    for document in documents:
        if document.text:
            counter.add(terms.terms_of(document.text).features)
    yield "weights learned here", learned_scheme(usual, counter.table(), folder / "learned.npz")
    for top in (50, 200):
        yield f"the {top} heaviest words", replace(usual, top=top)


def reading_of(
    documents: Sequence[Document], scheme: Scheme, path: Path, root: Path, suites: Sequence[SubSuite]
) -> Reading:
    """Match all documents with prints of this scheme; the library is made at `path`."""
    maker = Fingerprinter(scheme)
    rows = []
    for document in documents:
        row = document.row
        if document.text:
            row = replace(row, text_print=maker.print_of(document.text))
        rows.append((row, False))
    begun = replace(summary(root), radius=MAX_RADIUS)
    with LibraryFile(path, write=True) as library:
        scan = library.begin_scan(begun, REVISION)
        library.add(scan, REVISION, rows)
        stored = library.documents(scan)
        matched = match(library, replace(begun, id=scan), stored, MatchingBudget(), SilentReporter())
        library.finish_scan(replace(matched, summary=replace(matched.summary, offered=len(rows))))
        return reading_of_scan(root, suites, path, library.result(scan))


def table(root: Path) -> Iterator[str]:
    """The rows of one suite; the seconds are of the processor, for prints and matching."""
    suites = load(root)
    documents = read_all(root)
    yield HEAD
    yield f"|{'---|' * 11}"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for number, (choice, scheme) in enumerate(alternatives(documents, folder)):
            started = time.process_time()
            reading = reading_of(documents, scheme, folder / f"{number}.db", root, suites)
            seconds = time.process_time() - started
            findings = reading.judge(reading.result.pairs, reading.result.evidence)
            yield line(choice, reading.scores(findings), seconds)


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
