"""The docstring of a function begins with a verb in the imperative: "Return the pairs within radius k." """

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.sources import PACKAGE, parsed

# Packages whose docstrings all follow the rule. Add a package when it does; never remove one.
PACKAGES = (
    "actions",
    "api",
    "base",
    "cli",
    "cluster",
    "diff",
    "engine",
    "fingerprint",
    "gui",
    "gui/compare",
    "gui/kit",
    "gui/results",
    "gui/shell",
    "index",
    "library",
    "processes",
    "report",
    "review",
    "scan",
    "text",
    "wording",
)
# The verbs that docstrings begin with. A list is sharper than a rule of grammar and keeps synonyms few: take a verb
# from it if one fits, else add yours.
_VERBS = """
    Add Align Allow Announce Answer Append Apply Arrange Ask Begin Bring Build Calculate Cancel Carry Change Check
    Choose Clear Close Collect Compare Complete Compute Connect Continue Copy Count Create Cut Decide Decode Define
    Delete Describe Disable Discard Do Draw Emit Enable Encode End Enter Estimate Exclude Fill Filter Find Flush
    Focus Follow Give Group Handle Hash Hide Highlight Hold Ignore Include Inform Insert Install Join Keep Kill Lay
    Learn Limit List Load Lock Look Lower Map Mark Match Measure Merge Move Open Order Pack Paint Pair Parse Pass
    Print Process Queue Raise Rank Read Rebuild Receive Recognise Record Refuse Register Release Remove Rename
    Render Repeat Replace Report Request Reserve Reset Restore Restrict Return Reuse Run Scan Score Scroll Search
    Select Send Set Shorten Show Skip Sort Split Start Stop Store Suggest Swap Take Tell Turn Undo Unpack Update Use
    Wait Wrap Write Yield
"""
VERBS = frozenset(_VERBS.split())
PROPERTIES = ("property", "cached_property", "setter")  # nouns, as attributes are


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions of a module that are not properties; Qt's own names, in camelCase, are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == node.name.lower():
            names = {getattr(item, "attr", getattr(item, "id", "")) for item in node.decorator_list}
            if names.isdisjoint(PROPERTIES):
                yield node


def _faults(tree: ast.AST) -> list[tuple[int, str]]:
    """Return the line and the first line of text of each docstring that begins with another word."""
    faults = []
    for function in _functions(tree):
        text = ast.get_docstring(function) or "Return"
        if text.split(maxsplit=1)[0].rstrip(",") not in VERBS:
            faults.append((function.lineno, text.splitlines()[0]))
    return faults


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_of_functions_begin_with_a_verb(package: str) -> None:
    faults = [
        f"{path.relative_to(PACKAGE)}:{line}: {text}"
        for path in sorted((PACKAGE / package).rglob("*.py"))
        for line, text in _faults(parsed(path))
    ]
    assert not faults, "say what the function does, beginning with a verb of VERBS:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    "text", ["The pairs.", "Whether it is.", "Returns the pairs.", "Pairs of rows.", "`name` shown."]
)
def test_other_beginnings_are_faults(text: str) -> None:
    assert _faults(ast.parse(f'def pairs():\n    """{text}"""\n'))


@pytest.mark.parametrize("text", ["Return the pairs.", "Load, check and return.", "Tell whether it is."])
def test_a_verb_is_no_fault(text: str) -> None:
    assert not _faults(ast.parse(f'def pairs():\n    """{text}"""\n'))


def test_properties_are_named_as_nouns() -> None:
    assert not _faults(ast.parse('class A:\n    @property\n    def size(self):\n        """Bytes."""\n'))
