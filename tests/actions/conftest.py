"""Every test of removal has its own data folder and its own trash."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.actions.journal import Journal

MEMORY = Path("/dev/shm")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "share"))
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path / "home"))


@pytest.fixture
def journal() -> Journal:
    return Journal()


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """A folder in memory where there is one: bringing hundreds of journals to a disk takes long."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=MEMORY, prefix="dupfinder-test-") as folder:
        yield Path(folder)
