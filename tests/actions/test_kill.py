"""SIGKILL at any moment: some name holds every content, and the next start brings each step to an end."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from dupfinder.actions.plan import Verb

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")


def kills(scratch: Path, verb: Verb, what: str, to: Path, victims: int = 1, trash: str = "") -> int:
    root = Path(__file__).resolve().parents[2]
    what_to_kill = [str(scratch), verb.value, what, str(to), str(victims), trash]
    command = [sys.executable, "-m", "tests.actions.killing", *what_to_kill]
    ended = subprocess.run(command, capture_output=True, text=True, cwd=root)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stdout)


@pytest.mark.parametrize("what", ["apply", "undo"])
@pytest.mark.parametrize("verb", list(Verb))
def test_a_kill_at_any_moment_loses_nothing_and_is_recovered(scratch: Path, verb: Verb, what: str) -> None:
    assert kills(scratch, verb, what, scratch / "moved") > 20


@pytest.mark.parametrize("what", ["apply", "undo"])
def test_a_kill_while_moving_to_another_volume_loses_nothing(scratch: Path, tmp_path: Path, what: str) -> None:
    if os.stat(scratch).st_dev == os.stat(tmp_path).st_dev:
        pytest.skip("there is no second volume here")
    assert kills(scratch, Verb.MOVE, what, tmp_path / "moved") > 30


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("what", ["apply", "undo"])
def test_a_kill_between_two_steps_loses_nothing(scratch: Path, verb: Verb, what: str) -> None:
    assert kills(scratch, verb, what, scratch / "moved", victims=2) > 40


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("verb", list(Verb))
def test_a_kill_of_the_recovery_itself_is_recovered(scratch: Path, verb: Verb) -> None:
    assert kills(scratch, verb, "recover", scratch / "moved", victims=2) > 200


@pytest.mark.parametrize(("verb", "what"), [(Verb.TRASH, "apply"), (Verb.MOVE, "undo"), (Verb.HARDLINK, "apply")])
def test_a_disk_that_refuses_everything_from_any_moment_on_loses_nothing(scratch: Path, verb: Verb, what: str) -> None:
    assert kills(scratch, verb, f"ENOSPC*-{what}", scratch / "moved") > 20


@pytest.mark.parametrize("trash", ["bin", "shredder"])
@pytest.mark.parametrize("what", ["apply", "EACCES-apply", "ENOSPC*-apply", "NOLINK-apply"])
def test_a_kill_or_refusal_amid_a_trash_that_may_delete_loses_nothing(scratch: Path, trash: str, what: str) -> None:
    assert kills(scratch, Verb.TRASH, what, scratch / "moved", trash=trash) > 20


@pytest.mark.slow
@pytest.mark.parametrize("trash", ["bin", "shredder"])
def test_a_kill_of_the_recovery_after_a_trash_that_may_delete_is_recovered(scratch: Path, trash: str) -> None:
    assert kills(scratch, Verb.TRASH, "recover", scratch / "moved", trash=trash) > 100


@pytest.mark.parametrize("verb", [Verb.TRASH, Verb.MOVE])
def test_a_kill_on_a_volume_without_hard_links_loses_nothing(scratch: Path, verb: Verb) -> None:
    assert kills(scratch, verb, "NOLINK-undo", scratch / "moved") > 20


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("what", ["apply", "undo"])
@pytest.mark.parametrize("verb", list(Verb))
@pytest.mark.parametrize("fault", ["ENOSPC", "ENOSPC*", "EIO", "EACCES", "EACCES*", "EPERM", "EROFS*"])
def test_any_single_or_lasting_refusal_of_the_system_loses_nothing(
    scratch: Path, verb: Verb, what: str, fault: str
) -> None:
    assert kills(scratch, verb, f"{fault}-{what}", scratch / "moved", victims=2) > 40
