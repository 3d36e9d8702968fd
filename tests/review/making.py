"""Scan results made without scanning, and what follows from them told plainly."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY
from dupfinder.cluster.relation import (
    LEAST_CHANGES,
    LEAST_CONTAINMENT,
    MOST_SCATTERED_RUN,
    Demand,
    Difference,
    Relation,
)
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import READ, Documents, ScanResult, ScanSummary, hash_columns
from dupfinder.review.session import ReviewSession
from dupfinder.text.document import OtherContent
from tests.cluster.making import evidence_of

WIDEST = 16
TOP = Path("/docs")


@dataclass(frozen=True)
class Doc:
    """A document of a made-up result. Equal `text`: the same text; equal `text` and `form`: the same bytes."""

    text: int
    form: int = 0
    protected: bool = False
    name: str = ""
    folder: str = "letters"
    size: int = 1000
    media: str = "txt"
    words: int = 100
    changed: datetime = datetime(2024, 3, 1, tzinfo=UTC)
    language: str = "en"
    status: str = READ
    detail: str = ""
    pages: int = -1
    archive: int = -1  # the row of the archive that it is a member of
    pictures: int = 0  # 0: none, 1: not known, else a hash of them
    inode: int = 0  # 0: one of its own
    read_in_part: bool = False  # only a part of it could be read


@dataclass(frozen=True)
class Pair:
    """A verified pair of documents by their rows."""

    left: int
    right: int
    distance: int = 3
    resemblance: float = 0.9
    left_in_right: float = 0.95
    right_in_left: float = 0.95
    form: bool = False
    aligned: float = -1.0
    changes: int = 20
    run: float = 1.0
    difference: Difference = Difference.MIXED
    error: float = 0.0


@dataclass(frozen=True)
class Made:
    """Documents and pairs, with the numbers of rejected candidates by distance."""

    docs: Sequence[Doc]
    pairs: Sequence[Pair] = ()
    rejected: dict[int, int] = field(default_factory=dict)

    def result(self, *, radius: int = 12, min_similarity: float = 0.7, min_containment: float = 0.85) -> ScanResult:
        """As the library would hand it out."""
        pairs = sorted(self.pairs, key=lambda pair: (pair.left, pair.right))
        read = sum(doc.status == READ for doc in self.docs)
        columns: dict[str, NDArray[Any]] = {
            name: np.array([getattr(pair, name) for pair in pairs], dtype) for name, dtype in _COLUMNS.items()
        }
        return ScanResult(
            ScanSummary(
                1, "Letters", ((TOP, "scan"), (TOP / "kept", "protect")), datetime(2026, 3, 1, tzinfo=UTC), 2.0,
                "done", len(self.docs), read, 0, radius, min_similarity, min_containment, WIDEST, "scheme", 0,
            ),
            _documents(self.docs),
            Pairs(
                np.array([pair.left for pair in pairs], np.uint32), np.array([pair.right for pair in pairs], np.uint32),
                np.array([pair.distance for pair in pairs], np.uint8),
            ),
            evidence_of(len(pairs), **columns),
            np.array([self.rejected.get(distance, 0) for distance in range(65)], np.int64),
        )  # fmt: skip


_COLUMNS = {
    **dict.fromkeys(("resemblance", "left_in_right", "right_in_left", "error", "aligned", "run"), np.float32),
    "changes": np.int32, "difference": np.uint8, "form": np.bool_,
}  # fmt: skip


def path_of(docs: Sequence[Doc], row: int) -> Path:
    """Where a made-up document is."""
    doc = docs[row]
    if doc.archive >= 0:
        return path_of(docs, doc.archive) / "in" / (doc.name or f"{row:02} letter.{doc.media}")
    return TOP / ("kept" if doc.protected else doc.folder) / (doc.name or f"{row:02} letter.{doc.media}")


def _hash(*facts: object) -> bytes:
    return hashlib.blake2b(repr(facts).encode(), digest_size=16).digest()


def _documents(docs: Sequence[Doc]) -> Documents:
    count = len(docs)
    readable = [doc.status == READ for doc in docs]
    prints = hash_columns([_hash("text", doc.text) if ok else b"" for doc, ok in zip(docs, readable, strict=True)])
    texts = (
        np.where(np.array([[doc.read_in_part] for doc in docs], np.bool_), np.uint64(0), prints) if count else prints
    )
    rows = np.arange(count, dtype=np.int64)
    return Documents(
        ids=rows + 1,
        paths=[str(path_of(docs, row)) for row in range(count)],
        size=np.array([doc.size for doc in docs], np.int64),
        mtime_ns=np.array([int(doc.changed.timestamp()) * 10**9 for doc in docs], np.int64),
        ctime_ns=rows,
        device=np.ones(count, np.int64),
        inode=np.array([doc.inode or 100 + row for row, doc in enumerate(docs)], np.int64),
        protected=np.array([doc.protected for doc in docs], np.bool_),
        status=[doc.status for doc in docs],
        detail=[doc.detail for doc in docs],
        media=[doc.media for doc in docs],
        reader=["plain"] * count,
        title=[""] * count,
        language=[doc.language for doc in docs],
        words=np.array([doc.words for doc in docs], np.int32),
        pages=np.array([doc.pages for doc in docs], np.int32),
        inside_date=np.full(count, -1, np.int64),
        content_hash=hash_columns([_hash("bytes", doc.text, doc.form) for doc in docs]),
        text_hash=texts,
        fingerprint=prints[:, 0].copy() if count else np.empty(0, np.uint64),
        comparable=np.array(readable, np.bool_),
        shingles=np.full(count, 50, np.int64),
        archive=np.array([doc.archive for doc in docs], np.int32),
        other=_other(docs),
        seconds=np.full(count, 0.5, np.float32),
    )


def _other(docs: Sequence[Doc]) -> NDArray[np.uint64]:
    other = np.zeros((len(docs), len(OtherContent)), np.uint64)
    other[:, list(OtherContent).index(OtherContent.PICTURES)] = [doc.pictures for doc in docs]
    return other


_SELDOM = st.sampled_from([False, False, True])
_ALIGNED = st.sampled_from([-1.0, 0.7, 0.85, 0.95])
_VALUES = st.sampled_from([0.3, 0.6, 0.75, 0.9, 0.97])


@st.composite
def made(draw: st.DrawFn, most: int = 9) -> Made:
    """Results with copies, versions, parts, forms and protected documents; sizes and names repeat."""
    docs = draw(
        st.lists(
            st.builds(
                Doc,
                text=st.integers(0, 6),
                form=st.integers(0, 1),
                protected=st.sampled_from([False, False, False, True]),
                folder=st.sampled_from(["letters", "Archive", "letters/deep"]),
                size=st.sampled_from([10, 1000, 5_000_000]),
                media=st.sampled_from(["txt", "pdf", "docx"]),
                words=st.integers(1, 5),
                changed=st.sampled_from([datetime(year, 3, 1, tzinfo=UTC) for year in (2020, 2023, 2024)]),
                language=st.sampled_from(["en", "zh", ""]),
                pictures=st.sampled_from([0, 0, 1, 7]),
            ),
            min_size=1,
            max_size=most,
        )
    )
    first: dict[int, int] = {}
    for row, doc in enumerate(docs):
        first.setdefault(doc.text, row)
    docs = [replace(doc, words=docs[first[doc.text]].words) for doc in docs]  # one text has one number of words
    stands = sorted(first.values())
    possible = [(left, right) for place, left in enumerate(stands) for right in stands[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(possible), unique=True, max_size=10)) if possible else []
    pairs = [
        Pair(left, right, draw(st.integers(1, 20)), draw(_VALUES), draw(_VALUES), draw(_VALUES),
             draw(_SELDOM), draw(_ALIGNED), draw(st.sampled_from([3, 30])), draw(st.sampled_from([1.0, 6.0])),
             draw(st.sampled_from(list(Difference))), draw(st.sampled_from([0.0, 0.0, 0.02])))
        for left, right in chosen
    ]  # fmt: skip
    rejected = draw(st.dictionaries(st.integers(0, 20), st.integers(1, 9), max_size=4))
    return Made(docs, pairs, rejected)


@dataclass(frozen=True)
class Plain:
    """What follows from a made result under a demand, by loops over rows. parted: pairs said to be no duplicates."""

    made: Made
    demand: Demand
    parted: frozenset[frozenset[int]] = frozenset()

    def stand(self, row: int) -> int:
        """The first row with the same text."""
        return next(other for other, doc in enumerate(self.made.docs) if doc.text == self.made.docs[row].text)

    def relation(self, row: int, other: int) -> Relation:
        """What one document is to another."""
        mine, theirs = self.made.docs[row], self.made.docs[other]
        if mine.text == theirs.text:
            if mine.form == theirs.form:
                return Relation.IDENTICAL
            known = 1 not in (mine.pictures, theirs.pictures)
            return Relation.SAME_TEXT if known and mine.pictures == theirs.pictures else Relation.SAME_WORDS
        ends = {self.stand(row), self.stand(other)}
        if any(set(map(self.stand, pair)) == ends for pair in self.parted):
            return Relation.NONE
        for pair in self.made.pairs:
            if {pair.left, pair.right} == ends:
                return self.of_pair(pair, turned=pair.left != self.stand(row))
        return Relation.NONE

    def of_pair(self, pair: Pair, *, turned: bool = False) -> Relation:
        """What the left document of a pair is to the right one, or the right one to the left."""
        if pair.form:
            return Relation.SAME_FORM
        near = pair.distance <= self.demand.radius
        shares = np.float32(pair.left_in_right), np.float32(pair.right_in_left)
        by_passages = bool(np.float32(pair.resemblance) >= np.float32(self.demand.similarity))
        part = max(shares) - np.float32(pair.error)
        enough = bool(part >= np.float32(self.demand.containment)) and bool(shares[0] != shares[1])
        is_part = self.demand.passages and enough and pair.resemblance < DEFAULT_MIN_SIMILARITY
        by_edits = self.scattered(pair) >= self.demand.similarity and not is_part
        if (near and (by_passages or by_edits)) or (
            self.demand.passages and (by_passages or (by_edits and max(shares) >= LEAST_CONTAINMENT))
        ):
            return Relation.VERSION
        if not self.demand.passages or not enough:
            return Relation.NONE
        return Relation.PART if (shares[0] > shares[1]) != turned else Relation.WHOLE

    def scattered(self, pair: Pair) -> float:
        """Similarity under scattered edits; 0 where they are not scattered."""
        fits = (
            pair.aligned > 0
            and pair.run <= MOST_SCATTERED_RUN
            and pair.changes >= LEAST_CHANGES
            and pair.resemblance >= 0.1
        )
        if not fits or pair.difference is Difference.NUMBERS:
            return 0.0
        share = np.float32(pair.aligned)
        return float(share / (2 - share))

    def family(self, row: int) -> set[int]:
        """Return the rows connected with a row by versions and copies, not by parts; no pair is borderline."""
        members, front = {row}, [row]
        while front:
            here = front.pop()
            for other in range(len(self.made.docs)):
                if other not in members and self.relation(here, other) >= Relation.VERSION:
                    members.add(other)
                    front.append(other)
        return members

    def survivors(self, row: int, alive: set[int], *, as_part: bool = False) -> set[int]:
        """The living documents that keep what this one says."""
        least = {Relation.PART} if as_part else set()
        kept = {Relation.VERSION, Relation.SAME_WORDS, Relation.SAME_TEXT, Relation.IDENTICAL} | least
        return {other for other in alive - {row} if self.relation(row, other) in kept}


def row_of(session: ReviewSession, path: Path) -> int | None:
    """The row of a document by its path."""
    paths = list(session.result.documents.paths)
    return paths.index(str(path)) if str(path) in paths else None
