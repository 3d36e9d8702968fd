"""What files made to stop a program cost the others beside them: `python -m tests.speed.bench_hostile [FOLDER]`.

The good files, those of a folder or 600 made ones, are read alone and with all hostile files of the tests among them,
in turns, as a scan reads them. Told are the seconds until the last good file was done and until all were, and what
the processor had done until then: that hardly depends on what else the machine does, and the verdict goes by it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

GOOD_FILES = 600
MOST_GROWTH = 1.25  # a fifth of the throughput lost
LETTERS = "etaoinshrdlu"


def good_files(folder: Path) -> None:
    """Documents of four kinds and of one to forty pages."""
    from tests import making

    rng = Random(1)
    words = ["".join(rng.choices(LETTERS, k=rng.randint(2, 9))) for _ in range(4000)]
    for number in range(GOOD_FILES):
        pages = [
            [" ".join(rng.choices(words, k=12)) for _ in range(36)] for _ in range(min(40, int(rng.paretovariate(0.8))))
        ]
        lines = [line for page in pages for line in page]
        kind = ("pdf", "docx", "html", "txt")[number % 4]
        data = making.pdf(pages) if kind == "pdf" else getattr(making, kind)(lines)
        (folder / f"good{number:03}.{kind}").write_bytes(data)


def hostile_files(folder: Path) -> None:
    """Every hostile file of the tests, and one whose name is as long as names may be."""
    from tests import making
    from tests.text.hostile import HOSTILE

    for name, make in HOSTILE.items():
        (folder / name).write_bytes(make())
    (folder / ("n" * 251 + ".txt")).write_bytes(making.txt())


def files_in(folder: Path) -> list[Path]:
    """All regular files below a folder."""
    return sorted(path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


@dataclass(frozen=True)
class Taken:
    """Seconds until the last good file was done, by the clock and of the processor, and by the clock until all were."""

    good: float
    good_processor: float
    everything: float


def processor_seconds() -> float:
    """What this process and all below it, the ended ones too, have had of the processor."""
    from psutil import NoSuchProcess, Process

    total = 0.0
    own = Process()
    for process in [own, *own.children(recursive=True)]:
        with suppress(NoSuchProcess):
            times = process.cpu_times()
            total += times.user + times.system + times.children_user + times.children_system
    return total


def read(good: list[Path], hostile: list[Path], workers: int) -> Taken:
    """Read the files as a scan does."""
    # Each worker loads the module that started the program again: it is to find nothing heavy here.
    from dupfinder.base.settings import Settings
    from dupfinder.base.stamp import FileStamp
    from dupfinder.scan.readers import reading_limits, reading_sandbox
    from dupfinder.scan.reading import ReadTask
    from dupfinder.scan.request import Root, ScanRequest

    request = ScanRequest((Root(good[0].parent),), workers=workers)
    tasks = [ReadTask(FileStamp.of(path, os.stat(path)), request.scheme) for path in sorted([*good, *hostile])]
    awaited = set(good)
    began, before = time.perf_counter(), processor_seconds()
    good_done = used = 0.0
    with reading_sandbox(workers, reading_limits(Settings()), request.scheme.learned) as sandbox:
        for done in sandbox.run(tasks):
            awaited.discard(done.task.stamp.path)
            if not awaited and not good_done:
                good_done, used = time.perf_counter() - began, processor_seconds() - before
        return Taken(good_done, used, time.perf_counter() - began)


@contextmanager
def folders(given: Path | None) -> Iterator[tuple[list[Path], list[Path]]]:
    """The good and the hostile files."""
    with tempfile.TemporaryDirectory() as place:
        hostile = Path(place, "hostile")
        hostile.mkdir()
        hostile_files(hostile)
        good = given or Path(place, "good")
        if given is None:
            good.mkdir()
            good_files(good)
        yield files_in(good), files_in(hostile)


def main() -> int:
    """Measure and tell; 1 when the good files lose more than a fifth of their throughput."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--workers", type=int, default=0)
    arguments = parser.parse_args()
    ratios: list[float] = []
    with folders(arguments.folder) as (good, hostile):
        print(f"{len(good)} good files, {len(hostile)} hostile ones; seconds, by the clock and of the processor")
        print("  good alone    good beside    all   growth")
        read(good, [], arguments.workers)  # the disk's cache is warm for all that follow
        for _ in range(arguments.runs):
            alone = read(good, [], arguments.workers)
            beside = read(good, hostile, arguments.workers)
            ratios.append(beside.good_processor / alone.good_processor)
            print(
                f"{alone.good:6.2f} {alone.good_processor:5.2f}  {beside.good:7.2f} {beside.good_processor:5.2f}"
                f" {beside.everything:7.2f}   {beside.good / alone.good:.2f} {ratios[-1]:.2f}"
            )
    print(f"growth of the processor's seconds, median of {len(ratios)}: {median(ratios):.2f} (at most {MOST_GROWTH})")
    return int(median(ratios) > MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
