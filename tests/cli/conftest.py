"""What the tests of commands share."""

from __future__ import annotations

import pytest

from tests.cli.shell import Shell


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Shell:
    return Shell(capsys)
