"""The index on disk at growing sizes: `python -m tests.speed.bench_disk [--counts N ...] [--folder DIR]`.

Adds random fingerprints, ten million at a time, in a process that does nothing else, then opens the index in another
and queries it at k = 3: prints the time to build, bytes a fingerprint, the peak of memory of both, the time to open,
and the time of a query right after the system forgot the files (cold) and again (warm). Every hundredth query is
compared with a scan of all fingerprints; a wrong answer ends the bench with an AssertionError.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.engine.growing import FolderIndex, write_index
from dupfinder.index.design import named_design

_BATCH = 10_000_000
_QUERIES = 1_000
_COMPARED = 10


def main() -> int:
    """Run each size in processes of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--counts", type=lambda text: int(float(text)), nargs="+", default=[10**6, 10**7])
    parser.add_argument("--folder", type=Path, help="where the index is written for a while")
    parser.add_argument("--design", default="4")
    parser.add_argument("--step", choices=("build", "query"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.step:
        step = build if arguments.step == "build" else query
        step(arguments.folder, arguments.counts[0], arguments.design)
        return 0
    for count in arguments.counts:
        with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
            needed = 60 * count
            if shutil.disk_usage(folder).free < needed:
                print(f"{count:,}: needs {needed / 1e9:.0f} GB of disk")
                return 1
            print(f"{count:,} fingerprints, design {arguments.design}", flush=True)
            for part in ("build", "query"):
                command = [sys.executable, "-W", "ignore", "-m", "tests.speed.bench_disk", "--step", part]
                options = ["--counts", str(count), "--folder", f"{folder}/index", "--design", arguments.design]
                subprocess.run([*command, *options], check=True)
    return 0


def batches(count: int) -> Iterator[NDArray[np.uint64]]:
    """Yield the same random fingerprints in every process."""
    for number, start in enumerate(range(0, count, _BATCH)):
        yield np.random.default_rng(number).integers(0, 2**64, min(_BATCH, count - start), dtype=np.uint64)


def build(folder: Path, count: int, design: str) -> None:
    """Build the index batch by batch."""
    before, began, cpu = _peak(), time.monotonic(), time.process_time()
    write_index(folder, np.empty(0, np.uint64), named_design(design))
    with FolderIndex(folder) as index:
        for batch in batches(count):
            index.add(batch)
        facts = index.facts()
    print(
        f"  build {time.monotonic() - began:.1f} s ({time.process_time() - cpu:.1f} s of the processor), "
        f"{facts.file_bytes / count:.1f} bytes a fingerprint, {len(facts.runs)} runs, "
        f"peak {_peak():.2f} GB ({before:.2f} before)",
        flush=True,
    )


def query(folder: Path, count: int, design: str) -> None:
    """Query the index, cold and warm."""
    del design
    rng = np.random.default_rng(10**6)
    asked = np.concatenate([rng.choice(batch, _QUERIES) for batch in batches(min(count, _BATCH))])
    for _ in range(3):
        asked ^= np.uint64(1) << rng.integers(0, 64, _QUERIES, dtype=np.uint64)
    _forget(folder)
    before, began = _peak(), time.monotonic()
    with FolderIndex(folder) as index:
        opened = time.monotonic() - began
        times = []
        for _ in range(2):
            seconds, answers = [], []
            for value in asked.tolist():
                began = time.monotonic()
                answers.append(index.query(value, 3))
                seconds.append(time.monotonic() - began)
            times.append(np.array(seconds) * 1e3)
    cold, warm = times
    print(
        f"  open {opened * 1e3:.1f} ms; query cold {np.median(cold[:100]):.1f} ms (the first hundred, worst "
        f"{cold.max():.0f}), warm {np.median(warm):.1f} ms (p95 {np.percentile(warm, 95):.1f}); "
        f"peak {_peak():.2f} GB ({before:.2f} before)",
        flush=True,
    )
    compared = asked[:: _QUERIES // _COMPARED]
    expected: list[list[int]] = [[] for _ in compared]
    for number, batch in enumerate(batches(count)):
        for rows, value in zip(expected, compared, strict=True):
            rows += (np.flatnonzero(np.bitwise_count(batch ^ value) <= 3) + number * _BATCH).tolist()
    for rows, hits in zip(expected, answers[:: _QUERIES // _COMPARED], strict=True):
        assert sorted(hits.rows.tolist()) == rows
    assert sum(map(len, expected)) >= _COMPARED
    print(f"  {_COMPARED} answers equal to a scan of all")


def _forget(folder: Path) -> None:
    """Make the system forget the content of files, so that it is read from the disk again."""
    for path in folder.iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def _peak() -> float:
    """Return the peak of this process's memory in GB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


if __name__ == "__main__":
    sys.exit(main())
