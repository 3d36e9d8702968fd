"""Which clusters are shown and in which order."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.relation import Relation
from dupfinder.library.rows import Documents


class Sort(StrEnum):
    """Orders of the cluster list; the default shows first what was changed last."""

    NEWEST = "newest"
    SPACE = "space"
    SIMILARITY = "similarity"
    COPIES = "copies"
    NAME = "name"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Filter:
    """What a group must meet to be shown.

    relations:  it has a document that is one of these to the kept copy (empty: any; VERSION takes in distant versions).
    text:       see Query. documents: only groups with one of these rows (None: any).
    only_apart: those that were said to be no duplicates, which are not shown otherwise.
    """

    relations: frozenset[Relation] = field(default_factory=frozenset)
    text: str = ""
    only_unreviewed: bool = False
    only_marked: bool = False
    only_protected: bool = False
    only_apart: bool = False
    documents: frozenset[int] | None = None


_TOKEN = re.compile(r'(folder|type|lang|size|date)([:<>])("[^"]*"|\S+)|"([^"]*)"|(\S+)')
_UNITS = {"": 1, "k": 10**3, "kb": 10**3, "m": 10**6, "mb": 10**6, "g": 10**9, "gb": 10**9}


@dataclass(frozen=True, slots=True)
class Query:
    """A search as typed: words against names and folders, and folder: type: lang: size> size< date> date<."""

    words: tuple[str, ...]
    conditions: tuple[tuple[str, str, str], ...]

    @classmethod
    def parse(cls, text: str) -> Query:
        """What a person typed; a condition that makes no sense counts as a word."""
        words: list[str] = []
        conditions: list[tuple[str, str, str]] = []
        for match in _TOKEN.finditer(text.casefold()):
            field_name, sign, value, quoted, plain = match.groups()
            if field_name and _sensible(field_name, sign, value.strip('"')):
                conditions.append((field_name, sign, value.strip('"')))
            else:
                words.append(quoted or plain or match.group(0))
        return cls(tuple(words), tuple(conditions))

    def meets(self, documents: Documents, row: int) -> bool:
        """Whether one document is what was asked for."""
        path = documents.paths[row].casefold()
        return all(word in path for word in self.words) and all(
            _meets(documents, row, *condition) for condition in self.conditions
        )

    @staticmethod
    def numbers(documents: Documents, field_name: str, value: str) -> tuple[NDArray[np.float64], float]:
        """The column that "size" or "date" speaks of, float64 (n,), and the limit that was typed."""
        if field_name == "size":
            return documents.size.astype(np.float64), _bytes(value) or 0.0
        return documents.mtime_ns / 1e9, _date(value) or 0.0


def in_folder(documents: Documents, row: int, value: str) -> bool:
    """Whether a document lies in a folder of whose path `value`, in lower case, is a part."""
    return value in str(PurePath(documents.paths[row]).parent).casefold()


def _sensible(field_name: str, sign: str, value: str) -> bool:
    if field_name == "size":
        return sign != ":" and _bytes(value) is not None
    if field_name == "date":
        return sign != ":" and _date(value) is not None
    return sign == ":"


def _bytes(value: str) -> float | None:
    match = re.fullmatch(r"([\d.]+)\s*([a-z]*)", value)
    if match is None or match.group(2) not in _UNITS:
        return None
    try:
        return float(match.group(1)) * _UNITS[match.group(2)]
    except ValueError:
        return None


def _date(value: str) -> float | None:
    try:
        padded = "-".join([*value.split("-"), "1", "1"][:3])
        return datetime.strptime(padded, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _meets(documents: Documents, row: int, field_name: str, sign: str, value: str) -> bool:
    if field_name == "folder":
        return in_folder(documents, row, value)
    if field_name == "type":
        return documents.media[row] == value or documents.paths[row].casefold().endswith("." + value)
    if field_name == "lang":
        return documents.language[row] == value
    if field_name == "size":
        here, limit = float(documents.size[row]), _bytes(value) or 0.0
    else:
        here, limit = documents.mtime_ns[row] / 1e9, _date(value) or 0.0
    return here > limit if sign == ">" else here < limit
