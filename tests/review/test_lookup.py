"""What in a library is like a text."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.base.errors import UsageError
from dupfinder.base.progress import Silent
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.library.library import Library
from dupfinder.review.lookup import Lookup
from dupfinder.scan.learning import learn
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests.quality.making import WAYS
from tests.quality.prose import other_words, scattered, story

TEXT = story(1, "en", 12)
CHINESE = story(2, "zh", 12, 6)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    texts = {"text": TEXT, "book": [*story(3, "en", 40), *TEXT], "chapter": TEXT[:3], "chinese": CHINESE}
    texts |= {f"stranger{seed}": story(seed, "en") for seed in range(10, 30)}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text("\n\n".join(text), encoding="utf-8")
    path = tmp_path_factory.mktemp("library") / "library.db"
    run_scan(ScanRequest((Root(folder),), workers=1), path, Silent())
    return path


def found(library: Path, text: list[str], similarity: float = 0.7) -> dict[str, str]:
    with Library.open(library) as opened:
        hits = Lookup(opened, opened.result()).find("\n\n".join(text), 8, similarity, 0.85)
    return {hit.path.stem: hit.relation for hit in hits}


def test_copies_versions_wholes_and_parts_are_told_apart(library: Path) -> None:
    assert found(library, TEXT) == {"text": "identical_text", "book": "contains", "chapter": "contained"}
    assert found(library, other_words(TEXT, 0.02, 1))["text"] == "near"
    assert found(library, story(50, "en")) == {}


@pytest.mark.parametrize("way", WAYS)
def test_a_text_under_scattered_edits_is_found_unless_whole_passages_are_asked_for(library: Path, way: str) -> None:
    text = scattered(CHINESE, way, 0.2, 1)
    assert found(library, text) == {"chinese": "near"}
    assert found(library, text, 0.8) == {}


def test_a_text_without_words_is_refused(library: Path) -> None:
    with pytest.raises(UsageError):
        found(library, ["1 2 3"])


def test_a_library_is_asked_under_the_scheme_that_it_was_read_with(library: Path) -> None:
    text = "\n\n".join(TEXT)
    with Library.open(library) as opened:
        result = opened.result()
        before = Lookup(opened, result).find(text, 8, 0.7, 0.85)
        learn(result, Settings(), Silent())
        assert Settings().get(WEIGHTS) == "learned"
        assert Lookup(opened, result).find(text, 8, 0.7, 0.85) == before
        assert {hit.path.stem: hit.distance for hit in before}["text"] == 0
        foreign = replace(result, summary=replace(result.summary, scheme="of another program"))
        with pytest.raises(UsageError):
            Lookup(opened, foreign).find(text, 8, 0.7, 0.85)
