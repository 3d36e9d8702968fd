"""Scans whose files are read on the workers of a Dask cluster."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.base.errors import ClusterError, Fault
from dupfinder.base.stamp import FileStamp
from dupfinder.cli.main import main
from dupfinder.engine.remote import WorkerAnswer, WorkerRefusal
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.rows import READ, DocumentRow
from dupfinder.processes.sandbox import TaskResult
from dupfinder.processes.worker import Limits
from dupfinder.scan import matching
from dupfinder.scan.reading import ReadTask
from dupfinder.scan.remote import (
    FEWEST_FILES,
    LARGE_FILE,
    PORTION_BYTES,
    PORTION_FILES,
    PORTIONS_A_THREAD,
    Requirements,
    as_seen_there,
    check_seen,
    portions,
    refusal_of_terms,
)
from tests import making
from tests.end_to_end.program import without_times
from tests.engine.dask_trial import Trial
from tests.scan.documents import family, put, strangers, troubles


def task(name: str, size: int) -> ReadTask:
    return ReadTask(FileStamp(Path(f"/docs/{name}"), size, 1, 1, 1, 1), Scheme())


def test_files_are_sent_in_portions_the_large_ones_first() -> None:
    small = [task(f"{number}.txt", 1000) for number in range(4 * PORTIONS_A_THREAD * FEWEST_FILES)]
    large = [task(f"{number}.pdf", LARGE_FILE + number) for number in range(1, 4)]
    made = portions([*small, *large], 2)
    assert sorted(each.stamp.path for part in made for each in part) == sorted(
        each.stamp.path for each in (*small, *large)
    )
    assert made[0][0] == large[-1]
    assert max(map(len, made)) <= PORTION_FILES and len(made) >= 2 * PORTIONS_A_THREAD
    assert len(portions(small, 1000)) == len(small) // FEWEST_FILES
    assert all(sum(each.stamp.size for each in part) <= PORTION_BYTES for part in made if len(part) > 1)


def test_a_worker_keeps_the_terms_of_the_machine_that_it_is() -> None:
    terms = Requirements.of(Scheme(), Limits(), "")
    assert refusal_of_terms(terms) is None
    assert refusal_of_terms(replace(terms, sample="another")) == WorkerRefusal(Fault.OTHER_MEASURE)
    assert refusal_of_terms(replace(terms, memory=1)) == WorkerRefusal(Fault.WORKER_SHORT_OF_MEMORY)
    assert refusal_of_terms(replace(terms, languages="xyz")) == WorkerRefusal(
        Fault.WORKER_WITHOUT_OCR, {"words": "xyz"}
    )
    learned = Scheme(weights="learned", learned=Path("/nowhere.npz"), learned_digest="1")
    assert refusal_of_terms(replace(terms, scheme=learned)) == WorkerRefusal(Fault.WORKER_WITHOUT_WEIGHTS)


def test_the_stamp_of_the_machine_that_walked_is_the_one_that_is_stored() -> None:
    asked = task("a.txt", 10)
    on_worker = replace(asked.stamp, device=77, inode=78, ctime_ns=79)
    assert as_seen_there(DocumentRow(on_worker, READ), asked) == DocumentRow(asked.stamp, READ)
    changed = as_seen_there(DocumentRow(replace(on_worker, size=11), READ), asked)
    assert changed == DocumentRow(asked.stamp, ProblemKind.CHANGED)


def test_a_file_that_a_worker_sees_otherwise_than_this_machine_is_an_error(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", b"text")
    asked = ReadTask(FileStamp.of(path, os.stat(path)), Scheme())
    gone = DocumentRow(asked.stamp, ProblemKind.VANISHED, details(Clause.SYSTEM_ERROR, error="ENOENT"))
    for row, fault in ((gone, Fault.NO_SHARE), (replace(gone, status=ProblemKind.CHANGED), Fault.OTHER_SHARE)):
        with pytest.raises(ClusterError) as raised:
            check_seen(TaskResult(asked, row), WorkerAnswer("tcp://w", b""))
        assert raised.value.fault is fault and raised.value.facts["worker"] == "tcp://w"
    path.write_bytes(b"another text")
    check_seen(TaskResult(asked, gone), WorkerAnswer("tcp://w", b""))
    path.unlink()
    check_seen(TaskResult(asked, gone), WorkerAnswer("tcp://w", b""))


@pytest.mark.filterwarnings("ignore")
def test_a_scan_on_a_cluster_reports_what_a_scan_here_reports(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "docs"
    for seed in range(6):
        family(folder / str(seed), seed)
    strangers(folder, 26)
    troubles(folder)
    put(folder / "some.zip", making.zipped({"inside.txt": making.txt(["A text inside an archive."] * 9)}))
    trial = Trial(2)
    reports = [tmp_path / f"{name}.json" for name in ("here", "there", "scratch")]
    command = ["scan", str(folder), "--progress", "none", "--quiet", "--library", str(tmp_path / "library.db")]
    try:
        assert main([*command, "--report", str(reports[0])]) == 0
        assert main([*command, "--report", str(reports[1]), "--fresh", "--cluster", trial.address]) == 0
        assert without_times(reports[0]) == without_times(reports[1])
        # Pairs, too, are found there, as soon as there are enough documents.
        monkeypatch.setattr(matching, "SHARED_FROM", 1)
        scratch = tmp_path / "scratch"
        scratch.mkdir()
        there = ["--report", str(reports[2]), "--fresh", "--cluster", trial.address, "--scratch", str(scratch)]
        assert main([*command, *there]) == 0
        assert without_times(reports[0]) == without_times(reports[2])
        assert list(scratch.iterdir()) == []
        # What a cluster read is known to a scan here: nothing is read again.
        capfd.readouterr()
        assert main([*command, "--format", "json"]) == 0
    finally:
        trial.dask.close()
    assert json.loads(capfd.readouterr().out)["summary"]["reused"] > 50
