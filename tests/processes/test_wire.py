"""Answers as plain data: what was declared arrives as it was, and nothing else arrives at all."""

from __future__ import annotations

import pickle
import string
import struct
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dupfinder.actions.judge import read_for_judgement
from dupfinder.base.details import Clause, Details, details
from dupfinder.base.stamp import FileStamp
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.wire import Wire, WireError, returned_by
from dupfinder.scan.comparison import PairTask, compare_pair
from dupfinder.scan.learning import read_terms
from dupfinder.scan.reading import ReadTask, read_one, read_text
from dupfinder.text.document import Extracted, MediaType, ReadResult
from dupfinder.text.pdf.pdfium import PageTask, render_page
from tests import making


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Leaf:
    name: str
    weight: float
    numbers: NDArray[np.uint32]


@dataclass(frozen=True)
class Tree:
    path: Path
    leaves: tuple[Leaf, ...]
    colour: Colour | None = None
    seen: datetime | None = None
    marks: dict[int, tuple[int, ...]] = field(default_factory=dict)
    data: bytes = b""
    flag: bool = False
    grid: NDArray[np.bool_] = field(default_factory=lambda: np.zeros((0, 2), np.bool_))


def same(left: Any, right: Any) -> bool:
    """Whether two values are equal, with the arrays in them."""
    if isinstance(left, np.ndarray):
        return isinstance(right, np.ndarray) and left.dtype == right.dtype and np.array_equal(left, right)
    if hasattr(left, "__dataclass_fields__"):
        return type(left) is type(right) and all(
            same(getattr(left, field.name), getattr(right, field.name)) for field in fields(left)
        )
    if isinstance(left, list | tuple):
        return type(left) is type(right) and len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


names = st.text(st.characters(), max_size=20)
leaves = st.builds(
    Leaf,
    name=names,
    weight=st.floats(allow_nan=False, allow_infinity=False),
    numbers=st.lists(st.integers(0, 2**32 - 1), max_size=8).map(lambda values: np.array(values, np.uint32)),
)
trees = st.builds(
    Tree,
    path=st.binary(min_size=1, max_size=20).map(
        lambda raw: Path("/" + raw.replace(b"\0", b"x").decode("utf-8", "surrogateescape"))
    ),
    leaves=st.lists(leaves, max_size=4).map(tuple),
    colour=st.sampled_from([None, *Colour]),
    seen=st.none() | st.datetimes(timezones=st.just(UTC)),
    marks=st.dictionaries(st.integers(-(2**63), 2**64 - 1), st.lists(st.integers(0, 9)).map(tuple), max_size=3),
    data=st.binary(max_size=300),
    flag=st.booleans(),
    grid=st.lists(st.booleans(), max_size=4).map(lambda values: np.array([values, values], np.bool_).T),
)


@given(tree=trees)
def test_a_value_arrives_as_it_was_sent(tree: Tree) -> None:
    wire = Wire(Tree)
    assert same(wire.unpack(wire.pack(tree)), tree)


@given(tree=trees, data=st.data())
def test_a_message_with_a_flipped_byte_is_refused_or_still_of_the_type(tree: Tree, data: st.DataObject) -> None:
    wire = Wire(Tree | None)
    message = bytearray(wire.pack(tree))
    place = data.draw(st.integers(0, len(message) - 1))
    message[place] ^= data.draw(st.integers(1, 255))
    try:
        arrived = wire.unpack(bytes(message))
    except WireError:
        return
    assert arrived is None or isinstance(arrived, Tree)
    if arrived is not None:
        assert all(leaf.numbers.dtype == np.uint32 for leaf in arrived.leaves)
        wire.pack(arrived)


@given(message=st.binary(max_size=200))
def test_whatever_bytes_come_nothing_but_a_refusal_comes_of_them(message: bytes) -> None:
    with pytest.raises(WireError):
        Wire(Tree).unpack(message)


class Trap:
    """Runs code when it is unpickled."""

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Path.write_text, (Path("/nowhere/trap"), "sprung")


def test_a_pickle_is_refused_as_an_answer() -> None:
    for declared in (Tree, str | None, DocumentRow, list[bytes]):
        with pytest.raises(WireError):
            Wire(declared).unpack(pickle.dumps(Trap()))


@pytest.mark.parametrize(
    ("declared", "sent"),
    [
        (int, "word"),
        (int, True),
        (int, 2**64),
        (Annotated[int, 128], 2**128),
        (Annotated[int, 128], -1),
        (int, 1.5),
        (bool, 1),
        (str, None),
        (float, float("nan")),
        (float, float("inf")),
        (tuple[int, int], (1, 2, 3)),
        (Colour, "green"),
        (datetime, "yesterday"),
        (Path, "a\0b"),
        (dict[str, int], [["a"]]),
    ],
)
def test_values_of_another_kind_are_refused(declared: Any, sent: Any) -> None:
    loose = {int: int, float: float}.get(type(sent), type(sent))
    kinds: dict[Any, Any] = {tuple: tuple[int, int, int], list: list[list[str]]}
    message = Wire(kinds.get(loose, loose)).pack(sent)
    with pytest.raises(WireError):
        Wire(declared).unpack(message)


@pytest.mark.parametrize("sent", [np.zeros(3, np.int64), np.zeros((2, 2), np.uint8)])
def test_an_array_of_other_numbers_is_not_sent(sent: NDArray[Any]) -> None:
    with pytest.raises(TypeError):
        Wire(NDArray[np.uint64]).pack(sent)


def test_an_array_is_as_large_as_its_shape_says_and_of_truth_values_only() -> None:
    wire, flags = Wire(NDArray[np.uint64]), Wire(NDArray[np.bool_])
    message = wire.pack(np.arange(12, dtype=np.uint64))
    for shape in (b"[13]", b"[-1]", b"[11]"):
        with pytest.raises(WireError):
            wire.unpack(message.replace(b"[12]", shape))
    with pytest.raises(WireError):
        flags.unpack(flags.pack(np.array([True])).replace(b"\x01", b"\x07", 3)[:-1] + b"\x07")


@pytest.mark.parametrize("declared", [Any, object, NDArray[np.object_], Callable[[], int], complex])
def test_types_that_could_be_anything_do_not_cross(declared: Any) -> None:
    with pytest.raises(TypeError):
        Wire(declared)


def test_work_has_to_declare_what_it_returns() -> None:
    def silent(task):  # type: ignore[no-untyped-def]
        return task

    with pytest.raises(TypeError):
        returned_by(silent)


def test_what_arrives_can_be_written_to_and_holds_no_more_than_itself() -> None:
    arrived = Wire(NDArray[np.uint64]).unpack(Wire(NDArray[np.uint64]).pack(np.arange(5, dtype=np.uint64)))
    arrived[0] = 9
    assert arrived.flags.owndata


def test_every_field_of_an_extracted_text_reaches_the_other_process() -> None:
    """A field that is added to Extracted crosses without another line; this fails when one cannot."""
    full = Extracted(
        string.printable + "né中\ud800",
        MediaType.PDF,
        "pdfium",
        streams={"comments": "aside"},
        encoding="utf-8",
        pages=3,
        title="A title",
        author="N. N.",
        created=datetime(2020, 1, 2, tzinfo=UTC),
        modified=datetime(2021, 1, 2, tzinfo=UTC),
        language="en-GB",
        notes=details(Clause.RECOGNISED, languages="eng") + details(Clause.PAGES_READ, read=2, pages=3),
        partial=True,
    )
    wire = Wire(returned_by(read_text))
    assert wire.unpack(wire.pack(ReadResult(full))) == ReadResult(full)


def test_real_answers_of_every_kind_arrive_as_they_were(tmp_path: Path) -> None:
    pdf, text = tmp_path / "a.pdf", tmp_path / "b.txt"
    pdf.write_bytes(making.pdf())
    text.write_bytes(making.txt())
    task = ReadTask(FileStamp.of(pdf, pdf.stat()), Scheme())
    answers: list[tuple[Callable[..., Any], Any]] = [
        (read_one, read_one(task)),
        (read_text, read_text(text)),
        (compare_pair, compare_pair(PairTask(pdf, text, explain=True))),
        (render_page, render_page(PageTask(pdf, 0, 80))),
        (read_for_judgement, None),
        (read_terms, None),
    ]
    for work, answer in answers:
        wire = Wire(returned_by(work))
        assert same(wire.unpack(wire.pack(answer)), answer)
    changed = replace(task.stamp, size=-1)
    assert same(Wire(FileStamp).unpack(Wire(FileStamp).pack(changed)), changed)


@pytest.mark.parametrize(
    "raw",
    [
        '[["no_such_code",[]]]',
        '[["cut_off",[["seconds",[0,1]]]]]',
        '[["same_file",[]]]',
        '[["same_file",[["other",[0,3]]]]]',
    ],
)
def test_details_of_other_codes_or_with_other_facts_are_refused(raw: str) -> None:
    wire = Wire(Details)
    whole = wire.pack(details(Clause.SAME_FILE, other="/a"))
    message = struct.pack("<II", len(raw), 0) + raw.encode()
    assert whole == struct.pack("<II", 36, 0) + b'[["same_file",[["other",[1,"/a"]]]]]'
    with pytest.raises(WireError):
        wire.unpack(message)
