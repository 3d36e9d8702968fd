"""Paint the cells of a member."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from dupfinder.cluster.relation import Confidence, Relation
from dupfinder.gui.kit.drawing import Drawing, badge_tones, relation_tones
from dupfinder.gui.results.members import NUMERIC, Column, MembersModel, Row
from dupfinder.review.members import REMOVED, Decision

CONTROL_INSET: Final = 9  # px above and below the decision control
# decision: (icon, text colour, background, border)
CONTROLS: Final[dict[Decision, tuple[str, str, str, str]]] = {
    Decision.KEEP: ("check", "keep", "keep_soft", ""),
    Decision.REMOVE: ("trash", "remove", "remove_soft", ""),
    Decision.UNDECIDED: ("", "secondary", "surface", "button_line"),
}
CONTROLS[Decision.REMOVE_PART] = CONTROLS[Decision.REMOVE]
LOCKED: Final = ("lock", "secondary", "neutral_soft", "")


class MemberDelegate(QStyledItemDelegate):
    """Paints every column; the compared pair has a background and a bar at the left."""

    def __init__(self, drawing: Drawing, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, MembersModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        row, column = model.rows[index.row()], Column(index.column())
        box = QRectF(option.rect)
        self._paint_ground(painter, box, option, column, index.row() in model.pair)
        on_accent = index.row() in model.pair or bool(option.state & QStyle.StateFlag.State_Selected)
        if column is Column.DECISION:
            self._paint_control(painter, option.rect, row, model.text(index.row(), column))
        elif column is Column.SIDE:
            if side := model.text(index.row(), column):
                self._drawing.side_chip(painter, QPointF(box.left() + 13, box.center().y()), side)
        elif column is Column.DOCUMENT:
            self._paint_document(painter, box, model, index.row())
        elif column is Column.RELATION:
            self._paint_relation(painter, box.adjusted(8, 0, -4, 0), model, index.row(), on_accent)
        elif column is Column.NEAREST:
            self._paint_nearest(painter, box.adjusted(8, 0, -4, 0), model, index.row())
        else:
            role, token = ("strong", "text") if column is Column.SIMILAR else ("secondary", "secondary")
            align = Qt.AlignmentFlag.AlignRight if column in NUMERIC else Qt.AlignmentFlag.AlignLeft
            self._drawing.text(painter, box.adjusted(4, 0, -8, 0), model.text(index.row(), column), role, token, align)
        painter.restore()

    def _paint_ground(
        self, painter: QPainter, box: QRectF, option: QStyleOptionViewItem, column: Column, compared: bool
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if compared or chosen:
            painter.fillRect(box, self._drawing.colour("accent_soft"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.fillRect(box, self._drawing.colour("hover"))
        painter.setPen(QPen(self._drawing.colour("hairline"), 1))
        y = box.bottom() - 0.5
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
        if column is not Column.DECISION:
            return
        if compared:
            painter.fillRect(QRectF(box.left(), box.top(), 3, box.height()), self._drawing.colour("accent"))
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(self._drawing.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(control_box(option.rect)).adjusted(-2, -2, 2, 2), 6, 6)

    def _paint_control(self, painter: QPainter, cell: QRect, row: Row, word: str) -> None:
        member = row.member
        if not member.is_there:
            return
        marked = Decision.REMOVE if row.stack and row.marked else member.decision
        icon, token, ground, border = LOCKED if member.is_locked else CONTROLS[marked]
        control = QRectF(control_box(cell))
        if not row.below:
            painter.setPen(QPen(self._drawing.colour(border), 1) if border else Qt.PenStyle.NoPen)
            painter.setBrush(self._drawing.colour(ground))
            painter.drawRoundedRect(control.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        x = control.left() + 9
        if icon:
            self._drawing.icon(painter, icon, token, QRectF(x, control.center().y() - 7, 14, 14))
            x += 19
        self._drawing.text(painter, QRectF(x, control.top(), control.right() - x - 4, control.height()), word,
                       "control", token)  # fmt: skip

    def _paint_document(self, painter: QPainter, box: QRectF, model: MembersModel, index: int) -> None:
        row, drawing = model.rows[index], self._drawing
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle
        name, second = model.text(index, Column.DOCUMENT), model.second(index, Column.DOCUMENT)
        tone = "secondary" if row.member.decision in REMOVED or not row.member.is_there else "text"
        inner = box.adjusted(8, 4, -8, -4)
        if row.below:
            inner = inner.adjusted(22, 0, 0, 0)
            upper = inner.adjusted(0, 0, -inner.width() * 0.35, 0)
            used = drawing.text_with_hits(painter, upper, name, "secondary", tone, model.hits, left, middle)
            rest = inner.adjusted(used + 12, 0, 0, 0)
            drawing.text_with_hits(painter, rest, second, "small", "secondary", model.hits, left, middle)
            return
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() * 0.55)
        lower = QRectF(inner.left(), upper.bottom(), inner.width(), inner.height() - upper.height())
        if row.stack:
            arrow = QRectF(upper.left(), upper.center().y() - 7, 14, 14)
            drawing.icon(painter, "down" if model.is_open(index) else "right", "tertiary", arrow)
            drawing.icon(painter, "copy", "keep", arrow.translated(22, 0))
            used = 38.0
        else:
            used = drawing.badge(painter, upper, row.member.badge.upper(), badge_tones(row.member.badge))
        beside = upper.adjusted(used + 8, 0, 0, 0)
        drawing.text_with_hits(painter, beside, name, "medium", tone, model.hits, left, middle)
        if row.member.is_keeper and row.member.why_keeper is not None:
            used = drawing.metrics("label").horizontalAdvance(self._suggested()) + 32
            lower.setRight(max(lower.left() + 40, lower.right() - used))
            end = drawing.text_with_hits(painter, lower, second, "small", "secondary", model.hits, left, middle)
            self._paint_suggested(painter, QRectF(lower.left() + end + 8, lower.top(), used, lower.height()))
        else:
            drawing.text_with_hits(painter, lower, second, "small", "secondary", model.hits, left, middle)

    def _suggested(self) -> str:
        return self.tr("Suggested")

    def _paint_suggested(self, painter: QPainter, box: QRectF) -> None:
        """Draw that the program proposed the kept copy."""
        width = self._drawing.metrics("label").horizontalAdvance(self._suggested()) + 26
        ground = QRectF(box.left(), box.center().y() - 7.5, width, 15)
        painter.setPen(QPen(self._drawing.colour("tertiary"), 1, Qt.PenStyle.DashLine))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(ground, 7, 7)
        self._drawing.icon(painter, "wand", "tertiary", QRectF(ground.left() + 5, ground.center().y() - 5, 10, 10))
        self._drawing.text(painter, ground.adjusted(19, 0, -2, 0), self._suggested(), "label", "secondary")

    def _paint_relation(self, painter: QPainter, box: QRectF, model: MembersModel, index: int, on_accent: bool) -> None:
        row, drawing = model.rows[index], self._drawing
        if row.below:
            return
        member, word, second = row.member, model.text(index, Column.RELATION), model.second(index, Column.RELATION)
        upper, lower = QRectF(box), QRectF(box)
        if second:
            upper.setBottom(box.top() + box.height() * 0.58)
            lower.setTop(upper.bottom() - 2)
            lower.setBottom(box.bottom() - 3)
            drawing.text(painter, lower, second, "small", "secondary")
            upper = upper.adjusted(0, 3, 0, 0)
        if member.is_keeper or not member.is_there:
            drawing.text(painter, upper, word, "secondary", "secondary")
            return
        used = drawing.pill(painter, upper, word, relation_tones(member.relation, on_accent=on_accent))
        if member.confidence is Confidence.BORDERLINE and member.relation is Relation.VERSION:
            drawing.pill(painter, upper.adjusted(used + 5, 0, 0, 0), self.tr("borderline"), ("warn", ""))

    def _paint_nearest(self, painter: QPainter, box: QRectF, model: MembersModel, index: int) -> None:
        if model.rows[index].below:
            return
        inner = box.adjusted(0, 4, 0, -4)
        upper = QRectF(inner.left(), inner.top(), inner.width(), inner.height() * 0.5)
        lower = QRectF(inner.left(), upper.bottom(), inner.width(), inner.height() - upper.height())
        left, from_start = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideLeft
        self._drawing.text(painter, upper, model.text(index, Column.NEAREST), "small", "secondary", left, from_start)
        self._drawing.text(painter, lower, model.second(index, Column.NEAREST), "small", "secondary")


def control_box(cell: QRect) -> QRect:
    """Return the rectangle of the decision control in its cell; it grows with the row and the font."""
    return cell.adjusted(16, CONTROL_INSET, -4, -CONTROL_INSET)
