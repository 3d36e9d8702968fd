"""The trash of this system: on Windows and macOS by send2trash, elsewhere by the freedesktop.org specification.

Windows and macOS do not tell where they put a file. It keeps its identity, so it is searched in the folders that the
system uses; if it is not found there, undo cannot restore it, and says so.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from dupfinder.actions.folder import Folder
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.trash import Trash, remove_quietly
from dupfinder.actions.trash_freedesktop import FreedesktopTrash
from dupfinder.base.stamp import FileStamp

_FIXED_DRIVE: Final = 3  # GetDriveTypeW: DRIVE_FIXED; on others Windows may delete for good


def system_trash() -> Trash:
    """Return the trash of this system."""
    return NativeTrash() if sys.platform in ("win32", "darwin") else FreedesktopTrash()


def _send(path: Path) -> None:
    """Move a file to the system's trash."""
    from send2trash import send2trash  # loads the system's frameworks

    send2trash(os.fspath(path))


class NativeTrash:
    """The system's trash.

    send: moves a file there. folders: returns where it may be then. serves: tells for which files there is a trash.
    """

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
        """Yield the one place, of unknown path, if there is a trash for the victim."""
        if self._serves(victim.path):
            yield Place(PlaceKind.ELSEWHERE, None)

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
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
                        status = os.lstat(entry.path)
                        if (status.st_dev, status.st_ino) == (victim.device, victim.inode):
                            return Place(PlaceKind.TRASH, Path(entry.path), _note_of(Path(entry.path)))
        return None

    def forget(self, place: Place) -> None:
        """Remove the note."""
        if place.info is not None:
            remove_quietly(place.info)


def _note_of(path: Path) -> Path | None:
    """Return the note of a file in the trash: `$I...` beside `$R...` on Windows; None on macOS."""
    return path.with_name("$I" + path.name[2:]) if path.name.startswith("$R") else None


def _trash_folders(victim: Path) -> list[Path]:
    """Return the folders in which the system may put the file."""
    if sys.platform == "win32":
        bins = Path(victim.anchor) / "$Recycle.Bin"
        with contextlib.suppress(OSError):
            return [user_bin for user_bin in bins.iterdir() if user_bin.is_dir()]
        return []
    return [Path.home() / ".Trash", *(top / ".Trashes" / str(os.getuid()) for top in victim.parents)]


def _has_trash(victim: Path) -> bool:
    """Tell whether there is a trash for this file."""
    if sys.platform == "win32":
        return bool(ctypes.windll.kernel32.GetDriveTypeW(victim.anchor) == _FIXED_DRIVE)
    return True
