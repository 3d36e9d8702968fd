"""A scan that was killed without warning goes on where it was, and ends as if nothing had been."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil
import pytest

from tests import making
from tests.end_to_end.program import Program, accounted, start_halting, without_times
from tests.scan.documents import prose, put, revised

pytestmark = [pytest.mark.end_to_end, pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")]


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """300 documents; every third one has a version and a copy."""
    folder = tmp_path_factory.mktemp("docs")
    for number in range(150):
        text = prose(number, 12)
        put(folder / f"{number % 7}" / f"{number}.html", making.html(text))
        other = revised(text, number) if number % 3 else text
        put(folder / "others" / f"{number}.txt", making.txt(other if number % 2 else prose(5000 + number, 12)))
    return folder


@pytest.fixture(scope="module")
def expected(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The report of a scan that nothing disturbed."""
    home = tmp_path_factory.mktemp("home")
    report = home / "report.json"
    assert Program(home).run("scan", docs, "--report", report).code == 0
    assert len(accounted(report)["files"]) == 300
    return without_times(report)


def kill_at(program: Program, docs: Path, stage: str, done: int) -> None:
    """Start a scan, and kill its process alone once it has reported this much."""
    child = start_halting(program, stage, done, "scan", docs)
    helpers = psutil.Process(child.pid).children(recursive=True)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    _, left = psutil.wait_procs(helpers, timeout=60)
    assert left == [], "reading processes end with the program"


MOMENTS = [("find", 0), ("read", 0), ("read", 40), ("read", -10), ("match", 0), ("verify", 0)]


@pytest.mark.parametrize(
    "moments",
    [pytest.param(MOMENTS[2:4], id="few"), pytest.param(MOMENTS, id="all", marks=pytest.mark.slow)],
)
def test_a_killed_scan_goes_on_and_ends_the_same(
    docs: Path, expected: str, tmp_path: Path, moments: list[tuple[str, int]]
) -> None:
    program = Program(tmp_path / "home")
    for moment in moments:
        kill_at(program, docs, *moment)
    report = tmp_path / "report.json"
    ran = program.run("scan", docs, "--report", report)
    assert ran.code == 0, ran.err
    assert without_times(report) == expected
    assert program.run("library", "check").code == 0
    assert "(unfinished)" not in program.run("library", "info").out


@pytest.mark.slow
def test_a_kill_loses_a_few_seconds_of_reading_at_most(docs: Path, tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    child = start_halting(program, "read", 250, "scan", docs, "--workers", "1")
    child.kill()
    child.communicate()
    report = tmp_path / "report.json"
    assert program.run("scan", docs, "--report", report).code == 0
    assert accounted(report)["summary"]["reused"] >= 200  # one batch


def test_a_second_scan_meanwhile_is_refused_with_the_first_ones_number(docs: Path, tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    first = start_halting(program, "read", 0, "scan", docs, "--workers", "1")
    second = program.run("scan", docs, "--progress", "none")
    first.send_signal(signal.SIGCONT)
    first.communicate()
    assert first.returncode == 0
    assert (second.code, second.out) == (3, "") and f"in use by process {first.pid}." in second.err


def test_an_interrupt_ends_with_130_and_keeps_what_was_read(docs: Path, expected: str, tmp_path: Path) -> None:
    program = Program(tmp_path / "home")
    child = start_halting(program, "read", 50, "scan", docs, "--workers", "1")
    child.send_signal(signal.SIGINT)
    child.send_signal(signal.SIGCONT)
    _, err = child.communicate()
    assert child.returncode == 130
    last = err.decode().splitlines()[-1]
    assert last == "Stopped. Everything read so far is kept."
    assert "Traceback" not in err.decode()
    report = tmp_path / "report.json"
    assert program.run("scan", docs, "--report", report).code == 0
    assert accounted(report)["summary"]["reused"] >= 50
    assert without_times(report) == expected
