"""A labelled suite: which documents are near-duplicates, which are contained, which must be kept apart.

labels.json: {"subsuites": {name: {"files": [path below the sub-suite's folder], "positives": [[a, b, ...]],
"ignore": [[a, b]], "contains": [[container, part, share]], "hard_negatives": [[a, b, reason]], "forms": [[a, b, c,
...]]}}}. Each of the forms lists the fillings of one form, three or more. The expected relation of a pair follows:
positives are versions (or copies), contains parts, two fillings of one form same_form; every pair of a sub-suite that
is in no list is none. Pairs across sub-suites are not scored.
"""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Pair = tuple[str, str]
TEMPLATES = "templates"  # a sub-suite of forms alone: what is labelled there are fillings, even without a list of them


def pair_of(left: str, right: str) -> Pair:
    """The two names in order."""
    return (left, right) if left < right else (right, left)


@dataclass(frozen=True, slots=True)
class SubSuite:
    """One folder of a suite. Names are relative to the suite's root. contains: (container, part).

    forms: pairs of fillings of one form.
    """

    name: str
    files: frozenset[str]
    positives: frozenset[Pair]
    ignored: frozenset[Pair]
    contains: frozenset[Pair]
    hard_negatives: frozenset[Pair]
    forms: frozenset[Pair] = frozenset()


def load(root: Path) -> tuple[SubSuite, ...]:
    """The sub-suites of the suite in a folder, in the order of its labels.json."""
    stored: dict[str, Any] = json.loads((root / "labels.json").read_text(encoding="utf-8"))
    return tuple(_sub_suite(name, labels) for name, labels in stored["subsuites"].items())


def _sub_suite(name: str, labels: dict[str, Any]) -> SubSuite:
    def pairs(key: str) -> frozenset[Pair]:
        return frozenset(pair_of(f"{name}/{row[0]}", f"{name}/{row[1]}") for row in labels.get(key, ()))

    positives = pairs("positives")
    contains = frozenset((f"{name}/{row[0]}", f"{name}/{row[1]}") for row in labels.get("contains", ()))
    ignored = pairs("ignore") | {pair_of(*pair) for pair in contains}
    files = frozenset(f"{name}/{file}" for file in labels["files"])
    hard = pairs("hard_negatives")
    fillings = (itertools.combinations(form, 2) for form in labels.get("forms", ()))
    forms = frozenset(pair_of(f"{name}/{left}", f"{name}/{right}") for left, right in itertools.chain(*fillings))
    if name == TEMPLATES and "forms" not in labels:
        forms = hard | ignored
    return SubSuite(name, files, positives, ignored - positives, contains, hard, forms)
