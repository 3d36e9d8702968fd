"""Labels: always plain text, in a type role and a tone of the theme."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QSizePolicy, QWidget


def set_look(widget: QWidget, **properties: object) -> None:
    """Set dynamic properties the style sheet knows, and let it look again if any is new."""
    if all(widget.property(name) == value for name, value in properties.items()):
        return
    for name, value in properties.items():
        widget.setProperty(name, value)
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def label(text: str = "", role: str = "body", tone: str = "", *, wrap: bool = False) -> QLabel:
    """A label in a role of theme.TYPE. `tone`: a text colour other than the role's own."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setProperty("role", role)
    if tone:
        made.setProperty("tone", tone)
    made.setWordWrap(wrap)
    return made


def badge(text: str, tone: str = "neutral") -> QLabel:
    """A pill with a word on its soft ground: "Done", "Exact copy"."""
    made = label(text)
    made.setProperty("look", "badge")
    made.setProperty("tone", tone)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


_TYPE_TONES = {"PDF": "remove", "HTML": "warn", "HTM": "warn", "TXT": "neutral", "MD": "neutral", "XLSX": "keep"}


def type_word(extension: str) -> str:
    """The word for an extension: "DOCX" for ".docx"."""
    return extension.lstrip(".").upper()[:5] or "—"


def type_tone(extension: str) -> str:
    """The tone of a file type."""
    return _TYPE_TONES.get(type_word(extension), "accent")


def type_badge(extension: str) -> QLabel:
    """The small rectangle that names a file type."""
    made = label(type_word(extension))
    made.setProperty("look", "type")
    made.setProperty("tone", type_tone(extension))
    made.setAlignment(Qt.AlignmentFlag.AlignCenter)
    made.setMinimumWidth(42)
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
    return made


def line() -> QFrame:
    """A hairline across."""
    made = QFrame()
    made.setProperty("look", "line")
    return made


def plain_tip(text: str) -> str:
    """`text` for a tool tip: Qt takes text with a tag in it for HTML, so no tag is left."""
    return text.replace("<", "<\u2060")


class ElidedLabel(QLabel):
    """One line that gives way, in the middle unless told otherwise; the whole text is its tool tip when it does."""

    def __init__(
        self,
        text: str = "",
        role: str = "body",
        parent: QWidget | None = None,
        *,
        elide: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle,
    ) -> None:
        super().__init__(parent)
        self._whole = text
        self._elide = elide
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", role)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setText(text)

    def setText(self, text: str) -> None:
        if text == self._whole and text == super().text():
            return
        self._whole = text
        self.setAccessibleName(text)
        super().setText(text)
        self._look_at_width()

    def text(self) -> str:
        return self._whole

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("…") * 4, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._look_at_width()

    def _look_at_width(self) -> None:
        fits = self.fontMetrics().horizontalAdvance(self._whole) <= self.contentsRect().width()
        self.setToolTip("" if fits else plain_tip(self._whole))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        area = self.contentsRect()
        shown = self.fontMetrics().elidedText(self._whole, self._elide, area.width())
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)
