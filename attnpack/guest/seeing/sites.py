"""A site: one expression of a learner's file that is seen each time it is evaluated.

Guest and host number the sites of the same texts alike, so that only numbers travel.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast


class Kind(StrEnum):
    """When a site's value is taken."""

    EVALUATED = "evaluated"
    """of an expression, as it is evaluated"""
    WRITTEN = "written"
    """of a name, after a statement that may have changed what it holds in place"""


class Span(NamedTuple):
    """A piece of one file; lines count from 1, columns from 0, in characters, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    def holds(self, other: Span) -> bool:
        """Whether the other one lies within."""
        if self.file != other.file:
            return False
        first, last = (self.line, self.column), (self.end_line, self.end_column)
        begins, ends = (other.line, other.column), (other.end_line, other.end_column)
        return first <= begins and ends <= last


class Whole(StrEnum):
    """What an expression is the whole of."""

    PART = "part"
    ASSIGNED = "assigned"
    RETURNED = "returned"
    BARE = "bare"
    """a statement by itself"""


@dataclass(frozen=True)
class Site:
    """One expression, with where it stands."""

    number: int
    span: Span
    statement: Span
    """without the statements in it"""
    block: Span
    """with them"""
    kind: Kind
    form: type[ast.expr]
    text: str
    """as the learner wrote it, on one line"""
    whole: Whole = Whole.PART
    function: str = ""
    """the function it stands in; the innermost one"""
    parent: int | None = None
    """the site of which it is a part"""
    parts: list[int] = field(default_factory=list)
    """the sites that are its own direct parts, in the order of the text"""


class Lines:
    """The text of a file, for spans in characters: syntax trees count columns in bytes."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self._lines = text.splitlines()

    def span(self, node: ast.expr | ast.stmt | ast.arg) -> Span:
        """Where a node stands."""
        end_line = node.end_lineno or node.lineno
        end_column = node.end_col_offset or node.col_offset
        return Span(
            self.file,
            node.lineno,
            self._characters(node.lineno, node.col_offset),
            end_line,
            self._characters(end_line, end_column),
        )

    def text(self, span: Span) -> str:
        """What stands there, on one line."""
        return " ".join(piece.strip() for piece in self._pieces(span))

    def written(self, span: Span) -> str:
        """What stands there, as it is written."""
        return "\n".join(self._pieces(span))

    def _pieces(self, span: Span) -> list[str]:
        pieces = self._lines[span.line - 1 : span.end_line]
        if pieces:
            pieces[-1] = pieces[-1][: span.end_column]
            pieces[0] = pieces[0][span.column :]
        return pieces

    def _characters(self, line: int, column: int) -> int:
        if not 0 < line <= len(self._lines):
            return column
        return len(self._lines[line - 1].encode()[:column].decode(errors="ignore"))
