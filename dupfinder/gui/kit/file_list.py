"""A sheet with a list of files that can be read through and copied."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from dupfinder.base.display import shown
from dupfinder.gui.kit import figures
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.report.rows import counted_reasons


class FileList(Sheet):
    """Paths, each with a clause of facts, as plain lines.

    act: the label of a button that closes the list and tells `acted`; "" for none.
    """

    acted = Signal()

    def __init__(
        self, theme: Theme, parent: QWidget, title: str, files: Sequence[tuple[Path, str]], act: str = ""
    ) -> None:
        super().__init__(theme, parent, title, self.tr("%Ln files", "", len(files)), width=860)
        self._field = QPlainTextEdit()
        self._field.setReadOnly(True)
        self._field.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self._field.setAccessibleName(title)
        self._field.setMinimumHeight(320)
        self._field.setPlainText("\n".join((*_reasons(files), *(_line(path, detail) for path, detail in files))))
        self.body.addWidget(self._field)
        copy = button(theme, self.tr("Copy list"), "", "copy")
        copy.clicked.connect(self._copy)
        fine = button(theme, self.tr("Close"), "primary")
        fine.setDefault(True)
        fine.clicked.connect(self.accept)
        self.buttons.addWidget(copy)
        if act:
            doing = button(theme, act)
            doing.clicked.connect(self._do)
            self.buttons.addWidget(doing)
        self.buttons.addWidget(fine)
        fine.setFocus()
        self.finished.connect(self.deleteLater)

    def text(self) -> str:
        """All lines."""
        return self._field.toPlainText()

    @Slot()
    def _do(self) -> None:
        self.accept()
        self.acted.emit()

    @Slot()
    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text())


def _reasons(files: Sequence[tuple[Path, str]]) -> list[str]:
    """How many files each reason holds for, where there are several; a blank line ends them."""
    counts = counted_reasons(detail for _, detail in files if detail)
    if len(counts) < 2:
        return []
    return [*(f"{figures.number(number)}  ×  {shown(reason)}" for reason, number in counts.items()), ""]


def _line(path: Path, detail: str) -> str:
    return f"{shown(path)}  —  {shown(detail)}" if detail else shown(path)
