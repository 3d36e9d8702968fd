"""The language of a text."""

from __future__ import annotations

import pytest

from dupfinder.fingerprint.language import TEXT_LANGUAGES, languages_of, stop_words
from dupfinder.fingerprint.tokens import tokens_of
from tests.fingerprint.judges import shingle_tokens

SENTENCES = {
    "en": "the harbour was closed when the storm came and nobody knew how long it would stay",
    "de": "der hafen war geschlossen als der sturm kam und niemand wusste wie lange er bleiben würde",
    "es": "el puerto estaba cerrado cuando llegó la tormenta y nadie sabía cuánto tiempo se quedaría",
    "fr": "le port était fermé quand la tempête est arrivée et personne ne savait combien elle durerait",
    "it": "il porto era chiuso quando è arrivata la tempesta e nessuno sapeva quanto sarebbe durata",
    "pt": "o porto estava fechado quando a tempestade chegou e ninguém sabia quanto tempo ela ficaria",
    "nl": "de haven was gesloten toen de storm kwam en niemand wist hoe lang hij zou blijven",
    "ru": "порт был закрыт когда пришёл шторм и никто не знал как долго он останется",
    "pl": "port był zamknięty kiedy przyszedł sztorm i nikt nie wiedział jak długo on zostanie",
    "sv": "hamnen var stängd när stormen kom och ingen visste hur länge den skulle stanna",
    "zh": "暴风雨来临时港口关闭了没有人知道会持续多久",
    "ja": "嵐が来たとき港は閉鎖されていて、どのくらい続くのか誰も知らなかった",
    "my": "မုန်တိုင်း ရောက်လာသောအခါ ဆိပ်ကမ်းကို ပိတ်ထားပြီး မည်မျှကြာမည်ကို မည်သူမျှ မသိခဲ့ပါ",
    "ko": "폭풍이 왔을 때 항구는 닫혀 있었고 얼마나 오래 갈지 아무도 몰랐다",
}


@pytest.mark.parametrize("code", SENTENCES)
def test_a_sentence_tells_its_language(code: str) -> None:
    assert languages_of([SENTENCES[code]], tokens_of([SENTENCES[code]])) == [code]


@pytest.mark.parametrize("text", ["", "12 34", "...", "invoice 4711", "zyx qwv"])
def test_too_little_text_tells_no_language(text: str) -> None:
    assert languages_of([text], tokens_of([text])) == [""]


def test_a_language_without_stop_words_is_told_by_its_letters() -> None:
    sentence = (
        "uostas buvo uždarytas kai atėjo audra ir niekas nežinojo kiek laiko ji tęsis senajame mieste prie jūros "
    )
    assert languages_of([sentence * 5], tokens_of([sentence * 5])) == ["lt"]


@pytest.mark.parametrize("code", TEXT_LANGUAGES)
def test_stop_words_are_words_in_the_form_of_tokens(code: str) -> None:
    words = stop_words(code)
    assert len(words) > 50
    for word in words:
        assert word == word.casefold()
        if code != "zh":
            assert shingle_tokens(word) == [word]


def test_a_language_without_a_list_has_no_stop_words() -> None:
    assert stop_words("xx") == frozenset()
    assert stop_words("../en") == frozenset()
