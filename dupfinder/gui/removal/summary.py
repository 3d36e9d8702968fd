"""What the removal dialog says: its texts by the way of removing, figures, what stays, and what to look at before."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QCoreApplication, Signal
from PySide6.QtWidgets import QFrame, QWidget

from dupfinder.actions.plan import Verb
from dupfinder.cluster.relation import FREELY_REMOVED, Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.cards import Strip
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import across, down
from dupfinder.gui.kit.theme import Theme
from dupfinder.wording.catalogue import say_count


@dataclass(frozen=True, slots=True)
class RemovalWords:
    """Texts for one way of removing.

    title: the question. way_back: how to undo it. go: the button. legends: below the three figures.
    """

    title: str
    way_back: str
    go: str
    legends: tuple[str, str, str]


def bin_name() -> str:
    """Return the platform's name of the trash."""
    translate = QCoreApplication.translate
    return translate("Removal", "Recycle Bin") if sys.platform == "win32" else translate("Removal", "Trash")


def removal_words(verb: Verb, count: int, groups: int) -> RemovalWords:
    """Return the texts for removing `count` documents of some groups in this way."""
    translate, name = QCoreApplication.translate, bin_name()
    title, way_back, go, moved, freed = {
        Verb.TRASH: (
            translate("Removal", "Move %Ln documents to the %1?", None, count),
            translate("Removal", "You can restore them from History, or from the %1."),
            translate("Removal", "&Move %Ln to %1", None, count),
            say_count("document to the %1", "documents to the %1", count),
            translate("Removal", "freed when it is emptied"),
        ),
        Verb.MOVE: (
            translate("Removal", "Move %Ln documents to another folder?", None, count),
            translate(
                "Removal", "Their sub-folders are kept, and nothing is overwritten. You can restore them from History."
            ),
            translate("Removal", "&Move %Ln documents", None, count),
            say_count("document to the folder", "documents to the folder", count),
            translate("Removal", "leave their folders"),
        ),
        Verb.HARDLINK: (
            translate("Removal", "Replace %Ln documents by hard links?", None, count),
            translate("Removal", "Each name stays and shows the kept copy. You can undo this from History."),
            translate("Removal", "&Make %Ln hard links", None, count),
            say_count("document to be linked", "documents to be linked", count),
            translate("Removal", "freed at once"),
        ),
    }[verb]
    kept = say_count("group, which keeps 1 or more", "groups, each keeps 1 or more", groups)
    title, way_back, go, moved = (text.replace("%1", name) for text in (title, way_back, go, moved))
    return RemovalWords(title, way_back, go, (moved, freed, kept))


MANY: Final = 1_000  # documents: more than this are a reason for a warning


class RemovalFigures(QWidget):
    """Three figures in a row, each with its legend below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figures = [label("", "figure", tone) for tone in ("remove", "text", "keep")]
        self._legends = [label("", "secondary") for _ in self._figures]
        row = across(into=self)
        for index, (figure, legend) in enumerate(zip(self._figures, self._legends, strict=True)):
            if index:
                rule = QFrame()
                rule.setProperty("look", "rule")
                row.addWidget(rule)
            column = down(figure, legend, margins=(20, 0, 12, 4), spacing=2)
            row.addLayout(column, 1)

    def show_figures(self, figures: Sequence[str], legends: Sequence[str]) -> None:
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
        down(self._safe, self._changed, self._other, spacing=10, into=self)

    def show_notes(self, relations: Mapping[Relation, int], unseen: int, unlinked: int) -> None:
        """Set the texts.

        relations: documents to be removed, by relation to their survivor. unseen: how many changed ones were not
        opened in the comparison. unlinked: how many stay because they cannot be linked.
        """
        self._safe.show_text(
            self.tr("At least one copy of every document stays"),
            self.tr("Just before each file is moved, it and its kept copy are checked again on disk."),
        )
        changed = {relation: count for relation, count in relations.items() if relation not in FREELY_REMOVED}
        if changed:
            title = self.tr("Not the same as what stays: %1").replace("%1", words.counts_of(changed))
            text = self.tr("%Ln of them have not been opened in the comparison yet.", None, unseen) if unseen else ""
            act = self.tr("Review these %1").replace("%1", words.number(sum(changed.values())))
            self._changed.show_text(title, text, act)
        else:
            self._changed.show_text("")
        self._other.show_text(self._warning(sum(relations.values()), unlinked))

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
