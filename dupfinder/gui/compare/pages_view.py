"""The pages of two PDFs side by side, rendered outside the window's thread."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import OneJob
from dupfinder.library.rows import Documents
from dupfinder.processes.sandbox import Sandbox
from dupfinder.text.pdf.pdfium import PageImage, PageTask, render_page
from dupfinder.wording.catalogue import say

GAP: Final = 16
MOST_PICTURES: Final = 24  # pictures in memory; some 60 MB at usual sizes
RATIO: Final = 1.414  # height by width of a page before it is rendered: A4


@dataclass(frozen=True, slots=True)
class Pdf:
    """A document with pages to show."""

    path: Path
    pages: int

    @classmethod
    def of(cls, documents: Documents, row: int) -> Pdf | None:
        """Return a document with its pages; None without pages, or in an archive, where only its text is read."""
        pages = int(documents.pages[row]) if documents.media[row] == "pdf" and documents.archive[row] < 0 else 0
        return cls(documents.path(row), pages) if pages > 0 else None


class PagesView(QAbstractScrollArea):
    """Row i has page i of A and page i of B. Only visible pages are rendered; `moved` has the page at the top."""

    moved = Signal(int, int)  # page from 1, number of pages

    def __init__(self, drawing: Drawing, reader: PageReader | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self.reader = reader or PageReader(self)
        self._pair: tuple[Pdf, ...] = ()
        self._ratios: dict[tuple[Path, int], float] = {}
        self._pictures: OrderedDict[PageTask, QPixmap | None] = OrderedDict()
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(say("Pages of A and B"))
        self.reader.rendered.connect(self._rendered)
        self.verticalScrollBar().valueChanged.connect(self.emit_page)

    def show_pair(self, pair: tuple[Pdf, Pdf] | None) -> None:
        """Show two documents from their first pages."""
        self._pair = pair or ()
        self.verticalScrollBar().setValue(0)
        self._fit()
        self.viewport().update()

    def _page_width(self) -> float:
        return max(80.0, (self.viewport().width() - 3 * GAP) / 2)

    def _rows(self) -> int:
        return max((pdf.pages for pdf in self._pair), default=0)

    def _row_height(self, row: int) -> float:
        ratios = [self._ratios.get((pdf.path, row), RATIO) for pdf in self._pair if row < pdf.pages]
        return self._page_width() * max(ratios, default=RATIO) + GAP

    def _fit(self) -> None:
        height = sum(self._row_height(row) for row in range(self._rows())) + GAP
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, round(height - self.viewport().height())))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(40)
        self.emit_page()

    def _visible(self) -> list[tuple[int, float]]:
        """Return (row, top in the viewport) of the visible rows."""
        rows, top = [], GAP - float(self.verticalScrollBar().value())
        for row in range(self._rows()):
            if top >= self.viewport().height():
                break
            height = self._row_height(row)
            if top + height > 0:
                rows.append((row, top))
            top += height
        return rows

    def emit_page(self) -> None:
        """Emit `moved` with the page at the top."""
        seen = self._visible()
        if seen:
            self.moved.emit(seen[0][0] + 1, self._rows())

    def _task(self, pdf: Pdf, row: int) -> PageTask:
        return PageTask(pdf.path, row, round(self._page_width() * self.devicePixelRatioF()))

    def _ask(self) -> None:
        """Request the first visible page without a picture."""
        for row, _ in self._visible():
            for pdf in self._pair:
                if row < pdf.pages and self._task(pdf, row) not in self._pictures:
                    self.reader.read(self._task(pdf, row))
                    return

    def _rendered(self, task: PageTask, image: PageImage | None) -> None:
        picture = None
        if image is not None:
            shown = QImage(image.pixels, image.width, image.height, image.stride, QImage.Format.Format_RGB888)
            picture = QPixmap.fromImage(shown)
            self._ratios[(task.path, task.page)] = image.height / max(1, image.width)
        self._pictures[task] = picture
        if len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        self._fit()
        self.viewport().update()
        self._ask()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.fillRect(self.viewport().rect(), self._drawing.colour("window"))
        for row, top in self._visible():
            for side, pdf in enumerate(self._pair):
                if row < pdf.pages:
                    self._paint_page(painter, pdf, row, GAP + side * (self._page_width() + GAP), top)
        if self.hasFocus():
            painter.setPen(QPen(self._drawing.colour("accent"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))
        if not self.reader.is_busy:
            self._ask()

    def _paint_page(self, painter: QPainter, pdf: Pdf, row: int, left: float, top: float) -> None:
        width = self._page_width()
        box = QRectF(left, top, width, width * self._ratios.get((pdf.path, row), RATIO))
        task = self._task(pdf, row)
        picture = self._pictures.get(task)
        if picture is not None:
            self._pictures.move_to_end(task)
            painter.drawPixmap(box, picture, QRectF(picture.rect()))
        else:
            painter.fillRect(box, self._drawing.colour("surface"))
            is_lost = task in self._pictures
            text = say("This page cannot be shown") if is_lost else say("Page {page}", page=row + 1)
            align = Qt.AlignmentFlag.AlignHCenter
            self._drawing.text(painter, box, text, "secondary", "tertiary", align)
        self._drawing.outline(painter, box, "hairline", 0, 1)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: bar.maximum()}
        if (end := ends.get(Qt.Key(event.key()))) is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(end)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class PageReader(QObject):
    """Renders one page at a time in a process. Request the next page after `rendered`: it may be another by then."""

    rendered = Signal(object, object)  # PageTask, PageImage or None

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sandbox: Sandbox[PageTask, PageImage | None] | None = None
        self._job = OneJob()

    @property
    def is_busy(self) -> bool:
        """Whether a page is being rendered."""
        return self._job.is_running

    def read(self, task: PageTask) -> None:
        """Start to render a page, unless another is being rendered."""
        if self.is_busy:
            return
        sandbox = self._sandbox = self._sandbox or Sandbox(render_page, workers=1, files=lambda task: [task.path])

        def work(reporter: Reporter) -> tuple[PageTask, PageImage | None]:
            (outcome,) = sandbox.run([task], reporter.check)
            return task, outcome.value

        self._job.start(work, succeeded=lambda result: self.rendered.emit(*result))

    def close(self) -> None:
        self._job.give_up(wait=5000)
        if self._sandbox is not None:
            self._sandbox.close()
            self._sandbox = None
