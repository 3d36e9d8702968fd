"""Every setting that is declared is used, and every one that is used is declared."""

from __future__ import annotations

import ast

import pytest

from dupfinder.base import settings
from dupfinder.base.settings import ALL, Setting
from tests.architecture.sources import PACKAGE, imports, parsed

NAMES = {name: value for name, value in vars(settings).items() if isinstance(value, Setting)}


def test_every_setting_is_in_the_table() -> None:
    missing = [name for name, setting in NAMES.items() if setting not in ALL]
    assert not missing, f"name it in ALL of base/settings.py: {missing}"


@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_declared_setting_is_used(name: str) -> None:
    users = [user for user, names in imports().items() if f"dupfinder.base.settings.{name}" in names]
    assert users, f"{name} is declared, shown and saved, and nothing heeds it: nobody imports it from base.settings"


def test_every_key_that_is_used_is_declared() -> None:
    keys = {setting.key for setting in ALL}
    groups = {key.partition(".")[0] for key in keys} - {"window"}  # also how files of the window's own are named
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                group, dot, rest = node.value.partition(".")
                if dot and group in groups and rest.isidentifier() and path.name != "settings.py":
                    assert node.value in keys, f"{path}:{node.lineno}"
