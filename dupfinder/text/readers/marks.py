"""Text files made for a program that shows them: subtitles, XML, calendars, contacts, terminal output, sources, links
of text browsers, numbered lines, pronunciations, chords; and, in all formats, escapes, ticks in boxes, the times of
transcripts and chats, the numbers of list items and notes, vowel points.

The words that people see are the text; the marks around them are other content.
"""

from __future__ import annotations

import hashlib
import json
import quopri
import re
import string
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from dupfinder.text.document import beyond_ascii
from dupfinder.text.layout import SAMPLED_LINES, may_be_numbered, split_at_lines, value_of, without_line_numbers
from dupfinder.text.normalise import unescape
from dupfinder.text.readers.sources import without_commands, without_markup, without_roles
from dupfinder.text.readers.troff import without_requests

LEAST_CUES: Final = 3  # a text may quote one or two lines with times
CUE_SHARE: Final = 0.2  # least share of lines with a time; each subtitle has at most a few lines
_CUE_SIGNS: Final = ("-->", "}{", "Dialogue:", "[0")  # every kind of cue has one of these
_CUE_DISTANCE: Final = 1000  # characters; subtitles have a cue at least so often
_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
# Of SubRip and WebVTT (first a number), MicroDVD (in frames), SubStation Alpha, and lyrics.
_CUE = re.compile(
    rf"^(?:(?:[ \t]*[\w-]{{1,40}}[ \t]*\n)?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*"
    r"|\{\d{1,9}\}\{\d{1,9}\}"
    rf"|Dialogue:[^,\n]*,{_TIME},{_TIME}(?:,[^,\n]*){{6}},"
    r"|(?:\[\d{1,3}:\d{2}\.\d{2,3}\][ \t]*)+)|\AWEBVTT[^\n]*(?:\n(?![^\n]*-->)[^\n]+)*",
    re.M,
)
_VTT_REMARK = re.compile(r"^(?:NOTE|STYLE|REGION)(?:[ \t][^\n]*)?(?:\n(?![^\n]*-->)[^\n]+)*", re.M)
_VOICE = re.compile(r"<v\b[^<>\n]{0,200}>")
_STYLE = re.compile(
    r"</?(?:[biuc]|font|v|ruby|rt)\b[^<>\n]{0,200}>|<\d{1,3}:[\d:.]{2,12}>"  # the second: when a word is spoken
    r"|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,100}\}"
)
_ROLLING_SHARE: Final = 0.75  # least share of the cues that begin with the line before, as it scrolls up
_BREAK = re.compile(r"\||\\[Nn]")
_TERMINAL = re.compile("\x1b\\[[0-9;?]{0,20}[A-Za-z]|[^\n]\x08")
_TERMINAL_SIGNS = (re.compile("\x1b"), re.compile("\x08"))
_ASCII_LETTERS = string.ascii_letters.encode()
_FIRST_EAST_ASIAN: Final = "\u2e80"
_XML = re.compile(r"\s*<\?xml\s")
# The root of XML without a declaration, after comments and the kind of the document.
_ROOT = re.compile(
    r"\s*+(?>(?:<!--.*?-->\s*+|<![A-Z][^<>\[]*+(?>(?:\[[^\]]*+\]\s*+)?)>\s*+)*)<([A-Za-z_][\w:.-]*+)[\s>]", re.S
)
_ROOT_WITHIN: Final = 4096  # characters
# In XML that Microsoft Word saved: the text of a run, or "" for what begins a line or a column.
_WORD_XML_RUN = re.compile(r"<w:t(?: [^<>]*)?>([^<]+)</w:t>|<w:(?:p|br|cr|tab)(?: [^<>]*)?/?>")
# Pictures and files within XML, in base64 (RFC 4648), and what a FictionBook says of itself.
_PACKED = re.compile(r">\s*+[A-Za-z0-9+/]{60}[A-Za-z0-9+/=\s]{200,}+(?=<)")
_OF_BOOK = re.compile(
    r"<FictionBook[\s>][^<]*<description>(?>(?:[^<]++|<(?!/description>|FictionBook[\s>]))*)</description>"
)
_ATTRIBUTE = re.compile(r"(?<!xmlns)=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')")
_XML_MARK = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<[!/A-Za-z_:][^<>]*>", re.S)
# The addresses of a page's links, which text browsers list below it; in the page, [1] is before the first link.
_FIRST_LINK = re.compile(r"\n[ \t]{1,5}1\. [a-z][a-z+-]{1,9}:\S")
_LISTED_LINK = re.compile(r"[ \t]*+(?:(\d{1,6})\. [a-z][a-z+-]{1,9}:\S.*)?$")
_LINK_NUMBER = re.compile(r"\[(\d{1,6})\]")
_LEAST_LINKS: Final = 3
_MOST_HEADINGS: Final = 2  # among the addresses: "Hidden links:"
_LONGEST_HEADING: Final = 40  # characters

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
_NOT_MAJOR = re.compile("[ac-z2-9]")
_NEITHER_MAJOR_NOR_NUMBER = re.compile("[ac-z]")  # [A1] and [B7] may be books
_LEAST_CHORDS: Final = 4  # such lines, or chords within lines
_NOT_MAJOR_SHARE: Final = 0.25  # least share of them that have other chords

# What programs show of a calendar (RFC 5545) or of contacts (RFC 6350); all else is bookkeeping, such as UID and REV.
_SHOWN: Final = frozenset((
    "SUMMARY", "DESCRIPTION", "LOCATION", "COMMENT", "CATEGORIES", "DTSTART", "DTEND", "DUE", "DURATION", "RRULE",
    "URL", "CONTACT", "ATTENDEE", "ORGANIZER", "FN", "N", "NICKNAME", "ORG", "TITLE", "ROLE", "TEL", "EMAIL", "ADR",
    "BDAY", "ANNIVERSARY", "NOTE", "IMPP",
))  # fmt: skip
_FIELDS = re.compile(r"\s*BEGIN:(?:VCALENDAR|VCARD)\s", re.I)
_FOLD = re.compile(r"\n[ \t]|=\n(?![\w-]{1,40}[;:.])")  # the second in quoted-printable
_FIELD = re.compile(r"(?:[\w-]{1,40}\.)?([\w-]{1,40})((?:;(?:[^:\"\n]|\"[^\"\n]*\"){0,400})?):(.*)")
# Parameters shown beside a field: whose number it is, who comes, the time zone. Defaults (_UNSAID) are not shown.
_SHOWN_BESIDE = re.compile(r";(?:(?:CN|PARTSTAT|ROLE|TYPE|TZID)=((?:[^;\"]|\"[^\"]*\")*)|([\w-]*)(?![^;]))", re.I)
_UNSAID = re.compile(
    r"\b(?:NEEDS-ACTION|REQ-PARTICIPANT|VOICE|INTERNET|PREF|[78]BIT|BASE64|QUOTED-PRINTABLE)\b|[\",]", re.I
)
# Where programs store the words of messages, their times and their writers in JSON.
_KEYS_OF_WORDS: Final = ("text", "content", "body", "message")
_KEYS_OF_TIMES: Final = ("date", "ts", "timestamp", "timestamp_ms", "created_at", "created_date", "sent_at", "time")
_KEYS_OF_WRITERS: Final = ("from", "actor", "sender_name", "user_profile", "author", "sender", "creator", "user")
_KEYS_OF_NAMES: Final = ("real_name", "display_name", "name", "global_name", "username")
_BEFORE_TIME: Final = ", ["
_LATEST_SECOND: Final = 10**11  # in the year 5138; larger numbers are milliseconds
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
LEAST_ESCAPED: Final = 4  # escaped letters; a text may quote a few
_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{\[])')
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

LEAST_TIMES: Final = 5  # lines with times
TIME_SHARE: Final = 0.1  # least share of the lines that begin with a time: a paragraph may have several lines
SPOKEN_SHARE: Final = 0.5  # least share of the dated lines on which a name follows
LATEST_START: Final = 120  # seconds into a recording at which its transcript begins; a log has the time of the day
LONGEST_RECORDING: Final = 36_000  # seconds
_SAMPLED: Final = 10_000  # first characters of a text, where half of the least share of lines must have a time
_MAY_BE_CLOCK = re.compile(r":(?<=\d:)\d\d")  # begins with the colon, which is rarer than digits
_CLOCK = r"\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_STAMP = re.compile(
    rf"^[ \t\u200e]*[\[(]?(?P<date>\d{{1,4}}[./-]\d{{1,2}}[./-]\d{{2,4}},[ \t])?(?P<time>{_CLOCK})"
    rf"(?:[ \t]*(?:-->|[-–,])[ \t]*{_CLOCK})?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?[\])]?"
    r"(?:[ \t]*(?:[-–][ \t]*)?(?=(?P<name><[^<>\n]{1,40}>|[^:\n]{1,40}: )|\S)|$)"
    rf"|(?<=\S)[ \t]+[\[(]?(?P<after>{_CLOCK})[\])]?:?$",
    re.M,
)

# When a message was sent, with or without a date before or behind the time.
_DATE: Final = r"\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\.?"
_HALF: Final = r"(?:[上下]午|午[前後]|오[전후]|[AaPp]\.?[Mm]\b\.?)"
_SENT = re.compile(
    rf"(?<![\w.,:/-])(?:(?P<date>{_DATE})(?:[,\t]?[ \xa0]|T))?(?P<half>{_HALF}[ \xa0\u202f]?)?"
    rf"(?P<time>\d{{1,2}}[:.]\d{{2}})(?:[:.]\d{{2}})?(?:[ \xa0\u202f]?(?P<behind>{_HALF}))?"
    rf"(?:,[ ](?P<after>{_DATE}))?(?![\w:/])"
)
# Above the messages of a day: "21 May 2023", "Freitag, 3. März 2023", "March 3, 2023", "2023年3月3日".
_DAY = re.compile(
    r"(?:[^\W\d_]{1,12}\.?,? (?:de )?){0,2}\d{1,2}(?:[a-z]{2}|\.)?,?(?: (?:de )?[^\W\d_]{3,12}\.?,?(?: de)?)? \d{4}"
    r"|\d{4}[年년] ?\d{1,2}[月월] ?\d{1,2}[日일]\D{0,5}"
)
_SENT_WITHIN: Final = 100  # first characters of a line
_LONGEST_NAME: Final = 40  # characters
_NAMED = re.compile(
    rf"(?:[-–][ \t]*)?(?:<([^<>\n]{{1,{_LONGEST_NAME}}})>|([^:\n]{{1,{_LONGEST_NAME}}}):(?=\s|$))[ \t]*"
)
_SAID = re.compile(rf"[ \t]*((?![a-z\d•*#/{{\[<\"-])[^:\s][^:\n]{{0,{_LONGEST_NAME - 1}}}):[ \t]+(?=\S)")
_NAMED_SHARE: Final = 0.8  # least share of the lines that begin with a name
_LEAST_EACH: Final = 4  # messages of each writer on average
_AGAIN_SHARE: Final = 0.1  # least share of the messages that follow one of the same writer
_MOST_SAID: Final = 15  # words of a message on average; longer ones would be several lines in some formats
_BESIDE_SENT: Final = " \t\u200e\u202f\xa0[](),—–-"
_AFTERNOON: Final = "下後후Pp"
# The log of a program may look like a chat of its levels.
_LEVELS: Final = frozenset(
    ("debug", "info", "notice", "warn", "warning", "error", "critical", "fatal", "trace", "pass", "fail")
)


_ROMAN: Final = "ivxl"
_HAN_DIGITS: Final = "〇一二三四五六七八九十"
_NUMBER = re.compile(
    r"\n[ \t\u3000]*+(?![A-Za-z][^.)、）．ivxlIVXL])([(（\[]?)"  # not before most words
    r"(\d{1,3}|[A-Za-z]|[ivxl]{2,6}|[IVXL]{2,6}|[一二三四五六七八九十]{1,3})"
    r"([.)、）．\]]{1,2})(?:[ \t\xa0]+(?=\S)|(?=[^\x00-\x7f]|\"[^\x00-\x7f])"
    r"|(?<=\d[.)])[ \t]*+(?=\n|\Z))"  # also in a line of its own, as in the first column of a table
)

# A number of several levels, or a bare one, at the beginning of a line: "4.1", "2.03.", "A.1.2", "4".
_OUTLINE = re.compile(
    r"\n[ \t\u3000]*+([1-9A-Z](?:(?<=[1-9])\d?|(?=[.．]))(?:[.．]0?[1-9]\d?){0,5})"
    r"(?:(?![.．]?[\w%°€$])[.．]?+(?:[ \t\xa0]++(?![%°€$])|(?=\n|\Z))"
    r"|[.．]?(?=[\u2e80-\U0003ffff])(?![元亿億万萬米年月日点倍배년월]))"
)
_LAST_NUMBER = re.compile(r"(?<!\d)(?<!\d[.,:/-])(?<=[^\n])(\d{1,4})(?=[ \t]*$)", re.M)
_AROUND_POEM: Final = 10  # lines; also of those behind its last number
_FULL_LINE: Final = 40  # least characters of a line of prose that is broken because it is full

# Patterns of numbers within lines, by signs: a text that counts to two (bare numbers: to ten) contains one of these.
_BARE = re.compile(r"([0-9](?<!\S.)(?<!第[ \n].)[0-9]{0,2})(?!\S)")  # no ordinal; the digit is quickly found
_COUNTING: Final = {
    ("(2)", "(٢)", "(۲)"): re.compile(r"\((?<![\w)\]}]\()(\d{1,3})\)"),
    ("[2]", "[٢]", "[۲]"): re.compile(r"\[(?<![\w)\]}]\[)(\d{1,3})\](?![\w\[])"),
    ("﴾2﴿", "﴿2﴾", "﴾٢﴿", "﴿٢﴾", "﴾۲﴿", "﴿۲﴾"): re.compile(r"[﴾﴿](\d{1,3})[﴾﴿]"),
    ("¹",): re.compile(r"([¹²³⁰⁴-⁹](?<!\w.)[¹²³⁰⁴-⁹]{0,2})(?![⁰-⁹⁄])"),
    (" 10 ", "\n10 ", " 10\n", "\n10\t", "\n10\n"): _BARE,
}
OTHERS_SHARE: Final = 0.25  # most other numbers of the same kind, as a share of those that count; they are references
_LEAST_BARE: Final = 10  # bare numbers
_LEAST_VERSE: Final = 20  # characters for each of them

# Frequent letters of pointed scripts, and the accent: a text without any of them is not searched for points.
_POINTED: Final = "\u0627\u0644\u05d5\u05d9\u0301"
# Not the marks above and below alef, U+0653 to U+0655, which make other letters of it. The last ones are accents on
# Cyrillic vowels, which books for learners print to show the stress; on Latin letters accents are spelling.
_POINT: Final = (
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670"
    "\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
)
_POINTS = re.compile(f"([{_POINT}\u0301](?:(?<!\u0301)[{_POINT}]*|(?<=[аеєиіїоуыэюяАЕЄИІЇОУЫЭЮЯ]\u0301)))")

_NOTE_MARK = re.compile(r"\[\d{1,3}\]")
# Persian and Urdu have a yeh and a kaf of their own, for which Arabic keyboards and old encodings have only the Arabic
# ones. A text with one of these letters is not Arabic.
_NOT_ARABIC: Final = "پچژگ"
_PERSIAN: Final = {"ي": "ی", "ك": "ک"}


def without_marks(text: str) -> tuple[str, str]:
    """Return (the words that people see, the marks that were removed); most texts have none."""
    marks: list[str] = []
    for remove in (
        _without_terminal_codes,
        _without_tags,
        _shown_fields,
        _shown_messages,
        without_commands,
        without_requests,
        without_roles,
        without_markup,
        _without_cues,
        _without_link_numbers,
        _without_line_numbers,
        _without_chords,
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
        pieces.append(_TERMINAL.sub("", piece) if has_sign else piece)
        codes += _TERMINAL.findall(piece) if has_sign else []
    return "".join(pieces), "\n".join(codes)


def _without_tags(text: str) -> tuple[str, str]:
    """Return the text of an XML document.

    If its tags have more letters in their attributes than between them, it is data and stays as it is. Values that
    recur are counted once, because they name styles.
    """
    if not _is_xml(text):
        return text, ""
    if words := _word_xml_text(text):
        return words, text
    packed = [piece for pattern in (_PACKED, _OF_BOOK) for piece in pattern.findall(text)]
    shown = _OF_BOOK.sub("<FictionBook>", _PACKED.sub(">", text)) if packed else text
    tags = [*packed, *(mark.group() for mark in _XML_MARK.finditer(shown) if mark.group(1) is None)]
    words = unescape(_XML_MARK.sub(lambda mark: mark.group(1) or " ", shown))
    if "</" in words:  # pages within notes and feeds
        words = unescape(_XML_MARK.sub(" ", words))
    values = " ".join({"".join(value) for tag in tags for value in _ATTRIBUTE.findall(tag)})
    if _letters(words) < _letters(values) or not any(map(str.isalnum, words)):
        return text, ""
    return words, "\n".join(tags)


def _word_xml_text(text: str) -> str:
    """Return the paragraphs of XML that Microsoft Word saved, without running heads; "" for other XML."""
    body = text.partition("<w:body>")[2].rpartition("</w:body>")[0]
    first, *others = body.split("<w:sectPr")
    kept = "".join([first, *(part.partition("</w:sectPr>")[2] for part in others)])
    return unescape("".join(piece or "\n" for piece in _WORD_XML_RUN.findall(kept)))


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
    shown, hidden = [], []
    for line in _FOLD.sub("", text).split("\n"):
        field = _FIELD.match(line)
        if field is None or field.group(1).upper() not in _SHOWN:
            hidden.append(line)
            continue
        value = field.group(3)
        if "QUOTED-PRINTABLE" in field.group(2).upper():
            value = quopri.decodestring(value.encode()).decode("utf-8", "replace")
        beside = " ".join("".join(said) for said in _SHOWN_BESIDE.findall(field.group(2)))
        value += f" {_UNSAID.sub(' ', beside)}".rstrip()
        shown.append(re.sub(r"\\([nN])|\\(.)", lambda sign: "\n" if sign.group(1) else sign.group(2), value))
    return "\n".join(shown), "\n".join(hidden)


def _shown_messages(text: str) -> tuple[str, str]:
    """Return the messages of a chat that was exported as JSON, each below its writer and its time.

    Few writers write most of them, unlike reviews. All else in such a file is mostly bookkeeping; below the messages is
    a word that stands for it, so that two files that differ in it do not have the same words.
    """
    if not _JSON.match(text[:200]) or not any(text.count(f'"{key}":') >= LEAST_TIMES for key in _KEYS_OF_WORDS):
        return text, ""
    try:
        stored = json.loads(text)
    except (ValueError, RecursionError):
        return text, ""
    messages = next((part for part in (stored, *_lists_in(stored)) if isinstance(part, list)), [])
    shown = [line for message in messages if isinstance(message, dict) and (line := _shown_message(message))]
    writers = Counter(message.partition(_BEFORE_TIME)[0] for message in shown)
    if sum(count for count in writers.values() if count > 1) < max(LEAST_TIMES, SPOKEN_SHARE * len(messages)):
        return text, ""
    return "\n".join([*shown, _word_of([text])]), text


def _lists_in(stored: object) -> list[object]:
    """Return the values of an object, the longest list first."""
    values = list(stored.values()) if isinstance(stored, dict) else []
    return sorted(values, key=lambda value: -len(value) if isinstance(value, list) else 0)


def _shown_message(message: dict[str, object]) -> str:
    """Return a message below its writer and its time; "" for an object that is no message."""
    words = next((message[key] for key in _KEYS_OF_WORDS if key in message), None)
    sent = _time_in(next((message[key] for key in _KEYS_OF_TIMES if key in message), None))
    writer = next((name for key in _KEYS_OF_WRITERS if (name := _name_in(message.get(key)))), "")
    if words is None or not sent or not writer:
        return ""
    pieces = words if isinstance(words, list) else [words]  # Telegram stores links and bold words as objects
    said = (piece.get("text", "") if isinstance(piece, dict) else piece for piece in pieces)
    return f"{writer}{_BEFORE_TIME}{sent}]\n" + "".join(map(str, said))


def _name_in(writer: object) -> str:
    """Return the name of a writer, which is a text or an object."""
    if isinstance(writer, dict):
        return next((str(writer[key]) for key in _KEYS_OF_NAMES if writer.get(key)), "")
    return writer if isinstance(writer, str) else ""


def _time_in(sent: object) -> str:
    """Return a time that is stored as in ISO 8601, or in seconds or milliseconds since 1970; "" for none."""
    try:
        seconds = float(sent)  # type: ignore[arg-type]  # what is no number raises
        moment = datetime.fromtimestamp(seconds / 1000 if seconds > _LATEST_SECOND else seconds, UTC)
    except (TypeError, ValueError, OverflowError, OSError):
        parts = _ISO_TIME.match(sent) if isinstance(sent, str) else None
        return " ".join(parts.groups()) if parts else ""
    return moment.strftime("%Y-%m-%d %H:%M")


def _letters(text: str) -> int:
    """Count the letters of a text; an East Asian one says as much as two.

    Those of ASCII are counted as bytes, a hundred times as fast.
    """
    data = text.encode("ascii", "ignore")
    others = list(filter(str.isalpha, beyond_ascii(text)))
    east_asian = sum(letter >= _FIRST_EAST_ASIAN for letter in others)
    return len(data) - len(data.translate(None, _ASCII_LETTERS)) + len(others) + east_asian


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


def _without_readings(text: str) -> tuple[str, str]:
    """Return a Japanese text without the pronunciations of its words, which pages and Word files keep above them."""
    if "《" not in text:
        return text, ""
    return _READING.sub("", text), "\n".join(_READING.findall(text))


def _without_chords(text: str) -> tuple[str, str]:
    """Return the words of a song without the chords in the lines above them or, as in ChordPro, in brackets in them."""
    padded = "\n" + text
    lines = list(_CHORDS.finditer(padded))
    sung = sum(_SUNG.match(padded, line.end()) is not None for line in lines)
    within = _CHORD_WITHIN.findall(padded) if "m]" in text or "m7]" in text else []
    if _are_chords([line.group() for line in lines], _NOT_MAJOR) and 2 * sung >= len(lines):
        pattern, chords = _CHORDS, [line.group()[1:] + "\n" for line in lines]
    elif _are_chords(within, _NEITHER_MAJOR_NOR_NUMBER):
        pattern, chords = _CHORD_WITHIN, within
    else:
        return text, ""
    bare = pattern.sub("", padded)
    parts = [part.group() for part in _OF_SONG.finditer(bare)]
    return _OF_SONG.sub(lambda part: "\n" + (part[1] or ""), bare)[1:], "".join(chords + parts)


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
    spoken = _unrolled(_STYLE.sub("", _CUE.sub("", text)).split("\n"), len(cues))
    return _BREAK.sub(" ", "\n".join(spoken)), "\n".join([*cues, *_VOICE.findall(text)])


def _unrolled(lines: list[str], cues: int) -> list[str]:
    """Return the lines of subtitles, each once if they scroll up, so that most cues begin with the line before."""
    filled = [line for line in lines if line.strip()]
    once = filled[:1] + [line for before, line in pairwise(filled) if line.strip() != before.strip()]
    return once if len(filled) - len(once) >= _ROLLING_SHARE * cues else lines


def decoded_escapes(text: str) -> str:
    """Return a text with the escapes of JSON, Java or HTML decoded; programs differ in which characters they escape."""
    if "\\" in text and _JSON.match(text[:200]):
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
    has_signs = not text.isascii() and (
        any(sign in text for sign in _TICK_SIGNS) or any(filled in text and empty in text for filled, empty in _PAIRS)
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
    bare = " ".join(pieces[::2])
    pieces[1::2] = ticks.translate(_TICKED)
    return bare, ticks, "".join(pieces)


def without_times(text: str) -> Timed:
    """Return the words of a transcript or of a chat without the times before them; other texts unchanged.

    The times of a recording have no date, count from its start and never fall. In a chat, a name is beside each time.
    Logs of programs, which are neither, stay as they are.
    """
    sample = text[:_SAMPLED]
    lines = sample.split("\n")
    least = max(LEAST_TIMES, TIME_SHARE * len(lines)) / 2
    words, times = text, ""
    if len(_MAY_BE_CLOCK.findall(sample)) >= least:
        if sum(1 for line in lines if _STAMP.search(line)) >= least:
            words, times = _without_times_of_recording(text)
        is_chat = not times and max(map(len, _ways_of_heads(lines))) >= least
        if is_chat and (chat := _without_speakers(text, _ways_of_heads)).shown:
            return chat
    if sample.count(": ") >= least and len(_heads_without_times(lines)[0]) >= least:
        return _without_speakers(words, _heads_without_times)._replace(times=times)
    return Timed(words, times)


def _without_times_of_recording(text: str) -> tuple[str, str]:
    """Return (the words of a transcript, the times before them); other texts unchanged."""
    stamps = list(_STAMP.finditer(text))
    filled = sum(1 for line in text.split("\n") if line.strip())
    if len(stamps) < max(LEAST_TIMES, TIME_SHARE * filled) or not _is_recording(stamps):
        return text, ""
    return _STAMP.sub("", text), "\n".join(stamp.group() for stamp in stamps)


def _is_recording(stamps: list[re.Match[str]]) -> bool:
    """Tell whether times count the minutes of a recording."""
    times = list(_seconds(stamps))
    dated = any(stamp.group("date") for stamp in stamps)
    ascending = all(earlier <= later for earlier, later in pairwise(times))
    return not dated and ascending and times[0] <= LATEST_START and times[-1] <= LONGEST_RECORDING


def _seconds(stamps: list[re.Match[str]]) -> Iterator[int]:
    """Yield the time of each stamp in seconds; of two numbers the first are minutes."""
    for stamp in stamps:
        clock = re.split("[.,]", stamp.group("time") or stamp.group("after"))[0]
        *hours, minutes, seconds = map(int, clock.split(":"))
        yield 3600 * sum(hours) + 60 * minutes + seconds


class Timed(NamedTuple):
    """A text without the times in it.

    words: of a chat also the names of its writers, once. times: what was removed. moments: in a chat, when each message
    was sent, in a form that does not depend on the program. shown: a chat with the name of its writer before messages.
    """

    words: str
    times: str = ""
    moments: str = ""
    shown: str = ""


class _Head(NamedTuple):
    """The line of a chat in which a message begins.

    sent: when. name: of the writer, "" if not told. words: of the message, in this line. lines: the numbers of other
    lines that belong to the head, and so are no words of a message.
    """

    sent: re.Match[str] | None
    name: str = ""
    words: str = ""
    lines: tuple[int, ...] = ()


class _Row(NamedTuple):
    """A line of a chat.

    words: those of a message. Where a message begins, also writer ("" if not told), turn (where in the text, and by
    whom) and moment (when it was sent).
    """

    words: str
    writer: str = ""
    turn: str = ""
    moment: str = ""


def _without_speakers(text: str, ways_of: Callable[[list[str]], Iterable[dict[int, _Head]]]) -> Timed:
    """Return the messages of a chat and, below them, who wrote them. ways_of: returns heads of messages by their lines.

    Programs write one chat with or without dates, with the name in the line of the time, above or below it, at each
    message or once for several. So the names of those who wrote more than one message are in the text once, with a word
    that stands for who wrote which of them: to other turns belong other words. Other texts, in which few names recur or
    no messages of several kinds follow, are returned unchanged: logs, timetables, rosters.
    """
    whole = text.split("\n")
    days = [line.strip() for line in whole if _DAY.fullmatch(line.strip())]
    lines = ["" if line.strip() in days else line for line in whole] if days else whole
    counted = [(heads, Counter(head.name for head in heads.values() if head.name)) for heads in ways_of(lines)]
    heads, names = max(counted, key=lambda way: sum(count for count in way[1].values() if count > 1))
    writers = {name: count for name, count in names.items() if count > 1}
    least = max(LEAST_TIMES, TIME_SHARE * sum(1 for line in lines if line.strip()), SPOKEN_SHARE * names.total())
    if sum(writers.values()) < least or any(name.strip("[]()").casefold() in _LEVELS for name in writers):
        return Timed(text)
    rows = list(_rows(lines, heads, writers))
    begins = [number for number, row in enumerate(rows) if row.turn]
    parts = (rows[begin:end] for begin, end in pairwise([*begins, len(rows)]))
    messages = {" ".join(row.words for row in part).strip() for part in parts} - {""}
    if 2 * len(messages) < len(begins):
        return Timed(text)
    removed = [line.removesuffix(row.words) for line, row in zip(whole, rows, strict=True) if line != row.words]
    shown = [f"{row.writer}: {row.words}" if row.writer else row.words for row in rows]
    below = [*sorted(writers), _word_of([row.turn for row in rows if row.turn])]
    moments = [row.moment for row in rows if row.moment]
    return Timed(
        "\n".join([*(row.words for row in rows), *below]),
        "\n".join(removed),
        "\n".join(moments + days),
        "\n".join(shown),
    )


def _rows(lines: list[str], heads: dict[int, _Head], writers: Collection[str]) -> Iterator[_Row]:
    """Yield the row of each line of a chat. heads: by their lines. writers: the names that recur."""
    beside = {line for head in heads.values() if head.name in writers for line in head.lines}
    length, writer = 0, ""
    for number, line in enumerate(lines):
        row, head = _Row("" if number in beside else line), heads.get(number)
        if head is not None and (head.name in writers or head.lines or not head.name):
            writer = head.name if head.name in writers else writer
            moment = _moment(head.sent) if head.sent else ""
            row = _Row(head.words, writer if head.name == writer else "", f"{length} {writer}", moment)
        yield row
        length += len("".join(row.words.split()))


def _heads_without_times(lines: list[str]) -> tuple[dict[int, _Head]]:
    """Return the heads of messages of a chat that was copied without its times: nearly all lines begin with names.

    Few write many messages, and some write twice in a row, unlike in interviews, plays, questions with answers, and
    records with the same fields. The notes to releases of a program are under small letters.
    """
    heads = {
        number: _Head(None, name[1].strip(), line[name.end() :])
        for number, line in enumerate(lines)
        if (name := _SAID.match(line))
    }
    turns = [head.name for head in heads.values()]
    again = sum(before == after for before, after in pairwise(turns))
    least = max(_AGAIN_SHARE * len(turns), 1), _NAMED_SHARE * sum(1 for line in lines if line.strip())
    is_chat = again >= least[0] and len(turns) >= max(least[1], _LEAST_EACH * len({*turns})) and len({*turns}) > 1
    return (heads if is_chat and sum(len(line.split()) for line in lines) <= _MOST_SAID * len(turns) else {},)


def _word_of(texts: list[str]) -> str:
    """Return a word that stands for some texts. It has letters alone, since a number would count as filled in."""
    digest = hashlib.blake2b("\n".join(texts).encode("utf-8", "replace"), digest_size=16).digest()
    return "".join(chr(ord("a") + byte % 26) for byte in digest)


def _ways_of_heads(lines: list[str]) -> tuple[dict[int, _Head], ...]:
    """Return the heads of messages by their lines, for each way in which a program may write them.

    The name stands behind the time, with the words; or alone, before the time or behind one in brackets; or in the line
    below the time; or in the line above it.
    """
    behind: dict[int, _Head] = {}
    alone: dict[int, _Head] = {}
    bare: dict[int, _Head] = {}
    for number, line in enumerate(lines):
        if (sent := _SENT.search(line, 0, _SENT_WITHIN)) is None:
            continue
        before, after = line[: sent.start()].strip(_BESIDE_SENT), line[sent.end() :]
        if before:
            if not after.strip(_BESIDE_SENT) and _may_be_name(before):
                alone[number] = _Head(sent, before)
            continue
        said = after.lstrip("]) \t\xa0\u200e")
        name, is_dated = _NAMED.match(said), bool(sent["date"] or sent["after"])
        if name and (name[1] or (is_dated and (said[0] in "-–" or after[0] in "])" or "," in sent.group()))):
            behind[number] = _Head(sent, (name[1] or name[2]).strip(), said[name.end() :])
        elif is_dated and said[:2] in ("- ", "– "):  # what happened: somebody joined
            behind[number] = _Head(sent, words=said[2:])
        elif not said.strip():
            bare[number] = _Head(sent)
        elif after[0] in "])" and _may_be_name(name_alone := said.strip(_BESIDE_SENT)):
            alone[number] = _Head(sent, name_alone)  # without brackets, it may be a film of a programme, or a visit
    return behind, alone | bare, *_names_beside(lines, bare)


def _may_be_name(name: str) -> bool:
    """Tell whether a writer may be called so: not "Beginning:", behind which times are too."""
    return len(name) <= _LONGEST_NAME and ":" not in name


def _names_beside(lines: list[str], bare: dict[int, _Head]) -> Iterator[dict[int, _Head]]:
    """Yield the heads whose time has a line of its own, first with names from the lines below, then from those above.

    A message of one line has no name. Above a time may be the initials of the name below it.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    names = [name if _may_be_name(name := lines[number].strip()) else "" for number in filled]
    places = [place for place, number in enumerate(filled) if number in bare]
    begins = [place - (place > 0 and names[place - 1] in _initials(names[place + 1 : place + 2])) for place in places]
    below, above = dict(bare), dict(bare)
    for before, begin, place, after in zip([-1, *places], begins, places, [*begins[1:], len(filled)], strict=False):
        number = filled[place]
        if after - place > 2:
            below[number] = _Head(bare[number].sent, names[place + 1], lines=(filled[place + 1], *filled[begin:place]))
        if begin - before > (2 if before >= 0 else 1) and begin == place:
            above[number] = _Head(bare[number].sent, names[place - 1], lines=(filled[place - 1],))
    yield below
    yield above


def _initials(names: list[str]) -> set[str]:
    """Return the first letter of each name, and those of its first two words."""
    return {"".join(word[0] for word in name.split()[:count]) for name in names for count in (1, 2) if name}


def _moment(sent: re.Match[str]) -> str:
    """Return the minute of the day at which a message was sent, and the numbers of its date in ascending order."""
    hour, minute = map(int, re.split("[:.]", sent["time"]))
    half = sent["half"] or sent["behind"] or ""
    hour = hour % 12 + 12 * any(sign in half for sign in _AFTERNOON) if half else hour
    numbers = re.findall(r"\d+", sent["date"] or sent["after"] or "")
    return f"{60 * hour + minute} {sorted(int(number) % 100 for number in numbers)}"


_Ordinal = tuple[tuple[str, str, str], int]
"""((opening bracket, kind of number, closing signs), value)"""


def without_list_numbers(text: str) -> tuple[str, str]:
    """Return (text without the numbers of its list items, the numbers).

    They are printed in a PDF and a text file, and computed in a Word file and a page. A number at the beginning of a
    line is one of these if another line, wherever it is, has the number before or after it: "1." and "2.", "(a)" and
    "(b)", "iv)" and "v)", "[8]" and "[9]". So are numbers of several levels, as "4.1", "4.1.1" and "4.2"; numbers of
    notes, and their marks in the text; and numbers that count through it, as of verses.
    """
    padded = "\n" + text
    numbers: list[tuple[re.Match[str], list[_Ordinal]]] = []
    for number in _NUMBER.finditer(padded):
        opening, counter, closing = number.groups()
        numbers.append((number, [((opening, kind, closing), value) for kind, value in _ordinals(counter)]))
    values = {ordinal for _, ordinals in numbers for ordinal in ordinals}
    spans = [(number.start() + 1, number.end() + 1) for number in _counting_numbers(text)]
    spans += [(number.start() + 1, number.end()) for number in _outline_numbers(padded)]
    spans += [(number.start() + 1, number.end() + 1) for number in _every_fifth(text)]
    spans += [
        (number.start() + 1, number.end())
        for number, ordinals in numbers
        if any((series, value - 1) in values or (series, value + 1) in values for series, value in ordinals)
    ]
    pieces, removed, end = [], [], 1
    for start, stop in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= end:
            pieces.append(padded[end:start])
            removed.append(padded[start:stop].strip())
            end = stop
    bare = "".join([*pieces, padded[end:]]) if removed else text
    notes = _numbers_of_notes(text) if any(number.group(1) == "[" for number, _ in numbers) else frozenset()
    if notes:
        bare = _NOTE_MARK.sub(lambda mark: "" if mark[0] in notes else mark[0], bare)
    return bare, "\n".join([*removed, *sorted(notes)])


def _every_fifth(text: str) -> list[re.Match[str]]:
    """Return the numbers at the ends of every fifth or tenth line of a poem, which count its lines that are not blank.

    No other line ends in its number, as in an enumeration, and a few lines at most are above and below the poem.
    """
    runs: dict[int, list[re.Match[str]]] = {}  # by the number that the line before the text would have
    lines = end = 0
    for number in _LAST_NUMBER.finditer(text) if "10" in text and "20" in text else ():
        lines += sum(1 for line in text[end : number.end()].split("\n") if line.strip())
        end = number.end()
        runs.setdefault(int(number[1]) - lines, []).append(number)
    lines += sum(1 for line in text[end:].split("\n") if line.strip())
    for before, run in runs.items():
        first, last = int(run[0][1]), int(run[-1][1])
        counted = [first * place for place in range(1, len(run) + 1)]
        around = max(-before, lines + before - last)
        is_of_poem = len(run) >= LEAST_CUES and first in (5, 10) and around <= _AROUND_POEM
        if is_of_poem and [int(number[1]) for number in run] == counted:
            return run
    return []


def _outline_numbers(padded: str) -> list[re.Match[str]]:
    """Return the numbers of several levels that count, and those of the chapters above them, at beginnings of lines.

    They count from 1 at each level, wherever their lines are: without "4.1", "4.2" is no clause. The number of a
    chapter is right before that of its first section. A lone number counts before a heading that begins the text.
    padded: a text with a line break before it.
    """
    matches = list(_OUTLINE.finditer(padded))
    if all(number[1].isalnum() for number in matches):  # none has several levels: a column of numbers, say
        return []
    numbers = [
        (number, tuple(map(_level, re.split("[.．]", number[1]))))
        for number in matches
        if not (number[1].isdecimal() and padded[number.end() : number.end() + 1] >= "\u2e80")  # "3天" is no clause
        and not _continues_sentence(padded, number.start())
    ]
    if len(numbers) == 1:
        return [number for number, levels in numbers if len(levels) > 1 and _is_heading(padded, number)]
    following = [levels for _, levels in (*numbers[1:], *numbers[-1:])]
    chapters = [
        len(levels) == 1 and after == (*levels, 1) for (_, levels), after in zip(numbers, following, strict=True)
    ]
    # Numbers of other lists are not numbers of chapters, and some formats do not store them.
    known = {levels for (_, levels), is_chapter in zip(numbers, chapters, strict=True) if is_chapter or len(levels) > 1}
    return [
        number
        for (number, levels), is_chapter in zip(numbers, chapters, strict=True)
        if is_chapter or (len(levels) > 1 and _counts(levels, known))
    ]


def _is_heading(padded: str, number: re.Match[str]) -> bool:
    """Tell whether a text begins with a number and a heading, as a part of a document does."""
    heading = padded[number.end() :].partition("\n")[0].strip()
    is_name = heading[:1].isalpha() and not heading[0].islower() and heading[-1] not in ".!?。"
    return is_name and not padded[: number.start()].strip()


def _counts(levels: tuple[int, ...], known: set[tuple[int, ...]]) -> bool:
    """Tell whether a number of several levels counts: the first number of its level and a neighbour are known."""
    *above, last = levels
    near = {(*above, last - 1), (*above, last + 1), (*levels, 1), *([tuple(above)] if last == 1 else [])}
    return (*above, 1) in known and not known.isdisjoint(near)


def _continues_sentence(text: str, line_end: int) -> bool:
    """Tell whether a line is full and its sentence goes on in the next one. line_end: the place of the line's end."""
    line = text[text.rfind("\n", 0, line_end) + 1 : line_end].strip()
    return len(line) >= _FULL_LINE and (line[-1].isalpha() or line[-1] in ",(") and not line[0].isdecimal()


def _level(text: str) -> int:
    """Return the value of one level of a number: digits, or the letter of an appendix, which is below zero."""
    return int(text) if text.isdecimal() else -ord(text)


def _counting_numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the numbers that count the verses, paragraphs or sentences of a text, or what it enumerates in a sentence.

    Numbers of one kind, as "(2)" or a raised "²", count from 1, with few others between them, and begin anew at 1; so a
    chapter loses the same numbers by itself as in its book. Bare numbers count only if there are many of them, with
    words between them: a calendar and a table have numbers side by side.
    """
    for signs, pattern in _COUNTING.items():
        run: list[re.Match[str]] = []
        others = 0
        for number in pattern.finditer(text) if any(sign[0] in text and sign in text for sign in signs) else ():
            value = int(unicodedata.normalize("NFKC", number[1]))
            if value == len(run) + 1:
                run.append(number)
                continue
            others += 1
            if value == 1 or others > OTHERS_SHARE * len(run):
                yield from _if_counting(run, pattern)
                run, others = [number] if value == 1 else [], 0
        yield from _if_counting(run, pattern)


def _if_counting(run: list[re.Match[str]], pattern: re.Pattern[str]) -> list[re.Match[str]]:
    """Return a run of numbers from 1 up, or nothing if it is too short to count anything."""
    if pattern is not _BARE:
        return run if len(run) > 1 else []
    is_long = len(run) >= _LEAST_BARE and run[-1].end() - run[0].start() >= _LEAST_VERSE * len(run)
    return run if is_long else []


def _numbers_of_notes(text: str) -> frozenset[str]:
    """Return the numbers in brackets if they count from 1, and each occurs within a line and then at the start of one.

    References to a list of books are in any order, and remain.
    """
    are_first: dict[str, list[bool]] = {}  # of each number: which of its marks are at the beginning of a line
    end = 0
    for mark in _NOTE_MARK.finditer(text):
        start = text.rfind("\n", end, mark.start()) + 1 or end  # `end`: the mark before is in the same line
        is_first = text[start - 1 : start] in ("", "\n") and not text[start : mark.start()].strip(" \t")
        are_first.setdefault(mark[0], []).append(is_first)
        end = mark.end()
    expected = [(f"[{number}]", [False, True]) for number in range(1, len(are_first) + 1)]
    return frozenset(are_first) if list(are_first.items()) == expected else frozenset()


@lru_cache(maxsize=4096)
def _ordinals(counter: str) -> list[tuple[str, int]]:
    """Return (kind, value) for each meaning of a number: "i" is a letter, and Roman."""
    if counter[0].isdecimal():
        return [("digits", int(counter))]
    if counter[0] in _HAN_DIGITS:
        tens, ten, ones = counter.rpartition("十")
        value = 10 * _HAN_DIGITS.find(tens or "一") if ten else 0
        return [("han", value + _HAN_DIGITS.find(ones or "〇"))]
    case = "small" if counter.islower() else "capital"
    ordinals = [(f"letters-{case}", ord(counter.lower()) - ord("a") + 1)] if len(counter) == 1 else []
    if all(letter in _ROMAN for letter in counter.lower()):
        ordinals.append((f"roman-{case}", value_of(counter)))
    return ordinals


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
        text = text.replace(arabic, persian)
    return text
