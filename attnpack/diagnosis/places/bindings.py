"""Where a name was to be bound and is not, or is bound to something else."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from attnpack.guest.seeing.sites import Lines, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


def misbound(text: str, file: str, cls: str, expected: Sequence[str], missing: str) -> Span | None:
    """Where `self.missing` should have been bound to what is expected of it.

    The statement that binds it; else, of two that bind the same name, that which stands in its
    turn, at the name.
    """
    tree = _parsed(text)
    if tree is None:
        return None
    lines = Lines(file, text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == cls]
    inside = ast.walk(found[-1]) if found else iter(())
    statements = [node for node in inside if isinstance(node, ast.stmt)]
    kept = [(part, node) for node in statements for part in _kept(node)]
    own = [node for part, node in kept if part.attr == missing]
    if own:
        return lines.span(own[-1])
    in_turn = [part for part, _ in kept if part.attr in expected]
    names = [part.attr for part in in_turn]
    twice = [part for part in in_turn if names.count(part.attr) > 1]
    place = list(expected).index(missing)
    turn = in_turn[place : place + 1]
    chosen = [part for part in turn if part in twice] or twice[-1:]
    return lines.span(chosen[0]) if chosen else None


def _kept(node: ast.stmt) -> Sequence[ast.Attribute]:
    """The attributes of `self` that a statement binds."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return ()
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    parts = (part for target in targets for part in ast.walk(target))
    return [
        part
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
    """The first of some arguments of a function that may be left out, and nothing in it reads."""
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
    taken = found[-1].args
    optional = [*taken.posonlyargs, *taken.args][-len(taken.defaults) :] if taken.defaults else []
    unread = [n for n in (*optional, *taken.kwonlyargs) if n.arg in arguments]
    unread = [n for n in unread if n.arg not in read]
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
