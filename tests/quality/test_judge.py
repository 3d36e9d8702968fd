"""Every way that says what two documents are to each other says the same of every pair."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from dupfinder.cluster.relation import Demand
from tests.making import docx
from tests.quality.judge import judge
from tests.quality.prose import other_words, story

FORM = "Dear {}, your order of {} has come in and can be fetched at our shop in {} on any working day. " + " ".join(
    f"Please bring paper {number} of the order along." for number in ("one", "two", "three", "four", "five", "six")
)


def cut_document(paragraphs: Sequence[str]) -> bytes:
    """A Word file that ends within its text, of which most is still read."""
    whole = docx(paragraphs)
    with ZipFile(BytesIO(whole)) as package:
        part = package.getinfo("word/document.xml")
    return whole[: part.header_offset + part.compress_size]


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies, texts in two formats, with other pictures, versions, edits, parts, forms, cut and unlike texts."""
    folder = tmp_path_factory.mktemp("papers")
    letter, chinese = story(1, "en"), story(2, "zh", 12, 6)
    texts = {
        "letter": letter, "copy": letter, "edited": [*letter[:5], "A new paragraph of a few words.", *letter[6:]],
        "scattered": other_words(letter, 0.08, 1), "part": letter[:3], "book": [*story(3, "en", 30), *letter],
        "chinese": chinese, "chinese edited": other_words(chinese, 0.05, 2), "unlike": story(9, "en"),
        "digits": ["17 4"], "digits again": ["17 4"],
    }  # fmt: skip
    fills = (("Anna Meier", "lamps", "Ulm"), ("Bert Krause", "chairs", "Bonn"), ("Clara Vogel", "desks", "Kiel"))
    texts |= {f"form {name}": [FORM.format(name, goods, town)] for name, goods, town in fills}
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text("\n\n".join(text), encoding="utf-8")
    (folder / "letter.docx").write_bytes(docx(letter))
    for name in ("cut", "cut again"):
        (folder / f"{name}.docx").write_bytes(cut_document(letter))
    for name, picture in (("page", "UFE="), ("page again", "UFI=")):
        body = "".join(f"<p>{paragraph}</p>" for paragraph in letter)
        page = f'<html><body>{body}<img src="data:image/png;base64,{picture}"></body></html>'
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return folder


@pytest.mark.parametrize("demand", [Demand(0.7, 0.85, 8), Demand(0.9, 0.85, 3, passages=False), Demand(0.5, 0.6, 16)])
def test_scan_report_query_explain_and_check_agree_on_every_pair(papers: Path, tmp_path: Path, demand: Demand) -> None:
    verdicts = judge(papers, tmp_path / "library.db", demand, 150)
    assert verdicts.pairs > 150 and verdicts.disagreements == []
