"""The main window with its top bar: shows pages and passes signals of a page to others. Decides nothing."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDropEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QFrame, QMainWindow, QSizePolicy, QStackedWidget, QWidget

from dupfinder.base.errors import DupfinderError
from dupfinder.base.settings import THEME, Settings
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import button, icon_button, set_icon
from dupfinder.gui.kit.cards import DropArea, dropped_paths
from dupfinder.gui.kit.jobs import Job, OneJob, stop_all
from dupfinder.gui.kit.labels import ElidedLabel, label, set_look
from dupfinder.gui.kit.layout import Stretch, across, boxed, down, grow, tab_as_laid_out
from dupfinder.gui.kit.messages import FaultSheet, Toast, explain
from dupfinder.gui.kit.page import WHILE_SHOWN, Page, local_key
from dupfinder.gui.kit.theme import SMALLEST_WIDTH, Theme, ThemeMode
from dupfinder.gui.scanning.watcher import Watcher
from dupfinder.gui.scanning.welcome import WelcomePage
from dupfinder.gui.shell.commands import CommandActions
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import count_text

if TYPE_CHECKING:
    from dupfinder.actions.outcome import Batch
    from dupfinder.gui.removal.history import HistoryPage
    from dupfinder.gui.results.page import ResultsPage
    from dupfinder.gui.scanning.page import ScanningPage
    from dupfinder.gui.scanning.setup import SetupPage
    from dupfinder.gui.settings.page import SettingsPage
    from dupfinder.library.rows import ScanSummary
    from dupfinder.review.session import ReviewSession
    from dupfinder.scan.request import ScanRequest


_BETWEEN_PARTS: Final = " · "
_DIALOG_MS: Final = 100  # between two looks whether a dialog was closed


class _Note(ElidedLabel):
    """Shows as many of its leading parts as fit: it gives its room to the page's tools, which are never cut off."""

    clicked = Signal()

    def fitting(self, width: int) -> str:
        parts = self.text().split(_BETWEEN_PARTS)
        texts = (_BETWEEN_PARTS.join(parts[:count]) for count in range(len(parts), 0, -1))
        return next((text for text in texts if self.fontMetrics().horizontalAdvance(text) <= width), "")

    def _update_tip(self) -> None:
        super()._update_tip()
        is_shown = bool(self.fitting(self.width()))
        self.setMaximumHeight(super().sizeHint().height() if is_shown else 0)  # else the name is in the middle

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.fitting(self.width()):
            self.clicked.emit()

    def minimumSizeHint(self) -> QSize:
        return QSize()


class TopBar(QFrame):
    """The path "dupfinder / page", a note, the page's tools, then help, history, theme and settings."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setProperty("look", "top")
        self.setFixedHeight(max(52, theme.px(52)))
        self.back = icon_button(theme, "left", say("Back"))
        self.home = button(theme, "dupfinder", "quiet")
        size = f"font-size: {theme.px(14)}px"
        self.home.setStyleSheet(f"font-weight: 700; {size}; color: palette(window-text); padding: 2px 4px;")
        self.home.setToolTip(say("Back to the start page"))
        self._slash = label("/", "lead", "tertiary")
        self._slash.setStyleSheet(f"font-weight: 400; {size}; padding-bottom: 2px;")
        self._crumb = ElidedLabel("", "lead", elide=Qt.TextElideMode.ElideRight)
        self._crumb.setStyleSheet(f"{size}; padding-bottom: 2px;")
        self._crumb.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)  # whole where it fits
        self.note = _Note("", "small")
        self.note.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        self._tools: QWidget | None = None
        self.help = icon_button(theme, "help", say("Help and shortcuts"))
        self.history = icon_button(theme, "history", say("History"))
        self.theme = icon_button(theme, "moon", say("Light or dark"))
        self.settings = icon_button(theme, "settings", say("Settings"))
        heading = down(Stretch(), self._crumb, self.note, Stretch(), spacing=0)
        names = (self.back, self.home, self._slash, grow(heading))
        tools = (self.help, self.history, self.theme, self.settings)
        self._row = across(*names, *tools, margins=(16, 0, 14, 0), spacing=8, into=self)
        theme.changed.connect(self._show_theme)
        self._show_theme()

    def show_page(self, page: Page) -> None:
        """Show the heading and the tools of a page."""
        self.setVisible(not page.has_head)
        self.back.setVisible(page.is_aside)
        self._crumb.setText(page.crumb())
        self.note.setText(page.note())
        self.note.setVisible(bool(page.note()))
        acts = bool(page.note_command())
        set_look(self.note, tone="accent" if acts else "secondary")
        self.note.setCursor(Qt.CursorShape.PointingHandCursor if acts else Qt.CursorShape.ArrowCursor)
        tools = page.tools()
        if tools is not self._tools:
            if self._tools is not None:
                self._row.removeWidget(self._tools)
                self._tools.hide()
            if tools is not None:
                self._row.insertWidget(self._row.indexOf(self.help), tools)
                tools.show()
            self._tools = tools
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Shorten the name, then hide it and what keys do too, rather than cut the tools of the page."""
        crumb = self._crumb.text()
        names, keys = (self._slash, self._crumb), (self.theme, self.help, self.history, self.settings, self.home)
        for part in (*names, *keys):
            part.setVisible(bool(crumb) or part not in names)
        name = min(self._crumb.fontMetrics().horizontalAdvance(crumb), self._theme.px(_ROOM_FOR_NAME))
        self._crumb.setMinimumWidth(name)
        self._crumb.setMinimumWidth(min(name, max(self._crumb.minimumSizeHint().width(), name - self._missing())))
        for parts in ((self.theme,), (self.help,), names, (self.history,), (self.settings,), (self.home,)):
            for part in parts if self._missing() > 0 else ():
                part.hide()

    def _missing(self) -> int:
        """Return how much narrower the bar is than its parts, in pixels."""
        self._row.activate()
        return self._row.minimumSize().width() - self.width()

    def _show_theme(self) -> None:
        set_icon(self._theme, self.theme, "sun" if self._theme.dark else "moon")


def _accept_as_copy(event: QDropEvent) -> bool:
    """Take what is dropped, unless its source only moves it: after a move, the source may remove the files."""
    for action in (Qt.DropAction.CopyAction, Qt.DropAction.LinkAction):
        if event.possibleActions() & action:
            event.setDropAction(action)
            event.accept()
            return True
    event.ignore()
    return False


_ROOM_FOR_NAME: Final = 160  # px of a scan's name, before the search gets more than it needs
FRAME: Final = 36  # px of a title bar
SMALLEST_SIZE: Final = (SMALLEST_WIDTH, 680 - FRAME)
LEAST_WIDTH: Final = 900  # px at the usual size of text: what a page needs if the list of groups is hidden
USUAL_SIZE: Final = (1440, 900)


class PageStack(QStackedWidget):
    """The pages of a window, one of which is shown, and those to which Back returns."""

    shown = Signal(object)  # the shown Page, also when its heading changed
    toast_wanted = Signal(str, str, object)  # as of Page

    def __init__(self) -> None:
        super().__init__()
        self._once: Page | None = None  # which `show_once` showed last
        self._behind: list[Page] = []  # to which Back returns, the nearest last

    @property
    def page(self) -> Page:
        page = self.currentWidget()
        assert isinstance(page, Page)
        return page

    def add(self, page: Page) -> None:
        """Add a page, without showing it."""
        self.addWidget(page)
        page.heading_changed.connect(lambda: self.shown.emit(self.page))
        page.toast_wanted.connect(self.toast_wanted)
        if page.is_aside:
            local_key(page, "Esc", self.go_back, WHILE_SHOWN)
            page.back_wanted.connect(self.go_back)

    def show_page(self, page: Page) -> None:
        before = self.page
        behind = [*self._behind, before] if page.is_aside else []
        self._behind = behind[: behind.index(page)] if page in behind else behind
        self.setCurrentWidget(page)
        if before is not page:
            before.exited()
        self.shown.emit(page)
        page.entered()

    def show_once(self, page: Page) -> None:
        """Add and show a page, and delete the one that was shown this way before."""
        before, self._once = self._once, page
        self.add(page)
        self.show_page(page)
        if before is not None:
            self.discard(before)

    def go_back(self) -> None:
        """Show the page from which the current one was opened."""
        if self._behind:
            self.show_page(self._behind[-1])

    def discard(self, page: Page) -> None:
        """Delete a page that is not shown."""
        self._behind = [other for other in self._behind if other is not page]
        self.removeWidget(page)
        page.deleteLater()


class MainWindow(QMainWindow):
    """One window that shows one page at a time. Pages except Welcome are created at first use."""

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__()
        self._theme, self._settings, self._library = theme, settings, library
        self._recent, self._to_open = OneJob(self), list[int]()  # the scan being opened, and those chosen meanwhile
        self._results: ResultsPage | None = None
        self.setWindowTitle("dupfinder")
        room, smallest = self.screen().availableSize() - QSize(0, FRAME), QSize(*SMALLEST_SIZE)
        with_large_text = QSize(theme.px(LEAST_WIDTH), theme.px(smallest.height()))
        self.setMinimumSize(smallest.expandedTo(with_large_text).boundedTo(room))
        self.resize(room.boundedTo(QSize(*USUAL_SIZE)))
        self.setAcceptDrops(True)
        self.top = top = TopBar(theme)
        self.pages = PageStack()
        self.pages.shown.connect(self.top.show_page)
        self.setCentralWidget(boxed(down(self.top, grow(self.pages), spacing=0)))
        self.commands = CommandActions(self, self._carry_out)
        self.pages.shown.connect(self.commands.tell_keys)
        self.toast = Toast(theme, self)
        self.pages.currentChanged.connect(self.toast.leave)
        self.pages.toast_wanted.connect(self.toast.show_text)
        self.welcome = WelcomePage(theme, lambda: "scanning" in vars(self) and self.scanning.is_running)
        self.pages.add(self.welcome)
        self.welcome.folders_chosen.connect(self.choose_folders)
        self.welcome.scan_chosen.connect(self._open_recent)
        self.welcome.painted.connect(self.refresh_recent)
        self.welcome.painted.connect(self._look_for_cut_off)
        for control, act in (
            (top.home, self.go_home), (top.back, self.go_back), (top.help, self.show_help),
            (top.history, self.show_history), (top.theme, self.switch_theme), (top.settings, self.show_settings),
        ):  # fmt: skip
            control.clicked.connect(act)
        top.note.clicked.connect(lambda: self._carry_out(self.page.note_command()))
        self.watcher = Watcher(library, settings, self)
        self.watcher.news.connect(self._show_news)
        self.watcher.trouble.connect(self.toast.show_text)
        self.show_page(self.welcome)

    @property
    def page(self) -> Page:
        return self.pages.page

    def _carry_out(self, slot: str) -> None:
        """Run a command of the shown page, or of the window."""
        method = self.page.command(slot) or getattr(self, slot, None)
        if callable(method) and self.page.offers(slot):
            method()

    def show_help(self) -> None:
        from dupfinder.gui.shell.help import open_help

        open_help(self._theme, self, self.commands)

    def change_keys(self) -> None:
        from dupfinder.gui.shell.help import open_keys

        open_keys(self._theme, self, self.commands)

    def show_page(self, page: Page) -> None:
        self.pages.show_page(page)
        tab_as_laid_out(self.top, page)

    # Commands of every page

    def go_back(self) -> None:
        """Return to the page from which this one was opened."""
        self.pages.go_back()
        if self.page is self.welcome:  # scans may have been deleted meanwhile, or files restored
            self.refresh_recent()

    def quit_program(self) -> None:
        """Close the window, which ends the program."""
        self.close()

    def go_home(self) -> None:
        """Show the start page and update its list."""
        self.show_page(self.welcome)
        self.refresh_recent()

    def refresh_recent(self) -> None:
        """Read the list of scans in a job."""
        if not self._recent.is_running:
            work = partial(tasks.recent_scans, self._library)
            self._recent.start(work, succeeded=self.welcome.show_recent, failed=self.explain)

    def _look_for_cut_off(self) -> None:
        """Complete interrupted removals; tell of one that was cut off until the person closes it."""
        Job(tasks.cut_off_removal, self).start(succeeded=self._tell_cut_off, failed=self.explain)

    def _tell_cut_off(self, batch: Batch | None) -> None:
        if batch is not None:
            done, total = count_text(len(batch.outcomes)), count_text(batch.total)
            text = say("The newest removal stopped after {done} of {total}.", done=done, total=total)
            self.toast.show_text(text, say("History"), self.show_history, stays=True)

    def switch_theme(self) -> None:
        """Change between light and dark, and store the choice."""
        mode = ThemeMode.LIGHT if self._theme.dark else ThemeMode.DARK
        self._settings.set(THEME, mode.value)
        self._theme.set_mode(mode)

    def show_history(self) -> None:
        self.show_page(self.history)

    def show_settings(self) -> None:
        self.show_page(self.settings_page)

    # The pages, each created at its first use

    @cached_property
    def setup(self) -> SetupPage:
        from dupfinder.gui.scanning.setup import SetupPage

        page = SetupPage(self._theme, self._settings, self._library)
        page.start_asked.connect(self.start)
        self.pages.add(page)
        return page

    @cached_property
    def scanning(self) -> ScanningPage:
        from dupfinder.gui.scanning.page import ScanningPage

        page = ScanningPage(self._theme, self._library)
        page.finished.connect(self._scan_ended)
        page.review_wanted.connect(self._review_first)
        page.progressed.connect(lambda text: self._results.bar.show_scan(text) if self._results else None)
        page.cancelled.connect(self.go_home)
        page.refused.connect(self._scan_refused)
        self.pages.add(page)
        return page

    @cached_property
    def history(self) -> HistoryPage:
        from dupfinder.gui.removal.history import HistoryPage

        page = HistoryPage(self._theme, self._settings)
        page.restored.connect(self._show_restored)
        self.pages.add(page)
        return page

    @cached_property
    def settings_page(self) -> SettingsPage:
        from dupfinder.gui.settings.page import SettingsPage

        page = SettingsPage(self._theme, self._settings, self._library)
        page.keys_wanted.connect(self.change_keys)
        page.all_reset.connect(self.commands.reset_keys)
        page.watching_changed.connect(self.watcher.follow_setting)
        self.pages.add(page)
        return page

    # From one page to the next

    def choose_folders(self, folders: list[Path]) -> None:
        """Show a new scan of these folders; if the person is putting one together, add them to it."""
        if self.page is not self.setup and not self.page.is_aside:
            self.setup.new_scan()
        self.setup.add_folders(folders)
        self.show_page(self.setup)

    def new_scan(self) -> None:
        self.show_page(self.setup)

    def _open_recent(self, recent: tasks.RecentScan) -> None:
        if recent.summary.state == "done":
            self.show_scan(recent.summary.id)
        elif self.scanning.is_busy:
            self.show_page(self.scanning)
        else:  # it goes on: what was read is not read again
            self._offer_rescan(recent.summary)
            self.setup.start_scan()

    def _offer_rescan(self, summary: ScanSummary) -> None:
        """Show a new scan with the folders of an earlier one."""
        self.setup.take_over(summary)
        self.show_page(self.setup)

    def start(self, request: ScanRequest) -> None:
        """Start a scan and show its progress."""
        if self.scanning.is_running:
            self.toast.show_text(say("A scan is still running. Pause or stop it first."))
        else:
            self.scanning.ended = None
            self.watcher.begin(request, self.scanning.run)
        self.show_page(self.scanning)

    def _show_news(self, text: str, number: int) -> None:
        self.toast.show_text(text, say("Show results"), partial(self.show_scan, number))

    def _scan_refused(self, error: BaseException) -> None:
        """Show why a scan could not begin, on the page where its folders can be changed."""
        self.show_page(self.welcome)  # to which Back returns
        self.show_page(self.setup)
        self.explain(error)

    def _scan_ended(self, number: int) -> None:
        QApplication.alert(self)
        self.watcher.scan_ended(number)
        if self._results is not None and self._results.session.is_unfinished:
            self._results.bar.show_scan_ended()
        self.scanning.ended = number  # for a person who comes back before its results are shown, or after a failure
        if self.page is self.scanning:
            self.show_scan(number)
        else:
            self.refresh_recent()
            self._show_news(say("The scan is complete."), number)

    def _review_first(self, session: ReviewSession) -> None:
        """Show first results, while their scan goes on."""
        if self._results is not None and self._results.session is session:
            self.show_page(self._results)
        else:
            self._show_session(session)

    def show_scan(self, number: int) -> None:
        """Load a finished scan and show its results; of those chosen while another is opened, the last follows it."""
        self._to_open.append(number)
        if len(self._to_open) == 1:
            self.toast.show_wait(say("Opening the results…"))
            work = partial(tasks.session, self._library, number, restore_view=_restore_view)
            Job(work, self).start(succeeded=self._show_session, failed=self.explain)

    def open_scan(self) -> None:
        """Show the list of scans on the start page."""
        self.go_home()
        self.welcome.choose_recent()

    def _show_session(self, session: ReviewSession) -> None:
        from dupfinder.gui.results.page import make_page

        make_page(session, self._theme, self._library, self._show_results, self.pages)

    def _show_results(self, page: ResultsPage) -> None:
        """Show results in place of others, once no dialog needs those: a removal in it must reach its own page."""
        if QApplication.activeModalWidget() is not None:
            QTimer.singleShot(_DIALOG_MS, page, partial(self._show_results, page))
            return
        opened, self._to_open = self._to_open, []
        before, self._results = self._results, page
        page.decision_undone.connect(self.toast.hide)
        page.rescan_wanted.connect(self._offer_rescan)
        page.pane.review_wanted.connect(self.pages.show_once)
        page.scan_wanted.connect(lambda: self.show_page(self.scanning))  # of first results
        self.pages.add(page)
        self.show_page(page)
        if before is not None:
            before.close_session()
            self.pages.discard(before)
        if opened and opened[-1] != opened[0]:
            self.show_scan(opened[-1])

    def _show_restored(self, batch: Batch) -> None:
        if self._results is not None:
            self._results.show_restored(batch)

    @Slot(object)
    def explain(self, error: BaseException) -> None:
        """Show a dialog for an error of a job or slot; a fault that repeats is shown once."""
        self._to_open = []
        self.toast.leave()
        if isinstance(error, DupfinderError) or not isinstance(QApplication.activeModalWidget(), FaultSheet):
            explain(self._theme, self, error)

    # Dropping and closing

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped_paths(event.mimeData()) or self.page.use_of(event.mimeData()):
            self._set_hot(_accept_as_copy(event))

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._set_hot(False)

    def dropEvent(self, event: QDropEvent) -> None:
        self._set_hot(False)
        (self.page.use_of(event.mimeData()) or partial(self.choose_folders, dropped_paths(event.mimeData())))()
        _accept_as_copy(event)

    def _set_hot(self, hot: bool) -> None:
        if isinstance(area := getattr(self.page, "area", None), DropArea):
            area.set_hot(hot)

    @Slot(object)
    def raise_here(self, folders: list[Path]) -> None:
        """Bring the window to the front, and show a new scan of the folders that a second start names."""
        self.showNormal() if self.isMinimized() else self.show()
        self.raise_()
        self.activateWindow()
        if folders:
            self.choose_folders(folders)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.page.exited()
        if self._results is not None:
            self._results.close_session()
        self.hide()  # ending the jobs takes up to a second
        stop_all()
        super().closeEvent(event)


def _restore_view(session: ReviewSession) -> None:
    """Set the order and the demand of the last review, in the job that loads the session.

    Also load what the page needs at its first use, its modules and the names of months, so that the window need not.
    """
    from dupfinder.gui.kit import words
    from dupfinder.gui.results import page  # noqa: F401
    from dupfinder.gui.results.groups import ViewState

    words.when(session.result.summary.started)
    ViewState(session).restore_session()
