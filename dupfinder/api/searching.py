"""Search in arrays of fingerprints: permuted tables, simpler methods to compare them with, and batches.

Arrays are uint32 (n,) for 32 bits, uint64 (n,) for 64, uint64 (n, 2) for 128, the high word first. They carry no
scheme, so the caller must make sure that all fingerprints were made in the same way (`Fingerprints.values` of one call
are).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from dupfinder.api import checks
from dupfinder.api.checks import Array
from dupfinder.api.errors import explained
from dupfinder.api.fingerprints import Fingerprint
from dupfinder.engine.batch import BatchPairs, batch_on_cluster, parts_of
from dupfinder.engine.batch import batch as core_batch
from dupfinder.engine.exhaustive import METHODS, all_pairs, look_up
from dupfinder.engine.planning import QueryPlan
from dupfinder.engine.planning import plan_query as core_plan_query
from dupfinder.engine.prints import array_of
from dupfinder.index.design import TableDesign, family, named_design
from dupfinder.index.join import join as core_join
from dupfinder.index.pairs import Matches, Pairs
from dupfinder.index.planner import JoinPlan
from dupfinder.index.planner import plan_join as core_plan_join
from dupfinder.index.tables import KeyLookup, PermutedTables
from dupfinder.index.words import width_of
from dupfinder.processes.crew import Crew


class Tables:
    """Permuted sorted tables over a fixed set of fingerprints, for fast queries within a radius.

    Source: Manku, Jain, Das Sarma 2007.

    >>> import numpy as np
    >>> tables = Tables(np.array([0b0000, 0b0111, 0b1111], np.uint64), radius=3)
    >>> tables.query(0b0001).row.tolist()
    [0, 1, 2]
    """

    def __init__(
        self, fingerprints: Array, radius: int = 3, *, design: str | None = None, search: str | None = None
    ) -> None:
        """Build the tables.

        design: "4", "10", "16" or "20" (64 bits, radius up to 3), or "C(m,r)" with r = m - radius; None: radius + 1
                blocks, of which one must be equal.
        search: "direct", "binary" or "interpolation"; None: direct if the design allows it, else binary.
        """
        array = checks.fingerprint_array("fingerprints", fingerprints)
        self.radius, self.bits = checks.radius_of(radius), width_of(array)
        chosen = design_named(design, self.bits, self.radius) or family(self.bits, self.radius, blocks=self.radius + 1)
        self.design = chosen.name
        method = None if search is None else KeyLookup(checks.one_of("search", search, tuple(KeyLookup)))
        self._tables = PermutedTables(array, chosen, method)

    def __len__(self) -> int:
        return self._tables.count

    def query(self, fingerprint: Fingerprint | int, radius: int | None = None) -> Matches:
        """Find the rows within `radius` bits (None: the tables') of one fingerprint: columns `row` and `distance`."""
        within = checks.radius_or(self.radius, radius)
        return self._tables.query(number_to_find(fingerprint, self.bits), within)

    def query_many(self, fingerprints: Array, radius: int | None = None) -> Matches:
        """Find the rows near each of many fingerprints: columns `query` (index of the query), `row` and `distance`."""
        array = checks.fingerprint_array("fingerprints", fingerprints)
        within = checks.radius_or(self.radius, radius)
        return self._tables.query_many(array, within)

    def pairs(self, radius: int | None = None) -> Pairs:
        """Find all pairs of rows, as `join` does with the tables' design."""
        return self._tables.pairs(checks.radius_or(self.radius, radius))


def design_named(name: str | None, bits: int, radius: int) -> TableDesign | None:
    """Return the design of this name; None for None. Raises ValueError, TypeError."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"design is a name, such as '16' or 'C(7,4)', not {name!r}")
    return None if name is None else named_design(name, bits, radius)


def number_to_find(fingerprint: Fingerprint | int, bits: int) -> int:
    """Return a fingerprint of this width as a number. Raises TypeError, ValueError."""
    if isinstance(fingerprint, Fingerprint):
        if fingerprint.bits != bits:
            raise ValueError(f"fingerprints of {bits} bits are searched, but the one to find has {fingerprint.bits}")
        return fingerprint.value
    return checks.whole_number("fingerprint", fingerprint, 0, (1 << bits) - 1)


def find(fingerprints: Array, fingerprint: Fingerprint | int, radius: int = 3, *, method: str = "tables") -> Matches:
    """Find the rows within `radius` bits of one fingerprint, for a single query: columns `row` and `distance`.

    method: "tables", "pigeonhole" (lists by block), "variants" (every fingerprint within the radius looked up in one
            sorted table: 43,745 of them for 64 bits and radius 3; up to radius 4) or "brute" (all compared). All return
            the same.
    """
    array = checks.fingerprint_array("fingerprints", fingerprints)
    checks.one_of("method", method, METHODS)
    number = number_to_find(fingerprint, width_of(array))
    return look_up(array, array_of([number], width_of(array)), checks.radius_of(radius), method)


@explained()
def join(
    fingerprints: Array, radius: int = 3, *, design: str | None = None, method: str = "tables", most: int | None = None
) -> Pairs:
    """Find all pairs of rows within `radius` bits: columns `left` < `right` and `distance`, sorted.

    design: as for `Tables`; None: the fastest by the cost model. method: "tables" or "brute".
    most: raise TooManyPairs, a DupfinderError, as soon as there are more pairs.

    >>> import numpy as np
    >>> join(np.array([0, 7, 255], np.uint64), radius=3).distance.tolist()
    [3]
    """
    array = checks.fingerprint_array("fingerprints", fingerprints)
    within = checks.radius_of(radius)
    checks.one_of("method", method, ("tables", "brute"))
    most_pairs = None if most is None else checks.whole_number("most", most, 0)
    chosen = design_named(design, width_of(array), within)
    if method == "brute":
        if chosen is not None or most is not None:
            raise ValueError("design and most belong to method 'tables'")
        return all_pairs(array, within)
    return core_join(array, within, design=chosen, most_pairs=most_pairs)


@explained()
def batch(
    new: Array,
    old: Array | Iterable[Array | str | os.PathLike[str]],
    radius: int = 3,
    *,
    design: str | None = None,
    workers: int = 1,
    cluster: str | None = None,
) -> BatchPairs:
    """Find all pairs of a new fingerprint and an old one: columns `new`, `old` (rows) and `distance`.

    old:     an array, or several arrays and files of fingerprints, with rows numbered across all of them. They are
             looked up in tables of the new fingerprints. A .npy file is read in parts, so that memory depends on `new`
             only; a file of another format is read as a whole.
    workers: processes.
    cluster: the address of a Dask scheduler, as "tcp://host:8786", whose workers match instead; they see the files of
             `old` under the same paths. Needs the extra `cluster`.
    Raises IndexFileError for a file that cannot be used, ClusterError.
    """
    array = checks.fingerprint_array("new", new)
    within, count = checks.radius_of(radius), checks.whole_number("workers", workers, 1, 64)
    if isinstance(old, np.ndarray):
        old = [old]
    sources = [_source(source) for source in checks.many("old", old, "arrays or files")]
    parts = parts_of(sources)
    if any(width_of(part.load()[:0]) != width_of(array) for part in parts):  # .npy files are mapped, not read
        raise ValueError("new and old are fingerprints of different widths")
    chosen = design_named(design, width_of(array), within)
    if cluster is not None:
        return batch_on_cluster(_address(cluster), array, parts, within, design=chosen)
    with Crew(count) as crew:
        return core_batch(array, parts, within, crew=crew, design=chosen)


def _address(cluster: Any) -> str:
    """Return the address of a scheduler. Raises TypeError."""
    if not isinstance(cluster, str):
        raise TypeError(f"cluster is the address of a scheduler, such as 'tcp://host:8786', not {cluster!r}")
    return cluster


def _source(source: Any) -> Path | Array:
    """Return an absolute path or an array of fingerprints. Raises TypeError and ValueError."""
    if isinstance(source, str | os.PathLike):
        return checks.path_of("old", source).absolute()
    return checks.fingerprint_array("old", source)


def plan_join(fingerprints: Array, radius: int = 3) -> JoinPlan:
    """Return the designs that `join` considers for these fingerprints, the fastest by the cost model first.

    The plan counts how many of these fingerprints share each block, so skewed fingerprints may get another design.

    >>> import numpy as np
    >>> plan = plan_join(np.random.default_rng(1).integers(0, 2**64, 20_000, dtype=np.uint64), radius=3)
    >>> plan.chosen.name in [estimate.name for estimate in plan.considered]
    True
    """
    return core_plan_join(
        checks.fingerprint_array("fingerprints", fingerprints), checks.radius_of(radius), thorough=True
    )


def plan_query(fingerprints: Array, radius: int = 3, queries: int = 1) -> QueryPlan:
    """Return the ways to answer a number of queries among these fingerprints, the fastest by the cost model first."""
    array = checks.fingerprint_array("fingerprints", fingerprints)
    return core_plan_query(array, checks.radius_of(radius), checks.whole_number("queries", queries, 1))
