"""Rules: what they would mark, judged by what they say."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.base.columns import Ints
from dupfinder.base.details import Clause, ProblemKind, details, stored
from dupfinder.base.errors import PlanError, UsageError
from dupfinder.cluster.keeper import Editions
from dupfinder.cluster.relation import Difference, Relation
from dupfinder.library.decisions import MARKS, Decision
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.review.rules import Rule, RuleKind, apply, count_markable, parse_differences, parse_relations, select
from dupfinder.review.session import ReviewSession
from tests.review.making import TOP, Doc, Made, Pair, Plain, made, path_of, row_of

PLAIN_RULES = [kind for kind in RuleKind if kind not in (RuleKind.IN_FOLDER, RuleKind.PROPOSED)]
RULES = st.lists(
    st.one_of(
        st.sampled_from(PLAIN_RULES).map(Rule),
        st.sampled_from(["Archive", "letters", "nowhere"]).map(lambda name: Rule(RuleKind.IN_FOLDER, TOP / name)),
    ),
    min_size=1,
    max_size=4,
)
KINDS = st.frozensets(st.sampled_from(FILTERED_RELATIONS))
OWN = st.lists(st.tuples(st.integers(0, 8), st.sampled_from(Decision)), max_size=3)


def prefers(doc: Doc, path: Path, rule: Rule) -> float:
    """How much a rule likes a document, plainly."""
    richness = {"txt": 1, "pdf": 6, "docx": 9}
    return {
        RuleKind.IN_FOLDER: float(rule.folder is not None and path.is_relative_to(rule.folder)),
        RuleKind.RICHER: richness[doc.media],
        RuleKind.PLAIN_NAME: 1,
        RuleKind.NEWEST: doc.changed.timestamp(),
        RuleKind.OLDEST: -doc.changed.timestamp(),
        RuleKind.LARGEST: doc.size,
        RuleKind.SMALLEST: -doc.size,
        RuleKind.MOST_TEXT: doc.words,
        RuleKind.SHORTEST_PATH: -len(str(path)),
        RuleKind.LONGEST_PATH: len(str(path)),
    }[rule.kind]


def test_the_proposed_copy_may_stay_and_only_what_it_replaces_goes() -> None:
    names = ("Plan v2.txt", "Plan v10.txt", "Plan v2 (1).txt", "Draft.txt")
    docs = [Doc(text, name=name) for text, name in zip((1, 2, 1, 3), names, strict=True)]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(0, 3), Pair(1, 3)]).result())
    proposed = [Rule(RuleKind.PROPOSED)]
    versions = select(session, proposed, frozenset({Relation.IDENTICAL, Relation.VERSION}))
    assert [(choice.keeper, choice.marked, choice.decided_by) for choice in versions.chosen] == [
        (1, (0, 2, 3), Rule(RuleKind.PROPOSED))
    ]
    copies = select(session, [*proposed, Rule(RuleKind.PLAIN_NAME)], frozenset({Relation.IDENTICAL}))
    assert copies.documents == [2]
    assert not select(session, proposed, frozenset({Relation.IDENTICAL})).documents, "none of two copies is proposed"


def test_no_version_that_its_name_tells_to_be_later_goes_for_the_proposed_copy() -> None:
    """Of versions that differ ever more, one from their middle is like most others, and is proposed."""
    names = ("Plan v1.txt", "Plan v2.txt", "Plan v3.txt", "Plan final.txt", "Plan v2 draft.txt")
    dates = datetime(2020, 1, 1, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC)
    session = ReviewSession(
        Made(
            [replace(Doc(text, name=name), changed=dates[text == 1]) for text, name in enumerate(names)],
            [Pair(0, 1), Pair(1, 2), Pair(1, 3), Pair(2, 3), Pair(0, 4), Pair(1, 4)],
        ).result()
    )
    assert session.all_clusters().keepers.tolist() == [1]
    versions = frozenset({Relation.VERSION})
    assert select(session, [Rule(RuleKind.PROPOSED)], versions).documents == [0, 4]
    assert select(session, [Rule(RuleKind.NEWEST)], versions).documents == [0, 2, 3, 4], "the person's rule decides"


def test_the_names_of_all_versions_are_compared_with_the_proposed_ones_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Group by group or one by one, thousands of versions would take seconds."""
    docs = [Doc(text, name=f"Plan v{text}.txt") for text in range(40)]
    groups = [Pair(first, text) for first in (0, 20) for text in range(first + 1, first + 20)]
    session = ReviewSession(Made(docs, groups).result())
    assert len(session.all_clusters()) == 2
    compared, older = list[int](), Editions.older

    def counted(editions: Editions, rows: Ints, groups: Ints) -> NDArray[np.bool_]:
        compared.append(len(rows))
        return older(editions, rows, groups)

    monkeypatch.setattr(Editions, "older", counted)
    assert not select(session, [Rule(RuleKind.PROPOSED)], frozenset({Relation.VERSION})).documents
    assert compared == [2 * 38]


@given(made(), KINDS, OWN)
def test_the_proposed_copies_never_go_for_the_rule_that_keeps_them(
    given_made: Made, kinds: frozenset[Relation], own: list[tuple[int, Decision]]
) -> None:
    session = ReviewSession(given_made.result())
    for row, decision in own:
        with contextlib.suppress(PlanError):
            session.marks.decide([row % len(given_made.docs)], decision)
    selection = select(session, [Rule(RuleKind.PROPOSED)], kinds)
    kept = set(session.all_clusters().keepers.tolist())
    assert not kept & {row for choice in selection.chosen for row in choice.marked}
    apply(session, selection)


@given(made(), RULES, KINDS, OWN, st.integers(0, 16), st.booleans())
def test_a_selection_can_always_be_applied_and_respects_what_stands(
    given_made: Made, rules: list[Rule], kinds: frozenset[Relation], own: list[tuple[int, Decision]], radius: int,
    overrule: bool,
) -> None:  # fmt: skip
    session = ReviewSession(given_made.result(radius=radius))
    for row, decision in own:
        try:
            session.marks.decide([row % len(given_made.docs)], decision)
        except PlanError:
            continue
    before = {row: session.marks.decision(row) for row in range(len(given_made.docs))}
    chosen = select(session, rules, kinds, overrule=overrule)
    assert {row: session.marks.decision(row) for row in before} == before, "selecting decides nothing yet"
    plain = Plain(given_made, session.demand)
    for row in chosen.documents:
        assert not given_made.docs[row].protected
        assert overrule or before[row] is Decision.UNDECIDED
    marked = set(chosen.documents)
    for group in chosen.chosen:
        assert group.keeper not in marked or before[group.keeper] in MARKS
        for row in group.marked:
            tied = {plain.relation(row, other) for other in range(len(given_made.docs)) if other not in marked}
            assert tied & kinds, "only what is tied in a chosen way to what stays is marked"
        assert not group.parts or Relation.PART in kinds
    apply(session, chosen)
    assert all(session.marks.decision(row) in MARKS for row in chosen.documents)
    steps = {row_of(session, step.victim.path) for step in session.plan().steps}
    assert set(chosen.documents) <= steps
    if chosen.documents:
        session.acts.undo()
        assert {row: session.marks.decision(row) for row in before} == before


@given(made(), RULES)
def test_of_exact_copies_the_one_stays_that_the_first_deciding_rule_likes_best(
    given_made: Made, rules: list[Rule]
) -> None:
    docs = [doc for doc in given_made.docs if not doc.protected] or [Doc(1)]
    docs = [replace(doc, form=0) for doc in docs]
    session = ReviewSession(Made(docs).result())
    choices = {choice.cluster: choice for choice in select(session, rules, frozenset({Relation.IDENTICAL})).chosen}
    for text in {doc.text for doc in docs}:
        rows = [row for row, doc in enumerate(docs) if doc.text == text]
        if len(rows) < 2:
            continue
        left, decided_by = rows, None
        for rule in rules:
            best = max(prefers(docs[row], path_of(docs, row), rule) for row in left)
            left = [row for row in left if prefers(docs[row], path_of(docs, row), rule) == best]
            if len(left) == 1:
                decided_by = rule
                break
        if decided_by is None:
            assert rows[0] not in choices
            continue
        choice = choices[rows[0]]
        assert (choice.keeper, choice.decided_by) == (left[0], decided_by)
        assert list(choice.marked) == [row for row in rows if row != left[0]]


@given(made(), st.integers(0, 16))
def test_as_many_identical_copies_are_marked_as_rules_can_reach(given_made: Made, radius: int) -> None:
    docs = [replace(doc, size=10 + row) for row, doc in enumerate(given_made.docs)]  # so that the rule always decides
    session = ReviewSession(replace(given_made, docs=docs).result(radius=radius))
    reached = dict(zip(FILTERED_RELATIONS, count_markable(session).documents.tolist(), strict=True))
    chosen = select(session, [Rule(RuleKind.LARGEST)], frozenset({Relation.IDENTICAL}))
    assert len(chosen.documents) == reached[Relation.IDENTICAL]


def test_copies_of_a_version_count_as_copies_and_only_one_of_them_as_a_version() -> None:
    docs = [Doc(1, size=9), Doc(1, size=8), *(Doc(2, size=size) for size in (5, 6, 7)), Doc(2, 1, size=1)]
    docs.append(Doc(3, size=1, words=9))
    session = ReviewSession(Made(docs, [Pair(0, 2), Pair(0, 6, 30, 0.1, 0.1, 0.95)]).result())
    counts = dict(zip(FILTERED_RELATIONS, count_markable(session).documents.tolist(), strict=True))
    assert counts == {
        Relation.IDENTICAL: 3, Relation.SAME_TEXT: 1, Relation.SAME_WORDS: 0, Relation.VERSION: 1, Relation.PART: 1,
    }  # fmt: skip
    assert count_markable(session).groups.tolist() == [1, 1, 0, 1, 1]
    every = select(session, [Rule(RuleKind.LARGEST)], frozenset(FILTERED_RELATIONS))
    assert len(every.documents) == sum(counts.values())


def test_protected_documents_are_beyond_the_reach_of_rules_and_their_copies_are_not() -> None:
    session = ReviewSession(Made([Doc(1, protected=True), Doc(1), Doc(1, form=1), Doc(1, protected=True)]).result())
    assert count_markable(session).documents.tolist() == [1, 1, 0, 0, 0]


def test_what_programs_keep_in_hidden_folders_is_neither_marked_nor_chosen_to_stay() -> None:
    places = ("letters", "Downloads", ".config/app", "Library/Caches/mail")
    docs = [Doc(1, folder=folder, name="licence.txt") for folder in places]
    docs += [Doc(2, folder=folder, name="note.txt") for folder in ("letters", ".config/app")]
    session = ReviewSession(Made(docs, []).result())
    for kind in PLAIN_RULES:
        selection = select(session, [Rule(kind), Rule(RuleKind.SHORTEST_PATH)], frozenset({Relation.IDENTICAL}))
        assert sorted((*selection.documents, *(choice.keeper for choice in selection.chosen))) == [0, 1]
    assert int(count_markable(session).documents.sum()) == 1


def test_a_folder_of_programs_that_a_rule_names_is_not_passed_over() -> None:
    docs = [Doc(1, folder=folder, name="licence.txt") for folder in ("letters", "cache", "cache/.tmp", "Cache Valley")]
    session = ReviewSession(Made(docs, []).result())
    cache = Rule.parse(f"in:{TOP / 'cache'}")
    chosen = select(session, [cache, Rule(RuleKind.SHORTEST_PATH)], frozenset({Relation.IDENTICAL}))
    assert (chosen.chosen[0].keeper, chosen.documents) == (1, [0, 3])


def test_nothing_goes_for_the_sake_of_what_programs_keep() -> None:
    """A version goes for the sake of the newer one, not of its own copy in a cache; a part for no hidden whole."""
    docs = [Doc(1, changed=datetime(2020, 1, 1, tzinfo=UTC)), Doc(2, changed=datetime(2021, 1, 1, tzinfo=UTC))]
    session = ReviewSession(Made([*docs, Doc(1, folder=".cache")], [Pair(0, 1)]).result())
    apply(session, select(session, [Rule(RuleKind.NEWEST)], frozenset({Relation.IDENTICAL, Relation.VERSION})))
    (step,) = session.plan().steps
    assert [row_of(session, file.path) for file in (step.victim, step.keeper)] == [0, 1]
    assert step.relation is Relation.VERSION
    hidden = [Doc(1, words=200, folder=".app"), Doc(2, words=10)]
    session = ReviewSession(Made(hidden, [Pair(0, 1, 30, 0.1, 0.1, 0.95)]).result())
    assert select(session, [Rule(RuleKind.NEWEST)], frozenset({Relation.PART})).documents == []


HISTORY = Doc(0, status=ProblemKind.SKIPPED, detail=stored(details(Clause.VERSION_CONTROL)), folder="site", name=".git")


@given(made(), RULES, KINDS, st.booleans())
def test_rules_mark_nothing_under_version_control(
    given_made: Made, rules: list[Rule], kinds: frozenset[Relation], overrule: bool
) -> None:
    """A rule that names a folder above or in a working copy may let its files stay, but none goes."""
    docs = [replace(doc, folder="site/docs" if row % 2 else doc.folder) for row, doc in enumerate(given_made.docs)]
    session = ReviewSession(replace(given_made, docs=[*docs, HISTORY]).result())
    named = [*rules, Rule(RuleKind.IN_FOLDER, TOP / "site" / "docs")]
    for chosen in (rules, named, named[::-1]):
        marked = select(session, chosen, kinds, overrule=overrule).documents
        assert not any(path_of(docs, row).is_relative_to(TOP / "site") for row in marked)


@given(made(), RULES, KINDS)
def test_no_step_of_a_plan_by_rules_relies_on_a_working_copy_that_none_names(
    given_made: Made, rules: list[Rule], kinds: frozenset[Relation]
) -> None:
    docs = [replace(doc, folder="site") if row % 3 == 0 else doc for row, doc in enumerate(given_made.docs)]
    session = ReviewSession(replace(given_made, docs=[*docs, HISTORY]).result())
    apply(session, select(session, [rule for rule in rules if rule.kind is not RuleKind.IN_FOLDER], kinds))
    assert not any(step.keeper.path.is_relative_to(TOP / "site") for step in session.plan().steps)


def test_nothing_goes_for_a_working_copy_unless_a_rule_names_it() -> None:
    docs = [Doc(1, folder="site/docs"), Doc(1, folder="site/old"), Doc(1, folder="Downloads"), Doc(2, folder="site")]
    session = ReviewSession(Made([*docs, HISTORY], []).result())
    identical = frozenset({Relation.IDENTICAL})
    for above in (TOP, TOP / "Downloads"):
        selection = select(session, [Rule(RuleKind.IN_FOLDER, above), Rule(RuleKind.SHORTEST_PATH)], identical)
        assert (selection.documents, selection.versioned) == ([], 2)
    for named in (TOP / "site", TOP / "site" / "docs"):
        selection = select(session, [Rule(RuleKind.IN_FOLDER, named), Rule(RuleKind.SHORTEST_PATH)], identical)
        assert selection.documents == [2]
    assert int(count_markable(session).documents.sum()) <= 1
    session.marks.decide([0], Decision.REMOVE)  # a person may


def test_only_what_stays_because_it_is_under_version_control_is_counted_so() -> None:
    """Not what stays for another reason as well, nor what the person marked."""
    docs = [Doc(1, folder="site"), Doc(1, folder="site", protected=True), Doc(1, folder="Downloads"), Doc(1), Doc(1)]
    session = ReviewSession(Made([*docs, HISTORY], []).result())
    rules, identical = [Rule(RuleKind.SHORTEST_PATH)], frozenset({Relation.IDENTICAL})
    assert select(session, rules, identical).versioned == 1
    assert select(session, rules, identical, within=TOP / "Downloads").versioned == 0
    for decision in (Decision.REMOVE, Decision.KEEP):
        session.marks.decide([0], decision)
        assert select(session, rules, identical).versioned == 0


def test_both_of_two_working_copies_stay_whole_and_a_copy_elsewhere_too() -> None:
    histories = [HISTORY, replace(HISTORY, folder="backup/site")]
    docs = [Doc(1, folder="site"), Doc(1, folder="backup/site"), Doc(1, folder="Downloads"), Doc(1, folder="letters")]
    session = ReviewSession(Made([*docs, *histories], []).result())
    selection = select(session, [Rule(RuleKind.LONGEST_PATH)], frozenset({Relation.IDENTICAL}))
    assert (selection.documents, selection.chosen[0].keeper) == ([3], 2)
    apply(session, selection)
    (step,) = session.plan().steps
    assert step.keeper.path.parent.name == "Downloads"


def test_only_in_the_folder_that_is_named_documents_go_and_only_if_the_rules_keep_others() -> None:
    docs = [
        Doc(1, folder="Downloads"), Doc(1, folder="Downloads/more"), Doc(1, folder="OneDrive"),
        Doc(1, folder="a place of many letters"), Doc(2, folder="Downloads", changed=datetime(2026, 1, 1, tzinfo=UTC)),
        Doc(3, folder="letters"),
    ]  # fmt: skip
    session = ReviewSession(Made(docs, [Pair(4, 5)]).result())
    kinds = frozenset({Relation.IDENTICAL, Relation.VERSION})
    by_date = [Rule(RuleKind.NEWEST), Rule(RuleKind.LONGEST_PATH)]
    assert select(session, by_date, kinds).documents == [0, 1, 2, 5]
    assert select(session, by_date, kinds, within=TOP / "Downloads").documents == [0, 1], "no newer version"
    by_length = [Rule(RuleKind.SHORTEST_PATH)]
    selection = select(session, by_length, kinds, within=TOP / "Downloads")
    assert (selection.documents, {choice.keeper for choice in selection.chosen}) == ([0, 1, 4], {2, 5})
    preferred = Rule(RuleKind.IN_FOLDER, TOP / "OneDrive")
    assert not select(session, [preferred], kinds, within=TOP / "OneDrive").documents, "it is what stays"
    assert not select(session, by_date, kinds, within=TOP / "Down").documents


@given(made(), RULES, KINDS)
def test_nothing_outside_the_folder_that_is_named_goes(
    given_made: Made, rules: list[Rule], kinds: frozenset[Relation]
) -> None:
    session = ReviewSession(given_made.result())
    selection = select(session, rules, kinds, within=TOP / "letters")
    assert all(path_of(given_made.docs, row).is_relative_to(TOP / "letters") for row in selection.documents)
    apply(session, selection)


def test_a_document_marked_by_hand_may_have_its_only_copy_in_a_cache() -> None:
    session = ReviewSession(Made([Doc(1), Doc(1, folder=".cache")], []).result())
    session.marks.decide([0], Decision.REMOVE)
    (step,) = session.plan().steps
    assert step.keeper.path.parent.name == ".cache" and step.relation is Relation.IDENTICAL


def test_a_member_linked_through_a_third_is_never_marked() -> None:
    docs = [Doc(row, changed=datetime(2020 + row, 1, 1, tzinfo=UTC)) for row in range(4)]
    chain = [Pair(0, 1, 2), Pair(1, 2, 2), Pair(2, 3, 2)]
    session = ReviewSession(Made(docs, chain).result())
    chosen = select(session, [Rule(RuleKind.NEWEST)], frozenset({Relation.VERSION}))
    assert [(choice.keeper, choice.marked) for choice in chosen.chosen] == [(3, (2,))]


def test_of_versions_only_those_go_that_differ_in_a_chosen_way() -> None:
    docs = [Doc(row, changed=datetime(2020 + row, 1, 1, tzinfo=UTC)) for row in range(3)]
    pairs = [Pair(0, 2, difference=Difference.NUMBERS), Pair(1, 2, difference=Difference.MIXED), Pair(0, 1)]
    session = ReviewSession(Made(docs, pairs).result())
    rules, versions = [Rule(RuleKind.NEWEST)], frozenset({Relation.VERSION})
    assert select(session, rules, versions).documents == [0, 1]
    assert select(session, rules, versions, differences=frozenset({Difference.MIXED})).documents == [1]


def test_a_copy_goes_if_any_of_the_protected_documents_allows_it() -> None:
    docs = [Doc(1, protected=True), Doc(2, protected=True), Doc(2), Doc(1, form=1), Doc(3)]
    session = ReviewSession(Made(docs, [Pair(0, 1), Pair(1, 4)]).result())
    rules, freely = [Rule(RuleKind.NEWEST)], frozenset({Relation.IDENTICAL, Relation.SAME_TEXT})
    assert select(session, rules, freely).documents == [2, 3]
    assert select(session, rules, frozenset({Relation.IDENTICAL})).documents == [2]
    assert select(session, rules, frozenset({Relation.VERSION})).documents == [4]


def test_parts_go_as_parts_and_only_when_they_were_chosen() -> None:
    docs = [Doc(1, words=200), Doc(2, words=10)]
    session = ReviewSession(Made(docs, [Pair(0, 1, 30, 0.1, 0.1, 0.95)]).result())
    assert select(session, [Rule(RuleKind.NEWEST)], frozenset({Relation.VERSION})).documents == []
    chosen = select(session, [Rule(RuleKind.NEWEST)], frozenset({Relation.PART}))
    apply(session, chosen)
    assert session.marks.decision(1) is Decision.REMOVE_PART


def test_a_group_with_two_survivors_loses_the_copies_of_each() -> None:
    docs = [Doc(1, 0, size=9), Doc(1, 0, size=8), Doc(2, 0, size=9), Doc(2, 1, size=8)]
    session = ReviewSession(Made(docs, [Pair(0, 2, 3)]).result())
    chosen = select(session, [Rule(RuleKind.LARGEST)], frozenset({Relation.IDENTICAL, Relation.SAME_TEXT}))
    assert chosen.documents == [1, 3]


def test_what_may_not_go_for_the_copy_that_stays_goes_for_the_best_copy_of_its_own() -> None:
    docs = [Doc(1, form=1, size=9), *(Doc(1, 0, size=size) for size in (5, 6, 7)), Doc(2, size=3), Doc(2, size=4)]
    session = ReviewSession(Made(docs, [Pair(0, 4)]).result())
    identical, freely = frozenset({Relation.IDENTICAL}), frozenset({Relation.IDENTICAL, Relation.SAME_TEXT})
    assert select(session, [Rule(RuleKind.LARGEST)], identical).documents == [1, 2, 4]
    assert select(session, [Rule(RuleKind.LARGEST)], freely).documents == [1, 2, 3, 4]
    assert select(session, [Rule(RuleKind.LARGEST)], freely | {Relation.VERSION}).documents == [1, 2, 3, 4, 5]


def test_copies_among_which_the_rules_tie_leave_their_group_undecided() -> None:
    docs = [Doc(1, form=1, size=9), Doc(1, size=5), Doc(1, size=5)]
    session = ReviewSession(Made(docs).result())
    chosen = select(session, [Rule(RuleKind.LARGEST)], frozenset({Relation.IDENTICAL}))
    assert chosen.documents == [] and chosen.undecided == (0,)
    unasked = select(session, [Rule(RuleKind.LARGEST)], frozenset({Relation.VERSION}))
    assert unasked.documents == [] and unasked.left_out == (0,)


def test_copies_that_are_all_marked_already_leave_no_group_undecided() -> None:
    session = ReviewSession(Made([Doc(1, form=1, size=9), Doc(1, size=5), Doc(1, size=5)]).result())
    freely = frozenset({Relation.IDENTICAL, Relation.SAME_TEXT})
    chosen = select(session, [Rule(RuleKind.LARGEST)], freely)
    assert chosen.documents == [1, 2] and chosen.undecided == ()
    apply(session, chosen)
    again = select(session, [Rule(RuleKind.LARGEST)], freely)
    assert again.documents == [] and again.undecided == ()


def test_what_the_filter_hides_is_not_marked() -> None:
    from dupfinder.review.listing import GroupFilter

    docs = [Doc(1, size=1), Doc(1, size=2), Doc(2, size=1, folder="Archive"), Doc(2, size=2, folder="Archive")]
    session = ReviewSession(Made(docs).result())
    session.set_filter(GroupFilter(text="folder:archive"))
    assert select(session, [Rule(RuleKind.LARGEST)], frozenset({Relation.IDENTICAL, Relation.SAME_TEXT})).documents == [
        2
    ]


@pytest.mark.parametrize("kind", PLAIN_RULES)
def test_a_rule_is_read_as_it_is_written(kind: RuleKind) -> None:
    assert Rule.parse(kind.value) == Rule(kind)


def test_a_rule_without_a_folder_may_end_with_a_colon() -> None:
    assert Rule.parse("newest:") == Rule(RuleKind.NEWEST)


@pytest.mark.parametrize("text", ["", "in", "in:", "newest:x", "nonsense", "NEWEST"])
def test_what_is_no_rule_is_refused_in_a_whole_sentence(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Rule.parse(text)
    assert caught.value.sentence.endswith(".")


def test_a_folder_of_a_rule_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Rule.parse("in:here").folder == tmp_path / "here"


def test_kinds_of_relations_and_of_differences_are_read_by_their_names() -> None:
    names = "identical, same-text,same-words,version,part"
    assert parse_relations(names) == frozenset(FILTERED_RELATIONS)
    with pytest.raises(UsageError, match="There is no kind"):
        parse_relations("identical,nearly")
    assert parse_differences("numbers, short") == {Difference.NUMBERS, Difference.SHORT}
    assert parse_differences(None) == frozenset(Difference)
    with pytest.raises(UsageError):
        parse_differences("format")


def test_a_folder_may_be_named_from_the_home_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/mara")
    assert Rule.parse("in:~/Contracts") == Rule(RuleKind.IN_FOLDER, Path("/home/mara/Contracts"))


def test_a_file_with_the_earliest_time_of_all_is_the_oldest() -> None:
    result = Made([Doc(1), Doc(1)]).result()
    result.documents.mtime_ns[1] = np.iinfo(np.int64).min  # whatever is earlier is stored as this
    selection = select(ReviewSession(result), [Rule(RuleKind.OLDEST)], frozenset({Relation.IDENTICAL}))
    assert selection.documents == [0]
