"""New scan: folders with their roles, formats and filters, and counts of the documents to be read."""

from __future__ import annotations

import os
import textwrap
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import DupfinderError
from dupfinder.base.settings import ALL_FILES, ARCHIVES, HIDDEN, LARGEST, OCR, WORKERS, Setting, Settings
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import SegmentedChoice, Switch, button, chip, icon_button
from dupfinder.gui.kit.cards import Card, DropArea, Icon, Tile
from dupfinder.gui.kit.files import choose_folder
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.gui.kit.labels import ElidedLabel, label, line, set_look
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, down, grow, tab_as_laid_out
from dupfinder.gui.kit.messages import error_sentence, explain
from dupfinder.gui.kit.page import Flow, Page
from dupfinder.gui.kit.theme import Theme
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.text.sniff import CODE, suffixes_of
from dupfinder.wording.catalogue import N_, say, say_count, say_some
from dupfinder.wording.figures import documents_text, size_text, waiting_text

if TYPE_CHECKING:
    from dupfinder.library.rows import ScanSummary

_WIDTH: Final = 1180
_OPTIONS_WIDTHS: Final = (344, 396)  # px, minimum and maximum
_NARROW: Final = 960  # px; in less room than this the options are below the folders
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
_HINT_WIDTH: Final = 60  # letters
_SMALLEST: Final = (0, 1_000, 10_000, 100_000)
_LARGEST: Final = (10_000_000, 50_000_000, 200_000_000, 500_000_000, 2_000_000_000)


class SetupPage(Page):
    """`start_asked(ScanRequest)` is emitted when the person starts the scan."""

    start_asked = Signal(object)

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__(say("New scan"), is_aside=True)
        self._theme, self._settings, self._library = theme, settings, library
        self._counting = OneJob(self)
        self._counts = tasks.ScanCounts()
        self._wait = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._wait.timeout.connect(self._count)
        title = label(say("What should be compared?"), "page")
        quiet = say("Nothing is changed by a scan. You decide about every document afterwards.")
        about = label(quiet, "body", "secondary", wrap=True)
        options = grow(down(self._make_options(), Stretch()))
        self._sides = across(grow(self._make_folders(), 2), options, spacing=24)
        content = down(title, about, Space(14), self._sides, Stretch(), margins=(0, 32, 0, 24), spacing=4)
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
        text = label(say("Drop folders here"), "medium", "secondary")
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        down(text, margins=(16, 16, 16, 16), into=self.area)
        self._note = label("", "secondary", "warn", wrap=True)
        self._note.hide()
        self.folders.changed.connect(self._note.hide)
        quiet = say("Protected folders are compared with the others, but nothing in them can ever be marked.")
        icon = aligned(Icon(self._theme, "lock", "keep", 16), Qt.AlignmentFlag.AlignTop)
        row = across(icon, grow(label(quiet, "secondary", wrap=True)), spacing=10)
        return down(head, self.folders, self.area, self._note, row, Stretch(), spacing=12)

    def _make_options(self) -> Card:
        card = Card(spacing=12)
        card.setMinimumWidth(self._theme.px(_OPTIONS_WIDTHS[0]))
        card.setMaximumWidth(self._theme.px(_OPTIONS_WIDTHS[1]))
        card.column.addWidget(label(say("Formats"), "strong"))
        self.chips = {family: chip(say(text), checked=family in _USUAL) for family, text in _FAMILIES}
        for family, toggle in self.chips.items():
            names = " ".join(suffix[1:].upper() for suffix in suffixes_of(family))
            toggle.setToolTip(textwrap.fill(names, _HINT_WIDTH))
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
        quiet = say("ZIP, tar, 7z, RAR, mailboxes: compared, never removed.")
        self.archives = _switch(card, say("Inside archives"), quiet)
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
        self._counts = tasks.ScanCounts()
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
        work = partial(tasks.count, self.request(), self._library, self._counts)
        self._counting.start(work, progressed=self._show, succeeded=self._show, failed=self._failed)

    def _show(self) -> None:
        counts = self._counts
        self.folders.show_counts(dict(counts.by_root))
        if self.every.isChecked():
            documents = say_count("{count} file", "{count} files", counts.documents)
        else:
            documents = documents_text(counts.documents)
        self.total.setText(f"{documents} · {size_text(counts.bytes)}")
        is_empty = counts.complete and not counts.documents
        self.go.setEnabled(not is_empty)
        nothing = say("With these formats and filters, there is nothing to compare in these folders.")
        self.about.setText(nothing if is_empty else self._outlook(counts) if counts.complete else say("still counting"))

    def _outlook(self, counts: tasks.ScanCounts) -> str:
        """Return the estimated time, and how many documents need not be read."""
        if self.fresh.isChecked():
            counts = replace(counts, unchanged=0)
        seconds = counts.seconds()
        unchanged = say_some(
            "{count} is unchanged since it was read and is not read again",
            "{count} are unchanged since they were read and are not read again",
            counts.unchanged,
        )
        parts = (waiting_text(seconds) if seconds else "", unchanged)
        return "  ·  ".join(filter(None, parts)) or say("Nothing leaves this computer.")

    def _failed(self, error: BaseException) -> None:
        self.total.setText(say("Not counted"))
        if isinstance(error, DupfinderError):
            self.about.setText(error_sentence(error))
            self.folders.show_counts({})
        else:
            explain(self._theme, self, error)

    def entered(self) -> None:
        super().entered()
        if self._shown_settings != self._from_settings():  # the settings changed: use them again
            self._take_settings()
        self.folders.look()
        self._refresh()
        (self.go if self.go.isEnabled() else self.add).setFocus()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange and self._counts.complete and not self._counts.documents:
            self._refresh()  # files may have come

    def _from_settings(self) -> dict[Setting, object]:
        """Return the settings that are chosen at first."""
        return {key: self._settings.get(key) for key in (HIDDEN, ARCHIVES, ALL_FILES, LARGEST)}

    def _take_settings(self) -> None:
        """Choose what the settings say; of sizes, offer the usual limits too."""
        self._shown_settings = self._from_settings()
        for switch, key in ((self.hidden, HIDDEN), (self.archives, ARCHIVES), (self.every, ALL_FILES)):
            switch.setChecked(bool(self._shown_settings[key]))
        limit = self._settings.integer(LARGEST) * 1_000_000
        self.largest.clear()
        for size in sorted({*_LARGEST, limit}):
            self.largest.addItem(size_text(size), size)
        self.largest.setCurrentIndex(self.largest.findData(limit))

    def exited(self) -> None:
        self._stop_counting()


def _switch(card: Card, title: str, quiet: str) -> Switch:
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


_ROLES: Final = (Role.SCAN, Role.PROTECT, Role.LEAVE_OUT)
_TILES: Final = {Role.SCAN: ("folder", "accent"), Role.PROTECT: ("lock", "keep"), Role.LEAVE_OUT: ("forbid", "neutral")}
Counts = tuple[int, int]


class FolderRow(QWidget):
    """One folder or file: its path, its content, its role, and a button to remove it."""

    role_changed = Signal()
    removed = Signal(object)

    def __init__(self, theme: Theme, path: Path, role: Role) -> None:
        super().__init__()
        self.path = path
        self._counts: Counts | None = None
        self._inside: Path | None = None
        self._tile = Tile(theme, "folder", "accent", 34)
        self._name = ElidedLabel(shown(path), "strong")
        self._facts = ElidedLabel("", "secondary", elide=Qt.TextElideMode.ElideRight)
        roles = (say("Scan"), say("Protect"), say("Leave out"))
        self.segments = SegmentedChoice(roles, say("Role of {folder}", folder=shown(path)), width=72)
        self.segments.set_current(_ROLES.index(role))
        self.segments.chosen.connect(self.refresh)
        self.segments.chosen.connect(self.role_changed)
        name = say("Take {folder} out of the list", folder=shown(path))
        self._remover = icon_button(theme, "close", name, size=16, act=self._remove)
        parts = (self._tile, grow(down(self._name, self._facts, spacing=3)), self.segments, Space(2), self._remover)
        across(*parts, margins=(18, 12, 12, 12), spacing=14, into=self)
        self.look()

    @property
    def role(self) -> Role:
        return _ROLES[self.segments.current()]

    @property
    def is_readable(self) -> bool:
        """Whether the folder could be read at the last check."""
        return not self._trouble

    def look(self) -> None:
        """Check whether the folder exists and can be read."""
        self._is_folder = os.path.isdir(self.path)
        self._trouble = ""
        if not os.path.lexists(self.path):
            self._trouble = say("Folder not found — reconnect the drive or choose it again")
        elif not os.access(self.path, os.R_OK | (os.X_OK if self._is_folder else 0)):
            self._trouble = say("No permission to read this folder")
        self.refresh()

    def show_counts(self, counts: Counts | None, inside: Path | None) -> None:
        """Show documents and bytes below the folder, and the row that contains it."""
        self._counts, self._inside = counts, inside
        self.refresh()

    def refresh(self) -> None:
        """Update the second line and the icon."""
        icon, tone = _TILES[self.role]
        readable = self.is_readable
        self._tile.set_icon(icon if readable else "warning", tone if readable else "warn")
        self._facts.setText(self._trouble or self._words())
        set_look(self._facts, tone="secondary" if readable else "warn")
        set_look(self._name, tone="secondary" if self.role is Role.LEAVE_OUT else "text")

    def _words(self) -> str:
        if self.role is Role.LEAVE_OUT:
            return say("left out")
        parts = [say("matched against, never marked")] if self.role is Role.PROTECT else []
        if self._counts is not None:
            parts += [documents_text(self._counts[0]), size_text(self._counts[1])]
        if self.role is Role.SCAN:  # of a long line the end is cut off
            parts.append(say("with subfolders") if self._is_folder else say("one file"))
        if self._inside is not None:
            parts.append(say("inside {folder}", folder=shown(self._inside)))
        return " · ".join(parts)

    def _remove(self) -> None:
        self.removed.emit(self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._remove()
        else:
            super().keyPressEvent(event)


class FolderRows(Card):
    """All rows. `changed` is emitted when their scan request changes."""

    changed = Signal()

    def __init__(self, theme: Theme, before: QWidget) -> None:
        super().__init__(margin=0, spacing=0)
        self._before = before  # the control before the rows in Tab order
        self.column.setContentsMargins(1, 1, 1, 1)
        self._theme = theme
        self.rows: list[FolderRow] = []
        self.setAccessibleName(say("Folders"))
        self._lay_out()

    def add(self, path: Path, role: Role = Role.SCAN) -> bool:
        """Add a folder; return False if it is already there."""
        path = Path(os.path.abspath(path))
        if any(row.path == path for row in self.rows):
            return False
        row = FolderRow(self._theme, path, role)
        row.role_changed.connect(self.changed)
        row.removed.connect(self.remove)
        self.rows.append(row)
        self._lay_out()
        self.changed.emit()
        return True

    def remove(self, row: FolderRow) -> None:
        """Remove a row and focus the next."""
        index = self.rows.index(row)
        self.rows.remove(row)
        self._lay_out()
        if self.rows:
            near = self.rows[min(index, len(self.rows) - 1)].segments
            near.part(near.current()).setFocus(Qt.FocusReason.TabFocusReason)
        self.changed.emit()

    def clear(self) -> None:
        self.rows = []
        self._lay_out()
        self.changed.emit()

    def look(self) -> None:
        """Check all folders."""
        for row in self.rows:
            row.look()

    def roots(self) -> tuple[Root, ...]:
        """Return the rows whose folder can be read."""
        return tuple(Root(row.path, row.role) for row in self.rows if row.is_readable)

    def show_counts(self, counts: dict[Path, Counts]) -> None:
        """Show the documents and bytes of each row."""
        for row in self.rows:
            above = [other.path for other in self.rows if other is not row and row.path.is_relative_to(other.path)]
            row.show_counts(counts.get(row.path), max(above, key=lambda path: len(path.parts), default=None))

    def _lay_out(self) -> None:
        for row in self.rows:
            self.column.removeWidget(row)  # so that it stays; lines and rows that were removed are deleted
        self.show_rows(self.rows, 18)
        tab_as_laid_out(self._before, self)
        self.setVisible(bool(self.rows))  # an empty frame would be a line
