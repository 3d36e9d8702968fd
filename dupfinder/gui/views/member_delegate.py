"""How a member's cells are painted."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from dupfinder.base.display import shown
from dupfinder.gui.models.members import NUMERIC, Column, MembersModel
from dupfinder.gui.views import words
from dupfinder.gui.views.ink import Ink, badge_tones
from dupfinder.review.members import Decision, Member

CONTROL_INSET: Final = 9  # px above and below the decision control
# decision: (icon, ink, ground, border)
CONTROLS: Final = {
    Decision.KEEP: ("check", "keep", "keep_soft", ""),
    Decision.REMOVE: ("trash", "remove", "remove_soft", ""),
    Decision.UNDECIDED: ("", "secondary", "surface", "button_line"),
}
LOCKED: Final = ("lock", "secondary", "neutral_soft", "")
RELATIONS: Final = {
    "identical_bytes": ("keep", "keep_soft"),
    "identical_text": ("accent", "accent_soft"),
    "near": ("near", "near_soft"),
    "linked": ("near", "near_soft"),
    "contained": ("warn", "warn_soft"),
    "contains": ("warn", "warn_soft"),
}


class MemberDelegate(QStyledItemDelegate):
    """Paints every column; the pair that is compared stands out by ground and a bar at the left."""

    def __init__(self, ink: Ink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ink = ink

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, MembersModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        member, column = model.members[index.row()], Column(index.column())
        box = QRectF(option.rect)
        self._paint_ground(painter, box, option, column, index.row() in model.pair)
        if column is Column.DECISION:
            self._paint_control(painter, option.rect, member)
        elif column is Column.SIDE:
            if side := model.text(index.row(), column):
                self._ink.side_chip(painter, QPointF(box.left() + 13, box.center().y()), side)
        elif column is Column.DOCUMENT:
            self._paint_document(painter, box, member, model.folder(member))
        elif column is Column.WHY:
            self._paint_reason(painter, box.adjusted(8, 0, -4, 0), member)
        else:
            role, token = ("strong", "text") if column is Column.SIMILAR else ("secondary", "secondary")
            align = Qt.AlignmentFlag.AlignRight if column in NUMERIC else Qt.AlignmentFlag.AlignLeft
            self._ink.text(painter, box.adjusted(8, 0, -12, 0), model.text(index.row(), column), role, token, align)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, column: Column, compared: bool
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if compared or chosen:
            painter.fillRect(box, self._ink.colour("accent_soft"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, self._ink.colour("hover"))
        painter.setPen(QPen(self._ink.colour("hairline"), 1))
        y = box.bottom() - 0.5
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        if column is not Column.DECISION:
            return
        if compared:
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), self._ink.colour("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._ink.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(control_box(option.rect)).adjusted(-2, -2, 2, 2), 6, 6)

    def _paint_control(self, painter: QPainter, cell: QRect, member: Member) -> None:
        if member.gone:
            return
        icon, token, ground, border = LOCKED if member.is_locked else CONTROLS[member.decision]
        control = QRectF(control_box(cell))
        painter.setPen(QPen(self._ink.colour(border), 1) if border else Qt.PenStyle.NoPen)
        painter.setBrush(self._ink.colour(ground))
        painter.drawRoundedRect(control.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        x = control.left() + 9
        if icon:
            self._ink.icon(painter, icon, token, QRectF(x, control.center().y() - 7, 14, 14))
            x += 19
        word = QRectF(x, control.top(), control.right() - x - 4, control.height())
        self._ink.text(painter, word, words.decision_word(member), "control", token)

    def _paint_document(self, painter: QPainter, box: QRectF, member: Member, folder: str) -> None:
        inner = box.adjusted(8, 4, -8, -4)
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() * 0.55)
        lower = QRectF(inner.left(), upper.bottom(), inner.width(), inner.height() - upper.height())
        used = self._ink.badge(painter, upper, member.badge.upper(), badge_tones(member.badge))
        faded = member.decision is Decision.REMOVE or member.gone
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle
        name = upper.adjusted(used + 8, 0, 0, 0)
        self._ink.text(painter, name, shown(member.name), "medium", "secondary" if faded else "text", left, middle)
        self._ink.text(painter, lower, folder, "small", "secondary", left, middle)

    def _paint_reason(self, painter: QPainter, box: QRectF, member: Member) -> None:
        tones = RELATIONS.get(member.relation)
        if tones is None or member.gone:
            self._ink.text(painter, box, words.reason(member), "secondary", "secondary")
        else:
            self._ink.pill(painter, box, words.reason(member), tones)


def control_box(cell: QRect) -> QRect:
    """The decision control inside its cell; it grows with the row, and so with the font."""
    return cell.adjusted(16, CONTROL_INSET, -4, -CONTROL_INSET)
