"""The verbs that remove and take back: `apply`, `history`, `undo`."""

from __future__ import annotations

import argparse
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.progress import Progress, Stopped
from dupfinder.base.settings import JOURNAL_DAYS, Settings
from dupfinder.cli.progress import MODES, Printer

if TYPE_CHECKING:
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.outcome import Batch
    from dupfinder.actions.plan import Plan

DONE, REFUSED, STOPPED = 0, 5, 130
_UNITS: Final = ("bytes", "kB", "MB", "GB", "TB")


def add_parsers(subparsers: Any) -> None:
    """Add the three verbs to the command line's parser."""
    apply = subparsers.add_parser("apply", help="carry out a plan", description="Carry out a removal plan.")
    apply.add_argument("plan", type=Path, metavar="PLAN", help="a plan file, as written by `dupfinder select`")
    apply.add_argument("--dry-run", action="store_true", help="check every step, touch nothing")
    _add_progress(apply)
    apply.set_defaults(run=run_apply)
    history = subparsers.add_parser("history", help="what was removed", description="List removals, newest first.")
    history.add_argument("--files", action="store_true", help="also list the files of each removal")
    history.set_defaults(run=run_history)
    undo = subparsers.add_parser("undo", help="take a removal back", description="Restore what a removal took away.")
    undo.add_argument("batch", nargs="?", metavar="BATCH", help="a removal of the history; the newest by default")
    undo.add_argument("--beside", action="store_true", help="where the name is taken, restore under a name like it")
    _add_progress(undo)
    undo.set_defaults(run=run_undo)


def _add_progress(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--progress", choices=MODES, default="auto", help="how progress is told on standard error")


class _Watched:
    """A printer that an interrupt stops after the file in hand."""

    def __init__(self, printer: Printer) -> None:
        self._printer = printer
        self._stop = False

    def check(self) -> None:
        if self._stop:
            raise Stopped

    def tell(self, progress: Progress) -> None:
        self._printer.tell(progress)

    def interrupt(self, number: int, frame: FrameType | None) -> None:
        self._stop = True


@contextmanager
def _watched(mode: str) -> Iterator[_Watched]:
    printer = Printer.of(mode)
    reporter = _Watched(printer)
    before = {number: signal.signal(number, reporter.interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield reporter
    finally:
        printer.end()
        for number, handler in before.items():
            signal.signal(number, handler)


def run_apply(arguments: argparse.Namespace) -> int:
    """Carry out a plan file; 0 when every step was done, 5 when some were not, 130 when stopped."""
    from dupfinder.actions.apply import carry_out
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.judge import TextJudge
    from dupfinder.actions.plan import load
    from dupfinder.scan.weights import scheme_in_use

    plan = load(arguments.plan)
    if not plan.steps:
        print("The plan names no files. Nothing was done.")
        return DONE
    if arguments.dry_run:
        return _rehearse(plan, arguments.progress)
    journal = Journal()
    _settle_interrupted(journal)
    with _watched(arguments.progress) as reporter, TextJudge(scheme_in_use(), left_out=plan.left_out) as judge:
        batch = carry_out(plan, journal=journal, judge=judge, reporter=reporter)
    journal.forget_before(datetime.now(UTC) - timedelta(days=Settings().integer(JOURNAL_DAYS)))
    return _tell_removal(batch)


def _rehearse(plan: Plan, mode: str) -> int:
    from dupfinder.actions.apply import dry_run
    from dupfinder.actions.judge import TextJudge
    from dupfinder.actions.outcome import State
    from dupfinder.review.wording_removal import refusal_sentence
    from dupfinder.scan.weights import scheme_in_use

    fine, size = 0, 0
    with _watched(mode) as reporter, TextJudge(scheme_in_use(), left_out=plan.left_out) as judge:
        outcomes = list(dry_run(plan, judge, reporter))
    for outcome in outcomes:
        if outcome.state is State.DONE:
            fine += 1
            size += outcome.step.victim.stamp.size
            print(f"would {_VERBS[outcome.step.verb.value]}: {shown(outcome.step.victim.path)}")
        elif outcome.refusal is not None:
            print(refusal_sentence(outcome.refusal))
    print(f"{_files(fine)} of {len(plan.steps):,} would be removed, {_size(size)}. Nothing was touched.")
    return DONE if fine == len(plan.steps) else REFUSED


_VERBS: Final = {"trash": "move to the trash", "move": "move", "hardlink": "join with its copy"}


def _tell_removal(batch: Batch) -> int:
    from dupfinder.actions.outcome import State
    from dupfinder.review.wording_removal import outcome_sentence

    for outcome in batch.outcomes:
        sentence = outcome_sentence(outcome)
        if sentence is not None:
            print(sentence)
    done = batch.count(State.DONE)
    print(f"{_files(done)} of {batch.total:,} removed, {_size(batch.bytes_done)}.")
    if done:
        print(f"To take this back: dupfinder undo {batch.id}")
    for outcome in batch.outcomes:
        if outcome.state is State.INTENDED and outcome.intent is not None:
            name, held = shown(outcome.step.victim.path), shown(outcome.intent.holding.name)
            print(f"{name} could not be brought to an end; if it is missing, {held} beside it is the file. "
                  "The next `dupfinder apply` or `dupfinder undo` puts it in order.", file=sys.stderr)  # fmt: skip
    if batch.stopped:
        print("Stopped. The file in hand was finished; the rest was not touched.", file=sys.stderr)
        return STOPPED
    return DONE if batch.is_complete else REFUSED


def _settle_interrupted(journal: Journal) -> None:
    """Bring to an end what a kill interrupted, and say so."""
    from dupfinder.actions.undo import recover

    if not journal.unfinished():
        return
    for batch in recover(journal):
        line = f"The removal {batch.id} had been interrupted. Its file in hand was put in order; nothing was lost."
        print(line, file=sys.stderr)


def run_history(arguments: argparse.Namespace) -> int:
    """List all removals, newest first."""
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.outcome import OPEN_STATES, State
    from dupfinder.review.wording_removal import place_words

    batches = Journal().batches()
    for batch in batches:
        when = batch.started.astimezone().strftime("%Y-%m-%d %H:%M")
        parts = [f"{batch.count(State.DONE):,} of {batch.total:,} removed ({_size(batch.bytes_done)})"]
        not_done = batch.count(State.REFUSED) + batch.count(State.FAILED)
        parts += [f"{not_done:,} left alone"] if not_done else []
        parts += [f"{batch.count(State.RESTORED):,} restored"] if batch.count(State.RESTORED) else []
        interrupted = sum(outcome.state in OPEN_STATES for outcome in batch.outcomes)
        parts += [f"{interrupted:,} interrupted"] if interrupted else []
        parts += ["stopped"] if batch.stopped else []
        parts += [f"{batch.damaged:,} lines of its journal cannot be read"] if batch.damaged else []
        name = f"  {shown(batch.scan_name)}" if batch.scan_name else ""
        print(f"{batch.id}  {when}  {', '.join(parts)}{name}")
        for outcome in batch.outcomes if arguments.files else ():
            there = f" -> {place_words(outcome.place.path)}" if outcome.place and outcome.state is State.DONE else ""
            print(f"  {outcome.state.value:<10} {shown(outcome.step.victim.path)}{there}")
    if not batches:
        print("Nothing was removed yet.")
    return DONE


def run_undo(arguments: argparse.Namespace) -> int:
    """Take a removal back; 0 when all of it was restored, 5 when some was not, 130 when stopped."""
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.outcome import State
    from dupfinder.actions.undo import undo
    from dupfinder.review.wording_removal import failure_sentence, restore_refusal_sentence

    journal = Journal()
    _settle_interrupted(journal)
    batch_id = arguments.batch or _newest(journal)
    with _watched(arguments.progress) as reporter:
        batch = undo(batch_id, journal, reporter, beside=arguments.beside)
    for outcome in batch.outcomes:
        if outcome.refusal is not None:
            print(restore_refusal_sentence(outcome.refusal))
        elif outcome.state is State.FAILED:
            print(failure_sentence(outcome))
        elif outcome.restored_to is not None and outcome.restored_to != outcome.step.victim.path:
            print(f"{shown(outcome.step.victim.path)} was restored as {shown(outcome.restored_to)}.")
    print(f"{_files(batch.count(State.RESTORED))} of {batch.total:,} restored.")
    if batch.stopped:
        print("Stopped. The file in hand was finished; the rest is where it was.", file=sys.stderr)
        return STOPPED
    return DONE if batch.is_complete else REFUSED


def _newest(journal: Journal) -> str:
    """The newest removal of which something is left to take back. UsageError when there is none."""
    from dupfinder.actions.outcome import State

    for batch in journal.batches():
        if batch.count(State.DONE):
            return batch.id
    raise UsageError("There is no removal to take back.")


def _files(count: int) -> str:
    return f"{count:,} file" if count == 1 else f"{count:,} files"


def _size(size: float) -> str:
    for unit in _UNITS[:-1]:
        if size < 1000:
            return f"{size:,.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} {_UNITS[-1]}"
