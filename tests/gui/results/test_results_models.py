"""The models of the results keep Qt's contract, and lists of any length stay quick."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QHeaderView
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from dupfinder.actions.plan import Verb
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.tables import CellState
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.review import RemovalModel, RemovalPreview
from dupfinder.gui.results.cluster_list import NO_PART, ClusterList, ClustersModel
from dupfinder.gui.results.members import MemberColumn, MemberRow, MembersModel
from dupfinder.gui.results.members_table import MemberPainter, MembersTable, two_line_boxes
from dupfinder.gui.results.similarity_axis import bar_heights
from dupfinder.library.decisions import Decision
from dupfinder.review.listing import ClusterTable
from tests.gui.scanned import scan_result
from tests.gui.showing import session_in
from tests.gui.widgets import put_up

MANY = 1_000_000


def many_clusters(folder: Path) -> ClusterTable:
    documents = scan_result(folder).documents
    numbers = np.arange(MANY)
    return ClusterTable(
        ids=numbers.astype(np.int32),
        size=(2 + numbers % 7).astype(np.int32),
        bytes_to_free=numbers * 1000,
        holds=np.stack([numbers % (2 + relation) for relation in range(5)], axis=1).astype(np.int32),
        distant=np.zeros(MANY, np.int32),
        reviewed=numbers % 3 == 0,
        marked=numbers % 5 == 0,
        apart=np.zeros(MANY, np.bool_),
        keeper=(numbers % len(documents)).astype(np.int32),
        documents=documents,
    )


def test_the_models_keep_the_contract_of_qt(tmp_path: Path, qtmodeltester: ModelTester) -> None:
    session = session_in(tmp_path)
    clusters = ClustersModel(session.listed(), lambda _: (), (), None)
    qtmodeltester.check(clusters)
    members = MembersModel([tmp_path])
    members.show_members(session.members(int(session.listed().ids[0])))
    qtmodeltester.check(members)
    session.marks.decide([5], Decision.REMOVE)
    removal = RemovalModel()
    removal.show_removal(RemovalPreview.of(session, Verb.TRASH, None))
    qtmodeltester.check(removal)
    removal.show_files(True)
    qtmodeltester.check(removal)


def test_a_million_clusters_cost_no_object_a_row(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    model = ClustersModel(many_clusters(tmp_path), lambda _: (), (), None)
    view = put_up(ClusterList(model, Drawing(theme)), qtbot, 372, 600)
    assert view.verticalHeader().sectionResizeMode(0) is QHeaderView.ResizeMode.Fixed
    assert view.choose(MANY - 3)
    first, last = view.visible_rows()
    assert first <= MANY - 3 <= last
    assert last - first < 16
    view.grab()


def test_a_table_with_the_same_rows_keeps_the_place_in_the_list(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    table = many_clusters(tmp_path)
    model = ClustersModel(table, lambda _: (), (), None)
    view = put_up(ClusterList(model, Drawing(theme)), qtbot, 372, 600)
    view.choose(5_000)
    place = view.verticalScrollBar().value()
    assert model.table.ids.tolist() == table.ids.tolist()
    model.refresh(table)
    assert view.verticalScrollBar().value() == place > 0
    assert view.currentIndex().row() == 5_000


def test_the_parts_of_open_groups_are_rows_below_their_groups(tmp_path: Path) -> None:
    model = ClustersModel(session_in(tmp_path).listed(), lambda _: (4, 5), (), None)
    ids = model.table.ids.tolist()
    model.toggle(len(ids) - 1)
    model.toggle(0)
    groups = [ids[0]] * 3 + ids[1:-1] + [ids[-1]] * 3
    assert [model.cluster_at(row) for row in range(model.rowCount())] == groups
    assert [model.part_at(row) for row in (0, 1, 2, 3)] == [NO_PART, 4, 5, NO_PART]
    assert [model.row_of(cluster) for cluster in (ids[0], ids[1], ids[-1])] == [0, 3, len(groups) - 3]
    model.toggle(1)
    model.toggle(model.row_of(ids[-1]))
    assert [model.cluster_at(row) for row in range(model.rowCount())] == ids


def test_folders_of_a_plan_add_up_to_its_steps(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    session.marks.decide([1, 5], Decision.REMOVE)
    removal = RemovalPreview.of(session, Verb.TRASH, None)
    assert sum(line.documents for line in removal.folders) == len(removal.plan.steps) == 2
    sizes = sum(step.victim.stamp.size for step in removal.plan.steps)
    assert sum(line.bytes for line in removal.folders) == removal.bytes == sizes


def test_a_member_without_pages_shows_a_dash(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    model = MembersModel([tmp_path])
    members = session.members(int(session.listed().ids[0]))
    model.show_members(members)
    model.toggle(model.row_of(next(member.document for member in members if member.pages)))
    texts = {model.index(row, MemberColumn.PAGES).data() for row in range(model.rowCount())}
    assert texts == {"3", "—"}


class Boxes(QPainter):
    """A painter that remembers the rounded boxes it is to draw."""

    def __init__(self, device: QImage) -> None:
        super().__init__(device)
        self.boxes: list[QRectF] = []

    def drawRoundedRect(self, *shape: Any, **mode: Any) -> None:
        self.boxes.append(QRectF(shape[0]))


def boxes_of(column: MemberColumn, row: int, folder: Path, theme: Theme, qtbot: QtBot) -> tuple[list[QRectF], float]:
    """Return the rounded boxes that are painted in a cell 400 px wide, and its height."""
    session, drawing = session_in(folder), Drawing(theme)
    model = MembersModel([folder])
    table = MembersTable(model, drawing)
    qtbot.addWidget(table)
    model.show_members(session.members(0))
    height = table.verticalHeader().defaultSectionSize()
    image = QImage(400, height, QImage.Format.Format_RGB32)
    painter = Boxes(image)
    state = CellState(selected=False, hovered=False, focused=False)
    MemberPainter(drawing, model).draw(painter, QRectF(0, 0, 400, height), row, column, state)
    painter.end()
    return painter.boxes, height


@pytest.mark.parametrize("is_compact", [False, True])
def test_the_sign_of_the_suggested_copy_does_not_touch_the_line_above_it(
    tmp_path: Path, qtbot: QtBot, theme: Theme, is_compact: bool
) -> None:
    theme.set_compact(is_compact)
    (badge, sign), height = boxes_of(MemberColumn.DOCUMENT, 0, tmp_path, theme, qtbot)
    assert badge.bottom() <= sign.top() + 0.5 and sign.bottom() <= height


@pytest.mark.parametrize("is_compact", [False, True])
def test_the_badge_of_a_relation_stays_above_the_line_below_it(
    tmp_path: Path, qtbot: QtBot, theme: Theme, is_compact: bool
) -> None:
    theme.set_compact(is_compact)
    (pill,), height = boxes_of(MemberColumn.RELATION, 1, tmp_path, theme, qtbot)
    small = Drawing(theme).metrics("small")
    _, lower = two_line_boxes(QRectF(0, 0, 400, height))
    capitals = lower.center().y() + small.height() / 2 - small.descent() - small.capHeight()
    assert pill.top() >= 0 and pill.bottom() <= capitals


def test_a_stack_of_thousands_is_counted_as_other_numbers_are(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    model = MembersModel([tmp_path])
    member = session.members(0)[0]
    model.rows = [MemberRow(member, (member,) * 4800)]
    assert model.second(0, MemberColumn.DOCUMENT).endswith(" (4,800)")


def test_a_distant_version_shows_no_similarity_to_the_kept_copy(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    model = MembersModel([tmp_path])
    members = session.members(int(session.listed().ids[0]))
    model.show_members([replace(member, relation=Relation.NONE, is_keeper=False) for member in members])
    assert {model.index(row, MemberColumn.SIMILAR).data() for row in range(model.rowCount())} == {"—"}


def test_a_rare_distance_stays_visible_beside_a_frequent_one() -> None:
    heights = bar_heights(np.array([1_000_000, 0, 1]), 50.0)
    assert heights[0] == 50.0
    assert heights[1] == 0.0
    assert heights[2] >= 3.0
    assert not bar_heights(np.zeros(4, np.int64), 50.0).any()


def test_the_decisions_have_room_for_the_number_of_all_copies(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    session = session_in(tmp_path)
    member = next(each for each in session.members(int(session.listed().ids[0])) if not each.is_keeper)
    drawing, model = Drawing(theme), MembersModel([tmp_path])
    table = MembersTable(model, drawing)
    qtbot.addWidget(table)
    before = table.columnWidth(MemberColumn.DECISION)
    copies = [replace(member, document=number, decision=Decision.REMOVE) for number in range(2_500)]
    model.show_members(copies)
    text = model.text(0, MemberColumn.DECISION)
    assert text == "Remove 2,500" and table.columnWidth(MemberColumn.DECISION) > before
    assert drawing.metrics("control").horizontalAdvance(text) + 50 <= table.columnWidth(MemberColumn.DECISION)
