from __future__ import annotations

import re

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from dupfinder.base.paths import resource
from dupfinder.gui.kit.buttons import button, chip, icon_button
from dupfinder.gui.kit.theme import CONTRAST, TOKENS, TYPE, Theme, ThemeMode

SOFT = ("accent", "keep", "remove", "warn", "near")
GROUNDS = ("window", "surface", "raised", "neutral_soft", "hover")


def luminance(colour: QColor) -> float:
    """WCAG 2 relative luminance."""
    parts = (colour.redF(), colour.greenF(), colour.blueF())
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    lights = sorted((luminance(QColor(first)), luminance(QColor(second))), reverse=True)
    return (lights[0] + 0.05) / (lights[1] + 0.05)


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("token", ["text", "secondary", "tertiary"])
def test_text_stands_out_from_every_ground(side: int, ground: str, token: str) -> None:
    assert contrast(TOKENS[token][side], TOKENS[ground][side]) >= 4.5


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("token", SOFT)
def test_a_coloured_word_stands_out_from_its_soft_ground_and_from_a_sheet(side: int, token: str) -> None:
    for ground in (f"{token}_soft", "surface", "window"):
        assert contrast(TOKENS[token][side], TOKENS[ground][side]) >= 4.5


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
def test_words_on_filled_buttons_stand_out(side: int) -> None:
    for ground in ("accent", "accent_hover", "remove", "remove_hover"):
        assert contrast(TOKENS["on_accent"][side], TOKENS[ground][side]) >= 4.5
    assert contrast(TOKENS["secondary"][side], TOKENS["groove"][side]) >= 4.0  # of a button that cannot be used


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ground", ["surface", "window"])
def test_borders_of_fields_and_the_focus_ring_can_be_seen(side: int, ground: str) -> None:
    assert contrast(TOKENS["border"][side], TOKENS[ground][side]) >= 3
    assert contrast(TOKENS["accent"][side], TOKENS[ground][side]) >= 3


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
def test_in_high_contrast_words_and_lines_stand_out_more(side: int) -> None:
    assert CONTRAST.keys() == TOKENS.keys()
    grounds = [CONTRAST[ground][side] for ground in (*GROUNDS, *(f"{token}_soft" for token in SOFT), "gutter", "word")]
    for token in ("text", "secondary", "tertiary", "border", "button_line", "hairline"):
        assert min(contrast(CONTRAST[token][side], ground) for ground in grounds) >= 7, token
    for token in SOFT:
        assert (
            min(contrast(CONTRAST[token][side], CONTRAST[ground][side]) for ground in ("surface", f"{token}_soft")) >= 7
        )
    for ground in ("accent", "accent_hover", "remove", "remove_hover"):
        assert contrast(CONTRAST["on_accent"][side], CONTRAST[ground][side]) >= 7
    assert contrast(CONTRAST["secondary"][side], CONTRAST["groove"][side]) >= 4.5


@pytest.mark.parametrize("side", [0, 1], ids=["light", "dark"])
def test_in_high_contrast_what_cannot_be_used_is_readable_and_unlike_other_words(side: int) -> None:
    unavailable = CONTRAST["unavailable"][side]
    assert min(contrast(unavailable, CONTRAST[ground][side]) for ground in (*GROUNDS, "neutral_soft")) >= 4.5
    assert contrast(unavailable, CONTRAST["text"][side]) >= 2.5


def test_high_contrast_replaces_colours_and_doubles_borders_until_another_theme_is_chosen(theme: Theme) -> None:
    plain = theme.colour("hairline").name(), theme._style_sheet().count("2px solid")
    theme.set_mode(ThemeMode.CONTRAST)
    assert theme.colour("hairline") == theme.colour("text")
    assert theme.colour("text").name() == ("#ffffff" if theme.dark else "#000000")
    assert theme._style_sheet().count("2px solid") > plain[1] and "1px solid" not in theme._style_sheet()
    theme.set_mode(ThemeMode.LIGHT)
    assert (theme.colour("hairline").name(), theme._style_sheet().count("2px solid")) == plain


def test_the_style_sheet_names_only_what_there_is(theme: Theme) -> None:
    names = set(re.findall(r"@([\w-]+)@", resource("styles/window.qss.in").read_text(encoding="utf-8")))
    for name in names:
        if name.startswith("icon_"):
            for side in ("light", "dark"):
                assert resource(f"icons/{name[5:]}-{side}.svg").is_file()
        else:
            assert name in TOKENS or re.fullmatch(r"px\d+", name), name


def test_the_hint_in_an_empty_field_can_be_read(theme: Theme, qtbot: QtBot) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    for mode in (ThemeMode.LIGHT, ThemeMode.DARK):
        theme.set_mode(mode)
        field.ensurePolished()
        hint = field.palette().color(QPalette.ColorRole.PlaceholderText).name(QColor.NameFormat.HexArgb)
        assert hint == "#ff" + theme.colour("tertiary").name()[1:]


def test_every_type_role_gives_a_font(theme: Theme) -> None:
    assert {role: theme.font(role).pixelSize() for role in TYPE} == {
        role: theme.px(size) for role, (size, _) in TYPE.items()
    }


def test_a_larger_size_makes_text_controls_and_icons_larger(qapp: QApplication) -> None:
    usual = qapp.font()
    before, larger = Theme(qapp, ThemeMode.LIGHT), Theme(qapp, ThemeMode.LIGHT, 130)
    try:
        assert larger.font().pixelSize() == round(1.3 * before.font().pixelSize())
        assert larger.px(100) == 1.3 * before.px(100)
        assert icon_button(larger, "search", "Search", size=20).iconSize().width() == 1.3 * before.px(20)
        for name in ("min-height", "min-width"):
            assert name not in re.findall(r"QPlainTextEdit[^}]*}", larger._style_sheet())[0], "it would undo its height"
        choice = chip("Pages")
        choice.ensurePolished()
        assert choice.minimumHeight() >= choice.fontMetrics().height(), "or a low window would cut its text"
    finally:
        qapp.setFont(usual)  # from which a theme tells how large text is
        Theme(qapp, ThemeMode.LIGHT)  # the fonts and the style sheet of the application are the usual ones again


def test_another_theme_polishes_each_widget_once_however_many_are_around_it(theme: Theme, qtbot: QtBot) -> None:
    outermost = innermost = QWidget()
    qtbot.addWidget(outermost)
    for _ in range(20):
        innermost = QWidget(innermost)
    outermost.show()
    events: list[QEvent.Type] = []

    class Filter(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            events.append(event.type())
            return False

    listener = Filter()
    innermost.installEventFilter(listener)
    theme.set_mode(ThemeMode.LIGHT if theme.dark else ThemeMode.DARK)
    assert 1 <= events.count(QEvent.Type.StyleChange) <= 3


def test_the_theme_changes_colours_palette_and_icons_at_once(qapp: QApplication, theme: Theme, qtbot: object) -> None:
    made: QPushButton = button(theme, "x", "", "folder")
    light = made.icon().pixmap(16, 16).toImage()
    states: list[bool] = []
    theme.changed.connect(lambda: states.append(theme.dark))
    theme.set_mode(ThemeMode.DARK)
    assert states == [True]
    assert theme.colour("window") == QColor("#15181D")
    assert qapp.palette().color(QPalette.ColorRole.Window) == QColor("#15181D")
    assert made.icon().pixmap(16, 16).toImage() != light
    theme.set_mode(ThemeMode.DARK)
    assert states == [True]  # no second time for the same
