"""Evidence: which pairs are kept, that estimates are replaced by exact shares, and that one measure serves all."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from dupfinder.cluster.evidence import Prints, compare, is_kept, measure
from dupfinder.cluster.relation import Difference
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.prints import TextPrint
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.pairs import Pairs
from tests.cluster.making import evidence_of

WIDTH = Scheme().shingle


def words(count: int, seed: int) -> list[str]:
    return [f"word{seed}x{number}" for number in range(count)]


def print_of(text: list[str], sketch: int | None = None) -> TextPrint:
    scheme = Scheme() if sketch is None else Scheme(sketch=sketch)
    return Fingerprinter(scheme).print_of(" ".join(text))


def kept(left: list[str], right: list[str], distance: int = 20) -> bool:
    """Whether a pair of texts that a scan proposes is kept."""
    pairs = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.array([distance], np.uint8))
    rows, _ = measure(pairs, Prints.of([print_of(left), print_of(right)], WIDTH), 16)
    return len(rows) == 1


def test_a_text_is_kept_of_which_half_is_in_another_and_less_is_not() -> None:
    start = words(100 + WIDTH - 1, 0)  # a hundred passages
    assert kept(start + words(100, 1), start + words(900, 2))
    assert not kept(start + words(101, 1), start + words(900, 2))


@pytest.mark.parametrize(("share", "expected"), [(0.5, True), (0.499, False)])
@pytest.mark.parametrize("column", ["resemblance", "left_in_right", "right_in_left"])
def test_what_no_demand_can_show_is_not_kept(column: str, share: float, expected: bool) -> None:
    assert is_kept(evidence_of(1, **{column: np.array([share], np.float32)})).tolist() == [expected]


def scattered_copy(text: list[str], every: int) -> list[str]:
    return [f"other{place}" if place % every == 0 else word for place, word in enumerate(text)]


def test_a_text_with_every_eighth_word_replaced_is_kept_within_the_radius_alone() -> None:
    text = words(800, 3)
    assert kept(text, scattered_copy(text, 8), 16)
    assert not kept(text, scattered_copy(text, 8), 17)


def test_estimates_of_long_texts_are_replaced_by_exact_shares() -> None:
    text = words(4000, 4)
    left, right = print_of(text, 64), print_of(text[:3000] + words(500, 5), 64)
    assert left.shingles > len(left.sketch)
    _, evidence = compare(left, right, WIDTH)
    shingles = [{tuple(run) for run in zip(*(one[n:] for n in range(WIDTH)), strict=False)}
                for one in (text, text[:3000] + words(500, 5))]  # fmt: skip
    common = len(shingles[0] & shingles[1])
    assert evidence.error[0] == 0
    assert evidence.resemblance[0] == pytest.approx(common / len(shingles[0] | shingles[1]), abs=2e-3)
    assert evidence.left_in_right[0] == pytest.approx(common / len(shingles[0]), abs=2e-3)
    assert evidence.right_in_left[0] == pytest.approx(common / len(shingles[1]), abs=2e-3)


def test_two_texts_alone_are_measured_as_among_many() -> None:
    generator = random.Random(6)
    text = words(400, 6)
    texts = [text, scattered_copy(text, 9), text[:300], [*text[:200], *words(60, 7), *text[200:]], words(300, 8)]
    prints = [print_of(one) for one in texts]
    rows = list(itertools.combinations(range(len(texts)), 2))
    generator.shuffle(rows)
    rows.sort()
    left, right = (np.array(side, np.uint32) for side in zip(*rows, strict=True))
    bits = np.array([(prints[a].fingerprint ^ prints[b].fingerprint).bit_count() for a, b in rows], np.uint8)
    chosen, evidence = measure(Pairs(left, right, bits), Prints.of(prints, WIDTH), 16)
    assert len(chosen)
    for place, row in enumerate(chosen.tolist()):
        _, alone = compare(prints[rows[row][0]], prints[rows[row][1]], WIDTH)
        for column in ("resemblance", "left_in_right", "right_in_left", "error", "aligned", "changes", "run"):
            assert getattr(evidence, column)[place] == getattr(alone, column)[0], (rows[row], column)
        assert Difference(int(evidence.difference[place])) is Difference(int(alone.difference[0]))
