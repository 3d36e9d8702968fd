"""Documents of an office in any number: strangers, versions, copies, filled-in forms, letters under common frames,
parts in longer texts, short notes, Chinese. More documents are more families, not larger ones; one seed, one library.

Words are drawn as often as people use them: English by counting a documentation, Chinese by jieba's dictionary; three
words in ten are of the document's own subject. Stock sentences, which anybody may use, are drawn by Zipf's law.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import jieba

from tests.quality.kinds.writing import english

MEDIAN_WORDS = 220  # of a document; half of all have between 137 and 353
CHINESE_SHARE = 0.1  # of the documents
_SPREAD = 0.7  # of the logarithm of the number of words
_STOCK = 2_000  # sentences that anybody may use
_STOCK_SHARE = 0.1  # of the sentences of English texts
_SUBJECT_WORDS = 60  # words of the subject of a document
_SUBJECT_SHARE = 0.3  # of the words of a document
_COMMON = 300  # words that are too common to be of any subject
_FORM_SIZES = (3, 4, 6, 10, 30, 100)  # fillings of one form
_FRAME_USERS = 100  # letters under one frame

Sentence = list[str]


class Words:
    """A vocabulary by falling frequency, to draw from."""

    def __init__(self, counted: Sequence[tuple[str, int]]) -> None:
        self._words = [word for word, _ in counted]
        self._weights = list(itertools.accumulate(count for _, count in counted))

    def draw(self, chance: random.Random, count: int, subject: Sequence[str]) -> Sentence:
        """Draw words as often as they are used, a part of them from a subject."""
        words = chance.choices(self._words, cum_weights=self._weights, k=count)
        return [chance.choice(subject) if chance.random() < _SUBJECT_SHARE else word for word in words]

    def subject(self, chance: random.Random) -> list[str]:
        """Draw the words of a subject."""
        return chance.sample(self._words[_COMMON:], _SUBJECT_WORDS)


def english_words() -> Words:
    """Count the words of Python's own documentation."""
    counts = Counter(word.lower() for line in english() for word in re.findall(r"[A-Za-z]+", line))
    return Words(counts.most_common())


def chinese_words() -> Words:
    """Read jieba's dictionary."""
    lines = (Path(jieba.__file__).parent / "dict.txt").read_text(encoding="utf-8").splitlines()
    entries = [line.split(" ") for line in lines]
    counted = [(entry[0], int(entry[1])) for entry in entries if len(entry[0]) == 2 and int(entry[1]) >= 100]
    return Words(sorted(counted, key=lambda entry: -entry[1]))


class Writer:
    """Writes the documents, all from one source of chance."""

    def __init__(self, seed: int = 29) -> None:
        self._chance = random.Random(seed)
        self._english, self._chinese = english_words(), chinese_words()
        self._choose_subject()
        self._stock = [self._fresh(chinese=False) for _ in range(_STOCK)]
        self._stock_weights = list(itertools.accumulate(1 / (rank + 9) for rank in range(_STOCK)))

    def documents(self, count: int) -> Iterator[str]:
        """Texts of `count` documents, related ones near each other."""
        return itertools.islice(itertools.chain.from_iterable(self._families()), count)

    def versions(self, count: int) -> Iterator[str]:
        """Texts of `count` versions of one document, each edited at its own places."""
        text = self._text(300)
        return (text_of(self._edited(text, 0.05)) for _ in range(count))

    def _families(self) -> Iterator[list[str]]:
        """Endless groups of related texts, each group in one of the ways in which an office's documents are related."""
        ways = (
            (0.50, self._stranger), (0.20, self._versions), (0.09, self._copies), (0.02, self._fillings),
            (0.002, self._framed), (0.05, self._with_part), (0.10, self._note),
        )  # fmt: skip
        weights = list(itertools.accumulate(weight for weight, _ in ways))
        while True:
            (write,) = self._chance.choices([write for _, write in ways], cum_weights=weights)
            yield write()

    def _stranger(self) -> list[str]:
        return [text_of(self._text())]

    def _note(self) -> list[str]:
        return [text_of(self._text(self._chance.randint(8, 40)))]

    def _versions(self) -> list[str]:
        """A text and one to five later states, each edited from the one before."""
        states = [self._text()]
        for _ in range(min(5, 1 + int(self._chance.expovariate(0.8)))):
            states.append(self._edited(states[-1], self._chance.choice((0.02, 0.05, 0.1, 0.3))))
        return [text_of(state) for state in states]

    def _copies(self) -> list[str]:
        return [text_of(self._text())] * self._chance.choice((2, 2, 3, 5))

    def _fillings(self) -> list[str]:
        """A form of fixed sentences with three to twelve fields, filled in by several people."""
        form = self._text()
        fields = self._chance.sample(range(len(form)), min(len(form), self._chance.randint(3, 12)))
        letters = []
        for _ in range(self._chance.choice(_FORM_SIZES)):
            filled = [list(sentence) for sentence in form]
            for field in fields:
                filled[field][-2:] = self._fresh(chinese=False)[: self._chance.randint(1, 3)]
            letters.append(text_of(filled))
        return letters

    def _framed(self) -> list[str]:
        """Letters of unlike content between the same head and the same disclaimer."""
        head, foot = self._text(20), self._text(60)
        return [text_of([*head, *self._text(), *foot]) for _ in range(_FRAME_USERS)]

    def _with_part(self) -> list[str]:
        part = self._text()
        before, after = self._text(), self._text()
        return [text_of(part), text_of([*before, *part, *after])]

    def _edited(self, sentences: Sequence[Sentence], share: float) -> list[Sentence]:
        chinese = "一" <= sentences[0][0] <= "鿿"
        edited: list[Sentence] = []
        for sentence in sentences:
            way = self._chance.random() / share
            if way < 0.4:
                edited.append(self._fresh(chinese))
            elif way < 0.7:
                edited += [sentence, self._fresh(chinese)]
            elif way >= 1:
                edited.append(sentence)
        return edited or list(sentences)

    def _text(self, words: int | None = None) -> list[Sentence]:
        self._choose_subject()
        wanted = words or max(8, int(self._chance.lognormvariate(0, _SPREAD) * MEDIAN_WORDS))
        chinese = self._chance.random() < CHINESE_SHARE
        sentences: list[Sentence] = []
        while wanted > 0:
            if not chinese and self._chance.random() < _STOCK_SHARE:
                (sentence,) = self._chance.choices(self._stock, cum_weights=self._stock_weights)
            else:
                sentence = self._fresh(chinese)
            sentences.append(sentence)
            wanted -= len(sentence)
        return sentences

    def _choose_subject(self) -> None:
        """Begin to write about something else."""
        self._subjects = self._english.subject(self._chance), self._chinese.subject(self._chance)

    def _fresh(self, chinese: bool) -> Sentence:
        words = self._chinese if chinese else self._english
        return words.draw(self._chance, self._chance.randint(6, 22), self._subjects[chinese])


def text_of(sentences: Sequence[Sentence]) -> str:
    """The text with a line for every four sentences."""
    written = ["".join(words) + "。" if "一" <= words[0] <= "鿿" else " ".join(words).capitalize() + "."
               for words in sentences]  # fmt: skip
    return "\n".join(" ".join(written[start : start + 4]) for start in range(0, len(written), 4)) + "\n"
