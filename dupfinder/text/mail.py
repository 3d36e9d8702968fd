"""Mails (EML), saved web pages in one file (MHTML) and Outlook messages (MSG)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime

from dupfinder.base.problems import ProblemKind
from dupfinder.text.bounds import Collected, Unreadable
from dupfinder.text.compound import opened_compound, stream_of
from dupfinder.text.document import Extracted, MediaType
from dupfinder.text.html import read_html
from dupfinder.text.plain import decode

LONGEST_HEADER = 10_000  # characters of a subject that are looked at
MAX_PARTS = 1000  # of one mail, nested ones included
# What the parser of mails raises for headers and charsets that are none.
_DAMAGE = (LookupError, ValueError, TypeError, AttributeError)
_FILETIME_START = datetime(1601, 1, 1, tzinfo=UTC)
_UNICODE, _ANSI, _BINARY = "001F", "001E", "0102"  # types of MAPI properties, [MS-OXCDATA] 2.11.1


def read_eml(data: bytes) -> Extracted:
    """The words of a mail: its plain text where it has one, else its page. Attachments are named at the end."""
    message = message_from_bytes(data)
    parts = list(_parts(message))
    many = len(parts) >= MAX_PARTS
    plain = [part for part in parts if part.get_content_type() == "text/plain" and not _is_attached(part)]
    pages = [part for part in parts if part.get_content_type() == "text/html" and not _is_attached(part)]
    collected = Collected()
    for part in plain or pages:
        collected.add((_text(part) if plain else read_html(_page(part)).text).strip("\n") + "\n")
    attached = [_name(part) for part in parts if _is_attached(part)]
    for name in attached:  # two mails that say "see attachment" are the same only if they attach the same
        collected.add(f"{name}\n" if name else "")
    return Extracted(
        collected.text().strip("\n"),
        MediaType.EML,
        "email",
        title=_header(message.get("Subject", "")),
        author=_header(message.get("From", "")),
        created=_date(message),
        notes=(f"attachments not read: {len(attached)}",) if attached else (),
        partial=collected.full or many,
    )


def read_mhtml(data: bytes) -> Extracted:
    """The page that a browser saved with its pictures in one file."""
    message = message_from_bytes(data)
    page = next((part for part in _parts(message) if part.get_content_type() == "text/html"), None)
    if page is None:
        raise Unreadable(ProblemKind.DAMAGED, "no page inside")
    found = read_html(_page(page))
    return Extracted(
        found.text,
        MediaType.MHTML,
        found.reader,
        streams=found.streams,
        encoding=found.encoding,
        title=found.title or _header(message.get("Subject", "")),
        author=found.author,
        created=_date(message) or found.created,
        language=found.language,
    )


def read_msg(data: bytes) -> Extracted:
    """An Outlook message: its plain text, or its page, or its rich text."""
    with opened_compound(data) as store:
        text = _property(store, "1000")
        if not text.strip():
            text = _rich_body(store)
        return Extracted(
            text.replace("\r\n", "\n").strip("\n"),
            MediaType.MSG,
            "olefile",
            title=_property(store, "0037")[:500],
            author=_property(store, "0C1A")[:500],
            created=_sent(store),
        )


def _parts(message: Message) -> Iterator[Message]:
    """The leaves of a mail, at most MAX_PARTS of them; mails inside are attachments and stay closed."""
    waiting = [message]
    given = 0
    while waiting and given < MAX_PARTS:
        part = waiting.pop()
        inner = part.get_payload() if part.is_multipart() else None
        if isinstance(inner, list) and part.get_content_type() != "message/rfc822":
            waiting.extend(one for one in reversed(inner) if isinstance(one, Message))
        else:
            given += 1
            yield part


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_content_type() == "message/rfc822"


def _payload(part: Message) -> tuple[bytes, str]:
    """(bytes, charset) of a part as it declares them; "" for a charset that it does not name."""
    try:
        payload = part.get_payload(decode=True)
    except _DAMAGE:
        return b"", ""
    try:
        charset = str(part.get_content_charset(""))
    except _DAMAGE:
        charset = ""
    return (payload if isinstance(payload, bytes) else b""), charset


def _text(part: Message) -> str:
    """The words of a text part in the encoding it names, or the one its bytes show."""
    raw, charset = _payload(part)
    try:
        return raw.decode(charset or "ascii").replace("\r\n", "\n")
    except _DAMAGE:
        return decode(raw)[0]


def _page(part: Message) -> bytes:
    """A page as UTF-8 with a mark when the mail names its encoding, else as it is."""
    raw, charset = _payload(part)
    try:
        return b"\xef\xbb\xbf" + raw.decode(charset).encode() if charset else raw
    except _DAMAGE:
        return raw


def _name(part: Message) -> str:
    """The file name of an attachment."""
    try:
        return _header(part.get_filename() or "")
    except _DAMAGE:
        return ""


def _header(value: str) -> str:
    try:
        text = str(make_header(decode_header(str(value)[:LONGEST_HEADER])))
    except (LookupError, UnicodeDecodeError, ValueError):
        text = str(value)[:LONGEST_HEADER]
    return " ".join(text.split())[:500]


def _date(message: Message) -> datetime | None:
    try:
        moment = parsedate_to_datetime(str(message.get("Date", "")))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _property(store: object, number: str) -> str:
    """A string property of the message itself, in Unicode or in bytes; "" when it has none."""
    wide = _stream(store, number + _UNICODE)
    if wide:
        return wide.decode("utf-16-le", "replace").rstrip("\0")
    narrow = _stream(store, number + _ANSI)
    return decode(narrow)[0].rstrip("\0") if narrow.strip(b"\0") else ""


def _stream(store: object, name: str) -> bytes:
    return stream_of(store, f"__substg1.0_{name}")


def _rich_body(store: object) -> str:
    """The text of a page or of compressed rich text, where there is no plain one."""
    page = _stream(store, "1013" + _BINARY) or _property(store, "1013").encode()
    if page.strip():
        return read_html(page).text
    packed = _stream(store, "1009" + _BINARY)
    if not packed:
        raise Unreadable(ProblemKind.NO_TEXT, "no body in it")
    from dupfinder.text.rtf import inflate_rtf, read_rtf

    return read_rtf(inflate_rtf(packed)).text


def _sent(store: object) -> datetime | None:
    """When the message was sent: property 0x0039 of the fixed-size ones ([MS-OXMSG] 2.4), 100 ns since 1601."""
    entries = stream_of(store, "__properties_version1.0")[32:]
    for place in range(0, len(entries) - 15, 16):
        if entries[place : place + 4] == b"\x40\x00\x39\x00":
            ticks = int.from_bytes(entries[place + 8 : place + 16], "little")
            try:
                return _FILETIME_START + timedelta(microseconds=ticks // 10)
            except OverflowError:
                return None
    return None
