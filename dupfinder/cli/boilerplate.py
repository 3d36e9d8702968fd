"""The verb `boilerplate`: passages that stand in many files, and whether they are left out of comparisons."""

from __future__ import annotations

import json
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import counted, shown
from dupfinder.base.settings import Settings
from dupfinder.cli.progress import MODES, Printer
from dupfinder.cli.scan import library_of

if TYPE_CHECKING:
    from dupfinder.review.boilerplate import BoilerplatePassage

_EXCERPT = 160  # characters of a passage in the list


def add_parsers(verbs: Any) -> None:
    """Declare `boilerplate list|on|off`."""
    boilerplate = verbs.add_parser("boilerplate", help="passages that stand in many files and are left out")
    acts = boilerplate.add_subparsers(dest="act", required=True, metavar="list|on|off")
    show = acts.add_parser("list", help="the passages found in the newest scan")
    show.add_argument("--json", action="store_true", help="for machines, with the whole of what is kept of each")
    on = acts.add_parser("on", help="leave passages out of comparisons")
    off = acts.add_parser("off", help="compare passages like any other text")
    for act, run in ((show, _list), (on, _switch), (off, _switch)):
        act.add_argument("--library", type=Path, metavar="FILE")
        act.set_defaults(run=run)
    for act in (on, off):
        act.add_argument("numbers", nargs="+", type=int, metavar="N", help="number of a passage, as `list` shows it")
        act.add_argument("--progress", choices=MODES, default="auto")


def _list(arguments: Namespace) -> int:
    from dupfinder.review.boilerplate import passages

    found = passages(library_of(arguments))
    if arguments.json:
        print(json.dumps({"schema": 1, "passages": [_plain(one) for one in found]}, indent=1, ensure_ascii=False))
        return 0
    if not found:
        print("No passage stands in many files that have nothing else in common.")
    for one in found:
        state = "left out" if one.enabled else "compared"
        later = "" if one.enabled == one.used else ", from the next matching on"
        print(f"{one.number:>4}  {state}{later}; in {counted(one.files, 'file')} of {counted(one.groups, 'group')}")
        print(f"      {_excerpt(one.text)}")
        for path in one.examples[:2]:
            print(f"      {shown(path)}")
    return 0


def _plain(one: BoilerplatePassage) -> dict[str, Any]:
    return {
        "number": one.number, "key": one.key, "text": one.text, "files": one.files, "groups": one.groups,
        "enabled": one.enabled, "used": one.used, "examples": [str(path) for path in one.examples],
    }  # fmt: skip


def _excerpt(text: str) -> str:
    line = " ".join(text.split())
    return shown(line if len(line) <= _EXCERPT else line[: _EXCERPT - 1] + "…")


def _switch(arguments: Namespace) -> int:
    """Switch, and match the newest scan again, so that the choice shows its effect."""
    from dupfinder.library.library import Library
    from dupfinder.review.boilerplate import named, passages, regroup, switch

    library = library_of(arguments)
    enabled = arguments.act == "on"
    switch(library, named(passages(library), arguments.numbers), enabled)
    printer = Printer.of(arguments.progress)
    try:
        scan = regroup(library, None, printer, Settings())
    finally:
        printer.end()
    with Library.open(library) as opened:
        clusters = opened.summary(scan).clusters
    what = "left out of comparisons" if enabled else "compared like any other text"
    print(f"{counted(len(set(arguments.numbers)), 'passage')} now {what}. "
          f"Scan {scan} was matched again: {counted(clusters, 'cluster')}.")  # fmt: skip
    return 0
