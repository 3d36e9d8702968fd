"""Give a victim that was replaced by a hard link its own bytes again, without overwriting anything saved meanwhile.

The copy is made under a spare name. Then the link gets its holding name and is checked again, and the copy gets the
victim's name if that is still free. So at every moment either the link or the copy holds the bytes.
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
    """The link was replaced or edited since the check; it was left alone."""


def spare_of(intent: Intent) -> Path:
    """Return the name of the copy before it gets the victim's name."""
    return intent.step.victim.path.with_name(SPARE_PREFIX + intent.holding.name.removeprefix(HOLDING_PREFIX))


def separate(folder: Folder, intent: Intent) -> tuple[Mark, ...]:
    """Replace the link in the victim's folder by a copy. Returns the marks that the system did not allow.

    Raises Changed, FileExistsError or another OSError: then the name still has what it had, or what another program
    saved.
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
    _remove_holding_name(folder, intent)
    return missing


def _is_still(folder: Folder, name: str, linked: os.stat_result) -> bool:
    """Tell whether `name` is the link that was copied, unchanged. Its change time is moved by renaming."""
    status = folder.status(name)
    return (
        status is not None
        and identity(status) == identity(linked)
        and (status.st_size, status.st_mtime_ns) == (linked.st_size, linked.st_mtime_ns)
    )


def _remove_holding_name(folder: Folder, intent: Intent) -> None:
    """Remove the link's holding name, unless it is the only name of bytes without another copy."""
    status = folder.status(intent.holding.name)
    if status is None:
        return
    if status.st_nlink > 1 or moving.hash_in(folder, intent.holding.name) == intent.step.victim.content_hash:
        folder.remove_name(intent.holding.name)
    else:
        moving.give_similar_name(folder, intent.holding.name, intent.step.victim.path)


def _give_back(folder: Folder, intent: Intent) -> None:
    """Give the held file its name back. If the name is taken, remove our link, or give another file a similar name."""
    victim, held = intent.step.victim.path, intent.holding.name
    status = folder.status(held)
    if status is None:
        return
    if folder.status(victim.name) is not None and identity(status) == intent.step.keeper.identity:
        _remove_holding_name(folder, intent)
        return
    moving.give_back(folder, held, victim)


def settle(folder: Folder, intent: Intent) -> bool:
    """Complete what a kill interrupted. Returns whether the victim has its own bytes now."""
    victim, held = intent.step.victim.path, folder.status(intent.holding.name)
    status = folder.status(victim.name)
    if held is not None and status is None:
        _give_back(folder, intent)
        return False
    has_bytes = status is not None and moving.hash_in(folder, victim.name) == intent.step.victim.content_hash
    if held is None:
        return has_bytes and status is not None and status.st_nlink == 1
    is_separate = status is not None and identity(held) != identity(status)
    _give_back(folder, intent)
    return has_bytes and is_separate
