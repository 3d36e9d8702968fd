"""Forms that were filled in, with a column for each place; and folders that hold the same documents."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.details import ProblemKind
from dupfinder.base.progress import SilentReporter
from dupfinder.gui.compare.pair_reader import PairSheet
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme, ThemeMode
from dupfinder.gui.results.form_panes import LEAST_FILE, FormList
from dupfinder.gui.results.forms import EndColumn, FormEntry, FormOrder, forms_of, in_order
from dupfinder.gui.results.other_views import FoldersView, FormsView
from dupfinder.gui.results.page import FOLDERS, FORMS, GROUPS, ResultsPage
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.folder_pairs import FolderPairOrder
from dupfinder.review.listing import GroupFilter
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import PAIRS, PAPERS, Paper, scan_result
from tests.gui.showing import page_on, shown
from tests.gui.widgets import open_sheet, said

RECEIPT = "Received from {} the deposit for the premises at Harbour Road, which is paid back when the lease ends."
NAMES = ("Fernhill Bakery", "Quay Street Press", "Oldmill Cycles")


def session_with_forms(
    folder: Path, names: Sequence[str] = NAMES, decisions: Decisions | None = None, *, title: str = "Receipt {}"
) -> ReviewSession:
    """A session on the usual papers, and on receipts that differ in one place."""
    first = len(PAPERS)
    receipts = [Paper(f"forms/{title.format(number)}.txt", RECEIPT.format(name)) for number, name in enumerate(names)]
    copy = Paper("forms/Copy of receipt.txt", RECEIPT.format(names[0]))
    filled = [(left, right, 6, 0.8) for left, right in combinations(range(first, first + len(names)), 2)]
    result = scan_result(folder, (*PAPERS, *receipts, copy), (*PAIRS, *filled))
    form = np.arange(len(PAIRS) + len(filled)) >= len(PAIRS)
    return ReviewSession(replace(result, evidence=replace(result.evidence, form=form)), decisions)


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    return shown(session_with_forms(tmp_path / "papers"), theme, qtbot)


def in_folders(folder: Path, deep: str = "") -> ReviewSession:
    """A session on two documents that are in two folders, and one more in each."""
    texts = [f"The tenant of house {number} pays the rent on the first of each month." for number in range(4)]
    places = ("Downloads", (0, 1, 2)), (f"{deep}Old", (0, 1, 3))
    papers = [Paper(f"{where}/Letter {number}.txt", texts[number]) for where, numbers in places for number in numbers]
    return ReviewSession(scan_result(folder, papers, ()))


@pytest.fixture
def folders_page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    page = shown(in_folders(tmp_path / "papers"), theme, qtbot)
    page._tools.views.part(FOLDERS).click()
    qtbot.waitUntil(lambda: page.others.folders.documents.rowCount() == 3)
    return page


def lines_of(page: ResultsPage) -> list[tuple[str, ...]]:
    return [tuple(row[:4]) for row in page.others.folders.documents.rows]


PICTURE = "papers/Downloads/Letter 2.txt"
SHARED = [
    ("Letter 2.txt", "—", "no copy of it", "stays"),
    ("Letter 0.txt", "Identical", "Letter 0.txt", "can go"),
    ("Letter 1.txt", "Identical", "Letter 1.txt", "can go"),
]


def test_folders_with_the_same_documents_are_listed_with_what_may_go_of_them(folders_page: ResultsPage) -> None:
    folders = folders_page.others.folders
    assert folders.pairs.count.text() == "1 pair of folders"
    index = folders.pairs.table.model().index(0, 0)
    spoken = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "papers / Downloads, 66 % in papers / Old, 2 of 3"
    assert folders.title.text() == "66 % of papers / Downloads is in papers / Old"
    assert folders.facts.text().startswith("2 identical · 1 without a copy · ")
    assert lines_of(folders_page) == SHARED


def test_a_decision_while_the_folders_are_listed_again_does_not_leave_the_old_list(
    folders_page: ResultsPage, qtbot: QtBot
) -> None:
    folders, session = folders_page.others.folders, folders_page.session
    before = folders._folders
    session.note_files([0], FileState.GONE)
    session.marks.decide([1], Decision.REMOVE)
    qtbot.waitUntil(lambda: "folders" in folders.pairs.count.text() and folders._folders is not before, timeout=20_000)
    assert not folders.pairs.count.text().startswith("Comparing")


@pytest.mark.parametrize(
    ("status", "words", "counts"),
    [
        (ProblemKind.UNSUPPORTED, "not compared", "1 not compared"),
        (ProblemKind.BYTES_ONLY, "no copy of it", "1 without a copy"),  # no other file has its size
    ],
)
def test_only_of_a_file_that_was_compared_it_is_said_that_it_has_no_copy(
    status: ProblemKind, words: str, counts: str, tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    result = in_folders(tmp_path / "papers").result
    row = [*result.documents.paths].index(str(tmp_path / PICTURE))
    result.documents.content_hash[row] = 0
    statuses = [status if number == row else was for number, was in enumerate(result.documents.status)]
    session = ReviewSession(replace(result, documents=replace(result.documents, status=statuses)))
    page = shown(session, theme, qtbot)
    page._tools.views.part(FOLDERS).click()
    qtbot.waitUntil(lambda: page.others.folders.documents.rowCount() == 3)
    assert lines_of(page)[0] == ("Letter 2.txt", "—", words, "stays")
    assert page.others.folders.facts.text().startswith(f"2 identical · {counts} · ")


def test_a_marked_document_without_a_copy_in_the_other_folder_is_said_to_have_one_elsewhere(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    places = {"Downloads": (0, 1, 2), "Old": (0, 1, 3), "Desk": (2,)}
    paths = [f"{place}/Letter {number}.txt" for place, numbers in places.items() for number in numbers]
    texts = [f"The tenant of house {path[-5]} pays the rent on the first of each month." for path in paths]
    papers = [Paper(path, text) for path, text in zip(paths, texts, strict=True)]
    session = ReviewSession(scan_result(tmp_path / "papers", papers, ()))
    session.marks.decide([2], Decision.REMOVE)
    page = shown(session, theme, qtbot)
    page._tools.views.part(FOLDERS).click()
    qtbot.waitUntil(lambda: page.others.folders.documents.rowCount() == 3)
    assert lines_of(page)[0] == ("Letter 2.txt", "—", "a copy stays elsewhere", "Remove")


def test_the_views_beside_the_groups_are_made_when_they_are_first_shown(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    page = shown(in_folders(tmp_path / "papers"), theme, qtbot)
    assert page.findChildren(FormsView) == [] and page.findChildren(FoldersView) == []
    page.session.set_radius(3)
    with qtbot.waitSignal(page.heading_changed):  # the window then shows the keys of commands in the new view
        page._tools.views.part(FOLDERS).click()
    assert len(page.findChildren(FoldersView)) == 1 and page.findChildren(FormsView) == []
    stops, after = [], page.others.folders.pairs.table.nextInFocusChain()
    while after is not None and after is not page.others.folders.pairs.table:
        stops.append(after)
        after = after.nextInFocusChain()
    folders = page.others.folders
    assert stops.index(folders.table) < stops.index(page.bar.next_step)  # Tab goes in the order of what is seen


def test_what_becomes_of_each_document_is_told_by_a_sign_too(folders_page: ResultsPage) -> None:
    assert [row[5] for row in folders_page.others.folders.documents.rows] == ["check", "trash", "trash"]
    folders_page.others.folders.table.grab()  # every cell can be painted


def test_the_title_of_a_pair_leaves_out_the_beginning_of_a_long_folder(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    page = shown(in_folders(tmp_path / "papers", deep="a folder far below the others/" * 5), theme, qtbot)
    page._tools.views.part(FOLDERS).click()
    qtbot.waitUntil(lambda: bool(page.others.folders.title.text()))
    assert "… / a folder far below the others / Old" in page.others.folders.title.text()
    tip = page.others.folders.pairs.table.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert "the others / Old" in tip and "Downloads" in tip
    assert len(page.others.folders.title.toolTip()) > len(page.others.folders.title.text())


def test_what_another_folder_holds_is_marked_as_one_step_and_the_focus_stays_in_the_view(
    folders_page: ResultsPage, qtbot: QtBot
) -> None:
    page, folders = folders_page, folders_page.others.folders
    assert folders.mark_button.text() == "Mark 2 documents of Downloads"
    with qtbot.waitSignal(page.toast_wanted) as toast:
        folders.mark_button.click()
    assert toast.args[0] == "2 documents marked. Nothing is removed yet."
    qtbot.waitUntil(lambda: lines_of(page)[1][3] == "Remove")
    assert not folders.mark_button.isEnabled() and folders.isAncestorOf(QApplication.focusWidget() or page)
    folders.swap()
    qtbot.waitUntil(lambda: folders.title.text() == "66 % of papers / Old is in papers / Downloads")
    assert not folders.mark_button.isEnabled()
    assert folders.facts.text().endswith("2 copies in the other folder are marked for removal")  # and why
    page.undo()
    qtbot.waitUntil(folders.mark_button.isEnabled)
    assert folders.mark_button.text() == "Mark 2 documents of Old"


def test_a_document_of_a_folder_is_compared_with_that_of_the_other(folders_page: ResultsPage, qtbot: QtBot) -> None:
    table = folders_page.others.folders.table
    table.setFocus()
    table.selectRow(0)
    folders_page.compare()
    assert not folders_page.findChildren(PairSheet)  # it has no copy
    table.selectRow(1)
    folders_page.compare()
    (sheet,) = folders_page.findChildren(PairSheet)
    assert sheet.windowTitle() == "Comparison of A and B"
    sheet.close()


def test_among_folders_no_key_decides_about_a_group_that_is_not_shown(folders_page: ResultsPage) -> None:
    assert not folders_page.offers("toggle_remove") and folders_page.offers("undo")
    folders_page._tools.views.part(0).click()
    assert folders_page.offers("toggle_remove")
    assert not folders_page._tools.views.part(FORMS).isVisibleTo(folders_page._tools.views)


def test_the_search_acts_on_the_view_that_is_shown(folders_page: ResultsPage, qtbot: QtBot) -> None:
    page, search = folders_page, folders_page._tools.search
    pairs = page.others.folders.pairs
    search.setText("letter")  # the names of folders and their shares are searched
    assert pairs.table.model().rowCount() == 0 and page.others.folders.title.text() == ""
    assert len(page.session.listed()) == 2 and not page.session.filter.text
    search.setText("OLD downloads")
    assert pairs.table.model().rowCount() == 1
    qtbot.waitUntil(lambda: page.others.folders.title.text() != "")
    page._tools.views.part(0).click()
    qtbot.waitUntil(lambda: page.session.filter.text == "OLD downloads")
    search.clear()
    qtbot.waitUntil(lambda: not page.session.filter.text)


def test_a_form_is_found_by_its_documents_and_shown_again_when_one_leads_to_it(theme: Theme) -> None:
    forms = FormList(Drawing(theme))
    forms.show_forms([FormEntry((1, 2), ((), ()), "Claim", "x"), FormEntry((4, 5), ((), ()), "Order", "y")])
    forms.show_hits(np.arange(6) == 5)
    assert forms.current.title == "Order"
    forms.set_order(FormOrder.NAME)
    assert [entry.title for entry in forms.entries] == ["Claim", "Order"]  # no search drops a form
    assert forms.table.model().rowCount() == 1
    forms.choose_document(2)
    assert forms.current.title == "Claim"


def test_the_forms_and_their_chip_follow_the_search_of_names_and_texts(page: ResultsPage, qtbot: QtBot) -> None:
    page._tools.search.setText('"receipt 1"')
    qtbot.waitUntil(lambda: page.session.filter.text == '"receipt 1"')
    assert page.pane.forms.text() == "Same form 3" and "No group matches the search." in said(page)
    assert page.pane.empty.forms.isVisibleTo(page.pane.empty)  # the way to what was found
    page.pane.empty.forms.click()
    forms = page.others.forms.forms
    qtbot.waitUntil(lambda: forms.table.model().rowCount() == 1)
    page._tools.search.setText("no such words")
    qtbot.waitUntil(lambda: forms.table.model().rowCount() == 0)
    assert "Nothing matches the search." in said(page) and not page.others.forms.detail.isEnabled()
    page._tools.views.part(GROUPS).click()
    qtbot.waitUntil(lambda: page.session.filter.text == "no such words")
    assert not page.pane.forms.isVisibleTo(page.pane)
    page.clear_filters()
    qtbot.waitUntil(lambda: page.pane.forms.text() == "Same form 3")


def test_the_name_of_each_filling_can_be_read_beside_many_fields(page: ResultsPage, qtbot: QtBot) -> None:
    page._tools.views.part(FORMS).click()
    detail = page.others.forms.detail
    qtbot.waitUntil(lambda: detail.fillings.field_count > 0)
    detail.setFixedWidth(300)
    assert detail.table.columnWidth(detail.fillings.field_count + EndColumn.FILE) >= LEAST_FILE


def test_the_key_that_marks_is_told_only_where_it_marks(folders_page: ResultsPage) -> None:
    assert "with Space" not in said(folders_page.bar)
    folders_page._tools.views.part(0).click()
    assert "with Space" in said(folders_page.bar)


def test_files_that_went_leave_the_folders_when_the_page_is_shown_again(
    folders_page: ResultsPage, qtbot: QtBot
) -> None:
    folders_page.session.note_files([0, 1], FileState.GONE)
    qtbot.waitUntil(lambda: not folders_page.others.folders.pairs.entries)
    assert folders_page.others.folders.pairs.count.text() == "No two folders share documents"
    folders_page.session.note_files([0, 1], FileState.THERE)
    folders_page.exited()
    folders_page.entered()
    qtbot.waitUntil(lambda: len(folders_page.others.folders.pairs.entries) == 1)


@pytest.mark.parametrize(("names", "title"), [("Receipt {}", "Receipt"), ("房屋租赁合同（第{}版）", "房屋租赁合同")])
def test_a_form_is_named_by_what_its_files_names_share(tmp_path: Path, names: str, title: str) -> None:
    (entry,) = forms_of(session_with_forms(tmp_path / "papers", title=names), SilentReporter())
    assert entry.title == title
    assert len(entry.fillings) == 3
    assert sorted(map(len, entry.copies)) == [0, 0, 1]
    assert entry.folder.endswith("forms")


def test_the_chip_and_the_list_of_forms_count_the_same_fillings(page: ResultsPage, qtbot: QtBot) -> None:
    assert page.pane.forms.text() == "Same form 3"
    page._turn_to(FORMS)
    qtbot.waitUntil(lambda: "3 fillings" in page.others.forms.forms._fillings.text())


def test_where_nothing_but_forms_was_found_the_list_leads_to_them(page: ResultsPage) -> None:
    session, way = page.session, page.pane.empty.forms
    assert not way.isVisible()
    for group in session.listed().ids.tolist():
        session.not_duplicates(group)
    assert way.isVisible()
    way.click()
    assert page.view == FORMS
    page._turn_to(GROUPS)
    session.set_filter(GroupFilter(text="no document has this name"))
    assert not way.isVisible()


def test_the_places_of_a_form_are_columns_and_its_common_text_is_shown_once(page: ResultsPage, qtbot: QtBot) -> None:
    page._turn_to(FORMS)
    model = page.others.forms.detail.fillings
    qtbot.waitUntil(lambda: model.field_count == 1)
    assert {model.index(row, 0).data() for row in range(model.rowCount())} == set(NAMES)
    common = page.others.forms.detail.common.toPlainText()
    assert "the deposit for the premises at Harbour Road" in " ".join(common.split())
    assert {model.index(row, 2).data() for row in range(3)} == {"1 identical", "none"}


def test_the_fields_of_a_form_are_marked_in_the_colours_of_another_theme(
    page: ResultsPage, theme: Theme, qtbot: QtBot
) -> None:
    detail = opened(page, qtbot).detail
    assert theme.colour("near_soft").name() in detail.common.toHtml()
    theme.set_mode(ThemeMode.DARK)
    assert theme.colour("near_soft").name() in detail.common.toHtml()


def test_the_sign_of_the_search_is_in_the_colours_of_another_theme(page: ResultsPage, theme: Theme) -> None:
    (sign,) = (action for action in page._tools.search.actions() if action.text() == "Search")
    for mode in (ThemeMode.LIGHT, ThemeMode.DARK):
        theme.set_mode(mode)
        assert sign.icon().cacheKey() == theme.icon("search").cacheKey()


def test_the_copies_of_a_filling_lead_to_their_group(page: ResultsPage, qtbot: QtBot) -> None:
    page._turn_to(FORMS)
    model = page.others.forms.detail.fillings
    qtbot.waitUntil(lambda: model.field_count == 1)
    row = next(row for row in range(3) if model.leads_to_copies(row, 2))
    theme = page.pane.drawing.theme
    tints = [model.index(other, 2).data(Qt.ItemDataRole.ForegroundRole) for other in range(3)]
    assert tints == [theme.colour("accent") if other == row else None for other in range(3)], "as links are"
    page.others.forms.detail.table.clicked.emit(model.index(row, 2))
    assert model.document(row) in {member.document for member in page.detail.model.all_members}
    assert page.pane.isVisible() and not page.others.forms.isVisible()


def test_a_scan_without_forms_offers_no_view_of_them(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    page = page_on(ReviewSession(scan_result(tmp_path / "papers")), theme, qtbot)
    tools = page.tools()
    assert tools is not None
    qtbot.addWidget(tools)
    page.show()
    tools.show()
    assert page._tools.views.part(FORMS).isHidden()
    assert page._tools.views.part(FOLDERS).isVisible() and not page._tools.views.part(FORMS).isVisible()


def opened(page: ResultsPage, qtbot: QtBot) -> FormsView:
    page._turn_to(FORMS)
    qtbot.waitUntil(lambda: page.others.forms.detail.fillings.field_count == 1)
    return page.others.forms


def test_the_table_of_a_form_is_sorted_by_a_click_on_a_heading(page: ResultsPage, qtbot: QtBot) -> None:
    forms = opened(page, qtbot)
    table, model = forms.detail.table, forms.detail.fillings
    left, right = (model.document(row) for row in model.pair)
    for order, names in ((Qt.SortOrder.AscendingOrder, sorted(NAMES)),
                         (Qt.SortOrder.DescendingOrder, sorted(NAMES, reverse=True))):  # fmt: skip
        table.sortByColumn(0, order)
        assert [model.index(row, 0).data() for row in range(3)] == names
        assert tuple(model.document(row) for row in model.pair) == (left, right)
        sides = [model.headerData(row, Qt.Orientation.Vertical) for row in range(3)]
        assert (sides.index("A"), sides.index("B")) == model.pair


def test_the_fillings_of_another_form_are_in_their_own_order_and_no_heading_says_otherwise(
    page: ResultsPage, qtbot: QtBot
) -> None:
    detail = opened(page, qtbot).detail
    header, model = detail.table.horizontalHeader(), detail.fillings
    detail.table.sortByColumn(0, Qt.SortOrder.DescendingOrder)
    entry = page.others.forms.forms.entries[0]
    detail.show_form(replace(entry, title="Another"), None)
    assert header.sortIndicatorSection() == -1
    assert [model.document(row) for row in range(3)] == list(entry.fillings)


def test_the_best_copy_of_a_filling_stands_for_it(page: ResultsPage, qtbot: QtBot) -> None:
    model = opened(page, qtbot).detail.fillings
    row = next(row for row in range(3) if model.leads_to_copies(row, 2))
    assert model.index(row, 1).data() == "Receipt 0.txt"


def test_headings_of_numbers_are_aligned_as_the_numbers_are(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    model = opened(
        page_on(session_with_forms(tmp_path / "papers", ("12", "900", "75")), theme, qtbot), qtbot
    ).detail.fillings
    for column in range(3):
        heading = model.headerData(column, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole)
        assert heading == model.index(0, column).data(Qt.ItemDataRole.TextAlignmentRole)
    assert model.is_number(0) and not model.is_number(1)


def test_numbers_are_sorted_as_numbers(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    amounts = ("€ 900.00", "€ 12,500.00", "€ 1,050.50")
    page = page_on(session_with_forms(tmp_path / "papers", amounts), theme, qtbot)
    forms = opened(page, qtbot)
    forms.detail.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    assert [forms.detail.fillings.index(row, 0).data() for row in range(3)] == ["900.00", "1,050.50", "12,500.00"]


def test_the_table_of_a_form_is_written_as_a_file_that_a_spreadsheet_opens(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    forms = opened(page, qtbot)
    forms.detail.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    with qtbot.waitSignal(page.sheets.toast_wanted):
        forms.write_to(str(tmp_path / "receipts"))
    with open(tmp_path / "receipts.csv", encoding="utf-8-sig", newline="") as file:
        heading, *rows = csv.reader(file)
    assert heading[-1] == "Path" and [row[0] for row in rows] == sorted(NAMES)
    assert all(Path(row[-1]).is_file() for row in rows)


def test_a_table_never_replaces_a_scanned_document(
    page: ResultsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = opened(page, qtbot)
    scanned = page.session.result.documents.path(forms.detail.fillings.document(0))
    target = scanned.rename(scanned.with_suffix(".csv"))
    page.session.result.documents.paths[forms.detail.fillings.document(0)] = str(target)  # type: ignore[index]
    before = target.read_bytes()
    failures: list[object] = []
    monkeypatch.setattr(page.sheets, "explain", failures.append)
    forms.write_to(str(target))
    qtbot.waitUntil(lambda: len(failures) == 1)
    assert target.read_bytes() == before


def test_what_is_not_one_form_leaves_the_list_and_comes_back_with_undo(page: ResultsPage, qtbot: QtBot) -> None:
    forms = opened(page, qtbot)
    forms.detail.reject.click()
    assert page._tools.views.part(FORMS).isHidden() and page.view != FORMS and page.session.forms() == []
    page.undo()
    assert len(forms.forms.entries) == 1


def test_the_undo_of_a_message_undoes_the_step_that_it_tells_of_and_no_later_one(
    page: ResultsPage, qtbot: QtBot
) -> None:
    forms = opened(page, qtbot)
    with qtbot.waitSignal(page.toast_wanted) as toast:
        forms.detail.reject.click()
    undo, decided = toast.args[2], page.session.marks.decision
    page.session.marks.decide([0], Decision.KEEP)
    with qtbot.waitSignal(page.toast_wanted) as toast:
        undo()
    assert "undo the newest first" in toast.args[0]
    assert decided(0) is Decision.KEEP and page.session.forms() == []
    page.undo()
    undo()
    assert decided(0) is Decision.UNDECIDED and len(page.session.forms()) == 1


def test_what_was_said_to_be_no_form_is_none_after_a_restart(tmp_path: Path) -> None:
    decisions = Decisions(tmp_path / "decisions.db")
    session = session_with_forms(tmp_path / "papers", decisions=decisions)
    session.not_a_form(session.forms()[0].tolist())
    again = session_with_forms(tmp_path / "papers", decisions=decisions)
    assert again.forms() == [] and len(again.grouping.forms) == 1


def test_two_fillings_are_compared_line_by_line(page: ResultsPage, qtbot: QtBot) -> None:
    forms = opened(page, qtbot)
    model, table = forms.detail.fillings, forms.detail.table
    table.setCurrentIndex(model.index(2, 0))
    assert model.pair == (0, 2)
    page.compare()
    sheet = open_sheet(PairSheet)
    assert sheet.windowTitle() == "Two fillings of one form"
    qtbot.waitUntil(lambda: bool(sheet.comparison.canvas.pair.differences))
    sheet.accept()


def test_no_key_decides_about_a_group_while_forms_are_seen(page: ResultsPage, qtbot: QtBot) -> None:
    opened(page, qtbot)
    assert not page.offers("toggle_remove") and not page.offers("mark_shown") and page.offers("undo")
    page.pane.list.setFocus()
    page._turn_to(GROUPS)
    assert page.offers("toggle_remove")


def test_one_filling_can_be_read_in_its_place(page: ResultsPage, qtbot: QtBot) -> None:
    forms = opened(page, qtbot)
    forms.detail.one_filling.click()
    name = forms.detail.fillings.index(forms.detail.fillings.pair[1], 0).data()
    assert name in forms.detail.common.toPlainText()


def test_forms_are_listed_in_the_chosen_order_and_the_current_one_stays() -> None:
    entries = [FormEntry((1, 2, 3), ((), (), ()), "b", "x"), FormEntry((4, 5), ((), ()), "a", "y")]
    assert [entry.title for entry in in_order(entries, FormOrder.FILLINGS)] == ["b", "a"]
    assert [entry.title for entry in in_order(entries, FormOrder.NAME)] == ["a", "b"]
    assert [entry.title for entry in in_order(entries, FormOrder.FOLDER)] == ["b", "a"]


def test_the_form_of_a_document_is_selected_as_soon_as_the_forms_are_listed(page: ResultsPage, qtbot: QtBot) -> None:
    document = int(page.session.forms()[0][-1])
    page._show_form_of(document)
    assert not page.others.forms.forms.entries  # they are listed beside the window
    qtbot.waitUntil(lambda: page.others.forms.forms.current is not None)
    current = page.others.forms.forms.current
    assert current is not None and document in current.documents


def test_listing_the_forms_is_stopped_when_the_page_is_left_and_begins_again(page: ResultsPage, qtbot: QtBot) -> None:
    page._turn_to(FORMS)
    page.exited()
    QApplication.processEvents()
    assert not page.others.forms.forms.entries
    page.others.forms.entered()
    qtbot.waitUntil(lambda: len(page.others.forms.forms.entries) == 1)


def test_folder_pairs_are_sorted_as_the_person_chooses_and_the_current_one_stays(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    texts = [f"The tenant of house {number} pays the rent on the first of each month." for number in range(9)]
    places = (("A", range(5)), ("B", range(4)), ("C", range(6, 9)), ("D", range(6, 9)))
    papers = [Paper(f"{where}/{number}.txt", texts[number]) for where, numbers in places for number in numbers]
    page = shown(ReviewSession(scan_result(tmp_path, papers, ())), theme, qtbot)
    page._tools.views.part(FOLDERS).click()
    pairs = page.others.folders.pairs
    qtbot.waitUntil(lambda: len(pairs.entries) == 2)
    current, lefts = pairs.current, [Path(pair.left).name for pair in pairs.entries]
    pairs.set_order(FolderPairOrder.FOLDER)
    assert [Path(pair.left).name for pair in pairs.entries] == sorted(lefts) and pairs.current == current
    pairs.set_order(FolderPairOrder.SHARED)
    assert [pair.shared for pair in pairs.entries] == [4, 3] and pairs.sort.text() == "Most shared"
    pairs.set_order(FolderPairOrder.SHARE)
    assert [Path(pair.left).name for pair in pairs.entries] == lefts


def test_fillings_in_different_folders_are_listed_with_them(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    forms = opened(shown(session_with_forms(tmp_path / "papers", title="Tenant {}/receipt"), theme, qtbot), qtbot)
    model = forms.detail.fillings
    files = [model.index(row, model.field_count + EndColumn.FILE).data() for row in range(model.rowCount())]
    assert files[1:] == ["receipt.txt  ·  Tenant 1", "receipt.txt  ·  Tenant 2"]


def test_fillings_that_leaving_the_page_kept_from_being_read_are_read_after_the_return(
    page: ResultsPage, qtbot: QtBot
) -> None:
    forms = opened(page, qtbot)
    forms._chosen(forms.forms.current)
    page.exited()
    assert "are being read" in forms.detail.common.toPlainText()
    page.entered()
    qtbot.waitUntil(lambda: "Received from" in forms.detail.common.toPlainText(), timeout=60_000)
