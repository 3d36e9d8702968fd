"""Weights learned from a scan's documents: counted once a text, used by the next scan, taken back."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import IO

import numpy as np
import pytest

from dupfinder.base.errors import UsageError
from dupfinder.base.progress import LatestProgress, SilentReporter, Stopped
from dupfinder.base.settings import SIMPLIFY, TOP, WEIGHTS, Settings
from dupfinder.cluster.relation import Demand, Measured, Relation
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.weights import DocumentFrequencies, FrequencyCounter
from dupfinder.library.library import LibraryFile
from dupfinder.library.rows import ScanResult
from dupfinder.scan.learning import learn
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.scan.weights import CommonWord, are_lost, keep, newest, scheme_in_use, scheme_of, table_path

USUAL = Scheme()  # as the settings say
WORDS = ("harbour", "violin", "glacier", "orchard", "lantern", "compass", "meadow", "saddle", "chimney", "quarry")


def write(folder: Path, number: int) -> None:
    """Each document tells of dupfinding, and of a few things more."""
    own = [WORDS[(number + step) % len(WORDS)] for step in range(3)]
    text = f"Dupfinding begins with the {own[0]} and ends with the {own[1]}. The {own[2]} of story {number} waits. " * 4
    (folder / f"{number:02}.txt").write_text(f"{text} Called name{'abcdefghijklmnopqrstuvwxyz'[number]}.")


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(24):
        write(folder, number)
    (folder / "copy of 03.txt").write_text((folder / "03.txt").read_text())
    return folder


def scan(docs: Path) -> ScanResult:
    library = docs.parent / "library.db"
    run_scan(ScanRequest((Root(docs),), workers=1), library, SilentReporter())
    with LibraryFile(library) as opened:
        return opened.result()


def test_what_is_learned_serves_the_next_scan_until_it_is_taken_back(docs: Path) -> None:
    before = scan(docs)
    assert before.summary.scheme == USUAL.id == scheme_in_use().id
    learning = learn(before, Settings(), SilentReporter())
    assert learning == newest()
    assert learning.documents == 24  # the copy counts for nothing
    assert learning.words[0].word == "dupfinding" and learning.words[0].documents == 24
    assert learning.words[0].rarity < learning.words[0].shipped

    scheme = scheme_in_use()
    assert scheme.weights == "learned" and scheme.learned_digest == learning.digest
    after = scan(docs)
    assert after.summary.scheme == scheme.id and after.summary.reused == 0
    assert (after.documents.fingerprint != before.documents.fingerprint).any()
    assert scan(docs).summary.reused == 25

    Settings().set(WEIGHTS, "shipped")
    again = scan(docs)
    assert again.summary.scheme == USUAL.id
    assert again.documents.fingerprint.tolist() == before.documents.fingerprint.tolist()


def test_learning_twice_gives_the_same_table_and_other_documents_another_beside_it(docs: Path) -> None:
    result = scan(docs)
    first = learn(result, Settings(), SilentReporter())
    assert learn(result, Settings(), SilentReporter()) == first
    write(docs, 24)
    second = learn(scan(docs), Settings(), SilentReporter())
    assert second.digest != first.digest and second.documents == 25
    for learning in (first, second):
        assert DocumentFrequencies.load(table_path(learning.digest)).digest == learning.digest
        name = Scheme(weights="learned", learned_digest=learning.digest).id
        scheme = scheme_of(name)
        assert scheme is not None and scheme.learned == table_path(learning.digest)
    assert scheme_of(USUAL.id) == USUAL and scheme_of("of another program") is None


def test_a_full_disk_while_weights_are_stored_leaves_those_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    counter = FrequencyCounter()
    for _ in range(2):
        counter.add(np.arange(3, dtype=np.uint64))
    learned = keep(counter.table(), (CommonWord("meadow", 2, 1.0, 2.0),), Settings())

    def fill(out: IO[bytes], **_: object) -> None:
        out.write(b"a beginning")
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
        patch.setattr(np, "savez_compressed", fill)
        keep(counter.table(), (CommonWord("meadow", 2, 1.0, 2.0),), Settings())
    assert newest() == learned and scheme_in_use().learned_digest == learned.digest
    odd = keep(counter.table(), (CommonWord("\ud800", 2, 1.0, 2.0),), Settings())  # is no valid text in UTF-8
    assert newest() == odd
    assert {path.name for path in table_path(odd.digest).parent.iterdir()} == {f"{odd.digest}.npz", "learned.json"}


def test_documents_that_are_gone_or_have_no_text_now_are_left_out(docs: Path) -> None:
    result = scan(docs)
    (docs / "05.txt").unlink()
    (docs / "06.txt").write_bytes(b"")
    assert learn(result, Settings(), SilentReporter()).documents == 22


def test_too_few_documents_teach_nothing(docs: Path) -> None:
    result = scan(docs)
    for number in range(8):
        (docs / f"{number:02}.txt").unlink()
    with pytest.raises(UsageError):
        learn(result, Settings(), SilentReporter())
    assert newest() is None and scheme_in_use() == USUAL


def test_a_stop_leaves_the_weights_as_they_were(docs: Path) -> None:
    result, reporter = scan(docs), LatestProgress()
    reporter.stop()
    with pytest.raises(Stopped):
        learn(result, Settings(), reporter)
    assert newest() is None and scheme_in_use() == USUAL


@pytest.mark.parametrize("content", [None, b"", b"no table", "other"])
def test_a_table_that_is_gone_or_damaged_leaves_the_shipped_weights(docs: Path, content: bytes | str | None) -> None:
    path = table_path(learn(scan(docs), Settings(), SilentReporter()).digest)
    if content is None:
        path.unlink()
    elif isinstance(content, bytes):
        path.write_bytes(content)
    else:
        table = DocumentFrequencies.load(path)
        DocumentFrequencies(table.keys, table.counts, table.documents + 1, table.unseen).save(path)
    assert scheme_in_use() == USUAL and are_lost(Settings())


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"words": [{"word": 1}]}', '{"words": 3}'])
def test_a_damaged_note_of_what_was_learned_counts_as_none(docs: Path, content: str) -> None:
    path = table_path(learn(scan(docs), Settings(), SilentReporter()).digest)
    (path.parent / "learned.json").write_text(content)
    assert newest() is None and scheme_in_use() == USUAL


def test_the_settings_choose_how_many_words_count_and_whether_chinese_is_folded(docs: Path) -> None:
    settings = Settings()
    settings.set(TOP, 40)
    settings.set(SIMPLIFY, True)
    scheme = scheme_in_use()
    assert (scheme.top, scheme.simplify) == (40, True)
    assert scheme.id != USUAL.id
    assert scheme_of(scheme.id) == scheme
    learning = learn(scan(docs), settings, SilentReporter())
    learned = scheme_in_use()
    assert (learned.top, learned.simplify, learned.learned_digest) == (40, True, learning.digest)
    settings.reset()
    assert scheme_of(learned.id) == learned
    assert scheme_in_use() == USUAL


def test_one_text_in_traditional_and_simplified_characters_is_two_versions_where_the_settings_say_so(
    tmp_path: Path,
) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    simplified = "这份合同规定双方的权利和义务，并说明货物的价格、数量与交货时间。" * 4
    traditional = "這份合同規定雙方的權利和義務，並說明貨物的價格、數量與交貨時間。" * 4
    (docs / "a.txt").write_text(simplified, encoding="utf-8")
    (docs / "b.txt").write_text(traditional, encoding="utf-8")
    assert not len(scan(docs).pairs)
    Settings().set(SIMPLIFY, True)
    folded = scan(docs)
    assert folded.summary.reused == 0
    assert Measured(folded.evidence, folded.pairs).decide(Demand.of(Settings())).tolist() == [Relation.VERSION]
