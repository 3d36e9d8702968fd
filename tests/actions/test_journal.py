from __future__ import annotations

import os
import shutil
import stat
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from dupfinder.actions import records
from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import Batch, State
from dupfinder.actions.plan import Plan
from dupfinder.actions.undo import recover, undo
from dupfinder.base.errors import DiskFullError, UsageError
from tests.actions.making import alike, contents, plan_of, step, write


def docs(tmp_path: Path, count: int = 3) -> Plan:
    root = tmp_path / "docs"
    keeper = write(root / "k", b"same")
    victims = [write(root / f"v{number}", b"same") for number in range(count)]
    return plan_of((step(victim, keeper) for victim in victims), root)


def applied(tmp_path: Path, count: int = 3) -> Batch:
    return carry_out(docs(tmp_path, count), journal=Journal(), judge=alike)


def file_of(batch: Batch) -> Path:
    return Journal().path / f"{batch.id}.jsonl"


def test_the_journal_is_private(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    assert stat.S_IMODE(os.stat(Journal().path).st_mode) == 0o700
    for path in Journal().path.iterdir():
        assert stat.S_IMODE(os.stat(path).st_mode) & 0o077 == 0, path
    assert stat.S_IMODE(os.stat(file_of(batch)).st_mode) == 0o600


def test_what_was_done_is_known_after_a_restart(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    assert Journal().batch(batch.id) == batch
    assert Journal().batches() == [batch]
    assert (batch.total, batch.count(State.DONE), batch.ended, batch.damaged) == (3, 3, True, 0)
    assert abs(datetime.now(UTC) - batch.started) < timedelta(minutes=5)
    assert Journal().unfinished() == [] and Journal().remaining(batch.id) is None


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
    for size in range(0, len(whole), 37):
        cut = whole[:size]
        file_of(batch).write_bytes(cut)
        complete = [line for line in cut.splitlines(keepends=True) if line.endswith(b"\n")]
        found = Journal().batch(batch.id)
        assert found.damaged == len(cut.splitlines()) - len(complete)
        with Journal().reopen(batch.id) as log:
            log.end(stopped=True)
        found = Journal().batch(batch.id)
        assert found.ended and found.stopped
        assert len(found.outcomes) == sum(b'"line":"intend"' in line for line in complete)
    assert len(lines) == 8


def test_a_flipped_byte_damages_its_own_line_alone(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    whole = bytearray(file_of(batch).read_bytes())
    for place in range(0, len(whole), 53):
        if whole[place] == 10:
            continue
        flipped = bytearray(whole)
        flipped[place] ^= 1
        if flipped[place] == 10:
            continue
        file_of(batch).write_bytes(flipped)
        assert Journal().batch(batch.id).damaged in (1, 2)  # an intent's later lines then belong to no known step


def test_a_line_is_taken_only_with_its_own_checksum() -> None:
    line = records.line_of(records.end(stopped=False))
    assert records.record_of(line) == records.end(stopped=False)
    assert records.record_of(line.replace(b"false", b"true")) is None
    for other in (b"", b"[]", b"{}", b'{"record": 1, "sum": ""}', b"\xff", b"[" * 100_000):
        assert records.record_of(other) is None


def test_foreign_files_in_the_journals_folder_are_no_batches(tmp_path: Path) -> None:
    journal = Journal()
    write(journal.path / "notes.jsonl", b"hello")
    write(journal.path / "20260101T000000-abcdef.jsonl", b"hello\n")
    (found,) = journal.batches()
    assert (found.damaged, found.outcomes, found.is_unfinished) == (1, (), False)


def test_old_batches_are_forgotten_unless_they_wait_for_recovery(tmp_path: Path) -> None:
    old = applied(tmp_path)
    journal = Journal()
    assert journal.forget_before(old.started) == 0
    lines = file_of(old).read_bytes().splitlines(keepends=True)
    file_of(old).write_bytes(b"".join(lines[:2]))  # begun, and one step intended
    assert journal.forget_before(datetime.now(UTC) + timedelta(days=1)) == 0
    recover(journal)
    assert journal.forget_before(datetime.now(UTC) + timedelta(days=1)) == 1
    assert journal.batches() == [] and not list(journal.path.glob("*.json*"))


def test_a_full_disk_before_the_first_step_touches_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = docs(tmp_path)
    before = contents(tmp_path / "docs")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    journal = Journal()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError):
        carry_out(plan, journal=journal, judge=alike)
    monkeypatch.undo()
    assert contents(tmp_path / "docs") == before


def test_a_journal_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    plan, journal = docs(tmp_path), Journal()
    with journal.lock():
        pass
    shutil.rmtree(journal.path)
    journal.path.mkdir()
    (journal.path / "lock").mkdir()
    with pytest.raises(UsageError, match="cannot be written"):
        carry_out(plan, journal=journal, judge=alike)
    assert len(contents(tmp_path / "docs")) == 4


def test_what_is_left_of_a_killed_removal_can_be_gone_on_with(tmp_path: Path) -> None:
    batch = applied(tmp_path)
    journal = Journal()
    undo(batch.id, journal)
    lines = file_of(batch).read_bytes().splitlines(keepends=True)
    file_of(batch).write_bytes(b"".join(lines[:2]))  # killed right after the first intent
    (found,) = recover(journal)
    assert [outcome.state for outcome in found.outcomes] == [State.TAKEN_BACK]
    rest = journal.remaining(batch.id)
    assert rest is not None and len(rest.steps) == 3
    assert carry_out(replace(rest, scan_name="again"), journal=journal, judge=alike).is_complete
