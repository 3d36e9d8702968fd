"""The output of `index`: pairs as rows, and the planner's reasons in words."""

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

from dupfinder.base.display import shown
from dupfinder.base.output import recognise_nothing, replacing
from dupfinder.engine.blocks import TableHeader
from dupfinder.engine.folder import IndexSummary
from dupfinder.engine.planning import NEW_FINGERPRINTS, STREAM_RATE, Capacity, QueryEstimate, QueryPlan
from dupfinder.engine.prints import escaped_path
from dupfinder.index.design import COMPARE, TABLE, named_design, sorting_one
from dupfinder.index.planner import EACH_WITH_EACH, Estimate, JoinPlan
from dupfinder.index.words import sorted_copies, width_of, words_of
from dupfinder.wording.catalogue import number_text, say, say_count
from dupfinder.wording.details import made_by_words
from dupfinder.wording.figures import row, size_text

Names = tuple[Sequence[str], Sequence[str]]  # for the rows of the left and of the right column
PairColumns = tuple[NDArray[Any], NDArray[Any], NDArray[Any]]  # left row, right row, distance or similarity
_LINES = 100_000  # rows converted to text at once


def write_rows(path: Path | None, columns: PairColumns, *, names: Names | None, force: bool, quiet: bool) -> None:
    """Write rows of two numbers and their distance to `path`, completely or not at all, or to standard output.

    names: texts to write instead of the row numbers; not in .npy.
    force: replace a file at `path`. Without it no file is replaced, not even earlier rows. Raises as `replacing`.
    """
    if path is None:
        sys.stdout.flush()
        sys.stdout.buffer.writelines(_texts(columns, names))
        sys.stdout.buffer.flush()
        return
    if path.suffix == ".npy":
        stream = io.BytesIO()
        # Several old files together may have more than 2**32 rows.
        kind = np.int64 if columns[1].dtype == np.int64 else np.uint32
        np.save(stream, np.stack([column.astype(kind) for column in columns], axis=1))
        parts = [stream.getvalue()]
    else:
        parts = list(_texts(columns, names))
    with replacing(path, recognise_nothing, force=force) as file:
        file.writelines(parts)
    if not quiet:
        count = len(columns[0])
        line = say_count("{count} pair written to {path}", "{count} pairs written to {path}", count, path=shown(path))
        print(line)


def _texts(columns: PairColumns, names: Names | None) -> Iterator[bytes]:
    """Yield the rows as lines, many at a time."""
    for start in range(0, len(columns[0]), _LINES):
        left, right, third = (column[start : start + _LINES].tolist() for column in columns)
        if names is not None:
            left = [escaped_path(names[0][row]) for row in left]
            right = [escaped_path(names[1][row]) for row in right]
        if columns[2].dtype.kind == "f":
            third = [f"{number:.4f}" for number in third]
        rows = zip(left, right, third, strict=True)
        yield os.fsencode("".join(f"{first}\t{second}\t{number}\n" for first, second, number in rows))


def _design_line(chosen: Estimate) -> str:
    assert chosen.design is not None
    return say(
        "Design {design}: {tables} tables whose prefix has {widths} bits, {compared} comparisons in all, about "
        "{duration}.",
        design=chosen.name,
        tables=number_text(chosen.tables),
        widths=_range_text(sorted(set(chosen.design.prefix_bits.tolist()))),
        compared=number_text(chosen.compared),
        duration=_seconds(chosen.seconds),
    )


def explain_join(plan: JoinPlan) -> list[str]:
    """Return the planner's choice for a join, in words and numbers."""
    chosen = plan.chosen
    lines = [
        say(
            "Joining {count} fingerprints of {bits} bits within {radius} bits; {varying} bits vary among them.",
            count=number_text(plan.count),
            bits=plan.bits,
            radius=plan.radius,
            varying=plan.varying,
        )
    ]
    if chosen.name == EACH_WITH_EACH:
        lines.append(say("Comparing each with each is expected to be fastest: tables do not pay for so few."))
    else:
        lines += [
            _design_line(chosen),
            say("Fewer tables would leave longer runs to compare, more would cost more sorting:"),
        ]
    widths = (-14, -8, -20, -12)
    lines.append(row((say("design"), say("tables"), say("comparisons"), say("expected")), widths))
    for estimate in plan.considered:
        cells = (
            say("each with each") if estimate.name == EACH_WITH_EACH else estimate.name,
            number_text(estimate.tables),
            number_text(estimate.compared),
            _seconds(estimate.seconds),
        )
        basis = "" if estimate.from_sample else f"  ({say('for an even spread')})"
        lines.append(row(cells, widths) + basis)
    return [*lines, _costs_line(plan)]


def _costs_line(plan: JoinPlan) -> str:
    return say(
        "Costs used: {element} ns to sort one fingerprint into a table, {compare} ns a comparison, {table} us a table.",
        element=number_text(sorting_one(plan.count) * 1e9),
        compare=number_text(COMPARE * 1e9, 2),
        table=number_text(TABLE * 1e6),
    )


def explain_capacity(plan: Capacity) -> list[str]:
    """Return the plan for a number of fingerprints, in words and numbers."""
    return [
        say(
            "{count} fingerprints of {bits} bits (d = log2 n = {d}), radius {radius}.",
            count=number_text(plan.count),
            bits=plan.bits,
            d=number_text(math.log2(plan.count), 1),
            radius=plan.radius,
        ),
        say(
            "Whole, they take {bytes}; sorted and compressed, about {each} bits each: {compressed}.",
            bytes=size_text(plan.bytes),
            each=number_text(plan.each, 1),
            compressed=size_text(plan.compressed),
        ),
        *_designs(plan),
        _choice(plan),
        say(
            "Without permuted tables, a query looks up {probes} variants in one sorted table ({variants} of them "
            "differ in {radius} bits); comparing each with each takes {comparisons} comparisons.",
            probes=number_text(plan.probes),
            variants=number_text(plan.variants),
            radius=plan.radius,
            comparisons=f"{plan.comparisons:.3g}",
        ),
        say(
            "A batch: comparing {new} new fingerprints with all takes {duration}, at {rate}/s a machine; the tables "
            "of the new ones take {bytes}.",
            new=number_text(NEW_FINGERPRINTS),
            duration=_seconds(plan.stream),
            rate=size_text(STREAM_RATE),
            bytes=size_text(NEW_FINGERPRINTS * plan.designs[0].tables * plan.bits / 8),
        ),
    ]


def _designs(plan: Capacity) -> Iterator[str]:
    """Yield a line for each design of a plan, below a heading."""
    widths = (-10, -7, -9, -19, -12, -10, -11, -10)
    heads = (
        say("design"), say("tables"), say("prefix"), say("candidates a table"), say("a query"), say("whole"),
        say("compressed"), say("a machine"),
    )  # fmt: skip
    yield row(heads, widths)
    for design in plan.designs:
        low, high = design.prefix
        cells = (
            design.name,
            number_text(design.tables),
            f"{low}" if low == high else f"{low}-{high}",
            _rounded(design.candidates),
            _rounded(design.in_all),
            size_text(design.bytes),
            size_text(design.compressed),
            size_text(design.compressed / plan.machines),
        )
        yield row(cells, widths)


def _choice(plan: Capacity) -> str:
    """Return which design of a plan fits."""
    machines = (
        say("one machine") if plan.machines == 1 else say("each of {count} machines", count=number_text(plan.machines))
    )
    room = machines
    if not math.isinf(plan.memory):
        room = say("{memory} on {machines}", memory=size_text(plan.memory), machines=machines)
    if plan.chosen is None:
        return say("No design fits into {room}: take more machines or memory, or a smaller radius.", room=room)
    return say(
        "Design {design} looks at the fewest candidates, {candidates} a query, of those that fit into {room}.",
        design=plan.chosen.name,
        candidates=_rounded(plan.chosen.in_all),
        room=room,
    )


def _rounded(number: float) -> str:
    return number_text(number) if number >= 10 else f"{number:.2g}"


def explain_query(plan: QueryPlan) -> list[str]:
    """Return the planner's choice for queries, in words and numbers."""
    lines = [
        say(
            "Asking {queries} of {count} fingerprints within {radius} bits.",
            queries=say_count("{count} query", "{count} queries", plan.queries),
            count=number_text(plan.count),
            radius=plan.radius,
        ),
        _fastest_line(plan.chosen),
    ]
    widths = (-14, -13, -12, -10, -10, -10)
    heads = (say("design"), say("search"), say("candidates"), say("build"), say("a query"), say("in all"))
    lines.append(row(heads, widths))
    for estimate in plan.considered:
        times = (_seconds(estimate.build), _seconds(estimate.each), _seconds(estimate.total))
        name = say("all scanned") if estimate.design is None else estimate.name
        lines.append(row((name, estimate.search or "-", number_text(estimate.candidates), *times), widths))
    return lines


def _fastest_line(estimate: QueryEstimate) -> str:
    if estimate.design is None:
        return say(
            "Scanning all is expected to be fastest, {duration}: building tables would take longer.",
            duration=_seconds(estimate.total),
        )
    return say(
        "Design {design} with {search} search is expected to be fastest, {duration}: a query looks at {candidates} "
        "candidates; its tables take {megabytes} MB.",
        design=estimate.name,
        search=estimate.search,
        duration=_seconds(estimate.total),
        candidates=number_text(estimate.candidates),
        megabytes=number_text(estimate.memory / 1e6),
    )


def describe_size(summary: IndexSummary) -> str:
    """Return the size of an index and its tables, as a line."""
    return say(
        "{fingerprints} fingerprints in {tables} tables of design {design}: {size} bytes, {each} a fingerprint",
        fingerprints=number_text(summary.count),
        tables=len(named_design(summary.design, summary.bits, summary.radius).tables),
        design=summary.design,
        size=number_text(summary.file_bytes),
        each=number_text(summary.file_bytes / max(1, summary.count), 1),
    )


def describe_index(summary: IndexSummary) -> list[str]:
    lines = [
        say(
            "An index of {count} fingerprints of {bits} bits for a radius of up to {radius} bits.",
            count=number_text(summary.count),
            bits=summary.bits,
            radius=summary.radius,
        ),
        describe_size(summary),
    ]
    if summary.runs:
        sizes = " + ".join(number_text(count) for count in summary.runs)
        lines.append(say("Runs, merged as they accumulate: {sizes}", sizes=sizes))
    if summary.removed:
        count = number_text(summary.removed)
        lines.append(say("Removed, and still in the files until their run is merged: {count}", count=count))
    if summary.made_by:
        lines.append(say("How the fingerprints were made: {scheme}", scheme=made_by_words(summary.made_by)))
    lines.append(say("Rows have paths.") if summary.has_paths else say("Rows have no paths."))
    return [*lines, say("All checksums are right.")]


def describe_table(header: TableHeader) -> list[str]:
    return [
        say(
            "Table {number} of {tables} of design {design}: {count} fingerprints of {bits} bits in {blocks} blocks, "
            "{each} bits each.",
            number=header.number,
            tables=header.tables,
            design=header.design,
            count=number_text(header.keys),
            bits=header.bits,
            blocks=number_text(header.blocks),
            each=number_text(header.bits_each, 2),
        ),
        say("Its checksum is right."),
    ]


def describe_file(fingerprints: NDArray[np.unsignedinteger]) -> list[str]:
    bits = width_of(fingerprints)
    distinct = sorted_copies(words_of(fingerprints))[1].sum() if len(fingerprints) else 0
    return [
        say(
            "{count} fingerprints of {bits} bits, {distinct} of them distinct.",
            count=number_text(len(fingerprints)),
            bits=bits,
            distinct=number_text(int(distinct)),
        )
    ]


def _range_text(widths: list[int]) -> str:
    if len(widths) == 1:
        return str(widths[0])
    return say("{low} to {high}", low=widths[0], high=widths[-1])


def _seconds(value: float) -> str:
    if value < 1e-3:
        return f"{number_text(value * 1e6)} us"
    return f"{number_text(value * 1e3, 1)} ms" if value < 1 else f"{number_text(value, 1)} s"
