"""Safeguards: what library and decisions say at the moment of a removal. A plan may ask for less, never for more."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dupfinder.actions.folder import Identity, identity
from dupfinder.actions.outcome import Refusal, RefusalKind
from dupfinder.actions.plan import Step
from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.library.decisions import Decision, Decisions, VerdictKind
from dupfinder.library.library import Library

_PROTECT: Final = "protect"
Document = tuple[str, str]  # path, content hash in hexadecimal


@dataclass(frozen=True, slots=True)
class Safeguards:
    """What the person has said apart from a plan, before it or after it.

    roles: for each scan of the library, the newest first: identity of a folder (or file) that it names -> its role.
           Of the scans that name a file the newest decides, and in it the innermost folder. Without any scan the
           folders of the plan count alone.
    kept:  content hash -> paths of the documents with that content that are to be kept.
    apart: sets of documents that are no duplicates of each other.
    """

    roles: tuple[Mapping[Identity, str], ...] = ()
    kept: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    apart: tuple[frozenset[Document], ...] = ()

    @classmethod
    def of(cls, library: Path) -> Safeguards:
        """What the library at `library` and the decisions beside it say now. LibraryError."""
        roles: tuple[Mapping[Identity, str], ...] = ()
        if library.exists():
            with Library.open(library) as opened:
                roles = tuple(_by_identity(summary.roots) for summary in opened.scans())
        if not (library.parent / DECISIONS_NAME).exists():
            return cls(roles)
        decisions = Decisions(library.parent / DECISIONS_NAME)
        kept: dict[str, tuple[Path, ...]] = {}
        for path, (content, decision) in decisions.load().items():
            if decision == Decision.KEEP:
                kept[content] = (*kept.get(content, ()), Path(path))
        apart = tuple(
            frozenset(verdict.documents) for verdict in decisions.verdicts() if verdict.kind == VerdictKind.APART
        )
        return cls(roles, kept, apart)

    def why_not(self, step: Step, line: tuple[Identity, ...]) -> Refusal | None:
        """Why the victim, reached through the folders `line` (its own identity the last), must stay."""
        role = self._role(line)
        if self.roles and role is None:
            return Refusal(step, RefusalKind.OUTSIDE)
        if role == _PROTECT:
            return Refusal(step, RefusalKind.PROTECTED)
        if any(_is_at(path, line[-1]) for path in self.kept.get(step.victim.content_hash, ())):
            return Refusal(step, RefusalKind.KEPT)
        pair = {(str(witness.path), witness.content_hash) for witness in (step.victim, step.keeper)}
        if any(pair <= documents for documents in self.apart):
            return Refusal(step, RefusalKind.APART)
        return None

    def protect(self, line: tuple[Identity, ...]) -> bool:
        """Whether what lies in the innermost folder of `line` is protected."""
        return self._role(line) == _PROTECT

    def _role(self, line: tuple[Identity, ...]) -> str | None:
        for roles in self.roles:
            named = [roles[place] for place in line if place in roles]
            if named:
                return named[-1]
        return None


def _by_identity(roots: Iterable[tuple[Path, str]]) -> dict[Identity, str]:
    roles = {}
    for path, role in roots:
        with contextlib.suppress(OSError):  # a folder that is gone holds nothing
            roles[identity(os.stat(path))] = role
    return roles


def _is_at(path: Path, wanted: Identity) -> bool:
    try:
        return identity(os.lstat(path)) == wanted
    except OSError:
        return False
