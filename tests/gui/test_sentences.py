"""Sentences on problems and errors speak the window's language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from dupfinder.base.errors import LibraryLocked, UsageError
from dupfinder.base.output import recognise_nothing, replacing
from dupfinder.base.problems import Problem, ProblemKind
from dupfinder.base.progress import Stage
from dupfinder.gui import sentences, starting


@pytest.fixture
def chinese(qapp: QApplication) -> Iterator[None]:
    before = QLocale()
    starting.translate(qapp, QLocale("zh_CN"))
    yield
    for made in qapp.findChildren(QTranslator):
        QCoreApplication.removeTranslator(made)
        made.deleteLater()
    QLocale.setDefault(before)


@pytest.mark.usefixtures("chinese")
def test_errors_and_problems_are_told_in_chinese(tmp_path: Path) -> None:
    told = sentences.sentence(LibraryLocked(Path("/l.db"), 4711))
    assert told == "数据库 /l.db 正被进程 4711 使用。未作任何处理；请等待其结束。"
    problem = Problem(Path("/a.pdf"), Stage.READ, ProblemKind.ENCRYPTED, "AES")
    assert sentences.problem_sentence(problem) == "需要密码，未读取：AES。"
    with pytest.raises(UsageError) as caught, replacing(tmp_path, recognise_nothing):
        pass
    assert sentences.sentence(caught.value) == f"{tmp_path} 是文件夹；请指定文件名。"
    assert "已另存为 /aside" in sentences.put_aside_sentence(Path("/aside"))


def test_without_a_translation_they_are_english() -> None:
    assert sentences.sentence(LibraryLocked(Path("/l.db"), None)).endswith("wait until it has ended.")
