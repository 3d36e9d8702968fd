"""Where values are in a table: the same words in other columns are not the same text."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import openpyxl
import pytest

from dupfinder.text import lines
from dupfinder.text.document import OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.lines import filled_columns
from dupfinder.text.normalise import normalise
from dupfinder.text.readers.sheets import read_xlsx, read_xlsx_slowly
from tests.making import docx, opendocument, xlsx
from tests.text.other_content import read, unlike

Rows = tuple[tuple[str, ...], ...]
SIMPLE = "  Item     Debit    Credit\n  -------- -------- --------\n  Heat              80\n\n"  # a table of Pandoc
DEBITS: Rows = (("Item", "Debit", "Credit"), ("Rent", "100", ""), ("Wages", "", "137"), ("Energy", "174", ""))
CREDITS: Rows = (*DEBITS[:3], ("Energy", "", "174"))
ANSWERS: Rows = (("Yes", "No"), ("cheap", ""), ("", "dear"))
OTHER_ANSWERS: Rows = (("Yes", "No"), ("", "cheap"), ("dear", ""))
FULL: Rows = (DEBITS[0], ("Rent", "100", "137"), ("Energy", "174", ""))


def table(rows: Rows, row: str, cell: str) -> str:
    """The rows between tags: `row` and `cell` have {} where their content is."""
    return "\n".join(row.format("".join(cell.format(text) for text in cells)) for cells in rows)


def word(rows: Rows) -> bytes:
    cells = table(rows, "<w:tr>{}</w:tr>", "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>")
    return docx(body=f"<w:p><w:r><w:t>Accounts</w:t></w:r></w:p><w:tbl>{cells}</w:tbl><w:p/>")


def opendocument_text(rows: Rows) -> bytes:
    row, cell = "<table:table-row>{}</table:table-row>", "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    return opendocument("text", f"<text:p>Accounts</text:p><table:table>{table(rows, row, cell)}</table:table>")


def rich_text(rows: Rows) -> bytes:
    cells = table(rows, "\\trowd {}\\row", "{} \\cell ")
    return f"{{\\rtf1\\ansi Accounts\\par\n{cells}\\pard\\par}}".encode()


def page(rows: Rows) -> bytes:
    cells = table(rows, "<tr>{}</tr>", "<td>{}</td>").replace("<td></td>", "<td>&nbsp;</td>")
    return f"<html><body><p>Accounts</p><table>{cells}</table></body></html>".encode()


def markdown(rows: Rows) -> bytes:
    head, *others = (f"|{'|'.join(cells)}|" for cells in rows)
    return "\n".join(["Accounts", "", head, "|---|---|---|", *others]).encode()


def drawn(rows: Rows, bar: str = "|", line: str = "-", cross: str = "+") -> bytes:
    rule = cross.join(["", *(line * 10 for _ in rows[0]), ""])
    lines = (f"{bar}{bar.join(f' {text:9}' for text in cells)}{bar}" for cells in rows)
    return "\n".join(["Accounts", "", rule, *(f"{line}\n{rule}" for line in lines), "", "."]).encode()


def fields(rows: Rows) -> bytes:
    return "\r\n".join(map(",".join, rows)).encode()


MAKERS: dict[str, Callable[[Rows], bytes]] = {
    "a.docx": word,
    "a.odt": opendocument_text,
    "a.rtf": rich_text,
    "a.html": page,
    "a.md": markdown,
    "a.txt": drawn,
    "a.csv": fields,
    "a.xlsx": lambda rows: xlsx({"Accounts": rows}),
}


def filled(name: str, rows: Rows) -> tuple[str, str | None]:
    """The words of a document with a table, and a hash of what is filled in."""
    extracted = extract(MAKERS[name](rows), Path(name)).extracted
    assert extracted is not None
    return normalise(extracted.text), extracted.other.get(OtherContent.FORM_FIELDS)


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize(("first", "second"), [(DEBITS, CREDITS), (ANSWERS, OTHER_ANSWERS)])
def test_an_amount_or_answer_in_another_column_is_told(name: str, first: Rows, second: Rows) -> None:
    (words, before), (same_words, after) = filled(name, first), filled(name, second)
    assert words == same_words
    assert before and after and before != after


@pytest.mark.parametrize("name", [name for name in MAKERS if name not in ("a.html", "a.rtf")])
def test_a_cell_with_a_dash_is_as_empty_as_one_without(name: str) -> None:
    dashes, others = (tuple(tuple(cell or "–" for cell in row) for row in rows) for rows in (DEBITS, CREDITS))
    assert filled(name, dashes)[1] == filled(name, DEBITS)[1] != filled(name, others)[1]


@pytest.mark.parametrize("name", [name for name in MAKERS if name != "a.html"])
def test_a_word_in_the_next_cell_is_told(name: str) -> None:
    rows: Rows = (("City", "Street", "Note"), ("New York", "x", "yes"), ("Rome", "y", "no"))
    others: Rows = (rows[0], ("New", "York x", "yes"), rows[2])
    assert OtherContent.HEADERS in unlike(MAKERS[name](rows), MAKERS[name](others), name)
    assert not unlike(MAKERS[name](rows), MAKERS[name](rows), name)


@pytest.mark.parametrize("name", MAKERS)
def test_tables_without_empty_cells_before_others_tell_nothing(name: str) -> None:
    assert filled(name, FULL)[1] is None


def test_all_formats_tell_the_same_of_one_table() -> None:
    assert len({filled(name, DEBITS)[1] for name in MAKERS}) == 1


def test_objects_in_json_with_the_same_keys_are_the_table_that_csv_has() -> None:
    rows = ({"item": "Rent, heated", "paid": 100.50, "by": None}, {"item": "Wages", "by": "cheque", "paid": 7})
    csv = b'item,paid,by\n"Rent, heated",100.5,\nWages,7,cheque\n'
    lines, one_list = "\n".join(map(json.dumps, rows)).encode(), json.dumps(rows, indent=2).encode()
    texts = {read(data, name).text for data, name in ((csv, "a.csv"), (lines, "a.jsonl"), (one_list, "a.json"))}
    assert len(texts) == 1 and "paid" in texts.pop()
    assert not unlike(one_list, json.dumps(rows).encode(), "a.json")
    assert unlike(lines, lines.replace(b"7", b'"7"'), "a.json")
    nested = [{**row, "paid": [1]} for row in rows]
    for no_table in ([rows[0]], [*rows, {"item": "Fuel"}], nested, [["a", 2], ["b", 4]]):
        assert read(json.dumps(no_table).encode(), "a.json").text.startswith("[")


def test_a_table_is_the_same_in_csv_json_yaml_and_attributes_of_xml() -> None:
    rows = [{"item": f"Room {number}: it's warm", "paid": str(number), "by": "cheque"} for number in range(9)]
    del rows[4]["by"]  # as many programs leave out what is empty
    csv = "item,paid,by\n" + "".join(f"{row['item']},{row['paid']},{row.get('by', '')}\n" for row in rows)
    yaml = "# rooms\n---\n" + "\n".join(
        f"- item: 'Room {row['paid']}: it''s warm'\n  paid: {row['paid']}\n  by: \"{row.get('by', '')}\""
        for row in rows
    )
    xml = "<rooms>" + "".join(
        f'<room item="{row["item"]}" paid="{row["paid"]}" by="{row.get("by", "")}"/>' for row in rows
    )
    words = {name: read(data.encode(), name).text for name, data in (
        ("a.csv", csv), ("a.json", json.dumps(rows)), ("a.yaml", yaml), ("a.xml", xml + "</rooms>"),
    )}  # fmt: skip
    assert words["a.xml"] == f"room\n{words.pop('a.csv')}"
    assert len({*words.values()} - {words["a.xml"]}) == 1 and words["a.json"].startswith(
        "item\tpaid\tby\nRoom 0: it's warm\t0\tcheque"
    )
    beside = json.dumps({"hotel": "Sea", "rooms": rows, "guests": None})
    assert read(beside.encode(), "a.json").text.startswith("hotel\tSea\n")
    assert read(json.dumps({"hotel": {"name": "Sea"}, "rooms": rows}).encode(), "a.json").text.startswith("{")
    for no_table in (
        yaml + "\n  beds: [1, 2]", yaml + "\n  beds:\n    - 1", "- item: one\n- item: two\n",
        yaml.replace("\n  by:", "\n  paid: twice\n  by:"), yaml + "\n# one room is cold", yaml + "\n---",
    ):  # fmt: skip
        assert read(no_table.encode(), "a.yaml").text == no_table
    twice = '[{"a": 1, "a": 2, "b": 3}, {"a": 1, "b": 3}]'
    assert read(twice.encode(), "a.json").text == twice


def test_flash_cards_are_the_table_that_csv_has_without_their_tags_and_decks() -> None:
    words = [("<b>house</b>", "das Haus"), ('"tree, &amp; wood"', '"der Baum<br>das Holz"'), ("car", '"das Auto; 2"')]
    csv = b'house,das Haus\n"tree, & wood","der Baum\ndas Holz"\ncar,das Auto; 2\n'
    rows = [("id7", front, back, "lesson 1") for front, back in words]
    beside = "#html:true\n#guid column:1\n#tags column:4\n"
    tabs, bars = (
        f"#separator:{name}\n{beside}" + "\n".join(map(sign.join, rows))
        for name, sign in (("tab", "\t"), ("Pipe", "|"))
    )
    bare = "#separator:;\n#html:true\n" + "\n".join(map(";".join, words))
    for cards in (tabs, bars, bare):
        assert read(cards.encode(), "a.txt").text == read(csv, "a.csv").text
    assert unlike(tabs.encode(), tabs.replace("lesson 1", "lesson 2").encode(), "a.txt")
    as_written = bare.replace("#html:true", "#html:false").encode()
    assert "<b>house</b>" in read(as_written, "a.txt").text
    for no_cards in (f"{tabs}\tone more", f"Cards\n{tabs}", "#separator:tab\n", "#separator:none\na\tb\tc"):
        assert read(no_cards.encode(), "a.txt").text.startswith(no_cards[:12].strip())


def test_xml_with_the_same_attributes_in_other_tags_has_other_words() -> None:
    granted = "<list>" + "".join(f'<grant name="Room {number}" amount="{number}"/>' for number in range(9)) + "</list>"
    assert read(granted.encode(), "a.xml").text != read(granted.replace("grant", "revoke").encode(), "a.xml").text


def test_tables_may_be_drawn_with_all_kinds_of_lines() -> None:
    assert (
        read(drawn(FULL, "│", "─", "┼"), "a.txt").text
        == read(drawn(FULL), "a.txt").text
        == read(drawn(FULL), "a.md").text
    )


def test_cells_of_several_lines_are_read_one_after_the_other() -> None:
    rule = "+-------+-------+"
    table = [
        rule,
        "|Thing |Words  |",
        f"\xa0\xa0 {rule}",
        "|      |that go|",
        "|A bell|on for |",
        "|      |long   |",
        rule,
    ]
    page = b"<table><tr><td>Thing<td>Words<tr><td>A bell<td>that go on for long</table>"
    assert read("\n".join(table).encode(), "a.txt").text.split() == read(page, "a.html").text.split()


def test_rows_between_the_only_rules_of_a_table_are_a_line_each() -> None:
    rule = "+----+------+"
    table = "\n".join([rule, "| id | name |", rule, "|  1 | Ann  |", "|  2 | Bob  |", rule])
    assert read(table.encode(), "a.txt").text.split() == ["id", "name", "1", "Ann", "2", "Bob"]


@pytest.mark.parametrize(
    "drawing",
    [
        "+---------+\n| a  | b  |\n+----+----+\n| c       |\n+---------+",
        "Hi\n+---+\n+ a +\n+---+",
        "+---+\n| a +\n| b +\n+---+",
        "+-------+\n+ alpha | one |\n+ beta  | two |\n+-------+",
    ],
)
def test_drawings_that_are_no_tables_are_read_by_lines(drawing: str) -> None:
    for name in ("a.txt", "a.md"):
        assert read(drawing.encode(), name).text.strip() == drawing


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("|1 |a |\n|  |b |\n|2 |c |", "|1 |a |\n|2 |b |\n|  |c |"),
        ("|Ann|  |\n|Bob|2 |\n|Cy |3 |", "|Ann|2 |\n|Bob|  |\n|Cy |3 |"),
        ("|  |1 |2 |\n|3 |4 |5 |", "|3 |1 |2 |\n|  |4 |5 |"),
    ],
)
def test_the_row_of_an_empty_cell_of_a_drawn_table_is_told(first: str, second: str) -> None:
    for total in ("", "|Sum|5 |6 |\n+--+\n" if first.count("|") == 8 else "|Sum|5 |\n+--+\n"):
        tables = (
            f"+--+\n|id|no|{'c |' if rows.count('|') == 8 else ''}\n+--+\n{rows}\n+--+\n{total}"
            for rows in (first, second)
        )
        before, after = (read(table.encode(), "a.txt") for table in tables)
        assert (before.text, before.other) != (after.text, after.other)


@pytest.mark.parametrize(
    ("first", "second", "name"),
    [
        ('"Item","Debit","Credit"\n"Rent","100",""\n', '"Item","Debit","Credit"\n"Rent","","100"\n', "a.csv"),
        ("Item;Debit;Credit\nRent;100; \n", "Item;Debit;Credit\nRent; ;100\n", "a.csv"),
        ("Item | Yes | No\n--|:-:|--\nRent | x | ", "Item | Yes | No\n--|:-:|--\nRent | | x", "a.md"),
        (f"{SIMPLE}  Rent     900              \n", f"{SIMPLE}  Rent              900     \n", "a.md"),
        *(
            (f"<table><tr><th>Item<td>Yes<td>No<tr><td>Rent<td>x<td>{nothing}", f"<table><tr><th>Item<td>Yes<td>No"
             f"<tr><td>Rent<td>{nothing}<td>x", "a.html")
            for nothing in ("", "<b></b>", "&#xa0;", "<img src='x.gif'>")
        ),
    ],
)  # fmt: skip
def test_empty_cells_are_seen_however_they_are_written(first: str, second: str, name: str) -> None:
    assert unlike(first.encode(), second.encode(), name) == {OtherContent.FORM_FIELDS}


@pytest.mark.parametrize("dash", ["-", "–", "<i>&mdash;</i>"])
def test_a_cell_of_a_page_with_a_dash_alone_is_empty(dash: str) -> None:
    rows = (f"<td>x<td>{dash}", f"<td>{dash}<td>x")
    pages = (f"<table><tr><th>Item<td>Yes<td>No<tr><td>Rent{row}".encode() for row in rows)
    first, second = (read(page, "a.html").other.get(OtherContent.FORM_FIELDS) for page in pages)
    assert second and first != second


def test_separators_of_fields_are_no_punctuation() -> None:
    as_sheet, as_fields = read(MAKERS["a.xlsx"](FULL), "a.xlsx"), read(MAKERS["a.csv"](FULL), "a.csv")
    # Sheets have names besides.
    of_sheet, of_fields = ({**document.other, OtherContent.HEADERS: ""} for document in (as_sheet, as_fields))
    assert of_sheet == of_fields


def test_code_in_markdown_with_bars_ends_where_it_ends() -> None:
    text = read(b"Words\n```\n+---+\n| a |\n```\nThis is **bold** and <b>marked</b>.\n", "a.md").text
    assert " ".join(text.split()) == "Words +---+ | a | This is bold and marked."


def test_cells_and_rows_that_an_opendocument_sheet_repeats_are_read_as_often() -> None:
    cell = '<table:table-cell table:number-columns-repeated="{}"><text:p>{}</text:p></table:table-cell>'
    row = f'<table:table-row table:number-rows-repeated="3">{cell.format(2, "5")}{cell.format(9, "")}</table:table-row>'
    end = '<table:table-row table:number-rows-repeated="1000000"><table:table-cell/></table:table-row>'
    assert (
        read(opendocument("spreadsheet", f"<table:table>{row}{end}</table:table>"), "a.ods").text.split() == ["5"] * 6
    )


def test_a_sheet_with_a_distant_cell_in_each_row_has_a_short_text() -> None:
    rows = tuple((str(number), *[""] * 9_000, "end") for number in range(30))
    for extracted in (read_xlsx(xlsx({"Far": rows})), read_xlsx_slowly(xlsx({"Far": rows}))):
        assert len(extracted.text) < 30 * 120
        assert extracted.text.split() == [word for row in rows for word in (row[0], "end")]


def test_the_slow_reader_of_sheets_finds_the_same_empty_cells() -> None:
    workbook = xlsx({"Accounts": DEBITS})
    assert read_xlsx(workbook).text == read_xlsx_slowly(workbook).text


def test_a_row_that_is_filled_down_to_the_end_of_a_sheet_is_read_ten_thousand_times() -> None:
    cell = "<table:table-cell><text:p>same</text:p></table:table-cell>"
    row = f"<table:table-row table:number-rows-repeated='1048576'>{cell}</table:table-row>"
    data = opendocument("spreadsheet", f"<table:table>{row}</table:table>")
    assert read(data, "a.ods").text.count("same") == 10_000


def test_sheets_with_a_stray_cell_each_are_read_with_their_words() -> None:
    book = openpyxl.Workbook()
    for number in range(3):
        sheet = book.create_sheet(f"S{number}")
        sheet["A1"], sheet["Z1000000"] = f"first{number}", f"last{number}"
    stream = BytesIO()
    book.save(stream)
    text = read(stream.getvalue(), "a.xlsx").text
    assert all(f"first{number}" in text and f"last{number}" in text for number in range(3)) and len(text) < 1000


def answers(*columns: int, sign: str = "X", width: int = 8) -> bytes:
    """A text with questions, each answered in a column below Yes or No."""
    questions = ("Smoker", "Thinner", "Allergy")
    head = "Yes".rjust(2 * width + 2) + "No".rjust(width)
    rows = [q.ljust((2 + column) * width) + sign for q, column in zip(questions, columns, strict=True)]
    return "\n".join(["Questions of the doctor", "", head, *rows, "", "Signed by the patient."]).encode()


@pytest.mark.parametrize("sign", ["X", "12", "✓"])
@pytest.mark.parametrize("other", [(1, 0, 0), (0, 0, 0), (1, 1, 1)])
def test_ticks_and_amounts_in_other_columns_of_a_plain_text_are_told(other: tuple[int, ...], sign: str) -> None:
    first, second = (answers(*columns, sign=sign) for columns in ((0, 1, 1), other))
    assert normalise(read(first, "a.txt").text) == normalise(read(second, "b.txt").text)
    assert unlike(first, second, "a.txt") == {OtherContent.FORM_FIELDS}


def test_columns_may_be_set_out_by_tabs_and_wider_ones_tell_the_same() -> None:
    first, second = (
        b"Name\tJan\tFeb\tMar\nMeier\t\t12\t\nSchulz\t7\t\t\n",
        b"Name\tJan\tFeb\tMar\nMeier\t12\t\t\nSchulz\t7\t\t\n",
    )
    assert unlike(first, second, "a.txt") == {OtherContent.FORM_FIELDS}
    assert not unlike(answers(0, 1, 1), answers(0, 1, 1, width=13), "a.txt")


def test_full_tables_lists_and_prose_with_wide_gaps_tell_nothing_of_columns() -> None:
    assert not filled_columns("Item        Jan   Feb\nRent        700   710\nPower        45    51\n")
    assert not filled_columns("It was   late in 1912   when\nthey came to   the harbour\nwith all   they had.\n")


def test_lines_below_one_without_heads_of_columns_are_not_divided_into_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    divided: list[str] = []

    def cells_of(line: str) -> list[tuple[int, int, bool]]:
        divided.append(line)
        return [(5, 8, True), (11, 14, True)]

    monkeypatch.setattr(lines, "_cells_of", cells_of)
    assert not filled_columns("12   700   710\n13    45    51\n") and len(divided) == 1


@pytest.mark.parametrize(("name", "tab"), [("a.docx", "</w:t><w:tab/><w:t>"), ("a.odt", "<text:tab/>")])
def test_amounts_behind_other_tabs_of_a_written_document_are_told(name: str, tab: str) -> None:
    def written(line: str) -> bytes:
        line = line.replace("\t", tab)
        if name == "a.odt":
            return opendocument("text", f"<text:p>{line}</text:p>")
        return docx(body=f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>")

    debit, credit, single = (written(line) for line in ("Rent\t500\t", "Rent\t\t500", "Rent\t500"))
    assert unlike(debit, credit, name) == {OtherContent.HEADERS}
    assert not unlike(debit, single, name)
