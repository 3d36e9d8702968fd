"""Indexes that grow, forget and answer: of fingerprints, and of sketches, each under a key of the caller's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from dataclasses import dataclass

import numpy as np

from dupfinder.api import checks
from dupfinder.api.errors import require_same
from dupfinder.api.fingerprints import Fingerprint
from dupfinder.api.sketches import Sketch, check_sketch, containment, resemblance
from dupfinder.engine.pigeonhole import Pigeonhole
from dupfinder.engine.prints import array_of
from dupfinder.engine.sketch_pairs import sketch_pairs
from dupfinder.fingerprint.scheme import BITS
from dupfinder.index.join import join

_WAYS = {"resemblance": ("all", "min", "mod"), "containment": ("all", "mod"), "any": ("all", "min", "mod", "super")}
_NO_LIMIT = 1 << 62


@dataclass(frozen=True, slots=True)
class Match:
    """A key whose fingerprint is `distance` bits from the one that was asked for."""

    key: Hashable
    distance: int


@dataclass(frozen=True, slots=True)
class KeyPair:
    """Two keys whose fingerprints are `distance` bits apart; `left` was added before `right`."""

    left: Hashable
    right: Hashable
    distance: int


@dataclass(frozen=True, slots=True)
class SketchMatch:
    """A key whose sketch is like the one that was asked for.

    resemblance: 0 to 1; None where the kind of sketch does not tell it. asked_in_key: how much of the text that was
    asked for is in that of the key, key_in_asked the other way; None as before.
    """

    key: Hashable
    resemblance: float | None
    asked_in_key: float | None
    key_in_asked: float | None


@dataclass(frozen=True, slots=True)
class SketchPair:
    """Two keys whose sketches are alike; `left` was added before `right`. The numbers as in SketchMatch."""

    left: Hashable
    right: Hashable
    resemblance: float | None
    left_in_right: float | None
    right_in_left: float | None


class _Keys:
    """Keys of the caller's, each with the row of what it names; rows are never used twice."""

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
        if key in self._rows:
            raise ValueError(f"the key {key!r} is in the index already; remove it first")

    def _row(self, key: Hashable) -> int:
        if key not in self._rows:
            raise KeyError(f"the key {key!r} is not in the index")
        return self._rows[key]

    def _keep(self, key: Hashable, row: int) -> None:
        self._rows[key] = row
        self._keys[row] = key

    def _forget(self, key: Hashable) -> int:
        row = self._row(key)
        del self._rows[key], self._keys[row]
        return row


class Index(_Keys):
    """Fingerprints under keys: add, remove, query and join, in any order. Finds everything within its radius.

    For fingerprints that come and go; `Tables` is faster for many that stay. All fingerprints have the width and the
    scheme of the first: MixedSchemes for others.

    >>> from dupfinder.api import fingerprint
    >>> index = Index(radius=3)
    >>> index.add("a", fingerprint("the harbour was closed in winter"))
    >>> index.query(fingerprint("In winter the harbour was closed."))
    [Match(key='a', distance=0)]
    """

    def __init__(self, radius: int = 3, bits: int = 64) -> None:
        """radius: the widest that it answers, 0 to 16. bits: 32, 64 or 128."""
        super().__init__()
        if bits not in BITS:
            raise ValueError(f"bits is 32, 64 or 128, not {bits!r}")
        self.radius = checks.radius_of(radius)
        self.bits = bits
        self._scheme: str | None = None
        self._values: dict[int, int] = {}
        self._lists = Pigeonhole(self.radius, bits)

    def add(self, key: Hashable, fingerprint: Fingerprint) -> None:
        """Take in a fingerprint. ValueError for a key that is there already."""
        self._checked(fingerprint)
        self._check_new(key)
        self._scheme = fingerprint.scheme
        row = self._lists.add(fingerprint.value)
        self._values[row] = fingerprint.value
        self._keep(key, row)

    def remove(self, key: Hashable) -> None:
        """Forget a key and its fingerprint. KeyError."""
        row = self._forget(key)
        self._lists.remove(row)
        del self._values[row]

    def query(self, fingerprint: Fingerprint, radius: int | None = None) -> list[Match]:
        """Find what lies within `radius` bits (None: the index's), the nearest first."""
        within = self.radius if radius is None else checks.radius_of(radius, self.radius)
        self._checked(fingerprint)
        found = self._lists.query(fingerprint.value, within)
        rows = sorted(zip(found.distance.tolist(), found.row.tolist(), strict=True))
        return [Match(self._keys[row], distance) for distance, row in rows]

    def join(self, radius: int | None = None) -> list[KeyPair]:
        """Find all pairs within `radius` bits (None: the index's), in the order in which their keys were added."""
        within = self.radius if radius is None else checks.radius_of(radius, self.radius)
        keys = [self._keys[row] for row in self._values]
        pairs = join(array_of(list(self._values.values()), self.bits), within)
        columns = zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True)
        return [KeyPair(keys[left], keys[right], distance) for left, right, distance in columns]

    def _checked(self, fingerprint: object) -> None:
        if not isinstance(fingerprint, Fingerprint):
            raise TypeError(f"a Fingerprint is wanted, not {type(fingerprint).__name__}")
        if fingerprint.bits != self.bits:
            raise ValueError(f"the index is for fingerprints of {self.bits} bits, not {fingerprint.bits}")
        if self._scheme is not None:
            require_same(self._scheme, fingerprint.scheme, "fingerprints")


class SketchIndex(_Keys):
    """Sketches under keys: add, remove, query and join, in any order.

    by:    "resemblance" or "containment" of at least `least`, or "any" value in common, which super-shingles need.
    most:  a value that more sketches hold is boilerplate and proposes nothing; None: every value proposes.
    Candidates share a value; each is then compared by its whole sketch. All sketches are made in one way.

    >>> from dupfinder.api import sketch
    >>> index = SketchIndex(least=0.9, by="containment")
    >>> book = "the harbour of the old town was closed in winter when storms drove the boats against the quay"
    >>> index.add("book", sketch(book, "all"))
    >>> [match.key for match in index.query(sketch("The harbour of the old town was closed.", "all"))]
    ['book']
    """

    def __init__(self, least: float = 0.5, by: str = "resemblance", most: int | None = None) -> None:
        super().__init__()
        self.by = checks.one_of("by", by, tuple(_WAYS))
        self.least = checks.share_of("least", least)
        self.most = None if most is None else checks.whole("most", most, 2)
        self._made_by: str | None = None
        self._sketches: dict[int, Sketch] = {}
        self._holders: dict[int, dict[int, None]] = {}
        self._next = 0

    def add(self, key: Hashable, sketch: Sketch) -> None:
        """Take in a sketch. ValueError for a key that is there already; MixedSchemes."""
        self._checked(sketch)
        self._check_new(key)
        self._made_by = sketch.made_by
        row, self._next = self._next, self._next + 1
        self._sketches[row] = sketch
        for value in sketch.values.tolist():
            self._holders.setdefault(value, {})[row] = None
        self._keep(key, row)

    def remove(self, key: Hashable) -> None:
        """Forget a key and its sketch. KeyError."""
        row = self._forget(key)
        for value in self._sketches.pop(row).values.tolist():
            holders = self._holders[value]
            del holders[row]
            if not holders:
                del self._holders[value]

    def query(self, sketch: Sketch) -> list[SketchMatch]:
        """Find what is like a sketch, the most alike first."""
        self._checked(sketch)
        shared: Counter[int] = Counter()
        for value in sketch.values.tolist():
            holders = self._holders.get(value, {})
            if self.most is None or len(holders) <= self.most:
                shared.update(holders.keys())
        matches = []
        for row, common in sorted(shared.items(), key=lambda item: (-item[1], item[0])):
            numbers = _numbers(sketch, self._sketches[row])
            if self._is_enough(numbers):
                matches.append((common, SketchMatch(self._keys[row], *numbers)))
        matches.sort(key=lambda match: -self._rank(match[1]))
        return [match for _, match in matches]

    def join(self) -> list[SketchPair]:
        """Find all pairs of sketches that are alike, in the order in which their keys were added."""
        rows = list(self._sketches)
        if not rows:
            return []
        values = np.concatenate([self._sketches[row].values for row in rows])
        starts = np.concatenate(([0], np.cumsum([len(self._sketches[row].values) for row in rows]))).astype(np.int64)
        least = np.ones(len(rows), np.int64)
        found = sketch_pairs(values, starts, least, most_holders=_NO_LIMIT if self.most is None else self.most)
        pairs = []
        for left, right in zip(found.left.tolist(), found.right.tolist(), strict=True):
            numbers = _numbers(self._sketches[rows[left]], self._sketches[rows[right]])
            if self._is_enough(numbers):
                pairs.append(SketchPair(self._keys[rows[left]], self._keys[rows[right]], *numbers))
        return pairs

    def _checked(self, sketch: object) -> None:
        kinds = _WAYS[self.by]
        checked = check_sketch(sketch, *kinds)
        if self._made_by is not None:
            require_same(self._made_by, checked.made_by, "sketches")

    def _is_enough(self, numbers: tuple[float | None, float | None, float | None]) -> bool:
        if self.by == "any":
            return True
        asked = numbers[:1] if self.by == "resemblance" else numbers[1:]
        return max(number for number in asked if number is not None) >= self.least

    def _rank(self, match: SketchMatch) -> float:
        if self.by == "containment":
            return max(match.asked_in_key or 0.0, match.key_in_asked or 0.0)
        return match.resemblance or 0.0


def _numbers(left: Sketch, right: Sketch) -> tuple[float | None, float | None, float | None]:
    """Resemblance, and containment both ways, as far as the kind of the sketches tells them."""
    if left.kind == "super":
        return None, None, None
    if left.kind == "min":
        return resemblance(left, right), None, None
    return resemblance(left, right), containment(left, right), containment(right, left)
