"""The other formats: the same words from each, in the order a person reads them."""

from __future__ import annotations

import base64
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.text.document import Extracted, MediaType, OtherContent
from dupfinder.text.extract import extract
from dupfinder.text.normalise import normalise
from dupfinder.text.readers import plain
from dupfinder.text.readers.rtf import inflate_rtf
from tests import making, making_compound, making_packages
from tests.text.other_content import repacked, unlike

WORDS = normalise(" ".join(making.PARAGRAPHS))


def read(data: bytes, name: str) -> Extracted:
    extraction = extract(data, Path(name))
    assert extraction.extracted is not None, extraction.problem
    return extraction.extracted


@pytest.mark.parametrize(
    ("data", "kind", "name"),
    [
        (making.odt(), MediaType.ODT, "a.odt"),
        (making.ofd(), MediaType.OFD, "a.ofd"),
        (making_packages.xps(), MediaType.XPS, "a.oxps"),
        (making_packages.hwpx(), MediaType.HWPX, "a.hwpx"),
        (making_packages.hwp(), MediaType.HWP, "a.hwp"),
        (making_packages.vsdx(), MediaType.VSDX, "a.vsdx"),
        (making.rtf(), MediaType.RTF, "a.rtf"),
        (making.epub(), MediaType.EPUB, "a.epub"),
        (making.kindle("".join(f"<p>{words}</p>" for words in making.PARAGRAPHS)), MediaType.MOBI, "a.mobi"),
        (making.pptx(), MediaType.PPTX, "a.pptx"),
        (making.xlsx({"Sheet": [[paragraph] for paragraph in making.PARAGRAPHS]}), MediaType.XLSX, "a.xlsx"),
        (making.eml(), MediaType.EML, "a.eml"),
        (making_compound.msg(), MediaType.MSG, "a.msg"),
        (making_compound.doc(), MediaType.DOC, "a.doc"),
        (making_compound.ppt(), MediaType.PPT, "a.ppt"),
        (making.mhtml(making.html()), MediaType.MHTML, "a.mht"),
    ],
)
def test_each_format_gives_the_same_words_under_any_name(data: bytes, kind: MediaType, name: str) -> None:
    for path in (name, "nameless"):
        extracted = read(data, path)
        assert extracted.media_type is kind
        assert normalise(extracted.text) == WORDS


@pytest.mark.parametrize("properties", ["<office:meta", "damaged below"])
def test_opendocument_with_damaged_properties_is_read_with_its_layout(properties: str) -> None:
    data = making.odt()
    with ZipFile(BytesIO(data)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["meta.xml"] = properties.encode()
    packed = making.zipped(parts, stored_first=True)
    extracted = read(packed.replace(b"meta.xml", b"meta.xm_", 1), "a.odt")  # the local header alone has another name
    assert (extracted.reader, normalise(extracted.text)) == (read(data, "a.odt").reader, WORDS)


def test_opendocument_sets_comments_heads_and_deletions_apart() -> None:
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>removed</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes><text:h>Title</text:h><text:p>One<text:s/>two<text:tab/>three"
        "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p></text:note-body>"
        "</text:note> four<office:annotation><text:p>Why?</text:p></office:annotation>.</text:p>"
        "<table:table><table:table-row><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row></table:table>"
    )
    styles = "<style:header><text:p>Head</text:p></style:header><style:footer><text:p>Foot</text:p></style:footer>"
    extracted = read(making.opendocument("text", body, title="T", author="A", styles=styles), "a.odt")
    assert extracted.text.split() == ["Title", "One", "two", "three", "four.", "cell", "A", "note."]
    assert dict(extracted.streams) == {"comments": "Why?", "headers": "Head", "footers": "Foot"}
    assert (extracted.title, extracted.author, extracted.notes) == ("T", "A", details(Clause.DELETIONS_LEFT_OUT))


def test_opendocument_leaves_out_what_is_neither_shown_nor_printed() -> None:
    hints = (
        "<table:content-validations><table:content-validation><table:help-message><text:p>Enter a sum</text:p>"
        "</table:help-message><table:error-message><text:p>No sum</text:p></table:error-message>"
        "</table:content-validation></table:content-validations>"
    )
    row = "<table:table-row><table:table-cell><text:p>cell</text:p></table:table-cell></table:table-row>"
    body = f"{hints}<table:table>{row}</table:table>"
    assert read(making.opendocument("spreadsheet", body), "a.ods").text.split() == ["cell"]
    fields = "<text:p><text:script>run()</text:script>By <text:sender-firstname>Ann</text:sender-firstname></text:p>"
    assert read(making.opendocument("text", fields), "a.odt").text == "By Ann"


def test_flat_opendocument_drops_deletions_that_stand_in_the_body() -> None:
    source = (
        '<?xml version="1.0"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
        'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
        'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text><text:tracked-changes>'
        '<text:changed-region text:id="c1"><text:deletion/></text:changed-region></text:tracked-changes>'
        '<text:p>kept <text:change-start text:change-id="c1"/>gone <text:change-end text:change-id="c1"/>words</text:p>'
        "</office:text></office:body></office:document>"
    )
    extracted = read(source.encode(), "a.fodt")
    assert (extracted.media_type, extracted.text) == (MediaType.ODT, "kept words")


def test_a_locked_opendocument_needs_its_password() -> None:
    locked = making.zipped(
        {
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": bytes(range(256)),
            "META-INF/manifest.xml": "<manifest><encryption-data/></manifest>",
        },
        stored_first=True,
    )
    problem = extract(locked, Path("a.odt")).problem
    assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (rb"{\rtf1\ansi\ansicpg1252 caf\'e9 na\'efve}", "café naïve"),
        (rb"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}", "Привет"),
        (rb"{\rtf1\ansi{\fonttbl{\f1\fcharset134 SimSun;}}\f1 \'ce\'c4\'bc\'fe}", "文件"),
        (
            rb"{\rtf1\ansi\deff1{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial CYR;}}\pard\plain \'cf\'f0\'e8 \f0\'e9}",
            "При é",
        ),
        (rb"{\rtf1\mac caf\'8e}", "café"),
        (rb"{\rtf1\pc caf\'82}", "café"),
        (rb"{\rtf1\uc1 \u25991?\u20214? \u-10179?\u-8704?}", "文件 😀"),
        (rb"{\rtf1\uc2 \u25991\'ce\'c4!}", "文!"),
        (rb"{\rtf1 a\par b\tab c\line d\emdash e\~f\_g\-h \{i\}}", "a\nb\tc\nd—e\u00a0f-gh {i}"),
        (rb"{\rtf1{\*\unknown secret}{\pict 0102ff}{\field{\*\fldinst PAGE}{\fldrslt 7}} end}", "7 end"),
        (rb"{\rtf1 kept {\deleted gone }{\v hidden }words}", "kept words"),
        (rb"{\rtf1{\shp{\*\shpinst{\sp{\sn x}{\sv 1}}{\shptxt boxed}}{\shprslt twice}}}", "boxed"),
        (rb"{\rtf1{\*\do\dptxbx{\dptxbxtext\pard boxed}\dpx1}}", "boxed"),
        (rb"{\rtf1{\shp{\*\shpinst{\shptxt boxed}}{\shprslt{\*\do\dptxbx{\dptxbxtext boxed}}}}}", "boxed"),
        (rb"{\rtf1{\object\objautlink\rsltrtf{\*\objclass Excel.Sheet.8}{\*\objdata 01}{\result a sum}}}", "a sum"),
        (rb"{\rtf1 one {\mvf\mvauth1 two }three {\mvt\mvauth1 two }end}", "one three two end"),
        (b"{\\rtf1 a\\bin3 }{\\b}", "ab"),
        (rb"{\rtf1 no end {\b bold", "no end bold"),
        (rb"{\rtf1\pard\dropcapli3\dropcapt1 {O}\par\pard nce\par\pard\dropcapt0 The\par end}", "Once\nThe\nend"),
    ],
)
def test_rich_text_is_read_in_its_code_pages(source: bytes, expected: str) -> None:
    assert read(source, "a.rtf").text == expected


def test_endnotes_follow_all_footnotes_as_in_word_files() -> None:
    note = "<text:note text:note-class='{0}note'><text:note-body><text:p>{0}</text:p></text:note-body></text:note>"
    body = f"<text:p>One{note.format('end')} two{note.format('foot')}.</text:p>"
    assert read(making.opendocument("text", body), "a.odt").text.split() == ["One", "two.", "foot", "end"]
    rich = rb"{\rtf1 One{\footnote\ftnalt end} two{\footnote foot}.}"
    assert read(rich, "a.rtf").text.split() == ["One", "two.", "foot", "end"]


def test_rich_text_sets_notes_heads_and_facts_apart() -> None:
    info = rb"{\info{\title The T}{\author A. W.}{\creatim\yr2024\mo3\dy1\hr9\min30}}"
    source = rb"{\rtf1" + info + rb"{\header Head}x{\footnote note}y}"
    extracted = read(source, "a.rtf")
    assert (extracted.text, dict(extracted.streams)) == ("xy\nnote", {"headers": "Head"})
    assert (extracted.title, extracted.author) == ("The T", "A. W.")
    assert extracted.created is not None and extracted.created.isoformat() == "2024-03-01T09:30:00+00:00"


def test_slides_come_in_the_order_they_are_shown_and_notes_apart() -> None:
    extracted = read(making.pptx([["first"], ["second"], ["third"]], notes="speak up"), "a.pptx")
    assert extracted.text.split() == ["first", "second", "third"]
    assert (extracted.pages, extracted.streams["notes"], extracted.author) == (3, "speak up", "A. Speaker")


def test_cells_are_read_as_people_see_them() -> None:
    extracted = read(making.xlsx({"One": [["Ann", 12], ["", None], ["Bo", 3.25]], "Two": [["漢字", True]]}), "a.xlsx")
    assert extracted.text.split("\n") == ["Ann\t12", "Bo\t3.25", "漢字\tTRUE"]


def test_a_book_locked_by_a_rights_scheme_is_told() -> None:
    parts: dict[str, str | bytes] = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": '<c><rootfile full-path="b.opf"/></c>',
        "b.opf": '<p><item id="a" href="a.xhtml"/><itemref idref="a"/></p>',
        "a.xhtml": bytes(range(256)),
        "META-INF/encryption.xml": '<e><CipherReference URI="a.xhtml"/></e>',
    }
    problem = extract(making.zipped(parts, stored_first=True), Path("a.epub")).problem
    assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


def test_a_mail_is_read_by_its_plain_text_and_its_attachments_are_counted() -> None:
    mail = making.eml(subject="Über uns", page=making.html(["other words"]), attachment=("a.bin", b"\0\1"))
    extracted = read(mail, "a.eml")
    assert normalise(extracted.text) == f"{WORDS} a.bin"
    assert (extracted.title, extracted.notes) == ("Über uns", details(Clause.ATTACHMENTS_NOT_READ, attachments=1))
    assert extracted.created is not None and extracted.created.isoformat() == "2024-03-01T09:30:00+00:00"


def test_a_workbook_saved_as_a_page_in_one_file_is_the_pages_in_its_frames() -> None:
    frames = b"<frameset rows='*,9'><frame src='a.htm'><noframes><body>No frames.</body></noframes></frameset>"
    pages = [b"<html><head></head>" + frames + b"</html>", making.html(["Cells."]), making.html(["More cells."])]
    parts = b"".join(b"--b\nContent-Type: text/html; charset=utf-8\n\n" + page + b"\n" for page in pages)
    head = b"From: <Saved by Microsoft Excel>\nContent-Type: multipart/related; boundary=b\n\n"
    assert read(head + parts + b"--b--\n", "a.mht").text.split() == ["Cells.", "More", "cells."]
    for quoted in (b"<!-- <frameset > -->", b"<script>write('<frameset >')</script>"):
        page = making.html(["Main words."]).replace(b"</body>", quoted + b"</body>")
        assert read(head + parts.replace(pages[0], page) + b"--b--\n", "a.mht").text.split() == ["Main", "words."]


def test_what_the_page_of_a_mail_hides_from_all_readers_is_no_words() -> None:
    hidden = b"<div style='display: none'>A preview in the list of mails</div><p class='phone'>Once more</p>"
    page = making.html(["Hello."]).replace(b"<article>", b"<style>.phone{display:none}</style><article>" + hidden)
    mail = b"From: ann@example.org\nTo: bo@example.org\nContent-Type: text/html; charset=utf-8\n\n" + page
    assert read(mail, "a.eml").text.split() == ["Hello."]
    assert "preview" in read(page, "a.html").text  # a script may show it


def test_a_mail_that_is_forwarded_as_an_attachment_is_read_with_the_mail_around_it() -> None:
    inner = message_from_bytes(making.eml(["What was forwarded."], attachment=("b.bin", b"\2")), policy=SMTP)
    outer = message_from_bytes(making.eml(["See below."], attachment=("a.bin", b"\1")), policy=SMTP)
    assert isinstance(outer, EmailMessage)
    outer.add_attachment(inner)
    extracted = read(outer.as_bytes(), "a.eml")
    assert extracted.text.split("\n") == ["See below.", "a.bin", "What was forwarded.", "b.bin"]
    assert extracted.notes == details(Clause.ATTACHMENTS_NOT_READ, attachments=2)


def test_a_mail_that_is_attached_in_base64_is_an_attachment_that_is_not_read() -> None:
    def with_inner(text: str) -> bytes:
        inner = base64.encodebytes(making.eml([text])).decode()
        head = 'Content-Type: message/rfc822; name="inner.eml"\nContent-Transfer-Encoding: base64\n\n'
        return f"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nSee below.\n--b\n{head}{inner}\n--b--\n".encode()

    extracted = read(with_inner("What was forwarded."), "a.eml")
    assert extracted.text.split("\n") == ["See below.", "inner.eml"]
    assert extracted.notes == details(Clause.ATTACHMENTS_NOT_READ, attachments=1)
    assert unlike(with_inner("One."), with_inner("Two."), "a.eml") == {OtherContent.ATTACHMENTS}


@pytest.mark.parametrize(
    "kind",
    [
        'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b',
        "application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m",
    ],
)
def test_an_encrypted_mail_needs_its_key(kind: str) -> None:
    part = "Content-Type: application/octet-stream\nContent-Disposition: attachment; filename=encrypted.asc\n\nhF4DHX\n"
    mail = f"From: a@b.example\nSubject: ...\nMIME-Version: 1.0\nContent-Type: {kind}\n\n--b\n{part}--b--\n"
    problem = extract(mail.encode(), Path("a.eml")).problem
    assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


def test_a_mail_whose_subject_was_cut_off_is_read_wholly() -> None:
    mail = making.eml().replace(b"Subject: The letters", b"Subject: =?utf-8?b?VGhlIGxldHRlcnMab?=")
    extracted = read(mail, "a.eml")
    assert (extracted.reader, extracted.partial) == ("email", False)


def test_a_mail_of_a_page_alone_is_read_from_the_page() -> None:
    source = (
        b"MIME-Version: 1.0\r\nSubject: =?gb2312?b?zsS8/g==?=\r\nContent-Type: text/html; charset=gb2312\r\n"
        b"Content-Transfer-Encoding: 8bit\r\n\r\n<html><body><p>"
        + "文件在这里".encode("gb2312")
        + b"</p></body></html>"
    )
    extracted = read(source, "a.eml")
    assert (extracted.text, extracted.title) == ("文件在这里", "文件")


@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize(
    ("charset", "encoding", "words"),
    [
        ("gb2312", "gbk", "七千万个地址，绝无重複，特價一百五十元"),
        ("iso-8859-1", "windows-1252", "Don’t – “now”, 5 €"),
        ("x-mac-cyrillic", "mac-cyrillic", "Привет, мир"),
    ],
)
def test_declared_charsets_are_what_browsers_take_them_for_and_a_few_wrong_bytes_are_lost(
    kind: str, charset: str, encoding: str, words: str
) -> None:
    body = (words * 3).encode(encoding) + b" \xff\r\n" * (charset == "gb2312")
    head = f"MIME-Version: 1.0\r\nSubject: x\r\nContent-Type: text/{kind}; charset={charset}\r\n"
    mail = head.encode() + b"Content-Transfer-Encoding: 8bit\r\n\r\n" + body
    assert words * 3 in read(mail, "a.eml").text
    page = f"<html><head><meta charset={charset}></head><body><p>".encode() + body
    assert words * 3 in read(page, "a.html").text


def test_a_mail_whose_page_holds_only_pictures_has_no_text() -> None:
    page = b"<html><body><a href='https://a.org'><img src='cid:offer'></a></body></html>"
    extraction = extract(making.eml([""], page=page), Path("a.eml"))
    assert extraction.extracted is None and extraction.problem is not None
    assert extraction.problem.kind is ProblemKind.NO_TEXT


def test_word_97_leaves_out_tracked_deletions_and_keeps_footnotes() -> None:
    extracted = read(making_compound.doc(["Kept words."], deleted="gone words", footnote="A note.\r"), "a.doc")
    assert extracted.text.split() == ["Kept", "words.", "A", "note."]
    assert extracted.notes == details(Clause.DELETIONS_LEFT_OUT)


def test_word_97_shows_the_results_of_fields_and_not_their_codes() -> None:
    field = "see \x13 REF \x13 PAGE \x14 3\x15 \\h \x14chapter two\x15, \x13 TC hidden \x15cells\x07end"
    assert read(making_compound.doc([field, "漢字😀 done"]), "a.doc").text == "see chapter two, cells\tend\n漢字😀 done"


def test_a_locked_word_97_document_needs_its_password() -> None:
    problem = extract(making_compound.doc(locked=True), Path("a.doc")).problem
    assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


@pytest.mark.parametrize("stream", ["Workbook", "Book"])
def test_a_locked_old_workbook_needs_its_password(stream: str) -> None:
    start, locked = b"\x09\x08\x10\0" + bytes(16), b"\x2f\0\x06\0" + bytes(6)
    problem = extract(making_compound.compound({stream: start + locked}), Path("a.xls")).problem
    assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


def test_an_encrypted_package_of_office_needs_its_password() -> None:
    locked = making_compound.compound({"EncryptionInfo": b"x", "EncryptedPackage": bytes(5000)})
    for name in ("a.docx", "a.xlsx", "a.pptx", "nameless"):
        problem = extract(locked, Path(name)).problem
        assert problem is not None and problem.kind is ProblemKind.ENCRYPTED


def test_an_outlook_message_tells_its_subject_sender_and_time() -> None:
    extracted = read(making_compound.msg(subject="Über uns"), "a.msg")
    assert (extracted.title, extracted.author) == ("Über uns", "Ann Example")
    assert extracted.created is not None and extracted.created.year == 2024
    page = read(making_compound.msg(page=making.html()), "a.msg")
    assert normalise(page.text) == WORDS


@pytest.mark.parametrize(
    ("code_page", "subject", "body"),
    [
        (1251, "Ответ", "Ваше сообщение было успешно получено."),
        (950, "測試 (模擬)", "中文測試 Search word"),
        (20866, "The answer", "Ваше сообщение было успешно получено брокером подписи системы обмена."),
        (1252, "The answer", "plain words"),
    ],
)
def test_an_outlook_message_is_read_in_the_code_page_that_it_names(code_page: int, subject: str, body: str) -> None:
    written = {950: "cp950", 1252: "cp1252"}.get(code_page, "cp1251")
    recipients = "Свиридов Дмитрий\0" if code_page in (1251, 20866) else "Ann\0"
    narrow = {
        number: content.encode(written)
        for number, content in {"0037": subject, "1000": body, "0E04": recipients}.items()
    }
    extracted = read(making_compound.msg(code_page=code_page, narrow=narrow), "a.msg")
    assert (extracted.title, extracted.text, extracted.reader) == (subject, body, "olefile")


def test_an_outlook_message_is_followed_by_what_is_attached_as_other_mails_are() -> None:
    def stored(number: int, name: str, *, hidden: bool = False) -> dict[str, bytes]:
        folder = f"__attach_version1.0_#{number:08}"
        facts = bytes(8) + b"\x0b\0\xfe\x7f" + bytes(4) + bytes([hidden]) + bytes(7)
        return {
            f"{folder}/__properties_version1.0": facts,
            f"{folder}/__substg1.0_3707001F": name.encode("utf-16-le"),
        }

    message = "__attach_version1.0_#00000002/__substg1.0_3701000D"
    attached = {
        **stored(0, "a.bin"),
        **stored(1, "logo.png", hidden=True),
        **stored(2, "The forwarded"),
        f"{message}/__substg1.0_1000001F": "What was forwarded.".encode("utf-16-le"),
        **{f"{message}/{name}": content for name, content in stored(0, "b.bin").items()},
    }
    extracted = read(making_compound.msg(["See below."], attached=attached), "a.msg")
    assert extracted.text.split("\n") == ["See below.", "a.bin", "What was forwarded.", "b.bin"]
    assert extracted.notes == details(Clause.ATTACHMENTS_NOT_READ, attachments=2)


@pytest.mark.parametrize("page", [b"", making.html()])
def test_an_outlook_message_that_was_cut_is_partial(monkeypatch: pytest.MonkeyPatch, page: bytes) -> None:
    assert not read(making_compound.msg(page=page), "a.msg").partial
    monkeypatch.setattr(plain, "MAX_CHARACTERS", 200)
    extraction = extract(making_compound.msg(page=page), Path("a.msg"))
    assert extraction.extracted is not None and extraction.extracted.partial
    assert extraction.problem is not None and extraction.problem.kind is ProblemKind.TOO_LARGE


def test_compressed_rich_text_is_inflated_as_its_specification_shows() -> None:
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0"
    )
    assert inflate_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_old_workbooks_are_read_as_new_ones() -> None:
    extracted = read(making_compound.xls([["Ann", 12.0], ["漢字", 3.25]]), "a.xls")
    assert (extracted.media_type, extracted.text) == (MediaType.XLS, "Ann\t12\n漢字\t3.25")


@pytest.mark.parametrize(
    ("kind", "media", "body"),
    [
        (
            "spreadsheet",
            MediaType.ODS,
            "<table:table><table:table-row><table:table-cell><text:p>Ann</text:p></table:table-cell>"
            "<table:table-cell><text:p>12</text:p></table:table-cell></table:table-row></table:table>",
        ),
        (
            "presentation",
            MediaType.ODP,
            "<draw:page><draw:frame><text:p>Ann</text:p><text:p>12</text:p></draw:frame>"
            "<presentation:notes><text:p>speak up</text:p></presentation:notes></draw:page>",
        ),
    ],
)
def test_opendocument_sheets_and_slides_are_read(kind: str, media: MediaType, body: str) -> None:
    extracted = read(making.opendocument(kind, body), "nameless")
    assert (extracted.media_type, extracted.text.split()) == (media, ["Ann", "12"])
    assert dict(extracted.streams) == ({"notes": "speak up"} if media is MediaType.ODP else {})


def test_formulas_of_opendocument_give_their_signs_and_not_how_they_were_typed() -> None:
    formula = (
        '<draw:object><math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>x</mi><mo>+</mo><mn>42</mn>'
        '</mrow><annotation encoding="StarMath 5.0">x over 42</annotation></semantics></math></draw:object>'
    )
    extracted = read(
        making.opendocument("text", f"<text:p>Take <draw:frame>{formula}</draw:frame> here.</text:p>"), "a.odt"
    )
    assert (extracted.text, dict(extracted.streams)) == ("Take x+42 here.", {})


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        (
            "a.html",
            "<p>Take <math alttext='x^2'><semantics><msup><mi>x</mi><mn>2</mn></msup><annotation>x^2</annotation>"
            "<annotation-xml><ci>x</ci></annotation-xml></semantics></math> here.</p>",
        ),
        (
            "a.html",
            "<p>Take <span class='katex'><span class='katex-mathml'><math><mi>x</mi><mn>2</mn></math></span>"
            "<span class='katex-html' aria-hidden='true'><span>x</span><span>2</span></span></span> here.</p>",
        ),
        (
            "a.html",
            r"<script src='MathJax.js'></script><p>Take \(\mathbf{x}_{2}\) here.</p>",
        ),
        ("a.md", r"Take $\mathbf{x}_{2}$ here."),
        (
            "a.rtf",
            r"{\rtf1 Take {\mmath{\*\moMath{\msSup{\*\msSupPr{\mctrlPr b}}{\me{\mr x}}{\msup{\mr 2}}}}} here.\par}",
        ),
    ],
)
def test_formulas_are_said_once_by_their_signs(name: str, formula: str) -> None:
    assert read(formula.encode(), name).text.strip() == "Take x2 here."


def test_the_parts_of_a_fraction_are_apart_in_every_format() -> None:
    omml = "".join(f"<m:{part}><m:r><m:t>{text}</m:t></m:r></m:{part}>" for part, text in (("num", "1"), ("den", "2")))
    omml = f"<m:oMath><m:r><m:t>3</m:t></m:r><m:f><m:fPr/>{omml}</m:f><m:r><m:t>m</m:t></m:r></m:oMath>"
    fraction = "<mfrac><mn>1</mn><mn>2</mn></mfrac>"
    mathml = f"<math xmlns='http://www.w3.org/1998/Math/MathML'><mrow><mn>3</mn>{fraction}<mi>m</mi></mrow></math>"
    with_object = making.opendocument(
        "text", "<text:p>Take <draw:frame><draw:object xlink:href='./O'/></draw:frame></text:p>"
    )
    word = making.docx(body=f"<w:p><w:r><w:t>Take </w:t></w:r>{omml}</w:p>")
    for data, name in (
        (word, "a.docx"),
        (f"<html><body><p>Take {mathml}</p></body></html>".encode(), "a.html"),
        (repacked(with_object, {"O/content.xml": mathml}), "a.odt"),
        (b"# \n\nTake $3 \\frac{1}{2} m$\n", "a.md"),
    ):
        assert normalise(read(data, name).text) == "take 3 1 2 m", name


def test_formulas_of_markdown_are_read_as_printed_and_amounts_and_code_as_they_are() -> None:
    kept = "$5 or 6_1$7 to $SRC_DIR/$TO."
    text = f"One has $\\alpha_i +\n\\sum_j \\frac{{a_j}}{{b}}$,\n\n$$\\text{{if }} x^n$$\nand `$x_1 and y_1$`, {kept}"
    words = f"One has αi + j aj b,\n\nif xn\nand $x_1 and y_1$, {kept}"
    extracted, other = read(text.encode(), "a.md"), read(text.replace("sum", "prod").encode(), "a.md")
    assert (extracted.text.replace("^", ""), other.text) == (words, extracted.text)
    assert extracted.other[OtherContent.FORMULAS] != other.other[OtherContent.FORMULAS]


def test_names_of_those_who_remark_are_no_part_of_remarks() -> None:
    remark = (
        "<office:annotation><dc:creator>Bo</dc:creator><dc:date>2024</dc:date><text:p>Why?</text:p></office:annotation>"
    )
    extracted = read(making.opendocument("text", f"<text:p>One{remark} two.</text:p>"), "a.odt")
    assert (extracted.text, dict(extracted.streams)) == ("One two.", {"comments": "Why?"})


def test_a_book_whose_order_names_no_page_is_read_in_the_order_of_its_list() -> None:
    with ZipFile(BytesIO(making.epub())) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    order = parts["OEBPS/book.opf"]
    assert isinstance(order, bytes)
    parts["OEBPS/book.opf"] = order.replace(b'idref="', b'idref="no-')
    assert sorted(normalise(read(making.zipped(parts, stored_first=True), "a.epub").text).split()) == sorted(
        WORDS.split()
    )


def test_the_table_of_contents_that_a_program_put_into_a_book_is_left_out() -> None:
    with ZipFile(BytesIO(making.epub())) as archive:
        parts: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    listed = parts["OEBPS/book.opf"]
    assert isinstance(listed, bytes)
    item = b'<item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>'
    listed = listed.replace(b"</manifest>", item + b"</manifest>").replace(b"<spine>", b'<spine><itemref idref="nav"/>')
    page = b"<html><body><nav><ol><li><a href='chapter1.xhtml'>Chapter</a></ol></nav></body></html>"
    book = making.zipped({**parts, "OEBPS/book.opf": listed, "OEBPS/nav.xhtml": page}, stored_first=True)
    assert read(book, "a.epub").text == read(making.epub(), "a.epub").text


def test_two_formats_share_the_words_of_their_running_heads_and_not_the_page_numbers() -> None:
    def words_of(data: bytes, name: str) -> str | None:
        return read(data, name).other.get(OtherContent.HEAD_WORDS)

    def printed(head: str) -> bytes:
        return making.pdf(
            [[f"{paragraph} {page}"] * 8 for page, paragraph in enumerate(making.PARAGRAPHS)], header=head
        )

    def letter(head: str) -> bytes:
        return making.docx(parts={"header": making.word_paragraph(head)})

    words = words_of(letter("Harbour Mutual, Page 1"), "a.docx")
    assert words and words == words_of(printed("Harbour  Mutual, page {page}"), "a.pdf")
    parts = {"header": making.word_paragraph("Page 7"), "footer": making.word_paragraph("Harbour Mutual")}
    assert words == words_of(making.docx(parts=parts), "a.docx")
    assert words != words_of(printed("Northern Mutual, page {page}"), "a.pdf")
    assert words != words_of(letter("Harbour Mutual 2024, Page 1"), "a.docx")
    assert words_of(letter("港 口"), "a.docx") == words_of(letter("港口 iv 12"), "a.docx")
    assert words_of(making.docx(), "a.docx") is None and words_of(letter("– 12 –"), "a.docx") is None
