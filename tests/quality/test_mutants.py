"""Which changes are tried on a module, and on which tests."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.quality import learning
from tests.quality.mutants import BOUND, SAME_RESULT, Learnt, Outcome, learn, lines_of, mutants, tried

SOURCE = '''\
"""Prices."""

MOST = 9


def price(count):
    """Tell the price of so many pears."""
    return sum(
        (
            count,
            2,
        )
    )


def is_dear(count):
    """Whether it is above MOST."""
    if price(count) > MOST:
        return True
    return False


def shown(count):
    """Never called."""
    return f"{count * 1.5:.2f}"
'''
TESTS = """\
from dupfinder.shop import price


def test_ten_pears_are_dear():
    assert price.is_dear(10)


def test_a_pear_costs_three():
    assert price.price(1) == 3
"""
MODULE = Path("dupfinder/shop/price.py")
DEAR = "tests/shop/test_price.py::test_ten_pears_are_dear"
COSTS = "tests/shop/test_price.py::test_a_pear_costs_three"

GREEN = "tests/shop/test_pears.py::test_pears_are_green"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in {
        "dupfinder/__init__.py": "",
        "dupfinder/shop/__init__.py": "",
        MODULE.as_posix(): SOURCE,
        "tests/shop/test_price.py": TESTS,
        "tests/shop/test_pears.py": "def test_pears_are_green() -> None: ...\n",
        "tests/quality/learning.py": Path(learning.__file__).read_text("utf-8"),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_line_that_is_left_out_is_in_the_program() -> None:
    package = Path(__file__).parents[2] / "dupfinder"
    lines = [line.lstrip() for path in package.rglob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [start for start in SAME_RESULT if not any(line.startswith(start) for line in lines)] == []


def test_every_number_and_comparison_is_changed_one_at_a_time() -> None:
    source = "MOST = 9\nSHARE = 0.5\nif MOST <= 8 != SHARE:\n    pass\n"
    changed = [mutant.applied(source).splitlines() for mutant in mutants(source)]
    assert [(lines[0], lines[1], lines[2]) for lines in changed] == [
        ("MOST = (8)", "SHARE = 0.5", "if MOST <= 8 != SHARE:"),
        ("MOST = 10", "SHARE = 0.5", "if MOST <= 8 != SHARE:"),
        ("MOST = 9", "SHARE = 0.45", "if MOST <= 8 != SHARE:"),
        ("MOST = 9", "SHARE = 0.55", "if MOST <= 8 != SHARE:"),
        ("MOST = 9", "SHARE = 0.5", "if MOST < 8 != SHARE:"),
        ("MOST = 9", "SHARE = 0.5", "if MOST <= (7) != SHARE:"),
        ("MOST = 9", "SHARE = 0.5", "if MOST <= 9 != SHARE:"),
        ("MOST = 9", "SHARE = 0.5", "if MOST <= 8 == SHARE:"),
    ]


def test_a_line_runs_with_its_statement_and_one_outside_of_functions_with_the_module() -> None:
    numbers = {text.strip(): number for number, text in enumerate(SOURCE.splitlines(), 1)}
    assert lines_of(SOURCE, numbers["2,"]) == range(numbers["return sum("], numbers["2,"] + 1)
    dear = numbers["if price(count) > MOST:"]
    assert lines_of(SOURCE, dear) == range(dear, dear + 1)
    assert lines_of(SOURCE, numbers["MOST = 9"]) is None
    assert lines_of(SOURCE, numbers["def price(count):"]) is None


def test_a_mutant_is_tried_on_the_tests_that_run_its_line(project: Path) -> None:
    learnt = learn(project, "shop", [MODULE.as_posix()])
    assert learnt is not None
    tests = {mutant: learnt.tests(MODULE, mutant.line) for mutant in mutants(SOURCE)}
    assert {names[-1] for mutant, names in tests.items() if mutant.before == "9"} == {GREEN}, (
        "last: it runs no function"
    )
    assert {(mutant.before, *sorted(names)) for mutant, names in tests.items()} == {
        ("9", GREEN, COSTS, DEAR),
        ("2", COSTS, DEAR),
        (">", DEAR),
        ("1.5", COSTS, DEAR),  # no test runs it: those of the file that names the module
    }
    noticed = {}
    for mutant, names in tests.items():
        MODULE.write_text(mutant.applied(SOURCE), encoding="utf-8")
        noticed[mutant.before, mutant.after] = tried(project, names, 60) is Outcome.FAILED
    survivors = {change for change, is_noticed in noticed.items() if not is_noticed}
    assert survivors == {("9", "(8)"), ("9", "10"), (">", ">="), ("1.5", "1.35"), ("1.5", "1.6500000000000001")}


def test_tests_that_fail_without_any_change_teach_nothing(project: Path) -> None:
    Path("tests/shop/test_pears.py").write_text("def test_pears_are_blue(): assert False\n", encoding="utf-8")
    assert learn(project, "shop", [MODULE.as_posix()]) is None


def test_a_mutant_that_never_ends_is_given_up(project: Path) -> None:
    MODULE.write_text(SOURCE.replace("return True", "while True: ..."), encoding="utf-8")
    assert tried(project, [DEAR], 1) is Outcome.ENDLESS


def test_the_quickest_tests_are_run_within_the_bound_and_one_at_least() -> None:
    learnt = Learnt({"slow": BOUND + 1, "half": BOUND / 2, "quick": BOUND / 4, "third": BOUND / 3}, {})
    assert learnt.within_bound(["quick", "third", "half", "slow"]) == ["quick", "third"]
    assert learnt.within_bound(["slow"]) == ["slow"]
