"""The signs of a rendered report, and what stands for them where a terminal has only ASCII."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from attnpack.report import words

if TYPE_CHECKING:
    from collections.abc import Mapping

    from attnpack.terms import Status

_FOLDED: Final = {
    "√": "sqrt ",
    "ᵀ": "^T",
    "×": "x",
    "·": "*",
    "→": "->",
    "←": "<-",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
    "≈": "~",
    "∞": "inf",
    "∂": "d",
    "Σ": "sum",
    "…": "...",
    "–": "-",
    "—": "-",
    "−": "-",
    "’": "'",
    "“": '"',
    "”": '"',
    "✓": "ok",
    "✗": "x",
    "ä": "ae",
    "ö": "oe",
    "ü": "ue",
    "é": "e",
}


@dataclass(frozen=True)
class Glyphs:
    """One set of signs."""

    marks: Mapping[Status, str]
    would_pass: str
    pointer: str
    bar: str
    folded: Mapping[int, str] = field(default_factory=dict)

    def text(self, text: str) -> str:
        """The text in characters that the terminal has."""
        if not self.folded:
            return text
        return text.translate(self.folded).encode("ascii", "replace").decode("ascii")


UNICODE: Final = Glyphs(
    words.STATUS_MARK,
    words.RIGHT_ANYWAY_MARK,
    pointer="❯",
    bar="│",
)
ASCII: Final = Glyphs(
    words.STATUS_MARK_ASCII,
    words.RIGHT_ANYWAY_MARK_ASCII,
    pointer=">",
    bar="|",
    folded=str.maketrans(_FOLDED),
)


def for_encoding(encoding: str | None) -> Glyphs:
    """The signs that a stream of this encoding can take."""
    try:
        "✓✗·❯│╭─√ᵀ".encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return ASCII
    return UNICODE
