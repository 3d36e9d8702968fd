"""Folder: a held folder, and the few changes of names that acting needs, each relative to it.

Names are resolved against an open folder, not against a path: a folder that is renamed, or swapped for a symbolic
link, between a check and an act cannot lead the act elsewhere, and paths may be longer than the system's PATH_MAX.
Where the system has no such calls (Windows), plain paths serve.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import stat
import sys
from pathlib import Path
from types import TracebackType
from typing import Final

from dupfinder.base.files import BINARY, NO_FOLLOW, READ_ONLY
from dupfinder.base.stamp import FileStamp

Identity = tuple[int, int]

_BY_DESCRIPTOR: Final = os.open in os.supports_dir_fd and os.rename in os.supports_dir_fd
_CLOSED: Final = getattr(os, "O_CLOEXEC", 0)
# O_PATH asks for no permission to list the folder: passing through is enough.
_FOLDER: Final = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_PATH", os.O_RDONLY) | _CLOSED
_JUNCTION: Final = 0xA0000003  # Windows: IO_REPARSE_TAG_MOUNT_POINT; tags of cloud folders lead nowhere else
_USUAL_NAME: Final = 255  # bytes
_NO_LINKS: Final = frozenset({errno.EPERM, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EMLINK, errno.ENOSYS, errno.EISDIR})

_NOT_HERE: Final = frozenset({errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP})
# linux/fs.h: RENAME_NOREPLACE; sys/stdio.h of macOS: RENAME_EXCL
_CALLS: Final = {"linux": ("renameat2", 1), "darwin": ("renameatx_np", 4)}


def identity(status: os.stat_result) -> Identity:
    """(device, inode) of a stat result."""
    return (status.st_dev, status.st_ino)


def is_one_file(left: os.stat_result, right: os.stat_result) -> bool:
    """Whether two stat results are of one file, even where two mounts give its volume two device numbers."""
    return FileStamp.of(Path(), left).is_same_file(FileStamp.of(Path(), right))


class Folder:
    """An open folder. `line`: the identities of all folders from the anchor down to this one.

    Every method that takes a name acts on that name in this folder, never follows a symbolic link there, and raises
    OSError as the system does.
    """

    def __init__(self, path: Path, descriptor: int | None, line: tuple[Identity, ...]) -> None:
        self.path = path
        self.line = line
        self._descriptor = descriptor

    @classmethod
    def open(cls, path: Path, below: Path | None = None) -> Folder:
        """Hold the folder `path` (absolute). Symbolic links are followed down to `below`, refused (ELOOP) beneath."""
        free = len(path.parts) if below is None else len(below.parts)
        return _walk(path, free) if _BY_DESCRIPTOR else _look(path, free)

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @property
    def identity(self) -> Identity:
        return self.line[-1]

    def _name(self, name: str) -> str:
        return name if self._descriptor is not None else str(self.path / name)

    def status(self, name: str) -> os.stat_result | None:
        """lstat of `name`; None when nothing has that name."""
        try:
            return os.stat(self._name(name), dir_fd=self._descriptor, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def open_file(self, name: str) -> int:
        """A read-only descriptor of the regular file `name`. ELOOP for a symbolic link, EINVAL for other objects."""
        status = os.stat(self._name(name), dir_fd=self._descriptor, follow_symlinks=False)
        if stat.S_ISLNK(status.st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), name)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL), name)  # opening a FIFO or device may have effects
        return os.open(self._name(name), READ_ONLY | _CLOSED, dir_fd=self._descriptor)

    def create(self, name: str, mode: int) -> int:
        """A write-only descriptor of the new file `name`. FileExistsError when the name is taken."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_FOLLOW | BINARY | _CLOSED
        return os.open(self._name(name), flags, mode, dir_fd=self._descriptor)

    def rename(self, name: str, to: Folder, new: str) -> None:
        """Give the file another name; a file of that name is replaced (not on Windows)."""
        os.rename(self._name(name), to._name(new), src_dir_fd=self._descriptor, dst_dir_fd=to._descriptor)

    def link(self, name: str, to: Folder, new: str) -> None:
        """Give the file one more name. FileExistsError when it is taken."""
        os.link(
            self._name(name),
            to._name(new),
            src_dir_fd=self._descriptor,
            dst_dir_fd=to._descriptor,
            follow_symlinks=self._descriptor is None,
        )

    def remove_name(self, name: str) -> None:
        """Take one name from the file."""
        os.unlink(self._name(name), dir_fd=self._descriptor)

    def make(self, name: str, mode: int = 0o777) -> None:
        """Make a sub-folder. FileExistsError."""
        os.mkdir(self._name(name), mode, dir_fd=self._descriptor)

    def settle(self, name: str, mode: int, mtime_ns: int, atime_ns: int) -> None:
        """Set permission bits and times of the regular file `name`."""
        if _BY_DESCRIPTOR:
            descriptor = self.open_file(name)
            try:
                os.fchmod(descriptor, mode)
                os.utime(descriptor, ns=(atime_ns, mtime_ns))
            finally:
                os.close(descriptor)
        else:
            os.chmod(self._name(name), mode)
            os.utime(self._name(name), ns=(atime_ns, mtime_ns))

    def may_change(self) -> bool:
        """Whether this person may give names here and take them away, as far as the system tells beforehand."""
        if os.name == "nt":
            return True
        effective = os.access in os.supports_effective_ids
        return os.access(self._name("."), os.W_OK | os.X_OK, dir_fd=self._descriptor, effective_ids=effective)

    def sync(self) -> None:
        """Bring the names of this folder to the disk, where the system can."""
        with contextlib.suppress(OSError):  # not every file system syncs folders; the journal tells the state anyway
            descriptor = os.open(self._name("."), os.O_RDONLY, dir_fd=self._descriptor)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def longest_name(self) -> int:
        """How many bytes a name may have here, as far as the system tells."""
        if not hasattr(os, "statvfs"):
            return _USUAL_NAME
        try:
            return os.statvfs(self.path if self._descriptor is None else self._descriptor).f_namemax or _USUAL_NAME
        except OSError:
            return _USUAL_NAME

    def move_exclusively(self, name: str, to: Folder, new: str) -> None:
        """Move within one volume, never over another file: FileExistsError. Some name always holds the file, on the
        disk too: the new name is brought there before the old one goes.

        `name` must be one that only dupfinder knows: a person's own could be saved anew between the two.
        """
        if os.name == "nt":
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
            with contextlib.suppress(OSError):  # all or nothing: the file keeps its one name
                mine, theirs = self.status(name), to.status(new)
                if linked and mine and theirs and identity(linked) == identity(mine) == identity(theirs):
                    to.remove_name(new)
            raise

    def _rename_exclusively(self, name: str, to: Folder, new: str) -> None:
        """As move_exclusively, for folders and for file systems without hard links. EOPNOTSUPP where neither way is
        there: a name that was free a moment ago may be one that a person has just saved under."""
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
        self.rename(name, to, new)  # of all that may come meanwhile, it could replace an empty folder alone

    def can_give_back(self, name: str, spare: str) -> bool:
        """Whether a file that leaves `name` can have it again without replacing another. The file system is tried with
        `spare`, which nothing has, as a second name of the file, or as its name for a moment. OSError."""
        if os.name == "nt":
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


def _walk(path: Path, free: int) -> Folder:
    descriptor = os.open(path.anchor, _FOLDER)
    line = [identity(os.fstat(descriptor))]
    try:
        for depth, part in enumerate(path.parts[1:], start=1):
            below = os.open(part, _FOLDER | (NO_FOLLOW if depth >= free else 0), dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
            line.append(identity(os.fstat(descriptor)))
    except OSError as fault:
        if fault.errno == errno.ENOTDIR and _is_symlink(part, descriptor):
            os.close(descriptor)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), part) from fault
        os.close(descriptor)
        raise
    return Folder(path, descriptor, tuple(line))


def _is_symlink(name: str, descriptor: int) -> bool:
    try:
        return stat.S_ISLNK(os.stat(name, dir_fd=descriptor, follow_symlinks=False).st_mode)
    except OSError:
        return False


def _look(path: Path, free: int) -> Folder:
    line = []
    for depth, folder in enumerate([*reversed(path.parents), path]):
        status = os.lstat(folder) if depth >= free else os.stat(folder)
        if stat.S_ISLNK(status.st_mode) or (depth >= free and getattr(status, "st_reparse_tag", 0) == _JUNCTION):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(folder))
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(folder))
        line.append(identity(status))
    return Folder(path, None, tuple(line))


def rename_exclusively(folder: int, name: str, to: int, new: str) -> None:
    """Rename `name` in the open folder `folder` to `new` in `to`. FileExistsError when that name is taken, OSError;
    NotImplementedError where the system or the file system cannot."""
    call, flag = _CALLS.get(sys.platform, ("", 0))
    function = getattr(ctypes.CDLL(None, use_errno=True), call, None) if call else None
    if function is None:
        raise NotImplementedError
    sys.audit("os.rename", name, new, folder, to)
    if function(folder, os.fsencode(name), to, os.fsencode(new), flag) == 0:
        return
    number = ctypes.get_errno()
    if number in _NOT_HERE:
        raise NotImplementedError
    raise OSError(number, os.strerror(number), new)
