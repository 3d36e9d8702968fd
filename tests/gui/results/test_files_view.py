"""The files of all groups in one table: what it lists, how it is sorted, and every decision by key and mouse."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.files_view import FileColumn, decision_box
from dupfinder.gui.results.page import FILES, GROUPS, ResultsPage
from dupfinder.library.decisions import Decision
from dupfinder.review.members import Member
from tests.gui.showing import session_in, shown
from tests.gui.widgets import said


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    made = shown(session_in(tmp_path), theme, qtbot)
    made.entered()
    turn_to_files(made, qtbot)
    return made


def turn_to_files(page: ResultsPage, qtbot: QtBot) -> None:
    page._tools.views.part(FILES).click()
    settled(page, qtbot)


def settled(page: ResultsPage, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not page.files._listing.is_running)


def names(page: ResultsPage) -> list[str]:
    """The names of all rows, those of groups in brackets."""
    model = page.files.model
    texts = [(model.document(row), model.text(row, FileColumn.DOCUMENT)) for row in range(model.rowCount())]
    return [text if document >= 0 else f"[{text}]" for document, text in texts]


def choose(page: ResultsPage, *rows: int) -> None:
    table = page.files.table
    table.setCurrentIndex(table.model().index(rows[0], 0))
    for row in rows[1:]:
        table.selectionModel().select(
            table.model().index(row, 0),
            table.selectionModel().SelectionFlag.Select | table.selectionModel().SelectionFlag.Rows,
        )


def row_of(page: ResultsPage, name: str) -> int:
    return names(page).index(name)


def test_each_group_stands_above_its_files_with_the_kept_copy_first(page: ResultsPage) -> None:
    rows, model = names(page), page.files.model
    groups = [row for row, name in enumerate(rows) if name.startswith("[")]
    assert len(groups) == len(page.session.listed())
    assert all(model.is_kept(row + 1) for row in groups)
    documents = int(page.session.listed().size.sum())
    assert len(rows) - len(groups) == documents and f"{documents} documents" in said(page)


def test_a_heading_sorts_then_turns_the_order_then_brings_back_the_groups(page: ResultsPage, qtbot: QtBot) -> None:
    by_group = names(page)
    header = page.files.table.horizontalHeader()
    orders = []
    for _ in range(3):
        at = QPoint(header.sectionViewportPosition(FileColumn.DOCUMENT) + 20, header.height() // 2)
        qtbot.mouseClick(header.viewport(), Qt.MouseButton.LeftButton, pos=at)
        settled(page, qtbot)
        orders.append(names(page))
    files = [name for name in by_group if not name.startswith("[")]
    stems = [Path(name).stem.casefold() for name in orders[0]]
    assert sorted(orders[0]) == sorted(files) and stems == sorted(stems)
    assert [Path(name).stem.casefold() for name in orders[1]] == stems[::-1]
    assert orders[2] == by_group


def test_the_heading_tells_the_order(page: ResultsPage, qtbot: QtBot) -> None:
    model, ordered = page.files.model, Qt.Orientation.Horizontal
    page.files._sort(FileColumn.SIZE)
    settled(page, qtbot)
    sizes = [page.session.result.documents.size[model.document(row)] for row in range(model.rowCount())]
    assert sizes == sorted(sizes, reverse=True)
    assert model.headerData(FileColumn.SIZE, ordered) == "Size ↓"
    assert model.headerData(FileColumn.DOCUMENT, ordered) == "Document"


def test_filters_and_search_choose_files_and_not_only_groups(page: ResultsPage, qtbot: QtBot) -> None:
    page.pane._chips[Relation.IDENTICAL].click()
    settled(page, qtbot)
    model = page.files.model
    rows = [row for row in range(model.rowCount()) if model.document(row) >= 0]
    assert rows and all(model.relation(row) is Relation.IDENTICAL and not model.is_kept(row) for row in rows)
    page.clear_filters()
    page._tools.search.setText("type:txt")
    qtbot.waitUntil(lambda: page.session.filter.text == "type:txt")
    settled(page, qtbot)
    assert all(name.endswith(".txt") or name.startswith("[") for name in names(page))


def test_a_search_without_hits_leaves_an_empty_table_also_when_the_view_is_chosen_again(
    page: ResultsPage, qtbot: QtBot
) -> None:
    page._tools.search.setText("zzzz")
    qtbot.waitUntil(lambda: not len(page.session.listed()))
    for view in (FILES, GROUPS, FILES):
        page._tools.views.part(view).click()
        settled(page, qtbot)
    assert page.files.model.rowCount() == 0


def test_keys_decide_about_the_selected_files(page: ResultsPage, qtbot: QtBot) -> None:
    row = row_of(page, "Supply agreement v6.txt")
    choose(page, row)
    document = page.files.model.document(row)
    qtbot.keyClick(page.files.table, Qt.Key.Key_Space)
    assert page.session.marks.decision(document) is Decision.REMOVE
    settled(page, qtbot)
    assert page.files.model.text(row, FileColumn.DECISION) == "Remove"
    assert page.files.model.document(page.files.table.currentIndex().row()) == document
    for command, decision in (("keep", Decision.KEEP), ("undecide", Decision.UNDECIDED)):
        page.command(command)()  # type: ignore[misc]
        assert page.session.marks.decision(document) is decision


def test_of_all_files_as_many_are_marked_as_may_and_the_rest_is_told(page: ResultsPage, qtbot: QtBot) -> None:
    page.command("select_all")()  # type: ignore[misc]
    page.command("toggle_remove")()  # type: ignore[misc]
    settled(page, qtbot)
    marked = page.session.summary().documents
    assert 0 < marked < int(page.session.listed().size.sum())
    assert "1 stays as the kept copy" in said(page)


def test_the_last_copy_is_refused_with_the_reason_and_a_way_out(page: ResultsPage, qtbot: QtBot) -> None:
    model, last = page.files.model, page.files.model.rowCount() - 1
    first, second = model.document(last - 1), model.document(last)
    assert model.document(last - 2) < 0, "the last group has two files"
    for row in (last, last - 1):
        choose(page, row)
        page.command("toggle_remove")()  # type: ignore[misc]
        settled(page, qtbot)
    assert page.session.marks.decision(second) is Decision.REMOVE
    assert page.session.marks.decision(first) is Decision.UNDECIDED
    assert page.files.refusal.isVisible()
    page.files.refusal.links[0].click()
    assert page.session.marks.decision(second) is Decision.KEEP
    assert page.session.marks.decision(first) is Decision.REMOVE


def test_the_menu_key_opens_the_menu_of_the_current_row_below_it(
    page: ResultsPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, wanted, by_key = page.files.table, list[QPoint](), QContextMenuEvent.Reason.Keyboard
    middle = table.rect().center()
    monkeypatch.setattr(QMenu, "popup", lambda _, point: wanted.append(point))
    for row in (1, 2, 4):
        choose(page, row)
        QApplication.sendEvent(table, QContextMenuEvent(by_key, middle, table.mapToGlobal(middle)))
        assert table.rowAt(table.viewport().mapFromGlobal(wanted[-1]).y()) == row
    table.setCurrentIndex(QModelIndex())
    QApplication.sendEvent(table, QContextMenuEvent(by_key, middle, table.mapToGlobal(middle)))
    assert len(wanted) == 3


def test_in_a_narrow_window_names_of_documents_have_more_room_than_folders(page: ResultsPage) -> None:
    table = page.files.table
    for width in (640, 1100):
        table.setFixedWidth(width)
        badge, name, folder = 60, table.columnWidth(FileColumn.DOCUMENT), table.columnWidth(FileColumn.FOLDER)
        assert name - badge >= folder * 0.9 > 100


def test_a_click_on_the_decision_offers_all_three(page: ResultsPage, qtbot: QtBot) -> None:
    table, row = page.files.table, row_of(page, "Supply agreement v6.txt")
    choose(page, row)
    box = decision_box(table.visualRect(table.model().index(row, FileColumn.DECISION)))
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
    menu = next(menu for menu in table.findChildren(QMenu) if menu.isVisible())
    assert [action.text().split("\t")[0] for action in menu.actions()] == ["Keep", "Remove", "Undecided"]
    menu.actions()[1].trigger()
    menu.close()
    assert page.session.marks.decision(page.files.model.document(row)) is Decision.REMOVE


def test_enter_compares_with_the_kept_copy_and_leads_from_it_to_its_group(
    page: ResultsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = row_of(page, "Supply agreement v6.txt")
    asked: list[tuple[int, int]] = []
    monkeypatch.setattr(page.sheets, "compare", lambda left, right: asked.append((left, right)))
    choose(page, row)
    qtbot.keyClick(page.files.table, Qt.Key.Key_Return)
    clusters, document = page.session.all_clusters(), page.files.model.document(row)
    cluster = clusters.cluster_of(document)
    assert asked == [(document, int(clusters.keepers[clusters.position_of(cluster)]))]
    kept = next(at for at in range(page.files.model.rowCount()) if page.files.model.document(at) == asked[0][1])
    choose(page, kept)
    qtbot.keyClick(page.files.table, Qt.Key.Key_Return)
    assert page.view == GROUPS and page.detail.cluster == cluster


def test_a_group_chosen_in_the_list_shows_its_files(page: ResultsPage) -> None:
    def group() -> int:
        row = page.files.table.currentIndex().row()
        return page.session.all_clusters().cluster_of(page.files.model.document(row))

    listed = page.session.listed().ids
    page.pane.list.choose_row(1)
    assert group() == listed[1]
    page.previous_group()
    assert group() == listed[0]
    page.next_group()
    assert group() == listed[1]


def test_the_menu_of_a_row_shows_the_properties_of_its_document(page: ResultsPage) -> None:
    table, row = page.files.table, row_of(page, "Supply agreement v6.txt")
    choose(page, row)
    menu = table.row_menu(row)
    shown_members: list[Member] = []
    page.files._acts.properties_wanted.connect(shown_members.append)
    next(action for action in menu.actions() if action.text() == "Properties").trigger()
    assert [member.document for member in shown_members] == [page.files.model.document(row)]


def test_what_is_about_the_open_group_alone_is_not_offered(page: ResultsPage, qtbot: QtBot) -> None:
    assert not page.offers("mark_reviewed") and not page.offers("swap_sides")
    assert page.offers("toggle_remove") and page.offers("looser") and page.offers("export")
    page._turn_to(GROUPS)
    assert page.offers("mark_reviewed")


def test_a_row_is_told_to_a_screen_reader_as_one_sentence(page: ResultsPage) -> None:
    model, row = page.files.model, row_of(page, "Supply agreement v6.txt")
    sentence = model.cell(row, FileColumn.DECISION, Qt.ItemDataRole.AccessibleTextRole)
    assert isinstance(sentence, str)
    assert sentence.startswith("Decide, Supply agreement v6.txt, ")


def test_space_on_the_list_of_groups_marks_the_chosen_file(page: ResultsPage, qtbot: QtBot) -> None:
    row = row_of(page, "Supply agreement v6.txt")
    choose(page, row)
    page.pane.list.setFocus()
    qtbot.keyClick(page.pane.list, Qt.Key.Key_Space)
    assert page.session.marks.decision(page.files.model.document(row)) is Decision.REMOVE
