"""Matching, against comparing every two documents by their sets; and without regard to their names or order."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.errors import DiskFullError
from dupfinder.base.progress import LatestProgress, SilentReporter, Stopped
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster import candidates, evidence
from dupfinder.cluster.candidates import PassagePairs, passage_pairs
from dupfinder.cluster.evidence import Prints
from dupfinder.cluster.relation import LEAST_CONTAINMENT, LEAST_SIMILARITY
from dupfinder.cluster.verify import SharedShingles
from dupfinder.fingerprint.sketch import TextPrint
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import READ, DocumentRow, ScanResult
from dupfinder.processes.crew import Crew, Shared
from dupfinder.scan import matching
from dupfinder.scan.matching import MEASURING, PAIRS_OVER, MatchingBudget, match, prints_of
from tests.library.making import REVISION, digest, summary
from tests.scan.scanning import scan

BUDGET = MatchingBudget(60.0, 1_000_000)


@dataclass(frozen=True)
class Text:
    """A text as its shingles and its fingerprint; equal texts are copies."""

    shingles: frozenset[int]
    bits: int


def row_of(text: Text, path: str) -> DocumentRow:
    values: NDArray[np.uint64] = np.array(sorted(text.shingles), np.uint64)
    print_ = TextPrint(
        fingerprint=text.bits, has_features=True, words=len(values), language="en", text_hash=digest(text),
        shingles=len(values), sketch=values,
        trace=(values >> np.uint64(40)).astype(np.uint16),
    )  # fmt: skip
    stamp = FileStamp(Path(path), 100, 1, 1, 1, abs(hash(path)) % 2**40)
    return DocumentRow(stamp, READ, media="txt", content_hash=digest(path), text_print=print_)


def matched(
    texts: list[Text], names: list[str], budget: MatchingBudget = BUDGET, workers: int = 1
) -> tuple[list[str], ScanResult]:
    """The names in the order of rows, and what matching finds."""
    with tempfile.TemporaryDirectory() as folder, LibraryFile(Path(folder) / "library.db", write=True) as library:
        begun = summary(Path("/docs"))
        scan = library.begin_scan(begun, REVISION)
        rows = [(row_of(text, f"/docs/{name}"), False) for text, name in zip(texts, names, strict=True)]
        library.add(scan, REVISION, rows)
        documents = library.documents(scan)
        return [Path(path).name for path in documents.paths], match(
            library, begun, documents, budget, SilentReporter(), workers=workers
        )


def plainly(texts: list[Text]) -> dict[tuple[int, int], tuple[int, float]]:
    """(distance, resemblance) of every pair that is kept; texts whose words are no runs are not aligned."""
    kept = {}
    alone = [row for row, text in enumerate(texts) if text not in texts[:row]]
    for left, right in itertools.combinations(alone, 2):
        a, b = texts[left], texts[right]
        distance = (a.bits ^ b.bits).bit_count()
        shared = len(a.shingles & b.shingles)
        alike = shared / len(a.shingles | b.shingles)
        inside = shared / min(len(a.shingles), len(b.shingles))
        if alike >= LEAST_SIMILARITY or inside >= LEAST_CONTAINMENT:
            kept[left, right] = (distance, alike)
    return kept


@st.composite
def libraries(draw: st.DrawFn) -> list[Text]:
    """Versions, parts, copies and strangers."""
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    texts: list[Text] = []
    for _ in range(draw(st.integers(1, 5))):
        # The upper half alone tells shingles apart, as the library keeps that.
        values = [int(chance.integers(1, 2**31)) << 32 for _ in range(draw(st.integers(8, 60)))]
        bits = int(chance.integers(0, 2**63))
        texts.append(Text(frozenset(values), bits))
        for _ in range(draw(st.integers(0, 3))):
            start, stop = sorted((draw(st.integers(0, len(values))), draw(st.integers(0, len(values)))))
            kept = values[start:stop] or values
            flips = draw(st.lists(st.integers(0, 62), max_size=20, unique=True))
            texts.append(Text(frozenset(kept), bits ^ sum(1 << flip for flip in flips)))
    return texts


@given(libraries())
def test_pairs_are_those_of_comparing_every_two(texts: list[Text]) -> None:
    _, result = matched(texts, [f"{place:03}" for place in range(len(texts))])
    expected = plainly(texts)
    pairs = list(zip(result.pairs.left.tolist(), result.pairs.right.tolist(), strict=True))
    assert pairs == sorted(expected)
    for place, pair in enumerate(pairs):
        distance, alike = expected[pair]
        assert result.pairs.distance[place] == distance
        assert result.evidence.resemblance[place] == pytest.approx(alike, abs=1e-6)


@settings(max_examples=25)
@given(libraries(), st.data())
def test_neither_names_nor_the_order_of_reading_change_what_is_found(texts: list[Text], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(texts))))
    plain = [f"{place:03}" for place in range(len(texts))]

    def outcome(texts: list[Text], names: list[str]) -> set[tuple[frozenset[int], int, float]]:
        rows, result = matched(texts, names)
        sets = {name: text.shingles for name, text in zip(names, texts, strict=True)}
        return {
            (frozenset({hash(sets[rows[left]]), hash(sets[rows[right]])}), int(distance), round(float(alike), 5))
            for left, right, distance, alike in zip(
                result.pairs.left, result.pairs.right, result.pairs.distance, result.evidence.resemblance, strict=True
            )
        }

    first = outcome(texts, plain)
    shuffled = [texts[place] for place in order]
    assert outcome(shuffled, [plain[order[place]] for place in order]) == first
    assert outcome(shuffled, plain) == first


def test_candidates_that_are_too_unlike_are_counted_by_their_distance_and_not_kept() -> None:
    sets = [frozenset(n << 32 for n in range(start, start + 40)) for start in (1, 101, 20)]
    _, result = matched([Text(sets[0], 0), Text(sets[1], 0b111), Text(sets[2], 0b1000)], ["a", "b", "c"])
    assert list(zip(result.pairs.left, result.pairs.right, strict=True)) == [(0, 2)]
    assert result.summary.widest_radius >= 4 and result.rejected.nonzero()[0].tolist() == [3, 4]


def test_a_text_alone_is_measured_by_what_the_library_keeps_of_it(tmp_path: Path) -> None:
    texts = [Text(frozenset(((n + first) << 32) + n for n in range(40)), first) for first in (1, 9)]
    rows = [row_of(text, f"/docs/{number}") for number, text in enumerate(texts)]
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scan = library.begin_scan(summary(Path("/docs")), REVISION)
        library.add(scan, REVISION, [(row, False) for row in rows])
        stored = prints_of(library, library.documents(scan), np.arange(2))
    alone = Prints.of([row.text_print for row in rows if row.text_print is not None], stored.width)
    for part in ("shingles", "traces"):
        for field in fields(getattr(alone, part)):
            from_text, from_library = (getattr(getattr(prints, part), field.name) for prints in (alone, stored))
            assert np.array_equal(from_text, from_library), field.name


def test_a_kept_pair_at_the_widest_distance_is_not_counted_as_too_unlike() -> None:
    alike = [frozenset(n << 32 for n in range(1, last)) for last in (41, 42)]
    _, result = matched([Text(alike[0], 0), Text(alike[1], (1 << 16) - 1)], ["a", "b"])
    assert result.summary.widest_radius == 16 and result.pairs.distance.tolist() == [16]
    assert not result.rejected.any()


@pytest.mark.parametrize(
    ("bits", "widest", "revision"), [(1, 1, MEASURING), (0, 0, MatchingBudget(60.0, 100).revision)]
)
def test_a_later_scan_may_rely_on_one_bit_but_not_on_equal_fingerprints_of_which_some_pairs_were_left_out(
    bits: int, widest: int, revision: int
) -> None:
    """The fingerprints of 65 unlike texts have one bit set each and one none, or are all equal."""
    texts = [Text(frozenset({(number + 1) << 32}), bits << number & (1 << 64) - 1) for number in range(65)]
    _, result = matched(texts, [f"{number:02}" for number in range(65)], MatchingBudget(60.0, 100))
    assert (result.summary.widest_radius, result.revision) == (widest, revision)


def test_a_stop_is_heard(tmp_path: Path) -> None:
    reporter = LatestProgress()
    reporter.stop()
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        scan = library.begin_scan(summary(Path("/docs")), REVISION)
        library.add(scan, REVISION, [(row_of(Text(frozenset({n << 32}), n), f"/docs/{n}"), False) for n in (1, 2)])
        with pytest.raises(Stopped):
            match(library, summary(Path("/docs")), library.documents(scan), BUDGET, reporter)


def test_thousands_of_equal_fingerprints_stay_inside_the_budget_and_find_partners() -> None:
    words = [frozenset((word << 32) + 1 for word in (*range(1, 9), 100 + number)) for number in range(2000)]
    names = [f"{number:04}" for number in range(len(words))]
    _, result = matched([Text(text, 0b1011) for text in words], names, MatchingBudget(60.0, 4000))
    # What many have in common pairs them, so that others are still compared within 16 bits.
    assert result.summary.widest_radius == 16
    assert not result.rejected.any()
    assert result.revision < 0  # so that only a scan of the same texts relies on it
    assert 0 < len(result.pairs) <= 2 * PAIRS_OVER * 4000  # of both sources
    assert len(np.union1d(result.pairs.left, result.pairs.right)) == len(words)


def test_three_processes_find_the_same_as_one_in_memory_or_by_files(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small portions, so that each step has several tasks."""
    monkeypatch.setattr(candidates, "_BLOCK", 500)
    monkeypatch.setattr(candidates, "_FEWEST", 100)
    monkeypatch.setattr(evidence, "_PORTION_SECONDS", 1e-3)
    chance = np.random.default_rng(7)
    texts = []
    for _ in range(60):
        values = (chance.integers(1, 2**31, int(chance.integers(20, 200))) << 32).tolist()
        bits = int(chance.integers(0, 2**63))
        texts += [Text(frozenset(values[: len(values) - cut]), bits ^ cut) for cut in (0, 2, 3, len(values) // 2)]
    names = [f"{place:03}" for place in range(len(texts))]
    _, in_memory = matched(texts, names)
    assert len(in_memory.pairs) > 200
    monkeypatch.setattr(matching, "SHARED_FROM", 0)
    monkeypatch.setattr(matching, "IN_FILES_FROM", 0)
    for workers in (1, 3):
        _, other = matched(texts, names, workers=workers)
        for column in ("left", "right", "distance"):
            assert np.array_equal(getattr(in_memory.pairs, column), getattr(other.pairs, column))
        for field in fields(in_memory.evidence):
            assert np.array_equal(getattr(in_memory.evidence, field.name), getattr(other.evidence, field.name))
        assert np.array_equal(in_memory.rejected, other.rejected)
        assert in_memory.revision == other.revision == MEASURING


def test_the_sketches_of_much_text_are_in_files_also_for_one_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them would not fit the memory; one process alone matches what is new after a small change."""
    sources: list[object] = []

    def noted(shingles: SharedShingles, *rest: Any) -> PassagePairs:
        sources.append(shingles.values.source)
        return passage_pairs(shingles, *rest)

    monkeypatch.setattr(matching, "passage_pairs", noted)
    texts = [Text(frozenset(range(1 << 40, 20 << 40, 1 << 40)) | {extra << 40}, extra) for extra in (30, 31)]
    for most in (matching.IN_FILES_FROM, 0):
        monkeypatch.setattr(matching, "IN_FILES_FROM", most)
        matched(texts, ["a", "b"])
    assert [isinstance(source, Path) for source in sources] == [False, True]


class Cramped(Crew):
    """A crew of several without room for what they share."""

    def __enter__(self) -> Cramped:
        return self

    def share(self, parts: Iterable[NDArray[Any]], dtype: Any) -> Shared:
        if self.workers > 1:
            raise DiskFullError(Path("full"))
        return super().share(parts, dtype)


class Homeless(Crew):
    """A crew without a folder for what it shares."""

    def __enter__(self) -> Homeless:
        raise FileNotFoundError("no temporary folder")


@pytest.mark.parametrize("crew_of", [Cramped, Homeless])
def test_without_room_for_what_processes_share_one_does_all(
    monkeypatch: pytest.MonkeyPatch, crew_of: type[Crew]
) -> None:
    monkeypatch.setattr(matching, "SHARED_FROM", 0)
    texts = [Text(frozenset(range(1 << 40, 20 << 40, 1 << 40)) | {extra << 40}, extra) for extra in (30, 31)]
    with tempfile.TemporaryDirectory() as folder, LibraryFile(Path(folder) / "library.db", write=True) as library:
        begun = summary(Path("/docs"))
        scan = library.begin_scan(begun, REVISION)
        library.add(scan, REVISION, [(row_of(text, f"/docs/{text.bits}"), False) for text in texts])
        documents = library.documents(scan)
        result = match(library, begun, documents, BUDGET, SilentReporter(), workers=2, crew_of=crew_of)
        assert len(result.pairs) == 1


def test_pages_of_a_hundred_words_are_found_in_a_book_of_hundreds_of_thousands(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    words = ["".join(letters) for letters in chance.choice(list("bdfgklmnprst"), (260_000, 6)).tolist()]
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "book.txt").write_text(" ".join(words), encoding="utf-8")
    for start in range(5_000, 255_000, 50_000):
        (folder / f"page {start}.txt").write_text(" ".join(words[start : start + 100]), encoding="utf-8")
    result = scan(tmp_path / "library.db", folder)
    assert len(result.pairs) == 5 and (result.evidence.left_in_right + result.evidence.right_in_left > 0.9).all()
