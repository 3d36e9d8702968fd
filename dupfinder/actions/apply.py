"""Carry out a plan. Apart from undo and emptying a quarantine, all changes to a person's files begin here.

Each step: check; write the intent to the journal; rename the file to a holding name in its folder; check the file and
its keeper again; move it to its place; write to the journal that it is done. The second check of the keeper is for two
removals at the same time, each of which keeps what the other removes: the removal that checks later finds its keeper
gone and restores its victim, so that one copy remains.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from dupfinder.actions import moving
from dupfinder.actions.check import Checker, Examined, Judge, Safeguards
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.outcome import Aspect, Batch, Intent, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import Place, PlaceKind, holding_name
from dupfinder.actions.plan import Plan, Step, Verb, validate
from dupfinder.actions.records import LineKind
from dupfinder.actions.trash import Trash, quarantine_for, system_trash
from dupfinder.base.details import error_name
from dupfinder.base.errors import DupfinderError
from dupfinder.base.paths import SPARE_PREFIX
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage, until_stopped


def carry_out(
    plan: Plan,
    *,
    journal: Journal,
    judge: Judge,
    reporter: Reporter = SILENT,
    trash: Trash | None = None,
    safeguards: Safeguards | None = None,
) -> Batch:
    """Do the steps of `plan` in order. If a step is refused or fails, its file stays where it is and the others go on.

    safeguards: the person's decisions outside the plan, which take precedence over it.
    If the job is stopped, the current file is finished, and the batch is marked `stopped`. Raises ContradictoryPlan
    before anything is done, RemovalRunning while another removal runs, JournalError if the journal cannot be written;
    then nothing more is touched.
    """
    validate(plan)
    with journal.lock(), journal.begin(plan) as log:
        removal = _StepRunner(plan, Checker(plan, judge, safeguards), log, trash or system_trash())
        tried = freed = 0
        for step in until_stopped(plan.steps, reporter):
            current = (step.victim.path,)
            reporter.tell(Progress(Stage.REMOVE, tried, len(plan.steps), bytes_done=freed, current=current))
            if removal.carry_out(tried, step):
                freed += step.victim.stamp.size
            tried += 1
        stopped = tried < len(plan.steps)
        if not stopped:
            reporter.tell(Progress(Stage.REMOVE, tried, tried, bytes_done=freed))
        log.end(stopped)
    return journal.batch(log.batch_id)


class _StepFailed(Exception):
    """A step cannot be done. at: the path that its file has now; None: it was not renamed."""

    def __init__(self, reason: Refusal | str, at: Path | None = None) -> None:
        super().__init__(reason)
        self.reason = reason
        self.at = at


class _StepRunner:
    """Carries out the steps of one plan and writes them to one log."""

    def __init__(self, plan: Plan, checker: Checker, log: Log, trash: Trash) -> None:
        self._plan = plan
        self._checker = checker
        self._log = log
        self._trash = trash
        self._intent: Intent | None = None
        self._safe_devices: set[int] = set()  # devices on which `_check_way_back` succeeded
        self._verbs: Final[dict[Verb, Callable[[int, Examined], Place]]] = {
            Verb.TRASH: self._to_trash,
            Verb.MOVE: self._to_destination,
            Verb.HARDLINK: self._to_link,
        }

    def carry_out(self, number: int, step: Step) -> bool:
        """Do a step and write its outcome to the log. Returns whether it was done."""
        examined = self._checker.examine(step)
        if isinstance(examined, Refusal):
            self._log.refused(number, examined)
            return False
        self._intent = None
        with examined:
            try:
                place = self._verbs[step.verb](number, examined)
            except _StepFailed as fault:
                self._settle(number, step, fault)
                return False
            except OSError as fault:  # the system refuses even to examine a file; a held file waits for `recover`
                self._settle(number, step, _StepFailed(error_name(fault)))
                return False
        self._log.done(number, place)
        return True

    def _settle(self, number: int, step: Step, fault: _StepFailed) -> None:
        """Write to the log that a step was not done.

        If the file did not get its name back, or our link or copy could not be removed, nothing is written: the step
        stays open, and `recover` settles it later.
        """
        names = (self._intent.holding, self._intent.spare) if self._intent is not None else ()
        if any(path is not None and moving.may_exist(path) for path in names):
            return
        at = None if fault.at == step.victim.path else fault.at
        if isinstance(fault.reason, Refusal):
            self._log.refused(number, fault.reason, at)
        else:
            self._log.failed(number, step, fault.reason, at)

    def _intend(self, number: int, examined: Examined, place: Place) -> Intent:
        """Write the intent of a step to the log and return it."""
        victim = examined.step.victim.path
        token = secrets.token_hex(8)
        spare_folder = victim.parent if place.path is None else place.path.parent
        intent = Intent(
            number,
            examined.step,
            victim.with_name(holding_name(token, victim.name, examined.folder.longest_name())),
            spare_folder / (SPARE_PREFIX + token) if examined.step.verb is not Verb.TRASH else None,
            place,
            moving.metadata_of(examined.folder, victim.name, examined.status),
            examined.root,
        )
        self._log.intend(intent)
        self._intent = intent
        return intent

    def _hold(self, examined: Examined, intent: Intent) -> None:
        """Rename the victim to its holding name, and check it and its keeper before and after. Raises _StepFailed."""
        victim = intent.step.victim.path
        if refusal := examined.look_again():
            raise _StepFailed(refusal)
        self._check_way_back(examined, intent)
        try:
            examined.folder.rename(victim.name, examined.folder, intent.holding.name)
        except OSError as fault:
            raise _StepFailed(_not_renamed(intent.step, fault)) from fault
        if refusal := examined.look_again_held(intent.holding.name):
            raise self._give_up(examined, intent, refusal)

    def _check_way_back(self, examined: Examined, intent: Intent) -> None:
        """Check, with the victim itself, whether a file can get its name back and replace none. Raises _StepFailed."""
        folder, victim = examined.folder, intent.step.victim.path
        device = folder.identity[0]
        if device in self._safe_devices:
            return
        try:
            safe = folder.can_give_back(victim.name, intent.holding.name)
        except FileNotFoundError:
            raise self._give_up(examined, intent, Refusal(intent.step, RefusalKind.GONE)) from None
        except OSError as fault:
            raise self._give_up(examined, intent, _not_renamed(intent.step, fault)) from fault
        if not safe:
            raise _StepFailed(Refusal(intent.step, RefusalKind.NO_SAFE_NAME, str(victim.parent)))
        examined.note_renaming()
        self._safe_devices.add(device)

    def _give_up(self, examined: Examined, intent: Intent, reason: Refusal | str) -> _StepFailed:
        """Give the victim its name back, and return the exception to raise."""
        at = moving.give_back(examined.folder, intent.holding.name, intent.step.victim.path)
        return _StepFailed(reason, at)

    def _log_place(self, number: int, examined: Examined, intent: Intent, place: Place) -> None:
        """Write to the log that another place is tried for the victim."""
        try:
            self._log.note(LineKind.PLACE, number, place=place)
        except (DupfinderError, OSError):
            moving.give_back(examined.folder, intent.holding.name, intent.step.victim.path)
            raise  # without a journal nothing may go on; recovery finds the step as before

    def _trashes(self, examined: Examined) -> Iterator[tuple[Trash, Place]]:
        """Yield (trash or quarantine, free place in it) for the victim, best first."""
        stamp = examined.step.victim.stamp
        for trash in (self._trash, quarantine_for(examined.root, self._plan.quarantine)):
            try:
                for place in trash.places(stamp):
                    yield trash, place
            except OSError:
                continue  # this one cannot be created; try the next

    def _to_trash(self, number: int, examined: Examined) -> Place:
        """Move the victim to the trash, or to a quarantine if there is no trash. Raises _StepFailed."""
        step, victim = examined.step, examined.step.victim.path
        intent: Intent | None = None
        is_held, reason = False, "ENOTSUP"
        for trash, place in self._trashes(examined):
            if intent is None:
                intent = self._intend(number, examined, place)
            else:
                self._log_place(number, examined, intent, place)
            if trash.by_name:
                self._check_not_keeper(examined, intent)
            elif not is_held:
                self._hold(examined, intent)
                is_held = True
            try:
                if trash.may_delete and not is_held:
                    return self._put_guarded(trash, number, examined, intent, place)
                return trash.put(examined.folder, intent.holding.name if is_held else victim.name, victim, place)
            except OSError as fault:
                reason = error_name(fault)
        refusal = Refusal(step, RefusalKind.NO_TRASH, found=reason)
        if intent is None or not is_held:
            raise _StepFailed(refusal)
        raise self._give_up(examined, intent, refusal)

    def _put_guarded(self, trash: Trash, number: int, examined: Examined, intent: Intent, place: Place) -> Place:
        """Send the victim to a trash that may delete it instead. Until it is found there, it has the holding name too.

        Raises OSError if it cannot have a second name, or is not found in the trash; then it has its own name alone.
        Raises _StepFailed if it cannot get that.
        """
        folder, victim, holding = examined.folder, intent.step.victim.path, intent.holding.name
        folder.link(victim.name, folder, holding)
        try:
            sent = trash.put(folder, victim.name, victim, place)
            if sent.path is None:
                raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), victim.name)
            self._log_place(number, examined, intent, sent)
            folder.remove_name(holding)
        except OSError as fault:
            at = moving.give_back(folder, holding, victim)
            if at != victim or folder.status(holding) is not None:
                raise _StepFailed(Refusal(intent.step, RefusalKind.NO_TRASH, found=error_name(fault)), at) from fault
            examined.note_renaming()
            raise
        return sent

    def _check_not_keeper(self, examined: Examined, intent: Intent) -> None:
        """Rename the victim and back, to detect a keeper that is the same file seen through another mount."""
        self._hold(examined, intent)
        victim = intent.step.victim.path
        if (at := moving.give_back(examined.folder, intent.holding.name, victim)) != victim:
            raise _StepFailed(Refusal(intent.step, RefusalKind.EXISTS, str(victim)), at)
        examined.note_renaming()

    def _to_destination(self, number: int, examined: Examined) -> Place:
        """Move the victim below the plan's destination. Raises _StepFailed."""
        step, destination = examined.step, self._plan.destination
        assert destination is not None  # validated
        path = self._checker.destination_of(step, examined.root)
        try:
            to = moving.make_way(path.parent, Path(os.path.realpath(destination)), root=Path(path.anchor))
        except OSError as fault:
            raise _StepFailed(Refusal(step, RefusalKind.FORBIDDEN, str(path), error_name(fault))) from fault
        with to:
            if to.status(path.name) is not None:
                raise _StepFailed(Refusal(step, RefusalKind.EXISTS, str(path)))
            intent = self._intend(number, examined, Place(PlaceKind.MOVED, path))
            self._hold(examined, intent)
            try:
                moving.bring(examined.folder, intent.holding.name, to, path.name, intent)
            except FileExistsError:
                raise self._give_up(examined, intent, Refusal(step, RefusalKind.EXISTS, str(path))) from None
            except OSError as fault:
                raise self._give_up(examined, intent, _reason(fault, step, path)) from fault
        return intent.place

    def _to_link(self, number: int, examined: Examined) -> Place:
        """Replace the victim by a verified hard link to its keeper; only then do its bytes go. Raises _StepFailed."""
        step, folder = examined.step, examined.folder
        victim = step.victim.path
        intent = self._intend(number, examined, Place(PlaceKind.LINKED, victim))
        self._hold(examined, intent)
        try:
            examined.keeper_folder.link(step.keeper.path.name, folder, victim.name)
        except FileExistsError:
            raise self._give_up(examined, intent, Refusal(step, RefusalKind.EXISTS, str(victim))) from None
        except OSError as fault:
            raise self._give_up(examined, intent, error_name(fault)) from fault
        folder.sync()
        reason: Refusal | str = Refusal(step, RefusalKind.CHANGED, aspect=Aspect.CONTENT)
        try:
            if (
                moving.is_same_file(folder, victim.name, examined.keeper_status)
                and moving.hash_in(folder, victim.name) == step.victim.content_hash
                and moving.remove_original(folder, intent.holding.name, step.victim.content_hash)
            ):
                return intent.place
        except OSError as fault:
            reason = error_name(fault)
        raise _StepFailed(reason, moving.take_link_back(folder, intent))


def _not_renamed(step: Step, fault: OSError) -> Refusal:
    """Return why a file cannot be renamed. Windows renames none that another program has open."""
    name = error_name(fault)
    if name == "ENOENT":
        return Refusal(step, RefusalKind.GONE)
    return Refusal(step, RefusalKind.IN_USE if name == "EBUSY" else RefusalKind.FORBIDDEN, found=name)


def _reason(fault: OSError, step: Step, path: Path) -> Refusal | str:
    """Return why a file could not get the name `path`."""
    if fault.errno == errno.EOPNOTSUPP:
        return Refusal(step, RefusalKind.NO_SAFE_NAME, str(path.parent))
    return error_name(fault)


def dry_run(
    plan: Plan, judge: Judge, reporter: Reporter = SILENT, safeguards: Safeguards | None = None
) -> Iterator[Outcome]:
    """Yield what `carry_out` would do with each step now, DONE or REFUSED. Raises ContradictoryPlan, Stopped."""
    validate(plan)
    checker = Checker(plan, judge, safeguards)
    for number, step in enumerate(plan.steps):
        reporter.check()
        reporter.tell(Progress(Stage.CHECK, number, len(plan.steps), current=(step.victim.path,)))
        examined = checker.examine(step)
        if isinstance(examined, Refusal):
            yield Outcome(number, step, OutcomeState.REFUSED, refusal=examined)
        else:
            with examined:
                yield Outcome(number, step, OutcomeState.DONE)
    reporter.tell(Progress(Stage.CHECK, len(plan.steps), len(plan.steps)))
