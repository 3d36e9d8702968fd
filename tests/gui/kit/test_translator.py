"""The window speaks by the catalogue of reports and command line, and so do Qt's own dialogs."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from dupfinder.wording.catalogue import say
from dupfinder.wording.figures import documents_text, size_text, waiting_text


def test_words_plurals_numbers_and_the_toolkits_own_words_come_with_the_language(language: str) -> None:
    texts = (
        say("Drop folders here to find duplicate documents"),
        documents_text(1),
        documents_text(1_013_904),
        documents_text(1879),
        size_text(1),
        waiting_text(75),
        QCoreApplication.translate("QPlatformTheme", "Cancel"),
    )
    assert texts == {
        "en_US": ("Drop folders here to find duplicate documents", "1 document", "1,013,904 documents",
                  "1,879 documents", "1 byte", "about 1 min 15 s", "Cancel"),
        "zh_CN": ("将文件夹拖到这里，查找重复文档", "1 个文档", "1,013,904 个文档", "1,879 个文档",
                  "1 字节", "约 1 分 15 秒", "取消"),
        "es_ES": ("Arrastrar carpetas aquí para buscar documentos duplicados", "1 documento", "1.013.904 documentos",
                  "1.879 documentos", "1 byte", "unos 1 min 15 s", "Cancelar"),
    }[language]  # fmt: skip
