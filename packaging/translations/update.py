"""Bring resources/translations up to date: collect every string of the window, keep what is translated, compile.

    python packaging/translations/update.py

New strings enter dupfinder_zh_CN.ts as unfinished; a translator fills them in (pyside6-linguist opens the file) and
runs this again. Strings that are no longer used are dropped. English needs a translation only where it has plurals.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"
SOURCES = (ROOT / "dupfinder" / "gui", ROOT / "dupfinder" / "base" / "settings.py")
SENTENCES = ("review/wording.py", "review/wording_removal.py", "base/output.py", "scan/learning.py")  # N_ marks them
LANGUAGES = {"zh_CN": 1, "en": 2}  # plural forms
Message = tuple[str, str]  # context, source text


def messages() -> list[Message]:
    """Every string of the window, once, in a steady order."""
    found = {message for file in _files() for message in _of_module(_tree(file), "Settings")}
    told = (ROOT / "dupfinder" / name for name in SENTENCES)
    return sorted(found | {message for file in told for message in _of_module(_tree(file), "Wording")})


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _files() -> Iterator[Path]:
    for source in SOURCES:
        yield from sorted(source.rglob("*.py")) if source.is_dir() else (source,)


def _of_module(tree: ast.Module, marked: str) -> Iterator[Message]:
    for node in tree.body:
        context = node.name if isinstance(node, ast.ClassDef) else ""
        for part in ast.walk(node):
            if isinstance(part, ast.Call):
                yield from _of_call(part, context, marked)


def _of_call(call: ast.Call, context: str, marked: str) -> Iterator[Message]:
    """`marked`: the context of what N_ marks."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    words = [part.value for part in call.args[:2] if isinstance(part, ast.Constant) and isinstance(part.value, str)]
    if name == "tr" and words:
        yield context, words[0]
    elif name in ("translate", "QT_TRANSLATE_NOOP") and len(words) == 2:
        yield words[0], words[1]
    elif name == "N_" and words:
        yield marked, words[0]


def is_plural(text: str) -> bool:
    """Whether a text counts something."""
    return "%n" in text or "%Ln" in text


def read(file: Path) -> dict[Message, list[str]]:
    """What is translated: the forms of each message."""
    if not file.exists():
        return {}
    found: dict[Message, list[str]] = {}
    for context in ElementTree.parse(file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is None or translation.get("type") == "unfinished":
                continue
            forms = [form.text or "" for form in translation.iter("numerusform")] or [translation.text or ""]
            found[context.findtext("name", ""), message.findtext("source", "")] = forms
    return found


def write(file: Path, language: str, known: dict[Message, list[str]]) -> int:
    """Write all messages of a language; how many of them are unfinished."""
    root = ElementTree.Element("TS", version="2.1", language=language, sourcelanguage="en")
    missing = 0
    contexts: dict[str, ElementTree.Element] = {}
    for context, source in messages():
        if language == "en" and not is_plural(source):
            continue
        if context not in contexts:
            contexts[context] = ElementTree.SubElement(root, "context")
            ElementTree.SubElement(contexts[context], "name").text = context
        missing += _add(contexts[context], language, source, known.get((context, source), []))
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding="unicode")
    file.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{body}\n', encoding="utf-8")
    return missing


def _add(context: ElementTree.Element, language: str, source: str, forms: list[str]) -> int:
    message = ElementTree.SubElement(context, "message")
    if is_plural(source):
        message.set("numerus", "yes")
    ElementTree.SubElement(message, "source").text = source
    translation = ElementTree.SubElement(message, "translation")
    if not any(forms):
        translation.set("type", "unfinished")
    if is_plural(source):
        for number in range(LANGUAGES[language]):
            ElementTree.SubElement(translation, "numerusform").text = forms[number] if number < len(forms) else ""
    else:
        translation.text = forms[0] if forms else ""
    return int(not any(forms))


def main() -> int:
    """Update and compile every language; 1 when something is unfinished."""
    unfinished = 0
    for language in LANGUAGES:
        file = FOLDER / f"dupfinder_{language}.ts"
        unfinished += write(file, language, read(file))
        compiled = file.with_suffix(".qm")
        subprocess.run(["pyside6-lrelease", "-silent", str(file), "-qm", str(compiled)], check=True)
    sys.stdout.write(f"{unfinished} unfinished\n")
    return int(unfinished > 0)


if __name__ == "__main__":
    sys.exit(main())
