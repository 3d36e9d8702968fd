from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.shell.starting import GarbageCollector


class Ring:
    """A thing that holds itself, and notes in which thread it goes."""

    gone_in: list[int]

    def __init__(self, gone_in: list[int]) -> None:
        self.itself = self
        self.gone_in = gone_in
        weakref.finalize(self, lambda: gone_in.append(threading.get_ident()))


@pytest.fixture
def collector() -> Iterator[GarbageCollector]:
    made = GarbageCollector()
    made.start()
    yield made
    made.stop()
    gc.disable()  # as every test of the window has it


def test_what_a_job_allocates_collects_nothing_in_its_thread(qtbot: QtBot, collector: GarbageCollector) -> None:
    gone_in: list[int] = []
    Ring(gone_in)

    def work(reporter: Reporter) -> int:
        return len([[number] for number in range(50_000)])  # far beyond what sets the automatic collection off

    job = Job(work)
    with qtbot.waitSignal(job.succeeded):
        job.start()
    collector.collect()
    gc.collect()
    assert gone_in == [threading.get_ident()]


def test_the_collector_frees_a_ring_in_the_thread_of_the_window(collector: GarbageCollector) -> None:
    gc.collect()
    gone_in: list[int] = []
    Ring(gone_in)
    kept = [[number] for number in range(5_000)]
    collector.collect()
    assert gone_in == [threading.get_ident()]
    assert len(kept) == 5_000


def test_a_stopped_collector_leaves_collecting_to_python(collector: GarbageCollector) -> None:
    assert not gc.isenabled()
    collector.stop()
    assert gc.isenabled()
