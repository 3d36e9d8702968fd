from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtGui import QColor

import dupfinder
from dupfinder.base.paths import resource
from dupfinder.gui.kit.theme import pixmap, renderer

FOLDER = resource("icons")
WINDOW = "".join(file.read_text(encoding="utf-8") for file in (Path(dupfinder.__file__).parent / "gui").rglob("*.py"))
DRAWN = sorted(file.stem for file in FOLDER.glob("*.svg") if "currentColor" in file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", DRAWN)
def test_an_icon_is_drawn_in_the_colour_it_is_asked_in(qapp: object, name: str) -> None:
    image = pixmap(renderer(name, QColor("#B42318")), 24, 2.0).toImage()
    assert (image.width(), image.height()) == (48, 48)
    painted = [image.pixelColor(x, y) for x in range(48) for y in range(48) if image.pixelColor(x, y).alpha() == 255]
    assert painted
    assert all(abs(colour.red() - 0xB4) < 6 and abs(colour.green() - 0x23) < 6 for colour in painted)


def test_every_icon_has_the_strokes_of_the_set(qapp: object) -> None:
    for name in DRAWN:
        text = (FOLDER / f"{name}.svg").read_text(encoding="utf-8")
        assert 'viewBox="0 0 24 24"' in text
        assert 'stroke-width="1.7"' in text


def test_every_icon_that_the_window_names_is_shipped() -> None:
    called = re.compile(
        r'(?:icon_button|Icon|Tile|set_icon|banner)\(\s*(?:self\._)?theme,\s*(?:self\.\w+,\s*)?"([\w-]+)"'
    )
    buttoned = re.compile(r'\bbutton\(\s*(?:self\._)?theme,[^()]*(?:\([^()]*\))?[^()]*,\s*"\w*",\s*"([\w-]+)"')
    named = {name for pattern in (called, buttoned) for name in pattern.findall(WINDOW)}
    assert {"folder", "lock", "close", "help", "plus", "pause"} <= named
    assert named <= set(DRAWN)


def test_every_icon_and_look_that_is_shipped_is_used() -> None:
    looks = re.findall(r'\[look="(\w+)"\]', resource("styles/window.qss.in").read_text(encoding="utf-8"))
    assert looks
    assert not [name for name in (*DRAWN, *looks) if f'"{name}"' not in WINDOW]


def test_an_unknown_icon_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        renderer("no-such-icon", QColor("black"))
