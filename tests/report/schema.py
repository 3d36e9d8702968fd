"""The shipped JSON Schemas, by which every JSON report that a test reads is checked."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from dupfinder.base.paths import resource


@functools.cache
def validator(version: int = 2) -> Draft202012Validator:
    """The validator of a shipped schema, which is itself valid."""
    schema = json.loads(resource(f"report/report-{version}.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def read_report(path: Path, version: int = 2) -> dict[str, Any]:
    """The JSON report in `path`, checked."""
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    check(report, version)
    return report


def check(report: dict[str, Any], version: int = 2) -> None:
    """Raise AssertionError, which names the place, where a report is not as the schema says."""
    errors = [f"{error.json_path}: {error.message[:300]}" for error in validator(version).iter_errors(report)]
    assert not errors, errors[:5]
