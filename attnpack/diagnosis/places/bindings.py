"""Where a name was to be bound and is not, or is bound to something else."""

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
    tree = _parsed(text)
    if tree is None:
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


def bound_instead(
    text: str, file: str, line: int, name: str, contract: Sequence[str]
) -> Span | None:
    """Of a function that reads a name it never bound: what it binds in that name's place.

    A parameter that is never read and goes by no name of the contract; a name bound twice.
    """
    function = _around(text, line)
    if function is None:
        return None
    lines = Lines(file, text)
    nodes = list(ast.walk(function))
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    bound: list[ast.arg | ast.Name] = [n for n in nodes if isinstance(n, ast.arg)]
    bound += [n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    names = [n.arg if isinstance(n, ast.arg) else n.id for n in bound]
    twice = [n for n, own in zip(bound, names, strict=True) if names.count(own) > 1]
    used = {*read, *contract, "self", "_"}
    unread = [n for n in bound if isinstance(n, ast.arg) and n.arg not in used]
    found = unread or twice[-1:]
    return lines.span(found[0]) if len(found) == 1 and name not in names else None


def made_at_top(text: str, file: str, name: str) -> Span | None:
    """The value of a name that is bound once, at the top of a file."""
    tree = _parsed(text)
    made = [
        statement.value
        for statement in (tree.body if tree is not None else ())
        if isinstance(statement, ast.Assign)
        and any(isinstance(t, ast.Name) and t.id == name for t in statement.targets)
    ]
    return Lines(file, text).span(made[0]) if len(made) == 1 else None


def end_of(text: str, file: str, names: Sequence[str]) -> Span | None:
    """The last statement of a function of one of these names, which returns nothing."""
    tree = _parsed(text)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.FunctionDef) and node.name in names
    ]
    if not found or any(isinstance(node, ast.Return) for node in ast.walk(found[-1])):
        return None
    last = found[-1].body[-1]
    while isinstance(last, ast.For | ast.While | ast.With):
        last = last.body[-1]
    return Lines(file, text).span(last)


def never_read(text: str, file: str, name: str, arguments: Sequence[str]) -> Span | None:
    """The first of some arguments of a function that nothing in it reads."""
    tree = _parsed(text)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.FunctionDef) and node.name == name
    ]
    if not found:
        return None
    nodes = list(ast.walk(found[-1]))
    read = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    taken = [n for n in ast.walk(found[-1].args) if isinstance(n, ast.arg)]
    unread = [n for n in taken if n.arg in arguments and n.arg not in read]
    return Lines(file, text).span(unread[0]) if unread else None


def _around(text: str, line: int) -> ast.FunctionDef | None:
    tree = _parsed(text)
    found = [
        node
        for node in (ast.walk(tree) if tree is not None else ())
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return found[-1] if found else None


def _parsed(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
