"""Carry out plans and undo removals, for the window and the command line, and inform a session of their results.

Each function that changes files first completes removals that were interrupted. Every plan is checked against the
protected folders of the library and the person's decisions at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.check import Safeguards
from dupfinder.actions.journal import Journal
from dupfinder.actions.judge import TextJudge
from dupfinder.actions.outcome import Batch, Outcome, OutcomeState, RefusalKind
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.undo import RestoredName, give_back_held, recover, undo
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.review.members import FileState
from dupfinder.review.session import ReviewSession
from dupfinder.scan.weights import scheme_in_use

# by the refusal of a step: the state in which it found a file, and whether that is the document to remove
_FOUND: Final = {
    RefusalKind.GONE: (FileState.GONE, True),
    RefusalKind.CHANGED: (FileState.CHANGED, True),
    RefusalKind.KEEPER_GONE: (FileState.GONE, False),
    RefusalKind.KEEPER_CHANGED: (FileState.CHANGED, False),
}
Settled = Callable[[Batch], None]
"""Receives each interrupted removal after it was completed."""


def remove(plan: Plan, library: Path, reporter: Reporter, *, on_settled: Settled | None = None) -> Batch:
    """Carry out `plan`, then discard journals of removals that are older than the setting allows.

    library: its protected folders and the decisions beside it are respected. Raises PlanError, LibraryError,
    JournalError: then no file, or no further file, was touched.
    """
    safeguards = Safeguards.of(library)
    journal = settle(on_settled=on_settled)
    with TextJudge(scheme_in_use()) as judge:
        batch = carry_out(plan, journal=journal, judge=judge, reporter=reporter, safeguards=safeguards)
    journal.forget_older(timedelta(days=Settings().integer(JOURNAL_DAYS)))
    return batch


def rehearse(plan: Plan, library: Path, reporter: Reporter) -> list[Outcome]:
    """Return what `remove` would do with each step now, DONE or REFUSED, and touch nothing. Raises as `remove`."""
    with TextJudge(scheme_in_use()) as judge:
        return list(dry_run(plan, judge, reporter, Safeguards.of(library)))


def take_back(
    batch_id: str,
    reporter: Reporter,
    *,
    similar_name: bool,
    journal: Journal | None = None,
    only: Collection[Path] = (),
) -> Batch:
    """Restore the files of a removal, as `undo` does. Raises UsageError (no such one), RemovalRunning, JournalError."""
    return undo(batch_id, settle(journal), reporter, similar_name=similar_name, only=only)


def give_names_back(paths: Sequence[Path], *, on_settled: Settled | None = None) -> list[RestoredName]:
    """Complete removals, and restore held names at or below `paths`. Raises RemovalRunning, JournalError."""
    return give_back_held(paths, settle(on_settled=on_settled))


def settle(journal: Journal | None = None, on_settled: Settled | None = None) -> Journal:
    """Complete every interrupted removal, and return the journal. Raises RemovalRunning."""
    journal = journal or Journal()
    for batch in recover(journal):
        if on_settled is not None:
            on_settled(batch)
    return journal


def note_removed(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were removed, and which were found missing or changed.

    Returns the rows of documents whose names still exist, because they became hard links.
    """
    if removed := _rows(session, _victims(batch.outcomes, OutcomeState.DONE)):
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
    return _rows(session, _victims(linked, OutcomeState.DONE))


def note_restored(session: ReviewSession, batch: Batch) -> list[int]:
    """Inform the session which documents were restored, which marks them again; return their rows.

    Where another file has the name, the restored one has a similar name, which the session does not know.
    """
    named = [outcome for outcome in batch.outcomes if outcome.restored_to in (None, outcome.step.victim.path)]
    rows = _rows(session, _victims(named, OutcomeState.RESTORED))
    session.note_files(rows, FileState.THERE)
    session.do(partial(session.marks.mark_again, rows))
    return rows


def _victims(outcomes: Iterable[Outcome], state: OutcomeState) -> set[Path]:
    return {outcome.step.victim.path for outcome in outcomes if outcome.state is state}


def _rows(session: ReviewSession, paths: set[Path]) -> list[int]:
    names = {str(path) for path in paths}
    return [row for row, path in enumerate(session.result.documents.paths) if path in names]
