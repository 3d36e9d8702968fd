"""Automatic selection: rules in order of precedence choose the copy that stays; those related to it are marked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import row_mask, runs
from dupfinder.base.errors import UsageError
from dupfinder.base.progress import SILENT, Reporter
from dupfinder.base.settings import N_
from dupfinder.cluster.keeper import PLAINNESS, RICHNESS, STATE, is_of_program
from dupfinder.cluster.relation import SURVIVING, Difference, Relation, name_of
from dupfinder.library.decisions import Decision
from dupfinder.library.rows import Documents
from dupfinder.review.listing import FILTERED_RELATIONS, RelationCounts
from dupfinder.review.session import ReviewSession

EVERY_DIFFERENCE: Final = frozenset(Difference)
_Kind = TypeVar("_Kind")


class RuleKind(StrEnum):
    """What a rule prefers."""

    IN_FOLDER = "in"
    PROPOSED = "proposed"
    RICHER = "richer-format"
    PLAIN_NAME = "plain-name"
    NEWEST = "newest"
    OLDEST = "oldest"
    LARGEST = "largest"
    SMALLEST = "smallest"
    MOST_TEXT = "most-text"
    SHORTEST_PATH = "shortest-path"
    LONGEST_PATH = "longest-path"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. folder: for IN_FOLDER."""

    kind: RuleKind
    folder: Path | None = None

    @classmethod
    def parse(cls, text: str) -> Rule:
        """Return the rule of a text such as "newest" or "in:/folder". Raises UsageError for any other text."""
        name, _, rest = text.partition(":")
        try:
            kind = RuleKind(name)
        except ValueError:
            known = ", ".join(rule.value for rule in RuleKind)
            raise UsageError(
                N_("There is no rule {rule}; the rules are {known} (in:FOLDER)."), rule=repr(text), known=known
            ) from None
        if (kind is RuleKind.IN_FOLDER) != bool(rest):
            pattern = N_("{rule} takes no folder.") if rest else N_("The rule {rule} needs a folder: in:FOLDER.")
            raise UsageError(pattern, rule=name)
        return cls(kind, Path(os.path.abspath(os.path.expanduser(rest))) if rest else None)


@dataclass(frozen=True, slots=True)
class GroupChoice:
    """The choice in one group: the copy that stays, documents to mark, and documents to mark as parts.

    decided_by: the rule that decided; None: a decision of the person or a protected folder.
    """

    cluster: int
    keeper: int
    marked: tuple[int, ...]
    decided_by: Rule | None
    parts: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What applying the rules would do.

    undecided: groups in which several copies are equal by all rules.
    left_out:  groups without documents to mark: none has a chosen relation, or all of them are protected or ignored.
    versioned: number of documents in the groups that stay only because they are under version control.
    """

    chosen: tuple[GroupChoice, ...]
    undecided: tuple[int, ...]
    left_out: tuple[int, ...] = ()
    versioned: int = 0

    @property
    def documents(self) -> list[int]:
        """All rows to mark, ascending."""
        return sorted({row for group in self.chosen for row in (*group.marked, *group.parts)})


def count_markable(session: ReviewSession) -> RelationCounts:
    """Count the documents that rules could mark, by relation to what would stay, in the groups that the session shows.

    Of the documents with the same words, the best counts by its relation to the kept copy of the group, and all others
    by their relation to the best. Ignores what the person decided, and that rules may fail to choose between copies.
    """
    grouping, listed, clusters = session.grouping, session.listed(), session.all_clusters()
    files, members, positions = grouping.files, clusters.members, clusters.positions
    ranks = files.ranks + len(files) * files.locked  # locked files rank first: they stay anyway
    ranks[clusters.keepers] += 2 * len(files)
    counted = np.flatnonzero(np.isin(clusters.ids, listed.ids)[positions] & session.marks.stays()[members])
    rows = members[counted]
    best, first = (_best_of_each(classes, ranks, rows) for classes in (grouping.representative, grouping.contents))
    relation = np.where(best == rows, clusters.relation[counted], files.same_words(rows, best.astype(np.int32)))
    relation[first != rows] = Relation.IDENTICAL
    free = ~(files.locked | grouping.passed_over)[rows] & (rows != clusters.keepers[positions[counted]])
    markable = [np.flatnonzero(free & (relation == kind)) for kind in FILTERED_RELATIONS]
    groups = [len(runs(positions[counted[entries]])[0]) for entries in markable]
    return RelationCounts(np.array([len(entries) for entries in markable]), np.array(groups))


def _ignored(session: ReviewSession, rules: Sequence[Rule]) -> NDArray[np.bool_]:
    """Tell which documents rules pass over: bool (n,). What a rule names is not passed over."""
    grouping, paths = session.grouping, session.result.documents.paths
    ignored, versioned = grouping.passed_over.copy(), grouping.versioned
    folders = [rule.folder for rule in rules if rule.folder is not None]
    named = [(os.path.join(folder, ""), grouping.is_versioned(str(folder))) for folder in folders]
    for row in np.flatnonzero(ignored).tolist() if named else ():
        ignored[row] = not any(
            paths[row].startswith(folder)
            and is_in_working_copy >= versioned[row]
            and not is_of_program(os.path.dirname(paths[row][len(folder) :]))
            for folder, is_in_working_copy in named
        )
    return ignored | session.result.documents.inside


def _inside(documents: Documents, folder: Path) -> NDArray[np.bool_]:
    """Tell which documents are in a folder or below it: bool (n,). On Windows, small and capital letters are equal."""
    is_inside = cache(lambda parent: Path(parent).is_relative_to(folder))
    return np.fromiter(map(is_inside, map(os.path.dirname, documents.paths)), np.bool_, len(documents))


def _later(session: ReviewSession) -> NDArray[np.bool_]:
    """Tell which documents are by their names newer than the proposed copy of their group, or nearer to being final.

    bool (n,). That copy is the one most like the others, which of many versions may be one from their middle.
    """
    clusters, files, words = session.all_clusters(), session.grouping.files, session.grouping.representative
    proposed = clusters.keepers[clusters.positions]
    others = words[clusters.members] != words[proposed]
    members, proposed = clusters.members[others], proposed[others]
    pairs = np.tile(np.arange(len(members)), 2)
    is_older = files.editions.older(np.concatenate((proposed, members)), pairs)[: len(members)]
    ahead = files.claims[members, STATE] - files.claims[proposed, STATE]
    return row_mask(len(files), members[(ahead > 0) | (is_older & (ahead == 0))])


def _best_of_each(classes: NDArray[np.integer], ranks: NDArray[np.int64], rows: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return for each of `rows` the one of them in the same class that has the highest rank: int64."""
    order = rows[np.argsort(ranks[rows])]
    best = np.zeros(classes.max(initial=0) + 1, np.int64)
    best[classes[order]] = order
    best_rows: NDArray[np.int64] = best[classes[rows]]
    return best_rows


def select(
    session: ReviewSession,
    rules: Sequence[Rule],
    relations: frozenset[Relation],
    *,
    differences: frozenset[Difference] = EVERY_DIFFERENCE,
    overrule: bool = False,
    within: Path | None = None,
    reporter: Reporter = SILENT,
) -> Selection:
    """Return what the rules choose in the groups that the session shows. Nothing is decided yet.

    relations:   documents with these relations to the copy that stays, by a verified pair, may be marked.
    differences: of versions, only those that differ from it in these ways.
    within:      only documents in this folder may be marked; None: in all. Which copy stays, the rules decide as ever.
    Protected documents stay unmarked and, unless `overrule`, the person's decisions are not changed. Members of
    archives, what programs keep in hidden folders and caches, and the files of working copies under version control
    are neither marked nor chosen to stay. Raises Stopped.
    """
    return _Selector(session, rules, relations, differences, overrule, within).run(reporter)


def apply(session: ReviewSession, selection: Selection) -> None:
    """Mark the selected documents, as one step of undo."""
    parts = sorted({row for group in selection.chosen for row in group.parts})
    marked = sorted(set(selection.documents) - set(parts))
    session.marks.decide_both(marked, parts)


class _Selector:
    """Applies rules to the groups of a session."""

    def __init__(
        self,
        session: ReviewSession,
        rules: Sequence[Rule],
        relations: frozenset[Relation],
        differences: frozenset[Difference],
        overrule: bool,
        within: Path | None,
    ) -> None:
        self._session = session
        self._relations, self._differences = relations, differences
        self._documents = session.result.documents
        self._grouping = session.grouping
        claims, keepers = self._grouping.files.claims, session.all_clusters().keepers
        self._rules = [(rule, _claim(rule, self._documents, claims, keepers)) for rule in rules]
        is_proposal = Relation.VERSION in relations and any(rule.kind is RuleKind.PROPOSED for rule in rules)
        self._proposed = row_mask(len(self._documents), keepers[:0] if not is_proposal else keepers)
        self._later = _later(session) if is_proposal else self._proposed
        self._ignored = _ignored(session, rules)
        versioned, spared = self._grouping.versioned, self._documents.protected.copy()
        if within is not None:
            spared |= ~_inside(self._documents, within)
        self._decided = session.marks.decided() & (not overrule)
        self._stays = session.marks.stays()
        self._versioned = versioned & self._stays & ~spared & ~session.marks.decided()
        self._bound = spared | versioned | self._ignored | self._decided

    def run(self, reporter: Reporter) -> Selection:
        """Return the selection over all groups that the session shows. Raises Stopped."""
        chosen: list[GroupChoice] = []
        undecided: list[int] = []
        left_out: list[int] = []
        clusters, versioned = self._session.all_clusters(), 0
        for number in self._session.listed().ids.tolist():
            reporter.check()
            position = clusters.position_of(number)
            rows = clusters.rows(position)
            versioned += int(self._versioned[rows].sum())
            group = self._choice(number, rows, clusters.wholes(position))
            if group is None:
                undecided.append(number)
            elif group.marked or group.parts:
                chosen.append(group)
            else:
                left_out.append(number)
        return Selection(self._with_survivors(chosen), tuple(undecided), tuple(left_out), versioned)

    def _choice(self, number: int, rows: NDArray[np.int32], whole: NDArray[np.int32]) -> GroupChoice | None:
        """Return the choice in one group; None where several copies are equal by all rules.

        Beside the keeper of the group, the best of the documents with the same words, or else with the same bytes, may
        stay, so that others go for its sake.
        """
        parts = self._parts(rows, whole)
        core = rows[(whole < 0) & ~self._ignored[rows]]
        candidates = [row for row in core.tolist() if self._is_free(row)]
        if len(core) < 2 or not candidates:
            return GroupChoice(number, int(core[0]) if len(core) else int(rows[0]), (), None, parts)
        best, of_class = self._best(core), None
        keepers = self._staying(core, *best) if best else []
        marked = self._marked(candidates, keepers)
        is_undecided = best is None
        for classes in (self._grouping.representative, self._grouping.contents):
            for same in self._classes(core, classes, {*marked, *keepers}):
                best_of_class = self._best(same)
                if best_of_class is None:
                    is_tie = bool(self._stays[same].any())  # else all are marked
                    is_undecided = is_undecided or (is_tie and self._may_go(int(same[1]), int(same[0])))
                    continue
                of_class = best_of_class
                keepers.append(of_class[0])
                marked += self._marked([row for row in same.tolist() if self._is_free(row)], [of_class[0]])
        if is_undecided and not (marked or parts):
            return None
        keeper, rule = best or of_class or (int(core[0]), None)  # of several classes, the last one is shown
        return GroupChoice(number, keeper, marked, rule, parts)

    @staticmethod
    def _classes(core: NDArray[np.int32], classes: NDArray[np.integer], settled: set[int]) -> list[NDArray[np.int32]]:
        """Return the documents of each class that are not settled, where there are several."""
        rows_of: dict[int, list[int]] = {}
        for row in core.tolist():
            if row not in settled:
                rows_of.setdefault(int(classes[row]), []).append(row)
        return [np.array(rows, np.int32) for rows in rows_of.values() if len(rows) > 1]

    def _staying(self, rows: NDArray[np.int32], keeper: int, rule: Rule | None) -> list[int]:
        """Return a keeper and, if no rule chose it, the others that the person keeps, or that are protected."""
        if rule is not None:
            return [keeper]
        decided, protected = self._decided, self._documents.protected
        kept = [row for row in rows.tolist() if decided[row] and self._session.marks.decision(row) is Decision.KEEP]
        others = rows[protected[rows] & self._stays[rows]].tolist()
        first_of_kind = {int(self._grouping.kinds[row]): row for row in reversed([keeper, *kept, *others])}
        return [keeper, *(row for row in first_of_kind.values() if row != keeper)]

    def _marked(self, candidates: list[int], keepers: list[int]) -> tuple[int, ...]:
        """Return the candidates to mark: each has a keeper with its text, or one to which its relation was chosen."""
        representative = self._grouping.representative
        marked = []
        for row in candidates:
            same = [keeper for keeper in keepers if representative[keeper] == representative[row]]
            others = keepers if Relation.VERSION in self._relations else []  # only versions have other words
            if row not in keepers and any(self._may_go(row, keeper) for keeper in same or others):
                marked.append(row)
        return tuple(marked)

    def _may_go(self, row: int, keeper: int) -> bool:
        """Tell whether a document's relation to the copy that stays was chosen, and the way in which they differ."""
        relation, _ = self._grouping.relation_of(row, keeper, self._session.demand)
        if relation not in self._relations or relation not in SURVIVING:
            return False
        if relation is not Relation.VERSION:
            return True
        if self._proposed[keeper] and self._later[row]:
            return False
        pair, _ = self._grouping.pair_of(row, keeper)
        return Difference(int(self._grouping.evidence.difference[pair])) in self._differences

    def _parts(self, rows: NDArray[np.int32], wholes: NDArray[np.int32]) -> tuple[int, ...]:
        """Return the parts that may be marked if their wholes stay, which `_with_survivors` checks."""
        if Relation.PART not in self._relations:
            return ()
        rows_and_wholes = zip(rows.tolist(), wholes.tolist(), strict=True)
        return tuple(
            row for row, whole in rows_and_wholes if whole >= 0 and not self._ignored[whole] and self._is_free(row)
        )

    def _with_survivors(self, chosen: list[GroupChoice]) -> tuple[GroupChoice, ...]:
        """Return the choices, but without the marks that would leave a document without a survivor."""
        marked = [row for group in chosen for row in group.marked]
        parts = [row for group in chosen for row in group.parts]
        safe = {row for rows in self._session.marks.markable_together(marked, parts) for row in rows.tolist()}
        return tuple(
            replace(
                group,
                marked=tuple(row for row in group.marked if row in safe),
                parts=tuple(row for row in group.parts if row in safe),
            )
            for group in chosen
            if safe.intersection(group.marked) or safe.intersection(group.parts)
        )

    def _is_free(self, row: int) -> bool:
        """Tell whether a document may be marked: it is unchanged, and neither spared, decided about nor ignored."""
        return bool(self._stays[row] and not self._bound[row])

    def _best(self, rows: NDArray[np.int32]) -> tuple[int, Rule | None] | None:
        """Return (the row that stays, the rule that decided); None if several rows are equal by all rules."""
        rows = rows[self._stays[rows]]
        protected = rows[self._documents.protected[rows]]
        chosen_by_person = rows[[self._session.marks.decision(row) is Decision.KEEP for row in rows.tolist()]]
        for decided in (chosen_by_person, protected):
            if len(decided):
                return int(decided[0]), None
        for rule, claim in self._rules:
            values = claim[rows]
            rows = rows[values == values.max(initial=np.iinfo(np.int64).min)]
            if len(rows) == 1:
                return int(rows[0]), rule
        return None


def _claim(
    rule: Rule, documents: Documents, claims: NDArray[np.int64], keepers: NDArray[np.int32]
) -> NDArray[np.int64]:
    """Return how much a rule prefers each document, int64 (n,); the largest stays.

    claims: as in FileColumns. keepers: the kept copies of all groups.
    """
    match rule.kind:
        case RuleKind.PROPOSED:
            return row_mask(len(documents), keepers).astype(np.int64)
        case RuleKind.IN_FOLDER:
            return _inside(documents, rule.folder or Path()).astype(np.int64)
        case RuleKind.RICHER:
            return claims[:, RICHNESS]
        case RuleKind.PLAIN_NAME:
            return claims[:, PLAINNESS]
        case RuleKind.NEWEST:
            return documents.mtime_ns
        case RuleKind.OLDEST:
            return ~documents.mtime_ns  # the least time has no opposite number
        case RuleKind.LARGEST:
            return documents.size
        case RuleKind.SMALLEST:
            return -documents.size
        case RuleKind.MOST_TEXT:
            return documents.words.astype(np.int64)
        case RuleKind.SHORTEST_PATH | RuleKind.LONGEST_PATH:
            lengths = np.fromiter(map(len, documents.paths), np.int64, len(documents))
            return lengths if rule.kind is RuleKind.LONGEST_PATH else -lengths


def parse_relations(names: str) -> frozenset[Relation]:
    """Return the relations that "identical,same-text,same-words,version,part" names. Raises UsageError for others."""
    known = {name_of(relation).replace("_", "-"): relation for relation in FILTERED_RELATIONS}
    return _parse(names, known, N_("There is no kind {name}; the kinds are {known}."))


def parse_differences(names: str | None) -> frozenset[Difference]:
    """Return the kinds of difference of names separated by commas; None: all. Raises UsageError for other names."""
    if names is None:
        return EVERY_DIFFERENCE
    known = {difference.name.lower(): difference for difference in Difference if difference > Difference.FORMAT}
    return _parse(names, known, N_("There is no difference {name}; they are {known}."))


def _parse(names: str, known: Mapping[str, _Kind], message: str) -> frozenset[_Kind]:
    """Return what is known under some names. Raises UsageError with `message` for the first other name."""
    chosen = [name.strip().replace("_", "-") for name in names.split(",")]  # reports write same_text
    for name in chosen:
        if name not in known:
            raise UsageError(message, name=repr(name), known=", ".join(known))
    return frozenset(known[name] for name in chosen)
