"""Settings: declared once, checked at every door, saved whole."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dupfinder.base.errors import SettingError
from dupfinder.base.settings import ALL, BY_KEY, OCR, RADIUS, THEME, WORKERS, Setting, Settings, Value

SETTING = st.sampled_from(ALL)
ANYTHING = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.integers()))


def test_every_key_is_declared_once_and_every_default_is_allowed() -> None:
    assert len(BY_KEY) == len(ALL)
    for setting in ALL:
        assert setting.checked(setting.default) == setting.default
        assert setting.label and setting.help.endswith(".")


@pytest.mark.parametrize("setting", ALL, ids=lambda setting: setting.key)
def test_a_chosen_value_is_there_after_a_restart(tmp_path: Path, setting: Setting) -> None:
    other: Value = setting.default
    if setting.choices:
        other = setting.choices[-1]
    elif isinstance(setting.default, bool):
        other = not setting.default
    elif isinstance(setting.default, int | float):
        other = type(setting.default)(setting.high)
    path = tmp_path / "settings.json"
    Settings(path).set(setting, other)
    assert Settings(path).get(setting) == other
    Settings(path).reset()
    assert Settings(path).get(setting) == setting.default


@given(SETTING, ANYTHING)
def test_whatever_is_offered_a_value_is_of_its_type_and_within_its_bounds(setting: Setting, value: object) -> None:
    try:
        taken = setting.checked(value)
    except SettingError as error:
        assert error.key == setting.key and error.allowed
        return
    assert type(taken) is type(setting.default)
    if isinstance(taken, str):
        assert taken in setting.choices or (setting.pattern and re.fullmatch(setting.pattern, taken))
    else:
        assert setting.low <= taken <= setting.high


@pytest.mark.parametrize(
    ("value", "allowed"),
    [("", True), ("eng", True), ("chi_sim+script/Latin", True), ("eng+", False), ("-x", False), ("eng\n", False)],
)
def test_languages_to_recognise_are_words_joined_by_plus(value: str, allowed: bool) -> None:
    if allowed:
        assert OCR.checked(value) == value
    else:
        with pytest.raises(SettingError):
            OCR.checked(value)


@pytest.mark.parametrize("value", [-1, 17, 3.5, "3", True, None, float("nan")])
def test_a_radius_is_a_whole_number_of_bits(value: object) -> None:
    with pytest.raises(SettingError):
        RADIUS.checked(value)


@pytest.mark.parametrize(
    "stored", ["", "{", "[]", "null", '"text"', '{"search.radius": 99}', '{"search.radius": "x", "no.such": 1}', "\xff"]
)
def test_a_damaged_or_foreign_file_leaves_the_defaults(tmp_path: Path, stored: str) -> None:
    path = tmp_path / "settings.json"
    path.write_bytes(stored.encode("latin-1"))
    chosen = Settings(path)
    assert all(chosen.get(setting) == setting.default for setting in ALL)
    chosen.set(THEME, "dark")
    assert json.loads(path.read_text()) == {THEME.key: "dark"}


def test_a_refused_value_changes_nothing(tmp_path: Path) -> None:
    chosen = Settings(tmp_path / "settings.json")
    chosen.set(WORKERS, 3)
    with pytest.raises(SettingError):
        chosen.set(WORKERS, 65)
    assert Settings(tmp_path / "settings.json").integer(WORKERS) == 3


@pytest.mark.skipif(os.name != "posix", reason="modes")
def test_the_file_is_readable_by_its_owner_alone(tmp_path: Path, umask: None) -> None:
    Settings(tmp_path / "settings.json").set(WORKERS, 3)
    assert stat.S_IMODE((tmp_path / "settings.json").stat().st_mode) == 0o600
    assert os.listdir(tmp_path) == ["settings.json"]
