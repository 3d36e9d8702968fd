"""SIGKILL at any moment: some name holds every content, and the next start brings each step to an end."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.actions.plan import Verb

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")
OTHER_VOLUME = Path("/dev/shm")


def kills(scratch: Path, verb: Verb, what: str, to: Path) -> int:
    root = Path(__file__).resolve().parents[2]
    command = [sys.executable, "-m", "tests.actions.killing", str(scratch), verb.value, what, str(to)]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=root, timeout=110)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout)


@pytest.fixture
def other_volume(tmp_path: Path) -> Iterator[Path]:
    if not OTHER_VOLUME.is_dir() or os.stat(OTHER_VOLUME).st_dev == os.stat(tmp_path).st_dev:
        pytest.skip("there is no second volume here")
    with tempfile.TemporaryDirectory(dir=OTHER_VOLUME) as folder:
        yield Path(folder) / "moved"


@pytest.mark.parametrize("what", ["apply", "undo"])
@pytest.mark.parametrize("verb", list(Verb))
def test_a_kill_at_any_moment_loses_nothing_and_is_recovered(tmp_path: Path, verb: Verb, what: str) -> None:
    assert kills(tmp_path, verb, what, tmp_path / "moved") > 20


@pytest.mark.parametrize("what", ["apply", "undo"])
def test_a_kill_while_moving_to_another_volume_loses_nothing(tmp_path: Path, other_volume: Path, what: str) -> None:
    assert kills(tmp_path, Verb.MOVE, what, other_volume) > 30


@pytest.mark.slow
@pytest.mark.parametrize("verb", list(Verb))
def test_a_kill_of_the_recovery_itself_is_recovered(tmp_path: Path, verb: Verb) -> None:
    assert kills(tmp_path, verb, "recover", tmp_path / "moved") > 200


@pytest.mark.parametrize("what", ["apply", "undo"])
@pytest.mark.parametrize("verb", list(Verb))
def test_a_disk_that_refuses_everything_from_any_moment_on_loses_nothing(tmp_path: Path, verb: Verb, what: str) -> None:
    assert kills(tmp_path, verb, f"ENOSPC*-{what}", tmp_path / "moved") > 20


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_a_kill_on_a_volume_without_hard_links_loses_nothing(tmp_path: Path, verb: Verb) -> None:
    assert kills(tmp_path, verb, "NOLINK-undo", tmp_path / "moved") > 20


@pytest.mark.slow
@pytest.mark.parametrize("what", ["apply", "undo"])
@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("fault", ["ENOSPC", "EIO", "EACCES", "EACCES*", "EPERM", "EROFS*"])
def test_any_single_or_lasting_refusal_of_the_system_loses_nothing(
    tmp_path: Path, verb: Verb, what: str, fault: str
) -> None:
    assert kills(tmp_path, verb, f"{fault}-{what}", tmp_path / "moved") > 20
