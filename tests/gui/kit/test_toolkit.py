from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Signal, Slot


class Counter(QObject):
    counted = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    @Slot(int)
    def take(self, value: int) -> None:
        self.count += value


def test_ten_thousand_signals_do_no_harm() -> None:
    counter = Counter()
    counter.counted.connect(counter.take)
    before = sys.getrefcount(None)
    for _ in range(10_000):
        counter.counted.emit(1)
    assert counter.count == 10_000
    assert sys.getrefcount(None) > before - 1000  # a toolkit that drops a reference at each emit ends in an abort
