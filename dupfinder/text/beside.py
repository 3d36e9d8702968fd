"""What a document holds beside its words, gathered kind by kind and hashed: `Extracted.other`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping

from dupfinder.text.document import MAY_HOLD, NOT_KNOWN, MediaType, OtherContent

HASH_BYTES = 8


def digest(content: bytes) -> bytes:
    """A short hash of some bytes."""
    return hashlib.blake2b(content, digest_size=HASH_BYTES).digest()


class Beside:
    """Takes each piece of content with its kind, in document order.

    Texts count without their spacing, so that a save by another version of a program changes nothing.
    """

    def __init__(self) -> None:
        self._hashes: dict[OtherContent, hashlib.blake2b] = {}
        self._unknown: set[OtherContent] = set()

    def add(self, kind: OtherContent, *facts: str | bytes | None) -> None:
        """Add one piece by its facts: its author and its text, its name and its bytes. None: they cannot be told."""
        hashed = self._hashes.get(kind)
        if hashed is None:
            hashed = self._hashes[kind] = hashlib.blake2b(digest_size=HASH_BYTES)
        hashed.update(len(facts).to_bytes(4, "little"))
        for fact in facts:
            if fact is None:
                self._unknown.add(kind)
                return
            content = fact if isinstance(fact, bytes) else " ".join(fact.split()).encode("utf-8", "replace")
            hashed.update(len(content).to_bytes(4, "little") + content)

    def add_text(self, kind: OtherContent, text: str) -> None:
        """Add a text, unless nothing but spaces is in it."""
        if text and not text.isspace():
            self.add(kind, text)

    def include(self, other: Mapping[OtherContent, str]) -> None:
        """Add what a document inside this one holds."""
        for kind, said in other.items():
            self.add(kind, said if said != NOT_KNOWN else None)

    def unknown(self, *kinds: OtherContent) -> None:
        """Say that the document may hold more of these kinds than was added."""
        self._unknown.update(kinds)

    def said(self, media: MediaType, never: Iterable[OtherContent] = ()) -> Mapping[OtherContent, str]:
        """Each kind's hash, NOT_KNOWN for unknown ones; kinds that were never met are left out.

        never: kinds that the reader never looks for.
        """
        unknown = self._unknown | set(never)
        return {
            kind: NOT_KNOWN if kind in unknown else self._hashes[kind].hexdigest()
            for kind in OtherContent
            if kind in MAY_HOLD[media] and (kind in unknown or kind in self._hashes)
        }
