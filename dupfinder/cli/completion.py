"""The verbs `completion` and `man`: completion for shells, and the manual page, both generated from the parsers."""

from __future__ import annotations

import argparse
import re
from argparse import Namespace
from collections.abc import Iterator
from functools import partial
from typing import Any, Final

from dupfinder import __version__
from dupfinder.cli.usage import EXAMPLES, EXIT_CODES, all_verbs, positionals, shown_options
from dupfinder.wording.catalogue import say

_SHELLS: Final = ("bash", "zsh", "fish")


def add_parsers(verbs: Any, parser: argparse.ArgumentParser) -> None:
    """Add `completion` and `man`, which describe `parser`, that of the whole command line."""
    completion = verbs.add_parser("completion", help=say("print what a shell needs to complete verbs and options"))
    completion.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=say("bash, zsh or fish"))
    completion.set_defaults(run=partial(_completion, parser))
    man = verbs.add_parser("man", help=say("print the manual page, for man"))
    man.set_defaults(run=partial(_man, parser))


def _completion(parser: argparse.ArgumentParser, arguments: Namespace) -> int:
    import shtab  # only this verb needs it

    for _, verb, _ in all_verbs(parser):
        for action in (*positionals(verb), *shown_options(verb)):
            if action.nargs != 0 and not action.choices:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell), end="")
    return 0


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
    for name, verb, _ in all_verbs(parser):
        yield f".SS {_roff(f'dupfinder {name}')}\n{_roff(verb.description or '')}\n"
        for action in (*positionals(verb), *shown_options(verb)):
            if "--help" not in action.option_strings:
                yield f".TP\n{_head(action)}\n{_roff((action.help or '').replace('%%', '%'))}\n"
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
