"""`make mutants T=dupfinder/cluster/relation.py`: does some test notice when a number or a comparison is another?

Every number of a module is made larger and smaller, and every comparison is turned into its neighbour (< into <=, ==
into !=, and so on), one at a time, in a copy of the project. The tests of the verdict on two documents then run until
one fails. What no test notices is printed, and may be looked at by its place.
"""

from __future__ import annotations

import argparse
import ast
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

TESTS = ("tests/cluster", "tests/scan/test_matching.py", "tests/scan/test_earlier.py")
SECONDS = 300  # for the tests of one mutant, which may be one that never ends
_COPIED = ("dupfinder", "tests", "resources", "pyproject.toml")
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
    "_MEETINGS": "bounds the time of a search for passages in libraries with more pairs than the budget",
    "_HELD": "orders shingles of so many documents alike; that such numbers fit 16 bits is tested",
    "_MOST_REMAINING": "asks for so many shared shingles at most; that such numbers fit 16 bits is tested",
    "_BLOCK": "bounds the memory of one step",
    "_LOCAL": "bounds the documents of one step; each has a number of 16 bits",
    "used = held[places] > 1": "a value that one document alone holds proposes nothing, and is left out to save time",
    "places = part[after[part] > 0]": "the same",
    "order, meetings = _order(sets), 0": "one more or less of some millions that may be met",
    "limits.check(len(keys[0]), meetings)": "a look ahead at what the last look finds",
    "ranked = np.argsort(sets.values": "documents have numbers of 31 bits; that values need all of 32 is tested",
    "mixed = (owners.astype": "any number but 0 that no document has",
    "mixed ^= mixed >>": "any shift mixes the halves of a hash",
    "chosen = lengths > 1": "a value that one document alone holds proposes nothing",
    "low = sets.values & np.uint32(_MARKS": "what is let through by chance is left out later",
    "some = sets.sizes > 0": "which of two equal documents is the smaller one",
    "first = np.flatnonzero((after >= needed) & (behind": "the last of equal values has nobody behind it",
    "while start < len(first)": "a last block of none",
    "base = int(costs[start - 1])": "bounds the memory of one block",
    "stop = max(start + 1": "bounds the memory of one block",
    "return [_distinct(keys)] if sum": "bounds the memory between two blocks",
    "_MARKS": "bounds a table of what may be looked up; what is let through by chance is left out later",
    "_MIX": "any large odd number spreads the bits of a hash",
    "limits = _Limits(": "the number of partners is a power of four",
    "partners //= 4": "how quickly the search gives way where there are too many pairs",
    "too_long = meetings": "bounds the time of a search in libraries with more pairs than the budget",
    "complete = np.log2(": "whether the one value at the bound itself is looked at",
    "alike = shares.resemblance + margin": "two texts that are alike by half have more than half of each other",
    "held: tuple[int, Hashes] = (-1": "any number does that no document has",
    "keys[nameless, 1] =": "either half of a name does, the other is 0",
    "today = np.full(before, -1": "any number below 0 does",
    "turned = left > right": "no text is paired with itself",
    "return np.maximum(1, np.ceil(least": "what is looked up is shared by one at least; a billionth is for rounding",
    "return 1 << max(0, -(-len(values)": "any number of parts does",
    "if level == 0 and len(documents) ==": "a way out that saves a copy",
    "lengths = runs(keys >>": "places have 31 bits at most",
    "stop = int(np.searchsorted(sets.starts": "bounds the memory of one step",
    "_CELLS": "bounds the memory of one step",
    "MEASURING": "a mark in the library: any number does that no earlier measuring has",
    "step = max(": "rows of one step",
    "if cells > MOST_CELLS or": "ways out that save time: what they answer at their border is tested",
    "return int(np.minimum(*(np.bincount": "any length does that holds all codes",
    "for run_i, run_j, length in [": "the length of the end of both texts is not used",
    "if number % ": "how often a job looks whether it is to stop",
    "reporter.tell(": "what is told of the progress",
    "return xxh3(content.tobytes()) or 1": "any number but 0 does",
    "if other in place and number < place[other]": "no document is a partner of itself",
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
    program = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    environment = {**os.environ, "PYTHONPATH": str(project)}
    try:
        ended = subprocess.run(program, cwd=project, env=environment, timeout=SECONDS, check=False, capture_output=True)
    except subprocess.TimeoutExpired:
        return True
    return ended.returncode != 0


def tests_of(target: str) -> list[str]:
    """The files of tests, those named after the module first."""
    files = [
        path for test in TESTS for path in ([Path(test)] if test.endswith(".py") else sorted(Path(test).iterdir()))
    ]
    named = [path.as_posix() for path in files if path.name.startswith("test_")]
    return sorted(named, key=lambda name: Path(target).stem not in name)


def main() -> int:
    """Try every mutant of a module; 1 when some survive."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("target", help="a module, as in dupfinder/cluster/relation.py")
    parser.add_argument("--from-line", type=int, default=1, help="leave out what stands before this line")
    arguments = parser.parse_args()
    source = Path(arguments.target).read_text(encoding="utf-8")
    survivors = tried = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in _COPIED:
            ignored = shutil.ignore_patterns("__pycache__")
            if Path(name).is_dir():
                shutil.copytree(name, Path(folder) / name, ignore=ignored)
            else:
                shutil.copy(name, folder)
        target, tests = Path(folder) / arguments.target, tests_of(arguments.target)
        if is_noticed(Path(folder), tests):
            print("The tests fail without any change.", file=sys.stderr)
            return 2
        for mutant in mutants(source):
            if mutant.line < arguments.from_line:
                continue
            tried += 1
            target.write_text(mutant.applied(source), encoding="utf-8")
            if not is_noticed(Path(folder), tests):
                survivors += 1
                line = source.splitlines()[mutant.line - 1].strip()
                print(f"{arguments.target}:{mutant.line}: {mutant.before} -> {mutant.after}   in   {line}", flush=True)
        target.write_text(source, encoding="utf-8")
    print(f"{tried} mutants of {arguments.target}, {survivors} not noticed.")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
