"""Memory that a process no longer needs."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


def give_back() -> None:
    """Give memory that is free back to the system: some C libraries keep that of arrays up to 32 MB for later ones."""
    trim = _trim()
    if trim is not None:
        trim(0)


@cache
def _trim() -> Any:
    """Return the function of the C library that does it; None if it has none, as on Windows and macOS."""
    try:
        return ctypes.CDLL(None).malloc_trim
    except (OSError, TypeError, AttributeError):
        return None
