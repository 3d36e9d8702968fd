"""The verbs `completion` and `man`: completion for shells, and the manual page, both generated from the parsers."""

from __future__ import annotations

import argparse
import re
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from dupfinder import __version__
from dupfinder.cli.usage import EXAMPLES, EXIT_CODES, below, every, places, shown_options
from dupfinder.wording.catalogue import say

_SHELLS: Final = ("bash", "zsh", "fish")


def add_parsers(verbs: Any, parser: argparse.ArgumentParser) -> None:
    """Add `completion` and `man`, which describe `parser`, that of the whole command line."""
    completion = verbs.add_parser("completion", help=say("print what a shell needs to complete verbs and options"))
    completion.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=say("bash, zsh or fish"))
    completion.set_defaults(run=partial(_completion, parser))
    man = verbs.add_parser("man", help=say("print the manual page, for man"))
    man.set_defaults(run=partial(_man, parser))


@dataclass(frozen=True, slots=True)
class _Command:
    """A word of the command line and what may follow it.

    path: the verbs up to it. verbs, options: names with descriptions. choices: the values of the argument or option, by
    its name ("" for the argument).
    """

    path: str
    verbs: dict[str, str]
    options: dict[str, str]
    choices: dict[str, list[str]]
    taking: list[str]  # options that take a value


def _commands(parser: argparse.ArgumentParser, path: str = "") -> Iterator[_Command]:
    verbs = below(parser)
    options, choices, taking = dict[str, str](), dict[str, list[str]](), list[str]()
    for action in shown_options(parser):
        for option in action.option_strings:
            options[option] = _plain(action.help or "")
            if action.nargs != 0:
                taking.append(option)
            if action.choices:
                choices[option] = [str(choice) for choice in action.choices]
    for action in places(parser):
        if action.choices:
            choices[""] = [str(choice) for choice in action.choices]
    yield _Command(path, {name: words for name, (_, words) in verbs.items()}, options, choices, taking)
    for name, (verb, _) in verbs.items():
        yield from _commands(verb, f"{path} {name}".strip())


def _plain(words: str) -> str:
    return words.replace("%%", "%")


def _completion(parser: argparse.ArgumentParser, arguments: Namespace) -> int:
    commands = list(_commands(parser))
    print({"bash": _bash, "zsh": _zsh, "fish": _fish}[arguments.shell](commands), end="")
    return 0


def _quoted(words: str) -> str:
    """Return a word quoted for a shell."""
    return "'" + words.replace("'", "'\\''") + "'"


def _walk(commands: list[_Command], word: str, path: str) -> str:
    """Return the branches of a shell's `case` that follow the verbs."""
    names = [_quoted(f"{command.path} {verb}".strip()) for command in commands for verb in command.verbs]
    joined = f'"${{{path}:+${path} }}${word}"'
    return f"    case {joined} in\n      {'|'.join(names)}) {path}={joined} ;;\n    esac\n"


def _bash(commands: list[_Command]) -> str:
    lines = [
        "# bash completion of dupfinder\n_dupfinder() {\n",
        '  local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" at="" word words=""\n',
        '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do\n',
        _walk(commands, "word", "at"),
        '  done\n  COMPREPLY=()\n  case "$at $prev" in\n',
    ]
    for command in commands:
        for option in command.taking:
            act = (
                f"compgen -W {_quoted(' '.join(command.choices[option]))}"
                if option in command.choices
                else "compgen -f"
            )
            lines.append(f'    {_quoted(f"{command.path} {option}")}) COMPREPLY=($({act} -- "$cur")); return ;;\n')
    lines.append('  esac\n  case "$at" in\n')
    for command in commands:
        words = [*command.verbs, *command.choices.get("", []), *command.options]
        lines.append(f"    {_quoted(command.path)}) words={_quoted(' '.join(words))} ;;\n")
    lines += [
        "  esac\n",
        '  if [[ $cur == -* || -z $at || $words != -* ]]; then COMPREPLY=($(compgen -W "$words" -- "$cur")); fi\n',
        '  if [[ $cur != -* && ${#COMPREPLY[@]} -eq 0 ]]; then COMPREPLY=($(compgen -f -- "$cur")); fi\n',
        "}\ncomplete -o filenames -F _dupfinder dupfinder\n",
    ]
    return "".join(lines)


def _zsh(commands: list[_Command]) -> str:
    lines = [
        "#compdef dupfinder\n_dupfinder() {\n  local at='' word prev=\"${words[CURRENT-1]}\"\n",
        "  local -a verbs options\n",
        '  for word in "${(@)words[2,CURRENT-1]}"; do\n',
        _walk(commands, "word", "at"),
        '  done\n  case "$at $prev" in\n',
    ]
    for command in commands:
        for option in command.taking:
            act = (
                f"compadd -- {' '.join(map(_quoted, command.choices[option]))}"
                if option in command.choices
                else "_files"
            )
            lines.append(f"    {_quoted(f'{command.path} {option}')}) {act}; return ;;\n")
    lines.append('  esac\n  case "$at" in\n')
    for command in commands:
        verbs = command.verbs | dict.fromkeys(command.choices.get("", []), "")
        descriptions = [" ".join(_quoted(_described(name, words)) for name, words in part.items())
                for part in (verbs, command.options)]  # fmt: skip
        lines.append(f"    {_quoted(command.path)}) verbs=({descriptions[0]}); options=({descriptions[1]}) ;;\n")
    lines += [
        "  esac\n  if [[ ${words[CURRENT]} == -* ]]; then _describe option options; return; fi\n",
        "  if (( ${#verbs} )); then _describe verb verbs; else _files; fi\n}\n",
        'if [[ $funcstack[1] == _dupfinder ]]; then _dupfinder "$@"; else compdef _dupfinder dupfinder; fi\n',
    ]
    return "".join(lines)


def _described(name: str, words: str) -> str:
    """Return a word with its description in the form of zsh's _describe."""
    escaped = name.replace(":", "\\:")
    return f"{escaped}:{words}" if words else escaped


def _fish(commands: list[_Command]) -> str:
    verb_paths = [_quoted(f"{command.path} {verb}".strip()) for command in commands for verb in command.verbs]
    lines = [
        "# fish completion of dupfinder\nfunction __dupfinder_at\n",
        "  set -l at ''\n  for word in (commandline -opc)[2..-1]\n    switch (string trim -- \"$at $word\")\n",
        f"      case {' '.join(verb_paths)}\n",
        '        set at (string trim -- "$at $word")\n    end\n  end\n  test "$at" = "$argv[1]"\nend\n',
    ]
    for command in commands:
        start = f"complete -c dupfinder -n {_quoted(f'__dupfinder_at {_quoted(command.path)}')}"
        if command.verbs:
            lines.append(f"{start} -f\n")
        words = command.verbs | dict.fromkeys(command.choices.get("", []), "")
        lines += [f"{start} -f -a {_quoted(name)} -d {_quoted(what)}\n" for name, what in words.items()]
        for option, what in command.options.items():
            named = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
            values = f" -x -a {_quoted(' '.join(command.choices[option]))}" if option in command.choices else " -r"
            lines.append(f"{start} {named}{values if option in command.taking else ''} -d {_quoted(what)}\n")
    return "".join(lines)


def _man(parser: argparse.ArgumentParser, _: Namespace) -> int:
    print("".join(_page(parser)), end="")
    return 0


def _page(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the manual page in the man macros of roff."""
    yield f'.TH DUPFINDER 1 "" "dupfinder {__version__}" "{_roff(say("User Commands"))}"\n'
    yield f".SH {_roff(say('NAME'))}\ndupfinder \\- {_roff(say('find near-duplicate documents'))}\n"
    yield f".SH {_roff(say('SYNOPSIS'))}\n.B dupfinder\n.I VERB\n[\\fI{_roff(say('options'))}\\fR]\n"
    yield f".SH {_roff(say('DESCRIPTION'))}\n{_roff(parser.description or '')}\n"
    yield f".SH {_roff(say('VERBS'))}\n"
    for name, verb, _ in every(parser):
        yield f".SS {_roff(f'dupfinder {name}')}\n{_roff(verb.description or '')}\n"
        for action in (*places(verb), *shown_options(verb)):
            if "--help" not in action.option_strings:
                yield f".TP\n{_head(action)}\n{_roff(_plain(action.help or ''))}\n"
        for command, what in EXAMPLES[name]:
            yield f".PP\n{_roff(say('Example: {what}', what=say(what)))}\n.PP\n.nf\n.RS\n{_roff(command)}\n.RE\n.fi\n"
    yield f".SH {_roff(say('EXIT STATUS'))}\n{_roff(say(EXIT_CODES))}\n"


def _head(action: argparse.Action) -> str:
    """Return an option with its value, or an argument, as the page shows it."""
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if action.choices:
        value = "|".join(str(choice) for choice in action.choices)
    if not action.option_strings:
        return f"\\fI{_roff(value)}\\fR"
    names = ", ".join(f"\\fB{_roff(option)}\\fR" for option in action.option_strings)
    return names if action.nargs == 0 else f"{names} \\fI{_roff(value)}\\fR"


def _roff(words: str) -> str:
    """Return words escaped for roff."""
    escaped = words.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    return re.sub(r"^\.", r"\\&.", escaped, flags=re.MULTILINE)
