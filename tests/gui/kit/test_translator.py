"""The window asks the catalogue of reports and command line, and writes numbers as the language does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTranslator
from PySide6.QtWidgets import QApplication

from dupfinder.gui.kit import words
from dupfinder.gui.shell import starting


@pytest.fixture(params=["en_US", "zh_CN", "es_ES"])
def language(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[str]:
    before = QLocale()
    starting.translate(qapp, QLocale(request.param))
    yield request.param
    for translator in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(translator)
        translator.deleteLater()
    QLocale.setDefault(before)


def test_words_plurals_numbers_and_the_toolkits_own_words_come_with_the_language(language: str) -> None:
    translate = QCoreApplication.translate
    texts = (
        translate("WelcomePage", "Drop folders here to find duplicate documents"),
        translate("WelcomePage", "%Ln documents", "", 1),
        translate("WelcomePage", "%Ln documents", "", 1_013_904),
        translate("WelcomePage", "%Ln documents", "", 1879),
        words.size(1),
        words.duration(75),
        translate("QPlatformTheme", "Cancel"),
    )
    assert texts == {
        "en_US": ("Drop folders here to find duplicate documents", "1 document", "1,013,904 documents",
                  "1,879 documents", "1 byte", "about 1 min 15 s", "Cancel"),
        "zh_CN": ("将文件夹拖到这里，查找重复文档", "1 个文档", "1,013,904 个文档", "1,879 个文档",
                  "1 字节", "约 1 分 15 秒", "取消"),
        "es_ES": ("Arrastrar carpetas aquí para buscar documentos duplicados", "1 documento", "1.013.904 documentos",
                  "1.879 documentos", "1 byte", "unos 1 min 15 s", "Cancelar"),
    }[language]  # fmt: skip


def test_an_unknown_text_stays_and_a_word_of_two_meanings_has_two_translations(language: str) -> None:
    texts = QObject().tr("no such text"), QObject().tr("Words", "how many"), QObject().tr("Words")
    assert texts[0] == "no such text"
    assert (
        texts[1:] == {"en_US": ("Words", "Words"), "zh_CN": ("字数", "词"), "es_ES": ("Palabras", "Palabras")}[language]
    )
