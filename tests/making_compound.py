"""Documents that are OLE compound files, made by the tests that need them: Office 97 and Outlook messages."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from itertools import accumulate

from tests.making import PARAGRAPHS

_FREE, _CHAIN_END, _FAT_SECTOR = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD


def compound(streams: Mapping[str, bytes]) -> bytes:
    """An OLE compound file ([MS-CFB]) of these streams. Each is filled up to 4,096 bytes, so that it has sectors.

    A stream whose name has a slash is in the storage that is named before it.
    """
    storages: dict[str, dict[str, bytes]] = {"": {}}
    for path, content in streams.items():
        storage, _, name = path.rpartition("/")
        storages.setdefault(storage, {})[name] = content.ljust(4096, b"\0")
    for storage in [*storages]:
        while storage:
            around, _, name = storage.rpartition("/")
            storages.setdefault(around, {})[name] = b""
            storage = around
    sectors: list[bytes] = []
    chain: list[int] = []

    def add(content: bytes) -> int:
        start = len(sectors)
        pieces = [content[place : place + 512].ljust(512, b"\0") for place in range(0, len(content), 512)]
        sectors.extend(pieces)
        chain.extend([*range(start + 1, start + len(pieces)), _CHAIN_END])
        return start

    bases = dict(zip(storages, accumulate(map(len, storages.values()), initial=1), strict=False))
    entries = [_compound_entry("Root Entry", 5, child=1 + len(storages[""]) // 2)]
    for storage, contents in storages.items():
        for place, (name, content) in enumerate(sorted(contents.items(), key=_compound_order)):
            siblings = _siblings(place, len(contents), bases[storage])
            if content:
                entries.append(_compound_entry(name, 2, start=add(content), size=len(content), siblings=siblings))
            else:
                inner = f"{storage}/{name}".lstrip("/")
                child = bases[inner] + len(storages[inner]) // 2
                entries.append(_compound_entry(name, 1, child=child, siblings=siblings))
    directory = add(b"".join(entries))
    count = 1
    while count * 128 < len(sectors) + count:
        count += 1
    first = len(sectors)
    table = [*chain, *[_FAT_SECTOR] * count]
    table += [_FREE] * (count * 128 - len(table))
    fat = struct.pack(f"<{len(table)}I", *table)
    difat = [*range(first, first + count), *[_FREE] * (109 - count)]
    header = struct.pack(
        "<8s16xHHHHH6xIIIIIIIII109I",
        *(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6, 0, count, directory, 0, 4096),
        *(_CHAIN_END, 0, _CHAIN_END, 0, *difat),
    )
    return header + b"".join(sectors) + fat


def _compound_order(item: tuple[str, bytes]) -> tuple[int, str]:
    """Directory entries are sorted by length, then by upper case."""
    return len(item[0]), item[0].upper()


def _siblings(place: int, count: int, base: int) -> tuple[int, int]:
    """Left and right neighbours of an entry in a tree of entries: a list to either side of the middle one.

    base: the number of the first entry of the tree.
    """
    middle = count // 2
    left = base + place - 1 if 0 < place <= middle else _FREE
    right = base + place + 1 if middle <= place < count - 1 else _FREE
    return left, right


def _compound_entry(
    name: str,
    kind: int,
    *,
    start: int = 0,
    size: int = 0,
    child: int = _FREE,
    siblings: tuple[int, int] = (_FREE, _FREE),
) -> bytes:
    wide = (name + "\0").encode("utf-16-le")
    return wide.ljust(64, b"\0") + struct.pack(
        "<HBBIII36xIQ", len(wide), kind, 1, *siblings, child, _CHAIN_END if kind == 5 else start, size
    )


def doc(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    deleted: str = "",
    footnote: str = "",
    heading: str = "",
    boxed_heading: str = "",
    locked: bool = False,
    mark: bytes = b"\x00\x08\x01",
    around: tuple[str, str] = ("", ""),
    font: str = "",
    streams: Mapping[str, bytes] | None = None,
) -> bytes:
    """A document of Word 97: its text in one piece, `deleted` marked as a tracked deletion at the end of the body.

    mark: the property of `deleted`. around: the text before and after it in its paragraph. font: the only one in the
    table of fonts.
    """
    before = "".join(f"{paragraph}\r" for paragraph in paragraphs) + around[0]
    body = before + deleted + around[1]
    text = (body + footnote + heading + boxed_heading).encode("utf-16-le")
    where, page = 1024, 1024 + (len(text) + 511) // 512 * 512
    start, end = where + 2 * len(before), where + 2 * len(before + deleted)
    runs = struct.pack("<IIII", where, start, end, where + len(text)) + bytes([0, 120, 0])
    properties = runs.ljust(240, b"\0") + bytes([len(mark)]) + mark
    pieces = struct.pack("<II", 0, len(text) // 2) + struct.pack("<HIH", 0, where, 0)
    tables = struct.pack("<III", where, where + len(text), page // 512)
    clx = b"\x01\x02\x00\0\0\x02" + struct.pack("<I", len(pieces)) + pieces
    head = bytearray(where)
    struct.pack_into("<H8xH", head, 0, 0xA5EC, 0x0300 if locked else 0x0200)
    struct.pack_into("<8i", head, 0x4C, len(body), len(footnote), len(heading), 0, 0, 0, 0, len(boxed_heading))
    struct.pack_into("<II", head, 0x00FA, 0, len(tables) if deleted else 0)
    struct.pack_into("<II", head, 0x01A2, len(tables), len(clx))
    name = bytes(39) + f"{font}\0".encode("utf-16-le")
    fonts = struct.pack("<HHB", 1, 0, len(name)) + name
    struct.pack_into("<II", head, 0x0112, len(tables) + len(clx), len(fonts) if font else 0)
    main = bytes(head) + text.ljust(page - where, b"\0") + properties.ljust(511, b"\0") + b"\x03"
    return compound({"WordDocument": main, "1Table": tables + clx + fonts, **(streams or {})})


def msg(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    subject: str = "The letters",
    page: bytes = b"",
    code_page: int = 0,
    narrow: Mapping[str, bytes] | None = None,
    attached: Mapping[str, bytes] | None = None,
) -> bytes:
    """An Outlook message of plain text, or of a page alone.

    narrow: strings of a code page by their numbers. attached: further streams, of attachments.
    """
    sent = bytes(32) + b"\x40\x00\x39\x00" + bytes(4) + (133537590000000000).to_bytes(8, "little")
    sent += b"\x03\x00\xfd\x3f" + bytes(4) + code_page.to_bytes(8, "little")
    if narrow:
        strings = {f"__substg1.0_{number}001E": content for number, content in narrow.items()}
        return compound({"__properties_version1.0": sent, **strings})
    streams = {
        "__properties_version1.0": sent,
        "__substg1.0_0037001F": subject.encode("utf-16-le"),
        "__substg1.0_0C1A001F": "Ann Example".encode("utf-16-le"),
        **(attached or {}),
    }
    if page:
        return compound({**streams, "__substg1.0_10130102": page})
    return compound({**streams, "__substg1.0_1000001F": "\r\n".join(paragraphs).encode("utf-16-le")})


def xls(
    rows: Sequence[Sequence[str | float]],
    *,
    records: Sequence[tuple[int, bytes]] = (),
    formats: Sequence[str] = (),
    streams: Mapping[str, bytes] | None = None,
) -> bytes:
    """A workbook of Excel 97 with one sheet ([MS-XLS]): labels and numbers, then raw records; further streams.

    formats: of the columns.
    """

    def record(kind: int, content: bytes) -> bytes:
        return struct.pack("<HH", kind, len(content)) + content

    def start(kind: int) -> bytes:
        return record(0x0809, struct.pack("<HHHHII", 0x0600, kind, 0x0DBB, 1996, 0, 6))

    def cell(row: int, column: int, value: str | float) -> bytes:
        place = struct.pack("<HHH", row, column, column if formats else 0)
        if isinstance(value, str):
            return record(0x0204, place + struct.pack("<HB", len(value), 1) + value.encode("utf-16-le"))
        return record(0x0203, place + struct.pack("<d", value))

    end = record(0x000A, b"")
    sheet = (
        start(0x0010) + b"".join(cell(y, x, value) for y, row in enumerate(rows) for x, value in enumerate(row))
        + b"".join(record(kind, content) for kind, content in records) + end
    )  # fmt: skip
    name = b"\x05\x00Sheet"
    styles = b"".join(
        record(0x041E, struct.pack("<HHB", 164 + number, len(code), 1) + code.encode("utf-16-le"))
        + record(0x00E0, struct.pack("<HH16x", 0, 164 + number))
        for number, code in enumerate(formats)
    )
    where = len(start(5)) + 4 + 6 + len(name) + len(styles) + len(end)
    book = start(5) + record(0x0085, struct.pack("<IH", where, 0) + name) + styles + end
    return compound({"Workbook": book + sheet, **(streams or {})})


def ppt_record(kind: int, *inner: bytes, content: bytes | None = None, instance: int = 0) -> bytes:
    """A record of PowerPoint 97 ([MS-PPT] 2.3.1): of other records, or of content."""
    whole = b"".join(inner) if content is None else content
    return struct.pack("<HHI", instance << 4 | (0xF if content is None else 0), kind, len(whole)) + whole


def ppt_text(text: str) -> bytes:
    """The records of a text: its kind, and its characters in one byte each if possible."""
    heading, lines = ppt_record(0x0F9F, content=bytes(4)), text.replace("\n", "\r")
    if lines.isascii():
        return heading + ppt_record(0x0FA8, content=lines.encode())
    return heading + ppt_record(0x0FA0, content=lines.encode("utf-16-le"))


def ppt_shape(*text: bytes, placeholder: int | None = None) -> bytes:
    """A shape with a box of text records, as a placeholder of a kind ([MS-PPT] 2.13.23)."""
    client = ppt_record(0x0BC3, content=struct.pack("<iBBH", 0, placeholder, 0, 0)) if placeholder is not None else b""
    return ppt_record(0xF004, ppt_record(0xF011, client), ppt_record(0xF00D, *text))


def ppt_slide(*shapes: bytes, kind: int = 0x03EE) -> bytes:
    """A slide, or a page of notes (kind 0x03F0), with a group of shapes and further records."""
    return ppt_record(kind, ppt_record(0x040C, ppt_record(0xF002, ppt_record(0xF003, *shapes))))


def ppt(
    slides: Sequence[bytes | Sequence[str]] = (PARAGRAPHS[:2], PARAGRAPHS[2:]),
    *,
    notes: Sequence[bytes] = (),
    outlines: Mapping[int, bytes] | None = None,
    of_document: bytes = b"",
    replaced: Mapping[int, bytes] | None = None,
    token: int = 0xE391C05F,
    within: str = "",
    streams: Mapping[str, bytes] | None = None,
) -> bytes:
    """A presentation of PowerPoint 97: slides as records or as the texts of their shapes, and pages of notes.

    outlines: text records of slides in the document. of_document: its further records. replaced: slides that a second
    save replaced. token: of the user's stream. within: the storage of its streams. streams: further ones.
    """
    pages = [
        page if isinstance(page, bytes) else ppt_slide(*(ppt_shape(ppt_text(text)) for text in page)) for page in slides
    ]
    entries = [
        ppt_record(0x03F3, content=struct.pack("<IIiII", number, 0, 0, 256 + number, 0))
        + (outlines or {}).get(number, b"")
        for number in range(1, 1 + len(pages) + len(notes))
    ]
    lists = ppt_record(0x0FF0, *entries[: len(pages)]) + ppt_record(0x0FF0, *entries[len(pages) :], instance=2)
    document = ppt_record(0x03E8, ppt_record(0x03E9, content=bytes(40)), lists, of_document)
    main, edit = b"", 0

    def save(objects: Mapping[int, bytes]) -> None:
        nonlocal main, edit
        directory = b""
        for number, content in objects.items():
            directory += struct.pack("<II", 1 << 20 | number, len(main))
            main += content
        where = len(main)
        main += ppt_record(0x1772, content=directory)
        last, edit = edit, len(main)
        main += ppt_record(0x0FF5, content=struct.pack("<IIIIIIHH", 0, 0, last, where, 0x1000, 0x2000, 0, 0))

    save(
        {number: (replaced or {}).get(number, page) for number, page in enumerate([*pages, *notes], 1)}
        | {0x1000: document}
    )
    if replaced:
        save({number: pages[number - 1] for number in replaced})
    user = ppt_record(0x0FF6, content=struct.pack("<III", 20, token, edit) + bytes(8))
    return compound({f"{within}PowerPoint Document": main, f"{within}Current User": user, **(streams or {})})
