"""Files of fingerprints: their content, and how to read and write them.

.npz: with paths, scheme and sketches. .tsv and other text: one hexadecimal fingerprint a line, optionally followed by a
tab and a path. .npy: fingerprints only. .parquet and .arrow: as .npz, for other programs.
"""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, Final, cast

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import Ragged
from dupfinder.base.errors import Fault, IndexFileError, InputError
from dupfinder.base.files import has_end
from dupfinder.base.output import Recogniser, recognise_nothing, replacing
from dupfinder.engine import arrow
from dupfinder.engine.folder import FolderReader
from dupfinder.index.words import width_of

_NPY: Final = b"\x93NUMPY"
COMMENT: Final = b"#"  # begins a line without a fingerprint
_SIGNS: Final = {"t": "\t", "n": "\n", "r": "\r", "\\": "\\"}
_ESCAPES: Final = {sign: f"\\{letter}" for letter, sign in _SIGNS.items()}
_DIGITS: Final = {8: 32, 16: 64, 32: 128}  # hexadecimal digits of a line: bits of the fingerprint

ENDINGS: Final = (".npz", ".tsv", ".npy", *arrow.ENDINGS)
ZIP: Final = b"PK\x03\x04"
# Raised by numpy and zipfile for a damaged .npz file. RuntimeError: a damaged header may state a password or an unknown
# compression.
_DAMAGED: Final = (EOFError, ValueError, KeyError, RuntimeError, zipfile.BadZipFile, zlib.error)
_MARK: Final = "dupfinder-fingerprints"  # name of the first array of an .npz
_HEAD: Final = COMMENT + b" dupfinder fingerprints: "
_VERSION: Final = 1


def load_fingerprints(
    path: Path, *, mapped: bool = False, paths: list[str] | None = None
) -> NDArray[np.unsignedinteger]:
    """Return the fingerprints of a file or an index: uint32 (n,), uint64 (n,) or uint64 (n, 2).

    mapped: leave the content of a .npy file on disk, mapped into memory and read-only.
    paths:  a list to which the paths in a text file are appended.
    Raises IndexFileError with the reason, for text with the number of the line.
    """
    if os.path.isdir(path):
        with FolderReader(path) as index:
            return index.fingerprints()[1]
    with _arrays_in(path) as arrays:
        if arrays is not None:
            return checked(path, arrays["fingerprints"])
        with open(path, "rb") as stream:
            if stream.read(len(_NPY)) != _NPY:
                stream.seek(0)
                return _from_lines(path, stream, paths)
        return checked(path, np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False))


@contextmanager
def _arrays_in(path: Path) -> Iterator[Mapping[str, NDArray[Any]] | None]:
    """Yield the arrays of an .npz, .parquet or .arrow file, else None.

    Raises IndexFileError, also for errors in the block.
    """
    try:
        if not has_end(path):
            raise IndexFileError(path, Fault.NOT_ORDINARY)
        with open(path, "rb") as stream:
            head = stream.read(len(ZIP))
            stream.seek(0)
            if head == ZIP:
                with np.load(stream, allow_pickle=False) as arrays:
                    yield arrays
            else:
                yield arrow.read_arrays(path) if head in arrow.MAGIC else None
    except (OSError, *_DAMAGED) as error:
        raise arrow.unreadable(path, error) from error


def checked(path: Path, array: NDArray[np.generic]) -> NDArray[np.unsignedinteger]:
    """Return an array as fingerprints in native byte order. Raises IndexFileError for another type or shape."""
    native = array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))
    fingerprints = cast(NDArray[np.unsignedinteger], native)
    try:
        width_of(fingerprints)
    except ValueError as error:
        shape = "x".join(map(str, array.shape))
        raise IndexFileError(path, Fault.NO_FINGERPRINTS, type=str(array.dtype), shape=shape) from error
    return fingerprints


def _from_lines(path: Path, stream: BinaryIO, paths: list[str] | None) -> NDArray[np.unsignedinteger]:
    """Read a text file, one fingerprint a line."""
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
            raise IndexFileError(path, Fault.LINE_LENGTH, line=number, characters=len(line))
        if len(line) != digits:
            raise IndexFileError(path, Fault.OTHER_DIGITS, line=number, characters=len(line), digits=digits)
        if not all(48 <= char <= 57 or 97 <= char | 32 <= 102 for char in line):
            raise IndexFileError(path, Fault.NOT_HEXADECIMAL, line=number)
        values.append(int(line, 16))
    return array_of(values, _DIGITS[digits or 16])


def escaped_path(path: str) -> str:
    """Return a path without tabs and control characters, to be written on one line; `restored_path` is the inverse."""
    return re.sub(r"[\\\x00-\x1f\x7f]", lambda sign: _ESCAPES.get(sign[0], f"\\x{ord(sign[0]):02x}"), path)


def restored_path(name: str) -> str:
    """Return the path that `escaped_path` escaped."""
    return re.sub(
        r"\\(?:x([0-7][0-9a-f])|([tnr\\]))", lambda sign: chr(int(sign[1], 16)) if sign[1] else _SIGNS[sign[2]], name
    )


def array_of(values: list[int], bits: int) -> NDArray[np.unsignedinteger]:
    """Return numbers as an array of fingerprints of `bits` bits."""
    if bits == 128:
        return np.array([(value >> 64, value & (2**64 - 1)) for value in values], np.uint64).reshape(-1, 2)
    return np.array(values, np.uint32 if bits == 32 else np.uint64)


def number_of(fingerprint: NDArray[np.unsignedinteger] | np.unsignedinteger) -> int:
    """Return a fingerprint as a Python number."""
    parts = np.atleast_1d(fingerprint).tolist()
    return int(parts[0]) if len(parts) == 1 else int(parts[0]) << 64 | int(parts[1])


@dataclass(frozen=True, slots=True)
class Sketches:
    """Sketches of n documents.

    kind:    "min", "mod" or "super".
    size:    s of MIN_s, the most values of a document.
    entries: uint64, those of each document, ascending.
    made_by: how the sketches were made; only sketches made in the same way are comparable.
    """

    kind: str
    size: int
    entries: Ragged
    made_by: str


@dataclass(frozen=True, slots=True)
class PrintFile:
    """The content of a file of fingerprints.

    fingerprints: uint32 (n,), uint64 (n,) or uint64 (n, 2).
    paths:        n names, row for row, as text with surrogate escapes; None if the file has none.
    made_by:      how the fingerprints were made; "" if the file does not say.
    rows:         uint32 (n,), ascending, the row numbers in an index; None for a file, whose rows are 0 to n - 1.
    """

    fingerprints: NDArray[np.unsignedinteger]
    paths: Sequence[str] | None = None
    made_by: str = ""
    sketches: Sketches | None = None
    rows: NDArray[np.uint32] | None = None


def require_same_scheme(left: PrintFile, right: PrintFile) -> None:
    """Raise UsageError when two files state that they were made in different ways."""
    if left.made_by and right.made_by and left.made_by != right.made_by:
        raise InputError(Fault.OTHER_FINGERPRINTS, left=left.made_by, right=right.made_by)


def load_prints(path: Path) -> PrintFile:
    """Load a file of fingerprints, of any of the formats, or an index. Raises IndexFileError with the reason."""
    if os.path.isdir(path):
        with FolderReader(path) as index:
            rows, fingerprints, row_paths = index.contents()
            return PrintFile(fingerprints, row_paths, index.made_by, rows=rows)
    with _arrays_in(path) as arrays:
        if arrays is not None:
            return _from_arrays(path, arrays)
        with open(path, "rb") as stream:
            has_head = stream.read(len(_HEAD)) == _HEAD
            made_by = stream.readline().decode("utf-8", "replace").strip() if has_head else ""
    paths: list[str] = []
    fingerprints = load_fingerprints(path, paths=paths)
    return PrintFile(fingerprints, paths if len(paths) == len(fingerprints) > 0 else None, made_by)


def _from_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> PrintFile:
    """Return the content of a file from its arrays. Raises IndexFileError."""
    if _MARK not in arrays or arrays[_MARK].tolist() != _VERSION:
        raise IndexFileError(path, Fault.OTHER_VERSION)
    try:
        fingerprints = checked(path, arrays["fingerprints"])
        paths = [os.fsdecode(name) for name in arrays["paths"].tobytes().split(b"\0")[:-1]]
        made_by, sketches = str(arrays["made_by"]), _sketches(path, arrays, len(fingerprints))
    except (KeyError, ValueError, TypeError) as error:
        raise IndexFileError(path, Fault.NOT_WHOLE) from error
    if len(paths) not in (0, len(fingerprints)):
        raise IndexFileError(path, Fault.OTHER_PATHS, paths=len(paths), fingerprints=len(fingerprints))
    return PrintFile(fingerprints, paths or None, made_by, sketches)


def _sketches(path: Path, arrays: Any, count: int) -> Sketches | None:
    """Return the sketches of `count` documents, None if the file has none. Raises IndexFileError."""
    if "sketch_values" not in arrays:
        return None
    entries = Ragged(arrays["sketch_values"], arrays["sketch_starts"])
    try:
        if entries.values.dtype != np.uint64 or len(entries.checked()) != count:
            raise ValueError("sketches of other documents")
    except ValueError as error:
        raise IndexFileError(path, Fault.DAMAGED_SKETCHES) from error
    return Sketches(str(arrays["sketch"]), int(arrays["sketch_size"]), entries, str(arrays["sketch_made_by"]))


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return all arrays of a file of fingerprints, also those that `load_prints` ignores. Raises IndexFileError."""
    load_prints(path)
    with _arrays_in(path) as arrays:
        return dict(arrays or {})


def is_ours(stream: IO[bytes]) -> bool:
    """Tell whether a file begins like fingerprints that dupfinder saved. A .npy file is never recognised."""
    head = stream.read(128)
    return head.startswith(_HEAD) or (head.startswith(ZIP) and _MARK.encode() in head)


def ending_of_prints(path: Path) -> str:
    """Return the ending of a file to write. Raises UsageError if it is not in ENDINGS."""
    if path.suffix.lower() not in ENDINGS:
        raise InputError(Fault.OTHER_ENDING, words=" ".join(ENDINGS))
    if path.suffix.lower() in arrow.ENDINGS:
        arrow.require_arrow()
    return path.suffix.lower()


def save_prints(
    path: Path, prints: PrintFile, *, extra: Mapping[str, NDArray[Any]] | None = None, force: bool = False
) -> None:
    """Write fingerprints in the format of the file's ending. The file appears complete or not at all.

    .npz, .parquet, .arrow: everything, and the arrays of `extra`. .tsv: a line of hexadecimal digits, tab and path
    each, after a comment that says how they were made. .npy: the fingerprints only. Raises UsageError, DiskFullError,
    and OccupiedError for a file that dupfinder did not write, unless `force`.
    """
    ending = ending_of_prints(path)
    with replacing(path, prints_recogniser(path), force=force) as stream:
        if ending == ".npz":
            np.savez_compressed(stream, **_arrays(prints), **(extra or {}))  # type: ignore[arg-type]
        elif ending == ".npy":
            np.save(stream, prints.fingerprints, allow_pickle=False)
        elif ending in arrow.ENDINGS:
            arrow.write_arrays(stream, {**_arrays(prints), **(extra or {})}, ending)
        else:
            stream.write(_HEAD + prints.made_by.encode() + b"\n")
            digits = width_of(prints.fingerprints) // 4
            for row, fingerprint in enumerate(prints.fingerprints):
                name = b"" if prints.paths is None else b"\t" + os.fsencode(escaped_path(prints.paths[row]))
                stream.write(f"{number_of(fingerprint):0{digits}x}".encode() + name + b"\n")


def prints_recogniser(path: Path) -> Recogniser:
    """Return the function that recognises earlier files of fingerprints under this name."""
    if path.suffix.lower() in arrow.ENDINGS:
        return arrow.is_ours
    return recognise_nothing if path.suffix.lower() == ".npy" else is_ours


def _arrays(prints: PrintFile) -> dict[str, NDArray[Any]]:
    names = b"".join(os.fsencode(path) + b"\0" for path in prints.paths or ())
    arrays: dict[str, NDArray[Any]] = {
        _MARK: np.array(_VERSION),
        "fingerprints": prints.fingerprints,
        "paths": np.frombuffer(names, np.uint8),
        "made_by": np.array(prints.made_by),
    }
    if (sketches := prints.sketches) is not None:
        arrays |= {"sketch": np.array(sketches.kind), "sketch_size": np.array(sketches.size)}
        arrays |= {"sketch_values": sketches.entries.values, "sketch_starts": sketches.entries.starts}
        arrays["sketch_made_by"] = np.array(sketches.made_by)
    return arrays
