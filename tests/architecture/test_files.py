"""Who may move, remove or write a file: `actions` alone touches those of people, and each other place is named here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.sources import PACKAGE, parsed

FREE = ("actions", "library")  # the one acts on people's files by plan and journal, the other on files of its own

# module -> what it does to files, and why these are none of a person's.
ALLOWED = {
    "base/files.py": (
        "os.rename",
        "os.replace",
        "os.unlink",
        "shutil.rmtree",
        "unlink",
        "writes",
        "whatever the modules that call it are allowed below; the id of a lock's holder; and what a killed program of "
        "the same person left: temporary folders and incomplete reports, by their lock",
    ),
    "base/output.py": (
        "os.link",
        "os.replace",
        "os.unlink",
        "writes",
        "a report or plan, written beside its place, which is absent, ours, or forced; no document's",
    ),
    "base/settings.py": ("write_whole", "the settings' own file"),
    "cli/main.py": ("writes", "the null device, which takes the place of output that nobody reads"),
    "gui/shell/starting.py": ("write_whole", "unlink", "writes", "the note that asks the first window to the front"),
    "engine/blocks.py": ("write_whole", "a compressed table, written beside its place"),
    "engine/sorted_run.py": ("write_whole", "the files of a run of an index, written beside their place"),
    "engine/growing.py": (
        "os.rename",
        "shutil.rmtree",
        "writes",
        "unlink",
        "a new folder of an index, the half-written one of its own, and in it files that its manifest does not name",
    ),
    "fingerprint/weights.py": ("write_whole", "a table of learned weights, a file of the program's own"),
    "scan/weights.py": ("write_whole", "what was learned of the words, a file of the program's own"),
    "processes/leftovers.py": (
        "shutil.rmtree",
        "the temporary folder of a program that was killed, made by multiprocessing",
    ),
    "engine/remote.py": ("writes", "a mark in its own folder, by which machines know that they share it"),
    "processes/crew.py": ("unlink", "write_whole", "its own temporary folder, by which processes share arrays"),
    "processes/worker.py": ("writes", "the null device, which takes the place of standard output"),
}
_METHODS = frozenset({"unlink", "rename", "rmdir", "hardlink_to", "symlink_to", "link_to", "rmtree", "touch", "chmod"})
_CALLS = frozenset(
    {"os.remove", "os.unlink", "os.rename", "os.renames", "os.replace", "os.rmdir", "os.removedirs", "os.link",
     "os.symlink", "os.truncate", "os.chmod", "os.utime", "shutil.move", "shutil.rmtree", "shutil.copyfile",
     "shutil.copy", "shutil.copy2", "send2trash.send2trash", "send2trash"}
)  # fmt: skip


def modules() -> list[Path]:
    return sorted(path for path in PACKAGE.rglob("*.py") if path.relative_to(PACKAGE).parts[0] not in FREE)


def acts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """(line, what is done) of each call in a module that moves, removes, makes or writes a file."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if name in _CALLS:
            yield node.lineno, name
        elif method in _METHODS:
            yield node.lineno, method
        elif name == "write_whole":
            yield node.lineno, name
        elif method == "replace" and len(node.args) == 1 and not node.keywords:
            yield node.lineno, "replace"  # of a path: that of a text takes two, that of a date names its fields
        elif _writes(node, name, method):
            yield node.lineno, "writes"


def _writes(node: ast.Call, name: str, method: str) -> bool:
    if method in ("write_text", "write_bytes"):
        return True
    if name not in ("open", "io.open", "os.fdopen") and method != "open":
        return False
    modes = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
    if name == "os.open" or method == "open":
        return name == "os.open" and any(flag in ast.unparse(node) for flag in ("O_WRONLY", "O_RDWR", "O_CREAT"))
    return any(isinstance(mode, ast.Constant) and set(str(mode.value)) & set("wax+") for mode in modes)


def test_the_list_names_modules_that_are_there_and_do_what_it_says() -> None:
    for name, allowed in ALLOWED.items():
        if not (PACKAGE / name).exists():
            continue
        done = {act for _, act in acts(parsed(PACKAGE / name))}
        assert done <= set(allowed) and done, name


@pytest.mark.parametrize("module", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_module_but_those_named_touches_files(module: Path) -> None:
    name = module.relative_to(PACKAGE).as_posix()
    allowed = ALLOWED.get(name, ())
    faults = [(line, act) for line, act in acts(parsed(module)) if act not in allowed]
    assert faults == [], f"{name} may not do this to files; people's files are the business of actions/ alone"


@pytest.mark.parametrize(
    ("source", "act"),
    [
        ("write_whole(path, [b''])", "write_whole"),
        ("path.unlink()", "unlink"), ("path.rename(other)", "rename"), ("path.replace(other)", "replace"),
        ("folder.rmdir()", "rmdir"), ("os.remove(path)", "os.remove"), ("os.rename(a, b)", "os.rename"),
        ("os.replace(a, b)", "os.replace"), ("shutil.rmtree(folder)", "shutil.rmtree"), ("open(path, 'w')", "writes"),
        ("open(path, mode='ab')", "writes"), ("path.write_text('x')", "writes"), ("os.link(a, b)", "os.link"),
        ("os.open(path, os.O_WRONLY)", "writes"), ("open(path, 'r+b')", "writes"),
    ],
)  # fmt: skip
def test_the_watch_sees_each_act(source: str, act: str) -> None:
    assert list(acts(ast.parse(source))) == [(1, act)]


@pytest.mark.parametrize(
    "source",
    ["text.replace('a', 'b')", "moment.replace(tzinfo=UTC)", "replace(row, size=1)", "open(path)", "open(path, 'rb')",
     "dataclasses.replace(row, size=1)", "os.open(path, os.O_RDONLY)", "webbrowser.open(url, new=2)"],
)  # fmt: skip
def test_the_watch_leaves_what_is_harmless(source: str) -> None:
    assert list(acts(ast.parse(source))) == []
