"""Kinds, groups and folders in the words of a report."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from dupfinder.base.details import ProblemKind
from dupfinder.base.display import folder_text, shown
from dupfinder.cluster.relation import Difference
from dupfinder.report.rows import Report, ReportCluster, ReportFile, ReportMember, counted_reasons
from dupfinder.wording.catalogue import N_, say
from dupfinder.wording.errors import problem_name, problem_sentence, reading_sentence
from dupfinder.wording.figures import share_text
from dupfinder.wording.relations import (
    difference_text,
    keeper_reason,
    other_content_text,
    relation_name,
    relations_text,
)

# A group counts as the loosest relation in it.
_LOOSENESS: Final = ("identical", "same_text", "same_words", "version", "whole", "linked", "part")
COUNTED_RELATIONS: Final = ("identical", "same_text", "same_words", "version", "part")
_DECISIONS: Final = {
    "keep": N_("Keep"),
    "remove": N_("Remove"),
    "protected": N_("Protected"),
    "archive": N_("In an archive"),
    "": N_("Undecided"),
}
_DIGITS: Final = 4  # of shares
_ROLES: Final = {"protect": N_("protected"), "leave_out": N_("left out")}


def same_form_title() -> str:
    """Return the heading of documents that share a form."""
    return say("Same form: filled in differently; none of these is a copy")


def status_title(status: str) -> str:
    return problem_name(ProblemKind(status))


def reason_text(file: ReportFile) -> str:
    """Return in a sentence why a file was not read or, for one that was, how it was read; "" if by the usual way."""
    if file.status == "read":
        return reading_sentence(file.details)
    return problem_sentence(ProblemKind(file.status), file.details)


def reasons_text(files: Iterable[ReportFile]) -> dict[str, int]:
    """Return the reasons why files were not read, each with its number of files, as `counted_reasons` does."""
    return counted_reasons(Counter(reason_text(file) for file in files if file.status != "read"))


def rounded_down(share: float) -> float:
    """Return a share with four digits, rounded down, so that only equal words give 1."""
    return math.floor(share * 10**_DIGITS + 1e-3) / 10**_DIGITS  # without the addition, 0.57 would give 0.5699


def decision_name(decision: str) -> str:
    return say(_DECISIONS[decision])


def role_name(role: str) -> str:
    """Return the role of a folder that is not simply scanned; else ""."""
    return say(_ROLES[role]) if role in _ROLES else ""


def cluster_kind(cluster: ReportCluster) -> str:
    """Return the loosest relation among a cluster's members, one of COUNTED_RELATIONS."""
    present = {member.relation for member in cluster.members}
    loosest = next((name for name in reversed(_LOOSENESS) if name in present), "identical")
    return loosest if loosest in COUNTED_RELATIONS else "version"


def holds_text(cluster: ReportCluster) -> str:
    """Return what a group has besides its kept copy: "3 identical, 2 versions (1 distant)"."""
    return relations_text(Counter(member.relation for member in cluster.members))


def differs_text(member: ReportMember) -> str:
    """Return what differs from the kept copy: "other pictures · not known: comments", "short replacements only"."""
    if member.relation == "version":
        is_longer = (member.keeper_in or 0) > (member.in_keeper or 0)
        return difference_text(Difference[member.difference.upper()], member.changes, is_longer)
    return other_content_text(member.differs, member.not_known) if member.relation == "same_words" else ""


def why_kept(member: ReportMember, cluster: ReportCluster) -> str:
    """Return why a member is proposed as the kept copy: "Richer format"; "" for others, and if a person chose it."""
    is_proposed = member.relation == "keeper" and cluster.why_keeper
    return keeper_reason(cluster.why_keeper) if is_proposed else ""


def notes_of(member: ReportMember, cluster: ReportCluster) -> list[str]:
    """Return why a member is kept, or what differs in it, and its nearest member."""
    notes = (why_kept(member, cluster), differs_text(member), _nearest_text(member, cluster.keeper))
    return list(filter(None, notes))


def _nearest_text(member: ReportMember, keeper: Path) -> str:
    """Return the most similar member, if it is not the kept copy: "nearest: v6.docx, version, 96 %"."""
    nearest = member.nearest
    if nearest is None or nearest.path == keeper or member.path == keeper:
        return ""
    return say(
        "nearest: {name}, {relation}, {similarity}",
        name=shown(nearest.path.name),
        relation=relation_name(nearest.relation).lower(),
        similarity=share_text(nearest.similarity),
    )


def type_text(path: Path) -> str:
    """Return the badge of a file: its suffix in capitals, or "FILE"."""
    suffix = path.suffix[1:]
    return suffix.upper() if suffix.isascii() and suffix.isalnum() and len(suffix) <= 5 else "FILE"


def folder_of(path: Path, report: Report) -> str:
    return folder_text(path.parent, (root for root, _ in report.roots), report.archive_of(path))
