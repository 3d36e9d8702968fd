"""Scan results made without scanning, and what follows from them told plainly."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY, DEFAULT_RADIUS
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import READ, Documents, ScanResult, ScanSummary, hash_columns
from tests.cluster.making import SHARES, likeness_of

WIDEST = 16
RECOMMENDED = min(DEFAULT_RADIUS, WIDEST)  # pairs that sketches propose count from here
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


@dataclass(frozen=True)
class Pair:
    """A verified pair of documents by their rows."""

    left: int
    right: int
    distance: int = 3
    resemblance: float = 0.9
    left_in_right: float = 0.95
    right_in_left: float = 0.95
    sketched: bool = False
    form: bool = False
    scattered: bool = False


@dataclass(frozen=True)
class Made:
    """Documents and pairs, with the strangers by distance."""

    docs: Sequence[Doc]
    pairs: Sequence[Pair] = ()
    strangers: dict[int, int] = field(default_factory=dict)

    def result(self, *, radius: int = 12, min_similarity: float = 0.7, min_containment: float = 0.85) -> ScanResult:
        """As the library would hand it out."""
        pairs = sorted(self.pairs, key=lambda pair: (pair.left, pair.right))
        read = sum(doc.status == READ for doc in self.docs)
        columns: dict[str, NDArray[Any]] = {
            name: np.array([getattr(pair, name) for pair in pairs], np.float32) for name in SHARES
        }
        for name in ("sketched", "form", "scattered"):
            columns[name] = np.array([getattr(pair, name) for pair in pairs], np.bool_)
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
            likeness_of(len(pairs), **columns),
            np.array([self.strangers.get(distance, 0) for distance in range(65)], np.int64),
        )  # fmt: skip


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
    texts = hash_columns([_hash("text", doc.text) if ok else b"" for doc, ok in zip(docs, readable, strict=True)])
    rows = np.arange(count, dtype=np.int64)
    return Documents(
        ids=rows + 1,
        paths=[str(path_of(docs, row)) for row in range(count)],
        size=np.array([doc.size for doc in docs], np.int64),
        mtime_ns=np.array([int(doc.changed.timestamp()) * 10**9 for doc in docs], np.int64),
        ctime_ns=rows,
        device=np.ones(count, np.int64),
        inode=rows + 100,
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
        fingerprint=texts[:, 0].copy() if count else np.empty(0, np.uint64),
        comparable=np.array(readable, np.bool_),
        shingles=np.full(count, 50, np.int64),
        archive=np.array([doc.archive for doc in docs], np.int32),
    )


_SELDOM = st.sampled_from([False, False, True])
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
            ),
            min_size=1,
            max_size=most,
        )
    )
    first: dict[int, int] = {}
    for row, doc in enumerate(docs):
        first.setdefault(doc.text, row)
    stands = sorted(first.values())
    possible = [(one, other) for place, one in enumerate(stands) for other in stands[place + 1 :]]
    chosen = draw(st.lists(st.sampled_from(possible), unique=True, max_size=10)) if possible else []
    pairs = [
        Pair(one, other, draw(st.integers(1, 20)), draw(_VALUES), draw(_VALUES), draw(_VALUES),
             draw(st.booleans()), draw(_SELDOM), draw(_SELDOM))
        for one, other in chosen
    ]  # fmt: skip
    strangers = draw(st.dictionaries(st.integers(0, 20), st.integers(1, 9), max_size=4))
    return Made(docs, pairs, strangers)


@dataclass(frozen=True)
class Plain:
    """What follows from a made result at a radius and a least similarity, by loops over rows."""

    made: Made
    radius: int
    similarity: float
    containment: float = 0.85

    def stand(self, row: int) -> int:
        """The first row with the same text."""
        return next(other for other, doc in enumerate(self.made.docs) if doc.text == self.made.docs[row].text)

    def accepted(self, pair: Pair) -> bool:
        """Whether the pair is one of near-duplicates, at whatever radius."""
        scattered = pair.scattered and self.similarity <= DEFAULT_MIN_SIMILARITY
        return (bool(np.float32(pair.resemblance) >= self.similarity) or scattered) and not pair.form

    def near(self, pair: Pair) -> bool:
        """Whether it counts at this radius."""
        reach = min(pair.distance, RECOMMENDED) if pair.sketched else pair.distance
        return self.accepted(pair) and reach <= self.radius

    def witnesses(self, row: int, alive: set[int]) -> set[int]:
        """The living documents that keep the content of this one."""
        stand, found = self.stand(row), set()
        for other in alive - {row}:
            here = self.stand(other)
            if here == stand:
                found.add(other)
            for pair in self.made.pairs:
                if {pair.left, pair.right} != {stand, here}:
                    continue
                inside = pair.left_in_right if pair.left == stand else pair.right_in_left
                contained = not (self.accepted(pair) or pair.form) and np.float32(inside) >= self.containment
                if self.near(pair) or contained:
                    found.add(other)
        return found
