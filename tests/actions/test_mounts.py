"""Removals on bind mounts, second, read-only and full volumes, and on folders seen through two mounts."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.actions import two_views

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def alone(tmp_path: Path) -> list[str]:
    """The beginning of a command that runs in its own mount namespace; skips where nothing may be mounted."""
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    for unshare in (["unshare", "-m"], ["unshare", "-rm"]):
        mount = [*unshare, "mount", "-t", "tmpfs", "none", str(tmp_path)]
        if subprocess.run(mount, capture_output=True).returncode == 0:
            return [*unshare, sys.executable, "-m"]
    pytest.skip("nothing may be mounted here")


def test_removals_keep_their_promises_on_every_kind_of_mount(tmp_path: Path, alone: list[str]) -> None:
    command = [*alone, "tests.actions.mounting", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert (ended.returncode, ended.stdout) == (0, "all\n"), ended.stderr


@pytest.mark.parametrize("kind", sorted(two_views.KINDS))
def test_a_file_seen_through_two_mounts_is_one_file_for_scan_and_removal(
    scratch: Path, alone: list[str], kind: str
) -> None:
    command = [*alone, "tests.actions.two_views", str(scratch), kind]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    if ended.returncode == two_views.UNAVAILABLE:
        pytest.skip("this mount cannot be made here")
    assert (ended.returncode, ended.stdout) == (0, "all\n"), ended.stderr
