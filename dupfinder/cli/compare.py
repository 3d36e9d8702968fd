"""The verbs `diff`, `explain`, `query`."""

from __future__ import annotations

import argparse
import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import located, shown, split_at
from dupfinder.base.errors import DataFolderError, LibraryError, LibraryMissing, NoTextError, UsageError
from dupfinder.base.paths import as_scanned, default_library
from dupfinder.base.settings import Settings
from dupfinder.cli.options import add_force, add_path, check_written, nonempty
from dupfinder.cli.scan import add_library, add_radius, demand_of, library_of, open_session
from dupfinder.cli.terminal import tell
from dupfinder.wording.catalogue import N_, number_text, say, say_count
from dupfinder.wording.figures import documents_text, row, share_text

if TYPE_CHECKING:
    from dupfinder.base.output import Recogniser
    from dupfinder.diff.blocks import Block, TextComparison
    from dupfinder.review.calibration import Calibration, Scores
    from dupfinder.scan.comparison import PairView

_NOT_GIVEN = Path()  # --library is not given; given without a file it is None, which means the default one
_PLOT = 24  # characters of a bar
_CONTEXT = 2  # equal lines shown around a difference


def add_parsers(verbs: Any) -> None:
    diff = verbs.add_parser("diff", help=say("compare the texts of two documents"))
    explain = verbs.add_parser("explain", help=say("why two documents are, or are not, near-duplicates"))
    for parser, run, nargs in ((diff, _diff, None), (explain, _explain, "?")):
        add_path(parser, "left", say("a document"), metavar="A", nargs=nargs)
        add_path(parser, "right", say("the document to compare it with"), metavar="B", nargs=nargs)
        parser.set_defaults(run=run)
    _add_library_options(explain)
    query = verbs.add_parser("query", help=say("what in the library is like these files?"))
    query.add_argument(
        "files", nargs="+", type=nonempty, metavar="FILE", help=say("a file, or - for text from standard input")
    )
    add_library(query)
    add_radius(query)
    query.set_defaults(run=_query)


def _add_library_options(explain: argparse.ArgumentParser) -> None:
    add_path(
        explain,
        "--library",
        say(
            "without A and B: what each radius finds in FILE, by default your library, and how many wrong pairs it adds"
        ),
        nargs="?",
        const=None,
        default=_NOT_GIVEN,
    )
    add_path(
        explain,
        "--labels",
        say(
            "with --library: precision and recall of each radius on pairs that you labelled, a line each: "
            "path, path and yes or no"
        ),
    )
    add_path(explain, "--json", say("with --library: write the numbers here as well"))
    add_path(explain, "--plot", say("with --labels: draw precision and recall of each radius, as .svg"))
    add_force(explain, say("a file that holds no such numbers"))
    add_radius(explain)


def _compared(left: Path, right: Path, *, explain: bool = False) -> PairView:
    """Compare two files. Raises NoTextError if one has no text."""
    from dupfinder.scan.comparison import compare_files

    view = compare_files(left, right, explain=explain)
    if view.trouble is not None:
        raise NoTextError("" if view.unread is None else str(view.unread), view.trouble.kind, view.trouble.details)
    return view


def _existing(path: Path) -> Path:
    """Return a file, or a member below the path of its archive, as an absolute path. Raises UsageError if missing."""
    from dupfinder.text.source import holder_of

    absolute = as_scanned(path)
    if not os.path.lexists(absolute) and holder_of(absolute) is None:
        raise UsageError(N_("No such file: {path}."), path=path)
    return absolute


def _similarity(view: PairView) -> str:
    """Return the similarity of two documents as it is said."""
    from dupfinder.wording.relations import similarity_text

    return similarity_text(view.evidence.similarity)


def _diff(arguments: Namespace) -> int:
    from dupfinder.wording.explaining import sameness

    view = _compared(_existing(arguments.left), _existing(arguments.right))
    assert view.comparison is not None
    comparison = view.comparison
    print(f"--- {shown(arguments.left)}")
    print(f"+++ {shown(arguments.right)}")
    if same := sameness(view):
        print(same)
    if not comparison.differences:
        if not same:
            tell("Only spaces or hyphens between words differ; {similarity} similar.", similarity=_similarity(view))
        return 0
    for number in comparison.differences:
        _print_block(comparison, comparison.blocks[number], number)
    tell(
        "{differences}; {similarity} similar.",
        differences=say_count("{count} difference", "{count} differences", len(comparison.differences)),
        similarity=_similarity(view),
    )
    return 0


def _print_block(comparison: TextComparison, block: Block, number: int) -> None:
    print(f"@@ -{block.left_start + 1},{len(block.left)}"
          f" +{block.right_start + 1},{len(block.right)} @@")  # fmt: skip
    before = comparison.blocks[number - 1] if number else None
    if before is not None and before.kind.value == "same":
        for line in comparison.left_lines[max(before.left_start, before.left_stop - _CONTEXT) : before.left_stop]:
            print(f"  {shown(line)}")
    for i in block.left:
        print(f"- {_marked(comparison.left_lines[i], comparison.left_marks.get(i, ()), '[-', '-]')}")
    for j in block.right:
        print(f"+ {_marked(comparison.right_lines[j], comparison.right_marks.get(j, ()), '{+', '+}')}")


def _marked(line: str, spans: tuple[tuple[int, int], ...], begin: str, end: str) -> str:
    """Return a line with its changed words in brackets, unless all of it changed."""
    if not spans or spans == ((0, len(line)),):
        return shown(line)
    pieces = ((shown(text), is_marked) for text, is_marked in split_at(line, spans))
    return "".join(f"{begin}{text}{end}" if is_marked else text for text, is_marked in pieces)


def _explain(arguments: Namespace) -> int:
    is_named = arguments.library is not _NOT_GIVEN
    for option, path in (("--labels", arguments.labels), ("--json", arguments.json)):
        if path is not None and (arguments.left is not None or not is_named):
            raise UsageError(N_("{option} goes with --library, and without files."), option=option)
    if arguments.plot is not None and arguments.labels is None:
        raise UsageError(N_("--plot goes with --labels."))
    if arguments.plot is not None and arguments.plot.suffix.lower() != ".svg":
        raise UsageError(N_("The name of a plot must end in .svg."))
    if arguments.left is None and is_named:
        return _measure(arguments)
    if arguments.right is None:
        raise UsageError(N_("explain takes two files, or --library and none."))
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.grouping import pair_in_scan
    from dupfinder.wording.explaining import scan_lines, verdict

    left, right = _existing(arguments.left), _existing(arguments.right)
    demand = demand_of(arguments, Settings())
    session = None
    try:
        session = open_session(library_of(arguments) if is_named else default_library(), None)
        session.set_demand(demand)
    except (LibraryError, DataFolderError) as error:  # then the two files are explained without a scan
        if is_named and not isinstance(error, LibraryMissing):
            raise
    view = _compared(left, right, explain=True)
    scan = (
        None if session is None else pair_in_scan(session.grouping, session.all_clusters(), left, right, session.demand)
    )
    relation = view.evidence.relation(demand)
    if scan is not None and scan.relation is Relation.SAME_FORM:
        relation = scan.relation  # only other documents of the scan reveal it
    first, *rest = verdict(view, demand, relation)
    print(first)
    for line in (*(scan_lines(scan.relation, scan.keeper) if scan else ()), *rest):
        print(line)
    return 0


def _save(path: Path | None, content: str, is_ours: Recogniser, arguments: Namespace) -> None:
    """Write `content` to `path`, if there is one. An earlier file of its kind is replaced."""
    from dupfinder.base.output import replacing

    if path is not None:
        with replacing(path, is_ours, force=arguments.force) as file:
            file.write(content.encode())


def _measure(arguments: Namespace) -> int:
    """Show how well each radius does on the documents of the library, or on labelled pairs of them."""
    import json

    from dupfinder.review import calibration

    is_ours = calibration.json_recogniser("radii" if arguments.labels is None else "labels")
    for path, is_earlier in ((arguments.json, is_ours), (arguments.plot, calibration.is_our_plot)):
        if path is not None:
            check_written(path, is_earlier, library_of(arguments), force=arguments.force)
    labels = None if arguments.labels is None else calibration.read_labels(arguments.labels)
    grouping, demand = open_session(library_of(arguments), None).grouping, demand_of(arguments, Settings())
    measured = (
        calibration.calibrate(grouping, demand) if labels is None else calibration.score(grouping, labels, demand)
    )
    _save(arguments.json, json.dumps(measured.plain(), indent=1), is_ours, arguments)
    if isinstance(measured, calibration.Calibration):
        _print_calibration(measured)
    else:
        _save(arguments.plot, calibration.plot(measured), calibration.is_our_plot, arguments)
        _print_scores(measured)
    return 0


def _print_scores(scores: Scores) -> None:
    """Print a row for each radius."""
    from dupfinder.review.calibration import shares

    tell(
        "{labelled_pairs}; {left_out} not among the documents of the scan.",
        labelled_pairs=say_count("{count} labelled pair", "{count} labelled pairs", scores.compared),
        left_out=number_text(scores.left_out),
    )
    recall = say("recall")
    heads = (say("bits"), say("fingerprints: precision"), recall, say("shown: precision"), recall)
    widths = (-4, -24, -7, -17, -7)
    print(row(heads, widths))
    for scored in scores.radii:
        cells = [_figure(value) for counts in (scored.by_fingerprint, scored.shown) for value in shares(counts)]
        print(f"{row((str(scored.radius), *cells), widths)}  {_plotted(scored.shown)}")
    tell("plot: # recall, x share of wrong pairs, of what is shown")


def _figure(share: float | None) -> str:
    """Return a share with three decimals, and 1.000 only for all of it; "-" for None."""
    return "-" if share is None else number_text(share if share == 1 else min(share, 0.999), 3)


def _plotted(counts: tuple[int, int, int]) -> str:
    """Return a row of the plot: a bar of the recall, then a bar of the share of wrong pairs."""
    from dupfinder.review.calibration import shares

    precision, recall = shares(counts)
    wrong = 0.0 if precision is None else 1 - precision
    return "#" * round(_PLOT * (recall or 0)) + "x" * round(_PLOT * wrong)


def _print_calibration(calibration: Calibration) -> None:
    tell(
        "{documents}, {copies} of another's text; {pairs}: at least {share} of the passages in common.",
        documents=documents_text(calibration.documents),
        copies=say_count("{count} copy", "{count} copies", calibration.copies),
        pairs=say_count("{count} pair verified", "{count} pairs verified", calibration.pair_count),
        share=share_text(calibration.min_similarity),
    )
    heads = (say("bits"), say("verified"), say("not verified"), say("within the radius: precision"), say("recall"))
    widths = (-4, -10, -13, -25, -8)
    print(row(heads, widths))
    facts = calibration.plain()
    for radius in facts["radii"]:
        counts = (number_text(radius["verified"]), number_text(radius["unverified"]))
        shares = (_figure(radius["precision"]), _figure(radius["recall"]))
        print(row((str(radius["k"]), *counts, *shares), widths))
    beyond = facts["verified_beyond_widest"]
    if beyond:
        tell(
            "{verified_pairs} further apart than {widest} bits, found by their passages.",
            verified_pairs=say_count("{count} verified pair", "{count} verified pairs", beyond),
            widest=calibration.widest,
        )


def _query(arguments: Namespace) -> int:
    from dupfinder.cluster.relation import name_of
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.query import Lookup, digest_of, text_to_find
    from dupfinder.wording.relations import relative_line

    demand = demand_of(arguments, Settings())
    with LibraryFile(library_of(arguments)) as library:
        lookup = Lookup(library)
        for name in arguments.files:
            itself = None if name == "-" else _existing(Path(name))
            text = text_to_find(name if itself is None else str(itself))
            related = lookup.find(text, demand, itself, b"" if itself is None else digest_of(itself))
            tell("{name}: {count} similar", name=shown(name), count=len(related))
            for document in related:
                path = located(document.path, document.archive)
                print(relative_line(path, name_of(document.relation), document.similarity, document.distance))
    return 0
