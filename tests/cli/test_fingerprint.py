"""The verb `fingerprint`, and `index` over what it writes: every choice of the engine, from documents to pairs."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import dupfinder.api as api
from dupfinder.engine.exhaustive import all_pairs
from dupfinder.engine.prints import PrintFile, escaped_path, load_prints, number_of, restored_path, save_prints
from tests import making
from tests.cli.shell import Shell, one_line
from tests.scan.documents import family, prose, put, strangers


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    family(folder, 1)
    put(folder / "letter1 draft.txt", making.txt([*prose(1), *prose(9)[5:]]))  # long enough for another print
    strangers(folder, 2)
    put(folder / "numbers.txt", b"12 34 56")
    put(folder / "old.zip", making.zipped({"in/letter.txt": making.txt(prose(1))}))
    return folder


def rows_of(out: str) -> set[tuple[str, str]]:
    return {tuple(sorted(os.path.basename(cell) for cell in line.split("\t")[:2])) for line in out.splitlines()}  # type: ignore[misc]


ALIKE = {"letter1.txt", "letter1 (1).txt", "letter1.html", "letter.txt"}  # the same text in four files


def test_fingerprints_have_paths_and_feed_the_join(run: Shell, docs: Path, tmp_path: Path) -> None:
    said = run("fingerprint", docs, "--to", tmp_path / "a.npz")
    assert (
        said.code == 0
        and said.out == ""
        and "7 documents fingerprinted (64 bits of words weighted by tf-idf, revision " in said.err
    )
    prints = load_prints(tmp_path / "a.npz")
    assert prints.paths is not None and [os.path.relpath(path, docs) for path in prints.paths] == sorted(
        ["copies/letter1 (1).txt", "letter1 draft.txt", "letter1.html", "letter1.txt", "old.zip/in/letter.txt",
         "stranger0.txt", "stranger1.txt"]
    )  # fmt: skip
    for path, value in zip(prints.paths, prints.fingerprints, strict=True):
        assert number_of(value) == api.fingerprint(api.read(path)).value
    joined = run("index", "join", tmp_path / "a.npz", "--radius", "0", "--paths")
    assert rows_of(joined.out) == {tuple(sorted((a, b))) for a in ALIKE for b in ALIKE if a != b}
    assert run("index", "join", tmp_path / "a.npz", "--radius", "0", "--paths", "--method", "brute").out == joined.out
    numbers = run("index", "join", tmp_path / "a.npz", "--radius", "0").out
    assert len(numbers.splitlines()) == len(joined.out.splitlines()) and str(docs) not in numbers


@pytest.mark.parametrize("ending", ["npz", "tsv", "npy"])
def test_every_format_feeds_build_query_and_join(run: Shell, docs: Path, tmp_path: Path, ending: str) -> None:
    file = tmp_path / f"a.{ending}"
    assert run("fingerprint", docs, "--to", file).code == 0
    assert run("index", "info", file).out.startswith("7 fingerprints of 64 bits, 4 of them distinct.")
    assert run("index", "build", file, "--to", tmp_path / "tables").code == 0
    asked = f"{api.fingerprint(api.read(docs / 'letter1.txt')).value:016x}"
    for where in (file, tmp_path / "tables"):
        matches = run("index", "query", where, asked, "--radius", "0").out
        assert len(matches.splitlines()) == 4 and all(line.split("\t")[1] == asked for line in matches.splitlines())
        named = run("index", "query", where, asked, "--radius", "0", "--paths")
        if ending == "npy":
            one_line(named, 2, "holds no paths")
        else:
            assert {os.path.basename(line.split("\t")[3]) for line in named.out.splitlines()} == ALIKE
    assert len(run("index", "join", file, "--against", file, "--radius", "0").out.splitlines()) == 4 * 4 + 3


CHOICES = [
    (["--bits", "32"], api.Scheme(bits=32)),
    (["--bits", "128", "--weights", "tf", "--top", "20"], api.Scheme(bits=128, weights="tf", top=20)),
    (["--weights", "none"], api.Scheme(weights="none")),
    (["--scale", "5"], api.Scheme(scale=5)),
    (["--shingles", "2"], api.Scheme(features="shingles", weights="tf", shingle=2)),
    (["--shingles", "3", "--hash", "rabin", "--weights", "none"],
     api.Scheme(features="shingles", weights="none", shingle=3, shingle_hash="rabin")),
    (["--simplify"], api.Scheme(simplify=True)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "scheme"), CHOICES, ids=lambda options: " ".join(options) if isinstance(options, list) else ""
)
def test_every_choice_is_that_of_the_interface(
    run: Shell, docs: Path, tmp_path: Path, options: list[str], scheme: api.Scheme
) -> None:
    assert (
        run("fingerprint", docs / "letter1.txt", docs / "letter1.html", "--to", tmp_path / "a.npz", *options).code == 0
    )
    prints = load_prints(tmp_path / "a.npz")
    asked = api.fingerprint(api.read(docs / "letter1.txt"), scheme)
    assert [number_of(value) for value in prints.fingerprints] == [asked.value] * 2
    assert prints.made_by == asked.scheme
    digits = f"{asked.value:0{scheme.bits // 4}x}"
    assert run("index", "query", tmp_path / "a.npz", digits, "--radius", "0").out.count(digits) == 4


@pytest.mark.parametrize(
    ("options", "kind", "given"),
    [
        (["--sketch", "min"], "min", {"size": 1024}),
        (["--sketch", "min", "--sketch-size", "9"], "min", {"size": 9}),
        (["--sketch", "mod", "--sketch-size", "4", "--hash", "rabin"], "mod", {"modulus": 4}),
        (["--sketch", "super", "--sketch-size", "64", "--shingles", "3"], "super", {"size": 64}),
    ],
)
def test_sketches_are_kept_and_joined(
    run: Shell, docs: Path, tmp_path: Path, options: list[str], kind: str, given: dict[str, int]
) -> None:
    assert run("fingerprint", docs, "--to", tmp_path / "a.npz", *options).code == 0
    prints = load_prints(tmp_path / "a.npz")
    assert prints.sketches is not None and prints.paths is not None
    width = 3 if "--shingles" in options else 5
    scheme = api.Scheme(shingle=width, shingle_hash="rabin" if "rabin" in options else "xxh3")
    sketches = [api.sketch(api.read(path), kind, scheme=scheme, **given) for path in prints.paths]
    for row, sketch in enumerate(sketches):
        assert np.array_equal(prints.sketches.entries[row], sketch.values)
        assert prints.sketches.made_by == sketch.made_by
    index = api.SketchIndex(least=0.5, by="any" if kind == "super" else "resemblance")
    for path, sketch in zip(prints.paths, sketches, strict=True):
        index.add(os.path.basename(path), sketch)
    joined = run("index", "join", tmp_path / "a.npz", "--by", "sketches", "--paths")
    assert rows_of(joined.out) == {tuple(sorted((str(pair.left), str(pair.right)))) for pair in index.join()}
    assert rows_of(joined.out) >= {("letter1.html", "letter1.txt")}
    if kind == "mod":
        parts = run("index", "join", tmp_path / "a.npz", "--by", "sketches", "--parts", "--least", "0.9", "--paths")
        assert ("letter1 draft.txt", "letter1.txt") in rows_of(parts.out)


METHODS: list[list[str]] = [
    [], ["--method", "pigeonhole"], ["--method", "variants"], ["--method", "brute"], ["--method", "tables"],
    ["--design", "16"], ["--design", "20", "--search", "interpolation"], ["--search", "binary"],
]  # fmt: skip


@pytest.mark.parametrize("options", METHODS, ids=" ".join)
def test_every_option_of_a_query_finds_the_same_rows(run: Shell, tmp_path: Path, options: list[str]) -> None:
    numbers = np.random.default_rng(3).integers(0, 2**64, 3000, dtype=np.uint64)
    numbers[100:130] = numbers[:30] ^ np.uint64(1 << 40 | 5)
    np.save(tmp_path / "a.npy", numbers)
    np.save(tmp_path / "q.npy", numbers[:20])
    said = run("index", "query", tmp_path / "a.npy", "--from", tmp_path / "q.npy", *options)
    rows = {(int(line.split("\t")[0], 16), int(line.split("\t")[3])) for line in said.out.splitlines()}
    pairs = all_pairs(numbers, 3)
    near = {(int(numbers[a]), b) for a, b in zip(pairs.left.tolist(), pairs.right.tolist(), strict=True) if a < 20}
    assert said.code == 0 and rows == near | {(int(numbers[row]), row) for row in range(20)}


def test_paths_of_any_name_come_back(tmp_path: Path) -> None:
    names = ["/a\tb", "/two\nlines", "/back\\slash\\n", "/caf\udce9", "/\x1b[31m", "/plain", "/中文", "/\\x41"]
    assert [restored_path(escaped_path(name)) for name in names] == names
    prints = PrintFile(np.arange(len(names), dtype=np.uint32), names, "32 bits of a test")
    for ending in ("npz", "tsv"):
        save_prints(tmp_path / f"a.{ending}", prints)
        back = load_prints(tmp_path / f"a.{ending}")
        assert (back.paths, back.made_by, back.fingerprints.tolist()) == (
            names,
            prints.made_by,
            list(range(len(names))),
        )
        save_prints(tmp_path / f"a.{ending}", prints)  # its own file gives way


def test_files_made_in_different_ways_are_not_compared(run: Shell, docs: Path, tmp_path: Path) -> None:
    run("fingerprint", docs, "--to", tmp_path / "a.npz")
    run("fingerprint", docs, "--to", tmp_path / "b.tsv", "--weights", "tf")
    for command in (("join", "a.npz", "--against", "b.tsv"), ("query", "a.npz", "--from", "b.tsv")):
        arguments = [tmp_path / word if "." in word else word for word in command]
        one_line(
            run("index", *arguments), 2, "These files cannot be compared: one holds 64 bits of words weighted by tf"
        )


def test_learned_weights_can_be_asked_for_once_there_are_some(run: Shell, tmp_path: Path) -> None:
    folder = tmp_path / "many"
    strangers(folder, 20)
    one_line(run("fingerprint", folder, "--to", tmp_path / "a.npz", "--weights", "learned"), 2, "no learned weights")
    assert run("scan", folder, "-q").code == run("weights", "learn", "-q").code == run("weights", "reset").code == 0
    said = run("fingerprint", folder, "--to", tmp_path / "a.npz", "--weights", "learned")
    assert said.code == 0 and "weighted by learned" in said.err
    assert "tf-idf" in run("fingerprint", folder, "--to", tmp_path / "b.npz").err


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x03\x04" + bytes(200), b"# dupfinder fingerprints: x\nzz\t/a\n"])
def test_a_damaged_file_of_fingerprints_is_one_line(run: Shell, tmp_path: Path, data: bytes) -> None:
    put(tmp_path / "a.npz", data)
    for act in ("join", "query", "build", "info"):
        more: dict[str, list[str | Path]] = {"query": ["0" * 16], "build": ["--to", tmp_path / "t"]}
        one_line(run("index", act, tmp_path / "a.npz", *more.get(act, [])), 2, "a.npz cannot be used")


def test_a_file_of_fingerprints_with_wrong_parts_is_refused(run: Shell, tmp_path: Path) -> None:
    numbers = np.arange(3, dtype=np.uint64)
    save_prints(tmp_path / "a.npz", PrintFile(numbers, ["/a", "/b"]))
    one_line(run("index", "join", tmp_path / "a.npz"), 2, "has 2 paths for 3 fingerprints")
    np.savez(tmp_path / "b.npz", fingerprints=numbers)
    one_line(run("index", "join", tmp_path / "b.npz"), 2, "another version of dupfinder wrote it")
