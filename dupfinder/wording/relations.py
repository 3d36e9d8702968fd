"""Names of relations, and of what differs between documents with the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dupfinder.cluster.relation import Relation, name_of
from dupfinder.text.document import OtherContent
from dupfinder.wording.catalogue import N_, say, say_count
from dupfinder.wording.figures import listed

# By the names in reports: "keeper" and "linked" are not members of Relation.
_NAMES: Final = {
    "keeper": N_("Kept copy"),
    "identical": N_("Identical"),
    "same_text": N_("Same text"),
    "same_words": N_("Same words"),
    "version": N_("Version"),
    "part": N_("Part"),
    "whole": N_("Contains it"),
    "linked": N_("Distant version"),
    "none": N_("Distant version"),
    "same_form": N_("Same form"),
}
_CONTENTS: Final = {
    OtherContent.PICTURES: N_("pictures"),
    OtherContent.COMMENTS: N_("comments"),
    OtherContent.TRACKED_CHANGES: N_("tracked changes"),
    OtherContent.ATTACHMENTS: N_("attachments"),
    OtherContent.FORM_FIELDS: N_("form fields"),
    OtherContent.FORMULAS: N_("formulas"),
    OtherContent.HEADERS: N_("headers and footers"),
    OtherContent.NOTES: N_("speaker notes"),
    OtherContent.LINKS: N_("links"),
}
# How the words of a version differ; other kinds of difference have no words.
_DIFFERENCES: Final = {
    "numbers": N_("only numbers, dates and amounts differ"),
    "short": N_("short replacements only"),
    "additions": N_("one has more, nothing else differs"),
}


def relation_name(relation: Relation | str) -> str:
    """Return the relation of a document to the kept copy, in a word or two. An unknown name is returned as it is."""
    name = relation if isinstance(relation, str) else name_of(relation)
    return say(_NAMES[name]) if name in _NAMES else name


def content_name(kind: OtherContent | str) -> str:
    """Return the name of other content of a document: "pictures"."""
    return say(_CONTENTS[OtherContent(kind)])


def difference_words(difference: str) -> str:
    """Return how the words of a version differ from those of the kept copy; "" for kinds without words."""
    return say(_DIFFERENCES[difference]) if difference in _DIFFERENCES else ""


def relations_text(counts: Mapping[str, int]) -> str:
    """Count documents by relation to their kept copies, which are not counted: "3 identical, 2 versions"."""
    linked = counts.get("linked", 0)
    versions = counts.get("version", 0) + counts.get("whole", 0) + linked
    parts = []
    if number := counts.get("identical", 0):
        parts.append(say_count("{count} identical", "{count} identical", number))
    if number := counts.get("same_text", 0):
        parts.append(say_count("{count} same text", "{count} same text", number))
    if number := counts.get("same_words", 0):
        parts.append(say_count("{count} same words", "{count} same words", number))
    if versions:
        words = say_count("{count} version", "{count} versions", versions)
        if linked:
            words = say_count("{versions} ({count} distant)", "{versions} ({count} distant)", linked, versions=words)
        parts.append(words)
    if number := counts.get("part", 0):
        parts.append(say_count("{count} part", "{count} parts", number))
    return listed(parts)
