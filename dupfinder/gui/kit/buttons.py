"""Buttons in their looks, rows that are one, chips, the segmented control, the switch, and fields with numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from dupfinder.gui.kit.labels import ElidedLabel, label
from dupfinder.gui.kit.theme import Theme

_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
_ICON_TONES = {"primary": "on_accent", "danger": "on_accent", "link": "accent"}


def button(theme: Theme, text: str, look: str = "", icon: str = "", size: int = 16) -> QPushButton:
    """A button. `look`: "" (bordered), "primary", "danger", "quiet" or "link"; `icon`: a name of resources/icons."""
    made = QPushButton(text)
    made.setAutoDefault(look != "danger")  # Enter presses the button that has the focus, but removes nothing
    if look:
        made.setProperty("look", look)
    if icon:
        _name_icon(made, icon, _ICON_TONES.get(look, "secondary"), size)
        theme.dress(made)
    return made


def icon_button(theme: Theme, icon: str, name: str, look: str = "icon", size: int = 18) -> QToolButton:
    """A button with an icon alone; `name` is its tool tip and its name for screen readers. `look`: "icon" or "box"."""
    made = QToolButton()
    made.setProperty("look", look)
    made.setToolTip(name)
    made.setAccessibleName(name)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    _name_icon(made, icon, "secondary", size)
    theme.dress(made)
    return made


def set_icon(theme: Theme, made: QAbstractButton, icon: str, tone: str = "") -> None:
    """Give a button another icon; it follows the theme from then on."""
    made.setProperty("icon_name", icon)
    if tone:
        made.setProperty("icon_tone", tone)
    theme.dress(made)


def _name_icon(made: QAbstractButton, icon: str, tone: str, size: int) -> None:
    made.setProperty("icon_name", icon)
    made.setProperty("icon_tone", tone)
    made.setProperty("icon_size", size)
    made.setIconSize(QSize(size, size))


class Toggle(QPushButton):
    """A button whose words grow heavier while it is on; it has room for that from the beginning."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setAutoDefault(True)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        # Families without a half-bold face show the bold one, which is wider; and the font may be either by now.
        light, heavy = QFont(self.font()), QFont(self.font())
        light.setWeight(QFont.Weight.Normal)
        heavy.setWeight(QFont.Weight.Bold)
        text = self.text()
        more = QFontMetrics(heavy).horizontalAdvance(text) - QFontMetrics(light).horizontalAdvance(text)
        return super().sizeHint() + QSize(max(0, more), 0)

    def minimumSizeHint(self) -> QSize:
        return super().sizeHint()


def chip(text: str, *, checked: bool = False) -> QPushButton:
    """A pill that is on or off."""
    made = Toggle(text)
    made.setChecked(checked)
    made.setProperty("look", "chip")
    made.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return made


class Segments(QFrame):
    """One of a few: the arrow keys move between them. `chosen(index)` is told for choices of the person only."""

    chosen = Signal(int)

    def __init__(self, texts: Sequence[str], name: str, parent: QWidget | None = None, *, width: int = 0) -> None:
        super().__init__(parent)
        self.setProperty("look", "segments")
        self.setAccessibleName(name)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        self._group = QButtonGroup(self)
        for index, text in enumerate(texts):
            part = Toggle(text)
            part.setProperty("look", "segment")
            part.setAccessibleName(f"{name}: {text}")
            if width:
                part.setMinimumWidth(width)
            part.installEventFilter(self)  # before the button, which would move the focus and choose nothing
            self._group.addButton(part, index)
            row.addWidget(part)
        self.set_current(0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self._group.idClicked.connect(self._clicked)

    def current(self) -> int:
        """The chosen index."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Choose without telling."""
        self._group.button(index).setChecked(True)
        self._remember_tab()

    def part(self, index: int) -> QAbstractButton:
        """The button of one choice."""
        return self._group.button(index)

    @Slot(int)
    def _clicked(self, index: int) -> None:
        self._remember_tab()
        self.chosen.emit(index)

    def _remember_tab(self) -> None:
        for part in self._group.buttons():
            part.setFocusPolicy(Qt.FocusPolicy.StrongFocus if part.isChecked() else Qt.FocusPolicy.ClickFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and (step := _STEPS.get(Qt.Key(event.key())))
        ):
            part = self._group.button((self.current() + step) % len(self._group.buttons()))
            part.setFocus(Qt.FocusReason.TabFocusReason)
            part.click()
            return True
        return super().eventFilter(watched, event)


class Switch(QAbstractButton):
    """On or off, painted."""

    _WIDTH, _HEIGHT = 36, 20

    def __init__(self, theme: Theme, name: str, *, checked: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self.setCheckable(True)
        self.setChecked(checked)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)

    def sizeHint(self) -> QSize:
        return QSize(self._WIDTH + 6, self._HEIGHT + 6)  # the ring of the focus around it

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        track = QRectF(3, 3, self._WIDTH, self._HEIGHT)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.colour("accent"), 2))
            painter.drawRoundedRect(track.adjusted(-2, -2, 2, 2), 12, 12)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.colour("accent" if self.isChecked() else "groove"))
        painter.drawRoundedRect(track, self._HEIGHT / 2, self._HEIGHT / 2)
        knob = self._HEIGHT - 4
        left = track.right() - knob - 2 if self.isChecked() else track.left() + 2
        painter.setBrush(self._theme.colour("surface" if self.isChecked() or not self._theme.dark else "secondary"))
        painter.drawEllipse(QRectF(left, track.top() + 2, knob, knob))


class _LeavesWheel(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            event.ignore()  # so that the page under the field scrolls
            return True
        return False


def leave_wheel(field: QWidget) -> None:
    """A wheel that turns over a field scrolls the page; it never changes a value that nobody meant to change."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_LeavesWheel(field))


class RowButton(QPushButton):
    """A flat button as high as what is laid out in it. `row` is its layout."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("look", "row")
        self.setAutoDefault(True)  # Enter opens it
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(14, 9, 14, 9)
        self.row.setSpacing(14)

    def sizeHint(self) -> QSize:
        return self.row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.row.minimumSize()

    def let_through(self) -> None:
        """Make every child leave the mouse to the row. Call when all are laid out."""
        for child in self.findChildren(QWidget):
            child.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)


def two_lines(
    first: str, second: str, roles: Sequence[str] = ("strong", "secondary"), *, elide: bool = True
) -> QWidget:
    """A line over a quieter one; both give way in the middle when `elide`."""
    made = QWidget()
    column = QVBoxLayout(made)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(2)
    for text, role in zip((first, second), roles, strict=True):
        column.addWidget(ElidedLabel(text, role) if elide else label(text, role))
    return made


def inset(widget: QWidget, margin: int) -> QWidget:
    """A widget with room at its left and right."""
    holder = QWidget()
    row = QHBoxLayout(holder)
    row.setContentsMargins(margin, 0, margin, 0)
    row.addWidget(widget)
    return holder
