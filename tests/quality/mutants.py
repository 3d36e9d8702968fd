"""`make mutants T=dupfinder/cluster/relation.py`: does some test notice when a number or a comparison is another?

Every number of a module is made larger and smaller, and every comparison is turned into its neighbour (< into <=, ==
into !=, and so on), one at a time, in a copy of the project. Of a package, as in T=dupfinder/cluster, a fixed sample of
all its mutants is tried. What no test notices is printed, and may be looked at by its place.

The tests of the package run once without any change, which shows the tests that run each line. A mutant is tried on
those of its line, the quickest first, until BOUND seconds are spent or one fails.
"""

from __future__ import annotations

import argparse
import ast
import os
import pickle
import random
import re
import shutil
import subprocess
import sys
import tempfile
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from pathlib import Path

BOUND = 10  # seconds of the tests of one mutant, by what they took without any change
PATIENCE = 3  # times as long, and START more, may they take before the mutant counts as one that never ends
START = 30  # seconds until the first test runs, on a busy machine
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
    "HUBS": "bounds the pairs that one shingle of very many documents proposes",
    "_HELD": "orders shingles of so many documents alike; that such numbers fit 16 bits is tested",
    "_MOST_REMAINING": "asks for so many shared shingles at most; that such numbers fit 16 bits is tested",
    "_BLOCK": "bounds the memory of one step",
    "_LOCAL": "bounds the documents of one step; each has a number of 16 bits",
    "mixed = (owners.astype": "any number but 0 that no document has",
    "mixed ^= mixed >>": "any shift mixes the halves of a hash",
    "while start < len(first)": "a last block of none",
    "stop = max(start + 1": "bounds the memory of one block",
    "return [_distinct(keys)] if sum": "bounds the memory between two blocks",
    "_MARKS": "bounds a table of what may be looked up; what is let through by chance is left out later",
    "limits = _SearchLimits(": "the number of partners is a power of four",
    "partners //= 4": "how quickly the search gives way where there are too many pairs",
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


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the tests of a package showed without any change. A test has the name that pytest gives it.

    seconds: how long each test took, its fixtures included.
    runners: the tests that run a line, by the module's path and the line. Lines run in other processes are not seen.
    """

    seconds: dict[str, float]
    runners: dict[str, dict[int, list[str]]]

    def tests(self, module: Path, line: int) -> list[str]:
        """The tests of a line, the quickest first; of a line that no test runs, those of the files naming the module.

        A line outside of functions runs at the import, for every test: those that run the module otherwise go first.
        """
        lines, runners = lines_of(module.read_text("utf-8"), line), self.runners[module.as_posix()]
        if lines is None:
            running, others = {test for tests in runners.values() for test in tests}, set(self.seconds)
        else:
            running = {test for number in lines for test in runners.get(number, ())}
            files = () if running else naming(module)
            others = {test for test in self.seconds if test.partition("::")[0] in files}
        return sorted(running | others, key=lambda test: (test not in running, self.seconds[test]))

    def within_bound(self, tests: Sequence[str]) -> list[str]:
        """The first of the tests, one at least, that take BOUND seconds together; in the order of the whole run."""
        spent = list(accumulate(self.seconds[test] for test in tests))
        first = set(tests[: max(1, bisect_right(spent, BOUND))])
        return [test for test in self.seconds if test in first]


class Outcome(StrEnum):
    """What the tests say of a mutant."""

    FAILED = "noticed"
    ENDLESS = "never ended"
    PASSED = "not noticed"


def lines_of(source: str, line: int) -> range | None:
    """The lines from the beginning of a line's statement to this line; None for a line outside of functions."""
    statements = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    functions = [node for node in statements if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not any(node.body[0].lineno <= line <= (node.end_lineno or 0) for node in functions):
        return None
    first = max(node.lineno for node in statements if node.lineno <= line <= (node.end_lineno or 0))
    return range(first, line + 1)


def naming(module: Path) -> set[str]:
    """The files of tests of a module's package that name it; else all of the package."""
    dotted, name = ".".join(module.with_suffix("").parts), module.stem
    name_of_it = re.compile(rf"{re.escape(dotted)}\b|import .*\b{name}\b")
    files = list(Path("tests", module.parts[1]).rglob("test_*.py"))
    named = [path for path in files if name_of_it.search(path.read_text("utf-8"))]
    return {path.as_posix() for path in named or files}


def learn(project: Path, package: str, modules: Sequence[str]) -> Learnt | None:
    """Run the tests of a package in a copy of the project; None when one fails."""
    answer = project / "learnt"
    program = [sys.executable, "-m", "tests.quality.learning", str(answer), f"tests/{package}", *modules]
    if subprocess.run(program, cwd=project, env=_environment(project), stdout=sys.stderr, check=False).returncode:
        return None
    learnt = Learnt(*pickle.loads(answer.read_bytes()))
    names = list(learnt.seconds)
    assert tried(project, names, START + BOUND, "--collect-only") is Outcome.PASSED, "a test is not found by its name"
    return learnt


def tried(project: Path, tests: Sequence[str], seconds: float, *options: str) -> Outcome:
    """Run tests in a copy of the project until one fails or the seconds are over."""
    names = project / "tests.txt"
    names.write_text("\n".join(tests), encoding="utf-8")
    program = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *options, f"@{names}"]
    environment, quiet = _environment(project), subprocess.DEVNULL
    try:
        ended = subprocess.run(
            program, cwd=project, env=environment, timeout=seconds, check=False, stdout=quiet, stderr=quiet
        )
    except subprocess.TimeoutExpired:
        return Outcome.ENDLESS
    return Outcome.FAILED if ended.returncode else Outcome.PASSED


def _environment(project: Path) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(project), "QT_QPA_PLATFORM": "offscreen"}


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
    target: Path = parser.parse_args().target
    every = chosen(target)
    outcomes: Counter[Outcome] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder)
        for name in _COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            if Path(name).is_dir():
                shutil.copytree(name, project / name, ignore=ignored)
            else:
                shutil.copy(name, project)
        learnt = learn(project, target.parts[1], sorted({module.as_posix() for module, _ in every}))
        if learnt is None:
            print(f"The tests of {target} fail without any change.", file=sys.stderr)
            return 2
        for module, mutant in every:
            outcomes[_try(project, module, mutant, learnt)] += 1
    survivors = outcomes[Outcome.PASSED]
    endless = f", {outcomes[Outcome.ENDLESS]} of them by not ending" if outcomes[Outcome.ENDLESS] else ""
    print(f"{len(every)} mutants, {len(every) - survivors} noticed{endless}.")
    return 1 if survivors else 0


def _try(project: Path, module: Path, mutant: Mutant, learnt: Learnt) -> Outcome:
    """Run the tests of a mutant's line on it, and print the mutant when they pass."""
    source = module.read_text("utf-8")
    tests = learnt.tests(module, mutant.line)
    within = learnt.within_bound(tests)
    patience = PATIENCE * sum(learnt.seconds[test] for test in within) + START
    (project / module).write_text(mutant.applied(source), encoding="utf-8")
    outcome = tried(project, within, patience)
    (project / module).write_text(source, encoding="utf-8")
    if outcome is Outcome.PASSED:
        line = source.splitlines()[mutant.line - 1].strip()
        left_out = f"   ({len(tests) - len(within)} of {len(tests)} tests left out)" if len(within) < len(tests) else ""
        print(
            f"{module}:{mutant.line}:{mutant.column + 1}: {mutant.before} -> {mutant.after}   in   {line}{left_out}",
            flush=True,
        )
    return outcome


if __name__ == "__main__":
    sys.exit(main())
