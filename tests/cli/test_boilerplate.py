"""`dupfinder boilerplate`, and what `explain`, `select` and `apply` make of passages that are left out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupfinder.cli.main import BAD_INPUT, DONE, IN_USE, main
from dupfinder.library.library import Library
from tests.scan.boilerplate_library import letters, text, write

NOTICES = 4  # a head and a foot of each of two firms


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    documents = letters("acme", 12) | letters("zeta", 12)
    for firm in ("acme", "zeta"):
        both = text("the letter of both", 6)
        documents[f"{firm}-both"] = f"{text(f'head of {firm}', 3)}\n\n{both}\n\n{text(f'foot of {firm}', 8)}"
    return write(tmp_path / "docs", documents)


@pytest.fixture
def library(docs: Path, tmp_path: Path) -> str:
    path = str(tmp_path / "library.db")
    assert main(["scan", str(docs), "--library", path, "--workers", "1", "--progress", "none"]) == DONE
    return path


def listed(library: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["boilerplate", "list", "--library", library, "--json"]) == DONE
    passages: list[dict[str, object]] = json.loads(capsys.readouterr().out)["passages"]
    return passages


def test_passages_are_listed_and_switched(library: str, docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boilerplate", "list", "--library", library]) == DONE
    told = capsys.readouterr().out
    assert told.count("left out; in 13 files of 1") == NOTICES
    assert str(docs) in told and text("foot of acme", 8)[:40] in told

    assert main(["boilerplate", "off", "1", "2", "3", "4", "--library", library, "--progress", "none"]) == DONE
    assert "4 passages now compared like any other text" in capsys.readouterr().out
    assert [one["enabled"] for one in listed(library, capsys)] == [False] * NOTICES
    with Library.open(Path(library)) as opened:
        assert opened.summary().clusters == 0

    assert main(["boilerplate", "on", "2", "--library", library, "--progress", "none"]) == DONE
    assert [one["enabled"] for one in listed(library, capsys)] == [False, True, False, False]
    assert main(["boilerplate", "on", "1", "3", "4", "--library", library, "--progress", "none"]) == DONE
    assert "1 cluster." in capsys.readouterr().out


def test_the_list_is_whole_for_machines(library: str, docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = listed(library, capsys)[0]
    assert first["number"] == 1 and first["files"] == 13 and first["used"] is first["enabled"] is True
    examples = first["examples"]
    assert isinstance(examples, list) and all(Path(path).parent == docs for path in examples)


def test_a_passage_that_is_not_there_is_wrong_usage(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boilerplate", "off", "1", "99", "--library", library]) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == "" and "no passage 99" in captured.err and len(captured.err.splitlines()) == 1
    assert all(one["enabled"] for one in listed(library, capsys))


def test_without_a_scan_there_is_nothing_to_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["boilerplate", "list", "--library", str(tmp_path / "none.db")]) == BAD_INPUT
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_a_library_in_use_is_not_switched(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    with Library.open(Path(library), write=True):
        code = main(["boilerplate", "off", "1", "--library", library])
    assert code == IN_USE and len(capsys.readouterr().err.splitlines()) == 1


def test_where_nothing_is_common_the_list_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "library.db")
    docs = write(tmp_path / "docs", letters("acme", 3))
    assert main(["scan", str(docs), "--library", path, "--workers", "1", "--progress", "none"]) == DONE
    capsys.readouterr()
    assert main(["boilerplate", "list", "--library", path]) == DONE
    assert "No passage stands in many files" in capsys.readouterr().out


def test_explain_says_what_was_left_out(library: str, docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pair = [str(docs / "acme-both.txt"), str(docs / "zeta-both.txt")]
    assert main(["explain", *pair, "--library", library]) == DONE
    told = capsys.readouterr().out
    assert "By the scan: in one group." in told and "Resemblance: 77.8%" in told
    assert "Left out of these shares: passages that stand in many files, 61.4% of acme-both.txt" in told

    assert main(["boilerplate", "off", "1", "2", "3", "4", "--library", library, "--progress", "none"]) == DONE
    assert main(["explain", *pair, "--library", library]) == DONE
    told = capsys.readouterr().out
    assert "Left out" not in told and "not in one group" in told


def test_what_is_the_same_but_for_boilerplate_is_removed_and_checked_without_it(
    library: str, docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = str(tmp_path / "plan.json")
    assert main(["select", "--keep", "newest", "--kinds", "near", "--library", library, "--to", plan]) == DONE
    assert main(["apply", plan, "--dry-run"]) == DONE
    assert "1 file of 1 would be removed" in capsys.readouterr().out

    changed = json.loads(Path(plan).read_text(encoding="utf-8")) | {"left_out": ""}
    Path(plan).write_text(json.dumps(changed), encoding="utf-8")
    assert main(["apply", plan, "--dry-run"]) != DONE, "as whole texts the two are not alike"


def test_a_query_finds_the_letter_and_not_all_that_share_the_notice(
    library: str, docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = tmp_path / "asked.txt"
    body = text("the letter of both", 6)
    asked.write_text(f"{text('head of acme', 3)}\n\n{body} {text('more', 1)}\n\n{text('foot of acme', 8)}\n")
    capsys.readouterr()
    assert main(["query", str(asked), "--library", library]) == DONE
    told = capsys.readouterr().out.splitlines()
    assert {Path(line.split()[-1]).name for line in told[1:]} == {"acme-both.txt", "zeta-both.txt"}
