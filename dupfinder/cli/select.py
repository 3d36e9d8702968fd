"""The verb `select`: rules to a plan file."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import counted, shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.scan import library_of, open_session, radius_of, similarity_of

if TYPE_CHECKING:
    from dupfinder.review.session import ReviewSession


def add_parsers(verbs: Any) -> None:
    """Declare `select`."""
    select = verbs.add_parser("select", help="choose by rules what may go, and write it as a plan")
    select.add_argument("scan", nargs="?", type=int, metavar="SCAN")
    select.add_argument("--keep", action="append", required=True, metavar="RULE",
                        help="which copy stays, in order: newest, richer-format, in:FOLDER, ...")  # fmt: skip
    select.add_argument("--kinds", default="exact,same-text", help="exact,same-text,near,contained")
    select.add_argument("--verb", choices=("trash", "move", "hardlink"), default="trash")
    select.add_argument("--destination", type=Path, metavar="DIR", help="for --verb move")
    select.add_argument("--to", type=Path, metavar="PLAN", required=True, help="the plan file to write")
    select.add_argument("--radius", type=int, metavar="K")
    select.add_argument("--min-similarity", type=float, metavar="S")
    select.add_argument("--library", type=Path, metavar="FILE")
    select.set_defaults(run=_select)


def _select(arguments: Namespace) -> int:
    from dupfinder.actions.plan import Verb, save
    from dupfinder.base.settings import Settings
    from dupfinder.report.place import refuse_document
    from dupfinder.review.rules import Rule, apply, kinds_of, select

    rules = [Rule.parse(text) for text in arguments.keep]
    kinds = kinds_of(part.strip() for part in arguments.kinds.split(","))
    verb = Verb(arguments.verb)
    if (verb is Verb.MOVE) != (arguments.destination is not None):
        raise UsageError("--destination goes with --verb move, and --verb move needs it.")
    settings = Settings()
    session = open_session(library_of(arguments), arguments.scan)
    if arguments.radius is not None:
        session.set_radius(radius_of(arguments, settings))
    if arguments.min_similarity is not None:
        session.set_min_similarity(similarity_of(arguments, settings))
    selection = select(session, rules, kinds)
    apply(session, selection)
    destination = Path(os.path.abspath(arguments.destination)) if arguments.destination else None
    plan = session.plan(verb, destination)
    refuse_document(arguments.to, map(Path, session.result.documents.paths))
    try:
        save(plan, arguments.to)
    except OSError as error:
        raise UsageError(f"{arguments.to} cannot be written: {error.strerror}.") from error
    freed = sum(step.victim.stamp.size for step in plan.steps)
    chosen, left = counted(len(selection.chosen), "cluster"), counted(len(selection.undecided), "cluster")
    print(f"{counted(len(plan.steps), 'document')} of {chosen}, {counted(freed, 'byte')}; "
          f"left undecided: {left}; of kinds that were not chosen: {_left_out(session, selection.left_out)}. "
          "Nothing was removed.")  # fmt: skip
    name = shown(arguments.to)
    print(f"Wrote {name}; look at it, then: dupfinder apply {name}", file=sys.stderr)
    return 0


def _left_out(session: ReviewSession, clusters: tuple[int, ...]) -> str:
    """How many clusters there are of each kind: "3 near, 1 contained"; "none"."""
    from dupfinder.review.filters import Kind

    kind_of = dict(zip(session.present().ids.tolist(), session.present().kinds.tolist(), strict=True))
    kinds = [kind_of[number] for number in clusters]
    names = {kind: kind.name.lower().replace("_", "-") for kind in Kind}
    return ", ".join(f"{kinds.count(kind):,} {name}" for kind, name in names.items() if kind in kinds) or "none"
