"""The painted lines of what rules would do."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from dupfinder.base.display import shown
from dupfinder.gui.kit import words
from dupfinder.gui.kit.ink import Ink, badge_tones
from dupfinder.gui.selecting.selection_preview import Fate, Line, PreviewModel
from dupfinder.review.rules import Rule, RuleKind

ROW: Final = 34
TILES: Final = {
    Fate.STAYS: ("check", "keep", "keep_soft"),
    Fate.GOES: ("trash", "remove", "remove_soft"),
    Fate.OPEN: ("eye", "secondary", "neutral_soft"),
    Fate.FOLDER: ("folder", "secondary", "neutral_soft"),
}


class PreviewLines(QStyledItemDelegate):
    """A heading for a group; below it a tile for the fate, the type, the name, and why."""

    def __init__(self, ink: Ink, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ink = ink

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(200, ROW)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        model = index.model()
        if not isinstance(model, PreviewModel):
            return
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        line, box = model.lines[index.row()], QRectF(option.rect).adjusted(0, 0, -8, 0)
        right = Qt.AlignmentFlag.AlignRight
        if line.fate is Fate.HEADING:
            box = box.adjusted(0, 6, 0, 0)
            note = words.documents(line.count) if line.count else ""
            used = self._ink.text(painter, box, note, "secondary", "secondary", right)
            self._ink.text(painter, box.adjusted(0, 0, -used - 8, 0), line.text, "strong", "text")
        else:
            self._paint_line(painter, box, line)
        painter.restore()

    def _paint_line(self, painter: QPainter, box: QRectF, line: Line) -> None:
        ink = self._ink
        icon, token, ground = TILES[line.fate]
        tile = QRectF(box.left(), box.center().y() - 13, 26, 26)
        ink.shape(painter, tile, ground, 5)
        ink.icon(painter, icon, token, tile.adjusted(6, 6, -6, -6))
        rest = box.adjusted(36, 0, 0, 0)
        if line.member is not None:
            badge = line.member.badge.upper()
            rest.setLeft(rest.left() + ink.badge(painter, rest, badge, badge_tones(badge)) + 10)
            note = self._why(line)
        else:
            note = f"{words.documents(line.count)} · {words.size(line.bytes)}"
        used = ink.text(painter, rest, note, "secondary", "secondary", Qt.AlignmentFlag.AlignRight)
        tone = "secondary" if line.fate is Fate.GOES else "text"
        left, middle = Qt.AlignmentFlag.AlignLeft, Qt.TextElideMode.ElideMiddle
        ink.text(painter, rest.adjusted(0, 0, -used - 12, 0), line.text, "body", tone, left, middle)

    def _why(self, line: Line) -> str:
        member = line.member
        assert member is not None
        if line.fate is Fate.STAYS:
            if line.rule is not None:
                return rule_reason(line.rule)
            return self.tr("protected") if member.protected else self.tr("kept")
        if line.fate is Fate.OPEN:
            return (
                self.tr("protected")
                if member.protected
                else self.tr("%1 — left to you").replace("%1", words.reason(member))
            )
        return words.reason(member)


def rule_reason(rule: Rule) -> str:
    """Why a document stays, by the rule that decided."""
    translate = QCoreApplication.translate
    if rule.kind is RuleKind.IN_FOLDER and rule.folder is not None:
        return translate("Rules", "in %1").replace("%1", shown(rule.folder.name))
    return {
        RuleKind.RICHER: translate("Rules", "richer format"),
        RuleKind.PLAIN_NAME: translate("Rules", "not named a copy"),
        RuleKind.NEWEST: translate("Rules", "newest"),
        RuleKind.OLDEST: translate("Rules", "oldest"),
        RuleKind.LARGEST: translate("Rules", "largest"),
        RuleKind.SMALLEST: translate("Rules", "smallest"),
        RuleKind.MOST_TEXT: translate("Rules", "most text"),
        RuleKind.SHORTEST_PATH: translate("Rules", "shortest path"),
        RuleKind.LONGEST_PATH: translate("Rules", "longest path"),
        RuleKind.IN_FOLDER: "",
    }[rule.kind]
