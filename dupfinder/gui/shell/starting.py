"""Start the window: a single instance, a log, the theme, and a handler for faults."""

from __future__ import annotations

import gc
import logging
import logging.handlers
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Final

import filelock
from PySide6.QtCore import QLibraryInfo, QLocale, QObject, Qt, QTimer, QTranslator, Signal, Slot
from PySide6.QtGui import QIcon, QScreen
from PySide6.QtWidgets import QApplication, QMessageBox

from dupfinder.base.files import write_whole
from dupfinder.base.paths import data_dir, default_library, log_file, resource
from dupfinder.base.settings import DENSITY, LANGUAGE, SIZE, THEME, Settings
from dupfinder.gui.kit.jobs import stop_all
from dupfinder.gui.kit.theme import Theme, ThemeMode, largest_size
from dupfinder.gui.shell.main_window import MainWindow
from dupfinder.wording import catalogue

_LOG_BYTES: Final = 1_000_000
_PATIENCE_MS: Final = 30_000  # for a job in the middle of a long step
_REQUEST_MS: Final = 250  # how often the first window looks for a second start
_COLLECT_MS: Final = 500
# How long a job's thread may hold the interpreter while the window waits for it, as it does after each call into Qt. At
# Python's 5 ms a page is made half as fast beside a busy job.
TURN_SECONDS: Final = 0.001
_log = logging.getLogger(__name__)


class SingleInstance(QObject):
    """At most one window for a data folder. A second start leaves a request for the first and ends.

    The system releases the lock when the process ends, so it needs no repair after a crash.
    """

    asked = Signal(object)  # paths; as str, Qt would drop bytes of a name that are no characters

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self._lock = filelock.FileLock(folder / "window.lock", timeout=0, mode=0o600)
        self._request = folder / "window.request"
        self._timer = QTimer(self, interval=_REQUEST_MS)
        self._timer.timeout.connect(self._take_request)

    def take(self) -> bool:
        """Take the lock; return False if another process has it."""
        try:
            self._lock.acquire()
        except filelock.Timeout:
            return False
        self._request.unlink(missing_ok=True)
        self._timer.start()
        return True

    def ask(self, folders: Sequence[Path]) -> None:
        """Request the other window to come to the front, and to show a new scan of the folders, if any."""
        write_whole(self._request, [b"\0".join(os.fsencode(folder.resolve()) for folder in folders)])

    def release(self) -> None:
        self._timer.stop()
        self._lock.release()

    @Slot()
    def _take_request(self) -> None:
        try:
            request = self._request.read_bytes()
            self._request.unlink()
        except OSError:  # there is none, or Windows refuses to remove it while the other process closes it
            return
        self.asked.emit([Path(os.fsdecode(name)) for name in request.split(b"\0") if name])


class FaultHandler(QObject):
    """Logs exceptions that leave a slot and shows them in a dialog; the window continues."""

    fault = Signal(object)

    def install(self) -> None:
        sys.excepthook = self._handle

    def _handle(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, trace)
            return
        _log.error("an unexpected fault", exc_info=(kind, error, trace))
        self.fault.emit(error)


def _start_log() -> None:
    logging.raiseExceptions = False  # where the disk is full, each line would become a traceback on the terminal
    # The log has file names, so only the person may read it.
    os.close(os.open(log_file(), os.O_WRONLY | os.O_CREAT, 0o600))
    handler = logging.handlers.RotatingFileHandler(log_file(), maxBytes=_LOG_BYTES, backupCount=1, encoding="utf-8")
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger("dupfinder")
    root.setLevel(logging.INFO)
    root.addHandler(handler)


def language(settings: Settings) -> QLocale:
    """Return the locale of the window: the chosen language, else the system's."""
    chosen = catalogue.chosen(os.environ) or str(settings.get(LANGUAGE))
    locale = QLocale() if chosen == "system" else QLocale(chosen)
    return QLocale("en_US") if locale.language() == QLocale.Language.C else locale


def text_scale(settings: Settings, screen: QScreen) -> int:
    """Return the chosen size of text and controls, in per cent; less if the smallest window would not fit."""
    return min(int(settings.get(SIZE)), largest_size(screen))


def translate(application: QApplication, locale: QLocale) -> None:
    """Set the language of the window, of reports, and of Qt's texts."""
    QLocale.setDefault(locale)
    name = catalogue.chosen(os.environ) or catalogue.language_for(locale.name())
    catalogue.use(name)
    toolkits = QTranslator(application)
    if toolkits.load(f"{QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)}/qtbase_{name}.qm"):
        application.installTranslator(toolkits)


def run(folders: Sequence[Path]) -> int:
    """Open the window, with folders to scan if given; return the exit code. A second start raises the first window."""
    sys.setswitchinterval(TURN_SECONDS)
    QApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication.instance() or QApplication(["dupfinder"])
    assert isinstance(application, QApplication)
    application.setApplicationName("dupfinder")
    application.setDesktopFileName("dupfinder")
    try:
        instance = SingleInstance(data_dir())
        if not instance.take():
            instance.ask(folders)
            return 0
        _start_log()
    except OSError as error:
        return _tell(error)
    try:
        settings = Settings()
        translate(application, language(settings))
        application.setWindowIcon(QIcon(str(resource("icons/dupfinder.svg"))))
        percent, is_compact = text_scale(settings, application.primaryScreen()), settings.get(DENSITY) == "compact"
        theme = Theme(application, ThemeMode(str(settings.get(THEME))), percent, is_compact=is_compact)
        window = MainWindow(theme, settings, default_library())
        faults = FaultHandler()
        faults.fault.connect(window.explain, Qt.ConnectionType.QueuedConnection)
        faults.install()
        instance.asked.connect(window.raise_here)
        collector = GarbageCollector(window)
        collector.start()
        window.show()
        if folders:
            window.choose_folders(list(folders))
        code = application.exec()
    finally:
        instance.release()
    if not stop_all(_PATIENCE_MS):
        _log.warning("a job did not end in time")
        os._exit(code)  # a thread cannot be killed; the library survives it by its journal
    return code


def _tell(error: OSError) -> int:
    """Show and log why the window cannot be opened; return the exit code."""
    catalogue.use(catalogue.chosen(os.environ) or catalogue.language_for(QLocale().name()))
    from dupfinder.wording.errors import system_sentence  # slow to import, and rarely needed

    text = system_sentence(error)
    _log.error("%s", text)
    box = QMessageBox(QMessageBox.Icon.Critical, "dupfinder", text)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.exec()
    return 2


class GarbageCollector(QObject):
    """Collects garbage in the thread that created it, instead of Python's automatic collection.

    Python collects cycles in whatever thread happens to allocate. A widget in a cycle would then be destroyed in a
    job's thread, which crashes the program.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self, interval=_COLLECT_MS)
        self._timer.timeout.connect(self.collect)

    def start(self) -> None:
        """Disable Python's automatic collection."""
        gc.disable()
        self._timer.start()

    def stop(self) -> None:
        """Enable Python's automatic collection."""
        self._timer.stop()
        gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the oldest generation that is due by Python's thresholds."""
        due = [count > limit for count, limit in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        for generation in (2, 1, 0):
            if due[generation]:
                gc.collect(generation)
                return
