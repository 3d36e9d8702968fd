"""What the README and the pages of the manual point at is there."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PLACES = (ROOT, ROOT / "dupfinder", ROOT / "tests")
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


def test_the_source_distribution_holds_every_page() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packed = {*project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"], project["project"]["readme"]}
    assert {page.relative_to(ROOT).parts[0] for page in PAGES} <= packed


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_that_a_page_names_is_there(page: Path) -> None:
    names = re.findall(r"`((?:dupfinder/)?[a-z_]+/[a-z_/0-9]+\.py)`", page.read_text(encoding="utf-8"))
    assert [name for name in names if not any((place / name).is_file() for place in PLACES)] == []


def test_every_make_target_that_a_page_names_is_there() -> None:
    made = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    for page in PAGES:
        named = set(re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8")))
        assert named <= made, page.name


RECIPES = re.compile(r"^## Recipes\n(.*?)^## ", re.MULTILINE | re.DOTALL)
ITEMS = re.compile(r"^(?=\d+\. |\n)", re.MULTILINE)


def recipe_items() -> list[str]:
    """The numbered items and the paragraphs of the recipes."""
    recipes = RECIPES.search((ROOT / ".github/CONTRIBUTING.md").read_text(encoding="utf-8"))
    assert recipes is not None
    return [item.strip() for item in ITEMS.split(recipes[1]) if "`" in item]


@pytest.mark.parametrize("item", recipe_items(), ids=lambda item: item[:40])
def test_every_name_in_a_recipe_is_in_a_file_that_its_item_names(item: str) -> None:
    quoted = re.findall(r"`([^`]+)`", item)
    files = [path for name in quoted for place in PLACES if "/" in name or "." in name for path in place.glob(name)]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files if path.is_file() and path.suffix != ".mo")
    names = [part for name in quoted if re.fullmatch(r"[A-Za-z_][\w.]*", name) for part in name.split(".")]
    left = [name for name in names if not re.search(rf"\b{name}\b", source + " ".join(path.name for path in files))]
    assert not left, f"rename in CONTRIBUTING.md, or name the file beside it: {', '.join(left)}"
