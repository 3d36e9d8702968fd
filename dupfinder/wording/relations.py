"""Relations in words: their names and counts, similarities, and what differs between two documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from dupfinder.base.display import shown
from dupfinder.cluster.keeper import KeeperReason
from dupfinder.cluster.relation import Difference, Relation, name_of
from dupfinder.diff.blocks import Changes
from dupfinder.text.document import OtherContent
from dupfinder.wording.catalogue import N_, NP_, say, say_count, say_some
from dupfinder.wording.figures import joined, listed, padded, percent, percent_text

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
_MEANINGS: Final = {
    "identical": N_("The same file, byte for byte."),
    "same_text": N_("The same words; nothing but the format differs."),
    "same_words": N_("The same words, but pictures, comments, punctuation or the like differ."),
    "version": N_("Most of the text is the same: it was edited, shortened or misread."),
    "part": N_("Nearly all of its text is in a longer document."),
    "same_form": N_(
        "One form filled in differently, or one letter to different people. Each filling is a separate document."
    ),
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
    OtherContent.SIGNS: N_("punctuation and signs (?, €)"),
    OtherContent.LETTERING: N_("capitals and marks (M, ², [)"),
    OtherContent.NUMBERS: N_("numbers of items"),
    OtherContent.HEAD_WORDS: N_("headers and footers"),
    OtherContent.LIST_STARTS: N_("numbers of items"),
}
_DIFFERENCES: Final = {
    Difference.FORMAT: N_("only spaces, signs or forms of letters differ"),
    Difference.NUMBERS: N_("only numbers and dates differ"),
    Difference.SHORT: N_("short replacements only"),
}
_KEEPER_REASONS: Final = {
    KeeperReason.ALONE: N_("Others are parts or in archives"),
    KeeperReason.PROTECTED: N_("In a protected folder"),
    KeeperReason.COMPLETE: N_("Others were read only in part"),
    KeeperReason.CENTRAL: N_("Most like the others"),
    KeeperReason.PLAIN_NAME: N_("Plain name and folder"),
    KeeperReason.SIGNED: N_("Signed, by its name"),
    KeeperReason.FINAL: N_("Final or revised, by its name"),
    KeeperReason.NO_DRAFT: N_("No draft or backup, by its name"),
    KeeperReason.EDITION: N_("Newest by its name"),
    KeeperReason.RICHER: N_("Richer format"),
    KeeperReason.NEWER_INSIDE: N_("Newest inside"),
    KeeperReason.NEWER_FILE: N_("Newest by its files' dates"),
    KeeperReason.MORE_TEXT: N_("More text"),
    KeeperReason.NEWER_COPY: N_("Newest file"),
    KeeperReason.SHORTER_PATH: N_("Shortest path"),
    KeeperReason.FIRST: N_("First of equals"),
}
_EQUAL: Final = frozenset(("identical", "same_text", "same_words"))


def relation_name(relation: Relation | str) -> str:
    """Return the relation of a document to the kept copy, in a word or two. An unknown name is returned as it is."""
    name = relation if isinstance(relation, str) else name_of(relation)
    return say(_NAMES[name]) if name in _NAMES else name


def relation_meaning(relation: Relation) -> str:
    """Return the sentence that tells what a relation by which groups are filtered means."""
    return say(_MEANINGS[name_of(relation)])


def keeper_reason(why: KeeperReason | str) -> str:
    """Return why the kept copy of a group was proposed: "Richer format"."""
    return say(_KEEPER_REASONS[KeeperReason(why)])


def content_name(kind: OtherContent | str) -> str:
    """Return the name of other content of a document: "pictures"."""
    return say(_CONTENTS[OtherContent(kind)])


def content_names(kinds: Iterable[OtherContent | str]) -> str:
    """Return the names of kinds of other content as a list, each once."""
    return listed(dict.fromkeys(map(content_name, kinds)))


def similarity_text(share: float, *, equal: bool = False) -> str:
    """Return 0.969 as "96 %": rounded down, and 100 % only for equal texts; "< 1 %" for anything less than that."""
    amount = percent(share, equal=equal)
    return percent_text(amount if amount or share <= 0 else "< 1")


def difference_text(difference: Difference, changes: int, is_longer: bool) -> str:
    """Return how the text of a version differs from the kept copy's; "" for mixed and unknown differences.

    changes: as in Evidence. is_longer: whether it has more text than the kept copy.
    """
    if difference > Difference.FORMAT and not changes:
        return say("words in another order")
    if difference is Difference.ADDITIONS:
        return say("it has more text than the kept copy") if is_longer else say("it lacks some text")
    return say(_DIFFERENCES[difference]) if difference in _DIFFERENCES else ""


def changes_sentence(changes: Changes) -> str:
    """Return all that differs between two texts A and B: "Reworded in 3 places; 1 sentence only in A"."""
    clauses = (
        say_some("reworded in {count} place", "reworded in {count} places", changes.reworded),
        say_some(
            "numbers, dates or amounts differ in {count} place", "numbers, dates or amounts differ in {count} places",
            changes.numbers,
        ),
        say_some("punctuation differs in {count} place", "punctuation differs in {count} places", changes.signs),
        say_some("{count} sentence only in A", "{count} sentences only in A", changes.only_left),
        say_some("{count} sentence only in B", "{count} sentences only in B", changes.only_right),
        say_some("{count} sentence in another place", "{count} sentences in another place", changes.moved),
    )  # fmt: skip
    sentence = joined(filter(None, clauses))
    if not sentence:
        return say("Only the format differs: the texts are the same.")
    if not changes.has_numbers and (changes.reworded or changes.only_left or changes.only_right):
        sentence = joined((sentence, say("no number, date or amount differs")))
    return sentence[0].upper() + sentence[1:]


def other_content_text(differs: Iterable[OtherContent | str], unknown: Iterable[OtherContent | str]) -> str:
    """Return what differs beside equal words, and what is not known: "other pictures · not known: comments"."""
    differing, not_known = content_names(differs), content_names(unknown)
    texts = (
        say("other {contents}", contents=differing) if differing else "",
        say("not known: {contents}", contents=not_known) if not_known else "",
    )
    return " · ".join(filter(None, texts))


def relative_line(path: str, relation: str, similarity: float | None, distance: int | None = None) -> str:
    """Return a line of a list of similar documents in a terminal: "   96 %  version       3 bits  /docs/offer.txt".

    relation: its name in reports. distance: differing bits of the two fingerprints; None: not shown.
    """
    is_compared = similarity is not None and relation != "keeper"
    similar = similarity_text(similarity or 0.0, equal=relation in _EQUAL) if is_compared else ""
    name = say("kept") if relation == "keeper" else relation_name(relation).lower()
    cells = [padded(similar, 5, right=True), padded(name, 10)]
    if distance is not None:
        cells.append(padded(say_count("{count} bit", "{count} bits", distance), 7, right=True))
    return "  ".join(("", *cells, shown(path)))


_COUNTS: Final = {
    "identical": NP_("{count} identical", "{count} identical"),
    "same_text": NP_("{count} same text", "{count} same text"),
    "same_words": NP_("{count} same words", "{count} same words"),
    "version": NP_("{count} version", "{count} versions"),
    "part": NP_("{count} part", "{count} parts"),
}


def counted_relation(name: str, count: int, distant: int) -> str:
    """Return a count of documents by their relation: "3 identical". distant: how many of these are distant versions."""
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
