"""Details of a running scan: the groups of identical files so far, and the files that are being read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.progress import Identical
from dupfinder.gui.kit import figures
from dupfinder.gui.kit.cards import Card
from dupfinder.gui.kit.labels import ElidedLabel, label, set_look, type_badge, type_tone, type_word

_MOST: Final = 4  # files that are shown
_SLOW: Final = 5.0  # seconds of reading after which they are shown


class InHand(QWidget):
    """A few fixed rows, whose files change ten times a second."""

    def __init__(self) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(12)
        self._rows: list[tuple[QWidget, QLabel, ElidedLabel, ElidedLabel]] = []
        self._paths: tuple[Path, ...] = ()
        for _ in range(_MOST):
            row = QWidget()
            across = QHBoxLayout(row)
            across.setContentsMargins(0, 0, 0, 0)
            across.setSpacing(12)
            badge = type_badge("")
            words = QVBoxLayout()
            words.setSpacing(1)
            name, folder = ElidedLabel("", "medium"), ElidedLabel("", "secondary")
            words.addWidget(name)
            words.addWidget(folder)
            across.addWidget(badge, 0, Qt.AlignmentFlag.AlignTop)
            across.addLayout(words, 1)
            column.addWidget(row)
            self._rows.append((row, badge, name, folder))
        self.show_files(())

    def show_files(self, files: Sequence[Path], seconds: Sequence[float] = ()) -> None:
        """Show the files being read, and the seconds of slow files. Unused rows are empty, so that nothing moves."""
        paths = tuple(files[:_MOST])
        if paths != self._paths or not paths:
            self._show_paths(paths)
        for (_, _, _, folder), path, passed in zip(self._rows, paths, seconds, strict=False):
            words = shown(path.parent)
            if passed >= _SLOW:
                taking = self.tr("for %1 now").replace("%1", figures.duration(passed))
                words = f"{taking}  ·  {words}"
            folder.setText(words)

    def _show_paths(self, paths: tuple[Path, ...]) -> None:
        self._paths = paths
        for index, (_, badge, name, folder) in enumerate(self._rows):
            path = paths[index] if index < len(paths) else None
            badge.setVisible(path is not None)
            name.setText("" if path is None else shown(path.name))
            if path is None:
                folder.setText("")
            if path is not None and badge.text() != type_word(path.suffix):
                badge.setText(type_word(path.suffix))
                set_look(badge, tone=type_tone(path.suffix))


class IdenticalFiles(Card):
    """A card with the counts of identical files, which increase while a scan hashes."""

    def __init__(self) -> None:
        super().__init__(spacing=4)
        self.counts = label("", "strong")
        self.names = ElidedLabel("", "secondary", elide=Qt.TextElideMode.ElideRight)
        self.column.addWidget(self.counts)
        self.column.addWidget(self.names)
        self.show_groups(Identical())

    def show_groups(self, identical: Identical) -> None:
        """Show the groups so far."""
        if not identical.groups:
            self.counts.setText(self.tr("No identical files so far"))
            self.names.setText(self.tr("They are found first, before any document is read."))
            return
        groups = self.tr("%Ln groups of identical files", "", identical.groups)
        copies = self.tr("%Ln copies beyond one of each", "", identical.copies)
        self.counts.setText(f"{groups}  ·  {copies}, {figures.size(identical.bytes)}")
        names = (" = ".join(shown(path.name) for path in paths) for paths in identical.largest)
        self.names.setText("  ·  ".join(names))
