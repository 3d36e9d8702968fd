"""Columns of text in a terminal, in which some characters take two places."""

from __future__ import annotations

import unicodedata


def width_of(text: str) -> int:
    """Return how many places of a terminal a text takes."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)


def padded(text: str, width: int, *, right: bool = False) -> str:
    """Return a text with spaces after it up to `width` places; before it if `right`."""
    spaces = " " * (width - width_of(text))
    return spaces + text if right else text + spaces


def row(*cells: tuple[str, int]) -> str:
    """Return cells side by side, each with its width, negative for one that is flush right."""
    return " ".join(padded(text, abs(width), right=width < 0) for text, width in cells).rstrip()
