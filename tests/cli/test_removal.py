from __future__ import annotations

import argparse
import contextlib
import csv
import errno
import hashlib
import io
import os
import shlex
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from dupfinder.actions.journal import Journal, Log
from dupfinder.actions.places import Place
from dupfinder.actions.plan import Plan, Verb, save_plan
from dupfinder.base.errors import DecisionsDamaged, UsageError
from dupfinder.base.paths import DECISIONS_NAME, default_library
from dupfinder.cli import removal
from dupfinder.cli.main import main
from dupfinder.cluster.relation import Relation
from dupfinder.library.decisions import Decision, Decisions
from dupfinder.review.rules import RuleKind
from dupfinder.wording.errors import sentence
from dupfinder.wording.figures import size_text
from tests.actions.making import contents, plan_of, step, write

LONG = "The harbour office keeps a register of every ship that enters and the hour at which it left again. " * 8


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    removal.add_parsers(parser.add_subparsers())
    namespace = parser.parse_args(arguments)
    code: int = namespace.run(namespace)
    return code


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    for number in range(3):
        write(docs / f"keeper{number}.txt", f"text {number}".encode())
        write(docs / f"copy{number}.txt", f"text {number}".encode())
    return docs


def plan_file(docs: Path, plan: Plan | None = None) -> str:
    path = docs.parent / "plan.json"
    if plan is None:
        plan = plan_of((step(docs / f"copy{n}.txt", docs / f"keeper{n}.txt") for n in range(3)), docs)
    save_plan(plan, path)
    return str(path)


def test_a_plan_is_applied_listed_and_taken_back(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(docs)
    assert run("apply", plan_file(docs)) == 0
    printed = capsys.readouterr().out
    assert "3 files of 3 removed" in printed
    assert sorted(contents(docs)) == ["keeper0.txt", "keeper1.txt", "keeper2.txt"]
    batch = Journal().batches()[0].id
    assert f"dupfinder undo {batch}" in printed

    assert run("history", "--files") == 0
    printed = capsys.readouterr().out
    assert batch in printed and "3 of 3 removed" in printed and "copy1.txt" in printed

    assert run("undo", batch) == 0
    assert "3 files of 3 restored" in capsys.readouterr().out
    assert contents(docs) == before
    assert run("history") == 0
    printed = capsys.readouterr().out
    assert "  3 restored" in printed and "removed" not in printed
    for arguments in (("undo",), ("undo", batch)):
        with pytest.raises(UsageError, match="no removal to take back"):
            run(*arguments)


def test_damaged_decisions_are_told_before_a_plan_that_they_may_forbid(docs: Path) -> None:
    decisions = default_library().parent / DECISIONS_NAME
    Decisions(decisions).store([(docs / "copy0.txt", "00" * 16, Decision.KEEP)])
    decisions.write_text("no decisions " * 1000)
    before = contents(docs)
    with pytest.raises(DecisionsDamaged) as caught:
        run("apply", plan_file(docs))
    assert contents(docs) == before
    assert "choose again what to keep" in sentence(caught.value)
    assert caught.value.moved_to is not None and caught.value.moved_to.exists()
    assert run("apply", plan_file(docs)) == 0, "once it was told, the plan may be applied"


def test_one_damaged_decision_is_told_before_a_plan_that_it_may_forbid(docs: Path) -> None:
    decisions = default_library().parent / DECISIONS_NAME
    Decisions(decisions).store([(docs / "copy0.txt", "00" * 16, Decision.KEEP)])
    with contextlib.closing(sqlite3.connect(decisions)) as connection:
        connection.execute("UPDATE decision SET content = '01'")
        connection.commit()
    before = contents(docs)
    with pytest.raises(DecisionsDamaged) as caught:
        run("apply", plan_file(docs), "--dry-run")
    assert contents(docs) == before
    assert "choose again what to keep" in sentence(caught.value)
    assert run("apply", plan_file(docs)) == 0, "once it was told, the plan may be applied"


def test_a_named_library_that_is_not_there_is_told_before_a_plan_that_it_may_forbid(docs: Path) -> None:
    before = contents(docs)
    for way in ((), ("--dry-run",)):
        with pytest.raises(UsageError, match=r"There is no library at .*mistyped\.db\. Nothing was removed\."):
            run("apply", plan_file(docs), "--library", str(docs.parent / "mistyped.db"), *way)
    assert contents(docs) == before


def test_a_dry_run_touches_nothing_and_writes_no_history(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(docs)
    assert run("apply", plan_file(docs), "--dry-run") == 0
    printed, progress = capsys.readouterr()
    assert "Nothing was touched." in printed and "Checking" in progress and "Removing" not in progress
    assert contents(docs) == before
    assert Journal().batches() == []


def test_a_disk_that_becomes_full_ends_with_the_code_of_a_plan_done_in_part(
    docs: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, within = contents(docs), Log.done

    def done(log: Log, number: int, place: Place) -> None:
        within(log, number, place)
        monkeypatch.setattr(os, "fsync", full)

    def full(descriptor: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Log, "done", done)
    assert main(["apply", plan_file(docs), "--progress", "none"]) == 5
    assert len(capsys.readouterr().err.splitlines()) == 1
    monkeypatch.undo()
    assert run("recover") == run("undo") == 0
    assert contents(docs) == before


def test_a_plan_done_in_part_says_what_was_left_and_why(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plan = plan_file(docs)
    write(docs / "copy1.txt", b"newer!", mtime_ns=1_700_000_000_000_000_000)
    assert run("apply", plan, "--dry-run") == 5
    assert "copy1.txt was saved again since it was scanned. It was left alone." in capsys.readouterr().out
    assert run("apply", plan) == 5
    printed = capsys.readouterr().out
    assert "copy1.txt was saved again" in printed and "2 files of 3 removed" in printed
    assert (docs / "copy1.txt").read_bytes() == b"newer!"


def test_undo_without_a_batch_takes_the_newest_back_and_reports_a_taken_name(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("apply", plan_file(docs))
    write(docs / "copy2.txt", b"someone else's")
    capsys.readouterr()
    assert run("undo") == 5
    printed, progress = capsys.readouterr()
    assert "A file named" in printed and "2 files of 3 restored" in printed and "--beside" in printed
    assert "Restoring" in progress and "Removing" not in progress
    assert run("undo", "--beside") == 0
    printed = capsys.readouterr().out
    assert "was restored as" in printed
    assert (docs / "copy2.txt").read_bytes() == b"someone else's"
    assert (docs / "copy2 (restored).txt").read_bytes() == b"text 2"


def test_restoring_one_file_under_a_similar_name_restores_no_other(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("apply", plan_file(docs))
    write(docs / "copy2.txt", b"someone else's")
    capsys.readouterr()
    assert run("undo", "--only", str(docs / "copy2.txt")) == 5
    advised = capsys.readouterr().out.partition("dupfinder undo ")[2].splitlines()[0]
    assert run("undo", *shlex.split(advised)) == 0
    assert sorted(path.name for path in docs.glob("copy*")) == ["copy2 (restored).txt", "copy2.txt"]


def test_a_removal_that_runs_is_in_progress_and_one_that_was_killed_interrupted(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("apply", plan_file(docs))
    (record,) = Journal().path.glob("*.jsonl")
    record.write_bytes(b"".join(record.read_bytes().splitlines(keepends=True)[:-3]))  # in the middle of the last step
    capsys.readouterr()
    with Journal().lock():
        run("history", "--files")
    assert "in progress" in (printed := capsys.readouterr().out) and "interrupted" not in printed
    run("history")
    assert "interrupted" in (printed := capsys.readouterr().out) and "in progress" not in printed


def test_an_empty_plan_does_nothing_and_leaves_no_history(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("apply", plan_file(docs, Plan((), (docs,)))) == 0
    assert "Nothing was done." in capsys.readouterr().out
    assert Journal().batches() == []


def test_wrong_input_is_one_sentence(docs: Path) -> None:
    for name, data in {
        "text": b"hello",
        "list": b"[]",
        "other": b'{"kind": "plan", "schema": 99}',
        "bin": b"\xff",
    }.items():
        write(docs / name, data)
        with pytest.raises(UsageError) as caught:
            run("apply", str(docs / name))
        message = sentence(caught.value)
        assert message.endswith(".") and "\n" not in message
    with pytest.raises(UsageError, match="unreadable_plan"):
        run("apply", str(docs / "absent"))
    with pytest.raises(UsageError, match="no_removal"):
        run("undo", "20200101")
    with pytest.raises(UsageError, match="no removal to take back"):
        run("undo")


def test_near_duplicates_are_read_again_before_one_goes(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(docs / "a.txt", LONG.encode())
    write(docs / "b.txt", (LONG + "One more line.").encode())
    write(docs / "c.txt", b"A wholly different text on the growing of apples in the cold north, and of pears too.")
    near = step(docs / "b.txt", docs / "a.txt", relation=Relation.VERSION, share=0.95)
    far = step(docs / "c.txt", docs / "a.txt", relation=Relation.VERSION, share=0.95)
    assert run("apply", plan_file(docs, plan_of([near, far], docs)), "--yes") == 5
    printed = capsys.readouterr().out
    assert "1 file of 2 removed" in printed and "less similar than the plan requires (0 % instead of 70 %)" in printed
    assert not (docs / "b.txt").exists() and (docs / "c.txt").exists()


@pytest.fixture
def mixed(docs: Path) -> str:
    """A plan for an identical copy and a version."""
    write(docs / "a.txt", LONG.encode())
    write(docs / "b.txt", (LONG + "One more line.").encode())
    near = step(docs / "b.txt", docs / "a.txt", relation=Relation.VERSION, share=0.95)
    return plan_file(docs, plan_of([step(docs / "copy0.txt", docs / "keeper0.txt"), near], docs))


def test_without_a_terminal_documents_whose_text_differs_go_only_with_yes(
    docs: Path, mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("apply", mixed) == 5
    printed = capsys.readouterr()
    assert "identical: 1; version, its text differs: 1." in printed.err
    assert "1 file of the plan is not quite the same as what stays. They are left alone, since" in printed.err
    assert "1 file of 1 removed" in printed.out
    assert (docs / "b.txt").exists() and not (docs / "copy0.txt").exists()
    run("undo")
    assert run("apply", mixed, "--yes") == 0
    assert not (docs / "b.txt").exists() and not (docs / "copy0.txt").exists()


def test_when_nothing_but_such_documents_is_planned_nothing_is_done_and_no_history_written(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(docs / "a.txt", LONG.encode())
    write(docs / "b.txt", (LONG + "One more line.").encode())
    near = step(docs / "b.txt", docs / "a.txt", relation=Relation.VERSION, share=0.95)
    assert run("apply", plan_file(docs, plan_of([near], docs))) == 5
    assert "Nothing was removed." in capsys.readouterr().out
    assert Journal().batches() == [] and (docs / "b.txt").exists()


@pytest.mark.parametrize(("answer", "goes"), [("yes\n", True), ("y\n", False), ("\n", False), ("", False)])
def test_a_terminal_is_asked_before_documents_whose_text_differs_go(
    docs: Path, mixed: str, answer: str, goes: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    typed = io.StringIO(answer)
    for stream in (typed, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stdin", typed)
    assert run("apply", mixed, "--progress", "none") == (0 if goes else 5)
    assert "Remove them too? Type yes" in capsys.readouterr().err
    assert (docs / "b.txt").exists() is not goes and not (docs / "copy0.txt").exists()


def test_a_dry_run_says_that_a_drive_has_no_trash(
    docs: Path, mixed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dupfinder.actions.trash.lacks_trash", lambda folder: folder == docs)
    assert run("apply", mixed, "--dry-run") == 0
    printed = capsys.readouterr().out
    assert f"quarantine, since the drive has no reliable trash: {docs}/copy0.txt (identical); stays: " in printed


def test_a_dry_run_names_what_each_document_is_and_what_stays(
    docs: Path, mixed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("apply", mixed, "--dry-run") == 0
    printed = capsys.readouterr().out
    assert f"would move to the trash: {docs}/copy0.txt (identical); stays: {docs}/keeper0.txt" in printed
    assert f"{docs}/b.txt (version, its text differs); stays: {docs}/a.txt" in printed
    assert "identical: 1; version, its text differs: 1." in printed
    assert "2 files of 2 would be removed" in printed


def test_removals_older_than_the_settings_say_are_forgotten_once_nothing_can_be_undone(docs: Path) -> None:
    for _ in range(2):
        run("apply", plan_file(docs))
        old = Journal().batches()[0]
        path = Journal().path / f"{old.id}.jsonl"
        path.rename(path.with_name("20200101T000000-" + path.name.partition("-")[2]))
        for number in range(3):
            write(docs / f"copy{number}.txt", f"text {number}".encode())
    run("undo", "--beside", "000001")
    run("apply", plan_file(docs))
    run("apply", plan_file(docs, plan_of([step(docs / "copy0 (restored).txt", docs / "keeper0.txt")], docs)))
    assert sorted(batch.id[-6:] for batch in Journal().batches()) == ["000002", "000003", "000004"]


def test_the_history_of_files_tells_relation_likeness_what_was_kept_and_where_each_is(
    docs: Path, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    steps = [
        step(docs / "copy0.txt", docs / "keeper0.txt", Verb.MOVE),
        step(docs / "copy1.txt", docs / "keeper1.txt", Verb.HARDLINK),
        step(docs / "copy2.txt", docs / "keeper2.txt"),
    ]
    run("apply", plan_file(docs, plan_of(steps, docs, to=docs.parent / "to")))
    write(docs / "near.txt", LONG.encode())
    write(docs / "like.txt", (LONG + "One more line.").encode())
    near = step(docs / "like.txt", docs / "near.txt", relation=Relation.VERSION, share=0.95)
    gone = step(docs / "near.txt", docs / "keeper0.txt")
    run("apply", plan_file(docs, plan_of([near], docs)), "--yes")
    plan = plan_file(docs, plan_of([gone], docs))
    (docs / "near.txt").unlink()
    run("apply", plan)
    capsys.readouterr()
    run("history", "--files")
    printed = capsys.readouterr().out
    lines = printed.splitlines()
    after = {line.strip(): lines[number + 1].strip() for number, line in enumerate(lines[:-1])}
    moved, linked = f"moved       {docs / 'copy0.txt'}", f"linked      {docs / 'copy1.txt'}"
    assert after[moved] == f"identical to {docs / 'keeper0.txt'}; moved to {docs.parent / 'to' / 'copy0.txt'}"
    assert after[linked] == f"identical to {docs / 'keeper1.txt'}; now a hard link to the kept file"
    files = own_home / "share" / "Trash" / "files"
    assert after[f"removed     {docs / 'copy2.txt'}"].endswith(f"in the trash: {files / 'copy2.txt'}")
    assert after[f"removed     {docs / 'like.txt'}"].startswith(
        f"a version of {docs / 'near.txt'}, 95 % similar; in the trash: "
    )
    assert f"left alone  {docs / 'near.txt'}" in printed and "is no longer there. Nothing was done." in printed
    run("history", "--csv")
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out.lstrip("\ufeff"))))
    assert [row["Result"] for row in rows] == ["left alone", "removed", "moved", "linked", "removed"]
    assert rows[2]["Document"] == str(docs / "copy0.txt") and rows[2]["Kept copy"] == str(docs / "keeper0.txt")
    assert rows[2]["Content hash"] == steps[0].victim.content_hash
    moved_bytes = (docs.parent / "to" / "copy0.txt").read_bytes()
    assert rows[2]["Content hash"] == hashlib.blake2b(moved_bytes, digest_size=16).hexdigest(), "as b2sum prints it"


def test_no_raw_control_character_of_a_name_is_printed(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = os.fsdecode(b"bad\x1b[31m\n\xff.txt")
    write(docs / name, b"text 0")
    plan = plan_file(docs, plan_of([step(docs / name, docs / "keeper0.txt")], docs))
    assert run("apply", plan, "--dry-run") == 0
    assert run("apply", plan) == 0
    run("history", "--files")
    printed = capsys.readouterr().out
    assert "\x1b" not in printed and "\udcff" not in printed and "bad\\x1b[31m\\n\\xff.txt" in printed


def test_a_copy_with_a_date_after_2262_is_removed_and_comes_back_with_it(docs: Path) -> None:
    year_2300 = 10_413_792_000 * 10**9
    for path in docs.iterdir():
        os.utime(path, ns=(year_2300, year_2300))
    if (docs / "copy0.txt").stat().st_mtime_ns != year_2300:
        pytest.skip("a file system without such dates")
    plan = str(docs.parent / "plan.json")
    assert main(["scan", str(docs), "-q"]) == main(["select", "--keep", "shortest-path", "--to", plan, "-q"]) == 0
    before = contents(docs)
    assert main(["apply", plan]) == 0
    assert sorted(contents(docs)) == [f"copy{number}.txt" for number in range(3)]
    assert main(["undo"]) == 0
    assert contents(docs) == before
    assert {path.stat().st_mtime_ns for path in docs.iterdir()} == {year_2300}


STOPPING = [signal.SIGINT, signal.SIGTERM, *([signal.SIGHUP] if hasattr(signal, "SIGHUP") else [])]


@pytest.mark.parametrize("number", STOPPING)
def test_an_interrupt_finishes_the_file_in_hand_and_ends_with_130(docs: Path, number: signal.Signals) -> None:
    for n in range(400):
        write(docs / f"more{n}.txt", b"text 0")
    plan = plan_of((step(docs / f"more{n}.txt", docs / "keeper0.txt", Verb.TRASH) for n in range(400)), docs)
    code = (
        "import sys, argparse\nfrom dupfinder.cli import removal\nparser = argparse.ArgumentParser()\n"
        "removal.add_parsers(parser.add_subparsers())\nn = parser.parse_args(sys.argv[1:])\nsys.exit(n.run(n))"
    )
    command = [sys.executable, "-c", code, "apply", plan_file(docs, plan), "--progress", "json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stderr is not None
        child.stderr.readline()
        child.send_signal(number)
        child.communicate(timeout=60)
    assert child.returncode in (130, 0)
    batch = Journal().batches()[0]
    assert batch.ended and not batch.is_unfinished
    gone = sum(not (docs / f"more{n}.txt").exists() for n in range(400))
    assert gone == len(batch.outcomes)
    assert batch.stopped == (child.returncode == 130)


def test_what_is_said_of_an_interrupt_fits_what_was_interrupted(
    docs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(**options: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr("dupfinder.review.removal.settle", interrupt)
    plan = plan_file(docs)
    for command in (["apply", plan], ["undo"], ["recover"], ["quarantine", "empty"]):
        assert main(command) == 130
        assert capsys.readouterr().err.splitlines()[-1] == "Stopped. `dupfinder history` tells what was done."


def test_copies_moved_aside_below_a_scanned_folder_are_no_copies_in_the_next_scan(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    docs, plan = tmp_path / "docs", str(tmp_path / "plan.json")
    for name in ("contract.txt", "Downloads/contract.txt"):
        write(docs / name, LONG.encode())
    choice = ["--keep", "shortest-path", "--verb", "move", "--destination", str(docs / "Removed"), "--to", plan]
    assert main(["scan", "-q", str(docs)]) == main(["select", *choice]) == main(["apply", plan]) == 0
    assert (docs / "Removed" / "Downloads" / "contract.txt").exists()
    capsys.readouterr()
    assert main(["scan", str(docs)]) == 0
    assert "0 groups" in capsys.readouterr().out
    assert main(["undo"]) == main(["scan", str(docs)]) == 0
    assert "1 group" in capsys.readouterr().out


def test_links_that_cannot_be_made_are_not_planned_but_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    docs, plan = tmp_path / "docs", str(tmp_path / "plan.json")
    for name in ("safe/contract.txt", "contract.txt"):
        write(docs / name, LONG.encode())
    for name in ("letter.txt", "more/letter.txt"):
        write(docs / name, LONG[::-1].encode())
    assert main(["scan", "-q", str(docs), "--protect", str(docs / "safe")]) == 0
    capsys.readouterr()
    assert main(["select", "--keep", "shortest-path", "--verb", "hardlink", "--to", plan]) == 0
    said = capsys.readouterr()
    assert "1 document cannot be linked" in said.err
    assert said.out.startswith("1 document of 1 group ") and f"{size_text(len(LONG))} to free" in said.out
    assert main(["apply", "--dry-run", plan]) == 0


def test_one_file_or_folder_of_a_removal_is_restored_and_the_others_later(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(docs)
    assert run("apply", plan_file(docs)) == run("undo", "--only", str(docs / "copy1.txt")) == 0
    assert sorted(contents(docs)) == ["copy1.txt", *(f"keeper{number}.txt" for number in range(3))]
    assert "1 file of 1 restored." in capsys.readouterr().out
    assert run("undo", "--only", str(docs / "copy1.txt")) == 5
    said = capsys.readouterr()
    assert said.err == f"No removal has a file to restore at {docs / 'copy1.txt'}.\n"
    assert said.out == "0 files of 0 restored.\n"
    assert run("undo", "--only", str(docs)) == 0
    assert contents(docs) == before


def test_files_of_several_removals_are_restored_at_once_and_what_none_has_is_named(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(docs)
    for number in range(3):
        plan = plan_of((step(docs / f"copy{number}.txt", docs / f"keeper{number}.txt"),), docs)
        assert run("apply", plan_file(docs, plan)) == 0
    named = [str(docs / name) for name in ("copy0.txt", "copy2.txt", "absent.txt")]
    capsys.readouterr()
    assert run("undo", "--progress", "none", *(word for path in named for word in ("--only", path))) == 5
    said = capsys.readouterr()
    assert said.err == f"No removal has a file to restore at {named[2]}.\n"
    assert said.out == "2 files of 2 restored.\n"
    batches = Journal().batches()
    assert run("undo", batches[0].id, "--only", str(docs)) == 5
    assert f"The removal {batches[0].id} has no file to restore at {docs}." in capsys.readouterr().err
    assert run("undo", "--only", str(docs)) == 0
    assert contents(docs) == before


def test_of_several_removals_each_is_advised_with_its_own_files(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = [docs / "copy0.txt", docs / "it's a 报告\u3000copy.txt"]
    write(named[1], b"text 1")
    for path, keeper in zip(named, ("keeper0.txt", "keeper1.txt"), strict=True):
        assert run("apply", plan_file(docs, plan_of((step(path, docs / keeper),), docs))) == 0
        write(path, b"someone else's")
    newest, oldest = (batch.id for batch in Journal().batches())
    words = [word for path in named for word in ("--only", str(path))]
    capsys.readouterr()
    assert run("undo", *words) == 5
    advised = [line.partition("dupfinder undo ")[2] for line in capsys.readouterr().out.splitlines()]
    commands = [shlex.split(command) for command in advised if command]
    assert commands == [
        [newest, "--only", str(named[1]), "--beside"],
        [oldest, "--only", str(named[0]), "--beside"],
    ]
    assert [run("undo", *command) for command in commands] == [0, 0]


def test_the_command_for_a_written_plan_can_be_run_whatever_its_name(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan = docs.parent / "my plan.json"
    assert main(["scan", str(docs), "-q"]) == main(["select", "--keep", "newest", "--to", str(plan)]) == 0
    _, command = capsys.readouterr().err.split("dupfinder apply ")
    assert shlex.split(command) == [str(plan)]


@pytest.mark.parametrize(
    ("platform", "quoted"), [("win32", '"C:\\my files\\a.txt"'), ("linux", "'C:\\my files\\a.txt'")]
)
def test_a_path_in_a_command_is_quoted_as_the_shell_takes_it(
    platform: str, quoted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", platform)
    assert removal.command_line(["--only", "C:\\my files\\a.txt"]) == f"--only {quoted}"


def test_of_a_file_that_was_removed_twice_the_newest_is_restored(docs: Path) -> None:
    for text in ("text 0", "newer"):
        write(docs / "copy0.txt", text.encode())
        write(docs / "keeper0.txt", text.encode())
        assert run("apply", plan_file(docs, plan_of((step(docs / "copy0.txt", docs / "keeper0.txt"),), docs))) == 0
    assert run("undo", "--only", str(docs / "copy0.txt")) == 0
    assert (docs / "copy0.txt").read_text() == "newer"


@pytest.mark.parametrize("path", ["link", "link/copy1.txt", "link/../docs/copy1.txt", "docs/gone/../copy1.txt"])
def test_what_to_restore_may_be_named_by_any_path_of_its_folder(docs: Path, tmp_path: Path, path: str) -> None:
    (tmp_path / "link").symlink_to(docs)
    assert run("apply", plan_file(docs)) == run("undo", "--only", str(tmp_path / path)) == 0
    assert (docs / "copy1.txt").exists()


def test_what_was_removed_by_a_link_to_its_folder_may_be_named_without_it(docs: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(docs)
    plan = plan_of((step(link / "copy1.txt", link / "keeper1.txt"),), link)
    assert run("apply", plan_file(docs, plan)) == run("undo", "--only", str(docs / "copy1.txt")) == 0
    assert (docs / "copy1.txt").exists()


def test_the_help_of_select_names_every_rule(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["select", "--help"])
    printed = "".join(capsys.readouterr().out.split())
    assert all(rule in printed for rule in RuleKind) and "hiddenfolders" in printed
