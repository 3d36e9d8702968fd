"""Sources of documents are compared by what people see of them: TeX, notebooks, mailboxes, readings, vowel points."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import Extracted, MediaType, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.readers.sources import (
    character_pairs,
    pairs_in,
    shown_references,
    without_commands,
    without_markup,
    without_results,
    without_roles,
)
from dupfinder.text.readers.troff import without_requests
from tests.making import PARAGRAPHS, eml

Remove = Callable[[str], tuple[str, str]]

SOURCE = r"""% a comment
\documentclass[a4paper]{article}
\usepackage[utf8]{inputenc}
\title{Letters of \emph{the} committee}
\author{Jos\'e Garc\'{\i}a \and M. M\"uller}
\begin{document}
\maketitle
\section{Start}\label{sec:start}
It cost 100\% of \$5, see~\cite[p.~3]{foo} and \verb|x|.
\begin{itemize}
  \item \textbf{Bold} stra\ss e, \c{c}a\footnote{A note.}
  \item \href{http://a.example/}{A link}% not printed
\end{itemize}
\begin{tabular}{l|r} a & b \\ \hline c & d \end{tabular}
\end{document}
"""
PRINTED = (
    "Letters of the committee José García M. Müller Start It cost 100% of $5, see and x. Bold straße, ça "
    "A link a b c d A note."
)


def read(data: bytes, name: str) -> Extracted:
    """Read a file that has a text."""
    extracted = extract(data, Path(name)).extracted
    assert extracted is not None
    return extracted


def words(text: str) -> str:
    """Return a text with single spaces."""
    return " ".join(text.split())


def test_of_a_source_for_tex_the_printed_words_are_left() -> None:
    text, commands = without_commands(SOURCE)
    assert words(text) == PRINTED
    assert "\\cite" in commands


@pytest.mark.parametrize(
    ("first", "second"), [("a comment", "a remark"), ("a4paper", "a5paper"), ("not printed", "left out")]
)
def test_sources_for_tex_with_another_preamble_or_other_comments_have_the_same_words_and_other_content(
    first: str, second: str
) -> None:
    source, changed = (read(text.encode(), "a.tex") for text in (SOURCE, SOURCE.replace(first, second)))
    assert source.text == changed.text and source.other != changed.other
    assert source.other == read(SOURCE.replace("itemize}\n", "itemize}%\n").encode(), "a.tex").other


@pytest.mark.parametrize(
    ("source", "printed"),
    [
        (r"\begin{tabular}{@{}l>{\bfseries}p{2cm}@{}}Tide & Time\end{tabular}", "Tide Time"),
        (r"\begin{tabularx}{\textwidth}{@{}lX@{}}{\bf Tide} & Time\end{tabularx}", "Tide Time"),
        (r"\multicolumn{2}{|c|}{Tide} & \multirow[t]{4}{*}{Time} & \multirow{2}*{Wind}", "Tide Time Wind"),
        (r"One \rule{0.5\linewidth}{0.5pt} two \resizebox{!}{2cm}{three}", "One two three"),
        (r"Tide \endfirsthead Tide \endhead rises", "Tide rises"),
        (r"\section{\texorpdfstring{The \emph{tide} $x$}{The tide}}", "The tide x"),
        (r"\begin{enumerate}\def\labelenumi{(\arabic{enumi})}\item Tide", "Tide"),
        (r"\newcommand{\pier}[2][x]{#1 at #2}The tide", "The tide"),
        (r"\hyperref[tides]{The tides} on \foreignlanguage{german}{Seite}~\pageref{tides}", "The tides on Seite"),
        (
            r"The tide\footnote{Of \emph{all} seas.} rises\footnotetext[2]{Here.} on.",
            "The tide rises on. Of all seas. Here.",
        ),
        (
            r"With $\alpha < x_i$, $\Delta_{ij}$, a\_b, \texttt{file\textunderscore name}",
            "With α < xi, Δij, a_b, file_name",
        ),
        (r"\textquotesingle{}a\textquotesingle{} \textless{}b\textgreater{} c\textbackslash{}d\ldots", "'a' <b> c\\d…"),
        (r"\begin{description}\item[Tide] It rises.\end{description}", "Tide It rises."),
        (r"At 10\^{}4 of \verb|~a| in \~{}home and \~{}", "At 10^4 of ~a in ~home and ~"),
        (r"\cvitem{Dates}{At \emph{sea}}", "Dates At sea"),
        (r"The tide\index{tide@\textbf{tide} (\emph{sea})} rises", "The tide rises"),
        (r"With \lstinline[language=C]{tide}", "With tide"),
    ],
)
def test_columns_widths_and_definitions_for_tex_are_not_printed(source: str, printed: str) -> None:
    shown, marks = without_commands(f"\\documentclass{{book}}\n\\begin{{document}}\n{source}\n")
    assert words(shown) == printed
    assert all(name in marks for name in ("texorpdfstring", "labelenumi", "pier", "multirow") if name in source)


def test_the_shorthands_of_german_sources_for_tex_are_the_letters_that_they_print() -> None:
    body = """\\begin{document}
F"ur "Ubersetzer, die gro"s wei"serhin Auf"|lage un"-ter"-st"utzen: "`Ja"', ein TeX"=Paket.
\\begin{verbatim}
a = "ab" + "or"
\\end{verbatim}
\\end{document}
"""
    printed = "Für Übersetzer, die groß weißerhin Auflage unterstützen: „Ja“, ein TeX-Paket."
    german, _ = without_commands("\\documentclass{article}\n\\usepackage[ngerman]{babel}\n" + body)
    assert words(german) == f'{printed} a = "ab" + "or"'
    english, _ = without_commands("\\documentclass{article}\n" + body)
    assert 'F"ur "Ubersetzer' in english


@pytest.mark.parametrize(
    "text", ["How to write \\section{One} in a text.\n", "\\\\server\\share\\a.txt\n", "a {b} $5 ~c"]
)
def test_texts_that_only_mention_commands_stay_as_they_are(text: str) -> None:
    assert without_commands(text) == (text, "")


def test_what_a_source_for_tex_defines_quotes_and_describes_is_printed() -> None:
    source = (
        "\\documentclass{article}\\newcommand{\\firm}{Miller and Sons}\\def\\x#1{y}\n\\begin{document}\n\\firm{} use "
        "\\LaTeX{} and \\verb|\\cite{a}|.\n\\begin{description}\\item[Tide] rises\\end{description}\n"
        "\\begin{verbatim}\n\\item 50% {b}\n\\end{verbatim}\n\\end{document}\n"
    )
    assert words(without_commands(source)[0]) == "Miller and Sons use LaTeX and \\cite{a}. Tide rises \\item 50% {b}"


@pytest.mark.parametrize(
    ("defined", "used", "printed"),
    [
        (r"{\pack}[1]{\textsf{#1.sty}}", r"Load \pack{tide} and \pack x.", "Load tide.sty and x.sty."),
        (r"{\todo}[1]{}", r"The tide\todo{check {twice}} rises", "The tide rises"),
        (r"*\pier[2][left]{#1 of #2}", r"The \pier{Cork}, \pier[right]{Wick}", "The left of Cork, right of Wick"),
        (r"{\both}[2]{#2 and #1}", r"\both{\emph{a}} {b}, \both{c", "b and a, and c"),
        (r"{\see}[2]{#1 (#2)}", r"\see{page#2}{here}", "page#2 (here)"),
    ],
)
def test_a_command_of_the_author_prints_its_words_around_those_that_it_is_given(
    defined: str, used: str, printed: str
) -> None:
    source = f"\\documentclass{{article}}\\newcommand{defined}\n\\begin{{document}}\n{used}\n"
    assert words(without_commands(source)[0]) == printed


@pytest.mark.parametrize("start", ["\\MakeShortVerb{\\|}", "\\DefineShortVerb\\|", "\\lstMakeShortInline|"])
def test_a_sign_that_stands_for_verbatim_is_read_as_verbatim(start: str) -> None:
    body = "\\begin{document}\nCall |\\fbox{x}| with \\cmd{\\width}.\n\\end{document}\n"
    assert "Call \\fbox{x} with width." in without_commands(f"\\documentclass{{article}}{start}{body}")[0]
    assert "\\fbox{x} with" in without_commands("\\documentclass[a4paper]{ltxdoc}" + body)[0]
    assert "|x|" in without_commands("\\documentclass{article}" + body)[0]


def test_of_slides_for_tex_the_words_are_left_without_notes_and_the_steps_at_which_they_show() -> None:
    source = (
        "\\documentclass[10pt]{beamer}\n\\begin{document}\n\\begin{frame}<1->{Tides}\n\\begin{itemize}\n\\item<2-> "
        "It is \\alert<3>{deep}.\n\\end{itemize}\n"
        "\\note[item]{Speak {slowly}.}\n\\pause End.\\end{frame}\\end{document}\n"
    )
    text, marks = without_commands(source)
    assert words(text) == "Tides It is deep. End." and "Speak {slowly}." in marks
    article = source.replace("beamer", "article")
    assert words(without_commands(article)[0]) == "<1->Tides <2-> It is <3>deep. [item]Speak slowly. End."


def test_coloured_code_for_tex_has_the_words_of_the_code() -> None:
    code = (
        "\\begin{document}\n\\begin{Verbatim}[commandchars=\\\\\\{\\}]\n\\PY{k}{print}\\PY{p}{(}\\PY{l+s}{\\PYZsq{}a\\PYZus{}b\\PYZob{}"
        "\\PYZsq{}}\\PY{p}{)}\n\\end{Verbatim}\n"
        "\\begin{minted}[linenos]{python}\nx = 1\n\\end{minted}\n\\begin{verbatim}[y]\\end{verbatim}\\end{document}\n"
    )
    assert words(without_commands(code)[0]) == "print('a_b{') x = 1 [y]"


BIBTEX = """% Encoding: UTF-8
@article{muller2001,
  title = {{High {Tides} \\& Low}},
  author = {M{\\"u}ller, Ann and John Marsh},
  journal = "Journal of the Sea",
  pages = {12--19}, year = 2001, volume = {3},
  edition = {Second}, file = {a.pdf}
}
"""
REFERENCES = "Müller, Ann; Marsh, John\nHigh Tides & Low\nJournal of the Sea\n3\n12-19\n2001"


@pytest.mark.parametrize(
    "source",
    [
        BIBTEX.replace("  edition = {Second}, file = {a.pdf}\n", ""),
        "TY  - JOUR\r\nAU  - Müller, Ann\r\nAU  - Marsh, John\r\nTI  - High Tides\r\n& Low\r\nT2  - Journal of the "
        "Sea\r\nVL  - 3\r\nSP  - 12\r\nEP  - 19\r\nPY  - 2001///\r\nID  - 7\r\nER  - \r\n".replace("\r", ""),
        "PMID- 17\nOWN - NLM\nVI  - 3\nDP  - 2001 May\nTI  - High Tides\n      & Low\nPG  - 12-19\nFAU - Müller, Ann\n"
        "AU  - Müller A\nFAU - Marsh, John\nAU  - Marsh J\nJT  - Journal of the Sea\n",
        "%0 Journal Article\n%A Müller, Ann\n%A John Marsh\n%T High Tides & Low\n%J Journal of the Sea\n%D 2001\n"
        "%V 3\n%P 12-19\n",
        json.dumps([{
            "type": "article-journal", "id": "a", "title": "High Tides & Low", "container-title": "Journal of the Sea",
            "author": [{"family": "Müller", "given": "Ann"}, {"family": "Marsh", "given": "John"}], "volume": 3,
            "page": "12-19", "issued": {"date-parts": [[2001, 5]]},
        }]),
    ],
)  # fmt: skip
def test_lists_of_references_have_the_same_words_in_every_format(source: str) -> None:
    assert shown_references(source) == (REFERENCES, source)


def test_other_fields_of_references_are_words_and_files_are_none() -> None:
    assert shown_references(BIBTEX)[0] == REFERENCES + "\nSecond"
    third = read(BIBTEX.replace("Second", "Third").encode(), "a.bib")
    assert third.text != read(BIBTEX.encode(), "a.bib").text
    moved = read(BIBTEX.replace("a.pdf", "b.pdf").encode(), "a.bib")
    assert moved.text == read(BIBTEX.encode(), "a.bib").text and moved.other != read(BIBTEX.encode(), "a.bib").other


def test_words_behind_references_remain() -> None:
    for source in ("TY  - JOUR\nTI  - Tides\nER  - \n\nRead.\n", "PMID- 17\nTI  - Tides\nSO  - Sea.\n\nRead.\n"):
        assert shown_references(source)[0] == "Tides\nRead."
    text = BIBTEX + "This list was made by a friend who reads the journal each year.\n"
    assert shown_references(text) == (text, "")


@pytest.mark.parametrize("text", ["@media {a: b}", "@home, at last", '[{"issued": 5, "date-parts": 1}]', "%0of it"])
def test_texts_that_only_look_like_references_stay_as_they_are(text: str) -> None:
    assert shown_references(text) == (text, "")


RST = """Title
=====

.. _target:

.. py:module:: tides
   :synopsis: Hidden.

.. function:: tide(place)
   :noindex:

   Ask :mod:`tides`, :func:`~tides.table.row` and :ref:`the guide <guide>`, see :pep:`8`.

.. note:: See `a page <http://a.example>`_ by |firm|.

.. |firm| replace:: Miller

.. A comment
   of two lines

.. toctree::
   hidden/page

.. [1] A footnote.

..

   A quotation.
"""


def test_of_restructured_text_the_shown_words_are_left() -> None:
    text, marks = without_roles(RST)
    assert words(text) == (
        "Title ===== tide(place) Ask tides, row and the guide, see pep 8. note See a page by Miller. A footnote. .. "
        "A quotation."
    )
    assert "toctree" in marks and "two lines" in marks


WIKI = """<span id="tides"></span>
== Tides ==
'''Tides''' are [[rise|risings]] of the [[sea]].<ref>[http://a.example A source]</ref> {{cite|{{nested}}}}
{| class="wikitable"
|-
! Place !! Time
|-
| style="x" | Ayr || 5 &lt; 6
|}
[[Category:Sea]]
"""


def test_of_a_wiki_page_the_shown_words_are_left() -> None:
    text, marks = without_markup(WIKI)
    assert words(text) == "== Tides == '''Tides''' are risings of the sea. ! Place !! Time Ayr || 5 < 6 A source"
    assert "wikitable" in marks


def test_inline_tags_of_a_wiki_page_part_no_word_and_remarks_are_no_words() -> None:
    page = WIKI + "H<sub>2</sub>O <!-- later -- or never --> stays<br>here\n"
    assert "H2O stays here" in words(without_markup(page)[0])


def test_plans_drawers_notes_and_pictures_of_an_outline_are_no_words() -> None:
    outline = (
        "#+title: Tides\n* Sea\nDEADLINE: <2020-01-01 Wed>\n:LOGBOOK:\nCLOCK: [2020-01-01]\n:END:\nIt rises[fn:1].\n"
        "#+begin_comment\nnot yet\n#+end_comment\n[[file:sea.png]]\n\n[fn:1] Twice a day.\n"
    )
    assert words(without_markup(outline)[0]) == "Tides * Sea It rises. Twice a day."


def test_an_outline_with_code_between_equal_signs_is_no_wiki_page() -> None:
    outline = "* Sea\n#+begin_src sh\nls\n#+end_src\n=a.el=\n" + "[[http://a.example][a page]] and <br> here\n" * 3
    assert words(without_markup(outline)[0]) == "* Sea ls =a.el=" + " a page and <br> here" * 3


def test_of_an_outline_the_shown_words_are_left() -> None:
    outline = (
        "#+title: Tides\n#+options: toc:nil\n* Sea\n  :PROPERTIES:\n  :ID: x\n  :END:\n[[http://a.example][a\npage]]\n"
    )
    assert words(without_markup(outline)[0]) == "Tides * Sea a page"


def test_of_asciidoc_the_shown_words_are_left() -> None:
    source = (
        "Tides(1)\n========\n:author: Ann\n\n[verse]\nSee linkgit:git-log[1], link:a.html[a page] and "
        "<<sea,the sea>>.\n\ninclude::more.txt[]\n\n[[sea]]\nOf 3{asterisk}4 [kept] words.\n\n== High `water`\n\n"
        "* Of http://a.example[the `+moon+`]footnote:[A _very_ short link:b.html[note].] *alone*\n"
        ".. and sun\n\n----\na | b\n----\n\n|===\n|Tide |3.5\n|===\n"
    )
    assert words(without_markup(source)[0]) == (
        "Tides(1) See git-log(1), a page and the sea. Of 3 4 [kept] words. High water Of the moon alone and sun "
        "a | b Tide 3.5 A very short note."
    )


def test_of_info_the_nodes_are_left_without_their_heads() -> None:
    info = (
        "This is a.info.\n\n\x1f\nFile: a.info,  Node: Top,  Next: Sea\n\nTides\n\n* Menu:\n\n* Sea::\n\n\x1f\n"
        "File: a.info,  Node: Sea,  Prev: Top\n\nSee *note Top::.\n\x1f\nTag Table:\nNode: Top7\n\x1f\nEnd Tag Table\n"
    )
    assert words(without_markup(info)[0]) == "This is a.info. Tides See Top::. End Tag Table"


def test_of_info_the_menu_of_a_node_and_the_index_are_no_words_and_the_text_behind_them_is() -> None:
    info = (
        "\x1f\nFile: a.info,  Node: Top\n\nTides\n\n* Menu:\n\n* Sea::       All about\n               water.\n"
        "* Moon: Far.  Above.\n\nMore of it\n\n* Sun::\n\nTides are high.\n\x1f\nFile: a.info,  Node: Index\n\n"
        "Index\n\n* Menu:\n\n* ebb:      Sea.      (line 12)\n* flood, which comes:\n                Sea. (line 14)\n"
    )
    shown, marks = without_markup(info)
    assert words(shown) == "Tides Tides are high. Index"
    behind = info.replace("Tides are high.", "   Tides begin\na paragraph.\n\n   Another.")
    assert words(without_markup(behind)[0]) == "Tides Tides begin a paragraph. Another. Index"
    assert "water" in marks and "flood" in marks


@pytest.mark.parametrize("remove", [without_requests, without_roles, without_markup])
@pytest.mark.parametrize(
    "text",
    [
        "A page begins so:\n.TH TIDE 1\n.SH NAME\n",
        "Call std::vector :: size .. or not\n.. note:: once\n",
        "a == b ==\n== c\n[[x]]\n",
        "* item\n#+ 1\n",
    ],
)
def test_texts_with_few_such_marks_stay_as_they_are(remove: Remove, text: str) -> None:
    assert remove(text) == (text, "")


def _notebook(*results: str, version: int = 4) -> bytes:
    """Make a notebook with two cells and the results of a run."""
    sources = {"source": [f"# Title\n\n{PARAGRAPHS[0]}"]}, {"source" if version == 4 else "input": "print(1)\n"}
    outputs = [{"output_type": "stream", "text": list(results)}] if results else []
    cells = [{"cell_type": "markdown", **sources[0]}, {"cell_type": "code", "outputs": outputs, **sources[1]}]
    book = {"cells": cells} if version == 4 else {"worksheets": [{"cells": cells}], "cells": []}
    return json.dumps({"nbformat": version, "metadata": {}, **book}).encode()


def test_a_notebook_is_its_cells_whatever_a_run_wrote_below_them() -> None:
    clean, run = read(_notebook(), "a.ipynb"), read(_notebook("1", "2"), "b.ipynb")
    assert clean.text == run.text == read(_notebook(version=3), "c.ipynb").text
    assert words(clean.text) == words(f"Title {PARAGRAPHS[0]} print(1)")
    assert clean.other != run.other
    assert run.other.keys() == {OtherContent.HEADERS, OtherContent.SIGNS, OtherContent.LETTERING}


@pytest.mark.parametrize(
    "text", ['{"cells": 5}', '{"cells": [{"a": 1}]}', '{"cells": [', '{"cells": [[]]}', '{"a": "cells"}']
)
def test_other_json_stays_as_it_is(text: str) -> None:
    assert without_results(text) == (text, "")


def test_a_mailbox_has_the_texts_of_all_its_mails() -> None:
    mails = [eml(PARAGRAPHS[:1], subject="One"), eml(PARAGRAPHS[1:], subject="Two", attachment=("a.bin", b"1"))]
    envelope = b"From a@example.org Mon Mar  6 10:00:00 2023\n"
    box = b"\n".join(envelope + mail.replace(b"\r\n", b"\n") for mail in mails)
    both = read(box, "letters.mbox")
    assert both.media_type is MediaType.EML
    assert words(both.text) == words(" ".join(read(mail, "a.eml").text for mail in mails))
    assert [detail.facts for detail in both.notes] == [{"attachments": 1}]
    assert read(envelope + mails[0], "one").text == read(mails[0], "a.eml").text


def test_readings_of_japanese_words_are_other_content() -> None:
    plain = "私は図書館で本を読む。《ことば》という題。"
    read_aloud = "私《わたし》は｜図書館《としょかん》で本［＃「本」に傍点］を読む。《ことば》という題。"
    assert read(read_aloud.encode(), "a.txt").text == plain
    assert OtherContent.HEADERS in read(read_aloud.encode(), "a.txt").other


@pytest.mark.parametrize(
    ("pointed", "bare"),
    [("ذَهَبَ الـــوَلَدُ إِلى", "ذهب الولد إلى"), ("הַיֶּלֶד הָלַךְ", "הילד הלך"), ("آب مؤمن", "آب مؤمن"),
     ("моло\u0301чный до\u0301м", "молочный дом"), ("re\u0301sume\u0301 k\u0301", "re\u0301sume\u0301 k\u0301")],
)  # fmt: skip
def test_vowel_points_are_other_content(pointed: str, bare: str) -> None:
    document = read(pointed.encode(), "a.txt")
    assert document.text == bare
    assert (OtherContent.HEADERS in document.other) == (pointed != bare)


@pytest.mark.parametrize(
    ("typed", "own"),
    [
        ("كتاب بزرگي كه ميخوانم", "کتاب بزرگی که میخوانم"),
        ("كتاب كبير في المدرسة", "كتاب كبير في المدرسة"),
        ("مطمي\u0654ن چيست", "مطمي\u0654ن چیست"),
    ],
)
def test_persian_typed_with_arabic_letters_has_the_same_words_and_arabic_keeps_its_own(typed: str, own: str) -> None:
    assert read(typed.encode(), "a.txt").text == own


def test_a_reference_of_info_is_its_words_without_the_name_of_its_node() -> None:
    info = (
        "This is a.info.\n\n\x1f\nFile: a.info,  Node: Top\n\n"
        "See *note Low\ntides: 1a2b, and (*note High tides: (sea)High.).\n\x1f\nEnd Tag Table\n"
    )
    assert words(without_markup(info)[0]) == "This is a.info. See Low tides, and (High tides.). End Tag Table"


def test_of_pod_the_words_are_left_without_commands_and_codes() -> None:
    pod = (
        "=encoding utf8\n\n=head1 NAME\n\ntide - B<of I<the> sea>\n\n=over 4\n\n=item *\n\n"
        "See L<the moon|https://moon.example> and L<sea(1)/Ebb>X<ebb>.\n\n=back\n\n"
        "=begin html\n\n<hr>\n\n=end html\n\n=for comment\nnot shown\n\n"
        "S<an> C<<< a << b >>>, CafE<eacute>, C<E<lt>b>.\n\n=cut\n\nmy $code = 1;\n\n=head2 Ebb\n\nLow.\n"
    )
    shown, marks = without_markup(pod)
    assert words(shown) == "NAME tide - of the sea See the moon and Ebb in sea(1). an a << b, Café, <b. Ebb Low."
    assert "my $code = 1;" in marks


def test_of_texinfo_the_words_are_left_without_commands() -> None:
    source = (
        "\\input texinfo @c -*-texinfo-*-\n@setfilename tides.info\n@ignore\nA remark.\n@end ignore\n@node Top\n"
        "@top Tides\n@menu\n* Low::\n@end menu\n@node Low, Top\n@chapter Low @emph{tides}\n@cindex ebb\n@itemize\n"
        "@item Ask\n@code{row @@@var{sea}}, see @ref{Top} and @xref{Low,,Low water}.\n@end itemize\n"
        "@uref{https://a.example,A page} in caf@'e.\n@bye\n"
    )
    shown, marks = without_markup(without_commands(source)[0])
    assert words(shown).replace("@'", "") == "Tides Low tides Ask row @sea, see Top and Low water. A page in cafe."
    assert "A remark." in marks


@pytest.mark.parametrize(
    "source",
    [
        'h1. Tides\n\nSee "the moon":https://a.example/moon. <b>Now</b>\n\nh2(#low). Low\n\n!sea.png(S)!\n\nh3. Ebb',
        "h1. Tides\n\nSee [the moon|https://a.example/m]. Now\n\nh2. Low\n\n{code:python}\n{code}\n\nh3. Ebb\n",
        "[b]Tides[/b]\n\nSee [url=https://a.example/moon]the moon[/url]. Now\n[size=4]Low[/size] [i]Ebb[/i]\n",
        "Tides\n\nSee [the moon](https://a.example/moon). <b>Now</b>\n[Low](low.md)\n\n[Ebb](#ebb)\n",
    ],
)
def test_textile_pages_of_jira_posts_and_links_of_markdown_are_their_words(source: str) -> None:
    assert words(without_markup(source)[0]) == "Tides See the moon. Now Low Ebb"


def test_a_call_of_what_is_in_a_table_is_no_link() -> None:
    code = "table[name](argument) table[name](argument) table[name](argument)"
    assert without_markup(code) == (code, "")


def test_info_that_quotes_marks_of_asciidoc_is_read_as_info() -> None:
    quoted = "Marks\n=====\n\n<<a>>\n<<b>>\n<<c>>\n[source]\n"
    info = f"This is a.info.\n\n\x1f\nFile: a.info,  Node: Top\n\n{quoted}\n* Menu:\n\n\x1f\nEnd Tag Table\n"
    shown = without_markup(info)[0]
    assert "Node: Top" not in shown and "Menu" not in shown
    assert "<<b>>" in shown and "[source]" in shown


@given(st.text("=h1 \n[/(x]é漢😀\udc80", max_size=30))
def test_two_characters_side_by_side_are_gathered_as_when_each_place_is_looked_at(text: str) -> None:
    gathered = pairs_in(text)
    for first in "=h1 \n[/(x]":
        for second in "=h1 \n[/(x]":
            assert bool(gathered[character_pairs(first + second)[0]]) == ((first, second) in pairwise(text))


def test_spaces_of_tex_remain_and_lengths_are_no_words() -> None:
    source = (
        "\\section{One}\n\\setlength{\\itemsep}{0pt}\\setcounter{enumi}{3}\nSee \\texttt{inline\\ code}, e.g.\\ this."
    )
    assert without_commands(source)[0].split() == ["One", "See", "inline", "code,", "e.g.", "this."]


def test_notes_of_restructured_text_are_words_and_their_marks_are_none() -> None:
    text = "A :ref:`b <c>` [1]_ well\\ [#x]_.\n\n.. note:: See :doc:`d <e>`.\n\n.. [1]\n   Of water.\n\n.. [#x] Deep.\n"
    assert without_roles(text)[0].split() == ["A", "b", "well.", "note", "See", "d.", "Of", "water.", "Deep."]


def test_tables_of_restructured_text_have_their_titles_and_heads_and_links_no_targets() -> None:
    text = (
        "Tides\n=====\n\n.. csv-table:: Of the year\n   :widths: 1, 2\n   :header: Place, Time\n\n   Ayr, 5\n\n"
        ".. list-table:: Of the day\n\n   * - Ayr\n\nSee `this`__ now.\n\n__ http://a.example\n\n.. _sea:\n"
    )
    assert (
        words(without_roles(text)[0]) == "Tides ===== Of the year Place, Time Ayr, 5 Of the day * - Ayr See this now."
    )


def test_restructured_text_is_known_by_its_links_targets_and_titles_too() -> None:
    text = (
        "Formats\n=======\nOf `Mark <http://a.example>`_ and `Commons`_, see tides_ and snake_ here.\n\n.. _tides: b\n"
    )
    assert words(without_roles(text)[0]) == "Formats ======= Of Mark and Commons, see tides and snake_ here."
    quoted = "Formats\n=======\nWrite `a page <http://a.example>`_ for a link.\n"
    assert without_roles(quoted) == (quoted, "")
