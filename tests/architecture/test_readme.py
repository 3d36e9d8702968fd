"""What the README and the pages of the manual point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / ".github" / "CONTRIBUTING.md",
    *sorted((ROOT / "resources" / "manual").glob("*.md")),
]


def test_every_test_that_shows_a_promise_of_security_is_there() -> None:
    names = re.findall(
        r"`((?:\w+/)+test_\w+\.py)`", (ROOT / "resources/manual/security.md").read_text(encoding="utf-8")
    )
    assert len(names) > 10
    assert [name for name in names if not (ROOT / "tests" / name).is_file()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_between_pages_leads_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    names = re.findall(r"`((?:dupfinder/)?[a-z_]+/[a-z_/0-9]+\.py)`", page.read_text(encoding="utf-8"))
    places = (ROOT, ROOT / "dupfinder", ROOT / "tests")
    assert [name for name in names if not any((place / name).is_file() for place in places)] == []


def test_every_make_target_that_a_page_names_is_there() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8")))
        assert named <= made, page.name
