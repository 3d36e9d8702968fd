"""Word documents with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

from io import BytesIO

import pytest

from dupfinder.text.document import OtherContent
from dupfinder.text.readers.package import Package, opened
from tests.making import docx, word_paragraph
from tests.text.other_content import held, png, relations, repacked, unlike

PICTURE = '<w:r><w:drawing><a:blip xmlns:a="a" r:embed="{}"/></w:drawing></w:r>'
OBJECT = '<w:r><w:object><o:OLEObject xmlns:o="o" r:id="{}"/></w:object></w:r>'
LINK = '<w:hyperlink r:id="{}"><w:r><w:t>here</w:t></w:r></w:hyperlink>'
CODE = '<w:r><w:instrText xml:space="preserve"> HYPERLINK "{}" </w:instrText></w:r><w:r><w:t>here</w:t></w:r>'
BOX = (
    '<w:sdt><w:sdtPr><w:tag w:val="{}"/><w:text/></w:sdtPr>'
    "<w:sdtContent><w:r><w:t>Ann</w:t></w:r></w:sdtContent></w:sdt>"
)
TICK = (
    '<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:name w:val="Paid"/><w:checkBox><w:checked w:val="{}"/>'
    "</w:checkBox></w:ffData></w:fldChar></w:r>"
)
POWER = "<m:oMath><m:r><m:t>a</m:t></m:r><m:{0}><m:r><m:t>2</m:t></m:r></m:{0}></m:oMath>"
SUM = '<m:oMath><m:nary><m:naryPr><m:{} m:val="{}"/></m:naryPr><m:r><m:t>a</m:t></m:r></m:nary></m:oMath>'
DRAWN = '<w:r><w:pict><v:shape xmlns:v="v"><v:textpath string="{}"/></v:shape></w:pict></w:r>'
SHAPE = (
    '<w:r><w:drawing><s:spPr xmlns:s="s" xmlns:a="a"><a:xfrm {}><a:ext cx="9" cy="9"/></a:xfrm><a:prstGeom prst="{}"/>'
    "</s:spPr></w:drawing></w:r>"
)
FREE = (
    '<w:r><w:drawing><s:spPr xmlns:s="s" xmlns:a="a"><a:custGeom><a:pt x="0" y="{}"/></a:custGeom></s:spPr>'
    "</w:drawing></w:r>"
)
COMMENT = '<w:comment w:id="0" w:author="{}"><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:comment>'
GONE = '<w:del w:author="{}"><w:r><w:delText>{}</w:delText></w:r></w:del>'
MARKED = "<w:r><w:rPr>{}</w:rPr><w:t>in black ink</w:t></w:r>"
PUT = '<w:ins w:author="{}"><w:r><w:t>new</w:t></w:r></w:ins>'


def letter(inner: str = "", **parts: str) -> bytes:
    """A letter with some raw XML in its second paragraph, and what that may name in its package."""
    body = f"{word_paragraph('Dear reader of this letter')}<w:p><w:r><w:t>Sign </w:t></w:r>{inner}</w:p>"
    data = docx(body=body, parts=parts)
    kinds = [(f"rId{place}", kind, f"{kind}.xml") for place, kind in enumerate(parts, 1)]
    return repacked(
        data,
        {
            "word/media/image1.png": png(1),
            "word/media/image2.png": png(2),
            "word/embeddings/object1.bin": b"one",
            "word/embeddings/object2.bin": b"two",
            "word/_rels/document.xml.rels": relations(
                *kinds,
                ("p1", "image", "media/image1.png"),
                ("p2", "image", "media/image2.png"),
                ("o1", "oleObject", "embeddings/object1.bin"),
                ("o2", "oleObject", "embeddings/object2.bin"),
                ("l1", "hyperlink", "https://example.org/1"),
                ("l2", "hyperlink", "https://example.org/2"),
            ),
        },
    )


HEAD = word_paragraph("Draft")
PAIRS = [
    (letter(PICTURE.format("p1")), letter(PICTURE.format("p2")), OtherContent.PICTURES),
    (letter(PICTURE.format("p1")), letter(), OtherContent.PICTURES),
    (
        letter(PICTURE.format("p1") + PICTURE.format("p2")),
        letter(PICTURE.format("p2") + PICTURE.format("p1")),
        OtherContent.PICTURES,
    ),
    (letter(OBJECT.format("o1")), letter(OBJECT.format("o2")), OtherContent.ATTACHMENTS),
    (letter(LINK.format("l1")), letter(LINK.format("l2")), OtherContent.LINKS),
    (letter(CODE.format("https://a.org")), letter(CODE.format("https://b.org")), OtherContent.LINKS),
    (letter(BOX.format("first")), letter(BOX.format("second")), OtherContent.FORM_FIELDS),
    (letter(TICK.format("0")), letter(TICK.format("1")), OtherContent.FORM_FIELDS),
    (letter(POWER.format("sup")), letter(POWER.format("sub")), OtherContent.FORMULAS),
    (letter(SUM.format("chr", "∑")), letter(SUM.format("chr", "∏")), OtherContent.FORMULAS),
    (letter(SUM.format("begChr", "|")), letter(SUM.format("begChr", "(")), OtherContent.FORMULAS),
    (letter(SHAPE.format("", "leftArrow")), letter(SHAPE.format("", "rightArrow")), OtherContent.PICTURES),
    (letter(SHAPE.format("", "leftArrow")), letter(SHAPE.format('rot="5400000"', "leftArrow")), OtherContent.PICTURES),
    (letter(SHAPE.format("", "line")), letter(), OtherContent.PICTURES),
    (letter(FREE.format(1)), letter(FREE.format(2)), OtherContent.PICTURES),
    (letter(DRAWN.format("DRAFT")), letter(DRAWN.format("VALID")), OtherContent.PICTURES),
    (letter(header=f"<w:p>{DRAWN.format('DRAFT')}</w:p>"), letter(), OtherContent.PICTURES),
    (letter(comments=COMMENT.format("Ann", "Why?")), letter(), OtherContent.COMMENTS),
    (letter(MARKED.format("<w:strike/>")), letter(MARKED.format("<w:b/>")), OtherContent.TRACKED_CHANGES),
    (
        letter(MARKED.format("<w:dstrike/>")),
        letter(MARKED.format('<w:strike w:val="0"/>')),
        OtherContent.TRACKED_CHANGES,
    ),
    (
        letter(MARKED.format('<w:highlight w:val="yellow"/>')),
        letter(MARKED.format('<w:highlight w:val="none"/>')),
        OtherContent.COMMENTS,
    ),
    (
        letter(comments=COMMENT.format("Ann", "Why?")),
        letter(comments=COMMENT.format("Ann", "Who?")),
        OtherContent.COMMENTS,
    ),
    (
        letter(comments=COMMENT.format("Ann", "Why?")),
        letter(comments=COMMENT.format("Bo", "Why?")),
        OtherContent.COMMENTS,
    ),
    (letter(GONE.format("Ann", "old")), letter(GONE.format("Ann", "odd")), OtherContent.TRACKED_CHANGES),
    (letter(GONE.format("Ann", "old")), letter(GONE.format("Bo", "old")), OtherContent.TRACKED_CHANGES),
    (letter(PUT.format("Ann")), letter("<w:r><w:t>new</w:t></w:r>"), OtherContent.TRACKED_CHANGES),
    (letter(header=HEAD), letter(header=word_paragraph("Final")), OtherContent.HEADERS),
    (letter(footer=HEAD), letter(), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), PAIRS)
def test_letters_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.docx") == {kind}
    assert unlike(first, first, "a.docx") == set()


@pytest.mark.parametrize(
    ("mark", "kind"),
    [
        ("<w:strike/>", OtherContent.TRACKED_CHANGES),
        ('<w:highlight w:val="yellow"/>', OtherContent.COMMENTS),
        ("<w:b/>", None),
        ('<w:strike w:val="0"/>', None),
    ],
)
def test_words_that_a_character_style_marks_are_told(mark: str, kind: OtherContent | None) -> None:
    run = MARKED.format('<w:rStyle w:val="Old"/>')
    names = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    style = f'<w:styles {names}><w:style w:type="character" w:styleId="Old"><w:rPr>{mark}</w:rPr></w:style></w:styles>'
    marked = repacked(letter(run), {"word/styles.xml": style})
    assert unlike(marked, letter(run), "a.docx") == ({kind} if kind else set())


def test_the_values_of_controls_are_told() -> None:
    control = '<w:r><w:object><w:control r:id="c1" w:name="Paid"/></w:object></w:r>'
    first, second = (
        repacked(
            letter(control),
            {
                "word/_rels/document.xml.rels": relations(("c1", "control", "activeX/activeX1.xml")),
                "word/activeX/activeX1.xml": "<ocx/>",
                "word/activeX/_rels/activeX1.xml.rels": relations(("v1", "activeXControlBinary", "activeX1.bin")),
                "word/activeX/activeX1.bin": value,
            },
        )
        for value in (b"no", b"yes")
    )
    assert unlike(first, second, "a.docx") == {OtherContent.FORM_FIELDS}


def test_a_letter_of_words_alone_is_known_to_hold_nothing_else() -> None:
    assert held(letter(), "a.docx") == {}


def test_frames_and_level_lines_are_no_drawings() -> None:
    level = SHAPE.format("", "line").replace('cy="9"', 'cy="0"')
    assert held(letter(SHAPE.format("", "rect") + level), "a.docx") == {}


def test_a_save_that_names_parts_anew_and_cuts_changes_into_pieces_changes_nothing() -> None:
    first = letter(PICTURE.format("p1") + GONE.format("Ann", "the old"), header=HEAD, footer=word_paragraph("Page 1"))
    pieces = GONE.format("Ann", "the ") + GONE.format("Ann", "old")
    second = repacked(
        letter(PICTURE.format("p9") + pieces, header=HEAD, footer=word_paragraph("Page 1")),
        {
            "word/media/picture.png": png(1),
            "word/_rels/document.xml.rels": relations(
                ("a", "footer", "header.xml"), ("b", "header", "footer.xml"), ("p9", "image", "media/picture.png")
            ),
        },
    )
    assert unlike(first, second, "a.docx") == set()


def test_a_save_by_another_program_changes_nothing() -> None:
    from docx import Document

    inner = GONE.format("Ann", "old") + PUT.format("Bo") + BOX.format("first") + POWER.format("sup")
    first = docx(
        body=word_paragraph("Dear reader") + f"<w:p>{inner}</w:p>",
        parts={"comments": COMMENT.format("Ann", "Why?"), "header": HEAD},
    )
    saved = BytesIO()
    document = Document(BytesIO(first))
    document.core_properties.title = "Saved again"
    document.save(saved)
    assert saved.getvalue() != first
    assert unlike(first, saved.getvalue(), "a.docx") == set()
    kinds = {"comments", "tracked_changes", "form_fields", "formulas", "headers"}
    assert held(first, "a.docx") == dict.fromkeys(kinds, "known")


def test_page_numbers_in_feet_are_counted_anew_by_each_save() -> None:
    foot = '<w:p><w:fldSimple w:instr=" PAGE "><w:r><w:t>{}</w:t></w:r></w:fldSimple></w:p>'
    assert unlike(letter(footer=foot.format(1)), letter(footer=foot.format(12)), "a.docx") == set()
    assert unlike(letter(footer=word_paragraph("Form 1")), letter(footer=word_paragraph("Form 2")), "a.docx") == {
        OtherContent.HEADERS
    }


def test_pictures_said_once_more_for_older_programs_count_once() -> None:
    drawing = PICTURE.format("p1")
    twice = (
        f"<mc:AlternateContent><mc:Choice>{drawing}</mc:Choice><mc:Fallback>"
        '<w:pict><v:imagedata r:id="p2"/></w:pict></mc:Fallback></mc:AlternateContent>'
    )
    assert unlike(letter(twice), letter(drawing), "a.docx") == set()


def test_pictures_that_are_damaged_or_too_large_to_look_at_are_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = letter(PICTURE.format("p1") + PICTURE.format("p2"))
    damaged = bytearray(repacked(whole, {"word/media/image1.png": bytes(range(256)) * 8}))
    damaged[damaged.index(b"word/media/image1.png") + 40] ^= 0xFF
    assert held(bytes(damaged), "a.docx") == {"pictures": "not known"}
    monkeypatch.setattr("dupfinder.text.readers.package.MAX_LOOKED_AT", len(png(1)))
    assert held(whole, "a.docx") == {"pictures": "not known"}
    assert held(letter(PICTURE.format("p1")), "a.docx") == {"pictures": "known"}
    with opened(whole) as package:
        assert isinstance(package, Package) and package.digest("word/missing.png") is None


def test_the_words_that_are_struck_out_count_and_not_how_programs_split_their_runs() -> None:
    struck = "<w:r><w:rPr><w:strike/></w:rPr><w:t>{}</w:t></w:r>"
    plain = "<w:r><w:t>{}</w:t></w:r>"
    whole, split, elsewhere = (
        letter(struck.format("in black") + plain.format(" ink")),
        letter(struck.format("in ") + struck.format("black") + plain.format(" ink")),
        letter(plain.format("in black") + struck.format(" ink")),
    )
    assert unlike(whole, split, "a.docx") == set()
    assert unlike(whole, elsewhere, "a.docx") == {OtherContent.TRACKED_CHANGES}


def test_words_on_a_shade_other_than_grey_are_told() -> None:
    run, plain = (
        "<w:r><w:rPr><w:shd w:val='clear' w:fill='{}'/></w:rPr><w:t>in black</w:t></w:r>",
        letter("<w:r><w:t>in black</w:t></w:r>"),
    )
    for fill in ("000000", "FFFF00"):
        assert unlike(letter(run.format(fill)), plain, "a.docx") == {OtherContent.COMMENTS}
    for fill in ("auto", "FFFFFF", "D9D9D9"):
        assert unlike(letter(run.format(fill)), plain, "a.docx") == set()
    of_paragraph = "<w:pPr><w:shd w:val='clear' w:fill='FFFF00'/></w:pPr><w:r><w:t>in black</w:t></w:r>"
    assert unlike(letter(of_paragraph), plain, "a.docx") == set()


def test_a_comment_with_typed_quotes_is_the_one_with_typographic_quotes() -> None:
    typed, typographic = [letter(comments=COMMENT.format("Ann", text)) for text in ('"Yes" - she', "“Yes” – she")]
    assert unlike(typed, typographic, "a.docx") == set()
