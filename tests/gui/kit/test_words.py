from __future__ import annotations

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from dupfinder.cluster.relation import Difference, Relation
from dupfinder.gui.kit import words
from dupfinder.wording.figures import count_text, share_text, size_text, waiting_text


@pytest.mark.parametrize(
    ("size", "text"),
    [(0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1_000, "1 KB"), (142_300, "142 KB"), (1_900_000, "1.9 MB"),
     (58_540_000, "58.5 MB"), (1_840_000_000, "1.84 GB"), (21_400_000_000, "21.4 GB"), (999_600_000, "1.00 GB"),
     (5_000_000_000_000_000, "5,000 TB")],
)  # fmt: skip
def test_sizes_have_as_many_places_as_tell_something(qapp: object, size: int, text: str) -> None:
    assert size_text(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(1, "about 5 s"), (43, "about 45 s"), (58, "about 1 min"), (75, "about 1 min 15 s"), (121, "about 2 min"),
     (1000, "about 16 min"), (7300, "about 2 h 0 min")],
)  # fmt: skip
def test_time_left_is_rounded_as_people_say_it(qapp: object, seconds: float, text: str) -> None:
    assert waiting_text(seconds) == text


def test_numbers_are_grouped(qapp: object) -> None:
    assert count_text(1_013_904) == "1,013,904"


def test_a_hundred_percent_means_all(qapp: object) -> None:
    assert share_text(999 / 1000) == "99 %"
    assert share_text(1.0) == "100 %"


def test_days_are_told_by_their_distance(qapp: object) -> None:
    now = datetime.now(UTC)
    assert words.when(now).startswith("Today ")
    assert words.when(now - timedelta(days=1)).startswith("Yesterday ")
    assert words.when(datetime(2024, 3, 12, 12, tzinfo=UTC)) == "12 Mar 2024"


@pytest.mark.parametrize(
    ("in_keeper", "keeper_in", "text"),
    [(0.8, 1.0, "older, it has more text than the kept copy"), (1.0, 0.8, "older, it lacks some text")],
)
def test_a_version_tells_which_of_the_two_has_more_text(
    qapp: object, in_keeper: float, keeper_in: float, text: str
) -> None:
    keeper: Any = SimpleNamespace(changed=datetime(2024, 3, 12, tzinfo=UTC))
    member: Any = SimpleNamespace(
        is_keeper=False, relation=Relation.VERSION, difference=Difference.ADDITIONS, in_keeper=in_keeper,
        keeper_in=keeper_in, changes=1, changed=datetime(2023, 3, 12, tzinfo=UTC),
    )  # fmt: skip
    assert words.detail_of(member, keeper) == text
