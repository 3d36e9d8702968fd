"""One count: a folder that is scanned has the same numbers on every page, in every sheet, report and command."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.paths import default_library
from dupfinder.base.progress import SilentReporter
from dupfinder.cli.main import main
from dupfinder.cluster.relation import Relation
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.theme import Theme
from dupfinder.gui.removal.review import RemovalSheet
from dupfinder.gui.scanning.welcome import WelcomePage
from dupfinder.gui.selecting.assistant import AssistantSheet
from dupfinder.library.decisions import Decision
from dupfinder.review.listing import FILTERED_RELATIONS
from dupfinder.review.rules import apply, count_markable
from dupfinder.wording.figures import documents_text, groups_text, size_text
from tests.gui.showing import page_on

TEXTS = (
    "The meeting on water rights began at nine and heard eleven speakers from the lower valley about wells and dams.",
    "A ledger of grain was kept from spring to autumn, and every sack that left the mill was entered by the clerk.",
    "Repairs to the northern bridge need forty beams of oak, two smiths and a fortnight without rain in the hills.",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Identical copies, a version, another format, and a document that has no like."""
    made = tmp_path / "papers"
    made.mkdir()
    for number, text in enumerate(TEXTS):
        long = " ".join(
            f"{text} Item {number}.{line} was read aloud, and nobody spoke against it." for line in range(9)
        )
        (made / f"paper {number}.txt").write_text(long, encoding="utf-8")
        (made / f"page {number}.html").write_text(f"<html><body><p>{long}</p></body></html>", encoding="utf-8")
    (made / "paper 0 later.txt").write_text((made / "paper 0.txt").read_text() + " It closed at noon.", "utf-8")
    shutil.copy(made / "paper 1.txt", made / "Copy of paper 1.txt")
    (made / "alone.txt").write_text("Nothing else is like this short note on the keeping of bees in winter.", "utf-8")
    return made


def said(widget: QWidget) -> str:
    return " | ".join(label.text() for label in widget.findChildren(QLabel))


def test_the_command_line_reports_and_the_window_tell_the_same_numbers(
    folder: Path, tmp_path: Path, theme: Theme, qtbot: QtBot, capsys: pytest.CaptureFixture[str]
) -> None:
    QLocale.setDefault(QLocale("en_US"))
    report = tmp_path / "report.json"
    assert main(["scan", str(folder), "--report", str(report)]) == 0
    out = capsys.readouterr()
    library = default_library()
    (recent,) = tasks.recent_scans(library, SilentReporter())
    session = tasks.session(library, recent.summary.id, SilentReporter())
    counts, table = session.counts(), session.listed()
    assert counts.clusters == 3 and counts.documents == 8
    # the start page, the command line and the report
    welcome = WelcomePage(theme)
    qtbot.addWidget(welcome)
    welcome.show_recent([recent])
    assert recent.summary.clusters == counts.clusters and groups_text(counts.clusters) in said(welcome)
    assert f"{counts.clusters} groups of {counts.documents} documents" in out.out + out.err
    summary = json.loads(report.read_text(encoding="utf-8"))["summary"]
    assert counts.bytes_to_free == summary["bytes_to_free"] == int(table.bytes_to_free.sum())
    assert counts.clusters in summary.values() and counts.documents in summary.values()
    # the results
    page = page_on(session, theme, qtbot)
    assert f"{groups_text(counts.clusters)} · {documents_text(counts.documents)}" in said(page.pane.card)
    relations = session.relation_counts().documents.tolist()
    assert counts.clusters + sum(relations) == counts.documents == int(table.size.sum())
    for relation, amount in zip(FILTERED_RELATIONS, relations, strict=True):
        assert page.pane._chips[relation].text().endswith(f" {amount}")
    # the rules, the bar below and the removal
    sheet = AssistantSheet(session, theme, page)
    qtbot.addWidget(sheet)
    qtbot.waitUntil(lambda: sheet.preview is not None)
    may_go = count_markable(session).documents.tolist()  # the same documents, by relation to the best of their words
    assert sum(may_go) == sum(relations)
    ticked = [Relation.IDENTICAL, Relation.SAME_TEXT]
    preview = sheet.preview
    assert preview is not None
    chosen = dict(zip(FILTERED_RELATIONS, preview.relations.documents.tolist(), strict=True))
    assert sum(chosen.values()) == sum(chosen[relation] for relation in ticked) == preview.documents
    for relation, amount in zip(FILTERED_RELATIONS, may_go, strict=True):
        shown = chosen[relation] if relation in ticked else amount
        assert shown == 0 or f"{shown} in " in said(sheet), relation
    apply(session, preview.selection)
    assert session.summary().relations == {relation: chosen[relation] for relation in ticked if chosen[relation]}
    session.acts.undo()
    session.marks.mark_all(session.all_clusters().members.tolist(), Decision.REMOVE)
    marked = session.summary()
    assert marked.documents == sum(relations) == len(session.plan().steps) == sum(marked.relations.values())
    assert marked.bytes == counts.bytes_to_free and marked.clusters == counts.clusters
    assert documents_text(marked.documents) in said(page.bar) and size_text(marked.bytes) in said(page.bar)
    removal = RemovalSheet(session, theme, library, page)
    qtbot.addWidget(removal)
    assert str(marked.documents) in said(removal) and size_text(marked.bytes) in said(removal)
