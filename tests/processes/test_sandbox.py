"""Child processes under limits: one bad task costs one task."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
import types
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from dupfinder.base.details import Clause
from dupfinder.base.errors import ReadersError
from dupfinder.base.progress import Stopped
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.worker import Failure, Limits

ROOT = Path(__file__).parents[2]
KEEPERS = ("resource_tracker", "forkserver")
SHORT = Limits(seconds=1.5, memory_bytes=1 << 30)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))  # workers import the work they are handed by its name


@pytest.fixture(params=[True, False], ids=["copied", "started"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Workers as copies of one process, as on Linux, and started anew each, as everywhere else."""
    if request.param and sys.platform != "linux":
        pytest.skip("no process is copied here")
    monkeypatch.setattr("dupfinder.processes.child.FORKS", request.param)
    return bool(request.param)


def sandbox(workers: int = 2, limits: Limits = SHORT, *, retry: bool = False) -> Sandbox[str, str]:
    from tests.processes.tasks import gentler, weigh, work_on

    return Sandbox(work_on, workers=workers, limits=limits, weight=weigh, retry=gentler if retry else None)


def readers_left() -> list[psutil.Process]:
    """Processes below this one that are workers, dead or alive: all but those that keep and copy for all sandboxes."""
    own = psutil.Process()
    keepers = [child for child in own.children() if any(word in " ".join(child.cmdline()) for word in KEEPERS)]
    return [child for child in own.children(recursive=True) if child not in keepers]


def by_task(outcomes: Iterator[TaskResult[str, str]]) -> dict[str, TaskResult[str, str]]:
    reported = list(outcomes)
    assert len({done.task for done in reported}) == len(reported), "a task was reported twice"
    return {done.task: done for done in reported}


@pytest.mark.usefixtures("either_way")
def test_every_good_task_survives_hangs_crashes_and_swelling_beside_it() -> None:
    good = [f"say {number}" for number in range(29)]
    bad = {"spin": Failure.TOO_SLOW, "swell": Failure.OUT_OF_MEMORY, "die": Failure.CRASHED, "leave": Failure.CRASHED}
    mixed = [*good[:7], "spin", *good[7:13], "die", *good[13:20], "swell", *good[20:26], "leave", *good[26:]]
    with sandbox() as box:
        done = by_task(box.run(mixed))
    assert {task: done[task].failure for task in bad} == bad
    assert [done[task].value for task in good] == [str(number) for number in range(29)]
    assert readers_left() == []


def test_tasks_that_are_finished_together_fail_each_by_itself() -> None:
    from tests.processes.tasks import begun, finished, work_on

    good = [f"say {number}" for number in range(40)]
    bad = ["fall", "stumble", "die", "raise", "toil 0.2"]
    with Sandbox(work_on, steps=(begun, finished), workers=2, limits=Limits(seconds=60)) as box:
        done = by_task(box.run([*good[:10], bad[0], bad[1], *good[10:20], bad[2], bad[3], *good[20:], bad[4]]))
    assert [done[task].failure for task in bad] == [Failure.CRASHED] * 4 + [None]
    assert [done[task].value for task in good] == [f"{number}!" for number in range(40)]


def test_a_worker_that_holds_the_interpreter_lock_is_ended_all_the_same() -> None:
    with sandbox(1) as box:
        done = by_task(box.run(["lock 3600", "say a"]))
    assert done["lock 3600"].failure is Failure.TOO_SLOW
    assert done["say a"].value == "a"


def test_a_task_that_crashed_or_ran_out_of_memory_or_time_is_tried_once_more_in_another_way() -> None:
    with sandbox(retry=True) as box:
        done = by_task(box.run(["die hard", "die", "swell up", "spin on", "spin", "say x"]))
    assert done["die hard"] == TaskResult("die hard", "hard crashed")
    assert done["swell up"] == TaskResult("swell up", "up out_of_memory")
    assert done["spin on"] == TaskResult("spin on", "on too_slow")
    assert done["die"].failure is Failure.CRASHED
    assert done["spin"].failure is Failure.TOO_SLOW
    assert min(done["spin on"].seconds, done["spin"].seconds) > SHORT.seconds / 2  # of attempts in vain
    assert done["say x"].seconds == 0.0


def test_where_the_kernel_holds_no_limit_a_swelling_worker_is_seen_and_ended() -> None:
    with sandbox(2, Limits(seconds=60, memory_bytes=300 << 20, by_kernel=False)) as box:
        done = by_task(box.run(["grow", *(f"say {number}" for number in range(20))]))
    assert done["grow"].failure is Failure.OUT_OF_MEMORY
    assert [detail.code for detail in done["grow"].details] == [Clause.AT_MEGABYTES]
    assert sum(outcome.failure is None for outcome in done.values()) == 20


def test_slow_tasks_let_those_behind_them_go_first() -> None:
    slow = [f"toil 2 {number}" for number in range(4)]
    good = [f"say {number}" for number in range(200)]
    with sandbox(2, Limits(seconds=30)) as box:
        order = [done.task for done in box.run([*slow[:2], *good[:50], *slow[2:], *good[50:]])]
    assert sorted(order) == sorted([*slow, *good])
    assert all(order.index(task) >= 100 for task in slow)  # on a busy machine some of the others may end later


def test_a_hang_beside_others_ends_when_its_time_is_up() -> None:
    with sandbox(2, Limits(seconds=1.0)) as box:
        done = by_task(box.run(["spin", "sleep 3600", *(f"toil 0.05 {number}" for number in range(60))]))
    assert done["spin"].failure is Failure.TOO_SLOW
    assert done["sleep 3600"].failure is Failure.TOO_SLOW
    assert sum(outcome.failure is None for outcome in done.values()) == 60


def test_large_tasks_come_after_small_ones_the_largest_first() -> None:
    large = [f"say {'x' * (300_000 + 1000 * number)}" for number in range(3)]
    with sandbox(1) as box:
        order = [done.task for done in box.run([*large, *(f"say {number}" for number in range(30))])]
    assert order[-3:] == large[::-1]


def test_tasks_that_take_too_much_memory_together_are_all_done_in_the_end() -> None:
    hoards = [f"hoard 180 {number}" for number in range(5)]
    good = [f"toil 0.03 {number}" for number in range(60)]
    with sandbox(2, Limits(seconds=30, memory_bytes=600 << 20)) as box:
        done = by_task(box.run([*hoards, *good]))
    assert all(outcome.failure is None for outcome in done.values())
    assert len(done) == 65


def test_a_raising_task_costs_itself_and_its_words_stay_in_the_worker() -> None:
    with sandbox(1) as box:
        done = by_task(box.run(["raise", "say x"]))
    assert done["raise"].failure is Failure.CRASHED
    (detail,) = done["raise"].details
    assert (detail.code, detail.facts["error"]) == (Clause.FAILED_AT, "ValueError")
    assert "secret" not in str(detail.facts)
    assert done["say x"].value == "x"


def test_a_stopped_run_does_not_wait_for_its_tasks() -> None:
    looks = 0

    def check() -> None:
        nonlocal looks
        looks += 1
        if looks > 20:  # by then the workers are at work
            raise Stopped

    with sandbox(limits=Limits(seconds=3600)) as box:
        with pytest.raises(Stopped):
            list(box.run(["spin", "lock 3600"], check))
        assert readers_left() == []
        assert [done.value for done in box.run(["say again"])] == ["again"]


def test_only_a_bounded_number_of_tasks_is_taken_ahead() -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield f"say {taken}"

    with sandbox(1) as box:
        outcomes = box.run(endless())
        for _ in range(10):
            next(outcomes)
        assert taken < 500
        outcomes.close()  # type: ignore[attr-defined]  # a generator behind Iterator
    assert readers_left() == []


def test_workers_are_replaced_after_their_share_of_tasks() -> None:
    with sandbox(1, Limits(tasks_per_worker=10)) as box:
        pids = [done.value for done in box.run(f"pid {number}" for number in range(40))]
    assert len(pids) == 40
    assert 4 <= len(set(pids)) <= 5


def test_what_each_worker_prepares_for_all_its_tasks_is_prepared_once_and_makes_none_of_them_slow() -> None:
    tasks = [f"prepare 0.6 {number}" for number in range(30)]
    with sandbox(2, Limits(seconds=0.5, seconds_per_megabyte=0.5)) as box:
        outcomes = list(box.run(tasks, preparation=10_000_000))
    assert [done.failure for done in outcomes] == [None] * len(tasks)
    assert len({done.value for done in outcomes}) <= 2


def test_a_prepared_worker_has_no_more_time_than_any_other() -> None:
    with sandbox(1, Limits(seconds=0.5, seconds_per_megabyte=0.5)) as box:
        outcomes = list(box.run(["prepare 0.6", "spin"], preparation=100_000_000))
        assert [done.failure for done in outcomes] == [None, Failure.TOO_SLOW]
        assert outcomes[1].seconds < 30, "not the 50 seconds of the first task"
        assert [done.failure for done in box.run(["prepare 0.7"])] == [Failure.TOO_SLOW]


def test_workers_live_from_one_run_to_the_next() -> None:
    with sandbox(1) as box:
        first, second = list(box.run(["pid"])), list(box.run(["pid"]))
    assert first == second


def test_results_larger_than_a_pipe_and_many_small_ones_arrive() -> None:
    with sandbox(2) as box:
        tasks = [f"large {10_000_000 + number}" for number in range(4)] + [f"say {number}" for number in range(3000)]
        done = by_task(box.run(tasks))
    assert len(done) == 3004
    assert len(done["large 10000003"].value or "") == 10_000_003


def test_tasks_larger_than_a_pipe_arrive() -> None:
    with sandbox(2) as box:
        tasks = [f"say {number} " + "x" * 3_000_000 for number in range(6)]
        done = by_task(box.run(tasks))
    assert all(done[task].value == task.partition(" ")[2] for task in tasks)


def test_what_is_in_hand_can_be_asked_from_another_thread() -> None:
    seen: set[tuple[str, ...]] = set()
    with sandbox(2) as box:
        runner = threading.Thread(target=lambda: list(box.run(["sleep 1", "sleep 1.1"])))
        runner.start()
        while runner.is_alive():
            seen.add(tuple(sorted(task for task, _ in box.in_hand())))
            time.sleep(0.02)
        runner.join()
    assert ("sleep 1", "sleep 1.1") in seen


def test_character_maps_are_not_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CMAP_PATH", "/nowhere")
    with sandbox(1) as box:
        assert [done.value for done in box.run(["environment CMAP_PATH"])] == [""]


@pytest.mark.usefixtures("either_way")
def test_workers_have_the_environment_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("one", "two"):
        monkeypatch.setenv("DUPFINDER_TESTED", value)
        with sandbox(1) as box:
            assert [done.value for done in box.run(["environment DUPFINDER_TESTED"])] == [value]


def test_workers_start_where_the_path_of_the_temporary_folder_is_too_long_for_a_socket(tmp_path: Path) -> None:
    folder = tmp_path / ("t" * 100)
    folder.mkdir()
    code = (
        "from dupfinder.processes.sandbox import Sandbox; from tests.processes.tasks import work_on; "
        "print(*(done.value for done in Sandbox(work_on, workers=1).run(['say a'])))"
    )
    environment = {**os.environ, "TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (ran.returncode, ran.stdout) == (0, "a\n"), ran.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_workers_end_when_the_program_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from dupfinder.processes.sandbox import Limits, Sandbox\n"
        "from tests.processes.tasks import work_on\n"
        "if __name__ == '__main__':\n"
        "    box = Sandbox(work_on, workers=2, limits=Limits(seconds=60))\n"
        "    run = box.run(['pid a', 'pid b', 'spin', 'spin x'])\n"
        "    print(next(run).value, next(run).value, flush=True)\n"
        "    next(run)\n"
    )
    with subprocess.Popen([sys.executable, str(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as parent:
        assert parent.stdout is not None and parent.stderr is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        parent.kill()
        parent.wait()
        assert parent.stderr.read() == b""
    deadline = time.monotonic() + 60
    while any(_runs(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(_runs(pid) for pid in pids)


def _runs(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_program_that_uses_a_sandbox_prints_nothing_of_it(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, threading\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        "from dupfinder.processes.sandbox import Limits, Sandbox\n"
        "from tests.processes.tasks import work_on\n"
        "def go():\n"
        "    with Sandbox(work_on, workers=2, limits=Limits(seconds=1)) as box:\n"
        "        done = box.run(['say a', 'die', 'spin', 'raise'])\n"
        "        print(sorted(str(one.failure or one.value) for one in done))\n"
        "if __name__ == '__main__':\n"
        "    thread = threading.Thread(target=go)\n"
        "    thread.start()\n"
        "    thread.join()\n"
    )
    environment = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONDEVMODE": "1"}
    ran = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=environment, check=True)
    assert ran.stderr == ""
    assert ran.stdout == "['a', 'crashed', 'crashed', 'too_slow']\n"


def test_a_missing_module_is_the_programs_fault_and_ends_the_run() -> None:
    with sandbox(1) as box, pytest.raises(RuntimeError, match="No module named 'dupfinder_missing'"):
        list(box.run(["say a", "import dupfinder_missing", "say b"]))
    assert readers_left() == []


def test_workers_that_cannot_start_end_the_run_at_once() -> None:
    module = types.ModuleType("dupfinder_ghost")
    source = "def work(task: int) -> int:\n    return task\n"
    exec(source, module.__dict__)  # a module that this process has and workers have not
    sys.modules["dupfinder_ghost"] = module
    try:
        with Sandbox(module.work, workers=2) as box, pytest.raises(ReadersError):
            list(box.run(range(100)))
    finally:
        del sys.modules["dupfinder_ghost"]
    assert readers_left() == []
