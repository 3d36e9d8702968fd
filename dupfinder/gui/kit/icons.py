"""Icons from stroke drawings, in any colour and at any scale."""

from __future__ import annotations

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QWidget

from dupfinder.base.paths import resource

_RATIOS = (1, 2, 3)  # prepared device pixel ratios; Qt uses the next larger


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return resource(f"icons/{name}.svg").read_text(encoding="utf-8")


def renderer(name: str, colour: QColor) -> QSvgRenderer:
    """Return the renderer of an icon in a colour. Raises FileNotFoundError for an unknown name."""
    return QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour.name()).encode()))


def pixmap(drawing: QSvgRenderer, size: int, ratio: float = 1.0, width: int = 0) -> QPixmap:
    """Return an icon of `size` logical pixels for a screen of this pixel ratio, at the left of `width` pixels."""
    picture = QPixmap(round(max(width, size) * ratio), round(size * ratio))
    picture.setDevicePixelRatio(ratio)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    drawing.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return picture


def smooth_painter(widget: QWidget) -> QPainter:
    """Return a painter of a widget that smooths edges."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def paint(painter: QPainter, name: str, colour: QColor, area: QRectF) -> None:
    """Draw an icon with a painter."""
    renderer(name, colour).render(painter, area)


def icon(name: str, colour: QColor, disabled: QColor, size: int, width: int) -> QIcon:
    """Return the icon resources/icons/<name>.svg in a colour, and in the colour `disabled` for disabled controls."""
    result = QIcon()
    for mode, tone in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        drawing = renderer(name, tone)
        for ratio in _RATIOS:
            result.addPixmap(pixmap(drawing, size, ratio, width), mode)
    return result
