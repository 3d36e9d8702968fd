"""Tokens of a normalised text: words and single CJK characters, as spans of its UTF-8 bytes in arrays; and its trace.

Shingles are made of words without the accents of Latin letters, so that a text that lost its accents, in an old mail or
on a page read by a machine, is found beside the text that has them; in a trace these are other words, which are alike.

The class of each code point decides where tokens begin and end. A trace holds the words of a text in their order, as
16-bit codes, by which texts are aligned without reading them again. The lowest bit of a code says whether the word is a
number, a date or an amount; the next two are set for single characters alone, of a script that sets no spaces between
words, say. The others are bits of the word's hash; but in words of letters, four bits are a hash of the first three
letters and four a hash of the last three, so that a misread or misspelt word is recognised by the end that is right.
Many words share each code, so a trace shows which words two texts have in common, but not the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from dupfinder.base.columns import positions_in, starts_of
from dupfinder.base.paths import resource
from dupfinder.fingerprint.hashing import Hashes, HashMemo, Offsets, Utf8, hash_spans, without_accents, xxh3

SHIPPED = "weights/character_classes.npz"

BREAK = 0  # separates words: space, punctuation, symbols
LETTER = 1  # letters and marks of scripts that separate words
DIGIT = 2  # decimal and other numbers; letters and digits side by side form one word
# Each character is a word: kana, Han outside the dictionary's range, Thai, Lao, Khmer, Myanmar, Tibetan. So are Korean
# syllables, since programs differ in where they put Korean spaces, and letters of Indic scripts, since PDFs have spaces
# between the letters of Indic words, whose shapes overlap.
CHARACTER = 3
HAN = 4  # each character is a word for shingles; for features, runs of Han are segmented by dictionary
MARK = 5  # a vowel or other mark of an Indic script: it belongs to the letter before it

# jieba's dictionary covers this range; it returns other characters one by one (jieba/__init__.py).
HAN_FIRST, HAN_LAST = 0x4E00, 0x9FD5


@cache
def class_table() -> NDArray[np.uint8]:
    """Return the class of every code point: uint8 (0x110000,), read-only.

    The shipped table follows Unicode 14, so a text has the same tokens under every version of Python.
    """
    with np.load(resource(SHIPPED), allow_pickle=False) as runs:
        classes = np.repeat(runs["classes"], runs["lengths"])
    classes.flags.writeable = False
    return np.asarray(classes, dtype=np.uint8)


CHUNK = 1 << 17  # characters handled together: bounds memory for long texts, and fits the processor's cache
_LONGEST_TOKEN = 4096  # characters searched backwards for a word break to cut at


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of some texts: words and numbers, or single characters in scripts without spaces between words.

    text:   the UTF-8 bytes the spans point into: the texts, a line end between them.
    bounds: int64 (t + 1,): the tokens of text i are those from bounds[i] up to bounds[i + 1].
    starts, ends: int64 (n,), offsets of bytes.
    hashes: uint64 (n,), XXH3 of each token.
    plain:  uint64 (n,), XXH3 of each token without the accents of Latin letters.
    classes: uint8 (n,): of the first character (any but `BREAK`).
    han:    the runs of Han as one string, "\\n" between them; "" if there are none. A space inside a run is left out:
            it marks a line end of a page.
    inside: bool: which bytes of the text are in tokens.
    """

    text: Utf8
    bounds: Offsets
    starts: Offsets
    ends: Offsets
    hashes: Hashes
    plain: Hashes
    classes: NDArray[np.uint8]
    han: str
    inside: NDArray[np.bool_]

    def joined_bytes(self) -> bytes:
        """Return the bytes of all tokens, concatenated without what separates them."""
        return (np.frombuffer(self.text.data, np.uint8) * self.inside).tobytes().translate(None, b"\0")

    def strings(self) -> list[str]:
        data = self.text.data
        return [data[start:end].decode() for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def tokens_of(texts: Sequence[str], memo: HashMemo | None = None) -> Tokens:
    """Return the tokens of normalised texts, or of chunks of texts. A memo caches the hashes of words."""
    encoded = [text.encode("utf-8", "surrogatepass") for text in texts]
    data = b"\n".join(encoded)
    classes = np.frombuffer(bytearray(data).translate(class_table()[:256].tobytes()), dtype=np.uint8)
    other_classes = np.empty(0, np.uint8) if data.isascii() else _add_classes_beyond_ascii(classes, data)
    inside = np.zeros(len(classes) + 2, dtype=np.bool_)
    np.not_equal(classes, BREAK, out=inside[1:-1])
    edges = (inside[1:] != inside[:-1]).nonzero()[0]
    starts, ends = _spans(classes, data) if (other_classes >= CHARACTER).any() else (edges[::2], edges[1::2])
    text = Utf8(data)
    hashes, plain = (hash_spans if memo is None else memo.hashes_of)(text, starts, ends)
    return Tokens(
        text=text,
        bounds=np.searchsorted(starts, starts_of([len(text) + 1 for text in encoded])),
        starts=starts,
        ends=ends,
        hashes=hashes,
        plain=plain,
        classes=classes[starts],
        han=_han_runs(data, classes) if (other_classes == HAN).any() else "",
        inside=inside[1:-1],
    )


@cache
def _plain_points() -> NDArray[np.uint32]:
    """Return the code point without an accent of each of the first 0x1F00: uint32 (0x1F00,)."""
    plain = np.arange(0x1F00, dtype=np.uint32)
    for point, form in without_accents().items():
        plain[point] = ord(form[0]) if form else point
    return plain


def batches(texts: Sequence[str]) -> Iterator[list[tuple[int, str]]]:
    """Yield (number of a text, chunk of it) in batches of about CHUNK characters, the chunks of each in their order."""
    batch: list[tuple[int, str]] = []
    room = CHUNK
    for number, text in enumerate(texts):
        for chunk in chunks(text):
            if batch and len(chunk) > room:
                yield batch
                batch, room = [], CHUNK
            batch.append((number, chunk))
            room -= len(chunk)
    if batch:
        yield batch


def chunks(text: str) -> Iterator[str]:
    """Yield the text in chunks of at most CHUNK characters, cut between words. Words over 4,096 letters may be cut."""
    start = 0
    while len(text) - start > CHUNK:
        stop = start + CHUNK
        classes = class_table()[_code_points(text[max(start, stop - _LONGEST_TOKEN) : stop])]
        breaks = np.flatnonzero(classes == BREAK)
        if len(breaks):
            stop -= len(classes) - 1 - int(breaks[-1])
        yield text[start:stop]
        start = stop
    yield text[start:]


def _code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text, lone surrogates included: uint32 (n,)."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")


def _add_classes_beyond_ascii(classes: NDArray[np.uint8], data: bytes) -> NDArray[np.uint8]:
    """Fill in the classes of the bytes in UTF-8 beyond ASCII, and return the class of each of these characters.

    classes: uint8 (len(data),), of each byte's character.
    """
    characters = data.translate(None, bytes(range(0x80))).decode("utf-8", "surrogatepass")
    points = _code_points(characters)
    beyond = class_table().take(points)
    sizes = (points > 0x7FF).view(np.uint8) + np.uint8(2)  # bytes of each character in UTF-8
    sizes += points > 0xFFFF
    classes[np.frombuffer(data, dtype=np.int8) < 0] = np.repeat(beyond, sizes)
    return beyond


def _spans(classes: NDArray[np.uint8], data: bytes) -> tuple[Offsets, Offsets]:
    """Return the starts and ends of tokens: words, and single characters with their marks.

    classes: of each byte's character.
    """
    group = np.zeros(len(classes) + 2, dtype=np.uint8)
    np.copyto(group[1:-1], classes)
    group[group == DIGIT] = LETTER
    group[group == MARK] = CHARACTER
    edges = group[1:] != group[:-1]
    edges[:-1] |= ((classes == CHARACTER) | (classes == HAN)) & _is_first(data)
    return (edges[:-1] & (classes != BREAK)).nonzero()[0], (edges[1:] & (classes != BREAK)).nonzero()[0] + 1


def _is_first(data: bytes) -> NDArray[np.bool_]:
    """Return which bytes in UTF-8 are the first of a character: bool (len(data),)."""
    return np.frombuffer(data, dtype=np.int8) >= -0x40


def _han_runs(data: bytes, classes: NDArray[np.uint8]) -> str:
    """Return the runs of Han as one string; see `Tokens`. classes: of each byte's character."""
    points, inside = _code_points(data.decode("utf-8", "surrogatepass")), classes[_is_first(data)] == HAN
    run_ends = np.zeros(len(points), dtype=np.bool_)
    run_ends[1:] = inside[:-1] & ~inside[1:]
    spaces = run_ends[:-1] & inside[1:] & (points[:-1] == ord(" "))
    run_ends[:-1] &= ~spaces
    runs = np.where(inside, points, np.uint32(ord("\n")))[inside | run_ends]
    return str(runs.tobytes(), "utf-32-le").removesuffix("\n")


Trace = NDArray[np.uint16]

MOST_TRACED: Final = 1 << 19  # words, of a long manual; longer texts are compared by their sketches only
NUMBER_BIT: Final = np.uint16(1)  # the bit of numbers
SINGLE: Final = np.uint16(6)  # the bits of single characters, several of which make a word; words never have both
BEGINNING, ENDING = np.uint16(0xF000), np.uint16(0x0F00)  # the bits of the first and of the last letters of a word
_SPREAD: Final = np.uint32(0x9E3779B1)  # odd, by the golden ratio
_ENDS: Final = 3  # letters at each end; with one letter in ten misread, 92 % of all words have an end without errors

NUMBER_CHARACTERS: Final = frozenset("0123456789零〇一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟两年月日元")


@cache
def number_words() -> frozenset[str]:
    """Return the words without digits that state a quantity or a date, in the form of `text.normalise.normalise`."""
    lines = resource("number_words.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(word for line in lines if not line.startswith("#") for word in line.split())


def trace_of(tokens: Tokens) -> Trace:
    """Return the codes of the tokens of a text, or of a chunk of a text: uint16 (n,)."""
    codes = (tokens.hashes >> np.uint64(48)).astype(np.uint16) & ~NUMBER_BIT
    numbers = tokens.classes == DIGIT
    known, may_be_known = _number_hashes()
    rows = may_be_known[codes >> np.uint16(1)].nonzero()[0]  # few: fifteen bits rule out most other words
    numbers[rows] |= positions_in(known, tokens.hashes[rows])[1]
    words = ((tokens.classes == LETTER) & ~numbers).nonzero()[0]
    codes[words] &= ~(BEGINNING | ENDING)
    codes[words] |= _codes_of_ends(tokens, words)
    codes[are_single(codes)] &= ~SINGLE
    codes |= (tokens.classes >= CHARACTER) * SINGLE
    codes |= numbers  # NUMBER_BIT is the lowest bit, 1 as True
    return codes


def _codes_of_ends(tokens: Tokens, words: NDArray[np.intp]) -> Trace:
    """Return the bits BEGINNING and ENDING of some of the tokens: uint16 (n,)."""
    data, starts, ends = tokens.text.data, tokens.starts[words], tokens.ends[words]
    points: NDArray[np.unsignedinteger[Any]] = np.frombuffer(data, np.uint8)
    if not data.isascii():
        number = np.concatenate(([0], np.cumsum(_is_first(data))))  # of the character at each byte
        points, starts, ends = _code_points(data.decode("utf-8", "surrogatepass")), number[starts], number[ends]
        plain = _plain_points()
        points = np.where(points < len(plain), plain.take(points, mode="clip"), points)
    first, last = np.zeros((2, len(words)), np.uint32)
    for position in range(_ENDS):
        inside = starts + position < ends
        first = first * _SPREAD + points[np.where(inside, starts + position, starts)] * inside
        last = last * _SPREAD + points[np.where(inside, ends - 1 - position, starts)] * inside
    codes = first * _SPREAD >> np.uint32(28) << np.uint32(12) | last * _SPREAD >> np.uint32(28) << np.uint32(8)
    return codes.astype(np.uint16)


def in_a_row(trace: Trace, codes: Trace) -> NDArray[np.intp]:
    """Return where the words with `codes` (at least one) follow each other: ascending positions of the first."""
    starts: NDArray[np.intp] = (trace[: max(0, len(trace) - len(codes) + 1)] == codes[0]).nonzero()[0]
    for offset, code in enumerate(codes[1:], 1):
        starts = starts[trace[starts + offset] == code]
    return starts


def are_single(trace: Trace) -> NDArray[np.bool_]:
    """Tell which tokens are single characters, several of which make a word: bool (n,)."""
    single: NDArray[np.bool_] = (trace & SINGLE) == SINGLE
    return single


def are_alike(left: Trace, right: Trace) -> NDArray[np.bool_]:
    """Tell which words may be the same word, misread or misspelt in one text: bool (n,).

    About one in eight pairs of unrelated words is alike by chance.
    """
    differ = left ^ right
    alike: NDArray[np.bool_] = ((differ & BEGINNING) == 0) | ((differ & ENDING) == 0)
    alike &= (left | right) & NUMBER_BIT == 0
    return alike


@cache
def _number_hashes() -> tuple[Hashes, NDArray[np.bool_]]:
    """Return the hashes of all number words, and for each value of fifteen leading bits whether one of them has it.

    uint64 (m,), ascending, and bool (32768,).
    """
    words = sorted(number_words() | NUMBER_CHARACTERS)
    hashes = np.sort(np.array([xxh3(word.encode()) for word in words], np.uint64))
    begins = np.zeros(1 << 15, dtype=np.bool_)
    begins[(hashes >> np.uint64(49)).astype(np.intp)] = True
    return hashes, begins
