"""The timeline of a group in the window: offered where it says something, and a click chooses what is compared."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QToolTip
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.timeline import DOT, EVENLY, LANE, STEP, TO_SCALE, TimelineLayout
from dupfinder.review.session import ReviewSession
from dupfinder.review.timeline import TimelineVersion
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import shown
from tests.gui.widgets import said

PAPERS = (
    *(
        Paper(f"rules/Rules {day}.txt", " ".join(f"Rule {number} of edition {day}." for number in range(9)), day=day)
        for day in (3, 9, 14, 27)
    ),
    Paper("letters/A.txt", "One letter."),
    Paper("letters/B.txt", "One letter!"),
)
PAIRS = ((0, 1, 3, 0.9), (1, 2, 3, 0.9), (1, 3, 4, 0.8), (0, 2, 4, 0.75), (0, 3, 4, 0.72), (4, 5, 2, 0.9))


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    page = shown(ReviewSession(scan_result(tmp_path / "papers", PAPERS, PAIRS)), theme, qtbot)
    page.pane.list.choose(0)
    return page


def open_timeline(page: ResultsPage, qtbot: QtBot) -> None:
    page.detail.head.views.part(1).click()
    qtbot.waitUntil(page.detail.timeline.isVisible)


def click_on(page: ResultsPage, qtbot: QtBot, document: int, modifier: Qt.KeyboardModifier) -> None:
    canvas = page.detail.timeline.canvas
    at = canvas._index_of(document)
    point = QPoint(round(canvas._layout.xs[at]), round(canvas._layout.ys[at]))
    qtbot.mouseClick(canvas, Qt.MouseButton.LeftButton, modifier, point)


def compared(page: ResultsPage) -> tuple[int, int]:
    left, right = (page.detail.model.members[row].document for row in page.detail.model.pair)
    return left, right


def test_a_timeline_is_offered_for_three_versions_and_more_and_stays_chosen(page: ResultsPage, qtbot: QtBot) -> None:
    assert page.detail.head.views.isVisible() and page.detail.table.isVisible()
    open_timeline(page, qtbot)
    assert not page.detail.table.isVisible()
    page.pane.list.choose(4)
    assert not page.detail.head.views.isVisible() and page.detail.table.isVisible()
    page.pane.list.choose(0)
    assert page.detail.timeline.isVisible()


def test_a_click_compares_a_version_as_b_and_with_shift_as_a_and_keys_act_on_b(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    keeper = page.detail.model.members[0].document
    others = [member.document for member in page.detail.model.members[1:]]
    click_on(page, qtbot, others[-1], Qt.KeyboardModifier.NoModifier)
    assert compared(page) == (keeper, others[-1])
    click_on(page, qtbot, others[0], Qt.KeyboardModifier.ShiftModifier)
    assert compared(page) == (others[0], others[-1])
    assert page.detail.timeline.canvas.pair == (others[0], others[-1])
    page.groups.commands["toggle_remove"]()
    assert page.session.acts.marked[others[-1]]


def test_arrow_keys_go_to_the_version_before_and_after_and_pass_over_a(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    canvas = page.detail.timeline.canvas
    order = [version.document for version in canvas._layout.versions]
    click_on(page, qtbot, order[1], Qt.KeyboardModifier.ShiftModifier)
    click_on(page, qtbot, order[0], Qt.KeyboardModifier.NoModifier)
    qtbot.keyClick(canvas, Qt.Key.Key_Right)
    assert compared(page) == (order[1], order[2])
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    qtbot.keyClick(canvas, Qt.Key.Key_Left)
    assert compared(page) == (order[1], order[0])
    assert "Rules 3.txt" in canvas.accessibleDescription()


def test_a_tool_tip_tells_all_of_a_version(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    canvas = page.detail.timeline.canvas
    sentence = canvas.sentence(len(canvas._layout.versions) - 1)
    assert "Rules 27.txt" in sentence and "80 % to its nearest earlier relative" in sentence
    assert "by the date of the file" in sentence
    assert "A line joins a version to its nearest earlier relative" in said(page.detail.timeline)
    assert QToolTip.text() == ""


def test_b_is_scrolled_into_sight(page: ResultsPage, qtbot: QtBot) -> None:
    page.resize(1024, 620)
    open_timeline(page, qtbot)
    canvas = page.detail.timeline.canvas
    for version in (canvas._layout.versions[-1], canvas._layout.versions[0]):
        page.detail.choose_document(version.document)
        qtbot.waitUntil(lambda: canvas.visibleRegion().contains(b_of(page)))


def test_the_version_compared_as_a_is_scrolled_into_sight_if_b_is_a_copy(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    canvas = page.detail.timeline.canvas
    left = canvas._layout.versions[-1].document
    canvas.show_pair((left, -1))
    assert b_of(page) == QPointF(canvas._layout.xs[-1], canvas._layout.ys[-1]).toPoint()


def b_of(page: ResultsPage) -> QPoint:
    place = page.detail.timeline.canvas.position_of_pair()
    assert place is not None
    return place.toPoint()


def versions(*days: int, lanes: tuple[int, ...] = ()) -> list[TimelineVersion]:
    dates = [int(datetime(2026, 1, day, tzinfo=UTC).timestamp()) * 10**9 for day in days]
    return [
        TimelineVersion(at, 1, date, False, 9, at - 1, 0.9, 1, 1, 0.9, at == 0, False, lanes[at] if lanes else 0)
        for at, date in enumerate(dates)
    ]


def test_versions_stand_to_scale_where_their_labels_have_room_and_evenly_otherwise() -> None:
    roomy = TimelineLayout.of(versions(1, 11, 21, 31), 1000, to_scale=True)
    assert roomy.fits()
    assert [b - a for a, b in zip(roomy.xs, roomy.xs[1:], strict=False)] == pytest.approx([282.666] * 3, abs=0.01)
    assert not TimelineLayout.of(versions(1, 2, 21, 31), 1000, to_scale=True).fits()
    assert TimelineLayout.of(versions(1, 2, 21, 31), 1000, to_scale=False).fits()
    assert TimelineLayout.of(versions(1, 2, 21, 31, lanes=(0, 1, 0, 0)), 1000, to_scale=True).fits()
    many = TimelineLayout.of(versions(*range(1, 31)), 1000, to_scale=False)
    assert many.size[0] > 29 * STEP and many.fits()


def test_the_labels_of_a_lane_without_room_beside_its_dots_stand_below_them() -> None:
    alone = TimelineLayout.of(versions(1, 2, 3, 4, lanes=(0, 1, 0, 0)), 1000, to_scale=False, labels=70)
    assert alone.crowded == {0}
    assert max(alone.ys) - min(alone.ys) == LANE
    several = TimelineLayout.of(versions(1, 2, 3, 4, 5, lanes=(0, 1, 1, 0, 2)), 600, to_scale=False, labels=70)
    assert several.crowded == {0, 1}
    assert several.ys[0] - several.ys[1] > 70, "with room for the labels above the line of the next lane"
    assert several.ys[1] - several.ys[4] == LANE


def test_no_line_to_the_next_version_crosses_labels_however_far_it_is() -> None:
    followed = TimelineLayout.of(versions(1, 2, 31, lanes=(0, 1, 1)), 1400, to_scale=False, labels=70)
    assert followed.xs[2] - followed.xs[1] > 2 * STEP
    assert followed.crowded == {0, 1}


def test_the_person_may_choose_the_distances(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    view = page.detail.timeline
    for scale in (EVENLY, TO_SCALE):
        view._scale.part(scale).click()
        assert view.canvas._layout.is_to_scale == (scale == TO_SCALE)
    first = view.canvas._layout
    assert view.canvas._version_at(view.rect().topLeft().toPointF()) == -1
    assert first.ys[0] - DOT > 0


def test_the_picture_of_a_timeline_is_painted(page: ResultsPage, qtbot: QtBot) -> None:
    open_timeline(page, qtbot)
    image = page.detail.timeline.canvas.grab().toImage()
    colours = {image.pixelColor(x, y).name() for x in range(0, image.width(), 2) for y in range(0, image.height(), 2)}
    theme = page.pane.drawing.theme
    assert {theme.colour(tone).name() for tone in ("near", "keep", "accent")} <= colours
