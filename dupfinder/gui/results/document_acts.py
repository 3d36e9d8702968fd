"""What can be done with a document outside of the program: open it, show its folder, copy its path."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QObject, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from dupfinder.gui.kit.places import text_of, url_of
from dupfinder.review.members import Member


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
