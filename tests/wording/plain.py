"""What is left of a text without all that a translator was asked for, as the pseudo-language marks it."""

from __future__ import annotations

import re
from collections.abc import Iterable

_MARKED = re.compile("⟦[^⟦⟧]*⟧")
_TAG = re.compile("<[^<>]*>")  # of a label with a part in bold
_COMMAND = re.compile(r"`[^`]*`")  # a command to type, in a sentence
_WORD = re.compile(r"[^\W\d_]{2,}")


def untranslated(text: str, known: Iterable[str] = (), patterns: Iterable[re.Pattern[str]] = ()) -> set[str]:
    """Return the words of a text outside of marks and of what is `known`: paths, names, words of the person; then
    without what matches `patterns`."""
    before = ""
    while before != text:
        before, text = text, _MARKED.sub(" ", text)
    text = _COMMAND.sub(" ", _TAG.sub(" ", text))
    for phrase in sorted(known, key=len, reverse=True):
        text = re.sub(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", " ", text)
    for pattern in patterns:
        text = pattern.sub(" ", text)
    return set(_WORD.findall(text))
