"""Why a decision was refused, said in place, with the way out."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import ArchivedError, LastCopyError, PlanError, ProtectedError
from dupfinder.gui.components.buttons import button
from dupfinder.gui.components.labels import label, set_look
from dupfinder.gui.components.toast import announce
from dupfinder.gui.views.ink import Ink


class Refusal(QFrame):
    """A strip above the members; hidden while there is nothing to say."""

    keep_another = Signal()

    def __init__(self, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, look="banner", tone="warn")
        self._sentence = label("", "medium", "warn", wrap=True)
        self._way_out = button(ink.theme, self.tr("Keep another…"), "link")
        self._way_out.clicked.connect(self.keep_another)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 12, 6)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._way_out)
        self.hide()

    def say(self, error: PlanError) -> None:
        """Show why."""
        name = shown(error.path.name) if isinstance(error, LastCopyError | ProtectedError) else ""
        if isinstance(error, ProtectedError):
            text = self.tr("Not marked: %1 is in a protected folder.").replace("%1", name)
        elif isinstance(error, ArchivedError):
            from dupfinder.gui.sentences import sentence  # heavy, and rarely needed

            text = sentence(error)
        else:
            text = self.tr("Not marked: this is the last copy. Keep another one first.")
        self._sentence.setText(text)
        self._sentence.setAccessibleName(text)
        self._way_out.setVisible(isinstance(error, LastCopyError))
        self.show()
        announce(self, text)

    def clear(self) -> None:
        """Nothing to say."""
        self.hide()
