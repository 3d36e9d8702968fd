"""The verb `quarantine`: list and delete the files in quarantine folders."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.removal import DONE, REFUSED, STOPPED, files, tell_settled, watched
from dupfinder.cli.terminal import add_progress, agreed
from dupfinder.wording.catalogue import N_, number_text, say
from dupfinder.wording.figures import size_text as size


def add_parsers(verbs: Any) -> None:
    """Add `quarantine show|empty`."""
    quarantine = verbs.add_parser(
        "quarantine",
        help=say("files removed where there is no trash"),
        description=say("On volumes without a trash, removed files go to a quarantine folder and stay there."),
    )
    acts = quarantine.add_subparsers(dest="act", required=True, metavar="show|empty")
    show = acts.add_parser("show", help=say("list the files, and what they take up"))
    show.set_defaults(run=run_show)
    empty = acts.add_parser("empty", help=say("delete the files for good, where the copy that was kept is still there"))
    empty.add_argument("batch", nargs="?", metavar="BATCH", help=say("only those of this removal of the history"))
    empty.add_argument("--yes", action="store_true", help=say("do not ask"))
    add_progress(empty)
    empty.set_defaults(run=run_empty)


def run_show(arguments: argparse.Namespace) -> int:  # noqa: ARG001  the same signature for every verb
    """List the files in quarantines."""
    from dupfinder.actions import quarantine
    from dupfinder.actions.journal import Journal
    from dupfinder.wording.removal import relation_words

    batches = Journal().batches()
    quarantined = quarantine.listed(batches)
    for file in quarantined:
        print(f"{file.batch}  {shown(file.outcome.step.victim.path)}  {size(file.size)}")
        print(f"  {shown(file.at)}; {relation_words(file.outcome.step)}")
    total = sum(file.size for file in quarantined)
    if quarantined:
        print(say("{files} in quarantine, {size}.", files=files(len(quarantined)), size=size(total)))
        print(
            say(
                "Take a removal back with `dupfinder undo BATCH`, or delete for good with `dupfinder quarantine empty`."
            )
        )
    else:
        print(say("There is nothing in quarantine."))
    others = quarantine.unknown_files(batches)
    if others:
        print(say("Also there, and not known to the history ({size}):", size=size(sum(file.size for file in others))))
        for other in others:
            print(f"  {shown(other.at)}")
    return DONE


def run_empty(arguments: argparse.Namespace) -> int:
    """Delete the files in quarantines; return 0 if all were deleted, 5 if some stayed, 130 if stopped."""
    from dupfinder.actions import quarantine
    from dupfinder.actions.outcome import State
    from dupfinder.review import removal
    from dupfinder.wording.removal import quarantine_sentence

    journal = removal.settle(on_settled=tell_settled)
    quarantined = quarantine.listed([journal.batch(arguments.batch)] if arguments.batch else journal.batches())
    if not quarantined:
        print(say("There is nothing in quarantine."))
        return DONE
    amount = size(sum(file.size for file in quarantined))
    question = say("Delete {files} ({size}) for good? [y/N]", files=files(len(quarantined)), size=amount)
    if not arguments.yes and not _agrees(question):
        print(say("Nothing was deleted."))
        return DONE
    with watched(arguments.progress) as reporter:
        batch = quarantine.empty(journal, arguments.batch, reporter)
    for outcome in batch.outcomes:
        if (sentence := quarantine_sentence(outcome)) is not None:
            print(sentence)
    print(
        say(
            "{files} of {total} deleted from quarantine.",
            files=files(batch.count(State.EMPTIED)),
            total=number_text(batch.total),
        )
    )
    if batch.stopped:
        print(say("Stopped. The rest is still there."), file=sys.stderr)
        return STOPPED
    return DONE if batch.count(State.EMPTIED) == batch.total else REFUSED


def _agrees(question: str) -> bool:
    """Ask on the terminal. Raises UsageError without a terminal."""
    if not (sys.stdin and sys.stdin.isatty()):
        raise UsageError(N_("`quarantine empty` asks before it deletes anything; without a terminal, add --yes."))
    return agreed(question)
