"""The made kinds: the same on every machine, labelled by how they were made, and unlike where they must be."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.extract import extract
from tests.quality.kinds import copies, edits, forms, frames, scans, shown, wholes
from tests.quality.kinds.writing import LANGUAGES, Writer, english, size, units
from tests.quality.labels import load
from tests.quality.making import shingles, write_suite


def test_a_text_is_the_same_again_and_shares_little_with_the_next() -> None:
    for language in LANGUAGES:
        writer = Writer(real=False)
        first, second = writer.text(language, 300), writer.text(language, 300)
        assert Writer(real=False).text(language, 300) == first
        assert 300 <= size(first) < 450
        first_set, second_set = shingles(first), shingles(second)
        assert len(first_set & second_set) / len(first_set | second_set) < 0.1


def test_real_english_is_prose_and_no_paragraph_comes_twice() -> None:
    paragraphs = list(itertools.islice(english(), 300))
    assert len(set(paragraphs)) == 300
    assert all(len(paragraph.split()) >= 25 and ">>>" not in paragraph for paragraph in paragraphs)


@given(st.sampled_from(("replaced", "deleted", "swapped", "mixed")), st.sampled_from(LANGUAGES), st.integers(0, 99))
def test_scattered_edits_touch_no_more_than_their_share(way: str, language: str, seed: int) -> None:
    text = Writer(real=False).text(language, 200)
    edited = edits.scattered(text, way, 0.08, seed)
    assert len(edited) == len(text)
    before = [unit for paragraph in text for unit in units(paragraph)]
    after = [unit for paragraph in edited for unit in units(paragraph)]
    chosen = round(0.08 * len(before))
    lost = sum(before.count(unit) > after.count(unit) for unit in set(before))
    assert lost <= chosen and len(before) - chosen <= len(after) <= len(before)
    if way == "deleted":
        assert len(after) == len(before) - chosen
    elif way == "swapped":
        assert sorted(after) == sorted(before)


def test_scans_without_a_recogniser_are_misread_by_a_model(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(scans, "recogniser", lambda language: None)
    made = dict(scans.scans(Writer(real=False)))
    assert capsys.readouterr().err.count("misreadings by a model") == 3
    for folder in made.values():
        assert len(folder.positives) == 20
        for left_name, right_name in folder.positives:
            left, right = shingles(folder.texts[left_name]), shingles(folder.texts[right_name])
            assert 0.2 < len(left & right) / len(left | right) < 0.99


def test_a_form_has_all_its_fillings_and_each_differs_from_the_others() -> None:
    made = dict(forms.filled_forms(Writer(real=False)))
    assert len(made) == 16
    for name, folder in made.items():
        assert all("{" not in line for text in folder.texts.values() for line in text)
        assert len({"".join(text) for text in folder.texts.values()}) == len(folder.texts) == int(name[-2:])
        assert bool(folder.forms) == (len(folder.texts) > 2)


def test_first_and_last_of_a_history_share_little_and_neighbours_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wholes, "HISTORIES", {"short": wholes.HISTORIES["short"]})
    [(_, folder)] = wholes.histories(Writer(real=False))
    sets = [shingles(text) for text in folder.texts.values()]
    alike = [len(left & right) / len(left | right) for left, right in itertools.pairwise(sets)]
    assert min(alike) > 0.7
    assert len(sets[0] & sets[-1]) / len(sets[0] | sets[-1]) < 0.4


def test_a_compilation_holds_most_of_every_note_and_the_whole_of_none() -> None:
    folder, _ = (made for _, made in wholes.compilations(Writer(real=False)))
    assert folder.contains
    for whole, part, _ in folder.contains:
        inside, all_of = shingles(folder.texts[part]) & shingles(folder.texts[whole]), shingles(folder.texts[part])
        assert 0.85 <= len(inside) / len(all_of) < 1


def test_a_disclaimer_is_longer_than_the_mail_above_it() -> None:
    for _, folder in frames.mails(Writer(real=False)):
        assert all(size(text[-1:]) > size(text[:-1]) for name, text in folder.texts.items() if "again" not in name)


def test_what_is_shown_alike_is_read_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "_TEXTS", 1)
    for make in (shown.subtitles, shown.numbered, shown.printed, shown.encodings, shown.timed, shown.exported,
                 shown.sources):  # fmt: skip
        for kind, folder in make(Writer(real=False)):
            texts: dict[str, set[str]] = {}
            for name, data in folder.files.items():
                extracted = extract(data, Path(name)).extracted
                assert extracted is not None, name
                words = re.findall(r"\w+", extracted.text)
                texts.setdefault(name.partition("-")[0], set()).add(" ".join(words))
            assert all(len(ways) == 1 for ways in texts.values()), kind


def test_copies_of_a_text_differ_in_a_few_words_and_letters_to_firms_in_some_more() -> None:
    writer = Writer(real=False)
    for kind, folder in (*copies.copies(writer), *copies.applications(writer)):
        pairs = folder.positives or folder.hard_negatives
        alike = [
            shingles(folder.texts[left]) & shingles(folder.texts[right])
            for left, right, *_ in pairs
            if left.partition("-")[0] == right.partition("-")[0]
        ]
        assert alike and all(alike), kind
        assert len({tuple(text) for text in folder.texts.values()}) == len(folder.texts), kind
        assert bool(folder.forms) == (kind == "applications")


def test_what_is_written_is_read_back_with_its_labels(tmp_path: Path) -> None:
    write_suite(tmp_path, forms.edited_fillings(Writer(real=False)))
    suites = load(tmp_path)
    assert json.loads((tmp_path / "labels.json").read_text(encoding="utf-8"))["subsuites"].keys() == {
        suite.name for suite in suites
    }
    for suite in suites:
        assert len(suite.forms) == 10 and len(suite.positives) == 3 and not suite.forms & suite.ignored
        assert all((tmp_path / name).is_file() for name in suite.files)
