"""Schemes: cheap to import, and identified by their choices."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest

from dupfinder.fingerprint.scheme import Scheme

OTHERS = {
    "weights": "tf",
    "bits": 128,
    "top": 10,
    "simplify": True,
    "shingle": 7,
    "shingle_hash": "rabin",
    "sketch": 64,
    "learned_digest": "1f",
    "features": "shingles",
    "scale": 5,
}


def test_every_choice_but_the_place_of_the_table_changes_the_id() -> None:
    assert set(OTHERS) == {field.name for field in fields(Scheme)} - {"learned"}
    plain = Scheme(weights="none")  # which all features take
    changed = [replace(plain, **{name: value}) for name, value in OTHERS.items()]  # type: ignore[arg-type]
    assert len({scheme.id for scheme in [plain, *changed]}) == len(OTHERS) + 1
    assert replace(Scheme(), learned=Path("elsewhere")).id == Scheme().id


def test_a_scheme_is_named_without_loading_what_computes_fingerprints() -> None:
    code = (
        "import sys; from dupfinder.fingerprint.scheme import Scheme; Scheme().id; "
        "print({'numpy', 'jieba', 'rjieba', 'Stemmer', 'resiliparse', 'xxhash'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_a_fingerprinter_loads_no_dictionary_before_it_meets_chinese() -> None:
    code = (
        "import sys; from dupfinder.fingerprint.fingerprinter import Fingerprinter; "
        "from dupfinder.fingerprint.scheme import Scheme; Fingerprinter(Scheme()).print_of('the boats and the sea'); "
        "print({'jieba', 'rjieba', 'resiliparse'} & set(sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


def test_the_default_scheme_keeps_the_id_under_which_libraries_were_written() -> None:
    assert Scheme().id == "03326d70c63c"


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"bits": 7}, "bits is 32, 64 or 128, not 7"),
        ({"bits": "64"}, "bits is a whole number, not '64'"),
        ({"shingle": 0}, "shingle is at least 1, not 0"),
        ({"shingle": -1}, "shingle is at least 1, not -1"),
        ({"shingle": True}, "shingle is a whole number, not True"),
        ({"sketch": 0}, "sketch is at least 1, not 0"),
        ({"top": -1}, "top is at least 0, not -1"),
        ({"scale": -1}, "scale is at least 0, not -1"),
        ({"weights": "bm25"}, "weights is one of none, tf, tf-idf, learned, not 'bm25'"),
        ({"shingle_hash": "md5"}, "shingle_hash is one of xxh3, rabin, not 'md5'"),
        ({"features": "letters"}, "features is one of words, shingles, not 'letters'"),
        ({"features": "shingles"}, "weights tf-idf are known for words alone; shingles take none or tf"),
        ({"simplify": 1}, "simplify is True or False, not 1"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_in_a_sentence(choice: dict[str, object], words: str) -> None:
    with pytest.raises((TypeError, ValueError)) as refusal:
        Scheme(**choice)  # type: ignore[arg-type]
    assert str(refusal.value) == words
