"""Sentences on removing and restoring: what happened, what was not done, what to do."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from dupfinder.actions.check import Aspect, Refusal, RefusalKind
from dupfinder.actions.outcome import Outcome, State
from dupfinder.base.display import shown
from dupfinder.base.settings import N_
from dupfinder.review.wording import Translate, as_it_is

_SENTENCES: Final = {
    RefusalKind.CHANGED: N_(
        "{victim} {change} since it was scanned. It was left alone. Scan again to compare it anew."
    ),
    RefusalKind.GONE: N_("{victim} is no longer there. Nothing was done. Scan again to bring the results up to date."),
    RefusalKind.KEEPER_CHANGED: N_(
        "{keeper}, the copy to keep, {change} since it was scanned. {victim} was left alone. "
        "Scan again to compare the two anew."
    ),
    RefusalKind.KEEPER_GONE: N_(
        "{keeper}, the copy to keep, is no longer there. {victim} was left alone, for it may be "
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
        "{victim} and {keeper} are not both documents: one is an archive, which holds more than "
        "the document that is alike. Nothing was done."
    ),
    RefusalKind.OUTSIDE: N_(
        "{victim} is outside the folders that were scanned. It was left alone. Scan its folder first."
    ),
    RefusalKind.SYMLINK: N_(
        "A symbolic link stands in the way to {victim}. Nothing was done, for it may lead elsewhere. "
        "Scan the folder that it points to."
    ),
    RefusalKind.NOT_A_FILE: N_("{victim} is no longer a regular file. Nothing was done. Scan again."),
    RefusalKind.LAST_COPY: N_(
        "{victim} may be the last copy of its document. It was left alone. Keep another copy first."
    ),
    RefusalKind.NO_LONGER_SIMILAR: N_(
        "{victim} and {keeper} are less alike than the plan asks for{measure}. Nothing was "
        "done. Compare the two, and lower the least similarity if it should go all the same."
    ),
    RefusalKind.UNREADABLE: N_(
        "{victim} and {keeper} could not both be read again{code}. Nothing was done. Check that "
        "both open, then try again."
    ),
    RefusalKind.NOT_EXACT: N_(
        "{victim} and {keeper} do not hold the same bytes. They were not joined into one file. Move "
        "it to the trash instead."
    ),
    RefusalKind.IN_USE: N_(
        "{victim} is being written by another program. It was left alone. Close it there, then try again."
    ),
    RefusalKind.FORBIDDEN: N_(
        "The system does not allow {victim} to be moved{code}. It was left alone. Check the "
        "permissions of the file and its folder, then try again."
    ),
    RefusalKind.OTHER_VOLUME: N_(
        "{victim} and {keeper} are on different volumes. They cannot be joined into one file, "
        "and nothing was done. Move it to the trash instead."
    ),
    RefusalKind.EXISTS: N_(
        "{name} is taken by another file. {victim} was left where it is, and nothing was overwritten. "
        "Rename or move that file, or choose another folder."
    ),
    RefusalKind.NO_TRASH: N_(
        "No trash can take {victim}{code}. It was left alone. Choose a quarantine folder on the same volume."
    ),
    RefusalKind.WHERE_UNKNOWN: N_(
        "The system's trash took {victim} and did not tell where it is. It was not restored. "
        "Open the trash and restore it from there."
    ),
    RefusalKind.NOT_THERE: N_(
        "{victim} is no longer where it was put ({name}). It was not restored; the trash may have "
        "been emptied. {keeper} was kept as its copy."
    ),
}
_CHANGES: Final = {
    Aspect.IDENTITY: N_("was replaced by another file"),
    Aspect.SIZE: N_("changed in size"),
    Aspect.MTIME: N_("was saved again"),
    Aspect.CONTENT: N_("changed in content"),
}


def refusal_sentence(refusal: Refusal, translate: Translate = as_it_is) -> str:
    """Why a step was not done, with no raw character of a file's name."""
    return translate(_SENTENCES[refusal.kind]).format(
        victim=shown(refusal.step.victim.path),
        keeper=shown(refusal.step.keeper.path),
        change=translate(_CHANGES.get(refusal.aspect, N_("changed"))),
        measure=_measure(refusal, translate),
        code=f" ({refusal.found})" if isinstance(refusal.found, str) else "",
        name=shown(refusal.expected) if isinstance(refusal.expected, str) else shown(refusal.step.victim.path),
    )


_NAME_TAKEN: Final = N_(
    "A file named {victim} is there now. The removed one was not restored, and nothing was overwritten. Restore it "
    "next to that file, or move that file away first."
)
_OTHER_BYTES: Final = N_(
    "{where} no longer holds the bytes of {victim}. It was not restored, for what is there now may be newer. Look at "
    "that file and copy it by hand if it is what you want."
)
_FAILED: Final = N_(
    "{victim} could not be moved: the system said {failure}. It is where it was. Free some space or check the "
    "permissions, then try again."
)
_FAILED_ELSEWHERE: Final = N_(
    "{victim} could not be moved: the system said {failure}. It is now {where}. Free some space or check the "
    "permissions, then try again."
)


def restore_refusal_sentence(refusal: Refusal, translate: Translate = as_it_is) -> str:
    """Why a removed file was not restored."""
    victim = shown(refusal.step.victim.path)
    if refusal.kind is RefusalKind.EXISTS:
        return translate(_NAME_TAKEN).format(victim=victim)
    if refusal.kind is RefusalKind.CHANGED:
        where = shown(refusal.expected) if isinstance(refusal.expected, str) else victim
        return translate(_OTHER_BYTES).format(where=where, victim=victim)
    return refusal_sentence(refusal, translate)


def failure_sentence(outcome: Outcome, translate: Translate = as_it_is) -> str:
    """What the system did not let happen, and where the file is."""
    pattern = _FAILED if outcome.restored_to is None else _FAILED_ELSEWHERE
    return translate(pattern).format(
        victim=shown(outcome.step.victim.path),
        failure=outcome.failure,
        where="" if outcome.restored_to is None else shown(outcome.restored_to),
    )


def outcome_sentence(outcome: Outcome, translate: Translate = as_it_is) -> str | None:
    """The sentence on a step that did not go as planned; None for one that did."""
    if outcome.state is State.FAILED:
        return failure_sentence(outcome, translate)
    if outcome.refusal is None or outcome.state is not State.REFUSED:
        return None
    told = refusal_sentence(outcome.refusal, translate)
    if outcome.restored_to is not None:
        renamed = translate(N_(" Another file had taken its name meanwhile; it is now {where}."))
        told += renamed.format(where=shown(outcome.restored_to))
    return told


def place_words(path: Path | None) -> str:
    """Where a removed file is, for a list."""
    return "in the system's trash" if path is None else shown(path)


def _measure(refusal: Refusal, translate: Translate) -> str:
    if isinstance(refusal.expected, float) and isinstance(refusal.found, float) and refusal.aspect is not Aspect.TEXT:
        pattern = translate(N_(" ({found} % instead of {asked} %)"))
        return pattern.format(found=f"{100 * refusal.found:.0f}", asked=f"{100 * refusal.expected:.0f}")
    return ""
