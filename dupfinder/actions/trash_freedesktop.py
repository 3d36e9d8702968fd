"""The trash of Linux desktops, by the freedesktop.org Trash specification 1.0.

Names are bytes: names that are not UTF-8, contain a newline or have 255 bytes can be trashed and restored.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final
from urllib.parse import quote_from_bytes

from dupfinder.actions.folder import Folder
from dupfinder.actions.places import LONGEST_NAME, Place, PlaceKind
from dupfinder.actions.trash import TRIES, free_names, make_private, remove_quietly
from dupfinder.base.stamp import FileStamp

INFO_SUFFIX: Final = ".trashinfo"
_OCTAL: Final = re.compile(rb"\\([0-7]{3})")  # escaped spaces and line ends in mountinfo
_LONGEST: Final = LONGEST_NAME - len(INFO_SUFFIX)


class FreedesktopTrash:
    """Home trash for files on its volume; `.Trash/$uid` or `.Trash-$uid` at the top of other volumes."""

    by_name = False

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
        data = environment.get("XDG_DATA_HOME", "")
        home = Path(environment["HOME"]) if environment.get("HOME") else Path.home()
        self._home = (Path(data) if os.path.isabs(data) else home / ".local" / "share") / "Trash"
        self._uid = os.getuid() if uid is None else uid
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
                names = (name for name in free_names(files, victim.path.name, _LONGEST) if _has_no_note(info, name))
                for name in itertools.islice(names, TRIES):
                    yield Place(PlaceKind.TRASH, files / name, info / (name + INFO_SUFFIX))
            except OSError:
                continue  # this one cannot be created or written; try the next

    def _trashes(self, victim: FileStamp) -> Iterator[Path]:
        """Yield the trash folders of the victim's volume."""
        top = self._top_of(victim.path)
        if _device_of_nearest(self._home) == victim.device and self._top_of(self._home) == top:
            yield self._home
        shared = top / ".Trash"
        if _is_sticky_folder(shared):
            user_trash = shared / str(self._uid)
            with contextlib.suppress(OSError):
                user_trash.mkdir(mode=0o700)
            if self._is_own_folder(user_trash):
                yield user_trash
        user_trash = top / f".Trash-{self._uid}"
        with contextlib.suppress(OSError):
            user_trash.mkdir(mode=0o700)
        if self._is_own_folder(user_trash):
            yield user_trash

    def _is_own_folder(self, path: Path) -> bool:
        """Tell whether a path is a folder of this user."""
        try:
            status = os.lstat(path)
        except OSError:
            return False
        return stat.S_ISDIR(status.st_mode) and status.st_uid == self._uid

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        """Write the note, then move the file. Raises OSError."""
        assert place.path is not None and place.info is not None
        with Folder.open(place.info.parent) as info:
            _write(info, place.info.name, self._note(victim, place.path.parent.parent))
            try:
                with Folder.open(place.path.parent) as files:
                    folder.move_exclusively(name, files, place.path.name)
                    files.sync()
            except OSError:
                remove_quietly(place.info)
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

    def forget(self, place: Place) -> None:
        """Remove the note."""
        if place.info is not None:
            remove_quietly(place.info)


def _write(folder: Folder, name: str, note: bytes) -> None:
    """Create a note and flush it to the disk. Raises OSError."""
    descriptor = folder.create(name, 0o600)
    try:
        with open(descriptor, "wb") as stream:
            stream.write(note)
            stream.flush()
            os.fsync(stream.fileno())
    except OSError:
        remove_quietly(folder.path / name)
        raise


def _has_no_note(info: Path, name: str) -> bool:
    """Tell whether there is no note of this name."""
    return not os.path.lexists(info / (name + INFO_SUFFIX))


def _is_sticky_folder(path: Path) -> bool:
    """Tell whether a path is a folder with the sticky bit, as the specification requires of `.Trash`."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and bool(status.st_mode & stat.S_ISVTX)


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
    return frozenset(Path(os.fsdecode(_OCTAL.sub(_unescape, line.split(b" ")[4]))) for line in lines)


def _unescape(match: re.Match[bytes]) -> bytes:
    """Return the byte of an octal escape."""
    return bytes([int(match[1], 8)])
