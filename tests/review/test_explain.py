"""Why two documents are, or are not, near-duplicates."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.review.comparison import PairTask, PairView, compare_pair, explain_files
from dupfinder.review.explain import library_says, verdict
from dupfinder.review.grouping import Grouping
from tests.making import PARAGRAPHS, pdf
from tests.quality.prose import other_words, scattered, story
from tests.review.making import Doc, Made, Pair, path_of


def explained(folder: Path, one: list[str], other: list[str]) -> tuple[PairView, list[str]]:
    for name, text in (("a.txt", one), ("b.txt", other)):
        (folder / name).write_text("\n\n".join(text), encoding="utf-8")
    view = explain_files(folder / "a.txt", folder / "b.txt")
    return view, verdict(view, 8, 0.7, 0.85)


def test_bits_words_and_passages_of_two_versions_are_told(tmp_path: Path) -> None:
    text = story(1, "en")
    view, lines = explained(tmp_path, text, [*text[:4], "Quixotic zeppelins landed. " * 12, *text[5:]])
    assert view.inside is not None and view.inside.fingerprints is not None
    one, other = view.inside.fingerprints
    assert view.distance == (one ^ other).bit_count()
    told = next(line for line in lines if line.startswith("Differing bits")).partition(": ")[2].rstrip(".")
    bits = [int(bit) for bit in told.split(", ")] if told != "none" else []
    assert sum(1 << (63 - bit) for bit in bits) == one ^ other
    words = {word.word: word for word in view.inside.words}
    assert words["zeppelins"].left_count == 0 and words["zeppelins"].right_count == 12
    assert all(0 < word.share < 1 and word.left_count + word.right_count > 0 for word in view.inside.words)
    shares = [word.share for word in view.inside.words]
    assert shares == sorted(shares, reverse=True)
    assert any(line.startswith("In both:") for line in lines)
    assert any(line.startswith("Only in the second: ") and "zeppelins" in line for line in lines)


def test_the_rule_that_decides_is_the_first_line(tmp_path: Path) -> None:
    text = story(2, "en")
    chinese = story(3, "zh", 12, 6)
    cases = (
        (text, [paragraph.upper() for paragraph in text], "Same text"),
        (text, other_words(text, 0.02, 1), "Near-duplicates"),
        (text[:3], text, "Contained: a.txt"),
        (text, text[:3], "Contained: b.txt"),
        (chinese, scattered(chinese, "shuffled", 0.2, 1), "Scattered edits"),
        (text, story(4, "en"), "Not near-duplicates"),
    )
    for one, other, beginning in cases:
        assert explained(tmp_path, one, other)[1][0].startswith(beginning)


def test_a_text_without_features_has_no_bits_to_tell(tmp_path: Path) -> None:
    view, lines = explained(tmp_path, ["1 2 3"], story(5, "en"))
    assert view.inside is not None and view.inside.fingerprints is None
    assert not any(line.startswith("Differing bits") for line in lines)


LIBRARY = Made(
    [Doc(0), Doc(1), Doc(2), Doc(3), Doc(4), Doc(1, name="copy"), Doc(6), Doc(7)],
    [
        Pair(0, 1, resemblance=0.9),
        Pair(1, 2, resemblance=0.8),
        Pair(0, 3, resemblance=0.95, form=True),
        Pair(2, 4, distance=14, resemblance=0.8),
        Pair(6, 7, resemblance=0.3, scattered=True),
    ],
)


@pytest.mark.parametrize(
    ("one", "other", "radius", "told"),
    [
        (0, 1, 8, "in one group"), (1, 5, 8, "in one group"), (0, 3, 8, "filled-in form"), (0, 2, 8, "linked"),
        (2, 4, 8, "not in one group"), (0, 1, 0, "not in one group"), (6, 7, 8, "scattered edits"),
    ],
)  # fmt: skip
def test_what_only_the_scan_knows_is_told(one: int, other: int, radius: int, told: str) -> None:
    grouping = Grouping(LIBRARY.result(), 0.7, 0.85)
    for left, right in ((one, other), (other, one)):
        [line] = library_says(grouping, path_of(LIBRARY.docs, left), path_of(LIBRARY.docs, right), radius)
        assert line.startswith("By the scan: ") and told in line


def test_a_linked_pair_names_the_document_between(tmp_path: Path) -> None:
    grouping = Grouping(LIBRARY.result(), 0.7, 0.85)
    [line] = library_says(grouping, path_of(LIBRARY.docs, 0), path_of(LIBRARY.docs, 2), 8)
    assert path_of(LIBRARY.docs, 1).name in line
    assert library_says(grouping, path_of(LIBRARY.docs, 0), tmp_path / "unknown.txt", 8) == []


def test_texts_read_in_part_are_not_the_same_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupfinder.text.pdf.SOFT_SHARE", -1.0)
    for name, last in (("a.pdf", PARAGRAPHS[2]), ("b.pdf", PARAGRAPHS[3])):
        (tmp_path / name).write_bytes(pdf([PARAGRAPHS, [last]]))
    view = compare_pair(PairTask(tmp_path / "a.pdf", tmp_path / "b.pdf"))
    assert view.in_part == (True, True)
    assert view.resemblance == 1.0 and not view.same_text
    told = verdict(view, 8, 0.7, 0.85)
    assert sum(line.startswith("Only the beginning of") for line in told) == 2


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text("\n\n".join(story(1, "en")), encoding="utf-8")
    lines = verdict(explain_files(tmp_path / "old" / "a.txt", tmp_path / "new" / "a.txt"), 8, 0.7, 0.85)
    said = next(line for line in lines if line.startswith("Containment"))
    assert f"{tmp_path / 'old' / 'a.txt'} stands in {tmp_path / 'new' / 'a.txt'}" in said
