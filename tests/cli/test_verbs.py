"""The verbs that read: results on standard output, one line for what went wrong, and the exit code that says so."""

from __future__ import annotations

import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dupfinder.actions.plan import Verb, load_plan
from dupfinder.base.paths import DECISIONS_NAME, default_library, log_file
from dupfinder.cli import scan as scan_verbs
from dupfinder.cli.main import main
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.library.library import LibraryFile
from tests import making
from tests.cli.shell import Said, Shell, one_line
from tests.report.schema import read_report
from tests.scan.documents import family, prose, put, revised, strangers, troubles


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    family(tmp_path / "docs", 1)
    strangers(tmp_path / "docs", 2)
    return tmp_path / "docs"


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A folder that was scanned once, and the library of that scan."""
    from dupfinder.scan.pipeline import run_scan
    from dupfinder.scan.request import Root, ScanRequest

    folder = tmp_path_factory.mktemp("scanned")
    family(folder / "docs", 1)
    strangers(folder / "docs", 2)
    run_scan(ScanRequest((Root(folder / "docs"),), workers=1), folder / "library.db")
    return folder / "docs", folder / "library.db"


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"], ["scan", ".", "--radius", "many"], ["scan", ".", "--progress", "loud"],
        ["report"], ["library"], ["library", "burn"], ["query"], ["diff", "one"], ["select", "--to", "x"],
        ["report", "x", "--to", "y.json"], ["scan", ".", "--no-such-option"], ["--nonsense"],
    ],
)  # fmt: skip
def test_wrong_usage_is_one_line(run: Shell, arguments: list[str]) -> None:
    one_line(run(*arguments), 2, "dupfinder")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["scan"], "Name a folder"),
        (["scan", ".", "--radius", "17"], "0 to 16"),
        (["scan", ".", "--radius=-1"], "0 to 16"),
        (["scan", ".", "--min-similarity", "1.5"], "0.5 to 1"),
        (["scan", ".", "--min-similarity", "nan"], "0.5 to 1"),
        (["scan", ".", "--workers", "65"], "--workers"),
        (["scan", ".", "--report", "out.pdf"], ".pdf is not among"),
        (["report", "--to", "out"], "no ending"),
        (["report", "--to", "out.json"], "no finished scan"),
        (["query", "-"], "no finished scan"),
        (["library", "check"], "no finished scan"),
        (["diff", "/dev/null", "/no/such"], "No such file: /no/such."),
        (["explain", "/no/such", "README.md"], "No such file: /no/such."),
        (["query", "/no/such"], "no finished scan"),
        (["index", "info", "/no/such"], "/no/such cannot be used: it is not there."),
        (["select", "--keep", "fanciest", "--to", "plan.json"], "fanciest"),
        (["select", "--keep", "in", "--to", "plan.json"], "in:FOLDER"),
        (["select", "--keep", "newest:here", "--to", "plan.json"], "no folder"),
        (["select", "--keep", "newest", "--kinds", "odd", "--to", "plan.json"], "odd"),
        (["select", "--keep", "newest", "--verb", "move", "--to", "plan.json"], "--destination"),
        (["select", "--keep", "newest", "--destination", "x", "--to", "plan.json"], "--destination"),
        (["diff", "absent.txt", "other.txt"], "absent.txt"),
    ],
)
def test_bad_input_is_one_line_that_names_it(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    one_line(run(*arguments), 2, words)
    assert list(tmp_path.iterdir()) == []


def test_a_scan_tells_its_counts_and_why_files_were_not_read_on_standard_output_and_progress_beside(
    run: Shell, docs: Path
) -> None:
    troubles(docs)
    said = run("scan", docs, "--workers", "1")
    assert said.code == 0
    assert "Scan 1: 14 files: 6 read, 6 with problems, 2 left out (0 unchanged since before)." in said.out
    lines, groups = (part.splitlines() for part in said.out.split("\n\n", 1))
    assert lines[-1].startswith("1 group of 4 documents at radius") and len(groups) == 1 + 4
    reasons = [line.split()[0] for line in lines if line.startswith("  ")]
    assert sum(map(int, reasons)) == 8 and len(lines) == 2 + len(reasons)
    assert "Reading" in said.err and "\x1b" not in said.err


def test_reports_of_several_kinds_are_written_at_once(run: Shell, docs: Path, tmp_path: Path) -> None:
    names = [tmp_path / f"report.{ending}" for ending in ("json", "html", "csv", "xlsx", "docx")]
    said = run("scan", docs, *(f"--report={name}" for name in names))
    assert said.code == 0 and said.err.count("Wrote ") == 5
    assert all(name.stat().st_size > 500 for name in names)


def test_a_report_never_takes_the_place_of_a_document(run: Shell, docs: Path) -> None:
    page = put(docs / "page.html", making.html(prose(9)))
    before = page.read_bytes()
    one_line(run("scan", docs, "--report", page), 2, "one of the documents to scan")
    assert page.read_bytes() == before


def test_a_plan_never_takes_the_place_of_a_document(run: Shell, scanned: tuple[Path, Path], tmp_path: Path) -> None:
    docs, library = scanned
    before = (docs / "letter1.txt").read_bytes()
    (tmp_path / "alias").symlink_to(docs)
    for place in (docs / "letter1.txt", tmp_path / "alias" / "letter1.txt"):
        command = ("select", "--keep", "newest", "--to", place, "--library", library)
        one_line(run(*command), 2, "holds something else")
        one_line(run(*command, "--force"), 2, "scanned documents")
    assert (docs / "letter1.txt").read_bytes() == before
    one_line(run("select", "--keep", "newest", "--to", tmp_path / "no" / "plan", "--library", library), 2, "written")


def test_a_rule_about_a_folder_without_documents_is_told_and_quiet_tells_nothing_else(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path
) -> None:
    options = ("-q", "--to", tmp_path / "p.json", "--library", scanned[1])
    said = run("select", "--keep", f"in:{tmp_path}", "--keep", f"in:{scanned[0]}", *options)
    assert said.code == 0
    assert said.err == f"No document of the scan is in {tmp_path}, so this rule keeps none.\n"


def test_files_outside_a_named_folder_and_those_under_version_control_are_not_planned(
    run: Shell, tmp_path: Path
) -> None:
    for name in ("Downloads/a.txt", "a.txt", "Desk/a.txt", "site/a.txt"):
        put(tmp_path / "home" / name, making.txt(prose(1)))
    put(tmp_path / "home/site/.git/HEAD", b"ref")
    run("scan", tmp_path / "home")

    def planned(*options: str | Path) -> tuple[list[str], str]:
        result = run("select", "-q", "--keep", "shortest-path", *options, "--to", tmp_path / "plan.json")
        steps = json.loads((tmp_path / "plan.json").read_text())["steps"]
        return [str(Path(step["victim"]["path"]).relative_to(tmp_path / "home")) for step in steps], result.err

    stays = "1 document stays because it is under version control (Git, …).\n"
    assert planned() == (["Desk/a.txt", "Downloads/a.txt"], stays)
    assert planned("--only", tmp_path / "home/Downloads") == (["Downloads/a.txt"], "")
    names, remarks = planned("--only", tmp_path / "home/Down")
    assert not names and f"No document of the scan is in {tmp_path / 'home/Down'}, so none may go.\n" in remarks


def test_only_identical_files_are_selected_for_hard_links(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path
) -> None:
    options = ("--to", tmp_path / "p.json", "--library", scanned[1], "--keep", "smallest", "--keep", "shortest-path")
    assert "(1 identical)" in run("select", *options, "--verb", "hardlink", "--kinds", " identical").out
    assert "same text" in run("select", *options).out


def test_progress_for_programs_is_one_json_object_a_line_and_none_prints_nothing(run: Shell, docs: Path) -> None:
    lines = run("scan", docs, "--progress", "json").err.splitlines()
    reports = [json.loads(line) for line in lines]
    assert reports[0]["stage"] == "find" and reports[-1]["stage"] == "group"
    keys = {"stage", "done", "total", "bytes", "reused", "problems", "identical", "current"}
    assert all(report.keys() == keys for report in reports)
    assert max(report["identical"]["groups"] for report in reports) == 1
    assert any(report["stage"] == "read" and report["done"] == report["total"] == 6 for report in reports)
    assert run("scan", docs, "--progress", "none").err == ""


def test_a_folder_that_is_not_there_or_empty_ends_with_4(run: Shell, tmp_path: Path) -> None:
    one_line(run("scan", tmp_path / "absent"), 4, "is not there", "Nothing was scanned")
    (tmp_path / "empty").mkdir()
    one_line(run("scan", tmp_path / "empty"), 4, "no files", "Nothing was scanned")
    put(tmp_path / "one.txt", b"text")
    assert run("scan", tmp_path / "one.txt", "--leave-out", tmp_path / "one.txt").code == 4
    hostile = tmp_path / "no\x1b[31m\nsuch"
    one_line(run("scan", hostile), 4, "no\\x1b[31m\\nsuch")


def test_a_library_in_use_ends_with_3_and_names_the_holder(run: Shell, docs: Path) -> None:
    with LibraryFile(default_library(), write=True):
        one_line(run("scan", docs), 3, f"process {os.getpid()}", "Nothing was done")
        one_line(run("library", "clear", "--yes"), 3, f"process {os.getpid()}")


def test_a_damaged_library_is_told_and_the_scan_goes_on(run: Shell, docs: Path) -> None:
    run("scan", docs)
    default_library().write_bytes(b"\x00" * 5000)
    one_line(run("library", "info"), 2, "is damaged", "Your files are unchanged")
    said = run("scan", docs, "--progress", "none")
    assert said.code == 0
    assert said.err.count("\n") == 1 and "put aside as" in said.err and ".damaged-" in said.err
    assert run("scan", docs, "--progress", "none").err == ""
    assert {path.suffix for path in default_library().parent.glob("*.damaged-*")} >= {".columns"}
    assert len([path for path in default_library().parent.glob("*.damaged-*") if path.suffix != ".columns"]) == 1


def test_a_library_of_a_newer_version_is_left_alone(run: Shell, docs: Path) -> None:
    run("scan", docs)
    connection = sqlite3.connect(default_library())
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    one_line(run("scan", docs), 2, "newer dupfinder", "99")
    one_line(run("library", "info"), 2, "newer dupfinder")


def test_a_library_that_cannot_be_there_is_one_line(run: Shell, docs: Path, tmp_path: Path) -> None:
    one_line(run("scan", docs, "--library", tmp_path), 2, "cannot be opened")
    one_line(run("scan", docs, "--library", docs / "letter1.txt" / "library.db"), 2, "cannot be opened")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount a small disk")
def test_a_full_disk_is_one_line_and_loses_nothing(run: Shell, tmp_path: Path) -> None:
    docs, disk = tmp_path / "docs", tmp_path / "disk"
    strangers(docs, 150)
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system does not let root mount")
    try:
        one_line(run("scan", docs, "--library", disk / "library.db"), 2, "The disk is full", "make room")
        assert "1 scan in it is unfinished" in run("library", "check", "--library", disk / "library.db").out
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        assert run("scan", docs, "--library", disk / "library.db").code == 0
        assert run("library", "check", "--library", disk / "library.db") == Said(
            0, f"{disk / 'library.db'} is whole.\n", ""
        )
    finally:
        subprocess.run(["umount", str(disk)], check=True)
    assert len(list(docs.iterdir())) == 150


def test_a_missing_scan_is_named_though_the_library_has_others(run: Shell, docs: Path, tmp_path: Path) -> None:
    assert run("scan", docs).code == 0
    done = run("report", "99", "--to", tmp_path / "out.csv")
    assert done.code == 2 and "no finished scan 99" in done.err
    assert not (tmp_path / "out.csv").exists()


def test_a_stored_scan_is_reported_at_any_radius_without_its_documents(run: Shell, docs: Path, tmp_path: Path) -> None:
    run("scan", docs)
    shutil.rmtree(docs)
    assert run("report", "--to", tmp_path / "wide.json", "--radius", "16").code == 0
    assert run("report", "1", "--to", tmp_path / "strict.json", "--radius", "0", "--min-similarity", "1.0").code == 0
    sizes = [read_report(tmp_path / name)["summary"]["documents_in_clusters"] for name in ("wide.json", "strict.json")]
    assert sizes == [4, 3]
    one_line(run("report", "7", "--to", tmp_path / "none.json"), 2, "no finished scan")


def test_reports_and_explanations_name_the_copy_that_the_person_keeps(run: Shell, docs: Path, tmp_path: Path) -> None:
    def first_group(name: str) -> dict[str, Any]:
        assert run("report", "--to", tmp_path / name).code == 0
        return dict(read_report(tmp_path / name)["clusters"][0])

    run("scan", docs)
    proposed = first_group("proposed.json")
    other = Path(next(member["path"] for member in proposed["members"] if member["path"] != proposed["keeper"]))
    with LibraryFile(default_library()) as library:
        documents = library.result().documents
    content = documents.content_hex(list(documents.paths).index(str(other)))
    Decisions(default_library().parent / DECISIONS_NAME).store([(other, content, Decision.KEEP)])
    kept = first_group("kept.json")
    assert kept["keeper"] == str(other)
    assert f"kept copy is {other.name}" in run("explain", proposed["keeper"], other).out
    for rule in ("newest", "oldest"):
        assert run("select", "--keep", rule, "--to", tmp_path / "plan.json").code == 0
        assert other not in {step.victim.path for step in load_plan(tmp_path / "plan.json").steps}


@pytest.mark.parametrize("verb", [["report"], ["select", "--keep", "newest"]])
def test_a_radius_beyond_what_was_matched_is_refused_and_not_narrowed(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path, verb: list[str]
) -> None:
    for part in scanned[1].parent.glob("library.db*"):
        shutil.copy(part, tmp_path / part.name)
    library = ["--library", str(tmp_path / "library.db")]
    with LibraryFile(tmp_path / "library.db", write=True) as opened:
        opened._connection.execute("UPDATE scan SET widest_radius = 8")
    one_line(run(*verb, "--to", tmp_path / "out.json", "--radius", "16", *library), 2, "up to radius 8")
    assert run(*verb, "--to", tmp_path / "out.json", "--radius", "8", *library).code == 0


def test_rules_become_a_plan_that_is_written_and_nothing_else(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path
) -> None:
    docs, library = scanned
    before = sorted(docs.rglob("*"))
    said = run("select", "--keep", "plain-name", "--keep", "richer-format", "--kinds", "identical, same-text,version",
               "--verb", "move", "--destination", tmp_path / "there", "--to", tmp_path / "plan.json",
               "--library", library)  # fmt: skip
    assert said.code == 0 and "Nothing was removed." in said.out
    plan = load_plan(tmp_path / "plan.json")
    assert len(plan.steps) >= 2 and {step.verb for step in plan.steps} == {Verb.MOVE}
    assert plan.min_containment > 0 and plan.min_similarity > 0
    assert {step.keeper.path for step in plan.steps}.isdisjoint(step.victim.path for step in plan.steps)
    assert sorted(docs.rglob("*")) == before


def test_a_query_finds_what_is_like_a_file_or_a_text(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, library = scanned
    version = put(tmp_path / "mine.docx", making.docx(revised(prose(1), 99)))
    said = run("query", version, "--library", library)
    assert said.code == 0 and "4 similar" in said.out and "letter1.html" in said.out
    for data in (making.txt(prose(1)), making.txt(prose(1), encoding="utf-16"), making.html(prose(1))):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        said = run("query", "-", "--library", library)
        assert said.code == 0 and said.out.count("  same text  ") == 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(making.txt(prose(500)))))
    assert "-: 0 similar" in run("query", "-", "--library", library).out


def test_a_query_for_a_file_leaves_the_file_itself_out_however_its_path_is_written(
    run: Shell, scanned: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    docs, library = scanned
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    names = (docs / "letter1.txt", os.path.relpath(docs / "letter1.txt"))
    answers = [run("query", name, "--library", library).out.splitlines()[1:] for name in names]
    assert answers[0] and answers[0] == answers[1]


@pytest.mark.parametrize("data", [b"", b"34", b"\x00\x01\x02\x03" * 9])
def test_a_query_for_nothing_to_compare_is_one_line(
    run: Shell, scanned: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    one_line(run("query", "-", "--library", scanned[1]), 2)


def test_differences_are_shown_and_equal_files_said_to_be_equal(run: Shell, tmp_path: Path) -> None:
    text = prose(1)
    original, copy = put(tmp_path / "a.txt", making.txt(text)), put(tmp_path / "b.txt", making.txt(text))
    as_page, edited = put(tmp_path / "c.html", making.html(text)), put(tmp_path / "d.txt", making.txt(revised(text, 4)))
    assert "Identical: the same bytes." in run("diff", original, copy).out
    assert "nothing else in them differs but the format" in run("diff", original, as_page).out
    said = run("diff", original, edited)
    assert said.code == 0 and "@@" in said.out and "\n+ " in said.out and "\n1 difference; 9" in said.out
    put(tmp_path / "e.pdf", making.pdf([text], password="secret"))
    one_line(run("diff", original, tmp_path / "e.pdf"), 2, "e.pdf", "password")


def test_two_files_are_compared_where_nothing_can_be_stored(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = prose(1)
    original, edited = put(tmp_path / "a.txt", making.txt(text)), put(tmp_path / "b.txt", making.txt(revised(text, 4)))
    monkeypatch.setenv("DUPFINDER_HOME", str(original / "below a file"))
    assert "\n1 difference; 9" in run("diff", original, edited).out
    assert run("explain", original, edited).code == 0
    one_line(run("scan", tmp_path), 2, "DUPFINDER_HOME")


def test_hostile_text_reaches_no_terminal(run: Shell, tmp_path: Path) -> None:
    hostile = put(tmp_path / "a\x1b[2J.txt", making.txt([*prose(1), "red \x1b[31m and \u202e turned"]))
    calm = put(tmp_path / "b.txt", making.txt([*prose(1), "calm"]))
    for verb in ("diff", "explain"):
        said = run(verb, hostile, calm)
        assert said.code == 0 and "\x1b" not in said.out + said.err and "\u202e" not in said.out


def test_an_explanation_names_the_rule_and_its_numbers(run: Shell, tmp_path: Path) -> None:
    text = prose(1)
    original, edited = put(tmp_path / "a.txt", making.txt(text)), put(tmp_path / "b.txt", making.txt(revised(text, 4)))
    far, part = put(tmp_path / "c.txt", making.txt(prose(2))), put(tmp_path / "d.txt", making.txt(text[:2]))
    assert run("explain", original, edited).out.startswith("Versions of one document")
    assert run("explain", original, edited, "--radius", "0", "--min-similarity", "1").out.startswith(
        ("Not versions", "Part")
    )
    assert run("explain", original, far).out.startswith("Not versions")
    assert run("explain", part, original).out.startswith("Part: d.txt is in a.txt.")
    assert "bits" in run("explain", original, edited).out
    one_line(run("explain", original, edited, "--radius", "99"), 2, "0 to 16")


def test_a_library_is_described_checked_and_cleared(run: Shell, docs: Path) -> None:
    put(docs / "empty.txt", b"")  # a file, but no document
    run("scan", docs, "--name", "My letters")
    said = run("library", "info")
    assert "6 documents, 1 scan, " in said.out and "7 files" in said.out
    assert "My letters" in said.out and str(docs) in said.out
    assert "is whole" in run("library", "check").out
    assert "Your documents were not touched." in run("library", "clear", "--yes").out
    assert not default_library().exists() and len(list(docs.rglob("*.*"))) == 7
    assert "nothing was removed" in run("library", "clear").out


def test_a_fault_of_the_program_is_one_line_with_its_traceback_in_the_log(
    run: Shell, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("a bug")

    monkeypatch.setattr(scan_verbs, "_tell", broken)
    said = run("scan", docs, "--progress", "none")
    assert said.code == 1 and said.err.count("\n") == 1 and "ZeroDivisionError" in said.err
    assert "a bug" in log_file().read_text() and "Traceback" in log_file().read_text()
    with pytest.raises(ZeroDivisionError):
        main(["scan", str(docs), "--progress", "none", "--debug"])


def test_a_home_that_cannot_be_there_is_one_line(
    run: Shell, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path / "file" / "home\x1b[31m"))
    one_line(run("scan", docs), 2, "cannot be created", "home\\x1b[31m")


CHILD = "import sys\nfrom dupfinder.cli.main import main\ncode = main(sys.argv[1:])\n"


def child(code: str, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", CHILD + code, *map(str, arguments)], capture_output=True, text=True,
                          check=False)  # fmt: skip


@pytest.mark.parametrize("verb", ["report", "diff", "select", "library"])
def test_no_verb_imports_the_window(scanned: tuple[Path, Path], tmp_path: Path, verb: str) -> None:
    docs, library = scanned
    arguments: dict[str, list[str | Path]] = {
        "report": ["--to", tmp_path / "r.html", "--library", library],
        "diff": [docs / "letter1.txt", docs / "letter1 draft.txt"],
        "select": ["--keep", "newest", "--to", tmp_path / "plan.json", "--library", library],
        "library": ["info", "--library", library],
    }
    process = child("print('QT', *(name for name in sys.modules if 'PySide' in name or 'shiboken' in name))",
                 verb, *arguments[verb])  # fmt: skip
    assert process.returncode == 0, process.stderr
    assert process.stdout.splitlines()[-1].strip() == "QT"


@pytest.mark.skipif(os.name != "posix", reason="pipes")
def test_a_reader_that_goes_away_is_no_trouble(scanned: tuple[Path, Path]) -> None:
    command = [sys.executable, "-c", CHILD + "sys.exit(code)", "library", "info", "--library", str(scanned[1])]
    reading, writing = os.pipe()
    os.close(reading)
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writing)
    assert "Traceback" not in ran.stderr and "BrokenPipe" not in ran.stderr
    assert ran.returncode == 0


def test_program_texts_are_read_when_asked_for_and_else_told_as_left_out(run: Shell, tmp_path: Path) -> None:
    folder, library, report = tmp_path / "src", tmp_path / "kept.db", tmp_path / "report.json"
    put(folder / "style.css", making.txt(prose(1)))
    put(folder / "tool.py", making.txt(prose(2)))
    put(folder / "letter.txt", making.txt(prose(3)))
    put(folder / "old.djvu", b"AT&TFORM")
    said = run("scan", folder, "--library", library, "--report", report)
    reason = "It was left out: a style sheet or source code, which is read only if you ask for it."
    assert f"2 files: {reason}" in said.out
    assert "1 file: Its format cannot be read: DjVu." in said.out
    assert read_report(report)["summary"]["reasons"][reason] == 2
    said = run("scan", folder, "--library", library, "--code", "-v")
    assert "4 files: 3 read" in said.out and reason not in said.out
    assert "s of the processor" in said.err


def test_each_reason_why_files_were_not_read_is_printed_once(run: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    put(folder / "locked.pdf", making.pdf(password="secret"))
    put(folder / "picture.png", b"\x89PNG")
    put(folder / "letter.txt", making.txt(prose(3)))
    said = run("scan", folder, "--library", tmp_path / "kept.db")
    assert "1 file: It needs a password, so it was not read.\n" in said.out
    assert "1 file: Its format cannot be read.\n" in said.out


def test_info_names_the_place_before_anything_is_stored(run: Shell) -> None:
    said = run("library", "info")
    assert said.code == 0 and str(default_library()) in said.out and "nothing is stored yet" in said.out
