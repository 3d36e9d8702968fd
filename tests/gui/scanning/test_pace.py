from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.gui.kit.progress import RateMeter


def test_a_steady_job_tells_its_rate_and_its_time_left() -> None:
    pace = RateMeter()
    for second in range(31):
        pace.note(float(second), second * 50)
    assert pace.rate() == 50
    assert pace.seconds_remaining(30.0, 3000) == 30


def test_no_time_left_is_shown_before_ten_seconds_and_two_percent() -> None:
    pace = RateMeter()
    pace.note(0.0, 0)
    pace.note(5.0, 500)
    assert pace.seconds_remaining(5.0, 1000) is None  # fewer than ten seconds
    pace.note(20.0, 501)
    assert pace.seconds_remaining(20.0, 1_000_000) is None  # fewer than two in a hundred


def test_a_new_stage_has_no_rate_and_no_time_left_yet() -> None:
    pace = RateMeter()
    for second in range(30):
        pace.note(float(second), second * 10)
    pace.note(30.0, 0)
    assert pace.rate() == 0
    assert pace.seconds_remaining(30.0, 100) is None


@given(st.lists(st.tuples(st.floats(0.001, 10), st.integers(0, 1000)), max_size=60))
def test_time_left_is_never_negative_and_never_fails(steps: list[tuple[float, int]]) -> None:
    pace, now, done = RateMeter(), 0.0, 0
    for seconds, more in steps:
        now, done = now + seconds, done + more
        pace.note(now, done)
        remaining = pace.seconds_remaining(now, done + 100)
        assert remaining is None or remaining >= 0
        assert pace.rate() >= 0
