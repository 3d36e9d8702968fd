"""Parsers of the command line: one line for wrong usage with a suggestion, and examples in each help.

Also what is generated from the parsers: completion for shells, and the manual page.
"""

from __future__ import annotations

import argparse
import difflib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, takewhile
from typing import Any, Final, NoReturn

from dupfinder import __version__
from dupfinder.base.display import shown
from dupfinder.wording import catalogue
from dupfinder.wording.catalogue import N_, NP_, say

DONE, BAD_INPUT, IN_USE, NO_ROOT, REFUSED, STOPPED = 0, 2, 3, 4, 5, 130  # exit codes
# Texts of argparse, so that they are translated too.
_OF_ARGPARSE: Final = (
    N_("usage: "),
    N_("positional arguments"),
    N_("options"),
    N_("show this help message and exit"),
    N_("show program's version number and exit"),
    N_("argument %(argument_name)s: %(message)s"),
    N_("expected one argument"),
    N_("expected at most one argument"),
    N_("expected at least one argument"),
    N_("ambiguous option: %(option)s could match %(matches)s"),
    N_("ignored explicit argument %r"),
    N_("not allowed with argument %s"),
    N_("the following arguments are required: %s"),
    N_("one of the arguments %s is required"),
    N_("invalid %(type)s value: %(value)r"),
    NP_("expected %s argument", "expected %s arguments"),
)


def choose_language(arguments: Sequence[str], environment: Mapping[str, str]) -> None:
    """Set the language by --language, DUPFINDER_LANGUAGE or the system. The parser, made later, refuses others."""
    split = chain.from_iterable(word.split("=", 1) if word.startswith("--language=") else [word] for word in arguments)
    words = list(takewhile(lambda word: word != "--", split))
    named = words[words.index("--language") + 1 :][:1] if "--language" in words else []
    language = named[0] if named and named[0] in catalogue.LANGUAGES else None
    catalogue.use(language or catalogue.chosen(environment) or catalogue.of_system(environment))
    # argparse looks its words up under these two names of its module, and offers no other way to translate them.
    vars(argparse).update(
        _=say, ngettext=lambda singular, plural, number: catalogue.current().plural(singular, plural, number)
    )


def add_language(parser: argparse.ArgumentParser, default: str | None) -> None:
    """Add `--language`, which `choose_language` reads."""
    parser.add_argument(
        "--language",
        choices=tuple(catalogue.LANGUAGES),
        default=default,
        metavar="LANGUAGE",
        help=say("of what is said and of reports: en, zh_CN or es; the system's if left out"),
    )


EXIT_CODES: Final = N_(
    "Exit codes: 0 done (also when the reader of the output went away), 2 wrong usage or bad input, 3 the library is "
    "in use, 4 a folder cannot be read, 5 a plan was refused or done in part, 130 stopped."
)

# Verb: (command, what it does).
EXAMPLES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "scan": (
        ("dupfinder scan ~/Documents --protect ~/Documents/Signed", N_("scan, and show the groups")),
        ("dupfinder scan ~/Documents --report found.html --report found.json", N_("write two reports")),
        ("dupfinder scan . --include '*.pdf' --exclude old/ --newer 1y", N_("some of the files")),
        ("find . -name '*.docx' -print0 | dupfinder scan --files-from - -0", N_("the files of a list")),
        ("dupfinder scan ~/Pictures --all-files", N_("copies of photos, videos and all other files too")),
        ("dupfinder scan . -q --format paths0 | xargs -0r ls -l", N_("copies that could go without loss")),
        ("dupfinder scan /srv/share --cluster tcp://host:8786", N_("read on the workers of a Dask cluster")),
    ),
    "report": (
        ("dupfinder report --radius 3", N_("show the newest scan at another radius, without reading files again")),
        ("dupfinder report 2 --to strict.csv --min-similarity 0.9", N_("write scan 2 as a table")),
        ("dupfinder report --format json | jq '.clusters | length'", N_("for another program")),
    ),
    "diff": (("dupfinder diff old.docx new.pdf", N_("how the two texts differ")),),
    "explain": (
        ("dupfinder explain old.docx new.pdf", N_("what they are to each other, and why")),
        ("dupfinder explain --library", N_("what each radius finds in the library, and how surely")),
        (
            "dupfinder explain --library --labels pairs.csv --plot scores.svg",
            N_("precision and recall of each radius on your labels"),
        ),
    ),
    "watch": (
        ("dupfinder watch ~/Downloads ~/Documents", N_("tell of each new copy or version as it comes")),
        (
            "dupfinder watch --every 300 --json /mnt/share",
            N_("look at a share every five minutes, for another program"),
        ),
    ),
    "query": (
        ("dupfinder query offer.pdf", N_("what in the library is like this file")),
        ("pbpaste | dupfinder query -", N_("what is like a text")),
        ("echo notice period | dupfinder query -", N_("which documents have these words in a row")),
    ),
    "select": (
        ("dupfinder select --keep newest --to plan.json", N_("identical and same-text copies, all but the newest")),
        (
            "dupfinder select --keep in:~/Archive --kinds identical,version --to plan.json",
            N_("versions as well, except those in ~/Archive"),
        ),
    ),
    "apply": (
        ("dupfinder apply plan.json --dry-run", N_("what would go, and what stays for each")),
        ("dupfinder apply plan.json", N_("to the trash; asks before texts that differ go")),
    ),
    "history": (
        ("dupfinder history --files", N_("every removal, with its files")),
        ("dupfinder history --csv > removed.csv", N_("the same as a table")),
    ),
    "undo": (
        ("dupfinder undo", N_("take the newest removal back")),
        ("dupfinder undo --only ~/Downloads/offer.docx", N_("this file alone")),
    ),
    "recover": (
        ("dupfinder recover", N_("finish or take back an interrupted removal")),
        ("dupfinder recover ~/Documents", N_("and give the files there their own names back")),
    ),
    "quarantine show": (("dupfinder quarantine show", N_("removed files that no trash could take")),),
    "quarantine empty": (
        ("dupfinder quarantine empty", N_("delete for good the files whose kept copy is still there")),
    ),
    "library info": (("dupfinder library info", N_("what is stored")),),
    "library check": (("dupfinder library check", N_("whether it is whole")),),
    "library export": (
        ("dupfinder library export --to scan.npz", N_("the newest scan, for another library and for `index`")),
        ("dupfinder library export 2 --to prints.tsv", N_("fingerprints and paths of scan 2 as lines")),
    ),
    "library import": (
        ("dupfinder library import scan.npz --library team.db", N_("group what another machine has read")),
    ),
    "library clear": (("dupfinder library clear --library old.db", N_("remove a library, and no document")),),
    "fingerprint": (
        (
            "dupfinder fingerprint ~/Documents --to prints.npz",
            N_("64 bits of words weighted by tf-idf, with paths"),
        ),
        (
            "dupfinder fingerprint . --to s.npz --bits 128 --shingles 3 --hash rabin --sketch super",
            N_("128 bits of 3-word shingles by Rabin's numbers, and super-shingles"),
        ),
        ("find . -name '*.md' | dupfinder fingerprint --files-from - --to prints.tsv", N_("as lines of text")),
    ),
    "index build": (
        ("dupfinder index build old.npy --to tables", N_("compressed tables for a radius of 3")),
        ("dupfinder index build old.npy --to tables --design 16", N_("the paper's 16 tables")),
    ),
    "index add": (
        ("dupfinder index add tables new.npz", N_("add fingerprints, and the paths of the file")),
        ("dupfinder index add tables changed.npz --replace", N_("in place of those under the same paths")),
    ),
    "index remove": (
        ("dupfinder index remove tables /home/me/old.txt", N_("remove what is held under a path")),
        ("dupfinder index remove tables --rows 3 14", N_("remove rows by their numbers")),
    ),
    "index merge": (("dupfinder index merge tables", N_("make an index smaller and quicker")),),
    "index query": (
        ("dupfinder index query tables 0123456789abcdef", N_("what lies near a fingerprint")),
        ("dupfinder index query old.npy --from new.npy --radius 6", N_("near each of many")),
    ),
    "index join": (
        ("dupfinder index join old.npy --radius 3 --to pairs.npy", N_("all pairs of one file")),
        ("dupfinder index join new.npy --against old-1.npy old-2.npy", N_("a batch of new ones against old ones")),
    ),
    "index explain": (
        ("dupfinder index explain old.npy --radius 6", N_("which design serves a join, and why")),
        (
            "dupfinder index explain --count 8e9 --radius 3 --memory 64G --machines 200",
            N_("what eight billion fingerprints would take"),
        ),
    ),
    "index info": (("dupfinder index info tables", N_("what an index holds, and whether it is whole")),),
    "weights learn": (("dupfinder weights learn", N_("how rare words are among your own documents")),),
    "weights show": (("dupfinder weights show", N_("what the weights in use say")),),
    "weights reset": (("dupfinder weights reset", N_("use the built-in weights again")),),
    "completion": (
        ("dupfinder completion bash > ~/.local/share/bash-completion/completions/dupfinder", N_("for bash")),
        ("dupfinder completion zsh > ~/.zfunc/_dupfinder", N_("for zsh, with ~/.zfunc in $fpath")),
        ("dupfinder completion fish > ~/.config/fish/completions/dupfinder.fish", N_("for fish")),
    ),
    "man": (("dupfinder man > ~/.local/share/man/man1/dupfinder.1", N_("install the manual page")),),
}


class Parser(argparse.ArgumentParser):
    """A parser that ends with one line and exit code 2 on wrong usage."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**options, formatter_class=argparse.RawDescriptionHelpFormatter)

    def error(self, message: str) -> NoReturn:
        self.exit(BAD_INPUT, f"{self.prog}: {shown(message)}\n")

    def parse_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the arguments; for an unknown one suggest an option."""
        parsed, unknown = self.parse_known_args(args, namespace)
        if unknown:
            parser = parser_of_verb(self, args or ())
            parser.error(_unknown_message(parser, unknown[0]))
        return parsed

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """Refuse "--" as the value of an option (`--to=--`), which argparse would replace by an empty list."""
        if action.option_strings and action.nargs is None and arg_strings == ["--"]:
            raise argparse.ArgumentError(action, say("expected one argument"))
        return super()._get_values(action, arg_strings)

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Suggest the valid word that is most like an invalid one; list all valid words if none is like it."""
        if action.choices is None or value in action.choices:
            return
        choices = [str(choice) for choice in action.choices]
        similar = difflib.get_close_matches(str(value), choices, 1)
        hint = (
            say("did you mean {word}?", word=similar[0])
            if similar
            else say("choose from {words}", words=", ".join(choices))
        )
        if action.option_strings:
            message = say("it cannot be {value}; {hint}", value=repr(value), hint=hint)
            raise argparse.ArgumentError(action, message)
        if isinstance(action, argparse._SubParsersAction):
            self.error(say("there is no verb {value}; {hint}", value=repr(value), hint=hint))
        name = str(action.metavar or action.dest)
        self.error(say("there is no {place} {value}; {hint}", place=name, value=repr(value), hint=hint))


def _unknown_message(parser: argparse.ArgumentParser, word: str) -> str:
    name = word.partition("=")[0]
    if not name.startswith("-"):
        return say("there is no place for {word} here", word=repr(word))
    options = [option for action in shown_options(parser) for option in action.option_strings]
    similar = difflib.get_close_matches(name, options, 1)
    hint = (
        say("did you mean {word}?", word=similar[0])
        if similar
        else say("{program} --help lists all", program=parser.prog)
    )
    return say("there is no option {name}; {hint}", name=name, hint=hint)


def shown_options(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    return [action for action in parser._actions if action.option_strings and action.help is not argparse.SUPPRESS]


def positionals(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """Return the positional arguments, without verbs."""
    return [
        action
        for action in parser._actions
        if not action.option_strings and not isinstance(action, argparse._SubParsersAction)
    ]


def verbs_of(parser: argparse.ArgumentParser) -> dict[str, tuple[argparse.ArgumentParser, str]]:
    """Return the verbs of a parser: the parser of each, and its short description."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            words = {choice.dest: choice.help or "" for choice in action._choices_actions}
            return {name: (verb, words.get(name, "")) for name, verb in action.choices.items()}
    return {}


def all_verbs(parser: argparse.ArgumentParser, name: str = "") -> Iterator[tuple[str, argparse.ArgumentParser, str]]:
    """Yield each verb that can be run, at any depth: its name, its parser, and its short description."""
    for word, (verb, words) in verbs_of(parser).items():
        full = f"{name} {word}".strip()
        if verbs_of(verb):
            yield from all_verbs(verb, full)
        else:
            yield full, verb, words


def parser_of_verb(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> argparse.ArgumentParser:
    for word in arguments:
        verbs = verbs_of(parser)
        if not verbs:
            break
        if word in verbs:
            parser = verbs[word][0]
    return parser


def _sentence(words: str) -> str:
    """Return a few words with a capital and a full stop, unless they end in a mark ("⟧" ends pseudo-translations)."""
    first = next((index for index, char in enumerate(words) if char.isalpha()), 0)
    capital = words[:first] + words[first : first + 1].upper() + words[first + 1 :]
    return capital if words.endswith(("?", "？", "⟧")) else say("{words}.", words=capital)


def add_common_options(parser: argparse.ArgumentParser) -> None:
    """Add the common options and the examples to every verb."""
    for name, verb, words in all_verbs(parser):
        verb.description = verb.description or _sentence(words)
        examples = "\n".join(f"  {command}\n      {say(what)}" for command, what in EXAMPLES[name])
        verb.epilog = f"{say('examples:')}\n{examples}"
        verb.add_argument("-q", "--quiet", action="store_true", help=say("results and errors alone"))
        verb.add_argument("-v", "--verbose", action="store_true", help=say("the time of each stage, and every detail"))
        add_language(verb, argparse.SUPPRESS)
        verb.add_argument("--debug", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


_SHELLS: Final = ("bash", "zsh", "fish")


def add_own_verbs(verbs: Any, parser: argparse.ArgumentParser) -> None:
    """Add the verbs `completion` and `man`, which describe `parser`, that of the whole command line."""
    completion = verbs.add_parser("completion", help=say("print what a shell needs to complete verbs and options"))
    completion.add_argument("shell", choices=_SHELLS, metavar="SHELL", help=say("bash, zsh or fish"))
    completion.set_defaults(run=partial(_completion, parser))
    man = verbs.add_parser("man", help=say("print the manual page, for man"))
    man.set_defaults(run=partial(_man, parser))


def _completion(parser: argparse.ArgumentParser, arguments: argparse.Namespace) -> int:
    import shtab  # only this verb needs it

    for _, verb, _ in all_verbs(parser):
        for action in (*positionals(verb), *shown_options(verb)):
            if action.nargs != 0 and not action.choices:
                action.complete = shtab.FILE  # type: ignore[attr-defined]
    print(shtab.complete(parser, arguments.shell), end="")
    return 0


def _man(parser: argparse.ArgumentParser, _: argparse.Namespace) -> int:
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
