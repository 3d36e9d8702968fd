"""How right the report is, on kinds made from nothing: floors that hold on every machine."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.quality import floors
from tests.quality.candidates import source, sources
from tests.quality.found import Found
from tests.quality.kinds import edits, forms, frames, wholes
from tests.quality.kinds.writing import Writer
from tests.quality.labels import Pair, SubSuite
from tests.quality.making import SUB_SUITES, Folder, shingles, templates, write_suite
from tests.quality.prose import story
from tests.quality.trial import Reading, read

pytestmark = pytest.mark.quality

CANDIDATE_RECALL = 0.99
FEW: tuple[edits.Plan, ...] = (("replaced", 0.08, 6), ("mixed", 0.08, 4))
FRAMED = ("mails-disclaimer", "licences")  # a frame that is most of the text joins some of what it holds


def selection() -> Iterator[tuple[str, Folder]]:
    """The kinds that are made and read in seconds."""
    writer = Writer(real=False)
    yield from ((name, make()) for name, make in SUB_SUITES.items())
    yield from edits.scattered_edits(writer, FEW)
    yield from edits.small_edits(writer)
    for make in (frames.mails, frames.letterheads, frames.quoted_mails, frames.licences, forms.edited_fillings,
                 forms.questionnaires, forms.references, forms.numbered_forms, wholes.compilations):  # fmt: skip
        yield from make(writer)


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    root = tmp_path_factory.mktemp("suite")
    write_suite(root, selection())
    return read(root, tmp_path_factory.mktemp("library") / "library.db")


@pytest.fixture(scope="module")
def findings(reading: Reading) -> Found:
    return reading.judge(reading.result.pairs, reading.result.evidence)


def at(reading: Reading, radius: int) -> Found:
    """What is found at a radius."""
    return reading.judge(reading.result.pairs, reading.result.evidence, replace(reading.demand, radius=radius))


def test_no_kind_scores_below_its_floor_and_what_scores_better_raises_it(reading: Reading, findings: Found) -> None:
    scores, widest = reading.scores(findings), reading.scores(at(reading, reading.result.summary.widest_radius))
    now = {suite.name: floors.measures(suite, scores[suite.name], widest[suite.name]) for suite in reading.suites}
    held = floors.load()
    assert not floors.sunk(held, now)
    floors.store(floors.raised(held, now))


def test_a_floor_that_is_missed_is_named_and_only_better_scores_move_it(tmp_path: Path) -> None:
    held = {"forms": {"forms": 0.9, "versions": 0.5}, "gone": {"parts": 0.1}}
    now = {"forms": {"forms": 0.8, "versions": 0.7}, "new": {"versions": 0.3}}
    assert [line.split(":")[0] for line in floors.sunk(held, now)] == ["forms", "gone"]
    after = floors.raised(held, now)
    assert after == {"forms": {"forms": 0.9, "versions": 0.7}, "gone": {"parts": 0.1}, "new": {"versions": 0.3}}
    floors.store(after, tmp_path / "floors.json")
    assert floors.load(tmp_path / "floors.json") == after and not floors.sunk(after, after)


def test_a_wider_radius_loses_no_pair_and_joins_no_hard_negative_but_under_a_long_frame(reading: Reading) -> None:
    before: set[Pair] = set()
    narrow = {name: score.hard for name, score in reading.scores(at(reading, 0)).items()}
    for radius in range(0, reading.result.summary.widest_radius + 1, 4):
        findings = at(reading, radius)
        assert before <= findings.versions
        before = findings.versions
        hard = {name for name, score in reading.scores(findings).items() if score.hard > narrow[name]}
        assert all(name.startswith(FRAMED) for name in hard), (radius, hard)


def test_nothing_to_compare_is_joined_as_identical_bytes_alone(findings: Found) -> None:
    joined = {pair for pair in findings.versions if pair[0].startswith("edge/")}
    assert joined == {("edge/numbers1.txt", "edge/numbers2.txt")}


def test_sketches_and_fingerprints_find_more_together_than_alone(reading: Reading) -> None:
    copies, near, every = sources(reading)
    assert copies.pairs == 0 < copies.recall < near.recall <= every.recall
    assert every.recall >= CANDIDATE_RECALL
    assert near.containment < every.containment  # a part in a whole is found by its passages alone


@pytest.mark.timeout(1200)  # one process reads; beside busy ones, slow documents wait long
def test_the_number_of_workers_and_reading_again_change_nothing(
    reading: Reading, findings: Found, tmp_path: Path
) -> None:
    for _ in range(2):
        again = read(reading.root, tmp_path / "library.db", workers=1)
        judged = again.judge(again.result.pairs, again.result.evidence)
        assert judged == findings
    assert again.result.summary.reused > 100


def test_a_copy_stands_for_its_text_among_candidates() -> None:
    suite = SubSuite("s", frozenset("abc"), frozenset({("a", "b"), ("a", "c")}), frozenset(), frozenset(), frozenset())
    assert source("x", {("a", "c")}, [suite], {"b": "a"}).recall == 1
    assert source("x", set(), [suite], {"b": "a"}).recall == 0.5


def test_the_forms_of_the_suite_are_alike_enough_to_mislead() -> None:
    made = templates()
    for language in ("en", "es"):
        sets = [shingles(text) for name, text in made.texts.items() if language in name]
        alike = [len(left & right) / len(left | right) for left, right in itertools.combinations(sets, 2)]
        assert len(sets) == 8 and min(alike) > 0.65 and sum(share >= 0.7 for share in alike) > 10


def test_a_story_is_the_same_in_three_languages_and_another_from_another_seed() -> None:
    assert story(1, "en") == story(1, "en")
    assert len(story(1, "en")) == len(story(1, "zh")) == len(story(1, "es"))
    first, second = shingles(story(1, "en")), shingles(story(2, "en"))
    assert len(first & second) / len(first | second) < 0.1
