"""Trash: what every system's trash can do for `apply` and `undo`, and the quarantine that stands in for it."""

from __future__ import annotations

import contextlib
import itertools
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Protocol

from dupfinder.actions.folder import Folder
from dupfinder.actions.places import LONGEST_NAME, QUARANTINE_NAME, Place, PlaceKind, shortened
from dupfinder.base.stamp import FileStamp

TRIES: Final = 3  # places tried in one folder: another program may take a free name first
_NUMBERED: Final = 50  # names that are tried as "name.2", "name.3", ...; then random ones, which need no search


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
