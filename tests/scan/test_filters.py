"""Filters choose files by name, size and time; patterns mean what they mean in .gitignore."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path, PurePath

import pytest

from dupfinder.base.details import Clause, details
from dupfinder.base.stamp import FileStamp
from dupfinder.scan.fingerprinting import fingerprint_files
from dupfinder.scan.request import FileFilters, Role, Root, ScanRequest, check_pattern
from tests import making
from tests.scan.documents import prose, put
from tests.scan.test_walk import make, read, walked

PATHS = (
    "a.txt", "b.pdf", "!odd.txt", "new/a.txt", "new/old/a.txt", "old/b.pdf", "new/old/deep/c.md", "drafts/a.txt",
    "new/drafts/x.txt", "a b.txt", "[1].txt", "1.txt", "new/.hidden/a.txt", "a/b", "a/x/b", "a/x/y/b", "x/a/b",
    "back\\slash",
)  # fmt: skip
PATTERNS = (
    ["*.txt"], ["/a.txt"], ["old/"], ["new/old"], ["**/old"], ["old/**"], ["new/**/a.txt"], ["a/**/b"], ["/drafts"],
    ["drafts"], ["*", "!a.txt"], ["*.txt", "!a.txt"], ["old/", "!old/b.pdf"], ["\\!odd.txt"], ["[!a-z].txt"], ["?.txt"],
    ["[[]1].txt"], ["[a-c].*"], ["*/a.txt"], ["**"], ["new/*"], ["a*b"], ["a b.txt"], [".hidden"], ["a/b/"],
    ["back\\\\slash"], ["\\[1\\].txt"], ["[]1].txt"], ["[!]a].txt"], ["[^]a].txt"], ["[\\]1].txt"],
    ["a**b"], ["/***/a.txt"],
)  # fmt: skip


@pytest.mark.skipif(shutil.which("git") is None or os.name != "posix", reason="git is the judge")
@pytest.mark.parametrize("patterns", PATTERNS, ids=" ".join)
def test_patterns_leave_out_what_git_ignores(tmp_path: Path, patterns: list[str]) -> None:
    for path in PATHS:
        make(tmp_path / path)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("\n".join(patterns) + "\n")
    asked = subprocess.run(
        ["git", "-C", tmp_path, "check-ignore", "--no-index", "-z", "--stdin"],
        input="\0".join(PATHS), capture_output=True, text=True, check=False,
    )  # fmt: skip
    entries = walked(tmp_path, filters=FileFilters(exclude=tuple(patterns)))
    kept = {
        os.path.relpath(path, tmp_path)
        for path, entry in entries.items()
        if entry.details != details(Clause.EXCLUDED_PATTERN)
    }
    assert set(PATHS) - kept == set(asked.stdout.split("\0")) - {""}
    every = FileFilters(exclude=tuple(patterns))
    assert {path for path in PATHS if every.refusal(PurePath(path), FileStamp(Path(path), 1, 1, 1, 1, 1))} == set(
        PATHS
    ) - kept


def test_of_patterns_to_include_a_file_is_one_and_what_is_excluded_stays_out(tmp_path: Path) -> None:
    for name in ("a.txt", "b.md", "c.pdf", "old/a.txt", "old/keep/d.txt"):
        make(tmp_path / name)
    entries = walked(tmp_path, filters=FileFilters(include=("*.txt", "*.md"), exclude=("/old/*.txt",)))
    assert read(entries, tmp_path) == {"a.txt", "b.md", "old/keep/d.txt"}
    assert entries[str(tmp_path / "c.pdf")].details == details(Clause.OTHER_PATTERNS)
    assert walked(tmp_path, filters=FileFilters(exclude=("old/",))).keys() == {
        str(tmp_path / n) for n in ("a.txt", "b.md", "c.pdf")
    }


def test_patterns_are_relative_to_the_folder_that_was_named(tmp_path: Path) -> None:
    for name in ("one/a.txt", "one/sub/a.txt", "two/a.txt"):
        make(tmp_path / name)
    roots = (tmp_path / "one", Root(tmp_path / "two", Role.PROTECT))
    entries = walked(*roots, filters=FileFilters(exclude=("/a.txt",)))
    assert read(entries, tmp_path) == {"one/sub/a.txt"}
    assert read(walked(tmp_path / "two" / "a.txt", filters=FileFilters(include=("a.*",))), tmp_path) == {"two/a.txt"}


@pytest.mark.parametrize("role", [Role.SCAN, Role.PROTECT])
def test_of_folders_in_one_another_patterns_are_relative_to_the_innermost(tmp_path: Path, role: Role) -> None:
    for name in ("drafts/a.txt", "in/drafts/b.txt", "in/sub/drafts/c.txt"):
        make(tmp_path / name)
    entries = walked(tmp_path, Root(tmp_path / "in", role), filters=FileFilters(exclude=("/drafts",)))
    assert read(entries, tmp_path) == {"in/sub/drafts/c.txt"}


def test_sizes_and_times_choose_as_well(tmp_path: Path) -> None:
    for number, name in enumerate(("a.txt", "b.txt", "c.txt")):
        make(tmp_path / name, "x" * 10 * (number + 1))
        os.utime(tmp_path / name, ns=(number * 10**9, number * 10**9))
    assert read(walked(tmp_path, filters=FileFilters(largest=20)), tmp_path) == {"a.txt", "b.txt"}
    assert read(walked(tmp_path, filters=FileFilters(newer_ns=10**9)), tmp_path) == {"b.txt", "c.txt"}
    assert read(walked(tmp_path, filters=FileFilters(older_ns=10**9)), tmp_path) == {"a.txt"}


def test_members_of_archives_are_chosen_by_their_own_names(tmp_path: Path) -> None:
    from dupfinder.library.library import LibraryFile
    from dupfinder.scan.pipeline import run_scan

    texts = {f"in/{name}": making.txt(prose(n)) for n, name in enumerate(("a.txt", "b.md", "old/c.txt"))}
    put(tmp_path / "docs" / "z.zip", making.zipped(texts))
    put(tmp_path / "docs" / "d.md", making.txt(prose(9)))
    filters = FileFilters(include=("*.txt",), exclude=("/z.zip/in/old/",))
    for _ in range(2):  # the second time the archive is taken over as it is known
        run_scan(ScanRequest((Root(tmp_path / "docs"),), filters=filters, workers=1), tmp_path / "l.db")
        with LibraryFile(tmp_path / "l.db") as library:
            documents = library.result().documents
        read_ones = [path for path, status in zip(documents.paths, documents.status, strict=True) if status == "read"]
        assert read_ones == [str(tmp_path / "docs" / "z.zip" / "in" / "a.txt")]


def test_members_of_archives_are_chosen_alike_however_the_folder_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {name: making.txt(prose(n)) for n, name in enumerate(("a.txt", "old/b.txt", "c.md"))}
    put(tmp_path / "docs" / "in" / "z.zip", making.zipped(texts))
    monkeypatch.chdir(tmp_path)
    for folder in (tmp_path / "docs", Path("docs")):
        request = ScanRequest(
            (Root(folder),), filters=FileFilters(include=("in/**/*.txt",), exclude=("old/",)), workers=1
        )
        paths = [path for path, _, _ in fingerprint_files(request).prints.values()]
        assert paths == [str(tmp_path / "docs" / "in" / "z.zip" / "a.txt")]


def test_patterns_that_match_no_file_are_named(tmp_path: Path) -> None:
    filters = FileFilters(include=("*.txt", "/b.md", "old/*.txt", "*.pdf", "!x", "/c.txt"))
    request = ScanRequest((Root(tmp_path), Root(tmp_path / "list" / "d.md")), filters=filters)
    paths = [str(tmp_path / name) for name in ("a.txt", "b.md", "old/c.txt", "list/d.md")]
    assert request.unmatched(paths) == ["*.pdf", "/c.txt"]
    assert request.unmatched([]) == ["*.txt", "/b.md", "old/*.txt", "*.pdf", "/c.txt"]


@pytest.mark.parametrize("pattern", ["", "/", "!", "!/", " ", "[z-a].txt", "[", "a[b", "[]", "a\\"])
def test_a_pattern_that_says_nothing_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        check_pattern(pattern)
