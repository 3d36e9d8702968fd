"""The HTML report: readable, whole in itself, and never more than text to a browser."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from dupfinder.base.details import Clause, details
from dupfinder.diff.align import compare_texts
from dupfinder.report import figures
from dupfinder.report import html as page
from dupfinder.report.rows import RELATION_ORDER, Report, ReportCluster, ReportFile, ReportMember
from dupfinder.report.write import write
from dupfinder.review.reporting import excerpt_of

FACTS = (
    "21 Nov 2026", "1.9 MB", "Version", "97 %", "v7.pdf", "Contracts / pdf", "12 Mar 2024", "7,412",
    "Password-protected", "It needs a password, so it was not read.", "Prefer Word to PDF", "98 %", "protected",
)  # fmt: skip
HOLDS = "1 identical, 1 same text, 1 same words, 2 versions (1 distant), 1 part"
TAGS_TEXT = """html head meta title style body header main footer section div h1 h2 h3 p ul ol li b i bdi span mark
    table thead tbody tr th td fieldset input label"""
TAGS = frozenset(TAGS_TEXT.split())


def parsed(text: str) -> Any:
    return html.fromstring(text)


def text_of(report: Report, folder: Path) -> str:
    write(report, folder / "out.html")
    return (folder / "out.html").read_text(encoding="utf-8")


def test_of_a_part_it_tells_how_much_is_in_the_longer_one_unless_all_of_it_is(related: Report, tmp_path: Path) -> None:
    (cluster,) = related.clusters
    members = tuple(
        replace(member, in_whole=0.964) if member.relation == "part" else member for member in cluster.members
    )
    text = text_of(replace(related, clusters=(replace(cluster, members=members),)), tmp_path)
    assert "Part: 96 % of its text is in v7.docx" in text


def test_an_html_report_tells_the_numbers_the_groups_and_what_was_not_read(report: Report, tmp_path: Path) -> None:
    text = parsed(text_of(report, tmp_path)).text_content()
    for fact in FACTS:
        assert fact in text, fact


def test_each_document_says_what_it_is_what_differs_and_what_it_is_nearest_to(related: Report, tmp_path: Path) -> None:
    tree = parsed(text_of(related, tmp_path))
    (card,) = tree.xpath("//section")
    assert card.xpath("div//span[@class='badge']")[0].text_content() == HOLDS
    assert f"Beside the kept copies: {HOLDS}" in tree.text_content()
    texts = {row.xpath("td//b")[0].text_content(): row.text_content() for row in card.xpath(".//tbody/tr")}
    assert list(texts) == ["v7.docx", "copy.docx", "v7.odt", "same.docx", "v7.pdf", "v1.docx", "part.txt"]
    assert "other pictures, tracked changes · not known: comments" in texts["same.docx"]
    assert "short replacements only" in texts["v7.pdf"] and "nearest" not in texts["v7.pdf"]
    assert "nearest: v7.pdf, version, 96 %" in texts["v1.docx"]
    assert "Part: its text is in v7.docx" in texts["part.txt"]


def test_forms_have_a_part_of_the_page_to_themselves(report: Report, tmp_path: Path) -> None:
    tree = parsed(text_of(report, tmp_path))
    (heading,) = tree.xpath("//h2[contains(., 'Same form: filled in differently; none of these is a copy')]")
    card = heading.getnext()
    assert [name.text_content() for name in card.xpath(".//td//b")] == ["note.txt", "other note.txt"]
    assert "Form 1: 2 documents" in card.text_content()
    without = text_of(replace(report, forms=()), tmp_path)
    assert "Same form" not in without


def test_the_style_knows_each_kind_that_the_chips_choose(report: Report, tmp_path: Path) -> None:
    text = text_of(report, tmp_path)
    for kind in figures.COUNTED_RELATIONS:
        assert f"body:has(#kind-{kind}:checked) section.card:not(.{kind})" in text
    for relation in RELATION_ORDER[1:]:
        assert f"tr.{relation} .badge" in text


def test_an_html_report_runs_no_script_and_fetches_nothing(hostile: Report, tmp_path: Path) -> None:
    text = text_of(hostile, tmp_path)
    tree = parsed(text)
    policy = tree.xpath("//meta[@http-equiv='Content-Security-Policy']/@content")
    assert policy == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert {element.tag for element in tree.iter()} <= TAGS
    names = {name for element in tree.iter() for name in element.attrib}
    assert not {name for name in names if name.startswith("on")} and not names & {"src", "href", "style", "action"}
    assert "url(" not in text and "@import" not in text


def test_hostile_names_are_shown_as_the_text_they_are(hostile: Report, tmp_path: Path) -> None:
    text = text_of(hostile, tmp_path)
    assert "<script" not in text and "&lt;script&gt;alert(1)&lt;/script&gt;.html" in text
    assert "{{ 7 * 7 }}{% raw %}.txt" in text
    assert "two\\nlines.pdf" in text and "caf\\xe9 \\xff.txt" in text
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\udc80-\udcff]", text)
    assert "x" * 251 in text


def test_nothing_is_said_to_be_left_out_where_all_fits(report: Report, tmp_path: Path) -> None:
    shown = parsed(text_of(report, tmp_path)).text_content()
    assert not re.search(r"\bmore\b.* left out", shown)


def test_a_large_report_stays_small_and_says_what_it_leaves_out(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page, "MOST_CLUSTERS", 3)
    monkeypatch.setattr(page, "MOST_MEMBERS", 2)
    monkeypatch.setattr(page, "MOST_FILES", 1)
    clusters = []
    for number in range(10):
        paths = [Path(f"/a/{number}-{copy}.txt") for copy in range(4)]
        members = (
            ReportMember(paths[0], "keeper"),
            *(ReportMember(path, "identical", 1.0) for path in paths[1:]),
        )
        clusters.append(ReportCluster(number, paths[0], members, bytes_to_free=number))
    files = tuple(ReportFile(Path(f"/a/bad-{number}.pdf"), "damaged", details(Clause.CUT_OFF)) for number in range(5))
    text = text_of(replace(report, clusters=tuple(clusters), files=files), tmp_path)
    tree = parsed(text)
    assert [heading.text_content() for heading in tree.xpath("//section//h3")] == ["9-0", "8-0", "7-0"]
    shown = tree.text_content()
    assert "7 more are left out. A CSV or JSON report lists all 10." in shown
    assert "2 more documents of this group are left out here" in shown
    assert "4 more are left out here; a CSV or JSON report lists them." in shown


def test_a_scan_without_finds_says_so(report: Report, tmp_path: Path) -> None:
    text = parsed(text_of(replace(report, clusters=(), files=(), contains=()), tmp_path)).text_content()
    assert "No two documents are alike." in text


def test_excerpts_stand_with_their_cluster_and_mark_what_changed(report: Report, tmp_path: Path) -> None:
    keeper, member = report.clusters[0].keeper, report.clusters[0].members[0].path
    comparison = compare_texts(
        "Payable in ten days. <b>Bold</b> \u202e claim.", "Payable in six days. <b>Bold</b> \u202e claim. End."
    )
    text = text_of(replace(report, excerpts=(excerpt_of(keeper, member, comparison),)), tmp_path)
    tree = parsed(text)
    assert [mark.text_content() for mark in tree.xpath("//section//mark")] == ["ten", "six"]
    assert "2 differences" in tree.xpath("//section//div[@class='excerpt']/p")[0].text_content()
    assert "&lt;b&gt;Bold" in text and "\\u202e claim" in text and "\u202e" not in text
