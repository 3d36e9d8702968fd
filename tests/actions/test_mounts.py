"""Removals on bind mounts, second, read-only and full volumes, where the tests may mount any."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


def test_removals_keep_their_promises_on_every_kind_of_mount(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("there is no unshare here")
    may = subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", str(tmp_path)], capture_output=True)
    if may.returncode != 0:
        pytest.skip("nothing may be mounted here")
    root = Path(__file__).resolve().parents[2]
    command = ["unshare", "-m", sys.executable, "-m", "tests.actions.mounting", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=60)
    assert (ended.returncode, ended.stdout) == (0, "all\n"), ended.stderr
