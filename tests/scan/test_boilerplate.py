"""Boilerplate, in small libraries that are written, scanned and switched as people would."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from dupfinder.review.boilerplate import passages, regroup, switch
from tests.scan.boilerplate_library import Scanned, found, letters, scan, sentences, text, write


def test_a_legal_notice_in_many_letters_is_learned_whole_and_with_its_words(tmp_path: Path) -> None:
    seen = scan(write(tmp_path / "docs", letters("acme", 14)), tmp_path / "library.db")
    notice, head = seen.passages
    assert notice.passage.text == text("foot of acme", 8).removesuffix(".")
    assert head.passage.text == text("head of acme", 3).removesuffix(".")
    assert (notice.files, notice.groups) == (head.files, head.groups) == (14, 14)
    assert notice.used and notice.enabled and len(notice.examples) == 5


def test_letters_with_a_long_notice_and_different_bodies_stay_apart(tmp_path: Path) -> None:
    """Even where a letter of one line is nearly a part of every other."""
    documents = letters("acme", 14, foot=20, body=3) | letters("acme", 2, foot=20, body=1)
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert not seen.groups and not seen.contained


def test_the_same_letter_under_the_notices_of_two_firms_is_found(tmp_path: Path) -> None:
    documents = letters("acme", 12) | letters("zeta", 12)
    body = text("the letter of both", 6)
    for firm in ("acme", "zeta"):
        documents[f"{firm}-both"] = f"{text(f'head of {firm}', 3)}\n{body}\n{text(f'foot of {firm}', 8)}"
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.groups == {frozenset({"acme-both", "zeta-both"})}


def drifting(count: int) -> dict[str, str]:
    """Versions of one contract: each changes a sentence of the one before."""
    chance, contract = random.Random(3), sentences("contract", 40)
    made = {}
    for number in range(count):
        contract[chance.randrange(40)] = sentences(f"change {number}", 1)[0]
        made[f"version-{number}"] = "\n".join(contract)
    return made


def branching(count: int) -> dict[str, str]:
    """Copies of one contract, each with a change of its own."""
    made = {}
    for number in range(count):
        contract = sentences("contract", 40)
        contract[number % 40] = sentences(f"change {number}", 1)[0]
        made[f"copy-{number}"] = "\n".join(contract)
    return made


@pytest.mark.parametrize("documents", [drifting(40), branching(40)], ids=["one after the other", "of one"])
def test_nothing_is_learned_from_versions_of_one_contract(tmp_path: Path, documents: dict[str, str]) -> None:
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.passages == ()
    assert seen.groups


def test_a_growing_thread_of_mails_is_no_boilerplate(tmp_path: Path) -> None:
    thread, documents = "", {}
    for number in range(14):
        thread = f"{text(f'mail {number}', 4)}\n{thread}"
        documents[f"mail-{number:02}"] = thread
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.passages == ()
    assert ("mail-01", "mail-00") in seen.contained


def with_licence() -> dict[str, str]:
    licence = text("licence", 20)
    documents = {f"readme-{number}": f"{text(f'readme {number}', 3)}\n\n{licence}" for number in range(20)}
    holders = ("Brown and Sons", "Green and Daughters", "Black and White Brothers")
    return documents | {f"licence-{number}": f"Copyright {name}.\n\n{licence}" for number, name in enumerate(holders)}


def test_a_licence_in_many_readmes_joins_none_of_them_and_licences_find_their_copies(tmp_path: Path) -> None:
    seen = scan(write(tmp_path / "docs", with_licence()), tmp_path / "library.db")
    assert [standing.files for standing in seen.passages] == [23]
    assert seen.groups == {frozenset({"licence-0", "licence-1", "licence-2"})}
    assert not seen.contained


def test_documents_of_nothing_but_boilerplate_are_copies_of_one_another(tmp_path: Path) -> None:
    documents = letters("acme", 12)
    for name in ("blank-1", "blank-2"):
        documents[name] = f"{text('head of acme', 3)}\n\n{text('foot of acme', 8)}"
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.groups == {frozenset({"blank-1", "blank-2"})}


def two_firms() -> dict[str, str]:
    documents = letters("acme", 12) | letters("zeta", 12)
    for firm in ("acme", "zeta"):
        both = text("the letter of both", 6)
        documents[f"{firm}-both"] = f"{text(f'head of {firm}', 3)}\n{both}\n{text(f'foot of {firm}', 8)}"
    return documents


def test_a_passage_that_is_switched_off_is_compared_again_and_back(tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    before = scan(write(tmp_path / "docs", two_firms()), library)
    every = passages(library)
    assert len(every) == 4 and all(one.enabled and one.used for one in every)
    keys = [one.key for one in every]

    switch(library, keys, False)
    assert [(one.enabled, one.used) for one in passages(library)] == [(False, True)] * 4
    regroup(library)
    off = found(library)
    assert [(one.enabled, one.used) for one in passages(library)] == [(False, False)] * 4
    assert not off.together("acme-both", "zeta-both")

    assert same(scan(tmp_path / "docs", library), off), "the next scan keeps the choice"
    switch(library, keys, True)
    assert same(scan(tmp_path / "docs", library), before)


def same(one: Scanned, other: Scanned) -> bool:
    """Whether two scans found the same, and learned the same."""
    told = [
        [(s.passage.key, s.passage.text, s.files, s.groups, s.used) for s in seen.passages] for seen in (one, other)
    ]
    return one.groups == other.groups and one.contained == other.contained and told[0] == told[1]


def test_no_witness_is_read_twice(tmp_path: Path) -> None:
    library = tmp_path / "library.db"
    before = scan(write(tmp_path / "docs", two_firms()), library)
    for path in (tmp_path / "docs").iterdir():
        path.unlink()
    regroup(library)
    assert same(found(library), before)


def test_neither_names_nor_workers_nor_what_was_read_before_change_what_is_learned(tmp_path: Path) -> None:
    documents = two_firms() | with_licence()
    before = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")

    names = list(documents)
    new = dict(zip(names, random.Random(5).sample(names, len(names)), strict=True))
    shuffled = {new[name]: documents[name] for name in random.Random(6).sample(names, len(names))}
    other = scan(write(tmp_path / "other", shuffled), tmp_path / "other.db", workers=2)
    assert other.groups == {frozenset(new[name] for name in group) for group in before.groups}
    assert told(other) == told(before)

    half = write(tmp_path / "half", dict(list(documents.items())[: len(documents) // 2]))
    scan(half, tmp_path / "half.db")
    grown = scan(write(tmp_path / "half", documents), tmp_path / "half.db")
    assert grown.groups == before.groups and told(grown) == told(before)


def told(seen: Scanned) -> list[tuple[str, str, int, int]]:
    return [(one.passage.key, one.passage.text, one.files, one.groups) for one in seen.passages]


def test_chinese_notices_are_learned_too(tmp_path: Path) -> None:
    chance = random.Random(2)

    def chinese(seed: str, count: int) -> str:
        chance.seed(seed)
        return "".join(chr(0x4E00 + chance.randrange(2000)) for _ in range(count)) + "。"

    documents = {f"letter-{n}": f"{chinese(f'body {n}', 60)}\n{chinese('notice', 90)}" for n in range(12)}
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert [(one.files, one.passage.text) for one in seen.passages] == [(12, chinese("notice", 90)[:-1])]
    assert not seen.groups


def test_fewer_than_ten_letters_teach_nothing(tmp_path: Path) -> None:
    assert scan(write(tmp_path / "docs", letters("acme", 9)), tmp_path / "library.db").passages == ()


@pytest.mark.parametrize("count", [12, 40])
def test_nothing_is_learned_where_each_version_changes_a_sentence_of_one_section(tmp_path: Path, count: int) -> None:
    """The other sections stand unchanged in all."""
    fixed = text("first section", 30)
    section = sentences("second section", 12)
    documents = {}
    for number in range(count):
        changed = [*section]
        changed[number % 12] = sentences(f"change {number}", 1)[0]
        documents[f"version-{number}"] = f"{fixed}\n\n{' '.join(changed)}"
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.passages == () and seen.together(*documents)


def test_a_licence_is_learned_beside_many_licences_that_are_nothing_else(tmp_path: Path) -> None:
    documents = with_licence()
    licence = text("licence", 20)
    documents |= {f"alone-{n}": f"Copyright {text(f'holder {n}', 1)}\n\n{licence}" for n in range(150)}
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert [standing.files for standing in seen.passages] == [173]
    assert not any(name.startswith("readme") for group in seen.groups for name in group)
    assert not seen.contained


def test_the_same_licence_with_another_year_is_found(tmp_path: Path) -> None:
    documents = with_licence()
    for year in (2018, 2019):
        documents[f"year-{year}"] = f"Copyright {year} by the people of the far north.\n\n{text('licence', 20)}"
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert seen.together("year-2018", "year-2019")


def test_damage_in_some_letters_does_not_hide_the_notice(tmp_path: Path) -> None:
    documents = letters("acme", 60)
    for number in (3, 7):
        words = documents[f"acme-{number}"].split(" ")
        documents[f"acme-{number}"] = " ".join([*words[:-40], "smudge", *words[-39:]])
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    assert [standing.files for standing in seen.passages] == [60, 60]
    assert not seen.groups


def test_a_licence_in_books_is_learned_though_their_sketches_hold_only_a_part_of_them(tmp_path: Path) -> None:
    licence = text("licence", 60)
    documents = {f"book-{number}": f"{text(f'book {number}', 500)}\n\n{licence}" for number in range(12)}
    seen = scan(write(tmp_path / "docs", documents), tmp_path / "library.db")
    [standing] = seen.passages
    assert standing.files == 12 and len(standing.passage.shingles) >= 500
    assert not seen.groups
