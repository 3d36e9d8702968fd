"""The folders of a new scan, each with its role."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from dupfinder.base.display import shown
from dupfinder.gui.kit.buttons import Segments, icon_button
from dupfinder.gui.kit.cards import Card, Tile
from dupfinder.gui.kit.labels import ElidedLabel, set_look
from dupfinder.gui.kit.layout import Gap, across, down, grow, tab_as_laid_out
from dupfinder.gui.kit.theme import Theme
from dupfinder.scan.request import Role, Root
from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import documents_text, size_text

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
        self.segments = Segments(roles, say("Role of {folder}", folder=shown(path)), width=72)
        self.segments.set_current(_ROLES.index(role))
        self.segments.chosen.connect(self.refresh)
        self.segments.chosen.connect(self.role_changed)
        name = say("Take {folder} out of the list", folder=shown(path))
        self._remover = icon_button(theme, "close", name, size=16, act=self._remove)
        parts = (self._tile, grow(down(self._name, self._facts, spacing=3)), self.segments, Gap(2), self._remover)
        across(*parts, margins=(18, 12, 12, 12), spacing=14, into=self)
        self.look()

    @property
    def role(self) -> Role:
        """The chosen role."""
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
        parts = [say("with subfolders") if self._is_folder else say("one file")]
        if self.role is Role.PROTECT:
            parts = [say("matched against, never marked")]
        if self._inside is not None:
            parts.append(say("inside {folder}", folder=shown(self._inside)))
        if self._counts is not None:
            parts += [documents_text(self._counts[0]), size_text(self._counts[1])]
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
        """Remove all rows."""
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
