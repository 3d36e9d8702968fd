from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest

from dupfinder.actions.judge import TextJudge, judge_facts
from dupfinder.actions.outcome import RefusalKind
from dupfinder.cluster.pair import ComparedText
from dupfinder.cluster.relation import Demand, Relation, other_bytes
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.text.document import MediaType, OtherContent
from dupfinder.text.normalise import normalise
from tests.actions.making import check, plan_of, step, write
from tests.making import docx

SUBJECTS = ("history", "trade", "weather", "crews", "wrecks", "lights", "pilots", "taxes", "bridges", "fishing")
TEXT = " ".join(f"The {word} of the harbour is told in chapter {number}." for number, word in enumerate(SUBJECTS))
DEMAND = Demand(0.7, 0.85, 8)
WIDTH = Scheme().shingle


def facts(text: str, *, partial: bool = False, pictures: str | None = None) -> ComparedText:
    said = {} if pictures is None else {OtherContent.PICTURES: pictures}
    return ComparedText(Fingerprinter(Scheme()).print_of(normalise(text)), partial, MediaType.DOCX, other_bytes(said))


def test_the_relation_is_the_one_that_a_scan_gives() -> None:
    longer = f"{TEXT} And one more thing is told at the very end of it."
    version = judge_facts(facts(TEXT), facts(longer), DEMAND, WIDTH)
    assert version.relation is Relation.VERSION and 0.7 < version.similarity < 1 and version.share == 1
    book = " ".join(f"{TEXT} {number} {word}" for number, word in enumerate(SUBJECTS)) + TEXT[::-1]
    assert judge_facts(facts(TEXT), facts(book), DEMAND, WIDTH).relation is Relation.PART
    assert judge_facts(facts(book), facts(TEXT), DEMAND, WIDTH).relation is Relation.WHOLE
    strict = Demand(0.99, 0.999, 8)
    assert judge_facts(facts(TEXT), facts("something else entirely " * 9), strict, WIDTH).relation is Relation.NONE


def test_texts_that_ended_early_are_never_the_same() -> None:
    assert judge_facts(facts(TEXT), facts(TEXT), DEMAND, WIDTH).relation is Relation.SAME_TEXT
    for first, second in ((True, False), (False, True)):
        judged = judge_facts(facts(TEXT, partial=first), facts(TEXT, partial=second), DEMAND, WIDTH)
        assert judged.relation is Relation.VERSION and judged.similarity < 1
        assert judged.read_in_part == first


def test_other_pictures_and_pictures_that_are_not_known_make_the_same_words() -> None:
    for pictures in ("00000000000000aa", ""):
        judged = judge_facts(facts(TEXT), facts(TEXT, pictures=pictures), DEMAND, WIDTH)
        assert judged.relation is Relation.SAME_WORDS


def test_texts_too_short_to_compare_are_related_by_their_words_alone() -> None:
    assert judge_facts(facts("the and of"), facts("of the and"), DEMAND, WIDTH).relation is Relation.NONE
    assert judge_facts(facts("the and of"), facts("the and of"), DEMAND, WIDTH).relation is Relation.SAME_TEXT


def test_tables_of_numbers_alone_with_two_changed_are_versions() -> None:
    numbers = [str(7919 * place % 100_003) for place in range(1, 301)]
    other = [*numbers[:50], "41", *numbers[51:200], "70042", *numbers[201:]]
    assert judge_facts(facts(" ".join(numbers)), facts(";".join(other)), DEMAND, WIDTH).relation is Relation.VERSION
    assert judge_facts(facts(" ".join(numbers)), facts(" ".join(other[::-1])), DEMAND, WIDTH).relation is Relation.NONE


def test_files_are_read_anew_and_compared(tmp_path: Path) -> None:
    text = write(tmp_path / "one.txt", TEXT.encode())
    same = write(tmp_path / "same.html", f"<html><body><p>{TEXT}</p></body></html>".encode())
    longer = write(tmp_path / "longer.txt", (TEXT + " And one more thing is told at the very end of it.").encode())
    with TextJudge() as judge:
        equal = judge(text, same, DEMAND)
        assert equal is not None and equal.relation >= Relation.SAME_WORDS and equal.similarity == 1.0
        part = judge(text, longer, DEMAND)
        assert part is not None and part.share == 1.0 and part.relation is Relation.VERSION
        write(text, b"Now something else entirely is told in the file that was compared a moment ago, without ships.")
        unlike = judge(text, same, DEMAND)
        assert unlike is not None and unlike.relation is Relation.NONE and unlike.similarity < 0.1


def test_files_with_other_signs_of_money_have_the_same_words_only(tmp_path: Path) -> None:
    euros, dollars = (write(tmp_path / f"{sign}.txt", f"{TEXT} Owed: 100 {sign}.".encode()) for sign in "€$")
    page = write(tmp_path / "page.html", f"<p>{TEXT}</p><p>Owed: 100&nbsp;&euro;.</p>".encode())
    with TextJudge() as judge:
        for other, relation in ((dollars, Relation.SAME_WORDS), (page, Relation.SAME_TEXT)):
            judged = judge(euros, other, DEMAND)
            assert judged is not None and judged.relation is relation


def test_a_document_that_is_read_in_part_is_not_removed_unless_its_bytes_are_elsewhere(tmp_path: Path) -> None:
    whole = docx([f"{TEXT} {number}" for number in range(40)])
    keeper, other = write(tmp_path / "whole.docx", whole), write(tmp_path / "same.docx", whole[: len(whole) // 2])
    victim = write(tmp_path / "cut.docx", whole[: len(whole) // 2])
    with TextJudge() as judge:
        for survivor, relation, kind in (
            (keeper, Relation.VERSION, RefusalKind.READ_IN_PART),
            (other, Relation.VERSION, RefusalKind.READ_IN_PART),
            (other, Relation.IDENTICAL, None),
        ):
            plan = plan_of([replace(step(victim, survivor), relation=relation)], tmp_path)
            refusal = check(plan.steps[0], plan, judge)
            assert (refusal and refusal.kind) == kind


def test_what_cannot_be_read_is_not_judged(tmp_path: Path) -> None:
    text = write(tmp_path / "one.txt", TEXT.encode())
    with TextJudge() as judge:
        assert judge(text, write(tmp_path / "empty.txt", b""), DEMAND) is None
        assert judge(write(tmp_path / "bad.pdf", b"%PDF-1.7 nothing"), text, DEMAND) is None
        with pytest.raises(FileNotFoundError):
            judge(text, tmp_path / "absent.txt", DEMAND)
        os.mkfifo(tmp_path / "pipe.txt")
        with pytest.raises(OSError, match="Invalid"):
            judge(text, tmp_path / "pipe.txt", DEMAND)
