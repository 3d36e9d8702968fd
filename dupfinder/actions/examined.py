"""Examined: a step that passed all checks, with its folders and files held open until it is done."""

from __future__ import annotations

import contextlib
import os
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from dupfinder.actions.folder import Folder, Identity, identity
from dupfinder.actions.outcome import Aspect, Fact, Refusal, RefusalKind
from dupfinder.actions.plan import KnownFile, Step


@dataclass(slots=True)
class Examined:
    """A step that may be carried out now, with the victim's folder and both files open. Use it as a context."""

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

    def look_again(self) -> Refusal | None:
        """Return a refusal if victim or keeper changed since the check, else None. Reads no bytes."""
        status = self.folder.status(self.step.victim.path.name)
        if status is None:
            return Refusal(self.step, RefusalKind.GONE)
        if difference := _difference(self.status, status) or _touched(self.status, status):
            return Refusal(self.step, RefusalKind.CHANGED, *difference)
        return self._look_at_keeper()

    def look_in_hand(self, holding: str) -> Refusal | None:
        """Do the same once the victim has its holding name. The renaming may have changed its change time."""
        status = self.folder.status(holding)
        if status is None:
            return Refusal(self.step, RefusalKind.GONE)
        if difference := _difference(self.status, status):
            return Refusal(self.step, RefusalKind.CHANGED, *difference)
        if self._keeper_is_victim(holding):
            return Refusal(self.step, RefusalKind.SAME_FILE)
        return self._look_at_keeper()

    def note_renaming(self) -> None:
        """Store the victim's change time, which our own renaming changed."""
        status = self.folder.status(self.step.victim.path.name)
        if status is not None and _difference(self.status, status) is None:
            self.status = status

    def _keeper_is_victim(self, holding: str) -> bool:
        """Tell whether the keeper is the victim by another mount, where device and inode differ.

        The holding name is random: if it exists beside the keeper too, both folders are the same. Names may differ in
        case or in the form of accents.
        """
        if self.folder.identity == self.keeper_folder.identity or self.keeper_folder.status(holding) is None:
            return False
        return _folded(self.step.victim.path.name) == _folded(self.step.keeper.path.name)

    def _look_at_keeper(self) -> Refusal | None:
        """Return a refusal if the keeper changed since the check."""
        status = self.keeper_folder.status(self.step.keeper.path.name)
        if status is None:
            return Refusal(self.step, RefusalKind.KEEPER_GONE)
        if difference := _difference(self.keeper_status, status) or _touched(self.keeper_status, status):
            return Refusal(self.step, RefusalKind.KEEPER_CHANGED, *difference)
        return None


Difference = tuple[Fact, Fact, Aspect]


def _difference(expected: os.stat_result, present: os.stat_result) -> Difference | None:
    """Return what differs between two states of a file; None if nothing does."""
    if identity(expected) != identity(present):
        return (_as_text(identity(expected)), _as_text(identity(present)), Aspect.IDENTITY)
    if expected.st_size != present.st_size:
        return (expected.st_size, present.st_size, Aspect.SIZE)
    if expected.st_mtime_ns != present.st_mtime_ns:
        return (expected.st_mtime_ns, present.st_mtime_ns, Aspect.MTIME)
    return None


def _touched(expected: os.stat_result, present: os.stat_result) -> Difference | None:
    """Return a difference if the change time differs: it also shows edits whose modification time was reset."""
    return (None, None, Aspect.CONTENT) if expected.st_ctime_ns != present.st_ctime_ns else None


def _folded(name: str) -> str:
    """Return a name in the form in which file systems that ignore case compare it."""
    return unicodedata.normalize("NFC", name).casefold()


def _as_text(pair: Identity) -> str:
    """Return an identity as text."""
    return f"{pair[0]}:{pair[1]}"


def differs_from_known(file: KnownFile, present: os.stat_result) -> Difference | None:
    """Return what differs between a file as it was read and as it is; None if nothing does.

    The change time is ignored: links and permissions change it too, and the bytes are hashed again anyway.
    """
    stamp = file.stamp
    if file.identity != identity(present):
        return (_as_text(file.identity), _as_text(identity(present)), Aspect.IDENTITY)
    if stamp.size != present.st_size:
        return (stamp.size, present.st_size, Aspect.SIZE)
    if stamp.mtime_ns != present.st_mtime_ns:
        return (stamp.mtime_ns, present.st_mtime_ns, Aspect.MTIME)
    return None
