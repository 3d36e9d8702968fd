"""Ink: what the painted lists and panes draw with. Colours and fonts of the theme, kept until it changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import icons
from dupfinder.gui.kit.theme import Theme

PILL: Final = 20  # px height
BADGE: Final = 16
HIT: Final = " hit"  # after a role: the same in bold
_LINE: Final = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
HIT_LEAD: Final = 3  # letters before a hit that stay when the beginning of a line has no room
_RELATIONS: Final = {
    Relation.IDENTICAL: ("keep", "keep_soft"),
    Relation.SAME_TEXT: ("accent", "accent_soft"),
    Relation.SAME_WORDS: ("accent", ""),
    Relation.VERSION: ("near", "near_soft"),
    Relation.NONE: ("near", ""),
    Relation.PART: ("warn", "warn_soft"),
    Relation.WHOLE: ("warn", "warn_soft"),
    Relation.SAME_FORM: ("secondary", "neutral_soft"),
}
_BADGES: Final = {
    "pdf": ("remove", "remove_soft"),
    "docx": ("accent", "accent_soft"),
    "doc": ("accent", "accent_soft"),
    "html": ("warn", "warn_soft"),
    "htm": ("warn", "warn_soft"),
    "mhtml": ("warn", "warn_soft"),
    "xlsx": ("keep", "keep_soft"),
    "xls": ("keep", "keep_soft"),
    "epub": ("near", "near_soft"),
    "odt": ("accent", "accent_soft"),
}
# Roles of painted controls beside those of theme.TYPE: the size of a role in another weight.
_MORE_ROLES: Final = {"control": ("secondary", QFont.Weight.DemiBold), "pill": ("small", QFont.Weight.DemiBold)}
Tones = tuple[str, str]


class Ink(QObject):
    """Drawing in the theme's terms: roles of TYPE and tokens of TOKENS."""

    def __init__(self, theme: Theme, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._colours: dict[str, QColor] = {}
        self._fonts: dict[str, QFont] = {}
        self._metrics: dict[str, QFontMetricsF] = {}
        theme.changed.connect(self._forget)

    @property
    def theme(self) -> Theme:
        """Where colours and fonts come from."""
        return self._theme

    def _forget(self) -> None:
        self._colours.clear()

    def colour(self, token: str) -> QColor:
        """The colour of a token."""
        found = self._colours.get(token)
        if found is None:
            found = self._colours[token] = self._theme.colour(token)
        return found

    def font(self, role: str) -> QFont:
        """The font of a role."""
        found = self._fonts.get(role)
        if found is None:
            size, weight = _MORE_ROLES.get(role, ("", None))
            if role.endswith(HIT):
                size, weight = role.removesuffix(HIT), QFont.Weight.Bold
            found = self._theme.font(size or role)
            if weight is not None:
                found.setWeight(weight)
            self._fonts[role] = found
        return found

    def metrics(self, role: str) -> QFontMetricsF:
        """The measures of a role's font."""
        found = self._metrics.get(role)
        if found is None:
            found = self._metrics[role] = QFontMetricsF(self.font(role))
        return found

    def row(self, role: str, stretch: float) -> int:
        """The height of a row of text, in pixels."""
        return round(self.metrics(role).height() * stretch)

    def text(
        self,
        painter: QPainter,
        box: QRectF,
        words: str,
        role: str,
        token: str,
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> float:
        """Write one line, elided where it must be; how wide it became. `words` is plain text."""
        metrics = self.metrics(role)
        width = metrics.horizontalAdvance(words)
        if width > box.width():
            words = metrics.elidedText(words, elide, max(0.0, box.width()))
            width = metrics.horizontalAdvance(words)
        painter.setFont(self.font(role))
        painter.setPen(self.colour(token))
        painter.drawText(box, align | _LINE, words)
        return float(width)

    def text_with_hits(
        self,
        painter: QPainter,
        box: QRectF,
        words: str,
        role: str,
        token: str,
        hits: Sequence[str],
        align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> float:
        """Write one line with every hit in bold on a soft ground; what is elided is not a hit. Return its width."""
        spans = hit_spans(words, hits)
        if not spans:
            return self.text(painter, box, words, role, token, align, elide)
        line = self._around_hit(words, spans[0], role, box.width(), elide)
        pieces = pieces_of(line, hit_spans(line, hits))
        bold, plain = self.metrics(role + HIT), self.metrics(role)
        widths = [(bold if is_hit else plain).horizontalAdvance(piece) for piece, is_hit in pieces]
        x = box.left() if align & Qt.AlignmentFlag.AlignLeft else max(box.left(), box.right() - sum(widths))
        start = x
        painter.save()
        painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
        for (piece, is_hit), width in zip(pieces, widths, strict=True):
            place = QRectF(x, box.top(), width + 1, box.height())
            if is_hit:
                height = plain.height()
                self.shape(painter, QRectF(x, box.center().y() - height / 2, width, height), "warn_soft", 2)
            painter.setFont(self.font(role + HIT if is_hit else role))
            painter.setPen(self.colour("text" if is_hit else token))
            painter.drawText(place, _LINE, piece)
            x += width
        painter.restore()
        return x - start

    def _around_hit(self, words: str, span: tuple[int, int], role: str, width: float, elide: Qt.TextElideMode) -> str:
        """Shorten a line to a width so that its first hit can be seen."""
        metrics = self.metrics(role + HIT)
        hit = words[span[0] : span[1]]
        for mode in (elide, Qt.TextElideMode.ElideMiddle, Qt.TextElideMode.ElideLeft):
            line = str(metrics.elidedText(words, mode, max(0.0, width)))
            if hit in line:
                return line
        for lead in (HIT_LEAD, 0):
            rest = "…" + words[max(0, span[0] - lead) :]
            line = str(metrics.elidedText(rest, Qt.TextElideMode.ElideRight, max(0.0, width)))
            if hit in line:
                break
        return line

    def shape(self, painter: QPainter, box: QRectF, token: str, radius: float) -> None:
        """A filled rectangle with round corners."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colour(token))
        painter.drawRoundedRect(box, radius, radius)

    def pill(self, painter: QPainter, box: QRectF, words: str, tones: Tones) -> float:
        """Words on a soft round ground, or within an outline, at the left of `box`; how wide it became."""
        height = max(float(PILL), self.metrics("label").height() + 4)
        width = min(box.width(), self.metrics("label").horizontalAdvance(words) + 16)
        ground = QRectF(box.left(), box.center().y() - height / 2, width, height)
        if tones[1]:
            self.shape(painter, ground, tones[1], height / 2)
        else:
            painter.setPen(QPen(self.colour(tones[0]), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(ground.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        self.text(painter, ground.adjusted(4, 0, -4, 0), words, "label", tones[0], Qt.AlignmentFlag.AlignHCenter)
        return width

    def badge(self, painter: QPainter, box: QRectF, words: str, tones: Tones) -> float:
        """A file type on its soft ground; how wide it became."""
        height = max(float(BADGE), self.metrics("label").height() + 1)
        width = max(40.0, self.metrics("label").horizontalAdvance(words) + 12)
        ground = QRectF(box.left(), box.center().y() - height / 2, width, height)
        self.shape(painter, ground, tones[1], 4)
        self.text(painter, ground, words, "label", tones[0], Qt.AlignmentFlag.AlignHCenter)
        return width

    def side_chip(self, painter: QPainter, centre: QPointF, side: str) -> None:
        """The letter of a side on the accent's ground."""
        ground = QRectF(centre.x() - 9, centre.y() - 9, 18, 18)
        self.shape(painter, ground, "accent", 4)
        self.text(painter, ground, side, "label", "on_accent", Qt.AlignmentFlag.AlignHCenter)

    def icon(self, painter: QPainter, name: str, token: str, box: QRectF) -> None:
        """A picture of resources/icons."""
        icons.paint(painter, name, self.colour(token), box)


def hit_spans(words: str, hits: Sequence[str]) -> list[tuple[int, int]]:
    """Return where any of some lower-case words stands in a line, (start, end), in order and without overlap."""
    folded = words.casefold()
    if not hits or len(folded) != len(words):  # letters that fold to several would shift the places
        return []
    pattern = "|".join(re.escape(hit) for hit in sorted(hits, key=len, reverse=True) if hit)
    return [match.span() for match in re.finditer(pattern, folded)] if pattern else []


def pieces_of(line: str, spans: Sequence[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Cut a line into (piece, whether it is a hit)."""
    pieces, last = [], 0
    for start, end in spans:
        pieces += [(line[last:start], False), (line[start:end], True)]
        last = end
    return [piece for piece in (*pieces, (line[last:], False)) if piece[0]]


def relation_tones(relation: Relation, *, on_accent: bool = False) -> Tones:
    """(ink, ground) of a relation; an empty ground is an outline. on_accent: the row itself has an accent ground."""
    tone, ground = _RELATIONS[relation]
    return (tone, "surface") if on_accent and ground else (tone, ground)


def badge_tones(badge: str) -> Tones:
    """(ink, ground) of a file type."""
    return _BADGES.get(badge.lower(), ("secondary", "neutral_soft"))
