"""The verb `fingerprint`: write fingerprints of documents, with their paths and sketches, to a file for `index`.

The verb `weights`: weights of the words in fingerprints, learned from the person's own documents.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.settings import WEIGHTS, Settings
from dupfinder.cli.options import (
    add_choices,
    add_flag,
    add_force,
    add_number,
    add_path,
    add_reading,
    check_written,
    tell_unmatched,
)
from dupfinder.cli.scan import add_library, library_of, tell_lost_weights
from dupfinder.cli.terminal import Printer, add_progress, printer_of, remark, tell
from dupfinder.fingerprint.scheme import BITS, SHINGLE_HASHES, WEIGHTINGS, Scheme
from dupfinder.wording.catalogue import N_, number_text, say
from dupfinder.wording.details import made_by_words
from dupfinder.wording.figures import documents_text, files_text, row

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dupfinder.scan.fingerprinting import Fingerprinted
    from dupfinder.scan.weights import CommonWord, LearnedTable

_SIZES = {"min": 1024, "super": 1024, "mod": 25}
_MOST_WORDS = 15  # of a list that `weights show` prints


def add_parsers(verbs: Any) -> None:
    _add_fingerprint(verbs)
    _add_weights(verbs)


def _add_fingerprint(verbs: Any) -> None:
    verb = verbs.add_parser("fingerprint", help=say("fingerprint documents into a file that `index` takes"))
    add_path(verb, "folders", say("a folder, or a file"), nargs="*", metavar="FOLDER")
    add_path(
        verb,
        "--to",
        say(".npz, .parquet, .arrow: paths and sketches too; .tsv: fingerprint and path; .npy: numbers"),
        required=True,
    )
    add_force(verb, say("a file that holds no fingerprints of dupfinder"))
    _add_ways(verb.add_argument_group(say("how")))
    add_reading(verb)
    add_progress(verb)
    add_choices(verb)
    verb.set_defaults(run=_run)


def _add_ways(how: Any) -> None:
    how.add_argument("--bits", choices=tuple(map(str, BITS)), default="64", help=say("of a fingerprint; 64 by default"))
    how.add_argument(
        "--weights",
        choices=WEIGHTINGS,
        help=say(
            "none: each feature counts once; tf: as often as the text contains it; tf-idf (the default "
            "for words) and learned: the rarer the more"
        ),
    )
    add_number(how, "--top", say("the N heaviest features alone; 0: all"), default=0)
    add_number(how, "--scale", say("weights as 1 to N; 0: as they are"), default=0)
    runs = say("fingerprint runs of W unchanged words, not single words; also for --sketch")
    add_number(how, "--shingles", runs, metavar="W")
    how.add_argument("--hash", choices=SHINGLE_HASHES, default="xxh3", help=say("the numbers of shingles"))
    add_flag(how, "--simplify", say("Traditional Chinese as Simplified"))
    how.add_argument(
        "--sketch",
        choices=("min", "mod", "super"),
        help=say("keep shingles as well: the smallest, those N divides, or runs of the smallest"),
    )
    add_number(how, "--sketch-size", say("of min and super: the N smallest (1024); of mod: those that N divides (25)"))


def _scheme(arguments: Namespace) -> Scheme:
    """Return the scheme of the options. Raises UsageError for options that exclude each other."""
    from dupfinder.scan.weights import with_learned

    by_shingles, size = arguments.shingles is not None, arguments.sketch_size
    if arguments.shingles == 0:
        raise UsageError(N_("--shingles is above 0."))
    if size is not None and (arguments.sketch is None or size == 0):
        raise UsageError(N_("--sketch-size is above 0 and goes with --sketch."))
    if arguments.hash != "xxh3" and not by_shingles and arguments.sketch is None:
        raise UsageError(N_("--hash is of shingles: it goes with --shingles or --sketch."))
    weights = arguments.weights or ("tf" if by_shingles else "tf-idf")
    plain = Scheme()
    if by_shingles and weights not in ("none", "tf"):
        raise UsageError(N_("Weights {weights} are known for words alone; shingles take none or tf."), weights=weights)
    scheme = Scheme(
        weights="tf-idf" if weights == "learned" else weights,
        bits=int(arguments.bits),
        top=arguments.top,
        scale=arguments.scale,
        simplify=arguments.simplify,
        shingle=arguments.shingles if by_shingles else plain.shingle,
        shingle_hash=arguments.hash,
        features="shingles" if by_shingles else "words",
    )
    if weights != "learned":
        return scheme
    learned = with_learned(scheme)
    if learned is None:
        raise UsageError(N_("There are no learned weights, or they are damaged; `dupfinder weights learn` makes them."))
    return learned


def _run(arguments: Namespace) -> int:
    from dupfinder.cli.scan import request_of
    from dupfinder.engine.prints import ending_of_prints, prints_recogniser, save_prints
    from dupfinder.scan.fingerprinting import SketchChoice, fingerprint_files

    if ending_of_prints(arguments.to) in (".tsv", ".npy") and arguments.sketch is not None:
        raise UsageError(N_("Sketches are kept in .npz, .parquet and .arrow files alone."))
    scheme = _scheme(arguments)
    check_written(arguments.to, prints_recogniser(arguments.to), None, force=arguments.force)
    request = request_of(arguments, scheme=scheme, outputs=[arguments.to], recogniser_of=prints_recogniser)
    sketch = None
    if arguments.sketch is not None:
        sketch = SketchChoice(arguments.sketch, arguments.sketch_size or _SIZES[arguments.sketch])
    with printer_of(arguments) as printer:
        result = fingerprint_files(request, sketch, printer)
    tell_unmatched(request, [path for path, *_ in (*result.prints.values(), *result.reasons)])
    save_prints(arguments.to, result.file(), force=arguments.force)
    _tell(result, arguments)
    return 0


def _tell(result: Fingerprinted, arguments: Namespace) -> None:
    from dupfinder.base.details import ProblemKind
    from dupfinder.wording.errors import problem_sentence

    if arguments.quiet:
        return
    for path, status, details in sorted(result.reasons) if arguments.verbose else ():
        remark(f"{shown(path)}: {problem_sentence(ProblemKind(status), details)}")
    tell(
        "{documents} fingerprinted ({scheme}); {files} not. Wrote {to}",
        documents=documents_text(len(result.prints)),
        scheme=made_by_words(result.scheme.made_by),
        files=files_text(result.left_out.total()),
        to=shown(arguments.to),
        file=sys.stderr,
    )


def _add_weights(verbs: Any) -> None:
    """Add `weights learn|show|reset`."""
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
    _print_words(say("Most common"), learned.words[:_MOST_WORDS])
    lighter = sorted(learned.words, key=lambda word: (word.rarity - word.shipped, word.word))
    _print_words(
        say("Weigh less than by the built-in weights"),
        (word for word in lighter[:_MOST_WORDS] if word.rarity < word.shipped),
    )
    heaviest = sorted(learned.words, key=lambda word: (-word.rarity, word.word))
    _print_words(say("Heaviest of the common words"), heaviest[:_MOST_WORDS])
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
