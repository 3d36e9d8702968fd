"""Read plain text and Markdown, in any encoding."""

from __future__ import annotations

import codecs
import csv
import json
import re
import unicodedata
from contextlib import suppress
from functools import cache
from itertools import chain
from typing import Any, Final, NamedTuple

from dupfinder.base.details import Clause, ProblemKind
from dupfinder.text.contents import without_page_numbers
from dupfinder.text.document import (
    MAX_CHARACTERS,
    Extracted,
    MediaType,
    OtherContent,
    OtherHashes,
    Unreadable,
    as_label,
    beyond_ascii,
    language_tag,
)
from dupfinder.text.layout import without_page_breaks
from dupfinder.text.lines import CELL_END, ROW_END, filled_columns, running_text, with_drawn_tables, with_replaced
from dupfinder.text.normalise import raised, unescape
from dupfinder.text.readers.chats import LIKE_JSON, shown_messages, without_times
from dupfinder.text.readers.markup import without_marks
from dupfinder.text.readers.package import parse_time
from dupfinder.text.readers.sources import MARKDOWN_LINK, with_printed_formulas, without_results
from dupfinder.text.sniff import SNIFFED_BYTES, wide_order

_HIGH = frozenset(range(0x80, 0x100))  # bytes beyond ASCII
_TWO_HIGH = re.compile(rb"[\x80-\xff]{2}")
LEAST_DOUBLE = 4  # characters by which a text gets shorter when it is decoded again; fewer may be meant as they are
SAMPLE_BYTES = 1 << 17  # for encoding detectors; more takes longer and hardly improves the result
_VALID_FOR_WRONG = 3  # least valid characters beyond ASCII for each wrong byte; East Asian texts have 0.1 in UTF-8
_VALID_IF_NAMED = 20  # the same for an encoding that a page, a mail or a detector names, which may not be UTF-8
_STRETCH = 1 << 14  # bytes that a slower detector looks at
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EAST_ASIAN = frozenset({"gb18030", "gbk", "big5", "big5-hkscs", "shift-jis", "euc-jp", "euc-kr", "iso-2022-jp"})
# What else a text in an encoding may be in: browsers and Windows know more characters under its name, such as ① and 裏.
_WIDER: Final = {
    "big5": ("cp950", "big5hkscs"), "shift-jis": ("cp932",), "euc-jp": ("euc-jp", "euc-jis-2004"), "euc-kr": ("cp949",),
}  # fmt: skip
_WITH_ESCAPES: Final = ("iso-2022-jp", "iso-2022-kr", "iso2022-jp-ext")  # mail in seven bits, with escape sequences
_HEBREW: Final = "cp1255"  # as the first detector names it
# Encodings that the second detector must not propose: those of several bytes a character, in which nearly all of an
# English text with one foreign letter may be valid Chinese (NULs, marks or the first detector tell them), and one of
# Urdu that no program writes today.
_NOT_BY_STATISTICS = [
    *("utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_7", "big5", "big5hkscs", "cp932"),
    *("cp949", "cp950", "euc_jis_2004", "euc_jisx0213", "euc_jp", "euc_kr", "gb18030", "gb2312", "gbk", "hz"),
    *("iso2022_jp", "iso2022_jp_1", "iso2022_jp_2", "iso2022_jp_2004", "iso2022_jp_3", "iso2022_jp_ext", "iso2022_kr"),
    *("shift_jis", "shift_jis_2004", "shift_jisx0213", "cp1006", "johab"),
]
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_HZ = re.compile(rb"~\{([!-}][!-~]*?)~\}")
_FIRST_SELDOM_ROW: Final = 0x58  # of GB 2312, which has its frequent characters in earlier rows
_LEAST_SYLLABLES: Final = {"cp949": 10, "johab": 24}  # of Korean; fewer may be something else by chance
LARGEST_UNIT = 4  # bytes, in which UTF-32 stores a character
_CONTROLS = bytes({*range(0x07), *range(0x0E, 0x1B), *range(0x1C, 0x20)})
# What programs for notes add to Markdown: links to notes, maybe with another text, and whole notes and pictures; the
# kind of a box before its title; names of paragraphs. Joplin stores properties of a note behind it.
_NOTE_LINK = re.compile(r"(!?)\[\[(?! )([^\[\]|\n]{1,500})(?:\|([^\[\]\n]{1,500}))?\]\](?!\()")
_KIND_OF_BOX = re.compile(r"^(>[ \t]?)\[!\w{1,20}\][+-]?(?=[ \t]+\S)", re.M)
_PARAGRAPH_NAME = re.compile(r"(?<=\S)[ \t]\^[\w-]{1,40}$", re.M)
_PROPERTIES_BEHIND = re.compile(r"\n\nid: [0-9a-f]{32}\n(?:[a-z_]{2,40}:[^\n]*\n){3,60}type_: \d{1,2}\s*\Z")
_FRONT_MATTER = re.compile(r"\A---\n.{0,20000}?\n(?:---|\.\.\.)\n", re.S)
_COMMENT = re.compile(r"(<!(?=--).*?)-->", re.S)
_DATA_URL = re.compile(r"data:[\w.+/-]{0,80}(?:;[\w-]{1,20}=[^\s;,]{1,40}){0,4};base64,[A-Za-z0-9+/=]++")
_NOTE_MARK = re.compile(r"\[\^([^\]\s]{1,40})\]:?")
# A footnote: its mark, its lines, and more paragraphs if they are indented.
_NOTE_LINES = r"[^\n]*+(?>(?:\n(?![ \t]*(?:\n|\Z)| {0,3}\[\^[^\]\s]{1,40}\]:)[^\n]++)*)"
_NOTE = re.compile(
    rf"^ {{0,3}}\[\^([^\]\s]{{1,40}})\]:{_NOTE_LINES}(?:\n(?>(?:[ \t]*+\n)+)(?: {{4}}|\t){_NOTE_LINES})*", re.M
)
# Code: a block between fences, maybe in a list or a quotation, or a span within a paragraph, with its attributes.
_CODE = re.compile(
    r"^([ \t>]{0,20}(?:(?:[-*+]|\d{1,9}[.)])[ \t]{1,4})?)(`{3,}+(?![^\n]*`)|~{3,}+)[^\n]*\n(.*?)"
    r"(?:^[ \t>]{0,20}\2[`~]*[ \t]*$|\Z)"
    r"|(?<![`\\])(`{1,3})(?!`)((?:[^\n]|\n(?![ \t]*\n)){1,1000}?)(?<!`)\4(?!`)"
    r"(?:\{[ \t]*+(?:[.#:=]|\w{1,40}=)[^{}`\n]{0,400}\})?",
    re.M | re.S,
)
_INDENTED = (" " * 4, "\t")  # what is before a line of code without fences
# A line whose text may go on indented: an item of a list, a footnote, a box or tab of MkDocs, a tag.
_ITEM = re.compile(
    r" {0,3}(?:[-*+:]|\(?(?:\d{1,9}|[A-Za-z#]|@\w{0,20})[.)]|\[\^[^\]\n]{1,40}\]:|!!!|\?\?\?\+?|===[+!]?)[ \t]| |<"
)
# The signs that mean something in Markdown, and what stands for them in code. Tables may be drawn in code.
_MEANT: Final = "!#&()*.:<>[\\]^_`{}~"
_HIDDEN = str.maketrans({sign: chr(0xE100 + ord(sign)) for sign in _MEANT})
_RESTORED = str.maketrans({chr(0xE100 + ord(sign)): sign for sign in _MEANT})
_TAG = re.compile(r"</?[A-Za-z][\w-]{0,40}(?:\s[^<>]{0,4000})?/?>")
_BREAKING_TAG = re.compile(r"</?(?:br|p|div|h[1-6]|li|td|th|tr|summary)\b[^<>]{0,4000}>", re.I)
# Programs that show Markdown count anew. Within a paragraph a list can only begin at 1.
_ITEM_NUMBER = re.compile(r"^[ \t>]{0,12}(\d{1,9})[.)](?=[ \t])", re.M)
_REFERENCE = re.compile(
    r"^ {0,3}\[(?!\^)([^\[\]\n]{1,200})\]:[ \t]*(<[^<>\n]{1,2000}>|\S{1,2000})"
    r"(?:[ \t]+[\"'(][^\n]{0,500}|[ \t]*\n[ \t]+[\"'(][^\n]{1,500}[\"')])?[ \t]*$",
    re.M,
)
_TO_REFERENCE = re.compile(r"(?<=\])\[[^\[\]\n]{0,200}\]")
# What may be a link by a label: [the tide][1], [the tide][] or [the tide].
_LABELLED = re.compile(r"!?\[([^\[\]\n]{1,200}(?:\n[^\[\]\n]{1,200})?)\](?:\[([^\[\]\n]{0,200})\])?(?![(\[])")
# {#id .class key=value} behind a link or a heading, and :::, as Pandoc and others have them.
_ATTRIBUTES = re.compile(
    r"\{(?:(?<=[\])].)[ \t]*+(?:[.#:=]|\w{1,40}=)[^{}`]{0,400}\}"
    r"|(?<=[ \t].)[ \t]*+(?:[.#:=]|\w{1,40}=)[^{}`\n]{0,400}\}[ \t]*$)",
    re.M,
)
_DIVISION = re.compile(r"^:{3,}[^\n`]{0,200}$", re.M)
# The heads of a table, a line of dashes, and rows.
_TABLE = re.compile(
    r"^((?>[^\n]*\|)[^\n]*+\n)(?=[^\n]*\|)[ \t|:]*+-[ \t|:-]*+\n((?>(?:(?>[^\n]*\|)[^\n]*+\n?)*))", re.M
)


def _without_repeats(members: list[tuple[str, Any]]) -> dict[str, Any] | list[tuple[str, Any]]:
    """Return an object of JSON; as a list if it has a key twice, of which a dictionary would lose one."""
    values = dict(members)
    return values if len(values) == len(members) else members


_JSON: Final = json.JSONDecoder(parse_float=str, parse_int=str, object_pairs_hook=_without_repeats)
# A list of objects in YAML; a value is in quotes or has a sign that no quotes are needed for.
_MAPPINGS = re.compile(r"(?>(?:(?:#[^\n]*|---[^\n]*|)\n)*)-[ ]+[\w\"' ./-]{1,80}:[ \n]")
_KEY_AND_VALUE = re.compile(
    r"(?>[ ]*)(-|(?<=[ ]))(?>[ ]*)[\"']?([^\s\"':#-][^\"':#]{0,79})[\"']?:(?:[ ]+(?![|>&*!\[{])([\"']?)(.*)\3)?"
)
_LINE = re.compile(r"[^\n]*\n|[^\n]+\Z")
# The head of flash cards that Anki exports, with the columns of what is no side of a card.
_HEAD_OF_CARDS = re.compile(r"#separator:(\w{3,9}|[^\w\s\"])\n(?:#[^\n]{1,400}\n)*", re.I)
_BESIDE_CARDS = re.compile(r"^#(?:guid|notetype|deck|tags) column:(\d{1,3})$", re.M | re.I)
_SEPARATORS: Final = {"tab": "\t", "comma": ",", "semicolon": ";", "pipe": "|", "colon": ":", "space": " "}
_EMPHASIS = (
    re.compile(r"(\*{1,3})(?=[^\s*])((?:[^*\n]|\n(?!\s*\n)){0,500}?[^\s*])\1"),
    re.compile(r"(?<![\w\\])(_{1,3})(?=[^\s_])((?:[^_\n]|\n(?!\s*\n)|(?<=\w)_(?=\w)){0,500}?[^\s_\\])\1(?!\w)"),
)
# Above and below the line: ^2^ and ~2~, as Pandoc and others have them, and in HTML.
_RAISED = re.compile(r"(?<=(\w))(?:\^([^\s^]{1,40})\^|<sup>([^<>\n]{1,40})</sup>)")
_LOWERED = re.compile(r"(?<=\w)~([^\s~]{1,40})~(?!~)")
_STRUCK = re.compile(r"~~(?=\S)([^~\n]{1,500})~~")
_FACT = re.compile(r"^(title|author|date|lang|language):[ \t]*(\S[^\n]{0,500})$", re.M | re.I)
# The marks around a heading, and the bar before a line of a poem; a backslash before a sign that is no mark, or at the
# end of a line that is broken there.
_LINE_MARKS = re.compile(r"\n {0,3}#{1,6}[ \t]+([^\n]{0,500}?)(?:[ \t]+#+)?[ \t]*(?=\n|\Z)|\n\|[ \t](?![^\n]*[|+])")
_QUOTED = re.compile(r"\n(?> {0,3}>[ \t]?)+")
_BACKSLASH = re.compile(r"\\(?:([!-/:-@\[-`{-~])|(?=\n))")
_HEADING = re.compile(r"^#{1,2}\s+(.{1,300}?)\s*#*$", re.M)


class Decoded(NamedTuple):
    """The text of a file, and its encoding. is_cut: the text has more than MAX_CHARACTERS, and the rest is left out."""

    text: str
    encoding: str
    is_cut: bool = False

    @classmethod
    def within_limit(cls, text: str, encoding: str) -> Decoded:
        """Return the first MAX_CHARACTERS of a text without NULs."""
        return cls(text[:MAX_CHARACTERS].replace("\0", ""), encoding, len(text) > MAX_CHARACTERS)


def read_plain(data: bytes) -> Extracted:
    """Return the text of a file: hyphens at line ends undone, page numbers, running heads and marks removed."""
    whole, encoding, is_cut = decode(data)
    other = OtherHashes()
    source = _without_data_urls(whole, other, OtherContent.HEADERS)
    objects = _rows_of_objects(source) or _rows_of_cards(source)
    if objects:  # one file may have texts where another has numbers, or other keys first, or tags
        other.add(OtherContent.HEADERS, "".join(source.split()))
    words, marks = without_marks(_with_ends(objects) if objects else with_cell_ends(source))
    other.add_text(OtherContent.FORM_FIELDS, filled_columns(words))
    text, heads = without_page_breaks(with_drawn_tables(words))
    body = without_page_numbers(text)
    for line in [*heads, marks] if marks else heads:
        other.add(OtherContent.HEADERS, line)
    if body != text:
        other.add(OtherContent.HEADERS, text)
    return Extracted(
        body if without_times(body).shown else running_text(body),  # no program breaks the lines of a chat
        MediaType.TEXT,
        "text",
        streams={"headers": "\n".join(heads)} if heads else {},
        encoding=encoding,
        partial=is_cut,
        other=other.hashes(MediaType.TEXT),
    )


def with_cell_ends(text: str) -> str:
    """Return the fields of CSV and the like as cells and rows; other texts unchanged.

    All rows have the same number of fields: two or more between commas or semicolons, three or more between others.
    """
    head = text[: text.find("\n")]
    for sign, least in ((";", 1), ("\t", 2), ("|", 2), (",", 1)):
        rows = _rows_of(text, sign) if head.count(sign) >= least else []
        if len(rows) > 1 and len(rows[0]) > least:
            return _with_ends(rows)
    return text


def _with_ends(rows: list[list[str]]) -> str:
    return ROW_END.join(map(CELL_END.join, rows))


def _rows_of(text: str, sign: str) -> list[list[str]]:
    """Return the rows of a table whose fields a sign separates; none if they differ in the number of fields."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        for row in filter(None, csv.reader((line.group() for line in _LINE.finditer(text)), delimiter=sign)):
            rows.append(row)
            if len(row) != len(rows[0]):
                return []
        return rows
    return []


def _rows_of_cards(text: str) -> list[list[str]]:
    """Return the sides of flash cards, without their tags, decks, kinds and identifiers; other texts have no rows."""
    if (head := _HEAD_OF_CARDS.match(text)) is None:
        return []
    separator = _SEPARATORS.get(head[1].lower(), head[1])
    beside = {int(number) for number in _BESIDE_CARDS.findall(head[0])}
    rows = _rows_of(text[head.end() :], separator) if len(separator) == 1 else []
    shown = [[cell for column, cell in enumerate(row, 1) if column not in beside] for row in rows]
    if "#html:true" not in head[0].lower():
        return shown
    return [[_without_tags(cell, OtherHashes()) for cell in row] for row in shown]


def _rows_of_objects(text: str) -> list[list[str]]:
    """Return the keys and the values of objects that are a table, in JSON or YAML; other texts have no rows.

    They are in one list, maybe beside single values, or in one line each. They hold no lists or objects, and all of
    them have a value for most keys.
    """
    facts, records = _objects_in(text)
    if len(records) < 2 or not all(isinstance(record, dict) for record in records):
        return []
    keys = list(dict.fromkeys(chain.from_iterable(records)))
    if len(keys) < 2 or 2 * min(map(len, records)) <= len(keys):
        return []
    rows = [*map(list, facts.items()), keys, *([record.get(key) for key in keys] for record in records)]
    if any(isinstance(value, dict | list) for row in rows for value in row):
        return []
    return [["" if value is None else str(value) for value in row] for row in rows]


def _objects_in(text: str) -> tuple[dict[str, Any], list[Any]]:
    """Return (the values beside the longest list of a JSON object, the items of that list or of a whole text).

    What is said in a chat or a recording is read elsewhere.
    """
    if not LIKE_JSON.match(text[:200]):
        return {}, _mappings(text)
    try:
        stored, end = _JSON.raw_decode(text, len(text) - len(text.lstrip()))
        if text[end:].strip():
            return {}, [_JSON.decode(line) for line in text.split("\n") if line.strip()]
    except (ValueError, RecursionError):
        return {}, []
    if shown_messages(text)[1]:
        return {}, []
    if isinstance(stored, list):
        return {}, stored
    lists = {key: value for key, value in stored.items() if isinstance(value, list)}
    longest = max(lists, key=lambda key: len(lists[key]), default="")
    return {key: value for key, value in stored.items() if key != longest}, lists.get(longest, [])


def _mappings(text: str) -> list[dict[str, str]]:
    """Return the objects of a list in YAML of which each line has one key with its value; nothing of other texts."""
    records: list[dict[str, str]] = []
    if not _MAPPINGS.match(text[:SNIFFED_BYTES]):
        return records
    for line in map(str.rstrip, text.split("\n")):
        value = _KEY_AND_VALUE.fullmatch(line) if line else None
        if value is not None and value[1] == "-":
            records.append({})
        if value is not None and records and value[2] not in records[-1]:
            records[-1][value[2]] = value[4].replace("''", "'") if value[3] == "'" else value[4]
        elif line and (records or not line.startswith(("#", "---"))):
            return []
    return records


def read_markdown(data: bytes) -> Extracted:
    """Return the text of Markdown, or of a notebook, without comments, link targets, marks of notes and emphasis.

    Properties are taken from the front matter, whose title is shown above the text unless the first heading repeats it;
    if it has none, the first heading is the title.
    """
    whole, encoding, is_cut = decode(data)
    source, results = without_results(whole)
    front = _FRONT_MATTER.match(source)
    other = OtherHashes()
    other.add_text(OtherContent.HEADERS, results)
    body = _without_data_urls(source[front.end() :] if front else source, other, OtherContent.LINKS)
    if "\ntype_: " in body[-20:] and (behind := _PROPERTIES_BEHIND.search(body)) is not None:
        other.add_text(OtherContent.HEADERS, behind.group())
        body = body[: behind.start()]
    shown, formulas = with_printed_formulas(_CODE.sub(_hidden, _with_hidden_lines(body)))
    other.add_text(OtherContent.FORMULAS, "\n".join(formulas))
    text = _without_markdown(_without_comments(shown, other), other)
    heading = _HEADING.search(text[:10_000])
    first_heading = heading.group(1) if heading else ""
    properties = {name.lower(): value.strip(" \t'\"") for name, value in _FACT.findall(front.group())} if front else {}
    title = properties.get("title", "") or first_heading
    other.add_text(OtherContent.HEADERS, front.group() if front else "")
    text = _LINE_MARKS.sub(r"\n\1", _QUOTED.sub("\n", f"\n{text}"))
    text = _BACKSLASH.sub(r"\1", text)[1:].translate(_RESTORED)
    return Extracted(
        text if title == first_heading else f"{title}\n{text}",
        MediaType.MARKDOWN,
        "text",
        encoding=encoding,
        title=title[:500],
        author=properties.get("author", "")[:500],
        created=parse_time(properties.get("date", "")),
        language=language_tag(properties.get("lang", "") or properties.get("language", "")),
        partial=is_cut,
        other=other.hashes(MediaType.MARKDOWN),
    )


def _without_data_urls(text: str, other: OtherHashes, kind: OtherContent) -> str:
    """Return a text without the content of data URLs (RFC 2397), mostly pictures, which is added to `other`."""
    if "base64," not in text or not (stored := _DATA_URL.findall(text)):
        return text
    other.add(kind, *stored)
    return _DATA_URL.sub("data:", text)


def _without_markdown(source: str, other: OtherHashes) -> str:
    """Return the words of Markdown without properties and comments.

    Adds numbers, links, struck words and the columns of amounts in tables that spaces set out to `other`.
    """
    body = _NOTE_MARK.sub("", _with_notes_last(source))
    text = _ATTRIBUTES.sub("", _DIVISION.sub("", _with_item_labels(body, other)))
    text = _RAISED.sub(lambda power: raised(power[2] or power[3], power[1]), _without_addresses(text, other))
    text = _LOWERED.sub(r"\1", text)
    text = _TO_REFERENCE.sub("", text)
    other.add_text(OtherContent.FORM_FIELDS, filled_columns(text))
    text = with_drawn_tables(_TABLE.sub(_with_row_ends, text))
    text = _without_tags(text, other)
    for emphasis in _EMPHASIS:
        text = emphasis.sub(r"\2", text)
    other.add_text(OtherContent.TRACKED_CHANGES, "".join(_STRUCK.findall(text)))
    return _STRUCK.sub(r"\1", text)


def _with_hidden_lines(source: str) -> str:
    """Return Markdown with other characters for the signs in lines that are code because they are indented.

    What is indented in a list is no code; lines that begin with a tag may be none.
    """
    lines = source.split("\n")
    is_code, in_list, may_begin = False, False, True
    for number, line in enumerate(lines):
        if line.startswith(_INDENTED) and (shown := line.lstrip()):
            is_code = is_code or (may_begin and not in_list and not shown.startswith("<"))
            lines[number] = line.translate(_HIDDEN) if is_code else line
        elif line.strip():
            is_code, in_list = False, _ITEM.match(line) is not None or (in_list and not may_begin)
        may_begin = not line.strip()
    return "\n".join(lines)


def _hidden(code: re.Match[str]) -> str:
    """Return code of Markdown without its frame, and with other characters for the signs that mean something."""
    mark = code[1].lstrip(" \t>") if code[2] else ""  # of a list
    return f"{mark}\n{code[3].translate(_HIDDEN)}" if code[2] else code[5].translate(_HIDDEN)


def _with_item_labels(source: str, other: OtherHashes) -> str:
    """Return Markdown with labels for the numbers of list items; those that begin a line within a paragraph stay.

    Numbers that neither begin a list at 1 nor follow from the item before are added to `other`.
    """
    labels: list[tuple[int, int, str]] = []
    unexpected: list[str] = []
    before = -2
    for item in _ITEM_NUMBER.finditer(source):
        number = int(item[1])
        if number not in (1, before, before + 1):
            line_before = source[source.rfind("\n", 0, max(0, item.start() - 1)) + 1 : item.start()]
            if line_before.strip(" \t\n>"):
                continue
            unexpected.append(str(number))
        labels.append((item.start(1), item.end(), as_label(source[item.start(1) : item.end()])))
        before = number
    other.add_text(OtherContent.LIST_STARTS, " ".join(unexpected))
    return with_replaced(source, labels)


def _with_notes_last(source: str) -> str:
    """Return Markdown with its footnotes behind all else in the order of their first marks, as programs show them."""
    notes = {note[1]: note[0] for note in _NOTE.finditer(source)} if "]:" in source else {}
    if not notes:
        return source
    text = _NOTE.sub(lambda note: "" if notes[note[1]] == note[0] else note[0], source)
    marked = dict.fromkeys(mark for mark in _NOTE_MARK.findall(text) if mark in notes)
    return "\n\n".join([text.rstrip("\n"), *(notes.pop(mark) for mark in marked), *notes.values()]) + "\n"


def _without_addresses(text: str, other: OtherHashes) -> str:
    """Return Markdown without the addresses of links and pictures, which are added to `other`."""
    for name in (*_NOTE_LINK.finditer(text), *_KIND_OF_BOX.finditer(text), *_PARAGRAPH_NAME.finditer(text)):
        other.add(OtherContent.LINKS, name.group())
    text = _NOTE_LINK.sub(lambda link: "" if link[1] else link[3] or link[2], text)
    text = _PARAGRAPH_NAME.sub("", _KIND_OF_BOX.sub(r"\1", text))
    labels = {_label(reference[1]) for reference in _REFERENCE.finditer(text)} if "]:" in text else set()
    around_pictures = (MARKDOWN_LINK,) if "[![" in text else ()
    for pattern in (_REFERENCE, MARKDOWN_LINK, *around_pictures):
        for link in pattern.finditer(text):
            other.add(OtherContent.LINKS, link.group(pattern.groups))
        text = pattern.sub(r"\1" if pattern is MARKDOWN_LINK else "", text)
    if not labels:
        return text
    return _LABELLED.sub(lambda link: link[1] if _label(link[2] or link[1]) in labels else link[0], text)


def _label(text: str) -> str:
    """Return the label of a link in the form in which labels are compared."""
    return " ".join(text.split()).casefold()


def _with_row_ends(table: re.Match[str]) -> str:
    """Return a table of Markdown with its bars as ends of cells and rows, and without the line of dashes."""
    rows = (line.strip(" \t").removeprefix("|") for line in "".join(table.groups()).split("\n"))
    return "\n".join(row.replace("|", CELL_END) + ROW_END if row else "" for row in rows)


def _without_tags(source: str, other: OtherHashes) -> str:
    """Return Markdown without its HTML tags, which are added to `other`."""
    if "<" in source:
        other.add(OtherContent.LINKS, *_TAG.findall(source))
        source = _TAG.sub("", _BREAKING_TAG.sub("\n", source))
    return unescape(source)


def _without_comments(text: str, other: OtherHashes) -> str:
    """Return a text without <!-- ... -->, which are added to `other`; an unclosed comment is text."""
    end = text.rfind("-->") + len("-->")  # behind it, no comment is closed
    for comment in _COMMENT.finditer(text, 0, end):
        other.add(OtherContent.COMMENTS, comment[1])
    return _COMMENT.sub("", text[:end]) + text[end:]


def decode(data: bytes) -> Decoded:
    r"""Decode a text file by its byte order mark, NUL bytes, valid UTF-8, then by statistics.

    Line ends become "\n", and NULs at the end, which fill room that was never written, are left out. Raises Unreadable
    if it is not text.
    """
    written = len(data.rstrip(b"\0"))
    data = data[: written + -written % LARGEST_UNIT]
    decoded, encoding = _decoded(data)
    whole = undo_double_encoding(decoded.rstrip("\0").removeprefix("\ufeff")).removeprefix("\ufeff")
    text = whole[:MAX_CHARACTERS]
    sample = text[:SAMPLE_BYTES]
    if _count_strange(sample, data) * 20 > len(sample) and text.strip("\0"):
        raise Unreadable(ProblemKind.DAMAGED, Clause.NOT_TEXT)
    text = text.replace("\0", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return Decoded(text, encoding, len(whole) > MAX_CHARACTERS)


def _count_strange(text: str, data: bytes) -> int:
    """Count the characters that no text has: control characters, and signs for bytes of `data` without a meaning.

    Signs of a lost character that are in the file itself come from an earlier conversion of a text.
    """
    plain = text.encode("ascii", "ignore")
    undecoded = text.count("\ufffd")
    undecoded_before = data.count(b"\xef\xbf\xbd") if undecoded else 0
    return len(plain) - len(plain.translate(None, _CONTROLS)) + max(0, undecoded - undecoded_before)


def _decoded(data: bytes) -> tuple[str, str]:
    """Return (text, encoding) of a text file."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return data.decode(name, "replace"), name
    encoding = ""
    if b"\0" in data[:SNIFFED_BYTES]:
        encoding = wide_order(data[:SNIFFED_BYTES]) or "utf-8"
    elif b"\x1b$" in data and (valid := [name for name in _WITH_ESCAPES if _decodes(data, name)]):
        encoding = valid[0]
    elif b"~{" in data and _is_hz(data):
        encoding = "hz"
    else:
        try:
            return data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError as error:
            is_cut_off = error.start >= len(data) - 3 and len(data) > 3
            if is_cut_off or _is_mostly(data, "utf-8", _VALID_FOR_WRONG):
                encoding = "utf-8"
    encoding = encoding or detect(data)
    return data.decode(encoding, "replace"), encoding


def decoded_as(data: bytes, charset: str) -> tuple[str, str] | None:
    """Return (text, encoding) of bytes in a charset that a page or mail declares; None if they are in another one.

    Charsets mean what they do in browsers (WHATWG Encoding): ISO 8859-1 is Windows-1252, and GB 2312 is GBK. A few
    bytes may be wrong.
    """
    from resiliparse.parse.encoding import map_encoding_to_html5

    encoding = _widened(data, (map_encoding_to_html5(charset, fallback_utf8=False) or charset).removeprefix("x-"))
    try:
        is_in_it = _decodes(data, encoding) or (
            not _decodes(data, "utf-8") and _is_mostly(data, encoding, _VALID_IF_NAMED)
        )
        return (data.decode(encoding, "replace"), encoding) if is_in_it else None
    except (LookupError, ValueError):  # no charset that Python knows
        return None


def _widened(data: bytes, encoding: str) -> str:
    """Return an encoding, or the one with more characters that programs write under its name and that fits better."""
    wider = _WIDER.get(encoding.lower().replace("_", "-"), ())
    return min((*wider, encoding), key=lambda name: data.decode(name, "replace").count("\ufffd")) if wider else encoding


def _is_mostly(data: bytes, encoding: str, least: int) -> bool:
    """Tell whether a text is in an encoding but for a few bytes, such as parts of characters that a program cut in two.

    In other encodings few bytes beyond ASCII are valid by chance. least: valid characters for each wrong byte.
    """
    text = data.decode(encoding, "replace")
    wrong = text.count("\ufffd")
    return len(text) - len(text.encode("ascii", "ignore")) >= (1 + least) * wrong


def detect(data: bytes) -> str:
    """Return a legacy encoding by statistics: one detector for East Asia, another for the rest.

    The second fails on most Shift-JIS; the first confuses one-byte encodings. Both are unreliable for Latin letters, so
    there the letters that languages use decide.
    """
    from resiliparse.parse.encoding import detect_encoding  # loads a C library that UTF-8 files never need

    sample = data[:SAMPLE_BYTES]
    guess = str(detect_encoding(sample) or "utf-8").lower().replace("_", "-")
    if (encoding := _east_asian(sample, guess)) is not None:
        return encoding
    from charset_normalizer import from_bytes  # takes 30 ms to import

    dense = _foreign_words(_densest(data))
    # The second detector may take Hebrew for Russian without capitals, or in capitals alone.
    foreign_letters = filter(str.isalpha, beyond_ascii(dense.decode(_HEBREW, "ignore")))
    if guess == _HEBREW and all("א" <= letter <= "ת" for letter in foreign_letters):
        return _HEBREW
    proposed = [str(match.encoding) for match in from_bytes(dense, cp_exclusion=_NOT_BY_STATISTICS)]
    if proposed:
        encoding = _most_possible(dense, proposed, guess)
    elif 2 * sum(map(_HIGH.__contains__, dense)) > len(dense) and (wide := _chinese(data)) is not None:
        return wide
    else:
        encoding = guess if guess != "utf-8" else "windows-1252"
    if not _decodes(b"", encoding):  # Python does not know it
        return "windows-1252"
    if encoding == "cp1253" and b"\xb6" in data and b"\xa2" not in data:  # capital alpha with tonos of either code page
        return "iso8859-7"
    letters = [letter for letter in dense.decode(encoding, "replace")[:4096] if letter.isalpha()]
    words = dense.split()
    # No word is in two scripts. One byte beyond ASCII by itself is a sign: few words of other scripts have one letter.
    amid_latin = sum(re.search(rb"[A-Za-z]", word) is not None or not _TWO_HIGH.search(word) for word in words)
    is_latin = 2 * sum(letter < "\u0250" for letter in letters) > len(letters) or 2 * amid_latin > len(words)
    return latin_encoding(dense) or encoding if is_latin else encoding


def _east_asian(sample: bytes, guess: str) -> str | None:
    """Return the East Asian encoding of a sample; None if it is in none. guess: of a detector."""
    if guess in _EAST_ASIAN:
        encoding = (_chinese(sample) if guess == "gb18030" else None) or _widened(sample, guess)
        is_valid = _decodes(sample, encoding)
        if is_valid or _is_mostly(sample, encoding, _VALID_IF_NAMED):
            may_be_johab = not is_valid or _decodes(sample, "johab")
            return "johab" if may_be_johab and _is_korean(sample, "johab") else encoding
    # Amid many words in Latin letters, the detector does not see Korean.
    return next((encoding for encoding in ("cp949", "johab") if _is_korean(sample, encoding)), None)


def _chinese(data: bytes) -> str | None:
    """Return the encoding of Chinese with characters that the first detector does not know; None for other texts.

    GB 18030 has such of four bytes, and the Big5 of Hong Kong those of Cantonese. Characters of one are, in the other,
    often in the range that Unicode assigns to nothing.
    """
    valid = [encoding for encoding in ("gb18030", "big5hkscs") if _decodes(data, encoding)]
    return min(valid, key=lambda encoding: len(_PRIVATE.findall(data.decode(encoding, "ignore"))), default=None)


def _is_hz(data: bytes) -> bool:
    """Tell whether a text has Chinese in seven bits, between ~{ and ~} (RFC 1843): frequent characters, and signs."""
    rows = b"".join(run[::2] for run in _HZ.findall(data))
    return 2 * sum(row < _FIRST_SELDOM_ROW for row in rows) > len(rows) and _decodes(data, "hz")


def _is_korean(sample: bytes, encoding: str) -> bool:
    """Tell whether a text is in a code page of Korean, such as that of DOS, which the first detector does not know.

    Two bytes of other code pages are a syllable in it by chance, but not all of a text. The second byte of a syllable
    may be a letter of ASCII, but is so in few.
    """
    if not _is_mostly(sample, encoding, _VALID_IF_NAMED):
        return False
    non_ascii = beyond_ascii(sample.decode(encoding, "ignore"))
    if len(non_ascii) < _LEAST_SYLLABLES[encoding] or 4 * len(_TWO_HIGH.findall(sample)) < len(non_ascii):
        return False
    return 0.9 * len(non_ascii) < sum("가" <= character <= "힣" for character in non_ascii)


# Letters beyond ASCII of languages, by the code pages of Windows, then of Unix, DOS and the Macintosh.
_WESTERN = (
    "áéíóúüñ",
    "àâçéèêëîïôùûüÿœæ",
    "äöüß",
    "áâãàçéêíóôõúü",
    "àèéìíòóùú",
    "åäöéæøü",
    "ëïéèöü",
    "áðéíóúýþæö",
    "àçèéíïòóúü",
)
_CENTRAL = ("ąćęłńóśźż", "áäčďéěíĺľňóôŕřšťúůýž", "áéíóöőúüű", "čćđšž", "ăâîşţ", "äöüß")
_LATIN: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("windows-1252", _WESTERN),
    ("windows-1250", _CENTRAL),
    ("windows-1254", ("çğıöşüâîû",)),
    ("windows-1258", ("àáâãèéêìíòóôõùúýăđơư\u0300\u0301\u0303\u0309\u0323",)),  # its marks of tones are combining
    ("windows-1257", ("ąčęėįšųūž", "āčēģīķļņšūž", "äõöüšž")),
    ("iso8859-2", _CENTRAL),
    ("iso8859-3", ("ĉĝĥĵŝŭ", "ċġħżàèìòù")),
    ("mac-roman", _WESTERN),
    ("cp850", _WESTERN),
    ("cp852", _CENTRAL),
    ("cp857", ("çğıöşüâîû",)),
    ("mac-latin2", _CENTRAL),
)
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")
# Space and soft hyphen, the dot of Catalan, apostrophes, dashes, an ellipsis.
_WITHIN_WORDS = "\u00a0\u00ad\u00b7\u00b4\u2018\u2019\u2013\u2014\u2026"


def _most_possible(words: bytes, proposed: list[str], guess: str) -> str:
    """Return the encoding of some words, of those that the second detector proposes and the guess of the first one.

    If the two do not agree, it is the one in which fewest words are impossible; of several the first one.
    """
    if guess != "utf-8" and _decodes(words, guess):
        if words.decode(guess) == words.decode(proposed[0], "replace"):
            return proposed[0]
        proposed = [proposed[0], guess, *proposed[1:]]
    return min(proposed, key=lambda encoding: _tenths_impossible(words, encoding))


def _tenths_impossible(words: bytes, encoding: str) -> int:
    """Return how many tenths of some words are impossible: a capital follows a small letter, or a sign is amid letters.

    So it is with many words that are read in the code page of another script or system.
    """
    text = words.decode(encoding, "replace")
    impossible = set[int]()
    for character in _BEYOND_ASCII.finditer(text):
        letter = _letter_at(text, character.start())
        if letter and (letter.isupper() or unicodedata.category(character.group())[0] in "SPN"):
            impossible.add(text.rfind(" ", 0, character.start()))
    return 10 * len(impossible) // (1 + text.count(" "))


def latin_encoding(data: bytes) -> str | None:
    """Return the code page that suits a language best, by the characters beyond ASCII; None if none suits it.

    More than 60 % of these characters must be letters of one language, none a capital behind a small letter, or signs
    that are not within a word.
    """
    best_share, best_encoding = 0.6, None
    for encoding, languages in _LATIN:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        letters = [_letter_at(text, character.start()) for character in _BEYOND_ASCII.finditer(text)]
        for language in languages:
            share = sum(letter in language for letter in letters) / max(1, len(letters))
            if share > best_share:
                best_share, best_encoding = share, encoding
    return best_encoding


def _letter_at(text: str, position: int) -> str:
    """Return the letter that a language must have, if this character is right: "" for a sign that all may have there.

    A capital is returned as the small letter; but after a small letter as it is, since no language has it there.
    """
    around = text[max(0, position - 1) : position + 2]
    within_a_word = len(around) == 3 and around[0].isalpha() and around[2].isalpha()
    character = text[position]
    if not character.isalpha() and (not within_a_word or character in _WITHIN_WORDS):
        return ""
    return character if character.isupper() and around[0].islower() else character.lower()


# Two characters that are, in windows-1252 or Latin-1, the first two bytes of one in UTF-8.
_DOUBLY_ENCODED = re.compile("[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]")


@cache
def _single_bytes() -> dict[int, int]:
    """Return a table for str.translate from the characters of windows-1252 beyond ASCII to their bytes."""
    characters = bytes(range(256)).decode("windows-1252", "replace")
    return {ord(character): byte for byte, character in enumerate(characters) if byte > 0x7F and character != "\ufffd"}


def undo_double_encoding(text: str) -> str:
    """Return a text that was UTF-8, taken for windows-1252 and encoded again, as it was at first; others unchanged.

    It is very unlikely that characters which were meant as they are, taken as bytes, are valid UTF-8.
    """
    try:
        text.encode("ascii")
        return text
    except UnicodeEncodeError as error:  # the fastest way to find the first character beyond ASCII
        if not _DOUBLY_ENCODED.match(text, error.start):
            return text
    try:
        decoded = text.translate(_single_bytes()).encode("latin-1").decode("utf-8")
    except UnicodeError:
        return text
    return decoded if len(text) - len(decoded) >= LEAST_DOUBLE else text


def _densest(data: bytes) -> bytes:
    """Return the start of a file, or, if it is in ASCII, the first stretch with other bytes."""
    non_ascii = re.search(rb"[\x80-\xff]", data)
    start = max(0, non_ascii.start() - _STRETCH // 2) if non_ascii and non_ascii.start() >= _STRETCH else 0
    return data[start : start + _STRETCH]


def _foreign_words(data: bytes) -> bytes:
    """Return the words with bytes beyond ASCII: amid many others, detectors take Russian or Greek for Western signs."""
    return b" ".join(word for word in data.split() if not word.isascii())


def _decodes(sample: bytes, encoding: str) -> bool:
    """Tell whether a sample is valid in a known encoding; its last character may be cut off."""
    try:
        codecs.getincrementaldecoder(encoding)("strict").decode(sample)
    except (UnicodeDecodeError, LookupError):
        return False
    return True
