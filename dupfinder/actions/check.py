"""Check a step right before it is carried out: return why its file must be spared, or Examined with open files.

Safeguards are the library's and the person's decisions at the time of a removal, which restrict every plan.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dupfinder.actions import moving
from dupfinder.actions.folder import Identity, OpenFolder, identities_of, is_one_file
from dupfinder.actions.moving import is_being_written, place_below
from dupfinder.actions.outcome import Aspect, Fact, Refusal, RefusalKind, Refused
from dupfinder.actions.places import is_below, is_put_away
from dupfinder.actions.plan import Plan, Step, Verb
from dupfinder.base.details import error_name
from dupfinder.base.files import Closable
from dupfinder.base.output import folded
from dupfinder.base.paths import DECISIONS_NAME, data_dir, is_own
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.base.stamp import FileStamp, identity
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY, Demand, Relation
from dupfinder.library.decisions import Decision, Decisions, VerdictKind
from dupfinder.library.library import LibraryFile
from dupfinder.library.store import is_there
from dupfinder.text.source import holder_of, is_opened


@dataclass(slots=True)
class Examined(Closable):
    """A step that may be carried out now, with the victim's folder and both files open. Use it as a context."""

    step: Step
    root: Path
    folder: OpenFolder
    status: os.stat_result
    keeper_folder: OpenFolder
    keeper_status: os.stat_result
    handles: contextlib.ExitStack

    def close(self) -> None:
        self.handles.close()

    def look_again(self) -> Refusal | None:
        """Return a refusal if victim or keeper changed since the check, else None. Reads no bytes."""
        present, kinds = self.folder.status(self.step.victim.path.name), (RefusalKind.GONE, RefusalKind.CHANGED)
        return self._refusal(self.status, present, *kinds) or self._look_at_keeper()

    def look_again_held(self, holding: str) -> Refusal | None:
        """Do the same for a victim that was renamed to `holding`. Ignores its change time, which renaming sets."""
        status = self.folder.status(holding)
        if status is None:
            return Refusal(self.step, RefusalKind.GONE)
        if mismatch := _change(self.status, status):
            return Refusal(self.step, RefusalKind.CHANGED, *mismatch)
        if self._keeper_is_victim(holding):
            return Refusal(self.step, RefusalKind.SAME_FILE)
        return self._look_at_keeper()

    def note_renaming(self) -> None:
        """Store the change time that the victim has after we renamed it and back."""
        status = self.folder.status(self.step.victim.path.name)
        if status is not None and _change(self.status, status) is None:
            self.status = status

    def _keeper_is_victim(self, holding: str) -> bool:
        """Tell whether the keeper is the victim by another mount, where device and inode differ.

        The holding name is random: if it exists beside the keeper too, both folders are the same. Names may differ in
        case or in the form of accents.
        """
        if self.folder.identity == self.keeper_folder.identity or self.keeper_folder.status(holding) is None:
            return False
        return folded(self.step.victim.path.name) == folded(self.step.keeper.path.name)

    def _look_at_keeper(self) -> Refusal | None:
        present = self.keeper_folder.status(self.step.keeper.path.name)
        return self._refusal(self.keeper_status, present, RefusalKind.KEEPER_GONE, RefusalKind.KEEPER_CHANGED)

    def _refusal(
        self, before: os.stat_result, present: os.stat_result | None, gone: RefusalKind, changed: RefusalKind
    ) -> Refusal | None:
        """Return why a file is no longer the one that was checked; None if it is. gone, changed: the two reasons."""
        if present is None:
            return Refusal(self.step, gone)
        mismatch = _change(before, present) or _touched(before, present)
        return Refusal(self.step, changed, *mismatch) if mismatch else None


Mismatch = tuple[Fact, Fact, Aspect]  # what was expected, what was found, and in which aspect they differ


def _mismatch(expected: FileStamp, present: os.stat_result) -> Mismatch | None:
    """Return what differs between a file as it was and as it is; None if nothing does.

    The change time is ignored: links and permissions change it too, and the bytes are hashed again anyway.
    """
    known = (expected.device, expected.inode)
    if known != identity(present):
        return (_as_text(known), _as_text(identity(present)), Aspect.IDENTITY)
    if expected.size != present.st_size:
        return (expected.size, present.st_size, Aspect.SIZE)
    mtime_ns = FileStamp.of(expected.path, present).mtime_ns
    if expected.mtime_ns != mtime_ns:
        return (expected.mtime_ns, mtime_ns, Aspect.MTIME)
    return None


def _change(expected: os.stat_result, present: os.stat_result) -> Mismatch | None:
    """Return what differs between two states of one file; None if nothing does."""
    return _mismatch(FileStamp.of(Path(), expected), present)


def _touched(expected: os.stat_result, present: os.stat_result) -> Mismatch | None:
    """Return a difference if the change times differ: they reveal edits that reset the file's time."""
    return (None, None, Aspect.CONTENT) if expected.st_ctime_ns != present.st_ctime_ns else None


def _as_text(pair: Identity) -> str:
    return f"{pair[0]}:{pair[1]}"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The relation of a victim to its survivor, from their present texts.

    relation:   under the demand of the plan. For equal bytes it is SAME_TEXT, since only texts are compared.
    similarity: 0 to 1, see cluster.relation. share: the share of the victim's shingles that the survivor has, 0 to 1.
    read_in_part: whether some of the victim's text could not be read.
    """

    relation: Relation
    similarity: float
    share: float
    read_in_part: bool = False


Judge = Callable[[Path, Path, Demand], Judgement | None]
"""Judges victim and survivor by their paths; None if a text cannot be read. May raise OSError."""


_VICTIM_FAULTS: Final = {
    "ENOENT": RefusalKind.GONE,
    "ENOTDIR": RefusalKind.GONE,
    "ELOOP": RefusalKind.SYMLINK,
    "EINVAL": RefusalKind.NOT_A_FILE,
    "EACCES": RefusalKind.FORBIDDEN,
    "EPERM": RefusalKind.FORBIDDEN,
    "EBUSY": RefusalKind.IN_USE,
    "ETXTBSY": RefusalKind.IN_USE,
}
_KEEPER_FAULTS: Final = {
    "ENOENT": RefusalKind.KEEPER_GONE,
    "ENOTDIR": RefusalKind.KEEPER_GONE,
    "ELOOP": RefusalKind.KEEPER_CHANGED,
    "EINVAL": RefusalKind.KEEPER_CHANGED,
}


class Checker:
    """Checks the steps of one plan."""

    def __init__(self, plan: Plan, judge: Judge, safeguards: Safeguards | None = None) -> None:
        self._plan = plan
        self._judge = judge
        self._safeguards = safeguards or Safeguards()
        self._demand = demand_of_plan(plan)
        self._keepers = frozenset(step.keeper.identity for step in plan.steps)
        self._protected = identities_of(*plan.protected)
        self._roots = identities_of(*plan.roots)

    def examine(self, step: Step) -> Examined | Refusal:
        """Check a step. Return it with its files open, as a context that closes them, or return the refusal."""
        with contextlib.ExitStack() as handles:
            try:
                return self._examine(step, handles)
            except Refused as refused:
                return refused.refusal
            except OSError as fault:  # a folder that was open cannot be read any more, say on a drive that is gone
                return Refusal(step, RefusalKind.UNREADABLE, found=error_name(fault))

    def _examine(self, step: Step, handles: contextlib.ExitStack) -> Examined:
        """Do all checks in order. handles: receives what must be closed if a check fails. Raises Refused, OSError."""
        root = self._check_location(step)
        files = handles.enter_context(contextlib.ExitStack())
        folder, victim, status = self._open_victim(step, root, handles, files)
        if not folder.may_rename(status):
            raise Refused(Refusal(step, RefusalKind.FORBIDDEN))
        keeper_folder, keeper, keeper_status = self._open_keeper(step, handles, files)
        if is_one_file(status, keeper_status):
            raise Refused(Refusal(step, RefusalKind.SAME_FILE))
        # A file in a trash, or one of dupfinder's own, is no kept copy.
        keeper_places = (step.keeper.path, Path(os.path.realpath(step.keeper.path)))
        if identity(status) in self._keepers or any(is_put_away(place) or is_own(place) for place in keeper_places):
            raise Refused(Refusal(step, RefusalKind.LAST_COPY))
        if step.verb is Verb.HARDLINK:
            self._check_link(step, status, keeper_status, keeper_folder)
        self._check_place(step, root)
        if is_being_written(victim):
            raise Refused(Refusal(step, RefusalKind.IN_USE))
        _compare_content(step, victim, keeper)
        _check_no_archives(step, victim, keeper)
        self._compare_texts(step)
        if sys.platform == "win32":
            files.close()  # Windows cannot rename an open file; elsewhere, an open file's inode is not reused
        examined = Examined(step, root, folder, status, keeper_folder, keeper_status, handles)
        if refusal := examined.look_again():
            raise Refused(refusal)
        examined.handles = handles.pop_all()  # from here on, `examined` closes them
        return examined

    def _check_location(self, step: Step) -> Path:
        """Check where the victim and the keeper are, and return the victim's root. Raises Refused."""
        path = step.victim.path
        if holder_of(path) is not None:
            raise Refused(Refusal(step, RefusalKind.INSIDE_ARCHIVE))
        if holder_of(step.keeper.path) is not None:
            raise Refused(Refusal(step, RefusalKind.KEEPER_IN_ARCHIVE))
        roots = [root for root in self._plan.roots if is_below(path, root)]
        if not roots or is_own(path):
            raise Refused(Refusal(step, RefusalKind.OUTSIDE))
        root = max(roots, key=lambda root: len(root.parts))  # the innermost
        for folder in self._plan.protected:
            if is_below(path, folder) and len(folder.parts) >= len(root.parts):
                raise Refused(Refusal(step, RefusalKind.PROTECTED, expected=str(folder)))
        return root

    def _open_victim(
        self, step: Step, root: Path, handles: contextlib.ExitStack, files: contextlib.ExitStack
    ) -> tuple[OpenFolder, int, os.stat_result]:
        """Open the victim and its folder without following links below the root. Raises Refused."""
        path = step.victim.path
        top = root.parent if root == path else root
        try:
            real = Path(os.path.realpath(top))  # a root may be a link, and a folder above its target may be protected
            folder = handles.enter_context(OpenFolder.open(real / path.parent.relative_to(top), below=real))
            victim = folder.open_file(path.name)
        except OSError as fault:
            kind = _VICTIM_FAULTS.get(error_name(fault), RefusalKind.UNREADABLE)
            raise Refused(Refusal(step, kind, found=error_name(fault))) from fault
        files.callback(os.close, victim)
        status = os.fstat(victim)
        self._check_protection(step, (*folder.lineage, identity(status)))
        if mismatch := _mismatch(step.victim.stamp, status):
            raise Refused(Refusal(step, RefusalKind.CHANGED, *mismatch))
        return folder, victim, status

    def _check_protection(self, step: Step, lineage: tuple[Identity, ...]) -> None:
        """Check that the victim is not protected, by the folders on its path and by the safeguards. Raises Refused.

        lineage: from the root of the file system to the victim itself.
        """
        if self._is_protected(lineage):
            raise Refused(Refusal(step, RefusalKind.PROTECTED))
        if refusal := self._safeguards.refusal_of(step, lineage):
            raise Refused(refusal)

    def _is_protected(self, lineage: tuple[Identity, ...]) -> bool:
        """Tell whether the plan protects a file. The innermost protected folder or root decides.

        Folders are compared by identity, since a bind mount or other case gives a protected folder another name.
        """
        innermost = next((folder for folder in reversed(lineage) if folder in self._protected | self._roots), None)
        return innermost in self._protected

    def _check_link(
        self, step: Step, status: os.stat_result, keeper_status: os.stat_result, keeper_folder: OpenFolder
    ) -> None:
        """Check that the victim may share one file with its keeper, which then changes with it. Raises Refused."""
        if step.relation is not Relation.IDENTICAL:
            raise Refused(Refusal(step, RefusalKind.NOT_EXACT))
        if status.st_dev != keeper_status.st_dev:
            raise Refused(Refusal(step, RefusalKind.OTHER_VOLUME))
        lineage = (*keeper_folder.lineage, identity(keeper_status))
        if self._is_protected(lineage) or self._safeguards.is_protected(lineage):
            raise Refused(Refusal(step, RefusalKind.KEEPER_PROTECTED))

    def destination_of(self, step: Step, root: Path) -> Path:
        """Return the path that MOVE gives a victim below `root`, with symbolic links resolved."""
        assert self._plan.destination is not None  # validated
        real = Path(os.path.realpath(self._plan.destination))
        return place_below(real, step.victim.path, root, self._plan.roots)

    def _check_place(self, step: Step, root: Path) -> None:
        """Check that the victim's new place is free, not protected, and not a trash or quarantine. Raises Refused."""
        target = self._plan.quarantine if step.verb is Verb.TRASH else None
        if step.verb is Verb.MOVE:
            target = self.destination_of(step, root)
            if is_put_away(target):
                raise Refused(Refusal(step, RefusalKind.NO_PLACE, str(target)))
            if os.path.lexists(target):
                raise Refused(Refusal(step, RefusalKind.EXISTS, str(target)))
        try:
            if target is not None:
                self._check_target(step, target)
        except OSError as fault:
            raise Refused(Refusal(step, RefusalKind.FORBIDDEN, str(target), error_name(fault))) from fault

    def _check_target(self, step: Step, target: Path) -> None:
        """Check that a document may be put at `target`, which need not exist. Raises Refused, OSError."""
        real = Path(os.path.realpath(target))
        # The victim may have been replaced by a folder that contains the target.
        if step.victim.path in real.parents or Path(os.path.realpath(step.victim.path)) in real.parents:
            raise Refused(Refusal(step, RefusalKind.NOT_A_FILE))
        if is_below(real, Path(os.path.realpath(data_dir()))):
            raise Refused(Refusal(step, RefusalKind.NO_PLACE, str(target)))
        if any(is_below(real, Path(os.path.realpath(protected))) for protected in self._plan.protected):
            raise Refused(Refusal(step, RefusalKind.PROTECTED, str(target)))
        for nearest in (real, *real.parents):
            with contextlib.suppress(FileNotFoundError, NotADirectoryError), OpenFolder.open(nearest) as folder:
                if self._protected.intersection(folder.lineage) or self._safeguards.is_protected(folder.lineage):
                    raise Refused(Refusal(step, RefusalKind.PROTECTED, str(target)))
                return

    def _open_keeper(
        self, step: Step, handles: contextlib.ExitStack, files: contextlib.ExitStack
    ) -> tuple[OpenFolder, int, os.stat_result]:
        """Open the keeper and its folder. Raises Refused."""
        path = step.keeper.path
        try:
            folder = handles.enter_context(OpenFolder.open(path.parent))
            keeper = folder.open_file(path.name)
        except OSError as fault:
            kind = _KEEPER_FAULTS.get(error_name(fault), RefusalKind.UNREADABLE)
            raise Refused(Refusal(step, kind, found=error_name(fault))) from fault
        files.callback(os.close, keeper)
        status = os.fstat(keeper)
        if mismatch := _mismatch(step.keeper.stamp, status):
            raise Refused(Refusal(step, RefusalKind.KEEPER_CHANGED, *mismatch))
        return folder, keeper, status

    def _compare_texts(self, step: Step) -> None:
        """Check that the texts are still as similar as the plan demands. Raises Refused."""
        if step.relation is Relation.IDENTICAL:
            return
        try:
            judgement = self._judge(step.victim.path, step.keeper.path, self._demand)
        except OSError as fault:
            raise Refused(Refusal(step, RefusalKind.UNREADABLE, found=error_name(fault))) from fault
        if judgement is None:
            raise Refused(Refusal(step, RefusalKind.UNREADABLE))
        if judgement.read_in_part:
            raise Refused(Refusal(step, RefusalKind.READ_IN_PART))
        if judgement.relation < step.relation:  # weaker than planned
            raise Refused(Refusal(step, RefusalKind.NO_LONGER_SIMILAR, *_shortfall(step, judgement, self._demand)))


def demand_of_plan(plan: Plan) -> Demand:
    """Return what a plan demands of versions and parts, and no less than dupfinder demands of every plan."""
    return Demand(
        max(plan.min_similarity, LEAST_SIMILARITY),
        max(plan.min_containment, LEAST_CONTAINMENT),
        min(plan.radius, MAX_RADIUS),
    )


def _shortfall(step: Step, judgement: Judgement, demand: Demand) -> Mismatch:
    """Return what is demanded of a victim that is no longer similar enough, what it has, and in which aspect."""
    if step.relation is Relation.VERSION:
        return demand.similarity, judgement.similarity, Aspect.RESEMBLANCE
    if step.relation is Relation.PART:
        return demand.containment, judgement.share, Aspect.CONTAINMENT
    return 1.0, 0.0, Aspect.TEXT


def _compare_content(step: Step, victim: int, keeper: int) -> None:
    """Check that both files have the bytes that were scanned; for IDENTICAL, that they are equal. Raises Refused."""
    try:
        for file, descriptor, kind in (
            (step.victim, victim, RefusalKind.CHANGED),
            (step.keeper, keeper, RefusalKind.KEEPER_CHANGED),
        ):
            if (present_hash := moving.hash_of(descriptor)) != file.content_hash:
                raise Refused(Refusal(step, kind, file.content_hash, present_hash, Aspect.CONTENT))
        if step.relation is Relation.IDENTICAL and not moving.are_equal(victim, keeper):
            raise Refused(Refusal(step, RefusalKind.NO_LONGER_SIMILAR, aspect=Aspect.CONTENT))
    except OSError as fault:
        raise Refused(Refusal(step, RefusalKind.UNREADABLE, found=error_name(fault))) from fault


def _check_no_archives(step: Step, victim: int, keeper: int) -> None:
    """Check that neither file is an archive, unless their bytes are equal. Raises Refused.

    Removing an archive removes all its members, so an archive is never a copy of one member.
    """
    if step.relation is Relation.IDENTICAL:
        return
    for file, descriptor in ((step.victim, victim), (step.keeper, keeper)):
        with os.fdopen(descriptor, "rb", closefd=False) as stream:
            if is_opened(stream, file.path):
                raise Refused(Refusal(step, RefusalKind.WHOLE_ARCHIVE))


_PROTECT: Final = "protect"
_LEFT_OUT: Final = "leave_out"
PathAndHash = tuple[str, str]  # path, content hash in hexadecimal


@dataclass(frozen=True, slots=True)
class Safeguards:
    """Decisions outside a plan, made before or after it.

    roles: for each scan in the library, newest first: identity of a folder (or file) of the scan -> its role. The
           newest scan that contains a file decides, by the innermost folder. Without any scan, only the plan's folders
           count.
    kept:  content hash -> paths of the documents with that content that must be kept.
    apart: sets of documents that are not duplicates of each other.
    pairs_apart: pairs of content hashes; documents with these two contents are not duplicates of each other.
    """

    roles: tuple[Mapping[Identity, str], ...] = ()
    kept: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    apart: tuple[frozenset[PathAndHash], ...] = ()
    pairs_apart: frozenset[frozenset[str]] = frozenset()

    @classmethod
    def of(cls, library: Path) -> Safeguards:
        """Return the decisions in the library at this path and in the decisions file beside it.

        Raises LibraryError, and DecisionsDamaged once if decisions were lost.
        """
        roles: tuple[Mapping[Identity, str], ...] = ()
        if is_there(library):
            with LibraryFile(library) as opened:
                roles = tuple(
                    # Of folders that exist. One with two names is protected if one of these is, as in a scan.
                    {
                        folder: role
                        for path, role in sorted(summary.roots, key=lambda root: root[1] == _PROTECT)
                        for folder in identities_of(path)
                    }
                    for summary in opened.scans()
                )
        decisions = Decisions(library.parent / DECISIONS_NAME)
        decisions.check()  # lost decisions may have been to keep a document
        if not decisions.path.exists():
            return cls(roles)
        kept: dict[str, tuple[Path, ...]] = {}
        for path, (content, decision) in decisions.load().items():
            if decision == Decision.KEEP:
                kept[content] = (*kept.get(content, ()), Path(path))
        kinds = (VerdictKind.APART, VerdictKind.PAIR_APART)
        verdicts = [verdict for verdict in decisions.verdicts() if verdict.kind in kinds]
        apart = tuple(frozenset(verdict.documents) for verdict in verdicts)
        pairs = (verdict.documents for verdict in verdicts if verdict.kind == VerdictKind.PAIR_APART)
        contents = (frozenset(content for _, content in documents) for documents in pairs)
        pairs_apart = frozenset(pair for pair in contents if len(pair) == 2)
        return cls(roles, kept, apart, pairs_apart)

    def refusal_of(self, step: Step, lineage: tuple[Identity, ...]) -> Refusal | None:
        """Return why the victim must be kept, or None. lineage: identities of the folders above it, then its own."""
        role = self._role(lineage)
        if self.roles and role is None:
            return Refusal(step, RefusalKind.OUTSIDE)
        if role == _PROTECT:
            return Refusal(step, RefusalKind.PROTECTED)
        if any(_is_at(path, lineage[-1]) for path in self.kept.get(step.victim.content_hash, ())):
            return Refusal(step, RefusalKind.KEPT)
        pair = {(str(known_file.path), known_file.content_hash) for known_file in (step.victim, step.keeper)}
        contents = frozenset((step.victim.content_hash, step.keeper.content_hash))
        if contents in self.pairs_apart or any(pair <= documents for documents in self.apart):
            return Refusal(step, RefusalKind.APART)
        return None

    def is_protected(self, lineage: tuple[Identity, ...]) -> bool:
        """Tell whether the innermost folder of `lineage` is protected."""
        return self._role(lineage) == _PROTECT

    def _role(self, lineage: tuple[Identity, ...]) -> str | None:
        """Return the role that applies to `lineage`, None if no scan contains it."""
        for roles in self.roles:
            role = next((roles[folder] for folder in reversed(lineage) if folder in roles), _LEFT_OUT)
            if role != _LEFT_OUT:
                return role
        return None


def _is_at(path: Path, expected: Identity) -> bool:
    try:
        return identity(os.lstat(path)) == expected
    except OSError:
        return False
