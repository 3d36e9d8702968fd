"""What the tests of the results share: a reader that answers at once, and a page on a small scan."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from dupfinder.base.paths import default_library
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.pair_reader import PairReader
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.results.cluster_detail import ClusterDetail
from dupfinder.gui.results.cluster_pane import ClusterPane
from dupfinder.gui.results.groups import ViewState
from dupfinder.gui.results.page import ResultsPage
from dupfinder.review.session import ReviewSession
from dupfinder.scan.comparison import PairTask, compare_pair, with_bytes
from tests.gui.scanned import scan_result
from tests.gui.widgets import put_up


class DirectReader(PairReader):
    """Reads files and compares them in this process, at once."""

    asked: list[tuple[Path, Path]]

    def __init__(self) -> None:
        super().__init__()
        self.asked = []

    def read(self, left: Path, right: Path, options: Options) -> None:
        self.asked.append((left, right))
        if not left.exists() or not right.exists():
            self.failed.emit("Nothing to compare as text", "It is gone.")
            return
        self._wanted = self._compared = PairTask(left, right, options)
        self._ended(with_bytes(compare_pair(self._wanted)))  # a file may be removed meanwhile


def session_in(folder: Path) -> ReviewSession:
    """A session on the papers of `scanned`."""
    return ReviewSession(scan_result(folder))


# Held until a test's deferred deletions are done: a page that goes while its sheet does would delete the sheet twice.
# In the program the window owns its pages.
held: list[ResultsPage] = []


def close_sessions() -> None:
    """Close the sessions of the pages of a test."""
    for page in filter(isValid, held):
        page.close_session()


def page_on(session: ReviewSession, theme: Theme, qtbot: QtBot | None = None) -> ResultsPage:
    """A page of the usual size; not yet shown. qtbot: closes it when the test ends."""
    ViewState(session).restore_session()
    pane = ClusterPane(session, Drawing(theme))
    page = ResultsPage(session, default_library(), pane, ClusterDetail(session, pane.drawing, DirectReader()), None)
    held.append(page)
    page.resize(1440, 820)
    if qtbot is not None:
        qtbot.addWidget(page)
    return page


def shown(session: ReviewSession, theme: Theme, qtbot: QtBot) -> ResultsPage:
    """Show a page with its tools."""
    page = put_up(page_on(session, theme), qtbot)
    qtbot.addWidget(page.tools() or QWidget())
    return page
