"""Run as a program: every act on documents, by the command line, in a scratch folder that is the only argument.

Prints what each command says, its exit code and what is on the disk after it, without moments and names of removals, so
that two runs in different surroundings can be compared.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

from dupfinder.actions.places import Place
from dupfinder.actions.trash import FreedesktopTrash
from dupfinder.base.stamp import FileStamp
from dupfinder.cli.main import main
from tests import making
from tests.scan.documents import prose, put, revised

CHANGING = re.compile(
    r"\d{8}T\d{6}-[0-9a-f]+|\d{4}-\d\d-\d\d \d\d:\d\d(?: UTC)?|\d{1,2} \w+ \d{4}, \d\d:\d\d"
    r"|\d+(?:\.\d+)? (?:ms|s|seconds?)\b"
)
LIBRARY = re.compile(r"[\d,.]+ (?:bytes|KB|MB)")
COLUMNS = re.compile(r" +")


class NoTrash(FreedesktopTrash):
    """A volume without a trash: files go to the quarantine."""

    def places(self, victim: FileStamp) -> Iterator[Place]:
        return iter(())


def do(scratch: Path, *arguments: str | Path) -> None:
    """One command, and the documents after it."""
    print("$", *arguments, flush=True)
    code = main([str(argument) for argument in arguments])
    sys.stdout.flush()
    print("ended with", code)
    for path in sorted((scratch / "docs").rglob("*")):
        if path.is_file():
            status = path.stat()
            content = hashlib.blake2b(path.read_bytes(), digest_size=8).hexdigest()
            print("   ", ascii(str(path.relative_to(scratch))), content, status.st_mtime_ns, status.st_nlink)


def acts(scratch: Path) -> None:
    """Scan, and remove and take back by every way."""
    docs, plan = scratch / "docs", scratch / "plan.json"
    put(docs / "letter.txt", making.txt(prose(1)))
    put(docs / "copies" / "letter.txt", making.txt(prose(1)))
    put(docs / "letter.html", making.html(prose(1)))
    put(docs / "letter 2.txt", making.txt(revised(prose(1), 2)))
    put(docs / "two\nlines.txt", making.txt(prose(2)))
    put(docs / "版本.html", making.html(prose(2)))
    put(docs / "other.txt", making.txt(prose(3)))
    for path in docs.rglob("*.*"):
        os.utime(path, ns=(10**18, 10**18 + 123_456_789))
    rules = ("--keep", "shortest-path", "--keep", "plain-name")
    do(scratch, "scan", docs, "--workers", "1", "--progress", "none")
    ways: tuple[tuple[str | Path, ...], ...] = (
        ("trash",), ("move", "--destination", scratch / "moved"), ("hardlink",)
    )  # fmt: skip
    for way in ways:
        kinds = "identical" if way == ("hardlink",) else "identical,same-text,version"
        do(scratch, "select", *rules, "--kinds", kinds, "--verb", *way, "--to", plan)
        do(scratch, "apply", plan, "--dry-run", "--progress", "none")
        do(scratch, "apply", plan, "--yes", "--progress", "none")
        do(scratch, "undo", "--progress", "none")
        do(scratch, "scan", docs, "--workers", "1", "--progress", "none")
    do(scratch, "select", *rules, "--to", plan)
    with mock.patch("dupfinder.actions.apply.system_trash", NoTrash):
        do(scratch, "apply", plan, "--progress", "none")
        do(scratch, "quarantine", "show")
        do(scratch, "undo", "--progress", "none")
        do(scratch, "scan", docs, "--workers", "1", "--progress", "none")
        do(scratch, "select", *rules, "--to", plan)
        do(scratch, "apply", plan, "--progress", "none")
    do(scratch, "quarantine", "empty", "--yes", "--progress", "none")
    do(scratch, "history", "--files")
    do(scratch, "recover", docs)
    do(scratch, "library", "check")
    do(scratch, "library", "clear", "--yes")


def alike(said: str, scratch: Path) -> list[str]:
    """What was said, without what differs between two runs that do the same."""
    lines = said.replace(str(scratch), "SCRATCH").splitlines()
    return [COLUMNS.sub(" ", LIBRARY.sub("BYTES", CHANGING.sub("...", line))) for line in lines]


if __name__ == "__main__":
    place = Path(sys.argv[1])
    os.environ.update(HOME=str(place), XDG_DATA_HOME=str(place / "share"), DUPFINDER_HOME=str(place / "home"))
    acts(place)
