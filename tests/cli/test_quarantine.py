from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path

import pytest

from dupfinder.actions import apply
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.plan import save_plan
from dupfinder.base.errors import UsageError
from dupfinder.cli import removal
from tests.actions.making import alike, contents, plan_of, step, write
from tests.actions.test_quarantine import no_trash


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    verbs = parser.add_subparsers()
    removal.add_parsers(verbs)
    namespace = parser.parse_args(arguments)
    code: int = namespace.run(namespace)
    return code


@pytest.fixture
def docs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Path:
    """A folder of which two copies were quarantined by the command line."""
    monkeypatch.setattr(apply, "system_trash", lambda: no_trash(tmp_path))
    docs = tmp_path / "docs"
    keeper = write(docs / "keeper.txt", b"text")
    save_plan(
        plan_of([step(write(docs / f"copy{n}\x1b.txt", b"text"), keeper) for n in range(2)], docs), tmp_path / "plan"
    )
    assert run("apply", str(tmp_path / "plan")) == 0
    return docs


def held(docs: Path) -> dict[str, bytes]:
    return contents(docs / ".dupfinder-removed")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_removal_into_a_quarantine_is_called_so(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = capsys.readouterr().out
    assert "2 files of 2 quarantined" in printed and "still take up 8 bytes" in printed and "2 removed" not in printed
    run("history", "--files")
    printed = capsys.readouterr().out
    assert "  2 quarantined (8 bytes)" in printed
    assert f"quarantined {docs}/copy0\\x1b.txt" in printed and "in the quarantine: " in printed


def test_what_is_quarantined_is_listed_and_counted(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(docs / ".dupfinder-removed" / "other\x1b", b"not known")
    capsys.readouterr()
    assert run("quarantine", "show") == 0
    printed = capsys.readouterr().out
    assert "2 files in quarantine, 8 bytes." in printed and f"identical to {docs / 'keeper.txt'}" in printed
    assert "not known to the history (9 bytes)" in printed and "other\\x1b" in printed and "\x1b" not in printed
    assert len(held(docs)) == 3


def test_emptying_asks_on_a_terminal_and_wants_yes_elsewhere(
    docs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(UsageError, match="--yes"):
        run("quarantine", "empty")
    monkeypatch.setattr(sys, "stdin", Terminal("n\n"))
    assert run("quarantine", "empty") == 0
    assert "Nothing was deleted." in capsys.readouterr().out and len(held(docs)) == 2
    monkeypatch.setattr(sys, "stdin", Terminal("y\n"))
    assert run("quarantine", "empty") == 0
    assert "2 files of 2 deleted from quarantine." in capsys.readouterr().out and held(docs) == {}
    run("history")
    assert "2 deleted from quarantine" in capsys.readouterr().out
    run("quarantine", "show")
    assert "There is nothing in quarantine." in capsys.readouterr().out


def test_what_may_be_the_last_copy_stays_with_the_reason(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (docs / "keeper.txt").unlink()
    assert run("quarantine", "empty", "--yes", Journal().batches()[0].id) == 5
    printed = capsys.readouterr().out
    assert "stays in the quarantine as" in printed and "0 files of 2 deleted" in printed and "\x1b" not in printed
    assert len(held(docs)) == 2


def test_what_is_quarantined_while_the_person_is_asked_stays(
    docs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Answering(Terminal):
        def readline(self, size: int | None = -1, /) -> str:  # type: ignore[override]  # as io.StringIO does
            later = plan_of([step(write(docs / "later.txt", b"text"), docs / "keeper.txt")], docs)
            carry_out(later, journal=Journal(), judge=alike)
            return "y\n"

    monkeypatch.setattr(sys, "stdin", Answering())
    assert run("quarantine", "empty") == 0
    assert "2 files of 2 deleted from quarantine." in capsys.readouterr().out
    assert held(docs) == {"later.txt": b"text"}
