"""Wording: every problem and every error has its own whole sentence, safe to show."""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import pkgutil
import re
from pathlib import Path

import pytest

import dupfinder
from dupfinder.actions.plan import Contradiction, ContradictoryPlan
from dupfinder.base import errors
from dupfinder.base.details import Clause, Details, ProblemKind, details, details_of
from dupfinder.base.errors import (
    AllowedValues,
    DupfinderError,
    Fault,
    IndexFileError,
    InputError,
    LastCopyError,
    LastCopyReason,
    LibraryPart,
    SettingError,
    UsageError,
)
from dupfinder.wording.catalogue import PSEUDO, speaking
from dupfinder.wording.details import clauses
from dupfinder.wording.errors import (
    problem_sentence,
    put_aside_sentence,
    reading_sentence,
    repaired_sentence,
    sentence,
)

HOSTILE = Path(os.fsdecode(b"/docs/caf\xe9\n\x1b[31m")) / "\u202efdp.exe"
WHY = details(Clause.CUT_OFF)
NUMBERS = {"line", "characters", "digits", "paths", "fingerprints", "version", "known", "bytes", "expected", "fewest",
           "counted"}  # fmt: skip
BASES = {"DupfinderError", "LibraryError", "PlanError"}
FACTS: dict[str, object] = {
    "path": HOSTILE, "sentence": "The \x1b[31mradius must be a number.", "holder": 4711, "version": 9, "known": 1,
    "moved_to": HOSTILE, "key": "search.radius", "value": "\x1b[31m99",
    "reason": "permission denied", "radius": 8, "most": 100, "first_row": 5000, "batch": "20260101", "name": "Letter",
    "share": 0.5, "details": WHY, "fault": Fault.EXISTS, "kind": ProblemKind.DAMAGED,
    "part": LibraryPart("document", 17),
}  # fmt: skip


def every_error() -> list[type[DupfinderError]]:
    """All errors of the program but the bases, wherever they are declared; those of the interface carry sentences."""
    for module in pkgutil.walk_packages(dupfinder.__path__, "dupfinder."):
        if not module.name.startswith(("dupfinder.gui", "dupfinder.__main__")):
            importlib.import_module(module.name)
    kinds: list[type[DupfinderError]] = []
    waiting = [DupfinderError]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        if kind.__name__ not in BASES and kind.__module__.startswith("dupfinder.") and not _of_interface(kind):
            kinds.append(kind)
    return sorted(set(kinds), key=lambda kind: kind.__name__)


def _of_interface(kind: type[DupfinderError]) -> bool:
    return kind.__module__.startswith("dupfinder.api.")


def made(kind: type[DupfinderError]) -> DupfinderError:
    ways = inspect.signature(kind).parameters.values()
    names = [way.name for way in ways if way.kind not in (way.VAR_POSITIONAL, way.VAR_KEYWORD) or way.name in FACTS]
    facts = {**FACTS, **({"why": LastCopyReason.PART, "other": HOSTILE} if kind is LastCopyError else {})}
    if kind is ContradictoryPlan:
        return ContradictoryPlan(HOSTILE, Contradiction.VICTIM_TWICE)
    if kind is InputError:
        return InputError(Fault.NOT_A_PLAN, path=str(HOSTILE))
    if kind is SettingError:
        return SettingError("search.radius", "\x1b[31m99", AllowedValues.RANGE, low=0, high=16)
    if kind is errors.ClusterError:
        return errors.ClusterError(Fault.NO_SHARE, worker="tcp://\x1b[31m", path=HOSTILE, reason="ENOENT")
    return kind(*(facts.get(name, "fact") for name in names))


def test_a_sentence_with_facts_is_told_in_another_language_and_crosses_processes() -> None:
    error = UsageError("{path} is taken.", path="/a{b}")
    assert sentence(error) == "/a{b} is taken."
    with speaking("zh_CN"):
        assert sentence(UsageError("{path} is a folder; a file name is needed.", path="/a{b}")) == (
            "/a{b} 是文件夹；请指定文件名。"
        )
    again = pickle.loads(pickle.dumps(error))
    assert again.sentence == error.sentence


@pytest.mark.parametrize("kind", ProblemKind)
def test_a_problem_is_told_in_another_language(kind: ProblemKind) -> None:
    with speaking(PSEUDO):
        assert re.fullmatch("(⟦[^⟦⟧]+⟧(`[^`]+`)?)+: ⟦[^⟦⟧]+⟧[.]", problem_sentence(kind, WHY))


def test_an_empty_file_is_not_said_to_be_compared() -> None:
    sentence = problem_sentence(ProblemKind.NO_TEXT, details(Clause.EMPTY_FILE))
    assert sentence == "The file is empty, so there is nothing in it to compare."


def test_a_password_is_named_once() -> None:
    stored_earlier = details_of("needs a password")
    assert problem_sentence(ProblemKind.ENCRYPTED, stored_earlier) == "It needs a password, so it was not read."


def well_formed(message: str) -> None:
    assert message.endswith("."), message
    assert message[0].isupper() or message[0] == "/", message
    assert "\n" not in message and "\x1b" not in message and "\u202e" not in message
    for word in ("Traceback", "Error", "Exception", "None", "<class", "errno", "PosixPath", "{", "}"):
        assert word not in message, message
    message.encode("utf-8")


@pytest.mark.parametrize("kind", ProblemKind)
@pytest.mark.parametrize("more", [(), WHY, details_of("page 12 of 40"), details(Clause.SAME_FILE, other=str(HOSTILE))])
def test_every_problem_is_told_in_a_whole_sentence(kind: ProblemKind, more: Details) -> None:
    well_formed(problem_sentence(kind, more))


def test_no_two_problems_are_told_alike() -> None:
    assert len({problem_sentence(kind) for kind in ProblemKind}) == len(ProblemKind)


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_is_told_in_sentences_of_its_own(kind: type[DupfinderError]) -> None:
    message = sentence(made(kind))
    well_formed(message)
    assert "cannot go on" not in message


@pytest.mark.parametrize(
    "reason", ["ENOENT", "EACCES", "EPERM", "ENOTDIR", "empty", "nothing_to_scan", "EIO", "unknown"]
)
def test_a_root_that_cannot_be_scanned_is_told_with_what_to_do(reason: str) -> None:
    message = sentence(errors.RootError(HOSTILE, reason))
    well_formed(message)
    assert "Nothing was scanned" in message or reason == "nothing_to_scan"


def test_a_library_in_use_names_its_holder_when_it_is_known() -> None:
    assert "process 4711" in sentence(errors.LibraryLocked(Path("/l"), 4711))
    assert "another process" in sentence(errors.LibraryLocked(Path("/l"), None))


def test_a_removal_that_runs_is_not_called_a_library_in_use() -> None:
    message = sentence(errors.RemovalRunning(Path("/home/journal"), 4711))
    well_formed(message)
    assert "process 4711" in message and "removing or restoring" in message and "library" not in message


def test_five_damaged_parts_of_a_library_are_named_and_more_are_hinted_at() -> None:
    parts = [LibraryPart("document", number) for number in range(1, 7)]
    names = "document 1, document 2, document 3, document 4, document 5"
    for count, listed in ((1, "document 1"), (5, names), (6, f"{names}, ...")):
        assert f"damaged and dropped: {listed}. Only" in repaired_sentence(parts[:count])


def test_what_is_known_of_a_text_that_was_read_is_a_sentence() -> None:
    assert reading_sentence(()) == ""
    (clause,) = clauses(WHY).splitlines()
    assert reading_sentence(WHY) == f"{clause[0].upper()}{clause[1:]}."


def test_where_a_damaged_library_went_is_told() -> None:
    well_formed(put_aside_sentence(HOSTILE))


@pytest.mark.parametrize("fault", Fault)
def test_every_fault_of_an_input_is_told_with_its_facts(fault: Fault) -> None:
    facts = {name: 7 if name in NUMBERS else str(HOSTILE) for name in fault.facts}
    error: DupfinderError = InputError(
        fault, **{**facts, **({"why": Contradiction.VICTIM_TWICE} if "why" in facts else {})}
    )
    if not sentence(error).endswith("."):  # a clause on a file
        error = IndexFileError(HOSTILE, fault, **facts)
    well_formed(sentence(error))
    texts = sum(isinstance(fact, str) for name, fact in facts.items() if name != "why")
    assert sentence(error).count("fdp.exe") >= texts
    assert sentence(pickle.loads(pickle.dumps(error))) == sentence(error)


@pytest.mark.parametrize("why", Contradiction)
def test_every_contradiction_of_a_plan_is_told(why: Contradiction) -> None:
    message = sentence(ContradictoryPlan(HOSTILE, why))
    well_formed(message)
    assert "fdp.exe" in message or why is Contradiction.NO_ROOTS


def test_what_the_system_says_is_told_in_words() -> None:
    message = sentence(IndexFileError(Path("/f.npy"), Fault.UNREADABLE, reason="EACCES"))
    assert message == "/f.npy cannot be used: permission denied."
