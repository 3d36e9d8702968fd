"""A scan goes out as a file and into another library, and says the same there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dupfinder.engine.prints import load_arrays, load_prints
from dupfinder.library.library import LibraryFile
from tests import making
from tests.cli.shell import Shell, one_line
from tests.scan.documents import family, prose, put, strangers, troubles


@pytest.fixture
def exported(tmp_path: Path, run: Shell) -> Path:
    """A file of a scan with groups, troubles, an archive and a protected folder; its library is a.db beside it."""
    docs = tmp_path / "docs"
    family(docs, 1)
    strangers(docs, 2)
    troubles(docs / "bad")
    put(docs / "old.zip", making.zipped({"in/letter.txt": making.txt(prose(1)), "in/none.png": b"\x89PNG"}))
    put(docs / "kept" / "same.txt", making.txt(prose(1)))
    library = tmp_path / "a.db"
    assert run("scan", docs, "--protect", docs / "kept", "--library", library, "-q").code == 0
    assert run("library", "export", "--library", library, "--to", tmp_path / "scan.npz").code == 0
    return tmp_path / "scan.npz"


def lasting_report(run: Shell, library: Path) -> dict[str, Any]:
    """A report without what differs from run to run."""
    report: dict[str, Any] = json.loads(run("report", "--library", library, "--format", "json").out)
    for name in ("seconds", "started"):
        del report["scan"][name]
    del report["summary"]["reused"]
    return report


def test_an_imported_scan_reports_what_the_first_one_did(run: Shell, exported: Path) -> None:
    first, second = exported.with_name("a.db"), exported.with_name("b.db")
    said = run("library", "import", exported, "--library", second)
    assert said.code == 0 and said.out.startswith("Scan 1: 18 files imported, 8 of them read before; 1 group.")
    assert lasting_report(run, second) == lasting_report(run, first)
    assert run("library", "check", "--library", second).code == 0
    asked = exported.parent / "docs" / "letter1.txt"
    assert run("query", asked, "--library", second).out == run("query", asked, "--library", first).out
    assert run("library", "export", "--library", second, "--to", exported.with_name("again.npz")).code == 0
    before, after = load_arrays(exported), load_arrays(exported.with_name("again.npz"))
    assert before.keys() == after.keys()
    assert [name for name in before if not np.array_equal(before[name], after[name])] == []


def test_the_files_need_not_be_there_and_a_later_scan_reads_them_itself(run: Shell, exported: Path) -> None:
    docs, second = exported.parent / "docs", exported.with_name("b.db")
    docs.rename(docs.with_name("away"))
    assert run("library", "import", exported, "--library", second, "-q").code == 0
    assert "Group 1: " in run("report", "--library", second).out
    docs.with_name("away").rename(docs)
    assert "(0 unchanged since before)" in run("scan", docs, "--library", second).out


def test_what_is_exported_feeds_the_index_in_every_format(run: Shell, exported: Path) -> None:
    prints = load_prints(exported)
    assert prints.paths is not None and len(prints.fingerprints) == 8
    for ending in ("tsv", "npy"):
        file = exported.with_suffix(f".{ending}")
        assert run("library", "export", "--library", exported.with_name("a.db"), "--to", file, "-q").err == ""
        assert run("index", "join", file, "--radius", "0").out == run("index", "join", exported, "--radius", "0").out


@pytest.mark.parametrize("ending", ["parquet", "arrow"])
def test_a_table_of_columns_holds_what_an_archive_does(run: Shell, exported: Path, ending: str) -> None:
    pytest.importorskip("pyarrow", reason="the extra `arrow` is not installed")
    file, library = exported.with_name(f"scan.{ending}"), exported.with_name("a.db")
    for _ in range(2):  # our own file gives way
        assert run("library", "export", "--library", library, "--to", file, "-q").err == ""
    before, after = load_arrays(exported), load_arrays(file)
    assert before.keys() == after.keys()
    assert [name for name in before if before[name].tobytes() != after[name].tobytes()] == []
    assert run("library", "import", file, "--library", exported.with_name("b.db")).code == 0
    assert lasting_report(run, exported.with_name("b.db")) == lasting_report(run, library)
    assert run("index", "join", file, "--paths").out == run("index", "join", exported, "--paths").out
    assert run("index", "build", file, "--to", exported.with_name("tables")).code == 0
    file.write_bytes(file.read_bytes()[:1000])
    one_line(run("index", "info", file), 2, "is not a complete file")


@pytest.mark.parametrize("bits", ["32", "128"])
def test_fingerprints_and_sketches_are_columns_for_other_programs(run: Shell, tmp_path: Path, bits: str) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="the extra `arrow` is not installed")
    family(tmp_path / "docs", 1)
    put(tmp_path / "docs" / "\udcff.txt", making.txt(prose(1)))
    for ending in ("npz", "parquet"):
        to = tmp_path / f"prints.{ending}"
        assert run("fingerprint", tmp_path / "docs", "--to", to, "--bits", bits, "--sketch", "mod", "-q").err == ""
    left, right = load_prints(tmp_path / "prints.npz"), load_prints(tmp_path / "prints.parquet")
    assert np.array_equal(left.fingerprints, right.fingerprints) and left.fingerprints.dtype == right.fingerprints.dtype
    assert (left.paths, left.made_by) == (right.paths, right.made_by)
    assert left.sketches is not None and right.sketches is not None
    assert np.array_equal(left.sketches.entries.values, right.sketches.entries.values)
    columns = parquet.read_table(tmp_path / "prints.parquet")
    assert columns.column_names == ["fingerprint", "path", "sketch"]
    parquet.write_table(columns.replace_schema_metadata(None), tmp_path / "foreign.parquet")
    assert load_prints(tmp_path / "foreign.parquet").paths == left.paths
    one_line(run("fingerprint", tmp_path / "docs", "--to", tmp_path / "foreign.parquet"), 2, "exists already")


def test_without_the_extra_a_parquet_file_is_one_line(
    run: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    put(tmp_path / "docs" / "a.txt", making.txt(prose(1)))
    one_line(run("fingerprint", tmp_path / "docs", "--to", tmp_path / "a.parquet"), 2, "pip install '.[arrow]'")
    put(tmp_path / "b.parquet", b"PAR1 and so on")
    one_line(run("index", "info", tmp_path / "b.parquet"), 2, "the extra `arrow`")
    assert not (tmp_path / "a.parquet").exists()


def _for_windows(names: bytes) -> bytes:
    """Paths as Windows writes them."""
    return b"".join(b"C:" + name.replace(b"/", b"\\") + b"\0" for name in names.split(b"\0")[:-1])


def test_a_damaged_or_foreign_file_is_one_line_and_leaves_no_library(
    run: Shell, exported: Path, tmp_path: Path
) -> None:
    arrays = load_arrays(exported)
    cases: list[tuple[str, dict[str, Any], str]] = [
        ("version", {"library": np.array(99)}, "another version"),
        ("count", {"size": arrays["size"][:-1]}, "is damaged"),
        ("type", {"words": arrays["words"].astype(np.float64)}, "is damaged"),
        ("loop", {"archive": np.zeros_like(arrays["archive"])}, "is damaged"),
        (
            "status",
            {"status": np.frombuffer(json.dumps(["fine"] * len(arrays["size"])).encode(), np.uint8)},
            "is damaged",
        ),
        ("starts", {"trace_starts": arrays["trace_starts"][::-1].copy()}, "is damaged"),
        (
            "sketches",
            {"smallest_values": arrays["smallest_values"][:0], "smallest_starts": arrays["smallest_starts"] * 0},
            "is damaged",
        ),
        ("relative", {"names": np.frombuffer(arrays["names"].tobytes().replace(b"/", b"_"), np.uint8)}, "is damaged"),
        ("windows", {"names": np.frombuffer(_for_windows(arrays["names"].tobytes()), np.uint8)}, "kind of system"),
        ("facts", {"scan": np.array("{}")}, "is damaged"),
        ("role", {"scan": np.array(str(arrays["scan"]).replace('"protect"', '"owner"'))}, "is damaged"),
        ("date", {"scan": np.array(str(arrays["scan"]).replace('"started": "', '"started": "x'))}, "is damaged"),
        (
            "surrogate",
            {"title": np.frombuffer(json.dumps(["\ud800"] * len(arrays["size"])).encode(), np.uint8)},
            "is damaged",
        ),
        (
            "scheme",
            {"scan": np.array(str(arrays["scan"]).replace('"scheme": "', '"scheme": "0'))},
            "by another version",
        ),
    ]
    for name, wrong, words in cases:
        np.savez(tmp_path / f"{name}.npz", **(arrays | wrong))
        one_line(run("library", "import", tmp_path / f"{name}.npz", "--library", tmp_path / "new.db"), 2, words)
    (tmp_path / "cut.npz").write_bytes(exported.read_bytes()[:3000])
    one_line(
        run("library", "import", tmp_path / "cut.npz", "--library", tmp_path / "new.db"), 2, "is not a complete file"
    )
    run("fingerprint", exported.parent / "docs", "--to", tmp_path / "prints.npz", "-q")
    one_line(
        run("library", "import", tmp_path / "prints.npz", "--library", tmp_path / "new.db"), 2, "fingerprints alone"
    )
    assert not (tmp_path / "new.db").exists()
    one_line(run("library", "import", exported, "--library", tmp_path / "no" / "b.db"), 2, "its folder does not exist")
    document = exported.parent / "docs" / "letter1.txt"
    one_line(run("library", "export", "--library", exported.with_name("a.db"), "--to", document), 2, "must end in")


def test_an_import_stands_beside_the_scans_that_are_there(run: Shell, exported: Path) -> None:
    library = exported.with_name("a.db")
    assert run("library", "import", exported, "--library", library).out.startswith("Scan 2: ")
    with LibraryFile(library) as opened:
        assert [scan.state for scan in opened.scans()] == ["done", "done"]
    assert (
        lasting_report(run, library)["clusters"]
        == json.loads(run("report", "1", "--library", library, "--format", "json").out)["clusters"]
    )
