"""Where an object was to keep something and keeps it under no name, or under another one's."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from attnpack.guest.seeing.sites import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


def misbound(text: str, file: str, cls: str, expected: Sequence[str], missing: str) -> Span | None:
    """The statement that should have bound `self.missing` to what is expected of it.

    One that binds it; else, of two that bind the same name, the one that stands in its turn.
    """
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = Lines(file, text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == cls]
    inside = ast.walk(found[-1]) if found else iter(())
    statements = [node for node in inside if isinstance(node, ast.stmt)]
    kept = [(name, node) for node in statements for name in _kept(node)]
    own = [node for name, node in kept if name == missing]
    if own:
        return lines.span(own[-1])
    names = [name for name, _ in kept if name in expected]
    twice = [node for name, node in kept if name in expected and names.count(name) > 1]
    in_turn = [node for name, node in kept if name in expected]
    place = list(expected).index(missing)
    turn = in_turn[place : place + 1]
    chosen = [node for node in turn if node in twice] or twice[-1:]
    return lines.span(chosen[0]) if chosen else None


def _kept(node: ast.stmt) -> Sequence[str]:
    """The attributes of `self` that a statement binds."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = (part for target in targets for part in ast.walk(target))
    return [
        part.attr
        for part in parts
        if isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name)
        if part.value.id == "self"
    ]
