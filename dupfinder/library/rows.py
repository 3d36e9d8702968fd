"""The data of the library: one row for a document, columns for a whole scan.

Columns of text hold a million names as a single array of bytes, decoded when they are accessed. Hashes of file contents
are looked up by the stamps of the files, so that unchanged files are not opened to find their copies.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final, overload

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Columns, Ragged, starts_of
from dupfinder.base.details import Details, ProblemKind
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.clustering import Clusters, FileColumns, disk_files
from dupfinder.cluster.forms import FieldContents
from dupfinder.cluster.keeper import Editions, claims, oldest, preference, richness_of
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.relation import Demand, Evidence
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.index.pairs import Pairs

_CHUNK = 10_000  # texts decoded together: bounds how long other threads wait


class _TextColumn(Sequence[str]):
    """The base of all columns of text: slices are lists, and a column equals any sequence of the same texts."""

    def _text(self, row: int) -> str:
        raise NotImplementedError

    def _texts(self, rows: range) -> list[str]:
        raise NotImplementedError

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        rows = range(len(self))[row]
        return self._texts(rows) if isinstance(rows, range) else self._text(rows)

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self._texts(range(start, min(start + _CHUNK, len(self))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment] # like a list, it equals other sequences


class DistinctTexts(_TextColumn):
    """Texts most of which differ, such as paths. entries: uint8, their bytes as in the file system."""

    def __init__(self, entries: Ragged) -> None:
        self.entries = entries.checked()

    @classmethod
    def of(cls, texts: Sequence[str]) -> DistinctTexts:
        if isinstance(texts, DistinctTexts):
            return texts
        encoded = [os.fsencode(text) for text in texts]
        return cls(Ragged(np.frombuffer(b"".join(encoded), np.uint8), starts_of([len(text) for text in encoded])))

    @classmethod
    def joined(cls, parts: Sequence[DistinctTexts]) -> DistinctTexts:
        """Return the texts of all parts, at least one, in the order of the parts."""
        return cls(Ragged.joined([part.entries for part in parts]))

    def take(self, rows: NDArray[np.intp]) -> DistinctTexts:
        """Return some of the texts, in this order."""
        return DistinctTexts(self.entries.take(rows))

    def __len__(self) -> int:
        return len(self.entries)

    def _text(self, row: int) -> str:
        return os.fsdecode(self.entries[row].tobytes())

    def _texts(self, rows: range) -> list[str]:
        if rows.step != 1 or not len(rows):
            return [self[row] for row in rows]
        starts = self.entries.starts[rows.start : rows.stop + 1]
        data = self.entries.values[starts[0] : starts[-1]].tobytes()
        cuts = (starts - starts[0]).tolist()
        if data.isascii():
            text = data.decode("ascii")
            return [text[start:end] for start, end in itertools.pairwise(cuts)]
        return [os.fsdecode(data[start:end]) for start, end in itertools.pairwise(cuts)]


class RepeatedTexts(_TextColumn):
    """Texts most of which repeat, such as formats. words: each text once. codes: int32 (n,), indices in `words`."""

    def __init__(self, words: Sequence[str], codes: NDArray[np.int32]) -> None:
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(words):
            raise ValueError("a code without a word")
        self.words, self.codes = tuple(words), codes

    @classmethod
    def of(cls, texts: Sequence[str]) -> RepeatedTexts:
        """Return some texts as a column, with `words` in ascending order."""
        if isinstance(texts, RepeatedTexts):
            return texts
        codes: dict[str, int] = {}
        coded = np.fromiter((codes.setdefault(text, len(codes)) for text in texts), np.int32, len(texts))
        return cls.coded(list(codes), coded)

    @classmethod
    def coded(cls, words: Sequence[str], codes: NDArray[np.int32]) -> RepeatedTexts:
        """Return the column of these codes of distinct words, with `words` in ascending order."""
        order = sorted(range(len(words)), key=words.__getitem__)
        ranks = np.empty(len(words), np.int32)
        ranks[order] = np.arange(len(words))
        return cls([words[code] for code in order], ranks[codes])

    @classmethod
    def joined(cls, parts: Sequence[RepeatedTexts]) -> RepeatedTexts:
        """Return the texts of all parts, at least one, in the order of the parts."""
        new = {word: code for code, word in enumerate(dict.fromkeys(word for part in parts for word in part.words))}
        codes = [np.array([new[word] for word in part.words], np.int32)[part.codes] for part in parts]
        return cls.coded(list(new), np.concatenate(codes))

    def take(self, rows: NDArray[np.intp]) -> RepeatedTexts:
        """Return some of the texts, in this order."""
        return RepeatedTexts(self.words, self.codes[rows])

    def __len__(self) -> int:
        return len(self.codes)

    def _text(self, row: int) -> str:
        return self.words[int(self.codes[row])]

    def _texts(self, rows: range) -> list[str]:
        words = self.words
        return [words[code] for code in self.codes[np.array(rows, np.intp)].tolist()]

    def each(self, facts: Sequence[Any], dtype: type[Any]) -> NDArray[Any]:
        """Return the fact of each text, given the fact of each of `words`: (n,)."""
        return np.array(facts, dtype)[self.codes] if len(self) else np.empty(0, dtype)


READ = "read"  # the status of a document that can be compared; every other status is a ProblemKind value
NO_DATE = -1
_WITH_TEXT = frozenset((READ, ProblemKind.TOO_SHORT.value))  # texts too short to compare may be copies too


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """One version of a file, as it was read.

    status:       READ or the value of a ProblemKind; `details` say more of it.
    inside_date:  seconds since the epoch of the newest date inside the file, NO_DATE if none.
    content_hash: 16 bytes of BLAKE2b over the file's bytes; empty when they were not read.
    text_print:   None unless status is READ (or TOO_SHORT, whose text hash still counts).
    archive:      for a member of an archive, the library's number of the archive; the path in its stamp is below that
                  of the archive, its size is unpacked. None for other files.
    members:      number of members of an archive that was read; None for other files.
    seconds:      processor time of reading; None if it was not read.
    other:        its content beside the words, as `other_bytes` returns it; None if no reader examined it.
    """

    stamp: FileStamp
    status: str
    details: Details = ()
    media: str = ""
    reader: str = ""
    title: str = ""
    author: str = ""
    pages: int | None = None
    inside_date: int = NO_DATE
    content_hash: bytes = b""
    partial: bool = False
    text_print: TextPrint | None = None
    archive: int | None = None
    members: int | None = None
    other: bytes | None = None
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Documents:
    """All files offered to a scan, as columns of length n; Pairs refer to their row numbers. Sorted by path bytes.

    ids:          int64 (n,), the library's number of each version.
    paths:        n names as text; undecodable bytes are surrogate escapes.
    size:         int64 (n,), bytes.  mtime_ns, ctime_ns, device, inode: int64 (n,).
    protected:    bool (n,), in a protected folder.
    status:       n words, as in DocumentRow; media, reader, title, language: n texts.
    detail:       n texts, as `base.details.stored` makes them.
    words, pages: int32 (n,), -1 where unknown.
    inside_date:  int64 (n,), seconds since the epoch or NO_DATE.
    content_hash, text_hash: 16-byte values as uint64 (n, 2), zero where there is none.
    fingerprint:  uint64 (n,).
    comparable:   bool (n,), the fingerprint may be compared.
    shingles:     int64 (n,), distinct shingles of the text.
    archive:      int32 (n,), the row of the archive of which it is a member, -1 for other files. A member's path is
                  below that of its archive.
    seconds:      float32 (n,), processor time of reading; -1 where unknown.
    other:        uint64 (n, kinds of OtherContent), content beside the words: 0 none of this kind, 1 not known, else a
                  hash of it. `cluster.relation.compare_other` compares rows.
    """

    ids: NDArray[np.int64]
    paths: Sequence[str]
    size: NDArray[np.int64]
    mtime_ns: NDArray[np.int64]
    ctime_ns: NDArray[np.int64]
    device: NDArray[np.int64]
    inode: NDArray[np.int64]
    protected: NDArray[np.bool_]
    status: Sequence[str]
    detail: Sequence[str]
    media: Sequence[str]
    reader: Sequence[str]
    title: Sequence[str]
    language: Sequence[str]
    words: NDArray[np.int32]
    pages: NDArray[np.int32]
    inside_date: NDArray[np.int64]
    content_hash: NDArray[np.uint64]
    text_hash: NDArray[np.uint64]
    fingerprint: NDArray[np.uint64]
    comparable: NDArray[np.bool_]
    shingles: NDArray[np.int64]
    archive: NDArray[np.int32]
    other: NDArray[np.uint64]
    seconds: NDArray[np.float32]

    def __len__(self) -> int:
        return len(self.paths)

    def path(self, row: int) -> Path:
        return Path(self.paths[row])

    def archive_of(self, row: int) -> Path | None:
        """Return the archive of which a row is a member; None for other files."""
        holder = int(self.archive[row])
        return None if holder < 0 else self.path(holder)

    @property
    def inside(self) -> NDArray[np.bool_]:
        """bool (n,), members of archives: they are compared, but neither marked nor kept for another document."""
        return self.archive >= 0

    def files(self) -> FileColumns:
        """Return the facts of the files that grouping needs."""
        with ThreadPoolExecutor() as threads:  # sorting does not hold the interpreter's lock
            representative = threads.submit(lambda: representatives(self.copy_hashes()))
            disk_file = threads.submit(disk_files, self.device, self.inode)
            kinds = RepeatedTexts.of(self.media)
            richness = kinds.each([richness_of(kind) for kind in kinds.words], np.int64)
            inside, times = self.inside_date, self.mtime_ns
            dates = oldest(inside, representative.result(), NO_DATE), oldest(times, representative.result(), NO_DATE)
            complete = ~self.read_in_part()
            facts = claims(self.protected, complete, self.paths, richness, dates, self.words, times)
            facts[self.inside, 0] = -1  # other files are preferred to members of archives
            ranks = preference(facts)
        return FileColumns(
            representative=representative.result(),
            content=self.content_hash,
            other=self.other,
            media=kinds.codes.astype(np.int64),
            size=np.where(self.inside, 0, self.size),  # removing a member of an archive frees nothing
            disk_file=disk_file.result(),
            words=self.words.astype(np.int64),
            locked=self.protected | self.inside,
            inside=self.inside,
            claims=facts,
            ranks=ranks,
            editions=Editions(len(self), lambda rows: DistinctTexts.of(self.paths).take(rows)[:]),
        )

    def read_in_part(self) -> NDArray[np.bool_]:
        """Tell which documents could be read only in part, bool (n,): they have words, but no hash of the text."""
        return (self.words > 0) & ~self.text_hash.any(axis=1)

    def copy_hashes(self) -> NDArray[np.uint64]:
        """Return what copies have in common: uint64 (n, 2), the hash of the text, or of the bytes if there is no text.

        Empty files have hash 0, as they are not copies of each other.
        """
        text = self.text_hash.copy()
        status = RepeatedTexts.of(self.status)
        text[~status.each([word in _WITH_TEXT for word in status.words], np.bool_)] = 0
        by_bytes = ~text.any(axis=1) & (self.size > 0)
        text[by_bytes] = self.content_hash[by_bytes]
        return text

    def stamp(self, row: int) -> FileStamp:
        """Return the stamp of a row at the time it was read."""
        return FileStamp(
            self.path(row),
            int(self.size[row]),
            int(self.mtime_ns[row]),
            int(self.ctime_ns[row]),
            int(self.device[row]) & 0xFFFFFFFFFFFFFFFF,
            int(self.inode[row]) & 0xFFFFFFFFFFFFFFFF,
        )

    def content_hex(self, row: int) -> str:
        """Return the content hash in hexadecimal, "" where the bytes were not read."""
        return self.content_hexes(np.array([row]))[0]

    def content_hexes(self, rows: NDArray[np.integer[Any]]) -> list[str]:
        """Return the content hash of some rows in hexadecimal, "" where the bytes were not read."""
        hashes = self.content_hash[rows]
        text = hashes.astype(">u8").tobytes().hex()
        return [text[32 * at : 32 * at + 32] if read else "" for at, read in enumerate(hashes.any(axis=1).tolist())]

    def rows_with(self, contents: Collection[str]) -> dict[str, list[int]]:
        """Map content hashes in hexadecimal to the rows that have them, ascending, without hashes that no row has."""
        hashes = hash_columns([bytes.fromhex(content) for content in contents])
        candidates = np.flatnonzero(np.isin(self.content_hash[:, 0], hashes[:, 0]))
        rows_of: dict[str, list[int]] = {}
        for row, content in zip(candidates.tolist(), self.content_hexes(candidates), strict=True):
            if content in contents:
                rows_of.setdefault(content, []).append(row)
        return rows_of


@dataclass(frozen=True, slots=True)
class ScanSummary:
    """One line of the list of scans. state: "unfinished" or "done". roots: (path, role value) of each folder."""

    id: int
    name: str
    roots: tuple[tuple[Path, str], ...]
    started: datetime
    seconds: float
    state: str
    offered: int
    read: int
    clusters: int
    radius: int
    min_similarity: float
    min_containment: float
    widest_radius: int
    scheme: str
    reused: int

    @classmethod
    def begun(
        cls, name: str, roots: tuple[tuple[Path, str], ...], started: datetime, demand: Demand, scheme: str
    ) -> ScanSummary:
        """Return the summary of a scan that begins."""
        limits = demand.radius, demand.similarity, demand.containment
        return cls(0, name, roots, started, 0.0, "unfinished", 0, 0, 0, *limits, 0, scheme, 0)

    @property
    def demand(self) -> Demand:
        """The demand with which the results open."""
        return Demand(self.min_similarity, self.min_containment, min(self.radius, self.widest_radius))


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The results of a finished scan; groups at any demand follow from them without reading files again.

    pairs, evidence: the pairs that can be shown, and their evidence, row for row.
    rejected:        int64 (65,), number of pairs within the widest radius that are too dissimilar to store, by
                     distance.
    revision:        the revision of measuring, if the scan examined all pairs; a negative number if limits left out
                     some, see scan.matching.MatchingBudget; 0 if unknown.
    frequent:        uint32 (v,), shingles that many documents contain; see cluster.candidates.
    contents:        what the fields of filled-in forms contain, so that a later scan need not find it again.
    clusters:        the clusters under the demand with which the results open; None if they are not formed, or not
                     stored.
    grouped:         int64 (g,), rows of documents that only passages pair with each other; see cluster.candidates.
    hubs:            int64 (h,), rows of documents that are paired with all of such a group.
    library:         the file of the library that holds the documents; None for results of no library.
    """

    summary: ScanSummary
    documents: Documents
    pairs: Pairs
    evidence: Evidence
    rejected: NDArray[np.int64]
    revision: int = 0
    frequent: NDArray[np.uint32] = field(default_factory=lambda: np.empty(0, np.uint32))
    contents: FieldContents = field(default_factory=FieldContents.none)
    clusters: Clusters | None = None
    grouped: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    hubs: NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    library: Path | None = None


def hash_columns(values: Sequence[bytes]) -> NDArray[np.uint64]:
    """Return 16-byte hashes as uint64 (n, 2), big endian; an empty value becomes two zeros."""
    joined = b"".join(value if len(value) == 16 else bytes(16) for value in values)
    return np.frombuffer(joined, dtype=">u8").astype(np.uint64).reshape(-1, 2)


# One file: its stamp's key, the hash of its first block and that of its content, as FileHashes has them.
_ROW: Final = np.dtype([("key", "<i8", (5,)), ("head", "<u8"), ("content", "<u8", (2,))])
# Multipliers that mix the five numbers of a key; any odd numbers would do.
_ODD: Final = np.array(
    [0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93, 0xFF51AFD7ED558CCD], np.uint64
)


@dataclass(frozen=True, slots=True)
class FileHashes(Columns):
    """Hashes of n files, as columns.

    keys:    int64 (n, 5), device, inode, size [bytes], mtime_ns and ctime_ns, as `stored.stamp_key` gives them.
    head:    uint64 (n,), of the first block; 0 where it was not read.
    content: uint64 (n, 2), of all bytes, zeros where they were not read: the content hash that DocumentRow has.
    """

    keys: NDArray[np.int64]
    head: NDArray[np.uint64]
    content: NDArray[np.uint64]

    @classmethod
    def unknown(cls, keys: NDArray[np.int64]) -> FileHashes:
        """Return the hashes of files of which no block was read."""
        return cls(keys, np.zeros(len(keys), np.uint64), np.zeros((len(keys), 2), np.uint64))

    @classmethod
    def none(cls) -> FileHashes:
        return cls.unknown(np.empty((0, 5), np.int64))

    @classmethod
    def unpacked(cls, parts: list[bytes]) -> FileHashes:
        """Decode the hashes of packed parts. Raises ValueError for other bytes."""
        rows = np.frombuffer(b"".join(parts), _ROW)
        return cls(
            rows["key"].astype(np.int64),
            rows["head"].astype(np.uint64),
            rows["content"].astype(np.uint64).reshape(-1, 2),
        )

    def packed(self) -> bytes:
        """Encode the hashes of the files of which at least a block was read."""
        files = self.take(np.flatnonzero(self.is_read))
        rows = np.empty(len(files), _ROW)
        rows["key"], rows["head"], rows["content"] = files.keys, files.head, files.content
        return rows.tobytes()

    @property
    def is_read(self) -> NDArray[np.bool_]:
        """Whether a block of each file was read, bool (n,)."""
        read: NDArray[np.bool_] = (self.head != 0) | self.has_content
        return read

    @property
    def has_content(self) -> NDArray[np.bool_]:
        """Whether all bytes of each file were read, bool (n,)."""
        has_content: NDArray[np.bool_] = (self.content[:, 0] != 0) | (self.content[:, 1] != 0)
        return has_content

    def of(self, keys: NDArray[np.int64]) -> FileHashes:
        """Return what is known of files with these keys, int64 (m, 5), row for row.

        If a key is stored twice, the entry of the file whose bytes were all read counts.
        """
        result = FileHashes.unknown(keys)
        if not len(self):
            return result
        mixed = _mixed(self.keys)
        order = np.lexsort((self.has_content, mixed))
        targets = _mixed(keys)
        rows = order[np.maximum(np.searchsorted(mixed[order], targets, side="right") - 1, 0)]
        equal = np.flatnonzero((self.keys[rows] == keys).all(axis=1))
        result.head[equal], result.content[equal] = self.head[rows[equal]], self.content[rows[equal]]
        return result


def _mixed(keys: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return one number for the five of each key, uint64 (n,), which two keys hardly ever share."""
    numbers = keys.view(np.uint64) * _ODD
    mixed: NDArray[np.uint64] = np.bitwise_xor.reduce(numbers ^ (numbers >> np.uint64(29)), axis=1)
    return mixed
