"""Dictionary segmentation of Chinese: rjieba where it imports, else jieba. Both give the same words on runs of Han."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from dupfinder.fingerprint.hashing import Bytes, Offsets

HAN_BYTES = 3  # of each character of `classes.HAN` in UTF-8
Cut = Callable[[str], list[str]]


@cache
def segmenter() -> Cut:
    """The function that cuts runs of Han (parted by line ends) into words. Loaded at first use: it takes a moment."""
    try:
        import rjieba  # a dictionary of 350,000 words is built at import
    except ImportError:
        return jieba_cut()
    cut: Cut = rjieba.cut
    return cut


@cache
def jieba_cut() -> Cut:
    """jieba's cut, made ready without its cache: that is read from the shared temporary folder without a check."""
    import jieba  # slow to load, and only the fall-back

    jieba.dt.FREQ, jieba.dt.total = jieba.dt.gen_pfdict(jieba.dt.get_dict_file())
    jieba.dt.initialized = True
    cut: Cut = jieba.lcut
    return cut


def words_of_runs(runs: str) -> tuple[Bytes, Offsets, Offsets]:
    """The words in runs of Han parted by line ends: the bytes of the runs, and the span of each word."""
    words = segmenter()(runs)
    sizes = np.fromiter(map(len, words), dtype=np.int64, count=len(words))
    line_ends = np.frombuffer(runs.encode("utf-32-le"), dtype="<u4") == ord("\n")
    places = np.cumsum(sizes)
    parting = line_ends[places - 1]
    ends = HAN_BYTES * places - (HAN_BYTES - 1) * np.cumsum(parting)
    kept = ~parting
    ends, sizes = ends[kept], sizes[kept]
    return Bytes(runs.encode()), ends - HAN_BYTES * sizes, ends
