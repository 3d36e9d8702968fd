"""Bringing a file from one folder to another, in hand and back, so that some name holds its content at every moment."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from dupfinder.actions import content
from dupfinder.actions.check import Refusal, RefusalKind, is_below
from dupfinder.actions.folder import Folder, identity
from dupfinder.actions.outcome import Intent
from dupfinder.actions.places import shortened
from dupfinder.actions.plan import Plan, Step

_BESIDE = 10_000  # names tried for a file whose own name was taken


def place_below(destination: Path, victim: Path, root: Path, roots: tuple[Path, ...]) -> Path:
    """Where MOVE puts `victim`: its path below `root`, kept below `destination`.

    With several roots a folder named like the root comes first ("papers", "papers-2"), so that they do not mix.
    """
    relative = Path(victim.name) if victim == root else victim.relative_to(root)
    if len(roots) <= 1:
        return destination / relative
    earlier = roots[: roots.index(root)]
    number = 1 + sum(other.name == root.name for other in earlier)
    return destination / (root.name if number == 1 else f"{root.name}-{number}") / relative


def why_not_to(step: Step, path: Path, destination: Path, plan: Plan) -> Refusal | None:
    """Why `path` may not receive the victim; None when it may."""
    for folder in plan.protected:
        if is_below(path, folder):
            return Refusal(step, RefusalKind.PROTECTED, str(folder))
    if is_below(destination, step.victim.path):
        return Refusal(step, RefusalKind.NOT_A_FILE)
    return None


def make_way(folder: Path, below: Path) -> Folder:
    """Hold `folder`, made with all that is missing; no symbolic link is followed beneath `below`. OSError."""
    try:
        here = Folder.open(below)
    except FileNotFoundError:
        below.mkdir(parents=True, exist_ok=True)
        here = Folder.open(below)
    walked = below
    for part in folder.relative_to(below).parts:
        try:
            with contextlib.suppress(FileExistsError):
                here.make(part)
        finally:
            here.close()
        walked /= part
        here = Folder.open(walked, below)
    return here


def give_back(folder: Folder, holding: str, victim: Path) -> Path | None:
    """Give a file in hand its own name again. None when it has it; else the name it has instead.

    When another file took the name meanwhile, ours stands beside it; when the folder allows no change any more, it
    keeps the holding name.
    """
    try:
        folder.move_exclusively(holding, folder, victim.name)
    except FileExistsError:
        return where_else(folder, holding, victim)
    except OSError:
        return victim.with_name(holding) if folder.status(holding) is not None else None
    return None


def is_in_hand(intent: Intent) -> bool:
    """Whether the file may still have its holding name, or a link or copy of ours its spare one."""
    return any(path is not None and may_exist(path) for path in (intent.holding, intent.spare))


def may_exist(path: Path) -> bool:
    """False only when it is certain that nothing has this name."""
    try:
        with Folder.open(path.parent) as folder:
            return folder.status(path.name) is not None
    except FileNotFoundError:
        return False
    except OSError:
        return True


def where_else(folder: Folder, holding: str, victim: Path) -> Path:
    """Put a file in hand beside the taken name `victim` and return its new path."""
    for name in names_beside(victim.name):
        try:
            folder.move_exclusively(holding, folder, name)
        except FileExistsError:
            continue
        except OSError:
            break
        return victim.with_name(name)
    return victim.with_name(holding)


def names_beside(name: str) -> Iterator[str]:
    """Names for a file whose own name is taken: "a (restored).txt", "a (restored 2).txt", ..."""
    return (shortened(name, f" (restored{'' if n == 1 else f' {n}'})") for n in range(1, _BESIDE))


def remove_if_there(folder: Folder, name: str) -> None:
    """Remove a name that dupfinder made itself."""
    with contextlib.suppress(OSError):
        folder.remove_name(name)


def is_same_file(folder: Folder, name: str, wanted: os.stat_result) -> bool:
    """Whether `name` is the file that `wanted` describes."""
    status = folder.status(name)
    return status is not None and identity(status) == identity(wanted)


def reach(folder: Path) -> Folder:
    """Hold a folder, made anew with its parents when it is gone. OSError."""
    for nearest in (folder, *folder.parents):
        try:
            here = Folder.open(nearest)
        except FileNotFoundError:
            continue
        if nearest == folder:
            return here
        here.close()
        break
    return make_way(folder, nearest)


def status_of(path: Path) -> os.stat_result | None:
    """lstat of a path of any length; None when there is nothing, or it cannot be asked."""
    try:
        with Folder.open(path.parent) as folder:
            return folder.status(path.name)
    except OSError:
        return None


def remove_made(path: Path) -> None:
    """Remove a name that dupfinder made itself, by a path of any length."""
    with contextlib.suppress(OSError), Folder.open(path.parent) as folder:
        remove_if_there(folder, path.name)


def bring(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    """Move the victim, now called `name`, never over another file; across volumes by a copy that is read back.

    Raises OSError (FileExistsError when the name is taken); the file is then still where it was.
    """
    try:
        source.move_exclusively(name, to, new)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        _copy_over(source, name, to, new, intent)
    to.sync()


def _copy_over(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    assert intent.spare is not None  # every intent to move names one
    spare = intent.spare.name
    try:
        make_copy(source, name, to, spare, intent)
        to.move_exclusively(spare, to, new)
    except OSError:
        remove_if_there(to, spare)
        raise
    to.sync()
    try:
        source.remove_name(name)
    except OSError:
        remove_if_there(to, new)
        raise


def make_copy(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    """Write an own copy of a file with the victim's bytes as `new`; with the victim's mode and times. OSError."""
    wanted = intent.step.victim.content_hash
    reading = source.open_file(name)
    try:
        writing = to.create(new, 0o600)
        try:
            copied = content.copy(reading, writing)
            content.copy_marks(reading, writing)
        finally:
            os.close(writing)
    finally:
        os.close(reading)
    written = to.open_file(new)
    try:
        if copied != wanted or content.hash_of(written) != wanted:
            raise OSError(errno.EIO, os.strerror(errno.EIO), new)
    finally:
        os.close(written)
    to.settle(new, intent.mode, intent.mtime_ns, intent.atime_ns)
