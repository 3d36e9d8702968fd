"""Questions on a terminal."""

from __future__ import annotations

import sys
import unicodedata

from dupfinder.wording.catalogue import say_as


def agreed(question: str, *, in_full: bool = False) -> bool:
    """Ask, and return whether the answer is yes, in English or in the language in use.

    in_full: the first letter is not enough.
    """
    print(question, end=" ", file=sys.stderr, flush=True)
    answer, yes = _plain(sys.stdin.readline()), _plain(say_as("answer", "yes"))
    return answer in ("yes", yes) or (not in_full and answer in ("y", yes[:1]))


def _plain(text: str) -> str:
    """Return a text in lower case without accents."""
    letters = unicodedata.normalize("NFKD", text.strip().casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))
