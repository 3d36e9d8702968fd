from __future__ import annotations

import os
from pathlib import Path

import pytest

from dupfinder.actions.check import Aspect, Refusal, RefusalKind
from dupfinder.actions.outcome import Outcome, State
from dupfinder.actions.plan import Reason, Step, Verb, Witness
from dupfinder.base.stamp import FileStamp
from dupfinder.review.wording_removal import (
    failure_sentence,
    outcome_sentence,
    place_words,
    refusal_sentence,
    restore_refusal_sentence,
)


def witness(name: bytes) -> Witness:
    return Witness(FileStamp(Path(os.fsdecode(name)), 1, 2, 3, 4, 5), "0" * 32)


STEP = Step(Verb.TRASH, witness(b"/d/v\xff\x1b\n.txt"), witness(b"/d/k.txt"), Reason.NEAR, 0.9)


@pytest.mark.parametrize("word", [refusal_sentence, restore_refusal_sentence])
@pytest.mark.parametrize("kind", list(RefusalKind))
@pytest.mark.parametrize("aspect", list(Aspect))
def test_every_refusal_has_whole_sentences_with_the_name_made_safe(
    kind: RefusalKind, aspect: Aspect, word: object
) -> None:
    assert callable(word)
    for expected, found in ((None, None), (0.7, 0.41), ("/d/x\x1b", "EACCES"), (12, 13)):
        sentence = word(Refusal(STEP, kind, expected, found, aspect))
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


def test_failures_say_where_the_file_is() -> None:
    outcome = Outcome(0, STEP, State.FAILED, failure="ENOSPC")
    assert "ENOSPC. It is where it was." in failure_sentence(outcome)
    assert outcome_sentence(outcome) == failure_sentence(outcome)
    moved = Outcome(0, STEP, State.FAILED, failure="EIO", restored_to=Path("/d/v (restored).txt"))
    assert "It is now /d/v (restored).txt." in failure_sentence(moved)
    refused = Outcome(0, STEP, State.REFUSED, refusal=Refusal(STEP, RefusalKind.GONE), restored_to=Path("/d/x"))
    told = outcome_sentence(refused)
    assert told is not None and told.endswith("it is now /d/x.")
    assert outcome_sentence(Outcome(0, STEP, State.DONE)) is None
    assert place_words(None) == "in the system's trash"
