"""The verb `library`: what is stored, is it whole, remove it."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.errors import UsageError
from dupfinder.cli.outputs import add_force, check_library_to_write
from dupfinder.cli.progress import MODES, Printer
from dupfinder.cli.scan import library_of

if TYPE_CHECKING:
    from dupfinder.processes.cell import Given  # what it needs of the system takes a while to load

_MOST_NAMED = 10  # damaged parts
_MOST_FOLDERS = 10  # of one scan that are told


def add_parsers(verbs: Any) -> None:
    """Declare `library info|check|clear|export|import`."""
    library = verbs.add_parser("library", help="what is stored, is it whole, remove it")
    acts = library.add_subparsers(dest="act", required=True, metavar="info|check|clear|export|import")
    for name, run, words in (
        ("info", _info, "what is stored"),
        ("check", _check, "whether it is whole"),
        ("clear", _clear, "remove what is stored; your documents are not touched"),
    ):
        act = acts.add_parser(name, help=words)
        act.add_argument("--library", type=Path, metavar="FILE")
        act.set_defaults(run=run)
    acts.choices["clear"].add_argument("--yes", action="store_true", help="do not ask")
    export = acts.add_parser("export", help="write a scan as a file: for `index`, or for another library")
    export.add_argument("scan", nargs="?", type=int, metavar="SCAN", help="number of the scan; the newest if left out")
    export.add_argument("--to", type=Path, required=True, metavar="FILE",
                        help=".npz: all that `import` needs; .tsv: fingerprint and path; .npy: numbers")  # fmt: skip
    add_force(export, "a file that holds no fingerprints of dupfinder")
    export.add_argument("--library", type=Path, metavar="FILE")
    export.set_defaults(run=_export)
    take = acts.add_parser("import", help="take an exported scan in, without reading its documents")
    take.add_argument("file", type=Path, metavar="FILE", help="what `export` wrote, ending in .npz")
    take.add_argument("--library", type=Path, metavar="FILE", help="the library to take it into")
    take.add_argument("--progress", choices=MODES, default="auto", help="how progress is told on standard error")
    take.set_defaults(run=_import)


def _export(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.base.output import check_output, refuse_document
    from dupfinder.engine.prints import check_ending, recogniser, save_prints
    from dupfinder.library.library import Library
    from dupfinder.scan.exchange import export_scan

    check_ending(arguments.to)
    check_output(arguments.to, recogniser(arguments.to), force=arguments.force)
    with Library.open(library_of(arguments)) as library:
        refuse_document(arguments.to, map(Path, library.result(arguments.scan).documents.paths))
        prints, arrays = export_scan(library, arguments.scan)
    save_prints(arguments.to, prints, extra=arrays, force=arguments.force)
    if not arguments.quiet:
        print(f"{counted(len(prints.fingerprints), 'document')} exported. Wrote {shown(arguments.to)}", file=sys.stderr)
    return 0


def _import(arguments: Namespace) -> int:
    from dupfinder.base.display import counted
    from dupfinder.base.settings import MIN_SIMILARITY, RADIUS, Settings
    from dupfinder.library.library import Library
    from dupfinder.scan.exchange import import_scan, load_scan
    from dupfinder.scan.pipeline import Opening

    path, settings = library_of(arguments), Settings()
    check_library_to_write(path, force=False)
    imported = load_scan(arguments.file)
    printer = Printer.of(arguments.progress, verbose=arguments.verbose)
    opening = Opening(settings.integer(RADIUS), settings.number(MIN_SIMILARITY))
    try:
        number = import_scan(imported, path, opening, settings, printer)
    finally:
        printer.end()
    if not arguments.quiet:
        with Library.open(path) as library:
            summary = library.summary(number)
        print(f"Scan {number}: {counted(summary.offered, 'file')} imported, {summary.read:,} of them read before; "
              f"{counted(summary.clusters, 'group')}.")  # fmt: skip
    return 0


def held_to(cell: Given) -> str:
    """What the system holds reading processes to, as a clause."""
    if cell.landlock and cell.seccomp:
        return (
            f"no writing, no network, no other program, no file but those in hand (Landlock {cell.landlock}, seccomp)"
        )
    if cell.landlock:
        return f"no writing, no other program, no file but those in hand (Landlock {cell.landlock}; no seccomp here)"
    if cell.seccomp:
        return "no writing, no network, no other program (seccomp; no Landlock here)"
    if cell.profile:
        return "no writing, no network, no other program (the sandbox of macOS)"
    if cell.job:
        return "no other program, and they end with this one (a job object)"
    return "limits of time and memory alone"


def _info(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.library.library import Library
    from dupfinder.processes.cell import given

    path = library_of(arguments)
    with Library.open(path) as library:
        counts = library.counts()
        told = (counted(counts[noun + "s"], noun) for noun in ("document", "scan", "byte"))
        print(f"{shown(path)}: {', '.join(told)}")
        for scan in library.scans():
            folders = [folder for folder, role in scan.roots if role != "leave_out"]
            state = "" if scan.state == "done" else " (unfinished)"
            moment = f"{scan.started:%Y-%m-%d %H:%M} UTC"
            numbers = f"{scan.offered:>9,} files  {scan.clusters:>7,} groups"
            print(f"{scan.id:>5}  {moment}  {numbers}  {shown(scan.name)}{state}")
            for folder in folders[:_MOST_FOLDERS]:
                print(f"       {shown(folder)}")
            if len(folders) > _MOST_FOLDERS:
                print(f"       and {counted(len(folders) - _MOST_FOLDERS, 'folder')} more")
    print(f"Reading processes: {held_to(given())}.")
    return 0


def _check(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.library.library import Library
    from dupfinder.wording.errors import part_words

    path = library_of(arguments)
    with Library.open(path) as library:
        complaints = library.check()
    if complaints:
        named = ", ".join(one if isinstance(one, str) else part_words(one) for one in complaints[:_MOST_NAMED])
        more = f" and {counted(len(complaints) - _MOST_NAMED, 'part')} more" if len(complaints) > _MOST_NAMED else ""
        raise UsageError(f"The library {path} is damaged: {named}{more}. Scan again, and what is damaged is read anew.")
    print(f"{shown(path)} is whole.")
    return 0


def _clear(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.library import place, store

    path = library_of(arguments)
    if not os.path.lexists(path):
        print(f"There is no library at {shown(path)}; nothing was removed.")
        return 0
    place.check_removable(path)
    if not arguments.yes and not _agrees(f"Remove the library {shown(path)}, with every scan in it? [y/N] "):
        print("Nothing was removed.")
        return 0
    gone = store.remove(path)
    print(f"Removed {counted(gone, 'byte')} of {shown(path)}. Your documents were not touched.")
    return 0


def _agrees(question: str) -> bool:
    """Ask on the terminal. UsageError where there is none."""
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError("`library clear` asks before it removes anything; without a terminal, add --yes.")
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")
