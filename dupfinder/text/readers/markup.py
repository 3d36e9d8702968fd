"""Text files made for a program that shows them: subtitles, XML, calendars, contacts, terminal output, sources, links
of text browsers, numbered lines, pronunciations, chords; and, in all formats, escapes, ticks in boxes, vowel points.

The words that people see are the text; the marks around them are other content.
"""

from __future__ import annotations

import json
import quopri
import re
from collections import Counter
from collections.abc import Callable
from itertools import chain, pairwise
from operator import itemgetter
from typing import Final

from dupfinder.text.document import beyond_ascii, letter_count
from dupfinder.text.layout import SAMPLED_LINES, may_be_numbered, without_line_numbers
from dupfinder.text.lines import CELL_END, ROW_END, split_at_lines, taken_out
from dupfinder.text.normalise import unescape
from dupfinder.text.readers.chats import LIKE_JSON, shown_messages
from dupfinder.text.readers.sources import shown_references, without_commands, without_markup, without_roles
from dupfinder.text.readers.troff import without_requests

LEAST_CUES: Final = 3  # a text may quote one or two lines with times
CUE_SHARE: Final = 0.2  # least share of lines with a time; each subtitle has at most a few lines
_CUE_SIGNS: Final = ("-->", "}{", "Dialogue:", "[0")  # every kind of cue has one of these
_CUE_DISTANCE: Final = 1000  # characters; subtitles have a cue at least so often
_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
# Of SubRip and WebVTT (first a number, or behind an empty line any name: Teams has "9f1c-4c43/7-0"), MicroDVD (in
# frames), SubStation Alpha, and lyrics.
_CUE = re.compile(
    rf"^(?:(?:[ \t]*[\w-]{{1,40}}[ \t]*\n|(?<=\n\n)[^\n]{{1,200}}\n)?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*"
    r"|\{\d{1,9}\}\{\d{1,9}\}"
    rf"|Dialogue:[^,\n]*,{_TIME},{_TIME}(?:,[^,\n]*){{6}},"
    r"|(?:\[\d{1,3}:\d{2}\.\d{2,3}\][ \t]*)+)|\AWEBVTT[^\n]*(?:\n(?![^\n]*-->)[^\n]+)*",
    re.M,
)
_VTT_REMARK = re.compile(r"^(?:NOTE|STYLE|REGION)(?:[ \t][^\n]*)?(?:\n(?![^\n]*-->)[^\n]+)*", re.M)
_VOICE = re.compile(r"<v(?:\.[\w.-]{1,80})?[ \t]+([^<>\n]{1,200})>")
_STYLE = re.compile(
    r"</?(?:[biuc]|font|v|ruby|rt)\b[^<>\n]{0,200}>|<\d{1,3}:[\d:.]{2,12}>"  # the second: when a word is spoken
    r"|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,100}\}"
)
_ROLLING_SHARE: Final = 0.75  # least share of the cues that begin with the line before, as it scrolls up
_BREAK = re.compile(r"\||\\[Nn]")
_TERMINAL = re.compile("\x1b\\[[0-9;?]{0,20}[A-Za-z]|[^\n]\x08")
_TERMINAL_SIGNS = (re.compile("\x1b"), re.compile("\x08"))
_XML = re.compile(r"\s*<\?xml\s")
# The root of XML without a declaration, after comments and the kind of the document. Names may be in any script: UOF,
# a format of Chinese Office programs, has <字:段落> for a paragraph.
_ROOT = re.compile(
    r"\s*+(?>(?:<!--.*?-->\s*+|<![A-Z][^<>\[]*+(?>(?:\[[^\]]*+\]\s*+)?)>\s*+)*)<([^\W\d][\w:.-]*+)[\s>]", re.S
)
_ROOT_WITHIN: Final = 4096  # characters
# In XML that Microsoft Word saved: the text of a run, or "" for what begins a line or a column.
_WORD_XML_RUN = re.compile(r"<w:t(?: [^<>]*)?>([^<]+)</w:t>|<w:(?:p|br|cr|tab)(?: [^<>]*)?/?>")
# In ALTO, the XML of recognised pages: a word, the hyphen behind the last of a line, or the beginning of a line.
_RECOGNISED = re.compile(
    r"<(?:\w{1,20}:)?(?:(String|HYP)\s(?:[^<>]*?\s)?CONTENT=(?:\"([^\"<>]*)\"|'([^'<>]*)')|TextLine[\s>])"
)
# In outlines (OPML) and maps of thoughts (FreeMind): the words of an entry, and a note below it.
_ENTRY = re.compile(
    r"<(?:outline|node)\s(?:[^<>]*?\s)?text=(?:\"([^\"<>]*)\"|'([^'<>]*)')"
    r"(?:[^<>]*?\s_note=(?:\"([^\"<>]*)\"|'([^'<>]*)'))?",
    re.I,
)
# Pictures and files within XML, in base64 (RFC 4648), and what a FictionBook says of itself.
_PACKED = re.compile(r">\s*+[A-Za-z0-9+/]{60}[A-Za-z0-9+/=\s]{200,}+(?=<)")
_OF_BOOK = re.compile(
    r"<FictionBook[\s>][^<]*<description>(?>(?:[^<]++|<(?!/description>|FictionBook[\s>]))*)</description>"
)
# What an Office program says of a document that it saves as XML, and how it shows it.
_OF_OFFICE = re.compile(
    r"<((?:\w+:)?(?:DocumentProperties|OfficeDocumentSettings|ExcelWorkbook|WorksheetOptions))(?=[\s>])"
    r"(?>(?:[^<]++|<(?!/?\1[\s>]))*)</\1>"
)
# What AbiWord says of a document, and, in articles (JATS, NISO Z39.96), the TeX of a formula beside its MathML.
_OF_ABIWORD = re.compile(r"(?<=>)\s*+<metadata>\s*+(?>(?:<m key=\"[^\"<>]*\">[^<>]*+</m>\s*+)*)</metadata>")
_OF_PROGRAM: Final = (_OF_OFFICE, _OF_ABIWORD)
_ALTERNATIVES = re.compile(r"<alternatives\b[^<>]*>(?>(?:[^<]++|<(?!/?alternatives\b))*)</alternatives>")
_TEX = re.compile(r"<tex-math\b[^<>]*>(?>(?:[^<]++|<(?!/?tex-math\b))*)</tex-math>")
_MATHML = re.compile(r"<((?:\w{1,20}:)?math)\b[^<>]*>((?>(?:[^<]++|<(?!/?(?:\w{1,20}:)?math\b))*))</\1>")
_BETWEEN_TAGS = re.compile(r">\s+(?=<)")
_OF_MATHML = re.compile(r"<(/?)(?:\w{1,20}:)?(\w{1,20})\b[^<>]*?(/?)>")
_TAG = re.compile(r"<([^\W\d][\w:.-]*)([^<>]*)>")
_NAME_AND_VALUE = re.compile(r"\s(?!xmlns)([\w:.-]{1,100})\s*=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')")
_ATTRIBUTE = re.compile(r"=\s*(?:\"(?!\w+://)([^\"<>]*)\"|'(?!\w+://)([^'<>]*)')")  # not the names of vocabularies
_STYLES_IN_CSS = re.compile(r"(?>(?:\s*[\w-]{1,80}:[^:;]{0,200};)+)(?:\s*[\w-]{1,80}:[^:;]{0,200})?\s*")  # as in CSS
_XML_MARK = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<(?!\d)[\w!/:][^<>]*>", re.S)
_AMID_TEXT = re.compile(r"(?<=[^\s>])<(?:/|(?=\w))[^<>]*(?<!/)>(?=[^\s<])")
# Tags that begin or end a line or a note, and so part what is before them from what is behind.
_PARTING = re.compile(
    r"</?(?:\w+:)?(?:br|break|lb|cb|pb|tab|fn|footnote|note|p|para|div|h[1-6]|title|li|item|d[td]|t[rdh])\b", re.I
)
# A note within the text of DocBook or in XML of Word, as printed below or behind it.
_FOOTNOTE = re.compile(
    r"<((?:\w+:)?(?:foot|end)note)\b[^<>]*(?<!/)>((?>(?:[^<]++|<(?!/?(?:\w+:)?(?:foot|end)note\b))*))</\1>"
)
# In XML of Word: what is stored once more for older programs, and words that were moved elsewhere.
_REPEATED = re.compile(r"<(mc:Fallback|w:moveFrom)\b[^<>]*(?<!/)>(?>(?:[^<]++|<(?!/?\1\b))*)</\1>")
# Tags that begin a line: some programs write XML without line ends.
_LINE_BEGIN = re.compile(r"<(?:\w+:)?(?:br|lb|p|para|simpara|div|h[1-6]|v|title|subtitle|li|item|d[td]|tr|row)\b", re.I)
_HELD_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?(?:-->|\Z)", re.S)  # of a page within XML
# What a kind of document declares before its first element: names for strings.
_DECLARED = re.compile(r"<!DOCTYPE\s[^<>\[]*\[(?>(?:[^\]<]++|<(?!!\[))*)\]\s*>")
_DECLARED_NAME = re.compile(r"<!ENTITY\s+([A-Za-z][\w.-]{0,80})\s+(?:\"([^\"<>&%]{0,500})\"|'([^'<>&%]{0,500})')\s*>")
_CALLED = re.compile(r"&([A-Za-z][\w.-]{0,80});")
_MOST_CALLS: Final = 10_000
# The addresses of a page's links, which text browsers list below it; in the page, [1] is before the first link.
_FIRST_LINK = re.compile(r"\n[ \t]{1,5}1\. [a-z][a-z+-]{1,9}:\S")
_LISTED_LINK = re.compile(r"[ \t]*+(?:(\d{1,6})\. [a-z][a-z+-]{1,9}:\S.*)?$")
_LINK_NUMBER = re.compile(r"\[(\d{1,6})\]")
_LEAST_LINKS: Final = 3
_MOST_HEADINGS: Final = 2  # among the addresses: "Hidden links:"
_LONGEST_HEADING: Final = 40  # characters
# The address of a link, printed in parentheses behind its words, maybe in several lines.
_PRINTED_LINK = re.compile(r"[(（](?:(?<=\S.)|(?<=\S\s.))https?:[^\s()（）]*(?:\n[ \t]*[^\s()（）]+)*[)）]")

# Pronunciations and remarks in Japanese texts as Aozora Bunko writes them: base《reading》, ｜ before a longer base.
_READING = re.compile(
    "(?<=[\u3005-\u3007\u30f6\u3400-\u9fff])《[\u3041-\u30ff]{1,40}》|｜(?=[^《》\n]{1,40}《)|［＃[^［］\n]{1,200}］"
)

# The chords above a line of a song, "Am   F#m7  C/G"; not an index, whose lines of one letter look like major chords.
_CHORD: Final = r"[A-H][#b♯♭]?(?:m|maj|min|dim|aug|sus|add)?[2-9]?(?:sus[24]|maj7|add9)?(?:/[A-H][#b♯♭]?)?"
_CHORDS = re.compile(rf"\n[ \t]*+(?>(?:{_CHORD}(?!\S)[ \t]*+)+)(?=\n)")
_CHORD_WITHIN = re.compile(rf"\[{_CHORD}\]")
_SUNG = re.compile(rf"(?!{_CHORDS.pattern})\n\S")  # the beginning of another line
# The name of a part, "[Chorus]", and what ChordPro tells of a song, of which its title and its makers are shown.
_OF_SONG = re.compile(
    r"\n[ \t]*+(?:\[[^\[\]\n]{1,40}\]"
    r"|\{(?:(?:t|title|st|subtitle|artist|composer|lyricist):([^{}\n]{0,200})|[^{}\n]{1,200})\})(?=[ \t]*(?:\n|\Z))"
)
_NOT_MAJOR = re.compile("[ac-z7]")  # B2 and A4 may be a level and a size of paper
_NEITHER_MAJOR_NOR_NUMBER = re.compile("[ac-z]")  # [A1] and [B7] may be books
_LEAST_CHORDS: Final = 4  # such lines, or chords within lines
_NOT_MAJOR_SHARE: Final = 0.25  # least share of them that have other chords

# What programs show of a calendar (RFC 5545) or of contacts (RFC 6350), in the order in which it is read; each program
# writes the fields of an entry in an order of its own. All else is bookkeeping, such as UID and REV.
_SHOWN: Final = (
    "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CATEGORIES", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE",
    "URL", "CONTACT", "ATTENDEE", "ORGANIZER", "FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "TEL", "EMAIL", "ADR",
    "BDAY", "ANNIVERSARY", "NOTE", "IMPP",
)  # fmt: skip
_FIELDS = re.compile(r"\s*BEGIN:(?:VCALENDAR|VCARD)\s", re.I)
_FOLD = re.compile(r"\n[ \t]|=\n(?![\w-]{1,40}[;:.])")  # the second in quoted-printable
_FIELD = re.compile(r"(?:[\w-]{1,40}\.)?([\w-]{1,40})((?:;(?:[^:\"\n]|\"[^\"\n]*\"){0,400})?):(.*)")
# Parameters shown beside a field: whose number it is, who comes, the time zone. Defaults (_UNSAID) are not shown.
_SHOWN_BESIDE = re.compile(r";(?:(?:CN|PARTSTAT|ROLE|TYPE|TZID)=((?:[^;\"]|\"[^\"]*\")*)|([\w-]*)(?![^;]))", re.I)
_UNSAID = re.compile(
    r"\b(?:NEEDS-ACTION|REQ-PARTICIPANT|VOICE|INTERNET|PREF|[78]BIT|BASE64|QUOTED-PRINTABLE)\b|[\",]", re.I
)
LEAST_ESCAPED: Final = 4  # escaped letters; a text may quote a few
_ESCAPES = re.compile(r"(?:\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt]))+")
_CODES = re.compile(r"\\u[0-9a-fA-F]{4}(?:\\u[0-9a-fA-F]{4})*")
_ENTITY_NAME: Final = r"(?:[A-Za-z]{3,8}|#[0-9]{2,5}|#x[0-9A-Fa-f]{2,4});"
_ENTITY = re.compile(f"&{_ENTITY_NAME}")
# In an escaped text, some escapes are parts of words; in a text about escapes, each has spaces or signs around it.
_ENTITY_IN_WORD = re.compile(rf"&(?:(?<=[^\W\d_]&|;&){_ENTITY_NAME}|{_ENTITY_NAME}(?=[^\W\d_]))")
_CODE_IN_WORD = re.compile(r"\\u[0-9a-fA-F]{4}(?:(?<=[^\W\d_]\\u[0-9a-fA-F]{4})|(?=\\u[0-9a-fA-F]{4}|[^\W\d_]))")

_CROSSES: Final = "✗✘"  # they mean no where ticks mean yes
_TICK_SIGNS: Final = f"☑☒✓✔√⊠🗹🗷{_CROSSES}"
# A filled and an empty box each. Lists begin with the same signs, but not with both of a pair.
_PAIRS: Final = ("■□", "◼◻", "⬛⬜", "●○", "◉○", "◉◯", "⚫⚪")
_BOXES: Final = "".join(_PAIRS)
_EMPTY: Final = "☐" + "".join(empty for _, empty in _PAIRS)
_TYPED_TICKS: Final = ("[x]", "(x)", "[ x ]", "( x )", "[X]", "(X)", "[ X ]", "( X )", "[*]", "(*)")
_TICKED: Final = str.maketrans("x_-", "☑☐☒")
# One class of characters at the beginning, so that others are passed over quickly.
_BOX = re.compile(
    rf"([\[(☐{_BOXES}{_TICK_SIGNS}]"
    rf"(?:(?<=[☐{_BOXES}{_TICK_SIGNS}])|(?<![\w\])][\[(])[ \t]?(?:[xX*][ \t]?|_{{0,3}})[\])](?!\w)))"
)
# A questionnaire or a list of tasks has empty boxes, or ticks at beginnings of lines; prose with an (X) has neither.
_MAY_BE_BOXED = tuple(re.compile(rf"\{sign}(?=[ \t_]{{1,3}}[\])]|[ \t]?[xX][ \t]?[\])])") for sign in "[(")
_BOXED = re.compile(
    r"(?<![\w\])])(?:\[[ \t_]{1,3}\]|\([ \t_]{1,3}\)(?!\w))|^[ \t]*(?:[-*+•][ \t]+)?[\[(][ \t]?[xX][ \t]?[\])]", re.M
)

# Frequent letters of pointed scripts, and the accent: a text without any of them is not searched for points.
_POINTED: Final = "\u0627\u0644\u05d5\u05d9\u0301"
# Not the marks above and below alef, U+0653 to U+0655, which make other letters of it. The last ones are accents on
# Cyrillic vowels, which books for learners print to show the stress; on Latin letters accents are spelling.
_POINT: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
_POINTS = re.compile(f"([{_POINT}\u0301](?:(?<!\u0301)[{_POINT}]*|(?<=[аеєиіїоуыэюяАЕЄИІЇОУЫЭЮЯ]\u0301)))")
# Persian and Urdu have a yeh and a kaf of their own, for which Arabic keyboards and old encodings have only the Arabic
# ones. A text with one of these letters is not Arabic.
_NOT_ARABIC: Final = "پچژگ"
_PERSIAN: Final = {re.compile("ي(?!\u0654)"): "ی", re.compile("ك"): "ک"}  # with a hamza, it is another letter


def without_marks(text: str) -> tuple[str, str]:
    """Return (the words that people see, the marks that were removed); most texts have none."""
    marks: list[str] = []
    for remove in (
        _without_terminal_codes,
        _without_tags,
        _shown_fields,
        shown_messages,
        shown_references,
        without_commands,
        without_requests,
        without_roles,
        without_markup,
        _without_cues,
        _without_link_numbers,
        _without_line_numbers,
        _without_readings,
    ):
        text, removed = remove(text)
        marks += [removed] if removed else []
    return text, "\n".join(marks)


def _without_terminal_codes(text: str) -> tuple[str, str]:
    """Return a text without colours and without overprinted characters, which printers showed bold or underlined."""
    if "\x08" not in text and "\x1b" not in text:
        return text, ""
    pieces, codes = [], []
    for piece, has_sign in split_at_lines(text, _TERMINAL_SIGNS):
        words, removed = taken_out(_TERMINAL, piece) if has_sign else (piece, [])
        pieces.append(words)
        codes += removed
    return "".join(pieces), "\n".join(codes)


def _without_tags(text: str) -> tuple[str, str]:
    """Return the text of an XML document.

    XML with more letters in the attributes of its tags than between them is an outline, whose entries are returned, a
    table without words between its tags, or other data, returned unchanged. Values that recur are counted once, because
    they name styles, and values that are styles not at all.
    """
    if not _is_xml(text):
        return text, ""
    if words := _word_xml_text(text) or _recognised_text(text):
        return words, text
    text, packed = _with_one_form_of_formulas(text)
    packed += [piece.group() for pattern in (_PACKED, _OF_BOOK, *_OF_PROGRAM) for piece in pattern.finditer(text)]
    shown = _OF_BOOK.sub("<FictionBook>", _PACKED.sub(">", text)) if packed else text
    for pattern in _OF_PROGRAM if packed else ():
        shown = pattern.sub("", shown)
    if (declared := _DECLARED.search(shown[:_ROOT_WITHIN])) is not None:
        names = {name: double or single for name, double, single in _DECLARED_NAME.findall(declared.group())}
        packed.append(declared.group())
        shown = _CALLED.sub(lambda call: names.get(call[1], call[0]), shown[declared.end() :], _MOST_CALLS)
    notes = [note[2] for note in _FOOTNOTE.finditer(shown)]
    shown = "\n".join([_FOOTNOTE.sub("", shown), *notes]) if notes else shown
    tags = [*packed, *(mark.group() for mark in _XML_MARK.finditer(shown) if mark.group(1) is None)]
    joined = _LINE_BEGIN.sub(r"\n\g<0>", _AMID_TEXT.sub(_joined, shown))
    words = unescape(_XML_MARK.sub(lambda mark: mark.group(1) or " ", joined))
    if "</" in words:
        words, held = _without_held_pages(_XML_MARK.split(joined))
        tags += held
    distinct = {"".join(value) for tag in tags for value in _ATTRIBUTE.findall(tag)}
    values = " ".join(value for value in distinct if not _STYLES_IN_CSS.fullmatch(value))
    has_words = any(map(str.isalnum, words))
    if letter_count(words) < letter_count(values) or not has_words:
        entries = "\n".join(filter(None, chain.from_iterable(_ENTRY.findall(text)))).strip()
        entries = unescape(entries or ("" if has_words else _rows_of_attributes(text)))
        return (entries, text) if entries else (text, "")
    return words, "\n".join(tags)


def _with_one_form_of_formulas(text: str) -> tuple[str, list[str]]:
    """Return (XML with the signs of formulas in MathML together and without their TeX, the parts that were removed)."""
    if "math" not in text or not _MATHML.search(text):
        return text, []
    removed: list[str] = []

    def alone(alternatives: re.Match[str]) -> str:
        if not _MATHML.search(alternatives[0]):
            return alternatives[0]
        removed.extend(_TEX.findall(alternatives[0]))
        return _TEX.sub("", alternatives[0])

    def joined(formula: re.Match[str]) -> str:
        tags = _with_fractions_apart(_BETWEEN_TAGS.sub(">", formula[2].strip()))
        removed.append(formula[0])
        return f"<{formula[1]}>{_XML_MARK.sub(lambda mark: mark.group(1) or '', tags)}</{formula[1]}>"

    return _MATHML.sub(joined, _ALTERNATIVES.sub(alone, text)), removed


def _with_fractions_apart(formula: str) -> str:
    """Return a formula in MathML with spaces before the parts of fractions and before what follows a fraction."""
    around: list[str] = []
    before = ""

    def spaced(tag: re.Match[str]) -> str:
        nonlocal before
        if tag[1]:
            before = around.pop() if around else ""
            return tag[0]
        is_apart = "mfrac" in (before, *around[-1:])
        before = tag[2] if tag[3] else ""
        if not tag[3]:
            around.append(tag[2])
        return f" {tag[0]}" if is_apart else tag[0]

    return _OF_MATHML.sub(spaced, formula)


def _rows_of_attributes(text: str) -> str:
    """Return the table of XML of which most tags with attributes have one name and the same two or more attributes.

    "" for other XML. The first row is the name of the tags.
    """
    rows = [(name, _NAME_AND_VALUE.findall(attributes)) for name, attributes in _TAG.findall(text)]
    shapes = Counter((tag, tuple(name for name, _, _ in row)) for tag, row in rows if len(row) > 1)
    (tag_of_table, keys), count = max(shapes.items(), key=itemgetter(1), default=(("", ()), 0))
    if count < 2 or 2 * count < shapes.total():
        return ""
    lines = [tag_of_table, CELL_END.join(keys)]
    for tag, row in rows:
        values = [value or other for _, value, other in row]
        if (tag, tuple(name for name, _, _ in row)) == (tag_of_table, keys):
            lines.append(CELL_END.join(values))
        elif row:
            lines.append(CELL_END.join([tag, *(f"{name} {value or other}" for name, value, other in row)]))
    return ROW_END.join(lines)


def _without_held_pages(pieces: list[str | None]) -> tuple[str, list[str]]:
    """Return (the words between the tags of XML, the tags of pages within it, as notes and feeds have).

    pieces: by turns what is between two tags, and None for a tag or what is stored as it is.
    """
    words, tags = [], []
    for number, piece in enumerate(pieces):
        text = " " if piece is None else piece if number % 2 else unescape(piece)
        without = _HELD_TAG.sub(" ", text) if "<" in text else text
        if without != text and any(map(str.isalnum, without)):  # tags alone are shown, as in a text about them
            tags += _HELD_TAG.findall(text)
            text = unescape(without)
        words.append(text)
    return "".join(words), tags


def _joined(tag: re.Match[str]) -> str:
    """Return "" for a tag within a word of XML, else the tag: a capital after a small letter begins another word."""
    begins = tag.string[tag.start() - 1].islower() and tag.string[tag.end()].isupper()
    return tag.group() if begins or _PARTING.match(tag.group()) else ""


def _word_xml_text(text: str) -> str:
    """Return paragraphs, then notes, of XML that Microsoft Word saved, without running heads; "" for other XML."""
    body = _REPEATED.sub("", text.partition("<w:body>")[2].rpartition("</w:body>")[0])
    first, *others = _FOOTNOTE.sub("", body).split("<w:sectPr")
    notes = (note[2] for note in _FOOTNOTE.finditer(text if body else ""))
    without_heads = "".join([first, *(part.partition("</w:sectPr>")[2] for part in others), *notes])
    return unescape("".join(piece or "\n" for piece in _WORD_XML_RUN.findall(without_heads)))


def _recognised_text(text: str) -> str:
    """Return the lines of recognised pages in ALTO; "" for other XML."""
    if "<TextLine" not in text and ":TextLine" not in text:
        return ""
    before = {"String": " ", "HYP": "", "": "\n"}
    return unescape("".join(before[kind] + word + other for kind, word, other in _RECOGNISED.findall(text))).strip()


def _is_xml(text: str) -> bool:
    """Tell whether a text is an XML document: by its declaration, or by the end of the element that it begins with."""
    if not text[:_ROOT_WITHIN].lstrip().startswith("<"):
        return False
    root = _ROOT.match(text[:_ROOT_WITHIN])
    return bool(_XML.match(text[:200])) or (root is not None and text.rstrip().endswith(f"</{root.group(1)}>"))


def _shown_fields(text: str) -> tuple[str, str]:
    """Return what a program shows of a calendar or of contacts, without other fields, in which two exports differ."""
    if not _FIELDS.match(text):
        return text, ""
    shown: list[str] = []
    hidden: list[str] = []
    entries: list[list[tuple[int, str]]] = [[]]  # the fields of each that has not ended, with their places
    for line in _FOLD.sub("", text).split("\n"):
        field = _FIELD.match(line)
        name = "" if field is None else field.group(1).upper()
        if field is not None and name in _SHOWN:
            entries[-1].append((_SHOWN.index(name), _shown_value(field)))
            continue
        hidden.append(line)
        if name == "BEGIN":
            entries.append([])
        elif name == "END" and len(entries) > 1:
            shown += _in_order(entries.pop())
    for entry in entries:
        shown += _in_order(entry)
    return "\n".join(shown), "\n".join(hidden)


def _in_order(fields: list[tuple[int, str]]) -> list[str]:
    """Return the values of the fields of an entry, by their places."""
    return [value for _, value in sorted(fields, key=itemgetter(0))]


def _shown_value(field: re.Match[str]) -> str:
    """Return what a program shows of one field: its value, and whose it is or who comes."""
    value = field.group(3)
    if "QUOTED-PRINTABLE" in field.group(2).upper():
        value = quopri.decodestring(value.encode()).decode("utf-8", "replace")
    beside = " ".join("".join(said) for said in _SHOWN_BESIDE.findall(field.group(2)))
    value = f"{value.removeprefix('tel:')} {_UNSAID.sub(' ', beside)}".rstrip()
    return re.sub(r"\\([nN])|\\(.)", lambda sign: "\n" if sign.group(1) else sign.group(2), value)


def _without_link_numbers(text: str) -> tuple[str, str]:
    """Remove the numbers of links, and the list of their addresses, from a page that a text browser wrote."""
    start = max((first.start() + 1 for first in _FIRST_LINK.finditer(text)), default=0) if "[1]" in text else 0
    if not start:
        return text, ""
    listed = [_LISTED_LINK.match(line) for line in text[start:].split("\n")]
    numbers = [int(link.group(1)) for link in listed if link is not None and link.group(1)]
    if len(numbers) < _LEAST_LINKS or listed.count(None) > _MOST_HEADINGS:
        return text, ""
    body, _, heading = text[:start].rstrip().rpartition("\n")
    if len(heading) > _LONGEST_HEADING:
        body += "\n" + heading
    last = max(numbers)
    shown = _LINK_NUMBER.sub(lambda number: "" if int(number.group(1)) <= last else number.group(), body)
    return shown, text[start:]


def without_printed_links(text: str, form: Callable[[str], str] = lambda _: "") -> tuple[str, str]:
    """Return (a text without the addresses of links that are printed behind words, these addresses).

    Style sheets for print and makers of books show them, as in "the report (https://example.org/report)"; pages, Word
    files and text browsers do not. form: returns what is put in place of each.
    """
    if "(http" not in text and "（http" not in text:
        return text, ""
    links: list[str] = []

    def replaced(link: re.Match[str]) -> str:
        links.append("".join(link[0].split()))
        return form(links[-1])

    return _PRINTED_LINK.sub(replaced, text), "\n".join(links)


def _without_readings(text: str) -> tuple[str, str]:
    """Return a Japanese text without the pronunciations of its words, which pages and Word files keep above them."""
    if "《" not in text:
        return text, ""
    words, readings = taken_out(_READING, text)
    return words, "\n".join(readings)


def without_chords(text: str) -> tuple[str, str, str]:
    """Return (a song without chords and the names of its parts, its chords, these names).

    Chords are in the lines above the words or, as in ChordPro, in brackets in them.
    """
    padded = "\n" + text
    lines = list(_CHORDS.finditer(padded))
    sung = sum(_SUNG.match(padded, line.end()) is not None for line in lines)
    within = _CHORD_WITHIN.findall(padded) if "m]" in text or "m7]" in text else []
    if _are_chords([line.group() for line in lines], _NOT_MAJOR) and 2 * sung >= len(lines):
        pattern, chords = _CHORDS, " ".join(line.group() for line in lines)
    elif _are_chords(within, _NEITHER_MAJOR_NOR_NUMBER):
        pattern, chords = _CHORD_WITHIN, " ".join(chord.strip("[]") for chord in within)
    else:
        return text, "", ""
    stripped = pattern.sub("", padded)
    parts = "".join(part.group() for part in _OF_SONG.finditer(stripped))
    return _OF_SONG.sub(lambda part: "\n" + (part[1] or ""), stripped)[1:], " ".join(chords.split()), parts


def _are_chords(chords: list[str], seldom: re.Pattern[str]) -> bool:
    """Tell whether there are enough chords, and enough among them that other lists do not have."""
    others = sum(seldom.search(chord) is not None for chord in chords)
    return len(chords) >= _LEAST_CHORDS and others >= _NOT_MAJOR_SHARE * len(chords)


def _without_line_numbers(text: str) -> tuple[str, str]:
    """Return a text without the numbers of its lines."""
    if not may_be_numbered(text.split("\n", SAMPLED_LINES)):
        return text, ""
    lines, numbers = without_line_numbers(text.split("\n"))
    return ("\n".join(lines), "\n".join(numbers)) if numbers else (text, "")


def _without_cues(text: str) -> tuple[str, str]:
    """Return the words of subtitles or timed lyrics.

    Subtitles of one film differ in their times for each recording, and copies of their words have none.
    """
    signs = max(text.count(sign) for sign in _CUE_SIGNS)
    if signs >= LEAST_CUES and text.startswith("[Script Info]"):  # then fonts and settings
        text = text[text.find("Dialogue:") :]
    if signs >= LEAST_CUES and text.startswith("WEBVTT"):
        text = _VTT_REMARK.sub("", text)
    cues = [cue.group() for cue in _CUE.finditer(text)] if signs >= max(LEAST_CUES, len(text) // _CUE_DISTANCE) else []
    lines = sum(1 for line in text.split("\n") if line.strip()) if len(cues) >= LEAST_CUES else 0
    if len(cues) < LEAST_CUES or len(cues) < CUE_SHARE * lines:
        return text, ""
    spoken = _unrolled(_STYLE.sub("", _CUE.sub("", _with_speakers(text))).split("\n"), len(cues))
    return _BREAK.sub(" ", "\n".join(spoken)), "\n".join([*cues, *_VOICE.findall(text)])


def _with_speakers(text: str) -> str:
    """Return subtitles with a name before what each of several speakers says, as other transcripts have it."""
    names = _VOICE.findall(text)
    if len({*names}) < 2:
        return text
    begins = iter(name != before for before, name in pairwise(["", *names]))
    return _VOICE.sub(lambda voice: f"{voice[1]}: " if next(begins) else "", text)


def _unrolled(lines: list[str], cues: int) -> list[str]:
    """Return the lines of subtitles, each once if they scroll up, so that most cues begin with the line before."""
    filled = [line for line in lines if line.strip()]
    once = filled[:1] + [line for before, line in pairwise(filled) if line.strip() != before.strip()]
    return once if len(filled) - len(once) >= _ROLLING_SHARE * cues else lines


def decoded_escapes(text: str) -> str:
    """Return a text with the escapes of JSON, Java or HTML decoded; programs differ in which characters they escape."""
    if "\\" in text and LIKE_JSON.match(text[:200]):
        text = _ESCAPES.sub(_unescaped, text)
    elif (
        text.count("\\u") >= LEAST_ESCAPED and len(_CODES.findall(text)) >= LEAST_ESCAPED and _CODE_IN_WORD.search(text)
    ):
        text = _CODES.sub(_unescaped, text)
    if text.count("&") >= LEAST_ESCAPED:
        letters = sum(unescape(entity).isalpha() for entity in _ENTITY.findall(text))
        text = unescape(text) if letters >= LEAST_ESCAPED and _ENTITY_IN_WORD.search(text) else text
    return text


def _unescaped(escapes: re.Match[str]) -> str:
    """Return the characters of JSON's escapes."""
    characters = str(json.loads(f'"{escapes.group()}"'))
    return characters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def without_ticks(text: str) -> tuple[str, str, str]:
    """Return (text without the boxes of a questionnaire, what is in each box, text with ☑, ☐ or ☒ for each).

    Each box gives one letter: "_" if it is empty, "x" for a tick, "-" for a bare cross. Boxes are taken out because the
    letter of a typed tick is not a word, and because other answers do not make another text.
    """
    signs = beyond_ascii(text)
    has_signs = signs != "" and (
        any(sign in signs for sign in _TICK_SIGNS)
        or any(filled in signs and empty in signs for filled, empty in _PAIRS)
    )
    if not has_signs and not (
        any(may_have and _BOXED.search(line) for line, may_have in split_at_lines(text, _MAY_BE_BOXED))
        and any(tick in text for tick in _TYPED_TICKS)
    ):
        return text, "", text
    pieces = _BOX.split(text)  # every second one is a box
    ticks = "".join(
        "-" if box in _CROSSES else "_" if box in _EMPTY or not box.strip("[()] \t_") else "x" for box in pieces[1::2]
    )
    stripped = " ".join(pieces[::2])
    pieces[1::2] = ticks.translate(_TICKED)
    return stripped, ticks, "".join(pieces)


def without_points(text: str) -> tuple[str, str]:
    """Return (text without vowel points and accents of stress, what was removed, each behind its letter)."""
    if text.isascii() or not any(letter in text for letter in _POINTED):
        return text, ""
    pieces = _POINTS.split(text)  # every second one is a run of points
    removed = zip(pieces[::2], pieces[1::2], strict=False)
    return "".join(pieces[::2]), "".join(f"{before[-1:]}{points}" for before, points in removed)


def with_persian_letters(text: str) -> str:
    """Return a text with the yeh and the kaf of its language, Persian or Arabic."""
    is_persian = not text.isascii() and any(letter in text for letter in _NOT_ARABIC)
    for arabic, persian in _PERSIAN.items() if is_persian else ():
        text = arabic.sub(persian, text)
    return text
