"""The content of documents beside their words, as the library stores it: a uint64 for each kind of OtherContent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dupfinder.text.document import MAY_HOLD, MediaType, OtherContent, all_unknown

KINDS = tuple(OtherContent)
NONE, UNKNOWN = 0, 1  # no such content, and not known; every other number is a hash of the content
_BYTES = 8 * len(KINDS)


def packed(other: Mapping[OtherContent, str]) -> bytes:
    """Return the content of each kind, as a reader reports it, as consecutive little-endian uint64."""
    return np.array([_number(other.get(kind)) for kind in KINDS], "<u8").tobytes()


def _number(digest: str | None) -> int:
    """Return the stored number of a kind. digest: hexadecimal; "": not known; None: no content."""
    if digest is None:
        return NONE
    return max(int(digest, 16), UNKNOWN + 1) if digest else UNKNOWN


def columns(stored: Sequence[bytes | None], media: Sequence[str]) -> NDArray[np.uint64]:
    """Return n stored values, of documents with these media types, as uint64 (n, kinds).

    None, stored for documents read before this was recorded, is UNKNOWN for every kind that the format may hold; so is
    a kind that was added to OtherContent after a document was read.
    """
    completed: dict[tuple[bytes, str], bytes] = {}
    parts: list[bytes] = []
    for value, kind in zip(stored, media, strict=True):
        if value is None or len(value) != _BYTES:
            key = (value or b"", kind)
            if key not in completed:
                completed[key] = _completed(*key)
            value = completed[key]
        parts.append(value)
    whole = b"".join(parts)
    return np.frombuffer(whole, "<u8").astype(np.uint64).reshape(-1, len(KINDS))


def _completed(value: bytes, media: str) -> bytes:
    """Return a stored value cut or extended to all kinds, UNKNOWN where the format may hold a missing kind."""
    kind = MediaType(media) if media in MAY_HOLD else MediaType.UNKNOWN
    return value[:_BYTES] + packed(all_unknown(kind))[len(value) :]


def difference(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Compare rows of Documents.other. Return (differs, not known) for each kind, bool of the shape of both."""
    unknown = (left == UNKNOWN) | (right == UNKNOWN)
    return (left != right) & ~unknown, unknown
