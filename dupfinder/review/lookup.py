"""What in a library is like a given text: its exact copies, its near-duplicates, what holds it and what it holds."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import UsageError
from dupfinder.base.problems import Problem
from dupfinder.base.progress import Stage
from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY, DEFAULT_RADIUS
from dupfinder.cluster.likeness import Likeness
from dupfinder.cluster.linkage import reach
from dupfinder.cluster.own import own_likeness, own_shingles
from dupfinder.cluster.scattered import scattered_edits
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import Library, Sketch
from dupfinder.library.rows import ScanResult
from dupfinder.review.wording import problem_sentence
from dupfinder.scan.matching import ASKED_PARTS, LEAST_CONTAINMENT, LEAST_RESEMBLANCE, scatter_sets, upper_halves
from dupfinder.scan.reading import FAILED, fingerprinter, read_text
from dupfinder.scan.weights import scheme_of
from dupfinder.text.document import Extraction
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.sandbox import Sandbox

_WIDEST = 24  # bits looked at; verification decides
_LEAST_PARTS = 2  # sampled shingles in common that make a candidate


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that is like the text. similarity: resemblance, or for contained ones the share. archive: the one
    that it is a member of; None for a file of its own."""

    path: Path
    relation: str
    similarity: float
    distance: int
    archive: Path | None = None


def text_to_find(name: str) -> str:
    """The text of a file, or of standard input for "-", in any encoding. UsageError when it has none."""
    found = extract(sys.stdin.buffer.read(), Path("standard input")) if name == "-" else _read(Path(name).absolute())
    if found.extracted is None:
        assert found.problem is not None
        raise UsageError(f"{name}: {problem_sentence(found.problem.kind, found.problem.detail)}")
    return found.extracted.text


def _read(path: Path) -> Extraction:
    """The text of a file, read in a process that may fail without harm."""
    with Sandbox(read_text, workers=1) as sandbox:
        (done,) = sandbox.run([path])
    if done.failure is not None:
        return Extraction(None, Problem(path, Stage.READ, FAILED[done.failure], done.detail))
    assert done.value is not None
    return done.value


class Lookup:
    """Finds texts in one finished scan."""

    def __init__(self, library: Library, result: ScanResult) -> None:
        self._library = library
        self._scheme = scheme_of(result.summary.scheme)
        self._widest = result.summary.widest_radius
        self._documents = result.documents
        self._rows = np.flatnonzero(result.documents.comparable)
        self._left_out = result.left_out
        self._parts = library.sketches(result.documents.ids[self._rows], Sketch.PARTS)

    def find(self, text: str, radius: int, min_similarity: float, min_containment: float) -> list[Hit]:
        """The documents like a text, closest first. UsageError when the text is too short to compare, or the
        scan's scheme is not known here."""
        scheme = self._scheme
        if scheme is None:
            raise UsageError("The scan was made with weights that are not here any more. Scan again.")
        found = fingerprinter(scheme).print_of(normalise(text, simplify=scheme.simplify))
        if not found.has_features:
            raise UsageError("The text is too short to compare.")
        rows, sketched = self._candidates(found)
        if not len(rows):
            return []
        others = np.arange(1, len(rows) + 1, dtype=np.uint32)
        bits = np.bitwise_count(self._documents.fingerprint[rows] ^ np.uint64(found.fingerprint)).astype(np.uint8)
        pairs = Pairs(np.zeros(len(rows), np.uint32), others, bits)
        whole, likeness = self._likeness(found, rows, pairs)
        within = reach(pairs, sketched, min(DEFAULT_RADIUS, self._widest)) <= radius
        near = (likeness.resemblance >= min_similarity) & within
        if min_similarity <= DEFAULT_MIN_SIMILARITY:
            near |= self._scattered(found, rows, pairs, whole, scheme.shingle)
        hits = []
        for place, row in enumerate(rows.tolist()):
            same = self._documents.text_hash[row].astype(">u8").tobytes() == found.text_hash
            resemblance = float(likeness.resemblance[place])
            inside, holds = float(likeness.left_in_right[place]), float(likeness.right_in_left[place])
            distance, path, archive = int(bits[place]), self._documents.path(row), self._documents.archive_of(row)
            if same:
                hits.append(Hit(path, "identical_text", 1.0, distance, archive))
            elif near[place]:
                hits.append(Hit(path, "near", resemblance, distance, archive))
            elif max(inside, holds) >= min_containment:
                relation = "contains" if inside >= holds else "contained"
                hits.append(Hit(path, relation, max(inside, holds), distance, archive))
        return sorted(hits, key=lambda hit: (-hit.similarity, str(hit.path)))

    def _likeness(self, found: TextPrint, rows: NDArray[np.int64], pairs: Pairs) -> tuple[Likeness, Likeness]:
        """How alike the text and each document are as wholes, and without the boilerplate that the scan left out."""
        counts = np.concatenate(([found.shingles], self._documents.shingles[rows]))
        shingles = Shingles.of(*self._beside(found.sketch, rows, Sketch.SMALLEST), counts)
        whole = verify(pairs, shingles)
        own = own_shingles(shingles, counts, upper_halves(self._left_out))
        return whole, own_likeness(whole, pairs, own, (LEAST_RESEMBLANCE, LEAST_CONTAINMENT))

    def _beside(
        self, mine: NDArray[np.uint64], rows: NDArray[np.int64], kind: Sketch
    ) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
        """The sketch of a text followed by those of some documents: values and starts."""
        theirs = self._library.sketches(self._documents.ids[rows], kind)
        values = np.concatenate(((mine >> np.uint64(32)).astype(np.uint32), theirs.values.astype(np.uint32)))
        return values, np.concatenate(([0], theirs.starts + len(mine)))

    def _scattered(
        self, found: TextPrint, rows: NDArray[np.int64], pairs: Pairs, likeness: Likeness, shingle: int
    ) -> NDArray[np.bool_]:
        """Which documents are the text under scattered edits, bool (m,)."""
        neighbours, words = (
            verify(pairs, scatter_sets(*self._beside(mine, rows, kind)))
            for mine, kind in ((found.neighbours, Sketch.NEIGHBOURS), (found.bag, Sketch.BAG))
        )
        lengths = (np.full(len(rows), found.words, np.int32), self._documents.words[rows])
        runs = (np.full(len(rows), found.shingles, np.int64), self._documents.shingles[rows])
        return scattered_edits(likeness, neighbours, words, lengths, runs, shingle)

    def _candidates(self, found: TextPrint) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Rows to verify, and which of them share enough sampled shingles to be proposed by those."""
        documents = self._documents
        bits = np.bitwise_count(documents.fingerprint[self._rows] ^ np.uint64(found.fingerprint))
        shared = np.isin(self._parts.values, found.part_sketch)
        running = np.concatenate(([0], np.cumsum(shared)))
        parts = running[self._parts.starts[1:]] - running[self._parts.starts[:-1]]
        held = np.diff(self._parts.starts)
        enough = parts >= np.maximum(_LEAST_PARTS, np.minimum(held, len(found.part_sketch)) // ASKED_PARTS)
        chosen = (bits <= _WIDEST) | enough
        return self._rows[chosen].astype(np.int64), enough[chosen]
