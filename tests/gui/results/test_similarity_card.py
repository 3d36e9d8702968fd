"""Counts under other demands are there before a slider needs them, and no step waits for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results import similarity_card
from dupfinder.gui.results.similarity_card import RADIUS_TAB, CountsAhead, SimilarityCard, SourceBars
from dupfinder.review.grouping import SourceCounts
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import WIDEST
from tests.gui.showing import session_in
from tests.gui.widgets import put_up


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every scan count as large."""
    monkeypatch.setattr(similarity_card, "SMALL", 0)
    monkeypatch.setattr(similarity_card, "AT_ONCE", 0)


def radii(session: ReviewSession) -> list[Demand]:
    return [replace(session.demand, radius=radius, passages=False) for radius in range(WIDEST + 1)]


def test_a_small_scan_is_counted_when_it_is_asked(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    assert [ahead.counts(demand) for demand in radii(session)] == [session.counts(demand) for demand in radii(session)]
    assert len({session.counts(demand) for demand in radii(session)}) > 1


@pytest.mark.usefixtures("large")
def test_a_large_scan_is_counted_in_jobs_in_the_order_asked_for(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    assert ahead.counts(session.demand) == session.counts()
    demands: list[Demand] = []
    ahead.counted.connect(demands.append)
    ahead.prepare(radii(session))
    assert ahead.counts(radii(session)[3]) is None
    qtbot.waitUntil(lambda: len(demands) == WIDEST + 1)
    assert set(demands) == set(radii(session)) and demands.index(radii(session)[3]) <= 1
    assert ahead.counts(radii(session)[3]) == session.counts(radii(session)[3])


def test_another_edition_makes_old_counts_worthless(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    before = ahead.counts(session.demand)
    session.not_duplicates(int(session.listed().ids[0]))
    assert ahead.counts(session.demand) == session.counts() != before


@pytest.mark.usefixtures("large")
def test_after_a_stop_no_more_counts_are_told(tmp_path: Path, qtbot: QtBot) -> None:
    session = session_in(tmp_path)
    ahead = CountsAhead(session)
    demands: list[Demand] = []
    ahead.counted.connect(demands.append)
    ahead.prepare(radii(session))
    ahead.stop()
    qtbot.wait(200)
    assert demands == []


@pytest.mark.usefixtures("large")
def test_a_step_that_waits_for_its_counts_is_not_forgotten_when_others_are_worked_out(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    session = session_in(tmp_path)
    card = SimilarityCard(session, Drawing(theme))
    qtbot.addWidget(card)
    card.tabs.part(RADIUS_TAB).click()
    card.ahead.prepare([replace(session.demand, similarity=0.5)])  # under way when the step is asked for
    with qtbot.waitSignal(card.demand_wanted) as wanted:
        card.step(-1)
        card._prepare()
    assert wanted.args == [replace(session.demand, radius=session.demand.radius - 1)]
    card.ahead.stop()


def test_the_pairs_of_each_source_end_at_the_same_digit(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    sources = put_up(SourceBars(Drawing(theme)), qtbot, 320, 120)
    sources.show_sources(SourceCounts(fingerprints=1, both=135, passages=0), 6)
    ends = []
    for count in sources._counts:
        ink = count.style().itemTextRect(count.fontMetrics(), count.rect(), int(count.alignment()), True, count.text())
        ends.append(count.mapTo(sources, ink.topRight()).x())
    assert len(set(ends)) == 1
