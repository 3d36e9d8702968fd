"""Bringing a file from one folder to another, in hand and back, so that some name holds its content at every moment."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from dupfinder.actions import content, marks
from dupfinder.actions.content import is_being_written
from dupfinder.actions.folder import Folder, Identity, identity
from dupfinder.actions.marks import Mark, Marks
from dupfinder.actions.outcome import Intent
from dupfinder.actions.places import shortened

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


def make_way(folder: Path, below: Path, root: Path | None = None) -> Folder:
    """Hold `folder`, made with all that is missing; no symbolic link is followed beneath `below`, nor beneath `root`.
    OSError."""
    try:
        here = Folder.open(below, root)
    except FileNotFoundError:
        below.mkdir(parents=True, exist_ok=True)
        here = Folder.open(below, root)
    walked = below
    for part in folder.relative_to(below).parts:
        try:
            with contextlib.suppress(FileExistsError):
                here.make(part)
        finally:
            here.close()
        walked /= part
        here = Folder.open(walked, below if root is None else min(below, root, key=lambda path: len(path.parts)))
    return here


def give_back(folder: Folder, holding: str, victim: Path) -> Path | None:
    """Give a file in hand its own name again. None when it has it; else the name it has instead.

    When another file took the name meanwhile, ours stands beside it; of two names of one file the holding name goes.
    When the folder allows no change any more, it keeps the holding name.
    """
    try:
        folder.move_exclusively(holding, folder, victim.name)
    except FileExistsError:
        if _are_one(folder, holding, victim.name):
            remove_if_there(folder, holding)
            return None
        return where_else(folder, holding, victim)
    except OSError:
        return victim.with_name(holding) if folder.status(holding) is not None else None
    return None


def _are_one(folder: Folder, name: str, other: str) -> bool:
    """Whether two names are of one file."""
    left, right = folder.status(name), folder.status(other)
    return left is not None and right is not None and identity(left) == identity(right)


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


def found_beside(folder: Folder, victim: Path, wanted: Identity) -> Path | None:
    """Where `where_else` put the file of this identity; None when it is not there."""
    for name in names_beside(victim.name):
        status = folder.status(name)
        if status is None:
            return None
        if identity(status) == wanted:
            return victim.with_name(name)
    return None


def remove_if_there(folder: Folder, name: str) -> None:
    """Remove a name that dupfinder made itself."""
    with contextlib.suppress(OSError):
        folder.remove_name(name)


def is_same_file(folder: Folder, name: str, wanted: os.stat_result) -> bool:
    """Whether `name` is the file that `wanted` describes."""
    status = folder.status(name)
    return status is not None and identity(status) == identity(wanted)


def reach(folder: Path, root: Path | None) -> Folder:
    """Hold a folder, made anew with its parents when it is gone; beneath `root` no symbolic link is followed."""
    for nearest in (folder, *folder.parents):
        try:
            here = Folder.open(nearest, root)
        except FileNotFoundError:
            continue
        if nearest == folder:
            return here
        here.close()
        break
    return make_way(folder, nearest, root)


def status_of(path: Path) -> os.stat_result | None:
    """lstat of a path of any length; None when there is nothing, or it cannot be asked."""
    try:
        with Folder.open(path.parent) as folder:
            return folder.status(path.name)
    except OSError:
        return None


def hash_in(folder: Folder, name: str) -> str | None:
    """The hash of the regular file `name`; None when there is none, or it cannot be read."""
    try:
        descriptor = folder.open_file(name)
    except OSError:
        return None
    try:
        return content.hash_of(descriptor)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def hash_at(path: Path) -> str | None:
    """The hash of the regular file `path`, of any length; None when there is none, or it cannot be read."""
    try:
        with Folder.open(path.parent) as folder:
            return hash_in(folder, path.name)
    except OSError:
        return None


def remove_made(path: Path) -> None:
    """Remove a name that dupfinder made itself, by a path of any length."""
    with contextlib.suppress(OSError), Folder.open(path.parent) as folder:
        remove_if_there(folder, path.name)


def bring(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    """Move the victim, now called `name`, never over another file; across volumes by a copy that is read back.

    Raises OSError (FileExistsError when the name is taken, EBUSY when the file is written at that moment); the file is
    then still where it was.
    """
    try:
        source.move_exclusively(name, to, new)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        _copy_over(source, name, to, new, intent)


def _copy_over(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    assert intent.spare is not None  # every intent to move names one
    spare = intent.spare.name
    try:
        make_copy(source, name, to, spare, intent)
        copied = to.status(spare)
        to.move_exclusively(spare, to, new)
    except OSError:
        remove_if_there(to, spare)
        raise
    try:
        if not remove_whole(source, name, intent.step.victim.content_hash):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), name)
    except OSError:
        if copied is not None and is_same_file(to, new, copied):
            remove_if_there(to, new)
        raise


def remove_whole(folder: Folder, name: str, wanted: str) -> bool:
    """Remove a name of a file whose bytes, of the hash `wanted`, stand elsewhere; False when it holds others, or is
    being written: then it keeps the name. OSError.

    A program that opened it before may write until the last moment. What it wrote even between look and removal is
    read once more from the open file and brought back under the name.
    """
    descriptor = folder.open_file(name)
    try:
        if is_being_written(descriptor) or content.hash_of(descriptor) != wanted:
            return False
        if os.name == "nt":  # an open file cannot be removed there, neither by us nor while another program has it open
            os.close(descriptor)
            descriptor = -1
            folder.remove_name(name)
            return True
        folder.remove_name(name)
        if content.hash_of(descriptor) == wanted:
            return True
        _write_again(descriptor, folder, name)
        return False
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _write_again(reading: int, folder: Folder, name: str) -> None:
    """Give the bytes and marks of an open file that has no name any more to a new file."""
    writing = folder.create(name, 0o600)
    try:
        content.copy(reading, writing)
        marks.give(writing, marks.of(os.fstat(reading), marks.attributes_of(reading)))
    finally:
        os.close(writing)


def take_link_back(folder: Folder, intent: Intent) -> Path | None:
    """Give a file in hand its name back, from the link to its keeper that has it by now. As `give_back`.

    Whatever has the name is put aside by a change of name and looked at there: a file that a person saved under it
    meanwhile gets it back at once, and ours stands beside it.
    """
    assert intent.spare is not None  # every intent to link names one
    with contextlib.suppress(OSError):  # gone: then the name is free
        folder.rename(intent.step.victim.path.name, folder, intent.spare.name)
    clear_aside(folder, intent)
    return give_back(folder, intent.holding.name, intent.step.victim.path)


def clear_aside(folder: Folder, intent: Intent) -> None:
    """Remove a link to the keeper that was put aside; anything else under that name gets the victim's, or stands
    beside it."""
    assert intent.spare is not None
    status = folder.status(intent.spare.name)
    if status is None:
        return
    if identity(status) == intent.step.keeper.identity:
        remove_if_there(folder, intent.spare.name)
    else:
        give_back(folder, intent.spare.name, intent.step.victim.path)


def marks_of(folder: Folder, name: str, status: os.stat_result) -> Marks:
    """The marks of the regular file `name`, by its status as it was checked; its attributes are read now."""
    attributes: dict[str, bytes] = {}
    if os.name != "nt":
        with contextlib.suppress(OSError):  # whoever swapped it meanwhile is found out once it is in hand
            descriptor = folder.open_file(name)
            try:
                attributes = marks.attributes_of(descriptor)
            finally:
                os.close(descriptor)
    return marks.of(status, attributes)


def give_marks(folder: Folder, name: str, wanted: Marks) -> tuple[Mark, ...]:
    """Give the regular file `name` these marks; those that the system does not let it have."""
    if os.name == "nt":
        folder.settle(name, wanted.mode, wanted.mtime_ns, wanted.atime_ns)
        return ()
    descriptor = folder.open_file(name)
    try:
        return marks.give(descriptor, wanted)
    finally:
        os.close(descriptor)


def make_copy(source: Folder, name: str, to: Folder, new: str, intent: Intent) -> None:
    """Write an own copy of a file with the victim's bytes as `new`, with the victim's marks as well. OSError."""
    wanted = intent.step.victim.content_hash
    reading = source.open_file(name)
    try:
        writing = to.create(new, 0o600)
        try:
            copied = content.copy(reading, writing)
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
    give_marks(to, new, intent.marks)
