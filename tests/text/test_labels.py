"""Numbered paragraphs: labels with words, which office programs compute and other formats store."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docx import Document
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.cluster.relation import Relation, of_same_words, other_bytes, other_row
from dupfinder.text.document import MediaType, OtherContent, as_label, labels_as_text, without_labels
from dupfinder.text.extract import extract, extract_to_show, shown_texts
from dupfinder.text.lines import value_of
from dupfinder.text.readers.labels import has_words, written_number
from dupfinder.text.readers.opendocument import read_opendocument
from dupfinder.text.readers.rtf import read_rtf
from dupfinder.text.readers.word import read_docx
from tests.making import docx, eml, epub, mhtml, opendocument
from tests.text.other_content import held, unlike

W = nsdecls("w")
CLAUSES = [("decimal", "Article %1"), ("decimal", "Section %1.%2"), ("lowerLetter", "(%3)")]
HAN_VALUES = {"零": 0, "一": 1, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
HAN_UNITS = {"十": 10, "百": 100, "千": 1000}


def level(depth: int, kind: str, template: str, more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{kind}"/>{more}<w:lvlText w:val="{template}"/>'
        "</w:lvl>"
    )


class Contract:
    """A Word document with numbered paragraphs."""

    def __init__(self, *levels: str) -> None:
        self.document = Document()
        self.numbering: Any = self.document.part.numbering_part.element
        for old in list(self.numbering):
            self.numbering.remove(old)
        self.numbering.append(parse_xml(f'<w:abstractNum {W} w:abstractNumId="7">{"".join(levels)}</w:abstractNum>'))
        self.add_list(1)

    def add_list(self, number: int, more: str = "") -> None:
        self.numbering.append(parse_xml(f'<w:num {W} w:numId="{number}"><w:abstractNumId w:val="7"/>{more}</w:num>'))

    def add(self, text: str, depth: int | None = None, number: int = 1, style: str | None = None) -> None:
        properties: Any = self.document.add_paragraph(text, style)._p.get_or_add_pPr()
        if depth is not None:
            properties.append(parse_xml(f'<w:numPr {W}><w:ilvl w:val="{depth}"/><w:numId w:val="{number}"/></w:numPr>'))

    def number_style(self, name: str, numbering: str) -> None:
        element: Any = self.document.styles[name].element
        for old in element.findall("{*}pPr/{*}numPr"):
            old.getparent().remove(old)
        element.get_or_add_pPr().append(parse_xml(f"<w:numPr {W}>{numbering}</w:numPr>"))

    def lines(self) -> list[str]:
        stream = BytesIO()
        self.document.save(stream)
        return [line.replace("\t", " ") for line in read_docx(stream.getvalue()).text.split("\n") if line]


def test_labels_with_words_count_at_each_level_and_numbers_alone_are_no_words() -> None:
    contract = Contract(*(level(depth, *clause) for depth, clause in enumerate(CLAUSES)))
    for depth, text in ((0, "goods"), (1, "delivery"), (2, "by ship"), (1, "payment"), (0, "law"), (1, "courts")):
        contract.add(text, depth)
    contract.add("signed")
    assert contract.lines() == [
        "Article 1 goods", "Section 1.1 delivery", f"{as_label('(a)')} by ship", "Section 1.2 payment", "Article 2 law",
        "Section 2.1 courts", "signed",
    ]  # fmt: skip


def test_a_level_that_never_restarts_counts_on_through_all_chapters() -> None:
    never = '<w:lvlRestart w:val="0"/>'
    contract = Contract(
        level(0, "chineseCountingThousand", "第%1章"), level(1, "chineseCountingThousand", "第%2条", never)
    )
    for _ in range(2):
        contract.add("总则", 0)
        contract.add("甲方", 1)
        contract.add("乙方", 1)
    assert contract.lines() == [
        "第一章 总则",
        "第一条 甲方",
        "第二条 乙方",
        "第二章 总则",
        "第三条 甲方",
        "第四条 乙方",
    ]


def test_another_list_of_the_same_kind_counts_on_unless_it_has_a_start_of_its_own() -> None:
    contract = Contract(level(0, "upperRoman", "Part %1"))
    contract.add_list(2)
    contract.add_list(3, '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="9"/></w:lvlOverride>')
    for number in (1, 2, 3, 3):
        contract.add("text", 0, number)
    assert contract.lines() == ["Part I text", "Part II text", "Part IX text", "Part X text"]


def test_a_style_numbers_its_paragraphs_and_those_of_styles_based_on_it() -> None:
    contract = Contract(
        level(0, "decimal", "Title %1", '<w:pStyle w:val="Heading1"/>'), level(1, "upperLetter", "Annex %2")
    )
    contract.number_style("Heading 1", '<w:numId w:val="1"/>')
    contract.number_style("Heading 2", '<w:ilvl w:val="1"/><w:numId w:val="1"/>')
    contract.document.styles["Heading 3"].base_style = contract.document.styles["Heading 1"]
    contract.number_style("Heading 4", '<w:numId w:val="0"/>')
    for number in (1, 2, 3, 4):
        contract.add("text", style=f"Heading {number}")
    assert contract.lines() == ["Title 1 text", "Annex A text", "Title 2 text", "text"]


def test_digits_are_written_at_all_levels_where_law_demands_it() -> None:
    contract = Contract(level(0, "upperRoman", "Part %1"), level(1, "decimal", "Clause %1.%2", "<w:isLgl/>"))
    contract.add("text", 0)
    contract.add("text", 1)
    assert contract.lines() == ["Part I text", "Clause 1.1 text"]


@pytest.mark.parametrize(
    "definitions", ["<w:num", "<w:num/><w:abstractNum/>", "<w:abstractNum><w:lvl/></w:abstractNum>"]
)
def test_a_document_with_damaged_definitions_of_lists_has_its_words(definitions: str) -> None:
    body = '<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>Found</w:t></w:r></w:p>'
    assert read_docx(docx(body=body, parts={"numbering": definitions})).text == "Found"


def test_opendocument_and_rich_text_have_the_same_labels() -> None:
    levels = "".join(
        f'<text:list-level-style-number text:level="{depth}" style:num-prefix="{prefix}" style:num-format="1"'
        f' text:display-levels="{depth}"/>'
        for depth, prefix in ((1, "Article "), (2, "Section "))
    )
    item = "<text:list-item><text:p>{}</text:p>{}</text:list-item>"
    inner = f"<text:list>{item.format('delivery', '')}{item.format('payment', '')}</text:list>"
    body = (
        f'<text:list text:style-name="L">{item.format("goods", inner)}</text:list><text:p>between</text:p>'
        f'<text:list text:style-name="L" text:continue-numbering="true">{item.format("law", "")}</text:list>'
        f'<text:list text:style-name="L">{item.format("anew", "")}</text:list>'
    )
    styles = f'<text:list-style style:name="L">{levels}</text:list-style>'
    labels = ("Article 1", "Section 1.1", "Section 1.2", "", "Article 2", "Article 1")
    texts = ("goods", "delivery", "payment", "between", "law", "anew")
    rich = "".join(f"{{\\listtext {label}\\tab}}{text}\\par " for label, text in zip(labels, texts, strict=True))
    expected = [f"{label} {text}".strip() for label, text in zip(labels, texts, strict=True)]
    text = read_opendocument(opendocument("text", body, styles=styles), MediaType.ODT).text
    assert [line.replace("\t", " ") for line in text.split("\n")] == expected
    text = read_rtf(f"{{\\rtf1 {rich}}}".encode()).text
    assert [line.replace("\t", " ").strip() for line in text.strip().split("\n")] == expected


def started(name: str, start: int) -> bytes:
    """A document whose only list has numbers alone, from this one on."""
    if name == "a.docx":
        contract = Contract(level(0, "decimal", "%1."))
        override = f'<w:lvlOverride w:ilvl="0"><w:startOverride w:val="{start}"/></w:lvlOverride>'
        contract.add_list(2, override)
        contract.add("goods", 0, 2)
        contract.add("law", 0, 2)
        contract.document.save(stream := BytesIO())
        return stream.getvalue()
    if name == "a.odt":
        numbered = f'<text:list-level-style-number text:level="1" style:num-format="1" text:start-value="{start}"/>'
        items = "".join(f"<text:list-item><text:p>{text}</text:p></text:list-item>" for text in ("goods", "law"))
        styles = f'<text:list-style style:name="L">{numbered}</text:list-style>'
        return opendocument("text", f'<text:list text:style-name="L">{items}</text:list>', styles=styles)
    if name == "a.rtf":
        return f"{{\\rtf1 {{\\listtext {start}.\\tab}}goods\\par {{\\listtext {start + 1}.\\tab}}law}}".encode()
    data = (Path(__file__).parents[1] / "samples/written/libreoffice/clauses.doc").read_bytes()
    labels = [label.encode("utf-16-le") for label in ("Clause ", "Case ")]
    begin = data.index(labels[0]) - 46  # of its level
    data = data[:begin] + start.to_bytes(4, "little") + data[begin + 4 :]
    for label in labels:
        data = data.replace(label, b" \0" * (len(label) // 2))
    return data


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf", "a.doc"])
def test_numbers_alone_are_shown_though_they_are_no_words(name: str) -> None:
    extracted = extract(started(name, 7), Path(name)).extracted
    assert extracted is not None and "7" not in extracted.text
    shown, _ = shown_texts(extracted, extracted, everything=False)
    assert without_labels(shown).split() == extracted.text.split()
    everything = shown_texts(extracted, extracted, everything=True)[0].split()
    assert everything == labels_as_text(shown).split() != extracted.text.split()
    assert any(word.startswith("7") for word in everything)


@pytest.mark.parametrize("name", ["a.docx", "a.odt", "a.rtf", "a.doc"])
def test_the_number_with_which_a_list_begins_is_told_unless_it_is_1(name: str) -> None:
    assert unlike(started(name, 1), started(name, 3), name) == {OtherContent.LIST_STARTS}
    assert unlike(started(name, 4), started(name, 3), name) == {OtherContent.LIST_STARTS}
    assert name == "a.doc" or not held(started(name, 1), name)


LISTS = """<ol start=3><li>goods</li><li value="7"><p>ships</p><ol type='a'><li><b>by</b> sea<li>by land</ol></li></ol>
<ul><li>law</li></ul><ol reversed><li>court</li><li>judge</li></ol><OL CLASS="upperroman simple"><LI>tax</LI></OL>
<ol style="list-style-type: none"><li>end</li></ol>"""


def book_of_lists() -> bytes:
    with zipfile.ZipFile(BytesIO(epub([["chapter"]]))) as source, zipfile.ZipFile(stream := BytesIO(), "w") as book:
        for name in source.namelist():
            book.writestr(name, source.read(name).replace(b"<p>chapter</p>", LISTS.encode()))
    return stream.getvalue()


PAGE_OF_LISTS = f"<html><body>{LISTS}</body></html>".encode()


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (PAGE_OF_LISTS, "a.html"),
        (mhtml(PAGE_OF_LISTS), "a.mhtml"),
        (eml((), page=PAGE_OF_LISTS), "a.eml"),
        (book_of_lists(), "a.epub"),
    ],
)
def test_the_numbers_of_lists_in_pages_are_shown_though_they_are_no_words(data: bytes, name: str) -> None:
    shown, scanned = extract_to_show(data, Path(name)).extracted, extract(data, Path(name)).extracted
    assert shown is not None and scanned is not None
    assert (shown.text.split(), shown.other) == (scanned.text.split(), scanned.other)
    assert "as_read" not in scanned.streams
    lines = labels_as_text(shown_texts(shown, shown, everything=False)[0]).split("\n")
    assert [" ".join(line.split()) for line in lines if line.strip()] == [
        "3. goods", "7. ships", "a. by sea", "b. by land", "law", "2. court", "1. judge", "I. tax", "end",
    ]  # fmt: skip


def test_a_list_that_counts_on_after_another_paragraph_is_not_one_that_begins_anew() -> None:
    def made(more: str) -> bytes:
        contract = Contract(level(0, "decimal", "%1."), level(1, "decimal", "%2."))
        contract.add_list(2, more)
        for text, depth, number in (("goods", 0, 1), ("ship", 1, 1), ("law", 0, 1), ("court", 1, 1)):
            contract.add(text, depth, number)
        contract.add("between")
        contract.add("tax", 0, 2)
        contract.document.save(stream := BytesIO())
        return stream.getvalue()

    anew = '<w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride>'
    assert unlike(made(""), made(anew), "a.docx") == {OtherContent.LIST_STARTS}
    assert not held(made(""), "a.docx")  # the lists of one depth begin anew below each item


def test_stored_labels_of_several_levels_tell_nothing_as_programs_write_them_anew() -> None:
    first, second = (
        "".join(f"{{\\listtext {label}\\tab}}text\\par " for label in labels).join(("{\\rtf1 ", "}")).encode()
        for labels in (("1.1", "1.2"), ("1.1", "1.1"))
    )
    assert not unlike(first, second, "a.rtf")


def test_a_level_deeper_than_any_list_has_costs_nothing() -> None:
    level = (
        '<text:list-level-style-number text:level="999999999" text:display-levels="999999999" style:num-prefix="A "/>'
    )
    styles = f'<text:list-style style:name="L">{level}</text:list-style>'
    body = '<text:list text:style-name="L"><text:list-item><text:p>goods</text:p></text:list-item></text:list>'
    assert read_opendocument(opendocument("text", body, styles=styles), MediaType.ODT).text == "goods"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("1.", False), ("(iv)", False), ("aa)", False), ("4.1.2", False), ("B.", False), ("第三条", True),
        ("一、", False), ("（十二）", False), ("甲", False), ("Article 4", True), ("§ 4", False), ("•", False),
        ("Art. IV", True), ("附件一", True),
    ],
)  # fmt: skip
def test_a_label_has_words_if_it_is_more_than_a_number(label: str, expected: bool) -> None:
    assert has_words(label) is expected


@given(st.integers(1, 399))
def test_roman_numerals_are_read_as_the_same_number(number: int) -> None:
    assert value_of(written_number(number, "upperRoman")) == number
    assert written_number(number, "lowerRoman") == written_number(number, "upperRoman").lower()


@given(st.integers(1, 9999), st.sampled_from(["chineseCounting", "chineseCountingThousand", "japaneseCounting"]))
def test_chinese_numbers_are_read_as_the_same_number(number: int, kind: str) -> None:
    total, digit = 0, None
    for sign in written_number(number, kind):
        if sign in HAN_UNITS:
            total += (1 if digit is None else digit) * HAN_UNITS[sign]
            digit = None
        elif sign != "零":
            digit = HAN_VALUES[sign]
    assert total + (digit or 0) == number


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        (10, "chineseCounting", "十"), (21, "chineseCounting", "二十一"), (105, "chineseCounting", "一百零五"),
        (1010, "chineseCountingThousand", "一千零一十"), (1001, "chineseCountingThousand", "一千零一"),
        (105, "japaneseCounting", "百五"), (105, "ideographDigital", "一〇五"), (3, "ideographTraditional", "丙"),
        (28, "upperLetter", "BB"), (7, "decimalZero", "07"), (7, "bullet", ""), (4000, "upperRoman", "4000"),
        (0, "lowerLetter", "0"), (5, "cardinalText", "5"), (10**8, "upperLetter", "100000000"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_people_write_them(number: int, kind: str, expected: str) -> None:
    assert written_number(number, kind) == expected


def test_numbers_of_markdown_lists_are_shown_though_they_are_no_words() -> None:
    extracted = extract(b"# Terms\n\n1. goods\n2. *ships*\n\nend of 2026\n", Path("a.md")).extracted
    assert extracted is not None and extracted.text.split() == ["Terms", "goods", "ships", "end", "of", "2026"]
    shown = labels_as_text(shown_texts(extracted, extracted, everything=False)[0])
    assert " ".join(shown.split()) == "Terms 1. goods 2. ships end of 2026"


def test_numbers_that_a_document_stores_beside_computed_ones_are_not_compared_with_those_of_a_pdf() -> None:
    contract = Contract(level(0, "decimal", "%1."))
    for text, depth in (("goods", 0), ("ships", 0), ("(1) by sea", None), ("(2) by land", None)):
        contract.add(text, depth)
    contract.document.save(stream := BytesIO())
    held_by_word = extract(stream.getvalue(), Path("a.docx")).extracted
    held_by_text = extract(b"1. goods\n2. ships\n(1) by sea\n(2) by land\n", Path("a.txt")).extracted
    assert held_by_word is not None and held_by_text is not None
    assert held_by_word.text.split() == held_by_text.text.split()
    left, right = (other_row(other_bytes(extracted.other)) for extracted in (held_by_word, held_by_text))
    neither = np.zeros(1, np.bool_)
    assert of_same_words(left, right, neither, neither)[0] == Relation.SAME_TEXT
