from __future__ import annotations

import errno
import os
import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dupfinder.actions import records
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.outcome import Batch, OutcomeState
from dupfinder.actions.places import Json
from dupfinder.actions.plan import Plan, Verb
from dupfinder.actions.records import LineKind
from dupfinder.actions.undo import recover, undo
from dupfinder.base.errors import JournalError, UsageError
from dupfinder.wording.errors import sentence
from tests.actions.making import alike, contents, plan_of, step, write


def docs(tmp_path: Path, count: int = 3, verb: Verb = Verb.TRASH) -> Plan:
    root = tmp_path / "docs"
    keeper = write(root / "k", b"same")
    victims = [write(root / f"v{number}", b"same") for number in range(count)]
    return plan_of((step(victim, keeper, verb) for victim in victims), root, to=tmp_path / "to")


def applied(tmp_path: Path, count: int = 3, verb: Verb = Verb.TRASH) -> Batch:
    return carry_out(docs(tmp_path, count, verb), journal=Journal(), judge=alike)


def file_of(batch: Batch) -> Path:
    return Journal().path / f"{batch.id}.jsonl"


def test_the_journal_is_private(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    assert stat.S_IMODE(os.stat(Journal().path).st_mode) == 0o700
    for path in Journal().path.iterdir():
        assert stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0, path
    assert stat.S_IMODE(os.stat(file_of(batch)).st_mode) == 0o600


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="the system does not list open files")
def test_a_log_that_cannot_be_read_is_not_left_open(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unreadable(log: Log) -> None:
        raise OSError(errno.EIO, "unreadable")

    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(Log, "_close_cut_line", unreadable)
    with pytest.raises(JournalError):
        Log(tmp_path / "log.jsonl")
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_was_done_is_known_after_a_restart(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    assert Journal().batch(batch.id) == batch
    assert Journal().batches() == [batch]
    assert (batch.total, batch.count(OutcomeState.DONE), batch.ended, batch.damaged) == (3, 3, True, 0)
    assert abs(datetime.now(UTC) - batch.started) < timedelta(minutes=5)
    assert Journal().unfinished() == []


def test_a_batch_is_found_by_the_beginning_or_the_end_of_its_id(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    assert Journal().batch(batch.id[:15]).id == batch.id
    assert Journal().batch(batch.id[-6:]).id == batch.id
    for other in ("", "x", "../plan", "*"):
        with pytest.raises(UsageError):
            Journal().batch(other)


def test_the_newest_batch_is_first(tmp_path: Path) -> None:
    ids = []
    for number in range(3):
        ids.append(applied(tmp_path / str(number), 1).id)
    assert {batch.id for batch in Journal().batches()} == set(ids)
    started = [batch.started for batch in Journal().batches()]
    assert started == sorted(started, reverse=True)


def test_a_journal_cut_anywhere_still_tells_all_whole_lines_and_takes_new_ones(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    whole = file_of(batch).read_bytes()
    lines = whole.splitlines(keepends=True)
    line_ends = [place for place, byte in enumerate(whole) if byte == 10]
    for size in sorted({*range(0, len(whole), 37), *line_ends}):
        cut = whole[:size]
        file_of(batch).write_bytes(cut)
        # A line is complete also if it lacks only its line end.
        complete = [line for line in cut.splitlines() if line + b"\n" in lines]
        reopened = Journal().batch(batch.id)
        assert reopened.damaged == len(cut.splitlines()) - len(complete)
        with Journal().reopen(batch.id) as log:
            log.end(stopped=True)
        reopened = Journal().batch(batch.id)
        assert reopened.ended and reopened.stopped
        assert len(reopened.outcomes) == sum(b'"line":"intend"' in line for line in complete)
    assert len(lines) == 8


def test_a_flipped_byte_anywhere_costs_at_most_what_its_line_says_and_every_file_can_be_undone(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    whole = file_of(batch).read_bytes()
    line_ends = [place for place, byte in enumerate(whole) if byte == 10]
    for place in sorted({*range(0, len(whole), 53), *line_ends}):
        flipped = bytearray(whole)
        flipped[place] ^= 1
        file_of(batch).write_bytes(flipped)
        again = Journal().batch(batch.id)
        assert again.damaged <= 2, place
        assert [outcome.step for outcome in again.outcomes] == [outcome.step for outcome in batch.outcomes], place
        assert all(outcome.intent is not None and outcome.place is not None for outcome in again.outcomes)
        assert {outcome.state for outcome in again.outcomes} <= {OutcomeState.DONE, OutcomeState.INTENDED}
        assert abs(again.started - batch.started) < timedelta(seconds=1) and again.total == 3
        is_open = not again.ended or OutcomeState.INTENDED in {outcome.state for outcome in again.outcomes}
        assert len(Journal().unfinished()) == is_open
    file_of(batch).write_bytes(whole)


@pytest.mark.parametrize("damaged", range(8))
def test_with_any_one_line_damaged_all_files_come_back(tmp_path: Path, damaged: int) -> None:
    plan = docs(tmp_path)
    before = contents(tmp_path / "docs")
    batch = carry_out(plan, journal=Journal(), judge=alike)
    lines = file_of(batch).read_bytes().splitlines(keepends=True)
    lines[damaged] = lines[damaged].replace(b'"sum":"', b'"sum":"x')
    file_of(batch).write_bytes(b"".join(lines))
    recover(Journal())
    assert undo(batch.id, Journal()).count(OutcomeState.RESTORED) == 3
    assert contents(tmp_path / "docs") == before


def test_zeros_of_a_power_cut_cost_no_other_line(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    lines = file_of(batch).read_bytes().splitlines(keepends=True)
    file_of(batch).write_bytes(b"".join(lines[:4]) + b"\0" * 512 + b"".join(lines[4:]))
    again = Journal().batch(batch.id)
    assert (again.damaged, again.outcomes) == (1, batch.outcomes)


def test_a_damaged_line_end_costs_no_line(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    whole = file_of(batch).read_bytes()
    for place in (place for place, byte in enumerate(whole) if byte == 10):
        file_of(batch).write_bytes(whole[:place] + b"\x0b" + whole[place + 1 :])
        assert Journal().batch(batch.id) == batch


def test_a_journal_that_the_disk_does_not_give_back_costs_no_other(tmp_path: Path) -> None:
    batch = applied(tmp_path / "a")
    (Journal().path / "20260101T000000-000001.jsonl").mkdir()
    listed = Journal().batches()
    assert [(each.id, each.damaged) for each in listed] == [(batch.id, 0), ("20260101T000000-000001", 1)]


def test_a_line_is_taken_only_with_its_own_checksum() -> None:
    line = records.line_of({"line": LineKind.END, "stopped": False})
    assert records.record_of(line) == {"line": LineKind.END, "stopped": False}
    assert records.record_of(line.replace(b"false", b"true")) is None
    for other in (b"", b"[]", b"{}", b'{"record": 1, "sum": ""}', b"\xff", b"[" * 100_000):
        assert records.record_of(other) is None


def test_foreign_files_in_the_journals_folder_are_no_batches() -> None:
    journal = Journal()
    write(journal.path / "notes.jsonl", b"hello")
    write(journal.path / "20260101T000000-abcdef.jsonl", b"hello\n")
    (batch,) = journal.batches()
    assert (batch.damaged, batch.outcomes, batch.is_unfinished) == (1, (), False)


def aged(batch: Batch, days: int) -> str:
    """Make a batch look so many days older; return its new id, which tells when it began."""
    started = (batch.started - timedelta(days=days)).strftime("%Y%m%dT%H%M%S")
    older = f"{started}-{batch.id.partition('-')[2]}"
    (Journal().path / f"{batch.id}.jsonl").rename(Journal().path / f"{older}.jsonl")
    return older


def ids() -> list[str]:
    return [batch.id for batch in Journal().batches()]


YEAR, SEASON = 365, timedelta(days=90)


def test_a_removal_is_forgotten_only_when_nothing_of_it_can_be_undone(tmp_path: Path, own_home: Path) -> None:
    old, restored = aged(applied(tmp_path / "a"), YEAR), aged(applied(tmp_path / "b"), YEAR)
    kept = [aged(applied(tmp_path / name, verb=verb), YEAR) for name, verb in (("c", Verb.MOVE), ("d", Verb.HARDLINK))]
    undo(restored, Journal())
    recent = [applied(tmp_path / "e").id, applied(tmp_path / "f").id]
    assert Journal().forget_older(SEASON) == 1
    assert set(ids()) == {old, *kept, *recent}
    shutil.rmtree(own_home / "share" / "Trash" / "files")
    assert Journal().forget_older(SEASON) == 0  # its folder is gone: perhaps a drive that comes back
    (own_home / "share" / "Trash" / "files").mkdir()
    assert Journal().forget_older(SEASON) == 1
    assert set(ids()) == {*kept, *recent}


def test_a_removal_that_waits_for_recovery_is_not_forgotten(tmp_path: Path) -> None:
    old = applied(tmp_path / "a")
    undo(old.id, Journal())
    lines = file_of(old).read_bytes().splitlines(keepends=True)
    file_of(old).write_bytes(b"".join(lines[:2]))  # begun, and one step intended
    old_id = aged(old, YEAR)
    recent = [applied(tmp_path / "b").id, applied(tmp_path / "c").id]
    assert Journal().forget_older(SEASON) == 0
    recover(Journal())
    assert Journal().forget_older(SEASON) == 1
    assert set(ids()) == set(recent) and not list(Journal().path.glob(f"{old_id}*"))


def test_a_damaged_journal_is_never_forgotten_and_keeps_its_age(tmp_path: Path) -> None:
    batch = applied(tmp_path / "a")
    undo(batch.id, Journal())
    content = bytearray(file_of(batch).read_bytes())
    content[10] ^= 1  # in the first line, which says when it was begun
    file_of(batch).write_bytes(content)
    assert abs(Journal().batch(batch.id).started - batch.started) < timedelta(seconds=1)
    aged(batch, YEAR)
    applied(tmp_path / "b"), applied(tmp_path / "c")
    assert Journal().forget_older(SEASON) == 0
    assert len(ids()) == 3


def test_a_clock_that_is_wrong_once_makes_nothing_old_and_the_newest_stays_the_newest(tmp_path: Path) -> None:
    first, second = applied(tmp_path / "a"), applied(tmp_path / "b")
    for batch in (first, second):
        undo(batch.id, Journal())
    future = aged(applied(tmp_path / "c"), -20 * YEAR)
    assert Journal().forget_older(SEASON) == 0
    past = aged(applied(tmp_path / "d"), 20 * YEAR)
    assert ids() == [past, future, second.id, first.id]


def test_a_full_disk_in_the_middle_names_the_removal_and_what_was_done_can_be_undone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = docs(tmp_path)
    before = contents(tmp_path / "docs")
    within, left = Log._append, 4  # the beginning, one whole step, and the intent of the second

    def append(log: Log, record: Json) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            patched.setattr(os, "write", full)
        within(log, record)

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched, pytest.raises(JournalError) as caught:
        patched.setattr(Log, "_append", append)
        carry_out(plan, journal=Journal(), judge=alike)
    (batch,) = ids()
    assert (caught.value.batch, caught.value.reason) == (batch, "ENOSPC")
    message = sentence(caught.value)
    assert f"dupfinder undo {batch}" in message and "removal" in message and "read so far" not in message
    recover(Journal())
    assert undo(batch, Journal()).is_complete
    assert contents(tmp_path / "docs") == before


def test_a_full_disk_before_the_first_step_touches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = docs(tmp_path)
    before = contents(tmp_path / "docs")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    journal = Journal()
    with monkeypatch.context() as patched, pytest.raises(JournalError) as caught:
        patched.setattr(os, "fsync", full)
        carry_out(plan, journal=journal, judge=alike)
    assert caught.value.batch == "" and "Nothing was removed" in sentence(caught.value)
    assert contents(tmp_path / "docs") == before
    assert Journal().batches() == []


def test_a_journal_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    plan, journal = docs(tmp_path), Journal()
    with journal.lock():
        pass
    shutil.rmtree(journal.path)
    journal.path.mkdir()
    (journal.path / "lock").mkdir()
    with pytest.raises(JournalError) as caught:
        carry_out(plan, journal=journal, judge=alike)
    assert "Nothing was removed" in sentence(caught.value)
    assert len(contents(tmp_path / "docs")) == 4


def test_a_removal_killed_before_its_first_act_is_taken_back(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    journal = Journal()
    undo(batch.id, journal)
    lines = file_of(batch).read_bytes().splitlines(keepends=True)
    file_of(batch).write_bytes(b"".join(lines[:2]))  # killed right after the first intent
    (undone,) = recover(journal)
    assert [outcome.state for outcome in undone.outcomes] == [OutcomeState.TAKEN_BACK]


def test_recovery_locks_nothing_where_no_step_is_open(tmp_path: Path) -> None:
    applied(tmp_path)
    with Journal().lock():  # as a removal that runs elsewhere
        assert recover(Journal()) == []
