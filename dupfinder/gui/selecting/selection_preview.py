"""What the rules would do, as lines: groups with the fate of each document, undecided groups, or folders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from pathlib import Path

import numpy as np
from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from dupfinder.base.display import shown
from dupfinder.cluster.families import freed
from dupfinder.cluster.relation import Relation
from dupfinder.review.members import Member
from dupfinder.review.rules import Chosen, Rule, Selection
from dupfinder.review.session import ReviewSession

Index = QModelIndex | QPersistentModelIndex
SAMPLE: int = 40  # groups; enough to see whether the rules do what was meant


class Fate(IntEnum):
    """What becomes of a line's document; HEADING lines are groups, FOLDER lines folders."""

    HEADING = 0
    STAYS = 1
    GOES = 2
    OPEN = 3
    FOLDER = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One painted line. member: None for headings and folders. rule: what decided, for the document that stays."""

    fate: Fate
    text: str
    member: Member | None = None
    rule: Rule | None = None
    count: int = 0
    bytes: int = 0


@dataclass(frozen=True, slots=True)
class Preview:
    """All three lists of one selection."""

    selection: Selection
    documents: int
    bytes: int
    sample: Sequence[Line]
    undecided: Sequence[Line]
    folders: Sequence[Line]


def preview_of(session: ReviewSession, selection: Selection) -> Preview:
    """Prepare what is shown of a selection."""
    rows = selection.documents
    sizes, paths = session.result.documents.size, session.result.documents.paths
    folders: dict[str, tuple[int, int]] = {}
    for row in rows:
        folder = str(Path(paths[row]).parent)
        count, size = folders.get(folder, (0, 0))
        folders[folder] = (count + 1, size + int(sizes[row]))
    lines = [Line(Fate.FOLDER, shown(name), count=count, bytes=size) for name, (count, size) in folders.items()]
    sample = [line for one in selection.chosen[:SAMPLE] for line in _group(session, one)]
    table = session.clusters()
    title_row = {int(number): row for row, number in enumerate(table.ids.tolist())}
    undecided = [
        Line(Fate.HEADING, shown(table.title(title_row[number])), count=int(table.size[title_row[number]]))
        for number in selection.undecided
    ]
    return Preview(
        selection,
        len(rows),
        freed(session.grouping.files, np.array(rows, np.int64)),
        sample,
        undecided,
        sorted(lines, key=lambda line: (-line.bytes, line.text)),
    )


def _group(session: ReviewSession, one: Chosen) -> list[Line]:
    members = session.members(one.cluster)
    marked = {*one.marked, *one.parts}
    keeper = next((member for member in members if member.document == one.keeper), None)
    lines = [Line(Fate.HEADING, shown(keeper.path.stem if keeper else ""))]
    for member in sorted(members, key=lambda member: member.document != one.keeper):
        if member.document == one.keeper:
            lines.append(Line(Fate.STAYS, shown(member.name), member, one.decided_by))
        else:
            fate = Fate.GOES if member.document in marked else Fate.OPEN
            lines.append(Line(fate, shown(member.name), _towards(session, member, one.keeper)))
    return lines


def _towards(session: ReviewSession, member: Member, keeper: int) -> Member:
    """A member as it stands to the copy that the rules keep, which need not be the one that was proposed."""
    relation, alike = session.tie_of(member.document, keeper)
    if relation is Relation.NONE:
        return replace(member, is_keeper=False)
    return replace(member, is_keeper=False, relation=relation, similarity=alike)


class PreviewModel(QAbstractListModel):
    """One column of lines."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lines: Sequence[Line] = ()

    def show_lines(self, lines: Sequence[Line]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self._lines = lines
        self.endResetModel()

    @property
    def lines(self) -> Sequence[Line]:
        """What is shown."""
        return self._lines

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._lines)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if index.isValid() and role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self._lines[index.row()].text
        return None
