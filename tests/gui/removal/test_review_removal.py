"""Removing for real, from the sheet to the trash and back."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.actions.outcome import Batch, OutcomeState
from dupfinder.actions.plan import Verb
from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.base.progress import Progress, Stage
from dupfinder.gui.kit.labels import plain_tip
from dupfinder.gui.kit.messages import FileListSheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal import review
from dupfinder.gui.removal.review import RemovalPreview, RemovalSheet, removal_words
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.results.sheets import ExportSheet
from dupfinder.gui.shell.main_window import SMALLEST_SIZE
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.wording.catalogue import say, speaking
from tests.gui.scanned import Paper, scan_result
from tests.gui.showing import page_on, shown
from tests.gui.widgets import put_up, said


@pytest.fixture
def page(tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch) -> ResultsPage:
    monkeypatch.setenv("HOME", str(tmp_path))
    return shown(ReviewSession(scan_result(tmp_path / "papers")), theme, qtbot)


def mark(page: ResultsPage, *names: str) -> list[Path]:
    documents = page.session.result.documents
    rows = [row for row, path in enumerate(documents.paths) if Path(path).name in names]
    page.session.marks.decide(rows, Decision.REMOVE)
    return [documents.path(row) for row in rows]


def opened(page: ResultsPage, qtbot: QtBot) -> RemovalSheet:
    page.sheets.review_removal()
    sheet = page.window().findChild(RemovalSheet)
    assert sheet is not None
    qtbot.waitUntil(lambda: sheet.plan is not None)
    return sheet


def button(widget: QWidget, word: str) -> QPushButton:
    return next(child for child in widget.findChildren(QPushButton) if word in child.text().replace("&", ""))


@pytest.mark.parametrize("language", ["en", "es", "zh_CN"])
def test_the_key_that_the_sheet_names_presses_its_button(page: ResultsPage, qtbot: QtBot, language: str) -> None:
    mark(page, "Copy of Supply agreement v7.txt")
    with speaking(language):
        sheet = opened(page, qtbot)
        for way in range(3):
            sheet.choose_method(way)
            (go,) = (child for child in sheet.findChildren(QPushButton) if child.property("look") == "danger")
            key = go.text().partition("&")[2][:1].upper()
            assert key and say("Confirm with {key}", key=f"Alt+{key}") in said(sheet)


def test_without_marks_there_is_nothing_to_review(page: ResultsPage) -> None:
    page.sheets.review_removal()
    assert page.window().findChild(RemovalSheet) is None


def test_the_sheet_says_what_would_go_and_that_a_copy_stays(page: ResultsPage, qtbot: QtBot) -> None:
    mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    assert "Move 2 documents to the" in said(sheet)
    assert "At least one copy of every document stays" in said(sheet)
    assert "Not the same as what stays" not in said(sheet)
    sheet.reject()


def test_enter_never_confirms(page: ResultsPage, qtbot: QtBot) -> None:
    victims = mark(page, "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    sheet.activateWindow()
    qtbot.waitUntil(sheet.isActiveWindow)  # the window system need not do so at once
    qtbot.keyClick(sheet, Qt.Key.Key_Return)
    assert not sheet.isVisible()
    assert all(path.exists() for path in victims)
    assert page.session.summary().documents == 1


def test_what_is_confirmed_goes_to_the_trash_and_undo_brings_it_back(page: ResultsPage, qtbot: QtBot) -> None:
    victims = mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    before = [path.read_bytes() for path in victims]
    sheet = opened(page, qtbot)
    with qtbot.waitSignal(page.toast_wanted) as toast:
        qtbot.mouseClick(button(sheet, "Move 2 to"), Qt.MouseButton.LeftButton)
    assert not any(path.exists() for path in victims)
    assert toast.args is not None
    assert toast.args[0].startswith("2 documents removed")
    assert page.session.summary().documents == 0
    assert len(page.session.listed()) == 1
    with qtbot.waitSignal(page.toast_wanted, check_params_cb=tells_of_restored) as back:
        toast.args[2]()
    assert [path.read_bytes() for path in victims] == before
    assert back.args is not None
    assert back.args[0].startswith("2 documents restored")
    assert len(page.session.listed()) == 2
    assert page.session.summary().documents == 2  # marked as before


def test_where_no_group_is_left_nothing_is_said_of_choosing_and_marking(page: ResultsPage) -> None:
    assert "Mark documents with Space" in said(page)
    page.session.note_removed(range(len(page.session.result.documents)))
    assert "Of the duplicates that were found, none is left." in said(page)
    assert "Mark documents" not in said(page) and "Choose a group" not in said(page)


def test_a_file_that_changed_after_the_scan_is_left_alone_and_the_reason_is_shown(
    page: ResultsPage, qtbot: QtBot
) -> None:
    (victim,) = mark(page, "Board minutes (1).txt")
    victim.write_text("Something new was written here.", encoding="utf-8")
    sheet = opened(page, qtbot)
    qtbot.mouseClick(button(sheet, "Move 1 to"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.window().findChild(FileListSheet) is not None)
    removed = page.window().findChild(FileListSheet)
    assert removed is not None
    reasons = removed.findChild(QPlainTextEdit)
    assert reasons is not None
    assert "since it was scanned" in reasons.toPlainText()
    assert "1 left alone" in said(removed)
    assert victim.read_text(encoding="utf-8") == "Something new was written here."
    row = list(page.session.result.documents.paths).index(str(victim))
    qtbot.waitUntil(lambda: page.session.file_state(row) is FileState.CHANGED)
    assert page.session.summary().documents == 0
    removed.reject()


def test_what_was_decided_outside_this_window_counts_more_than_its_marks(
    page: ResultsPage, qtbot: QtBot, home: Path
) -> None:
    """Another program, or a later scan, has kept one document and protected the folder of the other."""
    kept, guarded = mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    content = hashlib.blake2b(kept.read_bytes(), digest_size=16).hexdigest()
    Decisions(home / DECISIONS_NAME).store([(kept, content, Decision.KEEP)])
    roots = (Root(kept.parents[1]), Root(guarded.parent, Role.PROTECT))
    run_scan(ScanRequest(roots, workers=1), home / "library.db")
    sheet = opened(page, qtbot)
    qtbot.mouseClick(button(sheet, "Move 2 to"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.window().findChild(FileListSheet) is not None)
    removed = page.window().findChild(FileListSheet)
    assert removed is not None and "2 left alone" in said(removed)
    assert kept.exists() and guarded.exists()
    removed.reject()


def test_versions_that_were_not_looked_at_are_warned_of_and_can_be_looked_at(page: ResultsPage, qtbot: QtBot) -> None:
    mark(page, "Supply agreement v7.txt", "Copy of Supply agreement v7.txt")
    sheet = opened(page, qtbot)
    assert "Not the same as what stays: 2 versions" in said(sheet)
    assert "2 of them have not been opened" in said(sheet)
    qtbot.mouseClick(button(sheet, "Review these 2"), Qt.MouseButton.LeftButton)
    assert page.session.filter.only == {"marked"}
    assert len(page.session.listed()) == 1


def test_moving_needs_a_folder_and_keeps_the_sub_folders(page: ResultsPage, qtbot: QtBot, tmp_path: Path) -> None:
    (victim,) = mark(page, "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    sheet.choose_method(1)
    assert not button(sheet, "Move 1").isEnabled()
    (tmp_path / "aside").mkdir()
    sheet.move_to(str(tmp_path / "aside"))
    with qtbot.waitSignal(page.toast_wanted):
        sheet.start()
    assert not victim.exists()
    assert [path.name for path in (tmp_path / "aside").rglob("*.txt")] == ["Board minutes (1).txt"]


def test_only_exact_copies_are_replaced_by_hard_links(page: ResultsPage, qtbot: QtBot) -> None:
    copy, _ = mark(page, "Copy of Supply agreement v7.txt", "Supply agreement v6.txt")
    sheet = opened(page, qtbot)
    sheet.choose_method(2)
    assert "1 document cannot be linked" in said(sheet)
    assert sheet.plan is not None
    assert [step.victim.path for step in sheet.plan.steps] == [copy]
    keeper = sheet.plan.steps[0].keeper.path
    with qtbot.waitSignal(page.toast_wanted):
        sheet.start()
    assert os.stat(copy).st_ino == os.stat(keeper).st_ino
    left = page.session.summary()
    page.entered()
    qtbot.wait(200)
    assert page.session.summary() == left


def test_only_groups_that_lose_a_document_in_this_way_are_counted(page: ResultsPage) -> None:
    mark(page, "Board minutes (1).txt", "Supply agreement v6.txt")
    assert page.session.summary().clusters == 2
    assert RemovalPreview.of(page.session, Verb.TRASH, None).groups == 2
    assert RemovalPreview.of(page.session, Verb.HARDLINK, None).groups == 1


def test_removing_one_of_two_names_of_a_file_is_not_said_to_free_bytes(tmp_path: Path) -> None:
    (tmp_path / "copy.txt").touch()
    os.link(tmp_path / "copy.txt", tmp_path / "other name.txt")
    papers = [Paper(name, "The same words stand here.\n") for name in ("copy.txt", "letter.txt", "other name.txt")]
    session = ReviewSession(scan_result(tmp_path, papers, ()))
    session.marks.decide([0], Decision.REMOVE)
    assert RemovalPreview.of(session, Verb.TRASH, None).bytes == session.summary().bytes == 0
    assert RemovalPreview.of(session, Verb.MOVE, tmp_path).bytes == len("The same words stand here.\n")


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (
            ["OneDrive - Firm"],
            "1 document is in a folder named like one of cloud storage (OneDrive - Firm), which would remove it on "
            "other devices, too.",
        ),
        (
            ["MEGA (2019)", "Dropbox-2019 backup", "OneDrive", "OneDrive - A"],
            "4 documents are in folders named like those of cloud storage (Dropbox-2019 backup, MEGA (2019), "
            "OneDrive - A, …), which would remove them on other devices, too.",
        ),
    ],
)
def test_documents_in_folders_named_like_those_of_cloud_storage_are_counted(
    names: list[str], sentence: str, tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    papers = [
        Paper(f"{folder}/copy.txt", "The same words stand here.\n")
        for folder in ("kept", "Downloads", "Dropboxes", *(f"{name}/a" for name in names))
    ]
    page = page_on(ReviewSession(scan_result(tmp_path, papers, ())), theme)
    qtbot.addWidget(page)
    page.session.marks.decide(range(1, len(papers)), Decision.REMOVE)
    sheet = opened(page, qtbot)
    assert sentence in said(sheet)
    sheet.reject()
    page.close_session()


def test_documents_on_a_drive_without_a_trash_are_counted(
    tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    papers = [Paper(f"{folder}/a.txt", "The same words stand here.\n") for folder in ("kept", "here", "share")]
    page = page_on(ReviewSession(scan_result(tmp_path, papers, ())), theme)
    qtbot.addWidget(page)
    monkeypatch.setattr("dupfinder.gui.removal.review.lacks_trash", lambda folder: folder.name == "share")
    page.session.marks.decide([1, 2], Decision.REMOVE)
    sheet = opened(page, qtbot)
    assert "1 document is on a drive without a reliable Trash, such as a network drive or a memory stick." in said(
        sheet
    )
    sheet.reject()
    page.close_session()


def test_the_question_about_five_folders_fits_a_window_of_680_pixels(
    tmp_path: Path, qtbot: QtBot, theme: Theme
) -> None:
    papers = [Paper(f"{number}/copy.txt", "The same words stand here.\n") for number in range(6)]
    page = page_on(ReviewSession(scan_result(tmp_path, papers, ())), theme, qtbot)
    page.session.marks.decide(range(1, 6), Decision.REMOVE)
    sheet = opened(page, qtbot)
    assert sheet.lines.rowCount() == 5
    assert sheet.minimumSizeHint().height() <= 640
    sheet.reject()


def test_the_question_about_versions_fits_the_smallest_window_whatever_the_way_of_removing(
    tmp_path: Path, qtbot: QtBot, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(review, "MANY", 3)
    papers = [Paper(f"Dropbox/{number}/copy.txt", "The same words stand here.\n") for number in range(6)]
    papers.append(Paper("Dropbox/6/copy.txt", "The same words stood here.\n"))
    page = put_up(page_on(ReviewSession(scan_result(tmp_path, papers, [(0, 6, 2, 0.9)])), theme), qtbot, *SMALLEST_SIZE)
    page.session.marks.decide(range(1, 7), Decision.REMOVE)
    sheet = opened(page, qtbot)
    assert all(text in said(sheet) for text in ("Not the same as what stays", "Take your time", "cloud storage"))
    bar = sheet.findChildren(QScrollArea)[0].verticalScrollBar()
    for way in range(3):
        sheet.choose_method(way)
        qtbot.waitUntil(lambda: sheet.plan is not None)
        QApplication.sendPostedEvents()  # lets the layouts take what was shown and hidden
        assert sheet.minimumSizeHint().height() <= SMALLEST_SIZE[1]
        qtbot.waitUntil(lambda: bar.maximum() == 0)  # the buttons are in sight
    sheet.reject()


def test_the_folder_that_receives_documents_stands_beside_the_ways_and_takes_no_room_of_its_own(
    page: ResultsPage, qtbot: QtBot, tmp_path: Path
) -> None:
    mark(page, "Copy of Supply agreement v7.txt")
    sheet = opened(page, qtbot)
    height = sheet.minimumSizeHint().height()
    sheet.choose_method(1)
    sheet.move_to(str(tmp_path / "elsewhere"))
    assert str(tmp_path / "elsewhere") == sheet._target.text()
    assert sheet._target.isVisible()
    assert sheet.minimumSizeHint().height() == height
    assert (
        abs(sheet._target.mapTo(sheet, QPoint()).y() - sheet._methods.mapTo(sheet, QPoint()).y())
        < sheet._methods.height()
    )
    sheet.reject()


def test_the_files_can_be_listed_one_by_one(page: ResultsPage, qtbot: QtBot, tmp_path: Path) -> None:
    victims = mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    qtbot.mouseClick(button(sheet, "Show all 2"), Qt.MouseButton.LeftButton)
    model = sheet.lines
    assert {model.index(row, 0).data() for row in range(model.rowCount())} == {str(path) for path in victims}
    assert sheet.plan is not None
    for row, step in enumerate(sheet.plan.steps):
        kept = step.keeper.path.relative_to(tmp_path)
        assert model.index(row, 1).data() == "kept: " + " / ".join(kept.parts)  # names are often equal: folders tell
        assert model.index(row, 1).data(Qt.ItemDataRole.ToolTipRole) == plain_tip(str(step.keeper.path))
    assert "These files" in said(sheet) and "From these folders" not in said(sheet)
    qtbot.mouseClick(button(sheet, "Show folders"), Qt.MouseButton.LeftButton)
    assert model.rowCount() == 2
    sheet.reject()


def test_a_hostile_name_is_shown_as_text(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    names = ('a/<img src="x"><b>old<', "b/plain.txt")
    papers = [Paper(name, "The same words stand in both of these.\n") for name in names]
    page = page_on(ReviewSession(scan_result(tmp_path, papers, ())), theme, qtbot)
    qtbot.addWidget(page.tools() or QWidget())
    page.show()
    mark(page, "plain.txt")
    sheet = opened(page, qtbot)
    labels = [label for label in (*sheet.findChildren(QLabel), *page.findChildren(QLabel)) if label.text()]
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    tips = [page.detail.table.model().index(row, 2).data(Qt.ItemDataRole.ToolTipRole) for row in range(2)]
    assert not any(GuiQt.mightBeRichText(tip) for tip in tips)
    sheet.reject()


def test_a_batch_is_told_in_one_line(qapp: QApplication) -> None:
    from datetime import UTC, datetime

    from dupfinder.gui.kit import words

    empty = Batch("id", datetime(2026, 1, 1, tzinfo=UTC), "scan", 3, stopped=True)
    assert words.removed(empty) == "0 documents removed, stopped"


def test_the_list_can_be_exported_before_anything_is_removed(page: ResultsPage, qtbot: QtBot) -> None:
    mark(page, "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    qtbot.mouseClick(button(sheet, "Export list"), Qt.MouseButton.LeftButton)
    export = page.window().findChild(ExportSheet)
    assert export is not None
    assert export.scope == "marked"
    qtbot.keyClick(export, Qt.Key.Key_Escape)
    assert sheet.isVisible()
    sheet.reject()


def test_a_stop_keeps_every_file_either_here_or_in_the_trash(tmp_path: Path, qtbot: QtBot, theme: Theme) -> None:
    text = "The same words stand in all of these documents.\n"
    papers = [Paper(f"many/{number:03}.txt", text) for number in range(120)]
    page = page_on(ReviewSession(scan_result(tmp_path / "papers", papers, ())), theme, qtbot)
    qtbot.addWidget(page.tools() or QWidget())
    page.show()
    page.session.marks.decide(range(1, 120), Decision.REMOVE)
    sheet = opened(page, qtbot)
    ended: list[Batch] = []
    sheet.removed.connect(ended.append)
    sheet.start()
    qtbot.wait(30)
    sheet.reject()
    qtbot.waitUntil(lambda: bool(ended))
    here = len(list((tmp_path / "papers" / "many").iterdir()))
    done = ended[0].count(OutcomeState.DONE)
    assert here + done == 120
    assert ended[0].stopped or done == 119
    assert page.session.summary().documents == 119 - done


def tells_of_restored(text: str, *_: object) -> bool:
    """Whether a message tells that a removal was undone; before it another tells that this takes a while."""
    return text.endswith("restored")


def test_a_long_removal_tells_how_long_it_still_takes(
    page: ResultsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    for done, now in enumerate((0.0, 20.0)):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        sheet._progressed(Progress(Stage.REMOVE, done))
    monkeypatch.undo()
    assert sheet._count.text() == "1 of 2 documents  ·  about 20 s left"
    sheet.reject()


def test_undo_right_after_a_removal_brings_the_files_back_and_the_list_has_the_keyboard(
    page: ResultsPage, qtbot: QtBot
) -> None:
    (victim,) = mark(page, "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    with qtbot.waitSignal(page.toast_wanted):
        qtbot.mouseClick(button(sheet, "Move 1 to"), Qt.MouseButton.LeftButton)
    assert not victim.exists()
    assert page.bar.can_restore
    with qtbot.waitSignal(page.toast_wanted, check_params_cb=tells_of_restored):
        page.undo()
        running = page.sheets._restoring._job
        page.undo()
        assert page.sheets._restoring._job is running, "a second undo beside the first would end in an error"
    assert victim.exists()
    assert not page.bar.can_restore


def test_a_folder_on_a_drive_with_too_little_room_is_told_before_anything_is_moved(
    page: ResultsPage, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    mark(page, "Board minutes (1).txt")
    other, devices = tmp_path / "stick", {}
    other.mkdir()
    real = Path.stat
    devices[other] = 77
    monkeypatch.setattr(Path, "stat", lambda path, **how: _on_device(real(path, **how), devices.get(path)))
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=10))
    sheet = opened(page, qtbot)
    sheet.choose_method(1)
    sheet.move_to(str(other))
    qtbot.waitUntil(lambda: "Only 10 bytes are free in that folder" in said(sheet))
    devices.clear()
    sheet.move_to(str(other))
    qtbot.waitUntil(lambda: sheet.plan is not None and "are free" not in said(sheet))
    sheet.reject()


def _on_device(status: os.stat_result, device: int | None) -> Any:
    return status if device is None else SimpleNamespace(st_dev=device, st_mode=status.st_mode)


def test_undo_shows_why_a_file_could_not_come_back(page: ResultsPage, qtbot: QtBot) -> None:
    victims = mark(page, "Copy of Supply agreement v7.txt", "Board minutes (1).txt")
    sheet = opened(page, qtbot)
    with qtbot.waitSignal(page.toast_wanted):
        qtbot.mouseClick(button(sheet, "Move 2 to"), Qt.MouseButton.LeftButton)
    victims[0].write_text("A new document took the name.", encoding="utf-8")
    page.undo()
    qtbot.waitUntil(lambda: page.window().findChild(FileListSheet) is not None)
    (shown_sheet,) = page.window().findChildren(FileListSheet)
    assert "1 document restored, 1 not" in said(shown_sheet)
    assert victims[0].name in shown_sheet.findChildren(QPlainTextEdit)[0].toPlainText()
    assert victims[0].read_text(encoding="utf-8") == "A new document took the name."


@pytest.mark.parametrize("verb", list(Verb))
def test_one_document_of_one_group_is_told_as_one(verb: Verb) -> None:
    assert removal_words(verb, 1, 1).legends[0].startswith("document to ")
    assert removal_words(verb, 2, 1).legends[0].startswith("documents to ")
    assert removal_words(verb, 2, 1).legends[2] == "group, which keeps 1 or more"
    assert removal_words(verb, 2, 3).legends[2] == "groups, each keeps 1 or more"


class Later:
    """Carries out the acts of a session when asked, as the carrier of a large scan does some time later."""

    def __init__(self, session: ReviewSession) -> None:
        self.waiting: list[Callable[[], None]] = []
        self.results: list[object] = []
        session.doing.carrier = self.add

    def add(self, act: Callable[[], Any], done: Callable[[Callable[[], Any]], None]) -> None:
        def carry_out() -> None:
            self.results.append(act())
            done(lambda: self.results[-1])

        self.waiting.append(carry_out)

    def go_on(self) -> None:
        for carry_out in self.waiting:
            carry_out()
        self.waiting.clear()


def test_of_ways_that_follow_each_other_quickly_the_last_alone_is_computed_and_shown(
    page: ResultsPage, qtbot: QtBot
) -> None:
    copy, _ = mark(page, "Copy of Supply agreement v7.txt", "Supply agreement v6.txt")
    later = Later(page.session)
    page.sheets.review_removal()
    sheet = page.window().findChild(RemovalSheet)
    assert sheet is not None and planned(sheet) is None and not button(sheet, "Move 2 to").isEnabled()
    later.go_on()
    assert planned(sheet) == [(step.victim.path, Verb.TRASH) for step in page.session.plan().steps]
    for way in (1, 0, 2):
        sheet.choose_method(way)
    sheet.start()
    assert planned(sheet) is None and copy.exists() and not button(sheet, "Make 2").isEnabled()
    later.go_on()
    assert planned(sheet) == [(copy, Verb.HARDLINK)]
    assert [result is None for result in later.results] == [False, True, True, False]
    sheet.choose_method(0)
    sheet.reject()
    later.go_on()
    assert later.results[-1] is None and planned(sheet) is None


def planned(sheet: RemovalSheet) -> list[tuple[Path, Verb]] | None:
    """The documents of the plan that a dialog shows, and how they would be removed."""
    return None if sheet.plan is None else [(step.victim.path, step.verb) for step in sheet.plan.steps]
