from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import pytest

from dupfinder.index.cost import USUAL_COSTS, Costs, cheapest, choose_family, store_costs, stored_costs
from dupfinder.index.planner import measured_costs


def test_measured_costs_are_of_the_order_of_the_usual() -> None:
    for name, value in asdict(measured_costs()).items():
        assert asdict(USUAL_COSTS)[name] / 30 < value < asdict(USUAL_COSTS)[name] * 300, name


def test_costs_are_kept_and_read_again(tmp_path: Path) -> None:
    costs = Costs(compare=1e-9)
    store_costs(costs, tmp_path / "costs.json")
    assert stored_costs(tmp_path / "costs.json") == costs
    assert [path.name for path in tmp_path.iterdir()] == ["costs.json"]


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"machine": "other", "costs": {}}'])
def test_kept_costs_that_make_no_sense_are_measured_anew(tmp_path: Path, content: str) -> None:
    path = tmp_path / "costs.json"
    assert stored_costs(path) is None
    path.write_text(content)
    assert stored_costs(path) is None


def test_costs_that_cannot_be_kept_are_no_error(tmp_path: Path) -> None:
    store_costs(USUAL_COSTS, tmp_path / "no such folder" / "costs.json")


def test_more_fingerprints_ask_for_more_blocks() -> None:
    blocks = [cheapest(count, 64, 10)[0] or 0 for count in (1_000, 100_000, 10_000_000)]
    assert blocks == sorted(blocks)
    assert blocks[0] < blocks[-1]


def test_too_few_bits_leave_no_design() -> None:
    assert choose_family(10**6, 64, 16, [(0, 10)]) is None
