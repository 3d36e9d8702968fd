"""Of manual pages the words are left that a reader of the page sees."""

from __future__ import annotations

from dupfinder.text.readers.troff import without_requests


def words(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


PAGE = r""".\" A comment
'\" t
.de XX
.B hidden
..
.if n \{\
.B hidden as well
.\}
.ds Fi the file
.TH TIDE 1 2024-01-01 "Tides 2"
.SH NAME
tide \- tell high\-water \fItimes\fP
.SH "SEE ALSO"
.BR ls (1),
.UR http://tides.example
the \*(Fi
.UE .
.TP 4
.BI \-p " place"
Stra\(sse, caf\('e, \[u4E2D].\" another comment
.IP "First item" 2
of it
.TS
tab(:) allbox;
l l.
a:b
T{
c
T}:d
.TE
"""
PAGE_WORDS = (
    "NAME tide - tell high-water times SEE ALSO ls(1), the the file http://tides.example . -p place Straße, café, 中. "
    "First item of it a b c d"
)


def test_of_a_manual_page_the_printed_words_are_left() -> None:
    text, requests = without_requests(PAGE)
    assert words(text) == PAGE_WORDS
    assert "hidden" in requests


def test_macros_that_tell_what_a_word_is_are_no_words_of_a_manual_page() -> None:
    page = (
        ".Dd May 1, 2024\n.Dt TIDE 1\n.Os\n.Sh NAME\n.Nm tide\n.Nd tell times\n.Sh OPTIONS\n.Bl -tag\n"
        ".It Fl p Ar place\nAsk\n.Nm\nand\n.Xr ls 1 .\n.El\n"
    )
    assert words(without_requests(page)[0]) == "NAME tide tell times OPTIONS p place Ask tide and ls 1 ."


def test_greek_letters_of_a_manual_page_are_letters() -> None:
    assert words(without_requests(".TH A 1\n\\[*l]\\[*o]\\(*g\\(*o\\[ts] \\[*W]\n")[0]) == "λογος Ω"


def test_money_fractions_and_other_signs_of_a_manual_page_are_printed() -> None:
    page = ".TH A 1\n\\[Fo]5\\[Fc]\\[Eu] \\[r?]n.\\[Om] 1 \\[12] \\(de C, 9\\[tmu]5\\[t+-]2 \\[sc]3\\[dg] \\(rs\\(bu\n"
    assert words(without_requests(page)[0]) == "«5»€ ¿n.º 1 ½ ° C, 9×5±2 §3† \\•"


def test_a_font_may_change_within_a_word_and_rules_of_tables_are_not_printed() -> None:
    table = ".TS\nl l.\nName\tSize\n_\n\\fBfd\\fP\\fIn\\fP\\fBd360\\fP\t360K\n\\fBall\\fP\t_\n=\n.TE\n"
    words, _ = without_requests(f".TH FD 4\n.SH NAMES\nthe \\fIfile\\fRs of \\s-1POSIX\\s0\\h'1n'and\n{table}")
    assert words.split() == ["NAMES", "the", "files", "of", "POSIX", "and", "Name", "Size", "fdnd360", "360K", "all"]


def test_of_a_report_with_links_notes_and_coloured_code_the_printed_words_are_left() -> None:
    report = r""".\" A report
.ds { \v'-0.3m'\\s[\\n[.s]*9u/12u]
.ds StringTok \\m[4070a0]\\$1\\m[]
.TL
The tides
.SH 1
High water
.LP
Ask \c
.pdfhref W -D "https://tides.example" -A "\c" \
 -- "the pilots"
\& first.\**
.FS
Asking costs nothing.
.FE
.pdfhref M "high-water"
Some 5 m\*{2.
\*[StringTok "\[dq]now\[dq]"]
"""
    text, requests = without_requests(report)
    assert words(text) == 'The tides High water Ask the pilots first. Some 5 m2. "now" Asking costs nothing.'
    assert "tides.example" in requests
    numbered = ".TH TIDE 1\n.SH 1 INTRODUCTION\nTides rise\n.FE\nand fall.\n"
    assert words(without_requests(numbered)[0]) == "1 INTRODUCTION Tides rise and fall."
    many = ".TL\nTides\n" + ".FS\nA note\n" * 20_000
    assert without_requests(many)[0].count("A note") == 20_000
