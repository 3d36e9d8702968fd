"""Why two documents are, or are not, near-duplicates: the rule that decided, and the numbers behind it."""

from __future__ import annotations

from pathlib import Path

from dupfinder.base.display import shown
from dupfinder.base.settings import DEFAULT_MIN_SIMILARITY
from dupfinder.review.comparison import Inside, PairView
from dupfinder.review.grouping import Grouping, pair_row

_EXCERPTS = 3  # passages of each kind
_EXCERPT = 160  # characters
_BITS = 64


def _names(view: PairView) -> tuple[str, str]:
    """What the two files are called: by their names alone where these differ."""
    if view.left.name == view.right.name:
        return shown(view.left), shown(view.right)
    return shown(view.left.name), shown(view.right.name)


def verdict(view: PairView, radius: int, min_similarity: float, min_containment: float) -> list[str]:
    """The explanation of one compared pair, a line each."""
    lines = [_rule(view, radius, min_similarity, min_containment)]
    if view.distance is None:
        lines.append("Fingerprint distance: none; a text is too short to have a fingerprint.")
    else:
        within = "within" if view.distance <= radius else "beyond"
        lines.append(f"Fingerprint distance: {view.distance} of 64 bits, {within} the radius of {radius}.")
    asked = f"asked for at least {min_similarity:.0%}"
    lines.append(f"Resemblance: {view.resemblance:.1%} of all passages are in both ({asked}).")
    left, right = _names(view)
    lines.append(f"Containment: {view.left_in_right:.1%} of {left} stands in {right},")
    lines.append(f"             {view.right_in_left:.1%} of {right} stands in {left}.")
    if any(view.left_out):
        lines.append(f"Left out of these shares: passages that stand in many files, {view.left_out[0]:.1%} of {left}")
        lines.append(f"             and {view.left_out[1]:.1%} of {right} (`dupfinder boilerplate list`).")
    for name in (name for name, in_part in zip((left, right), view.in_part, strict=True) if in_part):
        lines.append(f"Only the beginning of {name} was read; all of this is said of what was read, none of the rest.")
    if view.inside is not None:
        lines += _inside(view.inside)
    return lines + _passages(view)


def _inside(inside: Inside) -> list[str]:
    lines = []
    if inside.fingerprints is not None:
        one, other = inside.fingerprints
        bits = [str(bit) for bit in range(_BITS) if (one ^ other) >> (_BITS - 1 - bit) & 1]
        lines.append(f"Fingerprints: {one:016x} and {other:016x}.")
        lines.append(f"Differing bits, the most significant being 0: {', '.join(bits) or 'none'}.")
    if inside.words:
        lines.append(f"{'Heaviest words':30} {'weight':>7} {'in the first':>13} {'in the second':>14}")
        lines += [f"  {shown(word.word):28} {word.share:7.1%} {word.left_count:13,} {word.right_count:14,}"
                  for word in inside.words]  # fmt: skip
    return lines


def library_says(grouping: Grouping, left: Path, right: Path, radius: int) -> list[str]:
    """What a scan knows of two documents that they alone do not show, a line each; nothing for files it has not."""
    documents = grouping.result.documents
    rows = {path: row for row, path in enumerate(documents.paths) if path in (str(left), str(right))}
    if len(rows) < 2:
        return []
    one, other = (int(grouping.copies[rows[str(path)]]) for path in (left, right))
    found = pair_row(grouping.result.pairs, one, other)
    likeness = grouping.result.likeness
    if found >= 0 and likeness.form[found]:
        return ["By the scan: filled-in form. Other documents share the same form, each with its own words in the same "
                "places; so these two are no versions of one another."]  # fmt: skip
    labels = grouping.labels(radius)
    if labels[one] < 0 or labels[one] != labels[other]:
        return ["By the scan: not in one group at this radius."]
    kept = pair_row(grouping.pairs, one, other)
    if one != other and (kept < 0 or grouping.reach[kept] > radius):
        middle = _between(grouping, one, other, radius)
        through = f" through {shown(documents.path(middle).name)}" if middle >= 0 else ""
        return [f"By the scan: linked. They are in one group only{through}, not by a verified pair of their own."]
    if found >= 0 and likeness.scattered[found] and likeness.resemblance[found] < grouping.min_similarity:
        return ["By the scan: scattered edits. Few long passages are whole, but nearly all words and most of their "
                "neighbours are."]  # fmt: skip
    return ["By the scan: in one group."]


def _between(grouping: Grouping, one: int, other: int, radius: int) -> int:
    """The document by which a breadth-first walk from one comes to the other; -1 when it is longer than two steps."""
    usable = grouping.reach <= radius
    mine = {row for row, _ in grouping.edges.of_document(one, usable)}
    return min((row for row, _ in grouping.edges.of_document(other, usable) if row in mine), default=-1)


def _rule(view: PairView, radius: int, min_similarity: float, min_containment: float) -> str:
    if view.same_text:
        return "Same text: word for word equal, whatever the format."
    near = view.distance is not None and view.distance <= radius and view.resemblance >= min_similarity
    if near:
        return "Near-duplicates: the fingerprints are close, and enough passages are shared."
    if view.inside is not None and view.inside.scattered and min_similarity <= DEFAULT_MIN_SIMILARITY:
        return "Scattered edits: few long passages are whole, but nearly all words and most of their neighbours are."
    if view.left_in_right >= min_containment and view.left_in_right >= view.right_in_left:
        return f"Contained: {shown(view.left.name)} stands in {shown(view.right.name)}."
    if view.right_in_left >= min_containment:
        return f"Contained: {shown(view.right.name)} stands in {shown(view.left.name)}."
    if view.resemblance >= min_similarity:
        return "Not joined at this radius: the passages are shared, but the fingerprints are further apart."
    if view.distance is not None and view.distance <= radius:
        return "Not near-duplicates: the fingerprints are close, but too few passages are shared."
    return "Not near-duplicates: neither the fingerprints nor the passages are close."


def _passages(view: PairView) -> list[str]:
    found = view.comparison
    if found is None:
        return []
    same = [block for block in found.blocks if block.kind.value == "same" and block.left_stop > block.left_start]
    same.sort(key=lambda block: block.left_start - block.left_stop)
    lines = []
    for block in same[:_EXCERPTS]:
        lines.append(f"In both:     {_excerpt(found.left_lines[block.left_start : block.left_stop])}")
    for side, kinds in (("left", ("only_left", "changed")), ("right", ("only_right", "changed"))):
        blocks = [block for block in found.blocks if block.kind.value in kinds]
        texts = found.left_lines if side == "left" else found.right_lines
        name = "first" if side == "left" else "second"
        for block in blocks[:_EXCERPTS]:
            start, stop = (
                (block.left_start, block.left_stop) if side == "left" else (block.right_start, block.right_stop)
            )
            lines.append(f"Only in the {name}: {_excerpt(texts[start:stop])}")
    return lines


def _excerpt(lines: tuple[str, ...]) -> str:
    text = " ".join(" ".join(lines).split())
    return shown(text if len(text) <= _EXCERPT else text[: _EXCERPT - 1] + "…")
