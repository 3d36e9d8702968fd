"""Text files made for a program that shows them: subtitles, XML, terminal output, sources, numbered lines,
pronunciations.

The words that people see are the text; the marks around them are other content.
"""

from __future__ import annotations

import re
import string
from html import unescape
from typing import Final

from dupfinder.text.layout import SAMPLED_LINES, may_be_numbered, split_at_lines, without_line_numbers
from dupfinder.text.readers.sources import (
    without_commands,
    without_drawers,
    without_requests,
    without_roles,
    without_wiki_marks,
)

LEAST_CUES: Final = 3  # a text may quote one or two lines with times
CUE_SHARE: Final = 0.2  # least share of the lines that give a time: subtitles have at most a few lines for each
_SIGNS: Final = ("-->", "}{", "Dialogue:", "[0")  # every kind of cue has one of these
_CUE_DISTANCE: Final = 1000  # characters; subtitles have a cue at least so often
_TIME = r"(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}"
# Of SubRip and WebVTT (first a number), MicroDVD (in frames), SubStation Alpha, and lyrics.
_CUE = re.compile(
    rf"^(?:(?:[ \t]*[\w-]{{1,40}}[ \t]*\n)?[ \t]*{_TIME}[ \t]*-->[ \t]*{_TIME}[^\n]*"
    r"|\{\d{1,9}\}\{\d{1,9}\}"
    rf"|Dialogue:[^,\n]*,{_TIME},{_TIME}(?:,[^,\n]*){{6}},"
    r"|(?:\[\d{1,3}:\d{2}\.\d{2,3}\][ \t]*)+)",
    re.M,
)
_STYLE = re.compile(r"</?(?:[biuc]|font|v|ruby|rt)\b[^<>\n]{0,200}>|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,100}\}")
_BREAK = re.compile(r"\||\\[Nn]")
_TERMINAL = re.compile("\x1b\\[[0-9;?]{0,20}[A-Za-z]|[^\n]\x08")
_SIGNS_OF_TERMINALS = (re.compile("\x1b"), re.compile("\x08"))
_ASCII = re.compile(r"[\x00-\x7f]+")
_ASCII_LETTERS = string.ascii_letters.encode()
_XML = re.compile(r"\s*<\?xml\s")
# The root of XML without a declaration, after comments and the kind of the document.
_ROOT = re.compile(
    r"\s*+(?:<!--.*?-->\s*+|<![A-Z][^<>\[]*+(?:\[[^\]]*+\]\s*+)?+>\s*+)*+<([A-Za-z_][\w:.-]*+)[\s>]", re.S
)
_ROOT_WITHIN: Final = 4096  # characters
_ATTRIBUTE = re.compile(r"(?<!xmlns)=\s*(?:\"([^\"<>]*)\"|'([^'<>]*)')")
_XML_MARK = re.compile(r"<!--.*?(?:-->|\Z)|<!\[CDATA\[(.*?)(?:\]\]>|\Z)|<\?.*?(?:\?>|\Z)|<[!/A-Za-z_:][^<>]*>", re.S)


# Pronunciations and remarks in Japanese texts as Aozora Bunko writes them: base《reading》, ｜ before a longer base.
_READING = re.compile(
    "(?<=[\u3005-\u3007\u30f6\u3400-\u9fff])《[\u3041-\u30ff]{1,40}》|｜(?=[^《》\n]{1,40}《)|［＃[^［］\n]{1,200}］"
)


def without_marks(text: str) -> tuple[str, str]:
    """Return (the words that people see, the marks that were removed); most texts have none."""
    marks: list[str] = []
    for remove in (
        _without_terminal_codes,
        _without_tags,
        without_commands,
        without_requests,
        without_roles,
        without_wiki_marks,
        without_drawers,
        _without_cues,
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
    for piece, has_sign in split_at_lines(text, _SIGNS_OF_TERMINALS):
        pieces.append(_TERMINAL.sub("", piece) if has_sign else piece)
        codes += _TERMINAL.findall(piece) if has_sign else []
    return "".join(pieces), "\n".join(codes)


def _without_tags(text: str) -> tuple[str, str]:
    """Return the text of an XML document.

    Data that has more words in the attributes of its tags than between them stays as it is.
    """
    if not _is_xml(text):
        return text, ""
    tags = [mark.group() for mark in _XML_MARK.finditer(text) if mark.group(1) is None]
    words = unescape(_XML_MARK.sub(lambda mark: mark.group(1) or " ", text))
    values = " ".join("".join(value) for tag in tags for value in _ATTRIBUTE.findall(tag))
    if _letters(words) < _letters(values) or not any(map(str.isalnum, words)):
        return text, ""
    return words, "\n".join(tags)


def _is_xml(text: str) -> bool:
    """Tell whether a text is an XML document: by its declaration, or by the end of the element that it begins with."""
    if not text[:_ROOT_WITHIN].lstrip().startswith("<"):
        return False
    root = _ROOT.match(text[:_ROOT_WITHIN])
    return bool(_XML.match(text[:200])) or (root is not None and text.rstrip().endswith(f"</{root.group(1)}>"))


def _letters(text: str) -> int:
    """Count the letters of a text. Those of ASCII are counted as bytes, a hundred times as fast."""
    data = text.encode("ascii", "ignore")
    return len(data) - len(data.translate(None, _ASCII_LETTERS)) + sum(map(str.isalpha, _ASCII.sub("", text)))


def _without_readings(text: str) -> tuple[str, str]:
    """Return a Japanese text without the pronunciations of its words, which pages and Word files keep above them."""
    if "《" not in text:
        return text, ""
    return _READING.sub("", text), "\n".join(_READING.findall(text))


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
    signs = max(text.count(sign) for sign in _SIGNS)
    cues = [cue.group() for cue in _CUE.finditer(text)] if signs >= max(LEAST_CUES, len(text) // _CUE_DISTANCE) else []
    lines = sum(1 for line in text.split("\n") if line.strip()) if len(cues) >= LEAST_CUES else 0
    if len(cues) < LEAST_CUES or len(cues) < CUE_SHARE * lines:
        return text, ""
    return _BREAK.sub(" ", _STYLE.sub("", _CUE.sub("", text))), "\n".join(cues)
