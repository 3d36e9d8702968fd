"""A plot of precision and recall at each radius, as an SVG image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Final
from xml.sax.saxutils import escape

from dupfinder.review.calibration import Scores, shares
from dupfinder.wording.catalogue import say

_HEAD: Final = '<svg xmlns="http://www.w3.org/2000/svg" class="dupfinder"'
_WIDTH, _HEIGHT, _LEFT, _TOP = 640, 300, 50, 50  # of the plot itself and the room around it, in pixels
# Colours that differ for colour-blind eyes too (Okabe and Ito 2008); what the fingerprints alone give is dashed.
_LINES: Final = (("#0072b2", ""), ("#d55e00", ""), ("#0072b2", "6 4"), ("#d55e00", "6 4"))


def is_our_plot(file: IO[bytes]) -> bool:
    """Tell whether a file begins like a plot that dupfinder saved."""
    return file.read(len(_HEAD)) == _HEAD.encode()


def plot(scores: Scores) -> str:
    """Return the SVG image: a line each for precision and recall, of what is shown and of the fingerprints alone."""
    names = (
        say("shown: precision"), say("shown: recall"), say("fingerprints: precision"), say("fingerprints: recall"),
    )  # fmt: skip
    columns = [
        [shares(score.shown)[0] for score in scores.radii],
        [shares(score.shown)[1] for score in scores.radii],
        [shares(score.by_fingerprint)[0] for score in scores.radii],
        [shares(score.by_fingerprint)[1] for score in scores.radii],
    ]
    parts = [
        f'{_HEAD} viewBox="0 0 {_WIDTH + 300} {_HEIGHT + 110}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{_LEFT}" y="28" font-size="15">{escape(say("Precision and recall at each radius k"))}</text>',
        *_axes(len(scores.radii)),
    ]
    for number, (name, values, (colour, dash)) in enumerate(zip(names, columns, _LINES, strict=True)):
        style = f'fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"'
        parts.append(f'<polyline points="{_points(values)}" {style}/>')
        y = _TOP + 12 + 24 * number
        x = _LEFT + _WIDTH + 20
        parts.append(f'<line x1="{x}" y1="{y}" x2="{x + 30}" y2="{y}" {style}/>')
        parts.append(f'<text x="{x + 38}" y="{y + 4}">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>\n"])


def _x(radius: int, count: int) -> float:
    return round(_LEFT + _WIDTH * radius / max(1, count - 1), 1)


def _y(share: float) -> float:
    return round(_TOP + _HEIGHT * (1 - share), 1)


def _axes(count: int) -> list[str]:
    """Return the grid and the numbers beside it: shares upwards, radii to the right."""
    parts = []
    for tenth in range(0, 11, 2):
        y = _y(tenth / 10)
        parts.append(f'<line x1="{_LEFT}" y1="{y}" x2="{_LEFT + _WIDTH}" y2="{y}" stroke="#ddd"/>')
        parts.append(f'<text x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{tenth / 10:.1f}</text>')
    for radius in range(count):
        parts.append(f'<text x="{_x(radius, count)}" y="{_TOP + _HEIGHT + 20}" text-anchor="middle">{radius}</text>')
    below = _TOP + _HEIGHT + 44
    label = escape(say("radius k, in bits"))
    return [*parts, f'<text x="{_LEFT + _WIDTH / 2}" y="{below}" text-anchor="middle">{label}</text>']


def _points(values: Sequence[float | None]) -> str:
    """Return the points of a line; a radius without a share has none."""
    count = len(values)
    return " ".join(f"{_x(k, count)},{_y(share)}" for k, share in enumerate(values) if share is not None)
