"""The verbs that plan, remove and restore: `select`, `apply`, `history`, `undo`, `recover`, `quarantine`."""

from __future__ import annotations

import argparse
import os
import shlex
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dupfinder.base.display import shown
from dupfinder.base.errors import UsageError
from dupfinder.cli.options import add_flag, add_force, add_path, check_written, nonempty
from dupfinder.cli.scan import add_library, add_radius, add_scan, library_of, session_of
from dupfinder.cli.terminal import Printer, add_progress, agreed, remark, tell
from dupfinder.cli.usage import DONE, REFUSED, STOPPED
from dupfinder.wording.catalogue import ENGLISH, N_, number_text, say, say_count, speaking
from dupfinder.wording.figures import (
    documents_text,
    files_text,
    groups_text,
    joined,
    listed,
    moment_text,
    padded,
)
from dupfinder.wording.figures import size_text as size

if TYPE_CHECKING:
    from dupfinder.actions.journal import Journal
    from dupfinder.actions.outcome import Batch, Outcome
    from dupfinder.actions.plan import Plan, Step, Verb
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.rules import Selection
    from dupfinder.review.session import ReviewSession


_APPLY: Final = N_(
    "Carry out a removal plan. What is protected, kept or said to be no duplicate in the library is left alone, even "
    "if the plan names it. Exact copies and documents of the same text go at once. Before any other goes, a question "
    "is asked at the terminal; without a terminal they are left alone (exit code 5) unless --yes is given."
)


_SELECT: Final = N_(
    "Choose by rules what may go, and write it as a plan. What programs keep in hidden folders and caches is neither "
    "planned nor relied on, unless a rule in:FOLDER names such a folder; nor are documents in archives and mailboxes. "
    "Files under version control (Git, Subversion, ...) are not planned either; others go for their sake only if a "
    "rule in:FOLDER names their folder."
)
_RULES: Final = N_(
    "which copy stays; the first rule that decides wins: in:FOLDER, proposed, richer-format, plain-name, newest, "
    "oldest, largest, smallest, most-text, shortest-path, longest-path"
)


def add_parsers(subparsers: Any) -> None:
    _add_select_parser(subparsers)
    apply = subparsers.add_parser("apply", help=say("carry out a plan"), description=say(_APPLY))
    add_path(apply, "plan", say("a plan file, as written by `dupfinder select`"), metavar="PLAN")
    add_flag(apply, "--dry-run", say("check every step and name what stays; touch nothing"))
    add_flag(apply, "--yes", say("do not ask before documents go whose text differs"))
    add_path(apply, "--library", say("where protected folders and decisions are known"))
    add_progress(apply)
    apply.set_defaults(run=run_apply)
    history = subparsers.add_parser(
        "history", help=say("what was removed"), description=say("List removals, newest first.")
    )
    add_flag(history, "--files", say("also list the files of each removal"))
    add_flag(history, "--csv", say("each file as a row: its hash, what was kept for it, and where it is"))
    history.set_defaults(run=run_history)
    undo = subparsers.add_parser(
        "undo", help=say("take a removal back"), description=say("Restore what a removal took away.")
    )
    undo.add_argument(
        "batch", nargs="?", type=nonempty, metavar="BATCH", help=say("a removal of the history; the newest by default")
    )
    add_path(undo, "--only", say("restore only this file, or what was in this folder"), action="append", default=[])
    add_flag(undo, "--beside", say("where the name is taken, restore under a similar name"))
    add_progress(undo)
    undo.set_defaults(run=run_undo)
    _add_recover_parser(subparsers)
    _add_quarantine_parser(subparsers)


def _add_select_parser(verbs: Any) -> None:
    select = verbs.add_parser(
        "select", help=say("choose by rules what may go, and write it as a plan"), description=say(_SELECT)
    )
    add_scan(select)
    select.add_argument(
        "--keep",
        action="append",
        required=True,
        metavar="RULE",
        help=say(_RULES),
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
    add_path(select, "--only", say("only files in this folder may go"), metavar="DIR")
    select.add_argument(
        "--verb", choices=("trash", "move", "hardlink"), default="trash", help=say("how `apply` removes the documents")
    )
    add_path(select, "--destination", say("for --verb move"), metavar="DIR")
    add_path(select, "--to", say("the plan file to write"), metavar="PLAN", required=True)
    add_force(select, say("a file that is no earlier plan"))
    add_radius(select)
    add_library(select)
    select.set_defaults(run=run_select)


def _add_recover_parser(subparsers: Any) -> None:
    recover = subparsers.add_parser(
        "recover",
        help=say("finish or take back an interrupted removal"),
        description=say(
            "Finish or take back interrupted removals. In the folders that are named, files that still have a "
            "temporary name of dupfinder get their own names back; nothing is overwritten."
        ),
    )
    add_path(recover, "paths", say("a folder to look through, or a file"), nargs="*", metavar="PATH")
    recover.set_defaults(run=run_recover)


@contextmanager
def progress_shown(mode: str) -> Iterator[Printer]:
    """Yield a reporter that prints progress; an interrupt, or the terminal's end, ends the work after a file."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # ignored under nohup
        numbers.append(signal.SIGHUP)
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)  # Ctrl+Break
    with Printer.of(mode) as printer:
        before = {number: signal.signal(number, printer.interrupt) for number in numbers}
        try:
            yield printer
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def run_select(arguments: argparse.Namespace) -> int:
    from dupfinder.actions.plan import Verb, is_plan, save_plan
    from dupfinder.review.rules import Rule, apply, parse_differences, select
    from dupfinder.wording.removal import versioned_sentence

    rules = [Rule.parse(text) for text in arguments.keep]
    verb = Verb(arguments.verb)
    relations = _relations(arguments, verb)
    differences = parse_differences(arguments.differences)
    if (verb is Verb.MOVE) != (arguments.destination is not None):
        raise UsageError(N_("--destination goes with --verb move, and --verb move needs it."))
    check_written(arguments.to, is_plan, library_of(arguments), force=arguments.force)
    session = session_of(arguments, with_decisions=False)  # else what was marked by hand would be in the plan too
    documents = session.result.documents
    only = Path(os.path.abspath(arguments.only)) if arguments.only else None
    messages = {rule.folder: say("No document of the scan is in {folder}, so this rule keeps none.") for rule in rules}
    for folder, message in {**messages, only: say("No document of the scan is in {folder}, so none may go.")}.items():
        if folder is not None and not any(Path(path).is_relative_to(folder) for path in documents.paths):
            remark(message.format(folder=shown(folder)))
    selection = select(session, rules, relations, differences=differences, within=only)
    apply(session, selection)
    if versioned := versioned_sentence(selection.versioned):
        remark(versioned)
    destination = Path(os.path.abspath(arguments.destination)) if arguments.destination else None
    plan, bytes_freed = replace(session.plan(verb, destination), rules=tuple(arguments.keep)), session.summary().bytes
    if verb is Verb.HARDLINK:
        plan, bytes_freed = _linkable(session, plan)
    save_plan(plan, arguments.to, force=arguments.force)
    _print_selected(selection, plan, bytes_freed)
    if not arguments.quiet:
        name = command_line([shown(arguments.to)])
        tell("Wrote {name}; look at it, then: dupfinder apply {name}", name=name, file=sys.stderr)
    return 0


def _linkable(session: ReviewSession, plan: Plan) -> tuple[Plan, int]:
    """Return a plan without the hard links that cannot be made, and the bytes that it frees. Print their number."""
    from dupfinder.cluster.clustering import freed
    from dupfinder.review.survivors import PlanSteps
    from dupfinder.wording.removal import unlinkable_sentence

    assert isinstance(plan.steps, PlanSteps)
    steps = plan.steps.where(plan.steps.linkable)
    if left_out := len(plan.steps) - len(steps):
        remark(unlinkable_sentence(left_out))
    return replace(plan, steps=steps), freed(session.grouping.files, steps.victims)


def _print_selected(selection: Selection, plan: Plan, freed: int) -> None:
    from dupfinder.cluster.relation import name_of
    from dupfinder.review.survivors import PlanSteps
    from dupfinder.wording.relations import relations_text

    assert isinstance(plan.steps, PlanSteps)
    planned = set(plan.steps.victims.tolist())
    groups = sum(not planned.isdisjoint((*choice.marked, *choice.parts)) for choice in selection.chosen)
    counts = Counter(name_of(step.relation) for step in plan.steps)
    tell(
        "{documents} of {groups} ({relations}), {bytes} to free; left undecided: {left}; groups without a mark: "
        "{count}. Nothing was removed.",
        documents=documents_text(len(plan.steps)),
        groups=groups_text(groups),
        relations=relations_text(counts) or say("none"),
        bytes=size(freed),
        left=groups_text(len(selection.undecided)),
        count=number_text(len(selection.left_out)),
    )


def _relations(arguments: argparse.Namespace, verb: Verb) -> frozenset[Relation]:
    """Return the relations that --kinds names, or the default for `verb`. Raises UsageError."""
    from dupfinder.actions.plan import Verb
    from dupfinder.cluster.relation import Relation
    from dupfinder.review.rules import parse_relations

    if verb is not Verb.HARDLINK:
        return parse_relations(arguments.kinds or "identical,same-text")
    if (arguments.kinds or "identical").strip() != "identical":
        raise UsageError(N_("--verb hardlink replaces identical files only; --kinds cannot name others."))
    return frozenset((Relation.IDENTICAL,))


def run_apply(arguments: argparse.Namespace) -> int:
    """Carry out a plan file; return 0 if every step was done, 5 if some were not, 130 if stopped."""
    from dupfinder.actions.plan import load_plan
    from dupfinder.review import removal

    plan = load_plan(arguments.plan)
    if not plan.steps:
        tell("The plan names no files. Nothing was done.")
        return DONE
    library = library_of(arguments)
    if arguments.library is not None and not os.path.lexists(library):  # a mistyped name must not lift its protection
        raise UsageError(N_("There is no library at {path}. Nothing was removed."), path=shown(library))
    if arguments.dry_run:
        return _rehearse(plan, library, arguments.progress)
    allowed = plan if arguments.yes else _with_consent(plan)
    if not allowed.steps:
        tell("Nothing was removed.")
        return REFUSED
    with progress_shown(arguments.progress) as reporter:
        batch = removal.remove(allowed, library, reporter, on_settled=tell_settled)
    code = _tell_removal(batch)
    return REFUSED if code == DONE and len(allowed.steps) < len(plan.steps) else code


def _with_consent(plan: Plan) -> Plan:
    """Return the plan, without the steps whose texts differ unless the person at the terminal agrees."""
    from dupfinder.cluster.relation import FREELY_REMOVED

    same = tuple(step for step in plan.steps if step.relation in FREELY_REMOVED)
    count = len(plan.steps) - len(same)
    if not count:
        return plan
    remark(_by_relation(plan.steps))
    counted = say_count(
        "{count} file of the plan is not quite the same as what stays.",
        "{count} files of the plan are not quite the same as what stays.",
        count,
    )
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        hint = say("They are left alone, since no terminal can be asked: look at them with --dry-run, then add --yes.")
        remark(f"{counted} {hint}")
        return replace(plan, steps=same)
    question = say("{those} Remove them too? Type yes, or anything else to leave them alone:", those=counted)
    return plan if agreed(question, in_full=True) else replace(plan, steps=same)


def _by_relation(steps: Sequence[Step]) -> str:
    """Return the number of steps by relation, in one line."""
    from dupfinder.wording.removal import relation_in_plan

    counts = Counter(step.relation for step in steps)
    parts = [
        say("{relation}: {number}", relation=relation_in_plan(relation), number=number_text(counts[relation]))
        for relation in sorted(counts, reverse=True)
    ]
    return say("{parts}.", parts=joined(parts))


def _rehearse(plan: Plan, library: Path, mode: str) -> int:
    from dupfinder.actions.outcome import OutcomeState
    from dupfinder.actions.plan import Verb
    from dupfinder.actions.trash import lacks_trash
    from dupfinder.review import removal
    from dupfinder.wording.removal import refusal_sentence, relation_in_plan

    with progress_shown(mode) as reporter:
        outcomes = removal.rehearse(plan, library, reporter)
    possible = [outcome.step for outcome in outcomes if outcome.state is OutcomeState.DONE]
    for outcome in outcomes:
        step = outcome.step
        if outcome.state is OutcomeState.DONE:
            tell(
                _WOULD["quarantine" if step.verb is Verb.TRASH and lacks_trash(step.victim.path.parent) else step.verb],
                victim=shown(step.victim.path),
                relation=relation_in_plan(step.relation),
                keeper=shown(step.keeper.path),
            )
        elif outcome.refusal is not None:
            print(refusal_sentence(outcome.refusal))
    if possible:
        print(_by_relation(possible))
    freed = sum(step.victim.stamp.size for step in possible)
    tell(
        "{files} of {count} would be removed, {freed}. Nothing was touched.",
        files=files_text(len(possible)),
        count=number_text(len(plan.steps)),
        freed=size(freed),
    )
    return DONE if len(possible) == len(plan.steps) else REFUSED


_WOULD: Final = {
    "trash": N_("would move to the trash: {victim} ({relation}); stays: {keeper}"),
    "quarantine": N_(
        "would move to the quarantine, since the drive has no reliable trash: {victim} ({relation}); stays: {keeper}"
    ),
    "move": N_("would move: {victim} ({relation}); stays: {keeper}"),
    "hardlink": N_("would become a hard link: {victim} ({relation}); stays: {keeper}"),
}


def _tell_removal(batch: Batch) -> int:
    from dupfinder.actions.outcome import OutcomeState
    from dupfinder.wording.removal import outcome_sentence

    for outcome in batch.outcomes:
        sentence = outcome_sentence(outcome)
        if sentence is not None:
            print(sentence)
    quarantined = batch.quarantined
    removed = batch.count(OutcomeState.DONE) - quarantined
    if removed or not quarantined:
        tell(
            "{files} of {total} removed, {bytes_done}.",
            files=files_text(removed),
            total=number_text(batch.total),
            bytes_done=size(batch.bytes_done),
        )
    if quarantined:
        tell(
            "{files} of {total} quarantined, for no trash could take them. They still take up "
            "{held}; see `dupfinder quarantine show`.",
            files=files_text(quarantined),
            total=number_text(batch.total),
            held=size(batch.bytes_quarantined),
        )
    if removed or quarantined:
        tell("To take this back: dupfinder undo {batch}", batch=batch.id)
    _tell_unfinished(batch)
    if batch.stopped:
        tell("Stopped after the current file; the rest was not touched.", file=sys.stderr)
        return STOPPED
    return DONE if batch.is_complete else REFUSED


def run_recover(arguments: argparse.Namespace) -> int:
    """Complete interrupted removals, and restore names below some paths; return 5 if one could not be restored."""
    from dupfinder.review import removal
    from dupfinder.wording.removal import given_back_sentence

    for path in arguments.paths:
        if not os.path.lexists(path):
            raise UsageError(N_("{place} is not there."), place=shown(path))
    settled: list[Batch] = []

    def note_settled(batch: Batch) -> None:
        settled.append(batch)
        tell_settled(batch)

    files = removal.give_names_back(arguments.paths, on_settled=note_settled)
    for file in files:
        tell("{path}: {sentence}.", path=shown(file.at), sentence=given_back_sentence(file))
    if not files and not settled:
        tell("No interrupted removal was found, and no file that one left renamed.")
    still_unfinished = any(batch.is_unfinished for batch in settled)
    return REFUSED if still_unfinished or any(file.name is None for file in files) else DONE


def tell_settled(batch: Batch) -> None:
    """Print that an interrupted removal was completed, or which of its files are not, and where they are."""
    from dupfinder.actions.outcome import RefusalKind
    from dupfinder.wording.removal import refusal_sentence

    print(say("The removal {batch} had been interrupted.", batch=batch.id), end=" ", file=sys.stderr)
    if batch.is_unfinished:
        tell("Some of its files may still have temporary names:", file=sys.stderr)
        _tell_unfinished(batch)
        return
    refusals = [outcome.refusal for outcome in batch.outcomes if outcome.intent is not None and outcome.refusal]
    missing = [refusal for refusal in refusals if refusal.kind is RefusalKind.GONE]  # somebody else has moved them
    if not missing:
        tell("The file that was being moved is safe; nothing was lost.", file=sys.stderr)
    for refusal in missing:
        print(refusal_sentence(refusal), file=sys.stderr)


def _tell_unfinished(batch: Batch) -> None:
    """Print each file of a removal that may still have a temporary name, and what to do."""
    from dupfinder.actions.outcome import OPEN_STATES

    for outcome in batch.outcomes:
        if outcome.state in OPEN_STATES and outcome.intent is not None:
            name, temporary_name = shown(outcome.step.victim.path), shown(outcome.intent.holding.name)
            tell(
                "If {name} is missing, it is the file {held} in the same folder. Make that folder writable, then run "
                "`dupfinder recover`.",
                name=name,
                held=temporary_name,
                file=sys.stderr,
            )


def run_history(arguments: argparse.Namespace) -> int:
    """List all removals, newest first."""
    from dupfinder.actions.journal import Journal

    batches = Journal().current()
    if arguments.csv:
        from dupfinder.report.csv import write_cells
        from dupfinder.wording.removal import removals_table

        with speaking(ENGLISH):  # programs read it
            write_cells(*removals_table(batches), sys.stdout.buffer)
        return DONE
    for batch in batches:
        name = f"  {shown(batch.scan_name)}" if batch.scan_name else ""
        print(f"{batch.id}  {moment_text(batch.started)}  {listed(list(_counts(batch)))}{name}")
        if arguments.files:
            for outcome in batch.outcomes:
                _print_file(outcome)
    if not batches:
        tell("Nothing was removed yet.")
    return DONE


def _counts(batch: Batch) -> Iterator[str]:
    """Yield the numbers of a removal, as clauses."""
    from dupfinder.actions.outcome import OPEN_STATES, OutcomeState

    removed = batch.count(OutcomeState.DONE) - batch.quarantined
    if removed or not batch.outcomes:
        total, amount = number_text(batch.total), size(batch.bytes_done)
        yield say("{away} of {total} removed ({size})", away=number_text(removed), total=total, size=amount)
    if count := batch.quarantined:
        quarantined = size(batch.bytes_quarantined)
        yield say_count("{count} quarantined ({size})", "{count} quarantined ({size})", count, size=quarantined)
    if count := len(batch.skipped):
        yield say_count("{count} left alone", "{count} left alone", count)
    if count := batch.count(OutcomeState.RESTORED):
        yield say_count("{count} restored", "{count} restored", count)
    if count := batch.count(OutcomeState.EMPTIED):
        yield say_count("{count} deleted from quarantine", "{count} deleted from quarantine", count)
    if count := sum(outcome.state in OPEN_STATES for outcome in batch.outcomes):
        yield say_count("{count} interrupted", "{count} interrupted", count)
    if batch.running:
        yield say("in progress")
    if batch.stopped:
        yield say("stopped")
    elif batch.is_cut_off:
        yield say("interrupted")
    if count := batch.damaged:
        yield say_count(
            "{count} line of its record cannot be read", "{count} lines of its record cannot be read", count
        )


def _print_file(outcome: Outcome) -> None:
    """Print one file: its relation to the kept file, and where it is, or why it was not removed."""
    from dupfinder.wording.removal import outcome_facts, outcome_sentence, state_words

    print(f"  {padded(state_words(outcome), 11)} {shown(outcome.step.victim.path)}")
    print(f"  {'':<11} {outcome_facts(outcome)}")
    if (sentence := outcome_sentence(outcome)) is not None:
        print(f"  {'':<11} {sentence}")


def run_undo(arguments: argparse.Namespace) -> int:
    """Undo a removal, or restore files of several; return 0 if all was restored, 5 if some was not, 130 if stopped."""
    from dupfinder.actions.outcome import OutcomeState
    from dupfinder.review import removal

    journal = removal.settle(on_settled=tell_settled)
    to_undo, unknown = _to_undo(journal, arguments.batch, arguments.only)
    for path in unknown:
        remark(_not_removed(path, arguments.batch))
    with progress_shown(arguments.progress) as reporter:
        batches = [
            removal.take_back(batch_id, reporter, similar_name=arguments.beside, journal=journal, only=only)
            for batch_id, only in to_undo.items()
        ]
    for batch in batches:
        _tell_restored(batch, arguments.only, journal)
    tell(
        "{files} of {total} restored.",
        files=files_text(sum(batch.count(OutcomeState.RESTORED) for batch in batches)),
        total=number_text(sum(batch.total for batch in batches)),
    )
    if any(batch.stopped for batch in batches):
        tell("Stopped after the current file; the rest is where it was.", file=sys.stderr)
        return STOPPED
    return DONE if not unknown and all(batch.is_complete for batch in batches) else REFUSED


def _tell_restored(batch: Batch, only: Sequence[Path], journal: Journal) -> None:
    """Print what became of the files of a removal that were to be restored, where there is something to tell.

    only: what was named of all removals; the command that restores the rest names what this one still has of it.
    """
    from dupfinder.actions.outcome import OutcomeState, RefusalKind
    from dupfinder.actions.undo import removals_of
    from dupfinder.wording.removal import failure_sentence, restore_refusal_sentence, restored_sentence

    for outcome in batch.outcomes:
        if outcome.refusal is not None:
            print(restore_refusal_sentence(outcome.refusal))
        elif outcome.state is OutcomeState.FAILED:
            print(failure_sentence(outcome))
        elif (sentence := restored_sentence(outcome)) is not None:
            print(sentence)
    refusals = (outcome.refusal for outcome in batch.outcomes)
    if any(refusal is not None and refusal.kind is RefusalKind.EXISTS for refusal in refusals):
        _, elsewhere = removals_of(only, [journal.batch(batch.id)])
        named = (word for path in only if path not in elsewhere for word in ("--only", shown(path)))
        words = command_line([batch.id, *named])
        tell("To restore them under similar names: dupfinder undo {batch} --beside", batch=words)


def command_line(words: Sequence[str]) -> str:
    """Return words of a command as the system's usual shell takes them."""
    if sys.platform == "win32":
        from subprocess import list2cmdline  # only if needed

        return list2cmdline(words)
    return shlex.join(words)


def _to_undo(journal: Journal, named: str | None, only: Sequence[Path]) -> tuple[dict[str, set[Path]], list[Path]]:
    """Return what to restore of which removals, nothing for all of one, and the paths of which no removal has a file.

    Without `only`, it is the removal that is named, or else the newest. Raises UsageError if nothing can be undone.
    """
    from dupfinder.actions.undo import can_restore, removals_of

    batches = [journal.batch(named)] if named else journal.batches()
    if only:
        return removals_of(only, batches)
    for batch in batches:
        if can_restore(batch):
            return {batch.id: set()}, []
    raise UsageError(N_("There is no removal to take back."))


def _not_removed(path: Path, batch: str | None) -> str:
    """Return why a path that was named cannot be restored. batch: the removal that was named."""
    if batch:
        return say("The removal {batch} has no file to restore at {path}.", batch=batch, path=shown(path))
    return say("No removal has a file to restore at {path}.", path=shown(path))


def _add_quarantine_parser(verbs: Any) -> None:
    quarantine = verbs.add_parser(
        "quarantine",
        help=say("removed files that no trash could take"),
        description=say("Removed files that no trash can take go to a quarantine folder of their volume, and stay."),
    )
    acts = quarantine.add_subparsers(dest="act", required=True, metavar="show|empty")
    show = acts.add_parser("show", help=say("list the files, and what they take up"))
    show.set_defaults(run=run_quarantine_show)
    empty = acts.add_parser("empty", help=say("delete the files for good, where the copy that was kept is still there"))
    empty.add_argument(
        "batch", nargs="?", type=nonempty, metavar="BATCH", help=say("only those of this removal of the history")
    )
    add_flag(empty, "--yes", say("do not ask"))
    add_progress(empty)
    empty.set_defaults(run=run_quarantine_empty)


def run_quarantine_show(arguments: argparse.Namespace) -> int:  # noqa: ARG001  the same signature for every verb
    """List the files in quarantines."""
    from dupfinder.actions import quarantine
    from dupfinder.actions.journal import Journal
    from dupfinder.wording.removal import relation_to_keeper

    batches = Journal().batches()
    quarantined = quarantine.in_quarantine(batches)
    for file in quarantined:
        print(f"{file.batch}  {shown(file.outcome.step.victim.path)}  {size(file.size)}")
        print(f"  {shown(file.at)}; {relation_to_keeper(file.outcome.step)}")
    total = sum(file.size for file in quarantined)
    if quarantined:
        tell("{files} in quarantine, {size}.", files=files_text(len(quarantined)), size=size(total))
        tell("Take a removal back with `dupfinder undo BATCH`, or delete for good with `dupfinder quarantine empty`.")
    else:
        tell("There is nothing in quarantine.")
    others = quarantine.unknown_files(batches)
    if others:
        tell("Also there, and not known to the history ({size}):", size=size(sum(file.size for file in others)))
        for other in others:
            print(f"  {shown(other.at)}")
    return DONE


def run_quarantine_empty(arguments: argparse.Namespace) -> int:
    """Delete the files in quarantines; return 0 if all were deleted, 5 if some stayed, 130 if stopped."""
    from dupfinder.actions import quarantine
    from dupfinder.actions.outcome import OutcomeState
    from dupfinder.review import removal
    from dupfinder.wording.removal import quarantine_sentence

    journal = removal.settle(on_settled=tell_settled)
    quarantined = quarantine.in_quarantine([journal.batch(arguments.batch)] if arguments.batch else journal.batches())
    if not quarantined:
        tell("There is nothing in quarantine.")
        return DONE
    amount = size(sum(file.size for file in quarantined))
    question = say("Delete {files} ({size}) for good? [y/N]", files=files_text(len(quarantined)), size=amount)
    unasked = N_("`quarantine empty` asks before it deletes anything; without a terminal, add --yes.")
    if not arguments.yes and not agreed(question, unasked=unasked):
        tell("Nothing was deleted.")
        return DONE
    with progress_shown(arguments.progress) as reporter:
        batch = quarantine.empty(journal, frozenset(quarantined), reporter)
    for outcome in batch.outcomes:
        if (sentence := quarantine_sentence(outcome)) is not None:
            print(sentence)
    tell(
        "{files} of {total} deleted from quarantine.",
        files=files_text(batch.count(OutcomeState.EMPTIED)),
        total=number_text(batch.total),
    )
    if batch.stopped:
        tell("Stopped. The rest is still there.", file=sys.stderr)
        return STOPPED
    return DONE if batch.count(OutcomeState.EMPTIED) == batch.total else REFUSED
