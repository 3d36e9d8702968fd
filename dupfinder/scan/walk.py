"""Walk through the chosen folders: list every file with its stamp, without opening any."""

from __future__ import annotations

import contextlib
import fnmatch
import functools
import os
import re
import stat
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

from dupfinder.base.details import Clause, Details, ProblemKind, details, error_name
from dupfinder.base.errors import RootError
from dupfinder.base.files import is_link
from dupfinder.base.paths import OWN_PREFIX, data_dir, held_name, is_own_name, is_trash
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.base.stamp import FileStamp
from dupfinder.scan.request import FileFilters, Role, Root, ScanRequest
from dupfinder.text.archives.members import is_archive_name, may_be_mailbox_name
from dupfinder.text.sniff import CODE, is_code, is_mail_name, may_be_document, unread_kind
from dupfinder.text.source import refused_by_system

# Beside the files of a working copy, version control keeps their history under one of these names.
VERSION_CONTROL = frozenset({".git", ".hg", ".svn", ".bzr", ".jj", "_darcs"})
# Folders of the system, of version control and of trash: they contain no documents of the person.
SKIPPED_FOLDERS = VERSION_CONTROL | {"__pycache__", "node_modules", "$RECYCLE.BIN", "System Volume Information"}
# FILE_ATTRIBUTE_OFFLINE, _RECALL_ON_OPEN and _RECALL_ON_DATA_ACCESS of Windows (winnt.h); SF_DATALESS of macOS.
_ELSEWHERE = 0x1000 | 0x40000 | 0x400000
_DATALESS = 0x40000000
_EVICTED = re.compile(r"\.(.+)\.icloud")  # what earlier versions of macOS leave of a file that is in iCloud alone
_NO_INODE = 0  # of all files on a file system without inodes, and of a file that could not be examined
_TELL_EVERY = 500  # entries


@dataclass(frozen=True, slots=True)
class WalkedFile:
    """One file in the chosen folders.

    refused: why it is left out (None: it is not), with `details`.
    bytes_only: whether only its bytes are compared; it is not read as a document.
    """

    stamp: FileStamp
    protected: bool
    refused: ProblemKind | None = None
    details: Details = ()
    bytes_only: bool = False


@dataclass(frozen=True, slots=True)
class KindByName:
    """What a file's name says of its kind. unread: the kind of a document that has no reader."""

    archive: bool
    code: bool
    document: bool
    unread: Details


def ending(name: str) -> str:
    """Return the last two suffixes of a name in lower case (".tar.gz"), by which its kind is recognised."""
    return "" if is_mail_name(name) else "".join(f".{part}" for part in name[1:].rsplit(".", 2)[1:]).lower()


def kind_by_name(name: str) -> KindByName:
    return _kind_by_suffixes(ending(name))


@functools.lru_cache(maxsize=1 << 12)
def _kind_by_suffixes(suffixes: str) -> KindByName:
    """Return what the suffixes of a name say of its kind."""
    path = Path("_" + suffixes)
    return KindByName(is_archive_name(path), is_code(path), may_be_document(path), unread_kind(path))


def checked_roots(roots: tuple[Root, ...]) -> tuple[Root, ...]:
    """Return the roots with absolute paths, without repetitions. Raises RootError if one is missing or unreadable."""
    checked: dict[Path, Root] = {}
    for root in roots:
        path = Path(os.path.abspath(root.path))
        if root.role is not Role.LEAVE_OUT:
            path = checked_root(path)
        checked[path] = Root(path, root.role)
    if not any(root.role is Role.SCAN for root in checked.values()):
        raise RootError(next(iter(checked), Path()), "nothing_to_scan")
    return tuple(checked[path] for path in sorted(checked, key=os.fsencode))


def checked_root(path: Path) -> Path:
    """Return a root that can be listed, or the file that it names: links to files are resolved. Raises RootError."""
    try:
        if stat.S_ISDIR(os.stat(path).st_mode):
            os.scandir(path).close()
            return path
        return Path(os.path.realpath(path))
    except OSError as error:
        raise _root_error(path, error) from error


def _root_error(path: Path, error: OSError) -> RootError:
    return RootError(path, error_name(error))


class Walk:
    """One walk through the folders of a request. In each folder, files are sorted by path."""

    def __init__(self, request: ScanRequest, reporter: Reporter = SILENT) -> None:
        self._request = request
        self._reporter = reporter
        self._roles = {root.path: root.role for root in checked_roots(request.roots)}
        self._walked_apart = {*self._roles, *request.outputs}  # passed over when they are met in another folder
        self._special_names = {path.name for path in self._walked_apart}
        self._filters = request.filters if request.filters != FileFilters() else None
        # Folders already walked. Those to leave out are added first, so that they are not entered by any other name.
        self._folders = {_identity_of(path) for path, role in self._roles.items() if role is Role.LEAVE_OUT}
        self._first_paths: dict[tuple[int, int], Path] = {}  # of files, by device and inode
        # A folder may have several paths, through symbolic links: those of moved files are compared as they resolve.
        self._real_folder = functools.cache(os.path.realpath)
        self._moved_aside = {
            (path.name, self._real_folder(path.parent)): stamp for path, stamp in request.moved_aside().items()
        }
        self._moved_names = {name for name, _ in self._moved_aside}
        self._data_folder = _identity_of(data_dir())
        self._working_copies: set[Path] = set()  # folders of which it was noted that they are under version control
        self._has_file_roots = False  # so far
        self._seen = 0

    def entries(self) -> Iterator[WalkedFile]:
        """Yield every file below the roots once. Raises Stopped, RootError if a root disappears.

        Protected folders come first, so that of two hard links to a file the protected one is used.
        """
        order = sorted(self._roles, key=lambda path: (self._roles[path] is not Role.PROTECT, os.fsencode(path)))
        for path in order:
            role = self._roles[path]
            if role is Role.LEAVE_OUT:
                continue
            try:
                status = os.stat(path)  # a root may be a link, since the person chose it
            except OSError as error:
                raise _root_error(path, error) from error
            if stat.S_ISDIR(status.st_mode):
                yield from self._folder(path, role, status)
            else:
                self._has_file_roots = True
                yield self._file(path, status, role)
        if self._seen:
            yield from self._notes_above()

    def _notes_above(self) -> Iterator[WalkedFile]:
        """Yield a note for roots in a working copy whose history is above them: of a folder, the note has its own path.

        So nothing outside of the chosen folders is listed.
        """
        for root in (path for path, role in self._roles.items() if role is not Role.LEAVE_OUT):
            for history in (folder / name for folder in root.parents for name in sorted(VERSION_CONTROL)):
                with contextlib.suppress(OSError):  # what cannot be examined, most often because it is not there
                    status = os.lstat(history)
                    if self._working_copies.isdisjoint(root.parents):
                        yield self._working_copy(root if root.is_dir() else history, status, Role.SCAN)

    def _folder(self, top: Path, top_role: Role, status: os.stat_result) -> Iterator[WalkedFile]:
        """Yield the files below a root."""
        waiting = [(top, top_role, (status.st_dev, status.st_ino))]
        while waiting:
            self._reporter.check()
            folder, role, identity = waiting.pop()
            if identity in self._folders and identity[1] != _NO_INODE:
                continue  # visited before: overlapping roots, a bind mount, a loop
            self._folders.add(identity)
            try:
                with os.scandir(folder) as listing:
                    children = sorted(listing, key=lambda child: os.fsencode(child.name))
            except OSError as error:
                if folder == top:
                    raise _root_error(top, error) from error
                yield _unseen(folder, role, error, details(Clause.FOLDER_NOT_LISTED))
                continue
            subfolders: list[tuple[Path, Role, tuple[int, int]]] = []
            for child in children:
                path = folder / child.name
                is_special = child.name in self._special_names
                child_role = self._roles.get(path, role) if is_special else role
                try:
                    child_status = _status_of(child)
                except OSError as error:
                    yield _unseen(path, child_role, error)
                    continue
                if (note := self._note(path, child_status, child_role, identity)) is not None:
                    yield note
                elif is_link(child_status) or not stat.S_ISDIR(child_status.st_mode):
                    if not (is_special and path in self._walked_apart):
                        yield self._file(path, child_status, child_role)
                elif child_role is not Role.LEAVE_OUT and self._enters(path, child_status, status):
                    subfolders.append((path, child_role, (child_status.st_dev, child_status.st_ino)))
            waiting.extend(reversed(subfolders))

    def _note(
        self, path: Path, status: os.stat_result, role: Role, folder: tuple[int, int] | None
    ) -> WalkedFile | None:
        """Return the note that is listed in place of a file or folder, None if it is treated as any other.

        folder: identity of the folder that holds it. A history is noted even if the person left it out, or chose it; a
        file that was chosen is a root, and no note.
        """
        is_folder = stat.S_ISDIR(status.st_mode)
        if folder == self._data_folder and is_own_name(path.name):
            return WalkedFile(FileStamp.of(path, status), False, ProblemKind.SKIPPED, details(Clause.OWN_FILE))
        if path.name in VERSION_CONTROL and (is_folder or self._roles.get(path, Role.LEAVE_OUT) is Role.LEAVE_OUT):
            return self._working_copy(path, status, role)
        if is_folder and (original_name := held_name(path.name)) is not None:
            stamp = FileStamp.of(path, status)
            return WalkedFile(stamp, role is Role.PROTECT, ProblemKind.HELD, _held(original_name))
        return None

    def _working_copy(self, history: Path, status: os.stat_result, role: Role) -> WalkedFile:
        """Return the note that the files beside a history and below are a working copy under version control.

        Git has a file there in submodules. The times of a history change with every commit, which must not make the
        note a new one.
        """
        self._working_copies.add(history.parent)
        stamp = replace(FileStamp.of(history, status), size=0, mtime_ns=0, ctime_ns=0)
        return WalkedFile(stamp, role is Role.PROTECT, ProblemKind.SKIPPED, details(Clause.VERSION_CONTROL))

    def _enters(self, path: Path, status: os.stat_result, top: os.stat_result) -> bool:
        """Tell whether a folder is walked. top: the status of its root."""
        if self._is_skipped(path) or (self._request.one_file_system and status.st_dev != top.st_dev):
            return False
        return self._filters is None or not self._filters.leaves_out(self._inner(path))

    def _inner(self, path: Path) -> PurePath:
        """Return a path relative to the innermost root above it; of a root, its name. As `ScanRequest.inner`."""
        top = path.parent if path in self._roles else next(top for top in path.parents if top in self._roles)
        return path.relative_to(top)

    def _is_skipped(self, folder: Path) -> bool:
        """Tell whether a folder is skipped because of its name."""
        name = folder.name
        if name in SKIPPED_FOLDERS or name.startswith(OWN_PREFIX) or is_trash(folder):
            return True
        return name.startswith(".") and not self._request.hidden

    def _file(self, path: Path, status: os.stat_result, role: Role) -> WalkedFile:
        self._seen += 1
        if self._seen % _TELL_EVERY == 0:
            self._reporter.check()
            self._reporter.tell(Progress(Stage.FIND, self._seen, None))
        stamp = FileStamp.of(path, status)
        protected = role is Role.PROTECT
        kind = kind_by_name(path.name)
        refusal = self._refusal(stamp, status, kind)
        if refusal is not None:
            return WalkedFile(stamp, protected, *refusal)
        if (status.st_nlink > 1 or self._has_file_roots) and status.st_ino != _NO_INODE:
            first = self._first_paths.setdefault((status.st_dev, status.st_ino), path)
            if first != path:
                return WalkedFile(stamp, protected, ProblemKind.SKIPPED, _same_file_as(first))
        return WalkedFile(stamp, protected, bytes_only=self._request.all_files and self._is_for_bytes(stamp, kind))

    def _refusal(
        self, stamp: FileStamp, status: os.stat_result, kind: KindByName
    ) -> tuple[ProblemKind, Details] | None:
        """Return why a file is left out; None if it is not."""
        request, name = self._request, stamp.path.name
        if name in self._moved_names and self._is_moved_aside(stamp):
            return ProblemKind.SKIPPED, details(Clause.MOVED_ASIDE)
        if (not_a_document := _refusal_by_mode(name, status)) is not None:
            return not_a_document
        if kind.archive and not (request.archives or request.all_files):
            return ProblemKind.SKIPPED, details(Clause.ARCHIVE_NOT_OPENED)
        if (evicted := _EVICTED.fullmatch(name)) is not None and kind_by_name(evicted[1]).document:
            return ProblemKind.UNREADABLE, details(Clause.ONLINE_ONLY)
        if (left_out := left_out_by_name(request, name)) is not None:
            return left_out
        if self._filters is not None:
            is_opened = request.archives and kind.archive
            if left_out := self._filters.refusal(self._inner(stamp.path), stamp, is_archive=is_opened):
                return left_out
        if not request.all_files:
            if kind.code and self._leaves_out_code(stamp.path):
                return ProblemKind.SKIPPED, details(Clause.PROGRAM_TEXT)
            if not kind.document:
                return ProblemKind.UNSUPPORTED, kind.unread
        if is_online_only(status):
            return ProblemKind.UNREADABLE, details(Clause.ONLINE_ONLY)
        # The limit of size applies to an archive's members, not to the archive; of large files the bytes are compared.
        # Many mailboxes have no suffix. Whether a large file with such a name is one, reading tells.
        is_unlimited = kind.archive or (request.all_files and stamp.size > request.largest)
        size = min(stamp.size, request.largest) if may_be_mailbox_name(stamp.path) else stamp.size
        return None if is_unlimited else left_out_by_size(request, size)

    def _is_moved_aside(self, stamp: FileStamp) -> bool:
        """Tell whether a removal moved a file here, and it is as it was."""
        moved = self._moved_aside.get((stamp.path.name, self._real_folder(stamp.path.parent)))
        return moved is not None and (moved.size, moved.mtime_ns) == (stamp.size, stamp.mtime_ns)

    def _leaves_out_code(self, path: Path) -> bool:
        return CODE not in self._request.formats and path not in self._roles

    def _is_for_bytes(self, stamp: FileStamp, kind: KindByName) -> bool:
        """Tell whether a file is compared by its bytes only, because of its name or size."""
        if kind.archive:
            return not self._request.archives
        if not kind.document or (kind.code and self._leaves_out_code(stamp.path)):
            return True
        return stamp.size > self._request.largest


def _identity_of(folder: Path) -> tuple[int, int] | None:
    """Return the device and inode of a folder; None for anything else, and for a folder that cannot be examined."""
    try:
        status = os.stat(folder)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISDIR(status.st_mode) else None


def _refusal_by_mode(name: str, status: os.stat_result) -> tuple[ProblemKind, Details] | None:
    """Return why a file cannot be a person's document: a link, a special file, or one of dupfinder's."""
    if is_link(status):
        return ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK)
    if not stat.S_ISREG(status.st_mode):
        return ProblemKind.SKIPPED, details(Clause.SPECIAL_FILE)
    if (original_name := held_name(name)) is not None:
        return ProblemKind.HELD, _held(original_name)
    return (ProblemKind.SKIPPED, details(Clause.OWN_FILE)) if name.startswith(OWN_PREFIX) else None


def once_each(entries: Sequence[WalkedFile]) -> Sequence[WalkedFile]:
    """Refuse entries of files that were already listed by another path: mounts may show a file in two places."""
    seen: set[int] = set()
    repeated: set[int] = set()
    for entry in entries:
        (repeated if entry.stamp.inode in seen else seen).add(entry.stamp.inode)
    repeated.discard(_NO_INODE)
    if not repeated:
        return entries
    stamps_of: dict[int, list[FileStamp]] = {inode: [] for inode in repeated}
    return [_without_repetition(entry, stamps_of[entry.stamp.inode]) if entry.stamp.inode in repeated else entry
            for entry in entries]  # fmt: skip


def _without_repetition(entry: WalkedFile, listed: list[FileStamp]) -> WalkedFile:
    """Return the entry, refused if its file is among `listed`; otherwise the file is added there."""
    if entry.refused is not None:
        return entry
    for stamp in listed:
        if stamp.is_same_file(entry.stamp):
            return replace(entry, refused=ProblemKind.SKIPPED, details=_same_file_as(stamp.path))
    listed.append(entry.stamp)
    return entry


def _held(original_name: str) -> Details:
    """Return the details of a file with a holding name."""
    return details(Clause.HELD_NAME, name=original_name) if original_name else ()


def _same_file_as(first: Path) -> Details:
    return details(Clause.SAME_FILE, other=str(first))


def _status_of(child: os.DirEntry[str]) -> os.stat_result:
    """Return the lstat of a folder's entry. On Windows, listings lack device, inode and number of links."""
    return os.lstat(child) if sys.platform == "win32" else child.stat(follow_symlinks=False)


def left_out_by_name(request: ScanRequest, name: str) -> tuple[ProblemKind, Details] | None:
    """Return why a request leaves out files with this name; None if it does not."""
    if not request.hidden and name.startswith("."):
        return ProblemKind.SKIPPED, details(Clause.HIDDEN_FILE)
    if any(fnmatch.fnmatchcase(name, pattern) for pattern in request.excluded_names):
        return ProblemKind.SKIPPED, details(Clause.EXCLUDED_NAME)
    return None


def left_out_as_code(request: ScanRequest, path: PurePath) -> tuple[ProblemKind, Details] | None:
    """Return why source code is left out; None if it is asked for or the file is something else."""
    if not is_code(path) or CODE in request.formats:
        return None
    return ProblemKind.SKIPPED, details(Clause.PROGRAM_TEXT)


def left_out_by_size(request: ScanRequest, size: int) -> tuple[ProblemKind, Details] | None:
    """Return why a request leaves out files of this size; None if it does not."""
    if size < request.smallest:
        return ProblemKind.SKIPPED, details(Clause.SMALLER)
    if size > request.largest:
        return ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=size, limit=request.largest)
    return None


def is_online_only(status: os.stat_result) -> bool:
    """Tell whether a file's bytes are not on this computer, so that opening it would download them.

    The number of blocks does not tell this: some file systems store small files without any.
    """
    attributes: int = getattr(status, "st_file_attributes", 0)
    flags: int = getattr(status, "st_flags", 0)
    return bool(attributes & _ELSEWHERE or flags & _DATALESS)


def _unseen(path: Path, role: Role, error: OSError, more: Details = ()) -> WalkedFile:
    """Return the entry of a file or folder that the system could not examine. more: further details."""
    kind, reason = refused_by_system(error)
    return WalkedFile(FileStamp(path, 0, 0, 0, 0, 0), role is Role.PROTECT, kind, reason + more)
