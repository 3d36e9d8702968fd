"""Which document of a group to keep, proposed from facts; the person decides."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import PurePath
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Richer formats can be edited and carry structure; a text file is what is left when it was thrown away.
_RICHNESS = {
    "docx": 9, "odt": 9, "pptx": 9, "odp": 9, "xlsx": 9, "ods": 9, "doc": 8, "xls": 8, "rtf": 7, "pdf": 6, "epub": 5,
    "html": 4, "mhtml": 4, "eml": 3, "msg": 3, "md": 2, "txt": 1,
}  # fmt: skip
_CHUNK = 10_000  # names searched together: another thread waits no longer than that takes
# A name that _COPY_NAME fits has one of these in small letters; plain strings are found far quicker than a pattern.
_COPY_HINTS = (
    "cop",
    "kop",
    "back",
    "bak",
    "dup",
    "old",
    "(",
    "副本",
    "拷贝",
    "複本",
    "备份",
    "コピー",
    "복사본",
    "копия",
)
_COPY_NAME = re.compile(
    r"(?:^|[^a-z])(?:copy|copies|copia|kopie|copie|backup|bak|duplicate|old)(?:[^a-z]|$)"
    r"|\(\d{1,3}\)\s*$|副本|拷贝|複本|备份|コピー|복사본|копия",
    re.IGNORECASE,
)


class KeeperReason(StrEnum):
    """What set the proposed keeper apart, in the order in which it is asked."""

    PROTECTED = "protected"
    CENTRAL = "central"
    PLAIN_NAME = "plain_name"
    RICHER = "richer_format"
    NEWER_INSIDE = "newer_inside"
    MORE_TEXT = "more_text"
    NEWER_FILE = "newer_file"
    SHORTER_PATH = "shorter_path"
    FIRST = "first"


def looks_like_a_copy(name: str) -> bool:
    """Whether a file's name says that it is a copy: "Copy of x", "x (1)", "x 副本", "x - copia" ..."""
    return _COPY_NAME.search(PurePath(name).stem) is not None


def richness_of(media: str) -> int:
    """How much structure a format carries that can be edited, 0..9."""
    return _RICHNESS.get(media, 0)


def claims(
    protected: NDArray[np.bool_],
    paths: Sequence[str],
    richness: NDArray[np.int64],
    inside_date: NDArray[np.int64],
    words: NDArray[np.int32],
    mtime_ns: NDArray[np.int64],
) -> NDArray[np.int64]:
    """What each of n documents brings to be kept, int64 (n, 7): larger is better, columns in the order of KeeperReason
    without CENTRAL and FIRST, which depend on the group. richness: see `richness_of`."""
    plain, lengths = np.ones(len(paths), np.int64), np.zeros(len(paths), np.int64)
    for start in range(0, len(paths), _CHUNK):
        some = paths[start : start + _CHUNK]
        lengths[start : start + len(some)] = list(map(len, some))
        for row in _hinting(some, lengths[start : start + len(some)]):
            plain[start + row] = not looks_like_a_copy(some[row].rpartition("/")[2])
    columns = (protected.astype(np.int64), plain, richness, inside_date, words.astype(np.int64), mtime_ns, -lengths)
    return np.stack(columns, axis=1)


def _hinting(paths: Sequence[str], lengths: NDArray[np.int64]) -> list[int]:
    """The places of the paths that may have the name of a copy, by one search in all of them together."""
    joined = "\n".join(paths)
    low = joined.lower()
    if len(low) != len(joined):  # a letter that has two small ones would shift the places
        return list(range(len(paths)))
    hits = [hit for hint in _COPY_HINTS for hit in _places(hint, low)]
    return sorted(set(np.searchsorted(np.cumsum(lengths + 1), hits, side="right").tolist()))


def _places(wanted: str, text: str) -> Iterator[int]:
    """Where a string stands in a text."""
    place = text.find(wanted)
    while place >= 0:
        yield place
        place = text.find(wanted, place + 1)


def degrees(count: int, left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many accepted pairs each document has inside its group, int64 (n,): the keeper should have one with all."""
    return np.bincount(left, minlength=count) + np.bincount(right, minlength=count)


def preference(facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank all documents by their claims, but for the first column, in the order of KeeperReason: int64 (n,), larger is
    better; of equal documents the lower row.

    The ranks are the same under every demand, so they are made once.
    """
    backwards = facts[::-1]  # the sort is stable, so of equal rows the lower one comes last
    ranks = np.empty(len(facts), np.int64)
    order = np.lexsort([backwards[:, column] for column in range(facts.shape[1] - 1, 0, -1)])
    ranks[len(facts) - 1 - order] = np.arange(len(facts))
    return ranks


def reason(
    keeper: int,
    members: NDArray[np.int32],
    central: NDArray[np.int64],
    facts: NDArray[np.int64],
) -> KeeperReason:
    """The first fact by which the keeper is ahead of every other member that was its equal until then. central: of the
    members, row for row."""
    weights = dict(zip(members.tolist(), central.tolist(), strict=True))
    rest = members[members != keeper]
    order = [KeeperReason.PROTECTED, KeeperReason.CENTRAL, *list(KeeperReason)[2:-1]]
    column = 0
    for name in order:
        if name is KeeperReason.CENTRAL:
            mine, theirs = weights[keeper], np.array([weights[row] for row in rest.tolist()], np.int64)
        else:
            mine, theirs = facts[keeper, column], facts[rest, column]
            column += 1
        equal = theirs == mine
        if len(rest) and not equal.all():
            left = rest[equal]
            if not len(left):
                return name
            rest = left
    return KeeperReason.FIRST
