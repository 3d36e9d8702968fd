"""The catalogue is complete, its files agree, and sentences speak the language in use."""

from __future__ import annotations

import ast
import functools
import gettext
import importlib.util
import plistlib
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from dupfinder.base.details import Clause, ProblemKind, details
from dupfinder.base.errors import LibraryLocked, UsageError
from dupfinder.base.output import recognise_nothing, replacing
from dupfinder.base.paths import resource
from dupfinder.wording import catalogue
from dupfinder.wording.catalogue import say, say_as, say_count, say_some, speaking
from dupfinder.wording.errors import problem_sentence, put_aside_sentence, sentence
from tests.architecture.sources import PACKAGE, parsed

TOOL = PACKAGE.parent / "packaging" / "translations" / "update.py"
PLACES = re.compile(r"%\(\w+\)[sdr]|%[sr]|\{\w+\}")
TRANSLATED = ("zh_CN", "es")
RUN = "run `make translations`, and translate what is new"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The script that collects the texts."""
    spec = importlib.util.spec_from_file_location("translations_update", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def texts(tool: ModuleType) -> Mapping[Any, list[str]]:
    """Every text for people with the modules that use it."""
    collected: Mapping[Any, list[str]] = tool.messages()
    return collected


@functools.cache
def catalog_of(tool: ModuleType, language: str) -> Any:
    """The catalogue of a language."""
    return tool.read(language)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_text_is_translated_and_no_translation_is_of_a_text_that_is_gone(tool: ModuleType, language: str) -> None:
    catalog = catalog_of(tool, language)
    used = texts(tool)
    missing = [str(message.id) for message in used if not all(tool.forms(catalog, message))]
    assert not missing, "\n".join((RUN, *missing))
    assert len(catalog) == len(used), RUN


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_translation_keeps_every_place_of_its_source_and_has_all_forms(tool: ModuleType, language: str) -> None:
    catalog = catalog_of(tool, language)
    for message in texts(tool):
        forms = tool.forms(catalog, message)
        assert len(forms) == (catalog.num_plurals if message.many else 1), message
        for form in forms:
            assert set(PLACES.findall(form)) <= set(PLACES.findall(message.many or message.one)), form
        assert sorted(PLACES.findall(forms[-1])) == sorted(PLACES.findall(message.many or message.one)), message


@pytest.mark.parametrize("language", TRANSLATED)
def test_collecting_the_texts_again_keeps_all_forms_of_every_translation(tool: ModuleType, language: str) -> None:
    assert tool.unfinished(tool.updated(language, texts(tool))) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_what_is_shipped_is_compiled_from_what_was_translated(tool: ModuleType, language: str) -> None:
    catalog = catalog_of(tool, language)
    with resource(f"translations/{language}.mo").open("rb") as file:
        compiled = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # all there is in it
    expected: dict[object, str] = {}
    for entry in catalog:
        if entry.id:
            source = entry.id[0] if isinstance(entry.id, tuple) else entry.id
            key = f"{entry.context}\x04{source}" if entry.context else source
            if isinstance(entry.id, tuple):
                expected |= {(key, number): form for number, form in enumerate(entry.string)}
            else:
                expected[key] = entry.string
    assert {key: text for key, text in compiled.items() if key} == expected, RUN


@pytest.mark.parametrize(
    ("language", "address"), [("zh_CN", "您|你"), ("es", r"\b(usted|vuelva|indique|instale|revise)\b")]
)
def test_a_translation_addresses_nobody(tool: ModuleType, language: str, address: str) -> None:
    catalog = catalog_of(tool, language)
    forms = [form for message in texts(tool) for form in tool.forms(catalog, message)]
    assert [form for form in forms if re.search(address, form, re.IGNORECASE)] == []


def test_texts_are_literals() -> None:
    """A text that is put together before it is looked up is found by no translator."""
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.Call):
                name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
                if name in ("say", "tell", "say_as", "say_count", "say_some", "N_", "NP_"):
                    assert not any(isinstance(part, ast.JoinedStr) for part in node.args), f"{file}:{node.lineno}"
                assert name not in ("tr", "QT_TRANSLATE_NOOP"), f"{file}:{node.lineno}: every text is said by `say`"


def test_errors_and_problems_are_told_in_the_language_in_use(tmp_path: Path) -> None:
    with speaking("zh_CN"):
        assert (
            sentence(LibraryLocked(Path("/l.db"), 4711))
            == "数据库 /l.db 正被进程 4711 使用。未作任何处理；请等待其结束。"
        )
        assert problem_sentence(ProblemKind.ENCRYPTED, details(Clause.EARLIER, text="AES")) == "需要密码，未读取：AES。"
        with pytest.raises(UsageError) as caught, replacing(tmp_path, recognise_nothing):
            pass
        assert sentence(caught.value) == f"{tmp_path} 是文件夹；请指定文件名。"
        assert "已另存为 /aside" in put_aside_sentence(Path("/aside"))
    assert sentence(LibraryLocked(Path("/l.db"), None)).endswith("wait until it has ended.")


def test_a_text_that_counts_takes_the_form_of_its_number() -> None:
    assert [say_count("{count} byte", "{count} bytes", number) for number in (1, 0, 12000)] == [
        "1 byte", "0 bytes", "12,000 bytes",
    ]  # fmt: skip
    assert [say_some("{count} byte", "{count} bytes", number) for number in (0, 1)] == ["", "1 byte"]


def test_a_value_that_looks_like_a_place_is_shown_as_it_is() -> None:
    assert say("{name} holds {count}", name="{count} %1.txt", count=2) == "{count} %1.txt holds 2"


def test_a_word_of_two_meanings_has_two_translations() -> None:
    with speaking("zh_CN"):
        assert (say_as("how many", "Words"), say("Words")) == ("字数", "词")


def test_locales_are_served_by_the_nearest_language_and_others_by_english() -> None:
    names = {
        "es_MX.UTF-8": "es",
        "zh_CN": "zh_CN",
        "zh-Hans": "zh_CN",
        "de_DE": "en",
        "C": "en",
        "POSIX": "en",
        "": "en",
    }
    assert {name: catalogue.language_for(name) for name in names} == names


def test_the_environment_names_the_language_as_a_locale_too() -> None:
    def chosen(name: str) -> str | None:
        return catalogue.chosen({"DUPFINDER_LANGUAGE": name})

    assert [chosen(name) for name in ("zh", "zh-Hans", "zh_CN", "es_MX", "en", "fr", "")] == [
        "zh_CN", "zh_CN", "zh_CN", "es", "en", None, None,
    ]  # fmt: skip
    assert chosen(catalogue.PSEUDO) == catalogue.PSEUDO


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "C"}, "en"), ({"LANG": "es_MX.UTF-8"}, "es"), ({"LC_ALL": "zh_CN.UTF-8", "LANG": "es_ES"}, "zh_CN"),
        ({"LC_ALL": "", "LC_MESSAGES": "es_ES", "LANG": "zh_CN"}, "es"), ({"LANG": "C", "LANGUAGE": "es"}, "en"),
        ({"LANG": "es_ES.UTF-8", "LANGUAGE": "zh_CN:en"}, "zh_CN"), ({"LANG": "es_ES.UTF-8", "LANGUAGE": ""}, "es"),
    ],
)  # fmt: skip
def test_the_language_is_that_of_the_system(environment: dict[str, str], language: str) -> None:
    assert catalogue.of_system(environment) == language


def test_the_pseudo_language_marks_a_text_and_leaves_its_places() -> None:
    with speaking(catalogue.PSEUDO):
        assert say("{path} is a folder; a file name is needed.", path="/abc").startswith("/abc⟦ ís á ")
    assert say("no such text") == "no such text"


def test_no_other_language_can_be_chosen() -> None:
    with pytest.raises(KeyError):
        catalogue.use("xx")


@pytest.mark.parametrize(
    ("kept", "language"),
    [(["zh-Hans-CN", "en-US"], "zh_CN"), (["es-419"], "es"), (["la-VA", "es-ES"], "en"), ([], "en"), (None, "en")],
)
def test_on_macos_a_program_without_a_terminal_speaks_the_first_language_that_the_person_prefers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kept: list[str] | None, language: str
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "darwin")
    if kept is not None:
        folder = tmp_path / "Library" / "Preferences"
        folder.mkdir(parents=True)
        (folder / ".GlobalPreferences.plist").write_bytes(plistlib.dumps({"AppleLanguages": kept}))
    assert catalogue.of_system({}) == language
    assert catalogue.of_system({"LANG": "zh_CN.UTF-8"}) == "zh_CN"
