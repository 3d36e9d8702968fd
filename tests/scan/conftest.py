"""What the tests of scans share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """The path of a library that is not there yet, in an empty folder."""
    folder = tmp_path / "kept"
    folder.mkdir()
    return folder / "library.db"


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """An empty folder."""
    folder = tmp_path / "docs"
    folder.mkdir()
    return folder
