"""The verb `weights`: how much each word counts, learned from the person's own documents."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.cli.progress import MODES, Printer
from dupfinder.cli.scan import library_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dupfinder.scan.weights import Word

_ROWS = 15


def add_parsers(verbs: Any) -> None:
    """Declare `weights learn|show|reset`."""
    weights = verbs.add_parser("weights", help="how much each word counts, learned from your own documents")
    acts = weights.add_subparsers(dest="act", required=True, metavar="learn|show|reset")
    learn = acts.add_parser(
        "learn", help="read the documents of the newest scan again and learn what is common in them"
    )
    learn.add_argument("--library", type=Path, metavar="FILE")
    learn.add_argument("--progress", choices=MODES, default="auto")
    learn.set_defaults(run=_learn)
    show = acts.add_parser("show", help="what the weights in use say")
    show.set_defaults(run=_show)
    reset = acts.add_parser("reset", help="use the shipped weights again")
    reset.set_defaults(run=_reset)


def _learn(arguments: Namespace) -> int:
    from dupfinder.library.library import Library
    from dupfinder.scan.learning import learn

    with Library.open(library_of(arguments)) as library:
        result = library.result()
    printer = Printer.of(arguments.progress)
    try:
        found = learn(result, Settings(), printer)
    finally:
        printer.end()
    print(f"Learned from {found.documents:,} documents: {found.features:,} words, weights {found.digest}.")
    print("The next scan reads every file anew, once. `dupfinder weights reset` takes this back.")
    return 0


def _show(_: Namespace) -> int:
    from dupfinder.fingerprint.weights import shipped
    from dupfinder.scan.weights import newest, scheme_in_use

    scheme, found = scheme_in_use(Settings()), newest()
    if scheme.weights != "learned" or found is None:
        table = shipped()
        print(f"Shipped weights, of {table.documents:,} documents: {len(table.keys):,} words. Scheme {scheme.id}.")
        if found is not None:
            print(f"Learned before, not in use: {found.features:,} words of {found.documents:,} documents.")
        return 0
    print(f"Learned weights {found.digest}, of {found.documents:,} documents: {found.features:,} words that stand in "
          f"two of them at least. Scheme {scheme.id}.")  # fmt: skip
    _print_words("Most common", found.words[:_ROWS])
    lost = sorted(found.words, key=lambda word: (word.rarity - word.shipped, word.word))
    _print_words(
        "Weigh less than by the shipped weights", (word for word in lost[:_ROWS] if word.rarity < word.shipped)
    )
    heaviest = sorted(found.words, key=lambda word: (-word.rarity, word.word))
    _print_words("Heaviest of the common words", heaviest[:_ROWS])
    return 0


def _print_words(title: str, words: Iterable[Word]) -> None:
    print(f"\n{title:40} {'documents':>10} {'weight':>7} {'shipped':>8}   (bits)")
    for word in words:
        print(f"  {shown(word.word):38} {word.documents:10,} {word.rarity:7.2f} {word.shipped:8.2f}")


def _reset(_: Namespace) -> int:
    from dupfinder.scan.weights import LEARNED, SHIPPED

    settings = Settings()
    if settings.get(WEIGHTS) != LEARNED:
        print("The shipped weights are in use.")
        return 0
    settings.set(WEIGHTS, SHIPPED)
    print("The shipped weights are in use again. What was read under them before still holds.")
    return 0
