"""Mailboxes: each mail is listed with a name that people understand and read as it was sent, in linear time."""

from __future__ import annotations

import bz2
import gzip
import io
import mailbox
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.scan.reading import read_text
from dupfinder.text.archives import mailbox as reader
from dupfinder.text.archives import members
from dupfinder.text.source import contents_of, is_archive, is_opened, read_source
from tests import making
from tests.text.test_growth import MOST_GROWTH
from tests.text.zips import outcomes

ENVELOPE = b"From ann@example.org Fri Mar  1 09:30:00 2024\n"


@pytest.fixture(scope="module", autouse=True)
def few_mails_are_enough() -> Iterator[None]:
    """Open mailboxes of one mail too, so that most tests need few."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "FEWEST_MAILS", 1)
        yield


def boxed(*mails: bytes) -> bytes:
    """A mailbox as mail programs write it."""
    return b"".join(ENVELOPE + mail.replace(b"\nFrom ", b"\n>From ") + b"\n" for mail in mails)


def test_mails_are_named_by_date_and_subject_and_read_as_they_were_sent() -> None:
    first = making.eml(["From here on."], subject="Re: Größe/Preis?")
    second, third = making.eml(["Two."], subject=""), making.eml(["Three."], attachment=("a.bin", b"1"))
    texts = {
        "2024-03-01 09.30 Re Größe Preis.eml": first, "2024-03-01 09.30 Ann Example ann@example.org.eml": second,
        "2024-03-01 09.30 The letters.eml": third, "2024-03-01 09.30 The letters (2).eml": third,
    }  # fmt: skip
    assert b"\nFrom here" in first
    assert outcomes(boxed(first, second, third, third)) == texts
    windows = boxed(first, second, third, third).replace(b"\n", b"\r\n")
    assert outcomes(windows) == {name: mail.replace(b"\n", b"\r\n") for name, mail in texts.items()}


def test_subjects_are_read_in_the_encoding_that_they_or_the_mails_are_in() -> None:
    heads = {
        "=?utf-8?q?Gr=C3=B6=C3=9Fe?=": (b"", "Größe"), "=?x-unknown?q?a?=": (b"", "= x-unknown q a ="),
        "=?ÿ?q?a?=": (b"", "= ÿ q a ="),
        "合同": (b"Content-Type: text/plain;\n charset=gb2312\n", "合同"), "Größe": (b"", "Größe"),
    }  # fmt: skip
    for raw, (field, subject) in heads.items():
        for encoding in ("utf-8", "gbk" if field else "latin-1"):
            mail = b"Subject: " + raw.encode(encoding, "replace") + b"\n" + field + b"\nText.\n"
            assert list(outcomes(boxed(mail))) == [f"{subject}.eml"]


@pytest.mark.parametrize("name", ["../../etc/passwd", ".hidden", "/", "a\\b:c*", "\udcff", "x" * 5000])
def test_no_subject_leads_out_of_the_mailbox(name: str) -> None:
    (member,) = outcomes(boxed(b"Subject: " + name.encode("utf-8", "surrogateescape") + b"\n\nText.\n"))
    assert member.endswith(".eml") and not member.startswith(".") and not set('/\\:*?"<>|') & set(member)
    assert len(member) < 120


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_mails_without_an_empty_line_between_them_are_told_apart(end: bytes) -> None:
    mails = [making.eml([f"Mail {number}.", "From me to you."]).replace(b"\n", end) for number in range(3)]
    data = end * 2 + b"".join(ENVELOPE.replace(b"\n", end) + mail for mail in mails)
    assert is_archive(Path("In.mbx"), data)
    assert list(outcomes(data).values()) == mails


def test_what_python_stores_is_read_back(tmp_path: Path) -> None:
    box = mailbox.mbox(tmp_path / "box")
    mails = [making.eml([f"From {number}.", ">From me"], subject=str(number)) for number in range(5)]
    for mail in mails:
        box.add(mail)
    box.close()
    read = outcomes((tmp_path / "box").read_bytes()).values()
    assert [mail.replace(b"\n>From me", b"\nFrom me") for mail in mails] == list(read)  # mboxo escapes both alike


@settings(max_examples=25)
@given(st.lists(st.integers(0, 3000), min_size=1, max_size=8), st.integers(600, 900))
def test_mails_are_found_wherever_a_piece_of_the_file_ends(sizes: list[int], piece: int) -> None:
    mails = [
        b"X-VM-v5_data: x\nSubject: %d\n\n" % number + b"x\n" * size + b"end\n" for number, size in enumerate(sizes)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "CHUNK", piece)
        assert list(outcomes(boxed(*mails)).values()) == mails


@pytest.mark.parametrize("end", ["mbox", "mbx", "", "2019", "txt", "log"])
@pytest.mark.parametrize(("packed", "pack"), [("", bytes), (".gz", gzip.compress), (".bz2", bz2.compress)])
def test_mailboxes_are_known_by_their_first_lines(end: str, packed: str, pack: Callable[[bytes], bytes]) -> None:
    data = pack(boxed(making.eml(), making.eml()))
    name = Path("Inbox" + (f".{end}" if end else "") + packed)
    assert is_archive(name, data[: 1 << 12])
    contents = contents_of(io.BytesIO(data))
    assert contents is not None and len(contents.members) == 2


@pytest.mark.parametrize("name", ["a.eml", "a.patch", "a.diff", "a.html", "a.py", "a.docx"])
def test_a_mail_or_a_patch_with_the_line_of_a_mailbox_is_one_document(name: str) -> None:
    assert not is_archive(Path(name), boxed(making.eml()))


@pytest.mark.parametrize(
    "text",
    [
        "From London to Berlin, 5 March 1850\nContents: letters\nAuthor: Ann\n\nThe text.",
        "From 9:00 to 10:30 in 2024\nAnn: hello\nBo: good morning\n\nThe text.",
        "From ann@example.org Fri Mar  1 09:30:00 2024\n\nSubject: none",
        "From: ann@example.org\nSubject: a mail\n\nThe text.",
        "From the beginning.",
    ],
)
def test_a_text_that_begins_with_from_is_no_mailbox(text: str) -> None:
    assert not is_archive(Path("letter"), text.encode())


def test_a_mailbox_of_few_mails_is_one_document(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(reader, "FEWEST_MAILS", 25)
    mails = [making.eml([f"Mail {number}."]) for number in range(25)]
    for name, pack in (("box.mbox", bytes), ("box.mbox.gz", gzip.compress), ("Inbox", bytes)):
        many, few = (tmp_path / part / name for part in ("many", "few"))
        for path, count in ((many, 25), (few, 24)):
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(pack(boxed(*mails[:count])))
            with path.open("rb") as stream:
                assert is_opened(stream, path) == (count == 25)
        content = read_source(many)[0]
        assert isinstance(content, members.ArchiveContents) and len(content.members) == 25
        extracted = read_text(few).extracted
        assert extracted is not None and "Mail 0." in extracted.text and "Mail 23." in extracted.text


def test_a_packed_mailbox_that_is_damaged_gives_the_mails_before_the_damage() -> None:
    mails = [making.eml([f"{number} {words}"]) for number, words in enumerate(making.PARAGRAPHS * 300)]
    data = gzip.compress(boxed(*mails))
    contents = contents_of(io.BytesIO(data[: len(data) // 2]))
    assert contents is not None and contents.trouble == details(Clause.PACKED_DAMAGED)
    assert 0 < len(contents.members) < len(mails)
    assert contents.members[-1].refused is ProblemKind.DAMAGED
    assert {member.refused for member in contents.members[:-1]} == {None}


@given(st.binary(max_size=9), st.sampled_from((b"\r", b"\n", b"\r\n", b"\r\r\n")))
def test_any_bytes_before_the_first_mail_give_mails_or_none(before: bytes, end: bytes) -> None:
    data = before + end + b"From a@example.org 1 Mar 09:30:00 2024\nSubject: a\n\nText.\n"
    assert is_archive(Path("Inbox"), data) in (True, False)
    contents = reader.contents_of(io.BytesIO(data))
    assert contents is None or len(contents.members) == 1


def test_no_more_mails_are_listed_than_members_of_other_archives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(members, "MAX_MEMBERS", 2)
    contents = contents_of(io.BytesIO(boxed(*[making.eml()] * 3)))
    assert contents is not None and contents.trouble == details(Clause.MORE_MEMBERS, members=2)
    assert [member.size for member in contents.members] == [len(making.eml())] * 2


@given(st.binary(max_size=300), st.binary(max_size=300))
def test_any_bytes_between_mails_belong_to_the_mail_before(head: bytes, body: bytes) -> None:
    data = boxed(b"Subject: " + head, b"Subject: b\n\n" + body)
    contents = contents_of(io.BytesIO(data))
    assert contents is not None and len(contents.members) >= 1
    assert len(outcomes(data)) == len(contents.members)


def test_listing_takes_time_in_proportion_to_the_mailbox() -> None:
    def seconds(count: int) -> float:
        data = io.BytesIO(boxed(*[making.eml(subject="The same")] * count))
        begun = time.process_time()
        contents_of(data)
        return time.process_time() - begun

    short, long = (min(seconds(count) for _ in range(5)) for count in (500, 4000))
    assert long < short * MOST_GROWTH**3
