"""Counts of other radii are there before the slider needs them, and no step waits for them."""

from __future__ import annotations

from pathlib import Path

from pytestqt.qtbot import QtBot

from dupfinder.gui.views.counts_ahead import CountsAhead
from tests.gui.scanned import WIDEST
from tests.gui.showing import session_in


def test_a_small_scan_is_counted_when_it_is_asked(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    assert [ahead.counts(radius) for radius in range(WIDEST + 1)] == [
        session.counts(radius) for radius in range(WIDEST + 1)
    ]


def test_a_large_scan_is_counted_in_jobs_until_every_radius_is_known(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session, small=0)
    assert ahead.counts(session.radius) == session.counts()
    told: list[int] = []
    ahead.counted.connect(told.append)
    assert ahead.counts(0) is None
    qtbot.waitUntil(lambda: sorted(told) == [one for one in range(WIDEST + 1) if one != session.radius], timeout=20_000)
    assert told[0] == 0
    assert ahead.counts(3) == session.counts(3)


def test_another_least_similarity_makes_old_counts_worthless(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    before = ahead.counts(8)
    session.set_min_similarity(0.99)
    assert ahead.counts(8) == session.counts(8) != before


def test_after_a_stop_nothing_more_is_told(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session, small=0)
    told: list[int] = []
    ahead.counted.connect(told.append)
    ahead.counts(0)
    ahead.stop()
    qtbot.wait(200)
    assert told == []
