"""Move, copy, hold and give back a file, so that some name has its content at every moment; hash and compare bytes."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import signal
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from dupfinder.actions import metadata
from dupfinder.actions.folder import Identity, OpenFolder
from dupfinder.actions.metadata import Metadata, MetadataKind
from dupfinder.actions.outcome import Intent
from dupfinder.actions.places import shortened
from dupfinder.base.stamp import identity

_CHUNK: Final = 1 << 20  # bytes read at a time
HASH_BYTES: Final = 16  # BLAKE2b-128, as in plan.KnownFile

if sys.platform == "linux":
    import fcntl

    def is_being_written(descriptor: int) -> bool:
        """Tell whether any program has the file open for writing; False also if the file system cannot tell.

        The kernel grants a read lease only if nobody writes. The lease is released at once; if somebody opens the file
        in between, the kernel sends a signal that is ignored by default.
        """
        try:
            fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
            fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        except OSError as fault:
            return fault.errno == errno.EAGAIN  # EACCES: not our file; EINVAL: no leases on this file system
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        return False

else:

    def is_being_written(descriptor: int) -> bool:  # noqa: ARG001  the same signature on every system
        """Return False: Windows itself refuses to rename a file in use; macOS cannot tell."""
        return False


def hash_of(descriptor: int) -> str:
    """Return the BLAKE2b-128 of an open file from its beginning, in hexadecimal."""
    os.lseek(descriptor, 0, os.SEEK_SET)
    with open(descriptor, "rb", closefd=False) as file:
        return hashlib.file_digest(file, partial(hashlib.blake2b, digest_size=HASH_BYTES)).hexdigest()


def are_equal(left: int, right: int) -> bool:
    """Tell whether two open files have the same bytes."""
    os.lseek(left, 0, os.SEEK_SET)
    os.lseek(right, 0, os.SEEK_SET)
    with open(left, "rb", closefd=False) as left_file, open(right, "rb", closefd=False) as right_file:
        while (chunk := left_file.read(_CHUNK)) == right_file.read(_CHUNK):
            if not chunk:
                return True
    return False


def copy(source: int, target: int) -> str:
    """Copy all bytes, flush them to the disk, and return the BLAKE2b-128 of the bytes read."""
    os.lseek(source, 0, os.SEEK_SET)
    digest = hashlib.blake2b(digest_size=HASH_BYTES)
    with open(target, "wb", closefd=False) as copied:
        while chunk := os.read(source, _CHUNK):
            digest.update(chunk)
            copied.write(chunk)
    os.fsync(target)
    return digest.hexdigest()


_MOST_NAMES: Final = 10_000  # tried for a file whose name is taken


def place_below(destination: Path, victim: Path, root: Path, roots: tuple[Path, ...]) -> Path:
    """Return where MOVE puts `victim`: below `destination`, with the path that it had below `root`.

    With several roots, files of each go into a folder named like the root ("papers", "papers-2"), to keep them apart.
    """
    relative = Path(victim.name) if victim == root else victim.relative_to(root)
    if len(roots) <= 1:
        return destination / relative
    earlier = roots[: roots.index(root)]
    number = 1 + sum(other.name == root.name for other in earlier)
    return destination / (root.name if number == 1 else f"{root.name}-{number}") / relative


def make_way(folder: Path, base: Path, root: Path | None) -> OpenFolder:
    """Create `folder` with missing parents and open it. Raises OSError.

    base: a folder above it. No symbolic link is followed beneath the higher one of `base` and `root`.
    """
    try:
        opened = OpenFolder.open(base, root)
    except FileNotFoundError:
        base.mkdir(parents=True, exist_ok=True)
        opened = OpenFolder.open(base, root)
    path = base
    for part in folder.relative_to(base).parts:
        try:
            with contextlib.suppress(FileExistsError):
                opened.make(part)
        finally:
            opened.close()
        path /= part
        opened = OpenFolder.open(path, base if root is None else min(base, root, key=lambda path: len(path.parts)))
    return opened


def give_back(folder: OpenFolder, holding: str, victim: Path) -> Path:
    """Give a held file its original name, and return the path that it has then.

    If another file has the name, ours gets a similar name; if the same file has it already, the holding name is
    removed. If the folder allows no change, the file keeps the holding name.
    """
    try:
        folder.move_exclusively(holding, folder, victim.name)
    except FileExistsError:
        other = folder.status(victim.name)
        if other is None or not is_same_file(folder, holding, other):
            return give_similar_name(folder, holding, victim)
        remove_if_there(folder, holding)
    except OSError:
        if folder.status(holding) is not None:
            return victim.with_name(holding)
    return victim


def may_exist(path: Path) -> bool:
    """Return False only if the path certainly does not exist."""
    try:
        with OpenFolder.open(path.parent) as folder:
            return folder.status(path.name) is not None
    except FileNotFoundError:
        return False
    except OSError:
        return True


def give_similar_name(folder: OpenFolder, holding: str, victim: Path) -> Path:
    """Give a held file a name similar to the taken name `victim`, and return its path."""
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
    """Return names for a file whose name is taken: "a (restored).txt", "a (restored 2).txt", ..."""
    numbers = ("", *(f" {number}" for number in range(2, _MOST_NAMES)))
    return (shortened(name, f" (restored{number})") for number in numbers)


def find_similar_name(folder: OpenFolder, victim: Path, expected: Identity) -> Path | None:
    """Return where `give_similar_name` put the file of this identity; None if it is not there."""
    for name in names_beside(victim.name):
        status = folder.status(name)
        if status is None:
            return None
        if identity(status) == expected:
            return victim.with_name(name)
    return None


def remove_if_there(folder: OpenFolder, name: str) -> None:
    """Remove a name that dupfinder created, if it exists and can be removed."""
    with contextlib.suppress(OSError):
        folder.remove_name(name)


def is_same_file(folder: OpenFolder, name: str, expected: os.stat_result) -> bool:
    status = folder.status(name)
    return status is not None and identity(status) == identity(expected)


def open_or_make(folder: Path, root: Path | None) -> OpenFolder:
    """Open a folder, created with its parents if missing. No symbolic link is followed beneath `root`."""
    for nearest in (folder, *folder.parents):
        with contextlib.suppress(FileNotFoundError), OpenFolder.open(nearest, root):
            break
    return make_way(folder, nearest, root)


def status_of(path: Path) -> os.stat_result | None:
    """Return the lstat of a path of any length; None if it does not exist or cannot be reached."""
    try:
        with OpenFolder.open(path.parent) as folder:
            return folder.status(path.name)
    except OSError:
        return None


def hash_in(folder: OpenFolder, name: str) -> str | None:
    """Return the hash of the regular file `name`; None if it is missing or unreadable."""
    try:
        with folder.reading(name) as descriptor:
            return hash_of(descriptor)
    except OSError:
        return None


def hash_at(path: Path) -> str | None:
    """Return the hash of a regular file, by a path of any length; None if it is missing or unreadable."""
    try:
        with OpenFolder.open(path.parent) as folder:
            return hash_in(folder, path.name)
    except OSError:
        return None


def remove_path_if_there(path: Path) -> None:
    """Do as `remove_if_there`, by a path of any length."""
    with contextlib.suppress(OSError), OpenFolder.open(path.parent) as folder:
        remove_if_there(folder, path.name)


def bring(source: OpenFolder, name: str, to: OpenFolder, new: str, intent: Intent) -> None:
    """Move the victim from `name` in `source` to `new` in `to`; across volumes by a copy that is verified.

    Never replaces a file. Raises OSError (FileExistsError if `new` is taken, EBUSY if the file is being written); then
    the file is where it was.
    """
    try:
        source.move_exclusively(name, to, new)
    except OSError as fault:
        if fault.errno != errno.EXDEV:
            raise
        _copy_over(source, name, to, new, intent)


def _copy_over(source: OpenFolder, name: str, to: OpenFolder, new: str, intent: Intent) -> None:
    """Move a file to another volume: copy it, verify the copy, rename it, and remove the original. Raises OSError."""
    assert intent.spare is not None  # always set in an intent to move
    spare = intent.spare.name
    try:
        make_copy(source, name, to, spare, intent)
        copied = to.status(spare)
        to.move_exclusively(spare, to, new)
    except OSError:
        remove_if_there(to, spare)
        raise
    try:
        if not remove_original(source, name, intent.step.victim.content_hash):
            raise OSError(errno.EBUSY, os.strerror(errno.EBUSY), name)
    except OSError:
        if copied is not None and is_same_file(to, new, copied):
            remove_if_there(to, new)
        raise


def remove_original(folder: OpenFolder, name: str, content_hash: str) -> bool:
    """Remove a file whose bytes, with the hash `content_hash`, have another name or copy by now.

    Returns False if the file has other bytes or is being written; then, and if OSError is raised, the name still has
    its file. A program that opened the file before may write until the last moment: what it wrote is read again from
    the open file and restored under the name.
    """
    descriptor = folder.open_file(name)
    try:
        if is_being_written(descriptor) or hash_of(descriptor) != content_hash:
            return False
        if sys.platform == "win32":  # Windows cannot remove an open file, whoever has it open
            os.close(descriptor)
            descriptor = -1
            folder.remove_name(name)
            return True
        folder.remove_name(name)
        try:
            if hash_of(descriptor) == content_hash:
                return True
            _write_again(descriptor, folder, name)
        except OSError:  # not every file system reads a file without a name; the copy elsewhere must stay now
            return True
        return False
    finally:
        if descriptor >= 0:
            os.close(descriptor)


def _write_again(reading: int, folder: OpenFolder, name: str) -> None:
    """Write the bytes and the metadata of an open file without a name to a new file."""
    writing = folder.create(name)
    try:
        copy(reading, writing)
        metadata.give(writing, metadata.of(os.fstat(reading), metadata.attributes_of(reading)))
    finally:
        os.close(writing)


def take_link_back(folder: OpenFolder, intent: Intent) -> Path:
    """Remove the link to the keeper that has the victim's name, and give the held victim this name back.

    Return the victim's path then. The link is first renamed, then checked: if a person saved another file under the
    name, that file gets the name back at once, and the victim a similar one.
    """
    assert intent.spare is not None  # always set in an intent to link
    with contextlib.suppress(OSError):  # if it is gone, the name is free
        folder.rename(intent.step.victim.path.name, folder, intent.spare.name)
    clear_spare_name(folder, intent)
    return give_back(folder, intent.holding.name, intent.step.victim.path)


def clear_spare_name(folder: OpenFolder, intent: Intent) -> None:
    """Remove a link to the keeper that has the spare name. Any other file there gets the victim's or a similar name."""
    assert intent.spare is not None
    status = folder.status(intent.spare.name)
    if status is None:
        return
    if identity(status) == intent.step.keeper.identity:
        remove_if_there(folder, intent.spare.name)
    else:
        give_back(folder, intent.spare.name, intent.step.victim.path)


def metadata_of(folder: OpenFolder, name: str, status: os.stat_result) -> Metadata:
    """Return the metadata of a regular file: its attributes as they are now, all else from `status`."""
    attributes: dict[str, bytes] = {}
    if sys.platform != "win32":
        # If it was replaced meanwhile, the next check notices it.
        with contextlib.suppress(OSError), folder.reading(name) as descriptor:
            attributes = metadata.attributes_of(descriptor)
    return metadata.of(status, attributes)


def give_metadata(folder: OpenFolder, name: str, original: Metadata) -> tuple[MetadataKind, ...]:
    """Set the metadata of the regular file `name`. Returns the kinds that the system did not allow."""
    if sys.platform == "win32":
        folder.set_mode_and_times(name, original.mode, original.mtime_ns, original.atime_ns)
        return ()
    with folder.reading(name) as descriptor:
        return metadata.give(descriptor, original)


def make_copy(source: OpenFolder, name: str, to: OpenFolder, new: str, intent: Intent) -> None:
    """Create `new` with the victim's bytes and metadata, and verify it. Raises OSError."""
    content_hash = intent.step.victim.content_hash
    with source.reading(name) as reading:
        writing = to.create(new)
        try:
            copied = copy(reading, writing)
        finally:
            os.close(writing)
    with to.reading(new) as written:
        if copied != content_hash or hash_of(written) != content_hash:
            raise OSError(errno.EIO, os.strerror(errno.EIO), new)
    give_metadata(to, new, intent.metadata)
