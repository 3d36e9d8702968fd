"""The workbook, read back."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest

from dupfinder.report import xlsx
from dupfinder.report.csv import COLUMNS
from dupfinder.report.figures import status_title
from dupfinder.report.rows import Report
from dupfinder.report.write import write


def sheet(path: Path, name: str) -> list[tuple[object, ...]]:
    book = openpyxl.load_workbook(path)
    return [tuple(row) for row in book[name].iter_rows(values_only=True)]


def test_an_excel_report_has_all_files_and_the_summary(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.xlsx")
    files = sheet(tmp_path / "out.xlsx", "Files")
    assert files[0] == COLUMNS
    assert [row[3] for row in files[1:]] == ["v7.docx", "v7.pdf", ".lock", "locked.pdf", "note.txt"]
    assert files[2][5] == 0.9712
    assert ("Files offered", 5) in sheet(tmp_path / "out.xlsx", "Summary")
    assert sheet(tmp_path / "out.xlsx", "Contained")[1][2] == 0.98


def test_a_printed_sheet_has_its_first_columns_on_each_page_and_can_be_read(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.xlsx")
    for printed in openpyxl.load_workbook(tmp_path / "out.xlsx"):
        assert printed.page_setup.orientation == "landscape"
        assert (printed.page_setup.fitToWidth or 1, printed.page_setup.fitToHeight) == (1, 0)  # 1 by default
        assert printed.print_title_rows == "$1:$1"
        columns = re.fullmatch(r".*!\$A\$1:\$([A-F])\$\d+", printed.print_area)
        assert columns, printed.print_area
        widths = [printed.column_dimensions[letter].width for letter in "ABCDEF"[: "ABCDEF".index(columns[1]) + 1]]
        assert sum(widths) < 170  # characters on a page


def test_the_summary_groups_the_digits_of_its_numbers_and_cuts_off_no_name(related: Report, tmp_path: Path) -> None:
    write(related, tmp_path / "out.xlsx")
    summary = openpyxl.load_workbook(tmp_path / "out.xlsx")["Summary"]
    formats = {cell.number_format for (_, cell) in summary.iter_rows(min_row=2) if isinstance(cell.value, int)}
    assert formats == {"#,##0"}
    longest = max(len(str(name.value)) for (name, _) in summary.iter_rows(min_row=2))
    assert summary.column_dimensions["A"].width > longest


def test_an_excel_report_has_counts_by_relation_and_the_forms(related: Report, tmp_path: Path) -> None:
    write(related, tmp_path / "out.xlsx")
    summary = {row[0]: row[1] for row in sheet(tmp_path / "out.xlsx", "Summary")}
    assert summary["Of them: Distant version"] == 1 and summary["Of them: Kept copy"] == 1
    assert summary["Same form: filled in differently; none of these is a copy"] == 2
    assert sheet(tmp_path / "out.xlsx", "Forms")[1:] == [
        (1, "note.txt", "/library/Contracts"),
        (1, "other note.txt", "/library/Contracts"),
    ]


def test_no_cell_is_a_formula_or_a_link(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(tmp_path / "out.xlsx")
    cells = [cell for name in book.sheetnames for row in book[name].iter_rows() for cell in row]
    assert {cell.data_type for cell in cells} <= {"s", "n"}
    assert not any(cell.hyperlink for cell in cells)
    assert '=HYPERLINK("http://x","y").txt' in {cell.value for cell in cells}


def test_what_does_not_fit_one_sheet_goes_on_in_the_next(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(xlsx, "MOST_ROWS", 2)
    write(report, tmp_path / "out.xlsx")
    names = [row[3] for name in ("Files", "Files 2", "Files 3") for row in sheet(tmp_path / "out.xlsx", name)[1:]]
    assert names == ["v7.docx", "v7.pdf", ".lock", "locked.pdf", "note.txt"]


def test_equal_results_give_equal_bytes(report: Report, tmp_path: Path) -> None:
    for name in ("a.xlsx", "b.xlsx"):
        write(report, tmp_path / name)
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_the_numbers_of_the_summary_add_up_to_the_files_that_were_offered(report: Report, tmp_path: Path) -> None:
    counts = replace(report.summary, offered=report.summary.offered + 3, bytes_only=3)
    write(replace(report, summary=counts), tmp_path / "out.xlsx")
    summary = {row[0]: row[1] for row in sheet(tmp_path / "out.xlsx", "Summary")}
    names = ("Read", "Problems", status_title("bytes_only"), "Left out")
    assert sum(int(str(summary[name])) for name in names) == summary["Files offered"] == counts.offered
