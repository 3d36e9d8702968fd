"""Members of archives in reports: people see where the archive ends, programs get a path and the archive's."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import openpyxl
import pytest
from docx import Document

from dupfinder.base.details import Clause, details
from dupfinder.report import csv as csv_report
from dupfinder.report import docx as docx_report
from dupfinder.report import html as html_report
from dupfinder.report import json as json_report
from dupfinder.report import xlsx as xlsx_report
from dupfinder.report.rows import Report, ReportCluster, ReportFile, ReportMember, ReportPart
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from tests.review.making import Doc, Made, Pair

ARCHIVE = Path("/library/Old/2019.zip")
INSIDE = ARCHIVE / "in\u202e" / os.fsdecode(b"caf\xe9.txt")
LOOSE = Path("/library/Old/café.txt")


@pytest.fixture
def packed(report: Report) -> Report:
    """A report of a loose letter, its copy in an archive, and a part of it there."""
    part = ARCHIVE / "part.txt"
    members = (ReportMember(LOOSE, "keeper"), ReportMember(INSIDE, "same_text", 1.0, decision="archive"))
    return replace(
        report,
        roots=((Path("/library"), "scan"),),
        files=(
            ReportFile(ARCHIVE, "skipped", details(Clause.ARCHIVE_NOT_OPENED)), ReportFile(LOOSE, "read", cluster=1),
            ReportFile(INSIDE, "read", cluster=1, archive=ARCHIVE),
            ReportFile(part, "encrypted", archive=ARCHIVE),
        ),
        clusters=(ReportCluster(1, LOOSE, members),),
        contains=(ReportPart(LOOSE, part, 0.99),),
        archives=frozenset({ARCHIVE}),
    )  # fmt: skip


def written(write: Callable[[Report, IO[bytes]], None], report: Report) -> bytes:
    file = io.BytesIO()
    write(report, file)
    return file.getvalue()


def test_programs_get_the_path_of_a_member_its_bytes_and_its_archive(packed: Report) -> None:
    files = json.loads(written(json_report.write, packed).decode("utf-8"))["files"]
    by_path = {file["path"]: file for file in files}
    assert by_path[str(INSIDE)]["archive"] == str(ARCHIVE)
    assert "archive" not in by_path[str(LOOSE)] and "archive" not in by_path[str(ARCHIVE)]


def test_a_table_tells_the_folder_up_to_the_archive_and_inside_it(packed: Report) -> None:
    rows = list(csv.DictReader(io.StringIO(written(csv_report.write, packed).decode("utf-8-sig"))))
    row = next(row for row in rows if row["Decision"] == "archive")
    assert (row["Name"], row["Folder"]) == ("caf\\xe9.txt", "/library/Old/2019.zip › in\\u202e")
    assert {row["Folder"] for row in rows} == {
        "/library/Old",
        "/library/Old/2019.zip",
        "/library/Old/2019.zip › in\\u202e",
    }


def test_html_excel_and_word_reports_name_the_archive_of_a_member(packed: Report) -> None:
    page = written(html_report.write, packed).decode("utf-8")
    assert "library / Old / 2019.zip › in\\u202e" in page
    assert "/library/Old/2019.zip › in\\u202e/caf\\xe9.txt" in page and "In an archive" in page
    book = openpyxl.load_workbook(io.BytesIO(written(xlsx_report.write, packed)))
    cells = [cell for sheet in book for row in sheet.iter_rows(values_only=True) for cell in row]
    assert "/library/Old/2019.zip › part.txt" in cells
    document = Document(io.BytesIO(written(docx_report.write, packed)))
    texts = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    assert "library / Old / 2019.zip › in\\u202e" in texts and "library / Old / 2019.zip" in texts


def test_a_reviewed_scan_hands_its_archives_to_the_report() -> None:
    whole = Doc(9, name="whole.zip", status="skipped", media="")
    made = Made([Doc(1), Doc(2, archive=2), whole], [Pair(0, 1)])
    report = report_of(ReviewSession(made.result()))
    (cluster,) = report.clusters
    assert report.archives == {Path("/docs/letters/whole.zip")}
    assert [member.decision for member in cluster.members] == ["", "archive"]
    assert report.archive_of(cluster.members[1].path) == Path("/docs/letters/whole.zip")
    assert report.archive_of(cluster.members[0].path) is None
    assert cluster.bytes_to_free == 0
