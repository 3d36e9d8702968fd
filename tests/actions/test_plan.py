from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.actions.plan import (
    Contradiction,
    ContradictoryPlan,
    KnownFile,
    Plan,
    Step,
    Verb,
    load_plan,
    save_plan,
    step_as_json,
    step_from_json,
    validate,
)
from dupfinder.base.errors import UsageError
from dupfinder.base.stamp import FileStamp
from dupfinder.cluster.relation import Relation
from dupfinder.wording.errors import sentence
from tests.actions.making import RELATIONS

_parts = st.binary(min_size=1, max_size=20).filter(lambda part: b"/" not in part and b"\0" not in part)
_paths = st.lists(_parts.filter(lambda part: part not in (b".", b"..")), min_size=1, max_size=3).map(
    lambda parts: Path("/" + os.fsdecode(b"/".join(parts)))
)
_sizes = st.integers(0, 2**63 - 1)
_stamps = st.builds(FileStamp, _paths, _sizes, st.integers(-(2**62), 2**62), _sizes, _sizes, st.integers(0, 2**128 - 1))
_known_filees = st.builds(KnownFile, _stamps, st.binary(min_size=16, max_size=16).map(bytes.hex))
_shares = st.floats(0, 1)
_steps = st.builds(Step, st.sampled_from(Verb), _known_filees, _known_filees, st.sampled_from(RELATIONS), _shares)
_folders = st.lists(_paths, max_size=2).map(tuple)
_plans = st.builds(
    Plan, st.lists(_steps, max_size=4).map(tuple), st.lists(_paths, min_size=1, max_size=2).map(tuple), _folders,
    _paths, _shares, st.text(max_size=8), _shares, st.none() | _paths,
)  # fmt: skip


def is_valid(plan: Plan) -> bool:
    try:
        validate(plan)
    except ContradictoryPlan:
        return False
    return True


def known_file(name: str, content_hash: str = "0" * 32) -> KnownFile:
    return KnownFile(FileStamp(Path(name), 1, 2, 3, 4, hash(name) % 1000), content_hash)


def simple(victim: str = "/d/v", keeper: str = "/d/k", verb: Verb = Verb.TRASH) -> Step:
    return Step(verb, known_file(victim), known_file(keeper), Relation.VERSION, 0.9)


@given(plan=_plans)
def test_a_saved_plan_is_the_same_when_loaded(plan: Plan, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "plan.json"
    if not is_valid(plan):
        with pytest.raises(ContradictoryPlan):
            save_plan(plan, path)
        return
    save_plan(plan, path)
    assert load_plan(path) == plan


def test_a_plan_file_is_ascii_private_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    plan = Plan((simple(os.fsdecode(b"/d/\xff\n\xe2\x80\xae")),), (Path("/d"),))
    save_plan(plan, tmp_path / "plan.json")
    save_plan(plan, tmp_path / "plan.json")
    assert os.listdir(tmp_path) == ["plan.json"]
    assert (tmp_path / "plan.json").read_bytes().isascii()
    assert stat.S_IMODE(os.stat(tmp_path / "plan.json").st_mode) == 0o600
    record = json.loads((tmp_path / "plan.json").read_text())
    assert (record["schema"], record["kind"]) == (2, "plan")
    assert record["steps"][0]["victim"]["path_base64"] == "L2Qv/wrigK4="


@pytest.mark.parametrize(
    ("plan", "fault"),
    [
        (Plan((simple("/d/a", "/d/b"), simple("/d/b", "/d/c")), (Path("/d"),)), Contradiction.KEEPER_IS_VICTIM),
        (Plan((simple("/d/a", "/d/a"),), (Path("/d"),)), Contradiction.KEEPER_IS_VICTIM),
        (Plan((simple("/d/a", "/d/b"), simple("/d/a", "/d/c")), (Path("/d"),)), Contradiction.VICTIM_TWICE),
        (Plan((simple("d/a"),), (Path("/d"),)), Contradiction.RELATIVE_PATH),
        (Plan((simple("/d/../a"),), (Path("/d"),)), Contradiction.RELATIVE_PATH),
        (Plan((), (Path("d"),)), Contradiction.RELATIVE_PATH),
        (Plan((simple(verb=Verb.MOVE),), (Path("/d"),)), Contradiction.NO_DESTINATION),
        (Plan((simple(),), ()), Contradiction.NO_ROOTS),
        (Plan((replace(simple(), victim=known_file("/d/v", "")),), (Path("/d"),)), Contradiction.NO_HASH),
    ],
)
def test_a_plan_that_contradicts_itself_is_neither_saved_nor_carried_out(
    plan: Plan, fault: Contradiction, tmp_path: Path
) -> None:
    with pytest.raises(ContradictoryPlan) as caught:
        validate(plan)
    assert caught.value.why is fault
    with pytest.raises(ContradictoryPlan):
        save_plan(plan, tmp_path / "plan.json")
    assert os.listdir(tmp_path) == []


def _drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.pop(key)


def _set(key: str, value: object) -> Callable[[dict[str, Any]], None]:
    return lambda record: record.update({key: value})


def _in_step(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda record: change(record["steps"][0])


def _in_victim(change: Callable[[dict[str, Any]], None]) -> Callable[[dict[str, Any]], None]:
    return lambda record: change(record["steps"][0]["victim"])


@pytest.mark.parametrize(
    "change",
    [
        _drop("kind"), _drop("schema"), _drop("steps"), _drop("roots"), _set("schema", 1), _set("schema", "1"),
        _set("steps", {}), _set("steps", [1]), _set("roots", [1]), _set("roots", []), _set("min_similarity", 2),
        _set("min_similarity", True), _set("scan_name", None), _set("destination", "x"),
        _in_step(_set("verb", "shred")), _in_step(_set("relation", "")), _in_step(_set("similarity", "1")),
        _in_step(_drop("keeper")), _in_victim(_set("path_base64", "!")), _in_victim(_drop("path_base64")),
        _in_victim(_set("path_base64", "ZC92")), _in_victim(_set("size", 1.5)), _in_victim(_set("inode", True)),
        _in_victim(_set("blake2b_128", "xyz")),
    ],
)  # fmt: skip
def test_a_file_that_is_no_whole_plan_is_one_clear_sentence(
    change: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    path = tmp_path / "plan.json"
    save_plan(Plan((simple(),), (Path("/d"),)), path)
    record = json.loads(path.read_text())
    change(record)
    path.write_text(json.dumps(record))
    with pytest.raises(UsageError) as caught:
        load_plan(path)
    message = sentence(caught.value)
    assert message.endswith(".") and "\n" not in message


def test_a_plan_file_of_deep_nonsense_is_refused(tmp_path: Path) -> None:
    for data in (b"[" * 100_000, b"\x00" * 100, b'{"kind": "plan"', b""):
        (tmp_path / "plan.json").write_bytes(data)
        with pytest.raises(UsageError):
            load_plan(tmp_path / "plan.json")


@pytest.mark.parametrize(
    ("reason", "relation"),
    [
        ("identical_bytes", Relation.IDENTICAL),
        ("identical_text", Relation.SAME_TEXT),
        ("near", Relation.VERSION),
        ("contained", Relation.PART),
        ("contains", Relation.WHOLE),
    ],
)
@given(step=_steps)
def test_steps_of_journals_before_schema_2_are_read_so_that_they_can_be_undone(
    reason: str, relation: Relation, step: Step
) -> None:
    record = step_as_json(step)
    del record["relation"]
    assert step_from_json(record | {"reason": reason}) == replace(step, relation=relation)
    for broken in (record, record | {"reason": "alike"}):
        with pytest.raises(ValueError, match="reason"):
            step_from_json(broken)
