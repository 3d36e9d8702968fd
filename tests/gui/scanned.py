"""A small scan result made directly: real files with real texts, and the columns a scan would have stored of them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.cluster.relation import Difference, Evidence
from dupfinder.index.pairs import Pairs
from dupfinder.library.rows import READ, Documents, ScanResult, ScanSummary, hash_columns
from dupfinder.text.document import OtherContent


@dataclass(frozen=True)
class Paper:
    """A file to make. pages: None for none."""

    name: str
    text: str
    protected: bool = False
    pages: int | None = None
    day: int = 1


AGREEMENT = [
    "1. Definitions and interpretation of this supply agreement.",
    "2. The Supplier shall deliver the Goods within fourteen (14) days of the date of the Order.",
    "3. Risk in the Goods passes to the Buyer on delivery.",
    "4. Title passes on payment in full of the price of the Goods.",
    "5. The price of the Goods is set out in Schedule B.",
    "6. Interest accrues on late sums at 4 % over base rate.",
    "7. Each party shall keep the other's information secret.",
    "8. This clause survives termination for three years.",
]
CHANGED = [
    AGREEMENT[0],
    "2. The Supplier shall deliver the Goods within ten (10) days of the date of the Order.",
    *AGREEMENT[2:4],
    "4a. The Buyer may reject any Goods that do not conform to the Specification.",
    "5. The price of the Goods is set out in Schedule 2.",
    AGREEMENT[6],
    "8. This clause survives termination for five years.",
]
PAPERS = (
    Paper("contracts/Supply agreement v7.txt", "\n".join(AGREEMENT), pages=3, day=12),
    Paper("downloads/Copy of Supply agreement v7.txt", "\n".join(AGREEMENT), day=14),
    Paper("archive/supply draft.txt", "\n".join(CHANGED), protected=True, day=2),
    Paper("desktop/Supply agreement v6.txt", "\n".join(CHANGED) + "\n", day=10),
    Paper("minutes/Board minutes.txt", "The board met and decided nothing at all.\n" * 3, day=5),
    Paper("minutes/Board minutes (1).txt", "The board met and decided nothing at all.\n" * 3, day=5),
    Paper("alone/Lonely.txt", "No other text is like this one.", day=1),
)
# (left, right, distance, resemblance)
PAIRS = ((0, 2, 5, 0.81), (0, 3, 4, 0.83), (1, 2, 5, 0.81), (1, 3, 4, 0.83))
STRANGERS = {3: 2, 9: 7, 12: 30}
WIDEST = 12


def scan_result(
    folder: Path,
    papers: Sequence[Paper] = PAPERS,
    pairs: Sequence[tuple[int, int, int, float]] = PAIRS,
    *,
    radius: int = 6,
    name: str = "Contracts",
) -> ScanResult:
    """Write the papers below `folder` and tell what a scan would have found."""
    for paper in papers:
        path = folder / paper.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(paper.text, encoding="utf-8")
        os.utime(path, ns=(_moment(paper), _moment(paper)))
    count = len(papers)
    alike = np.array([pair[3] for pair in pairs], np.float32)
    return ScanResult(
        summary=ScanSummary(
            1, name, ((folder, "scan"), (folder / "archive", "protect")), datetime(2026, 3, 1, 14, 6, tzinfo=UTC), 2.0,
            "done", count, count, 2, radius, 0.7, 0.85, WIDEST, "scheme", 0,
        ),
        documents=_documents(folder, papers),
        pairs=Pairs(
            np.array([pair[0] for pair in pairs], np.uint32),
            np.array([pair[1] for pair in pairs], np.uint32),
            np.array([pair[2] for pair in pairs], np.uint8),
        ),
        evidence=_evidence(alike),
        rejected=np.array([STRANGERS.get(distance, 0) for distance in range(65)], np.int64),
    )  # fmt: skip


def _evidence(alike: NDArray[np.float32]) -> Evidence:
    """Pairs of which the whole shingle sets were compared, edited in three places."""
    count = len(alike)
    none = np.zeros(count, np.float32)
    return Evidence(
        resemblance=alike,
        left_in_right=alike.copy(),
        right_in_left=alike.copy(),
        error=none,
        aligned=none - 1,
        changes=np.full(count, 3, np.int32),
        run=none,
        difference=np.full(count, Difference.MIXED, np.uint8),
        form=np.zeros(count, np.bool_),
    )


def _documents(folder: Path, papers: Sequence[Paper]) -> Documents:
    stats = [(folder / paper.name).stat() for paper in papers]
    count = len(papers)
    texts = hash_columns([_hash(paper.text.strip()) for paper in papers])
    moments = [_moment(paper) for paper in papers]
    return Documents(
        ids=np.arange(count, dtype=np.int64),
        paths=[str(folder / paper.name) for paper in papers],
        size=np.array([stat.st_size for stat in stats], np.int64),
        mtime_ns=np.array(moments, np.int64),
        ctime_ns=np.array([stat.st_ctime_ns for stat in stats], np.int64),
        device=np.array([stat.st_dev for stat in stats], np.int64),
        inode=np.array([stat.st_ino for stat in stats], np.int64),
        protected=np.array([paper.protected for paper in papers], np.bool_),
        status=[READ] * count,
        detail=[""] * count,
        media=["txt"] * count,
        reader=["text"] * count,
        title=[""] * count,
        language=["en"] * count,
        words=np.array([len(paper.text.split()) for paper in papers], np.int32),
        pages=np.array([-1 if paper.pages is None else paper.pages for paper in papers], np.int32),
        inside_date=np.full(count, -1, np.int64),
        content_hash=hash_columns([_hash(paper.text) for paper in papers]),
        text_hash=texts,
        fingerprint=texts[:, 0].copy(),
        comparable=np.ones(count, np.bool_),
        shingles=np.full(count, 50, np.int64),
        archive=np.full(count, -1, np.int32),
        other=np.zeros((count, len(OtherContent)), np.uint64),
        seconds=np.full(count, -1, np.float32),
    )


def _moment(paper: Paper) -> int:
    return int(datetime(2024, 3, paper.day, tzinfo=UTC).timestamp()) * 10**9


def _hash(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
