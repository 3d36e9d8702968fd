from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import NoReturn

import numpy as np
import pytest

from dupfinder.base.errors import DiskFullError, Fault, IndexFileError
from dupfinder.engine.blocks import CompressedTable, bit_order, sorted_keys, unpermuted, write_table
from dupfinder.engine.coding import Coding
from dupfinder.index.design import TableDesign, family, mask_of, named_design
from tests.index.making import Fingerprints, planted, random_fingerprints


def write(
    path: Path,
    fingerprints: Fingerprints,
    design: TableDesign,
    number: int,
    coding: Coding = Coding.XOR,
    *,
    keep_rows: bool = False,
) -> None:
    keys, order = sorted_keys(fingerprints, design, number)
    rows = order if keep_rows else order[:0]
    write_table(path, keys, rows.astype(np.uint32), design, number, coding)


def written(folder: Path, count: int = 3000) -> Path:
    path = folder / "table.dft"
    write(path, planted(count, 3), named_design("4"), 1, keep_rows=True)
    return path


@pytest.mark.parametrize("coding", list(Coding))
@pytest.mark.parametrize(("design", "number"), [(named_design("4"), 3), (named_design("16"), 9), (family(32, 2, 4), 2)])
def test_a_table_gives_back_what_was_written(tmp_path: Path, design: TableDesign, number: int, coding: Coding) -> None:
    fingerprints = random_fingerprints(4000, design.bits)
    fingerprints[100:400] = fingerprints[0]
    write(tmp_path / "t", fingerprints, design, number, coding)
    with CompressedTable(tmp_path / "t") as table:
        facts = table.header
        assert facts.file_bytes == (tmp_path / "t").stat().st_size
        assert (facts.bits, facts.radius, facts.number, facts.tables, facts.coding, facts.keys, facts.row_bytes) == (
            design.bits, design.radius, number, len(design.tables), coding, 4000, 0,
        )  # fmt: skip
        keys = table.keys()
        values = unpermuted(keys, bit_order(design, number), design.bits)
        assert np.array_equal(np.sort(values), np.sort(fingerprints))
        assert (keys[1:] >= keys[:-1]).all()


@pytest.mark.parametrize("coding", list(Coding))
@pytest.mark.parametrize("crowded", [False, True])
def test_a_query_finds_what_shares_the_prefix_and_is_near(tmp_path: Path, coding: Coding, crowded: bool) -> None:
    fingerprints = planted(4000, 3)
    if crowded:
        fingerprints[:2500] |= np.uint64(0xFFFF << 48)
        fingerprints[:400] = fingerprints[0]
    design = named_design("4")
    write(tmp_path / "t", fingerprints, design, 0, coding, keep_rows=True)
    mask = np.uint64(mask_of(design.tables[0].prefix, 64))
    with CompressedTable(tmp_path / "t") as table:
        for fingerprint in [*fingerprints[::211].tolist(), 0, 2**64 - 1]:
            differing = fingerprints ^ np.uint64(fingerprint)
            expected = np.flatnonzero(((differing & mask) == 0) & (np.bitwise_count(differing) <= 2))
            hits = table.query(fingerprint, 2)
            rows = table.rows(hits.positions)
            assert np.array_equal(np.sort(rows), expected)
            assert np.array_equal(fingerprints[rows], hits.fingerprints)
            assert np.array_equal(np.bitwise_count(differing[rows]), hits.distance)


def test_a_table_of_nothing_is_a_table(tmp_path: Path) -> None:
    write(tmp_path / "t", np.empty(0, np.uint64), named_design("4"), 0)
    with CompressedTable(tmp_path / "t") as table:
        assert len(table.keys()) == len(table.query(5).positions) == 0


def test_every_cut_of_a_table_is_refused(tmp_path: Path) -> None:
    content = written(tmp_path).read_bytes()
    for size in (0, 3, 60, 130, 150, len(content) // 2, len(content) - 1, len(content) + 1):
        (tmp_path / "cut").write_bytes((content + b"x")[:size])
        with pytest.raises(IndexFileError):
            CompressedTable(tmp_path / "cut")


def test_a_bit_turned_anywhere_is_seen(tmp_path: Path) -> None:
    content = written(tmp_path).read_bytes()
    rng = np.random.default_rng(1)
    for place in [*range(0, 170, 3), *rng.integers(0, len(content), 60).tolist()]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << int(rng.integers(0, 8))
        (tmp_path / "damaged").write_bytes(damaged)
        with pytest.raises(IndexFileError):
            CompressedTable(tmp_path / "damaged")


@pytest.mark.parametrize("content", [b"\x93NUMPY" + bytes(500), b"%PDF-1.7" + bytes(500), b"f" * 900])
def test_a_foreign_file_is_refused_and_so_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "foreign").write_bytes(content)
    with pytest.raises(IndexFileError) as caught:
        CompressedTable(tmp_path / "foreign")
    assert caught.value.fault is Fault.NOT_A_TABLE
    with pytest.raises(IndexFileError):
        CompressedTable(tmp_path / "none")
    with pytest.raises(IndexFileError):
        CompressedTable(tmp_path)


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(descriptor: int) -> NoReturn:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = written(tmp_path)
    before = path.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFullError):
        write(path, planted(100, 3), named_design("4"), 1)
    assert [path.name for path in tmp_path.iterdir()] == ["table.dft"]
    assert path.read_bytes() == before


def test_what_a_table_cannot_hold_or_serve_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError):
        write(tmp_path / "t", random_fingerprints(9, 128), family(128, 3, 4), 0)
    with pytest.raises(ValueError):
        write(tmp_path / "t", random_fingerprints(9, 32), named_design("4"), 0)
    write(tmp_path / "t", random_fingerprints(9, 64), named_design("4"), 0)
    with CompressedTable(tmp_path / "t") as table:
        for wrong in (lambda: table.query(0, 4), lambda: table.query(2**64), lambda: table.rows(np.array([0]))):
            with pytest.raises(ValueError):
                wrong()
