"""Visio: the texts of shapes, page by page; what a drawing shows beside them counts as a picture."""

from __future__ import annotations

from pathlib import Path

from dupfinder.base.details import ProblemKind
from dupfinder.text.document import Attempt, OtherContent
from dupfinder.text.extract import extract
from tests import making
from tests.making_packages import vsdx
from tests.text.other_content import read, unlike

LINES = list(making.PARAGRAPHS)


def test_pages_are_read_in_their_order_with_fields_and_comments_apart() -> None:
    field = "<Shape><Text>Page <fld IX='0'>7</fld> of the plan</Text></Shape>"
    remark = "<Comments><CommentEntry>Why?</CommentEntry></Comments>"
    extracted = read(vsdx([["first"], ["second"]], more=field, parts={"visio/comments.xml": remark}), "nameless")
    assert extracted.text.split("\n") == ["first", "Page 7 of the plan", "second", "Page 7 of the plan"]
    assert (extracted.pages, dict(extracted.streams)) == (2, {"comments": "Why?"})


def test_shapes_links_and_pictures_tell_drawings_apart() -> None:
    plain = vsdx([["word"]])
    moved = plain, vsdx([["word"]], more="<Shape><Cell N='PinX' V='2'/></Shape>")
    linked = vsdx([["word"]], more="<Section N='Hyperlink'><Cell N='Address' V='https://example.org'/></Section>")
    assert unlike(*moved, "a.vsdx") == {OtherContent.PICTURES}
    assert unlike(plain, linked, "a.vsdx") == {OtherContent.PICTURES, OtherContent.LINKS}
    assert not unlike(plain, vsdx([["word"]]), "a.vsdx")
    relation = (
        '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        '<Relationship Id="i" Type="x/image" Target="../media/image1.png"/></Relationships>'
    )
    rels, media = "visio/pages/_rels/page0.xml.rels", "visio/media/image1.png"
    first, second = (vsdx([["word"]], parts={rels: relation, media: picture}) for picture in (b"one", b"two"))
    assert unlike(first, second, "a.vsdx") == {OtherContent.PICTURES}


def test_a_damaged_drawing_is_read_plainly() -> None:
    broken = vsdx().replace(b"PK\x01\x02", b"PK\x01\x03")
    assert (read(broken, "a.vsdx").reader, read(broken, "a.vsdx").text.split("\n")) == ("plainly", LINES)
    plainest = extract(vsdx(), Path("a.vsdx"), attempt=Attempt.PLAINEST).extracted
    assert plainest is not None and plainest.text.split("\n") == LINES
    problem = extract(vsdx([[]]), Path("a.vsdx")).problem
    assert problem is not None and problem.kind is ProblemKind.NO_TEXT
