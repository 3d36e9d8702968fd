"""What the program is started in: closed streams, little memory, a system with less than others."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from dupfinder.__main__ import main as command
from dupfinder.cli.library import limits_words
from dupfinder.cli.main import main
from dupfinder.cli.terminal import MODES
from dupfinder.library.schema import VERSION
from dupfinder.processes.cell import Restrictions
from tests.scan.documents import family

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(sys.platform == "win32", reason="streams and limits as Unix has them")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    family(folder, 1)
    return folder


def started(shell: str, tmp_path: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program from a shell; `$@` are its arguments."""
    environment = {**os.environ, "DUPFINDER_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    command = ["sh", "-c", shell, "sh", sys.executable, "-m", "dupfinder", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@posix
def test_closed_standard_output_is_told_before_any_work(docs: Path, tmp_path: Path) -> None:
    library = tmp_path / "a.db"
    ran = started('"$@" >&-', tmp_path, "scan", docs, "--library", library)
    assert ran.returncode == 2
    assert ran.stderr == "Standard output is closed: there is nowhere to write the results to. Nothing was done.\n"
    assert not library.exists()


@posix
@pytest.mark.parametrize("closed", ["2>&-", "<&-", "<&- 2>&-"])
def test_other_closed_streams_change_nothing(docs: Path, tmp_path: Path, closed: str) -> None:
    ran = started(f'"$@" {closed}', tmp_path, "scan", docs, "--library", tmp_path / "a.db")
    assert ran.returncode == 0 and "4 files: 4 read" in ran.stdout
    assert "wrong" not in ran.stderr and "Traceback" not in ran.stdout + ran.stderr


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
def test_a_full_standard_output_is_one_sentence(docs: Path, tmp_path: Path) -> None:
    started('"$@"', tmp_path, "scan", docs)
    ran = started('"$@" >/dev/full', tmp_path, "library", "info")
    assert (ran.returncode, len(ran.stderr.splitlines())) == (2, 1)
    assert "no space is left on the disk" in ran.stderr


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize("mode", MODES)
def test_progress_that_cannot_be_shown_ends_no_work(docs: Path, tmp_path: Path, mode: str) -> None:
    ran = started('"$@" 2>/dev/full', tmp_path, "scan", docs, "--progress", mode)
    assert ran.returncode == 0 and "4 files: 4 read" in ran.stdout


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space hold on Linux")
@pytest.mark.parametrize("kilobytes", [60_000, 150_000, 200_000, 350_000])
def test_too_little_memory_is_one_sentence(docs: Path, tmp_path: Path, kilobytes: int) -> None:
    ran = started(f'ulimit -v {kilobytes}; "$@"', tmp_path, "scan", docs)
    assert ran.returncode == 2
    assert len(ran.stderr.splitlines()) == 1 and "memory" in ran.stderr


LIMITED = (
    "from pathlib import Path; from dupfinder.base.settings import Settings; "
    "from dupfinder.scan.revisions import Revisions; from dupfinder.scan.request import Root, ScanRequest; "
    "print(Revisions.of(ScanRequest((Root(Path('/')),)), Settings()).limited)"
)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space hold on Linux")
def test_what_was_too_large_for_the_limit_of_the_moment_is_read_again_with_more(tmp_path: Path) -> None:
    command = [sys.executable, "-c", LIMITED]
    environment = {**os.environ, "DUPFINDER_HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    names = []
    for limit in ("unlimited", "unlimited", "600000"):
        shell = ["sh", "-c", f'ulimit -v {limit}; "$@"', "sh", *command]
        names.append(subprocess.run(shell, capture_output=True, text=True, check=True, env=environment).stdout)
    assert names[0] == names[1] != names[2]
    assert names[2].endswith("-585MB\n")


def test_what_readers_are_held_to_is_told_of_every_system() -> None:
    cells = [
        Restrictions(7, True),
        Restrictions(7),
        Restrictions(0, True),
        Restrictions(profile=True),
        Restrictions(job=True),
        Restrictions(),
    ]
    clauses = [limits_words(cell) for cell in cells]
    assert len(set(clauses)) == len(cells)
    assert "Landlock 7" in clauses[0] and "no network" in clauses[0] and "no network" not in clauses[-1]


def _in_read_only_folder(data: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the program with a data folder that nobody may write; skips where nothing may be mounted."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    mounts = f"mount --bind '{data}' '{data}' && mount -o remount,bind,ro '{data}' || exit 99"
    ran = started(f'unshare -rm sh -c "{mounts}; exec \\"\\$@\\"" sh "$@"', data, *arguments)
    if ran.returncode == 99 or "unshare" in ran.stderr:
        pytest.skip("nothing may be mounted here")
    return ran


@posix
def test_whatever_only_reads_needs_no_right_to_write_the_library_and_the_history(docs: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert started('"$@"', data, "scan", docs, "-q").returncode == 0
    plan = tmp_path / "plan.json"
    select = ("select", "--keep", "newest", "--kinds", "identical,version", "--to", plan)
    for arguments in (
        ("report",), ("library", "check"), ("query", docs / "letter1.txt"), ("explain", "--library"),
        ("history",), ("quarantine", "show"), select,
    ):  # fmt: skip
        plan.unlink(missing_ok=True)
        usual = started('"$@"', data, *arguments)
        plan.unlink(missing_ok=True)
        bound = _in_read_only_folder(data, *arguments)
        assert (bound.returncode, bound.stdout, bound.stderr) == (0, usual.stdout, usual.stderr), arguments
    for changing in (("scan", docs), ("recover",), ("apply", plan, "--yes"), ("library", "clear", "--yes")):
        refused = _in_read_only_folder(data, *changing)
        assert refused.returncode == 2 and refused.stderr.count("\n") == 1 and "only be read" in refused.stderr, (
            changing
        )


@posix
def test_a_library_of_an_earlier_version_that_cannot_be_written_is_called_read_only(docs: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert started('"$@"', data, "scan", docs, "-q").returncode == 0
    with contextlib.closing(sqlite3.connect(data / "library.db")) as connection:
        connection.execute(f"PRAGMA user_version = {VERSION - 1}")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ran = _in_read_only_folder(data, "report")
    assert ran.returncode == 2 and "cannot be opened: it is read-only" in ran.stderr


def test_an_interrupt_while_the_verbs_load_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("dupfinder.cli.main.build_parser", interrupted)
    assert main(["history"]) == 130


def test_an_interrupt_while_the_command_line_loads_is_no_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    class Interrupting:
        """Stands for Ctrl+C while a module is looked for."""

        def find_spec(self, name: str, *_: object) -> None:
            if name == "dupfinder.cli.main":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "dupfinder.cli.main")
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert command() == 130
