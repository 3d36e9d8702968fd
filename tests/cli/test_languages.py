"""The command line speaks the person's language: what it says, its help, and what argparse itself says."""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.paths import default_library
from dupfinder.cli.main import build_parser, main
from dupfinder.cli.usage import EXAMPLES, all_verbs, choose_language
from dupfinder.report.write import ENDINGS
from dupfinder.wording import catalogue
from tests import making
from tests.cli.shell import Said, Shell
from tests.scan.documents import family, put, strangers, troubles
from tests.wording.plain import untranslated

# What no language changes, beside paths: names of options, of values that they take, and of units and formats.
_OPTION = re.compile(r"(?<![\w-])--?[a-z0][\w-]*")
_PLACE = re.compile(r"\b[A-Z][A-Z_]*\b")  # FILE, as usage names a place
_CHOICES = re.compile(r"\{[\w,.\s-]+\}|(?:[\w-]+\|)+[\w-]+")
_UNITS = re.compile(r"(?<=\d )(?:KB|MB|GB|TB|PB|kB|B|s|ms|us|ns)\b(?:/s)?|\d\d? [A-Z][a-z]{2} \d{4}")
_VALUES = (
    "direct",
    "binary",
    "interpolation",
    "xor",
    "difference",
    "tf-idf",
    "tf",
)  # of options, named as they are given
_HEX = re.compile(r"\b[0-9a-f]{8,}\b|\d{8}[-T]\w+")


def left_over(said: Said, *known: str) -> set[str]:
    """The words that a command said in no language: beside paths, options and other names."""
    return untranslated(f"{said.out}\n{said.err}", ("dupfinder", *known), (_UNITS, _OPTION, _CHOICES, _PLACE, _HEX))


def test_every_help_is_translated(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUPFINDER_LANGUAGE", catalogue.PSEUDO)
    parser = build_parser()
    verbs = [name for name, _, _ in all_verbs(parser)]
    words = {word for name in verbs for word in name.split()}
    for name in ("", "library", "index", "weights", "quarantine", *verbs):
        commands = [command for command, _ in EXAMPLES.get(name, ())]
        assert left_over(run(*name.split(), "--help"), *commands, *words) == set(), name


def test_the_manual_page_is_translated(run: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUPFINDER_LANGUAGE", catalogue.PSEUDO)
    macros = re.compile(r"^\.[A-Z]+ ?|^\.nf|^\.fi|\\f[BIR]|\\&", re.MULTILINE)
    page = macros.sub("", run("man").out).replace("\\-", "-").replace("\\(aq", "'").replace("\\(ga", "`")
    commands = [command for examples in EXAMPLES.values() for command, _ in examples]
    words = {word for name, _, _ in all_verbs(build_parser()) for word in name.split()}
    assert left_over(Said(0, page, ""), *commands, *words) == set()


@pytest.fixture
def scanned(run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Shell, Path]:
    """A scan of documents of every relation, and of files that cannot be read."""
    monkeypatch.setenv("DUPFINDER_LANGUAGE", catalogue.PSEUDO)
    docs = tmp_path / "docs"
    family(docs, 1)
    strangers(docs, 2)
    troubles(docs)
    put(docs / "same.html", making.html("A page of the town. " * 40))
    said = run("scan", docs, "--workers", "1", "--report", tmp_path / "r.html", "-v", "--format", "text")
    assert said.code == 0, said
    assert left_over(said, *names_below(tmp_path)) == set()
    return run, tmp_path


def names_below(folder: Path) -> list[str]:
    """Paths and names, which are the person's words."""
    paths = list(folder.rglob("*"))
    return [str(folder), *map(str, paths), *(path.name for path in paths), *(path.stem for path in paths)]


def test_every_verb_speaks_the_language(scanned: tuple[Shell, Path]) -> None:
    run, folder = scanned
    docs = folder / "docs"
    texts = sorted(path for path in docs.rglob("*.txt") if path.stat().st_size > 500)
    left, right = texts[0], texts[1]
    np.save(folder / "f.npy", np.arange(40, dtype=np.uint64))
    (folder / "labels.csv").write_text(f"{left},{right},yes\n")
    plan = folder / "plan.json"
    commands: list[tuple[str | Path, ...]] = [
        ("report",), ("report", "--to", folder / "r.docx", "--to", folder / "r.xlsx"), ("diff", left, right),
        ("explain", left, right), ("explain", "--library"), ("explain", "--library", "--labels", folder / "labels.csv"),
        ("query", left), ("select", "--keep", "newest", "--to", plan), ("apply", plan, "--dry-run"), ("apply", plan),
        ("history", "--files"), ("undo",), ("undo",), ("recover",), ("quarantine", "show"), ("quarantine", "empty"),
        ("library", "info"), ("library", "check"), ("library", "export", "--to", folder / "e.npz"),
        ("library", "import", folder / "e.npz", "--library", folder / "other.db"),
        ("library", "clear", "--library", folder / "other.db", "--yes"), ("library", "clear"),
        ("fingerprint", docs, "--to", folder / "p.npz", "--workers", "1", "-v"),
        ("index", "build", folder / "p.npz", "--to", folder / "named"), ("index", "info", folder / "named"),
        ("fingerprint", docs, "--to", folder / "q.npz", "--weights", "tf", "--top", "9", "--simplify"),
        ("index", "join", folder / "p.npz", "--against", folder / "q.npz"),
        ("index", "build", folder / "f.npy", "--to", folder / "tables"), ("index", "info", folder / "tables"),
        ("index", "info", folder / "f.npy"), ("index", "query", folder / "tables", "00000000000000ff"),
        ("index", "join", folder / "f.npy", "--to", folder / "pairs.npy"), ("index", "explain", folder / "f.npy"),
        ("index", "explain", folder / "f.npy", "--for", "many"),
        ("index", "explain", "--count", "8e9", "--memory", "64G"),
        ("weights", "show"), ("weights", "learn"), ("weights", "reset"),
    ]  # fmt: skip
    texts_read = {*words_in(left), *words_in(right)}
    known = (*names_below(folder), *texts_read, *_VALUES, str(default_library()))
    left_of: dict[str, set[str]] = {}
    for command in commands:
        names = names_below(default_library().parent.parent)  # the trash is there too
        words = left_over(run(*command), *known, *names, *names_below(folder))
        cut_off = {word for word in words if any(whole.startswith(word) for whole in texts_read)}  # at an excerpt's end
        if words - cut_off:
            left_of[" ".join(map(str, command))] = words
    assert left_of == {}


def words_in(path: Path) -> list[str]:
    """The words of a document, which a comparison shows."""
    return re.findall(r"[^\W\d_]{2,}", path.read_text())


@pytest.mark.parametrize(
    "command",
    [
        "scan", "scan nowhere", "scan . --radius 99", "scan . --radius many", "scan . --no-such", "nonsense", "diff a",
        "report --to x.pdf", "select --to plan.json", "apply none.json", "undo nothing", "index query a.npy xyz",
        "index explain", "weights", "explain", "scan . --report", "query", "--language xx scan", "scan . --newer soon",
        "scan . --min-size big", "report 7", "library check --library nowhere.db", "scan . --ocr xyz",
    ],
)  # fmt: skip
def test_every_refusal_speaks_the_language(
    run: Shell, command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DUPFINDER_LANGUAGE", catalogue.PSEUDO)
    monkeypatch.chdir(tmp_path)
    said = run(*command.split())
    assert said.code != 0
    verbs = {word for name, _, _ in all_verbs(build_parser()) for word in name.split()}
    known = (
        *command.split(),
        *verbs,
        *catalogue.LANGUAGES,
        *ENDINGS,
        ".pdf",
        "int",
        str(tmp_path),
        str(default_library()),
    )
    assert left_over(said, *known) == set(), said


def test_the_option_stands_before_or_after_the_verb_and_outdoes_the_environment(
    run: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "用法" in run("history", "--help").out
    for command in (("--language", "es", "history"), ("history", "--language=es"), ("history", "--language", "es")):
        assert run(*command).out == "Todavía no se ha retirado nada.\n"
    assert run("history", "--language", "en").out == "Nothing was removed yet.\n"


def test_without_a_verb_the_window_speaks_the_language_that_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUPFINDER_LANGUAGE", "zh_CN")
    monkeypatch.setattr("dupfinder.cli.main._window", lambda: 0)
    assert main(["--language", "es"]) == 0
    assert os.environ["DUPFINDER_LANGUAGE"] == "es"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "C"}, "en"),
        ({"LC_ALL": "POSIX", "LANG": "es_ES"}, "en"),
        ({"LANG": "es_AR.UTF-8"}, "es"),
        ({"LC_MESSAGES": "zh_CN.UTF-8", "LANG": "es_ES"}, "zh_CN"),
        ({"LANG": "fr_FR.UTF-8"}, "en"),
        ({"LANG": "es_ES", "DUPFINDER_LANGUAGE": "zh_CN"}, "zh_CN"),
        ({"LANG": "es_ES", "LANGUAGE": "zh_CN:en"}, "zh_CN"),
    ],
)  # fmt: skip
def test_the_language_is_the_systems(environment: dict[str, str], language: str) -> None:
    choose_language(["scan", "--", "--language", "xx"], environment)
    assert catalogue.current().language == language


def test_formats_for_programs_are_the_same_in_every_language(run: Shell, tmp_path: Path) -> None:
    family(tmp_path / "docs", 1)
    troubles(tmp_path / "docs")
    assert run("scan", tmp_path / "docs", "--workers", "1", "-q", "--language", "zh_CN").code == 0
    for form in ("json", "csv", "paths0"):
        reports = {language: run("report", "--format", form, "--language", language).out for language in ("en", "es")}
        assert reports["es"] == reports["en"] != "", form
