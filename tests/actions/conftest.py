"""What the tests of removal share."""

from __future__ import annotations

import pytest

from dupfinder.actions.journal import Journal


@pytest.fixture
def journal() -> Journal:
    return Journal()
