"""Safeguards: the library's and the person's decisions at the time of a removal, which restrict every plan."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from dupfinder.actions.folder import Identity, identities_of, identity
from dupfinder.actions.outcome import Refusal, RefusalKind
from dupfinder.actions.plan import Step
from dupfinder.base.paths import DECISIONS_NAME
from dupfinder.library.decisions import Decision, Decisions, VerdictKind
from dupfinder.library.library import LibraryFile
from dupfinder.library.store import is_there

_PROTECT: Final = "protect"
Document = tuple[str, str]  # path, content hash in hexadecimal


@dataclass(frozen=True, slots=True)
class Safeguards:
    """Decisions outside a plan, made before or after it.

    roles: for each scan in the library, newest first: identity of a folder (or file) of the scan -> its role. The
           newest scan that contains a file decides, by the innermost folder. Without any scan, only the plan's folders
           count.
    kept:  content hash -> paths of the documents with that content that must be kept.
    apart: sets of documents that are not duplicates of each other.
    pairs_apart: pairs of content hashes; documents with these two contents are not duplicates of each other.
    """

    roles: tuple[Mapping[Identity, str], ...] = ()
    kept: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    apart: tuple[frozenset[Document], ...] = ()
    pairs_apart: frozenset[frozenset[str]] = frozenset()

    @classmethod
    def of(cls, library: Path) -> Safeguards:
        """Return the decisions in the library at this path and in the decisions file beside it.

        Raises LibraryError, and DecisionsDamaged once if decisions were lost.
        """
        roles: tuple[Mapping[Identity, str], ...] = ()
        if is_there(library):
            with LibraryFile(library) as opened:
                roles = tuple(
                    {folder: role for path, role in summary.roots for folder in identities_of(path)}  # if they exist
                    for summary in opened.scans()
                )
        decisions = Decisions(library.parent / DECISIONS_NAME)
        decisions.check()  # lost decisions may have been to keep a document
        if not decisions.path.exists():
            return cls(roles)
        kept: dict[str, tuple[Path, ...]] = {}
        for path, (content, decision) in decisions.load().items():
            if decision == Decision.KEEP:
                kept[content] = (*kept.get(content, ()), Path(path))
        kinds = (VerdictKind.APART, VerdictKind.PAIR_APART)
        verdicts = [verdict for verdict in decisions.verdicts() if verdict.kind in kinds]
        apart = tuple(frozenset(verdict.documents) for verdict in verdicts)
        pairs = (verdict.documents for verdict in verdicts if verdict.kind == VerdictKind.PAIR_APART)
        contents = (frozenset(content for _, content in documents) for documents in pairs)
        pairs_apart = frozenset(pair for pair in contents if len(pair) == 2)
        return cls(roles, kept, apart, pairs_apart)

    def refusal_of(self, step: Step, lineage: tuple[Identity, ...]) -> Refusal | None:
        """Return why the victim must be kept, or None. lineage: identities of the folders above it, then its own."""
        role = self._role(lineage)
        if self.roles and role is None:
            return Refusal(step, RefusalKind.OUTSIDE)
        if role == _PROTECT:
            return Refusal(step, RefusalKind.PROTECTED)
        if any(_is_at(path, lineage[-1]) for path in self.kept.get(step.victim.content_hash, ())):
            return Refusal(step, RefusalKind.KEPT)
        pair = {(str(known_file.path), known_file.content_hash) for known_file in (step.victim, step.keeper)}
        contents = frozenset((step.victim.content_hash, step.keeper.content_hash))
        if contents in self.pairs_apart or any(pair <= documents for documents in self.apart):
            return Refusal(step, RefusalKind.APART)
        return None

    def is_protected(self, lineage: tuple[Identity, ...]) -> bool:
        """Tell whether the innermost folder of `lineage` is protected."""
        return self._role(lineage) == _PROTECT

    def _role(self, lineage: tuple[Identity, ...]) -> str | None:
        """Return the role that applies to `lineage`, None if no scan contains it."""
        for roles in self.roles:
            roles_on_path = [roles[folder] for folder in lineage if folder in roles]
            if roles_on_path:
                return roles_on_path[-1]
        return None


def _is_at(path: Path, wanted: Identity) -> bool:
    try:
        return identity(os.lstat(path)) == wanted
    except OSError:
        return False
