"""Every wrong argument is a TypeError, ValueError, IndexError or error of dupfinder, with a sentence that names it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dupfinder.api as dupfinder

TEXT = "the harbour of the old town was closed in winter"
NUMBERS = np.arange(10, dtype=np.uint64)
PRINT = dupfinder.fingerprint(TEXT)
OF_SHINGLES = dupfinder.Scheme(features="shingles", weights="tf")
SKETCH = dupfinder.sketch(TEXT)


def index_with(key: str) -> dupfinder.Index:
    index = dupfinder.Index()
    index.add(key, PRINT)
    return index


MISUSES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: dupfinder.fingerprint(b"text"), TypeError, "not bytes: decode them, or read the file by read()"),  # type: ignore[arg-type]
    (lambda: dupfinder.fingerprint(Path("a.txt")), TypeError, "not a path: read the file by read()"),  # type: ignore[arg-type]
    (lambda: dupfinder.fingerprint(None), TypeError, "a text is a str or a Document, not NoneType"),  # type: ignore[arg-type]
    (lambda: dupfinder.fingerprint([TEXT]), TypeError, "a text is a str or a Document, not list"),  # type: ignore[arg-type]
    (lambda: dupfinder.fingerprint(TEXT, 64), TypeError, "scheme is a Scheme, such as Scheme(bits=64), not int"),  # type: ignore[arg-type]
    (lambda: dupfinder.fingerprint(""), dupfinder.TooShort, "nothing to compare"),
    (lambda: dupfinder.fingerprint("of the 42"), dupfinder.TooShort, "nothing to compare"),
    (lambda: dupfinder.fingerprint_many(TEXT), TypeError, "texts is several texts, such as a list of them, not str"),
    (lambda: dupfinder.fingerprint_many([TEXT, 3]), TypeError, "not int"),  # type: ignore[list-item]
    (lambda: dupfinder.fingerprint_many(["1"])[0], dupfinder.TooShort, "row 0 has nothing to compare"),
    (lambda: dupfinder.fingerprint_many([TEXT])[1], IndexError, "row is -1 to 0, not 1"),
    (lambda: dupfinder.normalise(b"x"), TypeError, "a text is a str, not bytes"),  # type: ignore[arg-type]
    (lambda: dupfinder.Document.of_text(b"x"), TypeError, "files are read by read()"),  # type: ignore[arg-type]
    (lambda: dupfinder.learn(TEXT, "w.npz"), TypeError, "texts is several texts"),
    (lambda: dupfinder.learn([TEXT], "w.npz"), dupfinder.TooShort, "No word is in two of the texts"),
    (lambda: dupfinder.learn([TEXT, TEXT], "w.json"), ValueError, "ends in .npz"),
    (lambda: dupfinder.learn([TEXT, TEXT], "w.npz", OF_SHINGLES), ValueError, "weights are learned of words"),
    (lambda: dupfinder.simhash("word"), TypeError, "features is several features"),
    (lambda: dupfinder.simhash([1, 2]), TypeError, "a feature is a str, not int"),  # type: ignore[list-item]
    (lambda: dupfinder.simhash({"a": 0}), ValueError, "weight is 1 to"),
    (lambda: dupfinder.simhash({"a": 0.5}), TypeError, "weight is a whole number, not 0.5"),
    (lambda: dupfinder.simhash({"a": 2**53, "b": 1}), ValueError, "all weights together"),
    (lambda: dupfinder.simhash(["a"], bits=7), ValueError, "bits is 32, 64 or 128, not 7"),
    (lambda: dupfinder.simhash([]), dupfinder.TooShort, "no features"),
    (lambda: dupfinder.Fingerprint(1 << 64, 64, "mine"), ValueError, "value is 0 to"),
    (lambda: dupfinder.Fingerprint(-1, 64, "mine"), ValueError, "value is 0 to"),
    (lambda: dupfinder.Fingerprint(1, 63, "mine"), ValueError, "bits is 32, 64 or 128, not 63"),
    (lambda: dupfinder.Fingerprint(1, 64, 3), TypeError, "scheme is a str"),  # type: ignore[arg-type]
    (lambda: dupfinder.distance(1, 2), TypeError, "a Fingerprint is wanted, not int"),  # type: ignore[arg-type]
    (lambda: dupfinder.distance(PRINT, dupfinder.simhash(["a"])), dupfinder.MixedSchemes, "cannot be compared"),
    (lambda: dupfinder.sketch(TEXT, "minhash"), ValueError, "kind is one of all, min, mod, super, not 'minhash'"),
    (lambda: dupfinder.sketch(TEXT, size=0), ValueError, "size is at least 1, not 0"),
    (lambda: dupfinder.sketch(TEXT, modulus=0), ValueError, "modulus is at least 1, not 0"),
    (lambda: dupfinder.sketch(TEXT, "super", width=0), ValueError, "width is at least 1, not 0"),
    (lambda: dupfinder.sketch(TEXT, size=2.0), TypeError, "size is a whole number, not 2.0"),  # type: ignore[arg-type]
    (lambda: dupfinder.sketch("..."), dupfinder.TooShort, "no words"),
    (lambda: dupfinder.resemblance(SKETCH, TEXT), TypeError, "a Sketch is wanted, not str"),  # type: ignore[arg-type]
    (lambda: dupfinder.resemblance(SKETCH, dupfinder.sketch(TEXT, size=9)), dupfinder.MixedSchemes, "number=9;"),
    (lambda: dupfinder.containment(SKETCH, SKETCH), ValueError, "all or mod is wanted: 'min' does not tell this"),
    (lambda: dupfinder.is_candidate(SKETCH, PRINT), TypeError, "a Sketch is wanted, not Fingerprint"),  # type: ignore[arg-type]
    (lambda: dupfinder.compare(TEXT, TEXT, radius=-1), ValueError, "radius is 0 to 16, not -1"),
    (lambda: dupfinder.compare(TEXT, TEXT, radius=3.0), TypeError, "radius is a whole number, not 3.0"),  # type: ignore[arg-type]
    (lambda: dupfinder.compare(TEXT, TEXT, min_similarity=0.4), ValueError, "min_similarity is 0.5 to 1, not 0.4"),
    (lambda: dupfinder.compare(TEXT, TEXT, min_containment=70), ValueError, "min_containment is 0 to 1, not 70"),
    (lambda: dupfinder.compare(TEXT, TEXT, min_similarity="0.7"), TypeError, "is a number from 0 to 1"),  # type: ignore[arg-type]
    (lambda: dupfinder.compare(TEXT, "--"), dupfinder.TooShort, "no words"),
    (lambda: dupfinder.Index(radius=17), ValueError, "radius is 0 to 16, not 17"),
    (lambda: dupfinder.Index(radius=True), TypeError, "radius is a whole number, not True"),
    (lambda: dupfinder.Index(bits=7), ValueError, "bits is 32, 64 or 128, not 7"),
    (lambda: dupfinder.Index().add("a", 7), TypeError, "a Fingerprint is wanted, not int"),  # type: ignore[arg-type]
    (lambda: dupfinder.Index(bits=32).add("a", PRINT), ValueError, "for fingerprints of 32 bits, not 64"),
    (lambda: index_with("a").add("a", PRINT), ValueError, "the key 'a' is in the index already; remove it first"),
    (lambda: index_with("a").add("b", dupfinder.simhash(["a"])), dupfinder.MixedSchemes, "cannot be compared"),
    (lambda: index_with("a").query(dupfinder.simhash(["a"])), dupfinder.MixedSchemes, "cannot be compared"),
    (lambda: index_with("a").query(PRINT, 4), ValueError, "radius is 0 to 3, not 4"),
    (lambda: index_with("a").join(-1), ValueError, "radius is 0 to 3, not -1"),
    (lambda: index_with("a").remove("b"), KeyError, "the key 'b' is not in the index"),
    (lambda: dupfinder.SketchIndex(least=2), ValueError, "least is 0 to 1, not 2"),
    (lambda: dupfinder.SketchIndex(by="jaccard"), ValueError, "by is one of resemblance, containment, any"),
    (lambda: dupfinder.SketchIndex(most=1), ValueError, "most is at least 2, not 1"),
    (lambda: dupfinder.SketchIndex(by="containment").add("a", SKETCH), ValueError, "all or mod is wanted"),
    (lambda: dupfinder.SketchIndex().add("a", TEXT), TypeError, "a Sketch is wanted, not str"),  # type: ignore[arg-type]
    (lambda: dupfinder.SketchIndex().remove("a"), KeyError, "not in the index"),
    (lambda: dupfinder.join([1, 2]), TypeError, "a numpy array of fingerprints"),  # type: ignore[arg-type]
    (lambda: dupfinder.join(NUMBERS.astype(np.int64)), TypeError, "not int64 (10,)"),
    (lambda: dupfinder.join(NUMBERS.astype(float)), TypeError, "not float64 (10,)"),
    (lambda: dupfinder.join(NUMBERS.reshape(5, 2)[:, :1]), TypeError, "not uint64 (5, 1)"),
    (lambda: dupfinder.join(NUMBERS, radius=-1), ValueError, "radius is 0 to 16, not -1"),
    (lambda: dupfinder.join(NUMBERS, radius=17), ValueError, "radius is 0 to 16, not 17"),
    (lambda: dupfinder.join(NUMBERS, design="5"), ValueError, "no design is called 5"),
    (lambda: dupfinder.join(NUMBERS, design=5), TypeError, "design is a name"),  # type: ignore[arg-type]
    (lambda: dupfinder.join(NUMBERS, radius=9, design="4"), ValueError, "a radius of at most 3"),
    (lambda: dupfinder.join(NUMBERS, method="magic"), ValueError, "method is one of tables, brute"),
    (lambda: dupfinder.join(NUMBERS, method="brute", most=3), ValueError, "belong to method 'tables'"),
    (lambda: dupfinder.join(NUMBERS, most=3), dupfinder.DupfinderError, "More than 3 pairs lie within 3 bits"),
    (lambda: dupfinder.Tables([1], 3), TypeError, "a numpy array"),  # type: ignore[arg-type]
    (lambda: dupfinder.Tables(NUMBERS, search="linear"), ValueError, "search is one of direct, binary, interpolation"),
    (lambda: dupfinder.Tables(NUMBERS, design="20", search="direct"), ValueError, "at most 20 bits"),
    (lambda: dupfinder.Tables(NUMBERS).query(-1), ValueError, "fingerprint is 0 to"),
    (lambda: dupfinder.Tables(NUMBERS).query(1 << 64), ValueError, f"fingerprint is 0 to {2**64 - 1}"),
    (lambda: dupfinder.Tables(NUMBERS).query("ff"), TypeError, "fingerprint is a whole number, not str 'ff'"),  # type: ignore[arg-type]
    (lambda: dupfinder.Tables(NUMBERS).query(1, 4), ValueError, "radius is 0 to 3, not 4"),
    (lambda: dupfinder.Tables(NUMBERS).query_many([1]), TypeError, "a numpy array"),  # type: ignore[arg-type]
    (lambda: dupfinder.Tables(NUMBERS.astype(np.uint32)).query(PRINT), ValueError, "fingerprints of 32 bits"),
    (lambda: dupfinder.find(NUMBERS, 1, method="index"), ValueError, "method is one of tables, pigeonhole"),
    (lambda: dupfinder.find(NUMBERS, 1, 5, method="variants"), ValueError, "a radius of at most 4"),
    (lambda: dupfinder.batch(NUMBERS, NUMBERS, workers=0), ValueError, "workers is 1 to 64, not 0"),
    (lambda: dupfinder.batch(NUMBERS, NUMBERS, cluster=8786), TypeError, "address of a scheduler"),  # type: ignore[arg-type]
    (lambda: dupfinder.batch(NUMBERS, [[1, 2]]), TypeError, "old is a numpy array"),  # type: ignore[list-item]
    (lambda: dupfinder.batch(NUMBERS, NUMBERS.astype(np.uint32)), ValueError, "different widths"),
    (lambda: dupfinder.batch(NUMBERS, ["gone.npy"]), dupfinder.DupfinderError, "cannot be used: it is not there"),
    (lambda: dupfinder.write_index("x", NUMBERS.reshape(5, 2)), ValueError, "32 or 64 bits, not 128"),
    (lambda: dupfinder.write_index("x", NUMBERS, coding="zip"), ValueError, "coding is one of xor, difference"),
    (lambda: dupfinder.write_index(".", NUMBERS), dupfinder.DupfinderError, ". cannot be used: it exists already"),
    (lambda: dupfinder.open_index("gone"), dupfinder.DupfinderError, "gone cannot be used: it is not an index"),
    (lambda: dupfinder.write_index("x", NUMBERS, paths=["a"]), ValueError, "there are 1 paths for 10 fingerprints"),
    (lambda: dupfinder.write_index("x", NUMBERS, paths="a"), TypeError, "paths is several paths"),
    (lambda: dupfinder.write_index("x", dupfinder.fingerprint_many(["1"])), ValueError, "row 0 has no words"),
    (lambda: dupfinder.plan_query(NUMBERS, queries=0), ValueError, "queries is at least 1, not 0"),
    (lambda: dupfinder.plan_join([1]), TypeError, "fingerprints is a numpy array"),  # type: ignore[arg-type]
    (lambda: dupfinder.read(7), TypeError, "path is the path of a file, not 7"),  # type: ignore[arg-type]
    (lambda: dupfinder.read(""), ValueError, "path cannot be ''"),
    (lambda: dupfinder.read("a\0b"), ValueError, "path cannot be"),
    (lambda: dupfinder.read_many("a.txt"), TypeError, "paths is several paths"),
    (lambda: dupfinder.read_many(["a"], workers=-1), ValueError, "workers is 0 to 64, not -1"),
    (lambda: dupfinder.open_library("gone.db"), dupfinder.DupfinderError, "There is no finished scan in gone.db"),
    (lambda: dupfinder.open_library(7), TypeError, "path is the path of a file, not 7"),  # type: ignore[arg-type]
    (lambda: dupfinder.scan([], "l.db"), ValueError, "folders is empty"),
    (lambda: dupfinder.scan(7, "l.db"), TypeError, "folders is several folders"),  # type: ignore[arg-type]
    (lambda: dupfinder.scan("gone", "l.db"), dupfinder.DupfinderError, "is not there. Nothing was scanned"),
    (lambda: dupfinder.scan(".", "l.db", protect="x"), TypeError, "protect is several folders"),
    (lambda: dupfinder.scan(".", "l.db", radius=20), ValueError, "radius is 0 to 16, not 20"),
    (lambda: dupfinder.scan(".", "l.db", workers=99), ValueError, "workers is 0 to 64, not 99"),
    (lambda: dupfinder.sentence(ValueError("x")), TypeError, "an error of dupfinder is wanted"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("place", range(len(MISUSES)))
def test_a_wrong_argument_is_told_in_a_sentence(place: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    act, kind, words = MISUSES[place]
    with pytest.raises(kind) as refusal:
        act()
    error = refusal.value
    lines = [*map(str, error.args), *getattr(error, "__notes__", ())]
    assert any(words in line for line in lines), lines
    if isinstance(error, dupfinder.DupfinderError):
        assert words in dupfinder.sentence(error)
    assert list(tmp_path.iterdir()) == []


def test_fingerprints_can_be_gone_through_to_their_end() -> None:
    fingerprints = dupfinder.fingerprint_many([TEXT, f"{TEXT} for ships"])
    assert [str(fingerprint) for fingerprint in fingerprints] == [str(fingerprints[0]), str(fingerprints[-1])]  # type: ignore[attr-defined]


def test_an_index_on_disk_says_what_is_wrong_and_stays_as_it_was(tmp_path: Path) -> None:
    dupfinder.write_index(tmp_path / "index", dupfinder.fingerprint_many(["harbour closed", "barley soup"]))
    other = dupfinder.Scheme(weights="tf")
    with dupfinder.open_index(tmp_path / "index") as index:
        for call, kind, words in (
            (lambda: index.remove([0, 9]), KeyError, "the row 9 is not in the index"),
            (lambda: index.remove(paths=["a"]), KeyError, "the path 'a' is not in the index"),
            (lambda: index.remove([-1]), ValueError, "row is at least 0, not -1"),
            (lambda: index.paths([2]), KeyError, "the row 2 is not in the index"),
            (lambda: index.query(1, 4), ValueError, "radius is 0 to 3, not 4"),
            (lambda: index.query(dupfinder.fingerprint("soup", other)), dupfinder.MixedSchemes, "weights=tf."),
            (lambda: index.add(NUMBERS.astype(np.uint32)), ValueError, "fingerprints of 64 bits, not 32"),
            (lambda: index.add(dupfinder.fingerprint_many(["soup"], other)), dupfinder.MixedSchemes, "weights=tf."),
            (lambda: index.add(NUMBERS[:1], ["a\0b"]), ValueError, "a path holds no zero byte"),
        ):
            with pytest.raises(kind) as caught:
                call()
            assert words in str(caught.value)
        assert len(index) == 2
