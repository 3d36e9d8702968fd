"""The commands of the manual give what it shows."""

from __future__ import annotations

import argparse
import doctest
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.base.paths import resource
from dupfinder.cli.main import build_parser
from tests import making
from tests.cli.test_verbs import Shell
from tests.scan.documents import prose, put, revised

CHECKER, FLAGS = doctest.OutputChecker(), doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def commands() -> list[tuple[str, str]]:
    """Each command of the page and what it prints."""
    page = resource("manual/commands.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    parts = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]]
    return [(part.partition("\n")[0], part.partition("\n")[2]) for part in parts]


def test_every_command_of_the_manual_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = prose(1)
    for name, paragraphs in (("a", text), ("b", text), ("c", revised(text, 1))):
        put(tmp_path / "letters" / f"{name}.txt", making.txt(paragraphs))
    put(tmp_path / "labels.csv", b"letters/a.txt,letters/b.txt,yes\nletters/b.txt,letters/c.txt,yes\n")
    monkeypatch.chdir(tmp_path)
    run = Shell(capsys)
    every = commands()
    assert len(every) > 30
    for command, shown in every:
        program, *arguments = shlex.split(command)
        said = run(*arguments)
        assert program == "dupfinder" and said.code == 0, (command, said)
        assert CHECKER.check_output(shown, said.out, FLAGS), f"{command}\n{said.out}"


def without_help(parser: argparse.ArgumentParser) -> Iterator[str]:
    """The options and arguments of a parser and its verbs that say nothing about themselves."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for verb in action.choices.values():
                yield from without_help(verb)
        elif not (action.help or "").strip():
            yield f"{parser.prog} {'/'.join(action.option_strings) or action.dest}"


def test_every_option_says_what_it_does() -> None:
    assert sorted(set(without_help(build_parser()))) == []
