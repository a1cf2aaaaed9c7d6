"""Winnowing: a few hashes of a text that two texts share where they share a passage.

Schleimer, Wilkerson, Aiken: Winnowing, SIGMOD 2003. Every run of GRAM words is hashed; of every
WINDOW hashes in a row the smallest is kept. Two texts that share a passage of GRAM + WINDOW - 1
words share a fingerprint; shorter ones than GRAM are never noticed.
"""

from __future__ import annotations

import ast
import zlib
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from attnpack.grade.similar import LARGEST, words
from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

GRAM = 16
"""words of a syntax tree: less than one assignment"""
WINDOW = 8
MOST = 2000
"""fingerprints of one submission; of more the smallest, which are a fair sample"""
_BASE, _PRIME = 1_000_003, (1 << 61) - 1
_KEPT = (1 << 32) - 1


class _OneName(dict[str, str]):
    """Every name is the same word: who renames changes nothing."""

    def setdefault(self, _name: str, _number: str = "") -> str:
        return "name"


def fingerprints(sources: Iterable[str]) -> tuple[int, ...]:
    """Those of the definitions and assignments at the top of the sources, in order of size.

    Up to names, comments, layout, docstrings and the order of the definitions. Sources that do
    not parse have none, and so has what is beyond the length of any exercise.
    """
    found: set[int] = set()
    left = LARGEST
    for source in sources:
        left -= len(source)
        module = parsed(source) if left >= 0 else None
        for node in module.body if module else ():
            if not isinstance(node, ast.Import | ast.ImportFrom):
                with suppress(RecursionError):
                    found.update(winnowed(list(words(node, _OneName()))))
    return tuple(sorted(found)[:MOST])


def winnowed(tokens: Sequence[str]) -> Iterator[int]:
    """The fingerprints of one text; none where it has fewer than GRAM words."""
    hashes = list(_rolling([_number(token) for token in tokens]))
    for at in range(max(1, len(hashes) - WINDOW + 1)) if hashes else ():
        yield min(hashes[at : at + WINDOW])


@lru_cache(maxsize=4096)
def _number(token: str) -> int:
    return zlib.crc32(token.encode("utf-8", "backslashreplace"))


def _rolling(numbers: Sequence[int]) -> Iterator[int]:
    """A hash of every GRAM numbers in a row, each from the one before (Karp and Rabin)."""
    leaving = pow(_BASE, GRAM, _PRIME)
    value = 0
    left = [0] * GRAM + list(numbers)  # what leaves the run as each number enters it
    for at, (number, gone) in enumerate(zip(numbers, left, strict=False), 1):
        value = (value * _BASE + number - gone * leaving) % _PRIME
        if at >= GRAM:
            yield value & _KEPT
