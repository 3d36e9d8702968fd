"""Find the documents in a library that are related to a given document, e.g. copies, versions, parts."""

from __future__ import annotations

import hashlib
import os
import sys
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged, positions_in, row_mask
from dupfinder.base.errors import Fault, InputError, LibraryMissing, NoTextError
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.alignment import Traces
from dupfinder.cluster.candidates import ERRORS
from dupfinder.cluster.evidence import Prints, measure
from dupfinder.cluster.forms import FieldContents, same_forms, with_held_fillings
from dupfinder.cluster.linkage import representatives
from dupfinder.cluster.relation import (
    LEAST_CONTAINMENT,
    LEAST_SIMILARITY,
    Demand,
    Difference,
    Measured,
    Relation,
    of_same_words,
    other_bytes,
    other_row,
    similarity,
)
from dupfinder.cluster.verify import Shingles, verify
from dupfinder.fingerprint.fingerprinter import fingerprinter
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import hash_columns
from dupfinder.scan.matching import LEAST_SHARE, prints_of, ranks_of
from dupfinder.scan.reading import HASH_BYTES, read_texts
from dupfinder.scan.weights import scheme_of
from dupfinder.text.document import Extracted
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise

_MOST_COMPARED = 100  # documents among which fillings of one form are searched
_TOGETHER = 1 << 17  # values compared together, so that they stay in the cache
_SHORT_TEXT = 2_000  # words; for longer texts only documents with short differences are searched for forms


@dataclass(frozen=True, slots=True)
class RelatedDocument:
    """A document related to the text: the text's relation to it, and their similarity.

    share: how much of the text is in the document, 0 to 1. held: how much of the document is in the text, 0 to 1.
    archive: the archive that contains the document; None for an ordinary file.
    """

    path: Path
    relation: Relation
    similarity: float
    share: float
    held: float
    distance: int
    archive: Path | None = None


def text_to_find(name: str) -> Extracted:
    """Return the text of a file, or of standard input for "-", in any encoding. NoTextError if it has none."""
    if name == "-":
        extraction = extract(sys.stdin.buffer.read(), Path("-"))
    else:
        ((_, extraction),) = read_texts([Path(name).absolute()])
    if extraction.extracted is None:
        assert extraction.problem is not None
        raise NoTextError(name, extraction.problem.kind, extraction.problem.details)
    return extraction.extracted


def digest_of(path: Path) -> bytes:
    """Return the hash of a file's bytes as scans store it; b"" if the path is not a file."""
    if not os.path.isfile(path):
        return b""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, lambda: hashlib.blake2b(digest_size=HASH_BYTES)).digest()


class Lookup:
    """Finds documents in a library: each file as last read by a finished scan with the newest scan's scheme.

    Raises LibraryMissing, InputError if the scheme is unknown here.
    """

    def __init__(self, library: LibraryFile) -> None:
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

    def find(
        self, extracted: Extracted, demand: Demand, itself: Path | None = None, digest: bytes = b""
    ) -> list[RelatedDocument]:
        """Return the documents that are related to a text, the closest first.

        InputError if the text is too short to be compared by more than its exact content, and no copy of it is there.

        For a text that is no file, of two words or more but too few for a shingle, documents that have these words in a
        row are found too. itself: the text's file, which is left out. digest: the file's hash, by `digest_of`.
        """
        scheme = self._scheme
        query = fingerprinter(scheme).print_of(normalise(extracted.text))
        is_phrase = itself is None and 1 < query.words < scheme.shingle
        related = {document.path: document for document in self._with_words(query)} if is_phrase else {}
        related |= {document.path: document for document in self._similar(query, demand)} if query.has_features else {}
        related |= {document.path: document for document in self._copies(extracted, query, digest)}
        others = [document for document in related.values() if document.path != itself]
        if not (others or query.has_features or is_phrase):
            raise InputError(Fault.TOO_SHORT)
        return sorted(others, key=lambda document: (-document.relation, -document.similarity, str(document.path)))

    def _copies(self, extracted: Extracted, query: TextPrint, digest: bytes) -> list[RelatedDocument]:
        """Return the documents with the same words; if the text is partial, those with the same bytes.

        query: the print of the text.
        """
        hashes = hash_columns([digest])
        has_same_bytes = (self._documents.content_hash == hashes).all(axis=1) & hashes.any()
        has_same_words = (self._hashes == hash_columns([query.text_hash])).all(axis=1)
        rows = np.flatnonzero(has_same_bytes if extracted.partial else has_same_words)
        other_hashes = other_row(other_bytes(extracted.other))
        same_format = np.array([self._documents.media[row] == extracted.media_type for row in rows.tolist()], np.bool_)
        relations = of_same_words(
            np.repeat(other_hashes, len(rows), axis=0), self._documents.other[rows], same_format, has_same_bytes[rows]
        )
        return [
            self._related(row, Relation(relation), 1.0, (1.0, 1.0), query)
            for row, relation in zip(rows.tolist(), relations.tolist(), strict=True)
        ]

    def _with_words(self, query: TextPrint) -> list[RelatedDocument]:
        """Return the documents that have the words of a text in a row."""
        rows = self._rows[self._library.with_words(self._documents.ids[self._rows], query.trace)].tolist()
        held = query.words / self._documents.words[rows]
        return [
            self._related(row, Relation.PART, share, (1.0, share), query)
            for row, share in zip(rows, held.tolist(), strict=True)
        ]

    def _similar(self, query: TextPrint, demand: Demand) -> list[RelatedDocument]:
        """Return the documents with other words that are related to the text."""
        rows = self._candidates(query)
        rows = rows[(self._documents.text_hash[rows] != hash_columns([query.text_hash])).any(axis=1)]
        if not len(rows):
            return []
        bits = np.bitwise_count(self._documents.fingerprint[rows] ^ np.uint64(query.fingerprint)).astype(np.uint8)
        pairs = Pairs(np.zeros(len(rows), np.uint32), np.arange(1, len(rows) + 1, dtype=np.uint32), bits)
        prints = _with_text(query, prints_of(self._library, self._documents, rows))
        measured, evidence = measure(pairs, prints, MAX_RADIUS)
        pairs = pairs.take(measured)
        close = np.isin(evidence.difference, (Difference.SHORT, Difference.NUMBERS))
        if query.words <= _SHORT_TEXT:
            close |= evidence.difference != Difference.UNKNOWN
        # Short texts in a longer one may be fillings of a form of which it holds others.
        is_short = prints.traces.words[pairs.right] <= _SHORT_TEXT
        contained = np.maximum(evidence.left_in_right, evidence.right_in_left) >= LEAST_CONTAINMENT
        close |= is_short & contained & (similarity(evidence) < LEAST_SIMILARITY)
        nearest = np.argsort(-similarity(evidence), kind="stable")
        form = self._forms(pairs.right[nearest[close[nearest]]].astype(np.int64), rows, query, prints)
        evidence = replace(evidence, form=np.isin(pairs.right, form))
        measured_pairs = Measured(evidence, pairs)
        relations, similarities = measured_pairs.decide(demand), measured_pairs.similarity
        related = []
        for index in np.flatnonzero(relations != Relation.NONE).tolist():
            shares = float(evidence.left_in_right[index]), float(evidence.right_in_left[index])
            row = int(rows[int(pairs.right[index]) - 1])
            related.append(
                self._related(row, Relation(int(relations[index])), float(similarities[index]), shares, query)
            )
        return related

    def _forms(
        self, others: NDArray[np.int64], rows: NDArray[np.int64], query: TextPrint, prints: Prints
    ) -> NDArray[np.int64]:
        """Return which documents have the text's form, as indices in the prints (the text's is 0).

        others: the documents to compare, as such indices, the nearest first. Of copies only the first is compared.
        """
        hashes = np.vstack((hash_columns([query.text_hash]), self._hashes[rows]))
        fingerprints = np.append(np.uint64(query.fingerprint), self._documents.fingerprint[rows])
        representative = representatives(hashes)
        chosen = np.sort(np.append(0, others[representative[others] == others])[: _MOST_COMPARED + 1])
        left, right = (chosen[side].astype(np.uint32) for side in np.triu_indices(len(chosen), 1))
        distance = np.bitwise_count(fingerprints[left] ^ fingerprints[right]).astype(np.uint8)
        measured, evidence = measure(Pairs(left, right, distance), prints, MAX_RADIUS)
        pairs = Pairs(left, right, distance).take(measured)
        form, _ = same_forms(pairs, evidence, prints.traces, ranks_of(hashes), FieldContents.none())
        form = with_held_fillings(pairs, evidence, form)
        return others[np.isin(representative[others], pairs.right[form & (pairs.left == 0)])]

    def _candidates(self, query: TextPrint) -> NDArray[np.int64]:
        """Return the rows that the fingerprint or shared passages propose."""
        text_values = query.values()
        bits = np.bitwise_count(self._documents.fingerprint[self._rows] ^ np.uint64(query.fingerprint)).astype(np.uint8)
        stored = self._shingles
        chosen = np.arange(len(self._rows))
        if len(text_values) >= query.shingles:  # all of them, so complete sets without any share nothing
            chosen = np.flatnonzero(_have_some(stored, text_values) | ~stored.complete)
        shingles = Shingles.sketched(
            Ragged.joined([Ragged.of_entries([text_values], np.uint32), stored.take(chosen)]),
            np.concatenate(([query.shingles], self._documents.shingles[self._rows[chosen]])),
        )
        count = len(chosen)
        pairs = Pairs(np.zeros(count, np.uint32), np.arange(1, count + 1, dtype=np.uint32), bits[chosen])
        shares = verify(pairs, shingles)
        shared = np.maximum(shares.left_in_right, shares.right_in_left) + ERRORS * shares.error
        proposed = bits <= MAX_RADIUS
        proposed[chosen[shared >= LEAST_SHARE]] = True
        rows: NDArray[np.int64] = self._rows[proposed].astype(np.int64)
        return rows

    @cached_property
    def _shingles(self) -> Shingles:
        sketches = self._library.sketches(self._documents.ids[self._rows])
        return Shingles.sketched(sketches, self._documents.shingles[self._rows])

    def _related(
        self, row: int, relation: Relation, alike: float, shares: tuple[float, float], query: TextPrint
    ) -> RelatedDocument:
        documents = self._documents
        distance = (int(documents.fingerprint[row]) ^ query.fingerprint).bit_count()
        return RelatedDocument(documents.path(row), relation, alike, *shares, distance, documents.archive_of(row))


def _have_some(shingles: Shingles, values: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Tell which documents have at least one of some values, uint32 ascending: bool (n,)."""
    marks = row_mask(1 << 16, values & 0xFFFF)
    have_some = np.zeros(len(shingles.complete), np.bool_)
    for start in range(0, len(shingles.values), _TOGETHER):
        part = shingles.values[start : start + _TOGETHER]
        candidates = np.flatnonzero(marks[(part & 0xFFFF).astype(np.intp)])
        _, are_values = positions_in(values, part[candidates])
        have_some[np.searchsorted(shingles.starts, start + candidates[are_values], side="right") - 1] = True
    return have_some


def _with_text(query: TextPrint, prints: Prints) -> Prints:
    """Return the prints of a text followed by those of some documents."""
    of_text = Prints.of([query], prints.width)
    shingles = Ragged.joined([of_text.shingles, prints.shingles])
    complete = np.concatenate((of_text.shingles.complete, prints.shingles.complete))
    traces = Ragged.joined([of_text.traces, prints.traces])
    words = np.concatenate((of_text.traces.words, prints.traces.words))
    return Prints(
        Shingles(shingles.values, shingles.starts, complete), Traces(traces.values, traces.starts, words), prints.width
    )
