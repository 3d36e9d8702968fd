"""Why two documents are, or are not, near-duplicates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.cluster.pair import PairEvidence
from dupfinder.cluster.relation import Demand, Relation
from dupfinder.review.grouping import Grouping, pair_in_scan
from dupfinder.scan.comparison import PairTask, PairView, compare_files, compare_pair
from dupfinder.wording.explaining import scan_lines, verdict
from dupfinder.wording.relations import difference_text
from tests.making import PARAGRAPHS, pdf
from tests.quality.prose import other_words, story
from tests.review.making import Doc, Made, Pair, path_of

DEMAND = Demand(0.7, 0.85, 16)


def explained(folder: Path, left: list[str], right: list[str]) -> tuple[PairView, list[str]]:
    for name, text in (("a.txt", left), ("b.txt", right)):
        (folder / name).write_text("\n\n".join(text), encoding="utf-8")
    view = compare_files(folder / "a.txt", folder / "b.txt", explain=True)
    return view, verdict(view, DEMAND, view.evidence.relation(DEMAND))


def test_bits_words_and_passages_of_two_versions_are_told(tmp_path: Path) -> None:
    text = story(1, "en")
    view, lines = explained(tmp_path, text, [*text[:4], "Quixotic penguins landed. " * 12, *text[5:]])
    assert view.print_words is not None and view.print_words.fingerprints is not None
    left, right = view.print_words.fingerprints
    assert view.evidence.distance == (left ^ right).bit_count()
    listed = next(line for line in lines if line.startswith("Differing bits")).partition(": ")[2].rstrip(".")
    bits = [int(bit) for bit in listed.split(", ")] if listed != "none" else []
    assert sum(1 << (63 - bit) for bit in bits) == left ^ right
    words = {word.word: word for word in view.print_words.words}
    assert words["penguins"].left_count == 0 and words["penguins"].right_count == 12
    assert all(0 < word.share < 1 and word.left_count + word.right_count > 0 for word in view.print_words.words)
    shares = [word.share for word in view.print_words.words]
    assert shares == sorted(shares, reverse=True)
    assert any(line.startswith("In both:") for line in lines)
    assert any(line.startswith("Only in the second: ") and "penguins" in line for line in lines)


def test_the_rule_that_decides_is_the_first_line(tmp_path: Path) -> None:
    text = story(2, "en")
    cases = (
        (text, [paragraph.replace(" ", "  ") for paragraph in text], "Same text"),
        (text, text, "Identical"),
        (text, other_words(text, 0.02, 1), "Versions of one document (certain): enough"),
        (text[:3], text, "Part: a.txt is in b.txt."),
        (text, text[:3], "Part: b.txt is in a.txt."),
        ([*text[:3], "Nobody else says this."], text, "Part: 9"),
        (text, other_words(text, 0.08, 1), "Versions of one document (certain): edits are scattered"),
        (text, story(4, "en"), "Not versions"),
    )
    for left, right, beginning in cases:
        assert explained(tmp_path, left, right)[1][0].startswith(beginning)


def test_the_comparison_word_by_word_is_told_with_its_numbers(tmp_path: Path) -> None:
    words = " ".join(story(2, "en")).split()
    edited = [*words[:50], "penguins", *words[51:150], "quixotic", "penguins", *words[152:]]
    _, lines = explained(tmp_path, [" ".join(words)], [" ".join(edited)])
    share = f"{100 * (len(words) - 3) / len(words):.1f}"
    alike = f"Word by word: {share} % of the words are in both in the same order"
    said = f"{alike} (misread ones count if most changes are such); 2 places differ, 1.5 words each on average"
    assert sum(line.startswith(said) for line in lines) == 1, lines


def test_of_a_list_that_was_sorted_otherwise_no_edits_are_told(tmp_path: Path) -> None:
    people = [" ".join(f"cell{row}x{cell}" for cell in range(16)) for row in range(40)]
    view, lines = explained(tmp_path, people, people[::-1])
    assert view.evidence.moved and view.evidence.relation(DEMAND) is Relation.VERSION
    assert lines[0].endswith("nearly all words are in both, in another order.")
    assert "Word by word: 100.0 % of the words are in both, in another order." in lines
    assert difference_text(view.evidence.difference, view.evidence.changes, is_longer=False) == "words in another order"


def test_a_text_without_features_has_no_bits_to_tell(tmp_path: Path) -> None:
    view, lines = explained(tmp_path, ["1 2 3"], story(5, "en"))
    assert view.print_words is not None and view.print_words.fingerprints is None
    assert not any(line.startswith("Differing bits") for line in lines)


LIBRARY = Made(
    [Doc(0), Doc(1), Doc(2), Doc(3), Doc(1, name="copy"), Doc(6)],
    [Pair(0, 1, resemblance=0.9), Pair(1, 2, resemblance=0.8), Pair(0, 3, resemblance=0.95, form=True)],
)


@pytest.mark.parametrize(
    ("first", "second", "relation", "said"),
    [
        (0, 1, Relation.VERSION, "in one group, whose kept copy is"), (1, 4, Relation.IDENTICAL, "in one group"),
        (0, 3, Relation.SAME_FORM, "not in the same group"), (0, 5, Relation.NONE, "not in the same group"),
        (0, 2, Relation.NONE, "distant versions"),
    ],
)  # fmt: skip
def test_what_a_scan_knows_of_two_documents_is_told(first: int, second: int, relation: Relation, said: str) -> None:
    grouping = Grouping(LIBRARY.result())
    for left, right in ((first, second), (second, first)):
        scan = pair_in_scan(
            grouping, grouping.clusters(DEMAND), path_of(LIBRARY.docs, left), path_of(LIBRARY.docs, right), DEMAND
        )
        assert scan is not None and scan.relation is relation
        assert said in " ".join(scan_lines(scan.relation, scan.keeper))


def test_a_scan_knows_nothing_of_a_file_that_is_not_in_it(tmp_path: Path) -> None:
    grouping = Grouping(LIBRARY.result())
    clusters, left = grouping.clusters(DEMAND), path_of(LIBRARY.docs, 0)
    assert pair_in_scan(grouping, clusters, left, tmp_path / "unknown.txt", DEMAND) is None


def test_same_words_name_what_else_differs(tmp_path: Path) -> None:
    text = "\n".join(f"<p>{paragraph}</p>" for paragraph in story(1, "en"))
    for name, picture in (("a.html", "UFQ="), ("b.html", "U1U=")):
        page = f'<html><body>{text}<img src="data:image/png;base64,{picture}"></body></html>'
        (tmp_path / name).write_text(page, encoding="utf-8")
    view = compare_files(tmp_path / "a.html", tmp_path / "b.html", explain=True)
    assert view.evidence.relation(DEMAND) is Relation.SAME_WORDS
    assert verdict(view, DEMAND, view.evidence.relation(DEMAND))[0].startswith("Same words: ")
    assert "pictures" in verdict(view, DEMAND, view.evidence.relation(DEMAND))[0]


def test_texts_read_in_part_are_not_the_same_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupfinder.text.pdf.reader.SOFT_SHARE", -1.0)
    for name, last in (("a.pdf", PARAGRAPHS[2]), ("b.pdf", PARAGRAPHS[3])):
        (tmp_path / name).write_bytes(pdf([PARAGRAPHS, [last]]))
    view = compare_pair(PairTask(tmp_path / "a.pdf", tmp_path / "b.pdf"))
    assert view.evidence.read_in_part == (True, True)
    assert view.evidence.resemblance == 1.0 and view.evidence.same_words is None
    lines = verdict(view, DEMAND, view.evidence.relation(DEMAND))
    assert sum(line.startswith("Only the beginning of") for line in lines) == 2


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path: Path) -> None:
    for folder in ("old", "new"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.txt").write_text("\n\n".join([folder, *story(1, "en")]), encoding="utf-8")
    view = compare_files(tmp_path / "old" / "a.txt", tmp_path / "new" / "a.txt", explain=True)
    lines = verdict(view, DEMAND, view.evidence.relation(DEMAND))
    said = next(line for line in lines if line.startswith("Containment"))
    assert f"{tmp_path / 'old' / 'a.txt'} is in {tmp_path / 'new' / 'a.txt'}" in said


def test_texts_of_numbers_alone_are_compared_by_their_exact_content_as_in_a_scan(tmp_path: Path) -> None:
    numbers = " ".join(map(str, range(100, 300)))
    for name, text in (("1", numbers), ("2", numbers), ("3", f"{numbers} 999")):
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    same, other = (compare_files(tmp_path / "1.txt", tmp_path / f"{name}.txt").evidence for name in ("2", "3"))
    assert same.relation(DEMAND) is Relation.IDENTICAL
    assert other.distance is None and other.relation(DEMAND) is Relation.NONE


def test_texts_without_a_common_passage_are_no_versions_at_any_similarity(tmp_path: Path) -> None:
    for name in ("1", "2"):
        (tmp_path / f"{name}.txt").write_text(name, encoding="utf-8")
    view = compare_files(tmp_path / "1.txt", tmp_path / "2.txt", explain=True)
    assert verdict(view, DEMAND, view.evidence.relation(DEMAND))[0] == "Not versions: no passage is in both."


@pytest.mark.parametrize(
    ("similarity", "distance", "advice"),
    [
        (0.49, 3, "whatever least similarity is set."), (0.5, 3, "a least similarity of 50 %."),
        (0.8, 16, "a radius of 16, or shared passages switched on."),
        (0.8, 17, "it would need shared passages switched on."),
        (0.8, None, "too short to have a fingerprint is compared by exact content only."),
    ],
)  # fmt: skip
def test_the_advice_is_what_the_settings_accept(similarity: float, distance: int | None, advice: str) -> None:
    view = PairView(Path("a"), Path("b"), None, PairEvidence(resemblance=similarity, distance=distance))
    first, *_ = verdict(view, replace(DEMAND, radius=2, passages=False), Relation.NONE)
    assert first.startswith("Not ") and first.endswith(advice)


@pytest.mark.parametrize("passages", [True, False])
@pytest.mark.parametrize(
    ("distance", "advice"),
    [
        (16, "it would need a radius of 16."),
        (17, "and no radius is wide enough."),
        (None, "too short to have a fingerprint is compared by exact content only."),
    ],
)
def test_shared_passages_are_not_advised_where_they_are_on_or_too_few(
    distance: int | None, advice: str, passages: bool
) -> None:
    scattered = PairEvidence(resemblance=0.5, distance=distance, aligned=0.96, run=1.0, changes=50)
    view, demand = PairView(Path("a"), Path("b"), None, scattered), replace(DEMAND, radius=2, passages=passages)
    assert scattered.relation(demand) is Relation.NONE
    assert verdict(view, demand, Relation.NONE)[0].endswith(advice)
