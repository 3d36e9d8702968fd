"""Paths for the system: as URLs and as text, whatever bytes their names have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QUrl

from dupfinder.base.display import shown


def url_of(path: Path) -> QUrl:
    """The file's URL by its bytes. QUrl.fromLocalFile drops bytes that are no text, and so names another file."""
    return QUrl(path.absolute().as_uri())


def text_of(path: Path) -> str:
    """The path to paste elsewhere; where its name is no text, as it is shown."""
    name = str(path)
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return shown(path)
    return name


def steps(folder: Path, roots: Sequence[Path]) -> str:
    """A folder for a list: from the scanned folder on, its steps apart."""
    for root in sorted(roots, key=lambda root: len(root.parts), reverse=True):
        if folder.is_relative_to(root):
            folder = folder.relative_to(root.parent)
            break
    return shown(" / ".join(part for part in folder.parts if part != folder.anchor))
