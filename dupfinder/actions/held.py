"""Give files their names back that have a holding name but are not in the journal.

`recover` settles all steps in the journal. If the journal was lost, or is on another computer, a file may keep its
holding name, which contains its original name.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dupfinder.actions import moving
from dupfinder.actions.folder import Folder
from dupfinder.actions.journal import Journal
from dupfinder.base.details import error_name
from dupfinder.base.paths import held_name

NO_NAME = "no_name"  # a failure: the holding name contains no original name


@dataclass(frozen=True, slots=True)
class GivenBack:
    """The result for one file or folder with a holding name.

    at: where it was.   name: where it is now; None if it could not be renamed.
    failure: the system's error name, or NO_NAME.
    """

    at: Path
    name: Path | None
    failure: str = ""


def give_back_held(places: Iterable[Path], journal: Journal) -> list[GivenBack]:
    """Rename each file and folder with a holding name that is, or is below, one of `places` to its original name.

    Nothing is overwritten: if the name is taken, the file gets a similar one. Symbolic links are not followed.
    Raises LibraryLocked while a removal runs; call `undo.recover` first.
    """
    with journal.lock():
        known = {
            path: outcome.step.victim.path.name
            for batch in journal.batches()
            for outcome in batch.outcomes
            if outcome.intent is not None
            for path in (outcome.intent.holding, outcome.intent.spare)
            if path is not None
        }
        waiting = [Path(os.path.abspath(path)) for path in places]
        results = []
        for start in waiting:
            for path in _held(start):
                result = _give_back(path, known.get(path) or held_name(path.name) or "")
                results.append(result)
                if result.name is not None and not result.name.is_symlink():
                    waiting.append(result.name)  # a folder may contain files with holding names
        return results


def _held(place: Path) -> Iterator[Path]:
    """Yield `place` if it has a holding name, else all below it that have one, without contents of such folders."""
    if held_name(place.name) is not None:
        yield place
        return
    for folder, subfolders, files in os.walk(place):
        held = [name for name in (*subfolders, *files) if held_name(name) is not None]
        subfolders[:] = sorted(set(subfolders) - set(held))
        yield from (Path(folder, name) for name in sorted(held))


def _give_back(path: Path, own: str) -> GivenBack:
    """Give a file its original name back."""
    if not own:
        return GivenBack(path, None, NO_NAME)
    try:
        with Folder.open(path.parent) as folder:
            if folder.status(path.name) is None:
                return GivenBack(path, None, "ENOENT")
            name = moving.give_back(folder, path.name, path.with_name(own)) or path.with_name(own)
            return GivenBack(path, name) if name != path else GivenBack(path, None, "EACCES")
    except OSError as fault:
        return GivenBack(path, None, error_name(fault))
