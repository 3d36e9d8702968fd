"""The revisions under which readings are stored, which decide what is read again after limits or OCR settings changed.

Pages without a text layer are recognised after all other files were read, by processes with longer limits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dupfinder.base.details import Clause
from dupfinder.base.problems import ProblemKind
from dupfinder.base.settings import FILE_MEMORY, FILE_SECONDS, Settings
from dupfinder.library.library import Known, Library
from dupfinder.library.rows import DocumentRow
from dupfinder.processes.sandbox import Limits
from dupfinder.processes.worker import memory_allowed
from dupfinder.scan.reading import ReadTask
from dupfinder.scan.request import ScanRequest
from dupfinder.text.document import MediaType
from dupfinder.text.extract import OCR_SECONDS, READER_REVISION
from dupfinder.text.pdf import ocr

_CUT_SHORT = (ProblemKind.TOO_SLOW, ProblemKind.TOO_LARGE)


@dataclass(frozen=True, slots=True)
class Revisions:
    """The revisions of a scan's readings.

    plain:      depends on readers and scheme only. limited: of what the limits cut short, and other limits may not.
    recognised: of pages recognised in `languages`; both are "" if nothing is recognised.
    """

    plain: str
    limited: str
    recognised: str
    languages: str

    @classmethod
    def of(cls, request: ScanRequest, settings: Settings) -> Revisions:
        """Return the revisions of a request under the limits in the settings."""
        plain = f"{request.scheme.id}-{READER_REVISION}"
        languages = request.ocr if request.ocr and ocr.is_available() else ""
        megabytes = memory_allowed(settings.integer(FILE_MEMORY) << 20) >> 20
        limited = f"{plain}-{settings.number(FILE_SECONDS):g}s-{megabytes}MB"
        return cls(plain, limited, f"{plain}-ocr-{languages}" if languages else "", languages)

    def of_row(self, row: DocumentRow, *, recognised: bool) -> str:
        """Return the revision of one reading. Members of archives have the plain one, whatever the limits."""
        if recognised:
            return self.recognised
        too_slow = any(detail.code is Clause.READ_PLAINLY_TOO_SLOW for detail in row.details)
        cut_short = row.partial or row.status in _CUT_SHORT or too_slow
        return self.limited if cut_short and row.archive is None else self.plain

    def known(self, library: Library) -> dict[bytes, Known]:
        """Return what is known of each path (bytes): recognised readings first, else the newest."""
        known_files = library.known(self.plain)
        for revision in filter(None, (self.limited, self.recognised)):
            for path, candidate in library.known(revision).items():
                other = known_files.get(path)
                if other is None or candidate.key == other.key or candidate.id > other.id:
                    known_files[path] = candidate if revision == self.recognised else _newest(candidate, other)
        return known_files

    def recognisable(self, status: str, media: str) -> bool:
        """Tell whether recognition may find text in a file with this status and kind."""
        return bool(self.languages) and status == ProblemKind.NO_TEXT and media == MediaType.PDF

    def may_be_recognised(self, known: Known) -> bool:
        """Tell the same of a known file, unless it was recognised already."""
        return self.recognisable(known.status, known.media) and known.revision != self.recognised

    def task(self, task: ReadTask) -> ReadTask:
        """Return the task of recognising a file's pages."""
        return replace(task, ocr=self.languages)


def _newest(reading: Known, other: Known | None) -> Known:
    """Return the newer of two readings."""
    return reading if other is None or reading.id > other.id else other


def recognition_limits(settings: Settings) -> Limits:
    """Return the limits for recognising one file, which takes long, page by page, in another program."""
    return Limits(
        seconds=OCR_SECONDS + settings.number(FILE_SECONDS),
        memory_bytes=settings.integer(FILE_MEMORY) << 20,
        patience=True,
        programs=(ocr.PROGRAM,),
    )
