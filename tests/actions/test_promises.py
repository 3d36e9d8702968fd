"""The table of promises names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("PROMISES.md")
NAMED = re.compile(r"`(?P<file>[a-z_/]+\.py)?(?:::(?P<test>test_\w+)(?:\[[^\]]*\])?)?`")


def test_every_test_that_the_table_of_promises_names_is_there() -> None:
    named = 0
    for row in TABLE.read_text(encoding="utf-8").splitlines():
        file = ""
        for match in NAMED.finditer(row):
            file = match["file"] or file
            if match["test"]:
                assert f"def {match['test']}(" in (TESTS / file).read_text(encoding="utf-8"), match[0]
                named += 1
            elif file:
                assert (TESTS / file).is_file(), match[0]
    assert named > 40


def test_every_row_of_the_table_names_a_test() -> None:
    rows = [row for row in TABLE.read_text(encoding="utf-8").splitlines() if row.startswith("| ")]
    promises = [row for row in rows if row.split(" | ")[-1].strip(" |") not in ("shown by", "shown to be closed by")]
    assert len(promises) > 40
    assert [row for row in promises if "::test_" not in row] == []
