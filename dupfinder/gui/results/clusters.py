"""The shown groups as rows of a Qt model: columns in arrays, no object for each row."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.base.display import shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.opening import folder_text
from dupfinder.review.listing import RELATIONS, ClusterTable

Index = QModelIndex | QPersistentModelIndex
NO_PART = -1
NO_HIT = -1
_PARTS = RELATIONS.index(Relation.PART)


class ClustersModel(QAbstractTableModel):
    """One column, painted by a delegate that reads `table`. Parts are hidden below their group until it is opened.

    parts: returns the rows of the documents that are parts in a group, by its id. roots: the folders that were scanned.
    """

    def __init__(
        self,
        table: ClusterTable,
        parent: QObject | None = None,
        *,
        parts: Callable[[int], Sequence[int]] = lambda _: (),
        roots: Sequence[Path] = (),
    ) -> None:
        super().__init__(parent)
        self._table = table
        self._parts_of, self._roots = parts, roots
        self._opened: set[int] = set()
        self.hits: tuple[str, ...] = ()
        self._hit_of: Callable[[int], int] = lambda _: NO_HIT
        self._places: NDArray[np.int64] | None = None  # index in the table for each row; None: the same as the row
        self._parts: NDArray[np.int64] = np.empty(0, np.int64)

    @property
    def table(self) -> ClusterTable:
        """The columns of the shown groups."""
        return self._table

    def show_table(self, table: ClusterTable) -> None:
        """Replace all rows."""
        self.beginResetModel()
        self._table = table
        self._arrange()
        self.endResetModel()

    def refresh(self, table: ClusterTable) -> None:
        """Replace the table by another with the same groups in the same order."""
        self._table = table
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))

    def same_rows(self, table: ClusterTable) -> bool:
        """Tell whether `table` has the same groups in the same order."""
        return np.array_equal(self._table.ids, table.ids)

    # ---- hits of a search -----------------------------------------------------------------------------------------
    def set_hits(self, hits: tuple[str, ...], hit_of: Callable[[int], int]) -> None:
        """Set the words of the search, in lower case.

        hit_of: returns the document with a hit in a group.
        """
        self.hits, self._hit_of = hits, hit_of

    def hit_name(self, row: int) -> str:
        """Return the name of the document with a hit in a row's group, and its folder if that has the hit.

        "" if it is the kept copy, or without a hit.
        """
        if not self.hits:
            return ""
        document = self._hit_of(self.cluster_at(row))
        is_keeper = document == int(self._table.keeper[self.position(row)])
        if document == NO_HIT or is_keeper:
            return ""
        path = self._table.documents.path(document)
        if any(hit in path.name.casefold() for hit in self.hits):
            return shown(path.name)
        return f"{shown(path.name)} · {folder_text(path.parent, self._roots)}"

    # ---- parts ----------------------------------------------------------------------------------------------------
    def has_parts(self, row: int) -> bool:
        """Tell whether a row is a group with parts to show."""
        return self.part_at(row) == NO_PART and int(self._table.holds[self.position(row), _PARTS]) > 0

    def is_open(self, row: int) -> bool:
        """Tell whether the parts of a row's group are shown."""
        return self.cluster_at(row) in self._opened

    def toggle(self, row: int) -> None:
        """Show or hide the parts of a group."""
        self.beginResetModel()
        self._opened ^= {self.cluster_at(row)}
        self._arrange()
        self.endResetModel()

    def _arrange(self) -> None:
        """Compute the rows: groups, and the parts of open groups."""
        places, parts = [], []
        for index in np.flatnonzero(np.isin(self._table.ids, list(self._opened))).tolist():
            documents = list(self._parts_of(int(self._table.ids[index])))
            places += [index] * len(documents)
            parts += documents
        if not places:
            self._places = None
            return
        here = np.array(places, np.int64)
        count = len(self._table.ids)
        self._places = np.insert(np.arange(count, dtype=np.int64), here + 1, here)
        self._parts = np.insert(np.full(count, NO_PART, np.int64), here + 1, np.array(parts, np.int64))

    def position(self, row: int) -> int:
        """Return the index in the table of a row's group."""
        return row if self._places is None else int(self._places[row])

    def part_at(self, row: int) -> int:
        """Return the document of a row that is a part; NO_PART for a group."""
        return NO_PART if self._places is None else int(self._parts[row])

    def part_name(self, row: int) -> str:
        """Return the name of the part in a row."""
        return shown(self._table.documents.path(self.part_at(row)).name)

    # ---- rows -----------------------------------------------------------------------------------------------------
    def row_of(self, cluster: int) -> int:
        """Return the row of a group, -1 if it is not shown."""
        places = np.flatnonzero(self._table.ids == cluster)
        if not len(places):
            return -1
        return int(places[0]) if self._places is None else int(np.searchsorted(self._places, places[0]))

    def cluster_at(self, row: int) -> int:
        """Return the id of the group in a row, -1 without such a row."""
        return int(self._table.ids[self.position(row)]) if 0 <= row < self.rowCount() else -1

    def folder(self, row: int) -> str:
        """Return the folder of the kept copy, for the list."""
        return folder_text(Path(self._table.folder(self.position(row))), self._roots)

    def holds(self, row: int) -> str:
        """Return what the group has besides its kept copy."""
        index = self.position(row)
        return words.holds(self._table.holds[index].tolist(), int(self._table.distant[index]))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        if parent.isValid():
            return 0
        return len(self._table.ids) if self._places is None else len(self._places)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._table.title(self.position(row)) if self.part_at(row) == NO_PART else self.part_name(row)
        if role == Qt.ItemDataRole.ToolTipRole:
            return words.plain_tip(shown(self._table.folder(self.position(row))))
        return self.sentence(row) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def sentence(self, row: int) -> str:
        """Return a row in words for a screen reader."""
        if self.part_at(row) != NO_PART:
            return ", ".join((self.part_name(row), words.relation_name(Relation.PART)))
        table, index = self._table, self.position(row)
        parts = [
            table.title(index),
            self.holds(row),
            self.folder(row),
            self.tr("%1 to free").replace("%1", words.size(int(table.bytes_to_free[index]))),
        ]
        if table.reviewed[index]:
            parts.append(self.tr("reviewed"))
        if table.marked[index]:
            parts.append(self.tr("has marked documents"))
        parts.append(self.tr("row %1 of %2").replace("%1", str(index + 1)).replace("%2", str(len(table.ids))))
        return ", ".join(parts)
