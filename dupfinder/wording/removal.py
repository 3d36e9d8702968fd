"""Sentences about removing and restoring: what happened, what was not done, what to do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from dupfinder.actions.metadata import MetadataKind
from dupfinder.actions.outcome import Aspect, Batch, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import Place, PlaceKind
from dupfinder.actions.plan import Step
from dupfinder.actions.undo import NO_NAME, RestoredName
from dupfinder.base.display import shown
from dupfinder.cluster.relation import Relation
from dupfinder.wording.catalogue import N_, say, say_count, say_some
from dupfinder.wording.details import error_words
from dupfinder.wording.figures import joined, percent
from dupfinder.wording.relations import relation_name

_SENTENCES: Final = {
    RefusalKind.CHANGED: N_(
        "{victim} {change} since it was scanned. It was left alone. Scan again to compare it again."
    ),
    RefusalKind.GONE: N_("{victim} is no longer there. Nothing was done. Scan again to bring the results up to date."),
    RefusalKind.KEEPER_CHANGED: N_(
        "{keeper}, the copy to keep, {change} since it was scanned. {victim} was left alone. "
        "Scan again to compare the two again."
    ),
    RefusalKind.KEEPER_GONE: N_(
        "{keeper}, the copy to keep, is no longer there. {victim} was left alone, since it may be "
        "the last copy. Scan again, or choose another copy to keep."
    ),
    RefusalKind.SAME_FILE: N_(
        "{victim} and {keeper} are two names of one file. Nothing was done, and removing a name "
        "would free nothing. Unmark it."
    ),
    RefusalKind.PROTECTED: N_(
        "{victim} is in a protected folder, or would go to one. It was left alone. Change the "
        "folder's role and scan again if it should go."
    ),
    RefusalKind.INSIDE_ARCHIVE: N_(
        "{victim} is inside an archive, and archives are never changed. Nothing was done. "
        "Remove it with the program that packed it, if it should go."
    ),
    RefusalKind.KEEPER_IN_ARCHIVE: N_(
        "{keeper}, the copy to keep, is inside an archive, which does not count as kept. "
        "{victim} was left alone. Choose a copy outside of archives."
    ),
    RefusalKind.WHOLE_ARCHIVE: N_(
        "One of {victim} and {keeper} is an archive: it may hold more than the document that was compared. "
        "Nothing was done."
    ),
    RefusalKind.OUTSIDE: N_(
        "{victim} is outside the folders that were scanned. It was left alone. Scan its folder first."
    ),
    RefusalKind.KEPT: N_(
        "{victim} was chosen to be kept. It was left alone. Take that decision back first if it should go."
    ),
    RefusalKind.APART: N_(
        "{victim} and {keeper} were said to be no duplicates. Nothing was done. Take that back if {victim} should go."
    ),
    RefusalKind.NO_PLACE: N_(
        "{name} is a trash or belongs to dupfinder, and receives no documents. {victim} was left where it is. "
        "Choose another folder."
    ),
    RefusalKind.SYMLINK: N_(
        "There is a symbolic link in the path of {victim}. Nothing was done, since it may lead elsewhere. "
        "Scan the folder that it points to."
    ),
    RefusalKind.NOT_A_FILE: N_("{victim} is no longer a regular file. Nothing was done. Scan again."),
    RefusalKind.LAST_COPY: N_(
        "{victim} may be the last copy of its document. It was left alone. Keep another copy first."
    ),
    RefusalKind.NO_LONGER_SIMILAR: N_(
        "{victim} and {keeper} are less similar than the plan requires{measure}. Nothing was done. Compare the two; to "
        "remove {victim} all the same, choose a lower least similarity first."
    ),
    RefusalKind.UNREADABLE: N_(
        "{victim} and {keeper} could not both be read again{reason}. Nothing was done. Check that "
        "both open, then try again."
    ),
    RefusalKind.READ_IN_PART: N_(
        "Only some of the text of {victim} can be read, so the rest may be in no other file. It was left alone. Open "
        "it to see what else it holds."
    ),
    RefusalKind.NOT_EXACT: N_(
        "{victim} and {keeper} are not exactly the same, so no hard link was made. Move {victim} to the trash instead."
    ),
    RefusalKind.IN_USE: N_(
        "{victim} is being written by another program. It was left alone. Close it there, then try again."
    ),
    RefusalKind.FORBIDDEN: N_(
        "The system does not allow {victim} to be moved{reason}. It was left alone. Check the "
        "permissions of the file and its folder, then try again."
    ),
    RefusalKind.OTHER_VOLUME: N_(
        "{victim} and {keeper} are on different volumes, so no hard link is possible. Nothing was done. Move {victim} "
        "to the trash instead."
    ),
    RefusalKind.KEEPER_PROTECTED: N_(
        "{keeper} is in a protected folder, and a change of a hard link to it would change it too. Nothing was done. "
        "Move {victim} to the trash instead."
    ),
    RefusalKind.EXISTS: N_(
        "{name} is taken by another file. {victim} was left where it is, and nothing was overwritten. "
        "Rename or move that file, or choose another folder."
    ),
    RefusalKind.NO_TRASH: N_(
        "No trash can take {victim}{reason}. It was left alone. Choose a quarantine folder on the same volume."
    ),
    RefusalKind.NO_SAFE_NAME: N_(
        "On the volume of {name}, moving a file could overwrite another one of the same name. {victim} was left where "
        "it is. Move it by hand, or use a folder on another volume."
    ),
    RefusalKind.WHERE_UNKNOWN: N_(
        "The system's trash took {victim} and did not tell where it is. It was not restored. "
        "Open the trash and restore it from there."
    ),
    RefusalKind.NOT_THERE: N_(
        "{victim} is not where it was put ({name}). It was not restored; the trash may have been emptied, or a drive "
        "is not connected. {keeper} was kept as its copy."
    ),
}
_CHANGES: Final = {
    Aspect.IDENTITY: N_("was replaced by another file"),
    Aspect.SIZE: N_("changed in size"),
    Aspect.MTIME: N_("was saved again"),
    Aspect.CONTENT: N_("changed in content"),
}


_RELATIONS_IN_PLAN: Final = {
    Relation.IDENTICAL: N_("identical"),
    Relation.SAME_TEXT: N_("same text"),
    Relation.SAME_WORDS: N_("same words, but not all else the same"),
    Relation.VERSION: N_("version, its text differs"),
    Relation.PART: N_("part of a longer document"),
}


def unlinkable_sentence(count: int) -> str:
    """Return how many of the marked documents stay because they cannot become hard links."""
    return say_count(
        "{count} document cannot be linked: it is no exact copy on the same volume, or its kept copy is protected. "
        "It stays.",
        "{count} documents cannot be linked: they are no exact copies on the same volume, or their kept copies are "
        "protected. They stay.",
        count,
    )


def versioned_sentence(count: int) -> str:
    """Return how many documents rules leave alone because they are under version control; "" for none."""
    return say_some(
        "{count} document stays because it is under version control (Git, …).",
        "{count} documents stay because they are under version control (Git, …).",
        count,
    )


def relation_in_plan(relation: Relation) -> str:
    return say(_RELATIONS_IN_PLAN[relation])


def refusal_sentence(refusal: Refusal) -> str:
    """Return why a step was not done, with file names safe to show."""
    return say(
        _SENTENCES[refusal.kind],
        victim=shown(refusal.step.victim.path),
        keeper=shown(refusal.step.keeper.path),
        change=say(_CHANGES.get(refusal.aspect, N_("changed"))),
        measure=_measure(refusal),
        reason=f" ({error_words(refusal.found)})" if isinstance(refusal.found, str) else "",
        name=shown(refusal.expected) if isinstance(refusal.expected, str) else shown(refusal.step.victim.path),
    )


_NAME_TAKEN: Final = N_(
    "A file named {victim} is there now. The removed one was not restored, and nothing was overwritten. Restore it "
    "under a similar name, or move that file away first."
)
_OTHER_BYTES: Final = N_(
    "{where} no longer holds the bytes of {victim}. It was not restored, since what is there now may be newer. Look at "
    "that file and copy it by hand if it is what you want."
)
_FAILED: Final = N_(
    "{victim} could not be moved: {failure}. It is where it was. Free some space or check the "
    "permissions, then try again."
)
_FAILED_ELSEWHERE: Final = N_(
    "{victim} could not be moved: {failure}. It is now {where}. Free some space or check the "
    "permissions, then try again."
)


def restore_refusal_sentence(refusal: Refusal) -> str:
    """Return why a removed file was not restored."""
    victim = shown(refusal.step.victim.path)
    if refusal.kind is RefusalKind.EXISTS:
        return say(_NAME_TAKEN, victim=victim)
    if refusal.kind is RefusalKind.CHANGED:
        where = shown(refusal.expected) if isinstance(refusal.expected, str) else victim
        return say(_OTHER_BYTES, where=where, victim=victim)
    return refusal_sentence(refusal)


_NAMED: Final = N_("it is called {name} again")
_NAMED_BESIDE: Final = N_("its name was taken; it is called {name} now, and nothing was overwritten")
_NAMELESS: Final = N_("its original name is not known; open it, then rename or remove it yourself")
_NOT_NAMED: Final = N_("it could not be renamed: {failure}; check the permissions, then try again")


def given_back_sentence(file: RestoredName) -> str:
    """Return what became of a file that a removal left renamed, as a clause."""
    if file.name is not None:
        return say(_NAMED_BESIDE if file.was_taken else _NAMED, name=shown(file.name.name))
    if file.failure == NO_NAME:
        return say(_NAMELESS)
    return say(_NOT_NAMED, failure=error_words(file.failure))


def failure_sentence(outcome: Outcome) -> str:
    """Return what the system did not allow, and where the file is."""
    pattern = _FAILED if outcome.restored_to is None else _FAILED_ELSEWHERE
    return say(
        pattern,
        victim=shown(outcome.step.victim.path),
        failure=error_words(outcome.failure),
        where="" if outcome.restored_to is None else shown(outcome.restored_to),
    )


def outcome_sentence(outcome: Outcome) -> str | None:
    """Return the sentence about a step that did not go as planned; None if it did."""
    if outcome.state is OutcomeState.FAILED:
        return failure_sentence(outcome)
    if outcome.refusal is None or outcome.state is not OutcomeState.REFUSED:
        return None
    message = refusal_sentence(outcome.refusal)
    if outcome.restored_to is not None:
        where = shown(outcome.restored_to)
        message += " " + say("Another file had taken its name meanwhile; it is now {where}.", where=where)
    return message


_PLACES: Final = {
    PlaceKind.TRASH: N_("in the trash: {path}"),
    PlaceKind.QUARANTINE: N_("in the quarantine: {path}"),
    PlaceKind.MOVED: N_("moved to {path}"),
    PlaceKind.LINKED: N_("now a hard link to the kept file"),
    PlaceKind.ELSEWHERE: N_("in the system's trash, which does not tell where"),
}


def place_words(place: Place) -> str:
    return say(_PLACES[place.kind], path="" if place.path is None else shown(place.path))


_RELATIONS_TO_KEEPER: Final = {
    Relation.IDENTICAL: N_("identical to {keeper}"),
    Relation.SAME_TEXT: N_("the same text as {keeper}"),
    Relation.SAME_WORDS: N_("the same words as {keeper}"),
    Relation.VERSION: N_("a version of {keeper}, {share} % similar"),
    Relation.PART: N_("its text is in {keeper}"),
    Relation.WHOLE: N_("the text of {keeper} is in it"),
}
_LARGELY_IN: Final = N_("{share} % of its text is in {keeper}")
_A_PART: Final = N_("a part of {keeper}")


def relation_to_keeper(step: Step) -> str:
    """Return the relation of a removed file to the file that was kept for it, which is named."""
    pattern, share = _RELATIONS_TO_KEEPER[step.relation], step.similarity
    if step.relation is Relation.PART and step.share != 1:
        pattern, share = (_A_PART, 0.0) if step.share is None else (_LARGELY_IN, step.share)
    return say(pattern, keeper=shown(step.keeper.path), share=percent(share))


_STATES: Final = {
    OutcomeState.INTENDED: N_("interrupted"),
    OutcomeState.DONE: N_("removed"),
    OutcomeState.REFUSED: N_("left alone"),
    OutcomeState.FAILED: N_("failed"),
    OutcomeState.TAKEN_BACK: N_("given back"),
    OutcomeState.RESTORING: N_("interrupted"),
    OutcomeState.RESTORED: N_("restored"),
    OutcomeState.EMPTYING: N_("interrupted"),
    OutcomeState.EMPTIED: N_("deleted"),
}
_DONE: Final = {PlaceKind.QUARANTINE: N_("quarantined"), PlaceKind.MOVED: N_("moved"), PlaceKind.LINKED: N_("linked")}


def state_words(outcome: Outcome) -> str:
    """Return what became of a file, in a word or two."""
    if outcome.state is OutcomeState.DONE and outcome.place is not None and outcome.place.kind in _DONE:
        return say(_DONE[outcome.place.kind])
    return say(_STATES[outcome.state])


def outcome_facts(outcome: Outcome) -> str:
    """Return the relation of a file to the file that was kept for it, and where it is now."""
    facts = [relation_to_keeper(outcome.step)]
    if outcome.state is OutcomeState.DONE and outcome.place is not None:
        facts.append(place_words(outcome.place))
    if outcome.restored_to is not None:
        facts.append(say("now {path}", path=shown(outcome.restored_to)))
    return joined(facts)


def removals_table(batches: Sequence[Batch]) -> tuple[list[str], Iterator[tuple[str | int, ...]]]:
    """Return the headings and rows of a table of removals: each file, what became of it, and what was kept for it."""
    texts = (N_("Started"), N_("Document"), N_("Result"), N_("Relation"), N_("Kept copy"), N_("Bytes"),
             N_("Content hash"), N_("Where it is now"), N_("Reason"))  # fmt: skip
    return list(map(say, texts)), (_table_row(batch, outcome) for batch in batches for outcome in batch.outcomes)


def _table_row(batch: Batch, outcome: Outcome) -> tuple[str | int, ...]:
    step, place = outcome.step, outcome.place if outcome.state is OutcomeState.DONE else None
    return (
        f"{batch.started:%Y-%m-%dT%H:%M:%SZ}",
        str(step.victim.path),
        state_words(outcome),
        relation_name(step.relation),
        str(step.keeper.path),
        step.victim.stamp.size,
        step.victim.content_hash,
        place_words(place) if place else str(outcome.restored_to or ""),
        outcome_sentence(outcome) or "",
    )


_STAYS: Final = N_(
    "{victim} stays in the quarantine as {where}: {keeper}, the copy that was kept for it, changed or is no longer "
    "there, so it may be the last one. Restore it with `dupfinder undo`, or keep another copy first."
)
_STAYS_CHANGED: Final = N_(
    "{where} no longer holds the bytes of {victim}. It was not deleted, since what is there now may be newer. Look at "
    "that file, and delete it by hand if nobody needs it."
)


def quarantine_sentence(outcome: Outcome) -> str | None:
    """Return why a file was not deleted from a quarantine; None if it was."""
    if outcome.state is OutcomeState.FAILED:
        return failure_sentence(outcome)
    if outcome.refusal is None:
        return None
    changed = outcome.refusal.kind is RefusalKind.CHANGED
    return say(
        _STAYS_CHANGED if changed else _STAYS,
        victim=shown(outcome.step.victim.path),
        keeper=shown(outcome.step.keeper.path),
        where=shown(str(outcome.refusal.expected)),
    )


_METADATA: Final = {
    MetadataKind.OWNER: N_("its owner"),
    MetadataKind.ATTRIBUTES: N_("its attributes"),
    MetadataKind.MODE: N_("its permissions"),
    MetadataKind.TIMES: N_("its times"),
}


def restored_sentence(outcome: Outcome) -> str | None:
    """Return how a restored file differs: under another name, or without some attributes. None: it is as it was."""
    victim, sentences = shown(outcome.step.victim.path), []
    if outcome.restored_to is not None and outcome.restored_to != outcome.step.victim.path:
        pattern = N_("{victim} was restored as {where}.")
        sentences.append(say(pattern, victim=victim, where=shown(outcome.restored_to)))
    if outcome.missing:
        pattern = N_("{victim} is back, but the system did not let it have {what} as before.")
        sentences.append(say(pattern, victim=victim, what=", ".join(say(_METADATA[kind]) for kind in outcome.missing)))
    return " ".join(sentences) if sentences else None


def _measure(refusal: Refusal) -> str:
    """Return the similarity that was measured and required, in brackets; "" if none was, as for equal texts."""
    if isinstance(refusal.expected, float) and isinstance(refusal.found, float) and refusal.aspect is not Aspect.TEXT:
        pattern = N_(" ({found} % instead of {asked} %)")
        return say(pattern, found=percent(refusal.found), asked=f"{100 * refusal.expected:.0f}")
    return ""


def reasons(outcomes: Iterable[Outcome]) -> list[tuple[Path, str]]:
    """Return the file of each step that was not done, and the reason."""
    return [(outcome.step.victim.path, outcome_sentence(outcome) or "") for outcome in outcomes]
