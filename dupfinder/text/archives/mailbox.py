"""Mailboxes: list the mails of an mbox file by date and subject, and read one mail's bytes, within limits of archives.

The file is searched in pieces for the lines between mails, and the head of each mail is read; Content-Length, by which
some programs count, is ignored. A packed mailbox is unpacked as a packed tar archive is. A mailbox of few mails is a
document, since people save a conversation, or a digest, as such a file.
Source: RFC 4155; the variants mboxo and mboxrd, in which a ">" is put before a line that begins with "From ".
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO, Final

from dupfinder.base.details import Clause, Details, ProblemKind, details
from dupfinder.text.archives import members
from dupfinder.text.archives.members import (
    MAILBOX_SUFFIXES,
    MOST_SECONDS,
    ArchiveContents,
    ArchiveMember,
    as_path,
    decoded,
    pieces_up_to,
    without_doubles,
)
from dupfinder.text.archives.packed import CHUNK, inner_path, unpacked_head
from dupfinder.text.archives.tararchive import PACKED, opened
from dupfinder.text.document import MAX_PART_BYTES, MediaType
from dupfinder.text.sniff import ENVELOPE, FAMILIES, SNIFFED_BYTES, SUFFIXES, is_code

FEWEST_MAILS: Final = 25  # a file with fewer is one document
PLAIN_MAIL: Final = PACKED + 2  # the packing method of a mail; `foreign` has PACKED + 1
PACKED_MAIL: Final = PACKED + 3  # of one in a packed mailbox
_PATCHES: Final = frozenset({".patch", ".diff"})  # written by git as mails, but a file is one document
_LONGEST_ENVELOPE: Final = 512  # bytes, with the name of the field behind it
_EMPTY_LINE_BYTES: Final = 3  # before an envelope, with the end of the line above
_LONGEST_HEAD: Final = 1 << 15  # bytes in which date and subject are looked for
_LONGEST_SUBJECT: Final = 100  # characters in a name
_Moment = tuple[int, int, int, int, int, int, int, int, int, int | None]  # as `parsedate_tz` returns it
_FIELD = re.compile(rb"^(Date|Subject|From|Content-Type):[ \t]*([^\r\n]*(?:\r?\n[ \t][^\r\n]*)*)", re.I | re.M)
_CHARSET = re.compile(rb'charset="?([\w-]+)', re.I)
_OF_A_MAIL = re.compile(rb"^(?:Date|From|To|Subject|Received|Message-ID|Return-Path|X-[\w-]+):", re.I | re.M)
_EMPTY_LINE = re.compile(rb"^\r?\n", re.M)
_ESCAPED = re.compile(rb"^>(>*From )", re.M)
_NOT_IN_NAMES = re.compile(r'[\0-\x20\x7f/\\:*?"<>|]+')


def is_mailbox(path: Path, head: bytes) -> bool:
    """Tell whether a file is a mailbox, by its name and its first bytes. It is opened if it has many mails."""
    inner = inner_path(path) or path
    suffix = inner.suffix.lower()
    if suffix not in ("", *MAILBOX_SUFFIXES) and (
        SUFFIXES.get(suffix, MediaType.TEXT) not in FAMILIES["text"] or suffix in _PATCHES or is_code(inner)
    ):
        return False
    return begins_as_mailbox(head if inner == path else unpacked_head(head, path, SNIFFED_BYTES))


def begins_as_mailbox(head: bytes) -> bool:
    """Tell whether bytes begin with the line before a mail, and the head of a mail."""
    head = head.lstrip(b"\r\n")
    envelope = ENVELOPE.match(head)
    return envelope is not None and _OF_A_MAIL.search(_EMPTY_LINE.split(head[envelope.end() :], 1)[0]) is not None


def contents_of(stream: IO[bytes]) -> ArchiveContents | None:
    """Return the mails in order; None if they are few, or it is not a mailbox.

    Raises Unreadable if it cannot be unpacked, OSError.
    """
    tape, packing, cut = opened(stream)
    tape.seek(0)
    if not begins_as_mailbox(tape.read(SNIFFED_BYTES)):
        return None
    method = PACKED_MAIL if packing == PACKED else PLAIN_MAIL
    spans, trouble = _spans(tape)
    if len(spans) < FEWEST_MAILS:
        return None
    if not spans:
        return None
    heads = [_head(tape, *span) for span in spans]
    paths = without_doubles([_name(*head) for head in heads])
    mails = [
        ArchiveMember(path, start, method, size, size, 0, _nanoseconds(moment), *_refusal(size))
        for path, (start, size), (_, moment) in zip(paths, spans, heads, strict=True)
    ]
    if cut and not trouble:
        mails[-1] = replace(mails[-1], refused=ProblemKind.DAMAGED, details=details(Clause.BEYOND_ARCHIVE))
    return ArchiveContents(tuple(mails), trouble or cut)


def pieces_of(stream: IO[bytes], member: ArchiveMember) -> Iterator[bytes]:
    """Yield the bytes of a mail. Raises Unreadable if the mailbox no longer holds them."""
    tape = opened(stream)[0] if member.method == PACKED_MAIL else stream
    tape.seek(member.offset)
    data = b"".join(pieces_up_to(tape, member.size))
    yield _ESCAPED.sub(rb"\1", data) if b">From " in data else data


def _spans(tape: IO[bytes]) -> tuple[list[tuple[int, int]], Details]:
    """Return (start, size) of each mail without the lines between mails, and what ended the list early."""
    borders: list[tuple[int, int]] = []  # where the mail before ends, and the next starts
    trouble: Details = ()
    size = tape.seek(0, os.SEEK_END)
    for end, start in _borders(tape, size):
        if len(borders) >= members.MAX_MEMBERS:
            trouble, size = details(Clause.MORE_MEMBERS, members=members.MAX_MEMBERS), end
            break
        borders.append((end, start))
    if not borders:
        return [], ()
    tape.seek(max(0, size - 4))
    last = tape.read(4)
    blank = 0 if trouble else 2 if last.endswith(b"\n\r\n") else last.endswith(b"\n\n")
    spans = pairwise([*borders, (max(size - blank, borders[-1][1]), 0)])
    return [(start, max(0, end - start)) for (_, start), (end, _) in spans], trouble


def _borders(tape: IO[bytes], size: int) -> Iterator[tuple[int, int]]:
    """Yield where a mail ends and where the next one starts, for each line between them and the first one."""
    buffer, offset, searched = b"\n\n", -2, 0  # as if an empty line were before the first mail
    tape.seek(0)
    while piece := tape.read(CHUNK):
        buffer += piece
        stop = len(buffer) - (_LONGEST_ENVELOPE if offset + len(buffer) < size else 0)
        at = buffer.find(b"\nFrom ", searched)
        while 0 <= at < stop:
            if envelope := ENVELOPE.match(buffer, at + 1):
                yield offset + _end_before(buffer, at), offset + envelope.end()
            at = buffer.find(b"\nFrom ", at + 1)
        kept = max(0, min(stop, len(buffer)) - _EMPTY_LINE_BYTES)
        buffer, offset, searched = buffer[kept:], offset + kept, max(stop, searched) - kept


def _end_before(buffer: bytes, at: int) -> int:
    """Return where a mail ends whose last line, or the empty line behind it, has its line feed at a position."""
    before = buffer[max(0, at - 2) : at]
    if before.endswith(b"\n"):
        return at
    return at - 1 if before == b"\n\r" else at + 1


def _head(tape: IO[bytes], start: int, size: int) -> tuple[str, _Moment | None]:
    """Return (the subject of a mail, or its sender if it has none; its date)."""
    from email.utils import parsedate_tz  # slow to load, and rarely needed

    tape.seek(start)
    head = _EMPTY_LINE.split(tape.read(min(size, _LONGEST_HEAD)), 1)[0]
    fields: dict[bytes, bytes] = {}
    for field in _FIELD.finditer(head):
        fields.setdefault(field[1].lower(), b" ".join(field[2].split()))
    moment = None
    with suppress(ValueError, TypeError, IndexError):
        moment = parsedate_tz(fields.get(b"date", b"").decode("latin-1"))
    charset = _CHARSET.search(fields.get(b"content-type", b""))
    return _text(fields.get(b"subject") or fields.get(b"from", b""), charset[1].decode() if charset else ""), moment


def _text(raw: bytes, charset: str) -> str:
    """Return a field of a head as text. charset: of the text of the mail, in which old programs write its head too."""
    from email.errors import MessageError
    from email.header import decode_header, make_header

    if b"=?" in raw:
        with suppress(LookupError, ValueError, MessageError):
            return str(make_header(decode_header(raw.decode("ascii", "replace"))))
    for encoding in ("utf-8", charset or "ascii"):
        with suppress(LookupError, ValueError):
            return raw.decode(encoding)
    return decoded([(raw, 0, b"")])[0]


def _name(subject: str, moment: _Moment | None) -> str:
    """Return the name of a mail: its date as its sender wrote it, and its subject, so that names sort by time."""
    date = "{:04}-{:02}-{:02} {:02}.{:02} ".format(*moment[:5]) if moment else ""
    text = _NOT_IN_NAMES.sub(" ", subject.encode("utf-8", "replace").decode())[:_LONGEST_SUBJECT].strip(" .")
    return as_path(f"{date}{text or 'mail'}.eml", 0)


def _nanoseconds(moment: _Moment | None) -> int | None:
    """Return a date in nanoseconds since the epoch; None if it is impossible."""
    from email.utils import mktime_tz

    try:
        seconds = int(mktime_tz(moment)) if moment else -1
    except (ValueError, OverflowError):
        return None
    return seconds * 1_000_000_000 if 0 <= seconds < MOST_SECONDS else None


def _refusal(size: int) -> tuple[ProblemKind | None, Details]:
    """Return why a mail of this size must not be read; (None, ()) if it may be."""
    if size > MAX_PART_BYTES:
        return ProblemKind.TOO_LARGE, details(Clause.OVER_LIMIT, bytes=size, limit=MAX_PART_BYTES)
    return None, ()
