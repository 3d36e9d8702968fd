"""The members of the shown group as a Qt table model."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

from PySide6.QtCore import QMimeData, QModelIndex, QObject, Qt

from dupfinder.base.display import folder_text, located, shown
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import words
from dupfinder.gui.kit.files import url_of
from dupfinder.gui.kit.labels import plain_tip
from dupfinder.gui.kit.tables import DISPLAY, CellIndex, RowsModel
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.review.members import Member
from dupfinder.wording.catalogue import say, say_as, say_count
from dupfinder.wording.figures import NOTHING, count_text, day_text, size_text
from dupfinder.wording.relations import similarity_text

MOST_FOLDERS = 3  # folders shown in the row of a stack


class MemberColumn(IntEnum):
    """The columns in their initial order."""

    DECISION = 0
    SIDE = 1
    DOCUMENT = 2
    RELATION = 3
    NEAREST = 4
    SIMILAR = 5
    CHANGED = 6
    PAGES = 7
    WORDS = 8
    LANGUAGE = 9
    SIZE = 10


NUMERIC = frozenset({MemberColumn.SIMILAR, MemberColumn.PAGES, MemberColumn.WORDS, MemberColumn.SIZE})


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A row of the table.

    stack: identical copies shown as one row, this member first. below: it is a copy, shown below its open stack.
    """

    member: Member
    stack: tuple[Member, ...] = ()
    below: bool = False

    @property
    def documents(self) -> list[int]:
        """The documents for a decision about this row: of a stack, all that can be decided about."""
        if not self.stack:
            return [self.member.document]
        free = [copy.document for copy in self.stack if not copy.is_locked and copy.is_there]
        return free or [self.member.document]

    @property
    def marked(self) -> int:
        """Number of its documents that are to be removed."""
        return sum(copy.decision in MARKS and copy.is_there for copy in self.stack or (self.member,))


class DecisionModel(RowsModel):
    """Rows about whose documents a person decides."""

    def documents_at(self, row: int) -> list[int]:
        """Return the documents for a decision about a row; empty if there is nothing to decide."""
        raise NotImplementedError

    def decision_at(self, row: int) -> Decision | None:
        """Return the decision about the documents of a row; None if they have different ones."""
        raise NotImplementedError

    def is_marked(self, row: int) -> bool:
        """Tell whether a document of a row is to be removed."""
        raise NotImplementedError

    def is_locked(self, row: int) -> bool:
        """Tell whether no document of a row can ever be marked: they are protected, or inside an archive."""
        raise NotImplementedError


class MembersModel(DecisionModel):
    """Rows are members, with identical copies as one row; `pair` has the two compared rows (-1: none)."""

    def __init__(self, roots: Sequence[Path] = (), parent: QObject | None = None) -> None:
        super().__init__(parent, len(MemberColumn))
        self._roots = roots
        self.all_members: Sequence[Member] = ()  # all members of the group, with every identical copy
        self.rows: Sequence[MemberRow] = ()
        self._open: set[int] = set()
        self.sought: Sequence[str] = ()  # words of the search, in lower case
        self.pair = (-1, -1)  # rows of A and B

    @property
    def members(self) -> Sequence[Member]:
        """The member of each row; of a stack the first."""
        return [row.member for row in self.rows]

    @property
    def keeper(self) -> Member | None:
        return next((member for member in self.all_members if member.is_keeper), None)

    def show_members(self, members: Sequence[Member]) -> bool:
        """Show a group, or an update of it; rows are reset only if their documents changed. Return whether they did."""
        rows = arrange(members, self._open)
        if [self._key(row) for row in rows] == [self._key(row) for row in self.rows]:
            self.all_members, self.rows = members, rows
            self._all_changed()
            return False
        self.beginResetModel()
        self.all_members, self.rows = members, rows
        self.pair = (-1, -1)
        self.endResetModel()
        return True

    @staticmethod
    def _key(row: MemberRow) -> tuple[int, int, bool]:
        return row.member.document, len(row.stack), row.below

    def toggle(self, row: int) -> None:
        """Open or close a stack; A and B remain the same documents."""
        documents = [self.rows[index].member.document if index >= 0 else -1 for index in self.pair]
        self._open ^= {self.rows[row].member.stack}
        self.show_members(self.all_members)
        left, right = (self.row_of(document) for document in documents)
        if left != right:
            self.set_pair((left, right))

    def is_open(self, row: int) -> bool:
        """Tell whether the copies of a stack are shown."""
        return bool(self.rows[row].stack) and self.rows[row].member.stack in self._open

    def row_of(self, document: int) -> int:
        """Return the row of a document, or of its closed stack; -1 for none."""
        exact = [index for index, row in enumerate(self.rows) if row.member.document == document and not row.stack]
        within = [index for index, row in enumerate(self.rows) if document in {copy.document for copy in row.stack}]
        return (exact + within + [-1])[0]

    def documents_at(self, row: int) -> list[int]:
        return self.rows[row].documents if self.rows[row].member.is_there else []

    def decision_at(self, row: int) -> Decision | None:
        decisions = {copy.decision for copy in self.rows[row].stack or (self.rows[row].member,)}
        return decisions.pop() if len(decisions) == 1 else None

    def is_marked(self, row: int) -> bool:
        return self.rows[row].marked > 0

    def is_locked(self, row: int) -> bool:
        return self.rows[row].member.is_locked

    def set_pair(self, pair: tuple[int, int]) -> None:
        self.pair = pair
        self._all_changed()

    def _all_changed(self) -> None:
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, len(MemberColumn) - 1))

    def flags(self, index: CellIndex) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Return the files of the rows, to be dropped as copies; for members of an archive the archive."""
        chosen = [self.rows[row] for row in sorted({index.row() for index in indexes})]
        files = [member.file for row in chosen for member in row.stack or (row.member,)]
        data = QMimeData()
        data.setUrls([url_of(file) for file in dict.fromkeys(files)])
        return data

    def supportedDragActions(self) -> Qt.DropAction:
        return Qt.DropAction.CopyAction

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = DISPLAY) -> object:
        if role == Qt.ItemDataRole.AccessibleTextRole and orientation is Qt.Orientation.Horizontal:
            return {MemberColumn.DECISION: say("Decision"), MemberColumn.SIDE: say("Side")}.get(MemberColumn(section))
        return super().headerData(section, orientation, role)

    def header(self, column: int) -> str:
        """Return the heading of a column; empty for the decision and the side."""
        return {
            MemberColumn.DOCUMENT: say("Document"),
            MemberColumn.RELATION: say("Relation to the kept copy"),
            MemberColumn.NEAREST: say("Nearest relative"),
            MemberColumn.SIMILAR: say("Similar"),
            MemberColumn.CHANGED: say("Changed"),
            MemberColumn.PAGES: say_as("how many", "Pages"),
            MemberColumn.WORDS: say_as("how many", "Words"),
            MemberColumn.LANGUAGE: say("Language"),
            MemberColumn.SIZE: say("Size"),
        }.get(MemberColumn(column), "")

    def is_number(self, column: int) -> bool:
        return column in NUMERIC

    def cell(self, row: int, column: int, role: int) -> object:
        if role == DISPLAY:
            return self.text(row, MemberColumn(column))
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.tip(self.rows[row].member, MemberColumn(column))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self.sentence(row) if column == MemberColumn.DECISION else self.text(row, MemberColumn(column))
        return None

    def text(self, row: int, column: MemberColumn) -> str:
        """Return the text of a cell, or its first line."""
        shown_row, member = self.rows[row], self.rows[row].member
        match column:
            case MemberColumn.SIDE:
                return "A" if row == self.pair[0] else "B" if row == self.pair[1] else ""
            case MemberColumn.DECISION:
                return self._decision(shown_row)
            case MemberColumn.DOCUMENT:
                return self._name(shown_row)
            case MemberColumn.RELATION:
                return words.relation_to_kept(member)
            case MemberColumn.NEAREST:
                return self._nearest(member)
            case MemberColumn.SIMILAR:
                return _similar(member)
            case MemberColumn.CHANGED:
                return day_text(member.changed)
            case MemberColumn.PAGES:
                return count_text(member.pages)
            case MemberColumn.WORDS:
                return count_text(member.words)
            case MemberColumn.LANGUAGE:
                return member.language or NOTHING
            case MemberColumn.SIZE:
                return size_text(sum(copy.size for copy in shown_row.stack) or member.size)

    def _decision(self, row: MemberRow) -> str:
        if not row.stack or row.member.is_locked:
            return words.decision_word(row.member)
        if row.marked:
            return say("Remove {number}", number=count_text(row.marked))
        if {copy.decision for copy in row.stack} == {Decision.KEEP}:
            return words.decision_word(row.member)
        return say("Decide")

    def _name(self, row: MemberRow) -> str:
        name, copies = shown(row.member.name), len(row.stack)
        if not row.stack:
            return name
        if row.member.relation is Relation.IDENTICAL:
            return say_count("{count} identical copy", "{count} identical copies", copies)
        return say_count("{count} identical copy: {name}", "{count} identical copies: {name}", copies, name=name)

    def _nearest(self, member: Member) -> str:
        if member.nearest is None:
            return ""
        if member.is_keeper and member.nearest.relation is Relation.IDENTICAL:
            copies = sum(other.stack == member.stack for other in self.all_members) - 1
            return say_count("{count} copy", "{count} copies", copies)
        keeper = self.keeper
        if keeper is not None and member.nearest.document == keeper.document:
            return say("Kept copy")
        return shown(member.nearest.path.name)

    def second(self, row: int, column: MemberColumn) -> str:
        """Return the second line of a cell."""
        shown_row = self.rows[row]
        if column is MemberColumn.DOCUMENT:
            return self._folders(shown_row) if shown_row.stack else self.folder(shown_row.member)
        if column is MemberColumn.RELATION:
            return words.detail_of(shown_row.member, self.keeper)
        return words.nearest_relation(shown_row.member) if column is MemberColumn.NEAREST else ""

    def _folders(self, row: MemberRow) -> str:
        """Return the folders of a stack, each with its number of copies."""
        by_folder: dict[tuple[str, bool], list[Member]] = {}
        for member in row.stack:
            by_folder.setdefault((member.folder, member.protected), []).append(member)
        parts = [
            f"{self.folder(same[0])} ({count_text(len(same))})" if len(same) > 1 else self.folder(same[0])
            for same in itertools.islice(by_folder.values(), MOST_FOLDERS)
        ]
        return " · ".join(parts + (["…"] if len(by_folder) > MOST_FOLDERS else []))

    def folder(self, member: Member) -> str:
        """Return the folder for the list: from the scanned folder on, then the folder inside an archive."""
        folder = Path(member.folder) if member.archive is None else member.path.parent
        text = folder_text(folder, self._roots, member.archive)
        return say("{decision} (protected)", decision=text) if member.protected else text

    def tip(self, member: Member, column: MemberColumn) -> str | None:
        """Return the tool tip of a cell: the full path, or the measurements behind the percentage."""
        if column is MemberColumn.DOCUMENT:
            return plain_tip(shown(located(member.path, member.archive)))
        if column is MemberColumn.NEAREST and member.nearest is not None:
            return plain_tip(shown(member.nearest.path))
        if column in (MemberColumn.SIMILAR, MemberColumn.RELATION) and not member.is_keeper:
            equal = member.relation >= Relation.SAME_WORDS
            lines = [
                words.detail_of(member, self.keeper),
                say("{share} of it is in the kept copy", share=similarity_text(member.in_keeper, equal=equal)),
                say("{share} of the kept copy is in it", share=similarity_text(member.keeper_in, equal=equal)),
            ]
            if (bits := member.distance) is not None:
                lines.append(say_count("{count} fingerprint bit differs", "{count} fingerprint bits differ", bits))
            return plain_tip("\n".join(line for line in lines if line))
        return None

    def sentence(self, row: int) -> str:
        """Return a row in words for a screen reader."""
        member = self.rows[row].member
        parts = [self._name(self.rows[row]), member.badge.upper(), words.relation_to_kept(member),
                 words.detail_of(member, self.keeper), self.text(row, MemberColumn.SIMILAR),
                 say("decision: {decision}", decision=self.text(row, MemberColumn.DECISION))]  # fmt: skip
        if side := self.text(row, MemberColumn.SIDE):
            parts.append(say("compared as {side}", side=side))
        parts.append(say("row {row} of {total}", row=row + 1, total=len(self.rows)))
        return ", ".join(part for part in parts if part)


def arrange(members: Sequence[Member], opened: set[int]) -> list[MemberRow]:
    """Return members as rows: the kept copy and missing files one by one, other identical copies as one row.

    Copies that may be marked come first in their row.
    """
    stacks: dict[int, list[Member]] = {}
    for member in sorted(members, key=lambda member: member.is_locked):
        if not member.is_keeper and member.is_there:
            stacks.setdefault(member.stack, []).append(member)
    rows = []
    placed: set[int] = set()
    for member in members:
        stack = stacks.get(member.stack, [])
        if member.is_keeper or not member.is_there or len(stack) < 2:
            rows.append(MemberRow(member))
        elif member.stack not in placed:
            placed.add(member.stack)
            rows.append(MemberRow(stack[0], tuple(stack)))
            if member.stack in opened:
                rows += [MemberRow(copy, below=True) for copy in stack]
    return rows


def _similar(member: Member) -> str:
    if member.is_keeper or member.relation is Relation.NONE:  # the similarity of a distant version is not known
        return NOTHING
    return similarity_text(member.similarity, equal=member.relation >= Relation.SAME_WORDS)
