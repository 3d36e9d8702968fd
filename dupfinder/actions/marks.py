"""Marks: what a file has beside its name and its bytes, read before it goes and given back when it returns."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Mark(StrEnum):
    """A mark that the system may refuse to give back."""

    OWNER = "owner"
    ATTRIBUTES = "attributes"
    MODE = "mode"
    TIMES = "times"


@dataclass(frozen=True, slots=True)
class Marks:
    """mode: permission bits.   mtime_ns, atime_ns: times.

    owner:      the numbers of user and group; None where the system has none.
    attributes: extended attributes by name, ascending; access control lists are among them.
    """

    mode: int
    mtime_ns: int
    atime_ns: int
    owner: tuple[int, int] | None = None
    attributes: tuple[tuple[str, bytes], ...] = ()


def of(status: os.stat_result, attributes: Mapping[str, bytes]) -> Marks:
    """The marks of the file that `status` describes."""
    owner = None if os.name == "nt" else (status.st_uid, status.st_gid)
    ordered = tuple(sorted(attributes.items()))
    return Marks(stat.S_IMODE(status.st_mode), status.st_mtime_ns, status.st_atime_ns, owner, ordered)


def attributes_of(descriptor: int) -> dict[str, bytes]:
    """The extended attributes of an open file, as far as they can be read; none where the file system keeps none."""
    found: dict[str, bytes] = {}
    if not hasattr(os, "listxattr"):
        return found
    with contextlib.suppress(OSError):
        for name in os.listxattr(descriptor):
            with contextlib.suppress(OSError):
                found[name] = os.getxattr(descriptor, name)
    return found


def give(descriptor: int, marks: Marks) -> tuple[Mark, ...]:
    """Give an open file these marks, as far as the system lets it; those that it does not have afterwards.

    The owner comes first, for a change of owner takes permission bits away; the times last, for all else may move them.
    """
    _give_owner(descriptor, marks)
    _give_attributes(descriptor, marks)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != marks.mode:
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, marks.mode)
    with contextlib.suppress(OSError):
        os.utime(descriptor, ns=(marks.atime_ns, marks.mtime_ns))
    return _missing(of(os.fstat(descriptor), attributes_of(descriptor)), marks)


def _give_owner(descriptor: int, marks: Marks) -> None:
    status = os.fstat(descriptor)
    if marks.owner is None or marks.owner == (status.st_uid, status.st_gid):
        return
    for user in (marks.owner[0], -1):  # who may not give a file away may still give it to a group of theirs
        with contextlib.suppress(OSError):
            os.fchown(descriptor, user, marks.owner[1])
            return


def _give_attributes(descriptor: int, marks: Marks) -> None:
    there, wanted = attributes_of(descriptor), dict(marks.attributes)
    if there == wanted:
        return
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, 0o600)  # without the right to write, the owner may not set them either
    for name in there.keys() - wanted.keys():
        with contextlib.suppress(OSError):
            os.removexattr(descriptor, name)
    for name, value in wanted.items():
        if there.get(name) != value:
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, name, value)


def _missing(has: Marks, wanted: Marks) -> tuple[Mark, ...]:
    differs = {
        Mark.OWNER: wanted.owner is not None and has.owner != wanted.owner,
        Mark.ATTRIBUTES: not set(wanted.attributes) <= set(has.attributes),
        Mark.MODE: has.mode != wanted.mode,
        Mark.TIMES: has.mtime_ns != wanted.mtime_ns,
    }
    return tuple(mark for mark, missing in differs.items() if missing)
