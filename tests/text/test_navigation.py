"""Links that lead about in a document are no words of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.text.document import OtherContent
from dupfinder.text.normalise import normalise
from dupfinder.text.readers import site_chrome
from dupfinder.text.readers.html import read_html
from dupfinder.text.readers.page_source import AWAY, LINK, _without_deep_lists, outside_links, without_link_marks
from dupfinder.text.readers.plain import read_plain
from tests.making import PARAGRAPHS, html

WORDS = normalise(" ".join(PARAGRAPHS))
TURNS = (
    '<div class="header"><p>Next: <a href="#two" accesskey="n" rel="next">The second part</a>, Previous: '
    '<a href="#top" rel="prev">The book</a>, Up: <a href="#top" rel="up">The book</a> &nbsp; '
    '[<a href="#contents" rel="contents">Contents</a>][<a href="#index" rel="index">Index</a>]</p></div>'
)
CHAPTER = "Those who lived on the other side of the lake reached it by boat, as they had for as long as any could tell."
ENTRIES = {"A": ("anchor", "apple"), "B": ("barn", "bell"), "C": ("cat", "crow"), "D": ("dog", "door", "duck", "dwarf")}


@given(st.text(st.sampled_from("ab \t\n\x00\x1c\x1d\x1e\x7f\x85\xa0é水\ufdd3"), max_size=40))
def test_the_words_of_a_line_are_counted_as_those_of_a_long_text(line: str) -> None:
    data = line.encode()
    long_text = data + b" " * site_chrome._SHORT
    assert site_chrome.word_count(data) == site_chrome.word_count(long_text)


def test_lists_deep_within_each_other_are_blocks_in_any_letters() -> None:
    source = b"<Ul><li>" * 100 + b"<oL><li>" * 101
    assert _without_deep_lists(source) == b"<div><li>" * 201
    assert _without_deep_lists(source[len(b"<Ul><li>") :]) == source[len(b"<Ul><li>") :]


def test_lines_that_lead_to_the_parts_before_and_behind_are_left_out() -> None:
    assert normalise(read_html(html(before=TURNS, after=TURNS)).text) == WORDS


def test_tags_may_be_in_capitals_and_go_over_several_lines() -> None:
    turns = TURNS.replace("<a href=", "<A\nHREF=").replace("</a>", "</A\n>")
    assert normalise(read_html(html(before=turns, after=turns)).text) == WORDS


def test_the_title_of_a_book_in_the_bar_of_its_menu_is_no_text_of_the_page() -> None:
    bar = '<div class="menu-bar sticky"><a href="b.html">Print</a><h1>The book of the lake</h1></div>'
    assert normalise(read_html(html(before=bar)).text) == WORDS


def test_a_sentence_with_a_link_to_the_next_page_stays() -> None:
    sentence = 'What came of it is told in <a rel="next" href="two.html">the second part</a> of this book.'
    extracted = read_html(
        html(after=f"<p>{sentence}</p>").replace(b"</article>", b"").replace(b"</body>", b"</article></body>")
    )
    assert normalise(extracted.text) == f"{WORDS} what came of it is told in the second part of this book."


def test_links_within_the_document_keep_their_words() -> None:
    page = html(
        ['See <a> the <b> "next" part'], before="<p>As in <a href='#one'>the first</a>, <A HREF=#b>b</A>etter so.</p>"
    )
    assert "as in the first, better so." in normalise(read_html(page).streams.get("full", read_html(page).text))


def test_an_index_on_a_page_meets_the_printed_one() -> None:
    letters = " ".join(f'<a href="#index_{letter}">{letter}</a>' for letter in "ABCDEF")
    rows = "".join(
        f"<tr><th>{letter}</th></tr>"
        + "".join(
            f'<tr><td></td><td><a href="#i{term}"><code>{term}</code></a>:</td><td><a href="#s">On farms</a></td></tr>'
            for term in terms
        )
        for letter, terms in ENTRIES.items()
    )
    page = html(after=f"<p>Jump to: &nbsp; {letters}</p><table>{rows}</table>")
    page = page.replace(b"</article>", b"").replace(b"</body>", b"</article></body>")
    printed = "\n".join(
        f"{letter}\n" + "\n".join(f"   {t}, 12, 14" for t in terms) for letter, terms in ENTRIES.items()
    )
    text = "\n".join([*PARAGRAPHS, printed]).encode()
    assert normalise(read_html(page).text) == normalise(read_plain(text).text)


def page_among(menu: str, links: int, words: str = "Top story") -> bytes:
    """Return a page whose parts have no names, with a menu before its text and a bar of links after it."""
    entries, bar = (
        "".join(entry.format(number, f"{words} {number}") for number in range(links))
        for entry in (menu, "<a href='/{}'>{}</a> | ")
    )
    return html(before=f"<p>The Daily</p><div>{entries}</div>", after=f"<div>{bar}</div><p>All rights reserved.</p>")


@pytest.mark.parametrize(
    "menu", ["<div><a href='/{}'>{}</a></div>", "<a href='/{}'>{}</a> | ", "<li><a href='{}#'>{}</a>"]
)
def test_menus_around_a_text_are_no_words_though_nothing_names_them(menu: str) -> None:
    page = page_among(menu, 6).replace(b"article>", b"div>")
    assert normalise(read_html(page).text) == f"the daily {WORDS} all rights reserved."
    assert "Top story 5" in read_html(page).streams["full"]


def test_few_links_those_within_the_document_and_lists_amid_or_after_a_text_stay() -> None:
    few = read_html(page_among("<li><a href='/{}'>{}</a>", 2).replace(b"article>", b"div>"))
    within = read_html(page_among("<li><a href='#part{}'>{}</a>", 6).replace(b"article>", b"div>"))
    list_of_sources = "".join(f"<li><a href='https://{n}.example/'>Source {n}</a></li>" for n in range(6))
    amid = read_html(html(before=f"<p>{PARAGRAPHS[0]}</p><ul>{list_of_sources}</ul>").replace(b"article>", b"div>"))
    after = read_html(html(after=f"<ul>{list_of_sources}</ul>").replace(b"article>", b"div>"))
    assert "Top story 1" in few.text
    assert "Top story 5" in within.text
    assert "Source 5" in amid.text
    assert "Source 5" in after.text


@pytest.mark.parametrize("around", ["{}", "<div>{}</div>", "<div><div>{}</div></div>"])
def test_points_of_prose_stay_among_links_and_a_menu_near_them_does_not(around: str) -> None:
    linked = "".join(f"<p>{text} <a href='/{number}'>{text}</a></p>" for number, text in enumerate(PARAGRAPHS))
    points = "".join(
        f"<li>Point {n}: <a href='/p'>copy</a> each of the two lists, and put both into one.</li>" for n in range(3)
    )
    menu = "".join(f"<li><a href='/{number}'>Chapter {number}</a> new</li>" for number in range(3))
    body = around.format(f"<ul>{menu}</ul>{linked}<ul>{points}</ul>{linked}")
    text = read_html(f"<html><body>{body}</body></html>".encode()).text
    assert "Point 0: copy each" in text and "Point 2" in text
    assert "Chapter" not in text


def test_a_short_text_that_a_page_declares_is_read_without_the_words_around_it() -> None:
    around = "<div>The Daily, a paper of the town</div><div>All rights are reserved by its owner</div>"
    page = f"<html><body>{around}<main><p>{PARAGRAPHS[0]}</p></main></body></html>".encode()
    assert read_html(page).text.strip() == PARAGRAPHS[0]


def test_a_text_of_a_few_words_that_a_page_declares_is_read_without_the_landmarks_around_it() -> None:
    entries = "".join(f"<li><a href='/{number}'>The page of that name {number}</a></li>" for number in range(40))
    menu = f"<div role='navigation'><h3>All the pages of this site</h3><ul>{entries}</ul></div>"
    page = f"<html><body>{menu}{{}}<footer>All rights are reserved by the owner of the site.</footer></body></html>"
    closed = "The library is closed on Monday."
    assert read_html(page.format(f"<main><p>{closed}</p></main>").encode()).text.strip() == closed
    contents = f"<main><h1>Contents</h1>{menu}</main>"
    assert "The page of that name 39" in read_html(page.format(contents).encode()).text
    beside = "<main><h1>Contents</h1></main><div>The doors are open on all days but Monday.</div>"
    assert "on all days but Monday" in read_html(page.format(beside).encode()).text


def test_a_page_that_is_mostly_a_list_of_links_keeps_them() -> None:
    page = page_among("<div><a href='/{}'>{}</a></div>", 60, words="A long headline of another story in the paper")
    assert "story in the paper 59" in read_html(page).text


def test_lists_of_links_to_other_sites_among_prose_are_text_as_those_of_release_notes() -> None:
    changes = "".join(
        f"<li><a href='https://code.example/{n}'>Change {n} of doors and boats</a></li>" for n in range(80)
    )
    prose = "".join(f"<p>{text}</p>" for text in 2 * PARAGRAPHS)
    page = f"<html><body><h1>Notes</h1>{prose}<ul>{changes}</ul>{prose}</body></html>"
    assert "Change 79 of doors" in read_html(page.encode()).text
    assert "Change 79 of doors" not in read_html(page.replace("https://code.example", "").encode()).text


def test_a_menu_that_the_page_declares_may_be_longer_than_its_text() -> None:
    entries = "".join(f"<li><a href='/{number}'>The function of that name {number}</a></li>" for number in range(400))
    more = "".join(f"<p>{text}</p>" for text in 2 * PARAGRAPHS)
    page = html(before=f"<aside><nav><h3>Contents</h3><ul>{entries}</ul></nav></aside>{more}").replace(
        b"article>", b"div>"
    )
    assert normalise(read_html(page).text) == f"{WORDS} {WORDS} {WORDS}"


def test_lists_of_links_that_are_all_of_a_page_stay_beside_its_footer() -> None:
    entries = "".join(
        f"<p><a href='/{number}'>The decision {number} on roads and rivers</a> 2001</p>" for number in range(60)
    )
    footer = "<p>" + "This footer tells the terms of use of it all. " * 6 + "</p>"
    for tag in ("nav", "form"):
        page = f"<html><body><{tag}>{entries}</{tag}>{footer}</body></html>".encode()
        assert "The decision 59 on roads and rivers" in read_html(page).text


TEASERS = "".join(
    f"<div><h3><a href='/{number}'>Another story {number}</a></h3><p>{text}</p></div>"
    for number, text in enumerate(PARAGRAPHS)
).replace("the ", "another ")
ARTICLE = f"<p>{CHAPTER}</p>" * 6
REMARKS = "".join(
    f"<div><b>reader{number}</b> 3 h<p>I for one have always said that it would be so: remark {number}.</p>"
    f"<a href='/reply/{number}'>Reply</a></div>"
    for number in range(4)
)


def page_before(after: str) -> bytes:
    """A page of prose that nothing sets apart from what comes after it."""
    return html(after=after).replace(b"article>", b"div>")


def test_teasers_of_other_pages_and_remarks_behind_a_text_are_no_words_though_nothing_names_them() -> None:
    extracted = read_html(page_before(f"{ARTICLE}<h2>More</h2>{TEASERS}<h2>4 remarks</h2>{REMARKS}"))
    assert normalise(extracted.text) == f"{WORDS} {normalise(' '.join([CHAPTER] * 6))} more"
    assert "remark 3" in extracted.streams["full"]


CARDS = "".join(
    f"<a href='/{number}'><div><img src=x></div><h3>Another story {number}</h3><p>{text}</p></a>"
    for number, text in enumerate(PARAGRAPHS)
).replace("the ", "another ")


def test_links_around_a_picture_a_heading_and_a_sentence_behind_a_text_are_teasers() -> None:
    page = page_before(f"<p>{CHAPTER}</p><h2>More</h2>{CARDS}")
    extracted = read_html(page)
    assert normalise(extracted.text) == f"{WORDS} {normalise(CHAPTER)} more"
    later = read_html(page.replace(b"another", b"a later"))
    assert extracted.text == later.text
    assert extracted.other[OtherContent.COMMENTS] != later.other[OtherContent.COMMENTS]


def test_a_page_with_more_words_in_such_links_than_beside_them_keeps_them() -> None:
    assert "Another story 3" in read_html(page_before(4 * CARDS)).text


MOST_READ = "".join(
    f"<li><a href='/{number}'>Another story {number}</a></li><li>12:3{number}</li>" for number in range(6)
)


CANONICAL = "<link href='https://daily.co.uk/story' rel=canonical>"
LISTS = {  # and the addresses of a menu
    "pages of the same site with the hours between them": (MOST_READ, "/", True),
    "with the name of the site": (MOST_READ.replace("'/", "'https://www.daily.co.uk/"), "https://daily.co.uk/", True),
    "pages of another site": (MOST_READ.replace("'/", "'https://archive.example/"), "/", False),
    "with the name that the page declares": (CANONICAL + MOST_READ.replace("'/", "'//m.daily.co.uk/"), "/", True),
    "sources of a saved page without a menu": (
        MOST_READ.replace("'/", "'https://doi.example/"),
        "https://doi.example/x",
        False,
    ),
    "parts of a manual": (MOST_READ.replace("'/", "'"), "", False),
    "with a sentence of each": (MOST_READ.replace("12:3", "It tells how it began in the year 190"), "/", False),
    "two alone": (MOST_READ[: MOST_READ.index("<li><a href='/2")], "/", False),
}


@pytest.mark.parametrize(("lists", "site", "is_left_out"), LISTS.values(), ids=LISTS)
def test_lists_of_other_pages_of_its_site_behind_a_text_are_no_words(lists: str, site: str, is_left_out: bool) -> None:
    names = ["", *"abcdefgh"] if site else "abcdefgh"
    menu = "".join(f"<p><a href='{site}{name}'>{name or 'start'}</a></p>" for name in names)
    page = page_before(f"{ARTICLE}<ul>{lists}</ul><p>{CHAPTER}</p>{menu}")
    extracted = read_html(page)
    assert ("Another story 1" in extracted.text) != is_left_out
    later = read_html(page.replace(b"Another story 1", b"A later story"))
    assert (extracted.text, extracted.other) != (later.text, later.other)


def test_lists_of_its_site_among_more_teasers_than_text_are_no_words_of_an_article() -> None:
    text = read_html(page_before(f"{ARTICLE}<ul>{MOST_READ}</ul>{TEASERS * 8}<ul>{MOST_READ}</ul>")).text
    assert "Another story 5" not in text and "12:34" not in text


def test_a_list_of_pages_of_its_site_stays_behind_few_words() -> None:
    assert "Another story 3" in read_html(page_before(f"<ul>{MOST_READ}</ul>")).text


@pytest.mark.parametrize(
    "tag", ["div role=alertdialog", "amp-consent layout=nodisplay", "amp-sidebar", "amp-user-notification"]
)
def test_dialogs_for_consent_and_what_amp_pages_hide_are_no_words(tag: str) -> None:
    consent = f"<{tag}><p>We and our 842 partners value your privacy, and store cookies.</p></{tag.split()[0]}>"
    assert normalise(read_html(html(before=consent).replace(b"article>", b"div>")).text) == WORDS


def test_a_button_that_unfolds_an_answer_has_the_words_of_a_question_and_others_none() -> None:
    heading = "<h3><button aria-expanded=false>Fees</button></h3>"
    question = "<div><button class=q aria-expanded='true'>What does it <b>cost</b> us?</button></div>"
    others = "<button aria-expanded=false>Show more</button><button>Send it to the office</button>"
    page = page_before(f"{heading}<div hidden><p>{CHAPTER}</p></div>{question}<p>{CHAPTER}</p>{others}")
    words = normalise(CHAPTER)
    assert normalise(read_html(page).text) == f"{WORDS} fees {words} what does it cost us? {words}"


def test_a_button_in_a_heading_and_one_of_an_accordion_have_the_words_of_a_question() -> None:
    heading = "<h2 class=q><button type=button>Fees</button></h2>"
    question = "<button class='accordion'>What does it cost us?</button><div class=panel>"
    page = page_before(f"{heading}<p>{CHAPTER}</p>{question}<p>{CHAPTER}</p></div>")
    words = normalise(CHAPTER)
    assert normalise(read_html(page).text) == f"{WORDS} fees {words} what does it cost us? {words}"


def test_what_an_index_says_of_its_terms_is_read() -> None:
    row = '<tr><td></td><td><a href="#i{0}">{0}</a></td><td>What a {0} is for</td></tr>'
    rows = "".join(f"<tr><th>{letter}</th></tr>" + "".join(map(row.format, terms)) for letter, terms in ENTRIES.items())
    said = [f"{term} what a {term} is for" for terms in ENTRIES.values() for term in terms]
    text = normalise(read_html(page_before(f"<table>{rows}</table>")).text)
    assert [entry for entry in said if entry in text] == said


ASIDES = {
    "a topic": "<aside class=topic><p class=topic-title>Abstract</p><p>{}</p></aside>",
    "a side bar of a manual": "<aside class=sidebar><p class=sidebar-title>Abstract</p><p>{}</p></aside>",
    "an older one": "<div class=sidebar><p class=sidebar-title>Abstract</p><p>{}</p></div>",
    "a note": "<aside class='admonition note'><p class=admonition-title>Abstract</p><p>{}</p></aside>",
    "a tip": "<aside class='starlight-aside starlight-aside--tip'><p>Abstract</p><p>{}</p></aside>",
}


@pytest.mark.parametrize("markup", ASIDES.values(), ids=ASIDES)
def test_boxes_beside_the_text_of_a_manual_are_words_of_it_and_those_of_a_site_are_not(markup: str) -> None:
    page = page_before(f"{markup.format('Zebras run')}<p>{CHAPTER}</p><aside class=sidebar><p>Read on</p></aside>")
    assert normalise(read_html(page).text) == f"{WORDS} abstract zebras run {normalise(CHAPTER)}"


def test_footnotes_of_manuals_are_read_without_their_numbers_and_the_links_back() -> None:
    back = "<span class=backrefs>(<a role=doc-backlink href=#c>1</a>,<a role=doc-backlink href=#d>2</a>)</span>"
    label = "<span class=label><span class=fn-bracket>[</span>3<span class=fn-bracket>]</span></span>"
    note = f"<aside class='footnote brackets' id=n role=note>{label}{back}<p>Zebras run.</p></aside>"
    page = page_before(f"<p>{CHAPTER}</p><aside class='footnote-list brackets'>{note}</aside>")
    assert normalise(read_html(page).text) == f"{WORDS} {normalise(CHAPTER)} zebras run."


def test_rows_of_a_table_whose_first_cells_are_links_are_no_teasers() -> None:
    cells = "<td><a href='/{0}'>Entry {0}</a></td><td><a href='/r{0}'>Release {0}</a><br>of May</td><td>{1}</td>"
    rows = "".join(f"<tr>{cells.format(number, text)}</tr>" for number, text in enumerate(PARAGRAPHS))
    page = page_before(f"{ARTICLE}<table>{rows}</table>")
    assert normalise(PARAGRAPHS[2]) in normalise(read_html(page).text).removeprefix(WORDS)


def test_links_of_a_manual_with_a_sentence_each_in_its_main_part_are_its_contents() -> None:
    site = page_before(f"{ARTICLE}<h2>Parts</h2>{TEASERS}{TEASERS}</main>").replace(b"<body>", b"<body><main>")
    manual = site.replace(b"href='/", b"href='part")
    assert "Another story 3" in read_html(manual).text
    assert "Another story 3" not in read_html(site).text


LISTINGS = {
    "Pygments": "<table><tr><td class=linenos><pre>1\n2</pre></td><td><pre>Zebras run</pre></td></tr></table>",
    "Pygments within the lines": "<pre><span class=linenos>1</span>Zebras run</pre>",
    "Doxygen": "<div class=line><span class=lineno>    1</span>&#160;Zebras run</div>",
    "Rouge": "<table><tr><td class='gutter gl'><pre>1</pre></td><td><pre>Zebras run</pre></td></tr></table>",
    "Hexo": "<table><tr><td class=gutter><pre><span>1</span></pre></td><td><pre>Zebras run</pre></td></tr></table>",
    "Hugo": "<div class=chroma><table><tr><td><span class=lnt>1</span></td><td>Zebras run</td></tr></table></div>",
    "VitePress": "<div class='language-js vp'><span class=lang>js</span><pre>Zebras run</pre></div>",
}


@pytest.mark.parametrize("markup", LISTINGS.values(), ids=LISTINGS)
def test_numbers_of_the_lines_of_a_listing_and_the_name_of_its_language_are_no_words(markup: str) -> None:
    page = page_before(f"<p>{CHAPTER}</p>{markup}<p>{CHAPTER}</p>")
    assert normalise(read_html(page).text) == f"{WORDS} {normalise(f'{CHAPTER} Zebras run {CHAPTER}')}"


def test_links_of_a_wiki_to_edit_its_sections_and_its_categories_are_no_words() -> None:
    edit = "<span class=mw-editsection>[<a href='/edit'>edit</a>]</span>"
    jump = "<a class=mw-jump-link href='#search'>Jump to search</a>"
    foot = "<div class=printfooter>Retrieved from a.org</div><div class=catlinks>Categories: All articles</div>"
    page = page_before(f"{jump}<h2>Lakes {edit}</h2><p>{CHAPTER}</p>{foot}</main>").replace(b"<body>", b"<body><main>")
    assert normalise(read_html(page).text) == f"{WORDS} lakes {normalise(CHAPTER)}"


def test_a_list_of_links_of_which_the_last_ends_in_an_element_leaves_the_text_after_it() -> None:
    links = "".join(f"<dt><a href='#part{n}'>The part number {n}</a></dt>" for n in range(40))
    last = "<dt><a href='a.html'>Another part</a></dt><dt><a href='b.html'>The <b>last part</b></a></dt>"
    after = (
        f"<p>{PARAGRAPHS[0]}</p><p>{PARAGRAPHS[1]}</p><p>All are <a href='#top'>in the list above</a>, in order.</p>"
    )
    page = f"<html><body><h1>Parts</h1><div><dl>{links}{last}</dl></div>{after}</body></html>"
    assert normalise(" ".join(PARAGRAPHS[:2])) in normalise(read_html(page.encode()).text)


FIGURES = {
    "a caption": "<figure><img src=a.png alt='No words'><figcaption>{}</figcaption></figure>",
    "a caption before it": "<figure><figcaption><p>{}</p></figcaption><a href=b.png><img src=a.png></a></figure>",
    "a table": "<figure class=wp-block-table><table><tr><td>{}</td></tr></table></figure>",
    "a quotation": "<figure><blockquote><p>{}</p></blockquote></figure>",
    "a program": "<figure><pre><code>{}</code></pre></figure>",
    "what a field is for": "<p><label for=f>{}</label> <input id=f value='No words'></p>",
}


@pytest.mark.parametrize("markup", FIGURES.values(), ids=FIGURES)
def test_the_words_of_a_figure_and_of_a_label_are_words_of_the_page(markup: str) -> None:
    page = page_before(f"{markup.format('Zebras run')}<p>{CHAPTER}</p>")
    assert normalise(read_html(page).text) == f"{WORDS} zebras run {normalise(CHAPTER)}"


def test_pages_with_other_teasers_or_remarks_are_not_the_same_text() -> None:
    page = page_before(f"{ARTICLE}<h2>More</h2>{TEASERS}<h2>4 remarks</h2>{REMARKS}")
    later = page.replace(b"remark 2", b"remark 7")
    assert read_html(page).text == read_html(later).text
    comments = [read_html(source).other[OtherContent.COMMENTS] for source in (page, page, later)]
    assert comments[0] == comments[1] != comments[2]


def test_all_of_a_mail_is_its_text() -> None:
    offers = "".join(f"<tr><td><a href=http://a.org/{n}>Offer {n} at {n}9.95</a></td></tr>" for n in range(7))
    form = "<form action=http://a.org><p>To leave the list</p><input><p>confirm your address</p></form>"
    mail = page_before(
        f"<table>{offers}</table>{ARTICLE}<h2>More</h2>{TEASERS}{form}<div class=footer>Since 1999</div>"
    )
    shown = read_html(mail, is_mail=True)
    for words in ("Offer 6 at 69.95", "Another story 3", "To leave the list", "confirm your address", "Since 1999"):
        assert words in shown.text
    assert "To leave the list" not in read_html(mail).text, "pages of sites have forms beside their text"
    assert not shown.streams


def test_a_page_with_little_text_keeps_its_teasers() -> None:
    assert "Another story 3" in read_html(page_before(f"<h2>This week</h2>{TEASERS}")).text


def test_a_page_of_teasers_and_a_list_that_says_what_its_links_are_stay() -> None:
    index = f"<html><body><h1>All stories</h1>{TEASERS}{TEASERS}</body></html>".encode()
    described = "".join(f"<p><a href='/{name}'>{name}</a></p><p>opens the {name}</p>" for name in "abcdef")
    assert "Another story 3" in read_html(index).text
    assert "opens the f" in read_html(page_before(described)).text


def test_prose_behind_a_link_to_another_page_is_not_taken_for_a_teaser() -> None:
    amid = f"<p><a href='/one'>Read this too</a></p><p>{CHAPTER}</p><p>{CHAPTER}</p>"
    assert "reached it by boat" in read_html(page_before(f"{amid}{TEASERS}")).text


def test_remarks_beside_the_only_article_of_the_main_part_are_no_words_of_it() -> None:
    remarks = "".join(f"<div><b>Reader {number}</b><p>I was there in May.</p></div>" for number in range(9))
    page = html(after="").replace(b"<article>", b"<main><article>")
    page = page.replace(b"</article>", f"</article>{remarks}</main>".encode())
    assert b"<main>" in page
    assert "I was there" not in read_html(page).text


def test_a_dateline_does_not_end_the_menus_before_a_text() -> None:
    dateline = "<div>By Anna Keller and Tom Whitfield on 3 May at 10:32 with 9 minutes to read</div>"
    share = "".join(f"<li><a href='/{name}'>{name}</a>" for name in ("Facebook", "WhatsApp", "Email", "Print", "Save"))
    page = html(before=f"{dateline}<ul>{share}</ul>").replace(b"article>", b"div>")
    assert "WhatsApp" not in read_html(page).text


def slow_outside_links(text: str) -> str:
    """Look at each character; a link that does not end stays."""
    outside, place = "", 0
    while place < len(text):
        opens = "\ufdd0" <= text[place] <= "\ufddf" and text[place] not in "\ufdd1\ufdd4"
        ends = [end for end in range(place, len(text)) if text[end] in "\ufdd1\ufdd4"] if opens else []
        sign = AWAY if text[place] == "\ufdd3" else LINK
        lines = text[place : ends[0]].count("\n") + 1 if ends else 0
        outside += "\n".join([sign.decode()] * lines) if ends else text[place]
        place = ends[0] + 1 if ends else place + 1
    return outside


@given(st.text("ab \n\ufdd0\ufdd1\ufdd2\ufdd3\ufdd4\ufdd5\ufdf2é", max_size=40))
def test_links_are_taken_out_as_when_each_character_is_looked_at(text: str) -> None:
    assert outside_links(text.encode()).decode() == slow_outside_links(text)
    assert without_link_marks(text.encode()).decode() == "".join(
        letter for letter in text if not "\ufdd0" <= letter <= "\ufddf"
    )
