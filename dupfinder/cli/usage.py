"""Parsers of the command line: one clear line for wrong usage with what was meant, and examples in each help."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

from dupfinder.base.display import shown
from dupfinder.cli.examples import EXAMPLES

BAD_USAGE = 2


class Parser(argparse.ArgumentParser):
    """Wrong usage ends with one clear line and exit code 2."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_USAGE, f"{self.prog}: {shown(message)}\n")

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse; what is left over is told with the option that it may have been meant for."""
        parsed, left = self.parse_known_args(args, namespace)
        if left:
            parser = leaf_of(self, args or ())
            parser.error(_unknown(parser, left[0]))
        return parsed

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Name the word that was meant in place of listing all of them, where one is near."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        near = difflib.get_close_matches(str(value), choices, 1)
        hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(choices)}"
        what = "" if action.option_strings else f"there is no {_noun(action)} {value!r}; "
        if not what:
            raise argparse.ArgumentError(action, f"it cannot be {value!r}; {hint}")
        self.error(what + hint)


def _noun(action: argparse.Action) -> str:
    return "verb" if isinstance(action, argparse._SubParsersAction) else str(action.metavar or action.dest)


def _unknown(parser: argparse.ArgumentParser, word: str) -> str:
    """What is said of a word that no option and no place takes."""
    name = word.partition("=")[0]
    if not name.startswith("-"):
        return f"there is no place for {word!r} here"
    options = [option for action in shown_options(parser) for option in action.option_strings]
    near = difflib.get_close_matches(name, options, 1)
    hint = f"did you mean {near[0]}?" if near else f"{parser.prog} --help lists all"
    return f"there is no option {name}; {hint}"


def shown_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The options that help shows."""
    return [one for one in parser._actions if one.option_strings and one.help is not argparse.SUPPRESS]


def places(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """The arguments without a name, but for verbs."""
    return [
        one for one in parser._actions if not one.option_strings and not isinstance(one, argparse._SubParsersAction)
    ]


def below(parser: argparse.ArgumentParser) -> dict[str, tuple[argparse.ArgumentParser, str]]:
    """The verbs of a parser: the parser of each, and what it does in a few words."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return {name: (verb, words.get(name, "")) for name, verb in action.choices.items()}
    return {}


def every(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Each verb of a parser and of its verbs that can be run: its name, its parser, and what it does in a few words."""
    for word, (verb, words) in below(parser).items():
        full = f"{name} {word}".strip()
        if below(verb):
            yield from every(verb, full)
        else:
            yield full, verb, words


def leaf_of(parser: argparse.ArgumentParser, given: Sequence[str]) -> argparse.ArgumentParser:
    """The parser of the verb that some arguments name."""
    for word in given:
        verbs = below(parser)
        if not verbs:
            break
        if word in verbs:
            parser = verbs[word][0]
    return parser


def finish(parser: argparse.ArgumentParser) -> None:
    """Give every verb the options that all have, and its examples."""
    for name, verb, words in every(parser):
        verb.description = verb.description or f"{words[:1].upper()}{words[1:]}."
        verb.epilog = "examples:\n" + "\n".join(f"  {command}\n      {what}" for command, what in EXAMPLES[name])
        verb.add_argument("-q", "--quiet", action="store_true", help="results and errors alone")
        verb.add_argument("-v", "--verbose", action="store_true", help="the time of each stage, and every detail")
        verb.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
