"""When a task has had its time, by the processor and by the clock."""

from __future__ import annotations

from typing import Any, cast

import pytest

from dupfinder.text.child import Child


class Watched(Child[str]):
    """A child that has had so many seconds of the processor as the test says."""

    had = 0.0

    def toil(self) -> float:
        return self.had


@pytest.fixture
def child() -> Watched:
    """One that took up its task at second 100."""
    nothing = cast(Any, None)
    watched = Watched(nothing, nothing, nothing)
    watched.take_up(100.0)
    return watched


def test_a_task_that_waits_for_a_busy_processor_is_not_overdue(child: Watched) -> None:
    for second in range(100, 200):
        child.had = (second - 100) / 16
        assert not child.is_overdue(12.0, float(second))


def test_a_task_that_had_its_seconds_of_the_processor_is_overdue(child: Watched) -> None:
    child.had = 11.9
    assert not child.is_overdue(12.0, 112.1)
    child.had = 12.1
    assert child.is_overdue(12.0, 112.2)


def test_a_task_that_hangs_is_overdue_by_the_clock(child: Watched) -> None:
    assert not child.is_overdue(12.0, 111.9)
    assert child.is_overdue(12.0, 112.1)


def test_a_task_that_hangs_after_some_work_is_overdue_soon_after_its_deadline(child: Watched) -> None:
    child.had = 5.0
    assert not child.is_overdue(12.0, 112.1)
    assert not child.is_overdue(12.0, 114.0)
    assert child.is_overdue(12.0, 115.2)


def test_no_task_goes_on_for_ever(child: Watched) -> None:
    overdue = []
    for second in range(100, 300):
        child.had += 0.02
        overdue.append(child.is_overdue(12.0, float(second)))
    assert overdue.index(True) == 121
