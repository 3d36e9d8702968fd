"""Explain why two documents are, or are not, near-duplicates: the rule that decided, and the numbers it used."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from dupfinder.base.display import shown
from dupfinder.base.settings import MAX_RADIUS
from dupfinder.cluster.relation import LEAST_SIMILARITY, Confidence, Demand, Difference, Relation
from dupfinder.diff.blocks import BlockKind
from dupfinder.scan.comparison import PairView, PrintWords
from dupfinder.wording.catalogue import N_, number_text, say, say_count
from dupfinder.wording.figures import joined, percent_text, row
from dupfinder.wording.relations import content_names, similarity_text

_MOST_PASSAGES = 3  # of each kind
_MOST_CHARACTERS = 160  # of a passage
_BITS = 64
_INDENT = " " * 13  # of a line that continues the line before
_COLUMNS = (30, -8, -13, -14)  # widths; negative: flush right
_CONFIDENCE_WORDS = {
    Confidence.CERTAIN: N_("certain"),
    Confidence.LIKELY: N_("likely"),
    Confidence.BORDERLINE: N_("borderline"),
}


def _names(view: PairView) -> tuple[str, str]:
    """Return how the two files are called: by file name, or by path if their names are equal."""
    if view.left.name == view.right.name:
        return shown(view.left), shown(view.right)
    return shown(view.left.name), shown(view.right.name)


def verdict(view: PairView, demand: Demand, relation: Relation) -> list[str]:
    """Return the explanation of a compared pair, one line each.

    relation: of the left document to the right one, as in the newest scan if it contains both.
    """
    left, right = _names(view)
    lines = [_rule(view, demand, relation)]
    if view.evidence.same_words is None:
        amount, least = similarity_text(view.evidence.similarity), percent_text(100 * demand.similarity)
        lines.append(say("Similarity: {similarity}, of which versions need {least}.", similarity=amount, least=least))
        lines += _numbers(view, demand)
    for name, read_in_part in zip((left, right), view.evidence.read_in_part, strict=True):
        if read_in_part:
            lines.append(say("Only the beginning of {name} was read; nothing here is about the rest.", name=name))
    if view.print_words is not None:
        lines += _print_words(view.print_words)
    return lines + _passages(view)


def _numbers(view: PairView, demand: Demand) -> list[str]:
    """Return lines with the measurements of two texts with different words."""
    left, right = _names(view)
    pattern = N_("Resemblance: {share} of all passages are in both.")
    if view.evidence.error:
        pattern = N_("Resemblance: {share} of all passages are in both, an estimate give or take {error}.")
    lines = [say(pattern, share=_tenths(view.evidence.resemblance), error=_tenths(view.evidence.error))]
    if view.counted is not None:
        resemblance, left_in_right, right_in_left = view.counted
        pattern = N_("Counted over both whole texts: {share} of all passages are in both, too few;")
        if resemblance >= demand.similarity:
            pattern = N_("Counted over both whole texts: {share} of all passages are in both, enough;")
        lines.append(say(pattern, share=_tenths(resemblance)))
        pattern = N_("{share} of {left} is in {right}, and {back} of {right} is in {left}.")
        share, back = _tenths(left_in_right), _tenths(right_in_left)
        lines.append(_INDENT + say(pattern, share=share, back=back, left=left, right=right))
    if view.evidence.aligned >= 0:
        lines.append(_aligned(view))
    lines.append(_distance(view.evidence.distance, demand.radius))
    share = _tenths(view.evidence.left_in_right)
    lines.append(say("Containment: {share} of {left} is in {right},", share=share, left=left, right=right))
    share, least = _tenths(view.evidence.right_in_left), percent_text(100 * demand.containment)
    pattern = N_("{share} of {right} is in {left}; a part needs {least}.")
    lines.append(_INDENT + say(pattern, share=share, left=left, right=right, least=least))
    return lines


def _tenths(share: float) -> str:
    return percent_text(number_text(100 * share, 1))


def _aligned(view: PairView) -> str:
    """Return the result of comparing two texts word by word."""
    if view.evidence.moved:
        share = _tenths(view.evidence.aligned)
        return say("Word by word: {share} of the words are in both, in another order.", share=share)
    return say(
        "Word by word: {share} of the words are in both in the same order (misread ones count if most changes are "
        "such); {places}, {words} words each on average: {difference}.",
        share=_tenths(view.evidence.aligned),
        places=say_count("{count} place differs", "{count} places differ", view.evidence.changes),
        words=number_text(view.evidence.run, 1),
        difference=say(_DIFFERENCES[view.evidence.difference]),
    )


def _distance(distance: int | None, radius: int) -> str:
    if distance is None:
        return say("Fingerprint distance: none; a text is too short to have a fingerprint.")
    pattern = N_("Fingerprint distance: {distance} of 64 bits, beyond the radius of {radius}.")
    if distance <= radius:
        pattern = N_("Fingerprint distance: {distance} of 64 bits, within the radius of {radius}.")
    return say(pattern, distance=distance, radius=radius)


_DIFFERENCES = {
    Difference.UNKNOWN: N_("not compared"),
    Difference.FORMAT: N_("nothing"),
    Difference.NUMBERS: N_("only numbers and dates differ"),
    Difference.SHORT: N_("short replacements only"),
    Difference.ADDITIONS: N_("one has sentences that the other lacks, and nothing else differs"),
    Difference.MIXED: N_("reworded, with sentences new or gone"),
}


def _print_words(print_words: PrintWords) -> list[str]:
    lines = []
    if print_words.fingerprints is not None:
        left_print, right_print = print_words.fingerprints
        bits = [str(bit) for bit in range(_BITS) if (left_print ^ right_print) >> (_BITS - 1 - bit) & 1]
        lines.append(say("Fingerprints: {left} and {right}.", left=f"{left_print:016x}", right=f"{right_print:016x}"))
        pattern = N_("Differing bits, the most significant being 0: {bits}.")
        lines.append(say(pattern, bits=", ".join(bits) or say("none")))
    if print_words.words:
        heads = (say("Heaviest words"), say("weight"), say("in the first"), say("in the second"))
        lines.append(row(heads, _COLUMNS))
        for word in print_words.words:
            counts = (number_text(word.left_count), number_text(word.right_count))
            cells = (f"  {shown(word.word)}", _tenths(word.share), *counts)
            lines.append(row(cells, _COLUMNS))
    return lines


def _rule(view: PairView, demand: Demand, relation: Relation) -> str:
    left, right = _names(view)
    match relation:
        case Relation.IDENTICAL | Relation.SAME_TEXT | Relation.SAME_WORDS:
            return sameness(view)
        case Relation.VERSION:
            sure = say(_CONFIDENCE_WORDS[view.evidence.confidence(demand)])
            if view.evidence.resemblance >= demand.similarity:
                return say("Versions of one document ({sure}): enough passages are in both.", sure=sure)
            pattern = N_("Versions of one document ({sure}): edits are scattered over it, and most words are in both.")
            if view.evidence.moved:
                pattern = N_("Versions of one document ({sure}): nearly all words are in both, in another order.")
            return say(pattern, sure=sure)
        case Relation.PART:
            return _part(left, view.evidence.left_in_right, view.evidence.error, right)
        case Relation.WHOLE:
            return _part(right, view.evidence.right_in_left, view.evidence.error, left)
        case Relation.SAME_FORM if view.evidence.similarity < LEAST_SIMILARITY:
            return say("Same form: the longer document holds it with other contents, or not filled in.")
        case Relation.SAME_FORM:
            return say("Same form: they differ in what is filled in, at places where other fillings differ too.")
        case _:
            return _why_unrelated(view, demand)


def sameness(view: PairView) -> str:
    """Return what two documents with equal words have in common, and what differs; "" for different words."""
    match view.evidence.same_words:
        case None:
            return ""
        case Relation.IDENTICAL:
            return say("Identical: the same bytes.")
        case Relation.SAME_TEXT:
            return say("Same text: word for word equal, and nothing else in them differs but the format.")
        case _:
            return say("Same words: word for word equal; {differences}.", differences=_differences(view))


def _part(part: str, share: float, error: float, whole: str) -> str:
    """Tell how much of a text is in another: all of it only if this was counted, not estimated."""
    if share == 1 and error == 0:
        return say("Part: {part} is in {whole}.", part=part, whole=whole)
    amount = similarity_text(share)
    return say("Part: {share} of {part} is in {whole}.", share=amount, part=part, whole=whole)


def _differences(view: PairView) -> str:
    """Return what differs between two documents with equal words, and what is not known."""
    parts = []
    if view.evidence.differs:
        parts.append(say("what differs: {contents}", contents=content_names(view.evidence.differs)))
    if view.evidence.not_known:
        contents = content_names(view.evidence.not_known)
        parts.append(say("not known for these formats: {contents}", contents=contents))
    return joined(parts)


_NO_RADIUS = N_(
    "Not joined: they are similar enough only by scattered edits, which count within a radius, and no radius is wide "
    "enough."
)


def _why_unrelated(view: PairView, demand: Demand) -> str:
    """Return why two documents are unrelated, and which demand would relate them."""
    if not view.evidence.similarity:
        return say("Not versions: no passage is in both.")
    if view.evidence.distance is None:
        return say("Not joined: a text too short to have a fingerprint is compared by exact content only.")
    if view.evidence.similarity >= demand.similarity:
        by_passages = view.evidence.relation(replace(demand, passages=True)) is Relation.VERSION
        if view.evidence.distance > MAX_RADIUS:
            if by_passages:
                return say("Not joined: they are similar enough, but it would need shared passages switched on.")
            return say(_NO_RADIUS)
        pattern = N_("Not joined: they are similar enough, but it would need a radius of {radius}.")
        if by_passages:
            pattern = N_(
                "Not joined: they are similar enough, but it would need a radius of {radius}, or shared passages "
                "switched on."
            )
        return say(pattern, radius=view.evidence.distance)
    if view.evidence.similarity < LEAST_SIMILARITY:
        return say("Not versions: too few passages are in both, whatever least similarity is set.")
    pattern = N_("Not versions: too few passages are in both; it would need a least similarity of {similarity}.")
    return say(pattern, similarity=similarity_text(view.evidence.similarity))


def _passages(view: PairView) -> list[str]:
    comparison = view.comparison
    if comparison is None:
        return []
    blocks = comparison.blocks
    both = [(block.left_start, block.left_stop) for block in blocks if block.kind is BlockKind.SAME]
    left = [
        (block.left_start, block.left_stop)
        for block in blocks
        if block.kind in (BlockKind.ONLY_LEFT, BlockKind.CHANGED)
    ]
    right = [
        (block.right_start, block.right_stop)
        for block in blocks
        if block.kind in (BlockKind.ONLY_RIGHT, BlockKind.CHANGED)
    ]
    longest_first = sorted(both, key=lambda span: span[1] - span[0], reverse=True)
    sides = (
        (N_("In both: {text}"), comparison.left_lines, longest_first),
        (N_("Only in the first: {text}"), comparison.left_lines, left),
        (N_("Only in the second: {text}"), comparison.right_lines, right),
    )
    return [
        say(pattern, text=_excerpt(lines[start:stop]))
        for pattern, lines, spans in sides
        for start, stop in spans[:_MOST_PASSAGES]
    ]


def _excerpt(lines: tuple[str, ...]) -> str:
    text = " ".join(" ".join(lines).split())
    return shown(text if len(text) <= _MOST_CHARACTERS else text[: _MOST_CHARACTERS - 1] + "…")


def scan_lines(relation: Relation, keeper: Path | None) -> list[str]:
    """Return lines about the group of two documents. keeper: its kept copy; None: they are in no group together."""
    if keeper is None:
        return [say("In the scan: not in the same group.")]
    lines = [say("In the scan: in one group, whose kept copy is {keeper}.", keeper=shown(keeper.name))]
    if relation is Relation.NONE:
        lines.append(say("Other versions connect them in this group; they are no verified pair: distant versions."))
    return lines
