from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from dupfinder.base.errors import Fault, IndexFileError
from dupfinder.engine.prints import PrintFile, load_arrays, load_fingerprints, load_prints, number_of, save_prints
from tests.index.making import random_fingerprints


@pytest.mark.parametrize("bits", [32, 64, 128])
@pytest.mark.parametrize("mapped", [False, True])
def test_an_array_file_gives_its_fingerprints(tmp_path: Path, bits: int, mapped: bool) -> None:
    fingerprints = random_fingerprints(50, bits)
    np.save(tmp_path / "f.npy", fingerprints)
    assert np.array_equal(load_fingerprints(tmp_path / "f.npy", mapped=mapped), fingerprints)
    np.save(tmp_path / "other.npy", fingerprints.astype(fingerprints.dtype.newbyteorder()))
    assert np.array_equal(load_fingerprints(tmp_path / "other.npy"), fingerprints)


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_hexadecimal_lines_give_their_fingerprints(tmp_path: Path, bits: int) -> None:
    fingerprints = random_fingerprints(50, bits)
    lines = [f"{number_of(fingerprint):0{bits // 4}x}" for fingerprint in fingerprints]
    (tmp_path / "f.txt").write_text("\r\n".join(["0x" + lines[0].upper().replace("0X", ""), "", *lines[1:]]) + "\n")
    assert np.array_equal(load_fingerprints(tmp_path / "f.txt"), fingerprints)


def test_an_empty_file_holds_no_fingerprints(tmp_path: Path) -> None:
    (tmp_path / "f.txt").write_text("\n")
    assert load_fingerprints(tmp_path / "f.txt").shape == (0,)


@pytest.mark.parametrize(
    ("content", "fault", "facts"),
    [
        ("0123456789abcdef\n0123\n", Fault.OTHER_DIGITS, {"line": 2, "characters": 4, "digits": 16}),
        ("0123\n", Fault.LINE_LENGTH, {"line": 1, "characters": 4}),
        ("\n0123456789abcdeg\n", Fault.NOT_HEXADECIMAL, {"line": 2}),
        ("0123456789_abcde\n", Fault.NOT_HEXADECIMAL, {"line": 1}),
        ("\x00\x01\x02", Fault.LINE_LENGTH, {"line": 1, "characters": 3}),
    ],
)
def test_a_line_that_is_no_fingerprint_is_named(
    tmp_path: Path, content: str, fault: Fault, facts: dict[str, int]
) -> None:
    (tmp_path / "f.txt").write_text(content)
    with pytest.raises(IndexFileError) as caught:
        load_fingerprints(tmp_path / "f.txt")
    assert (caught.value.fault, caught.value.facts) == (fault, facts)


@pytest.mark.parametrize("array", [np.zeros(3), np.zeros(3, np.int64), np.zeros((3, 3), np.uint64), np.uint64(3)])
def test_an_array_of_something_else_is_refused(tmp_path: Path, array: NDArray[np.generic]) -> None:
    np.save(tmp_path / "f.npy", array)
    with pytest.raises(IndexFileError, match="no_fingerprints"):
        load_fingerprints(tmp_path / "f.npy")


def test_a_cut_array_file_and_no_file_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "f.npy", random_fingerprints(50, 64))
    content = (tmp_path / "f.npy").read_bytes()
    for size in (7, 40, 200):
        (tmp_path / "cut.npy").write_bytes(content[:size])
        for mapped in (False, True):
            with pytest.raises(IndexFileError, match="not_whole"):
                load_fingerprints(tmp_path / "cut.npy", mapped=mapped)
    np.save(tmp_path / "pickled.npy", np.array([{}], object), allow_pickle=True)
    for name in ("pickled.npy", "none.npy", ".", "x" * 300):
        for load in (load_fingerprints, load_prints):
            with pytest.raises(IndexFileError):
                load(tmp_path / name)


def test_a_flipped_bit_in_a_file_is_refused_or_goes_unnoticed_but_never_raises_another_error(tmp_path: Path) -> None:
    save_prints(tmp_path / "f.npz", PrintFile(random_fingerprints(5, 64), list("abcde"), "one way"))
    content = bytearray((tmp_path / "f.npz").read_bytes())
    for place in range(content.index(b"PK\x01\x02"), len(content)):  # the directory: sizes, versions, passwords
        for bit in (0, 3, 7):
            content[place] ^= 1 << bit
            (tmp_path / "flipped.npz").write_bytes(content)
            content[place] ^= 1 << bit
            for load in (load_fingerprints, load_prints, load_arrays):
                with contextlib.suppress(IndexFileError):
                    load(tmp_path / "flipped.npz")
