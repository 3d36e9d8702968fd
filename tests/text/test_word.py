"""Word documents: every way in which Word keeps words, and those it has taken away."""

from __future__ import annotations

import time

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import OtherContent, Unreadable
from dupfinder.text.readers.word import read_docx
from tests.making import docx, mhtml, word_paragraph, zipped

P = word_paragraph
DELETED = "<w:p><w:del w:id='1'><w:r><w:delText>old</w:delText></w:r></w:del></w:p>"
BODY = '<w:document xmlns:w="urn:w"><w:body><w:p><w:r><w:t>Found</w:t></w:r></w:p></w:body></w:document>'


def words(body: str, **options: object) -> str:
    return " ".join(read_docx(docx(body=body, **options)).text.split())  # type: ignore[arg-type]  # options of docx


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            f"<w:ins>{P('new')}</w:ins><w:p><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>{P('end')}",
            "new end",
        ),
        (f"<w:p><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p><w:moveTo>{P('here')}</w:moveTo>", "here"),
        (f"<w:sdt><w:sdtContent>{P('controlled')}</w:sdtContent></w:sdt>", "controlled"),
        ("<w:p><w:smartTag><w:r><w:t>Paris</w:t></w:r></w:smartTag></w:p>", "Paris"),
        ("<w:p><w:hyperlink><w:r><w:t>linked</w:t></w:r></w:hyperlink></w:p>", "linked"),
        ("<w:p><m:oMath><m:r><m:t>x+y</m:t></m:r></m:oMath></w:p>", "x+y"),
        (
            "<w:p><w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>"
            "<w:r><w:fldChar w:fldCharType='separate'/></w:r><w:r><w:t>7</w:t></w:r></w:p>",
            "7",
        ),
        (
            "<w:p><w:r><mc:AlternateContent><mc:Choice Requires='wps'><wps:txbx><w:txbxContent>"
            f"{P('boxed')}</w:txbxContent></wps:txbx></mc:Choice><mc:Fallback><v:textbox><w:txbxContent>{P('boxed')}"
            "</w:txbxContent></v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>",
            "boxed",
        ),
        (
            f"<w:p><w:r><w:pict><v:textbox><w:txbxContent>{P('old box')}</w:txbxContent></v:textbox></w:pict></w:r>"
            "</w:p>",
            "old box",
        ),
        (
            f"<w:tbl><w:tr><w:tc>{P('one')}</w:tc><w:tc><w:tbl><w:tr><w:tc>{P('inner')}</w:tc></w:tr></w:tbl>{P('two')}</w:tc>"
            "</w:tr></w:tbl>",
            "one inner two",
        ),
        (
            "<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>",
            "a b c-d",
        ),
        ("<w:p><w:r><w:t>one <w:br/>line and <w:br/>another</w:t></w:r></w:p>", "one line and another"),
        ("<w:p><w:r><w:t>split</w:t></w:r><w:r><w:t>word</w:t></w:r></w:p>", "splitword"),
        (
            "<w:p><w:pPr><w:framePr w:dropCap='drop' w:lines='3'/></w:pPr><w:r><w:t>O</w:t></w:r></w:p>"
            f"{P('nce upon')}{P('a time')}<w:p><w:pPr><w:framePr w:w='9'/></w:pPr></w:p><w:p><w:pPr><w:pPrChange>"
            "<w:pPr><w:framePr w:dropCap='drop'/></w:pPr></w:pPrChange></w:pPr><w:r><w:t>The</w:t></w:r></w:p>"
            f"{P('end')}",
            "Once upon a time The end",
        ),
    ],
)
@pytest.mark.parametrize("strict", [False, True])
def test_words_are_found_wherever_word_keeps_them(body: str, expected: str, strict: bool) -> None:
    assert words(body, strict=strict) == expected


def test_notes_count_and_headers_footers_and_comments_stay_apart() -> None:
    note = "<w:footnote w:id='2'>" + P("The note.") + "</w:footnote>"
    parts = {
        "footnotes": note,
        "endnotes": note.replace("footnote", "endnote").replace("The", "End"),
        "header": P("Head"),
        "footer": P("Foot"),
        "comments": f"<w:comment w:id='0'>{P('Why?')}</w:comment>",
    }
    extracted = read_docx(docx(["Body."], parts=parts))
    assert extracted.text.split() == ["Body.", "The", "note.", "End", "note."]
    assert dict(extracted.streams) == {"headers": "Head", "footers": "Foot", "comments": "Why?"}


def test_tracked_deletions_are_mentioned_in_the_report() -> None:
    assert read_docx(docx(body=DELETED + P("new"))).notes == details(Clause.DELETIONS_LEFT_OUT)
    assert read_docx(docx()).notes == ()


def test_the_body_is_found_by_its_relationship_when_it_has_another_name() -> None:
    renamed = {
        "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://x/officeDocument" Target="/word/document2.xml"/></Relationships>',
        "word/document2.xml": BODY,
    }
    assert read_docx(zipped(renamed)).text == "Found"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        ('<!DOCTYPE d [<!ENTITY a "aaaa">]><w:document xmlns:w="urn:w">&a;</w:document>', ProblemKind.DAMAGED),
        ('<w:document xmlns:w="urn:w">' + " " * 30_000_000 + "</w:document>", ProblemKind.TOO_LARGE),
    ],
)
def test_bombs_are_refused(content: str, kind: ProblemKind) -> None:
    with pytest.raises(Unreadable) as refused:
        read_docx(zipped({"[Content_Types].xml": "<Types/>", "word/document.xml": content}))
    assert refused.value.kind is kind


def test_a_part_that_is_cut_off_is_damaged() -> None:
    with pytest.raises(Unreadable) as refused:
        read_docx(zipped({"word/document.xml": BODY[:-30]}))
    assert refused.value.kind is ProblemKind.DAMAGED


def test_outer_targets_are_never_followed() -> None:
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://x/header" Target="file:///etc/passwd" TargetMode="External"/>'
        '<Relationship Id="r2" Type="http://x/header" Target="../../../../etc/passwd"/></Relationships>'
    )
    extracted = read_docx(zipped({"word/document.xml": BODY, "word/_rels/document.xml.rels": rels}))
    assert (extracted.text, dict(extracted.streams)) == ("Found", {})


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("chunk.html", b"<html><body><p>Chunk words</p></body></html>"),
        ("chunk.mht", mhtml(b"<html><body><p>Chunk words</p></body></html>")),
        ("chunk.txt", b"Chunk words"),
        ("chunk.rtf", rb"{\rtf1 Chunk words}"),
        ("chunk.docx", docx(["Chunk words"])),
        ("chunk.bin", b""),
    ],
)
def test_documents_that_word_inserts_belong_to_the_body_where_they_are_named(name: str, content: bytes) -> None:
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        f'<Relationship Id="r1" Type="http://x/aFChunk" Target="{name}"/></Relationships>'
    )
    behind = "<w:altChunk r:id='r1'/><w:p><w:r><w:t>behind</w:t></w:r></w:p></w:body>"
    parts: dict[str, str | bytes] = {
        "word/document.xml": BODY.replace("</w:body>", behind).replace("<w:document", "<w:document xmlns:r='urn:r'"),
        "word/_rels/document.xml.rels": rels,
        f"word/{name}": content,
    }
    words_of_chunk = [] if name.endswith("bin") else ["Chunk", "words"]
    assert read_docx(zipped(parts)).text.split() == ["Found", *words_of_chunk, "behind"]
    parts |= {"word/chunk.docx": zipped(parts), "word/_rels/document.xml.rels": rels.replace(name, "chunk.docx")}
    assert read_docx(zipped(parts)).text.split() == ["Found", "Found", "behind", "behind"]  # no deeper


def test_a_damaged_document_that_word_inserts_makes_the_text_partial_and_one_named_often_is_read_once() -> None:
    rels = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="r1" Type="http://x/aFChunk" Target="a.html"/>'
        '<Relationship Id="r2" Type="http://x/aFChunk" Target="b.docx"/></Relationships>'
    )
    body = BODY.replace("<w:document", "<w:document xmlns:r='urn:r'")
    parts = {
        "word/_rels/document.xml.rels": rels,
        "word/a.html": f"<html><body>{'<p>Words</p>' * 2000}</body></html>",
        "word/b.docx": "no package",
    }
    damaged = body.replace("</w:body>", "<w:altChunk r:id='r2'/><w:p><w:r><w:t>behind</w:t></w:r></w:p></w:body>")
    extracted = read_docx(zipped(parts | {"word/document.xml": damaged}))
    assert (extracted.text.split(), extracted.partial) == (["Found", "behind"], True)
    often = body.replace("</w:body>", "<w:altChunk r:id='r1'/>" * 2000 + "</w:body>")
    start = time.process_time()
    assert read_docx(zipped(parts | {"word/document.xml": often})).text.count("Words") == 2000 * 2000
    assert time.process_time() - start < 2


@pytest.mark.parametrize(("own", "shown"), [("", ["One", "two"]), ("<w:vanish w:val='0'/>", ["One", "Form", "two"])])
def test_paragraphs_that_their_style_hides_are_no_words(own: str, shown: list[str]) -> None:
    styles = (
        "<w:style w:type='paragraph' w:styleId='Hidden'><w:rPr><w:vanish/></w:rPr></w:style>"
        f"<w:style w:type='paragraph' w:styleId='Form'><w:basedOn w:val='Hidden'/><w:rPr>{own}</w:rPr></w:style>"
    )
    form = "<w:p><w:pPr><w:pStyle w:val='Form'/></w:pPr><w:r><w:t>Form</w:t></w:r></w:p>"
    extracted = read_docx(docx(body=P("One") + form + P("two"), parts={"styles": styles}))
    assert extracted.text.split() == shown
    assert (OtherContent.COMMENTS in extracted.other) is (len(shown) == 2)
