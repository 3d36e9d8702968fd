"""OpenFolder: an open folder, and the few changes of names that removals need, relative to it.

Names are resolved relative to an open folder, not by path: a folder that is renamed or replaced by a symbolic link
between a check and an act cannot redirect the act, and paths may be longer than PATH_MAX. Windows has no such calls;
there plain paths are used.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dupfinder.base.details import LONGEST_PATH_OF_WINDOWS
from dupfinder.base.files import BINARY, NO_FOLLOW, READ_ONLY, Closable, is_link
from dupfinder.base.stamp import FileStamp, identity

Identity = tuple[int, int]

_BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_CLOSE_ON_EXEC: Final = getattr(os, "O_CLOEXEC", 0)
# O_PATH needs no permission to list the folder.
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY) | _CLOSE_ON_EXEC
_USUAL_NAME: Final = 255  # bytes
_LEAST_ROOM: Final = 40  # bytes, for a holding name; where there is less, Windows must be set to allow longer paths
# Where a link fails for lack of room, a rename may succeed, since it needs no room for a second name.
_NO_ROOM: Final = frozenset({errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC), errno.EMLINK})
_NO_LINKS: Final = _NO_ROOM | {errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.ENOSYS, errno.EISDIR}

_NO_SUCH_CALL: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
# linux/fs.h: RENAME_NOREPLACE; sys/stdio.h of macOS: RENAME_EXCL
_CALLS: Final = {"linux": ("renameat2", 1), "darwin": ("renameatx_np", 4)}


def identities_of(*paths: Path) -> frozenset[Identity]:
    """Return the identities of the paths that exist; symbolic links are followed."""
    identities = set()
    for path in paths:
        with contextlib.suppress(OSError):  # a missing folder contains nothing
            identities.add(identity(os.stat(path)))
    return frozenset(identities)


def is_one_file(left: os.stat_result, right: os.stat_result) -> bool:
    """Tell whether two stat results are of one file, even if two mounts give its volume two device numbers."""
    return FileStamp.of(Path(), left).is_same_file(FileStamp.of(Path(), right))


class OpenFolder(Closable):
    """An open folder. lineage: the identities of all folders from the root of the file system to this one.

    Methods that take a name act on that name in this folder, never follow a symbolic link there, and raise OSError.
    """

    def __init__(self, path: Path, descriptor: int | None, lineage: tuple[Identity, ...]) -> None:
        self.path = path
        self.lineage = lineage
        self._descriptor = descriptor

    @classmethod
    def open(cls, path: Path, below: Path | None = None) -> OpenFolder:
        """Open an absolute path. Symbolic links are followed down to `below`; beneath it they raise OSError (ELOOP)."""
        free = len(path.parts) if below is None else len(below.parts)
        return _walk(path, free) if _BY_DESCRIPTOR else _look(path, free)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def identity(self) -> Identity:
        return self.lineage[-1]

    def _name(self, name: str) -> str:
        """Return a name as system calls need it."""
        return name if self._descriptor is not None else str(self.path / name)

    def status(self, name: str) -> os.stat_result | None:
        """Return the lstat of `name`; None if it does not exist."""
        try:
            return os.stat(self._name(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open_file(self, name: str) -> int:
        """Open a regular file for reading; return the descriptor. ELOOP for a symbolic link, EINVAL for others."""
        status = os.stat(self._name(name), dir_fd=self._descriptor, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), name)  # opening a FIFO may block
        return os.open(self._name(name), READ_ONLY | _CLOSE_ON_EXEC, dir_fd=self._descriptor)

    @contextlib.contextmanager
    def reading(self, name: str) -> Iterator[int]:
        """Open a file for a block, as `open_file` does."""
        descriptor = self.open_file(name)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def create(self, name: str) -> int:
        """Create a file for writing, private to its owner; return the descriptor. FileExistsError for a taken name."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY | _CLOSE_ON_EXEC
        return os.open(self._name(name), flags, 0o600, dir_fd=self._descriptor)

    def rename(self, name: str, to: OpenFolder, new: str) -> None:
        """Rename a file to `new` in the folder `to`; replaces a file of that name, except on Windows."""
        os.rename(self._name(name), to._name(new), src_dir_fd=self._descriptor, dst_dir_fd=to._descriptor)

    def link(self, name: str, to: OpenFolder, new: str) -> None:
        """Create a hard link `new` in the folder `to`. FileExistsError if the name is taken."""
        os.link(
            self._name(name),
            to._name(new),
            src_dir_fd=self._descriptor,
            dst_dir_fd=to._descriptor,
            follow_symlinks=self._descriptor is None,
        )

    def remove_name(self, name: str) -> None:
        """Remove a name of a file. Windows removes none of a file that is marked as read-only: the mark goes first."""
        try:
            os.unlink(self._name(name), dir_fd=self._descriptor)
        except PermissionError:
            status = self.status(name) if sys.platform == "win32" else None
            if status is None or status.st_mode & stat.S_IWRITE:
                raise
            os.chmod(self._name(name), status.st_mode | stat.S_IWRITE)
            try:
                os.unlink(self._name(name))
            except OSError:
                os.chmod(self._name(name), status.st_mode)
                raise

    def make(self, name: str) -> None:
        """Create a sub-folder. FileExistsError."""
        os.mkdir(self._name(name), dir_fd=self._descriptor)

    def set_mode_and_times(self, name: str, mode: int, mtime_ns: int, atime_ns: int) -> None:
        """Set permission bits and times of a regular file."""
        if sys.platform != "win32":
            with self.reading(name) as descriptor:
                os.fchmod(descriptor, mode)
                os.utime(descriptor, ns=(atime_ns, mtime_ns))
        else:
            os.chmod(self._name(name), mode)
            os.utime(self._name(name), ns=(atime_ns, mtime_ns))

    def may_rename(self, file: os.stat_result) -> bool:
        """Tell whether the person may rename a file that is here, as far as the system can tell."""
        if sys.platform == "win32":
            return True
        folder = os.stat(self._name("."), dir_fd=self._descriptor)
        if folder.st_mode & stat.S_ISVTX and os.geteuid() not in (0, folder.st_uid, file.st_uid):
            return False  # a folder that many share, in which each removes only their own files
        effective = os.access in os.supports_effective_ids
        return os.access(self._name("."), os.W_OK | os.X_OK, dir_fd=self._descriptor, effective_ids=effective)

    def sync(self) -> None:
        """Flush the names of this folder to the disk, if the system can."""
        with contextlib.suppress(OSError):  # not every file system can; the journal holds the state anyway
            descriptor = os.open(self._name("."), os.O_RDONLY, dir_fd=self._descriptor)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def longest_name(self) -> int:
        """Return how many bytes a name may have here, as far as the system can tell."""
        if not hasattr(os, "statvfs"):  # Windows, where the whole path may be too long for a longer name
            room = LONGEST_PATH_OF_WINDOWS - len(os.path.join(self.path, ""))
            return room if _LEAST_ROOM <= room < _USUAL_NAME else _USUAL_NAME
        try:
            return os.statvfs(self.path if self._descriptor is None else self._descriptor).f_namemax or _USUAL_NAME
        except OSError:
            return _USUAL_NAME

    def move_exclusively(self, name: str, to: OpenFolder, new: str) -> None:
        """Move a file within one volume, never replacing another: FileExistsError.

        At every moment some name refers to the file, on the disk too: the new name is flushed before the old one is
        removed. `name` must be known to dupfinder alone: a person could save a file under another name between the two
        steps.
        """
        if sys.platform == "win32":
            self.rename(name, to, new)
            return
        try:
            self.link(name, to, new)
        except OSError as fault:
            if fault.errno not in _NO_LINKS or isinstance(fault, FileExistsError):
                raise
            self._rename_exclusively(name, to, new)
            to.sync()
            return
        to.sync()
        linked = to.status(new)
        try:
            self.remove_name(name)
        except OSError:
            with contextlib.suppress(OSError):  # undo the link, so that the file has one name
                old, present = self.status(name), to.status(new)
                if linked and old and present and identity(linked) == identity(old) == identity(present):
                    to.remove_name(new)
            raise

    def _rename_exclusively(self, name: str, to: OpenFolder, new: str) -> None:
        """Rename as `move_exclusively` does, also a folder, and where the file system has no hard links.

        EOPNOTSUPP if the system has no call for it: a check in advance would not notice a file saved at the last
        moment.
        """
        if self._descriptor is not None and to._descriptor is not None:
            with contextlib.suppress(NotImplementedError):
                rename_exclusively(self._descriptor, name, to._descriptor, new)
                return
        status = self.status(name)
        if status is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        if to.status(new) is not None:
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), new)
        if not stat.S_ISDIR(status.st_mode):
            raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP), new)
        self.rename(name, to, new)  # a folder can only replace an empty folder

    def can_give_back(self, name: str, spare: str) -> bool:
        """Tell whether a renamed file can get its name back without replacing another. Raises OSError.

        spare: a free name that is used for the test, as a second name of the file or as its name for a moment.
        """
        if sys.platform == "win32":
            return True
        try:
            self.link(name, self, spare)
        except OSError as fault:
            if fault.errno not in _NO_LINKS or isinstance(fault, FileExistsError):
                raise
        else:
            self.remove_name(spare)
            return True
        try:
            self._rename_exclusively(name, self, spare)
        except OSError as fault:
            if fault.errno != errno.EOPNOTSUPP:
                raise
            return False
        self._rename_exclusively(spare, self, name)
        return True


def _walk(path: Path, free: int) -> OpenFolder:
    """Open each folder of a path in turn. free: number of leading parts that may be symbolic links."""
    descriptor = os.open(path.anchor, _FOLDER)
    lineage = [identity(os.fstat(descriptor))]
    try:
        for depth, part in enumerate(path.parts[1:], start=1):
            child = os.open(part, _FOLDER | (NO_FOLLOW if depth >= free else 0), dir_fd=descriptor)
            os.close(descriptor)
            descriptor = child
            lineage.append(identity(os.fstat(descriptor)))
    except OSError as fault:
        if fault.errno == errno.ENOTDIR and _is_symlink(part, descriptor):
            os.close(descriptor)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), part) from fault
        os.close(descriptor)
        raise
    return OpenFolder(path, descriptor, tuple(lineage))


def _is_symlink(name: str, descriptor: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _look(path: Path, free: int) -> OpenFolder:
    """Check each folder of a path in turn, on systems that cannot open folders."""
    lineage = []
    for depth, folder in enumerate([*reversed(path.parents), path]):
        status = os.lstat(folder) if depth >= free else os.stat(folder)
        if is_link(status):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        lineage.append(identity(status))
    return OpenFolder(path, None, tuple(lineage))


def rename_exclusively(folder: int, name: str, to: int, new: str) -> None:
    """Rename `name` in the open folder `folder` to `new` in the open folder `to`.

    FileExistsError if that name is taken, OSError; NotImplementedError if the system or file system cannot do it.
    """
    call, flag = _CALLS.get(sys.platform, ("", 0))
    function = getattr(ctypes.CDLL(None, use_errno=True), call, None) if call else None
    if function is None:
        raise NotImplementedError
    sys.audit("os.rename", name, new, folder, to)
    if function(folder, os.fsencode(name), to, os.fsencode(new), flag) == 0:
        return
    number = ctypes.get_errno()
    if number in _NO_SUCH_CALL:
        raise NotImplementedError
    raise OSError(number, os.strerror(number), new)
