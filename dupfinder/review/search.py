"""Names and folders of a scan's documents, ready to be searched and sorted by."""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from dupfinder.library.rows import Documents
from dupfinder.review.filters import Query, in_folder

_RUN = 10_000  # names sorted at a stretch: another thread waits no longer than that takes


class Names:
    """What is needed to search and sort by names; each part is made when it is first asked for, in any thread."""

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._folded: list[str] | None = None
        self._asked: tuple[str, NDArray[np.bool_]] | None = None
        self._name_ranks: NDArray[np.int64] | None = None
        self._path_ranks: NDArray[np.int64] | None = None

    def prepare(self) -> None:
        """Make all parts now."""
        self.name_ranks()
        self.path_ranks()

    def matches(self, text: str) -> NDArray[np.bool_]:
        """Which documents are what a person typed, bool (n,); as Query.meets says of each."""
        if self._asked is None or self._asked[0] != text:
            self._asked = (text, self._search(Query.parse(text)))
        return self._asked[1]

    def name_ranks(self) -> NDArray[np.int64]:
        """The place of each document's title among all, case aside, int64 (n,); the same titles share one."""
        if self._name_ranks is None:
            self._name_ranks = _ranks([_stem(path) for path in self._paths()])
        return self._name_ranks

    def path_ranks(self) -> NDArray[np.int64]:
        """The place of each document's path among all, case aside, int64 (n,)."""
        if self._path_ranks is None:
            self._path_ranks = _ranks(self._paths())
        return self._path_ranks

    def _paths(self) -> list[str]:
        if self._folded is None:
            self._folded = [path.casefold() for path in self._documents.paths]
        return self._folded

    def _search(self, query: Query) -> NDArray[np.bool_]:
        paths = self._paths()
        rows = np.arange(len(paths))
        for word in query.words:
            rows = rows[np.array([word in path for path in _of(paths, rows)], np.bool_)]
        for name, sign, value in query.conditions:
            rows = self._meeting(rows, name, sign, value)
        found = np.zeros(len(paths), np.bool_)
        found[rows] = True
        return found

    def _meeting(self, rows: NDArray[np.int64], name: str, sign: str, value: str) -> NDArray[np.int64]:
        documents, paths = self._documents, self._paths()
        if name == "folder":
            rows = rows[np.array([value in path for path in _of(paths, rows)], np.bool_)]
            return np.array([row for row in rows.tolist() if in_folder(documents, row, value)], np.int64)
        if name == "type":
            ending = "." + value
            pairs = zip(_of(documents.media, rows), _of(paths, rows), strict=True)
            return rows[np.array([media == value or path.endswith(ending) for media, path in pairs], np.bool_)]
        if name == "lang":
            return rows[np.array([one == value for one in _of(documents.language, rows)], np.bool_)]
        numbers, limit = Query.numbers(documents, name, value)
        meets = numbers[rows] > limit if sign == ">" else numbers[rows] < limit
        return rows[meets]


def _of(values: Sequence[str], rows: NDArray[np.int64]) -> Sequence[str]:
    """The values of some rows; of all of them as they are."""
    return values if len(rows) == len(values) else [values[row] for row in rows.tolist()]


def _stem(path: str) -> str:
    """The file's name without its ending, as pathlib has it."""
    name = path[path.rfind(os.sep) + 1 :]
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


def _ranks(texts: list[str]) -> NDArray[np.int64]:
    ranks = np.empty(len(texts), np.int64)
    rank, before = -1, None
    for row in _sorted(texts):
        if texts[row] != before:
            rank, before = rank + 1, texts[row]
        ranks[row] = rank
    return ranks


def _sorted(texts: list[str]) -> Iterator[int]:
    """The rows in the order of their texts, sorted in runs that are merged."""
    runs = [
        sorted(range(start, min(start + _RUN, len(texts))), key=texts.__getitem__)
        for start in range(0, len(texts), _RUN)
    ]
    return heapq.merge(*runs, key=texts.__getitem__)
