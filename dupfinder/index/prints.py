"""Files of fingerprints with what they are of: .npz with paths, scheme and sketches; .tsv with paths; .npy without."""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.errors import IndexFileError, UsageError
from dupfinder.base.output import recognise_nothing, replacing
from dupfinder.index.files import COMMENT, checked, escaped_path, load_fingerprints, number_of
from dupfinder.index.words import width_of

ENDINGS: Final = (".npz", ".tsv", ".npy")
ZIP: Final = b"PK\x03\x04"
_MARK: Final = "dupfinder-fingerprints"  # the first array of an .npz
_HEAD: Final = COMMENT + b" dupfinder fingerprints: "
_VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class Sketched:
    """Sketches of n documents: those of document i are values[starts[i]:starts[i + 1]].

    kind: "min", "mod" or "super". size: of "min", how many are kept at most. values: uint64 (m,), ascending for each
    document. starts: int64 (n + 1,). made_by: sketches made in the same way alone are compared.
    """

    kind: str
    size: int
    values: NDArray[np.uint64]
    starts: NDArray[np.int64]
    made_by: str


@dataclass(frozen=True, slots=True)
class PrintFile:
    """What a file of fingerprints holds.

    fingerprints: uint32 (n,), uint64 (n,) or uint64 (n, 2). paths: n names, row for row, as text with surrogate
    escapes; None where the file has none. made_by: how the fingerprints were made; "" where the file does not say.
    """

    fingerprints: NDArray[np.unsignedinteger]
    paths: Sequence[str] | None = None
    made_by: str = ""
    sketches: Sketched | None = None


def require_same(left: PrintFile, right: PrintFile) -> None:
    """Raise UsageError where two files say that they were made in different ways; one that does not say is trusted."""
    if left.made_by and right.made_by and left.made_by != right.made_by:
        raise UsageError(f"These files cannot be compared: one holds {left.made_by}, the other {right.made_by}.")


def load_prints(path: Path) -> PrintFile:
    """Load a file of fingerprints, whatever it holds besides. Raises IndexFileError with the reason."""
    try:
        with open(path, "rb") as stream:
            head = stream.read(len(_HEAD))
            if head.startswith(ZIP):
                stream.seek(0)
                return _from_archive(path, stream)
            made_by = stream.readline().decode("utf-8", "replace").strip() if head == _HEAD else ""
    except OSError as error:
        raise IndexFileError(path, f"cannot be read ({error.strerror})") from error
    paths: list[str] = []
    fingerprints = load_fingerprints(path, paths=paths)
    return PrintFile(fingerprints, paths if len(paths) == len(fingerprints) > 0 else None, made_by)


def _from_archive(path: Path, stream: IO[bytes]) -> PrintFile:
    try:
        with np.load(stream, allow_pickle=False) as arrays:
            if _MARK not in arrays or arrays[_MARK].tolist() != _VERSION:
                raise IndexFileError(path, "holds no fingerprints of this version of dupfinder")
            fingerprints = checked(path, arrays["fingerprints"])
            paths = [os.fsdecode(name) for name in arrays["paths"].tobytes().split(b"\0")[:-1]]
            made_by, sketches = str(arrays["made_by"]), _sketches(path, arrays, len(fingerprints))
    except (zipfile.BadZipFile, zlib.error, KeyError, EOFError, ValueError, TypeError) as error:
        raise IndexFileError(path, "is damaged: it is not a whole .npz file of fingerprints") from error
    if len(paths) not in (0, len(fingerprints)):
        raise IndexFileError(path, f"has {len(paths):,} paths for {len(fingerprints):,} fingerprints")
    return PrintFile(fingerprints, paths or None, made_by, sketches)


def _sketches(path: Path, arrays: Any, count: int) -> Sketched | None:
    if "sketch_values" not in arrays:
        return None
    values, starts = arrays["sketch_values"], arrays["sketch_starts"]
    ordered = values.dtype == np.uint64 and starts.dtype == np.int64 and starts.shape == (count + 1,)
    if not ordered or values.ndim != 1 or starts[0] != 0 or starts[-1] != len(values) or (np.diff(starts) < 0).any():
        raise IndexFileError(path, "is damaged: its sketches are not what they should be")
    return Sketched(str(arrays["sketch"]), int(arrays["sketch_size"]), values, starts, str(arrays["sketch_made_by"]))


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """All arrays of an .npz file of fingerprints, also those that `load_prints` leaves. Raises IndexFileError."""
    load_prints(path)
    try:
        with open(path, "rb") as stream:
            if stream.read(len(ZIP)) != ZIP:
                return {}
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as arrays:
                return dict(arrays)
    except OSError as error:
        raise IndexFileError(path, f"cannot be read ({error.strerror})") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError) as error:
        raise IndexFileError(path, "is damaged: it is not a whole .npz file of fingerprints") from error


def is_ours(stream: IO[bytes]) -> bool:
    """Tell whether a file begins like fingerprints that were saved here; a .npy carries no mark."""
    head = stream.read(128)
    return head.startswith(_HEAD) or (head.startswith(ZIP) and _MARK.encode() in head)


def check_ending(path: Path) -> str:
    """The ending of a file to write. UsageError for one that is none of ENDINGS."""
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"The name of a file of fingerprints ends in one of {' '.join(ENDINGS)}.")
    return path.suffix.lower()


def save_prints(
    path: Path, prints: PrintFile, *, extra: Mapping[str, NDArray[Any]] | None = None, force: bool = False
) -> None:
    """Write fingerprints, whole or not at all; the ending chooses the format.

    .npz: everything, and the arrays of `extra`. .tsv: a line of hexadecimal digits, tab and path each, after a comment
    that says how they were made. .npy: the fingerprints alone. Raises UsageError, OccupiedError for a file that is not
    ours unless `force`, DiskFullError.
    """
    ending = check_ending(path)
    with replacing(path, recogniser(path), force=force) as stream:
        if ending == ".npz":
            np.savez_compressed(stream, **_arrays(prints), **(extra or {}))  # type: ignore[arg-type]
        elif ending == ".npy":
            np.save(stream, prints.fingerprints, allow_pickle=False)
        else:
            stream.write(_HEAD + prints.made_by.encode() + b"\n")
            digits = width_of(prints.fingerprints) // 4
            for row, one in enumerate(prints.fingerprints):
                name = b"" if prints.paths is None else b"\t" + os.fsencode(escaped_path(prints.paths[row]))
                stream.write(f"{number_of(one):0{digits}x}".encode() + name + b"\n")


def recogniser(path: Path) -> Any:
    """What tells an earlier file of fingerprints under this name."""
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
        arrays |= {"sketch_values": sketches.values, "sketch_starts": sketches.starts}
        arrays["sketch_made_by"] = np.array(sketches.made_by)
    return arrays
