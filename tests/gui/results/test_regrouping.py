"""What is no duplicate leaves the list, and parts of the window that belong to no page."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QSpinBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.buttons import leave_scrolling
from dupfinder.gui.kit.labels import ElidedLabel
from dupfinder.gui.kit.theme import Theme
from dupfinder.review.listing import GroupFilter, GroupTrait
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import put_up


def test_what_is_no_duplicate_has_a_filter_and_a_way_back(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path)
    page = put_up(page_on(session, theme), qtbot)
    assert not page.pane._filter_acts[GroupTrait.APART].isVisible()
    before = session.counts().clusters
    page.groups.commands["not_duplicates"]()
    act = page.pane._filter_acts[GroupTrait.APART]
    assert act.isVisible() and act.text() == "Said to be no duplicates (1)"
    assert session.counts().clusters == before - 1
    act.trigger()
    assert session.filter == GroupFilter(only=frozenset({GroupTrait.APART}))
    page.detail.head.apart.click()
    assert session.trait_counts()[GroupTrait.APART] == 0
    page.clear_filters()
    assert len(session.listed()) == before


def test_wheel_and_page_keys_on_a_field_move_the_page_and_not_the_value(qtbot: QtBot) -> None:
    content = QWidget()
    column = QVBoxLayout(content)
    field = QSpinBox()
    field.setValue(8)
    leave_scrolling(field)
    column.addWidget(field)
    content.setMinimumHeight(2000)
    area = QScrollArea()
    area.setWidget(content)
    area.setWidgetResizable(True)
    put_up(area, qtbot, 300, 300)
    field.setFocus()
    down = QWheelEvent(
        QPointF(5, 5), QPointF(5, 5), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(field, down)
    qtbot.keyClick(field, Qt.Key.Key_PageDown)
    assert field.value() == 8 and area.verticalScrollBar().value() > 0


def test_a_name_with_a_tag_in_it_is_plain_in_its_tool_tip(qtbot: QtBot) -> None:
    made = put_up(ElidedLabel("a <b>bold</b> name that is much too long for its place.txt"), qtbot, 40, 20)
    assert made.toolTip() and not GuiQt.mightBeRichText(made.toolTip())
