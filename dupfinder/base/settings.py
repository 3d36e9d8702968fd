"""All settings, each declared once: the dialog, the command line and the saved file use this table."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dupfinder.base.errors import AllowedValues, SettingError
from dupfinder.base.files import write_whole
from dupfinder.base.paths import data_dir, data_path


def N_(text: str) -> str:
    """Mark a label for translation; it is translated where it is shown."""
    return text


_TYPES: Final = {
    int: AllowedValues.WHOLE_NUMBER,
    float: AllowedValues.NUMBER,
    str: AllowedValues.WORD,
    bool: AllowedValues.TRUTH_VALUE,
}
Value = int | float | str | bool

LANGUAGES: Final = {"en": "English", "zh_CN": "简体中文", "es": "Español"}  # each in its own language
# Bits of 64; the default too: pairs within it are measured anyway, and a smaller radius finds fewer misread pages.
MAX_RADIUS: Final = 16
DEFAULT_MIN_SIMILARITY: Final = 0.7  # least resemblance, of 5-token shingles, of two versions of a document
DEFAULT_MIN_CONTAINMENT: Final = 0.85  # least share of a part's shingles that are in its whole


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting. low, high: limits. choices: allowed words. pattern: that text must match. unit: shown with it."""

    key: str
    default: Value
    label: str
    help: str
    low: float = -math.inf
    high: float = math.inf
    choices: tuple[str, ...] = ()
    unit: str = ""
    pattern: str = ""

    def checked(self, value: object) -> Value:
        """Return `value` as this setting's type. Raises SettingError when it is not allowed."""
        kind = type(self.default)
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if type(value) is not kind:
            raise SettingError(self.key, value, _TYPES[kind])
        assert isinstance(value, int | float | str)
        if self.choices and value not in self.choices:
            raise SettingError(self.key, value, AllowedValues.CHOICE, choices=" | ".join(self.choices))
        if isinstance(value, str) and self.pattern and not re.fullmatch(self.pattern, value):
            raise SettingError(self.key, value, AllowedValues.JOINED_WORDS)
        if not isinstance(value, str) and not self.low <= value <= self.high:
            raise SettingError(self.key, value, AllowedValues.RANGE, low=self.low, high=self.high)
        return value


RADIUS: Final = Setting(
    "search.radius", MAX_RADIUS, N_("Similarity radius"),
    N_(
        "Tolerance for scattered differences, such as misread letters in scans: so many of the 64 bits of two "
        "fingerprints may differ."
    ), 0, MAX_RADIUS, unit="bits",
)  # fmt: skip
MIN_SIMILARITY: Final = Setting(
    "search.min_similarity", DEFAULT_MIN_SIMILARITY, N_("Least similarity"),
    N_("How similar two documents are at least, to count as versions of one."), 0.5, 1.0,
)  # fmt: skip
MIN_CONTAINMENT: Final = Setting(
    "search.min_containment", DEFAULT_MIN_CONTAINMENT, N_("Least containment"),
    N_("How much of a document is in a longer one at least, to call it a part."), 0.5, 1.0,
)  # fmt: skip
WEIGHTS: Final = Setting(
    "search.weights", "shipped", N_("Weights of words"),
    N_("How rare each word is: by the built-in table, or as learned from your own documents."),
    choices=("shipped", "learned"),
)  # fmt: skip
TOP: Final = Setting(
    "search.top", 0, N_("Words per fingerprint"),
    N_("How many words of a document count for its fingerprint, the most telling first. 0: all."), 0, 1000,
)  # fmt: skip
SIMPLIFY: Final = Setting(
    "search.simplify", False, N_("Traditional as Simplified Chinese"),
    N_("Compare texts in Traditional Chinese characters as if they were written in Simplified ones."),
)  # fmt: skip
WORKERS: Final = Setting(
    "reading.workers", 0, N_("Reading processes"), N_("0: one for each processor core, eight at most."), 0, 64
)
FILE_SECONDS: Final = Setting(
    "reading.seconds", 12.0, N_("Time limit per file"), N_("Larger files get more."), 1.0, 3600.0, unit="seconds"
)
FILE_MEMORY: Final = Setting(
    "reading.megabytes", 1024, N_("Memory limit per reading process"),
    N_("A file that needs more is not read."), 256, 65_536, unit="MB",
)  # fmt: skip
LARGEST: Final = Setting(
    "reading.largest_megabytes", 500, N_("Largest file"), N_("Larger files are not read."), 1, 100_000, unit="MB"
)
ARCHIVES: Final = Setting(
    "reading.archives", True, N_("Documents in archives"),
    N_("Also compare the documents in archives (ZIP, tar, 7z, RAR) and the mails in mailboxes (mbox). They are never "
       "removed, and archives and mailboxes are never changed."),
)  # fmt: skip
ALL_FILES: Final = Setting(
    "reading.all_files", False, N_("Files of every kind"),
    N_("Also find exact copies of photos, videos, archives and all other files of any size."),
)  # fmt: skip
OCR: Final = Setting(
    "reading.ocr", "", N_("Recognise scanned pages"),
    N_("Languages of scanned pages, as tesseract names them: eng+deu. Empty: scanned pages are not read."),
    pattern=r"(?:[A-Za-z][\w/-]*(?:\+[A-Za-z][\w/-]*)*)?",
)  # fmt: skip
HIDDEN: Final = Setting("reading.hidden", True, N_("Hidden files"), N_("Also read files whose name begins with a dot."))
WATCH: Final = Setting(
    "window.watch", False, N_("Watch scanned folders"),
    N_("After a scan, as long as the window is open: when files change, scan again and tell of new copies."),
)  # fmt: skip
THEME: Final = Setting(
    "window.theme", "system", N_("Theme"), N_("Light, dark, in high contrast, or as the system."),
    choices=("system", "light", "dark", "contrast"),
)  # fmt: skip
DENSITY: Final = Setting(
    "window.density", "normal", N_("Rows of lists"), N_("Compact ones show more documents at once."),
    choices=("normal", "compact"),
)  # fmt: skip
LANGUAGE: Final = Setting(
    "window.language", "system", N_("Language"), N_("Language of the window and of the reports that it writes."),
    choices=("system", *LANGUAGES),
)  # fmt: skip
SIZE: Final = Setting(
    "window.size", "100", N_("Size"), N_("Of text, buttons and rows. Larger ones are easier to read and to touch."),
    choices=("90", "100", "115", "130"), unit="%",
)  # fmt: skip
JOURNAL_DAYS: Final = Setting(
    "removing.journal_days", 90, N_("Keep history"),
    N_("How long removals stay in the history. Those that can still be undone stay longer."), 1, 3650, unit="days",
)  # fmt: skip

ALL: Final = (
    RADIUS, MIN_SIMILARITY, MIN_CONTAINMENT, WEIGHTS, TOP, SIMPLIFY, WORKERS, FILE_SECONDS, FILE_MEMORY, LARGEST,
    ARCHIVES, ALL_FILES, OCR, HIDDEN, THEME, SIZE, DENSITY, LANGUAGE, WATCH, JOURNAL_DAYS,
)  # fmt: skip
BY_KEY: Final = {setting.key: setting for setting in ALL}


class Settings:
    """The settings that the person changed, stored in a JSON file."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path or data_path() / "settings.json"
        self._values: dict[str, Value] = {}
        self._load()

    def _load(self) -> None:
        """Read the file; unknown and invalid values are ignored."""
        try:
            stored = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return  # missing or unreadable: the defaults are used, and the next change writes a new file
        for key, value in stored.items() if isinstance(stored, dict) else ():
            setting = BY_KEY.get(key)
            if setting is not None:
                try:
                    self._values[key] = setting.checked(value)
                except SettingError:
                    continue  # a value of another version: the default is used

    def get(self, setting: Setting) -> Value:
        """Return the chosen value, or the default."""
        return self._values.get(setting.key, setting.default)

    def integer(self, setting: Setting) -> int:
        """Return the value of a whole-number (or yes/no) setting."""
        return int(self.get(setting))

    def number(self, setting: Setting) -> float:
        return float(self.get(setting))

    def set(self, setting: Setting, value: object) -> None:
        """Change a value and save. Raises SettingError when the setting does not allow it."""
        self._values[setting.key] = setting.checked(value)
        self._save()

    def reset(self, settings: Iterable[Setting] = ALL) -> None:
        """Restore the defaults of these settings and save."""
        for setting in settings:
            self._values.pop(setting.key, None)
        self._save()

    def _save(self) -> None:
        """Replace the file, readable by its owner only."""
        if self._path.parent == data_path():
            data_dir()
        write_whole(self._path, [json.dumps(self._values, indent=1, sort_keys=True).encode()])
