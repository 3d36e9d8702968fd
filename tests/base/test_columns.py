from __future__ import annotations

from itertools import groupby

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.columns import pair_keys, pairs_of, runs, spans, starts_of

ROWS = st.integers(0, 2**32 - 1)


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
