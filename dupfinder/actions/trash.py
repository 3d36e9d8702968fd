"""Each system's trash behind one interface, and the quarantine used instead on volumes without a trash.

On Linux desktops: the freedesktop.org Trash specification 1.0. Names are bytes there: names that are not UTF-8,
contain a newline or have 255 bytes can be trashed and restored. On Windows and macOS: send2trash. These systems do not
report where they put a file. Since it keeps its device and inode, it is searched for by these in the folders of the
trash; if it is not found there, undo cannot restore it, and says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import re
import secrets
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote_from_bytes

from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.places import LONGEST_NAME, QUARANTINE_NAME, Place, PlaceKind, shortened
from dupfinder.base.stamp import FileStamp, identity

TRIES: Final = 3  # places tried in one folder, since another program may take a name first
_NUMBERED: Final = 50  # names tried as "name.2", "name.3", ...; then random names


class Trash(Protocol):
    """A system's trash.

    by_name: it takes files under their original names only, and may not tell where it put them.
    may_delete: it deletes what it cannot keep, and does not tell that.
    """

    by_name: bool
    may_delete: bool

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield free places for a victim on its volume, best first; none if the volume has no trash."""

    def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
        """Move `name` in `folder` to `place`; return where it is. victim: its first path. OSError: it was not moved."""


class Quarantine:
    """A folder on the victim's volume, for volumes without a trash. Only the journal knows the original names."""

    by_name = False
    may_delete = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield free places in the folder, which is created; none if it is on another volume."""
        make_private(self._folder)
        if os.path.islink(self._folder) or os.stat(self._folder).st_dev != victim.device:
            return
        for name in itertools.islice(free_names(self._folder, victim.path.name), TRIES):
            yield Place(PlaceKind.QUARANTINE, self._folder / name)

    def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
        """Move the file to its place. Raises OSError."""
        assert place.path is not None
        with OpenFolder.open(place.path.parent, below=place.path.parent.parent) as to:
            folder.move_exclusively(name, to, place.path.name)
            to.sync()
        return place


def quarantine_for(root: Path, chosen: Path | None) -> Quarantine:
    """Return the chosen quarantine, or the one in the victim's root (beside it, if the root is a file)."""
    return Quarantine(chosen or (root if os.path.isdir(root) else root.parent) / QUARANTINE_NAME)


def make_private(folder: Path) -> None:
    """Create `folder` and its missing parents, readable by the owner only. Raises OSError."""
    for part in (*reversed(folder.parents), folder):  # Path.mkdir applies the mode only to the last folder
        if not part.is_dir():
            part.mkdir(mode=0o700, exist_ok=True)


def free_names(folder: Path, name: str, longest: int = LONGEST_NAME) -> Iterator[str]:
    """Yield names like `name`, at most `longest` bytes, that are free in `folder`: name.txt, name.2.txt, ..."""
    numbered = (f".{number}" for number in range(2, _NUMBERED))
    random = (f".{secrets.token_hex(8)}" for _ in itertools.count())
    for ending in itertools.chain(("",), numbered, random):
        candidate = shortened(name, ending, longest)
        if not os.path.lexists(folder / candidate):
            yield candidate


def remove_note(note: Path | None) -> None:
    """Remove a trash's note about a file, if there is one and it may be removed."""
    if note is not None:
        with contextlib.suppress(OSError):
            note.unlink()


def clear_place(place: Place) -> None:
    """Remove what a file that has left its place needed there: the trash's note, and our quarantine if it is empty."""
    remove_note(place.info)
    if place.kind is PlaceKind.QUARANTINE and place.path is not None and place.path.parent.name == QUARANTINE_NAME:
        with contextlib.suppress(OSError):  # it is not empty
            place.path.parent.rmdir()


INFO_SUFFIX: Final = ".trashinfo"
_OCTAL: Final = re.compile(rb"\\([0-7]{3})")  # escaped spaces and line ends in mountinfo
_LONGEST: Final = LONGEST_NAME - len(INFO_SUFFIX)


class FreedesktopTrash:
    """Home trash for files on its volume; `.Trash/$uid` or `.Trash-$uid` at the top of other volumes."""

    by_name = False
    may_delete = False

    def __init__(
        self,
        environment: Mapping[str, str] | None = None,
        uid: int | None = None,
        top_of: Callable[[Path], Path] | None = None,
    ) -> None:
        """Create the trash of the user `uid`, by default the present user.

        top_of: returns the top folder of a path's volume; by default it is determined from the system.
        """
        environment = os.environ if environment is None else environment
        data, home = environment.get("XDG_DATA_HOME", ""), environment.get("HOME") or os.path.expanduser("~")
        self._home = Path(data if os.path.isabs(data) else os.path.join(home, ".local", "share"), "Trash")
        if uid is None and sys.platform != "win32":  # Windows has no user numbers, and never uses this trash
            uid = os.getuid()
        self._uid = uid or 0
        self._top_of = top_of or _top_of_volume

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield free places in the trashes of the victim's volume, best first."""
        for trash in self._trashes(victim):
            files, info = trash / "files", trash / "info"
            try:
                make_private(files)
                make_private(info)
                if os.stat(files).st_dev != victim.device:
                    continue
                names = (
                    name
                    for name in free_names(files, victim.path.name, _LONGEST)
                    if not os.path.lexists(info / (name + INFO_SUFFIX))
                )
                for name in itertools.islice(names, TRIES):
                    yield Place(PlaceKind.TRASH, files / name, info / (name + INFO_SUFFIX))
            except OSError:
                continue  # this one cannot be created or written; try the next

    def _trashes(self, victim: FileStamp) -> Iterator[Path]:
        """Yield the trash folders of the victim's volume."""
        top = self._top_of(victim.path)
        # Without a home, or with a relative one, there is no home trash.
        is_near = self._home.is_absolute() and _device_of_nearest(self._home) == victim.device
        if is_near and self._top_of(self._home) == top:
            yield self._home
        user_trashes = [top / f".Trash-{self._uid}"]
        shared = _folder_status(top / ".Trash")
        if shared is not None and shared.st_mode & stat.S_ISVTX:  # the specification requires the sticky bit
            user_trashes.insert(0, top / ".Trash" / str(self._uid))
        for user_trash in user_trashes:
            with contextlib.suppress(OSError):
                user_trash.mkdir(mode=0o700)
            status = _folder_status(user_trash)
            if status is not None and status.st_uid == self._uid:
                yield user_trash

    def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
        """Write the note, then move the file. Raises OSError."""
        assert place.path is not None and place.info is not None
        with OpenFolder.open(place.info.parent) as info:
            _write(info, place.info.name, self._note(victim, place.path.parent.parent))
            try:
                with OpenFolder.open(place.path.parent) as files:
                    folder.move_exclusively(name, files, place.path.name)
                    files.sync()
            except OSError:
                remove_note(place.info)
                raise
            info.sync()
        return place

    def _note(self, victim: Path, trash: Path) -> bytes:
        """Return the .trashinfo: with an absolute path in the home trash, relative to the volume's top elsewhere."""
        path = os.fsencode(victim)
        if trash != self._home:
            top = trash.parent.parent if trash.parent.name == ".Trash" else trash.parent
            real = Path(os.path.realpath(victim.parent)) / victim.name
            path = os.fsencode(real.relative_to(top)) if real.is_relative_to(top) else path
        moment = datetime.now().replace(microsecond=0).isoformat()  # local time, as the specification says
        return f"[Trash Info]\nPath={quote_from_bytes(path)}\nDeletionDate={moment}\n".encode("ascii")


def _write(folder: OpenFolder, name: str, note: bytes) -> None:
    """Create a note and flush it to the disk. Raises OSError."""
    descriptor = folder.create(name)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(note)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        remove_note(folder.path / name)
        raise


def _folder_status(path: Path) -> os.stat_result | None:
    """Return the status of a folder; None for a link, for anything else, and for what cannot be reached."""
    with contextlib.suppress(OSError):
        status = os.lstat(path)
        return status if stat.S_ISDIR(status.st_mode) else None
    return None


def _device_of_nearest(path: Path) -> int | None:
    """Return the device of `path` or of its nearest existing ancestor; None if it cannot be read."""
    for ancestor in (path, *path.parents):
        try:
            return os.stat(ancestor).st_dev
        except FileNotFoundError:
            continue
        except OSError:
            return None
    return None


def _top_of_volume(path: Path) -> Path:
    """Return the topmost folder above `path` on the same volume, within which files can be renamed.

    A bind mount has the same device number, but files cannot be renamed across it, so mount points are checked too.
    """
    top = Path(os.path.realpath(path.parent))
    mounts = _mount_points()
    with contextlib.suppress(OSError):
        while not top.exists():
            top = top.parent
        device = os.stat(top).st_dev
        while top not in mounts and top != top.parent and os.stat(top.parent).st_dev == device:
            top = top.parent
    return top


def _mount_points() -> frozenset[Path]:
    """Return the mount points of this process; none if the kernel does not list them."""
    try:
        lines = Path("/proc/self/mountinfo").read_bytes().splitlines()
    except OSError:
        return frozenset()
    points = [_OCTAL.sub(lambda escape: bytes([int(escape[1], 8)]), line.split(b" ")[4]) for line in lines]
    return frozenset(Path(os.fsdecode(point)) for point in points)


_FIXED_DRIVE: Final = 3  # GetDriveTypeW: DRIVE_FIXED; on others Windows may delete for good
_HARD_LINKS: Final = 0x00400000  # GetVolumeInformationW: FILE_SUPPORTS_HARD_LINKS


def system_trash() -> Trash:
    return NativeTrash() if sys.platform in ("win32", "darwin") else FreedesktopTrash()


def _send(path: Path) -> None:
    """Move a file to the system's trash."""
    from send2trash import send2trash  # loads the system's frameworks

    send2trash(os.fspath(path))


class NativeTrash:
    """The system's trash.

    send: moves a file there. folders: returns the folders where a sent file may be. serves: tells whether there is a
    trash for a file. may_delete: Windows deletes a file that the Recycle Bin of its drive does not take: it is switched
    off there or by the firm, the file is larger than it may hold, or a program plays the drive.
    """

    by_name = True

    def __init__(
        self,
        send: Callable[[Path], None] = _send,
        folders: Callable[[Path], list[Path]] | None = None,
        serves: Callable[[Path], bool] | None = None,
        may_delete: bool = sys.platform == "win32",
    ) -> None:
        self.may_delete = may_delete
        self._send = send
        self._folders = folders or _trash_folders
        self._serves = serves or _has_trash

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield the one place, of unknown path, if there is a trash for the victim."""
        if self._serves(victim.path):
            yield Place(PlaceKind.ELSEWHERE, None)

    def put(self, folder: OpenFolder, name: str, victim: Path, place: Place) -> Place:
        """Move the file to the trash and find it there. Raises OSError."""
        status = folder.status(name)
        if status is None:
            raise FileNotFoundError(victim)
        self._send(victim)
        return self.find(FileStamp.of(victim, status)) or place

    def find(self, victim: FileStamp) -> Place | None:
        """Return where the file is in the trash; None if it cannot be found."""
        for folder in self._folders(victim.path):
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        if identity(os.lstat(entry.path)) == (victim.device, victim.inode):
                            return Place(PlaceKind.TRASH, Path(entry.path), _note_of(Path(entry.path)))
        return None


def _note_of(path: Path) -> Path | None:
    """Return the note of a file in the trash: `$I...` beside `$R...` on Windows; None on macOS."""
    return path.with_name("$I" + path.name[2:]) if path.name.startswith("$R") else None


def _trash_folders(victim: Path) -> list[Path]:
    """Return the folders in which the system may put the file."""
    if sys.platform == "win32":
        bins = _volume_of(victim) / "$Recycle.Bin"
        with contextlib.suppress(OSError):
            return [user_bin for user_bin in bins.iterdir() if user_bin.is_dir()]
        return []
    return [Path.home() / ".Trash", *(top / ".Trashes" / str(os.getuid()) for top in victim.parents)]


def _volume_of(path: Path) -> Path:
    """Return the root of the volume of a path on Windows. A folder above may be a link, to a network share as well."""
    return Path(Path(os.path.realpath(path.parent)).anchor)


def lacks_trash(folder: Path) -> bool:
    """Tell whether the volume of a folder is known to have no trash, as network drives of Windows have none."""
    return sys.platform == "win32" and not _has_trash(folder / "file")


def _has_trash(victim: Path) -> bool:
    """Tell whether there is a trash for a file, from which it can be restored.

    On Windows only for what a second name can guard, and be known by in the trash: not on FAT and exFAT.
    """
    if sys.platform == "win32":
        root, kernel, abilities = str(_volume_of(victim)), ctypes.windll.kernel32, ctypes.c_ulong()
        kernel.GetVolumeInformationW(root, None, 0, None, None, ctypes.byref(abilities), None, 0)
        return bool(kernel.GetDriveTypeW(root) == _FIXED_DRIVE and abilities.value & _HARD_LINKS)
    return True
