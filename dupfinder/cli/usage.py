"""Parsers of the command line: one clear line for wrong usage with what was meant, and examples in each help."""

from __future__ import annotations

import argparse
import difflib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final, NoReturn

from dupfinder.base.display import shown

BAD_USAGE = 2

EXIT_CODES: Final = (
    "Exit codes: 0 done (also when the reader of the output went away), 2 wrong usage or bad input, 3 the library is "
    "in use, 4 a folder cannot be read, 5 a plan was refused or done in part, 130 stopped."
)

# Verb: (command, what it does).
EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str]]]] = MappingProxyType(
    {
        "scan": (
            ("dupfinder scan ~/Documents --protect ~/Documents/Signed", "scan, and show the groups"),
            ("dupfinder scan ~/Documents --report found.html --report found.json", "write two reports"),
            ("dupfinder scan . --include '*.pdf' --exclude old/ --newer 1y", "some of the files"),
            ("find . -name '*.docx' -print0 | dupfinder scan --files-from - -0", "the files of a list"),
            ("dupfinder scan . -q --format paths0 | xargs -0 ls -l", "copies that could go without loss"),
        ),
        "report": (
            ("dupfinder report --radius 3", "show the newest scan at another radius, without reading files again"),
            ("dupfinder report 2 --to strict.csv --min-similarity 0.9", "write scan 2 as a table"),
            ("dupfinder report --format json | jq '.clusters | length'", "for another program"),
        ),
        "diff": (("dupfinder diff old.docx new.pdf", "how the two texts differ"),),
        "explain": (
            ("dupfinder explain old.docx new.pdf", "what they are to each other, and why"),
            ("dupfinder explain --library", "what each radius finds in the library, and how surely"),
            ("dupfinder explain --library --labels pairs.csv", "precision and recall of each radius on your labels"),
        ),
        "query": (
            ("dupfinder query offer.pdf", "what in the library is like this file"),
            ("pbpaste | dupfinder query -", "what is like a text"),
        ),
        "select": (
            ("dupfinder select --keep newest --to plan.json", "identical and same-text copies, all but the newest"),
            (
                "dupfinder select --keep in:~/Archive --kinds identical,version --to plan.json",
                "versions as well, but for those in the archive",
            ),
        ),
        "apply": (
            ("dupfinder apply plan.json --dry-run", "what would go, and what stays for each"),
            ("dupfinder apply plan.json", "to the trash; asks before texts that differ go"),
        ),
        "history": (("dupfinder history --files", "every removal, with its files"),),
        "undo": (("dupfinder undo", "take the newest removal back"),),
        "recover": (
            ("dupfinder recover", "bring a removal that was cut off to an end"),
            ("dupfinder recover ~/Documents", "and give files there that it left under a name of its own theirs back"),
        ),
        "quarantine show": (("dupfinder quarantine show", "what was removed where there is no trash"),),
        "quarantine empty": (("dupfinder quarantine empty", "delete it for good, where the kept copy is still there"),),
        "library info": (("dupfinder library info", "what is stored"),),
        "library check": (("dupfinder library check", "whether it is whole"),),
        "library export": (
            ("dupfinder library export --to scan.npz", "the newest scan, for another library and for `index`"),
            ("dupfinder library export 2 --to prints.tsv", "fingerprints and paths of scan 2 as lines"),
        ),
        "library import": (
            ("dupfinder library import scan.npz --library team.db", "group what another machine has read"),
        ),
        "library clear": (("dupfinder library clear --library old.db", "remove a library, and no document"),),
        "fingerprint": (
            ("dupfinder fingerprint ~/Documents --to prints.npz", "64 bits of words weighted by tf-idf, with paths"),
            (
                "dupfinder fingerprint . --to s.npz --bits 128 --shingles 3 --hash rabin --sketch super",
                "128 bits of 3-word shingles by Rabin's numbers, and super-shingles",
            ),
            ("find . -name '*.md' | dupfinder fingerprint --files-from - --to prints.tsv", "as lines of text"),
        ),
        "index build": (
            ("dupfinder index build old.npy --to tables", "compressed tables for a radius of 3"),
            ("dupfinder index build old.npy --to tables --design 16 --rows", "the paper's 16 tables, with row numbers"),
        ),
        "index query": (
            ("dupfinder index query tables 0123456789abcdef", "what lies near a fingerprint"),
            ("dupfinder index query old.npy --from new.npy --radius 6", "near each of many"),
        ),
        "index join": (
            ("dupfinder index join old.npy --radius 3 --to pairs.npy", "all pairs of one file"),
            ("dupfinder index join new.npy --against old-1.npy old-2.npy", "a batch of new ones against old ones"),
        ),
        "index explain": (
            ("dupfinder index explain old.npy --radius 6", "which design serves a join, and why"),
            (
                "dupfinder index explain --count 8e9 --radius 3 --memory 64G --machines 200",
                "what eight billion fingerprints would take",
            ),
        ),
        "index info": (("dupfinder index info tables", "what an index holds, and whether it is whole"),),
        "weights learn": (("dupfinder weights learn", "how rare words are among your own documents"),),
        "weights show": (("dupfinder weights show", "what the weights in use say"),),
        "weights reset": (("dupfinder weights reset", "use the shipped weights again"),),
        "completion": (
            ("dupfinder completion bash > ~/.local/share/bash-completion/completions/dupfinder", "for bash"),
            ("dupfinder completion zsh > ~/.zfunc/_dupfinder", "for zsh, with ~/.zfunc in $fpath"),
            ("dupfinder completion fish > ~/.config/fish/completions/dupfinder.fish", "for fish"),
        ),
        "man": (("dupfinder man > ~/.local/share/man/man1/dupfinder.1", "install the manual page"),),
    }
)


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
