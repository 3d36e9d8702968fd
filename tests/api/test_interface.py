"""The interface as a whole: it works without Qt and from a plain script, and changes only with its version."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import dupfinder.api as dupfinder
from dupfinder.base.paths import data_dir
from tests import making
from tests.scan.documents import prose, put

SCRIPT = """
import sys

class NoQt:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("PySide6", "shiboken6"):
            raise ImportError(f"{name} is not installed")

sys.meta_path.insert(0, NoQt())
import numpy as np
import dupfinder.api as dupfinder

print("begun")
letter = dupfinder.read("docs/a.txt")
print(letter.kind, str(dupfinder.fingerprint(letter))[:0])
numbers = np.arange(600_000, dtype=np.uint64)
print(len(dupfinder.batch(numbers[:1], [numbers], radius=0, workers=2)))
print([len(group.members) for group in dupfinder.scan("docs", "library.db").groups()])
with dupfinder.open_library("library.db") as library:
    print(len(library.query(letter)))
"""


def test_a_plain_script_without_a_guard_reads_scans_and_uses_processes_with_qt_not_installed(tmp_path: Path) -> None:
    for name in ("a", "b"):
        put(tmp_path / "docs" / f"{name}.txt", making.txt(prose(1)))
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, "-W", "error", "script.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == ["begun", "txt ", "1", "[2]", "1"]


def signature_of(name: str) -> str:
    """Return the signature of a name of the interface; of a class also its methods and fields."""
    value = getattr(dupfinder, name)
    if not callable(value):
        return f"{name} = {value!r}"
    if inspect.isclass(value) and issubclass(value, Exception):
        return f"{name}({', '.join(base.__name__ for base in value.__bases__)})"
    methods = sorted(part for part in dir(value) if not part.startswith("_")) if inspect.isclass(value) else []
    return f"{name}{inspect.signature(value)}{': ' if methods else ''}{' '.join(methods)}"


def test_the_interface_changes_with_its_version_alone() -> None:
    """A change here affects other programs: raise VERSION as the docstring of the package says."""
    stored = Path(__file__).with_name(f"interface-{'.'.join(map(str, dupfinder.VERSION))}.txt")
    assert "".join(f"{signature_of(name)}\n" for name in dupfinder.__all__) == stored.read_text(encoding="utf-8")


def test_every_name_says_what_it_does() -> None:
    for name in dupfinder.__all__:
        value = getattr(dupfinder, name)
        assert not callable(value) or inspect.getdoc(value), name


def test_using_texts_and_numbers_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.open", None)
    index = dupfinder.Index()
    index.add("a", dupfinder.fingerprint("the harbour was closed in winter"))
    dupfinder.compare("the harbour was closed", "the harbour was closed in winter")
    assert list(data_dir().iterdir()) == []
