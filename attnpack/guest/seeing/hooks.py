"""What the hooks of rewritten code do: copy values as they are evaluated, or give other ones."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from attnpack.guest.reply import SeenValue
from attnpack.guest.seeing.rewriting import SEE, WRITTEN, rewrite
from attnpack.guest.trace import is_numeric, is_scalar

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from attnpack.guest.backends import Array, GuestBackend
    from attnpack.guest.request import Instead

MOST_PARTS = 4
"""of a tuple"""
MOST_VALUES = 6000
MOST_EACH = 256
"""of one site: a loop over single numbers shows in so many"""
MOST_NUMBERS = 1 << 20
MOST_NUMBERS_EACH = 1 << 13


_NO_NUMBERS = np.empty(0)
"""None, and every object that is no array: that it is there is all that is told of it"""
_NO_VALUES = (FunctionType, BuiltinFunctionType, MethodType, type, np.ufunc, str)


class Hooks:
    """Sees, or gives other values, from `see_all` or `give` on until `stop`."""

    def __init__(self, backend: GuestBackend, firsts: Mapping[str, int], others: Sequence[str]):
        self._backend = backend
        self._firsts = firsts
        self._others = others
        self._values: list[SeenValue] | None = None
        self._each: Counter[int] = Counter()
        self._numbers = 0
        self._depth = 0
        self._instead: Instead | None = None
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
        self._values, self._numbers = [], 0
        self._each.clear()
        self._depth = _depth()

    def give(self, instead: Instead) -> None:
        """Start to give a site's first, second ... evaluation other values."""
        self._instead, self._turn = instead, 0

    def stop(self) -> Sequence[SeenValue]:
        """Neither any more; what was seen."""
        values = self._values or ()
        self._values, self._instead = None, None
        return values

    def see(self, site: int, value: Any) -> Any:
        """An expression's value, or the one that stands in its place."""
        if self._instead is not None and site == self._instead.site:
            value = self._given(value, self._instead)
        if self._values is not None:
            self._copy(site, value)
        return value

    def _given(self, value: Any, instead: Instead) -> Any:
        given = self._next(instead)
        if given is None:
            return value
        if type(value) is not tuple or instead.part < 0:
            return self._backend.like(value, given)
        parts = list(value)
        if instead.part < len(parts):
            parts[instead.part] = self._backend.like(parts[instead.part], given)
        return tuple(parts)

    def written(self, site: int, value: Any) -> Any:
        """A name's object after a statement: it is written into, since others may hold it too."""
        if self._instead is not None and site == self._instead.site:
            given = self._next(self._instead)
            value = value if given is None else self._backend.overwrite(value, given)
        if self._values is not None:
            self._copy(site, value)
        return value

    def _next(self, instead: Instead) -> Array | None:
        self._turn += 1
        return instead.values[self._turn - 1] if self._turn <= len(instead.values) else None

    def _copy(self, site: int, value: Any) -> None:
        if isinstance(value, _NO_VALUES):
            return
        if type(value) is tuple and not _is_shape(value):
            for part, element in enumerate(value[:MOST_PARTS]):
                self._keep(site, element, part)
        else:
            self._keep(site, value, -1)

    def _keep(self, site: int, value: Any, part: int) -> None:
        values = self._values
        if values is None:
            return
        self._each[site] += 1
        if (
            self._each[site] > MOST_EACH
            or len(values) >= MOST_VALUES
            or self._numbers > MOST_NUMBERS
        ):
            return
        array = _NO_NUMBERS
        if is_scalar(value) or is_numeric(value) or _is_shape(value):
            lowered = self._backend.lower(value).array
            array = _NO_NUMBERS if lowered is None else lowered
        if array.size > MOST_NUMBERS_EACH:
            return
        self._numbers += array.size
        values.append(SeenValue(site, np.asarray(array), _depth() - self._depth, part))


def _is_shape(value: Any) -> bool:
    return type(value) is tuple and bool(value) and all(type(item) is int for item in value)


def _depth() -> int:
    """How deep the stack is."""
    frame, depth = sys._getframe(), 0
    while frame.f_back is not None:
        frame, depth = frame.f_back, depth + 1
    return depth
