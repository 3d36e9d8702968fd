"""Words, numbers and dates of the results, as the person's language and region write them."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from dupfinder.actions.outcome import Batch, State
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.gui import figures
from dupfinder.gui.components.labels import plain_tip
from dupfinder.gui.figures import size
from dupfinder.review.filters import Kind
from dupfinder.review.members import Decision, Member

__all__ = [
    "day",
    "decision_word",
    "documents",
    "groups",
    "kind_word",
    "number",
    "percent",
    "plain_tip",
    "reason",
    "removed",
    "restored",
    "size",
]

NO_VALUE: Final = "\u2014"


def kind_word(kind: Kind) -> str:
    """What holds a cluster together."""
    translate = QCoreApplication.translate
    return {
        Kind.EXACT: translate("Results", "Exact copy"),
        Kind.SAME_TEXT: translate("Results", "Same text"),
        Kind.NEAR: translate("Results", "Near-duplicate"),
        Kind.CONTAINED: translate("Results", "Contained"),
    }[kind]


def decision_word(member: Member) -> str:
    """The decision as the control shows it."""
    translate = QCoreApplication.translate
    if member.gone:
        return NO_VALUE
    if member.archive is not None:
        return translate("Results", "In archive")
    if member.protected:
        return translate("Results", "Protected")
    return {
        Decision.KEEP: translate("Results", "Keep"),
        Decision.REMOVE: translate("Results", "Remove"),
        Decision.UNDECIDED: translate("Results", "Decide"),
    }[member.decision]


def reason(member: Member) -> str:
    """Why a document is in its cluster; for the proposed keeper, what set it apart."""
    translate = QCoreApplication.translate
    if member.gone:
        return translate("Results", "No longer here")
    return {
        "keeper": _keeper_reason(member.why_keeper),
        "identical_bytes": translate("Results", "Exact copy"),
        "identical_text": translate("Results", "Same text"),
        "near": translate("Results", "Near-duplicate"),
        "linked": translate("Results", "Linked"),
        "contained": translate("Results", "Contained"),
        "contains": translate("Results", "Contains it"),
    }[member.relation]


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


def documents(count: int) -> str:
    """ "5 documents"."""
    return QCoreApplication.translate("Results", "%Ln documents", None, count)


def groups(count: int) -> str:
    """ "1,204 groups"."""
    return QCoreApplication.translate("Results", "%Ln groups", None, count)


def number(value: int | None) -> str:
    """A whole number with its thousands grouped; a dash for none."""
    return NO_VALUE if value is None else figures.number(value)


def percent(share: float) -> str:
    """0.969 as "96 %": rounded down, so that only what is wholly alike is called 100 %."""
    return QCoreApplication.translate("Results", "%1 %").replace("%1", number(int(share * 100 + 1e-6)))


def day(moment: datetime | None) -> str:
    """A date without its time; a dash for none."""
    if moment is None:
        return NO_VALUE
    local = moment.astimezone()
    return QLocale().toString(QDate(local.year, local.month, local.day), "yyyy-MM-dd" if _cjk() else "dd MMM yyyy")


def _cjk() -> bool:
    return QLocale().language() in (QLocale.Language.Chinese, QLocale.Language.Japanese, QLocale.Language.Korean)


def removed(batch: Batch) -> str:
    """What a removal came to, in one line."""
    translate = QCoreApplication.translate
    done = batch.count(State.DONE)
    left_alone = batch.count(State.REFUSED) + batch.count(State.FAILED)
    text = translate("Results", "%Ln documents removed", None, done)
    if left_alone:
        text += ", " + translate("Results", "%Ln skipped", None, left_alone)
    if batch.stopped:
        text += ", " + translate("Results", "stopped")
    return text


def restored(batch: Batch) -> str:
    """What undoing a removal came to, in one line."""
    translate = QCoreApplication.translate
    done = batch.count(State.RESTORED)
    left_alone = batch.count(State.REFUSED) + batch.count(State.FAILED)
    text = translate("Results", "%Ln documents restored", None, done)
    if left_alone:
        text += ", " + translate("Results", "%Ln not: see History", None, left_alone)
    return text
