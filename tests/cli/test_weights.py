"""`dupfinder weights`."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.base.paths import weights_dir
from dupfinder.cli.main import main
from dupfinder.cli.usage import BAD_INPUT, DONE


@pytest.fixture
def library(tmp_path: Path) -> str:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(22):
        name = "abcdefghijklmnopqrstuvwxyz"[number] * 4
        (folder / f"{number}.txt").write_text(
            f"The registrar of {name} keeps the register of {name} in the tower. " * 3
        )
    path = str(tmp_path / "library.db")
    assert main(["scan", str(folder), "--library", path, "--workers", "1", "--progress", "none"]) == DONE
    return path


def test_weights_are_learned_shown_and_reset(library: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["weights", "show"]) == DONE
    assert "Built-in weights" in capsys.readouterr().out

    assert main(["weights", "learn", "--library", library, "--progress", "none"]) == DONE
    printed = capsys.readouterr().out
    assert "Learned from 22 documents" in printed and "weights reset" in printed

    assert main(["weights", "show"]) == DONE
    printed = capsys.readouterr().out
    assert "Learned weights" in printed and "22 documents" in printed
    assert "registrar" in printed

    assert main(["weights", "reset"]) == DONE
    assert main(["weights", "reset"]) == DONE
    assert capsys.readouterr().out.count("built-in weights are in use") == 2
    assert main(["weights", "show"]) == DONE
    assert "not in use: " in capsys.readouterr().out


def test_weights_that_cannot_be_read_are_told_by_a_scan_and_by_show(
    library: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["weights", "learn", "--library", library, "--progress", "none"]) == DONE
    for table in weights_dir().glob("*.npz"):
        table.write_bytes(b"damaged")
    for command in (["weights", "show"], ["scan", str(tmp_path / "docs"), "--progress", "none"]):
        capsys.readouterr()
        main(command)
        assert "learned weights are missing or damaged" in capsys.readouterr().err
    assert main(["weights", "reset"]) == DONE
    main(["weights", "show"])
    assert capsys.readouterr().err == ""


def test_without_a_scan_nothing_is_learned(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["weights", "learn", "--library", str(tmp_path / "none.db")]) == BAD_INPUT
    captured = capsys.readouterr()
    assert captured.out == "" and len(captured.err.splitlines()) == 1
