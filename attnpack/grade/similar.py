"""Submissions that are equal up to names and layout, to the reference or to each other."""

from __future__ import annotations

import ast
import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING

from attnpack.submission.syntax import parsed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LARGEST = 200_000
"""characters; more is no exercise"""
_FEWEST = 3
"""exercises; one line alone is often the only way to write it"""
_SKIPPED = {"annotation", "returns", "type_comment", "ctx", "kind", "type_params"}
_NAMES = {("Name", "id"), ("arg", "arg"), ("Global", "names"), ("Nonlocal", "names")}


def shapes_of(sources: Iterable[str], exercises: Iterable[str]) -> dict[str, str]:
    """Exercise -> hash of its definition, up to names, comments, layout and docstrings.

    Names are numbered in the order they first occur, within one definition. Sources that do
    not parse have none.
    """
    wanted = set(exercises)
    found = {}
    for source in sources:
        module = parsed(source) if len(source) <= LARGEST else None
        for node in module.body if module else ():
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in wanted:
                with suppress(RecursionError):
                    found[node.name] = _shape(node)
    return found


def equal_to_reference(shapes: Mapping[str, str], reference: Mapping[str, str]) -> bool:
    """Whether all exercises of a submission equal the reference."""
    compared = [name for name in shapes if name in reference]
    return len(compared) >= _FEWEST and all(shapes[name] == reference[name] for name in compared)


def groups(shapes: Mapping[str, Mapping[str, str]]) -> list[list[str]]:
    """Submissions whose definitions are all equal to each other's, in sorted groups."""
    by_shape: dict[tuple[tuple[str, str], ...], list[str]] = {}
    for submission, own in shapes.items():
        if len(own) >= _FEWEST:
            by_shape.setdefault(tuple(sorted(own.items())), []).append(submission)
    return sorted(sorted(group) for group in by_shape.values() if len(group) > 1)


def _shape(definition: ast.AST) -> str:
    text = "\0".join(words(definition, {}))
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:16]


def words(node: ast.AST, numbers: dict[str, str]) -> Iterator[str]:
    """The tree in words: names as numbers, without docstrings and annotations."""
    yield type(node).__name__
    for field, value in ast.iter_fields(node):
        if field in _SKIPPED:
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                if not _is_docstring(item):
                    yield from words(item, numbers)
            elif (type(node).__name__, field) in _NAMES:
                yield numbers.setdefault(item, f"n{len(numbers)}")
            else:
                yield repr(item)
    yield "end"


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
