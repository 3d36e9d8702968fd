"""The pages and docstrings of the interface do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import dupfinder.api
from dupfinder.base.paths import resource
from tests import making
from tests.scan.documents import prose, put, revised

MODULES = [
    "dupfinder.api",
    *(f"dupfinder.api.{module.name}" for module in pkgutil.iter_modules(dupfinder.api.__path__)),
]
FLAGS = doctest.ELLIPSIS


@pytest.fixture
def letters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write the files that the examples use."""
    (tmp_path / "letter.html").write_text("<title>A letter</title><p>The harbour is closed.</p>", encoding="utf-8")
    (tmp_path / "letter.txt").write_text("The harbour is closed.", encoding="utf-8")
    text = prose(1)
    put(tmp_path / "letters" / "a.txt", making.txt(text))
    put(tmp_path / "letters" / "b.txt", making.txt(text))
    put(tmp_path / "letters" / "c.txt", making.txt(revised(text, 1)))
    put(tmp_path / "labels.csv", b"letters/a.txt,letters/c.txt,yes\n")
    monkeypatch.chdir(tmp_path)


def failures(test: doctest.DocTest) -> str:
    report: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=report.append)
    return "".join(report)


@pytest.mark.usefixtures("letters")
def test_every_example_of_the_manual_gives_what_it_shows() -> None:
    page = resource("manual/api.md").read_text(encoding="utf-8")
    test = doctest.DocTestParser().get_doctest(page, {}, "api.md", "api.md", 0)
    assert len(test.examples) > 50
    assert failures(test) == ""


@pytest.mark.parametrize("name", MODULES)
def test_every_example_of_a_docstring_gives_what_it_shows(name: str) -> None:
    for test in doctest.DocTestFinder(recurse=True).find(importlib.import_module(name)):
        assert failures(test) == ""


def test_the_manual_names_everything_of_the_interface() -> None:
    page = resource("manual/api.md").read_text(encoding="utf-8")
    spoken = {
        "Document",
        "Fingerprint",
        "Comparison",
        "Match",
        "KeyPair",
        "SketchMatch",
        "SketchPair",
        "Scan",
        "Library",
    }
    spoken |= {"Fingerprints", "Sketch", "Capacity", "DiskIndex"}  # what functions of the page give
    assert [name for name in dupfinder.api.__all__ if name not in page and name not in spoken] == []
