"""The documents of a plan as painted lines: by folder, or by file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from dupfinder.actions.plan import Plan, Step
from dupfinder.base.display import shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.drawing import Drawing

Index = QModelIndex | QPersistentModelIndex
RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter

ROW: Final = 36


@dataclass(frozen=True, slots=True)
class FolderLine:
    """A folder with the number and bytes of its documents to be removed."""

    folder: Path
    documents: int
    bytes: int


def by_folder(plan: Plan) -> list[FolderLine]:
    """Return the folders of the documents to be removed, the folder with the most bytes first."""
    totals: dict[Path, tuple[int, int]] = {}
    for step in plan.steps:
        count, size = totals.get(step.victim.path.parent, (0, 0))
        totals[step.victim.path.parent] = (count + 1, size + step.victim.stamp.size)
    lines = [FolderLine(folder, count, size) for folder, (count, size) in totals.items()]
    return sorted(lines, key=lambda line: (-line.bytes, line.folder))


def can_be_linked(step: Step) -> bool:
    """Tell whether a document can become a hard link to its survivor: the same bytes on the same volume."""
    same_volume = step.victim.stamp.device == step.keeper.stamp.device
    return step.relation is Relation.IDENTICAL and same_volume


class RemovalModel(QAbstractTableModel):
    """Rows are folders (name, documents, bytes) or files (name, kept copy, bytes)."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folders: Sequence[FolderLine] = ()
        self._steps: Sequence[Step] = ()
        self._by_file = False

    def show_plan(self, plan: Plan) -> None:
        """Show a plan."""
        self.beginResetModel()
        self._folders, self._steps = by_folder(plan), plan.steps
        self.endResetModel()

    def show_files(self, by_file: bool) -> None:
        """Show files, or else folders."""
        self.beginResetModel()
        self._by_file = by_file
        self.endResetModel()

    @property
    def by_file(self) -> bool:
        """Whether files are shown."""
        return self._by_file

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        if parent.isValid():
            return 0
        return len(self._steps) if self._by_file else len(self._folders)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return LEFT if index.column() == 0 or (self._by_file and index.column() == 1) else RIGHT
        texts = self._file(index.row()) if self._by_file else self._folder(index.row())
        if role == Qt.ItemDataRole.DisplayRole:
            return texts[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 0:
            return words.plain_tip(texts[0])
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join(texts) if index.column() == 0 else texts[index.column()]
        return None

    def _folder(self, row: int) -> tuple[str, str, str]:
        line = self._folders[row]
        return shown(line.folder), words.documents(line.documents), words.size(line.bytes)

    def _file(self, row: int) -> tuple[str, str, str]:
        step = self._steps[row]
        survivor = self.tr("kept: %1").replace("%1", shown(step.keeper.path.name))
        return shown(step.victim.path), survivor, words.size(step.victim.stamp.size)


class RemovalLines(QStyledItemDelegate):
    """An icon and a name, then less prominent facts, and a thin line below."""

    def __init__(self, drawing: Drawing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, RemovalModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        painter.setPen(QPen(self._drawing.colour("hairline"), 1))
        painter.drawLine(QPointF(box.left(), box.bottom() - 0.5), QPointF(box.right() + 1, box.bottom() - 0.5))
        text = str(model.data(index))
        align, middle = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle
        if index.column() == 0:
            name = "document" if model.by_file else "folder"
            self._drawing.icon(painter, name, "secondary", QRectF(box.left() + 2, box.center().y() - 8, 16, 16))
            self._drawing.text(painter, box.adjusted(28, 0, -8, 0), text, "body", "text", align, middle)
        else:
            if index.column() == 2 or not model.by_file:
                align = Qt.AlignmentFlag.AlignRight
            self._drawing.text(painter, box.adjusted(4, 0, 0, 0), text, "secondary", "secondary", align, middle)
        painter.restore()
