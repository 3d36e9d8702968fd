"""Evidence: which pairs are kept, and that estimates are replaced by exact shares."""

from __future__ import annotations

import itertools
import random
from dataclasses import fields, replace

import numpy as np
import pytest

from dupfinder.base.progress import SilentReporter
from dupfinder.cluster.alignment import SharedTraces
from dupfinder.cluster.evidence import Prints, SharedPrints, compare, may_be_shown, measure, measure_shared
from dupfinder.cluster.relation import Demand, Difference, Evidence, Measured, Relation
from dupfinder.cluster.verify import SharedShingles
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.index.pairs import Pairs
from dupfinder.processes.crew import Crew
from tests.cluster.making import evidence_of

WIDTH = Scheme().shingle


def words(count: int, seed: int) -> list[str]:
    return [f"word{seed}x{number}" for number in range(count)]


def print_of(text: list[str], sketch: int | None = None) -> TextPrint:
    scheme = Scheme() if sketch is None else Scheme(sketch=sketch)
    return Fingerprinter(scheme).print_of(" ".join(text))


def kept(left: list[str], right: list[str], distance: int = 20) -> bool:
    """Tell whether a candidate pair of texts is kept."""
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
    assert may_be_shown(evidence_of(1, **{column: np.array([share], np.float32)})).tolist() == [expected]


def scattered_copy(text: list[str], every: int) -> list[str]:
    return [f"other{place}" if place % every == 0 else word for place, word in enumerate(text)]


def test_texts_that_share_half_of_their_passages_are_looked_at_for_scattered_edits_at_any_distance() -> None:
    text = words(800, 15)
    prints = [
        replace(print_of(text), fingerprint=0),
        replace(print_of(scattered_copy(text, 12)), fingerprint=2**40 - 1),
    ]
    pair, evidence = compare(prints[0], prints[1], WIDTH)
    assert evidence.resemblance[0] < 0.5 < evidence.left_in_right[0]
    assert Measured(evidence, pair).decide(Demand(0.7, 0.85, 12)).tolist() == [Relation.VERSION]
    chosen, among_many = measure(pair, Prints.of(prints, WIDTH), 12)
    assert len(chosen) == 1 and among_many.aligned[0] == evidence.aligned[0] > 0.9


def test_a_text_with_every_eighth_word_replaced_is_kept_within_the_radius_alone() -> None:
    text = words(800, 3)
    assert kept(text, scattered_copy(text, 8), 16)
    assert not kept(text, scattered_copy(text, 8), 17)


@pytest.mark.parametrize("mark", [[], ["redacted"]])
def test_a_redacted_copy_is_a_version_and_a_sheet_within_its_solutions_is_a_part(mark: list[str]) -> None:
    text = words(400, 3)
    redacted = [word for place in range(0, 400, 25) for word in (*text[place : place + 22], *mark)]
    assert relation_of(text, redacted) is Relation.VERSION
    answers = [word for place in range(0, 400, 40) for word in (*text[place : place + 40], *words(16, place))]
    assert relation_of(text, answers) is Relation.PART


NAMES = ("ada", "emil", "olga", "ruth", "tara", "igor")


def table(rows: int, cells: int = 8) -> list[list[str]]:
    """The rows of a table, each with words of its own."""
    return [[f"cell{row}x{cell}" for cell in range(cells)] for row in range(rows)]


def in_order_of(rows: list[list[str]], seed: int) -> list[str]:
    """The words of the rows in another order."""
    return [word for row in random.Random(seed).sample(rows, len(rows)) for word in row]


def relation_of(left: list[str], right: list[str]) -> Relation:
    pair, evidence = compare(print_of(left), print_of(right), WIDTH)
    return Relation(int(Measured(evidence, pair).decide(Demand(0.7, 0.85, 16))[0]))


@pytest.mark.parametrize(("replaced", "expected"), [(0, Relation.VERSION), (17, Relation.VERSION), (19, Relation.NONE)])
def test_a_table_with_its_rows_sorted_otherwise_is_a_version_if_hardly_a_word_is_new(
    replaced: int, expected: Relation
) -> None:
    rows = table(50, 12)  # of 600 words, at least 97 % are in both
    other = in_order_of(rows, 1)
    other[::16] = [f"new{number}" if number < replaced else word for number, word in enumerate(other[::16])]
    assert relation_of(in_order_of(rows, 0), other) is expected


def test_a_table_upside_down_is_a_version() -> None:
    rows = table(50)
    flat = [[word for row in ordered for word in row] for ordered in (rows, rows[::-1])]
    assert relation_of(*flat) is Relation.VERSION


@pytest.mark.parametrize(("replaced", "expected"), [(0, Relation.VERSION), (2, Relation.VERSION), (4, Relation.NONE)])
def test_a_list_of_short_lines_sorted_otherwise_is_a_version_if_nearly_all_lines_are_in_both(
    replaced: int, expected: Relation
) -> None:
    lines = table(100, 6)
    others = [
        line if number >= replaced else [*line[:3], f"new{number}", *line[4:]] for number, line in enumerate(lines)
    ]
    assert relation_of(in_order_of(lines, 0), in_order_of(others, 1)) is expected


def test_the_same_words_in_an_order_of_their_own_are_no_version() -> None:
    """As two weeks of one roster have: lines of five words or more must be in both."""
    assert relation_of(in_order_of(table(100, 4), 0), in_order_of(table(100, 4), 1)) is Relation.NONE
    chance, weeks = random.Random(5), []
    for _ in range(2):
        shifts = [(f"day{day}", "early", *chance.sample(NAMES, 3), "late", chance.choice(NAMES)) for day in range(28)]
        weeks.append([word for shift in shifts for word in shift])
    assert relation_of(*weeks) is Relation.NONE


def test_words_that_are_mostly_in_order_count_in_this_order_alone() -> None:
    rows = table(50)
    text = [word for row in rows for word in row]
    moved = [word for row in [rows[7], *rows[:7], *rows[8:]] for word in row]
    _, evidence = compare(print_of(text), print_of(moved), WIDTH)
    assert not evidence.moved.any() and evidence.aligned[0] == pytest.approx(0.98)


def test_what_is_too_unlike_for_versions_is_not_aligned() -> None:
    """Half of the words are in both texts, in the same order; a resemblance of 0.5 needs two thirds."""
    start = words(500, 9)
    _, evidence = compare(print_of(start + words(500, 10)), print_of(start + words(500, 11)), WIDTH)
    assert evidence.resemblance[0] > 0.3 and evidence.aligned[0] == -1


def sharing(text: list[str], other: list[str], common: int, kept: int, shingles: int) -> list[TextPrint]:
    """Return prints of two texts of `shingles` shingles, of which `kept` are sketched and `common` of these in both."""
    last = 1 << 63
    shared = [last - place * (1 << 40) for place in range(common)]
    prints = []
    for side, tokens in enumerate((text, other), 1):
        own = [(place * 2 + side) << 40 for place in range(kept - common)]
        values = np.array(sorted((*own, *shared)), np.uint64)
        prints.append(replace(print_of(tokens), sketch=values, shingles=shingles))
    return prints


def is_measured(prints: list[TextPrint], distance: int) -> bool:
    """Tell whether a candidate pair of two prints is kept."""
    pairs = Pairs(np.zeros(1, np.uint32), np.ones(1, np.uint32), np.array([distance], np.uint8))
    return len(measure(pairs, Prints.of(prints, WIDTH), 16)[0]) == 1


@pytest.mark.parametrize(("common", "expected"), [(171, True), (169, False)])
def test_a_sample_that_falls_short_by_three_standard_errors_at_most_is_measured_exactly(
    common: int, expected: bool
) -> None:
    """Half of 400 values are 200, and the standard error at 43 % is 9.9; the texts themselves are nearly the same."""
    text = words(2000, 12)
    assert is_measured(sharing(text, [*text, "end"], common, 400, 2000), 20) is expected


@pytest.mark.parametrize(
    ("common", "distance", "expected"), [(7, 16, True), (6, 16, False), (7, 17, False)]
)  # 6.2 of 214 values are 3 %
def test_scattered_edits_are_looked_for_where_little_is_shared_within_the_radius(
    common: int, distance: int, expected: bool
) -> None:
    text = words(800, 13)
    prints = sharing(text, scattered_copy(text, 8), common, 110, 110)
    prints = [replace(prints[0], fingerprint=0), replace(prints[1], fingerprint=(1 << distance) - 1)]
    assert is_measured(prints, distance) is expected
    _, evidence = compare(prints[0], prints[1], WIDTH)
    assert bool(evidence.aligned[0] > 0) is expected


@pytest.mark.parametrize("note", ["{n}:7", "see page {n}"])
def test_a_text_with_numbers_of_its_verses_or_with_notes_is_a_version_of_the_text(note: str) -> None:
    text = words(400, 17)
    numbered = [
        word for place in range(0, 400, 20) for word in (*note.format(n=place).split(), *text[place : place + 20])
    ]
    pair, evidence = compare(print_of(text), print_of(numbered), WIDTH)
    assert evidence.half_shared[0] and evidence.resemblance[0] < 0.7
    assert Measured(evidence, pair).decide(Demand(0.7, 0.85, 12)).tolist() == [Relation.VERSION]


@pytest.mark.parametrize(("common", "expected"), [(75, True), (74, False)])
def test_texts_of_which_half_is_in_the_other_are_aligned_at_any_distance(common: int, expected: bool) -> None:
    text = words(800, 14)  # 75 of the 150 values of each are in both
    prints = sharing(text, scattered_copy(text, 8), common, 150, 150)
    prints = [replace(prints[0], fingerprint=0), replace(prints[1], fingerprint=(1 << 40) - 1)]
    _, evidence = compare(prints[0], prints[1], WIDTH)
    assert bool(evidence.aligned[0] > 0) is expected


def test_estimates_of_long_texts_are_replaced_by_exact_shares() -> None:
    text = words(4000, 4)
    left, right = print_of(text, 64), print_of(text[:3000] + words(500, 5), 64)
    assert left.shingles > len(left.sketch)
    _, evidence = compare(left, right, WIDTH)
    shingles = [{tuple(run) for run in zip(*(tokens[n:] for n in range(WIDTH)), strict=False)}
                for tokens in (text, text[:3000] + words(500, 5))]  # fmt: skip
    common = len(shingles[0] & shingles[1])
    assert evidence.error[0] == 0
    assert evidence.resemblance[0] == pytest.approx(common / len(shingles[0] | shingles[1]), abs=2e-3)
    assert evidence.left_in_right[0] == pytest.approx(common / len(shingles[0]), abs=2e-3)
    assert evidence.right_in_left[0] == pytest.approx(common / len(shingles[1]), abs=2e-3)


def test_the_share_of_a_chapter_in_a_book_of_seventy_thousand_words_is_exact() -> None:
    book = words(70_000, 4)
    chapter = print_of(book[30_000:31_200] + words(100, 5))
    pair, evidence = compare(print_of(book), chapter, WIDTH)
    assert evidence.error[0] == 0
    assert evidence.right_in_left[0] == pytest.approx(1200 / 1300, abs=5e-3)
    assert Measured(evidence, pair).decide(Demand(0.7, 0.85, 12)).tolist() == [Relation.WHOLE]


def test_two_long_texts_are_estimated_and_not_aligned(monkeypatch: pytest.MonkeyPatch) -> None:
    text = words(4000, 4)
    long, longer, short = print_of(text, 64), print_of([*text, *words(400, 5)], 64), print_of(text[:900], 64)
    monkeypatch.setattr("dupfinder.cluster.evidence.LONG", 1000)
    _, estimated = compare(long, longer, WIDTH)
    _, exact = compare(long, short, WIDTH)
    assert estimated.error[0] > 0 > estimated.aligned[0]
    assert exact.error[0] == 0
    assert exact.right_in_left[0] == pytest.approx(1, abs=2e-3)


def test_two_texts_alone_are_measured_as_among_many(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(6)
    text = words(400, 6)
    texts = [text, scattered_copy(text, 9), text[:300], [*text[:200], *words(60, 7), *text[200:]], words(300, 8)]
    prints = [print_of(text) for text in texts]
    rows = list(itertools.combinations(range(len(texts)), 2))
    generator.shuffle(rows)
    rows.sort()
    left, right = (np.array(side, np.uint32) for side in zip(*rows, strict=True))
    bits = np.array([(prints[a].fingerprint ^ prints[b].fingerprint).bit_count() for a, b in rows], np.uint8)
    pairs, many = Pairs(left, right, bits), Prints.of(prints, WIDTH)
    chosen, evidence = measure(pairs, many, 16)
    assert len(chosen)
    monkeypatch.setattr("dupfinder.cluster.evidence._BLOCK", 3)
    monkeypatch.setattr("dupfinder.cluster.evidence._PORTION_SECONDS", 3e-5)
    crew, traces = Crew(), many.traces
    shared_traces = SharedTraces(
        *(crew.share([column], column.dtype) for column in (traces.values, traces.starts, traces.words))
    )
    related, by_portions = measure_shared(
        pairs, SharedPrints(SharedShingles.of(many.shingles, crew), shared_traces, WIDTH), 16, crew, SilentReporter()
    )
    assert np.flatnonzero(related).tolist() == chosen.tolist()
    for field in fields(Evidence):
        assert np.array_equal(getattr(by_portions, field.name), getattr(evidence, field.name)), field.name
    for place, row in enumerate(chosen.tolist()):
        _, alone = compare(prints[rows[row][0]], prints[rows[row][1]], WIDTH)
        for column in ("resemblance", "left_in_right", "right_in_left", "error", "aligned", "changes", "run"):
            assert getattr(evidence, column)[place] == getattr(alone, column)[0], (rows[row], column)
        assert Difference(int(evidence.difference[place])) is Difference(int(alone.difference[0]))
