"""Files of fingerprints: .npy arrays, and text with one hexadecimal fingerprint a line, perhaps followed by a path."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, Final, cast

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import IndexFileError
from dupfinder.index.words import width_of

_NPY: Final = b"\x93NUMPY"
_ZIP: Final = b"PK\x03\x04"
COMMENT: Final = b"#"  # what a line begins with that holds no fingerprint
_SIGNS: Final = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
_ESCAPES: Final = {sign: f"\\{letter}" for letter, sign in _SIGNS.items()}
_DIGITS: Final = {8: 32, 16: 64, 32: 128}  # hexadecimal digits of a line: bits of the fingerprint


def load_fingerprints(
    path: Path, *, mapped: bool = False, paths: list[str] | None = None
) -> NDArray[np.unsignedinteger]:
    """The fingerprints of a file: uint32 (n,), uint64 (n,) or uint64 (n, 2).

    mapped: leave the content of a .npy file on disk, mapped into memory and read-only. paths: gets the paths that stand
    behind the fingerprints of a text.
    Raises IndexFileError with the reason, and the line where there are lines.
    """
    try:
        with open(path, "rb") as stream:
            head = stream.read(len(_NPY))
            if head.startswith(_ZIP):
                stream.seek(0)
                with np.load(stream, allow_pickle=False) as arrays:
                    return checked(path, arrays["fingerprints"])
            if head != _NPY:
                stream.seek(0)
                return _from_lines(path, stream, paths)
        return checked(path, np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False))
    except (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile, zlib.error) as error:
        if isinstance(error, OSError) and error.strerror:
            raise IndexFileError(path, f"cannot be read ({error.strerror})") from error
        raise IndexFileError(path, "is not a whole file of fingerprints") from error


def checked(path: Path, array: NDArray[np.generic]) -> NDArray[np.unsignedinteger]:
    """An array as fingerprints in this machine's order of bytes. IndexFileError for one of another type or shape."""
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    fingerprints = cast(NDArray[np.unsignedinteger], native)
    try:
        width_of(fingerprints)
    except ValueError as error:
        shape = "x".join(map(str, array.shape)) or "a single number"
        raise IndexFileError(
            path, f"holds {array.dtype} ({shape}), not fingerprints: uint32 (n), uint64 (n) or uint64 (n x 2)"
        ) from error
    return fingerprints


def _from_lines(path: Path, stream: BinaryIO, paths: list[str] | None = None) -> NDArray[np.unsignedinteger]:
    values: list[int] = []
    digits = 0
    for number, raw in enumerate(stream, 1):
        line, tab, name = raw.rstrip(b"\r\n").partition(b"\t")
        line = line.strip().removeprefix(b"0x")
        if not line or line.startswith(COMMENT):
            continue
        if tab and paths is not None:
            paths.append(restored_path(os.fsdecode(name)))
        digits = digits or len(line)
        if digits not in _DIGITS:
            raise IndexFileError(path, f"line {number}: {len(line)} characters, not the 8, 16 or 32 of a fingerprint")
        if len(line) != digits:
            raise IndexFileError(path, f"line {number}: {len(line)} digits where the lines before have {digits}")
        if not all(48 <= char <= 57 or 97 <= char | 32 <= 102 for char in line):
            raise IndexFileError(path, f"line {number}: not a hexadecimal number")
        values.append(int(line, 16))
    return array_of(values, _DIGITS[digits or 16])


def escaped_path(path: str) -> str:
    """A path on one line, without tabs and control characters; `restored_path` gives it back."""
    return re.sub(r"[\\\x00-\x1f\x7f]", lambda sign: _ESCAPES.get(sign[0], f"\\x{ord(sign[0]):02x}"), path)


def restored_path(name: str) -> str:
    """A path as it was before it was escaped."""
    return re.sub(
        r"\\(?:x([0-7][0-9a-f])|([tnr\\]))", lambda sign: chr(int(sign[1], 16)) if sign[1] else _SIGNS[sign[2]], name
    )


def array_of(values: list[int], bits: int) -> NDArray[np.unsignedinteger]:
    """Numbers as an array of fingerprints of `bits` bits."""
    if bits == 32:
        return np.array(values, np.uint32)
    if bits == 64:
        return np.array(values, np.uint64)
    return np.array([(value >> 64, value & (2**64 - 1)) for value in values], np.uint64).reshape(-1, 2)


def number_of(fingerprint: NDArray[np.unsignedinteger] | np.unsignedinteger) -> int:
    """One fingerprint as a number."""
    parts = np.atleast_1d(fingerprint).tolist()
    return int(parts[0]) if len(parts) == 1 else int(parts[0]) << 64 | int(parts[1])
