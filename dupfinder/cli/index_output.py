"""What `index` writes and says: pairs as rows, and the planner's reasons in words."""

from __future__ import annotations

import io
import math
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.output import recognise_nothing, replacing
from dupfinder.engine.blocks import TableFacts
from dupfinder.engine.capacity import NEW_ONES, STREAM_RATE, Capacity
from dupfinder.engine.prints import escaped_path
from dupfinder.engine.query_plan import QueryEstimate, QueryPlan
from dupfinder.index.planner import EACH_WITH_EACH, JoinPlan
from dupfinder.index.words import width_of

Names = tuple[Sequence[str], Sequence[str]]
Columns = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]
_LINES = 100_000  # rows made into text at once


def write_rows(
    path: Path | None, columns: Columns, *, names: Names | None = None, force: bool = False, quiet: bool = False
) -> None:
    """Write rows of two numbers and their distance to `path`, whole or not at all, or to standard output.

    names: what the numbers of both columns stand for, written in their place; not in .npy.
    force: replace a file at `path`; rows carry no mark by which earlier ones could be known. Raises as `replacing`.
    """
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(_texts(columns, names))
        sys.stdout.buffer.flush()
        return
    if path.suffix == ".npy":
        stream = io.BytesIO()
        kind = np.int64 if columns[1].dtype == np.int64 else np.uint32
        np.save(stream, np.stack([column.astype(kind) for column in columns], axis=1))
        parts = [stream.getvalue()]
    else:
        parts = list(_texts(columns, names))
    with replacing(path, recognise_nothing, force=force) as file:
        file.writelines(parts)
    if not quiet:
        print(f"{len(columns[0]):,} pairs written to {path}")


def _texts(columns: Columns, names: Names | None) -> Iterator[bytes]:
    """The rows as lines, many at a time."""
    for start in range(0, len(columns[0]), _LINES):
        left, right, third = (column[start : start + _LINES].tolist() for column in columns)
        if names is not None:
            left, right = (
                [escaped_path(of[row]) for row in rows] for of, rows in zip(names, (left, right), strict=True)
            )
        if columns[2].dtype.kind == "f":
            third = [f"{number:.4f}" for number in third]
        lines = "".join(f"{a}\t{b}\t{c}\n" for a, b, c in zip(left, right, third, strict=True))
        yield os.fsencode(lines)


def explain_join(plan: JoinPlan) -> list[str]:
    """The planner's choice for a join, in words and numbers."""
    chosen = plan.chosen
    lines = [
        f"Joining {plan.count:,} fingerprints of {plan.bits} bits within {plan.radius} bits; "
        f"{plan.varying} bits vary among them."
    ]
    if chosen.name == EACH_WITH_EACH:
        lines.append("Comparing each with each is expected to be soonest: no tables pay for so few.")
    else:
        assert chosen.design is not None
        widths = sorted(set(chosen.design.prefix_bits.tolist()))
        lines.append(
            f"Design {chosen.name}: {chosen.tables:,} tables whose prefix has {_either(widths)} bits, "
            f"{chosen.compared:,.0f} comparisons in all, about {_seconds(chosen.seconds)}."
        )
        lines.append("Fewer tables would leave longer runs to compare, more would cost more sorting:")
    lines.append(f"{'design':>14} {'tables':>8} {'comparisons':>20} {'expected':>12}")
    for one in plan.considered:
        basis = "" if one.counted else "  (for an even spread)"
        name = "each with each" if one.name == EACH_WITH_EACH else one.name
        lines.append(f"{name:>14} {one.tables:>8,} {one.compared:>20,.0f} {_seconds(one.seconds):>12}{basis}")
    costs = plan.costs
    lines.append(
        f"Costs used: {costs.element(plan.count) * 1e9:.0f} ns to sort one fingerprint into a table, "
        f"{costs.compare * 1e9:.2f} ns a comparison, {costs.table * 1e6:.0f} us a table."
    )
    return lines


def explain_capacity(plan: Capacity) -> list[str]:
    """The plan for so many fingerprints, in words and numbers."""
    lines = [
        f"{plan.count:,} fingerprints of {plan.bits} bits (d = log2 n = {math.log2(plan.count):.1f}), "
        f"radius {plan.radius}.",
        f"Whole they take {_bytes(plan.bytes)}; sorted and compressed about {plan.each:.1f} bits each, "
        f"{_bytes(plan.compressed)}.",
        f"{'design':>10} {'tables':>7} {'prefix':>9} {'candidates a table':>19} {'a query':>12} {'whole':>10} "
        f"{'compressed':>11} {'a machine':>10}",
    ]
    for one in plan.designs:
        prefix = f"{one.prefix[0]}" if one.prefix[0] == one.prefix[1] else f"{one.prefix[0]}-{one.prefix[1]}"
        lines.append(
            f"{one.name:>10} {one.tables:>7,} {prefix:>9} {_many(one.candidates):>19} {_many(one.in_all):>12} "
            f"{_bytes(one.bytes):>10} {_bytes(one.compressed):>11} {_bytes(one.compressed / plan.machines):>10}"
        )
    machines = "one machine" if plan.machines == 1 else f"each of {plan.machines:,} machines"
    room = "" if math.isinf(plan.memory) else f" into {_bytes(plan.memory)}"
    if plan.chosen is None:
        lines.append(f"No design fits{room} on {machines}: take more machines or memory, or a smaller radius.")
    else:
        lines.append(
            f"Design {plan.chosen.name} looks at the fewest candidates, {_many(plan.chosen.in_all)} a query, of those "
            f"that fit{room} on {machines}."
        )
    lines.append(
        f"Without tables a query probes {plan.probes:,} variants in one sorted table ({plan.variants:,} of them at the "
        f"radius); each with each takes {plan.comparisons:.3g} comparisons."
    )
    lines.append(
        f"A batch: all stream past {NEW_ONES:,} new ones in {_seconds(plan.stream)}, at {_bytes(STREAM_RATE)}/s a "
        f"machine; the tables of the new ones take {_bytes(NEW_ONES * plan.designs[0].tables * plan.bits / 8)}."
    )
    return lines


def _many(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 else f"{number:.2g}"


def _bytes(number: float) -> str:
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:,.1f} PB"


def explain_query(plan: QueryPlan) -> list[str]:
    """The planner's choice for queries, in words and numbers."""
    asked = "one query" if plan.queries == 1 else f"{plan.queries:,} queries"
    lines = [f"Asking {asked} of {plan.count:,} fingerprints within {plan.radius} bits.", _way(plan.chosen)]
    lines.append(f"{'design':>14} {'search':>8} {'candidates':>12} {'build':>10} {'a query':>10} {'in all':>10}")
    for way in plan.considered:
        lines.append(
            f"{way.name:>14} {way.search or '-':>8} {way.candidates:>12,.0f} {_seconds(way.build):>10} "
            f"{_seconds(way.each):>10} {_seconds(way.total):>10}"
        )
    return lines


def _way(way: QueryEstimate) -> str:
    if way.design is None:
        return f"Scanning all is expected to be soonest, {_seconds(way.total)}: building tables would take longer."
    return (
        f"Design {way.name} with {way.search} search is expected to be soonest, {_seconds(way.total)}: "
        f"a query looks at {way.candidates:,.0f} candidates; its tables take {way.memory / 1e6:,.0f} MB."
    )


def describe_index(tables: list[TableFacts]) -> list[str]:
    """What an index holds."""
    first = tables[0]
    size = sum(one.file_bytes for one in tables)
    return [
        f"An index of {first.keys:,} fingerprints of {first.bits} bits for a radius of up to {first.radius} bits.",
        f"Design {first.design}, {first.tables} tables, {first.coding} coding, {size:,} bytes; "
        f"{'row numbers kept' if first.row_bytes else 'no row numbers'}.",
        *(f"table {one.number}: {one.blocks:,} blocks, {one.bits_each:.2f} bits a fingerprint" for one in tables),
        "All checksums are right.",
    ]


def describe_table(facts: TableFacts) -> list[str]:
    """What one table holds."""
    return [
        f"Table {facts.number} of {facts.tables} of design {facts.design}: {facts.keys:,} fingerprints of "
        f"{facts.bits} bits in {facts.blocks:,} blocks, {facts.bits_each:.2f} bits each.",
        "Its checksum is right.",
    ]


def describe_file(fingerprints: NDArray[np.unsignedinteger]) -> list[str]:
    """What a file of fingerprints holds."""
    bits = width_of(fingerprints)
    order = np.lexsort(tuple(fingerprints.T[::-1])) if bits == 128 else np.argsort(fingerprints)
    in_order = fingerprints[order]
    differs = in_order[1:] != in_order[:-1]
    distinct = int((differs.any(axis=1) if bits == 128 else differs).sum()) + int(len(fingerprints) > 0)
    return [f"{len(fingerprints):,} fingerprints of {bits} bits, {distinct:,} of them distinct."]


def _either(widths: list[int]) -> str:
    return f"{widths[0]}" if len(widths) == 1 else f"{widths[0]} to {widths[-1]}"


def _seconds(value: float) -> str:
    if value < 1e-3:
        return f"{value * 1e6:.0f} us"
    return f"{value * 1e3:.1f} ms" if value < 1 else f"{value:,.1f} s"
