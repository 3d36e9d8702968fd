"""Web pages: the content without the frame."""

from __future__ import annotations

from typing import Any

import pytest
from resiliparse.parse.html import HTMLTree

from dupfinder.text.document import OtherContent, OtherHashes
from dupfinder.text.normalise import normalise
from dupfinder.text.readers.html import read_html
from dupfinder.text.readers.page_source import PageSource, prepared, unmarked
from dupfinder.text.readers.plain import read_plain
from dupfinder.text.readers.plainly import read_page_plainly
from tests.making import CHINESE, PARAGRAPHS, html

WORDS = normalise(" ".join(PARAGRAPHS))
MENU = (
    "<header><nav><ul>"
    + "".join(f"<li><a href='/{n}'>Menu point {n}</a></li>" for n in range(20))
    + "</ul></nav></header>"
)
TAIL = "<aside>Advertisement: buy now</aside><div class='comments'><p>I agree</p></div><footer>Imprint 2024</footer>"


def test_the_same_article_in_two_frames_gives_the_same_words() -> None:
    first = read_html(html(before=MENU, after=TAIL))
    second = read_html(html(before="<div class='menu'>Other menu</div>", after="<footer>Other foot</footer>"))
    assert normalise(first.text) == normalise(second.text) == WORDS
    assert "Menu point 7" in first.streams["full"]
    assert "Imprint" in first.streams["full"]


def test_a_page_without_a_frame_is_read_whole() -> None:
    lists = "<ol>" + "".join(f"<li><a href='#'>{word}</a> stays</li>" for word in ("One", "Two", "Three")) + "</ol>"
    page = html(before=f"<h1>Title</h1>{lists}").replace(b"<article>", b"<div>").replace(b"</article>", b"</div>")
    extracted = read_html(page)
    assert normalise(extracted.text) == f"title one stays two stays three stays {WORDS}"
    assert not extracted.streams


def test_headings_of_what_unfolds_and_of_fields_are_lines() -> None:
    page = html(after="<details><summary>More</summary>of it</details><fieldset><legend>Name</legend>Ann</fieldset>")
    assert read_html(page.replace(b"article>", b"div>")).text.split("\n")[-4:] == ["More", "of it", "Name", "Ann"]


@pytest.mark.parametrize(
    ("mark", "remark"),
    [
        (
            "<sup><a href='#cmnt1' id='cmnt_ref1'>[a]</a></sup>",
            "<div style='margin:5px'><p><a href='#cmnt_ref1' id='cmnt1'>[a]</a><span>Really?</span></p></div>",
        ),
        (
            "<span class=MsoCommentReference><a class=msocomanchor href='#_msocom_1'>[AB1]</a>&nbsp;</span>",
            "<div><hr class=msocomoff><div><div id='_com_1' class=msocomtxt><p class=MsoCommentText>"
            "<a class=msocomoff href='#_msoanchor_1'>[AB1]</a>Really?</p></div></div></div>",
        ),
    ],
)
def test_remarks_in_a_document_that_google_docs_or_word_exports_are_no_words(mark: str, remark: str) -> None:
    mark = f"<p>The end{mark} of it.</p>"
    first, second = (
        read_html(html(after=mark + said).replace(b"article>", b"div>"))
        for said in (remark, remark.replace("Really", "Truly"))
    )
    assert normalise(first.text) == normalise(second.text) == f"{WORDS} the end of it."
    assert first.other[OtherContent.COMMENTS] != second.other[OtherContent.COMMENTS]


def test_frames_inside_the_main_part_go_too() -> None:
    inner = "<main><p class='meta'>Read 2513 times. Share</p><div class='ad'>Buy now</div>"
    page = html(before=inner, after="</main>").replace(b"article>", b"div>")
    assert normalise(read_html(page).text) == WORDS


def test_comments_in_a_program_are_words_and_those_of_readers_are_none() -> None:
    page = html(after="<div class='comment'>I agree</div>")
    code = b"<pre>run(); <span class='comment'># twice</span></pre></article>"
    assert normalise(read_html(page.replace(b"</article>", code)).text) == f"{WORDS} run(); # twice"


@pytest.mark.parametrize(
    "name", ["post-comments", "commentList-3YRk", "row_recommend", "relatedArticles", "tag-footer", "page-sidebar"]
)
def test_blocks_whose_class_has_a_word_for_site_chrome_in_it_are_left_out(name: str) -> None:
    others = f"<div class='{name}'><p>{'What others say or write about it. ' * 20}</p></div>"
    extracted = read_html(html(after=others).replace(b"article>", b"div>"))
    assert normalise(extracted.text) == WORDS
    assert "what others say" in normalise(extracted.streams["full"])


@pytest.mark.parametrize(
    "name", ["commentsList", "sf_comment_list", "post_comment_area", "comentarios_lectores", "pageFoot"]
)
def test_blocks_whose_id_has_a_word_for_remarks_or_a_foot_in_it_are_left_out(name: str) -> None:
    others = f"<div id='{name}'><p>{'What others say or write about it. ' * 20}</p></div>"
    assert normalise(read_html(html(after=others).replace(b"article>", b"div>")).text) == WORDS


@pytest.mark.parametrize(
    "name", ["tsd-comment", "with-sidebar", "footnotes", "footNotes", "commentary", "card-comments"]
)
def test_blocks_that_hold_the_text_stay_whatever_their_class(name: str) -> None:
    page = html(before=f"<div class='{name}'>", after="</div>").replace(b"article>", b"div>")
    assert normalise(read_html(page).text) == WORDS


SECTIONS = (
    "<section id='comments'>",
    "<div class='section' id='menu'>",
    "<div class='section' id='page-footer'>",
    "<div class='section-level-extent' id='List-of-comments'>",
    "<div class='outline-3' id='outline-container-comments'>",
    "<div id='related-work'>",
)


@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_of_a_manual_that_is_called_like_site_chrome_is_text(section: str) -> None:
    closing = section[:4].replace("<", "</") + ("tion>" if section.startswith("<section") else ">")
    page = html(after="").replace(b"</article>", f"{section}<p>A comment starts so.</p>{closing}</article>".encode())
    assert normalise(read_html(page).text) == f"{WORDS} a comment starts so."


def test_the_only_prose_among_many_links_is_the_text() -> None:
    links = "".join(f"<li><a href='/{n}'>Another piece of news {n}</a></li>" for n in range(400))
    text = "".join(f"<p>{paragraph}</p>" for paragraph in PARAGRAPHS * 3)
    page = f"<html><body><div class='story'>{text}</div><div class='right'><ul>{links}</ul></div></body></html>"
    assert normalise(read_html(page.encode()).text) == " ".join([WORDS] * 3)


def test_the_type_behind_a_term_of_a_manual_is_a_word_of_its_own() -> None:
    page = b"<dl><dt>pressure<span class='classifier'>sequence</span></dt><dd>In bars.</dd></dl>"
    assert normalise(read_html(page).text) == "pressure sequence in bars."


def test_two_listings_in_one_frame_are_read_on_lines_of_their_own() -> None:
    listings = b"<pre><code class='new'>import a</code><code class='old'>load b</code></pre></article>"
    page = html(after="").replace(b"</article>", listings)
    assert normalise(read_html(page).text) == f"{WORDS} import a load b"


def test_notes_that_a_converter_put_into_an_aside_stay() -> None:
    page = html(after="").replace(b"</article>", b"<aside role='doc-endnotes'>A note.</aside></article>")
    assert normalise(read_html(page).text).endswith("a note.")


@pytest.mark.parametrize("mark", ["<sup><a href='#n1'>1</a></sup>", "<a href='#n1'><sup>[1]</sup></a>"])
def test_a_raised_mark_that_leads_to_a_note_on_its_page_is_no_word(mark: str) -> None:
    page = html(after="").replace(b"</article>", f"<p>So it was{mark} said.</p></article>".encode())
    assert normalise(read_html(page).text).endswith("so it was said.")
    assert "1" in read_html(page.replace(b"'#n1'", b"'https://example.org/1'")).text[-20:]


def test_notes_below_a_page_are_words_but_not_their_marks_and_links_to_a_heading() -> None:
    """Pages of docutils before version 0.18 and since."""
    mark = "<a class='footnote-reference' href='#n1'>1</a><a class='headerlink' href='#top'>\u00b6</a>"
    old = (
        "<dl class='footnote brackets'><dt><span class='fn-backref'><a href='#m'>1</a></span></dt><dd>A note.</dd></dl>"
    )
    new = (
        "<aside class='footnote-list brackets'><aside class='footnote brackets' role='doc-footnote'>"
        "<span><span class='fn-bracket'>[</span><a role='doc-backlink' href='#m'>1</a><span class='fn-bracket'>]"
        "</span></span><p>A note.</p></aside></aside>"
    )
    for notes in (old, new):
        page = html(after="").replace(b"</article>", (mark + notes + "</article>").encode())
        assert normalise(read_html(page).text) == f"{WORDS} a note."


@pytest.mark.parametrize(
    "content",
    [
        "<figure class='wp-block-table'><table><tr><td>Rent</td></tr></table></figure>",
        "<figure class='highlight'><pre><code>rent = 500</code></pre></figure>",
        "<figure><img src='a.png' alt='A ship'><figcaption>The house for rent</figcaption></figure>",
        "<aside class='admonition note'><p>The rent is due.</p></aside>",
    ],
)
def test_what_is_in_a_figure_or_a_remark_of_a_page_is_words(content: str) -> None:
    for element in (b"article", b"div"):
        page = html(before=MENU, after=TAIL).replace(b"<article", b"<" + element)
        whole = page.replace(b"</article>", content.encode() + b"</" + element + b">")
        text = normalise(read_html(whole).text)
        assert text.startswith(WORDS) and "rent" in text.removeprefix(WORDS) and "a ship" not in text


def test_headings_that_link_back_to_the_contents_are_words() -> None:
    heading = "<h2><a class='toc-backref' href='#toc-entry-1' role='doc-backlink'><span>1.2 </span>The piers</a></h2>"
    page = html(after="").replace(b"</article>", f"{heading}<p>They are of wood.</p></article>".encode())
    assert normalise(read_html(page).text) == f"{WORDS} 1.2 the piers they are of wood."


def test_a_page_that_is_nearly_all_frame_is_read_whole() -> None:
    page = html(["Short."], before=MENU)
    assert "Menu point 7" in read_html(page).text


def test_scripts_styles_and_hidden_text_are_no_words() -> None:
    page = html(
        before="<script>var x = 'secret';</script><style>.secret{}</style><!-- secret --><template>secret</template>"
    )
    for reader in (read_html, read_page_plainly):
        assert "secret" not in reader(page).text


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030", "utf-16"])
@pytest.mark.parametrize("declared", [True, False])
def test_pages_are_read_in_their_encoding(encoding: str, declared: bool) -> None:
    page = html(CHINESE * 3, encoding=encoding, declared=declared)
    for reader in (read_html, read_page_plainly):
        assert CHINESE[0] in reader(page).text


def test_a_page_that_declares_a_wrong_encoding_is_read_by_its_bytes() -> None:
    page = html(CHINESE * 3).replace(b'charset="utf-8"', b'charset="shift_jis"')
    assert CHINESE[0] in read_html(page).text


def test_the_plain_reader_sees_the_same_words() -> None:
    assert normalise(read_page_plainly(html(title="The title")).text) == WORDS


ODD_PAGES = (
    "<P>Upper <A HREF='a#b'>case</A ><SVG><path/></SVG><RUBY>x<RT>y</RT></RUBY><Main>z</Main>",
    "<p>no end <a href=x.html>of the <b>link<p><a href=\"y\">next</a> <a name=z>anchor</a> <img src='p.png' alt=q>",
    "<ul></ul><ol class='Nav  noprint'><li>1</ol><header class=menu><nav>2</nav></header><article>3<",
    "<form><input name=a><select><option>b</select></form><a href='u'",
    "<DIV CLASS=old><p class='new'>of two programs</p></DIV>",
)


@pytest.mark.parametrize("page", ODD_PAGES)
def test_no_element_or_class_of_a_page_is_missed_in_its_source(page: str) -> None:
    source = PageSource(page)
    tree: Any = HTMLTree.parse(page)
    elements = tree.document.query_selector_all("body *")[:]
    names = {element.tag for element in elements if len(element.tag) > 1}
    classes = {name for element in elements for name in element.class_list}
    assert names and all(source.may_have(name) for name in names)
    assert {name.lower() for name in classes} <= source.classes
    assert not source.may_have("video", "rtx", "pr")
    assert all(source.count(name) == page.lower().count(f"<{name}") for name in (*names, "u", "video"))


@pytest.mark.parametrize("page", ODD_PAGES)
def test_marks_of_links_change_nothing_else_in_a_page(page: str) -> None:
    prepared_page = prepared(PageSource(page), OtherHashes())
    source = prepared_page.decode()
    assert unmarked(prepared_page) == page
    assert sum(map(source.count, "\ufdd0\ufdd3\ufde0")) == source.count("\ufdd1") + source.count("\ufdd4")


def test_words_of_alternative_texts_are_not_read_with_or_without_other_pictures() -> None:
    for picture in (
        "<img src=p.png alt=Portrait>",
        "<map><area alt=Portrait></map>",
        "<svg><text>Portrait</text></svg>",
    ):
        assert "Portrait" not in read_html(html(before=picture)).text


def test_a_text_of_printed_pages_in_a_page_reads_as_the_text_file() -> None:
    words = [first + second for first in "bcdfghjklmnp" for second in "aeiou"]
    lines = [f"   {word} of {words[-place]} {words[place // 3]}" for place, word in enumerate(words)]
    pages = ["\n".join(lines[start : start + 25]) for start in range(0, 35, 7)]
    head, foot = "RFC 12              On Pages              May 1999", "Doe and Roe          Standard          [Page"
    printed = [f"{head}\n\n{page}\n\n{foot} {number}]" for number, page in enumerate(pages, 1)]
    page = read_html(f"<html><body><pre>{'</pre><hr><pre>'.join(printed)}</pre></body></html>".encode())
    assert page.text.split() == read_plain("\f".join(printed).encode()).text.split() == " ".join(pages).split()


def test_a_quotation_has_the_marks_that_a_browser_shows() -> None:
    page = b"<p>He is a <q cite=a>friend</q> of <Q>ours</Q>, <quote>she</quote> said.</p>"
    assert read_html(page).text == 'He is a "friend" of "ours", she said.'


@pytest.mark.parametrize(
    "frame",
    [
        "<iframe width=5 srcdoc=\"&lt;p class='a'&gt;R&amp;amp;D in a frame&lt;/p&gt;\" title=b></iframe>",
        "<IFRAME SRCDOC='<html><head><title>No word</title></head><p>R&amp;D in a frame</p></html>'></IFRAME>",
    ],
)
def test_a_page_that_a_frame_holds_itself_is_read(frame: str) -> None:
    behind = f"{frame}<p>Behind it</p><meter value=3 max=7></meter><abbr title=tip>abbr.</abbr></article>"
    page = html().replace(b"</article>", behind.encode())
    assert normalise(read_html(page).text) == f"{WORDS} r&d in a frame behind it abbr."


@pytest.mark.parametrize("name", ["MathJax", "mathjax", "KaTeX", "KATEX"])
def test_formulas_are_printed_whatever_the_case_of_the_script_that_shows_them(name: str) -> None:
    page = rf"<script src='{name}.js'></script><p>Take \(\mathbf{{x}}_{{2}}\) here.</p>"
    assert read_html(page.encode()).text.strip() == "Take x2 here."
