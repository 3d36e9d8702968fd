"""Archives on the command line: scanned, told, compared and selected, and never changed."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from dupfinder.actions.plan import load_plan
from dupfinder.cli.main import main
from tests import making
from tests.report.schema import read_report
from tests.scan.documents import prose, put, revised

KINDS = "identical,same-text,same-words,version"


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, standard output and standard error of one command."""
    capsys.readouterr()
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A letter, its copy, and an archive with another copy and a newer version."""
    folder = tmp_path / "docs"
    letter = prose(1)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr("in/letter.docx", making.docx(letter))
        made.writestr("in/letter.txt", making.txt(letter))
        made.writestr("newer.html", making.html(revised(letter, 2)))
    put(folder / "old.zip", stream.getvalue())
    put(folder / "letter.txt", making.txt(letter))
    put(folder / "letter (1).txt", making.txt(letter))
    return folder


def test_a_scan_looks_into_archives_unless_it_is_told_not_to(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library, report = tmp_path / "library.db", tmp_path / "report.json"
    code, out, _ = run(capsys, "scan", docs, "--library", library, "--report", report)
    assert code == 0 and "6 files: 5 read" in out
    contents = read_report(report)
    assert {file["path"].removeprefix(str(docs)) for file in contents["files"] if "archive" in file} == {
        "/old.zip/in/letter.docx", "/old.zip/in/letter.txt", "/old.zip/newer.html",
    }  # fmt: skip
    assert (
        contents["summary"]["offered"]
        == contents["summary"]["read"] + contents["summary"]["skipped"]
        == len(contents["files"])
    )
    assert len(contents["clusters"]) == 1 and len(contents["clusters"][0]["members"]) == 5
    code, out, _ = run(capsys, "scan", docs, "--library", library, "--no-archives", "--report", report)
    assert code == 0 and "3 files: 2 read" in out and "(2 unchanged" in out
    reasons = [file["reason"] for file in json.loads(report.read_text())["files"] if file["status"] == "skipped"]
    assert reasons == ["It was left out: an archive, and archives are not looked into."]


def test_members_are_compared_explained_and_looked_up_by_their_path(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "library.db"
    run(capsys, "scan", docs, "--library", library)
    member, newer = docs / "old.zip" / "in" / "letter.docx", docs / "old.zip" / "newer.html"
    assert "Same text: word for word equal" in run(capsys, "diff", member, docs / "letter.txt")[1]
    code, out, _ = run(capsys, "diff", member, newer)
    assert code == 0 and "1 difference" in out
    code, out, _ = run(capsys, "explain", docs / "letter.txt", newer, "--library", library)
    assert code == 0 and out.startswith("Versions of one document") and "In the scan: in one group" in out
    code, out, _ = run(capsys, "query", newer, "--library", library)
    assert code == 0 and f"{docs}/old.zip › in/letter.docx" in out and f"{docs}/letter.txt" in out
    assert "› newer.html" not in out, "a document is not told to be like itself"
    code, _, err = run(capsys, "diff", docs / "old.zip" / "gone.txt", newer)
    assert code == 2 and "no such member in old.zip" in err
    code, _, err = run(capsys, "diff", docs / "old.zip", newer)
    assert code == 2 and "name a document in it, as in old.zip/" in err


def test_rules_leave_archives_alone_and_say_what_they_passed_over(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library, plan = tmp_path / "library.db", tmp_path / "plan.json"
    run(capsys, "scan", docs, "--library", library)
    before = (docs / "old.zip").read_bytes()
    _, out, _ = run(capsys, "select", "--keep", "plain-name", "--kinds", KINDS, "--to", plan, "--library", library)
    assert [step.victim.path.name for step in load_plan(plan).steps] == ["letter (1).txt"]
    assert load_plan(plan).rules == ("plain-name",)
    assert "groups without a mark: 0." in out
    assert run(capsys, "apply", plan)[0] == 0
    assert sorted(path.name for path in docs.iterdir()) == ["letter.txt", "old.zip"]
    assert (docs / "old.zip").read_bytes() == before
    run(capsys, "scan", docs, "--library", library)
    _, out, _ = run(capsys, "select", "--keep", "newest", "--kinds", KINDS, "--to", plan, "--library", library)
    assert load_plan(plan).steps == () and out.startswith("0 documents of 0 groups")
    _, out, _ = run(capsys, "select", "--keep", "newest", "--kinds", "identical", "--to", plan, "--library", library)
    assert "groups without a mark: 1." in out


def test_every_report_is_written_with_members_in_it(
    docs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    endings = ("json", "html", "csv", "xlsx", "docx")
    reports = [argument for ending in endings for argument in ("--report", tmp_path / f"report.{ending}")]
    assert run(capsys, "scan", docs, "--library", tmp_path / "library.db", *reports)[0] == 0
    assert "old.zip › in" in (tmp_path / "report.html").read_text("utf-8")
    assert "old.zip › in" in (tmp_path / "report.csv").read_text("utf-8-sig")
    code, _, err = run(capsys, "report", "--to", docs / "old.zip", "--library", tmp_path / "library.db")
    assert code == 2 and err


def test_many_folders_of_a_scan_are_told_a_line_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folders = [put(tmp_path / f"{number:02}" / "a.txt", making.txt(prose(number))).parent for number in range(12)]
    run(capsys, "scan", *folders, "--library", tmp_path / "library.db")
    lines = run(capsys, "library", "info", "--library", tmp_path / "library.db")[1].splitlines()
    assert lines[2].strip().startswith("its results are in library.db.") and lines[2].endswith(" KB")
    assert [line.strip() for line in lines[3:-1]] == [*map(str, folders[:10]), "and 2 folders more"]
