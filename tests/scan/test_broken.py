"""Texts broken by edits, as candidates: what a sample of one run in twenty-five does not show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dupfinder.base.progress import Silent
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.library import Library
from dupfinder.library.rows import READ, DocumentRow
from dupfinder.scan.broken import SMALLEST, broken_pairs
from dupfinder.text.normalise import normalise
from tests.library.making import REVISION, digest, summary
from tests.quality.answers import answer, lightly_edited
from tests.quality.prose import scattered, story


def found_among(texts: list[list[str]], folder: Path) -> set[tuple[int, int]]:
    """The pairs proposed, as places in the list."""
    maker = Fingerprinter(Scheme())
    with Library.open(folder / "library.db", write=True) as library:
        scan = library.begin_scan(summary(Path("/docs")), REVISION)
        rows = []
        for place, text in enumerate(texts):
            stamp = FileStamp(Path(f"/docs/{place:02}"), 100, 1, 1, 1, place + 1)
            told = maker.print_of(normalise("\n".join(text)))
            rows.append((DocumentRow(stamp, READ, media="txt", content_hash=digest(place), text_print=told), False))
        library.add(scan, REVISION, rows)
        documents = library.documents(scan)
        found = broken_pairs(library, documents, np.arange(len(texts)), Silent())
    return set(zip(found.left.tolist(), found.right.tolist(), strict=True))


@pytest.mark.parametrize("size", [2, 40])
def test_chinese_of_any_length_is_proposed_though_one_run_in_ten_is_left(size: int, tmp_path: Path) -> None:
    texts = [story(seed, "zh", size, 5) for seed in range(4)]
    assert found_among([*texts, *(scattered(text, "moved", 0.2, 1) for text in texts)], tmp_path) >= {
        (place, place + 4) for place in range(4)
    }


def test_a_copied_answer_is_proposed_and_long_texts_of_words_are_left_to_the_sample(tmp_path: Path) -> None:
    short, long = answer("seasons", 1), story(9, "en", 20, 6)
    assert len(" ".join(long).split()) > SMALLEST
    found = found_among([short, lightly_edited(short, 6, 1), answer("prices", 1), long, long], tmp_path)
    assert found == {(0, 1)}
