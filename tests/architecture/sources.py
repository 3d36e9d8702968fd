"""The modules of the program as syntax trees, and what each imports: parsed once for all tests."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping
from pathlib import Path

import dupfinder

PACKAGE = Path(dupfinder.__file__).parent


@functools.cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a module."""
    return ast.parse(path.read_text(encoding="utf-8"))


@functools.cache
def imports() -> Mapping[str, frozenset[str]]:
    """Return the full names that each module imports, by its path below the package."""
    return {path.relative_to(PACKAGE).as_posix(): _imported(path) for path in sorted(PACKAGE.rglob("*.py"))}


def _imported(path: Path) -> frozenset[str]:
    names: set[str] = set()
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            names.update(name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.update((node.module, *(f"{node.module}.{name.name}" for name in node.names)))
    return frozenset(names)
