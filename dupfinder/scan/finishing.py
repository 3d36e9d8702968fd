"""The end of a scan, whether its documents were read or imported: match, group, and mark it done."""

from __future__ import annotations

import time
from dataclasses import replace

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import MATCH_PAIRS, MATCH_SECONDS, Settings
from dupfinder.cluster.families import form_families
from dupfinder.cluster.relation import Demand
from dupfinder.library.library import Library
from dupfinder.library.rows import READ, ScanSummary
from dupfinder.scan.earlier import Measured
from dupfinder.scan.matching import Budget, match


def finish(
    library: Library,
    summary: ScanSummary,
    settings: Settings,
    reporter: Reporter,
    begun: float,
    before: Measured | None = None,
) -> None:
    """Match and group the documents of an unfinished scan, and mark it done.

    begun: the monotonic time it began at. before: what an earlier scan measured, which is taken over.
    """
    budget = Budget(settings.number(MATCH_SECONDS), settings.integer(MATCH_PAIRS))
    documents = library.documents(summary.id)
    matched = match(library, documents, budget, reporter, before)
    reporter.tell(Progress(Stage.GROUP, 0, 1))
    clusters = form_families(matched.pairs, matched.evidence, demand_of(summary), documents.files())
    summary = replace(
        summary,
        seconds=time.monotonic() - begun,
        offered=len(documents),
        read=sum(status == READ for status in documents.status),
        widest_radius=matched.widest,
        clusters=len(clusters),
    )
    library.finish_scan(summary, matched.pairs, matched.evidence, matched.rejected, matched.revision)
    reporter.tell(Progress(Stage.GROUP, 1, 1))


def demand_of(summary: ScanSummary) -> Demand:
    """What the results of a scan open with."""
    return Demand(summary.min_similarity, summary.min_containment, summary.radius)
