"""Check by landmarks in the folders whether workers on other machines see the same folders under the same paths."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Final

from dupfinder.base.details import error_name
from dupfinder.base.errors import Fault
from dupfinder.base.files import reading
from dupfinder.engine.remote import WorkerRefusal

MOST_LANDMARKS: Final = 200  # files and folders by which roots are known
_HASHED: Final = 20  # of these, files whose first bytes are compared too
_HEAD: Final = 4096  # bytes
_LEAST_UNCHANGED: Final = 0.9  # least share of landmarks that a worker sees unchanged; a few files change meanwhile


@dataclass(frozen=True, slots=True)
class Landmark:
    """A file or folder by which a root is known. size: -1 for a folder. head: hash of the first bytes; "": not read."""

    path: Path
    size: int
    mtime_ns: int
    head: str = ""


def landmarks_of(roots: Sequence[Path]) -> dict[Path, list[Landmark]]:
    """Return what this machine sees of each root, a folder or a file: some files and folders of its upper levels."""
    return {path: _landmarks(path, max(2, MOST_LANDMARKS // len(roots))) for path in roots}


def _landmarks(root: Path, most: int) -> list[Landmark]:
    """Return landmarks of one root, level by level."""
    paths, level = [root], [root]
    while level and len(paths) < most:
        children = list(islice(chain.from_iterable(map(_children, level)), most))
        paths += children
        level = [path for path in children if os.path.isdir(path) and not os.path.islink(path)]
    seen = (_seen(path, number < _HASHED) for number, path in enumerate(paths[:most]))
    return [landmark for landmark in seen if isinstance(landmark, Landmark)]


def _children(folder: Path) -> Iterator[Path]:
    """Yield the paths in a folder, none if it cannot be listed."""
    try:
        with os.scandir(folder) as listing:
            yield from (folder / child.name for child in listing)
    except OSError:
        return


def _seen(path: Path, is_hashed: bool) -> Landmark | OSError:
    try:
        status = os.stat(path)
        if path.is_dir():
            return Landmark(path, -1, 0)
        if not path.is_file() or not is_hashed:
            return Landmark(path, status.st_size, status.st_mtime_ns)
        with reading(path) as descriptor:
            head = hashlib.blake2b(os.read(descriptor, _HEAD), digest_size=8).hexdigest()
        return Landmark(path, status.st_size, status.st_mtime_ns, head)
    except OSError as error:
        return error


def refusal_of_roots(landmarks: Mapping[Path, Sequence[Landmark]]) -> WorkerRefusal | None:
    """Return which root this worker does not see, or sees with other contents. Runs on a worker."""
    for root, marks in landmarks.items():
        seen_here = [_seen(mark.path, bool(mark.head)) for mark in marks]
        of_root = seen_here[0] if seen_here else None
        if isinstance(of_root, OSError):
            return WorkerRefusal(Fault.NO_SHARE, {"path": root, "reason": error_name(of_root)})
        unchanged = sum(mark == seen for mark, seen in zip(marks, seen_here, strict=True))
        if unchanged < _LEAST_UNCHANGED * len(marks):
            return WorkerRefusal(Fault.OTHER_SHARE, {"path": root})
    return None
