"""Columns: ragged columns, runs of equal values, pairs of rows packed as one number; memory returned to the system."""

from __future__ import annotations

import ctypes
import mmap
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, Final, Self, TypeVar, get_args, get_type_hints

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
_Item = TypeVar("_Item", bound=np.generic)

GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio, odd: spreads its multiples (Knuth, TAOCP 3, 6.4)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_SHORT = 32  # values; longer stretches are copied faster as slices than value by value
_BLOCK = 1 << 18  # rows at a time: numpy converts row numbers to 64 bits before it uses them


def starts_of(lengths: Ints | NDArray[np.bool_] | Sequence[int]) -> NDArray[np.int64]:
    """Return where each entry of a ragged column starts, and the end of the last: int64 (n + 1,) for n lengths."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, dtype=np.int64, out=starts[1:])
    return starts


class Columns:
    """The base of dataclasses whose fields are columns: arrays of equal length, with one row for each thing."""

    __slots__ = ()

    def _columns(self) -> dict[str, NDArray[Any]]:
        return {column.name: getattr(self, column.name) for column in fields(self)}  # type: ignore[arg-type]

    def __len__(self) -> int:
        return len(next(iter(self._columns().values())))

    def take(self, chosen: NDArray[np.bool_] | Ints | slice) -> Self:
        """Return the rows that `chosen` (a mask, positions, or a slice) selects."""
        return type(self)(**{name: column[chosen] for name, column in self._columns().items()})

    def inserted(self, positions: Ints, rows: Self) -> Self:
        """Return the rows with each of `rows` before the row at its position, ascending."""
        return type(self)(
            **{name: np.insert(column, positions, getattr(rows, name)) for name, column in self._columns().items()}
        )

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """Return the rows of all parts, at least one, in the order of the parts."""
        columns = [part._columns() for part in parts]
        return cls(**{name: np.concatenate([part[name] for part in columns]) for name in columns[0]})

    @classmethod
    def dtypes(cls) -> dict[str, np.dtype[Any]]:
        """Return the declared dtype of each column, by its name."""
        declared = get_type_hints(cls)
        # NDArray[x] is ndarray[shape, dtype[x]]; in newer versions of numpy it is a name of its own, with x alone.
        scalars = {column.name: get_args(declared[column.name])[-1] for column in fields(cls)}  # type: ignore[arg-type]
        return {name: np.dtype((get_args(scalar) or (scalar,))[0]) for name, scalar in scalars.items()}

    @classmethod
    def none(cls) -> Self:
        """Return no rows, of columns with one dimension."""
        return cls(**{name: np.empty(0, dtype) for name, dtype in cls.dtypes().items()})


@dataclass(frozen=True, slots=True)
class Ragged:
    """Entries of different lengths in one array: entry i is values[starts[i]:starts[i + 1]].

    values: (total,). starts: int64 (n + 1,), ascending from 0 to total. A subclass may add columns (n,).
    """

    values: NDArray[Any]
    starts: NDArray[np.int64]

    @classmethod
    def joined(cls, parts: Sequence[Ragged]) -> Ragged:
        """Return the entries of all parts, at least one, in the order of the parts."""
        values = np.concatenate([part.values for part in parts])
        return Ragged(values, starts_of(np.concatenate([part.lengths for part in parts])))

    @classmethod
    def of_entries(cls, entries: Sequence[NDArray[Any]], dtype: Any) -> Ragged:
        values = np.concatenate([np.empty(0, dtype), *entries])
        return Ragged(values, starts_of([len(entry) for entry in entries]))

    def checked(self) -> Self:
        """Return the column itself. Raises ValueError if `starts` does not fit `values`."""
        values, starts = self.values, self.starts
        is_column = values.ndim == starts.ndim == 1 and starts.dtype == np.int64 and len(starts)
        if not is_column or starts[0] != 0 or starts[-1] != len(values) or (starts[1:] < starts[:-1]).any():
            raise ValueError("starts that do not cover the values")
        return self

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, row: int) -> NDArray[Any]:
        return self.values[self.starts[row] : self.starts[row + 1]]

    @property
    def lengths(self) -> NDArray[np.int64]:
        """int64 (n,), the number of values of each entry."""
        return self.starts[1:] - self.starts[:-1]

    def per_value(self, per_entry: NDArray[_Item]) -> NDArray[_Item]:
        """Repeat what is known of each entry for each of its values: (total,). per_entry: (n,)."""
        return np.repeat(per_entry, self.lengths)

    def counts(self, positions: NDArray[np.intp]) -> NDArray[np.int64]:
        """Count how many of the given positions, ascending, lie in each entry: int64 (n,)."""
        bounds = np.searchsorted(positions, self.starts)
        return bounds[1:] - bounds[:-1]

    def only(self, chosen: NDArray[np.bool_]) -> Self:
        """Return all entries, each with its chosen values alone. chosen: bool (total,)."""
        positions = np.flatnonzero(chosen)  # numpy takes values by their positions several times as fast as by a mask
        return replace(self, values=self.values[positions], starts=starts_of(self.counts(positions)))

    def take(self, rows: Ints) -> Self:
        """Return some entries, in this order, as a copy."""
        added = {column.name: getattr(self, column.name)[rows] for column in fields(self)[2:]}
        starts = starts_of(self.starts[rows + 1] - self.starts[rows])
        begins, lengths = runs(rows - np.arange(len(rows)))  # stretches of consecutive rows
        if starts[-1] < _SHORT * len(begins) or not len(rows):
            return replace(self, values=self.values[spans(self.starts, rows)[1]], starts=starts, **added)
        values, firsts = self.values.view(np.ndarray), rows[begins]  # slices of a mapped array take longer
        bounds = zip(self.starts[firsts].tolist(), self.starts[firsts + lengths].tolist(), strict=True)
        chosen = np.concatenate([values[start:stop] for start, stop in bounds])
        return replace(self, values=chosen, starts=starts, **added)


def blocks(count: int, size: int = _BLOCK) -> Iterator[slice]:
    """Yield slices that cover `count` rows, each of at most `size`."""
    return (slice(start, min(start + size, count)) for start in range(0, count, size))


def looked_up(table: NDArray[_Item], rows: Ints) -> NDArray[_Item]:
    """Return table[rows]: (n,). For many rows it takes less memory than indexing, as it goes block by block."""
    values = np.empty(len(rows), table.dtype)
    for block in blocks(len(rows)):
        values[block] = table[rows[block]]
    return values


def row_mask(count: int, *columns: Ints) -> NDArray[np.bool_]:
    """Return which of `count` rows are in at least one column: bool (count,). Goes block by block, as `looked_up`."""
    marks = np.zeros(count, np.bool_)
    for rows in columns:
        for block in blocks(len(rows)):
            marks[rows[block]] = True
    return marks


def release_mapped(column: NDArray[Any]) -> None:
    """Release the memory of a column that is mapped from a file; what is read later is loaded from the file again."""
    base: Any = column
    while isinstance(base, np.ndarray):
        base = base.base
    if sys.platform != "win32" and isinstance(base, mmap.mmap):
        base.madvise(mmap.MADV_DONTNEED)


def runs(values: Ints) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the position at which each run of equal values begins, and its length: two intp (r,)."""
    if not len(values):
        return np.empty(0, np.intp), np.empty(0, np.intp)
    changes = np.flatnonzero(values[1:] != values[:-1])
    bounds = np.empty(len(changes) + 2, np.intp)
    bounds[0], bounds[1:-1], bounds[-1] = 0, changes + 1, len(values)
    return bounds[:-1], bounds[1:] - bounds[:-1]


def distinct(values: Ints) -> tuple[Ints, NDArray[np.intp]]:
    """Return the distinct values, ascending, and for each value its position among these: (d,), intp (n,)."""
    return np.unique(values, return_inverse=True)  # noqa: TID251 - with these positions, it sorts and is fast


def spans(starts: NDArray[np.int64], chosen: Ints) -> tuple[NDArray[np.intp], NDArray[np.int64]]:
    """Return, for each value of the chosen entries, the entry's position in `chosen` and the index of the value."""
    counts = starts[chosen + 1] - starts[chosen]
    owner = np.repeat(np.arange(len(chosen)), counts)
    before = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) + np.repeat(starts[chosen] - before, counts)


def pair_keys(left: Ints, right: Ints) -> NDArray[np.uint64]:
    """Pack pairs of rows as left << 32 | right, which sorts by (left, right): uint64 (m,). Rows are below 2^32."""
    return left.astype(np.uint64) << _HALF | right.astype(np.uint64)


def pairs_of(keys: NDArray[np.uint64]) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """Return (left, right) of packed pairs: two uint32 (m,)."""
    return (keys >> _HALF).astype(np.uint32), (keys & _LOW).astype(np.uint32)


def positions_in(keys: Ints, targets: Ints) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Return where each target belongs among ascending keys, and whether it is one of them: intp (m,), bool (m,)."""
    positions = np.searchsorted(keys, targets)
    are_present = positions < len(keys)
    are_present[are_present] = keys[positions[are_present]] == targets[are_present]
    return positions, are_present


def release_freed() -> None:
    """Return freed memory to the system: some C libraries keep that of arrays up to 32 MB for later arrays."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """Return the C library's `malloc_trim`; None if it has none, as on Windows and macOS."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, TypeError, AttributeError):
        return None
