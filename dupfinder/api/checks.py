"""Checks of arguments: wrong arguments raise TypeError or ValueError with a sentence, before any work."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dupfinder.index.design import MOST_RADIUS
from dupfinder.index.words import width_of

Array = NDArray[np.unsignedinteger]


def whole_number(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number from `least` to `most` (None: no limit)."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise TypeError(f"{name} is a whole number, not {_described(value)}")
    if value < least or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"{least} to {most}"
        raise ValueError(f"{name} is {allowed}, not {value}")
    return int(value)


def radius_of(value: Any, most: int = MOST_RADIUS) -> int:
    """Return a Hamming distance in bits."""
    return whole_number("radius", value, 0, most)


def radius_or(widest: int, value: Any) -> int:
    """Return a Hamming distance in bits up to `widest`; None: `widest`."""
    return widest if value is None else radius_of(value, widest)


def share_of(name: str, value: Any) -> float:
    """Return a number from 0 to 1."""
    if not isinstance(value, int | float | np.floating) or isinstance(value, bool):
        raise TypeError(f"{name} is a number from 0 to 1, not {_described(value)}")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} is 0 to 1, not {value}")
    return float(value)


def demanded(name: str, value: Any) -> float:
    """Return a least similarity or containment, 0.5 to 1."""
    if (share := share_of(name, value)) < 0.5:
        raise ValueError(f"{name} is 0.5 to 1, not {value}")
    return share


def one_of(name: str, value: Any, allowed: tuple[str, ...]) -> str:
    """Return a word of `allowed`."""
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not {value!r}")
    return str(value)


def fingerprint_array(name: str, value: Any) -> Array:
    """Return an array of fingerprints: uint32 (n,), uint64 (n,), or uint64 (n, 2), the high word first."""
    requirement = f"{name} is a numpy array of fingerprints: uint32 (n,), uint64 (n,) or uint64 (n, 2)"
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{requirement}; not {_described(value)}")
    try:
        width_of(value)
    except ValueError:
        raise TypeError(f"{requirement}; not {value.dtype} {value.shape}") from None
    return value


def many(name: str, value: Any, of_what: str) -> Iterable[Any]:
    """Return an iterable of values. A single string is rejected, although it is iterable."""
    if isinstance(value, str | bytes) or not isinstance(value, Iterable):
        raise TypeError(f"{name} is several {of_what}, such as a list of them, not {_described(value)}")
    return value


def path_of(name: str, value: Any) -> Path:
    """Return the path of a file or folder."""
    if not isinstance(value, str | os.PathLike):
        raise TypeError(f"{name} is the path of a file, not {_described(value)}")
    if not os.fspath(value) or "\0" in str(os.fspath(value)):
        raise ValueError(f"{name} cannot be {os.fspath(value)!r}")
    return Path(value)


def _described(value: Any) -> str:
    """Describe a value in a few words: numbers and short strings by their value, others by their type."""
    if value is None or isinstance(value, int | float | np.number):
        return repr(value)
    return f"{type(value).__name__} {value!r}" if isinstance(value, str) and len(value) < 40 else type(value).__name__
