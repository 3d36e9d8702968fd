"""Comparing two files in the processes that read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import openpyxl
import pytest

from dupfinder.cluster.relation import Relation
from dupfinder.diff.blocks import ChangeKind
from dupfinder.scan import comparison
from dupfinder.scan.comparison import Comparer, PairTask, compare_files, compare_pair, with_bytes
from dupfinder.scan.reading import read_text
from dupfinder.text.document import Attempt, ReadResult
from tests.making import docx, html, odt, rtf, txt

WORDS = "The tenant pays the rent on the first day of each month, and the landlord confirms it in writing."


def lines_of(comparer: Comparer, left: Path, right: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The lines of both texts."""
    compared = comparer.compare(PairTask(left, right)).comparison
    assert compared is not None
    return compared.left_lines, compared.right_lines


@pytest.mark.parametrize("make", [docx, odt, rtf, html], ids=lambda make: make.__name__)
def test_paragraphs_of_a_word_processor_are_lines_and_lines_of_a_text_are_joined(
    make: Callable[[Sequence[str]], bytes], tmp_path: Path
) -> None:
    people = ("Anna Miller is the treasurer", "Peter Smith is the secretary", "John Doe was never elected")
    written, typed = tmp_path / f"a.{make.__name__}", tmp_path / "b.txt"
    written.write_bytes(make(people))
    typed.write_text("\n".join(people))
    with Comparer() as comparer:
        assert lines_of(comparer, written, written) == (people, people)
        assert lines_of(comparer, typed, typed) == ((" ".join(people),),) * 2
        assert lines_of(comparer, written, typed) == (people, people)


@pytest.mark.parametrize(
    ("left", "right", "marked"),
    [
        ("☑ The heating is paid for", "☐ The heating is paid for", ("☑", "☐")),
        ("The heating is paid for √", "The heating is paid for", ("☑", "")),
        ("Paid: ☑ yes ☐ no", "Paid: ☐ yes ☑ no", ("☑yes☐", "☐yes☑")),
        ("[x] heating\n[ ] water", "[x] heating\n[x] water", ("☐", "☑")),
        ("1. heating\n2. water", "(a) heating\n(b) water", ("1.2.", "(a)(b)")),
        ("שָׁלוֹם לכולם", "שלום לכולם", ("שָׁלוֹם", "שלום")),
    ],
)
@pytest.mark.parametrize("make", [txt, docx], ids=lambda make: make.__name__)
def test_marks_that_are_no_words_are_shown_where_they_differ(
    make: Callable[[Sequence[str]], bytes], left: str, right: str, marked: tuple[str, str], tmp_path: Path
) -> None:
    paths = tmp_path / f"a.{make.__name__}", tmp_path / f"b.{make.__name__}"
    for path, text in zip(paths, (left, right), strict=True):
        path.write_bytes(make([WORDS, *text.split("\n")]))
    view = compare_pair(PairTask(*paths))
    assert view.evidence.same_words is Relation.SAME_WORDS
    lines = view.comparison
    assert lines is not None
    sides = (lines.left_lines, lines.left_marks), (lines.right_lines, lines.right_marks)
    assert marked == tuple(
        "".join(texts[line][start:stop] for line, spans in marks.items() for start, stop in spans).replace(" ", "")
        for texts, marks in sides
    )


def test_ticks_and_list_numbers_that_formats_write_in_different_ways_are_no_differences(tmp_path: Path) -> None:
    written, typed = tmp_path / "a.docx", tmp_path / "b.txt"
    written.write_bytes(docx([WORDS, "☒ heating", "☐ water", "first", "second"]))
    typed.write_bytes(txt([WORDS, "[x] heating", "[ ] water", "1. first", "2. second"]))
    comparison = compare_pair(PairTask(written, typed)).comparison
    assert comparison is not None and comparison.change is ChangeKind.FORMAT_ONLY


CLAUSES = ("The rent is due on the first of the month.", "It is paid by transfer.", "The landlord confirms it.")


def numbered(clauses: Sequence[str]) -> list[str]:
    return [f"{number}. {clause}" for number, clause in enumerate(clauses, 1)]


@pytest.mark.parametrize("make", [docx, txt], ids=lambda make: make.__name__)
def test_numbers_of_clauses_are_shown_and_a_clause_more_is_the_only_difference(
    make: Callable[[Sequence[str]], bytes], tmp_path: Path
) -> None:
    shorter, longer = tmp_path / f"a.{make.__name__}", tmp_path / "b.txt"
    shorter.write_bytes(make([WORDS, *numbered(CLAUSES)]))
    longer.write_bytes(txt([WORDS, *numbered((CLAUSES[0], "Or by cheque.", *CLAUSES[1:]))]))
    comparison = compare_pair(PairTask(shorter, longer)).comparison
    assert comparison is not None and comparison.left_lines[1:] == tuple(numbered(CLAUSES))
    assert [comparison.right_lines[row] for row in comparison.blocks[comparison.differences[0]].right] == [
        "2. Or by cheque."
    ]
    assert len(comparison.differences) == 1 and comparison.right_lines[-1] == f"4. {CLAUSES[-1]}"


def test_numbers_of_clauses_are_compared_if_nothing_else_differs_though_one_list_has_a_gap(tmp_path: Path) -> None:
    whole, gap = tmp_path / "a.txt", tmp_path / "b.txt"
    whole.write_bytes(txt([WORDS, *numbered(CLAUSES[:2])]))
    gap.write_bytes(txt([WORDS, f"1. {CLAUSES[0]}", f"3. {CLAUSES[1]}"]))
    view = compare_pair(PairTask(whole, gap))
    assert view.evidence.same_words is None and view.comparison is not None
    assert view.comparison.left_marks == {2: ((0, 1),)} and view.comparison.right_lines[2].startswith("3. ")


def test_a_file_that_changed_between_two_comparisons_is_read_again(tmp_path: Path) -> None:
    kept, other = tmp_path / "kept.txt", tmp_path / "other.txt"
    kept.write_text(WORDS)
    other.write_text(WORDS)
    with Comparer() as comparer:
        assert lines_of(comparer, kept, other) == ((WORDS,), (WORDS,))
        other.write_text(WORDS.replace("first", "third"))
        assert lines_of(comparer, kept, other) == ((WORDS,), (WORDS.replace("first", "third"),))
        other.unlink()
        assert comparer.compare(PairTask(kept, other)).unread == other
        other.write_text(WORDS)
        assert lines_of(comparer, other, kept) == ((WORDS,), (WORDS,))


def test_a_file_that_goes_once_its_text_was_read_keeps_the_comparison_of_its_text(tmp_path: Path) -> None:
    paths = tmp_path / "kept.txt", tmp_path / "other.txt"
    for path in paths:
        path.write_text(WORDS)
    view = compare_pair(PairTask(*paths))
    assert with_bytes(view).evidence.same_words is Relation.IDENTICAL
    paths[1].unlink()
    assert with_bytes(view) == view and view.evidence.same_words is not None


def test_the_kept_copy_is_read_once_for_all_versions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(path: Path, attempt: Attempt) -> ReadResult:
        read.append(path.name)
        return read_text(path, attempt)

    monkeypatch.setattr("dupfinder.scan.comparison.read_text", noted)
    paths = [tmp_path / f"{number}.txt" for number in range(9)]
    for number, path in enumerate(paths):
        path.write_text(f"{WORDS} Copy {number}.")
    for path in paths[1:]:
        view = compare_pair(comparison._stamped(PairTask(paths[0], path)))
        assert view.comparison is not None and view.comparison.right_lines[-1] == f"Copy {path.stem}."
    assert sorted(read) == [path.name for path in paths]


def test_of_many_pairs_each_has_its_comparison(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.txt" for number in range(7)]
    for number, path in enumerate(paths[:-1]):
        path.write_text(f"{WORDS} Copy {number}.")
    with Comparer(2) as comparer:
        views = list(comparer.compare_all(PairTask(paths[0], path) for path in paths[1:]))
    right_lines = {view.right: view.comparison and view.comparison.right_lines[-1] for view in views}
    assert right_lines == {path: f"Copy {path.stem}." for path in paths[1:-1]} | {paths[-1]: None}


def test_a_file_that_ends_its_process_is_compared_as_plainer_readers_have_it(tmp_path: Path) -> None:
    for name, last in (("a.xlsx", "end"), ("b.xlsx", "other")):
        book = openpyxl.Workbook()
        sheet = book.worksheets[0]
        sheet["A1"], sheet["XFD1048576"] = "The harbour office keeps a register of every ship", last
        book.save(tmp_path / name)
    view = compare_files(tmp_path / "a.xlsx", tmp_path / "b.xlsx")
    assert view.trouble is None and view.comparison is not None and view.evidence.same_words is None
