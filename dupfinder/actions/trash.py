"""Trash: the interface to each system's trash, and the quarantine used instead on volumes without one."""

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

TRIES: Final = 3  # places tried in one folder, since another program may take a name first
_NUMBERED: Final = 50  # names tried as "name.2", "name.3", ...; then random names


class Trash(Protocol):
    """A system's trash.

    by_name: it takes files under their original names only, and may not tell where it put them.
    """

    by_name: bool

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield free places for a victim on its volume, best first; none if the volume has no trash."""

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        """Move the file `name` in `folder`, whose original path is `victim`, to `place`. Returns where it is.

        Raises OSError and leaves the file as it was.
        """

    def forget(self, place: Place) -> None:
        """Remove the trash's note about a file that left `place`. Never fails."""


class Quarantine:
    """A folder on the victim's volume, for volumes without a trash. Only the journal knows the original names."""

    by_name = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def places(self, victim: FileStamp) -> Iterator[Place]:
        """Yield free places in the folder, which is created; none if it is on another volume."""
        make_private(self._folder)
        if os.path.islink(self._folder) or os.stat(self._folder).st_dev != victim.device:
            return
        for name in itertools.islice(free_names(self._folder, victim.path.name), TRIES):
            yield Place(PlaceKind.QUARANTINE, self._folder / name)

    def put(self, folder: Folder, name: str, victim: Path, place: Place) -> Place:
        """Move the file to its place. Raises OSError."""
        assert place.path is not None
        with Folder.open(place.path.parent, below=place.path.parent.parent) as to:
            folder.move_exclusively(name, to, place.path.name)
            to.sync()
        return place

    def forget(self, place: Place) -> None:
        """Do nothing: there are no notes."""
        return None


def quarantine_for(root: Path, chosen: Path | None) -> Quarantine:
    """Return the chosen quarantine, or the one in the victim's root (beside it, if the root is a file)."""
    return Quarantine(chosen or (root if root.is_dir() else root.parent) / QUARANTINE_NAME)


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


def remove_quietly(path: Path) -> None:
    """Remove a note of dupfinder's, if it exists and may be removed."""
    with contextlib.suppress(OSError):
        path.unlink()
