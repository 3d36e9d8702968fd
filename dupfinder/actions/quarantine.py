"""The files in quarantines, by what the journal knows: list them, and remove them for good when the person asks.

A file only goes while the copy that was kept for it is still there; otherwise it may be the last of its document.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from dupfinder.actions import moving
from dupfinder.actions.folder import Folder, identity
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.outcome import Batch, Intent, Outcome, Refusal, RefusalKind, State
from dupfinder.actions.places import is_put_away
from dupfinder.actions.plan import Step, Witness
from dupfinder.base.details import error_name
from dupfinder.base.progress import Progress, Reporter, Silent, Stage, Stopped

_LEAVES = frozenset({State.DONE, State.EMPTYING, State.EMPTIED})


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A file in a quarantine.   batch: the id of its removal.   at: where it is.   size: bytes."""

    batch: str
    outcome: Outcome
    at: Path
    size: int


@dataclass(frozen=True, slots=True)
class Stranger:
    """A file in a folder that serves as a quarantine, of which the journal knows nothing.   size: bytes."""

    at: Path
    size: int


def listed(batches: Iterable[Batch]) -> list[Quarantined]:
    """The files in quarantines that these batches put there and that are still there, in the order of the batches."""
    return list(_listed(batches))


def _listed(batches: Iterable[Batch]) -> Iterator[Quarantined]:
    for batch in batches:
        for outcome in batch.outcomes:
            at = outcome.place.path if outcome.is_quarantined and outcome.place is not None else None
            status = None if at is None else moving.status_of(at)
            if at is not None and status is not None:
                yield Quarantined(batch.id, outcome, at, status.st_size)


def strangers(batches: Iterable[Batch]) -> list[Stranger]:
    """What else lies in the folders that these batches used as quarantines, by path."""
    known = {
        one.place.path for batch in batches for one in batch.outcomes if one.is_quarantined and one.place is not None
    }
    found = []
    for folder in sorted({path.parent for path in known if path is not None}):
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        statuses = ((folder / name, moving.status_of(folder / name)) for name in names if folder / name not in known)
        found += [Stranger(path, status.st_size) for path, status in statuses if status is not None]
    return found


def empty(journal: Journal, batch_id: str | None = None, reporter: Reporter | None = None) -> Batch:
    """Remove for good what quarantines hold, of one removal or of all.

    The result holds the steps concerned: EMPTIED; REFUSED, when the file or the copy that was kept for it changed or is
    gone; FAILED. Raises UsageError (no such batch), LibraryLocked, JournalError; Stopped never: it then says `stopped`.
    """
    reporter = reporter or Silent()
    results: list[Outcome] = []
    with journal.lock():
        batches = journal.batches()
        kept = _Kept(batches)
        wanted = listed(batches if batch_id is None else [journal.batch(batch_id)])
        for done, one in enumerate(wanted):
            try:
                reporter.check()
            except Stopped:
                return _told(results, len(wanted), stopped=True)
            reporter.tell(Progress(Stage.REMOVE, done, len(wanted), current=(one.at,)))
            with journal.reopen(one.batch) as log:
                results.append(_remove(one, kept, log))
    return _told(results, len(wanted), stopped=False)


def _told(results: list[Outcome], total: int, *, stopped: bool) -> Batch:
    return Batch("", datetime.now(UTC), "", total, tuple(results), stopped)


class _Kept:
    """Whether the copy that was kept for a victim is still there, or the copy that was kept when that one went."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._went: dict[tuple[Path, str], Step] = {}
        for batch in batches:
            for outcome in batch.outcomes:
                if outcome.state in _LEAVES:
                    victim = outcome.step.victim
                    self._went.setdefault((victim.path, victim.content_hash), outcome.step)

    def for_step(self, step: Step) -> bool:
        seen: set[tuple[Path, str]] = set()
        keeper: Witness | None = step.keeper
        while keeper is not None:
            key = (keeper.path, keeper.content_hash)
            if key in seen:
                return False
            seen.add(key)
            if not is_put_away(keeper.path) and moving.hash_at(keeper.path) == keeper.content_hash:
                return True
            later = self._went.get(key)
            keeper = None if later is None else later.keeper
        return False


def _remove(one: Quarantined, kept: _Kept, log: Log) -> Outcome:
    outcome, intent = one.outcome, one.outcome.intent
    assert intent is not None  # a step cannot be done without
    try:
        with Folder.open(one.at.parent) as folder:
            status = folder.status(one.at.name)
            if status is None or moving.hash_in(folder, one.at.name) != outcome.step.victim.content_hash:
                return _refused(outcome, RefusalKind.CHANGED, one.at)
            log.empty(outcome.number)
            held = _held(intent, one.at).name
            folder.rename(one.at.name, folder, held)
            now = folder.status(held)
            if now is None or identity(now) != identity(status) or now.st_mtime_ns != status.st_mtime_ns:
                _settle(folder, intent, one.at, outcome.number, log)
                return _refused(outcome, RefusalKind.CHANGED, one.at)
            if not kept.for_step(outcome.step):  # asked last, for a person may remove the kept copy at any moment
                _settle(folder, intent, one.at, outcome.number, log)
                return _refused(outcome, RefusalKind.LAST_COPY, one.at)
            folder.remove_name(held)
            folder.sync()
    except OSError as fault:
        settle(outcome, log)
        return replace(outcome, state=State.FAILED, failure=error_name(fault))
    log.emptied(outcome.number)
    return replace(outcome, state=State.EMPTIED)


def _refused(outcome: Outcome, kind: RefusalKind, at: Path) -> Outcome:
    return replace(outcome, state=State.REFUSED, refusal=Refusal(outcome.step, kind, str(at)))


def _held(intent: Intent, at: Path) -> Path:
    return at.with_name(intent.holding.name)


def settle(outcome: Outcome, log: Log) -> None:
    """Bring to an end the emptying that a kill or a fault interrupted. OSError: the folder cannot be reached now."""
    intent, place = outcome.intent, outcome.place
    assert intent is not None and place is not None and place.path is not None
    with Folder.open(place.path.parent) as folder:
        _settle(folder, intent, place.path, outcome.number, log)


def _settle(folder: Folder, intent: Intent, at: Path, number: int, log: Log) -> None:
    held = _held(intent, at).name
    if folder.status(held) is not None:
        moving.give_back(folder, held, at)
    if folder.status(at.name) is not None:
        log.kept(number)
    elif folder.status(held) is None:
        log.emptied(number)
