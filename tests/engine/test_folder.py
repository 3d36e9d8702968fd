from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.errors import IndexFileError
from dupfinder.base.progress import Latest, Stopped
from dupfinder.engine.coding import Coding
from dupfinder.engine.folder import CompressedIndex, write_index
from dupfinder.index.design import PAPER, family, named
from dupfinder.index.tables import PermutedTables
from tests.index.making import planted


@pytest.mark.parametrize("name", PAPER)
def test_compressed_tables_answer_as_the_uncompressed_do(tmp_path: Path, name: str) -> None:
    fingerprints = planted(3000, 3)
    fingerprints[7:12] = fingerprints[3]
    write_index(tmp_path / "index", fingerprints, named(name), keep_rows=True)
    tables = PermutedTables.build(fingerprints, named(name))
    with CompressedIndex(tmp_path / "index") as index:
        for fingerprint in fingerprints[:150].tolist():
            found, expected = index.query(fingerprint), tables.query(fingerprint)
            assert found.rows is not None
            assert np.array_equal(np.sort(found.rows), expected.row)
            assert np.array_equal(fingerprints[found.rows], found.fingerprints)
            assert np.array_equal(np.sort(found.distance), np.sort(expected.distance))


def test_an_index_of_32_bits_without_rows_names_fingerprints(tmp_path: Path) -> None:
    fingerprints = planted(500, 2, bits=32)
    write_index(tmp_path / "index", fingerprints, family(32, 2, 4))
    with CompressedIndex(tmp_path / "index") as index:
        found = index.query(int(fingerprints[0]))
        assert found.rows is None
        near = fingerprints[np.bitwise_count(fingerprints ^ fingerprints[0]) <= 2]
        assert np.array_equal(np.sort(found.fingerprints), np.sort(near))


def test_a_folder_with_a_table_missing_foreign_or_of_another_index_is_refused(tmp_path: Path) -> None:
    write_index(tmp_path / "one", planted(300, 3), named("4"))
    write_index(tmp_path / "other", planted(301, 3), named("4"))
    for damage in ("missing", "other", "doubled"):
        folder = tmp_path / f"with {damage}"
        shutil.copytree(tmp_path / "one", folder)
        if damage == "missing":
            (folder / "table-00002.dft").unlink()
        else:
            source = "other" if damage == "other" else "one"
            shutil.copy(tmp_path / source / "table-00001.dft", folder / "table-00002.dft")
        with pytest.raises(IndexFileError):
            CompressedIndex(folder)
    with pytest.raises(IndexFileError):
        CompressedIndex(tmp_path)


def test_an_index_is_never_half_written_nor_written_over(tmp_path: Path) -> None:
    reporter = Latest()
    reporter.stop()
    with pytest.raises(Stopped):
        write_index(tmp_path / "index", planted(300, 3), named("4"), reporter=reporter)
    assert not list(tmp_path.iterdir())
    write_index(tmp_path / "index", planted(300, 3), named("4"))
    with pytest.raises(IndexFileError):
        write_index(tmp_path / "index", planted(300, 3), named("4"))


@pytest.mark.slow
@pytest.mark.parametrize("coding", list(Coding))
def test_a_million_answer_a_thousand_queries_as_the_uncompressed_do(tmp_path: Path, coding: Coding) -> None:
    answers_agree(tmp_path / "index", 1_000_000, coding)


def answers_agree(folder: Path, count: int, coding: Coding) -> None:
    """Check that queries near, equal to and far from the indexed fingerprints have the same rows both ways."""
    fingerprints, rng = planted(count, 3), np.random.default_rng(8)
    asked = rng.choice(fingerprints, 1000)
    for _ in range(4):
        asked[200:800] ^= np.uint64(1) << rng.integers(0, 64, 600, dtype=np.uint64)
    asked[800:] = rng.integers(0, 2**64, 200, dtype=np.uint64)
    plain = PermutedTables.build(fingerprints, named("4"))
    write_index(folder, fingerprints, named("4"), coding=coding, keep_rows=True)
    found_any = 0
    with CompressedIndex(folder) as index:
        for value in asked.tolist():
            found, expected = index.query(value), plain.query(value)
            assert found.rows is not None
            order, wanted = np.argsort(found.rows), np.argsort(expected.row)
            assert np.array_equal(found.rows[order], expected.row[wanted])
            assert np.array_equal(found.distance[order], expected.distance[wanted])
            found_any += len(expected.row) > 0
    assert found_any > 200
