"""Any bytes at all: each reader gives text or a reason, within bounds. The long run is in the slow set."""

from __future__ import annotations

import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.text.bounds import MAX_CHARACTERS
from dupfinder.text.document import Extraction, MediaType
from dupfinder.text.extract import READERS, extract
from dupfinder.text.sniff import HEAD_BYTES, SUFFIXES, recognise
from tests import making, making_compound

SEEDS: dict[str, bytes] = {
    "a.txt": making.txt(),
    "a.md": making.txt(),
    "a.html": making.html(),
    "a.docx": making.docx(),
    "a.odt": making.odt(),
    "a.rtf": making.rtf((*making.PARAGRAPHS, *making.CHINESE)),
    "a.epub": making.epub(),
    "a.pptx": making.pptx(),
    "a.xlsx": making.xlsx({"Sheet": [["Ann", 1]]}),
    "a.eml": making.eml(page=making.html()),
    "a.mht": making.mhtml(making.html()),
    "a.doc": making_compound.doc(deleted="gone"),
    "a.msg": making_compound.msg(),
    "a.xls": making_compound.xls([["Ann", 1.0]]),
    "a.pdf": making.pdf(),
}

Cut = tuple[str, int, int, bytes]
CUTS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "repeat", "cut"]),
        st.integers(0, 1 << 20),
        st.integers(1, 64),
        st.binary(min_size=1, max_size=16),
    ),
    min_size=1,
    max_size=6,
)
PACKAGES = {name: data for name, data in SEEDS.items() if data.startswith(b"PK")}


def damaged(data: bytes, cuts: list[Cut]) -> bytes:
    """The bytes with changes at places all over."""
    changed = bytearray(data)
    for verb, at, size, piece in cuts:
        place = at % (len(changed) + 1)
        if verb == "replace":
            changed[place : place + len(piece)] = piece
        elif verb == "insert":
            changed[place:place] = piece
        elif verb == "delete":
            del changed[place : place + size]
        elif verb == "repeat":
            changed[place:place] = changed[place : place + size] * 8
        else:
            del changed[place:]
    return bytes(changed)


def damaged_inside(data: bytes, cuts: list[Cut]) -> bytes:
    """A package that is whole, with one of its parts damaged."""
    with ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [name for name in parts if name != "mimetype"]
    name = names[cuts[0][1] % len(names)]
    parts[name] = damaged(parts[name], cuts)
    return making.zipped(parts, stored_first=True)


def check(data: bytes, name: str) -> None:
    """What must hold of any reading at all."""
    path = Path(name)
    recognise(path, data[:HEAD_BYTES])
    began = time.monotonic()
    for fallback in (False, True):
        found: Extraction = extract(data, path, fallback_only=fallback)
        assert found.extracted is not None or (found.problem is not None and found.problem.detail)
        if found.extracted is not None:
            assert any(map(str.isalnum, found.extracted.text))
            assert len(found.extracted.text) <= 2 * MAX_CHARACTERS
    assert time.monotonic() - began < 20


def test_every_reader_has_a_seed() -> None:
    like_others = {MediaType.ODS, MediaType.ODP}
    assert {SUFFIXES[Path(name).suffix] for name in SEEDS} == set(READERS) - like_others


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(SEEDS)), CUTS)
def test_damaged_documents_give_text_or_a_reason(name: str, cuts: list[Cut]) -> None:
    check(damaged(SEEDS[name], cuts), name)


@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(PACKAGES)), CUTS)
def test_packages_with_a_damaged_part_give_text_or_a_reason(name: str, cuts: list[Cut]) -> None:
    check(damaged_inside(PACKAGES[name], cuts), name)


@settings(deadline=None, max_examples=60)
@given(st.sampled_from(sorted(SEEDS)), st.binary(max_size=600))
def test_any_bytes_under_any_name_give_text_or_a_reason(name: str, data: bytes) -> None:
    check(data, name)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", sorted(SEEDS))
@pytest.mark.parametrize("harm", [damaged, damaged_inside])
def test_a_long_run_of_damage_gives_text_or_a_reason(name: str, harm: Callable[[bytes, list[Cut]], bytes]) -> None:
    if harm is damaged_inside and name not in PACKAGES:
        return

    @settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
    @given(CUTS)
    def run(cuts: list[Cut]) -> None:
        check(harm(SEEDS[name], cuts), name)

    run()
