"""Match a stored scan again: another choice of boilerplate shows its effect without reading any document."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.base.settings import MATCH_PAIRS, MATCH_SECONDS, WORKERS, Settings
from dupfinder.library.library import Library
from dupfinder.scan.boilerplate import Reading, learn
from dupfinder.scan.matching import Budget, match
from dupfinder.scan.pipeline import labels_of, workers
from dupfinder.scan.request import ScanRequest
from dupfinder.scan.weights import scheme_of


def match_again(library_path: Path, scan: int | None, settings: Settings, reporter: Reporter) -> int:
    """Match and group the documents of a finished scan (the newest if none is named) again; its number.

    Raises LibraryError, DiskFullError, Stopped; after any of them the scan is what it was.
    """
    with Library.open(library_path, write=True) as library:
        summary = library.summary(scan)
        documents = library.documents(summary.id)
        count = workers(ScanRequest((), workers=settings.integer(WORKERS)))
        learned = learn(library, documents, Reading(scheme_of(summary.scheme), settings, count), reporter)
        budget = Budget(settings.number(MATCH_SECONDS), settings.integer(MATCH_PAIRS))
        matched = match(library, documents, budget, reporter, learned.left_out)
        reporter.tell(Progress(Stage.GROUP, 0, 1))
        labels = labels_of(matched, documents, summary)
        clusters = int((labels == np.arange(len(labels))).sum())
        summary = replace(summary, widest_radius=matched.widest, clusters=clusters)
        library.boilerplate.keep(summary.id, learned.standings(documents, labels))
        library.finish_scan(summary, matched.pairs, matched.likeness, matched.strangers)
        reporter.tell(Progress(Stage.GROUP, 1, 1))
        return summary.id
