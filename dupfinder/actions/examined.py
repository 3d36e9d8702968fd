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
from dupfinder.actions.plan import Step, Witness


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

    def look_again(self) -> Refusal | None:
        """Whether victim and keeper are still what was checked, and untouched since. No bytes are read."""
        status = self.folder.status(self.step.victim.path.name)
        if status is None:
            return Refusal(self.step, RefusalKind.GONE)
        if difference := _difference(self.status, status) or _touched(self.status, status):
            return Refusal(self.step, RefusalKind.CHANGED, *difference)
        return self._look_at_keeper()

    def look_in_hand(self, holding: str) -> Refusal | None:
        """The same once the victim is called `holding`. The change of name may have moved its change time."""
        status = self.folder.status(holding)
        if status is None:
            return Refusal(self.step, RefusalKind.GONE)
        if difference := _difference(self.status, status):
            return Refusal(self.step, RefusalKind.CHANGED, *difference)
        if self._keeper_is_in_hand(holding):
            return Refusal(self.step, RefusalKind.SAME_FILE)
        return self._look_at_keeper()

    def note_renaming(self) -> None:
        """Take over the victim's change time, which our own changes of its name have moved."""
        status = self.folder.status(self.step.victim.path.name)
        if status is not None and _difference(self.status, status) is None:
            self.status = status

    def _keeper_is_in_hand(self, holding: str) -> bool:
        """Whether the keeper is the victim by another mount, though device and inode are others there.

        The holding name is random: where it shows up beside the keeper too, both folders are one. Names that differ in
        case or in the form of their accents alone may be one there.
        """
        if self.folder.identity == self.keeper_folder.identity or self.keeper_folder.status(holding) is None:
            return False
        return _folded(self.step.victim.path.name) == _folded(self.step.keeper.path.name)

    def _look_at_keeper(self) -> Refusal | None:
        kept = self.keeper_folder.status(self.step.keeper.path.name)
        if kept is None:
            return Refusal(self.step, RefusalKind.KEEPER_GONE)
        if difference := _difference(self.keeper_status, kept) or _touched(self.keeper_status, kept):
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


def _touched(expected: os.stat_result, found: os.stat_result) -> Difference | None:
    """An edit whose modification time was put back still moves the change time."""
    return (None, None, Aspect.CONTENT) if expected.st_ctime_ns != found.st_ctime_ns else None


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


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
