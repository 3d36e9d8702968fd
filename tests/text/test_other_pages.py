"""Pages, books, mails and plain texts with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

import base64
import time
from email.message import EmailMessage

import pytest

from dupfinder.text.document import MediaType, OtherContent, OtherHashes
from dupfinder.text.readers.page_source import PageSource, prepared
from dupfinder.text.readers.plainly import read_page_plainly
from tests import making, making_compound
from tests.making import PARAGRAPHS
from tests.text.other_content import held, png, read, repacked, unlike


def shown(shade: int) -> str:
    """A picture that is written into the page."""
    return f'<img alt="" src="data:image/png;base64,{base64.b64encode(png(shade)).decode()}">'


def page(inner: str = "", after: str = "") -> bytes:
    """A page of four paragraphs with some markup behind them."""
    return making.html(PARAGRAPHS, before=inner, after=after)


LINK = '<a href="{}"></a>'
BOX = '<input type="checkbox" name="paid" {}>'
PAGES = [
    (page(shown(1)), page(shown(2)), OtherContent.PICTURES),
    (page(shown(1)), page(), OtherContent.PICTURES),
    (page("<svg><path d='M0'/></svg>"), page("<svg><path d='M1'/></svg>"), OtherContent.PICTURES),
    (page(LINK.format("https://a.org")), page(LINK.format("https://b.org")), OtherContent.LINKS),
    (page('<img src="one.png">'), page('<img src="two.png">'), OtherContent.LINKS),
    (page(BOX.format("checked")), page(BOX.format("")), OtherContent.FORM_FIELDS),
    (page("<math><msup/></math>"), page("<math><msub/></math>"), OtherContent.FORMULAS),
    (page("<textarea>Yes</textarea>"), page("<textarea>No</textarea>"), OtherContent.FORM_FIELDS),
    (page("<button>Accept</button>"), page("<button>Refuse</button>"), OtherContent.HEADERS),
    (
        page("<select><option>Cash</option></select>"),
        page("<select><option>Card</option></select>"),
        OtherContent.FORM_FIELDS,
    ),
    (page("<p><del>Old</del> new</p>"), page("<p>Old <s>new</s></p>"), OtherContent.TRACKED_CHANGES),
    (page("<p><s class='a'>Old &amp; <b>new</b></s></p>"), page("<p>Old &amp; new</p>"), OtherContent.TRACKED_CHANGES),
    (page("<p><mark>A</mark> b</p>"), page("<p>A <mark>b</mark></p>"), OtherContent.COMMENTS),
    (page("<comment>Why?</comment>"), page("<comment>Who?</comment>"), OtherContent.COMMENTS),
    (page("<nav>Home</nav>"), page("<nav>Start</nav>"), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), PAGES)
def test_pages_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.html") == {kind}
    assert unlike(making.mhtml(first), making.mhtml(second), "a.mhtml") == {kind}
    assert unlike(first, first, "a.html") == set()


def test_words_struck_out_in_a_page_and_in_a_word_document_are_the_same_content() -> None:
    struck = "<w:r><w:rPr><w:strike/></w:rPr><w:t>Old words</w:t></w:r>"
    document = making.docx(body=f"<w:p>{struck}<w:r><w:t> new</w:t></w:r></w:p>")
    kind = OtherContent.TRACKED_CHANGES
    assert read(page("<p><s>Old words</s> new</p>"), "a.html").other[kind] == read(document, "a.docx").other[kind]


def test_what_a_site_makes_anew_for_each_visit_is_no_difference() -> None:
    token = '<input type="hidden" name="token" value="{}"><a href="#top"></a>'
    assert unlike(page(token.format(1)), page(token.format(2)), "a.html") == set()
    saved = '<img src="{}/photo.png?width=200">'
    assert unlike(page(saved.format("a_files")), page(saved.format("b_files")), "a.html") == set()


def test_the_second_reader_of_pages_looks_at_words_alone() -> None:
    assert set(read_page_plainly(page(shown(1))).other.values()) == {""}


@pytest.mark.parametrize("saved", ["“Don’t – stop”", '\u00a0"Don\'t\u00a0— stop"', '"Don\'t\t-\nstop" '])
def test_spaces_quotes_and_dashes_that_programs_choose_are_no_difference(saved: str) -> None:
    remarks = OtherHashes(), OtherHashes()
    for remark, text in zip(remarks, (saved, '"Don\'t - stop"'), strict=True):
        remark.add_text(OtherContent.COMMENTS, text)
    assert remarks[0].hashes(MediaType.HTML) == remarks[1].hashes(MediaType.HTML)


@pytest.mark.parametrize(
    "piece",
    ["<a ", "<a href='", "<img src=", "<math", "<svg>", '<input a="', "<a b b b ", "<s>", "<s><b>", "<textarea>"],
)
def test_pages_of_endless_tags_are_looked_through_once(piece: str) -> None:
    before = time.process_time()
    prepared(PageSource(piece * (2_000_000 // len(piece))), OtherHashes())
    assert time.process_time() - before < 10  # the square of it would take minutes


def test_fonts_in_the_style_sheets_of_a_saved_page_take_no_time_and_hide_no_rule() -> None:
    font = base64.b64encode(bytes(range(256)) * 2000).decode()
    sheet = f"@font-face{{src:url(data:font/woff2;base64,{font})}} .gone{{text-decoration:line-through}}"
    data = page(f"<style>{sheet}</style><p><span class='gone'>Old words</span> new</p>")
    before = time.process_time()
    other = read(data, "a.html").other
    assert time.process_time() - before < 5  # each letter of the font began a rule: a minute
    kind = OtherContent.TRACKED_CHANGES
    assert other[kind] == read(page("<p><s>Old words</s> new</p>"), "a.html").other[kind]


def book(inner: str) -> bytes:
    """A book of one chapter, with two pictures beside it."""
    data = making.epub([PARAGRAPHS])
    chapter = f"<html xmlns='http://www.w3.org/1999/xhtml'><body><p>{PARAGRAPHS[0]}</p>{inner}</body></html>"
    parts: dict[str, str | bytes] = {"OEBPS/chapter1.xhtml": chapter, "OEBPS/a b.png": png(1), "OEBPS/c.png": png(2)}
    return repacked(data, parts, stored_first=True)


BOOKS = [
    ('<img src="a%20b.png"/>', '<img src="c.png"/>', OtherContent.PICTURES),
    (LINK.format("https://a.org"), LINK.format("https://b.org"), OtherContent.LINKS),
    ("<math><msup/></math>", "<math><msub/></math>", OtherContent.FORMULAS),
]


def test_words_that_the_style_sheet_of_a_book_strikes_out_are_told() -> None:
    chapter = "<html><head><title>1</title></head><body><p>We will <b class='{}'>not</b> pay.</p></body></html>"
    first, second = (
        repacked(
            book(""),
            {"OEBPS/chapter1.xhtml": chapter.format(name), "OEBPS/a.css": ".gone { text-decoration: line-through }"},
            stored_first=True,
        )
        for name in ("gone", "bold")
    )
    assert unlike(first, second, "a.epub") == {OtherContent.TRACKED_CHANGES}


@pytest.mark.parametrize(("first", "second", "kind"), BOOKS)
def test_books_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: str, second: str, kind: OtherContent
) -> None:
    assert unlike(book(first), book(second), "a.epub") == {kind}
    assert unlike(book(first), book(first), "a.epub") == set()


def test_a_picture_that_a_book_names_and_does_not_hold_is_not_known() -> None:
    assert held(book('<img src="gone.png"/>'), "a.epub") == {"pictures": "not known"}


def mail(**options: object) -> EmailMessage:
    """A mail with whatever is put into it."""
    message = EmailMessage()
    for name, value in {"From": "ann@example.org", "To": "bo@example.org", "Subject": "Letters", **options}.items():
        message[name] = str(value)
    message.set_content("\n\n".join(PARAGRAPHS))
    return message


def attaching(content: bytes) -> bytes:
    """A mail with a file."""
    message = mail()
    message.add_attachment(content, maintype="application", subtype="pdf", filename="offer.pdf")
    return message.as_bytes()


def showing(shade: int, target: str = "https://a.org") -> bytes:
    """A mail whose page shows a picture that it carries."""
    message = mail()
    message.add_alternative(f'<p>{PARAGRAPHS[0]}</p><img src="cid:1">{LINK.format(target)}', subtype="html")
    page_part = message.get_payload(1)
    assert isinstance(page_part, EmailMessage)
    page_part.add_related(png(shade), maintype="image", subtype="png", cid="<1>")
    return message.as_bytes().replace(message.get_boundary("").encode(), b"=limit=")


MAILS = [
    (attaching(b"one"), attaching(b"two"), OtherContent.ATTACHMENTS),
    (showing(1), showing(2), OtherContent.PICTURES),
    (showing(1), showing(1, "https://b.org"), OtherContent.LINKS),
    (mail().as_bytes(), mail(To="carl@example.org").as_bytes(), OtherContent.HEADERS),
    (mail().as_bytes(), mail(Subject="Other letters").as_bytes(), OtherContent.HEADERS),
    (mail(Importance="high").as_bytes(), mail(Importance="low").as_bytes(), OtherContent.HEADERS),
    (mail(**{"Reply-To": "a@x.org"}).as_bytes(), mail(**{"Reply-To": "b@y.org"}).as_bytes(), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), MAILS)
def test_mails_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.eml") == {kind}
    assert unlike(first, first, "a.eml") == set()


def with_page(plain: str, kind: str = "alternative", first: str = "") -> bytes:
    """A mail with a plain text and a page of some length."""
    message = EmailMessage()
    message.set_content(plain)
    message.add_alternative(first + "".join(f"<p>{text}</p>" for text in PARAGRAPHS), subtype="html")
    return message.as_bytes().replace(b"multipart/alternative", b"multipart/" + kind.encode())


def test_the_page_of_a_mail_is_read_where_its_plain_text_is_short() -> None:
    words = "\n".join(PARAGRAPHS)
    for plain in ("", "Open this mail in a browser."):
        assert read(with_page(plain), "a.eml").text.split() == words.split()
    notice = "Sent to the list of members."
    assert read(with_page(notice, "mixed"), "a.eml").text.split() == [*notice.split(), *words.split()]
    for kind in ("alternative", "mixed"):
        assert read(with_page(words, kind), "a.eml").text.split() == words.split()


def test_a_page_with_other_words_than_the_plain_text_of_a_mail_is_told() -> None:
    words = " * ".join(PARAGRAPHS)
    plain, first, second = (with_page(words, first=first) for first in ("", "<p>Not so:", "<p>Just so:"))
    assert OtherContent.HEADERS not in read(plain, "a.eml").other
    assert unlike(first, second, "a.eml") == unlike(first, plain, "a.eml") == {OtherContent.HEADERS}


def test_outlook_messages_tell_their_heads_and_attachments() -> None:
    first, second = making_compound.msg(), making_compound.msg(subject="Other letters")
    assert unlike(first, second, "a.msg") == {OtherContent.HEADERS}
    assert held(first, "a.msg") == {"headers": "known"}
    page_inside = making_compound.msg(page=page(shown(1)))
    assert unlike(page_inside, making_compound.msg(page=page(shown(2))), "a.msg") == {OtherContent.PICTURES}


SCROLL = "\n\f".join(f"{{0}}\n\n{paragraph * 3}\n\n" for paragraph in PARAGRAPHS)
TEXTS = [
    ("a.txt", SCROLL.format("Draft"), SCROLL.format("Final"), {OtherContent.HEADERS}),
    ("a.txt", "Dear reader", "Dear  reader\n", set()),
    ("a.md", "See [here](https://a.org), reader", "See [here](https://b.org), reader", {OtherContent.LINKS}),
    ("a.md", "Dear <!-- who? -->reader", "Dear <!-- why? -->reader", {OtherContent.COMMENTS}),
    ("a.md", "Dear reader", "*Dear* reader", set()),
]


@pytest.mark.parametrize(("name", "first", "second", "kinds"), TEXTS)
def test_plain_texts_tell_what_they_hold_beside_their_words(
    name: str, first: str, second: str, kinds: set[OtherContent]
) -> None:
    assert unlike(first.encode(), second.encode(), name) == kinds


SELECT = "<select name=a><option{}>monthly<option{}>yearly</select>"
STARTS = OtherContent.LIST_STARTS
CHOICES = {
    "choice": (SELECT.format(" selected", ""), SELECT.format("", " selected"), OtherContent.FORM_FIELDS),
    "start of a list": ("<ol start=4><li>a<li>b</ol>", "<ol><li>a<li>b</ol>", STARTS),
    "number of an item": (
        "<ol><li>a<li class=x value='7'>b</ol>",
        "<ol><li>a<li class=x>b</ol>",
        OtherContent.LIST_STARTS,
    ),
    "letters of a list": (
        "<ol type='a' start=4><li>a</ol>",
        "<ol type='A' start=4><li>a</ol>",
        OtherContent.LIST_STARTS,
    ),
    "start of letters": (
        "<ol type='a' start=4><li>a</ol>",
        "<ol type='a' start=5><li>a</ol>",
        OtherContent.LIST_STARTS,
    ),
    "cell of two rows": (
        "<table><tr><td rowspan=2>a<td>b<tr><td>c</table>",
        "<table><tr><td rowspan=1>a<td rowspan='2'>b<tr><td>c</table>",
        OtherContent.HEADERS,
    ),
    "list that counts down": ("<ol reversed><li>a<li>b</ol>", "<ol><li>a<li>b</ol>", OtherContent.LIST_STARTS),
}


@pytest.mark.parametrize("what", CHOICES)
def test_choices_and_numbers_that_attributes_tell_are_differences(what: str) -> None:
    first, second, kind = CHOICES[what]
    assert unlike(page(first), page(second), "a.html") == {kind}


def test_a_list_that_says_it_begins_at_1_begins_as_others_do() -> None:
    assert not unlike(page("<ol start='1'><li>a</ol>"), page("<ol><li>a</ol>"), "a.html")
    assert not unlike(page("<ol type='1'><li type=disc>a</ol>"), page("<ol><li data-value=3>a</ol>"), "a.html")


@pytest.mark.parametrize(
    ("plain", "styled", "kind"),
    [
        ("<span>Ann</span> Bob", "<span style='background-color: #ff0'>Ann</span> Bob", OtherContent.COMMENTS),
        ("<b class='b'>Ann</b>", "<style>.b{background:yellow}</style><b class='b'>Ann</b>", OtherContent.COMMENTS),
        ("<b>Ann</b> Bob", "<b style='color:red;\r\nbackground:yellow'>Ann</b> Bob", OtherContent.COMMENTS),
        ("<div>not in full</div>", "<div hidden>not in full</div>", OtherContent.HEADERS),
        ("<p>not paid</p>", "<p style='DISPLAY:none;display: none'>not paid</p>", OtherContent.HEADERS),
        (
            "<div class='x'>not</div>",
            "<style>div.x{display:none}</style><div class='x'>not</div>",
            OtherContent.HEADERS,
        ),
        ("<img src='a.png' alt='a red house'>", "<img src='a.png' alt='a blue house'>", OtherContent.LINKS),
        ("x<sup>2</sup> is it", "x<sub>2</sub> is it", OtherContent.LETTERING),
        ("10<sub>2</sub> is two", "102 is two", OtherContent.LETTERING),
    ],
)
def test_what_the_reader_of_a_page_sees_beside_its_words_is_told(plain: str, styled: str, kind: OtherContent) -> None:
    first, second = (f"<p>The minutes.</p>{body}<p>The end.</p>".encode() for body in (plain, styled))
    assert unlike(first, second, "a.html") == {kind}


def test_grey_boxes_are_no_highlights() -> None:
    for style in ("background:#eee", "background-color: white", "background:none"):
        page = f"<p>The <span style='{style}'>minutes</span> end.</p>".encode()
        assert not unlike(page, b"<p>The <span>minutes</span> end.</p>", "a.html")


@pytest.mark.parametrize("colour", ["black", "#000", "#000000", "rgb(0, 0, 0)"])
def test_words_on_a_black_ground_are_told(colour: str) -> None:
    page = f"<p>The <span style='background:{colour}'>minutes</span> end.</p>".encode()
    assert unlike(page, b"<p>The <span>minutes</span> end.</p>", "a.html") == {OtherContent.COMMENTS}


def test_inline_words_with_the_attribute_hidden_are_no_words() -> None:
    assert read(b"<p>It is <span hidden>not</span> paid.</p>", "a.html").text == "It is paid."


def test_typographic_quotes_in_a_long_text_are_hashed_as_typed_ones() -> None:
    long = "“a” – b\u00a0c " * 20_000
    hashes = [OtherHashes(), OtherHashes()]
    for other, text in zip(hashes, (long, long.translate(str.maketrans("“”–", '""-', "\u00a0"))), strict=True):
        other.add(OtherContent.HEADERS, text)
    assert hashes[0].hashes(MediaType.HTML) == hashes[1].hashes(MediaType.HTML)
