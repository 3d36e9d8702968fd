"""Sources for programs that show them: TeX and LaTeX, and notebooks of Jupyter.

The words that people see are the text. Commands, and what a run of a notebook wrote, are other content.
"""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import islice
from typing import Any, Final

# A source begins with a command, apart from comments; a text about TeX does not.
_SOURCE = re.compile(r"\s*+(?:%[^\n]*+\n\s*+)*+\\[A-Za-z]")
_MOST_LINES: Final = 10  # of a title
_START: Final = "\\begin{document}"
_SHOWN_OF_PREAMBLE = re.compile(r"\\(?:title|subtitle|author|date)\s{0,20}(?:\[[^\[\]]{0,500}\])?(?=\{)")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*+(?:\n[ \t]*+(?=\S))?")
_VERBATIM = re.compile(r"\\(?:verb|lstinline)(?:\*)?([^\w\s{*])([^\n]{0,500}?)\1")
_OPTIONS = r"(?:\s{0,20}\[[^\[\]]{0,500}\])*"
_ARGUMENT = r"\s{0,20}\{[^{}]{0,2000}\}"
_NAMES = (
    r"cite[a-z]*|[a-zA-Z]*ref|label|bibliography|bibliographystyle|addbibresource|includegraphics|input|"
    r"include|usepackage|index|glossary|[hv]space|setlength|addtolength|setcounter|addtocounter|pagestyle|"
    r"thispagestyle|pagenumbering|nocite|hypertarget|hyperlink|phantomsection|textcolor|color|definecolor|"
    r"selectlanguage|newcommand|renewcommand|documentclass|documentstyle|href|hyphenation|vskip|hskip|"
    r"cline|cmidrule"
)
# Commands whose first argument is not printed, ends of environments, and what follows their names.
_UNPRINTED = re.compile(
    rf"\\(?:{_NAMES})\*?{_OPTIONS}{_ARGUMENT}"
    rf"|\\begin\s{{0,20}}\{{(?:tabular|array|longtable|minipage|multicols|thebibliography)[^{{}}]{{0,20}}\}}{_OPTIONS}(?:{_ARGUMENT})?"
    rf"|\\(?:begin|end){_ARGUMENT}{_OPTIONS}"
)
_ACCENT = re.compile(
    r"\\(?:([`'^\"~=.])\s{0,9}|([uvHcrkd])(?:\s{1,9}|(?=\{)))(?:\{\s{0,9}(\\?[A-Za-z])\s{0,9}\}|(\\?[A-Za-z]))"
)
_COMBINING: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "r": "\u030a", "k": "\u0328", "d": "\u0323",
}  # fmt: skip
_LETTER = re.compile(r"\\(ss|ae|AE|oe|OE|aa|AA|o|O|l|L|i|j)(?![A-Za-z])(?:\{\}|[ \t]+)?")
_LETTERS: Final = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "i": "i", "j": "j",
}  # fmt: skip
_BREAK = re.compile(
    r"\\(?:\\|item|par|newline|linebreak|hline|footnote|thanks|and)(?![A-Za-z])\*?(?:\[[^\[\]\n]{0,40}\])?"
)
_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?[ \t]?|[,;:!/@ -])")
_ESCAPED = re.compile(r"\\([%&$#_{}])")
_PRINTED: Final = "%&$#_{}"  # if a command says so; meanwhile characters for private use stand for them
_PRIVATE: Final = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006"
_TO_PRIVATE: Final = str.maketrans(_PRINTED, _PRIVATE)
_SIGNS: Final = str.maketrans(
    {"{": "", "}": "", "$": "", "~": " ", "&": " ", **dict(zip(_PRIVATE, _PRINTED, strict=True))}
)

_CELLS: Final = '"cells"'


def without_commands(text: str) -> tuple[str, str]:
    """Return (the printed words of a source for TeX, its commands); any other text unchanged, and ""."""
    if "\\" not in text or not _SOURCE.match(text):
        return text, ""
    source = _ESCAPED.sub(lambda sign: sign.group(1).translate(_TO_PRIVATE), text)
    source = _body(_COMMENT.sub("", source))
    source = _VERBATIM.sub(r"\2", source)
    source = _LETTER.sub(lambda letter: _LETTERS[letter.group(1)], source)
    source = _ACCENT.sub(_accented, source)
    commands: list[str] = []
    for pattern, instead in ((_UNPRINTED, "\n"), (_BREAK, "\n"), (_COMMAND, "")):
        commands += (command.group() for command in pattern.finditer(source))
        source = pattern.sub(instead, source)
    return source.translate(_SIGNS), "\n".join(commands)


def _body(source: str) -> str:
    """Return what is printed of a document: the lines of its title, and all after the preamble."""
    start = source.find(_START)
    if start < 0:
        return source
    title = [
        _group(source, command.end()) for command in islice(_SHOWN_OF_PREAMBLE.finditer(source, 0, start), _MOST_LINES)
    ]
    return "\n".join([*title, source[start + len(_START) :]])


def _group(source: str, start: int) -> str:
    """Return the group in brackets that begins at a position; what follows it if it does not end."""
    depth = 0
    for position in range(start, min(len(source), start + 5000)):
        depth += {"{": 1, "}": -1}.get(source[position], 0)
        if depth == 0:
            return source[start : position + 1]
    return source[start : start + 5000]


def _accented(match: re.Match[str]) -> str:
    """Return the letter of an accent command."""
    mark, letter = match.group(1) or match.group(2), match.group(3) or match.group(4)
    return unicodedata.normalize("NFC", letter.lstrip("\\") + _COMBINING[mark])


def without_results(text: str) -> tuple[str, str]:
    """Return (the cells of a notebook as Markdown, the results below them); any other text unchanged, and ""."""
    if text.lstrip()[:1] != "{" or _CELLS not in text:
        return text, ""
    try:
        book = json.loads(text)
        cells = [cell for sheet in (book, *book.get("worksheets", ())) for cell in sheet.get("cells", ())]
        pieces = [_markdown(cell) for cell in cells if "cell_type" in cell]
        results = [cell["outputs"] for cell in cells if cell.get("outputs")]
    except (ValueError, TypeError, AttributeError, RecursionError):  # another kind of JSON, or a notebook that was cut
        return text, ""
    if not pieces:
        return text, ""
    return "\n\n".join(pieces) + "\n", json.dumps(results, sort_keys=True) if results else ""


def _markdown(cell: Any) -> str:
    """Return the source of a cell as Markdown: a program as a block of code. Older notebooks call it input."""
    source = cell.get("source", cell.get("input", ""))
    written = source if isinstance(source, str) else "".join(source)
    return f"```\n{written}\n```" if cell["cell_type"] == "code" else written
