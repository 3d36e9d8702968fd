"""Remove and restore in jobs, and inform the session; and which files were not removed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dupfinder.actions.outcome import Batch, Outcome, RefusalKind, State
from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.progress import Reporter
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from dupfinder.wording.removal import outcome_sentence

# the state in which a step that was refused found a file: the document to remove, or else the one that stays
_FOUND: Final = {
    RefusalKind.GONE: (FileState.GONE, True),
    RefusalKind.CHANGED: (FileState.CHANGED, True),
    RefusalKind.KEEPER_GONE: (FileState.GONE, False),
    RefusalKind.KEEPER_CHANGED: (FileState.CHANGED, False),
}


def remove(plan: Plan, library: Path, reporter: Reporter) -> Batch:
    """Carry out a plan; each file and its survivor are checked again first.

    Raises PlanError, LibraryError, JournalError.
    """
    from dupfinder.review import removal  # imports readers, which the window does not need at start

    return removal.remove(plan, library, reporter)


def note_removed(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were removed, and which were found missing or changed.

    Returns the rows of documents whose names still exist, because they became hard links.
    """
    if removed := _rows(session, _victims(batch.outcomes, State.DONE)):
        session.note_removed(removed)
    seen: dict[FileState, set[Path]] = {state: set() for state in FileState}
    for outcome in batch.outcomes:
        if outcome.refusal is not None and outcome.refusal.kind in _FOUND:
            state, is_victim = _FOUND[outcome.refusal.kind]
            seen[state].add((outcome.step.victim if is_victim else outcome.step.keeper).path)
    for state, paths in seen.items():
        if paths:
            session.note_files(_rows(session, paths), state)
    linked = [outcome for outcome in batch.outcomes if outcome.step.verb is Verb.HARDLINK]
    return _rows(session, _victims(linked, State.DONE))


def note_restored(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were restored; return their rows."""
    rows = _rows(session, _victims(batch.outcomes, State.RESTORED))
    session.note_files(rows, FileState.THERE)
    return rows


def skipped(batch: Batch) -> list[Outcome]:
    """Return the steps that were not done, each with its reason."""
    return [outcome for outcome in batch.outcomes if outcome.state in (State.REFUSED, State.FAILED)]


def reasons(outcomes: Iterable[Outcome]) -> list[tuple[Path, str]]:
    """Return the file of each step that was not done, and the reason."""
    return [(outcome.step.victim.path, outcome_sentence(outcome) or "") for outcome in outcomes]


def _victims(outcomes: Iterable[Outcome], state: State) -> set[Path]:
    return {outcome.step.victim.path for outcome in outcomes if outcome.state is state}


def _rows(session: ReviewSession, paths: set[Path]) -> list[int]:
    names = {str(path) for path in paths}
    return [row for row, path in enumerate(session.result.documents.paths) if path in names]
