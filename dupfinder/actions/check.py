"""Check one step right before it is carried out. Here stands why a file was spared."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Final

from dupfinder.actions import content
from dupfinder.actions.folder import Folder, Identity, identity
from dupfinder.actions.inuse import is_being_written
from dupfinder.actions.places import is_put_away
from dupfinder.actions.plan import Plan, Reason, Step, Verb, Witness
from dupfinder.text.archive import holder_of, is_archive

_HEAD_BYTES: Final = 64  # show whether a file is an archive
SKETCH_ERROR: Final = 0.03  # four standard errors of a resemblance of 0.7 told by 4,096 values


class RefusalKind(StrEnum):
    """Why a step was not done."""

    CHANGED = "changed"
    GONE = "gone"
    KEEPER_CHANGED = "keeper_changed"
    KEEPER_GONE = "keeper_gone"
    SAME_FILE = "same_file"
    PROTECTED = "protected"
    INSIDE_ARCHIVE = "inside_archive"
    KEEPER_IN_ARCHIVE = "keeper_in_archive"
    WHOLE_ARCHIVE = "whole_archive"  # only equal bytes can take the place of an archive
    OUTSIDE = "outside"
    SYMLINK = "symlink"
    NOT_A_FILE = "not_a_file"
    LAST_COPY = "last_copy"
    NO_LONGER_SIMILAR = "no_longer_similar"
    UNREADABLE = "unreadable"  # one of the two texts cannot be read any more
    NOT_EXACT = "not_exact"  # only equal bytes can share one file
    IN_USE = "in_use"
    FORBIDDEN = "forbidden"
    OTHER_VOLUME = "other_volume"
    EXISTS = "exists"
    NO_TRASH = "no_trash"
    WHERE_UNKNOWN = "where_unknown"  # undo: the system's trash did not tell where the file went
    NOT_THERE = "not_there"  # undo: the removed file is no longer where it was put


class Aspect(StrEnum):
    """What differs between the expected file and the one that was found."""

    NONE = ""
    IDENTITY = "identity"
    SIZE = "size"
    MTIME = "mtime"
    CONTENT = "content"
    RESEMBLANCE = "resemblance"
    CONTAINMENT = "containment"
    TEXT = "text"


Fact = str | int | float | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A step that was not done. `expected` and `found` are values of `aspect`: bytes, nanoseconds, shares, names."""

    step: Step
    kind: RefusalKind
    expected: Fact = None
    found: Fact = None
    aspect: Aspect = Aspect.NONE


@dataclass(frozen=True, slots=True)
class Judgement:
    """How alike two texts are now, computed exactly from both.

    resemblance:      |A & B| / |A | B| of their shingle sets, 0..1.
    victim_in_keeper: share of the victim's shingles that stand in the keeper.
    keeper_in_victim: share of the keeper's shingles that stand in the victim.
    same_text:        whether the normalised texts are equal.
    """

    resemblance: float
    victim_in_keeper: float
    keeper_in_victim: float
    same_text: bool


Judge = Callable[[Path, Path], Judgement | None]
"""Judges victim and keeper by their paths; None when a text cannot be read. It may raise OSError."""


class Refused(Exception):
    """Carries a refusal out of nested checks; never leaves this package."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal


@dataclass(slots=True)
class Examined:
    """A step that may be carried out now, with the victim's folder and both files held open. Use it as a context."""

    step: Step
    root: Path
    folder: Folder
    status: os.stat_result
    keeper_folder: Folder
    keeper_status: os.stat_result
    handles: contextlib.ExitStack

    def __enter__(self) -> Examined:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.handles.close()

    def look_again(self, name: str) -> Refusal | None:
        """Whether the victim, now called `name`, and the keeper are still what was checked. No bytes are read."""
        found = self.folder.status(name)
        if found is None:
            return Refusal(self.step, RefusalKind.GONE)
        if difference := _difference(self.status, found):
            return Refusal(self.step, RefusalKind.CHANGED, *difference)
        return self.look_at_keeper()

    def look_at_keeper(self) -> Refusal | None:
        """Whether the keeper still stands under its name, unchanged."""
        kept = self.keeper_folder.status(self.step.keeper.path.name)
        if kept is None:
            return Refusal(self.step, RefusalKind.KEEPER_GONE)
        if difference := _difference(self.keeper_status, kept):
            return Refusal(self.step, RefusalKind.KEEPER_CHANGED, *difference)
        return None


Difference = tuple[Fact, Fact, Aspect]


def _difference(expected: os.stat_result, found: os.stat_result) -> Difference | None:
    if identity(expected) != identity(found):
        return (_shown(identity(expected)), _shown(identity(found)), Aspect.IDENTITY)
    if expected.st_size != found.st_size:
        return (expected.st_size, found.st_size, Aspect.SIZE)
    if expected.st_mtime_ns != found.st_mtime_ns:
        return (expected.st_mtime_ns, found.st_mtime_ns, Aspect.MTIME)
    return None


def _shown(pair: Identity) -> str:
    return f"{pair[0]}:{pair[1]}"


def differs_from_witness(witness: Witness, found: os.stat_result) -> Difference | None:
    """What differs between a file as it was read and as it is. The change time alone is no difference: links and
    permissions move it too, and the bytes are hashed again anyway."""
    stamp = witness.stamp
    if witness.identity != identity(found):
        return (_shown(witness.identity), _shown(identity(found)), Aspect.IDENTITY)
    if stamp.size != found.st_size:
        return (stamp.size, found.st_size, Aspect.SIZE)
    if stamp.mtime_ns != found.st_mtime_ns:
        return (stamp.mtime_ns, found.st_mtime_ns, Aspect.MTIME)
    return None


_VICTIM_FAULTS: Final = {
    errno.ENOENT: RefusalKind.GONE,
    errno.ENOTDIR: RefusalKind.GONE,
    errno.ELOOP: RefusalKind.SYMLINK,
    errno.EINVAL: RefusalKind.NOT_A_FILE,
    errno.EACCES: RefusalKind.FORBIDDEN,
    errno.EPERM: RefusalKind.FORBIDDEN,
    errno.EBUSY: RefusalKind.IN_USE,
    errno.ETXTBSY: RefusalKind.IN_USE,
}
_KEEPER_GONE: Final = frozenset({errno.ENOENT, errno.ENOTDIR})


def error_name(fault: OSError) -> str:
    """The name of a system error, such as "ENOSPC"."""
    return errno.errorcode.get(fault.errno or 0, "EIO")


def is_below(path: Path, folder: Path) -> bool:
    """Whether `path` names `folder` or something in it, by its parts."""
    return path.parts[: len(folder.parts)] == folder.parts


def root_of(path: Path, plan: Plan) -> Path | None:
    """The innermost root that names `path`; None when no root does."""
    return max((root for root in plan.roots if is_below(path, root)), key=lambda root: len(root.parts), default=None)


class Checker:
    """Checks the steps of one plan. What all steps share is gathered once."""

    def __init__(self, plan: Plan, judge: Judge) -> None:
        self._plan = plan
        self._judge = judge
        self._keepers = frozenset(step.keeper.identity for step in plan.steps)
        self._protected = _identities(plan.protected)
        self._roots = _identities(plan.roots)

    def examine(self, step: Step) -> Examined | Refusal:
        """All checks of one step. Examined holds the files open; close it by using it as a context."""
        with contextlib.ExitStack() as held:
            try:
                examined = self._examine(step, held)
            except Refused as refused:
                return refused.refusal
            examined.handles = held.pop_all()
            return examined

    def _examine(self, step: Step, held: contextlib.ExitStack) -> Examined:
        root = self._place(step)
        files = held.enter_context(contextlib.ExitStack())
        folder, victim, status = self._open_victim(step, root, held, files)
        keeper_folder, keeper, keeper_status = self._open_keeper(step, held, files)
        if identity(status) == identity(keeper_status):
            raise Refused(Refusal(step, RefusalKind.SAME_FILE))
        if identity(status) in self._keepers or is_put_away(step.keeper.path):
            raise Refused(Refusal(step, RefusalKind.LAST_COPY))
        self._suits_verb(step, status, keeper_status)
        if is_being_written(victim):
            raise Refused(Refusal(step, RefusalKind.IN_USE))
        _compare_content(step, victim, keeper)
        _are_no_archives(step, victim, keeper)
        self._compare_texts(step)
        _stood_still(step, victim, status, keeper, keeper_status)
        if os.name == "nt":
            files.close()  # an open file cannot be renamed there; elsewhere holding it open keeps its inode its own
        examined = Examined(step, root, folder, status, keeper_folder, keeper_status, held)
        if refusal := examined.look_again(step.victim.path.name):
            raise Refused(refusal)
        return examined

    def _place(self, step: Step) -> Path:
        path = step.victim.path
        if holder_of(path) is not None:
            raise Refused(Refusal(step, RefusalKind.INSIDE_ARCHIVE))
        if holder_of(step.keeper.path) is not None:
            raise Refused(Refusal(step, RefusalKind.KEEPER_IN_ARCHIVE))
        root = root_of(path, self._plan)
        if root is None:
            raise Refused(Refusal(step, RefusalKind.OUTSIDE))
        for folder in self._plan.protected:
            if is_below(path, folder) and len(folder.parts) >= len(root.parts):
                raise Refused(Refusal(step, RefusalKind.PROTECTED, expected=str(folder)))
        return root

    def _open_victim(
        self, step: Step, root: Path, held: contextlib.ExitStack, files: contextlib.ExitStack
    ) -> tuple[Folder, int, os.stat_result]:
        path = step.victim.path
        try:
            folder = held.enter_context(Folder.open(path.parent, below=root.parent if root == path else root))
            self._stays_out_of_protected(step, folder)
            victim = folder.open_file(path.name)
        except OSError as fault:
            kind = _VICTIM_FAULTS.get(fault.errno or 0, RefusalKind.UNREADABLE)
            raise Refused(Refusal(step, kind, found=error_name(fault))) from fault
        files.callback(os.close, victim)
        status = os.fstat(victim)
        if difference := differs_from_witness(step.victim, status):
            raise Refused(Refusal(step, RefusalKind.CHANGED, *difference))
        return folder, victim, status

    def _stays_out_of_protected(self, step: Step, folder: Folder) -> None:
        """A protected folder reached by another name (bind mount, other case) is still the same folder."""
        inside = False
        for place in folder.line:
            if place in self._protected:
                inside = True
            elif place in self._roots:
                inside = False
        if inside:
            raise Refused(Refusal(step, RefusalKind.PROTECTED))

    def _open_keeper(
        self, step: Step, held: contextlib.ExitStack, files: contextlib.ExitStack
    ) -> tuple[Folder, int, os.stat_result]:
        path = step.keeper.path
        try:
            folder = held.enter_context(Folder.open(path.parent))
            keeper = folder.open_file(path.name)
        except OSError as fault:
            kind = RefusalKind.KEEPER_GONE if fault.errno in _KEEPER_GONE else RefusalKind.KEEPER_CHANGED
            raise Refused(Refusal(step, kind, found=error_name(fault))) from fault
        files.callback(os.close, keeper)
        status = os.fstat(keeper)
        if difference := differs_from_witness(step.keeper, status):
            raise Refused(Refusal(step, RefusalKind.KEEPER_CHANGED, *difference))
        return folder, keeper, status

    def _suits_verb(self, step: Step, victim: os.stat_result, keeper: os.stat_result) -> None:
        if step.verb is Verb.HARDLINK:
            if step.reason is not Reason.IDENTICAL_BYTES:
                raise Refused(Refusal(step, RefusalKind.NOT_EXACT))
            if victim.st_dev != keeper.st_dev:
                raise Refused(Refusal(step, RefusalKind.OTHER_VOLUME))

    def _compare_texts(self, step: Step) -> None:
        if step.reason is Reason.IDENTICAL_BYTES:
            return
        try:
            judgement = self._judge(step.victim.path, step.keeper.path)
        except OSError as fault:
            raise Refused(Refusal(step, RefusalKind.UNREADABLE, found=error_name(fault))) from fault
        if judgement is None:
            raise Refused(Refusal(step, RefusalKind.UNREADABLE))
        expected, found, aspect = self._demand(step, judgement)
        if found < expected:
            raise Refused(Refusal(step, RefusalKind.NO_LONGER_SIMILAR, expected, found, aspect))

    def _demand(self, step: Step, judgement: Judgement) -> tuple[float, float, Aspect]:
        """What is asked for, what was found, and of what. A pair that was shown below the plan's least, because edits
        are scattered over it or its sketch told a little more than its text, must be what was shown."""
        shown = step.similarity - SKETCH_ERROR
        if step.reason is Reason.IDENTICAL_TEXT:
            return (1.0, float(judgement.same_text), Aspect.TEXT)
        if step.reason is Reason.CONTAINED:
            return (min(self._plan.min_containment, shown), judgement.victim_in_keeper, Aspect.CONTAINMENT)
        if step.reason is Reason.CONTAINS:
            return (min(self._plan.min_containment, shown), judgement.keeper_in_victim, Aspect.CONTAINMENT)
        return (min(self._plan.min_similarity, shown), judgement.resemblance, Aspect.RESEMBLANCE)


def _identities(folders: tuple[Path, ...]) -> frozenset[Identity]:
    found = set()
    for folder in folders:
        with contextlib.suppress(OSError):  # a folder that is gone protects nothing and holds nothing
            found.add(identity(os.stat(folder)))
    return frozenset(found)


def _compare_content(step: Step, victim: int, keeper: int) -> None:
    try:
        if (found := content.hash_of(victim)) != step.victim.content_hash:
            raise Refused(Refusal(step, RefusalKind.CHANGED, step.victim.content_hash, found, Aspect.CONTENT))
        if (found := content.hash_of(keeper)) != step.keeper.content_hash:
            raise Refused(Refusal(step, RefusalKind.KEEPER_CHANGED, step.keeper.content_hash, found, Aspect.CONTENT))
        if step.reason is Reason.IDENTICAL_BYTES and not content.are_equal(victim, keeper):
            raise Refused(Refusal(step, RefusalKind.NO_LONGER_SIMILAR, aspect=Aspect.CONTENT))
    except OSError as fault:
        raise Refused(Refusal(step, RefusalKind.UNREADABLE, found=error_name(fault))) from fault


def _are_no_archives(step: Step, victim: int, keeper: int) -> None:
    """Whatever is alike, a file goes with all that is in it: an archive is no copy of one of its members."""
    if step.reason is Reason.IDENTICAL_BYTES:
        return
    for witness, descriptor in ((step.victim, victim), (step.keeper, keeper)):
        os.lseek(descriptor, 0, os.SEEK_SET)
        if is_archive(witness.path, os.read(descriptor, _HEAD_BYTES)):
            raise Refused(Refusal(step, RefusalKind.WHOLE_ARCHIVE))


def _stood_still(step: Step, victim: int, status: os.stat_result, keeper: int, keeper_status: os.stat_result) -> None:
    """Neither file was written while both were read: the change time tells, even when the other times were put back."""
    if os.fstat(victim).st_ctime_ns != status.st_ctime_ns:
        raise Refused(Refusal(step, RefusalKind.CHANGED, aspect=Aspect.CONTENT))
    if os.fstat(keeper).st_ctime_ns != keeper_status.st_ctime_ns:
        raise Refused(Refusal(step, RefusalKind.KEEPER_CHANGED, aspect=Aspect.CONTENT))


def check(step: Step, plan: Plan, judge: Judge) -> Refusal | None:
    """Why `step` must not be done now; None when it may. Reads both files; changes nothing.

    For many steps of one plan `Checker` spares gathering the plan's facts again.
    """
    examined = Checker(plan, judge).examine(step)
    if isinstance(examined, Refusal):
        return examined
    with examined:
        return None
