from __future__ import annotations

import shutil
import threading
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSize, Qt, QUrl
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.base.progress import SILENT, LatestProgress, Progress, Stage
from dupfinder.base.settings import THEME, WATCH, Settings
from dupfinder.cluster.relation import Demand
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.messages import FileListSheet
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.history import HistoryPage
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.scanning.page import ScanningPage
from dupfinder.gui.scanning.setup import SetupPage
from dupfinder.gui.settings.page import SettingsPage
from dupfinder.gui.shell.commands import COMMANDS
from dupfinder.gui.shell.help import HelpSheet
from dupfinder.gui.shell.main_window import FRAME, LEAST_WIDTH, SMALLEST_SIZE, MainWindow
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanSummary
from dupfinder.scan import matching
from dupfinder.scan.request import Root, ScanRequest
from tests.actions.making import alike, plan_of, step, write
from tests.gui.showing import page_on, session_in
from tests.gui.widgets import open_sheet, press, put_up, said

SENTENCE = "Part {} of the archive keeps every letter that the committee received between spring and autumn. "


@pytest.fixture
def window(qtbot: QtBot, theme: Theme, settings: Settings, home: Path) -> MainWindow:
    return put_up(MainWindow(theme, settings, home / "library.db"), qtbot, 1100, 700)


@pytest.fixture
def letters(tmp_path: Path) -> Path:
    folder = tmp_path / "letters"
    folder.mkdir()
    text = "".join(SENTENCE.format(part) for part in range(60))
    (folder / "first.txt").write_text(text, encoding="utf-8")
    (folder / "copy of first.txt").write_text(text, encoding="utf-8")
    (folder / "second.txt").write_text(text.replace("Part 30", "Chapter 30"), encoding="utf-8")
    return folder


def trigger(window: MainWindow, command: str) -> None:
    action = window.findChild(QAction, command)
    assert action is not None
    action.trigger()


def _is_shown(window: MainWindow, name: str) -> bool:
    """Tell whether the results of a scan are shown."""
    return isinstance(window.page, ResultsPage) and window.page.crumb() == name


def wait_for_results(qtbot: QtBot, window: MainWindow) -> ResultsPage:
    """Wait until results are shown; a sheet with an error on the way fails with its words."""
    qtbot.waitUntil(lambda: isinstance(window.page, ResultsPage) or QApplication.activeModalWidget() is not None)
    sheet = QApplication.activeModalWidget()
    assert sheet is None, [label.text() for label in sheet.findChildren(QLabel)]
    page = window.page
    assert isinstance(page, ResultsPage)
    return page


@pytest.mark.parametrize(
    ("screen", "scale", "smallest"),
    [
        ((1920, 1080), 1.0, SMALLEST_SIZE),
        ((1920, 1080), 1.5, (round(LEAST_WIDTH * 1.5), round(SMALLEST_SIZE[1] * 1.5))),
        ((1200, 800), 1.5, (1200, 800 - FRAME)),
        ((910, 512), 1.0, (910, 512 - FRAME)),  # 1366x768 at 150 %: nothing may be beyond the edge of the screen
    ],
)
def test_the_window_can_be_as_small_as_its_screen_and_its_text_ask_for(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, monkeypatch: pytest.MonkeyPatch,
    screen: tuple[int, int], scale: float, smallest: tuple[int, int],
) -> None:  # fmt: skip
    monkeypatch.setattr(theme, "px", lambda size: round(size * scale))
    monkeypatch.setattr(MainWindow, "screen", lambda _: SimpleNamespace(availableSize=lambda: QSize(*screen)))
    window = MainWindow(theme, settings, home / "library.db")
    qtbot.addWidget(window)
    monkeypatch.undo()
    assert (window.minimumWidth(), window.minimumHeight()) == smallest


def test_the_name_of_a_page_without_a_note_is_in_the_middle_of_the_bar(qtbot: QtBot, window: MainWindow) -> None:
    window.show_settings()
    crumb, slash = window.top._crumb, window.top._slash
    qtbot.waitUntil(lambda: abs(crumb.geometry().center().y() - slash.geometry().center().y()) < 3)


def test_the_bar_shortens_the_name_and_hides_what_keys_do_before_it_cuts_a_tool(
    qtbot: QtBot, window: MainWindow, theme: Theme, tmp_path: Path
) -> None:
    page = page_on(session_in(tmp_path), theme)
    page._crumb = "Contracts and archive"
    window.pages.add(page)
    window.show_page(page)
    top, tools = window.top, page.tools()
    assert tools is not None
    window.setMinimumSize(1, 1)  # as on a screen that is small for the size of the text
    for width in (1024, 800, 700, 640):
        window.resize(width, window.height())
        qtbot.wait(1)
        assert tools.width() >= tools.minimumSizeHint().width() and tools.geometry().right() <= width
        whole = top._crumb.fontMetrics().horizontalAdvance("Contracts and archive")
        assert (top._crumb.isVisible() and top._crumb.width() >= whole) == (width == 1024)
        assert top.settings.isVisible() == (width >= 700) and top.help.isVisible() == (width == 1024)
        search = page._tools.search
        search.setText("agreement")
        assert search.cursorPositionAt(QPoint(30, 15)) == 0, "a word can be read while it is typed"
    window.show_page(window.welcome)
    assert not top._crumb.isVisible() and top.help.isVisible()


def test_every_page_is_reached_and_left_by_commands(qtbot: QtBot, window: MainWindow) -> None:
    for command, page in (("show_history", HistoryPage), ("show_settings", SettingsPage)):
        trigger(window, command)
        assert isinstance(window.page, page)
    trigger(window, "go_home")
    assert window.page is window.welcome


def test_back_leads_from_a_page_aside_to_the_page_before(window: MainWindow) -> None:
    assert not window.top.back.isVisible()
    window.new_scan()
    for command in ("show_settings", "show_history", "show_settings", "show_history"):
        trigger(window, command)
    for page in (window.settings_page, window.setup, window.welcome):
        QTest.mouseClick(window.top.back, Qt.MouseButton.LeftButton)
        assert window.page is page
    trigger(window, "go_back")  # from here there is no way back
    assert window.page is window.welcome


def test_a_scan_without_files_ends_where_its_folders_can_be_changed(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    (tmp_path / "empty").mkdir()
    window.choose_folders([tmp_path / "empty"])
    window.setup.start_scan()  # before the documents are counted
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
    assert "There are no files in" in said(open_sheet())
    assert window.page is window.setup and not window.scanning.is_busy
    press(open_sheet(), "Close")
    trigger(window, "go_back")
    assert not window.page.is_aside


def test_a_message_with_a_link_goes_with_the_page_where_it_was_told(window: MainWindow) -> None:
    for link, stays in (("", True), ("Undo", False)):
        window.new_scan()
        window.toast.show_text("Done", link, window.show_help if link else None)
        window.setup.heading_changed.emit()
        assert window.toast.isVisible()
        trigger(window, "go_back")
        assert window.toast.isVisible() is stays


def test_quitting_closes_the_window_and_not_the_page(window: MainWindow) -> None:
    trigger(window, "quit_program")
    assert not window.isVisible()


def test_no_command_is_named_like_something_every_widget_can_do() -> None:
    assert [command.slot for command in COMMANDS if hasattr(QWidget, command.slot)] == []


def test_every_command_has_an_action_with_its_keys(window: MainWindow) -> None:
    for command in COMMANDS:
        action = window.findChild(QAction, command.slot)
        assert action is not None
        assert action.shortcuts() == command.sequences()
        assert action.text() == command.label


def test_a_command_that_a_page_does_not_know_does_nothing(window: MainWindow) -> None:
    for command in ("next_group", "review_removal", "export", "start_scan"):
        trigger(window, command)
    assert window.page is window.welcome


def test_single_letters_are_commands_but_not_in_a_field(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    QTest.keyClicks(window, "?")
    sheet = open_sheet(HelpSheet)
    sheet.reject()
    window.new_scan()
    page = window.page
    assert isinstance(page, SetupPage)
    page.names.setFocus()
    QTest.keyClicks(page.names, "?k/")
    assert page.names.text() == "?k/"
    assert QApplication.activeModalWidget() is None


def test_the_theme_is_switched_and_remembered(window: MainWindow, theme: Theme, settings: Settings) -> None:
    window.top.theme.click()
    assert theme.dark
    assert settings.get(THEME) == "dark"
    window.top.theme.click()
    assert theme.mode.value == "light"


def test_help_is_a_sheet(qtbot: QtBot, window: MainWindow) -> None:
    trigger(window, "show_help")
    sheet = open_sheet(HelpSheet)
    QTest.keyClick(sheet, Qt.Key.Key_Escape)


def test_folders_dropped_anywhere_become_a_new_scan(window: MainWindow, letters: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(letters))])
    act, buttons, keys = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPoint(50, 50), act, data, buttons, keys)
    QApplication.sendEvent(window, entering)
    assert entering.isAccepted()
    assert hot(window)
    dropping = QDropEvent(QPointF(50, 50), act, data, buttons, keys, QEvent.Type.Drop)
    QApplication.sendEvent(window, dropping)
    assert not hot(window)
    page = window.page
    assert isinstance(page, SetupPage)
    assert [root.path for root in page.request().roots] == [letters]


def test_what_is_dropped_is_never_taken_as_moved_which_would_let_its_source_remove_it(
    window: MainWindow, letters: Path
) -> None:
    data, move, copy = QMimeData(), Qt.DropAction.MoveAction, Qt.DropAction.CopyAction
    data.setUrls([QUrl.fromLocalFile(str(letters))])
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for possible, answer in ((move | copy, copy), (move | Qt.DropAction.LinkAction, Qt.DropAction.LinkAction)):
        events = (
            QDragEnterEvent(QPoint(50, 50), possible, data, buttons, keys),
            QDropEvent(QPointF(60, 60), possible, data, buttons, keys, QEvent.Type.Drop),
        )
        for event in events:
            event.setDropAction(move)
            QApplication.sendEvent(window, event)
            assert event.isAccepted() and event.dropAction() is answer
    entering = QDragEnterEvent(QPoint(50, 50), move, data, buttons, keys)
    QApplication.sendEvent(window, entering)
    assert not entering.isAccepted() and not hot(window)


def test_a_new_scan_begins_without_the_folders_of_the_last_one(window: MainWindow, letters: Path) -> None:
    first, second = letters / "first", letters / "second"
    for folder in (first, second):
        folder.mkdir()
    window.choose_folders([first])
    trigger(window, "show_settings")
    window.choose_folders([second])  # the list is not ready yet
    assert [root.path for root in window.setup.request().roots] == [first, second]
    trigger(window, "go_home")
    window.choose_folders([second])
    assert [root.path for root in window.setup.request().roots] == [second]


def test_text_cannot_be_dropped_on_the_first_page(window: MainWindow) -> None:
    data = QMimeData()
    data.setText("just words")
    event = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    event.ignore()
    QApplication.sendEvent(window, event)
    assert not event.isAccepted()


def test_from_a_folder_to_its_results_by_keys_alone(qtbot: QtBot, window: MainWindow, letters: Path) -> None:
    window.choose_folders([letters])
    qtbot.waitUntil(lambda: isinstance(window.page, SetupPage))
    trigger(window, "start_scan")
    page = wait_for_results(qtbot, window)
    assert page.session.counts().documents >= 2
    assert page.crumb() == "letters"
    trigger(window, "go_home")
    assert window.page is window.welcome
    # A list that was read while the scan ran may still be shown.
    qtbot.waitUntil(lambda: [scan.summary.state for scan in window.welcome._recent] == ["done"])
    window.welcome.scan_chosen.emit(window.welcome._recent[0])
    wait_for_results(qtbot, window)


def test_back_on_the_start_page_no_scan_is_listed_that_was_deleted_meanwhile(
    qtbot: QtBot, window: MainWindow, letters: Path, home: Path
) -> None:
    tasks.scan(ScanRequest((Root(letters),), workers=1), home / "library.db", tasks.ScanFindings(), SILENT)
    trigger(window, "go_home")
    qtbot.waitUntil(lambda: len(window.welcome._recent) == 1)
    trigger(window, "show_settings")
    tasks.clear_library(home / "library.db", SILENT)
    trigger(window, "go_back")
    assert window.page is window.welcome
    qtbot.waitUntil(lambda: not window.welcome._recent)


def test_a_click_on_how_many_files_were_read_lists_the_others_with_reasons(
    qtbot: QtBot, window: MainWindow, letters: Path
) -> None:
    (letters / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    window.start(ScanRequest((Root(letters),), workers=1))
    wait_for_results(qtbot, window)
    window.resize(1440, 900)
    assert window.top.note.text().startswith("3 of 4 files read")
    assert window.top.note.y() > window.top._crumb.y(), "the note stands below the name, where it has room"
    whole, beginning = window.top.note.text(), "3 of 4 files read"
    assert window.top.note.fitting(1_000) == whole and window.top.note.fitting(0) == ""
    assert window.top.note.fitting(window.top.note.fontMetrics().horizontalAdvance(whole) - 1) == beginning
    qtbot.waitUntil(lambda: window.page.offers("show_unread"))
    for ask in (
        partial(QTest.mouseClick, window.top.note, Qt.MouseButton.LeftButton),
        partial(trigger, window, "show_unread"),
    ):
        ask()
        qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not None)
        sheet = open_sheet(FileListSheet)
        assert sheet.text().startswith(f"{letters / 'broken.pdf'}  —  It is damaged")
        press(sheet, "Close")
    window.go_home()
    QTest.mouseClick(window.top.note, Qt.MouseButton.LeftButton)


def test_an_unfinished_scan_goes_on_when_it_is_chosen(
    qtbot: QtBot, window: MainWindow, letters: Path, home: Path
) -> None:
    with LibraryFile(home / "library.db", write=True) as library:
        started = datetime(2026, 1, 1, tzinfo=UTC)
        summary = ScanSummary.begun("letters", ((letters, "scan"),), started, Demand(0.7, 0.85, 8), "scheme")
        library.begin_scan(summary, "1")
    trigger(window, "go_home")
    qtbot.waitUntil(lambda: bool(window.welcome._recent))
    window.welcome.scan_chosen.emit(window.welcome._recent[0])
    assert isinstance(window.page, ScanningPage)
    assert wait_for_results(qtbot, window).crumb() == "letters"


@pytest.mark.parametrize("goes_back", [False, True])
def test_the_end_of_a_scan_behind_another_page_is_announced_and_its_results_are_a_click_or_a_step_back_away(
    qtbot: QtBot, window: MainWindow, letters: Path, goes_back: bool
) -> None:
    window.choose_folders([letters])
    trigger(window, "start_scan")
    trigger(window, "show_settings")
    qtbot.waitUntil(lambda: window.toast.accessibleName() == "The scan is complete.")
    assert isinstance(window.page, SettingsPage)
    if goes_back:
        window.go_back()
    else:
        QTest.mouseClick(window.toast._act, Qt.MouseButton.LeftButton)
    wait_for_results(qtbot, window)


def test_results_that_were_loaded_wait_for_the_dialog_that_belongs_to_the_page_below(
    qtbot: QtBot, window: MainWindow, letters: Path
) -> None:
    window.choose_folders([letters])
    trigger(window, "start_scan")
    before = wait_for_results(qtbot, window)
    trigger(window, "show_help")
    window.show_scan(before.session.result.summary.id)
    qtbot.wait(1000)
    assert window.page is before
    press(open_sheet(), "Close")
    qtbot.waitUntil(lambda: window.page is not before)
    wait_for_results(qtbot, window)


def test_of_scans_chosen_while_another_is_opened_the_last_is_shown(
    qtbot: QtBot, window: MainWindow, letters: Path, tmp_path: Path
) -> None:
    numbers = []
    for name in ("first", "second", "third"):
        folder = tmp_path / name
        shutil.copytree(letters, folder)
        window.choose_folders([folder])
        trigger(window, "start_scan")
        qtbot.waitUntil(partial(_is_shown, window, name))
        numbers.append(wait_for_results(qtbot, window).session.result.summary.id)
    window.go_home()
    for number in numbers:
        window.show_scan(number)
    qtbot.waitUntil(partial(_is_shown, window, "third"))
    assert not window._to_open and window.toast.isHidden()


def test_a_scan_that_ends_while_another_is_opened_is_shown_by_a_step_back(
    qtbot: QtBot, window: MainWindow, letters: Path
) -> None:
    window.choose_folders([letters])
    trigger(window, "start_scan")
    number = wait_for_results(qtbot, window).session.result.summary.id
    window.show_page(window.scanning)
    window._to_open = [0]  # another scan
    window.scanning.finished.emit(number)
    window._to_open = []
    trigger(window, "show_history")
    window.go_back()
    wait_for_results(qtbot, window)


def test_the_first_pages_open_with_the_focus_on_the_next_step(window: MainWindow, letters: Path) -> None:
    assert window.welcome.choose.hasFocus()
    window.new_scan()
    assert window.setup.add.hasFocus()
    window.choose_folders([letters])
    assert window.setup.go.hasFocus()


def marked_names(page: ResultsPage) -> set[str]:
    documents, marked = page.session.result.documents, page.session.acts.marked
    return {documents.path(row).name for row, is_marked in enumerate(marked.tolist()) if is_marked}


def test_first_results_can_be_reviewed_while_the_scan_goes_on_and_their_marks_stay(
    qtbot: QtBot, window: MainWindow, letters: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matching, "FIRST_SECONDS", 0)
    tell, reviewed = LatestProgress.tell, threading.Event()
    scanning = window.scanning

    def tell_and_wait(latest: LatestProgress, progress: Progress) -> None:
        tell(latest, progress)
        groups = 0 if scanning._findings.first is None else len(scanning._findings.first.all_clusters())
        assert not groups or reviewed.wait(60)

    monkeypatch.setattr(LatestProgress, "tell", tell_and_wait)
    window.start(ScanRequest((Root(letters),), workers=1))
    qtbot.waitUntil(scanning.groups.review.isVisible)
    QTest.mouseClick(scanning.groups.review, Qt.MouseButton.LeftButton)
    first = wait_for_results(qtbot, window)
    assert first.session.is_unfinished and first.note().endswith(" documents so far")
    first.groups.commands["mark_shown"]()
    names = marked_names(first)
    assert names
    for command in ("export", "review_removal"):
        trigger(window, command)
        assert QApplication.activeModalWidget() is None
    assert window.toast.accessibleName() == "You can remove documents when the scan is complete."
    QTest.mouseClick(first.bar.next_step, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page is scanning)
    QTest.mouseClick(scanning.groups.review, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page is first)
    scanning.show_progress(Progress(Stage.READ, 1, 4))
    assert first.bar._second.text().endswith("Reading documents: 25 %")
    reviewed.set()
    qtbot.waitUntil(lambda: first.bar.next_step.text() == "Show all results")
    QTest.mouseClick(first.bar.next_step, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page is not first)
    page = wait_for_results(qtbot, window)
    session = page.session
    assert not session.is_unfinished and len(session.result.documents) == 3
    assert marked_names(page) == names


def test_copies_that_come_to_a_watched_folder_are_told_and_shown_and_the_next_scan_can_begin(
    qtbot: QtBot, window: MainWindow, settings: Settings, letters: Path
) -> None:
    settings.set(WATCH, True)
    window.choose_folders([letters])
    trigger(window, "start_scan")
    before = wait_for_results(qtbot, window)
    (letters / "again.txt").write_bytes((letters / "first.txt").read_bytes())
    qtbot.waitUntil(lambda: window.toast.accessibleName().startswith("1 new document"))
    QTest.mouseClick(window.toast._act, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.page is not before)
    assert len(wait_for_results(qtbot, window).session.result.documents) == 4
    trigger(window, "new_scan")
    trigger(window, "start_scan")
    wait_for_results(qtbot, window)


@pytest.mark.parametrize("written", [4, 5])  # lines: killed in its second step, or before its third
def test_a_removal_that_a_kill_cut_off_is_completed_at_the_next_start_and_told_until_the_person_closes_that(
    qtbot: QtBot, theme: Theme, settings: Settings, home: Path, tmp_path: Path, written: int
) -> None:
    kept = write(tmp_path / "kept.txt", b"the same bytes")
    copies = [write(tmp_path / f"copy {number}.txt", b"the same bytes") for number in range(3)]
    batch = carry_out(plan_of([step(copy, kept) for copy in copies], tmp_path), journal=Journal(), judge=alike)
    lines = (Journal().path / f"{batch.id}.jsonl").read_bytes().splitlines(keepends=True)
    assert tasks.cut_off_removal(SILENT) is None
    (Journal().path / f"{batch.id}.jsonl").write_bytes(b"".join(lines[:written]))
    window = put_up(MainWindow(theme, settings, home / "library.db"), qtbot)
    qtbot.waitUntil(lambda: window.toast.accessibleName() == "The newest removal stopped after 2 of 3.")
    assert not next(iter(Journal().batches())).is_unfinished
    assert tasks.cut_off_removal(SILENT) is None
    assert window.toast.isVisible()
    assert not window.toast._timer.isActive()
    QTest.mouseClick(window.toast._act, Qt.MouseButton.LeftButton)
    assert isinstance(window.page, HistoryPage)
    window.close()


def test_a_fault_is_told_and_the_window_stays_usable(qtbot: QtBot, window: MainWindow) -> None:
    window.explain(ValueError("wrong"))
    sheet = open_sheet(Sheet)
    window.explain(ValueError("wrong again"))  # as a fault in painting would do at every picture
    assert QApplication.activeModalWidget() is sheet
    sheet.reject()
    assert QApplication.activeModalWidget() is None
    trigger(window, "show_settings")
    assert isinstance(window.page, SettingsPage)


def test_every_button_of_every_page_has_a_name_and_room_to_be_hit(qtbot: QtBot, window: MainWindow) -> None:
    pages: list[Page] = [window.welcome, window.setup, window.scanning, window.history, window.settings_page]
    for page in pages:
        window.show_page(page)
        visible = [button for button in window.findChildren(QAbstractButton) if button.isVisible()]
        assert any(map(own, visible))
        nameless = [button for button in visible if not (button.text() or button.accessibleName()) and own(button)]
        small = [button for button in visible if own(button) and min(button.width(), button.height()) < 24]
        assert nameless == []
        assert [
            (type(page).__name__, button.text() or button.accessibleName(), button.size()) for button in small
        ] == []


def hot(window: MainWindow) -> bool:
    """Whether the drop area of the start page is marked."""
    return window.welcome.area._hot


def own(button: QAbstractButton) -> bool:
    """Whether a button is the program's and no part of a field of the toolkit."""
    parent: QWidget | None = button.parentWidget()
    return parent is not None and not parent.inherits("QLineEdit")


def test_the_tab_key_goes_through_the_results_in_reading_order(
    qtbot: QtBot, window: MainWindow, theme: Theme, tmp_path: Path
) -> None:
    page = page_on(session_in(tmp_path / "papers"), theme)
    window.pages.add(page)
    window.show_page(page)
    stops: list[QWidget] = []
    following = window.top.home.nextInFocusChain()
    while following is not None and following is not window.top.home:
        stops.append(following)
        following = following.nextInFocusChain()
    pane = page.pane
    wanted = (
        page._tools.search,
        window.top.settings,
        pane.card.tabs.part(0),
        pane.card.similarity,
        pane.list,
        page.detail.table,
    )
    assert [stop for stop in stops if stop in wanted] == list(wanted)


@pytest.mark.parametrize("command", ["show_history", "show_settings"])
def test_escape_leads_back_from_a_page_aside(window: MainWindow, command: str) -> None:
    window.new_scan()
    before = window.page
    trigger(window, command)
    assert window.page.is_aside
    QTest.keyClick(window.page, Qt.Key.Key_Escape)
    assert window.page is before
    trigger(window, command)
    window.top.back.setFocus()  # beside the page
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_Escape)
    assert window.page is before


def test_a_review_of_pairs_fills_the_window_and_escape_leads_back_to_the_results(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    window._show_session(session_in(tmp_path / "papers"))
    qtbot.waitUntil(lambda: isinstance(window.page, ResultsPage))
    results = window.page
    for _ in range(2):  # the second review takes the place of the first
        qtbot.keyClick(window, Qt.Key.Key_R, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        assert type(window.page).__name__ == "PairReviewPage" and not window.top.isVisible()
        qtbot.keyClick(window.page, Qt.Key.Key_Escape)
        assert window.page is results and window.top.isVisible()
    assert (
        sum(type(window.pages.widget(place)).__name__ == "PairReviewPage" for place in range(window.pages.count())) == 1
    )
