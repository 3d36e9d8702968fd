"""`python -m tests.quality.invariance FOLDER`: the same pairs get the same relations, whatever is beside them.

The documents of a folder are scanned alone; together with 5,000 strangers; under names in reversed order; with 4
reading processes in place of 1; and in a scan that is cut off and gone on with. Every relation that differs is printed.

Strangers are documents that share no text with the others. What is promised ends there on purpose: a third filling
shows that two others are fillings of one form; a passage that thousands of documents hold proposes some of their pairs
alone; and the widest radius that is matched shrinks in a library so large that it would take too long.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from dupfinder.base.progress import Progress, SilentReporter, Stage, Stopped
from dupfinder.base.settings import FILE_SECONDS, Settings
from dupfinder.cluster.relation import Relation, name_of, reversed_of
from dupfinder.library.library import LibraryFile
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.quality.prose import LANGUAGES, story

STRANGERS = 5000
Relations = dict[tuple[str, str], tuple[str, float]]
"""(name, other name), in order -> what the first is to the second, and how similar they are."""


class CutOff(SilentReporter):
    """A reporter that ends the scan when so many files were read."""

    def __init__(self, files: int) -> None:
        self._files, self._read = files, 0

    def tell(self, progress: Progress) -> None:
        if progress.stage is Stage.READ:
            self._read = progress.done

    def check(self) -> None:
        if self._read >= self._files:
            raise Stopped


def scanned(folder: Path, home: Path, *, workers: int = 1, cut_off_after: int | None = None) -> Relations:
    """Scan a folder of documents into a library of its own; what its documents are to each other by the names of their
    files, without what stands before the first space."""
    library = Path(tempfile.mkdtemp(dir=home)) / "library.db"
    settings = Settings(library.with_suffix(".json"))
    settings.set(FILE_SECONDS, 600.0)
    request = ScanRequest((Root(folder),), workers=workers)
    if cut_off_after is not None:
        try:
            run_scan(request, library, CutOff(cut_off_after), settings=settings)
        except Stopped:
            pass
        else:
            raise AssertionError("the scan ended before it was cut off")
    run_scan(request, library, SilentReporter(), settings=settings)
    with LibraryFile(library) as opened:
        return relations_in(ReviewSession(opened.result()))


def relations_in(session: ReviewSession) -> Relations:
    """Every relation of a scan, copies included."""
    grouping = session.grouping
    names = [Path(path).name.split(" ", 1)[1] for path in grouping.result.documents.paths]
    stacks: dict[int, list[int]] = defaultdict(list)
    for row, copy in enumerate(grouping.representative.tolist()):
        stacks[copy].append(row)
    pairs = [(left, right) for stack in stacks.values() for left in stack for right in stack if left < right]
    kept = zip(grouping.pairs.left.tolist(), grouping.pairs.right.tolist(), strict=True)
    pairs += [
        (left, right)
        for left_stack, right_stack in kept
        for left in stacks[left_stack]
        for right in stacks[right_stack]
    ]
    relations: Relations = {}
    for left, right in pairs:
        relation, alike = grouping.relation_of(left, right, session.demand)
        if relation is not Relation.NONE:
            first, second = (left, right) if names[left] < names[right] else (right, left)
            relation = relation if first == left else reversed_of(relation)
            relations[names[first], names[second]] = name_of(relation), round(alike, 6)
    return relations


def differences(usual: Relations, other: Relations, among: set[str]) -> Iterator[str]:
    """A sentence for each pair of some documents of which two scans say something else."""
    for pair in sorted(usual.keys() | other.keys()):
        if set(pair) <= among and usual.get(pair) != other.get(pair):
            yield f"{pair[0]} | {pair[1]}: {usual.get(pair, 'nothing')}, then {other.get(pair, 'nothing')}"


def copied(files: list[Path], folder: Path, number: Callable[[int], int]) -> Path:
    """Copy files into a new folder, each under a number, a space, and a name that tells where it was."""
    folder.mkdir()
    for place, file in enumerate(files):
        shutil.copyfile(file, folder / f"{number(place):06} {place:05}-{file.name.replace(' ', '_')}")
    return folder


def add_strangers(folder: Path, count: int) -> Path:
    """Write made documents among the others of a folder: before, between and after them."""
    chance = np.random.default_rng(5)
    for number in range(count):
        text = story(2_000_000 + number, LANGUAGES[number % 3], 3, 4)
        name = f"{int(chance.integers(0, 1_000_000)):06} stranger-{number}.txt"
        (folder / name).write_text("\n\n".join(text), encoding="utf-8")
    return folder


def invariance(files: list[Path], home: Path, strangers: int) -> dict[str, list[str]]:
    """What differs in each other scan of some documents. home: an empty folder for copies and libraries."""
    plain = copied(files, home / "plain", lambda place: place * 7)
    turned = copied(files, home / "turned", lambda place: 999_999 - place * 7)
    crowded = add_strangers(copied(files, home / "crowded", lambda place: place * 7), strangers)
    usual = scanned(plain, home)
    scans: dict[str, Callable[[], Relations]] = {
        "in reversed order": lambda: scanned(turned, home),
        "with 4 reading processes": lambda: scanned(plain, home, workers=4),
        "cut off and gone on with": lambda: scanned(plain, home, cut_off_after=len(files) // 2),
        f"with {strangers:,} strangers": lambda: scanned(crowded, home),
    }
    among = {path.name.split(" ", 1)[1] for path in plain.iterdir()}
    assert usual, "nothing is anything to another"
    return {name: list(differences(usual, scan(), among)) for name, scan in scans.items()}


def main() -> int:
    """Compare the scans of the folder that the command line names; 1 when a relation differs."""
    if len(sys.argv) != 2:
        print("usage: python -m tests.quality.invariance FOLDER", file=sys.stderr)
        return 2
    files = sorted(path for path in Path(sys.argv[1]).absolute().rglob("*") if path.is_file())
    with tempfile.TemporaryDirectory() as home:
        changes = invariance(files, Path(home), STRANGERS)
    for name, sentences in changes.items():
        print(f"{name}: {len(sentences)} relations differ")
        for sentence in sentences[:20]:
            print(f"  {sentence}")
    return 1 if any(changes.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
