"""Metadata: a file's owner, permissions, times and attributes, stored before it is removed and restored by undo."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class MetadataKind(StrEnum):
    """A kind of metadata that the system may refuse to restore."""

    OWNER = "owner"
    ATTRIBUTES = "attributes"
    MODE = "mode"
    TIMES = "times"


@dataclass(frozen=True, slots=True)
class Metadata:
    """The metadata of one file.

    mode:               permission bits.
    mtime_ns, atime_ns: times of modification and access, in ns since the epoch.
    owner:              ids of user and group; None if the system has none.
    attributes:         extended attributes, sorted by name; they include access control lists.
    """

    mode: int
    mtime_ns: int
    atime_ns: int
    owner: tuple[int, int] | None = None
    attributes: tuple[tuple[str, bytes], ...] = ()


def of(status: os.stat_result, attributes: Mapping[str, bytes]) -> Metadata:
    owner = None if sys.platform == "win32" else (status.st_uid, status.st_gid)
    ordered = tuple(sorted(attributes.items()))
    return Metadata(stat.S_IMODE(status.st_mode), status.st_mtime_ns, status.st_atime_ns, owner, ordered)


def attributes_of(descriptor: int) -> dict[str, bytes]:
    """Return the readable extended attributes of an open file; {} if the file system has none."""
    attributes: dict[str, bytes] = {}
    if sys.platform != "linux":  # Python has no calls for them elsewhere
        return attributes
    with contextlib.suppress(OSError):
        for name in os.listxattr(descriptor):
            with contextlib.suppress(OSError):
                attributes[name] = os.getxattr(descriptor, name)
    return attributes


def give(descriptor: int, metadata: Metadata) -> tuple[MetadataKind, ...]:
    """Set the metadata of an open file, as far as the system allows. Return the kinds that it did not allow.

    Not on Windows, which sets them by the file's name.
    The owner is set first, because changing it clears permission bits; the times last, because the others change them.
    """
    if sys.platform == "win32":
        raise NotImplementedError
    _give_owner(descriptor, metadata)
    _give_attributes(descriptor, metadata)
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != metadata.mode:
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, metadata.mode)
    with contextlib.suppress(OSError):
        os.utime(descriptor, ns=(metadata.atime_ns, metadata.mtime_ns))
    return missing(of(os.fstat(descriptor), attributes_of(descriptor)), metadata)


def _give_owner(descriptor: int, metadata: Metadata) -> None:
    """Set the owner, or the group alone."""
    if sys.platform == "win32":
        raise NotImplementedError
    status = os.fstat(descriptor)
    if metadata.owner is None or metadata.owner == (status.st_uid, status.st_gid):
        return
    for user in (metadata.owner[0], -1):  # without the right to change the owner, the group may be changed
        with contextlib.suppress(OSError):
            os.fchown(descriptor, user, metadata.owner[1])
            return


def _give_attributes(descriptor: int, metadata: Metadata) -> None:
    """Set the extended attributes and remove others."""
    present, expected = attributes_of(descriptor), dict(metadata.attributes)
    if sys.platform != "linux" or present == expected:
        return
    with contextlib.suppress(OSError):
        os.fchmod(descriptor, 0o600)  # the owner needs write permission for this
    for name in present.keys() - expected.keys():
        with contextlib.suppress(OSError):
            os.removexattr(descriptor, name)
    for name, value in expected.items():
        if present.get(name) != value:
            with contextlib.suppress(OSError):
                os.setxattr(descriptor, name, value)


def missing(present: Metadata, expected: Metadata) -> tuple[MetadataKind, ...]:
    """Return the kinds of metadata that differ from the expected ones."""
    differs = {
        MetadataKind.OWNER: expected.owner is not None and present.owner != expected.owner,
        MetadataKind.ATTRIBUTES: not set(expected.attributes) <= set(present.attributes),
        MetadataKind.MODE: present.mode != expected.mode,
        MetadataKind.TIMES: present.mtime_ns != expected.mtime_ns,
    }
    return tuple(kind for kind, is_missing in differs.items() if is_missing)
