"""What documents hold beside their words, as the library stores it: one uint64 for each kind, in the kinds' order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dupfinder.text.document import MAY_HOLD, MediaType, OtherContent, all_unknown

KINDS = tuple(OtherContent)
NONE, UNKNOWN = 0, 1  # known not to be there, and not known; every other number is the hash of what is there
_BYTES = 8 * len(KINDS)


def packed(other: Mapping[OtherContent, str]) -> bytes:
    """What a reader says of each kind as little-endian uint64, one after the other."""
    return np.array([_number(other.get(kind)) for kind in KINDS], "<u8").tobytes()


def _number(said: str | None) -> int:
    if said is None:
        return NONE
    return max(int(said, 16), UNKNOWN + 1) if said else UNKNOWN


def columns(stored: Sequence[bytes | None], media: Sequence[str]) -> NDArray[np.uint64]:
    """uint64 (n, kinds) of n stored values and media types.

    None, of a document that was read before this was stored, is UNKNOWN for every kind that its format may hold; so is
    a kind that was added to the list after a document was read.
    """
    whole = b"".join(
        value if value is not None and len(value) == _BYTES else _completed(value or b"", kind)
        for value, kind in zip(stored, media, strict=True)
    )
    return np.frombuffer(whole, "<u8").astype(np.uint64).reshape(-1, len(KINDS))


def _completed(value: bytes, media: str) -> bytes:
    """A stored value with what the format may hold as UNKNOWN where the value ends early; what is too long is cut."""
    kind = MediaType(media) if media in MAY_HOLD else MediaType.UNKNOWN
    return value[:_BYTES] + packed(all_unknown(kind))[len(value) :]


def difference(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(differs, not known) for each kind of each pair, bool of the shape of both: rows of Documents.other."""
    unknown = (left == UNKNOWN) | (right == UNKNOWN)
    return (left != right) & ~unknown, unknown
