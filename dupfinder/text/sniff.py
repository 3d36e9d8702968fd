"""Detect the kind of a document, by its content first and by its suffix second."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path, PurePath
from typing import Final
from zipfile import BadZipFile, ZipFile

from dupfinder.base.details import Clause, Details, details
from dupfinder.text.archives.packed import inner_path, unpacked_head
from dupfinder.text.document import MediaType

SNIFFED_BYTES = 4096  # of a file: enough to recognise archives and to tell documents from images or programs
# The line before each mail of a mailbox file (RFC 4155), with a time and a year, followed by a header. Some programs
# write no empty line before it; then it must have the day of the week after the sender.
ENVELOPE = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n)|(?<=\n)(?=From \S{1,300} +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ))"
    rb"From (?=[^\r\n]{1,300}\d:\d\d)[^\r\n]{1,300} \d{4}[^\r\n]{0,20}\r?\n(?=[A-Za-z][\w-]{0,60}:)"
)

SUFFIXES: Final[Mapping[str, MediaType]] = {
    ".pdf": MediaType.PDF,
    ".ofd": MediaType.OFD,
    **dict.fromkeys((".xps", ".oxps"), MediaType.XPS),
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), MediaType.DOCX),
    **dict.fromkeys((".doc", ".dot", ".wps", ".wpt"), MediaType.DOC),
    **dict.fromkeys((".hwp", ".hwt"), MediaType.HWP),
    ".hwpx": MediaType.HWPX,
    **dict.fromkeys((".html", ".htm", ".xhtml", ".xht", ".shtml"), MediaType.HTML),
    **dict.fromkeys((".mhtml", ".mht"), MediaType.MHTML),
    **dict.fromkeys((".txt", ".text", ".log", ".asc", ".rst", ".tex", ".csv", ".tsv"), MediaType.TEXT),
    **dict.fromkeys((".md", ".markdown", ".mdown", ".mkd", ".ipynb"), MediaType.MARKDOWN),
    **dict.fromkeys((".odt", ".ott", ".fodt"), MediaType.ODT),
    **dict.fromkeys((".ods", ".ots", ".fods"), MediaType.ODS),
    **dict.fromkeys((".odp", ".otp", ".fodp"), MediaType.ODP),
    ".rtf": MediaType.RTF,
    ".epub": MediaType.EPUB,
    **dict.fromkeys((".mobi", ".azw", ".azw3"), MediaType.MOBI),
    **dict.fromkeys((".pptx", ".pptm", ".ppsx", ".potx"), MediaType.PPTX),
    **dict.fromkeys((".ppt", ".pps", ".pot", ".dps", ".dpt"), MediaType.PPT),
    **dict.fromkeys((".vsdx", ".vsdm", ".vstx", ".vssx"), MediaType.VSDX),
    **dict.fromkeys((".xlsx", ".xlsm", ".xltx", ".xlsb"), MediaType.XLSX),
    **dict.fromkeys((".xls", ".xlt", ".et", ".ett"), MediaType.XLS),
    **dict.fromkeys((".eml", ".emlx"), MediaType.EML),
    ".msg": MediaType.MSG,
}

CODE = "code"  # style sheets and source code: read only if asked for by this name

FAMILIES: Final[Mapping[str, frozenset[MediaType]]] = {
    "pdf": frozenset({MediaType.PDF, MediaType.OFD, MediaType.XPS}),
    "word": frozenset({MediaType.DOCX, MediaType.DOC, MediaType.HWP, MediaType.HWPX}),
    "html": frozenset({MediaType.HTML, MediaType.MHTML}),
    "opendocument": frozenset({MediaType.ODT, MediaType.ODS, MediaType.ODP}),
    "rtf": frozenset({MediaType.RTF}),
    "text": frozenset({MediaType.TEXT, MediaType.MARKDOWN}),
    "office": frozenset(
        {MediaType.PPTX, MediaType.PPT, MediaType.VSDX, MediaType.XLSX, MediaType.XLS, MediaType.IWORK}
    ),
    "mail": frozenset({MediaType.EML, MediaType.MSG}),
    "ebook": frozenset({MediaType.EPUB, MediaType.MOBI}),
    CODE: frozenset({MediaType.TEXT}),
}

_TEXT_KINDS = FAMILIES["text"] | FAMILIES["html"] | {MediaType.EML}  # what a text can be, if its suffix says so

# Suffixes of files that are never documents; they are not opened.
_NO_DOCUMENT_SUFFIXES = """
.a .aac .ai .aiff .apk .app .arw .avi .avif .bin .bmp .br .bz2 .cab .class .com .cr2 .cur .dat .db .deb .dll
.dmg .dng .drv .dylib .eot .exe .flac .flv .gif .gz .heic .heif .ico .img .iso .jar .jpeg .jpg .ko .lib .lnk .lz4
.lzma .m4a .m4v .mid .midi .mkv .mo .mov .mp3 .mp4 .mpeg .mpg .msi .nef .npy .npz .o .obj .ogg .ogv .opus .orf .otf
.parquet .pickle .pkl .png .psd .pyc .pyd .pyo .raw .rpm .so .sqlite .sqlite3 .svg .svgz .swf .sys .tga .tif
.tiff .ttc .ttf .vdi .vhd .vmdk .wasm .wav .webm .webp .whl .wma .wmv .woff .woff2 .xz .zst"""
_NO_DOCUMENTS = frozenset(_NO_DOCUMENT_SUFFIXES.split())

# Source code: not documents for people, and full of duplicates, since projects contain copies of libraries.
_CODE_SUFFIXES = """
.asm .awk .bas .bat .c .cc .cjs .clj .cmake .cmd .coffee .cpp .cs .css .cxx .d .dart .el .erl .ex .f .f90 .frag .fs
.glsl .go .groovy .h .hh .hpp .hs .hxx .java .jl .js .jsx .kt .less .lisp .lua .m .map .mjs .ml .nim .pas .pl .pm
.ps1 .py .pyx .r .rb .rs .s .sass .scala .scm .scss .sh .sql .swift .tcl .toml .ts .tsx .v .vala .vb .vert .vhd .vue
.wat .zig"""
_CODE = frozenset(_CODE_SUFFIXES.split())

# Kinds of documents that dupfinder cannot read.
UNREAD: Final[Mapping[str, str]] = {
    **dict.fromkeys((".djvu", ".djv"), "djvu"),
    ".kfx": "kindle",
    **dict.fromkeys((".ps", ".eps"), "postscript"),
    ".vsd": "visio",
    ".chm": "windows_help",
    ".dvi": "dvi",
    ".lit": "microsoft_reader",
    ".one": "onenote",
    **dict.fromkeys((".pst", ".ost"), "outlook"),
    ".pub": "publisher",
    ".wpd": "wordperfect",
}

_PACKAGES = frozenset(
    {
        *(MediaType.DOCX, MediaType.PPTX, MediaType.XLSX, MediaType.ODT, MediaType.ODS, MediaType.ODP),
        *(MediaType.EPUB, MediaType.IWORK, MediaType.OFD, MediaType.XPS, MediaType.HWPX, MediaType.VSDX),
    }
)
# Suffixes of Apple's packages. Many files of other kinds are also called .key; they are not packages.
_IWORK: Final[Mapping[str, MediaType]] = dict.fromkeys((".pages", ".numbers", ".key"), MediaType.IWORK)
_MIMETYPES = (
    (b"application/vnd.oasis.opendocument.text", MediaType.ODT),
    (b"application/vnd.oasis.opendocument.spreadsheet", MediaType.ODS),
    (b"application/vnd.oasis.opendocument.presentation", MediaType.ODP),
    (b"application/epub+zip", MediaType.EPUB),
    (b"application/hwp+zip", MediaType.HWPX),
)
_MAIN_PARTS = (("word/", MediaType.DOCX), ("ppt/", MediaType.PPTX), ("xl/", MediaType.XLSX), ("visio/", MediaType.VSDX))
_PAGES = re.compile(r"\.fpage(?:/\[\d+\](?:\.last)?\.piece)?$", re.I)  # of XPS, whole or in pieces
_COMPOUND_STREAMS = (
    ("WordDocument", MediaType.DOC),
    ("PowerPoint Document", MediaType.PPT),
    ("Workbook", MediaType.XLS),
    ("Book", MediaType.XLS),
    ("__properties_version1.0", MediaType.MSG),
    ("HwpSummaryInformation", MediaType.HWP),
)
_ZIP, _COMPOUND = (b"PK\x03\x04", b"PK\x05\x06"), b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_MARKUP = re.compile(rb"\s*+(?:<\?xml[^>]*+>\s*+)?(?>(?:<!--.*?-->\s*+)*)(?:<!doctype\s+html|<html[\s>])", re.I | re.S)
_FLAT_OPENDOCUMENT = re.compile(rb"<office:document[\s>]")
_HEADER = re.compile(rb"(?:[A-Za-z][A-Za-z0-9-]{1,40}:[^\r\n]*(?:\r?\n[ \t][^\r\n]*)*\r?\n){2}")
# Apple Mail writes the size of a mail, in bytes, on a line before it, and properties behind it.
LENGTH_LINE = re.compile(rb"(\d{1,10}) *+\n(?=[A-Za-z-]{1,40}:)")
# A mail's time and id, before the name of the computer, of which the end is no suffix.
_MAILDIR = re.compile(r"\d{9,11}\.[A-Z]?\d\w*\.")
_MAIL_ONLY = re.compile(rb"^(?:Received|Return-Path|Message-ID|MIME-Version|Delivered-To):", re.I | re.M)
_RELATED = re.compile(rb"^Content-Type:\s*multipart/related", re.I | re.M)
_BINARY = bytes(set(range(32)) - {7, 8, 9, 10, 11, 12, 13, 26, 27})
_WIDE_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def is_mail_name(name: str) -> bool:
    """Tell whether a name is one that mail programs give a mail in a Maildir."""
    return _MAILDIR.match(name) is not None and PurePath(name).suffix.lower() not in SUFFIXES


def _suffix(path: PurePath) -> str:
    """Return the suffix of a file, or of the file that is packed in it: ".txt" for "a.TXT.gz"; "" in a Maildir."""
    return "" if is_mail_name(path.name) else (inner_path(path) or path).suffix.lower()


def may_be_document(path: Path) -> bool:
    """Tell whether a file may be a readable document, judged by its name alone."""
    suffix = _suffix(path)
    return suffix not in _NO_DOCUMENTS and suffix not in UNREAD


def unread_kind(path: Path) -> Details:
    """Return the kind of a document that dupfinder cannot read, by its name ("djvu"); empty for other files."""
    kind = UNREAD.get(_suffix(path))
    return details(Clause.UNREAD_KIND, kind=kind) if kind else ()


def suffixes_of(family: str) -> list[str]:
    """Return the suffixes of a family of formats, the usual ones first."""
    if family == CODE:
        return sorted(_CODE)
    return [suffix for suffix, kind in {**SUFFIXES, **_IWORK}.items() if kind in FAMILIES[family]]


def is_code(path: PurePath) -> bool:
    """Tell whether a file is a style sheet or source code, by its name."""
    return _suffix(path) in _CODE


def recognise(path: Path, head: bytes) -> MediaType:
    """Return the kind of a document by its name and its first SNIFFED_BYTES bytes; UNKNOWN if no reader fits.

    The kind of a package is only known from the end of the file, so its suffix is trusted here; `sniff` checks it.
    """
    if not may_be_document(path):
        return MediaType.UNKNOWN
    if (inner := inner_path(path)) is not None:
        return recognise(inner, unpacked_head(head, path, SNIFFED_BYTES))
    suffix = _suffix(path)
    kind_by_name = SUFFIXES.get(suffix, MediaType.UNKNOWN)
    if head.startswith(_ZIP):
        kind_by_name = _IWORK.get(suffix, kind_by_name)
        return _package_in_head(head) or (kind_by_name if kind_by_name in _PACKAGES else MediaType.DOCX)
    if head.startswith(_COMPOUND):
        return kind_by_name if path.suffix else MediaType.DOC
    return _kind_of_single_file(head, kind_by_name)


def sniff(data: bytes, path: Path) -> MediaType:
    """Return the kind of an unpacked document from its bytes. Packages and compound files need all of them."""
    suffix = _suffix(path)
    kind_by_name = SUFFIXES.get(suffix, MediaType.UNKNOWN)
    if data.startswith(_ZIP):
        return _package(data) or _IWORK.get(suffix, kind_by_name)
    if data.startswith(_COMPOUND):
        return _compound(data, kind_by_name)
    return _kind_of_single_file(data, kind_by_name)


def _kind_of_single_file(head: bytes, kind_by_name: MediaType) -> MediaType:
    """Return the kind of a file that is neither a package nor a compound file. kind_by_name: by its suffix."""
    if not head:
        return kind_by_name or MediaType.TEXT
    if b"%PDF-" in head[:1024]:
        return MediaType.PDF
    if head[60:68] == b"BOOKMOBI":  # kind and program of a database of Palm OS
        return MediaType.MOBI
    if head.startswith((b"{\\rtf", b"{\\urtf")):
        return MediaType.RTF
    if head.startswith(b"<?xml") and _FLAT_OPENDOCUMENT.search(head[:SNIFFED_BYTES]):
        return _by_mimetype(head[:SNIFFED_BYTES]) or MediaType.ODT
    if not looks_like_text(head[:SNIFFED_BYTES]):
        return kind_by_name
    return _kind_of_text(head[:SNIFFED_BYTES], kind_by_name)


def _kind_of_text(head: bytes, kind_by_name: MediaType) -> MediaType:
    """Return the kind of a text file: a page or a mail by its content, another by its suffix."""
    start = _without_bom(head)
    if _MARKUP.match(start):
        return MediaType.HTML
    if (line_before := ENVELOPE.match(start) or LENGTH_LINE.match(start)) is not None:
        start = start[line_before.end() :]
    if kind_by_name not in FAMILIES["text"] and _HEADER.match(start):  # wikis export a page as MHTML and call it .doc
        if _RELATED.search(start) and kind_by_name is not MediaType.EML:
            return MediaType.MHTML
        if kind_by_name is MediaType.EML or _MAIL_ONLY.search(start):
            return MediaType.MHTML if kind_by_name is MediaType.MHTML else MediaType.EML
    return kind_by_name if kind_by_name in _TEXT_KINDS else MediaType.TEXT


def _without_bom(head: bytes) -> bytes:
    """Return the head as one-byte characters, without byte order mark."""
    if head.startswith(_WIDE_BOMS):
        return head[2:].replace(b"\0", b"")
    return head.removeprefix(codecs.BOM_UTF8)


def looks_like_text(head: bytes) -> bool:
    """Tell whether bytes are characters: UTF-16 by its mark or NUL pattern, else hardly any control bytes."""
    if not head or head.startswith((codecs.BOM_UTF8, *_WIDE_BOMS)):
        return True
    if b"\0" in head:
        return wide_order(head) is not None
    controls = len(head) - len(head.translate(None, _BINARY))
    return controls <= len(head) // 200


def wide_order(head: bytes) -> str | None:
    """Return "utf-16-le" or "utf-16-be" for UTF-16 without a mark, by the positions of NULs; None for others."""
    even, odd = head[0::2], head[1::2]
    half = max(1, len(head) // 2)
    low, high = even.count(0) / half, odd.count(0) / half
    for order, zeros, others in (("utf-16-le", high, low), ("utf-16-be", low, high)):
        if zeros > 0.3 and others < 0.02:
            return order
    return _wide_by_spaces(head)


def _wide_by_spaces(head: bytes) -> str | None:
    """Do the same for UTF-16 in other scripts than Latin, where only spaces, line ends and dots have NULs.

    Taken in the wrong order, East Asian characters are mostly characters too, but spaces and line ends are not.
    """
    whole = head[: len(head) // 2 * 2]
    for order in sorted(("utf-16-le", "utf-16-be"), key=lambda order: -_count_spaces(whole.decode(order, "ignore"))):
        try:
            text = whole.decode(order, "strict" if len(head) < SNIFFED_BYTES else "ignore")
        except UnicodeDecodeError:
            continue
        plain = sum(character.isspace() or unicodedata.category(character)[0] in "LMNP" for character in text)
        if text and head.count(0) * 200 > len(head) and "\0" not in text and plain > 0.9 * len(text):
            return order
    return None


def _count_spaces(text: str) -> int:
    """Count the spaces and line ends of ASCII."""
    return sum(map(text.count, " \r\n"))


def _by_mimetype(head: bytes) -> MediaType:
    """Return the kind of a document that names its MIME type near its start, UNKNOWN for others."""
    return next((kind for mimetype, kind in _MIMETYPES if mimetype in head), MediaType.UNKNOWN)


def _package_in_head(head: bytes) -> MediaType:
    """Return the kind of a ZIP package by its first bytes, UNKNOWN if they do not show it."""
    by_part = next((kind for folder, kind in _MAIN_PARTS if folder.encode() in head), MediaType.UNKNOWN)
    return _by_mimetype(head[:256]) or by_part


def _package(data: bytes) -> MediaType:
    """Return the kind of a ZIP package by its MIME type or its directory; UNKNOWN for other archives."""
    if by_mimetype := _by_mimetype(data[:256]):
        return by_mimetype
    try:
        with ZipFile(BytesIO(data)) as archive:
            names = archive.namelist()
    except (BadZipFile, ValueError, OSError, NotImplementedError):
        return _package_in_head(data[:SNIFFED_BYTES])
    if "OFD.xml" in names:
        return MediaType.OFD
    if any(_PAGES.search(name) for name in names):
        return MediaType.XPS
    if "[Content_Types].xml" not in names:
        return MediaType.UNKNOWN
    by_part = (kind for folder, kind in _MAIN_PARTS if any(name.startswith(folder) for name in names))
    return next(by_part, MediaType.UNKNOWN)


def _compound(data: bytes, kind_by_name: MediaType) -> MediaType:
    """Return the kind of an OLE compound file by the names of its streams, in UTF-16.

    A document embedded in another has such streams too: of several kinds the one of the file's suffix counts, or else
    the first.
    """
    if "EncryptedPackage".encode("utf-16-le") in data:
        return kind_by_name if kind_by_name in _PACKAGES else MediaType.DOCX
    kinds = [kind for name, kind in _COMPOUND_STREAMS if (name + "\0").encode("utf-16-le") in data]
    return kind_by_name if kind_by_name in kinds or not kinds else kinds[0]
