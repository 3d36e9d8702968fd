"""Run as a program in its own mount namespace: 80 copies in one folder that is also seen through a second mount.

Arguments: a scratch folder and the kind of second mount. Ends with UNAVAILABLE where that mount cannot be made, and
with an AssertionError where a file went although its only copy was the same file by the other path.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from dupfinder.actions.apply import carry_out
from dupfinder.actions.journal import Journal
from dupfinder.actions.outcome import RefusalKind
from dupfinder.actions.plan import Plan, Verb
from dupfinder.base.details import ProblemKind
from dupfinder.library.library import LibraryFile
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Role, Root, ScanRequest
from tests.actions.making import alike, contents, plan_of, step, write

COUNT = 80
UNAVAILABLE = 77


def run(*command: str) -> None:
    if shutil.which(command[0]) is None or subprocess.run(command, stdout=subprocess.DEVNULL).returncode != 0:
        sys.exit(UNAVAILABLE)


def overlay(scratch: Path, lower: Path, upper: Path, view: Path) -> None:
    work = scratch / "work"
    work.mkdir()
    run("mount", "-t", "overlay", "overlay", "-o", f"lowerdir={lower},upperdir={upper},workdir={work}", str(view))


def by_overlay_below(scratch: Path, docs: Path, view: Path) -> None:
    """The folder is the lower layer: inode, size and times of both views are equal, the devices differ."""
    (scratch / "upper").mkdir()
    overlay(scratch, docs, scratch / "upper", view)


def by_overlay_copied_up(scratch: Path, docs: Path, view: Path) -> None:
    """The folder is the upper layer, into which the files were copied up: both device and inode differ."""
    lower = scratch / "lower"
    docs.rename(lower)
    docs.mkdir()
    overlay(scratch, lower, docs, view)
    for path in view.iterdir():
        path.chmod(0o640)


def by_bind_mount(scratch: Path, docs: Path, view: Path) -> None:
    run("mount", "--bind", str(docs), str(view))


def by_bind_mounts_of_files(scratch: Path, docs: Path, view: Path) -> None:
    for path in docs.iterdir():
        (view / path.name).touch()
        run("mount", "--bind", str(path), str(view / path.name))


def by_bindfs(scratch: Path, docs: Path, view: Path) -> None:
    run("bindfs", str(docs), str(view))


def by_two_bindfs(scratch: Path, docs: Path, view: Path) -> None:
    """Both views are file systems of their own."""
    behind = scratch / "behind"
    docs.rename(behind)
    docs.mkdir()
    run("bindfs", str(behind), str(docs))
    run("bindfs", str(behind), str(view))


KINDS: dict[str, Callable[[Path, Path, Path], None]] = {
    "overlay-below": by_overlay_below,
    "overlay-copied-up": by_overlay_copied_up,
    "bind": by_bind_mount,
    "bind-files": by_bind_mounts_of_files,
    "bindfs": by_bindfs,
    "two-bindfs": by_two_bindfs,
}


def nothing_goes(plan: Plan, docs: Path, view: Path) -> None:
    before = contents(docs)
    batch = carry_out(plan, journal=Journal(), judge=alike)
    kinds = {outcome.refusal.kind for outcome in batch.outcomes if outcome.refusal is not None}
    assert contents(docs) == contents(view) == before, f"{COUNT - len(contents(docs))} of {COUNT} are gone"
    assert len(batch.outcomes) == len(plan.steps) and kinds <= {RefusalKind.SAME_FILE, RefusalKind.OTHER_VOLUME}, kinds


def both_ways(docs: Path, view: Path, to: Path) -> None:
    names = sorted(os.listdir(docs))
    for verb in Verb:
        for left, right in ((docs, view), (view, docs)):
            some = names if verb is Verb.TRASH else names[:10]
            steps = [step(left / name, right / name, verb) for name in some]
            nothing_goes(plan_of(steps, left, right, to=to), docs, view)


def the_scan_sees_one_file(scratch: Path, docs: Path, view: Path) -> None:
    request = ScanRequest((Root(docs), Root(view, Role.PROTECT)), workers=1)
    library = scratch / "library.db"
    run_scan(request, library)
    with LibraryFile(library) as opened:
        documents = opened.result().documents
    read = [path for path, status in zip(documents.paths, documents.status, strict=True) if status == "read"]
    assert sorted(read) == sorted(str(view / name) for name in os.listdir(view)), "the protected name counts"
    if len(documents) > COUNT:  # a folder that the system itself shows to be the same is not entered again
        skipped = [status for status in documents.status if status == ProblemKind.SKIPPED]
        assert len(skipped) == len(documents) - COUNT == COUNT


if __name__ == "__main__":
    scratch, kind = Path(sys.argv[1]), sys.argv[2]
    os.environ["XDG_DATA_HOME"] = str(scratch / "share")
    os.environ["DUPFINDER_HOME"] = str(scratch / "home")
    docs, view = scratch / "docs", scratch / "view"
    view.mkdir()
    for number in range(COUNT):
        write(docs / f"letter {number}.txt", f"The whole text of letter {number}, which is like no other.".encode())
    KINDS[kind](scratch, docs, view)
    both_ways(docs, view, scratch / "to")
    if kind != "overlay-copied-up":  # nothing but an act shows that those are one
        the_scan_sees_one_file(scratch, docs, view)
    print("all")
