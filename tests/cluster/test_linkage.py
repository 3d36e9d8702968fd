"""Representatives and connected components, compared with slow ways."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.cluster.linkage import components, representatives
from tests.cluster.making import graphs, union_find

HASHES = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=30)


@given(HASHES)
def test_the_first_row_with_a_hash_stands_for_all_and_no_hash_is_no_copy(hashes: list[tuple[int, int]]) -> None:
    first: dict[tuple[int, int], int] = {}
    expected = [
        row if not any(pair) else first.setdefault(pair, row)
        for row, pair in enumerate(hashes)
    ]  # fmt: skip
    firsts = representatives(np.array(hashes, np.uint64).reshape(-1, 2))
    assert firsts.tolist() == expected and firsts.dtype == np.int32


@given(graphs(30, 40), st.data())
def test_groups_are_those_of_a_plain_union_find(
    graph: tuple[int, list[tuple[int, int, int]]], data: st.DataObject
) -> None:
    count, rows = graph
    order = data.draw(st.permutations(rows))
    first, rest = order[: len(order) // 2], order[len(order) // 2 :]
    labels = np.arange(count, dtype=np.int32)
    for part in (first, rest):  # in two steps, as the second begins with the groups of the first
        left, right = (np.array([row[side] for row in part], np.int32) for side in (0, 1))
        labels = components(left, right, labels)
    assert labels.tolist() == union_find(count, [row[:2] for row in rows])


def test_a_long_chain_is_one_group() -> None:
    rows = np.random.default_rng(1).permutation(5000).astype(np.int32)
    labels = components(rows[:-1], rows[1:], np.arange(5000, dtype=np.int32))
    assert not labels.any()
