"""The start page: drop folders, or open an earlier scan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from dupfinder.base.display import shown
from dupfinder.gui.kit.buttons import RowButton, button, two_lines
from dupfinder.gui.kit.cards import Card, DropArea, Icon, SheetsPicture, Tile
from dupfinder.gui.kit.files import choose_folder
from dupfinder.gui.kit.labels import badge, label
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, boxed, down, grow
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.tasks import RecentScan
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import say, say_count
from dupfinder.wording.figures import documents_text

_WIDTH = 760
_FEW = 4  # recent scans shown before "Show all"
_STATE_WIDTH = 96
_ASSURANCE_WIDTH = 190


class WelcomePage(Page):
    """`folders_chosen(list[Path])` for dropped or chosen folders, `scan_chosen(RecentScan)` for a row of the list."""

    folders_chosen = Signal(object)
    scan_chosen = Signal(object)
    painted = Signal()  # once, after the page was painted: slow work may begin

    def __init__(self, theme: Theme, is_scanning: Callable[[], bool] = lambda: False) -> None:
        super().__init__()
        self._theme, self._is_scanning = theme, is_scanning
        self._recent: Sequence[RecentScan] = ()
        self._rows: list[RowButton] = []
        self._all = False
        self._chooses = False  # focus the list when it is loaded
        self._seen = False
        parts = (self._make_drop_area(), Space(24), self._make_assurances(), Space(40), self._make_recent())
        content = down(Stretch(3), *parts, Stretch(4), margins=(0, 32, 0, 32), spacing=0)
        self.lay_out(content, theme.px(_WIDTH))

    def _make_drop_area(self) -> DropArea:
        self.area = DropArea(self._theme)
        title = label(say("Drop folders here to find duplicate documents"), "sheet", wrap=True)
        text = say("PDF, Word, HTML, OpenDocument, RTF and text — even when the format, name or wording differs")
        kinds = label(text, "body", "secondary", wrap=True)
        middle = Qt.AlignmentFlag.AlignHCenter
        for sentence in (title, kinds):
            sentence.setAlignment(middle)
        self.choose = button(self._theme, say("Choose folders…"), "primary", "folder", self.new_scan)
        self.choose.setProperty("large", "true")
        self.choose.setMinimumWidth(200)
        picture = aligned(SheetsPicture(self._theme), middle)
        parts = (picture, Space(24), title, Space(6), kinds, Space(18), aligned(self.choose, middle))
        down(*parts, margins=(32, 48, 32, 36), spacing=0, into=self.area)
        return self.area

    def _make_assurances(self) -> QHBoxLayout:
        row = across(spacing=24)
        for icon, title, text in (
            ("lock", say("Stays on this computer"), say("Nothing is uploaded. Works without a network.")),
            ("eye", say("Only reads while scanning"), say("No file is changed until you confirm it.")),
            ("shield", say("One copy always stays"), say("The last copy of a document cannot be removed.")),
        ):
            sentence = label(text, "secondary", wrap=True)
            sentence.setMaximumWidth(self._theme.px(_ASSURANCE_WIDTH))
            texts = down(label(title, "strong", wrap=True), sentence, Stretch(), spacing=3)
            sign = aligned(Icon(self._theme, icon, "accent", 20), Qt.AlignmentFlag.AlignTop)
            row.addLayout(across(Space(2), sign, grow(texts), spacing=14), 1)
        return row

    def _make_recent(self) -> QWidget:
        self._more = button(self._theme, say("Show all"), "link", act=self._show_all)
        head = across(grow(label(say("Recent scans"), "strong")), self._more)
        self._card = Card(margin=4, spacing=0)
        self._section = boxed(down(head, self._card, spacing=8))
        self._section.hide()
        return self._section

    def show_recent(self, recent: Sequence[RecentScan]) -> None:
        """Replace the list of scans; it is hidden if empty."""
        self._recent = recent
        self._fill()

    def _show_all(self) -> None:
        self._all = True
        self._fill()
        more = next((row for row in self._rows[_FEW:] if row.isEnabled()), self.choose)
        more.setFocus(Qt.FocusReason.TabFocusReason)  # the button that had the focus is hidden

    def _fill(self) -> None:
        """Rebuild the rows; the row with the focus keeps it."""
        focused = next((number for number, row in enumerate(self._rows) if row.hasFocus()), -1)
        shown_now = self._recent if self._all else self._recent[:_FEW]
        self._rows = [self._row(recent) for recent in shown_now]
        self._card.show_rows(self._rows, 14)
        self._more.setVisible(len(shown_now) < len(self._recent))
        self._section.setVisible(bool(self._recent))
        if self._chooses and self._rows:
            self.choose_recent()
        elif focused >= 0 and self._rows:
            self._rows[min(focused, len(self._rows) - 1)].setFocus()

    def _row(self, recent: RecentScan) -> RowButton:
        from dupfinder.gui.kit import words  # loads numpy: only after the window was painted

        summary = recent.summary
        folders = ", ".join(shown(path) for path, role in summary.roots if role != "leave_out")
        not_found = say("Folder not found — reconnect the drive or choose it again")
        documents = documents_text(summary.read)
        groups = say_count("{count} group found", "{count} groups found", summary.clusters)  # then, not what is left
        groups = say("Filled-in forms found") if recent.only_forms else groups
        state = self._state(recent)
        row = RowButton(", ".join((shown(summary.name), folders, documents, groups, state.text())))
        counts = two_lines(documents, groups if summary.state == "done" else "", ("medium", "secondary"))
        at_right = boxed(across(Stretch(), state))
        at_right.setMinimumWidth(self._theme.px(_STATE_WIDTH))  # so that columns are aligned
        add(
            row.row,
            Tile(self._theme, "folder", "neutral" if recent.missing else "accent", 32),
            grow(two_lines(shown(summary.name), not_found if recent.missing else folders), 30),
            grow(counts, 17),
            grow(label(words.when(summary.started), "secondary"), 12),
            at_right,
        )
        row.setEnabled(not recent.missing)
        row.clicked.connect(lambda: self.scan_chosen.emit(recent))
        for child in row.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the mouse is for the row
        return row

    def _state(self, recent: RecentScan) -> QLabel:
        if recent.summary.state != "done":
            newest = next(other for other in self._recent if other.summary.state != "done")
            is_running = recent is newest and self._is_scanning()
            return badge(say("Scanning…") if is_running else say("Unfinished"), "accent")
        if recent.marked:
            return badge(say_count("{count} marked", "{count} marked", recent.marked), "warn")
        return badge(say("Done"), "keep")

    def entered(self) -> None:
        super().entered()
        self.choose.setFocus()

    def new_scan(self) -> None:
        if chosen := choose_folder(self, Path.home()):
            self.folders_chosen.emit([chosen])

    def choose_recent(self) -> None:
        """Focus the list of scans, when it is loaded."""
        first = next((row for row in self._rows if row.isEnabled()), None)
        self._chooses = first is None
        if first is not None:
            first.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._seen:
            self._seen = True
            QTimer.singleShot(0, self.painted.emit)
