"""The list of groups: its filters, orders and search, and the rows that it shows."""

from __future__ import annotations

import functools
import heapq
import logging
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import row_mask
from dupfinder.base.errors import LibraryError
from dupfinder.cluster.clustering import Clusters
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.relation import Relation
from dupfinder.fingerprint.tokens import DIGIT, tokens_of, trace_of
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import Documents
from dupfinder.review.members import title_of
from dupfinder.text.normalise import normalise

_log = logging.getLogger(__name__)

_RUN = 10_000  # names sorted in one call, during which no other thread can run


class GroupOrder(StrEnum):
    """Orders of the list of groups; the default begins with the group of the newest document."""

    NEWEST = "newest"
    SPACE = "space"
    SIMILARITY = "similarity"
    COPIES = "copies"
    NAME = "name"
    FOLDER = "folder"


class FileOrder(StrEnum):
    """Orders of the documents of all groups; GROUP has them under their groups, which are in the order of the list."""

    GROUP = "group"
    NAME = "name"
    FOLDER = "folder"
    RELATION = "relation"
    CHANGED = "changed"
    SIZE = "size"
    DECISION = "decision"


class GroupTrait(StrEnum):
    """What a filter of the list asks of a group. Those said to be no duplicates are hidden unless it asks for them."""

    ALL = "all"
    UNREVIEWED = "unreviewed"
    FREE = "free"  # with bytes to free
    MARKED = "marked"
    PROTECTED = "protected"
    APART = "apart"  # said to be no duplicates


@dataclass(frozen=True, slots=True)
class GroupFilter:
    """Conditions that a group must meet to be shown.

    relations:  the group has a document with one of these relations to the kept copy (empty: any; VERSION includes
                distant versions).
    text:       as typed, see SearchQuery. documents: the group has one of these rows (None: any).
    only:       the group has all of these traits.
    """

    relations: frozenset[Relation] = field(default_factory=frozenset)
    text: str = ""
    only: frozenset[GroupTrait] = frozenset()
    documents: frozenset[int] | None = None


_TOKEN = re.compile(r'(folder|type|lang|size|date)([:<>])("[^"]*"|\S+)|"([^"]*)"|(\S+)')
_LONG_NUMBER: Final = 5  # characters
_UNITS = {"": 1, "k": 10**3, "kb": 10**3, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9}


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """A search: words in names and folders, or in a row in texts; and the conditions that a person can type.

    conditions: (name, sign, value), as typed: folder: type: lang: size> size< date> date<.
    """

    words: tuple[str, ...]
    conditions: tuple[tuple[str, str, str], ...]

    @classmethod
    def parse(cls, text: str) -> SearchQuery:
        """Return the query that a person typed; an invalid condition counts as a word."""
        words: list[str] = []
        conditions: list[tuple[str, str, str]] = []
        for match in _TOKEN.finditer(normalise(text)):
            field_name, sign, value, quoted, plain = match.groups()
            if field_name and _is_valid(field_name, sign, value.strip('"')):
                conditions.append((field_name, sign, value.strip('"')))
            else:
                words.append(quoted or plain or match.group(0))
        return cls(tuple(words), tuple(conditions))

    @property
    def words_in_paths(self) -> tuple[str, ...]:
        """Return the words that are searched for in names and folders, in lower case."""
        return (*self.words, *(value for name, _, value in self.conditions if name == "folder"))

    @property
    def phrase(self) -> str:
        """Return what is searched for in texts: two words in a row or more, or a long number; "" for anything else.

        A single word is not: by the stored codes of words, one document in fifty would be a hit by chance. The numbers
        of years and pages are not either: they are in too many texts.
        """
        phrase = " ".join(self.words)
        tokens = tokens_of([normalise(phrase)])
        is_long_number = len(phrase) >= _LONG_NUMBER and (tokens.classes == DIGIT).any()
        return phrase if len(tokens.classes) > 1 or is_long_number else ""

    @staticmethod
    def numbers(documents: Documents, field_name: str, value: str) -> tuple[NDArray[np.float64], float]:
        """Return the column of "size" or "date", float64 (n,), and the limit, in bytes or seconds since 1970."""
        if field_name == "size":
            return documents.size.astype(np.float64), _bytes(value) or 0.0
        return documents.mtime_ns / 1e9, _date(value) or 0.0


def _is_valid(field_name: str, sign: str, value: str) -> bool:
    if field_name == "size":
        return sign != ":" and _bytes(value) is not None
    if field_name == "date":
        return sign != ":" and _date(value) is not None
    return sign == ":"


def _bytes(value: str) -> float | None:
    """Return the number of bytes of a size such as "10 MB", None if invalid."""
    match = re.fullmatch(r"([\d.]+)\s*([a-z]*)", value)
    if match is None or match.group(2) not in _UNITS:
        return None
    try:
        return float(match.group(1)) * _UNITS[match.group(2)]
    except ValueError:
        return None


def _date(value: str) -> float | None:
    """Return when a date such as "2024-05" begins here, in seconds since 1970, None if invalid."""
    try:
        day = datetime.strptime("-".join([*value.split("-"), "1", "1"][:3]), "%Y-%m-%d")
    except ValueError:
        return None
    try:
        return day.timestamp()
    except (OverflowError, ValueError, OSError):  # Windows, before 1970
        return day.replace(tzinfo=UTC).timestamp()


class SearchNames:
    """Names and paths for search and sorting; each part is computed at its first use, in any thread.

    library: the file with the traces of the texts, in which phrases are searched; None: only paths are searched.
    """

    def __init__(self, documents: Documents, library: Path | None = None) -> None:
        self._documents, self._library = documents, library
        self._last_search: tuple[str, NDArray[np.bool_]] | None = None

    def prepare(self) -> None:
        """Compute all parts now."""
        _ = self.name_ranks, self.path_ranks

    def matches(self, text: str) -> NDArray[np.bool_]:
        """Return which documents meet a search as typed, bool (n,)."""
        if self._last_search is None or self._last_search[0] != text:
            self._last_search = (text, self._search(SearchQuery.parse(text)))
        return self._last_search[1]

    @functools.cached_property
    def name_ranks(self) -> NDArray[np.int64]:
        """The rank of each document's title in alphabetical order without case, int64 (n,). Equal titles share one."""
        return _ranks([_stem(path) for path in self._paths])

    @functools.cached_property
    def path_ranks(self) -> NDArray[np.int64]:
        """The rank of each document's path in alphabetical order without case, int64 (n,)."""
        return _ranks(self._paths)

    @functools.cached_property
    def _paths(self) -> list[str]:
        """The paths in the normal form of texts: macOS and others store the accents of a name as characters."""
        return [normalise(path) for path in self._documents.paths]

    def _search(self, query: SearchQuery) -> NDArray[np.bool_]:
        """Return which documents meet a query, bool (n,)."""
        paths = self._paths
        rows = np.arange(len(paths))
        for name, sign, value in query.conditions:
            rows = self._fulfilling(rows, name, sign, value)
        named = rows
        for word in query.words:
            named = named[np.array([word in path for path in _values_at(named, paths)], np.bool_)]
        others = np.setdiff1d(rows, named, assume_unique=True)
        return row_mask(len(paths), np.append(named, self._with_phrase(query.phrase, others)))

    def _with_phrase(self, phrase: str, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the rows, of those given, whose texts have the words of a phrase in a row; none without a library."""
        if not phrase or self._library is None:
            return rows[:0]
        same_text = representatives(self._documents.text_hash[rows])
        firsts = np.flatnonzero(same_text == np.arange(len(rows)))
        have_phrase = np.zeros(len(rows), np.bool_)
        codes = trace_of(tokens_of([normalise(phrase)]))
        try:
            with LibraryFile(self._library) as library:
                have_phrase[firsts] = library.with_words(self._documents.ids[rows[firsts]], codes)
        except LibraryError as error:  # the library was deleted or damaged meanwhile: paths are searched all the same
            _log.warning("the texts cannot be searched: %s", error)
        return rows[have_phrase[same_text]]

    def _fulfilling(self, rows: NDArray[np.int64], name: str, sign: str, value: str) -> NDArray[np.int64]:
        """Return the rows, of those given, that fulfil one condition of a SearchQuery."""
        documents, paths = self._documents, self._paths
        if name == "folder":
            rows = rows[np.array([value in path for path in _values_at(rows, paths)], np.bool_)]  # excludes most, fast
            return np.array([row for row in rows.tolist() if value in _folder(paths[row])], np.int64)
        if name == "type":
            ending = "." + value
            pairs = zip(_values_at(rows, documents.media), _values_at(rows, paths), strict=True)
            return rows[np.array([media == value or path.endswith(ending) for media, path in pairs], np.bool_)]
        if name == "lang":
            return rows[np.array([language == value for language in _values_at(rows, documents.language)], np.bool_)]
        numbers, limit = SearchQuery.numbers(documents, name, value)
        is_within = numbers[rows] > limit if sign == ">" else numbers[rows] < limit
        return rows[is_within]


def _values_at(rows: NDArray[np.int64], values: Sequence[str]) -> Sequence[str]:
    """Return the values of some rows; `values` itself if these are all rows."""
    return values if len(rows) == len(values) else [values[row] for row in rows.tolist()]


def _folder(path: str) -> str:
    return path[: path.rfind(os.sep)] or os.sep


def _stem(path: str) -> str:
    """Return the file name without its suffix, as pathlib does."""
    name = path[path.rfind(os.sep) + 1 :]
    dot = name.rfind(".")
    return name[:dot] if 0 < dot < len(name) - 1 else name


def _ranks(texts: list[str]) -> NDArray[np.int64]:
    """Return the rank of each text in sorted order, int64 (n,); equal texts share one."""
    ranks = np.empty(len(texts), np.int64)
    rank, previous = -1, None
    for row in _sorted_rows(texts):
        if texts[row] != previous:
            rank, previous = rank + 1, texts[row]
        ranks[row] = rank
    return ranks


def _sorted_rows(texts: list[str]) -> Iterator[int]:
    """Return the rows in the order of their texts. Runs of rows are sorted, then merged."""
    runs = [
        sorted(range(start, min(start + _RUN, len(texts))), key=texts.__getitem__)
        for start in range(0, len(texts), _RUN)
    ]
    return heapq.merge(*runs, key=texts.__getitem__)


FILTERED_RELATIONS = (Relation.IDENTICAL, Relation.SAME_TEXT, Relation.SAME_WORDS, Relation.VERSION, Relation.PART)
"""Relations to the kept copy of a group, in the order of the filter buttons; every member except the kept copy is
counted under one of them."""


@dataclass(frozen=True, slots=True)
class ClusterTable:
    """The groups in the list, in order, as columns of length g; see cluster.clustering.Clusters for their meaning.

    size: int32, documents whose files are unchanged. holds: int32 (g, 5), documents by relation to the kept copy, in
    the order of FILTERED_RELATIONS.
    distant: int32, versions without a verified pair with the kept copy.
    """

    ids: NDArray[np.int32]
    size: NDArray[np.int32]
    holds: NDArray[np.int32]
    distant: NDArray[np.int32]
    bytes_to_free: NDArray[np.int64]
    reviewed: NDArray[np.bool_]
    marked: NDArray[np.bool_]
    apart: NDArray[np.bool_]
    keeper: NDArray[np.int32]
    documents: Documents

    def __len__(self) -> int:
        return len(self.ids)

    def title(self, row: int) -> str:
        """Return the title of a group: the name of its kept copy."""
        return title_of(self.documents, int(self.keeper[row]))

    def folder(self, row: int) -> str:
        """Return the folder of the kept copy, to tell equal titles apart."""
        return str(self.documents.path(int(self.keeper[row])).parent)


@dataclass(frozen=True, slots=True)
class FileTable:
    """The documents of the listed groups, one by one.

    entries: int64 (m,), each a position in `clusters.members`. In the order by group, an entry -1 - g is the heading of
             the group at position g, before its documents.
    """

    clusters: Clusters
    entries: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.entries)

    def documents(self, rows: NDArray[np.bool_] | slice = slice(None)) -> NDArray[np.int32]:
        """Return the documents of some rows, a mask or all: int32. Headings of groups are left out."""
        entries = self.entries[rows]
        return self.clusters.members[entries[entries >= 0]]

    def row_of(self, document: int) -> int:
        """Return the row of a document; -1 for none."""
        positions = np.flatnonzero(self.clusters.members == document)
        rows = np.flatnonzero(np.isin(self.entries, positions))
        return int(rows[0]) if len(rows) else -1


@dataclass(frozen=True, slots=True)
class RelationCounts:
    """Documents by relation, in the order of FILTERED_RELATIONS, and groups with such documents: int64 (5,) each."""

    documents: NDArray[np.int64]
    groups: NDArray[np.int64]
