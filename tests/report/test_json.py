"""The JSON report, as its schema says."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import replace
from pathlib import Path

from dupfinder.report.rows import Report
from dupfinder.report.write import write


def test_it_says_exactly_what_schema_1_says(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "out.json")
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert list(found) == ["schema", "program", "scan", "summary", "files", "clusters", "contains"]
    assert found["schema"] == 1 and found["program"] == "dupfinder 0.1.0"
    assert found["scan"] == {
        "roots": [
            {"path": "/library/Contracts", "role": "scan"},
            {"path": "/library/Archive", "role": "protect"},
        ],
        "started": "2026-11-21T10:00:00Z",
        "seconds": 12.346,
        "radius": 8,
        "min_similarity": 0.7,
        "min_containment": 0.9,
        "scheme": "abc123",
    }
    assert found["summary"] == {
        "offered": 5, "read": 3, "problems": 1, "skipped": 1, "reused": 0,
        "clusters": 1, "documents_in_clusters": 2, "bytes_to_free": 1_900_000,
    }  # fmt: skip
    assert [file["path"] for file in found["files"]] == sorted(file["path"] for file in found["files"])
    pdf = next(file for file in found["files"] if file["path"].endswith("v7.pdf"))
    assert pdf == {
        "path": "/library/Contracts/pdf/v7.pdf",
        "path_base64": base64.b64encode(b"/library/Contracts/pdf/v7.pdf").decode(),
        "status": "read", "reason": "", "bytes": 1_900_000, "words": 7412, "pages": 18,
        "language": "en", "reader": "pdfium", "fingerprint": "8000000000000000", "cluster": 3,
    }  # fmt: skip
    assert found["clusters"] == [
        {
            "id": 3,
            "keeper": "/library/Contracts/v7.docx",
            "members": [
                {"path": "/library/Contracts/v7.docx", "relation": "keeper", "similarity": None, "in_keeper": None,
                 "keeper_in": None, "distance": None, "linked_through": None},
                {"path": "/library/Contracts/pdf/v7.pdf", "relation": "near", "similarity": 0.9712, "in_keeper": 0.98,
                 "keeper_in": 0.99, "distance": 2, "linked_through": None},
            ],
        }
    ]  # fmt: skip
    assert found["contains"] == [
        {"container": "/library/Contracts/v7.docx", "part": "/library/Contracts/note.txt", "share": 0.98}
    ]


def test_equal_results_in_any_order_give_equal_bytes(report: Report, tmp_path: Path) -> None:
    write(report, tmp_path / "a.json")
    cluster = replace(report.clusters[0], members=report.clusters[0].members[::-1])
    write(replace(report, files=report.files[::-1], clusters=(cluster,)), tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_any_name_comes_back_byte_by_byte_and_none_can_steer_a_terminal(hostile: Report, tmp_path: Path) -> None:
    write(hostile, tmp_path / "out.json")
    raw = (tmp_path / "out.json").read_bytes()
    text = raw.decode("utf-8")
    found = json.loads(text)
    assert {os.fsdecode(base64.b64decode(file["path_base64"])) for file in found["files"]} == {
        os.fspath(file.path) for file in hostile.files
    }
    assert {file["path"] for file in found["files"]} == {os.fspath(file.path) for file in hostile.files}
    assert "caf\\udce9 \\udcff.txt" in text
    assert not any(ord(sign) < 32 and sign != "\n" for sign in text)
    assert "\u202e" not in text


def test_an_empty_scan_is_a_whole_report(report: Report, tmp_path: Path) -> None:
    write(replace(report, files=(), clusters=(), contains=()), tmp_path / "out.json")
    found = json.loads((tmp_path / "out.json").read_bytes())
    assert (found["files"], found["clusters"], found["contains"]) == ([], [], [])
