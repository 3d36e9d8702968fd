from __future__ import annotations

import logging
import threading
import time
from typing import Any

import pytest
from PySide6.QtCore import QObject, QThread
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from dupfinder.base.errors import LibraryMissing
from dupfinder.base.paths import default_library
from dupfinder.base.progress import Progress, Reporter, Stage
from dupfinder.gui.kit.jobs import Job, _running, stop_all


class Ends:
    """Every signal of a job, in the order it came."""

    def __init__(self, job: Job) -> None:
        self.events: list[tuple[str, Any]] = []
        job.progressed.connect(lambda value: self.events.append(("progressed", value)))
        job.succeeded.connect(lambda value: self.events.append(("succeeded", value)))
        job.failed.connect(lambda error: self.events.append(("failed", error)))
        job.stopped.connect(lambda: self.events.append(("stopped", None)))

    @property
    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events if kind != "progressed"]


def test_a_job_works_in_another_thread_and_succeeds_once_in_the_windows(qtbot: QtBot) -> None:
    here = threading.get_ident()
    job = Job(lambda reporter: threading.get_ident())
    ends = Ends(job)
    with qtbot.waitSignal(job.succeeded):
        job.start()
    qtbot.wait(150)
    assert ends.kinds == ["succeeded"]
    assert ends.events[-1][1] != here
    assert not job.is_running()
    assert len(_running) == 0


def test_an_error_of_ours_is_handed_over_and_not_logged(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    def work(reporter: Reporter) -> None:
        raise LibraryMissing(default_library())

    job = Job(work)
    ends = Ends(job)
    with caplog.at_level(logging.ERROR), qtbot.waitSignal(job.failed):
        job.start()
    assert ends.kinds == ["failed"]
    assert isinstance(ends.events[-1][1], LibraryMissing)
    assert caplog.records == []


def test_a_fault_is_logged_with_its_trace_and_handed_over(qtbot: QtBot, caplog: pytest.LogCaptureFixture) -> None:
    def work(reporter: Reporter) -> float:
        return 1 / 0

    job = Job(work)
    ends = Ends(job)
    with caplog.at_level(logging.ERROR), qtbot.waitSignal(job.failed):
        job.start()
    assert ends.kinds == ["failed"]
    assert isinstance(ends.events[-1][1], ZeroDivisionError)
    assert "ZeroDivisionError" in caplog.text


def test_a_stopped_job_ends_as_stopped_and_keeps_quiet_afterwards(qtbot: QtBot) -> None:
    begun = threading.Event()

    def work(reporter: Reporter) -> None:
        while True:
            reporter.check()
            begun.set()
            time.sleep(0.001)

    job = Job(work)
    ends = Ends(job)
    with qtbot.waitSignal(job.stopped):
        job.start()
        assert begun.wait(5)
        job.stop()
    qtbot.wait(150)
    assert ends.kinds == ["stopped"]


def test_ten_thousand_reports_become_a_few_looks(qtbot: QtBot) -> None:
    def work(reporter: Reporter) -> None:
        for done in range(10_000):
            reporter.tell(Progress(Stage.READ, done, 10_000))

    job = Job(work)
    ends = Ends(job)
    with qtbot.waitSignal(job.succeeded):
        job.start()
    looks = [value for kind, value in ends.events if kind == "progressed"]
    assert 1 <= len(looks) < 200
    assert looks[-1].done == 9_999  # the newest is always told
    assert ends.events[-1][0] == "succeeded"


def test_a_job_outlives_the_name_it_was_held_by(qtbot: QtBot) -> None:
    release = threading.Event()
    done: list[int] = []

    def begin() -> None:
        job = Job(lambda reporter: release.wait(5))
        job.succeeded.connect(lambda _: done.append(1))
        job.start()

    begin()
    release.set()
    qtbot.waitUntil(lambda: done == [1])


def test_a_job_that_does_not_stop_in_time_is_kept_and_told(qtbot: QtBot) -> None:
    release = threading.Event()
    job = Job(lambda reporter: release.wait(10)).start()
    assert not stop_all(20)
    assert len(_running) == 1
    with qtbot.waitSignal(job.succeeded):
        release.set()
    assert stop_all()


def test_at_the_end_of_the_program_all_jobs_are_stopped(qtbot: QtBot) -> None:
    def work(reporter: Reporter) -> None:
        while True:
            reporter.check()
            QThread.msleep(1)

    jobs = [Job(work).start() for _ in range(3)]
    assert len(_running) == 3
    assert stop_all()
    assert len(_running) == 0
    assert all(job.wait(0) for job in jobs)


def test_a_job_whose_owner_is_deleted_runs_to_its_end_unheard(qtbot: QtBot) -> None:
    may_end, ended = threading.Event(), threading.Event()

    def work(reporter: Reporter) -> None:
        may_end.wait(10)
        reporter.check()
        ended.set()

    owner = QObject()
    job = Job(work, owner)
    ends = Ends(job)
    job.start()
    delete(owner)
    may_end.set()
    qtbot.waitUntil(lambda: len(_running) == 0)
    assert ended.is_set() and ends.events == []


def test_a_job_that_is_given_up_is_asked_to_stop_and_emits_nothing(qtbot: QtBot) -> None:
    stopped = threading.Event()

    def work(reporter: Reporter) -> None:
        reporter.tell(Progress(Stage.READ, 1, 2))
        try:
            while True:
                reporter.check()
                time.sleep(0.001)
        finally:
            stopped.set()

    job = Job(work)
    ends = Ends(job)
    job.start()
    job.give_up()
    qtbot.waitUntil(lambda: len(_running) == 0)
    assert stopped.is_set() and ends.events == []
