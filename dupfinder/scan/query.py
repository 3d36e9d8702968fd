"""What in a library is like a given document: its copies, its versions, what it is in and what is in it."""

from __future__ import annotations

import hashlib
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import Fault, InputError, LibraryMissing, NoTextError
from dupfinder.base.problems import Problem
from dupfinder.base.progress import Stage
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.alignment import Traces
from dupfinder.cluster.candidates import ERRORS
from dupfinder.cluster.evidence import Prints, measure, with_forms
from dupfinder.cluster.forms import same_forms
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.relation import (
    Demand,
    Difference,
    Relation,
    decide,
    of_same_words,
    similarity,
)
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.library import other
from dupfinder.library.library import Library
from dupfinder.library.rows import hash_columns
from dupfinder.processes.sandbox import Sandbox
from dupfinder.scan.matching import LEAST_SHARE, prints_of, ranks_of
from dupfinder.scan.reading import FAILED, HASH_BYTES, file_holding, fingerprinter, read_text
from dupfinder.scan.weights import scheme_of
from dupfinder.text.document import Extracted, Extraction
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

_MOST_FORMS = 100  # documents looked at, to see whether a form is filled in differently in several
_SHORT_WORDS = 2_000  # of a text; for a longer one only those that differ in short replacements are looked at


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that the text is something to: what the text is to it, how similar, and how much of the text is in it
    (share) and of it in the text (held). archive: the one that it is a member of; None for a file of its own."""

    path: Path
    relation: Relation
    similarity: float
    share: float
    held: float
    distance: int
    archive: Path | None = None


def text_to_find(name: str) -> Extracted:
    """The text of a file, or of standard input for "-", in any encoding. NoTextError when it has none."""
    read = extract(sys.stdin.buffer.read(), Path("-")) if name == "-" else _read(Path(name).absolute())
    if read.extracted is None:
        assert read.problem is not None
        raise NoTextError(name, read.problem.kind, read.problem.details)
    return read.extracted


def _read(path: Path) -> Extraction:
    """The text of a file, read in a process that may fail without harm."""
    with Sandbox(read_text, workers=1, files=lambda path: (file_holding(path),)) as sandbox:
        (done,) = sandbox.run([path])
    if done.failure is not None:
        return Extraction(None, Problem(path, Stage.READ, FAILED[done.failure], done.details))
    assert done.value is not None
    return done.value


def digest_of(path: Path) -> bytes:
    """The hash of a file's bytes as scans store it; empty for what is no file of its own."""
    if not path.is_file():
        return b""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=HASH_BYTES)).digest()


class Lookup:
    """Finds documents among all that a library knows: the newest version of every file of every finished scan that was
    made with the same scheme as the newest scan. Raises LibraryMissing, UsageError for a scheme that is not known here.
    """

    def __init__(self, library: Library) -> None:
        newest = library.summary()
        scheme = scheme_of(newest.scheme)
        if scheme is None:
            raise InputError(Fault.WEIGHTS_GONE)
        self._library, self._scheme = library, scheme
        self._documents = library.every_document(newest.scheme)
        if not len(self._documents):
            raise LibraryMissing(library.path)
        self._hashes = self._documents.copy_hashes()
        self._rows = np.flatnonzero(self._documents.comparable)

    def find(self, extracted: Extracted, demand: Demand, itself: Path | None = None, digest: bytes = b"") -> list[Hit]:
        """The documents that a text is something to, the closest first. itself: a file that is left out. digest: of its
        bytes, as `digest_of` gives it. UsageError when the text is too short to compare."""
        scheme = self._scheme
        text = fingerprinter(scheme).print_of(normalise(extracted.text, simplify=scheme.simplify))
        if not text.has_features:
            raise InputError(Fault.TOO_SHORT)
        hits = [*self._copies(extracted, text, digest), *self._alike(text, demand)]
        kept = [hit for hit in hits if hit.path != itself]
        return sorted(kept, key=lambda hit: (-hit.relation, -hit.similarity, str(hit.path)))

    def _copies(self, extracted: Extracted, text: TextPrint, digest: bytes) -> list[Hit]:
        """The documents with the same words."""
        if extracted.partial:
            return []
        mine = np.frombuffer(text.text_hash, ">u8").astype(np.uint64)
        rows = np.flatnonzero((self._documents.text_hash == mine).all(axis=1) & self._documents.comparable)
        said = np.frombuffer(other.packed(extracted.other), "<u8").astype(np.uint64)[None, :]
        same_format = np.array([self._documents.media[row] == extracted.media_type for row in rows.tolist()], np.bool_)
        hashes = hash_columns([digest])
        same_bytes = (self._documents.content_hash[rows] == hashes).all(axis=1) & hashes.any()
        relations = of_same_words(
            np.repeat(said, len(rows), axis=0), self._documents.other[rows], same_format, same_bytes
        )
        return [
            self._hit(row, Relation(relation), 1.0, (1.0, 1.0), text)
            for row, relation in zip(rows.tolist(), relations.tolist(), strict=True)
        ]

    def _alike(self, text: TextPrint, demand: Demand) -> list[Hit]:
        """The documents with other words that the text is something to."""
        rows = self._candidates(text)
        mine = np.frombuffer(text.text_hash, ">u8").astype(np.uint64)
        rows = rows[(self._documents.text_hash[rows] != mine).any(axis=1)]
        if not len(rows):
            return []
        bits = np.bitwise_count(self._documents.fingerprint[rows] ^ np.uint64(text.fingerprint)).astype(np.uint8)
        pairs = Pairs(np.zeros(len(rows), np.uint32), np.arange(1, len(rows) + 1, dtype=np.uint32), bits)
        prints = _beside(text, prints_of(self._library, self._documents, rows))
        kept, evidence = measure(pairs, prints, MAX_RADIUS)
        pairs = pairs.take(kept)
        close = np.isin(evidence.difference, (Difference.SHORT, Difference.NUMBERS))
        if text.words <= _SHORT_WORDS:
            close |= evidence.difference != Difference.UNKNOWN
        nearest = np.argsort(-similarity(evidence), kind="stable")
        form = self._forms(pairs.right[nearest[close[nearest]]].astype(np.int64), rows, text, prints)
        evidence = with_forms(evidence, np.isin(pairs.right, form))
        relations, alike = decide(evidence, pairs, demand), similarity(evidence)
        hits = []
        for place in np.flatnonzero(relations != Relation.NONE).tolist():
            shares = float(evidence.left_in_right[place]), float(evidence.right_in_left[place])
            row = int(rows[int(pairs.right[place]) - 1])
            hits.append(self._hit(row, Relation(int(relations[place])), float(alike[place]), shares, text))
        return hits

    def _forms(
        self, places: NDArray[np.int64], rows: NDArray[np.int64], text: TextPrint, prints: Prints
    ) -> NDArray[np.int64]:
        """Which of some documents, the nearest first, are other fillings of the text's form, by their places among the
        prints (the text's is 0). Of copies one is looked at, as in a scan."""
        mine = np.frombuffer(text.text_hash, ">u8").astype(np.uint64)
        hashes = np.vstack((mine, self._hashes[rows]))
        fingerprints = np.append(np.uint64(text.fingerprint), self._documents.fingerprint[rows])
        stand = representatives(hashes)
        chosen = np.sort(np.append(0, places[stand[places] == places])[: _MOST_FORMS + 1])
        left, right = (chosen[side].astype(np.uint32) for side in np.triu_indices(len(chosen), 1))
        distance = np.bitwise_count(fingerprints[left] ^ fingerprints[right]).astype(np.uint8)
        kept, evidence = measure(Pairs(left, right, distance), prints, MAX_RADIUS)
        pairs = Pairs(left, right, distance).take(kept)
        form = same_forms(pairs, evidence, prints.traces, ranks_of(hashes))
        fillings: NDArray[np.int64] = places[np.isin(stand[places], pairs.right[form & (pairs.left == 0)])]
        return fillings

    def _candidates(self, text: TextPrint) -> NDArray[np.int64]:
        """Rows that the fingerprint or shared passages propose."""
        kept = self._library.sketches(self._documents.ids[self._rows])
        mine = (text.sketch >> np.uint64(32)).astype(np.uint32)
        values, starts = np.concatenate((mine, kept.values)), np.concatenate(([0], kept.starts + len(mine)))
        shingles = Shingles.of(values, starts, np.concatenate(([text.shingles], self._documents.shingles[self._rows])))
        bits = np.bitwise_count(self._documents.fingerprint[self._rows] ^ np.uint64(text.fingerprint)).astype(np.uint8)
        count = len(self._rows)
        shares = verify(Pairs(np.zeros(count, np.uint32), np.arange(1, count + 1, dtype=np.uint32), bits), shingles)
        shared = np.maximum(shares.left_in_right, shares.right_in_left) + ERRORS * shares.error
        rows: NDArray[np.int64] = self._rows[(bits <= MAX_RADIUS) | (shared >= LEAST_SHARE)].astype(np.int64)
        return rows

    def _hit(self, row: int, relation: Relation, alike: float, shares: tuple[float, float], text: TextPrint) -> Hit:
        documents = self._documents
        distance = (int(documents.fingerprint[row]) ^ text.fingerprint).bit_count()
        return Hit(documents.path(row), relation, alike, *shares, distance, documents.archive_of(row))


def _beside(text: TextPrint, prints: Prints) -> Prints:
    """The prints of a text followed by those of some documents."""
    mine = (text.sketch >> np.uint64(32)).astype(np.uint32)
    shingles, traces = prints.shingles, prints.traces
    values = np.concatenate((mine, shingles.values.astype(np.uint32)))
    starts = np.concatenate(([0], shingles.starts + len(mine)))
    whole = np.concatenate(([len(mine) >= text.shingles], shingles.whole))
    traced = np.concatenate(([0], traces.starts + len(text.trace)))
    words = np.concatenate(([text.words], traces.words))
    return Prints(
        Shingles(values, starts, whole),
        Traces(np.concatenate((text.trace, traces.values)), traced, words),
        prints.width,
    )
