"""The verb `weights`: weights of words, learned from the person's own documents."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.cli.scan import add_library, library_of, tell_lost_weights
from dupfinder.cli.terminal import Printer, add_progress, tell
from dupfinder.wording.catalogue import number_text, say
from dupfinder.wording.figures import row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dupfinder.fingerprint.scheme import Scheme
    from dupfinder.scan.weights import CommonWord, LearnedTable

_ROWS = 15


def add_parsers(verbs: Any) -> None:
    weights = verbs.add_parser("weights", help=say("how much each word counts, learned from your own documents"))
    acts = weights.add_subparsers(dest="act", required=True, metavar="learn|show|reset")
    learn = acts.add_parser(
        "learn", help=say("read the documents of the newest scan again and learn what is common in them")
    )
    add_library(learn)
    add_progress(learn)
    learn.set_defaults(run=_learn)
    acts.add_parser("show", help=say("what the weights in use say")).set_defaults(run=_show)
    acts.add_parser("reset", help=say("use the built-in weights again")).set_defaults(run=_reset)


def _learn(arguments: Namespace) -> int:
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.learning import learn

    with LibraryFile(library_of(arguments)) as library:
        result = library.result()
    with Printer.of(arguments.progress) as printer:
        learned = learn(result, Settings(), printer)
    tell(
        "Learned from {documents} documents: {features} words, weights {digest}.",
        documents=number_text(learned.documents),
        features=number_text(learned.features),
        digest=learned.digest,
    )
    tell("The next scan reads every file again, once. `dupfinder weights reset` takes this back.")
    return 0


def _show_shipped(scheme: Scheme, learned: LearnedTable | None) -> None:
    from dupfinder.fingerprint.weights import shipped

    table = shipped()
    tell(
        "Built-in weights, of {documents} documents: {count} words. Scheme {id}.",
        documents=number_text(table.documents),
        count=number_text(len(table.keys)),
        id=scheme.id,
    )
    if learned is not None:
        tell(
            "Learned before, not in use: {features} words of {documents} documents.",
            features=number_text(learned.features),
            documents=number_text(learned.documents),
        )


def _show(_: Namespace) -> int:
    from dupfinder.scan.weights import newest, scheme_in_use

    settings = Settings()
    tell_lost_weights(settings)
    scheme, learned = scheme_in_use(settings), newest()
    if scheme.weights != "learned" or learned is None:
        _show_shipped(scheme, learned)
        return 0
    tell(
        "Learned weights {digest}, of {documents} documents: {features} words that at least two of them "
        "contain. Scheme {id}.",
        digest=learned.digest,
        documents=number_text(learned.documents),
        features=number_text(learned.features),
        id=scheme.id,
    )
    _print_words(say("Most common"), learned.words[:_ROWS])
    lighter = sorted(learned.words, key=lambda word: (word.rarity - word.shipped, word.word))
    _print_words(
        say("Weigh less than by the built-in weights"), (word for word in lighter[:_ROWS] if word.rarity < word.shipped)
    )
    heaviest = sorted(learned.words, key=lambda word: (-word.rarity, word.word))
    _print_words(say("Heaviest of the common words"), heaviest[:_ROWS])
    return 0


def _print_words(title: str, words: Iterable[CommonWord]) -> None:
    widths = (40, -10, -7, -9)
    heads = (title, say("documents"), say("weight"), say("built-in"), f"  ({say('bits')})")
    print("\n" + row(heads, (*widths, 1)))
    for word in words:
        numbers = (number_text(word.documents), number_text(word.rarity, 2), number_text(word.shipped, 2))
        print(row((f"  {shown(word.word)}", *numbers), widths))


def _reset(_: Namespace) -> int:
    from dupfinder.scan.weights import LEARNED, SHIPPED

    settings = Settings()
    if settings.get(WEIGHTS) != LEARNED:
        tell("The built-in weights are in use.")
        return 0
    settings.set(WEIGHTS, SHIPPED)
    tell("The built-in weights are in use again. What was read under them before is not read again.")
    return 0
