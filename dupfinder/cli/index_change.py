"""The verbs `index add`, `index remove` and `index merge`: change an index on disk."""

from __future__ import annotations

import argparse
import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.options import whole_number
from dupfinder.cli.terminal import add_progress, printer_of, tell
from dupfinder.wording.catalogue import N_, number_text, say, say_count


def add_parsers(acts: Any, file_help: str) -> None:
    """Add `add`, `remove` and `merge`."""
    add = acts.add_parser("add", help=say("add fingerprints to an index that `build` wrote"))
    _add_index(add)
    add.add_argument("file", type=Path, nargs="+", metavar="FILE", help=file_help)
    add.add_argument(
        "--replace", action="store_true", help=say("remove what the index holds under the same paths, in the same step")
    )
    add.set_defaults(run=_add)
    remove = acts.add_parser("remove", help=say("remove rows from an index, by their paths or numbers"))
    _add_index(remove)
    remove.add_argument("path", nargs="*", metavar="PATH", help=say("as `index query --paths` prints it"))
    remove.add_argument("--rows", type=whole_number(), nargs="+", default=[], metavar="N", help=say("row numbers"))
    remove.add_argument("--files-from", metavar="FILE", help=say("paths that FILE lists, one a line; - is the input"))
    remove.set_defaults(run=_remove)
    merge = acts.add_parser("merge", help=say("merge all runs of an index into one, which is queried fastest"))
    _add_index(merge)
    merge.set_defaults(run=_merge)


def _add_index(act: argparse.ArgumentParser) -> None:
    act.add_argument("index", type=Path, metavar="INDEX", help=say("a folder that `build` wrote"))
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

    names = [*arguments.path, *_listed(arguments.files_from)]
    if not names and not arguments.rows:
        raise UsageError(N_("Nothing to remove was named: give paths, --rows or --files-from."))
    with FolderIndex(arguments.index) as index, printer_of(arguments) as printer:
        rows_of = index.rows_of({*names, *map(restored_path, names)})
        named = {name: rows_of.get(name) or rows_of.get(restored_path(name)) for name in names}
        unknown = next((name for name, rows in named.items() if not rows), None)
        if unknown is not None:
            raise UsageError(N_("The index holds no {path}. Nothing was removed."), path=shown(unknown))
        rows = {*arguments.rows, *(row for rows in named.values() for row in rows or ())}
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


def _listed(source: str | None) -> list[str]:
    """Return the lines of a file, or of standard input. Raises UsageError."""
    if source is None:
        return []
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise UsageError(N_("{path} cannot be read: {strerror}."), path=source, strerror=error.strerror) from error
    return [os.fsdecode(line) for line in content.splitlines() if line]


def _merge(arguments: Namespace) -> int:
    from dupfinder.engine.growing import FolderIndex

    with FolderIndex(arguments.index) as index, printer_of(arguments) as printer:
        index.merge(reporter=printer)
        printer.close()
        if not arguments.quiet:
            tell("The runs are merged; the index holds {count}.", count=number_text(len(index)))
    return 0
