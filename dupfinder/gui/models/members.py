"""The members of the cluster in hand as a Qt table model."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QAbstractTableModel, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.base.display import located, shown
from dupfinder.gui.views import words
from dupfinder.gui.views.places import url_of
from dupfinder.review.members import Member

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class Column(IntEnum):
    """The columns in the order they are first shown."""

    DECISION = 0
    SIDE = 1
    DOCUMENT = 2
    WHY = 3
    SIMILAR = 4
    CHANGED = 5
    PAGES = 6
    WORDS = 7
    LANGUAGE = 8
    SIZE = 9


NUMERIC = frozenset({Column.SIMILAR, Column.PAGES, Column.WORDS, Column.SIZE})


class MembersModel(QAbstractTableModel):
    """Rows are members; `pair` says which two are compared (positions, -1: none)."""

    def __init__(self, roots: Sequence[Path] = (), parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._roots = sorted(roots, key=lambda root: len(root.parts), reverse=True)
        self._members: Sequence[Member] = ()
        self._pair = (-1, -1)

    @property
    def members(self) -> Sequence[Member]:
        """What is shown, in order."""
        return self._members

    @property
    def pair(self) -> tuple[int, int]:
        """Rows of A and B."""
        return self._pair

    def show_members(self, members: Sequence[Member]) -> None:
        """Show another cluster, or the same one changed; rows are reset only when other documents are in them."""
        same = [one.document for one in members] == [one.document for one in self._members]
        if same:
            self._members = members
            self._all_changed()
            return
        self.beginResetModel()
        self._members = members
        self._pair = (-1, -1)
        self.endResetModel()

    def set_pair(self, pair: tuple[int, int]) -> None:
        """Say which rows are compared."""
        self._pair = pair
        self._all_changed()

    def _all_changed(self) -> None:
        if self._members:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._members) - 1, len(Column) - 1))

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._members)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(Column)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """The files of the rows, to be dropped as copies elsewhere; of a member of an archive, the archive."""
        rows = sorted({index.row() for index in indexes})
        data = QMimeData()
        data.setUrls([url_of(file) for file in dict.fromkeys(self._members[row].file for row in rows)])
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if orientation is not Qt.Orientation.Horizontal:
            return None
        column = Column(section)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in NUMERIC else LEFT
        if role == Qt.ItemDataRole.DisplayRole:
            return self.header(column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.header(column) or {Column.DECISION: self.tr("Decision"), Column.SIDE: self.tr("Side")}[column]
        return None

    def header(self, column: Column) -> str:
        """The heading of a column; none above the decision and the side."""
        return {
            Column.DECISION: "",
            Column.SIDE: "",
            Column.DOCUMENT: self.tr("Document"),
            Column.WHY: self.tr("Why it is here"),
            Column.SIMILAR: self.tr("Similar"),
            Column.CHANGED: self.tr("Changed"),
            Column.PAGES: self.tr("Pages"),
            Column.WORDS: self.tr("Words"),
            Column.LANGUAGE: self.tr("Language"),
            Column.SIZE: self.tr("Size"),
        }[column]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        member, column = self._members[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if column in NUMERIC else LEFT
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(member, column)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.sentence(index.row()) if column is Column.DECISION else self.text(index.row(), column)
        return None

    def text(self, row: int, column: Column) -> str:
        """What a cell says."""
        member = self._members[row]
        if column is Column.SIDE:
            return "A" if row == self._pair[0] else "B" if row == self._pair[1] else ""
        return {
            Column.DECISION: words.decision_word(member),
            Column.DOCUMENT: shown(member.name),
            Column.WHY: words.reason(member),
            Column.SIMILAR: words.percent(_share(member)),
            Column.CHANGED: words.day(member.changed),
            Column.PAGES: words.number(member.pages),
            Column.WORDS: words.number(member.words),
            Column.LANGUAGE: member.language or words.NO_VALUE,
            Column.SIZE: words.size(member.size),
        }[column]

    def folder(self, member: Member) -> str:
        """The folder as it is shown: from the scanned folder on, its steps apart; then the one inside an archive."""
        folder = Path(member.folder) if member.archive is None else member.archive
        for root in self._roots:
            if folder.is_relative_to(root):
                folder = folder.relative_to(root.parent)
                break
        text = " / ".join(part for part in folder.parts if part != folder.anchor)
        if member.archive is not None:
            text = " › ".join((text, *member.path.parent.relative_to(member.archive).parts))
        return self.tr("%1 (protected)").replace("%1", shown(text)) if member.protected else shown(text)

    def tip(self, member: Member, column: Column) -> str | None:
        """More about a cell: the whole path, or the numbers behind the percentage."""
        if column is Column.DOCUMENT:
            return words.plain_tip(shown(located(member.path, member.archive)))
        if column in (Column.SIMILAR, Column.WHY):
            lines = [
                self.tr("%1 of it stands in the kept copy").replace("%1", words.percent(member.in_keeper)),
                self.tr("%1 of the kept copy stands in it").replace("%1", words.percent(member.keeper_in)),
            ]
            if member.distance is not None:
                lines.append(self.tr("%Ln fingerprint bits differ", None, member.distance))
            if member.linked_through:
                lines.append(self.tr("Linked only through %1").replace("%1", shown(member.linked_through.name)))
            return words.plain_tip("\n".join(lines))
        return None

    def sentence(self, row: int) -> str:
        """A row for a screen reader."""
        member = self._members[row]
        parts = [shown(member.name), member.badge.upper(), words.reason(member), words.percent(_share(member))]
        parts.append(self.tr("decision: %1").replace("%1", words.decision_word(member)))
        if side := self.text(row, Column.SIDE):
            parts.append(self.tr("compared as %1").replace("%1", side))
        parts.append(self.tr("row %1 of %2").replace("%1", str(row + 1)).replace("%2", str(len(self._members))))
        return ", ".join(part for part in parts if part)


def _share(member: Member) -> float:
    """What the list gives as a document's similarity: of a part, how much of it stands in the longer one."""
    return {"contained": member.in_keeper, "contains": member.keeper_in}.get(member.relation, member.similarity)
