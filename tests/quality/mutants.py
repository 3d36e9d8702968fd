"""`make mutants T=dupfinder/cluster/relation.py`: does some test notice when a number or a comparison is another?

Every number of a module is made larger and smaller, and every comparison is turned into its neighbour (< into <=, ==
into !=, and so on), one at a time, in a copy of the project. The tests that name the module then run until one fails.
Of a package, as in T=dupfinder/cluster, a fixed sample of all its mutants is tried. What no test notices is printed,
and may be looked at by its place.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SECONDS = 300  # for the tests of one mutant, which may be one that never ends
SAMPLE = 25  # mutants of a package
_COPIED = (".github", "dupfinder", "packaging", "resources", "tests", "Makefile", "README.md", "pyproject.toml")
_NEIGHBOURS: dict[type[ast.cmpop], tuple[str, str]] = {
    ast.Lt: ("<", "<="),
    ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="),
    ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="),
    ast.NotEq: ("!=", "=="),
}

# By the beginning of the line on which they stand: numbers that change the time or the memory a result takes, never it.
SAME_RESULT: dict[str, str] = {
    "MOST_CELLS": "bounds the time of one alignment; only texts of some 20,000 words without a common one reach it",
    "PAIRS_OVER": "bounds the pairs that are measured in libraries that go beyond the budget",
    "MOST_PARTNERS": "bounds the pairs that one shingle of very many documents proposes",
    "_HELD": "orders shingles of so many documents alike; that such numbers fit 16 bits is tested",
    "_MOST_REMAINING": "asks for so many shared shingles at most; that such numbers fit 16 bits is tested",
    "_BLOCK": "bounds the memory of one step",
    "_LOCAL": "bounds the documents of one step; each has a number of 16 bits",
    "mixed = (owners.astype": "any number but 0 that no document has",
    "mixed ^= mixed >>": "any shift mixes the halves of a hash",
    "chosen = lengths > 1": "a value that one document alone holds proposes nothing",
    "while start < len(first)": "a last block of none",
    "base = int(costs[start - 1])": "bounds the memory of one block",
    "stop = max(start + 1": "bounds the memory of one block",
    "return [_distinct(keys)] if sum": "bounds the memory between two blocks",
    "_MARKS": "bounds a table of what may be looked up; what is let through by chance is left out later",
    "_MIX": "any large odd number spreads the bits of a hash",
    "limits = _Limits(": "the number of partners is a power of four",
    "partners //= 4": "how quickly the search gives way where there are too many pairs",
    "today = np.full(before, -1": "any number below 0 does",
    "return np.maximum(1, np.ceil(least": "what is looked up is shared by one at least; a billionth is for rounding",
    "_CELLS": "bounds the memory of one step",
    "MEASURING": "a mark in the library: any number does that no earlier measuring has",
    "step = max(": "rows of one step",
    "for run_i, run_j, length in [": "the length of the end of both texts is not used",
    "if number % ": "how often a job looks whether it is to stop",
    "reporter.tell(": "what is told of the progress",
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change to a source: the line and column of what is replaced, and the text of before and after."""

    line: int
    column: int
    before: str
    after: str

    def applied(self, source: str) -> str:
        """The source with the change."""
        lines = source.splitlines(keepends=True)
        row = lines[self.line - 1].encode()
        assert row[self.column :].startswith(self.before.encode()), self
        lines[self.line - 1] = (
            row[: self.column] + self.after.encode() + row[self.column + len(self.before) :]
        ).decode()
        return "".join(lines)


def mutants(source: str) -> Iterator[Mutant]:
    """Every changed number and comparison of a source, in the order of lines, but for those of SAME_RESULT."""
    made = [change for node in ast.walk(ast.parse(source)) for change in _changes(node, source)]
    lines = source.splitlines()
    for mutant in sorted(made, key=lambda mutant: (mutant.line, mutant.column, mutant.after)):
        if not lines[mutant.line - 1].lstrip().startswith(tuple(SAME_RESULT)):
            yield mutant


def _changes(node: ast.AST, source: str) -> Iterator[Mutant]:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
        text = ast.get_source_segment(source, node)
        assert text is not None
        for value in _moved(node.value):
            yield Mutant(node.lineno, node.col_offset, text, value)
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        for left, right, operator in zip(sides, sides[1:], node.ops, strict=False):
            if type(operator) in _NEIGHBOURS and left.end_lineno == right.lineno:
                before, after = _NEIGHBOURS[type(operator)]
                assert left.end_lineno is not None and left.end_col_offset is not None
                row = source.splitlines()[left.end_lineno - 1].encode()
                yield Mutant(left.end_lineno, row.index(before.encode(), left.end_col_offset), before, after)


def _moved(value: float) -> tuple[str, str]:
    """Return a number a tenth larger and smaller; a whole number, and 0, by one."""
    if isinstance(value, int) or not value:
        return str(value + 1), f"({value - 1})"
    return str(value * 1.1), str(value * 0.9)


def is_noticed(project: Path, tests: Sequence[str]) -> bool:
    """Whether a test fails in a copy of the project. Tests that do not end count as failing."""
    program = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "not slow", *tests]
    environment = {**os.environ, "PYTHONPATH": str(project), "QT_QPA_PLATFORM": "offscreen"}
    try:
        ended = subprocess.run(program, cwd=project, env=environment, timeout=SECONDS, check=False, capture_output=True)
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


def tests_of(module: Path) -> list[str]:
    """The files of tests of a module's package that name it, those called after it first; else all of the package."""
    dotted, name = ".".join(module.with_suffix("").parts), module.stem
    naming = re.compile(rf"{re.escape(dotted)}\b|import .*\b{name}\b")
    files = sorted(Path("tests", module.parts[1]).rglob("test_*.py"))
    named = [path.as_posix() for path in files if naming.search(path.read_text("utf-8"))]
    return sorted(named or [path.as_posix() for path in files], key=lambda path: name not in Path(path).name)


def chosen(target: Path) -> list[tuple[Path, Mutant]]:
    """All mutants of a module, or a sample of those of a package, the same each time."""
    modules = sorted(target.rglob("*.py")) if target.is_dir() else [target]
    every = [(module, mutant) for module in modules for mutant in mutants(module.read_text("utf-8"))]
    if not target.is_dir() or len(every) <= SAMPLE:
        return every
    return sorted(random.Random(7).sample(every, SAMPLE), key=_place)


def _place(change: tuple[Path, Mutant]) -> tuple[Path, int, int]:
    module, mutant = change
    return module, mutant.line, mutant.column


def main() -> int:
    """Try the mutants of a module or package; 1 when some survive."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("target", type=Path, help="a module or package, as in dupfinder/cluster/relation.py")
    every = chosen(parser.parse_args().target)
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in _COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            if Path(name).is_dir():
                shutil.copytree(name, Path(folder) / name, ignore=ignored)
            else:
                shutil.copy(name, folder)
        for module in sorted({module for module, _ in every}):
            if is_noticed(Path(folder), tests_of(module)):
                print(f"The tests of {module} fail without any change.", file=sys.stderr)
                return 2
        for module, mutant in every:
            source = module.read_text("utf-8")
            Path(folder, module).write_text(mutant.applied(source), encoding="utf-8")
            if not is_noticed(Path(folder), tests_of(module)):
                survivors += 1
                line = source.splitlines()[mutant.line - 1].strip()
                print(f"{module}:{mutant.line}: {mutant.before} -> {mutant.after}   in   {line}", flush=True)
            Path(folder, module).write_text(source, encoding="utf-8")
    print(f"{len(every)} mutants, {len(every) - survivors} noticed.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
