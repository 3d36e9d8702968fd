"""Real small documents, made by the tests that need them. Everything returns the bytes of a file.

Text is handed as paragraphs. Nothing here reads a document, and nothing needs another program.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from email.message import EmailMessage
from hashlib import sha256, sha384, sha512
from html import escape
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

PARAGRAPHS = (
    "The archive keeps every letter that the committee received between the spring and the autumn of that year.",
    "Each folder was opened, counted and described by two people, who signed the list before it was closed.",
    "Where a letter had been copied by hand, the copy was placed behind the original and marked in pencil.",
    "Nothing was thrown away until a third person had compared both, line by line, and written down the reason.",
)
CHINESE = (
    "委员会在那一年春天到秋天之间收到的每一封信都保存在档案馆里。",
    "每个文件夹都由两个人打开、清点和描述，他们在关闭之前在清单上签名。",
)

_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_W_STRICT = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_R_STRICT = "http://purl.oclc.org/ooxml/officeDocument/relationships"
_PACKAGE_RELS = "http://schemas.openxmlformats.org/package/2006/relationships"
_XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'


def zipped(parts: Mapping[str, str | bytes], *, stored_first: bool = False) -> bytes:
    """A ZIP archive of the parts in their order; `stored_first` leaves the first one uncompressed."""
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as archive:
        for place, (name, content) in enumerate(parts.items()):
            archive.writestr(name, content, ZIP_STORED if stored_first and place == 0 else ZIP_DEFLATED)
    return buffer.getvalue()


def txt(paragraphs: Sequence[str] = PARAGRAPHS, *, encoding: str = "utf-8", newline: str = "\n") -> bytes:
    """A text file, a blank line between paragraphs."""
    return (newline * 2).join(paragraphs).encode(encoding)


def pdf(
    pages: Sequence[Sequence[str]] = (PARAGRAPHS,),
    *,
    header: str = "",
    footer: str = "",
    title: str = "",
    author: str = "",
    password: str = "",
    owner_password: str = "",
    size: tuple[int, int] = (595, 842),
) -> bytes:
    """A PDF whose pages hold lines of text. `header` and `footer` may name {page}; passwords encrypt the file."""
    from reportlab.lib.pdfencrypt import StandardEncryption
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfbase.pdfmetrics import registerFont
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    lock = StandardEncryption(password, owner_password or "owner", canCopy=0) if password or owner_password else None
    canvas = Canvas(buffer, pagesize=size, encrypt=lock, invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor(author)
    wide = not all(line.isascii() for page in pages for line in page)
    if wide:
        registerFont(UnicodeCIDFont("STSong-Light"))
    for number, lines in enumerate(pages, 1):
        canvas.setFont("STSong-Light" if wide else "Helvetica", 9)
        if header:
            canvas.drawString(60, size[1] - 37, header.format(page=number))
        for place, line in enumerate(lines):
            canvas.drawString(60, size[1] - 72 - 14 * place, line)
        if footer:
            canvas.drawString(60, 30, footer.format(page=number))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def raw_pdf(content: bytes, *, resources: str = "", extra: Sequence[bytes] = ()) -> bytes:
    """A PDF of one page with this content stream; `extra` objects are numbered from 6."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> "
        + resources.encode()
        + b" >> >>",
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        *extra,
    ]
    body = bytearray(b"%PDF-1.4\n")
    places = []
    for number, item in enumerate(objects, 1):
        places.append(len(body))
        body += b"%d 0 obj\n%s\nendobj\n" % (number, item)
    start = len(body)
    body += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    body += b"".join(b"%010d 00000 n \n" % place for place in places)
    body += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(body)


def encrypted_pdf(text: str, password: str = "") -> bytes:
    """A PDF of one line, encrypted with AES-256 as PDF 2.0 does it (ISO 32000-2 section 7.6.4); "": anyone opens it."""
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

    def aes(key: bytes, iv: bytes | None, data: bytes) -> bytes:
        mode = modes.ECB() if iv is None else modes.CBC(iv)
        encryptor = Cipher(algorithms.AES(key), mode).encryptor()
        return encryptor.update(data) + encryptor.finalize()

    def hashed(secret: bytes, salt: bytes, user: bytes = b"") -> bytes:  # algorithm 2.B
        key, last, rounds = sha256(secret + salt + user).digest(), 0, 0
        while rounds < 64 or last > rounds - 32:
            packed = aes(key[:16], key[16:32], (secret + key + user) * 64)
            key, last = (sha256, sha384, sha512)[sum(packed[:16]) % 3](packed).digest(), packed[-1]
            rounds += 1
        return key[:32]

    key, secret, salts = bytes(range(32)), password.encode(), (b"validate", b"deriving")
    user = hashed(secret, salts[0]) + b"".join(salts)
    owner = hashed(b"owner", salts[0], user) + b"".join(salts)
    wrapped = [aes(hashed(secret, salts[1]), bytes(16), key), aes(hashed(b"owner", salts[1], user), bytes(16), key)]
    rights = aes(key, None, struct.pack("<iI", -4, 0xFFFFFFFF) + b"Tadb" + bytes(4))
    content = b"BT /F1 12 Tf 50 700 Td (" + text.encode("ascii") + b") Tj ET"
    content += bytes([16 - len(content) % 16]) * (16 - len(content) % 16)
    values = zip(("U", "O", "UE", "OE", "Perms"), (user, owner, *wrapped, rights), strict=True)
    lock = (
        "<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /StmF /StdCF /StrF /StdCF "
        "/CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >> "
        + " ".join(f"/{name} <{value.hex()}>" for name, value in values)
        + " >>"
    )
    made = raw_pdf(bytes(16) + aes(key, bytes(16), content), extra=[lock.encode()])
    return made.replace(b"/Root 1 0 R", b"/Root 1 0 R /Encrypt 6 0 R /ID [<00> <00>]").replace(b"-1.4", b"-2.0")


def scanned_pdf(shade: int = 128) -> bytes:
    """A PDF of one page that shows a grey picture and has no text."""
    pixels = zlib.compress(bytes([shade]) * 200 * 280)
    picture = (
        b"<< /Type /XObject /Subtype /Image /Width 200 /Height 280 /ColorSpace /DeviceGray /BitsPerComponent 8 "
        b"/Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream" % (len(pixels), pixels)
    )
    return raw_pdf(b"q 595 0 0 842 0 0 cm /Im1 Do Q", resources="/XObject << /Im1 6 0 R >>", extra=[picture])


def stamped_scans(stamps: Sequence[str]) -> bytes:
    """A PDF with a page for each stamp: a grey picture, and the stamp as a line of text above it."""
    from PIL import Image
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842), invariant=1)
    for number, stamp in enumerate(stamps):
        canvas.drawImage(ImageReader(Image.new("L", (50, 70), 100 + number)), 0, 0, 595, 842)
        canvas.drawString(20, 825, stamp)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def word_paragraph(text: str) -> str:
    """One w:p of one run."""
    return f'<w:p><w:r><w:t xml:space="preserve">{escape(text)}</w:t></w:r></w:p>'


def docx(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    body: str | None = None,
    parts: Mapping[str, str] | None = None,
    title: str = "",
    author: str = "",
    strict: bool = False,
) -> bytes:
    """A Word document. `body` is raw XML inside w:body; `parts` are kinds ("footnotes", "header") and their raw XML.

    Prefixes in raw XML: w, r, mc, wps, v, m.
    """
    w, r = (_W_STRICT, _R_STRICT) if strict else (_W, _R)
    names = (
        f'xmlns:w="{w}" xmlns:r="{r}" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
        'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape" '
        'xmlns:v="urn:schemas-microsoft-com:vml" '
        'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    )
    inner = body if body is not None else "".join(map(word_paragraph, paragraphs))
    extra = parts or {}
    roots = {"header": "hdr", "footer": "ftr"}
    rels = "".join(
        f'<Relationship Id="rId{place}" Type="{r}/{kind}" Target="{kind}.xml"/>' for place, kind in enumerate(extra, 1)
    )
    return zipped(
        {
            "[Content_Types].xml": _word_types(("document", *extra)),
            "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE_RELS}">'
            f'<Relationship Id="rId1" Type="{r}/officeDocument" Target="word/document.xml"/></Relationships>',
            "word/document.xml": f"{_XML}<w:document {names}><w:body>{inner}</w:body></w:document>",
            "word/_rels/document.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE_RELS}">{rels}</Relationships>',
            **{
                f"word/{kind}.xml": f"{_XML}<w:{roots.get(kind, kind)} {names}>{xml}</w:{roots.get(kind, kind)}>"
                for kind, xml in extra.items()
            },
            "docProps/core.xml": _core(title, author),
        }
    )


def _word_types(kinds: Sequence[str]) -> str:
    overrides = "".join(
        f'<Override PartName="/word/{kind}.xml" '
        f'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.{kind}+xml"/>'
        for kind in kinds
    ).replace("document+xml", "document.main+xml")
    return (
        f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{overrides}</Types>'
    )


def _core(title: str, author: str) -> str:
    return (
        f'{_XML}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>{escape(title)}</dc:title><dc:creator>{escape(author)}</dc:creator>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2024-03-01T09:30:00Z</dcterms:created>'
        '<dcterms:modified xsi:type="dcterms:W3CDTF">2024-03-02T10:00:00+02:00</dcterms:modified></cp:coreProperties>'
    )


def html(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    title: str = "A page",
    before: str = "",
    after: str = "",
    encoding: str = "utf-8",
    declared: bool = True,
) -> bytes:
    """A web page; `before` and `after` are raw markup around its article."""
    charset = f'<meta charset="{encoding}">' if declared else ""
    body = "".join(f"<p>{escape(paragraph)}</p>\n" for paragraph in paragraphs)
    page = (
        f"<!DOCTYPE html>\n<html><head>{charset}<title>{escape(title)}</title></head>\n"
        f"<body>{before}<article>\n{body}</article>{after}</body></html>\n"
    )
    return page.encode(encoding)


_ODF = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" '
    'xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:meta="urn:oasis:names:tc:opendocument:xmlns:meta:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
)


def opendocument(kind: str, body: str, *, title: str = "", author: str = "", styles: str = "") -> bytes:
    """An OpenDocument file: kind "text", "spreadsheet" or "presentation"; `body` and `styles` are raw XML."""
    meta = f"<dc:title>{escape(title)}</dc:title><meta:initial-creator>{escape(author)}</meta:initial-creator>"
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": f"{_XML}<office:document-content {_ODF}><office:body><office:{kind}>{body}"
            f"</office:{kind}></office:body></office:document-content>",
            "styles.xml": f"{_XML}<office:document-styles {_ODF}>{styles}</office:document-styles>",
            "meta.xml": f"{_XML}<office:document-meta {_ODF}><office:meta>{meta}"
            "<meta:creation-date>2024-03-01T09:30:00</meta:creation-date></office:meta></office:document-meta>",
        },
        stored_first=True,
    )


def odt(paragraphs: Sequence[str] = PARAGRAPHS, *, title: str = "", author: str = "") -> bytes:
    """An OpenDocument text."""
    body = "".join(f"<text:p>{escape(paragraph)}</text:p>" for paragraph in paragraphs)
    return opendocument("text", body, title=title, author=author)


def rtf(paragraphs: Sequence[str] = PARAGRAPHS, *, title: str = "") -> bytes:
    """A Rich Text file; characters beyond ASCII are written as \\u escapes."""
    info = f"{{\\info{{\\title {_rtf_escaped(title)}}}}}" if title else ""
    body = "\\par\n".join(map(_rtf_escaped, paragraphs))
    fonts = "{\\fonttbl{\\f0\\froman Times New Roman;}}"
    return f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{fonts}{info}\\f0\\fs24\n{body}\\par\n}}".encode("ascii")


def _rtf_escaped(text: str) -> str:
    units = text.encode("utf-16-le")
    pieces = []
    for (unit,) in struct.iter_unpack("<H", units):
        character = chr(unit)
        if character in "\\{}":
            pieces.append("\\" + character)
        elif unit < 128:
            pieces.append(character)
        else:
            pieces.append(f"\\u{unit if unit < 32768 else unit - 65536}?")
    return "".join(pieces)


def epub(chapters: Sequence[Sequence[str]] = (PARAGRAPHS[:2], PARAGRAPHS[2:]), *, title: str = "A book") -> bytes:
    """An electronic book; its chapters are stored in the reverse of their reading order."""
    pages = {
        f"OEBPS/chapter{number}.xhtml": f'{_XML}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{number}</title>'
        f"</head><body>{''.join(f'<p>{escape(paragraph)}</p>' for paragraph in chapter)}</body></html>"
        for number, chapter in enumerate(chapters, 1)
    }
    items = "".join(
        f'<item id="c{number}" href="chapter{number}.xhtml" media-type="application/xhtml+xml"/>'
        for number in range(len(chapters), 0, -1)
    )
    spine = "".join(f'<itemref idref="c{number}"/>' for number in range(1, len(chapters) + 1))
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": f'{_XML}<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container">'
            '<rootfiles><rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/></rootfiles>'
            "</container>",
            **dict(reversed(pages.items())),
            "OEBPS/book.opf": f'{_XML}<package xmlns="http://www.idpf.org/2007/opf" version="3.0">'
            f'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{escape(title)}</dc:title>'
            "<dc:creator>A. Writer</dc:creator></metadata>"
            f"<manifest>{items}</manifest><spine>{spine}</spine></package>",
        },
        stored_first=True,
    )


def ofd(
    pages: Sequence[Sequence[str]] = (PARAGRAPHS,),
    *,
    below: Sequence[str] = (),
    pieces: str = "",
    parts: Mapping[str, str | bytes] | None = None,
) -> bytes:
    """A document of fixed layout (GB/T 33190): the lines of its pages, those of a page below each, further pieces.

    parts: further files.
    """

    def page(lines: Sequence[str], more: str = "", template: str = "") -> str:
        texts = (
            f'<ofd:TextObject ID="{number}" Boundary="20 {10 + 6 * number} 100 5" Font="1" Size="4">'
            f'<ofd:TextCode X="0" Y="4" DeltaX="g {len(line)} 2">{escape(line)}</ofd:TextCode></ofd:TextObject>'
            for number, line in enumerate(lines)
        )
        content = f"<ofd:Content><ofd:Layer>{''.join(texts)}{more}</ofd:Layer></ofd:Content>"
        return f'{_XML}<ofd:Page xmlns:ofd="http://www.ofdspec.org/2016">{template}{content}</ofd:Page>'

    template = '<ofd:Template TemplateID="2" ZOrder="Background"/>' if below else ""
    listed = "".join(f'<ofd:Page ID="{n + 10}" BaseLoc="Pages/Page_{n}/Content.xml"/>' for n in range(len(pages)))
    shared = (
        '<ofd:CommonData><ofd:TemplatePage ID="2" BaseLoc="Tpls/Tpl_0/Content.xml"/></ofd:CommonData>' if below else ""
    )
    return zipped(
        {
            "OFD.xml": f'{_XML}<ofd:OFD xmlns:ofd="http://www.ofdspec.org/2016"><ofd:DocBody><ofd:DocInfo>'
            "<ofd:Title>A paper</ofd:Title><ofd:Author>A. Writer</ofd:Author>"
            "<ofd:CreationDate>2024-03-01</ofd:CreationDate></ofd:DocInfo><ofd:DocRoot>Doc_0/Document.xml</ofd:DocRoot></ofd:DocBody></ofd:OFD>",
            "Doc_0/Document.xml": f'{_XML}<ofd:Document xmlns:ofd="http://www.ofdspec.org/2016">'
            f"<ofd:CommonData>{shared}</ofd:CommonData><ofd:Pages>{listed}</ofd:Pages></ofd:Document>",
            "Doc_0/Tpls/Tpl_0/Content.xml": page(below),
            **{f"Doc_0/Pages/Page_{n}/Content.xml": page(lines, pieces, template) for n, lines in enumerate(pages)},
            **(parts or {}),
        }
    )


def kindle(
    source: str,
    *,
    packed: bool = True,
    encoding: str = "utf-8",
    tails: bool = False,
    facts: Mapping[int, str] | None = None,
    pictures: Sequence[bytes] = (),
    protection: int = 0,
    styles: str = "",
) -> bytes:
    """A book of the Kindle: the source of its page, packed by PalmDOC or not, in records of 4,096 bytes, and pictures.

    tails: two entries stand behind the text of each record. facts: of the second header, by their numbers. styles: a
    style sheet behind the page, as newer books have it.
    """
    page, text = source.encode(encoding), (source + styles).encode(encoding)
    parts = [text[start : start + 4096] for start in range(0, len(text), 4096)]
    behind = b"\0" + b"abc\x84" if tails else b""  # a count of shared bytes, and an entry of four bytes with its size
    records = [(palmdoc(part) if packed else part) + behind for part in parts]
    listed = [
        struct.pack(">II", number, 8 + len(fact.encode(encoding))) + fact.encode(encoding)
        for number, fact in (facts or {}).items()
    ]
    head = bytearray(16 + 232)
    struct.pack_into(">HxxIHHHxx", head, 0, 2 if packed else 1, len(text), len(parts), 4096, protection)
    struct.pack_into(">4sI4xI", head, 16, b"MOBI", 232, 65001 if encoding == "utf-8" else 1252)
    struct.pack_into(">I", head, 0x6C, 1 + len(parts))
    struct.pack_into(">H", head, 0xF2, 0b11 if tails else 0)
    exth = b"EXTH" + struct.pack(">II", 12 + sum(map(len, listed)), len(listed)) + b"".join(listed)
    flows = []
    if styles:
        struct.pack_into(">I", head, 0x24, 8)
        struct.pack_into(">II", head, 0xC0, 1 + len(parts) + len(pictures), 2)
        flows = [b"FDST" + struct.pack(">6I", 12, 2, 0, len(page), len(page), len(text))]
    records = [bytes(head) + exth, *records, *pictures, *flows]
    place, places = 78 + 8 * len(records), b""
    for number, record in enumerate(records):
        places += struct.pack(">II", place, number)
        place += len(record)
    return b"A book".ljust(60, b"\0") + b"BOOKMOBI" + struct.pack(">8xH", len(records)) + places + b"".join(records)


def palmdoc(part: bytes) -> bytes:
    """Bytes in the compression of PalmDOC: repetitions, spaces before letters, and all others as they are."""
    out, position = bytearray(), 0
    while position < len(part):
        length = next((n for n in range(10, 2, -1) if part.rfind(part[position : position + n], 0, position) >= 0), 0)
        length = min(length, len(part) - position)
        place = part.rfind(part[position : position + length], max(0, position - 2047), position) if length > 2 else -1
        following = part[position + 1] if position + 1 < len(part) else 0
        if place >= 0:
            out += (0x8000 | (position - place) << 3 | length - 3).to_bytes(2, "big")
            position += length
        elif part[position] == 0x20 and 0x40 <= following < 0x80:
            out.append(following | 0x80)
            position += 2
        else:
            out += part[position : position + 1] if 8 < part[position] < 0x80 else bytes((1, part[position]))
            position += 1
    return bytes(out)


def eml(
    paragraphs: Sequence[str] = PARAGRAPHS,
    *,
    subject: str = "The letters",
    page: bytes | None = None,
    attachment: tuple[str, bytes] | None = None,
) -> bytes:
    """A mail of plain text, with a page as its alternative and one attachment where given."""
    message = EmailMessage()
    message["From"] = "Ann Example <ann@example.org>"
    message["To"] = "Bo Example <bo@example.org>"
    message["Subject"] = subject
    message["Date"] = datetime(2024, 3, 1, 9, 30, tzinfo=UTC)
    message["Message-ID"] = "<1@example.org>"
    message.set_content("\n\n".join(paragraphs))
    if page is not None:
        message.add_alternative(page, maintype="text", subtype="html")
    if attachment is not None:
        message.add_attachment(attachment[1], maintype="application", subtype="octet-stream", filename=attachment[0])
    return message.as_bytes()


def mhtml(page: bytes) -> bytes:
    """A saved web page in one file, as browsers write it."""
    message = EmailMessage()
    message["From"] = "<Saved by a browser>"
    message["Subject"] = "Saved page"
    message["MIME-Version"] = "1.0"
    message.set_content(page, maintype="text", subtype="html", cte="quoted-printable")
    message.make_related()
    return message.as_bytes()


def pptx(slides: Sequence[Sequence[str]] = (PARAGRAPHS[:2], PARAGRAPHS[2:]), *, notes: str = "") -> bytes:
    """Slides, stored in the reverse of their order; `notes` are the speaker's on the first."""
    a, p = (f"http://schemas.openxmlformats.org/{name}/2006/main" for name in ("drawingml", "presentationml"))
    names = f'xmlns:a="{a}" xmlns:p="{p}" xmlns:r="{_R}"'

    def shape(lines: Sequence[str]) -> str:
        text = "".join(f"<a:p><a:r><a:t>{escape(line)}</a:t></a:r></a:p>" for line in lines)
        return f"<p:cSld><p:spTree><p:sp><p:txBody>{text}</p:txBody></p:sp></p:spTree></p:cSld>"

    count = len(slides)
    slide_parts = {
        f"ppt/slides/slide{count - place}.xml": f"{_XML}<p:sld {names}>{shape(lines)}</p:sld>"
        for place, lines in enumerate(slides)
    }
    order = "".join(f'<p:sldId id="{256 + place}" r:id="rId{place}"/>' for place in range(count))
    rels = "".join(
        f'<Relationship Id="rId{place}" Type="{_R}/slide" Target="slides/slide{count - place}.xml"/>'
        for place in range(count)
    )
    extra = {
        f"ppt/slides/_rels/slide{count}.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE_RELS}">'
        f'<Relationship Id="rId1" Type="{_R}/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>',
        "ppt/notesSlides/notesSlide1.xml": f"{_XML}<p:notes {names}>{shape([notes])}</p:notes>",
    }
    return zipped(
        {
            "[Content_Types].xml": f'{_XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
            "_rels/.rels": f'{_XML}<Relationships xmlns="{_PACKAGE_RELS}"><Relationship Id="rId1" '
            f'Type="{_R}/officeDocument" Target="ppt/presentation.xml"/></Relationships>',
            "ppt/presentation.xml": f"{_XML}<p:presentation {names}><p:sldIdLst>{order}</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": f'{_XML}<Relationships xmlns="{_PACKAGE_RELS}">{rels}</Relationships>',
            **slide_parts,
            **(extra if notes else {}),
            "docProps/core.xml": _core("Slides", "A. Speaker"),
        }
    )


def xlsx(sheets: Mapping[str, Sequence[Sequence[object]]]) -> bytes:
    """A workbook of named sheets of rows of cells."""
    from xlsxwriter import Workbook

    buffer = BytesIO()
    with Workbook(buffer, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for place, row in enumerate(rows):
                sheet.write_row(place, 0, row)
    return buffer.getvalue()
