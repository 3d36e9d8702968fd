"""Indexes of fingerprints and of sketches by key, to which items are added and from which they are removed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from dupfinder.api import checks
from dupfinder.api.errors import require_same
from dupfinder.api.fingerprints import Fingerprint, Sketch, check_sketch, containment, resemblance
from dupfinder.base.columns import Ragged
from dupfinder.engine.exhaustive import Pigeonhole
from dupfinder.engine.prints import array_of
from dupfinder.engine.sketch_pairs import sketch_pairs
from dupfinder.fingerprint.scheme import BITS
from dupfinder.index.join import join

_KINDS = {"resemblance": ("all", "min", "mod"), "containment": ("all", "mod"), "any": ("all", "min", "mod", "super")}


@dataclass(frozen=True, slots=True)
class Match:
    """A key whose fingerprint differs from the query in `distance` bits."""

    key: Hashable
    distance: int


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Two keys whose fingerprints differ in `distance` bits; `left` was added before `right`."""

    left: Hashable
    right: Hashable
    distance: int


@dataclass(frozen=True, slots=True)
class SketchMatch:
    """A key whose sketch is similar to the query.

    resemblance:  0 to 1; None if the kind of sketch does not give it.
    asked_in_key: how much of the query's text is in that of the key; key_in_asked: the other way round; or None.
    """

    key: Hashable
    resemblance: float | None
    asked_in_key: float | None
    key_in_asked: float | None


@dataclass(frozen=True, slots=True)
class SketchPair:
    """Two keys whose sketches are similar; `left` was added before `right`. The numbers are as in SketchMatch."""

    left: Hashable
    right: Hashable
    resemblance: float | None
    left_in_right: float | None
    right_in_left: float | None


class _KeyRows:
    """The caller's keys, and the row of each; row numbers are never reused."""

    def __init__(self) -> None:
        self._rows: dict[Hashable, int] = {}
        self._keys: dict[int, Hashable] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def __contains__(self, key: object) -> bool:
        return key in self._rows

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._rows)

    def _check_new(self, key: Hashable) -> None:
        """Raise ValueError for a key that is in the index."""
        if key in self._rows:
            raise ValueError(f"the key {key!r} is in the index already; remove it first")

    def _keep(self, key: Hashable, row: int) -> None:
        self._rows[key] = row
        self._keys[row] = key

    def _forget(self, key: Hashable) -> int:
        """Delete a key, and return its row. Raises KeyError."""
        if key not in self._rows:
            raise KeyError(f"the key {key!r} is not in the index")
        row = self._rows.pop(key)
        del self._keys[row]
        return row


class Index(_KeyRows):
    """Fingerprints under keys: add, remove, query and join, in any order. Finds all within its radius.

    For fingerprints that come and go; `Tables` is faster for a large fixed set. All fingerprints must have the width
    and the scheme of the first; others raise ValueError or MixedSchemes.

    >>> from dupfinder.api import fingerprint
    >>> index = Index(radius=3)
    >>> index.add("a", fingerprint("the harbour was closed in winter"))
    >>> index.query(fingerprint("In winter the harbour was closed."))
    [Match(key='a', distance=0)]
    """

    def __init__(self, radius: int = 3, bits: int = 64) -> None:
        """Create an empty index. radius: the widest radius of queries, 0 to 16. bits: 32, 64 or 128."""
        super().__init__()
        if bits not in BITS:
            raise ValueError(f"bits is 32, 64 or 128, not {bits!r}")
        self.radius = checks.radius_of(radius)
        self.bits = bits
        self._scheme: str | None = None
        self._values: dict[int, int] = {}
        self._lists = Pigeonhole(self.radius, bits)

    def add(self, key: Hashable, fingerprint: Fingerprint) -> None:
        """Add a fingerprint. Raises ValueError for a key that is in the index."""
        self._check(fingerprint)
        self._check_new(key)
        self._scheme = fingerprint.scheme
        row = self._lists.add(fingerprint.value)
        self._values[row] = fingerprint.value
        self._keep(key, row)

    def remove(self, key: Hashable) -> None:
        """Remove a key and its fingerprint. Raises KeyError."""
        row = self._forget(key)
        self._lists.remove(row)
        del self._values[row]

    def query(self, fingerprint: Fingerprint, radius: int | None = None) -> list[Match]:
        """Find the keys within `radius` bits (None: the index's), the nearest first."""
        within = checks.radius_or(self.radius, radius)
        self._check(fingerprint)
        matches = self._lists.query(fingerprint.value, within)
        rows = sorted(zip(matches.distance.tolist(), matches.row.tolist(), strict=True))
        return [Match(self._keys[row], distance) for distance, row in rows]

    def join(self, radius: int | None = None) -> list[KeyPair]:
        """Find all pairs within `radius` bits (None: the index's), in the order in which their keys were added."""
        within = checks.radius_or(self.radius, radius)
        keys = [self._keys[row] for row in self._values]
        pairs = join(array_of(list(self._values.values()), self.bits), within)
        columns = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True)
        return [KeyPair(keys[left], keys[right], distance) for left, right, distance in columns]

    def _check(self, fingerprint: object) -> None:
        """Raise TypeError, ValueError or MixedSchemes for a fingerprint that does not belong to the index."""
        if not isinstance(fingerprint, Fingerprint):
            raise TypeError(f"a Fingerprint is wanted, not {type(fingerprint).__name__}")
        if fingerprint.bits != self.bits:
            raise ValueError(f"the index is for fingerprints of {self.bits} bits, not {fingerprint.bits}")
        if self._scheme is not None:
            require_same(self._scheme, fingerprint.scheme, "fingerprints")


class SketchIndex(_KeyRows):
    """Sketches under keys: add, remove, query and join, in any order.

    by:    "resemblance" or "containment" of at least `least`, or "any" value in common, which super-shingles need.
    most:  values in more sketches than this are boilerplate and give no candidates; None: no limit.
    Candidates share a value; each is then compared by its whole sketch. All sketches must be made in the same way.

    >>> from dupfinder.api import sketch
    >>> index = SketchIndex(least=0.9, by="containment")
    >>> book = "the harbour of the old town was closed in winter when storms drove the boats against the quay"
    >>> index.add("book", sketch(book, "all"))
    >>> [match.key for match in index.query(sketch("The harbour of the old town was closed.", "all"))]
    ['book']
    """

    def __init__(self, least: float = 0.5, by: str = "resemblance", most: int | None = None) -> None:
        super().__init__()
        self.by = checks.one_of("by", by, tuple(_KINDS))
        self.least = checks.share_of("least", least)
        self.most = None if most is None else checks.whole_number("most", most, 2)
        self._made_by: str | None = None
        self._sketches: dict[int, Sketch] = {}
        self._holders: dict[int, dict[int, None]] = {}
        self._next = 0

    def add(self, key: Hashable, sketch: Sketch) -> None:
        """Add a sketch. Raises ValueError for a key that is in the index, MixedSchemes."""
        self._check(sketch)
        self._check_new(key)
        self._made_by = sketch.made_by
        row, self._next = self._next, self._next + 1
        self._sketches[row] = sketch
        for value in sketch.values.tolist():
            self._holders.setdefault(value, {})[row] = None
        self._keep(key, row)

    def remove(self, key: Hashable) -> None:
        """Remove a key and its sketch. Raises KeyError."""
        row = self._forget(key)
        for value in self._sketches.pop(row).values.tolist():
            holders = self._holders[value]
            del holders[row]
            if not holders:
                del self._holders[value]

    def query(self, sketch: Sketch) -> list[SketchMatch]:
        """Find the keys with similar sketches, the most similar first."""
        self._check(sketch)
        shared: Counter[int] = Counter()
        for value in sketch.values.tolist():
            holders = self._holders.get(value, {})
            if self.most is None or len(holders) <= self.most:
                shared.update(holders.keys())
        matches = []
        for row, common in shared.items():
            numbers = _numbers(sketch, self._sketches[row])
            if self._is_enough(numbers):
                match = SketchMatch(self._keys[row], *numbers)
                matches.append((-self._rank(match), -common, row, match))  # rows differ, so matches are not compared
        return [match for *_, match in sorted(matches)]

    def join(self) -> list[SketchPair]:
        """Find all pairs of similar sketches, in the order in which their keys were added."""
        rows, pairs = list(self._sketches), []
        entries = Ragged.of_entries([sketch.values for sketch in self._sketches.values()], np.uint64)
        for left_rows, right_rows, _ in sketch_pairs(entries, most_holders=self.most):
            for left, right in zip(left_rows.tolist(), right_rows.tolist(), strict=True):
                numbers = _numbers(self._sketches[rows[left]], self._sketches[rows[right]])
                if self._is_enough(numbers):
                    pairs.append(SketchPair(self._keys[rows[left]], self._keys[rows[right]], *numbers))
        return pairs

    def _check(self, sketch: object) -> None:
        """Raise TypeError, ValueError or MixedSchemes for a sketch that does not belong to the index."""
        checked = check_sketch(sketch, *_KINDS[self.by])
        if self._made_by is not None:
            require_same(self._made_by, checked.made_by, "sketches")

    def _is_enough(self, numbers: tuple[float | None, float | None, float | None]) -> bool:
        """Tell whether two sketches are similar, by the result of `_numbers`."""
        if self.by == "any":
            return True
        counting = numbers[:1] if self.by == "resemblance" else numbers[1:]
        return max(number for number in counting if number is not None) >= self.least

    def _rank(self, match: SketchMatch) -> float:
        """Return the number by which matches are sorted."""
        if self.by == "containment":
            return max(match.asked_in_key or 0.0, match.key_in_asked or 0.0)
        return match.resemblance or 0.0


def _numbers(left: Sketch, right: Sketch) -> tuple[float | None, float | None, float | None]:
    """Return the resemblance and the containment both ways; None where the kind of sketch does not give them."""
    if left.kind == "super":
        return None, None, None
    if left.kind == "min":
        return resemblance(left, right), None, None
    return resemblance(left, right), containment(left, right), containment(right, left)
