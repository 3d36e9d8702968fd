"""Forms: fillings of one form are distinguished from versions by the positions at which three of them differ."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from dupfinder.base.columns import Ints
from dupfinder.cluster import forms
from dupfinder.cluster.alignment import Gaps, Traces, gaps_of
from dupfinder.cluster.evidence import Prints, compare, measure
from dupfinder.cluster.forms import FieldContents, same_forms, similarity_without_forms, with_held_fillings
from dupfinder.cluster.relation import LEAST_SIMILARITY
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.index.pairs import Pairs
from dupfinder.text.normalise import normalise
from tests.cluster.making import evidence_of, pairs_of
from tests.quality import statutes
from tests.quality.prose import story

NAMES = ["Anna Meier", "Bert Krause", "Clara Vogel", "David Roth", "Eva Sommer", "Franz Winter", "Grete Lang"]
FIRST = ["Lisa", "Hans", "Maria", "Otto", "Ruth"]
TOWNS = ["Ulm", "Trier", "Bonn", "Kiel", "Hamm", "Gera", "Hof"]
LETTER = (
    "Dear {name}, thank you for your order. We have received your payment and will deliver the goods to your "
    "address in {town} within the next ten working days. Should you have any question on the delivery, our office is "
    "glad to answer it at any time. We would like to point out that returned goods are taken back within a month, as "
    "long as they are complete and in their original wrapping. Yours sincerely, the shipping department of the mill. "
    "Date of this letter: {day} March 2024, number {number}."
)


def filled(row: int, **changes: str) -> str:
    facts = {"name": NAMES[row % 7], "town": TOWNS[(row * 3) % 7], "day": str(row + 1), "number": str(4711 + row)}
    return LETTER.format(**{**facts, **changes})


def form_pairs(
    texts: Sequence[str],
    order: Sequence[int] | None = None,
    resemblance: float | None = None,
    without: tuple[int, int] | None = None,
) -> set[tuple[int, int]]:
    """Return the pairs of texts that are fillings of one form.

    order: of the documents. resemblance: replaces the measured one. without: a pair that shares too little, by ranks.
    """
    order = list(order) if order is not None else list(range(len(texts)))
    maker = Fingerprinter(Scheme())
    prints = [maker.print_of(normalise(texts[row])) for row in order]
    rows = list(itertools.combinations(range(len(texts)), 2))
    left, right = (np.array(side, np.uint32) for side in zip(*rows, strict=True))
    pairs = Pairs(left, right, np.zeros(len(rows), np.uint8))
    columns = Prints.of(prints, Scheme().shingle)
    kept, evidence = measure(pairs, columns, 16)
    pairs = pairs.take(kept)
    if resemblance is not None:
        evidence = replace(evidence, resemblance=np.full(len(pairs), resemblance, np.float32))
    ranks: NDArray[np.int64] = np.argsort(np.argsort([print_.text_hash.hex() for print_ in prints])).astype(np.int64)
    if without is not None:
        ranked = np.sort((ranks[pairs.left], ranks[pairs.right]), axis=0)
        others = np.flatnonzero((ranked[0] != without[0]) | (ranked[1] != without[1]))
        pairs, evidence = pairs.take(others), evidence.take(others)
    form, _ = same_forms(pairs, evidence, columns.traces, ranks, FieldContents.none())
    form = with_held_fillings(pairs, evidence, form)
    assert (with_held_fillings(pairs, replace(evidence, form=form), form) == form).all()  # as in the next scan
    linked = zip(pairs.left[form].tolist(), pairs.right[form].tolist(), strict=True)
    return {(min(order[a], order[b]), max(order[a], order[b])) for a, b in linked}


def test_letters_to_three_people_are_fillings_of_one_form() -> None:
    assert form_pairs([filled(number) for number in range(3)]) == {(0, 1), (0, 2), (1, 2)}


def test_fillings_resemble_one_another_by_half_at_least() -> None:
    texts = [filled(number) for number in range(3)]
    assert form_pairs(texts, resemblance=0.5) and not form_pairs(texts, resemblance=0.499)
    edits = ("within the next ten working days", "as soon as they have come in from the makers")
    texts = [*(filled(number) for number in range(5)), filled(2).replace(*edits)]
    assert len({pair for pair in form_pairs(texts, resemblance=0.5) if 5 in pair}) == 4  # a version of one of the five


def test_two_letters_alone_do_not_show_that_there_is_a_form() -> None:
    assert form_pairs([filled(0), filled(1)]) == set()


def test_many_letters_are_one_form_though_names_and_towns_recur() -> None:
    texts = [filled(number) for number in range(20)]
    assert form_pairs(texts) == set(itertools.combinations(range(20), 2))


def test_two_bills_to_one_customer_are_two_fillings_where_others_show_the_form() -> None:
    texts = [*(filled(number) for number in range(4)), filled(0, day="29", number="9999")]
    assert (0, 4) in form_pairs(texts)


@pytest.mark.parametrize(("letters", "is_form"), [((7, 2, 2, 1), True), ((9, 4, 1, 1, 1), True), ((7, 5, 2), False)])
def test_a_position_is_a_field_if_most_pairs_of_documents_differ_there(letters: Sequence[int], is_form: bool) -> None:
    """Numbers of letters to each person: 65.2 % of their pairs are to two different people, 65 %, and 64.8 %."""
    people = [name for name, count in zip(NAMES, letters, strict=False) for _ in range(count)]
    texts = [filled(0, name=name, day=str(place), number=str(place * 37)) for place, name in enumerate(people)]
    assert form_pairs(texts) == (set(itertools.combinations(range(len(texts)), 2)) if is_form else set())


def test_two_letters_of_each_of_two_versions_show_no_form() -> None:
    """Only three nearly equal texts are evidence of a form, so that fields can be distinguished from edits."""
    letters = [filled(0, name=name) for name in ("Anna", "Bert", "Clara", "David")]
    edited = [letter.replace("glad", "happy").replace("month", "fortnight") for letter in letters[2:]]
    assert form_pairs([*letters[:2], *edited]) == set()


@pytest.mark.parametrize(("edits", "is_filling"), [(("happy",), True), (("happy", "fortnight"), False)])
def test_a_filling_differs_mostly_at_the_fields_of_the_form(edits: Sequence[str], is_filling: bool) -> None:
    """Four words are filled in.

    A letter with one more different word is a filling; with two, a version of another letter.
    """
    texts = [filled(number, name=f"{FIRST[number]} {NAMES[number]}") for number in range(5)]
    for word, other in zip(("glad", "month"), edits, strict=False):
        texts[4] = texts[4].replace(word, other)
    pairs = form_pairs(texts)
    assert set(itertools.combinations(range(4), 2)) <= pairs
    assert len([pair for pair in pairs if 4 in pair]) == (4 if is_filling else 3)


def test_an_edited_word_beside_a_name_is_an_edit() -> None:
    people = enumerate(("Anna", "Bert", "Clara", "David", "Eva"))
    texts = [filled(0, name=name, number=str(4711 + number)) for number, name in people]
    texts[3:] = [text.replace("Dear", "Hello") for text in texts[3:]]
    pairs = form_pairs(texts)
    assert {(0, 1), (0, 2), (1, 2)} <= pairs
    for edited in (3, 4):  # a version of one of the three
        assert len([pair for pair in pairs if pair[1] == edited and pair[0] < 3]) == 2


@pytest.mark.parametrize(("added", "is_filling"), [(2, True), (4, False)])
def test_added_words_are_edits_too(added: int, is_filling: bool) -> None:
    """Seven words and two numbers are filled in. Two added words are 2 of 9 differing ones, four 4 of 11."""
    texts = [
        filled(
            number,
            name=f"Anna{number} Berta{number} Carla{number} Doris{number}",
            town=f"Ulm{number} by{number} it{number}",
        )
        for number in range(6)
    ]
    for word in ("glad", "complete", "original", "point")[:added]:
        texts[5] = texts[5].replace(word, f"very {word}")
    pairs = form_pairs(texts)
    assert set(itertools.combinations(range(5), 2)) <= pairs
    assert len([pair for pair in pairs if 5 in pair]) == (5 if is_filling else 4)


def test_one_word_is_enough_to_be_filled_in_beside_a_number() -> None:
    texts = [filled(0, name=name, day=str(day)) for day, name in enumerate(("Anna", "Bert", "Clara"))]
    assert form_pairs(texts) == set(itertools.combinations(range(3), 2))


@pytest.mark.parametrize(("people", "is_form"), [(3, False), (5, False), (6, True)])
def test_names_alone_show_a_form_only_if_there_are_many(people: int, is_form: bool) -> None:
    """Fewer may be copies of one text that each misspell a name, or hide it."""
    texts = [filled(0, name=name) for name in NAMES[:people]]
    assert form_pairs(texts) == (set(itertools.combinations(range(people), 2)) if is_form else set())


def test_copies_that_hide_the_names_in_a_few_ways_are_versions_however_many_there_are() -> None:
    text = "Mr Anna sued Bert, and Clara of David heard Franz. " + LETTER
    hidden = [("Anna", "Bert", "Clara", "David", "Franz"), ("A", "B", "C", "D", "F"), ("XXX",) * 5, ("redacted",) * 5]
    texts = [text]
    for names in hidden[1:]:
        for name, other in zip(hidden[0], names, strict=True):
            text = text.replace(name, other)
        texts.append(text)
        text = texts[0]
    stamped = [f"{stamp} {text}" for text in texts for stamp in ("Certified copy.", "Filed on a Monday.")]
    assert form_pairs(texts + stamped) == set()


def test_copies_with_a_stamp_each_are_versions_whatever_the_stamps_count() -> None:
    stamps = (
        "Draft",
        "Copy 3 of 5 for the archive",
        "Exhibit 7, filed 3 May 2021",
        "Received 4 May",
        "Approved 9 June",
    )
    assert form_pairs([f"{stamp}. {LETTER}" for stamp in stamps]) == set()


def test_versions_that_differ_in_dates_and_numbers_alone_are_no_form() -> None:
    texts = [filled(0, day=str(number), number=str(number * 37)) for number in range(5)]
    assert form_pairs(texts) == set()


def test_releases_of_a_text_that_each_have_a_day_of_the_week_in_their_date_are_no_form() -> None:
    days = ["Fri, 3 May", "Monday, 12 August", "Wed, 27 November", "Sunday, 9 February"]
    texts = [f"Last change {day} {2021 + row}, revision {8995 + row * 431}. {LETTER}" for row, day in enumerate(days)]
    assert form_pairs(texts) == set()


PAYSLIP = (
    "Payslip {a} of 2024, personnel number 118. Gross pay {b}. Wage tax {c}. Health insurance {d}. Pension {e}. "
    "Net pay {f}. Paid by transfer to the account that you named. Questions are answered by the payroll office from "
    "Monday to Thursday between nine and eleven. Please keep this payslip, since it is not issued again. Holidays and "
    "days of illness are shown on the yearly statement, which every member of the staff receives in the new year."
)


@pytest.mark.parametrize(("amounts", "is_form"), [("", False), ("bcd", False), ("bcdef", True)])
def test_numbers_alone_show_a_form_if_each_document_has_its_own_at_many_places(amounts: str, is_form: bool) -> None:
    """A date and an edition, or two amounts put right, are what editions of one text differ in."""
    usual = dict.fromkeys("bcdef", "310.25")
    texts = [
        PAYSLIP.format(
            **{**usual, **{key: f"{3 * row + place}50.4{row}" for place, key in enumerate(amounts, 1)}}, a=row
        )
        for row in range(4)
    ]
    assert form_pairs(texts) == (set(itertools.combinations(range(4), 2)) if is_form else set())


@pytest.mark.parametrize(("positions", "is_form"), [(0, True), (3, True), (4, False), (9, False)])
def test_numbers_alone_show_no_form_if_two_thirds_of_them_stay(positions: int, is_form: bool) -> None:
    """In each round of an offer five prices are new, and the number of the round."""
    kept = " ".join(f"Position {place} of this offer costs {310 + place} euros." for place in range(positions))
    texts = [
        f"{PAYSLIP.format(a=row, **{key: f'{3 * row + place}504' for place, key in enumerate('bcdef')})} {kept}"
        for row in range(4)
    ]
    assert form_pairs(texts) == (set(itertools.combinations(range(4), 2)) if is_form else set())


def test_saves_of_a_page_with_counters_and_a_remark_more_are_no_form() -> None:
    """A forum shows beside each remark how many its author has written. The last one is in no earlier save."""
    texts = []
    for save in range(3):
        posts = [
            f"{NAMES[row % 5]}, {100 * (row % 5) + save + 13} posts, {row + 2} May, 10.{row + 20}: {remark[0]}"
            for row, remark in enumerate(story(seed, "en", 1) for seed in range(10 + save))
        ]
        texts.append(f"{' '.join(posts)} Powered by the board that many people like.")
    assert form_pairs(texts) == set()


def test_a_report_on_every_line_of_which_a_number_differs_is_a_filling() -> None:
    values = ("Haemoglobin", "Leucocytes", "Platelets", "Creatinine", "Glucose", "Sodium", "Calcium", "Urea", "Albumin")
    texts = [
        " ".join([f"Patient {NAMES[row]}.", *(f"{value} found {37 * row + place} in the blood." for place, value in
         enumerate(values, 5)), "Signed by the head of the laboratory."])
        for row in range(4)
    ]  # fmt: skip
    assert form_pairs(texts) == set(itertools.combinations(range(4), 2))


def test_a_table_sorted_in_several_ways_with_a_few_cells_changed_is_no_form() -> None:
    rows = [
        f"{number} {NAMES[number % 7]} {number * 37 % 90} 2026 {number % 12} {number * 7 % 28} "
        f"2026 {number % 12} {number * 5 % 28} {number * 31 % 97} 0.5"
        for number in range(1, 24)
    ]
    by_name, by_amount = (sorted(rows, key=key) for key in (lambda row: row[5:], lambda row: row[::-1]))
    orders = [rows, rows[::-1], sorted(rows), by_name, by_amount]
    for seed, order in enumerate(orders):
        chance = random.Random(seed)
        for place in chance.sample(range(len(order)), 2):
            order[place] = order[place].replace(order[place].split()[3], str(chance.randrange(100, 999)))
    assert not form_pairs(["\n".join(order) for order in orders])


def test_one_poem_with_its_lines_numbered_in_several_ways_is_no_form() -> None:
    lines = [f"the {word} comes over the hills at evening" for word in ("wind", "rain", "moon", "snow")]
    ways = [
        [f"{mark.format(number)} {line}" for number, line in enumerate(lines, 1)] for mark in ("", "{}", "1:{}", "a {}")
    ]
    assert form_pairs(["\n".join(way) for way in ways]) == set()


def edited_copies(words: Sequence[str], count: int, edits: int) -> list[str]:
    """Return copies of a text, each with so many words of its own at places by chance."""
    generator, texts = random.Random(5), []
    for number in range(count):
        edited = list(words)
        for place in generator.sample(range(len(words)), edits):
            edited[place] = f"edit{number}x{place}"
        texts.append(" ".join(edited))
    return texts


def test_copies_edited_here_and_there_are_versions() -> None:
    words = (filled(0) + " " + LETTER.replace("order", "request").replace("goods", "books")).split()
    assert form_pairs(edited_copies(words, 8, 6)) == set()


def test_a_history_of_one_text_is_no_form() -> None:
    generator = random.Random(7)
    words, texts = filled(0).split() * 2, []
    for number in range(12):
        for place in generator.sample(range(len(words)), 3):
            words[place] = f"change{number}x{place}"
        texts.append(" ".join(words))
    assert form_pairs(texts) == set()


def test_an_edited_version_of_one_filling_is_a_version_of_it_among_many_fillings() -> None:
    edited = filled(2).replace("within the next ten working days", "as soon as they have come in from the makers")
    texts = [*(filled(number) for number in range(6)), edited]
    pairs = form_pairs(texts)
    assert (2, 6) not in pairs and set(itertools.combinations(range(6), 2)) <= pairs


def test_a_form_that_is_not_filled_in_is_a_version_of_no_filling() -> None:
    fillings, blank = [filled(number) for number in range(4)], filled(0, name="", town="", day="", number="")
    assert form_pairs([*fillings, blank]) == set(itertools.combinations(range(5), 2))
    shortened = fillings[2].replace("We would like to point out that", "")
    assert {pair for pair in form_pairs([*fillings, shortened]) if 4 in pair} == {(0, 4), (1, 4), (3, 4)}
    copies = [*fillings, fillings[2].replace("glad", "happy"), shortened]
    assert not {(2, 4), (2, 5), (4, 5)} & form_pairs(copies)


LEASE = " ".join(f"Clause {number} holds for room {number * 3} and its keys." for number in range(50)) + LETTER


def lease(row: int, **changes: str) -> str:
    facts = {"name": NAMES[row % 7], "town": TOWNS[(row * 3) % 7], "day": str(row + 1), "number": str(4711 + row)}
    return LEASE.format(**{**facts, **changes})


@pytest.mark.parametrize(
    ("held", "parts"),
    [
        (lease(2), {2}),  # one of them
        (lease(1) + lease(3), {1, 3}),
        (lease(6), set()),  # of a tenant whose lease is not among the documents
        (lease(0, name="", town="", day="", number=""), set()),  # a blank form
    ],
)
def test_a_filling_is_no_part_of_a_longer_document_that_holds_another_filling_or_the_form(
    held: str, parts: set[int]
) -> None:
    other_text = " ".join(f"Page {number} of the book tells of house {number * 7}." for number in range(150))
    linked = form_pairs([*(lease(row) for row in range(5)), other_text + held])
    assert {left for left, right in linked if right == 5} == set(range(5)) - parts


@pytest.mark.parametrize(
    ("misread", "is_copy"),
    [
        ({"name": "Bert Krouse"}, True),
        ({"name": "Bert Krouse", "number": "4772"}, False),
        ({"name": "Rita Vogel"}, False),
        ({"name": "Rita Krause", "town": "Gera", "clerk": "Lehmann"}, False),
    ],
)
def test_a_scan_of_a_filling_with_its_numbers_and_most_names_is_a_version_of_it(
    misread: dict[str, str], is_copy: bool
) -> None:
    def bill(row: int, clerk: str = "", **changes: str) -> str:
        clerk = clerk or ["Adler", "Busch", "Conrad", "Dietz", "Ernst"][row]
        return f"{filled(row, **changes)} Paid: {50 * row} euros of {100 * row}, and noted by {clerk} for the mill."

    fillings = form_pairs([*map(bill, range(5)), bill(1, **misread)])
    assert {*itertools.combinations(range(5), 2), (0, 5), (2, 5)} <= fillings
    assert ((1, 5) not in fillings) == is_copy


@pytest.mark.parametrize(("facts", "is_correction"), [({"day": "9"}, True), ({"day": "9", "number": "4"}, False)])
def test_a_filling_with_less_than_half_of_its_numbers_put_right_is_a_version_of_it(
    facts: dict[str, str], is_correction: bool
) -> None:
    """Two bills to one customer differ in more of them."""
    bills = [f"{filled(row)} Paid: {50 * row} euros of {100 * row}." for row in range(5)]
    changed = f"{filled(1, **facts)} Paid: {50 + (not is_correction)} euros of 100."
    fillings = form_pairs([*bills, changed])
    assert {*itertools.combinations(range(5), 2), (0, 5), (2, 5)} <= fillings
    assert ((1, 5) not in fillings) == is_correction


def test_a_data_sheet_with_some_limits_put_right_is_a_version_of_it_and_one_of_another_product_is_not() -> None:
    labels = [f"{first} {second}" for first in ("supply", "input", "leak") for second in ("current", "level", "delay")]
    units = ("mA", "ms", "mV")

    def sheet(product: int, limits: Sequence[int]) -> str:
        rows = enumerate(zip(labels, limits, strict=True), product)
        return " ".join([LEASE, *(f"{label} up to {limit} {units[row % 3]}" for row, (label, limit) in rows)])

    limits = [[37 * product + 11 * row + 1 for row in range(9)] for product in range(5)]
    revised = [*limits[1][:2], 9999, *limits[1][3:]]
    pairs = form_pairs([*map(sheet, range(5), limits), sheet(1, revised)])
    assert pairs == set(itertools.combinations(range(6), 2)) - {(1, 5)}


def test_letters_of_one_day_to_two_of_a_family_are_two_fillings() -> None:
    assert (1, 5) in form_pairs([*map(filled, range(5)), filled(1, name="Rita Krause")])


JOBS = ["clerk", "driver", "cook", "nurse", "baker", "tailor", "welder"]
REFERENCE = (
    "{mr} {name} of {town}, aged {age}, was employed by us from {day} March 2015 as {job} of our branch at {branch}. "
    "{mr} {family} has always carried out {his} duties to our full satisfaction. {he} was punctual and honest at all "
    "times. With {his} friendly manner {he} was liked by everybody. We regret that {he} leaves us, praise "
    "{his} work, and hope that {he} will like {his} new office. Signed by {boss}."
)


def test_words_that_recur_for_a_man_and_a_woman_are_one_change_each() -> None:
    words = {"mr": "Mr", "he": "he", "his": "his"}, {"mr": "Ms", "he": "she", "his": "her"}
    printed = " ".join(filled(number) for number in range(4))
    letters = []
    for row, (name, town, job) in enumerate(zip(NAMES, TOWNS, JOBS, strict=True)):
        facts = {"name": name, "family": name.split()[1], "town": town, "job": job, "age": row + 31, "day": row + 3}
        signed = {"branch": TOWNS[row - 3], "boss": NAMES[row - 2]}
        letters.append(f"{printed} {REFERENCE.format(**facts, **signed, **words[row % 2])}")
    assert form_pairs(letters) == set(itertools.combinations(range(7), 2))


def test_a_filling_with_a_passage_added_beside_a_field_is_a_version_of_it() -> None:
    letters = [f"{filled(number)} Signed: {NAMES[number]}" for number in range(5)]
    fillings = form_pairs([*letters, letters[1] + " in duplicate on the above date"])
    assert (1, 5) not in fillings and (1, 4) in fillings


def test_the_order_of_the_documents_changes_nothing() -> None:
    texts = [*(filled(number) for number in range(7)), filled(3, day="30"), "something else entirely " * 20]
    expected = form_pairs(texts)
    generator = random.Random(3)
    for _ in range(3):
        assert form_pairs(texts, generator.sample(range(len(texts)), len(texts))) == expected


def test_a_filling_whose_printed_text_was_edited_has_the_relations_of_its_original() -> None:
    edits = ("within the next ten working days", "as soon as they have come in from the makers")
    others = ("Should you have any question on the delivery, our office is glad", "Our office will be most happy")
    texts = [*(filled(number) for number in range(5)), filled(2).replace(*edits), filled(3).replace(*others)]
    versions = {(2, 5), (3, 6)}
    assert form_pairs(texts) == set(itertools.combinations(range(7), 2)) - versions


def test_an_edited_filling_that_looks_like_one_to_some_is_no_version_of_the_others() -> None:
    """Documents 0 to 2 are fillings, and 3 is an edited copy of 0, which is taken for a filling beside 2 already."""
    pairs = pairs_of([(0, 1, 3), (0, 2, 3), (0, 3, 3), (1, 2, 3), (1, 3, 3), (2, 3, 3)])
    evidence = evidence_of(6, resemblance=np.array([0.6, 0.6, 0.9, 0.6, 0.7, 0.6], np.float32))
    are_fillings = np.array([True, True, False, True, False, True])
    edited = forms._edited_fillings(pairs, evidence, are_fillings, np.arange(4))
    assert edited.tolist() == [False, False, False, False, True, False]


ANALYTES = ("Haemoglobin", "Leucocytes", "Platelets", "Sodium", "Potassium", "Creatinine", "CRP", "GOT", "GPT", "TSH")

PRINTED = (
    "Values outside the reference range are to be interpreted together with the clinical picture. This report was "
    "generated electronically and is valid without signature. Samples are kept for a week. Ask the laboratory for more."
)


def test_an_edited_filling_is_no_version_of_another_filling_that_was_not_compared_with_its_original() -> None:
    """Of many fillings not all are compared. 0, 1, 2: fillings; 3: an edited copy of 0; 4: another document."""
    pairs = pairs_of([(0, 2, 0), (0, 3, 0), (0, 4, 0), (1, 2, 0), (1, 3, 0)])
    evidence = evidence_of(5, resemblance=np.array([0.6, 0.9, 0.6, 0.6, 0.6], np.float32))
    are_fillings = np.array([True, False, False, True, False])
    edited = forms._edited_fillings(pairs, evidence, are_fillings, np.arange(5))
    assert edited.tolist() == [False, False, False, False, True]


def report(patient: int) -> str:
    """A laboratory report, which shares hardly more than its printed words with that of another patient."""
    chance = random.Random(patient)
    rows = [f"{name} {chance.uniform(1, 90):.1f} mmol/l 4-{len(name)}" for name in ANALYTES]
    born = f"{chance.randint(1, 28)} {chance.choice(('May', 'June', 'July'))} {chance.randint(1930, 2010)}"
    person = f"{chance.choice(FIRST)} {chance.choice(NAMES).split()[1]}{chance.choice(('', '-Berger', ' Junior'))}"
    head = f"St Brigid Hospital, Department of Medicine. Patient: {person}, born {born}. Report of {patient} June 2024."
    return f"{head} {' '.join(rows)} {PRINTED}"


def test_fillings_that_share_too_little_with_the_centre_are_fillings_too() -> None:
    texts = [report(patient) for patient in range(60, 75)]
    every = itertools.combinations(range(len(texts)), 2)
    similar = {(left, right) for left, right in every if is_similar(texts[left], texts[right])}
    assert len(similar) > 5 and similar == form_pairs(texts)


def test_documents_are_looked_at_beside_fillings_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [report(patient) for patient in range(45, 60)]
    at_once = form_pairs(texts)
    monkeypatch.setattr(forms, "_AT_A_TIME", 2)
    assert form_pairs(texts) == at_once


@pytest.fixture
def aligned(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that receives how many pairs are aligned at a time."""
    counts: list[int] = []

    def counted(traces: Traces, left: Ints, right: Ints) -> Gaps:
        counts.append(len(left))
        return gaps_of(traces, left, right)

    monkeypatch.setattr(forms, "gaps_of", counted)
    return counts


def test_a_document_far_from_the_centre_of_a_form_is_aligned_about_once_with_each_filling(aligned: list[int]) -> None:
    texts = [filled(row, name=f"{FIRST[row % 5]} {NAMES[row % 7].split()[1]}") for row in range(28)]
    pairs = form_pairs(texts, without=(0, 27))
    assert len(pairs) == len(texts) * (len(texts) - 1) / 2 - 1
    assert sum(aligned) <= 2 * len(texts) + 10


def is_similar(left: str, right: str) -> bool:
    """Whether two texts would be versions if nothing else was known; as in `form_pairs`, at a distance of 0 bits."""
    maker = Fingerprinter(Scheme())
    prints = [replace(maker.print_of(normalise(text)), fingerprint=0) for text in (left, right)]
    _, evidence = compare(prints[0], prints[1], Scheme().shingle)
    return bool(similarity_without_forms(evidence)[0] >= LEAST_SIMILARITY)


NOTICE = (
    "安政办发〔2024〕{number}号\n{office}：\n为进一步做好节假日值班和应急工作，经市人民政府同意，现就有关事项通知如下。\n"
    "各单位主要负责同志要亲自部署，明确责任分工。严格执行领导带班和二十四小时值班制度，值班人员不得擅自离岗。\n"
    "突发事件应在三十分钟内电话报告，一小时内书面报告，不得迟报、漏报、瞒报。\n二〇二四年九月二十日"
)


def test_a_name_whose_last_word_others_have_in_common_is_one_field() -> None:
    """All offices but the last end in 局."""
    for offices in (("教育局", "财政局", "水务局", "卫健委"), ("教育局", "财政局", "卫健委")):
        texts = [NOTICE.format(number=12 + row, office=f"市{office}") for row, office in enumerate(offices)]
        assert form_pairs(texts) == set(itertools.combinations(range(len(texts)), 2))


DISCLAIMER = (
    "This message and its attachments are meant for the person to whom they are addressed alone. Whoever receives them "
    "by mistake is asked to tell the sender and to delete them. Opinions are those of the author. The firm is not "
    "liable for viruses, delays or losses on the way, and may keep messages for as long as the law demands. Contracts "
    "need the signatures of two directors. The office of the firm is in Harbour Street, opposite the old customs house."
)


def mail(row: int, words: int = 18, disclaimer: str = DISCLAIMER) -> str:
    """A mail with a text of its own, in words that no other mail has."""
    return " ".join([*(f"topic{row}word{place}" for place in range(words + row % 3)), disclaimer])


@pytest.mark.parametrize(("mails", "are_letters"), [(3, False), (5, False), (6, True), (12, True)])
def test_six_mails_around_one_disclaimer_are_letters_and_no_versions(mails: int, are_letters: bool) -> None:
    """Fewer may be drafts of one text whose beginning was written anew each time."""
    expected = set(itertools.combinations(range(mails), 2)) if are_letters else set()
    assert form_pairs([mail(row) for row in range(mails)]) == expected


@pytest.mark.parametrize("number", range(3))  # by which other mails come first
def test_mails_around_a_disclaimer_are_letters_though_some_quote_another(number: int) -> None:
    quoted = [f"hub{number}word{place}" for place in range(20)]
    mails = [mail(row) for row in range(8)]
    texts = [" ".join([*quoted[:10], mails[row]]) if row < 3 else mails[row] for row in range(8)]
    assert len(form_pairs([*texts, " ".join([*quoted, DISCLAIMER])])) == 9 * 8 / 2


def test_a_mail_sent_again_with_regards_and_a_word_put_right_is_a_version_among_letters() -> None:
    texts = [mail(row) for row in range(7)]
    again = texts[2].replace("topic2word3", "corrected").replace(DISCLAIMER, f"Kind regards. {DISCLAIMER}")
    pairs = form_pairs([*texts, again])
    assert (2, 7) not in pairs and set(itertools.combinations(range(7), 2)) <= pairs


def test_copies_of_one_text_with_another_paragraph_rewritten_in_each_are_versions() -> None:
    paragraphs = [mail(row, 20, "") for row in range(8)]
    texts = [" ".join([*paragraphs[:row], mail(20 + row, 20, ""), *paragraphs[row + 1 :]]) for row in range(8)]
    assert form_pairs(texts) == set()


POLICY = (
    "Policy {number} of {name}, living in {town}, insured from the {day} of March at a yearly price of {price} pounds "
    "paid in advance to our agent {boss} or to his office."
)


def policy(row: int, clauses: Sequence[int], **changes: str) -> str:
    """Return a policy with terms of 120 words and some of six optional clauses of 20 words."""
    facts = {"number": str(5100 + 7 * row), "name": NAMES[row % 7], "town": TOWNS[row % 7], "day": str(row + 3)}
    facts |= {"price": str(190 + 13 * row), "boss": FIRST[row % 5]}
    return " ".join(
        [POLICY.format(**{**facts, **changes}), mail(30, 60, ""), *(mail(40 + row, 20, "") for row in clauses),
         mail(31, 60, "")]
    )  # fmt: skip


CLAUSES = [(0, 2), (1, 2, 4), (3,), (0, 1, 5), (), (2, 3, 4), (1, 5)]


@pytest.mark.parametrize("policies", [5, 6, 7])
def test_six_contracts_with_optional_clauses_are_fillings_though_the_clauses_are_longer_than_the_fields(
    policies: int,
) -> None:
    pairs = form_pairs([policy(row, CLAUSES[row]) for row in range(policies)])
    assert len(pairs) > 10 if policies > 5 else not pairs


def test_a_contract_with_a_clause_more_is_a_version_among_contracts_with_optional_clauses() -> None:
    texts = [policy(row, CLAUSES[row]) for row in range(7)]
    pairs = form_pairs([*texts, policy(3, (0, 1, 4, 5))])
    assert (3, 7) not in pairs and {(0, 7), (0, 3)} <= pairs


def test_editions_of_one_contract_that_gain_and_lose_clauses_are_versions() -> None:
    """A date and a price are new in each edition: too few places for a form."""
    facts = {"name": NAMES[0], "town": TOWNS[0], "boss": FIRST[0], "number": "5100"}
    texts = [policy(row, range(row, row + 4), **facts) for row in range(7)]
    assert form_pairs(texts) == set()


def bill(row: int, goods: int, numbers: int, seed: int | None = None) -> str:
    """Return a bill with a number after each of some labels, and with rows of goods of which there may be any number.

    seed: of its numbers and goods; None: the row.
    """
    chance = random.Random(row if seed is None else seed)
    labels = ("bill number", "customer", "order", "due in days", "amount due", "tax", "delivery note")
    facts = [f"{label} {chance.randint(1000, 99999)}" for label in labels[:numbers]]
    rows = [f"article{chance.randint(0, 999)} in colour{chance.randint(0, 99)} for our shop" for _ in range(goods)]
    return " ".join([mail(50, 40, ""), *facts, "for these goods:", *rows, mail(51, 90, "")])


@pytest.mark.parametrize(("numbers", "are_fillings"), [(4, False), (5, True), (7, True)])
def test_three_bills_with_other_rows_of_goods_are_fillings_if_numbers_differ_at_many_places(
    numbers: int, are_fillings: bool
) -> None:
    pairs = form_pairs([bill(row, goods, numbers) for row, goods in enumerate((1, 4, 6))])
    assert pairs == ({(0, 1), (0, 2), (1, 2)} if are_fillings else set())


def test_a_bill_with_other_rows_is_a_filling_beside_bills_with_equally_many_rows() -> None:
    texts = [bill(row, goods, 6) for row, goods in enumerate((3, 3, 3, 3, 1))]
    assert form_pairs(texts) == set(itertools.combinations(range(5), 2))


def test_a_bill_with_a_row_more_and_the_same_numbers_is_a_version_of_it_among_bills() -> None:
    texts = [bill(row, goods, 6) for row, goods in enumerate((3, 1, 6, 4))]
    pairs = form_pairs([*texts, bill(4, 4, 6, seed=0)])
    assert (0, 4) not in pairs and {(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)} <= pairs


def test_a_bill_with_a_row_more_and_an_amount_put_right_is_a_version_of_it_among_bills() -> None:
    texts = [bill(row, goods, 6) for row, goods in enumerate((3, 1, 6, 4))]
    corrected = re.sub(r"amount due \d+", "amount due 77", bill(0, 4, 6))
    pairs = form_pairs([*texts, corrected])
    assert (0, 4) not in pairs and {(0, 1), (0, 2), (0, 3), (1, 4), (2, 4), (3, 4)} <= pairs


def headed(row: int, numbers: int, name: str, own: int | None = None) -> str:
    """Return a letter with numbers and a name in its head, and a paragraph of its own.

    own: the seed of that paragraph; None: the row.
    """
    head = [f"{label} {40 * row + number}" for number, label in enumerate(("letter", "customer", "order")[:numbers])]
    to_all = mail(52, 60, ""), mail(53, 90, "")
    return " ".join([*head, "dear", name, to_all[0], mail(70 + (row if own is None else own), 25, ""), to_all[1]])


@pytest.mark.parametrize(
    ("numbers", "names", "are_fillings"),
    [
        (3, ("ada lovelace", "emil berg", "olga rossi"), True),
        (2, ("ada lovelace", "emil berg", "olga rossi"), False),
        (3, ("all readers", "all readers", "all readers"), False),
    ],
)
def test_three_letters_with_paragraphs_of_their_own_are_fillings_if_a_name_and_three_numbers_differ(
    numbers: int, names: tuple[str, ...], are_fillings: bool
) -> None:
    """Editions with a new date and a new foreword have no other names."""
    pairs = form_pairs([headed(row, numbers, name) for row, name in enumerate(names)])
    assert pairs == ({(0, 1), (0, 2), (1, 2)} if are_fillings else set())


def test_a_draft_with_another_paragraph_is_a_version_of_its_letter_among_three_letters() -> None:
    names = ("ada lovelace", "emil berg", "olga rossi")
    letters = [headed(row, 3, name) for row, name in enumerate(names)]
    assert (0, 3) not in form_pairs([*letters, headed(0, 3, names[0], own=9)])


def test_versions_of_a_statute_whose_sections_are_numbered_anew_are_no_bills() -> None:
    sections, versions = statutes.statute(904, "en", 56), []
    for version, changed in enumerate((0, 1, 2, 4, 1)):
        sections = statutes.amended(sections, "en", repealed=changed, inserted=changed, seed=990 + version)
        versions.append("\n".join(statutes.numbered(sections, "en")))
    assert form_pairs(versions) == set()


@pytest.mark.parametrize(("releases", "are_letters"), [(3, False), (5, False), (6, True)])
def test_releases_of_a_manual_in_two_formats_are_letters_if_there_are_six(releases: int, are_letters: bool) -> None:
    """Names and numbers are new at some places in each release, which has a paragraph more than the one before."""
    texts = []
    for release, markup in itertools.product(range(releases), (False, True)):
        parts = [mail(row, 20, "") for row in range(40, 50 + release)]
        for row in range(1, 8):
            parts[row] += f" called name{release}x{row} " + (f"{31 * row + release}" if row < 4 else "")
        texts.append(
            " ".join(f"mark{row} {part}" if markup and row % 4 == 3 else part for row, part in enumerate(parts))
        )
    assert bool(form_pairs(texts)) == are_letters


PARAGRAPHS = (
    "Our new catalogue is enclosed for you and your family.",
    "The driver calls half an hour before he arrives.",
    "One article follows later from another store.",
    "You need not be at home for this delivery.",
)


def with_paragraphs(row: int, paragraphs: Sequence[str]) -> str:
    return filled(row).replace("Should you", " ".join([*paragraphs, "Should you"]))


def test_fillings_with_and_without_optional_paragraphs_are_all_fillings_and_a_copy_with_one_more_is_a_version() -> None:
    texts = [with_paragraphs(row, PARAGRAPHS if row % 2 else ()) for row in range(8)]
    pairs = form_pairs([*texts, with_paragraphs(2, PARAGRAPHS[:1])])
    assert set(itertools.combinations(range(8), 2)) <= pairs
    assert (2, 8) not in pairs


def test_versions_that_each_rewrite_one_of_three_paragraphs_of_the_last_one_are_no_letters() -> None:
    paragraphs, texts = [mail(row, 30, "") for row in range(9)], []
    for version in range(8):
        paragraphs[(1, 4, 7)[version % 3]] = mail(20 + version, 30, "")
        texts.append(" ".join(paragraphs))
    assert form_pairs(texts) == set()


def test_of_many_versions_few_are_looked_at_as_centres(aligned: list[int]) -> None:
    texts = edited_copies(filled(0).split() * 2, 40, 3)
    assert form_pairs(texts) == set()
    kinds = 2  # of forms that are searched around more than one centre
    assert 0 < sum(aligned) <= kinds * (forms._MOST_CENTRES + 1) * len(texts)
