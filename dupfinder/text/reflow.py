"""Lines of a laid-out page to running text."""

from __future__ import annotations

import re
from collections.abc import Sequence

# Ideographs, kana, bopomofo and their full-width signs; Korean is written with spaces.
_EAST_ASIAN = (
    "[\u2e80-\u2fff\u3001-\u303f\u3040-\u30ff\u3105-\u312f\u31a0-\u31bf"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\uffe0-\uffef\U00020000-\U0003ffff]"
)
_EAST_ASIAN_BREAK = re.compile(f"(?<={_EAST_ASIAN})[ \t]*\n[ \t]*(?={_EAST_ASIAN})")


def joined_lines(pages: Sequence[Sequence[str]]) -> str:
    """One text of all pages. A line end within East Asian text stood for nothing, elsewhere it stood for a space."""
    text = "\n".join("\n".join(page) for page in pages)
    return _EAST_ASIAN_BREAK.sub("", text).strip("\n")
