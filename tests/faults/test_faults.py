"""At any call that changes files, for every verb: a kill, an error of the system, another program, and that before a
kill. Every content keeps a name, the next start says how things are, and undo leads back to the same tree.

The slow set takes every moment; here a few are taken of each.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.faults import shim
from tests.faults.meddling import Act, Said
from tests.faults.scenes import Broken, Removal, Way

pytestmark = [
    pytest.mark.skipif(shim.compiler() is None, reason="the shim is built with a C compiler, on Linux"),
    pytest.mark.timeout(600),
]
ROOT = Path(__file__).resolve().parents[2]
APPLY = ("apply-trash", "apply-move", "apply-move-across", "apply-hardlink", "apply-quarantine")
UNDO = ("undo-trash", "undo-move", "undo-move-across", "undo-hardlink", "undo-quarantine", "empty-quarantine")
STORING = ("scan", "clear", "decisions")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shim.build(tmp_path_factory.mktemp("shim"))


def figures(built: Path, scratch: Path, other: Path, ways: Sequence[str], *arguments: str) -> tuple[int, list[str]]:
    """Run the cases of some ways: in how many all happened, and the promises that broke."""
    if os.stat(scratch).st_dev == os.stat(other).st_dev:
        ways = [way for way in ways if not way.endswith("across")]  # there is no second volume here
    command = [sys.executable, "-m", "tests.faults", str(scratch), str(other), *ways, *arguments]
    environment = {**os.environ, "LD_PRELOAD": str(built)}
    ended = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    assert ended.stdout, ended.stderr
    counts = json.loads(ended.stdout)
    return counts["happened"], counts["broken"]


def test_whatever_happens_at_a_call_nothing_is_lost_and_undo_leads_back(
    built: Path, scratch: Path, tmp_path: Path
) -> None:
    happened, broken = figures(built, scratch, tmp_path, [*APPLY, *UNDO], "--step", "211")
    assert broken == [] and happened > 25


def test_a_save_and_then_a_kill_lose_nothing(built: Path, scratch: Path, tmp_path: Path) -> None:
    happened, broken = figures(
        built, scratch, tmp_path, [*APPLY, *UNDO], "--pairs", "--step", "331", "--acts", "meddling"
    )
    assert broken == [] and happened > 15


def test_whatever_happens_to_what_is_stored_the_documents_stand_and_the_next_start_is_whole(
    built: Path, scratch: Path, tmp_path: Path
) -> None:
    happened, broken = figures(built, scratch, tmp_path, ["decisions"], "--step", "29")
    assert broken == [] and happened > 8
    happened, broken = figures(built, scratch, tmp_path, ["clear", "scan"], "--step", "97", "--acts", "kills")
    assert broken == [] and happened > 1


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("way", [*APPLY, *UNDO, *STORING])
def test_nothing_is_lost_whatever_happens_at_any_call(built: Path, scratch: Path, tmp_path: Path, way: str) -> None:
    happened, broken = figures(built, scratch, tmp_path, [way])
    assert broken == [] and happened > 70


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("way", [*APPLY, *UNDO])
def test_nothing_is_lost_by_another_program_at_any_change_and_a_kill_at_any_later_one(
    built: Path, scratch: Path, tmp_path: Path, way: str
) -> None:
    happened, broken = figures(built, scratch, tmp_path, [way], "--pairs", "--acts", "meddling")
    assert broken == [] and happened > 300


def test_a_file_system_that_lacks_links_and_exclusive_names_loses_nothing(
    built: Path, scratch: Path, tmp_path: Path
) -> None:
    ways, lacking = [*APPLY, *UNDO], ("links", "exclusive")
    happened, broken = figures(built, scratch, tmp_path, ways, "--without", *lacking, "--step", "331")
    assert broken == [] and happened > 15
    happened, broken = figures(
        built, scratch, tmp_path, ways, "--without", *lacking, "--pairs", "--step", "431", "--acts", "meddling"
    )
    assert broken == [] and happened > 2


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("lacking", [("links",), ("exclusive",), ("links", "exclusive")], ids=" and ".join)
@pytest.mark.parametrize("way", [*APPLY, *UNDO])
def test_a_file_system_that_lacks_links_or_exclusive_names_loses_nothing_at_any_call(
    built: Path, scratch: Path, tmp_path: Path, way: str, lacking: tuple[str, ...]
) -> None:
    happened, broken = figures(built, scratch, tmp_path, [way], "--without", *lacking, "--acts", "kills", "meddling")
    assert broken == [] and happened > 30


def test_the_checks_see_what_is_lost_or_told_wrongly(scratch: Path, tmp_path: Path) -> None:
    """Each spoils a successful removal in one way, as a fault in the program would."""

    def lose(scene: Removal) -> None:
        (scene.scratch / "share" / "Trash" / "files" / "one.txt").unlink()

    def leave_a_name(scene: Removal) -> None:
        (scene.docs / ".dupfinder-hold-0123456789abcdef-one.txt").write_bytes(b"a victim")

    def do_by_halves(scene: Removal) -> None:
        os.link(scene.scratch / "share" / "Trash" / "files" / "one.txt", scene.victim)

    def touch_the_keeper(scene: Removal) -> None:
        scene.keeper.chmod(0o600)

    for spoil, words in (
        (lose, "lost before"),
        (leave_a_name, "names of ours"),
        (do_by_halves, "the file has its name"),
        (touch_the_keeper, "undone to"),
    ):
        scene = Removal(scratch / "scene", tmp_path, Way("trash", "apply"))
        scene.work()
        spoil(scene)
        with pytest.raises(Broken, match=words):
            scene.check(Said())
    scene = Removal(scratch / "scene", tmp_path, Way("trash", "apply"))
    scene.work()
    with pytest.raises(Broken, match="lost before"):
        scene.check(Said(saved={b"what another program saved"}, happened=[Act.SAVE]))
