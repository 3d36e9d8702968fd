"""Every setting that is declared is used, and every one that is used is declared."""

from __future__ import annotations

import ast
import functools
from pathlib import Path

import pytest

import dupfinder
from dupfinder.base import settings
from dupfinder.base.settings import ALL, Setting

PACKAGE = Path(dupfinder.__file__).parent
NAMES = {name: value for name, value in vars(settings).items() if isinstance(value, Setting)}


@functools.cache
def _trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in PACKAGE.rglob("*.py")
    }


def test_every_setting_is_in_the_table() -> None:
    assert set(NAMES.values()) == set(ALL)


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_declared_setting_is_used(name: str) -> None:
    users = [module for module, tree in _trees().items() if any(_imports(node, name) for node in ast.walk(tree))]
    assert users, f"{name} is declared, shown and saved, and nothing heeds it: nobody imports it from base.settings"


def _imports(node: ast.AST, name: str) -> bool:
    """Tell whether a statement imports the setting; an import that is not used is refused by ruff."""
    if not (isinstance(node, ast.ImportFrom) and node.module == "dupfinder.base.settings"):
        return False
    return any(alias.name == name for alias in node.names)


def test_every_key_that_is_used_is_declared() -> None:
    keys = {setting.key for setting in ALL}
    groups = {key.partition(".")[0] for key in keys} - {"window"}  # also how files of the window's own are named
    for module, tree in _trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                group, dot, rest = node.value.partition(".")
                if dot and group in groups and rest.isidentifier() and module != "base/settings.py":
                    assert node.value in keys, f"{module}:{node.lineno}"
