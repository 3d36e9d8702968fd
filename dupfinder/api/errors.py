"""Errors of the interface, and sentences for all errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dupfinder.base.errors import DupfinderError
from dupfinder.wording import errors as wording


class MixedSchemes(DupfinderError, ValueError):
    """Fingerprints or sketches were made in different ways and so cannot be compared."""


class TooShort(DupfinderError, ValueError):
    """A text has no words to compare. It has no fingerprint, so that it does not equal other such texts."""


def sentence(error: DupfinderError) -> str:
    """Return a sentence or two on what went wrong, what was not done, and what to do. Raises TypeError."""
    if not isinstance(error, DupfinderError):
        raise TypeError(f"an error of dupfinder is wanted, not {type(error).__name__}")
    return str(error) if type(error).__module__.startswith(__package__) else wording.sentence(error)


@contextmanager
def explained() -> Iterator[None]:
    """Add its sentence to an error in the block, as a note that tracebacks show."""
    try:
        yield
    except DupfinderError as error:
        error.add_note(sentence(error))
        raise


def require_same(left: str, right: str, what: str) -> None:
    """Raise MixedSchemes when two objects of the kind `what` were made in different ways."""
    if left != right:
        raise MixedSchemes(f"These {what} cannot be compared: one is {left}, the other {right}.")
