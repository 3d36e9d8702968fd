"""A Dask cluster in this process, whose scheduler and workers end and begin as a test wants."""

from __future__ import annotations

from typing import Any

import pytest


class Trial:
    """A scheduler and workers of one thread each. The test is skipped where Dask is not installed."""

    def __init__(self, workers: int) -> None:
        self._distributed: Any = pytest.importorskip("distributed")
        self._port = 0
        self.begin(workers)

    def begin(self, workers: int) -> None:
        """Start a scheduler, at the same address as before, and workers."""
        self.dask = self._distributed.LocalCluster(
            n_workers=workers, processes=False, threads_per_worker=1, protocol="tcp://", host="127.0.0.1",
            scheduler_port=self._port, dashboard_address=None,
        )  # fmt: skip
        self.address = str(self.dask.scheduler_address)
        self._port = int(self.address.rsplit(":", 1)[1])

    def end_workers(self, left: int) -> None:
        """End all workers but some."""
        self.dask.scale(left)
        self.dask.sync(self.dask._correct_state)
