"""Every detail of a file is told as a clause, in every language."""

from __future__ import annotations

import os

import pytest

from dupfinder.base.details import NUMBERS, Clause, Detail, details
from dupfinder.base.settings import LANGUAGES
from dupfinder.text.sniff import UNREAD
from dupfinder.wording.catalogue import PSEUDO, speaking
from dupfinder.wording.details import clauses

HOSTILE = os.fsdecode(b"caf\xe9\n\x1b[31m") + "\u202e{seconds}fdp.exe"


def detail(code: Clause, number: int = 7, text: str = HOSTILE) -> Detail:
    """A detail of this code, with facts."""
    return Detail(code, {name: number if name in NUMBERS else text for name in code.facts})


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", Clause)
def test_every_code_is_told_with_its_facts_and_nothing_that_hides(code: Clause, language: str) -> None:
    with speaking(language):
        clause = clauses((detail(code),))
    assert clause.isprintable() and not clause.endswith((".", "。")), clause
    assert clause.count("fdp.exe") == sum(name not in NUMBERS for name in code.facts)
    assert clause.count("7") >= sum(name in NUMBERS for name in code.facts)
    assert "{seconds}" not in clause.replace("{seconds}fdp", "")


def test_no_two_codes_are_told_alike() -> None:
    sentences = {clauses((detail(code, text=""),)) for code in Clause if code is not Clause.EARLIER}
    assert len(sentences) == len(Clause) - 1


def test_numbers_choose_the_form_and_are_grouped() -> None:
    assert clauses(details(Clause.NO_TEXT_LAYER, pages=1)) == "1 page without a text layer"
    assert clauses(details(Clause.NO_TEXT_LAYER, pages=1200)) == "1,200 pages without a text layer"
    assert clauses(details(Clause.PAGES_READ, read=1, pages=4)) == "1 of 4 pages read"


def test_several_details_are_one_clause_in_their_order() -> None:
    some = details(Clause.READ_PLAINLY_TOO_SLOW) + details(Clause.PAGES_READ, read=12, pages=40)
    assert clauses(some) == "only its words were read, not its layout, which took too long; 12 of 40 pages read"
    with speaking(PSEUDO):
        assert clauses(some).count("⟦") >= 2


@pytest.mark.parametrize("kind", sorted(set(UNREAD.values())))
def test_every_kind_without_a_reader_has_a_name(kind: str) -> None:
    assert clauses(details(Clause.UNREAD_KIND, kind=kind)) != kind


def test_what_the_system_said_is_told_in_words_where_it_is_common() -> None:
    assert clauses(details(Clause.SYSTEM_ERROR, error="EACCES")) == "permission denied"
    assert clauses(details(Clause.SYSTEM_ERROR, error="EPROTO")) == "the system said EPROTO"
