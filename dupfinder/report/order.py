"""The one order in which all reports list things, so that equal results give equal files."""

from __future__ import annotations

import os
from typing import Final

from dupfinder.report.rows import Report, ReportCluster, ReportContains, ReportFile, ReportMember, ReportPair

RELATIONS: Final = ("keeper", "identical", "same_text", "same_words", "version", "whole", "linked", "part")


def files_in_order(report: Report) -> list[ReportFile]:
    """By path, as bytes."""
    return sorted(report.files, key=lambda file: os.fsencode(file.path))


def clusters_in_order(report: Report) -> list[ReportCluster]:
    """By id."""
    return sorted(report.clusters, key=lambda cluster: cluster.id)


def members_in_order(cluster: ReportCluster) -> list[ReportMember]:
    """The keeper, then the closest relation first, then the most similar."""
    return sorted(
        cluster.members,
        key=lambda member: (
            member.path != cluster.keeper,
            RELATIONS.index(member.relation),
            -(member.similarity or 0.0),
            os.fsencode(member.path),
        ),
    )


def pairs_in_order(report: Report) -> list[ReportPair]:
    """By both paths, as bytes."""
    return sorted(report.pairs, key=lambda pair: (os.fsencode(pair.left), os.fsencode(pair.right)))


def contains_in_order(report: Report) -> list[ReportContains]:
    """By container, then part."""
    return sorted(report.contains, key=lambda one: (os.fsencode(one.container), os.fsencode(one.part)))
