"""How fast fingerprints are joined, asked and stored, beside other packages: `python -m tests.speed.bench_index`.

One process and one thread, the same data for all from a fixed seed; contenders take turns, and each one's best round
counts, in seconds of the processor, so that other programs on the machine disturb little. Results are held equal
before a ratio is told. A peer that is missing is named. Memory is measured in processes of their own.

--real DIR adds the documents of a folder to the real ones that every machine has; --real FILE takes the fingerprints in
it (.npy or hexadecimal lines) instead.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dupfinder.cluster.linkage import components
from dupfinder.engine.blocks import CompressedTable, bit_order, permuted, write_table
from dupfinder.engine.coding import EQUAL, Coding, huffman_lengths, steps_of
from dupfinder.index.design import named_design
from dupfinder.index.join import join
from dupfinder.index.pairs import Pairs
from dupfinder.index.planner import plan_join
from dupfinder.index.tables import KeyLookup, PermutedTables
from tests.index.making import distances
from tests.speed.index_data import SEED, Fingerprints, planted, real, skewed
from tests.speed.index_peers import (
    as_codes,
    faiss,
    find_all,
    flat,
    multi_hash,
    plain_labels,
    range_pairs,
    simhash_index,
    simhash_pairs,
)
from tests.speed.peers import load

QUERIES = 400
_TURN = 25  # queries before the other one's turn: each finds the caches as it left them
_HOPELESS = 5.0  # designs expected to take so many times the best are not tried
Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `ratio` is to be at least `target`, or at most where `below`; NaN: peer not installed."""

    metric: str
    peer: str
    theirs: float
    ours: float
    ratio: float
    target: float
    below: bool = False
    unit: str = "s"

    @property
    def is_met(self) -> bool:
        """Whether the target is reached; False without the peer."""
        return self.ratio <= self.target if self.below else self.ratio >= self.target

    def line(self) -> str:
        """The row as text."""
        if np.isnan(self.ratio):
            return f"{self.metric:40} {self.peer:20} not installed"
        sign = "<=" if self.below else ">="
        numbers = f"{self.theirs:11.5f} {self.ours:11.5f} {self.unit:5} {self.ratio:8.2f} {sign} {self.target:<6g}"
        return f"{self.metric:40} {self.peer:20} {numbers} {'met' if self.is_met else 'NOT MET'}"


def alternated(works: Sequence[Work], rounds: int) -> list[float]:
    """The least processor seconds of each work, taking turns."""
    best = [float("inf")] * len(works)
    for _ in range(rounds):
        for number, work in enumerate(works):
            start = time.process_time()
            work()
            best[number] = min(best[number], time.process_time() - start)
    return best


def against(metric: str, peer: str, module: Any, target: float, ours: Work, theirs: Work, rounds: int = 3) -> Row:
    """Ours and theirs by turns; theirs once where it takes long."""
    if module is None:
        return Row(metric, peer, np.nan, np.nan, np.nan, target)
    (first,) = alternated([theirs], 1)
    if first > 4:
        (mine,) = alternated([ours], 5)
        return Row(metric, peer, first, mine, first / mine, target)
    mine, their = alternated([ours, theirs], rounds)
    return Row(metric, peer, min(their, first), mine, min(their, first) / mine, target)


def row_pairs(pairs: Pairs) -> set[tuple[int, int]]:
    """Pairs of rows as a set."""
    return set(zip(pairs.left.tolist(), pairs.right.tolist(), strict=True))


def value_pairs(fingerprints: Fingerprints, pairs: Pairs) -> set[tuple[int, int]]:
    """Pairs of fingerprints as a set, the smaller first."""
    ones, others = fingerprints[pairs.left], fingerprints[pairs.right]
    return set(zip(np.minimum(ones, others).tolist(), np.maximum(ones, others).tolist(), strict=True))


def same(actual: object, expected: object, what: str) -> None:
    """End the benchmark where results differ: a ratio would mean nothing."""
    if actual != expected:
        raise SystemExit(f"{what}: the results differ")


def joins_of(
    fingerprints: Fingerprints, radius: int, targets: dict[str, float], blocks: int = 0, kind: str = ""
) -> Iterator[Row]:
    """One join of distinct fingerprints against several peers. blocks: those of simhash-cpp. kind: for the name."""
    metric = f"join {len(fingerprints):,}{kind}, k={radius}"
    our_pairs = row_pairs(join(fingerprints, radius))
    values = fingerprints.tolist()

    def ours() -> object:
        return join(fingerprints, radius)

    by_value = value_pairs(fingerprints, join(fingerprints, radius))
    for peer, target in targets.items():
        if peer == "simhash":
            module = load("simhash")
            theirs = _once_same(partial(simhash_pairs, module, values, radius), our_pairs, metric)
        elif peer == "simhash-pybind":
            module = load("simhash-pybind")
            work = partial(find_all, module, set(values), radius, blocks or radius + 1)
            theirs = _once_same(work, by_value, metric, ordered=True)
        else:
            module = faiss()
            make = multi_hash if peer == "FAISS MultiHash" else flat
            theirs = _once_same(partial(_joined, module, make, fingerprints, radius), our_pairs, metric)
        yield against(metric, peer, module, target, ours, theirs)


def _joined(module: Any, make: Callable[[Any, Fingerprints], Any], fingerprints: Fingerprints, radius: int) -> object:
    return range_pairs(make(module, fingerprints), fingerprints, radius)


def _once_same(work: Callable[[], Any], expected: set[tuple[int, int]], what: str, ordered: bool = False) -> Work:
    """The peer's work; its first result is compared with ours, outside what is timed elsewhere."""
    checked: list[bool] = []

    def run() -> object:
        result = work()
        if not checked:
            checked.append(True)
            pairs = {(min(pair), max(pair)) for pair in result} if ordered else result
            same(pairs, expected, what)
        return result

    return run


def skew_rows() -> Iterator[Row]:
    """A skewed join against the uniform one."""
    even = planted(100_000, 3)
    for share in (0.1, 0.5):
        uneven = skewed(100_000, share)
        same(row_pairs(join(uneven, 3)), row_pairs(join(uneven, 3, design=named_design("10"))), "skewed join")
        plain, mine = alternated([partial(join, even, 3), partial(join, uneven, 3)], 7)
        yield Row(f"join 100,000, {share:.0%} in one block", "uniform", plain, mine, mine / plain, 3.0, below=True)


def planner_rows() -> Iterator[Row]:
    """The planner's choice against the best of the designs that it considers."""
    cases = [(planted(n, k), k, f"{n:,}") for n, k in ((100_000, 3), (100_000, 6), (100_000, 10), (1_000_000, 6))]
    cases.append((skewed(100_000, 0.5), 3, "100,000 skewed"))
    for fingerprints, radius, name in cases:
        yield _planner_row(fingerprints, radius, name)


def _planner_row(fingerprints: Fingerprints, radius: int, name: str) -> Row:
    plan = plan_join(fingerprints, radius)
    tried = sorted(plan.considered, key=lambda design: design.seconds)[:5]
    designs = [
        design.design or named_design(design.name, 64, radius)
        for design in tried
        if design.tables and design.seconds < _HOPELESS * plan.chosen.seconds
    ]
    works = [partial(join, fingerprints, radius, design=design) for design in designs]
    taken = alternated(works, 3)
    names = [design.name for design in designs]
    if plan.chosen.name not in names:  # each with each, which is no design to be asked for
        names.append(plan.chosen.name)
        taken += alternated([partial(join, fingerprints, radius)], 3)
    chosen, best = taken[names.index(plan.chosen.name)], names[int(np.argmin(taken))]
    return Row(
        f"design for {name}, k={radius}: {plan.chosen.name}", f"best: {best}", min(taken), chosen,
        chosen / min(taken), 1.3, below=True,
    )  # fmt: skip


def query_rows(count: int, target: float) -> Iterator[Row]:
    """One query at a time: the median, in microseconds."""
    fingerprints = planted(count, 3)
    tables = PermutedTables(fingerprints, named_design("4"))
    asked = fingerprints[:: max(1, count // QUERIES)][:QUERIES]
    values = asked.tolist()
    for value, query in zip(values[:20], asked[:20, None], strict=True):
        same(tables.query(value).row.tolist(), np.flatnonzero(distances(fingerprints, query) <= 3).tolist(), "query")
    module = faiss()
    if module is None:
        yield Row(f"one query among {count:,}", "FAISS flat", np.nan, np.nan, np.nan, target)
        return
    index = flat(module, fingerprints)
    codes = as_codes(asked)
    mine, theirs = [], []
    for first in range(0, len(values), _TURN):
        for value in values[first : first + _TURN]:
            start = time.perf_counter()
            tables.query(value)
            mine.append(time.perf_counter() - start)
        for number in range(first, min(first + _TURN, len(values))):
            start = time.perf_counter()
            index.range_search(codes[number : number + 1], 4)
            theirs.append(time.perf_counter() - start)
    ours, other = float(np.median(mine)) * 1e6, float(np.median(theirs)) * 1e6
    yield Row(f"one query among {count:,}", "FAISS flat", other, ours, other / ours, target, unit="us")


def real_rows(source: Path | None) -> Iterator[Row]:
    """Fingerprints of real documents: joined beside the peers, and by the designs that the planner considers."""
    fingerprints = real(source)
    yield from joins_of(fingerprints, 3, {"simhash-pybind": 1, "FAISS MultiHash": 1, "simhash": 1}, kind=" real")
    for radius in (3, 6, 10):
        yield _planner_row(fingerprints, radius, f"{len(fingerprints):,} real")


def label_rows() -> Iterator[Row]:
    """The groups of a million documents from half a million pairs, in one connected crowd and in small clusters."""
    count, rng = 1_000_000, np.random.default_rng(SEED)
    left, anyone = rng.integers(0, count, (2, count // 2), dtype=np.int32)
    near = np.minimum(left ^ rng.integers(1, 8, count // 2, dtype=np.int32), count - 1)
    alone = np.arange(count, dtype=np.int32)
    for right, kind in ((anyone, "any two"), (near, "clusters")):
        ours = partial(components, left, right, alone)
        theirs = partial(plain_labels, count, left, right)
        same(ours().tolist(), theirs(), "labels")
        mine, other = alternated([ours, theirs], 3)
        yield Row(f"labels of {count:,}, {count // 2:,} pairs, {kind}", "union-find", other, mine, other / mine, 3)


def search_rows() -> Iterator[Row]:
    """Binary against interpolation search over sorted tables: told, with no target."""
    fingerprints = planted(1_000_000, 3)
    binary = PermutedTables(fingerprints, named_design("10"), KeyLookup.BINARY)
    guessing = PermutedTables(fingerprints, named_design("10"), KeyLookup.INTERPOLATION)
    asked = fingerprints[:50_000]
    same(len(binary.query_many(asked)), len(guessing.query_many(asked)), "searches")
    halving_seconds, guessing_seconds = alternated(
        [lambda: binary.query_many(asked), lambda: guessing.query_many(asked)], 3
    )
    yield Row(
        "50,000 queries, interpolation search",
        "binary search",
        halving_seconds,
        guessing_seconds,
        halving_seconds / guessing_seconds,
        0.0,
    )


def build_rows() -> Iterator[Row]:
    """Building the query index of a million."""
    fingerprints = planted(1_000_000, 3)
    metric = "build the query index of 1,000,000"

    def ours() -> object:
        return PermutedTables(fingerprints, named_design("4"))

    module = faiss()
    yield against(metric, "FAISS MultiHash", module, 4, ours, lambda: multi_hash(module, fingerprints))
    simhash = load("simhash")
    values = fingerprints.tolist()
    yield against(metric, "simhash", simhash, 60, ours, lambda: simhash_index(simhash, values, 3))


def disk_rows(counts: Sequence[int]) -> Iterator[Row]:
    """Bits of a fingerprint on disk above the floor of the coding, uniform fingerprints."""
    for count in counts:
        fingerprints = np.random.default_rng(SEED).integers(0, 2**64, count, dtype=np.uint64)
        design = named_design("4")
        keys = np.sort(permuted(fingerprints, bit_order(design, 0), 64))
        for coding in Coding:
            with tempfile.TemporaryDirectory() as folder:
                write_table(Path(folder) / "t", keys, np.empty(0, np.uint32), design, 0, coding)
                with CompressedTable(Path(folder) / "t") as table:
                    same(np.array_equal(table.keys(), keys), True, "compressed table")
                    bits_each = table.header.bits_each
            floor = _floor(keys, coding)
            yield Row(
                f"bits on disk, {count:,}, {coding}", "floor of the coding", floor, bits_each,
                bits_each - floor, 0.3, below=True, unit="bits",
            )  # fmt: skip


def _floor(keys: Fingerprints, coding: Coding) -> float:
    """Bits a key of the coding alone: Huffman codes of where neighbours differ and the bits below, nothing for blocks.

    Of uniform fingerprints it is 50.8, 47.5 and 44.2 at 10^5, 10^6 and 10^7 with XOR.
    """
    _, symbols = steps_of(keys, coding)
    lengths = huffman_lengths(np.bincount(symbols, minlength=65))
    below = np.where(symbols == EQUAL, 0, symbols)
    return float((lengths[symbols] + below).mean())


# A child's ru_maxrss begins with its parent's; Linux tells that of the program alone elsewhere.
_IN_CHILD = """
import pathlib, re, resource, sys, time
from tests.speed.index_data import planted
from dupfinder.index.join import join
fingerprints = planted({count}, {radius})
start = time.process_time()
pairs = join(fingerprints, {radius})
spent = time.process_time() - start
status = pathlib.Path("/proc/self/status")
if status.exists():
    peak = 1024 * int(re.search(r"VmHWM:\\s*([0-9]+) kB", status.read_text())[1])
else:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
print(spent, peak, len(pairs))
"""


def memory_row(count: int, radius: int) -> Row:
    """Peak memory of a process that joins and does nothing else, in GB."""
    code = _IN_CHILD.format(count=count, radius=radius)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    seconds, peak, pairs = (float(word) for word in done.stdout.split())
    if pairs < count // 12:
        raise SystemExit(f"join {count:,}: planted pairs are missing")
    gigabytes = peak / 1e9
    return Row(
        f"memory, join {count:,}, k={radius} ({seconds:.1f} s)", "1 GB", 1.0, gigabytes, gigabytes, 1.0, True, "GB"
    )


def rows(only: str, source: Path | None) -> Iterator[Row]:
    """The table's rows as they are measured; `only` picks a part of it."""
    parts: dict[str, Callable[[], Iterator[Row]]] = {
        "joins": _join_rows,
        "skew": skew_rows,
        "planner": planner_rows,
        "real": lambda: real_rows(source),
        "labels": label_rows,
        "query": lambda: _chain(query_rows(1_000_000, 15), query_rows(10_000_000, 150), search_rows()),
        "build": build_rows,
        "disk": lambda: disk_rows((100_000, 1_000_000, 10_000_000)),
        "memory": lambda: iter([memory_row(10_000_000, 3), memory_row(1_000_000, 10)]),
    }
    for name, part in parts.items():
        if only in ("", name):
            yield from part()


def _chain(*parts: Iterator[Row]) -> Iterator[Row]:
    for part in parts:
        yield from part


def _join_rows() -> Iterator[Row]:
    yield from joins_of(planted(100_000, 3), 3, {"simhash-pybind": 5, "FAISS MultiHash": 20, "simhash": 500})
    yield from joins_of(planted(100_000, 10), 10, {"FAISS flat": 6})
    yield from joins_of(planted(1_000_000, 3), 3, {"simhash-pybind": 8, "FAISS MultiHash": 25})
    yield from joins_of(planted(1_000_000, 6), 6, {"simhash-pybind": 4}, blocks=8)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table. Returns 1 when a target is missed or a peer is not there."""
    parser = argparse.ArgumentParser(description="Fingerprint index beside other packages.")
    parser.add_argument("--only", default="", help="joins, skew, planner, real, labels, query, build, disk or memory")
    parser.add_argument("--real", type=Path, help="a folder of documents, or a file of fingerprints")
    given = parser.parse_args(arguments)
    print(f"{'':40} {'peer':20} {'peer':>11} {'ours':>11} {'':5} {'ratio':>8}    target")
    missed = False
    for row in rows(given.only, given.real):
        print(row.line(), flush=True)
        missed |= not row.is_met
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
