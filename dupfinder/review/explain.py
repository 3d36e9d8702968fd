"""Explain why two documents are, or are not, near-duplicates: the rule that decided, and the numbers it used."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dupfinder.base.display import counted, shown
from dupfinder.cluster.relation import Confidence, Demand, Difference, Relation, confidence, percent
from dupfinder.review.grouping import Grouping
from dupfinder.scan.comparison import Inside, PairView

_EXCERPTS = 3  # passages of each kind
_EXCERPT = 160  # characters
_BITS = 64


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
    if view.same_words is None:
        lines.append(f"Similarity: {percent(view.similarity)} %, of which versions need {demand.similarity:.0%}.")
        lines += _numbers(view, demand)
    for name in (name for name, in_part in zip((left, right), view.in_part, strict=True) if in_part):
        lines.append(f"Only the beginning of {name} was read; all of this is said of what was read, none of the rest.")
    if view.inside is not None:
        lines += _inside(view.inside)
    return lines + _passages(view)


def _numbers(view: PairView, demand: Demand) -> list[str]:
    """Return lines with the measurements of two texts with different words."""
    left, right = _names(view)
    estimate = "" if not view.error else f", an estimate give or take {view.error:.1%}"
    lines = [f"Resemblance: {view.resemblance:.1%} of all passages are in both{estimate}."]
    if view.counted is not None:
        resemblance, *inside = view.counted
        side = "enough" if resemblance >= demand.similarity else "too few"
        lines.append(f"Counted over both whole texts: {resemblance:.1%} of all passages are in both, {side};")
        lines.append(f"             {inside[0]:.1%} of {left} is in {right}, {inside[1]:.1%} of that in the first.")
    if view.aligned >= 0:
        kind = _DIFFERENCES[Difference(view.difference)]
        places = f"{counted(view.changes, 'place')} differ, {view.run:.1f} words each on average"
        lines.append(f"Word by word: {view.aligned:.1%} of the words are in both in the same order; {places}: {kind}.")
    if view.distance is None:
        lines.append("Fingerprint distance: none; a text is too short to have a fingerprint.")
    else:
        within = "within" if view.distance <= demand.radius else "beyond"
        lines.append(f"Fingerprint distance: {view.distance} of 64 bits, {within} the radius of {demand.radius}.")
    lines.append(f"Containment: {view.left_in_right:.1%} of {left} is in {right},")
    lines.append(
        f"             {view.right_in_left:.1%} of {right} is in {left}; a part needs {demand.containment:.0%}."
    )
    return lines


_DIFFERENCES = {
    Difference.UNKNOWN: "not compared",
    Difference.FORMAT: "nothing",
    Difference.NUMBERS: "only numbers, dates and amounts differ",
    Difference.SHORT: "short replacements only",
    Difference.ADDITIONS: "one has sentences that the other lacks, and nothing else differs",
    Difference.MIXED: "reworded, with sentences new or gone",
}


def _inside(inside: Inside) -> list[str]:
    """Return lines with the fingerprints, their differing bits and the words of the greatest weight."""
    lines = []
    if inside.fingerprints is not None:
        left, right = inside.fingerprints
        bits = [str(bit) for bit in range(_BITS) if (left ^ right) >> (_BITS - 1 - bit) & 1]
        lines.append(f"Fingerprints: {left:016x} and {right:016x}.")
        lines.append(f"Differing bits, the most significant being 0: {', '.join(bits) or 'none'}.")
    if inside.words:
        lines.append(f"{'Heaviest words':30} {'weight':>7} {'in the first':>13} {'in the second':>14}")
        lines += [f"  {shown(word.word):28} {word.share:7.1%} {word.left_count:13,} {word.right_count:14,}"
                  for word in inside.words]  # fmt: skip
    return lines


@dataclass(frozen=True, slots=True)
class Scanned:
    """What a scan knows of two files: the relation of the first to the second, and lines about their group."""

    relation: Relation
    lines: tuple[str, ...]


def scanned(grouping: Grouping, left: Path, right: Path, demand: Demand) -> Scanned | None:
    """Return what a scan knows of two documents; None unless it contains both."""
    documents = grouping.result.documents
    rows = {path: row for row, path in enumerate(documents.paths) if path in (str(left), str(right))}
    if len(rows) < 2:
        return None
    left_row, right_row = rows[str(left)], rows[str(right)]
    relation, _ = grouping.tie_of(left_row, right_row, demand)
    clusters = grouping.clusters(demand)
    places = {int(row): int(place) for row, place in zip(clusters.members, clusters.places, strict=True)}
    if left_row not in places or places[left_row] != places.get(right_row):
        return Scanned(relation, ("In the scan: not in one group.",))
    keeper = documents.path(int(clusters.keepers[places[left_row]]))
    lines = [f"In the scan: in one group, whose kept copy is {shown(keeper.name)}."]
    if relation is Relation.NONE:
        lines.append("They hang together through other versions, not by a verified pair: distant versions.")
    return Scanned(relation, tuple(lines))


def _rule(view: PairView, demand: Demand, relation: Relation) -> str:
    """Return the sentence that names the relation and the rule that decided it."""
    left, right = _names(view)
    match relation:
        case Relation.IDENTICAL:
            return "Identical: the same bytes."
        case Relation.SAME_TEXT:
            return "Same text: word for word equal, and nothing else in them differs but the format."
        case Relation.SAME_WORDS:
            return f"Same words: word for word equal; {_beside(view)}."
        case Relation.VERSION:
            sure = _sure(view, demand)
            if view.resemblance >= demand.similarity:
                return f"Versions of one document ({sure}): enough passages are in both."
            return f"Versions of one document ({sure}): edits are scattered over it, and nearly all words are in both."
        case Relation.PART:
            return f"Part: {left} is in {right}."
        case Relation.WHOLE:
            return f"Part: {right} is in {left}."
        case Relation.SAME_FORM:
            return "Same form: both are filled in differently, at the places that other fillings of it differ at too."
        case _:
            return _lacking(view, demand)


def _beside(view: PairView) -> str:
    """Return what differs between two documents with equal words, and what is not known."""
    parts = []
    if view.differs:
        parts.append(f"what differs: {', '.join(view.differs).replace('_', ' ')}")
    if view.not_known:
        parts.append(f"not known for these formats: {', '.join(view.not_known).replace('_', ' ')}")
    return "; ".join(parts)


def _sure(view: PairView, demand: Demand) -> str:
    """Return the name of the confidence in a relation, in lower case."""
    pair, evidence = view.evidence()
    return Confidence(int(confidence(evidence, pair, demand)[0])).name.lower()


def _lacking(view: PairView, demand: Demand) -> str:
    """Return why two documents are unrelated, and which demand would relate them."""
    if view.similarity >= demand.similarity:
        needed = f"a radius of {view.distance}" if view.distance is not None else "shared passages"
        return f"Not joined: they are alike enough, but it would need {needed}, or shared passages switched on."
    needed = f"a least similarity of {percent(view.similarity)} %"
    return f"Not versions: too few passages are in both; it would need {needed}."


def _passages(view: PairView) -> list[str]:
    """Return lines with excerpts of the longest common passages and of the differing ones."""
    comparison = view.comparison
    if comparison is None:
        return []
    same = [block for block in comparison.blocks if block.kind.value == "same" and block.left_stop > block.left_start]
    same.sort(key=lambda block: block.left_start - block.left_stop)
    lines = []
    for block in same[:_EXCERPTS]:
        lines.append(f"In both:     {_excerpt(comparison.left_lines[block.left_start : block.left_stop])}")
    for side, kinds in (("left", ("only_left", "changed")), ("right", ("only_right", "changed"))):
        blocks = [block for block in comparison.blocks if block.kind.value in kinds]
        texts = comparison.left_lines if side == "left" else comparison.right_lines
        name = "first" if side == "left" else "second"
        for block in blocks[:_EXCERPTS]:
            start, stop = (
                (block.left_start, block.left_stop) if side == "left" else (block.right_start, block.right_stop)
            )
            lines.append(f"Only in the {name}: {_excerpt(texts[start:stop])}")
    return lines


def _excerpt(lines: tuple[str, ...]) -> str:
    """Return lines joined to one, shortened to _EXCERPT characters."""
    text = " ".join(" ".join(lines).split())
    return shown(text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…")
