"""Words, numbers and dates of the results in the person's language."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication

from dupfinder.actions.outcome import Batch, State
from dupfinder.base.display import shown
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Difference, Relation, name_of
from dupfinder.cluster.relation import percent as percent_of
from dupfinder.gui.kit.labels import plain_tip as plain_tip
from dupfinder.review.listing import RELATIONS
from dupfinder.review.members import Decision, FileState, Member
from dupfinder.wording.figures import NOTHING as NOTHING
from dupfinder.wording.figures import (
    clock_text,
    count_text,
    day_text,
    documents_text,
    groups_text,
    percent_text,
    share_text,
    size_text,
)
from dupfinder.wording.relations import content_name, counted_relation, relations_text
from dupfinder.wording.relations import relation_name as relation_name

number, size, share = count_text, size_text, share_text  # "20,482", "142 KB", "50 %"
documents, groups = documents_text, groups_text  # "5 documents", "1,204 groups"

_PLACE: Final = re.compile("%([1-9])")


def with_values(text: str, *values: str) -> str:
    """Return a text with values in its places %1, %2, and so on. A value may itself hold such signs."""
    return _PLACE.sub(lambda place: values[int(place.group(1)) - 1], text)


def counts_of(relations: Mapping[Relation, int]) -> str:
    """Return counts by relation: "212 identical, 90 same text, 16 versions"."""
    return relations_text({name_of(relation): relations.get(relation, 0) for relation in RELATIONS})


def holds(counts: Sequence[int], distant: int = 0, most: int = 2) -> str:
    """Return what a group has besides its kept copy: counts of the `most` closest relations, then of other documents.

    counts: as RELATIONS.
    """
    translate = QCoreApplication.translate
    parts = []
    for relation, count in zip(RELATIONS, counts, strict=True):
        if count:
            of_them = distant if relation is Relation.VERSION else 0
            parts.append((counted_relation(name_of(relation), count, of_them), count))
    shown = parts if len(parts) <= most else parts[:most]
    more = sum(count for _, count in parts[len(shown) :])
    texts = [text for text, _ in shown] + ([translate("Results", "%Ln more", None, more)] if more else [])
    return " · ".join(texts)


def decision_word(member: Member) -> str:
    """Return the text of the decision control."""
    translate = QCoreApplication.translate
    if not member.is_there:
        return NOTHING
    if member.archive is not None:
        return translate("Results", "In archive")
    if member.protected:
        return translate("Results", "Protected")
    return {
        Decision.KEEP: translate("Results", "Keep"),
        Decision.REMOVE: translate("Results", "Remove"),
        Decision.REMOVE_PART: translate("Results", "Remove"),
        Decision.UNDECIDED: translate("Results", "Decide"),
    }[member.decision]


def reason(member: Member) -> str:
    """Return the relation of a document to the kept copy of its group."""
    translate = QCoreApplication.translate
    if member.state is FileState.GONE:
        return translate("Results", "No longer here")
    if member.state is FileState.CHANGED:
        return translate("Results", "Changed since the scan")
    return translate("Results", "Kept copy") if member.is_keeper else relation_name(member.relation)


def detail_of(member: Member, keeper: Member | None) -> str:
    """Return how a document differs from the kept copy; of the proposed kept copy, why it was chosen."""
    translate = QCoreApplication.translate
    if member.is_keeper:
        return "" if member.why_keeper is None else _keeper_reason(member.why_keeper)
    match member.relation:
        case Relation.IDENTICAL if member.bytes_only:
            return translate("Results", "same bytes; not a document")
        case Relation.SAME_TEXT:
            return translate("Results", "nothing but the format differs")
        case Relation.SAME_WORDS:
            return _other_content(member)
        case Relation.VERSION:
            return _edited(member, keeper)
        case Relation.PART:
            name = member.whole.name if member.whole is not None else keeper.name if keeper is not None else ""
            if member.in_whole == 1:
                return with_values(translate("Results", "its text stays in %1"), shown(name))
            text = translate("Results", "%1 of its text stays in %2")
            return with_values(text, share(member.in_whole), shown(name))
        case Relation.WHOLE:
            return translate("Results", "it has more text than the kept copy")
        case Relation.NONE:
            return translate("Results", "too unlike the kept copy to replace it")
        case _:
            return ""


def _other_content(member: Member) -> str:
    translate = QCoreApplication.translate
    comma = translate("Results", ", ")
    texts = []
    if member.differs:
        differing = comma.join(content_name(kind) for kind in member.differs)
        texts.append(with_values(translate("Results", "other %1"), differing))
    if member.unknown:
        unknown = comma.join(content_name(kind) for kind in member.unknown)
        texts.append(with_values(translate("Results", "not known: %1"), unknown))
    return " · ".join(texts)


def _edited(member: Member, keeper: Member | None) -> str:
    """Return "older, edited in 11 places", or the kind of difference if it is known."""
    translate = QCoreApplication.translate
    parts = []
    if keeper is not None and member.changed != keeper.changed:
        older = member.changed < keeper.changed
        parts.append(translate("Results", "older") if older else translate("Results", "newer"))
    what = {
        Difference.FORMAT: translate("Results", "only spaces and signs differ"),
        Difference.NUMBERS: translate("Results", "only numbers and dates differ"),
        Difference.SHORT: translate("Results", "only short places differ"),
        Difference.ADDITIONS: translate("Results", "text was added"),
    }.get(member.difference)
    if what is not None:
        parts.append(what)
    elif member.changes:
        parts.append(translate("Results", "edited in %Ln places", None, member.changes))
    return translate("Results", ", ").join(parts)


def nearest(member: Member) -> str:
    """Return the relation of a document to its nearest member: "identical", "98 %"."""
    if member.nearest is None:
        return ""
    if member.nearest.relation >= Relation.SAME_WORDS:
        return relation_name(member.nearest.relation)
    return percent(member.nearest.similarity)


def _keeper_reason(why: KeeperReason | None) -> str:
    translate = QCoreApplication.translate
    if why is None:
        return translate("Results", "The kept copy")
    return {
        KeeperReason.PROTECTED: translate("Results", "In a protected folder"),
        KeeperReason.CENTRAL: translate("Results", "Most like the others"),
        KeeperReason.PLAIN_NAME: translate("Results", "Not named a copy"),
        KeeperReason.RICHER: translate("Results", "Richer format"),
        KeeperReason.NEWER_INSIDE: translate("Results", "Newest inside"),
        KeeperReason.MORE_TEXT: translate("Results", "More text"),
        KeeperReason.NEWER_FILE: translate("Results", "Newest file"),
        KeeperReason.SHORTER_PATH: translate("Results", "Shortest path"),
        KeeperReason.FIRST: translate("Results", "First of equals"),
    }[why]


def percent(share: float, *, equal: bool = False) -> str:
    """Return 0.969 as "96 %": rounded down, and 100 % only for equal texts."""
    return percent_text(percent_of(share, equal=equal))


def day(moment: datetime | None) -> str:
    """Return a date without its time; a dash for None."""
    return NOTHING if moment is None else day_text(moment)


def when(moment: datetime) -> str:
    """Return a time in local time: "Today 14:06", else the day."""
    days = (datetime.now().astimezone().date() - moment.astimezone().date()).days
    if days == 0:
        return with_values(QCoreApplication.translate("Figures", "Today %1"), clock_text(moment))
    if days == 1:
        return with_values(QCoreApplication.translate("Figures", "Yesterday %1"), clock_text(moment))
    return day_text(moment)


def duration(seconds: float) -> str:
    """Return a waiting time, rounded: "about 1 min 15 s"."""
    translate = QCoreApplication.translate
    if seconds < 60:
        return with_values(translate("Figures", "about %1 s"), number(max(5, 5 * round(seconds / 5))))
    minutes, rest = divmod(15 * round(seconds / 15), 60)
    if minutes < 5 and rest:
        text = translate("Figures", "about %1 min %2 s")
        return with_values(text, number(minutes), number(rest))
    if minutes < 90:
        return with_values(translate("Figures", "about %1 min"), number(minutes))
    hours, minutes = divmod(10 * round(seconds / 600), 60)
    return with_values(translate("Figures", "about %1 h %2 min"), number(hours), number(minutes))


def later_steps() -> str:
    """Return why a step cannot be undone by its message any more."""
    return QCoreApplication.translate("Results", "Other steps followed: undo the newest first.")


def trash_name() -> str:
    """Return the platform's name of the trash."""
    translate = QCoreApplication.translate
    return translate("Removal", "Recycle Bin") if sys.platform == "win32" else translate("Removal", "Trash")


def removed(batch: Batch) -> str:
    """Return the result of a removal, in one line."""
    translate = QCoreApplication.translate
    left_alone = batch.count(State.REFUSED) + batch.count(State.FAILED)
    parts = (
        translate("Results", "%Ln documents removed", None, batch.count(State.DONE)),
        translate("Results", "%Ln skipped", None, left_alone) if left_alone else "",
        translate("Results", "stopped") if batch.stopped else "",
    )
    return ", ".join(filter(None, parts))


def restored(batch: Batch) -> str:
    """Return the result of undoing a removal, in one line."""
    translate = QCoreApplication.translate
    left_alone = batch.count(State.REFUSED) + batch.count(State.FAILED)
    text = translate("Results", "%Ln documents restored", None, batch.count(State.RESTORED))
    return f"{text}, {translate('Results', '%Ln not: see History', None, left_alone)}" if left_alone else text
