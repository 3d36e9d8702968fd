"""An index in a folder that grows and forgets: runs are merged as they accumulate.

New fingerprints are written as a new run. Removed rows are listed apart, and dropped when their run is merged. A
process that is killed loses at most its own batch: a change takes effect when the manifest is replaced, and the next
change deletes files that the manifest does not name. Several processes may read while one changes.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import Fault, IndexFileError, IndexLocked, InputError
from dupfinder.base.files import UNFINISHED, Lock, LockTaken, flush_folder, raising_disk_full, unfinished_path
from dupfinder.base.progress import SILENT, Progress, Reporter, Stage
from dupfinder.engine.blocks import check_design
from dupfinder.engine.coding import Coding
from dupfinder.engine.folder import MANIFEST, FolderReader, IndexSummary, Manifest, removed_name
from dupfinder.engine.sorted_run import Recipe, Run, merge_runs, write_file, write_run
from dupfinder.index.design import TableDesign
from dupfinder.index.words import width_of

_FILE: Final = r"(run-\d{6,}(-\d{3,}-\d{5,}\.dft|\.(rows|ends|paths))|removed-\d{6,})"
_OURS: Final = re.compile(rf"{_FILE}|\.({_FILE}|{MANIFEST}){UNFINISHED}")
_BATCH_ROWS: Final = 1 << 23  # fingerprints of a new run, sorted in memory
_MOST_ROWS: Final = 2**32 - 1
_FAN: Final = 3  # a run is merged when the newer ones have so many times its rows; so each row at most log_4(n) times
_MOST_REMOVED: Final = 4  # all runs are merged when more than one in this many rows is removed


def write_index(
    folder: Path,
    fingerprints: NDArray[np.unsignedinteger],
    design: TableDesign,
    *,
    coding: Coding = Coding.XOR,
    paths: Sequence[str] | None = None,
    made_by: str = "",
    reporter: Reporter = SILENT,
) -> IndexSummary:
    """Write an index into a new folder, which appears when all is written.

    paths: one for each fingerprint. made_by: how the fingerprints were made; others are then rejected.
    Raises IndexFileError when the folder exists, DiskFullError, OSError, Stopped, and ValueError for fingerprints or a
    design of 128 bits.
    """
    check_design(fingerprints, design)
    if os.path.lexists(folder):
        raise IndexFileError(folder, Fault.EXISTS)
    new_folder = unfinished_path(folder)
    try:
        with raising_disk_full(folder):
            new_folder.mkdir()
            manifest = Manifest(design.bits, design.radius, design.name, coding.value, made_by)
            write_file(new_folder / MANIFEST, [manifest.packed()])
            with FolderIndex(new_folder) as index:
                index.add(fingerprints, paths, made_by=made_by, reporter=reporter)
                summary = index.facts()
            os.rename(new_folder, folder)
    finally:
        shutil.rmtree(new_folder, ignore_errors=True)
    return summary


class FolderIndex(FolderReader):
    """An index in a folder, open to be queried and changed; a context manager, for one thread.

    A change is complete when its call returns; until then nothing of it is seen. Row numbers are given in the order of
    adding, and never used again.
    """

    def add(
        self,
        fingerprints: NDArray[np.unsignedinteger],
        paths: Sequence[str] | None = None,
        *,
        replace_paths: bool = False,
        made_by: str = "",
        reporter: Reporter = SILENT,
    ) -> range:
        """Add fingerprints, all or none, and return their rows.

        paths: one for each; "" for none. replace_paths: remove earlier rows with the same paths in the same step.
        made_by: how the fingerprints were made, "" if unknown; an index without rows adopts it.
        Raises ValueError for fingerprints of another width, InputError for those made in another way, IndexLocked while
        another process changes the index, IndexFileError, DiskFullError, OSError, Stopped.
        """
        if width_of(fingerprints) != self.design.bits:
            raise ValueError(f"the index holds fingerprints of {self.design.bits} bits")
        if paths is not None and (len(paths) != len(fingerprints) or any("\0" in path for path in paths)):
            raise ValueError("paths are as many as fingerprints, and without zero bytes")
        with self._changing():
            manifest = self._manifest
            if made_by and manifest.made_by and made_by != manifest.made_by:
                raise InputError(Fault.OTHER_FINGERPRINTS, left=manifest.made_by, right=made_by)
            rows = range(manifest.next_row, manifest.next_row + len(fingerprints))
            if rows.stop > _MOST_ROWS:
                raise ValueError(f"an index gives at most {_MOST_ROWS} row numbers")
            replaced = self._rows_of({os.fsencode(path): path for path in paths}) if paths and replace_paths else {}
            runs = self._write_runs(fingerprints, paths, reporter)
            changed = replace(
                manifest, made_by=manifest.made_by or (made_by if rows.start == 0 else ""), next_row=rows.stop,
                next_number=manifest.next_number + len(runs), runs=(*manifest.runs, *runs),
            )  # fmt: skip
            self._commit(changed, self._with_removed(row for old_rows in replaced.values() for row in old_rows))
            self._tidy(reporter)
        return rows

    def _write_runs(
        self, fingerprints: NDArray[np.unsignedinteger], paths: Sequence[str] | None, reporter: Reporter
    ) -> list[Run]:
        """Write new fingerprints as runs that the manifest does not name yet, each small enough to sort in memory."""
        runs: list[Run] = []
        parts = max(1, -(-len(fingerprints) // _BATCH_ROWS))
        bounds = [len(fingerprints) * part // parts for part in range(parts + 1)]
        for start, stop in pairwise(bounds):
            reporter.tell(Progress(Stage.WRITE, start, len(fingerprints)))
            names = None if paths is None else paths[start:stop]
            number, first_row = self._manifest.next_number + len(runs), self._manifest.next_row + start
            if stop > start:
                runs.append(write_run(self._recipe(reporter), number, first_row, fingerprints[start:stop], names))
        return runs

    def remove(self, rows: Iterable[int], *, reporter: Reporter = SILENT) -> None:
        """Remove rows, all or none. Raises KeyError for a row that is not in the index, and errors as `add`."""
        listed = list(rows)
        if outside := [row for row in listed if not 0 <= row < _MOST_ROWS]:
            raise KeyError(outside[0])
        with self._changing():
            self._require(np.array(listed, np.uint32))
            self._commit(self._manifest, self._with_removed(listed))
            self._tidy(reporter)

    def merge(self, *, reporter: Reporter = SILENT) -> None:
        """Merge all runs into one without the removed rows: smaller and faster to query. Raises as `add`."""
        with self._changing():
            if len(self._manifest.runs) > 1 or len(self._removed):
                self._merge(0, reporter)

    def _with_removed(self, rows: Iterable[int]) -> NDArray[np.uint32]:
        """Return the removed rows together with others, ascending."""
        return np.union1d(self._removed, np.array(list(rows), np.uint32))

    @contextlib.contextmanager
    def _changing(self) -> Iterator[None]:
        """Hold the lock for the length of a block, in the newest state; delete what earlier or failed changes left."""
        try:
            with Lock(self.folder / "lock", self.folder / "holder").held():
                self._refresh()
                self._sweep()
                try:
                    yield
                except BaseException:  # also a stop: files of a change that was not committed must go
                    self._sweep()
                    raise
        except LockTaken as other:
            raise IndexLocked(self.folder, other.holder) from None

    def _commit(self, manifest: Manifest, removed: NDArray[np.uint32]) -> None:
        """Write the manifest, with all removed rows, ascending. When this returns, the change is complete."""
        if not len(removed):
            manifest = replace(manifest, removed=None)
        elif len(removed) != len(self._removed):
            number = manifest.next_number
            file = write_file(self.folder / removed_name(number), [removed.astype("<u4").tobytes()])
            manifest = replace(manifest, removed=file, removed_number=number, next_number=number + 1)
        flush_folder(self.folder)
        write_file(self.folder / MANIFEST, [manifest.packed()])
        flush_folder(self.folder)
        self._refresh()

    def _tidy(self, reporter: Reporter) -> None:
        """Merge a run with all newer ones if these have _FAN times its rows; all runs if many rows are removed."""
        counts = [run.count for run in self._manifest.runs]
        if len(self._removed) * _MOST_REMOVED > sum(counts):
            self._merge(0, reporter)
            return
        for first in range(len(counts)):
            if counts[first] * _FAN <= sum(counts[first + 1 :]):
                self._merge(first, reporter)
                return
        self._sweep()

    def _merge(self, first: int, reporter: Reporter) -> None:
        """Replace the runs from index `first` on by one run without removed rows."""
        manifest = self._manifest
        runs = manifest.runs[first:]
        ranges = [self._ranges_of(run) for run in runs]
        paths = self._present_paths(runs) if any(run.paths is not None for run in runs) else None
        run = merge_runs(self._recipe(reporter), manifest.next_number, runs, ranges, paths, self._removed)
        changed = replace(
            manifest, next_number=manifest.next_number + 1, runs=manifest.runs[:first] + ((run,) if run else ())
        )
        self._commit(changed, self._removed[self._removed < runs[0].low])
        self._sweep()

    def _recipe(self, reporter: Reporter) -> Recipe:
        return Recipe(self.folder, self.design, Coding(self._manifest.coding), reporter.check)

    def _sweep(self) -> None:
        """Delete files of the index that the manifest does not name."""
        self._refresh()  # an interrupted change may have replaced the manifest
        known = self._manifest.files()
        with contextlib.suppress(OSError):
            for name in os.listdir(self.folder):
                if name not in known and _OURS.fullmatch(name):
                    with contextlib.suppress(OSError):  # Windows deletes no open file; the next change tries again
                        (self.folder / name).unlink()
