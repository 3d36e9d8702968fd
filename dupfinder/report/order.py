"""The one order in which all reports list things, so that equal results give equal files."""

from __future__ import annotations

import os

from dupfinder.report.rows import Report, ReportCluster, ReportContains, ReportFile, ReportMember


def files_in_order(report: Report) -> list[ReportFile]:
    """By path, as bytes."""
    return sorted(report.files, key=lambda file: os.fsencode(file.path))


def clusters_in_order(report: Report) -> list[ReportCluster]:
    """By id."""
    return sorted(report.clusters, key=lambda cluster: cluster.id)


def members_in_order(cluster: ReportCluster) -> list[ReportMember]:
    """The keeper, then the most similar first."""
    return sorted(
        cluster.members,
        key=lambda one: (one.path != cluster.keeper, -(one.similarity or 0.0), os.fsencode(one.path)),
    )


def contains_in_order(report: Report) -> list[ReportContains]:
    """By container, then part."""
    return sorted(report.contains, key=lambda one: (os.fsencode(one.container), os.fsencode(one.part)))
