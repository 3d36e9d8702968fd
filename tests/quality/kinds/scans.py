"""Kinds of recognised text: pages printed to pictures, made worse as copiers do, and read again by tesseract."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from io import BytesIO
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from tests.quality.kinds.writing import LANGUAGES, Paragraphs, Writer
from tests.quality.making import Folder

_TESSERACT = {"en": "eng", "es": "spa", "zh": "chi_sim"}
_FONTS = {
    "en": ("DejaVuSerif.ttf", "LiberationSerif-Regular.ttf"),
    "es": ("DejaVuSans.ttf", "LiberationSans-Regular.ttf"),
    "zh": ("wqy-microhei.ttc", "wqy-zenhei.ttc", "NotoSansCJK-Regular.ttc"),
}
_FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
_WIDTH, _HEIGHT, _MARGIN = 1240, 1754, 110  # pixels: A4 at 150 dots an inch
_LETTER, _LINE = 25, 36  # pixels
_LEAST_SCALE = {"en": 0.55, "es": 0.55, "zh": 0.65}  # the lowest resolution of a page, of 150 dots an inch
_WORKERS = 2
_PAGE_SECONDS = 600

# What a reader of worn print takes letters for.
_MISREAD = {
    "rn": "m", "m": "rn", "l": "1", "1": "l", "I": "l", "e": "c", "c": "e", "o": "0", "0": "O", "h": "b", "b": "h",
    "t": "f", "f": "t", "u": "ii", "n": "u", "cl": "d", "d": "cl", "vv": "w", "w": "vv", "s": "5", "S": "8", "a": "o",
    "y": "v", "ñ": "fi", "á": "é", "é": "e", "í": "i", "ó": "6", ".": ",", ",": ".", "的": "旳", "了": "丁", "人": "入",
    "日": "曰", "未": "末", "己": "已", "对": "刘", "为": "力", "在": "住", "是": "昰",
}  # fmt: skip


def recogniser(language: str) -> str | None:
    """Return tesseract's name of the language if tesseract, its data and a font for it are here."""
    if shutil.which("tesseract") is None or _font(language) is None:
        return None
    listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=True).stdout.split()
    return _TESSERACT[language] if _TESSERACT[language] in listed else None


def _font(language: str) -> Path | None:
    folders = [folder for folder in _FONT_FOLDERS if folder.is_dir()]
    paths = (path for name in _FONTS[language] for folder in folders for path in sorted(folder.rglob(name)))
    return next(paths, None)


def pages(paragraphs: Sequence[str], font: Path) -> list[Image.Image]:
    """Print a text on as many grey pages as it needs."""
    letters = ImageFont.truetype(font, _LETTER)
    lines: list[str] = []
    for paragraph in paragraphs:
        lines += [*_wrapped(paragraph, letters), ""]
    rows = (_HEIGHT - 2 * _MARGIN) // _LINE
    printed = []
    for start in range(0, len(lines), rows):
        page = Image.new("L", (_WIDTH, _HEIGHT), 250)
        pen = ImageDraw.Draw(page)
        for row, line in enumerate(lines[start : start + rows]):
            pen.text((_MARGIN, _MARGIN + row * _LINE), line, fill=25, font=letters)
        printed.append(page)
    return printed


def _wrapped(paragraph: str, letters: ImageFont.FreeTypeFont) -> list[str]:
    lines, line = [], ""
    for piece in re.findall(r"\S+\s*", paragraph) if " " in paragraph else list(paragraph):
        if letters.getlength(line + piece.rstrip()) > _WIDTH - 2 * _MARGIN and line:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return [*lines, line.rstrip()]


def degraded(page: Image.Image, seed: int, least_scale: float) -> Image.Image:
    """Scan a page badly: skew, low resolution, blur, speckles and compression, each drawn by the seed."""
    chance, grains = random.Random(seed), np.random.default_rng(seed)
    page = page.rotate(chance.uniform(-1.2, 1.2), Image.Resampling.BICUBIC, fillcolor=250)
    scale = chance.uniform(least_scale, 0.85)
    page = page.resize((round(_WIDTH * scale), round(_HEIGHT * scale)), Image.Resampling.BILINEAR)
    page = page.filter(ImageFilter.GaussianBlur(chance.uniform(0.2, 0.95)))
    shades = np.asarray(page, np.float64) + grains.normal(0, chance.uniform(4, 15), (page.height, page.width))
    shades[grains.random(shades.shape) < chance.uniform(0, 0.002)] = 0
    page = Image.fromarray(np.clip(shades, 0, 255).astype(np.uint8))
    squeezed = BytesIO()
    page.save(squeezed, "JPEG", quality=chance.randint(35, 70))
    return Image.open(squeezed)


def recognised(paragraphs: Sequence[str], seed: int, language: str) -> Paragraphs:
    """Print, scan badly and recognise a text with tesseract."""
    font = _font(language)
    assert font is not None
    text = []
    for number, page in enumerate(pages(paragraphs, font)):
        picture = BytesIO()
        degraded(page, 1000 * seed + number, _LEAST_SCALE[language]).save(picture, "PNG", dpi=(110, 110))
        program = ["tesseract", "-", "-", "-l", _TESSERACT[language], "--psm", "6"]
        run = subprocess.run(program, input=picture.getvalue(), capture_output=True, check=True, timeout=_PAGE_SECONDS,
                             env={**os.environ, "OMP_THREAD_LIMIT": "1"})  # fmt: skip
        text.append(run.stdout.decode("utf-8"))
    return [line.strip() for line in "\n".join(text).splitlines() if line.strip()]


def misread(paragraphs: Sequence[str], seed: int) -> Paragraphs:
    """Misread 1 to 4 % of the letters as a scan's reader would; Chinese characters become rare ones."""
    chance = random.Random(seed)
    share = chance.uniform(0.01, 0.04)

    def letter(match: re.Match[str]) -> str:
        sign = match[0]
        if chance.random() >= share:
            return sign
        return _MISREAD.get(sign) or (chr(chance.randint(0x4E00, 0x9000)) if "一" <= sign <= "鿿" else sign)

    return [re.sub("rn|cl|vv|.", letter, paragraph) for paragraph in paragraphs]


def scans(writer: Writer) -> Iterator[tuple[str, Folder]]:
    """Make twenty texts in each language beside what was recognised of their scans."""
    for language in LANGUAGES:
        folder, known = Folder(), recogniser(language)
        lengths = [round(120 + 25 * number) * (2 if language == "zh" else 1) for number in range(20)]
        originals = [writer.text(language, length) for length in lengths]
        if known is None:
            print(
                f"scans-{language}: tesseract, its data or a font is not here; misreadings by a model", file=sys.stderr
            )
            copies = [misread(text, seed) for seed, text in enumerate(originals)]
        else:
            with ThreadPoolExecutor(_WORKERS) as workers:
                copies = list(workers.map(partial(recognised, language=language), originals, range(20)))
        for number, (text, copy) in enumerate(zip(originals, copies, strict=True)):
            folder.add(f"{number:02}-original.docx", text)
            folder.add(f"{number:02}-scan.txt", copy)
            folder.positives.append((f"{number:02}-original.docx", f"{number:02}-scan.txt"))
        yield f"scans-{language}", folder
