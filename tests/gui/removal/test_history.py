from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from dupfinder.actions import quarantine
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch
from dupfinder.base.settings import Settings
from dupfinder.gui.kit.messages import FileListSheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.history import HistoryPage, RemovedFile, RemovedFilesSheet
from tests.actions.making import alike, plan_of, step, write
from tests.actions.test_quarantine import no_trash
from tests.gui.widgets import open_sheet, press, put_up, texts


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, settings: Settings) -> HistoryPage:
    return put_up(HistoryPage(theme, settings), qtbot, 1200, 800)


def removed(tmp_path: Path, count: int = 3, changed: int = 0) -> Batch:
    """`count` copies removed of which the last `changed` were changed after they had been planned."""
    kept = write(tmp_path / "kept.txt", b"the same bytes")
    copies = [write(tmp_path / f"copy {number}.txt", b"the same bytes") for number in range(count)]
    plan = plan_of([step(copy, kept) for copy in copies], tmp_path)
    for copy in copies[count - changed :]:
        copy.write_bytes(b"something else")
    return carry_out(plan, journal=Journal(), judge=alike)


def loaded(qtbot: QtBot, page: HistoryPage, text: str) -> None:
    page.entered()
    qtbot.waitUntil(lambda: text in texts(page))


def test_an_empty_history_says_so(qtbot: QtBot, page: HistoryPage) -> None:
    loaded(qtbot, page, "Nothing was removed yet.")
    assert any("Entries stay for 90 days, and longer" in text for text in texts(page))
    assert not page.skipped.isVisible()


def test_the_page_says_that_the_journal_is_being_read(page: HistoryPage) -> None:
    assert not page.card.isVisible() and not page.skipped.isVisible()
    page.entered()
    assert page.card.isVisible() and "Reading the history…" in texts(page)


def test_dates_and_results_of_removals_stand_below_each_other(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    short = removed(tmp_path)
    page.show_batches([replace(short, total=1_220_000, scan_name="a long name of a scan" * 9, ended=False), short])
    qtbot.waitUntil(lambda: "3 moved" in texts(page))
    QApplication.processEvents()
    places = [label.mapTo(page, label.rect().topLeft()).x() for label in page.card.findChildren(QLabel)
              if "moved ·" in label.text() or label.text() == "3 moved"]  # fmt: skip
    assert len(places) == 2 and len(set(places)) == 1


def test_all_removals_are_exported_as_a_table_with_the_kept_copy_and_the_hash_of_each_file(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    batch = removed(tmp_path, count=2, changed=1)
    loaded(qtbot, page, "1 document moved to the Trash")
    with qtbot.waitSignal(page.toast_wanted) as sentence:
        page.write_to(str(tmp_path / "history"))
    assert sentence.args == ["Written: history.csv", "", None]
    with (tmp_path / "history.csv").open(encoding="utf-8-sig", newline="") as file:
        first, second = csv.DictReader(file)
    assert (first["Started"], first["Result"]) == (f"{batch.started:%Y-%m-%dT%H:%M:%SZ}", "removed")
    assert (first["Document"], first["Kept copy"]) == (str(tmp_path / "copy 0.txt"), str(tmp_path / "kept.txt"))
    assert (first["Relation"], first["Content hash"]) == ("Identical", batch.outcomes[0].step.victim.content_hash)
    assert first["Where it is now"].startswith("in the trash: ") and not first["Reason"]
    assert second["Result"] == "left alone" and "since it was scanned" in second["Reason"]


def test_a_removal_that_was_cut_off_tells_how_far_it_came(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    page.show_batches([replace(removed(tmp_path), total=122, ended=False)])
    qtbot.waitUntil(lambda: "3 moved · stopped after 3 of 122" in texts(page))


def test_a_removal_that_ends_while_the_journal_is_read_is_shown(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    page.entered()
    removed(tmp_path)
    loaded(qtbot, page, "3 documents moved to the Trash")


def test_all_skipped_files_are_listed_once_however_often_the_page_was_shown(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    batch = removed(tmp_path, 22, changed=22)
    for _ in range(3):
        page.show_batches([batch])
    (show_all,) = [button for button in page.skipped.findChildren(QPushButton) if button.text() == "Show all"]
    QTest.mouseClick(show_all, Qt.MouseButton.LeftButton)
    assert len(page.findChildren(FileListSheet)) == 1


def test_a_removal_is_told_with_what_was_skipped_and_why(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    removed(tmp_path, 3, changed=1)
    loaded(qtbot, page, "2 documents moved to the Trash")
    said = texts(page)
    assert "2 moved · 1 left alone" in said
    assert "a scan · 28 bytes" in said
    assert "copy 2.txt" in said
    assert any("It was left alone" in text for text in said)


def test_restoring_brings_every_file_back(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    removed(tmp_path, 3)
    assert sorted(file.name for file in tmp_path.glob("*.txt")) == ["kept.txt"]
    loaded(qtbot, page, "3 documents moved to the Trash")
    toasts: list[str] = []
    page.toast_wanted.connect(lambda text: toasts.append(text))
    press(page, "Restore…")
    with qtbot.waitSignal(page.restored):
        press(open_sheet(), "Restore")
        assert toasts == ["Restoring 3 documents…"], "a large removal takes a while to undo"
    assert toasts[1:] == ["3 documents are back in their folders."]
    assert len(list(tmp_path.glob("copy *.txt"))) == 3
    loaded(qtbot, page, "3 restored")
    assert not any(
        button.isEnabled()
        for button in page.findChildren(QPushButton)
        if button.text() == "Restore…" and button.isVisible()
    )


def test_nothing_is_said_to_be_restored_any_more_once_that_failed(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path, home: Path
) -> None:
    removed(tmp_path, 3)
    loaded(qtbot, page, "3 documents moved to the Trash")
    toasts: list[str] = []
    page.toast_wanted.connect(lambda text: toasts.append(text))
    with Journal().lock():
        press(page, "Restore…")
        press(open_sheet(), "Restore")
        qtbot.waitUntil(lambda: len(toasts) == 2)
    assert toasts == ["Restoring 3 documents…", ""]
    press(open_sheet(), "Close")


def test_the_key_for_undo_asks_to_restore_the_newest_removal(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    page.undo()
    assert QApplication.activeModalWidget() is None
    removed(tmp_path, 3)
    loaded(qtbot, page, "3 documents moved to the Trash")
    page.undo()
    with qtbot.waitSignal(page.restored):
        press(open_sheet(), "Restore")
    assert len(list(tmp_path.glob("copy *.txt"))) == 3


def test_cancelling_the_question_of_undo_restores_nothing(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    removed(tmp_path, 1)
    loaded(qtbot, page, "1 document moved to the Trash")
    press(page, "Restore…")
    press(open_sheet(), "Cancel")
    qtbot.wait(100)
    assert not (tmp_path / "copy 0.txt").exists()


def test_a_name_that_is_taken_is_not_overwritten_but_can_be_restored_beside(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    batch = removed(tmp_path, 1)
    newcomer = tmp_path / "copy 0.txt"
    newcomer.write_bytes(b"a newcomer")
    loaded(qtbot, page, "1 moved")
    with qtbot.waitSignal(page.restored):
        page.restore(batch, similar_name=False)
        page.restore(batch, similar_name=False)  # a second one beside the first would end in an error
    assert newcomer.read_bytes() == b"a newcomer"
    with qtbot.waitSignal(page.restored):
        press(open_sheet(), "Restore under a similar name")
    assert newcomer.read_bytes() == b"a newcomer"
    assert sorted(file.read_bytes() for file in tmp_path.glob("*.txt")) == [
        b"a newcomer", b"the same bytes", b"the same bytes",
    ]  # fmt: skip
    qtbot.waitUntil(lambda: "1 restored" in texts(page))


def test_what_lies_in_a_quarantine_is_not_said_to_be_in_the_trash(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    kept, copy = write(tmp_path / "kept.txt", b"the same bytes"), write(tmp_path / "copy.txt", b"the same bytes")
    carry_out(plan_of([step(copy, kept)], tmp_path), journal=Journal(), judge=alike, trash=no_trash(tmp_path))
    loaded(qtbot, page, "1 document moved to the quarantine")
    assert "1 in quarantine" in texts(page)
    quarantine.empty(Journal())
    loaded(qtbot, page, "1 deleted from quarantine")


def listed_files(qtbot: QtBot, page: HistoryPage) -> RemovedFilesSheet:
    press(page, "Show files")
    qtbot.waitUntil(lambda: bool(page.findChildren(RemovedFilesSheet)))
    return page.findChildren(RemovedFilesSheet)[0]


def test_the_files_of_a_removal_are_listed_with_what_was_kept_for_each(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    removed(tmp_path, 3, changed=1)
    loaded(qtbot, page, "2 documents moved to the Trash")
    sheet = listed_files(qtbot, page)
    files = [line.split("  —  ") for line in sheet.text().splitlines()]
    assert [name for name, _ in files] == [str(tmp_path / f"copy {number}.txt") for number in range(3)]
    assert files[0][1].startswith(f"removed; identical to {tmp_path / 'kept.txt'}; in the trash: ")
    assert files[2][1] == f"left alone; identical to {tmp_path / 'kept.txt'}"
    assert sheet.facts.text().startswith(f"identical to {tmp_path / 'kept.txt'}; in the trash: ")


def test_single_files_of_a_removal_are_found_by_their_names_and_restored(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    removed(tmp_path, 3)
    loaded(qtbot, page, "3 documents moved to the Trash")
    sheet = listed_files(qtbot, page)
    sheet.search.setText("COPY 1")
    assert sheet.text().startswith(f"{tmp_path / 'copy 1.txt'}  —  ") and len(sheet.text().splitlines()) == 1
    press(sheet, "Restore selected…")  # the first file that was found is selected
    with qtbot.waitSignal(page.restored):
        press(open_sheet(), "Restore")
    assert [file.name for file in tmp_path.glob("copy *.txt")] == ["copy 1.txt"]
    loaded(qtbot, page, "2 moved · 1 restored")


def test_a_search_without_results_leaves_nothing_to_restore(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    removed(tmp_path, 2)
    loaded(qtbot, page, "2 documents moved to the Trash")
    sheet = listed_files(qtbot, page)
    (restore,) = [button for button in sheet.findChildren(QPushButton) if button.text() == "Restore selected…"]
    sheet.search.setText("absent")
    assert not restore.isEnabled() and not sheet.facts.text() and not sheet.text()
    sheet.search.setText("copy")
    assert restore.isEnabled() and sheet.facts.text().startswith("identical to ")


def test_files_of_a_removal_are_counted_by_what_became_of_them(qtbot: QtBot, page: HistoryPage, tmp_path: Path) -> None:
    removed(tmp_path, 5, changed=3)
    loaded(qtbot, page, "2 documents moved to the Trash")
    sheet = listed_files(qtbot, page)
    assert sheet.quiet.text().split("\n")[1:] == ["3  ×  left alone", "2  ×  removed"]
    results = [line.split("  —  ")[1].split(";")[0] for line in sheet.text().split("\n")]
    assert results == ["removed"] * 2 + ["left alone"] * 3, "what can be restored comes first"


def test_cells_are_made_only_for_the_files_that_are_seen(
    qtbot: QtBot, page: HistoryPage, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: set[Path] = set()

    def cells(file: RemovedFile) -> tuple[str, str, str]:
        asked.add(file.path)
        return "name", "folder", file.result

    monkeypatch.setattr(RemovedFile, "cells", cells)
    paths = (Path(f"/files/{number}.txt") for number in range(50_000))
    files = [RemovedFile(path, str(path), "removed", "identical to it", True) for path in paths]
    sheet = RemovedFilesSheet(theme, page, "Files", files, [])
    sheet.show()
    sheet.search.setText("t")
    QApplication.processEvents()
    assert sheet.table.model().rowCount() == 50_000 and 0 < len(asked) < 5_000


def test_files_that_were_left_alone_or_are_back_cannot_be_restored(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    removed(tmp_path, 1, changed=1)
    loaded(qtbot, page, "1 left alone")
    sheet = listed_files(qtbot, page)
    (restore,) = [button for button in sheet.findChildren(QPushButton) if button.text() == "Restore selected…"]
    assert not restore.isEnabled()


def test_only_the_selected_files_are_restored_under_similar_names(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    batch = removed(tmp_path, 3)
    (tmp_path / "copy 0.txt").write_bytes(b"a newcomer")
    loaded(qtbot, page, "3 moved")
    with qtbot.waitSignal(page.restored):
        page.restore(batch, similar_name=False, only={tmp_path / "copy 0.txt"})
    with qtbot.waitSignal(page.restored):
        press(open_sheet(), "Restore under a similar name")
    assert sorted(file.name for file in tmp_path.glob("copy*")) == ["copy 0 (restored).txt", "copy 0.txt"]


def test_a_removal_by_another_process_is_in_progress_not_stopped(
    qtbot: QtBot, page: HistoryPage, tmp_path: Path
) -> None:
    page.show_batches([replace(removed(tmp_path), total=122, ended=False, running=True)])
    qtbot.waitUntil(lambda: "3 moved · in progress" in texts(page))
