"""Prints of whole texts."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint import tokens
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.language import TEXT_LANGUAGES, stop_words
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.simhash import distance, simhash
from dupfinder.fingerprint.sketch import TextPrint, hashes_of, min_sketch
from dupfinder.text.normalise import normalise
from tests.fingerprint.judges import plain_simhash

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning", "ignore::UserWarning")

STORY = (
    "the harbour of the old town was closed in winter when storms drove the fishing boats against the quay "
    "and the keeper of the lighthouse wrote the height of every wave into his grey book "
)
PRINTS = Fingerprinter(Scheme())
words = st.lists(
    st.sampled_from(["the", "boat", "quay", "storms", "42", "服务器", "升级", "とても", "naïve"]), max_size=60
)


def same(left: TextPrint, right: TextPrint) -> bool:
    """Tell whether two prints are equal in every field."""
    arrays = np.array_equal(left.sketch, right.sketch)
    return arrays and (left.fingerprint, left.has_features, left.words, left.text_hash, left.shingles) == (
        right.fingerprint,
        right.has_features,
        right.words,
        right.text_hash,
        right.shingles,
    )


def test_the_same_words_in_other_spacing_and_punctuation_are_the_same_text() -> None:
    left = PRINTS.print_of("it's 中 文 test, fine")
    right = PRINTS.print_of("it’s 中文 test fine")
    assert left.text_hash == right.text_hash
    assert left.fingerprint == right.fingerprint


def test_other_words_or_another_order_are_another_text() -> None:
    hashes = {PRINTS.print_of(text).text_hash for text in ("a bc", "ab c", "c ab", "abc", "ab c d", "")}
    assert len(hashes) == 6


def test_short_numbers_and_punctuation_have_no_features() -> None:
    print_ = PRINTS.print_of("12 345 -- 6.7 (8)")
    assert not print_.has_features
    assert print_.words == 5


@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=50), st.sampled_from([" ", "\n", ":"]))
def test_a_text_of_nothing_but_short_numbers_is_too_short_to_compare(numbers: list[int], between: str) -> None:
    print_ = PRINTS.print_of(between.join(map(str, numbers)))
    assert print_.has_features == (max(numbers) > 999)
    assert print_.shingles


def test_contracts_that_differ_in_number_and_price_only_are_apart() -> None:
    contract = (
        "contract {} of the harbour office: the keeper repairs the lamp, the boat and the quay before winter and is "
        "paid {} euros when the work is done and the harbour master has seen it"
    )
    left, right = (PRINTS.print_of(contract.format(*facts)) for facts in (("12306", "1,299.00"), ("95306", "8,150.00")))
    assert distance(left.fingerprint, right.fingerprint) >= 8
    assert len(np.intersect1d(left.sketch, right.sketch)) < left.shingles


def test_another_date_in_a_long_text_moves_few_bits_and_other_page_numbers_none() -> None:
    left, right = PRINTS.print_of(STORY * 9 + "2026-11-22"), PRINTS.print_of(STORY * 9 + "2025-01-31")
    assert distance(left.fingerprint, right.fingerprint) <= 4
    pages = [" ".join(f"{STORY} page {number}" for number in range(first, first + 9)) for first in (1, 200)]
    assert PRINTS.print_of(pages[0]).fingerprint == PRINTS.print_of(pages[1]).fingerprint


def test_full_width_characters_are_those_of_half_width() -> None:
    left, right = normalise("Ｉｎｖｏｉｃｅ　１２３０６：ﾎﾟｰﾄの桟橋"), normalise("invoice 12306:ポートの桟橋")
    assert same(PRINTS.print_of(left), PRINTS.print_of(right))


def test_traditional_chinese_is_simplified_chinese_where_the_scheme_says_so() -> None:
    traditional, simplified = "請檢查伺服器的設置並備份數據", "请检查伺服器的设置并备份数据"
    folding = Fingerprinter(Scheme(simplify=True))
    left, right = map(folding.print_of, (traditional, simplified))
    assert not same(left, right) and left.text_hash != right.text_hash
    assert same(replace(left, text_hash=right.text_hash), right)
    assert np.array_equal(left.trace, right.trace)  # by which long texts are compared
    assert not np.array_equal(PRINTS.print_of(traditional).sketch, PRINTS.print_of(simplified).sketch)
    assert same(folding.print_of(simplified), PRINTS.print_of(simplified))


def test_a_text_that_lost_its_accents_has_the_same_shingles_and_other_words_that_are_alike() -> None:
    text, plain = "el año en que murió josé, à la fin de l'été", "el ano en que murio jose, a la fin de l'ete"
    left, right = map(PRINTS.print_of, (text, plain))
    assert np.array_equal(left.sketch, right.sketch) and tokens.are_alike(left.trace, right.trace).all()
    assert left.text_hash != right.text_hash and left.fingerprint != right.fingerprint
    assert np.flatnonzero(left.trace != right.trace).tolist() == [1, 4, 5, 6, 11]
    assert np.array_equal(PRINTS.shingle_set(text), PRINTS.shingle_set(plain))


# Kept in libraries: a change of these must raise scheme.REVISION.
KNOWN = [
    (
        "the keeper of the lighthouse wrote the height of every wave into his grey book",
        "en",
        (0x2B433D6211D2C8B1, "1ed42f4ccf8ef4e87be788e4d7344fdc", 0x0541946D198D53EA),
    ),
    (
        "der wärter des leuchtturms schrieb die höhe jeder welle in sein graues buch",
        "de",
        (0x6D9EA8D935BB6169, "e2c1dbea10084c0ae5b705d38d95239c", 0x022CB9D80ADDA4C4),
    ),
    (
        "смотритель маяка записывал высоту каждой волны в свою серую книгу",
        "ru",
        (0x6131618CF4B5C350, "3ac9a7b68abd0abf2d95f690637c2334", 0x420787BD63750397),
    ),
    (
        "灯塔的看守人把每一个海浪的高度写进他的灰色笔记本",
        "zh",
        (0x20DAD7E853331203, "af9fee8a9f7c2eba4b9da05d7236a084", 0x01AEC7BA3A9E6A7C),
    ),
    (
        "灯台守は波の高さをすべて灰色の手帳に書いた",
        "ja",
        (0x4B7A176806B63686, "23cc2a98be61bf1d8b4682148390395e", 0x19C5A498B1F3BABF),
    ),
]


@pytest.mark.parametrize(("text", "language", "expected"), KNOWN)
def test_prints_stay_what_they_are(text: str, language: str, expected: tuple[int, str, int]) -> None:
    print_ = PRINTS.print_of(text)
    assert print_.language == language
    assert (print_.fingerprint, print_.text_hash.hex(), int(print_.sketch[0])) == expected


def test_an_empty_text_has_nothing() -> None:
    print_ = PRINTS.print_of("")
    assert (print_.has_features, print_.words, print_.shingles, print_.language) == (False, 0, 0, "")
    assert not len(print_.sketch)


def test_a_text_shorter_than_a_shingle_has_one() -> None:
    assert PRINTS.print_of("grey book").shingles == 1


def test_one_more_word_moves_few_bits_and_another_text_many() -> None:
    story = PRINTS.print_of(STORY * 5).fingerprint
    assert distance(story, PRINTS.print_of(STORY * 5 + " tonight").fingerprint) <= 4
    other = "invoice for the delivery of seven printers with toner and a contract of service for two years"
    assert distance(story, PRINTS.print_of(other).fingerprint) >= 12


def test_the_fingerprint_is_that_of_the_definition() -> None:
    text = STORY + "服务器的升级，服务器"
    print_, terms = PRINTS.print_of(text), PRINTS.terms_of(text)
    weights = [
        round(16 * (1 + 2 * np.log2(count))) * rarity
        for count, rarity in zip(terms.counts.tolist(), terms.rarity.tolist(), strict=True)
    ]
    assert print_.fingerprint == plain_simhash(zip(terms.features.tolist(), weights, strict=True), 64)


def test_counts_alone_weigh_under_tf() -> None:
    scheme = Fingerprinter(Scheme(weights="tf"))
    terms = scheme.terms_of(STORY * 2)
    expected = plain_simhash(zip(terms.features.tolist(), terms.counts.tolist(), strict=True), 64)
    assert scheme.print_of(STORY * 2).fingerprint == expected


def test_only_the_heaviest_features_count_when_their_number_is_limited() -> None:
    scheme = Fingerprinter(Scheme(weights="tf", top=1))
    text = "boat boat boat quay quay storm"
    assert scheme.print_of(text).fingerprint == scheme.print_of("boat").fingerprint


def test_the_heaviest_words_are_told_as_they_stand_in_the_text() -> None:
    text = "harbours and boats, harbours and a walrus; 服务器 服务器 升级 とても"
    heavy = Fingerprinter(Scheme(weights="tf")).heaviest(text, 3)
    assert {word.word: word.count for word in heavy[:2]} == {"harbours": 2, "服务器": 2}
    assert heavy[0].share == pytest.approx(2 / 9)
    everything = PRINTS.heaviest(text, 100)
    assert {word.word for word in everything} == {"harbours", "boats", "walrus", "服务器", "升级", "とて", "ても"}
    assert sum(word.share for word in everything) == pytest.approx(1)
    assert [word.share for word in everything] == sorted((word.share for word in everything), reverse=True)


def test_a_text_without_features_has_no_heavy_words() -> None:
    assert PRINTS.heaviest("1 2 3", 10) == []


@pytest.mark.parametrize("bits", [32, 64, 128])
def test_fingerprints_have_the_width_of_their_scheme(bits: int) -> None:
    texts = [STORY + f" chapter {word}" for word in ("walrus", "lamp", "rope", "tar", "net", "oar", "sail", "mast")]
    fingerprints = [Fingerprinter(Scheme(bits=bits)).print_of(text).fingerprint for text in texts]
    assert max(fingerprints).bit_length() > bits - 12
    assert max(fingerprints) < 1 << bits


@pytest.mark.parametrize("kind", ["xxh3", "rabin"])
def test_sketches_are_those_of_the_shingle_set(kind: str) -> None:
    scheme = Scheme(sketch=20, shingle_hash=kind)
    prints = Fingerprinter(scheme)
    print_, whole = prints.print_of(STORY), prints.shingle_set(STORY)
    assert print_.shingles == len(whole) > 20
    assert print_.sketch.tolist() == min_sketch(whole, 20).tolist()


@given(words, st.integers(30, 60))
def test_a_text_read_in_chunks_has_the_print_of_the_whole(parts: list[str], size: int) -> None:
    text = " ".join(parts)
    whole = PRINTS.print_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "CHUNK", size)
        chunked = PRINTS.print_of(text)
    if {"服务器", "升级", "とても"} & set(parts):  # a cut may change how a run without spaces is segmented
        chunked = replace(chunked, fingerprint=whole.fingerprint)
    assert same(chunked, whole)
    assert chunked.trace.tolist() == whole.trace.tolist()


any_words = st.lists(
    st.sampled_from(["the", "of", "boat", "42", "1,299.00", "服务器升级", "とても", "조선", "naïve", "�"]), max_size=40
)


@given(st.lists(any_words, max_size=12), st.integers(40, 400))
def test_texts_have_the_same_prints_together_as_one_by_one(texts: list[list[str]], size: int) -> None:
    together = [" ".join(words) for words in texts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "CHUNK", size)  # several batches, one text in two of them or not
        prints = PRINTS.prints_of(together)
        alone = [PRINTS.print_of(text) for text in together]
    assert len(prints) == len(texts)
    assert all(map(same, prints, alone))
    assert [(each.language, each.trace.tolist()) for each in prints] == [
        (each.language, each.trace.tolist()) for each in alone
    ]


@given(words)
def test_prints_do_not_depend_on_what_was_read_before(parts: list[str]) -> None:
    text = " ".join(parts)
    assert same(Fingerprinter(Scheme()).print_of(text), PRINTS.print_of(text))


@pytest.mark.slow
@pytest.mark.parametrize("alphabet", ["abcdefghijklmnopqrstuvwxyz ,", "服务器升级测试文本中国人民共和法律条款规定，"])
def test_fifty_megabytes_of_text_fit_in_a_gigabyte(alphabet: str) -> None:
    code = (
        "import numpy as np, resource, sys; from dupfinder.fingerprint.fingerprinter import Fingerprinter; "
        "from dupfinder.fingerprint.scheme import Scheme; letters = np.array([*map(ord, sys.argv[1])], '<u4'); "
        "count = 50_000_000 // len(sys.argv[1][0].encode()); draw = np.random.default_rng(1); "
        "text = letters[draw.integers(0, len(letters), count, np.uint8)].tobytes().decode('utf-32-le'); "
        "print_ = Fingerprinter(Scheme()).print_of(text); assert print_.shingles > 1_000_000; "
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", code, alphabet], capture_output=True, text=True, check=True)
    assert int(done.stdout) < 1_000_000


@pytest.mark.parametrize("seed", range(4))
def test_what_was_read_before_in_any_language_changes_no_print(seed: int) -> None:
    """Frequent words of all languages, and numbers: most likely to share slots of the caches."""
    chance = Random(seed)
    every = sorted({word for language in TEXT_LANGUAGES for word in [*stop_words(language), language]})
    every += [str(chance.randrange(10**7)) for _ in every]
    texts = [" ".join(chance.choices(every, k=300)) for _ in TEXT_LANGUAGES]
    used = Fingerprinter(Scheme())
    for text in texts:
        used.print_of(text)
    for text in texts:
        assert same(used.print_of(text), Fingerprinter(Scheme()).print_of(text))


@pytest.mark.parametrize("bits", [32, 64, 128])
@pytest.mark.parametrize("kind", ["xxh3", "rabin"])
@pytest.mark.parametrize("weights", ["none", "tf"])
def test_a_fingerprint_of_shingles_is_the_simhash_of_the_runs_of_tokens(bits: int, kind: str, weights: str) -> None:
    scheme = Scheme(features="shingles", shingle=2, shingle_hash=kind, weights=weights, bits=bits)
    print_ = Fingerprinter(scheme).print_of("a rose is a rose is a rose 1")
    assert print_.has_features and print_.shingles == 4
    once = hashes_of(tokens.tokens_of(["a rose is a rose is a rose 1"]).hashes, 2, kind)
    values, counts = np.unique(once, return_counts=True)
    weighed = np.ones(len(values)) if weights == "none" else counts.astype(np.float64)
    assert print_.fingerprint == simhash(values, weighed, bits)


def test_texts_of_few_words_differ_by_their_shingles_and_have_no_words_to_compare() -> None:
    maker = Fingerprinter(Scheme(features="shingles", shingle=1, weights="none"))
    prints = [maker.print_of(text) for text in ("1", "2", "of the", "")]
    assert [print_.has_features for print_ in prints] == [True, True, True, False]
    assert len({print_.fingerprint for print_ in prints[:3]}) == 3
    assert not any(PRINTS.print_of(text).has_features for text in ("1", "2", "of the", ""))


def test_unweighted_words_count_once_however_often_they_stand_in_a_text() -> None:
    maker = Fingerprinter(Scheme(weights="none"))
    assert maker.print_of("boat quay storm").fingerprint == maker.print_of("boat quay boat storm boat").fingerprint


def test_a_long_text_has_the_same_shingles_as_features_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    maker = Fingerprinter(Scheme(features="shingles", weights="tf"))
    whole = maker.print_of(STORY * 40)
    monkeypatch.setattr(tokens, "CHUNK", 100)
    assert same(maker.print_of(STORY * 40), whole)


def test_scaled_weights_are_whole_numbers_up_to_the_scale() -> None:
    text = "harbour " * 9 + "storm " * 5 + "lighthouse"
    terms = Fingerprinter(Scheme(weights="tf")).terms_of(text)
    scaled = Fingerprinter(Scheme(weights="tf", scale=5)).print_of(text)
    weights = {9: 5, 5: 3, 1: 1}  # of the heaviest: 5, 2.8 and 0.6, rounded up
    values = np.array([weights[count] for count in terms.counts.tolist()], np.float64)
    assert scaled.fingerprint == simhash(terms.features, values)
    assert Fingerprinter(Scheme(scale=3)).print_of("of the").has_features is False
