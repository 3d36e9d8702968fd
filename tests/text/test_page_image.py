"""Pages of a PDF as pictures."""

from __future__ import annotations

from pathlib import Path

from dupfinder.text.pdf.pdfium import LARGEST_SIDE, PageTask, render_page
from tests import making


def test_a_page_becomes_a_picture_of_the_width_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "two.pdf"
    file.write_bytes(making.pdf([["First page."], ["Second page."]]))
    image = render_page(PageTask(file, 1, 300))
    assert image is not None
    assert image.pages == 2
    assert abs(image.width - 300) <= 1
    assert image.height > image.width
    assert image.stride >= 3 * image.width
    assert len(image.pixels) == image.stride * image.height
    assert min(image.pixels) < 128 < max(image.pixels)


def test_a_page_that_is_not_there_and_a_file_that_is_no_pdf_have_no_picture(tmp_path: Path) -> None:
    file = tmp_path / "one.pdf"
    file.write_bytes(making.pdf([["Only page."]]))
    assert render_page(PageTask(file, 1, 300)) is None
    (tmp_path / "words.pdf").write_text("no PDF at all")
    assert render_page(PageTask(tmp_path / "words.pdf", 0, 300)) is None
    assert render_page(PageTask(tmp_path / "gone.pdf", 0, 300)) is None


def test_no_picture_is_larger_than_memory_allows(tmp_path: Path) -> None:
    file = tmp_path / "one.pdf"
    file.write_bytes(making.pdf([["Only page."]]))
    image = render_page(PageTask(file, 0, 50_000))
    assert image is not None
    assert max(image.width, image.height) <= LARGEST_SIDE + 1
