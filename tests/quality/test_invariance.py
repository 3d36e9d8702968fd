"""The same pairs get the same relations: alone, among strangers, in any order, by any workers, at once or in parts."""

from __future__ import annotations

from pathlib import Path

from dupfinder.cluster.relation import Relation, name_of
from tests.making import docx
from tests.quality.invariance import differences, invariance
from tests.quality.kinds.forms import filled
from tests.quality.prose import other_words, story


def papers(folder: Path) -> list[Path]:
    """Copies, versions, scattered edits, parts, three fillings of a form and an edited one, and unlike texts."""
    texts: dict[str, list[str]] = {}
    for language in ("en", "es", "zh"):
        letter = story(11, language)
        texts |= {
            f"letter-{language}": letter,
            f"edited-{language}": [*letter[:4], *story(12, language, 1), *letter[5:]],
            f"scattered-{language}": other_words(letter, 0.08, 3),
            f"again-{language}": other_words(letter, 0.09, 4),
            f"part-{language}": letter[:4],
            f"book-{language}": [*story(13, language, 20), *letter],
        }
    texts |= {f"form-{number}": filled("contract", number) for number in range(3)}
    texts["form-edited"] = other_words(filled("contract", 1), 0.03, 5)
    files = [folder / f"{name}.txt" for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_text("\n\n".join(text), encoding="utf-8")
    (folder / "letter.docx").write_bytes(docx(story(11, "en")))
    return [*files, folder / "letter.docx"]


def test_what_is_beside_two_documents_and_how_they_are_read_changes_no_relation(tmp_path: Path) -> None:
    (tmp_path / "papers").mkdir()
    (tmp_path / "home").mkdir()
    changes = invariance(papers(tmp_path / "papers"), tmp_path / "home", 150)
    assert len(changes) == 4 and not any(changes.values()), changes


def test_a_relation_that_differs_is_told() -> None:
    version = name_of(Relation.VERSION)
    usual = {("a", "b"): (version, 0.9), ("b", "c"): (version, 0.8)}
    other = {("a", "b"): (version, 0.9), ("b", "stranger"): (version, 0.8)}
    assert list(differences(usual, other, {"a", "b", "c"})) == ["b | c: ('version', 0.8), then nothing"]
