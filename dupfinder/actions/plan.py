"""Plan: what is to be removed, as data that can be shown, saved, checked and refused."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from dupfinder.base.stamp import FileStamp


class Verb(StrEnum):
    """How a victim goes."""

    TRASH = "trash"
    MOVE = "move"
    HARDLINK = "hardlink"


class Reason(StrEnum):
    """Why the victim is thought superfluous."""

    IDENTICAL_BYTES = "identical_bytes"
    IDENTICAL_TEXT = "identical_text"
    NEAR = "near"
    CONTAINED = "contained"
    CONTAINS = "contains"  # the victim holds all of the keeper and more


@dataclass(frozen=True, slots=True)
class Witness:
    """A file as it was when it was read: its stamp and the BLAKE2b-128 of its bytes, in hexadecimal."""

    stamp: FileStamp
    content_hash: str


@dataclass(frozen=True, slots=True)
class Step:
    """One victim, the kept file it gives way to, and why. `similarity`: the verified resemblance, 0..1."""

    verb: Verb
    victim: Witness
    keeper: Witness
    reason: Reason
    similarity: float


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps in order, and what they must respect.

    roots:       folders that were scanned; nothing outside them is touched.
    protected:   folders in which nothing is touched.
    destination: for MOVE: the folder that receives the files, with their sub-folders kept.
    min_similarity: near-duplicates must still reach this, computed exactly, right before the act.
    """

    steps: tuple[Step, ...]
    roots: tuple[Path, ...]
    protected: tuple[Path, ...] = ()
    destination: Path | None = None
    min_similarity: float = 0.0
    scan_name: str = ""
