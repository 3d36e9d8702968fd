"""Files in quarantines, as far as the journal knows: list them, and remove them for good when the person asks.

A file is removed only while its keeper still exists; otherwise it may be the last copy of its document.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from dupfinder.actions import moving
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.outcome import Batch, Intent, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import PlaceKind, is_put_away
from dupfinder.actions.plan import KnownFile, Step
from dupfinder.actions.records import LineKind
from dupfinder.actions.trash import clear_place
from dupfinder.base.details import error_name
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage, until_stopped
from dupfinder.base.stamp import FileStamp, identity

_REMOVED_STATES = frozenset({OutcomeState.DONE, OutcomeState.EMPTYING, OutcomeState.EMPTIED})


@dataclass(frozen=True, slots=True)
class QuarantinedFile:
    """A file in a quarantine.   batch: the id of its removal.   at: where it is.   size: bytes."""

    batch: str
    outcome: Outcome
    at: Path
    size: int


@dataclass(frozen=True, slots=True)
class UnknownFile:
    """A file in a quarantine's folder that is not in the journal.   size: bytes."""

    at: Path
    size: int


def in_quarantine(batches: Iterable[Batch]) -> list[QuarantinedFile]:
    """Return the files that these batches put into quarantines and that still exist, in the order of the batches."""
    files = []
    for batch in batches:
        for outcome in batch.outcomes:
            if not outcome.is_quarantined or outcome.place is None or outcome.place.path is None:
                continue
            if (status := moving.status_of(outcome.place.path)) is not None:
                files.append(QuarantinedFile(batch.id, outcome, outcome.place.path, status.st_size))
    return files


def moved_aside() -> dict[Path, FileStamp]:
    """Return the files that removals moved into other folders, by path, with their stamps before that.

    The person may delete such a folder at any time: while a file there is as it was moved, it is no copy that stays.
    """
    return {
        outcome.place.path: outcome.step.victim.stamp
        for batch in Journal().batches_naming(PlaceKind.MOVED)
        for outcome in batch.outcomes
        if outcome.state is OutcomeState.DONE
        and outcome.place is not None
        and outcome.place.kind is PlaceKind.MOVED
        and outcome.place.path is not None
    }


def unknown_files(batches: Iterable[Batch]) -> list[UnknownFile]:
    """Return all other files in the quarantines' folders of these batches, by path."""
    known = {
        outcome.place.path
        for batch in batches
        for outcome in batch.outcomes
        if outcome.is_quarantined and outcome.place is not None
    }
    unknown = []
    for folder in sorted({path.parent for path in known if path is not None}):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        statuses = ((folder / name, moving.status_of(folder / name)) for name in names if folder / name not in known)
        unknown += [UnknownFile(path, status.st_size) for path, status in statuses if status is not None]
    return unknown


def empty(journal: Journal, agreed: Collection[QuarantinedFile] | None = None, reporter: Reporter = SILENT) -> Batch:
    """Remove the files in quarantines for good.

    agreed: what the person was asked about; a file that was quarantined or changed since stays. None: all.
    The result has a step for each: EMPTIED; REFUSED if the file or its keeper changed or is missing; FAILED. Raises
    RemovalRunning, JournalError. If the job is stopped, the result has `stopped` set.
    """
    results: list[Outcome] = []
    with journal.lock():
        batches = journal.batches()
        keepers = _Keepers(batches)
        files = [file for file in in_quarantine(batches) if agreed is None or file in agreed]
        for file in until_stopped(files, reporter):
            reporter.tell(Progress(Stage.REMOVE, len(results), len(files), current=(file.at,)))
            with journal.reopen(file.batch) as log:
                results.append(_remove(file, keepers, log))
        reporter.tell(Progress(Stage.REMOVE, len(results), len(files)))
    return Batch("", datetime.now(UTC), "", len(files), tuple(results), stopped=len(results) < len(files))


class _Keepers:
    """Tells whether a victim's keeper still exists, or the file for which the keeper was removed later."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._removed: dict[tuple[Path, str], Step] = {}
        for batch in batches:
            for outcome in batch.outcomes:
                if outcome.state in _REMOVED_STATES:
                    victim = outcome.step.victim
                    self._removed.setdefault((victim.path, victim.content_hash), outcome.step)

    def exists_for(self, step: Step) -> bool:
        """Tell whether the keeper of this step, or the keeper that replaced it, still exists."""
        seen: set[tuple[Path, str]] = set()
        keeper: KnownFile | None = step.keeper
        while keeper is not None:
            key = (keeper.path, keeper.content_hash)
            if key in seen:
                return False
            seen.add(key)
            if not is_put_away(keeper.path) and moving.hash_at(keeper.path) == keeper.content_hash:
                return True
            step_of_keeper = self._removed.get(key)
            keeper = None if step_of_keeper is None else step_of_keeper.keeper
        return False


def _remove(file: QuarantinedFile, keepers: _Keepers, log: Log) -> Outcome:
    """Remove one file for good, under its holding name, and return the outcome."""
    outcome, intent, place = file.outcome, file.outcome.intent, file.outcome.place
    assert intent is not None and place is not None  # every done step has both
    try:
        with OpenFolder.open(file.at.parent) as folder:
            status = folder.status(file.at.name)
            if status is None or moving.hash_in(folder, file.at.name) != outcome.step.victim.content_hash:
                return _refused(outcome, RefusalKind.CHANGED, file.at)
            log.note(LineKind.EMPTY, outcome.number)
            holding_name = intent.holding.name
            folder.rename(file.at.name, folder, holding_name)
            held_status = folder.status(holding_name)
            if (
                held_status is None
                or identity(held_status) != identity(status)
                or held_status.st_mtime_ns != status.st_mtime_ns
            ):
                _settle_held(folder, intent, file.at, log)
                return _refused(outcome, RefusalKind.CHANGED, file.at)
            if not keepers.exists_for(outcome.step):  # last, since a person may remove the keeper at any moment
                _settle_held(folder, intent, file.at, log)
                return _refused(outcome, RefusalKind.LAST_COPY, file.at)
            folder.remove_name(holding_name)
            folder.sync()
    except OSError as fault:
        with contextlib.suppress(OSError):  # the folder cannot be reached any more: the step stays open for `recover`
            settle_emptying(outcome, log)
        return replace(outcome, state=OutcomeState.FAILED, failure=error_name(fault))
    log.note(LineKind.EMPTIED, outcome.number)
    clear_place(place)
    return replace(outcome, state=OutcomeState.EMPTIED)


def _refused(outcome: Outcome, kind: RefusalKind, at: Path) -> Outcome:
    """Return the outcome of a file that was not removed."""
    return replace(outcome, state=OutcomeState.REFUSED, refusal=Refusal(outcome.step, kind, str(at)))


def settle_emptying(outcome: Outcome, log: Log) -> None:
    """Complete or take back an emptying that was interrupted. Raises OSError if the folder cannot be reached now."""
    intent, place = outcome.intent, outcome.place
    assert intent is not None and place is not None and place.path is not None
    with OpenFolder.open(place.path.parent) as folder:
        _settle_held(folder, intent, place.path, log)


def _settle_held(folder: OpenFolder, intent: Intent, at: Path, log: Log) -> None:
    """Give the file its name back if it is held, and write to the log whether it was kept or removed."""
    holding_name = intent.holding.name
    if folder.status(holding_name) is not None:
        moving.give_back(folder, holding_name, at)
    if folder.status(at.name) is not None:
        log.note(LineKind.UNCHANGED, intent.number)
    elif folder.status(holding_name) is None:
        log.note(LineKind.EMPTIED, intent.number)
