"""After a removal in which something was left alone: what, why, and what to do."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from dupfinder.actions.outcome import Batch, State
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.sheet import Sheet
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.work import skipped
from dupfinder.wording.removal import outcome_sentence


class RemovedSheet(Sheet):
    """Lists the reasons of the steps that were not done. `undo_wanted` asks for the others back."""

    undo_wanted = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget, batch: Batch) -> None:
        left_alone = skipped(batch)
        super().__init__(theme, parent, words.removed(batch), "", width=680)
        self._batch = batch
        self.body.addWidget(label(self.tr("These were left alone, unchanged:"), "medium"))
        reasons = QPlainTextEdit("\n\n".join(outcome_sentence(one) or "" for one in left_alone))
        reasons.setReadOnly(True)
        reasons.setTabChangesFocus(True)
        reasons.setMinimumHeight(200)
        reasons.setAccessibleName(self.tr("Documents that were left alone, with the reason"))
        self.body.addWidget(reasons, 1)
        if batch.count(State.DONE):
            undo = button(theme, self.tr("Undo the removal"), "", "undo")
            undo.clicked.connect(self._undo)
            self.buttons.addWidget(undo)
        close = button(theme, self.tr("Close"), "primary")
        close.setDefault(True)
        close.clicked.connect(self.accept)
        self.buttons.addWidget(close)
        close.setFocus()

    @Slot()
    def _undo(self) -> None:
        self.accept()
        self.undo_wanted.emit(self._batch)
