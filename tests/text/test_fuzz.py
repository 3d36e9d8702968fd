"""Any bytes at all: each reader gives text or a reason, within bounds. The long run is in the slow set."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from random import Random
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.processes.sandbox import Sandbox
from dupfinder.processes.worker import Limits
from dupfinder.text.document import MAX_CHARACTERS, Attempt, ReadResult
from dupfinder.text.extract import READERS, extract
from dupfinder.text.sniff import SNIFFED_BYTES, recognise
from tests import making, making_compound, making_packages

SEEDS: dict[str, bytes] = {
    "a.txt": making.txt(),
    "a.md": making.txt(),
    "a.html": making.html(),
    "a.docx": making.docx(),
    "a.odt": making.odt(),
    "a.ods": making.opendocument(
        "spreadsheet",
        '<table:table table:name="Sheet"><table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>'
        '<table:table-cell table:number-columns-repeated="2"><text:p>1</text:p></table:table-cell></table:table-row>'
        "</table:table>",
    ),
    "a.odp": making.opendocument(
        "presentation",
        '<draw:page draw:name="First"><draw:frame><draw:text-box><text:list><text:list-item><text:p>Storms</text:p>'
        "</text:list-item></text:list></draw:text-box></draw:frame></draw:page>",
    ),
    "a.pages": making.zipped({"QuickLook/Preview.pdf": making.pdf([list(making.PARAGRAPHS)])}),
    "a.rtf": making.rtf((*making.PARAGRAPHS, *making.CHINESE)),
    "a.epub": making.epub(),
    "a.ofd": making.ofd(below=["Invoice"]),
    "a.xps": making_packages.xps(by="word"),
    "a.hwpx": making_packages.hwpx(),
    "a.hwp": making_packages.hwp(body=making_packages.hwp_control("tbl ", 1, making_packages.hwp_list(2))),
    "a.vsdx": making_packages.vsdx(),
    "a.mobi": making.kindle("<p>Words and words of a book.</p>", pictures=[b"picture"]),
    "a.pptx": making.pptx(),
    "a.xlsx": making.xlsx({"Sheet": [["Ann", 1]]}),
    "a.eml": making.eml(page=making.html()),
    "a.mht": making.mhtml(making.html()),
    "a.doc": making_compound.doc(deleted="gone"),
    "a.msg": making_compound.msg(),
    "a.ppt": making_compound.ppt(),
    "a.xls": making_compound.xls([["Ann", 1.0]]),
    "a.pdf": making.pdf(),
}

Cut = tuple[str, int, int, bytes]
CUTS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "repeat", "cut"]),
        st.integers(0, 1 << 20),
        st.integers(1, 64),
        st.binary(min_size=1, max_size=16),
    ),
    min_size=1,
    max_size=6,
)
# Their reader lays a sheet out as a table as wide as its farthest cell says: only the sandbox sets limits to it.
WORKBOOKS = ("a.xls", "a.xlsx")
ALONE = sorted(SEEDS.keys() - set(WORKBOOKS))
PACKAGES = {name: SEEDS[name] for name in ALONE if SEEDS[name].startswith(b"PK")}


def damaged(data: bytes, cuts: list[Cut]) -> bytes:
    """The bytes with changes at places all over."""
    changed = bytearray(data)
    for verb, at, size, piece in cuts:
        place = at % (len(changed) + 1)
        if verb == "replace":
            changed[place : place + len(piece)] = piece
        elif verb == "insert":
            changed[place:place] = piece
        elif verb == "delete":
            del changed[place : place + size]
        elif verb == "repeat":
            changed[place:place] = changed[place : place + size] * 8
        else:
            del changed[place:]
    return bytes(changed)


def damaged_inside(data: bytes, cuts: list[Cut]) -> bytes:
    """A package that is whole, with one of its parts damaged."""
    with ZipFile(BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    names = [name for name in parts if name != "mimetype"]
    name = names[cuts[0][1] % len(names)]
    parts[name] = damaged(parts[name], cuts)
    return making.zipped(parts, stored_first=True)


SAYS_IT_ALL = (ProblemKind.UNSUPPORTED, ProblemKind.ENCRYPTED)  # kinds that need no details


def check(data: bytes, name: str) -> None:
    """What must hold of any reading at all."""
    path = Path(name)
    recognise(path, data[:SNIFFED_BYTES])
    began = time.process_time()
    for attempt in Attempt:
        extraction: ReadResult = extract(data, path, attempt=attempt)
        said = extraction.problem is not None and (extraction.problem.details or extraction.problem.kind in SAYS_IT_ALL)
        assert extraction.extracted is not None or said
        if extraction.extracted is not None:
            assert any(map(str.isalnum, extraction.extracted.text))
            assert len(extraction.extracted.text) <= 2 * MAX_CHARACTERS
    assert time.process_time() - began < 20


def test_every_reader_has_a_seed_that_it_reads() -> None:
    kinds = {recognise(Path(name), data[:SNIFFED_BYTES]) for name, data in SEEDS.items()}
    assert kinds == set(READERS), f"a document of each kind is in SEEDS: {kinds ^ set(READERS)}"
    for name, data in SEEDS.items():
        extraction = extract(data, Path(name))
        assert (extraction.problem, extraction.extracted is None) == (None, False), name


@given(st.sampled_from(ALONE), CUTS)
def test_damaged_documents_give_text_or_a_reason(name: str, cuts: list[Cut]) -> None:
    check(damaged(SEEDS[name], cuts), name)


@given(st.sampled_from(sorted(PACKAGES)), CUTS)
def test_packages_with_a_damaged_part_give_text_or_a_reason(name: str, cuts: list[Cut]) -> None:
    check(damaged_inside(PACKAGES[name], cuts), name)


@given(st.sampled_from(ALONE), st.binary(max_size=600))
def test_any_bytes_under_any_name_give_text_or_a_reason(name: str, data: bytes) -> None:
    check(data, name)


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", ALONE)
@pytest.mark.parametrize("harm", [damaged, damaged_inside])
def test_a_long_run_of_damage_gives_text_or_a_reason(name: str, harm: Callable[[bytes, list[Cut]], bytes]) -> None:
    if harm is damaged_inside and name not in PACKAGES:
        return

    @settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
    @given(CUTS)
    def run(cuts: list[Cut]) -> None:
        check(harm(SEEDS[name], cuts), name)

    run()


def harmed(data: bytes, random: Random) -> bytes:
    """The bytes with some changes, and the farthest cell perhaps at the end of the world."""
    verbs = ["replace", "insert", "delete", "repeat", "cut"]
    cuts = [
        (
            random.choice(verbs),
            random.randrange(1 << 20),
            random.randrange(1, 64),
            random.randbytes(random.randrange(1, 9)),
        )
        for _ in range(random.randrange(1, 5))
    ]
    return damaged_inside(data, cuts) if data.startswith(b"PK") and random.random() < 0.7 else damaged(data, cuts)


@pytest.mark.skipif(sys.platform == "win32", reason="measures memory as Unix does")
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("count", [30, pytest.param(600, marks=pytest.mark.slow)])
def test_damaged_workbooks_cost_themselves_alone(tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2]))
    from tests.processes.tasks import files_of, read, read_otherwise, size_of

    random = Random(count)
    for number in range(count):
        for name in WORKBOOKS:
            (tmp_path / f"{number}{Path(name).suffix}").write_bytes(harmed(SEEDS[name], random))
    limits = Limits(seconds=12.0, memory_bytes=1 << 30)
    with Sandbox(read, workers=2, limits=limits, weight=size_of, files=files_of, retry=read_otherwise) as box:
        done = list(box.run((path, Attempt.FIRST) for path in sorted(tmp_path.iterdir())))
    assert len(done) == 2 * count
    for outcome in done:
        if outcome.value is None:
            assert outcome.failure is not None and outcome.details
        else:
            assert outcome.value[0].extracted is not None or outcome.value[0].problem is not None
    assert sum(outcome.value is not None for outcome in done) > count


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (b"Subject: a\r\nContent-Type: text/plain; charset=\0x\r\n\r\nna\xefve words", "naïve words"),
        (b"Subject: a\r\nContent-Type: text/plain; charset=no-such\r\n\r\nplain words", "plain words"),
        (b"Subject: a\r\nContent-Type: text/plain; charset*=%%\r\n\r\nplain words", "plain words"),
    ],
)
def test_a_mail_whose_charset_is_none_is_still_read(source: bytes, expected: str) -> None:
    assert extracted_text(source, "a.eml") == expected


@pytest.mark.parametrize("data", [b"", b"\0", b"<", b"<!DOCTYPE html>"])
def test_a_page_of_nothing_has_no_text_for_either_reader(data: bytes) -> None:
    for attempt in (Attempt.FIRST, Attempt.SECOND):
        extraction = extract(data, Path("a.html"), attempt=attempt)
        assert extraction.extracted is None and extraction.problem is not None


def test_a_compound_file_that_ends_within_a_sector_is_damaged() -> None:
    for seed in (SEEDS["a.doc"], SEEDS["a.msg"]):
        for length in (3, 511, 700, len(seed) - 3):
            check(seed[:length], "a.doc")


def extracted_text(data: bytes, name: str) -> str:
    extracted = extract(data, Path(name)).extracted
    assert extracted is not None
    return extracted.text


def test_a_workbook_whose_sectors_form_a_ring_is_damaged() -> None:
    ring = bytearray(SEEDS["a.xls"])
    last_sector_of_the_book = len(ring) - 512 + 4 * 7  # in the table of sectors, which is the file's last one
    ring[last_sector_of_the_book : last_sector_of_the_book + 4] = bytes(4)
    problem = extract(bytes(ring), Path("a.xls")).problem
    assert problem is not None and (problem.kind, problem.details) == (
        ProblemKind.DAMAGED,
        details(Clause.BAD_COMPOUND),
    )
