"""Cards, icon tiles and strips: backgrounds for content; and the area on which folders are dropped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QByteArray, QMimeData, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QBoxLayout, QFrame, QSizePolicy, QWidget

from dupfinder.base.paths import resource
from dupfinder.gui.kit.buttons import button, inset
from dupfinder.gui.kit.files import path_of
from dupfinder.gui.kit.labels import label, line
from dupfinder.gui.kit.layout import across, clear, down, grow
from dupfinder.gui.kit.theme import Theme, paint_icon, smooth_painter

BESIDE_LINKS: Final = 30  # px: the margins of a low strip, and the gap before its links


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the local folders and files of a drag."""
    return [path_of(url) for url in data.urls() if url.isLocalFile() and url.toLocalFile()]


class DropArea(QFrame):
    """A dashed, rounded area."""

    def __init__(self, theme: Theme, *, radius: int = 16, ground: str = "surface") -> None:
        super().__init__()
        self._theme, self._radius, self._ground = theme, radius, ground
        self._hot = False

    def set_hot(self, hot: bool) -> None:
        """Highlight the area while something is dragged over the window."""
        self._hot = hot
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        pen = QPen(self._theme.colour("accent" if self._hot else "accent_line"), 2 if self._hot else 1.6)
        pen.setDashPattern([6, 4])
        painter.setPen(pen)
        painter.setBrush(self._theme.colour("accent_soft" if self._hot else self._ground))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(1.5, 1.5, -1.5, -1.5), self._radius, self._radius)


class SheetsPicture(QWidget):
    """A picture of three sheets of paper, the front sheet with lines."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setFixedSize(QSize(124, 84))

    def paintEvent(self, event: QPaintEvent) -> None:
        picture = self._theme.fill_in(resource("icons/sheets.svg").read_text(encoding="utf-8"))
        QSvgRenderer(QByteArray(picture.encode())).render(smooth_painter(self), QRectF(self.rect()))


class Card(QFrame):
    """A white sheet with rounded corners. column: its layout."""

    def __init__(self, *, margin: int = 18, spacing: int = 8) -> None:
        super().__init__()
        self.setProperty("look", "card")
        self.column = down(margins=(margin, margin - 2, margin, margin - 2), spacing=spacing, into=self)

    def show_rows(self, rows: Sequence[QWidget], margin: int = 0) -> None:
        """Replace the content by rows with thin lines between them. margin: px beside a line."""
        clear(self.column)
        for number, row in enumerate(rows):
            if number:
                self.column.addWidget(inset(line(), margin))
            self.column.addWidget(row)


class Icon(QWidget):
    """An icon, drawn at the scale of the screen. size: px."""

    def __init__(self, theme: Theme, name: str, tone: str, size: int) -> None:
        super().__init__()
        self._theme, self._name, self._tone = theme, name, tone
        self.setFixedSize(theme.px(size), theme.px(size))

    def set_icon(self, name: str, tone: str) -> None:
        self._name, self._tone = name, tone
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_icon(painter, self._name, self._theme.colour(self._tone), QRectF(self.rect()))


class Tile(Icon):
    """An icon on a rounded square in a soft colour. tone: accent, keep, remove, warn, near or neutral."""

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = smooth_painter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour(f"{self._tone}_soft"))
        painter.drawRoundedRect(QRectF(self.rect()), 7, 7)
        inset = self.width() * 0.26
        colour = self._theme.colour("secondary" if self._tone == "neutral" else self._tone)
        paint_icon(painter, self._name, colour, QRectF(self.rect()).adjusted(inset, inset, -inset, -inset))


class Strip(QFrame):
    """A coloured strip with a sentence, a smaller sentence below, and links; hidden without the first sentence.

    icon: before the sentences; "" for a low strip, whose links go below a sentence that would need three lines.
    """

    def __init__(self, theme: Theme, icon: str, tone: str, title: str = "", text: str = "") -> None:
        super().__init__()
        self.setProperty("look", "banner")
        self.setProperty("tone", tone)
        self._title = label(title, "strong" if icon else "medium", tone, wrap=True)
        self._text = label(text, "secondary", tone, wrap=True)
        self.links = (button(theme, "", "link"), button(theme, "", "link"))
        column = grow(down(self._title, self._text, spacing=2))
        if icon:
            self.links[0].setProperty("tone", tone)
            row = across(Icon(theme, icon, tone, 20), column, *self.links, margins=(16, 10, 16, 10), spacing=14)
        else:
            row = across(column, across(*self.links, spacing=2), margins=(16, 6, 12, 6), spacing=2)
        self._row, self._is_low = row, not icon
        across(row, into=self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        for part in (self._text, *self.links):
            part.setVisible(bool(part.text()))
        if not title:
            self.hide()

    def show_text(self, title: str, text: str = "", *links: str) -> None:
        """Show two sentences and links; hide the strip if the first sentence is empty."""
        self._title.setText(title)
        self._title.setAccessibleName(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        for link, words in zip(self.links, (*links, "", ""), strict=False):
            link.setText(words)
            link.setVisible(bool(words))
        self.setVisible(bool(title))
        self._place_links()

    def _place_links(self) -> None:
        """Show the links of a low strip below its sentence if there is too little room beside them."""
        shown_links = [link.sizeHint().width() for link in self.links if not link.isHidden()]
        room = self.width() - sum(shown_links) - BESIDE_LINKS
        is_narrow = self._title.fontMetrics().horizontalAdvance(self._title.text()) > 2 * max(1, room)
        beneath = self._is_low and bool(shown_links) and is_narrow
        self._row.setDirection(QBoxLayout.Direction.TopToBottom if beneath else QBoxLayout.Direction.LeftToRight)

    def sizeHint(self) -> QSize:
        """Return room for all lines of the sentences at the present width: the strip never gets more."""
        hint = super().sizeHint()
        return QSize(hint.width(), max(hint.height(), self.heightForWidth(self.width())))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._place_links()
            self.updateGeometry()
