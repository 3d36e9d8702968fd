"""Memory that is free is given back to the system."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupfinder.base import memory
from dupfinder.base.memory import give_back


def resident() -> int:
    """Return the bytes of this process that are in memory."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(memory._trim() is None, reason="this C library has no such function")
def test_memory_that_is_free_between_what_is_used_is_given_back() -> None:
    blocks = [bytes(b"x" * 100_000) for _ in range(400)]
    last = blocks[-1]
    del blocks
    before = resident()
    give_back()
    assert resident() < before - 20_000_000 and last == b"x" * 100_000


def test_where_it_cannot_be_given_back_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_trim", lambda: None)
    give_back()
