"""Alignment: the share of words in the same order, where two texts differ, and in what way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from rapidfuzz.distance import LCSseq

from dupfinder.base.columns import Ragged
from dupfinder.cluster.alignment import LEAST_ALIGNED, NEARLY_ALL, Gaps, Traces, align, gaps_of, reaching
from dupfinder.cluster.relation import Difference
from dupfinder.fingerprint.tokens import NUMBER_BIT, tokens_of, trace_of

WORDS = st.lists(st.integers(0, 12).map(lambda word: word * 0x1102), min_size=1, max_size=60)  # unlike at both ends
PAIRS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4)
TEXT = "the tenant pays the rent for the flat in the old mill on the first floor before the end of each month or week"
Words = Sequence[int] | NDArray[np.uint16]


class Alignments(NamedTuple):
    """What `align` returns."""

    share: NDArray[np.float64]
    changes: NDArray[np.int64]
    run: NDArray[np.float64]
    difference: NDArray[np.uint8]


def trace(text: str) -> NDArray[np.uint16]:
    return trace_of(tokens_of([text]))


def traces_of(texts: Sequence[Words]) -> Traces:
    traces = Ragged.of_entries([np.asarray(text, np.uint16) for text in texts], np.uint16)
    return Traces(traces.values, traces.starts, traces.lengths)


def of_pairs(pairs: Sequence[tuple[Words, Words]]) -> tuple[Alignments, Gaps]:
    """The texts of all left sides, then those of all right sides."""
    traces = traces_of([text for side in zip(*pairs, strict=True) for text in side])
    left = np.arange(len(pairs))
    sides = left, left + len(pairs)
    return Alignments(*align(traces, *sides, np.zeros(len(pairs), np.bool_))), gaps_of(traces, *sides)


@given(st.lists(st.tuples(WORDS, st.randoms(), st.booleans()), min_size=1, max_size=4))
def test_words_in_any_order_count_where_nearly_all_are_the_same(texts: list[tuple[list[int], Random, bool]]) -> None:
    pairs = []
    for words, chance, is_edited in texts:
        other = chance.sample(words, len(words))
        pairs.append((words, [*other[:-1], 0xABCC] if is_edited else other))
    traces = traces_of([text for side in zip(*pairs, strict=True) for text in side])
    sides = np.arange(len(pairs)), np.arange(len(pairs), 2 * len(pairs))
    in_order, anyhow = (
        Alignments(*align(traces, *sides, np.full(len(pairs), may_be_sorted))) for may_be_sorted in (False, True)
    )
    for row, (left, right) in enumerate(pairs):
        share = 2 * (Counter(left) & Counter(right)).total() / (len(left) + len(right))
        counts = share >= NEARLY_ALL and in_order.share[row] < LEAST_ALIGNED
        assert anyhow.share[row] == (share if counts else in_order.share[row])
        assert anyhow.run[row] == (0 if counts else in_order.run[row])
        assert anyhow.changes[row] == (0 if counts else in_order.changes[row])


def reaches(left: Words, right: Words, share: float) -> bool:
    return bool(reaching(traces_of([left, right]), np.zeros(1, np.intp), np.ones(1, np.intp), share)[0])


def of_texts(left: str, right: str) -> tuple[Alignments, list[tuple[int, int, int, int]]]:
    alignments, gaps = of_pairs([(trace(left), trace(right))])
    return alignments, next(gaps.lists())


def difference(left: str, right: str) -> Difference:
    return Difference(of_texts(left, right)[0].difference[0])


@given(PAIRS)
def test_the_share_is_that_of_a_longest_common_subsequence(pairs: list[tuple[list[int], list[int]]]) -> None:
    alignments, _ = of_pairs(pairs)
    for (left, right), share in zip(pairs, alignments.share.tolist(), strict=True):
        assert share == pytest.approx(2 * LCSseq.similarity(left, right) / (len(left) + len(right)))
        for asked in (share - 0.01, share, share + 0.01):
            assert reaches(left, right, asked) == (share >= asked - 1e-9)


@given(PAIRS)
def test_what_lies_between_the_gaps_is_equal_and_nothing_is_left_out(pairs: list[tuple[list[int], list[int]]]) -> None:
    _, gaps = of_pairs(pairs)
    for (left, right), of_pair, matched in zip(pairs, gaps.lists(), gaps.matched.tolist(), strict=True):
        i = j = equal = 0
        for i0, i1, j0, j1 in [*of_pair, (len(left), len(left), len(right), len(right))]:
            assert left[i:i0] == right[j:j0]
            equal += i0 - i
            i, j = i1, j1
        assert matched == equal


@given(PAIRS)
def test_pairs_are_aligned_together_as_they_are_alone_and_the_other_way_round(
    pairs: list[tuple[list[int], list[int]]],
) -> None:
    together, gaps = of_pairs(pairs)
    for row, ((left, right), of_pair) in enumerate(zip(pairs, gaps.lists(), strict=True)):
        for sides, expected in (((left, right), of_pair), ((right, left), [(*gap[2:], *gap[:2]) for gap in of_pair])):
            alone, gaps_alone = of_pairs([sides])
            assert next(gaps_alone.lists()) == expected
            for name in ("share", "changes", "run", "difference"):
                assert getattr(alone, name)[0] == getattr(together, name)[row], name


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        (TEXT, TEXT, Difference.FORMAT),
        (f"on 12 march 2024 {TEXT} 950 euros", f"on 3 june 2025 {TEXT} 1020 euros", Difference.NUMBERS),
        (f"dear anna meier {TEXT}", f"dear bert krause {TEXT}", Difference.SHORT),
        (f"yard nine 5 {TEXT}", f"5 mill three {TEXT}", Difference.SHORT),  # they share a number by chance
        (f"yard nine house {TEXT}", f"house mill three {TEXT}", Difference.SHORT),  # or a word: "Mr"
        (f"yard nine of the house {TEXT}", f"of the house mill three {TEXT}", Difference.MIXED),
        (TEXT, f"{TEXT} and he keeps the yard clean", Difference.ADDITIONS),
        (TEXT, " ".join(f"{word} {number}" for number, word in enumerate(TEXT.split())), Difference.ADDITIONS),
        (f"{TEXT} a b c", f"new words here {TEXT}", Difference.MIXED),
    ],
)
def test_the_class_of_a_difference_is_the_least_that_says_all_of_it(
    left: str, right: str, expected: Difference
) -> None:
    assert difference(left, right) is expected
    assert difference(right, left) is expected


@pytest.mark.parametrize(("length", "expected"), [(15, Difference.SHORT), (16, Difference.MIXED)])
def test_a_replacement_is_short_up_to_fifteen_words(length: int, expected: Difference) -> None:
    fills = [" ".join(f"{letter}{letter}{chr(97 + number)}" for number in range(length)) for letter in "xy"]
    assert difference(f"{TEXT} {fills[0]} {TEXT}", f"{TEXT} {fills[1]} {TEXT}") is expected


@pytest.mark.parametrize(("added", "expected"), [(4, Difference.SHORT), (5, Difference.MIXED)])
def test_replacements_are_short_alone_up_to_a_fifth_of_the_changed_words(added: int, expected: Difference) -> None:
    """Sixteen words in two short replacements, and some inserted words."""
    left, right = (
        " ".join(f"{TEXT} {' '.join(f'{side}{place}{number}' for number in range(8))}" for place in range(2))
        for side in ("old", "new")
    )
    new = " ".join(f"added{number}" for number in range(added))
    assert difference(f"{left} {TEXT}", f"{right} {TEXT} {new}") is expected


def test_what_only_the_shorter_text_has_is_no_replacement_either() -> None:
    short, long = (" ".join(f"{side}{number}" for number in range(count)) for side, count in (("old", 2), ("new", 14)))
    own = " ".join(f"own{number}" for number in range(8))  # of 36 changed words
    assert difference(f"{TEXT} {short} {TEXT} {short} {TEXT} {own}", f"{TEXT} {long} {TEXT} {long} {TEXT}") is (
        Difference.MIXED
    )


@pytest.mark.parametrize(("between", "changes"), [("of the", 1), ("of the two", 2)])
def test_two_equal_words_between_two_gaps_are_there_by_chance_and_three_are_not(between: str, changes: int) -> None:
    alignments, gaps = of_texts(f"{TEXT} red {between} blue {TEXT}", f"{TEXT} up {between} left {TEXT}")
    assert len(gaps) == 2 and alignments.changes.tolist() == [changes]


def test_gaps_that_chance_words_separate_are_one_change_and_the_average_gap_is_that_of_its_longer_side() -> None:
    left, right = f"{TEXT} red {TEXT} blue of green tea {TEXT}", f"{TEXT} up {TEXT} left of right {TEXT}"
    alignments, gaps = of_texts(left, right)
    count = len(trace(TEXT))
    then = 2 * count + 1
    assert gaps[:2] == [(count, count + 1, count, count + 1), (then, then + 1, then, then + 1)]
    assert len(gaps) == 3 and alignments.changes.tolist() == [2] and alignments.run[0] == pytest.approx(4 / 3)


MISREAD = TEXT.replace("tenant", "tenaut").replace("rent", "ront").replace("before", "bcfore").replace("month", "moneh")


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        (TEXT, MISREAD.replace("floor", "fioor"), 1),
        (TEXT, MISREAD, 20 / 24),  # four words are too few to tell
        (TEXT, MISREAD.replace("floor", "cellar"), 19 / 24),
        (f"on 12 march 2024 {TEXT}", f"on 3 june 2025 {MISREAD.replace('floor', 'fioor')}", 20 / 28),
    ],
    ids=["misread", "few", "replaced", "a filling"],
)
def test_misread_words_count_if_most_changes_are_misread_words_and_few_are_numbers(
    left: str, right: str, share: float
) -> None:
    for texts in ((left, right), (right, left)):
        assert of_texts(*texts)[0].share[0] == pytest.approx(share)


PORTUGUESE = (
    "abra a janela e introduza o endereço do navegador na caixa de texto com o nome do servidor e uma chave se o "
    "servidor tem uma conta com o nome do utilizador a configuração indica o perfil seleciona as propriedades da conta "
    "e da caixa insere o ponto"
)
GALICIAN = (
    "abra a xanela e introduza o enderezo do navegador na caixa de texto con o nome do servidor e unha chave se o "
    "servidor ten unha conta con o nome do usuario a configuración indica o perfil selecciona as propiedades da conta "
    "e da caixa insire o punto"
)


def test_words_of_a_related_language_are_not_misread_words() -> None:
    """Seven of thirteen replaced words are like those in their place; none of them is anywhere in the other text."""
    left, right = PORTUGUESE.split(), GALICIAN.split()
    equal = sum(map(str.__eq__, left, right)) / len(left)
    for texts in ((PORTUGUESE, GALICIAN), (GALICIAN, PORTUGUESE)):
        assert of_texts(*texts)[0].share[0] == pytest.approx(equal)


def test_misread_words_count_beside_some_beyond_recognition_if_the_text_has_them_elsewhere() -> None:
    beyond = MISREAD.replace("floor", "fioor").replace("flat", "q4u").replace("mill", "vvx").replace("end", "zzo")
    for texts in ((f"{TEXT} {TEXT}", f"{beyond} {TEXT}"), (f"{TEXT} {beyond}", f"{TEXT} {TEXT}")):
        assert of_texts(*texts)[0].share[0] == pytest.approx(45 / 48)


def test_in_a_short_misread_text_words_that_it_has_once_do_not_tell_of_another_language() -> None:
    beyond = MISREAD.replace("floor", "fioor").replace("flat", "q4u").replace("mill", "vvx").replace("end", "zzo")
    for texts in ((TEXT, beyond.replace("on the", "on xqz")), (beyond.replace("on the", "on xqz"), TEXT)):
        assert of_texts(*texts)[0].share[0] == pytest.approx(20 / 24)


def test_a_lost_line_is_a_change_of_one_word_in_misread_text_alone() -> None:
    for misread, run in ((TEXT, 6 / 2), (MISREAD.replace("floor", "fioor"), 1)):
        alignments, _ = of_texts(f"{TEXT} red {TEXT} this line is lost now {TEXT}", f"{misread} blue {TEXT} {TEXT}")
        assert alignments.run.tolist() == [pytest.approx(run)]


@pytest.mark.parametrize("added", ["3:16", "3:16 lo", "lo and so"])
def test_words_that_only_one_text_has_are_changes_of_one_word_each(added: str) -> None:
    plain, numbered = f"{TEXT} {TEXT} {TEXT}", f"{added} {TEXT} {added} {TEXT} {TEXT}"
    for texts in ((plain, numbered), (numbered, plain)):
        alignments, _ = of_texts(*texts)
        assert (alignments.run.tolist(), alignments.difference.tolist()) == ([1], [Difference.ADDITIONS])


@pytest.mark.parametrize(
    ("mark", "names", "run"),
    [
        ("redacted", ("ann lee", "tom orr", "eva ode", "kim poe", "guy roy"), 1),
        ("", ("ann lee", "tom orr", "eva ode", "kim poe", "guy roy"), 1),
        ("redacted", ("ann lee", "tom orr", "eva ode", "kim poe"), 2),  # too few to tell
        ("jo", ("ann lee",) * 5, 2),  # one name in place of another
    ],
)
def test_marks_in_place_of_other_words_are_changes_of_one_word_each(
    mark: str, names: Sequence[str], run: float
) -> None:
    whole, redacted = (" ".join(f"{TEXT} {word} {TEXT}" for word in words) for words in (names, [mark] * len(names)))
    for texts in ((whole, redacted), (redacted, whole)):
        assert of_texts(*texts)[0].run.tolist() == [run]


def test_long_texts_that_share_just_enough_words_in_one_order_reach_a_share() -> None:
    left = np.arange(0, 2 * 1100, 2, dtype=np.uint16)
    right = np.concatenate((left[:825], np.arange(60_000, 60_000 + 2 * 275, 2, dtype=np.uint16)))
    assert reaches(left, right, 0.75) and not reaches(left, right, 0.7501)
    assert not reaches(left, right[::-1].copy(), 0.75)


def test_equal_texts_differ_in_nothing() -> None:
    alignments, gaps = of_texts(TEXT, TEXT)
    assert alignments.share[0] == 1 and not alignments.run.any() and not alignments.changes.any() and not gaps


def test_a_date_and_a_chinese_amount_are_numbers_and_a_name_is_none() -> None:
    assert (trace("12 march 2024 三百元") & NUMBER_BIT).all()
    for date in ("3 märz", "3 octobre", "3 septiembre", "3 luglio", "3 março", "3 mei", "3 września", "3 tammikuuta"):
        assert (trace(date) & NUMBER_BIT).all()
    assert not (trace("anna 王") & NUMBER_BIT).any()


def test_a_changed_word_of_several_characters_is_one_change_of_about_a_word() -> None:
    chinese = "暴风雨来临时港口关闭了没有人知道会持续多久"
    edited = chinese.replace("港口", "码头").replace("知道", "明白")
    assert of_texts(chinese, edited)[0].run[0] == 1
    korean = "폭풍이 왔을 때 항구는 닫혀 있었고 얼마나 오래 갈지 아무도 몰랐다"
    assert of_texts(korean, korean.replace("얼마나", "여섯달").replace("항구는", "바닷길"))[0].run[0] == 1.2
    assert of_texts("the harbour was closed", "the large old port was closed")[0].run[0] == 3


def test_texts_that_are_too_long_or_empty_are_not_aligned() -> None:
    generator = np.random.default_rng(1)
    left, right = (generator.integers(0, 1 << 15, 60_000).astype(np.uint16) for _ in range(2))
    short, none = trace(TEXT), left[:0]
    pairs = [(np.sort(left)[::2], np.sort(right)[::-1]), (none, short), (short, short), (short, none)]
    alignments, gaps = of_pairs(pairs)
    assert alignments.share.tolist() == [-1, -1, 1, -1] and not len(gaps.pair)
    assert alignments.difference.tolist() == [Difference.UNKNOWN, Difference.UNKNOWN, Difference.FORMAT, 0]
    assert not alignments.run.any() and not alignments.changes.any()


def test_a_trace_that_is_not_whole_counts_as_none() -> None:
    traces = Traces(np.arange(6, dtype=np.uint16), np.array([0, 3, 5, 5, 6]), np.array([3, 9, 0, 1]))
    assert traces.whole.tolist() == [True, False, False, True]
    assert [len(traces.of(row)) for row in range(4)] == [3, 0, 0, 1]
