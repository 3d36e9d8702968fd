"""Renders pages of PDFs off the window's thread, one after the other."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.jobs import Job
from dupfinder.processes.sandbox import Sandbox
from dupfinder.text.pdf.page_image import PageImage, PageTask, render_page


def _file_of(task: PageTask) -> tuple[Path]:
    return (task.path,)


class PageReader(QObject):
    """One reading process and one page in hand. Ask again when a page was told: what is wanted may have changed."""

    rendered = Signal(object, object)  # PageTask, PageImage or None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sandbox: Sandbox[PageTask, PageImage | None] | None = None
        self._job: Job | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a page is in hand."""
        return self._job is not None

    def read(self, task: PageTask) -> None:
        """Render a page, unless one is in hand."""
        if self._job is not None:
            return
        sandbox = self._sandbox = self._sandbox or Sandbox(render_page, workers=1, files=_file_of)

        def work(reporter: Reporter) -> tuple[PageTask, PageImage | None]:
            (done,) = sandbox.run([task], reporter.check)
            return task, done.value

        self._job = Job(work)
        self._job.succeeded.connect(self._ended)
        self._job.failed.connect(self._dropped)
        self._job.stopped.connect(self._dropped)
        self._job.start()

    def close(self) -> None:
        """End the process."""
        if self._job is not None:
            self._job.succeeded.disconnect(self._ended)
            self._job.stop()
            self._job.wait(5000)
            self._job = None
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None

    @Slot(object)
    def _ended(self, told: tuple[PageTask, PageImage | None]) -> None:
        self._job = None
        self.rendered.emit(*told)

    def _dropped(self, *_error: object) -> None:
        self._job = None
