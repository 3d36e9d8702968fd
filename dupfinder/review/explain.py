"""Why two documents are, or are not, near-duplicates: the rule that decided, and the numbers behind it."""

from __future__ import annotations

from dupfinder.base.display import shown
from dupfinder.review.comparison import PairView

_EXCERPTS = 3  # passages of each kind
_EXCERPT = 160  # characters


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
    left, right = shown(view.left.name), shown(view.right.name)
    lines.append(f"Containment: {view.left_in_right:.1%} of {left} stands in {right},")
    lines.append(f"             {view.right_in_left:.1%} of {right} stands in {left}.")
    return lines + _passages(view)


def _rule(view: PairView, radius: int, min_similarity: float, min_containment: float) -> str:
    if view.same_text:
        return "Same text: word for word equal, whatever the format."
    near = view.distance is not None and view.distance <= radius and view.resemblance >= min_similarity
    if near:
        return "Near-duplicates: the fingerprints are close, and enough passages are shared."
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
