"""Sorted runs: the fingerprints of one or several batches, in compressed tables that never change once written.

Source: the log-structured merge tree (O'Neil and others, 1996), with the tables of Manku, Jain, Das Sarma (WWW 2007).
A table of a run is cut into segments, files of at most 2**21 keys, so that runs of any size are merged piece by piece.
Row numbers are in table 0 alone; a fingerprint that another table finds is looked up there. With a design of k + 1
blocks, of which one must agree, the tables are the lists of the pigeonhole search.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import positions_in, row_mask, starts_of
from dupfinder.base.files import raising_disk_full, write_whole
from dupfinder.engine.blocks import CompressedTable, bit_order, permuted, sorted_keys, unpermuted, write_table
from dupfinder.engine.coding import Coding
from dupfinder.index.design import TableDesign
from dupfinder.index.tables import Keys

SEGMENT_KEYS: Final = 1 << 21
PIECE_BLOCKS: Final = 1024  # decoded at once when whole tables are read, some 200,000 keys
_PIECE_PATHS: Final = 1 << 16

Rows = NDArray[np.uint32]
Ranges = NDArray[np.uint32]  # (m, 2), first row and first row beyond, ascending
Piece = tuple[Keys, Rows]  # of a table: ascending keys, and their row numbers, which are empty except in table 0


@dataclass(frozen=True, slots=True)
class Checksum:
    """The size in bytes of a file that is not a table, and its CRC-32 (`check`)."""

    bytes: int
    check: int


@dataclass(frozen=True, slots=True)
class Run:
    """The facts of a run, as the manifest keeps them.

    number:   part of the names of its files; no later run has the same.
    count:    fingerprints, also those removed since the run was written.
    low, high: the rows of the run are among low to high - 1, and no other run has rows among these.
    segments: of each table, the first key and the count of each segment.
    rows:     the file of its row ranges.
    ends:     the file of path ends: int64 (count,), where the path of each row ends in the file of paths.
    paths:    the file of paths, each followed by a zero byte. ends and paths are None for a run without paths.
    The last three are called side files.
    """

    number: int
    count: int
    low: int
    high: int
    segments: tuple[tuple[tuple[int, int], ...], ...]
    rows: Checksum
    ends: Checksum | None = None
    paths: Checksum | None = None

    def files(self) -> dict[str, Checksum | None]:
        """Return the names of all files, and the size and checksum of side files."""
        tables = {
            segment_name(self.number, table, segment): None
            for table, segments in enumerate(self.segments)
            for segment in range(len(segments))
        }
        sides = {"rows": self.rows, "ends": self.ends, "paths": self.paths}
        return tables | {side_name(self.number, what): file for what, file in sides.items() if file is not None}


def segment_name(run: int, table: int, segment: int) -> str:
    return f"run-{run:06}-{table:03}-{segment:05}.dft"


def side_name(run: int, what: str) -> str:
    """Return the name of the file of "rows", "ends" or "paths"."""
    return f"run-{run:06}.{what}"


@dataclass(frozen=True, slots=True)
class Recipe:
    """Where and how runs are written."""

    folder: Path
    design: TableDesign
    coding: Coding
    check: Callable[[], None]  # raises Stopped


def write_run(
    recipe: Recipe, number: int, first_row: int, fingerprints: NDArray[np.unsignedinteger], paths: Sequence[str] | None
) -> Run:
    """Write new fingerprints as a run; their rows count from `first_row`. Raises DiskFullError, OSError, Stopped."""
    tables = []
    for table in range(len(recipe.design.tables)):
        keys, order = sorted_keys(fingerprints, recipe.design, table)
        rows = (order + first_row).astype(np.uint32) if table == 0 else np.empty(0, np.uint32)
        tables.append(_write_segments(recipe, number, table, [(keys, rows)]))
    stop = first_row + len(fingerprints)
    batches = None if paths is None else [list(map(os.fsencode, paths))]
    sides = _write_sides(recipe, number, np.array([[first_row, stop]], np.uint32), batches)
    return Run(number, len(fingerprints), first_row, stop, tuple(tables), *sides)


def _write_segments(recipe: Recipe, number: int, table: int, pieces: Iterable[Piece]) -> tuple[tuple[int, int], ...]:
    """Write a table, whose keys arrive in ascending pieces, as segments; return first key and count of each."""
    segments: list[tuple[int, int]] = []
    pending: list[Piece] = []

    def write_pending(least: int) -> None:
        """Write segments while at least `least` keys are pending."""
        keys, rows = (np.concatenate(columns) for columns in zip(*pending, strict=True))
        start = 0
        while len(keys) - start >= least:
            recipe.check()
            cut = slice(start, start + SEGMENT_KEYS)
            path = recipe.folder / segment_name(number, table, len(segments))
            write_table(path, keys[cut], rows[cut], recipe.design, table, recipe.coding)
            segments.append((int(keys[start]), len(keys[cut])))
            start += SEGMENT_KEYS
        pending[:] = [(keys[start:], rows[start:])] if start < len(keys) else []

    for piece in pieces:
        pending.append(piece)
        if sum(len(keys) for keys, _ in pending) >= SEGMENT_KEYS:
            write_pending(SEGMENT_KEYS)
    if pending:
        write_pending(1)
    return tuple(segments)


def _write_sides(
    recipe: Recipe, number: int, ranges: Ranges, paths: Iterable[Sequence[bytes]] | None
) -> tuple[Checksum, Checksum | None, Checksum | None]:
    """Write the side files of a run. paths: in the order of the rows, in batches."""
    rows_path, ends_path, paths_path = (recipe.folder / side_name(number, what) for what in ("rows", "ends", "paths"))
    rows = write_file(rows_path, [ranges.astype("<u4").tobytes()])
    if paths is None:
        return rows, None, None
    lengths: list[NDArray[np.int64]] = []

    def contents() -> Iterator[bytes]:
        for batch in paths:
            recipe.check()
            lengths.append(np.array([len(path) + 1 for path in batch], np.int64))
            yield b"".join(path + b"\0" for path in batch)

    path_file = write_file(paths_path, contents())
    ends = np.cumsum(np.concatenate(lengths)).astype("<i8")
    return rows, write_file(ends_path, [ends.tobytes()]), path_file


def write_file(path: Path, parts: Iterable[bytes]) -> Checksum:
    """Write a file, and return its size and checksum. Raises DiskFullError, OSError."""
    check = 0

    def counted() -> Iterator[bytes]:
        nonlocal check
        for part in parts:
            check = zlib.crc32(part, check)
            yield part

    with raising_disk_full(path):
        size = write_whole(path, counted(), mode=0o666)
    return Checksum(size, check)


def merge_runs(
    recipe: Recipe, number: int, runs: Sequence[Run], ranges: Sequence[Ranges], paths: Iterable[Sequence[bytes]] | None,
    removed: Rows,
) -> Run | None:  # fmt: skip
    """Write the fingerprints of neighbouring runs, without removed rows, as a new run; None if no row is left.

    ranges: the row ranges of each run. paths: of the rows that are left. removed: uint32 (r,), ascending.
    Raises IndexFileError for damaged tables, DiskFullError, OSError, Stopped.
    """
    remaining = without(np.concatenate(ranges), removed)
    if not len(remaining):
        return None
    dropped: list[Keys] = []  # fingerprints of removed rows, collected while table 0 is written
    pieces = merged_pieces([_pieces(recipe, run, 0) for run in runs])
    tables = [_write_segments(recipe, number, 0, _remaining_rows(recipe, pieces, removed, dropped))]
    removed_fingerprints = np.concatenate([np.empty(0, np.uint64), *dropped])
    for table in range(1, len(recipe.design.tables)):
        pieces = merged_pieces([_pieces(recipe, run, table) for run in runs])
        keys = permuted(removed_fingerprints, bit_order(recipe.design, table), recipe.design.bits)
        tables.append(_write_segments(recipe, number, table, _remaining_keys(pieces, np.sort(keys))))
    sides = _write_sides(recipe, number, remaining, paths)
    count = int((remaining[:, 1].astype(np.int64) - remaining[:, 0]).sum())
    return Run(number, count, runs[0].low, runs[-1].high, tuple(tables), *sides)


def _pieces(recipe: Recipe, run: Run, table: int) -> Iterator[Piece]:
    """Yield the keys and rows of a table, ascending. The checksums of each segment are verified."""
    for number in range(len(run.segments[table])):
        with CompressedTable(recipe.folder / segment_name(run.number, table, number)) as segment:
            yield from segment.pieces(PIECE_BLOCKS)


def merged_pieces(inputs: Iterable[Iterator[Piece]]) -> Iterator[Piece]:
    """Merge ascending columns that arrive in pieces. At any time, one piece of each input is in memory."""
    heads = [(piece, rest) for rest in inputs if (piece := next(rest, None)) is not None]
    while heads:
        bound = min(keys[-1] for (keys, _), _ in heads)
        taken: list[Piece] = []
        following = []
        for (keys, rows), rest in heads:
            cut = int(keys.searchsorted(bound, "right"))
            taken.append((keys[:cut], rows[:cut]))
            piece = (keys[cut:], rows[cut:]) if cut < len(keys) else next(rest, None)
            if piece is not None:
                following.append((piece, rest))
        heads = following
        keys, rows = (np.concatenate(columns) for columns in zip(*taken, strict=True))
        if len(rows):  # table 0
            order = np.argsort(keys, kind="stable")
            yield keys[order], rows[order]
        else:
            yield np.sort(keys), rows


def _remaining_rows(recipe: Recipe, pieces: Iterable[Piece], removed: Rows, dropped: list[Keys]) -> Iterator[Piece]:
    """Yield table 0 without removed rows, and append their fingerprints to `dropped`."""
    order = bit_order(recipe.design, 0)
    for keys, rows in pieces:
        _, is_removed = positions_in(removed, rows)
        if is_removed.any():
            dropped.append(unpermuted(keys[is_removed], order, recipe.design.bits))
            keys, rows = keys[~is_removed], rows[~is_removed]
        if len(keys):
            yield keys, rows


def _remaining_keys(pieces: Iterable[Piece], dropped: Keys) -> Iterator[Piece]:
    """Yield a table without the keys in `dropped` (ascending); a key that is n times in there is removed n times."""
    for keys, rows in pieces:
        stop = int(dropped.searchsorted(keys[-1], "right"))
        candidates = dropped[:stop]
        # The n-th copy of a key in `dropped` removes the n-th copy in the piece, or else a copy in the next piece.
        position = keys.searchsorted(candidates) + (np.arange(stop) - candidates.searchsorted(candidates))
        in_piece = position < keys.searchsorted(candidates, "right")
        dropped = np.concatenate((candidates[~in_piece], dropped[stop:])) if stop else dropped
        stays = ~row_mask(len(keys), position[in_piece])
        if stays.any():
            yield keys[stays], rows


def without(ranges: Ranges, removed: Rows) -> Ranges:
    """Return row ranges without some rows, adjacent ranges joined. removed: ascending rows."""
    removed = removed[positions_among(ranges, removed) >= 0]  # each of these ends a range and begins the next
    starts = np.sort(np.concatenate((ranges[:, 0], removed + np.uint32(1))))
    stops = np.sort(np.concatenate((ranges[:, 1], removed)))
    not_empty = starts < stops
    starts, stops = starts[not_empty], stops[not_empty]
    is_gap = np.ones(len(starts) + 1, np.bool_)  # before each range, and after the last
    is_gap[1:-1] = starts[1:] != stops[:-1]
    return np.stack((starts[is_gap[:-1]], stops[is_gap[1:]]), axis=1)


def positions_among(ranges: Ranges, rows: Rows) -> NDArray[np.int64]:
    """Return the position of each row among all rows of the ranges, -1 for a row outside: int64 (n,)."""
    before = starts_of(ranges[:, 1].astype(np.int64) - ranges[:, 0])
    number = ranges[:, 0].searchsorted(rows, "right") - 1
    at = np.maximum(number, 0)
    inside = (number >= 0) & (rows < ranges[at, 1])
    return np.where(inside, before[at] + rows - ranges[at, 0], -1)


def rows_at(ranges: Ranges, start: int, stop: int) -> Rows:
    """Return the rows at positions `start` to `stop - 1` among all rows of the ranges; see `positions_among`."""
    before = starts_of(ranges[:, 1].astype(np.int64) - ranges[:, 0])
    positions = np.arange(start, stop)
    at = before.searchsorted(positions, "right") - 1
    rows: Rows = (ranges[at, 0] + (positions - before[at])).astype(np.uint32)
    return rows


def stored_paths(folder: Path, run: Run, ranges: Ranges) -> Iterator[tuple[Rows, list[bytes]]]:
    """Yield the rows of a run and their paths in batches, removed ones included; b"" for a row without a path."""
    if run.paths is None:
        for first in range(0, run.count, _PIECE_PATHS):
            rows = rows_at(ranges, first, min(first + _PIECE_PATHS, run.count))
            yield rows, [b""] * len(rows)
        return
    ends = np.memmap(folder / side_name(run.number, "ends"), "<i8", "r")
    with open(folder / side_name(run.number, "paths"), "rb") as stream:
        at = 0
        for first in range(0, run.count, _PIECE_PATHS):
            stop = min(first + _PIECE_PATHS, run.count)
            end = int(ends[stop - 1])
            yield rows_at(ranges, first, stop), stream.read(end - at).split(b"\0")[:-1]
            at = end
