"""What a program that is killed leaves in the temporary folder goes at once, or with the next start."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere no process is copied")
ROOT = Path(__file__).parents[2]
AT_WORK = (
    "from dupfinder.processes.sandbox import Limits, Sandbox; from tests.processes.tasks import work_on; "
    "box = Sandbox(work_on, workers=1, limits=Limits(seconds=3600)); "
    "[print(done.value, flush=True) for done in box.run(['say ready', 'sleep 3600'])]"
)


@contextmanager
def reading(temporary: Path) -> Iterator[subprocess.Popen[str]]:
    """A program with a process that reads, the leader of its own group. temporary: a short path, as sockets need it."""
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", AT_WORK], env=environment, stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as program:
        assert program.stdout is not None and program.stdout.readline() == "ready\n"
        assert list(temporary.glob("pymp-*"))
        try:
            yield program
        finally:
            program.kill()


def is_empty(folder: Path) -> bool:
    until = time.monotonic() + 60
    while list(folder.iterdir()) and time.monotonic() < until:
        time.sleep(0.02)
    return not list(folder.iterdir())


def kill_all(program: subprocess.Popen[str]) -> None:
    """As a machine that is switched off: nobody is left to tidy up."""
    every = [*psutil.Process(program.pid).children(recursive=True), psutil.Process(program.pid)]
    for process in every:
        process.suspend()
    for process in every:
        process.kill()
    psutil.wait_procs(every[:-1], timeout=60)


@pytest.mark.parametrize("kill", [os.kill, os.killpg], ids=["alone", "with its group"])
def test_a_program_that_is_killed_leaves_no_temporary_folder(scratch: Path, kill: Callable[[int, int], None]) -> None:
    with reading(scratch) as program:
        kill(program.pid, signal.SIGKILL)
    assert is_empty(scratch)


def test_the_next_start_removes_what_a_switched_off_machine_left_and_nothing_of_a_program_that_runs(
    scratch: Path,
) -> None:
    with reading(scratch) as lives:
        (kept,) = scratch.iterdir()
        with reading(scratch) as program:
            kill_all(program)
        assert len(list(scratch.iterdir())) == 2
        with reading(scratch) as later:
            assert kept in scratch.iterdir() and len(list(scratch.iterdir())) == 2
            later.kill()
        assert lives.poll() is None
    assert is_empty(scratch)
