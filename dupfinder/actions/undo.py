"""Take a removal back: bytes, name, owner, permissions, times and attributes, by what the journal knows."""

from __future__ import annotations

import contextlib
import errno
import itertools
import os
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from dupfinder.actions import moving, quarantine, separating
from dupfinder.actions.folder import Folder, identity
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.marks import Mark
from dupfinder.actions.outcome import Batch, Intent, Outcome, Refusal, RefusalKind, State
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.trash import Trash, remove_quietly
from dupfinder.actions.trash_system import system_trash
from dupfinder.base.details import error_name
from dupfinder.base.progress import Progress, Reporter, Silent, Stage, Stopped


def undo(
    batch_id: str,
    journal: Journal,
    reporter: Reporter | None = None,
    *,
    beside: bool = False,
    steps: Collection[int] | None = None,
    trash: Trash | None = None,
) -> Batch:
    """Restore what a batch removed; `steps`: only these numbers. The last removed comes back first.

    Where another file has the name now, the step is refused (EXISTS) or, with `beside`, restored under a name like it.
    The result holds the steps of this call alone: RESTORED, REFUSED or FAILED; those that were not restored stay
    DONE in the journal. Raises UsageError (no such batch), LibraryLocked, JournalError.
    """
    reporter = reporter or Silent()
    with journal.lock():
        batch = journal.batch(batch_id)
        wanted = [
            one for one in reversed(batch.outcomes)
            if one.state is State.DONE and (steps is None or one.number in steps)
        ]  # fmt: skip
        results: list[Outcome] = []
        stopped = False
        with journal.reopen(batch.id) as log:
            restorer = Restorer(log, beside, trash or system_trash())
            for done, outcome in enumerate(wanted):
                try:
                    reporter.check()
                except Stopped:
                    stopped = True
                    break
                current = (outcome.step.victim.path,)
                reporter.tell(Progress(Stage.REMOVE, done, len(wanted), current=current))
                results.append(restorer.restore(outcome))
    return replace(batch, outcomes=tuple(reversed(results)), total=len(wanted), stopped=stopped)


class Restorer:
    """Restores single steps, writing into one log."""

    def __init__(self, log: Log, beside: bool, trash: Trash) -> None:
        self._log = log
        self._beside = beside
        self._trash = trash
        self._trying: Path | None = None  # the name that the step in hand is about to get

    def restore(self, outcome: Outcome) -> Outcome:
        """Restore one step that is DONE; the outcome says RESTORED, REFUSED or FAILED."""
        intent, place = outcome.intent, outcome.place
        assert intent is not None and place is not None  # a step cannot be done without either
        self._trying = None
        try:
            if is_in_place(intent, intent.step.victim.path) and place.kind is not PlaceKind.LINKED:
                self._trash.forget(place)  # an earlier undo, or the disk, has already brought it back
                self._log.restored(outcome.number, intent.step.victim.path)
                return replace(outcome, state=State.RESTORED, restored_to=intent.step.victim.path)
            refusal = _why_not(intent, place)
            if refusal is not None:
                return replace(outcome, state=State.REFUSED, refusal=refusal)
            at, missing = self._put_back(intent, place)
        except FileExistsError:
            return self._refused(outcome, intent, RefusalKind.EXISTS)
        except separating.Changed:
            return self._refused(outcome, intent, RefusalKind.CHANGED)
        except OSError as fault:
            if fault.errno == errno.ELOOP and self._trying is None:
                return self._refused(outcome, intent, RefusalKind.SYMLINK)
            if fault.errno == errno.EOPNOTSUPP:
                return self._refused(outcome, intent, RefusalKind.NO_SAFE_NAME)
            if not self._may_have_arrived():
                self._settle_kept(intent)
            return replace(outcome, state=State.FAILED, failure=error_name(fault))
        self._log.restored(outcome.number, at)
        return replace(outcome, state=State.RESTORED, restored_to=at, missing=missing)

    def _refused(self, outcome: Outcome, intent: Intent, kind: RefusalKind) -> Outcome:
        self._settle_kept(intent)
        refusal = Refusal(outcome.step, kind, str(outcome.step.victim.path))
        return replace(outcome, state=State.REFUSED, refusal=refusal)

    def _may_have_arrived(self) -> bool:
        return self._trying is not None and moving.may_exist(self._trying)

    def _settle_kept(self, intent: Intent) -> None:
        """Write down that the step is done as before; while a name of ours cannot be removed, it stays open."""
        if self._trying is None:
            return
        if not moving.may_exist(separating.spare_of(intent)) and not moving.may_exist(intent.holding):
            self._log.kept(intent.number)

    def _begin(self, intent: Intent, name: Path) -> None:
        self._log.undo(intent.number, name)
        self._trying = name

    def _put_back(self, intent: Intent, place: Place) -> tuple[Path, tuple[Mark, ...]]:
        """Where the file is now, and the marks that it could not be given."""
        victim, border = intent.step.victim.path, _border(intent)
        if place.kind is PlaceKind.LINKED:
            with Folder.open(victim.parent, border) as folder:
                self._begin(intent, victim)
                return victim, separating.separate(folder, intent)
        assert place.path is not None  # else refused before
        names = itertools.chain((victim.name,), moving.names_beside(victim.name) if self._beside else ())
        returning = replace(intent, spare=separating.spare_of(intent))
        with Folder.open(place.path.parent) as source, moving.reach(victim.parent, border) as to:
            for name in names:
                if to.status(name) is not None:
                    continue
                self._begin(intent, victim.with_name(name))
                try:
                    moving.bring(source, place.path.name, to, name, returning)
                except FileExistsError:
                    continue
                missing = _give_marks(to, name, intent)
                self._trash.forget(place)
                return victim.with_name(name), missing
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(victim))


def _border(intent: Intent) -> Path | None:
    """The folder beneath which no symbolic link is followed: the root; above a root that is the file itself."""
    return intent.root.parent if intent.root == intent.step.victim.path else intent.root


def _give_marks(folder: Folder, name: str, intent: Intent) -> tuple[Mark, ...]:
    """Give a file that is back the marks it had. What only changed its name has kept owner and attributes."""
    wanted = intent.marks
    try:
        status = folder.status(name)
        if status is not None and identity(status) == intent.step.victim.identity:
            wanted = replace(wanted, owner=None, attributes=())
            folder.settle(name, wanted.mode, wanted.mtime_ns, wanted.atime_ns)
            return ()
        return moving.give_marks(folder, name, wanted)
    except OSError:
        return tuple(Mark)


def is_in_place(intent: Intent, path: Path) -> bool:
    """Whether `path` is the victim itself: the same file with the same bytes."""
    victim, status = intent.step.victim, moving.status_of(path)
    same = status is not None and (status.st_dev, status.st_ino) == victim.identity
    return same and moving.hash_at(path) == victim.content_hash


def _why_not(intent: Intent, place: Place) -> Refusal | None:
    """Why a victim cannot come back; None when it can."""
    step = intent.step
    if place.path is None:
        return Refusal(step, RefusalKind.WHERE_UNKNOWN)
    found = moving.hash_at(place.path)
    if found is None:
        return Refusal(step, RefusalKind.NOT_THERE, str(place.path))
    if found != step.victim.content_hash:
        return Refusal(step, RefusalKind.CHANGED, str(place.path))
    return None


def recover(journal: Journal, *, trash: Trash | None = None) -> list[Batch]:
    """Bring every step that a kill interrupted to an end, and return the batches concerned, newest first.

    A victim that reached its place is DONE (and can be undone); one that is still in hand gets its name back
    (TAKEN_BACK). An undo that reached the name is RESTORED; else the step is DONE as before. The steps that were never
    begun are `journal.remaining`. Raises LibraryLocked while a removal runs.
    """
    settled = []
    trash = trash or system_trash()
    with journal.lock():
        for batch in journal.unfinished():
            with journal.reopen(batch.id) as log:
                for outcome in batch.outcomes:
                    with contextlib.suppress(OSError):  # a step whose folder cannot be reached now stays open
                        if outcome.state is State.INTENDED:
                            _settle_removal(outcome, log)
                        elif outcome.state is State.RESTORING:
                            _settle_undo(outcome, log, trash)
                        elif outcome.state is State.EMPTYING:
                            quarantine.settle(outcome, log)
                if not batch.ended:
                    log.end(stopped=True)
            settled.append(journal.batch(batch.id))
    return settled


def _settle_removal(outcome: Outcome, log: Log) -> None:
    intent, place = outcome.intent, outcome.place
    assert intent is not None and place is not None
    victim = intent.step.victim.path
    if place.kind is PlaceKind.LINKED:
        _settle_link(intent, place, log)
        return
    _remove_spare(intent)
    arrived = place.path is not None and _has_arrived(intent, place.path)
    if is_in_place(intent, victim):
        _drop_second(intent.holding, victim)
        _drop_orphan_note(place)
        _give_back_rest(intent)
        log.taken_back(outcome.number, victim)
    elif arrived and _is_whole_or_gone(intent):
        moving.remove_made(intent.holding)  # the same content, or the same file, stands in its place
        log.done(outcome.number, place)
    elif moving.status_of(intent.holding) is not None:  # perhaps written, or replaced, while it was in hand
        if place.path is not None:
            _drop_second(place.path, intent.holding)
        _drop_orphan_note(place)
        _give_back(intent, log)
    elif place.kind is PlaceKind.ELSEWHERE and moving.hash_at(victim) is None:
        log.done(outcome.number, place)
    else:
        _say_where(intent, log)


def _say_where(intent: Intent, log: Log) -> None:
    """Write down a victim that is neither in hand nor in its place: it stands beside its name, or another program took
    it away."""
    victim = intent.step.victim
    with Folder.open(victim.path.parent) as folder:
        at = moving.found_beside(folder, victim.path, victim.identity)
    if at is not None:
        log.taken_back(intent.number, at)
    else:
        log.refused(intent.number, Refusal(intent.step, RefusalKind.GONE))


def _is_whole_or_gone(intent: Intent) -> bool:
    """Whether nothing but the victim itself, with the bytes it had, may lie under the holding name."""
    return not moving.may_exist(intent.holding) or is_in_place(intent, intent.holding)


def _give_back_rest(intent: Intent) -> None:
    """Give whatever else lies under the holding name a name beside the victim's."""
    with Folder.open(intent.holding.parent) as folder:
        if folder.status(intent.holding.name) is not None:
            moving.give_back(folder, intent.holding.name, intent.step.victim.path)


def _has_arrived(intent: Intent, path: Path) -> bool:
    return moving.hash_at(path) == intent.step.victim.content_hash


def _settle_link(intent: Intent, place: Place, log: Log) -> None:
    victim = intent.step.victim.path
    with Folder.open(victim.parent) as folder:
        moving.clear_aside(folder, intent)
    if is_in_place(intent, victim):
        _drop_second(intent.holding, victim)
        _give_back_rest(intent)
        log.taken_back(intent.number, victim)
    elif _has_arrived(intent, victim) and _is_whole_or_gone(intent):
        moving.remove_made(intent.holding)  # equal bytes stand under the victim's name
        log.done(intent.number, place)
    elif moving.status_of(intent.holding) is None:
        _say_where(intent, log)
    else:
        with Folder.open(victim.parent) as folder:
            at = moving.take_link_back(folder, intent)
        if at != intent.holding:
            log.taken_back(intent.number, at or victim)


def _give_back(intent: Intent, log: Log) -> None:
    victim = intent.step.victim.path
    with Folder.open(victim.parent) as folder:
        at = moving.give_back(folder, intent.holding.name, victim)
    if at != intent.holding:
        log.taken_back(intent.number, at or victim)


def _settle_undo(outcome: Outcome, log: Log, trash: Trash) -> None:
    intent, place, name = outcome.intent, outcome.place, outcome.restored_to
    assert intent is not None and place is not None and name is not None  # written with every undo
    moving.remove_made(separating.spare_of(intent))
    if place.kind is PlaceKind.LINKED:
        with Folder.open(name.parent, _border(intent)) as folder:
            back = separating.settle(folder, intent)
    else:
        back = _is_back(intent, place, name)
    if not back:
        log.kept(outcome.number)
        return
    if _has_arrived(intent, name):  # else somebody has written it since, and what it has is theirs
        with Folder.open(name.parent, _border(intent)) as folder:
            _give_marks(folder, name.name, intent)
    trash.forget(place)
    log.restored(outcome.number, name)


def _is_back(intent: Intent, place: Place, name: Path) -> bool:
    """Whether the victim has left its place for `name`; a second name that a kill left of it is taken away.

    It may have been written, replaced or removed under `name` since: when its place is empty, it has been there.
    """
    if place.path is None:
        return False
    if not moving.may_exist(place.path):
        return True
    if _are_one(place.path, name):
        moving.remove_made(place.path)
        return True
    return _has_arrived(intent, name) and _leave(place, name)


def _leave(place: Place, name: Path) -> bool:
    """Take away what a kill left in `place` of a file whose bytes are back under `name`; whether nothing is left."""
    left, back = None if place.path is None else moving.status_of(place.path), moving.status_of(name)
    if place.path is None or left is None or back is None:
        return back is not None
    if os.path.samestat(left, back) or left.st_dev != back.st_dev:  # a second name, or the source of a whole copy
        moving.remove_made(place.path)
        return True
    return False


def _are_one(one: Path, other: Path) -> bool:
    left, right = moving.status_of(one), moving.status_of(other)
    return left is not None and right is not None and os.path.samestat(left, right)


def _remove_spare(intent: Intent) -> None:
    if intent.spare is not None:
        moving.remove_made(intent.spare)


def _drop_second(second: Path, name: Path) -> None:
    """Remove a second name of the same file that a kill left."""
    if _are_one(second, name):
        moving.remove_made(second)


def _drop_orphan_note(place: Place) -> None:
    if place.info is not None and place.path is not None and not os.path.lexists(place.path):
        remove_quietly(place.info)
