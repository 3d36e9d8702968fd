"""The pages of two PDFs side by side, rendered outside the window's thread."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QRectF, Qt, Signal
from PySide6.QtGui import QImage, QKeyEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from dupfinder.base.progress import Reporter
from dupfinder.gui.kit.drawing import Drawing
from dupfinder.gui.kit.jobs import OneJob, close_after
from dupfinder.library.rows import Documents
from dupfinder.processes.sandbox import Sandbox
from dupfinder.text.pdf.pdfium import PageImage, PageTask, render_page
from dupfinder.wording.catalogue import say

GAP: Final = 16
MOST_PICTURES: Final = 24  # pictures in memory; some 60 MB at usual sizes
RATIO: Final = 1.414  # height by width of a page before it is rendered: A4
ZOOM_STEP: Final = 1.25
MOST_ZOOM: Final = 4.0
MOST_WIDTH: Final = 2400  # px of a picture, 290 to the inch of A4: larger pages are painted from it


@dataclass(frozen=True, slots=True)
class PagedDocument:
    """A document with pages to show."""

    path: Path
    pages: int

    @classmethod
    def of(cls, documents: Documents, row: int) -> PagedDocument | None:
        """Return a document with its pages; None without pages, or in an archive, where only its text is read."""
        pages = int(documents.pages[row]) if documents.media[row] == "pdf" and documents.archive[row] < 0 else 0
        return cls(documents.path(row), pages) if pages > 0 else None


class PagesView(QAbstractScrollArea):
    """Row i shows page i of A and page i of B. Only visible pages are rendered; `moved` tells the page at the top.

    Plus, minus and zero, and the wheel with Ctrl, change the size of both pages.
    """

    moved = Signal(int, int)  # page from 1, number of pages

    def __init__(self, drawing: Drawing, reader: PageReader | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drawing = drawing
        self.reader = reader or PageReader(self)
        self._pair: tuple[PagedDocument, ...] = ()
        self._ratios: dict[tuple[Path, int], float] = {}
        self._pictures: OrderedDict[PageTask, QPixmap | None] = OrderedDict()
        self._zoom = 1.0  # 1: a page is as wide as its half of the view
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(say("Pages of A and B"))
        self.reader.rendered.connect(self._rendered)
        self.verticalScrollBar().valueChanged.connect(self.emit_page)
        self.horizontalScrollBar().valueChanged.connect(self.viewport().update)

    def show_pair(self, pair: tuple[PagedDocument, PagedDocument] | None) -> None:
        """Show two documents from their first pages."""
        self._pair = pair or ()
        self.verticalScrollBar().setValue(0)
        self._fit()
        self.viewport().update()

    def _side_width(self) -> float:
        return max(80.0, (self.viewport().width() - 3 * GAP) / 2)

    def _page_width(self) -> float:
        return self._side_width() * self._zoom

    def zoom_to(self, zoom: float) -> None:
        """Change the size of the pages; what is in the middle stays there."""
        bars = self.verticalScrollBar(), self.horizontalScrollBar()
        middles = [(bar.value() + bar.pageStep() / 2) / self._zoom for bar in bars]
        self._zoom = min(max(1.0, zoom), MOST_ZOOM)
        self._fit()
        for bar, middle in zip(bars, middles, strict=True):
            bar.setValue(round(middle * self._zoom - bar.pageStep() / 2))
        self.viewport().update()

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
        beside = self.horizontalScrollBar()
        beside.setRange(0, round(self._page_width() - self._side_width()))
        beside.setPageStep(round(self._side_width()))
        beside.setSingleStep(40)
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

    def _task(self, pdf: PagedDocument, row: int) -> PageTask:
        return PageTask(pdf.path, row, min(MOST_WIDTH, round(self._page_width() * self.devicePixelRatioF())))

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
        # With fewer than are seen, these would be rendered in turns for ever.
        seen = len(self._pair) * len(self._visible())
        while len(self._pictures) > max(4, seen, MOST_PICTURES / self._zoom**2):
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
                    self._paint_page(painter, pdf, row, GAP + side * (self._side_width() + GAP), top)
        if self.hasFocus():
            painter.setPen(QPen(self._drawing.colour("accent"), 2))
            painter.drawRect(QRectF(self.viewport().rect()).adjusted(1, 1, -1, -1))
        if not self.reader.is_busy:
            self._ask()

    def _paint_page(self, painter: QPainter, pdf: PagedDocument, row: int, left: float, top: float) -> None:
        width = self._page_width()
        height = width * self._ratios.get((pdf.path, row), RATIO)
        box = QRectF(left - self.horizontalScrollBar().value(), top, width, height)
        painter.setClipRect(QRectF(left - 1, top - 1, self._side_width() + 2, height + 2))
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
        painter.setClipping(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar, key = self.verticalScrollBar(), Qt.Key(event.key())
        larger, smaller = self._zoom * ZOOM_STEP, self._zoom / ZOOM_STEP
        ends = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: bar.maximum()}
        zooms = {Qt.Key.Key_Plus: larger, Qt.Key.Key_Equal: larger, Qt.Key.Key_Minus: smaller, Qt.Key.Key_0: 1.0}
        if key in ends:
            bar.setValue(ends[key])
        elif key in zooms:
            self.zoom_to(zooms[key])
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_to(self._zoom * ZOOM_STEP ** (event.angleDelta().y() / 120))
        else:
            super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class PageReader(QObject):
    """Renders one page at a time in a process. Request the next after `rendered`: others may be visible by then."""

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
        if self._sandbox is not None:
            close_after(self._job.give_up(), self._sandbox.close)
            self._sandbox = None
