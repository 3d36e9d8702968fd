"""Files that a person names: as URLs and text, opened with the programs of the system, and written in one piece."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final
from urllib.parse import unquote_to_bytes

from PySide6.QtCore import QDir, QMimeData, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from dupfinder.base.display import shown
from dupfinder.base.output import recognise_nothing, refuse_document, replacing
from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.buttons import add_acts, with_key
from dupfinder.wording.catalogue import N_, say

if TYPE_CHECKING:
    from dupfinder.review.members import Member


def url_of(path: Path) -> QUrl:
    """Return the URL of a file by its bytes. QUrl.fromLocalFile drops undecodable bytes and so names another file."""
    return QUrl(path.absolute().as_uri())


def path_of(url: QUrl) -> Path:
    """Return the path of a local URL by its bytes, as `url_of` reads them: QUrl.toLocalFile has characters alone."""
    name = url.toLocalFile()
    if "\ufffd" in name:
        name = os.fsdecode(unquote_to_bytes(url.path(QUrl.ComponentFormattingOption.FullyEncoded)))
    return Path(name)


def text_to_copy(path: Path) -> str:
    """Return the path to paste elsewhere; made safe to show if its name is undecodable."""
    name = str(path)
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return shown(path)
    return name


DOCUMENT_ACTS: Final = {  # by the names in the table of commands
    "open_document": N_("Open"),
    "reveal": N_("Show in folder"),
    "copy_path": N_("Copy path"),
    "properties": N_("Properties"),
}


def add_document_acts(menu: QMenu, act: Callable[[str], object]) -> None:
    """Add DOCUMENT_ACTS to a menu. act: carries one out, by its name."""
    add_acts(menu, *((with_key(say(text), menu, name), partial(act, name)) for name, text in DOCUMENT_ACTS.items()))


class DocumentOpener(QObject):
    """Opens documents with the system's programs; for a member of an archive the archive."""

    toast_wanted = Signal(str, str, object)  # sentence, text of a link ("" for none), what the link does
    properties_wanted = Signal(object)  # Member

    def act(self, act: str, member: Member) -> None:
        """Carry out an act of DOCUMENT_ACTS on a document."""
        if act == "properties":
            self.properties_wanted.emit(member)
        elif act == "copy_path":
            data = QMimeData()
            data.setText(text_to_copy(member.path))
            data.setUrls([url_of(member.file)])
            QGuiApplication.clipboard().setMimeData(data)
            self.toast_wanted.emit(say("The path was copied."), "", None)
        else:
            self.open(member.file if act == "open_document" else member.file.parent)

    def open(self, path: Path) -> None:
        """Open a file or folder with the system's program."""
        if not QDesktopServices.openUrl(url_of(path)):
            self.toast_wanted.emit(say("The system has no program to open this."), "", None)


def choose_folder(parent: QWidget, near: Path) -> Path | None:
    """Ask for a folder, beginning in `near`; return None if the person cancels."""
    chosen = QFileDialog.getExistingDirectory(parent, say("Choose a folder"), str(near))
    return Path(chosen) if chosen else None


def file_dialog(parent: QWidget, title: str, chosen: Callable[[str], object]) -> QFileDialog:
    """Return a dialog that begins where the last one ended, the first one at home. chosen: receives a path as text."""
    dialog = QFileDialog(parent, title)
    if dialog.directory() == QDir.current():  # where the program was started, which the person did not choose
        dialog.setDirectory(QDir.home())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    # Qt's own translations lack these; a dialog of the system has no such labels.
    dialog.setLabelText(QFileDialog.DialogLabel.LookIn, say("Look in:"))
    dialog.setLabelText(QFileDialog.DialogLabel.FileType, say("Files of type:"))
    dialog.fileSelected.connect(chosen)
    return dialog


def folder_dialog(parent: QWidget, title: str, chosen: Callable[[str], object]) -> QFileDialog:
    """Return a dialog for a folder; as `file_dialog`."""
    dialog = file_dialog(parent, title, chosen)
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    return dialog


def ask_place(parent: QWidget, title: str, name: str, chosen: Callable[[str], object]) -> None:
    """Ask where to save a file that is proposed to be called `name`. chosen: receives the path as text."""
    dialog = file_dialog(parent, title, chosen)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(Path(name).suffix[1:])
    stem, _, ending = name.replace("/", "-").rpartition(".")
    dialog.selectFile(f"{stem.rstrip(' …')}.{ending}")  # the name of a scan of many folders ends with dots
    dialog.open()


def with_ending(name: str, ending: str) -> tuple[Path, bool]:
    """Return the path for a chosen name, with a suffix; and whether the dialog asked to replace a file there."""
    path = Path(name) if Path(name).suffix.lower() == ending else Path(name + ending)
    return path, path == Path(name)


def save(
    path: Path, scanned: Iterable[str], write: Callable[[IO[bytes]], object], reporter: Reporter, *, agreed: bool
) -> Path:
    """Write a file, in a job. Documents of other scans are never replaced.

    scanned: paths of documents that are not replaced either.
    agreed: the person agreed to replace the file at `path`. Raises UsageError, OccupiedError, DiskFullError.
    """
    from dupfinder.library.library import refuse_scanned  # the first window does not need the library

    reporter.check()
    refuse_document(path, map(Path, scanned))
    refuse_scanned(path)
    with replacing(path, recognise_nothing, force=agreed) as file:
        write(file)
    return path
