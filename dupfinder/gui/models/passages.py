"""Passages that stand in many files, as a table whose first column is a check box: left out of comparisons or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from dupfinder.base.display import shown
from dupfinder.gui.views import words
from dupfinder.review.boilerplate import BoilerplatePassage

Index = QModelIndex | QPersistentModelIndex
RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_EXCERPT: Final = 200  # characters: more than any width of the column shows


class PassagesModel(QAbstractTableModel):
    """`switched(key, enabled)`: a box was ticked or cleared; `keep` says what is so now."""

    switched = Signal(str, bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[BoilerplatePassage] = []

    def show_passages(self, found: Sequence[BoilerplatePassage]) -> None:
        """Show other passages."""
        self.beginResetModel()
        self._rows = list(found)
        self.endResetModel()

    def keep(self, key: str, enabled: bool) -> None:
        """A passage is switched this way now."""
        for row, one in enumerate(self._rows):
            if one.key == key:
                self._rows[row] = replace(one, enabled=enabled)
                self.dataChanged.emit(self.index(row, 0), self.index(row, self.columnCount() - 1))

    def passage(self, row: int) -> BoilerplatePassage:
        """The passage of a row."""
        return self._rows[row]

    def waiting(self) -> int:
        """How many passages are switched another way than the groups were made with."""
        return sum(one.enabled != one.used for one in self._rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._names())

    def _names(self) -> tuple[str, str, str]:
        return self.tr("Left out"), self.tr("Files"), self.tr("Groups")

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if section else LEFT
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        found = super().flags(index)
        return found | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else found

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        one = self._rows[index.row()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if index.column() else LEFT
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            return Qt.CheckState.Checked if one.enabled else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.DisplayRole:
            numbers = (one.files, one.groups)
            return _excerpt(one.text) if index.column() == 0 else words.number(numbers[index.column() - 1])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._sentence(one)
        return None

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != 0:
            return False
        self.switched.emit(self._rows[index.row()].key, Qt.CheckState(value) == Qt.CheckState.Checked)
        return False  # it is so when it is written down

    def _sentence(self, one: BoilerplatePassage) -> str:
        text = self.tr("%1. In %2 files of %3 groups, %4")
        state = self.tr("left out of comparisons") if one.enabled else self.tr("compared")
        for place, part in (
            ("%2", words.number(one.files)), ("%3", words.number(one.groups)), ("%4", state),
            ("%1", _excerpt(one.text)),
        ):  # fmt: skip
            text = text.replace(place, part)
        return text


def _excerpt(text: str) -> str:
    return shown(" ".join(text.split())[:_EXCERPT])
