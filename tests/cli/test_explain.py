"""`dupfinder explain`."""

from __future__ import annotations

import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dupfinder.base.paths import default_library
from dupfinder.cli.compare import _figure
from dupfinder.cli.main import main
from dupfinder.cli.usage import BAD_INPUT, DONE
from tests.quality.prose import other_words, story


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    for seed in range(4):
        for number in range(3):
            text = other_words(story(seed, "en"), 0.01 * number, number)
            (folder / f"{seed}-{number}.txt").write_text("\n\n".join(text))
    arguments = ["scan", str(folder), "--library", str(tmp_path / "library.db"), "--workers", "1"]
    assert main([*arguments, "--progress", "none"]) == DONE
    return folder


def test_a_comparison_tells_that_only_spaces_or_hyphens_between_words_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = " ".join(story(1, "en"))
    paths = [str(tmp_path / name) for name in ("apart.txt", "joined.txt")]
    for path, words in zip(paths, (text, text.replace(" the ", " the", 1).replace("and", "an-d", 1)), strict=True):
        Path(path).write_text(words)
    assert main(["diff", *paths]) == DONE
    assert "Only spaces or hyphens between words differ; 9" in capsys.readouterr().out


def test_two_files_are_explained_with_what_the_library_knows(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    library = str(docs.parent / "library.db")
    assert main(["explain", str(docs / "0-0.txt"), str(docs / "0-1.txt"), "--library", library]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Versions of one document") and any(
        "In the scan: in one group" in line for line in lines
    )
    assert main(["explain", str(docs / "0-0.txt"), str(docs / "1-0.txt")]) == DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Not versions") and not any("In the scan" in line for line in lines)


def test_an_estimate_of_very_long_texts_stands_beside_what_is_counted_over_the_whole(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(3)
    words = [f"w{chance.randrange(40_000)}" for _ in range(70_000)]
    (tmp_path / "long.txt").write_text(" ".join(words))
    (tmp_path / "longer.txt").write_text(" ".join([*words, *(f"new{number}" for number in range(28_000))]))
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "long.txt", "longer.txt"]) == DONE
    printed = capsys.readouterr().out
    assert "an estimate give or take" in printed
    assert "Counted over both whole texts: 71.4 % of all passages are in both, enough;\n" in printed
    assert " 100.0 % of long.txt is in longer.txt, and 71.4 % of longer.txt is in long.txt.\n" in printed
    assert main(["explain", "long.txt", "longer.txt", "--min-similarity", "0.72"]) == DONE
    assert "71.4 % of all passages are in both, too few;" in capsys.readouterr().out


def test_a_damaged_library_of_their_own_does_not_keep_two_files_from_being_explained(
    docs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    default_library().write_bytes(b"no library " * 1000)
    files = [str(docs / "0-0.txt"), str(docs / "0-1.txt")]
    assert main(["explain", *files]) == DONE
    assert main(["explain", *files, "--library", str(default_library())]) == BAD_INPUT
    assert capsys.readouterr().err


def test_a_library_is_calibrated_as_a_table_and_as_json(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    out = docs.parent / "curve.json"
    library = str(docs.parent / "library.db")
    assert main(["explain", f"--library={library}", "--json", str(out)]) == DONE
    lines = capsys.readouterr().out.splitlines()
    facts = json.loads(out.read_text())
    assert facts["documents"] == 12 and facts["verified_pairs"] == 12
    assert len(lines) >= 2 + facts["widest_radius"] + 1
    assert facts["radii"][-1]["recall"] == 1.0
    assert [int(line.split()[1]) for line in lines[2 : 3 + facts["widest_radius"]]] == [
        row["verified"] for row in facts["radii"]
    ]


def test_wrong_usage_and_an_empty_home_end_in_one_line(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = f"--library={docs.parent / 'library.db'}"
    for arguments in (
        ["explain"],
        ["explain", "--library"],
        ["explain", str(docs / "0-0.txt")],
        ["explain", str(docs / "0-0.txt"), library],
        ["explain", library, "--json", str(docs / "none" / "x.json")],
    ):
        capsys.readouterr()
        assert main(arguments) == BAD_INPUT
        captured = capsys.readouterr()
        assert captured.out == "" and len(captured.err.splitlines()) == 1


def labelled(docs: Path, *rows: str) -> str:
    (docs.parent / "pairs.csv").write_text("\n".join(rows) + "\n")
    return str(docs.parent / "pairs.csv")


def test_labels_of_a_person_score_every_radius(docs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library, out = str(docs.parent / "library.db"), docs.parent / "scores.json"
    rows = [f"docs/{seed}-0.txt,docs/{seed}-{number}.txt,yes" for seed in range(4) for number in (1, 2)]
    rows += [f"docs/{seed}-0.txt,docs/{seed + 1}-1.txt,no" for seed in range(3)]
    rows += ["docs/0-0.txt,docs/1-0.txt,yes", "docs/0-0.txt,gone.txt,yes"]
    capsys.readouterr()
    command = ["explain", "--library", library, "--labels", labelled(docs, "left,right,label", *rows)]
    assert main([*command, "--json", str(out)]) == DONE
    printed = capsys.readouterr().out.splitlines()
    facts = json.loads(out.read_text())
    assert printed[0] == "12 labelled pairs; 1 not among the documents of the scan."
    assert (facts["compared"], facts["left_out"], len(printed)) == (12, 1, 2 + len(facts["radii"]) + 1)
    widest = facts["radii"][-1]
    assert widest["shown"] == {"precision": 1.0, "recall": 8 / 9}
    recalls = [row["fingerprints"]["recall"] for row in facts["radii"]]
    assert recalls == sorted(recalls) and all(printed[2 + k].split()[0] == str(k) for k in range(len(recalls)))
    image = docs.parent / "scores.svg"
    for _ in range(2):  # its own files give way
        assert main([*command, "--json", str(out), "--plot", str(image)]) == DONE
    drawing = ElementTree.parse(image).getroot()
    lines = drawing.findall("{http://www.w3.org/2000/svg}polyline")
    assert [len(line.get("points", "").split()) for line in lines] == [len(facts["radii"])] * 4
    top, bottom = 50, 350  # shares of 1 and 0, in pixels
    shown_recall = lines[1].get("points", "").split()[-1].partition(",")[2]
    assert float(shown_recall) == pytest.approx(bottom - (bottom - top) * 8 / 9, abs=0.1)
    labelled(docs, *rows)
    assert main([*command, "--plot", str(docs.parent / "pairs.csv")]) == BAD_INPUT
    out.rename(docs.parent / "other.svg")
    assert main([*command, "--plot", str(docs.parent / "other.svg")]) == BAD_INPUT


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (["a,b"], "line 1: two paths and yes or no"), (["a,b,yes", "a,c,maybe"], "line 2: two paths"),
        (["a,b,yes", "b,a,no"], "line 2: a file and itself, or a pair that is labelled both ways"),
        (["a,a,yes"], "line 1: a file and itself"), (["docs/0-0.txt,docs/1-0.txt,no"], "nothing to find"),
        (["gone.txt,docs/1-0.txt,yes"], "is in the newest scan"),
    ],
)  # fmt: skip
def test_labels_that_cannot_be_used_are_one_line(
    docs: Path, capsys: pytest.CaptureFixture[str], rows: list[str], words: str
) -> None:
    capsys.readouterr()
    command = ["explain", "--library", str(docs.parent / "library.db"), "--labels", labelled(docs, *rows)]
    assert main(command) == BAD_INPUT
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and words in said.err


def test_a_share_is_shown_as_all_only_if_it_is_all() -> None:
    assert [_figure(share) for share in (None, 0.0, 2 / 3, 0.9996, 1.0)] == ["-", "0.000", "0.667", "0.999", "1.000"]
