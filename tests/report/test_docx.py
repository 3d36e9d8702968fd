"""The Word report, read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import docx
import pytest
from docx.oxml.ns import qn

from dupfinder.report import docx as writer
from dupfinder.report.rows import Report
from dupfinder.report.write import write
from dupfinder.wording.catalogue import speaking


def words(path: Path) -> str:
    document = docx.Document(str(path))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def test_a_word_report_has_the_summary_groups_and_problems(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    for fact in (
        "1 group of 2 documents",
        "v7.pdf",
        "Version",
        "97 %",
        "It needs a password, so it was not read.",
        "(protected)",
    ):
        assert fact in text, fact


def test_word_checks_the_spelling_as_of_the_language_of_the_report(report: Report, tmp_path: Path) -> None:
    with speaking("zh_CN"):
        write(report, tmp_path / "out.docx")
    styles = docx.Document(str(tmp_path / "out.docx")).styles.element
    languages = [language.attrib for language in styles.iter(qn("w:lang"))]
    assert [(each[qn("w:val")], each[qn("w:eastAsia")]) for each in languages] == [("zh-CN", "zh-CN")]


def test_each_document_says_what_it_is_and_forms_stand_apart(related: Report, tmp_path: Path) -> None:
    write(related, tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    holds = "1 identical, 1 same text, 1 same words, 2 versions (1 distant), 1 part"
    for fact in (
        f"Beside the kept copies: {holds}",
        f"7 documents: {holds} · 1.9 MB",
        "Same words; other pictures, tracked changes · not known: comments",
        "Distant version; nearest: v7.pdf, version, 96 %",
        "Part; in v7.docx",
        "Same form: filled in differently; none of these is a copy",
        "other note.txt",
    ):
        assert fact in text, fact


def test_names_that_word_could_not_hold_are_written_out(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    assert "\\x1b[31mred\\x07.txt" in text and "caf\\xe9 \\xff.txt" in text and "<script>" in text


def test_a_word_report_counts_what_it_leaves_out(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_MEMBERS", 1)
    monkeypatch.setattr(writer, "MOST_TROUBLES", 1)
    write(report, tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    assert text.count("1 more is left out here; a CSV or JSON report lists it.") == 3


def test_the_outline_names_the_groups_the_forms_and_the_problems(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.docx")
    outline = [
        (paragraph.style.name, paragraph.text)
        for paragraph in docx.Document(str(tmp_path / "out.docx")).paragraphs
        if paragraph.style is not None and paragraph.style.name in ("Title", "Heading 1", "Heading 2")
    ]
    assert outline == [
        ("Title", "Near-duplicate documents"),
        ("Heading 1", "Groups"),
        ("Heading 2", "v7"),
        ("Heading 1", "Same form: filled in differently; none of these is a copy"),
        ("Heading 2", "Form 1: 2 documents"),
        ("Heading 1", "Files whose text was not compared"),
    ]


def test_the_head_of_a_table_is_repeated_on_each_page(related: Report, tmp_path: Path) -> None:
    write(related, tmp_path / "out.docx")
    tables = docx.Document(str(tmp_path / "out.docx")).tables
    assert len(tables) > 2
    for table in tables:
        repeated = [next(row._tr.iter(qn("w:tblHeader")), None) is not None for row in table.rows]
        assert repeated == [True] + [False] * (len(table.rows) - 1)


def test_columns_are_as_wide_as_what_they_hold_and_no_row_is_torn_apart(related: Report, tmp_path: Path) -> None:
    write(related, tmp_path / "out.docx")
    table = docx.Document(str(tmp_path / "out.docx")).tables[0]
    for widths in ([column.width for column in table.columns], [cell.width for cell in table.rows[1].cells]):
        name, _, what, similar, size = widths
        assert 2 * similar < name and 2 * size < what and sum(widths) <= 6 * 914400
    assert all(next(row._tr.iter(qn("w:cantSplit")), None) is not None for row in table.rows)


def test_groups_that_are_left_out_are_counted(
    report: Report, hostile: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "MOST_CLUSTERS", 1)
    write(replace(report, clusters=report.clusters + hostile.clusters), tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    assert "The 1 groups that free the most space are shown here. 1 more is left out. " in text
    assert "A CSV or JSON report lists all 2." in text


def test_nothing_is_said_to_be_left_out_where_all_just_fits(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, most in (("MOST_CLUSTERS", 1), ("MOST_MEMBERS", 2), ("MOST_TROUBLES", 2)):
        monkeypatch.setattr(writer, name, most)
    write(report, tmp_path / "out.docx")
    text = words(tmp_path / "out.docx")
    assert "more is left out" not in text and "more are left out" not in text
