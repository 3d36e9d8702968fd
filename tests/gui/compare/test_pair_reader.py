"""The reader of pairs: real files, in a process of its own, and only the newest request is answered."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from pytestqt.qtbot import QtBot

from dupfinder.diff.blocks import ChangeKind, TextComparison
from dupfinder.diff.tokens import Options
from dupfinder.gui.compare.pair_reader import PairReader
from dupfinder.scan.comparison import Comparer, PairTask, PairView

PATIENCE = 60  # s; closing waited for five


@pytest.fixture
def reader(qtbot: QtBot) -> Iterator[PairReader]:
    made = PairReader()
    yield made
    made.close()


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_only_the_newest_of_several_requests_is_answered(tmp_path: Path, qtbot: QtBot, reader: PairReader) -> None:
    paths = [written(tmp_path, f"{number}.txt", f"The words of text number {number}.") for number in range(4)]
    answers: list[TextComparison] = []
    reader.compared.connect(lambda comparison, _sameness: answers.append(comparison))
    for path in paths[1:]:
        reader.read(paths[0], path, Options())
    qtbot.waitUntil(lambda: bool(answers))
    qtbot.wait(200)
    assert [answer.right_lines for answer in answers] == [("The words of text number 3.",)]
    assert answers[0].change is not ChangeKind.IDENTICAL


def test_a_file_without_text_is_told_in_a_sentence(tmp_path: Path, qtbot: QtBot, reader: PairReader) -> None:
    words = written(tmp_path, "words.txt", "Some words are in here.")
    with qtbot.waitSignal(reader.failed) as failed:
        reader.read(words, tmp_path / "gone.txt", Options())
    assert failed.args is not None
    assert failed.args[0] == "Nothing to compare as text"
    assert failed.args[1].endswith(".")


def test_of_documents_with_the_same_words_it_is_said_what_differs(
    tmp_path: Path, qtbot: QtBot, reader: PairReader
) -> None:
    struck, plain = tmp_path / "struck.html", tmp_path / "plain.txt"
    struck.write_text("<p>The heating is <s>not</s> paid for</p>")
    plain.write_text("The heating is not paid for")
    with qtbot.waitSignal(reader.compared) as compared:
        reader.read(struck, plain, Options())
    assert compared.args is not None
    comparison, sameness = compared.args
    assert comparison.differences == ()
    assert sameness == "Same words: word for word equal; what differs: tracked changes."


def test_a_comparison_that_was_dropped_is_not_shown(tmp_path: Path, qtbot: QtBot, reader: PairReader) -> None:
    left, right = (written(tmp_path, name, "Some words are in here.") for name in ("a.txt", "b.txt"))
    answers: list[object] = []
    reader.compared.connect(lambda comparison, _sameness: answers.append(comparison))
    reader.read(left, right, Options())
    reader.drop()
    qtbot.wait(300)
    reader.read(right, left, Options())
    qtbot.waitUntil(lambda: len(answers) == 1)


def test_closing_leaves_a_comparison_its_process_until_it_has_ended(
    tmp_path: Path, qtbot: QtBot, reader: PairReader, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_end, events = Event(), Event(), list[str]()
    compare, close = Comparer.compare, Comparer.close

    def compare_late(self: Comparer, task: PairTask, check: Callable[[], None]) -> PairView:
        begun.set()
        may_end.wait(PATIENCE)
        try:
            return compare(self, task, check)
        finally:
            events.append("compared")

    def close_too(self: Comparer) -> None:
        close(self)
        events.append("closed")

    monkeypatch.setattr(Comparer, "compare", compare_late)
    monkeypatch.setattr(Comparer, "close", close_too)
    left, right = (written(tmp_path, name, "Some words are in here.") for name in ("a.txt", "b.txt"))
    reader.read(left, right, Options())
    assert begun.wait(PATIENCE)
    reader.close()
    assert events == []
    may_end.set()
    qtbot.waitUntil(lambda: "closed" in events)
    assert events == ["compared", "closed"]
