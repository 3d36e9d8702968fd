"""The language of a text: by its script where that tells, else by resiliparse's detector."""

from __future__ import annotations

import re

_SAMPLE = 4000  # characters looked at: telling the language of a page takes no more
_KANA = re.compile(r"[\u3041-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_WORD = re.compile(r"[^\W\d_]{2,}")


def language_of(text: str) -> str:
    """ISO 639-1 code of the text's language, "" when it cannot be told. Looks at the first few thousand characters."""
    sample = text[:_SAMPLE]
    if not sample.isascii():
        han, kana, hangul = (len(script.findall(sample)) for script in (_HAN, _KANA, _HANGUL))
        if max(han, kana, hangul) * 4 > len(sample):
            if hangul > han:
                return "ko"
            return "ja" if kana * 10 > han else "zh"
    if not _WORD.search(sample):
        return ""
    from resiliparse.parse.lang import detect_fast  # loaded in workers only: it takes a tenth of a second

    code, _ = detect_fast(sample)
    return "" if code == "unknown" else str(code)
