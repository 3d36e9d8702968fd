"""A table of misuse: each ends with one clear line that names what was wrong, an exit code, and nothing done."""

from __future__ import annotations

import shlex
from pathlib import Path

import numpy as np
import pytest

from dupfinder.cli.main import main
from dupfinder.engine.growing import write_index
from dupfinder.index.design import named_design
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests import making
from tests.cli.shell import Shell
from tests.scan.documents import family, prose, put

# What is typed, and words of the line that answers. {no} stands for a path that is not there.
MISUSES = {
    # words that are none
    "scna letters": "there is no verb 'scna'; did you mean scan?",
    "--scan": "there is no option --scan",
    "scan letters --radis 3": "there is no option --radis; did you mean --radius?",
    "scan letters --report=a.json --quite": "did you mean --quiet?",
    "index jion f.npy": "there is no verb 'jion'; did you mean join?",
    "index": "build|add|remove|merge|query|join|explain|info",
    "library": "info|check",
    "library shred": "there is no verb 'shred'",
    "weights forget": "there is no verb 'forget'",
    "quarantine": "show|empty",
    "completion tcsh": "there is no SHELL 'tcsh'; choose from bash, zsh, fish",
    "completion": "SHELL",
    "man dupfinder": "there is no place for 'dupfinder' here",
    "history now": "there is no place for 'now' here",
    "library export --to=--": "argument --to: expected one argument",
    "scan letters --radius=--": "argument --radius: expected one argument",
    # numbers
    "scan letters --radius three": "a whole number from 0 to 16 is wanted, not 'three'",
    "scan letters --radius 17": "a whole number from 0 to 16 is wanted, not '17'",
    "scan letters --radius -1": "a whole number from 0 to 16 is wanted, not '-1'",
    "scan letters --radius=-1": "a whole number from 0 to 16 is wanted, not '-1'",
    "scan letters --min-similarity 2": "a number from 0.5 to 1.0 is wanted, not '2'",
    "scan letters --min-similarity 70%": "a number from 0.5 to 1.0 is wanted, not '70%'",
    "scan letters --min-similarity nan": "a number from 0.5 to 1.0 is wanted, not 'nan'",
    "scan letters --workers 100": "a whole number from 0 to 64 is wanted, not '100'",
    "scan letters --workers=-2": "a whole number from 0 to 64 is wanted, not '-2'",
    "scan letters --workers many": "a whole number from 0 to 64 is wanted, not 'many'",
    "report --library l.db --radius 99": "a whole number from 0 to 16 is wanted, not '99'",
    "report first": "argument SCAN: a whole number of 0 or more is wanted, not 'first'",
    "report 99 --library l.db": "There is no finished scan 99",
    # choices among files
    "scan": "Name a folder",
    "scan letters --min-size big": "a size is a number of bytes, or as in 10k, 2.5M, 1G, not 'big'",
    "scan letters --max-size=-5": "a size is a number of bytes",
    "scan letters --min-size 10k --max-size 9k": "--max-size is smaller than --min-size",
    "scan letters --newer yesterday": "'yesterday' is no moment",
    "scan letters --newer 2024-13-01": "'2024-13-01' is no moment",
    "scan letters --older 7x": "'7x' is no moment",
    "scan letters --newer 2024-02-01 --older 2024-01-01": "--older is not later than --newer",
    "scan letters --include ''": "is no pattern",
    "scan letters --include '['": "'[' is no pattern",
    "scan letters --include '!a'": "--include '!a' alone leaves every file out",
    "scan letters --exclude '[z-a]'": "is no pattern",
    "scan --files-from {no}": "The list of files no-such cannot be read",
    "scan --files-from plain.txt": "None of the paths in the list is there",
    "scan --files-from empty.txt": "The list of files is empty",
    "scan letters --null": "--null goes with --files-from",
    "scan --files-from zeros.txt": "add --null",
    # names that an unset variable leaves empty
    "scan ''": "argument FOLDER: the name is empty",
    "scan letters --protect ''": "argument --protect: the name is empty",
    "scan letters --library ''": "argument --library: the name is empty",
    "query ''": "argument FILE: the name is empty",
    "undo ''": "argument BATCH: the name is empty",
    "quarantine empty '' --yes": "argument BATCH: the name is empty",
    # folders and files
    "scan {no}": "The folder",
    "scan letters --leave-out letters": "No folder was given to scan",
    "scan letters --protect {no}": "is not there",
    "scan --library letters/letter1.txt letters": "is not a library of dupfinder",
    "scan letters --library {no}/l.db": "its folder does not exist",
    "scan letters --report {no}/a.json": "there is no folder",
    "scan letters --report a.pdf": "must end in one of",
    "scan letters --report letters": "must end in one of",
    "scan letters --report letters/letter1.html": "a report never takes the place of one",
    "scan letters --report other.csv": "exists already and holds something else",
    "scan letters --format xml": "it cannot be 'xml'",
    "scan letters --kinds identical": "--kinds goes with --format paths0",
    "scan letters --format paths0 --kinds whole": "There is no kind 'whole'",
    "scan letters --progress loud": "it cannot be 'loud'",
    "report --library {no}": "There is no finished scan",
    "report --library other.csv": "is not a library",
    "report --to a.docx --library {no}": "There is no finished scan",
    "library info --library {no}": "There is no finished scan",
    "library check --library f.npy": "is not a library",
    "library clear --library f.npy --yes": "is not a library",
    "library export": "--to",
    "library export --to a.json --library l.db": "must end in one of .npz .tsv .npy",
    "library export --to f.npy --library l.db": "exists already and holds something else",
    "library export 9 --to a.npz --library l.db": "There is no finished scan",
    "library import {no}": "no-such cannot be used: it is not there.",
    "library import f.npy": "holds fingerprints alone",
    "library import other.csv": "line 1",
    "query {no} --library l.db": "No such file",
    "query letters --library l.db": "letters",
    "query numbers.txt --library l.db": "too short to compare",
    "query letters/letter1.txt --library {no}": "There is no finished scan",
    "diff letters/letter1.txt": "the following arguments are required: B",
    "diff letters/letter1.txt {no}": "No such file",
    "diff letters/letter1.txt f.npy": "f.npy",
    "explain letters/letter1.txt": "explain takes two files, or --library and none",
    "explain --library {no}": "There is no finished scan",
    "explain --labels other.csv": "--labels goes with --library",
    "explain plain.txt plain.txt --json a.json": "--json goes with --library",
    "explain --library l.db --labels {no}": "cannot be read",
    "explain --library l.db --labels other.csv": "line 2: two paths and yes or no",
    # plans
    "select --to p.json": "--keep",
    "select --keep prettiest --to p.json --library l.db": "prettiest",
    "select --keep newest --kinds some --to p.json --library l.db": "There is no kind 'some'",
    "select --keep newest --verb shred --to p.json": "it cannot be 'shred'",
    "select --keep newest --verb move --to p.json --library l.db": "--destination",
    "select --keep newest --to other.csv --library l.db": "exists already and holds something else",
    "select --keep newest --verb hardlink --kinds version --to p.json": "replaces identical files only",
    "apply": "PLAN",
    "apply {no}": "no-such",
    "apply other.csv": "other.csv",
    "undo 17": "17",
    "quarantine empty 17": "17",
    # weights
    "weights learn --library {no}": "There is no finished scan",
    "weights learn --library l.db": "20 different documents are needed",
    # fingerprints
    "fingerprint letters": "--to",
    "fingerprint --to a.npz": "Name a folder",
    "fingerprint letters --to a.txt": "must end in one of .npz .tsv .npy",
    "fingerprint letters --to a.npz --bits 7": "it cannot be '7'; choose from 32, 64, 128",
    "fingerprint letters --to a.npz --shingles 0": "--shingles is above 0",
    "fingerprint letters --to a.npz --shingles=-1": "a whole number of 0 or more is wanted, not '-1'",
    "fingerprint letters --to a.npz --shingles 3 --weights tf-idf": "are known for words alone",
    "fingerprint letters --to a.npz --weights bm25": "it cannot be 'bm25'",
    "fingerprint letters --to a.npz --weights learned": "There are no learned weights",
    "fingerprint letters --to a.npz --hash rabin": "--hash is of shingles",
    "fingerprint letters --to a.npz --sketch max": "it cannot be 'max'; choose from min, mod, super",
    "fingerprint letters --to a.npz --sketch-size 9": "goes with --sketch",
    "fingerprint letters --to a.npz --sketch min --sketch-size 0": "is above 0",
    "fingerprint letters --to a.tsv --sketch min": "Sketches are kept in .npz, .parquet and .arrow files alone",
    "fingerprint letters --to f.npy": "exists already and holds something else",
    "fingerprint {no} --to a.npz": "is not there",
    "fingerprint nothing --to a.npz": "There are no files in",
    # index
    "index join {no}": "no-such cannot be used: it is not there.",
    "index join other.csv": "line 1",
    "index join floats.npy": "holds float64",
    "index join f.npy --radius 17": "a whole number from 0 to 16 is wanted, not '17'",
    "index join f.npy --radius 3.5": "not '3.5'",
    "index join f.npy --design 5": "--design: there is no design 5",
    "index join f.npy --radius 9 --design 20": "no design 20 for fingerprints of 64 bits and a radius of 9",
    "index join f.npy --against g32.npy": "different widths",
    "index join f.npy --cluster tcp://127.0.0.1:1": "--cluster goes with --against",
    "index join f.npy --workers 0": "a whole number from 1 to 64 is wanted, not '0'",
    "index join f.npy --most-pairs 1 --radius 16": "more than 1 pairs lie within 16 bits",
    "index join f.npy --by sketches": "holds no sketches",
    "index join f.npy --by sketches --least 1.5": "a number from 0 to 1 is wanted, not '1.5'",
    "index join f.npy --parts": "go with --by sketches",
    "index join f.npy --by sketches --method brute": "of fingerprints, not of sketches",
    "index join f.npy --method brute --design 4": "--method brute compares all of one file",
    "index join f.npy --paths": "holds no paths",
    "index join f.npy --to f.npy": "f.npy",
    "index build f.npy --to letters": "exists already",
    "index build wide.npy --to t": "32 or 64 bits, not 128",
    "index build f.npy": "--to",
    "index build f.npy --to t --coding zip": "it cannot be 'zip'",
    "index add letters f.npy": "is not an index of dupfinder",
    "index add {no} f.npy": "is not an index of dupfinder",
    "index add t0": "the following arguments are required: FILE",
    "index add t0 g32.npy": "holds fingerprints of 32 bits, and the index those of 64. Nothing was added.",
    "index add t0 f.npy {no}": "no-such cannot be used: it is not there.",
    "index add t0 f.npy --replace": "holds no paths, by which --replace works",
    "index remove t0": "Nothing to remove was named",
    "index remove t0 nothing.txt": "The index holds nothing under the path nothing.txt. Nothing was removed.",
    "index remove t0 --rows 1 200": "The index holds no row 200. Nothing was removed.",
    "index remove t0 --rows=-1": "a whole number of 0 or more is wanted, not '-1'",
    "index remove t0 --files-from {no}": "The list of files no-such cannot be read: it is not there.",
    "index merge letters": "is not an index of dupfinder",
    "index query t0 0123456789abcdef --radius 4": "The tables serve a radius of at most 3",
    "index query t0 0123456789abcdef --paths": "holds no paths",
    "index query t0 0123456789abcdef --method brute": "are of files; tables on disk have theirs",
    "index join t0 --against g32.npy": "different widths",
    "explain --library l.db --plot p.svg": "--plot goes with --labels",
    "explain --library l.db --labels other.csv --plot p.png": "The name of a plot must end in .svg",
    "index query f.npy": "There is no fingerprint to look for",
    "index query f.npy xyz": "'xyz' is not a fingerprint",
    "index query f.npy 0123456789abcdef0123456789abcdef": "a query has 128",
    "index query f.npy 01234567": "a query has 32",
    "index query letters 0123456789abcdef": "is not an index",
    "index query f.npy 0123456789abcdef --method guess": "it cannot be 'guess'",
    "index query f.npy 0123456789abcdef --method variants --radius 5": "No such search serves a radius of 5 in 64 bits",
    "index query f.npy 0123456789abcdef --method brute --design 4": "--design and --search are of --method tables",
    "index explain": "index explain takes a file of fingerprints, or --count and none",
    "index explain f.npy --count 8e9": "or --count and none",
    "index explain --count many": "a number of fingerprints is wanted, as in 8e9 or 2^34, not 'many'",
    "index explain --count 8e9 --memory much": "a size is a number of bytes",
    "index explain --count 8e9 --machines 0": "a whole number of 1 or more is wanted, not '0'",
    "index explain --count 8e9 --bits 7": "it cannot be 7; choose from 32, 64, 128",
    "index info letters": "is not an index",
    "index info {no}": "no-such cannot be used: it is not there.",
}
NO_ROOT = {
    "scan {no}",
    "scan letters --leave-out letters",
    "scan letters --protect {no}",
    "fingerprint {no} --to a.npz",
    "fingerprint nothing --to a.npz",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the table speaks of."""
    folder = tmp_path_factory.mktemp("misuse")
    family(folder / "letters", 1)
    run_scan(ScanRequest((Root(folder / "letters"),), workers=1), folder / "l.db")
    numbers = np.random.default_rng(1).integers(0, 2**64, 200, dtype=np.uint64)
    for name, array in (("f", numbers), ("g32", numbers.astype(np.uint32)), ("floats", numbers.astype(np.float64)),
                        ("wide", numbers.reshape(-1, 2))):  # fmt: skip
        np.save(folder / f"{name}.npy", array)
    write_index(folder / "t0", numbers, named_design("4"))
    (folder / "nothing").mkdir()
    put(folder / "empty.txt", b"")
    put(folder / "zeros.txt", b"letters\0letters\0")
    put(folder / "numbers.txt", b"34")
    put(folder / "other.csv", b"a,b,c\n1,2,3\n")
    put(folder / "plain.txt", making.txt(prose(3)))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_hundred_misuses_are_tried() -> None:
    assert len(MISUSES) >= 100


@pytest.mark.parametrize("typed", MISUSES)
def test_a_misuse_ends_with_one_clear_line(
    folder: Path, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    before = contents(folder)
    said = Shell(capsys)(*shlex.split(typed.format(no="no-such")))
    lines = [
        line for line in said.err.splitlines() if not line.startswith(("Finding", "Reading", "Matching", "Writing"))
    ]
    assert said.code == (4 if typed in NO_ROOT else 2), said
    assert said.out == "" and len(lines) == 1, said
    assert MISUSES[typed] in lines[0]
    assert contents(folder) == before


def test_a_cluster_without_its_extra_or_without_a_scheduler_is_one_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    assert main(["index", "join", "f.npy", "--against", "f.npy", "--cluster", "127.0.0.1:1"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1 and ("needs the extra" in lines[0] or "No Dask scheduler answers at 127.0.0.1:1" in lines[0])
