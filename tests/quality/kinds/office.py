"""Kinds of an office: letters of all sorts around one boilerplate text, and versions and parts that look like them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.quality.kinds.forms import fills
from tests.quality.kinds.writing import LANGUAGES, Paragraphs, Writer, chinese, spanish
from tests.quality.making import Folder
from tests.quality.prose import story


def _text(language: str, seed: int, sentences: int) -> str:
    """Write a paragraph on a subject of its own."""
    if language == "en":
        return story(90_000 + seed, "en", 1, sentences)[0]
    return (spanish if language == "es" else chinese)(90_000 + seed, 1, sentences)[0]


def around_boilerplate(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make postings of a firm (its praise, the post, what it offers), press releases (of which some are sent again with
    a note in the first line), reports of a month (standing paragraphs between those of the month; some have a draft)
    and privacy notices of firms by one pattern, each with a later edition."""
    for language in LANGUAGES:
        postings, releases, reports, notices = Folder(), Folder(), Folder(), Folder()
        standing = [_text(language, 50 + number, 5) for number in range(6)]
        clauses = [_text(language, 60 + number, 2) for number in range(8)]
        for number in range(10):
            own = [_text(language, 100 + 10 * number + part, 1 + (number + part) % 3) for part in range(4)]
            facts = fills(language, 4000 + number)
            postings.add(f"{number}.html", [own[0], standing[0], own[1], standing[1]])
            releases.add(f"{number}.docx", [facts["date"], own[0], *standing[:2]])
            reports.add(f"{number}.docx", [standing[0], own[0], standing[1], own[1], standing[2], own[2], standing[3]])
            chosen = [clauses[place] for place in range(8) if (number * 37 + place * 11) % 5 < 3]
            notice = [f"{facts['name']}, {facts['street']}, {facts['town']}", *standing[:3], *chosen, *standing[3:]]
            notices.add(f"{number}.html", notice)
            notices.add(f"{number}-later.html", [*notice, own[3]])
            notices.positives.append((f"{number}.html", f"{number}-later.html"))
            if number % 4 == 0:
                releases.add(f"{number}-again.pdf", [f"{facts['date']}, {facts['code']}", own[0], *standing[:2]])
                releases.positives.append((f"{number}.docx", f"{number}-again.pdf"))
                draft = [*reports.texts[f"{number}.docx"][:-1], own[3], standing[3]]
                reports.add(f"{number}-draft.docx", draft)
                reports.positives.append((f"{number}.docx", f"{number}-draft.docx"))
        for name, folder in (
            ("postings", postings), ("releases", releases), ("reports", reports), ("notices", notices)
        ):  # fmt: skip
            folder.none("another letter")
            yield f"{name}-{language}", folder


def rewritten(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make versions of which parts are written anew: one of three paragraphs of the last version each time, another
    paragraph in each copy, and the beginning in each of three or five drafts."""
    for language in LANGUAGES:
        folder = Folder()
        for number in range(3):
            paragraphs = [_text(language, 400 + 20 * number + part, 4) for part in range(8)]
            turns, copies, drafts = list(paragraphs), list(paragraphs), list(paragraphs)
            for version in range(7):
                fresh = _text(language, 500 + 20 * number + version, 4)
                turns[(1, 3, 3, 5)[version % 4]] = fresh
                folder.add(f"turns{number}-{version}.docx", list(turns))
                copies = [*paragraphs[:version], fresh, *paragraphs[version + 1 :]]
                folder.add(f"copies{number}-{version}.docx", [*copies, _text(language, 600 + number, 20)])
            for version in range(3 if number else 5):
                drafts[0] = _text(language, 700 + 20 * number + version, 2)
                folder.add(f"drafts{number}-{version}.txt", [*drafts, _text(language, 680 + number, 20)])
        folder.label()
        yield f"rewritten-{language}", folder


def headed_parts(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make terms under a heading of their own, below eight contracts each, and notes of which two collections leave out
    the last words: parts, though others hold the same text."""
    folder = Folder()
    for language in LANGUAGES:
        terms = [_text(language, 800 + number, 5) for number in range(5)]
        folder.add(f"{language}-terms.pdf", [fills(language, 17)["date"], *terms])
        for number in range(8):
            own: Paragraphs = [_text(language, 820 + 10 * number + part, 6 + number) for part in range(2)]
            folder.add(f"{language}-contract{number}.docx", [*own, *terms])
            folder.contains.append((f"{language}-contract{number}.docx", f"{language}-terms.pdf", 1.0))
        notes = [_text(language, 950 + number, 5 + number % 4) for number in range(12)]
        for collection in range(2):
            chosen = range(4 * collection, 4 * collection + 8)
            folder.add(f"{language}-notes{collection}.docx", [notes[place][: -len(notes[place]) // 14]
                                                             for place in chosen])  # fmt: skip
            folder.contains += [(f"{language}-notes{collection}.docx", f"{language}-{place}.txt", 0.9)
                                for place in chosen]  # fmt: skip
        for place, note in enumerate(notes):
            folder.add(f"{language}-{place}.txt", [note])
        folder.ignore.append((f"{language}-notes0.docx", f"{language}-notes1.docx"))
    folder.none("another text")
    yield "headed-parts", folder


def from_clauses(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make policies with some of six riders each, of which some have a corrected copy, and lots of one tender with a
    description of each: fillings. Beside them terms of trade in yearly editions that gain and lose clauses."""
    for language in LANGUAGES:
        policies, lots, editions = Folder(), Folder(), Folder()
        terms = [_text(language, 1000 + number, 5) for number in range(5)]
        riders = [_text(language, 1010 + number, 2) for number in range(6)]
        clauses = [_text(language, 1030 + number, 3) for number in range(12)]
        for number in range(8):
            facts = fills(language, 5000 + number)
            head = [f"{facts['number']}: {facts['name']} ({facts['street']}, {facts['town']})", terms[0],
                    f"{facts['sum']} - {facts['date']} - {facts['third']}"]  # fmt: skip
            chosen = [riders[place] for place in range(6) if (number * 41 + place * 17) % 7 < 3]
            policies.add(f"{number}.pdf", [*head, *terms[1:], *chosen])
            lots.add(f"{number}.docx", [*head, _text(language, 1060 + number, 2), *terms[1:]])
            if number % 3 == 0:
                policies.add(f"{number}-corrected.docx", [*head, terms[1], _text(language, 1050 + number, 4),
                                                          *terms[2:], *chosen])  # fmt: skip
                policies.positives.append((f"{number}.pdf", f"{number}-corrected.docx"))
            editions.add(f"{number}.pdf", [f"{facts['name']}, {facts['date']}", *clauses])
            clauses.pop(number * 5 % 11)
            clauses.insert(number * 7 % 11, _text(language, 1080 + number, 3))
        for folder in (policies, lots):
            folder.forms.append([f"{number}.{'docx' if folder is lots else 'pdf'}" for number in range(8)])
            folder.none("another customer or lot")
        editions.label()
        yield f"policies-{language}", policies
        yield f"lots-{language}", lots
        yield f"editions-{language}", editions


def optional_paragraphs(_: Writer) -> Iterator[tuple[str, Folder]]:
    """Make letters of a firm to fifteen customers, with none to three of four optional paragraphs each, of which some
    have a copy with one more: fillings of one form, and versions."""
    for language in LANGUAGES:
        letters, terms = Folder(), [_text(language, 1200 + number, 5) for number in range(4)]
        options = [_text(language, 1210 + number, 1) for number in range(4)]
        for number in range(15):
            facts = fills(language, 6000 + number)
            chosen = [options[place] for place in range(4) if (number * 5 + place * 3) % 4 < number % 4]
            head = [f"{facts['number']}: {facts['name']}, {facts['street']}, {facts['town']}", terms[0],
                    f"{facts['date']} - {facts['sum']} - {facts['code']}", *chosen]  # fmt: skip
            letters.add(f"{number}.{('docx', 'html', 'txt')[number % 3]}", [*head, *terms[1:]])
            if number % 4 == 0:
                letters.add(f"{number}-more.txt", [*head, _text(language, 1230 + number, 1), *terms[1:]])
                letters.positives.append((f"{number}.{('docx', 'html', 'txt')[number % 3]}", f"{number}-more.txt"))
        letters.forms.append([f"{number}.{('docx', 'html', 'txt')[number % 3]}" for number in range(15)])
        letters.none("another customer")
        yield f"optional-{language}", letters
