"""The bundled sample library is what its README says, and a scan finds what was planted."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dupfinder.base.paths import resource
from tests.report.schema import read_report


def expected() -> dict[str, Any]:
    contents: dict[str, Any] = json.loads(resource("samples/expected.json").read_text(encoding="utf-8"))
    return contents


def documents() -> dict[str, Path]:
    library = resource("samples/library")
    return {path.relative_to(library).as_posix(): path for path in sorted(library.rglob("*")) if path.is_file()}


def cluster_of(name: str) -> list[str]:
    """Return the planted cluster of a file, or the file alone if it is in none."""
    return next((cluster for cluster in expected()["clusters"] if name in cluster), [name])


def planted_names() -> list[str]:
    """Each file as often as it is named as a member, a lone container, a lone part, a stranger or a problem."""
    facts = expected()
    members = [name for cluster in facts["clusters"] for name in cluster]
    others = {pair[role] for pair in facts["contains"] for role in ("container", "part")} - set(members)
    return [*members, *others, *facts["strangers"], *facts["problems"]]


def test_every_sample_is_accounted_for_once() -> None:
    assert Counter(planted_names()) == Counter(documents().keys())


def test_the_samples_are_small_and_of_every_kind() -> None:
    paths = documents().values()
    assert sum(path.stat().st_size for path in paths) < 1_500_000
    assert {path.suffix for path in paths} == {".docx", ".pdf", ".html", ".txt", ".md"}


def test_exact_copies_are_planted_within_clusters_only() -> None:
    by_hash: dict[str, set[str]] = {}
    for name, path in documents().items():
        by_hash.setdefault(hashlib.sha256(path.read_bytes()).hexdigest(), set()).add(name)
    copies = [names for names in by_hash.values() if len(names) > 1]
    assert len(copies) == 5
    clusters = [set(cluster) for cluster in expected()["clusters"]]
    assert all(any(names <= cluster for cluster in clusters) for names in copies)


@pytest.fixture(scope="module")
def scanned(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The JSON report of a scan of the samples by the program itself."""
    folder = tmp_path_factory.mktemp("samples")
    out = folder / "out.json"
    command = [sys.executable, "-m", "dupfinder", "scan", str(resource("samples/library")), "--report", str(out)]
    environment = {**os.environ, "DUPFINDER_HOME": str(folder / "home")}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return read_report(out)


def name_of(path: str) -> str:
    return Path(path).relative_to(resource("samples/library")).as_posix()


@pytest.mark.end_to_end
def test_a_scan_finds_exactly_the_planted_clusters(scanned: dict[str, Any]) -> None:
    clusters = {
        frozenset(
            name_of(member["path"]) for member in cluster["members"] if member["relation"] not in ("part", "whole")
        )
        for cluster in scanned["clusters"]
    }
    assert {cluster for cluster in clusters if len(cluster) > 1} == {
        frozenset(names) for names in expected()["clusters"]
    }


@pytest.mark.end_to_end
def test_a_scan_finds_the_parts_in_the_longer_documents(scanned: dict[str, Any]) -> None:
    parts_in = {(name_of(pair["container"]), name_of(pair["part"])) for pair in scanned["contains"]}
    for pair in expected()["contains"]:
        containers, parts = (cluster_of(pair[role]) for role in ("container", "part"))
        assert any(container in containers and part in parts for container, part in parts_in), pair


@pytest.mark.end_to_end
def test_a_scan_leaves_strangers_alone_and_names_the_trouble(scanned: dict[str, Any]) -> None:
    files = {name_of(file["path"]): file for file in scanned["files"]}
    files.pop(".", None)  # the folder itself is told to be under version control where it is
    assert set(files) == set(documents())
    assert {name: files[name]["cluster"] for name in expected()["strangers"]} == dict.fromkeys(expected()["strangers"])
    problems = {name: file["status"] for name, file in files.items() if file["status"] not in ("read", "too_short")}
    assert problems == expected()["problems"]
