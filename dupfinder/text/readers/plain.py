"""Read plain text and Markdown, in any encoding."""

from __future__ import annotations

import codecs
import re
from typing import NamedTuple

from dupfinder.base.details import Clause, details
from dupfinder.base.problems import ProblemKind
from dupfinder.text.document import (
    MAX_CHARACTERS,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    Unreadable,
    language_tag,
)
from dupfinder.text.layout import running_text, without_page_breaks, without_page_numbers
from dupfinder.text.readers.package import parse_time
from dupfinder.text.sniff import HEAD_BYTES, wide_order

SAMPLE_BYTES = 1 << 17  # for encoding detectors; more takes longer and hardly improves the result
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EAST_ASIAN = frozenset({"gb18030", "gbk", "big5", "big5-hkscs", "shift-jis", "euc-jp", "euc-kr", "iso-2022-jp"})
_CONTROL = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f\ufffd]")
_FRONT_MATTER = re.compile(r"\A---\n.{0,20000}?\n(?:---|\.\.\.)\n", re.S)
_LINK = re.compile(r"!?\[([^\[\]\n]{0,2000})\]\(([^()\s]{0,2000})(?:\s\"[^\"\n]{0,500}\")?\)")
_NOTE_MARK = re.compile(r"\[\^[^\]\s]{1,40}\]:?")
_EMPHASIS = re.compile(r"(\*{1,3})(?=[^\s*])([^*\n]{0,500}?[^\s*])\1")
_FACT = re.compile(r"^(title|author|date|lang|language):[ \t]*(\S[^\n]{0,500})$", re.M | re.I)
_HEADING = re.compile(r"^#{1,2}\s+(.{1,300}?)\s*#*$", re.M)


class Decoded(NamedTuple):
    """The text of a file, and its encoding. is_cut: the text has more than MAX_CHARACTERS, and the rest is left out."""

    text: str
    encoding: str
    is_cut: bool = False


def read_plain(data: bytes) -> Extracted:
    """Return the text of a file: hyphens at line ends undone, page numbers and running heads removed."""
    whole, encoding, is_cut = decode(data)
    text, heads = without_page_breaks(whole)
    bare = without_page_numbers(text)
    other = OtherHashes()
    for line in (*heads, text) if bare != text else heads:
        other.add(OtherContent.HEADERS, line)
    return Extracted(
        running_text(bare),
        MediaType.TEXT,
        "text",
        streams={"headers": "\n".join(heads)} if heads else {},
        encoding=encoding,
        partial=is_cut,
        other=other.hashes(MediaType.TEXT),
    )


def read_markdown(data: bytes) -> Extracted:
    """Return the text of Markdown without comments, link targets, marks of notes and emphasis.

    Properties are taken from the front matter; if that has no title, the first heading is the title.
    """
    source, encoding, is_cut = decode(data)
    front = _FRONT_MATTER.match(source)
    other = OtherHashes()
    body = _without_comments(source[front.end() :] if front else source, other)
    for link in _LINK.finditer(body):
        other.add(OtherContent.LINKS, link.group(2))
    text = _EMPHASIS.sub(r"\2", _LINK.sub(r"\1", _NOTE_MARK.sub("", body)))
    heading = _HEADING.search(text[:10_000])
    properties = {name.lower(): value.strip(" \t'\"") for name, value in _FACT.findall(front.group())} if front else {}
    return Extracted(
        text,
        MediaType.MARKDOWN,
        "text",
        encoding=encoding,
        title=(properties.get("title", "") or (heading.group(1) if heading else ""))[:500],
        author=properties.get("author", "")[:500],
        created=parse_time(properties.get("date", "")),
        language=language_tag(properties.get("lang", "") or properties.get("language", "")),
        partial=is_cut,
        other=other.hashes(MediaType.MARKDOWN),
    )


def _without_comments(text: str, other: OtherHashes) -> str:
    """Return a text without <!-- ... -->, which are added to `other`; an unclosed comment is text."""
    pieces: list[str] = []
    position = 0
    while (start := text.find("<!--", position)) >= 0 and (end := text.find("-->", start)) >= 0:
        pieces.append(text[position:start])
        other.add(OtherContent.COMMENTS, text[start:end])
        position = end + len("-->")
    return "".join([*pieces, text[position:]])


def decode(data: bytes) -> Decoded:
    r"""Decode a text file by its byte order mark, NUL bytes, valid UTF-8, then by statistics.

    Line ends become "\n". Raises Unreadable if it is not text.
    """
    encoding = _encoding(data)
    whole = data.decode(encoding, "replace").removeprefix("\ufeff")
    text = whole[:MAX_CHARACTERS]
    strange = sum(1 for _ in _CONTROL.finditer(text[:SAMPLE_BYTES]))
    if strange * 20 > len(text[:SAMPLE_BYTES]) and text.strip("\0"):
        raise Unreadable(ProblemKind.DAMAGED, details(Clause.NOT_TEXT))
    text = text.replace("\0", "").replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, encoding, len(whole) > MAX_CHARACTERS)


def _encoding(data: bytes) -> str:
    """Return the encoding of a text file."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return name
    if b"\0" in data[:HEAD_BYTES]:
        return wide_order(data[:HEAD_BYTES]) or "utf-8"
    if b"\x1b$" in data and _decodes(data, "iso-2022-jp"):
        return "iso-2022-jp"  # Japanese mail in seven bits, with escape sequences
    if _is_utf8(data):
        return "utf-8"
    return detect(data)


def _is_utf8(data: bytes) -> bool:
    """Tell whether bytes are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        # The last character may be cut off.
        return error.start >= len(data) - 3 and len(data) > 3
    return True


def detect(data: bytes) -> str:
    """Return a legacy encoding by statistics: one detector for East Asia, another for the rest.

    The second fails on most Shift-JIS; the first confuses one-byte encodings. Both are unreliable for Latin letters, so
    there the letters that languages use decide.
    """
    from resiliparse.parse.encoding import detect_encoding  # loads a C library that UTF-8 files never need

    sample = data[:SAMPLE_BYTES]
    guess = str(detect_encoding(sample) or "utf-8").lower().replace("_", "-")
    if guess in _EAST_ASIAN and _decodes(sample, guess):
        return guess
    from charset_normalizer import from_bytes  # takes 30 ms to import

    dense = _densest(data)
    best = from_bytes(dense).best()
    encoding = str(best.encoding) if best is not None else guess if guess != "utf-8" else "windows-1252"
    if not _known(encoding):
        return "windows-1252"
    return latin_encoding(dense) or encoding if _is_latin(dense.decode(encoding, "replace")) else encoding


# Letters beyond ASCII of languages, by Windows code page.
_LATIN: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "windows-1252",
        ("áéíóúüñ", "àâçéèêëîïôùûüÿœæ", "äöüß", "áâãàçéêíóôõúü", "àèéìíòóùú", "åäöéæøü", "ëïéèöü", "áðéíóúýþæö"),
    ),
    ("windows-1250", ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž", "áéíóöőúüű", "čćđšž", "ăâîşţ")),
    ("windows-1254", ("çğıöşüâîû",)),
    ("windows-1257", ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")),
)


def latin_encoding(data: bytes) -> str | None:
    """Return the code page that makes most letters beyond ASCII belong to one language; None if none fits."""
    best_share, best_encoding = 0.6, None
    for encoding, languages in _LATIN:
        try:
            letters = [letter for letter in data.decode(encoding).lower() if letter > "\x7f" and letter.isalpha()]
        except UnicodeDecodeError:
            continue
        for language in languages:
            share = sum(letter in language for letter in letters) / max(1, len(letters))
            if share > best_share:
                best_share, best_encoding = share, encoding
    return best_encoding


def _is_latin(text: str) -> bool:
    """Tell whether most letters are Latin."""
    letters = [letter for letter in text[:4096] if letter.isalpha()]
    return sum(letter < "\u0250" for letter in letters) * 2 > len(letters)


def _densest(data: bytes, size: int = 1 << 14) -> bytes:
    """Return the start of a file, or the first stretch with bytes beyond ASCII."""
    sample = data[:size]
    if sample.isascii():
        match = re.search(rb"[\x80-\xff]", data)
        if match:
            start = max(0, match.start() - size // 2)
            return data[start : start + size]
    return sample


def _decodes(sample: bytes, encoding: str) -> bool:
    """Tell whether a sample is valid in an encoding; its last character may be cut off."""
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(sample)
    except (UnicodeDecodeError, LookupError):
        return False
    return True


def _known(encoding: str) -> bool:
    """Tell whether Python knows an encoding."""
    try:
        codecs.lookup(encoding)
    except LookupError:
        return False
    return True
