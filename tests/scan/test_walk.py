"""The walk: every file is offered once, with its stamp; nothing is opened, and nothing outside is reached."""

from __future__ import annotations

import os
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.base.errors import RootError
from dupfinder.base.progress import LatestProgress, Stopped
from dupfinder.base.stamp import FileStamp
from dupfinder.scan import walk
from dupfinder.scan.request import Role, Root, ScanRequest
from dupfinder.scan.walk import Walk, WalkedFile, is_online_only

posix = pytest.mark.skipif(os.name != "posix", reason="needs links, pipes and names as bytes")


def make(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def walked(*roots: Path | Root, **choices: object) -> dict[str, WalkedFile]:
    """Entries by path; each path once."""
    request = ScanRequest(tuple(root if isinstance(root, Root) else Root(root) for root in roots), **choices)  # type: ignore[arg-type]
    entries = list(Walk(request).entries())
    entry_of = {str(entry.stamp.path): entry for entry in entries}
    assert len(entry_of) == len(entries), "a path was offered twice"
    return entry_of


def read(entries: dict[str, WalkedFile], top: Path) -> set[str]:
    """The names, below `top`, of the entries that are to be read."""
    return {os.path.relpath(path, top) for path, entry in entries.items() if entry.refused is None}


def test_every_file_is_listed_with_the_stamp_it_has(tmp_path: Path) -> None:
    upper, deep = make(tmp_path / "a.txt", "one"), make(tmp_path / "deep" / "er" / "b.pdf", "other")
    entries = walked(tmp_path)
    assert read(entries, tmp_path) == {"a.txt", "deep/er/b.pdf"}
    for path in (upper, deep):
        assert entries[str(path)].stamp == FileStamp.of(path, path.lstat())


def test_nothing_is_opened_while_walking(tmp_path: Path) -> None:
    for number in range(20):
        make(tmp_path / f"folder{number % 3}" / f"{number}.txt")
    code = (
        "import sys, pathlib\nfrom dupfinder.scan.walk import Walk\nfrom dupfinder.scan.request import *\n"
        "opened = []\n"
        "sys.addaudithook(lambda name, args: name == 'open' and opened.append(str(args[0])))\n"
        "root = pathlib.Path(sys.argv[1])\n"
        "entries = list(Walk(ScanRequest((Root(root),))).entries())\n"
        "print(len(entries), sum(path.startswith(str(root)) for path in opened))"
    )
    printed = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    ).stdout
    assert printed.split() == ["20", "0"]


@posix
def test_symbolic_links_are_accounted_for_and_not_followed(tmp_path: Path) -> None:
    outside = make(tmp_path / "outside" / "secret.txt").parent
    top = tmp_path / "top"
    make(top / "real.txt")
    (top / "file-link.txt").symlink_to(outside / "secret.txt")
    (top / "folder-link").symlink_to(outside)
    (top / "nowhere.txt").symlink_to(top / "absent")
    (top / "loop").symlink_to(top)
    entries = walked(top)
    assert read(entries, top) == {"real.txt"}
    assert {os.path.basename(path) for path in entries} == {
        "real.txt", "file-link.txt", "folder-link", "nowhere.txt", "loop",
    }  # fmt: skip
    for path, entry in entries.items():
        if not path.endswith("real.txt"):
            assert entry.refused is ProblemKind.SKIPPED and entry.details == details(Clause.SYMBOLIC_LINK)


@posix
def test_pipes_and_sockets_are_never_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        here = os.getcwd()
        os.chdir(tmp_path)  # a socket's path has 108 bytes at most
        try:
            server.bind("socket.txt")
        finally:
            os.chdir(here)
        entries = walked(tmp_path)
    assert len(entries) == 2
    for entry in entries.values():
        assert entry.refused is ProblemKind.SKIPPED and entry.details == details(Clause.SPECIAL_FILE)


@posix
@pytest.mark.parametrize(
    ("field", "bits", "online"),
    [
        ("st_file_attributes", 0x20, False), ("st_file_attributes", 0x1020, True),
        ("st_file_attributes", 0x400020, True), ("st_file_attributes", 0x40000, True),
        ("st_flags", 0x40000000, True), ("st_flags", 0x20, False), ("st_mode", 0, False),
    ],
)  # fmt: skip
def test_files_that_are_online_only_are_known_by_what_the_system_says(field: str, bits: int, online: bool) -> None:
    status = SimpleNamespace(**{field: bits})
    assert is_online_only(cast(os.stat_result, status)) is online


def test_files_that_are_online_only_are_told_and_not_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("here.txt", "online.txt"):
        (tmp_path / name).write_text("words")
    away = (tmp_path / "online.txt").stat().st_ino
    monkeypatch.setattr("dupfinder.scan.walk.is_online_only", lambda status: status.st_ino == away)
    entries = {entry.stamp.path.name: entry for entry in Walk(ScanRequest((Root(tmp_path),))).entries()}
    assert entries["here.txt"].refused is None
    assert entries["online.txt"].refused is ProblemKind.UNREADABLE
    assert entries["online.txt"].details == details(Clause.ONLINE_ONLY)


def test_a_document_that_is_in_icloud_alone_is_told_by_what_is_left_of_it(tmp_path: Path) -> None:
    make(tmp_path / ".letter.docx.icloud", "bplist")
    make(tmp_path / ".photo.jpg.icloud", "bplist")
    entries = walked(tmp_path, hidden=False)
    letter, photo = entries[str(tmp_path / ".letter.docx.icloud")], entries[str(tmp_path / ".photo.jpg.icloud")]
    assert (letter.refused, letter.details) == (ProblemKind.UNREADABLE, details(Clause.ONLINE_ONLY))
    assert photo.details != letter.details


def test_hard_links_are_one_file_and_the_second_name_says_so(tmp_path: Path) -> None:
    first = make(tmp_path / "a.txt")
    os.link(first, tmp_path / "b.txt")
    entries = walked(tmp_path)
    assert read(entries, tmp_path) == {"a.txt"}
    second = entries[str(tmp_path / "b.txt")]
    assert second.refused is ProblemKind.SKIPPED and second.details == details(Clause.SAME_FILE, other=str(first))


@posix
def test_of_two_names_of_one_file_the_protected_one_counts(tmp_path: Path) -> None:
    free = make(tmp_path / "a" / "free.txt")
    (tmp_path / "z").mkdir()
    os.link(free, tmp_path / "z" / "kept.txt")
    entries = walked(tmp_path / "a", Root(tmp_path / "z", Role.PROTECT))
    assert read(entries, tmp_path) == {"z/kept.txt"}
    assert entries[str(tmp_path / "z" / "kept.txt")].protected


@pytest.mark.parametrize("order", [1, -1])
def test_the_innermost_root_decides_on_the_role(tmp_path: Path, order: int) -> None:
    make(tmp_path / "all" / "one.txt")
    make(tmp_path / "all" / "keep" / "two.txt")
    make(tmp_path / "all" / "keep" / "open" / "three.txt")
    make(tmp_path / "all" / "private" / "four.txt")
    make(tmp_path / "all" / "private" / "shared" / "five.txt")
    roots = (
        Root(tmp_path / "all"),
        Root(tmp_path / "all" / "keep", Role.PROTECT),
        Root(tmp_path / "all" / "keep" / "open"),
        Root(tmp_path / "all" / "private", Role.LEAVE_OUT),
        Root(tmp_path / "all" / "private" / "shared"),
    )
    entries = walked(*roots[::order])
    protected = {os.path.basename(path): entry.protected for path, entry in entries.items()}
    assert protected == {"one.txt": False, "two.txt": True, "three.txt": False, "five.txt": False}


def test_overlapping_and_repeated_roots_offer_a_file_once(tmp_path: Path) -> None:
    make(tmp_path / "a" / "b" / "one.txt")
    inside = tmp_path / "a" / "b"
    entries = walked(tmp_path, tmp_path / "a", inside, inside, tmp_path / "a" / ".." / "a", inside / "one.txt")
    assert set(entries) == {str(inside / "one.txt")}


@posix
def test_a_root_reached_by_a_link_is_walked_once_and_stays_protected(tmp_path: Path) -> None:
    make(tmp_path / "data" / "one.txt")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    assert len(walked(tmp_path / "data", tmp_path / "link")) == 1
    entries = walked(tmp_path / "data", Root(tmp_path / "link", Role.PROTECT))
    assert [entry.protected for entry in entries.values()] == [True]


@posix
def test_a_folder_to_leave_out_is_left_out_by_every_name(tmp_path: Path) -> None:
    make(tmp_path / "data" / "private" / "one.txt")
    make(tmp_path / "data" / "two.txt")
    (tmp_path / "link").symlink_to(tmp_path / "data")
    entries = walked(tmp_path / "link", Root(tmp_path / "data" / "private", Role.LEAVE_OUT))
    assert read(entries, tmp_path) == {"link/two.txt"}
    (tmp_path / "other").symlink_to(tmp_path / "data" / "private")
    entries = walked(tmp_path / "data", Root(tmp_path / "other", Role.LEAVE_OUT))
    assert read(entries, tmp_path) == {"data/two.txt"}


def test_a_folder_to_leave_out_need_not_be_there(tmp_path: Path) -> None:
    make(tmp_path / "one.txt")
    assert len(walked(tmp_path, Root(tmp_path / "absent", Role.LEAVE_OUT))) == 1


def test_a_single_file_can_be_a_root_with_a_role_of_its_own(tmp_path: Path) -> None:
    named, beside = make(tmp_path / "one.txt"), make(tmp_path / "other.txt")
    assert set(walked(named)) == {str(named)}
    entries = walked(tmp_path, Root(named, Role.PROTECT))
    assert {path: entry.protected for path, entry in entries.items()} == {str(named): True, str(beside): False}
    assert set(walked(tmp_path, Root(named, Role.LEAVE_OUT))) == {str(beside)}


@posix
def test_a_root_that_is_a_link_to_a_file_is_the_file(tmp_path: Path) -> None:
    target = make(tmp_path / "one.txt")
    (tmp_path / "link.txt").symlink_to(target)
    assert read(walked(tmp_path / "link.txt"), tmp_path) == {"one.txt"}


def test_hidden_files_and_folders_are_read_or_left_out_as_chosen(tmp_path: Path) -> None:
    make(tmp_path / ".hidden.txt")
    make(tmp_path / ".folder" / "in.txt")
    make(tmp_path / "seen.txt")
    assert read(walked(tmp_path), tmp_path) == {".hidden.txt", ".folder/in.txt", "seen.txt"}
    entries = walked(tmp_path, hidden=False)
    assert read(entries, tmp_path) == {"seen.txt"}
    assert entries[str(tmp_path / ".hidden.txt")].refused is ProblemKind.SKIPPED


@pytest.mark.parametrize(
    "folder", [".git", "node_modules", "$RECYCLE.BIN", ".Trash-1000", ".Trash", ".Trashes", "Trash/files"]
)
def test_folders_of_other_programs_are_passed_over(tmp_path: Path, folder: str) -> None:
    make(tmp_path / folder / "in.txt")
    make(tmp_path / "seen.txt")
    assert set(walked(tmp_path)) - {str(tmp_path / ".git")} == {str(tmp_path / "seen.txt")}
    assert read(walked(tmp_path / folder), tmp_path) == {f"{folder}/in.txt"}  # unless it is what was asked for


def test_it_is_noted_where_version_control_keeps_the_history_of_files(tmp_path: Path) -> None:
    """Submodules of Git have a file there; the note stays the same whatever is committed."""
    for name in ("site/.git/config", "site/index.txt", "site/theme/.git", "letters/.svn/entries", "letters/a.txt"):
        make(tmp_path / name)
    noted = {".git": "site", "theme/.git": "site", ".svn": "letters"}
    entries = walked(tmp_path, hidden=False)
    assert read(entries, tmp_path) == {"site/index.txt", "letters/a.txt"}
    notes = {path: entry for path, entry in entries.items() if entry.details == details(Clause.VERSION_CONTROL)}
    assert set(notes) == {str(tmp_path / top / name) for name, top in noted.items()}
    assert {entry.refused for entry in notes.values()} == {ProblemKind.SKIPPED}
    make(tmp_path / "site/.git/HEAD")
    assert walked(tmp_path, hidden=False) == entries


@pytest.mark.parametrize(
    ("history", "role"),
    [("site/.git", role) for role in Role] + [("site/theme/.git", Role.LEAVE_OUT)],
)
def test_a_history_is_noted_also_where_the_person_left_it_out_or_chose_it(
    tmp_path: Path, history: str, role: Role
) -> None:
    for name in ("site/.git/config.txt", "site/index.txt", "site/theme/.git", "site/theme/a.txt"):
        make(tmp_path / name)
    entries = walked(tmp_path, Root(tmp_path / history, role))
    noted = {path for path, entry in entries.items() if entry.details == details(Clause.VERSION_CONTROL)}
    assert noted == {str(tmp_path / "site/.git"), str(tmp_path / "site/theme/.git")}


def test_folders_and_files_of_a_working_copy_are_known_to_be_in_one(tmp_path: Path) -> None:
    for name in ("site/.git/config", "site/docs/a.txt", "site/old/b.txt", "site/c.txt", "empty/.git/config"):
        make(tmp_path / name)
    (tmp_path / "empty/docs").mkdir()
    of_roots = {("site/docs",): "site/docs", ("site/docs", "site/old"): "site/docs", ("site", "site/docs"): "site/.git"}
    for names, note in (of_roots | {("site/c.txt",): "site/.git"}).items():
        entries = walked(*(tmp_path / name for name in names))
        assert entries[str(tmp_path / note)].details == details(Clause.VERSION_CONTROL)
        assert sum(entry.refused is not None for entry in entries.values()) == 1
    assert not walked(tmp_path / "empty/docs"), "where nothing is, nothing is noted"


def test_what_the_program_stores_is_no_document_of_the_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUPFINDER_HOME", str(tmp_path / "home"))
    for name in ("settings.json", "journal/1.plan.json", "library.db", "thesis.txt", "letters/journal/a.txt"):
        make(tmp_path / "home" / name)
    assert read(walked(tmp_path), tmp_path) == {"home/thesis.txt", "home/letters/journal/a.txt"}
    own = {Path(path).name for path, entry in walked(tmp_path).items() if entry.details == details(Clause.OWN_FILE)}
    assert own == {"settings.json", "journal", "library.db"}


def test_sizes_names_and_kinds_outside_the_choice_are_refused_with_the_reason(tmp_path: Path) -> None:
    for name, size in (("empty.txt", 0), ("small.txt", 9), ("fits.txt", 10), ("fits too.txt", 20), ("large.txt", 21)):
        make(tmp_path / name, "x" * size)
    make(tmp_path / "draft~.txt", "x" * 15)
    make(tmp_path / "picture.PNG", "x" * 15)
    entries = walked(tmp_path, smallest=10, largest=20, excluded_names=("*~.txt",))
    assert read(entries, tmp_path) == {"fits.txt", "fits too.txt"}
    refused = {os.path.basename(path): entry.refused for path, entry in entries.items() if entry.refused}
    assert refused == {
        "empty.txt": ProblemKind.SKIPPED, "small.txt": ProblemKind.SKIPPED, "large.txt": ProblemKind.TOO_LARGE,
        "draft~.txt": ProblemKind.SKIPPED, "picture.PNG": ProblemKind.UNSUPPORTED,
    }  # fmt: skip
    assert entries[str(tmp_path / "large.txt")].details == details(Clause.OVER_LIMIT, bytes=21, limit=20)


NAMES = [
    b"caf\xe9 \xff\xfe.txt",
    b"two\nlines.txt",
    b"\xe2\x80\xaefdp.txt",
    b"x" * 251 + b".txt",
    b" lead and trail .txt ",
    b"-rf.txt",
    b"*?[].txt",
    b"cafe\xcc\x81.txt",
    b"caf\xc3\xa9.txt",
]


@posix
@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_listed_under_the_bytes_of_its_name(tmp_path: Path, name: bytes) -> None:
    path = os.path.join(os.fsencode(tmp_path), name)
    with open(path, "wb") as stream:
        stream.write(b"text")
    entries = list(walked(tmp_path).values())
    assert [os.fsencode(entry.stamp.path) for entry in entries] == [path]
    assert entries[0].refused is None


@posix
def test_paths_beyond_what_the_system_takes_are_told_and_the_walk_goes_on(tmp_path: Path) -> None:
    deep = os.open(tmp_path, os.O_RDONLY)
    depth, name = 0, "d" * 200
    while (depth + 1) * 201 < 6000:
        os.mkdir(name, dir_fd=deep)
        below = os.open(name, os.O_RDONLY, dir_fd=deep)
        os.close(deep)
        deep, depth = below, depth + 1
        os.close(os.open("one.txt", os.O_CREAT | os.O_WRONLY, dir_fd=deep))
    os.close(deep)
    make(tmp_path / "z last.txt")
    entries = walked(tmp_path)
    within = {path for path, entry in entries.items() if entry.refused is None}
    assert str(tmp_path / "z last.txt") in within and len(within) > 15
    beyond = [entry for entry in entries.values() if entry.refused is not None]
    assert beyond and all(entry.refused is ProblemKind.UNREADABLE for entry in beyond)
    assert all(entry.details == details(Clause.SYSTEM_ERROR, error="ENAMETOOLONG") for entry in beyond)


def as_nobody(code: str, *arguments: str) -> str:
    """What a Python program prints that gives up the rights of root first, if it has them."""
    head = "import os, sys\nif os.geteuid() == 0:\n    os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
    head += "os.environ['DUPFINDER_HOME'] = sys.argv.pop() + '/home'\n"
    head = "import dupfinder.scan.walk, dupfinder.scan.request\n" + head
    command = [sys.executable, "-c", head + code, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may reach, beside one that everybody may write to; not below pytest's own, which another
    run of the tests closes."""
    with tempfile.TemporaryDirectory() as name:
        top = Path(name)
        top.chmod(0o755)
        (top / "beside").mkdir()
        (top / "beside").chmod(0o777)
        (top / "open").mkdir()
        yield top / "open"
        for folder in top.rglob("*"):
            if not folder.is_symlink():
                folder.chmod(0o700)


@posix
def test_a_folder_without_permission_is_a_problem_and_the_walk_goes_on(open_folder: Path) -> None:
    make(open_folder / "seen.txt")
    locked = make(open_folder / "locked" / "in.txt").parent
    locked.chmod(0)
    printed = as_nobody(
        "import sys, pathlib\nfrom dupfinder.scan.walk import Walk\nfrom dupfinder.scan.request import *\n"
        "for entry in Walk(ScanRequest((Root(pathlib.Path(sys.argv[1])),))).entries():\n"
        "    print(entry.stamp.path.name, entry.refused, *(detail.facts for detail in entry.details), sep='|')",
        str(open_folder),
        str(open_folder.with_name("beside")),
    )
    assert printed.splitlines() == ["seen.txt|None", "locked|unreadable|{'error': 'EACCES'}|{}"]


@posix
def test_a_root_without_permission_ends_the_scan_with_the_reason(open_folder: Path) -> None:
    locked = make(open_folder / "locked" / "in.txt").parent
    locked.chmod(0)
    printed = as_nobody(
        "import sys, pathlib\nfrom dupfinder.base.errors import RootError\nfrom dupfinder.scan.walk import Walk\n"
        "from dupfinder.scan.request import *\n"
        "try:\n    Walk(ScanRequest((Root(pathlib.Path(sys.argv[1])),)))\n"
        "except RootError as error:\n    print(error.path.name, error.reason)",
        str(locked),
        str(open_folder.with_name("beside")),
    )
    assert printed.split() == ["locked", "EACCES"]


def test_a_root_that_is_gone_ends_the_scan_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(RootError) as caught:
        walked(tmp_path / "absent")
    assert caught.value.reason == "ENOENT" and caught.value.path == tmp_path / "absent"


def test_a_root_that_goes_away_before_its_turn_is_not_an_empty_folder(tmp_path: Path) -> None:
    make(tmp_path / "a" / "one.txt")
    gone = make(tmp_path / "b" / "two.txt")
    entries = Walk(ScanRequest((Root(tmp_path / "a"), Root(tmp_path / "b")))).entries()
    assert next(entries).stamp.path.name == "one.txt"
    gone.unlink()
    gone.parent.rmdir()
    with pytest.raises(RootError):
        list(entries)


@pytest.mark.parametrize("roles", [(Role.PROTECT,), (Role.LEAVE_OUT,), (Role.PROTECT, Role.LEAVE_OUT)])
def test_roots_that_are_all_protected_or_left_out_scan_nothing(tmp_path: Path, roles: tuple[Role, ...]) -> None:
    for role in roles:
        (tmp_path / role.value).mkdir()
    with pytest.raises(RootError, match="nothing_to_scan"):
        walked(*(Root(tmp_path / role.value, role) for role in roles))


def test_a_stop_ends_the_walk(tmp_path: Path) -> None:
    for number in range(600):
        (tmp_path / f"{number}.txt").touch()
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        list(Walk(ScanRequest((Root(tmp_path),)), reporter).entries())


def test_a_walk_stops_also_among_folders_without_files(tmp_path: Path) -> None:
    """To list a folder of a slow share may take a second."""
    for number in range(9):
        (tmp_path / str(number)).mkdir()
    reporter = LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        list(Walk(ScanRequest((Root(tmp_path),)), reporter).entries())


def test_files_come_in_one_order_however_the_system_lists_them(tmp_path: Path) -> None:
    for name in ("b/2.txt", "b/1.txt", "a/x/1.txt", "a.txt", "a/1.txt", "é.txt", "Z.txt"):
        make(tmp_path / name)
    entries = [os.path.relpath(path, tmp_path) for path in walked(tmp_path)]
    assert entries == ["Z.txt", "a.txt", "é.txt", "a/1.txt", "a/x/1.txt", "b/1.txt", "b/2.txt"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root may mount")
def test_a_folder_mounted_twice_is_walked_once(tmp_path: Path) -> None:
    make(tmp_path / "real" / "one.txt")
    (tmp_path / "bound").mkdir()
    mounted = subprocess.run(
        ["mount", "--bind", str(tmp_path / "real"), str(tmp_path / "bound")], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("this system does not let root mount")
    try:
        assert len(walked(tmp_path)) == 1
    finally:
        subprocess.run(["umount", str(tmp_path / "bound")], check=True)
    assert stat.S_ISDIR((tmp_path / "bound").stat().st_mode)


@posix
def test_what_a_removal_that_was_cut_off_left_is_reported_with_its_own_name(tmp_path: Path) -> None:
    make(tmp_path / ".dupfinder-hold-0123456789abcdef-letter.txt")
    make(tmp_path / ".dupfinder-hold-0123456789abcdef-letters" / "one.txt")
    make(tmp_path / ".dupfinder-hold-0123456789abcdef0123456789abcdef")  # as earlier versions named it
    make(tmp_path / ".dupfinder-removed" / "put away.txt")
    for hidden in (True, False):
        entries = walked(tmp_path, hidden=hidden)
        assert {entry.refused for entry in entries.values()} == {ProblemKind.HELD}
        own_names = [str(detail.facts["name"]) for entry in entries.values() for detail in entry.details]
        assert sorted(own_names) == ["letter.txt", "letters"] and len(entries) == 3
        assert read(entries, tmp_path) == set()


def test_style_sheets_and_program_texts_are_read_only_where_they_are_asked_for(tmp_path: Path) -> None:
    make(tmp_path / "site.css")
    make(tmp_path / "letter.txt")

    def refused(request: ScanRequest) -> dict[str, Details]:
        return {entry.stamp.path.name: entry.details for entry in Walk(request).entries() if entry.refused is not None}

    left_out = refused(ScanRequest((Root(tmp_path),)))
    assert list(left_out) == ["site.css"]
    assert left_out["site.css"] == details(Clause.PROGRAM_TEXT)
    assert not refused(ScanRequest((Root(tmp_path),), formats=frozenset({"code", "text"})))
    assert not refused(ScanRequest((Root(tmp_path / "site.css"),)))


def test_a_file_system_without_inode_numbers_is_walked_wholly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [make(tmp_path / name) for name in ("a.txt", "b.txt", "one/c.txt", "two/d.txt", "two/deep/e.txt")]

    def without_inode(status: os.stat_result) -> os.stat_result:
        times = {"st_mtime_ns": status.st_mtime_ns, "st_ctime_ns": status.st_ctime_ns}
        return os.stat_result((status[0], 0, *status[2:]), times)

    status_of, stat = walk._status_of, os.stat
    monkeypatch.setattr(walk, "_status_of", lambda child: without_inode(status_of(child)))
    monkeypatch.setattr(os, "stat", lambda *args, **more: without_inode(stat(*args, **more)))
    names = {str(path.relative_to(tmp_path)) for path in paths}
    assert read(walked(tmp_path), tmp_path) == names
    assert read(walked(*paths[:2]), tmp_path) == {"a.txt", "b.txt"}
    assert read(walked(paths[0], tmp_path / "one", tmp_path / "two"), tmp_path) == names - {"b.txt"}


def test_a_file_that_a_removal_moved_is_left_out_until_it_changes(tmp_path: Path) -> None:
    moved, changed = make(tmp_path / "moved.txt"), make(tmp_path / "changed.txt")
    stamps = {path: FileStamp.of(path, path.stat()) for path in (moved, changed)}
    make(changed, "a longer text")
    entries = walked(tmp_path, moved_aside=lambda: stamps)
    assert read(entries, tmp_path) == {"changed.txt"}
    assert entries[str(moved)].details == details(Clause.MOVED_ASIDE)


def test_a_file_that_a_removal_moved_is_left_out_by_every_path_of_its_folder(tmp_path: Path) -> None:
    moved = make(tmp_path / "docs" / "removed" / "moved.txt")
    make(tmp_path / "docs" / "moved.txt")
    (tmp_path / "link").symlink_to(tmp_path / "docs")
    stamp = FileStamp.of(moved, moved.stat())
    by_link = tmp_path / "link" / "removed" / "moved.txt"
    for top, known in (("docs", by_link), ("link", moved)):
        entries = walked(tmp_path / top, moved_aside=lambda path=known: {path: stamp})
        assert read(entries, tmp_path) == {f"{top}/moved.txt"}


class _Junction:
    """What Windows tells of a junction: it is a folder, with a tag."""

    st_reparse_tag = 0xA0000003

    def __init__(self, status: os.stat_result) -> None:
        self._status = status

    def __getattr__(self, name: str) -> object:
        return getattr(self._status, name)


def test_a_junction_is_no_way_into_a_folder_that_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "docs" / "junction" / "a.txt")
    seen = make(tmp_path / "docs" / "b.txt")
    status_of = walk._status_of
    monkeypatch.setattr(
        walk,
        "_status_of",
        lambda child: _Junction(status_of(child)) if child.name == "junction" else status_of(child),
    )
    entries = walked(tmp_path / "docs")
    junction = entries[str(tmp_path / "docs" / "junction")]
    assert (junction.refused, junction.details) == (ProblemKind.SKIPPED, details(Clause.SYMBOLIC_LINK))
    assert read(entries, tmp_path / "docs") == {seen.name}
