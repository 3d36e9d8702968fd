"""Chats and transcripts: their words, apart from the times at which they were written or spoken."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final, NamedTuple

from dupfinder.text.lines import CELL_END, ROW_END

# Where programs store the words of messages, their times and their writers in JSON and in tables, in small letters.
_KEYS_OF_WORDS: Final = ("text", "content", "body", "message", "msg", "strcontent", "内容", "消息内容")
_KEYS_OF_TIMES: Final = (
    "date", "ts", "timestamp", "timestamp_ms", "created_at", "created_date", "sent_at", "time", "strtime", "createtime",
    "时间", "发送时间",
)  # fmt: skip
_KEYS_OF_WRITERS: Final = (
    "nickname", "from", "actor", "sender_name", "user_profile", "author", "sender", "creator", "user", "talker",
    "昵称", "发送人", "发送者",
)  # fmt: skip
_KEYS_OF_NAMES: Final = ("real_name", "display_name", "name", "global_name", "username")
_BEFORE_TIME: Final = ", ["
_LATEST_SECOND: Final = 10**11  # in the year 5138; larger numbers are milliseconds
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)")
LIKE_JSON = re.compile(r'\s*(?:\{\s*["}]|\[\s*["{\[])')

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
_DATE: Final = r"(?:\d{1,4}[./-]\d{1,2}(?:[./-]\d{1,4})?\.?|\d{4}[年년] ?\d{1,2}[月월] ?\d{1,2}[日일])"
_HALF: Final = r"(?:[上下]午|午[前後]|오[전후]|[AaPp]\.?[Mm]\b\.?)"
_SENT = re.compile(
    rf"(?<![\w.,:/-])(?:(?P<date>{_DATE})(?:[,\t]?[ \xa0]|T))?(?P<half>{_HALF}[ \xa0\u202f]?)?"
    rf"(?P<time>\d{{1,2}}[:.]\d{{2}})(?:[:.]\d{{2}})?(?:[ \xa0\u202f]?(?P<behind>{_HALF}))?"
    rf"(?:,[ ](?P<after>{_DATE}))?(?![\w:/])"
)
# Above the messages of a day: "21 May 2023", "Freitag, 3. März 2023", "March 3, 2023", "2023年3月3日" and, in LINE,
# "2023/03/03(金)".
_DAY = re.compile(
    r"(?:[^\W\d_]{1,12}\.?,? (?:de )?){0,2}\d{1,2}(?:[a-z]{2}|\.)?,?(?: (?:de )?[^\W\d_]{3,12}\.?,?(?: de)?)? \d{4}"
    r"|\d{4}[年년] ?\d{1,2}[月월] ?\d{1,2}[日일]\D{0,5}|\d{4}/\d{2}/\d{2} ?[(\uff08][^()\uff08\uff09]{1,4}[)\uff09]"
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
# QQ puts the number or address of a writer behind the name.
_IDENTIFIED = re.compile(rf"([^()<>]{{1,{_LONGEST_NAME}}})(?:\(\d{{5,12}}\)|<[^<>\s]{{1,80}}@[^<>\s]{{1,80}}>)\s*")
# The log of a program may look like a chat of its levels.
_LEVELS: Final = frozenset(
    ("debug", "info", "notice", "warn", "warning", "error", "critical", "fatal", "trace", "pass", "fail")
)


def shown_messages(text: str) -> tuple[str, str]:
    """Return (the messages of a chat or the texts of a recording that were exported as JSON or as a table, the export).

    Other texts are returned unchanged, with "". Each message is below its writer and its time. Few writers write most
    of the messages, unlike reviews. All else in the file of a chat is mostly bookkeeping: a word made from the file is
    put below the messages, so that two files that differ in it do not have the same words.
    """
    try:
        messages, other_values = _records_in(text)
        spoken = _spoken(messages, other_values) or _captions(text)
    except (ValueError, OverflowError, RecursionError):
        return text, ""
    if spoken:
        return spoken, text
    shown = [line for message in messages if isinstance(message, dict) and (line := _shown_message(message))]
    writers = Counter(message.partition(_BEFORE_TIME)[0] for message in shown)
    if sum(count for count in writers.values() if count > 1) < max(LEAST_TIMES, SPOKEN_SHARE * len(messages)):
        return text, ""
    return "\n".join([*shown, _word_of([text])]), text


def _records_in(text: str) -> tuple[list[object], dict[str, object]]:
    """Return the longest list that is stored in a JSON text, or the rows of a table, and what is stored beside them.

    Empty for other texts, and for those without any key of words. Raises ValueError and RecursionError.
    """
    head, row_end, rows = text.partition(ROW_END)
    keys = [key.strip().casefold() for key in head.split(CELL_END)] if row_end and CELL_END in head else []
    if not {*keys}.isdisjoint(_KEYS_OF_WORDS):
        return [dict(zip(keys, row.split(CELL_END), strict=False)) for row in rows.split(ROW_END)], {}
    if not LIKE_JSON.match(text[:200]) or not any(text.count(f'"{key}":') >= LEAST_TIMES for key in _KEYS_OF_WORDS):
        return [], {}
    stored = json.loads(text)
    records = next((part for part in (stored, *_lists_in(stored)) if isinstance(part, list)), [])
    other_values = (
        {key: value for key, value in stored.items() if value is not records} if isinstance(stored, dict) else {}
    )
    return records, other_values


def _spoken(parts: list[object], other_values: dict[str, object]) -> str:
    """Return what is said in each part of a recording; "" if these are other records, or hold other words too.

    A part has a text, the second or the clock at which it starts, and possibly who speaks, who is named where another
    begins. other_values: what is stored beside the parts; it may have all of the text once more.
    """
    said: list[str] = []
    starts: list[float] = []
    before: object = None
    for part in parts:
        facts = dict(part) if isinstance(part, dict) else {}
        text, speaker, start = (facts.pop(key, None) for key in ("text", "speaker", "start"))
        labels = "".join(value for value in facts.values() if isinstance(value, str))
        if not isinstance(text, str) or not isinstance(start, float | int | str) or any(map(str.isalpha, labels)):
            return ""
        if any(map(_has_words, facts.values())):
            return ""
        starts.append(_second_of(str(start)))
        said.append(f"{speaker}: {text.strip()}" if speaker and speaker != before else text.strip())
        before = speaker
    words = "\n".join(said)
    repeats = all(
        isinstance(value, str) and value.split() == words.split()
        for value in other_values.values()
        if _has_words(value)
    )
    is_recording = len(starts) >= LEAST_TIMES and starts[0] <= 1000 * LATEST_START and starts == sorted(starts)
    return words if is_recording and repeats else ""


def _second_of(start: str) -> float:
    """Return a number of seconds, which may be written as a clock: 1:02:03.5. Raises ValueError for another text."""
    parts = reversed(start.split(":"))
    return sum(float(part.replace(",", ".")) * 60.0**power for power, part in enumerate(parts))


def _captions(text: str) -> str:
    """Return the captions of a film that a video site stores word by word, in JSON; "" if there are other words."""
    if not LIKE_JSON.match(text[:200]) or text.count('"utf8"') < LEAST_TIMES:
        return ""
    stored = json.loads(text)
    events = stored.get("events") if isinstance(stored, dict) else None
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return ""
    shown: list[str] = []
    other_values: list[object] = [value for value in stored.values() if value is not events]
    for event in events:
        said = event.get("segs", [])
        words = (
            [word.get("utf8") if isinstance(word, dict) else None for word in said]
            if isinstance(said, list)
            else [None]
        )
        if not all(isinstance(word, str) for word in words):
            return ""
        shown.append("".join(map(str, words)))
        other_values += [value for key, value in event.items() if key != "segs"]
        other_values += [value for word in said for key, value in word.items() if key != "utf8"]
    return "" if any(map(_has_words, other_values)) else "\n".join(line for line in shown if line.strip())


def _has_words(value: object) -> bool:
    """Tell whether a stored value is a text of several words, or holds one."""
    if isinstance(value, dict | list):
        return any(map(_has_words, value.values() if isinstance(value, dict) else value))
    return isinstance(value, str) and len(value.split()) > 1


def _lists_in(stored: object) -> list[object]:
    """Return the values of an object, the longest list first."""
    values = list(stored.values()) if isinstance(stored, dict) else []
    return sorted(values, key=lambda value: -len(value) if isinstance(value, list) else 0)


def _shown_message(message: dict[str, object]) -> str:
    """Return a message below its writer and its time; "" for an object that is no message."""
    message = {key.casefold(): value for key, value in message.items()}
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


class _MessageHead(NamedTuple):
    """The line of a chat in which a message begins.

    sent: when. name: of the writer, "" if unknown. words: of the message, in this line. lines: the numbers of other
    lines that belong to the head, and so are no words of a message.
    """

    sent: re.Match[str] | None
    name: str = ""
    words: str = ""
    lines: tuple[int, ...] = ()


class _ChatLine(NamedTuple):
    """A line of a chat.

    words: of a message. Only where a message begins: writer ("" if unknown), turn (its position in the text, and its
    writer) and moment (when it was sent).
    """

    words: str
    writer: str = ""
    turn: str = ""
    moment: str = ""


def _without_speakers(text: str, ways_of: Callable[[list[str]], Iterable[dict[int, _MessageHead]]]) -> Timed:
    """Return the messages of a chat and, below them, who wrote them. ways_of: returns heads of messages by their lines.

    Programs write one chat with or without dates, with the name in the line of the time, above or below it, at each
    message or once for several. So the names of those who wrote more than one message are in the text once, with a word
    made from the order of the writers: if another person wrote a message, the word differs. Texts in which few names
    recur, or with mostly equal messages, are returned unchanged: logs, timetables, rosters.
    """
    whole = text.split("\n")
    days = [day for line in whole if _DAY.fullmatch(day := line.strip("- \t\r"))]
    no_words = frozenset(days)
    lines = ["" if line.strip("- \t\r") in no_words else line for line in whole] if days else whole
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


def _rows(lines: list[str], heads: dict[int, _MessageHead], writers: Collection[str]) -> Iterator[_ChatLine]:
    """Yield the row of each line of a chat. heads: by their lines. writers: the names that recur."""
    their_lines = {line for head in heads.values() if head.name in writers for line in head.lines}
    length, writer = 0, ""
    for number, line in enumerate(lines):
        row, head = _ChatLine("" if number in their_lines else line), heads.get(number)
        if head is not None and (head.name in writers or head.lines or not head.name):
            writer = head.name if head.name in writers else writer
            moment = _moment(head.sent) if head.sent else ""
            row = _ChatLine(head.words, writer if head.name == writer else "", f"{length} {writer}", moment)
        yield row
        length += len("".join(row.words.split()))


def _heads_without_times(lines: list[str]) -> tuple[dict[int, _MessageHead]]:
    """Return the heads of messages of a chat that was copied without its times: nearly all lines begin with names.

    They take turns, unlike in interviews, plays, questions with answers, and records with the same fields. The notes to
    releases of a program are under small letters.
    """
    heads = {
        number: _MessageHead(None, name[1].strip(), line[name.end() :])
        for number, line in enumerate(lines)
        if (name := _SAID.match(line))
    }
    filled = sum(1 for line in lines if line.strip())
    is_chat = len(heads) >= _NAMED_SHARE * filled and _are_turns(heads)
    return (heads if is_chat and sum(len(line.split()) for line in lines) <= _MOST_SAID * len(heads) else {},)


def _are_turns(heads: dict[int, _MessageHead]) -> bool:
    """Tell whether a few write many messages, and some of them twice in a row."""
    turns = [head.name for head in heads.values()]
    repeats = sum(before == after for before, after in pairwise(turns))
    return len({*turns}) > 1 and len(turns) >= _LEAST_EACH * len({*turns}) and repeats >= _AGAIN_SHARE * len(turns)


def _heads_of_paragraphs(lines: list[str]) -> dict[int, _MessageHead]:
    """Return the heads of messages that are paragraphs below a date, a time with seconds and a name without any sign.

    So QQ writes what two wrote, whom it does not identify. People who note programmes or visits leave out the seconds.
    """
    heads: dict[int, _MessageHead] = {}
    for above, number in zip(["", *lines], range(len(lines) - 1), strict=False):
        if above.strip() or not lines[number + 1].strip() or not (sent := _SENT.match(lines[number])):
            continue
        name = lines[number][sent.end() :].strip()
        if sent["date"] and sent.group().count(":") > 1 and name and _may_be_name(name):
            heads[number] = _MessageHead(sent, name)
    return heads if _are_turns(heads) else {}


def _word_of(texts: list[str]) -> str:
    """Return a word made from a hash of texts. It has no digits, which would count as the content of a field."""
    digest = hashlib.blake2b("\n".join(texts).encode("utf-8", "replace"), digest_size=16).digest()
    return "".join(chr(ord("a") + byte % 26) for byte in digest)


def _ways_of_heads(lines: list[str]) -> tuple[dict[int, _MessageHead], ...]:
    """Return the heads of messages by their lines, for each way in which a program may write them.

    The name is behind the time, with the words; or without words, before the time, or behind it if the time is in
    brackets, the name in quotes or the message a paragraph; or in the line below the time; or in the line above it.
    """
    with_words: dict[int, _MessageHead] = {}
    name_only: dict[int, _MessageHead] = {}
    time_only: dict[int, _MessageHead] = {}
    for number, line in enumerate(lines):
        if (sent := _SENT.search(line, 0, _SENT_WITHIN)) is None:
            continue
        before, after = line[: sent.start()].strip(_BESIDE_SENT), line[sent.end() :]
        said = after.lstrip("]), \t\xa0\u200e")
        if before:
            if not after.strip(_BESIDE_SENT) and _may_be_name(before):
                name_only[number] = _MessageHead(sent, before)
            # KakaoTalk: "[Name] [오전 9:10] words"
            elif line[0] == "[" and after[0] == "]" and not (sent["half"] or "a").isascii():
                with_words[number] = _MessageHead(sent, before, said)
            continue
        name, is_dated = _NAMED.match(said), bool(sent["date"] or sent["after"])
        cells = said.split("\t", 1)
        separators = "])" if sent.group().isascii() else "]),"  # a comma behind the date of KakaoTalk: 2024년 3월 1일
        if name and (name[1] or (is_dated and (said[0] in "-–" or after[0] in separators or "," in sent.group()))):
            with_words[number] = _MessageHead(sent, (name[1] or name[2]).strip(), said[name.end() :])
        elif lines[0].startswith("[LINE]") and after[:1] == "\t" and len(cells) > 1 and _may_be_name(cells[0]):
            with_words[number] = _MessageHead(sent, cells[0], cells[1])
        elif is_dated and said[:2] in ("- ", "– "):  # what happened: somebody joined
            with_words[number] = _MessageHead(sent, words=said[2:])
        elif not said.strip():
            time_only[number] = _MessageHead(sent)
        elif name_alone := _name_alone(said, in_brackets=after[0] in "])", is_dated=is_dated):
            name_only[number] = _MessageHead(sent, name_alone)
    return with_words, name_only | time_only, *_names_beside(lines, time_only), _heads_of_paragraphs(lines)


def _name_alone(said: str, *, in_brackets: bool, is_dated: bool) -> str:
    """Return the name of a writer that is all that follows a time; "" for anything else.

    The time is in brackets, or the name is in quotes or, in QQ, identified. Else it may be a film of a programme, or a
    visit.
    """
    if is_dated and (identified := _IDENTIFIED.fullmatch(said)):
        return identified[1].strip()
    name = said.strip(_BESIDE_SENT + "'")
    return name if (in_brackets or said[0] == said.rstrip()[-1] == "'") and _may_be_name(name) else ""


def _may_be_name(name: str) -> bool:
    """Tell whether a writer may be called so: not "Beginning:", behind which times are too."""
    return len(name) <= _LONGEST_NAME and ":" not in name


def _names_beside(lines: list[str], timed: dict[int, _MessageHead]) -> Iterator[dict[int, _MessageHead]]:
    """Yield the heads of messages whose times have separate lines: with the names below these, then above them.

    A message of one line has no name. Above a time may be the initials of the name below it.
    """
    filled = [number for number, line in enumerate(lines) if line.strip()]
    names = [name if _may_be_name(name := lines[number].strip()) else "" for number in filled]
    rows = [row for row, number in enumerate(filled) if number in timed]
    begins = [row - (row > 0 and names[row - 1] in _initials(names[row + 1 : row + 2])) for row in rows]
    below, above = dict(timed), dict(timed)
    for before, begin, row, after in zip([-1, *rows], begins, rows, [*begins[1:], len(filled)], strict=False):
        number = filled[row]
        if after - row > 2:
            below[number] = _MessageHead(
                timed[number].sent, names[row + 1], lines=(filled[row + 1], *filled[begin:row])
            )
        if begin - before > (2 if before >= 0 else 1) and begin == row:
            above[number] = _MessageHead(timed[number].sent, names[row - 1], lines=(filled[row - 1],))
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
