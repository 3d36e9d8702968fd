"""Who speaks to people: the core makes codes with facts, and every sentence is in `wording` or in a front end.

And how programs speak to programmers: a name says what it holds.
"""

from __future__ import annotations

import ast
import re
import symtable
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGE, parsed

ROOT = Path(__file__).parents[2]
SILENT = ("text", "processes", "scan", "actions", "fingerprint", "cluster", "diff", "library", "index", "engine")
FRONT_ENDS = ("cli", "gui", "review", "report", "wording")

# module -> how many literals of several words in it are none that people read, and what they are.
ALLOWED = {
    "actions/plan.py": (1, "the name of the program in a plan"),
    "library/seals.py": (2, "a condition in SQL"),
    "text/extract.py": (2, "what the system's loader says"),
    "text/lines.py": (1, "words before which a hyphen stays"),
    "text/readers/office.py": (2, "names of elements and attributes"),
    "text/readers/opendocument.py": (3, "names of elements and attributes"),
    "text/readers/rtf.py": (1, "names of groups"),
}
# Errors whose messages programmers read; the front ends never show them.
_FOR_PROGRAMMERS = {"ValueError", "TypeError", "RuntimeError", "AssertionError", "KeyError", "WireError"}
_LOGGING = {"debug", "info", "warning", "error", "exception"}
_WORDS = re.compile(r"[^\W\d_]{2,} [a-zà-öø-ÿ]{2,}")
_SQL = re.compile(r"\s*(?:SELECT|AND|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|PRAGMA|WITH|CASE|BEGIN|COMMIT)\b")
_BLANKET = {"found", "one", "told"}  # words for anything: they name no local, parameter or function
_FACT = "xx"  # in the place of a value in an f-string


def clauses(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, text) of each literal that reads like words for people: two in a row, not all of them values.

    Docstrings, SQL, log messages and the messages of errors that programmers read are none.
    """
    passed = {id(part) for node in ast.walk(tree) if _is_passed_over(node) for part in ast.walk(node)}
    passed |= {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if id(node) not in passed and isinstance(node, ast.Constant | ast.JoinedStr):
            text = _text(node)
            if _SQL.match(text) is None and any(pair != f"{_FACT} {_FACT}" for pair in _WORDS.findall(text)):
                yield node.lineno, text


def _is_passed_over(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()):
            return True
        case ast.Raise(exc=ast.Call(func=ast.Name(id=name))):
            return name in _FOR_PROGRAMMERS
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attribute)):
            return name.lower().strip("_") == "log" and attribute in _LOGGING
    return False


def _text(node: ast.Constant | ast.JoinedStr) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else _FACT for part in node.values)
    return node.value if isinstance(node.value, str) else ""


def quoted_errors(tree: ast.Module) -> Iterator[int]:
    """Lines that put an error's own message into a text: `str(error)` or `{error}` of what `except` caught."""
    for handler in ast.walk(tree):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            for node in ast.walk(handler):
                match node:
                    case ast.FormattedValue(value=ast.Name(id=name)) if name == handler.name:
                        yield node.lineno
                    case ast.Call(func=ast.Name(id="str"), args=[ast.Name(id=name)]) if name == handler.name:
                        yield node.lineno


def blanket_names(scope: symtable.SymbolTable) -> Iterator[tuple[int, str]]:
    """(line of its scope, name) of each local, parameter and function named by a blanket word; fields are none."""
    for name in _BLANKET.intersection(scope.get_identifiers() if scope.get_type() != "class" else ()):
        if scope.lookup(name).is_assigned() or scope.lookup(name).is_parameter():
            yield scope.get_lineno(), name
    for inner in scope.get_children():
        yield from blanket_names(inner)


def modules(packages: tuple[str, ...]) -> list[Path]:
    return sorted(path for package in packages for path in (PACKAGE / package).rglob("*.py"))


def test_the_core_makes_no_sentence_for_people() -> None:
    texts_of = {path: list(clauses(parsed(path))) for path in modules(SILENT)}
    speaking = {path.relative_to(PACKAGE).as_posix(): texts for path, texts in texts_of.items() if texts}
    for name, texts in speaking.items():
        assert len(texts) == ALLOWED.get(name, (0, ""))[0], f"{name}: give codes with facts, and word them in wording/"
    assert set(ALLOWED) == set(speaking)


def test_front_ends_show_no_message_of_an_error_as_it_is() -> None:
    quoting = {
        (path.relative_to(PACKAGE).as_posix(), line)
        for path in modules(FRONT_ENDS)
        for line in quoted_errors(parsed(path))
    }
    assert quoting == set()


@pytest.mark.parametrize("folder", ["dupfinder", "packaging", "tests"])
def test_names_say_what_they_hold(folder: str) -> None:
    blanket = [
        f"{path.relative_to(ROOT)}:{line}: {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in blanket_names(symtable.symtable(path.read_text(encoding="utf-8"), path.name, "exec"))
    ]
    assert blanket == []


def test_no_two_classes_share_a_name() -> None:
    names = [
        node.name.lstrip("_")
        for path in PACKAGE.rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
    ]
    assert {name for name, count in Counter(names).items() if count > 1} == set()


@pytest.mark.parametrize(
    "line",
    [
        'raise Unreadable(ProblemKind.DAMAGED, "its packed bytes are damaged")',
        'raise Unreadable(ProblemKind.TOO_LARGE, f"{size} bytes, over the limit of {most}")',
        'detail = "a hidden file"',
        'return Entry(stamp, False, refused, f"after {seconds:.0f} s of waiting")',
        'note = f"{len(pages)} pages read"',
        'yield replace(member, detail="it reaches beyond the archive")',
        'raise UsageError("There is no such plan.")',
        'return f"no such member in {name}" if name else "gone for good"',
        """return f"{name}{' is an archive' if known else ''}" """,
    ],
)
def test_a_clause_for_people_is_noticed(line: str) -> None:
    assert list(clauses(ast.parse(f"def work():\n    {line}\n")))


@pytest.mark.parametrize(
    "line",
    [
        '"""Say what is done here, and for whom."""',
        'raise ValueError(f"a radius of {radius} is out of range")',
        '_log.debug("%s failed with %s", reader, kind)',
        'rows = connection.execute("SELECT id FROM document WHERE id = ?")',
        "raise Unreadable(ProblemKind.DAMAGED, Clause.CUT_OFF)",
        'name = f"{left} {right}"',
        'kind = "too_large"',
    ],
)
def test_what_people_do_not_read_is_passed_over(line: str) -> None:
    assert not list(clauses(ast.parse(f"def work():\n    {line}\n")))


def test_an_error_that_is_quoted_is_noticed() -> None:
    for shown in ('f"--design: {error}"', "str(error)"):
        quoting = f"try:\n    work()\nexcept ValueError as error:\n    raise UsageError({shown})\n"
        assert list(quoted_errors(ast.parse(quoting)))
    naming = "try:\n    work()\nexcept OSError as error:\n    say(error_name(error))\n"
    assert not list(quoted_errors(ast.parse(naming)))


def test_a_blanket_name_is_noticed() -> None:
    for line in ("found = 1", "for one in rows: pass", "total = sum(one for one in rows)", "def told(): pass",
                 "act = lambda found: found", "if told := read(): pass", "def act(one): pass"):  # fmt: skip
        assert list(blanket_names(symtable.symtable(line, "", "exec")))
    fields = "class Refusal:\n    found: str\npairs = [row.found for row in rows]"
    assert not list(blanket_names(symtable.symtable(fields, "", "exec")))
