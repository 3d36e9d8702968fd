"""Features of texts, and their weights."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.fingerprint.features import FeatureExtractor, Terms, merged, stems_of
from dupfinder.fingerprint.fingerprinter import Fingerprinter
from dupfinder.fingerprint.hashing import xxh3
from dupfinder.fingerprint.language import every_stop_word
from dupfinder.fingerprint.scheme import Scheme
from dupfinder.fingerprint.tokens import tokens_of
from dupfinder.fingerprint.weights import UNIT, TermFrequency, shipped
from dupfinder.text.normalise import normalise

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning", "ignore::UserWarning")

FEATURES = FeatureExtractor(TermFrequency())


def terms_of(text: str, features: FeatureExtractor = FEATURES) -> Terms:
    return merged(features.terms_of(tokens_of([normalise(text)])))


def counted(terms: Terms) -> dict[int, int]:
    return dict(zip(terms.features.tolist(), terms.counts.tolist(), strict=True))


def hashed(counts: dict[str, int]) -> dict[int, int]:
    return {xxh3(word.encode()): count for word, count in counts.items()}


def test_stop_words_are_no_features_and_words_are_stemmed() -> None:
    terms = terms_of("the boats of 98 and the boat in the harbours 42")
    assert counted(terms) == hashed({"boat": 2, "harbour": 1})
    assert terms.features.tolist() == sorted(terms.features.tolist())
    assert set(terms.rarity.tolist()) == {UNIT}


@pytest.mark.parametrize("number", ["12306", "95306", "４７１１", "1998"])
def test_long_numbers_are_features(number: str) -> None:
    assert counted(terms_of(f"invoice {number}")) == hashed({"invoic": 1, normalise(number): 1})


@pytest.mark.parametrize("number", ["7", "42", "365", "12:30", "08:15:59", "1 2 3 4 5", "4.2.1", "3/4"])
def test_page_numbers_clocks_and_section_numbers_are_no_features(number: str) -> None:
    assert counted(terms_of(f"invoice {number}")) == hashed({"invoic": 1})


@pytest.mark.parametrize(
    ("left", "right"), [("1,299.00", "1.299,00"), ("2026-11-22", "2026/11/22"), ("555-0143", "555.0143")]
)
def test_a_number_is_the_same_whatever_signs_part_its_digits(left: str, right: str) -> None:
    assert counted(terms_of(f"invoice {left}")) == counted(terms_of(f"invoice {right}"))
    assert len(terms_of(f"invoice {left}").features) == 2


@pytest.mark.parametrize(("left", "right"), [("12,34", "34,12"), ("1,299.00", "12,99.00"), ("12.34", "1234")])
def test_other_groups_of_digits_are_another_number(left: str, right: str) -> None:
    assert counted(terms_of(f"invoice {left}")) != counted(terms_of(f"invoice {right}"))


def test_a_number_weighs_by_its_digits_and_no_more_than_a_rare_word() -> None:
    numbers = ["1234", "12345", "123456", "1234567890123456"]
    features = FeatureExtractor(shipped())
    rarities = []
    for number in numbers:
        terms = terms_of(f"invoice {number}", features)
        rarities.append(int(terms.rarity[terms.features == xxh3(number.encode())][0]))
    assert rarities == [213, 425, 8 * UNIT, 8 * UNIT]


def test_the_words_of_a_number_are_the_number_as_it_stands() -> None:
    tokens = tokens_of(["paid 1,299.00 euros on 2026-11-22, at 12:30"])
    (terms,) = FEATURES.terms_of(tokens)
    assert set(FEATURES.words_of(tokens, terms.features).values()) == {"paid", "1,299.00", "euros", "2026-11-22"}


def plain_numbers(text: str) -> Counter[tuple[str, ...]]:
    """Return the groups of digits of each number with more than three digits, in the slow way."""
    numbers = re.findall(r"(?<![a-z0-9])[0-9]+(?:[.,\-/'_][0-9]+)*(?![a-z0-9])", text)
    groups = [tuple(re.split(r"[.,\-/'_]", number)) for number in numbers]
    return Counter(group for group in groups if len("".join(group)) > 3)


@given(st.text(st.sampled_from("0123456789.,-/:' "), max_size=60))
def test_numbers_found_at_once_are_those_found_one_by_one(text: str) -> None:
    counts = terms_of(f"invoice {text} paid").counts
    assert sorted(counts.tolist()) == sorted([1, 1, *plain_numbers(normalise(text)).values()])


def test_a_word_has_one_stem_in_every_text_and_language() -> None:
    assert stems_of(["contracts", "contratos", "договоры", "συμβάσεις", "합의"]) == [
        "contract",
        "contrato",
        "договор",
        "συμβασ",
        "합의",
    ]
    english, spanish = "the harbour was closed when the storm came", "el puerto estaba cerrado por la tormenta"
    words = "contracts contratos"
    beside = [set(counted(terms_of(f"{text} {words}"))) for text in (english, spanish)]
    assert beside[0] & beside[1] == set(hashed({"contract": 1, "contrato": 1}))


def test_a_text_in_two_languages_keeps_its_features_when_one_half_grows() -> None:
    english = "the harbour was closed when the storms came and nobody knew how long it would stay "
    spanish = "el puerto estaba cerrado cuando llegaron las tormentas y nadie sabía cuánto tiempo se quedaría "
    even, more = set(counted(terms_of(english * 3 + spanish * 3))), set(counted(terms_of(english * 3 + spanish * 9)))
    assert even == more
    assert even == set(counted(terms_of(english))) | set(counted(terms_of(spanish)))


def test_chinese_words_are_kept_whole_and_their_stop_words_left_out() -> None:
    terms = terms_of("这是服务器的升级，服务器 new server")
    assert counted(terms) == hashed({"服务器": 2, "升级": 1, "new": 1, "server": 1})


def test_kana_and_thai_give_pairs_of_characters() -> None:
    assert len(terms_of("とても").features) == 2
    assert len(terms_of("ไทย").features) == 2


def test_text_of_nothing_but_short_numbers_and_stop_words_has_no_features() -> None:
    for text in ("", "the of and", "1 2 3", "的了", "12 of 306", "的123"):
        assert not len(terms_of(text).features)


def test_long_numbers_are_features_without_words_too() -> None:
    parts = FEATURES.terms_of(tokens_of(["12306 95306", "", "boat 12306"]))
    assert counted(merged(parts)) == hashed({"12306": 2, "95306": 1, "boat": 1})
    assert counted(merged(parts[:2])) == hashed({"12306": 1, "95306": 1})


@given(st.lists(st.lists(st.sampled_from(["quay", "boat", "storm", "42", "the"]), max_size=10), min_size=1, max_size=4))
def test_terms_of_parts_add_up_to_those_of_the_whole(parts: list[list[str]]) -> None:
    terms = merged(FEATURES.terms_of(tokens_of([" ".join(part) for part in parts])))
    expected = Counter(word for part in parts for word in part if word not in ("42", "the"))
    assert counted(terms) == hashed(expected)


def test_what_was_seen_before_changes_nothing() -> None:
    fresh = FeatureExtractor(TermFrequency())
    text = "boats and harbours " + " ".join(f"ship{number} {number}" for number in range(9900, 10_200))
    fresh.terms_of(tokens_of([" ".join(f"word{number} {number}" for number in range(100_000))]))
    assert counted(terms_of(text, fresh)) == counted(terms_of(text))


def test_a_stem_shared_with_a_stop_word_counts_for_the_other_words_alone() -> None:
    assert stems_of(["being", "beings"]) == ["be", "be"]
    assert "being" in every_stop_word()
    maker = Fingerprinter(Scheme())
    alone = maker.terms_of("beings " * 40)
    for order in ("being beings " * 40, "beings being " * 40):
        beside = maker.terms_of(order)
        assert beside.features.tolist() == alone.features.tolist()
        assert beside.counts.tolist() == alone.counts.tolist()


def test_korean_counts_the_same_wherever_a_program_put_its_spaces() -> None:
    """One converter drops spaces, another breaks lines inside words."""
    prints = Fingerprinter(Scheme())
    text = "데비안은 신중하고 양심적으로 함께 모여 비슷한 주의로 유지되고 지지받아야 한다는 뜻이었다"
    whole, glued = prints.print_of(text), prints.print_of(text.replace(" ", ""))
    broken = prints.print_of(text.replace("양심적으로", "양심 적으로"))
    assert whole.language == "ko" and whole.words == len(text.replace(" ", ""))
    assert whole.fingerprint == glued.fingerprint == broken.fingerprint
    assert whole.text_hash == glued.text_hash
    assert whole.shingles == glued.shingles == broken.shingles


@pytest.mark.parametrize(
    ("language", "text", "broken"),
    [
        ("hi", "प्रोजेक्ट के लिए सभी स्थापित स्रोत उपलब्ध हैं", "प्रो जेक्ट के लि ए सभी स्था पि त स्रो त उपलब्धहैं"),
        ("bn", "প্রকল্পের জন্য সমস্ত উৎস উপলব্ধ আছে", "প্রকল্পে র জন্য সমস্তউৎস উপল ব্ধ আছে"),
        ("ta", "திட்டத்திற்கு அனைத்து மூலங்களும் உள்ளன", "திட்ட த்திற்கு அனை த்து மூலங்க ளும் உள்ளன"),
    ],
)
def test_indic_words_count_the_same_wherever_a_pdf_has_spaces(language: str, text: str, broken: str) -> None:
    """Readers take gaps between their letters for spaces."""
    prints = Fingerprinter(Scheme())
    whole, parted = prints.print_of(text), prints.print_of(broken)
    assert whole.language == parted.language == language
    assert whole.fingerprint == parted.fingerprint
    assert whole.shingles == parted.shingles
    assert whole.text_hash != prints.print_of(text.removesuffix(text[-3:])).text_hash
