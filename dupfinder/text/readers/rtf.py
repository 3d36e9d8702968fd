"""Read Rich Text Format: control words, groups and characters in many code pages (RTF 1.9.1)."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import groupby
from locale import windows_locale
from typing import Any

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import (
    MAX_PART_BYTES,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    TextBuffer,
    Unreadable,
    all_unknown,
    as_label,
    language_tag,
)
from dupfinder.text.lines import CELL_END, ROW_END
from dupfinder.text.normalise import raised
from dupfinder.text.readers.labels import ListCounter, has_words
from dupfinder.text.readers.office import (
    CODE_PAGES,
    SYMBOL_FONTS,
    add_link,
    shown_field,
    with_masked_numbers,
    with_symbols,
)

_TOKEN = re.compile(
    r"\\([A-Za-z]{1,32})(-?\d{1,10})? ?"  # a control word, its number, the space that ends it
    r"|\\'([0-9A-Fa-f]{2})|\\([^A-Za-z])|([{}])|([^\\{}\r\n]+)|[\r\n]+|\\"
)
_WRITTEN = {  # words that stand for characters
    **dict.fromkeys(("par", "line", "sect", "page", "column", "softline"), "\n"),
    **{"tab": "\t", **dict.fromkeys(("cell", "nestcell"), CELL_END), **dict.fromkeys(("row", "nestrow"), ROW_END)},
    **{"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"},
    **dict.fromkeys(("emspace", "enspace", "qmspace"), " "),
}
_SYMBOLS = {"~": "\u00a0", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n", "\r": "\n", "-": "", "\t": "\t"}
_STREAMS = {
    **{"footnote": "notes", "ftnalt": "endnotes"},  # the second makes the first an endnote
    "annotation": "comments",
    **dict.fromkeys(("header", "headerl", "headerr", "headerf"), "headers"),
    **dict.fromkeys(("footer", "footerl", "footerr", "footerf"), "footers"),
    "title": "title",
    "author": "author",
    # Collected until their group ends: the code of a field, of which a few show text without a result, and labels.
    **{"fldinst": "code", "listtext": "label", "pntext": "label"},
}
_OF_TEXT = ("body", "notes", "endnotes")  # the streams that are compared, in their order
_SILENT_WORDS = """fonttbl colortbl stylesheet info pict object themedata datastore listtable listoverridetable
revtbl rsidtbl generator xmlnstbl shpinst sp filetbl bkmkstart bkmkend datafield formfield objdata
objclass atnid atnauthor atnref atndate atntime mmath private tc xe"""
_SILENT = frozenset(_SILENT_WORDS.split())
_SHOWN_IF_STARRED = frozenset({"shptxt", "annotation", "footnote", "fldrslt"})
# Within groups that are not shown: the text of a box, also as Word 95 draws it, and what a linked object looks like.
_SHOWN_WITHIN = {"shptxt": "\n", "dptxbxtext": "\n", "result": ""}  # and what is before it
# Groups that hold other content, and its kind.
_HOLDING = {
    **dict.fromkeys(("pict", "sp"), OtherContent.PICTURES),
    "objdata": OtherContent.ATTACHMENTS,
    "formfield": OtherContent.FORM_FIELDS,
    "mmath": OtherContent.FORMULAS,
    "atnauthor": OtherContent.COMMENTS,
    "annotation": OtherContent.COMMENTS,
}
# Properties of shapes ("sp") that are content: words that are drawn, a picture, and a form other than a frame (1, 75 or
# 202), a line (20) or one drawn by points (0).
_DRAWN = re.compile(rb"(?!sp)|sp(?:gtextUNICODE(?=.)|pib|shapeType(?!(?:0|1|20|75|202)\Z))", re.S)
# Kinds of which control words are content too, and the prefix of these words.
_WITH_WORDS = {OtherContent.FORM_FIELDS: "ff", OtherContent.FORMULAS: "m"}
_REPEATING = frozenset({"nonshppict", "shprslt", "mmathPict"})  # groups that repeat, for older programs, what precedes
# Words that switch a property of characters, a field of _State; all but the last two switch it off with the number 0.
_SWITCHES = {
    **{"deleted": "deleted", "revised": "inserted", "mvf": "deleted", "mvt": "inserted"},  # moved from and to
    **{"strike": "struck", "striked": "struck", "v": "hidden"},
    "highlight": "marked",
    **dict.fromkeys(("super", "sub", "nosupersub"), "raised"),
}
# Words that are struck out, hidden or highlighted are other content too.
_APART = {"struck": OtherContent.TRACKED_CHANGES, **dict.fromkeys(("hidden", "marked"), OtherContent.COMMENTS)}
_OF_SYMBOLS = "symbols"  # in place of a code page
_CHARSETS = {2: _OF_SYMBOLS, **CODE_PAGES}  # by \fcharset
_CODE_PAGES = {"mac": "mac-roman", "pc": "cp437", "pca": "cp850"}  # of the whole document; others are named by number
MAX_GROUPS = 10_000  # nested; real files stay below a hundred


@dataclass(frozen=True, slots=True)
class _State:
    """The state that a group inherits and restores at its end.

    holds:   the kind of other content that is captured (None: none). repeats: within a group of _REPEATING.
    """

    stream: str = "body"
    silent: bool = False
    fallback: int = 1  # characters after \u that replace it in old readers
    encoding: str = ""
    font: int = -1
    deleted: bool = False
    inserted: bool = False
    struck: bool = False
    hidden: bool = False
    marked: bool = False
    raised: bool = False
    author: int = 0  # of a tracked change: index in the table of authors
    holds: OtherContent | None = None
    repeats: bool = False


def read_rtf(data: bytes) -> Extracted:
    """Return body and notes; headers, footers and comments are streams."""
    reader = _Reader(data.decode("latin-1"))
    reader.run()
    streams = {name: stream.text().strip() for name, stream in reader.streams.items()}
    streams.pop("code", "")
    streams.pop("label", "")
    notes = "\n".join(filter(None, (streams.pop(name, "") for name in _OF_TEXT[1:])))
    body = reader.streams["body"]
    heads = "\n".join(streams.get(name, "") for name in ("headers", "footers"))
    reader.other.add_text(OtherContent.HEADERS, with_masked_numbers(heads, data))
    text = streams.pop("body", "")
    return Extracted(
        f"{text}\n{notes}" if notes else text,
        MediaType.RTF,
        "rtf-walk",
        language=language_tag(windows_locale.get(reader.language, "")),
        title=streams.pop("title", "")[:500],
        author=streams.pop("author", "")[:500],
        created=reader.moment("creatim"),
        modified=reader.moment("revtim"),
        streams={name: stream for name, stream in streams.items() if stream},
        notes=details(Clause.DELETIONS_LEFT_OUT) if reader.has_deletions else (),
        partial=body.full,
        other=reader.other.hashes(MediaType.RTF),
    )


def read_rtf_otherwise(data: bytes) -> Extracted:
    """Return all text by striprtf, which does not separate streams."""
    from striprtf import striprtf  # the second opinion

    convert: Callable[..., str] = striprtf.rtf_to_text

    text = convert(data.decode("latin-1"), errors="ignore")
    return Extracted(text, MediaType.RTF, "striprtf", other=all_unknown(MediaType.RTF))


class _Reader:
    """Reads the source in one pass."""

    def __init__(self, source: str) -> None:
        self.streams: dict[str, TextBuffer] = {"body": TextBuffer()}
        self.has_deletions = False
        self.language = 0
        self.other = OtherHashes()
        self._counter = ListCounter()
        self._captured: list[bytes] = []
        self._changes: list[tuple[str, int, bytes]] = []
        self._apart: dict[str, list[str]] = {mark: [] for mark in _APART}
        self._authors = b""
        self._source = source
        self._state = _State()
        self._stack: list[_State] = []
        self._bytes = bytearray()
        self._default = "cp1252"
        self._default_font = -1  # of text before a font is named
        self._fonts: dict[int, str] = {}
        self._font_names: dict[int, str] = {}
        self._font = 0
        self._starred = False
        self._skip = 0
        self._is_initial = False  # of a paragraph: the first letter of the next one, a drop cap
        self._fonts_depth = 0  # of the table of fonts, if it is being read
        self._times: dict[str, dict[str, int]] = {}
        self._time: dict[str, int] = {}
        self._time_depth = 0  # of the group of a date, if it is being read

    def run(self) -> None:
        """Read to the end. Raises Unreadable for too deep groups."""
        position = 0
        while token := _TOKEN.match(self._source, position):
            position = token.end()
            word, number, byte, symbol, brace, text = token.groups()
            if word:
                binary = self._word(word, int(number) if number else None)
                if binary and self._state.holds:
                    self._captured.append(self._source[position : position + binary].encode("latin-1"))
                position += binary
            elif brace:
                self._brace(brace)
            elif byte:
                self._raw(bytes.fromhex(byte))
            elif symbol:
                self._symbol(symbol)
            elif text:
                self._raw(text.encode("latin-1"))
        self._flush()
        self._add_changes()

    def _add_changes(self) -> None:
        """Add the tracked changes with their authors, consecutive ones by one person as one, and what is struck out."""
        names = self._authors.split(b";")
        for (kind, author), pieces in groupby(self._changes, key=lambda change: change[:2]):
            name = names[author] if author < len(names) else b""
            self.other.add(OtherContent.TRACKED_CHANGES, kind, name, b"".join(piece for *_, piece in pieces))
        for mark, texts in self._apart.items():
            self.other.add_text(_APART[mark], "".join(texts))
        self._counter.add_to(self.other)

    def _capture(self, content: bytes) -> None:
        """Store other content, or the text of a tracked change."""
        state = self._state
        if state.holds is not None:
            self._captured.append(content)
        elif (state.deleted or state.inserted) and not state.silent:
            self._changes.append(("deleted" if state.deleted else "inserted", state.author, content))

    def moment(self, word: str) -> datetime | None:
        """Return the time of creation ("creatim") or of saving ("revtim"), None if it is invalid.

        RTF has no time zones; the time is taken as UTC.
        """
        fields = self._times.get(word, {})
        try:
            year, month, day, hour, minute = (fields.get(name, 0) for name in ("yr", "mo", "dy", "hr", "min"))
            return datetime(year, month, day, hour, minute, tzinfo=UTC)
        except ValueError:
            return None

    def _brace(self, brace: str) -> None:
        """Start or end a group."""
        self._flush()
        self._starred = False
        self._skip = 0
        if brace == "{":
            if len(self._stack) >= MAX_GROUPS:
                raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_RICH_TEXT)
            self._stack.append(self._state)
        elif self._stack:
            inner, self._state = self._state, self._stack.pop()
            if inner.holds is not None and self._state.holds is None:
                self._end_capture(inner.holds)
            if inner.stream == "code" and self._state.stream != "code" and "code" in self.streams:
                code = self.streams.pop("code").text()
                add_link(code, self.other)
                self._put(shown_field(code, self.other))
            if inner.stream == "label" and self._state.stream != "label" and "label" in self.streams:
                label = self.streams.pop("label").text()
                if has_words(label):
                    self._put(label)
                elif not (self._state.silent or self._state.deleted):
                    self._counter.note_stored(label)
                    if self._state.stream == "body" and not self._state.hidden and any(map(str.isalnum, label)):
                        self.streams["body"].add(as_label(label.strip()) + " ")
            if len(self._stack) < self._fonts_depth:
                self._fonts_depth = 0
            if len(self._stack) < self._time_depth:
                self._time_depth = 0

    def _end_capture(self, kind: OtherContent) -> None:
        """Add the captured content of a group that ended."""
        content, self._captured = b"".join(self._captured), []
        if kind is OtherContent.TRACKED_CHANGES:  # only the table of authors; the changes are in the body
            self._authors = content
        elif _DRAWN.match(content):
            self.other.add(kind, content)

    def _symbol(self, symbol: str) -> None:
        """Handle a control symbol."""
        if symbol == "*":
            self._starred = True
        elif self._skip:
            self._skip -= 1
        else:
            self._flush()
            self._put(_SYMBOLS.get(symbol, ""))

    def _raw(self, content: bytes) -> None:
        r"""Append bytes in the code page of the font, without the replacements after a \u."""
        if self._skip:
            dropped = min(self._skip, len(content))
            self._skip -= dropped
            content = content[dropped:]
        if self._state.holds or self._state.deleted or self._state.inserted:
            self._capture(content)
        if self._fonts_depth and content.endswith(b";"):
            self._font_names[self._font] = content[:-1].decode("latin-1").strip()
        if not (self._state.silent or self._state.deleted):
            self._bytes += content

    def _flush(self) -> None:
        """Decode the pending bytes."""
        if self._bytes:
            content, self._bytes = bytes(self._bytes), bytearray()
            of_font = self._fonts.get(self._default_font, "") if self._state.font < 0 else self._state.encoding
            encoding = of_font or self._default
            if encoding != _OF_SYMBOLS:
                self._put(content.decode(encoding, "replace"))
            elif self._font_name().lower() in SYMBOL_FONTS:
                self._put("".join(chr(0xF000 + byte) if byte > 0x20 else " " for byte in content))
            else:  # a font for a script that had no code page
                self._put(content.decode(self._default, "replace"))

    def _font_name(self) -> str:
        return self._font_names.get(self._state.font, "")

    def _put(self, text: str) -> None:
        """Append text to the current stream."""
        state = self._state
        if not text or state.silent or state.deleted:
            return
        is_text = state.stream in _OF_TEXT
        text = with_symbols(text, self._font_name, self.other) if is_text else text
        if is_text and state.hidden and text not in ("\n", CELL_END, ROW_END):
            self._apart["hidden"].append(text)
            return
        stream = self.streams.setdefault(state.stream, TextBuffer())
        stream.add(raised(text, "".join(stream.pieces[-1:])) if state.raised else text)
        self._apart["struck"] += [text] if is_text and state.struck else []
        self._apart["marked"] += [text] if is_text and state.marked else []

    def _word(self, word: str, number: int | None) -> int:
        """Handle a control word. Returns the number of binary characters after it."""
        starred, self._starred = self._starred, False
        if word == "bin":
            return max(0, number or 0)
        if word == "u" and number is not None:
            self._unicode(number)
            return 0
        self._flush()
        self._skip = 0
        holds = self._state.holds
        if holds in _WITH_WORDS and word.startswith(_WITH_WORDS[holds]):
            self._captured.append(f"\\{word} {number} ".encode())
        if word in _REPEATING:
            self._state = replace(self._state, repeats=True, silent=True, holds=None)
        elif word in _WRITTEN:
            self._put("" if word == "par" and self._is_initial else _WRITTEN[word])
            self._is_initial &= word != "par"
        elif word in ("title", "author") and word in self.streams:
            self._silence(word)  # in files of some programs, the second is who saved it last
        elif (word in _SHOWN_WITHIN and not self._state.repeats) or (word == "mr" and holds is OtherContent.FORMULAS):
            self._state = replace(self._state, silent=False)
            self._put(_SHOWN_WITHIN.get(word, ""))
        elif word in _STREAMS:
            self._state = replace(self._state, stream=_STREAMS[word], silent=False)
        elif word in _SILENT or (starred and word not in _SHOWN_IF_STARRED):
            self._silence(word)
        elif word in _SWITCHES:
            switched: dict[str, Any] = {_SWITCHES[word]: number != 0 and word not in ("sub", "nosupersub")}
            self._state = replace(self._state, **switched)
            self.has_deletions = self.has_deletions or word == "deleted"
        else:
            self._property(word, number)
        if word in _HOLDING and holds is None and not self._state.repeats:
            self._state = replace(self._state, holds=_HOLDING[word])
            self._captured += [b"sp"] if word == "sp" else []
        return 0

    def _silence(self, word: str) -> None:
        """Ignore the text of this group."""
        holds = self._state.holds if self._state.holds in _WITH_WORDS else None
        if word == "revtbl":
            holds = OtherContent.TRACKED_CHANGES
        self._state = replace(self._state, silent=True, holds=holds)
        if word == "fonttbl":
            self._fonts_depth = len(self._stack)

    def _unicode(self, number: int) -> None:
        r"""Append a character given as \uN, and skip its replacement."""
        self._flush()
        code = number + 65536 if number < 0 else number
        if 0 < code < 0x110000:
            self._capture(chr(code).encode("utf-8", "surrogatepass"))
            self._put(chr(code))
            self._join_surrogates()
        self._skip = self._state.fallback

    def _join_surrogates(self) -> None:
        """Join two surrogates, written one after the other, to one character."""
        pieces = self.streams[self._state.stream].pieces if self._state.stream in self.streams else []
        if len(pieces) > 1 and "\ud800" <= pieces[-2][-1:] <= "\udbff" and "\udc00" <= pieces[-1] <= "\udfff":
            both = pieces.pop(-2)[-1] + pieces.pop()
            pieces.append(both.encode("utf-16-le", "surrogatepass").decode("utf-16-le"))

    def _property(self, word: str, number: int | None) -> None:
        """Handle a control word of properties, or of the tables that define them."""
        value = number or 0
        if word == "uc":
            self._state = replace(self._state, fallback=max(0, min(value, 8)))
        elif word == "ansicpg" or word in _CODE_PAGES:
            self._default = _CODE_PAGES.get(word) or _code_page(value) or self._default
        elif word == "deff":
            self._default_font = value
        elif word in ("f", "af"):
            self._font = value
            if not self._fonts_depth:
                font = value if word == "f" else self._state.font
                self._state = replace(self._state, encoding=self._fonts.get(value, ""), font=font)
        elif word == "fcharset" and self._fonts_depth:
            self._fonts[self._font] = _CHARSETS.get(value, "")
        elif word in ("revauth", "revauthdel", "mvauth"):
            self._state = replace(self._state, author=max(0, value))
        elif word in ("pard", "dropcapt"):
            self._is_initial = value > 0
        elif word == "plain":
            plain: dict[str, Any] = dict.fromkeys(
                ("deleted", "inserted", "struck", "hidden", "marked", "raised"), False
            )
            self._state = replace(self._state, encoding="", font=-1, **plain)
        elif word in ("deflang", "lang") and not self.language:
            self.language = value
        else:
            self._time_property(word, value)

    def _time_property(self, word: str, value: int) -> None:
        """Handle a control word of the times of creation and of saving."""
        if word in ("creatim", "revtim"):
            self._time_depth = len(self._stack)
            self._time = self._times.setdefault(word, {})
        elif word in ("yr", "mo", "dy", "hr", "min") and self._time_depth:
            self._time[word] = value


def _code_page(number: int) -> str:
    """Return Python's name of a code page, "" if unknown."""
    name = {65001: "utf-8", 10000: "mac-roman", 936: "gbk"}.get(number, f"cp{number}")
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


# The initial dictionary of compressed rich text ([MS-OXRTFCP] 2.2.1.2).
_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
_RING = 4096


def inflate_rtf(packed: bytes) -> bytes:
    """Return the RTF of a mail's compressed rich text ([MS-OXRTFCP]). Raises Unreadable for anything else.

    A reference names a place in a ring of _RING bytes, which begins with _START.
    """
    size, kind = int.from_bytes(packed[4:8], "little"), packed[8:12]
    if kind == b"MELA":
        return packed[16 : 16 + size]
    if kind != b"LZFu" or size > MAX_PART_BYTES:
        raise Unreadable(ProblemKind.DAMAGED, Clause.BAD_RICH_TEXT)
    out = bytearray(_START)  # what a reference may repeat: the last _RING bytes
    position, end = 16, len(_START) + size
    while position < len(packed) and len(out) < end:
        flags = packed[position]
        position += 1
        for bit in range(8):
            is_reference = flags >> bit & 1
            if position + is_reference >= len(packed):
                return bytes(out[len(_START) :])
            if is_reference:
                reference = int.from_bytes(packed[position : position + 2], "big")
                distance = (len(out) - (reference >> 4)) % _RING
                if distance == 0:  # the end mark
                    return bytes(out[len(_START) :])
                for _ in range((reference & 15) + 2):
                    out.append(out[-distance] if distance <= len(out) else 0)
            else:
                out.append(packed[position])
            position += 1 + is_reference
    return bytes(out[len(_START) : end])
