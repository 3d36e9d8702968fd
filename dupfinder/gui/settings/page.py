"""The settings: each has an effect at once, and all can be reset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLayout, QLineEdit, QSpinBox, QWidget

from dupfinder.base.display import shown
from dupfinder.base.errors import DupfinderError
from dupfinder.base.settings import (
    ALL,
    DENSITY,
    LANGUAGE,
    LANGUAGES,
    OCR,
    SIMPLIFY,
    SIZE,
    THEME,
    TOP,
    WATCH,
    WEIGHTS,
    Setting,
    Settings,
)
from dupfinder.gui.kit import tasks
from dupfinder.gui.kit.buttons import SegmentedChoice, Switch, button, leave_scrolling
from dupfinder.gui.kit.cards import Card
from dupfinder.gui.kit.jobs import Job
from dupfinder.gui.kit.labels import label
from dupfinder.gui.kit.layout import Space, Stretch, across, add, aligned, boxed, down, grow
from dupfinder.gui.kit.messages import confirm, explain
from dupfinder.gui.kit.page import Page
from dupfinder.gui.kit.theme import Theme, ThemeMode, largest_size
from dupfinder.gui.settings.learning import WeightsRow
from dupfinder.text.pdf import ocr
from dupfinder.wording.catalogue import N_, say
from dupfinder.wording.figures import percent_text, size_text

_WIDTH: Final = 760
_FIELD: Final = 150
_MARGINS: Final = (8, 0, 0, 0)  # padding in a style sheet does not affect the text of a spin box
_READ_ANEW: Final = frozenset({TOP, SIMPLIFY})  # they change the scheme: earlier fingerprints are not comparable
# titles of sections, by the part of a key before its dot
_TITLES: Final = {
    "window": N_("General"),
    "search": N_("Matching"),
    "reading": N_("Reading"),
    "removing": N_("Removing"),
}
_CHOICES: Final = {
    "system": N_("System"),
    "light": N_("Light"),
    "dark": N_("Dark"),
    "contrast": N_("High contrast"),
    "normal": N_("Normal"),
    "compact": N_("Compact"),
    **LANGUAGES,
}
_UNITS: Final = {"bits": N_(" bits"), "seconds": N_(" s"), "MB": N_(" MB"), "days": N_(" days")}


class SettingsPage(Page):
    """Shows each setting with its control. `all_reset` is emitted once all have their first values again."""

    keys_wanted = Signal()  # the person wants to change shortcuts
    all_reset = Signal()
    watching_changed = Signal()  # whether folders are to be watched, perhaps

    def __init__(self, theme: Theme, settings: Settings, library: Path) -> None:
        super().__init__(say("Settings"), is_aside=True)
        self._theme, self._settings, self._library = theme, settings, library
        self.controls: dict[str, QWidget] = {}
        self._shows: dict[str, Callable[[Any], object]] = {}  # shows a value in the control of a setting
        reset = button(theme, say("Reset all"), "", "undo", lambda: self._ask_reset())
        head = across(grow(label(say("Settings"), "page")), reset)
        column = down(head, margins=(0, 32, 0, 24), spacing=8)
        self.weights = WeightsRow(theme, settings, library)
        self.weights.changed.connect(self.tell)
        self.weights.failed.connect(partial(explain, theme, self))
        for group, title in _TITLES.items():
            add(column, Space(8), self._head(group, say(title)), self._section(group))
        add(column, Space(8), label(say("Storage"), "lead"), self._make_storage(), Stretch())
        self.lay_out(column, theme.px(_WIDTH))

    def entered(self) -> None:
        super().entered()
        self._fill(THEME)  # the top bar can change it too
        self.weights.refresh()
        self._size.setText(size_text(_bytes_of(self._library)))

    def _head(self, group: str, title: str) -> QLayout:
        """Return the title of a section, and the button that resets its settings."""
        reset = button(self._theme, say("Reset"), "link", act=lambda: self._ask_reset(group))
        reset.setAccessibleName(say("Reset: {section}", section=title))
        return across(grow(label(title, "lead")), reset)

    def _section(self, group: str) -> Card:
        card = Card(spacing=0)
        card.column.setContentsMargins(18, 5, 18, 5)
        rows = [self.weights if setting is WEIGHTS else self._row(setting) for setting in _settings_of(group)]
        card.show_rows([*rows, *([self._keys_row()] if group == "window" else [])])
        return card

    def _keys_row(self) -> QWidget:
        name, quiet = label(say("Shortcuts"), "medium"), label(say("The keys of all commands."), "secondary", wrap=True)
        change = button(self._theme, say("Change keys…"), act=self.keys_wanted)
        texts = down(name, quiet, spacing=2)
        return boxed(across(grow(texts), change, margins=(0, 10, 0, 10), spacing=16))

    def _row(self, setting: Setting) -> QWidget:
        name = label(say(setting.label), "medium")
        texts = down(name, label(say(setting.help), "secondary", wrap=True), spacing=2)
        reason = ""
        if setting is OCR and not ocr.is_available():
            reason = say("Needs the program tesseract, which is not installed here.")
            texts.addWidget(label(reason, "secondary", "warn", wrap=True))
        if setting is SIZE and (largest := largest_size(self.screen())) < int(setting.choices[-1]):
            note = say("This screen has room for {percent} at most.", percent=percent_text(largest))
            texts.addWidget(label(note, "secondary", "warn", wrap=True))
        control, self._shows[setting.key] = self._control(setting)
        control.setAccessibleName(name.text())
        if isinstance(control, QAbstractSpinBox | QComboBox):
            leave_scrolling(control)
        name.setBuddy(control)
        self.controls[setting.key] = control
        control.setAccessibleDescription(reason or say(setting.help))
        control.setEnabled(not reason)
        self._fill(setting)
        middle = aligned(control, Qt.AlignmentFlag.AlignVCenter)
        return boxed(across(grow(texts), middle, margins=(0, 10, 0, 10), spacing=16))

    def _control(self, setting: Setting) -> tuple[QWidget, Callable[[Any], object]]:
        """Return a control for a setting, and a function that shows a value in it."""
        if setting in (THEME, DENSITY):
            segments = SegmentedChoice([say(_CHOICES[word]) for word in setting.choices], say(setting.label), width=76)
            segments.chosen.connect(lambda index: self._set(setting, setting.choices[index]))
            return segments, lambda value: segments.set_current(setting.choices.index(value))
        if setting.choices:
            combo = QComboBox()
            combo.setFixedWidth(self._theme.px(_FIELD))
            for word in setting.choices:
                combo.addItem(percent_text(word) if setting.unit == "%" else say(_CHOICES.get(word, word)), word)
            combo.activated.connect(lambda index: self._set(setting, combo.itemData(index)))
            return combo, lambda value: combo.setCurrentIndex(combo.findData(value))
        if isinstance(setting.default, bool):
            switch = Switch(say(setting.label))
            switch.clicked.connect(lambda checked: self._set(setting, checked))
            return switch, switch.setChecked
        if isinstance(setting.default, str):
            text = QLineEdit()
            text.setFixedWidth(self._theme.px(_FIELD))
            text.setPlaceholderText(say("off"))
            text.editingFinished.connect(lambda: self._set(setting, text.text().strip()))
            return text, text.setText
        return self._number(setting)

    def _number(self, setting: Setting) -> tuple[QWidget, Callable[[Any], object]]:
        scale = 100 if isinstance(setting.default, float) and setting.high <= 1 else 1  # a share is shown as percentage
        field = QSpinBox()
        # A number below the range is not stored while a larger one is still being typed.
        field.setRange(round(setting.low * scale), round(setting.high * scale))
        unit = say(_UNITS[setting.unit]) if setting.unit else ""
        field.setSuffix(percent_text("") if scale > 1 else unit)
        field.setFixedWidth(self._theme.px(_FIELD))
        field.lineEdit().setTextMargins(*_MARGINS)
        field.valueChanged.connect(lambda value: self._set(setting, type(setting.default)(value / scale)))
        return field, lambda value: field.setValue(round(value * scale))

    def _fill(self, setting: Setting) -> None:
        with QSignalBlocker(self.controls[setting.key]):
            self._shows[setting.key](self._settings.get(setting))

    def _set(self, setting: Setting, value: object) -> None:
        if value == self._settings.get(setting):
            return
        try:
            self._settings.set(setting, value)
        except DupfinderError as error:
            explain(self._theme, self, error)
            self._fill(setting)
            return
        if setting in (THEME, DENSITY):
            self._show_look()
        elif setting is LANGUAGE:
            self.tell(say("The language changes at the next start."))
        elif setting is SIZE:
            self.tell(say("The size changes at the next start."))
        elif setting is WATCH:
            self.watching_changed.emit()
        elif setting is OCR and value:
            work = Job(lambda _reporter: ocr.missing_languages(str(value)), self)
            work.start(succeeded=self._tell_languages)
        elif setting in _READ_ANEW:
            self.tell(say("The next scan reads every document again, once."))

    def _tell_languages(self, missing: list[str]) -> None:
        text = say("At the next scan, scanned pages are recognised. That takes seconds a page.")
        if missing:
            names = shown(", ".join(missing))
            text = say("tesseract has no data here for {languages}. Such pages are not recognised.", languages=names)
        self.tell(text)

    # Resetting and clearing

    def _ask_reset(self, group: str = "") -> None:
        """Ask whether to reset the settings of a section, or of all."""
        settings: tuple[Setting, ...] = ALL
        question, act = say("Put all settings back?"), say("Reset all")
        if group:
            question = say("Put these settings back: {section}?", section=say(_TITLES[group]))
            act, settings = say("Reset"), _settings_of(group)
        text = say("Scans, decisions and history stay as they are.")
        confirm(self._theme, self, question, text, act, partial(self._reset, settings))

    def _reset(self, settings: Sequence[Setting]) -> None:
        self._settings.reset(settings)
        for setting in settings:
            if setting.key in self.controls:
                self._fill(setting)
        self.weights.refresh()
        self._show_look()
        self.watching_changed.emit()
        if settings is ALL:
            self.all_reset.emit()

    def _show_look(self) -> None:
        self._theme.set_mode(ThemeMode(str(self._settings.get(THEME))))
        self._theme.set_compact(self._settings.get(DENSITY) == "compact")

    def _make_storage(self) -> Card:
        card = Card(spacing=0)
        quiet = say("What was read of your documents, so that it need not be read again. No document is touched.")
        texts = down(label(say("Scan data"), "medium"), label(quiet, "secondary", wrap=True), spacing=2)
        self._size = label("", "body", "secondary")
        self.clear = button(self._theme, say("Delete scan data…"), act=self._ask_clear)
        card.column.addLayout(across(grow(texts), self._size, self.clear, spacing=16))
        return card

    def _ask_clear(self) -> None:
        text = say("The list of scans becomes empty. Your documents, your decisions and the history stay.")
        confirm(self._theme, self, say("Delete all scan data?"), text, say("Delete scan data"), self._clear)

    def _clear(self) -> None:
        work = partial(tasks.clear_library, self._library)
        Job(work, self).start(succeeded=self._cleared, failed=partial(explain, self._theme, self))

    def _cleared(self, _: object) -> None:
        self._size.setText(size_text(_bytes_of(self._library)))
        self.tell(say("The scan data is deleted."))


def _settings_of(group: str) -> tuple[Setting, ...]:
    """Return the settings of a section. group: the part of their keys before the dot."""
    return tuple(setting for setting in ALL if setting.key.partition(".")[0] == group)


def _bytes_of(library: Path) -> int:
    from dupfinder.library import store

    return store.size_on_disk(library)
