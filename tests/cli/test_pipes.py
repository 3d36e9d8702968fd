"""The command line among others: groups on standard output, lists of files on standard input, quiet ends of pipes."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from dupfinder.base.settings import HIDDEN, MIN_CONTAINMENT, WORKERS, Settings
from dupfinder.cli import options
from dupfinder.cli.main import build_parser
from dupfinder.cli.scan import demand_of, request_of
from dupfinder.cli.usage import all_verbs
from dupfinder.cluster.relation import Demand
from tests import making
from tests.cli.shell import Said, Shell, one_line
from tests.report.schema import check
from tests.scan.documents import family, prose, put, strangers, troubles

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="pipes of a Unix shell")
Piped = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    family(tmp_path / "docs", 1)
    strangers(tmp_path / "docs", 1)
    return tmp_path / "docs"


@pytest.fixture
def piped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Piped:
    """Run a line of the shell in which `dupfinder` is the program."""
    bin_folder = tmp_path / "bin"
    bin_folder.mkdir()
    script = bin_folder / "dupfinder"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m dupfinder "$@"\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(bin_folder), prepend=":")

    def line(text: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        shell = ["bash", "-o", "pipefail", "-c", text]
        return subprocess.run(shell, input=given, capture_output=True, cwd=tmp_path, check=False)

    return line


def test_a_scan_shows_its_groups_unless_it_writes_a_report(run: Shell, docs: Path, tmp_path: Path) -> None:
    said = run("scan", docs)
    assert said.out.splitlines()[0].startswith("Scan 1: 5 files: 5 read")
    assert "\nGroup 1: 4 documents, " in said.out
    rows = said.out.split("Group 1")[1].splitlines()[1:]
    assert rows[0][:19].split() == ["kept"] and all(str(docs) in row for row in rows)
    assert {" ".join(row[9:19].split()) for row in rows[1:]} >= {"same text", "version"}
    groups = run("report").out
    assert said.out.endswith(groups) and groups.startswith("\nGroup 1: 4 documents")
    assert run("scan", docs, "-q").out == groups
    assert "Group 1" not in run("scan", docs, "--report", tmp_path / "a.json").out
    both = run("scan", docs, "--report", tmp_path / "b.json", "--format", "csv", "-q")
    assert both.out.count("letter1.html") and both.err == "" and (tmp_path / "b.json").exists()


def test_machines_get_whole_reports_and_people_the_counts_beside(run: Shell, docs: Path) -> None:
    said = run("scan", docs, "--format", "json")
    report = json.loads(said.out)
    check(report)
    assert len(report["files"]) == 5 and "5 files: 5 read" in said.err
    rows = list(csv.reader(io.StringIO(run("report", "--format", "csv").out.removeprefix("\ufeff"))))
    assert len(rows) == 1 + 5 and len({len(row) for row in rows}) == 1
    assert run("report", "--format", "json", "-q").err == ""
    check(json.loads(run("report", "--format", "json", "--schema", "1").out), 1)


def listed(run: Shell, *arguments: str | Path) -> set[str]:
    said = run(*arguments, "--format", "paths0", "-q")
    assert said.code == 0, said
    assert said.out == "" or said.out.endswith("\0")
    return {os.path.basename(path) for path in said.out.split("\0")[:-1]}


def test_paths0_lists_what_can_go_without_loss_and_never_what_is_kept(run: Shell, docs: Path) -> None:
    run("scan", docs)
    without_loss = listed(run, "report")
    report = json.loads(run("report", "--format", "json").out)
    members = {os.path.basename(member["path"]): member["relation"] for member in report["clusters"][0]["members"]}
    assert without_loss == {name for name, relation in members.items() if relation in ("identical", "same_text")}
    versions = listed(run, "report", "--kinds", "version")
    assert versions == {name for name, relation in members.items() if relation == "version"} != set()
    assert listed(run, "report", "--kinds", "identical,same-text,same-words,version") == members.keys() - {
        name for name, relation in members.items() if relation == "keeper"
    }
    run("scan", docs, "--protect", docs / "copies")
    assert "letter1 (1).txt" not in listed(run, "report")
    one_line(run("report", "--kinds", "part", "--format", "paths0"), 2, "a part has no copy that stays")
    one_line(run("report", "--kinds", "version"), 2, "--kinds goes with --format paths0")


def test_paths0_lists_all_but_one_of_identical_versions_of_the_kept_copy(run: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "offers"
    folder.mkdir()
    words = [
        f"The supplier delivers item {number} in week {number * 7 % 52} to hall {number % 9}." for number in range(60)
    ]
    (folder / "offer final.txt").write_text("\n".join(words))
    for name in ("Copy of offer.txt", "offer.txt", "offer (1).txt"):
        (folder / name).write_text("\n".join([*words[:50], "Prices hold until the end of the year and not longer."]))
    run("scan", folder)
    assert listed(run, "report") == {"Copy of offer.txt", "offer (1).txt"}
    assert listed(run, "report", "--kinds", "same-text") == set()
    assert listed(run, "report", "--kinds", "version") == {"Copy of offer.txt", "offer.txt", "offer (1).txt"}
    run("scan", folder, "--protect", folder / "offer (1).txt")
    assert listed(run, "report") == {"Copy of offer.txt", "offer.txt"}


def test_a_list_of_files_is_scanned_from_standard_input_or_a_file(
    run: Shell, docs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = [docs / "letter1.txt", docs / "letter1.html", tmp_path / "gone.txt", docs / "letter1.txt"]
    (tmp_path / "list").write_text("".join(f"{path}\n" for path in paths))
    said = run("scan", "--files-from", tmp_path / "list")
    assert said.code == 0 and "2 files: 2 read" in said.out
    assert f"1 path of the list not there: {tmp_path}/gone.txt." in said.err
    odd = put(docs / "two\nlines.txt", making.txt(prose(1)))
    data = b"\0".join(map(os.fsencode, [*paths, odd]))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert "3 files: 3 read" in run("scan", "--files-from", "-", "--null").out


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("", [], "is empty"), ("\n\n", [], "is empty"), ("no/such\nnor/this\n", [], "None of the paths"),
        ("a\0b", [], "add --null"), (None, [], "cannot be read"),
    ],
)  # fmt: skip
def test_a_list_that_lists_nothing_is_one_line(
    run: Shell, tmp_path: Path, text: str | None, options: list[str], words: str
) -> None:
    if text is not None:
        (tmp_path / "list").write_text(text)
    one_line(run("scan", "--files-from", tmp_path / "list", *options), 2, words)


def names(said: Said) -> set[str]:
    return {os.path.basename(file["path"]) for file in json.loads(said.out)["files"] if file["status"] == "read"}


def test_patterns_sizes_and_times_choose_among_the_files(run: Shell, docs: Path) -> None:
    os.utime(docs / "letter1.html", (0, 0))
    json_of = ("--format", "json", "-q")
    assert names(run("scan", docs, "--include", "*.html", *json_of)) == {"letter1.html"}
    assert "letter1 (1).txt" not in names(run("scan", docs, "--exclude", "copies/", *json_of))
    assert names(run("scan", docs, "--older", "2000-01-01", *json_of)) == {"letter1.html"}
    assert "letter1.html" not in names(run("scan", docs, "--newer", "1d", *json_of))
    size = (docs / "letter1.html").stat().st_size
    assert names(run("scan", docs, "--min-size", str(size), *json_of)) == {"letter1.html"}
    assert "letter1.html" not in names(run("scan", docs, "--max-size", str(size - 1), "--one-file-system", *json_of))


def test_patterns_and_folders_that_nothing_is_in_are_named(run: Shell, docs: Path, tmp_path: Path) -> None:
    said = run("scan", docs, "-q", "--include", "*.txt", "--include", "*.tyt", "--leave-out", tmp_path / "gone")
    assert said.code == 0 and "Group 1" in said.out
    assert said.err.splitlines() == [
        f"There is no {tmp_path / 'gone'}, so nothing is left out there.",
        "No file matches --include '*.tyt'.",
    ]
    said = run("fingerprint", docs, "-q", "--include", "*.tyt", "--to", tmp_path / "prints.npz")
    assert said.err.splitlines() == ["No file matches --include '*.tyt'."]


def test_sizes_and_moments_are_read_as_people_write_them() -> None:
    assert [options.size_of(text) for text in ("0", "10k", "2.5M", "1G", "3kB")] == [0, 10**4, 2_500_000, 10**9, 3000]
    assert options.moment_of("1970-01-02T00:00:00+00:00") == 86_400 * 10**9
    assert options.moment_of("2d") < options.moment_of("36h") < options.moment_of("5m")


def test_an_age_counts_back_from_now(monkeypatch: pytest.MonkeyPatch) -> None:
    class June(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> June:
            return cls(2024, 6, 1, 12, tzinfo=UTC)

    monkeypatch.setattr(options, "datetime", June)
    moments = {
        "90m": datetime(2024, 6, 1, 10, 30, tzinfo=UTC), "12h": datetime(2024, 6, 1, tzinfo=UTC),
        "7d": datetime(2024, 5, 25, 12, tzinfo=UTC), "4w": datetime(2024, 5, 4, 12, tzinfo=UTC),
        "4y": datetime(2020, 6, 1, 12, tzinfo=UTC),
    }  # fmt: skip
    assert {age: options.moment_of(age) for age in moments} == {
        age: int(moment.timestamp()) * 10**9 for age, moment in moments.items()
    }


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the time zone is set by the environment")
def test_an_age_counts_hours_that_passed_also_where_the_clock_was_put_forward(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2024, 3, 31, 1, 30, tzinfo=UTC)  # half an hour after the summer time began

    class Spring(datetime):
        @classmethod
        def now(cls, tz: tzinfo | None = None) -> Spring:
            return cls.fromtimestamp(now.timestamp(), tz)

    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    try:
        monkeypatch.setattr(options, "datetime", Spring)
        assert options.moment_of("90m") == int((now - timedelta(minutes=90)).timestamp()) * 10**9
    finally:
        monkeypatch.undo()
        time.tzset()


def test_verbose_names_every_file_that_was_not_read_and_the_time_of_each_stage(run: Shell, docs: Path) -> None:
    troubles(docs)
    err = run("scan", docs, "-v", "--progress", "none").err
    assert f"{docs}/locked.pdf: It needs a password" in err and f"{docs}/noise: " in err
    stages = [re.split(":| in ", line)[0] for line in err.splitlines() if not line.startswith(" ")]
    assert stages[:4] == ["Finding files", "Finding identical files", "Reading", "Matching"]
    assert "  1 group of identical files; extra copies: 1 file, " in err


@posix
@pytest.mark.parametrize(
    ("line", "lines"),
    [
        ("dupfinder scan docs -q | head -n 2", 2),
        ("dupfinder scan docs -q --format json | head -c 1 | wc -c", 1),
        ("dupfinder scan docs --help | head -n 1", 1),
        ("dupfinder scan docs -q --format paths0 | xargs -0r ls", 2),
        (
            "find docs -name '*.txt' -print0 | dupfinder scan --files-from - -0 -q --format paths0 | xargs -0 echo",
            1,
        ),
        ("find docs -name '*.txt' | dupfinder scan --files-from - -q | head -n 1", 1),
        ("dupfinder man | head -n 1", 1),
    ],
)
def test_pipes_end_quietly(piped: Piped, docs: Path, line: str, lines: int) -> None:
    ran = piped(line)
    err = [text for text in ran.stderr.decode().splitlines() if not text.startswith(("Finding", "Reading", "Match"))]
    assert (ran.returncode, err) == (0, []), ran
    assert len(ran.stdout.splitlines()) == lines


@posix
def test_the_example_of_a_pipe_lists_nothing_where_no_copy_could_go(piped: Piped, tmp_path: Path) -> None:
    from dupfinder.cli.usage import EXAMPLES

    strangers(tmp_path, 2)
    (line,) = (command for command, _ in EXAMPLES["scan"] if "xargs" in command)
    assert piped(line).stdout == b""


@posix
def test_results_that_nobody_reads_end_with_0_and_without_a_word(docs: Path, tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    report = tmp_path / "report.json"
    command = [sys.executable, "-m", "dupfinder", "scan", str(docs), "-q", "--format", "text", "--report", str(report)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, check=False, env=environment)
    os.close(writing)
    assert (ran.returncode, ran.stderr) == (0, b"")
    assert report.exists()


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        (["scna", "."], "there is no verb 'scna'; did you mean scan?"),
        (["index", "biuld", "x"], "there is no verb 'biuld'; did you mean build?"),
        (["zzz"], "there is no verb 'zzz'; choose from scan, report,"),
        (["scan", ".", "--radus", "3"], "there is no option --radus; did you mean --radius?"),
        (["index", "join", "x", "--agianst=y"], "there is no option --agianst; did you mean --against?"),
        (["scan", ".", "--zzz"], "there is no option --zzz; dupfinder scan --help lists all"),
        (["scan", ".", "--format", "jsn"], "argument --format: it cannot be 'jsn'; did you mean json?"),
        (["diff", "a", "b", "c"], "there is no place for 'c' here"),
        (["completion", "bahs"], "there is no SHELL 'bahs'; did you mean bash?"),
    ],
)
def test_wrong_words_are_told_with_what_was_meant(run: Shell, given: list[str], hint: str) -> None:
    one_line(run(*given), 2, hint)


VERBS = [name for name, _, _ in all_verbs(build_parser())]


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_every_verb_has_examples_that_parse(run: Shell, verb: str) -> None:
    from dupfinder.cli.usage import EXAMPLES

    said = run(*verb.split(), "--help")
    assert said.code == 0 and "examples:" in said.out and EXAMPLES[verb][0][0] in said.out
    for command, _ in EXAMPLES[verb]:
        part = next(part for part in command.split(" | ") if part.startswith("dupfinder "))
        words = part.partition(" > ")[0].replace("'", "").split()[1:]
        assert " ".join(words).startswith(verb)
        build_parser().parse_args(words)


def test_only_verbs_have_examples() -> None:
    from dupfinder.cli.usage import EXAMPLES

    assert sorted(EXAMPLES) == sorted(VERBS)


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash completes")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["sc"], {"scan"}), (["index", "b"], {"build"}), (["index", "join", "--ra"], {"--radius"}),
        (["scan", "--progress", ""], {"auto", "bar", "plain", "json", "none"}), (["completion", "f"], {"fish"}),
        (["scan", "--library", "a"], {"a.db"}), (["scan", "docs", "--file"], {"--files-from"}),
        (["diff", "a"], {"a.db"}),
    ],
)  # fmt: skip
def test_bash_completes_verbs_options_their_words_and_files(
    run: Shell, tmp_path: Path, typed: list[str], offered: set[str]
) -> None:
    (tmp_path / "a.db").touch()
    (tmp_path / "completion").write_text(run("completion", "bash").out)
    words = " ".join(f"'{word}'" for word in ["dupfinder", *typed])
    code = f". ./completion; COMP_WORDS=({words}); COMP_CWORD={len(typed)}; _shtab_dupfinder; "
    code += "printf '%s\\n' \"${COMPREPLY[@]}\""
    ran = subprocess.run(["bash", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (set(ran.stdout.split()), ran.stderr) == (offered, "")


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_get_every_verb_and_option(run: Shell, tmp_path: Path, shell: str) -> None:
    said = run("completion", shell).out
    options = {option[2:] for _, verb, _ in all_verbs(build_parser()) for a in verb._actions if a.help != "==SUPPRESS=="
               for option in a.option_strings if option.startswith("--")}  # fmt: skip
    assert [word for word in {*options, *" ".join(VERBS).split()} if word not in said] == []
    if (program := shutil.which(shell)) is not None:
        (tmp_path / "script").write_text(said)
        subprocess.run([program, "-n", tmp_path / "script"], check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish completes")
def test_fish_completes_verbs_options_and_their_words(run: Shell, tmp_path: Path) -> None:
    (tmp_path / "completion").write_text(run("completion", "fish").out)
    typed = {"sc": {"scan"}, "index b": {"build"}, "index join --ra": {"--radius"}, "completion f": {"fish"},
             "index query --method ": {"tables", "pigeonhole", "variants", "brute"}}  # fmt: skip
    code = 'source completion; for line in $argv; echo =; complete -C "dupfinder $line"; end'
    ran = subprocess.run(
        ["fish", "--no-config", "-c", code, *typed], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    offered = [{line.split("\t")[0] for line in part.splitlines() if line} for part in ran.stdout.split("=\n")[1:]]
    assert (offered, ran.stderr) == (list(typed.values()), "")


def test_the_manual_page_shows_every_verb_and_is_whole_for_man(run: Shell) -> None:
    page = run("man").out
    assert page.startswith(".TH DUPFINDER 1") and ".SH EXIT STATUS" in page
    assert page.count("\n.SS ") == len(VERBS)
    if (groff := shutil.which("groff")) is not None:
        ran = subprocess.run([groff, "-man", "-Tutf8", "-ww"], input=page.encode(), capture_output=True, check=True)
        assert ran.stderr == b"" and b"--files-from" in ran.stdout.replace(b"\xe2\x88\x92", b"-").replace(
            b"\x1b[1m", b""
        )


def test_the_settings_hold_where_no_option_says_otherwise(docs: Path) -> None:
    Settings().set(HIDDEN, False)
    Settings().set(WORKERS, 3)
    plain = request_of(build_parser().parse_args(["scan", str(docs)]), outputs=[])
    assert (plain.hidden, plain.workers) == (False, 3)
    assert request_of(build_parser().parse_args(["scan", str(docs), "--workers", "2"]), outputs=[]).workers == 2
    Settings().set(MIN_CONTAINMENT, 0.9)
    demand = demand_of(build_parser().parse_args(["scan", str(docs), "--radius", "3"]), Settings())
    assert demand == Demand(0.7, 0.9, 3)
