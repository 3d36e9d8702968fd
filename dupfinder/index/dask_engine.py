"""The batch query on a Dask cluster: the optional extra `cluster`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from dupfinder.base.progress import Reporter
from dupfinder.index.batch import BatchPairs, Part, Question, WorkerDied, match_in_worker

_RETRIES: Final = 3

# Dask's workers give memory back to the system at once, and numpy then spends half of its time on asking for it again.
# These settings, given to a worker before it starts, let it keep what it has.
WORKER_ENVIRONMENT: Final[Mapping[str, str]] = MappingProxyType(
    {"MALLOC_TRIM_THRESHOLD_": str(1 << 30), "MALLOC_MMAP_THRESHOLD_": str(1 << 30)}
)


class OnDask:
    """Parts on the workers of a cluster. Files of F must be at the same paths there.

    client: a connected `distributed.Client`; the caller opens and closes it.
    """

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, question: Question, parts: Sequence[Part], reporter: Reporter) -> Iterator[BatchPairs]:
        """The pairs of each part as it is done. Dask itself gives the parts of a lost worker to another."""
        # Imported by name and here: only those who asked for the extra have it.
        distributed = importlib.import_module("distributed")
        shared = self._client.scatter(question, broadcast=True)
        digest = question.digest()
        futures = self._client.map(
            lambda part, asked: match_in_worker(asked, digest, part), parts, asked=shared, pure=False, retries=_RETRIES
        )
        place = {future.key: part for future, part in zip(futures, parts, strict=True)}
        try:
            for future in distributed.as_completed(futures):
                reporter.check()
                try:
                    yield future.result()
                except distributed.KilledWorker as error:
                    raise WorkerDied(place[future.key].first_row) from error
        finally:
            self._client.cancel(futures)
