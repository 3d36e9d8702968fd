"""An index on disk, which grows, forgets, and is opened without reading it whole."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

import numpy as np

from dupfinder.api import checks
from dupfinder.api.checks import Array
from dupfinder.api.errors import explained, require_same
from dupfinder.api.fingerprints import Fingerprint, Fingerprints
from dupfinder.api.searching import design_named, number_to_find
from dupfinder.base.files import Closable
from dupfinder.engine import growing
from dupfinder.engine.coding import Coding
from dupfinder.engine.folder import IndexMatches, IndexSummary
from dupfinder.index.design import family
from dupfinder.index.join import join
from dupfinder.index.pairs import Pairs
from dupfinder.index.words import width_of


@explained()
def write_index(
    folder: str | os.PathLike[str],
    fingerprints: Array | Fingerprints,
    radius: int = 3,
    *,
    design: str | None = None,
    coding: str = "xor",
    paths: Sequence[str] | None = None,
) -> None:
    """Write an index of fingerprints, also of none, into a new folder. It appears complete or not at all.

    coding: how a sorted key is stored, as its "xor" with or "difference" from the key before. paths: one for each
    fingerprint, "" for none.
    Raises IndexFileError when the folder exists, DiskFullError, OSError; ValueError for 128 bits and for texts without
    words to compare.
    """
    array, made_by = _values(fingerprints)
    within = checks.radius_of(radius)
    checks.one_of("coding", coding, tuple(Coding))
    bits = width_of(array)
    if bits > 64:
        raise ValueError("compressed tables hold fingerprints of 32 or 64 bits, not 128")
    chosen = design_named(design, bits, within) or family(bits, within, blocks=within + 1)
    names, path = _paths(paths, len(array)), checks.path_of("folder", folder)
    growing.write_index(path, array, chosen, coding=Coding(coding), paths=names, made_by=made_by)


@explained()
def open_index(folder: str | os.PathLike[str]) -> DiskIndex:
    """Open the index in a folder, which `write_index` or `dupfinder index build` wrote. Raises IndexFileError."""
    path = checks.path_of("folder", folder)
    return DiskIndex(growing.FolderIndex(path))


class DiskIndex(Closable):
    """An open index on disk; a context manager, for one thread. `open_index` makes it.

    Rows are numbered in the order of adding, and no number is used again. Each change is complete when its call
    returns; a process that is killed loses at most its own change. Several processes may read while one changes; they
    see the newest state. Raises IndexLocked while another process changes the index, IndexFileError for files that are
    missing or damaged, DiskFullError.
    """

    def __init__(self, index: growing.FolderIndex) -> None:
        self._index = index
        self.radius = index.design.radius
        self.bits = index.design.bits

    def close(self) -> None:
        """Close the files."""
        self._index.close()

    def __len__(self) -> int:
        return len(self._index)

    def add(
        self, fingerprints: Array | Fingerprints, paths: Sequence[str] | None = None, *, replace: bool = False
    ) -> range:
        """Add fingerprints, all or none, and return their rows.

        paths: one for each, "" for none. replace: remove earlier rows with the same paths in the same step.
        Raises ValueError for another width and for texts without words to compare, MixedSchemes.
        """
        array, made_by = _values(fingerprints)
        if width_of(array) != self.bits:
            raise ValueError(f"the index is for fingerprints of {self.bits} bits, not {width_of(array)}")
        self._require_scheme(made_by)
        names = _paths(paths, len(array))
        with explained():
            return self._index.add(array, names, replace_paths=bool(replace), made_by=made_by)

    @explained()
    def remove(self, rows: Iterable[int] = (), *, paths: Iterable[str] = ()) -> int:
        """Remove rows by their numbers or paths, all or none; return how many. Raises KeyError for unknown ones."""
        numbers = {checks.whole_number("row", row, 0) for row in checks.many("rows", rows, "row numbers")}
        for path, rows_of_path in self.rows_of(paths).items():
            if not rows_of_path:
                raise KeyError(f"the path {path!r} is not in the index")
            numbers.update(rows_of_path)
        with _named_rows():
            self._index.remove(numbers)
        return len(numbers)

    def query(self, fingerprint: Fingerprint | int, radius: int | None = None) -> IndexMatches:
        """Find the rows within `radius` bits (None: the index's): columns `rows`, `fingerprints`, `distance`."""
        within = checks.radius_or(self.radius, radius)
        number = number_to_find(fingerprint, self.bits)
        if isinstance(fingerprint, Fingerprint):
            self._require_scheme(fingerprint.scheme)
        with explained():
            return self._index.query(number, within)

    @explained()
    def join(self, radius: int | None = None) -> Pairs:
        """Find all pairs of rows within `radius` bits (None: the index's). Holds all fingerprints in memory."""
        within = checks.radius_or(self.radius, radius)
        rows, values = self._index.fingerprints()
        pairs = join(values, within)
        return Pairs(rows[pairs.left], rows[pairs.right], pairs.distance)

    @explained()
    def paths(self, rows: Iterable[int]) -> list[str]:
        """Return the path of each row, "" for a row without. Raises KeyError for a row that is not in the index."""
        numbers = [checks.whole_number("row", row, 0, 2**32 - 1) for row in checks.many("rows", rows, "row numbers")]
        with _named_rows():
            return self._index.paths(numbers)

    @explained()
    def rows_of(self, paths: Iterable[str]) -> dict[str, list[int]]:
        """Return the rows that have each of these paths. Reads all paths of the index."""
        return self._index.rows_of(checks.many("paths", paths, "paths"))

    @explained()
    def merge(self) -> None:
        """Merge all runs into one without the removed rows: smaller, and faster to query."""
        self._index.merge()

    @explained()
    def verify(self) -> None:
        """Read all files and compare their checksums. Raises IndexFileError."""
        self._index.verify()

    @explained()
    def facts(self) -> IndexSummary:
        """Return what the index holds, and its size in bytes."""
        return self._index.facts()

    def _require_scheme(self, made_by: str) -> None:
        """Raise MixedSchemes for fingerprints that were made in another way than those of the index."""
        if made_by and self._index.made_by:
            require_same(self._index.made_by, made_by, "fingerprints")


@contextmanager
def _named_rows() -> Iterator[None]:
    """Turn a KeyError for a row into one whose message is a sentence."""
    try:
        yield
    except KeyError as error:
        raise KeyError(f"the row {error.args[0]} is not in the index") from None


def _values(fingerprints: Array | Fingerprints) -> tuple[Array, str]:
    """Return fingerprints as an array, and how they were made, "" if unknown. Raises TypeError, ValueError."""
    if not isinstance(fingerprints, Fingerprints):
        return checks.fingerprint_array("fingerprints", fingerprints), ""
    if not fingerprints.comparable.all():
        row = int(np.flatnonzero(~fingerprints.comparable)[0])
        raise ValueError(f"the text of row {row} has no words to compare, so it has no place in an index; leave it out")
    return fingerprints.values, fingerprints.scheme.made_by


def _paths(paths: Sequence[str] | None, count: int) -> list[str] | None:
    """Return the paths of `count` fingerprints. Raises TypeError, ValueError."""
    if paths is None:
        return None
    names = list(checks.many("paths", paths, "paths"))
    if not all(isinstance(name, str) for name in names):
        raise TypeError("each of the paths is a str")
    if len(names) != count:
        raise ValueError(f"there are {len(names)} paths for {count} fingerprints")
    if any("\0" in name for name in names):
        raise ValueError("a path holds no zero byte")
    return names
