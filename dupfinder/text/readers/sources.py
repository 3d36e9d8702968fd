"""Texts with marks for the programs that show them: TeX, reStructuredText, those of `_MARKUPS`, references, notebooks.

The words that people see are the text. Commands, and what a run of a notebook wrote, are other content.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from itertools import chain, islice, pairwise
from typing import Any, Final, NamedTuple

import numpy as np

from dupfinder.text.lines import split_at_lines, taken_out, with_replaced
from dupfinder.text.normalise import unescape

# A source begins with a command, apart from comments; a text about TeX does not, and Texinfo has marks of its own.
_SOURCE = re.compile(r"\s*+(?>(?:%[^\n]*+\n\s*+)*)\\(?!input\stexinfo)[A-Za-z]")
_MOST_LINES: Final = 10  # of a title
_START: Final = "\\begin{document}"
_SHOWN_OF_PREAMBLE = re.compile(r"\\(?:title|subtitle|author|date)\s{0,20}(?:\[[^\[\]]{0,500}\])?(?=\{)")
_COMMENT = re.compile(r"(?<!\\)%[^\n]*+(?:\n[ \t]*+(?=\S))?")
_VERBATIM: Final = (
    r"\\(?:verb|lstinline)\*?([^\w\s{*])([^\n]{0,500}?)\1"
    r"|\\begin\{(verbatim\*?|(Verbatim|lstlisting|minted))\}(?(4)(?:\[[^\[\]]{0,500}\])?(?:\{\w{1,30}\})?)"
    r"(.*?)(?:\\end\{\3\}|\Z)"
)
# A sign that stands for \verb and its end, and documents in which a bar does.
_SHORT_VERBATIM = re.compile(
    r"\\(?:(?:Make|Define)ShortVerb\*?\s{0,9}\{?\\|lstMakeShortInline(?:\[[^\[\]]{0,500}\])?\{?\\?)([^\w\s{}\\])"
    r"|\\documentclass\s{0,9}(?:\[[^\[\]]{0,500}\])?\s{0,9}\{(?:ltxdoc|l3doc)\}"
)
_NAMED_COMMAND = re.compile(r"\\(?:cmd|DescribeMacro)\s{0,9}\{?\\([A-Za-z@]{1,40})\}?")  # its name is printed
# Code as Pygments colours it: a word with its colour, and signs by their names.
_COLOURED = re.compile(r"\\PY\{[^{}]{0,40}\}\{((?:[^{}]|\{\}){0,2000})\}")
_NAMED_SIGN = re.compile(r"\\PYZ([a-z]{2})\{\}")
_NAMED_SIGNS: Final = {
    "am": "&", "at": "@", "bs": "\\", "ca": "^", "cb": "}", "dl": "$", "dq": '"', "gt": ">", "hy": "-", "lb": "[",
    "lt": "<", "ob": "{", "pc": "%", "rb": "]", "sh": "#", "sq": "'", "ti": "~", "us": "_",
}  # fmt: skip
# Slides: when a command shows its words, "<2->", and notes for the speaker, which slides do not show.
_SLIDES = re.compile(r"\\documentclass\s{0,9}(?:\[[^\[\]]{0,500}\])?\s{0,9}\{beamer\}")
_SHOWN_ON = re.compile(r"(\\[A-Za-z]{1,20}\*?(?:\{[A-Za-z]{1,20}\*?\})?)<[\d.+,*|@a-z: -]{1,40}>")
_SPEAKERS_NOTE = re.compile(r"\\note\s{0,9}(?:\[[^\[\]]{0,200}\]\s{0,9})?(?=\{)")
_LOGO = re.compile(r"\\((?:Xe|Lua|pdf|Bib|Con)?(?:La)?TeX)(?:e(?![A-Za-z])|(?![A-Za-z]))(?:\{\}|\\(?=\s))?")
# \newcommand{\name}[2][first argument if left out]{text} and \def\name#1#2{text}.
_MACRO = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|def)\*?\s{0,9}\{?\\([A-Za-z@]{1,40})\}?\s{0,9}"
    r"(?:\[(\d)\])?(?:\[([^\[\]\n]{0,99})\])?(?:#\d){0,9}\s{0,9}(?=\{)"
)
_FIRST_ARGUMENT = re.compile(r"\s{0,9}\[([^\[\]]{0,500})\]")
_PLACE = re.compile(r"#(\d)")  # of an argument
_ARGUMENT_START = re.compile(r"\s{0,9}(?:(?=\{)|(\\[A-Za-z]+|[^\s{}\[\]]))")
_CALL = re.compile(r"\\([A-Za-z]{1,40})(?![A-Za-z])")
_LONGEST_MACRO: Final = 200  # characters
_OPTIONS = r"(?:\s{0,20}\[[^\[\]]{0,500}\])*"
_ARGUMENT = r"\s{0,20}\{[^{}]{0,2000}\}"
_NESTED = r"\s{0,20}\{(?>(?:[^{}]|\{(?>(?:[^{}]|\{(?>(?:[^{}]|\{[^{}]*\})*)\})*)\})*)\}"
_UNPRINTED_NAMES = (
    r"cite[a-z]*|bibitem|(?!hyperref)[a-zA-Z]*ref|label|bibliography|bibliographystyle|addbibresource|includegraphics|input|"
    r"include|usepackage|index|glossary|[hv]space|setlength|addtolength|setcounter|addtocounter|pagestyle|"
    r"thispagestyle|pagenumbering|nocite|hypertarget|hyperlink|phantomsection|textcolor|color|definecolor|"
    r"selectlanguage|foreignlanguage|newcommand|renewcommand|documentclass|documentstyle|href|hyphenation|vskip|hskip|"
    r"cline|cmidrule|arabic|roman|Roman|alph|Alph|fnsymbol|parbox|raisebox|scalebox|colorbox|(?:row|cell|column)color"
)
# Commands whose first arguments are not printed, the head of a table's next pages, ends of environments, and what
# follows their names: the columns of a table, before which some have its width.
_UNPRINTED = re.compile(
    rf"\\(?:{_UNPRINTED_NAMES})\*?{_OPTIONS}{_NESTED}"
    rf"|\\(?:multicolumn|multirow|rule|fontsize|resizebox)\*?{_OPTIONS}{_NESTED}(?:\*|{_NESTED})"
    rf"|\\(?:hyperref|lstinline){_OPTIONS}"
    r"|\\endfirsthead(?![A-Za-z])(?>(?:[^\\]++|\\(?!end(?:first)?head))*)\\endhead(?![A-Za-z])"
    rf"|\\begin\s{{0,20}}\{{(?:tabular[*xy]|xltabular)\}}{_OPTIONS}(?:{_NESTED}){{2}}"
    rf"|\\begin\s{{0,20}}\{{(?:tabular|array|longtable|minipage|multicols|thebibliography)[^{{}}]{{0,20}}\}}{_OPTIONS}(?:{_NESTED})?"
    rf"|\\(?:begin|end){_ARGUMENT}{_OPTIONS}"
)
_FOR_BOOKMARKS = re.compile(rf"\\texorpdfstring({_NESTED}){_NESTED}")  # of the two, the first is printed
_ACCENT = re.compile(
    r"\\(?:([`'^\"~=.])\s{0,9}|([uvHcrkd])(?:\s{1,9}|(?=\{)))(?:\{\s{0,9}(\\?[A-Za-z])\s{0,9}\}|(\\?[A-Za-z]))"
)
COMBINING: Final = {
    "`": "\u0300", "'": "\u0301", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307",
    "u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "r": "\u030a", "k": "\u0328", "d": "\u0323",
}  # fmt: skip
_GREEK: Final = dict(zip((
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
), "αβγδεζηθικλμνξπρστυφχψω", strict=True))  # fmt: skip
_LETTERS: Final = {
    "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł", "L": "Ł",
    "i": "i", "j": "j", **_GREEK, **{name.title(): letter.upper() for name, letter in _GREEK.items()},
    "S": "§", "ldots": "…", "dots": "…", "leq": "≤", "geq": "≥", "neq": "≠", "times": "×", "pm": "±", "euro": "€",
    "textless": "<", "textgreater": ">", "textbackslash": "\\", "textasciitilde": "~", "textasciicircum": "^",
    "textbar": "|", "textquotesingle": "'", "textquotedbl": '"', "textasciigrave": "`", "textunderscore": "_",
    "textdegree": "°", "texteuro": "€", "textcopyright": "©", "copyright": "©", "textendash": "–", "textemdash": "—",
    "textellipsis": "…", "og": "«", "fg": "»", "guillemotleft": "«", "guillemotright": "»",
}  # fmt: skip
_LETTER = re.compile(rf"\\({'|'.join(_LETTERS)})(?![A-Za-z])(?:\{{\}}|[ \t]+)?")
_SUNK_SIGN = re.compile(r"_(?<=[^\W\d_]_|\}_)(?<![^\W_]{2}_)(?=[^\W_]|[{\\])")  # as in x_i
# Shorthands for German texts (J. Braams and others, babel-german; B. Raichle, german.sty).
_GERMAN = re.compile(r"[\[{,\s](?:n?german|n?austrian|n?swissgerman)b?[\]},\s]")
_SHORTHAND = re.compile('"([aouAOUeisSzZ`\'<>=~"|-])')
_SHORTHANDS: Final = dict(zip("aouAOUeisSzZ`'<>=~", "äöüÄÖÜëïßßßß„“«»--", strict=True))  # others divide words
_NAMED_ITEM = re.compile(r"\\item\s{0,9}\[([^\[\]]{0,200})\]")
_BREAK = re.compile(
    r"\\item(?![A-Za-z])|\\(?:\\|par|newline|linebreak|hline|footnote|thanks|and)(?![A-Za-z])\*?(?:\[[^\[\]\n]{0,40}\])?"
)
_FOOTNOTE = re.compile(r"\\(?:footnote(?:text)?|thanks)(?![A-Za-z])\s{0,9}(?:\[[^\[\]\n]{0,40}\])?(?=\{)")
_SPACE = re.compile(r"\\[ \n]")
_SETTING = re.compile(rf"\\(?:set|addto)(?:length|counter){_ARGUMENT}{_ARGUMENT}")
_COMMAND = re.compile(r"\\(?:[A-Za-z@]+\*?[ \t]?|[,;:!/@ -])")
_ESCAPED = re.compile(r"\\(?:([%&$#_{}])|([~^])\{\})")
_SIDE_BY_SIDE = re.compile(r"\}(?=\{)")  # arguments of a command, which prints them apart
# A formula within other texts, and what it has unlike an amount or a name of a variable. Spaces are outside single
# dollars, and no word follows.
_FORMULA = re.compile(
    r"\$\$([^$]{1,5000}+)\$\$|\\\(((?>[^\\$\n]+|\n(?![ \t]*\n)|\\[^\[\]()])+)\\\)"
    r"|\\\[((?>[^\\$\n]+|\n(?![ \t]*\n)|\\[^\[\]()])+)\\\]"
    r"|(?<![\\$\w])\$(?!\s)((?>[^$\n]+|\n(?![ \t]*\n))+)(?<![\s\\])\$(?![\w${])"
)
_FORMULA_SIGN = re.compile(r"\\[A-Za-z]|(?<![A-Za-z]{2})(?<!\\)[_^]")
# Characters that are printed only behind a backslash, and private ones that replace them until the end.
_PRINTED: Final = '%&$#_{}\\"~'
_PRIVATE: Final = "\ue000\ue001\ue002\ue003\ue004\ue005\ue006\ue007\ue008\ue009"
_JOINED: Final = "\ue00a"  # joins a letter with its index
_TO_PRIVATE: Final = str.maketrans(_PRINTED, _PRIVATE)
_SIGNS: Final = str.maketrans(
    {"{": "", "}": "", "$": "", _JOINED: "", "~": " ", "&": " ", **dict(zip(_PRIVATE, _PRINTED, strict=True))}
)

_DIRECTIVE = re.compile(r"\.\.[ \t]+(?:\|([^|\n]{1,80})\|[ \t]+)?([A-Za-z][\w.:+-]{0,60})::(?:[ \t]+(.*))?$")
_ROLE = re.compile(r":(?<![\w:]:)(?:[\w.+-]{1,30}:)?([\w.+-]{1,30}):`(?!`)([^`]{1,1000})`")
_RST_TARGET = re.compile(r"^([^<>`]{1,500}?)\s*<[^<>`]{1,1000}>$")
_RST_LINK = re.compile(r"`(?=[^`<>]++<)([^`<>]{1,500}?)\s*<([^`<>]{1,1000})>`__?")
# The mark of a note, or an escaped space, which is not shown.
_RST_MARK = re.compile(r"\\[ ](?=:|\[|`)|(?:[ ]|\\[ ])?\[(?:\d{1,3}|#[\w-]{0,40}|\*)\]_(?!\w)")
_RST_MARK_SIGNS = (re.compile(r"\\ "), re.compile(r"\]_"))  # each mark has one of these
# The target of a link by its name, such links (the end of a line that underlines a title is none), and an underlined
# title, which plain texts have too.
_RST_NAMED = re.compile(r"\.\. _(?![_ ])`?([^:`\n]{1,100})`?:(?:[ \t]|$)")
_RST_PHRASE = re.compile(r"`([^`<>]{1,300})`__?(?!\w)")
_RST_REFERENCE = re.compile(r"(?<![\w`])([^\W_][\w.+-]{0,99}?)__?(?![\w-])")
_RST_REFERENCE_SIGN = re.compile(r"_(?<=[^\W_]_)(?=_?(?![\w-]))")
_RST_TITLE = re.compile(r"^\S[^\n]{2,200}\n([=~^*\"'+#-])\1{3,}[ \t]*$", re.M)
_RST_NAME = re.compile(r"\|([^|\s][^|\n]{0,78})\|")
_RST_OPTION = re.compile(r":[\w -]{1,40}:(?:[ \t]|$)")
_RST_UNNAMED = re.compile(r"__ \S+[ \t]*$")  # the target of the next link without a name
_TABLE_HEADS: Final = ":header: "
_HIDDEN_DIRECTIVES: Final = frozenset({
    "toctree", "include", "literalinclude", "index", "raw", "module", "currentmodule", "py:module",
    "py:currentmodule", "moduleauthor", "sectionauthor", "codeauthor", "contents", "meta", "testsetup",
    "testcleanup", "default-role", "tabularcolumns", "sectnum",
})  # fmt: skip
_UNSHOWN_ARGUMENT: Final = frozenset({
    "code-block", "sourcecode", "code", "highlight", "image", "figure", "math", "container", "class",
    "rst-class", "only", "ifconfig", "program", "role", "default-domain",
    "parsed-literal", "doctest", "testcode", "testoutput",
})  # fmt: skip
_SHOWN_NAMES: Final = {  # words in English pages; hyphens separate words
    **{name: name for name in ("note", "warning", "tip", "important", "caution", "danger", "attention", "hint")},
    "seealso": "see-also", "versionadded": "new-in-version", "versionchanged": "changed-in-version",
    "deprecated": "deprecated-since-version",
}  # fmt: skip


class _Markup(NamedTuple):
    """How a text with marks is recognised, and what is replaced in it.

    has:      strings of which one is near the start of all such texts; a quick test.
    frame:    matches in all of them.
    marks:    match at least `least` times in all.
    replaced: (pattern, what is shown instead), one after the other.
    note:     matches a footnote, whose words are shown behind the text.
    Patterns are compiled by `_of_lines` when a text needs them, which most texts do not. Those that begin with a sign
    are found several times as fast, so `=(?<![^\\n]=)` is used for `^=`.
    """

    has: tuple[str, ...]
    frame: str
    marks: tuple[str, ...]
    least: int
    replaced: tuple[tuple[str, str], ...]
    note: str = r"(?!)"


@cache
def _of_lines(pattern: str) -> re.Pattern[str]:
    """Return a pattern compiled so that "^" and "$" match at each line."""
    return re.compile(pattern, re.M)


# A link or picture of Markdown.
MARKDOWN_LINK: Final = re.compile(
    r"!?\[((?>(?:[^\[\]\n]|\n(?![ \t]*+\n)|\[[^\[\]\n]{0,500}\]){0,2000}))\]"
    r"\(((?>(?:[^()\s]|\([^()\s]{0,500}\)){0,2000}))"
    r"(?:\s{1,9}(?:\"(?:[^\"\n]|\n(?!\s*\n)){0,500}\"|'(?:[^'\n]|\n(?!\s*\n)){0,500}'))?\)"
)
# The address of a link, unlike the argument of a call: table[name](argument).
_ADDRESS = r"\]\((?=[^()\s]{0,2000}[/.#:])[^()\s]{1,2000}[)\s]"
_PAGE_TAG = r"</?(?:a|b|br|code|div|em|h[1-6]|hr|i|img|li|ol|p|span|strong|table|td|th|tr|ul)\b[^<>]{0,2000}>"
_TEMPLATE = r"\{\{[^{}]{0,5000}\}\}"
_NEAR_START: Final = 1 << 16  # characters
_LEAST_MARKS: Final = 3  # a text about marks may quote one or two
# The table of the nodes below a node, or an index, up to its last entry; no other format of the manual has these names.
_INFO_MENU = (
    r"\*(?<![^\n]\*) Menu:$(?>(?:\n++\*[ \t][^\n\x1f]*(?:\n[ \t]+\S[^\n\x1f]*)*|\n++[^\n\x1f*][^\n\x1f]*(?=\n+\* ))*)"
)
_MARKUPS: Final = (
    _Markup(  # Info: the heads of its nodes, its menus
        ("\x1f",),
        r"\x1f(?<![^\n]\x1f)\n(?:File: |Indirect:|Tag Table:)",
        (r"\x1f(?<![^\n]\x1f)",),
        2,
        (
            (_INFO_MENU, ""),
            (r"\x1f(?<![^\n]\x1f)\n(?:Indirect|Tag Table):\n[^\x1f]*", ""),
            (r"\x1f(?<![^\n]\x1f)\n(?:File: [^\n]*)?", ""),
            (r"(?:S(?<![^\n]S)TART|E(?<![^\n]E)ND)-INFO-DIR-ENTRY$", ""),
            (  # a reference: its words, and the name of the node, which is not shown
                r"\*[Nn]ote\s([^:]{1,200}):(?!:)\s{1,9}(?:\([^()\n]{1,60}\))?[^.,:\x1f]{1,200}(?=[.,])",
                r"\1",
            ),
            (r"\*[Nn][Oo][Tt][Ee](?=\s)", ""),
        ),
    ),
    _Markup(  # Pod: programs between its parts, names and frames of lists, words of an index, letters, links, fonts
        ("=head1 ", "=pod\n"),
        r"^=head[1-6][ \t]+\S",
        (r"=(?<![^\n]=)(?:head[1-6]|item|over|back|cut|pod|encoding|begin|for)\b",),
        _LEAST_MARKS,
        (
            (r"(?s)^=cut\b.*?(?=^=[a-z]|\Z)", ""),
            (r"(?s)^=begin[ \t]+(?!text\b|:)\w.{0,20000}?^=end\b[^\n]*", ""),
            (r"^=for\b[^\n]*(?:\n[^\n]+){0,99}|^=(?:pod|over|back|begin|end|encoding)\b[^\n]*$", ""),
            (r"^=(?:head[1-6]|item)\b(?:[ \t]*\*(?=\s))?", ""),
            (r"(?:X<[^<>]{0,200}>|Z<>)", ""),
            (r"E<(?:0(?=x))?([A-Za-z][\w-]{0,20})>", r"&\1;"),
            (r"E<(\d{1,7})>", r"&#\1;"),
            (r"L<(?!<)([^<>|]{1,500})\|[^<>]{1,500}>", r"\1"),
            (r"L<([^<>|/:]{0,200})/\"?([^<>|\"]{1,500})\"?>", r"\2 in \1"),
            *((r"[BCFILS](?:<(?![<\s])([^<>]{1,2000})>|<<+\s((?:[^\n]|\n(?!\n)){1,2000}?)\s>>+)", r"\1\2"),) * 3,
        ),
    ),
    _Markup(  # Texinfo: comments, menus, what other programs show, names of nodes, lines of commands, fonts, letters
        ("@setfilename", "@node "),
        r"^@(?:node|top|(?:sub){0,2}section|chapter|unnumbered)[ \t]+\S",
        (r"@(?<![^\n]@)(?:node|end|item|setfilename|chapter|section|c(?:omment)?)\b",),
        _LEAST_MARKS,
        (
            (r"^\\input[ \t][^\n]*|@c(?:omment)?\b[^\n]*$", ""),
            (
                r"(?s)^@(ignore|menu|detailmenu|direntry|tex|iftex|ifhtml|html|ifdocbook|docbook|ifxml|xml|(?:r|rec)?macro)\b"
                r".{0,20000}?^@end[ \t]+\1$",
                "",
            ),
            (
                r"^@(?:node|setfilename|settitle|document\w+|include|set|clear|(?:syn|synch|[cfkptv]|print|def)\w{0,4}index|"
                r"dircategory|setchapternewpage|finalout|contents|shortcontents|summarycontents|bye|end|need|sp|page|"
                r"paragraphindent|[a-z]{1,20}(?:headings|footing|heading(?=[ \t]+(?:on|off|@\|))))\b[^\n]*$",
                "",
            ),
            (r"@(?:anchor|label|[cfkptv]index)\{[^{}]{0,200}\}", ""),
            (
                r"@(?:p?xref|ref)\{[^{},]{1,200}(?:,[^{},]{0,200}){0,2}?,\s*([^{},\s][^{},]{0,200})(?:,[^{}]{0,200})?\}",
                r"\1",
            ),
            (r"@(?:uref|url|email)\{[^{},]{1,500},\s*([^{}]{1,500})\}", r"\1"),
            (r"@(?:image|vskip|value)\{[^{}]{0,500}\}", " "),
            *((r"@[a-zA-Z]{1,20}\{([^{}]{0,5000})\}", r"\1"),) * 4,
            (r"^@(?:itemize|enumerate|[fv]?table|multitable)\b[^\n]*$", ""),
            (r"^@[a-z]{2,30}(?:\b[ \t]*|$)|@tab\b", " "),
            (r"@([@{}])", r"\1"),
            (r"@[*:./-]", " "),
        ),
    ),
    _Markup(  # Textile, Jira and XWiki: headings, frames, links, pictures
        ("h1", "h2", "h3", "{code", "{noformat", "{id"),
        r"^h[1-6](?:\([^()\n]{0,200}\))?\. \S|\{(?:code|noformat)[:}]|\{\{id\b",
        (
            r"h(?<![^\n]h)[1-6](?:\([^()\n]{0,200}\))?\. ",
            r"\[(?![\s\[])[^\[\]|\n]{1,300}\|[^\[\]\n]{1,500}\]|\{(?:code|noformat)[:}]",
            r"\"[^\"\n]{1,300}\":(?:https?://|[\w./#])\S",
        ),
        _LEAST_MARKS,
        (
            (r"^(?:h[1-6]|bc|bq|pre|p)(?:\([^()\n]{0,200}\))?\.{1,2} ", ""),
            (r"\{\{/?[a-z]{2,20}\b[^{}\n]{0,300}\}\}", ""),
            (r"\[\[([^\[\]\n>]{1,300})>>[^\[\]\n]{1,500}\]\]", r"\1"),
            (r"\{(?:code|noformat|panel|quote|color|anchor)\b[^{}\n]{0,300}\}", ""),
            (r"\[(?![\s\[])([^\[\]|\n]{1,300})\|[^\[\]\n]{1,500}\]", r"\1"),
            (r"\"([^\"\n]{1,300})\":(?:https?://|[\w./#])[^\s\"]{0,500}[^\s\".,;:)]", r"\1"),
            (r"!(?![\s!=])[^!\s|()]{1,300}(?:\.\w{2,4})(?:\([^()\n]{0,300}\)|\|[^!\n]{0,200})?!", ""),
            (_PAGE_TAG, " "),
        ),
    ),
    _Markup(  # Posts of forums: fonts, quotes, links
        ("[/",),
        r"(?i)\[/(?:b|i|u|s|url|quote|code|list|img|size|color)\]",
        (r"(?i)\[/(?:b|i|u|s|url|quote|code|list|img|size|color)\]",),
        _LEAST_MARKS,
        (
            (r"(?i)\[img(?:=[^\[\]\n]{0,200})?\][^\[\]\n]{0,1000}\[/img\]", ""),
            (r"(?i)\[/?(?:b|i|u|s|url|quote|code|list|\*|size|color|font|center|spoiler)(?:=[^\[\]\n]{0,500})?\]", ""),
        ),
    ),
    _Markup(  # Org: drawers, remarks, times of plans, names of facts, options, links, notes
        ("#+", ":PROPERTIES:"),
        r"^\*{1,9} \S",
        (r"(?i)^[ \t]*(?:#\+(?:title|author|date|begin_\w{1,40})\b|:PROPERTIES:)",),
        1,
        (
            (r"^[ \t]*:[A-Z]{1,40}:[ \t]*\n(?:(?![ \t]*:END:|\*)[^\n]*\n){0,999}[ \t]*:END:[ \t]*$", ""),
            (r"(?is)^[ \t]*#\+begin_comment\b.{0,20000}?^[ \t]*#\+end_comment\b", ""),
            (r"^[ \t]*(?:DEADLINE|SCHEDULED|CLOSED):[ \t]*[<\[][^\n]*$", ""),
            (r"(?i)^[ \t]*#\+(?:title|author|date|caption):", ""),
            (r"^[ \t]*#\+\w[^\n]*$", ""),
            (r"\[\[[^\[\]\n]{1,2000}\]\[((?:[^\[\]\n]|\n(?=\S)){1,1000})\]\]", r"\1"),
            (r"(?i)\[fn:[\w-]{1,40}\]|\[\[[^\[\]\n]{1,500}\.(?:png|jpe?g|gif|svg|webp)\]\]", ""),
        ),
    ),
    _Markup(  # MediaWiki; a template stands for a text that is stored elsewhere, and may be in another one
        ("=\n",),
        r"(=(?<![^\n]=)={0,5})(?!=)[^\n]{1,300}(?<!=)\1[ \t]*$",
        (
            r"\[(?:\[[^\[\]\n]{1,300}\]\]|https?://[^\s\[\]]{1,2000} )",
            r"'''[^'\n]{1,300}'''",
            r"\{(?<![^\n]\{)\|",
            r"<(?:/(?:code|ref|span|div|blockquote|pre|nowiki|syntaxhighlight|su[bp])|br ?/?)>",
        ),
        _LEAST_MARKS,
        (
            (
                r"<!--(?:[^-]|-(?!->)){0,20000}-->|</?(?:su[bp]|[bius]|em|strong|span|small|big|code|var)\b[^<>]{0,400}>",
                "",
            ),
            *((_TEMPLATE, " "),) * 5,
            (r"(?i)\[\[(?:Category|Kategorie|Catégorie|Categoría|分类):[^\[\]\n]{1,300}\]\]", ""),
            (r"\[\[(?:[^\[\]|\n]{1,300}\|){1,9}([^\[\]|\n]{0,1000})\]\]", r"\1"),
            (r"\[\[([^\[\]|\n]{1,300})\]\]", r"\1"),
            (r"\[(?:https?:|ftp:|mailto:|\w[\w./-]{0,200}\.html)[^\s\[\]]{0,2000} ([^\[\]\n]{1,1000})\]", r"\1"),
            (r"</?[A-Za-z][\w-]{0,40}(?:\s[^<>]{0,2000})?/?>|__[A-Z]{3,20}__", " "),
            (r"^(?:\{\||\|-|\|\}).*$", ""),  # the frame of a table
            (r"(?:^[|!]|\|\||!!)[^\[\]|!\n]{0,200}=[^\[\]|!\n]{0,200}\|(?!\|)", " "),  # of a cell
        ),
        r"<ref(?:\s[^<>]{0,200})?(?<!/)>([^<>]{0,2000})</ref>",
    ),
    # AsciiDoc: files that it includes, conditions, facts, what blocks are, anchors, links and other macros; marks of
    # headings, items, blocks, cells and code
    _Markup(
        ("include::", "link:", "linkgit:", "<<", "]]\n", "|===", "[source", "footnote:"),
        r"^={1,6} \S[^\n]*[^\s=]$|^\w[^\n]{2,100}\n[=~^-]{3,100}$",
        (
            *(rf"::(?<={name}::)(?<![^\n]{name}::)" for name in ("include", "ifdef", "ifndef", "endif")),
            r"link(?<!\wlink)\w{0,10}:[^\s\[\]]{1,300}\[",
            r"<<[^<>\n]{1,200}>>",
            r"\[(?<![^\n]\[)\[?\w[^\[\]\n]*\]\]?$",
            r"\|(?<![^\n]\|)===$|footnote:\[",
        ),
        _LEAST_MARKS,
        (
            (r"^(?:include|ifn?def|ifeval|endif|image|toc)::[^\n]*$|^:[\w!-]{1,60}:[^\n]*$", ""),
            (r"\[(?:(?<![^\n]\[)[^\[\]\n]{1,300}\]$|\[[^\[\]\n]{1,200}\]\])", ""),
            (r"<<[^<>,\n]{1,200},([^<>\n]{1,300})>>", r"\1"),
            (
                r"(?:l(?<!\wl)ink|x(?<!\wx)ref|m(?<!\wm)ailto|i(?<!\wi)(?:mage|con))"
                r":[^\s\[\]]{1,2000}\[([^\[\]]{0,1000})\]",
                r"\1",
            ),
            (r"link(?<!\wlink)\w{1,10}:([^\s\[\]]{1,300})\[([^\[\]\n]{0,300})\]", r"\1(\2)"),
            (r"https?://[^\s\[\]]{1,2000}\[([^\[\]]{1,1000})\]", r"\1"),
            (r"^(?:(?:([-=.*_+/~^'])\1{2,}|\+|\|===)[ \t]*$|={1,6}[ \t]|[*.]{1,5}[ \t]|\.(?=[^\W\d_]))", ""),
            (r"(?:^|(?<=[ \t]))(?:\d?[.\d]?\d\+)?[<^>.]{0,3}[a-z]?\|(?=\S|$)", " "),
            (r"`(?<![\w`]`)\+?([^`\n]{1,500}?)\+?`(?!`)", r"\1"),
            (r"([*_])(?<![\w*\\].)(?<!__)(?=[^\s*_])([^*_\n]{1,300})(?<!\s)\1(?![\w*])", r"\2"),
            (r"\{[a-z][\w-]{1,40}\}", " "),
        ),
        r"footnote:\w{0,40}\[((?>(?:[^\[\]]|\[[^\[\]]{0,500}\]){0,2000}))\]",
    ),
    _Markup(  # Markdown in a file that is not called so: the addresses of links and pictures
        ("](",), _ADDRESS, (_ADDRESS,), _LEAST_MARKS, (*((MARKDOWN_LINK.pattern, r"\1"),) * 2, (_PAGE_TAG, " "))
    ),
)


def without_commands(text: str) -> tuple[str, str]:
    """Return (the printed words of a source for TeX, its preamble, comments and commands); any other text, and ""."""
    if "\\" not in text or not _SOURCE.match(text):
        return text, ""
    short = _SHORT_VERBATIM.search(text, 0, _NEAR_START)
    source = _verbatim("" if short is None else short[1] or "|").sub(_code, text)
    source = _NAMED_COMMAND.sub(r"\1", source)
    source = _ESCAPED.sub(lambda sign: (sign[1] or sign[2]).translate(_TO_PRIVATE), source)
    source, comments = taken_out(_COMMENT, source)
    unprinted = [comment for comment in comments if any(map(str.isalnum, comment))]
    if _SLIDES.search(source, 0, _NEAR_START):
        source, notes = _without_groups(_SHOWN_ON.sub(r"\1", source), _SPEAKERS_NOTE)
        unprinted += notes
    unprinted.append(source[: max(0, source.find(_START))])
    macros = _macros(source)
    body, definitions = _without_groups(_body(source), _MACRO)
    body, notes = _without_groups(body, _FOOTNOTE)
    body = "\n".join([body, *(_FOOTNOTE.sub("", note, 1) for note in notes)])
    unprinted += [*definitions, *(title.group() for title in _FOR_BOOKMARKS.finditer(body))]
    if macros:
        body = _expanded(body, macros)
    is_german = _GERMAN.search(unprinted[-1]) is not None
    printed, commands = _printed(_FOR_BOOKMARKS.sub(r"\1", body), is_german=is_german)
    return printed, "\n".join([*unprinted, *commands])


def _printed(source: str, *, is_german: bool = False) -> tuple[str, list[str]]:
    """Return (what TeX prints of a source without definitions and comments, the commands that it does not print)."""
    source = _SUNK_SIGN.sub(_JOINED, _LETTER.sub(_letter, _LOGO.sub(r"\1", source)))
    source = _ACCENT.sub(_accented, source)
    if is_german:
        source = _SHORTHAND.sub(lambda sign: _SHORTHANDS.get(sign.group(1), ""), source)
    source = _NAMED_ITEM.sub(r"\n\1 ", source)
    commands: list[str] = []
    for pattern, instead in ((_SETTING, ""), (_UNPRINTED, "\n"), (_BREAK, "\n"), (_SPACE, " "), (_COMMAND, "")):
        source, removed = taken_out(pattern, source, instead)
        commands += removed
    return _SIDE_BY_SIDE.sub("} ", source).translate(_SIGNS), commands


def with_printed_formulas(text: str, *, single_dollars: bool = True) -> tuple[str, list[str]]:
    """Return (a text with its formulas in TeX as they are printed, these formulas), as MathJax and pandoc show them.

    single_dollars: also formulas between these.
    """
    formulas: list[str] = []

    def printed(formula: re.Match[str]) -> str:
        source = next(filter(None, formula.groups()))
        if _FORMULA_SIGN.search(source) is None or (formula.group(4) and not single_dollars):
            return formula[0]
        formulas.append(source)
        return " ".join(_printed(source)[0].replace("_", " ").split())

    return _FORMULA.sub(printed, text), formulas


class _Macro(NamedTuple):
    """A command that the author of a source defines.

    arguments: how many it takes. first: what the first of them is if a call leaves it out; None: it may not.
    text: what the command stands for, with #1 in place of its first argument, and so on.
    """

    arguments: int
    first: str | None
    text: str

    def with_arguments(self, arguments: Sequence[str]) -> str:
        """Return the text with these arguments; those that are missing are empty."""
        return _PLACE.sub(lambda place: "".join(arguments[int(place[1]) - 1 : int(place[1])]), self.text)


def _macros(source: str) -> dict[str, _Macro]:
    """Return the commands that a source defines, by their names; long ones draw instead of writing."""
    macros: dict[str, _Macro] = {}
    for defined in _MACRO.finditer(source):
        name, count, first = defined.groups()
        text = _group(source, defined.end(), _LONGEST_MACRO + 1)
        if len(text) <= _LONGEST_MACRO and (count is not None or "#" not in text):
            macros[name] = _Macro(int(count or 0), first, text)
    return macros


def _expanded(source: str, macros: Mapping[str, _Macro]) -> str:
    """Return a source with the text of each of the author's commands in place of its calls.

    Calls within such a text stay: if they were replaced too, a short source could grow without bound.
    """
    calls: list[tuple[int, int, str]] = []
    end = 0
    for call in _CALL.finditer(source):
        macro = macros.get(call[1])
        if macro is not None and call.start() >= end:
            arguments, end = _arguments(source, call.end(), macro)
            calls.append((call.start(), end, macro.with_arguments(arguments)))
    return with_replaced(source, calls)


def _arguments(source: str, start: int, macro: _Macro) -> tuple[list[str], int]:
    """Return the arguments of a call, whose name ends at `start`, and where they end."""
    arguments: list[str] = []
    end = start
    if macro.first is not None:
        given = _FIRST_ARGUMENT.match(source, end)
        arguments.append(macro.first if given is None else given[1])
        end = end if given is None else given.end()
    while len(arguments) < macro.arguments and (argument := _ARGUMENT_START.match(source, end)) is not None:
        arguments.append(argument[1] or _group(source, argument.end()))
        end = argument.end() + (0 if argument[1] else len(arguments[-1]))
    return arguments, end


@cache
def _verbatim(sign: str) -> re.Pattern[str]:
    """Return a pattern that matches the code in a TeX source: what TeX prints as it is typed.

    sign: a character before and behind code, which a source may define in place of \\verb; "": it defines none.
    """
    short = rf"(?<!\\){re.escape(sign)}([^\n{re.escape(sign)}]{{1,500}}){re.escape(sign)}" if sign else r"(?!)()"
    return re.compile(f"{_VERBATIM}|{short}", re.S)


def _code(code: re.Match[str]) -> str:
    """Return code as it is printed, without the commands that colour it. Its own signs of commands become private."""
    words = code.group(2) or code.group(5) or code.group(6) or ""
    if "\\PY" in words:
        words = _NAMED_SIGN.sub(lambda sign: _NAMED_SIGNS.get(sign[1], sign[0]), _COLOURED.sub(r"\1", words))
    return words.translate(_TO_PRIVATE)


def _without_groups(source: str, command: re.Pattern[str]) -> tuple[str, list[str]]:
    """Return (a source without a command and the group in brackets after it, what was removed)."""
    spans, end = list[tuple[int, int]](), 0
    for match in command.finditer(source):
        if match.start() >= end:
            end = match.end() + len(_group(source, match.end()))
            spans.append((match.start(), end))
    rest = with_replaced(source, ((start, stop, "") for start, stop in spans))
    return rest, [source[start:stop] for start, stop in spans]


def _body(source: str) -> str:
    """Return what is printed of a document: the lines of its title, and all after the preamble."""
    start = source.find(_START)
    if start < 0:
        return source
    title = [
        _group(source, command.end()) for command in islice(_SHOWN_OF_PREAMBLE.finditer(source, 0, start), _MOST_LINES)
    ]
    return "\n".join([*title, source[start + len(_START) :]])


def _group(source: str, start: int, most: int = 5000) -> str:
    """Return the group in brackets that begins at a position; `most` characters if it does not end within."""
    depth = 0
    for position in range(start, min(len(source), start + most)):
        depth += {"{": 1, "}": -1}.get(source[position], 0)
        if depth == 0:
            return source[start : position + 1]
    return source[start : start + most]


def _letter(command: re.Match[str]) -> str:
    """Return what a command prints; the space behind it only if that is no letter of a word."""
    sign = _LETTERS[command[1]]
    return sign.translate(_TO_PRIVATE) + " " * (sign > "\u02ff" and command[0][-1].isspace())


def _accented(match: re.Match[str]) -> str:
    """Return the letter of an accent command."""
    mark, letter = match.group(1) or match.group(2), match.group(3) or match.group(4)
    return unicodedata.normalize("NFC", letter.lstrip("\\") + COMBINING[mark])


# Lists of references as programs that keep them export them: BibTeX; RIS, PubMed and EndNote, with a line a field; and
# the JSON of the Citation Style Language.
_ENTRY = re.compile(r"^[ \t]*@([A-Za-z]{3,20})[ \t]*[{(][ \t]*[^\s,{}()=]{0,200}[ \t]*,", re.M)
_FIRST_ENTRY = re.compile(r"\s*+(?>(?:%[^\n]*+\n\s*+)*)@[A-Za-z]{3,20}[ \t]*[{(]")
_ENTRY_FIELD = re.compile(
    r"\b([A-Za-z][\w-]{1,40})\s{0,9}=\s{0,9}(?:\{((?>(?:[^{}]|\{(?>(?:[^{}]|\{[^{}]*\})*)\})*))\}"
    r"|\"((?>(?:[^\"{}]|\{[^{}]*\})*))\"|(\w{1,40}))(?=\s{0,9}(?:,|[})]\s*(?:@|\Z)))"
)
_TAGGED = re.compile(r"\s*+(?:TY  - |PMID- |%0 )")
_TAGGED_FIELD = re.compile(r"(?:([A-Z][A-Z0-9]{1,3}) {0,2}- ?|%([0-9A-Z@!#$*&()+<>?\[\]^~=]) )(.*)")
# The fields of a reference in the order in which they are read, each with its names in all these formats.
_FIELD_NAMES: Final = (
    ("author", "au", "a1", "fau", "%a"), ("editor", "ed", "a2", "%e"), ("title", "ti", "t1", "%t"),
    ("journal", "journaltitle", "booktitle", "container-title", "t2", "jo", "jf", "jt", "bt", "%j", "%b"),
    ("volume", "vl", "vi", "%v"), ("number", "issue", "is", "ip", "%n"), ("pages", "page", "sp", "ep", "pg", "%p"),
    ("year", "date", "issued", "py", "y1", "dp", "%d"),
    ("publisher", "school", "institution", "organization", "pb", "%i"),
    ("address", "location", "publisher-place", "cy", "%c"), ("doi", "do", "lid", "aid", "%r"),
    ("isbn", "issn", "sn", "%@"), ("url", "ur", "%u"), ("keywords", "kw", "%k"), ("abstract", "ab", "n2", "%x"),
    ("note", "annote", "annotation", "n1", "rn", "%z"),
)  # fmt: skip
_FIELD_NUMBERS: Final = {name: number for number, names in enumerate(_FIELD_NAMES) for name in names}
_PERSONS, _YEAR, _NO_FIELD = ("author", "editor"), "year", ""
# What programs store for themselves; other fields follow those above. Of PubMed's lists, none do.
_UNSHOWN_FIELDS: Final = frozenset({
    "accessed", "db", "file", "groups", "id", "l1", "l4", "la", "langid", "language", "m3", "owner", "source",
    "timestamp", "ty", "type", "urldate", "y2", "%0", "%g",
})  # fmt: skip
_FIRST_NAMES = re.compile(r"([^,{}]*[^\s,{}])\s+([^\s,{}]+)")
_MOST_BETWEEN: Final = 0.1  # share of letters between the fields of a list's references


def shown_references(text: str) -> tuple[str, str]:
    """Return (the references of a list, each with its fields in one order, the list); any other text, and ""."""
    if _FIRST_ENTRY.match(text):
        entries = _of_entries(text)
    elif _TAGGED.match(text):
        entries = _tagged(text)
    elif '"date-parts"' in text[:_NEAR_START] and '"issued"' in text[:_NEAR_START]:
        entries = _of_objects(text)
    else:
        return text, ""
    shown = "\n\n".join(filter(None, map(_in_order, entries)))
    return (shown, text) if shown else (text, "")


def _of_entries(text: str) -> list[list[tuple[str, str]]]:
    """Return the fields of each reference in BibTeX as (name, value); none if much other text is between them."""
    heads = list(_ENTRY.finditer(text))
    entries, rest = [], [text[: heads[0].start()] if heads else ""]
    for entry, end in zip(heads, [*(head.start() for head in heads[1:]), len(text)], strict=bool(heads)):
        fields = list(_ENTRY_FIELD.finditer(text, entry.end(), end))
        entries.append([(field[1].lower(), _plain(field[2] or field[3] or field[4] or "")) for field in fields])
        ends = [entry.end(), *chain.from_iterable(field.span() for field in fields), end]
        rest += (text[start:stop] for start, stop in zip(ends[::2], ends[1::2], strict=True))
    others = sum(map(str.isalpha, _COMMENT.sub("", "".join(rest))))
    return entries if others <= _MOST_BETWEEN * len(text) else []


def _of_objects(text: str) -> list[list[tuple[str, str]]]:
    """Return the fields of each reference in JSON as (name, value)."""
    try:
        objects = json.loads(text)
    except (ValueError, RecursionError):
        return []
    if not isinstance(objects, list) or not all(isinstance(each, dict) and "type" in each for each in objects):
        return []
    entries = []
    for each in objects:
        fields = [(name.lower(), str(value)) for name, value in each.items() if isinstance(value, str | int | float)]
        for name in _PERSONS:
            persons = [person for person in each.get(name) or () if isinstance(person, dict)]
            fields += [
                (name, ", ".join(str(person[key]) for key in ("family", "given", "literal") if key in person))
                for person in persons
            ]
        entries.append([*fields, (_YEAR, str(each.get("issued", "")))])
    return entries


def _plain(value: str) -> str:
    """Return a value of BibTeX with letters for commands, on one line."""
    letters = _ACCENT.sub(_accented, _LETTER.sub(lambda letter: _LETTERS[letter[1]], value))
    return " ".join(_ESCAPED.sub(r"\1\2", letters).replace("{", "").replace("}", "").replace("--", "-").split())


def _tagged(text: str) -> list[list[tuple[str, str]]]:
    """Return the fields of each reference in a list with one field a line as (name, value)."""
    entries: list[list[tuple[str, str]]] = []
    goes_on = False
    for line in text.split("\n"):
        if (field := _TAGGED_FIELD.match(line)) is not None:
            name = (field[1] or "%" + field[2]).lower()
            entries += [[]] if name in ("ty", "pmid", "%0") or not entries else []
            entries[-1].append((name, field[3].strip()))
        elif line.strip() and goes_on:
            name, value = entries[-1][-1]
            entries[-1][-1] = name, f"{value} {line.strip()}"
        elif line.strip() and entries:
            entries[-1].append((_NO_FIELD, line.strip()))
        goes_on = bool(line.strip() and entries)
    return entries


def _in_order(fields: Sequence[tuple[str, str]]) -> str:
    """Return the values of a reference, a line each; names of persons begin with the last one."""
    values: list[list[str]] = [[] for _ in (*_FIELD_NAMES, "others")]
    names = {name for name, _ in fields}
    for name, value in fields:
        number = _FIELD_NUMBERS.get(name, len(_FIELD_NAMES))
        if not value or name in _UNSHOWN_FIELDS or ("pmid" in names and name and number == len(_FIELD_NAMES)):
            continue
        if ("fau" in names and name == "au") or value.endswith("[pii]"):  # PubMed repeats names shortened
            continue
        first = _FIELD_NAMES[number][0] if number < len(_FIELD_NAMES) else name
        if first in _PERSONS:
            values[number] += [_FIRST_NAMES.sub(r"\2, \1", person, count=1) for person in value.split(" and ")]
        elif first == _YEAR:
            values[number] += re.findall(r"\d{4}", value)[:1] or [value]
        else:
            values[number].append(value.removesuffix(" [doi]"))
    pages = _FIELD_NUMBERS["pages"]
    return "\n".join(
        ("-" if number == pages else "; ").join(dict.fromkeys(value))
        for number, value in enumerate(values)
        if any(value)
    )


def without_roles(text: str) -> tuple[str, str]:
    """Return (the words that a page made of reStructuredText shows, its marks); any other text unchanged, and ""."""
    start = "\n" + text[:_NEAR_START]
    if not any(sign in start for sign in ("\n.. ", ":`", ">`_")) or not _is_restructured(text):
        return text, ""
    lines, marks, names = _without_directives(text.split("\n"))
    pieces = split_at_lines("\n".join(lines), _RST_MARK_SIGNS)
    unmarked = "".join(_RST_MARK.sub("", piece) if has_sign else piece for piece, has_sign in pieces)
    shown = _RST_LINK.sub(r"\1", _ROLE.sub(_of_role, unmarked))
    targets = {named.group(1).lower() for mark in marks if (named := _RST_NAMED.match(mark.lstrip())) is not None}
    if targets:
        pieces = split_at_lines(_RST_PHRASE.sub(r"\1", shown), (_RST_REFERENCE_SIGN,))
        shown = "".join(_without_references(piece, targets) if has_sign else piece for piece, has_sign in pieces)
    return _RST_NAME.sub(lambda name: names.get(name.group(1), name.group()), shown), "\n".join(marks)


def _is_restructured(text: str) -> bool:
    """Tell whether a text has marks of reStructuredText: directives, targets, roles, links, and an underlined title."""
    marked = (line for line in text.split("\n") if ".. " in line and ":" in line)
    blocks = sum(bool(_DIRECTIVE.match(line.lstrip()) or _RST_NAMED.match(line)) for line in marked)
    inline = chain(_ROLE.finditer(text), _RST_LINK.finditer(text))
    count = blocks + sum(1 for _ in islice(inline, _LEAST_MARKS))
    return count + (_RST_TITLE.search(text) is not None) >= _LEAST_MARKS


def _without_references(line: str, targets: Set[str]) -> str:
    """Return a line in which a link by the name of its target has its words alone."""
    return _RST_REFERENCE.sub(lambda link: link[1] if link[1].lower() in targets else link[0], line)


def _without_directives(lines: list[str]) -> tuple[list[str], list[str], dict[str, str]]:
    """Return (lines with the words of directives, what is not shown, replacements by their names)."""
    shown: list[str] = []
    marks: list[str] = []
    names: dict[str, str] = {}
    hidden = options = -1  # the indent of a directive whose block is not shown, or whose options may follow
    for line in lines:
        stripped = line.lstrip()
        indent = len(line) - len(stripped)
        is_hidden = hidden >= 0 and (not stripped or indent > hidden)
        if is_hidden or (hidden < 0 <= options < indent and _RST_OPTION.match(stripped)):
            marks.append(line)
            shown += [stripped.removeprefix(_TABLE_HEADS)] if stripped.startswith(_TABLE_HEADS) else []
            continue
        hidden = options = -1
        if line.startswith("__ ") and _RST_UNNAMED.match(line):
            marks.append(line)
            continue
        if not stripped.startswith(".. "):
            shown.append(line)
            continue
        marks.append(line)
        directive = _DIRECTIVE.match(stripped)
        if directive is None:
            if (note := re.match(r"\.\. \[[^\]\n]{1,80}\](?: |$)", stripped)) is not None:
                shown.append(stripped[note.end() :])
            else:  # a comment, or the target of a link
                hidden = indent
            continue
        replaced, name, argument = directive.group(1), directive.group(2).lower(), directive.group(3) or ""
        if replaced:
            names[replaced] = argument if name == "replace" else " "
        if replaced or name in _HIDDEN_DIRECTIVES:
            hidden = indent
            continue
        options = indent
        shown.append(f"{_SHOWN_NAMES.get(name, '')} {'' if name in _UNSHOWN_ARGUMENT else argument}")
    return shown, marks, names


def _of_role(match: re.Match[str]) -> str:
    """Return what is shown of a role with its text."""
    role, content = match.groups()
    if "<" in content and (title := _RST_TARGET.match(content)) is not None:
        return title.group(1)
    if role in ("ref", "doc", "label"):  # the title of a part, which is elsewhere
        return ""
    shown = content.rpartition(".")[2] if content.startswith("~") else content.lstrip("!")
    return f"{role} {shown}" if role in ("pep", "rfc") else shown


def without_markup(text: str) -> tuple[str, str]:
    """Return (the words that a text in one of `_MARKUPS` shows, what is replaced in it); any other text, and ""."""
    start = text[:_NEAR_START]
    pairs = pairs_in(start)
    for markup in _MARKUPS:
        # A string whose pairs the text lacks is not searched: the texts without markup take half the time.
        if any(all(pairs[pair] for pair in character_pairs(part)) and part in start for part in markup.has):
            matches = chain.from_iterable(_of_lines(mark).finditer(text) for mark in markup.marks)
            if sum(1 for _ in islice(matches, markup.least)) == markup.least and _of_lines(markup.frame).search(text):
                note = _of_lines(markup.note)
                notes = [match[1] for match in note.finditer(text)]
                return _without("\n\n".join([note.sub("", text) if notes else text, *notes]), markup.replaced)
    return text, ""


def pairs_in(text: str) -> memoryview:
    """Return a table that tells which pairs of neighbouring ASCII characters a text has; see `character_pairs`.

    Takes as long as to search the text for one or two of them.
    """
    data = text.encode("ascii", "replace")
    has = np.zeros(1 << 16, bool)
    has[np.ndarray(max(0, len(data) - 1), np.dtype("<u2"), data, strides=(1,))] = True  # each pair overlaps the next
    return has.data


@cache
def character_pairs(part: str) -> list[int]:
    """Return the numbers of the neighbouring characters in a string of ASCII."""
    return [ord(first) | ord(second) << 8 for first, second in pairwise(part)]


def _without(text: str, replaced: Iterable[tuple[str, str]]) -> tuple[str, str]:
    """Replace what matches each pattern, one after the other. Return (text, what was replaced)."""
    marks: list[str] = []
    for pattern, instead in replaced:
        text, removed = taken_out(_of_lines(pattern), text, instead)
        marks += removed
    return unescape(text), "\n".join(marks)


def without_results(text: str) -> tuple[str, str]:
    """Return (the cells of a notebook as Markdown, the results below them); any other text unchanged, and ""."""
    if text.lstrip()[:1] != "{" or '"cells"' not in text:
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
