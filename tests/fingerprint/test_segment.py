"""Segmentation: rjieba gives jieba's words."""

from __future__ import annotations

import marshal
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from dupfinder.fingerprint.features import jieba_cut, segmenter, words_of_runs

pytestmark = pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning", "ignore::UserWarning")

SENTENCES = [
    "我来到北京清华大学",
    "他来到了网易杭研大厦",
    "小明硕士毕业于中国科学院计算所后在日本京都大学深造",
    "工信处女干事每月经过下属科室都要亲口交代二十四口交换机等技术性器件的安装工作",
    "中華人民共和國國務院關於修改部分行政法規的決定",
    "第一條為了規範公司的組織和行為保護公司股東和債權人的合法權益",
    "龘靐齉爩驫麤",
]


def random_runs(count: int) -> list[str]:
    """Return runs of frequent and of rare characters, and of pieces of the sentences."""
    chooser = random.Random(11)
    pieces = "".join(SENTENCES)
    runs = []
    for _ in range(count):
        cut = chooser.randrange(len(pieces) - 20)
        rare = "".join(chr(chooser.randint(0x4E00, 0x9FD5)) for _ in range(chooser.randint(0, 6)))
        runs.append(pieces[cut : cut + chooser.randint(1, 20)] + rare)
    return runs


def test_rjieba_cuts_runs_of_han_as_jieba_does() -> None:
    rjieba = pytest.importorskip("rjieba")
    jieba = jieba_cut()
    for run in [*SENTENCES, *random_runs(500)]:
        assert rjieba.cut(run) == jieba(run)


def test_many_runs_at_once_are_cut_like_each_alone() -> None:
    runs = [*SENTENCES, *random_runs(200)]
    cut = segmenter()
    together = [word for word in cut("\n".join(runs)) if word != "\n"]
    assert together == [word for run in runs for word in cut(run)]


def test_words_of_runs_are_spans_of_their_bytes() -> None:
    runs = "\n".join(SENTENCES)
    text, starts, ends = words_of_runs(runs)
    spans = zip(starts.tolist(), ends.tolist(), strict=True)
    words = [text.data[start:end].decode() for start, end in spans]
    assert words == [word for run in SENTENCES for word in segmenter()(run)]


def test_jieba_serves_where_rjieba_does_not_import(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "rjieba", None)
    segmenter.cache_clear()
    try:
        assert segmenter()("他来到了网易杭研大厦") == ["他", "来到", "了", "网易", "杭研", "大厦"]
        assert segmenter() is jieba_cut()
    finally:
        segmenter.cache_clear()


def test_jieba_reads_no_cache_that_another_person_could_have_written_and_leaves_none(tmp_path: Path) -> None:
    planted = tmp_path / "jieba.cache"
    planted.write_bytes(marshal.dumps(({"测": 1, "试": 1}, 2)))
    code = "from dupfinder.fingerprint.features import jieba_cut; print(len(jieba_cut()('测试')))"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    process = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert process.stdout == "1\n"
    assert list(tmp_path.iterdir()) == [planted]
