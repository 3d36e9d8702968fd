"""The window's translator: Qt asks the catalogue that reports and the command line use."""

from __future__ import annotations

from PySide6.QtCore import QTranslator

from dupfinder.wording import catalogue


class CatalogueTranslator(QTranslator):
    """Answers Qt from the catalogue. Qt's context (a class) is no part of a key, its disambiguation is the context."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context: str, source: str, disambiguation: str | None = None, n: int = -1) -> str | None:
        """Return the translation, with Qt's place for the number `n` still in it; None where there is none."""
        texts = catalogue.current()
        if n < 0:
            translated = texts.text(source, disambiguation or "")
        else:
            translated = texts.plural(source, source, n, disambiguation or "")
        return None if translated == source else translated
