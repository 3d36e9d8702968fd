"""Words, numbers and dates of the results in the person's language."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from dupfinder.actions.outcome import Batch, OutcomeState
from dupfinder.base.details import details_of
from dupfinder.base.display import shown
from dupfinder.cluster.relation import FREELY_REMOVED, Relation, name_of
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import NO_DATE, Documents
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.review.members import FileState, Member
from dupfinder.wording.catalogue import number_text, say, say_as, say_count, say_some
from dupfinder.wording.details import clauses
from dupfinder.wording.figures import (
    NOTHING,
    clock_text,
    count_text,
    date_text,
    day_text,
    listed,
    moment_text,
    seconds_text,
    share_text,
    size_text,
)
from dupfinder.wording.relations import (
    counted_relation,
    difference_text,
    keeper_reason,
    other_content_text,
    relation_name,
    relations_text,
    similarity_text,
)

LEAST_SECONDS: Final = 0.05  # of reading, below which the time is not shown


def counts_of(relations: Mapping[Relation, int]) -> str:
    """Return counts by relation: "212 identical, 90 same text, 16 versions"."""
    return relations_text({name_of(relation): relations.get(relation, 0) for relation in FILTERED_RELATIONS})


def what_stays(relations: Mapping[Relation, int]) -> str:
    """Return what a removal leaves of every document; relations: removed documents by relation to their survivor."""
    if any(count for relation, count in relations.items() if relation not in FREELY_REMOVED):
        return say("At least one copy or version of every document stays")
    return say("At least one copy of every document stays")


def holds(counts: Sequence[int], distant: int = 0) -> str:
    """Return what a group has besides its kept copy: counts of the two closest relations, then of other documents.

    counts: as FILTERED_RELATIONS.
    """
    parts = []
    for relation, count in zip(FILTERED_RELATIONS, counts, strict=True):
        if count:
            of_them = distant if relation is Relation.VERSION else 0
            parts.append((counted_relation(name_of(relation), count, of_them), count))
    more = say_some("{count} more", "{count} more", sum(count for _, count in parts[2:]))
    return " · ".join(filter(None, (*(text for text, _ in parts[:2]), more)))


def decision_word(member: Member) -> str:
    if not member.is_there:
        return NOTHING
    return decision_text(member.decision, in_archive=member.archive is not None, protected=member.protected)


def decision_text(decision: Decision, *, in_archive: bool, protected: bool) -> str:
    """Return the text of the decision control of a document that exists."""
    if in_archive:
        return say("In archive")
    if protected:
        return say("Protected")
    return _by_decision()[decision]


def _by_decision() -> dict[Decision, str]:
    return {
        Decision.KEEP: say("Keep"),
        Decision.REMOVE: say("Remove"),
        Decision.REMOVE_PART: say("Remove"),
        Decision.UNDECIDED: say("Decide"),
    }


def decision_texts() -> list[str]:
    """Return every text of a decision control of one document."""
    return [say("In archive"), say("Protected"), *_by_decision().values()]


def relation_to_kept(member: Member) -> str:
    """Return the relation of a document to the kept copy of its group."""
    if member.state is FileState.GONE:
        return say("No longer here")
    if member.state is FileState.CHANGED:
        return say("Changed since the scan")
    return say("Kept copy") if member.is_keeper else relation_name(member.relation)


def detail_of(member: Member, keeper: Member | None) -> str:
    """Return how a document differs from the kept copy; of the proposed kept copy, why it was chosen."""
    if member.is_keeper:
        return "" if member.why_keeper is None else keeper_reason(member.why_keeper)
    match member.relation:
        case Relation.IDENTICAL if member.bytes_only:
            return say("same bytes; not a document")
        case Relation.SAME_TEXT:
            return say("nothing but the format differs")
        case Relation.SAME_WORDS:
            return other_content_text(member.differs, member.unknown)
        case Relation.VERSION:
            return _edited(member, keeper)
        case Relation.PART:
            name = member.whole.name if member.whole is not None else keeper.name if keeper is not None else ""
            if member.in_whole == 1:
                return say("its text stays in {name}", name=shown(name))
            return say("{share} of its text stays in {name}", share=share_text(member.in_whole), name=shown(name))
        case Relation.WHOLE:
            return say("it has more text than the kept copy")
        case Relation.NONE:
            return say("too unlike the kept copy to replace it")
        case _:
            return ""


def properties_of(documents: Documents, member: Member, keeper: Member | None) -> list[tuple[str, str]]:
    """Return what is known of a document, as names and values; what is not known is left out."""
    row = member.document
    inside, seconds = int(documents.inside_date[row]), float(documents.seconds[row])
    exact = say_count("{count} byte", "{count} bytes", member.size)
    relation = listed(part for part in (relation_to_kept(member), detail_of(member, keeper)) if part)
    bits = member.distance
    lines = (
        (say("Name"), shown(member.name)),
        (say("Folder"), shown(member.path.parent)),
        (say("In the archive"), shown(member.archive) if member.archive is not None else ""),
        (say("Title"), shown(documents.title[row])),
        (say("Type"), member.badge),
        (say("Size"), f"{size_text(member.size)} ({exact})"),
        (say("Changed"), moment_text(member.changed)),
        (say("Date inside"), date_text(inside * 10**9) if inside != NO_DATE else ""),
        (say_as("how many", "Pages"), count_text(member.pages)),
        (say_as("how many", "Words"), count_text(member.words)),
        (say("Language"), member.language),
        (say("Relation to the kept copy"), relation),
        (say("In the kept copy"), "" if member.is_keeper else share_text(member.in_keeper)),
        (say("Of the kept copy in it"), "" if member.is_keeper else share_text(member.keeper_in)),
        (say("Differing fingerprint bits"), "" if member.is_keeper or bits is None else number_text(bits)),
        (say("How it was read"), clauses(details_of(documents.detail[row]))),
        (say("Time of reading"), seconds_text(seconds) if seconds >= LEAST_SECONDS else ""),
        (say("Hash of the bytes (BLAKE2b)"), documents.content_hex(row)),
        (say("Fingerprint"), f"{int(documents.fingerprint[row]):016x}" if documents.comparable[row] else ""),
    )
    return [(name, value) for name, value in lines if value not in ("", NOTHING)]


def _edited(member: Member, keeper: Member | None) -> str:
    """Return "older, words edited in 11 places", or the kind of difference if it is known."""
    parts = []
    if keeper is not None and member.changed != keeper.changed:
        older = member.changed < keeper.changed
        parts.append(say("older") if older else say("newer"))
    if what := difference_text(member.difference, member.changes, member.keeper_in > member.in_keeper):
        parts.append(what)
    elif member.changes:
        parts.append(say_count("words edited in {count} place", "words edited in {count} places", member.changes))
    return listed(parts)


def nearest_relation(member: Member) -> str:
    """Return the relation of a document to its nearest member: "identical", "98 %"."""
    if member.nearest is None:
        return ""
    if member.nearest.relation >= Relation.SAME_WORDS:
        return relation_name(member.nearest.relation)
    return similarity_text(member.nearest.similarity)


def when(moment: datetime) -> str:
    """Return a time in local time: "Today 14:06", else the day."""
    days = (datetime.now().astimezone().date() - moment.astimezone().date()).days
    if days == 0:
        return say("Today {time}", time=clock_text(moment))
    if days == 1:
        return say("Yesterday {time}", time=clock_text(moment))
    return day_text(moment)


def trash_name() -> str:
    return say("Recycle Bin") if sys.platform == "win32" else say("Trash")


def removed(batch: Batch) -> str:
    """Return the result of a removal, in one line."""
    parts = (
        say_count("{count} document removed", "{count} documents removed", batch.count(OutcomeState.DONE)),
        say_some("{count} left alone", "{count} left alone", len(batch.skipped)),
        say("stopped") if batch.stopped else "",
    )
    return ", ".join(filter(None, parts))


def restoring(count: int) -> str:
    """Return the sentence that is shown while documents are restored."""
    return say_count("Restoring {count} document…", "Restoring {count} documents…", count)


def restore_result(batch: Batch) -> str:
    """Return the result of undoing a removal, in one line."""
    parts = (
        say_count("{count} document restored", "{count} documents restored", batch.count(OutcomeState.RESTORED)),
        say_some("{count} not", "{count} not", len(batch.skipped)),
    )
    return ", ".join(filter(None, parts))
