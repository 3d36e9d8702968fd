"""The verb `recover`: whatever a removal that was cut off left gets its own name back, with a journal or without."""

from __future__ import annotations

import argparse
import os
import shutil
import signal
from pathlib import Path

import pytest

from dupfinder.actions.apply import carry_out
from dupfinder.actions.folder import OpenFolder
from dupfinder.actions.journal import Journal
from dupfinder.base.errors import UsageError
from dupfinder.base.paths import data_dir
from dupfinder.cli import removal
from tests.actions.making import alike, contents, plan_of, step, write

HELD = ".dupfinder-hold-0123456789abcdef-"


def run(*arguments: object) -> int:
    parser = argparse.ArgumentParser()
    removal.add_parsers(parser.add_subparsers())
    namespace = parser.parse_args(["recover", *map(str, arguments)])
    code: int = namespace.run(namespace)
    return code


def cut_off(docs: Path) -> None:
    """A removal that is killed while a file is in hand."""
    victim, keeper = write(docs / "sub" / "copy.txt", b"same"), write(docs / "keeper.txt", b"same")
    plan = plan_of([step(victim, keeper)], docs)
    child = os.fork()
    if child == 0:
        real = OpenFolder.rename

        def rename(self: OpenFolder, *arguments: object) -> None:
            real(self, *arguments)  # type: ignore[arg-type]
            os.kill(os.getpid(), signal.SIGKILL)

        OpenFolder.rename = rename  # type: ignore[method-assign, assignment]
        carry_out(plan, journal=Journal(), judge=alike)
    os.waitpid(child, 0)
    assert [name for name in contents(docs) if name.startswith("sub/.dupfinder-hold-")]


posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="children are forked")


@posix
def test_what_the_journal_knows_is_settled_and_said_and_nothing_else_is_taken_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    earlier = plan_of([step(write(docs / "b.txt", b"b"), write(docs / "a.txt", b"b"))], docs)
    carry_out(earlier, journal=Journal(), judge=alike)
    cut_off(docs)
    assert run() == 0
    assert contents(docs) == {"a.txt": b"b", "keeper.txt": b"same", "sub/copy.txt": b"same"}
    assert "had been interrupted. The file that was being moved is safe" in capsys.readouterr().err
    assert run() == 0
    assert capsys.readouterr().out == "No interrupted removal was found, and no file that one left renamed.\n"


@posix
def test_a_file_in_hand_that_somebody_removed_since_is_not_said_to_be_safe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    cut_off(docs)
    (held,) = (docs / "sub").iterdir()
    held.unlink()
    assert run() == 0
    said = capsys.readouterr().err
    assert "had been interrupted. " in said and f"{docs / 'sub' / 'copy.txt'} is no longer there." in said
    assert "safe" not in said


@posix
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_what_cannot_be_settled_now_is_named_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    cut_off(docs)
    (docs / "sub").chmod(0o500)
    try:
        assert run() == 5
    finally:
        (docs / "sub").chmod(0o700)
    said = capsys.readouterr().err
    assert "copy.txt is missing, it is the file .dupfinder-hold-" in said
    assert run() == 0 and (docs / "sub" / "copy.txt").read_bytes() == b"same"


@posix
def test_a_file_whose_journal_is_gone_has_its_name_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs = tmp_path / "docs"
    cut_off(docs)
    shutil.rmtree(data_dir())
    assert run(docs) == 0
    assert contents(docs) == {"keeper.txt": b"same", "sub/copy.txt": b"same"}
    assert "it is called copy.txt again." in capsys.readouterr().out


def test_nothing_is_overwritten_and_folders_are_looked_into_under_their_own_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = tmp_path / "docs"
    write(docs / (HELD + "taken.txt"), b"ours")
    write(docs / "taken.txt", b"a person's")
    write(docs / (HELD + "letters") / (HELD + "one\n.txt"), b"inside")
    write(docs / ".dupfinder-hold-0123456789abcdef0123456789abcdef", b"of an earlier version")
    write(docs / ".dupfinder-new-0123456789abcdef", b"a spare")
    write(docs / ".dupfinder-new-0123456789abcdef-back.txt", b"on its way back")
    (docs / "link").symlink_to(write(tmp_path / "elsewhere" / (HELD + "x.txt"), b"elsewhere").parent)
    assert run(docs) == 5
    said = capsys.readouterr().out
    left = contents(docs)
    nameless = {name for name in left if name.startswith(".dupfinder-")}
    assert nameless == {".dupfinder-hold-0123456789abcdef0123456789abcdef", ".dupfinder-new-0123456789abcdef"}
    assert {name: left[name] for name in set(left) - nameless} == {
        "taken.txt": b"a person's", "taken (restored).txt": b"ours", "letters/one\n.txt": b"inside",
        "back.txt": b"on its way back",
    }  # fmt: skip
    assert "its name was taken; it is called taken (restored).txt now, and nothing was overwritten." in said
    assert said.count("its original name is not known; open it") == 2
    assert "one\n" not in said
    assert contents(tmp_path / "elsewhere") == {HELD + "x.txt": b"elsewhere"}


def test_one_file_may_be_named_and_a_wrong_name_is_one_sentence(tmp_path: Path) -> None:
    held = write(tmp_path / "docs" / (HELD + "a.txt"), b"a")
    write(tmp_path / "docs" / (HELD + "b.txt"), b"b")
    assert run(held) == 0
    assert contents(tmp_path / "docs") == {"a.txt": b"a", HELD + "b.txt": b"b"}
    with pytest.raises(UsageError, match="is not there"):
        run(held)
