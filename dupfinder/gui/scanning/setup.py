"""New scan: folders with their roles, formats and filters, and counts of the documents to be read."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import DupfinderError
from dupfinder.base.settings import ALL_FILES, ARCHIVES, HIDDEN, LARGEST, OCR, WORKERS, Setting, Settings
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import Switch, button, chip
from dupfinder.gui.kit.cards import Card, DropArea, Icon
from dupfinder.gui.kit.files import choose_folder
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.layout import Gap, Spring, across, add, down, grow, placed
from dupfinder.gui.kit.messages import explain
from dupfinder.gui.kit.page import Flow, Page
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.scanning.folder_rows import FolderRows
from dupfinder.scan.request import Role, ScanRequest
from dupfinder.text.sniff import CODE
from dupfinder.wording.catalogue import N_, say, say_count, say_some
from dupfinder.wording.figures import documents_text, size_text, waiting_text

if TYPE_CHECKING:
    from dupfinder.library.rows import ScanSummary

_WIDTH: Final = 1180
_OPTIONS_WIDTHS: Final = (344, 396)  # px, minimum and maximum
_NARROW: Final = 860  # px; in less room than this the options stand below the folders
_WAIT_MS: Final = 250  # between the last change and counting
_FAMILIES: Final = (
    ("pdf", N_("PDF")),
    ("word", N_("Word")),
    ("html", N_("HTML")),
    ("opendocument", N_("OpenDocument")),
    ("rtf", N_("RTF")),
    ("text", N_("Text")),
    ("office", N_("Slides and sheets")),
    ("mail", N_("E-mail")),
    ("ebook", N_("E-book")),
    (CODE, N_("Source code")),
)
_USUAL: Final = frozenset(family for family, _ in _FAMILIES if family != CODE)
_SMALLEST: Final = (0, 1_000, 10_000, 100_000)
_LARGEST: Final = (10_000_000, 50_000_000, 200_000_000, 500_000_000, 2_000_000_000)


class SetupPage(Page):
    """`start_asked(ScanRequest)` is emitted when the person starts the scan."""

    start_asked = Signal(object)

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__(say("New scan"), is_aside=True)
        self._theme, self._settings, self._library = theme, settings, library
        self._counting = OneJob(self)
        self._tally = tasks.Tally()
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self._count)
        title = label(say("What should be compared?"), "page")
        quiet = say("Nothing is changed by a scan. You decide about every document afterwards.")
        about = label(quiet, "body", "secondary", wrap=True)
        options = grow(down(self._make_options(), Spring()))
        self._sides = across(grow(self._make_folders(), 2), options, spacing=24)
        content = down(title, about, Gap(14), self._sides, Spring(), margins=(0, 32, 0, 24), spacing=4)
        self.lay_out(content, theme.px(_WIDTH), self._make_footer())
        self._refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the options below the folders where there is no room beside them."""
        is_narrow = event.size().width() < self._theme.px(_NARROW)
        direction = QVBoxLayout.Direction.TopToBottom if is_narrow else QVBoxLayout.Direction.LeftToRight
        self._sides.setDirection(direction)
        super().resizeEvent(event)

    # Making the parts

    def _make_folders(self) -> QVBoxLayout:
        self.add = button(self._theme, say("Add folder…"), "", "plus", self._choose)
        head = across(grow(label(say("Folders"), "lead")), self.add)
        self.folders = FolderRows(self._theme, self.add)
        self.folders.changed.connect(self._refresh)
        self.area = DropArea(self._theme, radius=10, ground="raised")
        text = label(say("Drop more folders here"), "medium", "secondary")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        down(text, margins=(16, 16, 16, 16), into=self.area)
        self._note = label("", "secondary", "warn", wrap=True)
        self._note.hide()
        self.folders.changed.connect(self._note.hide)
        quiet = say("Protected folders are compared with the others, but nothing in them can ever be marked.")
        icon = placed(Icon(self._theme, "lock", "keep", 16), Qt.AlignmentFlag.AlignTop)
        row = across(icon, grow(label(quiet, "secondary", wrap=True)), spacing=10)
        return down(head, self.folders, self.area, self._note, row, Spring(), spacing=12)

    def _make_options(self) -> Card:
        card = Card(spacing=12)
        card.setMinimumWidth(self._theme.px(_OPTIONS_WIDTHS[0]))
        card.setMaximumWidth(self._theme.px(_OPTIONS_WIDTHS[1]))
        card.column.addWidget(label(say("Formats"), "strong"))
        self.chips = {family: chip(say(text), checked=family in _USUAL) for family, text in _FAMILIES}
        for toggle in self.chips.values():
            toggle.clicked.connect(self._refresh)
        add(card.column, Flow(*self.chips.values(), gap=7), line())
        self._add_filters(card)
        add(card.column, line(), label(say("Reading"), "strong"))
        quiet = say("Otherwise unchanged files are not read twice.")
        self.fresh = _switch(card, say("Read everything again"), quiet)
        for combo in (self.smallest, self.largest):
            combo.currentIndexChanged.connect(self._refresh)
        self.names.editingFinished.connect(self._refresh)
        for switch in (self.hidden, self.archives, self.every, self.fresh):
            switch.toggled.connect(self._refresh)
        return card

    def _add_filters(self, card: Card) -> None:
        card.column.addWidget(label(say("Filters"), "strong"))
        self.smallest, self.largest = QComboBox(), QComboBox()
        for size in _SMALLEST:
            self.smallest.addItem(size_text(size) if size else say("any size"), size)
        self.smallest.setAccessibleName(say("Smallest file"))
        self.largest.setAccessibleName(say("Largest file"))
        sizes = across(self.smallest, label("–", "body", "secondary"), self.largest, spacing=6)
        card.column.addLayout(_option(say("File size"), "", sizes))
        self.names = QLineEdit()
        self.names.setPlaceholderText("~$*; *.tmp")
        self.names.setAccessibleName(say("Names to leave out"))
        self.names.setFixedWidth(self._theme.px(150))
        quiet = say("Patterns, separated by semicolons.")
        card.column.addLayout(_option(say("Names to leave out"), quiet, self.names))
        self.hidden = _switch(card, say("Hidden files"), say("Names that begin with a dot."))
        self.archives = _switch(card, say("Inside archives"), say("ZIP and tar: compared, never removed."))
        quiet = say("Exact copies of photos, videos and others.")
        self.every = _switch(card, say("Files of every kind"), quiet)
        self._take_settings()

    def _make_footer(self) -> QFrame:
        bar = QFrame()
        bar.setProperty("look", "bottom")
        bar.setMinimumHeight(60)
        self.total = label("", "strong")
        self.about = label("", "secondary")
        self.go = button(self._theme, say("Start scan"), "primary", "search", self.start_scan)
        across(grow(down(self.total, self.about, spacing=2)), self.go, margins=(20, 8, 20, 8), into=bar)
        return bar

    # What is chosen

    def add_folders(self, folders: list[Path]) -> None:
        """Add folders or files; a note names those that are already there."""
        twice = [folder for folder in folders if not self.folders.add(folder)]
        self._note.setVisible(bool(twice))
        if twice:
            self._note.setText(say("{folder} is in the list already.", folder=shown(twice[0])))

    def take_over(self, summary: ScanSummary) -> None:
        """Replace the folders by those of an earlier scan, whose unchanged files are not read again."""
        self.fresh.setChecked(False)
        self.folders.clear()
        for path, role in summary.roots:
            self.folders.add(path, Role(role))

    def request(self) -> ScanRequest:
        """Return the scan that would be started."""
        chosen = frozenset(family for family, toggle in self.chips.items() if toggle.isChecked())
        patterns = (pattern.strip() for pattern in self.names.text().split(";"))
        return ScanRequest(
            roots=self.folders.roots(),
            formats=frozenset() if chosen == _USUAL else chosen,
            smallest=int(self.smallest.currentData()),
            largest=int(self.largest.currentData()),
            hidden=self.hidden.isChecked(),
            archives=self.archives.isChecked(),
            all_files=self.every.isChecked(),
            ocr=str(self._settings.get(OCR)),
            excluded_names=tuple(pattern for pattern in patterns if pattern),
            workers=self._settings.integer(WORKERS),
            fresh=self.fresh.isChecked(),
        )

    def start_scan(self) -> None:
        """Start the scan, if there is something to scan."""
        if self.go.isEnabled():
            self._stop_counting()
            self.start_asked.emit(self.request())

    def new_scan(self) -> None:
        """Remove all folders."""
        self.folders.clear()

    def _choose(self) -> None:
        roots = self.folders.roots()
        if chosen := choose_folder(self, roots[-1].path.parent if roots else Path.home()):
            self.add_folders([chosen])

    # Counting

    def _refresh(self) -> None:
        self._stop_counting()
        roots = self.folders.roots()
        ready = any(root.role is Role.SCAN for root in roots)
        has_format = any(toggle.isChecked() for toggle in self.chips.values())
        self.go.setEnabled(ready and has_format)
        self._tally = tasks.Tally()
        self.folders.show_counts({})
        if not ready:
            self.total.setText(say("No folder to scan yet"))
            self.about.setText(say("Add a folder, or drop one on the window."))
        elif not has_format:
            self.total.setText(say("No format chosen"))
            self.about.setText(say("Choose at least one format."))
        else:
            self.total.setText(say("Counting…"))
            self.about.setText("")
            self._wait.start()

    def _stop_counting(self) -> None:
        self._wait.stop()
        self._counting.give_up()

    def _count(self) -> None:
        work = partial(tasks.count, self.request(), self._library, self._tally)
        self._counting.start(work, progressed=self._show, succeeded=self._show, failed=self._failed)

    def _show(self) -> None:
        """Show what was counted so far."""
        tally = self._tally
        self.folders.show_counts(dict(tally.by_root))
        if self.every.isChecked():
            documents = say_count("{count} file", "{count} files", tally.documents)
        else:
            documents = documents_text(tally.documents)
        self.total.setText(f"{documents} · {size_text(tally.bytes)}")
        is_empty = tally.complete and not tally.documents
        self.go.setEnabled(not is_empty)
        nothing = say("With these formats and filters, there is nothing to compare in these folders.")
        self.about.setText(nothing if is_empty else self._outlook(tally) if tally.complete else say("still counting"))

    def _outlook(self, tally: tasks.Tally) -> str:
        """Return the estimated time, and how many documents need not be read."""
        if self.fresh.isChecked():
            tally = replace(tally, unchanged=0)
        seconds = tally.seconds()
        unchanged = say_some(
            "{count} is unchanged since it was read and is not read again",
            "{count} are unchanged since they were read and are not read again",
            tally.unchanged,
        )
        parts = (waiting_text(seconds) if seconds else "", unchanged)
        return "  ·  ".join(filter(None, parts)) or say("Nothing leaves this computer.")

    def _failed(self, error: BaseException) -> None:
        self.total.setText(say("Not counted"))
        if isinstance(error, DupfinderError):
            from dupfinder.wording.errors import sentence

            self.about.setText(sentence(error))
            self.folders.show_counts({})
        else:
            explain(self._theme, self, error)

    def entered(self) -> None:
        super().entered()
        if self._given != self._from_settings():  # the settings changed: use them again
            self._take_settings()
        self.folders.look()
        self._refresh()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self._tally.complete and not self._tally.documents:
            self._refresh()  # files may have come

    def _from_settings(self) -> dict[Setting, object]:
        """Return the settings that are chosen at first."""
        return {key: self._settings.get(key) for key in (HIDDEN, ARCHIVES, ALL_FILES, LARGEST)}

    def _take_settings(self) -> None:
        """Choose what the settings say; of sizes, offer the usual limits too."""
        self._given = self._from_settings()
        for switch, key in ((self.hidden, HIDDEN), (self.archives, ARCHIVES), (self.every, ALL_FILES)):
            switch.setChecked(bool(self._given[key]))
        limit = self._settings.integer(LARGEST) * 1_000_000
        self.largest.clear()
        for size in sorted({*_LARGEST, limit}):
            self.largest.addItem(size_text(size), size)
        self.largest.setCurrentIndex(self.largest.findData(limit))

    def left(self) -> None:
        self._stop_counting()


def _switch(card: Card, title: str, quiet: str) -> Switch:
    """Add a named switch to a card."""
    switch = Switch(title)
    card.column.addLayout(_option(title, quiet, switch))
    return switch


def _option(title: str, quiet: str, control: QWidget | QHBoxLayout) -> QHBoxLayout:
    """Return a name, a less prominent line below it, and a control at the right."""
    name = label(title, "medium", wrap=True)
    if isinstance(control, QWidget):
        name.setBuddy(control)
    below = [label(quiet, "secondary", wrap=True)] if quiet else []
    return across(grow(down(name, *below, spacing=2)), control, spacing=12)
