"""The lines of what would be removed: a folder or a file, and what goes with it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from dupfinder.gui.kit.ink import Ink
from dupfinder.gui.removal.table import RemovalModel

ROW: Final = 36


class RemovalLines(QStyledItemDelegate):
    """An icon and a name, then quieter facts; a hairline under each."""

    def __init__(self, ink: Ink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ink = ink

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, RemovalModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect)
        painter.setPen(QPen(self._ink.colour("hairline"), 1))
        painter.drawLine(QPointF(box.left(), box.bottom() - 0.5), QPointF(box.right() + 1, box.bottom() - 0.5))
        text = str(model.data(index))
        align, middle = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle
        if index.column() == 0:
            name = "document" if model.by_file else "folder"
            self._ink.icon(painter, name, "secondary", QRectF(box.left() + 2, box.center().y() - 8, 16, 16))
            self._ink.text(painter, box.adjusted(28, 0, -8, 0), text, "body", "text", align, middle)
        else:
            if index.column() == 2 or not model.by_file:
                align = Qt.AlignmentFlag.AlignRight
            self._ink.text(painter, box.adjusted(4, 0, 0, 0), text, "secondary", "secondary", align, middle)
        painter.restore()
