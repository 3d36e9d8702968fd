"""Texts of the removal dialog, by the way of removing."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from dupfinder.actions.plan import Verb
from dupfinder.wording.catalogue import say_count


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


def removal_words(verb: Verb, count: int, groups: int) -> RemovalWords:
    """Return the texts for removing `count` documents of some groups in this way."""
    said = {Verb.TRASH: _to_trash, Verb.MOVE: _to_folder, Verb.HARDLINK: _to_links}[verb](count, groups)
    name = bin_name()
    return RemovalWords(
        said.title.replace("%1", name),
        said.way_back.replace("%1", name),
        said.go.replace("%1", name),
        (said.legends[0].replace("%1", name), said.legends[1], said.legends[2]),
    )


def _groups(count: int) -> str:
    return say_count("group, which keeps 1 or more", "groups, each keeps 1 or more", count)


def _to_trash(count: int, groups: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Move %Ln documents to the %1?", None, count),
        translate("Removal", "You can restore them from History, or from the %1."),
        translate("Removal", "&Move %Ln to %1", None, count),
        (
            say_count("document to the %1", "documents to the %1", count),
            translate("Removal", "freed when it is emptied"),
            _groups(groups),
        ),
    )


def _to_folder(count: int, groups: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Move %Ln documents to another folder?", None, count),
        translate(
            "Removal", "Their sub-folders are kept, and nothing is overwritten. You can restore them from History."
        ),
        translate("Removal", "&Move %Ln documents", None, count),
        (
            say_count("document to the folder", "documents to the folder", count),
            translate("Removal", "leave their folders"),
            _groups(groups),
        ),
    )


def _to_links(count: int, groups: int) -> RemovalWords:
    translate = QCoreApplication.translate
    return RemovalWords(
        translate("Removal", "Replace %Ln documents by hard links?", None, count),
        translate("Removal", "Each name stays and shows the kept copy. You can undo this from History."),
        translate("Removal", "&Make %Ln hard links", None, count),
        (
            say_count("document to be linked", "documents to be linked", count),
            translate("Removal", "freed at once"),
            _groups(groups),
        ),
    )
