"""What in a library is like a text."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.errors import UsageError
from dupfinder.base.progress import SilentReporter
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.cluster.verify import Shingles
from dupfinder.library import columns, seals
from dupfinder.library.library import LibraryFile
from dupfinder.scan import query
from dupfinder.scan.learning import learn
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.query import Lookup
from dupfinder.scan.request import FileFilters, Root, ScanRequest
from dupfinder.text.document import Extracted
from dupfinder.text.extract import of_text
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
    run_scan(ScanRequest((Root(folder),), workers=1), path, SilentReporter())
    return path


def plain(text: list[str]) -> Extracted:
    return of_text("\n\n".join(text))


def relations(library: Path, text: list[str], demand: Demand = DEMAND) -> dict[str, Relation]:
    with LibraryFile(library) as opened:
        hits = Lookup(opened).find(plain(text), demand)
    return {hit.path.stem: hit.relation for hit in hits}


def test_copies_versions_wholes_and_parts_are_told_apart(library: Path) -> None:
    assert relations(library, TEXT) == {
        "text": Relation.SAME_TEXT,
        "book": Relation.PART,
        "chapter": Relation.WHOLE,
    }
    assert relations(library, other_words(TEXT, 0.02, 1))["text"] is Relation.VERSION
    assert relations(library, story(50, "en")) == {}


def test_two_words_are_found_in_each_document_that_has_them_in_a_row(library: Path) -> None:
    texts = {"text": TEXT, "book": [*story(3, "en", 40), *TEXT], "chapter": TEXT[:3]}
    texts |= {f"stranger{seed}": story(seed, "en") for seed in range(10, 30)}
    plain_texts = {name: " ".join(" ".join(text).lower().split()) for name, text in texts.items()}
    pairs = (" ".join(pair) for pair in pairwise(TEXT[5].lower().split()))
    pair = next(pair for pair in pairs if pair.replace(" ", "").isalpha() and pair not in plain_texts["stranger10"])
    expected = {name for name, text in plain_texts.items() if re.search(rf"\b{pair}\b", text)}
    assert relations(library, [pair]) == dict.fromkeys(expected, Relation.PART)
    with LibraryFile(library) as opened:
        assert not Lookup(opened).find(of_text(pair), DEMAND, Path("a document of two words.txt"))
        with pytest.raises(UsageError):
            Lookup(opened).find(of_text("the"), DEMAND)


def test_a_copy_is_alike_in_all_and_comes_first_and_shares_of_parts_are_told_both_ways(library: Path) -> None:
    with LibraryFile(library) as opened:
        hits = Lookup(opened).find(plain(TEXT), DEMAND)
    copy, chapter = hits[0], next(hit for hit in hits if hit.path.stem == "chapter")
    assert (copy.path.stem, copy.similarity, copy.distance) == ("text", 1.0, 0)
    assert (copy.share, copy.held) == (1.0, 1.0)
    assert chapter.share < 0.5 and chapter.held > 0.95
    assert chapter.similarity < 0.5 and chapter.distance > 0


def test_a_text_under_scattered_edits_is_found_within_the_radius_alone(library: Path) -> None:
    text = other_words(TEXT, 0.14, 1)  # less than half of its shingles stay whole
    assert relations(library, text, Demand(0.7, 0.85, 16))["text"] is Relation.VERSION
    assert "text" not in relations(library, text, Demand(0.7, 0.85, 0))


def test_a_text_under_scattered_edits_that_leave_half_of_its_shingles_is_found_at_any_radius(library: Path) -> None:
    text = other_words(TEXT, 0.08, 1)
    assert relations(library, text, Demand(0.7, 0.85, 0))["text"] is Relation.VERSION
    assert "text" not in relations(library, text, Demand(0.7, 0.85, 0, passages=False))


def test_copies_of_one_filling_do_not_hide_that_there_is_a_form(tmp_path: Path) -> None:
    names = {f"copy {number}": 1 for number in range(6)} | {"second": 2, "third": 3}
    for name, number in names.items():
        (tmp_path / f"{name}.txt").write_text("\n\n".join(filled("invoice", number)), encoding="utf-8")
    library = tmp_path / "library.db"
    run_scan(ScanRequest((Root(tmp_path),), workers=1), library, SilentReporter())
    assert relations(library, filled("invoice", 4)) == dict.fromkeys(names, Relation.SAME_FORM)


def test_a_filling_is_a_part_of_the_binder_that_holds_it_and_of_no_other(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"{number}.txt").write_text("\n\n".join(filled("invoice", number)), encoding="utf-8")
    library = tmp_path / "library.db"
    run_scan(ScanRequest((Root(tmp_path),), workers=1), library, SilentReporter())
    binder = [*story(7, "en", 40), *filled("invoice", 2)]
    held = relations(library, binder)
    assert held.pop("2") is Relation.WHOLE
    assert set(held.values()) <= {Relation.SAME_FORM}, "the others are held by nothing"


def test_a_mail_is_told_from_others_under_the_same_disclaimer_and_is_no_version_of_them(tmp_path: Path) -> None:
    disclaimer = " ".join(story(9, "en"))
    mails = [[" ".join(f"topic{row}word{place}" for place in range(18 + row % 3)), disclaimer] for row in range(7)]
    for row, mail in enumerate(mails[:6]):
        (tmp_path / f"mail{row}.txt").write_text("\n\n".join(mail), encoding="utf-8")
    library = tmp_path / "library.db"
    run_scan(ScanRequest((Root(tmp_path),), workers=1), library, SilentReporter())
    assert relations(library, mails[6]) == {f"mail{row}": Relation.SAME_FORM for row in range(6)}


def test_the_file_itself_is_left_out(library: Path) -> None:
    with LibraryFile(library) as opened:
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
        run_scan(ScanRequest((Root(tmp_path / name),), workers=1), library, SilentReporter())
    run_scan(ScanRequest((Root(tmp_path / "here"),), workers=1), library, SilentReporter())
    assert relations(library, texts["here"]) == relations(library, texts["there"]) == {"letter": Relation.SAME_TEXT}
    assert relations(library, texts["old"]) == {}


def test_a_scan_that_leaves_files_out_hides_none_that_an_earlier_one_read(tmp_path: Path) -> None:
    folder, text = tmp_path / "here", story(60, "en")
    folder.mkdir()
    for name in ("letter.txt", "other.md"):
        (folder / name).write_text("\n\n".join(text), encoding="utf-8")
    library = tmp_path / "library.db"
    whole = ScanRequest((Root(folder),), workers=1)
    for request in (whole, replace(whole, filters=FileFilters(include=("*.md",))), whole):
        run_scan(request, library, SilentReporter())
        assert relations(library, text).keys() == {"letter", "other"}
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "stranger.txt").write_text("\n\n".join(story(61, "en")), encoding="utf-8")
    run_scan(ScanRequest((Root(tmp_path / "there"),), workers=1), library, SilentReporter())
    assert relations(library, text).keys() == {"letter", "other"}


def test_a_text_without_words_is_refused(library: Path) -> None:
    with pytest.raises(UsageError):
        relations(library, ["1"])


def test_copies_of_a_text_too_short_to_compare_are_found(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    numbers = " ".join(map(str, range(100, 300)))
    for name, text in {"first": numbers, "second": numbers, "other": f"{numbers} 999"}.items():
        (tmp_path / "docs" / f"{name}.txt").write_text(text, encoding="utf-8")
    library = tmp_path / "library.db"
    run_scan(ScanRequest((Root(tmp_path / "docs"),), workers=1), library, SilentReporter())
    first, digest = tmp_path / "docs" / "first.txt", query.digest_of(tmp_path / "docs" / "first.txt")
    with LibraryFile(library) as opened:
        hits = Lookup(opened).find(query.text_to_find(str(first)), DEMAND, first, digest)
        assert {hit.path.stem: hit.relation for hit in hits} == {"second": Relation.IDENTICAL}
        other = tmp_path / "docs" / "other.txt"
        with pytest.raises(UsageError):  # no copy of it is there
            Lookup(opened).find(query.text_to_find(str(other)), DEMAND, other, query.digest_of(other))


def test_a_library_is_asked_under_the_scheme_that_it_was_read_with(library: Path) -> None:
    text = plain(TEXT)
    with LibraryFile(library) as opened:
        result = opened.result()
        before = Lookup(opened).find(text, DEMAND)
        learn(result, Settings(), SilentReporter())
        assert Settings().get(WEIGHTS) == "learned"
        assert Lookup(opened).find(text, DEMAND) == before
        assert {hit.path.stem: hit.distance for hit in before}["text"] == 0


def test_a_rescan_that_has_all_files_is_looked_up_by_its_columns_and_one_of_other_folders_is_not(
    library: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "library.db"
    copy.write_bytes(library.read_bytes())
    with LibraryFile(copy) as opened:
        (folder,) = {path for path, _ in opened.summary().roots}
        scheme = opened.summary().scheme
    for root in (folder, tmp_path / "more"):
        root.mkdir(exist_ok=True)
        (root / "new.txt").write_text("\n\n".join(story(70, "en")), encoding="utf-8")
        scan = run_scan(ScanRequest((Root(root),), workers=1), copy, SilentReporter())
        (folder / "new.txt").unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as connection:
            seals.register(connection)
            lacks = columns._has_other_files(connection, scan, scheme)
            every, slowly = (
                columns.load_every_document(connection, scheme),
                columns._newest_of_every_file(connection, scheme),
            )
        assert lacks is (root != folder)
        assert list(every.paths) == list(slowly.paths) and (every.ids == slowly.ids).all()
        assert len(every) == (25 if root == folder else 26)


def test_documents_without_common_passages_are_no_candidates_whatever_the_blocks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = np.random.default_rng(5)
    sets = [np.unique(chance.integers(0, 300_000, 60)).astype(np.uint32) for _ in range(40)] + [np.empty(0, np.uint32)]
    starts = np.concatenate(([0], np.cumsum([len(values) for values in sets])))
    shingles = Shingles(np.concatenate(sets), starts, np.ones(len(sets), np.bool_))
    values = np.unique(np.concatenate((sets[3][:5], sets[20][-1:], [sets[0][0] ^ 0x10000]))).astype(np.uint32)
    expected = [bool(np.isin(members, values).any()) for members in sets]
    for together in (7, 1 << 17):
        monkeypatch.setattr(query, "_TOGETHER", together)
        assert query._have_some(shingles, values).tolist() == expected
    assert not query._have_some(shingles, values[:0]).any()
