"""How right the clusters are, on a suite made from nothing: floors that hold on every machine."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from dupfinder.base.progress import Silent
from dupfinder.base.settings import FILE_SECONDS, Settings
from dupfinder.library.library import Library
from dupfinder.library.rows import ScanResult
from dupfinder.review.grouping import Grouping
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.quality.candidates import source, sources
from tests.quality.labels import SubSuite, load
from tests.quality.making import make_suite, shingles, templates
from tests.quality.prose import story
from tests.quality.scoring import Score, mean, score

pytestmark = pytest.mark.quality

MEAN_F1 = 0.98
LEAST_F1 = 0.94  # of any sub-suite
CANDIDATE_RECALL = 0.99
CONTAINMENT_PRECISION, CONTAINMENT_RECALL = 0.9, 0.95


@dataclass(frozen=True)
class Scanned:
    """A labelled suite and what the program found in it."""

    root: Path
    library: Path
    suites: tuple[SubSuite, ...]
    result: ScanResult
    grouping: Grouping

    def name(self, row: int) -> str:
        return self.result.documents.path(row).relative_to(self.root).as_posix()

    def clusters(self, radius: int | None = None) -> list[list[str]]:
        """The groups of near-duplicates at a radius, as names."""
        found = self.grouping.clusters(self.result.summary.radius if radius is None else radius)
        return [
            [self.name(row) for row in found.rows(place).tolist()]
            for place in range(len(found))
            if found.ids[place] >= 0
        ]

    def scores(self) -> Mapping[str, Score]:
        clusters = self.clusters()
        container, part, _ = self.grouping.contained
        inside = {
            (self.name(one), self.name(other)) for one, other in zip(container.tolist(), part.tolist(), strict=True)
        }
        return {suite.name: score(suite, clusters, inside) for suite in self.suites}


def scan(root: Path, library: Path, workers: int = 2) -> ScanResult:
    settings = Settings(library.with_suffix(".json"))
    settings.set(FILE_SECONDS, 600.0)  # however busy the machine is, every file is read
    number = run_scan(ScanRequest((Root(root),), workers=workers), library, Silent(), settings=settings)
    with Library.open(library) as opened:
        return opened.result(number)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scanned]:
    root = tmp_path_factory.mktemp("suite")
    make_suite(root)
    library = tmp_path_factory.mktemp("library") / "library.db"
    result = scan(root, library)
    summary = result.summary
    yield Scanned(root, library, load(root), result, Grouping(result, summary.min_similarity, summary.min_containment))


def test_the_clusters_are_right(scanned: Scanned) -> None:
    scores = scanned.scores()
    f1 = {name: one.pairs.f1 for name, one in scores.items() if one.pairs.right + one.pairs.missed}
    assert set(f1) == {"formats", "edits", "scattered", "few", "answers", "laws", "short", "edge"}
    assert mean(f1.values()) >= MEAN_F1, f1
    assert min(f1.values()) >= LEAST_F1, f1


def test_no_translation_no_filling_of_a_form_and_no_stranger_is_joined(scanned: Scanned) -> None:
    scores = scanned.scores()
    assert {name: one.hard for name, one in scores.items() if one.hard} == {}
    assert scores["templates"].pairs.wrong == scores["containment"].pairs.wrong == 0


def test_chapters_are_found_in_their_books_and_nothing_else_is_contained(scanned: Scanned) -> None:
    scores = scanned.scores()
    found = scores["containment"].containment
    assert found.precision >= CONTAINMENT_PRECISION and found.recall >= CONTAINMENT_RECALL
    assert sum(one.containment.wrong for one in scores.values()) == 0


def test_nothing_to_compare_is_joined_as_identical_bytes_alone(scanned: Scanned) -> None:
    joined = [set(cluster) for cluster in scanned.clusters(scanned.grouping.widest) if cluster[0].startswith("edge/")]
    assert joined == [{"edge/numbers1.txt", "edge/numbers2.txt"}]


def test_every_radius_keeps_hard_negatives_apart(scanned: Scanned) -> None:
    for radius in range(scanned.grouping.widest + 1):
        clusters = scanned.clusters(radius)
        assert sum(score(suite, clusters, ()).hard for suite in scanned.suites) == 0


def test_sketches_and_fingerprints_find_more_together_than_alone(scanned: Scanned) -> None:
    names = [scanned.name(row) for row in range(len(scanned.result.documents))]
    with Library.open(scanned.library) as opened:
        copies, narrow, wide, sketches, usual, every = sources(scanned.suites, opened, scanned.result, names)
    assert copies.pairs == 0 < copies.recall < narrow.recall <= wide.recall <= every.recall
    assert sketches.recall <= usual.recall <= every.recall
    assert every.recall >= CANDIDATE_RECALL and every.containment >= CONTAINMENT_RECALL
    assert wide.containment < sketches.containment  # a part in a whole is found by its passages alone
    assert max(wide.pairs, sketches.pairs) <= every.pairs <= wide.pairs + sketches.pairs


def test_the_number_of_workers_and_reading_again_change_nothing(scanned: Scanned, tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    before = {frozenset(cluster) for cluster in scanned.clusters()}
    for _ in range(2):
        result = scan(scanned.root, library, workers=1)
        again = Scanned(scanned.root, library, scanned.suites, result, Grouping(result, 0.7, 0.85))
        assert {frozenset(cluster) for cluster in again.clusters()} == before
    assert result.summary.reused > 100


def test_a_copy_stands_for_its_text_among_candidates() -> None:
    suite = SubSuite("s", frozenset("abc"), frozenset({("a", "b"), ("a", "c")}), frozenset(), frozenset(), frozenset())
    assert source("x", {("a", "c")}, [suite], {"b": "a"}).recall == 1
    assert source("x", set(), [suite], {"b": "a"}).recall == 0.5


def test_the_forms_of_the_suite_are_alike_enough_to_mislead() -> None:
    made = templates()
    for language in ("en", "es"):
        sets = [shingles(text) for name, text in made.texts.items() if language in name]
        alike = [len(one & other) / len(one | other) for one, other in itertools.combinations(sets, 2)]
        assert len(sets) == 8 and min(alike) > 0.65 and sum(one >= 0.7 for one in alike) > 10


def test_a_story_is_the_same_in_three_languages_and_another_from_another_seed() -> None:
    assert story(1, "en") == story(1, "en")
    assert len(story(1, "en")) == len(story(1, "zh")) == len(story(1, "es"))
    one, other = shingles(story(1, "en")), shingles(story(2, "en"))
    assert len(one & other) / len(one | other) < 0.1
