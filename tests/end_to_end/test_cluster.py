"""A scan on a cluster of processes of this machine, whose workers and scheduler are killed while it runs (POSIX)."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.end_to_end.program import Program, start_halting, without_times
from tests.scan.documents import family, strangers, troubles

pytestmark = [pytest.mark.slow, pytest.mark.end_to_end]


class Processes:
    """A scheduler and workers as `dask scheduler` and `dask worker` start them, each in a session of its own."""

    def __init__(self, place: Path) -> None:
        self._place = place
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self._port = str(free.getsockname()[1])
        self.address = f"tcp://127.0.0.1:{self._port}"
        self.scheduler = self._started("dask_scheduler", "--port", self._port)
        self.workers = [self.worker() for _ in range(3)]

    def _started(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.{module}", *words, "--host", "127.0.0.1", "--no-dashboard"]
        return subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, cwd=self._place
        )

    def worker(self) -> subprocess.Popen[bytes]:
        """Start a worker."""
        return self._started("dask_worker", self.address, "--nthreads", "1", "--local-directory", str(self._place))

    def kill(self, *processes: subprocess.Popen[bytes]) -> None:
        """Kill processes and all their children."""
        for process in processes:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def begin_again(self) -> None:
        """Start all of it again at the same address."""
        self.kill(self.scheduler, *self.workers)
        self.scheduler = self._started("dask_scheduler", "--port", self._port)
        self.workers = [self.worker() for _ in range(2)]


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Processes]:
    pytest.importorskip("distributed")
    processes = Processes(tmp_path)
    yield processes
    processes.kill(processes.scheduler, *processes.workers)


def goes_on(scan: subprocess.Popen[bytes]) -> str:
    """Let a halted scan go on to its end; what it said on standard error."""
    os.kill(scan.pid, signal.SIGCONT)
    _, said = scan.communicate(timeout=200)
    assert scan.returncode == 0, said.decode()
    return said.decode()


@pytest.mark.parametrize("lost", ["one worker", "all workers", "everything"])
def test_a_scan_whose_cluster_is_killed_reports_what_a_scan_here_reports(
    tmp_path: Path, cluster: Processes, lost: str
) -> None:
    folder = tmp_path / "docs"
    for seed in range(30):
        family(folder / str(seed), seed)
    strangers(folder, 400)
    troubles(folder)
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    assert Program(tmp_path / "a").run("scan", folder, "--report", here).code == 0
    command = ("scan", folder, "--report", there, "--cluster", cluster.address)
    scan = start_halting(Program(tmp_path / "b"), "read", 40, *command)
    if lost == "one worker":
        cluster.kill(cluster.workers[0])
    elif lost == "all workers":
        cluster.kill(*cluster.workers)
        cluster.workers = [cluster.worker() for _ in range(2)]
    else:
        cluster.begin_again()
    goes_on(scan)
    assert without_times(here) == without_times(there)
