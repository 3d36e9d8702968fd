"""Texts of the removal dialog, by the way of removing."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dupfinder.actions.plan import Verb


@dataclass(frozen=True, slots=True)
class RemovalWords:
    """Texts for one way of removing.

    title: the question. way_back: how to undo it. go: the button. legends: below the three figures.
    """

    title: str
    way_back: str
    go: str
    legends: tuple[str, str, str]


def bin_name() -> str:
    """Return the platform's name of the trash."""
    translate = QCoreApplication.translate
    return translate("Removal", "Recycle Bin") if sys.platform == "win32" else translate("Removal", "Trash")


def removal_words(verb: Verb, count: int) -> RemovalWords:
    """Return the texts for removing `count` documents in this way."""
    said = {Verb.TRASH: _to_trash, Verb.MOVE: _to_folder, Verb.HARDLINK: _to_links}[verb](count)
    name = bin_name()
    return RemovalWords(
        said.title.replace("%1", name),
        said.way_back.replace("%1", name),
        said.go.replace("%1", name),
        (said.legends[0].replace("%1", name), said.legends[1], said.legends[2]),
    )


def _to_trash(count: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Move %Ln documents to the %1?", None, count),
        translate("Removal", "You can restore them from History, or from the %1."),
        translate("Removal", "&Move %Ln to %1", None, count),
        (
            translate("Removal", "documents to the %1"),
            translate("Removal", "freed when it is emptied"),
            translate("Removal", "groups, each keeps 1 or more"),
        ),
    )


def _to_folder(count: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Move %Ln documents to another folder?", None, count),
        translate(
            "Removal", "Their sub-folders are kept, and nothing is overwritten. You can restore them from History."
        ),
        translate("Removal", "&Move %Ln documents", None, count),
        (
            translate("Removal", "documents to the folder"),
            translate("Removal", "leave their folders"),
            translate("Removal", "groups, each keeps 1 or more"),
        ),
    )


def _to_links(count: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Replace %Ln documents by hard links?", None, count),
        translate("Removal", "Each name stays and shows the kept copy. You can undo this from History."),
        translate("Removal", "&Make %Ln hard links", None, count),
        (
            translate("Removal", "documents to be linked"),
            translate("Removal", "freed at once"),
            translate("Removal", "groups, each keeps 1 or more"),
        ),
    )
