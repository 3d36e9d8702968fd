"""Progress on standard error, in the form that was asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupfinder.base.progress import Progress, Stage
from dupfinder.cli import terminal
from dupfinder.cli.terminal import Printer


def printed(mode: str, capsys: pytest.CaptureFixture[str]) -> str:
    printer = Printer.of(mode)
    printer.check()
    printer.tell(Progress(Stage.FIND))
    for done in range(1001):
        printer.tell(Progress(Stage.READ, done, 1000, problems={"damaged": 1}))
    printer.close()
    printer.close()
    said = capsys.readouterr()
    assert said.out == ""
    return said.err


def test_plain_progress_has_one_line_for_each_stage(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed("plain", capsys).splitlines()
    assert lines == ["Finding files: 0", "Reading: 0 of 1,000 (0 %)"]


def test_a_bar_stays_on_one_line_and_leaves_it_clean(capsys: pytest.CaptureFixture[str]) -> None:
    said = printed("bar", capsys)
    assert "\n" not in said and "(100 %)" in said and said.endswith("\r\x1b[2K")


def test_machines_get_an_object_a_line_and_the_last_state(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in printed("json", capsys).splitlines()]
    assert lines[-1]["done"] == 1000 and lines[-1]["problems"] == {"damaged": 1}
    assert len(lines) < 100


def test_progress_none_prints_nothing_and_auto_is_plain_off_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed("none", capsys) == ""
    assert Printer.of("auto").mode == "plain"


def test_slow_files_are_named_while_they_are_read_and_ever_more_rarely(capsys: pytest.CaptureFixture[str]) -> None:
    printer = Printer.of("none", verbose=True)
    for second in range(100):
        paths = (Path("/a/slow.pdf"), Path(f"/a/{second // 4}.txt"))
        printer.tell(Progress(Stage.READ, 1, 2, current=paths, seconds=(float(second), float(second % 4))))
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"Still reading after {second} s: /a/slow.pdf" for second in (5, 10, 20, 40, 80)]


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(terminal, "time", clock)
    return clock


def test_a_bar_shows_rate_time_left_and_the_file_in_hand(capsys: pytest.CaptureFixture[str], clock: Clock) -> None:
    printer = Printer.of("bar")
    printer.tell(Progress(Stage.READ, 100, 1000))
    clock.now += 10
    printer.tell(Progress(Stage.READ, 400, 1000, current=(Path("/docs/a\x1b[31mb.pdf"),)))
    line = capsys.readouterr().err.rsplit("\r\x1b[2K", 1)[1]
    assert line == "[########............] Reading: 400 of 1,000 (40 %), 30/s, about 20 s left  a\\x"
    assert len(line) == 79 and terminal.fitting(line + "b.pdf", 200) == line + "b.pdf"
    clock.now += 10
    printer.tell(Progress(Stage.READ, 1000, 1000))
    assert capsys.readouterr().err.endswith("Reading: 1,000 of 1,000 (100 %), 45/s")


def test_a_bar_is_empty_as_long_as_nobody_knows_how_much_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    Printer.of("bar").tell(Progress(Stage.FIND, 7))
    assert capsys.readouterr().err == "\r\x1b[2K[....................] Finding files: 7"


def test_a_line_fits_the_terminal_also_in_wide_characters() -> None:
    assert terminal.fitting("中文字ab", 5) == "中文"
    assert terminal.fitting("abc", 3) == "abc"


def test_verbose_tells_what_each_stage_did_in_which_time(capsys: pytest.CaptureFixture[str], clock: Clock) -> None:
    printer = Printer.of("none", verbose=True)
    printer.tell(Progress(Stage.FIND, 0))
    clock.now += 2
    printer.tell(Progress(Stage.READ, 7, 7))
    clock.now += 1.5
    for done, total in ((0, 7), (3, 900)):  # documents, then what a part of the stage counts
        printer.tell(Progress(Stage.MATCH, done, total))
    printer.close()
    printer.close()
    lines = ["Finding files: 0 in 2.0 s", "Reading: 7 in 1.5 s", "Matching in 0.0 s"]
    assert capsys.readouterr().err.splitlines() == lines


def test_a_log_has_a_line_each_minute_or_tenth_and_the_end_of_each_stage(
    capsys: pytest.CaptureFixture[str], clock: Clock
) -> None:
    printer = Printer.of("plain")
    for done in range(0, 1001):
        printer.tell(Progress(Stage.READ, done, 1000))
        clock.now += 0.2 if done < 500 else 2.0
    printer.tell(Progress(Stage.MATCH, 0, 10))
    printer.close()
    lines = capsys.readouterr().err.splitlines()
    tenths, minutes = ["0", "100", "200", "300", "400", "500"], ["531", "562", "593"]
    assert [line.split()[1] for line in lines if " of 1,000 (" in line][:9] == tenths + minutes
    assert len(lines) < 30
    assert lines[-3:] == [
        "Reading: 1,000 of 1,000 (100 %), 0.9/s",
        "Reading: 1,000 in 18 min 22 s",
        "Matching: 0 of 10 (0 %)",
    ]
