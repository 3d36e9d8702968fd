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
from tests.cli.shell import Shell
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
    for seed in range(2, 26):  # weights are learned of twenty documents and more
        put(tmp_path / "office" / f"{seed}.txt", making.txt(prose(seed)))
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


def test_every_algorithm_has_an_example_of_a_command_and_of_a_call() -> None:
    page, interface = (resource(f"manual/{name}.md").read_text(encoding="utf-8") for name in ("algorithms", "api"))
    calls = "\n".join(re.findall(r"^(?:>>>|\.\.\.) (.*)", interface, re.MULTILINE))
    shown = "\n".join(command for command, _ in commands())
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 25
    for row in rows:
        _, by_command, by_call = row
        examples = [(words, shown) for words in re.findall("`(.*?)`", by_command)]
        examples += [(words, calls) for words in re.findall("`(.*?)`", by_call)]
        assert [words for words, where in examples if words not in where] == []
        assert re.findall("`(.*?)`", by_command) and re.findall("`(.*?)`", by_call), row


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
