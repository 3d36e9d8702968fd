"""Give a victim that was replaced by a hard link its own bytes again, and never lay them over what was saved meanwhile.

The copy is made under a spare name. Then the link is taken in hand under its holding name and looked at once more; only
a name that is free receives the copy. Until then the link holds the bytes, from then on the copy does.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from dupfinder.actions import moving
from dupfinder.actions.folder import Folder, identity
from dupfinder.actions.marks import Mark
from dupfinder.actions.outcome import Intent
from dupfinder.base.paths import HOLDING_PREFIX, SPARE_PREFIX


class Changed(Exception):
    """The link was replaced or edited since it was looked at; whatever has its name was left alone."""


def spare_of(intent: Intent) -> Path:
    """The name of a copy on its way back, before it has the victim's name."""
    return intent.step.victim.path.with_name(SPARE_PREFIX + intent.holding.name.removeprefix(HOLDING_PREFIX))


def separate(folder: Folder, intent: Intent) -> tuple[Mark, ...]:
    """Do it, in the victim's folder; the marks that the copy could not be given.

    Changed, FileExistsError or another OSError: the name has what it had, or what another program gave it.
    """
    victim, spare, held = intent.step.victim.path, spare_of(intent).name, intent.holding.name
    linked = folder.status(victim.name)
    if linked is None:
        raise Changed
    if linked.st_nlink == 1:
        return ()  # it has its own bytes already
    moving.remove_if_there(folder, spare)
    try:
        moving.make_copy(folder, victim.name, folder, spare, replace(intent, spare=spare_of(intent)))
        missing = moving.give_marks(folder, spare, intent.marks)
        folder.rename(victim.name, folder, held)
        try:
            if not _is_still(folder, held, linked):
                raise Changed
            folder.move_exclusively(spare, folder, victim.name)
        except (OSError, Changed):
            _give_back(folder, intent)
            raise
    finally:
        moving.remove_if_there(folder, spare)
    folder.sync()
    _let_go(folder, intent)
    return missing


def _is_still(folder: Folder, name: str, linked: os.stat_result) -> bool:
    """Whether `name` is the link that was copied, not written since. A change of name moves its change time."""
    status = folder.status(name)
    return (
        status is not None
        and identity(status) == identity(linked)
        and (status.st_size, status.st_mtime_ns) == (linked.st_size, linked.st_mtime_ns)
    )


def _let_go(folder: Folder, intent: Intent) -> None:
    """Take the holding name from the link, unless that is the only name of bytes that are nowhere else."""
    status = folder.status(intent.holding.name)
    if status is None:
        return
    if status.st_nlink > 1 or moving.hash_in(folder, intent.holding.name) == intent.step.victim.content_hash:
        folder.remove_name(intent.holding.name)
    else:
        moving.where_else(folder, intent.holding.name, intent.step.victim.path)


def _give_back(folder: Folder, intent: Intent) -> None:
    """Give what is in hand its name again. Where that is taken now, our link goes, and anything else stands beside."""
    victim, held = intent.step.victim.path, intent.holding.name
    status = folder.status(held)
    if status is None:
        return
    if folder.status(victim.name) is not None and identity(status) == intent.step.keeper.identity:
        _let_go(folder, intent)
        return
    moving.give_back(folder, held, victim)


def settle(folder: Folder, intent: Intent) -> bool:
    """Bring to an end what a kill interrupted; whether the victim has its own bytes now."""
    victim, held = intent.step.victim.path, folder.status(intent.holding.name)
    there = folder.status(victim.name)
    if held is not None and there is None:
        _give_back(folder, intent)
        return False
    back = there is not None and moving.hash_in(folder, victim.name) == intent.step.victim.content_hash
    if held is None:
        return back and there is not None and there.st_nlink == 1
    apart = there is not None and identity(held) != identity(there)
    _give_back(folder, intent)
    return back and apart
