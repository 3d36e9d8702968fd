"""Fields that leave the wheel to the page they stand on."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QWidget


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
