"""A crew whose parts of a calculation are done on the workers of a Dask cluster.

Arrays are shared by files in a folder that all machines see and may write into, as a crew of one machine shares them by
files in a temporary folder. So the same calculations run on both, with the same results.
"""

from __future__ import annotations

import os
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self, TypeVar

from dupfinder.base.details import error_name
from dupfinder.base.errors import ClusterError, Fault
from dupfinder.base.paths import OWN_PREFIX
from dupfinder.engine.remote import Cluster, Refusal
from dupfinder.processes.crew import Crew

T = TypeVar("T")
R = TypeVar("R")


@contextmanager
def scratch_folder(cluster: Cluster, place: Path) -> Iterator[Path]:
    """Create a folder below `place` for the length of a block, which every worker can read and write.

    Raises ClusterError for the first worker that cannot, or if this machine cannot.
    """
    try:
        temporary = tempfile.TemporaryDirectory(prefix=OWN_PREFIX, dir=place.absolute(), ignore_cleanup_errors=True)
    except OSError as error:
        raise ClusterError(Fault.NO_SCRATCH_HERE, path=place, reason=error_name(error)) from error
    with temporary as name:
        folder, word = Path(name), uuid.uuid4().hex
        try:
            (folder / "mark").write_text(word)
        except OSError as error:
            raise ClusterError(Fault.NO_SCRATCH_HERE, path=place, reason=error_name(error)) from error
        cluster.ask(refusal_of_scratch, folder, word)
        yield folder


def refusal_of_scratch(folder: Path, word: str) -> Refusal | None:
    """Tell whether this worker sees a folder with its mark, and may write into it. Runs on a worker."""
    facts: dict[str, object] = {"path": folder.parent}
    try:
        if (folder / "mark").read_text() != word:
            return Refusal(Fault.NO_SCRATCH, {**facts, "reason": "ENOENT"})
        (folder / f"{uuid.uuid4().hex}.tried").write_text(word)
    except OSError as error:
        return Refusal(Fault.NO_SCRATCH, {**facts, "reason": error_name(error)})
    return None


class RemoteCrew(Crew):
    """A crew of all threads of a cluster's workers. folder: of `scratch_folder`; files are in a folder in it."""

    def __init__(self, cluster: Cluster, folder: Path) -> None:
        super().__init__(max(2, cluster.threads))
        self._cluster = cluster
        self._place = folder

    def __enter__(self) -> Self:
        self._folder = self._place / uuid.uuid4().hex
        os.mkdir(self._folder, 0o700)
        return self

    def run(self, work: Callable[[T], R], tasks: Iterable[T], check: Callable[[], None]) -> Iterator[R]:
        """Yield work(task) for each task, in the order of the tasks, as `Crew.run` does. Raises ClusterError too."""
        waiting: dict[int, Any] = {}
        turn = 0
        for (number, _), answered in self._cluster.map(_done, enumerate(tasks), work, check):
            waiting[number] = answered.value
            while turn in waiting:
                yield waiting.pop(turn)
                turn += 1


def _done(item: tuple[int, T], work: Callable[[T], R]) -> R:
    """Do one task on a worker."""
    return work(item[1])
