"""Paths for the system: as URLs and as text, whatever bytes their names have."""

from __future__ import annotations

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
