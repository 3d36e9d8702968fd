"""Bring resources/translations up to date: collect every text for people, keep what is translated, compile.

    make translations

New texts enter each language's .po file without a translation; a translator fills them in (any PO editor opens the
file) and runs this again. Texts that are no longer used are dropped.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "resources" / "translations"
SOURCE = ROOT / "dupfinder"
LANGUAGES = ("zh_CN", "es")
_DATE = datetime(2026, 1, 1, tzinfo=UTC)  # of the files' headers: always the same, so that equal texts give equal files


class Message(NamedTuple):
    """A text to translate. `many`: its English form for several things; "" for a text that does not count."""

    context: str
    one: str
    many: str = ""

    @property
    def id(self) -> str | tuple[str, str]:
        """The key as Babel takes it."""
        return (self.one, self.many) if self.many else self.one


def messages() -> dict[Message, list[str]]:
    """Return every text for people with the modules that use it, sorted by text."""
    users: dict[Message, list[str]] = {}
    for file in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        name = file.relative_to(SOURCE).as_posix()
        for message in dict.fromkeys(_of_tree(tree)):
            users.setdefault(message, []).append(name)
    for template in sorted((ROOT / "resources" / "report").glob("*.j2")):
        for message in dict.fromkeys(_of_template(template)):
            users.setdefault(message, []).append(template.name)
    return dict(sorted(users.items(), key=lambda item: (item[0].one, item[0].context)))


def _of_template(template: Path) -> Iterator[Message]:
    """The texts of a report's template: calls of `say` and its kin, as in Python."""
    from jinja2 import Environment, nodes

    tree = Environment(autoescape=True).parse(template.read_text(encoding="utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name):
            words = [part.value if isinstance(part, nodes.Const) else None for part in call.args]
            yield from _of_words(call.node.name, words)


def _of_tree(tree: ast.Module) -> Iterator[Message]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            words = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
            yield from _of_words(name, words)


def _of_words(name: str, arguments: Iterable[object]) -> Iterator[Message]:
    """The text of one call; `arguments` that are no literals are None."""
    words = [word if isinstance(word, str) else "" for word in arguments] + [""] * 3
    match name:
        case "N_" | "say" | "say_html" | "tell" if words[0]:
            yield Message("", words[0])
        case "say_as" if words[1]:
            yield Message(words[0], words[1])
        case "say_count" | "say_some" | "NP_" if words[1]:
            yield Message("", words[0], words[1])


def read(language: str) -> Catalog:
    """Read the catalogue of a language; an empty one where there is no file yet."""
    file = FOLDER / f"{language}.po"
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as stream:
        return read_po(stream, locale=language)


def forms(catalog: Catalog, message: Message) -> tuple[str, ...]:
    """Return the translated forms of a text; empty texts where it has none."""
    entry = catalog.get(message.id, message.context or None)
    if entry is None:
        return ("",)
    return tuple(entry.string) if isinstance(entry.string, tuple | list) else (entry.string,)


def updated(language: str, used: dict[Message, list[str]]) -> Catalog:
    """Return the catalogue of a language with just the texts in use."""
    earlier = read(language)
    catalog = Catalog(
        locale=language, project="dupfinder", version="1", creation_date=_DATE, revision_date=_DATE,
        last_translator="", language_team="", copyright_holder="The dupfinder authors", fuzzy=False,
        msgid_bugs_address="", header_comment="# Translations of dupfinder. README.md says how to edit this file.",
    )  # fmt: skip
    # What is translated has the plural forms of its file; later versions of Babel know more for some languages.
    catalog.mime_headers = [("Plural-Forms", earlier.plural_forms)]
    for message, users in used.items():
        string: str | tuple[str, ...] = forms(earlier, message)
        string = (*string, *[""] * catalog.num_plurals)[: catalog.num_plurals] if message.many else string[0]
        entry = catalog.add(message.id, string, [(name, None) for name in users], context=message.context or None)
        entry.flags.discard("python-format")  # a per cent sign is no place
    return catalog


def unfinished(catalog: Catalog) -> list[str]:
    """Return the texts that lack a translation, or one of its forms."""
    return [
        entry.id[0] if isinstance(entry.id, tuple) else entry.id
        for entry in catalog
        if entry.id and not all(entry.string if isinstance(entry.string, tuple | list) else [entry.string])
    ]


def main() -> int:
    """Update and compile every language; 1 when something is unfinished."""
    used = messages()
    missing = 0
    for language in LANGUAGES:
        catalog = updated(language, used)
        with (FOLDER / f"{language}.po").open("wb") as stream:
            write_po(stream, catalog, width=0, include_lineno=False, sort_by_file=False)
        with (FOLDER / f"{language}.mo").open("wb") as stream:
            write_mo(stream, catalog)
        lacking = unfinished(catalog)
        missing += len(lacking)
        sys.stdout.write(f"{language}: {len(catalog)} texts, {len(lacking)} without a translation\n")
        sys.stdout.writelines(f"  {text}\n" for text in lacking)
    return int(missing > 0)


if __name__ == "__main__":
    sys.exit(main())
