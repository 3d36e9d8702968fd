"""The verb `select`: write a plan file by rules."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.options import add_force, add_path, check_written
from dupfinder.cli.scan import add_library, add_radius, add_scan, library_of, session_of
from dupfinder.cli.terminal import remark, tell
from dupfinder.wording.catalogue import N_, number_text, say
from dupfinder.wording.figures import bytes_text, documents_text, groups_text

if TYPE_CHECKING:
    from dupfinder.actions.plan import Plan, Verb
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.rules import Selection


def add_parsers(verbs: Any) -> None:
    select = verbs.add_parser("select", help=say("choose by rules what may go, and write it as a plan"))
    add_scan(select)
    select.add_argument(
        "--keep",
        action="append",
        required=True,
        metavar="RULE",
        help=say("which copy stays, in order: newest, richer-format, in:FOLDER, ..."),
    )
    select.add_argument(
        "--kinds",
        help=say(
            "what may go: identical,same-text,same-words,version,part; by default the first two, and for "
            "--verb hardlink identical files alone"
        ),
    )
    select.add_argument(
        "--differences",
        metavar="NAMES",
        help=say("which versions may go, by how they differ: numbers,short,additions,mixed"),
    )
    select.add_argument(
        "--verb", choices=("trash", "move", "hardlink"), default="trash", help=say("how `apply` removes the documents")
    )
    add_path(select, "--destination", say("for --verb move"), metavar="DIR")
    add_path(select, "--to", say("the plan file to write"), metavar="PLAN", required=True)
    add_force(select, say("a file that is no earlier plan"))
    add_radius(select)
    add_library(select)
    select.set_defaults(run=_select)


def _print_selected(selection: Selection, plan: Plan, freed: int) -> None:
    from dupfinder.cluster.relation import name_of
    from dupfinder.wording.relations import relations_text

    counts = Counter(name_of(step.relation) for step in plan.steps)
    tell(
        "{documents} of {groups} ({relations}), {bytes} to free; left undecided: {left}; groups without a mark: "
        "{count}. Nothing was removed.",
        documents=documents_text(len(plan.steps)),
        groups=groups_text(len(selection.chosen)),
        relations=relations_text(counts) or say("none"),
        bytes=bytes_text(freed),
        left=groups_text(len(selection.undecided)),
        count=number_text(len(selection.left_out)),
    )


def _select(arguments: Namespace) -> int:
    from dupfinder.actions.plan import Verb, is_plan, save_plan
    from dupfinder.review.rules import Rule, apply, parse_differences, select

    rules = [Rule.parse(text) for text in arguments.keep]
    verb = Verb(arguments.verb)
    relations = _relations(arguments, verb)
    differences = parse_differences(arguments.differences)
    if (verb is Verb.MOVE) != (arguments.destination is not None):
        raise UsageError(N_("--destination goes with --verb move, and --verb move needs it."))
    check_written(arguments.to, is_plan, library_of(arguments), force=arguments.force)
    session = session_of(arguments, with_decisions=False)  # else what was marked by hand would be in the plan too
    documents = session.result.documents
    for rule in rules:
        if rule.folder is not None and not any(Path(path).is_relative_to(rule.folder) for path in documents.paths):
            message = say("No document of the scan is in {folder}, so this rule keeps none.", folder=shown(rule.folder))
            remark(message)
    selection = select(session, rules, relations, differences=differences)
    apply(session, selection)
    destination = Path(os.path.abspath(arguments.destination)) if arguments.destination else None
    plan = replace(session.plan(verb, destination), rules=tuple(arguments.keep))
    save_plan(plan, arguments.to, force=arguments.force)
    _print_selected(selection, plan, session.summary().bytes)
    name = shown(arguments.to)
    if not arguments.quiet:
        tell("Wrote {name}; look at it, then: dupfinder apply {name}", name=name, file=sys.stderr)
    return 0


def _relations(arguments: Namespace, verb: Verb) -> frozenset[Relation]:
    """Return the relations that --kinds names, or the default for `verb`. Raises UsageError."""
    from dupfinder.actions.plan import Verb
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.rules import parse_relations

    if verb is not Verb.HARDLINK:
        return parse_relations(arguments.kinds or "identical,same-text")
    if (arguments.kinds or "identical").strip() != "identical":
        raise UsageError(N_("--verb hardlink replaces identical files only; --kinds cannot name others."))
    return frozenset((Relation.IDENTICAL,))
