"""The CSV report: complete, and harmless in a spreadsheet."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from dupfinder.report.csv import COLUMNS, safe_cell
from dupfinder.report.rows import Report
from dupfinder.report.write import write


def rows(path: Path) -> list[dict[str, str]]:
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_each_file_has_one_row_and_clusters_stand_together_with_the_keeper_first(
    report: Report, tmp_path: Path
) -> None:
    write(report, tmp_path / "out.csv")
    written = rows(tmp_path / "out.csv")
    assert tuple(written[0]) == COLUMNS
    assert [row["Name"] for row in written] == ["v7.docx", "v7.pdf", ".lock", "locked.pdf", "note.txt"]
    assert [row["Relation"] for row in written] == ["Kept copy", "Version", "", "", ""]
    assert written[1]["Similarity"] == "0.9712" and written[1]["Decision"] == "remove" and written[1]["Pages"] == "18"
    assert (written[1]["Content hash"], written[1]["Changed"]) == ("ab" * 16, "2024-03-12T00:00:00Z")
    assert written[3]["Reason"] == "It needs a password, so it was not read."


def test_what_differs_the_nearest_relative_the_whole_of_a_part_and_the_form_have_their_columns(
    related: Report, tmp_path: Path
) -> None:
    write(related, tmp_path / "out.csv")
    by_name = {row["Name"]: row for row in rows(tmp_path / "out.csv")}
    assert by_name["same.docx"]["Relation"] == "Same words"
    assert by_name["same.docx"]["Differs"] == "other pictures, tracked changes · not known: comments"
    distant = by_name["v1.docx"]
    assert distant["Relation"] == "Distant version" and distant["Nearest"].endswith("/pdf/v7.pdf")
    assert (distant["Nearest is"], distant["Nearest similarity"]) == ("Version", "0.96")
    assert by_name["part.txt"]["Part of"].endswith("/v7.docx")
    assert by_name["note.txt"]["Form"] == "1" and by_name["note.txt"]["Relation"] == ""


def test_a_share_is_rounded_down_so_that_only_equal_words_give_1(report: Report, tmp_path: Path) -> None:
    (cluster,) = report.clusters
    members = (cluster.members[1], replace(cluster.members[0], similarity=0.99998))
    write(replace(report, clusters=(replace(cluster, members=members),)), tmp_path / "out.csv")
    assert rows(tmp_path / "out.csv")[1]["Similarity"] == "0.9999"


def test_no_cell_is_a_formula_and_no_name_breaks_a_line(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    assert len(text.splitlines()) == 1 + len(hostile.files)
    written = rows(tmp_path / "out.csv")
    assert len(written) == len(hostile.files)
    assert not any(re.match(r"[=+\-@\t\r]", cell) for row in written for cell in row.values())
    assert not re.search(r"[\x00-\x09\x0b\x0c\x0e-\x1f\u202a-\u202e\udc80-\udcff]", text)
    names = {row["Name"] for row in written}
    assert {"caf\\xe9 \\xff.txt", "two\\nlines.pdf", "'+1.txt", "invoice\\u202efdp.docx", "合同（终稿）.docx"} <= names


def test_a_name_with_the_separator_of_another_country_stays_one_cell(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.csv")
    text = (tmp_path / "out.csv").read_text(encoding="utf-8-sig")
    assert '"a;=1+1;"".txt"' in text


@given(st.text(st.sampled_from("=+-@\t\r\n ＝'\"a\u202e"), max_size=6))
def test_whatever_the_text_the_cell_does_not_begin_like_a_formula(text: str) -> None:
    assert not safe_cell(text).startswith(("=", "+", "-", "@", "\t", "\r", "\n", "＝"))
