"""Commands run in this process, and what they print."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from dupfinder.cli.main import main


@dataclass(frozen=True)
class Said:
    """What one command said."""

    code: int
    out: str
    err: str


class Shell:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *arguments: str | Path) -> Said:
        self._capsys.readouterr()
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as end:  # how argparse ends
            code = int(end.code or 0)
        said = self._capsys.readouterr()
        assert "Traceback" not in said.err
        return Said(code, said.out, said.err)


def one_line(said: Said, code: int, *words: str) -> None:
    """Check that a command refused: nothing on standard output, one line with these words on standard error."""
    assert said.code == code, said
    assert said.out == ""
    lines = [line for line in said.err.splitlines() if not line.startswith(("Finding", "Reading"))]
    assert len(lines) == 1, said.err
    for word in words:
        assert word in lines[0]
