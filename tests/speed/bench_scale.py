"""`python -m tests.speed.bench_scale [--rows N ...] [--files N ...] [--group N ...]`: whole jobs on made libraries.

--rows: documents are written, fingerprinted and stored; a child process matches and groups them as a scan does, then
again unchanged, and again with one document in a hundred changed.
--files: documents are written to disk; a child process scans them, scans them again unchanged, and again with one file
in a hundred changed.
--group: as --rows, but all documents are versions of one text, so that pairs grow with the square of their number.
Each job tells the processor's seconds of itself and its reading processes, the clock's, and the
peak of memory of all processes together: the proportional set size of each, so that what several of them map, such as
a file, is counted once, and a file's bytes that none of them maps are not. Between two sizes stands the exponent of
growth.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from itertools import islice
from multiprocessing import Pool
from pathlib import Path

from dupfinder.base.progress import Progress, SilentReporter
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.clustering import form_clusters
from dupfinder.cluster.relation import Demand
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanSummary
from dupfinder.review.grouping import Grouping
from dupfinder.scan.earlier import measured_before
from dupfinder.scan.matching import MEASURING, MatchingBudget, find_groups, finish, match
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.readers import workers
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.text.normalise import normalise
from tests.speed.realistic import Writer

SIZES = (3_000, 10_000, 30_000)
# Most exponents of growth by count, between the smallest and the largest size.
MOST_EXPONENTS = dict.fromkeys(("candidates", "pairs", "forms", "groups", "library [bytes]"), 1.2)
MOST_IN_GROUP = {"match and verify [CPU s]": 2.2}
_BATCH = 500  # documents of a transaction, and of a folder
_CHANGED = 100  # one document of so many is changed
_RADII = (10, 8, 6, 4, 2, 0)  # values of k to which a step is measured
_SAMPLES = 0.2  # seconds between two looks at the memory


def main() -> int:
    """Make, run in children, print; 1 when a number grows faster than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[], help="numbers of documents to match")
    parser.add_argument("--files", type=int, nargs="+", default=[], help="numbers of files to scan")
    parser.add_argument("--group", type=int, nargs="+", default=[], help="numbers of versions of one text to match")
    parser.add_argument("--keep", type=Path, help="a folder in which what is made is kept and used again")
    parser.add_argument("--child", choices=("rows", "files", "group"), help=argparse.SUPPRESS)
    parser.add_argument("--place", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        measure = measure_files if arguments.child == "files" else measure_rows
        print(json.dumps(measure(arguments.place)))
        return 0
    rows = arguments.rows or ([] if arguments.files or arguments.group else list(SIZES))
    with tempfile.TemporaryDirectory() as folder:
        kept = arguments.keep or Path(folder)
        kept.mkdir(parents=True, exist_ok=True)
        steep = _table("rows", rows, kept) | _table("files", arguments.files, kept)
        steep |= _table("group", arguments.group, kept)
    for name in sorted(steep):
        print(f"grows too fast: {name}")
    return 1 if steep else 0


def _table(job: str, sizes: Sequence[int], kept: Path) -> set[str]:
    """Measure one job at all sizes and print it; the names of counted numbers whose exponent is too large."""
    results: list[dict[str, float]] = []
    for size in sizes:
        place = kept / f"{job}-{size}"
        if not place.exists():
            texts = (Writer().versions if job == "group" else Writer().documents)(size)
            write_files(place, texts) if job == "files" else store(place, size, texts)
        command = [sys.executable, "-m", "tests.speed.bench_scale", "--child", job, "--place", str(place)]
        results.append(json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout))
    if not results:
        return set()
    print(f"{job:34}" + "".join(f"{size:>14,}" for size in sizes) + f"{'exponent':>12}")
    steep = set()
    for name in results[0]:
        values = [result.get(name, 0.0) for result in results]
        exponent = _exponent(sizes, values)
        print(f"{name:34}" + "".join(f"{value:14,.2f}" for value in values) + f"{exponent:12.2f}")
        if exponent > (MOST_IN_GROUP if job == "group" else MOST_EXPONENTS).get(name, math.inf):
            steep.add(name)
    return steep


def _exponent(sizes: Sequence[int], values: Sequence[float]) -> float:
    """The power of the size with which a number grows, between the first and the last size; nan for one size."""
    if len(sizes) < 2 or min(values[0], values[-1]) <= 0:
        return math.nan
    return math.log(values[-1] / values[0]) / math.log(sizes[-1] / sizes[0])


@cache
def _fingerprinter() -> Fingerprinter:
    return Fingerprinter(Scheme())


def _print_of(text: str) -> TextPrint:
    return _fingerprinter().print_of(normalise(text))


def store(place: Path, count: int, texts: Iterable[str]) -> None:
    """A library with an unfinished scan of `count` documents, and one of a hundredth of them as they are changed."""
    now = datetime.now(UTC)
    demand = Demand(0.7, 0.85, 12)
    summary = ScanSummary.begun("bench", ((Path("/docs"), "scan"),), now, demand, Scheme().id)
    place.mkdir()
    with LibraryFile(place / "library.db", write=True) as library, Pool() as pool:
        scan = library.begin_scan(summary, "bench")
        later = library.begin_scan(replace(summary, roots=((Path("/later"), "scan"),)), "bench")
        numbered = enumerate(texts, 1)
        while batch := list(islice(numbered, _BATCH)):
            changed = [(number, _changed(text)) for number, text in batch if number % _CHANGED == _CHANGED // 2]
            for of_scan, documents in ((scan, batch), (later, changed)):
                prints = pool.map(_print_of, (text for _, text in documents), chunksize=32)
                rows = [(_row(*document, print_), False) for document, print_ in zip(documents, prints, strict=True)]
                library.add(of_scan, "bench", rows)


def _row(number: int, text: str, print_: TextPrint) -> DocumentRow:
    """A document as it is stored."""
    data = text.encode()
    stamp = FileStamp(Path(f"/docs/{number // _BATCH:05}/{number:07}.txt"), len(data), number, number, 1, number)
    return DocumentRow(stamp, READ, media="txt", content_hash=blake2b(data, digest_size=16).digest(), text_print=print_)


def _changed(text: str) -> str:
    return f"Changed on day {time.time_ns()}. {text}"


def write_files(place: Path, texts: Iterable[str]) -> None:
    """A folder of text files."""
    for number, text in enumerate(texts):
        folder = place / f"{number // _BATCH:05}"
        if number % _BATCH == 0:
            folder.mkdir(parents=True)
        (folder / f"{number:07}.txt").write_text(text, encoding="utf-8")


def measure_rows(place: Path) -> dict[str, float]:
    """Match, group and store what is in the library, and again unchanged and with some documents changed."""
    results: dict[str, float] = {}
    with LibraryFile(place / "library.db", write=True) as library:
        for scan in library.scans()[:-2]:
            library.delete_scan(scan.id)  # left by an earlier run
        later, first = library.scans()
        with peak_memory(results):
            _match(library, first, results)
        results["library [bytes]"] = sum(file.stat().st_size for file in place.glob("library.db*"))
        numbers: dict[str, int] = {}
        for name, scan in (("unchanged", first), ("1 % changed", later)):
            documents = library.documents(scan.id)
            numbers |= zip(documents.paths, documents.ids.tolist(), strict=True)
            again = library.begin_scan(first, "bench")
            library.reuse(again, [(number, False) for number in numbers.values()])
            with timed(name, results):
                before, cores = measured_before(library, first, MEASURING), workers(ScanRequest(()))
                result = find_groups(library, replace(first, id=again), SilentReporter(), before, cores)
                finish(library, result, time.monotonic(), SilentReporter())
    return results


def _match(library: LibraryFile, summary: ScanSummary, results: dict[str, float]) -> None:
    """Match, group and store the documents of a scan, and open the result."""
    cores = workers(ScanRequest(()))
    with timed("load documents", results):
        documents = library.documents(summary.id)
    with timed("match and verify", results):
        stages = _Stages()
        matched = match(library, summary, documents, MatchingBudget(), stages, workers=cores)
    spent = results["match and verify [CPU s]"] / results["match and verify [s]"]
    results["cores busy in it [%]"] = 100 * spent / cores
    results |= stages.seconds()
    summary = replace(matched.summary, offered=len(documents))
    with timed("group", results):
        clusters = form_clusters(matched.pairs, matched.evidence, summary.demand, documents.files())
    with timed("store", results):
        library.finish_scan(replace(matched, summary=summary, clusters=clusters))
    del documents, matched  # the window opens the stored result
    with timed("open the result", results):
        result = library.result(summary.id)
    grouping = Grouping(result)
    with timed("first groups", results):  # stored with the result
        counts = grouping.clusters(summary.demand).counts()
    with timed("first other groups", results):  # with what is read of all pairs once, beside the window
        grouping.clusters(replace(summary.demand, similarity=0.75)).counts()
    results |= _slowest_step(grouping, summary.demand)
    results["candidates"] = len(result.pairs) + int(result.rejected.sum())
    results["pairs"], results["forms"] = len(result.pairs), int(result.evidence.form.sum())
    results["groups"], results["widest k"] = counts.clusters, summary.widest_radius


def _slowest_step(grouping: Grouping, demand: Demand) -> dict[str, float]:
    """Return the clock's and the processor's seconds of the slowest step to another k."""
    steps: list[dict[str, float]] = []
    for radius in _RADII:
        step: dict[str, float] = {}
        with timed("a step of k", step):
            grouping.clusters(replace(demand, radius=radius)).counts()
        steps.append(step)
    return {name: max(step[name] for step in steps) for name in steps[0]}


def measure_files(place: Path) -> dict[str, float]:
    """Scan a folder, again unchanged, and again with one file in a hundred changed."""
    results: dict[str, float] = {}
    request = ScanRequest((Root(place, Role.SCAN),))
    with tempfile.TemporaryDirectory() as folder, peak_memory(results):
        path = Path(folder) / "library.db"
        for name in ("first scan", "unchanged", "1 % changed"):
            if name == "1 % changed":
                for number, file in enumerate(sorted(place.glob("*/*.txt"))):
                    if number % _CHANGED == _CHANGED // 2:
                        file.write_text(_changed(file.read_text("utf-8")), "utf-8")
            stages = _Stages()
            with timed(name, results):
                run_scan(request, path, stages)
            results |= {f"{name}: {stage}": seconds for stage, seconds in stages.seconds().items()}
        with LibraryFile(path) as library:
            summary = library.summary()
            results["groups"] = summary.clusters
            results["pairs"] = len(library.result(summary.id).pairs)
        results["library [bytes]"] = sum(file.stat().st_size for file in Path(folder).iterdir())
    return results


class _Stages(SilentReporter):
    """A reporter that tells how long each stage took by the clock and how much of the processor this process used."""

    def __init__(self) -> None:
        self._spent: dict[str, list[float]] = {}
        self._stage = ""
        self._begun = (time.monotonic(), time.process_time())

    def tell(self, progress: Progress) -> None:
        """Close the stage before when another begins."""
        if progress.stage.value != self._stage:
            self._close()
            self._stage = progress.stage.value

    def _close(self) -> None:
        now = (time.monotonic(), time.process_time())
        if self._stage:
            spent = self._spent.setdefault(self._stage, [0.0, 0.0])
            spent[0] += now[0] - self._begun[0]
            spent[1] += now[1] - self._begun[1]
        self._begun = now

    def seconds(self) -> dict[str, float]:
        """The clock's seconds of each stage."""
        self._close()
        return {f"{stage} [s]": spent[0] for stage, spent in self._spent.items()}


@contextmanager
def timed(name: str, results: dict[str, float]) -> Iterator[None]:
    """Add the clock's and the processor's seconds of a block, those of ended child processes with them."""
    clock, processor = time.monotonic(), _processor()
    yield
    results[f"{name} [s]"] = time.monotonic() - clock
    results[f"{name} [CPU s]"] = _processor() - processor


def _processor() -> float:
    """The processor's seconds of this process and all that came from it, ended ones with them."""
    ticks = 0
    for process in _family(os.getpid()):
        fields = _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()
        ticks += sum(map(int, fields[11:15]))  # proc(5): utime, stime, cutime, cstime
    return ticks / os.sysconf("SC_CLK_TCK")


@contextmanager
def peak_memory(results: dict[str, float]) -> Iterator[None]:
    """Add the peak of the proportional memory of this process and its children together, in megabytes."""
    done = threading.Event()
    peak = [0]

    def watch() -> None:
        while not done.wait(_SAMPLES):
            peak[0] = max(peak[0], sum(map(_proportional, _family(os.getpid()))))

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    yield
    done.set()
    watcher.join()
    results["peak of memory [MB]"] = peak[0] * 1024 / 1e6


def _family(process: int) -> list[int]:
    """A process and all that come from it."""
    family = [process]
    for parent in family:
        for children in Path(f"/proc/{parent}/task").glob("*/children"):
            family += [int(child) for child in _read(children).split()]
    return family


def _proportional(process: int) -> int:
    """Kilobytes of a process, with what it shares counted by its share."""
    for line in _read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1])
    return 0


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # the process has ended
        return ""


if __name__ == "__main__":
    sys.exit(main())
