"""Work shared over processes: the same results in the same order, whatever happens to the processes."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.columns import Ragged
from dupfinder.base.errors import DiskFullError
from dupfinder.base.progress import LatestProgress, Stopped
from dupfinder.processes.crew import Crew, Shared


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    with Crew(2) as crew:
        yield crew


def total(task: tuple[Shared, int, int]) -> int:
    shared, start, stop = task
    return int(shared.array()[start:stop].sum())


def refuse(task: int) -> int:
    raise ValueError(task)


def whoami(task: int) -> int:
    return os.getpid()


def die_elsewhere(home: int) -> int:
    """End the process, unless it is the one that was asked first."""
    if os.getpid() != home:
        os.kill(os.getpid(), signal.SIGKILL)
    return os.getpid()


_KEPT: list[object] = []


def leave_freed_memory(count: int) -> int:
    """Allocate arrays and free all but the last, above which the C library keeps their memory; return the process."""
    arrays = [np.ones(8_000) for _ in range(count)]
    _KEPT.append(arrays[-1])
    return os.getpid()


def resident(process: int) -> int:
    """Return the bytes of memory that a process has, by proc(5)."""
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def most_resident(process: int) -> int:
    """Return the most bytes of memory that a process has had, by proc(5)."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def nothing() -> None:
    """Do not stop."""


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_tasks_and_arrays_are_seen_everywhere(workers: int, crew: Crew) -> None:
    chosen = crew if workers > 1 else Crew()
    shared = chosen.share((np.arange(start, start + 10) for start in range(0, 100, 10)), np.uint32)
    assert shared.array().tolist() == list(range(100))
    tasks = [(shared, start, start + 7) for start in range(50)]
    assert list(chosen.run(total, tasks, nothing)) == [sum(range(start, start + 7)) for start in range(50)]
    assert chosen.share([], np.uint16).array().tolist() == []
    chosen.discard(shared)


def test_entries_far_apart_in_a_file_are_taken_in_their_order(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dupfinder.processes.crew._MAPPED_ENTRIES", 3)
    monkeypatch.setattr("dupfinder.processes.crew._SCATTERED", 4)
    entries = [np.arange(number % 4, dtype=np.uint16) for number in range(12)]
    shared = crew.share_ragged([Ragged.of_entries(entries, np.uint16)], np.uint16)
    for rows in ([], [5], [0, 1, 2, 3, 4, 5, 6, 7], [11, 2, 7, 7, 3]):
        taken = shared.take_ragged(np.array(rows, np.intp)).checked()
        assert [taken[place].tolist() for place in range(len(taken))] == [entries[row].tolist() for row in rows]


def test_a_task_may_store_an_array_for_all(crew: Crew) -> None:
    for path in (None, crew.new_path()):
        rows = np.array([(1, 2), (3, 4)], [("value", np.uint32), ("after", np.uint16)])
        shared = Shared.stored(rows, path)
        assert shared.array().tolist() == rows.tolist() and isinstance(shared.source, Path) is (path is not None)


def test_other_processes_do_the_work_and_their_errors_are_raised_here(crew: Crew) -> None:
    assert os.getpid() not in crew.run(whoami, range(4), nothing)
    with pytest.raises(ValueError, match="3"):
        list(crew.run(refuse, [3], nothing))
    assert len(list(crew.run(whoami, range(4), nothing))) == 4


def test_a_single_process_may_share_its_arrays_by_files_and_does_all_itself() -> None:
    with Crew(files=True) as crew:
        shared = crew.share([np.arange(5)], np.int64)
        assert isinstance(shared.source, Path) and shared.array().tolist() == [0, 1, 2, 3, 4]
        assert list(crew.run(whoami, range(3), nothing)) == [os.getpid()] * 3
    assert not shared.source.exists()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_waits_for_a_task_gives_freed_memory_back(crew: Crew) -> None:
    (process,) = crew.run(leave_freed_memory, [2_000], nothing)
    until, most = time.monotonic() + 60, most_resident(process) - 100_000_000  # the arrays had 128 MB
    while resident(process) > most and time.monotonic() < until:
        time.sleep(0.1)
    assert resident(process) <= most


def test_a_stop_is_heard_between_the_results(crew: Crew) -> None:
    reporter = LatestProgress()
    results = crew.run(whoami, range(100), reporter.check)
    next(results)
    reporter.stop()
    with pytest.raises(Stopped):
        next(results)


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL")
def test_when_its_processes_are_killed_the_work_is_done_here_and_the_log_tells(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with Crew(2) as crew:
        homes = list(crew.run(die_elsewhere, [os.getpid()] * 6, nothing))
    assert homes == [os.getpid()] * 6
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]  # one for each process


@pytest.mark.parametrize("in_file", [True, False])
def test_what_is_put_into_a_room_is_there_and_a_full_disk_is_told(tmp_path: Path, in_file: bool) -> None:
    path = tmp_path / "1.column"
    path.touch()
    room = Shared(path if in_file else np.empty(5, np.int32), np.dtype(np.int32))
    for start in (0, 2):
        room.put(start, np.arange(start, start + 3, dtype=np.int32))
    assert room.array().tolist() == [0, 1, 2, 3, 4]
    if in_file and Path("/dev/full").exists():
        with pytest.raises(DiskFullError):
            Shared(Path("/dev/full"), room.dtype).put(0, np.zeros(1 << 16, np.int32))
