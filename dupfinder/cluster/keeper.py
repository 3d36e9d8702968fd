"""Which document of a group to keep: a proposal from claims, which the person may change."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Formats that can be edited and have structure rank higher; plain text, which has neither, ranks lowest.
_RICHNESS = {
    "docx": 9, "hwpx": 9, "odt": 9, "pptx": 9, "odp": 9, "xlsx": 9, "ods": 9, "vsdx": 9,
    "doc": 8, "hwp": 8, "ppt": 8, "xls": 8, "iwork": 8, "rtf": 7, "pdf": 6, "ofd": 6, "xps": 6, "epub": 5,
    "mobi": 5, "html": 4, "mhtml": 4, "eml": 3, "msg": 3, "md": 2, "txt": 1,
}  # fmt: skip
PLAINNESS, RICHNESS = 1, 2  # columns of `claims`
_CHUNK = 10_000  # paths searched together: bounds how long other threads wait
# Every path that _PROVISIONAL matches contains one of these, in lower case. Searching for strings is much faster.
_HINTS = (
    "cop", "kop", "back", "bak", "dup", "old", "(", "（", "副本", "拷贝", "複本", "复制", "複製", "备份", "備份",
    "コピー", "사본", "백업", "копия", "draft", "entwurf", "brouillon", "borrador", "bozza", "rascunho", "稿", "草案",
    "下書き", "초안", "черновик", "旧版", "舊版",
    "download", "descarga", "chargement", "scaricati", "下载", "下載", "ダウンロード", "다운로드", "загрузк",
    "tmp", "temp", "临时文件", "回收",
)  # fmt: skip
# A copy, a draft, or what came from elsewhere and stays for a while, recognised by the name of a file or a folder.
_PROVISIONAL = re.compile(
    r"(?:^|[^a-z])(?:copy|copies|copia|kopie|copie|backups?|bak|duplicates?|old|drafts?|entwurf|brouillon|borrador|bozza"
    r"|rascunho|downloads?|descargas?|t[ée].?l[ée].?chargements?|scaricati|tmp|temp)(?:[^a-z]|$)"
    r"|[(（]\d{1,3}[)）]\s*$|副本|拷贝|複本|[-_ ]复制|[-_ ]複製|备份|備份|コピー|사본|백업|копия|旧版|舊版"
    r"|[草初修改审審论論见見]稿|草案|下書き|초안|черновик|下载|下載|ダウンロード|다운로드|загрузк|临时文件|回收[站筒]",
    re.IGNORECASE,
)


class KeeperReason(StrEnum):
    """The criterion by which the proposed keeper was selected, in the order of their use."""

    PROTECTED = "protected"
    CENTRAL = "central"
    PLAIN_NAME = "plain_name"
    RICHER = "richer_format"
    NEWER_INSIDE = "newer_inside"
    MORE_TEXT = "more_text"
    NEWER_FILE = "newer_file"
    SHORTER_PATH = "shorter_path"
    FIRST = "first"


def provisional_names(path: str) -> int:
    """Count the names in a path that show a copy, a draft or a download.

    For example "Copy of x", "x (1)", "x 副本", "Downloads", "Drafts" or "x - copia".
    """
    folder, _, name = path.rpartition(os.sep)
    return _provisional_folders(folder) + (_PROVISIONAL.search(os.path.splitext(name)[0]) is not None)


@functools.lru_cache(1 << 16)
def _provisional_folders(folder: str) -> int:
    return sum(_PROVISIONAL.search(name) is not None for name in folder.split(os.sep))


def richness_of(media: str) -> int:
    """Return how much editable structure a format can have, 0..9."""
    return _RICHNESS.get(media, 0)


def claims(
    protected: NDArray[np.bool_],
    paths: Sequence[str],
    richness: NDArray[np.int64],
    inside_date: NDArray[np.int64],
    words: NDArray[np.int32],
    mtime_ns: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the claims by which documents are preferred as keepers: int64 (n, 7), larger is better.

    Columns in the order of KeeperReason, without CENTRAL and FIRST, which depend on the group.
    richness: int64 (n,), see `richness_of`.
    """
    plain, lengths = np.zeros((2, len(paths)), np.int64)
    for start in range(0, len(paths), _CHUNK):
        batch = paths[start : start + _CHUNK]
        lengths[start : start + len(batch)] = list(map(len, batch))
        for row in _perhaps_provisional(batch, lengths[start : start + len(batch)]):
            plain[start + row] = -provisional_names(batch[row])
    columns = (protected.astype(np.int64), plain, richness, inside_date, words.astype(np.int64), mtime_ns, -lengths)
    return np.stack(columns).T  # each column is contiguous


def _perhaps_provisional(paths: Sequence[str], lengths: NDArray[np.int64]) -> list[int]:
    """Return the indices of the paths that may have `provisional_names`, by searching all of them at once."""
    joined = "\n".join(paths)
    low = joined.lower()
    if len(low) != len(joined):  # a capital whose lower case has two characters would shift the positions
        return list(range(len(paths)))
    hits = [hit.start() for hint in _HINTS for hit in re.finditer(re.escape(hint), low)]
    return sorted(set(np.searchsorted(np.cumsum(lengths + 1), hits, side="right").tolist()))


def degrees(count: int, left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Count the accepted pairs of each document: int64 (n,).

    A keeper should have a pair with every member of its group.
    """
    return np.bincount(left, minlength=count) + np.bincount(right, minlength=count)


def preference(claims: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank all documents by their claims except the first column, in the order of KeeperReason: int64 (n,).

    Larger is better; of equal documents the first ranks highest. Ranks do not depend on the demand.
    """
    backwards = claims[::-1]  # the sort is stable, so of equal rows the lower one comes last
    ranks = np.empty(len(claims), np.int64)
    order = np.lexsort([backwards[:, column] for column in range(claims.shape[1] - 1, 0, -1)])
    ranks[len(claims) - 1 - order] = np.arange(len(claims))
    return ranks


def reason(
    keeper: int, members: NDArray[np.int32], central: NDArray[np.int64], claims: NDArray[np.int64]
) -> KeeperReason:
    """Return the first criterion by which the keeper is ahead of all members that were equal to it so far.

    central: int64 (members,), the degree of each member.
    """
    degree_of = dict(zip(members.tolist(), central.tolist(), strict=True))
    rivals = members[members != keeper]
    column = 0
    for name in list(KeeperReason)[:-1]:
        if name is KeeperReason.CENTRAL:
            keeper_value, values = degree_of[keeper], np.array([degree_of[row] for row in rivals.tolist()], np.int64)
        else:
            keeper_value, values = claims[keeper, column], claims[rivals, column]
            column += 1
        equal = values == keeper_value
        if len(rivals) and not equal.all():
            rivals = rivals[equal]
            if not len(rivals):
                return name
    return KeeperReason.FIRST
