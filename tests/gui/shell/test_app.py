from __future__ import annotations

import contextlib
import logging
import os
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QSize
from pytestqt.qtbot import QtBot

from dupfinder import gui
from dupfinder.base.settings import LANGUAGE, SIZE, Settings
from dupfinder.gui.shell import starting
from dupfinder.gui.shell.starting import FaultHandler, SingleInstance


def run_window(home: Path, script: str, *folders: Path) -> str:
    """Run the window in another process; `script` is called as done(window) once it is painted, before all else."""
    program = textwrap.dedent(
        """
        import sys
        from pathlib import Path
        from PySide6.QtWidgets import QApplication
        from dupfinder import gui
        from dupfinder.gui.scanning.welcome import WelcomePage

        {script}

        begin = WelcomePage.__init__
        def init(self, *given):
            begin(self, *given)
            self.painted.connect(lambda: done(self.window()))
        WelcomePage.__init__ = init
        code = gui.main(sys.argv[1:])
        print("code", code)
        """
    ).replace("{script}", textwrap.dedent(script))
    environment = {**os.environ, "DUPFINDER_HOME": str(home), "QT_QPA_PLATFORM": "offscreen"}
    result = subprocess.run(
        [sys.executable, "-c", program, *map(str, folders)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=250,
    )
    assert result.returncode == 0, result.stderr
    return result.stdout


def test_nothing_heavy_is_loaded_before_the_window_is_painted_and_jobs_take_short_turns(home: Path) -> None:
    said = run_window(
        home,
        """
        HEAVY = {"jieba", "rjieba", "pdfminer", "docx", "lxml", "pypdfium2", "resiliparse", "numpy", "sqlite3"}
        def done(window):
            print("loaded", sorted(HEAVY & set(sys.modules)), window.isVisible(), sys.getswitchinterval() < 0.002)
            window.close()
        """,
    )
    assert said == "loaded [] True True\ncode 0\n"


def test_folders_named_at_the_start_are_ready_to_be_scanned(home: Path, tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    said = run_window(
        home,
        """
        def done(window):
            pass
        from PySide6.QtCore import QTimer
        import dupfinder.gui.shell.main_window as windows
        show = windows.MainWindow.show
        def shown(self):
            show(self)
            tell(self)
        def tell(window):
            if window.page is window.welcome:
                QTimer.singleShot(10, lambda: tell(window))
                return
            print([str(root.path) for root in window.page.request().roots])
            window.close()
        windows.MainWindow.show = shown
        """,
        *folders,
    )
    assert said.splitlines()[0] == str([str(folder) for folder in folders])


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a screen")
def test_without_a_screen_one_sentence_is_said_in_the_language_of_the_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    environment = {**os.environ, "DUPFINDER_LANGUAGE": "es"}
    command = [sys.executable, "-m", "dupfinder"]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=250)
    assert (result.returncode, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.startswith("Aquí no hay pantalla")


def test_options_are_not_taken_for_folders(capsys: pytest.CaptureFixture[str]) -> None:
    assert gui.main(["--help"]) == 2
    assert "takes folders" in capsys.readouterr().err


def test_a_second_start_hands_its_folders_to_the_first(qtbot: QtBot, tmp_path: Path) -> None:
    first, second = SingleInstance(tmp_path), SingleInstance(tmp_path)
    assert first.take()
    assert not second.take()
    both = [tmp_path / "a\nfolder", tmp_path / "\udcff\udcfe"]  # the second is no UTF-8
    for folders in (both, both[1:], []):
        with qtbot.waitSignal(first.asked) as request:
            second.ask(folders)
        assert request.args == [folders]
    first.release()
    assert second.take()
    second.release()


def test_what_a_dead_window_left_behind_hinders_nobody(qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "window.lock").write_text("left by a crash")
    (tmp_path / "window.request").write_bytes(b"/an/old/request")
    instance = SingleInstance(tmp_path)
    asked: list[str] = []
    instance.asked.connect(asked.append)
    assert instance.take()
    qtbot.wait(600)
    assert asked == []
    instance.release()


def test_a_fault_in_a_slot_is_logged_and_told(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    handler = FaultHandler()
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    handler.install()
    faults: list[BaseException] = []
    handler.fault.connect(faults.append)
    error = ValueError("wrong")
    with caplog.at_level(logging.ERROR):
        sys.excepthook(ValueError, error, None)
    assert faults == [error]
    assert "wrong" in caplog.text


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_log_on_a_full_disk_writes_nothing_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    logger = logging.getLogger("dupfinder")
    monkeypatch.setattr(logging, "raiseExceptions", True)
    monkeypatch.setattr(logger, "handlers", [])
    monkeypatch.setattr(logger, "level", logger.level)
    monkeypatch.setattr(starting, "log_file", lambda: "/dev/full")
    starting._start_log()
    logger.error("a fault")
    with contextlib.suppress(OSError):  # what could not be written is tried once more
        logger.handlers[0].close()
    assert capsys.readouterr().err == ""


def test_the_language_is_the_systems_unless_one_is_chosen(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale.c())
        assert starting.language(settings).language() == QLocale.Language.English
        settings.set(LANGUAGE, "zh_CN")
        assert starting.language(settings).language() == QLocale.Language.Chinese
        monkeypatch.setenv("DUPFINDER_LANGUAGE", "es")
        assert starting.language(settings).language() == QLocale.Language.Spanish
    finally:
        QLocale.setDefault(before)


def screen(width: int) -> Any:
    """A screen that is so wide; Qt lets nobody else make one."""
    return SimpleNamespace(availableSize=lambda: QSize(width, 800))


def test_the_chosen_size_is_used_as_far_as_the_screen_has_room_for_the_smallest_window(settings: Settings) -> None:
    settings.set(SIZE, "130")
    widths = (800, 1024, 1280, 1440, 3840)
    assert [starting.text_scale(settings, screen(width)) for width in widths] == [100, 100, 125, 130, 130]
    settings.set(SIZE, "90")
    assert starting.text_scale(settings, screen(1024)) == 90


def test_a_data_folder_that_cannot_be_created_is_told_in_a_box(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    text = run_window(
        tmp_path / "file" / "home",
        """
        from PySide6.QtWidgets import QMessageBox
        QMessageBox.exec = lambda box: print(box.text())
        """,
    )
    assert str(tmp_path / "file" / "home") in text and "DUPFINDER_HOME" in text and text.endswith("\ncode 2\n")


def test_opening_twice_in_one_home_ends_the_second_at_once(home: Path) -> None:
    holder = SingleInstance(home)
    assert holder.take()
    try:
        assert run_window(home, "def done(window): window.close()") == "code 0\n"
        assert (home / "window.request").read_bytes() == b""
    finally:
        holder.release()
        (home / "window.request").unlink(missing_ok=True)


def test_the_reading_processes_load_no_toolkit() -> None:
    code = "import sys, dupfinder.gui; print(any(name.startswith('PySide6') for name in sys.modules))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout == "False\n"
