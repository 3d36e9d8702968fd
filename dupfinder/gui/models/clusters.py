"""The shown clusters as rows of a Qt model: arrays underneath, no object a row."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.gui.views import words
from dupfinder.review.filters import Kind
from dupfinder.review.session import ClusterTable

Index = QModelIndex | QPersistentModelIndex


class ClustersModel(QAbstractTableModel):
    """One column, painted by a delegate that reads `table` directly."""

    def __init__(self, table: ClusterTable, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table = table

    @property
    def table(self) -> ClusterTable:
        """The columns that are shown."""
        return self._table

    def show_table(self, table: ClusterTable) -> None:
        """Swap all rows at once."""
        self.beginResetModel()
        self._table = table
        self.endResetModel()

    def refresh(self, table: ClusterTable) -> None:
        """Take a table with the same clusters in the same order, whose other columns may have changed."""
        self._table = table
        if len(table.ids):
            self.dataChanged.emit(self.index(0, 0), self.index(len(table.ids) - 1, 0))

    def same_rows(self, table: ClusterTable) -> bool:
        """Whether `table` has the same clusters in the same order."""
        return np.array_equal(self._table.ids, table.ids)

    def row_of(self, cluster: int) -> int:
        """The row of a cluster, -1 when it is not shown."""
        found = np.flatnonzero(self._table.ids == cluster)
        return int(found[0]) if len(found) else -1

    def cluster_at(self, row: int) -> int:
        """The id of the cluster in a row, -1 when there is no such row."""
        return int(self._table.ids[row]) if 0 <= row < len(self._table.ids) else -1

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._table.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        makers: dict[int, Callable[[int], str]] = {
            Qt.ItemDataRole.DisplayRole: self._table.title,
            Qt.ItemDataRole.AccessibleTextRole: self.sentence,
        }
        maker = makers.get(role)
        return maker(index.row()) if maker else None

    def sentence(self, row: int) -> str:
        """A row for a screen reader."""
        table = self._table
        parts = [
            table.title(row),
            words.kind_word(Kind(int(table.kind[row]))),
            words.documents(int(table.size[row])),
            words.percent(float(table.lowest[row])),
            self.tr("%1 to free").replace("%1", words.size(int(table.bytes_to_free[row]))),
        ]
        if table.reviewed[row]:
            parts.append(self.tr("reviewed"))
        if table.marked[row]:
            parts.append(self.tr("has marked documents"))
        parts.append(self.tr("row %1 of %2").replace("%1", str(row + 1)).replace("%2", str(len(table.ids))))
        return ", ".join(parts)
