"""The sites of a submission: what a guest is told to hook, and what its numbers mean."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from attnpack.calls import Seen
from attnpack.guest.definitions import defined
from attnpack.guest.seeing.rewriting import rewrite
from attnpack.guest.seeing.sites import Lines

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from attnpack.guest.seeing.sites import Site, Span


@dataclass(frozen=True)
class Sites:
    """Numbered through all files, in the order of their names."""

    all: Sequence[Site]
    seen: Seen

    texts: Mapping[str, str]
    others: Sequence[tuple[str, int, int]] = ()
    """file, first and last line of each definition that is left alone"""

    def is_another(self, span: Span) -> bool:
        """Whether a piece of a file belongs to another exercise."""
        return any(f == span.file and a <= span.line <= b for f, a, b in self.others)

    def text(self, span: Span) -> str:
        """What stands there, on one line."""
        return Lines(span.file, self.texts.get(span.file, "")).text(span)

    def written(self, span: Span) -> str:
        """What stands there, as it is written, from the beginning of its first line."""
        lines = self.texts.get(span.file, "").splitlines()
        return "\n".join(lines[span.line - 1 : span.end_line])

    def first_line(self, span: Span) -> str:
        """What of it stands on its first line."""
        lines = self.texts.get(span.file, "").splitlines()
        if not 0 < span.line <= len(lines):
            return ""
        end = span.end_column if span.end_line == span.line else None
        return lines[span.line - 1][span.column : end].rstrip()

    def __getitem__(self, number: int) -> Site | None:
        """The site of a number that a guest gave; None where it has none."""
        return self.all[number] if 0 <= number < len(self.all) else None


def sites_of(texts: Mapping[str, str], others: Collection[str]) -> Sites:
    """Read off the texts, which the guest numbers alike; `others` are definitions left alone."""
    firsts: dict[str, int] = {}
    left: list[tuple[str, int, int]] = []
    found: list[Site] = []
    for file in sorted(texts):
        try:
            tree = ast.parse(texts[file], file)
            left += [(file, *lines) for lines in _lines_of(tree, frozenset(others))]
            of_file = rewrite(tree, texts[file], file, others, len(found))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # a guest says so when it loads the file
        firsts[file] = len(found)
        found.extend(of_file)
    return Sites(found, Seen(firsts, tuple(others)), texts, left)


def _lines_of(tree: ast.Module, names: frozenset[str]) -> Iterator[tuple[int, int]]:
    for statement in tree.body:
        if names.intersection(defined(statement)):
            yield statement.lineno, statement.end_lineno or statement.lineno
