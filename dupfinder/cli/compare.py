"""The verbs `diff`, `explain` and `query`."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import counted, located, shown
from dupfinder.base.errors import LibraryError, NoTextError, UsageError
from dupfinder.base.settings import MIN_CONTAINMENT, Settings
from dupfinder.cli.outputs import add_force
from dupfinder.cli.scan import library_of, radius_of, similarity_of

if TYPE_CHECKING:
    from dupfinder.cluster.relation import Demand
    from dupfinder.diff.blocks import Block, Comparison
    from dupfinder.review.grouping import Grouping
    from dupfinder.scan.comparison import PairView

_NO_LIBRARY = Path()  # --library was not given; given without a file it is None, the person's own
_PLOT = 24  # characters of a bar
_CONTEXT = 2  # equal lines shown around a difference


def add_parsers(verbs: Any) -> None:
    """Declare `diff`, `explain` and `query`."""
    diff = verbs.add_parser("diff", help="compare the texts of two documents")
    explain = verbs.add_parser("explain", help="why two documents are, or are not, near-duplicates")
    for parser, run, number in ((diff, _diff, None), (explain, _explain, "?")):
        parser.add_argument("left", type=Path, metavar="A", nargs=number)
        parser.add_argument("right", type=Path, metavar="B", nargs=number)
        parser.set_defaults(run=run)
    explain.add_argument("--library", nargs="?", type=Path, const=None, default=_NO_LIBRARY, metavar="FILE",
                         help="without A and B: what each radius finds in the library, and at which price")  # fmt: skip
    explain.add_argument("--labels", type=Path, metavar="FILE",
                         help="with --library: precision and recall of each radius on pairs that you labelled, a line "
                              "each: path, path and yes or no")  # fmt: skip
    explain.add_argument("--json", type=Path, metavar="FILE", help="with --library: write the numbers here as well")
    add_force(explain, "a file that holds no such numbers")
    explain.add_argument("--radius", type=int, metavar="K")
    explain.add_argument("--min-similarity", type=float, metavar="S")
    query = verbs.add_parser("query", help="what in the library is like these files?")
    query.add_argument("files", nargs="+", metavar="FILE", help="a file, or - for text from standard input")
    query.add_argument("--library", type=Path, metavar="FILE")
    query.add_argument("--radius", type=int, metavar="K")
    query.add_argument("--min-similarity", type=float, metavar="S")
    query.set_defaults(run=_query)


def _pair(arguments: Namespace) -> PairView:
    from dupfinder.scan.comparison import compare_files

    view = compare_files(_found(arguments.left), _found(arguments.right))
    _refuse_unread(view)
    return view


def _refuse_unread(view: PairView) -> None:
    if view.trouble is not None:
        raise NoTextError("" if view.unread is None else view.unread.name, view.trouble.kind, view.trouble.details)


def _found(path: Path) -> Path:
    """A file, or a member below the path of its archive, as an absolute path. UsageError when there is no such file."""
    from dupfinder.text.archives.archive import holder_of

    absolute = path.absolute()
    if not os.path.lexists(absolute) and holder_of(absolute) is None:
        raise UsageError(f"No such file: {path}.")
    return absolute


def _diff(arguments: Namespace) -> int:
    from dupfinder.cluster.relation import percent

    view = _pair(arguments)
    assert view.comparison is not None
    found = view.comparison
    print(f"--- {shown(arguments.left)}")
    print(f"+++ {shown(arguments.right)}")
    if view.same_words is not None:
        print(_sameness(view))
    if not found.differences:
        return 0
    for number in found.differences:
        _print_block(found, found.blocks[number], number)
    print(f"{counted(len(found.differences), 'difference')}; {percent(view.similarity)} % similar.")
    return 0


def _sameness(view: PairView) -> str:
    """What two documents with the same words are to one another."""
    from dupfinder.cluster.relation import Demand
    from dupfinder.review.explain import verdict

    demand = Demand(1.0, 1.0, 0)
    return verdict(view, demand, view.relation(demand))[0]


def _print_block(found: Comparison, block: Block, number: int) -> None:
    print(f"@@ -{block.left_start + 1},{block.left_stop - block.left_start}"
          f" +{block.right_start + 1},{block.right_stop - block.right_start} @@")  # fmt: skip
    before = found.blocks[number - 1] if number else None
    if before is not None and before.kind.value == "same":
        for line in found.left_lines[max(before.left_start, before.left_stop - _CONTEXT) : before.left_stop]:
            print(f"  {shown(line)}")
    for i in range(block.left_start, block.left_stop):
        print(f"- {_marked(found.left_lines[i], found.left_marks.get(i, ()), '[-', '-]')}")
    for j in range(block.right_start, block.right_stop):
        print(f"+ {_marked(found.right_lines[j], found.right_marks.get(j, ()), '{+', '+}')}")


def _marked(line: str, spans: tuple[tuple[int, int], ...], begin: str, end: str) -> str:
    """A line with its changed words in brackets, unless all of it changed."""
    if not spans or spans == ((0, len(line)),):
        return shown(line)
    parts, last = [], 0
    for start, stop in spans:
        parts += [shown(line[last:start]), begin, shown(line[start:stop]), end]
        last = stop
    return "".join([*parts, shown(line[last:])])


def _explain(arguments: Namespace) -> int:
    if arguments.labels is not None and (arguments.left is not None or arguments.library is _NO_LIBRARY):
        raise UsageError("--labels goes with --library, and without files.")
    if arguments.left is None and arguments.library is not _NO_LIBRARY:
        return _calibrate(arguments) if arguments.labels is None else _score(arguments)
    if arguments.right is None:
        raise UsageError("explain takes two files, or --library and none.")
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.explain import scanned, verdict
    from dupfinder.scan.comparison import explain_files

    left, right = _found(arguments.left), _found(arguments.right)
    demand = demand_of(arguments, Settings())
    named = arguments.library is not _NO_LIBRARY
    try:
        grouping = _grouping(arguments)
    except LibraryError:
        if named:
            raise
        grouping = None  # the two files explain themselves
    view = explain_files(left, right)
    _refuse_unread(view)
    scan = None if grouping is None else scanned(grouping, left, right, demand)
    relation = view.relation(demand)
    if scan is not None and scan.relation is Relation.SAME_FORM:
        relation = scan.relation  # which only other documents of the scan show
    first, *rest = verdict(view, demand, relation)
    print(first)
    for line in (*(scan.lines if scan else ()), *rest):
        print(line)
    return 0


def demand_of(arguments: Namespace, settings: Settings) -> Demand:
    """What --radius and --min-similarity, or the settings, ask of versions and parts."""
    from dupfinder.cluster.relation import Demand

    return Demand(similarity_of(arguments, settings), settings.number(MIN_CONTAINMENT), radius_of(arguments, settings))


def _grouping(arguments: Namespace) -> Grouping | None:
    """The newest scan of the library; None where nothing was scanned."""
    from dupfinder.base.errors import LibraryMissing
    from dupfinder.library.library import Library
    from dupfinder.review.grouping import Grouping

    if arguments.library is _NO_LIBRARY:
        arguments.library = None
    try:
        with Library.open(library_of(arguments)) as library:
            return Grouping(library.result())
    except LibraryMissing:
        return None


def _score(arguments: Namespace) -> int:
    """Show how well each radius does on labelled pairs."""
    import json

    from dupfinder.base.errors import LibraryMissing
    from dupfinder.base.output import check_output, refuse_document, replacing
    from dupfinder.review.labelled import is_ours, read_labels, score, shares

    if arguments.json is not None:
        check_output(arguments.json, is_ours, force=arguments.force)
    labels = read_labels(arguments.labels)
    grouping = _grouping(arguments)
    if grouping is None:
        raise LibraryMissing(library_of(arguments))
    scores = score(grouping, labels, demand_of(arguments, Settings()))
    if arguments.json is not None:
        refuse_document(arguments.json, map(Path, grouping.result.documents.paths))
        with replacing(arguments.json, is_ours, force=arguments.force) as file:
            file.write(json.dumps(scores.plain(), indent=1).encode())
    print(f"{counted(scores.compared, 'labelled pair')}; {scores.left_out:,} not among the documents of the scan.")
    print(f"{'bits':>4}  {'fingerprints: precision':>23} {'recall':>7}  {'shown: precision':>16} {'recall':>7}")
    for row in scores.radii:
        cells = [
            "-" if one is None else f"{one:.3f}" for counts in (row.by_fingerprint, row.shown) for one in shares(counts)
        ]
        print(f"{row.radius:4}  {cells[0]:>23} {cells[1]:>7}  {cells[2]:>16} {cells[3]:>7}  {_plotted(row.shown)}")
    print("plot: # recall of what is shown, x share of it that is wrong")
    return 0


def _plotted(counts: tuple[int, int, int]) -> str:
    """A row of the plot: a bar of the recall, and behind it how much of what is shown is wrong."""
    from dupfinder.review.labelled import shares

    precision, recall = shares(counts)
    return "#" * round(_PLOT * (recall or 0)) + "x" * round(_PLOT * (1 - (1 if precision is None else precision)))


def _calibrate(arguments: Namespace) -> int:
    import json

    from dupfinder.base.errors import LibraryMissing
    from dupfinder.base.output import check_output, refuse_document, replacing
    from dupfinder.review.calibration import calibrate, is_ours

    settings = Settings()
    if arguments.json is not None:
        check_output(arguments.json, is_ours, force=arguments.force)
    grouping = _grouping(arguments)
    if grouping is None:
        raise LibraryMissing(library_of(arguments))
    found = calibrate(grouping, demand_of(arguments, settings))
    facts = found.plain()
    if arguments.json is not None:
        refuse_document(arguments.json, map(Path, grouping.result.documents.paths))
        with replacing(arguments.json, is_ours, force=arguments.force) as file:
            file.write(json.dumps(facts, indent=1).encode())
    print(f"{found.documents:,} documents, {found.copies:,} copies of another's text; {found.found:,} pairs verified: "
          f"at least {found.min_similarity:.0%} of the passages in common.")  # fmt: skip
    print(f"{'bits':>4} {'verified':>10} {'not':>10}   {'within: precision':>17} {'recall':>8}")
    for row in facts["radii"]:
        shares = " ".join("-" if row[name] is None else f"{row[name]:.3f}" for name in ("precision", "recall"))
        precision, recall = shares.split()
        print(f"{row['k']:4} {row['verified']:10,} {row['unverified']:10,}   {precision:>17} {recall:>8}")
    beyond = facts["verified_beyond_widest"]
    if beyond:
        print(f"{counted(beyond, 'verified pair')} further apart than {found.widest} bits, found by their passages.")
    return 0


def _query(arguments: Namespace) -> int:
    from dupfinder.cluster.relation import Relation, name_of, percent
    from dupfinder.library.library import Library
    from dupfinder.scan.query import Lookup, digest_of, text_to_find

    demand = demand_of(arguments, Settings())
    with Library.open(library_of(arguments)) as library:
        lookup = Lookup(library)
        for name in arguments.files:
            itself = None if name == "-" else _found(Path(name))
            text = text_to_find(name if itself is None else str(itself))
            hits = lookup.find(text, demand, itself, b"" if itself is None else digest_of(itself))
            print(f"{shown(name)}: {len(hits)} alike")
            for hit in hits:
                place = shown(located(hit.path, hit.archive))
                similar = percent(hit.similarity, equal=hit.relation >= Relation.SAME_WORDS)
                print(f"  {similar:3} %  {name_of(hit.relation).replace('_', ' '):<10} {hit.distance:>2} bits  {place}")
    return 0
