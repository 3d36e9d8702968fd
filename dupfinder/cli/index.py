"""The verb `index`: build, change and ask a fingerprint index for files of fingerprints."""

from __future__ import annotations

import argparse
import itertools
import os
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.details import error_name
from dupfinder.base.display import shown
from dupfinder.base.errors import Fault, IndexFileError, InputError, UsageError
from dupfinder.cli import index_query
from dupfinder.cli.index_query import add_common, add_paths, count_of_many, design_of, paths_of
from dupfinder.cli.options import (
    add_flag,
    add_force,
    add_number,
    add_path,
    check_written,
    content_of_list,
    decimal,
    size_of,
    whole_number,
)
from dupfinder.cli.terminal import Printer, add_progress, printer_of, tell
from dupfinder.wording.catalogue import N_, number_text, say, say_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dupfinder.cli.index_output import PairColumns
    from dupfinder.engine.prints import PrintFile

_FILE_HELP = N_("fingerprints: a file of `fingerprint` or `library export`, a .npy array, or hexadecimal lines")


def add_parsers(verbs: Any) -> None:
    """Add `index build|add|remove|merge|query|join|explain|info`."""
    index = verbs.add_parser("index", help=say("the fingerprint index on its own: files of fingerprints"))
    acts = index.add_subparsers(dest="act", required=True, metavar="build|add|remove|merge|query|join|explain|info")
    _add_build(acts)
    _add_changes(acts, say(_FILE_HELP))
    index_query.add_parser(acts, say(_FILE_HELP))
    _add_join(acts)
    _add_explain(acts)
    info = acts.add_parser(
        "info", help=say("what an index, a table or a file of fingerprints holds, and whether it is whole")
    )
    add_path(info, "path", say("a folder of tables, a table, or a file of fingerprints"), metavar="PATH")
    info.set_defaults(run=_info)


def _add_build(acts: Any) -> None:
    build = acts.add_parser("build", help=say("write an index into a new folder, to which more can be added"))
    add_path(build, "file", say(_FILE_HELP))
    add_path(build, "--to", say("a folder that does not exist yet"), required=True, metavar="FOLDER")
    build.add_argument("--design", metavar="NAME", help=say("4, 10, 16, 20 or C(m,r); default: radius + 1 blocks"))
    build.add_argument(
        "--coding", choices=("xor", "difference"), default="xor", help=say("what is coded between neighbours")
    )
    add_common(build)
    build.set_defaults(run=_build)


def _add_join(acts: Any) -> None:
    join = acts.add_parser("join", help=say("all pairs within the radius: of one file, or of it against old ones"))
    add_path(join, "file", say(_FILE_HELP))
    add_path(join, "--against", say("old fingerprints, streamed past the file"), nargs="+")
    join.add_argument("--design", metavar="NAME", help=say("4, 10, 16, 20 or C(m,r); default: the planner's choice"))
    join.add_argument("--method", choices=("tables", "brute"), default="tables", help=say("brute: each with each"))
    join.add_argument(
        "--by",
        choices=("fingerprints", "sketches"),
        default="fingerprints",
        help=say("sketches: pairs that share shingles, with resemblance in place of distance"),
    )
    join.add_argument(
        "--least", type=decimal(0, 1), metavar="S", help=say("of --by sketches: the least resemblance; 0.5")
    )
    add_flag(join, "--parts", say("with --by sketches of kind mod: pairs by containment, not by resemblance"))
    add_paths(join)
    add_path(join, "--to", say(".npy: an array of rows; else text. Default: the output"))
    add_force(join, say("a file that exists already"))
    add_number(join, "--most-pairs", say("give up beyond so many pairs"), 1, default=100_000_000)
    add_number(join, "--workers", say("processes for --against"), 1, 64, default=1)
    join.add_argument("--cluster", metavar="ADDRESS", help=say("Dask scheduler for --against, as tcp://host:8786"))
    add_common(join)
    join.set_defaults(run=_join)


def _add_explain(acts: Any) -> None:
    explain = acts.add_parser(
        "explain", help=say("which design serves, and why: of a file, or of a number of fingerprints")
    )
    add_path(explain, "file", say(_FILE_HELP), nargs="?")
    explain.add_argument(
        "--count", type=count_of_many, metavar="N", help=say("in place of a file: 8e9, 2^34, 10000000")
    )
    explain.add_argument(
        "--bits", type=whole_number(), choices=(32, 64, 128), default=64, help=say("of a fingerprint, with --count")
    )
    explain.add_argument("--memory", type=size_of, metavar="SIZE", help=say("of a machine, with --count: 64G"))
    add_number(explain, "--machines", say("with --count"), 1, metavar="M", default=1)
    explain.add_argument(
        "--for",
        dest="purpose",
        choices=("join", "one", "many"),
        default="join",
        help=say("what is searched: all pairs, or what is like one or many fingerprints"),
    )
    add_number(explain, "--queries", say("how many, with --for many"), 1, default=10_000)
    add_common(explain)
    explain.set_defaults(run=_explain)


def _build(arguments: Namespace) -> int:
    from dupfinder.cli.index_output import describe_size
    from dupfinder.engine.coding import Coding
    from dupfinder.engine.growing import write_index
    from dupfinder.engine.prints import load_prints
    from dupfinder.index.design import family
    from dupfinder.index.words import width_of

    prints = load_prints(arguments.file)
    bits = width_of(prints.fingerprints)
    if bits > 64:
        raise UsageError(N_("compressed tables hold fingerprints of 32 or 64 bits, not 128"))
    design = design_of(arguments.design, bits, arguments.radius) or family(bits, arguments.radius, arguments.radius + 1)
    with printer_of(arguments) as printer:
        try:
            summary = write_index(
                arguments.to,
                prints.fingerprints,
                design,
                coding=Coding(arguments.coding),
                paths=prints.paths,
                made_by=prints.made_by,
                reporter=printer,
            )
        except OSError as error:
            raise InputError(Fault.OUTPUT_REFUSED, path=arguments.to, reason=error_name(error)) from error
    if not arguments.quiet:
        print(describe_size(summary))
    return 0


def _join(arguments: Namespace) -> int:
    from dupfinder.base.output import recognise_nothing, refuse_document
    from dupfinder.cli.index_output import write_rows
    from dupfinder.engine.prints import load_prints
    from dupfinder.index.join import TooManyPairs

    _check_join(arguments)
    if arguments.to is not None:
        refuse_document(arguments.to, (arguments.file, *(arguments.against or ())))
        check_written(arguments.to, recognise_nothing, None, force=arguments.force)
    prints = load_prints(arguments.file)
    find = _join_sketches if arguments.by == "sketches" else _batch if arguments.against else _join_prints
    try:
        with printer_of(arguments) as printer:
            columns = find(arguments, prints, printer)
    except TooManyPairs as error:
        raise UsageError(
            N_("more than {most} pairs lie within {radius} bits: choose a smaller --radius or a larger --most-pairs"),
            most=number_text(error.most),
            radius=error.radius,
        ) from error
    names = _names(arguments, prints) if arguments.paths else None
    if names is None:
        columns = _numbered(arguments, prints, columns)
    write_rows(arguments.to, columns, names=names, force=arguments.force, quiet=arguments.quiet)
    return 0


def _check_join(arguments: Namespace) -> None:
    """Raise UsageError for options that exclude each other."""
    if arguments.by == "sketches":
        if arguments.against or arguments.design or arguments.method != "tables":
            raise UsageError(N_("--against, --design and --method are of fingerprints, not of sketches."))
    elif arguments.parts or arguments.least is not None:
        raise UsageError(N_("--least and --parts go with --by sketches."))
    if arguments.method == "brute" and (arguments.against or arguments.design):
        raise UsageError(N_("--method brute compares all of one file: it takes no --against and no --design."))
    if arguments.cluster and not arguments.against:
        raise UsageError(N_("--cluster goes with --against."))
    if arguments.paths and arguments.to is not None and arguments.to.suffix == ".npy":
        raise UsageError(N_("A .npy file holds numbers alone; --paths goes with a text."))


def _join_prints(arguments: Namespace, prints: PrintFile, printer: Printer) -> PairColumns:
    from dupfinder.engine.exhaustive import all_pairs
    from dupfinder.index.join import join
    from dupfinder.index.words import width_of

    if arguments.method == "brute":
        pairs = all_pairs(prints.fingerprints, arguments.radius)
    else:
        design = design_of(arguments.design, width_of(prints.fingerprints), arguments.radius)
        most = arguments.most_pairs
        pairs = join(prints.fingerprints, arguments.radius, design=design, reporter=printer, most_pairs=most)
    return pairs.left, pairs.right, pairs.distance


def _join_sketches(arguments: Namespace, prints: PrintFile, printer: Printer) -> PairColumns:
    from dupfinder.engine.sketch_pairs import join_sketches

    if prints.sketches is None:
        raise UsageError(
            N_("{file} holds no sketches; `dupfinder fingerprint --sketch` makes them."), file=shown(arguments.file)
        )
    if arguments.parts and prints.sketches.kind != "mod":
        raise UsageError(N_("--parts needs sketches of kind mod: the others do not tell what is in what."))
    least = 0.5 if arguments.least is None else arguments.least
    return join_sketches(prints.sketches, least, printer, parts=arguments.parts)


def _numbered(arguments: Namespace, prints: PrintFile, columns: PairColumns) -> PairColumns:
    """Return pairs with the row numbers of indexes in place of positions.

    The rows of each file of --against are numbered from the last one of the file before.
    """
    import numpy as np

    from dupfinder.engine.prints import load_prints

    left, right, third = columns
    if prints.rows is not None:
        left = prints.rows[left]
        if not arguments.against:
            right = prints.rows[right]
    if any(os.path.isdir(file) for file in arguments.against or ()):
        rows = np.empty(0, np.int64)
        for file in arguments.against:
            old = load_prints(file)
            numbers = np.arange(len(old.fingerprints)) if old.rows is None else old.rows.astype(np.int64)
            rows = np.concatenate((rows, numbers + (rows[-1] + 1 if len(rows) else 0)))
        right = rows[right]
    return left, right, third


def _names(arguments: Namespace, prints: PrintFile) -> tuple[Sequence[str], Sequence[str]]:
    """Return the paths of the rows of both columns."""
    from dupfinder.engine.prints import load_prints

    paths = paths_of(arguments.file, prints.paths)
    if not arguments.against:
        return paths, paths
    return paths, [path for file in arguments.against for path in paths_of(file, load_prints(file).paths)]


def _batch(arguments: Namespace, prints: PrintFile, printer: Printer) -> PairColumns:
    from dupfinder.engine.batch import batch, batch_on_cluster, parts_of
    from dupfinder.engine.prints import load_prints, require_same_scheme
    from dupfinder.index.words import width_of
    from dupfinder.processes.crew import Crew

    new = prints.fingerprints
    design = design_of(arguments.design, width_of(new), arguments.radius)
    for file in arguments.against:
        if file.suffix.lower() != ".npy":
            require_same_scheme(prints, load_prints(file))
    parts = parts_of(arguments.against)
    if any(width_of(part.load()[:0]) != width_of(new) for part in parts):
        raise UsageError(N_("the files hold fingerprints of different widths"))
    if arguments.cluster:
        parts = parts_of([path.resolve() for path in arguments.against])
        pairs = batch_on_cluster(arguments.cluster, new, parts, arguments.radius, design=design, reporter=printer)
    else:
        with Crew(arguments.workers) as crew:
            pairs = batch(new, parts, arguments.radius, crew=crew, design=design, reporter=printer)
    return pairs.new, pairs.old, pairs.distance


def _explain(arguments: Namespace) -> int:
    from dupfinder.cli.index_output import explain_capacity, explain_join, explain_query
    from dupfinder.engine.planning import plan_capacity, plan_query
    from dupfinder.engine.prints import load_fingerprints
    from dupfinder.index.planner import plan_join

    if (arguments.file is None) == (arguments.count is None):
        raise UsageError(N_("index explain takes a file of fingerprints, or --count and none."))
    if arguments.count is not None:
        memory = float("inf") if arguments.memory is None else float(arguments.memory)
        if not memory:
            raise UsageError(N_("--memory must be above 0."))
        plan = plan_capacity(
            arguments.count, arguments.radius, arguments.bits, memory=memory, machines=arguments.machines
        )
        print("\n".join(explain_capacity(plan)))
        return 0
    fingerprints = load_fingerprints(arguments.file)
    if arguments.purpose == "join":
        lines = explain_join(plan_join(fingerprints, arguments.radius, thorough=True))
    else:
        queries = 1 if arguments.purpose == "one" else arguments.queries
        lines = explain_query(plan_query(fingerprints, arguments.radius, queries))
    print("\n".join(lines))
    return 0


def _info(arguments: Namespace) -> int:
    from dupfinder.cli.index_output import describe_file, describe_index, describe_table
    from dupfinder.engine.blocks import MAGIC, CompressedTable
    from dupfinder.engine.folder import FolderReader
    from dupfinder.engine.prints import load_fingerprints

    path: Path = arguments.path
    if os.path.isdir(path):
        with FolderReader(path) as index:
            index.verify()
            lines = describe_index(index.facts())
    else:
        try:
            with open(path, "rb") as stream:
                compressed = stream.read(len(MAGIC)) == MAGIC
        except OSError as error:
            raise IndexFileError(path, Fault.UNREADABLE, reason=error_name(error)) from error
        if compressed:
            with CompressedTable(path) as table:
                lines = describe_table(table.header)
        else:
            lines = describe_file(load_fingerprints(path))
    print("\n".join(lines))
    return 0


def _add_changes(acts: Any, file_help: str) -> None:
    """Add `add`, `remove` and `merge`."""
    add = acts.add_parser("add", help=say("add fingerprints to an index that `build` wrote"))
    _add_index(add)
    add_path(add, "file", file_help, nargs="+")
    add_flag(add, "--replace", say("remove what the index holds under the same paths, in the same step"))
    add.set_defaults(run=_add)
    remove = acts.add_parser("remove", help=say("remove rows from an index, by their paths or numbers"))
    _add_index(remove)
    remove.add_argument("path", nargs="*", metavar="PATH", help=say("as `index query --paths` prints it"))
    add_number(remove, "--rows", say("row numbers"), nargs="+", default=[])
    remove.add_argument("--files-from", metavar="FILE", help=say("paths that FILE lists, one a line; - is the input"))
    remove.set_defaults(run=_remove)
    merge = acts.add_parser("merge", help=say("merge all runs of an index into one, which is queried fastest"))
    _add_index(merge)
    merge.set_defaults(run=_merge)


def _add_index(act: argparse.ArgumentParser) -> None:
    add_path(act, "index", say("a folder that `build` wrote"), metavar="INDEX")
    add_progress(act)


def _add(arguments: Namespace) -> int:
    from dupfinder.engine.growing import FolderIndex
    from dupfinder.engine.prints import load_prints
    from dupfinder.index.words import width_of

    count = 0
    with FolderIndex(arguments.index) as index, printer_of(arguments) as printer:
        batches = [(file, load_prints(file)) for file in arguments.file]
        for file, prints in batches:  # nothing is added before all files are checked
            if (bits := width_of(prints.fingerprints)) != index.design.bits:
                raise UsageError(
                    N_("{file} holds fingerprints of {bits} bits, and the index those of {wanted}. Nothing was added."),
                    file=shown(file), bits=bits, wanted=index.design.bits,
                )  # fmt: skip
            if arguments.replace and prints.paths is None:
                raise UsageError(N_("{file} holds no paths, by which --replace works."), file=shown(file))
        for _, prints in batches:
            rows = index.add(
                prints.fingerprints, prints.paths,
                replace_paths=arguments.replace, made_by=prints.made_by, reporter=printer,
            )  # fmt: skip
            count += len(rows)
        printer.close()
        if not arguments.quiet:
            print(
                say_count(
                    "{count} fingerprint added; the index holds {total}.",
                    "{count} fingerprints added; the index holds {total}.",
                    count,
                    total=number_text(len(index)),
                )
            )
    return 0


def _remove(arguments: Namespace) -> int:
    from dupfinder.engine.growing import FolderIndex
    from dupfinder.engine.prints import restored_path

    listed = b"" if arguments.files_from is None else content_of_list(arguments.files_from)
    names = [*arguments.path, *(os.fsdecode(line) for line in listed.splitlines() if line)]
    if not names and not arguments.rows:
        raise UsageError(N_("Nothing to remove was named: give paths, --rows or --files-from."))
    with FolderIndex(arguments.index) as index, printer_of(arguments) as printer:
        rows_of = index.rows_of({*names, *map(restored_path, names)})
        rows_by_name = {name: rows_of.get(name) or rows_of.get(restored_path(name)) for name in names}
        unknown = next((name for name, rows in rows_by_name.items() if not rows), None)
        if unknown is not None:
            raise UsageError(
                N_("The index holds nothing under the path {path}. Nothing was removed."), path=shown(unknown)
            )
        rows = {*arguments.rows, *itertools.chain.from_iterable(rows for rows in rows_by_name.values() if rows)}
        try:
            index.remove(rows, reporter=printer)
        except KeyError as error:
            raise UsageError(N_("The index holds no row {row}. Nothing was removed."), row=error.args[0]) from error
        printer.close()
        if not arguments.quiet:
            print(
                say_count(
                    "{count} row removed; the index holds {total}.",
                    "{count} rows removed; the index holds {total}.",
                    len(rows),
                    total=number_text(len(index)),
                )
            )
    return 0


def _merge(arguments: Namespace) -> int:
    from dupfinder.engine.growing import FolderIndex

    with FolderIndex(arguments.index) as index, printer_of(arguments) as printer:
        index.merge(reporter=printer)
        printer.close()
        if not arguments.quiet:
            tell("The runs are merged; the index holds {count}.", count=number_text(len(index)))
    return 0
