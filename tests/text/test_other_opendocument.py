"""OpenDocument files with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

import base64

import pytest

from dupfinder.text.document import OtherContent
from tests import making
from tests.text.other_content import held, png, read, repacked, unlike

LINKING = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML"><{0}><mi>x</mi><mn>2</mn></{0}><annotation>{1}</annotation></math>'
CHART = '<o:d xmlns:o="o" xmlns:chart="c"><chart:chart/><o:p>{}</o:p></o:d>'
OBJECTS: dict[str, str | bytes] = {
    "Pictures/1.png": png(1),
    "Pictures/2.png": png(2),
    "ObjectReplacements/Object 1": png(3),
    "Object 1/content.xml": MATH.format("msup", "x^2"),
    "Object 2/content.xml": MATH.format("msub", "x_2"),
    "Object 3/content.xml": CHART.format("1"),
    "Object 4/content.xml": CHART.format("2"),
    "Object 5": b"one",
    "Object 6": b"two",
}


def letter(inner: str = "", *, styles: str = "", kind: str = "text") -> bytes:
    """A document with some raw XML behind its words, and what that may name in its package."""
    body = f"<text:p>Dear reader of this letter{inner}</text:p>"
    if kind == "spreadsheet":
        body = f"<table:table><table:table-row>{inner}</table:table-row></table:table>"
    elif kind == "presentation":
        body = f"<draw:page><draw:frame><text:p>Dear reader</text:p></draw:frame>{inner}</draw:page>"
    return repacked(making.opendocument(kind, body, styles=styles), OBJECTS, stored_first=True)


def flat(inner: str) -> bytes:
    """The same as one flat XML file."""
    names = f'{making._ODF} xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"'
    mime = 'office:mimetype="application/vnd.oasis.opendocument.text"'
    body = f"<office:body><office:text><text:p>Dear reader{inner}</text:p></office:text></office:body>"
    return f'<?xml version="1.0"?>\n<office:document {names} {mime}>{body}</office:document>'.encode()


def shown(name: str) -> str:
    """A picture in a frame."""
    return f'<draw:frame><draw:image {LINKING} xlink:href="Pictures/{name}.png"/></draw:frame>'


def drawn(number: int, kind: str = "object") -> str:
    """An object in a frame, with the picture of it that programs without its maker show."""
    return (
        f'<draw:frame><draw:{kind} {LINKING} xlink:href="./Object {number}"/>'
        f'<draw:image {LINKING} xlink:href="./ObjectReplacements/Object 1"/></draw:frame>'
    )


def remark(author: str, text: str, moment: str = "2024-03-01T00:00:00") -> str:
    """A comment."""
    return (
        f"<office:annotation><dc:creator>{author}</dc:creator><dc:date>{moment}</dc:date>"
        f"<text:p>{text}</text:p></office:annotation>"
    )


def changed(kind: str, author: str, text: str) -> str:
    """The list of tracked changes."""
    about = f"<office:change-info><dc:creator>{author}</dc:creator><dc:date>2024</dc:date></office:change-info>"
    return (
        f'</text:p><text:tracked-changes><text:changed-region text:id="c1"><text:{kind}>{about}{text}</text:{kind}>'
        "</text:changed-region></text:tracked-changes><text:p>"
    )


def link(target: str) -> str:
    """A place that leads elsewhere."""
    return f'<text:a {LINKING} xlink:href="{target}">here</text:a>'


def head(text: str) -> str:
    """A page style with a running head."""
    page = f"<style:master-page><style:header><text:p>{text}</text:p></style:header></style:master-page>"
    return f"<office:master-styles>{page}</office:master-styles>"


BOX = (
    '<office:forms xmlns:form="urn:oasis:names:tc:opendocument:xmlns:form:1.0"><form:form><form:checkbox '
    'form:id="{0}" form:name="paid" form:current-state="{1}"/></form:form></office:forms>'
)
OLD = "<text:p>{}</text:p>"
PAIRS = [
    (letter(shown("1")), letter(shown("2")), OtherContent.PICTURES),
    (letter(shown("1")), letter(), OtherContent.PICTURES),
    (letter(drawn(3)), letter(drawn(4)), OtherContent.PICTURES),
    (letter(drawn(5, "object-ole")), letter(drawn(6, "object-ole")), OtherContent.ATTACHMENTS),
    (letter(drawn(1)), letter(drawn(2)), OtherContent.FORMULAS),
    (letter(remark("Ann", "Why?")), letter(remark("Ann", "Who?")), OtherContent.COMMENTS),
    (letter(remark("Ann", "Why?")), letter(remark("Bo", "Why?")), OtherContent.COMMENTS),
    (
        letter(changed("deletion", "Ann", OLD.format("old"))),
        letter(changed("deletion", "Ann", OLD.format("odd"))),
        OtherContent.TRACKED_CHANGES,
    ),
    (letter(changed("insertion", "Ann", "")), letter("</text:p><text:p>"), OtherContent.TRACKED_CHANGES),
    (letter(link("https://a.org")), letter(link("https://b.org")), OtherContent.LINKS),
    (letter(BOX.format(1, "checked")), letter(BOX.format(1, "unchecked")), OtherContent.FORM_FIELDS),
    (letter(styles=head("Draft")), letter(styles=head("Final")), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), PAIRS)
def test_texts_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.odt") == {kind}
    assert unlike(first, first, "a.odt") == set()


CELL = '<table:table-cell table:formula="of:={}"><text:p>3</text:p></table:table-cell>'
NOTES = "<presentation:notes><text:p>{}</text:p></presentation:notes>"


def test_formulas_of_sheets_and_notes_of_speakers_are_told() -> None:
    first, second = (letter(CELL.format(formula), kind="spreadsheet") for formula in ("1+2", "2+1"))
    assert unlike(first, second, "a.ods") == {OtherContent.FORMULAS}
    first, second = (letter(NOTES.format(word), kind="presentation") for word in ("slowly", "loudly"))
    assert unlike(first, second, "a.odp") == {OtherContent.NOTES}


def test_digits_that_the_format_of_a_cell_hides_are_told() -> None:
    cell = '<table:table-cell office:value-type="float" office:value="{}"><text:p>1204</text:p></table:table-cell>'
    first, second, again = (
        letter(cell.format(number), kind="spreadsheet") for number in ("1203.6", "1204.4", "1203.6000000000001")
    )
    assert unlike(first, second, "a.ods") == {OtherContent.HEADERS}
    assert not unlike(first, again, "a.ods")


def test_hidden_sheets_are_told() -> None:
    shown = '<style:table-properties table:display="{0}"/>'
    style = f'<style:style style:name="ta{{0}}" style:family="table">{shown}</style:style>'
    styles = f"<office:automatic-styles>{style.format('true')}{style.format('false')}</office:automatic-styles>"
    table = (
        '<table:table table:name="A" table:style-name="ta{}"><table:table-row><table:table-cell><text:p>Rent</text:p>'
    )
    first, second = (
        making.opendocument(
            "spreadsheet",
            f"{table.format(shown)}</table:table-cell></table:table-row></table:table>",
            styles=styles,
        )
        for shown in ("true", "false")
    )
    assert unlike(first, second, "a.ods") == {OtherContent.HEADERS}


SECTION = '</text:p><text:section text:name="A" text:{}><text:p>Ask Ann.</text:p></text:section><text:p>'


@pytest.mark.parametrize(
    ("hidden", "shown"),
    [
        (SECTION.format('display="none"'), SECTION.format('display="true"')),
        (
            SECTION.format('display="condition" text:is-hidden="true"'),
            SECTION.format('display="condition" text:is-hidden="false"'),
        ),
        (
            '</text:p><text:p><text:hidden-paragraph text:is-hidden="true"/>Ask Ann.',
            '</text:p><text:p><text:hidden-paragraph text:is-hidden="false"/>Ask Ann.',
        ),
    ],
)
def test_hidden_sections_and_paragraphs_are_no_words_but_told(hidden: str, shown: str) -> None:
    assert unlike(letter(hidden), letter("</text:p><text:p>"), "a.odt") == {OtherContent.COMMENTS}
    assert "Ask Ann." in read(letter(shown), "a.odt").text


def test_what_a_save_writes_anew_is_no_difference() -> None:
    first = letter(
        remark("Ann", "Why?") + BOX.format("control1", "checked"), styles=head("<text:page-number>1</text:page-number>")
    )
    second = letter(
        remark("Ann", "Why?", "2025-01-01T00:00:00") + BOX.format("control2", "checked"),
        styles=head("<text:page-number>7</text:page-number>"),
    )
    assert unlike(first, second, "a.odt") == set()
    assert held(letter("<text:tracked-changes/>"), "a.odt") == {}


def test_flat_files_tell_the_same_kinds() -> None:
    def picture(shade: int) -> bytes:
        data = base64.b64encode(png(shade)).decode()
        return flat(
            f"<draw:frame><draw:image><office:binary-data>{data}</office:binary-data></draw:image></draw:frame>"
        )

    def formula(kind: str, typed: str = "") -> bytes:
        return flat(f"<draw:frame><draw:object>{MATH.format(kind, typed)}</draw:object></draw:frame>")

    assert unlike(picture(1), picture(2), "a.fodt") == {OtherContent.PICTURES}
    assert unlike(formula("msup"), formula("msub"), "a.fodt") == {OtherContent.FORMULAS}
    assert unlike(formula("msup", "a"), formula("msup", "b"), "a.fodt") == set()
    assert unlike(flat(remark("Ann", "Why?")), flat(remark("Bo", "Why?")), "a.fodt") == {OtherContent.COMMENTS}


def test_an_object_that_is_named_and_missing_is_not_known() -> None:
    assert held(letter(drawn(9)), "a.odt") == {
        "pictures": "not known", "attachments": "not known", "formulas": "not known",
    }  # fmt: skip


def test_macros_are_objects_of_a_text() -> None:
    first, second = (repacked(letter(), {"Basic/Standard/M.xml": code}, stored_first=True) for code in ("a", "b"))
    assert unlike(first, second, "a.odt") == {OtherContent.ATTACHMENTS}


def test_rows_and_columns_that_a_sheet_hides_are_told() -> None:
    row = "<table:table-row{}><table:table-cell><text:p>{}</text:p></table:table-cell></table:table-row>"
    hidden = ' table:visibility="collapse"'

    def sheet(first: str = "", second: str = "", column: str = "") -> bytes:
        rows = row.format(first, "Ann") + row.format(second, "Bo")
        return making.opendocument("spreadsheet", f"<table:table><table:table-column{column}/>{rows}</table:table>")

    for other in (sheet(hidden), sheet("", hidden.replace("collapse", "filter")), sheet("", "", hidden)):
        assert unlike(sheet(), other, "a.ods") == {OtherContent.HEADERS}
    assert unlike(sheet(hidden), sheet("", hidden), "a.ods") == {OtherContent.HEADERS}
    assert not unlike(sheet(), sheet(' table:visibility="visible"'), "a.ods")


SHAPES = {
    "arrows": ('<draw:custom-shape><draw:enhanced-geometry draw:type="{}"/></draw:custom-shape>', "left", "right"),
    "lines": ('<draw:line svg:x1="1cm" svg:y1="1cm" svg:x2="{}cm" svg:y2="5cm"/>', "3", "9"),
    "points": ('<draw:polygon draw:points="0,0 {},9 5,5"/>', "1", "2"),
}


@pytest.mark.parametrize("kind", SHAPES)
def test_shapes_that_are_drawn_in_a_text_are_told(kind: str) -> None:
    shape, first, second = SHAPES[kind]
    assert unlike(letter(shape.format(first)), letter(shape.format(second)), "a.odt") == {OtherContent.PICTURES}
    frame, level = SHAPES["arrows"][0].format("rectangle"), SHAPES["lines"][0].format("1")
    assert not unlike(letter(frame + level), letter(), "a.odt")


@pytest.mark.parametrize("name", ["title", "desc"])
def test_what_is_read_out_in_place_of_a_picture_is_no_word_of_a_text(name: str) -> None:
    said = f'<svg:{name} xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0">A bell</svg:{name}>'
    field = "<text:title>The title of it</text:title>"
    bare, described = (letter(shown("one").replace("</", f"{more}</", 1) + field) for more in ("", said))
    assert read(described, "a.odt").text == read(bare, "a.odt").text
    assert "The title of it" in read(bare, "a.odt").text


def test_the_names_of_sheets_are_told_and_not_those_of_tables_in_a_text() -> None:
    table = '<table:table table:name="{}"><table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>'
    for kind, name, differing in (("spreadsheet", "a.ods", {OtherContent.HEADERS}), ("text", "a.odt", set())):
        made = [making.opendocument(kind, f"{table.format(year)}</table:table-row></table:table>") for year in "34"]
        assert unlike(made[0], made[1], name) == differing


def test_a_ticked_box_of_an_older_word_form_is_told() -> None:
    names = 'xmlns:field="urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0"'
    kind = "vnd.oasis.opendocument.field.FORMCHECKBOX"
    box = f'<field:fieldmark {names} text:name="{{}}" field:type="{kind}">{{}}</field:fieldmark>'
    tick = '<field:param field:name="Checkbox_Checked" field:value="true"/>'
    empty, other_name, ticked = (letter(box.format(*facts)) for facts in (("a", ""), ("b", ""), ("a", tick)))
    assert unlike(empty, ticked, "a.odt") == {OtherContent.FORM_FIELDS}
    assert not unlike(empty, other_name, "a.odt")
