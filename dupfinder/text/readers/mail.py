"""Read mails (EML), saved web pages in one file (MHTML) and Outlook messages (MSG)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import parsedate_to_datetime
from itertools import pairwise
from typing import Any

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    digest,
    without_labels,
)
from dupfinder.text.readers.compound import opened_compound, stream_of
from dupfinder.text.readers.html import decode_page, read_html
from dupfinder.text.readers.page_source import PageSource, prepared
from dupfinder.text.readers.plain import Decoded, decode, decoded_as
from dupfinder.text.sniff import ENVELOPE, LENGTH_LINE

LEAST_MAILS = 2  # of a mailbox; one mail may be stored with its envelope
LONGEST_HEADER = 10_000  # characters of a header field that are decoded
MAX_PARTS = 1000  # of one mail, nested parts included
_SHORT = 2  # a page with so many times the letters of the plain text shows that this is an excerpt, or an excuse
_UNSAID = frozenset(("", "ascii", "us-ascii"))  # charsets that say nothing about a text with other characters
# Raised by the standard library's mail parser for invalid headers and charsets.
_DAMAGE = (LookupError, ValueError, TypeError, AttributeError)
_HEAD = ("From", "Reply-To", "To", "Cc", "Bcc", "Date", "Subject", "Importance", "X-Priority")
# What mail programs call the lines of a head when they save or print a mail: sender, receivers, time, subject.
_HEAD_NAMES = (
    "From|Von|De|Da|Van|Od|Från|Fra|От|Від|发件人|寄件[者人]|差出人|보낸 ?사람",
    "To|Cc|An|À|A|Para|Aan|Do|Till|Til|Кому|收件[人者]|抄送|副本|宛先|받는 ?사람",
    "Date|Sent|Datum|Gesendet|Envoyé|Fecha|Enviado(?: el)?|Data|Inviato|Verzonden|Wysłano|Skickat|Dato|Дата|Отправлено"
    "|(?:寄件|傳送)?日期|发送时间|送信日時|日付|보낸 ?날짜",
    "Subject|Betreff|Objet|Asunto|Oggetto|Assunto|Onderwerp|Temat|Ämne|Emne|Тема|主题|主旨|件名|제목",
)
_HEAD_LINE = re.compile(rf"[ \t]*+(?:{'|'.join(f'({names})' for names in _HEAD_NAMES)})[ \t\xa0]*+[:：]", re.I)
# Above a mail that Gmail prints: whose mailbox it is in, its subject, "1 message", its sender and time, its receivers.
_ADDRESS = r"[^\n]{0,200}<[^<>\s@]{1,100}@[^<>\s]{1,200}>"
_PRINTED_HEAD = re.compile(
    rf"\s*+{_ADDRESS}\s*\n(?:[^\n]{{0,300}}\n){{1,6}}?[ \t]*1 ?[^\W\d_][^\n]{{0,20}}\n\s*+{_ADDRESS}[^\n]{{0,100}}\n"
    rf"(?>(?:\s*+(?:{_HEAD_NAMES[1]})[ \t\xa0]*+[:：][^\n]{{0,2000}}(?:\n|\Z))+)",
    re.I,
)
_LINES_OF_A_NAME = 3  # at most, as of many receivers; also above a head, as the name of who printed the mail
_LONGEST_HEAD = 10_000  # characters
_FRAMES = re.compile(rb"<!--.*?(?:-->|\Z)|<script\b.*?(?:</script|\Z)|<(frameset)[\s>]", re.I | re.S)
_OF_THE_PAGE = frozenset({"application/javascript", "application/x-javascript", "application/json"})
_FILETIME_START = datetime(1601, 1, 1, tzinfo=UTC)
_UNICODE, _ANSI, _BINARY = "001F", "001E", "0102"  # types of MAPI properties, [MS-OXCDATA] 2.11.1
# Properties of fixed size, after their types: when it was sent; the code pages of its strings, and of its mail.
_SENT, _CODE_PAGES = b"\x40\0\x39\0", (b"\3\0\xfd\x3f", b"\3\0\xde\x3f")
_HIDDEN, _HEAD_OF_MESSAGE, _HEAD_OF_ATTACHMENT = b"\x0b\0\xfe\x7f", 32, 8  # a picture within the text is hidden
_MESSAGE = "__substg1.0_3701000D"  # within an attachment: a message
_OF_WINDOWS = frozenset({874, 932, 936, 949, 950, *range(1250, 1259)})


def read_eml(data: bytes) -> Extracted:
    """Return the text of a mail, or of all mails of a mailbox file of few mails (RFC 4155), one after the other."""
    if line_before := LENGTH_LINE.match(data):
        data = data[line_before.end() : line_before.end() + int(line_before[1])]
    envelopes = ENVELOPE.finditer(data) if ENVELOPE.match(data) else ()
    starts = [(envelope.start(), envelope.end()) for envelope in envelopes]
    if len(starts) < LEAST_MAILS:
        mail = message_from_bytes(data)
        # PGP or S/MIME (RFC 1847, 2.2; RFC 8551, 3.3): for all mails of one program the same names of parts are left.
        if mail.get_content_type() == "multipart/encrypted" or mail.get_param("smime-type") == "enveloped-data":
            raise Unreadable(ProblemKind.ENCRYPTED)
        extracted = _read_mail(mail)
        if not any(map(str.isalnum, extracted.text)) and any(map(_has_page, mail.walk())):
            raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_LETTERS, final=True)  # the page holds only pictures
        return extracted
    collected, other = TextBuffer(), OtherHashes()
    spans = pairwise([*starts, (len(data), len(data))])
    attachments = _add_mails((message_from_bytes(data[start:end]) for (_, start), (end, _) in spans), collected, other)
    return _extracted(collected, other, attachments)


def _add_mails(messages: Iterable[Message], collected: TextBuffer, other: OtherHashes) -> int:
    """Add the texts and the other content of mails, and count their attachments."""
    attachments = 0
    for mail in map(_read_mail, messages):
        collected.add(mail.text + "\n")
        collected.full = collected.full or mail.partial
        other.include(mail.other)
        attachments += sum(int(note.facts["attachments"]) for note in mail.notes)
    return attachments


def _extracted(collected: TextBuffer, other: OtherHashes, attachments: int) -> Extracted:
    """Return the document of one mail or several, without properties. attachments: the number of those not read."""
    notes = details(Clause.ATTACHMENTS_NOT_READ, attachments=attachments) if attachments else ()
    text, hashes = collected.text().strip("\n"), other.hashes(MediaType.EML)
    return Extracted(text, MediaType.EML, "email", notes=notes, partial=collected.full, other=hashes)


def without_mail_head(text: str) -> tuple[str, str]:
    """Return (a text without the head of a mail near its beginning, the head), as mails themselves are read.

    Mail programs write it when they save or print a mail. Unlike that of a memorandum, it has an address of mail.
    """
    beginning = text[:_LONGEST_HEAD]
    if printed := _PRINTED_HEAD.match(beginning):
        return text[printed.end() :], printed[0]
    lines = beginning.splitlines(keepends=True) if "@" in beginning else []
    named: dict[int, int | None] = {}  # the number of each line with a name, and the kind of the name
    for number, line in enumerate(lines):
        name = _HEAD_LINE.match(line)
        if name and number - max(named, default=0) <= _LINES_OF_A_NAME:
            named[number] = name.lastindex
    head = "".join(lines[min(named) : max(named) + 1]) if len({*named.values()}) == len(_HEAD_NAMES) else ""
    start = sum(map(len, lines[: min(named)])) if "@" in head else 0
    return (text[:start] + text[start + len(head) :], head) if "@" in head else (text, "")


def _read_mail(message: Message) -> Extracted:
    """Return the text of a mail: plain text, or its page if the plain text is missing or short.

    Names of attachments are appended, and the texts of attached mails, as mail programs show those that are forwarded.
    """
    parts = list(_parts(message))
    mails = [mail for part, _ in parts for mail in _attached_mails(part)]
    collected, other = TextBuffer(full=len(parts) >= MAX_PARTS), OtherHashes()
    attachments = _add_parts([row for row in parts if not _attached_mails(row[0])], collected, other)
    attachments += _add_mails(mails, collected, other)
    for name in _HEAD:
        other.add_text(OtherContent.HEADERS, f"{name}: {_header(message.get(name, ''))}" if name in message else "")
    subject, sender = (_header(message.get(name, "")) for name in ("Subject", "From"))
    document = _extracted(collected, other, attachments)
    return replace(document, title=subject, author=sender, created=_date(message))


def _add_parts(parts: list[tuple[Message, bool]], collected: TextBuffer, other: OtherHashes) -> int:
    """Add the text and the other content of the parts of a mail, and count its attachments. parts: see `_parts`."""
    shown = [row for row in parts if not _is_attached(row[0])]
    plain = [row for row in shown if row[0].get_content_type() == "text/plain"]
    read = [read_html(_page(part), is_mail=True) for part, _ in shown if part.get_content_type() == "text/html"]
    plain_text = "".join(_text(part).strip("\n") + "\n" for part, _ in plain)
    page_text = "".join(page.text.strip("\n") + "\n" for page in read)
    is_short = len(_letters(plain_text)) * _SHORT < len(_letters(page_text))
    if plain and not (is_short and any(is_alternative for _, is_alternative in plain)):
        collected.add(plain_text)
    if is_short or not plain:
        collected.add(page_text)
        collected.full = collected.full or any(page.partial for page in read)
    elif _letters(page_text) != _letters(plain_text):  # some readers see other words
        other.add_text(OtherContent.HEADERS, without_labels(page_text))
    for page in read:
        other.include(page.other)
    names = [_name(part) for part, _ in parts if _is_attached(part)]
    for name in names:  # so that two mails with the text "see attachment" differ if their attachments do
        collected.add(f"{name}\n" if name else "")
    for part, _ in parts:
        _add_part(part, other)
    return len(names)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))


def read_mhtml(data: bytes) -> Extracted:
    """Return the text of a page that a browser saved with its pictures in one file.

    If the page is divided into frames, as those of workbooks are, its words are on the pages in these.
    """
    message = message_from_bytes(data)
    parts = [part for part, _ in _parts(message)]
    pages = [part for part in parts if part.get_content_type() == "text/html"]
    if not pages:
        raise Unreadable(ProblemKind.DAMAGED, Clause.NO_PAGE)
    framed = pages[1:] if any(match[1] for match in _FRAMES.finditer(_page(pages[0]))) else []
    document, *further = [read_html(_page(page)) for page in framed or pages[:1]]
    other = OtherHashes()
    for page in (document, *further):
        other.include(page.other)
    for part in parts:
        if part not in (framed or pages[:1]):
            _add_part(part, other)
    return replace(
        document,
        text="\n".join(page.text for page in (document, *further)),
        streams={} if further else document.streams,
        partial=any(page.partial for page in (document, *further)),
        media_type=MediaType.MHTML,
        title=document.title or _header(message.get("Subject", "")),
        created=_date(message) or document.created,
        other=other.hashes(MediaType.MHTML),
    )


def _add_part(part: Message, other: OtherHashes) -> None:
    """Add a part that is not text: a picture, an attached file, a part of a page."""
    media, main = part.get_content_type(), part.get_content_maintype()
    if _is_attached(part):
        content = part.as_bytes() if part.is_multipart() else _payload(part)[0]
        other.add(OtherContent.ATTACHMENTS, _name(part), digest(content))
    elif main in ("image", "audio", "video"):
        other.add(OtherContent.PICTURES, digest(_payload(part)[0]))
    elif main != "text" and media not in _OF_THE_PAGE:
        other.add(OtherContent.ATTACHMENTS, _name(part), digest(_payload(part)[0]))


def read_msg(data: bytes) -> Extracted:
    """Return the text of an Outlook message: its plain text, else its page, else its rich text.

    Names of attachments and the texts of attached messages follow, as in other mails.
    """
    with opened_compound(data) as store:
        other, collected = OtherHashes(), TextBuffer()
        attachments = _add_message(store, "", collected)
        _add_outlook(store, other)
        return replace(
            _extracted(collected, other, attachments),
            media_type=MediaType.MSG,
            reader="olefile",
            title=_property(store, "0037")[:500],
            author=_property(store, "0C1A")[:500],
            created=_sent(store),
            other=other.hashes(MediaType.MSG),
        )


def _add_message(store: Any, folder: str, collected: TextBuffer) -> int:
    """Add the text of a message, and what follows it. Return the number of attachments that are not read.

    folder: of an attached message; "" for the message itself. Raises Unreadable if it has no text.
    """
    body = _string(store, "1000", folder)
    text, is_cut = body.text, body.is_cut
    if not text.strip():
        rich = _rich_body(store, folder)
        text, is_cut = rich.text, rich.partial
    collected.add(text.replace("\r\n", "\n").strip("\n") + "\n")
    collected.full = collected.full or is_cut
    files, messages = list[str](), list[str]()
    for attachment in _attached_in(store, folder):
        if store.exists(message := f"{attachment}/{_MESSAGE}"):
            messages.append(message)
        elif not any(_fixed(store, _HIDDEN, attachment, _HEAD_OF_ATTACHMENT)[:1]):
            files.append(attachment)
    for attachment in files:
        collected.add(f"{_name_of_attachment(store, attachment)}\n")
    count = len(files)
    for message in messages:
        with suppress(Unreadable):  # it has no text
            count += _add_message(store, message, collected)
    return count


def _attached_in(store: Any, folder: str) -> Iterator[str]:
    """Yield the folders of the attachments of a message, at most MAX_PARTS ([MS-OXMSG] 2.2.2)."""
    around = list(filter(None, folder.split("/")))
    paths = (path[len(around)] for path in store.listdir() if path[: len(around)] == around and path[len(around) :])
    for name in sorted({name for name in paths if name.startswith("__attach_version1.0_#")})[:MAX_PARTS]:
        yield "/".join([*around, name])


def _name_of_attachment(store: object, folder: str) -> str:
    """Return the long file name of an attachment, else the short one or the shown name."""
    return next(filter(None, (_property(store, number, folder) for number in ("3707", "3704", "3001"))), "")


def _add_outlook(store: Any, other: OtherHashes) -> None:
    """Add the header of an Outlook message, its page's other content, and its attachments ([MS-OXMSG] 2.2)."""
    for number in ("0037", "0C1A", "0E04", "0E03", "0E02"):  # subject, sender, to, cc, bcc
        other.add(OtherContent.HEADERS, _property(store, number))
    sent = _sent(store)
    other.add(OtherContent.HEADERS, sent.isoformat() if sent else "")
    page = _stream(store, "1013" + _BINARY) or _property(store, "1013").encode()
    if page.strip():
        prepared(PageSource(decode_page(page).text), other, lambda _address: b"")
    elif _stream(store, "1009" + _BINARY):  # rich text, which is not searched
        other.unknown(OtherContent.PICTURES, OtherContent.LINKS, OtherContent.FORMULAS, OtherContent.FORM_FIELDS)
    for folder in _attached_in(store, ""):
        # What is not stored as a stream is a message or an object, stored as a folder.
        is_file = store.exists(f"{folder}/__substg1.0_3701{_BINARY}")
        content = digest(_stream(store, "3701" + _BINARY, folder)) if is_file else None
        other.add(OtherContent.ATTACHMENTS, _name_of_attachment(store, folder), content)


def _parts(message: Message) -> Iterator[tuple[Message, bool]]:
    """Yield the leaf parts of a mail, at most MAX_PARTS, and whether another may be shown instead (RFC 2046, 5.1.4).

    Attached mails count as leaves.
    """
    waiting = [(message, False)]
    yielded = 0
    while waiting and yielded < MAX_PARTS:
        part, is_alternative = waiting.pop()
        inner = part.get_payload() if part.is_multipart() else None
        if isinstance(inner, list) and part.get_content_type() != "message/rfc822":
            is_alternative = is_alternative or part.get_content_type() == "multipart/alternative"
            waiting.extend((child, is_alternative) for child in reversed(inner) if isinstance(child, Message))
        else:
            yielded += 1
            yield part, is_alternative


def _attached_mails(part: Message) -> list[Message]:
    """Return the mail that a part holds. An encoded one, which RFC 2046 forbids, is an attachment like others."""
    is_encoded = str(part.get("Content-Transfer-Encoding", "")).strip().lower() in ("base64", "quoted-printable")
    inner = part.get_payload() if part.get_content_type() == "message/rfc822" and not is_encoded else None
    return [mail for mail in inner if isinstance(mail, Message)] if isinstance(inner, list) else []


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_content_type() == "message/rfc822"


def _payload(part: Message) -> tuple[bytes, str]:
    """Return (bytes, declared charset) of a part; "" if no charset is declared."""
    payload, charset = None, ""
    with suppress(*_DAMAGE):
        payload = part.get_payload(decode=True)
        charset = str(part.get_content_charset(""))
    return (payload if isinstance(payload, bytes) else b""), charset


def _has_page(part: Message) -> bool:
    return part.get_content_type() == "text/html" and bool(_payload(part)[0].strip())


def _text(part: Message) -> str:
    """Return the text of a part, in its declared encoding or in a detected one."""
    raw, charset = _payload(part)
    in_charset = decoded_as(raw, charset) if charset not in _UNSAID else None
    text = in_charset[0] if in_charset else decode(raw).text
    return text.replace("\r\n", "\n")


def _page(part: Message) -> bytes:
    """Return a page, in UTF-8 with a byte order mark if the mail declares its encoding, else unchanged."""
    raw, charset = _payload(part)
    in_charset = decoded_as(raw, charset) if charset not in _UNSAID else None
    return b"\xef\xbb\xbf" + in_charset[0].encode("utf-8", "surrogatepass") if in_charset else raw


def _name(part: Message) -> str:
    """Return the file name of an attachment."""
    try:
        return _header(part.get_filename() or "")
    except _DAMAGE:
        return ""


def _header(value: str) -> str:
    """Return a decoded header field on one line."""
    try:
        text = str(make_header(decode_header(str(value)[:LONGEST_HEADER])))
    except (LookupError, ValueError, HeaderParseError):  # the last: base64 that was cut off
        text = str(value)[:LONGEST_HEADER]
    return " ".join(text.split())[:500]


def _date(message: Message) -> datetime | None:
    """Return the date of a mail in UTC, None if it is invalid."""
    try:
        moment = parsedate_to_datetime(str(message.get("Date", "")))
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None


def _property(store: object, number: str, folder: str = "") -> str:
    """Return a string property of the message or of a folder in it; "" if it has none, or one that is no text."""
    try:
        return _string(store, number, folder).text
    except Unreadable:
        return ""


def _string(store: object, number: str, folder: str = "") -> Decoded:
    """Return a string property with its encoding."""
    wide = _stream(store, number + _UNICODE, folder)
    if wide:
        return Decoded.within_limit(wide.decode("utf-16-le", "replace").rstrip("\0"), "utf-16-le")
    narrow = _stream(store, number + _ANSI, folder).rstrip(b"\0")
    for code_page in (int.from_bytes(_fixed(store, number)[:4], "little") for number in _CODE_PAGES):
        if code_page in _OF_WINDOWS and not narrow.isascii():
            with suppress(UnicodeDecodeError):
                return Decoded.within_limit(narrow.decode(f"cp{code_page}"), f"cp{code_page}")
    return decode(narrow) if narrow else Decoded("", "")


def _stream(store: object, name: str, folder: str = "") -> bytes:
    """Return the bytes of a property's stream."""
    return stream_of(store, f"{folder}/__substg1.0_{name}" if folder else f"__substg1.0_{name}")


def _rich_body(store: object, folder: str) -> Extracted:
    """Return the document of the page or of the compressed rich text. Raises Unreadable if there is neither."""
    page = _stream(store, "1013" + _BINARY, folder) or _property(store, "1013", folder).encode()
    if page.strip():
        return read_html(page, is_mail=True)
    packed = _stream(store, "1009" + _BINARY, folder)
    if not packed:
        raise Unreadable(ProblemKind.NO_TEXT, Clause.NO_BODY)
    from dupfinder.text.readers.rtf import inflate_rtf, read_rtf

    return read_rtf(inflate_rtf(packed))


def _sent(store: object) -> datetime | None:
    """Return when the message was sent, which is stored in 100 ns since 1601; None if it is not known."""
    try:
        ticks = int.from_bytes(_fixed(store, _SENT), "little")
        return _FILETIME_START + timedelta(microseconds=ticks // 10) if ticks else None
    except OverflowError:
        return None


def _fixed(store: object, number: bytes, folder: str = "", head: int = _HEAD_OF_MESSAGE) -> bytes:
    """Return the eight bytes of a property of fixed size ([MS-OXMSG] 2.4); none if it is missing.

    folder: of an attachment; "" for the message. head: bytes before the properties.
    """
    entries = stream_of(store, f"{folder}/__properties_version1.0".lstrip("/"))[head:]
    for position in range(0, len(entries) - 15, 16):
        if entries[position : position + 4] == number:
            return entries[position + 8 : position + 16]
    return b""
