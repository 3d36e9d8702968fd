"""From folders to reports, a plan, the trash and back, with the program that was installed."""

from __future__ import annotations

import csv
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import making
from tests.end_to_end import all_acts
from tests.end_to_end.program import Program, accounted, without_times
from tests.scan.documents import family, prose, put, revised, strangers, troubles

pytestmark = [
    pytest.mark.end_to_end,
    pytest.mark.skipif(os.name != "posix", reason="the trash of a temporary home is Linux's"),
]


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Bytes and times of all regular files below a folder."""
    return {
        os.path.relpath(path, folder): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }


def library_of_letters(folder: Path) -> None:
    """Copies, versions, strangers, troubles, hostile names, links and a protected folder."""
    for seed in range(3):
        family(folder, 10 * seed)
    strangers(folder / "others", 6)
    troubles(folder / "bad")
    put(folder / "kept" / "letter0.txt", making.txt(prose(0)))
    put(folder / os.fsdecode(b"caf\xe9 \xff.txt"), making.txt(prose(0)))
    put(folder / "two\nlines \x1b[31m.txt", making.txt(prose(10)))
    put(folder / "版本.docx", making.docx(revised(prose(20), 5)))
    (folder / "link.txt").symlink_to(folder / "letter0.txt")
    os.link(folder / "letter0.txt", folder / "second name.txt")
    os.mkfifo(folder / "pipe.txt")


SEEDS = (0, 10, 20)


def scan_and_report(program: Program, docs: Path, folder: Path) -> None:
    """Scan, write three reports, and look at what they say."""
    before = contents(docs)
    reports = [folder / f"report.{ending}" for ending in ("json", "html", "csv")]
    ran = program.run("scan", docs, "--protect", docs / "kept", *(f"--report={report}" for report in reports))
    lines = ran.out.splitlines()
    assert ran.code == 0 and lines[0].startswith("Scan 1: ") and "can be freed." in lines[-1], ran.err
    assert all(line.startswith("  ") for line in lines[1:-1]), "why files were not read"
    assert "\x1b" not in ran.out + ran.err
    assert contents(docs) == before, "a scan only reads"
    scanned = accounted(reports[0])
    statuses = {os.path.basename(file["path"]): file["status"] for file in scanned["files"]}
    assert statuses["locked.pdf"] == "encrypted" and statuses["pipe.txt"] == statuses["link.txt"] == "skipped"
    clusters = {frozenset(member["path"] for member in cluster["members"]) for cluster in scanned["clusters"]}
    for seed in SEEDS:
        assert any({str(docs / name) for name in family_names(seed)} <= cluster for cluster in clusters)
    assert not any("stranger" in path for cluster in clusters for path in cluster)
    assert b"\x1b" not in reports[1].read_bytes()
    with reports[2].open(newline="", encoding="utf-8-sig") as stream:
        assert len(list(csv.reader(stream))) > len(scanned["files"])


def family_names(seed: int) -> list[str]:
    """The names that `family` gives."""
    return [f"letter{seed}.txt", f"copies/letter{seed} (1).txt", f"letter{seed}.html", f"letter{seed} draft.txt"]


def select_and_apply(program: Program, docs: Path, plan: Path, kinds: str) -> dict[str, tuple[bytes, int]]:
    """Choose by rules, rehearse, remove; what is left."""
    before = contents(docs)
    rules = ("--keep", "plain-name", "--keep", "shortest-path", "--keep", "newest")
    ran = program.run("select", *rules, "--kinds", kinds, "--to", plan)
    assert ran.code == 0 and "Nothing was removed." in ran.out, ran.err
    ran = program.run("apply", plan, "--dry-run")
    assert ran.code == 0 and contents(docs) == before, ran.out + ran.err
    ran = program.run("apply", plan, "--yes")
    assert ran.code == 0, ran.out + ran.err
    assert "\x1b" not in ran.out + ran.err
    after = contents(docs)
    assert after.items() < before.items(), "what stays is untouched"
    assert "kept/letter0.txt" in after
    assert all(f"others/stranger{number}.txt" in after for number in range(6))
    trash = program.home / "share" / "Trash" / "files"
    assert len(list(trash.iterdir())) == len(before) - len(after)
    return after


def test_removed_documents_come_back_after_scan_report_and_plan(tmp_path: Path, program: Program) -> None:
    docs = tmp_path / "docs"
    library_of_letters(docs)
    os.utime(docs / "letter10.txt", ns=(10**18, 10**18 + 123_456_789))
    before = contents(docs)
    scan_and_report(program, docs, tmp_path)

    after = select_and_apply(program, docs, tmp_path / "plan.json", "identical,same-text")
    left = {hashlib.sha256(data).digest() for data, _ in after.values()}
    for seed in SEEDS:  # of every text one copy, in one format or the other, and each version of it
        assert any(hashlib.sha256(maker(prose(seed))).digest() in left for maker in (making.txt, making.html))
        assert f"letter{seed} draft.txt" in after

    ran = program.run("history", "--files")
    assert ran.code == 0 and "removed" in ran.out and "\x1b" not in ran.out
    ran = program.run("undo")
    assert ran.code == 0, ran.out + ran.err
    assert contents(docs) == before, "bytes and times are back"
    assert "restored" in program.run("history").out
    assert program.run("undo").code == 2

    report = tmp_path / "second.json"
    assert program.run("scan", docs, "--protect", docs / "kept", "--report", report).code == 0
    after = select_and_apply(program, docs, tmp_path / "versions.json", "identical,same-text,same-words,version,part")
    for cluster in accounted(report)["clusters"]:
        assert any(os.path.relpath(member["path"], docs) in after for member in cluster["members"])
    clear(program, docs)


def clear(program: Program, docs: Path) -> None:
    """Look at the library and remove it; the documents stay."""
    before = contents(docs)
    ran = program.run("library", "info")
    assert ran.code == 0 and "docs" in ran.out
    assert program.run("library", "check").code == 0
    ran = program.run("library", "clear", "--yes")
    assert ran.code == 0 and "Your documents were not touched." in ran.out
    assert not (program.home / "dupfinder" / "library.db").exists()
    assert contents(docs) == before
    assert program.run("report", "--to", docs.parent / "none.json").code == 2
    assert not (docs.parent / "none.json").exists()


def test_a_second_scan_opens_no_document_and_reports_the_same(tmp_path: Path, program: Program) -> None:
    docs = tmp_path / "docs"
    for seed in range(3):
        family(docs, 10 * seed)
    troubles(docs)
    hook = put(tmp_path / "hook" / "sitecustomize.py", HOOK.encode()).parent
    opened = tmp_path / "opened"
    counted = Counted(program.home, hook, opened, docs)
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    assert counted.run("scan", docs, "--report", first).code == 0
    names = opened.read_text().splitlines()
    assert {os.path.basename(name) for name in names} == {path.name for path in docs.rglob("*.*")} - {"picture.png"} | {
        "noise"
    }
    opened.unlink()
    ran = counted.run("scan", docs, "--report", second)
    assert ran.code == 0 and not opened.exists()
    assert accounted(second)["summary"]["reused"] == len(set(names))
    assert without_times(first) == without_times(second)


# Put before everything else in each process of the program: what it opens below the folder is written down.
HOOK = """
import os, sys
_folder, _log = os.environ["WATCHED_FOLDER"], os.environ["WATCHED_LOG"]
def _hook(name, arguments):
    if name == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
        path = os.fsdecode(arguments[0])
        if path.startswith(_folder) and not os.path.isdir(path):
            handle = os.open(_log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            os.write(handle, os.fsencode(path) + b"\\n")
            os.close(handle)
sys.addaudithook(_hook)
"""


class Counted(Program):
    """The program with every opening below a folder written down."""

    def __init__(self, home: Path, hook: Path, log: Path, folder: Path) -> None:
        super().__init__(home)
        object.__setattr__(self, "_more", {
            "PYTHONPATH": str(hook), "WATCHED_FOLDER": str(folder), "WATCHED_LOG": str(log),
        })  # fmt: skip

    @property
    def environment(self) -> dict[str, str]:
        more: dict[str, str] = getattr(self, "_more")  # noqa: B009
        return {**super().environment, **more}


def test_a_report_at_another_radius_needs_no_document(tmp_path: Path, program: Program) -> None:
    docs = tmp_path / "docs"
    for seed in range(3):
        family(docs, 10 * seed)
    assert program.run("scan", docs, "--report", tmp_path / "wide.json").code == 0
    shutil.rmtree(docs)
    assert program.run("report", "--to", tmp_path / "same.json").code == 0
    assert without_times(tmp_path / "same.json") == without_times(tmp_path / "wide.json")
    assert program.run("report", "--to", tmp_path / "strict.json", "--min-similarity", "1", "--radius", "0").code == 0
    strict, wide = accounted(tmp_path / "strict.json"), accounted(tmp_path / "wide.json")
    assert strict["scan"]["radius"] == 0 and strict["scan"]["min_similarity"] == 1.0
    assert strict["summary"]["documents_in_clusters"] == 9 < wide["summary"]["documents_in_clusters"] == 12


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a network namespace")
def test_without_any_network_the_report_is_the_same(tmp_path: Path, program: Program) -> None:
    docs = tmp_path / "docs"
    family(docs, 1)
    troubles(docs)
    cut_off = ["unshare", "--map-root-user", "--net"]
    if subprocess.run([*cut_off, "true"], capture_output=True, check=False).returncode:
        pytest.skip("this system does not let a program be cut off")
    connected, alone = tmp_path / "connected.json", tmp_path / "alone.json"
    assert program.run("scan", docs, "--report", connected).code == 0
    command = [*cut_off, *program.command("scan", docs, "--fresh", "--report", alone)]
    ran = subprocess.run(command, env=program.environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    assert without_times(alone) == without_times(connected)


@pytest.mark.skipif(shutil.which("unshare") is None, reason="needs a network namespace")
def test_an_ordinary_person_without_any_network_removes_and_takes_back_by_every_way_alike(tmp_path: Path) -> None:
    cut_off = ["unshare", "--user", "--map-user=1000", "--map-group=1000", "--net"]
    person = "import os, socket; print(os.getuid(), [name for _, name in socket.if_nameindex()])"
    asked = subprocess.run([*cut_off, sys.executable, "-c", person], capture_output=True, text=True, check=False)
    if asked.returncode:
        pytest.skip("this system does not let a program be cut off")
    assert asked.stdout == "1000 ['lo']\n"
    said = []
    for number, prefix in enumerate(([], cut_off)):
        scratch = tmp_path / f"run {number}"
        command = [*prefix, sys.executable, "-m", "tests.end_to_end.all_acts", str(scratch)]
        root = Path(__file__).resolve().parents[2]
        ran = subprocess.run(command, capture_output=True, text=True, cwd=root, check=False)
        assert ran.returncode == 0, ran.stderr
        said.append(all_acts.alike(ran.stdout + ran.stderr, scratch))
    assert said[0] == said[1]
    assert sum(line == "ended with 0" for line in said[0]) == sum(line.startswith("$ ") for line in said[0]) > 25


@pytest.mark.slow
def test_copies_and_hidden_states_of_a_folder_do_not_show_in_the_report(tmp_path: Path, program: Program) -> None:
    """The report depends on the files alone: not on the library, the workers, or what was read before."""
    docs = tmp_path / "docs"
    for seed in range(3):
        family(docs, 10 * seed)
    texts = set()
    for number, more in enumerate((["--workers", "1"], ["--workers", "3"], ["--workers", "2", "--fresh"])):
        report = tmp_path / f"{number}.json"
        library = tmp_path / ("shared.db" if number else "own.db")
        assert program.run("scan", docs, "--library", library, "--report", report, *more).code == 0
        texts.add(without_times(report))
    assert len(texts) == 1
