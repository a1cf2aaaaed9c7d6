"""What the hooks of rewritten code do: copy values as they are evaluated, or give other ones."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from attnpack.guest.seeing.rewriting import SEE, WRITTEN, rewrite
from attnpack.guest.trace import is_numeric, is_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from types import ModuleType

    from attnpack.guest.backends import Array, GuestBackend

MOST_VALUES = 6000
MOST_EACH = 256
"""of one site: a loop over single numbers shows in so many"""
MOST_BYTES = 16 << 20
MOST_VALUE_BYTES = 1 << 18


class SeenValue(NamedTuple):
    """A copy of what a site evaluated to."""

    site: int
    array: Array
    depth: int
    """how many calls of the learner's own code it lay within"""


class Hooks:
    """Sees while `values` is a list; gives other values while `site` is one."""

    def __init__(self, backend: GuestBackend, firsts: Mapping[str, int], others: Sequence[str]):
        self._backend = backend
        self._firsts = firsts
        self._others = others
        self._values: list[SeenValue] | None = None
        self._each: Counter[int] = Counter()
        self._bytes = 0
        self._depth = 0
        self._site: int | None = None
        self._instead: Sequence[Array] = ()
        self._turn = 0

    def rewrite(self, file: str, tree: ast.Module, text: str) -> ast.Module:
        """The tree of a file with its sites hooked; as it was, where it is nested too deeply."""
        if file not in self._firsts:
            return tree
        try:
            rewrite(tree, text, file, self._others, self._firsts[file])
        except RecursionError:
            return ast.parse(text, file)
        return tree

    def plant(self, module: ModuleType) -> None:
        """Give a module the names that its rewritten code calls."""
        module.__dict__[SEE] = self.see
        module.__dict__[WRITTEN] = self.written

    def see_all(self) -> None:
        """Start to copy every value."""
        self._values, self._bytes, self._site = [], 0, None
        self._each.clear()
        self._depth = _depth()

    def give(self, site: int, values: Sequence[Array]) -> None:
        """Start to give a site's first, second ... evaluation these values."""
        self._values, self._site, self._instead, self._turn = None, site, values, 0

    def stop(self) -> Sequence[SeenValue]:
        """Neither any more; what was seen."""
        values = self._values or ()
        self._values, self._site = None, None
        return values

    def see(self, site: int, value: Any) -> Any:
        """An expression's value, or the one that stands in its place."""
        if self._values is not None:
            self._copy(site, value)
        elif site == self._site:
            given = self._next()
            return value if given is None else self._backend.like(value, given)
        return value

    def written(self, site: int, value: Any) -> Any:
        """A name's object after a statement: it is written into, since others may hold it too."""
        if self._values is not None:
            self._copy(site, value)
        elif site == self._site:
            given = self._next()
            return value if given is None else self._backend.overwrite(value, given)
        return value

    def _next(self) -> Array | None:
        self._turn += 1
        return self._instead[self._turn - 1] if self._turn <= len(self._instead) else None

    def _copy(self, site: int, value: Any) -> None:
        values = self._values
        if values is None or not (is_scalar(value) or is_numeric(value)):
            return
        self._each[site] += 1
        if self._each[site] > MOST_EACH or len(values) >= MOST_VALUES or self._bytes > MOST_BYTES:
            return
        array = self._backend.lower(value).array
        if array is None or array.nbytes > MOST_VALUE_BYTES:
            return
        self._bytes += array.nbytes
        values.append(SeenValue(site, np.asarray(array), _depth() - self._depth))


def _depth() -> int:
    """How deep the stack is."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
