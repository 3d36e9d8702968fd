"""What the interface raises, and the sentences for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from dupfinder.base.errors import DupfinderError
from dupfinder.wording import errors as wording


class MixedSchemes(DupfinderError, ValueError):
    """Fingerprints or sketches that were made in different ways, and so cannot be compared."""


class TooShort(DupfinderError, ValueError):
    """A text without anything to compare: it has no fingerprint, rather than one that equals that of another."""


def sentence(error: DupfinderError) -> str:
    """Say in one sentence or two what went wrong, what was not done, and what to do."""
    if not isinstance(error, DupfinderError):
        raise TypeError(f"an error of dupfinder is wanted, not {type(error).__name__}")
    return str(error) if type(error).__module__.startswith(__package__) else wording.sentence(error)


@contextmanager
def explained() -> Iterator[None]:
    """Add the sentence for an error that passes through as a note, which tracebacks show."""
    try:
        yield
    except DupfinderError as error:
        error.add_note(sentence(error))
        raise


def require_same(left: str, right: str, what: str) -> None:
    """Raise MixedSchemes when two things of the kind `what` were made in different ways."""
    if left != right:
        raise MixedSchemes(f"These {what} cannot be compared: one is {left}, the other {right}.")
