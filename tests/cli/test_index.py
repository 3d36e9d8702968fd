from __future__ import annotations

import errno
import io
import os
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from dupfinder.cli.main import main
from dupfinder.engine.exhaustive import all_pairs
from tests.index.making import Fingerprints, distances, planted, random_fingerprints


def saved(folder: Path, count: int = 2000, bits: int = 64) -> tuple[Path, Fingerprints]:
    fingerprints = planted(count, 3, bits=bits)
    np.save(folder / "f.npy", fingerprints)
    return folder / "f.npy", fingerprints


def rows_of(text: str) -> list[list[str]]:
    return [line.split("\t") for line in text.splitlines()]


def judged(fingerprints: Fingerprints, radius: int) -> list[list[int]]:
    pairs = all_pairs(fingerprints, radius)
    return [list(row) for row in zip(pairs.left.tolist(), pairs.right.tolist(), pairs.distance.tolist(), strict=True)]


@pytest.mark.parametrize("design", [[], ["--design", "10"], ["--design", "C(5,2)"]])
def test_a_join_prints_every_pair(tmp_path: Path, capsys: pytest.CaptureFixture[str], design: list[str]) -> None:
    path, fingerprints = saved(tmp_path)
    assert main(["index", "join", str(path), "--radius", "3", *design]) == 0
    pairs = [[int(cell) for cell in row] for row in rows_of(capsys.readouterr().out)]
    assert pairs == judged(fingerprints, 3)


def test_a_join_of_hexadecimal_lines_can_be_written_to_a_file(tmp_path: Path) -> None:
    _, fingerprints = saved(tmp_path)
    (tmp_path / "f.txt").write_text("".join(f"{value:016x}\n" for value in fingerprints.tolist()))
    assert main(["index", "join", str(tmp_path / "f.txt"), "--to", str(tmp_path / "pairs.npy")]) == 0
    assert np.load(tmp_path / "pairs.npy").tolist() == judged(fingerprints, 3)
    assert main(["index", "join", str(tmp_path / "f.txt"), "--to", str(tmp_path / "pairs.tsv")]) == 0
    assert [list(map(int, row)) for row in rows_of((tmp_path / "pairs.tsv").read_text())] == judged(fingerprints, 3)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_new_fingerprints_are_joined_against_old_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], workers: str
) -> None:
    _, fingerprints = saved(tmp_path)
    for name, part in (("new", fingerprints[:300]), ("a", fingerprints[300:900]), ("b", fingerprints[900:])):
        np.save(tmp_path / f"{name}.npy", part)
    old = [str(tmp_path / "a.npy"), str(tmp_path / "b.npy")]
    assert main(["index", "join", str(tmp_path / "new.npy"), "--against", *old, "--workers", workers]) == 0
    pairs = [[int(cell) for cell in row] for row in rows_of(capsys.readouterr().out)]
    distance = np.bitwise_count(fingerprints[:300, None] ^ fingerprints[None, 300:])
    assert pairs == [[i, j, distance[i, j]] for i, j in zip(*np.nonzero(distance <= 3), strict=True)]


@pytest.mark.parametrize("bits", [32, 64])
def test_an_index_is_built_asked_and_described(tmp_path: Path, capsys: pytest.CaptureFixture[str], bits: int) -> None:
    path, fingerprints = saved(tmp_path, bits=bits)
    folder = str(tmp_path / "index")
    assert main(["index", "build", str(path), "--to", folder]) == 0
    assert "2,000 fingerprints in 4 tables" in capsys.readouterr().out
    query = f"{int(fingerprints[3]):0{bits // 4}x}"
    assert main(["index", "query", folder, query]) == 0
    near = distances(fingerprints, fingerprints[3:4])
    expected = sorted((int(near[row]), int(fingerprints[row]), row) for row in np.flatnonzero(near <= 3).tolist())
    cells = rows_of(capsys.readouterr().out)
    assert [(int(row[2]), int(row[1], 16), int(row[3])) for row in cells] == expected
    assert all(row[0] == query for row in cells)
    assert main(["index", "info", folder]) == 0
    assert "All checksums are right." in capsys.readouterr().out
    assert main(["index", "info", f"{folder}/run-000000-002-00000.dft"]) == 0
    assert "Table 2 of 4" in capsys.readouterr().out
    assert main(["index", "join", folder]) == 0
    assert [[int(cell) for cell in row] for row in rows_of(capsys.readouterr().out)] == judged(fingerprints, 3)


def test_an_index_grows_forgets_and_names_rows_by_path_or_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.tsv").write_text("".join(f"{row:016x}\t/d/{row}\n" for row in (0, 1, 2)), encoding="utf-8")
    Path("new.tsv").write_text("ffffffffffffffff\t/d/1\n0000000000000003\t/d/\\n\\\\n\n", encoding="utf-8")

    def lines(*words: str, code: int = 0) -> list[str]:
        assert main(["index", *words]) == code
        return capsys.readouterr().out.splitlines()

    lines("build", "old.tsv", "--to", "t")
    assert lines("add", "t", "new.tsv", "--replace") == ["2 fingerprints added; the index holds 4."]
    assert [line.split("\t")[2:] for line in lines("query", "t", "0" * 16, "--paths")] == [
        ["0", "/d/0"], ["1", "/d/2"], ["2", "/d/\\n\\\\n"],
    ]  # fmt: skip
    assert lines("join", "t", "--radius", "1") == ["0\t2\t1", "2\t4\t1"]
    np.save("one.npy", np.array([2], np.uint64))
    assert lines("join", "one.npy", "--against", "one.npy", "t", "--radius", "0") == ["0\t0\t0", "0\t3\t0"]
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"/d/\\n\\\\n\n")))
    assert lines("remove", "t", "/d/1", "--files-from", "-") == ["2 rows removed; the index holds 2."]
    assert lines("remove", "t", "--rows", "0") == ["1 row removed; the index holds 1."]
    assert lines("merge", "t") == ["The runs are merged; the index holds 1."]
    assert lines("query", "t", "0" * 16, "--paths") == [f"{0:016x}\t{2:016x}\t1\t/d/2"]
    assert "Rows have paths." in lines("info", "t")
    for wrong in (("remove", "t", "/d/1"), ("remove", "t", "--rows", "0"), ("remove", "t"), ("add", "t", "t/none")):
        refused(capsys, *wrong)
    assert len(lines("query", "t", "0" * 16)) == 1


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_a_plain_file_answers_queries_too(tmp_path: Path, capsys: pytest.CaptureFixture[str], bits: int) -> None:
    path, fingerprints = saved(tmp_path, bits=bits)
    assert main(["index", "query", str(path), "--from", str(path), "--radius", "2"]) == 0
    matches = rows_of(capsys.readouterr().out)
    expected = sum(int((distances(fingerprints, fingerprints[i : i + 1]) <= 2).sum()) for i in range(2000))
    assert len(matches) == expected
    assert main(["index", "info", str(path)]) == 0
    assert capsys.readouterr().out.startswith(f"2,000 fingerprints of {bits} bits")


def test_a_plan_for_a_number_of_fingerprints_tells_sizes_and_what_each_design_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["index", "explain", "--count", "1500000"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "1,500,000 fingerprints of 64 bits (d = log2 n = 20.5), radius 3."
    assert lines[1].startswith("Whole, they take 12.0 MB; ")
    (design,) = (line.split() for line in lines if line.split()[:2] == ["4", "4"])
    assert design[2:7] == ["16", "23", "92", "48.0", "MB"]


@pytest.mark.parametrize("purpose", ["join", "one", "many"])
def test_the_planner_explains_itself(tmp_path: Path, capsys: pytest.CaptureFixture[str], purpose: str) -> None:
    path, _ = saved(tmp_path, 15_000)
    assert main(["index", "explain", str(path), "--for", purpose]) == 0
    out = capsys.readouterr().out
    assert "15,000 fingerprints" in out
    assert "within 3 bits" in out
    assert "expected" in out


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a refused command says."""
    try:
        code = main(["index", *words])
    except SystemExit as ended:
        code = int(ended.code or 0)
    captured = capsys.readouterr()
    lines = [line for line in captured.err.splitlines() if line]
    assert (code, captured.out, len(lines)) == (2, "", 1), captured
    return lines[0]


def test_bad_input_is_refused_with_one_line_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = saved(tmp_path)
    np.save(tmp_path / "floats.npy", np.zeros(5))
    np.save(tmp_path / "wide.npy", random_fingerprints(5, 128))
    (tmp_path / "lines.txt").write_text("0123456789abcdef\n0123\n")
    (tmp_path / "cut.npy").write_bytes(path.read_bytes()[:99])
    before = sorted(tmp_path.iterdir())
    to = ["--to", str(tmp_path / "index")]
    quiet = ["--to", str(tmp_path / "pairs"), "--progress", "none"]
    assert "float64" in refused(capsys, "join", str(tmp_path / "floats.npy"))
    assert "line 2" in refused(capsys, "join", str(tmp_path / "lines.txt"))
    assert "not a complete" in refused(capsys, "build", str(tmp_path / "cut.npy"), *to)
    assert "0 to 16" in refused(capsys, "join", str(path), "--radius", "17")
    assert "none.npy" in refused(capsys, "join", str(tmp_path / "none.npy"))
    assert "none.npy" in refused(capsys, "info", str(tmp_path / "none.npy"))
    assert "design" in refused(capsys, "join", str(path), "--design", "5")
    assert "128" in refused(capsys, "build", str(tmp_path / "wide.npy"), *to)
    assert "widths" in refused(capsys, "join", str(path), "--against", str(tmp_path / "wide.npy"))
    assert "hexadecimal" in refused(capsys, "query", str(path), "xyz")
    assert "64 bits" in refused(capsys, "query", str(path), "f" * 32)
    assert "no fingerprint" in refused(capsys, "query", str(path))
    assert "more than 2 pairs" in refused(capsys, "join", str(path), "--most-pairs", "2", *quiet)
    assert "not an index" in refused(capsys, "query", str(tmp_path), "0" * 16)
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_ends_with_one_line_and_nothing_half_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(descriptor: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path, _ = saved(tmp_path)
    before = sorted(tmp_path.iterdir())
    monkeypatch.setattr(os, "fsync", full)
    refused(capsys, "build", str(path), "--to", str(tmp_path / "index"), "--progress", "none")
    refused(capsys, "join", str(path), "--to", str(tmp_path / "pairs.npy"), "--progress", "none")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.skipif(os.name != "posix", reason="needs devices")
def test_a_device_without_an_end_is_no_file_of_fingerprints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for device in ("/dev/zero", "/dev/null"):
        for arguments in (
            ("info", device),
            ("query", device, "0" * 16),
            ("build", device, "--to", str(tmp_path / "x")),
        ):
            assert "not an ordinary file" in refused(capsys, *arguments)
    assert not list(tmp_path.iterdir())


def test_a_damaged_index_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = saved(tmp_path)
    assert main(["index", "build", str(path), "--to", str(tmp_path / "index"), "--progress", "none"]) == 0
    capsys.readouterr()
    table = tmp_path / "index" / "run-000000-001-00000.dft"
    content = bytearray(table.read_bytes())
    content[-5] ^= 8
    table.write_bytes(content)
    assert "damaged" in refused(capsys, "info", str(tmp_path / "index"))
    assert "damaged" in refused(capsys, "query", str(tmp_path / "index"), "f" * 16)
