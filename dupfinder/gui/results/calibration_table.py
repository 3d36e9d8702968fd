"""The calibration as a table: a row for each radius."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.gui.kit import words
from dupfinder.gui.results.calibration_chart import share_words
from dupfinder.review.calibration import Calibration

Index = QModelIndex | QPersistentModelIndex
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class CalibrationModel(QAbstractTableModel):
    """Radius, pairs alike and not at that distance, precision, recall and what the results show within it."""

    def __init__(self, found: Calibration, used: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._found, self._used = found, used

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else self._found.widest + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._names())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT
        texts = self._texts(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._names()[index.column()]}: {texts[index.column()]}"
        return None

    def _names(self) -> tuple[str, ...]:
        return (
            self.tr("Radius k"), self.tr("Alike"), self.tr("Not alike"), self.tr("Precision"), self.tr("Recall"),
            self.tr("Results show"),
        )  # fmt: skip

    def _texts(self, row: int) -> tuple[str, ...]:
        found = self._found
        radius = self.tr("%1 (in use)").replace("%1", str(row)) if row == self._used else str(row)
        return (
            radius, words.number(int(found.verified[row])), words.number(int(found.unverified[row])),
            share_words(found.precision(row)), share_words(found.recall(row)), share_words(found.shown_share(row)),
        )  # fmt: skip
