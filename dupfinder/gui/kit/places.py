"""Paths for the system: as URLs and as text, whatever bytes their names have; and documents handed to its programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from dupfinder.base.display import shown
from dupfinder.review.members import Member


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


class DocumentActs(QObject):
    """Hands documents to the system. Of a member of an archive it hands the archive."""

    toast_wanted = Signal(str, str, object)  # sentence, name of the act ("": none), what it calls

    def act(self, act: str, member: Member) -> None:
        """Carry out "open", "reveal" or "copy_path"."""
        if act == "copy_path":
            data = QMimeData()
            data.setText(text_of(member.path))
            data.setUrls([url_of(member.file)])
            QGuiApplication.clipboard().setMimeData(data)
            self.toast_wanted.emit(self.tr("The path was copied."), "", None)
        else:
            self.open(member.file if act == "open" else member.file.parent)

    def open(self, path: Path) -> None:
        """Open a file or folder with the system's program for it."""
        if not QDesktopServices.openUrl(url_of(path)):
            self.toast_wanted.emit(self.tr("The system has no program to open this."), "", None)
