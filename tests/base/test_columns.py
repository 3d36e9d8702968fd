from __future__ import annotations

import os
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base import columns
from dupfinder.base.columns import (
    Columns,
    Ragged,
    looked_up,
    pair_keys,
    pairs_of,
    release_freed,
    release_mapped,
    row_mask,
    runs,
    spans,
    starts_of,
)

ROWS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True, slots=True)
class Sized(Columns):
    size: NDArray[np.int64]
    locked: NDArray[np.bool_]


@given(st.lists(st.integers(0, 9)).map(sorted), st.lists(st.integers(0, 9)).map(sorted))
def test_rows_are_inserted_where_they_belong(sizes: list[int], more: list[int]) -> None:
    rows, others = (Sized(np.array(side, np.int64), np.full(len(side), side is more)) for side in (sizes, more))
    together = rows.inserted(np.searchsorted(rows.size, others.size), others)
    assert together.size.tolist() == sorted(sizes + more) and together.locked.sum() == len(more)


def test_no_rows_have_the_types_that_the_class_declares() -> None:
    none = Sized.none()
    assert len(none) == 0
    assert none.size.dtype == np.int64
    assert none.locked.dtype == np.bool_
    assert Sized.dtypes() == {"size": np.dtype(np.int64), "locked": np.dtype(np.bool_)}


@given(st.lists(st.integers(0, 5)))
def test_entries_of_a_ragged_column_start_where_the_one_before_ends(lengths: list[int]) -> None:
    starts = starts_of(lengths)
    assert starts.dtype == np.int64 and starts[0] == 0
    assert np.diff(starts).tolist() == lengths


@given(st.lists(st.integers(0, 3)))
def test_runs_are_of_equal_values_one_behind_the_other(values: list[int]) -> None:
    begins, lengths = runs(np.array(values, np.uint64))
    expected = [(value, len(list(same))) for value, same in groupby(values)]
    assert [
        (values[begin], length) for begin, length in zip(begins.tolist(), lengths.tolist(), strict=True)
    ] == expected
    assert begins.tolist() == starts_of(lengths)[:-1].tolist()


@given(st.lists(st.integers(0, 4), min_size=1), st.data())
def test_every_index_of_the_chosen_entries_is_named_once(lengths: list[int], data: st.DataObject) -> None:
    starts = starts_of(lengths)
    chosen = data.draw(st.lists(st.integers(0, len(lengths) - 1)))
    owner, index = spans(starts, np.array(chosen, np.int32))
    assert list(zip(owner.tolist(), index.tolist(), strict=True)) == [
        (place, row) for place, entry in enumerate(chosen) for row in range(starts[entry], starts[entry + 1])
    ]


@given(st.lists(st.tuples(ROWS, ROWS)))
def test_packed_pairs_sort_as_pairs_and_come_back(pairs: list[tuple[int, int]]) -> None:
    left, right = (np.array([pair[side] for pair in pairs], np.uint32) for side in (0, 1))
    keys = np.sort(pair_keys(left, right))
    assert list(zip(*(side.tolist() for side in pairs_of(keys)), strict=True)) == sorted(pairs)


ENTRIES = st.lists(st.lists(st.integers(0, 255), max_size=4), max_size=8)


def ragged(entries: list[list[int]]) -> Ragged:
    return Ragged.of_entries([np.array(entry, np.uint8) for entry in entries], np.uint8).checked()


def listed(column: Ragged) -> list[list[int]]:
    return [column[row].tolist() for row in range(len(column))]


@given(ENTRIES, ENTRIES, st.data())
def test_a_ragged_column_is_the_list_of_its_entries(
    entries: list[list[int]], more: list[list[int]], data: st.DataObject
) -> None:
    column, joined = ragged(entries), Ragged.joined([ragged(entries), ragged(more)])
    assert column.values.dtype == joined.values.dtype == np.uint8
    assert listed(column) == entries and column.lengths.tolist() == [*map(len, entries)]
    assert listed(joined.checked()) == entries + more
    rows = data.draw(st.lists(st.sampled_from(range(len(entries))))) if entries else []
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, len(entries))] * 2)))
    for chosen in (rows, list(range(first, last))):
        taken = column.take(np.array(chosen, np.int64))
        assert listed(taken.checked()) == [entries[row] for row in chosen]
        assert not np.shares_memory(taken.values, column.values)


@given(ENTRIES, st.integers(0, 255))
def test_values_are_chosen_counted_and_told_of_entry_by_entry(entries: list[list[int]], least: int) -> None:
    column, chosen = ragged(entries), [[value for value in entry if value >= least] for entry in entries]
    kept = column.values >= least
    assert listed(column.only(kept).checked()) == chosen
    assert column.counts(np.flatnonzero(kept)).tolist() == [*map(len, chosen)]
    assert column.per_value(np.arange(len(column))).tolist() == [
        row for row, entry in enumerate(entries) for _ in entry
    ]


@given(st.lists(st.integers(-2, 5)), st.integers(0, 6))
def test_starts_that_do_not_cover_the_values_are_refused(starts: list[int], count: int) -> None:
    column = Ragged(np.zeros(count), np.array(starts, np.int64))
    if starts and starts == sorted(starts) and starts[0] == 0 and starts[-1] == count:
        assert column.checked() is column
    else:
        with pytest.raises(ValueError, match="starts"):
            column.checked()


@given(st.lists(st.integers(0, 20)), st.lists(st.integers(0, 20)))
def test_rows_are_looked_up_and_marked_block_by_block(left: list[int], right: list[int]) -> None:
    table, rows = np.arange(100, 121, dtype=np.uint32), [np.array(side, np.uint8) for side in (left, right)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns.blocks, "__defaults__", (3,))
        values, marks = looked_up(table, rows[0]), row_mask(21, *rows)
    assert values.dtype == table.dtype and values.tolist() == [100 + row for row in left]
    assert np.flatnonzero(marks).tolist() == sorted({*left, *right})


def test_a_column_let_go_is_there_when_it_is_read_again(tmp_path: Path) -> None:
    stored = np.arange(10_000)
    stored.tofile(tmp_path / "column")
    mapped = np.memmap(tmp_path / "column", stored.dtype, "r").view(np.ndarray)
    for column in (mapped, mapped[5:], stored):
        release_mapped(column)
    assert mapped.tolist() == stored.tolist() == list(range(10_000))


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(columns._trim() is None, reason="this C library has no such function")
def test_memory_that_is_free_between_what_is_used_is_given_back() -> None:
    blocks = [bytes(b"x" * 100_000) for _ in range(400)]
    last = blocks[-1]
    del blocks
    before = resident()
    release_freed()
    assert resident() < before - 20_000_000 and last == b"x" * 100_000


def test_where_memory_cannot_be_given_back_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columns, "_trim", lambda: None)
    release_freed()
