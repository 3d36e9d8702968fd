"""Paths as URLs and as text, for any bytes in their names; and documents opened with the system's programs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from dupfinder.base.display import shown
from dupfinder.review.members import Member


def url_of(path: Path) -> QUrl:
    """Return the URL of a file by its bytes. QUrl.fromLocalFile drops undecodable bytes and so names another file."""
    return QUrl(path.absolute().as_uri())


def text_of(path: Path) -> str:
    """Return the path to paste elsewhere; made safe to show if its name is undecodable."""
    name = str(path)
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return shown(path)
    return name


def folder_text(folder: Path, roots: Sequence[Path]) -> str:
    """Return a folder for a list: from the scanned folder on, its parts separated."""
    for root in sorted(roots, key=lambda root: len(root.parts), reverse=True):
        if folder.is_relative_to(root):
            folder = folder.relative_to(root.parent)
            break
    return shown(" / ".join(part for part in folder.parts if part != folder.anchor))


class DocumentActs(QObject):
    """Opens documents with the system's programs; for a member of an archive the archive."""

    toast_wanted = Signal(str, str, object)  # sentence, label of a link ("": none), the function it calls

    def act(self, act: str, member: Member) -> None:
        """Process "open", "reveal" or "copy_path"."""
        if act == "copy_path":
            data = QMimeData()
            data.setText(text_of(member.path))
            data.setUrls([url_of(member.file)])
            QGuiApplication.clipboard().setMimeData(data)
            self.toast_wanted.emit(self.tr("The path was copied."), "", None)
        else:
            self.open(member.file if act == "open" else member.file.parent)

    def open(self, path: Path) -> None:
        """Open a file or folder with the system's program."""
        if not QDesktopServices.openUrl(url_of(path)):
            self.toast_wanted.emit(self.tr("The system has no program to open this."), "", None)
