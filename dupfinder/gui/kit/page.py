"""Pages of the window: their interface to the main window, and the layouts of their content."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from PySide6.QtCore import QMimeData, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence, QShortcut  # noqa: TID251
from PySide6.QtWidgets import QFrame, QLayout, QLayoutItem, QScrollArea, QWidget

from dupfinder.gui.kit.jobs import Receiver
from dupfinder.gui.kit.layout import Stretch, across, boxed, down, grow


class Flow(QLayout):
    """Places widgets from left to right and begins a new row when a row is full."""

    def __init__(self, *widgets: QWidget, gap: int = 6) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._gap = gap
        self._separators: list[QWidget] = []
        self.setContentsMargins(0, 0, 0, 0)
        for widget in widgets:
            self.addWidget(widget)

    def add_separator(self, widget: QWidget) -> None:
        """Add a separator of two widgets; it is left out where a row begins or ends between them."""
        self._separators.append(widget)
        self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), move=False)

    def setGeometry(self, area: QRect) -> None:
        super().setGeometry(area)
        self._arrange(area, move=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, area: QRect, *, move: bool) -> int:
        """Return the height of the rows; with `move`, set the positions of the widgets too."""
        x, y, height = area.x(), area.y(), 0
        shown = [item for item in self._items if not item.isEmpty()]
        for item, following in itertools.zip_longest(shown, shown[1:]):
            size = item.sizeHint()
            widget = item.widget()
            if widget in self._separators:
                after = area.width() if following is None else following.sizeHint().width()
                if x == area.x() or x + size.width() + self._gap + after > area.right() + 1:
                    if move:  # out of sight: to hide it would start the layout again
                        widget.setGeometry(-1 - size.width(), y, size.width(), size.height())
                    continue
            if x > area.x() and x + size.width() > area.right() + 1:
                x, y, height = area.x(), y + height + self._gap, 0
            if move:
                item.setGeometry(QRect(QPoint(x, y), size))
            x += size.width() + self._gap
            height = max(height, size.height())
        return y + height - area.y()


class Page(QWidget):
    """One page of the window. `heading_changed` is emitted when crumb or note change, `toast_wanted` for a toast.

    crumb: as returned by `crumb`. is_aside: whether it is opened from another page, to which Back returns.
    has_head: whether it has a bar of its own in place of the top bar.
    """

    heading_changed = Signal()
    back_wanted = Signal()  # a page aside has nothing more to show
    toast_wanted = Signal(str, str, object)  # sentence, text of a link ("" for none), what the link does

    def __init__(
        self, crumb: str = "", *, is_aside: bool = False, has_head: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._crumb, self.is_aside, self.has_head = crumb, is_aside, has_head
        fill(self, "window")

    def lay_out(self, content: QLayout, width: int, *below: QWidget) -> None:
        """Lay out the page: content that scrolls, at most `width` pixels wide, and widgets below that stay."""
        centre = QWidget()
        centre.setMaximumWidth(width)
        holder = boxed(across(Stretch(), grow(centre, 100), Stretch(), margins=(32, 0, 32, 0)))
        fill(holder, "window")
        area = bare_area(holder)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        down(grow(area), *below, spacing=0, into=self)
        centre.setLayout(content)  # last: with each new parent, Qt finds the style of every widget below anew

    def tell(self, text: str) -> None:
        """Show a sentence as a toast."""
        self.toast_wanted.emit(text, "", None)

    def crumb(self) -> str:
        """Return the name after "dupfinder /" in the top bar; "" for none."""
        return self._crumb

    def note(self) -> str:
        """Return a less prominent line after the name."""
        return ""

    def note_command(self) -> str:
        """Return the command that a click on the note carries out, by the name of its method; "" for none."""
        return ""

    def tools(self) -> QWidget | None:
        """Return a widget for the right of the top bar while the page is shown; None for none."""
        return None

    def offers(self, slot: str) -> bool:
        """Tell whether a command is possible now, by the name of its method."""
        return True

    def command(self, slot: str) -> Callable[[], object] | None:
        """Return the method that carries out a command, by its name; None if the page has no such command."""
        method = getattr(self, slot, None)
        return method if callable(method) else None

    def use_of(self, data: QMimeData) -> Callable[[], object] | None:
        """Return what the page does with data that is dropped on it or pasted; None if it has no use for it."""
        return None

    def regions(self) -> Sequence[QWidget]:
        """Return the widgets that F6 goes through, in reading order; empty where Tab is enough."""
        return ()

    def next_region(self) -> None:
        """Give the focus to the next region, after the last to the first."""
        self._go_region(1)

    def previous_region(self) -> None:
        self._go_region(-1)

    def _go_region(self, by: int) -> None:
        regions = [region for region in self.regions() if region.isVisible() and region.isEnabled()]
        if regions:
            focused = QGuiApplication.focusObject()
            current = next((index for index, region in enumerate(regions) if region is focused), 0 if by < 0 else -1)
            regions[(current + by) % len(regions)].setFocus(Qt.FocusReason.TabFocusReason)

    def entered(self) -> None:
        """Update the page when it is shown."""
        self.setFocus()  # no control has the focus yet; Tab goes to the first

    def exited(self) -> None:
        """Update the page when another is shown."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Page Down scrolls also while no control in the scrolling area has the focus.
        area = self.findChild(QScrollArea, options=Qt.FindChildOption.FindDirectChildrenOnly)
        super().keyPressEvent(event) if area is None else area.keyPressEvent(event)


WITH_CHILDREN = Qt.ShortcutContext.WidgetWithChildrenShortcut
WHILE_SHOWN = Qt.ShortcutContext.WindowShortcut  # wherever in the window the focus is


def local_key(
    widget: QWidget, key: str, act: Receiver, context: Qt.ShortcutContext = Qt.ShortcutContext.WidgetShortcut
) -> None:
    """Connect a key to `act` while a widget has the focus; WITH_CHILDREN, WHILE_SHOWN: also elsewhere."""
    shortcut = QShortcut(QKeySequence(key), widget)
    # PySide drops a context that is given with the receiver: the key would act in the whole window.
    shortcut.setContext(context)
    shortcut.activated.connect(act)


def fill(widget: QWidget, ground: str) -> None:
    """Paint the background of a widget in a colour of the style sheet. ground: "window" or "surface"."""
    widget.setProperty("ground", ground)
    widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)


def bare_area(content: QWidget) -> QScrollArea:
    """Return a scrolling area without frame and background, which scrolls down only."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(content)
    content.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area
