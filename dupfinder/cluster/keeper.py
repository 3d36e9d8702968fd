"""Which document of a group to keep: a proposal from claims, which the person may change."""

from __future__ import annotations

import functools
import os
import re
import threading
import unicodedata
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ints, row_mask, runs
from dupfinder.fingerprint.hashing import splitmix

# Formats that can be edited and have structure rank higher; plain text, which has neither, ranks lowest.
_RICHNESS = {
    "docx": 9, "hwpx": 9, "odt": 9, "pptx": 9, "odp": 9, "xlsx": 9, "ods": 9, "vsdx": 9,
    "doc": 8, "hwp": 8, "ppt": 8, "xls": 8, "iwork": 8, "rtf": 7, "pdf": 6, "ofd": 6, "xps": 6, "epub": 5,
    "mobi": 5, "html": 4, "mhtml": 4, "eml": 3, "msg": 3, "md": 2, "txt": 1,
}  # fmt: skip
PROTECTED, COMPLETE, STATE, RICHNESS, PLAINNESS = 0, 1, 2, 3, 5  # columns of `claims`
_DAY = 86_400_000_000_000  # ns; files that are copied together have one day, whatever their texts
_CHUNK = 10_000  # paths searched together: bounds how long other threads wait
# Every path that one of the expressions below matches contains one of these, in lower case. Searching for strings is
# much faster.
_HINTS = (
    "cop", "kop", "back", "bak", "dup", "old", "(", "（", "副本", "拷贝", "複本", "复制", "複製", "备份", "備份",
    "コピー", "사본", "백업", "копия", "draft", "entwurf", "brouillon", "borrador", "bozza", "rascunho", "稿", "草案",
    "下書き", "초안", "черновик", "旧版", "舊版",
    "download", "descarga", "chargement", "scaricati", "下载", "下載", "ダウンロード", "다운로드", "загрузк",
    "tmp", "temp", "临时文件", "回收", "orig", "~", "final", "latest", "revised", "updated", "definit", "finitif",
    "endg", "überarb", "最新", "最终", "最終", "正式", "修订", "修訂", "최종", "signed", "signe", "signé", "execut",
    "firmad", "firmato", "assinad", "unterschr", "unterzei", "签", "簽", "署", "盖章", "蓋章", "서명",
    "supersed", "obsol", "viej", "作废", "作廢", "/media/", "/volumes/", os.sep + ".", "cache", "appdata",
)  # fmt: skip
# Folders in which programs keep what they need themselves, and remove it unasked; and folders that macOS shows as one
# file, which opens no longer when a part of it is gone.
_OF_PROGRAMS = re.compile(
    r"\.|(?:(?:inet)?caches?|appdata)$"
    r"|.+\.(?:app|bundle|framework|photoslibrary|rtfd|pages|numbers|key|scriv|textbundle|webarchive)$",
    re.IGNORECASE,
)
_REMOVABLE = ("/media/", "/run/media/", "/Volumes/")  # where Linux and macOS show disks that are plugged in
# An earlier state of a text, recognised by the name of a file or a folder; then also a copy, and what came from
# elsewhere and stays for a while.
_EARLIER = (
    r"(?:^|[^a-z])(?:backups?|bak|old|drafts?|entwurf|brouillon|borrador|bozza|rascunho)(?:[^a-z]|$)"
    r"|备份|備份|백업|旧版|舊版|[草初修改审審论論见見]稿|草案|下書き|초안|черновик"
)
_PROVISIONAL = re.compile(
    r"(?:^|[^a-z])(?:copy|copies|copia|kopie|copie|duplicates?|downloads?|descargas?|t[ée].?l[ée].?chargements?"
    r"|scaricati|tmp|temp)(?:[^a-z]|$)|[(（]\d{1,3}[)）]\s*$|副本|拷贝|複本|[-_ ]复制|[-_ ]複製|コピー|사본|копия"
    r"|下载|下載|ダウンロード|다운로드|загрузк|临时文件|回收[站筒]|" + _EARLIER,
    re.IGNORECASE,
)
_DRAFT = re.compile(
    _EARLIER + r"|(?:[^a-z]orig|~)$|(?:^|[^a-z])(?:superseded|obsolete|viej[oa])(?:[^a-z]|$)|作废|作廢",
    re.IGNORECASE,
)
_FINAL = re.compile(
    r"(?:^|[^a-z])(?:final|latest|revised|updated|definitiv[aeo]?|d[ée].?finitif|endg..?ltig|überarbeitet)(?:[^a-z]|$)"
    r"|[定终終]稿|最终|最終|最新|正式[版稿]|修[订訂]版|최종",
    re.IGNORECASE,
)
_SIGNED = re.compile(
    r"(?:^|[^a-z])(?:signed|executed|firmad[ao]|firmato|sign[ée]|assinad[ao]|unterschrieben|unterzeichnet)(?:[^a-z]|$)"
    r"|(?:签字|签署|签章|盖章|簽署|簽字|蓋章|署名済)|서명",
    re.IGNORECASE,
)
_UNDONE = re.compile(
    r"(?:^|[^a-z])(?:not|not[\W_]yet|non?|nicht|noch[\W_]nicht|to[\W_]be|for|pending|por|para|sin|zu)[\W_]*$|[未需待请請미]$",
    re.IGNORECASE,
)
# The version that a file's name counts, as in "v2", "第三稿" and "Plan 2", and dates and numbers such as "3.16", which
# tell of a version in names of folders too. Other numbers may count anything: clients, letters, chapters.
_VERSION = re.compile(
    r"(?<![a-zß-ÿ])(?:v|ver|version|versi[oó].?n|vers[aã].?o|rev|revision)[\s._-]*(\d{1,18}(?:\.\d{1,18})*)"
    r"|第?(\d{1,18})[稿版]|(?<!\d)(?<!\d[._-])(\d{1,2})$"
)
_DATED = re.compile(
    r"(?<!\d)(?<!\d[._-])"
    r"(\d{1,18}(?:[._-]\d{1,18})+|\d{4}年\d{1,2}月(?:\d{1,2}日)?|(?:19|20)\d\d(?:\d{4})?)(?![._-]?\d)"
)
# Every name with a version or a date contains one of these, which is found much faster: digits that follow a sign or
# the last letter of a word for a version, or that are as many as in a short number, a year or a date.
_NUMBERED = re.compile(
    r"[\d一二三四五六七八九](?<!\d\d)(?:(?<=[vrno\s._-].)|\d*[稿版]|\d?(?!\d)|\d{3}(?:\d{4})?(?!\d))"
)
_SIGNS = re.compile(r"[\W_]+")
_COUNTED_COPY = re.compile(r"\s*[(（]\d{1,3}[)）]\s*$")
_NUMERALS = str.maketrans("一二三四五六七八九", "123456789")
_Numbers = tuple[tuple[int, ...], ...]


class KeeperReason(StrEnum):
    """The criterion by which the proposed keeper was selected, in the order of their use.

    ALONE: all others are parts of longer documents, or in archives. SIGNED, FINAL, NO_DRAFT: by the state of its text.
    """

    ALONE = "alone"
    PROTECTED = "protected"
    COMPLETE = "complete"
    CENTRAL = "central"
    SIGNED = "signed"
    FINAL = "final"
    NO_DRAFT = "no_draft"
    EDITION = "edition"
    RICHER = "richer_format"
    NEWER_INSIDE = "newer_inside"
    PLAIN_NAME = "plain_name"
    NEWER_FILE = "newer_file"
    MORE_TEXT = "more_text"
    NEWER_COPY = "newer_copy"
    SHORTER_PATH = "shorter_path"
    FIRST = "first"


_BY_STATE = {2: KeeperReason.SIGNED, 1: KeeperReason.FINAL, 0: KeeperReason.NO_DRAFT}
_CRITERIA = [name for name in KeeperReason if name not in ("alone", "signed", "final", "first")]
_COLUMNS = [name for name in _CRITERIA if name not in ("central", "edition")]  # of `claims`


def provisional_names(path: str) -> int:
    """Count the names in a path that show a copy, a draft, a download, a program's own folder or a plugged-in disk.

    For example "Copy of x", "x (1)", "x 副本", "Downloads", "Drafts" or "x - copia".
    """
    folder, _, name = path.rpartition(os.sep)
    return _provisional_folders(folder) + (_PROVISIONAL.search(os.path.splitext(name)[0]) is not None)


@functools.lru_cache(1 << 16)
def _provisional_folders(folder: str) -> int:
    names = sum(_PROVISIONAL.search(name) is not None for name in folder.split(os.sep))
    # A program's folder is worse than one of downloads, which nobody else empties.
    return names + 2 * is_of_program(folder) + folder.startswith(_REMOVABLE)


def is_of_program(folder: str) -> bool:
    """Tell whether a folder is hidden, a cache or shown as one file by macOS, or below one: it is a program's own."""
    return any(map(_OF_PROGRAMS.match, folder.split(os.sep)))


def state_of(path: str) -> int:
    """Return what a path tells of the state of a text: -1 a draft or a backup, 1 final or revised, 2 signed, else 0."""
    folder, _, name = unicodedata.normalize("NFC", path).rpartition(os.sep)
    states = (*_states(folder), *_states(name))
    return min(states) if min(states) < 0 else max(states)


@functools.lru_cache(1 << 16)
def _states(names: str) -> tuple[int, ...]:
    """Return the state that each of some names tells of, separated as in a path."""
    return tuple(
        -1 if _DRAFT.search(name) else 2 if _is_done(_SIGNED, name) else int(_is_done(_FINAL, name))
        for name in names.split(os.sep)
    )


def _is_done(state: re.Pattern[str], name: str) -> bool:
    """Tell whether a name has a word for a state, unless the word before denies it: "not signed", "待签署"."""
    word = state.search(name)
    return word is not None and _UNDONE.search(name[: word.start()]) is None


def richness_of(media: str) -> int:
    """Return how much editable structure a format can have, 0..9."""
    return _RICHNESS.get(media, 0)


def oldest(times: NDArray[np.int64], representative: NDArray[np.int32], unknown: int) -> NDArray[np.int64]:
    """Return the oldest known time of any copy of each document, int64 (n,): no copy makes a text newer.

    representative: int32 (n,), equal for documents with the same words. unknown: what stands for an unknown time.
    """
    latest = np.iinfo(np.int64).max
    first = np.full(len(times), latest)
    np.minimum.at(first, representative, np.where(times == unknown, latest, times))
    first[first == latest] = unknown
    return first[representative]


def claims(
    protected: NDArray[np.bool_],
    complete: NDArray[np.bool_],
    paths: Sequence[str],
    richness: NDArray[np.int64],
    text_dates: tuple[NDArray[np.int64], NDArray[np.int64]],
    words: NDArray[np.int32],
    mtime_ns: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the claims by which documents are preferred as keepers: int64 (n, 10), larger is better.

    Columns in the order of KeeperReason, with one for the state, without what depends on the group.
    complete: whether all of a document was read. richness: int64 (n,), see `richness_of`.
    text_dates: the oldest date inside, and the oldest time of a file in ns, of any copy; see `oldest`.
    """
    plain, state, lengths = np.zeros((3, len(paths)), np.int64)
    for start in range(0, len(paths), _CHUNK):
        batch = paths[start : start + _CHUNK]
        if not "".join(batch).isascii():
            batch = [unicodedata.normalize("NFC", path) for path in batch]
        lengths[start : start + len(batch)] = list(map(len, batch))
        for row in _perhaps_named(batch, lengths[start : start + len(batch)]):
            plain[start + row], state[start + row] = -provisional_names(batch[row]), state_of(batch[row])
    inside_date, file_date = text_dates
    columns = (protected, complete, state, richness, inside_date, plain, file_date // _DAY, words, mtime_ns, -lengths)
    return np.stack([column.astype(np.int64) for column in columns]).T  # each column is contiguous


def _perhaps_named(paths: Sequence[str], lengths: NDArray[np.int64]) -> list[int]:
    """Return the indices of the paths whose names may tell a state or a place, by searching all of them at once."""
    joined = "\n".join(paths)
    low = joined.lower()
    if len(low) != len(joined):  # a capital whose lower case has two characters would shift the positions
        return list(range(len(paths)))
    hints = filter(str.isascii, _HINTS) if low.isascii() else _HINTS
    hits = [hit.start() for hint in hints for hit in re.finditer(re.escape(hint), low)]
    return sorted(set(np.searchsorted(np.cumsum(lengths + 1), hits, side="right").tolist()))


def degrees(count: int, left: NDArray[np.integer[Any]], right: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
    """Count the accepted pairs of each document: int64 (n,).

    A keeper should have a pair with every member of its group.
    """
    return np.bincount(left, minlength=count) + np.bincount(right, minlength=count)


class Editions:
    """The versions and dates in the names of files. Each name is parsed once, when it is first needed; thread-safe.

    Two names tell which text is newer if they differ in dates or versions alone: "Plan v2" and "Plan v10.pdf",
    "2023/Plan" and "2024/Plan". The first version may have no number.
    count: documents. paths_of: returns the paths of some rows.
    """

    def __init__(self, count: int, paths_of: Callable[[NDArray[np.intp]], Sequence[str]]) -> None:
        self._paths_of, self._parsing = paths_of, threading.Lock()
        self._searched, self._numbered, self._parsed = np.zeros((3, count), np.bool_)
        # Of each document: hashes of its name and of its path without dates and versions, and the numbers of these.
        self._hashes, self._numbers = np.zeros((2, count), np.int64), np.zeros((2, count), np.int32)
        self._editions: dict[tuple[_Numbers, ...], int] = {}
        self._ranks = np.empty(0, np.int64)  # of the editions; later ones are higher

    def older(self, rows: Ints, groups: Ints) -> NDArray[np.bool_]:
        """Tell which documents another of their group is newer than by its name: bool (m,).

        rows, groups: (m,), the documents and the group of each.
        """
        older = np.zeros(len(rows), np.bool_)
        with self._parsing:
            self._search(rows[~self._searched[rows]])
            numbered = row_mask(int(groups.max(initial=-1)) + 1, groups[self._numbered[rows]])[groups]
            rows, groups = rows[numbered], groups[numbered]
            self._parse(rows[~self._parsed[rows]])
            hashes, ages = self._hashes[:, rows], self._ranks[self._numbers[:, rows]]
        # By its name, and among files in folders that differ in dates alone, then by its folder.
        for keys, age in zip(hashes + splitmix(groups.astype(np.uint64)).view(np.int64), ages, strict=True):
            order = np.argsort(keys)
            begins, lengths = runs(keys[order])
            newest = np.maximum.reduceat(age[order], begins) if len(order) else age
            older[np.flatnonzero(numbered)[order]] |= age[order] < np.repeat(newest, lengths)
        return older

    def _search(self, rows: Ints) -> None:
        paths = self._paths_of(rows.astype(np.intp))
        self._numbered[rows] = [
            _NUMBERED.search(unicodedata.normalize("NFC", path).casefold()) is not None for path in paths
        ]
        self._searched[rows] = True

    def _parse(self, rows: Ints) -> None:
        facts, editions = [], self._editions
        for path in self._paths_of(rows.astype(np.intp)):
            folder, _, file = path.rpartition(os.sep)
            (name, of_name), (place, of_place) = _name_edition(file), _folder_edition(folder)
            numbers = (editions.setdefault(key, len(editions)) for key in ((of_name,), (of_name, of_place)))
            facts.append((hash(name), hash((name, place)), *numbers))
        columns = np.array(facts, np.int64).reshape(-1, 4).T
        self._hashes[:, rows], self._numbers[:, rows], self._parsed[rows] = columns[:2], columns[2:], True
        if len(self._ranks) < len(self._editions):
            self._ranks = np.empty(len(self._editions), np.int64)
            self._ranks[[self._editions[edition] for edition in sorted(self._editions)]] = np.arange(len(self._ranks))


def _name_edition(file: str) -> tuple[str, _Numbers]:
    """Return a file's name without its dates and its version, and these."""
    stem = os.path.splitext(unicodedata.normalize("NFC", file))[0].casefold().translate(_NUMERALS)
    stem = _COUNTED_COPY.sub("", stem)
    version = _VERSION.search(stem)
    rest = stem if version is None else stem[: version.start()] + stem[version.end() :]
    last = (1,) if version is None else tuple(map(int, version[version.lastindex or 0].split(".")))
    name, dates = _folder_edition(rest)
    return _SIGNS.sub("", name), (*dates, last)


@functools.lru_cache(1 << 16)
def _folder_edition(folder: str) -> tuple[str, _Numbers]:
    """Return a path without the dates and dotted numbers in it, and these. Dates in unknown order stay in it."""
    numbers: list[tuple[int, ...]] = []

    def taken_out(dated: re.Match[str]) -> str:
        in_order = _numbers(dated[0])
        numbers.extend([in_order] if in_order else [])
        return "0" if in_order else dated[0]

    return _DATED.sub(taken_out, folder), tuple(numbers)


def _numbers(text: str) -> tuple[int, ...]:
    """Return the numbers of "3.16" or of a date, the year first; none of a date whose order is unknown: 05-01-2024."""
    parts = re.findall(r"\d+", text)
    numbers = [
        int(digits) for part in parts for digits in ((part[:4], part[4:6], part[6:]) if len(part) == 8 else [part])
    ]
    if len(numbers) == 2 and numbers[1] >= 1900:
        return numbers[1], numbers[0]
    if len(numbers) == 3 and numbers[2] >= 1900 and text.count(".") == 2:
        return numbers[2], numbers[1], numbers[0]
    is_in_order = len(parts) != 3 or (numbers[2] < 1900 and [len(part) for part in parts] != [2, 2, 2])
    return tuple(numbers) if is_in_order else ()


def preference(claims: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rank all documents by their claims except PROTECTED, in the order of KeeperReason: int64 (n,).

    Larger is better; of equal documents the first ranks highest. Ranks do not depend on the demand.
    """
    backwards = claims[::-1]  # the sort is stable, so of equal rows the lower one comes last
    ranks = np.empty(len(claims), np.int64)
    order = np.lexsort([backwards[:, column] for column in range(claims.shape[1] - 1, 0, -1)])
    ranks[len(claims) - 1 - order] = np.arange(len(claims))
    return ranks


def choose(
    members: NDArray[np.int32],
    positions: NDArray[np.int32],
    central: NDArray[np.int64],
    texts: NDArray[np.int32],
    claims: NDArray[np.int64],
    ranks: NDArray[np.int64],
    editions: Editions,
) -> NDArray[np.int32]:
    """Return the keeper of each group in their order: int32 (g,).

    members: int32 (m,), the documents to choose from; groups are contiguous. positions: int32 (m,), their groups.
    central, texts: (m,), the degree and the text of each member; documents with the same words have one text.
    claims, ranks, editions: of all documents; see `claims` and `preference`.
    """
    lead = (claims[members, PROTECTED] + 1) * 2 + claims[members, COMPLETE]
    lead = lead * (central.max(initial=0) + 1) + central
    lead = lead * 4 + claims[members, STATE] + 1
    left = np.flatnonzero(lead == _most(lead, positions))
    groups, of_left = positions[left], texts[left]
    other_text = (np.diff(groups) == 0) & (np.diff(of_left) != 0)
    named = np.flatnonzero(row_mask(int(groups.max(initial=-1)) + 1, groups[1:][other_text])[groups])
    left = np.delete(left, named[editions.older(members[left[named]], groups[named])])
    rank = ranks[members[left]]
    return members[left].compress(rank == _most(rank, positions[left]))


def _most(values: NDArray[np.int64], groups: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return for each value the largest of its group, int64 (m,). Groups are contiguous."""
    is_first = np.diff(groups, prepend=-1) != 0
    most: NDArray[np.int64] = np.maximum.reduceat(values, np.flatnonzero(is_first)) if len(values) else values
    return most.take(np.cumsum(is_first) - 1)


def reason(
    keeper: int,
    members: NDArray[np.int32],
    central: NDArray[np.int64],
    texts: NDArray[np.int32],
    claims: NDArray[np.int64],
    editions: Editions,
) -> KeeperReason:
    """Return the last criterion that decided for the keeper and by which no member is ahead of it.

    So what is not the newest of its group is not told to be: a newer draft was put aside by an earlier criterion, which
    is told. central, texts: (members,), as for `choose`.
    """
    of_keeper = int(np.flatnonzero(members == keeper)[0])
    others = rivals = np.flatnonzero(members != keeper)
    deciding: list[KeeperReason] = []
    for name in _CRITERIA if len(others) else ():
        if name is KeeperReason.EDITION:
            both = np.append(rivals, of_keeper)
            is_older = editions.older(members[both], np.zeros(len(both), np.int64))[:-1]
            equal = ~is_older | (len(set(texts[both].tolist())) == 1)
        elif name is KeeperReason.CENTRAL:
            equal = central[rivals] == central[of_keeper]
        else:
            column = _COLUMNS.index(name)
            equal = claims[members[rivals], column] == claims[keeper, column]
        deciding += [] if equal.all() else [name]
        rivals = rivals[equal]
        if not len(rivals):
            break
    else:
        return KeeperReason.FIRST if len(others) else KeeperReason.ALONE
    name = deciding.pop()
    while deciding and _ahead(name, of_keeper, others, members, central, claims, editions).any():
        name = deciding.pop()
    return name if name is not KeeperReason.NO_DRAFT else _BY_STATE[int(claims[keeper, STATE])]


def _ahead(
    name: KeeperReason,
    of_keeper: int,
    others: NDArray[np.intp],
    members: NDArray[np.int32],
    central: NDArray[np.int64],
    claims: NDArray[np.int64],
    editions: Editions,
) -> NDArray[np.bool_]:
    """Tell which other members are ahead of the keeper by a criterion, bool (others,)."""
    if name is KeeperReason.EDITION:
        pairs, keeper = np.arange(len(others)), np.full(len(others), members[of_keeper])
        return editions.older(np.concatenate((keeper, members[others])), np.tile(pairs, 2))[: len(others)]
    values = central if name is KeeperReason.CENTRAL else claims[members, _COLUMNS.index(name)]
    is_ahead: NDArray[np.bool_] = values[others] > values[of_keeper]
    return is_ahead
