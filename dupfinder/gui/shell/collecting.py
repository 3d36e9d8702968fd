"""Collecting garbage in the window's thread alone.

Python collects cycles in whatever thread happens to allocate. A widget that is part of one would then be destroyed in
a job's thread, and the program with it.
"""

from __future__ import annotations

import gc
from typing import Final

from PySide6.QtCore import QObject, QTimer, Slot

_LOOK_MS: Final = 500


class Collector(QObject):
    """Takes over from the automatic collection, in the thread that made it, until it is stopped."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        """No thread but this one collects from now on."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Leave it to Python again."""
        self._timer.stop()
        gc.enable()

    @Slot()
    def look(self) -> None:
        """Collect the oldest generation that is due by Python's own thresholds."""
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        for generation in (2, 1, 0):
            if due[generation]:
                gc.collect(generation)
                return
