"""Ask where a file goes, and write it there completely or not at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import IO

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QWidget

from dupfinder.base.output import recognise_nothing, refuse_document, replacing
from dupfinder.base.progress import Reporter


def ask_place(parent: QWidget, title: str, name: str, chosen: Callable[[str], object]) -> None:
    """Ask where to save a file that is proposed to be called `name`. chosen: receives the path as text."""
    dialog = QFileDialog(parent, title)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix[1:])
    dialog.selectFile(name.replace("/", "-"))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.fileSelected.connect(chosen)
    dialog.open()


def with_ending(name: str, ending: str) -> tuple[Path, bool]:
    """Return the path for a chosen name, with a suffix; and whether the dialog asked to replace a file there."""
    path = Path(name) if Path(name).suffix.lower() == ending else Path(name + ending)
    return path, path == Path(name)


def save(
    path: Path, scanned: Iterable[str], agreed: bool, write: Callable[[IO[bytes]], object], reporter: Reporter
) -> Path:
    """Write a file, in a job. scanned: paths of documents, which are never replaced.

    agreed: the person agreed to replace the file at `path`. Raises UsageError, OccupiedError, DiskFullError.
    """
    reporter.check()
    refuse_document(path, map(Path, scanned))
    with replacing(path, recognise_nothing, force=agreed) as file:
        write(file)
    return path
