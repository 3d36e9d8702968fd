from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

import dupfinder
from dupfinder.base.paths import resource
from dupfinder.gui import figures, starting

ROOT = Path(dupfinder.__file__).resolve().parents[1]
TOOL = ROOT / "packaging" / "translations" / "update.py"
PLACES = re.compile(r"%(?:L?n|\d)|\{\w+\}")


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The script that collects the strings."""
    spec = importlib.util.spec_from_file_location("translations_update", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def translator(qapp: QApplication) -> Iterator[QTranslator]:
    before = QLocale()
    made = QTranslator()
    yield made
    QCoreApplication.removeTranslator(made)
    QLocale.setDefault(before)


def test_every_string_of_the_window_has_its_chinese_words(tool: ModuleType) -> None:
    known = tool.read(resource("translations/dupfinder_zh_CN.ts"))
    missing = [message for message in tool.messages() if not any(known.get(message, ()))]
    assert missing == [], "run packaging/translations/update.py and translate what is new"


def test_a_translation_keeps_every_place_of_its_source(tool: ModuleType) -> None:
    for language in ("zh_CN", "en"):
        for (_, source), forms in tool.read(resource(f"translations/dupfinder_{language}.ts")).items():
            for form in forms:
                assert sorted(PLACES.findall(form)) == sorted(PLACES.findall(source)), form


def test_what_is_shipped_is_compiled_from_what_was_translated(tool: ModuleType, translator: QTranslator) -> None:
    assert translator.load(str(resource("translations/dupfinder_zh_CN.qm")))
    known = tool.read(resource("translations/dupfinder_zh_CN.ts"))
    for context, source in tool.messages():
        count = 7 if tool.is_plural(source) else -1
        assert translator.translate(context, source, "", count) == known[context, source][0]


def test_english_knows_one_from_many(translator: QTranslator) -> None:
    assert translator.load(str(resource("translations/dupfinder_en.qm")))
    QCoreApplication.installTranslator(translator)
    QLocale.setDefault(QLocale("en_US"))
    translate = QCoreApplication.translate
    assert translate("WelcomePage", "%Ln documents", "", 1) == "1 document"
    assert translate("WelcomePage", "%Ln documents", "", 20_482) == "20,482 documents"
    assert figures.size(1) == "1 byte"


def test_chinese_dates_and_words_come_with_the_language(qapp: QApplication) -> None:
    before = QLocale()
    starting.translate(qapp, QLocale("zh_CN"))
    try:
        translate = QCoreApplication.translate
        assert (
            translate("WelcomePage", "Drop folders here to find duplicate documents")
            == "将文件夹拖到这里，查找重复文档"
        )
        assert translate("WelcomePage", "%Ln documents", "", 1_013_904) == "1,013,904 个文档"
        assert figures.duration(75) == "约 1 分 15 秒"
    finally:
        for made in qapp.findChildren(QTranslator):
            QCoreApplication.removeTranslator(made)
        QLocale.setDefault(before)


def test_strings_are_literals(tool: ModuleType) -> None:
    """A string that is put together before it is translated is found by no translator."""
    glued = re.compile(r"\btr\(\s*f[\"']|\btranslate\([^()]*f[\"']")
    for file in (ROOT / "dupfinder" / "gui").rglob("*.py"):
        assert glued.search(file.read_text(encoding="utf-8")) is None, file
