"""What the README points at is there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def test_every_test_that_shows_a_promise_of_security_is_there() -> None:
    readme = (TESTS.parent / "README.md").read_text(encoding="utf-8")
    section = readme.split("## Security\n")[1].split("\n## ")[0]
    names = re.findall(r"`(\w+/test_\w+\.py)`", section)
    assert len(names) > 10
    assert [name for name in names if not (TESTS / name).is_file()] == []
