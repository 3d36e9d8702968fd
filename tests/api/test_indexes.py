"""Indexes under keys find the same as comparisons of all pairs, after any additions and removals."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dupfinder.api as dupfinder
from dupfinder.api import fingerprints
from dupfinder.fingerprint.sketch import resemblance
from tests.index.making import families_of_fingerprints
from tests.making import CHINESE, PARAGRAPHS

SCHEME = "a test's own"
ACTS = st.lists(st.tuples(st.booleans(), st.integers(0, 15)), max_size=40)


@settings(max_examples=30)
@given(st.sampled_from([32, 64, 128]), ACTS, st.integers(0, 6), st.data())
def test_an_index_answers_as_if_it_held_only_what_it_holds_now(
    bits: int, acts: list[tuple[bool, int]], radius: int, data: st.DataObject
) -> None:
    array = data.draw(families_of_fingerprints(bits))
    values = [int(value) if bits < 128 else int(value[0]) << 64 | int(value[1]) for value in array]
    index, held = dupfinder.Index(radius, bits), dict[str, int]()
    for adds, number in acts:
        key = f"key{number}"
        if adds and key not in held and values:
            held[key] = values[number % len(values)]
            index.add(key, dupfinder.Fingerprint(held[key], bits, SCHEME))
        elif not adds and key in held:
            del held[key]
            index.remove(key)
    assert list(index) == list(held) and len(index) == len(held)
    for asked in values[:3]:
        near = {key: (value ^ asked).bit_count() for key, value in held.items()}
        matches = index.query(dupfinder.Fingerprint(asked, bits, SCHEME))
        assert {match.key: match.distance for match in matches} == {k: d for k, d in near.items() if d <= radius}
        assert [match.distance for match in matches] == sorted(match.distance for match in matches)
    keys = list(held)
    pairs = {(a, b): (held[a] ^ held[b]).bit_count() for i, a in enumerate(keys) for b in keys[i + 1 :]}
    joined = {(pair.left, pair.right): pair.distance for pair in index.join()}
    assert joined == {pair: d for pair, d in pairs.items() if d <= radius}


words = st.lists(st.sampled_from(["harbour", "ship", "clerk", "rope", "winter", "ledger"]), min_size=1, max_size=12)


@settings(max_examples=30)
@given(st.lists(words, max_size=8), st.sampled_from(["all", "min", "mod"]), st.sampled_from([0.0, 0.3, 0.9]), st.data())
def test_a_sketch_index_finds_every_text_as_alike_as_asked(
    texts: list[list[str]], kind: str, least: float, data: st.DataObject
) -> None:
    scheme = dupfinder.Scheme(shingle=2)
    sketches = {
        f"{n}": dupfinder.sketch(" ".join(words), kind, modulus=2, scheme=scheme) for n, words in enumerate(texts)
    }
    index = dupfinder.SketchIndex(least)
    for key, sketch in sketches.items():
        index.add(key, sketch)
    for key in data.draw(st.sets(st.sampled_from(sorted(sketches)))) if sketches else ():
        index.remove(key)
        del sketches[key]
    alike = {
        (left, right): resemblance(a.values, b.values)
        for left, a in sketches.items()
        for right, b in sketches.items()
        if np.intersect1d(a.values, b.values).size and resemblance(a.values, b.values) >= least
    }
    for key, sketch in sketches.items():
        matches = index.query(sketch)
        assert {m.key: m.resemblance for m in matches} == {b: r for (a, b), r in alike.items() if a == key}
        assert [m.resemblance for m in matches] == sorted((m.resemblance or 0 for m in matches), reverse=True)
    pairs = {(pair.left, pair.right): pair.resemblance for pair in index.join()}
    assert pairs == {(a, b): r for (a, b), r in alike.items() if int(str(a)) < int(str(b))}


def test_a_text_exactly_as_alike_as_asked_is_found() -> None:
    words = dupfinder.Scheme(shingle=1)
    left, right = (dupfinder.sketch(text, "all", scheme=words) for text in ("harbour ship rope", "ship rope ledger"))
    assert dupfinder.resemblance(left, right) == 0.5
    for least, keys in ((0.5, ["left"]), (0.51, [])):
        index = dupfinder.SketchIndex(least)
        index.add("left", left)
        assert [match.key for match in index.query(right)] == keys


def test_sketches_are_candidates_from_one_value_in_common_on() -> None:
    words = dupfinder.Scheme(shingle=1)
    asked, sharing, apart = (
        dupfinder.sketch(text, "all", scheme=words) for text in ("harbour ship", "ship rope", "winter clerk")
    )
    assert dupfinder.is_candidate(asked, sharing) and not dupfinder.is_candidate(asked, apart)


def test_boilerplate_that_many_sketches_hold_proposes_nothing() -> None:
    index = dupfinder.SketchIndex(least=0.0, by="any", most=2)
    for name in "abc":
        index.add(name, dupfinder.sketch(f"the harbour was closed {name}", "all", scheme=dupfinder.Scheme(shingle=2)))
    assert index.join() == []
    index.remove("c")
    assert [(pair.left, pair.right) for pair in index.join()] == [("a", "b")]


def test_preparing_a_text_before_makes_no_difference() -> None:
    text = "Der  Hafen\u00a0der \ufb01nsteren Stadt WAR geschlossen…"
    plain = dupfinder.normalise(text)
    assert plain != text and dupfinder.normalise(plain) == plain
    assert dupfinder.fingerprint(text) == dupfinder.fingerprint(plain)
    assert dupfinder.fingerprint(dupfinder.Document.of_text(text)) == dupfinder.fingerprint(text)
    assert np.array_equal(dupfinder.sketch(text).values, dupfinder.sketch(plain).values)
    many = dupfinder.fingerprint_many([text, plain, ""])
    assert many[0] == many[1] == many[-3] == dupfinder.fingerprint(text) and not many.comparable[2]


@pytest.mark.parametrize("batch", [1, 300, 1 << 20])
def test_many_fingerprints_are_those_of_each_text(monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    monkeypatch.setattr(fingerprints, "BATCH_CHARACTERS", batch)
    texts = [*PARAGRAPHS, *CHINESE, "1", ""]
    many = dupfinder.fingerprint_many(text for text in texts)
    assert len(many) == len(texts) and many.comparable.tolist() == [True] * (len(texts) - 2) + [False] * 2
    assert [many[row] for row in range(len(texts) - 2)] == [dupfinder.fingerprint(text) for text in texts[:-2]]
    assert len(dupfinder.fingerprint_many([])) == 0


def test_each_row_of_an_index_on_disk_has_its_path_the_first_too(tmp_path: Path) -> None:
    dupfinder.write_index(tmp_path / "index", np.arange(3, dtype=np.uint64), paths=["a.txt", "", "c.txt"])
    with dupfinder.open_index(tmp_path / "index") as index:
        assert index.paths([2, 0, 1]) == ["c.txt", "a.txt", ""]
        assert index.rows_of(["a.txt"]) == {"a.txt": [0]}


def test_the_least_similarity_and_containment_that_can_be_asked_for_is_a_half() -> None:
    text = "the harbour of the old town was closed in winter"
    assert dupfinder.compare(text, text, min_similarity=0.5, min_containment=0.5).relation == "same_text"
    with pytest.raises(ValueError, match=r"min_similarity is 0\.5 to 1, not 0\.49"):
        dupfinder.compare(text, text, min_similarity=0.49)
