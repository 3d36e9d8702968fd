"""Select automatically: what rules would do is shown first, and done as one step."""

from __future__ import annotations

import itertools
import re
import threading
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Reporter
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.jobs import _running
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.selecting.assistant import AssistantSheet, RuleRows
from dupfinder.gui.selecting.selection_preview import MOST_MEMBERS, PreviewKind, preview_of
from dupfinder.gui.shell.main_window import SMALLEST_SIZE
from dupfinder.review.listing import FILTERED_RELATIONS, GroupFilter
from dupfinder.review.members import FileState
from dupfinder.review.rules import GroupChoice, Rule, RuleKind, Selection
from dupfinder.review.session import ReviewSession
from tests.gui.showing import session_in, shown
from tests.gui.widgets import open_sheet, press, said
from tests.review.making import Doc, Made, Pair


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme) -> ResultsPage:
    return shown(session_in(tmp_path), theme, qtbot)


def opened(page: ResultsPage, qtbot: QtBot) -> AssistantSheet:
    page.sheets.select_automatically()
    sheet = page.window().findChildren(AssistantSheet)[-1]
    settled(sheet, qtbot)
    return sheet


def settled(sheet: AssistantSheet, qtbot: QtBot) -> None:
    """Wait until what was asked for last is previewed."""
    qtbot.waitUntil(lambda: not sheet._settle.isActive() and sheet.preview is not None)


def test_identical_and_same_text_are_chosen_at_first_and_nothing_is_marked_yet(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    assert sheet.preview.documents > 0
    assert page.session.summary().documents == 0
    marked = [line.member for line in sheet.preview.sample if line.kind is PreviewKind.GOES and line.member is not None]
    assert marked and not any(member.protected for member in marked)
    sheet.reject()
    assert page.session.summary().documents == 0


def test_the_reason_of_a_document_that_goes_is_its_relation_to_one_that_stays(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    marked = set(sheet.preview.selection.documents)
    chosen = {relation for relation in FILTERED_RELATIONS if sheet._boxes[relation].isChecked()}
    reasons = [line.member.relation for line in sheet.preview.sample if line.kind is PreviewKind.GOES and line.member]
    assert marked and reasons and chosen.issuperset(reasons)
    reached = dict(zip(FILTERED_RELATIONS, sheet.preview.counts.documents.tolist(), strict=True))
    assert len(marked) <= sum(reached[relation] for relation in chosen)
    sheet.reject()


def test_counts_beside_the_kinds_are_shown_whole_in_the_smallest_window(page: ResultsPage, qtbot: QtBot) -> None:
    page.window().resize(*SMALLEST_SIZE)
    sheet = opened(page, qtbot)
    counts = [label for label in sheet.findChildren(QLabel) if re.fullmatch(r"\d+ in \d+ groups?", label.text())]
    assert counts

    def are_whole() -> bool:
        return all(
            label.contentsRect().width() >= label.fontMetrics().horizontalAdvance(label.text()) for label in counts
        )

    qtbot.waitUntil(are_whole)  # they are laid out a moment after they are known
    sheet.reject()


def test_what_was_previewed_is_marked_in_one_step_that_can_be_undone(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    expected = sheet.preview.documents
    with qtbot.waitSignal(page.toast_wanted) as toast:
        sheet.mark()
    assert page.session.summary().documents == expected
    assert toast.args is not None
    toast.args[2]()
    assert page.session.summary().documents == 0


def test_a_search_or_filter_that_leaves_groups_out_is_told(page: ResultsPage, qtbot: QtBot) -> None:
    session = page.session
    sheet = opened(page, qtbot)
    assert "The list shows" not in said(sheet)
    sheet.reject()
    groups = session.counts().clusters
    session.set_filter(GroupFilter(text="minutes"))
    sheet = opened(page, qtbot)
    assert f"The list shows 1 of {groups} groups; only these are marked." in said(sheet)
    sheet.reject()
    session.set_filter(GroupFilter())
    page.detail.head.apart.click()
    assert len(session.listed()) < groups
    sheet = opened(page, qtbot)
    assert "The list shows" not in said(sheet)
    sheet.reject()


def test_another_relation_changes_the_preview(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    before = sheet.preview.documents
    sheet._boxes[Relation.VERSION].click()
    settled(sheet, qtbot)
    assert sheet.preview is not None
    assert sheet.preview.documents > before
    sheet.reject()


def test_nothing_can_be_marked_by_rules_that_have_no_preview_yet(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    for change in (sheet._boxes[Relation.IDENTICAL].click, sheet.rules.rows[0].switch.click, sheet._overrule.click):
        assert sheet._go.isEnabled()
        change()
        assert not sheet._go.isEnabled()
        sheet.mark()
        assert sheet.isVisible()
        settled(sheet, qtbot)
    sheet.reject()


def test_only_files_of_one_folder_are_marked_if_the_person_says_so(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    before, paths = sheet.preview.selection.documents, page.session.result.documents.paths
    places = [str(sheet.within.itemData(index)) for index in range(1, sheet.within.count() - 1)]
    folder = next(place for place in places[1:] if any(not paths[row].startswith(place) for row in before))
    sheet.within.setCurrentIndex(1 + places.index(folder))
    settled(sheet, qtbot)
    assert sheet.preview.selection.documents == [row for row in before if paths[row].startswith(folder)]
    sheet.within.setCurrentIndex(0)
    settled(sheet, qtbot)
    assert sheet.preview is not None and sheet.preview.selection.documents == before
    sheet.reject()


def test_of_a_document_under_version_control_it_is_said_why_it_stays(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    (marked, *_) = sheet.preview.selection.documents
    sheet.reject()
    page.session.grouping.versioned = np.arange(page.session.grouping.count) == marked
    sheet = opened(page, qtbot)
    assert sheet.preview is not None and marked not in sheet.preview.selection.documents
    assert "1 document stays because it is under version control (Git, …)." in said(sheet)
    lines = [line for line in sheet.preview.sample if line.member and line.member.document == marked]
    assert all(line.kind is PreviewKind.OPEN and line.is_versioned for line in lines)
    sheet.reject()


def test_the_order_of_the_rules_decides_which_copy_stays(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    gone = {}
    for kind in (RuleKind.SHORTEST_PATH, RuleKind.LONGEST_PATH):
        for row in sheet.rules.rows:
            row.switch.setChecked(row.kind is kind)
        settled(sheet, qtbot)
        assert sheet.preview is not None
        gone[kind] = {line.text for line in sheet.preview.sample if line.kind is PreviewKind.GOES}
    assert "Board minutes (1).txt" in gone[RuleKind.SHORTEST_PATH] - gone[RuleKind.LONGEST_PATH]
    assert "Board minutes.txt" in gone[RuleKind.LONGEST_PATH] - gone[RuleKind.SHORTEST_PATH]
    sheet.reject()


def test_no_folder_is_preferred_until_the_person_chooses_one(page: ResultsPage, qtbot: QtBot, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("Downloads", "Letters")]
    rows = RuleRows(page.pane.drawing, folders)
    qtbot.addWidget(rows)
    assert RuleKind.IN_FOLDER not in {rule.kind for rule in rows.rules()}
    choice = rows.findChild(QComboBox)
    assert choice is not None
    qtbot.keyClick(choice, Qt.Key.Key_Down)
    assert rows.rules()[0] == Rule(RuleKind.IN_FOLDER, folders[1])


def test_a_folder_below_the_scanned_ones_can_be_preferred_and_is_again_the_next_time(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = rows_of(page, qtbot, [tmp_path])
    folder = rows.findChild(QComboBox)
    assert folder is not None and folder.itemText(folder.count() - 1) == "Another folder…"
    folder.setCurrentIndex(folder.count() - 1)
    assert RuleKind.IN_FOLDER not in {rule.kind for rule in rows.rules()}, "not yet"
    rows.rows[0].folder.prefer(str(tmp_path / "Letters"))
    assert rows.rules()[0] == Rule(RuleKind.IN_FOLDER, tmp_path / "Letters")
    assert folder.currentText() == f"{tmp_path.name} / Letters"
    rows.remember()
    assert rows_of(page, qtbot, [tmp_path]).rules()[0] == Rule(RuleKind.IN_FOLDER, tmp_path / "Letters")


def test_a_folder_that_was_not_scanned_is_not_preferred_and_the_person_is_told(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    rows = rows_of(page, qtbot, [tmp_path / "Letters"])
    rows.show()
    rows.rows[0].folder.prefer(str(tmp_path / "Elsewhere"))
    assert "This folder was not scanned" in said(open_sheet())
    press(open_sheet(), "Close")
    assert RuleKind.IN_FOLDER not in {rule.kind for rule in rows.rules()}


def test_another_folder_is_asked_for_where_the_preferred_one_is(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "Letters").mkdir()
    rows = rows_of(page, qtbot, [tmp_path, tmp_path / "Letters"])
    rows.show()
    folder = rows.findChild(QComboBox)
    assert folder is not None
    folder.setCurrentIndex(1)
    folder.activated.emit(1)
    folder.setCurrentIndex(2)
    folder.activated.emit(2)
    dialog = open_sheet(QFileDialog)
    assert (dialog.directory().absolutePath(), folder.currentIndex()) == (str(tmp_path / "Letters"), 1)
    dialog.reject()


def test_rules_are_moved_from_the_keyboard_and_switched_with_space(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    first, second = (row.kind for row in sheet.rules.rows[:2])
    qtbot.keyClick(sheet.rules.rows[0], Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert [row.kind for row in sheet.rules.rows[:2]] == [second, first]
    row = sheet.rules.rows[0]
    was = row.rule() is not None
    qtbot.keyClick(row, Qt.Key.Key_Space)
    assert (row.rule() is not None) is not was
    settled(sheet, qtbot)
    sheet.reject()


def test_rules_that_tie_leave_a_group_undecided_and_say_so(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    for row in sheet.rules.rows:
        row.switch.setChecked(False)
    settled(sheet, qtbot)
    assert sheet.preview is not None
    assert len(sheet.preview.undecided) > 0
    sheet.reject()


def test_that_nothing_would_be_marked_is_told_without_numbers(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert "would be marked · " in said(sheet)
    for box in sheet._boxes.values():
        box.setChecked(False)
    settled(sheet, qtbot)
    assert "No further document would be marked." in said(sheet)
    sheet.reject()


def test_what_goes_is_told_as_it_stands_to_the_copy_that_stays(tmp_path: Path) -> None:
    session = session_in(tmp_path)
    (cluster,) = (number for number in session.listed().ids.tolist() if len(session.members(number)) == 2)
    proposed, copy = session.members(cluster)
    chosen = GroupChoice(cluster, copy.document, (proposed.document,), Rule(RuleKind.NEWEST))
    preview = preview_of(session, Selection((chosen,), ()))
    _, stays, goes = preview.sample
    assert (stays.kind, goes.kind) == (PreviewKind.STAYS, PreviewKind.GOES)
    assert goes.member is not None and goes.member.document == proposed.document
    assert goes.member.relation is Relation.IDENTICAL


def test_a_closed_dialog_gives_its_preview_up(page: ResultsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = threading.Event()
    failures: list[object] = []

    def endless(session: ReviewSession, *_arguments: object, reporter: Reporter, **_keywords: object) -> Selection:
        begun.set()
        while True:
            reporter.check()
            time.sleep(0.001)

    monkeypatch.setattr("dupfinder.gui.selecting.assistant.select", endless)
    page.sheets.select_automatically()
    sheet = page.window().findChild(AssistantSheet)
    assert sheet is not None
    sheet.failed.connect(failures.append)
    qtbot.waitUntil(begun.is_set)
    sheet.reject()
    qtbot.waitUntil(lambda: not _running)
    assert failures == []


def test_the_counts_of_the_chosen_kinds_add_up_to_what_is_marked_and_the_bar_shows_the_same(
    page: ResultsPage, qtbot: QtBot
) -> None:
    sheet = opened(page, qtbot)
    for relation in FILTERED_RELATIONS:
        sheet._boxes[relation].setChecked(True)
    settled(sheet, qtbot)
    assert sheet.preview is not None
    counts = dict(zip(FILTERED_RELATIONS, sheet.preview.relations.documents.tolist(), strict=True))
    assert sum(counts.values()) == sheet.preview.documents
    sheet.mark()
    assert page.session.summary().relations == {relation: count for relation, count in counts.items() if count}


def test_files_that_vanish_while_it_is_open_are_no_longer_counted(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    before = sheet.preview
    assert before is not None
    page.session.note_files(before.selection.documents, FileState.GONE)
    qtbot.waitUntil(lambda: sheet.preview not in (None, before))
    assert sheet.preview is not None
    assert not set(before.selection.documents) & set(sheet.preview.selection.documents)
    assert sheet.preview.counts.documents.sum() < before.counts.documents.sum()
    sheet.reject()
    page.session.note_files(before.selection.documents, FileState.THERE)  # no closed dialog computes anything
    assert not sheet._settle.isActive()


def rows_of(page: ResultsPage, qtbot: QtBot, folders: Sequence[Path] = ()) -> RuleRows:
    rows = RuleRows(page.pane.drawing, folders)
    qtbot.addWidget(rows)
    return rows


def test_the_rules_by_which_a_person_marked_are_there_the_next_time(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    usual = [row.text() for row in sheet.rules.rows]
    sheet.rules.move_rule(3, 0)
    sheet.rules.rows[2].switch.toggle()
    chosen = [row.text() for row in sheet.rules.rows]
    settled(sheet, qtbot)
    before = rows_of(page, qtbot, [Path("/")])
    assert [row.text() for row in before.rows] != chosen  # only marking stores them
    sheet.mark()
    again = opened(page, qtbot)
    assert [row.text() for row in again.rules.rows] == chosen != usual
    press(again, "Usual rules")
    assert [row.text() for row in again.rules.rows] == usual
    settled(again, qtbot)
    again.reject()


def test_a_folder_that_was_preferred_is_preferred_again_where_it_is_scanned(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    folders = [tmp_path / name for name in ("a: b", "Letters")]
    rows = rows_of(page, qtbot, folders)
    rows.rows[0].switch.toggle()
    rows.remember()
    assert rows_of(page, qtbot, [folders[1], folders[0]]).rules()[0] == Rule(RuleKind.IN_FOLDER, folders[0])
    assert RuleKind.IN_FOLDER not in {rule.kind for rule in rows_of(page, qtbot, [folders[1]]).rules()}


@pytest.mark.parametrize("stored", ["nonsense\nnewest", "newest\n-newest\n-", "in:/elsewhere\nnewest", "\0", "in\nin"])
def test_stored_rules_that_do_not_fit_are_ignored(page: ResultsPage, qtbot: QtBot, stored: str) -> None:
    before = rows_of(page, qtbot, [Path("/scanned")])
    everything = {row.kind for row in before.rows}
    before._settings.setValue("rules", stored)
    rows = rows_of(page, qtbot, [Path("/scanned")])
    assert {row.kind for row in rows.rows} == everything == set(RuleKind) and len(rows.rows) == len(everything)
    if "newest" in stored:
        assert next(rule.kind for rule in rows.rules()) is RuleKind.NEWEST


def test_a_distant_version_of_the_copy_that_stays_is_told_as_such_even_if_it_was_the_proposed_copy() -> None:
    session = ReviewSession(Made([Doc(1), Doc(2), Doc(3), Doc(4)], [Pair(0, 1), Pair(1, 2), Pair(2, 3)]).result())
    proposed, *others = session.members(int(session.listed().ids[0]))
    stays = next(member.document for member in others if member.relation is Relation.NONE)
    lines = preview_of(session, Selection((GroupChoice(0, stays, (), Rule(RuleKind.NEWEST)),), ())).sample
    (line,) = (line for line in lines if line.member is not None and line.member.document == proposed.document)
    assert line.member is not None and line.member.relation is Relation.NONE


def test_of_a_large_group_the_sample_shows_the_first_documents_and_how_many_more_there_are() -> None:
    session = ReviewSession(Made([Doc(1) for _ in range(50)], []).result())
    keeper, *others = (member.document for member in session.members(int(session.listed().ids[0])))
    chosen = GroupChoice(int(session.listed().ids[0]), keeper, tuple(others), Rule(RuleKind.NEWEST))
    lines = preview_of(session, Selection((chosen,), ())).sample
    assert [line.member is not None for line in lines] == [False, *[True] * MOST_MEMBERS, False]
    assert lines[-1].text == f"{50 - MOST_MEMBERS} more"


def test_what_goes_is_previewed_before_what_is_left_to_the_person(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None
    lines = [line for line in sheet.preview.sample if line.member is not None]
    assert {line.kind for line in lines} >= {PreviewKind.GOES, PreviewKind.OPEN}
    for before, after in itertools.pairwise(lines):
        assert (before.kind, after.kind) != (PreviewKind.OPEN, PreviewKind.GOES)
    sheet.reject()


def test_a_screen_reader_is_told_what_happens_to_each_document_of_the_preview(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    model = sheet._model
    spoken = [model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(model.rowCount())]
    assert any(", Remove, Identical, " in text for text in spoken) and any(", Keep, " in text for text in spoken)
    sheet.reject()


def test_where_no_group_is_undecided_this_is_said(page: ResultsPage, qtbot: QtBot) -> None:
    sheet = opened(page, qtbot)
    assert sheet.preview is not None and not sheet.preview.undecided
    sheet._views.part(1).click()
    assert [line.text for line in sheet._model.rows] == ["The rules decide which copy stays in every group."]
    sheet.reject()


def test_instead_of_a_scanned_file_its_folder_is_offered(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    result = session_in(tmp_path).result
    path = result.documents.path(0)
    session = ReviewSession(replace(result, summary=replace(result.summary, roots=((path, "scan"),))))
    sheet = opened(shown(session, theme, qtbot), qtbot)
    assert sheet.within.itemData(1) == path.parent
    sheet.reject()
