"""Stop-words: the words of a language that say nothing of a text's subject."""

from __future__ import annotations

from functools import cache

from dupfinder.base.paths import resource

# Languages with a list in resources/stopwords; of equal votes the first wins.
LANGUAGES = (
    "en", "zh", "es", "de", "fr", "pt", "it", "ru", "nl", "pl", "ar", "fa", "id", "tr", "vi", "uk", "cs", "sv",
    "hu", "ro", "el", "da", "fi", "no", "he", "bg", "ca", "hi",
)  # fmt: skip


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop-words of a language, in the normal form of texts; none for a language without a list."""
    if language not in LANGUAGES:
        return frozenset()
    lines = resource(f"stopwords/{language}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


@cache
def every_stop_word() -> frozenset[str]:
    """The stop-words of all languages."""
    return frozenset().union(*map(stop_words, LANGUAGES))
