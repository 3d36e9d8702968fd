"""Words that are struck out, as a clause that no longer holds, words that are hidden, and those in fonts of symbols."""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.extract import READERS
from dupfinder.text.sniff import sniff
from tests.making import docx, epub, opendocument, pptx
from tests.making_compound import doc
from tests.making_packages import hwpx
from tests.text.other_content import held, read, repacked, unlike

Runs = tuple[tuple[str, bool], ...]
STRUCK: Runs = (("The rent is due. ", False), ("No pets.", True), (" No smoking.", False))
OTHER: Runs = (("The rent is due. ", False), ("No pets.", False), (" No smoking.", True))
NONE: Runs = tuple((text, False) for text, _ in STRUCK)


def word(runs: Runs) -> bytes:
    marks = {True: "<w:rPr><w:strike/></w:rPr>", False: ""}
    body = "".join(f'<w:r>{marks[struck]}<w:t xml:space="preserve">{text}</w:t></w:r>' for text, struck in runs)
    return docx(body=f"<w:p>{body}</w:p>")


def opendocument_text(runs: Runs) -> bytes:
    style = '<style:style style:name="{}"><style:text-properties style:text-line-through-style="{}"/></style:style>'
    styles = style.format("T1", "solid") + style.format("T2", "none")
    spans = (f'<text:span text:style-name="{"T1" if struck else "T2"}">{text}</text:span>' for text, struck in runs)
    return opendocument("text", f"{styles}<text:p>{''.join(spans)}</text:p>")


def by_group(runs: Runs) -> bytes:
    return (
        "{\\rtf1\\ansi " + "".join(f"{{\\strike {text}}}" if struck else text for text, struck in runs) + "\\par}"
    ).encode()


def by_switch(runs: Runs) -> bytes:
    return ("{\\rtf1\\ansi " + "".join(f"\\striked{struck:d} {text}" for text, struck in runs) + "\\par}").encode()


def page(mark: str) -> Callable[[Runs], bytes]:
    def maker(runs: Runs) -> bytes:
        return f"<html><body><p>{''.join(mark.format(text) if struck else text for text, struck in runs)}".encode()

    return maker


def markdown(runs: Runs) -> bytes:
    return "".join(f" ~~{text.strip()}~~ " if struck else text for text, struck in runs).encode()


def hangul(runs: Runs) -> bytes:
    styles = '<hh:charPr id="1"><hh:strikeout shape="SOLID"/></hh:charPr>'
    body = "".join(f'<hp:run charPrIDRef="{int(struck)}"><hp:t>{text}</hp:t></hp:run>' for text, struck in runs)
    return hwpx([], body=f"<hp:p>{body}</hp:p>", styles=styles)


MAKERS: dict[str, tuple[str, Callable[[Runs], bytes]]] = {
    "Word": ("a.docx", word),
    "OpenDocument": ("a.odt", opendocument_text),
    "group of RTF": ("a.rtf", by_group),
    "switch of RTF": ("a.rtf", by_switch),
    "page with <s>": ("a.html", page("<s>{}</s>")),
    "page with <del>": ("a.html", page('<del class="x">{}</del>')),
    "Markdown": ("a.md", markdown),
    "Hangul": ("a.hwpx", hangul),
}


@pytest.mark.parametrize("maker", MAKERS)
def test_words_that_are_struck_out_are_told(maker: str) -> None:
    name, made = MAKERS[maker]
    assert unlike(made(STRUCK), made(STRUCK), name) == set()
    assert unlike(made(STRUCK), made(NONE), name) == {OtherContent.TRACKED_CHANGES}
    assert unlike(made(STRUCK), made(OTHER), name) == {OtherContent.TRACKED_CHANGES}


def test_words_that_are_both_struck_out_and_highlighted_differ_in_both() -> None:
    runs = "<w:p><w:r><w:rPr>{}</w:rPr><w:t>No pets.</w:t></w:r><w:r><w:t>No smoking.</w:t></w:r></w:p>"
    strike, highlight = "<w:strike/>", '<w:highlight w:val="yellow"/>'
    both = docx(body=runs.format(strike + highlight))
    assert unlike(both, docx(body=runs.format("")), "a.docx") == {OtherContent.TRACKED_CHANGES, OtherContent.COMMENTS}
    assert unlike(both, docx(body=runs.format(strike)), "a.docx") == {OtherContent.COMMENTS}
    assert unlike(both, docx(body=runs.format(highlight)), "a.docx") == {OtherContent.TRACKED_CHANGES}


def test_all_formats_tell_the_same_words() -> None:
    assert len({read(made(STRUCK), name).other[OtherContent.TRACKED_CHANGES] for name, made in MAKERS.values()}) == 1
    assert not any(OtherContent.TRACKED_CHANGES in read(made(NONE), name).other for name, made in MAKERS.values())


STYLED = {
    "style of an element": ("", '<p><span style="color:red;text-decoration: line-through">{}</span>'),
    "style of a paragraph": ("", '<p style="text-decoration-line:line-through">{}</p><p>'),
    "style with apostrophes": ("", """<p><span style="font-family:'Arial';text-decoration:line-through">{}</span>"""),
    "style with quotation marks": (
        "",
        """<p><span style='font-family:"Arial","sans-serif";text-decoration:line-through'>{}</span>""",
    ),
    "style with entities": (
        "",
        '<p><span style="font-family:&quot;Arial&quot;;text-decoration:line-through">{}</span>',
    ),
    "style with an escape": ("", r'<p><span style="content:\201C;text-decoration:line-through">{}</span>'),
    "style with a capital": ("", '<p><span Style="text-decoration:line-through">{}</span>'),
    "class with a capital": ("<style>.x { text-decoration: line-through }</style>", '<p><span Class="x">{}</span>'),
    "class of the page's style": (
        "<style>p { margin: 0 } span.gone, .x { color: red; text-decoration: red line-through }</style>",
        '<p><span class="y gone">{}</span>',
    ),
}


@pytest.mark.parametrize("kind", STYLED)
def test_words_that_the_style_of_a_page_strikes_out_are_struck(kind: str) -> None:
    head, mark = STYLED[kind]
    struck, plain = (f"<html>{head}<body>{p.format('No pets.')} No smoking.".encode() for p in (mark, "<p>{}"))
    assert unlike(struck, plain, "a.html") == {OtherContent.TRACKED_CHANGES}
    unstruck = struck.replace(b"line-through", b"underline")
    assert not unlike(unstruck, plain, "a.html")


def workbook(cell: str, part: str = "") -> bytes:
    """A workbook whose second cell, and a part of the third, have these formats."""
    from xlsxwriter import Workbook

    buffer = BytesIO()
    with Workbook(buffer, {"in_memory": True}) as book:
        page = book.add_worksheet()
        bold, gone = book.add_format({"bold": True}), book.add_format({"font_strikeout": True})
        formats = {"": None, "struck": gone, "bold": bold}
        page.write(0, 0, "The rent is due.")
        page.write(1, 0, "No pets.", formats[cell])
        page.write_rich_string(2, 0, "No ", formats[part] or bold, "smoking", " here.")
    return buffer.getvalue()


def test_words_that_are_struck_out_in_cells_are_struck() -> None:
    for struck in (workbook("struck"), workbook("", "struck")):
        assert unlike(struck, workbook(""), "a.xlsx") == {OtherContent.TRACKED_CHANGES}
    assert not unlike(workbook("bold"), workbook(""), "a.xlsx")
    made = {"a.xlsx": workbook("struck"), "a.docx": word((("No pets.", True),))}
    assert len({read(data, name).other[OtherContent.TRACKED_CHANGES] for name, data in made.items()}) == 1
    style = '<style:style style:name="ce1"><style:text-properties style:text-line-through-style="{}"/></style:style>'
    row = '<table:table-row><table:table-cell table:style-name="ce1"><text:p>No pets.</text:p></table:table-cell>'
    struck, plain = (
        opendocument("spreadsheet", f"{style.format(line)}{row}</table:table-row>") for line in ("solid", "none")
    )
    assert unlike(struck, plain, "a.ods") == {OtherContent.TRACKED_CHANGES}


def test_words_that_are_struck_out_on_slides_are_struck() -> None:
    made = pptx([["The rent is due.", "No pets."]])
    with ZipFile(BytesIO(made)) as package:
        slide = package.read("ppt/slides/slide1.xml").decode()
    struck, plain, other = (
        repacked(made, {"ppt/slides/slide1.xml": slide.replace("<a:t>No", f"<a:rPr {style}/><a:t>No")})
        for style in ('strike="sngStrike"', "", 'strike="noStrike"')
    )
    assert unlike(struck, plain, "a.pptx") == {OtherContent.TRACKED_CHANGES}
    assert not unlike(other, plain, "a.pptx")


def test_words_that_a_named_style_strikes_out_are_struck_also_in_styles_that_are_based_on_it() -> None:
    style = (
        '<style:style style:name="Gone"><style:text-properties style:text-line-through-style="solid"/></style:style>'
    )
    based = '<style:style style:name="T1" style:parent-style-name="Gone"/>'
    back = f'{based[:-2]}><style:text-properties style:text-line-through-style="none"/></style:style>'
    text = '<text:p>Rent. <text:span text:style-name="T1">No pets.</text:span></text:p>'
    struck, plain, undone = (opendocument("text", f"{styles}{text}") for styles in (style + based, "", style + back))
    assert unlike(struck, plain, "a.odt") == {OtherContent.TRACKED_CHANGES}
    assert not unlike(undone, plain, "a.odt")


HIDDEN: dict[str, Callable[[str], bytes]] = {
    "a.docx": lambda value: docx(
        body="<w:p><w:r><w:t>The rent is due.</w:t></w:r>"
        f"<w:r><w:rPr><w:vanish{value}/></w:rPr><w:t> Ask Ann.</w:t></w:r></w:p>"
    ),
    "a.odt": lambda value: opendocument(
        "text",
        f'<style:style style:name="T1"><style:text-properties text:display="{"true" if value else "none"}"/>'
        '</style:style><text:p>The rent is due.<text:span text:style-name="T1"> Ask Ann.</text:span></text:p>',
    ),
    "a.rtf": lambda value: b"{\\rtf1 The rent is due.\\v%s  Ask Ann.\\v0\\par}" % (b"0" if value else b""),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_words_that_are_hidden_in_a_document_are_no_text_but_told(name: str) -> None:
    hidden, shown = HIDDEN[name](""), HIDDEN[name](' w:val="0"')
    assert read(hidden, name).text.strip() == "The rent is due."
    assert read(shown, name).text.strip() == "The rent is due. Ask Ann."
    assert held(hidden, name) == {"comments": "known"} and not held(shown, name)


def test_all_formats_tell_the_same_hidden_words() -> None:
    assert len({read(maker(""), name).other[OtherContent.COMMENTS] for name, maker in HIDDEN.items()}) == 1


def test_words_that_are_hidden_in_a_document_of_word_97_are_no_text_and_not_known() -> None:
    hidden = doc(["The rent is due."], deleted="Ask Ann.\r").replace(b"\x03\x00\x08\x01", b"\x03\x3c\x08\x01")
    assert read(hidden, "a.doc").text.strip() == "The rent is due."
    assert held(hidden, "a.doc") == {"comments": "not known"}


GROUNDS = {"black": "#000000", "yellow": "#ffff00", "grey": "#d9d9d9"}
NUMBERS = {"black": 1, "yellow": 7}
HIGHLIGHTED: dict[str, Callable[[str], bytes]] = {
    "a.docx": lambda colour: docx(
        body="<w:p><w:r><w:t>The rent is due.</w:t></w:r>"
        f'<w:r><w:rPr><w:highlight w:val="{colour or "none"}"/></w:rPr><w:t> Ask Ann.</w:t></w:r></w:p>'
    ),
    "a.odt": lambda colour: opendocument(
        "text",
        '<style:style style:name="T1"><style:text-properties '
        f'fo:background-color="{GROUNDS.get(colour, "transparent")}"/></style:style>'
        '<text:p>The rent is due.<text:span text:style-name="T1"> Ask Ann.</text:span></text:p>',
    ),
    "a.rtf": lambda colour: (
        f"{{\\rtf1 The rent is due.\\highlight{NUMBERS.get(colour, 0)}  Ask Ann.\\plain\\par}}".encode()
    ),
    "a.doc": lambda colour: doc(["The rent is due."], deleted=" Ask Ann.").replace(
        b"\x03\x00\x08\x01", b"\x03\x0c\x2a" + bytes([NUMBERS.get(colour, 0)])
    ),
}


@pytest.mark.parametrize("name", HIGHLIGHTED)
@pytest.mark.parametrize("colour", ["black", "yellow"])
def test_words_that_are_highlighted_or_blacked_out_are_told(name: str, colour: str) -> None:
    marked, plain = HIGHLIGHTED[name](colour), HIGHLIGHTED[name]("")
    assert read(marked, name).text.split() == read(plain, name).text.split()
    assert unlike(marked, plain, name) == {OtherContent.COMMENTS}
    assert (
        read(marked, name).other[OtherContent.COMMENTS]
        == (read(HIGHLIGHTED["a.docx"](colour), "a.docx").other[OtherContent.COMMENTS])
    )


def test_words_on_a_grey_ground_are_not_highlighted() -> None:
    assert not held(HIGHLIGHTED["a.odt"]("grey"), "a.odt")


def symbol_of_word(font: str, code: int) -> bytes:
    return docx(body=f'<w:p><w:r><w:t>Yes</w:t><w:sym w:font="{font}" w:char="{code:04X}"/></w:r></w:p>')


def text_of_word(font: str, code: int) -> bytes:
    run = f'<w:rPr><w:rFonts w:ascii="{font}"/></w:rPr><w:t>&#{code};</w:t>'
    return docx(body=f"<w:p><w:r><w:t>Yes</w:t></w:r><w:r>{run}</w:r></w:p>")


def symbol_of_opendocument(font: str, code: int) -> bytes:
    style = f'<style:style style:name="T1"><style:text-properties style:font-name="{font}1"/></style:style>'
    return opendocument("text", f'{style}<text:p>Yes<text:span text:style-name="T1">&#{code};</text:span></text:p>')


def rich(run: str) -> Callable[[str, int], bytes]:
    def maker(font: str, code: int) -> bytes:
        fonts = rf"{{\fonttbl{{\f0 Arial;}}{{\f1\fcharset2{{\*\panose 05}}{font};}}}}"
        return rf"{{\rtf1\ansi{fonts}\f0 Yes{run.format(font, code - 0x10000, code & 0xFF)}\par}}".encode()

    return maker


def symbol_of_word97(font: str, code: int) -> bytes:
    return doc(["Yes"], deleted="(", mark=b"\x09\x6a\0\0" + code.to_bytes(2, "little"), font=font)


def text_of_word97(font: str, code: int) -> bytes:
    return doc(["Yes"], deleted=chr(code), mark=b"\x4f\x4a\0\0", font=font)


SYMBOLS: dict[str, tuple[str, Callable[[str, int], bytes]]] = {
    "symbol of Word": ("a.docx", symbol_of_word),
    "text of Word": ("a.docx", text_of_word),
    "OpenDocument": ("a.odt", symbol_of_opendocument),
    "character of RTF": ("a.rtf", rich(r"{{\f1 \u{1}\'3f}}")),
    "byte of RTF": ("a.rtf", rich(r"{{\f1 \'{2:x}}}")),
    "field of RTF": ("a.rtf", rich(r'{{\field{{\*\fldinst SYMBOL {2} \\f "{0}" \\s 12}}{{\fldrslt\f1}}}}')),
    "symbol of Word 97": ("a.doc", symbol_of_word97),
    "text of Word 97": ("a.doc", text_of_word97),
    "field of Word 97": (
        "a.doc",
        lambda font, code: doc([f'Yes\x13 SYMBOL {code & 0xFF} \\f "{font}" \\s 12\x15']),
    ),
}


@pytest.mark.parametrize("maker", SYMBOLS)
def test_fonts_of_symbols_show_their_signs(maker: str) -> None:
    name, made = SYMBOLS[maker]
    for font, code, sign in (("Symbol", 0xF062, "β"), ("Wingdings", 0xF0DF, "←"), ("Wingdings 2", 0xF052, "☑")):
        shown = READERS[sniff(made(font, code), Path(name))][0](made(font, code)).text
        assert "".join(shown.split()) == f"Yes{sign}"
    assert OtherContent.FORM_FIELDS in read(made("Wingdings", 0xF0FE), name).other


@pytest.mark.parametrize("maker", [maker for maker, (name, _) in SYMBOLS.items() if not maker.startswith("field")])
def test_pictures_in_fonts_of_symbols_are_told(maker: str) -> None:
    name, made = SYMBOLS[maker]
    assert unlike(made("Wingdings", 0xF043), made("Wingdings", 0xF044), name) == {OtherContent.PICTURES}
    assert unlike(made("Wingdings", 0xF043), made("Wingdings", 0xF043), name) == set()


RUBY_BASE = "<w:rubyBase><w:r><w:t>\u957f</w:t></w:r></w:rubyBase>"
READ_ALOUD: dict[str, Callable[[str], bytes]] = {
    "a.docx": lambda reading: docx(
        body=f"<w:p><w:r><w:ruby><w:rt><w:r><w:t>{reading}</w:t></w:r></w:rt>{RUBY_BASE}</w:ruby></w:r></w:p>"
    ),
    "a.odt": lambda reading: opendocument(
        "text",
        f"<text:p><text:ruby><text:ruby-base>\u957f</text:ruby-base><text:ruby-text>{reading}</text:ruby-text>"
        "</text:ruby></text:p>",
    ),
    "a.rtf": lambda reading: (
        b"{\\rtf1 {\\field{\\*\\fldinst {EQ \\\\* jc0 \\\\o(\\\\s\\\\up 9(%s),\\u38271?)}}{\\fldrslt {}}}}"
        % reading.encode()
    ),
    "a.doc": lambda reading: doc([f"\x13EQ \\* jc0 \\o(\\s\\up 9({reading}),\u957f)\x14\x15"]),
    "a.html": lambda reading: f"<p><ruby>\u957f<rp>(</rp><rt>{reading}</rt><rp>)</rp></ruby>".encode(),
    "a.epub": lambda reading: repacked(
        epub(), {"OEBPS/chapter1.xhtml": f"<html><body><ruby>\u957f<rt>{reading}</rt></ruby></body></html>"}
    ),
}


@pytest.mark.parametrize("mark", [b"\x37\x08", b"\x53\x2a"], ids=["strike", "double strike"])
def test_words_that_are_struck_out_in_word_97_are_the_same_content(mark: bytes) -> None:
    struck, plain = (doc(["The rent is due."], deleted="No pets.", mark=mark + value) for value in (b"\1", b"\0"))
    assert unlike(struck, plain, "a.doc") == {OtherContent.TRACKED_CHANGES}
    kind = OtherContent.TRACKED_CHANGES
    assert read(struck, "a.doc").other[kind] == read(word(STRUCK), "a.docx").other[kind]


@pytest.mark.parametrize("name", READ_ALOUD)
def test_readings_above_words_are_no_words_but_told(name: str) -> None:
    grown, long, none = (READ_ALOUD[name](reading) for reading in ("zhang", "chang", ""))
    assert read(grown, name).text.startswith("\u957f") and "zhang" not in read(grown, name).text
    assert unlike(grown, long, name) == unlike(grown, none, name) == {OtherContent.HEADERS}
    assert not held(none, name)
