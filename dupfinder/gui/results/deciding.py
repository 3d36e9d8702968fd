"""Decisions of a person about a group: passed to the session; a refusal is shown with a way out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import ArchivedError, LastCopyError, PlanError, ProtectedError, WhyLast
from dupfinder.cluster.relation import SURVIVING
from dupfinder.gui.kit import words
from dupfinder.gui.kit.buttons import button
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.labels import label, set_look
from dupfinder.gui.kit.messages import announce
from dupfinder.gui.results.members import MembersModel
from dupfinder.review.members import REMOVED, Decision, Member
from dupfinder.review.session import ReviewSession


class Deciding(QObject):
    """Passes decisions to the session, and shows refusals above the members."""

    forms_wanted = Signal(int)  # document

    def __init__(self, session: ReviewSession, model: MembersModel, refusal: Refusal, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._model, self._refusal = session, model, refusal

    def decide(self, documents: Sequence[int], decision: Decision) -> None:
        """Decide about documents. Of several documents, as many as possible are marked."""
        self._refusal.clear()
        if decision is Decision.REMOVE and len(documents) > 1:
            self._tell_left(self._session.marks.mark_all(documents))
            return
        try:
            self._session.marks.decide(documents, decision)
        except PlanError as error:
            self._refuse(documents[0], error)

    def keep_this(self, document: int) -> None:
        """Keep one document and mark the rest of its group that may be removed."""
        self._refusal.clear()
        self._tell_left(self._session.marks.keep_this(document))

    def _tell_left(self, spared: Sequence[tuple[int, WhyLast]]) -> None:
        """Show which of several documents stay, and offer to remove the parts among them too."""
        left = [(row, why) for row, why in spared if self._session.marks.decision(row) not in REMOVED]
        if not left:
            return
        parts = [row for row, why in left if why is WhyLast.PART]
        way = self.tr("Remove the %Ln parts too", None, len(parts)) if parts else ""
        self._refusal.show_text(self._refusal.left([why for _, why in left]), way, partial(self._remove_parts, parts))

    def _remove_parts(self, documents: Sequence[int]) -> None:
        self._session.marks.mark_all(documents, Decision.REMOVE_PART)

    def _refuse(self, document: int, error: PlanError) -> None:
        """Show why a document was not marked, with the way out if there is one."""
        refusal, text = self._refusal, self._refusal.why(error)
        why = error.why if isinstance(error, LastCopyError) else None
        if why is WhyLast.PART:
            refusal.show_text(text, self.tr("Remove the part"), partial(self.decide, [document], Decision.REMOVE_PART))
        elif why in (WhyLast.WHOLE, WhyLast.DISTANT):
            refusal.show_text(text, self.tr("Keep it"), partial(self.decide, [document], Decision.KEEP))
        elif why is WhyLast.FORM:
            refusal.show_text(text, self.tr("Show the form"), partial(self.forms_wanted.emit, document))
        elif why is WhyLast.ALONE and (other := self._other(document)) is not None:
            text += " " + self.tr("%1 could stay instead.").replace("%1", shown(other.name))
            refusal.show_text(text, self.tr("Keep that one"), partial(self._keep_instead, document, other.document))
        else:
            refusal.show_text(text)

    def _other(self, document: int) -> Member | None:
        """Return the most similar document that is to be removed and could stay instead of another."""
        ties = [
            (self._session.tie_of(document, member.document), member)
            for member in self._model.everyone
            if member.decision in REMOVED and member.is_there and member.document != document
        ]
        fitting = [(*tie, member) for tie, member in ties if tie[0] in SURVIVING]
        return max(fitting, key=lambda tied: tied[:2])[2] if fitting else None

    def _keep_instead(self, document: int, other: int) -> None:
        """Keep another document, so that the refused document can be marked."""
        self.decide([other], Decision.KEEP)
        self.decide([document], Decision.REMOVE)


class Refusal(QFrame):
    """A strip above the members; hidden while empty."""

    def __init__(self, drawing: Drawing, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_look(self, look="banner", tone="warn")
        self._sentence = label("", "medium", "warn", wrap=True)
        self.way_out = button(drawing.theme, "", "link")
        self._act: Callable[[], object] | None = None
        self.way_out.clicked.connect(self._go)
        row = QHBoxLayout(self)
        row.setContentsMargins(16, 6, 12, 6)
        row.addWidget(self._sentence, 1)
        row.addWidget(self.way_out)
        self.hide()

    def show_text(self, text: str, way: str = "", act: Callable[[], object] | None = None) -> None:
        """Show a sentence, and a button with a way out."""
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
        """Hide the strip."""
        self._act = None
        self.hide()

    def why(self, error: PlanError) -> str:
        """Return why a document was not marked."""
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
            from dupfinder.wording.errors import sentence  # slow to import, and rarely needed

            return sentence(error)
        return str(error)

    def left(self, spared: Sequence[WhyLast]) -> str:
        """Return how many of several documents stay unmarked, and why."""
        counts = {why: list(spared).count(why) for why in WhyLast}
        texts = (
            (counts[WhyLast.ALONE], self.tr("%Ln stay as the kept copy", None, counts[WhyLast.ALONE])),
            (counts[WhyLast.WHOLE], self.tr("%Ln have text that no other file has", None, counts[WhyLast.WHOLE])),
            (counts[WhyLast.PART], self.tr("%Ln are parts of longer documents", None, counts[WhyLast.PART])),
            (counts[WhyLast.DISTANT], self.tr("%Ln are too unlike what stays", None, counts[WhyLast.DISTANT])),
            (counts[WhyLast.FORM], self.tr("%Ln are fillings of one form", None, counts[WhyLast.FORM])),
        )
        return " · ".join(text for count, text in texts if count)
