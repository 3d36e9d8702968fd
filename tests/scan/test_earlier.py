"""A scan that relies on what an earlier one measured finds what a scan from nothing finds."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.progress import SilentReporter
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster import candidates as passages
from dupfinder.cluster import forms
from dupfinder.cluster.evidence import measure_shared
from dupfinder.cluster.forms import FieldContents
from dupfinder.cluster.relation import Evidence
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.fingerprint.tokens import Trace
from dupfinder.index.pairs import Pairs
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanResult
from dupfinder.scan import matching
from dupfinder.scan.earlier import EvidenceRows, RemainingPairs, measured_before, text_keys
from dupfinder.scan.matching import MEASURING, MatchingBudget, match
from dupfinder.text.normalise import normalise
from tests.cluster.making import evidence_of, pairs_of
from tests.library.making import REVISION, assert_same_documents, digest, summary
from tests.quality.prose import other_words, story

FORM = "The tenant {} of {} pays {} coins before the end of {} and returns the {} to the owner in good order. "
FIXED = " ".join(story(5, "en", 2))
LONG_NUMBERS = "\n4711.2233.9876 1234.5678.9012 7777.1212.3434\n"
NAMES = ("Anna Berg", "Carl Dahl", "Eva Falk", "Gustav Holm", "Ida Juhl", "Karl Lund", "Mona Nord", "Olav Peters")


@dataclass(frozen=True)
class Content:
    """A text by its kind and number: a story and its edited versions, a part of it, a filling of a form.

    spaced: whether its long numbers are written with spaces: the same words, but another fingerprint.
    """

    kind: str
    number: int
    edit: int = 0
    spaced: bool = False

    def text(self) -> str:
        return self._words() + LONG_NUMBERS.replace(".", " " if self.spaced else ".")

    def _words(self) -> str:
        if self.kind == "form":
            name = NAMES[self.number]
            fields = name, f"{name[0]}ville", 10 + self.number, f"month {name[:3]}", f"key {name[-4:]}"
            return FORM.format(*fields) + FIXED
        paragraphs = story(self.number, "en", 4)
        if self.kind == "part":
            return "\n".join(paragraphs[:2])
        return "\n".join(other_words(paragraphs, 0.03 * self.edit, self.edit))


CONTENTS = st.one_of(
    st.builds(Content, st.just("story"), st.integers(1, 3), st.integers(0, 3), st.booleans()),
    st.builds(Content, st.just("part"), st.integers(1, 3)),
    st.builds(Content, st.just("form"), st.integers(0, 7)),
)
FOLDERS = st.dictionaries(st.sampled_from([f"{letter}.txt" for letter in "abcdefghijklm"]), CONTENTS, max_size=11)


Folder = dict[str, Content]
PRINTS = Fingerprinter(Scheme())
BUDGET = MatchingBudget(60.0, 1_000_000)


@cache
def print_of(content: Content) -> TextPrint:
    return PRINTS.print_of(normalise(content.text()))


def row_of(name: str, content: Content) -> DocumentRow:
    stamp = FileStamp(Path("/docs") / name, 100, 1, 1, 1, 1)
    return DocumentRow(stamp, READ, media="txt", content_hash=digest(content), text_print=print_of(content))


class Scans:
    """Scans of one folder after another in one library; what did not change is taken over as it was read."""

    def __init__(self, library: LibraryFile, budget: MatchingBudget = BUDGET) -> None:
        self._library, self._budget = library, budget
        self._known: dict[tuple[str, Content], int] = {}

    def scan(self, folder: Folder, *, alone: bool = False, root: str = "/docs") -> ScanResult:
        """Match a folder with what was measured before; or, alone, without, and forget it."""
        begun = summary(Path(root))
        scan = self._library.begin_scan(begun, REVISION)
        for name, content in folder.items():
            if (number := self._known.get((name, content))) is None:
                (number,) = self._library.add(scan, REVISION, [(row_of(name, content), False)])
                self._known[name, content] = number
            else:
                self._library.reuse(scan, [(number, False)])
        before = None if alone else measured_before(self._library, begun, MEASURING)
        documents = self._library.documents(scan, None if before is None else before.documents)
        assert_same_documents(documents, self._library.documents(scan))
        matched = match(self._library, replace(begun, id=scan), documents, self._budget, SilentReporter(), before)
        if not alone:
            self._library.finish_scan(replace(matched, summary=replace(matched.summary, offered=len(documents))))
            self._known = {key: number for key, number in self._known.items() if folder.get(key[0]) == key[1]}
        return matched


def assert_equal(left: ScanResult, right: ScanResult) -> None:
    for column in ("left", "right", "distance"):
        assert np.array_equal(getattr(left.pairs, column), getattr(right.pairs, column)), column
    for field in fields(Evidence):
        assert np.array_equal(getattr(left.evidence, field.name), getattr(right.evidence, field.name)), field.name
    assert np.array_equal(left.rejected, right.rejected) and np.array_equal(left.frequent, right.frequent)
    for name in ("pairs", "starts", "values"):
        assert np.array_equal(getattr(left.contents, name), getattr(right.contents, name)), name
    assert (left.summary.widest_radius, left.revision) == (right.summary.widest_radius, right.revision)


@settings(max_examples=30)
@given(st.lists(FOLDERS, min_size=2, max_size=4), st.sampled_from([1, 2, 4_096]), st.sampled_from([2, 1_000_000]))
def test_whatever_came_went_or_changed_the_pairs_are_those_of_a_scan_from_nothing(
    folders: list[Folder], partners: int, most: int
) -> None:
    """Also where a passage proposes to a document only so many others, and where there are too many pairs."""
    with (
        pytest.MonkeyPatch.context() as patch,
        tempfile.TemporaryDirectory() as place,
        LibraryFile(Path(place) / "library.db", write=True) as library,
    ):
        patch.setattr(passages, "MOST_PARTNERS", partners)
        scans = Scans(library, MatchingBudget(60.0, most))
        for folder in folders:
            assert_equal(scans.scan(folder, alone=True), scans.scan(folder))


@pytest.mark.parametrize("most", [1, 1_000_000])
def test_an_unchanged_folder_is_not_compared_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Also if it has more pairs than may be compared."""
    folder = {f"{edit}.txt": Content("story", 1, edit) for edit in range(3)}
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scans = Scans(library, MatchingBudget(60.0, most))
        first = scans.scan(folder)
        assert (first.revision == MEASURING) is (most > 1)
        monkeypatch.setattr(matching, "measure_shared", None)
        moved = {f"moved-{name}": content for name, content in folder.items()}
        for same in (folder, moved):
            again = scans.scan(same)
            assert_equal(again, first)
    assert len(first.pairs) == 3


@pytest.mark.parametrize("partners", [2, 4_096])
@pytest.mark.parametrize("changed", [1, 7])
def test_no_pair_of_unchanged_texts_is_measured_again_however_many_texts_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: int, partners: int
) -> None:
    """Also not if they consist of passages that many texts hold, so that their pairs may be other ones now."""
    measured: list[Pairs] = []

    def noted(pairs: Pairs, *others: Any) -> tuple[NDArray[np.bool_], Evidence]:
        measured.append(pairs)
        return measure_shared(pairs, *others)

    monkeypatch.setattr(matching, "measure_shared", noted)
    monkeypatch.setattr(passages, "MOST_PARTNERS", partners)
    folder = {f"{number}.txt": Content("story", 1 + number // 4, number % 4) for number in range(8)}
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scans = Scans(library)
        assert (len(scans.scan(folder).frequent) > 0) is (partners == 2)
        later = folder | {
            f"{number}.txt": Content("story", 1 + number // 4, number % 4 + 4) for number in range(changed)
        }
        again = scans.scan(later)
        pairs = measured[-1]
        assert len(pairs) and (pairs.left < changed).all()
        assert_equal(again, scans.scan(later, alone=True))


def test_pairs_that_frequent_passages_no_longer_propose_are_lost_and_only_unknown_ones_are_measured() -> None:
    asked, known = np.ones(6, np.bool_), pairs_of([(0, 1, 20), (0, 2, 20), (1, 2, 3), (3, 4, 20)])
    asked[4:] = False
    of_contents = np.array([1, 2, 2 << 32, 3 << 32 | 4], np.uint64)
    contents = FieldContents(np.empty(0, forms.CONTENT), np.zeros(5, np.int64), of_contents)
    rows = EvidenceRows(np.arange(4, dtype=np.int32), np.zeros(4, np.bool_))
    fresh = np.arange(6) == 4
    before = replace(RemainingPairs.none(6), fresh=fresh, pairs=known, rows=rows, contents=contents)
    candidates = pairs_of([(0, 1, 20), (0, 3, 20), (0, 5, 20), (1, 2, 3), (2, 4, 20), (3, 4, 20)])
    remaining, unknown = before.still_proposed(candidates, asked)
    assert unknown is not None and unknown.tolist() == [1, 4]  # 5 is neither new nor asked for
    assert remaining.pairs.left.tolist() == [0, 1, 3] and remaining.rows.row.tolist() == [0, 2, 3]
    assert remaining.touched.tolist() == [True, False, True, False, False, False]
    assert remaining.contents.pairs.tolist() == [1, 3 << 32 | 4]


@pytest.mark.parametrize("gone", range(4))
def test_a_form_of_which_too_few_fillings_are_left_is_no_form_any_more(tmp_path: Path, gone: int) -> None:
    folder = {f"{number}.txt": Content("form", number) for number in range(4)}
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scans = Scans(library)
        assert scans.scan(folder).evidence.form.all()
        del folder[f"{gone}.txt"]
        assert scans.scan(folder).evidence.form.all()
        folder.popitem()
        assert not scans.scan(folder).evidence.form.any()


def test_another_measuring_or_another_scheme_is_not_relied_on(tmp_path: Path) -> None:
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        Scans(library).scan({"a.txt": Content("story", 1), "b.txt": Content("story", 1, 1)})
        begun = summary(Path("/docs"))
        assert measured_before(library, begun, MEASURING) is not None
        assert measured_before(library, begun, MEASURING + 1) is None
        assert measured_before(library, replace(begun, scheme="another"), MEASURING) is None


def test_of_earlier_scans_one_of_the_same_folders_is_relied_on_and_else_the_newest(tmp_path: Path) -> None:
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scans = Scans(library)
        scans.scan({"a.txt": Content("story", 1)})
        scans.scan({f"{number}.txt": Content("story", number) for number in (1, 2)}, root="/other")
        scans.scan({f"{number}.txt": Content("story", number) for number in (1, 2, 3)}, root="/third")
        for root, texts in (("/docs", 1), ("/other", 2), ("/third", 3), ("/new", 3)):
            before = measured_before(library, summary(Path(root)), MEASURING)
            assert before is not None and len(before.documents) == texts


def test_a_new_filling_is_compared_with_one_of_its_form_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aligned: list[Trace] = []
    contents_of = forms.differences_of

    def noted(centre: Trace, member: Trace, *gaps: Any) -> Iterator[tuple[int, int]]:
        aligned.append(member)
        return contents_of(centre, member, *gaps)

    monkeypatch.setattr(forms, "differences_of", noted)
    folder = {f"{number}.txt": Content("form", number) for number in range(1, 7)}
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scans = Scans(library)
        scans.scan(folder)
        assert len(aligned) == 5
        more = folder | {"7.txt": Content("form", 7)}
        again = scans.scan(more)
        assert len(aligned) == 6
        assert_equal(again, scans.scan(more, alone=True))


@pytest.mark.parametrize(
    ("share", "aligned", "is_touched"), [(0.5, -1, True), (0.499, -1, False), (0.3, 0.9, True), (0.3, 0.6, False)]
)
def test_forms_are_seen_anew_for_texts_that_were_like_one_that_is_gone(
    tmp_path: Path, share: float, aligned: float, is_touched: bool
) -> None:
    """Alike by their edits too, though fillings were found among them before."""
    evidence = evidence_of(
        2,
        resemblance=np.full(2, share, np.float32),
        left_in_right=np.full(2, 0.25, np.float32),
        aligned=np.full(2, aligned, np.float32),
        changes=np.full(2, 50, np.int32),
        form=np.ones(2, np.bool_),
    )
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        begun = summary(Path("/docs"))
        scan = library.begin_scan(begun, REVISION)
        library.add(scan, REVISION, [(row_of(f"{n}.txt", Content("story", n)), False) for n in range(1, 4)])
        documents = library.documents(scan)
    pairs, rejected = pairs_of([(0, 1, 0), (0, 2, 0)]), np.zeros(65, np.int64)
    before = ScanResult(begun, documents, pairs, evidence, rejected, MEASURING)
    keys = text_keys(documents, np.arange(3))
    remaining = RemainingPairs.of(before, keys[:2])
    assert remaining.touched.tolist() == [is_touched, False]
    assert remaining.pairs.left.tolist() == [0] and not remaining.fresh.any()
    turned = RemainingPairs.of(before, keys[1::-1]).joined(Pairs.none(), Evidence.none())
    assert (turned.pairs.left.tolist(), turned.pairs.right.tolist()) == ([0], [1])
    assert turned.evidence.left_in_right == evidence.right_in_left[:1] != evidence.left_in_right[:1]
    new = RemainingPairs.none(3).joined(before.pairs, evidence).rows_to_decide_anew()
    assert new.tolist() == ([0, 1] if is_touched else [])
