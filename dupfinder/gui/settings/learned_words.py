"""Learned words as a table: the word, how many documents hold it, and its weight now and by the shipped table."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.base.display import shown
from dupfinder.gui.kit import words
from dupfinder.scan.weights import Word

Index = QModelIndex | QPersistentModelIndex
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Order(IntEnum):
    """Which words stand first."""

    COMMON = 0
    LIGHTER = 1
    HEAVIER = 2


def ordered(found: Sequence[Word], order: Order) -> list[Word]:
    """The most common words first; or those that lost, or gained, most weight against the shipped table."""
    if order is Order.COMMON:
        return list(found)
    sign = 1 if order is Order.LIGHTER else -1
    moved = [word for word in found if sign * (word.rarity - word.shipped) < 0]
    return sorted(moved, key=lambda word: (sign * (word.rarity - word.shipped), word.word))


class LearnedWordsModel(QAbstractTableModel):
    """A few hundred words at most."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words: list[Word] = []

    def show_words(self, found: list[Word]) -> None:
        """Show other words."""
        self.beginResetModel()
        self._words = found
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._words)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._names())

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section else LEFT
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() else LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self._words[index.row()], index.column())
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{self._names()[index.column()]}: {self._text(self._words[index.row()], index.column())}"
        return None

    def _names(self) -> tuple[str, ...]:
        return self.tr("Word", "of a text"), self.tr("Documents"), self.tr("Weight"), self.tr("Shipped weight")

    def _text(self, word: Word, column: int) -> str:
        if column == 0:
            return shown(word.word)
        if column == 1:
            return words.number(word.documents)
        return QLocale().toString(word.rarity if column == 2 else word.shipped, "f", 1)
