from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from dupfinder.actions.judge import TextFacts, TextJudge, judge_facts
from tests.actions.making import write

SUBJECTS = ("history", "trade", "weather", "crews", "wrecks", "lights", "pilots", "taxes", "bridges", "fishing")
TEXT = " ".join(f"The {word} of the harbour is told in chapter {number}." for number, word in enumerate(SUBJECTS))


def facts(values: list[int], text_hash: bytes = b"1", partial: bool = False) -> TextFacts:
    return TextFacts(text_hash, np.array(values, np.uint64), partial)


def test_resemblance_and_containment_are_those_of_the_whole_sets() -> None:
    found = judge_facts(facts([1, 2, 3]), facts([2, 3, 4, 5, 6], b"2"))
    assert (found.resemblance, found.victim_in_keeper, found.keeper_in_victim) == (2 / 6, 2 / 3, 2 / 5)
    assert not found.same_text
    assert judge_facts(facts([]), facts([])).resemblance == 1.0
    assert judge_facts(facts([]), facts([1], b"2")).victim_in_keeper == 0.0


def test_texts_that_ended_early_are_never_the_same() -> None:
    assert judge_facts(facts([1]), facts([1])).same_text
    assert not judge_facts(facts([1], partial=True), facts([1])).same_text
    assert not judge_facts(facts([1]), facts([1], partial=True)).same_text


def test_files_are_read_anew_and_compared(tmp_path: Path) -> None:
    one = write(tmp_path / "one.txt", TEXT.encode())
    same = write(tmp_path / "same.html", f"<html><body><p>{TEXT}</p></body></html>".encode())
    longer = write(tmp_path / "longer.txt", (TEXT + " And one more thing stands at the very end of it.").encode())
    with TextJudge() as judge:
        equal = judge(one, same)
        assert equal is not None and equal.same_text and equal.resemblance == 1.0
        part = judge(one, longer)
        assert part is not None and part.victim_in_keeper == 1.0 and part.keeper_in_victim < 1.0
        assert not part.same_text
        write(one, b"Now something else entirely stands in the file that was compared a moment ago, nothing of ships.")
        other = judge(one, same)
        assert other is not None and other.resemblance < 0.1


def test_what_cannot_be_read_is_not_judged(tmp_path: Path) -> None:
    text = write(tmp_path / "one.txt", TEXT.encode())
    with TextJudge() as judge:
        assert judge(text, write(tmp_path / "empty.txt", b"")) is None
        assert judge(write(tmp_path / "bad.pdf", b"%PDF-1.7 nothing"), text) is None
        with pytest.raises(FileNotFoundError):
            judge(text, tmp_path / "absent.txt")
        os.mkfifo(tmp_path / "pipe.txt")
        with pytest.raises(OSError, match="Invalid"):
            judge(text, tmp_path / "pipe.txt")
