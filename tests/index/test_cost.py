from __future__ import annotations

from dupfinder.index.cost import cheapest, choose_family


def test_more_fingerprints_ask_for_more_blocks() -> None:
    blocks = [cheapest(count, 64, 10)[0] or 0 for count in (1_000, 100_000, 10_000_000)]
    assert blocks == sorted(blocks)
    assert blocks[0] < blocks[-1]


def test_too_few_bits_leave_no_design() -> None:
    assert choose_family(10**6, 64, 16, [(0, 10)]) is None
