"""Documents: read in separate processes, whose failure does no harm; and the normal form of texts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path

from dupfinder.api import checks
from dupfinder.base.display import shown
from dupfinder.base.errors import DupfinderError
from dupfinder.base.paths import as_scanned
from dupfinder.fingerprint.language import simplified
from dupfinder.scan.reading import read_texts
from dupfinder.text import normalise as normal_form
from dupfinder.text.document import Extracted, MediaType, ReadResult
from dupfinder.text.extract import of_text
from dupfinder.wording.details import clauses
from dupfinder.wording.errors import problem_sentence


@dataclass(frozen=True, slots=True)
class Document:
    """The content of a file.

    text:    the text that is compared: body, foot- and endnotes; paragraphs end in a newline.
    path:    of the file; None for a text given to `of_text`.
    kind:    "pdf", "docx", "txt", ...
    pages:   None for kinds without pages.
    partial: reading ended before the document did; such a document is never equal to another.
    notes:   clauses on how it was read.
    extracted: everything else that the reader extracted; not part of the interface.
    """

    text: str
    path: Path | None = None
    kind: str = MediaType.TEXT.value
    title: str = ""
    author: str = ""
    pages: int | None = None
    partial: bool = False
    notes: tuple[str, ...] = ()
    extracted: Extracted = field(kw_only=True, repr=False, compare=False)

    @classmethod
    def of_text(cls, text: str) -> Document:
        """Return a document with this text and nothing beside its signs. Raises TypeError for anything but a str."""
        if not isinstance(text, str):
            raise TypeError(f"a text is a str, not {type(text).__name__}; files are read by read()")
        return cls(text, extracted=of_text(text))


class NotRead(DupfinderError):
    """A file that could not be read. path: of the file. kind: "encrypted" and so on, as `status` in the JSON report."""

    def __init__(self, path: Path, kind: str, sentence: str) -> None:
        super().__init__(f"{shown(path)}: {sentence}")
        self.path = path
        self.kind = kind


def normalise(text: str, *, simplify: bool = False) -> str:
    """Return a text in the form in which it is compared: NFKC, case folded, single spaces, no invisible characters.

    simplify: also convert Traditional Chinese to Simplified. Normalising twice changes nothing. Raises TypeError for
    anything but a str.

    >>> normalise("The  Harbour\\n was closed")
    'the harbour was closed'
    """
    if not isinstance(text, str):
        raise TypeError(f"a text is a str, not {type(text).__name__}")
    normalised = normal_form.normalise(text)
    return simplified(normalised) if simplify else normalised


def read(path: str | os.PathLike[str]) -> Document:
    """Read one document, of any kind that a scan reads, in a separate process with limits of time and memory.

    A member of an archive is named below it, as in "old.zip/letter.txt". Raises NotRead. For several documents
    `read_many` is faster: it starts its processes once.
    """
    (answer,) = read_many([path], workers=1)
    if isinstance(answer, NotRead):
        raise answer
    return answer


def read_many(paths: Iterable[str | os.PathLike[str]], *, workers: int = 0) -> Iterator[Document | NotRead]:
    """Read several documents as `read` does. Yield each Document, or the NotRead that says why not, when it is done.

    workers: reading processes; 0: one for each core, eight at most. Results come in any order; each has its `path`.
    """
    named = [as_scanned(checks.path_of("path", path)) for path in checks.many("paths", paths, "paths")]
    count = checks.whole_number("workers", workers, 0, 64) or min(8, os.cpu_count() or 1)
    return starmap(_document, read_texts(named, min(count, max(1, len(named)))))


def _document(path: Path, extraction: ReadResult) -> Document | NotRead:
    extracted, problem = extraction.extracted, extraction.problem
    if extracted is None:
        assert problem is not None
        return NotRead(path, problem.kind.value, problem_sentence(problem.kind, problem.details))
    return Document(
        extracted.text, path, extracted.media_type.value, extracted.title, extracted.author, extracted.pages,
        extracted.partial, tuple(clauses((note,)) for note in extracted.notes), extracted=extracted,
    )  # fmt: skip


def document_of(text: object) -> Document:
    """Return a text or a document as a document. Raises TypeError, with what to do, for anything else."""
    if isinstance(text, Document):
        return text
    if isinstance(text, str):
        return Document.of_text(text)
    if isinstance(text, bytes | bytearray | memoryview):
        raise TypeError("a text is a str or a Document, not bytes: decode them, or read the file by read()")
    if isinstance(text, os.PathLike):
        raise TypeError("a text is a str or a Document, not a path: read the file by read()")
    raise TypeError(f"a text is a str or a Document, not {type(text).__name__}")
