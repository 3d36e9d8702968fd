"""When a task has had its time, by the processor and by the clock; and how the end of a process is told apart."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from dupfinder.processes.child import Child
from dupfinder.processes.errands import Errand
from dupfinder.processes.wire import WireError
from dupfinder.processes.worker import FIRST_STEP, Answer, Failure, Limits


class Watched(Child[str]):
    """A child of which the test sets the seconds of CPU spent, and whether it sleeps."""

    had = 0.0
    sleeps = False

    def spent_cpu(self) -> float:
        return self.had

    def is_asleep(self) -> bool:
        return self.sleeps


@pytest.fixture
def child() -> Watched:
    """Return a child that took up its task at second 100."""
    nothing = cast(Any, None)
    watched = Watched(nothing, nothing, nothing, nothing, nothing)
    watched.take_up(100.0)
    return watched


def overdue_at(child: Watched, seconds: int, work: float) -> int | None:
    """Return the first second at which a look finds it overdue when it spends `work` seconds of CPU in each."""
    for second in range(100, 100 + seconds):
        child.had += work
        if child.is_overdue(12.0, float(second)):
            return second
    return None


def test_a_task_that_waits_for_a_busy_processor_is_never_overdue(child: Watched) -> None:
    assert overdue_at(child, 10_000, work=0.0) is None
    assert overdue_at(child, 5000, work=0.002) is None


def test_a_task_that_had_its_seconds_of_the_processor_is_overdue(child: Watched) -> None:
    child.had = 11.9
    assert not child.is_overdue(12.0, 112.1)
    child.had = 12.1
    assert child.is_overdue(12.0, 112.2)


def test_a_task_that_sleeps_is_overdue_soon_after_its_deadline(child: Watched) -> None:
    child.sleeps = True
    assert overdue_at(child, 1000, work=0.0) == 116


def test_a_task_that_waits_for_a_slow_disk_has_longer_and_not_for_ever(child: Watched) -> None:
    child.sleeps = True
    assert overdue_at(child, 500, work=0.02) == 100 + 12 + 10 * 12 + 1


def test_sleep_counts_as_long_as_no_work_is_seen(child: Watched) -> None:
    child.sleeps = True
    assert not any(child.is_overdue(12.0, second) for second in (112.5, 113.5, 114.5))
    child.had = 1.0
    assert not any(child.is_overdue(12.0, second) for second in (115.0, 116.0, 117.0))
    assert child.is_overdue(12.0, 118.1)


def test_of_the_jobs_of_a_process_the_one_it_does_is_told_from_those_that_wait(child: Watched) -> None:
    errands = [Errand(task, 1) for task in "abcd"]
    child.errands.extend(errands)
    child.end_first_step(FIRST_STEP.pack(False, 1.0), 101.0)
    assert (child.in_work(), child.waiting()) == ([errands[1]], errands[2:])
    child.end_first_step(FIRST_STEP.pack(True, 3.0), 102.0)
    assert (child.in_work(), child.waiting()) == (errands[:2], errands[2:])
    assert child.answered(Answer(None, used=3.5), 103.0) == errands[0]
    assert child.answered(Answer(None, Failure.CRASHED, used=3.5), 103.0) == Errand("b", 1, spent=2.0)
    assert (child.in_work(), child.waiting()) == ([errands[2]], errands[3:])


@pytest.mark.parametrize(
    "message", [FIRST_STEP.pack(False, -1.0), FIRST_STEP.pack(True, float("nan")), FIRST_STEP.pack(False, 1e300)]
)
def test_a_first_step_with_impossible_seconds_or_told_twice_is_refused(child: Watched, message: bytes) -> None:
    child.errands.append(Errand("a", 1))
    with pytest.raises(WireError):
        child.end_first_step(message, 101.0)
    child.end_first_step(FIRST_STEP.pack(True, 1.0), 101.0)
    with pytest.raises(WireError):
        child.end_first_step(FIRST_STEP.pack(False, 1.0), 101.0)


@pytest.mark.skipif(sys.platform == "win32", reason="ends by signal")
@pytest.mark.parametrize(
    ("code", "failure"),
    [
        (-signal.SIGKILL, Failure.ENDED),
        (-signal.SIGTERM, Failure.ENDED),
        (255, Failure.ENDED),
        (-signal.SIGSEGV, Failure.CRASHED),
        (-signal.SIGABRT, Failure.CRASHED),
        (3, Failure.CRASHED),
        (-signal.SIGPROF, Failure.TOO_SLOW),
    ],
)
def test_who_ended_a_process_is_told_by_how_it_ended(child: Watched, code: int, failure: Failure) -> None:
    child.process = cast(Any, SimpleNamespace(join=lambda _: None, exitcode=code))
    assert child.cause_of_death(Limits()).failure is failure


@pytest.mark.parametrize("name", ["multiprocessing.py", "random.py", "dupfinder.py"])
def test_a_module_in_the_current_folder_is_not_run(name: str, tmp_path: Path) -> None:
    """A person may scan the folder in which the program was started."""
    (tmp_path / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w').close()")
    (tmp_path / "letter.txt").write_text("Dear Anna, the boat sails on Monday at eight; bring warm clothes.")
    start = "import sys; sys.path.remove(''); from dupfinder.cli.main import main; sys.exit(main(['scan', '.', '-q']))"
    surroundings = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    done = subprocess.run(
        [sys.executable, "-c", start], cwd=tmp_path, env=surroundings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "ran").exists()
