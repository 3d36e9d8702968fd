"""The catalogue of translations of English texts to the language in use.

The English text is the key, with named places: `say("{path} is a folder.", path=path)`. Where two uses of the same
English word need different translations, the key also has a context. A text with a count has two English forms and as
many translated forms as the language needs. `packaging/translations/update.py` collects the keys from the source.
"""

from __future__ import annotations

import gettext
import re
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dupfinder.base.paths import resource
from dupfinder.base.settings import LANGUAGES, N_

if TYPE_CHECKING:
    from babel import Locale

__all__ = [
    "ENGLISH",
    "LANGUAGES",
    "NP_",
    "N_",
    "PSEUDO",
    "Catalogue",
    "current",
    "of_system",
    "say",
    "say_as",
    "say_count",
    "say_some",
    "speaking",
    "use",
]

ENGLISH: Final = "en"
PSEUDO: Final = "pseudo"  # marks every translated text, so that untranslated text is visible
_REFERENCE: Final = "es"  # its catalogue tells which texts have a translation
_AS_PYTHON: Final = (ENGLISH, PSEUDO)  # languages that write numbers as Python does
_MARKS: Final = str.maketrans("aceinouyACEINOUY", "áçéíñóúýÁÇÉÍÑÓÚÝ")
# What a translation does not change: places, tags, entities, and commands in backticks.
_UNTRANSLATED: Final = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\)[srd]|[srd])|<[^<>]*>|&\w+;|`[^`]*`)")


class Catalogue:
    """The texts of one language. language: a key of LANGUAGES."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._texts = _compiled(language)

    @property
    def tag(self) -> str:
        """The language as HTML and Word name it: "zh-CN"."""
        return self.language.replace("_", "-")

    def text(self, source: str, context: str = "") -> str:
        """Return the translation of `source`, or `source` itself without a translation."""
        if not source:
            return source  # the key of the catalogue's own header
        return self._texts.pgettext(context, source) if context else self._texts.gettext(source)

    def plural(self, singular: str, plural: str, number: int) -> str:
        """Return the translated form for `number`.

        The key is `singular`; without translation `singular` or `plural` is returned.
        """
        return self._texts.ngettext(singular, plural, number)


class _PseudoCatalogue(Catalogue):
    """English texts, each marked if it has a translation. Unmarked text was never looked up, or has none."""

    def __init__(self) -> None:
        super().__init__(_REFERENCE)
        self.language = PSEUDO

    @property
    def tag(self) -> str:
        return ENGLISH

    def text(self, source: str, context: str = "") -> str:
        """Return `source`, marked if it has a translation."""
        # A translation is another object than its key, even where both texts are equal.
        return source if super().text(source, context) is source else _marked(source)

    def plural(self, singular: str, plural: str, number: int) -> str:
        """Return the English form for `number`, marked if it has a translation."""
        translated = super().plural(singular, plural, number)
        form = singular if number == 1 else plural
        return form if translated is singular or translated is plural else _marked(form)


def _compiled(language: str) -> gettext.NullTranslations:
    """Return the compiled translations of a language, without texts if it has none."""
    try:
        with resource(f"translations/{language}.mo").open("rb") as file:
            return gettext.GNUTranslations(file)
    except FileNotFoundError:
        return gettext.NullTranslations()


def _marked(text: str) -> str:
    """Return the text with accents and in brackets, but not its places: the texts that fill them are marked too."""
    parts = _UNTRANSLATED.split(text)
    return "".join(
        part if number % 2 or not any(map(str.isalpha, part)) else f"⟦{part.translate(_MARKS)}⟧"
        for number, part in enumerate(parts)
    )


def language_for(name: str) -> str:
    """Return the language for a locale such as "es_MX.UTF-8" or "zh-Hans"; English for an unknown locale."""
    return _known(name) or ENGLISH


def _known(locale: str) -> str | None:
    spoken = re.split(r"[_.@-]", locale)[0].lower()
    return next((code for code in LANGUAGES if code.partition("_")[0] == spoken), None)


def chosen(environment: Mapping[str, str]) -> str | None:
    """Return the language that DUPFINDER_LANGUAGE names, as a key of LANGUAGES or a locale; None if it names none."""
    name = environment.get("DUPFINDER_LANGUAGE", "")
    return PSEUDO if name == PSEUDO else _known(name)


def of_system(environment: Mapping[str, str]) -> str:
    """Return the language that the system is set to, as its environment says; English for the locales C and POSIX."""
    name = next((environment[key] for key in ("LC_ALL", "LC_MESSAGES", "LANG") if environment.get(key)), "")
    if not name and sys.platform == "win32":
        import ctypes
        import locale

        name = locale.windows_locale.get(ctypes.windll.kernel32.GetUserDefaultUILanguage(), "")
    if not name and sys.platform == "darwin":  # a program that is not started in a terminal has no such variables
        name = _first_language_of(Path.home() / "Library" / "Preferences" / ".GlobalPreferences.plist")
    preferred = environment.get("LANGUAGE", "").split(":")[0]  # counts only beside a locale that is not English
    return language_for(preferred if preferred and language_for(name) != ENGLISH else name)


def _first_language_of(preferences: Path) -> str:
    """Return the first language that a person prefers on macOS ("zh-Hans-CN"); "" if it is not known."""
    import plistlib

    with suppress(OSError, ValueError, LookupError, TypeError):
        return str(plistlib.loads(preferences.read_bytes())["AppleLanguages"][0])
    return ""


_of_process = Catalogue(ENGLISH)
_of_task: ContextVar[Catalogue | None] = ContextVar("catalogue", default=None)


def use(language: str) -> None:
    """Choose the language of this process: a key of LANGUAGES, or PSEUDO. Raises KeyError for any other."""
    global _of_process
    _of_process = _catalogue(language)


def current() -> Catalogue:
    """Return the catalogue of the language in use."""
    return _of_task.get() or _of_process


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language in a `with` block, in this thread (or task of asyncio) only."""
    token = _of_task.set(_catalogue(language))
    try:
        yield
    finally:
        _of_task.reset(token)


@lru_cache
def _catalogue(language: str) -> Catalogue:
    if language == PSEUDO:
        return _PseudoCatalogue()
    LANGUAGES[language]  # KeyError
    return Catalogue(language)


def NP_(singular: str, plural: str) -> tuple[str, str]:
    """Mark the two English forms of a text that counts, for `say_count` to use later."""
    return singular, plural


def say(source: str, /, **places: object) -> str:
    """Return a text in the language in use, with its `{places}` filled."""
    text = current().text(source)
    return text.format(**places) if places else text


def say_as(context: str, source: str, /, **places: object) -> str:
    """Return a text as `say` does, for an English text whose translation depends on the context."""
    text = current().text(source, context)
    return text.format(**places) if places else text


def say_count(singular: str, plural: str, number: int, /, **places: object) -> str:
    """Return the form of a text for `number`, which replaces `{count}`: "{count} file", "{count} files"."""
    return current().plural(singular, plural, number).format(count=number_text(number), **places)


def say_some(singular: str, plural: str, number: int, /, **places: object) -> str:
    """Return a text as `say_count` does, and "" for the number 0."""
    return say_count(singular, plural, number, **places) if number else ""


def number_text(value: float, decimals: int = 0) -> str:
    """Return a number with `decimals` decimals and its thousands grouped: "20,482", in Spanish "20.482".

    Babel is loaded only for languages that do not write numbers as Python does.
    """
    if current().language in _AS_PYTHON:
        return f"{value:,.{decimals}f}"
    return _number(current().language, value, decimals)


@lru_cache(maxsize=4096)
def _number(language: str, value: float, decimals: int) -> str:
    from babel.numbers import format_decimal

    return format_decimal(value, f"#,##0.{'0' * decimals}" if decimals else "#,##0", locale=locale_of(language))


@lru_cache
def locale_of(language: str) -> Locale:
    """Return Babel's locale of a language. English dates are written day before month."""
    from babel import Locale

    return Locale.parse("en_GB" if language in _AS_PYTHON else language)
