"""Paths that a person names for output: what dupfinder did not write is never replaced, renamed or removed."""

from __future__ import annotations

import errno
import json
import os
import pty
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from dupfinder.base.paths import default_library
from dupfinder.cli.main import main
from dupfinder.wording.figures import size_text
from tests import making
from tests.scan.documents import family, prose, put

posix = pytest.mark.skipif(os.name != "posix", reason="needs the system's own calls")
FORMATS = ("json", "html", "csv", "xlsx", "docx")
TEXT = b"Dear diary, nothing here was written by a program.\n" * 40
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_one(*arguments: str | Path) -> tuple[int, str, str]:
        capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:
            code = int(end.code or 0)
        out, err = capsys.readouterr()
        return code, out, err

    return run_one


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    family(folder, 1)
    return folder


@pytest.fixture
def library(docs: Path, tmp_path: Path, run: Run) -> Path:
    """A library with one scan of `docs`."""
    path = tmp_path / "library.db"
    assert run("scan", docs, "--library", path, "--workers", "1", "--progress", "none")[0] == 0
    return path


def tree(folder: Path) -> dict[str, bytes | str]:
    """Every name below a folder with its content, links as their target."""
    contents: dict[str, bytes | str] = {}
    for path in folder.rglob("*"):
        name = str(path.relative_to(folder))
        contents[name] = os.readlink(path) if path.is_symlink() else path.read_bytes() if path.is_file() else ""
    return contents


def refused(ran: tuple[int, str, str], *words: str) -> None:
    code, out, err = ran
    assert (code, out) == (2, ""), ran
    assert len(err.splitlines()) == 1, err
    for word in words:
        assert word in err


# ---- the library ----------------------------------------------------------------------------------------------------
def contract(folder: Path) -> Path:
    path = folder / "contract.docx"
    path.write_bytes(making.docx(prose(7)))
    return path


def diary(folder: Path) -> Path:
    path = folder / "notes.txt"
    path.write_bytes(TEXT)
    return path


def bookmarks(folder: Path) -> Path:
    """The database of another program."""
    path = folder / "places.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE bookmarks (url TEXT)")
    connection.execute("INSERT INTO bookmarks VALUES ('https://example.org')")
    connection.commit()
    connection.close()
    return path


FOREIGN = [contract, diary, bookmarks]


@pytest.mark.parametrize("make", FOREIGN)
@pytest.mark.parametrize("answer", [[], ["--yes"]])
def test_clear_removes_no_file_that_is_not_a_library(
    make: Callable[[Path], Path], answer: list[str], tmp_path: Path, run: Run
) -> None:
    path = make(tmp_path)
    before = tree(tmp_path)
    refused(run("library", "clear", "--library", path, *answer), path.name, "not a library")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("make", FOREIGN)
def test_a_scan_renames_no_file_that_is_not_a_library(
    make: Callable[[Path], Path], tmp_path: Path, docs: Path, run: Run
) -> None:
    path = make(tmp_path)
    before = tree(tmp_path)
    refused(run("scan", docs, "--library", path, "--progress", "none"), path.name, "not a library", "--force")
    assert tree(tmp_path) == before


@pytest.mark.parametrize("make", FOREIGN)
@pytest.mark.parametrize("verb", ["info", "check", "report", "select", "query", "weights"])
def test_no_verb_opens_a_file_that_is_not_a_library(
    make: Callable[[Path], Path], verb: str, tmp_path: Path, run: Run
) -> None:
    path = make(tmp_path)
    before = tree(tmp_path)
    arguments: dict[str, list[str | Path]] = {
        "info": ["library", "info"],
        "check": ["library", "check"],
        "report": ["report", "--to", tmp_path / "out.json"],
        "select": ["select", "--keep", "newest", "--to", tmp_path / "plan.json"],
        "query": ["query", path],
        "weights": ["weights", "learn"],
    }
    refused(run(*arguments[verb], "--library", path), path.name, "not a library")
    assert tree(tmp_path) == before


def test_force_puts_a_foreign_file_aside_whole_and_scans(tmp_path: Path, docs: Path, run: Run) -> None:
    path = diary(tmp_path)
    code, _, err = run("scan", docs, "--library", path, "--progress", "none", "--force")
    assert code == 0 and "put aside" in err
    aside = [file for file in tmp_path.iterdir() if ".damaged-" in file.name]
    assert [file.read_bytes() for file in aside] == [TEXT]


@pytest.mark.parametrize("ending", ["-wal", "-journal", "-shm", ".lock", ".holder"])
def test_files_beside_a_library_that_only_share_its_name_are_left_alone(
    ending: str, tmp_path: Path, docs: Path, run: Run
) -> None:
    (tmp_path / f"poetry{ending}").write_bytes(TEXT)
    before = tree(tmp_path)
    refused(run("scan", docs, "--library", tmp_path / "poetry", "--progress", "none"), f"poetry{ending}")
    assert tree(tmp_path) == before


@posix
def test_a_library_that_is_a_link_a_folder_or_a_pipe_is_one_line(tmp_path: Path, docs: Path, run: Run) -> None:
    (tmp_path / "link").symlink_to(diary(tmp_path))
    (tmp_path / "dangling").symlink_to(tmp_path / "nowhere")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    before = tree(tmp_path)
    for name, words in (
        ("link", "symbolic link"),
        ("dangling", "symbolic link"),
        ("folder", "folder"),
        ("pipe", "ordinary"),
        ("/dev/null", "ordinary"),
        ("missing/library.db", "folder does not exist"),
        ("notes.txt/library.db", "is not a folder"),
        ("x" * 300, "too long"),
    ):
        refused(run("scan", docs, "--library", tmp_path / name, "--progress", "none"), words)
        code, out, _ = run("library", "clear", "--yes", "--library", tmp_path / name)
        assert code == 2 or "nothing was removed" in out
    assert tree(tmp_path) == before


def test_clear_asks_on_a_terminal_and_needs_yes_without_one(library: Path, run: Run) -> None:
    before = {path: path.read_bytes() for path in library.parent.glob("library.db*") if path.suffix != ".lock"}
    refused(run("library", "clear", "--library", library), "--yes")
    assert {path: path.read_bytes() for path in before} == before
    code, out, _ = run("library", "clear", "--library", library, "--yes")
    assert code == 0 and f"{size_text(sum(map(len, before.values())))} of {library}" in out
    assert [file.name for file in library.parent.iterdir() if file.name.startswith("library.db")] in (
        [], ["library.db.lock"]
    )  # fmt: skip
    code, out, _ = run("library", "clear", "--library", library)
    assert code == 0 and "nothing was removed" in out


@posix
@pytest.mark.parametrize(("answer", "is_left"), [("n\n", True), ("\n", True), ("y\n", False)])
def test_a_library_is_cleared_only_after_yes_on_the_terminal(answer: str, is_left: bool, library: Path) -> None:
    primary, secondary = pty.openpty()
    command = [sys.executable, "-m", "dupfinder", "library", "clear", "--library", str(library)]
    os.write(primary, answer.encode())
    ran = subprocess.run(command, stdin=secondary, capture_output=True, text=True, check=True)
    os.close(primary)
    os.close(secondary)
    assert str(library) in ran.stderr and library.exists() == is_left


# ---- reports, plans and numbers -------------------------------------------------------------------------------------
@pytest.mark.parametrize("ending", FORMATS)
def test_a_report_replaces_only_an_earlier_report(ending: str, library: Path, tmp_path: Path, run: Run) -> None:
    target = tmp_path / f"mine.{ending}"
    target.write_bytes(TEXT)
    refused(run("report", "--library", library, "--to", target), target.name, "--force")
    assert target.read_bytes() == TEXT
    assert run("report", "--library", library, "--to", target, "--force")[0] == 0
    assert target.read_bytes() != TEXT
    assert run("report", "--library", library, "--to", target)[0] == 0  # it is ours now


def test_documents_of_a_person_in_the_formats_of_reports_are_not_taken_for_reports(
    library: Path, tmp_path: Path, run: Run
) -> None:
    (tmp_path / "a.docx").write_bytes(making.docx(prose(1)))
    (tmp_path / "a.html").write_bytes(making.html(prose(1)))
    (tmp_path / "a.json").write_text(json.dumps({"schema": 1, "program": "another 1.0"}))
    (tmp_path / "a.csv").write_text("Cluster,Relation\n1,2\n")
    (tmp_path / "a.xlsx").write_bytes(making.xlsx({"Files": [["a", "b"]]}))
    before = tree(tmp_path)
    for ending in FORMATS:
        refused(run("report", "--library", library, "--to", tmp_path / f"a.{ending}"), f"a.{ending}")
    assert tree(tmp_path) == before


def test_a_report_that_a_person_saved_in_an_office_program_is_theirs(library: Path, tmp_path: Path, run: Run) -> None:
    import docx

    target = tmp_path / "report.docx"
    assert run("report", "--library", library, "--to", target)[0] == 0
    document = docx.Document(str(target))
    document.add_paragraph("My own remarks.")
    document.core_properties.last_modified_by = "Ada"
    document.save(str(target))
    refused(run("report", "--library", library, "--to", target), "report.docx")


def test_a_scan_says_at_its_start_that_a_report_cannot_be_written(docs: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "mine.csv").write_bytes(TEXT)
    (tmp_path / "folder.json").mkdir()
    for name in ("mine.csv", "folder.json", "missing/out.json"):
        library = tmp_path / "new.db"
        refused(run("scan", docs, "--library", library, "--report", tmp_path / name, "--progress", "none"), name)
        assert not library.exists()
    same = tmp_path / "one.json"
    refused(run("scan", docs, "--library", same, "--report", same, "--progress", "none"), "is the library")
    assert (tmp_path / "mine.csv").read_bytes() == TEXT and not same.exists()


def test_a_report_that_cannot_be_written_keeps_no_other_from_being_written(
    docs: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(report: object, file: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr("dupfinder.report.csv.write", fail)
    names = [tmp_path / name for name in ("first.csv", "second.json", "third.csv", "fourth.html")]
    reports = [word for name in names for word in ("--report", name)]
    code, out, err = run("scan", docs, *reports, "--format", "text", "--progress", "none")
    assert code == 2
    assert [name.exists() for name in names] == [False, True, False, True]
    assert "Group 1: 4 documents" in out
    full = [line for line in err.splitlines() if line.startswith("The disk is full")]
    assert len(full) == 2 and "first.csv" in full[0] and "third.csv" in full[1]


def test_force_never_replaces_a_document_to_scan(docs: Path, tmp_path: Path, run: Run) -> None:
    put(docs / "page.html", making.html(prose(4)))
    before = tree(docs)
    (tmp_path / "way").symlink_to(docs, target_is_directory=True)
    for root, target in ((docs, docs / "page.html"), (docs, tmp_path / "way" / "page.html"),
                         (docs / "page.html", docs / "page.html")):  # fmt: skip
        refused(run("scan", root, "--library", tmp_path / "new.db", "--report", target, "--force"), "documents")
    assert tree(docs) == before and not (tmp_path / "new.db").exists()


def test_an_earlier_report_in_a_scanned_folder_is_replaced_and_not_scanned(
    docs: Path, tmp_path: Path, run: Run
) -> None:
    command = ("scan", docs, "--library", tmp_path / "new.db", "--report", docs / "found.html", "--progress", "none")
    first, second = run(*command), run(*command)
    assert first[0] == second[0] == 0
    assert ": 4 files:" in first[1] and ": 4 files:" in second[1]


def test_a_plan_replaces_only_an_earlier_plan(library: Path, docs: Path, tmp_path: Path, run: Run) -> None:
    command = ("select", "--library", library, "--keep", "newest", "--to")
    target = tmp_path / "plan.json"
    assert run(*command, target)[0] == 0
    assert run(*command, target)[0] == 0
    assert run("report", "--library", library, "--to", tmp_path / "report.json")[0] == 0
    (tmp_path / "notes.txt").write_bytes(TEXT)
    before = tree(tmp_path)
    for name in ("notes.txt", "report.json"):
        refused(run(*command, tmp_path / name), name, "--force")
    refused(run("report", "--library", library, "--to", target), "plan.json", "--force")
    refused(run(*command, next(docs.iterdir()), "--force"), "scanned documents")
    assert tree(tmp_path) == before
    assert run(*command, tmp_path / "notes.txt", "--force")[0] == 0


def test_the_numbers_of_explain_replace_only_earlier_ones(library: Path, tmp_path: Path, run: Run) -> None:
    command = ("explain", "--library", library, "--json")
    assert run(*command, tmp_path / "radii.json")[0] == 0
    assert run(*command, tmp_path / "radii.json")[0] == 0
    (tmp_path / "notes.txt").write_bytes(TEXT)
    refused(run(*command, tmp_path / "notes.txt"), "notes.txt", "--force")
    assert (tmp_path / "notes.txt").read_bytes() == TEXT
    assert run(*command, tmp_path / "notes.txt", "--force")[0] == 0


def test_joined_pairs_replace_nothing_unless_forced_and_never_their_input(tmp_path: Path, run: Run) -> None:
    prints = put(tmp_path / "prints.txt", b"00000000000000ff\n00000000000000fe\n")
    (tmp_path / "notes.txt").write_bytes(TEXT)
    command = ("index", "join", prints, "--progress", "none", "--to")
    refused(run(*command, tmp_path / "notes.txt"), "notes.txt", "--force")
    refused(run(*command, prints, "--force"), "prints.txt")
    assert (tmp_path / "notes.txt").read_bytes() == TEXT
    assert run(*command, tmp_path / "notes.txt", "--force")[0] == 0


def test_force_replaces_no_document_of_any_scan_by_any_verb(docs: Path, tmp_path: Path, run: Run) -> None:
    page, prints_name = put(docs / "page.html", making.html(prose(4))), put(docs / "page.npz", TEXT)
    other = tmp_path / "other"
    family(other, 2)
    quietly = ("--progress", "none", "-q")
    for folder in (docs, other):  # the newest scan is of another folder
        assert run("scan", folder, *quietly)[0] == 0
    prints = tmp_path / "prints.npz"
    assert run("fingerprint", other, "--to", prints, *quietly)[0] == 0
    before = tree(docs)
    for command in (
        ("report", "--to", page),
        ("select", "--keep", "newest", "--to", page),
        ("explain", "--library", default_library(), "--json", page),
        ("library", "export", "--to", prints_name),
        ("fingerprint", other, "--to", prints_name),
        ("index", "join", prints, "--to", page),
        ("scan", other, "--report", page),
        ("scan", other, "--library", page),
    ):
        refused(run(*command, "--force"), "scanned documents")
    assert tree(docs) == before


@posix
@pytest.mark.parametrize("force", [[], ["--force"]])
def test_links_folders_pipes_and_devices_are_never_replaced(
    force: list[str], library: Path, tmp_path: Path, run: Run
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    (place / "mine.txt").write_bytes(TEXT)
    (place / "link.json").symlink_to("mine.txt")
    (place / "dangling.json").symlink_to("nowhere")
    (place / "null.json").symlink_to("/dev/null")
    (place / "folder.json").mkdir()
    os.mkfifo(place / "pipe.json")
    before = tree(place)
    words = {"link": "symbolic link", "dangling": "symbolic link", "null": "symbolic link", "folder": "is a folder",
             "pipe": "not an ordinary file"}  # fmt: skip
    for name, reason in words.items():
        refused(run("report", "--library", library, "--to", place / f"{name}.json", *force), reason)
    for verb in (["select", "--keep", "newest", "--to"], ["explain", "--json"]):
        refused(run(*verb, "/dev/null", "--library", library, *force), "not an ordinary file")
    refused(run("report", "--library", library, "--to", place / f"{'x' * 300}.json", *force), "too long")
    assert tree(place) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount")
def test_a_folder_that_is_read_only_or_full_is_one_line_before_the_scan(docs: Path, tmp_path: Path, run: Run) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k,nr_inodes=3", "tmpfs", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this system does not let root mount")
    library = tmp_path / "new.db"
    command = ("scan", docs, "--library", library, "--report", disk / "out.json", "--progress", "none")
    try:
        (disk / "a").touch()
        (disk / "b").touch()
        refused(run(*command), "full", "out.json")
        (disk / "b").unlink()
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        refused(run(*command), "can only be read")
        refused(run("scan", docs, "--library", disk / "library.db", "--progress", "none"), "library.db")
        assert not library.exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_the_library_of_no_name_is_ours_by_its_place(docs: Path, run: Run) -> None:
    default_library().write_bytes(TEXT)
    refused(run("library", "clear", "--yes"), "not a library")
    assert default_library().read_bytes() == TEXT
    code, _, err = run("scan", docs, "--progress", "none")
    assert code == 0 and "put aside" in err
    assert TEXT in [file.read_bytes() for file in default_library().parent.glob("library.db.damaged-*")]


@posix
def test_a_pipe_is_said_to_be_no_ordinary_file_when_it_is_compared(tmp_path: Path, run: Run) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    refused(run("diff", tmp_path / "pipe.txt", diary(tmp_path)), "not an ordinary file")
