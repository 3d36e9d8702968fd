"""The verb `index query`: find the fingerprints near others, in tables on disk or in a file, by any method."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cli.options import add_flag, add_number, add_path
from dupfinder.cli.terminal import add_progress
from dupfinder.wording.catalogue import N_, say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dupfinder.engine.prints import PrintFile
    from dupfinder.index.design import TableDesign
    from dupfinder.index.pairs import Matches

_HEX = "0x"  # which the digits of a fingerprint may follow


def count_of_many(text: str) -> int:
    """Return a number of fingerprints from a text such as 8e9, 2^34, 10000000."""
    base, power, exponent = text.partition("^")
    try:
        number = int(base) ** int(exponent) if power and len(base + exponent) < 6 else int(float(text))
    except (ValueError, OverflowError):
        number = 0
    if not 1 <= number <= 1 << 60:
        raise argparse.ArgumentTypeError(
            say("a number of fingerprints is wanted, as in 8e9 or 2^34, not {text}", text=repr(text))
        )
    return number


def add_common(act: argparse.ArgumentParser, default: int | None = 3) -> None:
    what = (
        say("bits that may differ, 0 to 16; if left out, 3 in a file, in tables on disk as many as they serve")
        if default is None
        else say("bits that may differ, 0 to 16; {count} if left out", count=default)
    )
    add_number(act, "--radius", what, 0, MAX_RADIUS, metavar="K", default=default)
    add_progress(act)


def add_paths(act: argparse.ArgumentParser) -> None:
    add_flag(act, "--paths", say("paths in place of row numbers, of files that hold them"))


def design_of(name: str | None, bits: int, radius: int) -> TableDesign | None:
    """Return the design with a name; None without a name. Raises UsageError."""
    from dupfinder.index.design import named_design

    try:
        return None if name is None else named_design(name, bits, radius)
    except ValueError as error:
        none = N_("--design: there is no design {name} for fingerprints of {bits} bits and a radius of {radius}.")
        raise UsageError(none, name=name, bits=bits, radius=radius) from error


def paths_of(file: Path, paths: Sequence[str] | None) -> Sequence[str]:
    """Return the paths of a file of fingerprints. Raises UsageError if it has none."""
    if paths is None:
        raise UsageError(N_("{file} holds no paths: --paths needs a .npz or .tsv file that does."), file=shown(file))
    return paths


def add_parser(acts: Any, file_help: str) -> None:
    query = acts.add_parser("query", help=say("what lies near a fingerprint?"))
    add_path(query, "index", say("a folder that `build` wrote, or a file of fingerprints"), metavar="INDEX")
    query.add_argument("fingerprint", nargs="*", metavar="FINGERPRINT", help=say("hexadecimal, 8, 16 or 32 digits"))
    add_path(query, "--from", say("queries from a file; {file_help}", file_help=file_help), dest="queries")
    query.add_argument(
        "--method",
        choices=("tables", "pigeonhole", "variants", "brute"),
        help=say(
            "in a file: tables, lists by block, variants looked up (radius up to 4), or all compared; by "
            "default the fastest"
        ),
    )
    query.add_argument("--design", metavar="NAME", help=say("of the tables: 4, 10, 16, 20 or C(m,r)"))
    query.add_argument("--search", choices=("direct", "binary", "interpolation"), help=say("in each table"))
    add_paths(query)
    add_common(query, default=None)
    query.set_defaults(run=_query)


def _query(arguments: Namespace) -> int:
    from dupfinder.engine.prints import load_prints, number_of

    queries = [_number(text) for text in arguments.fingerprint]
    query_file = None if arguments.queries is None else load_prints(arguments.queries)
    if query_file is not None:
        queries += [number_of(value) for value in query_file.fingerprints]
    if not queries:
        raise UsageError(N_("There is no fingerprint to look for: name one, or a file with --from."))
    if os.path.isdir(arguments.index):
        return _query_folder(arguments, queries, query_file)
    return _query_file(arguments, queries, query_file)


def _number(text: str) -> int:
    digits = text.removeprefix(_HEX)
    if len(digits) not in (8, 16, 32) or not all(char in "0123456789abcdefABCDEF" for char in digits):
        raise UsageError(N_("{text} is not a fingerprint of 8, 16 or 32 hexadecimal digits."), text=repr(text))
    return int(digits, 16)


def _require_width(arguments: Namespace, bits: int, query_file: PrintFile | None) -> None:
    """Raise UsageError for a query of another width than the fingerprints in which it is looked for."""
    from dupfinder.index.words import width_of

    widths = {4 * len(text.removeprefix(_HEX)) for text in arguments.fingerprint}
    if query_file is not None and len(query_file.fingerprints):
        widths.add(width_of(query_file.fingerprints))
    for other in widths - {bits}:
        pattern = N_("The file holds fingerprints of {bits} bits, a query has {other}.")
        raise UsageError(pattern, bits=bits, other=other)


def _query_folder(arguments: Namespace, queries: list[int], query_file: PrintFile | None) -> int:
    from dupfinder.engine.folder import FolderReader
    from dupfinder.engine.prints import PrintFile, require_same_scheme

    if arguments.method or arguments.design or arguments.search:
        raise UsageError(N_("--method, --design and --search are of files; tables on disk have theirs."))
    with FolderReader(arguments.index) as index:
        if query_file is not None:
            require_same_scheme(PrintFile(query_file.fingerprints, made_by=index.made_by), query_file)
        if arguments.paths:
            paths_of(arguments.index, () if index.facts().has_paths else None)
        if arguments.radius is not None and arguments.radius > index.design.radius:
            raise UsageError(N_("The tables serve a radius of at most {radius}."), radius=index.design.radius)
        _require_width(arguments, index.design.bits, query_file)
        for query in queries:
            matches = index.query(query, arguments.radius)
            paths = index.paths(matches.rows.tolist()) if arguments.paths else None
            near = enumerate(
                zip(matches.fingerprints.tolist(), matches.distance.tolist(), matches.rows.tolist(), strict=True)
            )
            _print(
                ((query, value, distance, number if paths else row) for number, (value, distance, row) in near),
                index.design.bits,
                paths,
            )
    return 0


def _query_file(arguments: Namespace, queries: list[int], query_file: PrintFile | None) -> int:
    from dupfinder.engine.prints import load_prints, number_of, require_same_scheme
    from dupfinder.index.words import width_of

    prints = load_prints(arguments.index)
    if query_file is not None:
        require_same_scheme(prints, query_file)
    bits = width_of(prints.fingerprints)
    _require_width(arguments, bits, query_file)
    paths = paths_of(arguments.index, prints.paths) if arguments.paths else None
    matches = _matches(arguments, prints, queries, bits)
    columns = (matches.query.tolist(), matches.row.tolist(), matches.distance.tolist())
    rows = (
        (queries[query], number_of(prints.fingerprints[row]), distance, row)
        for query, row, distance in zip(*columns, strict=True)
    )
    _print(rows, bits, paths)
    return 0


def _matches(arguments: Namespace, prints: PrintFile, queries: list[int], bits: int) -> Matches:
    """Find the fingerprints near the queries, by the given method or the planner's choice."""
    from dupfinder.engine.exhaustive import look_up, scan_many
    from dupfinder.engine.planning import plan_query
    from dupfinder.engine.prints import array_of
    from dupfinder.index.design import family
    from dupfinder.index.tables import KeyLookup, PermutedTables

    radius = 3 if arguments.radius is None else arguments.radius
    query_values, fingerprints = array_of(queries, bits), prints.fingerprints
    try:
        if arguments.design or arguments.search:
            if arguments.method not in (None, "tables"):
                raise UsageError(N_("--design and --search are of --method tables."))
            design = design_of(arguments.design, bits, radius) or family(bits, radius, radius + 1)
            search = None if arguments.search is None else KeyLookup(arguments.search)
            return PermutedTables(fingerprints, design, search).query_many(query_values, radius)
        if arguments.method is not None:
            return look_up(fingerprints, query_values, radius, arguments.method)
    except ValueError as error:
        none = N_(
            "No such search serves a radius of {radius} in {bits} bits: choose another --method, --design or --search."
        )
        raise UsageError(none, radius=radius, bits=bits) from error
    estimate = plan_query(fingerprints, radius, len(queries)).chosen
    if estimate.design is None:
        return scan_many(fingerprints, query_values, radius)
    return PermutedTables(fingerprints, estimate.design, estimate.search).query_many(query_values, radius)


def _print(rows: Iterable[tuple[int, int, int, int]], bits: int, paths: Any) -> None:
    """Print lines of query, fingerprint, distance and row, or path instead of the row."""
    from dupfinder.engine.prints import escaped_path

    digits = bits // 4
    sys.stdout.flush()
    for query, near, distance, row in rows:
        last = row if paths is None else escaped_path(paths[row])
        sys.stdout.buffer.write(os.fsencode(f"{query:0{digits}x}\t{near:0{digits}x}\t{distance}\t{last}\n"))
    sys.stdout.buffer.flush()
