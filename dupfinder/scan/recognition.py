"""Under which revision a reading is stored, so that what limits or recognition changed is read again, and that alone.

Pages without a text layer are recognised after all other files were read, by processes with time enough for it.
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
    """What a scan's readings are stored under.

    plain:      by the readers and the scheme alone. limited: what the limits cut short, which others may not.
    recognised: pages recognised in `languages`; both are "" where nothing is to be recognised.
    """

    plain: str
    limited: str
    recognised: str
    languages: str

    @classmethod
    def of(cls, request: ScanRequest, settings: Settings) -> Revisions:
        """Those of a request under the limits that the settings name."""
        plain = f"{request.scheme.id}-{READER_REVISION}"
        languages = request.ocr if request.ocr and ocr.is_available() else ""
        megabytes = memory_allowed(settings.integer(FILE_MEMORY) << 20) >> 20
        limited = f"{plain}-{settings.number(FILE_SECONDS):g}s-{megabytes}MB"
        return cls(plain, limited, f"{plain}-ocr-{languages}" if languages else "", languages)

    def of_row(self, row: DocumentRow, *, recognised: bool) -> str:
        """Where one reading belongs. Members of archives are known by their archive, whatever the limits."""
        if recognised:
            return self.recognised
        too_slow = any(detail.code is Clause.READ_PLAINLY_TOO_SLOW for detail in row.details)
        cut_short = row.partial or row.status in _CUT_SHORT or too_slow
        return self.limited if cut_short and row.archive is None else self.plain

    def known(self, library: Library) -> dict[bytes, Known]:
        """Path bytes -> what is known of it: what was recognised before what was only read, else the newest."""
        found = library.known(self.plain)
        for revision in filter(None, (self.limited, self.recognised)):
            for path, one in library.known(revision).items():
                other = found.get(path)
                if other is None or one.key == other.key or one.id > other.id:
                    found[path] = one if revision == self.recognised else _newest(one, other)
        return found

    def recognisable(self, status: str, media: str) -> bool:
        """Whether there is more to know of a file than that it has no text layer."""
        return bool(self.languages) and status == ProblemKind.NO_TEXT and media == MediaType.PDF

    def may_be_recognised(self, known: Known) -> bool:
        """The same of a file read before, unless it was looked at for that already."""
        return self.recognisable(known.status, known.media) and known.revision != self.recognised

    def task(self, task: ReadTask) -> ReadTask:
        """The same file, its pages recognised."""
        return replace(task, ocr=self.languages)


def _newest(one: Known, other: Known | None) -> Known:
    return one if other is None or one.id > other.id else other


def recognition_limits(settings: Settings) -> Limits:
    """What recognising one file may take: it spends its time in another program, page by page."""
    return Limits(
        seconds=OCR_SECONDS + settings.number(FILE_SECONDS),
        memory_bytes=settings.integer(FILE_MEMORY) << 20,
        patience=True,
        programs=(ocr.PROGRAM,),
    )
