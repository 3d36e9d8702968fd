"""Progress: the newest state and a stop, across threads."""

from __future__ import annotations

import logging
import threading

import pytest

from dupfinder.base.progress import (
    SCAN_STAGES,
    LatestProgress,
    LoggingReporter,
    Progress,
    SilentReporter,
    Stage,
    Stopped,
)


def test_a_reporter_keeps_only_the_newest_progress() -> None:
    reporter = LatestProgress()
    assert reporter.newest() is None
    for done in range(100_000):
        reporter.tell(Progress(Stage.READ, done))
    assert reporter.newest() == Progress(Stage.READ, 99_999)


def test_a_stop_from_another_thread_is_heard_at_the_next_check() -> None:
    reporter = LatestProgress()
    reporter.check()
    ended = threading.Event()

    def work() -> None:
        with pytest.raises(Stopped):
            while True:
                reporter.check()
        ended.set()

    thread = threading.Thread(target=work)
    thread.start()
    reporter.stop()
    thread.join(10)
    assert ended.is_set()


def test_a_silent_reporter_takes_everything_and_never_stops() -> None:
    SilentReporter().tell(Progress(Stage.FIND))
    SilentReporter().check()


def test_the_stages_of_a_scan_have_an_order() -> None:
    assert [stage.value for stage in SCAN_STAGES] == ["find", "hash", "read", "match", "verify", "group"]


def test_each_stage_is_logged_with_its_amount_when_it_ends(caplog: pytest.LogCaptureFixture) -> None:
    latest = LatestProgress()
    logged = LoggingReporter(latest)
    with caplog.at_level(logging.INFO, "dupfinder"):
        for stage, done in ((Stage.FIND, 0), (Stage.FIND, 7), (Stage.READ, 3)):
            logged.tell(Progress(stage, done))
        assert [text.split()[:2] for text in caplog.messages] == [["find", "7"]]
        logged.close()
        logged.close()
    assert [text.split()[:2] for text in caplog.messages] == [["find", "7"], ["read", "3"]]
    assert latest.newest() == Progress(Stage.READ, 3)
    latest.stop()
    with pytest.raises(Stopped):
        logged.check()
