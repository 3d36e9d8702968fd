"""Sources of documents are compared by what people see of them: TeX, notebooks, mailboxes, readings, vowel points."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dupfinder.text.document import Extracted, MediaType, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.readers.sources import without_commands, without_results
from tests.making import PARAGRAPHS, eml

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
    "Letters of the committee José García M. Müller Start It cost 100% of $5, see and x. Bold straße, ça A note. "
    "A link a b c d"
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
    "text", ["How to write \\section{One} in a text.\n", "\\\\server\\share\\a.txt\n", "a {b} $5 ~c"]
)
def test_texts_that_only_mention_commands_stay_as_they_are(text: str) -> None:
    assert without_commands(text) == (text, "")


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
    assert words(clean.text) == words(f"# Title {PARAGRAPHS[0]} ``` print(1) ```")
    assert clean.other != run.other
    assert run.other.keys() == {OtherContent.HEADERS}


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
    [("ذَهَبَ الـــوَلَدُ إِلى", "ذهب الولد إلى"), ("הַיֶּלֶד הָלַךְ", "הילד הלך"), ("آب مؤمن", "آب مؤمن")],
)
def test_vowel_points_are_other_content(pointed: str, bare: str) -> None:
    document = read(pointed.encode(), "a.txt")
    assert document.text == bare
    assert (OtherContent.HEADERS in document.other) == (pointed != bare)
