"""What reading processes are stopped from on Linux, and what goes on all the same."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from dupfinder.processes import linux
from dupfinder.processes.cell import available_restrictions, own_files
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.worker import Limits
from dupfinder.text.document import Attempt
from tests.processes.escapes import ACTS, PERMITTED

ROOT = Path(__file__).parents[2]
ESCAPES = sorted(ACTS.keys() - PERMITTED)
STOPPED = frozenset({"EPERM", "EACCES", "ENOSYS", "EBADF", "EINVAL", "EFBIG"})
BY_LANDLOCK_ALONE = ("read another document", "read the document by name", "list a folder")
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems give less")
needs_both = pytest.mark.skipif(
    not (linux.landlock_version() and linux.can_filter_calls()), reason="this kernel lacks Landlock or seccomp"
)


@pytest.fixture(autouse=True)
def _importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))


@pytest.fixture
def document(tmp_path: Path) -> Path:
    """A document in a folder with another that nobody handed over."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "secret.txt").write_text("a secret")
    (folder / "given.txt").write_text("given")
    os.utime(folder / "given.txt", (1_000_000_000, 1_000_000_000))
    os.chmod(folder / "given.txt", 0o640)
    return folder / "given.txt"


def tried(acts: list[str], document: Path, limits: Limits | None = None) -> dict[str, str]:
    """Act -> what came of it in a reading process."""
    from tests.processes.escapes import escape, file_of

    with Sandbox(escape, workers=1, limits=limits or Limits(), files=file_of) as box:
        done: Iterator[TaskResult[tuple[str, Path], str]] = box.run([(act, document) for act in acts])
        return {attempt.task[0]: attempt.value or f"{attempt.failure}: {attempt.details}" for attempt in done}


@needs_both
def test_a_reader_that_was_taken_over_is_stopped_by_the_system(document: Path) -> None:
    before = {path.name: (path.read_bytes(), path.stat().st_mode) for path in document.parent.iterdir()}
    outcomes = tried(ESCAPES, document)
    assert {act: outcome for act, outcome in outcomes.items() if outcome not in STOPPED} == {}
    assert {path.name: (path.read_bytes(), path.stat().st_mode) for path in document.parent.iterdir()} == before
    assert document.stat().st_mtime == 1_000_000_000


def test_outside_a_cell_the_same_acts_are_possible(document: Path) -> None:
    """Without this, the test above would pass where nothing is allowed anyway."""
    from tests.processes.escapes import escape

    for act in ("read another document", "list a folder", "change the mode", "socket", "write a file", "rename"):
        assert escape((act, document)) not in STOPPED, act


def test_threads_pipes_and_signals_still_work_in_a_cell(document: Path) -> None:
    outcomes = tried(["work", "product"], document)
    assert outcomes == {"work": "given pipe signal wave True", "product": "300.0"}


def tried_without(missing: str, document: Path) -> dict[str, str]:
    """Return what came of each act in a process whose kernel seems to lack something."""
    command = [sys.executable, "-m", "tests.processes.escapes", str(document), missing]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return dict(json.loads(ran.stdout.splitlines()[-1]))


@needs_both
def test_the_kernel_reports_the_filters_and_reading_still_works(document: Path) -> None:
    outcomes = tried_without("nothing", document)
    assert outcomes["status"] == "NoNewPrivs:\t1; Seccomp:\t2"
    assert outcomes["work"] == "given pipe signal wave True"


@needs_both
@pytest.mark.parametrize(
    ("missing", "stopped", "not_stopped"),
    [
        ("landlock", ("write a file", "socket", "another program", "rename"), BY_LANDLOCK_ALONE),
        ("seccomp", ("write a file", "another program", "rename", *BY_LANDLOCK_ALONE), ("another process",)),
    ],
)
def test_a_kernel_that_lacks_one_of_the_two_still_reads_and_holds_by_the_other(
    document: Path, missing: str, stopped: tuple[str, ...], not_stopped: tuple[str, ...]
) -> None:
    outcomes = tried_without(missing, document)
    assert outcomes["work"] == "given pipe signal wave True"
    assert {act: outcomes[act] for act in stopped if outcomes[act] not in STOPPED} == {}
    assert {act: outcomes[act] for act in not_stopped if outcomes[act] in STOPPED} == {}


@needs_both
@pytest.mark.skipif(shutil.which("tesseract") is None, reason="no tesseract here")
def test_who_recognises_pages_may_start_tesseract_and_nothing_else(document: Path) -> None:
    limits = Limits(programs=("tesseract",))
    acts = ["tesseract", "python", "another program, as a child", "socket", "write a file", "read another document"]
    outcomes = tried(acts, document, limits)
    assert "tesseract" in outcomes.pop("tesseract")
    assert set(outcomes.values()) <= STOPPED, outcomes


def test_all_formats_are_read_in_the_cell_as_outside_of_it(tmp_path: Path) -> None:
    from tests.processes.tasks import files_of, read, size_of
    from tests.text.test_fuzz import SEEDS

    folder = tmp_path / "seeds"
    for number, (name, data) in enumerate(SEEDS.items()):
        path = folder / str(number) / name
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
    tasks = [(path, attempt) for path in folder.rglob("*.*") for attempt in (Attempt.FIRST, Attempt.SECOND)]
    with Sandbox(read, workers=2, weight=size_of, files=files_of) as box:
        outcomes = {reading.task: reading.value for reading in box.run(tasks)}
    assert len(outcomes) == 2 * len(SEEDS)
    for task, value in outcomes.items():
        assert value is not None, task
        assert value[0] == read(task)[0], task


def test_an_ordinary_person_without_a_network_reads_the_same(tmp_path: Path) -> None:
    program = ["unshare", "-rn", sys.executable, "-c", "print()"]
    if shutil.which("unshare") is None or subprocess.run(program, capture_output=True, check=False).returncode:
        pytest.skip("no namespaces for ordinary people here")
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.txt").write_text(
            f"Words of the document number {number // 2}, and some more of them. " * 20
        )
    reports: list[list[str]] = []
    for prefix in ([], ["unshare", "-rn"]):
        home = tmp_path / f"home{len(reports)}"
        command = [*prefix, sys.executable, "-m", "dupfinder", "scan", str(folder), "--library", str(home / "a.db")]
        ran = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
            env={**os.environ, "DUPFINDER_HOME": str(home), "PYTHONPATH": str(ROOT)},
        )
        reports.append([line for line in ran.stdout.splitlines() if " s" not in line and str(home) not in line])
    assert reports[0] == reports[1]


def test_the_files_of_a_process_are_the_programs_own() -> None:
    files = own_files("tests.processes.tasks")
    assert str(ROOT / "dupfinder") in files and str(ROOT / "tests") in files and str(ROOT / "resources") in files
    assert str(Path.home()) not in files and str(ROOT) not in files and "/" not in files


def test_the_means_of_the_system_are_those_that_linux_reports() -> None:
    cell = available_restrictions()
    assert cell.landlock == linux.landlock_version() and cell.seccomp == linux.can_filter_calls()
    assert not cell.profile and not cell.job
