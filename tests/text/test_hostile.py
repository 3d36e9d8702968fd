"""A folder of files that stop other programs: each is accounted for, and the good ones among them are read."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from dupfinder.base.details import ProblemKind
from dupfinder.processes.sandbox import Sandbox, TaskResult
from dupfinder.processes.worker import Failure, Limits
from dupfinder.text.document import Attempt, ReadResult
from dupfinder.text.normalise import normalise
from tests import making
from tests.text.hostile import HOSTILE

ROOT = Path(__file__).parents[2]
LIMITS = Limits(seconds=12.0, memory_bytes=1 << 30)
WORDS = normalise(" ".join(making.PARAGRAPHS))

Outcome = TaskResult[tuple[Path, Attempt], tuple[ReadResult, int]]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="measures memory as Unix does")


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Outcome]:
    """The outcome of each file of the folder, read by two workers."""
    sys.path.insert(0, str(ROOT))
    from tests.processes.tasks import files_of, read, read_otherwise, size_of

    folder = tmp_path_factory.mktemp("hostile")
    for name, make in HOSTILE.items():
        (folder / name).write_bytes(make())
    for number in range(40):
        (folder / f"good{number}.pdf").write_bytes(making.pdf())
        (folder / f"good{number}.docx").write_bytes(making.docx())
    (folder / ("n" * 251 + ".txt")).write_bytes(making.txt())
    with Sandbox(read, workers=2, limits=LIMITS, weight=size_of, files=files_of, retry=read_otherwise) as box:
        done = list(box.run((path, Attempt.FIRST) for path in sorted(folder.iterdir())))
    assert sum(outcome.seconds for outcome in done) < 90  # of attempts in vain
    assert len(done) == len(list(folder.iterdir()))
    sys.path.remove(str(ROOT))
    return {outcome.task[0].name: outcome for outcome in done}


def test_the_good_files_among_them_are_read(outcomes: dict[str, Outcome]) -> None:
    good = [outcome for name, outcome in outcomes.items() if name.startswith(("good", "nnn"))]
    assert len(good) == 81
    for outcome in good:
        assert outcome.value is not None, outcome
        extracted = outcome.value[0].extracted
        assert extracted is not None and normalise(extracted.text) == WORDS


@pytest.mark.parametrize("name", HOSTILE)
def test_each_hostile_file_gives_text_or_a_reason(outcomes: dict[str, Outcome], name: str) -> None:
    outcome = outcomes[name]
    if outcome.value is None:
        assert outcome.failure is not None and outcome.details
        return
    extraction, most_memory = outcome.value
    assert extraction.extracted is not None or (extraction.problem is not None and extraction.problem.details)
    assert most_memory < LIMITS.memory_bytes


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bomb.docx", ProblemKind.TOO_LARGE),
        ("liar.docx", ProblemKind.DAMAGED),
        ("entities.docx", ProblemKind.DAMAGED),
        ("controls.txt", ProblemKind.NO_TEXT),
    ],
)
def test_bombs_are_refused_before_they_go_off(outcomes: dict[str, Outcome], name: str, kind: ProblemKind) -> None:
    value = outcomes[name].value
    assert value is not None and value[0].problem is not None
    assert value[0].problem.kind is kind


def test_a_workbook_with_a_cell_in_its_far_corner_is_read_the_other_way(outcomes: dict[str, Outcome]) -> None:
    value = outcomes["wide.xlsx"].value
    assert value is not None and value[0].extracted is not None
    assert (value[0].extracted.reader, value[0].extracted.text.split()) == ("xlsx-walk", ["first", "far"])


def test_a_pdf_that_inflates_to_two_gigabytes_costs_itself_alone(outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes["bomb.pdf"]
    assert outcome.failure in (Failure.CRASHED, Failure.OUT_OF_MEMORY, Failure.TOO_SLOW) or outcome.value is not None
