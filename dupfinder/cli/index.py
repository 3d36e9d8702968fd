"""The verb `index`: the fingerprint index on its own, over files of fingerprints."""

from __future__ import annotations

import argparse
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.errors import UsageError
from dupfinder.cli.outputs import add_force

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from dupfinder.cli.progress import Printer
    from dupfinder.index.design import TableDesign

_FILE_HELP = "fingerprints: a .npy array, or text with one hexadecimal number a line"


def add_parsers(verbs: Any) -> None:
    """Declare `index build|query|join|explain|info`."""
    index = verbs.add_parser("index", help="the fingerprint index on its own: files of fingerprints")
    acts = index.add_subparsers(dest="act", required=True, metavar="build|query|join|explain|info")
    _add_build(acts)
    _add_query(acts)
    _add_join(acts)
    _add_explain(acts)
    info = acts.add_parser(
        "info", help="what an index, a table or a file of fingerprints holds, and whether it is whole"
    )
    info.add_argument("path", type=Path)
    info.set_defaults(run=_info)


def _radius(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) > 16:
        raise argparse.ArgumentTypeError(f"the radius is a whole number from 0 to 16, not {text!r}")
    return int(text)


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a whole number above 0 is wanted, not {text!r}")
    return int(text)


def _add_common(act: argparse.ArgumentParser, default: int | None = 3) -> None:
    act.add_argument("--radius", type=_radius, default=default, metavar="K", help="bits that may differ, 0 to 16")
    act.add_argument("--progress", choices=("auto", "bar", "plain", "json", "none"), default="auto")


def _add_build(acts: Any) -> None:
    build = acts.add_parser("build", help="write compressed tables into a new folder")
    build.add_argument("file", type=Path, help=_FILE_HELP)
    build.add_argument("--to", type=Path, required=True, metavar="FOLDER", help="a folder that does not exist yet")
    build.add_argument("--design", metavar="NAME", help="4, 10, 16, 20 or C(m,r); default: radius + 1 blocks")
    build.add_argument(
        "--coding", choices=("xor", "difference"), default="xor", help="what is coded between neighbours"
    )
    build.add_argument("--rows", action="store_true", help="keep row numbers too: 32 bits more for each fingerprint")
    _add_common(build)
    build.set_defaults(run=_build)


def _add_query(acts: Any) -> None:
    query = acts.add_parser("query", help="what lies near a fingerprint?")
    query.add_argument("index", type=Path, help="a folder that `build` wrote, or a file of fingerprints")
    query.add_argument("fingerprint", nargs="*", help="hexadecimal, 8, 16 or 32 digits")
    query.add_argument("--from", type=Path, dest="queries", metavar="FILE", help=f"queries from a file of {_FILE_HELP}")
    _add_common(query, default=None)
    query.set_defaults(run=_query)


def _add_join(acts: Any) -> None:
    join = acts.add_parser("join", help="all pairs within the radius: of one file, or of it against old ones")
    join.add_argument("file", type=Path, help=_FILE_HELP)
    join.add_argument(
        "--against", type=Path, nargs="+", metavar="FILE", help="old fingerprints, streamed past the file"
    )
    join.add_argument("--design", metavar="NAME", help="4, 10, 16, 20 or C(m,r); default: the planner's choice")
    join.add_argument("--to", type=Path, metavar="FILE", help=".npy: an array of rows; else text. Default: the output")
    add_force(join, "a file that exists already")
    join.add_argument(
        "--most-pairs", type=_count, default=100_000_000, metavar="N", help="give up beyond so many pairs"
    )
    join.add_argument("--workers", type=_count, default=1, metavar="N", help="processes for --against")
    join.add_argument("--cluster", metavar="ADDRESS", help="Dask scheduler for --against, as tcp://host:8786")
    _add_common(join)
    join.set_defaults(run=_join)


def _add_explain(acts: Any) -> None:
    explain = acts.add_parser("explain", help="which design serves, and why")
    explain.add_argument("file", type=Path, help=_FILE_HELP)
    explain.add_argument("--for", dest="purpose", choices=("join", "one", "many"), default="join")
    explain.add_argument("--queries", type=_count, default=10_000, metavar="N", help="how many, with --for many")
    _add_common(explain)
    explain.set_defaults(run=_explain)


def _loaded(path: Path) -> NDArray[np.unsignedinteger]:
    from dupfinder.index.files import load_fingerprints

    return load_fingerprints(path)


def _printer(arguments: Namespace) -> Printer:
    from dupfinder.cli.progress import Printer

    return Printer.of(arguments.progress)


def _design_of(name: str | None, bits: int, radius: int) -> TableDesign | None:
    from dupfinder.index.design import named

    try:
        return None if name is None else named(name, bits, radius)
    except ValueError as error:
        raise UsageError(f"--design: {error}") from error


def _build(arguments: Namespace) -> int:
    from dupfinder.index.coding import Coding
    from dupfinder.index.design import family
    from dupfinder.index.folder import write_index
    from dupfinder.index.words import width_of

    fingerprints = _loaded(arguments.file)
    bits = width_of(fingerprints)
    if bits > 64:
        raise UsageError("compressed tables hold fingerprints of 32 or 64 bits, not 128")
    design = _design_of(arguments.design, bits, arguments.radius) or family(
        bits, arguments.radius, arguments.radius + 1
    )
    printer = _printer(arguments)
    try:
        facts = write_index(
            arguments.to,
            fingerprints,
            design,
            coding=Coding(arguments.coding),
            keep_rows=arguments.rows,
            reporter=printer,
        )
    except OSError as error:
        raise UsageError(f"{arguments.to} cannot be written: {error.strerror}") from error
    finally:
        printer.end()
    size = sum(one.file_bytes for one in facts)
    print(f"{len(fingerprints):,} fingerprints in {len(facts)} tables of design {design.name}: {size:,} bytes, "
          f"{max(one.bits_each for one in facts):.2f} bits a fingerprint and table")  # fmt: skip
    return 0


def _query(arguments: Namespace) -> int:
    from dupfinder.index.files import number_of

    queries = [_number(text) for text in arguments.fingerprint]
    if arguments.queries is not None:
        queries += [number_of(one) for one in _loaded(arguments.queries)]
    if not queries:
        raise UsageError("no fingerprint to look for: name one, or a file with --from")
    if arguments.index.is_dir():
        return _query_folder(arguments, queries)
    return _query_file(arguments, queries)


def _number(text: str) -> int:
    digits = text.removeprefix("0x")
    if len(digits) not in (8, 16, 32) or not all(char in "0123456789abcdefABCDEF" for char in digits):
        raise UsageError(f"{text!r} is not a fingerprint of 8, 16 or 32 hexadecimal digits")
    return int(digits, 16)


def _query_folder(arguments: Namespace, queries: list[int]) -> int:
    from dupfinder.index.folder import CompressedIndex

    with CompressedIndex(arguments.index) as index:
        bits = index.facts.bits
        for query in queries:
            try:
                found = index.query(query, arguments.radius)
            except ValueError as error:
                raise UsageError(str(error)) from error
            rows = [""] * len(found.distance) if found.rows is None else [f"\t{row}" for row in found.rows.tolist()]
            for near, distance, row in zip(found.fingerprints.tolist(), found.distance.tolist(), rows, strict=True):
                print(f"{query:0{bits // 4}x}\t{near:0{bits // 4}x}\t{distance}{row}")
    return 0


def _query_file(arguments: Namespace, queries: list[int]) -> int:
    from dupfinder.index.files import array_of, number_of
    from dupfinder.index.query_plan import plan_query
    from dupfinder.index.scanning import scan_many
    from dupfinder.index.tables import PermutedTables
    from dupfinder.index.words import width_of

    fingerprints = _loaded(arguments.index)
    bits = width_of(fingerprints)
    if max(queries) >> bits:
        raise UsageError(f"the file holds fingerprints of {bits} bits, a query has more")
    radius = 3 if arguments.radius is None else arguments.radius
    asked = array_of(queries, bits)
    way = plan_query(fingerprints, radius, len(queries)).chosen
    if way.design is None:
        matches = scan_many(fingerprints, asked, radius)
    else:
        matches = PermutedTables.build(fingerprints, way.design, way.search).query_many(asked, radius)
    for query, row, distance in zip(
        matches.query.tolist(), matches.row.tolist(), matches.distance.tolist(), strict=True
    ):
        near = number_of(fingerprints[row])
        print(f"{queries[query]:0{bits // 4}x}\t{near:0{bits // 4}x}\t{distance}\t{row}")
    return 0


def _join(arguments: Namespace) -> int:
    from dupfinder.base.output import check_output, recognise_nothing, refuse_document
    from dupfinder.cli.index_output import write_rows
    from dupfinder.index.tables import TooManyPairs, join
    from dupfinder.index.words import width_of

    if arguments.to is not None:
        refuse_document(arguments.to, (arguments.file, *(arguments.against or ())))
        check_output(arguments.to, recognise_nothing, force=arguments.force)
    fingerprints = _loaded(arguments.file)
    design = _design_of(arguments.design, width_of(fingerprints), arguments.radius)
    printer = _printer(arguments)
    try:
        if arguments.against:
            found = _batch(arguments, fingerprints, design, printer)
        else:
            pairs = join(
                fingerprints, arguments.radius, design=design, reporter=printer, most_pairs=arguments.most_pairs
            )
            found = (pairs.left, pairs.right, pairs.distance)
    except TooManyPairs as error:
        raise UsageError(
            f"more than {error.most:,} pairs lie within {error.radius} bits: "
            "choose a smaller --radius or a larger --most-pairs"
        ) from error
    finally:
        printer.end()
    write_rows(arguments.to, found, force=arguments.force)
    return 0


def _batch(
    arguments: Namespace, new: NDArray[np.unsignedinteger], design: TableDesign | None, printer: Printer
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    from dupfinder.index.batch import InProcess, ProcessPool, WorkerDied, batch, parts_of
    from dupfinder.index.words import width_of

    parts = parts_of(arguments.against)
    if any(width_of(part.load()[:0]) != width_of(new) for part in parts):
        raise UsageError("the files hold fingerprints of different widths")
    try:
        if arguments.cluster:
            found = _on_cluster(arguments, new, design, printer)
        else:
            engine = InProcess() if arguments.workers == 1 else ProcessPool(arguments.workers)
            found = batch(new, parts, arguments.radius, engine=engine, design=design, reporter=printer)
    except WorkerDied as error:
        raise UsageError(f"the worker of the part from row {error.first_row:,} died again and again") from error
    return found.new, found.old, found.distance


def _on_cluster(
    arguments: Namespace, new: NDArray[np.unsignedinteger], design: TableDesign | None, printer: Printer
) -> Any:
    import importlib

    from dupfinder.index.batch import batch, parts_of
    from dupfinder.index.dask_engine import OnDask

    try:
        distributed = importlib.import_module("distributed")
    except ImportError as error:
        raise UsageError("--cluster needs the extra: pip install 'dupfinder[cluster]'") from error
    parts = parts_of([path.resolve() for path in arguments.against])
    try:
        client = distributed.Client(arguments.cluster, timeout=10)
    except (OSError, ValueError) as error:
        raise UsageError(f"no Dask scheduler answers at {arguments.cluster}") from error
    with client:
        return batch(new, parts, arguments.radius, engine=OnDask(client), design=design, reporter=printer)


def _explain(arguments: Namespace) -> int:
    from dupfinder.cli.index_output import explain_join, explain_query
    from dupfinder.index.planner import plan_join
    from dupfinder.index.query_plan import plan_query

    fingerprints = _loaded(arguments.file)
    if arguments.purpose == "join":
        lines = explain_join(plan_join(fingerprints, arguments.radius, thorough=True))
    else:
        queries = 1 if arguments.purpose == "one" else arguments.queries
        lines = explain_query(plan_query(fingerprints, arguments.radius, queries))
    print("\n".join(lines))
    return 0


def _info(arguments: Namespace) -> int:
    from dupfinder.cli.index_output import describe_file, describe_index, describe_table
    from dupfinder.index.blocks import MAGIC, CompressedTable
    from dupfinder.index.folder import CompressedIndex

    path: Path = arguments.path
    if path.is_dir():
        with CompressedIndex(path) as index:
            lines = describe_index([table.facts for table in index.tables])
    else:
        try:
            with open(path, "rb") as stream:
                compressed = stream.read(len(MAGIC)) == MAGIC
        except OSError as error:
            raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
        if compressed:
            with CompressedTable(path) as table:
                lines = describe_table(table.facts)
        else:
            lines = describe_file(_loaded(path))
    print("\n".join(lines))
    return 0
