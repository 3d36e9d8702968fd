"""Undo a removal: restore bytes, name, owner, permissions, times and attributes, from the journal.

A victim that was replaced by a hard link gets its own bytes again: they are copied to a file with a spare name. Then
the link is renamed to the holding name and checked again, and the copy gets the victim's name if that is still free. So
at every moment either the link or the copy holds the bytes. (For both names see `actions.outcome.Intent`.)
`recover` settles all steps that a kill interrupted, by the journal. If the journal was lost, or is on another computer,
a file may keep its holding name, which contains its original name; `give_back_held` renames it.
"""

from __future__ import annotations

import contextlib
import errno
import functools
import itertools
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from dupfinder.actions import metadata, moving, quarantine
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.metadata import MetadataKind
from dupfinder.actions.outcome import Aspect, Batch, Intent, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.records import LineKind
from dupfinder.actions.trash import clear_place
from dupfinder.base.details import error_name
from dupfinder.base.paths import HOLDING_PREFIX, SPARE_PREFIX, held_name
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage, until_stopped
from dupfinder.base.stamp import identity


class LinkChanged(Exception):
    """The link was replaced or edited since the check; it was left alone."""


def spare_of(intent: Intent) -> Path:
    """Return the name of the copy before it gets the victim's name."""
    return intent.step.victim.path.with_name(SPARE_PREFIX + intent.holding.name.removeprefix(HOLDING_PREFIX))


def separate(folder: OpenFolder, intent: Intent) -> tuple[MetadataKind, ...]:
    """Replace the link in the victim's folder by a copy. Return the kinds of metadata that could not be set.

    Raises LinkChanged, FileExistsError or another OSError. The name then still leads to the link, or to what another
    program has saved under it.
    """
    victim, spare, holding = intent.step.victim.path, spare_of(intent).name, intent.holding.name
    linked = folder.status(victim.name)
    if linked is None:
        raise LinkChanged
    if linked.st_nlink == 1:
        return ()  # its bytes belong to it alone already
    moving.remove_if_there(folder, spare)
    try:
        moving.make_copy(folder, victim.name, folder, spare, intent)
        missing = moving.give_metadata(folder, spare, intent.metadata)  # again what the system refused once
        folder.rename(victim.name, folder, holding)
        try:
            if not _is_unchanged_link(folder, holding, linked):
                raise LinkChanged
            folder.move_exclusively(spare, folder, victim.name)
        except (OSError, LinkChanged):
            _restore_link_name(folder, intent)
            raise
    finally:
        moving.remove_if_there(folder, spare)
    folder.sync()
    _remove_holding_name(folder, intent)
    return missing


def _is_unchanged_link(folder: OpenFolder, name: str, linked: os.stat_result) -> bool:
    """Tell whether `name` is the link that was copied, unchanged. Its ctime is not compared, since renaming sets it."""
    status = folder.status(name)
    return (
        status is not None
        and identity(status) == identity(linked)
        and (status.st_size, status.st_mtime_ns) == (linked.st_size, linked.st_mtime_ns)
    )


def _remove_holding_name(folder: OpenFolder, intent: Intent) -> None:
    """Remove the link's holding name if its bytes have another name or copy; otherwise give it a similar name."""
    status = folder.status(intent.holding.name)
    if status is None:
        return
    if status.st_nlink > 1 or moving.hash_in(folder, intent.holding.name) == intent.step.victim.content_hash:
        folder.remove_name(intent.holding.name)
    else:
        moving.give_similar_name(folder, intent.holding.name, intent.step.victim.path)


def _restore_link_name(folder: OpenFolder, intent: Intent) -> None:
    """Give the file with the holding name its name back.

    If that is taken: remove the holding name if the file is our link, otherwise give the file a similar name.
    """
    victim, holding = intent.step.victim.path, intent.holding.name
    status = folder.status(holding)
    if status is None:
        return
    if folder.status(victim.name) is not None and identity(status) == intent.step.keeper.identity:
        _remove_holding_name(folder, intent)
        return
    moving.give_back(folder, holding, victim)


def _settle_separation(folder: OpenFolder, intent: Intent) -> bool:
    """Complete or take back a separation that a kill interrupted. Returns whether the victim has its own bytes now."""
    victim, held_status = intent.step.victim.path, folder.status(intent.holding.name)
    status = folder.status(victim.name)
    if held_status is not None and status is None:
        _restore_link_name(folder, intent)
        return False
    has_bytes = status is not None and moving.hash_in(folder, victim.name) == intent.step.victim.content_hash
    if held_status is None:
        return has_bytes and status is not None and status.st_nlink == 1
    is_separate = status is not None and identity(held_status) != identity(status)
    _restore_link_name(folder, intent)
    return has_bytes and is_separate


def undo(
    batch_id: str,
    journal: Journal,
    reporter: Reporter = SILENT,
    *,
    similar_name: bool = False,
    only: Collection[Path] = (),
) -> Batch:
    """Restore what a batch removed, the last removed file first.

    only: restore only these files, by the paths of their steps; empty: all.
    If another file has the name, the step is refused (EXISTS) or, with `similar_name`, restored under a similar name.
    The result has only the steps of this call: RESTORED, REFUSED or FAILED; those that were not restored remain DONE in
    the journal. Raises InputError (no such batch), RemovalRunning, JournalError.
    """
    with journal.lock():
        batch = journal.batch(batch_id)
        to_restore = list(reversed(can_restore(batch, only)))
        results: list[Outcome] = []
        with journal.reopen(batch.id) as log:
            restorer = Restorer(log, similar_name)
            for outcome in until_stopped(to_restore, reporter):
                current = (outcome.step.victim.path,)
                reporter.tell(Progress(Stage.RESTORE, len(results), len(to_restore), current=current))
                results.append(restorer.restore(outcome))
            reporter.tell(Progress(Stage.RESTORE, len(results), len(to_restore)))
    stopped = len(results) < len(to_restore)
    return replace(batch, outcomes=tuple(reversed(results)), total=len(to_restore), stopped=stopped)


def can_restore(batch: Batch, only: Collection[Path] = ()) -> list[Outcome]:
    """Return the steps of a batch that were done and not undone: of these files only, if there are any."""
    done = [outcome for outcome in batch.outcomes if outcome.state is OutcomeState.DONE]
    return [outcome for outcome in done if not only or outcome.step.victim.path in only]


def removals_of(paths: Iterable[Path], batches: Iterable[Batch]) -> tuple[dict[str, set[Path]], list[Path]]:
    """Return what to restore so that these files, and those in these folders, are back; and the paths without any.

    The former is by the ids of batches. If a file was removed several times, the first of the batches restores it.
    Folders are compared as the system resolves them.
    """
    asked = {_resolved(path): path for path in paths}
    real_folder = functools.cache(os.path.realpath)
    files: dict[str, set[Path]] = {}
    seen: set[Path] = set()
    matched: set[Path] = set()
    for batch in batches:
        for outcome in can_restore(batch):
            victim = outcome.step.victim.path
            real = Path(real_folder(victim.parent), victim.name)
            above = asked.keys() & {real, *real.parents}
            if above and real not in seen:
                seen.add(real)
                matched |= above
                files.setdefault(batch.id, set()).add(victim)
    return files, [path for real, path in asked.items() if real not in matched]


def _resolved(path: Path) -> Path:
    """Return the path with its folders resolved: a link to a file, which may be in a removed file's place, is not."""
    if path.is_symlink() and not path.is_dir():
        return Path(os.path.realpath(path.parent), path.name)
    return Path(os.path.realpath(path))


class Restorer:
    """Restores single steps and writes them to one log."""

    def __init__(self, log: Log, similar_name: bool) -> None:
        self._log = log
        self._similar_name = similar_name
        self._target: Path | None = None  # the name that the current file is about to get

    def restore(self, outcome: Outcome) -> Outcome:
        """Restore a step that is DONE. Returns its outcome: RESTORED, REFUSED or FAILED."""
        intent, place = outcome.intent, outcome.place
        assert intent is not None and place is not None  # every done step has both
        self._target = None
        try:
            if is_in_place(intent, intent.step.victim.path) and place.kind is not PlaceKind.LINKED:
                clear_place(place)  # already restored, by an earlier undo or by the file system
                self._log.note(LineKind.RESTORED, outcome.number, intent.step.victim.path)
                return replace(outcome, state=OutcomeState.RESTORED, restored_to=intent.step.victim.path)
            refusal = _refusal_of(intent, place)
            if refusal is not None:
                return replace(outcome, state=OutcomeState.REFUSED, refusal=refusal)
            at, missing = self._put_back(intent, place)
        except FileExistsError:
            return self._refused(outcome, intent, RefusalKind.EXISTS)
        except LinkChanged:
            return self._refused(outcome, intent, RefusalKind.CHANGED)
        except OSError as fault:
            if fault.errno == errno.ELOOP and self._target is None:  # a folder on the way is a symbolic link
                return self._refused(outcome, intent, RefusalKind.SYMLINK)
            if fault.errno == errno.EOPNOTSUPP:
                return self._refused(outcome, intent, RefusalKind.NO_SAFE_NAME)
            if not self._may_have_arrived():
                self._note_unchanged(intent)
            return replace(outcome, state=OutcomeState.FAILED, failure=error_name(fault))
        self._log.note(LineKind.RESTORED, outcome.number, at)
        return replace(outcome, state=OutcomeState.RESTORED, restored_to=at, missing=missing)

    def _refused(self, outcome: Outcome, intent: Intent, kind: RefusalKind) -> Outcome:
        """Return the outcome of a step that was not restored."""
        self._note_unchanged(intent)
        refusal = Refusal(outcome.step, kind, str(outcome.step.victim.path))
        return replace(outcome, state=OutcomeState.REFUSED, refusal=refusal)

    def _may_have_arrived(self) -> bool:
        """Tell whether the file may have its new name already."""
        return self._target is not None and moving.may_exist(self._target)

    def _note_unchanged(self, intent: Intent) -> None:
        """Write to the log that the file stays removed, unless a spare or holding name remains for `recover`."""
        if self._target is None:
            return
        if not moving.may_exist(spare_of(intent)) and not moving.may_exist(intent.holding):
            self._log.note(LineKind.UNCHANGED, intent.number)

    def _begin(self, intent: Intent, name: Path) -> None:
        """Write to the log that the file is about to get a name."""
        self._log.note(LineKind.UNDO, intent.number, name)
        self._target = name

    def _put_back(self, intent: Intent, place: Place) -> tuple[Path, tuple[MetadataKind, ...]]:
        """Move the file back. Return its path and the metadata that could not be set. Raises OSError, LinkChanged."""
        victim, trusted = intent.step.victim.path, _trusted_folder(intent)
        if place.kind is PlaceKind.LINKED:
            with OpenFolder.open(victim.parent, trusted) as folder:
                self._begin(intent, victim)
                return victim, separate(folder, intent)
        assert place.path is not None  # otherwise refused before
        names = itertools.chain((victim.name,), moving.names_beside(victim.name) if self._similar_name else ())
        returning = replace(intent, spare=spare_of(intent))
        with OpenFolder.open(place.path.parent) as source, moving.open_or_make(victim.parent, trusted) as to:
            for name in names:
                if to.status(name) is not None:
                    continue
                self._begin(intent, victim.with_name(name))
                try:
                    moving.bring(source, place.path.name, to, name, returning)
                except FileExistsError:
                    continue
                missing = _give_metadata(to, name, intent)
                clear_place(place)
                return victim.with_name(name), missing
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(victim))


def _trusted_folder(intent: Intent) -> Path | None:
    """Return the folder below which no link is followed: the root, or its parent if it is a file; None: unknown."""
    return intent.root.parent if intent.root == intent.step.victim.path else intent.root


def _give_metadata(folder: OpenFolder, name: str, intent: Intent) -> tuple[MetadataKind, ...]:
    """Restore the metadata of a file. If it was only renamed, it still has its owner and attributes."""
    expected = intent.metadata
    try:
        status = folder.status(name)
        if status is None or identity(status) != intent.step.victim.identity:
            return moving.give_metadata(folder, name, expected)
        with contextlib.suppress(OSError):  # another person's file, which has them still
            folder.set_mode_and_times(name, expected.mode, expected.mtime_ns, expected.atime_ns)
        previous = metadata.of(folder.status(name) or status, {})
        return metadata.missing(previous, replace(expected, owner=None, attributes=()))
    except OSError:
        return tuple(MetadataKind)


def is_in_place(intent: Intent, path: Path) -> bool:
    """Tell whether `path` is the victim itself: the same file with the same bytes."""
    victim, status = intent.step.victim, moving.status_of(path)
    same = status is not None and identity(status) == victim.identity
    return same and moving.hash_at(path) == victim.content_hash


def _refusal_of(intent: Intent, place: Place) -> Refusal | None:
    """Return why a victim cannot be restored; None if it can. PermissionError: it cannot be read where it is."""
    step = intent.step
    if place.path is None:
        return Refusal(step, RefusalKind.WHERE_UNKNOWN)
    try:
        with OpenFolder.open(place.path.parent) as folder, folder.reading(place.path.name) as descriptor:
            present_hash = moving.hash_of(descriptor)
    except PermissionError:
        raise
    except OSError:
        return Refusal(step, RefusalKind.NOT_THERE, str(place.path))
    if present_hash != step.victim.content_hash:
        return Refusal(step, RefusalKind.CHANGED, str(place.path))
    return None


def recover(journal: Journal) -> list[Batch]:
    """Complete or take back every step that a kill interrupted. Return the batches concerned, newest first.

    A victim in its new place is DONE and can be undone; one that is still held gets its name back (TAKEN_BACK). An undo
    whose file has its name again is RESTORED, any other DONE as before. The journal is locked only if a step is open.
    Raises RemovalRunning.
    """
    if not journal.unfinished():
        return []
    settled = []
    with journal.lock():
        for batch in journal.unfinished():
            with journal.reopen(batch.id) as log:
                for outcome in batch.outcomes:
                    with contextlib.suppress(OSError):  # a step stays open if its folder cannot be reached
                        _settle(outcome, log)
                if not batch.ended:
                    log.end(stopped=True)
            settled.append(journal.batch(batch.id))
    return settled


def _settle(outcome: Outcome, log: Log) -> None:
    """Complete or take back what was interrupted, if anything was. Raises OSError."""
    if outcome.state is OutcomeState.INTENDED:
        _settle_removal(outcome, log)
    elif outcome.state is OutcomeState.RESTORING:
        _settle_undo(outcome, log)
    elif outcome.state is OutcomeState.EMPTYING:
        quarantine.settle_emptying(outcome, log)


def _settle_removal(outcome: Outcome, log: Log) -> None:
    """Complete or take back one removal. Raises OSError."""
    intent, place = outcome.intent, outcome.place
    assert intent is not None and place is not None
    victim, is_link = intent.step.victim.path, place.kind is PlaceKind.LINKED
    if is_link:
        with OpenFolder.open(victim.parent) as folder:
            moving.clear_spare_name(folder, intent)
    elif intent.spare is not None:
        moving.remove_path_if_there(intent.spare)
    arrived = place.path is not None and _has_bytes(intent, place.path)
    if is_in_place(intent, victim):
        _drop_second(intent.holding, victim)
        _drop_orphan_info(place)
        _rename_other_held(intent)
        log.note(LineKind.TAKEN_BACK, outcome.number, victim)
    elif arrived and (not moving.may_exist(intent.holding) or is_in_place(intent, intent.holding)):
        moving.remove_path_if_there(intent.holding)  # the same content is in its place
        log.done(outcome.number, place)
    elif moving.status_of(intent.holding) is not None:  # it may have been written or replaced meanwhile
        if place.path is not None and not is_link:
            _drop_second(place.path, intent.holding)
        _drop_orphan_info(place)
        _settle_held(intent, log, is_link)
    else:
        _settle_missing(intent, place, log)


def _settle_missing(intent: Intent, place: Place, log: Log) -> None:
    """Record what became of a victim that is neither held nor in a known place. Raises OSError.

    It has a similar name (TAKEN_BACK), was saved again or replaced under its own, was sent to the system's trash, or is
    gone.
    """
    victim = intent.step.victim
    with OpenFolder.open(victim.path.parent) as folder:  # not to be opened while its drive is not connected
        at = moving.find_similar_name(folder, victim.path, victim.identity)
        is_name_taken = folder.status(victim.path.name) is not None
    if at is not None:
        log.note(LineKind.TAKEN_BACK, intent.number, at)
    elif is_name_taken:
        log.refused(intent.number, Refusal(intent.step, RefusalKind.CHANGED, aspect=Aspect.CONTENT))
    elif place.kind is PlaceKind.ELSEWHERE:
        log.done(intent.number, place)
    else:
        log.refused(intent.number, Refusal(intent.step, RefusalKind.GONE))


def _rename_other_held(intent: Intent) -> None:
    """Give another file than the victim, if one has the holding name, a name similar to the victim's."""
    with OpenFolder.open(intent.holding.parent) as folder:
        if folder.status(intent.holding.name) is not None:
            moving.give_back(folder, intent.holding.name, intent.step.victim.path)


def _has_bytes(intent: Intent, path: Path) -> bool:
    return moving.hash_at(path) == intent.step.victim.content_hash


def _settle_held(intent: Intent, log: Log, is_link: bool) -> None:
    """Give a held victim its name back, and log that. is_link: a link to the keeper may have the name."""
    victim = intent.step.victim.path
    with OpenFolder.open(victim.parent) as folder:
        at = moving.take_link_back(folder, intent) if is_link else moving.give_back(folder, intent.holding.name, victim)
    if at != intent.holding:
        log.note(LineKind.TAKEN_BACK, intent.number, at)


def _settle_undo(outcome: Outcome, log: Log) -> None:
    """Complete or take back one undo. Raises OSError."""
    intent, place, name = outcome.intent, outcome.place, outcome.restored_to
    assert intent is not None and place is not None and name is not None  # set in every undo
    moving.remove_path_if_there(spare_of(intent))
    if place.kind is PlaceKind.LINKED:
        with OpenFolder.open(name.parent, _trusted_folder(intent)) as folder:
            is_back = _settle_separation(folder, intent)
    else:
        is_back = _is_back(intent, place, name)
    if not is_back:
        log.note(LineKind.UNCHANGED, outcome.number)
        return
    if _has_bytes(intent, name):  # otherwise somebody has written to it since; keep its metadata
        with OpenFolder.open(name.parent, _trusted_folder(intent)) as folder:
            _give_metadata(folder, name.name, intent)
    clear_place(place)
    log.note(LineKind.RESTORED, outcome.number, name)


def _is_back(intent: Intent, place: Place, name: Path) -> bool:
    """Tell whether the victim has moved from its place to `name`; remove what a kill left in its place. Raises OSError.

    If its place is empty, it was moved, whatever happened under `name` since; if the folder of its place is missing, it
    may be on a drive that is not connected, and only a file under `name` tells that it was moved. A move between
    volumes is a copy: then the original is removed from its place, unless somebody has changed it since.
    """
    if place.path is None:
        return False
    if not moving.may_exist(place.path):
        return moving.may_exist(place.path.parent) or moving.status_of(name) is not None
    if _are_same_file(place.path, name):
        moving.remove_path_if_there(place.path)
        return True
    place_status, name_status = moving.status_of(place.path), moving.status_of(name)
    if place_status is None or name_status is None or place_status.st_dev == name_status.st_dev:
        return False
    with OpenFolder.open(place.path.parent) as folder:
        content_hash = intent.step.victim.content_hash
        return _has_bytes(intent, name) and moving.remove_original(folder, place.path.name, content_hash)


def _are_same_file(path: Path, other: Path) -> bool:
    status, other_status = moving.status_of(path), moving.status_of(other)
    return status is not None and other_status is not None and os.path.samestat(status, other_status)


def _drop_second(second: Path, name: Path) -> None:
    """Remove a second name of the same file that a kill left."""
    if _are_same_file(second, name):
        moving.remove_path_if_there(second)


def _drop_orphan_info(place: Place) -> None:
    """Remove the trash's note about a file that is not in the trash."""
    if place.path is not None and not os.path.lexists(place.path):
        clear_place(place)


NO_NAME = "no_name"  # a failure: the holding name contains no original name


@dataclass(frozen=True, slots=True)
class RestoredName:
    """The result for one file or folder with a holding name.

    at: where it was.   name: its path now; None if it could not be renamed.
    failure: the system's error name, or NO_NAME.   was_taken: another file has its name, so it has a similar one.
    """

    at: Path
    name: Path | None
    failure: str = ""
    was_taken: bool = False


def give_back_held(paths: Iterable[Path], journal: Journal) -> list[RestoredName]:
    """Give files and folders with a holding name, at or below one of `paths`, their original names.

    Nothing is overwritten: if the name is taken, the file gets a similar one. Symbolic links are not followed.
    Raises RemovalRunning; call `undo.recover` first.
    """
    with journal.lock():
        original_names = {
            path: outcome.step.victim.path.name
            for batch in journal.batches()
            for outcome in batch.outcomes
            if outcome.intent is not None
            for path in (outcome.intent.holding, outcome.intent.spare)
            if path is not None
        }
        waiting = [Path(os.path.abspath(path)) for path in paths]
        results = []
        for start in waiting:  # the loop appends renamed folders
            for path in _with_holding_names(start):
                result = _restore_held_name(path, original_names.get(path) or held_name(path.name) or "")
                results.append(result)
                if result.name is not None and not result.name.is_symlink():
                    waiting.append(result.name)  # a folder may contain files with holding names
        return results


def _with_holding_names(top: Path) -> Iterator[Path]:
    """Yield `top` if it has a holding name; else all that have one below it, but not what is in such folders."""
    if held_name(top.name) is not None:
        yield top
        return
    for folder, subfolders, files in os.walk(top):
        held = [name for name in (*subfolders, *files) if held_name(name) is not None]
        subfolders[:] = sorted(set(subfolders) - set(held))
        yield from (Path(folder, name) for name in sorted(held))


def _restore_held_name(path: Path, original_name: str) -> RestoredName:
    """Give a file its original name back, "" if it is unknown."""
    if not original_name:
        return RestoredName(path, None, NO_NAME)
    try:
        with OpenFolder.open(path.parent) as folder:
            if folder.status(path.name) is None:
                return RestoredName(path, None, "ENOENT")
            name = moving.give_back(folder, path.name, path.with_name(original_name))
            if name == path:
                return RestoredName(path, None, "EACCES")
            return RestoredName(path, name, was_taken=name.name != original_name)
    except OSError as fault:
        return RestoredName(path, None, error_name(fault))
