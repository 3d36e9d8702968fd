"""Reports to write: an ordinary one, and one whose names mean harm."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dupfinder.base.details import Clause, details
from dupfinder.report.rows import (
    Report,
    ReportCluster,
    ReportFile,
    ReportForm,
    ReportMember,
    ReportNearest,
    ReportPair,
    ReportPart,
    ReportSummary,
)

HOME = Path("/library/Contracts")
HOSTILE_NAMES = (
    "two\nlines.pdf",
    "invoice\u202efdp.docx",
    "<script>alert(1)</script>.html",
    "=HYPERLINK(\"http://x\",\"y\").txt",
    "+1.txt",
    "-2+3.txt",
    "@SUM(A1).txt",
    "\tTAB.txt",
    "\rCR.txt",
    "a;=1+1;\".txt",
    os.fsdecode(b"caf\xe9 \xff.txt"),
    "x" * 251 + ".txt",
    "合同（终稿）.docx",
    "\x1b[31mred\x07.txt",
    "{{ 7 * 7 }}{% raw %}.txt",
    "' onmouseover='x.txt",
)  # fmt: skip


@pytest.fixture
def report() -> Report:
    """Four documents, two of them alike, one with a problem, one inside another."""
    word, pdf = HOME / "v7.docx", HOME / "pdf" / "v7.pdf"
    files = (
        ReportFile(word, "read", (), 142_000, 7412, None, "en", "docx-walk", fingerprint=255, cluster=3),
        ReportFile(
            pdf,
            "read",
            (),
            1_900_000,
            7412,
            18,
            "en",
            "pdfium",
            fingerprint=2**63,
            cluster=3,
            content_hash="ab" * 16,
            seconds=0.5,
            stack=2,
            in_stack="identical",
        ),
        ReportFile(HOME / "locked.pdf", "encrypted", size=10),
        ReportFile(HOME / "note.txt", "read", size=900, words=150, language="en", reader="plain"),
        ReportFile(HOME / ".lock", "skipped", details(Clause.HIDDEN_FILE)),
    )
    march = 1_710_201_600 * 10**9
    members = (
        ReportMember(
            pdf,
            "version",
            0.97123,
            0.98,
            0.99,
            2,
            difference="short",
            changes=4,
            nearest=ReportNearest(word, "version", 0.97123),
            size=1_900_000,
            changed_ns=march,
            words=7412,
            decision="remove",
        ),
        ReportMember(word, "keeper", size=142_000, changed_ns=march, words=7412, decision="keep"),
    )
    return Report(
        program="dupfinder 0.1.0",
        roots=((HOME, "scan"), (Path("/library/Archive"), "protect")),
        started=datetime(2026, 11, 21, 10, 0, tzinfo=UTC),
        seconds=12.3456,
        radius=8,
        passages=True,
        min_similarity=0.7,
        min_containment=0.9,
        scheme="abc123",
        summary=ReportSummary(
            5,
            3,
            1,
            1,
            0,
            1,
            2,
            1_900_000,
            {"keeper": 1, "version": 1},
            {"encrypted": 1, "skipped": 1},
        ),
        files=tuple(sorted(files, key=lambda file: os.fsencode(file.path))),
        clusters=(ReportCluster(3, HOME / "v7.docx", members, 1_900_000, 0.97123),),
        contains=(ReportPart(HOME / "v7.docx", HOME / "note.txt", 0.98),),
        pairs=(ReportPair(pdf, word, "version", 0.97123, "certain", "short", 2, "both"),),
        forms=(ReportForm(1, (HOME / "note.txt", HOME / "other note.txt")),),
        rules=("Prefer Word to PDF",),
    )


@pytest.fixture
def related(report: Report) -> Report:
    """The same with one document of each relation in its group."""
    (cluster,) = report.clusters
    word, pdf = cluster.keeper, HOME / "pdf" / "v7.pdf"
    members = (
        *cluster.members,
        ReportMember(HOME / "copy.docx", "identical", 1.0),
        ReportMember(HOME / "v7.odt", "same_text", 1.0),
        ReportMember(
            HOME / "same.docx", "same_words", 1.0, differs=("pictures", "tracked_changes"), not_known=("comments",)
        ),
        ReportMember(HOME / "v1.docx", "linked", 0.96, nearest=ReportNearest(pdf, "version", 0.96)),
        ReportMember(HOME / "part.txt", "part", 0.3, whole=word, nearest=ReportNearest(word, "part", 0.3)),
    )
    summary = replace(
        report.summary, documents_in_clusters=7, relations=dict(Counter(member.relation for member in members))
    )
    return replace(report, clusters=(replace(cluster, members=members),), summary=summary)


@pytest.fixture
def hostile(report: Report) -> Report:
    """The same with names that mean harm everywhere a name can stand."""
    paths = [HOME / name for name in HOSTILE_NAMES]
    files = [ReportFile(path, "read", size=1, words=2, fingerprint=1, cluster=1) for path in paths]
    files += [
        ReportFile(HOME / "bad" / name, "damaged", details(Clause.EARLIER, text=f"=Cut off in {name}"))
        for name in HOSTILE_NAMES
    ]
    members = [ReportMember(path, "part", 0.9, whole=paths[0]) for path in paths[1:]]
    cluster = ReportCluster(1, paths[0], (ReportMember(paths[0], "keeper"), *members), 10, 0.9)
    contains = tuple(ReportPart(paths[0], path, 0.95) for path in paths[1:])
    return replace(report, files=tuple(files), clusters=(cluster,), contains=contains, rules=HOSTILE_NAMES)
