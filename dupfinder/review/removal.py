"""Carry plans out and take removals back: the one way that the window and the command line share.

Each begins by bringing to an end what a kill interrupted. A plan is held to what the library and the person's decisions
say at that moment, whoever made the plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path

from dupfinder.actions.apply import carry_out, dry_run
from dupfinder.actions.held import GivenBack, give_back_held
from dupfinder.actions.journal import Journal
from dupfinder.actions.judge import TextJudge
from dupfinder.actions.outcome import Batch, Outcome
from dupfinder.actions.plan import Plan
from dupfinder.actions.safeguards import Safeguards
from dupfinder.actions.undo import recover, undo
from dupfinder.base.progress import Reporter
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.scan.weights import scheme_in_use

Settled = Callable[[Batch], None]
"""Is told each removal that a kill had interrupted and that was brought to an end."""


def remove(
    plan: Plan, library: Path, reporter: Reporter, *, journal: Journal | None = None, on_settled: Settled | None = None
) -> Batch:
    """Carry out `plan`, and forget removals of which nothing can be undone after the days of the settings.

    library: where protected folders are known; the decisions lie beside it. Raises PlanError, LibraryError,
    JournalError: nothing, or nothing more, was touched.
    """
    safeguards = Safeguards.of(library)
    journal = settle(journal, on_settled)
    with TextJudge(scheme_in_use()) as judge:
        batch = carry_out(plan, journal=journal, judge=judge, reporter=reporter, safeguards=safeguards)
    journal.forget_older(timedelta(days=Settings().integer(JOURNAL_DAYS)))
    return batch


def rehearse(plan: Plan, library: Path, reporter: Reporter) -> list[Outcome]:
    """What `remove` would do with each step now, DONE or REFUSED, without touching anything. Raises as `remove`."""
    with TextJudge(scheme_in_use()) as judge:
        return list(dry_run(plan, judge, reporter, Safeguards.of(library)))


def take_back(
    batch_id: str,
    reporter: Reporter,
    *,
    beside: bool = False,
    journal: Journal | None = None,
    on_settled: Settled | None = None,
) -> Batch:
    """Restore the files of a removal. See `actions.undo.undo` for the result and `beside`.

    Raises UsageError (no such removal), LibraryLocked, JournalError.
    """
    return undo(batch_id, settle(journal, on_settled), reporter, beside=beside)


def give_names_back(places: Sequence[Path], *, on_settled: Settled | None = None) -> list[GivenBack]:
    """Settle what a kill interrupted, and give whatever has a holding name and is at or below `places` its own name.

    Raises LibraryLocked while a removal runs, JournalError.
    """
    return give_back_held(places, settle(on_settled=on_settled))


def settle(journal: Journal | None = None, on_settled: Settled | None = None) -> Journal:
    """Bring every removal that a kill interrupted to an end, and return the journal. Raises LibraryLocked while another
    removal runs."""
    journal = journal or Journal()
    if journal.unfinished():
        for batch in recover(journal):
            if on_settled is not None:
                on_settled(batch)
    return journal
