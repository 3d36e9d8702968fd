from __future__ import annotations

import os
import signal
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dupfinder.base.errors import IndexFileError
from dupfinder.base.progress import LatestProgress, Stopped
from dupfinder.engine.batch import BatchPairs, SourcePart, batch, parts_of
from dupfinder.engine.prints import PrintFile, save_prints
from dupfinder.index.design import named_design
from dupfinder.processes.crew import Crew
from tests.index.making import Fingerprints, planted, random_fingerprints


def by_brute_force(new: Fingerprints, old: Fingerprints, radius: int) -> list[tuple[int, int, int]]:
    distance = np.bitwise_count(new[:, None] ^ old[None, :])
    return [(int(i), int(j), int(distance[i, j])) for i, j in zip(*np.nonzero(distance <= radius), strict=True)]


def triples(pairs: BatchPairs) -> list[tuple[int, int, int]]:
    return list(zip(pairs.new.tolist(), pairs.old.tolist(), pairs.distance.tolist(), strict=True))


def new_and_old() -> tuple[Fingerprints, Fingerprints]:
    fingerprints = planted(6000, 3)
    return fingerprints[:400], fingerprints[400:]


def partitions(folder: Path, old: Fingerprints) -> list[Path]:
    paths = []
    for number, piece in enumerate(np.array_split(old, 3)):
        paths.append(folder / f"part-{number}.npy")
        np.save(paths[-1], piece)
    return paths


@pytest.mark.parametrize("radius", [0, 3, 6])
def test_the_batch_finds_exactly_what_brute_force_finds(tmp_path: Path, radius: int) -> None:
    new, old = new_and_old()
    expected = by_brute_force(new, old, radius)
    assert triples(batch(new, parts_of(partitions(tmp_path, old), 700), radius)) == expected
    assert triples(batch(new, parts_of([old[:100], old[100:]], 999), radius)) == expected


@pytest.mark.parametrize("name", ["10", "20"])
def test_the_design_of_the_tables_does_not_change_the_pairs(name: str) -> None:
    new, old = new_and_old()
    assert triples(batch(new, parts_of([old]), 3, design=named_design(name))) == by_brute_force(new, old, 3)


def test_a_crew_of_processes_finds_the_same(tmp_path: Path) -> None:
    new, old = new_and_old()
    parts = parts_of(partitions(tmp_path, old), 1000)
    with Crew(2) as crew:
        assert triples(batch(new, parts, 3, crew=crew)) == triples(batch(new, parts, 3))


@dataclass(frozen=True, slots=True)
class Deadly(SourcePart):
    """A part whose first process is killed while it reads; the file `mark` shows the next one that this happened."""

    mark: Path

    def load(self) -> NDArray[np.unsignedinteger]:
        if not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return SourcePart.load(self)


def test_a_part_whose_process_dies_is_done_again(tmp_path: Path) -> None:
    new, old = new_and_old()
    parts = parts_of([old], 1500)
    part = parts[1]
    parts[1] = Deadly(part.source, part.start, part.stop, part.first_row, tmp_path / "mark")
    with Crew(2) as crew:
        assert triples(batch(new, parts, 3, crew=crew)) == by_brute_force(new, old, 3)
    assert (tmp_path / "mark").exists()


def test_files_that_cannot_be_read_in_parts_are_decoded_once(tmp_path: Path) -> None:
    new, old = new_and_old()
    save_prints(tmp_path / "old.npz", PrintFile(old))
    parts = parts_of([tmp_path / "old.npz"], 700)
    (tmp_path / "old.npz").unlink()
    assert triples(batch(new, parts, 3)) == by_brute_force(new, old, 3)


def test_a_partition_that_is_gone_ends_the_batch_with_its_name(tmp_path: Path) -> None:
    new, old = new_and_old()
    paths = partitions(tmp_path, old)
    parts = parts_of(paths)
    paths[1].unlink()
    for processes in (1, 2):
        with Crew(processes) as crew, pytest.raises(IndexFileError) as caught:
            batch(new, parts, 3, crew=crew)
        assert caught.value.path == paths[1]


def test_a_batch_can_be_stopped() -> None:
    new, old = new_and_old()
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        batch(new, parts_of([old], 500), 3, reporter=reporter)


def test_nothing_new_or_nothing_old_gives_no_pairs() -> None:
    some = random_fingerprints(10, 64)
    assert len(batch(some[:0], parts_of([some]), 3)) == len(batch(some, parts_of([some[:0]]), 3)) == 0
