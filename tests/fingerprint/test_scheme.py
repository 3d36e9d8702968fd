"""Schemes: cheap to import, and named by what they choose."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

from dupfinder.fingerprint.scheme import Scheme

OTHERS = {
    "weights": "tf",
    "bits": 128,
    "top": 10,
    "simplify": True,
    "shingle": 7,
    "shingle_hash": "rabin",
    "sketch": 64,
    "modulus": 16,
    "learned_digest": "1f",
}


def test_every_choice_but_the_place_of_the_table_changes_the_id() -> None:
    assert set(OTHERS) == {field.name for field in fields(Scheme)} - {"learned"}
    changed = [Scheme(**{name: value}) for name, value in OTHERS.items()]  # type: ignore[arg-type]
    assert len({scheme.id for scheme in [Scheme(), *changed]}) == len(OTHERS) + 1
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
