"""Files under a holding name of which no journal knows any more: give each the name back that it carries.

`recover` settles whatever the journal knows. A journal that was lost, or that belongs to another computer, leaves a
file under its holding name, and that name tells whose it is.
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

NO_NAME = "no_name"  # a failure: the file carries no name of its own


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What became of one file or folder that had a holding name.

    at: where it was met.   name: where it is now; None while it could not be given a name.
    failure: the system's error name, or NO_NAME.
    """

    at: Path
    name: Path | None
    failure: str = ""


def give_back_held(places: Iterable[Path], journal: Journal) -> list[GivenBack]:
    """Give each file and folder its own name again that has a holding name and is, or lies below, one of `places`.

    Nothing is overwritten: where the own name is taken, the file stands beside it. Symbolic links are not followed.
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
        waiting = [Path(os.path.abspath(place)) for place in places]
        results = []
        for place in waiting:
            for path in _held(place):
                given = _give_back(path, known.get(path) or held_name(path.name) or "")
                results.append(given)
                if given.name is not None and not given.name.is_symlink():
                    waiting.append(given.name)  # a folder, with what has a holding name in it
        return results


def _held(place: Path) -> Iterator[Path]:
    """What has a holding name: `place`, or else what is below it, without what is in folders of such a name."""
    if held_name(place.name) is not None:
        yield place
        return
    for folder, below, files in os.walk(place):
        held = [name for name in (*below, *files) if held_name(name) is not None]
        below[:] = sorted(set(below) - set(held))
        yield from (Path(folder, name) for name in sorted(held))


def _give_back(path: Path, own: str) -> GivenBack:
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
