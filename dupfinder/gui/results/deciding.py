"""Decisions that a person asks for in a group: handed to the session, and refused in place with the way out."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from dupfinder.base.display import shown
from dupfinder.base.errors import LastCopyError, PlanError, WhyLast
from dupfinder.cluster.relation import SURVIVING
from dupfinder.gui.results.members import MembersModel
from dupfinder.gui.results.refusal import Refusal
from dupfinder.review.members import REMOVED, Decision, Member
from dupfinder.review.session import ReviewSession


class Deciding(QObject):
    """Asks the session for decisions, and says in the strip above the members when it refuses."""

    forms_wanted = Signal(int)  # document

    def __init__(self, session: ReviewSession, model: MembersModel, refusal: Refusal, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._model, self._refusal = session, model, refusal

    def decide(self, documents: Sequence[int], decision: Decision) -> None:
        """Ask for a decision. Of several documents as many are marked as may go."""
        self._refusal.clear()
        if decision is Decision.REMOVE and len(documents) > 1:
            self._tell_left(self._session.marks.mark_all(documents))
            return
        try:
            self._session.marks.decide(documents, decision)
        except PlanError as error:
            self._refuse(documents[0], error)

    def keep_this(self, document: int) -> None:
        """Keep one document and mark the rest of its group that may go."""
        self._refusal.clear()
        self._tell_left(self._session.marks.keep_this(document))

    def _tell_left(self, spared: Sequence[tuple[int, WhyLast]]) -> None:
        """Say which of several documents stay, and offer to remove the parts among them too."""
        left = [(row, why) for row, why in spared if self._session.marks.decision(row) not in REMOVED]
        if not left:
            return
        parts = [row for row, why in left if why is WhyLast.PART]
        way = self.tr("Remove the %Ln parts too", None, len(parts)) if parts else ""
        self._refusal.say(self._refusal.left([why for _, why in left]), way, partial(self._remove_parts, parts))

    def _remove_parts(self, documents: Sequence[int]) -> None:
        self._session.marks.mark_all(documents, Decision.REMOVE_PART)

    def _refuse(self, document: int, error: PlanError) -> None:
        """Say why a document was not marked, with the way out there is."""
        refusal, text = self._refusal, self._refusal.why(error)
        why = error.why if isinstance(error, LastCopyError) else None
        if why is WhyLast.PART:
            refusal.say(text, self.tr("Remove the part"), partial(self.decide, [document], Decision.REMOVE_PART))
        elif why in (WhyLast.WHOLE, WhyLast.DISTANT):
            refusal.say(text, self.tr("Keep it"), partial(self.decide, [document], Decision.KEEP))
        elif why is WhyLast.FORM:
            refusal.say(text, self.tr("Show the form"), partial(self.forms_wanted.emit, document))
        elif why is WhyLast.ALONE and (other := self._other(document)) is not None:
            text += " " + self.tr("%1 could stay instead.").replace("%1", shown(other.name))
            refusal.say(text, self.tr("Keep that one"), partial(self._keep_instead, document, other.document))
        else:
            refusal.say(text)

    def _other(self, document: int) -> Member | None:
        """Return the closest document that is to be removed and could stay in place of another."""
        ties = [
            (self._session.tie_of(document, member.document), member)
            for member in self._model.everyone
            if member.decision in REMOVED and member.is_there and member.document != document
        ]
        fitting = [(*tie, member) for tie, member in ties if tie[0] in SURVIVING]
        return max(fitting, key=lambda tied: tied[:2])[2] if fitting else None

    def _keep_instead(self, document: int, other: int) -> None:
        """Keep another document, so that the refused one may go."""
        self.decide([other], Decision.KEEP)
        self.decide([document], Decision.REMOVE)
