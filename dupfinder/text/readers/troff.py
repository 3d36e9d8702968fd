"""Manual pages and other sources for troff: the words that are printed (man(7), mdoc(7), groff(7))."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import Final

from dupfinder.text.readers.sources import COMBINING

# A source begins with a request, apart from comments, and has a title or a heading.
_SOURCE = re.compile(r"(?>(?:[ \t]*+\n|['.]?[ \t]*+(?>(?:\\[\"#][^\n]*+)?)\n)*)['.][ \t]*+[A-Za-z]")
_TITLE = re.compile(r"^\.[ \t]*(?:TH|Dd|SH|TL)\b", re.M)
_JOINED_LINES = re.compile(r"\\(?:c(?!\n['.]))?\n")
_LINKED = re.compile(r"W\b.* -- (.*)")  # the words of a link to a page
_COMMENT = re.compile(r"(?<!\\)\\[\"#].*")
_ARGUMENT = re.compile(r'"((?:[^"]|"")*)"?|((?:\\.|[^ \t\\])+)|\\')
_ESCAPE = re.compile(
    r"\\(?:\*\[\w{1,40} \"((?:[^\"\\\n]|\\.){0,2000})\"\]"  # a string that prints its argument
    r"|\*(\[[^\]\n]{0,40}\]|\(..|.)"  # any other string
    r"|[fgkmFMV](?:\[[^\]\n]{0,40}\]|\(..|.)|n[+-]?(?:\[[^\]\n]{0,40}\]|\(..|.)"
    r"|s(?:\[(?:[^\[\]\n]|\[[^\]\n]{0,9}\]){0,20}\]|[+-]?(?:\(..|'[^'\n]{0,9}'|\d))|[bhvwlLoxXDSHANZRBY]'[^'\n]{0,200}'"
    r"|\[([^\]\n]{1,40})\]|\((..)|(.))"  # a glyph, of a long name or of two letters, or a sign
)
_GLYPHS: Final = {
    "aq": "'", "cq": "’", "oq": "‘", "lq": "“", "rq": "”", "dq": '"', "hy": "-", "mi": "-", "en": "–", "em": "—",
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "/o": "ø", "/O": "Ø", "/l": "ł", "/L": "Ł", "oA": "Å",
    "oa": "å", "fi": "fi", "fl": "fl", "ff": "ff", "Fi": "ffi", "Fl": "ffl", "mc": "µ",
    "at": "@", "sh": "#", "ti": "~", "ha": "^", "ga": "`",
    "Eu": "€", "eu": "€", "Po": "£", "Ye": "¥", "ct": "¢", "Do": "$", "Cs": "¤", "de": "°", "sc": "§", "ps": "¶",
    "12": "½", "14": "¼", "34": "¾", "S1": "¹", "S2": "²", "S3": "³", "Of": "ª", "Om": "º", "r!": "¡", "r?": "¿",
    "Fo": "«", "Fc": "»", "fo": "‹", "fc": "›", "Bq": "„", "bq": "‚", "dg": "†", "dd": "‡", "co": "©", "rg": "®",
    "tm": "™", "mu": "×", "tmu": "×", "di": "÷", "tdi": "÷", "+-": "±", "t+-": "±", "<=": "≤", ">=": "≥", "!=": "≠",
    "==": "≡", "~~": "≈", "pl": "+", "eq": "=", "if": "∞", "sr": "√", "mo": "∈", "no": "¬", "%0": "‰", "fm": "′",
    "sd": "″", "->": "→", "<-": "←", "bu": "•", "pc": "·", "sl": "/", "rs": "\\", "ba": "|", "bv": "|", "or": "|",
    "lB": "[", "rB": "]", "lC": "{", "rC": "}", "la": "⟨", "ra": "⟩", "-D": "Ð", "Sd": "ð", "TP": "Þ", "Tp": "þ",
    "OK": "✓",
    **{f"*{latin}": greek for latin, greek in zip("abgdezyhiklmncoprstufxqwABGDEZYHIKLMNCOPRSTUFXQW",
       "αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True)}, "ts": "ς",
}  # fmt: skip
_ACCENTS: Final = {"`": "`", "'": "'", "^": "^", "~": "~", ":": '"', ",": "c", "v": "v"}
_SIGNS: Final = {**dict.fromkeys(" ~0t", " "), **{sign: sign for sign in "-'`.\\"}, "e": "\\"}  # others print nothing
_RULES: Final = ("_", "=", "\\_", "\\^")  # cells in which a line is drawn, or which the cell above covers
_STRINGS: Final = {"Aq": "'", "lq": "“", "rq": "”", "--": "—"}
_LONGEST_STRING: Final = 80  # characters
_ALTERNATING: Final = frozenset({"BI", "BR", "IB", "IR", "RB", "RI"})  # fonts of arguments printed without spaces
_UNPRINTED_MACRO_NAMES = "TH TP TQ HP PP LP P PD RS RE EX EE IX Sp SP Vb Ve Dd Dt Os Bl El Bd Ed Bk Ek Pp Rs Re Sm"
_UNPRINTED_MACROS: Final = frozenset(_UNPRINTED_MACRO_NAMES.split())
# Macros of mdoc that may be arguments of others.
_CALLABLE_NAMES = """
Ac Ad An Ao Ap Aq Ar Bc Bo Bq Brc Bro Brq Cd Cm Dc Do Dq Dv Ec Em Eo Er Ev Fa Fc Fl Fn Ft Ic In It Li Lk Ms Mt
Nd Nm No Ns Oc Oo Op Pa Pc Pf Po Pq Ql Qc Qo Qq Sc So Sh Sm Sq Ss St Sx Sy Ta Tn Va Vt Xc Xo Xr"""
_CALLABLE: Final = frozenset(_CALLABLE_NAMES.split())


def without_requests(text: str) -> tuple[str, str]:
    """Return (the printed words of a manual page or another source for troff, its requests).

    Any other text is returned unchanged, with "".
    """
    if not _SOURCE.match(text) or not _TITLE.search(text):
        return text, ""
    page = _ManualPage()
    page.read(iter(_JOINED_LINES.sub("", text).split("\n")))
    words = "\n".join(page.words + page.notes)
    return (words, "\n".join(page.requests)) if any(map(str.isalnum, words)) else (text, "")


class _ManualPage:
    """A source for troff while it is read.

    words:    the lines that are printed. requests: those that are not.
    notes:    the lines of footnotes. note: where in `words` the open one begins; None: none is open.
    strings:  the values of `.ds`. name: the first argument of `.Nm`; a later `.Nm` without arguments prints it.
    link:     the address that is printed where the link ends.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.requests: list[str] = []
        self.notes: list[str] = []
        self.note: int | None = None
        self.strings = dict(_STRINGS)
        self.name = self.link = ""

    def read(self, lines: Iterator[str]) -> None:
        for line in lines:
            code = _COMMENT.sub("", line)
            if code[:1] not in ("'", "."):
                self.words.append(self._printed(code))
                if code == line:
                    continue
            self.requests.append(line)
            request = code[1:].split(None, 1)
            if code[:1] in ("'", ".") and request:
                self._read_request(request[0], request[1] if len(request) > 1 else "", lines)

    def _read_request(self, name: str, rest: str, lines: Iterator[str]) -> None:
        """Read a request, and the lines that belong to it."""
        if name in ("de", "de1", "am", "ig"):
            end = "." + next(iter(rest.split()[0 if name == "ig" else 1 :]), ".")
            self._pass_over(lines, lambda line: line.rstrip() == end)
        elif name in ("if", "ie", "el"):
            depth = rest.count("\\{") - rest.count("\\}")
            while depth > 0 and (line := next(lines, None)) is not None:
                self.requests.append(line)
                depth += line.count("\\{") - line.count("\\}")
        elif name == "EQ":
            self._pass_over(lines, lambda line: line.startswith(".EN"))
        elif name == "TS":
            self._read_table(lines)
        elif name == "ds":
            key, _, value = rest.partition(" ")
            value = value.removeprefix('"').replace("\\\\", "\\")  # an escape for when the string is printed
            self.strings[key] = self._printed(value)[:_LONGEST_STRING]
        elif name == "FS":
            self.note = len(self.words)
        elif name == "FE" and self.note is not None:
            self.notes += self.words[self.note :]
            del self.words[self.note :]
            self.note = None
        elif name == "pdfhref":
            words = _LINKED.match(rest)
            self.words += [self._printed(words[1].strip().removeprefix('"').removesuffix('"'))] if words else []
        elif name[0].isupper() and name not in _UNPRINTED_MACROS:
            arguments = [quoted.replace('""', '"') or plain for quoted, plain in _ARGUMENT.findall(rest)]
            self.words += self._of_macro(name, arguments)

    def _pass_over(self, lines: Iterator[str], is_end: Callable[[str], bool]) -> None:
        """Add lines to the requests, up to an end."""
        for line in lines:
            self.requests.append(line)
            if is_end(line):
                return

    def _read_table(self, lines: Iterator[str]) -> None:
        """Read the cells of a table. They follow the lines about its form, of which the last ends in a full stop."""
        sign = "\t"
        for line in lines:
            self.requests.append(line)
            if (option := re.search(r"\btab ?\((.)\)", line)) is not None:
                sign = option.group(1)
            if line.rstrip().endswith(".") or line.startswith(".TE"):
                break
        for line in lines:
            if line.startswith(".TE"):
                return
            if not line.startswith((".", "'")):
                cells = re.sub(r"^T\}|T\{$", "", line).split(sign)
                self.words.append(self._printed(" ".join(cell for cell in cells if cell not in _RULES)))

    def _of_macro(self, name: str, arguments: list[str]) -> list[str]:
        """Return the lines that a macro prints."""
        if name in ("UR", "MT"):
            self.link = " ".join(arguments)
            return []
        if name in ("UE", "ME"):
            arguments, self.link = [self.link, *arguments], ""
        elif name == "IP":
            arguments = arguments[:1]
        elif name == "Nm":
            self.name = self.name or " ".join(arguments[:1])
            arguments = arguments or [self.name]
        elif name in ("SH", "NH") and len(arguments) == 1 and arguments[0].isdigit():
            arguments = []  # the level of the heading on the next line
        elif name == "In":
            arguments = ["include", *arguments]
        if name in _CALLABLE:
            arguments = [argument for argument in arguments if argument not in _CALLABLE]
        return [self._printed(("" if name in _ALTERNATING else " ").join(arguments))]

    def _printed(self, line: str) -> str:
        return _ESCAPE.sub(self._escape, line) if "\\" in line else line

    def _escape(self, match: re.Match[str]) -> str:
        """Return what an escape sequence prints."""
        argument, string, long_name, short_name, sign = match.groups()
        if argument is not None:
            return self._printed(argument)
        if string is not None:
            return self.strings.get(string.strip("[]").removeprefix("("), "")
        if sign is not None:
            return _SIGNS.get(sign, "")
        name = long_name or short_name
        return _glyph(name) if name else " " * match[0].startswith("\\h")  # a font may change within a word


def _glyph(name: str) -> str:
    """Return the character of a glyph's name; a space for names that are not known here."""
    if name in _GLYPHS:
        return _GLYPHS[name]
    if (code := re.fullmatch("u([0-9A-F]{4,6})", name)) is not None and int(code.group(1), 16) <= 0x10FFFF:
        return chr(int(code.group(1), 16))
    if len(name) == 2 and name[0] in _ACCENTS and name[1].isalpha():
        return unicodedata.normalize("NFC", name[1] + COMBINING[_ACCENTS[name[0]]])
    return " "
