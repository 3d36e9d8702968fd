"""Modules, classes and functions of a size that can be read at one go; small modules are named with their reason."""

from __future__ import annotations

import ast
import functools
from collections.abc import Mapping

from tests.architecture.sources import PACKAGE, imports, parsed

MOST_OF_A_CLASS, MOST_OF_A_FUNCTION, LEAST_OF_A_MODULE = 300, 40, 60  # lines

# Modules below the least size that one other module uses alone, and why each is an idea of its own.
SMALL: dict[str, str] = {}
READERS = "text/readers/"  # a family of documents has a reader of its own, however short


@functools.cache
def trees() -> Mapping[str, ast.Module]:
    """The syntax tree of each module, by its path below the package."""
    return {path.relative_to(PACKAGE).as_posix(): parsed(path) for path in sorted(PACKAGE.rglob("*.py"))}


@functools.cache
def uses() -> Mapping[str, frozenset[str]]:
    """The modules that each module imports, by their paths below the package."""
    paths = {
        name: (imported.removeprefix("dupfinder.").replace(".", "/") + ".py" for imported in names)
        for name, names in imports().items()
    }
    return {name: frozenset(used).intersection(imports()) - {name} for name, used in paths.items()}


def lines(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    assert node.end_lineno is not None
    return node.end_lineno - node.lineno + 1


def too_long(module: str, node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef, most: int) -> str:
    return f"{module}:{node.lineno}: split it: {node.name} has {lines(node)} lines, fewer than {most} are allowed"


def test_every_class_is_of_a_size_that_can_be_read() -> None:
    large = [
        too_long(name, node, MOST_OF_A_CLASS)
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and lines(node) >= MOST_OF_A_CLASS
    ]
    assert not large, "\n".join(large)


def test_every_function_is_of_a_size_that_can_be_read() -> None:
    large = [
        too_long(name, node, MOST_OF_A_FUNCTION)
        for name, tree in trees().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and lines(node) >= MOST_OF_A_FUNCTION
    ]
    assert not large, "\n".join(large)


def test_a_small_module_that_one_other_uses_is_part_of_it() -> None:
    users: dict[str, set[str]] = {}
    for name, used in uses().items():
        for other in used:
            users.setdefault(other, set()).add(name)
    small = {
        name
        for name in trees()
        if not name.startswith(READERS)
        and len((PACKAGE / name).read_text(encoding="utf-8").splitlines()) < LEAST_OF_A_MODULE
        and len(users.get(name, ())) == 1
    }
    assert small == set(SMALL), (
        f"join it with the module that uses it, or give its reason in SMALL: {small ^ set(SMALL)}"
    )


def test_no_modules_import_each_other_in_a_circle() -> None:
    remaining = {name: set(used) for name, used in uses().items()}
    while ends := {name for name, used in remaining.items() if not used & remaining.keys()}:
        for name in ends:
            del remaining[name]
    assert sorted(remaining) == []
