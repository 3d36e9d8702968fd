from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupfinder.engine.batch import batch, batch_on_cluster, parts_of
from dupfinder.processes.crew import Crew
from tests.index.making import planted

distributed = pytest.importorskip("distributed")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_and_two_workers_find_what_one_process_finds(tmp_path: Path) -> None:
    fingerprints = planted(60_000, 3)
    np.save(tmp_path / "old.npy", fingerprints[5000:])
    parts = parts_of([tmp_path / "old.npy"], 9_000)
    new = fingerprints[:5000]
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path)
    ) as dask:
        on_dask = batch_on_cluster(dask.scheduler_address, new, parts, 3)
    with Crew(2) as crew:
        for other in (batch(new, parts, 3), batch(new, parts, 3, crew=crew)):
            assert np.array_equal(on_dask.new, other.new)
            assert np.array_equal(on_dask.old, other.old)
            assert np.array_equal(on_dask.distance, other.distance)
