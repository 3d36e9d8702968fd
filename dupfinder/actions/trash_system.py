"""The trash of this system: of Windows and macOS through send2trash, elsewhere that of freedesktop.org.

Windows and macOS do not tell where a file went. It keeps its identity there, though, so it is looked for in the folders
that the system uses; only when it is not found can the journal not bring it back, and says so.
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

_FIXED_DRIVE: Final = 3  # GetDriveTypeW: DRIVE_FIXED; others may delete for good instead of recycling


def system_trash() -> Trash:
    """The trash of this system."""
    return NativeTrash() if sys.platform in ("win32", "darwin") else FreedesktopTrash()


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
