"""Columns of text: a million names as a single array of bytes, decoded when they are accessed."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

_CHUNK = 10_000  # texts decoded together: bounds how long other threads wait


class _Column(Sequence[str]):
    """The base of all columns of text: slices are lists, and a column equals any sequence of the same texts."""

    def _texts(self, rows: range) -> list[str]:
        """Return the texts of some rows."""
        raise NotImplementedError

    @overload
    def __getitem__(self, row: int) -> str: ...
    @overload
    def __getitem__(self, row: slice) -> list[str]: ...
    def __getitem__(self, row: int | slice) -> str | list[str]:
        rows = range(len(self))[row]
        return self._texts(rows) if isinstance(rows, range) else self._texts(range(rows, rows + 1))[0]

    def __iter__(self) -> Iterator[str]:
        for start in range(0, len(self), _CHUNK):
            yield from self._texts(range(start, min(start + _CHUNK, len(self))))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and len(self) == len(other) and all(map(str.__eq__, self, other))

    __hash__ = None  # type: ignore[assignment] # like a list, it equals other sequences


class Texts(_Column):
    """Texts that are mostly different, such as paths.

    values: uint8 (total,), their bytes as in the file system, concatenated.
    starts: int64 (n + 1,), text i has values[starts[i]:starts[i + 1]].
    """

    def __init__(self, values: NDArray[np.uint8], starts: NDArray[np.int64]) -> None:
        if not len(starts) or starts[0] != 0 or starts[-1] != len(values) or (np.diff(starts) < 0).any():
            raise ValueError("starts that are none of these texts")
        self.values, self.starts = values, starts

    @classmethod
    def of(cls, texts: Sequence[str]) -> Texts:
        """Return some texts as a column."""
        if isinstance(texts, Texts):
            return texts
        encoded = [os.fsencode(text) for text in texts]
        starts = np.zeros(len(encoded) + 1, np.int64)
        np.cumsum([len(text) for text in encoded], out=starts[1:])
        return cls(np.frombuffer(b"".join(encoded), np.uint8), starts)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def _texts(self, rows: range) -> list[str]:
        if rows.step != 1 or not len(rows):
            return [self[row] for row in rows]
        starts = self.starts[rows.start : rows.stop + 1]
        data = self.values[starts[0] : starts[-1]].tobytes()
        cuts = (starts - starts[0]).tolist()
        if data.isascii():
            text = data.decode("ascii")
            return [text[start:end] for start, end in itertools.pairwise(cuts)]
        return [os.fsdecode(data[start:end]) for start, end in itertools.pairwise(cuts)]


class Words(_Column):
    """Texts of which most repeat, such as formats.

    words: the distinct texts.
    codes: int32 (n,), the index of each text in `words`.
    """

    def __init__(self, words: Sequence[str], codes: NDArray[np.int32]) -> None:
        if len(codes) and not 0 <= codes.min() <= codes.max() < len(words):
            raise ValueError("codes that are none of these words")
        self.words, self.codes = tuple(words), codes

    @classmethod
    def of(cls, texts: Sequence[str]) -> Words:
        """Return some texts as a column, with `words` in ascending order."""
        if isinstance(texts, Words):
            return texts
        words = sorted(set(texts))
        codes = {word: code for code, word in enumerate(words)}
        return cls(words, np.fromiter((codes[text] for text in texts), np.int32, len(texts)))

    def __len__(self) -> int:
        return len(self.codes)

    def _texts(self, rows: range) -> list[str]:
        words = self.words
        return [words[code] for code in self.codes[np.array(rows, np.intp)].tolist()]

    def each(self, facts: Sequence[Any], dtype: type[Any]) -> NDArray[Any]:
        """Return the fact of each text, given the fact of each of `words`: (n,)."""
        return np.array(facts, dtype)[self.codes] if len(self) else np.empty(0, dtype)
