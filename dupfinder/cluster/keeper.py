"""Which document of a group to keep, proposed from facts; the person decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.pairs import Pairs

# Richer formats can be edited and carry structure; a text file is what is left when it was thrown away.
_RICHNESS = {
    "docx": 9, "odt": 9, "pptx": 9, "odp": 9, "xlsx": 9, "ods": 9, "doc": 8, "xls": 8, "rtf": 7, "pdf": 6, "epub": 5,
    "html": 4, "mhtml": 4, "eml": 3, "msg": 3, "md": 2, "txt": 1,
}  # fmt: skip
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


def claims(
    protected: NDArray[np.bool_],
    paths: Sequence[str],
    media: Sequence[str],
    inside_date: NDArray[np.int64],
    words: NDArray[np.int32],
    mtime_ns: NDArray[np.int64],
) -> NDArray[np.int64]:
    """What each of n documents brings to be kept, int64 (n, 7): larger is better, columns in the order of KeeperReason
    without CENTRAL and FIRST, which depend on the group."""
    names = [path.rpartition("/")[2] for path in paths]
    columns = (
        protected.astype(np.int64),
        np.fromiter((not looks_like_a_copy(name) for name in names), np.int64, len(names)),
        np.fromiter((_RICHNESS.get(kind, 0) for kind in media), np.int64, len(names)),
        inside_date,
        words.astype(np.int64),
        mtime_ns,
        -np.fromiter((len(path) for path in paths), np.int64, len(names)),
    )
    return np.stack(columns, axis=1)


def degrees(count: int, pairs: Pairs) -> NDArray[np.int64]:
    """How many accepted pairs each document has inside its group, int64 (n,): the keeper should have one with all."""
    return np.bincount(pairs.left, minlength=count) + np.bincount(pairs.right, minlength=count)


def preference(facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank all documents by their claims, but for the first column, in the order of KeeperReason: int64 (n,), larger is
    better; of equal documents the lower row.

    The ranks are the same under every demand, so they are made once.
    """
    keys = [-np.arange(len(facts)), *(facts[:, column] for column in range(facts.shape[1] - 1, 0, -1))]
    ranks = np.empty(len(facts), np.int64)
    ranks[np.lexsort(keys)] = np.arange(len(facts))
    return ranks


def propose(
    labels: NDArray[np.int32],
    copies: NDArray[np.int32],
    central: NDArray[np.int64],
    protected: NDArray[np.int64],
    ranks: NDArray[np.int64],
) -> NDArray[np.int32]:
    """Propose the keeper of every group: int32 (n,), at the group's label the row of its keeper, elsewhere -1.

    labels, copies: int32 (n,). central: int64 (n,), of the rows that stand for copies. protected: int64 (n,), the first
    column of `claims`. ranks: see `preference`.
    """
    count = len(labels)
    keepers = np.full(count, -1, np.int32)
    rows = np.flatnonzero(labels >= 0)
    if not len(rows):
        return keepers
    # One number of the three, so that the largest of each group is found without sorting.
    claim = (protected[rows] - protected.min()) * (central.max() + 1) + central[copies[rows]]
    largest = np.full(count, -1, np.int64)
    np.maximum.at(largest, labels[rows], claim * count + ranks[rows])
    at = np.flatnonzero(largest >= 0)
    by_rank = np.empty(count, np.int32)
    by_rank[ranks] = np.arange(count, dtype=np.int32)
    keepers[at] = by_rank[largest[at] % count]
    return keepers


def reason(
    keeper: int,
    members: NDArray[np.int32],
    copies: NDArray[np.int32],
    central: NDArray[np.int64],
    facts: NDArray[np.int64],
) -> KeeperReason:
    """The first fact by which the keeper is ahead of every other member that was its equal until then."""
    rest = members[members != keeper]
    order = [KeeperReason.PROTECTED, KeeperReason.CENTRAL, *list(KeeperReason)[2:-1]]
    column = 0
    for name in order:
        if name is KeeperReason.CENTRAL:
            mine, theirs = central[copies[keeper]], central[copies[rest]]
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
