"""Rich texts with the same words: what else differs in them is told, kind by kind."""

from __future__ import annotations

import pytest

from dupfinder.text.document import MAY_HOLD, MediaType, OtherContent
from dupfinder.text.readers.rtf import read_rtf_otherwise
from tests import making
from tests.text.other_content import held, png, unlike


def letter(inner: str = "") -> bytes:
    """A letter with some raw source behind its words."""
    authors = r"{\*\revtbl{Unknown;}{Ann;}{Bo;}}"
    return rf"{{\rtf1\ansi\ansicpg1252{authors} Dear reader of this letter{inner}\par}}".encode("latin-1")


def shown(shade: int, *, size: int = 300) -> str:
    """A picture, with itself once more for older programs."""
    source = png(shade).hex()
    cut = "\n".join((source[:64], source[64:]))
    old = rf"{{\nonshppict{{\pict\wmetafile8 {bytes([shade, size % 256]).hex()}}}}}"
    return rf"{{\*\shppict{{\pict\picscalex{size}\pngblip {cut}}}}}{old}"


OBJECT = r"{{\object\objemb{{\*\objclass Package}}{{\*\objdata {0}}}}}"
REMARK = r"{{\*\atnid A}}{{\*\atnauthor {0}}}\chatn{{\*\annotation{{\*\atndate {2}}}\pard {1}}}"
LINK = r'{{\field{{\*\fldinst{{HYPERLINK "{0}"}}}}{{\fldrslt here}}}}'
BOX = r"{{\field{{\*\fldinst FORMCHECKBOX {{\*\formfield{{\fftype1\ffres{1}{{\*\ffname {0}}}}}}}}}{{\fldrslt }}}}"
POWER = r"{{\mmath{{\*\moMath{{\{0}{{\me{{\mr x}}}}}}}}}}"
SHAPE = r"{{\shp{{\*\shpinst{{\sp{{\sn shapeType}}{{\sv {0}}}}}{{\sp{{\sn {1}}}{{\sv {2}}}}}}}}}"
PAIRS = [
    (letter(SHAPE.format(13, "posv", 1)), letter(SHAPE.format(66, "posv", 1)), OtherContent.PICTURES),
    (
        letter(SHAPE.format(136, "gtextUNICODE", "VOID")),
        letter(SHAPE.format(136, "gtextUNICODE", "VALID")),
        OtherContent.PICTURES,
    ),
    (letter(shown(1)), letter(shown(2)), OtherContent.PICTURES),
    (letter(shown(1)), letter(), OtherContent.PICTURES),
    (letter(OBJECT.format("0102")), letter(OBJECT.format("0103")), OtherContent.ATTACHMENTS),
    (letter(REMARK.format("Ann", "Why?", 1)), letter(REMARK.format("Ann", "Who?", 1)), OtherContent.COMMENTS),
    (letter(REMARK.format("Ann", "Why?", 1)), letter(REMARK.format("Bo", "Why?", 1)), OtherContent.COMMENTS),
    (letter(LINK.format("https://a.org")), letter(LINK.format("https://b.org")), OtherContent.LINKS),
    (letter(BOX.format("paid", 0)), letter(BOX.format("paid", 1)), OtherContent.FORM_FIELDS),
    (letter(BOX.format("paid", 0)), letter(BOX.format("sent", 0)), OtherContent.FORM_FIELDS),
    (letter(POWER.format("msSup")), letter(POWER.format("msSub")), OtherContent.FORMULAS),
    (
        letter(r"{\deleted\revauthdel1 old}"),
        letter(r"{\deleted\revauthdel1 odd}"),
        OtherContent.TRACKED_CHANGES,
    ),
    (
        letter(r"{\deleted\revauthdel1 old}"),
        letter(r"{\deleted\revauthdel2 old}"),
        OtherContent.TRACKED_CHANGES,
    ),
    (letter(r"{\revised\revauth1  new}"), letter(r"{ new}"), OtherContent.TRACKED_CHANGES),
    (letter(r"{\header Draft}"), letter(r"{\header Final}"), OtherContent.HEADERS),
]


@pytest.mark.parametrize(("first", "second", "kind"), PAIRS)
def test_letters_that_differ_in_one_kind_of_content_differ_in_no_other(
    first: bytes, second: bytes, kind: OtherContent
) -> None:
    assert unlike(first, second, "a.rtf") == {kind}
    assert unlike(first, first, "a.rtf") == set()


def test_a_letter_of_words_alone_is_known_to_hold_nothing_else() -> None:
    assert held(letter(), "a.rtf") == {}
    assert held(making.rtf(), "a.rtf") == {}
    assert held(letter(SHAPE.format(202, "gtextUNICODE", "")), "a.rtf") == {}


def test_what_a_save_writes_anew_is_no_difference() -> None:
    first = shown(1) + REMARK.format("Ann", "Why?", 1) + r"{\deleted\revauthdel1 the old}"
    second = shown(1, size=301) + REMARK.format("Ann", "Why?", 2)
    second += r"{\deleted\revauthdel1 the }{\deleted\revauthdel1\insrsid7 old}"
    assert unlike(letter(first), letter(second), "a.rtf") == set()
    foot = r"{{\footer Page {{\field{{\*\fldinst PAGE}}{{\fldrslt {0}}}}}}}"
    assert unlike(letter(foot.format(1)), letter(foot.format(9)), "a.rtf") == set()


def test_pictures_in_binary_are_told_by_their_bytes() -> None:
    first, second = (letter(rf"{{\pict\pngblip\bin4 {content}}}") for content in ("{}ab", "{}ac"))
    assert unlike(first, second, "a.rtf") == {OtherContent.PICTURES}


def test_the_second_reader_of_rich_text_looks_at_words_alone() -> None:
    other = read_rtf_otherwise(letter(shown(1))).other
    assert other.keys() == MAY_HOLD[MediaType.RTF] and set(other.values()) == {""}
