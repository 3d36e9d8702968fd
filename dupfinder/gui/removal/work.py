"""Removing and restoring as jobs, and what the session hears of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from dupfinder.actions.outcome import Batch, Outcome, State
from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.progress import Reporter
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession


def remove(plan: Plan, library: Path, reporter: Reporter) -> Batch:
    """Carry a plan out; each file and its keeper are looked at again first. PlanError, LibraryError, JournalError."""
    from dupfinder.review import removal  # heavy readers, not needed to paint the window

    return removal.remove(plan, library, reporter)


def restore(batch: str, reporter: Reporter) -> Batch:
    """Take a removal back. UsageError, LibraryLocked, JournalError."""
    from dupfinder.review import removal

    return removal.take_back(batch, reporter)


def note_removed(session: ReviewSession, batch: Batch) -> list[int]:
    """Tell the session which documents count no more. Return the rows of those whose name is still there, because they
    became hard links."""
    session.note_files(_rows(session, _victims(batch.outcomes, State.DONE)), FileState.GONE)
    linked = [outcome for outcome in batch.outcomes if outcome.step.verb is Verb.HARDLINK]
    return _rows(session, _victims(linked, State.DONE))


def note_restored(session: ReviewSession, batch: Batch) -> list[int]:
    """Tell the session which documents are there again; their rows."""
    rows = _rows(session, _victims(batch.outcomes, State.RESTORED))
    session.note_files(rows, FileState.THERE)
    return rows


def skipped(batch: Batch) -> list[Outcome]:
    """The steps that were not done, each with its reason."""
    return [one for one in batch.outcomes if one.state in (State.REFUSED, State.FAILED)]


def _victims(outcomes: Iterable[Outcome], state: State) -> set[Path]:
    return {one.step.victim.path for one in outcomes if one.state is state}


def _rows(session: ReviewSession, paths: set[Path]) -> list[int]:
    names = {str(path) for path in paths}
    return [row for row, path in enumerate(session.result.documents.paths) if path in names]
