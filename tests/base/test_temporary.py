"""Temporary folders and incomplete files: those left by a kill are removed, and nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dupfinder.base import files
from dupfinder.base.output import recognise_nothing, replacing

pytestmark = pytest.mark.skipif(os.name == "nt", reason="locks that end with their program are POSIX's")
ROOT = Path(__file__).parents[2]
KILLED = """
import os, signal, sys
from pathlib import Path
from dupfinder.base import files, output
held = files.temporary_folder()
folder = held.__enter__()
(folder / "rows").write_text("private")
with output.replacing(Path(sys.argv[1]), output.recognise_nothing) as file:
    file.write(b"half")
    file.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder for temporary files, with what a killed process left there and beside its report."""
    folder, reports = tmp_path / "tmp", tmp_path / "reports"
    folder.mkdir()
    reports.mkdir()
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", KILLED, str(reports / "report.csv")], env=environment)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    files.remove_abandoned_folders.cache_clear()
    return folder


def test_what_a_killed_program_left_goes_with_the_next_start(shared: Path, tmp_path: Path) -> None:
    (left,) = shared.iterdir()
    (half,) = (tmp_path / "reports").iterdir()
    assert (left / "rows").exists() and half.read_bytes() == b"half"
    with files.temporary_folder():
        assert not left.exists()
    with replacing(tmp_path / "reports" / "report.csv", recognise_nothing) as file:
        file.write(b"whole")
    assert [path.name for path in (tmp_path / "reports").iterdir()] == ["report.csv"]


def test_what_others_made_or_hold_is_left_alone(shared: Path, tmp_path: Path) -> None:
    (left,) = shared.iterdir()
    (half,) = (tmp_path / "reports").iterdir()
    (shared / "pymp-unmarked").mkdir(mode=0o700)
    (shared / "dupfinder-notes.txt").write_text("a person's")
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    os.link(left / "dupfinder-owner", tmp_path / "elsewhere" / "dupfinder-owner")
    (shared / "pymp-link").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "reports" / ".dupfinder-link.part").symlink_to(half)
    with files.temporary_folder() as held:
        files.remove_abandoned_folders.cache_clear()
        files.remove_abandoned_folders()
        assert held.exists()
        there = {path.name for path in shared.iterdir()} - {held.name}
    assert there == {"pymp-unmarked", "dupfinder-notes.txt", "pymp-link"}
    assert (tmp_path / "elsewhere" / "dupfinder-owner").exists()
    with replacing(tmp_path / "reports" / "one.csv", recognise_nothing) as first:
        first.write(b"one")
        with replacing(tmp_path / "reports" / "two.csv", recognise_nothing) as second:
            second.write(b"two")
    names = {path.name for path in (tmp_path / "reports").iterdir()}
    assert names == {"one.csv", "two.csv", ".dupfinder-link.part"}
