"""What is told of documents that came: their relatives; nothing of those that only moved, or have none."""

from __future__ import annotations

from pathlib import Path

from dupfinder.cluster.relation import Relation
from dupfinder.library.library import LibraryFile
from dupfinder.review.reporting import newcomers
from dupfinder.review.session import ReviewSession
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from tests import making
from tests.scan.documents import family, prose, put, revised


def scanned(docs: Path, library: Path) -> ReviewSession:
    number = run_scan(ScanRequest((Root(docs),), workers=1), library)
    with LibraryFile(library) as opened:
        return ReviewSession(opened.result(number))


def test_those_that_came_or_changed_are_told_with_their_relatives(tmp_path: Path) -> None:
    docs, library = tmp_path / "docs", tmp_path / "library.dupfinder"
    family(docs, 1)
    put(docs / "lone.txt", making.txt(prose(9)))
    put(docs / "edited.txt", making.txt(prose(7)))
    before = scanned(docs, library).result.documents

    put(docs / "loaded" / "letter.txt", making.txt(prose(1)))  # a copy
    put(docs / "stranger.txt", making.txt(prose(50)))  # nothing is like it
    put(docs / "edited.txt", making.txt(revised(prose(1), 5)))  # became a version
    (docs / "letter1.html").rename(docs / "renamed.html")

    session = scanned(docs, library)
    came = {newcomer.path.name: newcomer.relatives for newcomer in newcomers(session, before)}
    assert sorted(came) == ["edited.txt", "letter.txt"]
    relations = {relative.path.name: relative.relation for relative in came["letter.txt"]}
    assert relations == {
        "letter1.txt": Relation.IDENTICAL,
        "letter1 (1).txt": Relation.IDENTICAL,
        "renamed.html": Relation.SAME_TEXT,
        "letter1 draft.txt": Relation.VERSION,
        "edited.txt": Relation.VERSION,
    }
    assert [relative.similarity for relative in came["letter.txt"]][:3] == [1.0, 1.0, 1.0]
    assert newcomers(session, session.result.documents) == []
