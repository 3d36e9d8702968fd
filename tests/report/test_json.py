"""The JSON report, as its schema says."""

from __future__ import annotations

import base64
import io
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Confidence, Difference
from dupfinder.report import json as json_report
from dupfinder.report.rows import RELATION_ORDER, Report, ReportNearest
from dupfinder.report.write import write
from dupfinder.review.reporting import report_of
from dupfinder.review.session import ReviewSession
from dupfinder.text.document import OtherContent
from tests.report.schema import check, read_report, validator
from tests.review.making import Made, made


def test_a_json_report_has_exactly_the_fields_of_schema_2(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.json")
    contents = read_report(tmp_path / "out.json")
    names = ["schema", "program", "scan", "summary", "files", "clusters", "forms", "pairs", "contains"]
    assert list(contents) == names
    assert contents["schema"] == 2 and contents["program"] == "dupfinder 0.1.0"
    assert contents["scan"] == {
        "roots": [
            {"path": "/library/Contracts", "role": "scan"},
            {"path": "/library/Archive", "role": "protect"},
        ],
        "started": "2026-11-21T10:00:00Z",
        "seconds": 12.346,
        "radius": 8,
        "passages": True,
        "min_similarity": 0.7,
        "min_containment": 0.9,
        "scheme": "abc123",
    }
    assert contents["summary"] == {
        "offered": 5, "read": 3, "problems": 1, "skipped": 1, "reused": 0,
        "clusters": 1, "documents_in_clusters": 2, "bytes_to_free": 1_900_000,
        "relations": {"keeper": 1, "version": 1}, "left_out_by_reason": {"encrypted": 1, "skipped": 1},
        "reasons": {"It needs a password, so it was not read.": 1, "It was left out: a hidden file.": 1},
        "bytes_only": 0,
    }  # fmt: skip
    assert [file["path"] for file in contents["files"]] == sorted(file["path"] for file in contents["files"])
    pdf = next(file for file in contents["files"] if file["path"].endswith("v7.pdf"))
    assert pdf == {
        "path": "/library/Contracts/pdf/v7.pdf",
        "path_base64": base64.b64encode(b"/library/Contracts/pdf/v7.pdf").decode(),
        "status": "read", "reason": "", "codes": [], "bytes": 1_900_000, "words": 7412, "pages": 18,
        "language": "en", "reader": "pdfium", "fingerprint": "8000000000000000", "cluster": 3,
        "content_hash": "ab" * 16, "seconds": 0.5, "stack": 2, "in_stack": "identical",
    }  # fmt: skip


def test_groups_pairs_forms_and_parts_are_told_with_what_they_are_to_each_other(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.json")
    contents = read_report(tmp_path / "out.json")
    word, pdf = "/library/Contracts/v7.docx", "/library/Contracts/pdf/v7.pdf"
    (cluster,) = contents["clusters"]
    assert (cluster["id"], cluster["keeper"]) == (3, word)
    keeper, version = cluster["members"]
    assert (keeper["path"], keeper["relation"], keeper["nearest"]) == (word, "keeper", None)
    assert version == {
        "path": pdf, "relation": "version", "similarity": 0.9712, "confidence": "certain", "difference": "short",
        "changes": 4, "differs": [], "not_known": [],
        "nearest": {"path": word, "relation": "version", "similarity": 0.9712},
        "whole": None, "in_keeper": 0.98, "keeper_in": 0.99, "distance": 2,
    }  # fmt: skip
    assert contents["pairs"] == [
        {"left": pdf, "right": word, "relation": "version", "similarity": 0.9712, "confidence": "certain",
         "difference": "short", "distance": 2, "by": "both"},
    ]  # fmt: skip
    assert contents["forms"] == [
        {"id": 1, "members": ["/library/Contracts/note.txt", "/library/Contracts/other note.txt"]}
    ]
    assert contents["contains"] == [{"container": word, "part": "/library/Contracts/note.txt", "share": 0.98}]


@given(made(), st.integers(0, 16))
def test_whatever_a_scan_finds_its_report_is_as_the_schema_says(given_made: Made, radius: int) -> None:
    file = io.BytesIO()
    json_report.write(report_of(ReviewSession(given_made.result(radius=radius))), file)
    check(json.loads(file.getvalue()))
    older = io.BytesIO()
    json_report.write(report_of(ReviewSession(given_made.result(radius=radius))), older, schema=1)
    check(json.loads(older.getvalue()), 1)


def test_programs_that_know_schema_1_get_a_report_in_its_words(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.json", schema=1)
    contents = read_report(tmp_path / "out.json", 1)
    word, pdf = "/library/Contracts/v7.docx", "/library/Contracts/pdf/v7.pdf"
    assert list(contents) == ["schema", "program", "scan", "summary", "files", "clusters", "contains"]
    assert (contents["schema"], contents["scan"]["radius"], contents["summary"]["clusters"]) == (1, 8, 1)
    assert [member["relation"] for member in contents["clusters"][0]["members"]] == ["keeper", "near"]
    assert contents["clusters"][0]["members"][1] == {
        "path": pdf, "relation": "near", "similarity": 0.9712, "in_keeper": 0.98, "keeper_in": 0.99, "distance": 2,
        "linked_through": None,
    }  # fmt: skip
    assert contents["contains"] == [{"container": word, "part": "/library/Contracts/note.txt", "share": 0.98}]
    write(report, tmp_path / "out.json")  # a report of either schema is one of ours, which may be replaced
    assert read_report(tmp_path / "out.json")["schema"] == 2


@pytest.mark.parametrize(
    ("relation", "word"),
    [
        ("identical", "identical_bytes"), ("same_text", "identical_text"), ("same_words", "identical_text"),
        ("part", "contained"), ("whole", "contains"), ("linked", "linked"),
    ],
)  # fmt: skip
def test_schema_1_has_a_word_of_its_own_for_every_relation(
    relation: str, word: str, report: Report, tmp_path: Path
) -> None:
    nearest = ReportNearest(Path("/library/between.txt"), "version", 0.9)
    members = tuple(
        member if member.relation == "keeper" else replace(member, relation=relation, nearest=nearest)
        for member in report.clusters[0].members
    )
    cluster = replace(report.clusters[0], members=members)
    write(replace(report, clusters=(cluster,)), tmp_path / "out.json", schema=1)
    version = read_report(tmp_path / "out.json", 1)["clusters"][0]["members"][1]
    assert version["relation"] == word
    assert version["linked_through"] == ("/library/between.txt" if relation == "linked" else None)


@pytest.mark.parametrize(
    "change",
    [
        lambda report: report.update(schema=1),
        lambda report: report["clusters"][0]["members"][1].update(relation="near"),
        lambda report: report["clusters"][0]["members"][1].update(similarity=1.5),
        lambda report: report["clusters"][0].update(linked_through=None),
        lambda report: report["files"][0].pop("stack"),
        lambda report: report["summary"]["relations"].update(near=1),
    ],
)
def test_the_schema_refuses_what_no_report_says(
    change: Callable[[dict[str, Any]], object], report: Report, tmp_path: Path
) -> None:
    write(report, tmp_path / "out.json")
    contents = read_report(tmp_path / "out.json")
    change(contents)
    assert list(validator().iter_errors(contents))


def test_the_schema_names_every_word_that_the_program_has() -> None:
    schema: Any = validator().schema
    words = schema["$defs"]
    assert set(words["relation"]["enum"]) == set(RELATION_ORDER)
    assert set(words["status"]["enum"]) == {"read", *ProblemKind}
    assert words["kinds"]["items"]["enum"] == list(OtherContent)
    assert set(words["cluster"]["properties"]["why_keeper"]["enum"]) == {*KeeperReason, None}
    member = words["member"]["properties"]
    assert set(member["confidence"]["enum"]) == {level.name.lower() for level in Confidence}
    assert set(member["difference"]["enum"]) == {kind.name.lower() for kind in Difference}


def test_members_in_any_order_give_equal_bytes(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "a.json")
    cluster = replace(report.clusters[0], members=report.clusters[0].members[::-1])
    write(replace(report, clusters=(cluster,)), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_any_name_comes_back_byte_by_byte_and_none_can_steer_a_terminal(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.json")
    raw = (tmp_path / "out.json").read_bytes()
    text = raw.decode("utf-8")
    contents = read_report(tmp_path / "out.json")
    assert {os.fsdecode(base64.b64decode(file["path_base64"])) for file in contents["files"]} == {
        os.fspath(file.path) for file in hostile.files
    }
    assert {file["path"] for file in contents["files"]} == {os.fspath(file.path) for file in hostile.files}
    assert "caf\\udce9 \\udcff.txt" in text
    assert not any(ord(sign) < 32 and sign != "\n" for sign in text)
    assert "\u202e" not in text


def test_an_empty_scan_is_a_whole_report(report: Report, tmp_path: Path) -> None:
    write(replace(report, files=(), clusters=(), contains=()), tmp_path / "out.json")
    contents = read_report(tmp_path / "out.json")
    assert (contents["files"], contents["clusters"], contents["contains"]) == ([], [], [])
