"""What the table of numbers and rules changes, and that it puts everything back."""

from __future__ import annotations

import pytest

from dupfinder.cluster import evidence, relation
from tests.quality.kinds.edits import scattered_edits
from tests.quality.kinds.writing import Writer
from tests.quality.making import write_suite
from tests.quality.sensitivity import HEAD, MODEL, RULES, changed, line, moved, numbers, remembered_runs, trials
from tests.quality.trial import Reading, read


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    root = tmp_path_factory.mktemp("suite")
    suites = scattered_edits(Writer(real=False), (("replaced", 0.08, 3),))
    write_suite(root, (suite for suite in suites if suite[0].endswith("es")))
    return read(root, tmp_path_factory.mktemp("library") / "library.db")


def test_every_number_of_the_model_is_found_and_no_more_than_twenty_are_set_by_hand() -> None:
    values = numbers()
    assert {"LEAST_SIMILARITY", "LEAST_SCATTERED"} <= values.keys()
    assert "MAX_RADIUS" not in values  # a limit of the settings
    assert all(any(vars(module).get(name) == value for module in MODEL) for name, value in values.items())
    assert len(values) <= 20, sorted(values)


def test_a_number_is_changed_wherever_it_is_held_and_put_back() -> None:
    before = relation.LEAST_SCATTERED
    with pytest.raises(KeyError), changed({"LEAST_SCATTERED": 2.0}):
        assert relation.LEAST_SCATTERED == vars(evidence)["LEAST_SCATTERED"] == 2.0
        raise KeyError
    assert relation.LEAST_SCATTERED == vars(evidence)["LEAST_SCATTERED"] == before


def test_every_rule_that_is_switched_off_is_there() -> None:
    for values in RULES.values():
        with changed(values):
            assert all(any(vars(module).get(name) is value for module in MODEL) for name, value in values.items())
        assert not any(vars(module).get(name) is value for module in MODEL for name, value in values.items())


def test_whole_numbers_move_by_one_at_least() -> None:
    assert (moved(2, 0.2), moved(2, -0.2), moved(200, 0.2)) == (3, 1, 240)
    assert moved(0.5, -0.2) == pytest.approx(0.4)


def test_without_the_rule_scattered_edits_are_missed(reading: Reading) -> None:
    rows = {name: findings for name, findings, _ in trials(reading)}
    assert set(RULES) < set(rows)
    [suite] = reading.suites
    as_it_is, without = (reading.scores(rows[name])[suite.name].pairs for name in ("as it is", "no scattered edits"))
    assert as_it_is.right == 3 and without.right == 0
    row = line("as it is", reading.scores(rows["as it is"]), 0.1)
    assert row.count("|") == HEAD.count("|") and "| 1.000 | 1.000 | 0 |" in row


def test_remembering_the_runs_of_two_texts_changes_no_evidence(reading: Reading) -> None:
    usual, _ = reading.match()
    with remembered_runs():
        for _ in range(2):
            matched, _ = reading.match()
            assert matched.evidence.aligned.tolist() == usual.evidence.aligned.tolist()
            assert matched.evidence.difference.tolist() == usual.evidence.difference.tolist()


def test_the_library_stays_as_it_was(reading: Reading) -> None:
    before = reading.judge(reading.result.pairs, reading.result.evidence)
    matched, _ = reading.match()
    assert reading.judge(matched.pairs, matched.evidence) == before
