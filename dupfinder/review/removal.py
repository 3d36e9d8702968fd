"""Carry out plans and undo removals, for the window and the command line.

Each function that changes files first completes removals that were interrupted. Every plan is checked against the
protected folders of the library and the person's decisions at that moment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.journal import Journal
from dupfinder.actions.judge import TextJudge
from dupfinder.actions.outcome import Batch, Outcome
from dupfinder.actions.plan import Plan
from dupfinder.actions.safeguards import Safeguards
from dupfinder.actions.undo import GivenBack, give_back_held, recover, undo
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.scan.weights import scheme_in_use

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
    batch_id: str, reporter: Reporter, *, similar_name: bool = False, journal: Journal | None = None
) -> Batch:
    """Restore the files of a removal, as `undo` does. Raises UsageError (no such one), RemovalRunning, JournalError."""
    return undo(batch_id, settle(journal), reporter, similar_name=similar_name)


def give_names_back(paths: Sequence[Path], *, on_settled: Settled | None = None) -> list[GivenBack]:
    """Complete removals, and restore held names at or below `paths`. Raises RemovalRunning, JournalError."""
    return give_back_held(paths, settle(on_settled=on_settled))


def settle(journal: Journal | None = None, on_settled: Settled | None = None) -> Journal:
    """Complete every interrupted removal, and return the journal. Raises RemovalRunning."""
    journal = journal or Journal()
    for batch in recover(journal):
        if on_settled is not None:
            on_settled(batch)
    return journal
