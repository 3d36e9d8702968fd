"""Sentences of review.wording in the window's language. Imported where they are needed: what they speak of is heavy."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication

from dupfinder.actions.held import GivenBack
from dupfinder.actions.outcome import Outcome
from dupfinder.actions.refusal import Refusal
from dupfinder.base.errors import DupfinderError
from dupfinder.base.problems import Problem
from dupfinder.review import wording, wording_removal


def _translate(text: str) -> str:
    return QCoreApplication.translate("Wording", text)


def sentence(error: DupfinderError) -> str:
    """One clear sentence or two for an error."""
    return wording.sentence(error, _translate)


def problem_sentence(problem: Problem) -> str:
    """Why a file was not read as a document."""
    return wording.problem_sentence(problem.kind, problem.detail, _translate)


def put_aside_sentence(aside: Path) -> str:
    """What happened to a damaged library when a scan began."""
    return wording.put_aside_sentence(aside, _translate)


def repaired_sentence(names: list[str]) -> str:
    """What happened to a library of which only some rows were damaged."""
    return wording.repaired_sentence(names, _translate)


def outcome_sentence(outcome: Outcome) -> str | None:
    """The sentence on a step that did not go as planned; None for one that did."""
    return wording_removal.outcome_sentence(outcome, _translate)


def given_back_sentence(given: GivenBack) -> str:
    """What became of a file that had a holding name."""
    return wording_removal.given_back_sentence(given, _translate)


def restore_refusal_sentence(refusal: Refusal) -> str:
    """Why a removed file was not restored."""
    return wording_removal.restore_refusal_sentence(refusal, _translate)
