"""Content beside the words is stored and loaded unchanged, and marked where it is not known."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.cluster.relation import CONTENT_KINDS, NO_HASH, UNKNOWN_HASH, compare_other, other_bytes
from dupfinder.library import columns, seals
from dupfinder.library.columns import _COLUMNS, other_columns
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import Documents
from dupfinder.text.document import MAY_HOLD, NOT_KNOWN, MediaType, OtherContent, all_unknown
from tests.library.making import row, stored

SAID = st.dictionaries(
    st.sampled_from(OtherContent), st.one_of(st.just(NOT_KNOWN), st.integers(0, 2**64 - 1).map("{:016x}".format))
)


@given(said=st.lists(SAID, min_size=1, max_size=5))
def test_each_kind_comes_back_as_none_not_known_or_its_hash(said: list[dict[OtherContent, str]]) -> None:
    numbers = other_columns([other_bytes(content) for content in said], ["docx"] * len(said))
    assert numbers.shape == (len(said), len(CONTENT_KINDS)) and numbers.dtype == np.uint64
    for expected, content in zip(numbers.tolist(), said, strict=True):
        for kind, number in zip(CONTENT_KINDS, expected, strict=True):
            if kind not in content:
                assert number == NO_HASH
            elif content[kind] == NOT_KNOWN:
                assert number == UNKNOWN_HASH
            else:
                assert number == max(2, int(content[kind], 16))


@given(left=SAID, right=SAID)
def test_two_documents_differ_in_a_kind_only_where_both_are_known(
    left: dict[OtherContent, str], right: dict[OtherContent, str]
) -> None:
    rows = other_columns([other_bytes(left), other_bytes(right)], ["docx", "docx"])
    (differs,), (unknown,) = compare_other(rows[:1], rows[1:], np.ones(1, np.bool_))
    for place, kind in enumerate(CONTENT_KINDS):
        if kind is OtherContent.HEAD_WORDS:  # counts between two formats alone
            assert not (differs[place] or unknown[place])
            continue
        assert unknown[place] == (NOT_KNOWN in (left.get(kind), right.get(kind)))
        assert not (differs[place] and unknown[place])
        if not unknown[place] and left.get(kind) == right.get(kind):
            assert not differs[place]
    assert (compare_other(rows[1:], rows[:1], np.ones(1, np.bool_))[0] == differs).all()


def test_a_library_keeps_what_documents_hold_beside_their_words(tmp_path: Path) -> None:
    said = {OtherContent.PICTURES: "0123456789abcdef", OtherContent.COMMENTS: NOT_KNOWN}
    rows = [replace(row(Path("/docs/a.docx"), 1), media="docx", other=other_bytes(said)), row(Path("/docs/b.txt"), 2)]
    with LibraryFile(tmp_path / "library.db", write=True) as library:
        documents = library.result(stored(library, *rows)).documents
    assert documents.other[0].tolist() == [0x0123456789ABCDEF, UNKNOWN_HASH, *[NO_HASH] * (len(CONTENT_KINDS) - 2)]
    assert documents.other[1].tolist() == other_columns([None], ["txt"])[0].tolist()


def test_of_documents_read_before_it_was_looked_at_nothing_is_known_that_their_format_may_hold(tmp_path: Path) -> None:
    path = tmp_path / "library.db"
    media = list(MediaType)
    with LibraryFile(path, write=True) as library:
        scan = stored(library, *(replace(row(Path(f"/docs/{n:02}"), n), media=kind) for n, kind in enumerate(media)))
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE document SET other = NULL")
    with LibraryFile(path) as library:
        documents = library.documents(scan)
    for place, kind in enumerate(media):
        assert documents.media[place] == kind
        expected = [UNKNOWN_HASH if other in MAY_HOLD.get(kind, ()) else NO_HASH for other in CONTENT_KINDS]
        assert documents.other[place].tolist() == expected


def test_a_kind_that_was_added_after_a_document_was_read_is_not_known() -> None:
    shorter = other_bytes({OtherContent.PICTURES: "00000000000000ff"})[:-8]
    pptx, unread = other_columns([shorter, shorter], ["pptx", ""])
    assert pptx.tolist() == [0xFF, *[NO_HASH] * (len(CONTENT_KINDS) - 2), UNKNOWN_HASH]
    assert unread[-1] == NO_HASH


@given(stored=st.lists(st.one_of(st.none(), st.binary(max_size=200)), min_size=1, max_size=4))
def test_whatever_is_stored_gives_a_number_for_each_kind(stored: list[bytes | None]) -> None:
    assert other_columns(stored, ["docx"] * len(stored)).shape == (len(stored), len(CONTENT_KINDS))


def test_every_format_says_what_it_may_hold() -> None:
    missing = set(MediaType) - set(MAY_HOLD)
    assert not missing, f"no row in MAY_HOLD of text/document.py: {missing}"
    assert all(all_unknown(kind).keys() == MAY_HOLD[kind] for kind in MediaType)


def test_every_column_of_a_scans_documents_is_declared() -> None:
    assert sorted(_COLUMNS) == sorted(field.name for field in fields(Documents))


def test_whether_another_scan_has_other_files_is_found_in_steps_that_grow_in_a_straight_line(tmp_path: Path) -> None:
    """Every file was changed between two scans."""
    steps = []
    for count in (100, 400):
        with LibraryFile(tmp_path / f"{count}.db", write=True) as library:
            for seed in (0, 1000):
                scan = stored(library, *(row(Path(f"/docs/{name}.txt"), seed + name) for name in range(count)))
        with closing(sqlite3.connect(tmp_path / f"{count}.db")) as connection:
            seals.register(connection)
            passed: list[None] = []
            connection.set_progress_handler(partial(passed.append, None), 10)
            assert not columns._has_other_files(connection, scan, "scheme")
            steps.append(len(passed))
    assert steps[1] < 5 * steps[0]
