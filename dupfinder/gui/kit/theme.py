"""Colour tokens for light, dark and high contrast, type roles, and what is made of them: palette, style sheet, icons.

Icons are stroke drawings, in any colour and at any scale.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Final

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontInfo, QIcon, QPainter, QPalette, QPixmap, QScreen
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication, QStyleFactory, QWidget

from dupfinder.base.paths import resource

# token: (light, dark). A `_soft` colour is the background for text in the colour without `_soft`.
TOKENS: Final[Mapping[str, tuple[str, str]]] = {
    "window": ("#F5F6F8", "#15181D"),
    "surface": ("#FFFFFF", "#1C2026"),
    "raised": ("#FAFBFC", "#20242B"),
    "gutter": ("#F8F9FB", "#191D22"),
    "hairline": ("#E4E7EC", "#2C323B"),
    "border": ("#858F9D", "#6B7686"),
    "button_line": ("#D0D5DD", "#414A57"),
    "text": ("#171B22", "#E8EBF0"),
    "secondary": ("#566070", "#A9B2C0"),
    "tertiary": ("#626C7A", "#98A2B1"),
    "unavailable": ("#626C7A", "#98A2B1"),  # words and icons of what cannot be used now
    "accent": ("#2559C7", "#7DA6FF"),
    "accent_hover": ("#1E4BAB", "#97B8FF"),
    "accent_soft": ("#E9F0FE", "#22304D"),
    "accent_line": ("#BACFF8", "#395386"),
    "on_accent": ("#FFFFFF", "#15181D"),
    "keep": ("#17694A", "#6FD3A3"),
    "keep_soft": ("#E4F3EC", "#19352A"),
    "remove": ("#B42318", "#FF9A90"),
    "remove_hover": ("#971C13", "#FFB0A8"),
    "remove_soft": ("#FDECEA", "#40211F"),
    "warn": ("#87540A", "#F0BE6B"),
    "warn_soft": ("#FDF1DC", "#3B2E17"),
    "near": ("#5B3FB8", "#B9A5FF"),
    "near_soft": ("#EFEBFC", "#2E2748"),
    "neutral_soft": ("#F0F2F5", "#252A32"),
    "groove": ("#D3D8E0", "#3A424E"),
    "hover": ("#F0F2F5", "#252A32"),
    "changed": ("#EEF3FD", "#1F2838"),
    "changed_line": ("#BACFF8", "#395386"),
    "word": ("#C9DAFA", "#2E4A7D"),
    "found": ("#FCE8BE", "#56431A"),
    "found_here": ("#F8C75A", "#80600F"),
    "added": ("#EAF5F0", "#1A2C25"),
    "added_line": ("#A9D6C2", "#2B5A45"),
    "removed": ("#FDEEEC", "#33201F"),
    "removed_line": ("#F0B9B3", "#6B3733"),
    "scrim": ("#171B22", "#000000"),
}

# High contrast: black on white or white on black, with lines as strong as text; what has a colour stands out by 7 : 1.
_INK: Final = "text secondary tertiary hairline border button_line accent_line changed_line added_line removed_line"
_PAPER: Final = "window surface raised gutter keep_soft remove_soft warn_soft near_soft changed added removed"
CONTRAST: Final[Mapping[str, tuple[str, str]]] = {
    **TOKENS,
    **dict.fromkeys(_INK.split(), ("#000000", "#FFFFFF")),
    **dict.fromkeys(_PAPER.split(), ("#FFFFFF", "#000000")),
    **dict.fromkeys(("neutral_soft", "hover"), ("#EAEAEA", "#262626")),
    "unavailable": ("#666666", "#9A9A9A"),
    "groove": ("#8C8C8C", "#6A6A6A"),
    "accent": ("#0B3CA5", "#9CC0FF"),
    "accent_hover": ("#082C7A", "#C4DAFF"),
    "accent_soft": ("#E2EBFF", "#0F2247"),
    "keep": ("#0B4A33", "#7FE0B2"),
    "remove": ("#8A1109", "#FFA9A0"),
    "remove_hover": ("#650B05", "#FFC4BE"),
    "warn": ("#5F3A00", "#F5CC85"),
    "near": ("#3F2693", "#CBBBFF"),
}

# role: (size in px at the usual system font, weight)
TYPE: Final[Mapping[str, tuple[int, QFont.Weight]]] = {
    "page": (24, QFont.Weight.DemiBold),
    "figure": (24, QFont.Weight.DemiBold),
    "sheet": (20, QFont.Weight.DemiBold),
    "group": (17, QFont.Weight.DemiBold),
    "lead": (15, QFont.Weight.DemiBold),
    "strong": (13, QFont.Weight.DemiBold),
    "medium": (13, QFont.Weight.Medium),
    "body": (13, QFont.Weight.Normal),
    "secondary": (12, QFont.Weight.Normal),
    "label": (11, QFont.Weight.DemiBold),
    "small": (11, QFont.Weight.Normal),
}
_USUAL_PX: Final = 13.0  # the body size of the type table
_USUAL_RANGE: Final = (10.0, 15.5)  # system fonts of this height count as the usual size
_MOST_SCALE: Final = 2.0  # with more, sheets do not fit a small screen
SMALLEST_WIDTH: Final = 1024  # px of the window
_RATIOS: Final = (1, 2, 3)  # device pixel ratios that icons are prepared for; Qt uses the next larger
_FAINT: Final = "icon_switch-off"  # has a form of its own for high contrast
_MARKER: Final = re.compile(r"@([\w-]+)@")
_LINUX: Final = ("Inter", "Noto Sans", "Cantarell", "Ubuntu", "DejaVu Sans", "Liberation Sans")
_NO_FACE: Final = frozenset({"", "Sans", "Sans Serif", "sans-serif"})  # names of no font: a system without desktop
# CJK fonts with Chinese shapes of Han characters; the first that is installed is used.
_CJK: Final = ("Noto Sans CJK SC", "PingFang SC", "Microsoft YaHei UI", "Microsoft YaHei")


class ThemeMode(StrEnum):
    """Which colours are used; with CONTRAST, light or dark ones as in the system."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


class Theme(QObject):
    """Colours, fonts and density of the window. `changed` is emitted after one of them changed."""

    changed = Signal()

    def __init__(
        self,
        application: QApplication,
        mode: ThemeMode = ThemeMode.SYSTEM,
        size: int = 100,
        *,
        is_compact: bool = False,
    ) -> None:
        """Set the fonts and colours of an application.

        size: of text and controls, in per cent of what the system's font asks for. is_compact: as for `set_compact`.
        """
        super().__init__(application)
        self.is_compact = is_compact
        self._application = application
        self.mode = mode
        self._scale = min(_MOST_SCALE, _scale(application.font()) * size / 100)
        self._family = _families(application.font())
        self._template = resource("styles/window.qss.in").read_text(encoding="utf-8")
        self._icons: dict[tuple[str, str, int, int, str], QIcon] = {}
        self._hints = application.styleHints()
        self._hints.colorSchemeChanged.connect(self._refresh)
        if hasattr(self._hints, "accessibility"):  # since Qt 6.10
            self._hints.accessibility().contrastPreferenceChanged.connect(self._refresh)
        application.setStyle(QStyleFactory.create("Fusion"))
        self.dark, self._contrast = self._appearance()
        self._apply()

    def set_mode(self, mode: ThemeMode) -> None:
        """Choose light, dark, high contrast, or the system's setting."""
        self.mode = mode
        self._refresh()

    def set_compact(self, is_compact: bool) -> None:
        """Choose rows of lists with little room around their text, or the usual room."""
        if is_compact != self.is_compact:
            self.is_compact = is_compact
            self.changed.emit()

    def colour(self, token: str) -> QColor:
        """Return the colour of a token of TOKENS. Raises KeyError for an unknown token."""
        return QColor((CONTRAST if self._contrast else TOKENS)[token][1 if self.dark else 0])

    def font(self, role: str = "body") -> QFont:
        """Return the font of a role of TYPE, at the scale of this window."""
        size, weight = TYPE[role]
        font = QFont(self._family)
        font.setPixelSize(self.px(size))
        font.setWeight(weight)
        return font

    def px(self, size: float) -> int:
        """Return a length of the type table at the scale of this window."""
        return round(size * self._scale)

    def icon(self, name: str, token: str = "secondary", size: int = 16, width: int = 0) -> QIcon:
        """Return an icon of resources/icons in the colour of a token. width: px, with empty room at its right."""
        key = name, self.colour(token).name(), size, width, self.colour("unavailable").name()
        if key not in self._icons:
            self._icons[key] = icon(name, self.colour(token), self.colour("unavailable"), size, width)
        return self._icons[key]

    def dress(self, widget: QWidget) -> None:
        """Set the icon of a button from its size and its properties `icon_name` and `icon_tone`."""
        name = widget.property("icon_name")
        if isinstance(widget, QAbstractButton) and isinstance(name, str):
            size = widget.iconSize()
            widget.setIcon(self.icon(name, str(widget.property("icon_tone")), size.height(), size.width()))

    def _appearance(self) -> tuple[bool, bool]:
        """Return whether dark colours and whether high contrast are wanted."""
        if self.mode in (ThemeMode.LIGHT, ThemeMode.DARK):
            return self.mode is ThemeMode.DARK, False
        strong = self.mode is ThemeMode.CONTRAST
        if hasattr(self._hints, "accessibility"):
            strong |= self._hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast
        return self._hints.colorScheme() == Qt.ColorScheme.Dark, strong

    def _refresh(self) -> None:
        appearance = self._appearance()
        if appearance != (self.dark, self._contrast):
            self.dark, self._contrast = appearance
            self._apply()
            for widget in self._application.allWidgets():
                self.dress(widget)
            self.changed.emit()

    def _apply(self) -> None:
        self._application.setFont(self.font())
        # When one style sheet replaces another, Qt polishes a widget again for each widget that contains it. To remove
        # the old one first, and then to set the new one, takes a quarter of the time.
        self._application.setStyleSheet("")
        self._application.setPalette(self._palette())
        self._application.setStyleSheet(self._style_sheet())

    def _palette(self) -> QPalette:
        palette = QPalette()
        role = QPalette.ColorRole
        for target, token in (
            (role.Window, "window"), (role.WindowText, "text"), (role.Base, "surface"),
            (role.AlternateBase, "raised"), (role.Text, "text"), (role.Button, "surface"),
            (role.ButtonText, "text"), (role.BrightText, "remove"), (role.ToolTipBase, "surface"),
            (role.ToolTipText, "text"), (role.PlaceholderText, "tertiary"), (role.Highlight, "accent"),
            (role.HighlightedText, "on_accent"), (role.Link, "accent"), (role.LinkVisited, "near"),
            (role.Light, "raised"), (role.Midlight, "hairline"), (role.Mid, "groove"), (role.Dark, "border"),
            (role.Shadow, "border"), (role.Accent, "accent"),
        ):  # fmt: skip
            palette.setColor(target, self.colour(token))
        for target in (role.WindowText, role.Text, role.ButtonText):
            palette.setColor(QPalette.ColorGroup.Disabled, target, self.colour("unavailable"))
        return palette

    def fill_in(self, template: str) -> str:
        """Return a text with the names between at signs replaced: colours, lengths (px13) and files (icon_tick)."""

        def value(match: re.Match[str]) -> str:
            name = match[1]
            if name.startswith("px"):
                return f"{self.px(int(name[2:]))}px"
            if name.startswith("icon_"):
                side = "contrast" if self._contrast and name == _FAINT else "dark" if self.dark else "light"
                return resource(f"icons/{name[5:]}-{side}.svg").as_posix()
            return self.colour(name).name()

        return _MARKER.sub(value, template)

    def _style_sheet(self) -> str:
        sheet = self.fill_in(self._template)
        return sheet.replace("1px solid", "2px solid") if self._contrast else sheet


def _scale(font: QFont) -> float:
    """Return how much larger than usual the system's font is: 1 for a usual size, at most 2."""
    height = float(QFontInfo(font).pixelSize())
    low, high = _USUAL_RANGE
    return 1.0 if low <= height <= high else min(_MOST_SCALE, max(0.85, height / _USUAL_PX))


def _families(font: QFont) -> list[str]:
    """Return the platform's font family (on Linux Inter if installed), then one for Han characters."""
    present = set(QFontDatabase.families())
    first = [font.family()]
    if sys.platform.startswith("linux"):
        known: list[str] = [name for name in _LINUX if name in present]
        if known and ("Inter" in known or first[0] in _NO_FACE):
            first = known[:1]
    return [*first, *(name for name in _CJK if name in present)]


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


def icon(name: str, colour: QColor, disabled: QColor, size: int, width: int) -> QIcon:
    """Return the icon resources/icons/<name>.svg in a colour, and in the colour `disabled` for disabled controls."""
    result = QIcon()
    for mode, tone in ((QIcon.Mode.Normal, colour), (QIcon.Mode.Disabled, disabled)):
        drawing = renderer(name, tone)
        for ratio in _RATIOS:
            result.addPixmap(pixmap(drawing, size, ratio, width), mode)
    return result


def largest_size(screen: QScreen) -> int:
    """Return the largest size of text and controls, in per cent, at which the smallest window fits a screen."""
    return max(100, 100 * screen.availableSize().width() // SMALLEST_WIDTH)


def smooth_painter(widget: QWidget) -> QPainter:
    """Return a painter of a widget that smooths edges."""
    painter = QPainter(widget)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return painter


def paint_icon(painter: QPainter, name: str, colour: QColor, area: QRectF) -> None:
    """Draw an icon of resources/icons with a painter."""
    renderer(name, colour).render(painter, area)
