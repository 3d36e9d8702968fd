from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import dupfinder.api as dupfinder
from dupfinder.cli.main import main
from tests.index.making import planted

pytest.importorskip("distributed")


def started(module: str, *words: str) -> subprocess.Popen[bytes]:
    """A command of Dask's, as a person would start it by `dask scheduler` and `dask worker`."""
    command = [sys.executable, "-m", f"distributed.cli.{module}", *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """The address of a scheduler with two workers on this machine."""
    address_file = tmp_path / "scheduler.json"
    processes = [started("dask_scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(address_file))]
    try:
        until = time.monotonic() + 30
        while not address_file.exists() and time.monotonic() < until:
            time.sleep(0.1)
        for number in range(2):
            folder = str(tmp_path / f"worker-{number}")
            words = [
                "--scheduler-file",
                str(address_file),
                "--nthreads",
                "1",
                "--no-dashboard",
                "--local-directory",
                folder,
            ]
            processes.append(started("dask_worker", *words))
        yield str(json.loads(address_file.read_text())["address"])
    finally:
        for process in reversed(processes):
            process.terminate()
        for process in processes:
            process.wait(30)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_started_by_command_gives_the_pairs_of_one_process(tmp_path: Path, scheduler: str) -> None:
    fingerprints = planted(20_000, 3)
    np.save(tmp_path / "new.npy", fingerprints[:2000])
    np.save(tmp_path / "old.npy", fingerprints[2000:])
    command = ["index", "join", str(tmp_path / "new.npy"), "--against", str(tmp_path / "old.npy")]
    assert main([*command, "--to", str(tmp_path / "here.npy")]) == 0
    assert main([*command, "--cluster", scheduler, "--to", str(tmp_path / "there.npy")]) == 0
    dupfinder.write_index(tmp_path / "index", fingerprints[2000:])
    for old in ("old.npy", "index"):
        pairs = dupfinder.batch(fingerprints[:2000], [tmp_path / old], cluster=scheduler)
        columns = np.stack((pairs.new, pairs.old, pairs.distance), axis=1)
        assert np.array_equal(columns, np.load(tmp_path / "here.npy"))
    here = np.load(tmp_path / "here.npy")
    assert len(here) > 1000
    assert np.array_equal(here, np.load(tmp_path / "there.npy"))
