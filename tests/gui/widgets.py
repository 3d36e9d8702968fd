"""What a person reads and presses in a widget."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.gui.kit.sheet import Sheet

Widget = TypeVar("Widget", bound=QWidget)


def put_up(widget: Widget, qtbot: QtBot, *size: int) -> Widget:
    """Show a widget until the test ends, in a size if one is given. Return the widget."""
    qtbot.addWidget(widget)
    if size:
        widget.resize(*size)
    widget.show()
    qtbot.waitExposed(widget)
    return widget


def texts(widget: QWidget) -> list[str]:
    """Return the texts of the labels that can be seen."""
    return [label.text() for label in widget.findChildren(QLabel) if label.isVisible()]


def said(widget: QWidget) -> str:
    """Return the texts of the labels that can be seen, one to a line."""
    return "\n".join(texts(widget))


def button(widget: QWidget, text: str) -> QPushButton:
    """Return the first button with a text that can be seen."""
    return next(each for each in widget.findChildren(QPushButton) if each.text() == text and each.isVisible())


def press(widget: QWidget, text: str) -> None:
    """Click the button with a text."""
    QTest.mouseClick(button(widget, text), Qt.MouseButton.LeftButton)


def open_sheet(kind: type[Widget] = Sheet) -> Widget:  # type: ignore[assignment]
    """Return the sheet that covers the window; it is of a class."""
    sheet = QApplication.activeModalWidget()
    assert isinstance(sheet, kind)
    return sheet
