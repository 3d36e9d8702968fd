"""Every key of the cheat sheet, pressed on every page: what happens, that nothing else does, and where the focus is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QDesktopServices, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.settings import Settings
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.page import ResultsPage
from dupfinder.gui.shell.commands import COMMANDS, Command
from dupfinder.gui.shell.main_window import MainWindow
from dupfinder.library.decisions import MARKS, Decision, VerdictKind
from dupfinder.review.acts import SessionChange
from dupfinder.review.listing import GroupFilter, GroupTrait
from dupfinder.review.session import ReviewSession
from tests.gui.scanned import scan_result
from tests.gui.showing import DirectReader
from tests.gui.widgets import put_up

GROUP, CURRENT = 0, 2  # the row of the group in hand, and of its current document
PAGES: Final = ("welcome", "setup", "scanning", "history", "settings")
NAMES: Final = {
    "WelcomePage": "welcome", "SetupPage": "setup", "ScanningPage": "scanning", "HistoryPage": "history",
    "SettingsPage": "settings", "ResultsPage": "results", "PairReviewPage": "review",
}  # fmt: skip
State = dict[str, Any]

# What each command changes, by the parts of `state_of`. A part that is not named stays as it was.
EVERYWHERE: Final[dict[str, State]] = {
    "new_scan": {"page": "setup"},
    "open_scan": {"page": "welcome"},
    "show_history": {"page": "history"},
    "show_settings": {"page": "settings"},
    "show_help": {"sheet": "HelpSheet"},
    "go_home": {"page": "welcome"},
}
ON_RESULTS: Final[dict[str, State]] = {
    **EVERYWHERE,
    "search": {"focus": "search"},
    "next_group": {"group": 1, "pair": (0, 1), "difference": -1},  # two files with the same text
    "previous_group": {},  # the first group is in hand
    "toggle_list": {"has list": False},
    "toggle_remove": {"marked": 2, "undo": 1},  # a stack of two identical copies is one row
    "find_similar": {"sheet": "QFileDialog"},
    "find_pasted": {"toast": "Copy a text or a file first."},
    "properties": {"sheet": "PropertiesSheet"},
    "review_pairs": {"page": "review"},
    "mark_shown": {"marked": 4, "undo": 1, "toast": "4 documents marked"},
    "keep": {"kept": 2, "undo": 1, "pair": (3, 1)},  # the kept copy comes first now
    "keep_this": {"kept": 1, "marked": 2, "undo": 1, "pair": (3, 0)},
    "undecide": {"undo": 1},
    "next_difference": {"difference": 1},
    "previous_difference": {},  # the first difference is in hand
    "swap_sides": {"pair": (2, 0)},
    "looser": {"similarity": 0.65},
    "stricter": {"similarity": 0.75},
    "calibrate": {"sheet": "CalibrationSheet"},
    "select_automatically": {"sheet": "AssistantSheet"},
    "not_duplicates": {
        "groups": 1,
        "unreviewed": 1,
        "undo": 1,
        "pair": (0, 1),
        "difference": -1,
        "toast": "supply draft is no longer listed as duplicates.",
    },
    "mark_reviewed": {"unreviewed": 1, "group": 1, "pair": (0, 1), "difference": -1},
    "open_document": {"opened": 1},
    "reveal": {"opened": 1},
    "copy_path": {"copied": True, "toast": "The path was copied."},
    "export": {"sheet": "ExportSheet"},
    "next_region": {},
    "previous_region": {},
}


@dataclass
class Log:
    """Stands in for a call to the system: notes what it was given, and gives one answer."""

    calls: list[object]
    answer: object

    def __call__(self, *given: object) -> object:
        self.calls.append(given)
        return self.answer


@pytest.fixture
def opened() -> list[object]:
    """What was handed to the system to be opened, and how often folders were asked for."""
    return []


@pytest.fixture
def window(
    qtbot: QtBot,
    theme: Theme,
    settings: Settings,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    opened: list[object],
) -> Iterator[MainWindow]:
    monkeypatch.setattr(QDesktopServices, "openUrl", staticmethod(Log(opened, True)))
    monkeypatch.setattr("dupfinder.gui.results.cluster_detail.PairReader", lambda _: DirectReader())
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", staticmethod(Log(opened, "")))
    made = put_up(MainWindow(theme, settings, home / "library.db"), qtbot)
    made.activateWindow()
    qtbot.waitActive(made)
    yield made
    if made._results is not None:
        made._results.close_session()
    made.close()


def page_of(window: MainWindow, name: str) -> Page:
    attribute = "settings_page" if name == "settings" else name
    page = getattr(window, attribute)
    assert isinstance(page, Page)
    return page


def results_of(window: MainWindow, folder: Path, qtbot: QtBot, name: str = "Contracts") -> ResultsPage:
    window._show_session(ReviewSession(scan_result(folder, name=name)))
    qtbot.waitUntil(lambda: isinstance(window.page, ResultsPage))
    page = window.page
    assert isinstance(page, ResultsPage)
    put_back(window, page, page.detail.table)
    qtbot.waitUntil(lambda: bool(page.detail.comparison.canvas.pair.differences))
    return page


def put_back(window: MainWindow, page: Page, focus: QWidget) -> None:
    """Make everything as it was before the first key."""
    for sheet in sheets():
        sheet.reject()
    window.activateWindow()
    QTest.qWaitForWindowActive(window)
    window.toast.show_text("", "")
    QGuiApplication.clipboard().clear()
    if window.page is not page:
        window.show_page(page)
    if isinstance(page, ResultsPage):
        session = page.session
        session.acts.roll_back(0)
        for place in range(len(session.all_clusters())):
            session.acts.change_verdicts(
                (), session.acts.verdicts.about(VerdictKind.REVIEWED, session.all_clusters(), place)
            )
        session.acts._tell(SessionChange(clusters=True))
        session.set_demand(replace(session.demand, similarity=0.7))
        session.set_filter(GroupFilter())
        page.pane.show()
        page.pane.list.choose_row(GROUP)
        page.detail.table.choose_row(CURRENT)
        page.detail._set_pair((0, CURRENT))
        canvas = page.detail.comparison.canvas
        canvas.step(-canvas.current)
    focus.setFocus()
    QTest.qWait(10)  # the pair is read in a turn of its own


def sheets() -> list[QDialog]:
    return [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog) and widget.isVisible()]


def state_of(window: MainWindow, opened: list[object]) -> State:
    """All that a key could change, in words and numbers."""
    state: State = {
        "page": NAMES[type(window.page).__name__],
        "sheet": next((type(sheet).__name__ for sheet in sheets()), ""),
        "toast": window.toast.accessibleName() if window.toast.isVisible() else "",
        "opened": len(opened),
        "copied": bool(QGuiApplication.clipboard().text()),
    }
    if (page := window._results) is not None:
        session = page.session
        decisions = [session.marks.decision(row) for row in range(len(session.result.documents))]
        state |= {
            "focus": "search" if page._tools.search.hasFocus() else "",
            "has list": not page.pane.isHidden(),
            "marked": sum(decision in MARKS for decision in decisions),
            "kept": decisions.count(Decision.KEEP),
            "undo": session.acts.count,
            "group": page.pane.list.currentIndex().row(),
            "groups": len(session.listed()),
            "unreviewed": session.trait_counts()[GroupTrait.UNREVIEWED],
            "pair": page.detail.model.pair,
            "difference": page.detail.comparison.canvas.current,
            "similarity": session.demand.similarity,
        }
    return state


def keys_of(command: Command) -> list[QKeyCombination]:
    """Every key of a command, as it is pressed."""
    sequences = [*command.sequences(), *(QKeySequence(key) for key in command.single_keys)]
    return [chord(sequence) for sequence in sequences]


def chord(keys: str | QKeySequence) -> QKeyCombination:
    """The one key of a sequence, with what is held beside it."""
    combination = QKeySequence(keys)[0]  # type: ignore[index] # the stubs do not know it
    assert isinstance(combination, QKeyCombination)
    return combination


def press(window: MainWindow, key: QKeyCombination) -> None:
    """Press a key where the keyboard is."""
    target = QApplication.focusWidget() or window
    QTest.keyClick(target, key.key(), key.keyboardModifiers())
    QTest.qWait(5)  # what is told later in the same turn


def difference(before: State, after: State) -> State:
    changed = {part: value for part, value in after.items() if before.get(part) != value}
    if changed.get("page", "") in ("setup", "welcome", "history", "settings"):
        changed.pop("focus", None)
    return changed


def assert_keys(
    window: MainWindow, page: Page, focus: QWidget, expected: dict[str, State], opened: list[object]
) -> None:
    """Press every key of every command, each from the same beginning."""
    for command in COMMANDS:
        for key in keys_of(command):
            if command.slot == "quit_program":
                continue
            put_back(window, page, focus)
            before = state_of(window, opened)
            press(window, key)
            changed = difference(before, state_of(window, opened))
            wanted = dict(expected.get(command.slot, {}))
            if wanted.get("page") == before["page"]:
                del wanted["page"]
            name = f"{command.slot} by {QKeySequence(key).toString()}"
            if "toast" in wanted:
                assert changed.pop("toast", "").startswith(wanted.pop("toast")), name
            if "opened" in wanted:
                wanted["opened"] += before["opened"]
            assert changed == wanted, name
            held = QApplication.focusWidget()
            assert held is not None and held.isVisible(), f"{name}: the focus is lost"
    put_back(window, page, focus)


@pytest.mark.parametrize("name", PAGES)
def test_every_key_on_a_page_without_results_leads_where_it_says_or_does_nothing(
    window: MainWindow, name: str, opened: list[object]
) -> None:
    page = page_of(window, name)
    window.show_page(page)
    expected = dict(EVERYWHERE)
    if page.is_aside:
        expected["go_back"] = {"page": "welcome"}
    if name == "welcome":
        expected["new_scan"] = {"opened": 1}  # asks for folders at once
    assert_keys(window, page, page, expected, opened)


@pytest.mark.parametrize("where", ["table", "list"])
def test_every_key_on_the_results_does_what_it_says(
    window: MainWindow, where: str, tmp_path: Path, qtbot: QtBot, opened: list[object]
) -> None:
    page = results_of(window, tmp_path / "papers", qtbot)
    focus = page.detail.table if where == "table" else page.pane.list
    assert_keys(window, page, focus, ON_RESULTS, opened)


def test_undo_and_redo_review_and_the_regions_go_by_keys(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    page = results_of(window, tmp_path / "papers", qtbot)
    key_of = {command.slot: keys_of(command)[0] for command in COMMANDS if keys_of(command)}
    press(window, chord("R"))
    for command, marked in (("undo", 0), ("redo", 2)):
        press(window, key_of[command])
        assert page.session.summary().documents == marked
    press(window, key_of["review_removal"])
    assert [type(sheet).__name__ for sheet in sheets()] == ["RemovalSheet"]
    sheets()[0].reject()
    put_back(window, page, page.pane.list)
    for key, by in ((key_of["next_region"], 1), (key_of["previous_region"], -1)):
        regions = [region for region in page.regions() if region.isVisible() and region.isEnabled()]
        for _ in regions:
            held = regions.index(QApplication.focusWidget())  # type: ignore[arg-type]
            press(window, key)
            assert QApplication.focusWidget() is regions[(held + by) % len(regions)]


def test_the_whole_group_is_chosen_wherever_the_keyboard_is_but_where_text_is(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    page = results_of(window, tmp_path / "papers", qtbot)
    group = {member.document for member in page.detail.model.all_members}
    for region in (page.pane.list, page.pane.card.axis, page.detail.table):
        put_back(window, page, region)
        assert set(page.detail.table.chosen_documents()) < group
        press(window, chord("Ctrl+A"))
        assert set(page.detail.table.chosen_documents()) == group
        press(window, chord("R"))
        decisions = [page.session.marks.decision(row) for row in group]
        assert sum(decision in MARKS for decision in decisions) == len(group) - 1, region.accessibleName()
    put_back(window, page, page.detail.comparison.canvas)
    press(window, chord("Ctrl+A"))
    assert set(page.detail.table.chosen_documents()) < group and page.detail.comparison.canvas.selected_text()
    page.search()
    press(window, chord("Ctrl+A"))
    assert set(page.detail.table.chosen_documents()) < group


@pytest.mark.parametrize("name", ["Contracts", "Correspondence & Contracts of Northwind"])
def test_no_word_of_the_tools_is_cut_in_the_smallest_window(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, name: str
) -> None:
    page = results_of(window, tmp_path / "papers", qtbot, name)
    window.resize(1024, 680)
    QTest.qWait(20)
    cut = [
        button.text() for button in page._tools.findChildren(QPushButton) if button.width() < button.sizeHint().width()
    ]
    assert window.width() == 1024 and not cut


def test_a_short_name_of_a_scan_is_whole_in_the_smallest_window(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    results_of(window, tmp_path / "papers", qtbot, "versions")
    window.resize(1024, 680)
    QTest.qWait(20)
    crumb = window.top._crumb
    assert window.width() == 1024 and crumb.width() >= crumb.fontMetrics().horizontalAdvance("versions")


def test_a_click_on_a_button_leaves_the_keys_to_the_table(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    page = results_of(window, tmp_path / "papers", qtbot)
    buttons = (page.detail.head.up, page.detail.head.reviewed, page.pane._chips[Relation.VERSION], window.top.theme)
    for clicked in buttons:
        page.detail.table.setFocus()
        QTest.mouseClick(clicked, Qt.MouseButton.LeftButton)
        assert page.detail.table.hasFocus(), clicked.accessibleName()


def test_single_letters_are_typed_where_letters_are_taken(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    page = results_of(window, tmp_path / "papers", qtbot)
    page.search()
    for command in COMMANDS:
        for key in command.single_keys:
            if len(key) == 1:
                press(window, chord(key))
    assert page.session.summary().documents == 0 and not sheets() and window.page is page
    assert page._tools.search.hasFocus() and len(page._tools.search.text()) >= 8


def test_the_key_that_starts_starts_a_scan_of_the_chosen_folders(window: MainWindow, tmp_path: Path) -> None:
    setup = window.setup
    asked: list[object] = []
    setup.start_asked.disconnect()
    setup.start_asked.connect(asked.append)
    (tmp_path / "papers").mkdir()
    window.choose_folders([tmp_path / "papers"])
    press(window, chord("Ctrl+Return"))
    assert len(asked) == 1


@pytest.mark.parametrize("name", PAGES)
def test_the_key_that_quits_closes_the_window_on_every_page(window: MainWindow, name: str) -> None:
    page = page_of(window, name)
    window.show_page(page)
    (quit_key,) = [keys_of(command)[0] for command in COMMANDS if command.slot == "quit_program"]
    press(window, quit_key)
    assert not window.isVisible()
