"""Every test of removal has its own data folder and its own trash."""

from __future__ import annotations

from pathlib import Path

import pytest

from dupfinder.actions.journal import Journal


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path / "home"))


@pytest.fixture
def journal() -> Journal:
    return Journal()
