"""Text files in the encodings that people have."""

from __future__ import annotations

import base64
import codecs
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.details import ProblemKind
from dupfinder.text import lines
from dupfinder.text.document import Extracted, OtherContent, Unreadable, without_labels
from dupfinder.text.readers import plain
from dupfinder.text.readers.html import read_html
from dupfinder.text.readers.plain import decode, decoded_as, detect, read_markdown, read_plain
from dupfinder.text.readers.plainly import read_page_plainly
from tests.making import CHINESE, PARAGRAPHS
from tests.text.other_content import read, unlike

JAPANESE = (
    "委員会がその年の春から秋までに受け取った手紙は、すべて文書館に保管されています。"
    "各フォルダーは二人が開けて確認しました。"
)
KOREAN = (
    "위원회가 그 해 봄부터 가을까지 받은 모든 편지는 기록 보관소에 보관되어 있습니다. 각 폴더는 두 사람이 열었습니다."
)
TRADITIONAL = (
    "委員會在那一年春天到秋天之間收到的每一封信都保存在檔案館裡。每個資料夾都由兩個人打開、清點和描述，他們簽了名。"
)
CANTONESE = "佢哋琴日話嗰架巴士仲未嚟，我哋唔知去邊度食飯喎。樓下嗰間舖執咗笠，啲嘢又貴到飛起，唔通返屋企咩？"
RUSSIAN = (
    "Архив хранит каждое письмо, которое комитет получил между весной и осенью того года. "
    "Каждую папку открыли два человека."
)
GREEK = "Το αρχείο φυλάσσει κάθε επιστολή που έλαβε η επιτροπή από την άνοιξη έως το φθινόπωρο εκείνου του έτους."
GERMAN = (
    "Das Archiv bewahrt jeden Brief, den der Ausschuss früher erhalten hat. "
    "Größere Mappen wurden von zwei Prüfern geöffnet."
)
SPANISH = (
    "El archivo conserva cada carta que el comité recibió aquel año. "
    "Según la señora Núñez, ninguna página se perdió mañana."
)
FRENCH = (
    "Les archives gardent chaque lettre reçue cette année-là. "
    "À la fin, deux élèves ont signé la liste près de l'entrée."
)
POLISH = (
    "Archiwum przechowuje każdy list, który komisja otrzymała między wiosną a jesienią. "
    "Każdą teczkę otworzyły dwie osoby, później ją zamknięto."
)
TURKISH = (
    "Arşiv, komisyonun o yıl ilkbahardan sonbahara kadar aldığı her mektubu saklıyor. "
    "Her dosyayı iki kişi açtı, sonra da imzaladı."
)
ITALIAN = (
    "L'archivio è già chiuso, così nessuno può più leggere le lettere finché non sarà di nuovo aperto a metà estate."
)
ESPERANTO = "Ĉi tiu arĥivo gardas ĉiun leteron, kiun la komitato ricevis ĝis aŭtuno, kaj ankaŭ ĵurnalojn kaj ŝlosilojn."
TURKISH_CAPITALS = (  # of which İ has two characters as a small letter
    "Önceki yıl İstanbul'da toplanan üyeler bütün dosyaları açtı ve saydı. İçlerinden biri eksikti; onu İzmir'de, "
    "başka bir dolabın içinde, başka bir klasörün altında buldular. İşin sonunda hepsi teşekkür etti."
)
HINDI = "अभिलेखागार में समिति को उस वर्ष मिला हर पत्र सुरक्षित है। हर फ़ाइल को दो लोगों ने खोला और गिना।"
PERSIAN = (  # with the letters of Arabic that code pages have
    "اين كتابخانه همه نامه\u200cهاي آن سال را نگه مي\u200cدارد و هر پرونده را دو نفر باز كردند و شمردند.",
    "در اين پوشه همه نامه\u200cهايي كه انجمن در آن سال گرفته نگهداري مي\u200cشود.",
)
HEBREW = "הקובץ כבר קיים, כתובת דוא ל, מצב תצוגה, גודל הגופן, הוספת סימניה, ביטול הפעולה"  # in letters of Russian too
VIETNAMESE = (  # as Windows stores it: most marks of tones are characters of their own
    "Các gói phâ\u0300n mê\u0300m đươ\u0323c lưu trư\u0303 trong thư viê\u0323n, "
    "và mô\u0303i ngươ\u0300i có thê\u0309 đo\u0323c ta\u0300i liê\u0323u đó."
)

SAMPLES = [
    (
        CHINESE[0] + CHINESE[1],
        ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "gb18030", "gbk", "gb2312", "hz"),
    ),
    (TRADITIONAL, ("utf-8", "big5", "utf-16-le")),
    (f"{TRADITIONAL}約翰‧史密斯把化粧品放在箱子裏。", ("utf-8", "cp950")),  # with characters that Windows added
    (CANTONESE, ("utf-8", "big5hkscs", "gb18030")),
    (JAPANESE, ("utf-8", "shift_jis", "euc-jp", "iso-2022-jp", "utf-16-le")),
    (f"{JAPANESE}①㈱山田商店②Ⅲ", ("utf-8", "cp932", "euc_jis_2004")),
    (KOREAN, ("utf-8", "euc-kr", "cp949", "johab", "utf-16-be", "iso2022_kr")),
    ("이름을 새로 할당합니다.", ("cp949",)),
    (RUSSIAN, ("utf-8", "cp1251", "koi8-r", "utf-16-le")),
    (GREEK, ("utf-8", "cp1253")),
    (f"Άλλη μία φορά: {GREEK}", ("utf-8", "cp1253", "iso8859-7")),
    (ITALIAN, ("utf-8", "latin-1")),
    (ESPERANTO, ("utf-8", "iso8859-3")),
    (VIETNAMESE, ("utf-8", "cp1258")),
    (GERMAN, ("utf-8", "latin-1", "cp1252", "utf-16-le", "cp850", "cp437", "mac-roman")),
    (SPANISH, ("utf-8", "latin-1", "cp1252", "cp850", "mac-roman")),
    (FRENCH, ("utf-8", "latin-1", "cp1252", "cp850", "mac-roman")),
    (POLISH, ("utf-8", "cp1250", "iso8859-2", "cp852", "mac-latin2")),
    (TURKISH, ("utf-8", "cp1254", "iso8859-9", "cp857")),
    (TURKISH_CAPITALS, ("cp1254", "iso8859-9", "cp857")),
    (HINDI, ("utf-8", "utf-16-le", "utf-16-be")),
    (PERSIAN[0], ("utf-8", "cp1256")),
    (PERSIAN[1], ("cp1256",)),
    ("Чтобы настроить дополнительный монитор, откройте параметры экрана.", ("mac_cyrillic",)),
    (HEBREW, ("utf-8", "cp1255", "iso8859-8")),
    ("“Don’t wait,” he said—and went… “It’s late.”", ("utf-8", "cp1252")),
    (PARAGRAPHS[0], ("ascii", "utf-16-le", "utf-16-be", "utf-16")),
]


@pytest.mark.parametrize(("text", "encoding"), [(text, name) for text, names in SAMPLES for name in names])
def test_text_is_read_in_the_encoding_it_was_written_in(text: str, encoding: str) -> None:
    written = f"{text}\r\n{text}\r\n"
    assert decode(written.encode(encoding))[0] == f"{text}\n{text}\n"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["み実行できます。複数の段落で正規表現による検索を実\r\n", "[檔案]>[開啟新檔]>[名片]=[對話方塊]\r\n"]
)
def test_a_line_in_utf16_without_a_mark_is_read(text: str, encoding: str) -> None:
    assert decode(text.encode(encoding))[0] == text.replace("\r", "")


def test_a_short_text_whose_last_character_was_cut_off_and_a_list_of_names_are_in_their_encoding() -> None:
    assert detect("東京都の朝は早い".encode("cp932")[:-1]).lower() in ("cp932", "shift-jis")
    assert detect("春の朝は早く起きて".encode("euc-jp")[:-1]).lower() == "euc-jp"
    names = "サウスジョージア・サウスサンドウィッチ諸島 スンダ語 ポンペイ語 クリーク語 トク・ピシン語"
    assert detect(names.encode("euc-jp")).lower() == "euc-jp"


@pytest.mark.parametrize(
    ("text", "encoding"), [(RUSSIAN, "cp1251"), (GREEK, "cp1253"), (KOREAN, "cp949"), (KOREAN, "johab")]
)
def test_words_of_another_script_amid_many_in_latin_letters_are_read(text: str, encoding: str) -> None:
    english = "The rates apply from the first day of May to all members and to guests.\n" * 90
    assert decode(f"{english}{text}\n{english}".encode(encoding))[0] == f"{english}{text}\n{english}"


@pytest.mark.parametrize(
    ("text", "declared", "encoding"),
    [("箱子裏", "big5", "cp950"), ("①", "shift_jis", "cp932"), ("똠방각하", "euc-kr", "cp949")],
)
def test_a_declared_encoding_has_the_characters_that_windows_added_to_it(
    text: str, declared: str, encoding: str
) -> None:
    assert decoded_as(text.encode(encoding), declared) == (text, encoding)


@pytest.mark.parametrize(
    ("text", "encoding"),
    [(f"{TRADITIONAL}箱子裏。", "cp950"), (JAPANESE, "cp932"), (JAPANESE, "euc-jp"), (KOREAN, "cp949")],
)
def test_a_wrong_byte_leaves_all_other_characters_of_an_east_asian_text(text: str, encoding: str) -> None:
    written = (text * 4).encode(encoding)
    read = decode(written + b"\x80" + written)[0]
    assert read.startswith(text * 4) and read.endswith(text * 3)


def test_two_letters_with_accents_side_by_side_in_a_long_text_are_no_korean() -> None:
    english = "The rates apply from the first day of May to all members and to guests.\n" * 90
    dutch = f"{english}Het is één van beide, of niet één.\n{english}"
    assert decode(dutch.encode("latin-1"))[0] == dutch


@pytest.mark.parametrize("text", [SPANISH, RUSSIAN, JAPANESE])
@pytest.mark.parametrize("mistaken", ["latin-1", "windows-1252 as browsers read it"])
def test_utf8_that_was_encoded_twice_is_read_as_it_was_at_first(text: str, mistaken: str) -> None:
    shown = text.encode().decode("latin-1")
    if mistaken != "latin-1":
        gaps = "\x81\x8d\x8f\x90\x9d"
        shown = "".join(sign if sign in gaps else sign.encode("latin-1").decode("cp1252") for sign in shown)
    assert decode(shown.encode())[0] == text
    assert decode(f"{text} is shown as {shown}".encode())[0] == f"{text} is shown as {shown}"


@pytest.mark.parametrize("text", [RUSSIAN, JAPANESE, VIETNAMESE, "“Don’t wait,” he said—and went…"])
def test_utf8_with_a_wrong_byte_is_utf8(text: str) -> None:
    """As where a program cut off the end of a line within a character."""
    written = f"{text}\n".encode()
    cut = written + b"\xc3\n" + written
    assert decode(cut)[:2] == (f"{text}\n\ufffd\n{text}\n", "utf-8")
    page = b"<html><head><meta charset=utf-8></head><body><p>%s</p></body></html>" % cut
    assert read_html(page).text.count(text) == 2


@pytest.mark.parametrize("text", [r"See~{\em this} and~{ABCD~} and~{that~}", "~{~} ~~", "x =~ /a~{2}/ ~{one~} ~{two~}"])
def test_tildes_and_braces_alone_are_not_chinese(text: str) -> None:
    assert decode(text.encode())[0] == text


@pytest.mark.parametrize("word", ["Müller", "Muñoz", "Sébastien", "zu ü, u ä", "© 1999"])
def test_one_foreign_word_amid_english_words_makes_no_text_chinese(word: str) -> None:
    english = "The rates apply from the first day of May to all members and to guests.\n" * 90
    assert decode(f"{english}{word}\n{english}".encode("cp1252"))[0] == f"{english}{word}\n{english}"


@pytest.mark.parametrize("sign", [" – ", " • ", " £", " £ ", " ® ", "\xa0 ", " § ", " ½ ", "… ", "…", "´s ", " à "])
def test_signs_between_english_words_are_no_letters_of_another_script(sign: str) -> None:
    text = "Both offers for the whole family are open to all members until further notice".replace(" ", sign)
    for repeated in (1, 40):
        written = "\n".join([text] * repeated)
        assert decode(written.encode("cp1252"))[0] == written


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac-roman"])
def test_a_foreign_name_changes_no_accents_of_a_text(encoding: str) -> None:
    text = f"{FRENCH} Öcalan, Özdemir"
    assert decode(text.encode(encoding))[0] == text


def test_a_late_accent_is_still_seen() -> None:
    text = "plain words only\n" * 20_000 + GERMAN
    assert decode(text.encode("cp1252"))[0] == text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "gb18030"])
def test_room_that_was_never_written_is_not_part_of_a_text(encoding: str) -> None:
    text = "Straight letters. \u623f\u5c4b\u79df\u8d41\u5408\u540c\n" * 20
    assert decode(text.encode(encoding) + bytes(4096)).text == text


def test_utf8_that_was_cut_inside_a_character_is_still_utf8() -> None:
    text, encoding, is_cut = decode(CHINESE[0].encode()[:-1])
    assert not is_cut
    assert encoding == "utf-8"
    assert text[:-1] == CHINESE[0][:-1]


@pytest.mark.parametrize("read", [read_plain, read_markdown, read_html, read_page_plainly])
@pytest.mark.parametrize(("text", "is_partial"), [("row\r\n" * 300, True), ("row\n" * 250, False), ("r\n" * 501, True)])
def test_a_text_that_was_cut_is_partial_whatever_is_left_out_of_it(
    monkeypatch: pytest.MonkeyPatch, read: Callable[[bytes], Extracted], text: str, is_partial: bool
) -> None:
    monkeypatch.setattr(plain, "MAX_CHARACTERS", 1000)
    assert read(text.encode()).partial == is_partial, "partial texts never count as equal"


@pytest.mark.parametrize("data", [bytes(range(256)) * 20, b"\x7fELF\x01\x02\x03\x04\x05\x06\x0e" * 50])
def test_bytes_that_are_no_text_are_refused(data: bytes) -> None:
    with pytest.raises(Unreadable) as refused:
        decode(data)
    assert refused.value.kind is ProblemKind.DAMAGED


@given(st.text(alphabet=st.characters(exclude_categories=("Cc", "Cs"), exclude_characters="\ufeff")))
def test_whatever_was_written_in_utf8_is_read_back(text: str) -> None:
    assert decode(codecs.BOM_UTF8 + text.encode())[0] == text
    assert decode(text.encode())[0] == text


@given(st.binary(max_size=2000))
def test_any_bytes_give_text_or_a_reason(data: bytes) -> None:
    for reader in (read_plain, read_markdown):
        try:
            extracted = reader(data)
        except Unreadable as refused:
            assert refused.details
        else:
            assert "\r" not in extracted.text


def test_pages_of_a_printed_text_lose_their_heads_and_numbers() -> None:
    lines = [f"Line {chr(97 + place % 26)}{chr(97 + place // 26)} of the story." for place in range(400)]
    pages = [lines[start : start + 50] for start in range(0, 400, 50)]
    for ends in ("\f", ""):
        printed = "".join(
            f"A short story\n\n{chr(10).join(page)}\n\n   Page {number} of 8\n{ends}"
            for number, page in enumerate(pages, 1)
        )
        extracted = read_plain(printed.encode())
        assert [line for line in extracted.text.split("\n") if line] == lines
        assert "Page 3 of 8" in extracted.streams["headers"]


def test_numbered_lines_that_are_no_page_numbers_stay() -> None:
    for step in (1, 5):
        text = "\n".join(f"Item {number}" if number % step == 0 else f"about {number}x" for number in range(200))
        assert read_plain(text.encode()).text == text


def test_markdown_is_read_as_it_is_shown() -> None:
    source = (
        "---\nlayout: x\nauthor: Ann\n---\n# The heading #\n<!-- hidden -->See [the guide](http://example.org/a_b) "
        "and ![a cat](cat.png).\n"
    )
    extracted = read_markdown(source.encode())
    assert (extracted.title, extracted.author) == ("The heading", "Ann")
    assert "hidden" not in extracted.text and "example" not in extracted.text and "layout:" not in extracted.text
    assert "See the guide and a cat." in extracted.text


NOTE = """# Trip

> [!tip] What to pack
> Take [[Maps/Alps#North|the map]] and [[Shoes]]. ^a1b2

![[view of the hut.png]] Then we left.
"""
FACTS = "\n\nid: {}\nparent_id: \ncreated_time: 2024-02-11T09:30:00.000Z\nis_todo: 0\ntype_: 1"


def test_a_note_of_a_note_keeper_is_read_as_it_is_shown_and_its_links_are_told() -> None:
    plain = b"# Trip\n\n> What to pack\n> Take the map and Shoes.\n\n Then we left.\n"
    assert unlike(plain, NOTE.encode(), "a.md") == {OtherContent.LINKS}
    assert unlike(NOTE.encode(), NOTE.replace("Maps/Alps", "Maps/Jura").encode(), "a.md") == {OtherContent.LINKS}
    assert unlike(plain, plain.rstrip() + FACTS.format("0" * 32).encode(), "a.md") == {OtherContent.HEADERS}
    assert "type_" in read(b"Mail\n\nid: 7\na: b\nc: d\ne: f\ntype_: 1", "a.md").text
    assert read(b"```\nif [[ -f a ]]; then\n```\n", "a.md").text.count("[[ -f a ]]") == 1


def test_front_matter_tells_title_date_and_language_of_markdown() -> None:
    extracted = read_markdown(b'---\ntitle: "Tides"\ndate: 2024-03-01\nlang: en_gb\n---\n# Chapter one\n\nWords.\n')
    assert (extracted.title, extracted.language) == ("Tides", "en-GB")
    assert extracted.created is not None and extracted.created.date().isoformat() == "2024-03-01"


def test_footnotes_of_markdown_follow_the_text_in_the_order_of_their_marks() -> None:
    note = "[^b]: The first\nnote.\n\n    Goes on.\n"
    text = f"One[^b] two[^a].\n\n[^a]: The second.\n{note}\nThree.\n\n    [x]: no note\n"
    words = "One two. Three. [x]: no note The first note. Goes on. The second."
    assert read_markdown(text.encode()).text.split() == words.split()
    assert read_markdown(b"[^c]: Alone.\n\nOne.").text.split() == ["One.", "Alone."]


def test_marks_of_notes_and_emphasis_do_not_cut_markdown_words() -> None:
    extracted = read_markdown(b"A **str**ong *word*.[^1] Two * three * four.\n\n[^1]: The note.\n")
    assert extracted.text == "A strong word. Two * three * four.\n\n The note.\n"


def test_markdown_with_tags_and_references_is_read_as_it_is_shown() -> None:
    source = (
        '<h1 align="center">\n  <img src="logo.png"> Tides\n</h1>\n\n[![state](s.svg)](http://ci.example/x) See [the\n'
        "guide](http://g.example/a) &amp; [more][1].\n\n1. first<br>item\n1. `List<Item> &amp;`\n\n```c\n"
        '#include <stdio.h>\n```\n[1]: http://m.example "More"\n'
    )
    assert " ".join(without_labels(read_markdown(source.encode()).text).split()) == (
        "Tides state See the guide & more. first item List<Item> &amp; #include <stdio.h>"
    )


def test_pictures_that_are_stored_in_addresses_are_no_words() -> None:
    packed = base64.b64encode(bytes(range(256)) * 9).decode()
    source = f"Tides ![of a day][image1] rise.\n\n[image1]: <data:image/png;base64,{packed}>\n"
    extracted = read_markdown(source.encode())
    assert packed[:20] not in extracted.text
    assert extracted.other != read_markdown(source.replace(packed[:40], packed[40:80]).encode()).other
    for kind in ("image/png", "image/svg+xml;charset=utf-8", ""):
        note = f'{{"text": "Tides rise", "picture": "data:{kind};base64,{packed}"}}'
        assert read_plain(note.encode()).text == '{"text": "Tides rise", "picture": "data:"}'
        assert read_plain(note.encode()).other != read_plain(note.replace(packed[:40], packed[40:80]).encode()).other


def test_a_text_that_speaks_of_base64_stores_nothing() -> None:
    assert read_plain(b"It is sent in base64, which takes a third more.").other == {}


def test_a_link_of_markdown_may_be_wrapped_in_an_indented_list_but_holds_no_blank_line() -> None:
    source = b"See [the guide\n    to tides](http://a.example/b.html).\n\n[An aside.\n\nNo link](c.html)\n"
    assert " ".join(read_markdown(source).text.split()) == "See the guide to tides. [An aside. No link](c.html)"


def test_attributes_of_markdown_are_not_its_words() -> None:
    source = (
        "## Tides {#tides .unnumbered}\n\nRun `ls`{.bash} in [the shell](http://a.example){target=_blank} and "
        "{.this} of it.\n\n::: {.note}\nA note.\n:::\n\n``` {.python}\nx = a[1]{2}\n```\n"
    )
    shown = "Tides Run ls in the shell and {.this} of it. A note. x = a[1]{2}"
    assert " ".join(without_labels(read_markdown(source.encode()).text).split()) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("## See `ls` and `cd` ##\n", "See ls and cd"),  # a heading
        ("Run `npm\nrun <stage>` or ``a ` <b>`` now.", "Run npm run <stage> or a ` <b> now."),  # over lines, with ticks
        ("1. Run\n\n   ```sh\n   a <b>\n   ```\n2. `Go` on", "Run a <b> Go on"),  # in a list
        ("- ```sh\n  a <b>\n  ```\n- <i>on</i>", "- a <b> - on"),
        ("> ~~~ sh\n> a <b>\n> ~~~\n<i>on</i>", "> a <b> on"),  # in a quotation
        ("Use\n\n    a <b> *c* \\d\n\n    # e\n\n<i>on</i>", "Use a <b> *c* \\d # e on"),  # indented
        ("- Use\nit\n\n    as <i>indented</i> text\n", "- Use it as indented text"),  # of a list, so it is no code
        ('!!! note "Use"\n\n    an *indented* text\n', '!!! note "Use" an indented text'),
        ("<table>\n\n    <td>a *cell*</td>\n", "a cell"),
        ("```\n1. a[b](c) **d** ~~e~~ &lt;\n```\n", "1. a[b](c) **d** ~~e~~ &lt;"),
    ],
)
def test_code_of_markdown_has_all_its_signs_wherever_it_stands(source: str, shown: str) -> None:
    assert " ".join(without_labels(read_markdown(source.encode()).text).split()) == shown


def test_a_year_at_the_beginning_of_a_line_of_markdown_is_no_number_of_a_list() -> None:
    source = (
        b"It was built in\n1936. It fell for\n000. That is all.\n\n3. Sea\n4. Lake\n\n   Text\n5. River\n\n> 1. Well\n"
    )
    assert (
        " ".join(without_labels(read_markdown(source).text).split())
        == "It was built in 1936. It fell for 000. That is all. Sea Lake Text River Well"
    )


@pytest.mark.parametrize(
    "link",
    [
        '[a page](b.md "Go to\nit")', "[a page](b.md 'Go')", "[a page](http://a.example/b_(c))",
        "a page\n\n[d]: <b c.md>\n    'Go'", "_a page_", "__a page__", "**_a page_**",
    ],
)  # fmt: skip
def test_marks_and_addresses_of_markdown_are_no_words_however_they_are_written(link: str) -> None:
    assert read_markdown(link.encode()).text.strip() == "a page"


def test_links_by_a_label_lose_their_brackets_and_others_keep_them() -> None:
    source = "See [the tide], [the\nmoon][2], ![a map][Sea] and [x] of `[sea]`.\n\n> 1. A [The Tide][]\n> at [2].\n\n"
    read = read_markdown(f"{source}[the tide]: a.html\n[2]: b.html\n[sea]: c.png 'Sea'\n".encode())
    assert " ".join(without_labels(read.text).split()) == (
        "See the tide, the moon, a map and [x] of [sea]. A The Tide at 2."
    )


def test_brackets_within_a_link_and_low_lines_within_a_name_stay() -> None:
    source = b"Sea[[1]](#note) and [a [b]](c.md) of snake_case_name, __init__.py"
    assert read_markdown(source).text == "Sea[1] and a [b] of snake_case_name, init.py"


def test_marks_of_headings_verses_and_code_and_backslashes_are_no_words_of_markdown() -> None:
    source = (
        "# 1. Tides #\n\n| The **sea\n| rises**\n\nC\\# costs \\$5\\\nand a | b. `# not`\n"
        "## 2. Wells\n\n~~~ sh\n# a\\_b\n~~~\n"
    )
    shown = "1. Tides The sea rises C# costs $5 and a | b. # not 2. Wells # a\\_b"
    assert " ".join(without_labels(read_markdown(source.encode()).text).split()) == shown


def test_chinese_with_characters_of_four_bytes_is_no_western_text() -> None:
    poem = "銅壺滴漏何時盡\U00020021，花影侵階月未殘。" * 20
    assert read_plain(poem.encode("gb18030")).text == poem


def test_the_title_of_markdown_is_part_of_its_text_once_and_its_other_facts_are_told() -> None:
    front, body = "---\ntitle: On wells\nprice: {}\n---\n{}", "They are deep."
    named = read_markdown(front.format(1, body).encode())
    assert named.text.split() == ["On", "wells", "They", "are", "deep."]
    assert read_markdown(front.format(1, f"# On wells\n{body}").encode()).text.count("On wells") == 1
    assert named.other != read_markdown(front.format(2, body).encode()).other


def test_numbers_of_markdown_lists_are_told_where_they_do_not_count_from_one() -> None:
    first, *others = (read_markdown(text.encode()).other for text in ("1. a\n2. b\n", "1. a\n1. b\n", "4. a\n5. b\n"))
    assert first == others[0] != others[1]


@given(st.lists(st.lists(st.sampled_from(["Yes", "No", "x", "X", "✓", "$5", "٣", "1,5", "Max", "-"]), max_size=4)))
def test_tables_without_ticks_and_amounts_are_passed_over_and_all_others_are_not(rows: list[list[str]]) -> None:
    text = "\n".join("Question" + "".join(f"{cell:>12}" for cell in row) for row in rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "_MAY_BE_SHORT", re.compile(""))
        every = lines.filled_columns(text)
    assert lines.filled_columns(text) == every
