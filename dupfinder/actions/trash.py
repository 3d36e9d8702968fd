"""Trash: what every system's trash can do for `apply` and `undo`, and the quarantine that stands in for it."""

from __future__ import annotations

import contextlib
import ctypes
import itertools
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Protocol

from dupfinder.actions.folder import Folder
from dupfinder.actions.places import LONGEST_NAME, QUARANTINE_NAME, Place, PlaceKind, shortened
from dupfinder.base.stamp import FileStamp

TRIES: Final = 3  # places tried in one folder: another program may take a free name first
_NUMBERED: Final = 50  # names that are tried as "name.2", "name.3", ...; then random ones, which need no search

_FIXED_DRIVE: Final = 3  # GetDriveTypeW: DRIVE_FIXED; others may delete for good instead of recycling


class Trash(Protocol):
    """A system's trash.

    by_name: it must be handed a file under the file's own name, and may or may not tell where it went.
    """

    by_name: bool

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Free places for a victim on its own volume, best first; none when the volume has no trash."""

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        """Put the file called `name` in `folder`, by rights `victim`, into `place`; return where it is.

        Raises OSError and leaves the file as it was.
        """

    def forget(self, place: Place) -> None:
        """The file has left `place`: remove the trash's note of it. Never fails."""


class Quarantine:
    """A folder on the victim's volume, for volumes without a trash. The journal alone knows the files' names."""

    by_name = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def places(self, victim: FileStamp) -> Iterator[Place]:
        make_private(self._folder)
        if os.path.islink(self._folder) or os.stat(self._folder).st_dev != victim.device:
            return
        for name in itertools.islice(free_names(self._folder, victim.path.name), TRIES):
            yield Place(PlaceKind.QUARANTINE, self._folder / name)

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        assert place.path is not None
        with Folder.open(place.path.parent, below=place.path.parent.parent) as to:
            folder.move_exclusively(name, to, place.path.name)
            to.sync()
        return place

    def forget(self, place: Place) -> None:
        return None


def quarantine_for(root: Path, chosen: Path | None) -> Quarantine:
    """The quarantine that was chosen, or the one below the victim's root (beside it, when the root is a file)."""
    return Quarantine(chosen or (root if root.is_dir() else root.parent) / QUARANTINE_NAME)


def make_private(folder: Path) -> None:
    """Make `folder` and its missing parents, readable by the owner only. OSError."""
    for part in (*reversed(folder.parents), folder):  # Path.mkdir gives the mode to the last one alone
        if not part.is_dir():
            part.mkdir(mode=0o700, exist_ok=True)


def free_names(folder: Path, name: str, longest: int = LONGEST_NAME) -> Iterator[str]:
    """Names like `name`, at most `longest` bytes, that nothing in `folder` has: name.txt, name.2.txt, ..."""
    numbered = (f".{number}" for number in range(2, _NUMBERED))
    random = (f".{secrets.token_hex(8)}" for _ in itertools.count())
    for ending in itertools.chain(("",), numbered, random):
        candidate = shortened(name, ending, longest)
        if not os.path.lexists(folder / candidate):
            yield candidate


def remove_quietly(path: Path) -> None:
    """Remove a note of our own, if it is there and may be removed."""
    with contextlib.suppress(OSError):
        path.unlink()


def system_trash() -> Trash:
    """The trash of this system."""
    if sys.platform in ("win32", "darwin"):
        return NativeTrash()
    from dupfinder.actions.trash_freedesktop import FreedesktopTrash  # the same, the other way round

    return FreedesktopTrash()


def _send(path: Path) -> None:
    from send2trash import send2trash  # loads the system's frameworks: only when something is sent

    send2trash(os.fspath(path))


class NativeTrash:
    """The system's trash. `send` hands a file to it, `folders` says where it may then lie, `serves` for which files."""

    by_name = True

    def __init__(
        self,
        send: Callable[[Path], None] = _send,
        folders: Callable[[Path], list[Path]] | None = None,
        serves: Callable[[Path], bool] | None = None,
    ) -> None:
        self._send = send
        self._folders = folders or _trash_folders
        self._serves = serves or _has_trash

    def places(self, victim: FileStamp) -> Iterator[Place]:
        if self._serves(victim.path):
            yield Place(PlaceKind.ELSEWHERE, None)

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        status = folder.status(name)
        if status is None:
            raise FileNotFoundError(victim)
        self._send(victim)
        return self.find(FileStamp.of(victim, status)) or place

    def find(self, victim: FileStamp) -> Place | None:
        """Where the trash keeps the file; None when it cannot be found."""
        for folder in self._folders(victim.path):
            with contextlib.suppress(OSError), os.scandir(folder) as entries:
                for entry in entries:
                    with contextlib.suppress(OSError):
                        status = os.lstat(entry.path)
                        if (status.st_dev, status.st_ino) == (victim.device, victim.inode):
                            return Place(PlaceKind.TRASH, Path(entry.path), _note_of(Path(entry.path)))
        return None

    def forget(self, place: Place) -> None:
        if place.info is not None:
            remove_quietly(place.info)


def _note_of(path: Path) -> Path | None:
    """Windows keeps `$I...` beside `$R...`; macOS keeps no note."""
    return path.with_name("$I" + path.name[2:]) if path.name.startswith("$R") else None


def _trash_folders(victim: Path) -> list[Path]:
    if sys.platform == "win32":
        bins = Path(victim.anchor) / "$Recycle.Bin"
        with contextlib.suppress(OSError):
            return [bin_of_user for bin_of_user in bins.iterdir() if bin_of_user.is_dir()]
        return []
    return [Path.home() / ".Trash", *(top / ".Trashes" / str(os.getuid()) for top in victim.parents)]


def _has_trash(victim: Path) -> bool:
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetDriveTypeW(victim.anchor) == _FIXED_DRIVE)
    return True
