"""The main window: shows pages and passes signals of a page to others. Decides nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, QTimer, Slot
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QStackedWidget,
    QTextEdit,
    QVBoxLayout,
    QWidget,
)

from dupfinder.base.errors import DupfinderError
from dupfinder.base.settings import THEME, Settings
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.drop_area import DropArea, dropped_paths
from dupfinder.gui.kit.jobs import Job, Work, stop_all
from dupfinder.gui.kit.messages import Toast, Unexpected, explain
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.theme import Mode, Theme
from dupfinder.gui.scanning.welcome import WelcomePage
from dupfinder.gui.shell.commands import COMMANDS
from dupfinder.gui.shell.top_bar import TopBar

if TYPE_CHECKING:
    from dupfinder.actions.outcome import Batch
    from dupfinder.gui.removal.history import HistoryPage
    from dupfinder.gui.scanning.page import ScanningPage
    from dupfinder.gui.scanning.setup import SetupPage
    from dupfinder.gui.settings.page import SettingsPage
    from dupfinder.library.rows import ScanSummary
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.request import ScanRequest

SMALLEST: Final = (1024, 680)
USUAL: Final = (1440, 900)
FRAME: Final = 36  # px of a title bar
_TAKES_LETTERS: Final = (QLineEdit, QAbstractSpinBox, QComboBox, QTextEdit, QPlainTextEdit)


def _opening_size(window: QWidget) -> QSize:
    """Return the usual size, limited to the screen without the title bar."""
    return window.screen().availableSize().boundedTo(QSize(*USUAL) + QSize(0, FRAME)) - QSize(0, FRAME)


class MainWindow(QMainWindow):
    """One window that shows one page at a time. Pages except Welcome are created at first use."""

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__()
        self._theme, self._settings, self._library = theme, settings, library
        self._recent: Job | None = None
        self._opening: Job | None = None
        self._singles: list[QAction] = []
        self._return: Page | None = None  # page to which Back returns
        self.setWindowTitle("dupfinder")
        self.setMinimumSize(*SMALLEST)
        self.resize(_opening_size(self))
        self.setAcceptDrops(True)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self.top = TopBar(theme)
        self._stack = QStackedWidget()
        column.addWidget(self.top)
        column.addWidget(self._stack, 1)
        self.setCentralWidget(centre)
        self.toast = Toast(theme, self)
        self._pages: dict[str, Page] = {}
        self.welcome = WelcomePage(theme)
        self._add("welcome", self.welcome)
        self.welcome.folders_chosen.connect(self.choose_folders)
        self.welcome.scan_chosen.connect(self._open_recent)
        self.welcome.painted.connect(self.refresh_recent)
        self.top.home.connect(self.go_home)
        self.top.back.connect(self.go_back)
        self.top.help_asked.connect(self.show_help)
        self.top.history_asked.connect(self.show_history)
        self.top.theme_asked.connect(self.switch_theme)
        self.top.settings_asked.connect(self.show_settings)
        self._add_actions()
        self.show_page(self.welcome)

    def _add(self, name: str, page: Page) -> None:
        self._pages[name] = page
        self._stack.addWidget(page)
        page.heading_changed.connect(self._heading_changed)

    def _add_actions(self) -> None:
        for command in COMMANDS:
            action = QAction(command.text(), self)
            action.setObjectName(command.id)
            action.setShortcuts(command.sequences())
            action.triggered.connect(partial(self._carry_out, command.slot))
            self.addAction(action)
            if command.letters():
                single = QAction(command.text(), self)
                single.setShortcuts(command.letters())
                single.triggered.connect(partial(self._carry_out, command.slot))
                self.addAction(single)
                self._singles.append(single)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        application.focusChanged.connect(self._focus_changed)

    @Slot(QWidget, QWidget)
    def _focus_changed(self, _before: QWidget | None, now: QWidget | None) -> None:
        """Disable single-letter commands while the focused widget takes letters."""
        for action in self._singles:
            action.setEnabled(not isinstance(now, _TAKES_LETTERS))

    @property
    def page(self) -> Page:
        """The page that is shown."""
        page = self._stack.currentWidget()
        assert isinstance(page, Page)
        return page

    def _carry_out(self, slot: str, _checked: bool = False) -> None:
        target = getattr(self.page, slot, None) or getattr(self, slot, None)
        if callable(target) and self.page.offers(slot):
            target()

    def show_page(self, page: Page) -> None:
        """Show a page."""
        before = self._stack.currentWidget()
        if page.is_aside() and isinstance(before, Page) and not before.is_aside():
            self._return = before
        self._stack.setCurrentWidget(page)
        if isinstance(before, Page) and before is not page:
            before.left()
        self.top.show_page(page)
        page.entered()

    @Slot()
    def _heading_changed(self) -> None:
        self.top.show_page(self.page)

    # Commands of every page

    @Slot()
    def go_back(self) -> None:
        """Return to the page from which this one was opened."""
        if self.page.is_aside() and self._return is not None:
            self.show_page(self._return)

    @Slot()
    def quit_program(self) -> None:
        """Close the window, which ends the program."""
        self.close()

    @Slot()
    def go_home(self) -> None:
        """Show the start page and update its list."""
        self.show_page(self.welcome)
        self.refresh_recent()

    @Slot()
    def refresh_recent(self) -> None:
        """Read the list of scans in a job."""
        if self._recent is None or not self._recent.is_running():
            self._recent = self._start(partial(tasks.recent_scans, self._library), self.welcome.show_recent)

    @Slot()
    def switch_theme(self) -> None:
        """Change between light and dark, and store the choice."""
        mode = Mode.LIGHT if self._theme.dark else Mode.DARK
        self._settings.set(THEME, mode.value)
        self._theme.set_mode(mode)

    @Slot()
    def show_help(self) -> None:
        """Show the shortcuts."""
        from dupfinder.gui.shell.commands import HelpSheet

        HelpSheet(self._theme, self).open()

    @Slot()
    def show_history(self) -> None:
        """Show the removals."""
        self.show_page(self.history())

    @Slot()
    def show_settings(self) -> None:
        """Show the settings."""
        self.show_page(self.settings_page())

    # The pages

    def setup(self) -> SetupPage:
        """Return the page of a new scan."""
        from dupfinder.gui.scanning.setup import SetupPage

        page = self._pages.get("setup")
        if not isinstance(page, SetupPage):
            page = SetupPage(self._theme, self._settings, self._library)
            page.start_asked.connect(self.start)
            self._add("setup", page)
        return page

    def scanning(self) -> ScanningPage:
        """Return the page of a running scan."""
        from dupfinder.gui.scanning.page import ScanningPage

        page = self._pages.get("scanning")
        if not isinstance(page, ScanningPage):
            page = ScanningPage(self._theme, self._library)
            page.finished.connect(self._scan_ended)
            page.toast_wanted.connect(self.toast.tell)
            page.cancelled.connect(self.go_home)
            self._add("scanning", page)
        return page

    def history(self) -> HistoryPage:
        """Return the page of removals."""
        from dupfinder.gui.removal.history import HistoryPage

        page = self._pages.get("history")
        if not isinstance(page, HistoryPage):
            page = HistoryPage(self._theme, self._settings, tasks.default_journal)
            page.toast_wanted.connect(self.toast.tell)
            page.restored.connect(self._show_restored)
            self._add("history", page)
        return page

    def settings_page(self) -> SettingsPage:
        """Return the page of settings."""
        from dupfinder.gui.settings.page import SettingsPage

        page = self._pages.get("settings")
        if not isinstance(page, SettingsPage):
            page = SettingsPage(self._theme, self._settings, self._library)
            page.toast_wanted.connect(self.toast.tell)
            self._add("settings", page)
        return page

    # From one page to the next

    @Slot(object)
    def choose_folders(self, folders: list[Path]) -> None:
        """Show a new scan with these folders added."""
        setup = self.setup()
        setup.add_folders(folders)
        self.show_page(setup)

    @Slot()
    def new_scan(self) -> None:
        """Show a new scan."""
        self.show_page(self.setup())

    @Slot(object)
    def _open_recent(self, recent: tasks.RecentScan) -> None:
        if self.scanning().is_busy and recent.summary.state != "done":
            self.show_page(self.scanning())
            return
        if recent.summary.state == "done":
            self.show_scan(recent.summary.id)
            return
        self._scan_again(recent.summary)

    @Slot(object)
    def _scan_again(self, summary: ScanSummary) -> None:
        """Show a new scan with the folders of an earlier one."""
        setup = self.setup()
        setup.take_over(summary)
        self.show_page(setup)

    @Slot(object)
    def start(self, request: ScanRequest) -> None:
        """Start a scan and show its progress."""
        page = self.scanning()
        if page.is_running:
            self.toast.tell(self.tr("A scan is still running. Pause or cancel it first."))
        else:
            page.run(request)
        self.show_page(page)

    @Slot(int)
    def _scan_ended(self, number: int) -> None:
        QApplication.alert(self)
        if self.page is self.scanning():
            self.show_scan(number)
        else:
            text = self.tr("The scan is complete.")
            self.toast.tell(text, self.tr("Show results"), partial(self.show_scan, number))

    @Slot(int)
    def show_scan(self, number: int) -> None:
        """Load a finished scan and show its results."""
        if self._opening is None:
            work = partial(tasks.session, self._library, number, restore=_restore_view)
            self._opening = self._start(work, self._show_session)
            self._opening.failed.connect(self._opened)

    @Slot()
    def open_scan(self) -> None:
        """Show the list of scans on the start page."""
        self.go_home()
        self.welcome.choose_recent()

    @Slot()
    def _opened(self) -> None:
        """Allow to open the next scan. The job may not have ended yet, so it cannot be asked."""
        self._opening = None

    def _show_session(self, session: ReviewSession) -> None:
        from dupfinder.gui.results.page import ResultsPage

        self._opened()
        before = self._pages.get("results")
        page = ResultsPage(session, self._theme, self._library)
        page.toast_wanted.connect(self.toast.tell)
        page.rescan_wanted.connect(self._scan_again)
        self._add("results", page)
        if isinstance(before, ResultsPage):
            before.close_session()
        # Creating and laying out a page each take a moment; in between the window handles events.
        QTimer.singleShot(0, self, partial(self._show_results, page, before))

    def _show_results(self, page: Page, before: Page | None) -> None:
        self.show_page(page)
        if before is not None:
            self._return = None if self._return is before else self._return
            self._stack.removeWidget(before)
            before.deleteLater()

    @Slot(object)
    def _show_restored(self, batch: Batch) -> None:
        from dupfinder.gui.results.page import ResultsPage

        results = self._pages.get("results")
        if isinstance(results, ResultsPage):
            results.show_restored(batch)

    def _start(self, work: Work, succeeded: Callable[..., object]) -> Job:
        job = Job(work, self)
        job.succeeded.connect(succeeded)
        job.failed.connect(self.explain)
        return job.start()

    @Slot(object)
    def explain(self, error: BaseException) -> None:
        """Show a dialog for an error of a job or slot; a fault that repeats is shown once."""
        if isinstance(QApplication.activeModalWidget(), Unexpected) and not isinstance(error, DupfinderError):
            return
        explain(self._theme, self, error)

    # Dropping and closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()):
            self._set_hot(True)
            event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_hot(False)
        self.choose_folders(dropped_paths(event.mimeData()))
        event.acceptProposedAction()

    def _set_hot(self, hot: bool) -> None:
        area = getattr(self.page, "area", None)
        if isinstance(area, DropArea):
            area.set_hot(hot)

    def raise_here(self) -> None:
        """Bring the window to the front."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.page.left()
        self.hide()  # ending the jobs takes up to a second
        stop_all()
        super().closeEvent(event)


def _restore_view(session: ReviewSession) -> None:
    """Set the order and the demand of the last review, in the job that loads the session."""
    from dupfinder.gui.results.view_state import ViewState

    ViewState(session).restore_session()
