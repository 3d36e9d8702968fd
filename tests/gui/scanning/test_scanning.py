from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from dupfinder.base.details import ProblemKind
from dupfinder.base.errors import RootError
from dupfinder.base.progress import IdenticalCounts, LatestProgress, Progress, Stage
from dupfinder.gui.kit.messages import FileListSheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.page import ScanningPage
from dupfinder.gui.scanning.scan_figures import StepState
from dupfinder.library.library import LibraryFile
from dupfinder.review.session import ReviewSession
from dupfinder.scan.request import Root, ScanRequest
from tests.gui.scanned import Paper, scan_result
from tests.gui.widgets import open_sheet, press, put_up

SENTENCE = "The archive keeps every letter that the committee received between the spring and the autumn of year {}. "


def letter(year: int) -> str:
    return "".join(SENTENCE.format(year * 100 + part) for part in range(12))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    top = tmp_path / "letters"
    top.mkdir()
    for number in range(4):
        (top / f"letter {number}.txt").write_text(letter(number % 2), encoding="utf-8")
    (top / "broken.pdf").write_bytes(b"%PDF-1.7\nnothing of a PDF follows")
    return top


@pytest.fixture
def page(qtbot: QtBot, theme: Theme, home: Path) -> ScanningPage:
    return put_up(ScanningPage(theme, home / "library.db"), qtbot, 1200, 800)


def states(page: ScanningPage) -> list[StepState]:
    return [mark.state for mark, _, _ in page.steps._parts]


def test_every_stage_has_its_words(page: ScanningPage) -> None:
    page.show_progress(Progress(Stage.FIND, 1500))
    assert (page.title.text(), page.line.text()) == ("Finding files", "1,500 files so far")
    page.show_progress(
        Progress(Stage.READ, 13_208, 20_482, 1_210_000_000, (Path("/a/Annual accounts.pdf"),), 8_916, {"encrypted": 3})
    )
    assert page.title.text() == "Reading documents"
    assert page.line.text() == "13,208 of 20,482  ·  64 %  ·  estimating…  ·  8,916 unchanged"
    assert page.bar.value() == 645
    assert states(page) == [*[StepState.DONE] * 2, StepState.RUNNING, *[StepState.WAITING] * 3]
    assert page.figures.unread.text() == "3"
    assert page.problem_title.text() == "3 files whose text cannot be compared"
    for stage, title in ((Stage.MATCH, "Matching"), (Stage.VERIFY, "Checking differences"), (Stage.GROUP, "Grouping")):
        page.show_progress(Progress(stage, 1, 2))
        assert page.title.text() == title


def test_a_stage_with_nothing_to_do_is_shown_without_a_share(page: ScanningPage) -> None:
    for stage in (Stage.HASH, Stage.READ, Stage.MATCH, Stage.VERIFY):
        page.show_progress(Progress(stage, 0, 0))
        assert page.line.text() == ""


def shown_groups(page: ScanningPage) -> list[tuple[str, str, str]]:
    """Name, folder and content of the first results that are shown."""
    return [(name.text(), folder.text(), content.text()) for row, name, folder, content in page.groups.rows
            if row.isVisible()]  # fmt: skip


def test_identical_files_are_the_first_results_and_stay(page: ScanningPage) -> None:
    assert page.groups.hint.text() == "No identical files so far"
    page.show_progress(Progress(Stage.READ, 1, 4))
    assert page.groups.hint.text() == "No identical files" and shown_groups(page) == []
    page.show_progress(Progress(Stage.READ, 1, 4, identical=IdenticalCounts(1, 1, 10)))
    assert page.figures.groups.text() == "1"
    same = IdenticalCounts(
        1204, 3411, 2_300_000_000, ((Path("/a/sea.mp4"), Path("/b/sea (1).mp4")), (Path("/c"), Path("/d"), Path("/e")))
    )
    page.show_progress(Progress(Stage.HASH, 1_500_000_000, 3_000_000_000, identical=same))
    assert page.title.text() == "Finding identical files"
    assert page.line.text().startswith("1.50 GB of 3.00 GB  ·  50 %")
    for progress in (None, Progress(Stage.READ, 1, 2)):
        if progress is not None:
            page.show_progress(progress)
        figures = page.figures
        assert [number.text() for number in (figures.groups, figures.freed)] == ["1,204", "2.30 GB"]
        assert figures.groups_line.text() == "3,411 identical copies"
        assert figures.freed_line.text() == "in 3,411 documents"
        assert shown_groups(page) == [("sea.mp4", "/a", "1 identical"), ("c", "/", "2 identical")]
        assert not page.groups.review.isVisible()


def test_identical_files_stay_listed_while_the_documents_that_were_read_have_no_groups(
    page: ScanningPage, tmp_path: Path
) -> None:
    page._findings.first = ReviewSession(scan_result(tmp_path, [Paper("a.txt", "one"), Paper("b.txt", "two")], ()))
    same = IdenticalCounts(1, 1, 10, ((Path("/a/sea.mp4"), Path("/b/sea.mp4")),))
    page.show_progress(Progress(Stage.READ, 2, 4, identical=same))
    assert page.figures.groups.text() == "1"
    assert shown_groups(page) == [("sea.mp4", "/a", "1 identical")]
    assert not page.groups.review.isVisible()


def test_first_results_are_shown_with_the_space_they_free_and_can_be_reviewed(
    qtbot: QtBot, page: ScanningPage, tmp_path: Path
) -> None:
    review = page._findings.first = ReviewSession(scan_result(tmp_path))
    page.show_progress(Progress(Stage.READ, 7, 20, identical=IdenticalCounts(1, 1, 10)))
    assert shown_groups(page) == [
        ("supply draft.txt", str(tmp_path / "archive"), "1 same text · 2 versions"),
        ("Board minutes.txt", str(tmp_path / "minutes"), "1 identical"),
    ]
    assert (page.figures.groups.text(), page.figures.freed_line.text()) == ("2", "")
    page.show_progress(Progress(Stage.READ, 7, 20, identical=IdenticalCounts(48, 60, 10)))
    assert (page.figures.groups.text(), page.figures.freed_line.text()) == ("48", "")
    with qtbot.waitSignal(page.review_wanted) as wanted:
        QTest.mouseClick(page.groups.review, Qt.MouseButton.LeftButton)
    assert wanted.args == [review]


def test_a_file_that_takes_long_is_told_with_its_time_while_it_is_read(page: ScanningPage) -> None:
    slow, quick = Path("/a/Annual accounts.pdf"), Path("/a/note.txt")
    shown = []
    for seconds in ((0.2, 0.1), (21.0, 0.3), (0.1, 0.2)):
        page.show_progress(Progress(Stage.READ, 1, 9, current=(slow, quick), seconds=seconds))
        shown.append([row[2].text() for row in page.being_read._rows[:2]])
    assert shown == [["/a", "/a"], ["for about 20 s now  ·  /a", "/a"], ["/a", "/a"]]


def test_the_links_of_the_problems_stay_in_place_while_the_number_of_files_being_read_changes(
    page: ScanningPage, qtbot: QtBot
) -> None:
    places = []
    for files in (1, 4):
        paths = tuple(Path(f"/a/{number}.pdf") for number in range(files))
        page.show_progress(Progress(Stage.READ, 9, 20, 1000, paths, 0, {"encrypted": 3}))
        qtbot.wait(50)
        places.append(page.problems.mapTo(page, QPoint()))
    assert places[0] == places[1]


def test_the_list_of_files_being_read_has_room_for_two_and_for_more_once_they_are_read_together(
    page: ScanningPage,
) -> None:
    heights = []
    for count in (1, 2, 3, 1):
        files = tuple(Path(f"/a/{number}.txt") for number in range(count))
        page.show_progress(Progress(Stage.READ, 1, 9, current=files))
        heights.append(page.being_read.sizeHint().height())
    assert heights[0] == heights[1] < heights[2] == heights[3]


def test_after_reading_no_rate_and_no_file_in_hand_are_shown(page: ScanningPage) -> None:
    page.show()
    page.show_progress(Progress(Stage.READ, 1, 9, current=(Path("/a/note.txt"),)))
    page._ticked()
    assert page.reading_card.isVisible() and page.figures.rate.text().endswith("/s")
    page.show_progress(Progress(Stage.VERIFY, 1, 9))
    page._ticked()
    assert not page.reading_card.isVisible() and page.figures.rate.text() == "—"


def test_while_first_groups_are_looked_for_this_is_told_in_place_of_a_rate_of_nothing(page: ScanningPage) -> None:
    page.show_progress(Progress(Stage.READ, 900, 2000, current=(Path("/a/note.txt"),)))
    page._ticked()
    assert page.figures.rate.text().endswith("/s")
    page.show_progress(Progress(Stage.READ, 900, 2000, compares=True))
    page._ticked()
    assert page.line.text() == "900 of 2,000  ·  45 %  ·  looking for first groups…"
    assert page.figures.rate.text() == "—"
    assert not any(name.text() for _, name, _ in page.being_read._rows)


def test_files_left_out_on_purpose_are_no_trouble(page: ScanningPage) -> None:
    page.show_progress(Progress(Stage.READ, 1, 2, problems={"unsupported": 40, "skipped": 2}))
    assert page.figures.unread.text() == "0"
    assert page.problem_title.text() == "Every document could be read so far"


def test_a_scan_ends_with_its_number(qtbot: QtBot, page: ScanningPage, folder: Path, home: Path) -> None:
    with qtbot.waitSignal(page.finished) as ended:
        page.run(ScanRequest((Root(folder),), workers=1))
    assert page.crumb() == ""
    with LibraryFile(home / "library.db") as library:
        result = library.result(ended.args[0])
    assert sorted(result.documents.status).count("read") == 4
    assert not page.is_busy


def test_a_damaged_library_is_put_aside_and_told(qtbot: QtBot, page: ScanningPage, folder: Path, home: Path) -> None:
    (home / "library.db").write_bytes(b"this is no library" * 400)
    sentences: list[str] = []
    page.toast_wanted.connect(lambda text: sentences.append(text))
    with qtbot.waitSignal(page.finished):
        page.run(ScanRequest((Root(folder),), workers=1))
    assert len(sentences) == 1 and "put aside" in sentences[0]
    assert len(list(home.glob("library.db.damaged-*"))) == 1


def test_damaged_rows_of_a_library_are_dropped_alone_and_told(
    qtbot: QtBot, page: ScanningPage, folder: Path, home: Path
) -> None:
    with qtbot.waitSignal(page.finished):
        page.run(ScanRequest((Root(folder),), workers=1))
    path = home / "library.db"
    with LibraryFile(path) as library:
        numbers = library.result().documents.ids
    connection = sqlite3.connect(path)
    connection.execute("UPDATE document SET title = 'x' WHERE id = ?", (int(numbers[1]),))
    connection.commit()
    connection.close()
    sentences: list[str] = []
    page.toast_wanted.connect(lambda text: sentences.append(text))
    with qtbot.waitSignal(page.finished):
        page.run(ScanRequest((Root(folder),), workers=1))
    assert len(sentences) == 1 and f"document {numbers[1]}" in sentences[0]
    assert not list(home.glob("library.db.damaged-*"))


def test_pausing_keeps_what_was_read_and_resuming_ends_the_scan(
    qtbot: QtBot, page: ScanningPage, folder: Path, tmp_path: Path
) -> None:
    review = ReviewSession(scan_result(tmp_path))
    page.run(ScanRequest((Root(folder),), workers=1), review)
    page.pause_or_resume()
    qtbot.waitUntil(lambda: not page.is_running)
    if page.is_busy:  # else the scan was over before it could be stopped
        assert page.title.text() == "Paused. Everything read so far is kept."
        assert page.pause.text() == "Resume" and not page.reading_card.isVisible()
        with qtbot.waitSignal(page.finished):
            page.pause_or_resume()
            assert page._findings.first is review and page.groups.review.isVisible()


@pytest.mark.parametrize(("answer", "left"), [("Keep what was read", True), ("Discard", False)])
def test_cancelling_a_scan_keeps_or_discards_it_as_the_answer_says(
    qtbot: QtBot, page: ScanningPage, folder: Path, home: Path, answer: str, left: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    tell, answered = LatestProgress.tell, threading.Event()

    def tell_and_wait(latest: LatestProgress, progress: Progress) -> None:
        tell(latest, progress)
        assert progress.stage is not Stage.READ or answered.wait(30)

    monkeypatch.setattr(LatestProgress, "tell", tell_and_wait)
    page.run(ScanRequest((Root(folder),), workers=1))
    qtbot.waitUntil(lambda: page._shown.stage is Stage.READ)
    with qtbot.waitSignal(page.cancelled):
        QTest.mouseClick(page.cancel, Qt.MouseButton.LeftButton)
        press(open_sheet(), answer)
        answered.set()
    with LibraryFile(home / "library.db") as library:
        assert bool(library.scans()) is left


def test_what_was_read_and_cannot_be_discarded_now_is_told_and_the_scan_is_left(
    qtbot: QtBot, page: ScanningPage, folder: Path, home: Path
) -> None:
    page._request = ScanRequest((Root(folder),))  # paused
    with LibraryFile(home / "library.db", write=True), qtbot.waitSignal(page.cancelled):  # as another process has it
        page._cancel("discard")
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None, timeout=5000)
    press(open_sheet(), "Close")
    assert not page.is_busy


def test_a_folder_that_is_gone_is_one_sentence_and_the_scan_can_be_tried_again(
    qtbot: QtBot, page: ScanningPage, tmp_path: Path
) -> None:
    page.run(ScanRequest((Root(tmp_path / "gone"),)))
    qtbot.waitUntil(lambda: not page.is_running)
    assert page.title.text() == "The scan did not finish"
    assert not page.reading_card.isVisible(), "nothing is being read now"
    assert page.pause.text() == "Resume"
    press(open_sheet(), "Close")


def test_the_files_of_a_kind_of_trouble_can_be_listed(qtbot: QtBot, page: ScanningPage, folder: Path) -> None:
    with qtbot.waitSignal(page.finished):
        page.run(ScanRequest((Root(folder),), workers=1))
    page._show_problems(ProblemKind.DAMAGED)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), FileListSheet))
    sheet = open_sheet(FileListSheet)
    assert sheet.text().startswith(str(folder / "broken.pdf"))
    sheet.accept()


def test_what_a_removal_left_under_a_name_of_its_own_is_given_back_from_the_list(
    qtbot: QtBot, page: ScanningPage, folder: Path
) -> None:
    (folder / ".dupfinder-hold-0123456789abcdef-letter.txt").write_text("A letter that was in hand.", encoding="utf-8")
    with qtbot.waitSignal(page.finished):
        page.run(ScanRequest((Root(folder),), workers=1))
    page._show_problems(ProblemKind.HELD)
    qtbot.waitUntil(lambda: isinstance(QApplication.activeModalWidget(), FileListSheet))
    press(open_sheet(), "Give them their names back")
    qtbot.waitUntil(lambda: (folder / "letter.txt").exists())

    def listed() -> str:
        sheet = QApplication.activeModalWidget()
        return sheet.text() if isinstance(sheet, FileListSheet) else ""

    qtbot.waitUntil(lambda: "it is called letter.txt again" in listed())
    press(open_sheet(), "Close")


def test_a_drive_that_is_not_connected_leads_back_to_where_folders_can_be_changed(
    qtbot: QtBot, page: ScanningPage
) -> None:
    with qtbot.waitSignal(page.refused):
        page._failed(RootError(Path("/share"), "ENODEV"))
    assert not page.is_busy
