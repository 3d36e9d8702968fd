"""Names of relations, and of what differs between documents with the same words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dupfinder.cluster.relation import Relation, name_of
from dupfinder.text.document import OtherContent
from dupfinder.wording.catalogue import N_, NP_, say, say_count
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
    OtherContent.SIGNS: N_("signs (€, −)"),
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


_COUNTS: Final = {
    "identical": NP_("{count} identical", "{count} identical"),
    "same_text": NP_("{count} same text", "{count} same text"),
    "same_words": NP_("{count} same words", "{count} same words"),
    "version": NP_("{count} version", "{count} versions"),
    "part": NP_("{count} part", "{count} parts"),
}


def counted_relation(name: str, count: int, distant: int = 0) -> str:
    """Return documents of one relation to their kept copies: "3 identical". distant: versions that are distant."""
    text = say_count(*_COUNTS[name], count)
    if not distant:
        return text
    return say_count("{versions} ({count} distant)", "{versions} ({count} distant)", distant, versions=text)


def relations_text(counts: Mapping[str, int]) -> str:
    """Count documents by relation to their kept copies, which are not counted: "3 identical, 2 versions"."""
    distant = counts.get("linked", 0)
    totals = {**counts, "version": counts.get("version", 0) + counts.get("whole", 0) + distant}
    return listed(
        counted_relation(name, totals[name], distant if name == "version" else 0)
        for name in _COUNTS
        if totals.get(name)
    )
