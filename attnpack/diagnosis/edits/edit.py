"""A small change of a text: one piece of it, and what stands there instead."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from attnpack.guest.seeing.sites import Span


@dataclass(frozen=True)
class Edit:
    """What stands in a piece of a file instead of what the learner wrote there."""

    span: Span
    text: str

    def applied(self, text: str) -> str:
        """The file's text with the change."""
        lines = text.splitlines(keepends=True)
        first, last = self.span.line - 1, self.span.end_line - 1
        before = "".join(lines[:first]) + lines[first][: self.span.column]
        after = lines[last][self.span.end_column :] + "".join(lines[last + 1 :])
        return before + self.text + after


def difference(before: str, after: str, file: str) -> Sequence[str]:
    """The lines that differ, as `diff -u` shows them, without its head."""
    lines = difflib.unified_diff(
        before.splitlines(), after.splitlines(), file, file, lineterm="", n=1
    )
    return list(lines)[2:]
