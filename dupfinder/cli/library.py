"""The verb `library`: what is stored, is it whole, remove it."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path
from typing import Any

from dupfinder.base.errors import UsageError
from dupfinder.cli.scan import library_of

_MOST_FOLDERS = 10  # of one scan that are told


def add_parsers(verbs: Any) -> None:
    """Declare `library info|check|clear`."""
    library = verbs.add_parser("library", help="what is stored, is it whole, remove it")
    acts = library.add_subparsers(dest="act", required=True, metavar="info|check|clear")
    for name, run, words in (
        ("info", _info, "what is stored"),
        ("check", _check, "whether it is whole"),
        ("clear", _clear, "remove what is stored; your documents are not touched"),
    ):
        act = acts.add_parser(name, help=words)
        act.add_argument("--library", type=Path, metavar="FILE")
        act.set_defaults(run=run)


def _info(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.library.library import Library

    path = library_of(arguments)
    with Library.open(path) as library:
        counts = library.counts()
        told = (counted(counts[noun + "s"], noun) for noun in ("document", "scan", "byte"))
        print(f"{shown(path)}: {', '.join(told)}")
        for scan in library.scans():
            folders = [folder for folder, role in scan.roots if role != "leave_out"]
            state = "" if scan.state == "done" else " (unfinished)"
            moment = f"{scan.started:%Y-%m-%d %H:%M} UTC"
            numbers = f"{scan.offered:>9,} files  {scan.clusters:>7,} clusters"
            print(f"{scan.id:>5}  {moment}  {numbers}  {shown(scan.name)}{state}")
            for folder in folders[:_MOST_FOLDERS]:
                print(f"       {shown(folder)}")
            if len(folders) > _MOST_FOLDERS:
                print(f"       and {counted(len(folders) - _MOST_FOLDERS, 'folder')} more")
    return 0


def _check(arguments: Namespace) -> int:
    from dupfinder.base.display import shown
    from dupfinder.library.library import Library

    path = library_of(arguments)
    with Library.open(path) as library:
        complaints = library.check()
    if complaints:
        raise UsageError(f"The library {path} is damaged: {complaints[0]}. Scan again to build it anew.")
    print(f"{shown(path)} is whole.")
    return 0


def _clear(arguments: Namespace) -> int:
    from dupfinder.base.display import counted, shown
    from dupfinder.library import store

    path = library_of(arguments)
    gone = store.remove(path) if path.exists() else 0
    print(f"Removed {counted(gone, 'byte')} of {shown(path)}. Your documents were not touched.")
    return 0
