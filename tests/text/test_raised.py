"""Digits that a style raises: 10⁵ is not 105, though the words are the same."""

from __future__ import annotations

from io import BytesIO
from zipfile import ZipFile

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.normalise import normalise
from tests.making import docx, opendocument, pptx, zipped
from tests.making_compound import doc
from tests.text.other_content import read, unlike

STYLES = '<style:style style:name="T1"><style:text-properties style:text-position="super 58%"/></style:style>'


def slides(raised: bool) -> bytes:
    with ZipFile(BytesIO(pptx([["It costs 10", "units."]]))) as package:
        parts: dict[str, str | bytes] = {name: package.read(name) for name in package.namelist()}
    style = ' baseline="30000"' if raised else ""
    run = f"</a:t></a:r><a:r><a:rPr{style}/><a:t>5</a:t></a:r>".encode()
    slide = bytes(parts["ppt/slides/slide1.xml"] if isinstance(parts["ppt/slides/slide1.xml"], bytes) else b"")
    return zipped({**parts, "ppt/slides/slide1.xml": slide.replace(b"10</a:t></a:r>", b"10" + run)})


def word(raised: bool) -> bytes:
    style = '<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>' if raised else ""
    return docx(
        body=f"<w:p><w:r><w:t>It costs 10</w:t></w:r><w:r>{style}<w:t>5</w:t></w:r><w:r><w:t> units.</w:t></w:r></w:p>"
    )


MADE = {
    "a.html": [f"<p>It costs 10{power} units.</p>".encode() for power in ("<sup class='x'>5</sup>", "<b>5</b>")],
    "a.docx": [word(True), word(False)],
    "a.odt": [
        opendocument(
            "text", f'{STYLES}<text:p>It costs 10<text:span text:style-name="{style}">5</text:span> units.</text:p>'
        )
        for style in ("T1", "T2")
    ],
    "a.rtf": [b"{\\rtf1 It costs 10%s units.}" % power for power in (b"{\\super 5}", b"{\\b 5}")],
    "a.doc": [
        doc([], deleted="5", around=("It costs 10", " units."), mark=b"\x48\x2a" + value) for value in (b"\1", b"\0")
    ],
    "a.pptx": [slides(True), slides(False)],
    "a.md": [b"It costs 10^5^ units.", b"It costs 105 units."],
    "a.txt": ["It costs 10⁵ units.".encode(), b"It costs 105 units."],
}


@pytest.mark.parametrize("name", MADE)
def test_a_power_has_the_words_of_a_number_and_another_sign(name: str) -> None:
    power, number = MADE[name]
    assert unlike(power, number, name) == {OtherContent.SIGNS, OtherContent.LETTERING}
    assert normalise(read(power, name).text) == "it costs 105 units."


def test_all_formats_tell_of_the_same_power() -> None:
    assert len({read(power, name).other[OtherContent.SIGNS] for name, (power, _) in MADE.items()}) == 1


def test_raised_words_stay_as_they_are_and_numbers_behind_words_remain_part_of_them() -> None:
    assert read(b"<p>The 2<sup>nd</sup> of May<sup>1</sup>, x<sup>2</sup>", "a.html").text == "The 2nd of May¹, x²"
    assert read(b"<p>It is 10<sup><span lang=EN-US><b>8</b></span></sup> m", "a.html").text == "It is 10⁸ m"
    assert read(b"{\\rtf1 The 2{\\super nd} of May{\\super 1}}", "a.rtf").text == "The 2nd of May¹"
    assert read("<p>It is 10<sup>−5</sup> m".encode(), "a.html").text == "It is 10⁻⁵ m"
