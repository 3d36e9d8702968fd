"""What the removal dialog says about the removal as a whole: its figures, what stays, and what to look at before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from dupfinder.cluster.relation import FREELY_REMOVED, Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.theme import Theme

MANY: Final = 1_000  # documents: more than this are a reason for a warning


class RemovalFigures(QWidget):
    """Three figures in a row, each with its legend below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures = [label("", "figure", tone) for tone in ("remove", "text", "keep")]
        self._legends = [label("", "secondary") for _ in self._figures]
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for index, (figure, legend) in enumerate(zip(self._figures, self._legends, strict=True)):
            if index:
                rule = QFrame()
                rule.setProperty("look", "rule")
                row.addWidget(rule)
            column = QVBoxLayout()
            column.setContentsMargins(20, 0, 12, 4)
            column.setSpacing(2)
            column.addWidget(figure)
            column.addWidget(legend)
            row.addLayout(column, 1)

    def say(self, figures: Sequence[str], legends: Sequence[str]) -> None:
        """Set the three figures and their legends."""
        for widgets, texts in ((self._figures, figures), (self._legends, legends)):
            for widget, text in zip(widgets, texts, strict=True):
                widget.setText(text)


class RemovalNotes(QWidget):
    """Strips that say that a copy stays, which documents are not the same as what stays, and other warnings."""

    review_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._safe = Strip(theme, "shield", "keep")
        self._changed = Strip(theme, "warning", "warn")
        self._other = Strip(theme, "warning", "warn")
        self._changed.acted.connect(self.review_wanted)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(10)
        for strip in (self._safe, self._changed, self._other):
            column.addWidget(strip)

    def say(self, relations: Mapping[Relation, int], unseen: int, unlinked: int) -> None:
        """Set the texts.

        relations: documents to be removed, by relation to their survivor. unseen: how many changed ones were not
        opened in the comparison. unlinked: how many stay because they cannot be linked.
        """
        self._safe.say(
            self.tr("At least one copy of every document stays"),
            self.tr("Just before each file is moved, it and its kept copy are checked again on disk."),
        )
        changed = {relation: count for relation, count in relations.items() if relation not in FREELY_REMOVED}
        if changed:
            title = self.tr("Not the same as what stays: %1").replace("%1", words.counts_of(changed))
            text = self.tr("%Ln of them have not been opened in the comparison yet.", None, unseen) if unseen else ""
            act = self.tr("Review these %1").replace("%1", words.number(sum(changed.values())))
            self._changed.say(title, text, act)
        else:
            self._changed.say("")
        self._other.say(self._warning(sum(relations.values()), unlinked))

    def _warning(self, count: int, unlinked: int) -> str:
        if unlinked:
            return self.tr("%Ln documents cannot be linked: they are no exact copies on the same volume. They stay.",
                           None, unlinked)  # fmt: skip
        return self.tr("These are %Ln documents. Take your time.", None, count) if count > MANY else ""

    def hold_place(self, *, changed: bool, other: bool) -> None:
        """Reserve room for strips that another way of removing shows."""
        for strip, wanted in ((self._changed, changed), (self._other, other)):
            policy = strip.sizePolicy()
            policy.setRetainSizeWhenHidden(wanted)
            strip.setSizePolicy(policy)
