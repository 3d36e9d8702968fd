"""What documents hold beside their words comes from the readers through a scan into the library, members included."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import numpy as np

from dupfinder.cluster.relation import CONTENT_KINDS, NO_HASH, UNKNOWN_HASH, compare_other
from dupfinder.library.library import LibraryFile
from dupfinder.scan.pipeline import run_scan
from dupfinder.scan.request import Root, ScanRequest
from dupfinder.text.document import OtherContent
from tests import making, making_compound
from tests.scan.documents import prose, put


def test_a_scan_tells_which_kinds_of_content_differ_and_which_are_not_known(tmp_path: Path) -> None:
    docs, library = tmp_path / "docs", tmp_path / "kept" / "library.db"
    text = prose(1)
    remark = '<w:comment w:author="Ann"><w:p><w:r><w:t>Why?</w:t></w:r></w:p></w:comment>'
    with_remark = making.docx(text, parts={"comments": remark})
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("inside.docx", with_remark)
    files = {
        "a.docx": making.docx(text),
        "b.docx": with_remark,
        "c.doc": making_compound.doc(text, streams={"Macros": b"one"}),
        "d.txt": making.txt(text),
        "e.zip": packed.getvalue(),
    }
    for name, data in files.items():
        put(docs / name, data)
    number = run_scan(ScanRequest((Root(docs),), workers=1), library)
    with LibraryFile(library) as opened:
        documents = opened.documents(number)
    other = {Path(path).name: row for path, row in zip(documents.paths, documents.other, strict=True)}
    place = {kind: number for number, kind in enumerate(CONTENT_KINDS)}
    is_beside = np.array([kind not in (OtherContent.SIGNS, OtherContent.LETTERING) for kind in CONTENT_KINDS])
    assert (other["a.docx"] == other["d.txt"]).all() and (other["d.txt"][is_beside] == NO_HASH).all()
    (differs,), (unknown,) = compare_other(other["a.docx"][None], other["b.docx"][None], np.ones(1, np.bool_))
    assert differs.nonzero()[0].tolist() == [place[OtherContent.COMMENTS]] and not unknown.any()
    assert (other["inside.docx"] == other["b.docx"]).all()
    (differs,), (unknown,) = compare_other(other["a.docx"][None], other["c.doc"][None], np.ones(1, np.bool_))
    assert unknown.nonzero()[0].tolist() == [place[OtherContent.ATTACHMENTS]] and not differs.any()
    assert other["c.doc"][place[OtherContent.ATTACHMENTS]] == UNKNOWN_HASH
