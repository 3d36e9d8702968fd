"""What is imported when: the command line starts light, and each layer keeps to itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys

import pytest

from tests.architecture.sources import PACKAGE, imports

HEAVY = (
    "PySide6", "shiboken6", "numpy", "jieba", "rjieba", "lxml", "pdfminer", "pypdfium2", "docx", "resiliparse",
    "Stemmer", "jinja2", "xlsxwriter", "charset_normalizer", "pebble", "psutil", "sqlite3", "rapidfuzz", "babel",
)  # fmt: skip


def imported_by(code: str) -> set[str]:
    """The top-level names of the modules in memory after some code ran in a fresh process."""
    process = subprocess.run(
        [sys.executable, "-c", f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return set(process.stdout.split())


def test_the_command_line_starts_without_anything_heavy() -> None:
    code = "import dupfinder.cli.main\nparser = dupfinder.cli.main.build_parser()"
    assert imported_by(code).isdisjoint(HEAVY)


def test_the_whole_core_works_without_the_window() -> None:
    names = [
        ".".join(("dupfinder", *path.relative_to(PACKAGE).with_suffix("").parts))
        for path in PACKAGE.rglob("*.py")
        if path.relative_to(PACKAGE).parts[0] not in ("gui",) and path.name not in ("__main__.py",)
    ]
    names = [name.removesuffix(".__init__") for name in names]
    code = "import importlib, sys\n" + f"for name in {names!r}: importlib.import_module(name)"
    assert imported_by(code).isdisjoint({"PySide6", "shiboken6"})


# Sockets between the program and its own processes: the first passes open files, the second looks for its own.
LOCAL_SOCKETS = {"processes/descriptors.py", "processes/leftovers.py"}


@pytest.mark.parametrize("module", ["socket", "urllib", "http", "ftplib", "smtplib", "requests", "PySide6.QtNetwork"])
def test_no_module_reaches_for_the_network(module: str) -> None:
    users = {
        user
        for user, names in imports().items()
        for name in names
        if (name == module or name.startswith(module + ".")) and not name.startswith("urllib.parse")
    }
    assert users == (LOCAL_SOCKETS if module == "socket" else set())


def test_window_and_command_line_remove_by_one_way_alone() -> None:
    """review/removal.py asks library and decisions before each step; `carry_out` by itself believes the plan."""
    acts = {"dupfinder.actions.apply.carry_out", "dupfinder.actions.apply.dry_run", "dupfinder.actions.undo.undo"}
    users = {user for user, names in imports().items() if not user.startswith("actions/") and names & acts}
    assert users == {"review/removal.py"}


def test_every_package_says_what_it_promises() -> None:
    for init in PACKAGE.glob("*/__init__.py"):
        assert ast.get_docstring(ast.parse(init.read_text(encoding="utf-8"))), init


def test_no_group_of_a_pattern_is_repeated_possessively() -> None:
    """Python before 3.11.5 matches `(?:ab?c)*+` wrongly; `(?>(?:ab?c)*)` means the same and is right everywhere."""
    repeated = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    assert [path for path in PACKAGE.rglob("*.py") if repeated.search(path.read_text(encoding="utf-8"))] == []
