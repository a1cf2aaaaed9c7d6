"""The one place where text out of a submission is made harmless for what it is written into.

Whatever a learner's code printed, raised or named is data. Each function is for one sink.
"""

from __future__ import annotations

import html
import re

LIMIT = 4000
"""characters of one text"""

# C0 and C1 controls but tab and newline; what XML forbids; marks that turn the text's direction.
_ILLEGAL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_NEWLINES = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_MARKDOWN = re.compile(r"[\\`*_{}\[\]()#+!|<>@&~:$-]")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def plain(text: str, limit: int = LIMIT) -> str:
    """Without control characters, in `\\n` lines, cut with a visible mark. Safe on a terminal."""
    clean = _ILLEGAL.sub("�", _NEWLINES.sub("\n", _without_sequences(text)))
    if len(clean) > limit:
        return f"{clean[:limit]}… [cut: {len(clean) - limit} more characters]"
    return clean


def line(text: str, limit: int = 200) -> str:
    """As `plain`, on one line."""
    return plain(" ".join(text.split()), limit)


def for_html(text: str, limit: int = LIMIT) -> str:
    """For HTML text and for attributes in quotation marks."""
    return html.escape(plain(text, limit), quote=True)


def for_xml(text: str, limit: int = LIMIT) -> str:
    """For an XML writer that escapes the markup itself."""
    return plain(text, limit)


def for_json(text: str, limit: int = LIMIT) -> str:
    """For a JSON document that a platform shows as plain text."""
    return plain(text, limit)


def for_markdown(text: str, limit: int = 200) -> str:
    """For GitHub's markdown, inside a table cell: every special character as an entity."""
    return _MARKDOWN.sub(lambda found: f"&#{ord(found[0])};", line(text, limit))


def for_command(text: str, limit: int = 500) -> str:
    """For the message of a GitHub workflow command."""
    return plain(text, limit).replace("%", "%25").replace("\n", "%0A")


def for_property(text: str, limit: int = 200) -> str:
    """For a property (`file=`, `title=`) of a GitHub workflow command."""
    return for_command(line(text, limit)).replace(":", "%3A").replace(",", "%2C")


def for_csv(value: str | float | None) -> str:
    """One cell: numbers stay numbers, texts never become formulas."""
    if value is None:
        return ""
    if isinstance(value, int | float):
        return number(value)
    text = line(value, LIMIT)
    return f"'{text}" if text.startswith(_FORMULA) else text


def number(value: float) -> str:
    """At most four decimals, none where they are zero."""
    return f"{value:.4f}".rstrip("0").rstrip(".")


def _without_sequences(text: str) -> str:
    """Without whole ANSI sequences, whose tails would be left as letters."""
    return re.sub(
        r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]{0,4096}(?:\x07|\x1b\\)?|[ -/]*[0-~])",
        "",
        text,
    )
