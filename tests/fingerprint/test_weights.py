"""Weights: document frequencies, shipped and learned."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import UNIT, DocumentFrequencies, FrequencyCounter, damped, learned_scheme, shipped


def features(*words: str) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    return np.sort(np.array([xxh3(word.encode()) for word in words], dtype=np.uint64))


def test_rarity_is_the_logarithm_of_the_inverse_frequency() -> None:
    table = DocumentFrequencies(features("boat"), np.array([3], dtype=np.uint32), documents=31)
    assert table.rarity_of(features("boat")).tolist() == [UNIT * 3]


def test_a_feature_of_no_table_weighs_a_tenth_of_what_its_frequency_would_make_it() -> None:
    table = DocumentFrequencies(features("boat"), np.array([3], dtype=np.uint32), documents=31)
    assert table.rarity_of(features("quay")).tolist() == [UNIT * 5 // 10]


def test_a_feature_of_every_document_still_weighs_something() -> None:
    table = DocumentFrequencies(features("boat"), np.array([31], dtype=np.uint32), documents=31)
    assert table.rarity_of(features("boat")).tolist() == [1]


def test_counts_are_damped_by_their_logarithm() -> None:
    assert damped(np.array([1, 2, 4, 1024])).tolist() == [16, 48, 80, 336]
    assert damped(np.array([3])).tolist() == [round(16 * (1 + 2 * math.log2(3)))]


def test_common_words_of_the_shipped_table_weigh_less_than_rare_ones() -> None:
    table = shipped()
    assert (np.diff(table.keys.astype(object)) > 0).all()
    reader = Fingerprinter(Scheme())
    for common, rare in (("file", "walrus"), ("datei", "walross"), ("中国", "海象")):
        weights = [int(reader.terms_of(word).rarity[0]) for word in (common, rare)]
        assert weights[0] < weights[1] <= 8 * UNIT


def test_a_table_comes_back_as_it_was_written(tmp_path: Path) -> None:
    table = DocumentFrequencies(features("boat", "quay"), np.array([3, 9], dtype=np.uint32), documents=31, unseen=1)
    table.save(tmp_path / "table.npz")
    loaded = DocumentFrequencies.load(tmp_path / "table.npz")
    assert loaded.digest == table.digest
    assert loaded.rarity_of(features("boat")).tolist() == table.rarity_of(features("boat")).tolist()


@pytest.mark.parametrize("content", [b"", b"no table", b"PK\x03\x04 cut"])
def test_a_file_that_is_no_table_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "table.npz").write_bytes(content)
    with pytest.raises(ValueError, match=r"table\.npz"):
        DocumentFrequencies.load(tmp_path / "table.npz")


def test_counting_documents_does_not_depend_on_their_order() -> None:
    documents = [features("boat", "quay"), features("boat"), features("boat", "storm"), features("quay")]
    tables = []
    for order in (documents, documents[::-1]):
        counter = FrequencyCounter()
        for document in order:
            counter.add(document)
        tables.append(counter.table())
    assert tables[0].digest == tables[1].digest
    counts = dict(zip(tables[0].keys.tolist(), tables[0].counts.tolist(), strict=True))
    assert counts == {xxh3(b"boat"): 3, xxh3(b"quay"): 2}
    assert tables[0].documents == 4


def test_counting_nothing_gives_a_table_of_nothing() -> None:
    assert not len(FrequencyCounter().table().keys)


def test_a_scheme_with_another_table_or_none_is_refused(tmp_path: Path) -> None:
    scheme = learned_scheme(Scheme(), FrequencyCounter().table(), tmp_path / "learned.npz")
    Fingerprinter(scheme)
    other = DocumentFrequencies(features("boat"), np.array([3], dtype=np.uint32), documents=31)
    other.save(tmp_path / "learned.npz")
    for refused in (scheme, Scheme(weights="learned")):
        with pytest.raises(ValueError, match=r"table|weights"):
            Fingerprinter(refused)


def test_learned_weights_change_the_scheme_and_the_weights(tmp_path: Path) -> None:
    texts = [f"harbour boat {word}" for word in ("storm", "quay", "walrus", "lamp")]
    reader, counter = Fingerprinter(Scheme()), FrequencyCounter()
    for text in texts:
        counter.add(reader.terms_of(text).features)
    scheme = learned_scheme(Scheme(), counter.table(), tmp_path / "learned.npz")
    assert scheme.id != Scheme().id
    elsewhere = learned_scheme(Scheme(), counter.table(), tmp_path / "elsewhere.npz")
    assert scheme.id == elsewhere.id
    terms = Fingerprinter(scheme).terms_of("harbour walrus")
    weight = dict(zip(terms.features.tolist(), terms.rarity.tolist(), strict=True))
    assert weight[xxh3(b"harbour")] < weight[xxh3(b"walrus")]
