"""Removal end to end on real files: what is done, what is refused, and what can be taken back."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.check import Judgement
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import State
from dupfinder.actions.plan import Plan, Reason, Step, Verb, Witness
from dupfinder.actions.undo import undo
from dupfinder.base.stamp import FileStamp


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path / "home"))
    yield


def witness(path: Path) -> Witness:
    return Witness(FileStamp.of(path, os.lstat(path)), hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest())


def alike(victim: Path, keeper: Path) -> Judgement:
    return Judgement(1.0, 1.0, 1.0, True)


@pytest.mark.parametrize("verb", list(Verb))
def test_a_removed_copy_is_put_away_and_comes_back_exactly(tmp_path: Path, verb: Verb) -> None:
    root = tmp_path / "docs"
    (root / "sub").mkdir(parents=True)
    keeper, victim = root / "a.txt", root / "sub" / "b.txt"
    keeper.write_bytes(b"text")
    victim.write_bytes(b"text")
    os.utime(victim, ns=(1, 123_456_789_012_345_678))
    victim.chmod(0o640)
    step = Step(verb, witness(victim), witness(keeper), Reason.IDENTICAL_BYTES, 1.0)
    plan = Plan((step,), (root,), destination=tmp_path / "moved")
    journal = Journal()

    batch = carry_out(plan, journal=journal, judge=alike)
    assert [one.state for one in batch.outcomes] == [State.DONE]
    assert keeper.read_bytes() == b"text"
    if verb is Verb.HARDLINK:
        assert os.path.samefile(victim, keeper)
    else:
        assert not victim.exists()
        place = batch.outcomes[0].place
        assert place is not None and place.path is not None and place.path.read_bytes() == b"text"

    back = undo(batch.id, journal)
    assert [one.state for one in back.outcomes] == [State.RESTORED]
    status = os.lstat(victim)
    assert victim.read_bytes() == b"text"
    assert (status.st_mtime_ns, status.st_mode & 0o7777) == (123_456_789_012_345_678, 0o640)
    assert not os.path.samefile(victim, keeper)
    assert sorted(path.name for path in (root / "sub").iterdir()) == ["b.txt"]
