from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.actions.metadata import MetadataKind
from dupfinder.actions.outcome import Aspect, Outcome, OutcomeState, Refusal, RefusalKind
from dupfinder.actions.places import Place, PlaceKind, holding_name
from dupfinder.actions.plan import KnownFile, Step, Verb, step_as_json, step_from_json
from dupfinder.actions.undo import RestoredName
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Relation
from dupfinder.wording.removal import (
    failure_sentence,
    given_back_sentence,
    outcome_sentence,
    place_words,
    quarantine_sentence,
    refusal_sentence,
    relation_to_keeper,
    restore_refusal_sentence,
    restored_sentence,
    state_words,
)


def known_file(name: bytes) -> KnownFile:
    return KnownFile(FileStamp(Path(os.fsdecode(name)), 1, 2, 3, 4, 5), "0" * 32)


STEP = Step(Verb.TRASH, known_file(b"/d/v\xff\x1b\n.txt"), known_file(b"/d/k.txt"), Relation.VERSION, 0.9)


@pytest.mark.parametrize("word", [refusal_sentence, restore_refusal_sentence])
@pytest.mark.parametrize("kind", list(RefusalKind))
@pytest.mark.parametrize("aspect", list(Aspect))
def test_every_refusal_has_whole_sentences_with_the_name_made_safe(
    kind: RefusalKind, aspect: Aspect, word: object
) -> None:
    assert callable(word)
    for expected, actual in ((None, None), (0.7, 0.41), ("/d/x\x1b", "EACCES"), (12, 13)):
        sentence = word(Refusal(STEP, kind, expected, actual, aspect))
        assert "/d/v\\xff\\x1b\\n.txt" in sentence
        assert sentence.isprintable() and sentence.endswith(".") and sentence.count(". ") >= 1
        assert "{" not in sentence and "None" not in sentence


def test_what_changed_is_named() -> None:
    assert "was replaced by another file" in refusal_sentence(
        Refusal(STEP, RefusalKind.CHANGED, "1:2", "1:3", Aspect.IDENTITY)
    )
    assert "(41 % instead of 70 %)" in refusal_sentence(
        Refusal(STEP, RefusalKind.NO_LONGER_SIMILAR, 0.7, 0.41, Aspect.RESEMBLANCE)
    )
    assert "(69 % instead of 70 %)" in refusal_sentence(
        Refusal(STEP, RefusalKind.NO_LONGER_SIMILAR, 0.7, 0.6996, Aspect.RESEMBLANCE)
    )


def test_failures_say_where_the_file_is() -> None:
    outcome = Outcome(0, STEP, OutcomeState.FAILED, failure="ENOSPC")
    assert "no space is left on the disk. It is where it was." in failure_sentence(outcome)
    assert outcome_sentence(outcome) == failure_sentence(outcome)
    moved = Outcome(0, STEP, OutcomeState.FAILED, failure="EIO", restored_to=Path("/d/v (restored).txt"))
    assert "It is now /d/v (restored).txt." in failure_sentence(moved)
    refused = Outcome(0, STEP, OutcomeState.REFUSED, refusal=Refusal(STEP, RefusalKind.GONE), restored_to=Path("/d/x"))
    message = outcome_sentence(refused)
    assert message is not None and message.endswith("it is now /d/x.")
    assert outcome_sentence(Outcome(0, STEP, OutcomeState.DONE)) is None


def test_a_place_is_said_by_its_kind_and_a_quarantine_is_no_trash() -> None:
    at = Path("/d/x\x1b")
    assert place_words(Place(PlaceKind.TRASH, at)) == "in the trash: /d/x\\x1b"
    assert place_words(Place(PlaceKind.QUARANTINE, at)) == "in the quarantine: /d/x\\x1b"
    assert place_words(Place(PlaceKind.MOVED, at)) == "moved to /d/x\\x1b"
    for kind in PlaceKind:
        assert "None" not in place_words(Place(kind, None)) and "{" not in place_words(Place(kind, at))
    quarantined = Outcome(0, STEP, OutcomeState.DONE, place=Place(PlaceKind.QUARANTINE, at))
    assert state_words(quarantined) == "quarantined"
    assert state_words(Outcome(0, STEP, OutcomeState.DONE, place=Place(PlaceKind.TRASH, at))) == "removed"
    assert {state_words(Outcome(0, STEP, state)) for state in OutcomeState}


@pytest.mark.parametrize("relation", [each for each in Relation if each > Relation.SAME_FORM])
def test_what_a_removed_file_was_to_the_kept_one_names_that_file(relation: Relation) -> None:
    words = relation_to_keeper(Step(Verb.TRASH, STEP.victim, STEP.keeper, relation, 0.91))
    assert "/d/k.txt" in words and "{" not in words
    assert ("91 %" in words) == (relation is Relation.VERSION)


@pytest.mark.parametrize(
    ("share", "said"), [(None, "a part of"), (0.964, "96 % of its text is in"), (1.0, "its text is in")]
)
def test_of_a_removed_part_all_is_in_the_kept_file_only_where_all_was_seen_there(
    share: float | None, said: str
) -> None:
    step = Step(Verb.TRASH, STEP.victim, STEP.keeper, Relation.PART, 0.31, share)
    assert relation_to_keeper(step) == f"{said} /d/k.txt"
    assert step_from_json(step_as_json(step)) == step


def test_what_the_system_did_not_give_back_is_said() -> None:
    as_before = Outcome(0, STEP, OutcomeState.RESTORED, restored_to=STEP.victim.path)
    assert restored_sentence(as_before) is None
    message = restored_sentence(replace(as_before, missing=(MetadataKind.OWNER, MetadataKind.TIMES)))
    assert message is not None and "its owner, its times" in message
    renamed = restored_sentence(replace(as_before, restored_to=Path("/d/other")))
    assert renamed is not None and renamed.endswith("was restored as /d/other.")


@pytest.mark.parametrize("kind", [RefusalKind.CHANGED, RefusalKind.LAST_COPY])
def test_why_a_file_stays_in_the_quarantine_is_said_with_its_place(kind: RefusalKind) -> None:
    refused = Outcome(0, STEP, OutcomeState.REFUSED, refusal=Refusal(STEP, kind, "/q/v\x1b"))
    message = quarantine_sentence(refused)
    assert message is not None and "/q/v\\x1b" in message and "{" not in message
    assert quarantine_sentence(Outcome(0, STEP, OutcomeState.EMPTIED)) is None


def test_only_a_name_that_was_taken_is_said_to_be_taken() -> None:
    at, name = Path("/d") / holding_name("0" * 16, "n" * 250), Path("/d") / ("n" * 250)
    assert given_back_sentence(RestoredName(at, name)).startswith("it is called n")
    assert given_back_sentence(RestoredName(at, name, was_taken=True)).startswith("its name was taken")
