"""Buttons, row buttons, chips, the segmented control, the switch, and the behaviour of number fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final, TypeVar

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QFont, QFontMetrics, QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QCheckBox,
    QFrame,
    QLabel,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from dupfinder.gui.kit.jobs import Receiver
from dupfinder.gui.kit.labels import ElidedLabel
from dupfinder.gui.kit.layout import across, boxed, down
from dupfinder.gui.kit.theme import Theme

Choice = TypeVar("Choice")
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}
BY_TAB = Qt.FocusPolicy.TabFocus  # a click leaves the focus where it is: the next Space marks, and does not click again
_KEYPAD = Qt.KeyboardModifier.KeypadModifier
ICON_GAP = 4  # px between an icon and the text beside it, added to those of Qt
_ICON_TONES = {"primary": "on_accent", "danger": "on_accent", "link": "accent"}


def button(theme: Theme, text: str, look: str = "", icon: str = "", act: Receiver | None = None) -> QPushButton:
    """Return a button. look: "" (bordered), "primary", "danger", "quiet" or "link". icon: a name of resources/icons.

    act: called by a click.
    """
    widget = QPushButton(text)
    if act is not None:
        widget.clicked.connect(act)
    widget.setAutoDefault(look != "danger")  # Enter presses the button that has the focus, but removes nothing
    widget.setFocusPolicy(BY_TAB)
    if look:
        widget.setProperty("look", look)
    if icon:
        side = theme.px(16)
        _give_icon(theme, widget, icon, _ICON_TONES.get(look, "secondary"), QSize(side + ICON_GAP, side))
    return widget


ROOM_FOR_WORDS: Final = 760  # px at the usual size of text: with less, a title has too little room beside words


def show_words(acts: Iterable[QPushButton], has_room: bool) -> None:
    """Show the accessible names of buttons as their words; without room their signs alone, and the names as tips."""
    for act in acts:
        act.setText(act.accessibleName() if has_room else "")
        act.setToolTip("" if has_room else act.accessibleName())


class _IconButton(QToolButton):
    """A tool button that Enter presses too, as it does other buttons; by itself Qt leaves Enter to the sheet."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers() & ~_KEYPAD:
            self.click()
        else:
            super().keyPressEvent(event)


def icon_button(
    theme: Theme,
    icon: str,
    name: str,
    look: str = "icon",
    size: int = 18,
    act: Receiver | None = None,
    command: str = "",
) -> QToolButton:
    """Return a button with only an icon. name: its tool tip and accessible name. look: "icon" or "box". size: px.

    command: whose keys the tool tip names too.
    """
    widget = _IconButton()
    widget.setProperty(COMMAND, command)
    if act is not None:
        widget.clicked.connect(act)
    widget.setProperty("look", look)
    widget.setToolTip(name)
    widget.setAccessibleName(name)
    widget.setFocusPolicy(BY_TAB)
    _give_icon(theme, widget, icon, "secondary", QSize(theme.px(size), theme.px(size)))
    return widget


def step_buttons(
    theme: Theme, names: tuple[str, str], step: Callable[[int], object], commands: tuple[str, str] = ("", "")
) -> tuple[QToolButton, QToolButton]:
    """Return buttons for the previous and the next of something. step: receives -1 or 1."""
    (before, after), (back, on) = names, commands
    return (icon_button(theme, "up", before, "box", 16, lambda: step(-1), back),
            icon_button(theme, "down", after, "box", 16, lambda: step(1), on))  # fmt: skip


def copy_button(theme: Theme, label: str, text: Callable[[], str]) -> QPushButton:
    """Return a button that copies what `text` returns to the clipboard."""
    return button(theme, label, icon="copy", act=lambda: QGuiApplication.clipboard().setText(text()))


BETWEEN = "   "  # between the keys of a command
KEYS = "keys"  # property of a command's action: its keys, as people read them
COMMAND = "command"  # property of a button whose tool tip, or a label whose text, names the keys of a command
TIP = "tip"  # property of such a button: its tool tip without keys, if that is not its accessible name


def shortcut_of(widget: QWidget, command: str) -> str:
    """Return the keys of a command of the widget's window, as people read them; "" if there are none."""
    action = widget.window().findChild(QAction, command)
    return str(action.property(KEYS) or "") if isinstance(action, QAction) else ""


def with_key(text: str, menu: QMenu, command: str) -> str:
    """Return the text of a menu's entry, with the key of a command that does the same."""
    key = shortcut_of(menu.parentWidget() or menu, command).split(BETWEEN)[-1]
    return f"{text}\t{key}" if key else text


def tell_keys(page: QWidget) -> None:
    """Show the present keys in the tool tips of buttons and the texts of labels that have the property COMMAND."""
    for widget in page.findChildren(QWidget):
        if command := widget.property(COMMAND):
            keys = shortcut_of(widget, str(command))
            if isinstance(widget, QLabel):
                widget.setText(keys.split(BETWEEN)[-1])  # after the keys that widgets handle
            else:
                name = widget.property(TIP) or widget.accessibleName()
                widget.setToolTip(f"{name} ({', '.join(keys.split(BETWEEN))})" if keys else str(name))


def set_icon(theme: Theme, widget: QAbstractButton, icon: str) -> None:
    """Change the icon of a button; it follows the theme."""
    widget.setProperty("icon_name", icon)
    theme.dress(widget)


def _give_icon(theme: Theme, widget: QAbstractButton, icon: str, tone: str, size: QSize) -> None:
    widget.setProperty("icon_tone", tone)
    widget.setIconSize(size)
    set_icon(theme, widget, icon)


class Toggle(QPushButton):
    """A button whose text is bolder while it is on; its width has room for that."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.setAutoDefault(True)
        self.setCheckable(True)

    def sizeHint(self) -> QSize:
        # Room for the widest face: font families without a semi-bold face show their bold one instead.
        light, heavy = QFont(self.font()), QFont(self.font())
        light.setWeight(QFont.Weight.Normal)
        heavy.setWeight(QFont.Weight.Bold)
        text = self.text()
        more = QFontMetrics(heavy).horizontalAdvance(text) - QFontMetrics(light).horizontalAdvance(text)
        return super().sizeHint() + QSize(max(0, more), 0)

    def minimumSizeHint(self) -> QSize:
        return super().sizeHint()


def chip(text: str, *, checked: bool = False) -> QPushButton:
    """Return a round button that is on or off."""
    toggle = Toggle(text)
    toggle.setChecked(checked)
    toggle.setProperty("look", "chip")
    toggle.setFocusPolicy(BY_TAB)
    toggle.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
    return toggle


class SegmentedChoice(QFrame):
    """A choice of one of a few; the arrow keys move between them.

    `chosen(index)` is emitted for the person's choices only.
    """

    chosen = Signal(int)

    def __init__(self, texts: Sequence[str], name: str, *, width: int = 0) -> None:
        super().__init__()
        self.setProperty("look", "segments")
        self.setAccessibleName(name)
        row = across(spacing=0, into=self)
        self._group = QButtonGroup(self)
        for index, text in enumerate(texts):
            part = Toggle(text)
            part.setProperty("look", "segment")
            part.setAccessibleName(f"{name}: {text}")
            part.setAutoExclusive(True)  # to a screen reader one of several, not a box to tick; the group does the rest
            if width:
                part.setMinimumWidth(width)
            part.installEventFilter(self)  # handles arrow keys before the button, which would only move the focus
            self._group.addButton(part, index)
            row.addWidget(part)
        self.set_current(0)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Maximum)
        self._group.idClicked.connect(self._clicked)

    def current(self) -> int:
        """Return the chosen index."""
        return self._group.checkedId()

    def set_current(self, index: int) -> None:
        """Choose an index without emitting `chosen`."""
        self._group.button(index).setChecked(True)
        self._let_tab_reach_chosen()

    def part(self, index: int) -> QAbstractButton:
        return self._group.button(index)

    def _clicked(self, index: int) -> None:
        self._let_tab_reach_chosen()
        self.chosen.emit(index)

    def _let_tab_reach_chosen(self) -> None:
        for part in self._group.buttons():
            part.setFocusPolicy(Qt.FocusPolicy.StrongFocus if part.isChecked() else Qt.FocusPolicy.ClickFocus)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and (step := _STEPS.get(Qt.Key(event.key())))
        ):
            parts = [part for part in self._group.buttons() if not part.isHidden()]
            part = parts[(parts.index(self._group.button(self.current())) + step) % len(parts)]
            part.setFocus(Qt.FocusReason.TabFocusReason)
            part.click()
            return True
        return super().eventFilter(watched, event)


class Switch(QCheckBox):
    """A check box without text that looks like a switch."""

    def __init__(self, name: str, *, checked: bool = False) -> None:
        super().__init__()
        self.setChecked(checked)
        self.setAccessibleName(name)
        self.setProperty("look", "switch")
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)


class _LeavesScrolling(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_page_key = isinstance(event, QKeyEvent) and event.key() in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        if is_page_key or event.type() == QEvent.Type.Wheel:
            event.ignore()  # the page under the field scrolls instead
            return True
        return False


def leave_scrolling(field: QWidget) -> None:
    """Pass the mouse wheel, Page Up and Page Down to the page, so that it scrolls and no value changes by accident."""
    field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    field.installEventFilter(_LeavesScrolling(field))


def add_tickable(menu: QMenu, text: str, is_on: bool, act: Callable[[], object]) -> QAction:
    """Add an entry with a tick to a menu. is_on: whether it is ticked. act: called when the person selects it."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(is_on)
    action.triggered.connect(lambda: act())
    return action


def passing_menu(parent: QWidget) -> QMenu:
    """Return an empty menu that is deleted once it is closed."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return menu


def add_acts(menu: QMenu, *acts: tuple[str, Callable[[], object]]) -> None:
    """Add entries to a menu: the text of each, and what it does."""
    for text, act in acts:
        menu.addAction(text).triggered.connect(lambda _checked, act=act: act())


def choice_menu(
    opener: QPushButton, texts: Mapping[Choice, str], now: Choice, chosen: Callable[[Choice], object]
) -> None:
    """Give a button a menu of a few choices, one of which is on. chosen: receives the choice of the person."""
    menu = QMenu(opener)
    group = QActionGroup(menu)
    for choice, text in texts.items():
        group.addAction(add_tickable(menu, text, choice is now, partial(chosen, choice)))
    opener.setMenu(menu)
    opener.setProperty("menu", "true")


class RowButton(QPushButton):
    """A flat button with the height of its content. row: its layout."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setProperty("look", "row")
        self.setAutoDefault(True)  # Enter opens it
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.row = across(margins=(14, 9, 14, 9), spacing=14, into=self)

    def sizeHint(self) -> QSize:
        return self.row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self.row.minimumSize()


def two_lines(first: str, second: str, roles: Sequence[str] = ("strong", "secondary")) -> QWidget:
    """Return a widget with a line above a less prominent line; both are shortened in the middle where needed."""
    return boxed(down(*(ElidedLabel(text, role) for text, role in zip((first, second), roles, strict=True) if text),
                     spacing=2))  # fmt: skip


def inset(widget: QWidget, margin: int) -> QWidget:
    """Return a widget with a margin at its left and right, in pixels."""
    return boxed(across(widget, margins=(margin, 0, margin, 0)))
