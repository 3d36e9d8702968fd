"""One reader under a coverage-guided fuzzer: `python -m tests.text.fuzzing READER [libFuzzer's options] [FOLDER]`.

The reader may give text or say why it has none, nothing else. Whatever else it raises, takes too long over or swells up
on ends the run, and libFuzzer writes the input down.
"""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import MappingProxyType
from zipfile import ZipFile

from dupfinder.text.document import Unreadable
from tests import making, making_compound, making_packages
from tests.text.other_content import repacked

Reading = Callable[[bytes], object]


def _package(part: str, read: Reading) -> Reading:
    """A reader of packages, given one whose part is the fuzzer's."""
    return lambda data: read(making.zipped({"[Content_Types].xml": "<Types/>", part: data}))


_NAMES = """
archive cellnotes doc docx eml epub fields hwp hwpx layout html html-plainly kindle md mhtml msg odf ofd package pages
packed plainly ppt pptx reflow repaired rtf rtf-packed sniff texcodes txt vsdx xlsx xps"""
NAMES = tuple(_NAMES.split())


def readings() -> Mapping[str, tuple[Reading, tuple[bytes, ...]]]:
    """Each of our own readers and parsers, with inputs to start from."""
    from dupfinder.text import contents, layout, lines, sniff, source
    from dupfinder.text.archives import packed
    from dupfinder.text.document import MediaType, OtherHashes
    from dupfinder.text.normalise import normalise
    from dupfinder.text.pdf import letters, reader
    from dupfinder.text.readers import (
        books,
        fixed_pages,
        hangul,
        html,
        mail,
        office,
        opendocument,
        plain,
        plainly,
        rtf,
        sheets,
        slides,
        word,
        word97,
    )

    def text(data: bytes) -> str:
        return data.decode("utf-8", "replace")

    def pages(data: bytes) -> object:
        split = [page.split("\n") for page in letters.letters_for_codes(text(data).split("\f"))]
        body, taken = layout.split_running_heads(split)
        joined = contents.without_page_numbers(lines.joined_lines(body))
        return lines.running_text(lines.with_spaced_numbers(joined)), taken

    def archived(data: bytes) -> object:
        listed = source.contents_of(BytesIO(data))
        members = listed.members if listed is not None else ()
        return [sum(map(len, source.pieces_of(BytesIO(data), member))) for member in members]

    def kinds(data: bytes) -> object:
        return [sniff.sniff(data, Path(name)) for name in ("a", "a.docx", "a.doc", "a.eml", "a.txt")]

    def fixed(data: bytes) -> object:
        pages = making.ofd()
        names = ("OFD.xml", "Doc_0/Document.xml")
        return fixed_pages.read_ofd(
            making.zipped({**{name: _part(pages, name) for name in names}, "Doc_0/Pages/Page_0/Content.xml": data})
        )

    def printed(data: bytes) -> object:
        return fixed_pages.read_xps(repacked(making_packages.xps(), {"Documents/1/Pages/1.fpage": data}))

    def slide(data: bytes) -> object:
        parts = {
            "ppt/presentation.xml": b"<p/>",
            "ppt/slides/slide1.xml": data,
            "ppt/slides/_rels/slide1.xml.rels": data,
            "docProps/core.xml": data,
        }
        return slides.read_pptx(making.zipped({"[Content_Types].xml": "<Types/>", **parts}))

    return MappingProxyType(
        {
            "archive": (archived, (making.docx(),)),
            "cellnotes": (
                lambda data: sheets.add_records(data, OtherHashes()),
                (b"\x5d\0\x06\0\x15\0\x12\0\x19\0\xb6\x01\x0c\0" + bytes(10) + b"\1\0<\0\2\0\0a",),
            ),
            "doc": (word97.read_doc, (making_compound.doc(deleted="gone", footnote="A note.\r"),)),
            "docx": (_package("word/document.xml", word.read_docx), (_part(making.docx(), "word/document.xml"),)),
            "eml": (mail.read_eml, (making.eml(page=making.html()), making.eml(attachment=("a.txt", b"x")))),
            "epub": (books.read_epub, (making.epub(),)),
            "fields": (lambda data: office.shown_field(text(data)), (rb" EQ \* jc2 \o\ad(\s\up 9(a),b)",)),
            "hwp": (
                lambda data: hangul.read_hwp(making_packages.hwp(["first"], body=data, flags=0)),
                (
                    making_packages.hwp_control(
                        "tbl ", 1, making_packages.hwp_list(2), making_packages.hwp_paragraph("a")
                    ),
                ),
            ),
            "hwpx": (
                lambda data: hangul.read_hwpx(repacked(making_packages.hwpx(), {"Contents/section0.xml": data})),
                (_part(making_packages.hwpx(body="<hp:tbl/>"), "Contents/section0.xml"),),
            ),
            "html": (
                html.read_html,
                (
                    making.html(),
                    b"<style>.a{display:block}</style><i class=a>b</i><a href=#c rel=up>d</a><ruby>a<rt>b</ruby>",
                ),
            ),
            "html-plainly": (plainly.read_page_plainly, (making.html(), b"<script>a</script><p>b<!-- c -->")),
            "kindle": (books.read_kindle, (making.kindle("<p>Words and words.</p>", tails=True),)),
            "md": (plain.read_markdown, (b"---\ntitle: x\n---\n# A *b* [c](d) <!-- e -->\n[^1]: f",)),
            "mhtml": (mail.read_mhtml, (making.mhtml(making.html()),)),
            "msg": (mail.read_msg, (making_compound.msg(), making_compound.msg(page=making.html()))),
            "odf": (partial(opendocument.read_opendocument, kind=MediaType.ODT), (_part(making.odt(), "content.xml"),)),
            "ofd": (fixed, (_part(making.ofd(), "Doc_0/Pages/Page_0/Content.xml"),)),
            "package": (word.read_docx, (making.docx(),)),
            "pages": (pages, (b"Page 1\nthe exam-\nination\n\fPage 2\nmore\n\fPage 3\n1.2Text ..... 4",)),
            "packed": (lambda data: packed.unpack(data, Path("a.gz")), (gzip.compress(making.txt()),)),
            "plainly": (
                partial(plainly.read_package_plainly, kind=MediaType.DOCX),
                (making.docx(), making.docx()[:700]),
            ),
            "pptx": (slide, (_part(making.pptx(), "ppt/slides/slide1.xml"),)),
            "ppt": (slides.read_ppt, (making_compound.ppt(notes=[making_compound.ppt_slide(kind=0x03F0)]),)),
            "reflow": (lambda data: (lines.undo_hyphens(text(data)), normalise(text(data))), (b"a-\nb",)),
            "repaired": (lambda data: reader.with_new_trailer(data), (making.raw_pdf(b"BT ET"),)),
            "rtf": (rtf.read_rtf, (making.rtf((*making.PARAGRAPHS, *making.CHINESE)), rb"{\rtf1{\shp{\*\shpinst a}}}")),
            "rtf-packed": (rtf.inflate_rtf, (b"\0" * 8 + b"LZFu" + bytes(20),)),
            "sniff": (kinds, (making.html(), making.eml(), making.docx())),
            "texcodes": (lambda data: letters.letters_for_codes([text(data)]), (b"e\x0ecient \x0crst",)),
            "txt": (plain.read_plain, (making.txt(), "漢字".encode("shift_jis"), "漢字".encode("utf-16"))),
            "layout": (lambda data: layout.without_page_breaks(text(data)), (b"a\nPage 1\nb\nPage 2\n",)),
            "vsdx": (
                lambda data: slides.read_vsdx(repacked(making_packages.vsdx(), {"visio/pages/page0.xml": data})),
                (_part(making_packages.vsdx(), "visio/pages/page0.xml"),),
            ),
            "xlsx": (
                _package("xl/worksheets/sheet1.xml", sheets.read_xlsx_slowly),
                (_part(making.xlsx({"Sheet": [["Ann", 1]]}), "xl/worksheets/sheet1.xml"),),
            ),
            "xps": (printed, (_part(making_packages.xps(by="word"), "Documents/1/Pages/1.fpage"),)),
        }
    )


def _part(package: bytes, name: str) -> bytes:
    """One part of a package."""
    with ZipFile(BytesIO(package)) as archive:
        return archive.read(name)


def main(arguments: list[str]) -> None:
    """Fuzz one reader until libFuzzer ends the process."""
    atheris = import_module("atheris")
    name, options = arguments[1], arguments[2:]
    with atheris.instrument_imports(include=["dupfinder.text"]):
        reading, seeds = readings()[name]
    folders = [Path(option) for option in options if not option.startswith("-")]
    for folder in folders[:1]:
        for number, seed in enumerate(seeds):
            (folder / f"seed{number}").write_bytes(seed)

    def once(data: bytes) -> None:
        try:
            reading(data)
        except Unreadable:
            return

    atheris.Setup([arguments[0], *options], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv)
