"""Arguments that hold others: dictionaries and lists of arrays, as the weights of a block are.

A path names one part: `1/blocks/0/W_q` is `arguments[1]["blocks"][0]["W_q"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any


def leaves(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Everything in a value that is no dictionary and no list, with its path."""
    if isinstance(value, Mapping):
        for name, part in value.items():
            yield from leaves(part, f"{path}/{name}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from leaves(part, f"{path}/{index}")
    else:
        yield path, value


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A copy of the dictionaries and lists, with every leaf changed."""
    if isinstance(value, Mapping):
        return {name: mapped(part, change) for name, part in value.items()}
    if isinstance(value, list):
        return [mapped(part, change) for part in value]
    return change(value)


def found(value: Any, path: str) -> Any:
    """The part at a path. Raises LookupError or TypeError where there is none."""
    for step in path.split("/"):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def replaced(value: Any, path: str, new: Any) -> Any:
    """A copy with another value at a path. Raises KeyError or IndexError where there is none."""
    first, _, rest = path.partition("/")
    if isinstance(value, list):
        copy: Any = list(value)
        copy[int(first)] = replaced(value[int(first)], rest, new) if rest else new
        return copy
    old = value[first]
    return {**value, first: replaced(old, rest, new) if rest else new}
