"""Work on a Dask cluster: who may work, and what becomes of work whose worker or scheduler is lost."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.base.errors import ClusterError, Fault
from dupfinder.engine.remote import (
    LIBRARIES,
    DaskCluster,
    WorkerRefusal,
    landmarks_of,
    own_build,
    refusal_of,
    refusal_of_roots,
)
from tests.engine.dask_trial import Trial

PROJECT = Path(__file__).resolve().parents[2] / "pyproject.toml"


def test_every_library_that_must_be_equal_is_one_that_the_program_needs() -> None:
    needed = PROJECT.read_text(encoding="utf-8").split("dependencies = [", 1)[1].split("]", 1)[0]
    assert [name for name in LIBRARIES if f'"{name}>=' not in needed] == []
    assert all(number for _, number in own_build().versions)


def test_a_worker_of_the_same_build_may_work() -> None:
    assert refusal_of(own_build()) is None


def test_a_worker_of_another_build_refuses_and_names_what_differs() -> None:
    build = own_build()
    older = tuple((name, "1.0" if name == "lxml" else number) for name, number in build.versions)
    here = dict(build.versions)["lxml"]
    refusal = refusal_of(replace(build, versions=older))
    assert refusal == WorkerRefusal(Fault.OTHER_PROGRAM, {"name": "lxml", "there": here, "here": "1.0"})
    assert refusal_of(replace(build, source="another")) == WorkerRefusal(Fault.OTHER_SOURCE)


def folder_of(place: Path, count: int) -> Path:
    """A folder of `count` files, half of them in a folder below it."""
    (place / "below").mkdir(parents=True)
    for number in range(count):
        (place / ("below" if number % 2 else "") / f"{number}.txt").write_text(f"text {number}")
    return place


def test_a_folder_that_is_seen_alike_is_known_by_its_landmarks(tmp_path: Path) -> None:
    landmarks = landmarks_of([folder_of(tmp_path / "docs", 30), tmp_path / "docs" / "2.txt"])
    assert refusal_of_roots(landmarks) is None
    (tmp_path / "docs" / "0.txt").write_text("one file in thirty may change meanwhile")
    assert refusal_of_roots(landmarks) is None


def test_a_worker_that_does_not_see_a_folder_or_sees_another_one_refuses(tmp_path: Path) -> None:
    root = folder_of(tmp_path / "docs", 12)
    landmarks = landmarks_of([root])
    root.rename(tmp_path / "away")
    assert refusal_of_roots(landmarks) == WorkerRefusal(Fault.NO_SHARE, {"path": root, "reason": "ENOENT"})
    root.mkdir()
    assert refusal_of_roots(landmarks) == WorkerRefusal(Fault.OTHER_SHARE, {"path": root})
    root.rmdir()
    folder_of(root, 12)
    for path in root.rglob("*.txt"):
        path.write_text(path.read_text().replace("text", "word"))
    assert refusal_of_roots(landmarks) == WorkerRefusal(Fault.OTHER_SHARE, {"path": root})


# Work for the workers, which here are threads of this process.
def squared(item: int, given: int) -> int:
    return given * item * item


def refused(item: int, given: None) -> WorkerRefusal:
    return WorkerRefusal(Fault.READERS_FAIL)


@pytest.fixture
def trial() -> Iterator[Trial]:
    """Two workers."""
    made = Trial(2)
    yield made
    made.dask.close()


@pytest.mark.filterwarnings("ignore")
def test_work_goes_on_when_workers_and_the_scheduler_end_and_come_back(trial: Trial) -> None:
    done: dict[int, int] = {}
    with DaskCluster(trial.address) as cluster:
        for item, answered in cluster.map(squared, range(40), 3):
            assert item not in done
            done[item] = answered.value
            match len(done):
                case 5:
                    trial.end_workers(1)
                case 15:
                    trial.end_workers(0)
                    trial.dask.scale(2)
                case 25:
                    trial.dask.close()
                    trial.begin(2)
    assert done == {item: 3 * item * item for item in range(40)}


@pytest.mark.filterwarnings("ignore")
def test_workers_that_stay_away_end_the_work_with_an_error_of_its_own(trial: Trial) -> None:
    with DaskCluster(trial.address, patience=0.5) as cluster:
        results = cluster.map(squared, range(400), 1)
        next(results)
        trial.end_workers(0)
        with pytest.raises(ClusterError) as raised:
            list(results)
    assert raised.value.fault is Fault.WORKERS_LOST


@pytest.mark.filterwarnings("ignore")
def test_a_scheduler_that_stays_away_ends_the_work_with_an_error_of_its_own(trial: Trial) -> None:
    with DaskCluster(trial.address, patience=0.5) as cluster:
        results = cluster.map(squared, range(400), 1)
        next(results)
        trial.dask.close()
        with pytest.raises(ClusterError) as raised:
            list(results)
    assert raised.value.fault is Fault.SCHEDULER_LOST


@pytest.mark.filterwarnings("ignore")
def test_a_refusal_names_its_worker_and_a_stop_is_heard(trial: Trial) -> None:
    with DaskCluster(trial.address) as cluster:
        with pytest.raises(ClusterError) as raised:
            list(cluster.map(refused, range(3), None))
        assert raised.value.fault is Fault.READERS_FAIL and str(raised.value.facts["worker"]).startswith("tcp://")
        with pytest.raises(KeyboardInterrupt):
            list(cluster.map(squared, range(3), 1, interrupted))


def interrupted() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("address", ["nowhere", "foo://1.2.3.4:5", "", "tls://127.0.0.1:1"])
@pytest.mark.filterwarnings("ignore")
def test_an_address_that_cannot_be_one_is_refused_at_once(address: str) -> None:
    pytest.importorskip("distributed")
    with pytest.raises(ClusterError) as raised:
        DaskCluster(address)
    assert raised.value.fault is Fault.NO_SCHEDULER
