"""The syntax trees of texts, kept while a submission is worked on."""

from __future__ import annotations

import ast
from functools import lru_cache
from typing import TYPE_CHECKING

from attnpack.guest.definitions import definitions

if TYPE_CHECKING:
    from collections.abc import Mapping


@lru_cache(maxsize=128)
def parsed(text: str) -> ast.Module | None:
    """The syntax tree; None where the text is not Python."""
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=128)
def definitions_in(text: str) -> Mapping[str, list[ast.stmt]]:
    """What the top of a text binds; nothing where it is not Python."""
    tree = parsed(text)
    return definitions(tree) if tree else {}


def forget() -> None:
    """Drop what is kept of texts that were read."""
    parsed.cache_clear()
    definitions_in.cache_clear()
