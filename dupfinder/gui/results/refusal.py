"""Why a decision was refused, said in place, with the way out."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import ArchivedError, LastCopyError, PlanError, ProtectedError, WhyLast
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.ink import Ink
from dupfinder.gui.kit.labels import label, set_look
from dupfinder.gui.kit.toast import announce


class Refusal(QFrame):
    """A strip above the members; hidden while there is nothing to say."""

    def __init__(self, ink: Ink, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, look="banner", tone="warn")
        self._sentence = label("", "medium", "warn", wrap=True)
        self.way_out = button(ink.theme, "", "link")
        self._act: Callable[[], object] | None = None
        self.way_out.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 12, 6)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.way_out)
        self.hide()

    def say(self, text: str, way: str = "", act: Callable[[], object] | None = None) -> None:
        """Show a sentence, and a button for what can be done about it."""
        self._sentence.setText(text)
        self._sentence.setAccessibleName(text)
        self.way_out.setText(way)
        self.way_out.setVisible(bool(way))
        self._act = act
        self.show()
        announce(self, text)

    def _go(self) -> None:
        act = self._act
        self.clear()
        if act is not None:
            act()

    def clear(self) -> None:
        """Nothing to say."""
        self._act = None
        self.hide()

    def why(self, error: PlanError) -> str:
        """Why a document was not marked."""
        if isinstance(error, LastCopyError):
            other = shown(error.other.name) if error.other is not None else ""
            text = {
                WhyLast.ALONE: self.tr("Not marked: no other file that stays has the text of %1."),
                WhyLast.WHOLE: self.tr("Not marked: %1 has text that no other file has. %2 holds a part of it."),
                WhyLast.PART: self.tr("The text of %1 stays in %2, which is longer. Remove this part?"),
                WhyLast.DISTANT: self.tr("Not marked: %1 is too unlike %2 and the other documents of this group."),
                WhyLast.FORM: self.tr("Not marked: %2 is the same form as %1, filled in differently."),
            }[error.why]
            if error.why is WhyLast.PART and error.share < 1:
                text = self.tr("%3 of the text of %1 stays in %2, which is longer. Remove this part?")
                text = text.replace("%3", words.share(error.share))
            return text.replace("%1", shown(error.path.name)).replace("%2", other)
        if isinstance(error, ProtectedError):
            return self.tr("Not marked: %1 is in a protected folder.").replace("%1", shown(error.path.name))
        if isinstance(error, ArchivedError):
            from dupfinder.wording.errors import sentence  # heavy, and rarely needed

            return sentence(error)
        return str(error)

    def left(self, spared: Sequence[WhyLast]) -> str:
        """What stays of many documents that were to be marked, and why."""
        counts = {why: list(spared).count(why) for why in WhyLast}
        texts = (
            (counts[WhyLast.ALONE], self.tr("%Ln stay as the kept copy", None, counts[WhyLast.ALONE])),
            (counts[WhyLast.WHOLE], self.tr("%Ln have text that no other file has", None, counts[WhyLast.WHOLE])),
            (counts[WhyLast.PART], self.tr("%Ln are parts of longer documents", None, counts[WhyLast.PART])),
            (counts[WhyLast.DISTANT], self.tr("%Ln are too unlike what stays", None, counts[WhyLast.DISTANT])),
            (counts[WhyLast.FORM], self.tr("%Ln are fillings of one form", None, counts[WhyLast.FORM])),
        )
        return " · ".join(text for count, text in texts if count)
