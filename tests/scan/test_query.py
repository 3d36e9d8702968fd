"""What in a library is like a text."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.base.errors import UsageError
from dupfinder.base.progress import Silent
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.library.library import Library
from dupfinder.scan.learning import learn
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.query import Lookup
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.text.document import Extracted, MediaType
from tests.quality.kinds.forms import filled
from tests.quality.prose import other_words, story

TEXT = story(1, "en", 12)
CHINESE = story(2, "zh", 12, 6)
DEMAND = Demand(0.7, 0.85, 8)


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


def plain(text: list[str]) -> Extracted:
    return Extracted("\n\n".join(text), MediaType.TEXT, "plain", other={})


def found(library: Path, text: list[str], demand: Demand = DEMAND) -> dict[str, Relation]:
    with Library.open(library) as opened:
        hits = Lookup(opened).find(plain(text), demand)
    return {hit.path.stem: hit.relation for hit in hits}


def test_copies_versions_wholes_and_parts_are_told_apart(library: Path) -> None:
    assert found(library, TEXT) == {
        "text": Relation.SAME_TEXT,
        "book": Relation.PART,
        "chapter": Relation.WHOLE,
    }
    assert found(library, other_words(TEXT, 0.02, 1))["text"] is Relation.VERSION
    assert found(library, story(50, "en")) == {}


def test_a_text_under_scattered_edits_is_found_within_the_radius_alone(library: Path) -> None:
    text = other_words(TEXT, 0.08, 1)
    assert found(library, text, Demand(0.7, 0.85, 16))["text"] is Relation.VERSION
    assert "text" not in found(library, text, Demand(0.7, 0.85, 0))


def test_copies_of_one_filling_do_not_hide_that_there_is_a_form(tmp_path: Path) -> None:
    names = {f"copy {number}": 1 for number in range(6)} | {"second": 2, "third": 3}
    for name, number in names.items():
        (tmp_path / f"{name}.txt").write_text("\n\n".join(filled("invoice", number)), encoding="utf-8")
    library = tmp_path / "library.db"
    run_scan(ScanRequest((Root(tmp_path),), workers=1), library, Silent())
    assert found(library, filled("invoice", 4)) == dict.fromkeys(names, Relation.SAME_FORM)


def test_the_file_itself_is_left_out(library: Path) -> None:
    with Library.open(library) as opened:
        lookup = Lookup(opened)
        (same,) = [hit.path for hit in lookup.find(plain(TEXT), DEMAND) if hit.relation is Relation.SAME_TEXT]
        assert same not in [hit.path for hit in lookup.find(plain(TEXT), DEMAND, same)]


def test_every_scan_of_the_library_is_asked_and_of_each_file_its_newest_version(tmp_path: Path) -> None:
    texts = {name: story(60 + seed, "en") for seed, name in enumerate(("here", "there", "old"))}
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
    library = tmp_path / "library.db"
    for name, text in (("here", texts["here"]), ("there", texts["old"]), ("there", texts["there"])):
        (tmp_path / name / "letter.txt").write_text("\n\n".join(text), encoding="utf-8")
        run_scan(ScanRequest((Root(tmp_path / name),), workers=1), library, Silent())
    run_scan(ScanRequest((Root(tmp_path / "here"),), workers=1), library, Silent())
    assert found(library, texts["here"]) == found(library, texts["there"]) == {"letter": Relation.SAME_TEXT}
    assert found(library, texts["old"]) == {}


def test_a_text_without_words_is_refused(library: Path) -> None:
    with pytest.raises(UsageError):
        found(library, ["1 2 3"])


def test_a_library_is_asked_under_the_scheme_that_it_was_read_with(library: Path) -> None:
    text = plain(TEXT)
    with Library.open(library) as opened:
        result = opened.result()
        before = Lookup(opened).find(text, DEMAND)
        learn(result, Settings(), Silent())
        assert Settings().get(WEIGHTS) == "learned"
        assert Lookup(opened).find(text, DEMAND) == before
        assert {hit.path.stem: hit.distance for hit in before}["text"] == 0
