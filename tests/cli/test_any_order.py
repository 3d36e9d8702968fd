"""Verbs and changes of a folder in any order: nothing is lost, undo leads back, and a scan is one from nothing."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from tests import making
from tests.actions.making import contents
from tests.cli.shell import Said, Shell
from tests.end_to_end.program import accounted, without_times
from tests.scan.documents import prose, put, revised

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the trash of a temporary home is Linux's")

NAMES = (
    b"a",
    b"new\nline",
    b'quo"te',
    b"it's",
    b"caf\xe9\xff",
    "版本".encode(),
    b"-dash",
    b"\x1b[31m",
    b".hidden",
    b"x ",
)
ENDINGS = (".txt", ".html", ".docx", ".zip")
RULES = ("newest", "oldest", "largest", "smallest", "richer-format", "plain-name", "shortest-path", "most-text")
KINDS = ("identical", "identical,same-text", "version", "identical,same-text,same-words,version,part")
OPTIONS = (("--all-files",), ("--no-archives",), ("--no-hidden",), ("--radius", "8"), ("--exclude", "*.html"))


def document(text: list[str], ending: str) -> bytes:
    if ending == ".zip":
        return making.zipped({"in.txt": making.txt(text), "again/in.txt": making.txt(text)})
    if ending == ".docx":
        return making.docx(text)
    return making.html(text) if ending == ".html" else making.txt(text)


def state(docs: Path) -> dict[str, tuple[bytes | str, int, int]]:
    """Bytes, mode and time of each file, and where each link leads."""
    return {
        os.path.relpath(path, docs): (
            (os.readlink(path), 0, 0)
            if path.is_symlink()
            else (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        )
        for path in docs.rglob("*")
        if path.is_symlink() or path.is_file()
    }


class Work:
    """A person who changes a folder at random, and gives commands."""

    def __init__(self, folder: Path, run: Shell, chance: Random) -> None:
        self.folder, self.docs, self.run, self.chance = folder, folder / "docs", run, chance
        self.docs.mkdir()

    def say(self, *arguments: str | Path, codes: tuple[int, ...] = (0,)) -> Said:
        said = self.run(*arguments)
        assert said.code in codes, (arguments, said)
        return said

    def some_path(self, ending: str) -> Path:
        folder = self.docs / self.chance.choice(["", "sub", "sub/deep"])
        return folder / (os.fsdecode(self.chance.choice(NAMES)) + ending)

    def change(self) -> None:
        """Make, copy, move, edit, link or remove a file, or put a folder in its place."""
        act = self.chance.choice(
            ["make", "make", "make", "copy", "copy", "move", "edit", "link", "name", "remove", "folder"]
        )
        files = sorted(path for path in self.docs.rglob("*") if path.is_file() and not path.is_symlink())
        file = self.chance.choice(files) if files else None
        if act == "make" or file is None:
            text, ending = prose(self.chance.randrange(3)), self.chance.choice(ENDINGS)
            text = revised(text, self.chance.randrange(9)) if self.chance.random() < 0.4 else text
            self.put(self.some_path(ending), document(text, ending))
            return
        target = self.some_path(file.suffix)
        if act == "edit":
            file.write_bytes(file.read_bytes()[:-1] + b"?")
        elif act in ("remove", "folder"):
            file.unlink()
            if act == "folder":
                put(file / "in.txt", making.txt(prose(1)))
        elif not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            if act == "copy":
                put(target, file.read_bytes())
            elif act == "move":
                file.rename(target)
            elif act == "link":
                target.symlink_to(file)
            else:
                os.link(file, target)

    def put(self, path: Path, data: bytes) -> None:
        if not path.is_dir() and not path.is_symlink():
            put(path, data)

    def scan(self) -> None:
        """Scan after changes, and from nothing: the reports are the same."""
        options = self.chance.choice([(), *OPTIONS])
        reports = [self.folder / "again.json", self.folder / "anew.json"]
        for report, library in zip(reports, [(), ("--library", self.folder / "anew.db")], strict=True):
            self.say("scan", self.docs, *options, "-q", "--workers", "1", "--report", report, *library)
            accounted(report)
        self.say("library", "clear", "--yes", "--library", self.folder / "anew.db")
        assert without_times(reports[0]) == without_times(reports[1])

    def remove(self) -> None:
        """Remove by rules, changes coming between; every content is somewhere, and undo leads back."""
        plan, chance = self.folder / "plan.json", self.chance
        verb = chance.choice([("trash",), ("move", "--destination", self.folder / "moved"), ("hardlink",)])
        kinds = KINDS[0] if verb == ("hardlink",) else chance.choice(KINDS)
        rules = [word for rule in chance.sample(RULES, 2) for word in ("--keep", rule)]
        self.say("select", *rules, "--kinds", kinds, "--verb", *verb, "--to", plan, codes=(0, 2))
        if not plan.exists():
            return
        if chance.random() < 0.4:
            self.change()
        before = state(self.docs)
        self.say("apply", plan, "--dry-run", codes=(0, 5))
        assert state(self.docs) == before
        self.say("apply", plan, "--yes", codes=(0, 5))
        documents = {data for data, _, _ in before.values() if isinstance(data, bytes)}
        assert documents <= set(contents(self.folder).values()), "some content is nowhere"
        if chance.random() < 0.7 and state(self.docs) != before:
            self.say("undo")
            assert state(self.docs) == before
        plan.unlink()


@pytest.mark.parametrize("seed", range(3))
def test_in_any_order_nothing_is_lost_and_scans_again_are_scans_from_nothing(
    seed: int, tmp_path: Path, run: Shell
) -> None:
    work = Work(tmp_path, run, Random(seed))
    for _ in range(8):
        work.change()
    for _ in range(3):
        for _ in range(work.chance.randrange(4)):
            work.change()
        work.scan()
        work.remove()
    work.say("history", "--files")
    work.say("library", "check")
