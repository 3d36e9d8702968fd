"""Which document of a group to keep, proposed from facts; the person decides."""

from __future__ import annotations

import re
from collections.abc import Sequence
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


def degrees(count: int, left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """How many accepted pairs each document has inside its group, int64 (n,): the keeper should have one with all."""
    return np.bincount(left, minlength=count) + np.bincount(right, minlength=count)


def preference(facts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank all documents by their claims, but for the first column, in the order of KeeperReason: int64 (n,), larger is
    better; of equal documents the lower row.

    The ranks are the same under every demand, so they are made once.
    """
    keys = [-np.arange(len(facts)), *(facts[:, column] for column in range(facts.shape[1] - 1, 0, -1))]
    ranks = np.empty(len(facts), np.int64)
    ranks[np.lexsort(keys)] = np.arange(len(facts))
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
