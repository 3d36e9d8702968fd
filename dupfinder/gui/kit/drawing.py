"""Draw text and shapes of painted lists and panes in the colours and fonts of the theme."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from dupfinder.base.display import split_at
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit.labels import type_tone, type_word
from dupfinder.gui.kit.theme import Theme, paint_icon

PILL: Final = 20  # px height
BADGE: Final = 16
BADGE_WIDTH: Final = 44  # px at the usual size of text: four letters fit, so that names begin at the same x
HIT: Final = " hit"  # appended to a role: the role in bold
LEFT: Final = Qt.TextElideMode.ElideLeft
MIDDLE: Final = Qt.TextElideMode.ElideMiddle
# Lines of compact rows are closer than their fonts ask for: the tails of letters are not cut off by their boxes.
_LINE: Final = Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine | Qt.TextFlag.TextDontClip
TAIL: Final = 3  # px by which letters may reach out of the box of their line
HIT_LEAD: Final = 3  # letters before a hit that are shown if the beginning of the line is cut off
_RELATIONS: Final = {  # colour tokens of text and background; an empty background means an outline
    Relation.IDENTICAL: ("keep", "keep_soft"),
    Relation.SAME_TEXT: ("accent", "accent_soft"),
    Relation.SAME_WORDS: ("accent", ""),
    Relation.VERSION: ("near", "near_soft"),
    Relation.NONE: ("near", ""),
    Relation.PART: ("warn", "warn_soft"),
    Relation.WHOLE: ("warn", "warn_soft"),
    Relation.SAME_FORM: ("secondary", "neutral_soft"),
}
# Further roles of painted controls: a role of theme.TYPE, in another weight.
_MORE_ROLES: Final = {"control": ("secondary", QFont.Weight.DemiBold), "pill": ("small", QFont.Weight.DemiBold)}
Tones = tuple[str, str]


class Drawing:
    """Draws with roles of TYPE and colour tokens of TOKENS; caches fonts and metrics."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self.colour = theme.colour
        self._fonts: dict[str, QFont] = {}
        self._metrics: dict[str, QFontMetricsF] = {}

    def font(self, role: str) -> QFont:
        font = self._fonts.get(role)
        if font is None:
            base, weight = _MORE_ROLES.get(role, (role, None))
            if role.endswith(HIT):
                base, weight = role.removesuffix(HIT), QFont.Weight.Bold
            font = self.theme.font(base)
            if weight is not None:
                font.setWeight(weight)
            self._fonts[role] = font
        return font

    def metrics(self, role: str) -> QFontMetricsF:
        metrics = self._metrics.get(role)
        if metrics is None:
            metrics = self._metrics[role] = QFontMetricsF(self.font(role))
        return metrics

    def row(self, role: str, stretch: float) -> int:
        """Return the height of a row of text, in pixels. stretch: row height by font height."""
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
        sought: Sequence[str] = (),
    ) -> float:
        """Draw one line, shortened if necessary, every hit in bold on a soft background. Return its width in pixels.

        sought: words of a search, in lower case; a hit is a place where they are. Hits that are cut off are not shown.
        """
        if sought and (spans := hit_spans(words, sought)):
            line = self._around_hit(words, spans[0], role, box.width(), elide)
            return self._pieces(painter, box, split_at(line, hit_spans(line, sought)), role, token, align)
        metrics = self.metrics(role)
        width = metrics.horizontalAdvance(words)
        if width > box.width():
            words = metrics.elidedText(words, elide, max(0.0, box.width()))
            width = metrics.horizontalAdvance(words)
        painter.setFont(self.font(role))
        painter.setPen(self.colour(token))
        painter.drawText(box, align | _LINE, words)
        return float(width)

    def _pieces(
        self,
        painter: QPainter,
        box: QRectF,
        pieces: Sequence[tuple[str, bool]],
        role: str,
        token: str,
        align: Qt.AlignmentFlag,
    ) -> float:
        """Draw the pieces of a line one after the other, hits on a soft background. Return their width in pixels."""
        bold, plain = self.metrics(role + HIT), self.metrics(role)
        widths = [(bold if is_hit else plain).horizontalAdvance(piece) for piece, is_hit in pieces]
        x = box.left() if align & Qt.AlignmentFlag.AlignLeft else max(box.left(), box.right() - sum(widths))
        start = x
        painter.save()
        painter.setClipRect(box.adjusted(0, -TAIL, 0, TAIL), Qt.ClipOperation.IntersectClip)
        for (piece, is_hit), width in zip(pieces, widths, strict=True):
            piece_box = QRectF(x, box.top(), width + 1, box.height())
            if is_hit:
                height = plain.height()
                self.shape(painter, QRectF(x, box.center().y() - height / 2, width, height), "warn_soft", 2)
            painter.setFont(self.font(role + HIT if is_hit else role))
            painter.setPen(self.colour("text" if is_hit else token))
            painter.drawText(piece_box, _LINE, piece)
            x += width
        painter.restore()
        return x - start

    def _around_hit(self, words: str, span: tuple[int, int], role: str, width: float, elide: Qt.TextElideMode) -> str:
        """Return a line shortened to a width so that its first hit is visible, if possible."""
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
        """Draw a filled rectangle with rounded corners."""
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.colour(token))
        painter.drawRoundedRect(box, radius, radius)

    def outline(self, painter: QPainter, box: QRectF, token: str, radius: float, width: float) -> None:
        """Draw an empty rectangle with rounded corners; in the colour of the accent, it shows the focus."""
        painter.setPen(QPen(self.colour(token), width))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, radius, radius)

    def pill(self, painter: QPainter, box: QRectF, words: str, tones: Tones) -> float:
        """Draw words on a soft rounded background, or in an outline, at the left of `box`. Return its width."""
        height = max(float(PILL), self.metrics("label").height() + 4)
        width = min(box.width(), self.metrics("label").horizontalAdvance(words) + 16)
        ground = QRectF(box.left(), box.center().y() - height / 2, width, height)
        if tones[1]:
            self.shape(painter, ground, tones[1], height / 2)
        else:
            self.outline(painter, ground.adjusted(0.5, 0.5, -0.5, -0.5), tones[0], height / 2, 1)
        self.text(painter, ground.adjusted(4, 0, -4, 0), words, "label", tones[0], Qt.AlignmentFlag.AlignHCenter)
        return width

    def badge(self, painter: QPainter, box: QRectF, extension: str, *, on_accent: bool = False) -> float:
        """Draw a file type on its soft background. Return its width. on_accent: as for `relation_tones`."""
        words, tone = type_word(extension), type_tone(extension)
        height = max(float(BADGE), self.metrics("label").height() + 1)
        width = max(self.theme.px(BADGE_WIDTH), self.metrics("label").horizontalAdvance(words) + 12)
        ground = QRectF(box.left(), box.center().y() - height / 2, width, height)
        self.shape(painter, ground, "surface" if on_accent else f"{tone}_soft", 4)
        colour = "secondary" if tone == "neutral" else tone
        self.text(painter, ground, words, "label", colour, Qt.AlignmentFlag.AlignHCenter)
        return width

    def icon(self, painter: QPainter, name: str, token: str, box: QRectF) -> None:
        """Draw an icon of resources/icons."""
        paint_icon(painter, name, self.colour(token), box)


def hit_spans(words: str, sought: Sequence[str]) -> list[tuple[int, int]]:
    """Return where any of some lower-case words occurs in a line: (start, end), in order, without overlap."""
    folded = words.casefold()
    if not sought or len(folded) != len(words):  # letters that fold to several would shift the positions
        return []
    pattern = "|".join(re.escape(word) for word in sorted(sought, key=len, reverse=True) if word)
    return [match.span() for match in re.finditer(pattern, folded)] if pattern else []


def relation_tones(relation: Relation, *, on_accent: bool = False) -> Tones:
    """Return (text colour, background) of a relation; an empty background means an outline.

    on_accent: the row itself has an accent background.
    """
    tone, ground = _RELATIONS[relation]
    return (tone, "surface") if on_accent and ground else (tone, ground)
