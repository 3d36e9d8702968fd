"""Labels: plain text in a type role and tone of the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPlainTextEdit, QSizePolicy, QWidget


def set_look(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties that the style sheet uses, and apply it again if a value changed."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def label(text: str = "", role: str = "body", tone: str = "", *, wrap: bool = False) -> QLabel:
    """Return a label in a role of theme.TYPE. tone: a colour other than the role's."""
    widget = QLabel(text)
    widget.setTextFormat(Qt.TextFormat.PlainText)
    widget.setProperty("role", role)
    if tone:
        widget.setProperty("tone", tone)
    widget.setWordWrap(wrap)
    return widget


def badge(text: str, tone: str = "neutral", look: str = "badge") -> QLabel:
    """Return a word on a soft background. look: "badge" (a pill), "type" (a small rectangle) or "count"."""
    widget = label(text, tone=tone)
    widget.setProperty("look", look)
    widget.setProperty("ground", "soft")
    widget.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    if look != "badge":
        widget.setAlignment(Qt.AlignmentFlag.AlignCenter)
    return widget


_TYPE_TONES = {
    "PDF": "remove", "DOCX": "accent", "DOC": "accent", "ODT": "accent", "HWPX": "accent", "HWP": "accent",
    "HTML": "warn", "HTM": "warn", "MHTML": "warn",
    "XLSX": "keep", "XLS": "keep", "EPUB": "near",
}  # fmt: skip


def type_word(extension: str) -> str:
    """Return the word for an extension: "DOCX" for ".docx"."""
    return extension.lstrip(".").upper()[:5] or "—"


def type_tone(extension: str) -> str:
    return _TYPE_TONES.get(type_word(extension), "neutral")


def type_badge(extension: str) -> QLabel:
    """Return a small rectangle with a file type."""
    widget = badge(type_word(extension), type_tone(extension), "type")
    widget.setMinimumWidth(42)
    return widget


def line(look: str = "line") -> QFrame:
    """Return a thin line: "line" is horizontal, "rule" vertical."""
    frame = QFrame()
    frame.setProperty("look", look)
    return frame


def plain_tip(text: str) -> str:
    """Return `text` for a tool tip, with tags broken up: Qt shows text with a tag as HTML."""
    return text.replace("<", "<\u2060")


def read_only_text(text: str, name: str, height: int) -> QPlainTextEdit:
    """Return a field of text that can be scrolled and copied. name: its accessible name. height: px, at least."""
    field = QPlainTextEdit(text, readOnly=True, tabChangesFocus=True)
    field.setAccessibleName(name)
    field.setMinimumHeight(height)
    return field


class ElidedLabel(QLabel):
    """One line that is shortened if necessary, by default in the middle; then its tool tip has the whole text."""

    def __init__(
        self, text: str = "", role: str = "body", *, elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle
    ) -> None:
        super().__init__()
        self._elide = elide
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        if text != self.text():
            self.setAccessibleName(text)
            super().setText(text)
            self._update_tip()

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 4, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_tip()

    def _update_tip(self) -> None:
        fits = self.fontMetrics().horizontalAdvance(self.text()) <= self.contentsRect().width()
        self.setToolTip("" if fits else plain_tip(self.text()))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self.contentsRect()
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), self.fitting(area.width()))

    def fitting(self, width: int) -> str:
        """Return the text, shortened if it is wider than `width`, in pixels."""
        metrics = self.fontMetrics()
        if metrics.horizontalAdvance(self.text()) <= width:  # rounded: Qt would shorten what is a half pixel wider
            return self.text()
        return metrics.elidedText(self.text(), self._elide, width)
