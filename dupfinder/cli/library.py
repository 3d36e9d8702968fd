"""The verb `library`: show, check, export, import or delete what is stored."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.options import add_flag, add_force, add_path, check_library_to_write, check_written
from dupfinder.cli.scan import add_library, add_scan, library_of
from dupfinder.cli.terminal import add_progress, agreed, printer_of, tell
from dupfinder.wording.catalogue import N_, number_text, say, say_count
from dupfinder.wording.figures import documents_text, files_text, groups_text, listed, moment_text, row, size_text

if TYPE_CHECKING:
    from dupfinder.processes.cell import Restrictions  # slow to import

_MOST_NAMED = 10  # damaged parts
_MOST_FOLDERS = 10  # of one scan that are shown


def add_parsers(verbs: Any) -> None:
    """Add `library info|check|clear|export|import`."""
    library = verbs.add_parser("library", help=say("what is stored, is it whole, remove it"))
    acts = library.add_subparsers(dest="act", required=True, metavar="info|check|clear|export|import")
    for name, run, words in (
        ("info", _info, say("what is stored")),
        ("check", _check, say("whether it is whole")),
        ("clear", _clear, say("remove what is stored; your documents are not touched")),
    ):
        act = acts.add_parser(name, help=words)
        add_library(act)
        act.set_defaults(run=run)
    add_flag(acts.choices["clear"], "--yes", say("do not ask"))
    export = acts.add_parser("export", help=say("write a scan as a file: for `index`, or for another library"))
    add_scan(export)
    add_path(
        export,
        "--to",
        say(".npz, .parquet, .arrow: all that `import` needs; .tsv: fingerprint and path; .npy: numbers"),
        required=True,
    )
    add_force(export, say("a file that holds no fingerprints of dupfinder"))
    add_library(export)
    export.set_defaults(run=_export)
    take = acts.add_parser("import", help=say("take an exported scan in, without reading its documents"))
    add_path(take, "file", say("what `export` wrote, ending in .npz, .parquet or .arrow"))
    add_path(take, "--library", say("the library to take it into"))
    add_progress(take)
    take.set_defaults(run=_import)


def _export(arguments: Namespace) -> int:
    from dupfinder.engine.prints import ending_of_prints, prints_recogniser, save_prints
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.exchange import export_scan

    ending_of_prints(arguments.to)
    check_written(arguments.to, prints_recogniser(arguments.to), library_of(arguments), force=arguments.force)
    with LibraryFile(library_of(arguments)) as library:
        prints, arrays = export_scan(library, arguments.scan)
    save_prints(arguments.to, prints, extra=arrays, force=arguments.force)
    if not arguments.quiet:
        tell(
            "{documents} exported. Wrote {to}",
            documents=documents_text(len(prints.fingerprints)),
            to=shown(arguments.to),
            file=sys.stderr,
        )
    return 0


def _import(arguments: Namespace) -> int:
    from dupfinder.base.settings import Settings
    from dupfinder.cluster.relation import Demand
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.exchange import import_scan, load_scan

    path = library_of(arguments)
    check_library_to_write(path, force=False)
    imported = load_scan(arguments.file)
    with printer_of(arguments) as printer:
        number = import_scan(imported, path, Demand.of(Settings()), printer)
    if not arguments.quiet:
        with LibraryFile(path) as library:
            summary = library.summary(number)
        tell(
            "Scan {number}: {files} imported, {read} of them read before; {groups}.",
            number=number,
            files=files_text(summary.offered),
            read=number_text(summary.read),
            groups=groups_text(summary.clusters),
        )
    return 0


def limits_words(cell: Restrictions) -> str:
    """Return the system's limits of reading processes, as a clause."""
    if cell.landlock and cell.seccomp:
        return say(
            "no writing, no network, no other program, no file but those in hand (Landlock {version}, seccomp)",
            version=cell.landlock,
        )
    if cell.landlock:
        return say(
            "no writing, no other program, no file but those in hand (Landlock {version}; no seccomp here)",
            version=cell.landlock,
        )
    if cell.seccomp:
        return say("no writing, no network, no other program (seccomp; no Landlock here)")
    if cell.profile:
        return say("no writing, no network, no other program (the sandbox of macOS)")
    if cell.job:
        return say("no other program, and they end with this one (a job object)")
    return say("limits of time and memory alone")


def _info(arguments: Namespace) -> int:
    from dupfinder.library.library import LibraryFile
    from dupfinder.processes.cell import available_restrictions

    path = library_of(arguments)
    if arguments.library is None and not path.exists():  # on a new computer: at least where it will be
        tell("{path}: {facts}", path=shown(path), facts=say("nothing is stored yet"))
        tell("Reading processes: {held_to}.", held_to=limits_words(available_restrictions()))
        return 0
    with LibraryFile(path) as library:
        counts = library.counts()
        parts = [
            documents_text(counts["documents"]),
            say_count("{count} scan", "{count} scans", counts["scans"]),
            size_text(counts["bytes"]),
        ]
        tell("{path}: {facts}", path=shown(path), facts=listed(parts))
        columns = library.scan_files()
        for scan in library.scans():
            folders = [folder for folder, role in scan.roots if role != "leave_out"]
            name = shown(scan.name) if scan.state == "done" else say("{name} (unfinished)", name=shown(scan.name))
            numbers = (files_text(scan.offered), groups_text(scan.clusters))
            cells = (str(scan.id), f" {moment_text(scan.started)}", *numbers)
            print(f"{row(cells, (-5, 1, -16, -15))}  {name}")
            if scan.id in columns:
                file, size = shown(columns[scan.id].name), size_text(columns[scan.id].stat().st_size)
                print(say("       its results are in {file}, {size}", file=file, size=size))
            for folder in folders[:_MOST_FOLDERS]:
                print(f"       {shown(folder)}")
            if len(folders) > _MOST_FOLDERS:
                tell(
                    "       and {folders} more",
                    folders=say_count("{count} folder", "{count} folders", len(folders) - _MOST_FOLDERS),
                )
    tell("Reading processes: {held_to}.", held_to=limits_words(available_restrictions()))
    return 0


def _check(arguments: Namespace) -> int:
    from dupfinder.library.library import LibraryFile
    from dupfinder.wording.errors import part_words

    path = library_of(arguments)
    with LibraryFile(path) as library:
        damaged = library.check()
        unfinished = sum(scan.state != "done" for scan in library.scans())
    if damaged:
        named = listed(map(part_words, damaged[:_MOST_NAMED]))
        if (others := len(damaged) - _MOST_NAMED) > 0:
            more = say_count("{count} more part", "{count} more parts", others)
            named = say("{named} and {more}", named=named, more=more)
        raise UsageError(
            N_("The library {path} is damaged: {named}. Scan again, and what is damaged is read again."),
            path=path,
            named=named,
        )
    tell("{path} is whole.", path=shown(path))
    if unfinished:
        line = say_count(
            "{count} scan in it is unfinished: `dupfinder scan` with the same folders goes on.",
            "{count} scans in it are unfinished: `dupfinder scan` with the same folders goes on.",
            unfinished,
        )
        print(line)
    return 0


def _clear(arguments: Namespace) -> int:
    from dupfinder.library import store

    path = library_of(arguments)
    if not os.path.lexists(path):
        tell("There is no library at {path}; nothing was removed.", path=shown(path))
        return 0
    store.check_removable(path)
    question = say("Remove the library {path}, with every scan in it? [y/N]", path=shown(path))
    unasked = N_("`library clear` asks before it removes anything; without a terminal, add --yes.")
    if not arguments.yes and not agreed(question, unasked=unasked):
        tell("Nothing was removed.")
        return 0
    freed = store.delete(path)
    tell("Removed {bytes} of {path}. Your documents were not touched.", bytes=size_text(freed), path=shown(path))
    return 0
